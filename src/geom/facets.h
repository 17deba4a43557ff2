// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What triangle surfaces and height fields share: their triangles with neighbours, which edges stand out, and which triangles
// form one flat piece.
#ifndef FOOTFALL_FACETS_H
#define FOOTFALL_FACETS_H

#include "collide_private.h"

typedef struct ff_facets {
    int count;
    const void *self;
    void (*corners)(const void *self, int t, double out[9]);
    int (*beside)(const void *self, int t, int k); // triangle across edge k (corner k to k+1), -1 for none
    unsigned char *active;                         // bit k: edge k stands out (convex or a border)  (count)
    int *group;                                    // flat piece each triangle belongs to  (count)
} ff_facets;

/// Contact points gathered over triangles, with room to spare before they are thinned out.
#define FF_GATHER_MAX 64
typedef struct ff_gather {
    ff_collide_point point[FF_GATHER_MAX];
    int count;
} ff_gather;

/// One query: a solid against triangles placed by `pose` relative to the frame of the solid.
typedef struct ff_facet_query {
    const ff_facets *facets;
    ff_pose pose;
    const ff_solid *solid;
    double margin;
    double shell; // how far behind a triangle is still inside  [m]
    ff_gather *out;
} ff_facet_query;

/// @return false when out of memory
bool ff_facets_prepare(ff_facets *f);
void ff_facets_clear(ff_facets *f);
void ff_facets_touch(const ff_facet_query *q, int t);
/// Distance along the ray to triangle (a, b, c), either side; false when it misses.
bool ff_ray_triangle(const double *corner, const double o[3], const double d[3], double *t);

// The triangles of a surface or field near a box, or hit by a ray, in their own frame.
void ff_surface_touch(const ff_surface *s, ff_facet_query *q, const double low[3], const double high[3]);
void ff_field_touch(const ff_field *s, ff_facet_query *q, const double low[3], const double high[3]);
bool ff_surface_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *t);
bool ff_field_ray(const ff_field *s, const double o[3], const double d[3], double *range, int *t);
const ff_facets *ff_surface_facets(const ff_surface *s);
const ff_facets *ff_field_facets(const ff_field *s);
void ff_surface_bounds(const ff_surface *s, double low[3], double high[3]);
void ff_field_bounds(const ff_field *s, double low[3], double high[3]);

#endif
