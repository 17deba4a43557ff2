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

/// Reports everything a batch cannot do (refuse.c). @return how many errors were added
int ff_batch_refuse(ff_sim *sim, ff_report *report);
/// Planes, points and laws of the contacts, `nodes` being there; their memory in the start (compile_contacts.c).
/// @param at  number of each node of the simulation's model in the batch model
void ff_batch_add_contacts(ff_batch_making *making, ff_sim *sim, const int *at, ff_report *report);
void ff_batch_start_contacts(const ff_batch_model *model, ff_sim *sim, double *start);

#endif
