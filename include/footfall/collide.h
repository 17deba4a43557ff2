// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Collision detection: where two placed shapes touch, how deep, and how far apart they are otherwise.
// Part of the room geom; docs/collision.md says which pair uses which method and how accurate it is.
// No function here allocates, except those named create; none keeps state between calls.
#ifndef FOOTFALL_COLLIDE_H
#define FOOTFALL_COLLIDE_H

#include <footfall/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ colliders

/// Convex hull of a cloud of points, prepared for collision. Immutable, may be shared.
typedef struct ff_convex ff_convex;

/// Takes the hull of the mesh's vertices; its triangles do not matter. Points in a plane, on a line, or a single one
/// are allowed.
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (there is no vertex), FF_NO_MEMORY
FF_API ff_convex *ff_convex_create(const ff_mesh *mesh, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_convex_destroy(ff_convex *convex);

/// Surface of triangles with a tree of boxes over them. Immutable, may be shared. One-sided: the solid is behind the
/// triangles.
typedef struct ff_surface ff_surface;

/// Copies the triangles; corners at the same place are joined, triangles without area and doubled ones left out; edges
/// with more than two triangles are tolerated.
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (there is no triangle), FF_NO_MEMORY
FF_API ff_surface *ff_surface_create(const ff_mesh *mesh, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_surface_destroy(ff_surface *surface);

/// Ground given by heights on a grid, two triangles a cell, the solid below. Its frame has z up and its origin at the
/// middle of the grid.
typedef struct ff_field ff_field;

/// @param heights  row by row, x fastest; NULL for flat ground to be filled by `height`  [m] (nx*ny)
/// @param nx,ny    grid points, 2 or more each
/// @param size     lengths of the field along x and y  [m]
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (a number is not finite or not positive), FF_NO_MEMORY
FF_API ff_field *ff_field_create(const double *heights, int nx, int ny, const double size[2], ff_error *err);
/// The same from a function of the place, called once for each grid point, x fastest.
FF_API ff_field *ff_field_create_from(double (*height)(void *context, double x, double y), void *context, int nx,
                                      int ny, const double size[2], ff_error *err);
/// The same from a grey PNG picture of 8 or 16 bits: a pixel is a grid point, black lies at 0 and white at `height`;
/// the upper edge of the picture is that at +y.
/// @param height  may be below zero: white is then the deepest  [m]
/// @return NULL with the reason in `err`: FF_NOT_FOUND, FF_BAD_FILE (no picture, damaged, colours), FF_LIMIT (more than
/// 4 million pixels), FF_NOT_BUILT, FF_NO_MEMORY
FF_API ff_field *ff_field_create_png(const char *path, const double size[2], double height, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_field_destroy(ff_field *field);
/// The heights of the grid, row by row, x fastest; they live as long as the field.  [m] (nx*ny)
FF_API const double *ff_field_heights(const ff_field *field, int *nx, int *ny);
/// Height of the surface at a place in the field's frame; NaN outside.
FF_API double ff_field_height(const ff_field *field, double x, double y);

typedef enum ff_collider_type {
    FF_COLLIDER_SPHERE,    // size: radius
    FF_COLLIDER_CAPSULE,   // size: radius, half length of the cylinder part; along z
    FF_COLLIDER_BOX,       // size: half lengths x, y, z
    FF_COLLIDER_CYLINDER,  // size: radius, half length; along z
    FF_COLLIDER_ELLIPSOID, // size: half axes x, y, z
    FF_COLLIDER_CONVEX,    // convex
    FF_COLLIDER_PLANE,     // the half-space z < 0
    FF_COLLIDER_POINTS,    // points, each a ball of radius size[0], which may be zero
    FF_COLLIDER_SURFACE,   // surface
    FF_COLLIDER_FIELD,     // field
    FF_COLLIDER_COUNT
} ff_collider_type;

/// A shape as the collision functions see it. Sizes must be finite and not negative; zero is allowed (a disc, a sheet,
/// a line).
typedef struct ff_collider {
    ff_collider_type type;
    int npoint;                // for FF_COLLIDER_POINTS
    double size[3];            // see ff_collider_type  [m]
    const ff_convex *convex;   // for FF_COLLIDER_CONVEX; borrowed
    const ff_surface *surface; // for FF_COLLIDER_SURFACE; borrowed
    const ff_field *field;     // for FF_COLLIDER_FIELD; borrowed
    const double *points;      // for FF_COLLIDER_POINTS; x y z each, in the shape's frame; borrowed  [m] (3*npoint)
} ff_collider;

/// "sphere", "capsule", ...
FF_API const char *ff_collider_name(ff_collider_type type);
/// The collider of a simple shape. @return false for a mesh, which the caller makes into an ff_convex.
FF_API bool ff_collider_from_shape(ff_collider *out, const ff_shape *shape);
/// Axis-aligned box of the placed collider in the world, as tight as the shape allows; that of a plane is infinite,
/// except on the side of a normal along a world axis.
FF_API void ff_collider_bounds(const ff_collider *collider, const ff_pose *pose, double low[3], double high[3]);

// ------------------------------------------------------------------------------------------ exact phase

/// The two surface points where two colliders are nearest or deepest.
typedef struct ff_collide_nearest {
    double distance;  // below zero when they overlap: the shortest way out  [m]
    double normal[3]; // unit, from 1 to 2, world axes
    double point1[3]; // on the surface of 1, world; point2 = point1 + distance * normal  [m]
    double point2[3]; // on the surface of 2  [m]
} ff_collide_nearest;

/// One point of a contact patch. The surface of 1 is at point + depth/2 normal, that of 2 at point - depth/2 normal.
typedef struct ff_collide_point {
    double point[3];  // midway between the surfaces, world  [m]
    double normal[3]; // unit, from 1 to 2
    double depth;     // above zero while touching; down to -margin otherwise  [m]
    uint64_t id; // the features that meet here (docs/collision.md): the same while they do, unique within the patch
} ff_collide_point;

/// Most points in the patch of two convex colliders. A smaller buffer gets the deepest and those that span the largest
/// area.
#define FF_COLLIDE_PATCH_MAX 8

/// Signed distance of two colliders and where it is.
/// With a surface or field only where they overlap or are within its size of it (infinite beyond).
/// @return FF_OK; FF_DIVERGED when a pose is not finite (all numbers of `out` are then NaN); FF_BAD_ARGUMENT for pairs
/// that have no distance (two planes, and surfaces and fields among themselves or with a plane, but for a surface on a
/// plane) or an incomplete collider
FF_API ff_status ff_collide_distance(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                     const ff_pose *pose2, ff_collide_nearest *out);

/// Contact points of two colliders, those with depth > -margin.
/// @param margin    gap up to which points are reported, zero or more  [m]
/// @param points    result, at most `capacity` of them
/// @param count     how many were written
/// @return as ff_collide_distance; nothing is written to `points` then
FF_API ff_status ff_collide(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                            double margin, ff_collide_point *points, int capacity, int *count);

/// The same distance by GJK and EPA alone, for any two convex colliders (all but planes and points). Slower; tests
/// compare the closed forms with it.
/// @return as ff_collide_distance; FF_BAD_ARGUMENT for other colliders
FF_API ff_status ff_collide_distance_gjk(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2,
                                         const ff_pose *pose2, ff_collide_nearest *out);

// ------------------------------------------------------------------------------------------ rays

typedef struct ff_ray_hit {
    double distance;  // from the origin of the ray; 0 when that is inside a solid  [m]
    double point[3];  // world  [m]
    double normal[3]; // unit, outward; against the ray when its origin is inside
    int part;         // triangle of a surface or field, point of a set; 0 otherwise
} ff_ray_hit;

/// First point of a ray on a collider.
/// @param origin,direction  world; the direction must have length 1
/// @param range             longest distance  [m]
/// @return true when it hits; false also when an argument is not finite
FF_API bool ff_collide_ray(const ff_collider *collider, const ff_pose *pose, const double origin[3],
                           const double direction[3], double range, ff_ray_hit *hit);

// ------------------------------------------------------------------------------------------ triangles in cells

/// Triangles of an object sorted into cubic cells, for the cpoint/ctriangle detector (docs/collision.md): an
/// alternative to the exact phase, for comparison and for meshes that are not convex. Worlds use it with
/// FF_DETECTOR_CCUBE.
typedef struct ff_ccube ff_ccube;

/// @param mesh   closed, facing outside; copied
/// @param cells  along the longest side of its box, 1 to 512
/// @param depth  how far behind a triangle a point still collides with it  [m]
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_NO_MEMORY
FF_API ff_ccube *ff_ccube_create(const ff_mesh *mesh, int cells, double depth, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_ccube_destroy(ff_ccube *ccube);
/// Points of object 2 (in its frame, placed by `at`) inside object 1 (placed by `pose`): one contact each, the identity
/// is its number.
/// @return how many were written, at most `capacity`; a NaN pose collides with nothing
FF_API int ff_ccube_collide(const ff_ccube *ccube, const ff_pose *pose, const double *points, int npoint,
                            const ff_pose *at, ff_collide_point *out, int capacity);

// ------------------------------------------------------------------------------------------ broad phase

/// Which objects may meet. Two objects pair when (type of one & affinity of the other) has a common bit, either way
/// round, as in MJCF (contype, conaffinity); never within one body, and never two static ones.
typedef struct ff_broad_object {
    uint32_t type;     // contype
    uint32_t affinity; // conaffinity
    int body;          // objects of one body never pair; -1: a body of its own
    bool fixed;        // does not move: pairs with moving ones only
} ff_broad_object;

typedef struct ff_broad_pair {
    int first, second; // first < second
} ff_broad_pair;

/// Finds the pairs of objects whose boxes overlap, from step to step: a dynamic tree of boxes that are a little too
/// large, so that most steps leave the tree and the list of candidates as they are.
typedef struct ff_broad ff_broad;

/// @param objects   what may meet what; copied  (nobject)
/// @param excluded  pairs of bodies that never meet, as first and second body; copied  (nexcluded)
/// @param capacity  most candidate pairs; 0 for 16 an object
/// @param slack     by how much boxes are enlarged; about the distance moved in a few steps  [m]
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_NO_MEMORY
FF_API ff_broad *ff_broad_create(const ff_broad_object *objects, int nobject, const ff_broad_pair *excluded,
                                 int nexcluded, int capacity, double slack, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_broad_destroy(ff_broad *broad);

/// Takes the boxes of all objects (low and high, x y z each) and finds the pairs that overlap. Boxes may be infinite.
/// An object whose box has a NaN, or a low above its high, meets nothing. No allocation.
/// @param low,high  (3*nobject)
/// @param pairs     result, by increasing first and then second; memory of `broad`, valid until the next update
/// @return FF_OK; FF_LIMIT when there are more candidates than the capacity: the pairs are then incomplete
FF_API ff_status ff_broad_update(ff_broad *broad, const double *low, const double *high, const ff_broad_pair **pairs,
                                 int *npair);

/// How much work updates have been, to choose the slack.
typedef struct ff_broad_stats {
    long long updates;    // calls
    long long moves;      // objects that left their enlarged box
    long long candidates; // pairs of enlarged boxes visited
    long long visits;     // nodes of the tree visited
    int height;           // of the tree now
} ff_broad_stats;
/// Counted since `broad` was made.
FF_API ff_broad_stats ff_broad_statistics(const ff_broad *broad);

#ifdef __cplusplus
}
#endif
#endif
