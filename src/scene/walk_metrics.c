// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of walking: names and values. WINDOW.WHAT for a robot, WINDOW.LEG.WHAT for each of its legs, and WINDOW.ROBOT.WHAT, WINDOW.ROBOT.LEG.WHAT where a
// scene has several robots. What was never seen (no whole cycle, no drive) is NaN, null in files.
#include "scene/walk.h"

#include <math.h>
#include <string.h>

enum {
    TIME,
    DISTANCE,
    SPEED_MEAN,
    SPEED_FORWARD,
    SPEED_SIDEWAYS,
    COURSE,
    TURNED,
    HEADING_ERROR,
    HEADING_MAX,
    STEPS,
    PERIOD,
    STRIDE,
    DUTY,
    SUPPORT_MEAN,
    SUPPORT_MIN,
    NEIGHBOURS,
    MARGIN_MEAN,
    MARGIN_MIN,
    MARGIN_NEGATIVE,
    FORCE_SUM,
    FORCE_MAX,
    SLIP_STEP,
    SLIP_MAX,
    HEIGHT,
    BOB,
    BOB_RMS,
    ROLL,
    PITCH,
    TILT,
    ENERGY,
    POWER,
    COT,
    TRACKING_RMS,
    TRACKING_MAX,
    FALLS,
    FALL_TIME,
    ROBOT_METRICS
};

static const char *const robot_help[ROBOT_METRICS][2] = {
    [TIME] = {"walk.time", "length of the window [s]"},
    [DISTANCE] = {"walk.distance", "from where the body was at its beginning to its end, level [m]"},
    [SPEED_MEAN] = {"walk.speed.mean", "distance over time [m/s]"},
    [SPEED_FORWARD] = {"walk.speed.forward", "mean speed along the heading of the body [m/s]"},
    [SPEED_SIDEWAYS] = {"walk.speed.sideways", "the same to its left [m/s]"},
    [COURSE] = {"walk.course", "direction of the distance, from the heading at the beginning, left positive [rad]"},
    [TURNED] = {"walk.turned", "by how much the body has turned at the end, left positive [rad]"},
    [HEADING_ERROR] = {"walk.heading.error", "the same less what commands ordered [rad]"},
    [HEADING_MAX] = {"walk.heading.max", "largest error of the heading meanwhile, in size [rad]"},
    [STEPS] = {"walk.steps", "touch-downs of all feet"},
    [PERIOD] = {"walk.period", "mean time from touch-down to touch-down of a foot [s]"},
    [STRIDE] = {"walk.stride", "speed.mean times period [m]"},
    [DUTY] = {"walk.duty", "duty factor, mean of the legs"},
    [SUPPORT_MEAN] = {"walk.support.mean", "feet that carry, mean over time"},
    [SUPPORT_MIN] = {"walk.support.min", "fewest feet that carry, for longer than the debounce"},
    [NEIGHBOURS] = {"walk.neighbours", "time with two neighbouring feet of one side in the air [s]"},
    [MARGIN_MEAN] = {"walk.margin.mean", "stability margin on the feet that carry, mean over time [m]"},
    [MARGIN_MIN] = {"walk.margin.min", "least stability margin [m]"},
    [MARGIN_NEGATIVE] = {"walk.margin.negative", "share of the time with a margin below zero"},
    [FORCE_SUM] = {"walk.force.sum", "sum of the vertical foot forces, mean over time, over the weight"},
    [FORCE_MAX] = {"walk.force.max", "largest normal force on a foot [N]"},
    [SLIP_STEP] = {"walk.slip.step", "way a foot slides in one stance, mean [m]"},
    [SLIP_MAX] = {"walk.slip.max", "the most any foot slides in one stance [m]"},
    [HEIGHT] = {"walk.height.mean", "mean height of the body's centre of mass [m]"},
    [BOB] = {"walk.bob", "its greatest less its least height [m]"},
    [BOB_RMS] = {"walk.bob.rms", "root mean square of its height about the mean [m]"},
    [ROLL] = {"walk.roll.range", "greatest less least roll of the body [rad]"},
    [PITCH] = {"walk.pitch.range", "greatest less least pitch of the body [rad]"},
    [TILT] = {"walk.tilt.max", "largest angle between the body's z axis and the vertical [rad]"},
    [ENERGY] = {"walk.energy", "of the drives: from the supply; of ideal ones and servos the positive work [J]"},
    [POWER] = {"walk.power", "energy over time [W]"},
    [COT] = {"walk.cot", "cost of transport: energy over weight and distance"},
    [TRACKING_RMS] = {"walk.tracking.rms", "joints of the legs against their references, root mean square [rad, m]"},
    [TRACKING_MAX] = {"walk.tracking.max", "the same, largest [rad, m]"},
    [FALLS] = {"walk.falls", "times the robot fell since the start of the run"},
    [FALL_TIME] = {"walk.fall.time", "first fall [s]; null without one"},
};

enum {
    LEG_DUTY,
    LEG_PHASE,
    LEG_PERIOD,
    LEG_STEPS,
    LEG_CONTACT,
    LEG_FORCE_MEAN,
    LEG_FORCE_STANCE,
    LEG_FORCE_MAX,
    LEG_SLIP,
    LEG_SLIP_STEP,
    LEG_SLIP_MAX,
    LEG_X_MIN,
    LEG_X_MAX,
    LEG_METRICS
};

static const char *const leg_help[LEG_METRICS][2] = {
    [LEG_DUTY] = {"walk.LEG.duty", "duty factor of a leg: stance over cycle, whole cycles"},
    [LEG_PHASE] = {"walk.LEG.phase", "touch-down after that of the first leg, over its cycle, -0.05 to 0.95"},
    [LEG_PERIOD] = {"walk.LEG.period", "mean time from touch-down to touch-down [s]"},
    [LEG_STEPS] = {"walk.LEG.steps", "touch-downs"},
    [LEG_CONTACT] = {"walk.LEG.contact", "share of the time in touch, not debounced"},
    [LEG_FORCE_MEAN] = {"walk.LEG.force.mean", "vertical force, mean over time [N]"},
    [LEG_FORCE_STANCE] = {"walk.LEG.force.stance", "vertical force, mean while in touch [N]"},
    [LEG_FORCE_MAX] = {"walk.LEG.force.max", "largest normal force [N]"},
    [LEG_SLIP] = {"walk.LEG.slip", "way slid in touch [m]"},
    [LEG_SLIP_STEP] = {"walk.LEG.slip.step", "way slid in one stance, mean [m]"},
    [LEG_SLIP_MAX] = {"walk.LEG.slip.max", "the most in one stance [m]"},
    [LEG_X_MIN] = {"walk.LEG.x.min", "least place of the foot along the axis of the body, from its origin [m]"},
    [LEG_X_MAX] = {"walk.LEG.x.max", "its greatest [m]"},
};

enum { ROBOT_LEAD = sizeof "walk." - 1, LEG_LEAD = sizeof "walk.LEG." - 1 };
#define FIRST_PHASE (-0.05) // phases begin here, so that a leg in step with the first shows a number near zero

const char *ff_scene_walk_metric_name(int i, const char **meaning)
{
    if (i < 0 || i >= ROBOT_METRICS + LEG_METRICS) return NULL;
    const char *const *entry = i < ROBOT_METRICS ? robot_help[i] : leg_help[i - ROBOT_METRICS];
    if (meaning) *meaning = entry[1];
    return entry[0];
}

// ------------------------------------------------------------------------------------------ names

int ff_scene_count_walk_metrics(const ff_scene *scene)
{
    return scene->walk ? scene->walk->nname : 0;
}

bool ff_scene_name_walk(ff_scene *scene)
{
    ff_scene_walk *walk = scene->walk;
    int most = 0;
    for (int i = 0; i < walk->nrobot; i++) most += ROBOT_METRICS + walk->robots[i].nleg * LEG_METRICS;
    walk->names = FF_ARENA_NEW(&scene->arena, const char *, most * walk->nwindow + 1);
    if (!walk->names) return false;
    for (int w = 0; w < walk->nwindow; w++)
        for (int i = 0; i < walk->nrobot; i++) {
            const ff_walker *robot = &walk->robots[i];
            const char *window = walk->windows[w].name;
            for (int k = 0; k < ROBOT_METRICS; k++)
                walk->names[walk->nname++] =
                    ff_arena_printf(&scene->arena, "%s.%s%s", window, robot->lead, robot_help[k][0] + ROBOT_LEAD);
            for (int leg = 0; leg < robot->nleg; leg++)
                for (int k = 0; k < LEG_METRICS; k++)
                    walk->names[walk->nname++] = ff_arena_printf(&scene->arena, "%s.%s%s.%s", window, robot->lead,
                                                                 robot->legs[leg].name, leg_help[k][0] + LEG_LEAD);
        }
    return !scene->arena.failed;
}

bool ff_scene_is_walk_metric(const ff_scene *scene, const char *name)
{
    for (int i = 0; i < ff_scene_count_walk_metrics(scene); i++)
        if (strcmp(scene->walk->names[i], name) == 0) return true;
    return false;
}

const char *ff_scene_walk_hint(const ff_scene *scene, const char *name, const ff_report *report)
{
    const int count = ff_scene_count_walk_metrics(scene);
    return count ? ff_yaml_hint(name, scene->walk->names, count, report) : NULL;
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

static void fill_motion(const ff_walker *robot, const ff_walk_sum *s, double values[ROBOT_METRICS])
{
    const double mean = ratio(s->height, s->time), spread = ratio(s->height_squares, s->time) - mean * mean;
    values[TIME] = s->time;
    values[DISTANCE] = sqrt(s->way[0] * s->way[0] + s->way[1] * s->way[1]);
    values[SPEED_MEAN] = ratio(values[DISTANCE], s->time);
    values[SPEED_FORWARD] = ratio(s->forward, s->time);
    values[SPEED_SIDEWAYS] = ratio(s->sideways, s->time);
    values[COURSE] = remainder(ff_atan2(s->way[1], s->way[0]) - s->heading0, 2.0 * FF_PI);
    values[TURNED] = s->turned;
    values[HEADING_ERROR] = s->turned - s->ordered;
    values[HEADING_MAX] = s->astray;
    values[HEIGHT] = s->height0 + mean;
    values[BOB] = s->high - s->low;
    values[BOB_RMS] = sqrt(ff_max(spread, 0.0));
    values[ROLL] = s->roll[1] - s->roll[0];
    values[PITCH] = s->pitch[1] - s->pitch[0];
    values[TILT] = s->tilt;
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
    for (int i = 0; i < ROBOT_METRICS; i++) // the run never came to this window
        if (i != FALLS && i != FALL_TIME) values[i] = NAN;
}

static void put(ff_scene *scene, const double *values, int count, int *name)
{
    for (int k = 0; k < count; k++)
        scene->metrics[scene->nmetric++] = (ff_metric){scene->walk->names[(*name)++], values[k]};
}

void ff_scene_put_walk(ff_scene *scene)
{
    const ff_scene_walk *walk = scene->walk;
    double values[ROBOT_METRICS + LEG_METRICS];
    int name = 0;
    if (!walk || !walk->running) return;
    for (int w = 0; w < walk->nwindow; w++)
        for (int i = 0; i < walk->nrobot; i++) {
            const ff_walker *robot = &walk->robots[i];
            const ff_walk_sum *sum = &robot->sums[w];
            fill_robot(robot, sum, values);
            put(scene, values, ROBOT_METRICS, &name);
            for (int leg = 0; leg < robot->nleg; leg++) {
                fill_leg(sum, &sum->legs[leg], values);
                put(scene, values, LEG_METRICS, &name);
            }
        }
}
