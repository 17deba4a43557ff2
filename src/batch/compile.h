// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files that compile a batch model share.
#ifndef FOOTFALL_BATCH_COMPILE_H
#define FOOTFALL_BATCH_COMPILE_H

#include <footfall/batch.h>

#include "batch/model.h"
#include "world/world.h"

/// A model in the making: the model comes first, so that both have one address.
typedef struct ff_batch_making {
    ff_batch_model model;
    ff_arena arena; // owns its arrays
} ff_batch_making;

/// What moves the joints in place of a part of the simulation.
typedef struct ff_batch_joint_law {
    const ff_batch_servo *servos;
    int nservo;
    int part;             // of the simulation, that the servos stand for; -1: none
    const double *torque; // that is held besides  (nv)  NULL: none
    const double *start;  // positions that are held; NULL: those of the state  (nq)
    const double *poses;  // of a cycle, added to the targets, which are zero then  (npose*nq)  NULL: none
    int npose;
    double period; // [s]
} ff_batch_joint_law;
/// ff_batch_compile with such a law.
ff_batch_model *ff_batch_compile_law(ff_sim *sim, const ff_batch_joint_law *law, ff_report *report);

/// Reports everything a batch cannot do (refuse.c), but for the part `known`. @return how many errors were added
int ff_batch_refuse(ff_sim *sim, int known, ff_report *report);
/// Planes, points and laws of the contacts, `nodes` being there; their memory in the start (compile_contacts.c).
/// @param at  number of each node of the simulation's model in the batch model
void ff_batch_add_contacts(ff_batch_making *making, ff_sim *sim, const int *at, ff_report *report);
void ff_batch_start_contacts(const ff_batch_model *model, ff_sim *sim, double *start);
/// Names of joints, feet, bodies and shapes (compile_names.c). @return false: no memory
/// @param at  number of each node of the simulation's model in the batch model
bool ff_batch_add_names(ff_batch_making *making, const ff_sim *sim, const int *at);

/// Where a shape of the world stands in its file.
ff_place ff_batch_place_of(const ff_world *world, int shape);

// Height fields (compile_fields.c).
/// Is a shape a height field that is fixed to the world?
bool ff_batch_is_field(const ff_world *world, int shape);
int ff_batch_count_fields(const ff_world *world);
/// Fields with their heights; there is room for ff_batch_count_fields. @return false without memory
bool ff_batch_add_fields(ff_batch_making *making, const ff_world *world);
/// Reports where a shape cannot stand on a field. @return false: it cannot
bool ff_batch_check_bends(const ff_world *world, int field, int shape, ff_report *report);
/// Warns of fields with ridges that boxes and capsules do not feel.
void ff_batch_warn_of_ridges(const ff_batch_model *model, const ff_world *world, ff_report *report);
/// The first upright field below the first free root at the start, -1: none.
int ff_batch_field_below(const ff_batch_model *model);

#endif
