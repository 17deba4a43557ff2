// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of images: numbers, texts, places, meshes. Layout and rules are in image.h.
#include "image/image.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 8 }; // of every number  [byte]

static const char CUT_SHORT[] = "it ends in the middle of a value";

ff_image ff_image_reader(const void *bytes, size_t size, ff_arena *arena)
{
    return (ff_image){.mode = FF_IMAGE_READ, .from = bytes, .size = size, .arena = arena};
}

unsigned char *ff_image_encode(ff_image_transfer *transfer, void *what, size_t *size)
{
    ff_image image = {.mode = FF_IMAGE_MEASURE};
    transfer(&image, what);
    *size = image.at;
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes) return NULL;
    image = (ff_image){.mode = FF_IMAGE_WRITE, .to = bytes, .size = *size};
    transfer(&image, what);
    return bytes;
}

void ff_image_fail(ff_image *image, const char *failure)
{
    if (!image->failure) image->failure = failure;
}

bool ff_image_reads(const ff_image *image)
{
    return image->mode == FF_IMAGE_READ && !image->failure;
}

/// Can `size` more bytes be written or read? A failure where they cannot; false while measuring.
static bool has_room(ff_image *image, size_t size)
{
    if (image->failure || image->mode == FF_IMAGE_MEASURE) return false;
    if (size <= image->size - image->at) return true;
    ff_image_fail(image, CUT_SHORT);
    return false;
}

void ff_image_bytes(ff_image *image, void *bytes, size_t size)
{
    if (size > 0 && has_room(image, size)) {
        if (image->mode == FF_IMAGE_WRITE) memcpy(image->to + image->at, bytes, size);
        if (image->mode == FF_IMAGE_READ) memcpy(bytes, image->from + image->at, size);
    }
    if (!image->failure) image->at += size;
}

static void put_bits(unsigned char *to, uint64_t bits)
{
    for (int i = 0; i < WIDTH; i++) to[i] = (unsigned char)(bits >> 8 * i);
}

static uint64_t get_bits(const unsigned char *from)
{
    uint64_t bits = 0;
    for (int i = 0; i < WIDTH; i++) bits |= (uint64_t)from[i] << 8 * i;
    return bits;
}

void ff_image_integer(ff_image *image, int64_t *value)
{
    if (has_room(image, WIDTH)) {
        if (image->mode == FF_IMAGE_WRITE) put_bits(image->to + image->at, (uint64_t)*value);
        if (image->mode == FF_IMAGE_READ) *value = (int64_t)get_bits(image->from + image->at);
    }
    if (!image->failure) image->at += WIDTH;
}

void ff_image_int(ff_image *image, int *value, int low, int high)
{
    int64_t wide = *value;
    ff_image_integer(image, &wide);
    if (!ff_image_reads(image)) return;
    if (wide < low || wide > high)
        ff_image_fail(image, "a number is out of its range");
    else
        *value = (int)wide;
}

void ff_image_flag(ff_image *image, bool *value)
{
    int number = *value;
    ff_image_int(image, &number, 0, 1);
    *value = number != 0;
}

void ff_image_numbers(ff_image *image, double *values, int count)
{
    for (int i = 0; i < count; i++) {
        int64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        ff_image_integer(image, &bits);
        if (ff_image_reads(image)) memcpy(&values[i], &bits, sizeof bits);
    }
}

void ff_image_count(ff_image *image, int *count, size_t least)
{
    ff_image_int(image, count, 0, INT_MAX);
    if (ff_image_reads(image) && (uint64_t)*count * least > image->size - image->at) ff_image_fail(image, CUT_SHORT);
    if (image->failure) *count = 0;
}

void ff_image_text(ff_image *image, const char **text)
{
    int64_t length = *text ? (int64_t)strlen(*text) : -1;
    ff_image_integer(image, &length);
    if (!ff_image_reads(image)) {
        if (length > 0) ff_image_bytes(image, (void *)(uintptr_t)*text, (size_t)length);
        return;
    }
    *text = NULL;
    if (length == -1) return;
    if (length < 0 || (uint64_t)length > image->size - image->at) {
        ff_image_fail(image, CUT_SHORT);
        return;
    }
    const char *from = (const char *)image->from + image->at;
    if (memchr(from, 0, (size_t)length))
        ff_image_fail(image, "a text contains a zero byte");
    else if (!(*text = ff_arena_strndup(image->arena, from, (size_t)length)))
        ff_image_fail(image, "it needs too much memory");
    image->at += (size_t)length;
}

void ff_image_word(ff_image *image, const char **text)
{
    const char *word = *text ? *text : "";
    ff_image_text(image, &word);
    if (image->mode != FF_IMAGE_READ) return;
    if (!word) ff_image_fail(image, "a text is missing");
    *text = word ? word : "";
}

void ff_image_place(ff_image *image, ff_place *place)
{
    enum { NONE, AS_BEFORE, ANOTHER };
    int file = !place->file ? NONE : image->file && strcmp(image->file, place->file) == 0 ? AS_BEFORE : ANOTHER;
    ff_image_int(image, &file, NONE, ANOTHER);
    if (ff_image_reads(image)) place->file = file == AS_BEFORE ? image->file : NULL;
    if (file == ANOTHER) ff_image_text(image, &place->file);
    if (place->file) image->file = place->file;
    FF_IMAGE_ANY(image, &place->line);
    FF_IMAGE_ANY(image, &place->column);
}

static void transfer_mesh(ff_image *image, ff_mesh *mesh)
{
    ff_image_count(image, &mesh->nvertex, 3 * WIDTH);
    ff_image_count(image, &mesh->ntriangle, 3 * WIDTH);
    if (ff_image_reads(image)) {
        mesh->vertices = calloc((size_t)mesh->nvertex * 3 + 1, sizeof(double));
        mesh->triangles = calloc((size_t)mesh->ntriangle * 3 + 1, sizeof(int));
        if (!mesh->vertices || !mesh->triangles) ff_image_fail(image, "it needs too much memory");
    }
    if (image->failure) return;
    ff_image_numbers(image, mesh->vertices, 3 * mesh->nvertex);
    for (int i = 0; i < 3 * mesh->ntriangle; i++)
        FF_IMAGE_ANY(image, &mesh->triangles[i]); // ff_mesh_create checks them
}

void ff_image_mesh(ff_image *image, ff_mesh **mesh)
{
    bool present = *mesh != NULL;
    ff_image_flag(image, &present);
    if (!present) return;
    if (image->mode != FF_IMAGE_READ) {
        transfer_mesh(image, *mesh);
        return;
    }
    ff_mesh raw = {0};
    transfer_mesh(image, &raw);
    if (ff_image_reads(image) &&
        !(*mesh = ff_mesh_create(raw.vertices, raw.nvertex, raw.triangles, raw.ntriangle, NULL)))
        ff_image_fail(image, "a mesh has a corner that does not exist, or needs too much memory");
    free(raw.vertices);
    free(raw.triangles);
}
