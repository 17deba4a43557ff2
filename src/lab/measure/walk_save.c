// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What has been measured of walking, saved and restored: metrics of a run that goes on are worked out as if it ended
// now, with samples that still wait to be certain, and then forgotten.
#include "measure/walk.h"

#include <string.h>

/// Parts of a robot that measuring writes, one after the other. Points of feet and entries of the queue are not among
/// them: counts say which are valid, and later ones are written again.
enum { PARTS = 4 };
typedef struct part {
    void *at;
    size_t size;
} part;

static void list_parts(const ff_walk *walk, const ff_walker *robot, part out[PARTS])
{
    const size_t legs = (size_t)robot->nleg;
    out[0] = (part){robot->legs, legs * sizeof *robot->legs};
    out[1] = (part){robot->sums, (size_t)walk->nwindow * sizeof *robot->sums};
    out[2] = (part){robot->few, (legs + 1) * sizeof *robot->few};
    out[3] = (part){robot->across, legs * sizeof *robot->across};
}

/// Copies a part to the block or back; @return where the next one goes. `block` NULL: counts alone.
static size_t move(part p, char *block, size_t used, bool back)
{
    if (block && back)
        memcpy(p.at, block + used, p.size);
    else if (block)
        memcpy(block + used, p.at, p.size);
    return used + p.size;
}

static size_t move_all(const ff_walk *walk, char *block, bool back)
{
    size_t used = 0;
    for (int i = 0; i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        part parts[PARTS];
        used = move((part){robot, sizeof *robot}, block, used, back);
        list_parts(walk, robot, parts);
        for (int k = 0; k < PARTS; k++) used = move(parts[k], block, used, back);
        const size_t legs = (size_t)robot->nleg * sizeof *robot->sums->legs;
        for (int w = 0; w < walk->nwindow; w++) used = move((part){robot->sums[w].legs, legs}, block, used, back);
    }
    return used;
}

size_t ff_walk_save(const void *context, void *block)
{
    return move_all(context, block, false);
}

void ff_walk_restore(void *context, const void *block)
{
    move_all(context, (char *)block, true); // reads it alone
}
