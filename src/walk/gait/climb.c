// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Carries out the plan of a climb, which is made for the settings or for the ledge that a scan of the head has
// measured: cubic curves through its instants, inverse kinematics of the legs in closed form, references of drives.
#include "base/missing.h"
#include "gait/climb_plan.h"
#include "gait/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 11, TIMED = 40 }; // signals; instants of a plan that get their times in one slice
static const double FAR = 10.0;    // a ledge that was not measured yet  [m]

static const double SHORTEST = 0.02; // least time between two instants of a plan  [s]
static const double ARM = 0.3;       // lever by which a turn of the body counts as a distance  [m]
static const double REST = 0.25;     // time in which other feet take the load of a row before it lifts  [s]

/// All that changes.
typedef struct memory {
    double t; // of the last cycle  [s]
    int64_t cycles;
    double q[FF_CLIMB_JOINTS]; // last references  [rad]
    double signals[SIGNALS];
    ff_look_memory scan;
    int32_t scan_over, nothing_seen; // after the scan: it found nothing to climb
    int64_t slices;                  // of planning, one a cycle
    int32_t ready;                   // the plan is complete, or there is none
    double began;                    // start of the plan, moved on while the robot is stopped by a command  [s]
    int32_t stopped;                 // by a command
    ff_look_ledge seen;
} memory;

struct ff_climb {
    ff_climb_robot robot;
    ff_climb_plan plan;
    ff_climb_options settings; // as given, before the scan changes distance and height
    char pose[64];             // name of the pose in the settings
    ff_look look;
    // planning for what was seen
    ff_look_ledge planned;                 // the ledge that the plan is for
    struct ff_climb *seen_climb;           // the climb onto that ledge, with its plan; NULL: there is no plan
    ff_climb_search *search;               // for the plan, until the search is over
    int64_t slices;                        // of planning so far
    bool planning_over;                    // the plan is complete, or there is none
    ff_error refusal;                      // why there is no plan
    int timed;                             // instants of the plan that have their times
    double before[FF_CLIMB_JOINTS];        // angles at the last instant that has a time  [rad]
    ff_joint_items drive[FF_CLIMB_JOINTS]; // items of the reference frame
    ff_io_name names[SIGNALS];
    memory memory;
};

// ------------------------------------------------------------------------------------------ time

/// Sets the times of instants `first` to `end` - 1 of the plan, by the greatest speeds of feet, body and joints. From
/// or to a stop a cubic curve takes longer, as its speed is zero there.
static void set_times(ff_climb *c, int first, int end)
{
    const ff_climb_options *o = &c->robot.options;
    const ff_model *m = c->robot.model;
    double *before = c->before;
    for (int i = first; i < end && i < c->plan.count; i++) {
        ff_climb_instant *instant = &c->plan.instants[i], *last = i ? instant - 1 : instant;
        ff_climb_coordinates(c, instant, c->robot.d);
        const double x = instant->body.x - last->body.x, z = instant->body.z - last->body.z;
        const double turned = ARM * fabs(instant->body.pitch - last->body.pitch);
        double time = ff_max(SHORTEST, ff_max(sqrt(x * x + z * z), turned) / o->body_speed);
        for (int row = 0; row < c->robot.rows; row++) {
            const double dx = instant->foot[row][0] - last->foot[row][0],
                         dz = instant->foot[row][1] - last->foot[row][1];
            time = ff_max(time, sqrt(dx * dx + dz * dz) / o->foot_speed);
        }
        for (int j = 0; j < c->robot.njoint; j++) {
            const double q = c->robot.d->q[m->joints[c->robot.joints[j]].qadr];
            if (i) time = ff_max(time, fabs(q - before[j]) / o->joint_speed);
            before[j] = q;
        }
        if (last->stop || instant->stop) time *= 1.5;
        if (last->stop && instant->stop) time = ff_max(time, REST);
        instant->t = i ? last->t + time : 0.0;
    }
}

// ------------------------------------------------------------------------------------------ curves

enum { PER_BODY = 3 + FF_CLIMB_PITCHES, NUMBERS = PER_BODY + 2 * FF_CLIMB_ROWS };

static void numbers_of(const ff_climb_instant *instant, double *out)
{
    out[0] = instant->body.x, out[1] = instant->body.z, out[2] = instant->body.pitch;
    memcpy(out + 3, instant->body.bend, sizeof instant->body.bend);
    memcpy(out + PER_BODY, instant->foot, sizeof instant->foot);
}

/// Rates of the numbers at instant i, by its neighbours; zero at a stop.
static void slopes_of(const ff_climb *c, int i, double *out)
{
    const ff_climb_instant *instants = c->plan.instants;
    double after[NUMBERS], before[NUMBERS];
    memset(out, 0, NUMBERS * sizeof *out);
    if (instants[i].stop || i == 0 || i == c->plan.count - 1) return;
    numbers_of(&instants[i - 1], before);
    numbers_of(&instants[i + 1], after);
    for (int k = 0; k < NUMBERS; k++) out[k] = (after[k] - before[k]) / (instants[i + 1].t - instants[i - 1].t);
}

static int instant_before(const ff_climb *c, double t)
{
    int low = 0, high = c->plan.count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (c->plan.instants[middle].t <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ff_climb_at(const ff_climb *climb, double t, ff_climb_instant *out)
{
    const ff_climb_instant *instants = climb->plan.instants;
    const int last = climb->plan.count - 1;
    if (!(t > instants[0].t) || last < 1 || t >= instants[last].t) {
        *out = t >= instants[last].t ? instants[last] : instants[0];
        out->t = t;
        return;
    }
    const int i = instant_before(climb, t);
    const ff_climb_instant *a = &instants[i], *b = &instants[i + 1];
    const double T = b->t - a->t, u = (t - a->t) / T, v = 1.0 - u;
    double from[NUMBERS], to[NUMBERS], leave[NUMBERS], arrive[NUMBERS], now[NUMBERS];
    numbers_of(a, from);
    numbers_of(b, to);
    slopes_of(climb, i, leave);
    slopes_of(climb, i + 1, arrive);
    for (int k = 0; k < NUMBERS; k++)
        now[k] = v * v * (1.0 + 2.0 * u) * from[k] + u * u * (3.0 - 2.0 * u) * to[k] +
                 T * u * v * (v * leave[k] - u * arrive[k]);
    *out = *b;
    out->t = t;
    out->margin = a->margin;
    out->load = a->load;
    out->body.x = now[0], out->body.z = now[1], out->body.pitch = now[2];
    memcpy(out->body.bend, now + 3, sizeof out->body.bend);
    memcpy(out->foot, now + PER_BODY, sizeof out->foot);
    for (int j = 0; j < climb->robot.njoint; j++) out->torque[j] = a->torque[j] + u * (b->torque[j] - a->torque[j]);
}

double ff_climb_coordinates(const ff_climb *climb, const ff_climb_instant *instant, ff_data *d)
{
    return ff_climb_pose(&climb->robot, &instant->body, (const double(*)[2])instant->foot, d, NULL);
}

// ------------------------------------------------------------------------------------------ making

static void list_signals(const ff_climb *c, const ff_climb_instant *now, double progress, ff_gait_signals *s)
{
    ff_gait_signal(s, "step", "1", now->step);
    ff_gait_signal(s, "swing", "1", now->swing + 1);
    ff_gait_signal(s, "progress", "1", progress);
    ff_gait_signal(s, "margin", "m", now->margin);
    ff_gait_signal(s, "load", "1", now->load);
    ff_gait_signal(s, "body.x", "m", now->body.x);
    ff_gait_signal(s, "body.z", "m", now->body.z);
    ff_gait_signal(s, "body.pitch", "rad", now->body.pitch);
    ff_gait_signal(s, "seen.distance", "m", c->memory.seen.distance);
    ff_gait_signal(s, "seen.height", "m", c->memory.seen.height);
    ff_gait_signal(s, "work", "1", (double)c->memory.slices);
}

static ff_status search_plan(ff_climb *c, ff_error *err)
{
    ff_climb_search *search = ff_climb_search_begin(&c->robot, &c->plan, err);
    if (!search) return err ? err->status : FF_NOT_FOUND;
    bool stopped = false;
    while (!stopped && ff_climb_search_slice(search)) stopped = ff_stop_asked();
    const ff_status status = stopped ? ff_error_set(err, FF_STOPPED, "the search for a climb was stopped")
                                     : ff_climb_search_result(search, err);
    ff_climb_search_end(search);
    if (status == FF_OK) set_times(c, 0, c->plan.count);
    return status;
}

typedef struct ready_plan {
    const ff_climb_instant *instants;
    int count;
} ready_plan;

static const ready_plan NO_PLAN; // create_climb leaves the plan empty

static ff_status copy_plan(ff_climb *c, const ready_plan *ready, ff_error *err)
{
    if (ready->count < 1)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a plan of %d instants: it needs one at least", ready->count);
    const size_t size = (size_t)ready->count * sizeof *ready->instants;
    c->plan.instants = malloc(size);
    if (!c->plan.instants) return ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
    memcpy(c->plan.instants, ready->instants, size);
    c->plan.count = c->plan.capacity = ready->count;
    return FF_OK;
}

/// Creates a climb with the plan `ready`; NULL: with one that it searches for.
static ff_climb *create_climb(const ff_model *model, const ff_climb_options *options, const ready_plan *ready,
                              ff_error *err)
{
    ff_climb_options o = options ? *options : ff_climb_options_default();
    const ff_climb_options settings = o;
    if (!model) return ff_error_missing(err, "ff_climb_create", "model"), NULL;
    if (o.look) o.distance = FAR, o.height = 0.0;
    ff_climb *c = calloc(1, sizeof *c);
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for a climb"), NULL;
    ff_status status = ff_climb_robot_make(model, &o, &c->robot, err);
    c->settings = settings;
    snprintf(c->pose, sizeof c->pose, "%s", settings.pose ? settings.pose : "stand");
    c->settings.pose = c->pose;
    if (status == FF_OK && o.look)
        status = ff_climb_stand(&c->robot, &c->plan, err);
    else if (status == FF_OK)
        status = !ready ? search_plan(c, err) : ready == &NO_PLAN ? FF_OK : copy_plan(c, ready, err);
    if (status != FF_OK) return ff_climb_destroy(c), NULL;
    list_signals(c, &(ff_climb_instant){0}, 0.0, &(ff_gait_signals){.names = c->names, .most = SIGNALS});
    for (int j = 0; j < FF_CLIMB_JOINTS; j++) c->drive[j] = (ff_joint_items){-1, -1, -1};
    return c;
}

ff_climb *ff_climb_create(const ff_model *model, const ff_climb_options *options, ff_error *err)
{
    return create_climb(model, options, NULL, err);
}

ff_climb *ff_climb_create_planned(const ff_model *model, const ff_climb_options *options,
                                  const ff_climb_instant *instants, int count, ff_error *err)
{
    return create_climb(model, options, &(ready_plan){instants, instants ? count : 0}, err);
}

void ff_climb_destroy(ff_climb *climb)
{
    if (!climb) return;
    ff_climb_search_end(climb->search);
    ff_climb_destroy(climb->seen_climb);
    ff_climb_robot_clear(&climb->robot);
    free(climb->plan.instants);
    free(climb);
}

const ff_climb_instant *ff_climb_instants(const ff_climb *climb, int *count)
{
    *count = climb->plan.count;
    return climb->plan.instants;
}

const int *ff_climb_legs(const ff_climb *climb, int *rows)
{
    *rows = climb->robot.rows;
    return climb->robot.legs;
}

const int *ff_climb_joints(const ff_climb *climb, int *count)
{
    *count = climb->robot.njoint;
    return climb->robot.joints;
}

// ------------------------------------------------------------------------------------------ frames

ff_status ff_climb_bind(ff_climb *climb, const ff_io_layout *sensors, const ff_io_layout *references, ff_error *err)
{
    const ff_model *m = climb->robot.model;
    ff_status status = climb->settings.look ? ff_look_bind(&climb->look, m, sensors, err) : FF_OK;
    for (int j = 0; j < climb->robot.njoint && status == FF_OK; j++)
        status = ff_gait_bind_joint(m, climb->robot.joints[j], references, &climb->drive[j], err);
    return status;
}

// ------------------------------------------------------------------------------------------ looking

/// Begins a search for the measured ledge, in place of any other.
static void begin_planning(ff_climb *c, const ff_look_ledge *seen)
{
    ff_climb_options o = c->settings;
    o.look = false;
    o.distance = seen->distance;
    o.height = seen->height;
    ff_climb_search_end(c->search);
    ff_climb_destroy(c->seen_climb);
    c->planned = *seen;
    c->slices = 0;
    c->refusal = (ff_error){0};
    c->seen_climb = create_climb(c->robot.model, &o, &NO_PLAN, &c->refusal);
    c->search = c->seen_climb ? ff_climb_search_begin(&c->seen_climb->robot, &c->seen_climb->plan, &c->refusal) : NULL;
    c->planning_over = !c->search;
}

/// One slice of planning: a pose of the search, or after the search the times of some instants.
static void plan_slice(ff_climb *c)
{
    c->slices++;
    if (c->search) {
        if (ff_climb_search_slice(c->search)) return;
        c->planning_over = ff_climb_search_result(c->search, &c->refusal) != FF_OK;
        ff_climb_search_end(c->search);
        c->search = NULL;
        c->timed = 0;
    } else {
        set_times(c->seen_climb, c->timed, c->timed + TIMED);
        c->timed += TIMED;
        c->planning_over = c->timed >= c->seen_climb->plan.count;
        return;
    }
    if (!c->planning_over) return;
    // there is no plan
    ff_climb_destroy(c->seen_climb);
    c->seen_climb = NULL;
}

/// Plans for the measured ledge while the robot stands, one slice in each cycle, so that no cycle takes too long. Only
/// after the memory was restored to a later moment are several slices made at once.
static void plan_in_slices(ff_climb *c, double t)
{
    memory *m = &c->memory;
    const bool other = m->seen.distance != c->planned.distance || m->seen.height != c->planned.height;
    if (m->ready && !other && c->planning_over) return;
    if (other) begin_planning(c, &m->seen);
    if (!m->ready) m->slices++;
    while (!c->planning_over && (m->ready || c->slices < m->slices)) plan_slice(c);
    if (m->ready || !c->planning_over || m->slices < c->slices) return;
    m->ready = 1;
    m->began = t;
}

/// Nods and stores rays until the scan is over. @return angle of the nodding joint  [rad]
static double scan_ahead(ff_climb *c, double t, const ff_io_frame *sensors)
{
    memory *m = &c->memory;
    const ff_model *model = c->robot.model;
    ff_data *d = c->robot.d;
    double angle;
    const double usual = c->robot.stand[model->joints[c->look.joint].qadr];
    memcpy(d->q, c->robot.stand, (size_t)model->nq * sizeof *d->q);
    double *root = d->q + model->joints[c->robot.base].qadr;
    root[0] = root[1] = 0.0;
    root[2] = c->robot.start.z;
    ff_look_take(&c->look, sensors, d, &m->scan);
    if (ff_look_nod(&c->look, t, usual, &angle)) return angle;
    m->scan_over = 1;
    m->began = t;
    m->nothing_seen = ff_look_find_ledge(&m->scan, &m->seen, &c->refusal) != FF_OK;
    return angle;
}

ff_status ff_climb_check(const ff_climb *climb, ff_error *err)
{
    if (!climb->memory.scan_over || climb->refusal.status == FF_OK) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "%s", climb->refusal.text);
}

/// The climb that is carried out: onto the measured ledge once its plan is complete, else `c` itself. With `look` the
/// plan of `c` is the stance alone.
static const ff_climb *active_climb(const ff_climb *c)
{
    return c->memory.ready && c->planning_over && c->seen_climb ? c->seen_climb : c;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_climb *c = context;
    memory *m = &c->memory;
    const double dt = m->cycles > 0 ? t - m->t : 0.0;
    const bool looks = c->settings.look && !m->scan_over;
    const double nod = looks ? scan_ahead(c, t, sensors) : 0.0;
    if (m->scan_over && !m->nothing_seen) plan_in_slices(c, t);
    if (m->stopped) m->began += dt;
    const ff_climb_plan *plan = &active_climb(c)->plan;
    const double since = c->settings.look && !m->ready ? 0.0 : t - m->began, end = plan->instants[plan->count - 1].t;
    ff_io_item *items = ff_io_items(references);
    const int64_t stamp = ff_gait_stamp(t);
    ff_climb_instant now;
    ff_climb_at(active_climb(c), since, &now);
    ff_climb_coordinates(active_climb(c), &now, c->robot.d);
    if (looks) c->robot.d->q[c->robot.model->joints[c->look.joint].qadr] = nod;
    for (int j = 0; j < c->robot.njoint; j++) {
        const double q = c->robot.d->q[c->robot.model->joints[c->robot.joints[j]].qadr];
        const double speed = dt > 0.0 ? (q - m->q[j]) / dt : 0.0;
        ff_gait_put_drive(items, &c->drive[j], q, speed, now.torque[j], stamp);
        m->q[j] = q;
    }
    const double progress = end > 0.0 ? ff_min(1.0, ff_max(0.0, since) / end) : c->settings.look ? 0.0 : 1.0;
    list_signals(c, &now, progress, &(ff_gait_signals){.values = m->signals});
    m->t = t;
    m->cycles++;
}

void ff_climb_set_walking(ff_climb *climb, bool walking)
{
    climb->memory.stopped = !walking;
}

bool ff_climb_is_walking(const ff_climb *climb)
{
    return !climb->memory.stopped;
}

ff_controller ff_climb_controller(ff_climb *climb)
{
    return (ff_controller){.context = climb,
                           .cycle = cycle,
                           .memory = &climb->memory,
                           .memory_size = sizeof climb->memory,
                           .signals = climb->names,
                           .values = climb->memory.signals,
                           .nsignal = SIGNALS};
}
