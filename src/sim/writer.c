// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Text and JSON (RFC 8259) output into memory.
#include "writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(ff_writer *w, size_t more)
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

static void write_bytes(ff_writer *w, const char *bytes, size_t count)
{
    if (!reserve(w, count)) return;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = 0;
}

void ff_write(ff_writer *w, const char *text)
{
    write_bytes(w, text, strlen(text));
}

void ff_number_format(double value, char *buffer, size_t size)
{
    double back = 0.0;
    snprintf(buffer, size, "%.15g", value);
    if (sscanf(buffer, "%lf", &back) != 1 || back != value) snprintf(buffer, size, "%.17g", value);
    for (char *c = buffer; *c; c++)
        if (*c == ',') *c = '.'; // printf follows the locale, files do not
}

/// Length of the UTF-8 sequence at s, 0 when it is not valid.
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int more = 0;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) more = 1;
    if (s[0] >= 0xe0 && s[0] <= 0xef) more = 2;
    if (s[0] >= 0xf0 && s[0] <= 0xf4) more = 3;
    for (int i = 1; i <= more; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    return more > 0 ? more + 1 : 0;
}

static void write_quoted(ff_writer *w, const char *text)
{
    ff_write(w, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int length = utf8_length(s);
        char escape[8];
        if (length == 0 || *s < 0x20) {
            // Names in files may hold any bytes; those that are no UTF-8 are kept as Latin-1 so that the JSON stays
            // readable.
            snprintf(escape, sizeof escape, "\\u%04x", *s);
            ff_write(w, escape);
            s++;
        } else if (*s == '"' || *s == '\\') {
            snprintf(escape, sizeof escape, "\\%c", *s);
            ff_write(w, escape);
            s++;
        } else {
            write_bytes(w, (const char *)s, (size_t)length);
            s += length;
        }
    }
    ff_write(w, "\"");
}

static void begin_value(ff_writer *w, const char *key)
{
    if (w->comma) ff_write(w, ", ");
    w->comma = true;
    if (!key) return;
    write_quoted(w, key);
    ff_write(w, ": ");
}

void ff_json_open(ff_writer *w, const char *key, char bracket)
{
    begin_value(w, key);
    ff_write(w, bracket == '{' ? "{" : "[");
    w->comma = false;
}

void ff_json_close(ff_writer *w, char bracket)
{
    ff_write(w, bracket == '{' || bracket == '}' ? "}" : "]");
    w->comma = true;
}

void ff_json_text(ff_writer *w, const char *key, const char *value)
{
    begin_value(w, key);
    if (value)
        write_quoted(w, value);
    else
        ff_write(w, "null");
}

void ff_json_number(ff_writer *w, const char *key, double value)
{
    char buffer[40] = "null";
    begin_value(w, key);
    if (isfinite(value)) ff_number_format(value, buffer, sizeof buffer);
    ff_write(w, buffer);
}

void ff_json_integer(ff_writer *w, const char *key, long long value)
{
    char buffer[32];
    begin_value(w, key);
    snprintf(buffer, sizeof buffer, "%lld", value);
    ff_write(w, buffer);
}

void ff_json_bool(ff_writer *w, const char *key, bool value)
{
    begin_value(w, key);
    ff_write(w, value ? "true" : "false");
}

void ff_json_numbers(ff_writer *w, const char *key, const double *values, int count)
{
    ff_json_open(w, key, '[');
    for (int i = 0; i < count; i++) ff_json_number(w, NULL, values[i]);
    ff_json_close(w, ']');
}
