// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The items of a description as tables: where each kind of item is kept in ff_spec, and which fields it has. Code
// for all kinds of items reads these tables: adding, finding, copying, and images (formats/image).
#ifndef FOOTFALL_MODEL_FIELDS_H
#define FOOTFALL_MODEL_FIELDS_H

#include <footfall/model.h>

typedef enum ff_field_kind {
    FF_FIELD_END,
    FF_FIELD_NUMBERS,     // `count` doubles
    FF_FIELD_FLAGS,       // `count` bools
    FF_FIELD_INTS,        // `count` whole numbers or values of an enumeration, from `low` to `high`
    FF_FIELD_BODY,        // number of a body, -1: the world
    FF_FIELD_PARENT,      // the same, of an earlier body
    FF_FIELD_MESH_NUMBER, // -1: none
    FF_FIELD_TEXT,        // `count` texts, NULL allowed
    FF_FIELD_WORD,        // a text that is never NULL
    FF_FIELD_NAME,        // as FF_FIELD_TEXT: names of items, which get a prefix where a description is attached
    FF_FIELD_BODY_NAME,   // the same, where "world" gets none
    FF_FIELD_LETTERS,     // a text within the item, of less than `count` characters
    FF_FIELD_PLACE,
    FF_FIELD_ARRAY,      // double *, NULL allowed; the int at `count_at` says how many numbers
    FF_FIELD_FULL_ARRAY, // the same; NULL only where that is 0
    FF_FIELD_PAIRS,  // pairs of doubles within the item, at most `high`; the int at `count_at` says how many are used
    FF_FIELD_NAMES,  // names within the item, likewise
    FF_FIELD_ITEMS,  // pointer to items with the fields `of`; the int at `count_at` says how many
    FF_FIELD_STRUCT, // struct within the item, with the fields `of`
    FF_FIELD_MESH    // ff_mesh *, owned by the item
} ff_field_kind;

typedef struct ff_field {
    ff_field_kind kind;
    size_t at; // offset in the item  [byte]
    int count; // of values, one behind the other
    int low, high;
    size_t count_at;
    const struct ff_field *of; // ended by FF_FIELD_END
    size_t size;               // of an item with the fields `of`  [byte]
} ff_field;

/// Kinds of items, in the order of images: items come after those that they refer to by number.
typedef enum ff_spec_item {
    FF_ITEM_BODY,
    FF_ITEM_JOINT,
    FF_ITEM_MESH,
    FF_ITEM_GEOM,
    FF_ITEM_FRAME,
    FF_ITEM_TENDON,
    FF_ITEM_ACTUATOR,
    FF_ITEM_DRIVE,
    FF_ITEM_BATTERY,
    FF_ITEM_SENSOR,
    FF_ITEM_EQUALITY,
    FF_ITEM_EXCLUDE,
    FF_ITEM_PAIR,
    FF_ITEM_LEG,
    FF_ITEM_HAND,
    FF_ITEM_BIPED,
    FF_ITEM_KEY,
    FF_ITEM_MATERIAL,
    FF_ITEM_IGNORED,
    FF_ITEM_COUNT
} ff_spec_item;

typedef struct ff_item_kind {
    size_t size;                            // of an item  [byte]
    size_t array_at, count_at, capacity_at; // offsets in ff_spec
    const ff_field *fields;
} ff_item_kind;

extern const ff_item_kind ff_item_kinds[FF_ITEM_COUNT];
/// Fields of ff_spec itself.
extern const ff_field ff_spec_fields[];

/// How many items of a kind there are.
int ff_item_count(const ff_spec *spec, ff_spec_item kind);
/// Address of an item.
void *ff_item_at(const ff_spec *spec, ff_spec_item kind, int index);
/// Name of an item of a kind whose items begin with it; may be NULL.
const char *ff_item_name(const ff_spec *spec, ff_spec_item kind, int index);
/// Place of an item in its file.
ff_place ff_item_place(const ff_spec *spec, ff_spec_item kind, int index);
/// Adds a zeroed item. @return NULL when out of memory: the arena has failed then
void *ff_item_add(ff_spec *spec, ff_spec_item kind);
/// Number of the item that begins with this name, -1: there is none.
int ff_item_find(const ff_spec *spec, ff_spec_item kind, const char *name);

/// Copies a text. @return NULL when out of memory
typedef const char *ff_copy_text(const void *context, ff_field_kind kind, const char *text);
/// Replaces all that an item, copied byte by byte, points to by copies in `arena`.
/// @param copy  for texts; NULL: plain copies
/// @return false when out of memory
bool ff_fields_copy(const ff_field *fields, void *item, ff_arena *arena, ff_copy_text *copy, const void *context);

/// Removes the items of an array for which a condition on their number `i` does not hold.
#define FF_KEEP_ITEMS(array, count, condition)                                                                         \
    do {                                                                                                               \
        int kept_ = 0;                                                                                                 \
        for (int i = 0; i < (count); i++)                                                                              \
            if (condition) (array)[kept_++] = (array)[i];                                                              \
        (count) = kept_;                                                                                               \
    } while (0)

#endif
