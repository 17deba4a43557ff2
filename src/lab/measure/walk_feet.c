// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The feet of walking robots after every step: forces, slip, points in touch, and contact forces on other bodies.
// Integrals of forces and slip are those of the method if it computes them, else sums of trapezoids. A step across the
// edge of a window counts with its part inside.
#include "measure/walk.h"

#include "world/world.h"

#include <math.h>

static void begin_step(ff_walker *robot)
{
    robot->other = 0.0;
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->touched = leg->touching;
        leg->up_before = leg->up;
        leg->slip_before = leg->slip;
        leg->touching = false;
        leg->up = leg->normal = leg->slip = 0.0;
        leg->npoint = 0;
    }
}

void ff_walk_add_point(const ff_walker *robot, ff_walk_leg *leg, const double at[3])
{
    if (leg->npoint >= robot->most_points) return;
    leg->points[leg->npoint][0] = at[0];
    leg->points[leg->npoint++][1] = at[1];
}

/// The leg of a limb; NULL for a hand. A robot that leans on a hand has not fallen, but a hand is no foot.
static ff_walk_leg *leg_of(const ff_walk *walk, int number, ff_walker **robot)
{
    const ff_limb *limb = &walk->site->model->limbs[number];
    if (limb->leg < 0 || walk->robot_of[limb->body] < 0) return NULL;
    *robot = &walk->robots[walk->robot_of[limb->body]];
    return &(*robot)->legs[walk->leg_of[limb->leg]];
}

/// Stores touch, forces and slip of a foot.
static void note_foot(const ff_walk *walk, const ff_foot *foot)
{
    ff_walker *robot;
    ff_walk_leg *leg = leg_of(walk, foot->limb, &robot);
    if (!leg) return;
    leg->touching = foot->touching;
    leg->up = ff_vec3_dot(walk->axes + 6, foot->force);
    const double impulse = ff_vec3_dot(walk->axes + 6, foot->impulse);
    leg->pushed = impulse - leg->impulse;
    leg->impulse = impulse;
    leg->normal = foot->pressure;
    leg->slip = foot->slip;
    leg->slipped = foot->slid - leg->way;
    leg->way = foot->slid;
}

/// Handles one body of a contact: adds a point of a foot, or the force on a body that is neither foot nor hand.
static void note_side(const ff_walk *walk, const ff_world_contact *c, int side)
{
    const int body = side == 1 ? c->body1 : c->body2, limb = side == 1 ? c->limb1 : c->limb2;
    if (body < 0 || walk->robot_of[body] < 0) return;
    if (!ff_world_touches(c) || ff_world_within_robot(walk->site->world, c->shape1, c->shape2)) return;
    if (limb >= 0) {
        ff_walker *robot;
        ff_walk_leg *leg = leg_of(walk, limb, &robot);
        double place[3];
        if (!leg) return;
        ff_walk_level(walk, c->place, place);
        ff_walk_add_point(robot, leg, place);
        return;
    }
    walk->robots[walk->robot_of[body]].other += (side == 2 ? 1.0 : -1.0) * ff_vec3_dot(walk->axes + 6, c->force.force);
}

void ff_walk_inspect_feet(ff_walk *walk, const ff_world_contact *contacts, int count)
{
    int nfoot;
    for (int i = 0; i < walk->nrobot; i++) begin_step(&walk->robots[i]);
    for (int i = 0; i < count; i++) {
        note_side(walk, &contacts[i], 1);
        note_side(walk, &contacts[i], 2);
    }
    const ff_foot *feet = ff_world_loads(walk->site->world, walk->site->sim, &nfoot);
    for (int i = 0; i < nfoot; i++) note_foot(walk, &feet[i]);
}

void ff_walk_add_forces(const ff_walk *walk, ff_walker *robot, double t, double span)
{
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        if (isnan(leg->impulse)) leg->pushed = 0.5 * span * (leg->up + leg->up_before);
        if (isnan(leg->way)) leg->slipped = 0.5 * span * (leg->slip + leg->slip_before);
        leg->slid += leg->slipped;
    }
    for (int w = 0; w < walk->nwindow; w++) {
        const double overlap = ff_window_overlap(&walk->windows[w], t, span), half = 0.5 * overlap;
        const bool inside = ff_window_holds(&walk->windows[w], t);
        ff_walk_sum *all = &robot->sums[w];
        for (int i = 0; i < robot->nleg; i++) {
            const ff_walk_leg *leg = &robot->legs[i];
            ff_walk_leg_sum *sum = &all->legs[i];
            const double part = span > 0.0 ? overlap / span : 0.0, push = part * leg->pushed;
            sum->push += push;
            sum->touched += half * (leg->touching + leg->touched);
            sum->slid += part * leg->slipped;
            all->push += push;
            if (inside) sum->peak = ff_max(sum->peak, leg->normal);
        }
        all->span += overlap;
    }
}
