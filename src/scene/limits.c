// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far positions may be asked for. A joint pushed against its limit takes the whole torque of its drive into the stop, so what scripts and
// programs ask for beyond is cut to the limit where the references leave them, and told. Built-in controllers keep to the limits themselves. Where a
// drive moves two joints there is no limit of its own: the other joint decides.
#include "scene/pilot.h"

#include <math.h>
#include <string.h>

enum { PER_DRIVE = 3 }; // position, speed, force: references of a drive

/// Least and greatest x(q) of the drive while its joint goes from one limit to the other. A crank may turn back on the way, so places between are
/// looked at too.
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

bool ff_pilot_make_limits(ff_scene *scene, ff_scene_pilot *pilot)
{
    const int n = pilot->layouts[FF_IO_REFERENCES].count;
    const char *prefix = scene->robots[pilot->robot].prefix;
    ff_reference_limit *limits = FF_ARENA_NEW(&scene->arena, ff_reference_limit, n + 1);
    pilot->limits = limits;
    if (!limits) return false;
    for (int i = 0; i < n; i++) {
        const int item = pilot->frames[FF_IO_REFERENCES] ? pilot->items[FF_IO_REFERENCES][i] : i;
        const ff_drive_path *path = &scene->plant->drives->drives[item / PER_DRIVE].path;
        const ff_joint *joint = &scene->model->joints[path->joint[0]];
        if (item % PER_DRIVE != 0 || path->njoint != 1 || !joint->limited) continue;
        const size_t length = strlen(prefix);
        limits[i].joint = joint->name + (strncmp(joint->name, prefix, length) == 0 ? length : 0);
        find_ends(path, joint->range, &limits[i].low, &limits[i].high);
    }
    return true;
}

void ff_pilot_keep_limits(ff_scene_pilot *pilot, double t, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (uint32_t i = 0; i < references->count; i++) {
        const ff_reference_limit *limit = &pilot->limits[i];
        if (!items[i].valid || !limit->joint) continue;
        const double asked = items[i].value, taken = ff_min(ff_max(asked, limit->low), limit->high);
        if (asked == taken) continue;
        items[i].value = taken;
        if (pilot->beyond.count++ == 0)
            pilot->beyond = (ff_pilot_refusal){.count = 1,
                                               .time = t,
                                               .name = limit->joint,
                                               .asked = asked,
                                               .limit = taken,
                                               .unit = pilot->layouts[FF_IO_REFERENCES].names[i].unit};
    }
}
