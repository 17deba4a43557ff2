// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON (RFC 8259) as it is written, value after value, into one growing text. The writer places commas, breaks and
// indents lines; what is not finite becomes null, because JSON has no other word for it. Part of the base room.
#ifndef FOOTFALL_JSON_H
#define FOOTFALL_JSON_H

#include <footfall/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Objects and arrays may nest so deep.
#define FF_JSON_DEPTH_MAX 16

/// Zero-initialise, write one value (most often an object), then call ff_json_finish. When the memory runs out, or the
/// nesting passes FF_JSON_DEPTH_MAX, `failed` stays set and further writing does nothing.
typedef struct ff_json {
    char *text; // malloc'ed, zero-terminated; NULL while empty
    size_t length, capacity;
    bool failed;
    int depth;
    bool used[FF_JSON_DEPTH_MAX];    // something was written at this level
    bool on_line[FF_JSON_DEPTH_MAX]; // members of this level stay on one line
} ff_json;

/// In all of these `key` is copied, and NULL for members of an array and for the outermost value.
/// `on_line` keeps an object or array, and what is inside, on one line.
FF_API void ff_json_begin_object(ff_json *json, const char *key, bool on_line);
FF_API void ff_json_end_object(ff_json *json);
FF_API void ff_json_begin_array(ff_json *json, const char *key, bool on_line);
FF_API void ff_json_end_array(ff_json *json);
/// A number by ff_text_format_number: it is exact when read back.
FF_API void ff_json_number(ff_json *json, const char *key, double value);
/// A whole number, true or false.
FF_API void ff_json_integer(ff_json *json, const char *key, long long value);
FF_API void ff_json_bool(ff_json *json, const char *key, bool value);
/// NULL becomes null; bytes that are not UTF-8 become U+FFFD.
FF_API void ff_json_text(ff_json *json, const char *key, const char *value);
/// The value null.
FF_API void ff_json_null(ff_json *json, const char *key);
/// `count` numbers as an array on one line.
FF_API void ff_json_numbers(ff_json *json, const char *key, const double *values, int count);
/// `count` texts as an array on one line.
FF_API void ff_json_texts(ff_json *json, const char *key, const char *const *values, int count);
/// A value that is JSON already, as ff_json_finish gives it: copied as it is, without the newline behind it.
FF_API void ff_json_raw(ff_json *json, const char *key, const char *value);
/// Ends the text with a newline and hands it over: the caller frees it. The writer can be used again.
/// @return the text, or NULL when writing failed
FF_API char *ff_json_finish(ff_json *json);

#ifdef __cplusplus
}
#endif
#endif
