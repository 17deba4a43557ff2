// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of drives and sensors, as several parts of the library use them.
#ifndef FOOTFALL_MODEL_SETTINGS_H
#define FOOTFALL_MODEL_SETTINGS_H

#include <footfall/spec.h>

/// The setting of a name, NULL: there is none.
const ff_spec_setting *ff_settings_find(const ff_spec_setting *settings, int n, const char *name);
/// @return `n` settings whose texts and numbers live in `arena`; NULL when memory is short (fields.c)
ff_spec_setting *ff_settings_copy(ff_arena *arena, const ff_spec_setting *from, int n);

#endif
