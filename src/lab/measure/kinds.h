// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The measures, in the order in which help and summary list them; ff_measure_NAME of each is defined in its own file.
#ifndef FOOTFALL_MEASURE_KINDS_H
#define FOOTFALL_MEASURE_KINDS_H

#include "measure/measure.h"

#define FF_MEASURE_LIST(X)                                                                                             \
    X(run)                                                                                                             \
    X(ledger)                                                                                                          \
    X(touch)                                                                                                           \
    X(walk)                                                                                                            \
    X(joints)                                                                                                          \
    X(drives)                                                                                                          \
    X(batteries)                                                                                                       \
    X(sensors)                                                                                                         \
    X(signals)

#define FF_MEASURE_DECLARE(name) extern const ff_measure_kind ff_measure_##name;
FF_MEASURE_LIST(FF_MEASURE_DECLARE)

#endif
