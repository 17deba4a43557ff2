// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of the points of the last ff_world_find: each law is evaluated with the memory of its point, and the force is
// added to the nodes of both shapes.
#include "contact/advance.h"
#include "dyn/actuator.h"
#include "dyn/wrench.h"
#include "world/world.h"

#include <string.h>

/// Adds factor times a force and a moment at the point, on body 2 and against body 1, to d->wrench.
static void push(const ff_world *w, ff_data *d, const ff_touch *t, double factor, const double force[3],
                 const double moment[3])
{
    const int nodes[2] = {t->node2, t->node1};
    for (int side = 0; side < 2; side++) {
        if (nodes[side] < 0) continue; // the world does not move
        double arm[3];
        ff_vec3_sub(arm, t->place, d->tree_origin + 3 * w->model->nodes[nodes[side]].tree);
        ff_wrench_add(d->wrench + 6 * nodes[side], side == 0 ? factor : -factor, arm, force, moment);
    }
}

void ff_world_apply(ff_world *w, ff_data *d, const double *z, double spring_time, double *zdot, bool slope)
{
    const bool impulses = zdot && w->impulses, known = w->forces_at != 0 && w->forces_at == w->sim->state_number;
    if (zdot) memset(zdot, 0, (size_t)ff_world_nstate(w) * sizeof *zdot);
    if (impulses) memset(w->impulse_rates, 0, (size_t)ff_world_nintegral(w->model->nlimb) * sizeof(double));
    w->power = (ff_world_power){0};
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        ff_contact_force *f = &t->force;
        if (!known) {
            t->state = ff_world_state(w, t, z);
            ff_contact_evaluate_ahead(t->law, &t->point, &t->state, spring_time + t->law->ahead, f,
                                      slope ? &t->slope : NULL);
        }
        w->power.elastic += f->elastic_normal + f->elastic_friction;
        w->power.loss_normal += f->loss_normal;
        w->power.loss_friction += f->loss_friction;
        if (!(t->point.depth > 0.0)) continue;
        push(w, d, t, 1.0, f->force, f->moment);
        if (impulses) ff_world_add_impulse(w, d, t, 1.0, f->force, w->impulse_rates);
        if (!zdot || t->slot < 0) continue;
        memcpy(zdot + w->width * t->slot, f->spring_rate, sizeof f->spring_rate);
        if (w->width > 3) memcpy(zdot + w->width * t->slot + 3, f->turn_rate, sizeof f->turn_rate);
    }
    if (impulses) ff_world_slip_rates(w, d, w->impulse_rates + 3 * (w->model->nlimb + 1));
    w->forces_at = spring_time > 0.0 ? 0 : w->found_at;
}

// ------------------------------------------------------------------------------------------ adhesion

// An actuator on a body pulls it towards everything that it touches, as in MuJoCo. Its force is shared evenly among the
// points in touch, along their normals, and acts on both bodies. The laws of contact add as much normal force, so that
// friction grows with it. Where nothing touches, it has no force.

/// Does the actuator's body touch at this point?
static bool holds(const ff_world *w, const ff_touch *t, int body)
{
    const bool touches = t->point.depth > 0.0 || t->state.mode != FF_CONTACT_OPEN;
    return touches && (w->shapes[t->shape1].body == body || w->shapes[t->shape2].body == body);
}

/// The part of the contacts comes before this one, so that their points are those of the state in d.
static void derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    static const double NO_MOMENT[3] = {0};
    ff_world *w = context;
    (void)t, (void)z, (void)zdot;
    for (int k = 0; k < w->sim->nacting; k++) {
        const int i = w->sim->acting[k];
        const ff_actuator *a = &m->actuators[i];
        if (a->body < 0) continue;
        int points = 0;
        for (int p = 0; p < w->ntouch; p++) points += holds(w, &w->touches[p], a->body);
        const double force = a->gear * ff_actuator_force(a, 0.0, 0.0, ff_actuator_command(a, w->sim->command[i]));
        for (int p = 0; p < w->ntouch && force != 0.0; p++) {
            const ff_touch *touch = &w->touches[p];
            if (!holds(w, touch, a->body)) continue;
            double pull[3];
            ff_vec3_scale(pull, touch->point.normal, -force / points);
            push(w, d, touch, 1.0, pull, NO_MOMENT);
        }
    }
}

ff_status ff_world_add_adhesion(ff_sim *sim, ff_world *w, ff_error *err)
{
    bool any = false;
    for (int i = 0; i < w->model->nactuator; i++) any = any || w->model->actuators[i].body >= 0;
    const ff_part part = {.name = "adhesion", .context = w, .derivative = derivative};
    if (any && ff_sim_add_part(sim, &part, err) < 0) return err ? err->status : FF_NO_MEMORY;
    return FF_OK;
}
