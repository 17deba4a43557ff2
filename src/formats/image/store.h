// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The files that a scene names: robots, meshes, pictures of heights, scripts. Without a store they are read from disk.
// An open store keeps the image of each one that is read; a closed one, filled from the image of a scene, takes the
// place of the disk.
//
// A file is identified by its kind, its path and the options of reading it, such as the scale of a mesh.
#ifndef FOOTFALL_IMAGE_STORE_H
#define FOOTFALL_IMAGE_STORE_H

#include "image/image.h"

#include <footfall/collide.h>

typedef struct ff_store_item {
    const char *key;            // in the arena of the store
    const unsigned char *bytes; // its image
    int64_t size;
    bool used;  // since the store was made
    bool owned; // `bytes` are freed with the store
} ff_store_item;

typedef struct ff_store {
    ff_arena arena;
    bool closed;
    ff_store_item *items; // in the order of their first use
    int nitem, capacity;
} ff_store;

void ff_store_clear(ff_store *store);
/// Transfers the items that were used. A store that is read becomes closed, and borrows the bytes of the image.
void ff_image_store(ff_image *image, ff_store *store);

/// Reads a thing from a closed store, or adds its image to an open one. @param key  NULL: memory is short
/// @return FF_OK; anything else with the reason in `err`
ff_status ff_store_transfer(ff_store *store, const char *key, ff_image_transfer *transfer, void *what, ff_arena *arena,
                            ff_error *err);

// Each does what the function of the same name without a store does; `store` may be NULL. Robots: load/stored.h.
ff_mesh *ff_store_mesh(ff_store *store, const char *path, const double scale[3], ff_error *err);
ff_field *ff_store_picture(ff_store *store, const char *path, const double size[2], double height, ff_error *err);
char *ff_store_text(ff_store *store, const char *path, size_t max_bytes, size_t *length, ff_place place,
                    ff_report *report);

#endif
