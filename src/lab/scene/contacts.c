// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of a scene: whether there are any, their response, detector and margin, self-collision, and laws measured
// for pairs of materials.
#include "scene/reader.h"

#include <string.h>

static bool read_pair(const ff_scene_reader *r, ff_yaml *node, ff_world_pair *pair)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{of: [material, material], normal: {..}, friction: {..}}", r->report))
        return false;
    ff_yaml *of = ff_yaml_need(node, "of", r->report);
    if (!of) return false;
    const char *names[2] = {of->child->text, of->child->next->text};
    for (const ff_yaml *item = of->child; item; item = item->next)
        if (!ff_material_resolve(r->spec, item->text, NULL, item->place, r->report)) return false;
    pair->name1 = ff_arena_strdup(&r->scene->arena, names[0]);
    pair->name2 = ff_arena_strdup(&r->scene->arena, names[1]);
    const char *name = ff_arena_printf(&r->scene->arena, "%s on %s", names[0], names[1]);
    if (!pair->name1 || !pair->name2 || !name) return false;
    if (!ff_yaml_material(node, name, r->spec, &pair->material, r->report)) return false;
    if (pair->material.source) pair->material.source = ff_arena_strdup(&r->scene->arena, pair->material.source);
    return true;
}

static bool same_two(const ff_world_pair *a, const ff_world_pair *b)
{
    return (strcmp(a->name1, b->name1) == 0 && strcmp(a->name2, b->name2) == 0) ||
           (strcmp(a->name1, b->name2) == 0 && strcmp(a->name2, b->name1) == 0);
}

static void read_pairs(const ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(r->root, "pairs");
    const int n = ff_scene_count(list);
    int count = 0;
    ff_world_pair *pairs = FF_ARENA_NEW(&scene->arena, ff_world_pair, n + 1);
    if (n == 0 || !pairs) return;
    for (ff_yaml *node = list->child; node; node = node->next) {
        if (!read_pair(r, node, &pairs[count])) continue;
        for (int i = 0; i < count; i++)
            if (same_two(&pairs[i], &pairs[count]))
                ff_report_add(r->report, FF_ERROR, node->place, "the pair %s and %s is given twice", pairs[count].name1,
                              pairs[count].name2);
        count++;
    }
    scene->touch.pairs = pairs;
    scene->touch.npair = count;
}

/// Reads the response of contacts: by force laws, or impulses, which not every method supports.
static void read_response(const ff_scene_reader *r, ff_yaml *node)
{
    static const char *const words[] = {"force", "propagation", "simultaneous", NULL};
    ff_world_options *o = &r->scene->touch;
    o->response = (ff_response)ff_yaml_choice(node, "response", words, (int)o->response, r->report);
    const bool rigid = o->response != FF_RESPONSE_FORCE;
    if (rigid && !ff_yaml_get(r->root, "solver")) { // the default solves force laws
        r->scene->options.method = FF_METHOD_ADAPTIVE;
        r->scene->options.accuracy = 0.0;
    }
    const ff_method method = r->scene->options.method;
    if (rigid && !ff_method_get_traits(method).impulses)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "response")->place,
                      "the response '%s' needs the method euler, adaptive or cvode, not %s",
                      ff_response_name(o->response), ff_method_name(method));
}

/// Reads the detector of contact points, and its cells if it has some.
static void read_detector(const ff_scene_reader *r, ff_yaml *node)
{
    static const char *const words[] = {"exact", "ccube", NULL}, *const own[] = {"cells", "depth"};
    ff_world_options *o = &r->scene->touch;
    o->detector = (ff_detector)ff_yaml_choice(node, "detector", words, (int)o->detector, r->report);
    ff_yaml *chosen = ff_yaml_get(node, "detector");
    for (int i = 0; i < 2 && o->detector != FF_DETECTOR_CCUBE; i++) {
        const ff_yaml *key = ff_yaml_get(node, own[i]);
        if (key)
            ff_report_add(r->report, FF_ERROR, key->key_place, "'%s' belongs to the detector ccube: 'detector: ccube'",
                          own[i]);
    }
    if (o->detector != FF_DETECTOR_CCUBE) return;
    if (o->response != FF_RESPONSE_FORCE)
        ff_report_add(r->report, FF_ERROR, chosen->place,
                      "the detector ccube sees no gaps, which the response '%s' needs: it goes with 'force' only",
                      ff_response_name(o->response));
    o->cells = ff_yaml_integer(node, "cells", o->cells, r->report);
    o->cell_depth = ff_yaml_number(node, "depth", o->cell_depth, r->report);
}

static void read_whole(const ff_scene_reader *r, ff_yaml *node)
{
    ff_world_options *o = &r->scene->touch;
    if (node->type == FF_YAML_SCALAR) { // contacts: off
        r->scene->contacts = ff_yaml_boolean(r->root, "contacts", true, r->report);
        return;
    }
    read_response(r, node);
    read_detector(r, node);
    o->margin = ff_yaml_number(node, "margin", o->margin, r->report);
    o->mjcf = ff_yaml_boolean(node, "mjcf", o->mjcf, r->report);
    o->most_contacts = ff_yaml_integer(node, "most", o->most_contacts, r->report);
}

/// Sets the standard material, of shapes without one: a material of that name in the files of the scene comes before
/// that of the library.
static void take_standard(ff_scene_spec *scene)
{
    ff_material *standard = &scene->touch.standard;
    for (int i = 0; i < scene->model->nmaterial; i++)
        if (strcmp(scene->model->materials[i].name, standard->name) == 0) {
            *standard = scene->model->materials[i];
            return;
        }
}

/// Place for errors about pairs of shapes: the first key that adds shapes.
static ff_place place_of_shapes(const ff_scene_reader *r)
{
    static const char *const keys[] = {"terrain", "objects", "robot", "robots"};
    ff_place place = ff_scene_place(r, r->root);
    for (int i = 3; i >= 0; i--) {
        const ff_yaml *node = ff_yaml_get(r->root, keys[i]);
        if (!node) continue;
        place = ff_scene_place(r, node);
        place.line = node->key_place.line;
        place.column = node->key_place.column;
    }
    return place;
}

void ff_scene_read_contacts(ff_scene_reader *r)
{
    r->scene->touch_place = place_of_shapes(r);
    take_standard(r->scene);
    ff_yaml *node = ff_yaml_get(r->root, "contacts");
    if (node) read_whole(r, node);
    ff_yaml *self = ff_yaml_get(r->root, "self_collision");
    r->scene->touch_overlaps = self && self->type == FF_YAML_SCALAR && strcmp(self->text, "all") == 0;
    r->scene->touch.self_collision =
        r->scene->touch_overlaps || ff_yaml_boolean(r->root, "self_collision", false, r->report);
    read_pairs(r);
}
