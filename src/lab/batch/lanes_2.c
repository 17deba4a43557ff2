// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two robots side by side: NEON, SSE4.2 (SSE2 cannot compare integers of 64 bits).
#define FF_LANES 2
#include "batch/lanes_run.h"
