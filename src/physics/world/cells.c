// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The detector ccube: boxes and meshes have their corners as points and their faces as triangles in cells (ff_ccube), a
// sphere without radius is a point. Two shapes touch where a point of either is behind a triangle of the other. A
// moving mesh is used itself, not its hull. All other shapes use the exact detector.
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double CELLS_MOST = 1e7;         // of all shapes together: 40 MB
static const uint64_t OTHER_WAY = 1ull << 32; // flag in the id of a point of shape 1 in shape 2

/// @return a box as a mesh, with its triangles outward
static ff_mesh *box_mesh(const double half[3], ff_error *err)
{
    static const int faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    double corners[24];
    for (int i = 0; i < 8; i++)
        ff_vec3_set(corners + 3 * i, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                    i & 4 ? half[2] : -half[2]);
    return ff_mesh_create(corners, 8, faces, 12, err);
}

/// Copies points and cells from a mesh. @return false with the reason in `err`
static bool take_mesh(ff_world *w, const ff_mesh *mesh, ff_item *it, ff_error *err)
{
    const size_t size = 3 * (size_t)mesh->nvertex;
    double *points = FF_ARENA_NEW(&w->arena, double, (int)size);
    if (!points) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for %d points", mesh->nvertex);
        return false;
    }
    memcpy(points, mesh->vertices, size * sizeof *points);
    it->points = points;
    it->npoint = mesh->nvertex;
    it->cells = ff_ccube_create(mesh, w->cells, w->cell_depth, err);
    return it->cells != NULL;
}

/// Adds the cells of a shape to ff_world.ncell. @return false, and reports it, above the limit
static bool count_cells(ff_world *w, const char *name, ff_place place, ff_report *report)
{
    w->ncell += (double)w->cells * w->cells * w->cells;
    if (w->ncell <= CELLS_MOST) return true;
    ff_report_add(report, FF_ERROR, place, "shape \"%s\": with %d cells a side all shapes have more than %g together",
                  name, w->cells, CELLS_MOST);
    return false;
}

bool ff_world_add_cells(ff_world *w, const ff_geom *g, const char *name, ff_item *it, ff_report *report)
{
    static const double origin[3] = {0};
    bool ok = true;
    ff_error err = {0};
    if (g->shape.type == FF_SHAPE_SPHERE && g->shape.size[0] == 0.0) {
        it->points = origin;
        it->npoint = 1;
    } else if (g->shape.type == FF_SHAPE_BOX || g->shape.type == FF_SHAPE_MESH) {
        if (!count_cells(w, name, g->place, report)) return false;
        ff_mesh *box = g->shape.type == FF_SHAPE_BOX ? box_mesh(g->shape.size, &err) : NULL;
        const ff_mesh *mesh = box ? box : g->shape.mesh;
        ok = mesh && take_mesh(w, mesh, it, &err);
        ff_mesh_destroy(box);
    }
    if (!ok) ff_report_add(report, FF_ERROR, g->place, "shape \"%s\": %s", name, err.text);
    return ok;
}

void ff_world_check_cells(const ff_world *w, ff_report *report)
{
    bool moves = false, holds = false;
    for (int i = 0; i < w->nshape; i++) {
        moves = moves || (w->items[i].npoint > 0 && w->items[i].node >= 0);
        holds = holds || w->items[i].cells;
    }
    if (w->response != FF_RESPONSE_FORCE)
        ff_report_add(report, FF_ERROR, (ff_place){0},
                      "the detector 'ccube' sees no gaps, which the response '%s' needs: take 'force'",
                      ff_response_name(w->response));
    else if (!moves || !holds)
        ff_report_add(report, FF_ERROR, (ff_place){0},
                      "the detector 'ccube' has nothing to do: it is for boxes, meshes and points that meet boxes or "
                      "meshes, and everything else is detected exactly");
}

bool ff_world_by_cells(const ff_item *one, const ff_item *two)
{
    return (one->cells && two->npoint > 0) || (two->cells && one->npoint > 0);
}

int ff_world_collide_cells(const ff_world *w, const ff_item *one, const ff_item *two, ff_collide_point *out)
{
    int count = 0, before;
    const int most = w->cell_points;
    if (one->cells) count = ff_ccube_collide(one->cells, &one->pose, two->points, two->npoint, &two->pose, out, most);
    before = count;
    if (two->cells)
        count +=
            ff_ccube_collide(two->cells, &two->pose, one->points, one->npoint, &one->pose, out + count, most - count);
    for (int i = before; i < count; i++) { // their normals point from 2 to 1
        ff_vec3_scale(out[i].normal, out[i].normal, -1.0);
        out[i].id |= OTHER_WAY;
    }
    return count;
}
