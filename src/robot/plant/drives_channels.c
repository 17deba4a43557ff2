// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorder channels of the drives: drives.NAME.current, voltage, torque, power.electrical, power.mechanical,
// copper_loss, energy, temperature; of a battery NAME.voltage, current, power, charge, lost.
#include "engine/channel.h"
#include "plant/drives.h"

#include <stddef.h>

/// A number of a struct, by its offset.
typedef struct quantity {
    const char *name, *unit;
    size_t at;
} quantity;

#define FLOW(field)    offsetof(ff_drive_flow, field)
#define MEMORY(field)  offsetof(ff_drive_memory, field)
#define BATTERY(field) offsetof(ff_battery_state, field)
enum { OF_FLOW = 6, OF_DRIVE = 8, OF_BATTERY = 5, TORQUE = 2 };

static const quantity DRIVE[OF_DRIVE] = {{"current", "A", FLOW(current)},
                                         {"voltage", "V", FLOW(voltage)},
                                         [TORQUE] = {"torque", "N m", FLOW(force)},
                                         {"power.electrical", "W", FLOW(electrical)},
                                         {"power.mechanical", "W", FLOW(mechanical)},
                                         {"copper_loss", "W", FLOW(copper)},
                                         {"energy", "J", MEMORY(electrical)}, // from OF_FLOW on: of the memory
                                         {"temperature", "C", MEMORY(temperature)}};
static const quantity SUPPLY[OF_BATTERY] = {{"voltage", "V", BATTERY(voltage)},
                                            {"current", "A", BATTERY(current)},
                                            {"power", "W", BATTERY(power)},
                                            {"charge", "", BATTERY(charge)},
                                            {"lost", "J", BATTERY(lost)}};

static double value_of(const quantity *q, const void *from)
{
    return *(const double *)(const void *)((const char *)from + q->at);
}

static void read_drive(const ff_channel *c, ff_sim *sim, double *out)
{
    const int drive = c->index / OF_DRIVE, k = c->index % OF_DRIVE;
    const ff_drives_link *drives = ((const ff_drives_part *)c->context)->link;
    out[0] = k < OF_FLOW ? value_of(&DRIVE[k], ff_drives_flow(drives, sim, drive))
                         : value_of(&DRIVE[k], &drives->memory[drive]);
}

static void read_battery(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_drives_link *drives = ((const ff_drives_part *)c->context)->link;
    (void)sim;
    out[0] = value_of(&SUPPLY[c->index % OF_BATTERY], &drives->batteries[c->index / OF_BATTERY]);
}

void ff_drives_add_channels(void *context, ff_channel_list *l)
{
    const ff_drive_set *set = ((const ff_drives_part *)context)->set;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        // levers of a motor without a spindle are those of a differential gear: plain numbers
        const bool turns =
            d->path.kind == FF_PATH_JOINT || (d->path.kind == FF_PATH_LEVERS && d->motor != FF_MOTOR_NONE);
        const bool travel = d->linear || !turns || set->model->joints[d->path.joint[0]].type == FF_JOINT_SLIDE;
        for (int k = 0; k < OF_DRIVE; k++)
            ff_channel_add(l, ff_arena_printf(&l->sim->arena, "drives.%s.%s", d->name, DRIVE[k].name),
                           k == TORQUE && travel ? "N" : DRIVE[k].unit, 1, NULL, read_drive, i * OF_DRIVE + k);
    }
    for (int i = 0; i < set->nbattery; i++)
        for (int k = 0; k < OF_BATTERY; k++)
            ff_channel_add(l, ff_arena_printf(&l->sim->arena, "%s.%s", set->batteries[i].name, SUPPLY[k].name),
                           SUPPLY[k].unit, 1, NULL, read_battery, i * OF_BATTERY + k);
}
