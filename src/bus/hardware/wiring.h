// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The devices of a robot, from its description and the layouts of its frames: drives, force sensors, inertial
// measurement units, and the items of the frames that belong to them. The layer creates its devices from it, and the
// simulated bus its virtual ones, so that both have the same slaves.
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
    int own;   // the joint whose absolute encoder belongs to this drive: of two, the first has that of the first joint
    int count; // item of the motor encoder, -1: none
    bool marked; // the two items that follow are the position of the index mark and whether it was detected
    double turn; // counts of a turn of the motor
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

#endif
