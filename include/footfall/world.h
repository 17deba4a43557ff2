// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts: the collision shapes of a model, the ground, their materials, and the points where they meet.
// Joined to a simulation, the world is a part of it: the springs of each point are states in x, and its mode (open,
// sliding, sticking) changes at accepted steps, or at located events.
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

/// A material for the contact of two named materials, in place of their combination.
typedef struct ff_world_pair {
    const char *name1, *name2;
    ff_material material; // describes the pair
} ff_world_pair;

/// How contacts act. Without compliance an impact is a jump of velocity with the restitution of the two materials, and
/// forces of lasting contact solve a complementarity problem; this needs method euler, adaptive or cvode. For piles use
/// euler, whose steps cost in proportion to the contacts.
typedef enum ff_response {
    FF_RESPONSE_FORCE,        // "force": by the contact laws
    FF_RESPONSE_PROPAGATION,  // "propagation": impacts at one contact after the other
    FF_RESPONSE_SIMULTANEOUS, // "simultaneous": impacts at all contacts at once
    FF_RESPONSE_COUNT
} ff_response;
/// @return name, NULL for a number that is no response
FF_API const char *ff_response_name(ff_response response);
/// @return FF_OK, or FF_NOT_FOUND with the names in `err`
FF_API ff_status ff_response_find(const char *name, ff_response *response, ff_error *err);

/// How contact points are found (docs/collision.md).
typedef enum ff_detector {
    FF_DETECTOR_EXACT, // closed forms and GJK
    FF_DETECTOR_CCUBE, // corners of boxes and meshes against triangles in cells; with the response `force` only
} ff_detector;

typedef struct ff_world_options {
    const ff_world_pair *pairs; // borrowed during the call
    int npair;
    ff_material standard; // of shapes that name no material
    bool mjcf;            // geoms of MJCF have materials by MuJoCo's rules (ff_material_by_mujoco); else the standard
    bool self_collision;  // shapes of one tree meet each other, except neighbours in the tree and excluded bodies
    double margin;        // gap up to which points are found  [m]
    int most_contacts;    // points that have memory; 0: chosen from the shapes
    ff_response response;
    ff_detector detector;
    int cells;         // ccube: number along the longest side of each shape, 1 to 200
    double cell_depth; // ccube: how far behind a triangle a point still touches, above zero  [m]
} ff_world_options;

/// "lab-floor" as standard, numbers of MJCF, no self-collision, margin 1 mm; ccube with 20 cells and 2 cm.
FF_API ff_world_options ff_world_options_default(void);

typedef struct ff_world ff_world;

/// Takes the collision geoms of the model: those of bodies that move, and those fixed to the world as the ground.
/// A mesh on a moving body is its convex hull (but for FF_DETECTOR_CCUBE), one fixed to the world a surface of
/// triangles. Problems (unknown material, both rigid) go to `report`.
/// @param model   borrowed; must outlive the world
/// @param report  may be NULL
/// @return NULL when there were errors, or no model
FF_API ff_world *ff_world_create(const ff_model *model, const ff_world_options *options, ff_report *report);
/// Frees the world, after its simulation; NULL is allowed.
FF_API void ff_world_destroy(ff_world *world);
/// Adds ground that is no geom of the model (a height field, a set of points fixed to the world), before
/// ff_sim_add_world.
/// @param collider  copied; what it points to is borrowed
/// @param material  name, NULL for the standard
/// @return number of the shape, or -1 with the reason in `err`
FF_API int ff_world_add_ground(ff_world *world, const char *name, const ff_collider *collider, const ff_pose *pose,
                               const char *material, ff_error *err);
/// Two bodies of one robot that overlap.
typedef struct ff_world_overlap {
    int body1, body2;
    double depth; // [m]
} ff_world_overlap;
/// Excludes from self-collision all pairs of bodies of one robot that overlap in the pose q by more than 0.1 mm, as
/// hulls around meshes do: they would push each other apart permanently. Before ff_sim_add_world.
/// @param q         where the robot starts  (nq)
/// @param out       receives the deepest pairs, deepest first, at most `capacity`
/// @return number of pairs that are excluded
FF_API int ff_world_leave_out_overlaps(ff_world *world, const double *q, ff_world_overlap *out, int capacity);
/// Joins the world to a simulation of its model. One world a simulation, and one simulation a world. The world is
/// borrowed.
/// @return FF_OK; FF_BAD_ARGUMENT (no world, another model, a second world, a method without located events where the
/// response is rigid) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_world(ff_sim *sim, ff_world *world, ff_error *err);
/// @return the world of a simulation, NULL when it has none
FF_API ff_world *ff_sim_world(const ff_sim *sim);

// ------------------------------------------------------------------------------------------ reading

/// A collision shape.
typedef struct ff_world_shape {
    const char *name; // of the geom, or of its body where that has none
    int body;         // -1: fixed to the world
    int geom;         // of the model, -1: added ground
    int material;     // index into the materials in use
    ff_collider collider;
} ff_world_shape;
/// @return all shapes; memory of the world, valid until a shape is added. @param count  may be NULL
FF_API const ff_world_shape *ff_world_shapes(const ff_world *world, int *count);
/// @return a material in use by its index; NULL beyond the last
FF_API const ff_material *ff_world_material(const ff_world *world, int index);
/// @return the contact law of two shapes; NULL when they never meet
FF_API const ff_contact_pair *ff_world_law(const ff_world *world, int shape1, int shape2);

/// A point where two shapes touch, or are within the margin.
typedef struct ff_world_contact {
    int shape1, shape2; // the normal points from 1 to 2; force and moment act on 2
    int body1, body2;   // -1: fixed to the world
    int limb1, limb2;   // foot or hand of the model (ff_model.limbs) at each side, -1: none
    int mode;           // ff_contact_mode
    double place[3];    // world  [m]
    ff_contact_point point;
    ff_contact_force force;
} ff_world_contact;
/// All points at the simulation's current state, also those that do not touch (their force is zero). After a write of
/// the state, modes and forces are those that the run will begin with; without compliance new points have no force yet.
/// @param count  may be NULL
/// @return memory of the world, valid until the simulation continues; NULL for another simulation, or no world
FF_API const ff_world_contact *ff_world_contacts(ff_world *world, ff_sim *sim, int *count);
/// Force on a body by all its contacts, and their moment about the origin of its frame, world axes  [N], [N m]
FF_API void ff_world_wrench(ff_world *world, ff_sim *sim, int body, double force[3], double moment[3]);

/// Do the shapes touch: is the depth above zero, or the mode not open? (A touch-down may be located a rounding error
/// before the surface.)
static inline bool ff_world_touches(const ff_world_contact *c)
{
    return c->point.depth > 0.0 || c->mode != FF_CONTACT_OPEN;
}

/// Contact of a foot or hand with everything but its own robot. Without a point in touch all sums are zero. Its shapes
/// are those of the bodies that it names, or all that move with its frame.
typedef struct ff_foot {
    int limb;            // of the model (ff_model.limbs): feet of the legs in their order, then hands
    bool touching;       // it has points in touch
    int points;          // number of points in touch
    int sticking;        // number of these that stick; a foot that touches without one slides
    const int *contacts; // numbers of these among ff_world_contacts; memory of the world  (points)
    uint64_t shapes;     // bit i: its i-th shape touches, in the order of ff_world_shapes; bit 63: any later one
    double pressure;     // sum of the normal forces of its points               [N]
    double slip;         // speed at sliding points, mean of all points by normal force  [m/s]
    double force[3];     // world axes                                           [N]
    double moment[3];    // about the origin of its frame, world axes            [N m]
    double centre[3];    // mean place of its points by normal force             [m]
    double normal[3];    // mean direction of the normals towards it, length 1; NaN, as centre, without normal forces
    double cop[3];       // centre of pressure in the world; NaN unless the force pushes  [m]
    double cop_foot[3];  // the same in its frame  [m]
    double impulse[3];   // integral of the force since the start; NaN unless response `force`  [N s]
    double slid;         // integral of `slip` since the start; NaN likewise  [m]
} ff_foot;
/// All feet and hands of the model, computed once for a state.
/// @param count  receives nlimb of the model; may be NULL
/// @return memory of the world, valid until the simulation continues; NULL for another simulation, or no world
FF_API const ff_foot *ff_world_feet(ff_world *world, ff_sim *sim, int *count);

/// How the feet of a robot carry it at the current state. Places are in the world; vertical is along gravity.
typedef struct ff_world_balance {
    double com[3];      // centre of mass of all bodies of its tree  [m]
    double velocity[3]; // of it  [m/s]
    double force[3];    // sum of the forces on its feet  [N]
    double cop[3]; // centre of pressure of all feet: mean of those of the feet by their normal forces. On feet in one
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
    double loss_normal, loss_friction; // dissipated                     [W]
} ff_world_power;

/// Counters of contacts since the start.
typedef struct ff_world_counts {
    long long touches, lifts, sticks, slips; // transitions
    long long impacts;                       // jumps of velocity, where the response has them
    long long overflow;                      // points beyond most_contacts, which act without memory and cannot stick
    int most;                                // largest number of points in touch at the same time
    int unresolved; // touch-downs whose half period was below ten steps: their peak forces mean nothing
} ff_world_counts;
FF_API ff_world_counts ff_world_get_counts(const ff_world *world);

/// A function that is called after each transition, at an accepted step or located event.
typedef struct ff_world_listener {
    void *context;
    void (*change)(void *context, ff_sim *sim, const ff_world_contact *contact, int from, int to, double time);
} ff_world_listener;
/// @param listener  copied; its context is borrowed    @return FF_OK, FF_BAD_ARGUMENT (no function) or FF_NO_MEMORY
FF_API ff_status ff_world_add_listener(ff_world *world, const ff_world_listener *listener, ff_error *err);

/// Lets all points in touch stick, after the state was written from outside. Their springs hold the tangential forces
/// `force`, one for each of ff_world_contacts.
/// @param force  on body 2, world axes; NULL: no force; NaN: the point is unchanged  (3*count)  [N]
/// @return FF_OK; FF_BAD_ARGUMENT (another simulation, a law that holds no load) or FF_NO_MEMORY
FF_API ff_status ff_world_hold(ff_world *world, ff_sim *sim, const double *force, ff_error *err);

// ------------------------------------------------------------------------------------------ step size

/// Step that a contact needs, for the effective mass at the lowest point of the shape in the current pose, and the
/// whole weight on it.
typedef struct ff_world_advice {
    int shape1, shape2;
    bool across; // the limit is that of friction, not of the normal force
    double mass; // effective  [kg]
    ff_contact_step step;
} ff_world_advice;
/// Finds, among all possible contacts at the current pose, `hardest` with the shortest half period along the normal,
/// which steps must resolve, and `tightest` with the shortest limit of explicit steps, along the normal or across it.
/// @param tightest  may be NULL
/// @return false when no two shapes can meet
FF_API bool ff_world_hardest(ff_world *world, ff_sim *sim, ff_world_advice *hardest, ff_world_advice *tightest);

#ifdef __cplusplus
}
#endif
#endif
