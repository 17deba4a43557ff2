// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Servo level: from feet to joints. Feet are converted from the walk frame to the segment that carries the leg, and by
// the closed form of the leg to joint angles (thesis 3.4.3, steps 3 to 5). Speeds are the differences of the angles.
// Torques that carry the weight with the wanted foot forces,
//     tau = gravity(q) - sum J_i' F_i
// take the sag out of the position loops (not in the thesis; `feedforward` switches them off).
#include "dyn/packed.h"
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>

#define SMOOTH        0.01 // time constant of the torques, which jump when a foot lifts [s]
#define FOLLOWED      1e-3 // distance of a reference from its angle that is not reported [rad]
#define FASTEST_JOINT 10.0 // where the model gives no limit [rad/s]

// ------------------------------------------------------------------------------------------ kinematics

static void place_body(const ff_walk_robot *robot, ff_data *d, double height, const double shift[2], double roll,
                       double pitch, const double *body)
{
    const ff_model *m = robot->model;
    const double rpy[3] = {roll, pitch, 0.0};
    if (robot->base >= 0) {
        double *q = d->q + m->joints[robot->base].qadr;
        q[0] = shift[0];
        q[1] = shift[1];
        q[2] = height;
        ff_quat_from_rpy(q + 3, rpy);
    }
    for (int j = 0; j < robot->nbody; j++) d->q[m->joints[robot->joints[robot->body + j]].qadr] = body[j];
}

void ff_servo_pose(const ff_walk_robot *robot, ff_data *d, double height, const double shift[2], double roll,
                   double pitch, const double *body)
{
    place_body(robot, d, height, shift, roll, pitch, body);
    ff_dyn_kinematics(robot->model, d);
}

static int last_carrier(const ff_walk_robot *robot)
{
    int last = 0;
    for (int i = 0; i < robot->n; i++) {
        const int node = robot->ik[i].body >= 0 ? robot->model->bodies[robot->ik[i].body].node : 0;
        last = node > last ? node : last;
    }
    return last;
}

ff_reach ff_servo_leg(const ff_walk_robot *robot, const ff_data *d, int leg, const double foot[3], double *q)
{
    double pos[3], R[9], point[3] = {foot[0], foot[1], foot[2] + robot->radius[leg]}, local[3];
    ff_dyn_body_axes(robot->model, d, robot->ik[leg].body, pos, R);
    ff_vec3_sub(point, point, pos);
    ff_mat3_tmulv(local, R, point);
    return ff_leg_ik_solve(&robot->ik[leg], local, q, NULL);
}

void ff_servo_rates(const ff_walk_robot *robot, const ff_data *d, int leg, const double *q, const double velocity[3],
                    double *rate)
{
    double pos[3], R[9], local[3];
    ff_dyn_body_axes(robot->model, d, robot->ik[leg].body, pos, R);
    ff_mat3_tmulv(local, R, velocity);
    ff_leg_ik_rates(&robot->ik[leg], q, local, rate);
}

/// Joint angles of the plan. @return whether all feet were within reach
static bool solve_legs(const ff_walk_robot *robot, const ff_data *d, const ff_walk_plan *plan, double *q)
{
    bool reached = true;
    for (int i = 0; i < robot->n; i++)
        reached = ff_servo_leg(robot, d, i, plan->foot[i], q + robot->first[i]) == FF_REACH_OK && reached;
    return reached;
}

// ------------------------------------------------------------------------------------------ torques

static void feed_forward(const ff_walk_robot *robot, ff_data *d, double dt, ff_walk_memory *memory)
{
    const ff_model *m = robot->model;
    double *tau = d->tau, none[3] = {0.0, 0.0, 0.0}, com[3];
    for (int j = 0; j < robot->njoint; j++) d->q[m->joints[robot->joints[j]].qadr] = memory->position[j];
    ff_dyn_kinematics(m, d);
    ff_dyn_com(m, d, com);
    for (int k = 0; k < 2; k++) {
        memory->com_wanted[k] = com[k] - memory->plan.shift[k];
        if (!memory->started || memory->rising < 1.0) memory->com_mean[k] = memory->com_wanted[k];
    }
    ff_dyn_clear_forces(m, d);
    for (int i = 0; i < robot->n; i++) {
        const ff_frame *frame = &m->frames[m->legs[i].frame];
        const double force[3] = {0.0, 0.0, -memory->plan.force[i]};
        double point[3];
        ff_dyn_point(m, d, frame->body, frame->pos, point);
        ff_dyn_apply_force(m, d, frame->body, point, force, none);
    }
    ff_dyn_gravity(m, d, tau);
    ff_dyn_take_lifts(m, d, tau);
    ff_dyn_add_wrench_torque(m, d, tau);
    const double share = memory->started ? ff_min(1.0, dt / SMOOTH) : 1.0;
    for (int j = 0; j < robot->njoint; j++) {
        const double wanted = robot->options.feedforward ? tau[m->joints[robot->joints[j]].vadr] : 0.0;
        if (isfinite(wanted)) memory->torque[j] += share * (wanted - memory->torque[j]);
    }
}

// ------------------------------------------------------------------------------------------ references

/// Moves the joints from where they were at the start to the stance, smoothly.
static void rise_to(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, double *q)
{
    memory->rising = ff_min(1.0, memory->rising + dt / ff_max(memory->rise_time, 1e-3));
    const double u = memory->rising, share = u * u * (3.0 - 2.0 * u);
    for (int j = 0; j < robot->njoint; j++) q[j] = memory->from[j] + share * (q[j] - memory->from[j]);
}

/// Moves the references to the new angles, no faster than the joints can move. @return whether all are there
static bool approach_angles(const ff_walk_robot *robot, const double *q, double dt, ff_walk_memory *memory)
{
    bool followed = true;
    for (int j = 0; j < robot->njoint; j++) {
        const ff_joint *joint = &robot->model->joints[robot->joints[j]];
        const double most = (joint->speed > 0.0 ? joint->speed : FASTEST_JOINT) * dt;
        const double change = q[j] - memory->position[j];
        if (!isfinite(change)) {
            memory->status |= FF_WALK_BAD_NUMBER;
            memory->speed[j] = 0.0;
            continue;
        }
        const double step = ff_max(-most, ff_min(most, change));
        followed = followed && fabs(change - step) < FOLLOWED;
        memory->position[j] += step;
        memory->speed[j] = dt > 0.0 ? step / dt : 0.0;
    }
    return followed;
}

void ff_servo_update(const ff_walk_robot *robot, ff_data *d, const ff_walk_setpoint *setpoint, double dt,
                     ff_walk_memory *memory)
{
    double q[FF_WALK_JOINTS];
    place_body(robot, d, setpoint->height, memory->plan.shift, setpoint->roll, setpoint->pitch, setpoint->body);
    ff_dyn_kinematics_until(robot->model, d, last_carrier(robot)); // without the legs, whose angles follow
    if (!solve_legs(robot, d, &memory->plan, q)) memory->status |= FF_WALK_OUT_OF_REACH;
    for (int j = 0; j < robot->nbody; j++) q[robot->body + j] = setpoint->body[j];
    if (memory->rising < 1.0) rise_to(robot, dt, memory, q);
    if (!approach_angles(robot, q, dt, memory)) memory->status |= FF_WALK_OUT_OF_REACH;
    feed_forward(robot, d, dt, memory);
}
