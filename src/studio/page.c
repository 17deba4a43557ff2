// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes text, numbers as base64, and JSON from other files into a page.
#include "page.h"
#include "protocol.h"

#include <footfall/text.h>

#include <string.h>

// ------------------------------------------------------------------------------------------ strings

/// Writes a character, or its escape; the caller escapes quotes and backslashes. NULL for `out` writes nothing.
/// @return the length of the character in `s`  [byte]
static size_t put_character(FILE *out, const unsigned char *s)
{
    const size_t length = ff_text_character((const char *)s);
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
    unsigned char bytes[4];
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put32(bytes, bits);
    ff_page_base64_add(b, bytes, sizeof bytes);
}

void ff_page_mesh(FILE *out, const ff_mesh *mesh)
{
    ff_page_base64 b;
    fputs("{\"vertices\":", out);
    ff_page_base64_begin(&b, out);
    for (int i = 0; i < 3 * mesh->nvertex; i++) ff_page_base64_float(&b, mesh->vertices[i]);
    ff_page_base64_end(&b);
    fputs(",\"triangles\":", out);
    ff_page_base64_begin(&b, out);
    for (int i = 0; i < 3 * mesh->ntriangle; i++) {
        unsigned char bytes[4];
        put32(bytes, (uint32_t)mesh->triangles[i]);
        ff_page_base64_add(&b, bytes, sizeof bytes);
    }
    ff_page_base64_end(&b);
    fputc('}', out);
}

// ------------------------------------------------------------------------------------------ JSON from files

#define DEPTH_MAX 64

static void put(FILE *out, const char *from, size_t length)
{
    if (out) fwrite(from, 1, length, out);
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

// Each of the following functions copies what stands at p and returns where it ends, NULL if it is not valid JSON.

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
