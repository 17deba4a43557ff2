// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON objects described by tables: a row for each member, with its type, unit and meaning. Documentation, types of the
// pages and the check of messages are made from them (studio/protocol.h). A row that also names the member of a struct
// writes it.
//
// A type is written as a text:
//     text number integer flag null any    values of JSON; flag is true or false, integer a whole number
//     NAME                                 another type of the table
//     'word'                               exactly this text
//     TYPE[] TYPE[3] TYPE{}                list, list of three, object whose keys are free
//     TYPE|TYPE                            one of them
#ifndef FOOTFALL_TEXT_JSON_FIELDS_H
#define FOOTFALL_TEXT_JSON_FIELDS_H

#include <footfall/json.h>

#include <stddef.h>

typedef struct ff_json_field {
    const char *name;
    const char *type;
    bool optional; // may be absent
    const char *unit;
    const char *help; // one line
    size_t at, size;  // offset and size of the member of the struct; size 0: the table does not write it  [byte]
    size_t count;     // of a list: offset of the number of its items (int)  [byte]
    void (*write)(ff_json *json, const void *object); // writes it in place of the above; may write nothing
} ff_json_field;

/// An object with fields, or another name of a type.
typedef struct ff_json_type {
    const char *name;
    const char *help;
    const ff_json_field *fields;
    int nfield;
    const char *same_as; // NULL: an object with those fields
    size_t size;         // of the struct, for lists of them  [byte]
} ff_json_type;

/// The types of one subject, which the pages have in a file of that name.
typedef struct ff_json_subject {
    const char *name;
    const char *help;
    const ff_json_type *types;
    int ntype; // 0: binary messages alone
} ff_json_subject;

#define FF_JSON_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
/// Fields of a type, and types of a subject.
#define FF_JSON_FIELDS(...)                                                                                            \
    .fields = (const ff_json_field[]){__VA_ARGS__}, .nfield = FF_JSON_COUNT(((const ff_json_field[]){__VA_ARGS__}))
#define FF_JSON_TYPES(array) .types = (array), .ntype = FF_JSON_COUNT(array)
/// A row: name, type, optional, unit, help, and whatever writes it.
#define FF_JSON_FIELD(name_, type_, optional_, unit_, ...)                                                             \
    {                                                                                                                  \
        .name = name_, .type = type_, .optional = optional_, .unit = unit_, .help = __VA_ARGS__                        \
    }
/// The end of a row: the member of a struct that it writes; a list with the member that counts its items.
#define FF_JSON_AT(type, member)           offsetof(type, member), sizeof(((type *)0)->member)
#define FF_JSON_ITEMS(type, member, count) FF_JSON_AT(type, member), offsetof(type, count)

/// A row of a member with the name that it has in the struct: type, optional, unit, help.
#define FF_JSON_ROW(struct_, member_, type_, optional_, unit_, help_)                                                  \
    FF_JSON_FIELD(#member_, type_, optional_, unit_, help_, FF_JSON_AT(struct_, member_))

/// Writes the members of an object that its table writes, in the order of the rows: numbers that are not finite as
/// null. Optional numbers that are not finite, optional texts that are NULL and optional lists without items are left
/// out. An enumeration is written as the word of its type with that number.
/// @param type  name of the object's type in the subject
void ff_json_members(ff_json *json, const ff_json_subject *subject, const char *type, const void *object);

#endif
