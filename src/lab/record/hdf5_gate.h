// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The only access to HDF5, for those who write recordings and those who read them: the serial library keeps global
// state and must not be entered by two threads at once, and it prints every failure to stderr unless switched off; a
// library does not print.
#ifndef FOOTFALL_SIM_HDF5_GATE_H
#define FOOTFALL_SIM_HDF5_GATE_H

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

#endif
#endif
