// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that may stand in the place of another: those of the format itself, and those that the rooms above the readers
// know: laws of contact, materials, kinds of drives and their parts, sensors and their presets.
#include "outline_words.h"

#include "drive/describe.h"
#include "sense/at_work.h"
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
        for (const ff_yaml *m = top->role == FF_ROLE_MATERIALS ? top->child : NULL; m; m = m->next)
            if (m != node->parent) add(w, m->key);
    ff_material material;
    for (int i = 0; i < FF_OUTLINE_LIBRARY && ff_material_library(i, &material); i++) {
        memcpy(w->library[i], material.name, sizeof w->library[i]);
        add(w, w->library[i]);
    }
}

static void add_of_drive(ff_outline_words *w, const ff_yaml *node)
{
    static const char *const feedback[] = {"motor", "joint", NULL};
    const char *group = node->parent->role == FF_ROLE_DRIVE_GROUP && node->parent->key ? node->parent->key : "";
    if (is(node, "feedback"))
        add_list(w, feedback);
    else if (!is(node, "kind"))
        return;
    else if (strcmp(group, "loop") == 0)
        add_list(w, ff_drive_loop_names);
    else if (strcmp(group, "path") == 0)
        add_list(w, ff_drive_path_names);
    else if (strcmp(group, "transmission") == 0)
        add_list(w, ff_drive_transmission_names);
    else if (node->parent->role == FF_ROLE_DRIVE)
        add_list(w, ff_drive_motor_names);
}

void ff_outline_words_of(ff_outline_words *w, const ff_yaml *node)
{
    w->count = 0;
    if (!node->parent || !node->key || node->type != FF_YAML_SCALAR) return;
    add_list(w, ff_native_words(node));
    switch (node->parent->role) {
    case FF_ROLE_SHAPE:
        if (is(node, "material")) add_materials(w, node);
        break;
    case FF_ROLE_MATERIAL:
        if (is(node, "like")) add_materials(w, node);
        break;
    case FF_ROLE_NORMAL:
        for (int i = 0; is(node, "law") && i < FF_NORMAL_LAW_COUNT; i++) add(w, ff_normal_law_name((ff_normal_law)i));
        for (int i = 0; is(node, "calibration") && i < FF_CALIBRATION_COUNT; i++)
            add(w, ff_calibration_name((ff_calibration)i));
        break;
    case FF_ROLE_FRICTION:
        for (int i = 0; is(node, "law") && i < FF_FRICTION_LAW_COUNT; i++)
            add(w, ff_friction_law_name((ff_friction_law)i));
        for (int i = 0; is(node, "stick") && i < FF_STICK_RULE_COUNT; i++) add(w, ff_stick_rule_name((ff_stick_rule)i));
        break;
    case FF_ROLE_DRIVE:
    case FF_ROLE_DRIVE_GROUP:
        add_of_drive(w, node);
        break;
    case FF_ROLE_SENSOR:
        for (int i = 0; is(node, "type") && i < FF_SENSOR_COUNT; i++) add(w, ff_sensor_type_name((ff_sensor_type)i));
        for (int i = 0; is(node, "preset") && ff_sensor_preset_name(i); i++) add(w, ff_sensor_preset_name(i));
        break;
    default:
        break;
    }
}
