// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// 2 robots beside each other: NEON, SSE4.2 (SSE2 cannot compare integers of 64 bits).
#define FF_LANES 2

#include <stdbool.h>

static bool there(void)
{
#ifdef FF_BATCH_X86
    return __builtin_cpu_supports("sse4.2");
#else
    return true;
#endif
}

#include "batch/lanes_run.h"
