// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inclination control: a torque about the centre of mass rights the torso,
//     dT = -G_v tilt - G_w rate - m g l sin(tilt)                                                     (eq. 4.16)
// The rate is filtered, since the torso swings on its springs; or passivity control dissipates the energy that the loop
// feeds into such a swing (eq. 4.19 to 4.22).
#include "biped/rotation.h"
#include "biped/stabiliser.h"

void ff_biped_incline_measure(const ff_biped_sensors *s, const ff_biped_task *plan, double tilt[3], double rate[3])
{
    double ideal[4], heading[4], lean[4], is[4], back[4], off[4], R[9], planned[3], ahead[3];
    ff_rotvec_to_quat(ideal, plan->torso);
    ff_quat_to_mat3(R, ideal);
    ff_vec3_set(ahead, R[0], R[3], 0.0);
    ff_quat_from_rpy(heading, (const double[3]){0.0, 0.0, ff_atan2(ahead[1], ahead[0])});
    ff_quat_from_rpy(lean, (const double[3]){s->roll, s->pitch, 0.0});
    ff_quat_mul(is, heading, lean);
    ff_quat_conjugate(back, ideal);
    ff_quat_mul(off, back, is);
    ff_rotvec_from_quat(tilt, off);
    ff_mat3_tmulv(planned, R, plan->torso_omega);
    ff_vec3_sub(rate, s->gyro, planned);
}

/// Bounds the energy of the torque by that of damping; a larger rate dissipates the excess.
static void make_passive(const ff_biped_gains *g, double rate[2], ff_biped_incline_memory *m)
{
    const double square = m->torque[0] * m->torque[0] + m->torque[1] * m->torque[1];
    double power = m->torque[0] * rate[0] + m->torque[1] * rate[1] + m->alpha * square;
    for (int k = 0; k < 2; k++) power += g->tilt_damping * m->rate[k] * m->rate[k];
    m->energy = ff_min(m->energy + g->period * power, 0.0);
    m->alpha = m->energy < 0.0 && square > 0.0 ? ff_min(-m->energy / square, g->passivity) : 0.0;
    for (int k = 0; k < 2; k++) rate[k] += m->alpha * m->torque[k];
}

// ------------------------------------------------------------------------------------------ the DCM law
//
// DCM tracking, an alternative: the divergent component of motion z = r + b r', b = sqrt(l / g), is controlled to the
// plan by a force through the centre of mass,
//     F = m r_d'' + (m / b) (k (r_d - r) + (1 + k b) (r_d' - r'))                                   (eq. 4.23 to 4.25)
// A tilt about the feet moves the centre of mass by angle times height; the torque compensates its weight there. About
// the feet the law has a stiffness of k m l^2 / b and a damping of (1 + k b) m l^2 / b.

void ff_biped_dcm_law(const ff_biped *robot, double gain, double height, const double tilt[2], const double rate[2],
                      double force[3], double torque[3])
{
    const double b = sqrt(height * robot->mass / robot->weight);
    // a tilt about y moves it ahead, one about x to the right
    const double off[2] = {height * tilt[1], -height * tilt[0]}, speed[2] = {height * rate[1], -height * rate[0]};
    for (int k = 0; k < 2; k++) {
        force[k] = -robot->mass / b * (gain * off[k] + (1.0 + gain * b) * speed[k]);
        torque[k] = -robot->weight * height * ff_sin(tilt[k]);
    }
    force[2] = torque[2] = 0.0;
}

// ------------------------------------------------------------------------------------------ a step

void ff_biped_incline_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_filters *filters,
                           const ff_biped_target *target, const double tilt[3], const double rate[3],
                           ff_biped_incline_memory *m, ff_biped_wrench *wrench)
{
    const double ground = target->load[0] * target->task.foot[0].pos[2] + target->load[1] * target->task.foot[1].pos[2];
    const double height = target->task.com[2] - ground;
    double filtered[2], torque[3] = {0.0, 0.0, 0.0}, force[3] = {0.0, 0.0, 0.0}, world[3], q[4], back[4];
    for (int k = 0; k < 2; k++) {
        filtered[k] = rate[k];
        for (int i = 0; i < filters->nrate; i++)
            filtered[k] = ff_filter_step(&filters->rate[i], m->rate_filter[k][i], filtered[k]);
    }
    if (g->filter == FF_BIPED_PASSIVITY) make_passive(g, filtered, m);
    for (int k = 0; k < 2; k++) {
        if (g->inclination)
            torque[k] =
                -g->tilt_stiffness * tilt[k] - g->tilt_damping * filtered[k] - robot->weight * height * ff_sin(tilt[k]);
        m->rate[k] = filtered[k];
    }
    if (g->inclination && g->balance == FF_BIPED_DCM)
        ff_biped_dcm_law(robot, g->dcm_gain, height, tilt, filtered, force, torque);
    ff_rotvec_to_quat(q, target->task.torso);
    ff_quat_rotate(world, q, force);
    ff_vec3_add(wrench->force, wrench->force, world);
    ff_quat_rotate(world, q, torque);
    ff_vec3_add(wrench->torque, wrench->torque, world);
    ff_quat_conjugate(back, q);
    ff_quat_rotate(world, back, wrench->torque); // in the torso's axes
    for (int k = 0; k < 2; k++) m->torque[k] = world[k];
}
