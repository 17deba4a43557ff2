// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What has been measured of walking, put aside and back: metrics of a run that goes on are worked out as if it ended now, with samples that still
// wait to be certain, and then forgotten.
#include "scene/walk.h"

#include <stdlib.h>
#include <string.h>

/// Parts of a robot that measuring writes, one after the other. Points of feet and entries of the queue are not among them: counts say which are
/// valid, and later ones are written anew.
enum { PARTS = 4 };
typedef struct part {
    void *at;
    size_t size;
} part;

static void list_parts(const ff_scene_walk *walk, const ff_walker *robot, part out[PARTS])
{
    const size_t legs = (size_t)robot->nleg;
    out[0] = (part){robot->legs, legs * sizeof *robot->legs};
    out[1] = (part){robot->sums, (size_t)walk->nwindow * sizeof *robot->sums};
    out[2] = (part){robot->few, (legs + 1) * sizeof *robot->few};
    out[3] = (part){robot->across, legs * sizeof *robot->across};
}

/// Copies everything to the block or back; @return bytes that takes. `block` NULL: counts alone.
static size_t move(const ff_scene_walk *walk, char *block, bool back)
{
    size_t used = 0;
    for (int i = 0; i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        part parts[PARTS + 1];
        parts[0] = (part){robot, sizeof *robot};
        list_parts(walk, robot, parts + 1);
        for (int k = 0; k <= PARTS; k++) {
            if (block && back)
                memcpy(parts[k].at, block + used, parts[k].size);
            else if (block)
                memcpy(block + used, parts[k].at, parts[k].size);
            used += parts[k].size;
        }
        const size_t legs = (size_t)robot->nleg * sizeof *robot->sums->legs;
        for (int w = 0; w < walk->nwindow; w++, used += legs)
            if (block && back)
                memcpy(robot->sums[w].legs, block + used, legs);
            else if (block)
                memcpy(block + used, robot->sums[w].legs, legs);
    }
    return used;
}

void *ff_scene_save_walk(const ff_scene *scene)
{
    const ff_scene_walk *walk = scene->walk;
    if (!walk || !walk->running) return NULL;
    char *block = malloc(move(walk, NULL, false) + 1);
    if (block) move(walk, block, false);
    return block;
}

void ff_scene_restore_walk(const ff_scene *scene, void *block)
{
    if (block) move(scene->walk, block, true);
    free(block);
}
