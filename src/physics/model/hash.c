// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One hash over all of a model that affects motion: the tree with its masses, joints, loops, shapes with their meshes
// and materials, actuators, drives, sensors, legs and hands. Colours, places in files, sources and keyframes stay out.
// Saved states carry it, so that a state cannot be restored into another robot.
#include "base/hash.h"
#include "model/compile.h"

#include <string.h>

#define INTS(h, ...)                                                                                                   \
    ff_hash((const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}), h) // of enums and indices

static uint64_t hash_text(uint64_t h, const char *text)
{
    return text ? ff_hash(text, strlen(text) + 1, h) : ff_hash("", 1, h);
}

static uint64_t hash_tree(uint64_t h, const ff_model *m)
{
    h = ff_hash_numbers(h, m->gravity, 3);
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        h = INTS(h, (int)node->type, node->parent, node->qadr, node->vadr);
        if (node->mocap >= 0) h = INTS(h, node->mocap);
        h = ff_hash_numbers(h, &node->ref, 1);
        h = ff_hash_numbers(h, node->rest.R, 9);
        h = ff_hash_numbers(h, node->rest.p, 3);
        h = ff_hash_numbers(h, &node->inertia.mass, 1);
        h = ff_hash_numbers(h, node->inertia.h, 3);
        h = ff_hash_numbers(h, node->inertia.I, 6);
    }
    if (m->ndrag > 0) { // a model without it keeps the hash it had before there was any
        const double medium[] = {m->density, m->viscosity, m->wind[0], m->wind[1], m->wind[2]};
        h = ff_hash_numbers(h, medium, 5);
        for (int i = 0; i < m->ndrag; i++) {
            if (!m->drags[i].ellipsoid) continue; // a box follows from the inertia
            h = ff_hash_numbers(h, m->drags[i].size, 3);
            h = ff_hash_numbers(h, m->drags[i].coefficient, 5);
        }
    }
    for (int i = 0; i < m->nlift; i++) {
        h = INTS(h, m->lifts[i].node);
        h = ff_hash_numbers(h, &m->lifts[i].mass, 1);
        h = ff_hash_numbers(h, m->lifts[i].at, 3);
    }
    for (int i = 0; i < m->nbody; i++) {
        h = hash_text(h, m->bodies[i].name);
        h = ff_hash_numbers(h, m->bodies[i].pos, 3);
        h = ff_hash_numbers(h, m->bodies[i].quat, 4);
    }
    for (int i = 0; i < m->nframe; i++) {
        h = hash_text(h, m->frames[i].name);
        h = INTS(h, m->frames[i].body);
        h = ff_hash_numbers(h, m->frames[i].pos, 3);
        h = ff_hash_numbers(h, m->frames[i].quat, 4);
    }
    return h;
}

static uint64_t hash_joint(uint64_t h, const ff_joint *j)
{
    const double values[] = {j->range[0],   j->range[1],     j->stop_stiffness, j->stop_damping, j->stiffness,
                             j->spring_ref, j->damping,      j->dry_friction,   j->dry_speed,    j->armature,
                             j->mimic_gain, j->mimic_offset, j->effort,         j->speed};
    h = hash_text(h, j->name);
    h = INTS(h, (int)j->type, j->body, j->limited, j->mimic);
    return ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
}

static uint64_t hash_joints(uint64_t h, const ff_model *m)
{
    for (int i = 0; i < m->njoint; i++) h = hash_joint(h, &m->joints[i]);
    for (int i = 0; i < m->nequality; i++) {
        const ff_equality *e = &m->equalities[i];
        h = INTS(h, (int)e->type, e->object1, e->object2, e->active);
        h = ff_hash_numbers(h, e->data, 11);
    }
    return h;
}

/// A model without tendons keeps the hash it had before there were any.
static uint64_t hash_tendons(uint64_t h, const ff_model *m)
{
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        const double values[] = {t->stiffness, t->damping,  t->spring_length[0], t->spring_length[1], t->dry_friction,
                                 t->dry_speed, t->range[0], t->range[1],         t->stop_stiffness,   t->stop_damping};
        h = hash_text(h, t->name);
        h = INTS(h, t->npiece, t->limited);
        for (int k = 0; k < t->npiece; k++) {
            h = INTS(h, (int)t->pieces[k].type, t->pieces[k].index, t->pieces[k].side);
            h = ff_hash_numbers(h, &t->pieces[k].factor, 1);
            h = ff_hash_numbers(h, t->pieces[k].wrench, 6);
        }
        h = ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
    }
    return h;
}

// ------------------------------------------------------------------------------------------ contact

static uint64_t hash_mjcf(uint64_t h, const ff_mjcf_contact *numbers)
{
    h = INTS(h, numbers->priority, numbers->has_solref);
    h = ff_hash_numbers(h, &numbers->solmix, 1);
    h = ff_hash_numbers(h, numbers->solref, 2);
    return ff_hash_numbers(h, &numbers->impedance, 1);
}

static uint64_t hash_geom(uint64_t h, const ff_geom *g)
{
    h = hash_text(h, g->name);
    h = INTS(h, g->body, (int)g->shape.type, (int)g->role, g->contype, g->conaffinity, g->condim, g->has_friction,
             g->mesh);
    h = ff_hash_numbers(h, g->shape.size, 3);
    h = ff_hash_numbers(h, g->pos, 3);
    h = ff_hash_numbers(h, g->quat, 4);
    h = ff_hash_numbers(h, g->friction, 3);
    if (g->mjcf.given) h = hash_mjcf(h, &g->mjcf);
    return hash_text(h, g->material);
}

static uint64_t hash_mesh(uint64_t h, const ff_mesh *mesh)
{
    if (!mesh) return INTS(h, -1);
    h = INTS(h, mesh->nvertex, mesh->ntriangle);
    h = ff_hash_numbers(h, mesh->vertices, 3 * mesh->nvertex);
    return ff_hash(mesh->triangles, 3 * (size_t)mesh->ntriangle * sizeof *mesh->triangles, h);
}

static uint64_t hash_material(uint64_t h, const ff_material *material)
{
    const ff_normal *n = &material->normal;
    const ff_friction *f = &material->friction;
    const double values[] = {n->stiffness,   n->exponent,     n->damping,          n->damping_exponent,
                             n->restitution, n->impact_floor, f->mu_static,        f->mu_kinetic,
                             f->stiffness,   f->damping,      f->damping_exponent, f->stick_speed,
                             f->breakaway,   f->viscous,      f->threshold,        f->decay,
                             f->scale_speed, f->slowdown,     f->torsion,          f->rolling,
                             f->patch_radius};
    h = hash_text(h, material->name);
    h = INTS(h, (int)n->law, (int)n->calibration, n->pulls, (int)f->law, (int)f->stick, material->per_point);
    return ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
}

static uint64_t hash_contacts(uint64_t h, const ff_model *m)
{
    for (int i = 0; i < m->ngeom; i++) h = hash_geom(h, &m->geoms[i]);
    for (int i = 0; i < m->nmesh; i++) h = hash_mesh(h, m->meshes[i]);
    for (int i = 0; i < m->nmaterial; i++) h = hash_material(h, &m->materials[i]);
    for (int i = 0; i < 2 * m->nexclude; i++) h = INTS(h, m->excludes[i]);
    for (int i = 0; i < m->npair; i++) {
        const ff_geom_pair *pair = &m->pairs[i];
        h = INTS(h, pair->geom1, pair->geom2, pair->condim);
        h = ff_hash_numbers(h, pair->friction, 3);
        h = hash_mjcf(h, &pair->numbers);
    }
    for (int i = 0; i < m->nlimb; i++) {
        const ff_limb *limb = &m->limbs[i];
        h = hash_text(h, limb->name);
        h = INTS(h, limb->leg, limb->body, limb->nbody);
        for (int k = 0; k < limb->nbody; k++) h = INTS(h, limb->bodies[k]);
        h = ff_hash_numbers(h, limb->pos, 3);
        h = ff_hash_numbers(h, limb->quat, 4);
        h = ff_hash_numbers(h, &limb->radius, 1);
    }
    return h;
}

// ------------------------------------------------------------------------------------------ drives and sensors

static uint64_t hash_settings(uint64_t h, const ff_spec_setting *settings, int count)
{
    for (int i = 0; i < count; i++) {
        h = hash_text(h, settings[i].name);
        h = hash_text(h, settings[i].word);
        h = INTS(h, settings[i].count);
        h = ff_hash_numbers(h, settings[i].values, settings[i].count);
    }
    return h;
}

static uint64_t hash_activation(uint64_t h, const ff_activation *a)
{
    const double values[] = {a->time[0], a->time[1], a->smooth, a->range[0], a->range[1]};
    h = INTS(h, (int)a->type, a->limited);
    return ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
}

static uint64_t hash_muscle(uint64_t h, const ff_muscle *m)
{
    const double values[] = {m->operating[0], m->operating[1], m->force,   m->shortest,
                             m->longest,      m->speed,        m->passive, m->lengthening};
    return ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
}

static uint64_t hash_actuator(uint64_t h, const ff_actuator *a)
{
    const double values[] = {a->gear,
                             a->gain,
                             a->bias[0],
                             a->bias[1],
                             a->bias[2],
                             a->command_range[0],
                             a->command_range[1],
                             a->force_range[0],
                             a->force_range[1]};
    h = hash_text(h, a->name);
    h = INTS(h, (int)a->type, a->joint, a->command_limited, a->force_limited);
    if (a->tendon >= 0) h = INTS(h, a->tendon);
    if (a->body >= 0) h = INTS(h, a->body);
    if (a->gain_by[0] != 0.0 || a->gain_by[1] != 0.0) h = ff_hash_numbers(h, a->gain_by, 2);
    if (a->state >= 0) h = hash_activation(h, &a->activation);
    if (a->active.acts || a->passive.acts) h = ff_hash_numbers(h, a->length_range, 2);
    if (a->active.acts) h = hash_muscle(h, &a->active);
    if (a->passive.acts) h = hash_muscle(h, &a->passive);
    return ff_hash_numbers(h, values, (int)(sizeof values / sizeof *values));
}

static uint64_t hash_drives(uint64_t h, const ff_model *m)
{
    for (int i = 0; i < m->nactuator; i++) h = hash_actuator(h, &m->actuators[i]);
    for (int i = 0; i < m->ndrive; i++) {
        const ff_spec_drive *d = &m->drives[i];
        h = hash_text(h, d->name);
        for (int k = 0; k < 2; k++) h = hash_text(h, d->joint[k]);
        h = ff_hash_numbers(h, &d->armature, 1);
        h = hash_settings(h, d->settings, d->nsetting);
        if (d->battery) h = hash_text(h, d->battery);
    }
    for (int i = 0; i < m->nbattery; i++) {
        const ff_spec_battery *b = &m->batteries[i];
        const double values[] = {b->voltage, b->capacity, b->resistance, b->charge, b->load, b->least};
        h = hash_text(h, b->name);
        h = ff_hash_numbers(h, values, 6);
        h = ff_hash_numbers(h, b->curve, b->ncurve);
    }
    for (int i = 0; i < m->nbiped; i++) {
        const ff_spec_biped *b = &m->bipeds[i];
        h = hash_text(h, b->pose);
        h = hash_text(h, b->torso);
        h = ff_hash_numbers(h, &b->sole[0][0], 2 * b->nsole);
        h = ff_hash_numbers(h, b->ahead, 2);
        h = ff_hash_numbers(h, b->aside, 2);
        h = ff_hash_numbers(h, b->leg_com, 3);
        h = ff_hash_numbers(h, b->numbers, FF_BIPED_NUMBERS);
    }
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        const char *const words[] = {s->name, s->type, s->object_type, s->object};
        const double values[] = {s->noise, s->cutoff};
        for (int k = 0; k < 4; k++) h = hash_text(h, words[k]);
        h = ff_hash_numbers(h, values, 2);
        h = hash_settings(h, s->settings, s->nsetting);
    }
    return h;
}

uint64_t ff_model_make_hash(const ff_model *model)
{
    uint64_t h = INTS(FF_HASH_START, model->nq, model->nv, model->nnode, model->nbody, model->njoint, model->ngeom,
                      model->nactuator, model->ndrive, model->nsensor);
    h = hash_tree(h, model);
    h = hash_joints(h, model);
    h = hash_tendons(h, model);
    h = hash_contacts(h, model);
    return hash_drives(h, model);
}
