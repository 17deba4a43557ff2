// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Between outline.c, which walks the text, and outline_spec.c, which asks the readers what becomes of it.
#ifndef FOOTFALL_STUDIO_OUTLINE_SPEC_H
#define FOOTFALL_STUDIO_OUTLINE_SPEC_H

#include <footfall/model.h>

/// An item of the robot, and where it is written: what kind of entry (a body: "body"), and its place, line 0 for other
/// files. Shapes go by the name of their body.
typedef struct ff_outline_made {
    const char *role;
    int line, column;
    const char *name;
    const char *own; // its own name, by which keys mean it; "": none
} ff_outline_made;

/// The description as far as it can be read; NULL when it cannot.
ff_spec *ff_outline_read(const char *path, const char *text, size_t length);
/// All items that have a name. NULL (none) where there are too many to be looked through at every keystroke.
ff_outline_made *ff_outline_made_list(const ff_spec *spec, const char *path, ff_arena *arena, int *count);
/// Does a key, which may be a pattern, mean that name?
bool ff_outline_fits(const char *key, const char *name);

/// Outline of a URDF or MJCF file: what was read of it, without places to edit.
char *ff_outline_xml(const char *path, const char *text, size_t length, ff_report *report);

#endif
