// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices of a robot that share a slave, since its file gives them the same station address; and couplers on the path
// to them, at addresses without a device.
#ifndef FOOTFALL_STATIONS_GROUPING_H
#define FOOTFALL_STATIONS_GROUPING_H

#include "stations/topology.h"

typedef struct ff_ec_grouping {
    ff_ec_station *stations; // in the order of their first devices, then couplers
    ff_cable_place *places;
    int nstation;
    int *station_of; // of each device
} ff_ec_grouping;

/// @param devices   (count) @param settings  station settings of each in the file, NULL: none  (count) @param shared
/// number of the last devices without their own station: they join the first slave with several devices, if there is
/// one @return FF_OK; FF_NO_MEMORY
ff_status ff_ec_group(ff_ec_grouping *grouping, const ff_ec_module *devices, const ff_spec_setting *const *settings,
                      int count, int shared, ff_arena *arena, ff_error *err);

#endif
