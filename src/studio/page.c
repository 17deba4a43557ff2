// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Text, base64 and foreign JSON on their way into a page.
#include "page.h"

#include <string.h>

// ------------------------------------------------------------------------------------------ strings

/// Length of the UTF-8 sequence that starts here, 0 when the bytes are none (overlong forms and surrogates included).
static size_t utf8_length(const unsigned char *s)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } rows[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
                {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}}; // table 3-7 of the Unicode standard
    if (s[0] < 0x80) return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (s[0] < rows[i].first_low || s[0] > rows[i].first_high) continue;
        if (s[1] < rows[i].second_low || s[1] > rows[i].second_high) return 0;
        for (size_t k = 2; k < rows[i].length; k++)
            if ((s[k] & 0xc0) != 0x80) return 0;
        return rows[i].length;
    }
    return 0;
}

/// One character as it is or as an escape; quotes and backslashes are the caller's. @return its bytes
static size_t put_character(FILE *out, const unsigned char *s)
{
    const size_t length = utf8_length(s);
    if (!out) return length ? length : 1;
    if (length == 0)
        fputs("\\ufffd", out);
    else if (*s < 0x20 || *s == 0x7f || *s == '<')
        fprintf(out, "\\u%04x", *s);
    else
        fwrite(s, 1, length, out);
    return length ? length : 1;
}

void ff_page_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        if (*s == '"' || *s == '\\') fputc('\\', out);
        s += put_character(out, s);
    }
    fputc('"', out);
}

// ------------------------------------------------------------------------------------------ base64

static void put_group(const ff_page_base64 *b)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned value = (unsigned)b->held[0] << 16 | (unsigned)b->held[1] << 8 | b->held[2];
    for (int i = 0; i < 4; i++) fputc(i <= b->count ? letters[value >> (18 - 6 * i) & 63] : '=', b->out);
}

void ff_page_base64_begin(ff_page_base64 *b, FILE *out)
{
    *b = (ff_page_base64){.out = out};
    fputc('"', out);
}

void ff_page_base64_add(ff_page_base64 *b, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i++) {
        b->held[b->count++] = from[i];
        if (b->count < 3) continue;
        put_group(b);
        memset(b->held, 0, sizeof b->held);
        b->count = 0;
    }
}

void ff_page_base64_end(ff_page_base64 *b)
{
    if (b->count > 0) put_group(b);
    fputc('"', b->out);
}

void ff_page_base64_float(ff_page_base64 *b, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    const unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8), (unsigned char)(bits >> 16),
                                    (unsigned char)(bits >> 24)};
    ff_page_base64_add(b, bytes, sizeof bytes);
}

// ------------------------------------------------------------------------------------------ JSON of others

#define DEPTH_MAX 64

static void put(FILE *out, const char *from, size_t length)
{
    if (out) fwrite(from, 1, length, out);
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/// Behind an escape that stands at p, NULL where it is none.
static const char *copy_escape(FILE *out, const char *p)
{
    size_t length = 2;
    if (p[1] == 'u') {
        if (strspn(p + 2, "0123456789abcdefABCDEF") < 4) return NULL;
        length = 6;
    } else if (!p[1] || !strchr("\"\\/bfnrt", p[1]))
        return NULL;
    put(out, p, length);
    return p + length;
}

static const char *copy_string(FILE *out, const char *p)
{
    put(out, p++, 1);
    while (p && *p != '"') {
        if ((unsigned char)*p < 0x20) return NULL; // the end of the text, too
        p = *p == '\\' ? copy_escape(out, p) : p + put_character(out, (const unsigned char *)p);
    }
    if (p) put(out, p, 1);
    return p ? p + 1 : NULL;
}

static size_t digits(const char *p)
{
    return strspn(p, "0123456789");
}

static const char *copy_number(FILE *out, const char *p)
{
    const char *from = p;
    if (*p == '-') p++;
    if (digits(p) == 0) return NULL;
    p += *p == '0' ? 1 : digits(p);
    if (*p == '.') {
        if (digits(p + 1) == 0) return NULL;
        p += 1 + digits(p + 1);
    }
    if (*p == 'e' || *p == 'E') {
        p += p[1] == '+' || p[1] == '-' ? 2 : 1;
        if (digits(p) == 0) return NULL;
        p += digits(p);
    }
    put(out, from, (size_t)(p - from));
    return p;
}

static const char *copy_value(FILE *out, const char *p, int depth);

static const char *copy_members(FILE *out, const char *p, int depth)
{
    const bool object = *p == '{';
    const char closing = object ? '}' : ']';
    put(out, p, 1);
    p = skip_blanks(p + 1);
    while (*p != closing) {
        if (object) {
            if (*p != '"' || !(p = copy_string(out, p))) return NULL;
            p = skip_blanks(p);
            if (*p != ':') return NULL;
            put(out, p++, 1);
        }
        if (!(p = copy_value(out, p, depth + 1))) return NULL;
        p = skip_blanks(p);
        if (*p == closing) break;
        if (*p != ',') return NULL;
        put(out, p, 1);
        p = skip_blanks(p + 1);
        if (*p == closing) return NULL;
    }
    put(out, p, 1);
    return p + 1;
}

static const char *copy_value(FILE *out, const char *p, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    p = skip_blanks(p);
    if (depth > DEPTH_MAX) return NULL;
    if (*p == '{' || *p == '[') return copy_members(out, p, depth);
    if (*p == '"') return copy_string(out, p);
    for (int i = 0; i < 3; i++) {
        if (strncmp(p, words[i], strlen(words[i])) != 0) continue;
        put(out, p, strlen(words[i]));
        return p + strlen(words[i]);
    }
    return copy_number(out, p);
}

bool ff_page_copy_json(FILE *out, const char *text)
{
    const char *end = copy_value(out, text, 0);
    return end && *skip_blanks(end) == '\0';
}
