// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the image of a scene holds, and how it is read and written. Its users are ff_scene_make_image and
// ff_scene_parse.
#ifndef FOOTFALL_SCENE_IMAGE_H
#define FOOTFALL_SCENE_IMAGE_H

#include "image/store.h"

typedef struct ff_scene_image {
    const char *path;    // of the scene's file
    const char *variant; // whose values the document has; NULL: none
    const char *text;    // of the file, with the overrides as comments
    ff_yaml *root;       // the document, as it is read: one variant, overrides in place
    ff_store store;      // the files it names
} ff_scene_image;

/// Reads an image; texts and document live in `arena`, the files in `bytes`. @return false with what is wrong in
/// `report`
bool ff_scene_image_read(ff_scene_image *image, const void *bytes, size_t size, const char *file, ff_arena *arena,
                         ff_report *report);
/// @return the bytes, which the caller frees; NULL when memory is short
unsigned char *ff_scene_image_write(ff_scene_image *image, size_t *size);

#endif
