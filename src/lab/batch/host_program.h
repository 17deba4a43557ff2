// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that compiling at run time needs (host_special.c).
#ifndef FOOTFALL_BATCH_HOST_PROGRAM_H
#define FOOTFALL_BATCH_HOST_PROGRAM_H

#include <stddef.h>

typedef enum ff_host_end {
    FF_HOST_DONE,   // it ended with 0
    FF_HOST_FAILED, // with something else, or there is no such program
    FF_HOST_SLOW    // not in time: it was ended, with all that it had started
} ff_host_end;

/// Runs a program by the shell, which splits `program` into words where there is no such file, with arguments as they
/// are (a list that NULL ends); what it says, in English, goes to the file `said`. Signals that the host ignores and
/// children that it has reaped elsewhere make no difference.
/// @param limit  how long it may take  [s]
ff_host_end ff_host_run(const char *program, const char *const *arguments, const char *said, int limit);

/// The first line of what a compiler said that names a mistake, in ASCII. @param out  empty where there is none
/// @param folder  is left out where the line begins with it
void ff_host_complaint(const char *said, const char *folder, char *out, size_t size);

#endif
