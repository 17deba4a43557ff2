// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The image of a robot's description: one list of fields for each kind of item of ff_spec, in the order of model.h.
// Whether the numbers make a robot is checked by the compiler; here indices and enumerations are kept within their
// ranges, since nothing checks them later.
#include "image/image.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A field that is added to an item changes its size: it belongs into the list below, too. Sizes are those of processors
// with 64 bits.
#if UINTPTR_MAX == UINT64_MAX
#define COVERS(type, bytes)                                                                                            \
    _Static_assert(sizeof(type) == (bytes), #type " has changed: its list of fields must follow")
#else
#define COVERS(type, bytes) _Static_assert(sizeof(type) > 0, "")
#endif

/// What the items refer to.
typedef struct reach {
    ff_image *image;
    ff_spec *spec;
} reach;

static void numbers(const reach *r, double *values, int count)
{
    ff_image_numbers(r->image, values, count);
}

static void number(const reach *r, double *value)
{
    ff_image_numbers(r->image, value, 1);
}

static void flag(const reach *r, bool *value)
{
    ff_image_flag(r->image, value);
}

static void text(const reach *r, const char **value)
{
    ff_image_text(r->image, value);
}

static void word(const reach *r, const char **value)
{
    ff_image_word(r->image, value);
}

static void place(const reach *r, ff_place *value)
{
    ff_image_place(r->image, value);
}

/// Index of a body, -1 for the world. Bodies come first, so all of them are known.
static void body_index(const reach *r, int *body)
{
    ff_image_int(r->image, body, -1, r->spec->nbody - 1);
}

static void pose(const reach *r, double pos[3], double quat[4])
{
    numbers(r, pos, 3);
    numbers(r, quat, 4);
}

// ------------------------------------------------------------------------------------------ bodies and joints

COVERS(ff_spec_body, 256);
static void transfer_body(const reach *r, ff_spec_body *b)
{
    text(r, &b->name);
    ff_image_int(r->image, &b->parent, -1, r->spec->nbody - 2); // an earlier one
    pose(r, b->pos, b->quat);
    flag(r, &b->has_inertial);
    flag(r, &b->inertia_from_geoms);
    flag(r, &b->coarse_axes);
    numbers(r, b->coarse_quat, 4);
    number(r, &b->mass);
    numbers(r, b->com, 3);
    numbers(r, b->inertia_quat, 4);
    numbers(r, b->inertia, 6);
    number(r, &b->gravcomp);
    flag(r, &b->mocap);
    place(r, &b->place);
}

COVERS(ff_spec_joint, 232);
static void transfer_joint(const reach *r, ff_spec_joint *j)
{
    text(r, &j->name);
    body_index(r, &j->body);
    FF_IMAGE_ENUM(r->image, ff_joint_type, j->type, FF_JOINT_COUNT - 1);
    numbers(r, j->pos, 3);
    numbers(r, j->axis, 3);
    number(r, &j->ref);
    flag(r, &j->limited);
    numbers(r, j->range, 2);
    number(r, &j->stop_stiffness);
    number(r, &j->stop_damping);
    number(r, &j->stiffness);
    number(r, &j->spring_ref);
    number(r, &j->damping);
    number(r, &j->spring_time);
    number(r, &j->spring_ratio);
    number(r, &j->dry_friction);
    number(r, &j->dry_speed);
    number(r, &j->armature);
    number(r, &j->effort);
    number(r, &j->speed);
    text(r, &j->mimic);
    number(r, &j->mimic_gain);
    number(r, &j->mimic_offset);
    place(r, &j->place);
}

// ------------------------------------------------------------------------------------------ shapes

COVERS(ff_spec_mesh, 136);
static void transfer_mesh(const reach *r, ff_spec_mesh *m)
{
    text(r, &m->name);
    text(r, &m->path);
    numbers(r, m->scale, 3);
    pose(r, m->pos, m->quat);
    FF_IMAGE_ENUM(r->image, ff_mesh_filling, m->filling, FF_FILL_SHELL);
    flag(r, &m->coarse_axes);
    ff_image_mesh(r->image, &m->data);
    text(r, &m->problem);
    place(r, &m->place);
}

static void transfer_mjcf(const reach *r, ff_mjcf_contact *c)
{
    flag(r, &c->given);
    FF_IMAGE_ANY(r->image, &c->priority);
    number(r, &c->solmix);
    flag(r, &c->has_solref);
    numbers(r, c->solref, 2);
    number(r, &c->impedance);
}

COVERS(ff_spec_geom, 344);
static void transfer_geom(const reach *r, ff_spec_geom *g)
{
    text(r, &g->name);
    body_index(r, &g->body);
    FF_IMAGE_ENUM(r->image, ff_shape_type, g->type, FF_SHAPE_COUNT - 1);
    numbers(r, g->size, 3);
    ff_image_int(r->image, &g->mesh, -1, r->spec->nmesh - 1);
    pose(r, g->pos, g->quat);
    numbers(r, g->rgba, 4);
    FF_IMAGE_ENUM(r->image, ff_geom_role, g->role, FF_GEOM_COLLISION);
    flag(r, &g->gives_mass);
    flag(r, &g->has_mass);
    number(r, &g->mass);
    number(r, &g->density);
    FF_IMAGE_ANY(r->image, &g->group);
    FF_IMAGE_ANY(r->image, &g->contype);
    FF_IMAGE_ANY(r->image, &g->conaffinity);
    FF_IMAGE_ANY(r->image, &g->condim);
    numbers(r, g->friction, 3);
    flag(r, &g->has_friction);
    transfer_mjcf(r, &g->mjcf);
    flag(r, &g->ellipsoid);
    numbers(r, g->fluid, 5);
    text(r, &g->material);
    place(r, &g->place);
    place(r, &g->material_place);
}

COVERS(ff_spec_frame, 88);
static void transfer_frame(const reach *r, ff_spec_frame *f)
{
    text(r, &f->name);
    body_index(r, &f->body);
    pose(r, f->pos, f->quat);
    place(r, &f->place);
}

// ------------------------------------------------------------------------------------------ actuators, drives, sensors

COVERS(ff_spec_tendon_piece, 80);
static void transfer_piece(const reach *r, ff_spec_tendon_piece *p)
{
    FF_IMAGE_ENUM(r->image, ff_tendon_piece_type, p->type, FF_TENDON_THRUST);
    text(r, &p->name);
    text(r, &p->side);
    number(r, &p->factor);
    numbers(r, p->wrench, 6);
}

COVERS(ff_spec_tendon, 136);
static void transfer_tendon(const reach *r, ff_spec_tendon *t)
{
    text(r, &t->name);
    ff_image_count(r->image, &t->npiece, 8);
    if (ff_image_reads(r->image) && !r->image->failure &&
        !(t->pieces = FF_ARENA_NEW(r->image->arena, ff_spec_tendon_piece, 2 * (size_t)t->npiece + 1)))
        ff_image_fail(r->image, "it needs too much memory");
    for (int i = 0; i < t->npiece && !r->image->failure; i++) transfer_piece(r, &t->pieces[i]);
    number(r, &t->stiffness);
    number(r, &t->damping);
    flag(r, &t->spring_at_rest);
    numbers(r, t->spring_length, 2);
    number(r, &t->dry_friction);
    number(r, &t->dry_speed);
    flag(r, &t->limited);
    numbers(r, t->range, 2);
    number(r, &t->stop_stiffness);
    number(r, &t->stop_damping);
    place(r, &t->place);
}

static void transfer_activation(const reach *r, ff_activation *a)
{
    FF_IMAGE_ENUM(r->image, ff_activation_type, a->type, FF_ACTIVATION_COUNT - 1);
    numbers(r, a->time, 2);
    number(r, &a->smooth);
    flag(r, &a->limited);
    numbers(r, a->range, 2);
}

static void transfer_muscle(const reach *r, ff_muscle *m)
{
    flag(r, &m->acts);
    numbers(r, m->operating, 2);
    number(r, &m->force);
    number(r, &m->scale);
    number(r, &m->shortest);
    number(r, &m->longest);
    number(r, &m->speed);
    number(r, &m->passive);
    number(r, &m->lengthening);
}

COVERS(ff_activation, 56);
COVERS(ff_muscle, 80);
COVERS(ff_spec_actuator, 400);
static void transfer_actuator(const reach *r, ff_spec_actuator *a)
{
    text(r, &a->name);
    FF_IMAGE_ENUM(r->image, ff_actuator_type, a->type, FF_ACTUATOR_GENERAL);
    text(r, &a->joint);
    text(r, &a->tendon);
    text(r, &a->body);
    number(r, &a->gear);
    number(r, &a->gain);
    numbers(r, a->gain_by, 2);
    numbers(r, a->bias, 3);
    number(r, &a->damping_ratio);
    flag(r, &a->command_limited);
    numbers(r, a->command_range, 2);
    flag(r, &a->force_limited);
    numbers(r, a->force_range, 2);
    transfer_activation(r, &a->activation);
    transfer_muscle(r, &a->active);
    transfer_muscle(r, &a->passive);
    numbers(r, a->length_range, 2);
    place(r, &a->place);
}

/// Numbers of which there may be none at all.
static void transfer_array(const reach *r, double **values, int *count)
{
    bool there = *values != NULL;
    flag(r, &there);
    ff_image_count(r->image, count, there ? sizeof(double) : 0);
    if (ff_image_reads(r->image) && there && !(*values = FF_ARENA_NEW(r->image->arena, double, *count + 1)))
        ff_image_fail(r->image, "it needs too much memory");
    if (there && !r->image->failure) numbers(r, *values, *count);
}

COVERS(ff_spec_setting, 48);
static void transfer_setting(const reach *r, ff_spec_setting *s)
{
    double *values = (double *)(uintptr_t)s->values; // written to only while reading, when it is ours
    word(r, &s->name);
    text(r, &s->word);
    transfer_array(r, &values, &s->count);
    s->values = values;
    if (ff_image_reads(r->image) && s->count > 0 && !values) ff_image_fail(r->image, "a list of numbers is missing");
    place(r, &s->place);
}

static void transfer_settings(const reach *r, ff_spec_setting **settings, int *count)
{
    enum { LEAST_BYTES = 7 * 8 };
    ff_image_count(r->image, count, LEAST_BYTES);
    if (ff_image_reads(r->image) && !(*settings = FF_ARENA_NEW(r->image->arena, ff_spec_setting, *count + 1)))
        ff_image_fail(r->image, "it needs too much memory");
    for (int i = 0; i < *count && !r->image->failure; i++) transfer_setting(r, &(*settings)[i]);
    if (r->image->failure && r->image->mode == FF_IMAGE_READ) *count = 0;
}

COVERS(ff_spec_drive, 72);
static void transfer_drive(const reach *r, ff_spec_drive *d)
{
    text(r, &d->name);
    for (int k = 0; k < 2; k++) text(r, &d->joint[k]);
    transfer_settings(r, &d->settings, &d->nsetting);
    number(r, &d->armature);
    text(r, &d->battery);
    place(r, &d->place);
}

COVERS(ff_spec_sensor, 80);
static void transfer_sensor(const reach *r, ff_spec_sensor *s)
{
    text(r, &s->name);
    word(r, &s->type);
    word(r, &s->object_type);
    word(r, &s->object);
    number(r, &s->noise);
    number(r, &s->cutoff);
    transfer_settings(r, &s->settings, &s->nsetting);
    place(r, &s->place);
}

// ------------------------------------------------------------------------------------------ loops, legs, states,
// materials

COVERS(ff_spec_equality, 144);
static void transfer_equality(const reach *r, ff_spec_equality *e)
{
    text(r, &e->name);
    FF_IMAGE_ENUM(r->image, ff_equality_type, e->type, FF_EQUALITY_ROD);
    word(r, &e->object1);
    word(r, &e->object2);
    flag(r, &e->active);
    flag(r, &e->at_rest);
    numbers(r, e->data, 11);
    place(r, &e->place);
}

COVERS(ff_spec_pair, 112);
static void transfer_pair(const reach *r, ff_spec_pair *p)
{
    text(r, &p->geom1);
    text(r, &p->geom2);
    numbers(r, p->friction, 3);
    FF_IMAGE_ANY(r->image, &p->condim);
    transfer_mjcf(r, &p->numbers);
    place(r, &p->place);
}

COVERS(ff_spec_exclude, 32);
static void transfer_exclude(const reach *r, ff_spec_exclude *e)
{
    text(r, &e->body1);
    text(r, &e->body2);
    place(r, &e->place);
}

COVERS(ff_spec_leg, 200);
static void transfer_leg(const reach *r, ff_spec_leg *l)
{
    text(r, &l->name);
    ff_image_int(r->image, &l->njoint, 0, FF_LEG_JOINTS);
    for (int k = 0; k < l->njoint; k++) text(r, &l->joints[k]);
    text(r, &l->foot);
    ff_image_int(r->image, &l->nsole, 0, FF_LIMB_BODIES);
    for (int k = 0; k < l->nsole; k++) text(r, &l->soles[k]);
    number(r, &l->radius);
    text(r, &l->force);
    text(r, &l->touch);
    place(r, &l->place);
}

COVERS(ff_spec_hand, 104);
static void transfer_hand(const reach *r, ff_spec_hand *h)
{
    text(r, &h->name);
    word(r, &h->frame);
    ff_image_int(r->image, &h->nbody, 0, FF_LIMB_BODIES);
    for (int k = 0; k < h->nbody; k++) text(r, &h->bodies[k]);
    place(r, &h->place);
}

COVERS(ff_spec_biped, 720);
static void transfer_biped(const reach *r, ff_spec_biped *b)
{
    text(r, &b->pose);
    text(r, &b->torso);
    ff_image_int(r->image, &b->nsole, 0, FF_BIPED_SOLE);
    numbers(r, &b->sole[0][0], 2 * b->nsole);
    numbers(r, b->ahead, 2);
    numbers(r, b->aside, 2);
    numbers(r, b->leg_com, 3);
    numbers(r, b->numbers, FF_BIPED_NUMBERS);
    place(r, &b->place);
}

COVERS(ff_spec_battery, 88);
static void transfer_battery(const reach *r, ff_spec_battery *b)
{
    text(r, &b->name);
    number(r, &b->voltage);
    number(r, &b->capacity);
    number(r, &b->resistance);
    number(r, &b->charge);
    number(r, &b->load);
    number(r, &b->least);
    transfer_array(r, &b->curve, &b->ncurve);
    place(r, &b->place);
}

COVERS(ff_spec_key, 112);
static void transfer_key(const reach *r, ff_spec_key *k)
{
    text(r, &k->name);
    number(r, &k->time);
    transfer_array(r, &k->q, &k->nq);
    transfer_array(r, &k->v, &k->nv);
    transfer_array(r, &k->command, &k->ncommand);
    transfer_array(r, &k->activation, &k->nactivation);
    transfer_array(r, &k->mocap, &k->nmocap);
    place(r, &k->place);
}

COVERS(ff_normal, 72);
static void transfer_normal(const reach *r, ff_normal *n)
{
    FF_IMAGE_ENUM(r->image, ff_normal_law, n->law, FF_NORMAL_LAW_COUNT - 1);
    number(r, &n->stiffness);
    number(r, &n->exponent);
    number(r, &n->damping);
    number(r, &n->damping_exponent);
    number(r, &n->restitution);
    FF_IMAGE_ENUM(r->image, ff_calibration, n->calibration, FF_CALIBRATION_COUNT - 1);
    number(r, &n->impact_floor);
    flag(r, &n->pulls);
}

COVERS(ff_friction, 136);
static void transfer_friction(const reach *r, ff_friction *f)
{
    FF_IMAGE_ENUM(r->image, ff_friction_law, f->law, FF_FRICTION_LAW_COUNT - 1);
    number(r, &f->mu_static);
    number(r, &f->mu_kinetic);
    number(r, &f->stiffness);
    number(r, &f->damping);
    number(r, &f->damping_exponent);
    number(r, &f->stick_speed);
    FF_IMAGE_ENUM(r->image, ff_stick_rule, f->stick, FF_STICK_RULE_COUNT - 1);
    number(r, &f->breakaway);
    number(r, &f->viscous);
    number(r, &f->threshold);
    number(r, &f->decay);
    number(r, &f->scale_speed);
    number(r, &f->slowdown);
    number(r, &f->torsion);
    number(r, &f->rolling);
    number(r, &f->patch_radius);
}

COVERS(ff_spec_material, 288);
static void transfer_material(const reach *r, ff_spec_material *m)
{
    const char *name = m->material.name;
    word(r, &name);
    if (ff_image_reads(r->image)) {
        const size_t length = strlen(name);
        if (length < sizeof m->material.name)
            memcpy(m->material.name, name, length + 1);
        else
            ff_image_fail(r->image, "the name of a material is too long");
    }
    transfer_normal(r, &m->material.normal);
    transfer_friction(r, &m->material.friction);
    flag(r, &m->material.per_point);
    text(r, &m->material.source);
    place(r, &m->place);
}

COVERS(ff_spec_ignored, 32);
static void transfer_ignored(const reach *r, ff_spec_ignored *i)
{
    word(r, &i->what);
    FF_IMAGE_ANY(r->image, &i->count);
    place(r, &i->place);
}

// ------------------------------------------------------------------------------------------ all of it

/// Walks through one array of the description, which grows while it is read.
#define ITEMS(r, items, n, capacity, transfer)                                                                         \
    do {                                                                                                               \
        int count_ = (r)->spec->n;                                                                                     \
        ff_image_count((r)->image, &count_, 8);                                                                        \
        for (int i_ = 0; i_ < count_ && !(r)->image->failure; i_++) {                                                  \
            if ((r)->image->mode == FF_IMAGE_READ &&                                                                   \
                !grow(r, &(r)->spec->items, &(r)->spec->n, &(r)->spec->capacity, sizeof *(r)->spec->items))            \
                break;                                                                                                 \
            transfer(r, &(r)->spec->items[i_]);                                                                        \
        }                                                                                                              \
    } while (0)

static bool grow(const reach *r, void *items, int *count, int *capacity, size_t size)
{
    if (ff_array_grow(items, *count, capacity, size)) {
        ++*count;
        return true;
    }
    ff_image_fail(r->image, "it needs too much memory");
    return false;
}

COVERS(ff_spec, 448);
void ff_image_spec(ff_image *image, ff_spec *spec)
{
    const reach r = {image, spec};
    ff_arena *outer = image->arena;
    if (image->mode == FF_IMAGE_READ) image->arena = &spec->arena;
    image->file = NULL; // the texts of a description must not lie outside it
    word(&r, &spec->name);
    numbers(&r, spec->gravity, 3);
    number(&r, &spec->density);
    number(&r, &spec->viscosity);
    numbers(&r, spec->wind, 3);
    for (int k = 0; k < 2; k++) FF_IMAGE_ANY(image, &spec->inertia_group[k]);
    number(&r, &spec->total_mass);
    number(&r, &spec->bound_mass);
    number(&r, &spec->bound_inertia);
    flag(&r, &spec->balance_inertia);
    ITEMS(&r, bodies, nbody, body_capacity, transfer_body);
    ITEMS(&r, joints, njoint, joint_capacity, transfer_joint);
    ITEMS(&r, meshes, nmesh, mesh_capacity, transfer_mesh); // before the shapes that name them
    ITEMS(&r, geoms, ngeom, geom_capacity, transfer_geom);
    ITEMS(&r, frames, nframe, frame_capacity, transfer_frame);
    ITEMS(&r, tendons, ntendon, tendon_capacity, transfer_tendon);
    ITEMS(&r, actuators, nactuator, actuator_capacity, transfer_actuator);
    ITEMS(&r, drives, ndrive, drive_capacity, transfer_drive);
    ITEMS(&r, batteries, nbattery, battery_capacity, transfer_battery);
    ITEMS(&r, sensors, nsensor, sensor_capacity, transfer_sensor);
    ITEMS(&r, equalities, nequality, equality_capacity, transfer_equality);
    ITEMS(&r, excludes, nexclude, exclude_capacity, transfer_exclude);
    ITEMS(&r, pairs, npair, pair_capacity, transfer_pair);
    ITEMS(&r, legs, nleg, leg_capacity, transfer_leg);
    ITEMS(&r, hands, nhand, hand_capacity, transfer_hand);
    ITEMS(&r, bipeds, nbiped, biped_capacity, transfer_biped);
    ITEMS(&r, keys, nkey, key_capacity, transfer_key);
    ITEMS(&r, materials, nmaterial, material_capacity, transfer_material);
    ITEMS(&r, ignored, nignored, ignored_capacity, transfer_ignored);
    image->arena = outer;
    image->file = NULL;
}
