// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Places of entries, the limit of their number, and changes of items by name or pattern. An entry `key: {..}` of a map
// means, in this order,
//     "*_hip"   a pattern: every item whose name fits, at least one
//     FL_hip    the item of that name: only the keys that are given change
//     FL_hip    where there is none: a new item, if the map may add some and the entry describes one completely
// All kinds of items are found here; their readers apply the change.
#include "model/fields.h"
#include "native/native.h"

#include <footfall/text.h>
#include <stddef.h>
#include <string.h>

// Names that are compared, within a second: thousands of patterns on thousands of items would take minutes.
#define MOST_COMPARED 1e8
enum { MOST_HINTS = 1000, PATTERN_COST = 5 }; // a pattern costs as much as so many names

ff_place ff_native_place(const ff_native *n, ff_place place)
{
    place.file = n->file;
    return place;
}

bool ff_native_too_large(const ff_native *n, ff_place place)
{
    const ff_spec *s = n->spec;
    int others = s->njoint + s->ndrive + s->ngeom + s->nframe + s->nactuator + s->nsensor + s->nmesh + s->nexclude +
                 s->npair + s->nequality + s->ntendon + s->nleg + s->nhand;
    if (s->nleg >= FF_NATIVE_MAX_LEGS) {
        ff_report_add(n->report, FF_ERROR, place, "%d legs: a native robot may have %d", s->nleg, FF_NATIVE_MAX_LEGS);
        return true;
    }
    if (s->nbody < FF_NATIVE_MAX_ITEMS && others < 10 * FF_NATIVE_MAX_ITEMS) return false;
    ff_report_add(n->report, FF_ERROR, place, "%d bodies and %d other items: a native robot may have %d and %d",
                  s->nbody, others, FF_NATIVE_MAX_ITEMS, 10 * FF_NATIVE_MAX_ITEMS);
    return true;
}

// ------------------------------------------------------------------------------------------ items by name or pattern

/// Which items a map changes, and the word for them in messages.
static const struct {
    const char *word;
    ff_spec_item item;
    size_t body_at; // of the number of the body that carries it, where items are looked for by body
} KINDS[] = {
    [FF_NATIVE_BODY] = {"body", FF_ITEM_BODY, 0},
    [FF_NATIVE_JOINT] = {"joint", FF_ITEM_JOINT, offsetof(ff_spec_joint, body)},
    [FF_NATIVE_SHAPE] = {"shape", FF_ITEM_GEOM, offsetof(ff_spec_geom, body)},
    [FF_NATIVE_FRAME] = {"frame", FF_ITEM_FRAME, offsetof(ff_spec_frame, body)},
    [FF_NATIVE_ACTUATOR] = {"actuator", FF_ITEM_ACTUATOR, 0},
    [FF_NATIVE_DRIVE] = {"drive", FF_ITEM_DRIVE, 0},
    [FF_NATIVE_SENSOR] = {"sensor", FF_ITEM_SENSOR, 0},
};

/// Name of item i; "" for a shape without a name, which only patterns of stars fit.
static const char *name_of(const ff_native *n, const ff_native_map *map, int i)
{
    const char *name = ff_item_name(n->spec, KINDS[map->kind].item, i);
    return name ? name : "";
}

static bool is_within(const ff_native *n, const ff_native_map *map, int i)
{
    int body;
    if (map->body == FF_NATIVE_ANYWHERE) return true;
    memcpy(&body, (const char *)ff_item_at(n->spec, KINDS[map->kind].item, i) + KINDS[map->kind].body_at, sizeof body);
    return body == map->body;
}

bool ff_native_is_pattern(const char *key)
{
    return strchr(key, '*') != NULL;
}

ff_native_map ff_native_map_of(const ff_native *n, ff_native_kind kind, int body, const char *how_to_add)
{
    int count = kind == FF_NATIVE_BODY ? n->nimported : ff_item_count(n->spec, KINDS[kind].item);
    if (body >= n->nimported) count = 0; // a new body has no items that could be changed
    return (ff_native_map){.kind = kind, .body = body, .before = count, .how_to_add = how_to_add};
}

/// Number of items that an entry may change: those from before the map, for a pattern all items, of bodies only those
/// of an import.
static int count_of(const ff_native *n, const ff_native_map *map, const char *key)
{
    const int count = ff_item_count(n->spec, KINDS[map->kind].item);
    const bool all = ff_native_is_pattern(key) && map->kind != FF_NATIVE_BODY;
    return all || count < map->before ? count : map->before;
}

/// Counts comparisons of names; true (reported) when there are too many.
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
    const char *names[MOST_HINTS];
    int count = 0;
    for (int i = 0; i < ff_item_count(n->spec, KINDS[map->kind].item) && count < MOST_HINTS; i++)
        if (is_within(n, map, i)) names[count++] = name_of(n, map, i);
    const char *near = ff_yaml_hint(node->key, names, count, n->report);
    const bool pattern = ff_native_is_pattern(node->key);
    const char *link = pattern ? "" : near ? " " : "; ";
    ff_report_add(n->report, FF_ERROR, node->key_place, "no %s %s'%.60s' to change%s%s%s%s%s", KINDS[map->kind].word,
                  pattern ? "fits the pattern " : "", node->key, near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "", link, pattern ? "" : map->how_to_add);
}

int ff_native_find(const ff_native *n, const ff_yaml *node, const ff_native_map *map, const char *name)
{
    const int count = count_of(n, map, "");
    if (is_too_much(n, node, count)) return -1;
    for (int i = 0; i < count; i++)
        if (is_within(n, map, i) && strcmp(name_of(n, map, i), name) == 0) return i;
    return -1;
}

bool ff_native_change(ff_native *n, ff_yaml *node, const ff_native_map *map, ff_native_changer *change)
{
    const int count = count_of(n, map, node->key), errors = n->report->errors;
    const bool pattern = ff_native_is_pattern(node->key);
    if (is_too_much(n, node, pattern ? PATTERN_COST * (double)count : count)) return true;
    int found = 0;
    for (int i = count - 1; i >= 0; i--) { // backwards: a change may remove its item
        const char *name = name_of(n, map, i);
        if (!is_within(n, map, i)) continue;
        if (pattern ? !ff_text_matches(node->key, name) : strcmp(node->key, name) != 0) continue;
        found++;
        change(n, node, i);
        if (n->report->errors > errors) return true; // a mistake is reported for one item
    }
    if (found == 0 && pattern) ff_native_report_missing(n, node, map);
    return found > 0 || pattern;
}

void ff_native_mark_changed(const ff_native *n, ff_place *place, ff_place change)
{
    if (!place->file || strcmp(place->file, n->file) != 0) *place = ff_native_place(n, change);
}
