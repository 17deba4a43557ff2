// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measuring robots that walk. After every step: forces and slip of the feet, contact forces on other bodies, energy and
// tracking of the drives, extremes of height, attitude and reach. At most 100 times a second: positions of body, centre
// of mass and feet.
#include "measure/walk.h"

#include <math.h>

#define CARRIES 0.1 // a robot lies if bodies other than its feet carry this share of its weight

// ------------------------------------------------------------------------------------------ falls

static void count_fall(ff_walker *robot)
{
    if (robot->falls++ == 0) robot->fall_time = robot->fall_since;
}

/// A robot has fallen when bodies other than its feet carry it, it lies on its side, or it has collapsed, for longer
/// than the debounce, or when the run ends.
static void watch_fall(const ff_walk *walk, ff_walker *robot, double t)
{
    const bool lies =
        robot->other > CARRIES * robot->weight || robot->tilt > walk->tilt || robot->stature < robot->lowest;
    if (!lies) robot->fall_since = NAN;
    if (lies) robot->up_since = NAN;
    double *since = lies ? &robot->fall_since : &robot->up_since;
    if (isnan(*since)) *since = t;
    if (robot->fallen == lies || t - *since < walk->debounce) return;
    robot->fallen = lies;
    ff_walk_note(walk, lies ? FF_MEASURE_FALL : FF_MEASURE_RISE, robot->robot, *since);
    if (lies) count_fall(robot);
}

/// Reports robots that have fallen since the last call.
static void report_falls(void *context, ff_report *report)
{
    const ff_walk *walk = context;
    for (int i = 0; i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        const char *name = walk->site->nrobot > 1 ? walk->site->robots[robot->robot].name : "The robot";
        if (robot->falls > robot->reported_falls)
            ff_report_add(report, FF_WARNING, (ff_place){0}, "%s has fallen", name);
        robot->reported_falls = robot->falls;
    }
}

// ------------------------------------------------------------------------------------------ samples

static void sample_robot(const ff_walk *walk, ff_walker *robot, double t, double span)
{
    ff_walk_add_forces(walk, robot, t, span);
    if (isnan(robot->sampled)) ff_walk_start_steps(walk, robot);
    ff_walk_step(walk, robot, t);
    ff_walk_watch_tracking(walk, robot, t);
    if (robot->ndrive > 0) ff_walk_add_energy(walk, robot, t, span);
    if (!(t - robot->sampled < FF_WALK_SAMPLE * (1.0 - 1e-9))) ff_walk_sample(walk, robot, t);
    ff_walk_watch_posture(walk, robot, t);
    watch_fall(walk, robot, t);
}

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    ff_walk *walk = context;
    const double span = isnan(walk->last_step) ? 0.0 : t - walk->last_step;
    int count = 0;
    const ff_world_contact *contacts = ff_world_contacts(walk->site->world, sim, &count);
    ff_walk_inspect_feet(walk, contacts, count);
    for (int i = 0; i < walk->nrobot; i++) sample_robot(walk, &walk->robots[i], t, span);
    walk->last_step = t;
    return FF_SIM_GO;
}

static ff_sim_action end(void *context, ff_sim *sim, double t)
{
    const ff_walk *walk = context;
    (void)sim, (void)t;
    for (int i = 0; i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        if (!isnan(walk->last_step) && robot->sampled < walk->last_step) ff_walk_sample(walk, robot, walk->last_step);
        ff_walk_queue_take(walk, robot, INFINITY);
        if (!robot->fallen && !isnan(robot->fall_since)) count_fall(robot); // the run ends before the debounce does
    }
    return FF_SIM_GO;
}

// ------------------------------------------------------------------------------------------ beginning

/// Adds the signals that can be recorded.
static ff_status add_signals(const ff_walk *walk, const ff_walker *robot, ff_error *err)
{
    static const ff_io_name names[FF_WALKER_SIGNALS] = {
        [FF_WALKER_MARGIN] = {"margin", "m"},     [FF_WALKER_SUPPORT] = {"support", "1"},
        [FF_WALKER_HEIGHT] = {"height", "m"},     [FF_WALKER_SPEED] = {"speed", "m/s"},
        [FF_WALKER_HEADING] = {"heading", "rad"}, [FF_WALKER_ROLL] = {"roll", "rad"},
        [FF_WALKER_PITCH] = {"pitch", "rad"}};
    const char *lead = ff_arena_printf(walk->site->arena, "walk.%s", robot->lead);
    if (!lead) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    return ff_sim_add_signals(walk->site->sim, lead, names, robot->signals, FF_WALKER_SIGNALS, err);
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    ff_walk *walk = site->world ? ff_walk_find(site, site->arena) : NULL;
    if (site->arena->failed || (walk && !ff_walk_make(walk, site->arena)))
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_status status = FF_OK;
    for (int i = 0; walk && i < walk->nrobot && status == FF_OK; i++) status = add_signals(walk, &walk->robots[i], err);
    if (!walk || status != FF_OK) return status;
    *context = walk;
    return ff_measure_every_step(site, walk, after_step, err);
}

const ff_measure_kind ff_measure_walk = {.name = "walk",
                                         .help = ff_walk_help,
                                         .names = ff_walk_names,
                                         .begin = begin,
                                         .end = end,
                                         .list = ff_walk_list,
                                         .save = ff_walk_save,
                                         .restore = ff_walk_restore,
                                         .report = report_falls};
