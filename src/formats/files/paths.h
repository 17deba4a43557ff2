// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths of the files that a robot file refers to.
#ifndef FOOTFALL_FILES_PATHS_H
#define FOOTFALL_FILES_PATHS_H

#include <footfall/model.h>

/// Path of an existing regular file for `reference` as written in `file`: package://NAME/rest and model://NAME/rest,
/// file:///path, an absolute path, or one seen from the folder of `file` (then from the search paths).
/// A package is searched in the folders above the file, itself named NAME or with such a folder inside, then in
/// options->search_paths, then in the folders of ROS_PACKAGE_PATH and AMENT_PREFIX_PATH.
/// @return a path in `arena`, or NULL with `problem` filled
const char *ff_path_find(ff_arena *arena, const char *reference, const char *file, const ff_load_options *options,
                         char problem[256]);

#endif
