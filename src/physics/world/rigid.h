// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private header of contact without compliance: the points to be solved for as a system, and its solution by islands.
//     rigid_rows.c   blocks of degrees of freedom, rows J and X = M^-1 J' of the points, islands
//     rigid_solve.c  impacts and lasting contact of the islands
//     rigid_step.c   a step at velocity level (method euler)
//     impulse.c      located impacts, forces in the derivative, modes, reading
#ifndef FOOTFALL_WORLD_RIGID_H
#define FOOTFALL_WORLD_RIGID_H

#include "contact/sweep.h"
#include "world/world.h"

/// Degrees of freedom that forces couple: those of one tree, or of several that loops join.
typedef struct ff_rigid_block {
    int first, count;
    bool looped; // loops constrain its response
} ff_rigid_block;

/// A point to be solved for.
typedef struct ff_rigid_point {
    int touch;              // number among the touches
    bool awake;             // it is solved for in this step
    double axes[9];         // normal and two tangents, world
    double restitution;     // coefficient
    double before[6], u[6]; // velocities along its rows before and after    [m/s], [rad/s]
    double total[6];        // sum of the impulses of several rounds         [N s], [N m s]
    double held[6];         // lasting force and moment of the last step, world  [N], [N m]
} ff_rigid_point;

struct ff_rigid {
    bool simultaneous; // response `simultaneous`, otherwise `propagation`
    bool turns;        // some law resists turning
    int exact;         // number of points up to which an island is solved by matrices
    int sweeps;        // largest number of sweeps for lasting contact of an island
    int rounds;        // largest number of rounds of an impact by sweeps

    ff_rigid_block *blocks;
    int nblock;
    int *block_of; // of each dof  (nv)

    int n, most;                 // number of points, and its limit
    ff_rigid_point *points;      // (most)
    ff_sweep_point *rows;        // (most)
    double *pool;                // memory of all rows; grows at the start of a step with more points than ever before
    size_t pool_size, pool_used; // [numbers]

    int nisland;
    int *order;   // points island by island  (most)
    int *hit;     // points of an island that take part in an impact  (most)
    int *first;   // first point of each island in `order`, and the end  (most + 1)
    int *root;    // of the tree of blocks that touch, for each block  (nblock)
    int *island;  // number of the island of a root block  (nblock)
    bool *pushed; // blocks on which lasting contact acts in this step  (nblock)

    double *A, *b, *mu, *slide, *e, *f, *work; // problem of an island solved by matrices (lcp_friction.c)
    double *row, *q;                           // scratch  (nv), (nq)
    int *by_slot;                              // number of the point of a slot, -1: none  (slots)
    double *force;                             // last force and moment by slot, world; saved  [N], [N m]  (6*slots)
    double *held;                              // their lasting part, from which the next step starts; saved   (6*slots)
    char solve_error[200];                     // what could not be solved last
    bool stopped;                              // ff_stop has ended the sweeps of an impact
    int64_t failed; // not 0: ends the run; not set for trial states, which the method may undo; saved
};

static inline const ff_touch *ff_rigid_touch(const ff_world *w, int point)
{
    return &w->touches[w->rigid->points[point].touch];
}

/// @return numbers of the points of an island  (n)
static inline const int *ff_rigid_island(const ff_rigid *r, int island, int *n)
{
    *n = r->first[island + 1] - r->first[island];
    return r->order + r->first[island];
}

// The points as a system (rigid_rows.c).
/// Lists the blocks of the model, and allocates all memory.
ff_status ff_rigid_create(ff_world *world, ff_sim *sim, ff_error *err);
void ff_rigid_destroy(ff_world *world);
/// Adds a point to be solved for. @return false when there is no room
bool ff_rigid_take(ff_world *world, int touch);
/// Fills the rows J of all points. @return false, with `solve_error`, when out of memory
bool ff_rigid_fill_rows(ff_world *world, const ff_data *d);
/// Drops the points that are not awake.
void ff_rigid_keep_awake(ff_world *world);
/// Computes X = M^-1 J' of all points. @return false, with `solve_error`, when the mass matrix is singular
bool ff_rigid_fill_response(ff_world *world, ff_data *d);
/// Finds the islands of points that share blocks.
void ff_rigid_find_islands(ff_world *world);
/// out = force and moment of the impulses j of a point, world axes, times `scale`.
void ff_rigid_to_world(const ff_world *world, int point, const double j[6], double scale, double out[6]);

// Solutions (rigid_solve.c): impulses -> rows[i].j, and x becomes the velocity after them. @return false with the
// reason in `solve_error`.
/// Solves the impact of points of one island by their restitutions.
/// @param order  numbers of the points  (n)    @param floor  speed below which the method lets nothing bounce  [m/s]
bool ff_rigid_solve_impact(ff_world *world, const int *order, int n, double floor, double *x);
/// Solves for impulses that keep the points of an island from approaching, without restitution.
/// @param rule  for solution by sweeps
bool ff_rigid_solve_lasting(ff_world *world, const int *order, int n, ff_sweep_rule rule, double *x);
/// @return Coulomb's coefficient of a point by its mode
double ff_rigid_friction(const ff_touch *touch);
/// @return restitution of a point when the fastest of its island approaches at `speed`: 0 below the speed `floor`, or a
/// ball would bounce for ever
double ff_rigid_restitution(const ff_world *world, int point, double speed, double floor);
/// Books the energy that the jump from `before` to u by the impulses of the points has dissipated.
void ff_rigid_book(ff_world *world, const int *order, int n);

/// Speed above which a point leaves after an impact  [m/s]
#define FF_RIGID_LEAVES 1e-9
/// Points closer than this take part in an impact, and are closed when they have no speed after it  [m]
#define FF_RIGID_REACH 1e-7

#endif
