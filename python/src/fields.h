// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs of C as Python sees them, by tables of their fields: read (records such as Energy, Contact) and written
// (items of a Spec).
#ifndef FOOTFALL_PYTHON_FIELDS_H
#define FOOTFALL_PYTHON_FIELDS_H

#include "core.h"

typedef enum field_kind {
    FIELD_NUMBER,   // double
    FIELD_NUMBERS,  // double[size]
    FIELD_SOME,     // double[size] of which the first may be given, or one number; the rest is zero
    FIELD_POINTS,   // double[size][2] and their count; to read and write as rows of two
    FIELD_FLAG,     // bool
    FIELD_WHOLE,    // int
    FIELD_COUNT,    // long long
    FIELD_TEXT,     // const char *, NULL: None
    FIELD_NAME,     // char[size]
    FIELD_WORD,     // enum by `words`, or by the function `word`
    FIELD_BODY,     // number of a body, by its name; -1: None, the world
    FIELD_MESH,     // number of a mesh of a spec, by its name; -1: None
    FIELD_ARRAY,    // double * and its count
    FIELD_TEXTS,    // const char *[size] and its count
    FIELD_SETTINGS, // ff_spec_setting * and its count, as a dict
    FIELD_ROWS,     // struct * and its count, as a list of dicts with the fields `rows`
    FIELD_END
} field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t offset;
    int size;
    size_t count;             // where the count of an array stands
    const char *const *words; // NULL-ended
    const char *(*word)(int); // a name of the library; NULL beyond the last
    size_t implies;           // a bool that is set where the field is given; 0: none
    const struct field *rows; // of FIELD_ROWS, whose `size` is that of a struct in bytes
    const void *blank;        // such a struct before its fields are set
    const char *help;
} field;

#define SIZE_OF(type, member) (int)(sizeof(((type *)0)->member) / sizeof(double))
#define NUMBER(type, member, text)                                                                                     \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_NUMBER, .offset = offsetof(type, member), .help = text                          \
    }
#define BODY(type, member, text)                                                                                       \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_BODY, .offset = offsetof(type, member), .help = text                            \
    }
#define NUMBERS(type, member, text)                                                                                    \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_NUMBERS, .offset = offsetof(type, member), .size = SIZE_OF(type, member),       \
        .help = text                                                                                                   \
    }
#define TEXT(type, member, text)                                                                                       \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_TEXT, .offset = offsetof(type, member), .help = text                            \
    }
#define WHOLE(type, member, text)                                                                                      \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_WHOLE, .offset = offsetof(type, member), .help = text                           \
    }
#define FLAG(type, member, text)                                                                                       \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_FLAG, .offset = offsetof(type, member), .help = text                            \
    }
#define COUNT(type, member, text)                                                                                      \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_COUNT, .offset = offsetof(type, member), .help = text                           \
    }
#define WORD(type, member, list, text)                                                                                 \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_WORD, .offset = offsetof(type, member), .words = list, .help = text             \
    }

/// Whose names numbers stand for: one of both.
typedef struct naming {
    const ff_model *model;
    ff_spec *spec;
} naming;

/// Value of a field of `item`.
PyObject *field_get(const field *f, const void *item, naming of);
/// Writes it; texts and arrays go into the arena of the spec. @return false with the name of the field in an exception
bool field_set(const field *f, void *item, PyObject *value, naming of);
/// The field of that name. NULL with the nearest in an exception
const field *field_find(const field *fields, PyObject *name, const char *what);

/// A type for values of a struct, such as footfall.Energy, whose fields have names; kept for ever. NULL with exception.
PyTypeObject *record_add(PyObject *module, const char *name, const char *help, const field *fields);
/// A record with the values of `item`.
PyObject *record_make(PyTypeObject *type, const field *fields, const void *item, naming of);

/// Number of a named thing. @return -1 with NotFound and the nearest name
int find_name(PyObject *name, const char *kind, const char *(*name_of)(const void *all, int i), const void *all,
              int count);
/// Names of all things, as a tuple.
PyObject *list_names(const char *(*name_of)(const void *all, int i), const void *all, int count);

#endif
