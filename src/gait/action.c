// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Action level: from wishes to orders. What the legs or motors cannot do is clamped and told; what remains is approached with bounded
// accelerations, so that a new wish at any moment gives a smooth order.
//
// The twist of the body (v, w) gives each foot the speed |v + w x c| at the centre c of its step; the fastest one sets the step cycle by
// V_tr = V_st (2 - tau) / tau, the others make shorter steps in the same time.
#include "gait/walk.h"

#include <footfall/math.h>

#include <math.h>

#define STANDS        1e-3  // below this a speed is none [m/s]
#define SLOWEST       0.015 // of a step cycle; slower walks make shorter steps [m/s]
#define TURN_RATE     1.0   // change of the yaw rate [rad/s^2]
#define HEIGHT_RATE   0.05  // [m/s]
#define ATTITUDE_RATE 0.2   // [rad/s]
#define JOINT_SHARE   0.8   // of the speed of a joint that steps may use: loops need the rest to catch up
#define MOST_PACE     10.0
#define MOST_TILT     0.5  // [rad]
#define LEAST_LENGTH  0.01 // of a step [m]
#define STEEPEST      0.6  // H_ad / L_sum: the foot then rises 1.2 times as fast as it travels

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double approach(double x, double target, double step)
{
    return target > x ? ff_min(target, x + step) : ff_max(target, x - step);
}

static double size(const double v[2])
{
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

// ------------------------------------------------------------------------------------------ twist

static void fill_steps(const ff_walk_robot *robot, const ff_walk_wish *wish, ff_walk_order *order)
{
    order->gait = wish->gait;
    for (int i = 0; i < robot->n; i++) {
        order->centre[i][0] = robot->centre[i][0];
        order->centre[i][1] = robot->centre[i][1];
        order->scale[i] = wish->scale[i];
        order->rotation[i] = wish->rotation[i];
        order->slope[i] = wish->slope[i];
    }
}

/// Speed of the fastest foot.
static double fastest(const ff_walk_robot *robot, const ff_walk_order *order)
{
    double most = 0.0;
    for (int i = 0; i < robot->n; i++) {
        double flow[2];
        ff_step_flow(order, i, order->centre[i], flow);
        most = ff_max(most, size(flow));
    }
    return most;
}

static void set_cycle(const ff_walk_robot *robot, const ff_walk_wish *wish, double stance, ff_walk_order *order)
{
    const ff_gait_table *table = &robot->step.tables[wish->gait];
    const double transfer = ff_step_transfer_for(table->tau, ff_max(stance, SLOWEST));
    const ff_step_cycle cycle = ff_step_cycle_make(table->tau, wish->length, wish->zone, transfer);
    order->pause = wish->shift_body ? table->pause : 0.0;
    order->cycle = ff_step_cycle_with_pause(&cycle, order->pause);
}

/// Twist of a wish within a limit of the transfer speed  [m/s].
/// @return whether it was clamped
static bool wished_twist(const ff_walk_robot *robot, const ff_walk_wish *wish, double limit, ff_walk_order *order)
{
    const double tau = robot->step.tables[wish->gait].tau;
    const bool by_transfer = wish->transfer > 0.0;
    const double speed = by_transfer && wish->speed == 0.0 && wish->turn == 0.0 ? 1.0 : wish->speed;
    double s, c;
    ff_sincos(&wish->direction, &s, &c, 1);
    order->velocity[0] = speed * c;
    order->velocity[1] = speed * s;
    order->turn = wish->turn;
    fill_steps(robot, wish, order);
    double fast = fastest(robot, order), share = 1.0;
    const double most = limit * tau / (2.0 - tau);
    if (by_transfer && fast > 0.0) share = wish->transfer * tau / (2.0 - tau) / fast;
    const bool clamped = share * fast > most * (1.0 + 1e-9);
    if (clamped) share = most / fast;
    order->velocity[0] *= share;
    order->velocity[1] *= share;
    order->turn *= share;
    order->walk = wish->walk && share * fast > STANDS;
    set_cycle(robot, wish, share * fast, order);
    return clamped;
}

// ------------------------------------------------------------------------------------------ reach

/// Whether all feet reach both ends and the top of their steps, on the ground they know.
static bool within_reach(const ff_walk_robot *robot, ff_data *d, const ff_step_leg *legs, const ff_walk_wish *wish,
                         const ff_walk_order *order)
{
    static const double none[2] = {0.0, 0.0};
    const double ends[3] = {-robot->options.step.behind * wish->length, 0.0, 0.5 * wish->length};
    double q[3];
    ff_servo_pose(robot, d, wish->height, none, wish->roll, wish->pitch, wish->body);
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < 6; k++) {
            double foot[3] = {0.0, 0.0, k < 3 ? 0.0 : 2.0 * wish->zone};
            ff_step_point(order, i, ends[k % 3], foot);
            foot[2] += legs[i].ground + order->slope[i] * (foot[0] - legs[i].foot[0]);
            if (ff_servo_leg(robot, d, i, foot, q) != FF_REACH_OK) return false;
        }
    return true;
}

/// Makes the steps of a wish smaller, then leads height and attitude towards the stance, until all feet reach their steps. Length and height of
/// steps go together: the speeds of the feet stay as they are.
/// @return whether it had to
static bool bring_within_reach(const ff_walk_robot *robot, ff_data *d, const ff_step_leg *legs,
                               const ff_walk_wish *stance, ff_walk_wish *goal)
{
    enum { POSES = 10, SIZES = 8 };
    const ff_walk_wish wished = *goal;
    ff_walk_order order = {0};
    for (int k = 0; k <= POSES; k++) {
        const double share = 1.0 - (double)k / POSES;
        goal->height = stance->height + share * (wished.height - stance->height);
        goal->roll = share * wished.roll;
        goal->pitch = share * wished.pitch;
        for (int j = 0; j < robot->nbody; j++)
            goal->body[j] = stance->body[j] + share * (wished.body[j] - stance->body[j]);
        for (int n = 0; n < SIZES; n++) {
            const double size_of_step = 1.0 - 0.1 * n;
            goal->length = size_of_step * wished.length;
            goal->zone = size_of_step * wished.zone;
            wished_twist(robot, goal, robot->options.transfer_limit, &order);
            if (within_reach(robot, d, legs, goal, &order)) return k > 0 || n > 0;
        }
    }
    // steps far beyond reach: the longest that the stance can make
    for (; goal->length > LEAST_LENGTH; goal->length *= 0.8, goal->zone *= 0.8) {
        wished_twist(robot, goal, robot->options.transfer_limit, &order);
        if (within_reach(robot, d, legs, goal, &order)) return true;
    }
    goal->length = LEAST_LENGTH;
    goal->zone = STEEPEST * LEAST_LENGTH;
    return true;
}

/// Greatest transfer speed at which no joint needs more than a share of its own greatest speed in the middle and at the ends of
/// the swing. Rates are proportional to the transfer speed, so one look suffices. (Fast steps are even; others are up to 1.11 times as steep half-way down, within what JOINT_SHARE leaves.)
static double transfer_limit(const ff_walk_robot *robot, ff_data *d, const ff_walk_wish *goal)
{
    static const double none[2] = {0.0, 0.0}, ends[3] = {-0.5, 0.0, 0.5}, heights[3] = {1.0, 2.0, 1.0};
    ff_walk_order order = {0};
    double need = 0.0;
    wished_twist(robot, goal, robot->options.transfer_limit, &order);
    const ff_step_cycle *c = &order.cycle;
    ff_servo_pose(robot, d, goal->height, none, goal->roll, goal->pitch, goal->body);
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < 6; k++) {
            double foot[3] = {0.0, 0.0, heights[k % 3] * c->zone}, flow[2], q[3], rate[3];
            ff_step_point(&order, i, ends[k % 3] * c->length, foot);
            ff_step_flow(&order, i, foot, flow);
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
    ff_walk_wish *goal = &memory->goal, stance = {.height = robot->height};
    ff_walk_order order = {0};
    for (int j = 0; j < robot->nbody; j++) stance.body[j] = robot->stand[robot->body + j];
    *goal = memory->wish;
    goal->length = clamp(goal->length, LEAST_LENGTH, 1.0);
    goal->zone = clamp(goal->zone, 1e-3, STEEPEST * goal->length);
    goal->roll = clamp(goal->roll, -MOST_TILT, MOST_TILT);
    goal->pitch = clamp(goal->pitch, -MOST_TILT, MOST_TILT);
    memory->clamped = 0;
    if (goal->roll != memory->wish.roll || goal->pitch != memory->wish.pitch || goal->length != memory->wish.length ||
        goal->zone != memory->wish.zone)
        memory->clamped |= FF_WALK_POSE_CLAMPED;
    if (bring_within_reach(robot, d, memory->step.legs, &stance, goal)) memory->clamped |= FF_WALK_POSE_CLAMPED;
    memory->transfer_limit = transfer_limit(robot, d, goal);
    if (wished_twist(robot, goal, memory->transfer_limit, &order)) memory->clamped |= FF_WALK_SPEED_CLAMPED;
}

// ------------------------------------------------------------------------------------------ orders

/// A slower order is given at once, since a slower gait cannot lift its feet as fast as the old speed would need; the pace
/// keeps what the body does, and falls from there.
static void slow_down(const ff_walk_robot *robot, double wanted, ff_walk_memory *memory, ff_walk_order *order)
{
    const double fast = fastest(robot, order);
    if (!(fast > wanted)) return;
    const double share = wanted / fast;
    for (int k = 0; k < 2; k++) order->velocity[k] = memory->velocity[k] *= share;
    order->turn = memory->turn *= share;
    memory->step.pace = ff_min(memory->step.pace / share, MOST_PACE);
}

void ff_action_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_order *order)
{
    const ff_walk_wish *goal = &memory->goal;
    *order = (ff_walk_order){.height = memory->height};
    wished_twist(robot, goal, memory->transfer_limit, order);
    const double wanted = order->cycle.stance;
    const double ahead[2] = {order->velocity[0] - memory->velocity[0], order->velocity[1] - memory->velocity[1]};
    const double step = robot->options.step.acceleration * dt, change = size(ahead);
    // a robot that stands takes the new twist at once: its pace rises from zero; one that stops keeps the old
    const bool stands = memory->step.pace == 0.0;
    const double part = stands || change <= step ? 1.0 : step / change;
    if (order->walk) {
        memory->velocity[0] += part * ahead[0];
        memory->velocity[1] += part * ahead[1];
        memory->turn = stands ? order->turn : approach(memory->turn, order->turn, TURN_RATE * dt);
    }
    order->velocity[0] = memory->velocity[0];
    order->velocity[1] = memory->velocity[1];
    order->turn = memory->turn;
    slow_down(robot, wanted, memory, order);
    set_cycle(robot, goal, ff_max(fastest(robot, order), 0.5 * wanted), order);
    memory->height = approach(memory->height, goal->height, HEIGHT_RATE * dt);
    memory->roll = approach(memory->roll, goal->roll, ATTITUDE_RATE * dt);
    memory->pitch = approach(memory->pitch, goal->pitch, ATTITUDE_RATE * dt);
    order->height = memory->height;
    order->roll = memory->roll;
    order->pitch = memory->pitch;
    for (int j = 0; j < robot->nbody; j++)
        order->body[j] = memory->body[j] = approach(memory->body[j], goal->body[j], ATTITUDE_RATE * dt);
    order->shift_body = goal->shift_body;
    order->control_forces = goal->control_forces;
}
