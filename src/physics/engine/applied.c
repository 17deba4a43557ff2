// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrenches that callers apply to bodies and that are held until they change: pushes, pulls, thrust. Their power is
// `work` in the ledger.
#include "engine/system.h"

#include <math.h>
#include <string.h>

static bool is_zero(const ff_applied *a)
{
    return ff_vec3_dot(a->force, a->force) == 0.0 && ff_vec3_dot(a->moment, a->moment) == 0.0;
}

static bool is_finite(const double a[3])
{
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

/// Is this a wrench that can be applied? If not, the mistake is noted.
static bool check_wrench(const ff_sim *sim, int body, const ff_applied *a, ff_axes axes)
{
    const char *name = sim->model->bodies[body].name;
    const double *wrong = !is_finite(a->force) ? a->force : !is_finite(a->moment) ? a->moment : a->point;
    const char *what = wrong == a->force ? "force" : wrong == a->moment ? "moment" : "point of the force";
    if (!is_finite(wrong))
        ff_sim_note_mistake(sim, FF_BAD_ARGUMENT,
                            "ff_sim_apply: the %s on body '%.80s' is (%g, %g, %g): it must be finite", what, name,
                            wrong[0], wrong[1], wrong[2]);
    else if (axes != FF_AXES_WORLD && axes != FF_AXES_BODY)
        ff_sim_note_mistake(
            sim, FF_BAD_ARGUMENT,
            "ff_sim_apply: there are no axes number %d for body '%.80s': take FF_AXES_WORLD or FF_AXES_BODY", (int)axes,
            name);
    else
        return true;
    return false;
}

void ff_sim_apply(ff_sim *sim, ff_body_id body, const double force[3], const double moment[3], const double point[3],
                  ff_axes axes)
{
    if (!ff_sim_check_handle(sim, "body", body.index, sim->model ? sim->model->nbody : 0)) return;
    ff_applied *to = &sim->applied[body.index], now = {.body_axes = axes == FF_AXES_BODY};
    if (force) ff_vec3_copy(now.force, force);
    if (moment) ff_vec3_copy(now.moment, moment);
    if (point) ff_vec3_copy(now.point, point);
    if (!check_wrench(sim, body.index, &now, axes) || memcmp(to, &now, sizeof now) == 0) return;
    sim->napplied += is_zero(to) - is_zero(&now);
    *to = now;
    ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

void ff_sim_count_applied(ff_sim *sim)
{
    sim->napplied = 0;
    for (int i = 0; sim->model && i < sim->model->nbody; i++) sim->napplied += !is_zero(&sim->applied[i]);
}

/// Force and moment of a wrench in the axes of the world.
static void turn_to_world(const ff_sim *sim, int body, const ff_applied *a, double force[3], double moment[3])
{
    double pos[3], quat[4];
    ff_vec3_copy(force, a->force);
    ff_vec3_copy(moment, a->moment);
    if (a->body_axes) {
        ff_dyn_body_pose(sim->model, sim->data, body, pos, quat);
        ff_quat_rotate(force, quat, a->force);
        ff_quat_rotate(moment, quat, a->moment);
    }
}

void ff_sim_add_applied(ff_sim *sim)
{
    double at[3], force[3], moment[3];
    for (int i = 0; i < sim->model->nbody && sim->napplied > 0; i++) {
        if (is_zero(&sim->applied[i])) continue;
        ff_dyn_point(sim->model, sim->data, i, sim->applied[i].point, at);
        turn_to_world(sim, i, &sim->applied[i], force, moment);
        ff_dyn_apply_force(sim->model, sim->data, i, at, force, moment);
    }
}

void ff_sim_add_applied_power(const ff_sim *sim, double *power)
{
    double motion[6], force[3], moment[3];
    for (int i = 0; i < sim->model->nbody && sim->napplied > 0; i++) {
        if (is_zero(&sim->applied[i])) continue;
        turn_to_world(sim, i, &sim->applied[i], force, moment);
        ff_dyn_point_velocity(sim->model, sim->data, i, sim->applied[i].point, motion);
        *power += ff_vec3_dot(moment, motion) + ff_vec3_dot(force, motion + 3);
    }
}
