// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The lock around HDF5 and the silence inside it.
#include "record/hdf5_gate.h"

#ifdef FF_WITH_HDF5

#include <stdlib.h>

#ifdef FF_WITH_THREADS
#include <pthread.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif

/// HDF5 holds on to parts of a damaged file that it could not read. When the process ends it would list them on stderr.
static void silence_hdf5(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

ff_hdf5_visit ff_hdf5_enter(void)
{
    static bool asked;
    ff_hdf5_visit visit = {0};
#ifdef FF_WITH_THREADS
    pthread_mutex_lock(&gate);
#endif
    H5Eget_auto2(H5E_DEFAULT, &visit.function, &visit.data);
    // By now HDF5 has asked to be closed when the process ends; what asks later is called before.
    if (!asked) asked = atexit(silence_hdf5) == 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return visit;
}

void ff_hdf5_leave(ff_hdf5_visit visit)
{
    H5Eset_auto2(H5E_DEFAULT, visit.function, visit.data);
#ifdef FF_WITH_THREADS
    pthread_mutex_unlock(&gate);
#endif
}

#else

/// A file of C holds at least one declaration.
typedef int ff_hdf5_gate_is_empty;

#endif
