// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts: the collision shapes of a model, the ground, their materials, and the points where they meet.
// Joined to a simulation it is part of the one continuous state: each point keeps its springs in x, its mode (open,
// sliding, sticking) changes at accepted steps, and in the methods that locate events at the very instant.
// docs/contact.md is the manual.
//
//     ff_world_options o = ff_world_options_default();
//     ff_world *world = ff_world_create(model, &o, &report);   // shapes with body -1 are the ground
//     ff_sim_add_world(sim, world, &err);                       // before the first run
//     ...
//     const ff_world_contact *c = ff_world_contacts(world, sim, &count);
//     ff_sim_destroy(sim);  ff_world_destroy(world);
#ifndef FOOTFALL_WORLD_H
#define FOOTFALL_WORLD_H

#include <footfall/collide.h>
#include <footfall/contact.h>
#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ making

/// A material for two named materials that meet, in place of what their combination would give.
typedef struct ff_world_pair {
    const char *name1, *name2;
    ff_material material; // describes the pair
} ff_world_pair;

/// What a touch does. Without compliance an impact is a jump of velocity with the restitution of the two materials, and
/// lasting contact is found from complementarity; then the methods euler, adaptive and cvode work. Piles are for euler,
/// whose steps cost in proportion to their contacts.
typedef enum ff_response {
    FF_RESPONSE_FORCE,        // "force": by the contact laws
    FF_RESPONSE_PROPAGATION,  // "propagation": impacts one contact after the other, a blow travels through
    FF_RESPONSE_SIMULTANEOUS, // "simultaneous": impacts at all contacts at once
    FF_RESPONSE_COUNT
} ff_response;
/// NULL for a number that is none.
FF_API const char *ff_response_name(ff_response response);
/// @return FF_OK, or FF_NOT_FOUND with the names in `err`
FF_API ff_status ff_response_find(const char *name, ff_response *response, ff_error *err);

/// How points are found (docs/collision.md).
typedef enum ff_detector {
    FF_DETECTOR_EXACT, // closed forms and GJK
    FF_DETECTOR_CCUBE, // corners of boxes and meshes against triangles in cells; with the response `force` only
} ff_detector;

typedef struct ff_world_options {
    const ff_world_pair *pairs; // borrowed during the call
    int npair;
    ff_material standard; // of shapes that name no material
    bool mjcf;           // geoms of MJCF have its numbers, by MuJoCo's rules (ff_material_by_mujoco); else the standard
    bool self_collision; // shapes of one tree meet each other too; neighbours in the tree and excluded bodies never do
    double margin;       // gap up to which a point is watched                        [m]
    int most_contacts;   // points that can be remembered; 0: chosen from the shapes
    ff_response response;
    ff_detector detector;
    int cells;         // ccube: along the longest side of each shape, 1 to 200
    double cell_depth; // ccube: how far behind a triangle a point still touches, above zero  [m]
} ff_world_options;

/// "lab-floor" as standard, numbers of MJCF, no self-collision, margin 1 mm; ccube with 20 cells and 2 cm.
FF_API ff_world_options ff_world_options_default(void);

typedef struct ff_world ff_world;

/// Takes the collision geoms of the model: those of bodies that move, and those fixed to the world as the ground.
/// A mesh on a moving body is its convex hull (but for FF_DETECTOR_CCUBE), one fixed to the world a surface of
/// triangles. Problems (unknown material, both rigid) go to `report`.
/// @param model   borrowed; must outlive the world
/// @param report  NULL: nobody asks why
/// @return NULL when there were errors, or no model
FF_API ff_world *ff_world_create(const ff_model *model, const ff_world_options *options, ff_report *report);
/// Frees it, after its simulation; NULL is allowed.
FF_API void ff_world_destroy(ff_world *world);
/// Adds ground that is no geom of the model (a height field, a set of points fixed to the world). Before
/// ff_sim_add_world.
/// @param collider  what it points to is borrowed
/// @param material  name, NULL for the standard
/// @return number of the shape, or -1 with the reason in `err`
FF_API int ff_world_add_ground(ff_world *world, const char *name, const ff_collider *collider, const ff_pose *pose,
                               const char *material, ff_error *err);
/// Two bodies of one robot that overlap.
typedef struct ff_world_overlap {
    int body1, body2;
    double depth; // [m]
} ff_world_overlap;
/// Leaves out of self-collision all bodies of one robot that overlap in the pose q by more than 0.1 mm, as hulls around
/// meshes do: they would push each other apart for ever. Before ff_sim_add_world.
/// @param q         where the robot starts  (nq)
/// @param out       the deepest of them, deepest first, at most `capacity`
/// @return how many pairs of bodies are left out
FF_API int ff_world_leave_out_overlaps(ff_world *world, const double *q, ff_world_overlap *out, int capacity);
/// Joins the world to a simulation of its model. One world a simulation, and one simulation a world. The world is
/// borrowed.
/// @return FF_OK; FF_BAD_ARGUMENT (no world, another model, a second world, a method without located events where the
/// response is rigid) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_world(ff_sim *sim, ff_world *world, ff_error *err);
/// The world of a simulation, NULL when it has none.
FF_API ff_world *ff_sim_world(const ff_sim *sim);

// ------------------------------------------------------------------------------------------ reading

/// A shape as the world sees it.
typedef struct ff_world_shape {
    const char *name; // of the geom, or of its body where that has none
    int body;         // -1: fixed to the world
    int geom;         // of the model, -1: added ground
    int material;     // index into the materials in use
    ff_collider collider;
} ff_world_shape;
/// All shapes; memory of the world, valid until a shape is added. The count may be NULL, here and below.
FF_API const ff_world_shape *ff_world_shapes(const ff_world *world, int *count);
/// A material in use by index; NULL beyond the last.
FF_API const ff_material *ff_world_material(const ff_world *world, int index);
/// The law between two shapes; NULL when they never meet.
FF_API const ff_contact_pair *ff_world_law(const ff_world *world, int shape1, int shape2);

/// A point where two shapes meet now.
typedef struct ff_world_contact {
    int shape1, shape2; // the normal points from 1 to 2; force and moment act on 2
    int body1, body2;   // -1: fixed to the world
    int limb1, limb2;   // foot or hand of the model (ff_model.limbs) at each side, -1: none
    int mode;           // ff_contact_mode
    double place[3];    // world  [m]
    ff_contact_point point;
    ff_contact_force force;
} ff_world_contact;
/// All points at the simulation's current state, those within the margin but apart included (their force is zero).
/// Changes nothing: a state written since the last step is shown as the run will find it; without compliance points
/// that are new there have no force yet.
/// @return memory of the world, valid until the simulation goes on; NULL for another simulation, or no world
FF_API const ff_world_contact *ff_world_contacts(ff_world *world, ff_sim *sim, int *count);
/// Force on a body by all its contacts, and their moment about its frame's origin, world axes  [N, N m]
FF_API void ff_world_wrench(ff_world *world, ff_sim *sim, int body, double force[3], double moment[3]);

/// In touch: below the surface, or held there (a touch-down may be located a rounding before the surface).
static inline bool ff_world_touches(const ff_world_contact *c)
{
    return c->point.depth > 0.0 || c->mode != FF_CONTACT_OPEN;
}

/// A foot or hand as it touches now: what everything but its own robot does to it. Without a point in touch all sums
/// are zero. Its shapes are those of the bodies it names, or all that move with its frame. The impulse between two
/// samples is the difference of two.
typedef struct ff_foot {
    int limb;            // of the model (ff_model.limbs): feet of the legs in their order, then hands
    bool touching;       //
    int points;          // in touch
    int sticking;        // of these; a foot that touches without one slides
    const int *contacts; // their numbers among ff_world_contacts; memory of the world  (points)
    uint64_t shapes;     // bit i: the i-th of its shapes touches, in the order of ff_world_shapes; bit 63: any beyond
    double pressure;     // sum of the normal forces of its points               [N]
    double slip;         // speed of those that slide, mean of all by normal force [m/s]
    double force[3];     // world axes                                           [N]
    double moment[3];    // about the origin of its frame, world axes            [N m]
    double centre[3];    // mean place of its points by normal force             [m]
    double normal[3];   // mean direction of the normals towards it, length 1; NaN, as the places, where nothing presses
    double cop[3];      // centre of pressure in the world; NaN unless the force pushes  [m]
    double cop_foot[3]; // the same in its frame  [m]
    double impulse[3];  // integral of the force since the start; NaN unless response `force`  [N s]
    double slid;        // integral of `slip` since the start, likewise  [m]
} ff_foot;
/// All feet and hands of the model, found once for a state however often they are asked for.
/// @param count  nlimb of the model; NULL: not asked for
/// @return memory of the world, valid until the simulation goes on; NULL for another simulation, or no world
FF_API const ff_foot *ff_world_feet(ff_world *world, ff_sim *sim, int *count);

/// How the feet of a robot carry it now. Places are in the world; vertical is along gravity.
typedef struct ff_world_balance {
    double com[3];      // centre of mass of all that hangs together with its base  [m]
    double velocity[3]; // of it  [m/s]
    double force[3];    // sum of the forces on its feet  [N]
    double cop[3]; // centre of pressure of all feet: the mean of theirs, by how much each is pushed. On feet in one
                   // plane this is the zero moment point; NaN while no foot carries  [m]
    double dcm[3]; // divergent component of motion, or capture point, at the height h of com above cop:
                   // com + velocity sqrt(h / g), level with cop; NaN while no foot carries  [m]
} ff_world_balance;
/// @param body  any body of the robot
/// @return false where the tree of `body` has no foot, for another simulation, or no world
FF_API bool ff_world_get_balance(ff_world *world, ff_sim *sim, int body, ff_world_balance *out);

/// Power and energy of all points at the state evaluated last.
typedef struct ff_world_power {
    double elastic;                    // stored, normal and tangential  [J]
    double loss_normal, loss_friction; // turned to heat                 [W]
} ff_world_power;

/// What has happened at the contacts since the start.
typedef struct ff_world_counts {
    long long touches, lifts, sticks, slips; // transitions
    long long impacts;                       // jumps of velocity, where the response has them
    long long overflow; // points beyond most_contacts, which act without memory (they cannot stick)
    int most;           // points in touch at the same time
    int unresolved;     // touch-downs whose half period, at their speed, was below ten steps: their peaks mean nothing
} ff_world_counts;
FF_API ff_world_counts ff_world_get_counts(const ff_world *world);

/// Called at each transition, at an accepted step or located event, after it happened.
typedef struct ff_world_listener {
    void *context;
    void (*change)(void *context, ff_sim *sim, const ff_world_contact *contact, int from, int to, double time);
} ff_world_listener;
/// @param listener  copied; its context is borrowed    @return FF_OK, FF_BAD_ARGUMENT (no function) or FF_NO_MEMORY
FF_API ff_status ff_world_add_listener(ff_world *world, const ff_world_listener *listener, ff_error *err);

/// Brings the memory of the contacts in line with a state written from outside (a start in overlap, a settled robot):
/// points in touch become sticking, their springs hold the tangential force `force` that the caller gives for each of
/// ff_world_contacts, or none when NULL.
/// @param force  on body 2, world axes; NaN leaves a point as it is  (3*count)  [N]
/// @return FF_OK; FF_BAD_ARGUMENT (another simulation, a law that holds no load) or FF_NO_MEMORY
FF_API ff_status ff_world_hold(ff_world *world, ff_sim *sim, const double *force, ff_error *err);

// ------------------------------------------------------------------------------------------ step size

/// What a contact asks of the step, with the effective mass at the shape's lowest point in the present pose and the
/// whole weight on it.
typedef struct ff_world_advice {
    int shape1, shape2;
    bool across; // it is the grip that asks, not the normal force
    double mass; // effective  [kg]
    ff_contact_step step;
} ff_world_advice;
/// The contacts there can be at the current pose that ask most: `hardest` has the shortest half period along the normal
/// (steps must resolve it), `tightest` the shortest limit of explicit steps, along the normal or across it (a damper
/// may be what limits).
/// @param tightest  may be NULL
/// @return false when no two shapes can meet
FF_API bool ff_world_hardest(ff_world *world, ff_sim *sim, ff_world_advice *hardest, ff_world_advice *tightest);

#ifdef __cplusplus
}
#endif
#endif
