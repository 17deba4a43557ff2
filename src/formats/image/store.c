// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of a scene from the disk or from its image: store.h.
#include "image/store.h"

#include <footfall/text.h>
#include <stdlib.h>
#include <string.h>

static const char NO_MEMORY[] = "it needs too much memory";

void ff_store_clear(ff_store *store)
{
    for (int i = 0; i < store->nitem; i++)
        if (store->items[i].owned) free((void *)(uintptr_t)store->items[i].bytes);
    free(store->items);
    ff_arena_clear(&store->arena);
    *store = (ff_store){0};
}

static ff_store_item *find(const ff_store *store, const char *key)
{
    for (int i = 0; i < store->nitem; i++)
        if (strcmp(store->items[i].key, key) == 0) return &store->items[i];
    return NULL;
}

// ------------------------------------------------------------------------------------------ all items

static void transfer_item(ff_image *image, ff_store *store, ff_store_item *item)
{
    ff_image_word(image, &item->key);
    ff_image_integer(image, &item->size);
    if (image->mode != FF_IMAGE_READ) {
        ff_image_bytes(image, (void *)(uintptr_t)item->bytes, (size_t)item->size);
        return;
    }
    if (image->failure) return;
    if (item->size < 0 || (uint64_t)item->size > image->size - image->at) {
        ff_image_fail(image, "it ends in the middle of a file");
        return;
    }
    item->bytes = image->from + image->at;
    image->at += (size_t)item->size;
    if (!ff_array_grow(&store->items, store->nitem, &store->capacity, sizeof *store->items))
        ff_image_fail(image, NO_MEMORY);
    else
        store->items[store->nitem++] = *item;
}

void ff_image_store(ff_image *image, ff_store *store)
{
    enum { LEAST_BYTES = 2 * 8 };
    int count = 0;
    for (int i = 0; i < store->nitem; i++) count += store->items[i].used;
    ff_image_count(image, &count, LEAST_BYTES);
    if (image->mode != FF_IMAGE_READ) {
        for (int i = 0; i < store->nitem; i++)
            if (store->items[i].used) transfer_item(image, store, &store->items[i]);
        return;
    }
    ff_arena *outer = image->arena;
    image->arena = &store->arena;
    store->closed = true;
    for (int i = 0; i < count && !image->failure; i++) transfer_item(image, store, &(ff_store_item){0});
    image->arena = outer;
}

// ------------------------------------------------------------------------------------------ one item

/// Adds the image of a thing to an open store, unless it is there. @return false without memory
static bool add(ff_store *store, const char *key, ff_image_transfer *transfer, void *what)
{
    ff_store_item item = {.key = key, .used = true, .owned = true};
    size_t size;
    if (find(store, key)) return true;
    unsigned char *bytes = ff_image_encode(transfer, what, &size);
    if (!bytes || !ff_array_grow(&store->items, store->nitem, &store->capacity, sizeof *store->items)) {
        free(bytes);
        return false;
    }
    item.bytes = bytes;
    item.size = (int64_t)size;
    store->items[store->nitem++] = item;
    return true;
}

/// Reads a thing from a closed store.
static ff_status read(const ff_store *store, const char *key, ff_image_transfer *transfer, void *what, ff_arena *arena,
                      ff_error *err)
{
    ff_store_item *item = find(store, key);
    if (!item)
        return ff_error_set(
            err, FF_NOT_FOUND,
            "the image of the scene does not hold '%.300s': what it holds cannot be exchanged by --set; "
            "make an image of the scene as wanted",
            key);
    item->used = true;
    ff_image image = ff_image_reader(item->bytes, (size_t)item->size, arena);
    transfer(&image, what);
    if (!image.failure && image.at != image.size) ff_image_fail(&image, "it has bytes left over");
    if (image.failure)
        return ff_error_set(err, FF_BAD_FILE, "the image of '%.300s' is damaged: %s", key, image.failure);
    return FF_OK;
}

ff_status ff_store_transfer(ff_store *store, const char *key, ff_image_transfer *transfer, void *what, ff_arena *arena,
                            ff_error *err)
{
    if (key && store->closed) return read(store, key, transfer, what, arena, err);
    if (key && add(store, key, transfer, what)) return FF_OK;
    return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

// ------------------------------------------------------------------------------------------ meshes

static void transfer_mesh(ff_image *image, void *what)
{
    ff_mesh **mesh = what;
    ff_image_mesh(image, mesh);
    if (ff_image_reads(image) && !*mesh) ff_image_fail(image, "there is no mesh in it");
}

ff_mesh *ff_store_mesh(ff_store *store, const char *path, const double scale[3], ff_error *err)
{
    if (!store) return ff_mesh_load(path, scale, err);
    char size[3][FF_TEXT_NUMBER_SIZE];
    for (int i = 0; i < 3; i++) ff_text_format_number(scale[i], size[i]);
    const char *key = ff_arena_printf(&store->arena, "mesh %s, scale %s %s %s", path, size[0], size[1], size[2]);
    ff_mesh *mesh = NULL;
    if (!store->closed && !(mesh = ff_mesh_load(path, scale, err))) return NULL;
    if (ff_store_transfer(store, key, transfer_mesh, &mesh, &store->arena, err) == FF_OK) return mesh;
    ff_mesh_destroy(mesh);
    return NULL;
}

// ------------------------------------------------------------------------------------------ pictures

typedef struct picture {
    const double *size; // of the field  (2)
    ff_field *field;
} picture;

static void transfer_picture(ff_image *image, void *what)
{
    picture *p = what;
    int nx = 0, ny = 0;
    const double *heights = p->field ? ff_field_heights(p->field, &nx, &ny) : NULL;
    ff_image_count(image, &nx, sizeof(double));
    ff_image_count(image, &ny, sizeof(double));
    if (image->mode != FF_IMAGE_READ) {
        ff_image_numbers(image, (double *)(uintptr_t)heights, nx * ny);
        return;
    }
    if (!image->failure && (uint64_t)nx * (uint64_t)ny > (image->size - image->at) / sizeof(double))
        ff_image_fail(image, "it ends in the middle of the heights");
    if (image->failure) return;
    double *read = calloc((size_t)nx * (size_t)ny + 1, sizeof *read);
    if (!read) ff_image_fail(image, NO_MEMORY);
    if (read) ff_image_numbers(image, read, nx * ny);
    if (!image->failure && !(p->field = ff_field_create(read, nx, ny, p->size, NULL)))
        ff_image_fail(image, "its heights make no field");
    free(read);
}

ff_field *ff_store_picture(ff_store *store, const char *path, const double size[2], double height, ff_error *err)
{
    if (!store) return ff_field_create_png(path, size, height, err);
    char number[3][FF_TEXT_NUMBER_SIZE];
    for (int i = 0; i < 3; i++) ff_text_format_number(i < 2 ? size[i] : height, number[i]);
    const char *key =
        ff_arena_printf(&store->arena, "picture %s, size %s %s, height %s", path, number[0], number[1], number[2]);
    picture p = {size, NULL};
    if (!store->closed && !(p.field = ff_field_create_png(path, size, height, err))) return NULL;
    if (ff_store_transfer(store, key, transfer_picture, &p, &store->arena, err) == FF_OK) return p.field;
    ff_field_destroy(p.field);
    return NULL;
}

// ------------------------------------------------------------------------------------------ texts

typedef struct text {
    char *bytes; // zero-terminated
    size_t length;
} text;

static void transfer_text(ff_image *image, void *what)
{
    text *t = what;
    int64_t length = (int64_t)t->length;
    ff_image_integer(image, &length);
    if (ff_image_reads(image)) {
        if (length < 0 || (uint64_t)length > image->size - image->at) {
            ff_image_fail(image, "it ends in the middle of the text");
            return;
        }
        t->length = (size_t)length;
        if (!(t->bytes = calloc(t->length + 1, 1))) ff_image_fail(image, NO_MEMORY);
    }
    if (!image->failure) ff_image_bytes(image, t->bytes, t->length);
}

char *ff_store_text(ff_store *store, const char *path, size_t max_bytes, size_t *length, ff_place place,
                    ff_report *report)
{
    if (!store) return ff_text_load(path, max_bytes, length, place, report);
    const char *key = ff_arena_printf(&store->arena, "script %s", path);
    text t = {0};
    ff_error err = {0};
    if (!store->closed && !(t.bytes = ff_text_load(path, max_bytes, &t.length, place, report))) return NULL;
    ff_status status = ff_store_transfer(store, key, transfer_text, &t, &store->arena, &err);
    if (status != FF_OK) ff_report_add(report, FF_ERROR, place, "%s", err.text);
    if (status == FF_OK && t.length > max_bytes) {
        ff_report_add(report, FF_ERROR, place, "'%.300s' has %zu bytes, more than the limit of %zu", key, t.length,
                      max_bytes);
        status = FF_LIMIT;
    }
    *length = t.length;
    if (status == FF_OK) return t.bytes;
    free(t.bytes);
    return NULL;
}
