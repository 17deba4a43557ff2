// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// In which order stations are on the cable, and where it branches: what the robot's file says (`station` of drives and
// sensors), else the order of the file.
#ifndef FOOTFALL_STATIONS_TOPOLOGY_H
#define FOOTFALL_STATIONS_TOPOLOGY_H

#include <footfall/ethercat.h>
#include <footfall/model.h>

/// What a robot's file says of a station.
typedef struct ff_ec_place_on_bus {
    uint16_t address; // 0: nothing is said
    uint16_t behind;  // address of the station that it hangs behind; 0: it is the first
    int port;         // of that one
    ff_place said;    // where the file says so
} ff_ec_place_on_bus;

/// What is said of stations among the settings of a drive or a sensor; NULL: nothing.
const ff_spec_setting *ff_ec_find_place(const ff_spec_setting *settings, int count);
/// A list of numbers is the way up the cable: address, that of the next one towards the master, the port of that one,
/// the next one, its port, and so on.
/// @param setting  NULL: nothing is said
/// @param hop      0: the device itself; 1 and on: stations on the way
ff_ec_place_on_bus ff_ec_place_at(const ff_spec_setting *setting, int hop);
/// Puts stations into the order of frames and says where they hang. Those of which nothing is said follow in their
/// order, in a line.
/// @param stations  (count), is changed
/// @param order     which station came from where: (count), is written
/// @return FF_OK; FF_BAD_MODEL: the places make no tree
ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_ec_place_on_bus *places, int count, int *order,
                              ff_error *err);

#endif
