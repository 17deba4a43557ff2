// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A bench for contact experiments in tests: bodies with shapes, materials, a floor, and the simulation of them.
//     lab x = lab_open();
//     lab_material(&x, "cork", 1e4, 0.0, 0.5);
//     int ball = lab_ball(&x, "ball", 1.0, 0.1, (double[]){0, 0, 1}, "cork");
//     lab_floor(&x, "cork");
//     lab_start(&x);  ...  lab_run(&x, 2.0);  ...  lab_close(&x);
#ifndef FOOTFALL_TESTS_LAB_H
#define FOOTFALL_TESTS_LAB_H

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/load.h>
#include <footfall/world.h>

typedef struct lab {
    ff_spec *spec;
    ff_sim_options options;
    ff_world_options contacts;
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
} lab;

static inline lab lab_open(ff_method method)
{
    lab x = {.spec = ff_spec_create(NULL), .options = ff_sim_options_default(), .contacts = ff_world_options_default()};
    x.options.method = method;
    x.options.accuracy = 0.0;
    return x;
}

/// Beside "rigid" it stands alone. Returned for changes, valid until the next one.
static inline ff_material *lab_material(lab *x, const char *name, double stiffness, double damping, double mu)
{
    ff_material *m = &ff_spec_add_material(x->spec, name, NULL)->material;
    m->normal.law = FF_NORMAL_HUNT_CROSSLEY;
    m->normal.exponent = 1.0;
    m->normal.stiffness = stiffness;
    m->normal.damping = damping;
    m->friction.law = mu > 0.0 ? FF_FRICTION_STICK_SLIP : FF_FRICTION_NONE;
    m->friction.mu_static = m->friction.mu_kinetic = mu;
    m->friction.stiffness = 0.0; // half the normal one
    m->friction.torsion = m->friction.rolling = 0.0;
    return m;
}

static inline ff_spec_geom *lab_geom(lab *x, int body, ff_shape_type type, const double size[3], const char *material)
{
    char name[24];
    snprintf(name, sizeof name, "shape%d", x->spec->ngeom);
    ff_spec_geom *g = ff_spec_add_geom(x->spec, name, body, type);
    ff_vec3_copy(g->size, size);
    g->material = ff_spec_text(x->spec, material);
    return g;
}

static inline int lab_ball(lab *x, const char *name, double mass, double radius, const double pos[3],
                           const char *material)
{
    const double I = 0.4 * mass * radius * radius;
    int body = robot_body(x->spec, name, -1, pos, mass, (double[]){0, 0, 0}, (double[]){I, I, I});
    robot_joint(x->spec, name, body, FF_JOINT_FREE, 0, 0, 1);
    lab_geom(x, body, FF_SHAPE_SPHERE, (double[]){radius, 0, 0}, material);
    return body;
}

/// Size: full lengths.
static inline int lab_box(lab *x, const char *name, double mass, const double size[3], const double pos[3],
                          const char *material)
{
    const double a = size[0] * size[0], b = size[1] * size[1], c = size[2] * size[2], k = mass / 12.0;
    int body = robot_body(x->spec, name, -1, pos, mass, (double[]){0, 0, 0},
                          (double[]){k * (b + c), k * (a + c), k * (a + b)});
    robot_joint(x->spec, name, body, FF_JOINT_FREE, 0, 0, 1);
    lab_geom(x, body, FF_SHAPE_BOX, (double[]){0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}, material);
    return body;
}

/// A ball that can move along x, y and z but does not turn: a single contact point.
static inline int lab_runner(lab *x, const char *name, double mass, double radius, const double pos[3],
                             const char *material)
{
    const double I = 0.4 * mass * radius * radius;
    int body = robot_body(x->spec, name, -1, pos, mass, (double[]){0, 0, 0}, (double[]){I, I, I});
    robot_joint(x->spec, "x", body, FF_JOINT_SLIDE, 1, 0, 0);
    robot_joint(x->spec, "y", body, FF_JOINT_SLIDE, 0, 1, 0);
    robot_joint(x->spec, "z", body, FF_JOINT_SLIDE, 0, 0, 1);
    lab_geom(x, body, FF_SHAPE_SPHERE, (double[]){radius, 0, 0}, material);
    return body;
}

static inline void lab_floor(lab *x, const char *material)
{
    lab_geom(x, -1, FF_SHAPE_PLANE, (double[]){0, 0, 0}, material);
}

/// Gravity as on a slope that falls along x: the floor stays level.
static inline void lab_slope(lab *x, double angle)
{
    ff_vec3_set(x->spec->gravity, 9.81 * sin(angle), 0, -9.81 * cos(angle));
}

static inline void lab_start_with(lab *x, const ff_load_options *load)
{
    ff_report report = {0};
    ff_error err = {0};
    x->model = ff_model_compile(x->spec, load, &report);
    if (!x->model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    x->world = ff_world_create(x->model, &x->contacts, &report);
    if (!x->world) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no world");
    ff_report_clear(&report);
    x->sim = ff_sim_create(x->model, &x->options, &err);
    if (!x->sim) CHECK_FAIL("%s", err.text);
    if (ff_sim_add_world(x->sim, x->world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static inline void lab_start(lab *x)
{
    const ff_load_options load = ff_load_options_default();
    lab_start_with(x, &load);
}

static inline void lab_run(lab *x, double until)
{
    must_run(x->sim, until);
}

static inline const double *lab_q(const lab *x)
{
    return ff_sim_q(x->sim);
}

static inline const double *lab_v(const lab *x)
{
    return ff_sim_v(x->sim);
}

/// Puts all points in touch into the sticking state, each with `force` on body 2 (3 for each point) or slack where
/// NULL.
static inline void lab_hold(lab *x, const double *force)
{
    ff_error err = {0};
    if (ff_world_hold(x->world, x->sim, force, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static inline void lab_close(lab *x)
{
    ff_sim_destroy(x->sim);
    ff_world_destroy(x->world);
    ff_model_destroy(x->model);
    ff_spec_destroy(x->spec);
    *x = (lab){0};
}

#endif
