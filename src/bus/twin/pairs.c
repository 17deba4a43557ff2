// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorded channels of both robots: each channel of the leader gets that of the twin, and the difference of the two.
#include "twin/twin.h"

#include <footfall/math.h>

#include <footfall/sensors.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void fill_columns(double *out, int width, double value)
{
    for (int i = 0; i < width; i++) out[i] = value;
}

// ------------------------------------------------------------------------------------------ reading

static void read_twin(void *context, ff_sim *sim, double *out)
{
    const ff_twin_pair *p = context;
    if (!ff_twin_fetch(p->twin, ff_sim_time(sim)))
        fill_columns(out, p->own_width, NAN);
    else
        memcpy(out, p->twin->row + p->other, (size_t)p->own_width * sizeof *out);
}

static void subtract(const ff_twin_pair *p, ff_sim *sim, const double *leader, double *out)
{
    const double *twin = p->twin->row + p->other;
    if (!ff_twin_fetch(p->twin, ff_sim_time(sim)))
        fill_columns(out, p->width, NAN);
    else if (memcmp(leader, twin, (size_t)p->own_width * sizeof *twin) == 0) // rounding would turn equal quaternions
        fill_columns(out, p->width, 0.0);
    else if (p->kind == FF_TWIN_TURN)
        ff_quat_difference(out, leader, twin);
    else if (p->kind == FF_TWIN_PLACE)
        ff_dyn_difference(ff_sim_model(sim), leader, twin, out);
    else
        for (int i = 0; i < p->width; i++) out[i] = twin[i] - leader[i];
}

/// The row of the leader is complete up to the channel that is read: its values precede `out`.
static void read_difference(void *context, ff_sim *sim, double *out)
{
    const ff_twin_pair *p = context;
    subtract(p, sim, out - p->difference + p->leader, out);
    memcpy(p->apart, out, (size_t)p->width * sizeof *out);
}

// ------------------------------------------------------------------------------------------ selection

/// Contact points are excluded: their numbers mean different points in each robot. Signals of a controller are common
/// to both.
static bool is_comparable(const ff_channel *c)
{
    return strcmp(c->name, "time") != 0 && strcmp(c->name, "contacts.points") != 0 &&
           strncmp(c->name, "control.", strlen("control.")) != 0;
}

static ff_twin_pair make_pair(ff_twin *twin, const ff_channel *c, int other)
{
    ff_twin_pair p = {.twin = twin,
                      .name = c->name,
                      .unit = c->units,
                      .columns = c->names,
                      .width = c->width,
                      .own_width = c->width,
                      .leader = c->column,
                      .other = other};
    if (c->width == 4 && ends_with(c->name, ".quat")) {
        p.kind = FF_TWIN_TURN;
        p.unit = "rad";
        p.width = 3;
        p.columns = (const char **)ff_channel_xyz;
    } else if (strcmp(c->name, "q") == 0) {
        p.kind = FF_TWIN_PLACE;
        p.unit = "m, rad";
        p.width = ff_run_scene(twin->leader)->model->nv;
        p.columns = NULL;
    }
    return p;
}

static ff_status add_pair(ff_twin *twin, ff_recorder *rec, const ff_channel *c, ff_twin_pair *p, ff_error *err)
{
    const char *mine = ff_arena_printf(&twin->arena, "twin.%s", c->name);
    const char *difference = ff_arena_printf(&twin->arena, "difference.%s", c->name);
    p->apart = FF_ARENA_NEW(&twin->arena, double, p->width + 1);
    if (!mine || !difference || !p->apart) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const char *const *names = (const char *const *)c->names;
    ff_status status = ff_recorder_add_channel(rec, mine, c->units, c->width, names, read_twin, p, err);
    fill_columns(p->apart, p->width, NAN);
    p->difference = rec->columns;
    if (status == FF_OK)
        status = ff_recorder_add_channel(rec, difference, p->unit, p->width, (const char *const *)p->columns,
                                         read_difference, p, err);
    return status;
}

ff_status ff_pairs_record(ff_twin *twin, int (*find)(const ff_twin *twin, const char *channel, int width),
                          ff_error *err)
{
    ff_recorder *rec = ff_run_recorder(twin->leader);
    const int count = rec->nchannel; // more channels are added below
    ff_channel *own = FF_ARENA_NEW(&twin->arena, ff_channel, count + 1);
    twin->pairs = FF_ARENA_NEW(&twin->arena, ff_twin_pair, count + 1);
    if (!own || !twin->pairs) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    memcpy(own, rec->channels, (size_t)count * sizeof *own);
    ff_status status = FF_OK;
    for (int i = 0; i < count && status == FF_OK; i++) {
        const int other = is_comparable(&own[i]) ? find(twin, own[i].name, own[i].width) : -1;
        if (other < 0) continue;
        ff_twin_pair *p = &twin->pairs[twin->npair++];
        *p = make_pair(twin, &own[i], other);
        status = add_pair(twin, rec, &own[i], p, err);
    }
    return status;
}

// ------------------------------------------------------------------------------------------ while it runs

/// Columns whose names are too long for a signal are omitted.
static ff_status show(ff_twin *twin, const char *lead, const ff_twin_pair *p, const char *const *columns, int width,
                      const double *values, ff_error *err)
{
    ff_status status = FF_OK;
    for (int k = 0; k < width && status == FF_OK; k++) {
        ff_io_name name = {0};
        int length;
        if (columns)
            length = snprintf(name.name, sizeof name.name, "%s.%s", p->name, columns[k]);
        else if (width > 1)
            length = snprintf(name.name, sizeof name.name, "%s.%d", p->name, k);
        else
            length = snprintf(name.name, sizeof name.name, "%s", p->name);
        snprintf(name.unit, sizeof name.unit, "%s", p->unit);
        if (length < (int)sizeof name.name)
            status = ff_sim_add_signals(ff_run_sim(twin->leader), lead, &name, &values[k], 1, err);
    }
    return status;
}

ff_status ff_pairs_show(ff_twin *twin, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < twin->npair && status == FF_OK; i++) {
        const ff_twin_pair *p = &twin->pairs[i];
        const char *const *columns = (const char *const *)p->columns;
        if (p->kind == FF_TWIN_PLAIN) status = show(twin, "twin.", p, columns, p->own_width, twin->row + p->other, err);
        if (status == FF_OK) status = show(twin, "difference.", p, columns, p->width, p->apart, err);
    }
    return status;
}
