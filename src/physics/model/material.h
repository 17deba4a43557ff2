// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact materials of a description, found by name.
#ifndef FOOTFALL_MODEL_MATERIAL_H
#define FOOTFALL_MODEL_MATERIAL_H

#include <footfall/spec.h>

/// Finds a material among those of the description, then in the library. An unknown name is reported with those there
/// are.
/// @param out  may be NULL
bool ff_material_resolve(const ff_spec *spec, const char *name, ff_material *out, ff_place place, ff_report *report);

#endif
