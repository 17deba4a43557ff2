// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Adhesion: an actuator on a body pulls it to all it touches, as in MuJoCo. Its force is shared evenly among the points
// in touch, along their normals, and acts on both bodies. The laws of contact add as much normal force, so that friction
// grows with it. Where nothing touches, it has no force.
#include "dyn/actuator.h"
#include "world/world.h"

/// Does the actuator's body touch at this point?
static bool holds(const ff_world *w, const ff_touch *t, int body)
{
    const bool touches = t->point.depth > 0.0 || t->state.mode != FF_CONTACT_OPEN;
    return touches && (w->shapes[t->shape1].body == body || w->shapes[t->shape2].body == body);
}

/// Contacts come before this part, so that their points are those of the state in d.
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
            ff_world_push(w, d, touch, 1.0, pull, NO_MOMENT);
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
