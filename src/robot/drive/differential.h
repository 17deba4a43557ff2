// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two joints moved by two motors through a differential.
#ifndef FOOTFALL_DRIVE_DIFFERENTIAL_H
#define FOOTFALL_DRIVE_DIFFERENTIAL_H

#include <footfall/drive.h>

/// Does a drive of a description act at this level of modelling? Motors of differentials do where drives are modelled
/// in full, and the own drives of their joints elsewhere.
bool ff_drive_acts(const ff_spec_drive *drives, int n, const ff_spec_drive *drive, const ff_drive_options *options);
/// Finds the two motors of each differential among the first n drives of a set. One motor alone, a third one, and
/// levers that leave a joint unmoved are reported.
void ff_differential_join(const ff_model *model, ff_drive *drives, int n, const ff_drive_options *options,
                          ff_report *report);
/// Position, speed and torque of the two joints as references of the two motors `a` (the first) and `b`.
void ff_differential_mix(const ff_drive *a, const ff_drive *b, const double joints[2][3], double motors[2][3]);
/// The way back: what the references of the two motors mean for the joints.
void ff_differential_part(const ff_drive *a, const ff_drive *b, const double motors[2][3], double joints[2][3]);

#endif
