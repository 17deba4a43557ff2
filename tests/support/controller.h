// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A controller of walking robots as tests see it.
#ifndef FOOTFALL_TEST_SUPPORT_CONTROLLER_H
#define FOOTFALL_TEST_SUPPORT_CONTROLLER_H

#include "check.h"

#include <footfall/io_bus.h>
#include <string.h>

/// The present value of a signal.
static inline double controller_signal(ff_controller c, const char *name)
{
    for (int i = 0; i < c.nsignal; i++)
        if (strcmp(c.signals[i].name, name) == 0) return c.values[i];
    CHECK_FAIL("no signal %s", name);
    return 0.0;
}

#endif
