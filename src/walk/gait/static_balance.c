// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Balance of a static walk: corrections of the plan by sensors. The error of the controlled point moves the pelvis,
// slowly; feet that carry yield to unwanted moments.
//
// With the capture point as input the feet balance, too. The robot is a pendulum, c'' = w^2 (c - p), w^2 = g / z, with
// the centre of mass c and the zero moment point p. Its capture point x = c + c'/w returns with the time constant
// 1 / (w (G - 1)) by
//     p = p_plan + G (x - x_plan),   G > 1
// An observer of the pendulum gives c'. While both feet carry, their loads follow p, and legs yield to unwanted forces:
// S. Kajita et al., Biped walking stabilization based on linear inverted pendulum tracking, IROS 2010.
#include "gait/static_walk.h"

#include <footfall/math.h>
#include <math.h>

#define MOST_YIELD 0.06 // [rad]
// with the capture point as input
#define GAIN         2.0  // G: an error halves in 0.19 s for a centre of mass at 0.75 m [1]
#define FARTHEST     0.04 // greatest correction of the zero moment point, two thirds of half a sole's width [m]
#define OBSERVER     15.0 // bandwidth of the observer, four times that of the pendulum [rad/s]
#define YIELD_TIMES  7.0  // feet yield faster by this: 30 mrad/(N m s) on 333 N m/rad give 10 rad/s [1]
#define RETURN_TIMES 5.0  // and return slower by this: in 1 s [1]
#define UPRIGHT      3.0  // gain of the lean of the body on the turning of the feet [1/s]
#define STRETCH      3e-4 // of legs by unwanted force: on soles of 400 N/mm 120 rad/s [m/(N s)]
#define STRETCH_TIME 1.0  // in which they return [s]
#define MOST_STRETCH 0.02 // [m]

/// Estimates the centre of mass and its speed.
static void estimate_sway(double w, double dt, ff_static_walk_state *memory)
{
    for (int k = 0; k < 2; k++) {
        if (!memory->started) memory->sway[k] = memory->seen.com[k];
        const double off = memory->seen.com[k] - memory->sway[k];
        memory->sway[k] += dt * (memory->sway_speed[k] + 2.0 * 0.7 * OBSERVER * off);
        memory->sway_speed[k] += dt * (w * w * (memory->sway[k] - memory->seen.zmp[k]) + OBSERVER * OBSERVER * off);
    }
}

/// Share of the weight on the left foot for the wanted zero moment point.
static double corrected_share(const ff_static_walk_state *memory)
{
    double along = 0.0, square = 0.0;
    for (int k = 0; k < 2; k++) {
        const double apart = memory->foot[0].place[k] - memory->foot[1].place[k];
        along += apart * (memory->aim[k] - memory->zmp[k]);
        square += apart * apart;
    }
    return ff_max(0.0, ff_min(1.0, memory->share + (square > 0.0 ? along / square : 0.0)));
}

/// Corrects the wanted zero moment point, the load of the feet, and the lengths of the legs that give this load.
static void capture(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    const double w = sqrt(ff_vec3_norm(robot->model->gravity) / robot->com_height);
    const ff_static_walk_seen *seen = &memory->seen;
    if (!(w > 0.0)) return;
    estimate_sway(w, dt, memory);
    for (int k = 0; k < 2; k++) {
        const double off = memory->sway[k] - memory->com[k] + (memory->sway_speed[k] - memory->com_speed[k]) / w;
        memory->aim[k] = memory->zmp[k] + ff_max(-FARTHEST, ff_min(FARTHEST, GAIN * off));
    }
    double unwanted = 0.0;
    if (memory->phase <= FF_STATIC_WALK_SHIFT && !seen->force_unknown[0] && !seen->force_unknown[1]) {
        memory->load = corrected_share(memory);
        unwanted = 0.5 * (seen->load[0] - seen->load[1]) - (memory->load - 0.5) * robot->weight;
    }
    memory->stretch += dt * (STRETCH * unwanted - memory->stretch / STRETCH_TIME);
    memory->stretch = ff_max(-MOST_STRETCH, ff_min(MOST_STRETCH, memory->stretch));
}

/// Feet that carry yield to unwanted moments and return, a' = k (M - M_wanted) - a / T. On soles and joints with the
/// stiffness K a sway by 1 rad has the moment K (s + 1/T) / (s + 1/T + k K): a damped spring.
static void yield(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    const ff_static_walk_options *o = &robot->options;
    const bool by_capture = o->input == FF_STATIC_WALK_CAPTURE;
    const double rate = by_capture ? YIELD_TIMES * o->yield : o->yield;
    const double back = by_capture ? RETURN_TIMES * o->yield_time : o->yield_time;
    double force[2], at[2][3];
    ff_static_walk_plan_forces(robot, memory, force, at);
    for (int side = 0; side < 2; side++) {
        const ff_static_walk_foot *foot = &memory->foot[side];
        const bool swings = memory->phase >= FF_STATIC_WALK_SWING && side != memory->stance;
        const double wanted[2] = {force[side] * (at[side][1] - foot->place[1]),
                                  -force[side] * (at[side][0] - foot->place[0])};
        double local[2];
        ff_gait_turn(-foot->yaw, wanted, local);
        for (int k = 0; k < 2; k++) {
            const double moment =
                swings || memory->seen.force_unknown[side] ? 0.0 : memory->seen.moment[side][k] - local[k];
            double *tilt = &memory->yield[side][k];
            *tilt += dt * (rate * moment - *tilt / back);
            if (by_capture && !swings) *tilt += dt * UPRIGHT * memory->seen.tilt[k];
            *tilt = ff_max(-MOST_YIELD, ff_min(MOST_YIELD, *tilt));
        }
    }
}

/// Moves the pelvis by the error of the controlled point, and computes the margin.
static void keep_over_feet(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    const ff_static_walk_options *o = &robot->options;
    const bool by_zmp = o->input == FF_STATIC_WALK_ZMP, both = memory->phase <= FF_STATIC_WALK_SHIFT;
    const double *point = by_zmp ? memory->seen.zmp : memory->seen.com, *plan = by_zmp ? memory->zmp : memory->com;
    const bool carries[2] = {both || memory->stance == 0, both || memory->stance == 1};
    ff_support support;
    for (int k = 0; k < 2; k++) {
        memory->error[k] = plan[k] - point[k];
        if (o->input == FF_STATIC_WALK_NONE) continue;
        const double time = by_zmp ? FF_STATIC_WALK_ZMP_TIMES * o->balance : o->balance;
        const double sum = memory->shift[k] + dt / time * memory->error[k];
        memory->shift[k] = ff_max(-o->shift_limit, ff_min(o->shift_limit, sum));
    }
    ff_static_walk_support(robot, memory, carries, &support);
    memory->margin = ff_support_margin(&support, point);
    if (memory->margin < 0.0) memory->status |= FF_STATIC_WALK_UNBALANCED;
}

void ff_static_walk_balance(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    for (int k = 0; k < 2; k++) memory->aim[k] = memory->zmp[k];
    memory->load = memory->share;
    if (robot->options.input == FF_STATIC_WALK_CAPTURE) capture(robot, dt, memory);
    yield(robot, dt, memory);
    keep_over_feet(robot, dt, memory);
}
