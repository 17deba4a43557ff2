// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of all measures.
#include "measure/kinds.h"

#define ADDRESS(name) &ff_measure_##name,
const ff_measure_kind *const ff_measure_kinds[] = {FF_MEASURE_LIST(ADDRESS) NULL};
