// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the program `footfall` as a user's shell would and keeps what it said, within bounds of memory and time.
#ifndef FOOTFALL_TESTS_APP_PROGRAM_H
#define FOOTFALL_TESTS_APP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct outcome {
    int code;       // exit code, or 1000 + the signal that ended it
    double seconds; // processor time: a busy machine must not fail a test
    double wall;    // from before its start until after its end, in real time  [s]
    char *out;      // stdout, zero-terminated; belongs to the harness, valid until the next call of footfall()
    char *err;      // stderr
} outcome;

/// Runs `footfall WORDS...` (ended by NULL) in the test's own folder. Memory is bounded to 1 GiB except under the
/// address sanitizer, which reserves terabytes; time to 60 s.
outcome footfall_words(const char *const *words);
#define footfall(...) footfall_words((const char *const[]){__VA_ARGS__, NULL})

/// The same with a signal, sent when a file of the test's folder has the words of `sign`: what the program writes while
/// it is at work. "stdout" and "stderr" are such files. What the file had before is removed. A program that ends
/// without the sign gets no signal.
outcome footfall_interrupted(const char *const *words, const char *file, const char *sign, int signal);

/// What `footfall --version` says, asked once: every test looks there for the libraries it needs, and sanitizers take
/// 35 ms for a start.
const char *footfall_version(void);

/// Path in a temporary folder that goes away at exit; the text is static for 8 calls.
const char *temporary(const char *name);
/// Writes a file into the temporary folder; returns its path.
const char *write_file(const char *name, const char *text);
/// Text of a file of the temporary folder, "" when it is not there; belongs to the harness.
const char *read_file(const char *name);

/// True when the text is exactly one JSON value (RFC 8259) and white space.
bool is_json(const char *text);
/// Numbers of the member `key`, flattened in order; returns how many there are (at most `most` are written), -1 without
/// the key.
int json_find_numbers(const char *text, const char *key, double *values, int most);

#endif
