// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the scene room share: scene.c reads the file, robots.c its robots and their start, forces.c scripted forces and
// springs, metrics.c what is measured and expected, variants.c the variants of a scene, run.c makes and runs the simulation.
#ifndef FOOTFALL_SCENE_INTERNAL_H
#define FOOTFALL_SCENE_INTERNAL_H

#include "model/yaml.h"

#include <footfall/scene.h>

/// A scene being read.
typedef struct ff_scene_reader {
    ff_scene *scene;
    ff_yaml *root;
    const char *file; // lives as long as the scene
    ff_report *report;
} ff_scene_reader;

/// Number of children of a list; 0 (reported) for anything else, and for NULL.
int ff_scene_list(const ff_scene_reader *r, ff_yaml *node, const char *what);

/// Loads the robots, compiles the model, fills scene->model, robots, q, v. False when something was reported.
bool ff_scene_read_robots(ff_scene_reader *r);
void ff_scene_read_forces(ff_scene_reader *r);
void ff_scene_read_springs(ff_scene_reader *r);
/// Expectations; metrics are named after the compiled model.
void ff_scene_read_expectations(ff_scene_reader *r);

/// Puts the values of the chosen variant in place; before the overrides.
void ff_scene_apply_variant(ff_scene_reader *r, ff_arena *tree, const char *const *overrides, int noverride);
/// Names of all variants.
void ff_scene_read_variants(ff_scene_reader *r);

/// Adds forces, springs and measuring to scene->sim.
ff_status ff_scene_add_forces(ff_scene *scene, ff_error *err);
ff_status ff_scene_add_springs(ff_scene *scene, ff_error *err);
ff_status ff_scene_add_measure(ff_scene *scene, ff_error *err);
/// Takes the last sample and fills metrics and expectations. `finished` is false when the run failed.
void ff_scene_judge(ff_scene *scene, bool finished);

#endif
