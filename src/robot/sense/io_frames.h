// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the items of I/O frames and of signals, and numbers of a program that are sent as items: a list of their
// names and addresses, by which frames are filled and read.
#ifndef FOOTFALL_SENSE_IO_FRAMES_H
#define FOOTFALL_SENSE_IO_FRAMES_H

#include <footfall/io_bus.h>

/// Sets name and unit of an item. A name that is too long is refused, since two names cut short could become equal.
/// @return FF_OK, or FF_LIMIT with the name, its length and the limit
ff_status ff_io_name_set(ff_io_name *to, const char *unit, ff_error *err, const char *format, ...) FF_PRINTF(4, 5);

enum { FF_IO_NUMBERS = 128 };

typedef struct ff_io_numbers {
    int count;
    ff_error err;              // why the list is not complete; FF_OK: it is
    double *at[FF_IO_NUMBERS]; // borrowed
    ff_io_name names[FF_IO_NUMBERS];
} ff_io_numbers;

/// Adds a number. After a failure, which `err` holds, nothing more is added, so that one check of the complete list
/// suffices.
void ff_io_numbers_add(ff_io_numbers *numbers, double *at, const char *unit, const char *format, ...) FF_PRINTF(4, 5);
/// Fills the items of a frame with the numbers. @param t  their time  [s]
void ff_io_numbers_put(const ff_io_numbers *numbers, double t, ff_io_frame *frame);
/// The numbers of a frame. @return false, with nothing changed, where one has no value
bool ff_io_numbers_take(const ff_io_numbers *numbers, const ff_io_frame *frame);

#endif
