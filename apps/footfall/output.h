// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Standard output with a guard: names come from external files (robots, scenes, recordings), and none of them may be
// executed by a terminal. All that the program prints goes through here, so that no table has to think of it.
#ifndef FOOTFALL_APPS_OUTPUT_H
#define FOOTFALL_APPS_OUTPUT_H

#include <stdbool.h>

/// From now on control characters in what is printed to stdout are spelt out ("\x1b") but for line ends and tabs; bytes
/// that are no UTF-8 too. Called once, before anything is printed.
void guard_output(void);
/// Is the guard there? It needs a C library that lets a program replace its stdout.
bool output_is_guarded(void);
/// What stands for an escape sequence of a style until the guard has seen it: no file can know it.
/// @param look  number of a style (terminal.h)
const char *output_mark(int look);
/// Between true and false: a format that has its own rules for control characters (JSON) goes out as it is.
void output_as_it_is(bool on);

#endif
