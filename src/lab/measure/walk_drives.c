// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The drives of walking robots: energy from the supply, and tracking errors of the joints.
#include "measure/walk.h"

#include <math.h>

static bool belongs(const ff_walk *walk, const ff_walker *robot, int joint)
{
    const int dof = walk->site->model->joints[joint].vadr;
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static bool list_drives(const ff_walk *walk, ff_arena *arena, ff_walker *robot)
{
    const ff_plant *plant = walk->site->plant;
    const int n = plant && plant->drives ? plant->drives->n : 0;
    robot->drives = FF_ARENA_NEW(arena, int, n + 1);
    robot->drawn = FF_ARENA_NEW(arena, double, n + 1);
    robot->ndrive = 0;
    for (int i = 0; robot->drives && i < n; i++)
        if (belongs(walk, robot, plant->drives->drives[i].path.joint[0])) robot->drives[robot->ndrive++] = i;
    return robot->drives && robot->drawn;
}

/// The drive that controls the position of a joint, -1: none.
static int position_drive(const ff_walk *walk, const ff_walker *robot, int joint)
{
    const ff_measure_site *site = walk->site;
    for (int i = 0; i < robot->ndrive; i++) {
        const ff_drive *d = &site->plant->drives->drives[robot->drives[i]];
        const bool controls = d->motor == FF_MOTOR_SERVO || d->loop == FF_LOOP_PD || d->loop == FF_LOOP_CASCADE ||
                              d->loop == FF_LOOP_COMPLIANT ||
                              (site->is_led && site->is_led(site->context, d->path.vadr[0]));
        if (d->path.kind == FF_PATH_JOINT && d->path.joint[0] == joint && controls) return robot->drives[i];
    }
    return -1;
}

static bool list_tracks(const ff_walk *walk, ff_arena *arena, ff_walker *robot)
{
    const ff_measure_site *site = walk->site;
    robot->ntrack = 0;
    robot->tracks = FF_ARENA_NEW(arena, ff_walk_track, FF_LEG_JOINTS * robot->nleg);
    for (int i = 0; robot->tracks && i < robot->nleg; i++) {
        const ff_leg *leg = &site->model->legs[robot->legs[i].leg];
        for (int k = 0; k < leg->njoint; k++) {
            const int drive = position_drive(walk, robot, leg->joints[k]);
            double target;
            const bool law = site->target && site->target(site->context, leg->joints[k], 0.0, &target);
            if (drive >= 0 || law)
                robot->tracks[robot->ntrack++] =
                    (ff_walk_track){drive, leg->joints[k], site->model->joints[leg->joints[k]].qadr};
        }
    }
    return robot->tracks;
}

bool ff_walk_list_drives(const ff_walk *walk, ff_arena *arena, ff_walker *robot)
{
    return list_drives(walk, arena, robot) && list_tracks(walk, arena, robot);
}

// ------------------------------------------------------------------------------------------ measuring

/// Memory of all drives, NULL where there are none.
static const ff_drive_memory *memory_of(const ff_walk *walk)
{
    const ff_sim *sim = walk->site->sim;
    const ff_drive_set *drives = ff_sim_drives(sim);
    return drives && drives->n > 0 ? ff_sim_drive_memory(sim, (ff_drive_id){0}) : NULL;
}

/// Energy that the drives have taken since the last step. A motor without an electrical model takes its positive work,
/// and returns nothing for negative work.  [J]
static double take_energy(const ff_walk *walk, ff_walker *robot)
{
    const ff_drive_memory *memory = memory_of(walk);
    double sum = 0.0;
    for (int i = 0; i < robot->ndrive; i++) {
        const int drive = robot->drives[i];
        const ff_drive_motor motor = walk->site->plant->drives->drives[drive].motor;
        const double drawn = memory[drive].electrical, more = drawn - robot->drawn[i];
        const bool electrical = motor != FF_MOTOR_IDEAL && motor != FF_MOTOR_SERVO;
        if (electrical || more > 0.0) sum += more;
        robot->drawn[i] = drawn;
    }
    return sum;
}

void ff_walk_add_energy(const ff_walk *walk, ff_walker *robot, double t, double span)
{
    const double energy = take_energy(walk, robot);
    for (int w = 0; w < walk->nwindow && span > 0.0; w++)
        robot->sums[w].energy += energy * ff_window_overlap(&walk->windows[w], t, span) / span;
}

/// Position reference of a joint.
/// @param memory  of the drives
static double target_of(const ff_walk *walk, const ff_walk_track *track, const ff_drive_memory *memory, double t)
{
    double target = NAN;
    if (track->drive >= 0) return memory[track->drive].reference[0];
    walk->site->target(walk->site->context, track->joint, t, &target);
    return target;
}

void ff_walk_watch_tracking(const ff_walk *walk, ff_walker *robot, double t)
{
    const ff_drive_memory *memory = memory_of(walk);
    const double *q = ff_sim_q(walk->site->sim);
    double most = 0.0;
    for (int i = 0; i < robot->ntrack; i++)
        most = ff_max(most, fabs(target_of(walk, &robot->tracks[i], memory, t) - q[robot->tracks[i].qadr]));
    for (int w = 0; w < walk->nwindow; w++)
        if (ff_window_holds(&walk->windows[w], t)) robot->sums[w].track_most = ff_max(robot->sums[w].track_most, most);
}

void ff_walk_add_tracking(const ff_walk *walk, ff_walker *robot, double t)
{
    const ff_drive_memory *memory = memory_of(walk);
    const double *q = ff_sim_q(walk->site->sim);
    for (int i = 0; i < robot->ntrack; i++) {
        const double error = target_of(walk, &robot->tracks[i], memory, t) - q[robot->tracks[i].qadr];
        for (int w = 0; w < walk->nwindow; w++) {
            ff_walk_sum *sum = &robot->sums[w];
            if (!ff_window_holds(&walk->windows[w], t)) continue;
            sum->tracked++;
            sum->track_squares += error * error;
        }
    }
}
