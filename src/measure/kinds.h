// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The measures, each from the file of its name.
#ifndef FOOTFALL_MEASURE_KINDS_H
#define FOOTFALL_MEASURE_KINDS_H

#include "measure/measure.h"

extern const ff_measure_kind ff_measure_run, ff_measure_ledger, ff_measure_touch, ff_measure_walk, ff_measure_joints,
    ff_measure_drives, ff_measure_sensors, ff_measure_signals;

#endif
