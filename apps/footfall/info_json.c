// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall info --json`: the tables of info.c as one object. Indices count from 0; what the file does not define is
// null.
#include "info.h"

#include <math.h>

// Zero stands for "not given" in the model and becomes null.
static void json_given(ff_json *w, const char *key, double value)
{
    ff_json_number(w, key, value != 0 ? value : NAN);
}

static void begin_item(ff_json *w, const char *name)
{
    ff_json_begin_object(w, NULL, true);
    ff_json_text(w, "name", name);
}

static void joints(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "joints", false);
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        begin_item(w, j->name);
        ff_json_text(w, "type", ff_joint_name(j->type));
        ff_json_text(w, "parent", info_body_name(m, m->bodies[j->body].parent));
        ff_json_text(w, "child", m->bodies[j->body].name);
        ff_json_integer(w, "qadr", j->qadr);
        ff_json_integer(w, "nq", ff_joint_nq(j->type));
        ff_json_integer(w, "vadr", j->vadr);
        ff_json_integer(w, "nv", ff_joint_nv(j->type));
        ff_json_numbers(w, "axis", j->axis, 3);
        ff_json_numbers(w, "pos", j->pos, 3);
        if (j->limited)
            ff_json_numbers(w, "limits", j->range, 2);
        else
            ff_json_null(w, "limits");
        json_given(w, "effort", j->effort);
        json_given(w, "speed", j->speed);
        ff_json_number(w, "damping", j->damping);
        ff_json_number(w, "armature", j->armature);
        ff_json_number(w, "dry_friction", j->dry_friction);
        ff_json_number(w, "stiffness", j->stiffness);
        ff_json_number(w, "spring_ref", j->spring_ref);
        if (j->mimic >= 0) {
            ff_json_begin_object(w, "mimic", true);
            ff_json_text(w, "joint", m->joints[j->mimic].name);
            ff_json_number(w, "gain", j->mimic_gain);
            ff_json_number(w, "offset", j->mimic_offset);
            ff_json_end_object(w);
        } else
            ff_json_null(w, "mimic");
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void bodies(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "bodies", false);
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *b = &m->bodies[i];
        begin_item(w, b->name);
        ff_json_text(w, "parent", info_body_name(m, b->parent));
        ff_json_bool(w, "fixed", info_body_is_fixed(m, i));
        ff_json_number(w, "mass", b->mass);
        ff_json_numbers(w, "com", b->com, 3);
        ff_json_numbers(w, "inertia", b->inertia, 6);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void frames(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "frames", false);
    for (int i = 0; i < m->nframe; i++) {
        begin_item(w, m->frames[i].name);
        ff_json_text(w, "body", info_body_name(m, m->frames[i].body));
        ff_json_numbers(w, "pos", m->frames[i].pos, 3);
        ff_json_numbers(w, "quat", m->frames[i].quat, 4);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void legs(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "legs", false);
    for (int i = 0; i < m->nleg; i++) {
        const ff_leg *leg = &m->legs[i];
        begin_item(w, leg->name);
        ff_json_begin_array(w, "joints", true);
        for (int k = 0; k < leg->njoint; k++) ff_json_text(w, NULL, m->joints[leg->joints[k]].name);
        ff_json_end_array(w);
        ff_json_text(w, "foot", m->frames[leg->frame].name);
        ff_json_number(w, "radius", leg->radius);
        ff_json_text(w, "force", leg->force);
        ff_json_text(w, "touch", leg->touch);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void hands(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "hands", false);
    for (int i = m->nleg; i < m->nlimb; i++) {
        begin_item(w, m->limbs[i].name);
        ff_json_begin_array(w, "bodies", true);
        for (int k = 0; k < m->limbs[i].nbody; k++) ff_json_text(w, NULL, m->bodies[m->limbs[i].bodies[k]].name);
        ff_json_end_array(w);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

/// The dynamics between command and force.
static void activation(ff_json *w, const ff_actuator *a)
{
    ff_json_begin_object(w, "activation", true);
    ff_json_text(w, "type", info_activation_type(a->activation.type));
    if (a->activation.type != FF_ACTIVATION_INTEGRATOR)
        ff_json_numbers(w, "time", a->activation.time, a->activation.type == FF_ACTIVATION_MUSCLE ? 2 : 1);
    if (a->activation.limited) ff_json_numbers(w, "range", a->activation.range, 2);
    ff_json_end_object(w);
}

static void muscle(ff_json *w, const char *name, const ff_muscle *m)
{
    ff_json_begin_object(w, name, true);
    ff_json_number(w, "force", m->force);
    ff_json_numbers(w, "operating", m->operating, 2);
    ff_json_number(w, "shortest", m->shortest);
    ff_json_number(w, "longest", m->longest);
    ff_json_number(w, "speed", m->speed);
    ff_json_number(w, "passive", m->passive);
    ff_json_number(w, "lengthening", m->lengthening);
    ff_json_end_object(w);
}

static void actuators(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "actuators", false);
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        begin_item(w, a->name);
        ff_json_text(w, "type", info_actuator_type(a->type));
        ff_json_text(w, "joint", a->joint < 0 ? NULL : m->joints[a->joint].name);
        if (a->tendon >= 0) ff_json_text(w, "tendon", m->tendons[a->tendon].name);
        if (a->body >= 0) ff_json_text(w, "body", m->bodies[a->body].name);
        ff_json_number(w, "gear", a->gear);
        ff_json_number(w, "gain", a->gain);
        if (a->gain_by[0] != 0.0 || a->gain_by[1] != 0.0) ff_json_numbers(w, "gain_by", a->gain_by, 2);
        ff_json_numbers(w, "bias", a->bias, 3);
        if (a->state >= 0) activation(w, a);
        if (a->active.acts) muscle(w, "muscle", &a->active);
        if (a->passive.acts) muscle(w, "tissue", &a->passive);
        if (a->active.acts || a->passive.acts) ff_json_numbers(w, "length_range", a->length_range, 2);
        if (a->command_limited) ff_json_numbers(w, "command_range", a->command_range, 2);
        if (a->force_limited) ff_json_numbers(w, "force_range", a->force_range, 2);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void sensors(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "sensors", false);
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        begin_item(w, s->name);
        ff_json_text(w, "type", s->type);
        ff_json_text(w, "object_type", s->object_type);
        ff_json_text(w, "object", s->object);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void tendons(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "tendons", false);
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        begin_item(w, t->name);
        const bool thrust = t->pieces[0].type == FF_TENDON_THRUST;
        ff_json_text(w, "type", thrust ? "thrust" : t->fixed ? "sum" : "string");
        if (thrust) ff_json_text(w, "frame", m->frames[t->pieces[0].index].name);
        ff_json_number(w, "stiffness", t->stiffness);
        ff_json_numbers(w, "spring_length", t->spring_length, 2);
        ff_json_number(w, "damping", t->damping);
        ff_json_number(w, "dry_friction", t->dry_friction);
        if (t->limited) ff_json_numbers(w, "range", t->range, 2);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void equalities(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "equalities", false);
    for (int i = 0; i < m->nequality; i++) {
        const ff_equality *e = &m->equalities[i];
        const int objects[2] = {e->object1, e->object2};
        begin_item(w, e->name);
        ff_json_text(w, "type", info_equality_type(e->type));
        ff_json_bool(w, "active", e->active);
        ff_json_begin_array(w, "objects", true);
        for (int k = 0; k < 2; k++)
            if (e->type != FF_EQUALITY_JOINT)
                ff_json_text(w, NULL, info_body_name(m, objects[k]));
            else
                ff_json_text(w, NULL, objects[k] < 0 ? NULL : m->joints[objects[k]].name);
        ff_json_end_array(w);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void keys(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "keyframes", false);
    for (int i = 0; i < m->nkey; i++) {
        begin_item(w, m->keys[i].name);
        ff_json_number(w, "time", m->keys[i].time);
        ff_json_numbers(w, "q", m->keys[i].q, m->nq);
        ff_json_numbers(w, "v", m->keys[i].v, m->nv);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void meshes(ff_json *w, const ff_spec *spec)
{
    ff_json_begin_array(w, "meshes", false);
    for (int i = 0; i < spec->nmesh; i++) {
        const ff_spec_mesh *mesh = &spec->meshes[i];
        begin_item(w, mesh->name);
        ff_json_text(w, "path", mesh->path);
        ff_json_bool(w, "found", mesh->data != NULL);
        if (mesh->data)
            ff_json_integer(w, "triangles", mesh->data->ntriangle);
        else
            ff_json_text(w, "problem", mesh->problem);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

static void ignored(ff_json *w, const ff_model *m)
{
    ff_json_begin_array(w, "ignored", false);
    for (int i = 0; i < m->nignored; i++) {
        const ff_spec_ignored *it = &m->ignored[i];
        ff_json_begin_object(w, NULL, true);
        ff_json_text(w, "what", it->what);
        ff_json_integer(w, "count", it->count);
        ff_json_text(w, "file", it->place.file);
        ff_json_integer(w, "line", it->place.line);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

int info_print_json(const char *path, const ff_spec *spec, const ff_model *m, const double com[3])
{
    ff_json w = {0};
    ff_json_begin_object(&w, NULL, false);
    ff_json_text(&w, "name", m->name);
    ff_json_text(&w, "file", path);
    ff_json_integer(&w, "nq", m->nq);
    ff_json_integer(&w, "nv", m->nv);
    ff_json_number(&w, "mass", m->mass);
    ff_json_numbers(&w, "com", com, 3);
    ff_json_numbers(&w, "gravity", m->gravity, 3);
    ff_json_numbers(&w, "q0", m->q0, m->nq);
    joints(&w, m);
    bodies(&w, m);
    frames(&w, m);
    legs(&w, m);
    if (m->nlimb > m->nleg) hands(&w, m);
    actuators(&w, m);
    sensors(&w, m);
    tendons(&w, m);
    equalities(&w, m);
    keys(&w, m);
    meshes(&w, spec);
    ignored(&w, m);
    ff_json_end_object(&w);
    return print_json_text(&w);
}
