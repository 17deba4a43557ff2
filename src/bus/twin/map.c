// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which column of a recording is which channel of the leader: from a small YAML file, or by the names of the columns.
//
//     time: {column: stamp, scale: 1 ms}
//     align: joints.position.knee
//     channels:
//       joints.position.knee: {column: q3, scale: -1 deg, offset: 0.1}
//       base.pos.z: {column: 7, scale: 1 mm}
#include "twin/twin.h"

#include "text/yaml.h"

#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t BYTES_MOST = 1 << 20;

/// State of the parser.
typedef struct fitting {
    ff_map *map;
    const ff_sheet *sheet;
    const ff_recorder *recorder; // of the leader
    ff_report *report;
    ff_mapped *columns;
    int capacity;
} fitting;

// ------------------------------------------------------------------------------------------ channels of the leader

/// "joints.position.knee": a column of a channel. @return false: the leader does not record it
static bool find_target(const fitting *f, const char *name, ff_mapped *out)
{
    for (int i = 0; i < f->recorder->nchannel; i++) {
        const ff_channel *c = &f->recorder->channels[i];
        const size_t length = strlen(c->name);
        if (strncmp(name, c->name, length) != 0) continue;
        if (name[length] == '\0' && c->width == 1) {
            out->channel = ff_arena_strdup(&f->map->arena, c->name); // the map may outlive the run
            return true;
        }
        if (name[length] != '.') continue;
        for (int k = 0; k < c->width; k++) {
            char number[16];
            snprintf(number, sizeof number, "%d", k);
            const char *column = c->names ? c->names[k] : number;
            if (strcmp(column, name + length + 1) != 0) continue;
            out->channel = ff_arena_strdup(&f->map->arena, c->name); // the map may outlive the run
            out->index = k;
            out->name = ff_arena_strdup(&f->map->arena, column);
            return true;
        }
    }
    return false;
}

static bool is_mapped(const fitting *f, const ff_mapped *m)
{
    for (int i = 0; i < f->map->count; i++)
        if (strcmp(f->columns[i].channel, m->channel) == 0 && f->columns[i].index == m->index) return true;
    return false;
}

static void add_mapped(fitting *f, const ff_mapped *m)
{
    if (f->map->count < f->capacity) f->columns[f->map->count++] = *m;
}

// ------------------------------------------------------------------------------------------ columns of the sheet

static int find_column(const ff_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->ncolumn; i++)
        if (strcmp(sheet->names[i], name) == 0) return i;
    return -1;
}

/// A column by its name, or by its number from 1 on.
static int read_column(const fitting *f, ff_yaml *node)
{
    ff_yaml *given = ff_yaml_need(node, "column", f->report);
    if (!given) return -1;
    int column = find_column(f->sheet, given->text);
    double number = 0.0;
    if (column < 0 && !given->quoted && ff_text_number(given->text, strlen(given->text), &number) &&
        number == floor(number) && number >= 1.0 && number <= f->sheet->ncolumn)
        column = (int)number - 1;
    if (column >= 0) return column;
    const char *near = ff_text_nearest(given->text, f->sheet->names, f->sheet->ncolumn);
    ff_report_add(f->report, FF_ERROR, given->place, "%s has no column \"%.60s\" among its %d%s%s%s", f->sheet->path,
                  given->text, f->sheet->ncolumn, near ? " (did you mean \"" : "", near ? near : "",
                  near ? "\"?)" : "; give its name, or its number from 1 on");
    return -1;
}

/// A column with another unit in its name, "knee [deg]" for radians, is an error unless its scale is given.
static void check_unit(const fitting *f, int column, const char *wanted, ff_place place)
{
    const char *unit = column >= 0 ? f->sheet->units[column] : "";
    if (!unit[0] || !wanted || !wanted[0] || strcmp(unit, wanted) == 0) return;
    ff_report_add(f->report, FF_ERROR, place,
                  "column \"%.60s\" is in %.40s, expected %.40s: set its scale in a map, such as `scale: 1 %.40s`",
                  f->sheet->names[column], unit, wanted, unit);
}

static const char *unit_of(const fitting *f, const ff_mapped *m)
{
    const char *unit = NULL;
    for (int i = 0; i < f->recorder->nchannel; i++)
        if (strcmp(f->recorder->channels[i].name, m->channel) == 0) unit = f->recorder->channels[i].units;
    return unit;
}

/// Name of a row in messages: its line in a text file, else its number.
static ff_place place_of(const ff_sheet *sheet, long long row)
{
    return (ff_place){sheet->path, sheet->lines ? sheet->lines[row] : 0, 0};
}

/// Times must ascend: a row with a smaller time is an error. One with the same time is ignored (ff_series_value): logs
/// with times rounded to ms have many, and the first of two has the smaller rounding error.
static bool check_times(const fitting *f)
{
    const ff_map *map = f->map;
    const double *t = f->sheet->values + map->time * f->sheet->nrow;
    const double sign = map->time_scale > 0.0 ? 1.0 : -1.0;
    long long repeated = 0, first = 0;
    for (long long i = 0; i < f->sheet->nrow; i++) {
        if (isfinite(t[i]) && (i == 0 || sign * t[i] > sign * t[i - 1])) continue;
        if (isfinite(t[i]) && t[i] == t[i - 1]) {
            if (repeated++ == 0) first = i;
            continue;
        }
        ff_report_add(
            f->report, FF_ERROR, place_of(f->sheet, i),
            "column \"%.60s\", row %lld of numbers: the time is %.9g after %.9g; times must be present and ascend",
            f->sheet->names[map->time], i + 1, t[i], i > 0 ? t[i - 1] : NAN);
        return false;
    }
    if (repeated > 0)
        ff_report_add(f->report, FF_WARNING, place_of(f->sheet, first),
                      "%lld of %lld rows repeat the time of the previous row and are ignored, row %lld (%.9g) first",
                      repeated, f->sheet->nrow, first + 1, t[first]);
    return true;
}

void ff_map_times(const ff_map *map, const ff_sheet *sheet, double *out)
{
    for (long long i = 0; i < sheet->nrow; i++) out[i] = map->time_scale * sheet->values[map->time * sheet->nrow + i];
}

// ------------------------------------------------------------------------------------------ by a file

static void read_channel(fitting *f, ff_yaml *node)
{
    ff_mapped m = {0};
    if (!ff_yaml_expect(node, FF_YAML_MAP, "column, scale and offset of a channel", f->report)) return;
    const bool known = find_target(f, node->key, &m);
    m.column = read_column(f, node);
    m.scale = ff_yaml_number(node, "scale", 1.0, f->report);
    m.offset = ff_yaml_number(node, "offset", 0.0, f->report);
    if (!known)
        ff_report_add(
            f->report, FF_ERROR, node->key_place,
            "the leader does not record \"%.80s\": expected a channel and its column, such as joints.position.knee or "
            "base.pos.z, that the scene records; --set \"record.channels=[..]\" says which",
            node->key);
    else if (m.scale == 0.0)
        ff_report_add(f->report, FF_ERROR, node->place, "the scale of a column cannot be 0");
    else if (m.column >= 0)
        add_mapped(f, &m);
    if (known && !ff_yaml_get(node, "scale")) check_unit(f, m.column, unit_of(f, &m), node->place);
}

static void read_time(fitting *f, ff_yaml *node)
{
    f->map->time = node ? read_column(f, node) : 0;
    f->map->time_scale = ff_yaml_number(node, "scale", 1.0, f->report);
    if (f->map->time_scale == 0.0) ff_report_add(f->report, FF_ERROR, node->place, "the scale of the time cannot be 0");
    if (!node || !ff_yaml_get(node, "scale"))
        check_unit(f, f->map->time, "s", node ? node->place : (ff_place){f->sheet->path, 0, 0});
}

static void read_align(fitting *f, ff_yaml *root)
{
    ff_yaml *node = ff_yaml_get(root, "align");
    if (!node) return;
    const char *name = ff_yaml_as_string(node, f->report);
    for (int i = 0; name && i < f->map->count; i++)
        if (ff_mapped_fits(&f->columns[i], name)) f->map->align = ff_arena_strdup(&f->map->arena, name);
    if (name && !f->map->align)
        ff_report_add(f->report, FF_ERROR, node->place, "\"%.80s\" is not a mapped channel", name);
}

static void read_file(fitting *f, const char *path)
{
    ff_arena arena = {0};
    size_t length = 0;
    char *text = ff_text_load(path, BYTES_MOST, &length, (ff_place){path, 0, 0}, f->report);
    ff_yaml *root = text ? ff_yaml_parse(&arena, text, length, path, f->report) : NULL;
    if (root && ff_yaml_expect(root, FF_YAML_MAP, "a map of columns: time, align, channels", f->report)) {
        ff_yaml *channels = ff_yaml_need(root, "channels", f->report);
        read_time(f, ff_yaml_get(root, "time"));
        if (channels && ff_yaml_expect(channels, FF_YAML_MAP, "channels and their columns", f->report))
            for (ff_yaml *c = channels->child; c; c = c->next) {
                c->used = true;
                read_channel(f, c);
            }
        read_align(f, root);
        ff_yaml_report_unused(root, FF_ERROR, f->report);
    }
    ff_arena_clear(&arena);
    free(text);
}

// ------------------------------------------------------------------------------------------ by names

static void take_names(fitting *f)
{
    const ff_place place = {f->sheet->path, 0, 0};
    const int time = find_column(f->sheet, "time");
    f->map->time = time >= 0 ? time : 0;
    f->map->time_scale = 1.0;
    check_unit(f, f->map->time, "s", place);
    for (int i = 0; i < f->sheet->ncolumn; i++) {
        ff_mapped m = {.column = i, .scale = 1.0};
        if (i == f->map->time || !find_target(f, f->sheet->names[i], &m) || is_mapped(f, &m)) continue;
        check_unit(f, i, unit_of(f, &m), place);
        add_mapped(f, &m);
    }
    if (f->map->count == 0)
        ff_report_add(
            f->report, FF_ERROR, place,
            "no column has the name of a channel of the leader, such as joints.position.knee: map them with --map");
}

bool ff_mapped_fits(const ff_mapped *m, const char *name)
{
    const size_t length = strlen(m->channel);
    if (strncmp(m->channel, name, length) != 0) return false;
    return name[length] == '\0' || (m->name && name[length] == '.' && strcmp(m->name, name + length + 1) == 0);
}

bool ff_map_read(ff_map *map, const char *path, const ff_sheet *sheet, const ff_run *leader, ff_report *report)
{
    *map = (ff_map){.time_scale = 1.0};
    const int before = report->errors;
    fitting f = {.map = map, .sheet = sheet, .recorder = ff_run_recorder(leader), .report = report};
    if (!f.recorder) {
        ff_report_add(report, FF_ERROR, (ff_place){sheet->path, 0, 0},
                      "the leader records no channels to compare with");
        return false;
    }
    f.capacity = ff_recorder_columns(f.recorder);
    f.columns = FF_ARENA_NEW(&map->arena, ff_mapped, f.capacity + 1);
    map->columns = f.columns;
    if (f.columns && path) read_file(&f, path);
    if (f.columns && !path) take_names(&f);
    if (map->arena.failed) ff_report_add(report, FF_ERROR, (ff_place){sheet->path, 0, 0}, "out of memory");
    if (report->errors > before || !check_times(&f)) {
        ff_map_clear(map);
        return false;
    }
    return true;
}

void ff_map_clear(ff_map *map)
{
    ff_arena_clear(&map->arena);
    *map = (ff_map){0};
}
