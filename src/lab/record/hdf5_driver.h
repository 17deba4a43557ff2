// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Access to HDF5, for writers and readers of recordings. The serial library has global state, so only one thread may
// use it at a time, and it prints every failure to stderr unless that is switched off: each use is bracketed by
// ff_hdf5_enter and ff_hdf5_leave. Files are written by a driver of our own below the library. A reader always finds
// the complete state of the last H5Fflush, even if the program was killed or the disk was full.
#ifndef FOOTFALL_RECORD_HDF5_DRIVER_H
#define FOOTFALL_RECORD_HDF5_DRIVER_H

#ifdef FF_WITH_HDF5

#include <hdf5.h>

/// The caller's setting of error printing, which ff_hdf5_leave restores.
typedef struct ff_hdf5_visit {
    H5E_auto2_t function;
    void *data;
} ff_hdf5_visit;

/// Brackets every use of HDF5.
ff_hdf5_visit ff_hdf5_enter(void);
void ff_hdf5_leave(ff_hdf5_visit visit);

/// Result of writing: 0, or the first errno. Must outlive the file.
typedef struct ff_hdf5_outcome {
    int failure;
} ff_hdf5_outcome;

/// Creates a file for writing, or replaces an existing one.
/// @param plan     access settings of HDF5, to which the driver is added
/// @param outcome  reports failures until the file is closed; HDF5 itself sees none
/// @return below 0 when it cannot be created
hid_t ff_hdf5_create(const char *path, hid_t plan, ff_hdf5_outcome *outcome);
/// Is another program or file handle writing that file?
bool ff_hdf5_is_busy(const char *path);
/// Opens a file for reading in the state of its last flush, also if the program was killed during that flush.
/// @return below 0 when it cannot be opened
hid_t ff_hdf5_reopen(const char *path);

#endif
#endif
