// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far positions may be asked for. A joint pushed against its limit takes the whole torque of its drive into the
// stop, so references of scripts and programs beyond a limit are clamped before they leave, and reported. Built-in
// controllers keep to the limits themselves. Where a drive moves two joints there is no limit: the other
// joint decides; but references through a differential are those of the joints.
#include "steer/steering.h"

#include "drive/interface.h"

#include <math.h>
#include <string.h>

enum { PER_DRIVE = 3 }; // position, speed, force: references of a drive

/// Least and greatest x(q) of the drive while its joint goes from one limit to the other. A crank may turn back on the
/// way, so places between are computed too.
static void find_ends(const ff_drive_path *path, const double range[2], double *low, double *high)
{
    enum { STEPS = 64 };
    ff_drive_path alone = *path;
    alone.qadr[0] = alone.vadr[0] = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k <= STEPS; k++) {
        const double share = (double)k / STEPS, q = k == STEPS ? range[1] : range[0] + share * (range[1] - range[0]);
        const double rest = 0.0, x = ff_drive_path_locate(&alone, &q, &rest).x;
        *low = ff_min(*low, x);
        *high = ff_max(*high, x);
    }
}

bool ff_steering_make_limits(ff_steering *s)
{
    const int n = s->layouts[FF_IO_REFERENCES].count;
    const char *prefix = s->site.prefix;
    ff_reference_limit *limits = FF_ARENA_NEW(s->site.arena, ff_reference_limit, n + 1);
    s->limits = limits;
    if (!limits) return false;
    for (int i = 0; i < n; i++) {
        const int item = s->frames[FF_IO_REFERENCES] ? s->items[FF_IO_REFERENCES][i] : i;
        const ff_drive *drive = &s->site.plant->drives->drives[item / PER_DRIVE];
        const ff_drive_path *path = &drive->path;
        const bool paired = drive->partner >= 0; // references of the joints themselves
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
        const double asked = items[i].value, taken = ff_min(ff_max(asked, limit->low), limit->high);
        if (asked == taken) continue;
        items[i].value = taken;
        if (s->clamped.count++ == 0)
            s->clamped = (ff_reference_fault){.count = 1,
                                              .time = t,
                                              .name = limit->joint,
                                              .asked = asked,
                                              .limit = taken,
                                              .unit = s->layouts[FF_IO_REFERENCES].names[i].unit};
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
