// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of sensors: seat, needed quantities, channels, the function that measures.
#include "sense/kinds.h"
#include "sense/private.h"

#define ROW(type, name, mjcf, object, seat, needs, truth, first, channels, units, cutoff, flags)                       \
    [type] = {seat, needs, truth, first, channels, units, cutoff, flags},
#define POSITION(type, ...) POSITION_##type,
#define CHECK(type, ...)    _Static_assert((int)POSITION_##type == (int)(type), "rows in the order of ff_sensor_type");
enum { FF_SENSOR_KINDS(POSITION) };
FF_SENSOR_KINDS(CHECK)

static const ff_sensor_kind KINDS[FF_SENSOR_COUNT] = {FF_SENSOR_KINDS(ROW)};

/// The picture of a camera is made by camera.c.
void ff_truth_picture(const ff_sensed *at, double *out)
{
    (void)at, (void)out;
}

const ff_sensor_kind *ff_sensor_kind_of(ff_sensor_type type)
{
    return &KINDS[type];
}

const char *ff_sensor_type_name(ff_sensor_type type)
{
    return type < FF_SENSOR_COUNT ? ff_sensor_type_names[type] : "";
}

static int word_number(const ff_sensor *s, int i)
{
    return s->type == FF_SENSOR_TACTILE ? i >= s->chain.n / 2 : i;
}

const char *ff_sensor_channel(const ff_sensor *s, int i)
{
    return i >= 0 && i < s->chain.n ? KINDS[s->type].channels[word_number(s, i)] : "";
}

const char *ff_sensor_unit(const ff_sensor *s, int i)
{
    const char *unit = i >= 0 && i < s->chain.n ? KINDS[s->type].units[word_number(s, i)] : "";
    if (s->slides && strcmp(unit, "rad") == 0) return "m";
    return s->slides && strcmp(unit, "rad/s") == 0 ? "m/s" : unit;
}

int ff_sensor_width(ff_sensor_type type)
{
    int n = 0;
    while (n < 8 && KINDS[type].channels[n]) n++;
    return n;
}

unsigned ff_sensor_needs(ff_sensor_type type)
{
    return KINDS[type].needs;
}

void ff_sensor_truth(const ff_sensor *s, const ff_sense_view *view, double *memory, double t, double *out)
{
    const ff_sensed at = {s, view, memory, t};
    const ff_sensor_kind *kind = &KINDS[s->type];
    double several[9];
    kind->truth(&at, kind->first == FF_ALL ? out : several);
    for (int i = 0; kind->first != FF_ALL && kind->channels[i]; i++) out[i] = several[kind->first + i];
}
