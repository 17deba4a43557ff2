// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines that a person types, or a program writes, to the standard input while something runs.
#ifndef FOOTFALL_APPS_TYPED_H
#define FOOTFALL_APPS_TYPED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct typed {
    bool over;        // the input has ended
    double next_look; // at the input, by clock_coarse  [s]
    char bytes[64], line[96];
    size_t nbyte, next; // bytes that were read and not yet looked at
    size_t length;      // of the line so far, also where there is no room for it
} typed;

/// The next line, without its end; NULL: none has come. It does not wait. A process in the background of a terminal
/// hears nothing. A line that is too long is told, and left out. @return until the next call
const char *typed_line(typed *t);

#endif
