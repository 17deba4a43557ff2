// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes JSON as it goes, no tree in memory. Numbers carry 17 digits, so that reading them back gives the same bits;
// what is not finite becomes null, because JSON has no other word for it.
#ifndef FOOTFALL_APPS_JSON_H
#define FOOTFALL_APPS_JSON_H

#include <stdbool.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 16

typedef struct json {
    FILE *out;
    int depth;
    bool used[JSON_DEPTH_MAX];    // something was written at this level
    bool on_line[JSON_DEPTH_MAX]; // members of this level stay on one line
} json;

// `key` is NULL for members of an array and for the outermost value. `on_line` keeps short things on one line.
void json_begin_object(json *w, const char *key, bool on_line);
void json_end_object(json *w);
void json_begin_array(json *w, const char *key, bool on_line);
void json_end_array(json *w);
void json_number(json *w, const char *key, double value);
void json_integer(json *w, const char *key, long long value);
void json_bool(json *w, const char *key, bool value);
/// NULL becomes null; bytes that are not UTF-8 become U+FFFD.
void json_text(json *w, const char *key, const char *value);
void json_null(json *w, const char *key);
void json_numbers(json *w, const char *key, const double *values, int count);
/// Ends the text with a newline.
void json_finish(json *w);

#endif
