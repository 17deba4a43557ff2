// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where devices of a robot are on the cable of its field bus: the key `station` of drives and sensors. It is the path
// up the cable: address, that of the next station towards the master, the port there, the station after that, its port,
// and so on. Devices of one address share a slave; addresses on the path without a device are couplers.
#ifndef FOOTFALL_MODEL_CABLE_H
#define FOOTFALL_MODEL_CABLE_H

#include <footfall/model.h>

enum { FF_CABLE_DEVICES = 8 }; // of one address

/// Place of an address on the cable, as the file of a robot gives it.
typedef struct ff_cable_place {
    uint16_t address; // 0: not given
    uint16_t behind;  // address of the station before it, towards the master; 0: it is the first
    int port;         // of that one, 1 to 3; 0: the file gives a wrong one
    ff_place source;  // in the file
} ff_cable_place;

/// The setting `station` of a drive or a sensor; NULL: not given.
const ff_spec_setting *ff_cable_find(const ff_spec_setting *settings, int count);
/// @param setting  NULL: not given
/// @param hop      0: the device itself; 1 and on: stations on the path to the master
ff_cable_place ff_cable_at(const ff_spec_setting *setting, int hop);
/// Number of addresses whose place a list gives: its device and stations on the path.
int ff_cable_hops(const ff_spec_setting *setting);
/// Reports, at their places, lists that together make no tree with one station next to the master.
void ff_cable_check(const ff_spec *spec, ff_report *report);

#endif
