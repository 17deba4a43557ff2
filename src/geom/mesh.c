// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Making and freeing triangle meshes, and the box around one.
#include <math.h>
#include <stdlib.h>

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

ff_mesh *ff_mesh_create(const double *vertices, int nvertex, const int *triangles, int ntriangle)
{
    if ((nvertex > 0 && !vertices) || (ntriangle > 0 && !triangles)) return NULL;
    ff_mesh *mesh = ff_mesh_alloc(nvertex, ntriangle);
    if (!mesh) return NULL;
    for (int i = 0; i < 3 * nvertex; i++) {
        if (!isfinite(vertices[i])) {
            ff_mesh_destroy(mesh);
            return NULL;
        }
        mesh->vertices[i] = vertices[i];
    }
    for (int i = 0; i < 3 * ntriangle; i++) {
        if (triangles[i] < 0 || triangles[i] >= nvertex) {
            ff_mesh_destroy(mesh);
            return NULL;
        }
        mesh->triangles[i] = triangles[i];
    }
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
