// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated bus: virtual devices behind the functions of ff_field_bus, driven by the frames of a simulated robot,
// so that the layer runs as it would on a real one. A virtual device converts sensor values of the frame to raw
// numbers, and processes raw outputs as a real device would.
#ifndef FOOTFALL_HARDWARE_VIRTUAL_BUS_H
#define FOOTFALL_HARDWARE_VIRTUAL_BUS_H

#include "hardware/amplifier.h"
#include "hardware/device.h"

// ------------------------------------------------------------------------------------------ virtual devices

/// Samples whose times a virtual drive has.
enum { FF_VIRTUAL_MOTOR_TIME, FF_VIRTUAL_JOINT_TIME, FF_VIRTUAL_TIMES };

/// A drive by CiA 402. A motor that is not in operation holds its last position, as with a brake; one with force
/// control only gets no force.
typedef struct ff_virtual_drive {
    ff_ec_drive objects; // the first member: stations of a bus refer to it
    const ff_drive_wiring *wiring;
    int64_t times[FF_VIRTUAL_TIMES]; // of the samples of its encoders, -1: none yet  [ns]
    int32_t velocity;                // of the motor  [counts/s]
    ff_amplifier amplifier;
    ff_amplifier_inputs inputs;   // of its last step
    bool broken;                  // a fault is injected
    bool lost;                    // the bus left OP by an error
    double x_zero;                // position at switch-on  [rad, m]
    int32_t limits[2];            // last presets of 607D
    bool was_enabled, had_torque; // since the start it was in operation, and got a force
    double reference[3];
} ff_virtual_drive;

/// Supported modes of operation of a drive of the robot, as in object 6502. Drives with a position loop: profile
/// position, homing, cyclic synchronous position and velocity; drives with force control only: cyclic synchronous
/// torque.
uint32_t ff_virtual_drive_modes(const ff_drive *drive);
/// Resets a drive and its objects to the state at switch-on.
void ff_virtual_drive_reset(ff_virtual_drive *drive);

/// Converts items of a frame to raw numbers. @param q  scratch (nq)
void ff_virtual_drive_measure(ff_virtual_drive *drive, const ff_model *model, const ff_io_item *items, double *q);
/// Executes the commands of the objects. @param applied  the bus is in OP: the control word applies
void ff_virtual_drive_step(ff_virtual_drive *drive, bool applied);

/// Injected fault of a sensor.
typedef enum ff_sensor_fault { FF_SENSOR_FREE, FF_SENSOR_STUCK, FF_SENSOR_OVERLOADED } ff_sensor_fault;

typedef struct ff_virtual_force {
    ff_ec_force objects;
    const ff_sensor_wiring *wiring;
    int64_t time; // of the sample, -1: none yet  [ns]
    ff_sensor_fault fault;
} ff_virtual_force;
void ff_virtual_force_measure(ff_virtual_force *force, const ff_io_item *items);

typedef struct ff_virtual_imu {
    ff_ec_imu objects;
    const ff_sensor_wiring *wiring;
    int64_t time; // of the sample, -1: none yet  [ns]
} ff_virtual_imu;
void ff_virtual_imu_measure(ff_virtual_imu *imu, const ff_io_item *items);

// ------------------------------------------------------------------------------------------ the bus

typedef struct ff_virtual_bus ff_virtual_bus;
/// @param wiring  borrowed
ff_virtual_bus *ff_virtual_bus_create(const ff_wiring *wiring, const ff_relay_site *site, ff_error *err);
void ff_virtual_bus_destroy(ff_virtual_bus *bus);
/// The functions of the bus, valid for its lifetime.
ff_field_bus ff_virtual_bus_functions(ff_virtual_bus *bus);
/// Its devices, in the order of the wiring.
typedef struct ff_virtual_devices {
    ff_virtual_drive *drives;
    ff_virtual_force *forces;
    ff_virtual_imu *imus;
    double *values; // of the items of the gateway
    int64_t *times; // of their samples, -1: not valid  [ns]
} ff_virtual_devices;
const ff_virtual_devices *ff_virtual_bus_devices(const ff_virtual_bus *bus);
/// Sensor values of the robot, before a cycle. @return whether the frame is a new one
bool ff_virtual_bus_set_sensors(ff_virtual_bus *bus, const ff_io_frame *sensors);
/// Commands to the drives of the robot, after a cycle.
void ff_virtual_bus_get_references(const ff_virtual_bus *bus, ff_io_frame *references);
/// Injects a fault: "fault DRIVE", "repair DRIVE", "stick SENSOR", "overload SENSOR", "free SENSOR". @param name  of
/// the drive or sensor @return FF_OK; FF_NOT_FOUND: unknown name; FF_BAD_ARGUMENT: unknown command
ff_status ff_virtual_bus_inject(ff_virtual_bus *bus, const char *word, const char *name, bool try_only, ff_error *err);

// ------------------------------------------------------------------------------------------ commands by time

/// A command of the operator, such as "0.5 fault left_knee".
typedef struct ff_scheduled {
    double at; // [s]
    char text[96];
} ff_scheduled;

typedef struct ff_schedule {
    ff_scheduled *commands;
    int n;
    int next; // index of the next one that is not yet due
} ff_schedule;

/// @param text  NULL: no commands. Their meaning is defined by the caller
ff_status ff_schedule_read(ff_schedule *schedule, const char *text, ff_arena *arena, ff_error *err);
/// The next command that is due at `t` [s]; NULL: none.
const char *ff_schedule_due(ff_schedule *schedule, double t);

#endif
