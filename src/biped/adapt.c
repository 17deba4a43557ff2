// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet that do not meet the ground where the plan has it. A foot that hits early is stopped by taking off its planned
// velocity, within 15 ms (eq. 3.20 to 3.24). A swing foot is raised or lowered with the ground that the other foot
// stands on (eq. 3.25 to 3.30).
#include "biped/stabiliser.h"

#include <footfall/math.h>

/// Fading out of the reflex after an early contact.  [s]
#define REFLEX_FADE 0.1

static double reflex_share(const ff_biped_contact_memory *c)
{
    return ff_max(0.0, 1.0 - c->since_early / REFLEX_FADE);
}

static void stop_foot(const ff_biped_gains *g, const ff_biped_filters *filters, int f, const ff_biped_contact_memory *c,
                      double mode, ff_biped_adapt_memory *m, ff_biped_motion *foot)
{
    const double share = reflex_share(c);
    double rate[6];
    for (int k = 0; k < 6; k++) {
        const double planned = k < 3 ? foot->vel[k] : foot->omega[k - 3];
        const double stop = ff_filter_step(&filters->reflex, m->reflex_filter[f][k], -share * planned);
        rate[k] = ff_biped_position_control(g, stop, c->early ? 0.0 : (1.0 - mode) * m->reflex[f][k]);
        m->reflex[f][k] += g->period * rate[k];
    }
    ff_biped_modify_world(foot, m->reflex[f], m->reflex[f] + 3, rate, rate + 3);
}

void ff_biped_adapt_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_filters *filters,
                         const ff_biped_contact_states *contacts, const ff_biped_contact_view *contact,
                         const ff_biped_task *now, ff_biped_adapt_memory *m, ff_biped_task *task)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double planned[FF_BIPED_FEET] = {task->foot[0].pos[2], task->foot[1].pos[2]};
    const double common = 0.5 * (m->swing[0] + m->swing[1]);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        if (g->reflex) stop_foot(g, filters, f, &contacts->foot[f], contact->mode[f], m, &task->foot[f]);
        if (!g->swing_adaptation) continue;
        const double ground = now->foot[1 - f].pos[2] - planned[1 - f],
                     sinkage = robot->weight / robot->feet[f].stiffness;
        double rate = ff_biped_position_control(g, -common / g->swing_time,
                                                (1.0 - contact->mode[f]) * (m->swing[f] - ground - sinkage));
        // a foot that still rises may stand on what the other one came down from: it is not lowered into that
        if (task->foot[f].vel[2] > 0.0) rate = ff_max(rate, 0.0);
        m->swing[f] += g->period * rate;
        ff_biped_modify_world(&task->foot[f], (const double[3]){0.0, 0.0, m->swing[f]}, none,
                              (const double[3]){0.0, 0.0, rate}, none);
    }
}
