// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON standing and marching. A leg is planar beyond its coxa: femur a, tibia b, knee above. Seen from the femur joint
// the tip is at (r, z) with cos(knee) = (r^2 + z^2 - a^2 - b^2) / (2 a b). Femur and tibia angles for the foot at the
// top of its step are solved once; in between both follow the same sin^2, which starts and ends with zero velocity.
#include "march.h"

#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ the robot

static const char FOOT[] = "soft-foot";

// The library's rubber-foot with Hunt-Crossley damping for the same restitution, 0.4, at a touch-down of 0.3 m/s. Its
// restitution law would damp a foot that was set down gently so hard that explicit steps of 1 ms are not stable.
static void define_foot(ff_spec *spec)
{
    ff_material *foot = &ff_spec_add_material(spec, FOOT, NULL)->material;
    ff_material_find("rubber-foot", foot, NULL);
    snprintf(foot->name, sizeof foot->name, "%s", FOOT);
    foot->normal.law = FF_NORMAL_HUNT_CROSSLEY;
    foot->normal.damping = ff_damping_for_restitution(foot->normal.stiffness, 0.4, 0.3);
}

static void print_messages(const ff_report *report)
{
    for (int i = 0; i < report->count; i++)
        if (report->messages[i].severity == FF_ERROR) fprintf(stderr, "footfall bench: %s\n", report->messages[i].text);
}

// Lets only feet and floor touch each other: two feet have no bit in common.
static void let_feet_touch(ff_spec *spec)
{
    define_foot(spec);
    for (int i = 0; i < spec->ngeom; i++) {
        ff_spec_geom *g = &spec->geoms[i];
        bool foot = g->type == FF_SHAPE_SPHERE && g->name && strstr(g->name, "foot");
        if (!foot) g->role = FF_GEOM_VISUAL;
        g->contype = 1;
        g->conaffinity = 0;
        g->friction[0] = 0.8; // for MuJoCo; Footfall uses the materials
        g->material = FOOT;
    }
    ff_spec_geom *floor = ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    floor->contype = 0;
    floor->conaffinity = 1;
    floor->friction[0] = 0.8;
    floor->material = "lab-floor";
}

ff_spec *march_describe(const char *path)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, path, NULL, &report) == FF_OK) {
        let_feet_touch(spec);
    } else {
        print_messages(&report);
        ff_spec_destroy(spec);
        spec = NULL;
    }
    ff_report_clear(&report);
    return spec;
}

ff_model *march_load(const char *path)
{
    ff_report report = {0};
    ff_spec *spec = march_describe(path);
    ff_model *model = spec ? ff_model_compile(spec, NULL, &report) : NULL;
    if (spec && !model) print_messages(&report);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return model;
}

// ------------------------------------------------------------------------------------------ the gait

enum { DOFS_MOST = 64 };                        // ANTON has 30
static const double FEMUR = 0.10, TIBIA = 0.15; // lengths, as in anton.yaml  [m]

/// Angles of femur and tibia that bring the tip to (r, z) from the femur joint.
static void solve_leg(double r, double z, double *femur, double *tibia)
{
    double knee = ff_acos((r * r + z * z - FEMUR * FEMUR - TIBIA * TIBIA) / (2.0 * FEMUR * TIBIA));
    *tibia = -knee;
    *femur = ff_atan2(z, r) + ff_atan2(TIBIA * ff_sin(knee), FEMUR + TIBIA * ff_cos(knee));
}

static bool is_first_tripod(const char *joint)
{
    return strncmp(joint, "FL_", 3) == 0 || strncmp(joint, "MR_", 3) == 0 || strncmp(joint, "RL_", 3) == 0;
}

bool march_create(march *out, const ff_model *model, double lift)
{
    *out = (march){.model = model,
                   .kp = 60.0,
                   .kd = 1.0,
                   .lift = lift,
                   .period = 0.5,
                   .stand = calloc((size_t)model->nq, sizeof(double)),
                   .swing = calloc((size_t)model->nv, sizeof(double)),
                   .tripod = calloc((size_t)model->nv, sizeof(int))};
    int key = ff_model_find_key(model, "stand");
    if (!out->stand || !out->swing || !out->tripod || key < 0 || model->nv > DOFS_MOST)
        return march_destroy(out), false;
    memcpy(out->stand, model->keys[key].q, (size_t)model->nq * sizeof(double));
    for (int j = 0; j < model->njoint; j++) {
        const ff_joint *joint = &model->joints[j];
        out->tripod[joint->vadr] = is_first_tripod(joint->name) ? 0 : 1;
        if (lift <= 0.0 || !strstr(joint->name, "_tibia")) continue;
        // the femur comes before its tibia; at the stand the tip is at r, z
        double f = out->stand[joint->qadr - 1], t = out->stand[joint->qadr], femur, tibia;
        double r = FEMUR * ff_cos(f) + TIBIA * ff_cos(f + t), z = FEMUR * ff_sin(f) + TIBIA * ff_sin(f + t);
        solve_leg(r, z + lift, &femur, &tibia);
        out->swing[joint->vadr - 1] = femur - f;
        out->swing[joint->vadr] = tibia - t;
    }
    return true;
}

void march_destroy(march *m)
{
    free(m->stand);
    free(m->swing);
    free(m->tripod);
    *m = (march){0};
}

double march_height(const march *m)
{
    return m->stand[2];
}

/// Part of the lift, and its rate, of both tripods.
static void lift_at(const march *m, double t, double lift[2], double rate[2])
{
    double turns = t / m->period, phase = turns - floor(turns), sine, cosine;
    double w = 2.0 * FF_PI / m->period, angle = 2.0 * FF_PI * phase; // half a turn a tripod
    ff_sincos(&angle, &sine, &cosine, 1);
    int up = phase < 0.5 ? 0 : 1;
    lift[up] = sine * sine;
    rate[up] = 2.0 * sine * cosine * w;
    lift[1 - up] = rate[1 - up] = 0.0;
}

void march_add_torque(const march *m, double t, const double *q, const double *v, double *tau)
{
    double lift[2] = {0}, rate[2] = {0};
    if (m->lift > 0.0) lift_at(m, t, lift, rate);
    for (int i = 6; i < m->model->nv; i++) { // behind the free base each joint has one q and one v
        int leg = m->tripod[i];
        double wanted = m->stand[i + 1] + lift[leg] * m->swing[i], speed = rate[leg] * m->swing[i];
        tau[i] += m->kp * (wanted - q[i + 1]) + m->kd * (speed - v[i]);
    }
}

// ------------------------------------------------------------------------------------------ the simulation

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    const march *m = context;
    const ff_data *d = ff_sim_data(sim);
    double tau[DOFS_MOST] = {0};
    march_add_torque(m, t, d->q, d->v, tau);
    ff_sim_set_torques(sim, tau);
    return FF_SIM_GO;
}

static void act(void *context, double t, const ff_model *model, ff_data *d, const double *z, double *zdot)
{
    (void)model, (void)z, (void)zdot;
    march_add_torque(context, t, d->q, d->v, d->tau);
}

// Derivatives that the implicit method needs of a stiff part: -d tau / dq and -d tau / dv.
static void act_slope(void *context, double t, const ff_model *model, ff_data *d, const double *z, double *stiffness,
                      double *damping)
{
    const march *m = context;
    (void)t, (void)d, (void)z;
    for (int i = 6; i < model->nv; i++) {
        stiffness[i] += m->kp;
        damping[i] += m->kd;
    }
}

static bool add_law(ff_sim *sim, const march *how, march_law law, ff_error *err)
{
    const ff_task task = {
        .name = "joints", .period = ff_ticks_from_seconds(1e-3), .context = (void *)how, .run = sample};
    const ff_part part = {.name = "joints", .context = (void *)how, .derivative = act, .slope = act_slope};
    return (law == MARCH_SAMPLED ? ff_sim_add_task(sim, &task, err) : ff_sim_add_part(sim, &part, err)) >= 0;
}

bool marcher_create(marcher *out, const march *how, const ff_sim_options *options, march_law law)
{
    ff_error err = {0};
    ff_report report = {0};
    *out = (marcher){.world = ff_world_create(how->model, NULL, &report)};
    if (out->world) out->sim = ff_sim_create(how->model, options, &err);
    bool good = out->sim && ff_sim_add_world(out->sim, out->world, &err) == FF_OK && add_law(out->sim, how, law, &err);
    if (good) {
        ff_sim_set_state(out->sim, how->stand, NULL);
    } else {
        print_messages(&report);
        if (err.status) fprintf(stderr, "footfall bench: %s\n", err.text);
        marcher_destroy(out);
    }
    ff_report_clear(&report);
    return good;
}

void marcher_destroy(marcher *m)
{
    ff_sim_destroy(m->sim);
    ff_world_destroy(m->world);
    *m = (marcher){0};
}
