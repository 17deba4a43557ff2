// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers, near matches and files for the loaders; see text.h.
#include "model/text.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t at, size_t length)
{
    while (at < length && is_digit(text[at])) at++;
    return at;
}

size_t ff_text_number_length(const char *text, size_t length)
{
    size_t at = 0;
    if (at < length && (text[at] == '+' || text[at] == '-')) at++;
    size_t whole = at;
    at = skip_digits(text, at, length);
    size_t digits = at - whole;
    if (at < length && text[at] == '.') {
        size_t point = at + 1;
        at = skip_digits(text, point, length);
        digits += at - point;
    }
    if (digits == 0) return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t exponent = at + 1;
        if (exponent < length && (text[exponent] == '+' || text[exponent] == '-')) exponent++;
        size_t end = skip_digits(text, exponent, length);
        if (end > exponent) at = end; // otherwise the e belongs to what follows
    }
    return at;
}

/// strtod reads the decimal point of the locale; the C locale object costs nothing to get and is shared by all threads.
static double to_double(const char *text)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return strtod(text, NULL);
    double value = strtod_l(text, NULL, plain);
    freelocale(plain);
    return value;
}

bool ff_text_number(const char *text, size_t length, double *out)
{
    if (length == 0 || ff_text_number_length(text, length) != length) return false;
    char small[64];
    char *copy = length < sizeof small ? small : malloc(length + 1);
    if (!copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    double value = to_double(copy);
    if (copy != small) free(copy);
    if (!isfinite(value)) return false;
    *out = value;
    return true;
}

// ------------------------------------------------------------------------------------------ near matches

enum { WORD_MAX = 48 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/// Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours.
static int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][WORD_MAX + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= nb; j++) {
        before[j] = 0;
        last[j] = (int)j;
    }
    for (size_t i = 1; i <= na; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            now[j] = least(last[j - 1] + change, least(last[j], now[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) now[j] = least(now[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[nb];
}

const char *ff_text_nearest(const char *word, const char *const *candidates, int count)
{
    size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX) return NULL;
    int best = length <= 4 ? 2 : 3; // one more than the largest distance allowed
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        size_t other = candidates[i] ? strlen(candidates[i]) : 0;
        if (other == 0 || other > WORD_MAX) continue;
        int distance = edit_distance(word, length, candidates[i], other);
        if (distance < best && distance < (int)length) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

bool ff_text_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) { // let the last star swallow one more character
            pattern = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}

// ------------------------------------------------------------------------------------------ files

char *ff_text_load(const char *path, size_t max_bytes, size_t *length, ff_place place, ff_report *report)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        ff_report_add(report, FF_ERROR, place, "cannot read \"%s\": %s", path, strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        ff_report_add(report, FF_ERROR, place, "\"%s\" is %s, not a regular file", path,
                      S_ISDIR(info.st_mode) ? "a folder" : "a device or a pipe");
        return NULL;
    }
    if (info.st_size < 0 || (size_t)info.st_size > max_bytes) {
        ff_report_add(report, FF_ERROR, place, "\"%s\" has %lld bytes, more than the limit of %zu", path,
                      (long long)info.st_size, max_bytes);
        return NULL;
    }
    FILE *stream = fopen(path, "rb");
    size_t size = (size_t)info.st_size;
    char *text = stream ? malloc(size + 1) : NULL;
    if (!text) {
        ff_report_add(report, FF_ERROR, place, "cannot read \"%s\": %s", path, strerror(errno));
        if (stream) fclose(stream);
        return NULL;
    }
    size = fread(text, 1, size, stream);
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed) {
        ff_report_add(report, FF_ERROR, place, "reading \"%s\" failed half-way", path);
        free(text);
        return NULL;
    }
    text[size] = 0;
    *length = size;
    return text;
}

const char *ff_text_beside(ff_arena *arena, const char *file, const char *path)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!slash || path[0] == '/') return ff_arena_strdup(arena, path);
    return ff_arena_printf(arena, "%.*s/%s", (int)(slash - file), file, path);
}
