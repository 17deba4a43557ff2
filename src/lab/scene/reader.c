// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions for all files that read a scene (reader.h).
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

void ff_scene_report_unknown(const ff_scene_reader *r, ff_place place, const char *kind, const char *name,
                             const char *const *names, int count)
{
    const char *near = ff_yaml_hint(name, names, count, r->report);
    ff_report_add(r->report, FF_ERROR, place, "no %s '%.60s' in this scene%s%.60s%s", kind, name,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

void ff_scene_hand_over(ff_report *from, unsigned severities, ff_report *to)
{
    for (int i = 0; i < from->count; i++) {
        const ff_message *m = &from->messages[i];
        if (severities & 1U << m->severity)
            ff_report_add(to, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    ff_report_clear(from);
}
