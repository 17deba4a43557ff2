// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes, triangle meshes and their mass properties.
#ifndef FOOTFALL_GEOM_H
#define FOOTFALL_GEOM_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ meshes

/// Triangle mesh. Owned by its maker; read-only once shared.
typedef struct ff_mesh {
    double *vertices; // x y z each [m]                (3*nvertex)
    int *triangles;   // counter-clockwise from outside (3*ntriangle)
    int nvertex;
    int ntriangle;
} ff_mesh;

/// Reads STL, OBJ, DAE or PLY (through assimp; all meshes of the file joined, node transforms applied, equal corners
/// merged, faces without area left out) and scales it. Collada: the unit is applied, the up axis is not, as in ROS.
/// Assimp works in a child process with 10 s of time and more for large files, so that a damaged file gives a message
/// and not a crash.
/// @param path   file to read, at most 256 MiB and 5 million triangles
/// @param scale  factor for each axis; a negative product flips the triangles so that they face outside
/// @return NULL with the reason in `err`: FF_NOT_FOUND (no such file), FF_BAD_FILE (not a mesh, no triangle, non-finite
/// vertex), FF_LIMIT, FF_NO_MEMORY (no child process either), FF_NOT_BUILT
FF_API ff_mesh *ff_mesh_load(const char *path, const double scale[3], ff_error *err);
/// Copies the arrays; without triangles it is a cloud of points.
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (an index out of range, a vertex that is not finite),
/// FF_LIMIT, FF_NO_MEMORY
FF_API ff_mesh *ff_mesh_create(const double *vertices, int nvertex, const int *triangles, int ntriangle, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_mesh_destroy(ff_mesh *mesh);

/// How a mesh is filled with mass.
typedef enum ff_mesh_filling {
    FF_FILL_EXACT,  // signed tetrahedra: right for closed surfaces of any shape, holes subtract
    FF_FILL_LEGACY, // as MuJoCo 3 by default: every tetrahedron counts as positive; the same where the mesh is convex
    FF_FILL_CONVEX, // the convex hull
    FF_FILL_SHELL   // mass on the surface (density is per area)
} ff_mesh_filling;

/// Mass properties of a mesh of uniform density, in the mesh's frame.
/// @return FF_OK, or FF_BAD_MODEL when the volume (or area) is not positive
FF_API ff_status ff_mesh_inertia(const ff_mesh *mesh, ff_mesh_filling filling, double density, ff_inertia *out,
                                 ff_error *err);
/// Axis-aligned box of the vertices; the origin when there are none.
FF_API void ff_mesh_bounds(const ff_mesh *mesh, double low[3], double high[3]);
/// Convex hull as a new closed mesh (quickhull).
/// @return NULL with the reason in `err`: FF_BAD_MODEL (the points lie in a plane), FF_NO_MEMORY
FF_API ff_mesh *ff_mesh_convex_hull(const ff_mesh *mesh, ff_error *err);

// ------------------------------------------------------------------------------------------ shapes

typedef enum ff_shape_type {
    FF_SHAPE_SPHERE,    // size: radius
    FF_SHAPE_CAPSULE,   // size: radius, half length of the cylinder part; along z
    FF_SHAPE_BOX,       // size: half lengths x, y, z
    FF_SHAPE_CYLINDER,  // size: radius, half length; along z
    FF_SHAPE_ELLIPSOID, // size: half axes x, y, z
    FF_SHAPE_PLANE,     // half-space z < 0; size: half lengths x, y for drawing (0: unbounded)
    FF_SHAPE_MESH,      // size unused
    FF_SHAPE_COUNT
} ff_shape_type;

typedef struct ff_shape {
    ff_shape_type type;
    double size[3];      // see ff_shape_type  [m]
    const ff_mesh *mesh; // for FF_SHAPE_MESH; NULL when its file is missing
} ff_shape;

/// "sphere", "capsule", ...
FF_API const char *ff_shape_name(ff_shape_type type);
/// Enclosed volume [m^3]; 0 for a plane or a missing mesh.
FF_API double ff_shape_volume(const ff_shape *shape);
/// Mass properties at uniform density [kg/m^3] in the shape's frame: zero for planes, FF_FILL_EXACT for meshes.
/// @return FF_OK, FF_BAD_MODEL (missing or open mesh, sizes not positive) or FF_BAD_ARGUMENT (density below zero)
FF_API ff_status ff_shape_inertia(const ff_shape *shape, double density, ff_inertia *out, ff_error *err);
/// Axis-aligned bounding box in the shape's frame; infinite for planes, the origin for a missing mesh.
FF_API void ff_shape_bounds(const ff_shape *shape, double low[3], double high[3]);

#ifdef __cplusplus
}
#endif
#endif
