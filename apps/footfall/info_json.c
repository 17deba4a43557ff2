// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall info --json`: the tables of info.c as one object. Indices count from 0; what the file did not give is null.
#include "info.h"
#include "json.h"

// Zero stands for "not given" in the model; JSON can say so.
static void json_given(json *w, const char *key, double value)
{
    if (value != 0)
        json_number(w, key, value);
    else
        json_null(w, key);
}

static void joints(json *w, const ff_model *m)
{
    json_begin_array(w, "joints", false);
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        json_begin_object(w, NULL, true);
        json_text(w, "name", j->name);
        json_text(w, "type", ff_joint_name(j->type));
        json_text(w, "parent", info_body_name(m, m->bodies[j->body].parent));
        json_text(w, "child", m->bodies[j->body].name);
        json_integer(w, "qadr", j->qadr);
        json_integer(w, "nq", ff_joint_nq(j->type));
        json_integer(w, "vadr", j->vadr);
        json_integer(w, "nv", ff_joint_nv(j->type));
        json_numbers(w, "axis", j->axis, 3);
        json_numbers(w, "pos", j->pos, 3);
        if (j->limited)
            json_numbers(w, "limits", j->range, 2);
        else
            json_null(w, "limits");
        json_given(w, "effort", j->effort);
        json_given(w, "speed", j->speed);
        json_number(w, "damping", j->damping);
        json_number(w, "armature", j->armature);
        json_number(w, "dry_friction", j->dry_friction);
        json_number(w, "stiffness", j->stiffness);
        json_number(w, "spring_ref", j->spring_ref);
        if (j->mimic >= 0) {
            json_begin_object(w, "mimic", true);
            json_text(w, "joint", m->joints[j->mimic].name);
            json_number(w, "gain", j->mimic_gain);
            json_number(w, "offset", j->mimic_offset);
            json_end_object(w);
        } else
            json_null(w, "mimic");
        json_end_object(w);
    }
    json_end_array(w);
}

static void bodies(json *w, const ff_model *m)
{
    json_begin_array(w, "bodies", false);
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *b = &m->bodies[i];
        json_begin_object(w, NULL, true);
        json_text(w, "name", b->name);
        json_text(w, "parent", info_body_name(m, b->parent));
        json_bool(w, "fixed", info_body_is_fixed(m, i));
        json_number(w, "mass", b->mass);
        json_numbers(w, "com", b->com, 3);
        json_numbers(w, "inertia", b->inertia, 6);
        json_end_object(w);
    }
    json_end_array(w);
}

static void frames(json *w, const ff_model *m)
{
    json_begin_array(w, "frames", false);
    for (int i = 0; i < m->nframe; i++) {
        json_begin_object(w, NULL, true);
        json_text(w, "name", m->frames[i].name);
        json_text(w, "body", info_body_name(m, m->frames[i].body));
        json_numbers(w, "pos", m->frames[i].pos, 3);
        json_numbers(w, "quat", m->frames[i].quat, 4);
        json_end_object(w);
    }
    json_end_array(w);
}

static void actuators(json *w, const ff_model *m)
{
    json_begin_array(w, "actuators", false);
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        json_begin_object(w, NULL, true);
        json_text(w, "name", a->name);
        json_text(w, "type", info_actuator_type(a->type));
        json_text(w, "joint", a->joint < 0 ? NULL : m->joints[a->joint].name);
        json_number(w, "gear", a->gear);
        json_number(w, "gain", a->gain);
        json_numbers(w, "bias", a->bias, 3);
        if (a->command_limited) json_numbers(w, "command_range", a->command_range, 2);
        if (a->force_limited) json_numbers(w, "force_range", a->force_range, 2);
        json_end_object(w);
    }
    json_end_array(w);
}

static void sensors(json *w, const ff_model *m)
{
    json_begin_array(w, "sensors", false);
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        json_begin_object(w, NULL, true);
        json_text(w, "name", s->name);
        json_text(w, "type", s->type);
        json_text(w, "object_type", s->object_type);
        json_text(w, "object", s->object);
        json_end_object(w);
    }
    json_end_array(w);
}

static void equalities(json *w, const ff_model *m)
{
    json_begin_array(w, "equalities", false);
    for (int i = 0; i < m->nequality; i++) {
        const ff_equality *e = &m->equalities[i];
        const int objects[2] = {e->object1, e->object2};
        json_begin_object(w, NULL, true);
        json_text(w, "name", e->name);
        json_text(w, "type", info_equality_type(e->type));
        json_bool(w, "active", e->active);
        json_begin_array(w, "objects", true);
        for (int k = 0; k < 2; k++)
            if (e->type != FF_EQUALITY_JOINT)
                json_text(w, NULL, info_body_name(m, objects[k]));
            else
                json_text(w, NULL, objects[k] < 0 ? NULL : m->joints[objects[k]].name);
        json_end_array(w);
        json_end_object(w);
    }
    json_end_array(w);
}

static void keys(json *w, const ff_model *m)
{
    json_begin_array(w, "keyframes", false);
    for (int i = 0; i < m->nkey; i++) {
        json_begin_object(w, NULL, true);
        json_text(w, "name", m->keys[i].name);
        json_number(w, "time", m->keys[i].time);
        json_numbers(w, "q", m->keys[i].q, m->nq);
        json_numbers(w, "v", m->keys[i].v, m->nv);
        json_end_object(w);
    }
    json_end_array(w);
}

static void meshes(json *w, const ff_spec *spec)
{
    json_begin_array(w, "meshes", false);
    for (int i = 0; i < spec->nmesh; i++) {
        const ff_spec_mesh *mesh = &spec->meshes[i];
        json_begin_object(w, NULL, true);
        json_text(w, "name", mesh->name);
        json_text(w, "path", mesh->path);
        json_bool(w, "found", mesh->data != NULL);
        if (mesh->data)
            json_integer(w, "triangles", mesh->data->ntriangle);
        else
            json_text(w, "trouble", mesh->trouble);
        json_end_object(w);
    }
    json_end_array(w);
}

static void ignored(json *w, const ff_model *m)
{
    json_begin_array(w, "ignored", false);
    for (int i = 0; i < m->nignored; i++) {
        const ff_spec_ignored *it = &m->ignored[i];
        json_begin_object(w, NULL, true);
        json_text(w, "what", it->what);
        json_integer(w, "count", it->count);
        json_text(w, "file", it->place.file);
        json_integer(w, "line", it->place.line);
        json_end_object(w);
    }
    json_end_array(w);
}

void info_print_json(const char *path, const ff_spec *spec, const ff_model *m, const double com[3])
{
    json w = {.out = stdout};
    json_begin_object(&w, NULL, false);
    json_text(&w, "name", m->name);
    json_text(&w, "file", path);
    json_integer(&w, "nq", m->nq);
    json_integer(&w, "nv", m->nv);
    json_number(&w, "mass", m->mass);
    json_numbers(&w, "com", com, 3);
    json_numbers(&w, "gravity", m->gravity, 3);
    json_numbers(&w, "q0", m->q0, m->nq);
    joints(&w, m);
    bodies(&w, m);
    frames(&w, m);
    actuators(&w, m);
    sensors(&w, m);
    equalities(&w, m);
    keys(&w, m);
    meshes(&w, spec);
    ignored(&w, m);
    json_end_object(&w);
    json_finish(&w);
}
