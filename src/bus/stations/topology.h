// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Order of stations on the cable, and its branches: from `station` of drives and sensors in the robot's file, else the
// order of the file.
#ifndef FOOTFALL_STATIONS_TOPOLOGY_H
#define FOOTFALL_STATIONS_TOPOLOGY_H

#include "model/cable.h"

#include <footfall/ethercat.h>

/// Sorts stations in the order of frames and sets their connections. Those without a position follow in their order, in
/// a line. @param stations  (count), changed @param order     original index of each station: (count), written @return
/// FF_OK; FF_BAD_MODEL: one is connected to an address without a device; FF_NO_MEMORY
ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_cable_place *places, int count, int *order,
                              ff_error *err);

#endif
