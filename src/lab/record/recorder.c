// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The recorder: a read-only task copies the selected channels into a block of rows. Full blocks are written to the
// files between two steps, never inside one. Without a file all rows stay in memory.
#include "base/missing.h"
#include "record/record.h"

#include <footfall/text.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ff_record_options ff_record_options_default(void)
{
    return (ff_record_options){.rate_hz = 1000.0, .block_bytes = (size_t)1 << 20};
}

// ------------------------------------------------------------------------------------------ channels

static bool take_channel(ff_recorder *rec, const ff_channel *channel)
{
    for (int i = 0; i < rec->nchannel; i++)
        if (strcmp(rec->channels[i].name, channel->name) == 0) return true;
    if (!ff_array_grow(&rec->channels, rec->nchannel, &rec->channel_capacity, sizeof *rec->channels)) return false;
    rec->channels[rec->nchannel] = *channel;
    rec->channels[rec->nchannel++].column = rec->columns;
    rec->columns += channel->width;
    rec->needs_forces = rec->needs_forces || channel->needs_forces;
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool has_channel(const ff_channel *all, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) return true;
    return false;
}

static ff_status unknown_pattern(const char *pattern, const ff_channel *all, int count, ff_error *err)
{
    if ((ends_with(pattern, ".impulse") || ends_with(pattern, ".force.mean")) &&
        has_channel(all, count, "contacts.force") && !has_channel(all, count, "contacts.impulse"))
        return ff_error_set(
            err, FF_NOT_FOUND,
            "no channel \"%.40s\" here: impulses of contacts, and the mean forces made of them, are kept "
            "where contacts act by forces (contacts: {response: force})",
            pattern);
    // Channels of single joints, bodies and feet are not listed: a robot of fifty bodies has hundreds.
    char names[320] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(all[i].name);
        const char *const many[] = {"joints.", "bodies.", "feet."};
        bool is_single = false;
        for (int k = 0; k < 3; k++)
            is_single = is_single || (all[i].index >= 0 && strncmp(all[i].name, many[k], strlen(many[k])) == 0);
        if (is_single) continue;
        if (used + length + 3 > sizeof names) break;
        memcpy(names + used, all[i].name, length);
        used += length;
        names[used++] = ' ';
        names[used] = 0;
    }
    return ff_error_set(
        err, FF_NOT_FOUND,
        "no channel fits \"%.40s\"; there are: %sand joints.NAME.position, bodies.NAME.pos and the like", pattern,
        names);
}

static ff_status select_channels(ff_recorder *rec, const char *pattern, ff_error *err)
{
    int count = 0, found = 0;
    const ff_channel *all = ff_channel_catalogue(rec->sim, &count);
    if (!all) return ff_error_set(err, FF_NO_MEMORY, "no memory for the channels of the recorder");
    const bool group = strcmp(pattern, "joints") == 0 || strcmp(pattern, "feet") == 0;
    for (int i = 0; i < count; i++) {
        if (!ff_channel_matches(pattern, all[i].name) || (group && all[i].index >= 0)) continue;
        if (!take_channel(rec, &all[i]))
            return ff_error_set(err, FF_NO_MEMORY, "no memory for channel %s", all[i].name);
        found++;
    }
    return found > 0 ? FF_OK : unknown_pattern(pattern, all, count, err);
}

const char *ff_recorder_channel_name(ff_sim *sim, int index)
{
    int count = 0;
    const ff_channel *all = ff_channel_catalogue(sim, &count);
    return all && index >= 0 && index < count ? all[index].name : NULL;
}

ff_status ff_recorder_add_channel(ff_recorder *rec, const char *name, const char *units, int width,
                                  const char *const *names, void (*read)(void *context, ff_sim *sim, double *out),
                                  void *context, ff_error *err)
{
    if (rec->rows || rec->hdf5 || rec->csv)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "channel \"%s\" comes too late: add it before opening files and running", name);
    if (width < 1 || !read || ff_recorder_find(rec, name, NULL) >= 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel \"%s\" needs a new name, a width above 0 and a function",
                            name);
    ff_arena *arena = &rec->sim->arena;
    ff_channel c = {.name = ff_arena_strdup(arena, name),
                    .units = ff_arena_strdup(arena, units ? units : "1"),
                    .width = width,
                    .user_read = read,
                    .context = context,
                    .needs_forces = true};
    bool ok = c.name && c.units;
    if (names) ok = ok && (c.names = FF_ARENA_NEW(arena, const char *, width));
    for (int i = 0; ok && names && i < width; i++) ok = (c.names[i] = ff_arena_strdup(arena, names[i])) != NULL;
    if (!ok || !take_channel(rec, &c)) return ff_error_set(err, FF_NO_MEMORY, "no memory for channel \"%s\"", name);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ rows

static bool reserve_rows(ff_recorder *rec, long long capacity)
{
    const size_t row = (size_t)rec->columns * sizeof(double);
    if (capacity <= 0 || (size_t)capacity > SIZE_MAX / 2 / row) return false;
    double *rows = realloc(rec->rows, (size_t)capacity * row);
    if (!rows) return false;
    rec->rows = rows;
    rec->capacity = capacity;
    return true;
}

/// Reserves the first block: block_bytes if there is a file, rows for the planned duration if not.
static bool first_block(ff_recorder *rec)
{
    const size_t row = (size_t)rec->columns * sizeof(double);
    long long capacity = (long long)(rec->block_bytes / row);
    if (capacity < 16) capacity = 16;
    if (!rec->hdf5 && !rec->csv && rec->planned_rows > capacity) capacity = rec->planned_rows;
    if (rec->most_rows > 0 && capacity > rec->most_rows) capacity = rec->most_rows;
    return reserve_rows(rec, capacity);
}

static ff_status cannot_write_csv(const ff_recorder *rec, ff_error *err)
{
    return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write: %s", rec->csv_path, strerror(errno));
}

static ff_status write_csv(ff_recorder *rec, ff_error *err)
{
    char number[FF_TEXT_NUMBER_SIZE];
    for (long long r = 0; r < rec->filled; r++) {
        const double *row = rec->rows + r * rec->columns;
        for (int i = 0; i < rec->columns; i++) {
            ff_text_format_number(row[i], number);
            fprintf(rec->csv, "%s%s", i > 0 ? "," : "", number);
        }
        fputc('\n', rec->csv);
    }
    return ferror(rec->csv) ? cannot_write_csv(rec, err) : FF_OK;
}

/// Writes the block to the files; with `flush` the files are flushed, too. HDF5 is written before CSV: text takes more
/// space, and a disk that is nearly full should rather keep the recording.
static ff_status write_block(ff_recorder *rec, bool flush)
{
    const bool rows = rec->filled > 0;
    ff_error *failure = &rec->failure;
    if (rec->hdf5 && rows && !failure->status) ff_hdf5_append(rec->hdf5, rec, failure);
    if (rec->hdf5 && flush && !failure->status) ff_hdf5_commit(rec->hdf5, failure);
    if (rec->csv && rows && !failure->status) write_csv(rec, failure);
    if (rec->csv && flush && !failure->status && fflush(rec->csv) != 0) cannot_write_csv(rec, failure);
    return failure->status;
}

/// Writes the block to the files and begins another. Files are also flushed after each FLUSH_BYTES, so that a full disk
/// is noticed in time.
static ff_status empty_block(ff_recorder *rec, bool flush)
{
    static const size_t FLUSH_BYTES = (size_t)1 << 20;
    const size_t row = (size_t)rec->columns * sizeof(double);
    rec->unflushed += (size_t)rec->filled * row;
    flush = flush || rec->unflushed + row > FLUSH_BYTES; // blocks consist of whole rows and may be a little smaller
    const ff_status status = write_block(rec, flush);
    if (status) return status;
    if (flush) rec->unflushed = 0;
    rec->first += rec->filled;
    rec->filled = 0;
    return FF_OK;
}

/// Ends the run after a failure, since later rows would be lost.
static ff_sim_action stop(const ff_recorder *rec, ff_sim *sim)
{
    ff_sim_stop(sim, rec->failure.text);
    return FF_SIM_STOP;
}

/// Replaces integrals by their mean rates since the last sample; NaN at the first.
static void take_mean(ff_recorder *rec, const ff_channel *c, double t, double *values)
{
    const double span = t - rec->last_sample;
    for (int k = 0; k < c->width; k++) {
        const double now = values[k], before = rec->integrals[c->column + k];
        values[k] = span > 0.0 ? (now - before) / span : NAN;
        rec->integrals[c->column + k] = now;
    }
}

/// Makes room for one more row; sets `full` when the bound of memory is reached.
static ff_status make_room(ff_recorder *rec)
{
    const bool file = rec->hdf5 || rec->csv;
    if (!rec->rows && !first_block(rec)) goto no_memory;
    if (!rec->integrals) {
        rec->integrals = calloc((size_t)rec->columns + 1, sizeof *rec->integrals);
        rec->last_sample = INFINITY;
        if (!rec->integrals) goto no_memory;
    }
    if (rec->filled < rec->capacity) return FF_OK;
    if (file) return empty_block(rec, false);
    const long long twice =
        rec->most_rows > 0 && 2 * rec->capacity > rec->most_rows ? rec->most_rows : 2 * rec->capacity;
    rec->full = twice == rec->capacity;
    if (rec->full || reserve_rows(rec, twice)) return FF_OK;
no_memory:
    return ff_error_set(&rec->failure, FF_NO_MEMORY, "no memory for more rows of the recording: give it a file");
}

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    ff_recorder *rec = context;
    if (rec->failure.status) return stop(rec, sim);
    if (rec->full) return FF_SIM_GO;
    if (make_room(rec) != FF_OK) return stop(rec, sim);
    if (rec->full) return FF_SIM_GO;
    if (rec->needs_forces && ff_sim_evaluate(sim, FF_SIM_ACCELERATION, &rec->failure)) return stop(rec, sim);
    double *row = rec->rows + rec->filled * rec->columns;
    for (int i = 0; i < rec->nchannel; i++) {
        const ff_channel *c = &rec->channels[i];
        if (c->user_read)
            c->user_read(c->context, sim, row + c->column);
        else
            c->read(c, sim, row + c->column);
        if (c->mean) take_mean(rec, c, t, row + c->column);
    }
    rec->last_sample = t;
    if (rec->tap) rec->tap(rec->tap_context, sim, row);
    if (rec->only_tap)
        rec->first++;
    else
        rec->filled++;
    return FF_SIM_GO;
}

ff_status ff_recorder_put(ff_recorder *rec, const double *row, ff_error *err)
{
    if (!rec->failure.status && !rec->full && make_room(rec) == FF_OK && !rec->full) {
        memcpy(rec->rows + rec->filled * rec->columns, row, (size_t)rec->columns * sizeof *row);
        rec->filled++;
    }
    if (err && rec->failure.status) *err = rec->failure;
    return rec->failure.status;
}

// ------------------------------------------------------------------------------------------ create, close, read

static void destroy(void *object)
{
    ff_recorder_destroy(object);
}

ff_recorder *ff_recorder_create(ff_sim *sim, const ff_record_options *options, ff_error *err)
{
    const ff_record_options standard = ff_record_options_default();
    if (!sim) return ff_error_missing(err, __func__, "simulation"), NULL;
    if (!options) options = &standard;
    const ff_ticks period = options->rate_hz > 0.0 ? ff_ticks_from_seconds(1.0 / options->rate_hz) : 0;
    if (!(options->rate_hz > 0.0) || !isfinite(options->rate_hz) || period < 1) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a recording rate of %g Hz is not possible", options->rate_hz);
        return NULL;
    }
    ff_recorder *rec = calloc(1, sizeof *rec);
    if (!rec || !ff_sim_own(sim, rec, destroy)) {
        free(rec);
        ff_error_set(err, FF_NO_MEMORY, "no memory for a recorder");
        return NULL;
    }
    rec->sim = sim;
    rec->block_bytes = options->block_bytes ? options->block_bytes : (size_t)1 << 20;
    const size_t most_bytes = options->most_bytes;
    const double wanted = options->duration * options->rate_hz + 2.0;
    rec->planned_rows = wanted > 2.0 && wanted < 1e12 ? (long long)wanted : 0;
    ff_status status = select_channels(rec, "time", err);
    for (int i = 0; i < options->nchannel && !status; i++) status = select_channels(rec, options->channels[i], err);
    const ff_task task = {.name = "recorder", .period = period, .reads_only = true, .context = rec, .run = sample};
    if (!status && most_bytes > 0) {
        const long long most = (long long)(most_bytes / ((size_t)rec->columns * sizeof(double)));
        rec->most_rows = most > 1 ? most : 1;
    }
    if (!status && ff_sim_add_task(sim, &task, err) >= 0) return rec;
    ff_sim_disown(sim, rec);
    ff_recorder_destroy(rec);
    return NULL;
}

void ff_recorder_set_tap(ff_recorder *rec, ff_recorder_tap tap, void *context, bool only_tap)
{
    rec->tap = tap;
    rec->tap_context = context;
    rec->only_tap = only_tap;
    if (only_tap) rec->planned_rows = 0;
}

void ff_recorder_destroy(ff_recorder *rec)
{
    if (!rec) return;
    ff_recorder_close(rec, NULL);
    free(rec->channels);
    free(rec->rows);
    free(rec->integrals);
    free(rec->events);
    ff_arena_clear(&rec->arena);
    free(rec);
}

static ff_status refuse_second(const ff_recorder *rec, bool open, const char *path, ff_error *err)
{
    if (!open && rec->first + rec->filled == 0) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "%s: open files once, before the run", path);
}

ff_status ff_recorder_open_hdf5(ff_recorder *rec, const char *path, const ff_record_info *info, ff_error *err)
{
    const ff_status status = refuse_second(rec, rec->hdf5 != NULL, path, err);
    return status ? status : ff_hdf5_open(&rec->hdf5, rec, path, info, err);
}

ff_status ff_recorder_save_hdf5(const ff_recorder *rec, const char *path, const ff_record_info *info, ff_error *err)
{
    ff_hdf5 *file = NULL;
    if (rec->hdf5 || rec->csv)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s: this recorder writes files already", path);
    if (rec->failure.status) {
        if (err) *err = rec->failure;
        return rec->failure.status;
    }
    ff_status status = ff_hdf5_open(&file, rec, path, info, err);
    if (status) return status;
    if (rec->filled > 0) status = ff_hdf5_append(file, rec, err);
    if (!status) status = ff_hdf5_finish(file, rec, err);
    const ff_status closed = ff_hdf5_close(file, status ? NULL : err);
    return status ? status : closed;
}

void ff_recorder_set_events(ff_recorder *rec, const char *json)
{
    free(rec->events);
    rec->events = json ? strdup(json) : NULL;
}

void ff_recorder_set_stopped(ff_recorder *rec)
{
    rec->stopped = true;
}

bool ff_recorder_is_full(const ff_recorder *rec)
{
    return rec->full;
}

/// Writes the name of a CSV column, in quotes if it contains a separator.
static void write_column(FILE *file, const ff_channel *c, int k)
{
    char text[300];
    if (c->names)
        snprintf(text, sizeof text, "%s.%s [%s]", c->name, c->names[k], c->units);
    else if (c->width > 1)
        snprintf(text, sizeof text, "%s.%d [%s]", c->name, k, c->units);
    else
        snprintf(text, sizeof text, "%s [%s]", c->name, c->units);
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *s = text; *s; s++) {
        if (*s == '"') fputc('"', file);
        fputc(*s, file);
    }
    fputc('"', file);
}

ff_status ff_recorder_open_csv(ff_recorder *rec, const char *path, ff_error *err)
{
    const ff_status status = refuse_second(rec, rec->csv != NULL, path, err);
    if (status) return status;
    rec->csv_path = ff_arena_strdup(&rec->sim->arena, path);
    rec->csv = rec->csv_path ? fopen(path, "w") : NULL;
    if (!rec->csv) return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write: %s", path, strerror(errno));
    for (int i = 0; i < rec->nchannel; i++)
        for (int k = 0; k < rec->channels[i].width; k++) {
            if (i + k > 0) fputc(',', rec->csv);
            write_column(rec->csv, &rec->channels[i], k);
        }
    fputc('\n', rec->csv);
    return FF_OK;
}

ff_status ff_recorder_flush(ff_recorder *rec, ff_error *err)
{
    if (rec->hdf5 || rec->csv) empty_block(rec, true);
    if (err && rec->failure.status) *err = rec->failure;
    return rec->failure.status;
}

/// Writes the last rows and the end of the run, and closes the file; before the CSV file, which is less important.
static void close_hdf5(ff_recorder *rec)
{
    ff_error *failure = &rec->failure;
    if (rec->filled > 0 && !failure->status) ff_hdf5_append(rec->hdf5, rec, failure);
    if (!failure->status) ff_hdf5_finish(rec->hdf5, rec, failure);
    ff_hdf5_close(rec->hdf5, failure->status ? NULL : failure);
    rec->hdf5 = NULL;
}

static void close_csv(ff_recorder *rec)
{
    ff_error *failure = &rec->failure;
    if (rec->filled > 0 && !failure->status) write_csv(rec, failure);
    if (fclose(rec->csv) != 0 && !failure->status) cannot_write_csv(rec, failure);
    rec->csv = NULL;
}

ff_status ff_recorder_close(ff_recorder *rec, ff_error *err)
{
    if (rec->hdf5) close_hdf5(rec);
    if (rec->csv) close_csv(rec);
    if (err && rec->failure.status) *err = rec->failure;
    return rec->failure.status;
}

long long ff_recorder_rows(const ff_recorder *rec)
{
    return rec->first + rec->filled;
}

int ff_recorder_columns(const ff_recorder *rec)
{
    return rec->columns;
}

int ff_recorder_find(const ff_recorder *rec, const char *channel, int *width)
{
    for (int i = 0; i < rec->nchannel; i++) {
        if (strcmp(rec->channels[i].name, channel) != 0) continue;
        if (width) *width = rec->channels[i].width;
        return rec->channels[i].column;
    }
    return -1;
}

const double *ff_recorder_row(const ff_recorder *rec, long long row)
{
    if (row < rec->first || row >= rec->first + rec->filled) return NULL;
    return rec->rows + (row - rec->first) * rec->columns;
}
