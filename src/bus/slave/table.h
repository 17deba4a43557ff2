// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the device tables of the project have in common.
#ifndef FOOTFALL_ETHERCAT_TABLE_H
#define FOOTFALL_ETHERCAT_TABLE_H

#include <footfall/ethercat.h>

/// Vendor and revision, and the rows of a struct.
#define FF_EC_OWN_DEVICE(type, rows)                                                                                   \
    .vendor = FF_EC_VENDOR, .revision = 1, .size = sizeof(type), .entries = (rows),                                    \
    .nentry = sizeof(rows) / sizeof *(rows)

#endif
