// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Central control and leg state machines of the free legs; ff_free_plan_tick is one period. No leg waits for ever: a
// leg in the air is DOWN again after a bounded time, and with all legs DOWN the first that asks may always lift.
#include "gait/free_plan.h"
#include "control/setting.h"

#include <footfall/balance.h>
#include <math.h>
#include <string.h>

static const double STANDSTILL = 1e-9;    // a tip slower than this does not move  [m/s]
static const double GATHER_WITHIN = 2e-3; // of the centre, then a leg counts as gathered  [m]
// after which a standing leg without contact follows the ground; a body that starts at once lifts feet for 60 ms  [s]
static const double FOLLOW_DELAY = 0.1;

// ------------------------------------------------------------------------------------------ geometry

/// Length of a plane vector, by sqrt, which is bit-identical everywhere; hypot need not be.
static double length(double x, double y)
{
    return sqrt(x * x + y * y);
}

/// Height of the tip of leg i on flat ground.  [m]
static double flat_ground(const ff_free_plan *plan, const ff_free_memory *memory, int i)
{
    const double wanted = memory->command.height > 0.0 ? memory->command.height : plan->height;
    return plan->centre[i][2] + plan->height - wanted;
}

/// Distances that differ by less count as equal.  [m]
static double equal_distance(const ff_free_plan *plan)
{
    return ff_min(1e-3, 0.1 * plan->options.radius);
}

/// Velocity of a tip at `at` that stands on the ground, seen from a body with this motion.
static void ground_velocity(const double motion[3], const double at[3], double w[2])
{
    w[0] = -(motion[0] - motion[2] * at[1]);
    w[1] = -(motion[1] + motion[2] * at[0]);
}

/// Distance that a tip may still travel in the direction w before it leaves its boundary.  [m]
static double travel_left(const ff_free_plan *plan, int i, const double tip[3], const double w[2])
{
    const double speed = length(w[0], w[1]);
    const double x = tip[0] - plan->centre[i][0], y = tip[1] - plan->centre[i][1];
    if (speed < STANDSTILL) return INFINITY;
    const double along = (x * w[0] + y * w[1]) / speed, across = (x * w[1] - y * w[0]) / speed;
    const double half = plan->options.radius * plan->options.radius - across * across;
    return half > 0.0 ? sqrt(half) - along : 0.0;
}

double ff_free_plan_margin(const ff_free_plan *plan, const ff_free_memory *memory, int but)
{
    double feet[FF_FREE_LEGS_MAX][2];
    ff_support support;
    int count = 0;
    for (int i = 0; i < plan->n; i++) {
        if (i == but || memory->legs[i].state != FF_FREE_LEG_DOWN) continue;
        feet[count][0] = memory->legs[i].tip[0];
        feet[count++][1] = memory->legs[i].tip[1];
    }
    ff_support_make(&support, (const double(*)[2])feet, count);
    return ff_support_margin(&support, plan->com);
}

void ff_free_plan_order(ff_free_plan *plan)
{
    int ring[FF_FREE_LEGS_MAX] = {0}, first = 0;
    double angle[FF_FREE_LEGS_MAX];
    for (int i = 0; i < plan->n; i++) {
        const double a = ff_atan2(plan->centre[i][1] - plan->com[1], plan->centre[i][0] - plan->com[0]);
        int k = i;
        for (; k > 0 && angle[k - 1] > a; k--) {
            angle[k] = angle[k - 1];
            ring[k] = ring[k - 1];
        }
        angle[k] = a;
        ring[k] = i;
    }
    while (ring[first] != 0) first++;
    for (int k = 0; k < plan->n; k++) {
        plan->neighbour[ring[k]][0] = ring[(k + 1) % plan->n];
        plan->neighbour[ring[k]][1] = ring[(k + plan->n - 1) % plan->n];
        plan->group[ring[k]] = (k + first) % 2; // 0 for the first leg
    }
}

void ff_free_plan_start(const ff_free_plan *plan, ff_free_memory *memory)
{
    *memory = (ff_free_memory){.scale = 1.0, .down = plan->n};
    for (int i = 0; i < plan->n; i++) memcpy(memory->legs[i].tip, plan->centre[i], sizeof plan->centre[i]);
}

// ------------------------------------------------------------------------------------------ central control

static int count_down(const ff_free_plan *plan, const ff_free_memory *memory)
{
    int count = 0;
    for (int i = 0; i < plan->n; i++) count += memory->legs[i].state == FF_FREE_LEG_DOWN;
    return count;
}

/// Speed of the fastest tip on the ground for a motion of the body.
static double fastest_tip(const ff_free_plan *plan, const ff_free_memory *memory, const double motion[3])
{
    double fastest = 0.0;
    for (int i = 0; i < plan->n; i++) {
        double w[2];
        ground_velocity(motion, memory->legs[i].tip, w);
        if (memory->legs[i].state == FF_FREE_LEG_DOWN) fastest = ff_max(fastest, length(w[0], w[1]));
    }
    return fastest;
}

/// The command, slowed down until the fastest tip on the ground has v_f.
static void scale_command(const ff_free_plan *plan, ff_free_memory *memory, double command[3])
{
    const ff_free_legs_command *c = &memory->command;
    memcpy(command, (const double[3]){c->velocity[0], c->velocity[1], c->turn}, 3 * sizeof *command);
    const double fastest = fastest_tip(plan, memory, command);
    memory->scale = fastest > plan->options.ground_speed ? plan->options.ground_speed / fastest : 1.0;
    for (int k = 0; k < 3; k++) command[k] *= memory->scale;
}

/// The motion of the next tick, between that of the last one and the target.
static void approach(const ff_free_plan *plan, const ff_free_memory *memory, const double target[3], double dt,
                     double motion[3])
{
    double change[3];
    for (int k = 0; k < 3; k++) change[k] = target[k] - memory->motion[k];
    const double fastest = fastest_tip(plan, memory, change), most = plan->options.acceleration * dt;
    const double share = plan->options.acceleration > 0.0 && fastest > most ? most / fastest : 1.0;
    for (int k = 0; k < 3; k++) motion[k] = memory->motion[k] + share * change[k];
}

static bool may_lift(const ff_free_plan *plan, const ff_free_memory *memory, int i)
{
    const int down = count_down(plan, memory);
    if (down - 1 < plan->options.least_down) return false;
    for (int k = 0; k < 2; k++)
        if (memory->legs[plan->neighbour[i][k]].state != FF_FREE_LEG_DOWN) return false;
    // with all legs DOWN one may always lift, so that no leg waits for ever
    return down == plan->n || ff_free_plan_margin(plan, memory, i) >= plan->options.margin;
}

static void lift(const ff_free_plan *plan, ff_free_memory *memory, int i)
{
    ff_free_leg *leg = &memory->legs[i];
    leg->state = FF_FREE_LEG_LIFTING;
    leg->top = ff_max(leg->tip[2], flat_ground(plan, memory, i)) + plan->options.lift_height;
    leg->cleared = 0;
    leg->hanging = 0.0;
    memory->lifts++;
}

static bool moves(const double motion[3])
{
    return length(motion[0], motion[1]) > STANDSTILL || fabs(motion[2]) > STANDSTILL;
}

/// Is a leg that may not lift nearer to its boundary than the distance in which the body stops?
static bool must_brake(const ff_free_plan *plan, const ff_free_memory *memory, const double motion[3], double dt)
{
    for (int i = 0; i < plan->n && plan->options.acceleration > 0.0; i++) {
        double w[2];
        if (memory->legs[i].state != FF_FREE_LEG_DOWN) continue;
        ground_velocity(motion, memory->legs[i].tip, w);
        const double speed = length(w[0], w[1]), braking = speed * (dt + 0.5 * speed / plan->options.acceleration);
        if (travel_left(plan, i, memory->legs[i].tip, w) <= braking && !may_lift(plan, memory, i)) return true;
    }
    return false;
}

/// Sets the motion: the command, approached with bounded acceleration, or rest where a leg would be refused.
static void choose_motion(const ff_free_plan *plan, ff_free_memory *memory, double dt)
{
    static const double rest[3] = {0};
    double command[3], motion[3];
    scale_command(plan, memory, command);
    approach(plan, memory, command, dt, motion);
    if (must_brake(plan, memory, motion, dt)) approach(plan, memory, rest, dt, motion);
    memcpy(memory->motion, motion, sizeof motion);
}

/// Distance each leg has left, less what it travels in this period: below zero it is about to leave its boundary.
/// Infinite for legs in the air. @return whether any is about to leave
static bool look_ahead(const ff_free_plan *plan, const ff_free_memory *memory, double dt, double *left)
{
    const double end =
        plan->options.acceleration > 0.0 ? equal_distance(plan) : 0.0; // as a braking body takes long for the rest
    bool leaves = false;
    for (int i = 0; i < plan->n; i++) {
        const ff_free_leg *leg = &memory->legs[i];
        double w[2];
        left[i] = INFINITY;
        if (leg->state != FF_FREE_LEG_DOWN) continue;
        ground_velocity(memory->motion, leg->tip, w);
        left[i] = travel_left(plan, i, leg->tip, w) - length(w[0], w[1]) * dt;
        leaves = leaves || left[i] <= end;
        const bool gathers = memory->command.gather && !moves(memory->motion) &&
                             length(leg->tip[0] - plan->centre[i][0], leg->tip[1] - plan->centre[i][1]) > GATHER_WITHIN;
        if (gathers) left[i] = 0.0;
    }
    return leaves || memory->command.gather;
}

/// Answers all requests to lift. Legs within a millimetre of the end of their travel ask together, whatever rounding
/// does. Every second leg around the body is answered first, so that more may lift. @return whether one was refused
static bool grant_requests(const ff_free_plan *plan, ff_free_memory *memory, double dt)
{
    double left[FF_FREE_LEGS_MAX];
    bool refused = false;
    if (!look_ahead(plan, memory, dt, left)) return false;
    for (int k = 0; k < 2 * plan->n; k++) {
        const int i = k % plan->n;
        if (plan->group[i] != k / plan->n || left[i] > equal_distance(plan)) continue;
        if (may_lift(plan, memory, i)) {
            lift(plan, memory, i);
            continue;
        }
        memory->refused++;
        refused = true;
    }
    return refused;
}

static void move_body(const ff_free_plan *plan, ff_free_memory *memory, double dt, bool refused)
{
    const bool waits = plan->options.waits && count_down(plan, memory) < plan->n;
    const ff_free_legs_command *c = &memory->command;
    if (refused || waits) memset(memory->motion, 0, sizeof memory->motion);
    memory->stopped = moves((const double[3]){c->velocity[0], c->velocity[1], c->turn}) && !moves(memory->motion);
    if (memory->stopped) memory->stopped_time += dt;
    for (int i = 0; i < plan->n; i++) {
        ff_free_leg *leg = &memory->legs[i];
        double w[2];
        if (leg->state != FF_FREE_LEG_DOWN) continue;
        ground_velocity(memory->motion, leg->tip, w);
        leg->tip[0] += w[0] * dt;
        leg->tip[1] += w[1] * dt;
    }
}

// ------------------------------------------------------------------------------------------ legs in the air

/// Where a leg should land: on the rim of its boundary, such that its path with the ground leads through the centre.
/// Without a command, the centre itself.
static void landing_place(const ff_free_plan *plan, const ff_free_memory *memory, int i, double place[2])
{
    const ff_free_legs_command *c = &memory->command;
    const double command[3] = {c->velocity[0], c->velocity[1], c->turn};
    double w[2];
    ground_velocity(command, plan->centre[i], w);
    const double speed = length(w[0], w[1]);
    for (int k = 0; k < 2; k++)
        place[k] = plan->centre[i][k] - (speed > STANDSTILL ? plan->options.radius * w[k] / speed : 0.0);
}

static void go_over(const ff_free_plan *plan, const ff_free_memory *memory, ff_free_leg *leg, int i, double dt)
{
    double place[2];
    landing_place(plan, memory, i, place);
    const double dx = place[0] - leg->tip[0], dy = place[1] - leg->tip[1];
    const double distance = length(dx, dy), step = plan->options.air_speed * dt;
    if (distance <= step) {
        leg->tip[0] = place[0];
        leg->tip[1] = place[1];
        leg->state = FF_FREE_LEG_LAYING;
        return;
    }
    leg->tip[0] += step * dx / distance;
    leg->tip[1] += step * dy / distance;
}

static void lay(const ff_free_plan *plan, const ff_free_memory *memory, ff_free_leg *leg, int i, double dt,
                ff_free_touch touch)
{
    const double ground = flat_ground(plan, memory, i);
    const double lowest = touch == FF_FREE_TOUCH_UNKNOWN ? ground : ground - plan->options.search_depth;
    if (touch == FF_FREE_TOUCH_GROUND && leg->cleared) {
        leg->state = FF_FREE_LEG_DOWN;
        return;
    }
    leg->tip[2] = ff_max(leg->tip[2] - plan->options.lay_speed * dt, ff_min(lowest, leg->tip[2]));
    if (leg->tip[2] <= lowest) leg->state = FF_FREE_LEG_DOWN;
}

/// Lowers a standing leg that has been without contact for a while: a neighbour that was laid too deep holds it up.
static void follow_ground(const ff_free_plan *plan, const ff_free_memory *memory, ff_free_leg *leg, int i, double dt,
                          ff_free_touch touch)
{
    const double lowest = flat_ground(plan, memory, i) - plan->options.search_depth;
    leg->hanging = touch == FF_FREE_TOUCH_NONE ? leg->hanging + dt : 0.0;
    if (leg->hanging > FOLLOW_DELAY && leg->tip[2] > lowest)
        leg->tip[2] = ff_max(leg->tip[2] - plan->options.body_speed * dt, lowest);
}

static void move_leg(const ff_free_plan *plan, const ff_free_memory *memory, ff_free_leg *leg, int i, double dt,
                     ff_free_touch touch)
{
    if (touch == FF_FREE_TOUCH_NONE) leg->cleared = 1;
    switch ((ff_free_leg_state)leg->state) {
    case FF_FREE_LEG_DOWN:
        follow_ground(plan, memory, leg, i, dt, touch);
        break;
    case FF_FREE_LEG_LIFTING:
        leg->tip[2] = ff_min(leg->tip[2] + plan->options.lift_speed * dt, leg->top);
        if (leg->tip[2] >= leg->top) leg->state = FF_FREE_LEG_UP;
        break;
    case FF_FREE_LEG_UP:
        go_over(plan, memory, leg, i, dt);
        break;
    case FF_FREE_LEG_LAYING:
        lay(plan, memory, leg, i, dt, touch);
        break;
    }
}

// ------------------------------------------------------------------------------------------ heights

/// Plane through the heights of the feet above flat ground, e = mean + slope . (place - middle), by least squares.
typedef struct plane {
    double mean, slope[2], middle[2];
} plane;

static plane fit_plane(const ff_free_plan *plan, const ff_free_memory *memory)
{
    plane p = {0};
    double xx = 0.0, xy = 0.0, yy = 0.0, xe = 0.0, ye = 0.0;
    const int down = count_down(plan, memory);
    for (int i = 0; i < plan->n; i++) {
        const ff_free_leg *leg = &memory->legs[i];
        if (leg->state != FF_FREE_LEG_DOWN) continue;
        p.mean += (leg->tip[2] - flat_ground(plan, memory, i)) / down;
        p.middle[0] += leg->tip[0] / down;
        p.middle[1] += leg->tip[1] / down;
    }
    for (int i = 0; i < plan->n; i++) {
        const ff_free_leg *leg = &memory->legs[i];
        const double x = leg->tip[0] - p.middle[0], y = leg->tip[1] - p.middle[1];
        const double e = leg->tip[2] - flat_ground(plan, memory, i) - p.mean;
        if (leg->state != FF_FREE_LEG_DOWN) continue;
        xx += x * x, xy += x * y, yy += y * y, xe += x * e, ye += y * e;
    }
    const double det = xx * yy - xy * xy;
    if (det > 1e-9 * (xx + yy) * (xx + yy)) { // three feet that are not in a row
        p.slope[0] = (xe * yy - ye * xy) / det;
        p.slope[1] = (ye * xx - xe * xy) / det;
    }
    return p;
}

static void keep_height(const ff_free_plan *plan, const ff_free_memory *memory, ff_free_leg *legs, double dt)
{
    const ff_free_legs_options *o = &plan->options;
    const plane p = fit_plane(plan, memory);
    const double most = o->body_speed * dt;
    const double rise = ff_min(ff_max(-p.mean * ff_min(dt / o->height_time, 1.0), -most), most);
    const double turn = ff_min(dt / o->level_time, 1.0);
    for (int i = 0; i < plan->n; i++) {
        ff_free_leg *leg = &legs[i];
        if (leg->state != FF_FREE_LEG_DOWN) continue;
        const double tilt = p.slope[0] * (leg->tip[0] - p.middle[0]) + p.slope[1] * (leg->tip[1] - p.middle[1]);
        leg->tip[2] += rise - tilt * turn;
    }
}

// ------------------------------------------------------------------------------------------ the period

void ff_free_plan_tick(const ff_free_plan *plan, ff_free_memory *memory, double dt, const ff_free_touch *touch)
{
    choose_motion(plan, memory, dt);
    const bool refused = grant_requests(plan, memory, dt);
    move_body(plan, memory, dt, refused);
    for (int i = 0; i < plan->n; i++) move_leg(plan, memory, &memory->legs[i], i, dt, touch[i]);
    keep_height(plan, memory, memory->legs, dt);
    memory->down = count_down(plan, memory);
}

// ------------------------------------------------------------------------------------------ settings

#define OF ff_free_legs_options
const ff_row ff_free_legs_settings[] = {
    FF_SETTING_NUMBER("radius", radius, "m", FF_POSITIVE, "0.04", "radius of the boundary of a foot: half a step"),
    FF_SETTING_NUMBER("ground_speed", ground_speed, "m/s", FF_POSITIVE, "0.25", "largest speed of a tip on the ground"),
    FF_SETTING_NUMBER("air_speed", air_speed, "m/s", FF_POSITIVE, "0.4", "horizontal speed of a tip in the air"),
    FF_SETTING_NUMBER("lift_speed", lift_speed, "m/s", FF_POSITIVE, "0.3", "speed with which a tip is lifted"),
    FF_SETTING_NUMBER("lay_speed", lay_speed, "m/s", FF_POSITIVE, "0.2", "speed with which a tip is lowered"),
    FF_SETTING_NUMBER("lift_height", lift_height, "m", FF_POSITIVE, "0.03", "height of a tip above where it stood"),
    FF_SETTING_NUMBER("search_depth", search_depth, "m", FF_NOT_NEGATIVE, "0.03",
                      "depth below flat ground to which a tip is lowered if it finds none"),
    FF_SETTING_NUMBER("body_speed", body_speed, "m/s", FF_POSITIVE, "0.05", "largest speed of a change of height"),
    FF_SETTING_NUMBER("acceleration", acceleration, "m/s^2", FF_NOT_NEGATIVE, "2",
                      "largest acceleration of tips on the ground; 0: no bound"),
    FF_SETTING_NUMBER("height_time", height_time, "s", FF_POSITIVE, "0.3",
                      "time constant with which the height of the feet is corrected"),
    FF_SETTING_NUMBER("level_time", level_time, "s", FF_POSITIVE, "1", "time constant of turning parallel to its feet"),
    FF_SETTING_NUMBER("margin", margin, "m", FF_ANY, "0.01", "stability margin of the centre of mass when a leg lifts"),
    FF_SETTING_INTEGER("least_down", least_down, FF_AT_LEAST(3), "3", "legs that must stay on the ground"),
    FF_SETTING_SWITCH("touch", touch, "true", "use touch sensors; false: assume flat ground"),
    FF_SETTING_SWITCH("waits", waits, "false", "the body stands still while any leg is in the air"),
    FF_SETTING_TEXT("pose", pose, "stand", "pose of the robot's file with the feet at the centres of their boundaries"),
    {0},
};
#undef OF

FF_DEFINE_DEFAULT(ff_free_legs_options, ff_free_legs_settings)
