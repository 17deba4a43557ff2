// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that an operator, a person or a program, writes to the standard input while something runs.
#ifndef FOOTFALL_APPS_OPERATOR_H
#define FOOTFALL_APPS_OPERATOR_H

#include <footfall/hardware.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct operator_input {
    bool ended;       // the standard input has ended
    double next_poll; // of the standard input, by clock_coarse  [s]
    char bytes[64], line[96];
    size_t nbyte, next; // bytes that were read; the first of them that belongs to no line yet
    size_t length;      // of the present line, counted on where it exceeds the buffer
} operator_input;

/// The next line without its end, valid until the next call; NULL: no line is complete. It does not block. A process in
/// the background of a terminal reads nothing. A line that is too long is reported on stderr and dropped.
const char *operator_line(operator_input *input);

/// Sends all complete lines to a hardware layer as commands and reports those it refuses on stderr.
void operator_command(operator_input *input, ff_hardware *layer);

#endif
