// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Links the process image of the simulated bus (hardware/virtual_bus.h) to the objects of sensors, by index and
// subindex, which are the same on both sides except for sample times, for which join.c has a table. Stations of drives
// need no copy: they use the objects of the virtual drives.
#ifndef FOOTFALL_STATIONS_JOIN_H
#define FOOTFALL_STATIONS_JOIN_H

#include <footfall/ethercat.h>
#include <footfall/hardware.h>

/// A value of the image and its object.
typedef struct ff_ec_join {
    size_t offset; // in the image
    int bytes;     // there
    void *field;   // field in the struct of a station, in native byte order
    size_t size;   // of the field: the lowest bytes if the image has more
} ff_ec_join;

/// A time of the image, negative while there is no sample, and its bit 'valid'.
typedef struct ff_ec_known {
    size_t offset;
    uint32_t *flags, bit;
} ff_ec_known;

typedef struct ff_ec_joins {
    ff_ec_join *inputs; // of the master
    ff_ec_known *known;
    int ninput, nknown;
} ff_ec_joins;

/// Devices with the objects of the bus.
typedef struct ff_ec_lineup {
    const ff_ec_module *devices; // those with objects of the bus  (count)
    int count;
    const int *channels; // channel over all gateways for each item of the bus's gateway; -1: not transmitted
    ff_ec_gateway *gateways;
} ff_ec_lineup;

/// @return FF_OK; FF_NOT_FOUND: no device has an object; FF_NO_MEMORY
ff_status ff_ec_joins_make(ff_ec_joins *joins, const ff_field_bus *bus, const ff_ec_lineup *lineup, ff_arena *arena,
                           ff_error *err);
/// Copies the image to the inputs of the master.
void ff_ec_joins_show(const ff_ec_joins *joins, const unsigned char *inputs);

#endif
