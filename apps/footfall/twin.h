// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run with a second robot beside it: what `footfall twin` adds to `footfall run`.
#ifndef FOOTFALL_APPS_TWIN_H
#define FOOTFALL_APPS_TWIN_H

#include "options.h"

#include <footfall/twin.h>

typedef struct twinning {
    text_list set; // of the command line
    const char *recording, *map;
    double offset; // NAN: found by correlation  [s]
    // from twin_open on
    const ff_scene_spec *scene;
    ff_sheet *sheet;
    ff_map mapped;
    ff_alignment alignment;
    ff_twin *twin;
} twinning;

/// What does not go together on the command line; NULL: nothing.
const char *twin_mistake(const twinning *t);
/// Puts the twin beside a run that has not begun.
/// @param path  of the scene, `set` what was overridden in it
/// @return false with the mistakes in `report`
bool twin_open(twinning *t, const char *path, const text_list *set, ff_run *leader, ff_report *report);
/// How far they lie apart, to stdout.
void print_twin(const ff_twin_result *result);
void twin_close(twinning *t);

#endif
