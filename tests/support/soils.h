// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The soils of Silva's table, and a simulation of what stands on one of them.
#ifndef FOOTFALL_TESTS_SOILS_H
#define FOOTFALL_TESTS_SOILS_H

#include "check.h"

#include <footfall/world.h>

static const char *const SOILS[] = {"concrete", "wood", "gravel", "sand", "compact-clay", "loose-clay", "peat"};
enum { SOIL_COUNT = sizeof SOILS / sizeof *SOILS };

/// A soil by its name, with a friction of 0.8.
static inline ff_material soil(const char *name, bool non_linear)
{
    ff_material material;
    ff_error err = {0};
    if (ff_soil_find(name, non_linear, 0.8, &material, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return material;
}

typedef struct stage {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
} stage;

static inline void close_stage(stage *s)
{
    ff_sim_destroy(s->sim);
    ff_world_destroy(s->world);
    ff_model_destroy(s->model);
}

#endif
