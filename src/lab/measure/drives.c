// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of drives, computed by name: drives.NAME.current.max and the like. Peaks are kept after every step, and only
// where somebody asks for them.
#include "measure/kinds.h"

#include <math.h>
#include <string.h>

typedef struct peaks {
    double current, speed, force, when; // largest current and motor speed, in size; largest force and its time
    double spring;                      // energy in its springs after the last step, below 0: none yet  [J]
    double most, stored, returned;      // of it: greatest; what it rose and fell by in all  [J]
} peaks;

typedef struct drives {
    const ff_drive_set *set;
    ff_sim *sim;
    peaks *peaks; // of each drive
} drives;

enum {
    CURRENT,
    SPEED,
    FORCE_MAX,
    FORCE_TIME,
    FORCE_FINAL,
    ENERGY,
    COPPER,
    TEMPERATURE,
    IMPACTS,
    MOST,
    STORED,
    RETURNED,
    METRICS
};
static const ff_metric_help help[METRICS + 1] = {
    [CURRENT] = {"drives.NAME.current.max", "A", "largest current of a drive, in size"},
    [SPEED] = {"drives.NAME.speed.max", "rad/s", "largest speed of its motor, in size"},
    [FORCE_MAX] = {"drives.NAME.force.max", "N, N m", "largest force or torque it gave"},
    [FORCE_TIME] = {"drives.NAME.force.max.time", "s", "when that was"},
    [FORCE_FINAL] = {"drives.NAME.force.final", "N, N m", "force or torque at the end"},
    [ENERGY] = {"drives.NAME.energy", "J", "taken from the supply"},
    [COPPER] = {"drives.NAME.copper", "J", "lost in its winding"},
    [TEMPERATURE] = {"drives.NAME.temperature", "C", "of its winding at the end"},
    [IMPACTS] = {"drives.NAME.impacts", "", "impacts of its backlash"},
    [MOST] = {"drives.NAME.spring.max", "J", "largest energy in its spring or cables"},
    [STORED] = {"drives.NAME.spring.stored", "J", "what they took up in all"},
    [RETURNED] = {"drives.NAME.spring.returned", "J", "what they gave back in all"},
};
enum { LEAD = sizeof "drives." - 1, MIDDLE = sizeof "drives.NAME" - 1 };

static const ff_drive_set *set_of(const ff_measure_site *site)
{
    return site->plant ? site->plant->drives : NULL;
}

static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_drive_set *set = set_of(site);
    for (int i = 0; set && i < set->n; i++)
        for (int k = 0; k < METRICS; k++)
            ff_measure_add_name(out, "drives.%s%s", set->drives[i].name, help[k].name + MIDDLE);
}

/// Which metric of which drive the name means; -1 for none. The whole of the name must fit: names of drives may have
/// dots.
static int split(const ff_drive_set *set, const char *name, int *drive)
{
    if (!set || strncmp(name, "drives.", LEAD) != 0) return -1;
    for (int i = 0; i < set->n; i++) {
        const size_t length = strlen(set->drives[i].name);
        if (strncmp(name + LEAD, set->drives[i].name, length) != 0) continue;
        for (int k = 0; k < METRICS; k++) {
            if (strcmp(name + LEAD + length, help[k].name + MIDDLE) != 0) continue;
            *drive = i;
            return k;
        }
    }
    return -1;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    int drive;
    return split(set_of(site), name, &drive) >= 0;
}

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
    for (int i = 0; i < s->set->n; i++) {
        const ff_drive_flow flow = ff_sim_drive_flow(sim, (ff_drive_id){i});
        peaks *p = &s->peaks[i];
        p->current = ff_max(p->current, fabs(flow.current));
        p->speed = ff_max(p->speed, fabs(flow.motor_speed));
        follow_spring(p, flow.spring);
        if (flow.force <= p->force) continue;
        p->force = flow.force;
        p->when = t;
    }
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const ff_drive_set *set = set_of(site);
    if (!ff_measure_is_asked(site, knows)) return FF_OK;
    drives *s = *context = FF_ARENA_NEW(site->arena, drives, 1);
    if (s) s->peaks = FF_ARENA_NEW(site->arena, peaks, set->n);
    if (!s || !s->peaks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->set = set;
    s->sim = site->sim;
    for (int i = 0; i < set->n; i++) s->peaks[i] = (peaks){.force = -INFINITY, .spring = -1.0};
    const ff_listener listener = {.context = s, .step = watch};
    return ff_sim_add_listener(site->sim, &listener, err);
}

static bool value(const void *context, const char *name, double *out)
{
    const drives *s = context;
    int drive;
    const int what = split(s->set, name, &drive);
    if (what < 0) return false;
    const peaks *p = &s->peaks[drive];
    const ff_drive_memory *m = ff_sim_drive_memory(s->sim, (ff_drive_id){drive});
    const double values[METRICS] = {[CURRENT] = p->current,
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
    *out = values[what];
    return true;
}

const ff_measure_kind ff_measure_drives = {
    .name = "drives", .help = help, .offers = offers, .knows = knows, .begin = begin, .value = value};
