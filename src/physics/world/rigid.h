// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of contact without compliance: the points to be solved for as a system, and its solution island by island.
//     rigid_rows.c   what moves with what, rows J and X = M^-1 J' of the points, islands
//     rigid_solve.c  impacts and lasting contact of the islands
//     rigid_step.c   a step at velocity level (method euler)
//     impulse.c      located impacts, forces in the derivative, modes, reading
#ifndef FOOTFALL_WORLD_RIGID_H
#define FOOTFALL_WORLD_RIGID_H

#include "contact/sweep.h"
#include "world/world.h"

/// Degrees of freedom that forces couple: those of one tree, or of several where loops join them.
typedef struct ff_rigid_block {
    int first, count;
    bool looped; // loops take part in its response
} ff_rigid_block;

/// A point to be solved for.
typedef struct ff_rigid_point {
    int touch;              // number among the touches
    bool awake;             // it could meet in this step, and something of its island does
    double axes[9];         // normal and two tangents, world
    double e;               // restitution
    double before[6], u[6]; // velocities along its rows before and after  [m/s], [rad/s]
    double total[6];        // impulses of several rounds                  [N s], [N m s]
    double held[6];         // force and moment of the step before, world  [N], [N m]
} ff_rigid_point;

struct ff_rigid {
    bool simultaneous; // otherwise propagation
    bool turns;        // some law resists turning
    int exact;         // points up to which an island is solved by matrices
    int sweeps;        // most that lasting contact of an island has taken
    int rounds;        // most that a blow shared by sweeps has taken

    ff_rigid_block *blocks;
    int nblock;
    int *block_of; // of each dof  (nv)

    int n, most;            // points taken
    ff_rigid_point *points; // (most)
    ff_sweep_point *rows;   // (most)
    double *pool;           // numbers of all rows; grows at the start of a step, where points are more than ever before
    size_t pool_size, pool_used;

    int nisland;
    int *order;   // points island by island  (most)
    int *hit;     // points of an island that take part in an impact  (most)
    int *first;   // of each island in `order`, and the end  (most + 1)
    int *root;    // of the blocks that touch  (nblock)
    int *island;  // of a root block  (nblock)
    bool *pushed; // blocks that lasting contact acts on in this step  (nblock)

    double *A, *b, *mu, *slide, *e, *f, *work; // of an island solved by matrices
    double *row, *q;                           // (nv), (nq)
    int *by_slot;                              // point of a slot, -1: none  (slots)
    double *force; // by slot: the last ones and their moments, world, saved with the simulation  [N], [N m]  (6*slots)
    double *held;  // the part of them that lasts, from which the next step starts; saved  (6*slots)
    char solve_error[200]; // what could not be solved last
    bool stopped;          // sweeps of the impact under way
    int64_t failed;        // not 0: ends the run; not set by a trial state, which the method may undo; saved
};

static inline const ff_touch *ff_rigid_touch(const ff_world *w, int point)
{
    return &w->touches[w->rigid->points[point].touch];
}

/// Points of an island.
static inline const int *ff_rigid_island(const ff_rigid *r, int island, int *n)
{
    *n = r->first[island + 1] - r->first[island];
    return r->order + r->first[island];
}

// The points as a system (rigid_rows.c).
/// Blocks of the model, and memory for all the rest.
ff_status ff_rigid_create(ff_world *world, ff_sim *sim, ff_error *err);
void ff_rigid_destroy(ff_world *world);
/// One more point to be solved for. False when there is no room.
bool ff_rigid_take(ff_world *world, int touch);
/// Rows J of all points taken. False, and reported, when memory is short.
bool ff_rigid_fill_rows(ff_world *world, const ff_data *d);
/// Keeps the points that are awake.
void ff_rigid_keep_awake(ff_world *world);
/// X = M^-1 J' and what sweeps need of it. False, and reported, when the mass matrix is singular.
bool ff_rigid_fill_response(ff_world *world, ff_data *d);
/// Which points have to do with each other.
void ff_rigid_find_islands(ff_world *world);
/// Force and moment of the impulses j of a point, world axes, scaled.
void ff_rigid_to_world(const ff_world *world, int point, const double j[6], double scale, double out[6]);

// Solutions (rigid_solve.c). Impulses in rows[i].j, x becomes the velocity after. False with the reason in
// `solve_error`.
/// Impact of points of one island by their restitutions.
/// @param order  numbers of the points  (n)    @param floor  speed below which the method lets nothing bounce  [m/s]
bool ff_rigid_solve_impact(ff_world *world, const int *order, int n, double floor, double *x);
/// What keeps the points of an island from approaching, without restitution.
/// @param rule  where it takes sweeps
bool ff_rigid_solve_lasting(ff_world *world, const int *order, int n, ff_sweep_rule rule, double *x);
/// Coulomb's coefficient of a point by its mode.
double ff_rigid_friction(const ff_touch *touch);
/// Restitution of a point when the fastest of its island approaches at `speed`. Below the impact floor nothing bounces,
/// or a ball would bounce for ever.
double ff_rigid_restitution(const ff_world *world, int point, double speed, double floor);
/// Books what the jump from `before` to u by the impulses of the points has lost.
void ff_rigid_book(ff_world *world, const int *order, int n);

/// Speed at which a point leaves after an impact  [m/s]
#define FF_RIGID_GONE 1e-9
/// Points nearer than this take part in an impact, and are closed when it leaves them without speed  [m]
#define FF_RIGID_REACH 1e-7

#endif
