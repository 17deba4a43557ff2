// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Adaptation of feet to ground at another height than planned. A foot with early contact is stopped within 15 ms, by
// subtraction of its planned velocity (eq. 3.20 to 3.24). A swing foot is raised or lowered with the ground under the
// other foot (eq. 3.25 to 3.30), with the sinkage of that foot and the lean of the robot. Without the last two LOLA's
// feet landed 85 ms early with 420 N on flat ground, and bounced.
#include "biped/rotation.h"
#include "biped/stabiliser.h"

#include <footfall/math.h>

// ------------------------------------------------------------------------------------------ displacing feet (app. A.4)

void ff_biped_foot_axes(const ff_biped_motion *foot, double R[9])
{
    double q[4];
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_to_mat3(R, q);
}

void ff_biped_modify_world(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                           const double omega[3])
{
    double by[4], q[4], turned[4];
    ff_rotvec_to_quat(by, turn);
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_mul(turned, by, q);
    ff_rotvec_from_quat(foot->rot, turned);
    ff_vec3_add(foot->pos, foot->pos, shift);
    ff_vec3_add(foot->vel, foot->vel, vel);
    ff_vec3_add(foot->omega, foot->omega, omega);
}

void ff_biped_modify_own(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                         const double omega[3])
{
    double by[4], q[4], turned[4], R[9], world[3];
    ff_biped_foot_axes(foot, R);
    ff_rotvec_to_quat(by, turn);
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_mul(turned, q, by);
    ff_rotvec_from_quat(foot->rot, turned);
    ff_mat3_mulv(world, R, shift);
    ff_vec3_add(foot->pos, foot->pos, world);
    ff_mat3_mulv(world, R, vel);
    ff_vec3_add(foot->vel, foot->vel, world);
    ff_mat3_mulv(world, R, omega);
    ff_vec3_add(foot->omega, foot->omega, world);
}

// ------------------------------------------------------------------------------------------ adaptation

/// Time in which the reflex fades after an early contact.  [s]
#define REFLEX_FADE 0.1
/// Largest lean that swing feet compensate: early contact helps a robot that leans further, as it falls.  [rad]
#define MOST_LEAN 0.0125
/// Compliance of a leg over that of its sole: LOLA's joints comply by 1.5 mm under its weight.
#define LEG_COMPLIANCE 0.75

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

/// Sinkage of the frame of a sole by force and torque; eq. 3.27 has the weight alone.  [m]
static double sinkage(const ff_biped_foot *foot, const ff_biped_wrench *measured)
{
    const double *row = &foot->compliance[6];
    return -(row[0] * measured->torque[0] + row[1] * measured->torque[1] + row[2] * measured->force[2]);
}

/// Apparent height of the ground under a foot above that under the other one, by the lean of the robot.  [m]
static double apparent_height(const ff_biped_motion *foot, const ff_biped_motion *other, const double world_tilt[3])
{
    return world_tilt[1] * (foot->pos[0] - other->pos[0]) - world_tilt[0] * (foot->pos[1] - other->pos[1]);
}

void ff_biped_adapt_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_filters *filters,
                         const ff_biped_contact_states *contacts, const ff_biped_contact_view *contact,
                         const ff_biped_sensors *sensors, const double tilt[3], const ff_biped_task *now,
                         ff_biped_adapt_memory *m, ff_biped_task *task)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double planned[FF_BIPED_FEET] = {task->foot[0].pos[2], task->foot[1].pos[2]};
    const double common = 0.5 * (m->swing[0] + m->swing[1]);
    double torso[4], lean[3] = {0.0, 0.0, 0.0}, world[3];
    for (int k = 0; k < 2; k++) lean[k] = ff_min(ff_max(tilt[k], -MOST_LEAN), MOST_LEAN);
    ff_rotvec_to_quat(torso, task->torso);
    ff_quat_rotate(world, torso, lean);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        if (g->reflex) stop_foot(g, filters, f, &contacts->foot[f], contact->mode[f], m, &task->foot[f]);
        if (!g->swing_adaptation) continue;
        const double ground = now->foot[1 - f].pos[2] - planned[1 - f] +
                              apparent_height(&now->foot[f], &now->foot[1 - f], world) +
                              sinkage(&robot->feet[1 - f], &sensors->foot[1 - f]) +
                              LEG_COMPLIANCE * robot->weight / robot->feet[1 - f].stiffness;
        double rate =
            ff_biped_position_control(g, -common / g->swing_time, (1.0 - contact->mode[f]) * (m->swing[f] - ground));
        // a foot that still rises is not lowered, as it may come from a higher place than the other one stands on
        if (task->foot[f].vel[2] > 0.0) rate = ff_max(rate, 0.0);
        m->swing[f] += g->period * rate;
        ff_biped_modify_world(&task->foot[f], (const double[3]){0.0, 0.0, m->swing[f]}, none,
                              (const double[3]){0.0, 0.0, rate}, none);
    }
}
