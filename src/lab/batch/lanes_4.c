// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// 4 robots beside each other: AVX2.
#define FF_LANES 4

#include <stdbool.h>

static bool there(void)
{
    return __builtin_cpu_supports("avx2");
}

#include "batch/lanes_run.h"
