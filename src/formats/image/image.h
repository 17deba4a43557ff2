// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Images: descriptions of robots, document trees and meshes as bytes that any build reads on any processor. Each kind
// of thing has one list of its fields, with which it is measured, written and read, so that the three agree.
//
// Every number is 64 bits wide, lowest byte first: whole numbers in two's complement, others as IEEE 754 doubles. A
// text is its length (-1: none) and its bytes. Sizes of pointers and layouts of structs do not matter.
//
// Bytes to read may come from an attacker: the first value that is not allowed is kept in `failure`, and all later
// calls do nothing.
#ifndef FOOTFALL_IMAGE_IMAGE_H
#define FOOTFALL_IMAGE_IMAGE_H

#include "text/yaml.h"

#include <footfall/model.h>

typedef enum ff_image_mode { FF_IMAGE_MEASURE, FF_IMAGE_WRITE, FF_IMAGE_READ } ff_image_mode;

typedef struct ff_image {
    ff_image_mode mode;
    unsigned char *to;         // while writing  (size)
    const unsigned char *from; // while reading  (size)
    size_t size;
    size_t at;           // [byte]
    ff_arena *arena;     // where texts go that are read
    const char *file;    // of the place before: most places repeat it
    const char *failure; // why reading has failed; NULL: it has not
} ff_image;

/// A reader of bytes, which are borrowed.
ff_image ff_image_reader(const void *bytes, size_t size, ff_arena *arena);
/// Passes all fields of a thing to the functions below, in their order.
typedef void ff_image_transfer(ff_image *image, void *what);
/// Measures and writes a thing. @return the bytes, which the caller frees; NULL when memory is short
unsigned char *ff_image_encode(ff_image_transfer *transfer, void *what, size_t *size);
/// Records why reading fails, unless it has failed before. `failure` must outlive the image.
void ff_image_fail(ff_image *image, const char *failure);
/// Is the image being read, without a failure so far?
bool ff_image_reads(const ff_image *image);

// Fields. Each function writes the value, or reads it unless reading has failed.
void ff_image_bytes(ff_image *image, void *bytes, size_t size);
void ff_image_integer(ff_image *image, int64_t *value);
/// A whole number that must lie between `low` and `high`, such as an index or one of an enumeration.
void ff_image_int(ff_image *image, int *value, int low, int high);
#define FF_IMAGE_ANY(image, value) ff_image_int(image, value, INT_MIN, INT_MAX)
/// One value of an enumeration.
#define FF_IMAGE_ENUM(image, type, value, last)                                                                        \
    do {                                                                                                               \
        int number_ = (int)(value);                                                                                    \
        ff_image_int(image, &number_, 0, (int)(last));                                                                 \
        (value) = (type)number_;                                                                                       \
    } while (0)
void ff_image_flag(ff_image *image, bool *value);
void ff_image_numbers(ff_image *image, double *values, int count);
/// How many items follow, of at least `least` bytes each; 0 where reading has failed.
void ff_image_count(ff_image *image, int *count, size_t least);
void ff_image_text(ff_image *image, const char **text);
/// The same for a text that must not be NULL, which is written as an empty one.
void ff_image_word(ff_image *image, const char **text);
void ff_image_place(ff_image *image, ff_place *place);

/// Vertices and triangles; NULL is allowed. What is read belongs to the caller.
void ff_image_mesh(ff_image *image, ff_mesh **mesh);
/// A whole description; what is read goes into an empty one. (spec.c)
void ff_image_spec(ff_image *image, ff_spec *spec);
/// A document tree: types, keys, texts and places. What is read lives in image->arena. (tree.c)
void ff_image_tree(ff_image *image, ff_yaml **root);

#endif
