// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers, near matches, patterns and files; see text.h.
#define _GNU_SOURCE // strtod_l
#include <footfall/text.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/file.h"

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
        if (end > exponent) at = end; // otherwise the e does not belong to the number
    }
    return at;
}

/// strtod reads the decimal point of the locale, so the C locale is used, which costs nothing to get.
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

void ff_text_format_number(double value, char out[FF_TEXT_NUMBER_SIZE])
{
    double back = 0.0;
    snprintf(out, FF_TEXT_NUMBER_SIZE, "%.15g", value);
    if (sscanf(out, "%lf", &back) != 1 || back != value) snprintf(out, FF_TEXT_NUMBER_SIZE, "%.17g", value);
    for (char *c = out; *c; c++)
        if (*c == ',') *c = '.'; // printf follows the locale, files do not
}

// ------------------------------------------------------------------------------------------ near matches

enum { WORD_MAX = 48 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static int smaller(int a, int b)
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
        const bool star = a[i - 1] == '*'; // matches any letters at no cost
        now[0] = last[0] + (star ? 0 : 1);
        for (size_t j = 1; j <= nb; j++) {
            if (star) {
                now[j] = smaller(last[j], now[j - 1]);
                continue;
            }
            int change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            now[j] = smaller(last[j - 1] + change, smaller(last[j], now[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) now[j] = smaller(now[j], before[j - 2] + 1);
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
    size_t length = strlen(word), letters = 0;
    for (size_t i = 0; i < length; i++) letters += word[i] != '*';
    if (letters == 0 || length > WORD_MAX) return NULL;
    int best = letters <= 4 ? 2 : 3; // one more than the largest distance that counts as near
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        size_t other = candidates[i] ? strlen(candidates[i]) : 0;
        if (other == 0 || other > WORD_MAX) continue;
        int distance = edit_distance(word, length, candidates[i], other);
        if (distance < best && distance < (int)letters) {
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
        } else if (star) { // the last star matches one more character
            pattern = star + 1;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}

size_t ff_text_character(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
    return n;
}

/// Spells out a character of control.h, or a byte that is no character: a single byte 9b is a command to terminals of
/// eight bits. "" for any other.
static void spell(const char *text, size_t length, char spelt[8])
{
    const unsigned char *s = (const unsigned char *)text;
    const unsigned code = length == 0 ? s[0] : ff_control_code(s, length);
    spelt[0] = '\0';
    if (code || length == 0) snprintf(spelt, 8, length == 3 ? "\\u%04x" : "\\x%02x", code);
}

const char *ff_text_printable(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text && used + 1 < size) {
        char spelt[8] = " ";
        const size_t length = ff_text_character(text);
        if (!strchr("\n\r\t", *text)) spell(text, length, spelt);
        const size_t n = spelt[0] ? strlen(spelt) : length;
        if (used + n >= size) break;
        memcpy(out + used, spelt[0] ? spelt : text, n);
        used += n;
        text += length ? length : 1;
    }
    if (size > 0) out[used] = '\0';
    return out;
}

// ------------------------------------------------------------------------------------------ files

static _Thread_local const ff_text_fence *fence;

void ff_text_set_fence(const ff_text_fence *bounds)
{
    fence = bounds;
}

bool ff_text_is_fenced(void)
{
    return fence != NULL;
}

/// The path with links resolved; for a file that does not exist, those of its folder. Malloc'ed; NULL when the folder
/// does not exist either.
static char *resolve(const char *path)
{
    char *real = ff_file_real(path);
    if (real || errno != ENOENT) return real;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, "..") == 0 || strcmp(name, ".") == 0 || !name[0]) return NULL;
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    char *base = folder ? ff_file_real(folder) : NULL;
    const size_t size = (base ? strlen(base) : 0) + strlen(name) + 2;
    char *whole = base ? malloc(size) : NULL;
    if (whole) snprintf(whole, size, "%s/%s", strcmp(base, "/") == 0 ? "" : base, name);
    free(folder);
    free(base);
    return whole;
}

static const ff_text_other *find_other(const char *real)
{
    for (int i = 0; i < fence->nother; i++)
        if (strcmp(fence->others[i].path, real) == 0) return &fence->others[i];
    return NULL;
}

/// Applies the fence of the thread to a path. FF_OK with a copy in `text`: another text replaces the file; FF_OK with
/// NULL: the file may be read.
static ff_status apply_fence(const char *path, size_t max_bytes, char **text, size_t *length, ff_error *err)
{
    char *real = resolve(path);
    const size_t root = strlen(fence->root);
    const bool absent = !real;
    const bool inside = real && strncmp(real, fence->root, root) == 0 && (real[root] == '/' || root == 1);
    const ff_text_other *other = inside ? find_other(real) : NULL;
    free(real);
    if (absent) return ff_error_set(err, FF_NOT_FOUND, "%s", strerror(ENOENT));
    if (!inside) return ff_error_set(err, FF_BAD_FILE, "it lies outside the project folder");
    if (!other) return FF_OK;
    if (other->length > max_bytes)
        return ff_error_set(err, FF_LIMIT, "it has %zu bytes, more than the limit of %zu", other->length, max_bytes);
    *text = malloc(other->length + 1);
    if (!*text) return ff_error_set(err, FF_NO_MEMORY, "no memory for its %zu bytes", other->length);
    memcpy(*text, other->text, other->length);
    (*text)[other->length] = 0;
    *length = other->length;
    return FF_OK;
}

static ff_status check_file(const char *path, size_t max_bytes, size_t *size, ff_error *err)
{
    uint64_t bytes = 0;
    const ff_file_kind kind = ff_file_kind_at(path, &bytes);
    if (kind == FF_FILE_UNKNOWN)
        return ff_error_set(err, errno == ENOENT || errno == ENOTDIR ? FF_NOT_FOUND : FF_BAD_FILE, "%s",
                            strerror(errno));
    if (kind != FF_FILE_REGULAR)
        return ff_error_set(err, FF_BAD_FILE, "it is %s, not a regular file",
                            kind == FF_FILE_FOLDER ? "a folder" : "a device or a pipe");
    if (bytes > max_bytes)
        return ff_error_set(err, FF_LIMIT, "it has %" PRIu64 " bytes, more than the limit of %zu", bytes, max_bytes);
    *size = (size_t)bytes;
    return FF_OK;
}

ff_status ff_text_read(const char *path, size_t max_bytes, char **text, size_t *length, ff_error *err)
{
    size_t size = 0;
    *text = NULL;
    if (!path) return ff_error_set(err, FF_BAD_ARGUMENT, "the path is missing (NULL)");
    if (ff_stop_asked()) return ff_error_set(err, FF_STOPPED, "%s", ff_status_text(FF_STOPPED));
    ff_status status = fence ? apply_fence(path, max_bytes, text, length, err) : FF_OK;
    if (status != FF_OK || *text) return status;
    status = check_file(path, max_bytes, &size, err);
    if (status != FF_OK) return status;
    FILE *stream = fopen(path, "rb");
    if (!stream) return ff_error_set(err, FF_BAD_FILE, "%s", strerror(errno));
    char *bytes = malloc(size + 1);
    size_t got = bytes ? fread(bytes, 1, size, stream) : 0;
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (!bytes) return ff_error_set(err, FF_NO_MEMORY, "no memory for its %zu bytes", size);
    if (failed) {
        free(bytes);
        return ff_error_set(err, FF_BAD_FILE, "reading it failed half-way");
    }
    bytes[got] = 0; // the file may have become shorter meanwhile
    *text = bytes;
    *length = got;
    return FF_OK;
}

char *ff_text_load(const char *path, size_t max_bytes, size_t *length, ff_place place, ff_report *report)
{
    char *text;
    ff_error err = {0};
    ff_status status = ff_text_read(path, max_bytes, &text, length, &err);
    if (status == FF_LIMIT && place.line == 0) place = (ff_place){path, 1, 1}; // an existing file has a first line
    if (status != FF_OK) ff_report_add(report, FF_ERROR, place, "cannot read \"%s\": %s", path ? path : "", err.text);
    return text;
}

const char *ff_text_beside(ff_arena *arena, const char *file, const char *path)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!slash || path[0] == '/') return ff_arena_strdup(arena, path);
    return ff_arena_printf(arena, "%.*s/%s", (int)(slash - file), file, path);
}
