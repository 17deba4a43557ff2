// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Action level: from commands to setpoints. Commands beyond what legs or motors can do are limited and reported.
// Setpoints approach commands with bounded rates, so that they are smooth.
//
// The twist of the body (v, w) gives a foot the speed |v + w x c| at the centre c of its step. The fastest foot sets
// the step cycle by V_tr = V_st (2 - tau) / tau; the others make shorter steps in the same time.
#include "base/clamp.h"
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>

#define STANDS        1e-3  // a robot with a slower command stands [m/s]
#define SLOWEST       0.015 // least speed of a step cycle; a slower walk makes shorter steps [m/s]
#define TURN_RATE     1.0   // change of the yaw rate [rad/s^2]
#define HEIGHT_RATE   0.05  // [m/s]
#define ATTITUDE_RATE 0.2   // [rad/s]
#define JOINT_SHARE   0.8   // of the speed of a joint that steps may use: position loops need the rest
#define MOST_PACE     10.0  // [1]
#define MOST_TILT     0.5   // [rad]
#define LEAST_LENGTH  0.01  // of a step [m]
#define STEEPEST      0.6   // greatest H_ad / L_sum: the foot rises 1.2 times as fast as it travels [1]

static double approach(double x, double target, double step)
{
    return target > x ? ff_min(target, x + step) : ff_max(target, x - step);
}

static double size(const double v[2])
{
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

// ------------------------------------------------------------------------------------------ twist

static void fill_steps(const ff_walk_robot *robot, const ff_walk_command *command, ff_walk_setpoint *setpoint)
{
    setpoint->gait = command->gait;
    for (int i = 0; i < robot->n; i++) {
        setpoint->centre[i][0] = robot->centre[i][0];
        setpoint->centre[i][1] = robot->centre[i][1];
        setpoint->scale[i] = command->scale[i];
        setpoint->rotation[i] = command->rotation[i];
        setpoint->slope[i] = command->slope[i];
    }
}

/// Greatest speed of a foot at the centre of its step.
static double fastest(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint)
{
    double most = 0.0;
    for (int i = 0; i < robot->n; i++) {
        double flow[2];
        ff_footstep_flow(setpoint, i, setpoint->centre[i], flow);
        most = ff_max(most, size(flow));
    }
    return most;
}

static void set_cycle(const ff_walk_robot *robot, const ff_walk_command *command, double stance,
                      ff_walk_setpoint *setpoint)
{
    const ff_gait_table *table = &robot->step.tables[command->gait];
    const double transfer = ff_footstep_transfer_for(table->tau, ff_max(stance, SLOWEST));
    const ff_footstep_cycle cycle = ff_footstep_cycle_make(table->tau, command->length, command->zone, transfer);
    setpoint->pause = command->shift_body ? table->pause : 0.0;
    setpoint->cycle = ff_footstep_cycle_with_pause(&cycle, setpoint->pause);
}

/// Twist of a command within a limit of the transfer speed  [m/s].
/// @return whether it was clamped
static bool commanded_twist(const ff_walk_robot *robot, const ff_walk_command *command, double limit,
                            ff_walk_setpoint *setpoint)
{
    const double tau = robot->step.tables[command->gait].tau;
    const bool by_transfer = command->transfer > 0.0;
    const double speed = by_transfer && command->speed == 0.0 && command->turn == 0.0 ? 1.0 : command->speed;
    double s, c;
    ff_sincos(&command->direction, &s, &c, 1);
    setpoint->velocity[0] = speed * c;
    setpoint->velocity[1] = speed * s;
    setpoint->turn = command->turn;
    fill_steps(robot, command, setpoint);
    double fast = fastest(robot, setpoint), share = 1.0;
    const double most = limit * tau / (2.0 - tau);
    if (by_transfer && fast > 0.0) share = command->transfer * tau / (2.0 - tau) / fast;
    const bool clamped = share * fast > most * (1.0 + 1e-9);
    if (clamped) share = most / fast;
    setpoint->velocity[0] *= share;
    setpoint->velocity[1] *= share;
    setpoint->turn *= share;
    setpoint->walk = command->walk && share * fast > STANDS;
    set_cycle(robot, command, share * fast, setpoint);
    return clamped;
}

// ------------------------------------------------------------------------------------------ reach

/// Do all feet reach both ends and the middle of their steps, on the ground and lifted?
static bool within_reach(const ff_walk_robot *robot, ff_data *d, const ff_footstep_leg *legs,
                         const ff_walk_command *command, const ff_walk_setpoint *setpoint)
{
    static const double none[2] = {0.0, 0.0};
    const double ends[3] = {-robot->options.step.behind * command->length, 0.0, 0.5 * command->length};
    double q[3];
    ff_servo_pose(robot, d, command->height, none, command->roll, command->pitch, command->body);
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < 6; k++) {
            double foot[3] = {0.0, 0.0, k < 3 ? 0.0 : 2.0 * command->zone};
            ff_footstep_point(setpoint, i, ends[k % 3], foot);
            foot[2] += legs[i].ground + setpoint->slope[i] * (foot[0] - legs[i].foot[0]);
            if (ff_servo_leg(robot, d, i, foot, q) != FF_REACH_OK) return false;
        }
    return true;
}

/// Makes the steps of a command smaller, and moves height and attitude towards the stance, until all feet reach their
/// steps. Length and height of steps shrink together, to keep the speeds of feet. @return whether the command changed
static bool bring_within_reach(const ff_walk_robot *robot, ff_data *d, const ff_footstep_leg *legs,
                               const ff_walk_command *stance, ff_walk_command *goal)
{
    enum { POSES = 10, SIZES = 8 };
    const ff_walk_command commanded = *goal;
    ff_walk_setpoint setpoint = {0};
    for (int k = 0; k <= POSES; k++) {
        const double share = 1.0 - (double)k / POSES;
        goal->height = stance->height + share * (commanded.height - stance->height);
        goal->roll = share * commanded.roll;
        goal->pitch = share * commanded.pitch;
        for (int j = 0; j < robot->nbody; j++)
            goal->body[j] = stance->body[j] + share * (commanded.body[j] - stance->body[j]);
        for (int n = 0; n < SIZES; n++) {
            const double size_of_step = 1.0 - 0.1 * n;
            goal->length = size_of_step * commanded.length;
            goal->zone = size_of_step * commanded.zone;
            commanded_twist(robot, goal, robot->options.transfer_limit, &setpoint);
            if (within_reach(robot, d, legs, goal, &setpoint)) return k > 0 || n > 0;
        }
    }
    // no pose reaches these steps: the longest that the stance can make
    for (; goal->length > LEAST_LENGTH; goal->length *= 0.8, goal->zone *= 0.8) {
        commanded_twist(robot, goal, robot->options.transfer_limit, &setpoint);
        if (within_reach(robot, d, legs, goal, &setpoint)) return true;
    }
    goal->length = LEAST_LENGTH;
    goal->zone = STEEPEST * LEAST_LENGTH;
    return true;
}

/// Greatest transfer speed at which no joint needs more than JOINT_SHARE of its own greatest speed in the middle and
/// at the ends of the swing. Joint speeds are proportional to the transfer speed, so one evaluation suffices.
static double transfer_limit(const ff_walk_robot *robot, ff_data *d, const ff_walk_command *goal)
{
    static const double none[2] = {0.0, 0.0}, ends[3] = {-0.5, 0.0, 0.5}, heights[3] = {1.0, 2.0, 1.0};
    ff_walk_setpoint setpoint = {0};
    double need = 0.0;
    commanded_twist(robot, goal, robot->options.transfer_limit, &setpoint);
    const ff_footstep_cycle *c = &setpoint.cycle;
    ff_servo_pose(robot, d, goal->height, none, goal->roll, goal->pitch, goal->body);
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < 6; k++) {
            double foot[3] = {0.0, 0.0, heights[k % 3] * c->zone}, flow[2], q[3], rate[3];
            ff_footstep_point(&setpoint, i, ends[k % 3] * c->length, foot);
            ff_footstep_flow(&setpoint, i, foot, flow);
            const double faster = c->transfer / c->stance;
            const double velocity[3] = {faster * flow[0], faster * flow[1], k < 3 ? c->lift : -c->lift};
            if (ff_servo_leg(robot, d, i, foot, q) != FF_REACH_OK) continue;
            ff_servo_rates(robot, d, i, q, velocity, rate);
            for (int j = 0; j < robot->ik[i].njoint; j++) {
                const double speed = robot->model->joints[robot->ik[i].joint[j]].speed;
                if (speed > 0.0) need = ff_max(need, fabs(rate[j]) / (JOINT_SHARE * speed));
            }
        }
    return need > 1.0 ? c->transfer / need : robot->options.transfer_limit;
}

void ff_action_resolve(const ff_walk_robot *robot, ff_data *d, ff_walk_memory *memory)
{
    ff_walk_command *goal = &memory->goal, stance = {.height = robot->height};
    ff_walk_setpoint setpoint = {0};
    for (int j = 0; j < robot->nbody; j++) stance.body[j] = robot->stand[robot->body + j];
    *goal = memory->command;
    goal->length = ff_clamp(goal->length, LEAST_LENGTH, 1.0);
    goal->zone = ff_clamp(goal->zone, 1e-3, STEEPEST * goal->length);
    goal->roll = ff_clamp(goal->roll, -MOST_TILT, MOST_TILT);
    goal->pitch = ff_clamp(goal->pitch, -MOST_TILT, MOST_TILT);
    memory->clamped = 0;
    if (goal->roll != memory->command.roll || goal->pitch != memory->command.pitch ||
        goal->length != memory->command.length || goal->zone != memory->command.zone)
        memory->clamped |= FF_WALK_POSE_CLAMPED;
    if (bring_within_reach(robot, d, memory->step.legs, &stance, goal)) memory->clamped |= FF_WALK_POSE_CLAMPED;
    memory->transfer_limit = transfer_limit(robot, d, goal);
    if (commanded_twist(robot, goal, memory->transfer_limit, &setpoint)) memory->clamped |= FF_WALK_SPEED_CLAMPED;
}

double ff_action_slowed(const ff_walk_robot *robot, const ff_walk_memory *memory)
{
    if (!(memory->clamped & FF_WALK_SPEED_CLAMPED)) return 1.0;
    const ff_walk_command *goal = &memory->goal;
    ff_walk_setpoint setpoint = {0};
    commanded_twist(robot, goal, memory->transfer_limit, &setpoint);
    return goal->speed != 0.0 ? ff_hypot(setpoint.velocity[0], setpoint.velocity[1]) / fabs(goal->speed)
                              : setpoint.turn / goal->turn;
}

// ------------------------------------------------------------------------------------------ setpoints

/// Uses a slower setpoint at once, because a slower gait may not lift its feet fast enough for the old speed. The pace
/// rises such that the speed of the body does not jump, and falls from then on.
static void slow_down(const ff_walk_robot *robot, double wanted, ff_walk_memory *memory, ff_walk_setpoint *setpoint)
{
    const double fast = fastest(robot, setpoint);
    if (!(fast > wanted)) return;
    const double share = wanted / fast;
    for (int k = 0; k < 2; k++) setpoint->velocity[k] = memory->velocity[k] *= share;
    setpoint->turn = memory->turn *= share;
    memory->step.pace = ff_min(memory->step.pace / share, MOST_PACE);
}

void ff_action_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint)
{
    const ff_walk_command *goal = &memory->goal;
    *setpoint = (ff_walk_setpoint){.height = memory->height};
    commanded_twist(robot, goal, memory->transfer_limit, setpoint);
    const double wanted = setpoint->cycle.stance;
    const double ahead[2] = {setpoint->velocity[0] - memory->velocity[0], setpoint->velocity[1] - memory->velocity[1]};
    const double step = robot->options.step.acceleration * dt, change = size(ahead);
    // a robot that stands uses a new twist at once, as its pace rises from zero; one that stops keeps the last twist
    const bool stands = memory->step.pace == 0.0;
    const double part = stands || change <= step ? 1.0 : step / change;
    if (setpoint->walk) {
        memory->velocity[0] += part * ahead[0];
        memory->velocity[1] += part * ahead[1];
        memory->turn = stands ? setpoint->turn : approach(memory->turn, setpoint->turn, TURN_RATE * dt);
    }
    setpoint->velocity[0] = memory->velocity[0];
    setpoint->velocity[1] = memory->velocity[1];
    setpoint->turn = memory->turn;
    slow_down(robot, wanted, memory, setpoint);
    set_cycle(robot, goal, ff_max(fastest(robot, setpoint), 0.5 * wanted), setpoint);
    memory->height = approach(memory->height, goal->height, HEIGHT_RATE * dt);
    memory->roll = approach(memory->roll, goal->roll, ATTITUDE_RATE * dt);
    memory->pitch = approach(memory->pitch, goal->pitch, ATTITUDE_RATE * dt);
    setpoint->height = memory->height;
    setpoint->roll = memory->roll;
    setpoint->pitch = memory->pitch;
    for (int j = 0; j < robot->nbody; j++)
        setpoint->body[j] = memory->body[j] = approach(memory->body[j], goal->body[j], ATTITUDE_RATE * dt);
    setpoint->shift_body = goal->shift_body;
    setpoint->control_forces = goal->control_forces;
}
