// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot, compiled: its model, its drives and its sensors as numbers and indices. Nothing in a plant changes, so that
// one serves any number of simulations and threads; what drives and sensors remember belongs to the simulation they
// join.
//
//     ff_plant_options o = ff_plant_options_default();
//     ff_plant *plant = ff_plant_load("robots/anton/anton.yaml", &o, &report);    // NULL: report says why, with places
//     ff_sim *sim = ff_sim_create(plant->model, &options, &err);
//     ... start pose, ff_sim_add_world ...
//     ff_sim_add_plant(sim, plant, &err);                                          // then ff_sim_add_bus, where
//         there is one
//     ff_sim_drive_command(sim, ff_sim_find_drive(sim, "ML_tibia"), 0.3, 0.0, 0.0);
//     ff_sim_run(sim, 1.0, &err);
//     double stamp = ff_sim_sensor(sim, ff_sim_find_sensor(sim, "gyro"), values);
//     ff_sim_destroy(sim);  ff_plant_destroy(plant);
#ifndef FOOTFALL_PLANT_H
#define FOOTFALL_PLANT_H

#include <footfall/drives.h>
#include <footfall/sensors.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What of a description is compiled, and how much of its effects is modelled.
typedef struct ff_plant_options {
    ff_load_options load;
    bool driven; // with the drives; else joints are moved by torques and actuators alone
    ff_drive_options drive;
    bool sensed; // with the sensors
    ff_sensor_options sensor;
} ff_plant_options;
/// Drives and sensors with all their effects.
FF_API ff_plant_options ff_plant_options_default(void);

typedef struct ff_plant {
    const ff_model *model;
    const ff_drive_set *drives;   // NULL: not driven
    const ff_sensor_set *sensors; // NULL: not sensed
} ff_plant;

/// Compiles a description. Rotors of drives that move on their own leave the armature of their joints, rigid ones count
/// there; the description is afterwards as it was. Mistakes of model, drives and sensors are reported with their
/// places, what the options leave out as notes.
/// @param options  NULL: the defaults
/// @return NULL when `report` has errors afterwards
FF_API ff_plant *ff_plant_compile(ff_spec *spec, const ff_plant_options *options, ff_report *report);
/// ff_spec_load and ff_plant_compile in one. @return NULL on error, with the reasons in `report`
FF_API ff_plant *ff_plant_load(const char *path, const ff_plant_options *options, ff_report *report);
/// Frees it with its model; NULL is allowed. Simulations of it must be gone.
FF_API void ff_plant_destroy(ff_plant *plant);

/// Joins drives and sensors to a simulation of plant->model: before the first run, after the start pose is set and
/// after the world. Rotors start with their joints, loops hold the pose; switch options.actuators off, or joints are
/// driven twice. Sampling changes nothing of the motion but that steps end at samples; its random numbers follow from
/// options.seed. The plant is borrowed.
/// @return FF_OK; FF_BAD_ARGUMENT (a simulation of another model, a second plant, too late), FF_NOT_FOUND (a sensor
/// names a shape the world does not have) or FF_NO_MEMORY
FF_API ff_status ff_sim_add_plant(ff_sim *sim, const ff_plant *plant, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
