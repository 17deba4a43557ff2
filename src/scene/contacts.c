// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scene says about contacts as a whole: whether there are any, what a touch does, how far ahead they are looked
// for, self-collision, and laws measured for a pair of materials.
#include "scene/internal.h"

#include <string.h>

enum { MOST_PAIRS = 1000, MOST_CONTACTS = 1000000, MOST_CELLS = 200 };

static bool read_pair(const ff_scene_reader *r, ff_yaml *node, ff_world_pair *pair)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{of: [material, material], normal: {..}, friction: {..}}", r->report))
        return false;
    ff_yaml *of = ff_yaml_need(node, "of", r->report);
    if (!of) return false;
    if (of->type != FF_YAML_LIST || of->nchild != 2) {
        ff_report_add(r->report, FF_ERROR, of->place, "expected two materials: [one, other]");
        return false;
    }
    const char *names[2];
    ff_yaml *item = of->child;
    for (int k = 0; k < 2; k++, item = item->next) {
        names[k] = ff_yaml_as_string(item, r->report);
        if (!names[k] || !ff_material_resolve(r->spec, names[k], NULL, item->place, r->report)) return false;
    }
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
    int n = ff_scene_list(r, list, "a list of pairs of materials"), count = 0;
    if (n > MOST_PAIRS) {
        ff_report_add(r->report, FF_ERROR, list->place, "%d pairs are more than the limit of %d", n, MOST_PAIRS);
        return;
    }
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

/// Force, or without compliance; the method must know how.
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

/// How points are found. What cells there are belongs to the detector that has some.
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
    if (o->cells < 1 || o->cells > MOST_CELLS)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "cells")->place, "'cells' is %d: 1 to %d a side", o->cells,
                      MOST_CELLS);
    o->cell_depth = ff_yaml_number(node, "depth", o->cell_depth, r->report);
    if (!(o->cell_depth > 0.0 && o->cell_depth <= 10.0))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "depth")->place, "'depth' is %g m: above 0, at most 10 m",
                      o->cell_depth);
}

static void read_whole(const ff_scene_reader *r, ff_yaml *node)
{
    ff_world_options *o = &r->scene->touch;
    if (node->type == FF_YAML_SCALAR) { // contacts: off
        r->scene->contacts = ff_yaml_boolean(r->root, "contacts", true, r->report);
        return;
    }
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{response: .., detector: .., margin: .., most: .., impulses: ..}",
                        r->report))
        return;
    read_response(r, node);
    read_detector(r, node);
    o->margin = ff_yaml_number(node, "margin", o->margin, r->report);
    if (!(o->margin >= 0.0 && o->margin <= 1.0))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "margin")->place, "'margin' is %g m: 0 to 1 m", o->margin);
    o->most_contacts = ff_yaml_integer(node, "most", o->most_contacts, r->report);
    if (o->most_contacts < 0 || o->most_contacts > MOST_CONTACTS)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "most")->place,
                      "'most' is %d: 0 (chosen from the shapes) to %d", o->most_contacts, MOST_CONTACTS);
    o->impulses = ff_yaml_boolean(node, "impulses", false, r->report);
    if (o->impulses && o->response != FF_RESPONSE_FORCE)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "impulses")->place,
                      "impulses of feet are counted with the response 'force' only, not %s",
                      ff_response_name(o->response));
}

/// Where to look when things cannot touch: the first of what brings shapes.
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
    ff_yaml *node = ff_yaml_get(r->root, "contacts");
    if (node) read_whole(r, node);
    r->scene->touch.self_collision = ff_yaml_boolean(r->root, "self_collision", false, r->report);
    read_pairs(r);
}
