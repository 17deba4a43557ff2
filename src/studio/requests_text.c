// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON, as JSON.stringify writes it, with the YAML reader, so that its limits hold. YAML contains JSON except for
// characters inside strings: it breaks lines at U+0085, U+2028 and U+2029, refuses U+007F to U+009F, U+FEFF and some
// others, and has no pairs of surrogates. Such characters are rewritten as escapes of YAML; a surrogate without its
// pair becomes U+FFFD. The YAML reader refuses text that is not JSON. A text with a zero is refused but parsed all the
// same, so that the answer has the number of the request.
#include "workbench_inner.h"

#include <stdlib.h>
#include <string.h>

/// Value of four hexadecimal digits; -1: invalid.
static long hex(const char *p, const char *end)
{
    long value = 0;
    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const char c = p[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return -1;
        value = 16 * value + digit;
    }
    return value;
}

/// Character of two or three bytes at p, -1: another length, or invalid.
static long short_character(const unsigned char *p, const unsigned char *end)
{
    if (end - p >= 2 && (p[0] & 0xE0) == 0xC0) return (p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    if (end - p >= 3 && (p[0] & 0xF0) == 0xE0) return (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    return -1;
}

static bool is_refused(long character)
{
    return (character >= 0x7F && character <= 0x9F) || character == 0x2028 || character == 0x2029 ||
           character == 0xFEFF || character == 0xFFFE || character == 0xFFFF;
}

/// Copies or rewrites the escape sequence at p. @return its length  [byte]
static size_t copy_escape(const char *p, const char *end, char **out)
{
    const long high = end - p >= 2 && p[1] == 'u' ? hex(p + 2, end) : -1;
    if (high != 0 && (high < 0xD800 || high > 0xDFFF)) {
        *(*out)++ = *p;
        if (end - p < 2) return 1;
        *(*out)++ = p[1];
        return 2;
    }
    const long low = high > 0 && high < 0xDC00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? hex(p + 8, end) : -1;
    const bool pair = low >= 0xDC00 && low <= 0xDFFF;
    if (pair)
        *out += sprintf(*out, "\\U%08lX", 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
    else
        *out += sprintf(*out, "\\uFFFD");
    return pair ? 12 : 6;
}

/// Rewrites the text for the YAML reader. @return malloc'ed, at most six times as long; NULL: out of memory
static char *rewrite(const char *text, size_t length, size_t *size)
{
    char *all = malloc(6 * length + 16), *out = all;
    const char *end = text + length;
    bool in_string = false;
    for (const char *p = text; all && p < end;) {
        const unsigned char c = (unsigned char)*p;
        if (in_string && c == '\\') {
            p += copy_escape(p, end, &out);
            continue;
        }
        if (c == 0) {
            out += sprintf(out, in_string ? "\\uFFFD" : " ");
            p++;
            continue;
        }
        if (c == '"') in_string = !in_string;
        const long character = c == 0x7F  ? c
                               : c < 0x80 ? -1
                                          : short_character((const unsigned char *)p, (const unsigned char *)end);
        if (in_string && is_refused(character)) {
            out += sprintf(out, "\\u%04lX", character);
            p += c == 0x7F ? 1 : character < 0x800 ? 2 : 3;
            continue;
        }
        *out++ = *p++;
    }
    if (all) *out = 0;
    *size = all ? (size_t)(out - all) : 0;
    return all;
}

/// Does the text have a zero, as a byte or an escape? C strings cannot represent it.
static bool has_zero(const char *text, size_t length)
{
    for (size_t i = 0; i + 5 < length; i++) {
        if (text[i] != '\\') continue;
        if (text[i + 1] == 'u' && memcmp(text + i + 2, "0000", 4) == 0) return true;
        i++;
    }
    return memchr(text, 0, length) != NULL;
}

ff_yaml *ff_bench_read_json(ff_arena *arena, const char *text, size_t length, ff_report *report)
{
    const ff_place place = {"request", 1, 1};
    size_t size = 0;
    if (has_zero(text, length))
        ff_report_add(report, FF_ERROR, place, "a request must not contain the character U+0000");
    char *escaped = rewrite(text, length, &size);
    if (!escaped) {
        ff_report_add(report, FF_ERROR, place, "%s", ff_status_text(FF_NO_MEMORY));
        return NULL;
    }
    ff_yaml *root = ff_yaml_parse(arena, escaped, size, "request", report);
    free(escaped);
    if (!root && report->errors == 0) ff_report_add(report, FF_ERROR, place, "the request is empty");
    return root;
}
