// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What all files that read a scene call (reader.h).
#include "scene/reader.h"

int ff_scene_count(const ff_yaml *list)
{
    return list ? list->nchild : 0;
}

ff_place ff_scene_place(const ff_scene_reader *r, const ff_yaml *node)
{
    ff_place place = node->place; // its file may be "--set path", in memory of the tree
    place.file = place.file ? ff_arena_strdup(&r->scene->arena, place.file) : r->file;
    return place;
}

void ff_scene_seed(const ff_scene_reader *r, ff_yaml *node, uint64_t *seed)
{
    *seed = (uint64_t)ff_yaml_number(node, "seed", (double)*seed, r->report);
}
