// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private header of the world of contacts. One evaluation is ff_world_find (where shapes meet at the poses and
// velocities in d), then ff_world_apply (forces by the laws). Both are pure: they read the memory of the points (slots)
// and write only scratch, so that an integrator may evaluate any trial state. The memory changes in ff_world_accept and
// ff_world_event.
//     world.c     shapes, materials, laws                 meet.c      which shapes may meet, and by what law
//     find.c      where they meet                         apply.c     forces of the points, adhesion
//     update.c    transitions, events, memory of points   impulse.c   impulses and complementarity, with rigid_*.c
//     part.c      the world as a part of a simulation     read.c      what callers may read
//     limbs.c     limbs of contacts                       feet.c      states of feet and hands, balance of robots
//     weigh.c     effective masses of shapes              channels.c  channels of recorders
#ifndef FOOTFALL_WORLD_WORLD_H
#define FOOTFALL_WORLD_WORLD_H

#include "engine/system.h"

#include <footfall/world.h>

/// Private part of a shape: its place and its part in collision detection. Same number as its ff_world_shape.
typedef struct ff_item {
    int node;         // -1: fixed to the world
    int robot;        // topmost body of its tree of bodies, -1: the ground
    int patch;        // points that it has on flat ground, among which a pair shares its stiffness
    bool fixed_plane; // tested against moving shapes one by one, not by the broad phase
    bool turned;      // pose.R is that of the last ff_world_find
    bool paired;      // a pair of the model names it
    int mocap;        // number in ff_model.mocaps of the body that carries it, -1: none
    uint32_t type, affinity;
    double reach;         // radius of the sphere about the origin of its frame that contains it  [m]
    double lookahead;     // added to the margin: distance that it moves in a step at velocity level  [m]
    ff_pose local;        // in the node's frame
    ff_pose pose;         // in the world
    int *meets;           // of a fixed plane: the moving shapes that it may meet  (nmeet)
    int nmeet;            // their number
    int broad;            // number in the broad phase, -1: none
    const double *points; // for the detector ccube, in the frame of the shape  (3*npoint)
    int npoint;           // 0: it uses the exact detector
    ff_ccube *cells;      // triangles for the detector ccube, owned; NULL: none
    int limb;             // limb of all its contacts, -1: none; FF_LIMB_BY_PLACE
} ff_item;

/// Computes the position of a shape on a node for the state in d.
static inline void ff_item_set_position(const ff_model *m, const ff_data *d, ff_item *it)
{
    const ff_pose *node = &d->pose[it->node];
    const double *origin = d->tree_origin + 3 * m->nodes[it->node].tree;
    double p[3];
    ff_mat3_mulv(p, node->R, it->local.p);
    for (int i = 0; i < 3; i++) it->pose.p[i] = origin[i] + (node->p[i] + p[i]);
    it->turned = false;
}

/// Computes its axes, which few shapes need.
static inline void ff_item_set_axes(const ff_data *d, ff_item *it)
{
    if (it->node < 0 || it->turned) return;
    ff_mat3_mul(it->pose.R, d->pose[it->node].R, it->local.R);
    it->turned = true;
}

/// Limb of a shape whose contacts belong to a limb in some places only, such as a shin with a foot at its end.
enum { FF_LIMB_BY_PLACE = -2 };

/// Effective masses of a shape at the start pose; saved, since a run that resumes starts in another pose.
typedef struct ff_weight {
    double mass;                 // effective for a vertical push                   [kg]
    double lateral_inverse_mass; // 1 / the least effective mass for a push across  [1/kg]
    double turning[9];           // angular velocity by moment, in the node's axes  [1/(kg m^2)]
} ff_weight;

/// Two shapes that a pair of the model names.
typedef struct ff_shape_pair {
    uint64_t key; // shapes, the lower one first
    int pair;     // of the model
} ff_shape_pair;

/// Memory of a point from step to step. Springs are states in x.
///
/// Modes. The slot owns the mode of its point (open, sliding, sticking): it changes when a step is accepted or an event
/// handled, and is saved. ff_touch.state.mode is a copy, valid from ff_world_find until the next one. An implicit step
/// finds the mode at its end itself: ff_contact_result.mode is this proposal, which `proposed_mode` of the world keeps
/// until ff_world_accept makes it the mode of the slot.
typedef struct ff_slot {
    uint64_t pair;          // shapes, see ff_world_key; UINT64_MAX: free
    uint64_t id;            // features that meet
    double place[3];        // world  [m]
    double share;           // part of the stiffness of the pair
    ff_contact_state state; // mode; its springs are not used
} ff_slot;

/// A slot in use, in the order of pairs.
typedef struct ff_slot_order {
    uint64_t pair;
    int64_t slot;
} ff_slot_order;

/// Memory of the world that is saved with the simulation besides the slots.
typedef struct ff_world_memory {
    int64_t used;   // number of slots in use
    int64_t lowest; // no slot below this number is free
    ff_world_counts counts;
    int64_t weighed; // not 0: the effective masses of the shapes are known
    double longest;  // longest step in which no shape passes through another; 0: not known yet  [s]
} ff_world_memory;

/// Contact without compliance (rigid.h).
typedef struct ff_rigid ff_rigid;

struct ff_world {
    ff_arena arena;
    const ff_model *model;
    ff_sim *sim;
    int part; // number in the simulation
    double margin;
    double lookahead_time; // length of steps at velocity level; otherwise 0  [s]
    bool self_collision;
    bool *
        collision_excluded; // nodes of one robot that overlap at the start, by ff_world_rank; NULL: none  ((nnode+1)^2)
    ff_response response;
    ff_detector detector;
    int cells;                    // ccube: number along the longest side of a shape
    double cell_depth;            // ccube: distance behind a triangle at which a point still touches  [m]
    double ncell;                 // ccube: upper limit of the number of cells of all shapes
    ff_collide_point *cell_found; // ccube: scratch for the points of two shapes  (cell_points)
    int cell_points;

    ff_world_shape *shapes;
    ff_item *items;
    ff_weight *weights; // (nshape)
    int nshape, shape_capacity, item_capacity;
    ff_convex **convexes; // owned
    ff_surface **surfaces;
    int nconvex, nsurface;
    double thinnest;      // least distance that two shapes must move to pass through each other  [m]
    int *moving, nmoving; // shapes on moving nodes
    int *planes, nplane;  // fixed planes

    ff_material *materials;
    int nmaterial, material_capacity;
    bool mjcf;                      // geoms of MJCF have materials by MuJoCo's rules
    ff_mjcf_surface *mjcf_surfaces; // of materials from MJCF; numbers.given is false for others  (nmaterial)
    int surface_capacity;
    double *inverse_masses; // 1 / effective mass of each body, NULL: no geom has a solref  [1/kg] (nbody)
    ff_contact_pair *laws;  // of each two materials, nmaterial x nmaterial, then of each shape pair  (nlaw)
    bool *law_valid;        // these laws can be used  (nlaw)
    int nlaw;
    ff_shape_pair *shape_pairs; // by key
    int nshape_pair;
    ff_world_pair *pairs;
    int npair;

    ff_broad *broad;  // NULL: planes and one robot need no broad phase
    int *broad_shape; // shapes of its objects  (nbroad)
    int nbroad;
    double *low, *high; // bounding boxes of its objects  (3*nbroad)

    int most;             // number of slots
    int width;            // number of states of a slot in x: spring, and turn where some law resists turning
    ff_slot *slots;       // (most)
    ff_slot_order *order; // of those in use  (most)
    uint32_t *matched_at; // find_count of the last ff_world_find that used the slot  (most)
    uint32_t find_count;  // of calls of ff_world_find
    ff_world_memory *memory;

    ff_rigid *rigid;                     // NULL: contacts have forces by their laws
    ff_contact_interface contact_points; // for implicit steps
    int32_t *proposed_mode;              // of slots at the end of such a step, OPEN: not known  (most)

    ff_touch *touches; // points of the last ff_world_find  (ntouch)
    int ntouch, touch_capacity;
    uint64_t found_at;          // ff_sim.state_number at which they were found
    uint64_t forces_at;         // the same for their forces, in their present modes; 0: not known
    uint64_t copied_at;         // the same for `contacts`
    double *rows;               // scratch of ff_world_weigh  (6*nv)
    ff_world_contact *contacts; // for callers  (touch_capacity)
    ff_world_power power;       // of the last evaluation

    int *limb_of;                 // limb that names a body, -1: none  (nbody)
    int *foot_first;              // first limb without named bodies at a node  (nnode)
    int *foot_next;               // next such limb at the same node  (nlimb)
    int *patch;                   // bit of a shape in ff_foot.shapes  (nshape)
    ff_foot *feet;                // (nlimb)
    int *foot_points;             // numbers of their contacts, by foot  (2*touch_capacity)
    double *foot_origin;          // origins of their frames, world  [m]  (3*nlimb)
    uint64_t *origin_at;          // ff_sim.state_number at which these were computed  (nlimb)
    bool impulses;                // forces on limbs, forces of the ground, and distances slid are integrated
    double *impulse_rates;        // rates in this evaluation: 3*(nlimb + 1) forces, then slip rates
    double *slip_rates;           // at the end of an implicit step  [m/s]  (nlimb + 1)
    double *limb_pressure;        // scratch: normal force of the points of each limb  [N]  (nlimb)
    uint64_t loads_at, levers_at; // the same for their forces, and for their moments and places; 0: not known

    ff_world_listener *listeners;
    int nlistener, listener_capacity;
};

/// Does any law resist turning by a spring?
static inline bool ff_world_turns(const ff_world *w)
{
    return w->width > 3;
}

/// @return key of an ordered pair of shapes
static inline uint64_t ff_world_key(int shape1, int shape2)
{
    return (uint64_t)(unsigned)shape1 << 32 | (unsigned)shape2;
}

// The detector ccube (cells.c).
/// Adds points and cells of a geom to its item, where it is a box, a mesh or a point. @return false after an error,
/// which is in the report
bool ff_world_add_cells(ff_world *world, const ff_geom *geom, const char *name, ff_item *item, ff_report *report);
/// Reports a detector that has no shapes or does not fit the response.
void ff_world_check_cells(const ff_world *world, ff_report *report);
/// Does the detector ccube apply to two shapes?
bool ff_world_by_cells(const ff_item *one, const ff_item *two);
/// Finds the points of each shape inside the other; normals from 1 to 2. @return their number, at most
/// world->cell_points
int ff_world_collide_cells(const ff_world *world, const ff_item *one, const ff_item *two, ff_collide_point *out);

/// Adds a part for adhesion, where the model has such actuators. (apply.c)
ff_status ff_world_add_adhesion(ff_sim *sim, ff_world *world, ff_error *err);
/// Gives a new point a slot; it stays -1 when no slot is free.
void ff_world_open_slot(ff_world *world, ff_touch *touch);
/// Frees the slots of points that the last ff_world_find has not found; those in touch open first. @return whether one
/// has opened
bool ff_world_forget_lost(ff_world *world);
/// Counts a transition and calls the listeners.
void ff_world_report_transition(ff_world *world, const ff_touch *touch, int from, int to);

// Contact without compliance (impulse.c, rigid_*.c). All but the first need world->rigid.
ff_status ff_rigid_create(ff_world *world, ff_sim *sim, ff_error *err);
void ff_rigid_destroy(ff_world *world);
/// Lists memory that is saved with the simulation -> out, of three. @return its number
int ff_rigid_memory(const ff_world *world, ff_part_memory *out);
/// ff_part_inner.solve_error.
const char *ff_rigid_solve_error(const void *context, bool *ends);
/// Opens a point that is out of reach. @return true
bool ff_rigid_lose(ff_world *world, ff_touch *touch);
bool ff_rigid_accept(ff_world *world, ff_sim *sim);
/// @return value of the touch event of an open point: above zero when it overlaps and approaches
double ff_rigid_touch_value(const ff_touch *touch);
void ff_rigid_event_values(const ff_touch *touch, double values[FF_CONTACT_EVENT_COUNT]);
/// Handles an event of a point. @return whether anything changed
bool ff_rigid_event(ff_world *world, ff_sim *sim, ff_touch *touch, ff_contact_event event);
/// Adds the forces of lasting contacts to d->qacc. Needs the accelerations of the state in d.
/// @param power  of the ledger, may be NULL    @return false without a solution
bool ff_rigid_constrain(void *context, ff_sim *sim, double *power);
/// ff_part_inner.impulse: contacts of a semi-implicit step at velocity level; v is v + h qacc.
void ff_rigid_step(void *context, ff_sim *sim, double h, double *q, double *v);
/// Copies the forces at the current state to the touches.
void ff_rigid_forces(ff_world *world, ff_sim *sim);

/// Adds recorder channels of contacts and feet. (channels.c)
void ff_world_add_channels(void *context, struct ff_channel_list *list);
/// Adds channels of the places of feet and hands, for simulations without a world.
void ff_world_add_foot_places(struct ff_channel_list *list, const ff_model *model);
/// Lists the limbs of the model by body. @return false when out of memory (limbs.c)
bool ff_world_list_limbs(ff_world *world);
/// Finds the limbs of all shapes, and their bits in ff_foot.shapes. @return false when out of memory
bool ff_world_find_patches(ff_world *world);
/// Finds limb1 and limb2 of a point, once. Needs ff_dyn_kinematics.
void ff_world_name_limbs(const ff_world *world, const ff_data *d, ff_touch *touch);
/// Adds factor times a force at a point to the impulses of limbs and ground, or to their rates. Needs
/// ff_dyn_kinematics.
/// @param out  (3*(nlimb + 1))
void ff_world_add_impulse(const ff_world *world, const ff_data *d, ff_touch *touch, double factor,
                          const double force[3], double *out);
/// @return number of integrals of a world with `nlimb` limbs: impulses, then distances slid, each for limbs and ground
static inline int ff_world_nintegral(int nlimb)
{
    return 4 * (nlimb + 1);
}
/// Adds the slip speeds of the points evaluated last: of each limb the mean of its points by their normal forces, then
/// the sum over all pairs of shapes of the mean of their points. Points that stick do not slide.
/// @param rates  zero before  [m/s]  (nlimb + 1)
void ff_world_slip_rates(const ff_world *world, const ff_data *d, double *rates);
/// @return distance slid by all pairs of shapes since the start; NaN unless response `force`  [m]
double ff_world_slid(const ff_world *world, ff_sim *sim);
/// ff_world_feet without moments and places, which are those of an earlier state.
const ff_foot *ff_world_loads(ff_world *world, ff_sim *sim, int *count);
/// @return root node of the tree of a body; -1: the world
int ff_world_root(const ff_model *model, int body);
/// Does a foot or hand touch something at a contact that is not of its own robot?
bool ff_world_is_limb(const ff_world *world, const ff_world_contact *contact);
/// @return origin of the frame of a limb at the pose in d, computed once for a state
const double *ff_world_limb_origin(const ff_world *world, const ff_data *d, int limb);
/// @return limb of a contact of a shape at a place of the world, -1: none. Needs ff_dyn_kinematics
int ff_world_limb(const ff_world *world, const ff_data *d, int shape, const double place[3]);
/// May these two shapes meet?
bool ff_world_may_meet(const ff_world *world, int shape1, int shape2);

// Shapes that pairs of the model name (meet.c).
/// Lists them, when all geoms are read. @return false when out of memory
bool ff_world_list_pairs(ff_world *world);
/// ff_world_find_pair of two shapes that are both named by a pair.
int ff_world_search_pair(const ff_world *world, int shape1, int shape2);
/// @return number of the pair of two shapes, -1: none
static inline int ff_world_find_pair(const ff_world *w, int shape1, int shape2)
{
    return w->items[shape1].paired && w->items[shape2].paired ? ff_world_search_pair(w, shape1, shape2) : -1;
}
/// @return index of the law of two shapes in `laws`
static inline int ff_world_law_of(const ff_world *w, int shape1, int shape2)
{
    const int pair = ff_world_find_pair(w, shape1, shape2), n = w->nmaterial;
    return pair >= 0 ? n * n + pair : w->shapes[shape1].material * n + w->shapes[shape2].material;
}
/// Computes the law of a shape pair, or copies that of its materials where these were chosen by name.
ff_status ff_world_pair_law(ff_world *world, int shape_pair, ff_error *err);
/// @return row and column of a shape in `collision_excluded`: its node, the last one where it is fixed
static inline int ff_world_rank(const ff_world *w, const ff_item *it)
{
    return it->node < 0 ? w->model->nnode : it->node;
}
/// Allocates the memory for a simulation; called by ff_sim_add_world.
ff_status ff_world_size(ff_world *world, ff_error *err);

/// Finds the points. Needs ff_dyn_kinematics and ff_dyn_velocity.
void ff_world_find(ff_world *world, const ff_data *d);
/// @return time in which no shape moves farther than half the thinnest one, so that shapes do not pass through each
/// other in a step; infinite with fixed planes only. Needs ff_world_find  [s]
double ff_world_longest_step(const ff_world *world, const ff_data *d);
/// Adds the velocity of a node (-1: none) at a place of the world, and its spin, times the sign.
void ff_world_add_velocity(const ff_world *world, const ff_data *d, int node, const double place[3], double sign,
                           double velocity[3], double spin[3]);
/// Computes the velocity of body 2 against body 1 at a point -> touch->point.
void ff_world_motion(const ff_world *world, const ff_data *d, ff_touch *touch);
/// Evaluates the laws at the points found (unless they are known) and adds their wrenches to d->wrench.
/// @param z      states of the points in x  (ff_world_nstate)
/// @param spring_time  time for which springs are stretched: zero for explicit methods, the step for implicit  [s]
/// @param zdot         receives the rates of z, and impulse_rates those of the impulses; NULL: neither
/// @param slope        compute the slopes, too
void ff_world_apply(ff_world *world, ff_data *d, const double *z, double spring_time, double *zdot, bool slope);
/// @return number of states of all slots
static inline int ff_world_nstate(const ff_world *w)
{
    return w->width * w->most;
}
/// @return state of a point: that of its slot, with the springs in z; all zero without a slot
static inline ff_contact_state ff_world_state(const ff_world *w, const ff_touch *t, const double *z)
{
    if (t->slot < 0) return (ff_contact_state){0};
    ff_contact_state state = w->slots[t->slot].state;
    ff_vec3_copy(state.spring, z + w->width * t->slot);
    if (w->width > 3) ff_vec3_copy(state.turn, z + w->width * t->slot + 3);
    return state;
}

/// Writes the springs of a slot to z.
static inline void ff_world_write_springs(const ff_world *w, double *z, int slot, const ff_contact_state *state)
{
    ff_vec3_copy(z + w->width * slot, state->spring);
    if (w->width > 3) ff_vec3_copy(z + w->width * slot + 3, state->turn);
}

/// Computes the effective masses of all shapes at the present pose. @return false when the mass matrix is singular
bool ff_world_weigh(ff_world *world, ff_sim *sim);
/// @return effective mass of two shapes that push each other  [kg]
double ff_world_pair_mass(const ff_world *world, int shape1, int shape2);
/// Computes the inertia of what turns on a point, see ff_contact_point. Needs place, normal, ff_dyn_kinematics.
void ff_world_find_inertia(const ff_world *world, const ff_data *d, ff_touch *touch);

/// @return state of a point after ff_world_accept with FF_ACCEPT_WRITTEN; nothing changes
ff_contact_state ff_world_settled(const ff_world *world, const ff_touch *touch);
/// Makes transitions of points after an accepted step, and gives new points memory. Needs poses and velocities in d.
/// @param reason  with FF_ACCEPT_WRITTEN points get their modes as if they had just touched
/// @return whether z, or a force at this state, changed
bool ff_world_accept(void *context, ff_sim *sim, ff_accept_reason reason);

// Located events, whose signs depend on the modes of the points: functions of ff_part.
void ff_world_event_values(void *context, ff_data *d, const double *z, double *values);
void ff_world_event_signs(const void *context, int *signs);
bool ff_world_event(void *context, ff_sim *sim, int index, int direction);

/// Do both shapes belong to one robot (one tree of bodies)?
static inline bool ff_world_within_robot(const ff_world *w, int shape1, int shape2)
{
    return w->items[shape1].robot == w->items[shape2].robot && w->items[shape1].robot >= 0;
}
/// @return a point for callers
static inline ff_world_contact ff_world_contact_of(const ff_world *w, const ff_touch *t)
{
    return (ff_world_contact){.shape1 = t->shape1,
                              .shape2 = t->shape2,
                              .body1 = w->shapes[t->shape1].body,
                              .body2 = w->shapes[t->shape2].body,
                              .limb1 = t->limb1,
                              .limb2 = t->limb2,
                              .mode = t->state.mode,
                              .place = {t->place[0], t->place[1], t->place[2]},
                              .point = t->point,
                              .force = t->force};
}

#endif
