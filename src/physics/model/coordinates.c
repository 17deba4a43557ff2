// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Layout of the coordinates of a description, and its named states when joints or actuators change; see coordinates.h.
#include "model/coordinates.h"

#include "text/names.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ coordinates of joints

static bool layout_alloc(ff_layout *l, const ff_spec *spec)
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
static void layout_link(ff_layout *l, const ff_spec *spec)
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

bool ff_layout_make(ff_layout *l, const ff_spec *spec)
{
    if (!layout_alloc(l, spec)) return false;
    layout_link(l, spec);
    l->nq = l->nv = 0;
    for (int b = l->child[0]; b >= 0; b = ff_layout_next(l, spec, b))
        for (int j = l->first[b]; j >= 0; j = l->next[j]) {
            l->qadr[j] = l->nq;
            l->vadr[j] = l->nv;
            l->nq += ff_joint_nq(spec->joints[j].type);
            l->nv += ff_joint_nv(spec->joints[j].type);
        }
    return true;
}

int ff_layout_next(const ff_layout *l, const ff_spec *spec, int body)
{
    if (l->child[body + 1] >= 0) return l->child[body + 1];
    while (body >= 0 && l->sibling[body] < 0) body = spec->bodies[body].parent; // climb until there is a next branch
    return body >= 0 ? l->sibling[body] : -1;
}

void ff_layout_clear(ff_layout *l)
{
    free(l->qadr);
    *l = (ff_layout){0};
}

void ff_layout_rest(const ff_spec *spec, const ff_layout *l, double *q)
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

// ------------------------------------------------------------------------------------------ named states

/// A joint, and where its coordinates are in the named states.
typedef struct placed_joint {
    const char *name;
    ff_joint_type type;
    double ref;
    int qadr, vadr;
} placed_joint;

struct ff_coordinates {
    placed_joint *joints;
    ff_spec_actuator *actuators;
    ff_names joint_names, actuator_names;
    int njoint, nq, nv, nactuator;
};

/// Every parent before its child, every joint of a known type and on a body.
static bool is_tree(const ff_spec *spec)
{
    bool fine = true;
    for (int b = 0; b < spec->nbody; b++) fine = fine && spec->bodies[b].parent >= -1 && spec->bodies[b].parent < b;
    for (int j = 0; j < spec->njoint; j++)
        fine = fine && spec->joints[j].body >= 0 && spec->joints[j].body < spec->nbody &&
               (unsigned)spec->joints[j].type < FF_JOINT_COUNT;
    return fine;
}

const ff_coordinates *ff_coordinates_note(ff_spec *spec)
{
    ff_layout l = {0};
    ff_coordinates *c = is_tree(spec) ? FF_ARENA_NEW(&spec->arena, ff_coordinates, 1) : NULL;
    if (!c) return NULL;
    if (!ff_layout_make(&l, spec)) {
        spec->arena.failed = true;
        return NULL;
    }
    *c = (ff_coordinates){.njoint = spec->njoint, .nq = l.nq, .nv = l.nv, .nactuator = spec->nactuator};
    c->joints = FF_ARENA_NEW(&spec->arena, placed_joint, spec->njoint + 1);
    c->actuators = FF_ARENA_NEW(&spec->arena, ff_spec_actuator, spec->nactuator + 1);
    bool fine = c->joints && c->actuators && ff_names_init(&c->joint_names, &spec->arena, spec->njoint) &&
                ff_names_init(&c->actuator_names, &spec->arena, spec->nactuator);
    for (int j = 0; fine && j < spec->njoint; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        c->joints[j] = (placed_joint){joint->name, joint->type, joint->ref, l.qadr[j], l.vadr[j]};
        if (joint->name) ff_names_put(&c->joint_names, joint->name, j);
    }
    for (int i = 0; fine && i < spec->nactuator; i++) {
        c->actuators[i] = spec->actuators[i];
        if (c->actuators[i].name) ff_names_put(&c->actuator_names, c->actuators[i].name, i);
    }
    ff_layout_clear(&l);
    return fine ? c : NULL;
}

void ff_coordinates_move(const ff_spec *spec, const ff_coordinates *c, const double pos[3], const double quat[4])
{
    for (int j = 0; j < c->njoint; j++) {
        const placed_joint *joint = &c->joints[j];
        if (joint->type != FF_JOINT_FREE || spec->bodies[spec->joints[j].body].parent >= 0) continue;
        for (int k = 0; k < spec->nkey; k++) {
            const ff_spec_key *key = &spec->keys[k];
            double turned[3];
            if (key->q && key->nq == c->nq) ff_pose_displace(key->q + joint->qadr, key->q + joint->qadr + 3, pos, quat);
            if (!key->v || key->nv != c->nv) continue;
            ff_quat_rotate(turned, quat, key->v + joint->vadr); // the angular velocity is in axes of the body
            ff_vec3_copy(key->v + joint->vadr, turned);
        }
    }
}

/// The joint of that name before the change; NULL: it is new.
static const placed_joint *find_old(const ff_coordinates *c, const ff_spec_joint *joint)
{
    const int j = ff_names_get(&c->joint_names, joint->name);
    return j >= 0 && c->joints[j].type == joint->type ? &c->joints[j] : NULL;
}

/// The pose stays the same: where `ref` of a joint has changed, the pose has another coordinate.
static double *fit_q(ff_spec *spec, const ff_coordinates *c, const ff_layout *l, const double *from)
{
    double *q = FF_ARENA_NEW(&spec->arena, double, l->nq + 1);
    if (q) ff_layout_rest(spec, l, q);
    for (int j = 0; q && j < spec->njoint; j++) {
        const placed_joint *old = find_old(c, &spec->joints[j]);
        if (!old) continue;
        memcpy(q + l->qadr[j], from + old->qadr, (size_t)ff_joint_nq(old->type) * sizeof *q);
        if (ff_joint_is_scalar(old->type)) q[l->qadr[j]] += spec->joints[j].ref - old->ref;
    }
    return q;
}

static double *fit_v(ff_spec *spec, const ff_coordinates *c, const ff_layout *l, const double *from)
{
    double *v = FF_ARENA_NEW(&spec->arena, double, l->nv + 1);
    for (int j = 0; v && j < spec->njoint; j++) {
        const placed_joint *old = find_old(c, &spec->joints[j]);
        if (old) memcpy(v + l->vadr[j], from + old->vadr, (size_t)ff_joint_nv(old->type) * sizeof *v);
    }
    return v;
}

/// Command of an actuator. An actuator of the same type keeps it, a position in its own scale. One that has become a
/// position actuator holds the position of the pose. All others get 0.
static double fit_command(const ff_spec *spec, const ff_coordinates *c, const ff_layout *l,
                          const ff_spec_actuator *actuator, const double *from, const double *q)
{
    const int i = ff_names_get(&c->actuator_names, actuator->name), j = ff_spec_find_joint(spec, actuator->joint);
    const ff_spec_actuator *old = i >= 0 ? &c->actuators[i] : NULL;
    const bool holds = actuator->type == FF_ACTUATOR_POSITION;
    if (actuator->tendon) // a new one holds the length of the tendon at q = 0
        return old && old->type == actuator->type && old->tendon && strcmp(old->tendon, actuator->tendon) == 0 ? from[i]
                                                                                                               : 0.0;
    if (!old || old->type != actuator->type || !old->joint || strcmp(old->joint, actuator->joint) != 0)
        return holds && j >= 0 && q ? actuator->gear * q[l->qadr[j]] : 0.0;
    const placed_joint *old_joint = j >= 0 ? find_old(c, &spec->joints[j]) : NULL;
    const double moved = old_joint ? spec->joints[j].ref - old_joint->ref : 0.0;
    if (!holds || old->gear == 0.0 || (actuator->gear == old->gear && moved == 0.0)) return from[i];
    return actuator->gear * (from[i] / old->gear + moved);
}

static double *fit_commands(ff_spec *spec, const ff_coordinates *c, const ff_layout *l, const double *from,
                            const double *q)
{
    double *u = FF_ARENA_NEW(&spec->arena, double, spec->nactuator + 1);
    for (int i = 0; u && i < spec->nactuator; i++)
        if (spec->actuators[i].body)
            u[i] = ff_names_get(&c->actuator_names, spec->actuators[i].name) >= 0
                       ? from[ff_names_get(&c->actuator_names, spec->actuators[i].name)]
                       : 0.0;
        else if (spec->actuators[i].joint || spec->actuators[i].tendon)
            u[i] = fit_command(spec, c, l, &spec->actuators[i], from, q);
    return u;
}

/// Activations go with their actuators by name; those of new ones are 0.
static double *fit_activations(ff_spec *spec, const ff_coordinates *c, const double *from)
{
    double *a = FF_ARENA_NEW(&spec->arena, double, spec->nactuator + 1);
    for (int i = 0; a && i < spec->nactuator; i++) {
        const int old = ff_names_get(&c->actuator_names, spec->actuators[i].name);
        if (old >= 0 && spec->actuators[i].activation.type == c->actuators[old].activation.type) a[i] = from[old];
    }
    return a;
}

void ff_coordinates_fit(ff_spec *spec, const ff_coordinates *c)
{
    ff_layout l = {0};
    if (!is_tree(spec)) return;
    if (!ff_layout_make(&l, spec)) {
        spec->arena.failed = true;
        return;
    }
    for (int k = 0; k < spec->nkey; k++) {
        ff_spec_key *key = &spec->keys[k];
        const bool positions = key->q && key->nq == c->nq;
        if (positions) {
            key->q = fit_q(spec, c, &l, key->q);
            key->nq = key->q ? l.nq : 0;
        }
        if (key->v && key->nv == c->nv) {
            key->v = fit_v(spec, c, &l, key->v);
            key->nv = key->v ? l.nv : 0;
        }
        if (key->command && key->ncommand == c->nactuator) {
            key->command = fit_commands(spec, c, &l, key->command, positions ? key->q : NULL);
            key->ncommand = key->command ? spec->nactuator : 0;
        }
        if (key->activation && key->nactivation == c->nactuator) {
            key->activation = fit_activations(spec, c, key->activation);
            key->nactivation = key->activation ? spec->nactuator : 0;
        }
    }
    ff_layout_clear(&l);
}
