// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The devices of a robot, from its description and the layouts of its frames: drives, force sensors, inertial
// measurement units, and the items of the frames that belong to them. The layer creates its devices from this wiring,
// and the simulated bus its virtual ones, so that both have the same slaves.
#ifndef FOOTFALL_HARDWARE_WIRING_H
#define FOOTFALL_HARDWARE_WIRING_H

#include <footfall/drive.h>
#include <footfall/hardware.h>
#include <footfall/sense.h>

/// One channel of a joint encoder.
typedef struct ff_joint_sensor {
    int item;      // in the frame of sensors, -1: none
    bool absolute; // an absolute encoder of the drive; else a potentiometer at the gateway
    double step;   // of an absolute encoder, per count  [rad]
} ff_joint_sensor;

typedef struct ff_drive_wiring {
    const ff_drive *drive;
    const char *name;  // of its slave
    int references[3]; // items of position, speed and force
    int partner; // the other motor of its differential among the wired drives, where references are of joints; -1: none
    int other;   // the other drive on its two joints, -1: none
    int encoder_joint; // joint whose absolute encoder belongs to this drive: of two drives, the first has the first
    int motor_item;    // item of the motor encoder, -1: none
    bool has_index;    // the two items that follow are the position of the index mark and whether it was detected
    double turn;       // counts of a turn of the motor
    ff_joint_sensor joint[2]; // of its joints
    double scale;             // counts per unit of its coordinate x  [1/rad, 1/m]
    double range[2];          // joint limits in its coordinate; -INFINITY, INFINITY: none, or it moves two joints
    double rated;             // greatest force, 1000 on the bus  [N m, N]
} ff_drive_wiring;

typedef struct ff_sensor_wiring {
    const ff_sensor *sensor;
    const char *name;
    int first;       // of its items
    int n;           // channels
    double range[6]; // of force sensors; INFINITY: none  [N, N m]
} ff_sensor_wiring;

typedef struct ff_wiring {
    const ff_model *model;
    ff_drive_set *drive_set;
    ff_sensor_set *sensor_set;
    ff_drive_wiring *drives;
    ff_sensor_wiring *forces, *inertial; // force and force6; imu, gyro, accelerometer, attitude
    int *gateway;                        // items without another device
    int ndrive, nforce, ninertial, ngateway;
} ff_wiring;

/// @return FF_OK; FF_BAD_MODEL: the robot has drives that a layer cannot control
ff_status ff_wiring_make(ff_wiring *wiring, const ff_relay_site *site, ff_arena *arena, ff_error *err);
void ff_wiring_clear(ff_wiring *wiring);
/// Position and detection of the index mark follow the count of a motor encoder. Gateways on EtherCAT do not carry
/// them: they belong to the drive, whose touch probe stores them.
bool ff_wiring_is_index_mark(const ff_wiring *wiring, int item);

// ------------------------------------------------------------------------------------------ conversion.c

// Counts of an encoder, which wrap, are converted to the coordinate x of a drive, and this to the joints that the drive
// moves by its transmission (footfall/drive.h), whose ratio may depend on the position.

/// Unwrapped counts of an encoder. Once homed, x = x_home + (count - home) / scale.
typedef struct ff_counting {
    double scale;  // counts per unit of x  [1/rad, 1/m]
    bool begun;    // a count has been read
    int32_t last;  // as read
    int64_t total; // unwrapped
    double home;   // unwrapped count at x_home
    double x_home; // [rad, m]
    bool homed;
} ff_counting;

/// Adds a count as read; differences beyond 2^31 are wraps.
void ff_counting_read(ff_counting *counting, int32_t count);
void ff_counting_set_home(ff_counting *counting, double total, double x);
double ff_counting_position(const ff_counting *counting);
/// The count that commands a position, with the width of the encoder count.
int32_t ff_counting_target(const ff_counting *counting, double x);

/// Joint positions from drive positions, by Newton's method from the initial guess in q. @param x  of the drives
/// (ndrive) @param q  in: initial guess; out: joints moved by drives, others unchanged  (nq)
void ff_joints_from_drives(const ff_wiring *wiring, const double *x, double *q);
/// Errors of joints from errors of drives, by the Jacobian at q. @param out  (nv)
void ff_joint_errors(const ff_wiring *wiring, const double *error, const double *q, double *out);

/// Converts position, speed and force commands to those of all drives. Commands are those of joints where a
/// differential moves them, else those of the drives themselves.  (ndrive)
void ff_drives_from_references(const ff_wiring *wiring, const double (*references)[3], double (*drives)[3]);
void ff_references_from_drives(const ff_wiring *wiring, const double (*drives)[3], double (*references)[3]);

/// Maps a position within a turn, as of an absolute encoder, to the range of the joint.
double ff_unwrap_to_range(double angle, const ff_joint *joint);

#endif
