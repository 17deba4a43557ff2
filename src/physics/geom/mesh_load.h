// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The stages of reading a mesh file.
#ifndef FOOTFALL_GEOM_MESH_LOAD_H
#define FOOTFALL_GEOM_MESH_LOAD_H

#include "geom_private.h"

/// Content of a mesh file, and the scale to read it with.
typedef struct mesh_bytes {
    const char *path;   // for messages
    const char *format; // "stl", "obj", "dae" or "ply"
    const char *bytes;
    size_t length;
    double scale[3];
} mesh_bytes;

/// Checks for cut-off and forged content. `bytes` end with a zero beyond `length`, which may shrink to what belongs to
/// the mesh.
/// @return FF_OK or FF_BAD_FILE with the path in front of the message
ff_status ff_mesh_check_file(const char *path, const char *format, const char *bytes, size_t *length, ff_error *err);

/// Reads the bytes through assimp. Damaged content may crash it: call this where a crash does no harm.
ff_status ff_mesh_import(ff_mesh **mesh, const mesh_bytes *source, ff_error *err);

/// The same in a child process, with limits on its time and memory.
/// @return FF_OK, or the reason with the path in front of the message
ff_status ff_mesh_import_in_child(ff_mesh **mesh, const mesh_bytes *source, ff_error *err);

/// Reads the bytes of an OBJ file exactly.
/// @return false when they are not plain enough or memory runs out; then assimp reads them or reports the error
bool ff_mesh_read_obj(ff_mesh **mesh, const mesh_bytes *source);

/// Joins triangles to a mesh: an open-addressing table from positions to vertex numbers.
typedef struct ff_merger {
    ff_mesh *mesh;
    int *slots; // vertex number + 1, 0 for free
    size_t mask;
} ff_merger;

bool ff_merger_init(ff_merger *m, int ntriangle);
void ff_merger_clear(ff_merger *m);
/// Number of the vertex at this place, a new one or one that was there.
int ff_merger_vertex(ff_merger *m, const double p[3]);
/// Triangles with two equal corners have no area and are left out.
void ff_merger_triangle(ff_merger *m, int a, int b, int c);

#endif
