// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Static walking as a plan in the walk frame:
//     STAND  ->  SHIFT  ->  SWING  ->  LAND  ->  SHIFT to the foot that has landed  ->  ..  ->  STAND
// Centre of mass and trunk move along quintics in time; the zero moment point is that of an inverted pendulum of
// constant height, p = c - c'' z / g. A foot moves along smooth curves until it meets the ground, and turns with the
// moment of the ground until it lies flat. Feet that carry stay parallel to the ground, by attitude and joint sensors.
// static_balance.c corrects the plan by sensors.
#include "control/quintic.h"
#include "gait/static_walk.h"

#include <footfall/math.h>
#include <math.h>

#define STARTS_OVER  0.15 // share of the swing before a foot moves ahead, and after it has moved [1]
#define RISES        0.4  // share in which it rises, and in which it is lowered [1]
#define MAY_LAND     0.5  // share from which a contact ends the swing [1]
#define SEARCH_SPEED 0.03 // of a foot that has not found the ground [m/s]
#define PRESS_SPEED  0.02 // of a foot that presses too little [m/s]
#define FLAT         0.4  // greatest moment of a foot that lies flat [N m]
#define LEAST_LAND   0.1  // least time of LAND [s]
#define HEIGHT_SPEED 0.05 // of the pelvis [m/s]
#define LOADED       0.3  // share of the weight from which a foot's attitude is that of the ground [1]
#define MOST_TILT    0.3  // of the ground below a foot [rad]
#define BALANCED     0.25 // time for which the error of balance must have been small before a foot lifts [s]
#define STEP_FORCE   0.95 // share of the force of a drive that may be used at rest after a step [1]
#define SAME_PLACE   5e-3 // tolerance of feet that are side by side [m]
#define SAME_YAW     0.01 // [rad]

static double smooth(double u)
{
    double blend[3];
    ff_quintic_blend(u, blend);
    return blend[0];
}

// ------------------------------------------------------------------------------------------ places

/// Finds where the centre of mass belongs while the foot carries the robot alone.
static void point_over(const ff_static_walk_robot *robot, const ff_static_walk_foot *foot, int side, double out[2])
{
    const double inward = side == 0 ? -robot->options.inward : robot->options.inward;
    const double local[2] = {robot->options.ahead, inward};
    ff_gait_turn(foot->yaw, local, out);
    for (int k = 0; k < 2; k++) out[k] += foot->place[k];
}

static void middle_between(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, double out[2])
{
    const double yaw = 0.5 * (memory->foot[0].yaw + memory->foot[1].yaw);
    ff_gait_turn(yaw, robot->com, out);
    for (int k = 0; k < 2; k++) out[k] += 0.5 * (memory->foot[0].place[k] + memory->foot[1].place[k]);
}

static double side_of(int side)
{
    return side == 0 ? 1.0 : -1.0;
}

/// Where the foot of a side lands for a share of the commanded step, on the plane of the ground below the other foot.
static ff_static_walk_foot landing(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, int side,
                                   double share)
{
    const ff_static_walk_foot *stance = &memory->foot[1 - side];
    const ff_static_walk_command *c = &memory->command;
    const double part = c->walk ? share : 0.0;
    // the foot of that side makes a step to the side or a turn, and the other follows
    const double sideways = c->sideways * side_of(side) > 0.0 ? part * c->sideways : 0.0;
    const double turn = c->turn * side_of(side) > 0.0 ? part * c->turn : 0.0;
    const double to_middle[2] = {part * c->forward, side_of(side) * robot->half + sideways};
    const double to_foot[2] = {0.0, side_of(side) * robot->half};
    double middle[2], arm[2];
    ff_static_walk_foot foot = {.yaw = stance->yaw + turn, .tilt = {stance->tilt[0], stance->tilt[1]}};
    ff_gait_turn(stance->yaw, to_middle, middle);
    ff_gait_turn(foot.yaw, to_foot, arm);
    for (int k = 0; k < 2; k++) foot.place[k] = stance->place[k] + middle[k] + arm[k];
    const double between_feet[2] = {middle[0] + arm[0], middle[1] + arm[1]};
    double local[2];
    ff_gait_turn(-stance->yaw, between_feet, local);
    foot.place[2] = stance->place[2] - local[0] * stance->tilt[1] + local[1] * stance->tilt[0];
    return foot;
}

// ------------------------------------------------------------------------------------------ action: steps

/// Can the robot stand after the step, with its weight on either foot?
static bool can_step(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, int side,
                     const ff_static_walk_foot *to, ff_data *d)
{
    ff_static_walk_foot feet[2] = {memory->foot[0], memory->foot[1]};
    feet[side] = *to;
    const double low = ff_min(feet[0].place[2], feet[1].place[2]);
    const double pelvis[3] = {memory->pelvis[0], memory->pelvis[1], low + memory->command.height};
    for (int i = 0; i < 2; i++) {
        const int stance = i == 0 ? 1 - side : side;
        double over[2];
        point_over(robot, &feet[stance], stance, over);
        for (int k = 0; k < 2; k++) over[k] += memory->shift[k];
        if (!ff_static_walk_can_carry(robot, feet, stance, over, pelvis, STEP_FORCE, memory->q, d)) return false;
    }
    return true;
}

/// The commanded step, shortened until the robot can make it.
static ff_static_walk_foot choose_step(const ff_static_walk_robot *robot, ff_static_walk_state *memory, int side,
                                       ff_data *d)
{
    enum { HALVINGS = 6 };
    const ff_static_walk_foot full_step = landing(robot, memory, side, 1.0);
    if (can_step(robot, memory, side, &full_step, d)) return full_step;
    double share = 0.0;
    for (int k = 1; k <= HALVINGS; k++) {
        const double more = share + ldexp(1.0, -k);
        const ff_static_walk_foot to = landing(robot, memory, side, more);
        if (can_step(robot, memory, side, &to, d)) share = more;
    }
    memory->status |= FF_STATIC_WALK_STEP_CLAMPED;
    memory->clamped = ff_min(memory->clamped, share);
    return landing(robot, memory, side, share);
}

static bool feet_are_side_by_side(const ff_static_walk_robot *robot, const ff_static_walk_state *memory)
{
    const double apart[2] = {memory->foot[0].place[0] - memory->foot[1].place[0],
                             memory->foot[0].place[1] - memory->foot[1].place[1]};
    double local[2];
    ff_gait_turn(-memory->foot[1].yaw, apart, local);
    return fabs(local[0]) < SAME_PLACE && fabs(local[1] - 2.0 * robot->half) < SAME_PLACE &&
           fabs(memory->foot[0].yaw - memory->foot[1].yaw) < SAME_YAW;
}

// ------------------------------------------------------------------------------------------ primitive: phases

static void enter(ff_static_walk_state *memory, ff_static_walk_phase phase)
{
    memory->phase = (int32_t)phase;
    memory->phase_time = 0.0;
}

/// Time of a shift of the centre of mass. Distances longer than between the feet of the pose take more time, so that
/// the acceleration, and with it the distance c'' z / g of the zero moment point, does not grow.
static double time_of_shift(const ff_static_walk_robot *robot, const double shift[2])
{
    const double length = sqrt(shift[0] * shift[0] + shift[1] * shift[1]);
    return robot->options.shift_time * ff_max(1.0, sqrt(length / (2.0 * robot->half)));
}

/// Begins motions of the centre of mass to a place, of the trunk to a lean, of the load to a share of the left foot.
static void begin_motion(const ff_static_walk_robot *robot, ff_static_walk_state *memory, const double to[2],
                         double lean, double share)
{
    const double shift[2] = {to[0] - memory->com[0], to[1] - memory->com[1]};
    const double time = time_of_shift(robot, shift);
    for (int k = 0; k < 2; k++) {
        double from[3];
        ff_quintic_at(&memory->path[k], memory->path_time, from);
        memory->path[k] = ff_quintic_make(from, to[k], time);
    }
    double from[3];
    ff_quintic_at(&memory->lean, memory->path_time, from);
    memory->lean = ff_quintic_make(from, lean, time);
    ff_quintic_at(&memory->loading, memory->path_time, from);
    memory->loading = ff_quintic_make(from, share, time);
    memory->path_time = 0.0;
}

static void begin_shift(const ff_static_walk_robot *robot, ff_static_walk_state *memory, int stance)
{
    double over[2];
    memory->stance = stance;
    point_over(robot, &memory->foot[stance], stance, over);
    begin_motion(robot, memory, over, side_of(stance) * robot->options.lean, stance == 0 ? 1.0 : 0.0);
    enter(memory, FF_STATIC_WALK_SHIFT);
}

static void begin_stand(const ff_static_walk_robot *robot, ff_static_walk_state *memory)
{
    double middle[2];
    middle_between(robot, memory, middle);
    begin_motion(robot, memory, middle, 0.0, 0.5);
    enter(memory, FF_STATIC_WALK_STAND);
}

static void begin_swing(const ff_static_walk_robot *robot, ff_data *d, ff_static_walk_state *memory)
{
    const int side = 1 - memory->stance;
    memory->from = memory->foot[side];
    memory->to = choose_step(robot, memory, side, d);
    memory->swung = side;
    enter(memory, FF_STATIC_WALK_SWING);
}

static void stand(const ff_static_walk_robot *robot, ff_static_walk_state *memory)
{
    const ff_static_walk_command *c = &memory->command;
    const bool aligned = feet_are_side_by_side(robot, memory);
    if (memory->phase_time < memory->path[0].duration || (!c->walk && aligned)) return;
    const double lead = c->sideways != 0.0 ? c->sideways : c->turn;
    const int swing = lead > 0.0 ? 0 : lead < 0.0 ? 1 : 1 - memory->swung;
    begin_shift(robot, memory, 1 - swing);
}

static void shift(const ff_static_walk_robot *robot, double dt, ff_data *d, ff_static_walk_state *memory)
{
    const ff_static_walk_options *o = &robot->options;
    const double error = sqrt(memory->error[0] * memory->error[0] + memory->error[1] * memory->error[1]);
    const double tolerance = o->input == FF_STATIC_WALK_ZMP ? FF_STATIC_WALK_ZMP_TIMES * o->tolerance : o->tolerance;
    memory->balanced_time = error < tolerance ? memory->balanced_time + dt : 0.0;
    if (memory->phase_time < memory->path[0].duration) return;
    if (memory->balanced_time < BALANCED && memory->phase_time < memory->path[0].duration + o->timeout) {
        memory->status |= FF_STATIC_WALK_WAITING;
        memory->waited += dt;
        return;
    }
    begin_swing(robot, d, memory);
}

static bool has_landed(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, int side)
{
    return !memory->seen.force_unknown[side] && memory->seen.load[side] > robot->options.contact_on;
}

static void swing(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    const ff_static_walk_options *o = &robot->options;
    const int side = 1 - memory->stance;
    const ff_static_walk_foot *from = &memory->from, *to = &memory->to;
    ff_static_walk_foot *foot = &memory->foot[side];
    const double u = memory->phase_time / o->swing_time, before = foot->place[2];
    const double over = smooth((u - STARTS_OVER) / (1.0 - 2.0 * STARTS_OVER));
    const double up = smooth(u / RISES) - smooth((u - 1.0 + RISES) / RISES);
    if (u > MAY_LAND && has_landed(robot, memory, side)) {
        memory->ground[side] = foot->place[2];
        enter(memory, FF_STATIC_WALK_LAND);
        return;
    }
    for (int k = 0; k < 3; k++) foot->place[k] = from->place[k] + over * (to->place[k] - from->place[k]);
    foot->place[2] += o->lift * up;
    foot->yaw = from->yaw + over * (to->yaw - from->yaw);
    for (int k = 0; k < 2; k++) foot->tilt[k] = from->tilt[k] + over * (to->tilt[k] - from->tilt[k]);
    memory->ground[side] = from->place[2] + over * (to->place[2] - from->place[2]);
    if (u <= 1.0) return;
    const double lowest = to->place[2] - o->search;
    const bool found_none = before <= lowest + 1e-9;
    foot->place[2] = memory->seen.force_unknown[side] ? to->place[2] : ff_max(lowest, before - SEARCH_SPEED * dt);
    memory->ground[side] = foot->place[2];
    if (!found_none && !memory->seen.force_unknown[side]) return;
    if (found_none) memory->status |= FF_STATIC_WALK_NO_GROUND;
    enter(memory, FF_STATIC_WALK_LAND);
}

/// Turns the foot with the moment of the ground, and presses it down.
static void land(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    const ff_static_walk_options *o = &robot->options;
    const int side = 1 - memory->stance;
    ff_static_walk_foot *foot = &memory->foot[side];
    const double *moment = memory->seen.moment[side];
    const bool pressed = memory->seen.force_unknown[side] || memory->seen.load[side] > o->press;
    const bool flat = fabs(moment[0]) < FLAT && fabs(moment[1]) < FLAT;
    for (int k = 0; k < 2 && !memory->seen.force_unknown[side]; k++)
        foot->tilt[k] = ff_max(-MOST_TILT, ff_min(MOST_TILT, foot->tilt[k] + o->comply * moment[k] * dt));
    if (!pressed && foot->place[2] > memory->to.place[2] - o->search) foot->place[2] -= PRESS_SPEED * dt;
    memory->ground[side] = foot->place[2]; // the pelvis follows, so that the leg is not stretched
    const bool searches = !pressed && foot->place[2] > memory->to.place[2] - o->search;
    const bool settled = memory->phase_time > LEAST_LAND && pressed && flat;
    if (!settled && (searches || memory->phase_time < o->land_time)) return;
    memory->steps++;
    if (!memory->command.walk && feet_are_side_by_side(robot, memory))
        begin_stand(robot, memory);
    else
        begin_shift(robot, memory, side);
}

// ------------------------------------------------------------------------------------------ primitive: in all phases

/// Turns the feet that carry parallel to the ground.
static void follow_ground(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    for (int side = 0; side < 2; side++) {
        const bool swings = memory->phase >= FF_STATIC_WALK_SWING && side != memory->stance;
        if (swings || memory->seen.force_unknown[side] || memory->seen.load[side] < LOADED * robot->weight) continue;
        for (int k = 0; k < 2; k++) {
            double *tilt = &memory->foot[side].tilt[k];
            *tilt += ff_min(1.0, dt / robot->options.level) * (memory->seen.foot_tilt[side][k] - *tilt);
            *tilt = ff_max(-MOST_TILT, ff_min(MOST_TILT, *tilt));
        }
    }
}

/// Evaluates the motions of the plan, and moves the pelvis to its height.
static void advance(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    double at[3];
    const double g = ff_vec3_norm(robot->model->gravity);
    memory->path_time += dt;
    for (int k = 0; k < 2; k++) {
        ff_quintic_at(&memory->path[k], memory->path_time, at);
        memory->com[k] = at[0];
        memory->com_speed[k] = at[1];
        memory->zmp[k] = at[0] - (g > 0.0 ? at[2] * robot->com_height / g : 0.0);
    }
    ff_quintic_at(&memory->lean, memory->path_time, at);
    memory->trunk = at[0];
    ff_quintic_at(&memory->loading, memory->path_time, at);
    memory->share = at[0];
    const double low = ff_min(memory->ground[0], memory->ground[1]) + memory->command.height;
    const double change = low - memory->height, most = HEIGHT_SPEED * dt;
    memory->height += ff_max(-most, ff_min(most, change));
}

void ff_static_walk_plan_start(const ff_static_walk_robot *robot, ff_static_walk_state *memory)
{
    double middle[2];
    for (int side = 0; side < 2; side++) memory->foot[side].place[1] = side_of(side) * robot->half;
    memory->command.height = memory->height = robot->height;
    memory->swung = 0;
    memory->clamped = 1.0;
    middle_between(robot, memory, middle);
    for (int k = 0; k < 2; k++) {
        const double at[3] = {middle[k], 0.0, 0.0};
        memory->path[k] = ff_quintic_make(at, middle[k], robot->options.shift_time);
        memory->com[k] = memory->zmp[k] = memory->aim[k] = memory->seen.zmp[k] = middle[k];
        // the pelvis from the centre of mass, in the pose
        memory->offset[k] = robot->com[k] + 0.5 * (robot->chain[0].end.p[k] + robot->chain[1].end.p[k]);
    }
    const double upright[3] = {0.0, 0.0, 0.0};
    memory->lean = ff_quintic_make(upright, 0.0, robot->options.shift_time);
    const double both[3] = {0.5, 0.0, 0.0};
    memory->loading = ff_quintic_make(both, 0.5, robot->options.shift_time);
    memory->load = 0.5;
    enter(memory, FF_STATIC_WALK_STAND);
}

void ff_static_walk_plan_update(const ff_static_walk_robot *robot, double dt, ff_data *d, ff_static_walk_state *memory)
{
    memory->phase_time += dt;
    follow_ground(robot, dt, memory);
    switch (memory->phase) {
    case FF_STATIC_WALK_STAND:
        stand(robot, memory);
        break;
    case FF_STATIC_WALK_SHIFT:
        shift(robot, dt, d, memory);
        break;
    case FF_STATIC_WALK_SWING:
        swing(robot, dt, memory);
        break;
    default:
        land(robot, dt, memory);
        break;
    }
    advance(robot, dt, memory);
    ff_static_walk_balance(robot, dt, memory);
}
