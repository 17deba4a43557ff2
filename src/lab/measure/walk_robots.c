// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robots whose walking is measured: those with legs, their bodies, and the memory that a run needs.
#include "measure/walk.h"

#include <footfall/balance.h>

#include <math.h>
#include <string.h>

enum { MOST_SOLE_POINTS = 16 };

// ------------------------------------------------------------------------------------------ robots

/// Level axes: z against gravity, x as close as possible to that of the world.
static void find_axes(double axes[9], const double gravity[3])
{
    double *x = axes, *y = axes + 3, *z = axes + 6;
    const double g = ff_vec3_norm(gravity);
    ff_vec3_set(z, 0.0, 0.0, 1.0);
    if (g > 0.0) ff_vec3_scale(z, gravity, -1.0 / g);
    const double reference[3] = {fabs(z[0]) < 0.9, 0.0, fabs(z[0]) >= 0.9}; // x, or z where gravity acts along x
    ff_vec3_cross(y, z, reference);
    ff_vec3_scale(y, y, 1.0 / ff_vec3_norm(y));
    ff_vec3_cross(x, y, z);
}

static bool has_dof(const ff_measure_robot *robot, int dof)
{
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static bool body_is_of(const ff_model *m, const ff_measure_robot *robot, int body)
{
    return m->bodies[body].node >= 0 && has_dof(robot, m->nodes[m->bodies[body].node].vadr);
}

static bool is_below(const ff_model *m, int body, int above)
{
    while (body > above) body = m->bodies[body].parent; // parents have lower numbers
    return body == above;
}

static bool is_trunk(const ff_model *m, const ff_walker *robot, int body)
{
    for (int i = 0; i < robot->nleg; i++)
        if (is_below(m, body, m->joints[m->legs[robot->legs[i].leg].joints[0]].body)) return false;
    return true;
}

static bool list_legs(const ff_walk *walk, ff_arena *arena, const ff_measure_robot *from, ff_walker *robot)
{
    const ff_model *m = walk->site->model;
    const size_t prefix = strlen(from->prefix);
    robot->legs = FF_ARENA_NEW(arena, ff_walk_leg, m->nleg);
    for (int i = 0; robot->legs && i < m->nleg; i++) {
        if (!has_dof(from, m->joints[m->legs[i].joints[0]].vadr)) continue;
        const char *name = m->legs[i].name;
        walk->leg_of[i] = robot->nleg;
        robot->legs[robot->nleg++] =
            (ff_walk_leg){.leg = i, .name = strncmp(name, from->prefix, prefix) == 0 ? name + prefix : name};
    }
    const int share = robot->nleg > 0 ? FF_SUPPORT_MAX / robot->nleg : 0;
    robot->most_points = share < MOST_SOLE_POINTS ? share : MOST_SOLE_POINTS;
    return robot->legs;
}

/// Lists bodies, and nodes with mass. A node has the mass of all bodies that move with it; either all of them belong to
/// the trunk, or all to one leg.
static bool list_bodies(const ff_walk *walk, ff_arena *arena, const ff_measure_robot *from, ff_walker *robot)
{
    const ff_model *m = walk->site->model;
    robot->nodes = FF_ARENA_NEW(arena, int, m->nnode);
    robot->trunk = FF_ARENA_NEW(arena, bool, m->nnode);
    if (!robot->nodes || !robot->trunk) return false;
    robot->base = -1;
    for (int b = 0; b < m->nbody; b++) {
        if (!body_is_of(m, from, b)) continue;
        if (robot->base < 0) robot->base = b;
        walk->robot_of[b] = walk->nrobot;
    }
    for (int i = 0; i < m->nnode; i++) {
        const double mass = m->nodes[i].inertia.mass;
        if (!has_dof(from, m->nodes[i].vadr) || !(mass > 0.0)) continue;
        robot->trunk[robot->nnode] = is_trunk(m, robot, m->joints[m->nodes[i].joint].body);
        robot->mass += mass;
        if (robot->trunk[robot->nnode]) robot->trunk_mass += mass;
        robot->nodes[robot->nnode++] = i;
    }
    if (robot->trunk_mass > 0.0) return true;
    memset(robot->trunk, 1, (size_t)robot->nnode * sizeof *robot->trunk); // legs only: they count as the trunk
    robot->trunk_mass = robot->mass;
    return true;
}

static bool list_robots(ff_walk *walk, ff_arena *arena)
{
    const ff_measure_site *site = walk->site;
    const ff_model *m = site->model;
    walk->robots = FF_ARENA_NEW(arena, ff_walker, site->nrobot);
    walk->robot_of = FF_ARENA_NEW(arena, int, m->nbody);
    walk->leg_of = FF_ARENA_NEW(arena, int, m->nleg);
    if (!walk->robots || !walk->robot_of || !walk->leg_of) return false;
    for (int b = 0; b < m->nbody; b++) walk->robot_of[b] = -1;
    for (int i = 0; i < site->nrobot; i++) {
        const ff_measure_robot *from = &site->robots[i];
        ff_walker *robot = &walk->robots[walk->nrobot];
        *robot = (ff_walker){.robot = i, .vadr = from->vadr, .nv = from->nv, .lead = ""};
        if (site->nrobot > 1) robot->lead = ff_arena_printf(arena, "%s.", from->name);
        if (!robot->lead || !list_legs(walk, arena, from, robot)) return false;
        if (robot->nleg == 0) continue;
        if (!list_bodies(walk, arena, from, robot)) return false;
        robot->weight = robot->mass * ff_vec3_norm(m->gravity);
        walk->nrobot++;
    }
    return true;
}

ff_walk *ff_walk_find(const ff_measure_site *site, ff_arena *arena)
{
    if (site->model->nleg == 0 || site->nrobot == 0) return NULL;
    ff_walk *walk = FF_ARENA_NEW(arena, ff_walk, 1);
    if (!walk) return NULL;
    walk->site = site;
    walk->windows = site->windows;
    walk->nwindow = site->nwindow;
    walk->debounce = site->debounce;
    walk->rebound = site->rebound;
    walk->tilt = site->tilt;
    find_axes(walk->axes, site->model->gravity);
    return list_robots(walk, arena) ? walk : NULL;
}

// ------------------------------------------------------------------------------------------ memory

static bool make_queue(const ff_walk *walk, ff_arena *arena, ff_walker *robot)
{
    ff_walk_queue *q = &robot->queue;
    *q = (ff_walk_queue){.size = (int)ceil(walk->debounce / FF_WALK_SAMPLE) + 3};
    const size_t size = (size_t)q->size, feet = size * (size_t)robot->nleg, points = feet * (size_t)robot->most_points;
    q->time = FF_ARENA_NEW(arena, double, size);
    q->span = FF_ARENA_NEW(arena, double, size);
    q->com = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * size);
    q->npoint = FF_ARENA_NEW(arena, int, feet);
    q->points = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * points + 2);
    return q->time && q->span && q->com && q->npoint && q->points;
}

static bool make_sums(const ff_walk *walk, ff_arena *arena, ff_walker *robot)
{
    robot->sums = FF_ARENA_NEW(arena, ff_walk_sum, walk->nwindow);
    robot->few = FF_ARENA_NEW(arena, double, robot->nleg + 1);
    robot->across = FF_ARENA_NEW(arena, double, robot->nleg);
    for (int w = 0; robot->sums && w < walk->nwindow; w++) {
        robot->sums[w] = (ff_walk_sum){.support_least = INFINITY, .margin_least = INFINITY};
        robot->sums[w].legs = FF_ARENA_NEW(arena, ff_walk_leg_sum, robot->nleg);
        if (!robot->sums[w].legs) return false;
        for (int i = 0; i < robot->nleg; i++) {
            robot->sums[w].legs[i].ahead[0] = INFINITY;
            robot->sums[w].legs[i].ahead[1] = -INFINITY;
        }
    }
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *known = &robot->legs[i];
        double(*points)[2] = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * robot->most_points + 2);
        if (!points) return false;
        robot->legs[i] = (ff_walk_leg){.leg = known->leg, .name = known->name, .points = points};
    }
    return robot->sums && robot->few && robot->across;
}

bool ff_walk_make(ff_walk *walk, ff_arena *arena)
{
    walk->last_step = NAN;
    for (int i = 0; i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        robot->sampled = robot->fall_since = robot->up_since = robot->fall_time = NAN;
        if (!make_queue(walk, arena, robot) || !make_sums(walk, arena, robot) ||
            !ff_walk_list_drives(walk, arena, robot))
            return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ saving

/// Arrays of a robot that measures write. Points of feet and entries of the queue are not among them: counts show which
/// are valid, and later ones are written again.
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

/// Copies a part to the block at `used`, or back; `block` NULL: only counts. @return offset of the next part  [byte]
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
    move_all(context, (char *)block, true); // it only reads the block
}
