// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Equalities and keyframes.
#include "mjcf/mjcf.h"

#include <stdlib.h>

#define MOST_COORDINATES 1000000

// ------------------------------------------------------------------------------------------ equality

/// relpose; where it is absent (or its quaternion is zero) the pose of body 2 in body 1 in the reference position is
/// used.
static void weld_data(mjcf *m, ff_xml *node, ff_spec_equality *eq)
{
    double relpose[7] = {0, 1, 0, 0, 0, 0, 0};
    ff_xml_numbers(node, "relpose", relpose, 7, 7, m->report);
    ff_xml_numbers(node, "anchor", eq->data + 7, 3, 3, m->report);
    double *quat = relpose + 3;
    if (quat[0] == 0.0 && quat[1] == 0.0 && quat[2] == 0.0 && quat[3] == 0.0) return;
    if (ff_quat_normalise(quat) < 1e-10) mjcf_error(m, node->place, "the quaternion of relpose has no length");
    memcpy(eq->data, relpose, sizeof relpose);
    eq->at_rest = false;
}

static void set_objects(mjcf *m, ff_spec_equality *eq, const char *object1, const char *object2)
{
    eq->object1 = ff_spec_text(m->spec, object1);
    eq->object2 = ff_spec_text(m->spec, object2);
    if (!eq->object1 || !eq->object2) m->no_memory = true;
}

static ff_spec_equality *add_equality(mjcf *m, ff_xml *node, const char *name, ff_equality_type type, bool active)
{
    ff_spec_equality *eq = ff_spec_add_equality(m->spec, name, type);
    if (!mjcf_has_memory(m, eq)) return NULL;
    eq->place = node->place;
    eq->active = active;
    mjcf_name_add(m, MJCF_EQUALITY, name, m->spec->nequality - 1, node->place);
    if (type == FF_EQUALITY_WELD) eq->data[10] = ff_xml_number(node, "torquescale", 1.0, m->report);
    return eq;
}

/// A weld of the frames of two sites, or a connection of their origins.
static void add_site_equality(mjcf *m, ff_xml *node, const char *name, bool weld, bool active)
{
    int numbers[2] = {mjcf_find_needed(m, node, MJCF_SITE, "site", "site1"), -1};
    if (numbers[0] >= 0) numbers[1] = mjcf_find_needed(m, node, MJCF_SITE, "site", "site2");
    if (numbers[1] < 0) return;
    const ff_spec_frame sites[2] = {m->spec->frames[numbers[0]], m->spec->frames[numbers[1]]};
    const char *bodies[2];
    for (int k = 0; k < 2; k++) bodies[k] = sites[k].body < 0 ? "" : m->spec->bodies[sites[k].body].name;
    ff_spec_equality *eq = add_equality(m, node, name, weld ? FF_EQUALITY_WELD : FF_EQUALITY_CONNECT, active);
    if (!eq) return;
    eq->at_rest = false;
    set_objects(m, eq, bodies[0], bodies[1]);
    if (!weld) {
        ff_vec3_copy(eq->data, sites[0].pos);
        ff_vec3_copy(eq->data + 3, sites[1].pos);
        return;
    }
    // body 2 seen from site 2, which lies where site 1 does
    double back[4], *pos = eq->data, *quat = eq->data + 3;
    ff_quat_conjugate(back, sites[1].quat);
    ff_quat_rotate(pos, back, sites[1].pos);
    ff_vec3_scale(pos, pos, -1.0);
    ff_quat_copy(quat, back);
    ff_pose_displace(pos, quat, sites[0].pos, sites[0].quat);
    ff_vec3_copy(eq->data + 7, sites[1].pos);
}

static void add_body_equality(mjcf *m, ff_xml *node, const char *name, bool active)
{
    bool weld = strcmp(node->name, "weld") == 0;
    if (ff_xml_peek(node, "site1") || ff_xml_peek(node, "site2")) {
        add_site_equality(m, node, name, weld, active);
        return;
    }
    const char *body1 = mjcf_body_named(m, node, "body1", true);
    const char *body2 = body1 ? mjcf_body_named(m, node, "body2", false) : NULL;
    if (!body2) return;
    ff_spec_equality *eq = add_equality(m, node, name, weld ? FF_EQUALITY_WELD : FF_EQUALITY_CONNECT, active);
    if (!eq) return;
    set_objects(m, eq, body1, body2);
    if (m->no_memory) return;
    if (weld)
        weld_data(m, node, eq);
    else if (ff_xml_need(node, "anchor", m->report))
        ff_xml_numbers(node, "anchor", eq->data, 3, 3, m->report);
}

static void add_joint_equality(mjcf *m, ff_xml *node, const char *name, bool active)
{
    const char *joint1 = ff_xml_need(node, "joint1", m->report), *joint2 = ff_xml_get(node, "joint2");
    const char *both[2] = {joint1, joint2};
    double zero[2] = {0};
    if (!joint1) return;
    for (int i = 0; i < 2; i++) {
        int index = both[i] ? mjcf_name_find(m, MJCF_JOINT, both[i]) : 0;
        if (index < 0) {
            mjcf_unresolved(m, node, "joint", both[i]);
            return;
        }
        ff_joint_type type = both[i] ? m->spec->joints[index].type : FF_JOINT_HINGE;
        if (both[i]) zero[i] = m->spec->joints[index].ref;
        if (ff_joint_is_scalar(type)) continue;
        mjcf_error(m, node->place, "an equality couples hinges and slides; \"%.100s\" is a %s joint", both[i],
                   ff_joint_name(type));
        return;
    }
    ff_spec_equality *eq = add_equality(m, node, name, FF_EQUALITY_JOINT, active);
    if (!eq) return;
    eq->data[1] = 1.0;
    ff_xml_numbers(node, "polycoef", eq->data, 1, 5, m->report);
    memcpy(eq->data + 5, zero, sizeof zero);
    set_objects(m, eq, joint1, joint2 ? joint2 : "");
}

void mjcf_equalities(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        bool joint = strcmp(node->name, "joint") == 0;
        if (!joint && strcmp(node->name, "connect") != 0 && strcmp(node->name, "weld") != 0) continue;
        node->used = true;
        const mjcf_class *class = mjcf_class_of(m, node, "class", m->classes[0]);
        const char *name = ff_xml_get(node, "name");
        bool active = mjcf_flag(m, node, "active", class->equality_active);
        if (joint)
            add_joint_equality(m, node, name, active);
        else
            add_body_equality(m, node, name, active);
    }
}

// ------------------------------------------------------------------------------------------ keyframes

/// Removes the commands of actuators that were left out, so that the others fit the model.
static void drop_commands(const mjcf *m, ff_spec_key *key)
{
    int kept = 0;
    if (!key->command || key->ncommand != m->nactuator) return;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_uses[i].kept) key->command[kept++] = key->command[i];
    key->ncommand = kept;
    if (kept == 0) key->command = NULL;
}

/// `act` has a number for each actuator with an activation; the description has one for each actuator that it kept.
static void read_activations(mjcf *m, ff_xml *node, ff_spec_key *key)
{
    int given, needed = 0, kept = 0;
    const double *act = mjcf_numbers(m, node, "act", MOST_COORDINATES, &m->arena, &given);
    for (int i = 0; i < m->nactuator; i++) needed += m->actuator_uses[i].stateful;
    if (!act) return;
    if (given != needed) {
        mjcf_error(m, node->place, "act has %d numbers, and %d actuators have an activation", given, needed);
        return;
    }
    key->activation = FF_ARENA_NEW(&m->spec->arena, double, m->nactuator + 1);
    if (!mjcf_has_memory(m, key->activation)) return;
    for (int i = 0; i < m->nactuator; i++) {
        const double value = m->actuator_uses[i].stateful ? *act++ : 0.0;
        if (m->actuator_uses[i].kept) key->activation[kept++] = value;
    }
    key->nactivation = kept;
}

/// `mpos` and `mquat` have numbers for each mocap body; where one of the two is missing, its values do not change.
static void read_mocap(mjcf *m, ff_xml *node, ff_spec_key *key)
{
    const ff_spec *spec = m->spec;
    int npos, nquat, bodies = 0;
    const double *pos = mjcf_numbers(m, node, "mpos", MOST_COORDINATES, &m->arena, &npos);
    const double *quat = mjcf_numbers(m, node, "mquat", MOST_COORDINATES, &m->arena, &nquat);
    for (int i = 0; i < spec->nbody; i++) bodies += spec->bodies[i].mocap;
    if ((pos && npos != 3 * bodies) || (quat && nquat != 4 * bodies)) {
        mjcf_error(m, node->place, "mpos has %d numbers and mquat %d, and there are %d mocap bodies", npos, nquat,
                   bodies);
        return;
    }
    if (!pos && !quat) return;
    key->mocap = FF_ARENA_NEW(&m->spec->arena, double, 7 * bodies + 1);
    if (!mjcf_has_memory(m, key->mocap)) return;
    for (int i = 0; i < spec->nbody; i++) {
        if (!spec->bodies[i].mocap) continue;
        double *to = key->mocap + key->nmocap;
        ff_vec3_copy(to, pos ? pos + 3 * (key->nmocap / 7) : spec->bodies[i].pos);
        ff_quat_copy(to + 3, quat ? quat + 4 * (key->nmocap / 7) : spec->bodies[i].quat);
        key->nmocap += 7;
    }
}

/// Has a keyframe as many positions, velocities and commands as the robot, or none?
static bool fits_robot(mjcf *m, ff_xml *node)
{
    int nq = 0, nv = 0;
    for (int i = 0; i < m->spec->njoint; i++) {
        nq += ff_joint_nq(m->spec->joints[i].type);
        nv += ff_joint_nv(m->spec->joints[i].type);
    }
    const struct {
        const char *name;
        int needed;
    } rows[] = {{"qpos", nq}, {"qvel", nv}, {"ctrl", m->nactuator}};
    for (int i = 0; i < 3; i++) {
        int count;
        const double *numbers = mjcf_numbers(m, node, rows[i].name, MOST_COORDINATES, &m->arena, &count);
        if (numbers && count != rows[i].needed) return false;
    }
    return true;
}

void mjcf_keyframes(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        if (strcmp(node->name, "key") != 0) continue;
        node->used = true;
        const char *name = ff_xml_get(node, "name");
        if (m->incomplete) {
            mjcf_leave_out(m, node, "bodies it has numbers for were left out");
            continue;
        }
        if (m->grown && !fits_robot(m, node)) {
            mjcf_leave_out(m, node, "it has numbers for a part of the robot: <replicate> and <attach> bring more");
            continue;
        }
        ff_spec_key *key = ff_spec_add_key(m->spec, name);
        if (!mjcf_has_memory(m, key)) return;
        key->place = node->place;
        key->time = ff_xml_number(node, "time", 0.0, m->report);
        key->q = mjcf_numbers(m, node, "qpos", MOST_COORDINATES, &m->spec->arena, &key->nq);
        key->v = mjcf_numbers(m, node, "qvel", MOST_COORDINATES, &m->spec->arena, &key->nv);
        key->command = mjcf_numbers(m, node, "ctrl", MOST_COORDINATES, &m->spec->arena, &key->ncommand);
        drop_commands(m, key);
        read_activations(m, node, key);
        read_mocap(m, node, key);
        mjcf_name_add(m, MJCF_KEY, name, m->spec->nkey - 1, node->place);
    }
}
