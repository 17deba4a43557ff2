// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of walking: names and values. WINDOW.WHAT for a robot, WINDOW.LEG.WHAT for each of its legs, and
// WINDOW.ROBOT.WHAT, WINDOW.ROBOT.LEG.WHAT if there are several robots. Metrics without data (no whole cycle, no drive)
// are NaN, null in files.
#include "measure/walk.h"

#include <math.h>

/// The metrics of a robot, then those of each of its legs: name, unit, meaning.
#define ROBOT_METRIC_LIST(X)                                                                                           \
    X(TIME, "walk.time", "s", "length of the window")                                                                  \
    X(DISTANCE, "walk.distance", "m", "from where the body was at its beginning to its end, level")                    \
    X(SPEED_MEAN, "walk.speed.mean", "m/s", "distance over time")                                                      \
    X(SPEED_FORWARD, "walk.speed.forward", "m/s", "mean speed along the heading of the body")                          \
    X(SPEED_SIDEWAYS, "walk.speed.sideways", "m/s", "the same to its left")                                            \
    X(COMMAND_FORWARD, "walk.command.forward", "m/s", "mean commanded speed ahead; null where no speed is commanded")  \
    X(COMMAND_SIDEWAYS, "walk.command.sideways", "m/s", "the same to the left")                                        \
    X(COMMAND_REACHED, "walk.command.reached", "",                                                                     \
      "integral of velocity times command over that of the command squared")                                           \
    X(COURSE, "walk.course", "rad", "direction of the distance, from the heading at the beginning, left positive")     \
    X(TURNED, "walk.turned", "rad", "by how much the body has turned at the end, left positive")                       \
    X(HEADING_ERROR, "walk.heading.error", "rad", "the same less what was commanded")                                  \
    X(HEADING_MAX, "walk.heading.max", "rad", "largest error of the heading meanwhile, in size, of all steps")         \
    X(STEPS, "walk.steps", "", "touch-downs of all feet")                                                              \
    X(PERIOD, "walk.period", "s", "mean time from touch-down to touch-down of a foot")                                 \
    X(STRIDE, "walk.stride", "m", "speed.mean times period")                                                           \
    X(DUTY, "walk.duty", "", "duty factor, mean of the legs")                                                          \
    X(SUPPORT_MEAN, "walk.support.mean", "", "feet that carry, mean over time")                                        \
    X(SUPPORT_MIN, "walk.support.min", "", "fewest feet that carry, for longer than the debounce")                     \
    X(NEIGHBOURS, "walk.neighbours", "s", "time with two neighbouring feet of one side in the air")                    \
    X(MARGIN_MEAN, "walk.margin.mean", "m", "stability margin on the feet that carry, mean over time")                 \
    X(MARGIN_MIN, "walk.margin.min", "m", "least stability margin, 100 times a second; the debounce is twice as long") \
    X(MARGIN_NEGATIVE, "walk.margin.negative", "", "share of the time with a margin below zero")                       \
    X(FORCE_SUM, "walk.force.sum", "", "sum of the vertical foot forces, mean over time, over the weight")             \
    X(FORCE_MAX, "walk.force.max", "N", "largest normal force on a foot")                                              \
    X(SLIP_STEP, "walk.slip.step", "m", "distance a foot slides in one stance, mean")                                  \
    X(SLIP_MAX, "walk.slip.max", "m", "the most any foot slides in one stance")                                        \
    X(HEIGHT, "walk.height.mean", "m", "mean height of the body's centre of mass")                                     \
    X(BOB, "walk.bob", "m", "its greatest less its least height, of all steps")                                        \
    X(BOB_RMS, "walk.bob.rms", "m", "root mean square of its height about the mean")                                   \
    X(ROLL, "walk.roll.range", "rad", "greatest less least roll of the body, of all steps")                            \
    X(PITCH, "walk.pitch.range", "rad", "greatest less least pitch of the body, of all steps")                         \
    X(TILT, "walk.tilt.max", "rad", "largest angle between the body's z axis and the vertical, of all steps")          \
    X(ENERGY, "walk.energy", "J", "of the drives: from the supply; of ideal ones and servos the positive work")        \
    X(POWER, "walk.power", "W", "energy over time")                                                                    \
    X(COT, "walk.cot", "", "cost of transport: energy over weight and distance")                                       \
    X(TRACKING_RMS, "walk.tracking.rms", "rad, m", "joints of the legs against their references, root mean square")    \
    X(TRACKING_MAX, "walk.tracking.max", "rad, m", "the same, largest, of all steps")                                  \
    X(FALLS, "walk.falls", "", "times the robot fell since the start of the run")                                      \
    X(FALL_TIME, "walk.fall.time", "s", "first fall; null without one")
#define LEG_METRIC_LIST(X)                                                                                             \
    X(LEG_DUTY, "walk.LEG.duty", "", "duty factor of a leg: stance over cycle, whole cycles")                          \
    X(LEG_PHASE, "walk.LEG.phase", "", "touch-down after that of the first leg, over its cycle, -0.05 to 0.95")        \
    X(LEG_PERIOD, "walk.LEG.period", "s", "mean time from touch-down to touch-down")                                   \
    X(LEG_STEPS, "walk.LEG.steps", "", "touch-downs")                                                                  \
    X(LEG_CONTACT, "walk.LEG.contact", "", "share of the time in touch, not debounced")                                \
    X(LEG_FORCE_MEAN, "walk.LEG.force.mean", "N", "vertical force, mean over time")                                    \
    X(LEG_FORCE_STANCE, "walk.LEG.force.stance", "N", "vertical force, mean while in touch")                           \
    X(LEG_FORCE_MAX, "walk.LEG.force.max", "N", "largest normal force")                                                \
    X(LEG_SLIP, "walk.LEG.slip", "m", "distance slid in touch")                                                        \
    X(LEG_SLIP_STEP, "walk.LEG.slip.step", "m", "distance slid in one stance, mean")                                   \
    X(LEG_SLIP_MAX, "walk.LEG.slip.max", "m", "the most in one stance")                                                \
    X(LEG_X_MIN, "walk.LEG.x.min", "m",                                                                                \
      "least place of the foot along the axis of the body, from its origin, of all steps")                             \
    X(LEG_X_MAX, "walk.LEG.x.max", "m", "its greatest, likewise")

enum { ROBOT_METRIC_LIST(FF_METRIC_NUMBER) ROBOT_METRICS };
enum { LEG_METRIC_LIST(FF_METRIC_NUMBER) LEG_METRICS };
const ff_metric_help ff_walk_help[] = {ROBOT_METRIC_LIST(FF_METRIC_ROW) LEG_METRIC_LIST(FF_METRIC_ROW){0}};

enum { ROBOT_LEAD = sizeof "walk." - 1, LEG_LEAD = sizeof "walk.LEG." - 1 };
#define FIRST_PHASE (-0.05) // least phase, so that a leg in phase with the first one has a number near zero

// ------------------------------------------------------------------------------------------ names

void ff_walk_names(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_walk *walk = ff_walk_find(site, out->arena);
    const ff_metric_help *robot_help = ff_walk_help, *leg_help = ff_walk_help + ROBOT_METRICS;
    for (int w = 0; walk && w < walk->nwindow; w++)
        for (int i = 0; i < walk->nrobot; i++) {
            const ff_walker *robot = &walk->robots[i];
            const char *window = walk->windows[w].name;
            for (int k = 0; k < ROBOT_METRICS; k++)
                ff_measure_add_name(out, "%s.%s%s", window, robot->lead, robot_help[k].name + ROBOT_LEAD);
            for (int leg = 0; leg < robot->nleg; leg++)
                for (int k = 0; k < LEG_METRICS; k++)
                    ff_measure_add_name(out, "%s.%s%s.%s", window, robot->lead, robot->legs[leg].name,
                                        leg_help[k].name + LEG_LEAD);
        }
}

// ------------------------------------------------------------------------------------------ values

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : NAN;
}

static double phase_of(const ff_walk_leg_sum *s)
{
    if (s->phases == 0) return NAN;
    const double phase = ff_atan2(s->phase_sin, s->phase_cos) / (2.0 * FF_PI);
    return phase < FIRST_PHASE ? phase + 1.0 : phase;
}

static void fill_leg(const ff_walk_sum *all, const ff_walk_leg_sum *s, double values[LEG_METRICS])
{
    values[LEG_DUTY] = ratio(s->stance_time, s->cycle_time);
    values[LEG_PHASE] = phase_of(s);
    values[LEG_PERIOD] = ratio(s->cycle_time, s->cycles);
    values[LEG_STEPS] = s->steps;
    values[LEG_CONTACT] = ratio(s->touched, all->span);
    values[LEG_FORCE_MEAN] = ratio(s->push, all->span);
    values[LEG_FORCE_STANCE] = ratio(s->push, s->touched);
    values[LEG_FORCE_MAX] = s->peak;
    values[LEG_SLIP] = s->slid;
    values[LEG_SLIP_STEP] = ratio(s->stance_slip, s->stances);
    values[LEG_SLIP_MAX] = s->stances ? s->stance_slip_most : NAN;
    values[LEG_X_MIN] = isfinite(s->ahead[0]) ? s->ahead[0] : NAN;
    values[LEG_X_MAX] = isfinite(s->ahead[1]) ? s->ahead[1] : NAN;
}

/// Steps, cycles, slip and peaks of all legs together.
static void fill_steps(const ff_walker *robot, const ff_walk_sum *s, double values[ROBOT_METRICS])
{
    double cycle_time = 0.0, duty = 0.0, slip = 0.0;
    int cycles = 0, legs = 0, stances = 0;
    values[STEPS] = values[FORCE_MAX] = values[SLIP_MAX] = 0.0;
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg_sum *leg = &s->legs[i];
        values[STEPS] += leg->steps;
        values[FORCE_MAX] = ff_max(values[FORCE_MAX], leg->peak);
        values[SLIP_MAX] = ff_max(values[SLIP_MAX], leg->stance_slip_most);
        cycle_time += leg->cycle_time;
        cycles += leg->cycles;
        slip += leg->stance_slip;
        stances += leg->stances;
        if (leg->cycles == 0) continue;
        duty += leg->stance_time / leg->cycle_time;
        legs++;
    }
    values[PERIOD] = ratio(cycle_time, cycles);
    values[DUTY] = ratio(duty, legs);
    values[SLIP_STEP] = ratio(slip, stances);
    if (stances == 0) values[SLIP_MAX] = NAN;
}

/// Fills the mean command, and the factor between velocity and command by least squares; both in the axes of the body.
/// The mean of an alternating command may be zero, its square is not.
static void fill_command(const ff_walk_sum *s, double values[ROBOT_METRICS])
{
    values[COMMAND_FORWARD] = ratio(s->command_way[0], s->command_time);
    values[COMMAND_SIDEWAYS] = ratio(s->command_way[1], s->command_time);
    values[COMMAND_REACHED] = ratio(s->command_done, s->command_squares);
}

static void fill_motion(const ff_walker *robot, const ff_walk_sum *s, double values[ROBOT_METRICS])
{
    const double mean = ratio(s->height, s->time), spread = ratio(s->height_squares, s->time) - mean * mean;
    values[TIME] = s->time;
    values[DISTANCE] = sqrt(s->way[0] * s->way[0] + s->way[1] * s->way[1]);
    values[SPEED_MEAN] = ratio(values[DISTANCE], s->time);
    values[SPEED_FORWARD] = ratio(s->forward, s->time);
    values[SPEED_SIDEWAYS] = ratio(s->sideways, s->time);
    fill_command(s, values);
    values[COURSE] = remainder(ff_atan2(s->way[1], s->way[0]) - s->heading0, 2.0 * FF_PI);
    values[TURNED] = s->turned;
    values[HEADING_ERROR] = s->turned - s->commanded;
    values[HEADING_MAX] = s->heading_error;
    values[HEIGHT] = s->height0 + mean;
    values[BOB] = s->high - s->low;
    values[BOB_RMS] = sqrt(ff_max(spread, 0.0));
    values[ROLL] = s->roll[1] - s->roll[0];
    values[PITCH] = ff_asin(ff_min(s->rise[1], 1.0)) - ff_asin(ff_max(s->rise[0], -1.0));
    values[TILT] = ff_acos(ff_max(-1.0, ff_min(1.0, s->upright)));
    values[FALLS] = robot->falls;
    values[FALL_TIME] = robot->fall_time;
}

static void fill_robot(const ff_walker *robot, const ff_walk_sum *s, double values[ROBOT_METRICS])
{
    fill_motion(robot, s, values);
    fill_steps(robot, s, values);
    values[STRIDE] = values[SPEED_MEAN] * values[PERIOD];
    values[SUPPORT_MEAN] = ratio(s->support, s->support_time);
    values[SUPPORT_MIN] = isfinite(s->support_least) ? s->support_least : NAN;
    values[NEIGHBOURS] = s->neighbours;
    values[MARGIN_MEAN] = ratio(s->margin, s->margin_time);
    values[MARGIN_MIN] = isfinite(s->margin_least) ? s->margin_least : NAN;
    values[MARGIN_NEGATIVE] = ratio(s->negative, s->margin_time);
    values[FORCE_SUM] = ratio(s->push, s->span * robot->weight);
    values[ENERGY] = robot->ndrive > 0 ? s->energy : NAN;
    values[POWER] = ratio(values[ENERGY], s->span);
    values[COT] = ratio(values[ENERGY], robot->weight * values[DISTANCE]);
    values[TRACKING_RMS] = sqrt(ratio(s->track_squares, (double)s->tracked));
    values[TRACKING_MAX] = s->tracked ? s->track_most : NAN;
    if (s->begun && s->time > 0.0) return;
    for (int i = 0; i < ROBOT_METRICS; i++) // the run ended before this window
        if (i != FALLS && i != FALL_TIME) values[i] = NAN;
}

void ff_walk_list(const void *context, double *values)
{
    const ff_walk *walk = context;
    for (int w = 0; w < walk->nwindow; w++)
        for (int i = 0; i < walk->nrobot; i++) {
            const ff_walker *robot = &walk->robots[i];
            const ff_walk_sum *sum = &robot->sums[w];
            fill_robot(robot, sum, values);
            values += ROBOT_METRICS;
            for (int leg = 0; leg < robot->nleg; leg++, values += LEG_METRICS) fill_leg(sum, &sum->legs[leg], values);
        }
}
