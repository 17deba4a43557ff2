// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of an MJCF file: one name space for each kind of element, places kept for messages, and names for the
// elements whose author gave none.
#include "mjcf/mjcf.h"

#include <stdio.h>

static const char *const kind_words[MJCF_KIND_COUNT] = {
    [MJCF_BODY] = "body",         [MJCF_JOINT] = "joint",     [MJCF_GEOM] = "geom",
    [MJCF_SITE] = "site",         [MJCF_MESH_ASSET] = "mesh", [MJCF_HFIELD_ASSET] = "hfield",
    [MJCF_MATERIAL] = "material", [MJCF_CLASS] = "class",     [MJCF_TENDON] = "tendon",
    [MJCF_ACTUATOR] = "actuator", [MJCF_SENSOR] = "sensor",   [MJCF_EQUALITY] = "equality",
    [MJCF_KEY] = "key",
};

/// Doubles the table: a new hash over the same entries.
static bool grow(mjcf *m, mjcf_table *table)
{
    int capacity = table->capacity ? 2 * table->capacity : 64;
    mjcf_entry *entries = FF_ARENA_NEW(&m->arena, mjcf_entry, capacity);
    ff_names names;
    if (!mjcf_got(m, entries) || !ff_names_init(&names, &m->arena, capacity)) {
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
                   kind_words[kind], name, first->file ? first->file : "", first->line, first->column);
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

/// "body_3", or the next number nobody uses.
static const char *free_name(mjcf *m, mjcf_kind kind, int *number)
{
    char name[64];
    do {
        snprintf(name, sizeof name, "%s_%d", kind_words[kind], (*number)++);
    } while (mjcf_name_find(m, kind, name) != MJCF_NONE);
    const char *kept = ff_spec_text(m->spec, name);
    mjcf_got(m, kept);
    return kept;
}

#define NAME_ALL(kind, array, count)                                                                                   \
    for (int i = 0, number = 1; i < m->spec->count && !m->no_memory; i++)                                              \
        if (!m->spec->array[i].name || !m->spec->array[i].name[0]) m->spec->array[i].name = free_name(m, kind, &number)

void mjcf_name_rest(mjcf *m)
{
    NAME_ALL(MJCF_BODY, bodies, nbody);
    NAME_ALL(MJCF_JOINT, joints, njoint);
    NAME_ALL(MJCF_SITE, frames, nframe);
    NAME_ALL(MJCF_TENDON, tendons, ntendon);
    NAME_ALL(MJCF_ACTUATOR, actuators, nactuator);
    NAME_ALL(MJCF_SENSOR, sensors, nsensor);
    NAME_ALL(MJCF_EQUALITY, equalities, nequality);
    NAME_ALL(MJCF_KEY, keys, nkey);
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
