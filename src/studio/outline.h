// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The outline of a robot's text, for the model editor: the place of every value, so that an editor can replace one
// number and keep every other byte (comments, order, layout).
#ifndef FOOTFALL_STUDIO_OUTLINE_H
#define FOOTFALL_STUDIO_OUTLINE_H

#include <footfall/model.h>

/// Limits of values and bytes. Larger texts have no outline, but can be edited as text.
#define FF_OUTLINE_NODES ((int)10000)
#define FF_OUTLINE_BYTES ((size_t)1 << 20)

/// Outline of a native robot, of a URDF or MJCF file (read-only) or of a scene (without units), as one JSON object;
/// docs/reference-protocol.md, "Types", lists its members.
/// @param path    name of the text in messages, which the caller has checked to be inside the project; imported files
///                are found from its folder
/// @param report  the reason if there is no outline: bad syntax, too large; the errors that `check` finds are not
///                reported here
/// @return malloc'ed, zero-terminated; NULL where there is none
char *ff_studio_outline(const char *path, const char *text, size_t length, ff_report *report);

// ------------------------------------------------------------------------------------------ outline_spec.c

/// An item that the readers make of the text: its kind ("body") and where it is written, line 0 in other files. A shape
/// has the name of its body.
typedef struct ff_outline_item {
    const char *role;
    int line, column;
    const char *name;
    const char *own; // its own name, which keys refer to; "": none
} ff_outline_item;

/// The description of a native robot; NULL if it cannot be read.
ff_spec *ff_outline_read(const char *path, const char *text, size_t length);
/// All items that have a name; NULL if there are more than can be searched at every keystroke.
ff_outline_item *ff_outline_items(const ff_spec *spec, const char *path, ff_arena *arena, int *count);
/// Outline of a URDF or MJCF file, which cannot be edited.
char *ff_outline_xml(const char *path, const char *text, size_t length, ff_report *report);

#endif
