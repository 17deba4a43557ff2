// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing structs as JSON by tables.
#include "text/json_fields.h"

#include <footfall/base.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Does a type begin with this name?
static bool is_a(const char *type, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(type, name, length) == 0 && (type[length] == '\0' || strchr("[|{", type[length]));
}

static void write_word(ff_json *json, const ff_json_field *f, int number)
{
    const char *word = f->type;
    char text[80];
    for (; number > 0 && word; number--) word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL;
    FF_ASSERT(word);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(word + 1, "'"), word + 1);
    ff_json_text(json, f->name, text);
}

static void write_integers(ff_json *json, const ff_json_field *f, const int *values, int count)
{
    ff_json_begin_array(json, f->name, true);
    for (int i = 0; i < count; i++) ff_json_integer(json, NULL, values[i]);
    ff_json_end_array(json);
}

static const ff_json_type *find_type(const ff_json_subject *subject, const char *name)
{
    for (int i = 0; i < subject->ntype; i++)
        if (strcmp(subject->types[i].name, name) == 0) return &subject->types[i];
    return NULL;
}

/// Writes a list of structs, whose type is one of the subject.
/// @param list  address of the pointer to them
static void write_objects(ff_json *json, const ff_json_subject *subject, const ff_json_field *f, const void *list,
                          int count)
{
    char name[80];
    const char *items;
    memcpy(&items, list, sizeof items); // a pointer to structs of any type
    snprintf(name, sizeof name, "%.*s", (int)strcspn(f->type, "["), f->type);
    const ff_json_type *type = find_type(subject, name);
    FF_ASSERT(type && type->size > 0);
    ff_json_begin_array(json, f->name, false);
    for (int i = 0; i < count; i++) {
        ff_json_begin_object(json, NULL, true);
        ff_json_members(json, subject, name, items + (size_t)i * type->size);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

static void write_list(ff_json *json, const ff_json_subject *subject, const ff_json_field *f, const void *at, int count)
{
    if (f->optional && count == 0) return;
    if (is_a(f->type, "number"))
        ff_json_numbers(json, f->name, *(const double *const *)at, count);
    else if (is_a(f->type, "text"))
        ff_json_texts(json, f->name, *(const char *const *const *)at, count);
    else if (is_a(f->type, "integer"))
        write_integers(json, f, at, count); // an array in the struct
    else
        write_objects(json, subject, f, at, count);
}

static void write_member(ff_json *json, const ff_json_subject *subject, const ff_json_field *f, const char *object)
{
    const void *at = object + f->at;
    if (f->count > 0)
        write_list(json, subject, f, at, *(const int *)(const void *)(object + f->count));
    else if (is_a(f->type, "flag"))
        ff_json_bool(json, f->name, *(const bool *)at);
    else if (is_a(f->type, "integer"))
        ff_json_integer(json, f->name, f->size == sizeof(int) ? *(const int *)at : *(const long long *)at);
    else if (f->type[0] == '\'' && f->size == sizeof(int))
        write_word(json, f, *(const int *)at);
    else if (!is_a(f->type, "number") && (!f->optional || *(const char *const *)at))
        ff_json_text(json, f->name, *(const char *const *)at);
    else if (is_a(f->type, "number") && strchr(f->type, '['))
        ff_json_numbers(json, f->name, at, (int)(f->size / sizeof(double)));
    else if (is_a(f->type, "number") && (!f->optional || isfinite(*(const double *)at)))
        ff_json_number(json, f->name, *(const double *)at);
}

void ff_json_members(ff_json *json, const ff_json_subject *subject, const char *type, const void *object)
{
    const ff_json_type *t = find_type(subject, type);
    FF_ASSERT(t);
    for (int k = 0; k < t->nfield; k++)
        if (t->fields[k].write)
            t->fields[k].write(json, object);
        else if (t->fields[k].size > 0)
            write_member(json, subject, &t->fields[k], object);
}
