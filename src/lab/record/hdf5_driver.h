// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How HDF5 is used, by those who write recordings and by those who read them. The serial library keeps global state and
// must not be entered by two threads at once, and it prints every failure to stderr unless switched off: every use of
// it stands between ff_hdf5_enter and ff_hdf5_leave. It writes by a driver of our own, below the library and its file
// format: what a reader finds is always the state of the last H5Fflush, whole, whenever the program is ended and
// however full the disk is.
#ifndef FOOTFALL_RECORD_HDF5_DRIVER_H
#define FOOTFALL_RECORD_HDF5_DRIVER_H

#ifdef FF_WITH_HDF5

#include <hdf5.h>

/// How the caller of the library had set its printing.
typedef struct ff_hdf5_visit {
    H5E_auto2_t function;
    void *data;
} ff_hdf5_visit;

/// Brackets every use of HDF5.
ff_hdf5_visit ff_hdf5_enter(void);
void ff_hdf5_leave(ff_hdf5_visit visit);

/// What became of writing: 0, or the first errno. Outlives the file.
typedef struct ff_hdf5_outcome {
    int failure;
} ff_hdf5_outcome;

/// Creates a file for writing, in the place of one that is there.
/// @param plan     of access, to which the driver is added
/// @param outcome  reports failures until the file is closed; HDF5 itself sees none
/// @return below 0 when it cannot be created
hid_t ff_hdf5_create(const char *path, hid_t plan, ff_hdf5_outcome *outcome);
/// Does somebody else write that file?
bool ff_hdf5_is_busy(const char *path);
/// Opens a file for reading as it was when it was last whole, also one whose program was killed while it made it so.
/// @return below 0 when it cannot be opened
hid_t ff_hdf5_reopen(const char *path);

#endif
#endif
