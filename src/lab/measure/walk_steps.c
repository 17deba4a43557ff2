// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Footsteps: debounced touch-downs and lift-offs, whole cycles from touch-down to touch-down with their duty factors
// and phases, the number of feet on the ground, and the stability margin on them.
//     duty factor = stance time / cycle time
//     phase = (touch-down - that of the first leg) / cycle time of the first leg
// S.-M. Song, K. J. Waldron, Machines That Walk (1989), chapter 2.
#include "measure/walk.h"

#include <footfall/balance.h>

#include <math.h>
#include <string.h>

void ff_walk_start_steps(const ff_walk *walk, ff_walker *robot)
{
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->down = leg->touching;
        leg->changed = -INFINITY;
        leg->pending = leg->lift = NAN;
        leg->rising = false;
        for (int w = 0; w < walk->nwindow; w++) robot->sums[w].legs[i].began = NAN;
    }
    for (int c = 0; c <= robot->nleg; c++) robot->few[c] = NAN;
}

// ------------------------------------------------------------------------------------------ cycles

static double turn(double phase, double *sine)
{
    const double angle = 2.0 * FF_PI * phase;
    double cosine;
    ff_sincos(&angle, sine, &cosine, 1);
    return cosine;
}

/// Adds the phases of all touch-downs in a cycle of the first leg, which has ended.
static void close_cycle(ff_walker *robot, int window, double begin, double end)
{
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *leg = &robot->legs[i];
        ff_walk_leg_sum *sum = &robot->sums[window].legs[i];
        for (int k = 0; k < leg->nwaiting; k++) {
            if (leg->waiting[k] < begin || leg->waiting[k] >= end) continue;
            double sine, cosine = turn((leg->waiting[k] - begin) / (end - begin), &sine);
            sum->phase_cos += cosine;
            sum->phase_sin += sine;
            sum->phases++;
        }
    }
}

static void drop_waiting(ff_walk_leg *leg, double before)
{
    int kept = 0;
    for (int k = 0; k < leg->nwaiting; k++)
        if (leg->waiting[k] >= before) leg->waiting[kept++] = leg->waiting[k];
    leg->nwaiting = kept;
}

/// Ends the stance before the last lift-off, which was no rebound.
static void end_stance(const ff_walk *walk, ff_walker *robot, int i)
{
    ff_walk_leg *leg = &robot->legs[i];
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_leg_sum *sum = &robot->sums[w].legs[i];
        if (!ff_window_holds(&walk->windows[w], leg->lift) || isnan(sum->began)) continue;
        sum->stances++;
        sum->stance_slip += leg->stance_slid;
        sum->stance_slip_most = ff_max(sum->stance_slip_most, leg->stance_slid);
    }
    leg->rising = false;
}

static void lift_off(ff_walk_leg *leg, double t)
{
    leg->lift = t;
    leg->rising = true;
    leg->stance_slid = leg->slid;
    leg->slid = 0.0;
}

/// Ends the stances of feet that have been in the air for longer than a rebound; the begin of a touch that is not
/// certain yet ends that time.
static void end_stances(const ff_walk *walk, ff_walker *robot, double t)
{
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *leg = &robot->legs[i];
        const double until = isnan(leg->pending) ? t : leg->pending;
        if (leg->rising && until - leg->lift >= walk->rebound) end_stance(walk, robot, i);
    }
}

/// Is a touch-down the end of a rebound? Then the stance continues.
static bool has_rebounded(const ff_walk *walk, ff_walk_leg *leg, double t)
{
    if (!leg->rising || t - leg->lift >= walk->rebound) return false;
    leg->rising = false;
    leg->slid += leg->stance_slid;
    return true;
}

static void touch_down(const ff_walk *walk, ff_walker *robot, int i, double t)
{
    ff_walk_leg *leg = &robot->legs[i];
    if (has_rebounded(walk, leg, t)) return;
    if (leg->rising) end_stance(walk, robot, i);
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_leg_sum *sum = &robot->sums[w].legs[i];
        if (!ff_window_holds(&walk->windows[w], t)) continue;
        sum->steps++;
        if (!isnan(sum->began)) {
            sum->cycles++;
            sum->cycle_time += t - sum->began;
            sum->stance_time += leg->lift - sum->began;
            if (i == 0) close_cycle(robot, w, sum->began, t);
        }
        sum->began = t;
    }
    if (i == 0)
        for (int k = 0; k < robot->nleg; k++) drop_waiting(&robot->legs[k], t);
    if (leg->nwaiting == FF_WALK_TOUCHES) // the first leg has not lifted for long: drop the oldest
        memmove(leg->waiting, leg->waiting + 1, (size_t)--leg->nwaiting * sizeof *leg->waiting);
    leg->waiting[leg->nwaiting++] = t;
}

/// The leg with the earliest change that is certain at time t; -1: none. Changes must be handled in the order of time.
static int next_change(const ff_walk *walk, const ff_walker *robot, double t)
{
    int found = -1;
    for (int i = 0; i < robot->nleg; i++) {
        const double began = robot->legs[i].pending;
        if (!(t - began >= walk->debounce)) continue; // also NaN
        if (found < 0 || began < robot->legs[found].pending) found = i;
    }
    return found;
}

void ff_walk_step(const ff_walk *walk, ff_walker *robot, double t)
{
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        if (leg->touching == leg->down)
            leg->pending = NAN;
        else if (isnan(leg->pending))
            leg->pending = t;
    }
    for (int i; (i = next_change(walk, robot, t)) >= 0;) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->down = !leg->down;
        leg->changed = leg->pending;
        leg->pending = NAN;
        ff_walk_note(walk, leg->down ? FF_MEASURE_TOUCH_DOWN : FF_MEASURE_LIFT_OFF, leg->leg, leg->changed);
        if (leg->down)
            touch_down(walk, robot, i, leg->changed);
        else
            lift_off(leg, leg->changed);
    }
    end_stances(walk, robot, t);
}

// ------------------------------------------------------------------------------------------ support

static double (*points_of(const ff_walker *robot, int entry, int leg))[2]
{
    return robot->queue.points + ((size_t)entry * (size_t)robot->nleg + (size_t)leg) * (size_t)robot->most_points;
}

void ff_walk_queue_put(ff_walker *robot, double t, double span, const double com[2])
{
    ff_walk_queue *q = &robot->queue;
    if (q->count == q->size)
        return; // never happens: samples are at least a period apart, and the queue has room for those of a debounce
    const int entry = (q->first + q->count++) % q->size;
    q->time[entry] = t;
    q->span[entry] = span;
    memcpy(q->com[entry], com, sizeof q->com[entry]);
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *leg = &robot->legs[i];
        q->npoint[entry * robot->nleg + i] = leg->npoint;
        memcpy(points_of(robot, entry, i), leg->points, (size_t)leg->npoint * sizeof *leg->points);
    }
}

/// Was the foot on the ground at a time, since which it has changed at most once?
static bool was_down(const ff_walk_leg *leg, double t)
{
    return t >= leg->changed ? leg->down : !leg->down;
}

/// Adds the number of feet on the ground. The least number counts only if it lasts for the debounce, so that changes of
/// several feet within that time count as one.
static void note_support(const ff_walk *walk, ff_walker *robot, int support, double t, double span)
{
    for (int c = 0; c <= robot->nleg; c++)
        if (support > c)
            robot->few[c] = NAN;
        else if (isnan(robot->few[c]))
            robot->few[c] = t;
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_sum *sum = &robot->sums[w];
        const double overlap = ff_window_overlap(&walk->windows[w], t, span);
        sum->support_time += overlap;
        sum->support += overlap * support;
        for (int c = 0; c <= robot->nleg && ff_window_holds(&walk->windows[w], t); c++)
            if (!isnan(robot->few[c]) && c < sum->support_least &&
                t - ff_max(robot->few[c], walk->windows[w].from) >= walk->debounce)
                sum->support_least = c;
    }
}

static void note_margin(const ff_walk *walk, ff_walker *robot, double margin, double t, double span)
{
    if (!isfinite(margin)) return; // no foot is on the ground
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_sum *sum = &robot->sums[w];
        const double overlap = ff_window_overlap(&walk->windows[w], t, span);
        sum->margin_time += overlap;
        sum->margin += overlap * margin;
        if (margin < 0.0) sum->negative += overlap;
        if (ff_window_holds(&walk->windows[w], t)) sum->margin_least = ff_min(sum->margin_least, margin);
    }
}

/// Adds the time in which a leg and its neighbour are both in the air.
static void note_neighbours(const ff_walk *walk, ff_walker *robot, double t, double span)
{
    bool both = false;
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *leg = &robot->legs[i];
        if (leg->neighbour >= 0 && !was_down(leg, t) && !was_down(&robot->legs[leg->neighbour], t)) both = true;
    }
    for (int w = 0; w < walk->nwindow && both; w++)
        robot->sums[w].neighbours += ff_window_overlap(&walk->windows[w], t, span);
}

static void take_entry(const ff_walk *walk, ff_walker *robot, int entry)
{
    const ff_walk_queue *q = &robot->queue;
    double points[FF_SUPPORT_MAX][2];
    int support = 0, n = 0;
    for (int i = 0; i < robot->nleg; i++) {
        if (!was_down(&robot->legs[i], q->time[entry])) continue;
        const int count = q->npoint[entry * robot->nleg + i];
        support++;
        memcpy(points[n], points_of(robot, entry, i), (size_t)count * sizeof *points);
        n += count;
    }
    note_support(walk, robot, support, q->time[entry], q->span[entry]);
    note_neighbours(walk, robot, q->time[entry], q->span[entry]);
    ff_support polygon;
    if (robot->most_points > 0 && ff_support_make(&polygon, (const double(*)[2])points, n))
        note_margin(walk, robot, ff_support_margin(&polygon, q->com[entry]), q->time[entry], q->span[entry]);
}

void ff_walk_queue_take(const ff_walk *walk, ff_walker *robot, double t)
{
    ff_walk_queue *q = &robot->queue;
    for (; q->count > 0 && t - q->time[q->first] >= walk->debounce; q->count--) {
        take_entry(walk, robot, q->first);
        q->first = (q->first + 1) % q->size;
    }
}
