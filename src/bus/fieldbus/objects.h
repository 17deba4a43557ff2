// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The objects that the hardware layer wants, found in the process data of slaves. The image of the layer is that of the
// wire; behind it come times of samples, which have 64 bits there and 32 on the wire, and places for objects that a
// slave does not map.
#ifndef FOOTFALL_FIELDBUS_OBJECTS_H
#define FOOTFALL_FIELDBUS_OBJECTS_H

#include "hardware/device.h"
#include "hardware/wiring.h"

#include <footfall/master.h>

/// A time of the layer, made from what the wire carries. Offsets of the wire's inputs; -1: none.
typedef struct ff_bus_time {
    size_t offset; // in the layer's inputs
    int stamp;     // lowest 32 bits of the distributed time; -1: the time of the frame
    int known;     // a word
    uint32_t mask; // of it: nothing set, no sample
    bool never;    // there is no such sample
    bool stays;    // known once is known for ever
    bool was_known;
} ff_bus_time;

typedef struct ff_bus_objects {
    ff_bus_object *objects;
    int nobject;
    ff_bus_time *times;
    int ntime;
    size_t inputs, outputs; // bytes of the layer's image
} ff_bus_objects;

/// Names live in `arena`.
/// @return FF_OK; FF_NOT_FOUND: no slave of that name, or an object it must map; FF_NO_MEMORY
ff_status ff_bus_objects_make(ff_bus_objects *o, const ff_ec_master *master, const ff_wiring *wiring,
                              const ff_io_layout *sensors, ff_arena *arena, ff_error *err);
/// Fills the times of the layer's inputs. @param now  distributed time of the frame  [ns]
void ff_bus_objects_stamp(ff_bus_objects *o, const unsigned char *wire, uint64_t now, uint64_t epoch,
                          unsigned char *inputs);

#endif
