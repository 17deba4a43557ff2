// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of robots whose format does not describe them (URDF, MJCF): chains of joints from the trunk of a robot that
// floats to its lowest shapes. All joints are at their reference.
//     1. A body stands when its lowest point is near the lowest point of the robot (STANDS), and its own shapes reach
//        as far down as the bodies below it (LEVEL): a foot stands, the shin that carries it does not.
//     2. A branch is a child that stands or carries a body that stands. A leg begins below the last body with several
//        branches on the way down from the root.
//     3. A leg ends at the first body that stands (of several that are fixed to each other, at the last), or at a body
//        whose soles and toes stand, each behind one joint at most.
// Arms do not reach the ground. A wheel is no foot, and a robot that lies on its trunk has no legs. Native files name
// legs themselves (legs:), also those of a robot that they import.
#include "model/edit.h"

#include <footfall/collide.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STANDS     0.04  // of the height of the robot, above its lowest point
#define LEVEL      0.005 // of the same: bodies and shapes this close in height reach down equally
#define LEAST_TALL 1e-3  // [m]
#define CENTRED    0.1   // of the size of a wheel: how far its centre may lie from the axis of its joint
#define HUNG       0.25  // of the length of a capsule: how far its upper end may lie from the joint it hangs from
#define SAME_POINT 1e-6  // [m]
#define FAR_ABOVE  0.15  // of the height of the root: the frame of a foot so far above its sole is that of a shin

enum { MOST_FEET = 32 };

static const char SEPARATORS[] = "_-. ";

typedef struct box {
    double low[3], high[3]; // world; low > high: there is none
} box;

/// A body of the description, and how it stands.
typedef struct body_state {
    double pos[3], quat[4]; // of the body, world
    box shapes;             // that touch
    int first_joint;        // of its own, the others follow in next_joint; -1: none
    int njoint;             // own joints, less those by which the root floats
    int joints_above;       // joints from the root down to here
    int joints_below;       // most joints from here down to a body that stands
    double low;             // lowest point of its shapes and of bodies below it  [m]
    int branches;           // children that carry bodies that stand
    int rigid_branches;     // those of them without a joint
    int trunk;              // a leg that ends here begins below this body
    int foot;               // number of the foot it belongs to, -1: none
    bool of_robot;          // is the root or below it
    bool stands;
    bool carries;  // stands, or a body below it does
    bool on_chain; // from the root to a foot
} body_state;

typedef struct foot {
    int body, trunk;
    bool wheel;
    const char *name;
} foot;

typedef struct search {
    ff_spec *spec;
    body_state *bodies;
    int *next_joint; // of the same body, -1: none  (njoint)
    box *geoms;
    int root;
    double ground; // a body stands that reaches below this  [m]
    double level;  // and within this of the bodies below it  [m]
    foot feet[MOST_FEET];
    int nfoot;
    int trunk_on_ground; // body without a joint above it that stands on the ground, -1: none
    const char *file;
    ff_report *report;
} search;

// ------------------------------------------------------------------------------------------ shapes

static const box NOWHERE = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/// Enlarges a box so that it holds another.
static void enclose(box *to, const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = ff_min(to->low[k], low[k]);
        to->high[k] = ff_max(to->high[k], high[k]);
    }
}

/// Places the bodies in the world, and lists and counts their joints.
static void place_bodies(search *s)
{
    for (int i = 0; i < s->spec->nbody; i++) {
        const ff_spec_body *b = &s->spec->bodies[i];
        body_state *r = &s->bodies[i];
        *r = (body_state){.shapes = NOWHERE, .first_joint = -1, .low = INFINITY, .foot = -1, .trunk = s->root};
        ff_vec3_copy(r->pos, b->pos);
        ff_quat_copy(r->quat, b->quat);
        if (b->parent >= 0) ff_pose_displace(r->pos, r->quat, s->bodies[b->parent].pos, s->bodies[b->parent].quat);
        r->of_robot = i == s->root || (b->parent >= 0 && s->bodies[b->parent].of_robot);
    }
    for (int j = s->spec->njoint - 1; j >= 0; j--) {
        const int body = s->spec->joints[j].body;
        if (body < 0) continue;
        s->next_joint[j] = s->bodies[body].first_joint;
        s->bodies[body].first_joint = j;
        s->bodies[body].njoint += body != s->root;
    }
    for (int i = s->root + 1; i < s->spec->nbody; i++)
        if (s->bodies[i].of_robot)
            s->bodies[i].joints_above = s->bodies[s->spec->bodies[i].parent].joints_above + s->bodies[i].njoint;
}

/// Pose of a shape in the world.
static ff_pose pose_of(const search *s, const ff_spec_geom *g)
{
    const body_state *r = &s->bodies[g->body];
    ff_pose pose;
    double quat[4];
    ff_vec3_copy(pose.p, g->pos);
    ff_quat_copy(quat, g->quat);
    ff_pose_displace(pose.p, quat, r->pos, r->quat);
    ff_quat_to_mat3(pose.R, quat);
    return pose;
}

static void bound_mesh(const ff_spec_mesh *mesh, const ff_pose *pose, box *out)
{
    for (int i = 0; mesh->data && i < mesh->data->nvertex; i++) {
        double point[3], world[3];
        ff_quat_rotate(point, mesh->quat, mesh->data->vertices + 3 * i);
        ff_vec3_add(point, point, mesh->pos);
        ff_mat3_mulv(world, pose->R, point);
        ff_vec3_add(world, world, pose->p);
        enclose(out, world, world);
    }
}

static box bounds_of(const search *s, const ff_spec_geom *g)
{
    const ff_pose pose = pose_of(s, g);
    const ff_shape shape = {.type = g->type, .size = {g->size[0], g->size[1], g->size[2]}};
    ff_collider collider;
    box out = NOWHERE;
    if (g->type == FF_SHAPE_MESH && g->mesh >= 0)
        bound_mesh(&s->spec->meshes[g->mesh], &pose, &out);
    else if (g->type != FF_SHAPE_PLANE && ff_collider_from_shape(&collider, &shape))
        ff_collider_bounds(&collider, &pose, out.low, out.high);
    return out;
}

/// Does the shape belong to the robot, and can it touch?
static bool touches(const search *s, const ff_spec_geom *g)
{
    return g->body >= 0 && g->role != FF_GEOM_VISUAL && s->bodies[g->body].of_robot;
}

/// Finds the bounds of all shapes, `ground` and `level`. @return false: the robot has no shapes, or no height
static bool measure_height(search *s)
{
    box all = NOWHERE;
    for (int i = 0; i < s->spec->ngeom; i++) {
        const ff_spec_geom *g = &s->spec->geoms[i];
        if (!touches(s, g)) continue;
        s->geoms[i] = bounds_of(s, g);
        enclose(&s->bodies[g->body].shapes, s->geoms[i].low, s->geoms[i].high);
        enclose(&all, s->geoms[i].low, s->geoms[i].high);
    }
    s->level = LEVEL * (all.high[2] - all.low[2]);
    s->ground = all.low[2] + STANDS * (all.high[2] - all.low[2]);
    return all.high[2] - all.low[2] > LEAST_TALL;
}

// ------------------------------------------------------------------------------------------ chains

/// Marks what stands, from the ends of the chains up.
static void mark_standing(search *s)
{
    for (int i = s->spec->nbody - 1; i >= s->root; i--) {
        body_state *r = &s->bodies[i];
        if (!r->of_robot) continue;
        r->low = ff_min(r->low, r->shapes.low[2]);
        r->stands = r->shapes.low[2] <= ff_min(s->ground, r->low + s->level);
        r->carries = r->carries || r->stands;
        if (i == s->root) return;
        body_state *parent = &s->bodies[s->spec->bodies[i].parent];
        parent->low = ff_min(parent->low, r->low);
        if (!r->carries) continue;
        const int below = r->joints_below + r->njoint;
        parent->carries = true;
        parent->branches++;
        parent->rigid_branches += r->njoint == 0;
        if (below > parent->joints_below) parent->joints_below = below;
    }
}

/// Does a leg end at this body?
static bool is_foot(const body_state *r)
{
    if (r->stands) return r->branches != 1 || r->rigid_branches != 1;
    return (r->branches > 1 && r->joints_above > 0 && r->joints_below <= 1);
}

/// Adds to a foot the bodies above it that it is fixed to and that stand, too.
static void add_fixed(search *s, int body)
{
    const int number = s->bodies[body].foot;
    while (s->bodies[body].njoint == 0 && s->bodies[body].joints_above > 0) {
        body = s->spec->bodies[body].parent;
        if (s->bodies[body].stands) s->bodies[body].foot = number;
    }
}

/// Lists feet from the root down; bodies below a foot belong to it. @return false: there are more than MOST_FEET
static bool list_feet(search *s)
{
    s->bodies[s->root].on_chain = true;
    for (int i = s->root; i < s->spec->nbody; i++) {
        body_state *r = &s->bodies[i];
        if (!r->of_robot || !r->carries) continue;
        if (i != s->root) {
            const int parent = s->spec->bodies[i].parent;
            const body_state *up = &s->bodies[parent];
            r->foot = up->foot;
            r->on_chain = up->on_chain && up->foot < 0;
            r->trunk = up->branches > 1 ? parent : up->trunk;
        }
        if (!r->on_chain || !is_foot(r)) continue;
        if (r->joints_above == 0) s->trunk_on_ground = i;
        if (s->nfoot == MOST_FEET) return false;
        r->foot = s->nfoot;
        s->feet[s->nfoot++] = (foot){.body = i, .trunk = r->trunk};
        add_fixed(s, i);
    }
    return true;
}

/// Last joint of the chain to a body.
static int last_joint(const search *s, int body)
{
    while (s->bodies[body].njoint == 0) body = s->spec->bodies[body].parent; // there is one: joints_above > 0
    int joint = s->bodies[body].first_joint;
    while (s->next_joint[joint] >= 0) joint = s->next_joint[joint];
    return joint;
}

/// Anchor and unit axis of a joint, world.
static void find_axis(const search *s, const ff_spec_joint *joint, double anchor[3], double axis[3])
{
    const body_state *r = &s->bodies[joint->body];
    ff_quat_rotate(axis, r->quat, joint->axis);
    ff_vec3_scale(axis, axis, 1.0 / ff_vec3_norm(axis));
    ff_quat_rotate(anchor, r->quat, joint->pos);
    ff_vec3_add(anchor, anchor, r->pos);
}

/// Is it a body that turns without limits about a horizontal axis through the middle of its shapes?
static bool is_wheel(const search *s, int body)
{
    const ff_spec_joint *joint = &s->spec->joints[last_joint(s, body)];
    if (joint->type != FF_JOINT_HINGE || joint->limited || !s->bodies[body].stands) return false;
    const box *shapes = &s->bodies[body].shapes;
    double axis[3], anchor[3], middle[3], away[3], size = 0.0;
    find_axis(s, joint, anchor, axis);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (shapes->low[k] + shapes->high[k]) - anchor[k];
        size = ff_max(size, shapes->high[k] - shapes->low[k]);
    }
    ff_vec3_cross(away, axis, middle);
    return fabs(axis[2]) < 0.5 && ff_vec3_norm(away) < CENTRED * size;
}

// ------------------------------------------------------------------------------------------ names

/// Number of characters up to the last separator with which the names of all bodies of feet begin.
static size_t count_common_start(const search *s)
{
    const char *first = s->spec->bodies[s->feet[0].body].name;
    size_t n = strlen(first);
    for (int i = 1; i < s->nfoot; i++) {
        const char *name = s->spec->bodies[s->feet[i].body].name;
        size_t same = 0;
        while (same < n && name[same] == first[same]) same++;
        n = same;
    }
    while (n > 0 && !strchr(SEPARATORS, first[n - 1])) n--;
    return n;
}

/// The same of the characters with which they end, behind the first `start`.
static size_t count_common_end(const search *s, size_t start)
{
    const char *first = s->spec->bodies[s->feet[0].body].name;
    const size_t length = strlen(first);
    size_t n = length - start;
    for (int i = 1; i < s->nfoot; i++) {
        const char *name = s->spec->bodies[s->feet[i].body].name;
        const size_t other = strlen(name);
        size_t same = 0;
        while (same < n && same < other - start && name[other - 1 - same] == first[length - 1 - same]) same++;
        n = same;
    }
    while (n > 0 && !strchr(SEPARATORS, first[length - n])) n--;
    return n;
}

/// Legs are called after the bodies of their feet, less the words that all of these have in front and behind: FL_calf,
/// FR_calf, .. are FL, FR, ..
static void name_feet(search *s)
{
    const size_t start = s->nfoot > 1 ? count_common_start(s) : 0;
    const size_t end = s->nfoot > 1 ? count_common_end(s, start) : 0;
    for (int i = 0; i < s->nfoot; i++) {
        const char *name = s->spec->bodies[s->feet[i].body].name;
        const int left = (int)strlen(name) - (int)(start + end);
        s->feet[i].name = left > 0 ? ff_arena_printf(&s->spec->arena, "%.*s", left, name + start) : name;
    }
}

static bool is_taken(const ff_spec *spec, const char *frame)
{
    return ff_spec_find_frame(spec, frame) >= 0 || ff_spec_find_body(spec, frame) >= 0;
}

// ------------------------------------------------------------------------------------------ legs

/// Does a capsule hang from the last joint by one end, as shins do? One that a joint holds in its middle is a sole.
static bool hangs_from_joint(const search *s, int body, const ff_spec_geom *g, const ff_pose *pose)
{
    const double upper = pose->R[8] > 0.0 ? g->size[1] : -g->size[1];
    double axis[3], away[3];
    find_axis(s, &s->spec->joints[last_joint(s, body)], away, axis);
    for (int k = 0; k < 3; k++) away[k] -= pose->p[k] + upper * pose->R[3 * k + 2];
    return ff_vec3_norm(away) < HUNG * 2.0 * g->size[1];
}

/// Centre of the round end that a body stands on, in its frame; false: it stands on something else.
static bool find_round_end(const search *s, int body, double centre[3])
{
    const double reached = s->bodies[body].shapes.low[2] + s->level;
    bool found = false;
    for (int i = 0; i < s->spec->ngeom; i++) {
        const ff_spec_geom *g = &s->spec->geoms[i];
        if (g->body != body || !touches(s, g) || s->geoms[i].low[2] > reached) continue;
        if ((g->type != FF_SHAPE_SPHERE && g->type != FF_SHAPE_CAPSULE) || found) return false;
        const ff_pose pose = pose_of(s, g);
        if (g->type == FF_SHAPE_CAPSULE && !hangs_from_joint(s, body, g, &pose)) return false;
        const double half = g->type == FF_SHAPE_CAPSULE ? g->size[1] : 0.0;
        const double along[3] = {0.0, 0.0, pose.R[8] > 0.0 ? -half : half}; // its lower end
        ff_quat_rotate(centre, g->quat, along);
        ff_vec3_add(centre, centre, g->pos);
        found = true;
    }
    return found;
}

/// Name of a frame of the body at a place in it; NULL: there is none.
static const char *find_frame_at(const ff_spec *spec, int body, const double place[3])
{
    if (ff_vec3_norm(place) < SAME_POINT) return spec->bodies[body].name;
    for (int i = 0; i < spec->nframe; i++) {
        double away[3];
        ff_vec3_sub(away, spec->frames[i].pos, place);
        if (spec->frames[i].body == body && spec->frames[i].name && ff_vec3_norm(away) < SAME_POINT)
            return spec->frames[i].name;
    }
    return NULL;
}

/// Name of the frame of a foot: of its body, or of a frame in the middle of its round end, which is added if it is
/// missing; NULL without memory. @param radius  out: -1 (that of the shape) for a round end, else 0
static const char *find_frame(const search *s, const foot *f, double *radius)
{
    ff_spec *spec = s->spec;
    double centre[3] = {0.0, 0.0, 0.0};
    *radius = find_round_end(s, f->body, centre) ? -1.0 : 0.0;
    if (*radius == 0.0) return spec->bodies[f->body].name;
    const char *known = find_frame_at(spec, f->body, centre);
    if (known) return known;
    const char *name = ff_arena_printf(&spec->arena, "%s_foot_centre", f->name);
    for (int k = 2; name && is_taken(spec, name); k++)
        name = ff_arena_printf(&spec->arena, "%s_foot_centre%d", f->name, k);
    ff_spec_frame *frame = name ? ff_spec_add_frame(spec, name, f->body) : NULL;
    if (!frame) return NULL;
    ff_vec3_copy(frame->pos, centre);
    frame->place = spec->bodies[f->body].place;
    return name;
}

static int count_joints(const search *s, const foot *f)
{
    return s->bodies[f->body].joints_above - s->bodies[f->trunk].joints_above;
}

/// Names of the joints from the trunk to the foot. @return their number; 0: none, too many, or others than hinges and
/// slides
static int list_joints(const search *s, const foot *f, const char *joints[FF_LEG_JOINTS])
{
    const int all = count_joints(s, f);
    if (all > FF_LEG_JOINTS) return 0;
    int left = all;
    for (int body = f->body; left > 0; body = s->spec->bodies[body].parent) {
        left -= s->bodies[body].njoint;
        int at = left;
        for (int j = s->bodies[body].first_joint; j >= 0; j = s->next_joint[j]) {
            if (!ff_joint_is_scalar(s->spec->joints[j].type)) return 0;
            joints[at++] = s->spec->joints[j].name;
        }
    }
    return all;
}

/// The bodies with which a foot stands, where these are others than the body of its frame alone.
static int list_soles(const search *s, int number, const char *soles[FF_LIMB_BODIES])
{
    int n = 0, others = 0;
    for (int i = s->root; i < s->spec->nbody; i++) {
        if (s->bodies[i].foot != number || !s->bodies[i].stands) continue;
        others += i != s->feet[number].body;
        if (n < FF_LIMB_BODIES) soles[n++] = s->spec->bodies[i].name;
    }
    return others > 0 ? n : 0;
}

/// @return false: the chain is no leg, or there is no memory
static bool add_leg(const search *s, int number)
{
    const foot *f = &s->feet[number];
    ff_spec_leg found = {.place = s->spec->bodies[f->body].place};
    found.njoint = list_joints(s, f, found.joints);
    if (found.njoint == 0) return false;
    found.nsole = list_soles(s, number, found.soles);
    const char *frame = find_frame(s, f, &found.radius);
    ff_spec_leg *leg = frame ? ff_spec_add_leg(s->spec, f->name) : NULL;
    if (!leg) return false;
    found.name = leg->name; // the copy in the description, which the assignment below would lose
    found.foot = ff_spec_text(s->spec, frame);
    *leg = found;
    return true;
}

// ------------------------------------------------------------------------------------------ messages

static const char ADVICE[] =
    "a YAML file with 'import: %s' and 'legs: {NAME: {joints: [hip, .., knee], foot: FRAME}}' names others, FRAME at "
    "the sole";

/// "FL (hip, knee), FR, RL, RR"
static void write_legs(const ff_spec *spec, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < spec->nleg && used < size - 1; i++) {
        const ff_spec_leg *leg = &spec->legs[i];
        used += (size_t)snprintf(text + used, size - used, "%s%.60s", i > 0 ? ", " : "", leg->name);
        for (int k = 0; i == 0 && k < leg->njoint && used < size - 1; k++)
            used += (size_t)snprintf(text + used, size - used, "%s%.60s%s", k > 0 ? ", " : " (", leg->joints[k],
                                     k == leg->njoint - 1 ? ")" : "");
    }
}

/// Height of the frame of a foot above its lowest point; 0 where that is little, or the foot ends in a ball.  [m]
static double frame_above_sole(const search *s, const foot *f)
{
    const body_state *r = &s->bodies[f->body];
    double centre[3], low = r->low;
    if (find_round_end(s, f->body, centre)) return 0.0;
    const double above = r->pos[2] - low, stature = s->bodies[s->root].pos[2] - low;
    return above > FAR_ABOVE * stature ? above : 0.0;
}

static void warn_of_frames(const search *s)
{
    for (int i = 0; i < s->nfoot; i++) {
        const double above = frame_above_sole(s, &s->feet[i]);
        if (!(above > 0.0)) continue;
        ff_report_add(s->report, FF_WARNING, s->spec->bodies[s->feet[i].body].place,
                      "the foot of leg \"%s\" is the frame of body \"%s\", which lies %.3g m above its lowest shape: "
                      "gaits put that frame on the ground; give the leg a frame at the sole",
                      s->feet[i].name, s->spec->bodies[s->feet[i].body].name, above);
    }
}

static void report_legs(const search *s, const char *why_none)
{
    char legs[800] = "", advice[400];
    const char *slash = strrchr(s->file, '/');
    snprintf(advice, sizeof advice, ADVICE, slash ? slash + 1 : s->file);
    if (s->spec->nleg > 0) {
        write_legs(s->spec, legs, sizeof legs);
        ff_report_add(s->report, FF_NOTE, (ff_place){s->file, 0, 0},
                      "%d leg%s found, which end%s in the lowest shapes: %s; %s, 'legs: {}' none", s->spec->nleg,
                      s->spec->nleg > 1 ? "s" : "", s->spec->nleg > 1 ? "" : "s", legs, advice);
        warn_of_frames(s);
    } else if (why_none) {
        ff_report_add(s->report, FF_NOTE, (ff_place){s->file, 0, 0}, "no legs found: %s; %s", why_none, advice);
    }
}

/// Why no chain is a leg.
static const char *why_no_leg(const search *s)
{
    for (int i = 0; i < s->nfoot; i++) {
        const int joints = count_joints(s, &s->feet[i]);
        if (joints > FF_LEG_JOINTS)
            return ff_arena_printf(&s->spec->arena, "the chain to body \"%s\" has %d joints, a leg at most %d",
                                   s->spec->bodies[s->feet[i].body].name, joints, FF_LEG_JOINTS);
    }
    return "no chain of hinges and slides ends in its lowest shapes";
}

/// @return why the robot has no legs; NULL: it has some, or is no robot
static const char *add_legs(search *s)
{
    ff_spec *spec = s->spec;
    int wheels = 0, legs = 0;
    const char *wheel = NULL;
    if (s->trunk_on_ground >= 0)
        return ff_arena_printf(&spec->arena, "with its joints at their reference it lies on body \"%s\"",
                               spec->bodies[s->trunk_on_ground].name);
    for (int i = 0; i < s->nfoot; i++) {
        s->feet[i].wheel = is_wheel(s, s->feet[i].body);
        if (s->feet[i].wheel) wheel = spec->bodies[s->feet[i].body].name;
        wheels += s->feet[i].wheel;
    }
    if (s->nfoot == 1 && s->bodies[s->feet[0].body].joints_above < 2) return NULL; // a single body on a joint
    for (int i = 0; i < s->nfoot && !spec->arena.failed; i++)
        if (!s->feet[i].wheel && s->feet[i].name) legs += add_leg(s, i);
    if (legs > 0) return NULL;
    return wheels > 0 ? ff_arena_printf(&spec->arena, "it stands on wheels (%d, such as \"%s\")", wheels, wheel)
                      : why_no_leg(s);
}

static void find(search *s)
{
    const char *why_none = "it has no shapes that touch";
    place_bodies(s);
    if (measure_height(s)) {
        mark_standing(s);
        why_none = ff_arena_printf(&s->spec->arena, "more than %d of its bodies stand", MOST_FEET);
        if (list_feet(s)) {
            name_feet(s);
            why_none = add_legs(s);
        }
    }
    report_legs(s, why_none);
}

/// The body that floats and carries joints, by a free joint or, in a plane, by two slides; -1: none or several.
/// @param other  out: another such body, -1: none
static int find_root(const ff_spec *spec, ff_arena *scratch, int *other)
{
    int *slides = FF_ARENA_NEW(scratch, int, spec->nbody + 1), *root_of = FF_ARENA_NEW(scratch, int, spec->nbody + 1);
    int root = -1;
    if (!slides || !root_of) return -1;
    for (int j = 0; j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (joint->body < 0 || spec->bodies[joint->body].parent >= 0) continue;
        if (joint->type == FF_JOINT_FREE) slides[joint->body] = 2;
        if (joint->type == FF_JOINT_SLIDE) slides[joint->body]++;
    }
    for (int i = 0; i < spec->nbody; i++) {
        const int parent = spec->bodies[i].parent;
        if (parent >= i) return -1; // a description made by hand in another order
        root_of[i] = parent >= 0 ? root_of[parent] : slides[i] >= 2 ? i : -1;
    }
    for (int j = 0; j < spec->njoint; j++) {
        const int body = spec->joints[j].body, on = body >= 0 ? root_of[body] : -1;
        if (on < 0 || on == body || on == root) continue; // objects that float without joints are no robots
        *other = root;
        root = on;
        if (*other >= 0) return -1;
    }
    return root;
}

void ff_find_legs(ff_spec *spec, const char *file, ff_report *report)
{
    ff_arena scratch = {0};
    int other = -1;
    search s = {.spec = spec, .root = spec->nleg == 0 ? find_root(spec, &scratch, &other) : -1, .trunk_on_ground = -1};
    s.file = file;
    s.report = report;
    if (s.root >= 0) {
        s.bodies = FF_ARENA_NEW(&scratch, body_state, spec->nbody);
        s.next_joint = FF_ARENA_NEW(&scratch, int, spec->njoint);
        s.geoms = FF_ARENA_NEW(&scratch, box, spec->ngeom + 1);
        if (s.bodies && s.next_joint && s.geoms) find(&s);
    } else if (other >= 0) {
        report_legs(&s,
                    ff_arena_printf(&scratch, "several robots float, \"%s\" is one of them", spec->bodies[other].name));
    }
    ff_arena_clear(&scratch);
}
