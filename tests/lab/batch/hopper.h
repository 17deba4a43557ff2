// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot that hops on a floor, by its numbers, as a batch model.
#ifndef FOOTFALL_TEST_HOPPER_H
#define FOOTFALL_TEST_HOPPER_H

#include "check.h"
#include "support/message.h"

#include <footfall/footfall.h>

static const double STEP = 1e-3;

/// Numbers of a hopper: a free trunk, an arm on a hinge, a hand that is fixed to the arm, a ball below the trunk and
/// one at the hand, which is the hand "grip".
typedef struct hopper {
    double arm_mass, arm_inertia, arm_shift, hand_mass, hand_inertia, trunk_mass, trunk_inertia, stiffness, damping;
    int delay; // of its servo  [steps]
} hopper;
static const hopper PLAIN = {.arm_mass = 0.6,
                             .arm_inertia = 1.0,
                             .hand_mass = 0.2,
                             .hand_inertia = 1.0,
                             .trunk_mass = 2.0,
                             .trunk_inertia = 1.0,
                             .stiffness = 8.0,
                             .damping = 0.1};

static ff_spec_body *add_body(ff_spec *spec, const char *name, int parent, double mass, double inertia)
{
    ff_spec_body *body = ff_spec_add_body(spec, name, parent);
    body->has_inertial = true;
    body->mass = mass;
    for (int i = 0; i < 3; i++) body->inertia[i] = inertia * (0.01 + 0.002 * i);
    return body;
}

static void add_ball(ff_spec *spec, const char *name, int body, double z)
{
    ff_spec_geom *ball = ff_spec_add_geom(spec, name, body, FF_SHAPE_SPHERE);
    ball->size[0] = 0.05;
    ball->pos[2] = z;
    ball->gives_mass = false;
}

static ff_batch_model *hopper_compile(const hopper *h)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_material soft = ff_material_default();
    snprintf(soft.name, sizeof soft.name, "soft");
    soft.normal = (ff_normal){.law = FF_NORMAL_KELVIN_VOIGT, .stiffness = 3e3, .exponent = 1.0, .damping = 20.0};
    soft.normal.impact_floor = 0.01;
    soft.friction.stiffness = 1e3;
    soft.friction.damping = 5.0;
    ff_spec_add_material(spec, soft.name, NULL)->material = soft;
    add_body(spec, "trunk", -1, h->trunk_mass, h->trunk_inertia)->pos[2] = 0.14;
    ff_spec_add_joint(spec, "root", 0, FF_JOINT_FREE);
    ff_spec_body *arm = add_body(spec, "arm", 0, h->arm_mass, h->arm_inertia);
    ff_vec3_set(arm->com, 0.1 + h->arm_shift, 0.02, 0.0);
    ff_vec3_set(ff_spec_add_joint(spec, "shoulder", 1, FF_JOINT_HINGE)->axis, 0.0, 1.0, 0.0);
    ff_spec_body *hand = add_body(spec, "hand", 1, h->hand_mass, 0.1 * h->hand_inertia);
    ff_vec3_set(hand->pos, 0.2, 0.0, 0.05);
    ff_quat_from_axis_angle(hand->quat, (const double[]){0.6, 0.0, 0.8}, 0.7);
    ff_vec3_set(hand->com, 0.01, -0.02, 0.03);
    add_ball(spec, "belly", 0, -0.1);
    add_ball(spec, "palm", 2, 0.0);
    ff_spec_hand *grip = ff_spec_add_hand(spec, "grip");
    grip->bodies[grip->nbody++] = "hand";
    for (int i = 0; i < 2; i++) spec->geoms[i].material = "soft";
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "soft";
    ff_model *model = ff_model_compile(spec, NULL, &report);
    if (!model) CHECK_FAIL("%s", message_of(&report, 0));
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = STEP;
    ff_world *world = ff_world_create(model, NULL, NULL);
    ff_sim *sim = ff_sim_create(model, &o, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, NULL), FF_OK);
    const double v[7] = {0.3, 0.1, 0.0, 0.4, -0.2, 0.5, 1.0};
    ff_sim_set_state(sim, model->q0, v);
    const ff_batch_servo servo = {.joint = -1, .stiffness = h->stiffness, .damping = h->damping, .delay = h->delay};
    ff_batch_model *batch = ff_batch_compile(sim, &servo, 1, &report);
    if (!batch) CHECK_FAIL("%s", message_of(&report, 0));
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return batch;
}

#endif
