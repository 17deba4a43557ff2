// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives in a simulation: one continuous part for all of them, one task for each rate of their loops, impacts of
// backlash after each step and, where the method locates events, exactly when they happen. ff_sim_add_plant
// (footfall/plant.h) brings them there.
#ifndef FOOTFALL_DRIVES_H
#define FOOTFALL_DRIVES_H

#include <footfall/drive.h>
#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The drives of a simulation, NULL when there are none.
FF_API const ff_drive_set *ff_sim_drives(const ff_sim *sim);
/// A drive, found once by name: a wrong name or handle is reported by the next run (footfall/sim.h, handles).
typedef struct ff_drive_id {
    int index; // into the drives of the set
} ff_drive_id;
FF_API ff_drive_id ff_sim_find_drive(ff_sim *sim, const char *name);
/// Restarts all drives from the pose in ff_sim_data, for callers that set it after ff_sim_add_plant.
FF_API void ff_sim_start_drives(ff_sim *sim);
/// Preloads a drive after that (ff_drive_preload), so that a robot in static equilibrium starts at rest.
FF_API void ff_sim_preload_drive(ff_sim *sim, ff_drive_id drive, double force);
/// New references for a drive, from a task or between runs. Units are those of its coordinate, see ff_drive.
FF_API void ff_sim_drive_command(ff_sim *sim, ff_drive_id drive, double position, double speed, double force);
/// Switches the power of a drive: without it the rotor turns freely, against its friction. From a task or between runs.
FF_API void ff_sim_switch_drive(ff_sim *sim, ff_drive_id drive, bool on);
/// References, energies, temperature and impacts of a drive, in the memory of the simulation, where those of the next
/// drives follow; NULL: there is no such drive, which the next run reports.
FF_API const ff_drive_memory *ff_sim_drive_memory(const ff_sim *sim, ff_drive_id drive);
/// The flow of a drive now; zeros where there is no such drive, which the next run reports.
FF_API ff_drive_flow ff_sim_drive_flow(ff_sim *sim, ff_drive_id drive);

/// State of battery `battery` of ff_drive_set.batteries; NULL: there is no such battery.
FF_API const ff_battery_state *ff_sim_battery(const ff_sim *sim, int battery);

#ifdef __cplusplus
}
#endif
#endif
