// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A growing text, and JSON put into it: the writer places commas itself.
#ifndef FOOTFALL_SIM_WRITER_H
#define FOOTFALL_SIM_WRITER_H

#include <footfall/base.h>

/// Zero-initialise. After a failed allocation `failed` stays set and further writing does nothing.
typedef struct ff_writer {
    char *text; // malloc'ed, zero-terminated; NULL while empty
    size_t length, capacity;
    bool failed;
    bool comma; // a value stands before the next one
} ff_writer;

void ff_write(ff_writer *w, const char *text);
/// Shortest of %.15g and %.17g that reads back to the same number, with a point in every locale. `size` at least 32.
void ff_number_format(double value, char *buffer, size_t size);

void ff_json_open(ff_writer *w, const char *key, char bracket); // '{' or '['; key NULL in arrays
void ff_json_close(ff_writer *w, char bracket);
void ff_json_text(ff_writer *w, const char *key, const char *value); // NULL becomes null
void ff_json_number(ff_writer *w, const char *key, double value);    // not finite becomes null
void ff_json_integer(ff_writer *w, const char *key, long long value);
void ff_json_bool(ff_writer *w, const char *key, bool value);
void ff_json_numbers(ff_writer *w, const char *key, const double *values, int count);

#endif
