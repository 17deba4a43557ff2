// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of one robot. Where a simulation has several robots, its frames hold them all; each controller gets a frame of
// its own robot, with the names of the robot's file, so that the same controller steers one robot, two, or a real one.
#include "steer/steering.h"

#include "drive/interface.h"
#include "sense/interface.h"

#include <string.h>

enum { PER_DRIVE = 3 }; // position, speed, force: references of a drive

bool ff_steering_owns(const ff_steering_site *site, int dof)
{
    return dof >= site->vadr && dof < site->vadr + site->nv;
}

/// Is the sensor the robot's? Those fixed to the world go by their names.
static bool is_own_sensor(const ff_steering_site *site, const ff_sensor *sensor)
{
    const ff_model *m = site->plant->model;
    const int node = sensor->body >= 0 ? m->bodies[sensor->body].node : -1;
    if (sensor->joint >= 0) return ff_steering_owns(site, m->joints[sensor->joint].vadr);
    if (node >= 0) return ff_steering_owns(site, m->nodes[node].vadr);
    return strncmp(sensor->name, site->prefix, strlen(site->prefix)) == 0;
}

/// Numbers of the robot's items among those of all robots.
static int list_items(const ff_steering_site *site, ff_io_kind kind, int *items)
{
    int n = 0, at = 0;
    if (kind == FF_IO_REFERENCES) {
        const ff_drive_set *drives = site->plant->drives;
        for (int i = 0; i < drives->n; i++)
            for (int k = 0; k < PER_DRIVE; k++, at++)
                if (ff_steering_owns(site, drives->drives[i].path.vadr[0])) items[n++] = at;
        return n;
    }
    const ff_sensor_set *sensors = site->plant->sensors;
    for (int i = 0; i < sensors->n; i++) {
        const bool own = is_own_sensor(site, &sensors->sensors[i]);
        for (int k = 0; k < sensors->sensors[i].chain.n; k++, at++)
            if (own) items[n++] = at;
    }
    return n;
}

/// "drives.left_knee.speed" without the prefix "left_".
static void strip_prefix(ff_io_name *name, const char *prefix)
{
    char *start = strchr(name->name, '.');
    const size_t length = strlen(prefix);
    if (start && strncmp(start + 1, prefix, length) == 0)
        memmove(start + 1, start + 1 + length, strlen(start + length));
}

_Static_assert(sizeof(ff_io_frame) <= 2 * sizeof(ff_io_item), "a frame fits into two items more than it has");

/// Layout and frame of the robot's own items.
static bool make_own(ff_steering *s, ff_io_kind kind, const ff_io_layout *all)
{
    int *items = FF_ARENA_NEW(s->site.arena, int, all->count + 1);
    ff_io_name *names = FF_ARENA_NEW(s->site.arena, ff_io_name, all->count + 1);
    if (!items || !names) return false;
    const int n = list_items(&s->site, kind, items);
    for (int i = 0; i < n; i++) {
        names[i] = all->names[items[i]];
        strip_prefix(&names[i], s->site.prefix);
    }
    s->items[kind] = items;
    s->layouts[kind] = (ff_io_layout){kind, n, names, ff_io_layout_hash(names, n)};
    s->frames[kind] = (ff_io_frame *)(void *)FF_ARENA_NEW(s->site.arena, ff_io_item, n + 2);
    if (s->frames[kind]) ff_io_init(s->frames[kind], &s->layouts[kind]);
    return s->frames[kind] != NULL;
}

bool ff_steering_make_frames(ff_steering *s)
{
    for (int kind = 0; kind < 2; kind++) {
        s->layouts[kind] = *s->site.layouts[kind];
        s->frames[kind] = NULL;
        if (!s->site.alone && !make_own(s, (ff_io_kind)kind, s->site.layouts[kind])) return false;
    }
    return true;
}
