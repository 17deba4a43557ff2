// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes of what is there already, by name or pattern. An entry `key: {..}` of a map means, in this order,
//     "*_hip"   a pattern: every item whose name fits, at least one
//     FL_hip    the item of that name: only the keys that are given change
//     FL_hip    where there is none: a new item, if the map may add some and the entry describes one completely
// All kinds of items are found here; what a change means is known to their readers.
#include "native/native.h"

#include <footfall/text.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COMPARED 1e8 // names: a second; keeps thousands of patterns on thousands of items from taking minutes
enum { MOST_HINTS = 1000, PATTERN_COST = 5 };

/// Where items of a kind and their names are. Every item begins with its name.
typedef struct array {
    const char *word; // for messages
    const void *first;
    int count;
    size_t size;
    size_t body_at; // of the number of the body that carries it, where items are looked for by body
} array;

static array array_of(const ff_spec *s, ff_native_kind kind)
{
    switch (kind) {
    case FF_NATIVE_BODY:
        return (array){"body", s->bodies, s->nbody, sizeof *s->bodies, 0};
    case FF_NATIVE_JOINT:
        return (array){"joint", s->joints, s->njoint, sizeof *s->joints, offsetof(ff_spec_joint, body)};
    case FF_NATIVE_SHAPE:
        return (array){"shape", s->geoms, s->ngeom, sizeof *s->geoms, offsetof(ff_spec_geom, body)};
    case FF_NATIVE_FRAME:
        return (array){"frame", s->frames, s->nframe, sizeof *s->frames, offsetof(ff_spec_frame, body)};
    case FF_NATIVE_ACTUATOR:
        return (array){"actuator", s->actuators, s->nactuator, sizeof *s->actuators, 0};
    case FF_NATIVE_DRIVE:
        return (array){"drive", s->drives, s->ndrive, sizeof *s->drives, 0};
    default:
        return (array){"sensor", s->sensors, s->nsensor, sizeof *s->sensors, 0};
    }
}

/// "" for a shape without a name: patterns of stars alone mean it too.
static const char *name_of(const array *a, int i)
{
    const char *name;
    memcpy(&name, (const char *)a->first + (size_t)i * a->size, sizeof name);
    return name ? name : "";
}

static bool is_within(const array *a, int i, int body)
{
    int own;
    if (body == FF_NATIVE_ANYWHERE) return true;
    memcpy(&own, (const char *)a->first + (size_t)i * a->size + a->body_at, sizeof own);
    return own == body;
}

bool ff_native_is_pattern(const char *key)
{
    return strchr(key, '*') != NULL;
}

ff_native_map ff_native_map_of(const ff_native *n, ff_native_kind kind, int body, const char *how_to_add)
{
    int count = kind == FF_NATIVE_BODY ? n->nimported : array_of(n->spec, kind).count;
    if (body >= n->nimported) count = 0; // it is new: nothing of it can be meant
    return (ff_native_map){.kind = kind, .body = body, .before = count, .how_to_add = how_to_add};
}

/// Bodies of this file are described where they stand; those of an import may be changed.
static int count_of(const array *a, const ff_native_map *map, const char *key)
{
    const bool all = ff_native_is_pattern(key) && map->kind != FF_NATIVE_BODY;
    return all || a->count < map->before ? a->count : map->before;
}

static bool is_too_much(const ff_native *n, const ff_yaml *node, double count)
{
    *n->compared += count;
    if (*n->compared <= MOST_COMPARED) return false;
    ff_report_add(n->report, FF_ERROR, node->key ? node->key_place : node->place,
                  "too many changes by name or pattern");
    return true;
}

void ff_native_report_missing(const ff_native *n, const ff_yaml *node, const ff_native_map *map)
{
    const array a = array_of(n->spec, map->kind);
    const char *names[MOST_HINTS];
    int count = 0;
    for (int i = 0; i < a.count && count < MOST_HINTS; i++)
        if (is_within(&a, i, map->body)) names[count++] = name_of(&a, i);
    const char *near = ff_yaml_hint(node->key, names, count, n->report);
    const bool pattern = ff_native_is_pattern(node->key);
    const char *link = pattern ? "" : near ? " " : "; ";
    ff_report_add(n->report, FF_ERROR, node->key_place, "no %s %s'%.60s' to change%s%s%s%s%s", a.word,
                  pattern ? "fits the pattern " : "", node->key, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "", link, pattern ? "" : map->how_to_add);
}

int ff_native_find(const ff_native *n, const ff_yaml *node, const ff_native_map *map, const char *name)
{
    const array a = array_of(n->spec, map->kind);
    const int count = a.count < map->before ? a.count : map->before;
    if (is_too_much(n, node, count)) return -1;
    for (int i = 0; i < count; i++)
        if (is_within(&a, i, map->body) && strcmp(name_of(&a, i), name) == 0) return i;
    return -1;
}

bool ff_native_change(ff_native *n, ff_yaml *node, const ff_native_map *map, ff_native_changer *change)
{
    array a = array_of(n->spec, map->kind);
    const int count = count_of(&a, map, node->key), errors = n->report->errors;
    const bool pattern = ff_native_is_pattern(node->key);
    if (is_too_much(n, node, pattern ? PATTERN_COST * (double)count : count)) return true;
    int found = 0;
    for (int i = count - 1; i >= 0; i--) { // backwards: a change may remove its item
        if (!is_within(&a, i, map->body)) continue;
        if (pattern ? !ff_text_matches(node->key, name_of(&a, i)) : strcmp(node->key, name_of(&a, i)) != 0) continue;
        found++;
        change(n, node, i);
        if (n->report->errors > errors) return true; // the same mistake for every item helps nobody
        a = array_of(n->spec, map->kind);            // which may have grown: a body gets children
    }
    if (found == 0 && pattern) ff_native_report_missing(n, node, map);
    return found > 0 || pattern;
}

void ff_native_mark_changed(const ff_native *n, ff_place *place, ff_place change)
{
    if (!place->file || strcmp(place->file, n->file) != 0) *place = ff_native_place(n, change);
}
