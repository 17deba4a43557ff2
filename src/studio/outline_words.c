// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that may stand in the place of another: those of the schema, materials of the file and of the library, and
// presets of sensors.
#include "outline_words.h"

#include "native/keys.h"
#include "sense/interface.h"
#include "sense/private.h"

#include <footfall/contact.h>

#include <string.h>

enum { MOST = 200 };

static void add(ff_outline_words *w, const char *word)
{
    if (!word || w->count >= MOST) return;
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->words[i], word) == 0) return;
    w->words[w->count++] = word;
}

static void add_list(ff_outline_words *w, const char *const *words)
{
    for (int i = 0; words && words[i]; i++) add(w, words[i]);
}

static bool is(const ff_yaml *node, const char *key)
{
    return strcmp(node->key, key) == 0;
}

/// Materials that the file defines, then those of the library, whose names are kept by the caller's list.
static void add_materials(ff_outline_words *w, const ff_yaml *node)
{
    const ff_yaml *root = node;
    while (root->parent) root = root->parent;
    for (const ff_yaml *top = root->child; top; top = top->next)
        for (const ff_yaml *m = top->group == &ff_keys_materials ? top->child : NULL; m; m = m->next)
            if (m != node->parent) add(w, m->key);
    ff_material material;
    for (int i = 0; i < FF_OUTLINE_LIBRARY && ff_material_library(i, &material); i++) {
        memcpy(w->library[i], material.name, sizeof w->library[i]);
        add(w, w->library[i]);
    }
}

static bool is_under(const ff_yaml *node, const char *group)
{
    return node->parent->group && strcmp(node->parent->group->name, group) == 0;
}

void ff_outline_words_of(ff_outline_words *w, const ff_yaml *node)
{
    w->count = 0;
    if (!node->parent || !node->key || node->type != FF_YAML_SCALAR || !node->row) return;
    add_list(w, node->row->words);
    if ((is(node, "material") && is_under(node, "shape")) || (is(node, "like") && is_under(node, "material")))
        add_materials(w, node);
    for (int i = 0; is(node, "preset") && is_under(node, "sensor") && ff_sensor_preset_name(i); i++)
        add(w, ff_sensor_preset_name(i));
}
