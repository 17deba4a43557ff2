// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated bus: virtual devices behind the functions of ff_field_bus. Below them are the frames of a simulated
// robot, so that the layer above runs as it would on a robot. A virtual device sees what its sensors in the frame say,
// gives raw numbers, and does with raw outputs what a real device would.
#ifndef FOOTFALL_HARDWARE_VIRTUAL_BUS_H
#define FOOTFALL_HARDWARE_VIRTUAL_BUS_H

#include "hardware/amplifier.h"
#include "hardware/device.h"

// ------------------------------------------------------------------------------------------ virtual devices

/// A drive by CiA 402. A motor that is not in operation keeps its last position, as one with a brake does; one that
/// takes forces alone gets none.
typedef struct ff_virtual_drive {
    ff_ec_drive objects; // the first: stations of a bus point to it
    const ff_drive_wiring *wiring;
    ff_bus_variable variables[FF_DRIVE_OBJECT_COUNT]; // as the drive sees them
    ff_amplifier amplifier;
    ff_amplifier_inputs inputs; // of its last step
    bool broken;                // a fault is there
    bool lost;                  // the bus left operation by an error
    double x_zero;              // where it was switched on  [rad, m]
    int32_t limits[2];          // presets of 607D that its objects got last
    int64_t sampled;            // when its count was  [ns]
    bool used, pushed;          // it was in operation, and got a force, since the start
    double reference[3];
} ff_virtual_drive;

/// Which modes of operation a drive of the robot can have, as object 6502 shows them. Drives with a position loop:
/// profile position, homing, cyclic synchronous position and velocity; those that take forces alone: cyclic
/// synchronous torque.
uint32_t ff_virtual_drive_modes(const ff_drive *drive);
/// A drive as it is switched on, its objects too.
void ff_virtual_drive_reset(ff_virtual_drive *drive);

/// From the items of a frame to raw numbers. @param q  scratch (nq)
void ff_virtual_drive_feel(ff_virtual_drive *drive, const ff_model *model, const ff_io_item *items, double *q);
/// Does what the objects say. @param applied  the control word counts: the bus is in operation
void ff_virtual_drive_step(ff_virtual_drive *drive, bool applied);
/// The same with the outputs of the layer, and shows its inputs.
void ff_virtual_drive_exchange(ff_virtual_drive *drive, bool applied);

/// What is wrong with a sensor.
typedef enum ff_sensor_trouble { FF_SENSOR_FREE, FF_SENSOR_STUCK, FF_SENSOR_OVERLOADED } ff_sensor_trouble;

typedef struct ff_virtual_force {
    const ff_sensor_wiring *wiring;
    ff_bus_variable variables[FF_FORCE_OBJECT_COUNT];
    ff_sensor_trouble trouble;
    int64_t sampled; // [ns]
} ff_virtual_force;
void ff_virtual_force_feel(ff_virtual_force *force, const ff_io_item *items);

typedef struct ff_virtual_imu {
    const ff_sensor_wiring *wiring;
    ff_bus_variable variables[FF_IMU_OBJECT_COUNT];
    int64_t sampled; // [ns]
} ff_virtual_imu;
void ff_virtual_imu_feel(ff_virtual_imu *imu, const ff_io_item *items);

// ------------------------------------------------------------------------------------------ the bus

typedef struct ff_virtual_bus ff_virtual_bus;
/// @param wiring  borrowed
ff_virtual_bus *ff_virtual_bus_create(const ff_wiring *wiring, const ff_relay_site *site, ff_error *err);
void ff_virtual_bus_destroy(ff_virtual_bus *bus);
/// The functions of the bus; they live as long as it.
ff_field_bus ff_virtual_bus_functions(ff_virtual_bus *bus);
/// One of its drives.
ff_virtual_drive *ff_virtual_bus_drive(ff_virtual_bus *bus, int drive);
/// What the robot's sensors say, before a cycle.
void ff_virtual_bus_feel(ff_virtual_bus *bus, const ff_io_frame *sensors);
/// What the robot's drives are to do, after a cycle.
void ff_virtual_bus_act(const ff_virtual_bus *bus, ff_io_frame *references);
/// Breaks something: "fault DRIVE", "repair DRIVE", "stick SENSOR", "overload SENSOR", "free SENSOR".
/// @param name  of the drive or sensor
/// @return FF_OK; FF_NOT_FOUND where there is none of that name, FF_BAD_ARGUMENT for other words
ff_status ff_virtual_bus_spoil(ff_virtual_bus *bus, const char *word, const char *name, bool try_only, ff_error *err);

#endif
