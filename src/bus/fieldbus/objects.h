// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The objects of the hardware layer in the process data of slaves. The image of the layer begins with that of the wire;
// behind it are the times of samples, which have 64 bits there and 32 on the wire, and space for objects that a slave
// does not map.
#ifndef FOOTFALL_FIELDBUS_OBJECTS_H
#define FOOTFALL_FIELDBUS_OBJECTS_H

#include "hardware/device.h"
#include "hardware/wiring.h"

#include <footfall/master.h>

/// A time of the layer and its source on the wire. Offsets are those of the wire's inputs; -1: none.
typedef struct ff_bus_time {
    size_t offset; // in the inputs of the layer
    int stamp;     // lowest 32 bits of the distributed time; -1: the time of the frame
    int valid;     // offset of a word that shows whether there is a sample
    uint32_t mask; // of that word; 0: no sample
    bool absent;   // there is never a sample
    bool latched;  // once valid, it remains valid
    bool was_valid;
} ff_bus_time;

typedef struct ff_bus_objects {
    ff_bus_object *objects;
    int nobject;
    ff_bus_time *times;
    int ntime;
    size_t inputs, outputs; // bytes of the image of the layer
} ff_bus_objects;

/// Names are stored in `arena`. @return FF_OK; FF_NOT_FOUND: no slave of that name, or a required object is not mapped;
/// FF_NO_MEMORY
ff_status ff_bus_objects_create(ff_bus_objects *o, const ff_ec_master *master, const ff_wiring *wiring,
                                const ff_io_layout *sensors, ff_arena *arena, ff_error *err);
/// Sets the times in the inputs of the layer. @param now  distributed time of the frame  [ns]
void ff_bus_objects_stamp(ff_bus_objects *o, const unsigned char *wire, uint64_t now, uint64_t epoch,
                          unsigned char *inputs);

#endif
