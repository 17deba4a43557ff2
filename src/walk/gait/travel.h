// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From joints to the drives that move them: a controller knows positions, speeds and torques of joints, its references
// are travels, speeds and forces of drives. One drive a joint, or two on the same two joints (parallel spindles, a
// differential gear); where several share a joint otherwise, the least forces that add up to its torque.
#ifndef FOOTFALL_GAIT_TRAVEL_H
#define FOOTFALL_GAIT_TRAVEL_H

#include <footfall/drive.h>
#include <footfall/io_bus.h>

enum { FF_TRAVEL_DRIVES = 64 };

typedef struct ff_travel {
    int n;
    ff_drive_path path[FF_TRAVEL_DRIVES]; // by degrees of freedom of the robot's own model
    const char *name[FF_TRAVEL_DRIVES];
    double stroke[FF_TRAVEL_DRIVES][2];  // equal: none  [rad, m]
    double stall[FF_TRAVEL_DRIVES];      // greatest force; 0: none  [N m, N]
    double compliance[FF_TRAVEL_DRIVES]; // of a spring behind a motor whose loop holds the motor  [rad/(N m), m/N]
    int partner[FF_TRAVEL_DRIVES];       // the other drive on the same two joints, -1: none
    int items[FF_TRAVEL_DRIVES][3];      // position, speed and force among the references, -1: none
} ff_travel;

/// @param out  about 20 kB, constant afterwards. Names and paths with tables point into `set`, which must live on
ff_status ff_travel_make(const ff_drive_set *set, const ff_io_layout *references, ff_travel *out, ff_error *err);
/// Does any drive move the joint?
bool ff_travel_moves(const ff_travel *travel, int joint);
/// Writes references of all drives.
/// @param q, v, tau  positions, speeds and torques of the joints, in the order of the model (nq, nv, nv)
/// @return           the first drive whose travel lies beyond its stroke, -1: none; those beyond are clamped
int ff_travel_write(const ff_travel *travel, double t, const double *q, const double *v, const double *tau,
                    ff_io_frame *references);
/// Could the drives hold these torques of the joints here?
/// @param share  of their greatest force that may be used
/// @return       the first drive that lacks stroke or force, -1: none
int ff_travel_lacks(const ff_travel *travel, const double *q, const double *v, const double *tau, double share);

#endif
