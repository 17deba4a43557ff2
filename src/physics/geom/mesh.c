// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Making and freeing triangle meshes, and the box around one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_private.h"

ff_mesh *ff_mesh_alloc(int nvertex, int ntriangle)
{
    if (nvertex < 0 || ntriangle < 0 || nvertex > 3 * FF_MESH_MAX || ntriangle > FF_MESH_MAX) return NULL;
    ff_mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh) return NULL;
    // One item at least: malloc(0) may return NULL, which would read as out of memory.
    mesh->vertices = malloc((size_t)(3 * nvertex + 1) * sizeof(double));
    mesh->triangles = malloc((size_t)(3 * ntriangle + 1) * sizeof(int));
    mesh->nvertex = nvertex;
    mesh->ntriangle = ntriangle;
    if (mesh->vertices && mesh->triangles) return mesh;
    ff_mesh_destroy(mesh);
    return NULL;
}

static ff_status check(const double *vertices, int nvertex, const int *triangles, int ntriangle, ff_error *err)
{
    if (nvertex < 0 || ntriangle < 0 || (nvertex > 0 && !vertices) || (ntriangle > 0 && !triangles))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a mesh of %d vertices and %d triangles: counts and arrays disagree",
                            nvertex, ntriangle);
    if (nvertex > 3 * FF_MESH_MAX || ntriangle > FF_MESH_MAX)
        return ff_error_set(err, FF_LIMIT, "%d triangles with %d vertices: a mesh may have %d triangles; simplify it",
                            ntriangle, nvertex, FF_MESH_MAX);
    for (int i = 0; i < 3 * nvertex; i++)
        if (!isfinite(vertices[i]))
            return ff_error_set(err, FF_BAD_ARGUMENT, "vertex %d has the coordinate %g: it must be finite", i / 3,
                                vertices[i]);
    for (int i = 0; i < 3 * ntriangle; i++)
        if (triangles[i] < 0 || triangles[i] >= nvertex)
            return ff_error_set(err, FF_BAD_ARGUMENT, "triangle %d has the vertex %d; there are vertices 0 to %d",
                                i / 3, triangles[i], nvertex - 1);
    return FF_OK;
}

ff_mesh *ff_mesh_create(const double *vertices, int nvertex, const int *triangles, int ntriangle, ff_error *err)
{
    if (check(vertices, nvertex, triangles, ntriangle, err) != FF_OK) return NULL;
    ff_mesh *mesh = ff_mesh_alloc(nvertex, ntriangle);
    if (!mesh) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for a mesh of %d triangles", ntriangle);
        return NULL;
    }
    if (nvertex > 0) memcpy(mesh->vertices, vertices, 3 * (size_t)nvertex * sizeof *vertices);
    if (ntriangle > 0) memcpy(mesh->triangles, triangles, 3 * (size_t)ntriangle * sizeof *triangles);
    return mesh;
}

void ff_mesh_destroy(ff_mesh *mesh)
{
    if (!mesh) return;
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh);
}

void ff_mesh_bounds(const ff_mesh *mesh, double low[3], double high[3])
{
    ff_vec3_set(low, 0.0, 0.0, 0.0);
    ff_vec3_set(high, 0.0, 0.0, 0.0);
    for (int i = 0; i < mesh->nvertex; i++) {
        const double *p = mesh->vertices + 3 * i;
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 || p[k] < low[k] ? p[k] : low[k];
            high[k] = i == 0 || p[k] > high[k] ? p[k] : high[k];
        }
    }
}
