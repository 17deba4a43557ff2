// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of an MJCF file: one name space for each kind of element, places kept for messages, and names for the
// elements without a name in the file.
#include "mjcf/mjcf.h"

#include <stdio.h>

/// Kinds of names: the word for messages, the items of the description that have such names (-1: others), whether
/// elements of an attached model are found by them, and whether elements without a name get one.
static const struct {
    const char *word;
    int item;
    bool is_found, is_given;
} KINDS[MJCF_KIND_COUNT] = {
    [MJCF_BODY] = {"body", FF_ITEM_BODY, true, true},
    [MJCF_JOINT] = {"joint", FF_ITEM_JOINT, true, true},
    [MJCF_GEOM] = {"geom", FF_ITEM_GEOM, true, false},
    [MJCF_SITE] = {"site", FF_ITEM_FRAME, true, true},
    [MJCF_MESH_ASSET] = {"mesh", -1, false, false},
    [MJCF_HFIELD_ASSET] = {"hfield", -1, false, false},
    [MJCF_MATERIAL] = {"material", -1, false, false},
    [MJCF_CLASS] = {"class", -1, false, false},
    [MJCF_TENDON] = {"tendon", FF_ITEM_TENDON, true, true},
    [MJCF_ACTUATOR] = {"actuator", FF_ITEM_ACTUATOR, true, true},
    [MJCF_SENSOR] = {"sensor", FF_ITEM_SENSOR, false, true},
    [MJCF_EQUALITY] = {"equality", FF_ITEM_EQUALITY, false, true},
    [MJCF_KEY] = {"key", FF_ITEM_KEY, false, true},
};

/// Doubles the table: a new hash over the same entries.
static bool grow(mjcf *m, mjcf_table *table)
{
    int capacity = table->capacity ? 2 * table->capacity : 64;
    mjcf_entry *entries = FF_ARENA_NEW(&m->arena, mjcf_entry, capacity);
    ff_names names;
    if (!mjcf_has_memory(m, entries) || !ff_names_init(&names, &m->arena, capacity)) {
        m->no_memory = true;
        return false;
    }
    for (int i = 0; i < table->count; i++) {
        entries[i] = table->entries[i];
        ff_names_put(&names, entries[i].name, i);
    }
    table->names = names;
    table->entries = entries;
    table->capacity = capacity;
    return true;
}

void mjcf_name_add(mjcf *m, mjcf_kind kind, const char *name, int index, ff_place place)
{
    mjcf_table *table = &m->tables[kind];
    if (!name || !name[0]) return;
    if (table->count == table->capacity && !grow(m, table)) return;
    int earlier = ff_names_put(&table->names, name, table->count);
    if (earlier >= 0) {
        const ff_place *first = &table->entries[earlier].place;
        mjcf_error(m, place, "the %s name \"%.100s\" is taken already, at %s:%d:%d; names of one kind must differ",
                   KINDS[kind].word, name, first->file ? first->file : "", first->line, first->column);
        return;
    }
    table->entries[table->count++] = (mjcf_entry){name, index, place};
}

int mjcf_name_find(const mjcf *m, mjcf_kind kind, const char *name)
{
    const mjcf_table *table = &m->tables[kind];
    int entry = table->count ? ff_names_get(&table->names, name) : -1;
    return entry < 0 ? MJCF_NONE : table->entries[entry].index;
}

int mjcf_find(mjcf *m, ff_xml *node, mjcf_kind kind, const char *word, const char *name)
{
    const int index = mjcf_name_find(m, kind, name);
    if (index == MJCF_NONE) mjcf_unresolved(m, node, word, name);
    if (index == MJCF_LEFT_OUT) mjcf_leave_out(m, node, "its %s was left out", word);
    return index;
}

int mjcf_find_needed(mjcf *m, ff_xml *node, mjcf_kind kind, const char *word, const char *attribute)
{
    const char *name = ff_xml_need(node, attribute, m->report);
    return name ? mjcf_find(m, node, kind, word, name) : MJCF_NONE;
}

/// "body_3", or with the next unused number.
static const char *free_name(mjcf *m, mjcf_kind kind, int *number)
{
    char name[64];
    do {
        snprintf(name, sizeof name, "%s_%d", KINDS[kind].word, (*number)++);
    } while (mjcf_name_find(m, kind, name) != MJCF_NONE);
    const char *kept = ff_spec_text(m->spec, name);
    mjcf_has_memory(m, kept);
    return kept;
}

void mjcf_name_rest(mjcf *m)
{
    for (int k = 0; k < MJCF_KIND_COUNT; k++) {
        const int count = KINDS[k].is_given ? ff_item_count(m->spec, (ff_spec_item)KINDS[k].item) : 0;
        for (int i = 0, number = 1; i < count && !m->no_memory; i++) {
            const char **name = ff_item_at(m->spec, (ff_spec_item)KINDS[k].item, i);
            if (!*name || !(*name)[0]) *name = free_name(m, (mjcf_kind)k, &number);
        }
    }
}

void mjcf_name_attached(mjcf *m, const int before[FF_ITEM_COUNT])
{
    for (int k = 0; k < MJCF_KIND_COUNT; k++) {
        const ff_spec_item item = (ff_spec_item)KINDS[k].item;
        if (!KINDS[k].is_found) continue;
        for (int i = before[item]; i < ff_item_count(m->spec, item); i++)
            mjcf_name_add(m, (mjcf_kind)k, ff_item_name(m->spec, item, i), i, ff_item_place(m->spec, item, i));
    }
}

// ------------------------------------------------------------------------------------------ references

const mjcf_class *mjcf_class_of(mjcf *m, ff_xml *node, const char *name, const mjcf_class *fallback)
{
    const char *class = ff_xml_get(node, name);
    if (!class) return fallback;
    int index = mjcf_name_find(m, MJCF_CLASS, class);
    if (index >= 0) return m->classes[index];
    mjcf_error(m, node->place, "<%s>: there is no default class \"%.100s\"", node->name, class);
    return fallback;
}

const char *mjcf_body_named(mjcf *m, ff_xml *node, const char *attribute, bool needed)
{
    const char *name = needed ? ff_xml_need(node, attribute, m->report) : ff_xml_get(node, attribute);
    if (!name) return needed ? NULL : "";
    if (strcmp(name, "world") == 0) return "";
    if (mjcf_name_find(m, MJCF_BODY, name) >= 0) return name;
    mjcf_unresolved(m, node, "body", name);
    return NULL;
}
