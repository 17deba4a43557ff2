// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of items of I/O frames and of signals.
#ifndef FOOTFALL_SENSE_IO_NAME_H
#define FOOTFALL_SENSE_IO_NAME_H

#include <footfall/io_bus.h>

/// Name and unit of an item. A name that an item cannot carry is refused: cut, two names could become one.
/// @return FF_OK, or FF_LIMIT with the name, its length and the limit
ff_status ff_io_name_set(ff_io_name *to, const char *unit, ff_error *err, const char *format, ...) FF_PRINTF(4, 5);

#endif
