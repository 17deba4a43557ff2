// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files are scenes rather than robots.
#ifndef FOOTFALL_APPS_SCENES_H
#define FOOTFALL_APPS_SCENES_H

#include <footfall/scene.h>

/// True when the file can be read and looks like a scene. False leaves it to the robot loaders to say what is wrong.
bool scene_file_detect(const char *path);
/// Says why a file in which none was found is no scene: it cannot be read, or it is something else, such as a robot.
void scene_file_refuse(const char *path, ff_report *report);

#endif
