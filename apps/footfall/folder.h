// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders and files for results.
#ifndef FOOTFALL_APPS_FOLDER_H
#define FOOTFALL_APPS_FOLDER_H

#include <footfall/base.h>

/// Makes a folder and those above it where they are missing. @return false with the reason in `err`
bool make_folder(const char *path, ff_error *err);
/// Is there a file that does not begin with `head`, as all do that a command writes? It would be lost.
bool holds_something_else(const char *path, const char *head);
/// That of pictures.
#define PNG_HEAD "\x89PNG\r\n\x1a\n"
/// Are these names of one file that is there?
bool is_same_file(const char *one, const char *other);

#endif
