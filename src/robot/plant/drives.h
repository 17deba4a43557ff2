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

/// A drive whose energies are computed for implicit steps as a whole, where these do not resolve it.
typedef struct ff_drives_energy_override {
    int drive, rotor, last; // its number; which states are the speeds of the rotor and of what is at the spring
    double inertia, behind; // of both, 0 where they are one
} ff_drives_energy_override;

typedef struct ff_drives_link {
    const ff_sim *sim;
    const ff_drive_set *set;            // borrowed
    ff_drive_memory *memory;            // of each drive  (set->n)
    int part;                           // the first; their states follow each other
    int task, ntask;                    // the loops: number of the first task, how many
    int *with_backlash, nwith_backlash; // those that have backlash
    int *ahead, nahead;                 // those whose loops run ahead
    ff_drive_schedule *schedule;        // of each of them; its span moves on  (nahead)
    bool warm;                          // some have a temperature
    double since_warmed;                // [s]
    ff_battery_state *batteries;        // of each battery  (set->nbattery)
    bool curved;                        // some stand behind paths that bend
    ff_drive_position *at;              // where those stood last  (set->n)
    double *drift;                      // of rotors behind them: what accelerates x while the joints do not  (set->n)
    uint64_t *located_at;               // ff_sim.state_number then, 0: not yet  (set->n)
    ff_rotor *rotors;                   // of drives that couple joints  (data->nrotor)
    int *rotor_drive;                   // whose they are
    double *powers; // electrical, mechanical, copper of each drive: where the step wants them [W]  (3*n)
    ff_drive_flow
        *flows; // of the last derivative: ledger and slopes ask right behind it, and need not evaluate again  (n)
    ff_drive_flow *now;                   // at the state, for energies, channels and sensors  (n)
    uint64_t *now_at;                     // ff_sim.forces_number they were evaluated at, 0: not yet  (n)
    ff_drive_response *responses;         // of the last settling  (n)
    ff_drives_energy_override *overrides; // those that ff_drive_step_energy knows
    int noverride;
} ff_drives_link;

/// The drives of one part.
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
    ff_ticks period; // of a loop that runs ahead, whose other samples are no tasks; 0: every call is a sample
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
/// Those of a simulation, NULL: none.
ff_drives_link *ff_drives_find(const ff_sim *sim);
/// The flow of a drive now.
ff_drive_flow ff_drives_flow(const ff_drives_link *drives, ff_sim *sim, int drive);
/// Starts batteries as described; each millisecond they count the energy of their drives (batteries.c).
void ff_batteries_start(ff_drives_link *drives);
ff_status ff_batteries_join(ff_sim *sim, ff_drives_link *drives, ff_error *err);
/// Energies of drives that implicit steps do not resolve (drives_energy.c): which drives may be such, and the
/// function of ff_part_inner.
bool ff_drives_find_overrides(ff_sim *sim, ff_drives_link *drives);
void ff_drives_account(const void *context, const ff_step_record *step, double *ledger, double *integrals);
/// Recorder channels (drives_channels.c).
void ff_drives_add_channels(void *context, struct ff_channel_list *list);

#endif
