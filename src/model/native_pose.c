// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Named poses of native robots, in the order of coordinates that the compiler will give the joints. Poses that came by
// an import follow what the file changes: numbers go by the names of joints and actuators, so that joints may be
// locked and added.
#include "model/names.h"
#include "model/native.h"

#include <footfall/text.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ coordinates

/// Where each joint's coordinates lie: joints in depth-first order of the bodies, as the compiler numbers them.
typedef struct layout {
    int *qadr, *vadr;     // (njoint)
    int *child, *sibling; // of bodies, first and next  (nbody)
    int *first, *next;    // joints of a body  (nbody), (njoint)
    int nq, nv;
} layout;

static bool layout_alloc(layout *l, const ff_spec *spec)
{
    size_t nb = (size_t)spec->nbody + 1, nj = (size_t)spec->njoint + 1;
    l->qadr = malloc((3 * nb + 3 * nj) * sizeof(int));
    if (!l->qadr) return false;
    l->vadr = l->qadr + nj;
    l->next = l->vadr + nj;
    l->child = l->next + nj;
    l->sibling = l->child + nb;
    l->first = l->sibling + nb;
    return true;
}

/// Links bodies under child[parent + 1] (0: the world) and joints under first[body], each in order of adding.
static void layout_link(layout *l, const ff_spec *spec)
{
    for (int b = 0; b <= spec->nbody; b++) l->child[b] = l->first[b] = -1;
    for (int b = spec->nbody - 1; b >= 0; b--) {
        int parent = spec->bodies[b].parent + 1;
        l->sibling[b] = l->child[parent];
        l->child[parent] = b;
    }
    for (int j = spec->njoint - 1; j >= 0; j--) {
        l->next[j] = l->first[spec->joints[j].body];
        l->first[spec->joints[j].body] = j;
    }
}

static bool layout_make(layout *l, const ff_spec *spec)
{
    if (!layout_alloc(l, spec)) return false;
    layout_link(l, spec);
    l->nq = l->nv = 0;
    for (int b = l->child[0]; b >= 0;) {
        for (int j = l->first[b]; j >= 0; j = l->next[j]) {
            l->qadr[j] = l->nq;
            l->vadr[j] = l->nv;
            l->nq += ff_joint_nq(spec->joints[j].type);
            l->nv += ff_joint_nv(spec->joints[j].type);
        }
        if (l->child[b + 1] >= 0) {
            b = l->child[b + 1];
            continue;
        }
        while (b >= 0 && l->sibling[b] < 0) b = spec->bodies[b].parent; // climb until there is a next branch
        if (b >= 0) b = l->sibling[b];
    }
    return true;
}

static void rest_position(const ff_spec *spec, const layout *l, double *q)
{
    for (int j = 0; j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        const ff_spec_body *body = &spec->bodies[joint->body];
        double *at = q + l->qadr[j];
        if (joint->type == FF_JOINT_FREE) {
            ff_vec3_copy(at, body->pos);
            ff_quat_copy(at + 3, body->quat);
        } else if (joint->type == FF_JOINT_BALL) {
            ff_quat_identity(at);
        } else if (joint->type != FF_JOINT_PLANAR) {
            at[0] = joint->ref;
        }
    }
}

// ------------------------------------------------------------------------------------------ poses of this file

void ff_native_position(ff_yaml *node, ff_joint_type type, double *q, ff_report *report)
{
    double pos[3] = {0}, quat[4];
    switch (type) {
    case FF_JOINT_BALL:
        ff_quat_copy(quat, q);
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{rpy: ..} or {quat: ..} of a ball joint", report)) return;
        ff_yaml_pose(node, pos, quat, report);
        ff_quat_copy(q, quat);
        return;
    case FF_JOINT_FREE:
        if (ff_yaml_expect(node, FF_YAML_MAP, "{pos: .., rpy: ..} of a free joint", report))
            ff_yaml_pose(node, q, q + 3, report);
        return;
    case FF_JOINT_PLANAR:
        ff_yaml_as_numbers(node, q, 3, 3, report);
        return;
    default:
        if (ff_yaml_in_unit(node, type == FF_JOINT_SLIDE ? "m" : "rad", report)) ff_yaml_as_number(node, q, report);
    }
}

static void read_pose_joints(const ff_native *n, ff_yaml *joints, const layout *l, double *q)
{
    if (!ff_yaml_expect(joints, FF_YAML_MAP, "joint positions as 'name: value'", n->report)) return;
    double work = 0.0;
    for (ff_yaml *node = joints->child; node; node = node->next) {
        node->used = true;
        int found = 0;
        work += n->spec->njoint;
        if (work > 1e7) {
            ff_report_add(n->report, FF_ERROR, node->key_place, "too many joint positions");
            return;
        }
        for (int j = 0; j < n->spec->njoint; j++) {
            const ff_spec_joint *joint = &n->spec->joints[j];
            if (!joint->name || !ff_text_matches(node->key, joint->name)) continue;
            ff_native_position(node, joint->type, q + l->qadr[j], n->report);
            found++;
        }
        if (found == 0) ff_report_add(n->report, FF_ERROR, node->key_place, "no joint '%.60s'", node->key);
    }
}

void ff_native_poses(ff_native *n, ff_yaml *poses)
{
    if (!ff_yaml_expect(poses, FF_YAML_MAP, "poses as 'name: {joint: value}'", n->report)) return;
    layout l = {0};
    if (!layout_make(&l, n->spec)) return;
    for (ff_yaml *node = poses->child; node; node = node->next) {
        node->used = true;
        if ((double)l.nq * n->spec->nkey > 1e6) {
            ff_report_add(n->report, FF_ERROR, node->key_place, "%d poses of %d numbers are too many", n->spec->nkey,
                          l.nq);
            break;
        }
        double *q = FF_ARENA_NEW(&n->spec->arena, double, l.nq + 1);
        ff_spec_key *key = q ? ff_spec_add_key(n->spec, node->key) : NULL;
        if (!key) break;
        key->place = ff_native_place(n, node->key_place);
        key->q = q;
        key->nq = l.nq;
        rest_position(n->spec, &l, q);
        read_pose_joints(n, node, &l, q);
    }
    free(l.qadr);
}

// ------------------------------------------------------------------------------------------ poses of an import

/// A joint as the poses of an import know it.
typedef struct placed_joint {
    const char *name;
    ff_joint_type type;
    double ref;
    int qadr, vadr;
} placed_joint;

struct ff_native_order {
    placed_joint *joints;
    ff_spec_actuator *actuators;
    ff_names joint_names, actuator_names;
    int njoint, nq, nv, nactuator;
};

typedef struct ff_native_order order;

bool ff_native_note_order(ff_native *n)
{
    ff_spec *spec = n->spec;
    layout l = {0};
    if (spec->nkey == 0) return true;
    order *o = FF_ARENA_NEW(&spec->arena, order, 1);
    if (!o || !layout_make(&l, spec)) return false;
    *o = (order){.njoint = spec->njoint, .nq = l.nq, .nv = l.nv, .nactuator = spec->nactuator};
    o->joints = FF_ARENA_NEW(&spec->arena, placed_joint, spec->njoint + 1);
    o->actuators = FF_ARENA_NEW(&spec->arena, ff_spec_actuator, spec->nactuator + 1);
    bool fine = o->joints && o->actuators && ff_names_init(&o->joint_names, &spec->arena, spec->njoint) &&
                ff_names_init(&o->actuator_names, &spec->arena, spec->nactuator);
    for (int j = 0; fine && j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        o->joints[j] = (placed_joint){joint->name, joint->type, joint->ref, l.qadr[j], l.vadr[j]};
        if (joint->name) ff_names_put(&o->joint_names, joint->name, j);
    }
    for (int i = 0; fine && i < spec->nactuator; i++) {
        o->actuators[i] = spec->actuators[i];
        if (o->actuators[i].name) ff_names_put(&o->actuator_names, o->actuators[i].name, i);
    }
    free(l.qadr);
    n->order = fine ? o : NULL;
    return fine;
}

void ff_native_move_poses(ff_native *n, const double pos[3], const double quat[4])
{
    const ff_spec *spec = n->spec;
    const order *o = n->order;
    for (int j = 0; o && j < spec->njoint; j++) {
        const placed_joint *joint = &o->joints[j];
        if (joint->type != FF_JOINT_FREE || spec->bodies[spec->joints[j].body].parent >= 0) continue;
        for (int k = 0; k < spec->nkey; k++) {
            const ff_spec_key *key = &spec->keys[k];
            double turned[3];
            if (key->q && key->nq == o->nq) ff_pose_displace(key->q + joint->qadr, key->q + joint->qadr + 3, pos, quat);
            if (!key->v || key->nv != o->nv) continue;
            ff_quat_rotate(turned, quat, key->v + joint->vadr); // the angular velocity is in axes of the body
            ff_vec3_copy(key->v + joint->vadr, turned);
        }
    }
}

/// The joint as it was; NULL: it is new.
static const placed_joint *earlier(const order *o, const ff_spec_joint *joint)
{
    const int j = ff_names_get(&o->joint_names, joint->name);
    return j >= 0 && o->joints[j].type == joint->type ? &o->joints[j] : NULL;
}

/// The pose itself stays: where `ref` of a joint has changed, the same pose has another coordinate.
static double *fit_q(ff_spec *spec, const order *o, const layout *l, const double *from)
{
    double *q = FF_ARENA_NEW(&spec->arena, double, l->nq + 1);
    if (q) rest_position(spec, l, q);
    for (int j = 0; q && j < spec->njoint; j++) {
        const placed_joint *old = earlier(o, &spec->joints[j]);
        if (!old) continue;
        memcpy(q + l->qadr[j], from + old->qadr, (size_t)ff_joint_nq(old->type) * sizeof *q);
        if (ff_joint_is_scalar(old->type)) q[l->qadr[j]] += spec->joints[j].ref - old->ref;
    }
    return q;
}

static double *fit_v(ff_spec *spec, const order *o, const layout *l, const double *from)
{
    double *v = FF_ARENA_NEW(&spec->arena, double, l->nv + 1);
    for (int j = 0; v && j < spec->njoint; j++) {
        const placed_joint *old = earlier(o, &spec->joints[j]);
        if (old) memcpy(v + l->vadr[j], from + old->vadr, (size_t)ff_joint_nv(old->type) * sizeof *v);
    }
    return v;
}

/// Command of an actuator. One of the same type keeps it, a position in its own scale; one that holds a position from
/// now on holds that of the pose; any other is at rest.
static double fit_command(const ff_spec *spec, const order *o, const layout *l, const ff_spec_actuator *actuator,
                          const double *from, const double *q)
{
    const int i = ff_names_get(&o->actuator_names, actuator->name), j = ff_spec_find_joint(spec, actuator->joint);
    const ff_spec_actuator *old = i >= 0 ? &o->actuators[i] : NULL;
    const bool holds = actuator->type == FF_ACTUATOR_POSITION;
    if (!old || old->type != actuator->type || !old->joint || strcmp(old->joint, actuator->joint) != 0)
        return holds && j >= 0 && q ? actuator->gear * q[l->qadr[j]] : 0.0;
    const placed_joint *was = j >= 0 ? earlier(o, &spec->joints[j]) : NULL;
    const double moved = was ? spec->joints[j].ref - was->ref : 0.0;
    if (!holds || old->gear == 0.0 || (actuator->gear == old->gear && moved == 0.0)) return from[i];
    return actuator->gear * (from[i] / old->gear + moved);
}

static double *fit_commands(ff_spec *spec, const order *o, const layout *l, const double *from, const double *q)
{
    double *u = FF_ARENA_NEW(&spec->arena, double, spec->nactuator + 1);
    for (int i = 0; u && i < spec->nactuator; i++)
        if (spec->actuators[i].joint) u[i] = fit_command(spec, o, l, &spec->actuators[i], from, q);
    return u;
}

void ff_native_fit_poses(ff_native *n)
{
    ff_spec *spec = n->spec;
    const order *o = n->order;
    layout l = {0};
    if (!o || !layout_make(&l, spec)) return;
    for (int k = 0; k < spec->nkey; k++) { // lengths that never fitted are left for the compiler to report
        ff_spec_key *key = &spec->keys[k];
        const bool positions = key->q && key->nq == o->nq;
        if (positions) {
            key->q = fit_q(spec, o, &l, key->q);
            key->nq = key->q ? l.nq : 0;
        }
        if (key->v && key->nv == o->nv) {
            key->v = fit_v(spec, o, &l, key->v);
            key->nv = key->v ? l.nv : 0;
        }
        if (key->command && key->ncommand == o->nactuator) {
            key->command = fit_commands(spec, o, &l, key->command, positions ? key->q : NULL);
            key->ncommand = key->command ? spec->nactuator : 0;
        }
    }
    free(l.qadr);
}
