// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of a simulation.
#ifndef FOOTFALL_PLANT_DRIVES_H
#define FOOTFALL_PLANT_DRIVES_H

#include "engine/system.h"

#include "drive/interface.h"

#include <footfall/drives.h>

enum { FF_DRIVES_ACCOUNTS = 3 }; // of each drive: electrical, mechanical, copper

typedef struct ff_drives_link {
    const ff_sim *sim;
    const ff_drive_set *set;            // borrowed
    ff_drive_memory *memory;            // of each drive  (set->n)
    int part;                           // number of the first part of the drives; the states of the parts follow it
    int task, ntask;                    // number of the first task of the loops, and how many tasks there are
    int *with_backlash, nwith_backlash; // numbers of the drives that have backlash
    int *ahead, nahead;                 // numbers of the drives whose loops run ahead
    ff_drive_schedule *schedule;        // of these drives  (nahead)
    bool thermal;                       // some drives have a temperature
    double since_heated;                // time since the temperatures were updated  [s]
    ff_battery_state *batteries;        // (set->nbattery)
    bool curved;                        // some drives have curved paths (ff_drive_has_curved_path)
    ff_drive_position *at;              // positions of curved paths  (set->n)
    double *drift;                      // ff_drive_path_drift of drives that couple joints  (set->n)
    uint64_t *located_at;               // ff_sim.state_number that these belong to, 0: none yet  (set->n)
    ff_rotor *rotors;                   // of drives that couple joints  (data->nrotor)
    int *rotor_drive;                   // numbers of their drives  (data->nrotor)
    double *powers;       // electrical, mechanical and copper of each drive, which the step integrates  [W]  (3*set->n)
    ff_drive_flow *flows; // of the last derivative, which ledger and slopes read right after it  (set->n)
    ff_drive_flow *now;   // at the state of the simulation, for energies, channels and sensors  (set->n)
    uint64_t *now_at;     // ff_sim.forces_number that these belong to, 0: none yet  (set->n)
    ff_drive_response *responses; // of the last settling  (set->n)
} ff_drives_link;

/// The drives of one part of the simulation: those with the numbers `from` to `to` - 1.
typedef struct ff_drives_part {
    const ff_drive_set *set;
    ff_drives_link *link;
    int from, to;
} ff_drives_part;

/// One loop of one drive.
typedef struct ff_drives_entry {
    int drive;
    ff_drive_level level;
    double rate;     // of the task [Hz]
    ff_ticks period; // of a loop that runs ahead, which the task samples at ends of spans alone; 0: at every call
} ff_drives_entry;

/// All loops of one rate.
typedef struct ff_drives_task {
    const ff_drives_link *drives;
    const ff_drives_entry *entries;
    int n;
} ff_drives_task;

/// Joins drives to a simulation of their model, before the first run and after the start pose is set. @return as
/// ff_sim_add_plant
ff_status ff_drives_join(ff_sim *sim, const ff_drive_set *set, ff_error *err);
/// The drives of a simulation; NULL: it has none.
ff_drives_link *ff_drives_find(const ff_sim *sim);
/// The flow of a drive at the state of the simulation, valid until that changes. It is evaluated once for all readers.
const ff_drive_flow *ff_drives_flow(const ff_drives_link *drives, ff_sim *sim, int drive);
/// Puts batteries into the state at the start of a run, and supplies their drives with its voltage (batteries.c).
void ff_batteries_start(ff_drives_link *drives);
/// Adds the task that updates the batteries.
ff_status ff_batteries_join(ff_sim *sim, ff_drives_link *drives, ff_error *err);
/// Recorder channels (drives_channels.c).
void ff_drives_add_channels(void *context, struct ff_channel_list *list);

#endif
