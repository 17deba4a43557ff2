// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Deep copies of what several parts of a description have: settings of drives and sensors, curves of batteries.
#ifndef FOOTFALL_MODEL_COPY_H
#define FOOTFALL_MODEL_COPY_H

#include <footfall/spec.h>

/// @return `n` settings whose texts and numbers live in `arena`; NULL when memory is short, never for n = 0
ff_spec_setting *ff_settings_copy(ff_arena *arena, const ff_spec_setting *from, int n);
/// @return the points of the curve of `from`, in `arena`; NULL when memory is short, never for an empty curve
double *ff_battery_curve_copy(ff_arena *arena, const ff_spec_battery *from);

#endif
