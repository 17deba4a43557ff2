// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What controllers written as scripts have in common, whatever their language: values of the scene that they get, when
// they are first called, and how the robot of a script that failed is held.
#ifndef FOOTFALL_STEER_SCRIPT_H
#define FOOTFALL_STEER_SCRIPT_H

#include "steer/kind.h"

/// A value of a scene: numbers with units and constants as everywhere in scenes; true, false; other words as text.
/// @return NULL without memory
ff_script_value *ff_script_read_value(const ff_steer_reader *r, ff_yaml *node);

/// Has any sensor arrived? Before, a script is not called: a modelled bus answers after two periods.
bool ff_script_has_sensors(const ff_io_frame *sensors);

/// The references of a robot whose script failed: positions stay at the last sound reference, speeds become zero,
/// forces stay where a position was given beside them and fade within half a second where not, as a constant torque
/// would turn a joint for ever.
/// @param given  references given last, NaN: never  (layout->count)
/// @param since  time since the failure  [s]
void ff_script_hold(const ff_io_layout *layout, const double *given, double since, ff_io_frame *references);

#endif
