// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the exact phase share. All of them work with `ff_solid`: a convex core placed in a frame whose
// origin is near the pair (so that robots far from the world's origin lose no digits), plus a radius by which the core
// is rounded: a ball is a point with a radius, a capsule a line. Distances of rounded cores are those of the cores
// minus the radii.
#ifndef FOOTFALL_COLLIDE_PRIVATE_H
#define FOOTFALL_COLLIDE_PRIVATE_H

#include <footfall/collide.h>

#include "geom_private.h"

/// Faces and neighbours of a convex hull, in contiguous arrays.
struct ff_convex {
    double *vertex;    // (3*nvertex)
    int nvertex;       //
    int *neighbour_at; // start of each vertex's list in neighbour, NULL for a flat cloud  (nvertex+1)
    int *neighbour;    //
    double *face;      // outward normal of each flat face  (3*nface)
    int *corner_at;    // start of each face's loop in corner  (nface+1)
    int *corner;       // vertices of each face, counter-clockwise from outside
    int nface;         //
    double centre[3];  // middle of the bounds
    double low[3], high[3];
    int toward[27]; // farthest vertex along the 26 directions to the sides, edges and corners of a cube
};

typedef enum solid_kind {
    SOLID_POINT,
    SOLID_LINE,      // size[0]: half length along z
    SOLID_BOX,       // size: half lengths
    SOLID_CYLINDER,  // size: radius, half length
    SOLID_ELLIPSOID, // size: half axes
    SOLID_CONVEX     // convex
} solid_kind;

typedef struct ff_solid {
    solid_kind kind;
    double radius; // rounding of the core
    double size[3];
    double R[9], p[3];
    const ff_convex *convex;
} ff_solid;

/// The core of a convex collider, relative to `origin`.
void ff_solid_make(const ff_collider *c, const ff_pose *pose, const double origin[3], ff_solid *out);
/// Farthest point of the core along d (any length), and a number for the vertex.
void ff_solid_support(const ff_solid *s, const double d[3], double out[3], int *vertex);
/// A vertex to start climbing from along d: the farthest along the nearest of 26 directions, less than 30 degrees away.
int ff_convex_toward(const ff_convex *c, const double d[3]);
/// A point inside the core.
void ff_solid_centre(const ff_solid *s, double out[3]);
/// Half the size of the core, for tolerances.
double ff_solid_extent(const ff_solid *s);

/// Number of the deepest point of a cylinder's lower rim once it is tilted; the upper one's is 8 more.
#define FF_RIM_CODE 32
/// A flat feature of a core: a face (three corners and more), an edge (two) or a corner.
#define FF_FEATURE_MAX 32
typedef struct ff_feature {
    double corner[FF_FEATURE_MAX][3];
    uint32_t code[FF_FEATURE_MAX]; // number of the corner, stable
    int count;
    double normal[3]; // of a face, outward
} ff_feature;
/// The face, edge or corner of the core that faces the unit vector n most.
void ff_solid_feature(const ff_solid *s, const double n[3], ff_feature *out);

/// FF_OK, or why the pair has no distance and no contact.
ff_status ff_collide_check(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2);
/// Point i of a set, as a ball.
void ff_collide_ball_of(const ff_collider *c, const ff_pose *pose, int i, ff_collider *ball, ff_pose *at);

/// Nearest points of two cores, radii left out, by the method for their kinds; `distance` below zero when they overlap.
void ff_nearest_cores(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
/// Exchanges the roles of the two shapes.
void ff_nearest_flip(ff_collide_nearest *n);
/// The same for cores of any kinds.
void ff_nearest_gjk(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
/// Up to four points of the difference b - a.
typedef struct ff_simplex {
    double w[4][3];  // points of the difference
    double p1[4][3]; // points of a that made them
    double p2[4][3]; // points of b
    double weight[4];
    int count;
} ff_simplex;
/// Depth and nearest points of cores that overlap, from the simplex that GJK ended with.
void ff_nearest_epa(const ff_solid *a, const ff_solid *b, ff_simplex *simplex, ff_collide_nearest *out);
/// The same for points and lines.
void ff_nearest_lines(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
/// The same for a core a of the kind in the name and a point or line b.
void ff_nearest_box_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
void ff_nearest_cylinder_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
void ff_nearest_ellipsoid_point(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
void ff_nearest_box_line(const ff_solid *a, const ff_solid *b, ff_collide_nearest *out);
/// Depth of two boxes by separating axes; false when they are apart. Without `points`, point1 and point2 are only for
/// ff_patch.
bool ff_nearest_boxes(const ff_solid *a, const ff_solid *b, bool points, ff_collide_nearest *out);

/// Contact patch of two rounded cores whose nearest points are known.
int ff_patch(const ff_solid *a, const ff_solid *b, const ff_collide_nearest *nearest, double margin,
             ff_collide_point *points, int capacity);
/// The same for an edge of a surface. The points are where the edge leaves a face of b (also one at a small angle to
/// it) or runs along an edge of b, and otherwise the nearest one. The ends of the edge are not among them.
int ff_patch_line(const ff_solid *line, const ff_solid *b, const ff_collide_nearest *nearest, double margin,
                  ff_collide_point *points, int capacity);
/// Contact patch of the half-space below the plane through `origin` with unit normal n, and a rounded core.
int ff_patch_plane(const double n[3], const double origin[3], const ff_solid *b, double margin,
                   ff_collide_point *points, int capacity);
/// One ball at x against that half-space. @return how many contacts: 0 or 1
int ff_patch_plane_point(const double n[3], const double origin[3], const double x[3], double radius, double margin,
                         uint32_t code, ff_collide_point *out);
/// Adds a contact of a set of points, whose number has no bound: where the buffer is full the least deep one is
/// dropped.
/// @return the new count
int ff_patch_push(ff_collide_point *points, int count, int capacity, const ff_collide_point *p);
#define FF_REDUCE_MAX (4 * FF_FEATURE_MAX)
/// Keeps `capacity` of the points, of which there are FF_REDUCE_MAX at most: the deepest, then those that span most
/// area.
int ff_patch_reduce(ff_collide_point *points, int count, int capacity);
/// Reduces `from` to `capacity` and FF_COLLIDE_PATCH_MAX points at most and copies them. @return how many
int ff_patch_copy(ff_collide_point *from, int count, ff_collide_point *points, int capacity);

/// A feature is a face (0, or the piece of a surface), a corner or an edge of a shape.
#define FF_FEATURE_CORNER 0x40000000u
#define FF_FEATURE_EDGE   0x80000000u
/// Identity of a contact of two features.
static inline uint64_t ff_contact_id(uint32_t feature1, uint32_t feature2)
{
    return (uint64_t)feature1 << 32 | feature2;
}

/// Any unit vector perpendicular to the unit vector n.
static inline void ff_perpendicular(double out[3], const double n[3])
{
    double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    double e[3] = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    ff_vec3_cross(out, n, e);
    ff_vec3_normalise(out);
}

#endif
