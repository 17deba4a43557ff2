// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables on a bus. The application uses them as numbers; each is linked once by the names of slave and object to a
// position in the process image, where its type must be that of the application. A variable is one atomic word: two
// threads may read and write it at any time. The cycle (cycle.c) exchanges all of them at once, so that they are
// consistent with each other.
#ifndef FOOTFALL_HARDWARE_BUS_VARIABLE_H
#define FOOTFALL_HARDWARE_BUS_VARIABLE_H

#include <footfall/hardware.h>

#include <stdatomic.h>

typedef struct ff_bus_variable {
    _Atomic uint64_t bits; // of the value, in the lowest bytes
    ff_bus_type type;
    bool output;
    size_t offset; // in the image
} ff_bus_variable;

/// All variables of a bus, and their process image.
typedef struct ff_bus_image {
    const ff_field_bus *bus;
    ff_bus_variable **variables; // linked ones
    int count, room;
    unsigned char *inputs, *outputs; // the image, in the arena
} ff_bus_image;

/// @param room  capacity: number of variables
ff_status ff_bus_image_make(ff_bus_image *image, const ff_field_bus *bus, int room, ff_arena *arena, ff_error *err);
/// Links a variable. @return FF_OK; FF_NOT_FOUND: the bus has no such slave or object; FF_BAD_ARGUMENT with both types,
/// or an input was linked as an output
ff_status ff_bus_variable_link(ff_bus_image *image, ff_bus_variable *variable, const char *slave, const char *object,
                               ff_bus_type type, bool output, ff_error *err);

/// Reads all inputs from the image (section 5).
void ff_bus_image_read(ff_bus_image *image);
/// Writes all outputs to the image (section 7).
void ff_bus_image_write(ff_bus_image *image);

/// The value of any type as a double; exact except for integers beyond 2^53.
double ff_bus_get(const ff_bus_variable *variable);
/// The value of an integer or a bool.
int64_t ff_bus_get_integer(const ff_bus_variable *variable);
/// Integers are rounded to nearest and clamped to the range of the type.
void ff_bus_set(ff_bus_variable *variable, double value);
/// Integers keep their lowest bits: encoder counts wrap.
void ff_bus_set_integer(ff_bus_variable *variable, int64_t value);

size_t ff_bus_type_size(ff_bus_type type);

#endif
