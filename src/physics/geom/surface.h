// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of a triangle surface.
#ifndef FOOTFALL_SURFACE_H
#define FOOTFALL_SURFACE_H

#include "facets.h"

typedef struct surface_node {
    double low[3], high[3];
    int first, count; // triangles in `order`; count 0 for inner nodes
    int skip;         // next node when this one is missed
} surface_node;

struct ff_surface {
    ff_facets facets;
    double *vertex;     // (3*nvertex)
    int *triangle;      // vertices, equal ones joined  (3*ntriangle)
    double *normal;     // zero for triangles without area and doubled ones  (3*ntriangle)
    int *beside;        // (3*ntriangle)
    int *order;         // triangles as the leaves list them  (nlive)
    surface_node *node; // (nnode)
    int nnode, nlive;
    void *rays; // scene of Embree for large surfaces, where that is built in; NULL otherwise
};

/// Builds the tree over order[first] to order[first + count - 1].
void ff_surface_build(ff_surface *s, int first, int count);
bool ff_surface_get(const void *self, int t, double corner[9], double normal[3]);
void ff_surface_visit(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor,
                      void *context);
int ff_surface_nearest(const void *self, const double x[3], double bound);
/// First hit of a ray by our own tree; ff_surface_ray asks Embree where there is a scene.
bool ff_surface_ray_tree(const ff_surface *s, const double o[3], const double d[3], double *range, int *t);
#ifdef FF_WITH_EMBREE
void *ff_embree_create(const ff_surface *s);
void ff_embree_destroy(void *scene);
bool ff_embree_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *t);
#endif

#endif
