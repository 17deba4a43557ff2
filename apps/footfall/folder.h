// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders for results.
#ifndef FOOTFALL_APPS_FOLDER_H
#define FOOTFALL_APPS_FOLDER_H

#include <footfall/base.h>

/// Makes a folder and those above it where they are missing. @return false with the reason in `err`
bool make_folder(const char *path, ff_error *err);

#endif
