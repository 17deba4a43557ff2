// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the process image of the simulated bus (hardware/virtual_bus.h) to the objects of sensors, by index and
// subindex: both sides name objects alike. Where they differ, the sample times, join.c has a table. Stations of drives
// need no copy: they have the objects of the virtual drives.
#ifndef FOOTFALL_STATIONS_JOIN_H
#define FOOTFALL_STATIONS_JOIN_H

#include <footfall/ethercat.h>
#include <footfall/hardware.h>

/// A number of the image and the object that shows it.
typedef struct ff_ec_join {
    size_t offset; // in the image
    int bytes;     // there
    void *field;   // in the struct of a station, in the byte order of the machine
    size_t size;   // of it: the lowest bytes, where the image has more
} ff_ec_join;

/// A time of the image that is below 0 while there is no sample, and the bit that says so.
typedef struct ff_ec_known {
    size_t offset;
    uint32_t *flags, bit;
} ff_ec_known;

typedef struct ff_ec_joins {
    ff_ec_join *inputs; // of the master
    ff_ec_known *known;
    int ninput, nknown;
} ff_ec_joins;

/// Devices that the objects of the bus belong to.
typedef struct ff_ec_lineup {
    const ff_ec_module *devices; // those with objects like the bus's  (count)
    int count;
    const int *channels; // of all gateways together, for each item that the gateway of the bus has; -1: not on the wire
    ff_ec_gateway *gateways;
} ff_ec_lineup;

/// @return FF_OK; FF_NOT_FOUND where no device has an object; FF_NO_MEMORY
ff_status ff_ec_joins_make(ff_ec_joins *joins, const ff_field_bus *bus, const ff_ec_lineup *lineup, ff_arena *arena,
                           ff_error *err);
/// From the image to the inputs of the master.
void ff_ec_joins_show(const ff_ec_joins *joins, const unsigned char *inputs);

#endif
