// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Activations of the model's actuators, as states of a part, which every method integrates. The part adds the forces of
// these actuators. At the ends of its range an activation stays.
#include "dyn/actuator.h"
#include "engine/system.h"

#include <string.h>

typedef struct activations {
    ff_sim *sim;
    double *slope; // of the rates by the activations, at the end of the last implicit step  (nactivation)  [1/s]
} activations;

static void derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ff_sim *sim = ((const activations *)context)->sim;
    (void)t;
    memset(zdot, 0, (size_t)m->nactivation * sizeof *zdot);
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &m->actuators[sim->acting[k]];
        if (a->state < 0) continue;
        zdot[a->state] = ff_actuator_rate(a, sim->command[sim->acting[k]], z[a->state]);
        ff_actuator_add_force(m, d, a, z[a->state]);
    }
}

static void slope(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                  double *damping)
{
    ff_sim *sim = ((const activations *)context)->sim;
    (void)t, (void)d, (void)stiffness, (void)damping; // they have no place for tendons
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &m->actuators[sim->acting[k]];
        if (a->state >= 0) ff_actuator_add_slope(sim, a, z[a->state]);
    }
}

/// Solves for the activations directly: rates jump at the ends of a range, where an iteration would not converge.
static bool settle(void *context, ff_data *d, const double *z0, double h, double close, double *z, double *zdot)
{
    const activations *all = context;
    const ff_model *m = all->sim->model;
    (void)close;
    memset(zdot, 0, (size_t)m->nactivation * sizeof *zdot);
    memset(all->slope, 0, (size_t)m->nactivation * sizeof *all->slope);
    for (int k = 0; k < all->sim->nacting; k++) {
        const int i = all->sim->acting[k];
        const ff_actuator *a = &m->actuators[i];
        if (a->state < 0) continue;
        z[a->state] = ff_actuator_settle(a, all->sim->command[i], z0[a->state], h, &all->slope[a->state]);
        zdot[a->state] = (z[a->state] - z0[a->state]) / h;
        ff_actuator_add_force(m, d, a, z[a->state]);
    }
    return true;
}

/// Puts activations that a step has led beyond their range back into it.
static bool accept(void *context, ff_sim *sim, ff_accept_reason reason)
{
    (void)context, (void)reason;
    const ff_model *m = sim->model;
    double *z = ff_sim_part_place(sim, sim->activations);
    bool changed = false;
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        if (a->state < 0 || !a->activation.limited) continue;
        const double *range = a->activation.range, inside = ff_min(ff_max(z[a->state], range[0]), range[1]);
        changed = changed || inside != z[a->state];
        z[a->state] = inside;
    }
    return changed;
}

ff_status ff_sim_create_activations(ff_sim *sim, ff_error *err)
{
    sim->activations = -1;
    if (!sim->model || sim->model->nactivation == 0) return FF_OK;
    activations *all = FF_ARENA_NEW(&sim->arena, activations, 1);
    if (all) *all = (activations){sim, FF_ARENA_NEW(&sim->arena, double, sim->model->nactivation)};
    if (!all || !all->slope) return ff_error_set(err, FF_NO_MEMORY, "no memory for the activations");
    const ff_part part = {.name = "activations",
                          .nstate = sim->model->nactivation,
                          .context = all,
                          .derivative = derivative,
                          .slope = slope,
                          .accept = accept,
                          .settle = settle};
    sim->activations = ff_sim_add_part(sim, &part, err);
    return sim->activations >= 0 ? FF_OK : err ? err->status : FF_NO_MEMORY;
}

static bool has_activation(const ff_sim *sim, ff_actuator_id actuator)
{
    const ff_model *m = sim->model;
    if (!ff_sim_check_handle(sim, "actuator", actuator.index, m ? m->nactuator : 0)) return false;
    if (m->actuators[actuator.index].state >= 0) return true;
    ff_sim_note_mistake(sim, FF_BAD_ARGUMENT, "actuator '%s' has no activation: its force follows its command at once",
                        m->actuators[actuator.index].name);
    return false;
}

void ff_sim_set_activation(ff_sim *sim, ff_actuator_id actuator, double value)
{
    if (has_activation(sim, actuator))
        ff_sim_set_part_state(sim, sim->activations, sim->model->actuators[actuator.index].state, value);
}

double ff_sim_activation(ff_sim *sim, ff_actuator_id actuator)
{
    if (!has_activation(sim, actuator)) return 0.0;
    return ff_sim_part_place(sim, sim->activations)[sim->model->actuators[actuator.index].state];
}

double ff_sim_actuator_force(ff_sim *sim, int i)
{
    const ff_actuator *a = &sim->model->actuators[i];
    const double input =
        a->state < 0 ? ff_actuator_command(a, sim->command[i]) : ff_sim_activation(sim, (ff_actuator_id){i});
    double length, speed;
    ff_actuator_travel(sim->model, sim->data, a, &length, &speed);
    return ff_actuator_force(a, length, speed, input);
}
