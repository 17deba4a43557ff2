// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What triangle surfaces and height fields share: triangles with neighbours, the edges and corners that stand out, and
// which triangles form one flat or one smooth piece. All queries are in the frame of the triangles.
#ifndef FOOTFALL_FACETS_H
#define FOOTFALL_FACETS_H

#include "collide_private.h"
#include "fillet.h"
#include "grid.h"

typedef void ff_facet_visitor(void *context, int t);

// Bits of ff_facets.bits, each shifted by the number of the edge (corner k to k+1) or corner.
enum {
    FF_FACET_FLAT = 1 << 0,   // not an edge of the surface: its neighbour lies in the same plane
    FF_FACET_GENTLE = 1 << 3, // the neighbour is bent by less than 30 degrees: one smooth piece
    FF_FACET_RIDGE = 1 << 6,  // the edge stands out (convex or a border), and this triangle reports it
    FF_FACET_TIP = 1 << 9     // the corner stands out, and this triangle reports it
};

typedef struct ff_facets {
    int count, nvertex;
    const void *self;
    /// Corners and unit normal; false for a triangle without area or one that is there twice.
    bool (*get)(const void *self, int t, double corner[9], double normal[3]);
    int (*beside)(const void *self, int t, int k); // triangle across edge k, -1 for none
    int (*vertex)(const void *self, int t, int k); // number of corner k
    /// All triangles whose boxes overlap the given one.
    void (*visit)(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor,
                  void *context);
    /// Nearest triangle within the bound, -1 for none. Surfaces only.
    int (*nearest)(const void *self, const double x[3], double bound);
    /// The triangle above x, -1 where x is not below ground. Fields only, which are solid without end.
    int (*above)(const void *self, const double x[3]);
    double cell;          // longest side of a cell of a field  [m]
    bool closed;          // one surface without a border around a solid, so that sides change at triangles only
    unsigned short *bits; // (count)
    int *group;           // flat piece each triangle belongs to  (count)
    int *piece;           // smooth piece  (count)
} ff_facets;

/// @return false when out of memory
bool ff_facets_prepare(ff_facets *f);
void ff_facets_clear(ff_facets *f);

static inline bool ff_facets_has(const ff_facets *f, int t, int k, int bit)
{
    return (f->bits[t] >> k & bit) != 0;
}

/// Unit normal; false for a triangle without area.
bool ff_triangle_normal(const double corner[9], double n[3]);
/// Number of an edge, the same from both sides.
uint32_t ff_facets_edge(const ff_facets *f, int t, int k);

/// Triangles around a corner.
#define FF_RING_MAX 128
typedef struct ff_ring {
    int triangle[FF_RING_MAX], corner[FF_RING_MAX];
    int count;
} ff_ring;
void ff_facets_ring(const ff_facets *f, int t, int k, ff_ring *out);

// ------------------------------------------------------------------------------------------ points against triangles

/// A place of the surface that is nearer to x than all places around it.
typedef struct ff_minimum {
    double distance;  // below zero behind the surface  [m]
    double normal[3]; // unit, along which a point separates
    int triangle;     //
    uint32_t feature; // 1 + flat piece, FF_FEATURE_EDGE | edge, or FF_FEATURE_CORNER | vertex
    bool gentle;      // on a face, or on an edge or corner that is bent by less than 30 degrees
} ff_minimum;
#define FF_MINIMUM_MAX 16

/// The point of triangle t nearest to x.
/// @param certain  true: it is known to be the nearest of the surface
/// @return false when the surface around it is nearer, and possibly when it is farther than `reach`
bool ff_facets_minimum(const ff_facets *f, int t, const double x[3], double reach, bool certain, ff_minimum *out);
/// Squared distance of x to a triangle. From behind it is slightly larger, so that of two triangles back to back the
/// one that faces x is nearer.
double ff_facets_distance2(const double corner[9], const double normal[3], const double x[3]);
/// The places where a ball of radius r at x touches, within `margin`; a middle behind the surface counts down
/// to the depth `shell`.
/// @param clear  a ball of radius r with its middle nearer to x than this touches nothing; 0 where that is not known
/// @return how many, at most FF_MINIMUM_MAX
int ff_facets_probe(const ff_facets *f, const double x[3], double r, double margin, double shell, ff_minimum *out,
                    double *clear);

// ------------------------------------------------------------------------------------------ contact points

/// Contact points gathered over corners, edges and tips, with room to spare before they are thinned out.
#define FF_GATHER_MAX 64
typedef struct ff_gather {
    ff_collide_point point[FF_GATHER_MAX];
    int count;
    double near; // nearer than this, with one normal, points are the same  [m]
} ff_gather;
/// Adds a point, unless it is there already; then the deeper of the two is kept.
void ff_gather_add(ff_gather *g, const ff_collide_point *p);

/// A contact that may be joined with others, such as those with two sides of a gentle valley under one ball.
typedef struct ff_touched {
    ff_collide_point point;
    double radius;  // of the solid there  [m]
    uint64_t joins; // contacts with the same number may be joined; 0: never
} ff_touched;
#define FF_TOUCHED_MAX 64

/// One query: a solid in the frame of the triangles.
typedef struct ff_facet_query {
    const ff_facets *facets;
    ff_solid solid;
    double margin;
    bool whole;   // places are joined to contacts
    double shell; // how far behind a triangle is still inside  [m]
    double centre[3], reach;
    double curve;                              // least radius of a solid that is round, but for edges  [m]
    ff_touched round[FF_TOUCHED_MAX];          // contacts of a round solid
    int nround;                                //
    double spare[3], spare_up[3], spare_depth; // place, normal, depth for ff_facets_last_resort
    ff_gather ridges;                          // edges and tips of the surface
    ff_gather gather;
} ff_facet_query;
/// Identity of a contact on the smooth piece of triangle t with corner `code` of the solid.
static inline uint64_t ff_facets_piece_id(const ff_facets *f, int t, uint32_t code)
{
    return ff_contact_id(1u + (uint32_t)f->piece[t] % 0xffffffu, FF_FEATURE_CORNER | code);
}
/// Edges and corners of the surface that stand out against the solid.
void ff_facets_ridges(ff_facet_query *q, const double low[3], const double high[3]);
/// Joins the contacts of edges and tips of the surface with those of the corners of the solid.
void ff_facets_merge(ff_facet_query *q);
/// Adds a contact along the mean normal at an edge or corner inside the solid, if no other was found.
void ff_facets_last_resort(ff_facet_query *q);

/// A surface or field (c1) against a convex collider or a set of points.
int ff_facets_contact(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                      double margin, ff_collide_point *points, int capacity);
/// The same without joining places to contacts: each place has its own depth.
int ff_facets_places(const ff_collider *c1, const ff_pose *pose1, const ff_collider *c2, const ff_pose *pose2,
                     double margin, ff_collide_point *points, int capacity);
/// Moves points and normals from the frame of the triangles to the world.
void ff_facets_place(ff_collide_point *points, int count, const ff_pose *pose);

/// Distance along the ray to triangle (a, b, c), either side; false when it misses.
bool ff_ray_triangle(const double *corner, const double o[3], const double d[3], double *t);

bool ff_surface_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *t);
bool ff_field_ray(const ff_field *s, const double o[3], const double d[3], double *range, int *t);
const ff_facets *ff_surface_facets(const ff_surface *s);
const ff_facets *ff_field_facets(const ff_field *f);
const ff_grid *ff_field_grid(const ff_field *f);
void ff_surface_bounds(const ff_surface *s, double low[3], double high[3]);
void ff_field_bounds(const ff_field *f, double low[3], double high[3]);
/// Corners of the surface that stand out, against the half-space below the plane through `origin`.
int ff_surface_on_plane(const ff_surface *s, const double n[3], const double origin[3], double margin,
                        ff_collide_point *points, int capacity);

#endif
