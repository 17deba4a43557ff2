// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors in a simulation: sampled by tasks at their own rates, exactly in time, whatever the step; recorded as
// sensors.NAME; saved and restored with the rest. ff_sim_add_plant (footfall/plant.h) brings them there. A bus between
// them and a controller is in footfall/io_bus.h and below.
#ifndef FOOTFALL_SENSORS_H
#define FOOTFALL_SENSORS_H

#include <footfall/camera.h>
#include <footfall/io_bus.h>
#include <footfall/sense.h>
#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The sensors of a simulation, NULL when there are none.
FF_API const ff_sensor_set *ff_sim_sensors(const ff_sim *sim);
/// A sensor, found once by name: a wrong name or handle is reported by the next run (footfall/sim.h, handles).
typedef struct ff_sensor_id {
    int index; // into the sensors of the set
} ff_sensor_id;
FF_API ff_sensor_id ff_sim_find_sensor(ff_sim *sim, const char *name);
/// Present value of a sensor: the latest sample whose delay is over.  (chain.n)
/// @return when it was sampled, below zero before the first run  [s]; -INFINITY for a handle that is not valid, or an
/// `out` of NULL, either of which the next run reports
FF_API double ff_sim_sensor(const ff_sim *sim, ff_sensor_id sensor, double *out);
/// The last picture of a camera; NULL when the sensor is no camera, or the handle is not valid, which the next run
/// reports. Pictures are not part of a saved state.
FF_API const ff_picture *ff_sim_picture(const ff_sim *sim, ff_sensor_id camera);

/// Lets a controller command drives and actuators, and read the sensors, by frames alone (footfall/io_bus.h). After
/// ff_sim_add_plant. References are drives.NAME.position, .speed and .force for each drive, then actuators.NAME for
/// each actuator of a simulation with options.actuators; a reference that is not valid leaves what was before. Sensors
/// at the rate of a modelled bus are sampled when its telegrams say; others go on by themselves, and the telegram takes
/// what they show.
/// @return FF_OK; FF_BAD_ARGUMENT (no sensors yet, a second bus, a number of `bus`), FF_LIMIT (a name too long for an
/// item) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_bus(ff_sim *sim, const ff_bus *bus, const ff_controller *controller, ff_error *err);
/// Layout of the references or sensors of a simulation, memory of the simulation; NULL without a bus.
FF_API const ff_io_layout *ff_sim_layout(const ff_sim *sim, ff_io_kind kind);
/// Lets recorders keep values of a controller as channels, `lead` ("control.") in front of their names. Before the
/// recorder is made; names are copied, `values` is read whenever a sample is taken and stays where it is.  (count)
/// @return FF_OK; FF_BAD_ARGUMENT (a name twice) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_signals(ff_sim *sim, const char *lead, const ff_io_name *names, const double *values,
                                    int count, ff_error *err);
/// What the bus has done since the start.
FF_API ff_bus_counts ff_sim_bus_counts(const ff_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
