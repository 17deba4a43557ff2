// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings made elsewhere as text: numbers in lines, with or without a line of names above them.
#include "twin/twin.h"

#include "text/yaml.h"

#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t BYTES_MOST = (size_t)1 << 31;
enum { MISTAKES_MOST = 20 };

/// A stretch of the text.
typedef struct field {
    const char *begin;
    size_t length;
} field;

typedef struct reader {
    const char *path;
    const char *at, *end;
    int line;
    char separator; // ' ': any run of blanks
    ff_report *report;
    int mistakes;
    int ncolumn;
    long long nrow, capacity;
    double *rows; // row after row
    int *lines;   // of the rows
    ff_arena arena;
    const char **names, **units;
} reader;

static void complain(reader *r, int column, const char *text, field f)
{
    const int shown = f.length < 40 ? (int)f.length : 40;
    if (r->mistakes++ < MISTAKES_MOST)
        ff_report_add(r->report, FF_ERROR, (ff_place){r->path, r->line, column}, text, shown, f.begin);
}

// ------------------------------------------------------------------------------------------ fields

static field trim(field f)
{
    while (f.length > 0 && (*f.begin == ' ' || *f.begin == '\t')) f.begin++, f.length--;
    while (f.length > 0 && strchr(" \t\r", f.begin[f.length - 1])) f.length--;
    if (f.length >= 2 && f.begin[0] == '"' && f.begin[f.length - 1] == '"') f.begin++, f.length -= 2;
    return f;
}

/// The next field of a line; separators inside quotes do not end it. @return false past the last
static bool next_field(const reader *r, field line, size_t *at, field *out)
{
    if (*at > line.length) return false;
    if (r->separator == ' ')
        while (*at < line.length && line.begin[*at] == ' ') ++*at;
    size_t i = *at;
    bool quoted = false;
    for (; i < line.length && (quoted || line.begin[i] != r->separator); i++)
        if (line.begin[i] == '"') quoted = !quoted;
    *out = trim((field){line.begin + *at, i - *at});
    *at = i + 1;
    return true;
}

/// Whole lines without their ends; those that are empty or begin with # are passed over.
static bool next_line(reader *r, field *out)
{
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        const field whole = {r->at, (size_t)((stop ? stop : r->end) - r->at)};
        r->at = stop ? stop + 1 : r->end;
        r->line++;
        *out = whole;
        while (out->length > 0 && strchr(" \t\r", out->begin[out->length - 1])) out->length--;
        if (r->separator == ' ')
            while (out->length > 0 && *out->begin == ' ') out->begin++, out->length--;
        // blanks at the end may be empty fields of a file that is separated by tabs
        if (out->length == 0 || out->begin[0] == '#') continue;
        if (r->separator == '\t') *out = whole;
        return true;
    }
    return false;
}

static char find_separator(field line)
{
    static const char order[] = ";\t,";
    for (const char *c = order; *c; c++)
        if (memchr(line.begin, *c, line.length)) return *c;
    return ' ';
}

static bool is_missing(field f)
{
    static const char *const words[] = {"nan", "NaN", "NAN", "NA", "n/a", "null", "-nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (f.length == strlen(words[i]) && strncmp(f.begin, words[i], f.length) == 0) return true;
    return f.length == 0;
}

/// A number, or NaN where it is missing. Between semicolons the decimal point may be a comma.
static bool read_number(const reader *r, field f, double *out)
{
    char text[64];
    if (is_missing(f)) {
        *out = NAN;
        return true;
    }
    if (ff_text_number(f.begin, f.length, out)) return true;
    if (r->separator != ';' || f.length >= sizeof text) return false;
    memcpy(text, f.begin, f.length);
    char *comma = memchr(text, ',', f.length);
    if (comma) *comma = '.';
    return comma && ff_text_number(text, f.length, out);
}

// ------------------------------------------------------------------------------------------ names

static int count_fields(const reader *r, field line, bool *all_numbers)
{
    field f;
    size_t at = 0;
    int count = 0;
    double value;
    *all_numbers = true;
    for (; next_field(r, line, &at, &f); count++) *all_numbers = *all_numbers && read_number(r, f, &value);
    return count;
}

/// Finds the unit behind a name: in brackets, or in parentheses if these hold a unit; NULL: there is none.
static char *find_unit(char *name)
{
    const size_t length = strlen(name);
    const char last = length > 0 ? name[length - 1] : '\0';
    char *open = last == ']' ? strrchr(name, '[') : last == ')' ? strrchr(name, '(') : NULL;
    if (!open || open == name) return NULL;
    name[length - 1] = '\0';
    if (last == ']' || ff_yaml_is_unit(open + 1)) return open;
    name[length - 1] = last; // "force (filtered)"
    return NULL;
}

/// "knee [rad]" and "knee (rad)" -> "knee" and "rad"; quotes that were doubled inside become single.
static bool split_name(reader *r, field f, int k)
{
    char *name = ff_arena_printf(&r->arena, "%.*s", (int)(f.length < 300 ? f.length : 300), f.begin);
    if (!name) return false;
    char *to = name;
    for (const char *from = name; *from; from++) {
        *to++ = *from;
        if (from[0] == '"' && from[1] == '"') from++;
    }
    *to = '\0';
    r->names[k] = name;
    r->units[k] = "";
    char *open = find_unit(name);
    if (!open) return true;
    r->units[k] = open + 1;
    do *open-- = '\0';
    while (open > name && *open == ' ');
    return true;
}

static bool read_names(reader *r, field line, bool are_numbers)
{
    field f;
    size_t at = 0;
    r->names = FF_ARENA_NEW(&r->arena, const char *, r->ncolumn + 1);
    r->units = FF_ARENA_NEW(&r->arena, const char *, r->ncolumn + 1);
    bool ok = r->names && r->units;
    for (int k = 0; ok && k < r->ncolumn; k++) {
        if (!are_numbers && next_field(r, line, &at, &f)) {
            ok = split_name(r, f, k);
        } else {
            r->names[k] = ff_arena_printf(&r->arena, "#%d", k + 1);
            r->units[k] = "";
            ok = r->names[k] != NULL;
        }
    }
    if (!ok) ff_report_add(r->report, FF_ERROR, (ff_place){r->path, 0, 0}, "out of memory");
    return ok;
}

// ------------------------------------------------------------------------------------------ rows

static bool has_room(reader *r)
{
    if (r->nrow < r->capacity) return true;
    const long long more = r->capacity > 0 ? 2 * r->capacity : 1024;
    double *rows = more <= FF_SHEET_ROWS ? realloc(r->rows, (size_t)more * (size_t)r->ncolumn * sizeof *rows) : NULL;
    if (rows) r->rows = rows;
    int *lines = rows ? realloc(r->lines, (size_t)more * sizeof *lines) : NULL;
    if (!lines) {
        ff_report_add(r->report, FF_ERROR, (ff_place){r->path, r->line, 0}, "there is no room for more than %lld rows",
                      r->nrow);
        return false;
    }
    r->lines = lines;
    r->capacity = more;
    return true;
}

static void read_row(reader *r, field line)
{
    double *row = r->rows + r->nrow * r->ncolumn;
    field f;
    size_t at = 0, begin = 0;
    int k = 0;
    for (; next_field(r, line, &at, &f); k++, begin = at)
        if (k < r->ncolumn && !read_number(r, f, &row[k]))
            complain(r, (int)begin + 1, "\"%.*s\" is no number; leave a field empty, or write nan, where none is known",
                     f);
    if (k == r->ncolumn)
        r->lines[r->nrow++] = r->line;
    else if (r->at == r->end && r->end[-1] != '\n' && k < r->ncolumn)
        ff_report_add(r->report, FF_WARNING, (ff_place){r->path, r->line, 0},
                      "the last line has %d of %d fields: the file was cut off, and the line is left out", k,
                      r->ncolumn);
    else if (r->mistakes++ < MISTAKES_MOST)
        ff_report_add(r->report, FF_ERROR, (ff_place){r->path, r->line, 0},
                      "this line has %d field%s, those before have %d", k, k == 1 ? "" : "s", r->ncolumn);
}

static void read_all(reader *r)
{
    field line;
    bool are_numbers;
    const bool any = next_line(r, &line);
    if (any) {
        r->separator = find_separator(line);
        if (r->separator == ' ') line = trim(line);
        r->ncolumn = count_fields(r, line, &are_numbers);
    }
    if (!any || r->ncolumn < 2 || r->ncolumn > FF_SHEET_COLUMNS) {
        ff_report_add(r->report, FF_ERROR, (ff_place){r->path, r->line, 0},
                      "a recording has a column of times and at least one of values, %d at most, separated by commas, "
                      "semicolons, tabs or blanks; this has %d",
                      FF_SHEET_COLUMNS, any ? r->ncolumn : 0);
        r->mistakes++;
        return;
    }
    if (!read_names(r, line, are_numbers)) r->mistakes++;
    if (are_numbers && has_room(r)) read_row(r, line);
    while (r->mistakes < MISTAKES_MOST && next_line(r, &line)) {
        if (!has_room(r)) {
            r->mistakes++;
            return;
        }
        read_row(r, line);
    }
    if (r->nrow >= 2 || r->mistakes > 0) return;
    ff_report_add(r->report, FF_ERROR, (ff_place){r->path, r->line, 0}, "there are fewer than two rows of numbers");
    r->mistakes++;
}

ff_sheet *ff_sheet_read_csv(const char *path, ff_report *report)
{
    size_t length = 0;
    char *text = ff_text_load(path, BYTES_MOST, &length, (ff_place){path, 0, 0}, report);
    if (!text) return NULL;
    reader r = {.path = path, .at = text, .end = text + length, .report = report};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at += 3; // a mark that some programs put first
    read_all(&r);
    double *columns = NULL;
    ff_sheet *sheet = NULL;
    if (r.mistakes == 0) columns = malloc((size_t)r.nrow * (size_t)r.ncolumn * sizeof *columns);
    for (long long i = 0; columns && i < r.nrow; i++)
        for (int k = 0; k < r.ncolumn; k++) columns[k * r.nrow + i] = r.rows[i * r.ncolumn + k];
    if (columns) sheet = ff_sheet_make(path, r.ncolumn, r.nrow, r.names, r.units, columns);
    if (sheet) {
        sheet->lines = r.lines;
        r.lines = NULL;
    }
    if (!sheet && r.mistakes == 0) ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "out of memory");
    free(columns);
    free(r.rows);
    free(r.lines);
    ff_arena_clear(&r.arena);
    free(text);
    return sheet;
}

// ------------------------------------------------------------------------------------------ sheets

/// A sheet and what it owns.
typedef struct owned_sheet {
    ff_sheet sheet;
    ff_arena arena;
} owned_sheet;

static const char *const *copy_texts(ff_arena *arena, const char *const *texts, int count)
{
    const char **out = FF_ARENA_NEW(arena, const char *, count + 1);
    for (int i = 0; out && i < count; i++) out[i] = ff_arena_strdup(arena, texts && texts[i] ? texts[i] : "");
    return out;
}

ff_sheet *ff_sheet_make(const char *path, int ncolumn, long long nrow, const char *const *names,
                        const char *const *units, const double *values)
{
    owned_sheet *own = calloc(1, sizeof *own);
    const size_t bytes = (size_t)nrow * (size_t)ncolumn * sizeof *values;
    double *copy = own ? malloc(bytes + 1) : NULL;
    if (!copy) {
        free(own);
        return NULL;
    }
    memcpy(copy, values, bytes);
    own->sheet = (ff_sheet){.path = ff_arena_strdup(&own->arena, path),
                            .ncolumn = ncolumn,
                            .nrow = nrow,
                            .names = copy_texts(&own->arena, names, ncolumn),
                            .units = copy_texts(&own->arena, units, ncolumn),
                            .values = copy};
    if (!own->arena.failed) return &own->sheet;
    ff_sheet_destroy(&own->sheet);
    return NULL;
}

void ff_sheet_destroy(ff_sheet *sheet)
{
    if (!sheet) return;
    owned_sheet *own = (owned_sheet *)sheet; // its first member
    free((double *)own->sheet.values);
    free((int *)own->sheet.lines);
    ff_arena_clear(&own->arena);
    free(own);
}
