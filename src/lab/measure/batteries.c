// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of batteries, by the names of their channels: battery.voltage.min and the like. Watched after every step, and
// only where somebody asks for them.
#include "measure/kinds.h"

#include <math.h>
#include <string.h>

typedef struct extremes {
    double voltage, current; // least and greatest
    double charge;           // at the start
} extremes;

typedef struct batteries {
    const ff_drive_set *set;
    ff_sim *sim;
    extremes *extremes; // of each battery
} batteries;

enum { VOLTAGE_MIN, VOLTAGE_FINAL, CURRENT_MAX, CHARGE_USED, CHARGE_FINAL, GIVEN, LOST, OWED, METRICS };
static const ff_metric_help help[METRICS + 1] = {
    [VOLTAGE_MIN] = {"battery.voltage.min", "V", "least voltage at the terminals of a modelled battery"},
    [VOLTAGE_FINAL] = {"battery.voltage.final", "V", "voltage at the end"},
    [CURRENT_MAX] = {"battery.current.max", "A", "greatest current"},
    [CHARGE_USED] = {"battery.charge.used", "C", "charge taken from it in all"},
    [CHARGE_FINAL] = {"battery.charge.final", "", "what is left, of its capacity"},
    [GIVEN] = {"battery.given", "J", "energy given at its terminals in all"},
    [LOST] = {"battery.lost", "J", "and lost in its resistance"},
    [OWED] = {"battery.owed", "J", "energy that was taken beyond what it could give, and is not given yet"},
};
enum { LEAD = sizeof "battery" - 1 };

static const ff_drive_set *set_of(const ff_measure_site *site)
{
    return site->plant ? site->plant->drives : NULL;
}

static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_drive_set *set = set_of(site);
    for (int i = 0; set && i < set->nbattery; i++)
        for (int k = 0; k < METRICS; k++) ff_measure_add_name(out, "%s%s", set->batteries[i].name, help[k].name + LEAD);
}

/// Which metric of which battery the name means; -1 for none.
static int split(const ff_drive_set *set, const char *name, int *battery)
{
    for (int i = 0; set && i < set->nbattery; i++) {
        const size_t length = strlen(set->batteries[i].name);
        if (strncmp(name, set->batteries[i].name, length) != 0) continue;
        for (int k = 0; k < METRICS; k++) {
            if (strcmp(name + length, help[k].name + LEAD) != 0) continue;
            *battery = i;
            return k;
        }
    }
    return -1;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    int battery;
    return split(set_of(site), name, &battery) >= 0;
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    const batteries *s = context;
    (void)t;
    for (int i = 0; i < s->set->nbattery; i++) {
        const ff_battery_state *now = ff_sim_battery(sim, i);
        s->extremes[i].voltage = ff_min(s->extremes[i].voltage, now->voltage);
        s->extremes[i].current = ff_max(s->extremes[i].current, now->current);
    }
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const ff_drive_set *set = set_of(site);
    if (!ff_measure_is_asked(site, knows)) return FF_OK;
    batteries *s = *context = FF_ARENA_NEW(site->arena, batteries, 1);
    if (s) s->extremes = FF_ARENA_NEW(site->arena, extremes, set->nbattery);
    if (!s || !s->extremes) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->set = set;
    s->sim = site->sim;
    for (int i = 0; i < set->nbattery; i++) s->extremes[i] = (extremes){INFINITY, -INFINITY, set->batteries[i].charge};
    const ff_listener listener = {.context = s, .step = watch};
    return ff_sim_add_listener(site->sim, &listener, err);
}

static bool value(const void *context, const char *name, double *out)
{
    const batteries *s = context;
    int i;
    const int what = split(s->set, name, &i);
    if (what < 0) return false;
    const ff_battery_state *now = ff_sim_battery(s->sim, i);
    const extremes *e = &s->extremes[i];
    const double values[METRICS] = {
        [VOLTAGE_MIN] = e->voltage,   [VOLTAGE_FINAL] = now->voltage,
        [CURRENT_MAX] = e->current,   [CHARGE_USED] = (e->charge - now->charge) * s->set->batteries[i].capacity,
        [CHARGE_FINAL] = now->charge, [GIVEN] = now->given,
        [LOST] = now->lost,           [OWED] = now->owed};
    *out = values[what];
    return true;
}

const ff_measure_kind ff_measure_batteries = {
    .name = "batteries", .help = help, .offers = offers, .knows = knows, .begin = begin, .value = value};
