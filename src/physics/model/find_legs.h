// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of robots whose files have no word for them (find_legs.c).
#ifndef FOOTFALL_MODEL_FIND_LEGS_H
#define FOOTFALL_MODEL_FIND_LEGS_H

#include <footfall/model.h>

/// Adds the legs of the one robot that floats, where the description has none yet, and a note on what was found. Round
/// feet whose centre is no frame get one, NAME_foot_centre.
void ff_find_legs(ff_spec *spec, const char *file, ff_report *report);

#endif
