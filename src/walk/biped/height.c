// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height of the centre of mass: it follows the ground under the feet as a mass on spring and damper, and complies with
// errors of the foot forces (sec. 4.4, 4.5). A foot with late contact is moved down with it.
#include "biped/stabiliser.h"

#include <footfall/math.h>

static void ground_of(const ff_biped_task *task, const double load[FF_BIPED_FEET], double *z, double *v)
{
    *z = load[0] * task->foot[0].pos[2] + load[1] * task->foot[1].pos[2];
    *v = load[0] * task->foot[0].vel[2] + load[1] * task->foot[1].vel[2];
}

/// Vertical force that is missing: wanted less measured  [N].
static double missing_force(const ff_biped_task *now, int f, const ff_biped_distribution *wanted,
                            const ff_biped_sensors *sensors)
{
    double R[9], off[3], world[3];
    ff_biped_foot_axes(&now->foot[f], R);
    ff_vec3_sub(off, wanted->foot[f].force, sensors->foot[f].force);
    ff_mat3_mulv(world, R, off);
    return world[2];
}

void ff_biped_height_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_filters *filters,
                          const ff_biped_target *target, const ff_biped_contact_view *contact, const ff_biped_task *now,
                          const ff_biped_distribution *wanted, const ff_biped_sensors *sensors,
                          ff_biped_height_memory *m, ff_biped_task *task)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double z, v, z_plan, v_plan, acceleration = 0.0, force = 0.0;
    ground_of(now, contact->load, &z, &v);
    ground_of(&target->task, contact->load, &z_plan, &v_plan);
    const double off = (target->task.com[2] - z_plan) - (now->com[2] - z);
    const double off_rate = (target->task.com_vel[2] - v_plan) - (now->com_vel[2] - v);
    if (g->com_tracking) acceleration = (g->height_stiffness * off + g->height_damping * off_rate) / robot->mass;
    for (int f = 0; f < FF_BIPED_FEET; f++) force += contact->closed[f] * missing_force(now, f, wanted, sensors);
    force *= g->height_gain / robot->mass;
    for (int i = 0; i < 3; i++) force = ff_filter_step(&filters->height[i], m->notch[i], force);
    if (g->com_acceleration) acceleration += force;
    m->speed += g->period * acceleration;
    m->offset += g->period * m->speed;
    task->com[2] += m->offset;
    task->com_vel[2] += m->speed;
    for (int f = 0; f < FF_BIPED_FEET && g->late_foot; f++) {
        const double fall = (1.0 - contact->closed[f]) * ff_min(m->speed, 0.0);
        const double rate = ff_biped_hybrid_control(g, contact->mode[f], fall, m->foot[f]);
        m->foot[f] += g->period * rate;
        ff_biped_modify_world(&task->foot[f], (const double[3]){0.0, 0.0, m->foot[f]}, none,
                              (const double[3]){0.0, 0.0, rate}, none);
    }
}
