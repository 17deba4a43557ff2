// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes of descriptions by readers and scenes, beyond the public calls of spec.h.
#ifndef FOOTFALL_MODEL_EDIT_H
#define FOOTFALL_MODEL_EDIT_H

#include <footfall/spec.h>

/// ff_spec_attach without the named states: those of `spec` keep their numbers, those of `other` their places.
/// For readers that fit them to the joined description themselves, when all of it is there. (attach.c)
/// @param suffix  goes behind all names
ff_status ff_spec_join(ff_spec *spec, const ff_spec *other, const char *prefix, const char *suffix, int parent,
                       const double pos[3], const double quat[4], ff_report *report);

/// Mirror image of a description across the plane through its origin normal to `axis` (0 x, 1 y, 2 z). Joints keep
/// signs: equal coordinates give mirrored poses. (mirror.c)
void ff_spec_mirror(ff_spec *spec, int axis);

/// The setting of a name, NULL: there is none. (fields.c)
const ff_spec_setting *ff_settings_find(const ff_spec_setting *settings, int n, const char *name);
/// @return `n` settings whose texts and numbers live in `arena`; NULL when out of memory (fields.c)
ff_spec_setting *ff_settings_copy(ff_arena *arena, const ff_spec_setting *from, int n);

/// Finds a contact material among those of the description, then in the library. An unknown name is reported with those
/// that exist. (material.c)
/// @param out  may be NULL
bool ff_material_resolve(const ff_spec *spec, const char *name, ff_material *out, ff_place place, ff_report *report);

/// Adds the legs of the one robot that floats, where the description has none yet, and a note about them. Round
/// feet whose centre is no frame get one, NAME_foot_centre. (find_legs.c)
void ff_find_legs(ff_spec *spec, const char *file, ff_report *report);

#endif
