// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The image of a robot's description: all fields of model/fields.c, in their order. Whether the numbers make a robot is
// checked by the compiler; here indices and enumerations are kept within their ranges, since nothing checks them later.
#include "image/image.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "model/fields.h"

/// An image, and the description that the items belong to.
typedef struct transfer {
    ff_image *image;
    ff_spec *spec;
} transfer;

static void transfer_fields(const transfer *t, const ff_field *fields, char *item);

/// Transfers the number of the items of `size` bytes to which the pointer at `at` points; reading allocates them.
/// @param least  bytes that an item takes in an image at least  @return the items
static void *transfer_count(const transfer *t, void *at, int *count, size_t size, size_t least)
{
    void *items;
    ff_image_count(t->image, count, least);
    if (ff_image_reads(t->image)) {
        items = ff_arena_alloc(t->image->arena, 2 * (size_t)*count + 1, size); // a tendon may get further pieces
        if (!items) ff_image_fail(t->image, "it needs too much memory");
        memcpy(at, &items, sizeof items);
    }
    memcpy(&items, at, sizeof items);
    return items;
}

/// Numbers, with a pointer that may be NULL.
static void transfer_array(const transfer *t, const ff_field *f, char *item)
{
    int *count = (int *)(void *)(item + f->count_at);
    double *values;
    memcpy(&values, item + f->at, sizeof values);
    bool present = values != NULL;
    ff_image_flag(t->image, &present);
    if (present)
        values = transfer_count(t, item + f->at, count, sizeof *values, sizeof *values);
    else
        ff_image_count(t->image, count, 0);
    if (f->kind == FF_FIELD_FULL_ARRAY && ff_image_reads(t->image) && *count > 0 && !present)
        ff_image_fail(t->image, "a list of numbers is missing");
    if (present && !t->image->failure) ff_image_numbers(t->image, values, *count);
}

static void transfer_items(const transfer *t, const ff_field *f, char *item)
{
    int *count = (int *)(void *)(item + f->count_at);
    char *items =
        transfer_count(t, item + f->at, count, f->size, f->size); // an item takes at least as many bytes as in memory
    for (int i = 0; i < *count && !t->image->failure; i++) transfer_fields(t, f->of, items + (size_t)i * f->size);
    if (t->image->failure && t->image->mode == FF_IMAGE_READ) *count = 0;
}

static void transfer_letters(const transfer *t, char *letters, size_t size)
{
    const char *text = letters;
    ff_image_word(t->image, &text);
    if (!ff_image_reads(t->image)) return;
    const size_t length = strlen(text);
    if (length < size)
        memcpy(letters, text, length + 1);
    else
        ff_image_fail(t->image, "the name of a material is too long");
}

static void transfer_field(const transfer *t, const ff_field *f, char *item)
{
    ff_image *image = t->image;
    void *at = item + f->at;
    int *counter = (int *)(void *)(item + f->count_at);
    switch (f->kind) {
    case FF_FIELD_NUMBERS:
        ff_image_numbers(image, at, f->count);
        break;
    case FF_FIELD_FLAGS:
        for (int i = 0; i < f->count; i++) ff_image_flag(image, (bool *)at + i);
        break;
    case FF_FIELD_INTS:
        for (int i = 0; i < f->count; i++) ff_image_int(image, (int *)at + i, f->low, f->high);
        break;
    case FF_FIELD_BODY: // bodies come first, so all of them are known
        ff_image_int(image, at, -1, t->spec->nbody - 1);
        break;
    case FF_FIELD_PARENT:
        ff_image_int(image, at, -1, t->spec->nbody - 2);
        break;
    case FF_FIELD_MESH_NUMBER:
        ff_image_int(image, at, -1, t->spec->nmesh - 1);
        break;
    case FF_FIELD_TEXT:
    case FF_FIELD_NAME:
    case FF_FIELD_BODY_NAME:
        for (int i = 0; i < f->count; i++) ff_image_text(image, (const char **)at + i);
        break;
    case FF_FIELD_WORD:
        ff_image_word(image, at);
        break;
    case FF_FIELD_LETTERS:
        transfer_letters(t, at, (size_t)f->count);
        break;
    case FF_FIELD_PLACE:
        ff_image_place(image, at);
        break;
    case FF_FIELD_ARRAY:
    case FF_FIELD_FULL_ARRAY:
        transfer_array(t, f, item);
        break;
    case FF_FIELD_PAIRS:
        ff_image_int(image, counter, 0, f->high);
        ff_image_numbers(image, at, 2 * *counter);
        break;
    case FF_FIELD_NAMES:
        ff_image_int(image, counter, 0, f->high);
        for (int i = 0; i < *counter; i++) ff_image_text(image, (const char **)at + i);
        break;
    case FF_FIELD_ITEMS:
        transfer_items(t, f, item);
        break;
    case FF_FIELD_STRUCT:
        transfer_fields(t, f->of, at);
        break;
    case FF_FIELD_MESH:
        ff_image_mesh(image, at);
        break;
    case FF_FIELD_END:
        break;
    }
}

static void transfer_fields(const transfer *t, const ff_field *fields, char *item)
{
    for (const ff_field *f = fields; f->kind != FF_FIELD_END; f++) transfer_field(t, f, item);
}

/// All items of a kind, whose array grows while it is read.
static void transfer_kind(const transfer *t, ff_spec_item kind)
{
    int count = ff_item_count(t->spec, kind);
    ff_image_count(t->image, &count, sizeof(double));
    for (int i = 0; i < count && !t->image->failure; i++) {
        if (t->image->mode == FF_IMAGE_READ && !ff_item_add(t->spec, kind))
            ff_image_fail(t->image, "it needs too much memory");
        else
            transfer_fields(t, ff_item_kinds[kind].fields, ff_item_at(t->spec, kind, i));
    }
}

void ff_image_spec(ff_image *image, ff_spec *spec)
{
    const transfer t = {image, spec};
    ff_arena *outer = image->arena;
    if (image->mode == FF_IMAGE_READ) image->arena = &spec->arena;
    image->file = NULL; // the texts of a description must not lie outside it
    transfer_fields(&t, ff_spec_fields, (char *)spec);
    for (int kind = 0; kind < FF_ITEM_COUNT; kind++) transfer_kind(&t, (ff_spec_item)kind);
    image->arena = outer;
    image->file = NULL;
}
