// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorder channels of the drives: drives.NAME.current, voltage, torque, power.electrical, power.mechanical,
// copper_loss, energy, temperature; of a battery NAME.voltage, current, power, charge, lost.
#include "engine/channel.h"
#include "plant/drives.h"

enum { QUANTITIES = 8 };

static void read_drive(const ff_channel *c, ff_sim *sim, double *out)
{
    const int drive = c->index / QUANTITIES;
    const ff_drives_link *drives = ((const ff_drives_part *)c->context)->link;
    const ff_drive_flow f = ff_drives_flow(drives, sim, drive);
    const ff_drive_memory *m = &drives->memory[drive];
    const double values[QUANTITIES] = {f.current,    f.voltage, f.force,       f.electrical,
                                       f.mechanical, f.copper,  m->electrical, m->temperature};
    out[0] = values[c->index % QUANTITIES];
}

enum { OF_BATTERY = 5 };

static void read_battery(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_battery_state *s = &((const ff_drives_part *)c->context)->link->batteries[c->index / OF_BATTERY];
    const double values[OF_BATTERY] = {s->voltage, s->current, s->power, s->charge, s->lost};
    (void)sim;
    out[0] = values[c->index % OF_BATTERY];
}

static void add_batteries(const ff_drive_set *set, ff_channel_list *l)
{
    static const char *const NAMES[OF_BATTERY] = {"voltage", "current", "power", "charge", "lost"};
    static const char *const UNITS[OF_BATTERY] = {"V", "A", "W", "", "J"};
    for (int i = 0; i < set->nbattery; i++)
        for (int k = 0; k < OF_BATTERY; k++)
            ff_channel_add(l, ff_arena_printf(&l->sim->arena, "%s.%s", set->batteries[i].name, NAMES[k]), UNITS[k], 1,
                           NULL, read_battery, i * OF_BATTERY + k);
}

void ff_drives_add_channels(void *context, ff_channel_list *l)
{
    static const char *const NAMES[QUANTITIES] = {"current",          "voltage",     "torque", "power.electrical",
                                                  "power.mechanical", "copper_loss", "energy", "temperature"};
    static const char *const UNITS[QUANTITIES] = {"A", "V", "N m", "W", "W", "W", "J", "C"};
    const ff_drive_set *set = ((const ff_drives_part *)context)->set;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        // levers of a motor without a spindle are those of a differential gear: plain numbers
        const bool turns =
            d->path.kind == FF_PATH_JOINT || (d->path.kind == FF_PATH_LEVERS && d->motor != FF_MOTOR_NONE);
        const bool travel = d->linear || !turns || set->model->joints[d->path.joint[0]].type == FF_JOINT_SLIDE;
        for (int k = 0; k < QUANTITIES; k++)
            ff_channel_add(l, ff_arena_printf(&l->sim->arena, "drives.%s.%s", d->name, NAMES[k]),
                           k == 2 && travel ? "N" : UNITS[k], 1, NULL, read_drive, i * QUANTITIES + k);
    }
    add_batteries(set, l);
}
