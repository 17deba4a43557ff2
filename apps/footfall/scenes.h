// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files are scenes rather than robots.
#ifndef FOOTFALL_APPS_SCENES_H
#define FOOTFALL_APPS_SCENES_H

#include <footfall/scene.h>

/// True when the file can be read and looks like a scene. False leaves it to the robot loaders to say what is wrong.
bool scene_file_detect(const char *path);

#endif
