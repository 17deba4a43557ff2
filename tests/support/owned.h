// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that are destroyed when the test ends that made them: `ff_sim *sim = owned_sim(ff_sim_create(..))`. NULL is
// allowed.
#ifndef FOOTFALL_TESTS_OWNED_H
#define FOOTFALL_TESTS_OWNED_H

#include "check.h"

#include <footfall/footfall.h>

static inline void owned_end_plant(void *object)
{
    ff_plant_destroy(object);
}

static inline ff_plant *owned_plant(ff_plant *object)
{
    check_at_end(owned_end_plant, object);
    return object;
}

static inline void owned_end_sim(void *object)
{
    ff_sim_destroy(object);
}

static inline ff_sim *owned_sim(ff_sim *object)
{
    check_at_end(owned_end_sim, object);
    return object;
}

static inline void owned_end_world(void *object)
{
    ff_world_destroy(object);
}

static inline ff_world *owned_world(ff_world *object)
{
    check_at_end(owned_end_world, object);
    return object;
}

#endif
