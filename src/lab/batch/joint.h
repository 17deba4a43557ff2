// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of the model in a step: forces on bodies and torques on joints that act on every robot for some of its steps;
// of joints also springs, dampers, dry friction, stops, servos that follow their targets, actuators.
#ifndef FOOTFALL_BATCH_JOINT_H
#define FOOTFALL_BATCH_JOINT_H

#include "batch/driven.h"
#include "batch/place.h"

/// 1 for robots on which it acts now, 0 for others.
FN real acts(const struct ff_batch_model *m, const real *x, const ff_batch_force_law *push)
{
    const real age = ROW(x, m->robot + FF_ROBOT_AGE);
    return choose((age >= push->first) & (age < push->end), each(1.0), each(0.0));
}

/// Sum of the forces `first` to `first + count - 1`, about the origin of the tree: moment, then force.
/// @param pose  of the node: its attitude by rows, then its place from there
APART void push_body(const struct ff_batch_model *m, const real *x, int first, int count, const real *pose,
                     real *wrench)
{
    UNROLL for (int k = 0; k < 6; k++) wrench[k] = each(0.0);
    for (int i = first; i < first + count; i++) {
        const ff_batch_force_law *push = &m->pushes[i];
        const real on = acts(m, x, push);
        real arm[3], force[3];
        turn_constant(arm, pose, push->at);
        UNROLL for (int k = 0; k < 3; k++)
        {
            arm[k] += pose[9 + k];
            force[k] = on * push->force[k];
            wrench[3 + k] += force[k];
        }
        cross_add(wrench, arm, force);
    }
}

/// Sum of the torques on a degree of freedom likewise.
APART void push_joint(const struct ff_batch_model *m, const real *x, int first, int count, real *torque)
{
    *torque = each(0.0);
    for (int i = first; i < first + count; i++) *torque += acts(m, x, &m->pushes[i]) * m->pushes[i].force[0];
}

FN real stop_push(const ff_batch_dof *d, real depth, real leaving)
{
    return larger(d->stop_stiffness * depth - d->stop_damping * leaving, each(0.0));
}

/// Spring, damper, dry friction and stops (src/physics/dyn/passive.c).
FN real passive_force(const ff_batch_dof *d, real q, real v)
{
    real force = -d->damping * v;
    if (d->dry > 0.0) force -= d->dry * v / root(v * v + d->dry_speed * d->dry_speed);
    if (d->stiffness != 0.0) force -= d->stiffness * (q - d->spring_ref);
    if (d->limited) {
        const mask below = q<d->low, above = q> d->high;
        if (any_of(below)) force += choose(below, stop_push(d, d->low - q, v), each(0.0));
        if (any_of(above)) force -= choose(above, stop_push(d, q - d->high, -v), each(0.0));
    }
    return force;
}

/// When what arrives at servos now was sent: a cycle of poses comes as late as other targets.  [steps]
FN real sent_at(const struct ff_batch_model *m, const real *x, real age)
{
    return KNOWN(m, delay) > 0 ? larger(age - ROW(x, m->delay_row), each(0.0)) : age;
}

/// Where the cycle stands after `age` steps: s = u^2 (3 - 2 u) between two poses.
FN void cycle_at(const struct ff_batch_model *m, real age, whole *all_of)
{
    const num speed = (num)m->cycle.npose / (num)m->cycle.period;
    if (m->cycle.every > 1) age = m->cycle.every * whole_part(age / m->cycle.every);
    const real phase = age * m->step / m->cycle.period * m->cycle.npose, poses = whole_part(phase), u = phase - poses;
    all_of->pose = poses - m->cycle.npose * whole_part(poses / m->cycle.npose);
    all_of->part = u * u * (3.0 - 2.0 * u);
    all_of->rate = 6.0 * u * (1.0 - u) * speed;
}

/// The number `column` of the pose `pose` (a whole number), of which robots of a block may have different ones.
FN real of_pose(const struct ff_batch_model *m, real pose, int column)
{
#if defined(__CUDACC__) || FF_LANES == 1
    return m->cycle.poses[(int)pose * m->nservo + column];
#else
    real found = each(0.0);
    for (int i = 0; i < m->cycle.npose; i++)
        found = choose(pose == (num)i, each(m->cycle.poses[i * m->nservo + column]), found);
    return found;
#endif
}

/// Position and speed of a servo in the cycle.
FN void cycle_target(const struct ff_batch_model *m, const whole *all_of, int servo, real *position, real *speed)
{
    const real next = all_of->pose + 1.0, from = of_pose(m, all_of->pose, servo);
    const real to = of_pose(m, choose(next == (num)m->cycle.npose, each(0.0), next), servo);
    *position += from + (to - from) * all_of->part;
    *speed += (to - from) * all_of->rate;
}

/// Position, speed and torque that a servo is to follow now.
FN void servo_targets(const place *at, const whole *all_of, int servo, real *target)
{
    const struct ff_batch_model *m = at->model;
    if (KNOWN(m, delay) > 0 && all_of->targets.keeps)
        late_targets(at->x, at->in, &all_of->targets, 3 * servo, target);
    else
        UNROLL for (int k = 0; k < 3; k++) target[k] = ROW(at->in, 3 * servo + k);
    if (KNOWN(&m->cycle, npose) > 0) cycle_target(m, all_of, servo, &target[0], &target[1]);
}

/// What the servo asks for and its drive gives.
FN real servo_force(const place *at, const whole *all_of, int servo, real q, real v)
{
    const struct ff_batch_model *m = at->model;
    const ff_batch_servo_law *s = &m->servos[servo];
    real target[3];
    servo_targets(at, all_of, servo, target);
    real gain = all_of->gain;
    if (KNOWN(m, varied) && s->factor_row > 0) gain = gain * ROW(at->x, s->factor_row);
    if (RARELY(KNOWN(m, driven) && s->driven)) return driven_torque(m, servo, at->x, gain, target, q, v);
    const real pull = s->stiffness * (target[0] - q) + s->damping * (target[1] - v);
    return clamp(gain * pull + target[2], s->low, s->high);
}

FN real joint_force(const place *at, const whole *all_of, const ff_batch_dof *d, real q, real v)
{
    const struct ff_batch_model *m = at->model;
    real tau = each(0.0);
    if (d->servo >= 0) tau = servo_force(at, all_of, d->servo, q, v);
    for (int i = 0; i < d->nactuator; i++) {
        const ff_batch_actuator_law *a = &m->actuators[d->actuator + i];
        const real u = clamp(ROW(at->in, a->command), a->command_low, a->command_high);
        const real force = a->gain * u + a->bias[0] + a->bias[1] * a->gear * q + a->bias[2] * a->gear * v;
        tau += a->gear * clamp(force, a->force_low, a->force_high);
    }
    if (d->passive) {
        tau += passive_force(d, q, v);
        if (RARELY(KNOWN(m, npush) > 0 && d->npush > 0)) {
            real torque; // of its own, so that the others stay in registers
            push_joint(m, at->x, d->push, d->npush, &torque);
            tau += torque;
        }
    }
    return tau;
}

#endif
