// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The outline of a robot's text, for the model editor: what stands where, so that an editor can replace one number by
// another and leave every other byte (comments, order, layout) alone. The text stays the truth: nothing is ever written
// from the outline.
#ifndef FOOTFALL_STUDIO_OUTLINE_H
#define FOOTFALL_STUDIO_OUTLINE_H

#include <footfall/base.h>

/// Larger texts are refused: they have no outline, and can be edited as text.
#define FF_OUTLINE_NODES ((int)10000)
#define FF_OUTLINE_BYTES ((size_t)1 << 20)

/// Outline of a native robot, of a URDF or MJCF file (read-only) or of a scene (without units), as one JSON object;
/// docs/studio.md, "Types", lists its members.
/// @param path    name of the text in messages, and the folder from which files that it imports are found. The caller
/// has made sure that it lies where it may
/// @param report  what is wrong where there is no outline: bad syntax, too large. What `check` says of a text that has
/// one is not reported here
/// @return malloc'ed, zero-terminated, the caller's; NULL where there is none
char *ff_studio_outline(const char *path, const char *text, size_t length, ff_report *report);

#endif
