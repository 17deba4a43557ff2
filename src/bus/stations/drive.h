// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The station of a drive: its data is an ff_virtual_drive (hardware/virtual_bus.h), which begins with the objects.
#ifndef FOOTFALL_STATIONS_DRIVE_H
#define FOOTFALL_STATIONS_DRIVE_H

#include <footfall/ethercat.h>

extern const ff_ec_behaviour ff_ec_drive_behaviour;
typedef struct ff_virtual_drive ff_virtual_drive;
/// Sets the position limits (607D) to those of the joint, until the master writes others. A drive counts from its
/// initial position: so the limits are known with its first position, and are shifted by homing.
void ff_ec_drive_limit(ff_virtual_drive *drive);
/// The error register (object 0x1001) for an error code of CiA 402; 0: none.
uint8_t ff_ec_error_register(uint16_t code);

#endif
