// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The image of a scene: the document with variant and overrides applied, and the decoded contents of every file that it
// names. Models are compiled when it is read, since compiled layouts depend on the processor. Numbers and texts are
// encoded as in image/image.h.
//
//     "FFSCENE" and a zero byte
//     byte order, format version, size of the whole, check of all that follows (FNV-1a)
//     path of the scene, its variant, its text, the document, the files it names
#include "base/file.h"
#include "scene/reader.h"

#include <errno.h>
#include <footfall/scene.h>
#include <footfall/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "FFSCENE";
static const int64_t ORDER_MARK = 0x0102030405060708, OTHER_ORDER = 0x0807060504030201;
enum { VERSION = 8, HEADER_BYTES = 40 };

typedef struct header {
    char magic[sizeof MAGIC];
    int64_t order, version, total, check;
} header;

static void transfer_header(ff_image *image, void *what)
{
    header *h = what;
    ff_image_bytes(image, h->magic, sizeof h->magic);
    ff_image_integer(image, &h->order);
    ff_image_integer(image, &h->version);
    ff_image_integer(image, &h->total);
    ff_image_integer(image, &h->check);
}

static void transfer_body(ff_image *image, void *what)
{
    ff_scene_image *s = what;
    ff_image_word(image, &s->path);
    ff_image_text(image, &s->variant);
    ff_image_word(image, &s->text);
    ff_image_tree(image, &s->root);
    ff_image_store(image, &s->store);
}

static int64_t check_of(const unsigned char *bytes, size_t size)
{
    return (int64_t)ff_hash(bytes, size, FF_HASH_START);
}

// ------------------------------------------------------------------------------------------ writing

unsigned char *ff_scene_image_write(ff_scene_image *image, size_t *size)
{
    size_t body_size, header_size;
    unsigned char *body = ff_image_encode(transfer_body, image, &body_size);
    *size = HEADER_BYTES + body_size;
    header h = {.order = ORDER_MARK, .version = VERSION, .total = (int64_t)*size};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    if (body) h.check = check_of(body, body_size);
    unsigned char *head = ff_image_encode(transfer_header, &h, &header_size);
    unsigned char *whole = body && head ? malloc(*size) : NULL;
    if (whole) {
        memcpy(whole, head, HEADER_BYTES);
        memcpy(whole + HEADER_BYTES, body, body_size);
    }
    free(head);
    free(body);
    return whole;
}

// ------------------------------------------------------------------------------------------ reading

bool ff_scene_is_image(const void *bytes, size_t size)
{
    return size >= sizeof MAGIC && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

/// Checks the header; reports the first error. @return whether it is valid
static bool check_header(const header *h, const unsigned char *bytes, size_t size, ff_place place, ff_report *report)
{
    if (h->order == OTHER_ORDER)
        ff_report_add(report, FF_ERROR, place,
                      "this image of a scene was written in the other byte order; make it again with `footfall image`");
    else if (h->order != ORDER_MARK)
        ff_report_add(report, FF_ERROR, place, "this image of a scene is damaged: its byte-order mark is wrong");
    else if (h->version != VERSION)
        ff_report_add(report, FF_ERROR, place,
                      "this image of a scene has format version %lld, and this program reads version %d; make it again",
                      (long long)h->version, VERSION);
    else if (h->total != (int64_t)size)
        ff_report_add(report, FF_ERROR, place,
                      "this image of a scene has %zu bytes of %lld: it is cut short or damaged", size,
                      (long long)h->total);
    else if (h->check != check_of(bytes + HEADER_BYTES, size - HEADER_BYTES))
        ff_report_add(report, FF_ERROR, place, "this image of a scene is damaged: its check does not fit its bytes");
    else
        return true;
    return false;
}

bool ff_scene_image_read(ff_scene_image *image, const void *bytes, size_t size, const char *file, ff_arena *arena,
                         ff_report *report)
{
    const ff_place place = {file, 0, 0};
    header h = {0};
    if (size > FF_SCENE_IMAGE_MAX) { // counts of its contents must fit an int
        ff_report_add(report, FF_ERROR, place, "this image of a scene has %zu bytes, more than the limit of %zu", size,
                      FF_SCENE_IMAGE_MAX);
        return false;
    }
    ff_image reader = ff_image_reader(bytes, size, arena);
    transfer_header(&reader, &h);
    if (reader.failure) {
        ff_report_add(report, FF_ERROR, place, "this image of a scene has %zu bytes: it is cut short", size);
        return false;
    }
    if (!check_header(&h, bytes, size, place, report)) return false;
    transfer_body(&reader, image);
    if (!reader.failure && reader.at != reader.size) ff_image_fail(&reader, "it has bytes left over");
    if (!reader.failure) return true;
    ff_report_add(report, FF_ERROR, place, "this image of a scene is damaged: %s", reader.failure);
    return false;
}
