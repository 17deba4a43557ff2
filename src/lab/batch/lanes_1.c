// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One robot at a time, on any processor.
#define FF_LANES 1
#include "batch/lanes_run.h"
