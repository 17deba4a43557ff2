// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The measures, in the order in which help and summary list them.
#include "measure/kinds.h"

const ff_measure_kind *const ff_measure_kinds[] = {
    &ff_measure_run,     &ff_measure_ledger,  &ff_measure_touch,
    &ff_measure_walk,    &ff_measure_joints,  &ff_measure_drives,
    &ff_measure_sensors, &ff_measure_signals, NULL,
};
