// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// I/O frames of one robot, and limits of its references. The I/O frames of a simulation hold the items of all robots;
// each controller gets frames of its own robot, with the names of the robot's file. So the same controller can steer
// one robot of several, or a real one.
#include "drive/interface.h"
#include "sense/interface.h"
#include "steer/steering.h"

#include <math.h>
#include <string.h>

enum { PER_DRIVE = 3 }; // references of a drive: position, speed, force

/// Does a degree of freedom of the plant belong to the robot?
static bool owns(const ff_steering_site *site, int dof)
{
    return dof >= site->vadr && dof < site->vadr + site->nv;
}

/// Does the sensor belong to the robot? Of a sensor that is fixed to the world the prefix of its name decides.
static bool is_own_sensor(const ff_steering_site *site, const ff_sensor *sensor)
{
    const ff_model *m = site->plant->model;
    const int node = sensor->body >= 0 ? m->bodies[sensor->body].node : -1;
    if (sensor->joint >= 0) return owns(site, m->joints[sensor->joint].vadr);
    if (node >= 0) return owns(site, m->nodes[node].vadr);
    return strncmp(sensor->name, site->prefix, strlen(site->prefix)) == 0;
}

/// Lists the numbers of the robot's items among those of all robots.
static int list_items(const ff_steering_site *site, ff_io_kind kind, int *items)
{
    int n = 0, at = 0;
    if (kind == FF_IO_REFERENCES) {
        const ff_drive_set *drives = site->plant->drives;
        for (int i = 0; i < drives->n; i++)
            for (int k = 0; k < PER_DRIVE; k++, at++)
                if (owns(site, drives->drives[i].path.vadr[0])) items[n++] = at;
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

/// Removes a prefix such as "left_" of "drives.left_knee.speed".
static void strip_prefix(ff_io_name *name, const char *prefix)
{
    char *start = strchr(name->name, '.');
    const size_t length = strlen(prefix);
    if (start && strncmp(start + 1, prefix, length) == 0)
        memmove(start + 1, start + 1 + length, strlen(start + length));
}

_Static_assert(sizeof(ff_io_frame) <= 2 * sizeof(ff_io_item), "a frame fits into two items more than it has");

/// Makes layout and frame of the robot's own items.
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

// ------------------------------------------------------------------------------------------ limits

// A joint that is pushed against its limit takes the whole torque of its drive into the stop, so references of scripts
// and programs are clamped, and reported. Where a drive moves two joints there is no limit, as the other joint decides;
// references through a differential are those of joints.

/// Least and greatest coordinate of the drive between the limits of its joint, sampled, as a crank may reverse.
static void find_ends(const ff_drive_path *path, const double range[2], double *low, double *high)
{
    enum { STEPS = 64 };
    ff_drive_path alone = *path;
    alone.qadr[0] = alone.vadr[0] = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k <= STEPS; k++) {
        const double share = (double)k / (double)STEPS,
                     q = k == STEPS ? range[1] : range[0] + share * (range[1] - range[0]);
        const double rest = 0.0, x = ff_drive_path_locate(&alone, &q, &rest).x;
        *low = ff_min(*low, x);
        *high = ff_max(*high, x);
    }
}

bool ff_steering_make_limits(ff_steering *s)
{
    const int n = s->layouts[FF_IO_REFERENCES].count, ndrive = s->site.plant->drives->n;
    const char *prefix = s->site.prefix;
    ff_reference_limit *limits = FF_ARENA_NEW(s->site.arena, ff_reference_limit, n + 1);
    s->limits = limits;
    if (!limits) return false;
    for (int i = 0; i < n; i++) {
        const int item = s->frames[FF_IO_REFERENCES] ? s->items[FF_IO_REFERENCES][i] : i;
        if (item >= PER_DRIVE * ndrive) break; // actuators follow the drives
        const ff_drive *drive = &s->site.plant->drives->drives[item / PER_DRIVE];
        limits[i].ignored = item % PER_DRIVE == 0 && !ff_drive_follows_position(drive);
        const ff_drive_path *path = &drive->path;
        const bool paired = drive->partner >= 0; // of a differential: references are those of the joints
        const int which = paired && drive->partner < item / PER_DRIVE ? 1 : 0;
        const ff_joint *joint = &s->site.plant->model->joints[path->joint[which]];
        if (item % PER_DRIVE != 0 || (path->njoint != 1 && !paired) || !joint->limited) continue;
        const size_t length = strlen(prefix);
        limits[i].joint = joint->name + (strncmp(joint->name, prefix, length) == 0 ? length : 0);
        limits[i].low = joint->range[0];
        limits[i].high = joint->range[1];
        if (!paired) find_ends(path, joint->range, &limits[i].low, &limits[i].high);
    }
    return true;
}

static void clamp_positions(ff_steering *s, double t, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (uint32_t i = 0; i < references->count; i++) {
        const ff_reference_limit *limit = &s->limits[i];
        if (!items[i].valid || !limit->joint) continue;
        const double value = items[i].value, clamped = ff_min(ff_max(value, limit->low), limit->high);
        if (value == clamped) continue;
        items[i].value = clamped;
        if (s->clamped.count++ == 0)
            s->clamped = (ff_reference_fault){.count = 1,
                                              .time = t,
                                              .name = limit->joint,
                                              .value = value,
                                              .limit = clamped,
                                              .unit = s->layouts[FF_IO_REFERENCES].names[i].unit};
    }
}

void ff_steering_count_ignored(ff_steering *s, double t, const ff_io_frame *references)
{
    const ff_io_item *items = ff_io_items_of(references);
    for (uint32_t i = 0; i < references->count; i++) {
        if (!s->limits[i].ignored || !items[i].valid || items[i + 2].valid) continue;
        if (s->ignored.count++ > 0) continue;
        s->ignored.time = t;
        s->ignored.name = s->layouts[FF_IO_REFERENCES].names[i].name;
    }
}

void ff_steering_sanitise(ff_steering *s, double t, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (uint32_t i = 0; i < references->count; i++) {
        if (!items[i].valid || isfinite(items[i].value)) continue;
        items[i].valid = 0;
        if (s->dropped.count++ > 0) continue;
        s->dropped.time = t;
        s->dropped.name = s->layouts[FF_IO_REFERENCES].names[i].name;
    }
    clamp_positions(s, t, references);
}
