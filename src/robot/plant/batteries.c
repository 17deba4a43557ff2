// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batteries in a simulation. Each millisecond a task charges a battery with the energy that its drives have used, and
// lowers the voltage that bounds their loops.
#include "plant/drives.h"

static const double PERIOD = 1e-3; // [s]

static double energy_of_drives(const ff_drives_link *drives, int battery)
{
    double sum = 0.0;
    for (int i = 0; i < drives->set->n; i++)
        if (drives->set->drives[i].battery == battery) sum += drives->memory[i].electrical;
    return sum;
}

static void set_supply(const ff_drives_link *drives, int battery)
{
    const ff_battery_state *s = &drives->batteries[battery];
    for (int i = 0; i < drives->set->n; i++) {
        if (drives->set->drives[i].battery != battery) continue;
        drives->memory[i].sag = 1.0 - s->voltage / drives->set->batteries[battery].voltage;
        if (s->off) drives->memory[i].off = 1;
    }
}

static ff_sim_action update(void *context, ff_sim *sim, double t)
{
    const ff_drives_link *drives = context;
    (void)sim;
    if (t > 0.0)
        for (int i = 0; i < drives->set->nbattery; i++) {
            ff_battery_update(&drives->set->batteries[i], &drives->batteries[i], energy_of_drives(drives, i), PERIOD);
            set_supply(drives, i);
        }
    return FF_SIM_GO;
}

void ff_batteries_start(ff_drives_link *drives)
{
    for (int i = 0; i < drives->set->nbattery; i++) {
        drives->batteries[i] = ff_battery_start(&drives->set->batteries[i]);
        set_supply(drives, i);
    }
}

ff_status ff_batteries_join(ff_sim *sim, ff_drives_link *drives, ff_error *err)
{
    const ff_task task = {
        .name = "batteries", .period = ff_ticks_from_seconds(PERIOD), .context = drives, .run = update};
    if (drives->set->nbattery == 0) return FF_OK;
    return ff_sim_add_task(sim, &task, err) < 0 ? FF_BAD_ARGUMENT : FF_OK;
}

const ff_battery_state *ff_sim_battery(const ff_sim *sim, int battery)
{
    const ff_drives_link *drives = ff_drives_find(sim);
    return drives && battery >= 0 && battery < drives->set->nbattery ? &drives->batteries[battery] : NULL;
}
