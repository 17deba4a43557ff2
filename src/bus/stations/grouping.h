// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which devices of a robot share a slave: those to which its file gives the same station address. And the couplers on
// the way to them: addresses that no device has.
#ifndef FOOTFALL_STATIONS_GROUPING_H
#define FOOTFALL_STATIONS_GROUPING_H

#include "stations/topology.h"

typedef struct ff_ec_grouping {
    ff_ec_station *stations; // in the order of their first devices, then couplers
    ff_cable_place *places;
    int nstation;
    int *station_of; // of each device
} ff_ec_grouping;

/// @param devices   (count)
/// @param settings  what the file says of the station of each, NULL: nothing  (count)
/// @param shared    so many of the last devices have no station of their own: they join the first slave of several
///                  devices, where there is one
/// @return FF_OK; FF_NO_MEMORY
ff_status ff_ec_group(ff_ec_grouping *grouping, const ff_ec_module *devices, const ff_spec_setting *const *settings,
                      int count, int shared, ff_arena *arena, ff_error *err);

#endif
