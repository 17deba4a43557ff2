// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The YAML form of contact materials, which robot files and scenes share: docs/model-files.md, "Materials".
#ifndef FOOTFALL_NATIVE_MATERIAL_H
#define FOOTFALL_NATIVE_MATERIAL_H

#include "text/yaml.h"

#include <footfall/spec.h>

/// Reads `name: {like, soil, normal, friction, per, source}` entries into the description. A name that is there already
/// (from an imported file) is replaced.
/// @param file  for places; lives as long as the description
void ff_yaml_materials(ff_yaml *map, ff_spec *spec, const char *file, ff_report *report);

/// Reads the keys of one material from a map; other keys are left alone. False when something was reported.
/// @param name  for messages, and the name of the result
bool ff_yaml_material(ff_yaml *node, const char *name, ff_spec *spec, ff_material *out, ff_report *report);

#endif
