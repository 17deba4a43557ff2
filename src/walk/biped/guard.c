// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of gains, targets and joint references, so that a corrupt number does not move the robot: bounds are well
// beyond the needs of a walk, in units of the robot. A reference that was held returns to the plan at a bounded speed.
#include "biped/rotation.h"
#include "biped/stabiliser.h"

#include <footfall/math.h>

/// Greatest speed of joints, in sqrt(g / height), of slides times the leg: 20 rad/s for LOLA.
#define JOINT_SPEED 6.0
/// Greatest speed of targets, in legs a second: a swing foot at 0.6 m/s has 2.
#define TARGET_SPEED 10.0
/// Greatest jump of targets, in legs, as at a change of the plan.
#define TARGET_JUMP 0.01
/// Longest time without targets during which they may have moved at that speed.  [s]
#define TARGET_GAP 0.1
/// Speed relative to the plan at which a held reference returns to it, in legs a second and in rad/s.
#define CATCH_UP 2.0
/// Greatest planned force, in weights.
#define TARGET_FORCE 5.0

// ------------------------------------------------------------------------------------------ gains

ff_status ff_biped_guard_gains(const ff_biped_gains *g, ff_error *err)
{
    const struct {
        const char *name;
        double value;
    } list[] = {
        {"contact_force", g->contact_force},
        {"early_force", g->early_force},
        {"early_time", g->early_time},
        {"late_time", g->late_time},
        {"early_load", g->early_load},
        {"position_gain", g->position_gain},
        {"tilt_stiffness", g->tilt_stiffness},
        {"tilt_damping", g->tilt_damping},
        {"dcm_gain", g->dcm_gain},
        {"passivity", g->passivity},
        {"friction", g->friction},
        {"least_force", g->least_force},
        {"most_force", g->most_force},
        {"height_stiffness", g->height_stiffness},
        {"height_damping", g->height_damping},
        {"height_gain", g->height_gain},
        {"force_gain", g->force_gain},
        {"force_rate_gain", g->force_rate_gain},
        {"force_feed", g->force_feed},
        {"force_plan", g->force_plan},
        {"task_gain", g->task_gain},
        {"comfort", g->comfort},
        {"limits", g->limits},
        {"self_collision", g->self_collision},
        {"angular_momentum", g->angular_momentum},
    };
    const double times[] = {g->period, g->swing_time, g->common_time, g->force_rise, g->late_fall, g->force_filter};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!(list[i].value >= 0.0 && isfinite(list[i].value)))
            return ff_error_set(err, FF_BAD_ARGUMENT, "gain '%s' of the stabiliser is %g: it must be 0 or more",
                                list[i].name, list[i].value);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!(times[i] > 0.0 && isfinite(times[i])))
            return ff_error_set(err, FF_BAD_ARGUMENT, "times of the stabiliser must be positive");
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ targets

static bool is_near(const double a[3], const double b[3], double most)
{
    return fabs(a[0] - b[0]) <= most && fabs(a[1] - b[1]) <= most && fabs(a[2] - b[2]) <= most;
}

/// Places within `far` of the last ones, no speed above `fast`; turns of the torso count with a leg's length.
static bool is_task_near(const ff_biped_task *a, const ff_biped_task *b, double leg, double far, double fast)
{
    static const double rest[3] = {0.0, 0.0, 0.0};
    bool near = is_near(a->com, b->com, far) && is_near(a->torso, b->torso, far / leg) &&
                is_near(a->com_vel, rest, fast) && is_near(a->torso_omega, rest, fast / leg);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_motion *foot = &a->foot[f], *before = &b->foot[f];
        near = near && is_near(foot->pos, before->pos, far) && is_near(foot->rot, before->rot, far / leg) &&
               is_near(foot->vel, rest, fast) && is_near(foot->omega, rest, fast / leg);
    }
    return near;
}

bool ff_biped_guard_target(const ff_biped *robot, double period, const ff_biped_target *target,
                           const ff_biped_target *last)
{
    static const double rest[3] = {0.0, 0.0, 0.0};
    const double fast = TARGET_SPEED * robot->leg, force = TARGET_FORCE * robot->weight;
    // a first target may be anywhere
    const double since = last ? ff_min(ff_max(target->time - last->time, period), TARGET_GAP) : 0.0;
    const double far = last ? since * fast + TARGET_JUMP * robot->leg : INFINITY;
    bool valid = isfinite(target->time) && isfinite(target->zmp[0] + target->zmp[1]) &&
                 is_near(target->wrench.force, rest, force) && is_near(target->wrench.torque, rest, force * robot->leg);
    for (int f = 0; f < FF_BIPED_FEET; f++) valid = valid && target->load[f] >= 0.0 && target->load[f] <= 1.0;
    return valid && ff_all_finite(target->task.com, sizeof target->task / sizeof(double)) &&
           is_task_near(&target->task, last ? &last->task : &target->task, robot->leg, far, fast);
}

// ------------------------------------------------------------------------------------------ joints

bool ff_biped_guard_joints(const ff_biped *robot, const double *q, const double *v)
{
    const ff_model *m = robot->model;
    const double turns = JOINT_SPEED * sqrt(robot->weight / (robot->mass * robot->com[2]));
    bool valid = ff_all_finite(q, m->nq) && ff_all_finite(v, m->nv);
    for (int k = 0; k < m->nv; k++) {
        const ff_joint *joint = &m->joints[m->dof_joint[k]];
        const double most = joint->type == FF_JOINT_SLIDE ? turns * robot->leg : turns;
        valid = valid && (m->dof_joint[k] == robot->base || fabs(v[k]) <= ff_max(most, joint->speed));
    }
    return valid;
}

// ------------------------------------------------------------------------------------------ catching up

/// Distance of a motion from the last one, over the greatest distance of a tick.
static double relative_distance(const ff_biped_motion *to, const ff_biped_motion *now, double far, double turned)
{
    double shift[3], turn[3];
    ff_vec3_sub(shift, to->pos, now->pos);
    ff_rotvec_error(turn, to->rot, now->rot);
    return ff_max(ff_vec3_norm(shift) / far, ff_vec3_norm(turn) / turned);
}

/// Moves from `now` by a share of the distance.
static void approach(ff_biped_motion *to, const ff_biped_motion *now, double share)
{
    static const double rest[3] = {0.0, 0.0, 0.0};
    double shift[3], turn[3];
    ff_vec3_sub(shift, to->pos, now->pos);
    ff_rotvec_error(turn, to->rot, now->rot);
    ff_vec3_scale(shift, shift, share);
    ff_vec3_scale(turn, turn, share);
    ff_vec3_copy(to->pos, now->pos);
    ff_vec3_copy(to->rot, now->rot);
    ff_biped_modify_world(to, shift, turn, rest, rest);
}

bool ff_biped_guard_approach(const ff_biped *robot, double task_gain, const ff_biped_task *now, ff_biped_task *task)
{
    const double turned = CATCH_UP / task_gain, far = turned * robot->leg; // inverse kinematics makes speeds of these
    ff_biped_motion body = {0}, was = {0};
    ff_vec3_copy(body.pos, task->com);
    ff_vec3_copy(body.rot, task->torso);
    ff_vec3_copy(was.pos, now->com);
    ff_vec3_copy(was.rot, now->torso);
    double most = relative_distance(&body, &was, far, turned);
    for (int f = 0; f < FF_BIPED_FEET; f++)
        most = ff_max(most, relative_distance(&task->foot[f], &now->foot[f], far, turned));
    if (!(most > 1.0)) return false;
    approach(&body, &was, 1.0 / most); // all by the same share: body and feet stay together
    ff_vec3_copy(task->com, body.pos);
    ff_vec3_copy(task->torso, body.rot);
    for (int f = 0; f < FF_BIPED_FEET; f++) approach(&task->foot[f], &now->foot[f], 1.0 / most);
    return true;
}
