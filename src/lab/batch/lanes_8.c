// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Eight robots side by side: AVX-512.
#define FF_LANES 8
#include "batch/lanes_run.h"
