// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What devices a robot has, from its own description and the layouts of its frames: which drives, which force sensors,
// which inertial units, and by which items of the frames a controller knows them. The layer makes its devices from it,
// the simulated bus its virtual ones, so that both have the same slaves.
#ifndef FOOTFALL_HARDWARE_WIRING_H
#define FOOTFALL_HARDWARE_WIRING_H

#include <footfall/drive.h>
#include <footfall/hardware.h>
#include <footfall/sense.h>

/// How the position of a drive is known.
typedef enum ff_feedback {
    FF_FEEDBACK_ENCODER, // an incremental encoder at its own motor, and the joints' own positions for homing
    FF_FEEDBACK_JOINTS   // the joints' own positions alone: both motors of an ankle move both joints
} ff_feedback;

/// One channel of a joint's own position.
typedef struct ff_joint_sensor {
    int item;      // in the frame of sensors, -1: none
    bool absolute; // an absolute encoder, which belongs to the drive; else a potentiometer behind the gateway
    double step;   // of an absolute encoder, for one count  [rad]
} ff_joint_sensor;

typedef struct ff_drive_wiring {
    const ff_drive *drive;
    const char *name;  // of its slave
    int references[3]; // items of position, speed and force
    int partner; // the other motor of its differential, among the wired drives: references are the joints'; -1: none
    int other;   // the other drive on its two joints, -1: none
    int own;     // which of its joints' absolute encoders it carries: of two drives, the first that of the first
    ff_feedback feedback;
    int count;                // item of the encoder at the motor, -1: none
    bool marked;              // its index mark and whether it was seen are the two items behind
    double turn;              // counts of a turn of the motor
    ff_joint_sensor joint[2]; // of its joints
    double scale;             // counts for one of its coordinate x  [1/rad, 1/m]
    double range[2]; // where its joint ends, as its coordinate; -INFINITY, INFINITY: nowhere, or it has two joints
    double rated;    // its greatest force: 1000 thousandths on the bus  [N m, N]
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
    int *gateway;                        // items that no other device carries
    int ndrive, nforce, ninertial, ngateway;
} ff_wiring;

/// @return FF_OK; FF_BAD_MODEL where a robot has drives that a layer cannot lead
ff_status ff_wiring_make(ff_wiring *wiring, const ff_relay_site *site, ff_arena *arena, ff_error *err);
void ff_wiring_clear(ff_wiring *wiring);
/// The index mark of a motor's encoder, and whether it was seen, come behind its count. Gateways on EtherCAT do not
/// carry them: they are the drive's (CiA 402 has touch probes for them, which the drives here lack).
bool ff_wiring_is_index_mark(const ff_wiring *wiring, int item);

#endif
