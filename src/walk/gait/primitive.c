// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Primitive level: steps (step.c), correction of the centre of mass (thesis 3.4.4), distribution and control of
// vertical foot forces (thesis 3.4.6). The result is a plan of all feet.
#include "gait/walk.h"

#include <math.h>

#define RECOIL_TIME 1.0   // of the mean of the centre of mass, about a step [s]
#define ACROSS      0.3   // speed of a shift sideways as a share of that ahead [1]
#define RETURN_TIME 5.0   // in which a shift that is not needed returns to zero [s]
#define LAND_SOON   0.166 // feet that land within this time count as down [s]
#define LEAST_SHARE 0.8   // of the margin, at the transition of two phases [1]
#define APART       1e-3  // supports have no place in common where each is missed by more than this [m]
#define SWAY        6.0   // motion of the centre of pressure on compliant legs (4 Hz) over that on stiff ones [1]
#define LEAST_RATE  0.1   // least bound of the acceleration of the shift [m/s^2]
#define LIFT_SHARE  0.87  // of the margin, at which feet lift; it grows until they have left the ground [1]
#define LIFTED      0.02  // until a foot that lifts has left the ground, by loops, gears and rubber [s]
#define LOADING     0.06  // in which a foot is loaded after it has landed, and unloaded before it lifts [s]
#define UNLOADED    0.1   // least share of a foot, relative to the others [1]
#define STANDING    0.02  // the same while the robot stands [1]
#define SINKING     0.1   // in which feet are pressed into soft ground [s]
#define MOST_SINK   0.02  // [m]

enum { FORECASTS = 4 };

// ------------------------------------------------------------------------------------------ centre of mass

/// Place of a foot, now or at the end of its swing, and its motion with the ground from then on.
typedef struct foot_course {
    double at[2], flow[2]; // [m], [m/s]
    bool swings;
    double wait; // until the end of its swing [s]
} foot_course;

static void find_courses(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_footstep_memory *step,
                         foot_course course[FF_WALK_LEGS])
{
    for (int i = 0; i < robot->n; i++) {
        const ff_footstep_leg *leg = &step->legs[i];
        foot_course *c = &course[i];
        c->at[0] = leg->foot[0];
        c->at[1] = leg->foot[1];
        c->swings = ff_footstep_in_air(leg) && leg->phase != FF_FOOTSTEP_LAY;
        c->wait = (0.75 - leg->swing) * setpoint->cycle.air;
        if (c->swings) ff_footstep_point(setpoint, i, step->moving ? 0.5 * setpoint->cycle.length : 0.0, c->at);
        ff_footstep_flow(setpoint, i, c->at, c->flow);
    }
}

/// Support polygon of the feet that are down in a phase, after a time. @return false for fewer than three feet
static bool feet_ahead(const ff_walk_robot *robot, const foot_course *course, double pace, const bool *down,
                       double time, ff_support *support)
{
    double feet[FF_WALK_LEGS][2];
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        if (!down[i]) continue;
        const foot_course *c = &course[i];
        const double moving = c->swings ? ff_max(0.0, time - c->wait) : time;
        for (int k = 0; k < 2; k++) feet[n][k] = c->at[k] - pace * moving * c->flow[k];
        n++;
    }
    return n >= 3 && ff_support_make(support, (const double(*)[2])feet, n);
}

/// Time until the next leg lifts, infinite where none will.  [s]
static double next_lift(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_footstep_memory *step)
{
    double least = INFINITY;
    for (int i = 0; i < robot->n; i++)
        if (!ff_footstep_in_air(&step->legs[i]))
            least = ff_min(least, ff_footstep_time_to_lift(&robot->step, setpoint, step, i));
    return least;
}

/// A support polygon of this or the next phase, and the margin it should leave.
typedef struct phase_support {
    ff_support feet;
    double margin;
} phase_support;

/// Support polygons in which the centre of mass should lie: of the next phase at its end and at its begin, then of the
/// present phase at its end and now. Two successive phases may have only an edge in common, so the margin is less at
/// the transition, and feet that land soon count as down. @return how many
static int forecast(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_footstep_memory *step,
                    const foot_course *course, phase_support support[FORECASTS])
{
    enum { SOON = 30 };         // legs that lift together do so within that time [ms]
    const double rising = 0.08; // margin that a phase may lose in a second [m/s]
    bool now[FF_WALK_LEGS], then[FF_WALK_LEGS];
    const double lift = next_lift(robot, setpoint, step), most = robot->options.margin, least = LEAST_SHARE * most;
    const bool near = lift < setpoint->cycle.air;
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        const ff_footstep_leg *leg = &step->legs[i];
        const bool lands = ff_footstep_in_air(leg) && (1.0 - leg->swing) * setpoint->cycle.air < LAND_SOON;
        now[i] = ff_footstep_is_down(&robot->step, leg) || lands;
        then[i] = near && ff_footstep_will_support(&robot->step, setpoint, step, i, lift + 1e-3 * SOON);
    }
    support[n].margin = most;
    if (near && feet_ahead(robot, course, step->pace, then, lift + setpoint->cycle.air, &support[n].feet)) n++;
    support[n].margin = 2.0 * least;
    if (near && feet_ahead(robot, course, step->pace, then, lift, &support[n].feet)) n++;
    support[n].margin = least;
    if (near && feet_ahead(robot, course, step->pace, now, lift, &support[n].feet)) n++;
    support[n].margin = near ? ff_min(most, least + rising * lift) : most;
    if (feet_ahead(robot, course, step->pace, now, 0.0, &support[n].feet)) n++;
    return n;
}

/// Support polygon of the feet that are down.
static bool feet_down(const ff_walk_robot *robot, const ff_footstep_memory *step, const foot_course *course,
                      ff_support *feet)
{
    bool down[FF_WALK_LEGS];
    for (int i = 0; i < robot->n; i++) down[i] = ff_footstep_is_down(&robot->step, &step->legs[i]);
    return feet_ahead(robot, course, step->pace, down, 0.0, feet);
}

void ff_primitive_follow(double target, double speed, double full, const double rate[2], double dt, double *value,
                         double *velocity)
{
    const double way = target - *value;
    const double wanted = copysign(ff_min(speed, sqrt(2.0 * full * fabs(way))), way);
    *velocity += ff_max(-rate[0] * dt, ff_min(rate[1] * dt, wanted - *velocity));
    if (fabs(way) < fabs(*velocity) * dt && fabs(*velocity) <= 2.0 * full * dt) *velocity = dt > 0.0 ? way / dt : 0.0;
    *value += *velocity * dt;
}

/// Is the gait one with a pause, in which the body swings from feet to feet, or was it until now?
static bool swings(const ff_walk_setpoint *setpoint, const ff_footstep_memory *step)
{
    return setpoint->shift_body && (setpoint->pause > 0.0 || step->rest > 0.0);
}

/// Acceleration a that moves the centre of pressure, by SWAY a h / g, by the distance `room` to an edge of the support.
static double bearable(const ff_walk_robot *robot, const ff_walk_memory *memory, double room)
{
    const double g = robot->weight / robot->model->mass;
    return ff_max(LEAST_RATE, g * room / (SWAY * memory->com_height));
}

/// Distances of a point from the edges of a support behind and ahead of it, along x.  [m]
static void room_along(const ff_support *support, const double point[2], double room[2])
{
    room[0] = room[1] = -INFINITY;
    for (int i = 0; i < support->count; i++) {
        const double *a = support->corner[i], *b = support->corner[(i + 1) % support->count];
        if ((a[1] - point[1]) * (b[1] - point[1]) > 0.0 || a[1] == b[1]) continue;
        const double x = a[0] + (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) - point[0];
        room[0] = ff_max(room[0], -x);
        room[1] = ff_max(room[1], x);
    }
}

/// Greatest accelerations of the shift along x, back and ahead: to push the body ahead loads the rear feet.
static void bearable_rates(const ff_walk_robot *robot, const ff_walk_memory *memory, const ff_support *feet,
                           double rate[2][2])
{
    const double full = robot->options.shift_rate;
    double room[2];
    room_along(feet, memory->seen.com, room);
    rate[0][0] = ff_min(full, bearable(robot, memory, room[1]));
    rate[0][1] = ff_min(full, bearable(robot, memory, room[0]));
}

/// Projects a point onto the supports from `first` on, one after the other, several times. If the supports have a place
/// in common, it ends there; else the last support counts most. @return false when the point has all margins
static bool project(const phase_support *support, int first, int n, double point[2])
{
    double by[2];
    bool moved = true;
    for (int round = 0; round < 4 && moved; round++) {
        moved = false;
        for (int k = first; k < n; k++)
            if (ff_balance_correction(&support[k].feet, point, support[k].margin, by)) {
                point[0] += by[0];
                point[1] += by[1];
                moved = moved || by[0] != 0.0 || by[1] != 0.0;
            }
    }
    return moved;
}

/// The nearest place of the centre of mass with all margins in this and the next phase, or else in this phase.
static void find_place(const phase_support *support, int n, double point[2])
{
    const double from[2] = {point[0], point[1]};
    double by[2], worst = 0.0;
    if (!project(support, 0, n, point)) return;
    for (int k = 0; k < n; k++)
        if (ff_balance_correction(&support[k].feet, point, support[k].margin, by))
            worst = ff_max(worst, sqrt(by[0] * by[0] + by[1] * by[1]));
    if (n < FORECASTS || worst < APART) return;
    point[0] = from[0];
    point[1] = from[1];
    project(support, FORECASTS / 2, n, point);
}

/// Shifts the body such that the centre of mass is above the feet of this and the next phase.
static void shift(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt, ff_walk_memory *memory)
{
    const ff_hexapod_options *options = &robot->options;
    phase_support support[FORECASTS];
    ff_support feet;
    foot_course course[FF_WALK_LEGS];
    find_courses(robot, setpoint, &memory->step, course);
    const int n = forecast(robot, setpoint, &memory->step, course, support);
    const double *com = memory->seen.com;
    // the shift returns to zero slowly: corrected from zero in each phase the body would swing by 5 cm in gallop, where
    // a steady shift of 2 cm serves all phases
    const double back = ff_min(1.0, dt / RETURN_TIME);
    const double from[2] = {com[0] - back * memory->shift[0], com[1] - back * memory->shift[1]};
    const double full = options->shift_rate;
    double point[2] = {from[0], from[1]}, rate[2][2] = {{full, full}, {full, full}};
    const bool stands = feet_down(robot, &memory->step, course, &feet);
    memory->plan.margin = stands ? ff_support_margin(&feet, com) : -INFINITY;
    memory->plan.forecast = memory->plan.margin;
    for (int k = 0; k < n; k++)
        memory->plan.forecast = ff_min(memory->plan.forecast, ff_support_margin(&support[k].feet, com));
    if (setpoint->shift_body) find_place(support, n, point);
    if (stands && swings(setpoint, &memory->step)) bearable_rates(robot, memory, &feet, rate);
    for (int k = 0; k < 2; k++) {
        const double wanted = setpoint->shift_body ? memory->shift[k] + point[k] - com[k] : 0.0;
        const double target = ff_max(-options->shift_limit, ff_min(options->shift_limit, wanted));
        const double speed = k == 0 ? options->shift_speed : ACROSS * options->shift_speed;
        ff_primitive_follow(target, speed, options->shift_rate, rate[k], dt, &memory->shift[k],
                            &memory->shift_velocity[k]);
    }
}

// ------------------------------------------------------------------------------------------ forces

/// Removes sum and moments from the errors of n feet, which only a motion of the whole body changes. The rest is inner
/// tension, which the heights of single feet control. Fewer than four feet have none.
static void keep_tension(const double (*feet)[2], int n, double *error)
{
    double sum[3] = {0.0, 0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0, xe = 0.0, ye = 0.0;
    for (int i = 0; i < n; i++) sum[0] += feet[i][0], sum[1] += feet[i][1], sum[2] += error[i];
    const double mx = sum[0] / n, my = sum[1] / n, me = sum[2] / n;
    for (int i = 0; i < n; i++) {
        const double x = feet[i][0] - mx, y = feet[i][1] - my;
        xx += x * x, xy += x * y, yy += y * y, xe += x * error[i], ye += y * error[i];
    }
    const double det = xx * yy - xy * xy;
    const bool flat = det > 1e-9 * (xx + yy) * (xx + yy);
    const double ax = flat ? (xe * yy - ye * xy) / det : 0.0, ay = flat ? (ye * xx - xe * xy) / det : 0.0;
    for (int i = 0; i < n; i++) error[i] -= me + ax * (feet[i][0] - mx) + ay * (feet[i][1] - my);
}

/// Control of forces: y' = -K_f (F_ref - F) - y / leak. A foot that lifts keeps its correction as height.
static void control_forces(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                           ff_walk_memory *memory)
{
    const ff_hexapod_options *options = &robot->options;
    double feet[FF_WALK_LEGS][2], error[FF_WALK_LEGS];
    int legs[FF_WALK_LEGS], n = 0;
    for (int i = 0; i < robot->n; i++) {
        ff_footstep_leg *leg = &memory->step.legs[i];
        if (ff_footstep_in_air(leg)) {
            leg->height += memory->lift[i];
            leg->aim += memory->lift[i];
            memory->lift[i] = 0.0;
        }
        memory->lift[i] -= ff_min(1.0, dt / options->force_leak) * memory->lift[i];
        if (ff_footstep_in_air(leg) || memory->seen.contact_unknown[i] || !memory->seen.contact[i]) continue;
        feet[n][0] = leg->foot[0];
        feet[n][1] = leg->foot[1];
        error[n] = memory->plan.force[i] - memory->seen.force[i];
        legs[n++] = i;
    }
    if (n < 4 || !setpoint->control_forces || memory->seen.bent) return;
    keep_tension((const double(*)[2])feet, n, error);
    for (int k = 0; k < n; k++) {
        double *lift = &memory->lift[legs[k]];
        *lift =
            ff_max(-options->force_limit, ff_min(options->force_limit, *lift - options->force_gain * dt * error[k]));
    }
}

/// Relative share of a foot in the weight, which grows after the landing and falls before the lift-off: forces that
/// jump would make the body swing on its compliant legs.
static double share_of(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_walk_memory *memory,
                       int i)
{
    const ff_footstep_memory *step = &memory->step;
    if (setpoint->pause == 0.0) return 1.0;
    const double landed = memory->standing[i] / LOADING;
    const double lifts = ff_footstep_time_to_lift(&robot->step, setpoint, step, i);
    return ff_max(step->moving ? UNLOADED : STANDING, ff_min(1.0, ff_min(landed, lifts / LOADING)));
}

void ff_primitive_forces(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                         ff_walk_memory *memory)
{
    double feet[FF_WALK_LEGS][2], force[FF_WALK_LEGS], shares[FF_WALK_LEGS] = {0};
    int legs[FF_WALK_LEGS], n = 0;
    for (int i = 0; i < robot->n; i++) {
        memory->plan.force[i] = 0.0;
        if (!ff_footstep_is_down(&robot->step, &memory->step.legs[i])) continue;
        feet[n][0] = memory->step.legs[i].foot[0];
        feet[n][1] = memory->step.legs[i].foot[1];
        shares[n] = share_of(robot, setpoint, memory, i);
        legs[n++] = i;
    }
    ff_balance_share share = {0};
    ff_balance_distribute_by((const double(*)[2])feet, shares, n, robot->weight, memory->seen.com, force, &share);
    for (int k = 0; k < n; k++) memory->plan.force[legs[k]] = force[k];
    if (!share.balanced) memory->status |= FF_WALK_UNBALANCED;
    control_forces(robot, setpoint, dt, memory);
}

// ------------------------------------------------------------------------------------------ plan

/// Legs that swing ahead move the centre of mass ahead. The body is shifted against this motion about its mean, so that
/// the centre of mass moves evenly.
static void compensate_recoil(double dt, ff_walk_memory *memory)
{
    const double share = ff_min(1.0, dt / RECOIL_TIME);
    for (int k = 0; k < 2; k++) {
        memory->com_mean[k] += share * (memory->com_wanted[k] - memory->com_mean[k]);
        memory->plan.shift[k] = memory->shift[k] + memory->com_mean[k] - memory->com_wanted[k];
    }
}

/// Marks feet that still carry too much to lift: a load that vanishes at once makes a body at rest swing.
static void find_laden(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, ff_walk_memory *memory)
{
    const bool hands_over = setpoint->pause > 0.0 && setpoint->control_forces;
    for (int i = 0; i < robot->n; i++) {
        const bool asked = memory->step.legs[i].waiting >= 0.0; // from then on other feet take its load
        const double most = ff_max(memory->plan.force[i] + robot->options.contact_off, robot->options.contact_on);
        const bool less = asked && memory->load[i] <= most;
        memory->seen.laden[i] = hands_over && !memory->seen.contact_unknown[i] && !less;
    }
}

/// Computes the expected depth F / k of standing feet in ground that was probed, which no joint sensor measures.
static void expect_sinking(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    for (int i = 0; i < robot->n; i++) {
        const double k = ff_probe_ground(memory, memory->step.legs[i].foot).stiffness;
        const double deep = k > 0.0 ? ff_min(memory->plan.force[i] / k, MOST_SINK) : 0.0;
        memory->sink[i] += ff_min(1.0, dt / SINKING) * (deep - memory->sink[i]);
    }
}

void ff_primitive_place_feet(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    ff_walk_plan *plan = &memory->plan;
    plan->support = ff_footstep_support(&robot->step, &memory->step);
    compensate_recoil(dt, memory);
    expect_sinking(robot, dt, memory);
    for (int i = 0; i < robot->n; i++) {
        const ff_footstep_leg *leg = &memory->step.legs[i];
        plan->foot[i][0] = leg->foot[0];
        plan->foot[i][1] = leg->foot[1];
        const double *p = memory->posture;
        plan->foot[i][2] = leg->height + memory->lift[i] + memory->raised[i] - memory->sink[i] -
                           (p[0] + p[1] * leg->foot[0] + p[2] * leg->foot[1]);
        plan->phase[i] = leg->phase;
        if (leg->stuck || leg->missed >= 2) memory->status |= FF_WALK_CONTACT_UNKNOWN;
    }
}

void ff_primitive_update(const ff_walk_robot *robot, const ff_walk_setpoint *commanded, double dt,
                         ff_walk_memory *memory)
{
    ff_walk_setpoint trimmed = *commanded;
    const ff_walk_setpoint *setpoint = &trimmed;
    ff_primitive_posture(robot, dt, memory);
    ff_primitive_trim(robot, dt, memory, &trimmed);
    memory->seen.balance = setpoint->shift_body;
    for (int k = 0; k < 2; k++)
        memory->seen.com_soon[k] =
            memory->seen.com[k] + LIFTED * (memory->shift_velocity[k] + memory->step.pace * setpoint->velocity[k]);
    // the pace changes only for a moment, so that twice the acceleration is allowed
    memory->seen.most_rate =
        swings(setpoint, &memory->step) ? 2.0 * bearable(robot, memory, memory->plan.margin) : INFINITY;
    memory->seen.least_margin = LIFT_SHARE * robot->options.margin;
    find_laden(robot, setpoint, memory);
    ff_footstep_update(&robot->step, setpoint, &memory->seen, dt, &memory->step);
    ff_probe_carry(setpoint, dt, memory);
    ff_primitive_droop(robot, memory);
    shift(robot, setpoint, dt, memory);
    ff_primitive_forces(robot, setpoint, dt, memory);
    ff_primitive_place_feet(robot, dt, memory);
    if (setpoint->walk && memory->step.pace < 0.5) memory->status |= FF_WALK_WAITING;
}
