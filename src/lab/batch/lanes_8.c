// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// 8 robots beside each other: AVX-512.
#define FF_LANES 8

#include <stdbool.h>

static bool there(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

#include "batch/lanes_run.h"
