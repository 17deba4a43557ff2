// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What hangs on the bodies and joints of a native robot: actuators, pairs that never collide, named poses.
#include "model/native.h"

#include <footfall/text.h>
#include <stdlib.h>
#include <string.h>

/// A word under a key, stored in the description.
static const char *keep_word(const ff_native *n, ff_yaml *node, const char *key)
{
    ff_yaml *value = ff_yaml_need(node, key, n->report);
    return value ? ff_spec_text(n->spec, ff_yaml_as_string(value, n->report)) : NULL;
}

// ------------------------------------------------------------------------------------------ actuators, contact

static void read_gains(const ff_native *n, ff_yaml *node, ff_spec_actuator *actuator)
{
    double kp = ff_yaml_number(node, "kp", actuator->type == FF_ACTUATOR_POSITION ? 1.0 : 0.0, n->report);
    double kd = ff_yaml_number(node, "kd", actuator->type == FF_ACTUATOR_VELOCITY ? 1.0 : 0.0, n->report);
    if (actuator->type == FF_ACTUATOR_POSITION) {
        actuator->gain = kp;
        actuator->bias[1] = -kp;
        actuator->bias[2] = -kd;
    } else if (actuator->type == FF_ACTUATOR_VELOCITY) {
        actuator->gain = kd;
        actuator->bias[2] = -kd;
    } else {
        actuator->gain = ff_yaml_number(node, "gain", 1.0, n->report);
        ff_yaml_numbers(node, "bias", actuator->bias, 3, 3, n->report);
    }
}

void ff_native_actuators(ff_native *n, ff_yaml *actuators)
{
    static const char *const types[] = {"motor", "position", "velocity", "general", NULL};
    if (!ff_yaml_expect(actuators, FF_YAML_MAP, "actuators as 'name: {joint: ..}'", n->report)) return;
    for (ff_yaml *node = actuators->child; node; node = node->next) {
        node->used = true;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{joint: .., type: ..}", n->report)) continue;
        int type = ff_yaml_choice(node, "type", types, FF_ACTUATOR_MOTOR, n->report);
        ff_spec_actuator *actuator = ff_spec_add_actuator(n->spec, node->key, (ff_actuator_type)type);
        if (!actuator) return;
        actuator->place = ff_native_place(n, node->key_place);
        actuator->joint = keep_word(n, node, "joint");
        actuator->gear = ff_yaml_number(node, "gear", 1.0, n->report);
        read_gains(n, node, actuator);
        actuator->command_limited = ff_yaml_numbers(node, "command", actuator->command_range, 2, 2, n->report) == 2;
        actuator->force_limited = ff_yaml_numbers(node, "force", actuator->force_range, 2, 2, n->report) == 2;
    }
}

void ff_native_contact(ff_native *n, ff_yaml *contact)
{
    if (!ff_yaml_expect(contact, FF_YAML_MAP, "{exclude: [[body, body], ..]}", n->report)) return;
    ff_yaml *pairs = ff_yaml_get(contact, "exclude");
    if (!pairs || !ff_yaml_expect(pairs, FF_YAML_LIST, "a list of pairs of bodies", n->report)) return;
    for (ff_yaml *pair = pairs->child; pair; pair = pair->next) {
        if (pair->type != FF_YAML_LIST || pair->nchild != 2) {
            ff_report_add(n->report, FF_ERROR, pair->place, "expected a pair of bodies: [one, other]");
            continue;
        }
        const char *one = ff_yaml_as_string(pair->child, n->report);
        const char *two = ff_yaml_as_string(pair->child->next, n->report);
        ff_spec_exclude *exclude = one && two ? ff_spec_add_exclude(n->spec, one, two) : NULL;
        if (exclude) exclude->place = ff_native_place(n, pair->place);
    }
}

// ------------------------------------------------------------------------------------------ poses

/// Where each joint's coordinates lie: joints in depth-first order of the bodies, as the compiler numbers them.
typedef struct layout {
    int *qadr;            // (njoint)
    int *child, *sibling; // of bodies, first and next  (nbody)
    int *first, *next;    // joints of a body  (nbody), (njoint)
    int nq;
} layout;

static bool layout_alloc(layout *l, const ff_spec *spec)
{
    size_t nb = (size_t)spec->nbody + 1, nj = (size_t)spec->njoint + 1;
    l->qadr = malloc((3 * nb + 2 * nj) * sizeof(int));
    if (!l->qadr) return false;
    l->next = l->qadr + nj;
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
    l->nq = 0;
    for (int b = l->child[0]; b >= 0;) {
        for (int j = l->first[b]; j >= 0; j = l->next[j]) {
            l->qadr[j] = l->nq;
            l->nq += ff_joint_nq(spec->joints[j].type);
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
        ff_yaml_as_number(node, q, report);
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

// ------------------------------------------------------------------------------------------ locking

/// Takes the coordinates of a joint out of the poses that an import brought along.
static void cut_keys(ff_spec *spec, int qadr, int nq)
{
    for (int k = 0; k < spec->nkey; k++) {
        ff_spec_key *key = &spec->keys[k];
        key->v = key->command = NULL; // their order changes too; a pose is what remains of the key
        key->nv = key->ncommand = 0;
        if (!key->q || key->nq < qadr + nq) continue;
        memmove(key->q + qadr, key->q + qadr + nq, (size_t)(key->nq - qadr - nq) * sizeof *key->q);
        key->nq -= nq;
    }
}

bool ff_native_lock_joint(ff_native *n, int index)
{
    ff_spec *spec = n->spec;
    const ff_spec_joint joint = spec->joints[index];
    layout l = {0};
    if (!layout_make(&l, spec)) return false;
    cut_keys(spec, l.qadr[index], ff_joint_nq(joint.type));
    free(l.qadr);
    spec->njoint--;
    memmove(&spec->joints[index], &spec->joints[index + 1], (size_t)(spec->njoint - index) * sizeof *spec->joints);
    int kept = 0;
    for (int i = 0; i < spec->nactuator; i++)
        if (!spec->actuators[i].joint || strcmp(spec->actuators[i].joint, joint.name) != 0)
            spec->actuators[kept++] = spec->actuators[i];
    spec->nactuator = kept;
    kept = 0;
    for (int i = 0; i < spec->ndrive; i++)
        if (!ff_spec_drive_acts_on(&spec->drives[i], joint.name)) spec->drives[kept++] = spec->drives[i];
    spec->ndrive = kept;
    kept = 0;
    for (int i = 0; i < spec->nsensor; i++)
        if (strcmp(spec->sensors[i].object_type, "joint") != 0 || strcmp(spec->sensors[i].object, joint.name) != 0)
            spec->sensors[kept++] = spec->sensors[i];
    spec->nsensor = kept;
    ff_native_shorten_legs(spec, joint.name);
    return ff_native_unlink_joint(spec, &joint);
}
