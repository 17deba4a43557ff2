// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of the points that were found: each law is evaluated with the memory of its point, the force goes to the nodes
// of both shapes.
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "world/world.h"

#include <string.h>

void ff_world_push(const ff_world *w, ff_data *d, const ff_touch *t, double factor, const double force[3],
                   const double moment[3])
{
    ff_wrench_push(w->model, d, t->node2, t->place, factor, force, moment);
    ff_wrench_push(w->model, d, t->node1, t->place, -factor, force, moment);
}

void ff_world_apply(ff_world *w, ff_data *d, const double *z, double ahead, double *zdot, bool slope)
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
            ff_contact_evaluate_ahead(t->law, &t->point, &t->state, ahead + t->law->ahead, f, slope ? &t->slope : NULL);
        }
        w->power.elastic += f->elastic_normal + f->elastic_friction;
        w->power.loss_normal += f->loss_normal;
        w->power.loss_friction += f->loss_friction;
        if (!(t->point.depth > 0.0)) continue;
        ff_world_push(w, d, t, 1.0, f->force, f->moment);
        if (impulses) ff_world_add_impulse(w, d, t, 1.0, f->force, w->impulse_rates);
        if (!zdot || t->slot < 0) continue;
        memcpy(zdot + w->width * t->slot, f->spring_rate, sizeof f->spring_rate);
        if (w->width > 3) memcpy(zdot + w->width * t->slot + 3, f->turn_rate, sizeof f->turn_rate);
    }
    if (impulses) ff_world_slip_rates(w, d, w->impulse_rates + 3 * (w->model->nlimb + 1));
    w->forces_at = ahead > 0.0 ? 0 : w->found_at;
}
