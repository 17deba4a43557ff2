// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of the model's actuators. Actuators without a state act by their command, in addition to held forces. The
// states of the others belong to a part (activations.c).
#include "dyn/actuator.h"
#include "engine/system.h"

static bool moves_something(const ff_model *m, const ff_actuator *a)
{
    return a->tendon >= 0 || (a->joint >= 0 && ff_joint_is_scalar(m->joints[a->joint].type));
}

void ff_actuator_add_force(const ff_model *m, ff_data *d, const ff_actuator *a, double input)
{
    if (!moves_something(m, a)) return;
    double length, speed;
    ff_actuator_travel(m, d, a, &length, &speed);
    const double force = a->gear * ff_actuator_force(a, length, speed, input);
    if (a->tendon >= 0)
        ff_dyn_tendon_apply(m, d, a->tendon, force, d->tau);
    else
        d->tau[m->joints[a->joint].vadr] += force;
}

void ff_actuator_add_slope(ff_sim *sim, const ff_actuator *a, double input)
{
    const ff_model *m = sim->model;
    if (!moves_something(m, a)) return;
    double length, speed, stiffness, damping;
    ff_actuator_travel(m, sim->data, a, &length, &speed);
    ff_actuator_slope(a, length, speed, input, &stiffness, &damping);
    stiffness *= a->gear * a->gear;
    damping *= a->gear * a->gear;
    const int dof = a->tendon >= 0 ? -1 : m->joints[a->joint].vadr;
    sim->method->add_slope(sim, dof, a->tendon, stiffness, damping);
}

void ff_sim_add_actuators(const ff_sim *sim, ff_data *d)
{
    const ff_model *m = sim->model;
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &m->actuators[sim->acting[k]];
        if (a->state < 0) ff_actuator_add_force(m, d, a, ff_actuator_command(a, sim->command[sim->acting[k]]));
    }
}

void ff_sim_actuator_slopes(ff_sim *sim)
{
    const ff_model *m = sim->model;
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &m->actuators[sim->acting[k]];
        if (a->state < 0) ff_actuator_add_slope(sim, a, ff_actuator_command(a, sim->command[sim->acting[k]]));
    }
}
