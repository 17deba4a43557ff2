// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plausibility of mesh files, before assimp reads them.
#ifndef FOOTFALL_GEOM_MESH_CHECK_H
#define FOOTFALL_GEOM_MESH_CHECK_H

#include "geom_private.h"

/// Looks for cut-off and forged content. `bytes` end with a zero beyond `length`; `format` is "stl", "obj", "dae" or
/// "ply"; `length` may shrink to what belongs to the mesh.
/// @return FF_OK, FF_BAD_FILE or FF_LIMIT with the path in front of the message
ff_status ff_mesh_check_file(const char *path, const char *format, const char *bytes, size_t *length, ff_error *err);

#endif
