// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Making the drives of a model, and computing all of them, for the rooms above; users compile a plant.
#ifndef FOOTFALL_DRIVE_SET_H
#define FOOTFALL_DRIVE_SET_H

#include <footfall/drive.h>

/// Takes the rotors of drives that move on their own off the armature of their joints, and adds those of drives listed
/// under `drives` that do not. Call it on a description before it is compiled, with the options of the set.
void ff_drive_prepare(ff_spec *spec, const ff_drive_options *options);
/// Makes the drives of a model. Mistakes in the descriptions are reported with their places, poles left out as notes.
/// @return NULL when `report` has errors
ff_drive_set *ff_drive_set_create(const ff_model *model, const ff_drive_options *options, ff_report *report);
/// Frees it; NULL is allowed.
void ff_drive_set_destroy(ff_drive_set *set);
/// ff_drive_evaluate of drives `from` to `to` - 1, whose states follow each other in z. `memory` and `flows` have a
/// place for each drive of the set; flows are zero or from the last call.
/// @param at  where paths that bend stand (ff_drive_bends), at the number of their drive; NULL: not known
void ff_drive_evaluate_all(const ff_drive_set *set, const ff_drive_memory *memory, int from, int to, const double *q,
                           const double *v, const ff_drive_position *at, const double *z, double *zdot,
                           ff_drive_flow *flows);

#endif
