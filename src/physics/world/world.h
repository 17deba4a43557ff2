// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the world of contacts, for the files of this room. One evaluation is ff_world_find (where shapes meet at
// the poses and velocities in d), then ff_world_apply (forces by the laws). Both are pure: they read the memory of the
// points (slots) and write scratch only, so that an integrator may evaluate any trial state. The memory changes in
// ff_world_accept and ff_world_event.
//     world.c     shapes, materials, laws                 meet.c      which shapes may meet, and by what law
//     find.c      where they meet                         apply.c     forces of the points, adhesion
//     update.c    transitions, events, memory of points   impulse.c   impulses and complementarity, with rigid_*.c
//     part.c      the world as a part of a simulation     read.c      what callers may read
//     limbs.c     which limb touches                      feet.c      states of feet and hands, balance of robots
//     weigh.c     effective masses of shapes              channels.c  channels of recorders
//     response.c  names of responses
#ifndef FOOTFALL_WORLD_WORLD_H
#define FOOTFALL_WORLD_WORLD_H

#include "engine/system.h"

#include <footfall/world.h>

/// A shape where it is.
typedef struct ff_item {
    int node;         // -1: fixed
    int robot;        // topmost body above it, -1: the ground itself
    int patch;        // points it stands on when it lies flat; the stiffness of a pair is shared by so many
    bool fixed_plane; // tested against moving shapes one by one, not by the broad phase
    bool turned;      // pose.R belongs to the state found last
    bool paired;      // a pair of the model names it
    int mocap;        // which of ff_model.mocaps carries it, -1: none
    uint32_t type, affinity;
    double reach;         // radius about its frame's origin that holds all of it  [m]
    double sight;         // beyond the margin: distance it moves in a step at velocity level  [m]
    ff_pose local;        // in the node's frame
    ff_pose pose;         // in the world
    int *meets;           // of a fixed plane: the moving shapes it may meet
    int nmeet;            //
    int broad;            // number in the broad phase, -1: none
    const double *points; // for the detector ccube, in the frame of the shape  (3*npoint)
    int npoint;           // 0: it goes the exact way
    ff_ccube *cells;      // triangles for the same detector, owned; NULL: none
    int limb;             // that all its touches belong to, -1: none; FF_LIMB_BY_PLACE
} ff_item;

/// Sets the position of a shape on a node for the state in d; ff_item_turn sets its axes, which few shapes need.
static inline void ff_item_place(const ff_model *m, const ff_data *d, ff_item *it)
{
    const ff_pose *node = &d->pose[it->node];
    const double *origin = d->tree_origin + 3 * m->nodes[it->node].tree;
    double p[3];
    ff_mat3_mulv(p, node->R, it->local.p);
    for (int i = 0; i < 3; i++) it->pose.p[i] = origin[i] + (node->p[i] + p[i]);
    it->turned = false;
}

static inline void ff_item_turn(const ff_data *d, ff_item *it)
{
    if (it->node < 0 || it->turned) return;
    ff_mat3_mul(it->pose.R, d->pose[it->node].R, it->local.R);
    it->turned = true;
}

/// Of a shape that touches partly as a limb and partly as something else: a shin with its foot at the end.
enum { FF_LIMB_BY_PLACE = -2 };

/// Effective masses of a shape at the start pose; saved, since a run that resumes starts elsewhere.
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

/// Memory of a point. Springs live in x.
typedef struct ff_slot {
    uint64_t pair;          // shapes, see ff_world_key; UINT64_MAX: free
    uint64_t id;            // features that meet
    double place[3];        // world  [m]
    double share;           // of its stiffness
    ff_contact_state state; // spring and turn are read from x
} ff_slot;

/// A slot in use, in the order of pairs.
typedef struct ff_slot_order {
    uint64_t pair;
    int64_t slot;
} ff_slot_order;

/// What is saved with the simulation besides the slots.
typedef struct ff_world_memory {
    int64_t used;   // slots in use
    int64_t lowest; // no slot below this is free
    ff_world_counts counts;
    int64_t weighed; // not 0: the weights of the shapes are known
    double longest;  // step within which no shape passes another; 0: not known yet  [s]
} ff_world_memory;

/// Contact without compliance (rigid.h).
typedef struct ff_rigid ff_rigid;

struct ff_world {
    ff_arena arena;
    const ff_model *model;
    ff_sim *sim;
    int part; // number in the simulation
    double margin;
    double ahead; // of steps at velocity level: their length; otherwise 0  [s]
    bool self_collision;
    bool *collision_excluded; // nodes of one robot that overlap at the start; NULL: none  ((nnode+1)^2)
    ff_response response;
    ff_detector detector;
    int cells;                    // ccube: a side
    double cell_depth;            // ccube: how far behind a triangle a point still touches  [m]
    double ncell;                 // bound of the cells of all shapes
    ff_collide_point *cell_found; // points of two shapes  (cell_points)
    int cell_points;

    ff_world_shape *shapes;
    ff_item *items;
    ff_weight *weights; // (nshape)
    int nshape, shape_capacity, item_capacity;
    ff_convex **convexes; // owned
    ff_surface **surfaces;
    int nconvex, nsurface;
    double thinnest;      // half the thickness that two shapes must pass to be beyond each other, at least  [m]
    int *moving, nmoving; // shapes on moving nodes
    int *planes, nplane;  // fixed planes

    ff_material *materials;
    int nmaterial, material_capacity;
    bool mjcf;                      // geoms of MJCF have its numbers
    ff_mjcf_surface *mjcf_surfaces; // of materials that come from MJCF; numbers.given is false for others  (nmaterial)
    int surface_capacity;
    double *inverse_masses; // 1 / effective mass of each body, NULL: no geom says how hard it is  [1/kg] (nbody)
    ff_contact_pair *laws;  // of each two materials, nmaterial x nmaterial, then of each shape pair  (nlaw)
    bool *lawful;           // the same: can be used
    int nlaw;
    ff_shape_pair *shape_pairs; // by key
    int nshape_pair;
    ff_world_pair *pairs;
    int npair;

    ff_broad *broad; // NULL: planes and one robot need none
    int *broad_shape, nbroad;
    double *low, *high;

    int most;             // slots
    int width;            // states of a slot in x: spring, and turn where some law resists turning
    ff_slot *slots;       // (most)
    ff_slot_order *order; // of those in use  (most)
    uint32_t *taken;      // find that used the slot last  (most)
    uint32_t stamp;
    ff_world_memory *memory;

    ff_rigid *rigid;                     // NULL: contacts have forces by their laws
    ff_contact_interface contact_points; // for implicit steps
    int32_t *after;                      // modes of slots at the end of one, OPEN: not known  (most)

    ff_touch *touches; // found last
    int ntouch, touch_capacity;
    uint64_t found_at;          // ff_sim.state_number they were found at
    uint64_t forces_at;         // the same for their forces, in their present modes; 0: not known
    uint64_t copied_at;         // the same for `contacts`
    double *rows;               // work of weighing  (6*nv)
    ff_world_contact *contacts; // for callers  (touch_capacity)
    ff_world_power power;       // of the last evaluation

    int *limb_of; // limb that names a body, -1: none  (nbody)
    int *foot_first,
        // limbs without named bodies, by the node of their frame: the first (nnode), and those after it (nlimb)
        *foot_next;
    int *patch;                   // bit of a shape in ff_foot.shapes  (nshape)
    ff_foot *feet;                // (nlimb)
    int *foot_points;             // numbers of their contacts, by foot  (2*touch_capacity)
    double *foot_origin;          // of their frames, world  (3*nlimb)
    uint64_t *origin_at;          // ff_sim.state_number it was computed at  (nlimb)
    bool impulses;                // forces of the limbs, and of the ground on all, and ways slid are integrated
    double *impulse_rates;        // where they go in this evaluation: 3*(nlimb + 1) forces, then ways as below
    double *slip_rates;           // of the end of an implicit step  (nlimb + 1)  [m/s]
    double *limb_pressure;        // scratch: normal force of the points of each  (nlimb)  [N]
    uint64_t loads_at, levers_at; // the same for their forces, and for their moments and places; 0: not known

    ff_world_listener *listeners;
    int nlistener, listener_capacity;
};

/// Does any law resist turning, by a spring?
static inline bool ff_world_turns(const ff_world *w)
{
    return w->width > 3;
}

static inline uint64_t ff_world_key(int shape1, int shape2)
{
    return (uint64_t)(unsigned)shape1 << 32 | (unsigned)shape2;
}

// The detector ccube (cells.c).
/// Points and cells of a geom, where it is a box, a mesh or a point. False when reported.
bool ff_world_add_cells(ff_world *world, const ff_geom *geom, const char *name, ff_item *item, ff_report *report);
/// Reports a detector that has nothing to do or does not go with the response.
void ff_world_check_cells(const ff_world *world, ff_report *report);
/// Do two shapes meet by points and triangles?
bool ff_world_by_cells(const ff_item *one, const ff_item *two);
/// Points of either shape inside the other; normals from 1 to 2. @return how many, at most world->cell_points
int ff_world_collide_cells(const ff_world *world, const ff_item *one, const ff_item *two, ff_collide_point *out);

/// Adds the part of adhesion, where the model has such actuators. (apply.c)
ff_status ff_world_add_adhesion(ff_sim *sim, ff_world *world, ff_error *err);
/// Memory for a point that is new; its slot stays -1 when there is none left.
void ff_world_open_slot(ff_world *world, ff_touch *touch);
/// Drops the memory of points that were not found last; those in touch open first. @return whether one did
bool ff_world_forget_lost(ff_world *world);
/// Counts a transition and calls the listeners.
void ff_world_report_transition(ff_world *world, const ff_touch *touch, int from, int to);

// Contact without compliance (impulse.c, rigid_*.c); world->rigid is there.
ff_status ff_rigid_create(ff_world *world, ff_sim *sim, ff_error *err);
void ff_rigid_destroy(ff_world *world);
/// What is saved with the simulation. @return how many pieces were written to `out`, room for three
int ff_rigid_memory(const ff_world *world, ff_part_memory *out);
/// Why contacts could not be solved for; *ends: the run must end for it.
const char *ff_rigid_solve_error(const void *context, bool *ends);
/// Memory of a point that went out of reach: it is open. @return whether that is new
bool ff_rigid_lose(ff_world *world, ff_touch *touch);
bool ff_rigid_accept(ff_world *world, ff_sim *sim);
/// Of a point that is open: above zero when it touches and approaches. One that left while it overlapped a little and
/// comes back counts too.
double ff_rigid_touch_value(const ff_touch *touch);
void ff_rigid_event_values(const ff_touch *touch, double values[FF_CONTACT_EVENT_COUNT]);
/// The event of a touch happened. @return whether anything changed
bool ff_rigid_event(ff_world *world, ff_sim *sim, ff_touch *touch, ff_contact_event event);
/// Forces of lasting contacts: d->qacc without them becomes that with them. Needs everything of the state in d.
/// @param power  of the ledger, may be NULL
bool ff_rigid_constrain(void *context, ff_sim *sim, double *power);
/// Between the two halves of a semi-implicit step: v holds v + h qacc. Bodies in flight are moved a little, too.
void ff_rigid_step(void *context, ff_sim *sim, double h, double *q, double *v);
/// Forces at the current state into the touches.
void ff_rigid_forces(ff_world *world, ff_sim *sim);

/// Recorder channels of contacts and feet; places of the feet alone, where there is no world. (channels.c)
void ff_world_add_channels(void *context, struct ff_channel_list *list);
void ff_world_add_foot_places(struct ff_channel_list *list, const ff_model *model);
/// Lists the limbs of the model by body; finds their shapes and numbers them, once all are there. False when memory is
/// short. (feet.c)
bool ff_world_find_feet(ff_world *world);
bool ff_world_find_patches(ff_world *world);
/// Fills limb1 and limb2 of the contact, once. Needs ff_dyn_kinematics.
void ff_world_name_limbs(const ff_world *world, const ff_data *d, ff_touch *touch);
/// Adds a part of a force at a point to the impulses of limbs and ground, or to their rates. Needs ff_dyn_kinematics.
/// @param out  (3*(nlimb + 1))
void ff_world_add_impulse(const ff_world *world, const ff_data *d, ff_touch *touch, double part, const double force[3],
                          double *out);
/// Numbers of what the world integrates, of the world's model.
static inline int ff_world_nintegral(int nlimb)
{
    return 4 * (nlimb + 1);
}
/// Rates of the ways slid at the points evaluated last: of each limb, mean of its points by their normal forces, then
/// of all pairs of shapes, each the mean of its points. Points that stick do not slide.  (nlimb + 1)  [m/s]
/// @param rates  zero before
void ff_world_slip_rates(const ff_world *world, const ff_data *d, double *rates);
/// Way slid of all pairs of shapes since the start; NaN unless response `force`.  [m]
double ff_world_slid(const ff_world *world, ff_sim *sim);
/// ff_world_feet without what shows where a foot is loaded: moments and places are those of an earlier state.
const ff_foot *ff_world_loads(ff_world *world, ff_sim *sim, int *count);
/// The node on which everything stands that hangs together with a body; -1: the world.
int ff_world_root(const ff_model *model, int body);
/// Does a foot or hand touch there something that is not of its own robot?
bool ff_world_is_limb(const ff_world *world, const ff_world_contact *contact);
/// Origin of the frame of a limb at the (q, v) in d, found once for it.
const double *ff_world_limb_origin(const ff_world *world, const ff_data *d, int limb);
/// The limb of a shape that touches at a place of the world, -1: none. Needs ff_dyn_kinematics.
int ff_world_limb(const ff_world *world, const ff_data *d, int shape, const double place[3]);
/// Are these two shapes allowed to meet?
bool ff_world_may_meet(const ff_world *world, int shape1, int shape2);

// Shapes that pairs of the model name (meet.c).
/// Lists them, once all geoms are shapes. @return false without memory
bool ff_world_list_pairs(ff_world *world);
/// ff_world_find_pair of two shapes that are both named by one.
int ff_world_search_pair(const ff_world *world, int shape1, int shape2);
/// @return which of them the two shapes are, -1: none
static inline int ff_world_find_pair(const ff_world *w, int shape1, int shape2)
{
    return w->items[shape1].paired && w->items[shape2].paired ? ff_world_search_pair(w, shape1, shape2) : -1;
}
/// Law of two shapes, an index of `laws`.
static inline int ff_world_law_of(const ff_world *w, int shape1, int shape2)
{
    const int pair = ff_world_find_pair(w, shape1, shape2), n = w->nmaterial;
    return pair >= 0 ? n * n + pair : w->shapes[shape1].material * n + w->shapes[shape2].material;
}
/// Fills the law of a shape pair, or copies that of its materials where these were chosen by name.
ff_status ff_world_pair_law(ff_world *world, int shape_pair, ff_error *err);
/// Row and column of a shape in `apart`: its node, the last where it is fixed.
static inline int ff_world_rank(const ff_world *w, const ff_item *it)
{
    return it->node < 0 ? w->model->nnode : it->node;
}
/// Sizes everything for a simulation; called by ff_sim_add_world.
ff_status ff_world_size(ff_world *world, ff_error *err);

/// Finds the points. Needs ff_dyn_kinematics and ff_dyn_velocity.
void ff_world_find(ff_world *world, const ff_data *d);
/// Time in which nothing moves farther than half the thinnest shape, so that objects cannot pass through each other
/// between two evaluations. Infinite where there are fixed planes only. Needs ff_world_find.  [s]
double ff_world_longest_step(const ff_world *world, const ff_data *d);
/// Adds the velocity of a node (-1: none) at a place of the world, and its spin, times the sign.
void ff_world_add_velocity(const ff_world *world, const ff_data *d, int node, const double place[3], double sign,
                           double velocity[3], double spin[3]);
/// Velocity of body 2 against body 1 at the point.
void ff_world_motion(const ff_world *world, const ff_data *d, ff_touch *touch);
/// Evaluates the laws at the points found (unless they are known) and adds their wrenches to d->wrench.
/// @param z      states of the points in x  (ff_world_nstate)
/// @param ahead  springs are taken where they are this much later: zero for explicit methods, the step for implicit
///     ones  [s]
/// @param zdot   rates of z, and those of the impulses go to impulse_rates; NULL: neither
/// @param slope  fill the slopes too
void ff_world_apply(ff_world *world, ff_data *d, const double *z, double ahead, double *zdot, bool slope);
static inline int ff_world_nstate(const ff_world *w)
{
    return w->width * w->most;
}
/// State of a point: its slot's, with the springs in z; all zero without a slot.
static inline ff_contact_state ff_world_state(const ff_world *w, const ff_touch *t, const double *z)
{
    if (t->slot < 0) return (ff_contact_state){0};
    ff_contact_state state = w->slots[t->slot].state;
    ff_vec3_copy(state.spring, z + w->width * t->slot);
    if (w->width > 3) ff_vec3_copy(state.turn, z + w->width * t->slot + 3);
    return state;
}

/// Springs of a slot -> z.
static inline void ff_world_write_springs(const ff_world *w, double *z, int slot, const ff_contact_state *state)
{
    ff_vec3_copy(z + w->width * slot, state->spring);
    if (w->width > 3) ff_vec3_copy(z + w->width * slot + 3, state->turn);
}

/// Effective masses of all shapes at the present pose. @return false when the mass matrix is singular
bool ff_world_weigh(ff_world *world, ff_sim *sim);
/// Effective mass of two shapes pushed against each other.  [kg]
double ff_world_pair_mass(const ff_world *world, int shape1, int shape2);
/// Fills the inertia of what turns on a point, see ff_contact_point. Needs place, normal, ff_dyn_kinematics.  [kg m^2]
void ff_world_find_inertia(const ff_world *world, const ff_data *d, ff_touch *touch);

/// State of a point as ff_world_accept(.., FF_ACCEPT_WRITTEN) will leave it; nothing changes.
ff_contact_state ff_world_settled(const ff_world *world, const ff_touch *touch);
/// After an accepted step: transitions that are due, memory for new points. Poses and velocities in
/// d must be current.
/// @param reason  FF_ACCEPT_WRITTEN: the state was written from outside: points find their modes as if they had just
/// touched
/// @return whether z, or a force at this state, changed
bool ff_world_accept(void *context, ff_sim *sim, ff_accept_reason reason);

// Located events, whose signs follow from the modes of the points: functions of ff_part.
void ff_world_event_values(void *context, ff_data *d, const double *z, double *values);
void ff_world_event_signs(const void *context, int *signs);
bool ff_world_event(void *context, ff_sim *sim, int index, int direction);

/// Do both shapes belong to one robot (one tree of bodies)?
static inline bool ff_world_within_robot(const ff_world *w, int shape1, int shape2)
{
    return w->items[shape1].robot == w->items[shape2].robot && w->items[shape1].robot >= 0;
}
/// A point as callers see it.
static inline ff_world_contact ff_world_show(const ff_world *w, const ff_touch *t)
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
