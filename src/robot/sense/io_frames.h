// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the items of I/O frames and of signals, and numbers of a program that travel as items: each is listed once,
// with its name and the place where it lies, and is then packed and unpacked by the list.
#ifndef FOOTFALL_SENSE_IO_FRAMES_H
#define FOOTFALL_SENSE_IO_FRAMES_H

#include <footfall/io_bus.h>

/// Name and unit of an item. A name that an item cannot carry is refused: cut, two names could become one.
/// @return FF_OK, or FF_LIMIT with the name, its length and the limit
ff_status ff_io_name_set(ff_io_name *to, const char *unit, ff_error *err, const char *format, ...) FF_PRINTF(4, 5);

enum { FF_IO_NUMBERS = 128 };

typedef struct ff_io_numbers {
    int count;
    ff_error err;              // why the list is not complete; FF_OK: it is
    double *at[FF_IO_NUMBERS]; // borrowed
    ff_io_name names[FF_IO_NUMBERS];
} ff_io_numbers;

/// Adds a number. After a failure, which `err` holds, nothing is added, so that a list is checked once, when it is
/// used.
void ff_io_numbers_add(ff_io_numbers *numbers, double *at, const char *unit, const char *format, ...) FF_PRINTF(4, 5);
/// Fills the items of a frame with as many. @param t  their time  [s]
void ff_io_numbers_put(const ff_io_numbers *numbers, double t, ff_io_frame *frame);
/// The numbers of a frame. @return false, with nothing changed, where one has no value
bool ff_io_numbers_take(const ff_io_numbers *numbers, const ff_io_frame *frame);

#endif
