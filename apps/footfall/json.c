// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Streaming JSON writer (RFC 8259).
#include "json.h"

#include <footfall/base.h>
#include <math.h>

// Length of the UTF-8 sequence that starts here, 0 when the bytes are not one (overlong forms and surrogates included).
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
    return n;
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        if (n == 0) {
            fputs("\\ufffd", out);
            s++;
        } else if (n > 1) {
            fwrite(s, 1, (size_t)n, out);
            s += n;
        } else {
            if (*s == '"' || *s == '\\')
                fprintf(out, "\\%c", *s);
            else if (*s == '\n')
                fputs("\\n", out);
            else if (*s == '\t')
                fputs("\\t", out);
            else if (*s < 0x20 || *s == 0x7f)
                fprintf(out, "\\u%04x", *s);
            else
                fputc(*s, out);
            s++;
        }
    }
    fputc('"', out);
}

// Comma, line break and key in front of the next value.
static void lead(json *w, const char *key)
{
    if (w->depth > 0) {
        int level = w->depth - 1;
        if (w->used[level]) fputs(w->on_line[level] ? ", " : ",", w->out);
        if (!w->on_line[level]) fprintf(w->out, "\n%*s", 2 * w->depth, "");
        w->used[level] = true;
    }
    if (key) {
        write_string(w->out, key);
        fputs(": ", w->out);
    }
}

static void begin(json *w, const char *key, char bracket, bool on_line)
{
    FF_ASSERT(w->depth < JSON_DEPTH_MAX);
    lead(w, key);
    fputc(bracket, w->out);
    bool outer = w->depth > 0 && w->on_line[w->depth - 1];
    w->used[w->depth] = false;
    w->on_line[w->depth] = on_line || outer;
    w->depth++;
}

static void end(json *w, char bracket)
{
    FF_ASSERT(w->depth > 0);
    w->depth--;
    if (w->used[w->depth] && !w->on_line[w->depth]) fprintf(w->out, "\n%*s", 2 * w->depth, "");
    fputc(bracket, w->out);
}

void json_begin_object(json *w, const char *key, bool on_line)
{
    begin(w, key, '{', on_line);
}

void json_end_object(json *w)
{
    end(w, '}');
}

void json_begin_array(json *w, const char *key, bool on_line)
{
    begin(w, key, '[', on_line);
}

void json_end_array(json *w)
{
    end(w, ']');
}

void json_number(json *w, const char *key, double value)
{
    lead(w, key);
    if (isfinite(value))
        fprintf(w->out, "%.17g", value);
    else
        fputs("null", w->out);
}

void json_integer(json *w, const char *key, long long value)
{
    lead(w, key);
    fprintf(w->out, "%lld", value);
}

void json_bool(json *w, const char *key, bool value)
{
    lead(w, key);
    fputs(value ? "true" : "false", w->out);
}

void json_text(json *w, const char *key, const char *value)
{
    if (!value) {
        json_null(w, key);
        return;
    }
    lead(w, key);
    write_string(w->out, value);
}

void json_null(json *w, const char *key)
{
    lead(w, key);
    fputs("null", w->out);
}

void json_numbers(json *w, const char *key, const double *values, int count)
{
    json_begin_array(w, key, true);
    for (int i = 0; i < count; i++) json_number(w, NULL, values[i]);
    json_end_array(w);
}

void json_finish(json *w)
{
    fputc('\n', w->out);
}
