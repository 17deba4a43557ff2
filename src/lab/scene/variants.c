// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Variants of a scene: the same run with some values changed and, where the variant says so, other expectations.
//     variants:
//       - {name: printed, set: {materials.rubber.normal.damping: 2.4e4}, expect: [...]}
// The key `variant` at the top, or "variant=printed" among the overrides, chooses one; its values are put in place
// before the other overrides are, so that the command line has the last word.
#include "scene/reader.h"

#include <string.h>

#define MOST_VARIANTS 1000

static const char *wanted_variant(const ff_scene_reader *r, const char *const *overrides, int noverride,
                                  ff_place *place)
{
    static const char key[] = "variant=";
    for (int i = noverride - 1; i >= 0; i--) {
        if (strncmp(overrides[i], key, sizeof key - 1) != 0) continue;
        *place = (ff_place){"--set variant", 0, 0};
        return overrides[i] + sizeof key - 1;
    }
    ff_yaml *node = ff_yaml_get(r->root, "variant");
    if (!node) return NULL;
    *place = node->place;
    return ff_yaml_as_string(node, r->report);
}

static void apply(const ff_scene_reader *r, ff_arena *tree, ff_yaml *variant)
{
    ff_yaml *set = ff_yaml_get(variant, "set"), *expect = ff_yaml_get(variant, "expect");
    if (set && ff_yaml_expect(set, FF_YAML_MAP, "{path: value, ..}", r->report))
        for (ff_yaml *entry = set->child; entry; entry = entry->next)
            ff_yaml_put(tree, r->root, entry->key, entry, r->report);
    if (expect) ff_yaml_put(tree, r->root, "expect", expect, r->report);
}

/// One is chosen before the schema checks the file that it makes.
static ff_yaml *first_variant(const ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "variants");
    if (!ff_yaml_expect(list, FF_YAML_LIST, "a list of variants", r->report)) return NULL;
    if (list->nchild <= MOST_VARIANTS) return list->child;
    ff_report_add(r->report, FF_ERROR, list->place, "%d variants are more than the limit of %d", list->nchild,
                  MOST_VARIANTS);
    return NULL;
}

void ff_scene_apply_variant(ff_scene_reader *r, ff_arena *tree, const char *const *overrides, int noverride)
{
    ff_place place;
    const char *wanted = wanted_variant(r, overrides, noverride, &place);
    if (!wanted || r->report->errors) return;
    if (r->store && r->store->closed) {
        const bool same = r->scene->variant && strcmp(wanted, r->scene->variant) == 0;
        if (!same)
            ff_report_add(r->report, FF_ERROR, place, "an image holds one variant of a scene, and this is %s%s",
                          r->scene->variant ? "variant " : "none", r->scene->variant ? r->scene->variant : "");
        return;
    }
    const char *names[MOST_VARIANTS];
    int count = 0;
    for (ff_yaml *variant = first_variant(r); variant; variant = variant->next) {
        const char *name = ff_yaml_string(variant, "name", "", r->report);
        if (strcmp(name, wanted) == 0) {
            r->scene->variant = ff_arena_strdup(&r->scene->arena, name);
            apply(r, tree, variant);
            return;
        }
        names[count++] = name;
    }
    ff_scene_report_unknown(r, place, "variant", wanted, names, count);
}

static bool read_variant(const ff_scene_reader *r, ff_yaml *node)
{
    ff_scene_spec *scene = r->scene;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{name: .., set: {path: value, ..}}", r->report)) return false;
    ff_yaml *name = ff_yaml_need(node, "name", r->report);
    const char *word = name ? ff_yaml_as_string(name, r->report) : NULL;
    if (!word) return false;
    for (int i = 0; i < scene->nvariant; i++) {
        if (strcmp(scene->variants[i], word) != 0) continue;
        ff_report_add(r->report, FF_ERROR, name->place, "a second variant of the name '%.60s'", word);
        return false;
    }
    if (word[0] == '\0' || strpbrk(word, "/ \t\n")) {
        ff_report_add(r->report, FF_ERROR, name->place, "'%.60s': the name of a variant is a word without blanks and /",
                      word);
        return false;
    }
    // What the variant sets is checked when it is chosen: its meaning depends on the place it goes to.
    ff_yaml *set = ff_yaml_need(node, "set", r->report), *expect = ff_yaml_get(node, "expect");
    if (set) ff_yaml_use(set);
    if (expect) ff_yaml_use(expect);
    scene->long_variants[scene->nvariant] = ff_yaml_boolean(node, "long", false, r->report);
    scene->variants[scene->nvariant++] = ff_arena_strdup(&scene->arena, word);
    return set != NULL;
}

void ff_scene_read_variants(ff_scene_reader *r)
{
    ff_yaml *first = first_variant(r);
    int n = first ? first->parent->nchild : 0;
    r->scene->variants = FF_ARENA_NEW(&r->scene->arena, const char *, n + 1);
    r->scene->long_variants = FF_ARENA_NEW(&r->scene->arena, bool, n + 1);
    ff_yaml_get(r->root, "variant"); // known since before the overrides
    for (ff_yaml *node = r->scene->variants && r->scene->long_variants ? first : NULL; node; node = node->next)
        if (!read_variant(r, node)) return;
}
