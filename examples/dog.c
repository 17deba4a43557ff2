// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A four-legged robot stands by a PD law on each joint, is pushed from the side, and must stand again with its weight
// on its feet. The ground is a shape of dog.yaml, which also has the keyframe "stand".
#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>

enum { JOINTS = 12 };
static const double kp = 80.0, kd = 1.5; // [N m/rad], [N m s/rad]; kd dt stays below the inertia of a shin, 3 g m^2

typedef struct pd_law {
    ff_joint_id joints[JOINTS];
    double target[JOINTS]; // [rad]
    ff_body_id trunk;
} pd_law;

/// Every millisecond: tau = kp (target - q) - kd q'; and the push, from 1.0 s to 1.2 s.
static ff_sim_action control(void *context, ff_sim *sim, double t)
{
    static const double push[3] = {0.0, 30.0, 0.0}; // [N]
    const pd_law *law = context;
    ff_sim_apply(sim, law->trunk, t >= 1.0 && t < 1.2 ? push : NULL, NULL, NULL, FF_AXES_WORLD); // held until changed
    for (int i = 0; i < JOINTS; i++) {
        const double q = ff_sim_joint_position(sim, law->joints[i]), speed = ff_sim_joint_speed(sim, law->joints[i]);
        ff_sim_set_joint_torque(sim, law->joints[i], kp * (law->target[i] - q) - kd * speed);
    }
    return FF_SIM_GO;
}

/// Runs to a time and prints where the trunk is. @return part of the weight that the feet carry, NaN: the run failed
static double run_to(ff_sim *sim, double until, ff_error *err)
{
    int count = 0;
    double up = 0.0;
    if (err->status != FF_OK || ff_sim_run(sim, until, err) != FF_OK) return NAN;
    const ff_foot *feet = ff_world_feet(ff_sim_world(sim), sim, &count);
    for (int i = 0; i < count; i++) up += feet[i].force[2];
    const double weight = -ff_sim_model(sim)->mass * ff_sim_model(sim)->gravity[2];
    const double *q = ff_sim_q(sim); // the free joint of the trunk comes first
    printf("%3.1f s: trunk at (%.3f, %.3f, %.3f) m, feet carry %.2f of %.2f N\n", until, q[0], q[1], q[2], up, weight);
    return up / weight;
}

int main(int argc, char **argv)
{
    static const char *const legs[] = {"FL", "FR", "RL", "RR"}, *const names[] = {"side", "thigh", "knee"};
    pd_law law;
    ff_report report = {0};
    ff_error err = {0};
    ff_model *model = ff_model_load(argc > 1 ? argv[1] : "examples/dog.yaml", NULL, &report);
    ff_world *world = ff_world_create(model, NULL, &report); // NULL without a model, too
    ff_sim *sim = world ? ff_sim_create(model, NULL, &err) : NULL;
    if (!world) ff_report_to_error(&report, FF_BAD_FILE, &err);
    if (sim && ff_sim_add_world(sim, world, &err) == FF_OK) ff_sim_reset(sim, "stand", &err);
    for (int i = 0; sim && i < JOINTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%s", legs[i / 3], names[i % 3]);
        law.joints[i] = ff_sim_find_joint(sim, name); // a wrong name makes ff_sim_run fail, with the nearest name
        law.target[i] = ff_sim_joint_position(sim, law.joints[i]);
    }
    if (sim) law.trunk = ff_sim_find_body(sim, "trunk");
    const ff_task task = {.name = "PD", .period = ff_ticks_from_seconds(1e-3), .context = &law, .run = control};
    if (sim && err.status == FF_OK) ff_sim_add_task(sim, &task, &err);
    const double before = run_to(sim, 1.0, &err); // and no run where there is an error already
    run_to(sim, 1.2, &err);
    const double after = run_to(sim, 3.0, &err);
    const bool stands = fabs(before - 1.0) < 0.01 && fabs(after - 1.0) < 0.01 && ff_sim_q(sim)[2] > 0.25;
    if (err.status != FF_OK) fprintf(stderr, "%s\n", err.text);
    ff_sim_destroy(sim), ff_world_destroy(world), ff_model_destroy(model), ff_report_clear(&report);
    return stands ? 0 : 1;
}
