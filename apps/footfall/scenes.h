// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distinguishing scene files from robot files, and making a scene of a robot alone.
#ifndef FOOTFALL_APPS_SCENES_H
#define FOOTFALL_APPS_SCENES_H

#include "loading.h"

#include <footfall/scene.h>

/// True when the file can be read and looks like a scene. False leaves it to the robot loaders to say what is wrong.
bool scene_file_detect(const char *path);

/// A scene with one robot at its reference pose: 5 s, rk4 at 1 ms, state and energy recorded. NULL with the reasons in
/// `report`.
const ff_scene_spec *scene_of_robot(const char *path, const model_options *options, const char *const *overrides,
                                    int noverride, ff_report *report);
/// Hands over errors of such a scene: places in it mean nothing to the user, those in an override do.
void scene_of_robot_errors(const char *path, const ff_report *found, ff_report *report);

#endif
