// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall twin`: a run of two robots with one controller.
#include "run_report.h"

#include "commands.h"
#include "run.h"
#include "terminal.h"

#include <footfall/studio.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct twin_target {
    run_target run;
    text_list set; // of the twin alone
    const char *recording, *map;
    double offset; // NAN: found by correlation  [s]
    // from twin_attach on
    const ff_scene_spec *scene;
    ff_sheet *sheet;
    ff_map mapped;
    ff_alignment alignment;
    ff_twin *twin;
} twin_target;

// ------------------------------------------------------------------------------------------ recordings

static bool is_hdf5(const char *path)
{
    struct stat info;
    const char *dot = strrchr(path, '.');
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true; // the folder of a run
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

/// Names of columns as in CSV: "joints.position.knee".
static const char *name_column(const ff_recording_channel *c, int k, ff_arena *arena)
{
    return c->width == 1 ? c->name : ff_arena_printf(arena, "%s.%s", c->name, c->columns[k]);
}

static ff_status read_channel(const ff_recording *from, int number, long long rows, double *out, ff_error *err)
{
    const ff_recording_channel *c = ff_recording_channel_at(from, number);
    double *values = malloc((size_t)rows * (size_t)c->width * sizeof *values);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_status status = ff_recording_read(from, number, 0, 1, rows, values, err);
    for (long long i = 0; status == FF_OK && i < rows; i++)
        for (int k = 0; k < c->width; k++) out[k * rows + i] = values[i * c->width + k];
    free(values);
    return status;
}

static ff_sheet *sheet_of(const ff_recording *from, ff_arena *arena, ff_error *err)
{
    const long long rows = ff_recording_rows(from);
    const int n = ff_recording_channel_count(from);
    int columns = 0, at = 0;
    for (int i = 0; i < n; i++) columns += ff_recording_channel_at(from, i)->width;
    const char **names = FF_ARENA_NEW(arena, const char *, columns + 1);
    const char **units = FF_ARENA_NEW(arena, const char *, columns + 1);
    double *values = malloc(((size_t)rows * (size_t)columns + 1) * sizeof *values);
    ff_status status = names && units && values ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < n && status == FF_OK; i++) {
        const ff_recording_channel *c = ff_recording_channel_at(from, i);
        status = read_channel(from, i, rows, values + at * rows, err);
        for (int k = 0; k < c->width; k++, at++) {
            names[at] = name_column(c, k, arena);
            units[at] = c->unit;
        }
    }
    ff_sheet *sheet = NULL;
    if (status == FF_OK) sheet = ff_sheet_make(ff_recording_path(from), columns, rows, names, units, values);
    if (status == FF_OK && !sheet) ff_error_set(err, FF_NO_MEMORY, "out of memory");
    free(values);
    return sheet;
}

static ff_sheet *read_sheet(const char *path, ff_report *report)
{
    if (!is_hdf5(path)) return ff_sheet_read_csv(path, report);
    ff_arena arena = {0};
    ff_error err = {0};
    ff_recording *from = ff_recording_open_foreign(path, &err);
    ff_sheet *sheet = from ? sheet_of(from, &arena, &err) : NULL;
    if (!sheet) ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", err.text);
    ff_recording_close(from);
    ff_arena_clear(&arena);
    return sheet;
}

/// Simulates the leader once before, with the mapped channels recorded in memory, and finds the offset.
static bool align(twin_target *t, const ff_run *leader, ff_report *report)
{
    ff_run_options o = *ff_run_get_options(leader);
    ff_error err = {0};
    const char **channels = malloc(((size_t)t->mapped.count + 1) * sizeof *channels);
    t->alignment.each = malloc(((size_t)t->mapped.count + 1) * sizeof *t->alignment.each);
    for (int i = 0; channels && i < t->mapped.count; i++) channels[i] = t->mapped.columns[i].channel;
    o.record.channels = channels;
    o.record.nchannel = t->mapped.count;
    o.record.most_bytes = 0;
    ff_run *first = channels && t->alignment.each ? ff_run_create(ff_run_scene(leader), &o, report) : NULL;
    ff_status status = first ? ff_run_go(first, &err) : FF_NO_MEMORY;
    if (status == FF_OK || status == FF_STOPPED || status == FF_CONTROL)
        status = ff_twin_align(first, t->sheet, &t->mapped, &t->alignment, &err);
    if (status != FF_OK)
        ff_report_add(report, FF_ERROR, (ff_place){t->recording, 0, 0}, "cannot be aligned: %s; --offset gives it",
                      err.text);
    ff_run_destroy(first);
    free(channels);
    return status == FF_OK;
}

static bool open_recording(twin_target *t, ff_run *leader, ff_report *report)
{
    ff_error err = {0};
    t->sheet = read_sheet(t->recording, report);
    if (!t->sheet || !ff_map_read(&t->mapped, t->map, t->sheet, leader, report)) return false;
    const bool given = !isnan(t->offset);
    if (!given && !align(t, leader, report)) return false;
    t->twin = ff_twin_begin_recorded(leader, t->sheet, &t->mapped, given ? t->offset : t->alignment.offset,
                                     given ? NULL : &t->alignment, &err);
    if (!t->twin) ff_report_add(report, FF_ERROR, (ff_place){t->recording, 0, 0}, "%s", err.text);
    return t->twin != NULL;
}

// ------------------------------------------------------------------------------------------ simulations

/// Is "--set PATH" a value of the twin alone? Errors in the values of the leader were reported before.
static bool is_of_twin(const twin_target *t, const char *file)
{
    if (strncmp(file, "--set", 5) != 0) return false;
    const char *path = file[5] == ' ' ? file + 6 : NULL;
    for (int i = 0; path && i < t->set.count; i++) {
        const size_t length = strlen(path);
        if (strncmp(t->set.items[i], path, length) == 0 && t->set.items[i][length] == '=') return true;
    }
    return file[5] == '\0';
}

/// Messages on values of the twin name the option --set-twin.
static void take_messages(const twin_target *t, ff_report *found, ff_report *report)
{
    for (int i = 0; i < found->count; i++) {
        const ff_message *m = &found->messages[i];
        char given[300];
        snprintf(given, sizeof given, "--set-twin%.280s", strlen(m->file) >= 5 ? m->file + 5 : "");
        const ff_place place = {is_of_twin(t, m->file) ? given : m->file, m->line, m->column};
        ff_report_add(report, m->severity, place, "%s", m->text);
    }
    ff_report_clear(found);
}

static bool open_second(twin_target *t, ff_run *leader, ff_report *report)
{
    const text_list *set = &t->run.set;
    const int both = set->count + t->set.count;
    const char **all = malloc(((size_t)both + 1) * sizeof *all);
    if (!all) return false;
    for (int i = 0; i < both; i++) all[i] = i < set->count ? set->items[i] : t->set.items[i - set->count];
    ff_report found = {0};
    t->scene = ff_scene_load(t->run.operands.items[0], all, both, &found);
    take_messages(t, &found, report);
    t->twin = t->scene ? ff_twin_begin(leader, t->scene, report) : NULL;
    free(all);
    return t->twin != NULL;
}

// ------------------------------------------------------------------------------------------ for people

/// Columns that do not fit at an offset at which the others do: with a wrong sign, or mapped wrongly.
static void print_doubts(const ff_twin_result *r)
{
    const ff_alignment *a = r->alignment;
    for (int i = 0; a && i < r->map->count; i++) {
        const ff_mapped *m = &r->map->columns[i];
        const char *doubt = ff_alignment_doubt(a->each[i]);
        if (!doubt) continue;
        printf("    %s%s%s: correlation %.3f at this offset: %s\n", m->channel, m->name ? "." : "",
               m->name ? m->name : "", a->each[i], doubt);
    }
}

void print_twin(const ff_twin_result *r)
{
    printf("  %-16s %s\n", "twin", r->text);
    print_doubts(r);
    if (r->late > 0) printf("    in %lld cycles the leader's answer came after the twin's cycle\n", r->late);
    if (strcmp(r->outcome, "finished") != 0 && !r->map) printf("    the twin: %s\n", r->outcome);
    printf("    %-24s %12s %12s %10s  %s\n", "difference", "rms", "greatest", "at", "parts at");
    for (int i = 0; i < r->nchannel; i++) {
        const ff_twin_channel *c = &r->channels[i];
        char parted[32] = "-";
        if (isfinite(c->parted)) snprintf(parted, sizeof parted, "%.4g s", c->parted);
        printf("    %-24s %12.4g %12.4g %8.4g s  %s  [%s]%s%s\n", c->name, c->rms, c->most, c->at, parted, c->unit,
               c->column[0] ? " in " : "", c->column);
    }
}

// ------------------------------------------------------------------------------------------ hooks

static const char *twin_mistake(const run_target *target)
{
    const twin_target *t = (const twin_target *)target;
    if (t->recording && t->set.count > 0)
        return "--set-twin changes a robot that is simulated, --recording has another";
    if (!t->recording && (t->map || !isnan(t->offset))) return "--map and --offset belong to --recording";
    return NULL;
}

/// The twin adds its channels to the recording before its files are opened.
static bool twin_attach(run_target *target, ff_run *leader, ff_report *report)
{
    twin_target *t = (twin_target *)target;
    return t->recording ? open_recording(t, leader, report) : open_second(t, leader, report);
}

static void twin_finish(run_target *target, ended_run *result)
{
    const twin_target *t = (const twin_target *)target;
    ff_error err = {0};
    result->twin = ff_twin_end(t->twin, result->status, &err);
    if (!result->twin) print_message(target->operands.items[0], STYLE_BAD, err.text);
}

static void twin_close(run_target *target)
{
    twin_target *t = (twin_target *)target;
    ff_twin_destroy(t->twin);
    ff_scene_destroy(t->scene);
    ff_sheet_destroy(t->sheet);
    free(t->alignment.each);
    ff_map_clear(&t->mapped);
}

static const run_hooks twin_hooks = {
    .mistake = twin_mistake, .attach = twin_attach, .finish = twin_finish, .close = twin_close};

static int twin_main(const command *self, void *options, ff_arena *arena)
{
    twin_target *target = options;
    return run_with_hooks(self, &target->run, &twin_hooks, arena);
}

const command twin_command = {
    .name = "twin",
    .synopsis = "SCENE [--set-twin path=value]... [--recording FILE [--map FILE] [--offset T]] [--time T] [--out DIR] "
                "[--set path=value]... [--report] [--profile] [--quiet]",
    .summary = "simulate two robots with one controller, and how far they part",
    .description =
        "Runs a scene as `footfall run` does, with a second robot beside it: the twin, at another seed or with other "
        "parameters. One controller serves both: it reads the sensors of the first robot, the leader, and its "
        "references go to both in the same cycle. What the twin does is recorded with the leader, as channels "
        "twin.NAME and difference.NAME (twin - leader); the summary says how far they lie apart and where they "
        "part.\n\n"
        "With --recording a real robot, or a run from elsewhere, takes the place of the twin. Its clock is aligned "
        "with that of the run by correlation of all channels that are mapped; the scene is run once before for that. "
        "Where no offset stands out, as in steady walking, that is said, and the one nearest to zero is taken, or "
        "where the clocks have nothing in common that at which both begin.\n\n"
        "The leader has the bits of a run without a twin; exit codes are those of `footfall run` for it.",
    .examples = "  footfall twin experiments/servo-hexapod-walk.yaml --set-twin seed=2 --report\n"
                "      the same robot with other sensor noise\n"
                "  footfall twin experiments/anton-tripod.yaml --recording real.csv --map map.yaml\n"
                "      docs/twin.md says what stands in a map\n",
    OPTIONS(
        RUN_OPTIONS,
        OPTION(twin_target, set, "set-twin", TEXTS, "PATH=VALUE",
               "Override a value of the scene for the twin alone, such as seed=2 or robot=heavy.yaml"),
        OPTION(twin_target, recording, "recording", TEXT, "FILE",
               "A recording in place of the twin: CSV, HDF5 or the folder of a run"),
        OPTION(
            twin_target, map, "map", TEXT, "FILE",
            "Which column of the recording is which channel (YAML); without it, columns named as channels are taken"),
        OPTION(twin_target, offset, "offset", NUMBER, "T",
               "The clock of the recording is T seconds ahead of the run; without it, that is found by correlation")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(twin_target, .run = {RUN_PRESET}, .offset = NAN),
    .run = twin_main,
};
