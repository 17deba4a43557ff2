// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// In which order stations are on the cable, and where it branches: what the robot's file says (`station` of drives and
// sensors), else the order of the file.
#ifndef FOOTFALL_STATIONS_TOPOLOGY_H
#define FOOTFALL_STATIONS_TOPOLOGY_H

#include "model/cable.h"

#include <footfall/ethercat.h>

/// Puts stations into the order of frames and says where they hang. Those of which nothing is said follow in their
/// order, in a line.
/// @param stations  (count), is changed
/// @param order     which station came from where: (count), is written
/// @return FF_OK; FF_BAD_MODEL: one hangs behind an address that no device has; FF_NO_MEMORY
ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_cable_place *places, int count, int *order,
                              ff_error *err);

#endif
