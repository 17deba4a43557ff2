// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON writer: a growing text, and a stack of the objects and arrays that are open.
#include <footfall/json.h>
#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"

// ------------------------------------------------------------------------------------------ the growing text

static bool reserve(ff_json *w, size_t more)
{
    if (w->failed) return false;
    if (w->length + more + 1 <= w->capacity) return true;
    size_t capacity = w->capacity ? w->capacity : 1024;
    while (capacity < w->length + more + 1) capacity *= 2;
    char *text = realloc(w->text, capacity);
    if (!text) {
        w->failed = true;
        return false;
    }
    w->text = text;
    w->capacity = capacity;
    return true;
}

static void put_bytes(ff_json *w, const char *bytes, size_t count)
{
    if (!reserve(w, count)) return;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = 0;
}

static void put(ff_json *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static void put_line_break(ff_json *w)
{
    put(w, "\n");
    for (int i = 0; i < w->depth; i++) put(w, "  ");
}

// ------------------------------------------------------------------------------------------ strings

static void put_character(ff_json *w, const unsigned char *s, size_t length)
{
    char escape[16] = {'\\', (char)*s};
    if (length == 0)
        put(w, "\\ufffd");
    else if (*s == '\n')
        put(w, "\\n");
    else if (*s == '\t')
        put(w, "\\t");
    else if (*s == '"' || *s == '\\')
        put(w, escape);
    else if (ff_control_code(s, length)) {
        snprintf(escape, sizeof escape, "\\u%04x", ff_control_code(s, length));
        put(w, escape);
    } else
        put_bytes(w, (const char *)s, length);
}

static void put_string(ff_json *w, const char *text)
{
    put(w, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = ff_text_character((const char *)s);
        put_character(w, s, length);
        s += length ? length : 1;
    }
    put(w, "\"");
}

// ------------------------------------------------------------------------------------------ values

/// Writes what stands before a value: comma, line break and key.
static void begin_value(ff_json *w, const char *key)
{
    if (w->depth > 0) {
        int level = w->depth - 1;
        if (w->used[level]) put(w, w->on_line[level] ? ", " : ",");
        if (!w->on_line[level]) put_line_break(w);
        w->used[level] = true;
    }
    if (!key) return;
    put_string(w, key);
    put(w, ": ");
}

static void begin(ff_json *w, const char *key, const char *bracket, bool on_line)
{
    begin_value(w, key);
    put(w, bracket);
    if (w->depth >= FF_JSON_DEPTH_MAX) w->failed = true;
    if (w->failed) return;
    bool outer = w->depth > 0 && w->on_line[w->depth - 1];
    w->used[w->depth] = false;
    w->on_line[w->depth] = on_line || outer;
    w->depth++;
}

static void end(ff_json *w, const char *bracket)
{
    FF_ASSERT(w->failed || w->depth > 0);
    if (w->failed || w->depth == 0) return;
    w->depth--;
    if (w->used[w->depth] && !w->on_line[w->depth]) put_line_break(w);
    put(w, bracket);
}

void ff_json_begin_object(ff_json *json, const char *key, bool on_line)
{
    begin(json, key, "{", on_line);
}

void ff_json_end_object(ff_json *json)
{
    end(json, "}");
}

void ff_json_begin_array(ff_json *json, const char *key, bool on_line)
{
    begin(json, key, "[", on_line);
}

void ff_json_end_array(ff_json *json)
{
    end(json, "]");
}

void ff_json_number(ff_json *json, const char *key, double value)
{
    char number[FF_TEXT_NUMBER_SIZE] = "null";
    if (isfinite(value)) ff_text_format_number(value, number);
    begin_value(json, key);
    put(json, number);
}

void ff_json_integer(ff_json *json, const char *key, long long value)
{
    char number[32];
    snprintf(number, sizeof number, "%lld", value);
    begin_value(json, key);
    put(json, number);
}

void ff_json_bool(ff_json *json, const char *key, bool value)
{
    begin_value(json, key);
    put(json, value ? "true" : "false");
}

void ff_json_text(ff_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        put_string(json, value);
    else
        put(json, "null");
}

void ff_json_null(ff_json *json, const char *key)
{
    ff_json_text(json, key, NULL);
}

void ff_json_numbers(ff_json *json, const char *key, const double *values, int count)
{
    ff_json_begin_array(json, key, true);
    for (int i = 0; i < count; i++) ff_json_number(json, NULL, values[i]);
    ff_json_end_array(json);
}

void ff_json_texts(ff_json *json, const char *key, const char *const *values, int count)
{
    ff_json_begin_array(json, key, true);
    for (int i = 0; i < count; i++) ff_json_text(json, NULL, values[i]);
    ff_json_end_array(json);
}

void ff_json_raw(ff_json *json, const char *key, const char *value)
{
    size_t length = strlen(value);
    if (length > 0 && value[length - 1] == '\n') length--;
    begin_value(json, key);
    put_bytes(json, value, length);
}

char *ff_json_finish(ff_json *json)
{
    FF_ASSERT(json->failed || json->depth == 0);
    put(json, "\n");
    char *text = json->failed ? NULL : json->text;
    if (!text) free(json->text);
    *json = (ff_json){0};
    return text;
}
