// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Four robots side by side: AVX2.
#define FF_LANES 4
#include "batch/lanes_run.h"
