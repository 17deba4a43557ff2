// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Foot forces by foot motion: the sole is a spring, so that a change of l = (Tx, Ty, Fz) needs a certain turn and
// descent of the foot (sec. 5.2). With planned l_p, wanted l_d and measured l,
//     l' = d(l_p)/dt + G_d d(l_d)/dt + G_l' d(e)/dt + G_l e,   e = l_d - l        (roll', pitch', z') = U^-1 l'
// Noise of the IMU and the torso's springs bound G_d to 0.05. The first term is not of the source: without it forces
// lag by 1 / G_l = 42 ms, and the torso leans half as far again. Common motion of both feet, which changes the height
// of the robot, decays.
#include "biped/stabiliser.h"

#include <footfall/math.h>

/// The controlled components (Tx, Ty, Fz) of a wrench.
static void controlled(const ff_biped_wrench *w, double out[3])
{
    out[0] = w->torque[0];
    out[1] = w->torque[1];
    out[2] = w->force[2];
}

static void foot_rates(const ff_biped_foot *foot, const ff_biped_gains *g, const ff_biped_filters *filters, int f,
                       const double planned[3], const double wanted[3], const double is[3], ff_biped_foot_memory *m,
                       double out[3])
{
    double change[3];
    for (int k = 0; k < 3; k++) {
        const double error = wanted[k] - is[k];
        const double plan = ff_filter_step(&filters->slope, m->planned_slope[f][k], planned[k]);
        const double feed = ff_filter_step(&filters->slope, m->wanted_slope[f][k], wanted[k]);
        const double slope = ff_filter_step(&filters->slope, m->error_slope[f][k], error);
        const double smooth = ff_filter_step(&filters->force, m->error[f][k], error);
        change[k] = g->force_plan * plan;
        change[k] += g->lag_reduction ? g->force_feed * feed + g->force_rate_gain * slope + g->force_gain * smooth
                                      : g->force_gain * error;
    }
    ff_mat3_mulv(out, foot->compliance, change);
}

/// Common part of the shifts of both feet, along the normal of this one.
static double common_shift(const double R[9], const ff_biped_contact_view *contact, int f,
                           const ff_biped_foot_memory *m)
{
    const double other = contact->mode[1 - f], normal[3] = {R[2], R[5], R[8]};
    return (ff_vec3_dot(normal, m->shift[f]) + other * ff_vec3_dot(normal, m->shift[1 - f])) / (1.0 + other);
}

void ff_biped_foot_force_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_filters *filters,
                              const ff_biped_contact_view *contact, const ff_biped_distribution *planned,
                              const ff_biped_distribution *wanted, const ff_biped_sensors *sensors,
                              ff_biped_foot_memory *m, ff_biped_task *task)
{
    double R[FF_BIPED_FEET][9], common[FF_BIPED_FEET];
    for (int f = 0; f < FF_BIPED_FEET; f++) ff_biped_foot_axes(&task->foot[f], R[f]);
    for (int f = 0; f < FF_BIPED_FEET; f++) common[f] = g->common_mode ? common_shift(R[f], contact, f, m) : 0.0;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        double plan[3], should[3], is[3], rates[3], shift[3], vel[3], omega[3] = {0.0, 0.0, 0.0}, world[3];
        controlled(&planned->foot[f], plan);
        controlled(&wanted->foot[f], should);
        controlled(&sensors->foot[f], is);
        foot_rates(&robot->feet[f], g, filters, f, plan, should, is, m, rates);
        const double mode = contact->mode[f], down = rates[2] - common[f] / g->common_time;
        ff_mat3_tmulv(shift, R[f], m->shift[f]);
        for (int k = 0; k < 3; k++) vel[k] = ff_biped_hybrid_control(g, mode, k == 2 ? down : 0.0, shift[k]);
        for (int k = 0; k < 2; k++) {
            omega[k] = ff_biped_hybrid_control(g, mode, rates[k], m->turn[f][k]);
            m->turn[f][k] += g->period * omega[k];
        }
        ff_mat3_mulv(world, R[f], vel);
        ff_vec3_axpy(m->shift[f], g->period, world);
        ff_mat3_tmulv(shift, R[f], m->shift[f]);
        if (g->force_control) ff_biped_modify_own(&task->foot[f], shift, m->turn[f], vel, omega);
    }
}
