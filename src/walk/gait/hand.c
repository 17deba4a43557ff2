// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A leg as a hand: one foot follows a reference in space while the others stand (thesis 3.4). Stages, in place of the
// steps of the primitive level:
//     SHIFT    the body moves until the centre of mass has its margin on the other feet
//     LIFT     the foot rises from its place
//     LED      it moves straight to the commanded place, with bounded speed and acceleration, and stops at the
//              commanded force or at the end of its reach
//     RETURN   it moves back above its place
//     LOWER    and down, until it touches
#include "gait/walk.h"

#include <math.h>
#include <string.h>

#define MARGIN       2.0  // stability margin over that of a step, as a hand pushes [1]
#define SHIFT_SPEED  0.05 // of the body [m/s]
#define STEADY       0.1  // time for which the body has its margin before the foot lifts [s]
#define ACCELERATION 0.5  // of the foot [m/s^2]
#define LIFTED       0.02 // least height of the lift [m]
#define LOWERING     0.05 // [m/s]
#define NEAR         1e-4 // tolerance at the goal [m]

bool ff_hand_is_used(const ff_walk_robot *robot, const ff_walk_memory *memory)
{
    if (memory->hand.stage != FF_HAND_NONE) return true;
    if (memory->goal.hand < 1 || memory->step.moving || memory->step.pace > 0.0 || memory->seen.hold) return false;
    for (int i = 0; i < robot->n; i++)
        if (!ff_footstep_is_down(&robot->step, &memory->step.legs[i])) return false;
    return true;
}

// ------------------------------------------------------------------------------------------ body

/// Moves the body to where the centre of mass has its margin on the other feet. @return whether it is there
static bool shift_body(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    const ff_hexapod_options *o = &robot->options;
    const double rate[2] = {o->shift_rate, o->shift_rate}, margin = MARGIN * o->margin, *com = memory->seen.com;
    double feet[FF_WALK_LEGS][2], by[2] = {0.0, 0.0};
    ff_support support;
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        if (i == memory->hand.leg) continue;
        feet[n][0] = memory->step.legs[i].foot[0];
        feet[n++][1] = memory->step.legs[i].foot[1];
    }
    if (!ff_support_make(&support, (const double(*)[2])feet, n)) return false;
    memory->plan.margin = memory->plan.forecast = ff_support_margin(&support, com);
    if (!ff_balance_correction(&support, com, margin, by)) by[0] = by[1] = 0.0;
    for (int k = 0; k < 2; k++) {
        const double target = ff_max(-o->shift_limit, ff_min(o->shift_limit, memory->shift[k] + by[k]));
        ff_primitive_follow(target, ff_min(SHIFT_SPEED, o->shift_speed), o->shift_rate, rate, dt, &memory->shift[k],
                            &memory->shift_velocity[k]);
    }
    return memory->plan.margin >= 0.9 * margin;
}

// ------------------------------------------------------------------------------------------ foot

/// Moves the reference towards the goal, for one cycle. @return whether it is there
static bool move_to_goal(const ff_walk_robot *robot, const ff_data *d, double speed, double dt, ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    double path[3], next[3], q[3], distance = 0.0;
    for (int k = 0; k < 3; k++) {
        path[k] = hand->goal[k] - hand->at[k];
        distance += path[k] * path[k];
    }
    distance = sqrt(distance);
    if (distance < NEAR) {
        memset(hand->speed, 0, sizeof hand->speed);
        memcpy(hand->at, hand->goal, sizeof hand->at);
        return true;
    }
    const double fast = ff_min(ff_min(speed, sqrt(2.0 * ACCELERATION * distance)), dt > 0.0 ? distance / dt : 0.0);
    for (int k = 0; k < 3; k++) {
        const double change = fast * path[k] / distance - hand->speed[k], most = ACCELERATION * dt;
        hand->speed[k] += ff_max(-most, ff_min(most, change));
        next[k] = hand->at[k] + hand->speed[k] * dt;
    }
    if (ff_servo_leg(robot, d, hand->leg, next, q) != FF_REACH_OK) {
        memory->status |= FF_WALK_OUT_OF_REACH;
        memset(hand->speed, 0, sizeof hand->speed);
        return false;
    }
    memcpy(hand->at, next, sizeof next);
    return false;
}

static void set_goal(ff_walk_hand *hand, double x, double y, double z)
{
    hand->goal[0] = x;
    hand->goal[1] = y;
    hand->goal[2] = z;
}

/// Stores the place that the foot returns to; the correction of its height by force control becomes part of it.
static void leave_ground(ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    const ff_footstep_leg *leg = &memory->step.legs[hand->leg];
    const double home[3] = {leg->foot[0], leg->foot[1], leg->height + memory->lift[hand->leg]};
    memory->lift[hand->leg] = 0.0;
    memcpy(hand->home, home, sizeof home);
    memcpy(hand->at, home, sizeof home);
}

static void enter(ff_walk_memory *memory, ff_hand_stage stage)
{
    ff_walk_hand *hand = &memory->hand;
    const double up = ff_max(LIFTED, memory->goal.zone);
    hand->stage = (int32_t)stage;
    hand->stopped = 0;
    hand->steady = 0.0;
    if (stage == FF_HAND_LIFT) leave_ground(memory);
    if (stage == FF_HAND_LIFT || stage == FF_HAND_RETURN)
        set_goal(hand, hand->home[0], hand->home[1], hand->home[2] + up);
    if (stage == FF_HAND_LOWER) set_goal(hand, hand->home[0], hand->home[1], hand->home[2]);
}

/// The foot stands again, and steps continue.
static void finish(ff_walk_memory *memory)
{
    ff_footstep_leg *leg = &memory->step.legs[memory->hand.leg];
    leg->phase = FF_FOOTSTEP_SUPPORT;
    leg->swing = leg->without = 0.0;
    leg->height = memory->hand.at[2];
    leg->waiting = -1.0;
    memory->hand = (ff_walk_hand){0};
}

/// Moves the hand to the commanded place, or until it meets the commanded force, and probes the ground there if wanted.
static void follow_command(const ff_walk_robot *robot, const ff_data *d, double dt, ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    const ff_walk_command *c = &memory->goal;
    if (!c->probe) hand->probe = (ff_walk_probe){0};
    if (hand->probe.stage != FF_PROBE_NONE && ff_probe_update(robot, dt, memory)) return;
    if (memcmp(hand->goal, c->reach, sizeof hand->goal) != 0) {
        hand->stopped = 0;
        hand->probe = (ff_walk_probe){0};
        memcpy(hand->goal, c->reach, sizeof hand->goal);
    }
    if (c->hand_force > 0.0 && ff_vec3_norm(hand->force) >= c->hand_force) hand->stopped = 1;
    if (hand->stopped)
        memset(hand->speed, 0, sizeof hand->speed);
    else if (move_to_goal(robot, d, c->hand_speed, dt, memory) && c->probe && !hand->probe.done)
        hand->probe.stage = FF_PROBE_TARE;
}

static void advance(const ff_walk_robot *robot, const ff_data *d, bool balanced, double dt, ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    const bool wanted = memory->goal.hand == hand->leg + 1;
    switch ((ff_hand_stage)hand->stage) {
    case FF_HAND_SHIFT:
        hand->steady = balanced ? hand->steady + dt : 0.0;
        if (!wanted)
            *hand = (ff_walk_hand){0};
        else if (hand->steady > STEADY)
            enter(memory, FF_HAND_LIFT);
        break;
    case FF_HAND_LIFT:
        if (move_to_goal(robot, d, memory->goal.hand_speed, dt, memory))
            enter(memory, wanted ? FF_HAND_LED : FF_HAND_LOWER);
        break;
    case FF_HAND_LED:
        if (wanted)
            follow_command(robot, d, dt, memory);
        else
            enter(memory, FF_HAND_RETURN);
        break;
    case FF_HAND_RETURN:
        if (move_to_goal(robot, d, memory->goal.hand_speed, dt, memory)) enter(memory, FF_HAND_LOWER);
        break;
    case FF_HAND_LOWER:
        if (move_to_goal(robot, d, LOWERING, dt, memory) || memory->seen.contact[hand->leg]) finish(memory);
        break;
    default:
        break;
    }
}

void ff_hand_update(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_data *d, double dt,
                    ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    if (hand->stage == FF_HAND_NONE) *hand = (ff_walk_hand){.leg = memory->goal.hand - 1, .stage = FF_HAND_SHIFT};
    ff_primitive_posture(robot, dt, memory);
    advance(robot, d, shift_body(robot, dt, memory), dt, memory);
    if (hand->stage > FF_HAND_SHIFT) {
        ff_footstep_leg *leg = &memory->step.legs[hand->leg];
        leg->phase = FF_FOOTSTEP_UP;
        leg->swing = 0.5;
        leg->foot[0] = hand->at[0];
        leg->foot[1] = hand->at[1];
        leg->height = hand->at[2];
    }
    ff_primitive_forces(robot, setpoint, dt, memory);
    ff_primitive_place_feet(robot, dt, memory);
}
