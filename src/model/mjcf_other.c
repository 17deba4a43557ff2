// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is about the tree but not in it: equalities, sensors, keyframes.
#include "model/mjcf.h"

#include <stdlib.h>

#define MOST_COORDINATES 1000000

const char *mjcf_body_named(mjcf *m, ff_xml *node, const char *attribute, bool needed)
{
    const char *name = needed ? ff_xml_need(node, attribute, m->report) : ff_xml_get(node, attribute);
    if (!name) return needed ? NULL : "";
    if (strcmp(name, "world") == 0) return "";
    if (mjcf_name_find(m, MJCF_BODY, name) >= 0) return name;
    mjcf_unresolved(m, node, "body", name);
    return NULL;
}

// ------------------------------------------------------------------------------------------ equality

/// Poses in the world with all joints at their reference: position, quaternion; the world itself comes first.
static double (*rest_poses(mjcf *m))[7]
{
    const ff_spec *spec = m->spec;
    if (m->rest) return m->rest;
    m->rest = ff_arena_alloc(&m->arena, (size_t)spec->nbody + 1, sizeof *m->rest);
    if (!mjcf_got(m, m->rest)) return NULL;
    ff_quat_identity(m->rest[0] + 3);
    for (int i = 0; i < spec->nbody; i++) {
        const ff_spec_body *body = &spec->bodies[i];
        const double *parent = m->rest[body->parent + 1];
        double *pose = m->rest[i + 1];
        ff_vec3_copy(pose, body->pos);
        ff_quat_copy(pose + 3, body->quat);
        ff_pose_displace(pose, pose + 3, parent, parent + 3);
    }
    return m->rest;
}

/// relpose, or where it is absent (or its quaternion is zero) the pose of body 2 in body 1 at rest.
static void weld_data(mjcf *m, ff_xml *node, ff_spec_equality *eq)
{
    double relpose[7] = {0, 1, 0, 0, 0, 0, 0}, back[4], apart[3], (*rest)[7];
    ff_xml_numbers(node, "relpose", relpose, 7, 7, m->report);
    ff_xml_numbers(node, "anchor", eq->data + 7, 3, 3, m->report);
    eq->data[10] = ff_xml_number(node, "torquescale", 1.0, m->report);
    double *quat = relpose + 3;
    if (quat[0] != 0.0 || quat[1] != 0.0 || quat[2] != 0.0 || quat[3] != 0.0) {
        if (ff_quat_normalise(quat) < 1e-10) mjcf_error(m, node->place, "the quaternion of relpose has no length");
        memcpy(eq->data, relpose, sizeof relpose);
        return;
    }
    rest = rest_poses(m);
    if (!rest) return;
    const double *pose1 = rest[mjcf_name_find(m, MJCF_BODY, eq->object1) + 1];
    const double *pose2 = rest[mjcf_name_find(m, MJCF_BODY, eq->object2) + 1];
    ff_quat_conjugate(back, pose1 + 3);
    ff_vec3_sub(apart, pose2, pose1);
    ff_quat_rotate(eq->data, back, apart);
    ff_quat_mul(eq->data + 3, back, pose2 + 3);
}

static void set_objects(mjcf *m, ff_spec_equality *eq, const char *object1, const char *object2)
{
    eq->object1 = ff_spec_text(m->spec, object1);
    eq->object2 = ff_spec_text(m->spec, object2);
    if (!eq->object1 || !eq->object2) m->no_memory = true;
}

static void add_body_equality(mjcf *m, ff_xml *node, const char *name, bool active)
{
    bool weld = strcmp(node->name, "weld") == 0;
    if (ff_xml_peek(node, "site1") || ff_xml_peek(node, "site2")) {
        mjcf_name_add(m, MJCF_EQUALITY, name, MJCF_LEFT_OUT, node->place);
        mjcf_leave_out(m, node, "between sites");
        return;
    }
    const char *body1 = mjcf_body_named(m, node, "body1", true), *body2 = mjcf_body_named(m, node, "body2", false);
    if (!body1 || !body2) return;
    ff_spec_equality *eq = ff_spec_add_equality(m->spec, name, weld ? FF_EQUALITY_WELD : FF_EQUALITY_CONNECT);
    if (!mjcf_got(m, eq)) return;
    eq->place = node->place;
    eq->active = active;
    mjcf_name_add(m, MJCF_EQUALITY, name, m->spec->nequality - 1, node->place);
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
    if (!joint1) return;
    for (int i = 0; i < 2; i++) {
        int index = both[i] ? mjcf_name_find(m, MJCF_JOINT, both[i]) : 0;
        if (index < 0) {
            mjcf_unresolved(m, node, "joint", both[i]);
            return;
        }
        ff_joint_type type = both[i] ? m->spec->joints[index].type : FF_JOINT_HINGE;
        if (ff_joint_is_scalar(type)) continue;
        mjcf_error(m, node->place, "an equality couples hinges and slides; \"%.100s\" is a %s joint", both[i],
                   ff_joint_name(type));
        return;
    }
    ff_spec_equality *eq = ff_spec_add_equality(m->spec, name, FF_EQUALITY_JOINT);
    if (!mjcf_got(m, eq)) return;
    eq->place = node->place;
    eq->active = active;
    eq->data[1] = 1.0;
    ff_xml_numbers(node, "polycoef", eq->data, 1, 5, m->report);
    mjcf_name_add(m, MJCF_EQUALITY, name, m->spec->nequality - 1, node->place);
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

// ------------------------------------------------------------------------------------------ sensors

/// Kind of name a sensor's object has, MJCF_KIND_COUNT for those the description does not hold.
static mjcf_kind kind_of(const char *object_type)
{
    static const struct {
        const char *word;
        mjcf_kind kind;
    } words[] = {{"site", MJCF_SITE}, {"joint", MJCF_JOINT},       {"body", MJCF_BODY},      {"xbody", MJCF_BODY},
                 {"geom", MJCF_GEOM}, {"actuator", MJCF_ACTUATOR}, {"mesh", MJCF_MESH_ASSET}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, object_type) == 0) return words[i].kind;
    return MJCF_KIND_COUNT;
}

static void add_sensor(mjcf *m, ff_xml *node)
{
    static const char *const objects[] = {"site",     "joint", "geom",   "geom1",  "body1",
                                          "actuator", "body",  "tendon", "camera", NULL};
    const char *name = ff_xml_get(node, "name"), *type = ff_xml_get(node, "objtype"), *object = NULL;
    if (type) object = ff_xml_get(node, "objname");
    for (int i = 0; !object && objects[i]; i++) {
        object = ff_xml_get(node, objects[i]);
        type = object ? objects[i] : NULL;
    }
    if (type && strcmp(type, "geom1") == 0) type = "geom";
    if (type && strcmp(type, "body1") == 0) type = "body";
    mjcf_kind kind = object ? kind_of(type) : MJCF_KIND_COUNT;
    bool world = kind == MJCF_BODY && strcmp(object, "world") == 0;
    int index = kind == MJCF_KIND_COUNT || world ? 0 : mjcf_name_find(m, kind, object);
    if (index == MJCF_NONE) {
        mjcf_unresolved(m, node, type, object);
        return;
    }
    if (index == MJCF_LEFT_OUT) {
        mjcf_leave_out(m, node, "its %s was left out", type);
        return;
    }
    ff_spec_sensor *sensor = ff_spec_add_sensor(m->spec, name, node->name);
    if (!mjcf_got(m, sensor)) return;
    sensor->place = node->place;
    sensor->object_type = ff_spec_text(m->spec, object ? type : "");
    sensor->object = ff_spec_text(m->spec, object && !world ? object : "");
    sensor->noise = ff_xml_number(node, "noise", 0.0, m->report);
    sensor->cutoff = ff_xml_number(node, "cutoff", 0.0, m->report);
    if (!sensor->object_type || !sensor->object) m->no_memory = true;
    mjcf_name_add(m, MJCF_SENSOR, name, m->spec->nsensor - 1, node->place);
}

void mjcf_sensors(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        node->used = true;
        add_sensor(m, node);
    }
}

// ------------------------------------------------------------------------------------------ keyframes

/// Takes the commands of actuators that were left out away, so that the rest fits the model.
static void drop_commands(const mjcf *m, ff_spec_key *key)
{
    int kept = 0;
    if (!key->command || key->ncommand != m->nactuator) return;
    for (int i = 0; i < m->nactuator; i++)
        if (m->kept_actuator[i]) key->command[kept++] = key->command[i];
    key->ncommand = kept;
    if (kept == 0) key->command = NULL;
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
        ff_spec_key *key = ff_spec_add_key(m->spec, name);
        if (!mjcf_got(m, key)) return;
        key->place = node->place;
        key->time = ff_xml_number(node, "time", 0.0, m->report);
        key->q = mjcf_numbers(m, node, "qpos", MOST_COORDINATES, &m->spec->arena, &key->nq);
        key->v = mjcf_numbers(m, node, "qvel", MOST_COORDINATES, &m->spec->arena, &key->nv);
        key->command = mjcf_numbers(m, node, "ctrl", MOST_COORDINATES, &m->spec->arena, &key->ncommand);
        drop_commands(m, key);
        mjcf_name_add(m, MJCF_KEY, name, m->spec->nkey - 1, node->place);
    }
}
