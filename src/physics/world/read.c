// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading of a world by callers, and steps that its contacts need.
#include "base/missing.h"
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

ff_status ff_world_add_listener(ff_world *w, const ff_world_listener *listener, ff_error *err)
{
    if (!listener) return ff_error_missing(err, __func__, "listener");
    if (!listener->change) return ff_error_set(err, FF_BAD_ARGUMENT, "a listener needs a function");
    if (!ff_array_grow(&w->listeners, w->nlistener, &w->listener_capacity, sizeof *w->listeners))
        return ff_error_set(err, FF_NO_MEMORY, "no memory for one more listener");
    w->listeners[w->nlistener++] = *listener;
    return FF_OK;
}

const ff_world_shape *ff_world_shapes(const ff_world *w, int *count)
{
    if (count) *count = w->nshape;
    return w->shapes;
}

const ff_material *ff_world_material(const ff_world *w, int index)
{
    return index >= 0 && index < w->nmaterial ? &w->materials[index] : NULL;
}

/// Evaluates points and forces at the current state, without a change of wrenches in data. After a write of the state
/// they are those that the run will begin with; the memory of the points does not change.
static void evaluate_here(ff_world *w, ff_sim *sim)
{
    if (ff_sim_begin(sim, NULL)) return;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    const bool written = sim->due & FF_DUE_PARTS;
    if (ff_world_turns(w) && !w->memory->weighed) ff_world_weigh(w, sim); // as at the start of a run
    if (written || w->found_at != sim->state_number) ff_world_find(w, sim->data);
    if (!written && w->forces_at != 0 && w->forces_at == w->found_at) return;
    w->copied_at = 0;
    if (w->rigid) {
        ff_rigid_forces(w, sim);
        return;
    }
    const double *z = ff_sim_part_state(sim, w->part);
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const ff_contact_state state = written ? ff_world_settled(w, t) : ff_world_state(w, t, z);
        t->state.mode = state.mode;
        ff_contact_evaluate(t->law, &t->point, &state, &t->force, NULL);
    }
    w->forces_at = written ? 0 : w->found_at;
    if (written) w->found_at = 0; // a step must find the points again, with the modes in memory
}

static void copy_contacts(ff_world *w, const ff_data *d)
{
    for (int i = 0; i < w->ntouch; i++) {
        ff_world_name_limbs(w, d, &w->touches[i]);
        w->contacts[i] = ff_world_contact_of(w, &w->touches[i]);
    }
    w->copied_at = w->forces_at;
    w->loads_at = w->levers_at = 0;
}

const ff_world_contact *ff_world_contacts(ff_world *w, ff_sim *sim, int *count)
{
    if (count) *count = 0;
    if (!w || w->sim != sim) return NULL;
    evaluate_here(w, sim);
    if (w->copied_at == 0 || w->copied_at != w->forces_at) copy_contacts(w, sim->data);
    if (count) *count = w->ntouch;
    return w->contacts;
}

void ff_world_wrench(ff_world *w, ff_sim *sim, int body, double force[3], double moment[3])
{
    int count;
    double origin[3], quat[4];
    const ff_world_contact *c = ff_world_contacts(w, sim, &count);
    double wrench[6] = {0};
    if (count > 0) ff_dyn_body_pose(w->model, sim->data, body, origin, quat);
    for (int i = 0; i < count; i++) {
        const double sign = c[i].body2 == body ? 1.0 : c[i].body1 == body ? -1.0 : 0.0;
        if (sign == 0.0) continue;
        double arm[3];
        ff_vec3_sub(arm, c[i].place, origin);
        ff_wrench_add(wrench, sign, arm, c[i].force.force, c[i].force.moment);
    }
    ff_vec3_copy(moment, wrench);
    ff_vec3_copy(force, wrench + 3);
}

ff_world_counts ff_world_get_counts(const ff_world *w)
{
    return w->memory->counts;
}

bool ff_world_hardest(ff_world *w, ff_sim *sim, ff_world_advice *hardest, ff_world_advice *tightest)
{
    ff_world_advice hard = {.step.half_period = INFINITY}, tight = {.step.explicit_limit = INFINITY};
    if (w->sim != sim || ff_sim_begin(sim, NULL)) return false;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    if (!ff_world_weigh(w, sim)) return false;
    const double weight = w->model->mass * ff_vec3_norm(w->model->gravity);
    for (int i = 0; i < w->nshape; i++)
        for (int j = 0; j < w->nmoving; j++) {
            const int k = w->moving[j];
            if (w->items[i].node >= 0 && i >= k) continue;
            const ff_contact_pair *law = ff_world_law(w, i, k);
            if (!law) continue;
            ff_world_advice a = {.shape1 = i, .shape2 = k, .mass = ff_world_pair_mass(w, i, k)};
            a.step = ff_contact_step_advice(law, a.mass, weight);
            if (a.step.half_period < hard.step.half_period) hard = a;
            if (a.step.explicit_limit < tight.step.explicit_limit) tight = a;
            a.across = true;
            a.mass = 1.0 / (w->weights[i].lateral_inverse_mass + w->weights[k].lateral_inverse_mass);
            a.step = ff_contact_friction_advice(law, a.mass, weight);
            if (a.step.explicit_limit < tight.step.explicit_limit) tight = a;
        }
    *hardest = hard;
    if (tightest) *tightest = tight;
    return isfinite(hard.step.half_period);
}
