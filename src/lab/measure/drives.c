// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of drives and batteries, computed on request: drives.NAME.current.max and others, and with the name of a
// battery NAME.voltage.min and others. Peaks are updated after every step.
#include "measure/measure.h"

#include <math.h>
#include <string.h>

typedef struct peaks {
    double current, speed; // largest magnitudes of current and motor speed  [A], [rad/s]
    double force, when;    // largest force, and its time  [N, N m], [s]
    double spring;         // energy in its springs after the last step, below 0: before the first one  [J]
    double most;           // largest value of it  [J]
    double stored;         // sum of all its increases  [J]
    double returned;       // sum of all its decreases  [J]
} peaks;

typedef struct extremes {
    double voltage; // least  [V]
    double current; // largest  [A]
    double charge;  // at the start, of the capacity
} extremes;

typedef struct drives {
    const ff_drive_set *set;
    ff_sim *sim;
    peaks *peaks;       // of each drive; NULL: no metric of drives is requested
    extremes *extremes; // of each battery; NULL: no metric of batteries is requested
} drives;

/// Name, unit and meaning of each metric.
#define METRIC_LIST(X)                                                                                                 \
    X(CURRENT, "drives.NAME.current.max", "A", "largest current of a drive, in size")                                  \
    X(SPEED, "drives.NAME.speed.max", "rad/s", "largest speed of its motor, in size")                                  \
    X(FORCE_MAX, "drives.NAME.force.max", "N, N m", "largest force or torque it gave")                                 \
    X(FORCE_TIME, "drives.NAME.force.max.time", "s", "when that was")                                                  \
    X(FORCE_FINAL, "drives.NAME.force.final", "N, N m", "force or torque at the end")                                  \
    X(ENERGY, "drives.NAME.energy", "J", "taken from the supply")                                                      \
    X(COPPER, "drives.NAME.copper", "J", "lost in its winding")                                                        \
    X(TEMPERATURE, "drives.NAME.temperature", "C", "of its winding at the end")                                        \
    X(IMPACTS, "drives.NAME.impacts", "", "impacts of its backlash")                                                   \
    X(MOST, "drives.NAME.spring.max", "J", "largest energy in its spring or cables")                                   \
    X(STORED, "drives.NAME.spring.stored", "J", "what they took up in all")                                            \
    X(RETURNED, "drives.NAME.spring.returned", "J", "what they gave back in all")                                      \
    X(VOLTAGE_MIN, "battery.voltage.min", "V", "least voltage at the terminals of a modelled battery")                 \
    X(VOLTAGE_FINAL, "battery.voltage.final", "V", "voltage at the end")                                               \
    X(CURRENT_MAX, "battery.current.max", "A", "greatest current")                                                     \
    X(CHARGE_USED, "battery.charge.used", "C", "charge taken from it in all")                                          \
    X(CHARGE_FINAL, "battery.charge.final", "", "what is left, of its capacity")                                       \
    X(GIVEN, "battery.given", "J", "energy given at its terminals in all")                                             \
    X(LOST, "battery.lost", "J", "and lost in its resistance")                                                         \
    X(OWED, "battery.owed", "J", "energy that was taken beyond what it could give, and is not given yet")

enum { METRIC_LIST(FF_METRIC_NUMBER) METRICS, BATTERY = VOLTAGE_MIN }; // the first metric of batteries
static const ff_metric_help help[] = {METRIC_LIST(FF_METRIC_ROW){0}};
// Begin and end of the name of a drive or battery in the rows of the help.
enum { LEAD = sizeof "drives." - 1, DRIVE_END = sizeof "drives.NAME" - 1, BATTERY_END = sizeof "battery" - 1 };

// ------------------------------------------------------------------------------------------ names

static const ff_drive_set *set_of(const ff_measure_site *site)
{
    return site->plant ? site->plant->drives : NULL;
}

/// The text after the name of a drive or battery in the name of a metric.
static const char *end_of(int metric)
{
    return help[metric].name + (metric < BATTERY ? DRIVE_END : BATTERY_END);
}

static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_drive_set *set = set_of(site);
    for (int i = 0; set && i < set->n; i++)
        for (int k = 0; k < BATTERY; k++) ff_measure_add_name(out, "drives.%s%s", set->drives[i].name, end_of(k));
    for (int i = 0; set && i < set->nbattery; i++)
        for (int k = BATTERY; k < METRICS; k++) ff_measure_add_name(out, "%s%s", set->batteries[i].name, end_of(k));
}

/// Index, from `first` to before `end`, of the metric `name` of the drive or battery `thing`; -1: none. The whole name
/// must fit, since names of drives may contain dots.
static int find_metric(const char *name, const char *thing, int first, int end)
{
    const size_t length = strlen(thing);
    for (int k = first; k < end && strncmp(name, thing, length) == 0; k++)
        if (strcmp(name + length, end_of(k)) == 0) return k;
    return -1;
}

/// Index of the metric of a name, and the number of its drive or battery; -1: none.
static int split(const ff_drive_set *set, const char *name, int *number)
{
    const bool of_drive = strncmp(name, "drives.", LEAD) == 0;
    int metric = -1;
    for (int i = 0; set && of_drive && metric < 0 && i < set->n; i++)
        metric = find_metric(name + LEAD, set->drives[ *number = i].name, 0, BATTERY);
    for (int i = 0; set && metric < 0 && i < set->nbattery; i++)
        metric = find_metric(name, set->batteries[ *number = i].name, BATTERY, METRICS);
    return metric;
}

static bool knows_drive(const ff_measure_site *site, const char *name)
{
    int number, metric = split(set_of(site), name, &number);
    return metric >= 0 && metric < BATTERY;
}

static bool knows_battery(const ff_measure_site *site, const char *name)
{
    int number;
    return split(set_of(site), name, &number) >= BATTERY;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    return knows_drive(site, name) || knows_battery(site, name);
}

// ------------------------------------------------------------------------------------------ after each step

static void follow_spring(peaks *p, double energy)
{
    const double change = p->spring < 0.0 ? 0.0 : energy - p->spring;
    p->most = ff_max(p->most, energy);
    p->stored += ff_max(0.0, change);
    p->returned += ff_max(0.0, -change);
    p->spring = energy;
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    const drives *s = context;
    for (int i = 0; s->peaks && i < s->set->n; i++) {
        const ff_drive_flow flow = ff_sim_drive_flow(sim, (ff_drive_id){i});
        peaks *p = &s->peaks[i];
        p->current = ff_max(p->current, fabs(flow.current));
        p->speed = ff_max(p->speed, fabs(flow.motor_speed));
        follow_spring(p, flow.spring);
        if (flow.force <= p->force) continue;
        p->force = flow.force;
        p->when = t;
    }
    for (int i = 0; s->extremes && i < s->set->nbattery; i++) {
        const ff_battery_state *now = ff_sim_battery(sim, i);
        s->extremes[i].voltage = ff_min(s->extremes[i].voltage, now->voltage);
        s->extremes[i].current = ff_max(s->extremes[i].current, now->current);
    }
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const ff_drive_set *set = set_of(site);
    const bool needs_peaks = ff_measure_is_requested(site, knows_drive);
    const bool needs_extremes = ff_measure_is_requested(site, knows_battery);
    if (!needs_peaks && !needs_extremes) return FF_OK;
    drives *s = *context = FF_ARENA_NEW(site->arena, drives, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *s = (drives){.set = set, .sim = site->sim};
    if (needs_peaks) s->peaks = FF_ARENA_NEW(site->arena, peaks, set->n);
    if (needs_extremes) s->extremes = FF_ARENA_NEW(site->arena, extremes, set->nbattery);
    if (site->arena->failed) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; s->peaks && i < set->n; i++) s->peaks[i] = (peaks){.force = -INFINITY, .spring = -1.0};
    for (int i = 0; s->extremes && i < set->nbattery; i++)
        s->extremes[i] = (extremes){INFINITY, -INFINITY, set->batteries[i].charge};
    const ff_listener listener = {.context = s, .step = watch};
    return ff_sim_add_listener(site->sim, &listener, err);
}

// ------------------------------------------------------------------------------------------ values

static double value_of_drive(const drives *s, int drive, int metric)
{
    const peaks *p = &s->peaks[drive];
    const ff_drive_memory *m = ff_sim_drive_memory(s->sim, (ff_drive_id){drive});
    const double values[BATTERY] = {[CURRENT] = p->current,
                                    [SPEED] = p->speed,
                                    [FORCE_MAX] = p->force,
                                    [FORCE_TIME] = p->when,
                                    [FORCE_FINAL] = ff_sim_drive_flow(s->sim, (ff_drive_id){drive}).force,
                                    [ENERGY] = m->electrical,
                                    [COPPER] = m->copper,
                                    [TEMPERATURE] = m->temperature,
                                    [IMPACTS] = m->impacts,
                                    [MOST] = p->most,
                                    [STORED] = p->stored,
                                    [RETURNED] = p->returned};
    return values[metric];
}

static double value_of_battery(const drives *s, int battery, int metric)
{
    const ff_battery_state *now = ff_sim_battery(s->sim, battery);
    const extremes *e = &s->extremes[battery];
    const double values[METRICS] = {
        [VOLTAGE_MIN] = e->voltage,   [VOLTAGE_FINAL] = now->voltage,
        [CURRENT_MAX] = e->current,   [CHARGE_USED] = (e->charge - now->charge) * s->set->batteries[battery].capacity,
        [CHARGE_FINAL] = now->charge, [GIVEN] = now->given,
        [LOST] = now->lost,           [OWED] = now->owed};
    return values[metric];
}

static bool value(const void *context, const char *name, double *out)
{
    const drives *s = context;
    int number;
    const int metric = split(s->set, name, &number);
    const bool of_drive = metric < BATTERY;
    if (metric < 0 || !(of_drive ? (const void *)s->peaks : s->extremes)) return false;
    *out = of_drive ? value_of_drive(s, number, metric) : value_of_battery(s, number, metric);
    return true;
}

const ff_measure_kind ff_measure_drives = {
    .name = "drives", .help = help, .offers = offers, .knows = knows, .begin = begin, .value = value};
