// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and bus of a simulation.
#ifndef FOOTFALL_PLANT_SENSORS_H
#define FOOTFALL_PLANT_SENSORS_H

#include "engine/system.h"

#include "sense/interface.h"

#include <footfall/sensors.h>
#include <footfall/world.h>

/// The sensors of one rate and phase, which share a task.
typedef struct ff_sensors_task {
    int *sensors; // their numbers  (n)
    int n;
    int task;      // number of the task in the simulation
    unsigned need; // FF_NEEDS_... of sense/interface.h
    struct ff_sensors_link *link;
} ff_sensors_task;

typedef struct ff_sensors_link {
    const ff_sensor_set *set;                        // borrowed
    char *memory;                                    // of all sensors  (set->memory_size)
    bool *named;                                     // which shapes the sensors name  (set->nnamed rows of nshape)
    ff_world *world;                                 // NULL: none
    struct ff_drives_link *drives;                   // NULL: none
    ff_sense_view view;                              // points to the arrays below
    double *motor, *current, *deflection, *actuator; // as in ff_sense_view
    int *drive_of; // for each actuator the drive that stands for it, -1: none  (nactuator)
    ff_sense_contact *contacts;
    int most_contacts;
    ff_sense_loop_force *loop_forces; // one for each loop that is no coupling of joints
    ff_sense_shape *shapes;
    ff_picture **pictures; // of cameras, NULL of other sensors  (set->n)
    int npicture;
    ff_sensors_task *tasks;
    int ntask;
} ff_sensors_link;

typedef struct ff_bus_link {
    ff_sensors_link *sensors;
    struct ff_drives_link *drives; // NULL: none
    ff_bus bus;
    ff_controller controller;
    ff_bus_memory memory;
    ff_bus_frames frames;
    ff_io_layout layouts[2];
    ff_part_memory block; // of all frames
    int64_t stage;        // of the robot: 0 idle, 1 waits for the references, 2 waits to sample
    int master, slave;    // tasks
    bool *sampled_by_bus; // sensors that telegrams sample  (set->n)
    unsigned need;        // FF_NEEDS_... of these
} ff_bus_link;

/// Joins sensors to a simulation of their model, before the first run and after world and drives. @return as
/// ff_sim_add_plant
ff_status ff_sensors_join(ff_sim *sim, const ff_sensor_set *set, ff_error *err);
/// The sensors of a simulation; NULL: it has none (sensors.c).
ff_sensors_link *ff_sensors_find(const ff_sim *sim);
/// Gathers the quantities that sensors need at the current state.
void ff_sensors_update_view(ff_sim *sim, ff_sensors_link *link, unsigned need);
/// FF_NEEDS_... of a sensor.
unsigned ff_sensors_need(const ff_sensor *s);

#endif
