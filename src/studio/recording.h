// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a recording that only pages use: its meshes and the origin of its scene.
#ifndef FOOTFALL_STUDIO_RECORDING_H
#define FOOTFALL_STUDIO_RECORDING_H

#include <footfall/geom.h>
#include <footfall/studio.h>

int ff_recording_mesh_count(const ff_recording *r);
/// Reads a mesh into malloc'ed arrays, which the caller frees.
/// @param most  limit of its size, at 16 bytes for each corner and triangle
/// @return false: there is no mesh of that number, it is damaged, or it is too large
bool ff_recording_read_mesh(const ff_recording *r, int index, size_t most, ff_mesh *out);
/// Path of the scene file as given to the run; "": not known.
const char *ff_recording_scene_path(const ff_recording *r);
/// Values of the scene that were overridden, "time=2; record.rate=100"; "" for none.
const char *ff_recording_scene_changes(const ff_recording *r);

#endif
