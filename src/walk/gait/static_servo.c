// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Servo level of a biped: the pelvis is placed such that the centre of mass of the model is that of the plan, inverse
// kinematics of the legs gives joint angles, and the planned forces of the feet give torques.
#include "dyn/packed.h"
#include "gait/static_walk.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

#define SMOOTH 0.02 // time constant of the torques, which jump when a foot lifts [s]
#define FADE   1.0  // in which the differences of joints from the plan at the start fade [s]
// reserves of steps and heights for the balance, which moves pelvis and feet
#define LEFT_OF_REACH 5e-3 // reserve of height of a stretched leg [m]
#define MOST_FORCE    0.85 // share of a drive's greatest force that standing on one foot may need [1]
#define HEIGHT_STEP   5e-3 // of the search for heights [m]
#define HEIGHT_SEARCH 0.3  // range of the search about the height of the pose, as a share of it [1]

// ------------------------------------------------------------------------------------------ kinematics

static ff_pose pelvis_pose(const double place[3], double yaw)
{
    ff_pose pose = {.p = {place[0], place[1], place[2]}};
    const double rpy[3] = {0.0, 0.0, yaw};
    double quat[4];
    ff_quat_from_rpy(quat, rpy);
    ff_quat_to_mat3(pose.R, quat);
    return pose;
}

/// Angles of a leg with its foot in the planned pose. @return whether the leg reaches it
static bool solve_leg(const ff_static_walk_robot *robot, int side, const ff_static_walk_foot *foot,
                      const ff_pose *pelvis, double *angles)
{
    const ff_leg_chain *chain = &robot->chain[side];
    double R[9], turned[9], moved[3];
    ff_pose end;
    ff_static_walk_foot_axes(foot, R);
    ff_mat3_mul(turned, R, chain->end.R);
    ff_mat3_tmul(end.R, pelvis->R, turned);
    ff_vec3_sub(moved, foot->place, pelvis->p);
    moved[2] += robot->model->legs[robot->leg[side]].radius;
    ff_mat3_tmulv(end.p, pelvis->R, moved);
    return ff_leg_chain_solve(chain, &end, angles, NULL);
}

static void take_angles(const ff_leg_chain *chain, const double *q, double *angles)
{
    for (int k = 0; k < chain->njoint; k++) angles[k] = q[chain->qadr[k]];
}

/// Can both legs stand with the pelvis here, with a reserve for the balance? `q` is the start of the search.
static bool can_stand(const ff_static_walk_robot *robot, const ff_static_walk_foot feet[2], const double pelvis[3],
                      const double *q)
{
    const double higher[3] = {pelvis[0], pelvis[1], pelvis[2] + LEFT_OF_REACH};
    const ff_pose pose = pelvis_pose(higher, 0.5 * (feet[0].yaw + feet[1].yaw));
    const double rest[FF_STATIC_WALK_COORDINATES] = {0};
    double all[FF_STATIC_WALK_COORDINATES];
    memcpy(all, q, sizeof all);
    for (int side = 0; side < 2; side++) {
        double angles[FF_CHAIN_JOINTS];
        take_angles(&robot->chain[side], q, angles);
        if (!solve_leg(robot, side, &feet[side], &pose, angles)) return false;
        for (int k = 0; k < robot->chain[side].njoint; k++) all[robot->chain[side].qadr[k]] = angles[k];
    }
    return !robot->travel || ff_travel_lacks(robot->travel, all, rest, rest, 1.0) < 0;
}

/// Places the pelvis such that the centre of mass is over a point, in a few rounds as the legs move it, too. The trunk
/// leans to the left; `d` has that pose afterwards. @return whether the legs reach the feet
static bool place_pelvis(const ff_static_walk_robot *robot, const ff_static_walk_foot feet[2], const double over[2],
                         double lean, double pelvis[3], ff_data *d)
{
    enum { ROUNDS = 4 };
    const ff_model *m = robot->model;
    double *base = d->q + m->joints[robot->base].qadr, com[3];
    if (robot->trunk >= 0) {
        const int trunk = m->joints[robot->trunk].qadr;
        d->q[trunk] = robot->stand[trunk] + robot->trunk_sign * lean;
    }
    for (int round = 0; round < ROUNDS; round++) {
        const ff_pose pose = pelvis_pose(pelvis, 0.5 * (feet[0].yaw + feet[1].yaw));
        for (int side = 0; side < 2; side++) {
            double angles[FF_CHAIN_JOINTS];
            take_angles(&robot->chain[side], d->q, angles);
            if (!solve_leg(robot, side, &feet[side], &pose, angles)) return false;
            for (int k = 0; k < robot->chain[side].njoint; k++) d->q[robot->chain[side].qadr[k]] = angles[k];
        }
        ff_vec3_copy(base, pelvis);
        ff_quat_from_mat3(base + 3, pose.R);
        ff_dyn_kinematics(m, d);
        ff_dyn_com(m, d, com);
        for (int k = 0; k < 2; k++) pelvis[k] += over[k] - com[k];
    }
    return true;
}

bool ff_static_walk_can_carry(const ff_static_walk_robot *robot, const ff_static_walk_foot feet[2], int stance,
                              const double over[2], const double pelvis[3], double force, const double *q, ff_data *d)
{
    const ff_model *m = robot->model;
    const double lean = stance == 0 ? robot->options.lean : -robot->options.lean;
    const double at[3] = {over[0], over[1], feet[stance].place[2]}, down[3] = {0.0, 0.0, -robot->weight};
    const double rest[FF_STATIC_WALK_COORDINATES] = {0}, none[3] = {0};
    double place[3] = {pelvis[0], pelvis[1], pelvis[2]};
    memcpy(d->q, q, (size_t)m->nq * sizeof *q);
    if (!place_pelvis(robot, feet, over, lean, place, d) || !can_stand(robot, feet, place, d->q)) return false;
    if (!robot->travel) return true;
    ff_dyn_clear_forces(m, d);
    ff_dyn_apply_force(m, d, m->frames[m->legs[robot->leg[stance]].frame].body, at, down, none);
    ff_dyn_gravity(m, d, d->tau);
    ff_dyn_take_lifts(m, d, d->tau);
    ff_dyn_add_wrench_torque(m, d, d->tau);
    return ff_travel_lacks(robot->travel, d->q, rest, d->tau, force) < 0;
}

// ------------------------------------------------------------------------------------------ torques

void ff_static_walk_plan_forces(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, double force[2],
                                double at[2][3])
{
    const ff_static_walk_foot *left = &memory->foot[0], *right = &memory->foot[1];
    const double share = memory->load;
    force[0] = share * robot->weight;
    force[1] = robot->weight - force[0];
    for (int k = 0; k < 2; k++) {
        const double off = memory->aim[k] - (share * left->place[k] + (1.0 - share) * right->place[k]);
        at[0][k] = left->place[k] + off;
        at[1][k] = right->place[k] + off;
    }
    at[0][2] = left->place[2];
    at[1][2] = right->place[2];
}

static void feed_forward(const ff_static_walk_robot *robot, double dt, ff_data *d, ff_static_walk_state *memory)
{
    const ff_model *m = robot->model;
    const double none[3] = {0.0, 0.0, 0.0}, share = memory->started ? ff_min(1.0, dt / SMOOTH) : 1.0;
    double force[2], at[2][3];
    ff_static_walk_plan_forces(robot, memory, force, at);
    ff_dyn_clear_forces(m, d);
    for (int side = 0; side < 2; side++) {
        const double down[3] = {0.0, 0.0, -force[side]};
        ff_dyn_apply_force(m, d, m->frames[m->legs[robot->leg[side]].frame].body, at[side], down, none);
    }
    ff_dyn_gravity(m, d, d->tau);
    ff_dyn_take_lifts(m, d, d->tau);
    ff_dyn_add_wrench_torque(m, d, d->tau);
    for (int i = 0; i < m->nv; i++) {
        const double wanted = robot->options.feedforward ? d->tau[i] : 0.0;
        if (isfinite(wanted)) memory->tau[i] += share * (wanted - memory->tau[i]);
    }
}

// ------------------------------------------------------------------------------------------ heights

/// Both feet as in the pose, the pelvis this high: could one of them carry alone?
static bool can_carry_at(const ff_static_walk_robot *robot, int stance, double height, ff_data *d)
{
    const double side = stance == 0 ? 1.0 : -1.0;
    const double over[2] = {robot->options.ahead, side * (robot->half - robot->options.inward)};
    const double pelvis[3] = {over[0], over[1], height};
    const ff_static_walk_foot feet[2] = {{.place = {0.0, robot->half, 0.0}}, {.place = {0.0, -robot->half, 0.0}}};
    return ff_static_walk_can_carry(robot, feet, stance, over, pelvis, MOST_FORCE, robot->stand, d);
}

void ff_static_walk_find_heights(ff_static_walk_robot *robot, ff_data *d)
{
    for (int end = 0; end < 2; end++) {
        const double step = end == 0 ? -HEIGHT_STEP : HEIGHT_STEP, most = HEIGHT_SEARCH * robot->height;
        robot->heights[end] = robot->height;
        for (double by = step; fabs(by) <= most; by += step) {
            const double height = robot->height + by;
            if (!can_carry_at(robot, 0, height, d) || !can_carry_at(robot, 1, height, d)) break;
            robot->heights[end] = height;
        }
    }
}

// ------------------------------------------------------------------------------------------ references

/// Share of the differences at the start that is left.
static double share_left(double time)
{
    const double u = ff_min(1.0, time / FADE);
    return 1.0 - u * u * (3.0 - 2.0 * u);
}

/// Makes positions and their rates the references.
static void take_positions(const ff_static_walk_robot *robot, double dt, const double *q, ff_static_walk_state *memory)
{
    const ff_model *m = robot->model;
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (!ff_joint_is_scalar(joint->type)) continue;
        if (!memory->started && memory->joint[j].age <= robot->options.stale)
            memory->start_error[j] = memory->joint[j].value - q[joint->qadr];
        const double next = q[joint->qadr] + share_left(memory->fade) * memory->start_error[j];
        if (!isfinite(next)) {
            memory->status |= FF_STATIC_WALK_BAD_NUMBER;
            continue;
        }
        memory->v[joint->vadr] = memory->started && dt > 0.0 ? (next - memory->q[joint->qadr]) / dt : 0.0;
        memory->q[joint->qadr] = next;
    }
}

void ff_static_walk_servo_update(const ff_static_walk_robot *robot, double dt, ff_data *d, ff_static_walk_state *memory)
{
    const ff_model *m = robot->model;
    const double yaw = 0.5 * (memory->foot[0].yaw + memory->foot[1].yaw);
    for (int k = 0; k < 2; k++) memory->pelvis[k] = memory->com[k] + memory->shift[k] - memory->offset[k];
    memory->pelvis[2] = memory->height;
    const ff_pose pelvis = pelvis_pose(memory->pelvis, yaw);
    memcpy(d->q, robot->stand, (size_t)m->nq * sizeof *d->q);
    for (int side = 0; side < 2; side++) {
        double angles[FF_CHAIN_JOINTS];
        take_angles(&robot->chain[side], memory->q, angles);
        ff_static_walk_foot foot = memory->foot[side];
        for (int k = 0; k < 2; k++) foot.tilt[k] += memory->yield[side][k];
        foot.place[2] += side == 0 ? memory->stretch : -memory->stretch;
        if (!solve_leg(robot, side, &foot, &pelvis, angles)) {
            if (!(memory->ever & FF_STATIC_WALK_OUT_OF_REACH) && memory->short_leg < 0) memory->short_leg = side;
            memory->status |= FF_STATIC_WALK_OUT_OF_REACH;
        }
        for (int k = 0; k < robot->chain[side].njoint; k++) d->q[robot->chain[side].qadr[k]] = angles[k];
    }
    if (robot->trunk >= 0) d->q[m->joints[robot->trunk].qadr] += robot->trunk_sign * memory->trunk;
    double *base = d->q + m->joints[robot->base].qadr;
    ff_vec3_copy(base, memory->pelvis);
    ff_quat_from_mat3(base + 3, pelvis.R);
    take_positions(robot, dt, d->q, memory);
    memory->fade += dt;
    ff_dyn_kinematics(m, d);
    double com[3];
    ff_dyn_com(m, d, com);
    for (int k = 0; k < 2; k++) memory->offset[k] = com[k] - memory->pelvis[k];
    feed_forward(robot, dt, d, memory);
}
