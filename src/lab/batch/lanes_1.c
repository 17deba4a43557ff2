// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One robot at a time: Any processor.
#define FF_LANES 1

#include <stdbool.h>

static bool there(void)
{
    return true;
}

#include "batch/lanes_run.h"
