// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What tables of the project's own devices have in common.
#ifndef FOOTFALL_ETHERCAT_TABLE_H
#define FOOTFALL_ETHERCAT_TABLE_H

#include <footfall/ethercat.h>

/// Vendor and revision, and where the rows of a struct are.
#define FF_EC_OWN_DEVICE(type, rows)                                                                                   \
    .vendor = FF_EC_VENDOR, .revision = 1, .size = sizeof(type), .entries = (rows),                                    \
    .nentry = sizeof(rows) / sizeof *(rows)

#endif
