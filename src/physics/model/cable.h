// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where devices of a robot are on the cable of its field bus: the key `station` of drives and sensors. It is the way up
// the cable: address, that of the next one towards the master, the port of that one, the next one, its port, and so on.
// Devices of one address share a slave; addresses on the way that no device has are couplers.
#ifndef FOOTFALL_MODEL_CABLE_H
#define FOOTFALL_MODEL_CABLE_H

#include <footfall/model.h>

enum { FF_CABLE_DEVICES = 8 }; // of one address

/// What a robot's file says of an address.
typedef struct ff_cable_place {
    uint16_t address; // 0: nothing is said
    uint16_t behind;  // address of the station that it hangs behind; 0: it is the first
    int port;         // of that one, 1 to 3; 0: a wrong one is said
    ff_place said;    // where the file says so
} ff_cable_place;

/// What is said of stations among the settings of a drive or a sensor; NULL: nothing.
const ff_spec_setting *ff_cable_find(const ff_spec_setting *settings, int count);
/// @param setting  NULL: nothing is said
/// @param hop      0: the device itself; 1 and on: stations on the way
ff_cable_place ff_cable_at(const ff_spec_setting *setting, int hop);
/// Addresses that a list says something of: its device and the stations on the way.
int ff_cable_hops(const ff_spec_setting *setting);
/// Reports, at their places, lists that together make no tree with one station next to the master.
void ff_cable_check(const ff_spec *spec, ff_report *report);

#endif
