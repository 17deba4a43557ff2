// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields: the grid is its own index, so a query goes straight to the cells below a shape, and a ray from cell to
// cell (field_core.h has the grid). Everything below is solid, however deep.
#include <stdlib.h>

#include "base/missing.h"
#include "facets.h"

#define FF_CORE static inline
#include "field_core.h"

struct ff_field {
    ff_facets facets;
    ff_grid grid;
    double *height; // of the grid
    double low;     // of the heights  [m]
};

static bool get(const void *self, int t, double corner[9], double normal[3])
{
    const ff_field *f = self;
    ff_grid_triangle(&f->grid, t, corner, normal);
    return true;
}

static int vertex(const void *self, int t, int k)
{
    const ff_field *f = self;
    return ff_grid_vertex(&f->grid, t, k);
}

static int beside(const void *self, int t, int k)
{
    const ff_field *f = self;
    return ff_grid_beside(&f->grid, t, k);
}

// ------------------------------------------------------------------------------------------ queries

double ff_field_height(const ff_field *f, double x, double y)
{
    int t = ff_grid_triangle_at(&f->grid, x, y);
    return t < 0 ? NAN : ff_grid_plane(&f->grid, t, x, y);
}

static void visit(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor, void *context)
{
    const ff_field *f = self;
    int cells[4];
    if (!ff_grid_cells(&f->grid, low, high, cells)) return;
    for (int j = cells[2]; j <= cells[3]; j++)
        for (int i = cells[0]; i <= cells[1]; i++) {
            if (ff_grid_top(&f->grid, i, j) < low[2]) continue;
            int t = 2 * (j * (f->grid.nx - 1) + i);
            visitor(context, t);
            visitor(context, t + 1);
        }
}

static int above(const void *self, const double x[3])
{
    const ff_field *f = self;
    return x[2] < ff_field_height(f, x[0], x[1]) ? ff_grid_triangle_at(&f->grid, x[0], x[1]) : -1;
}

// ------------------------------------------------------------------------------------------ creation

static const double MOST_POINTS = 3e8; // the number of triangles, twice as many, fits an int

static bool check_heights(ff_field *f, ff_error *err)
{
    f->low = INFINITY;
    f->grid.high = -INFINITY;
    for (size_t i = 0; i < (size_t)f->grid.nx * (size_t)f->grid.ny; i++) {
        if (!isfinite(f->height[i])) {
            ff_error_set(err, FF_BAD_ARGUMENT, "the height at grid point (%d, %d) is %g: it must be finite",
                         (int)(i % (size_t)f->grid.nx), (int)(i / (size_t)f->grid.nx), f->height[i]);
            return false;
        }
        f->low = ff_min(f->low, f->height[i]);
        f->grid.high = ff_max(f->grid.high, f->height[i]);
    }
    return true;
}

static ff_status check_grid(int nx, int ny, const double size[2], ff_error *err)
{
    if (nx < 2 || ny < 2)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a height field of %d x %d points: it needs 2 x 2 at least", nx, ny);
    if ((double)nx * ny > MOST_POINTS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a height field of %d x %d points: %g at most; take a coarser grid",
                            nx, ny, MOST_POINTS);
    if (!size) return ff_error_missing(err, "ff_field_create", "size");
    if (!(size[0] > 0.0 && size[1] > 0.0) || !isfinite(size[0] + size[1]))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a height field of %g m x %g m: both must be positive and finite",
                            size[0], size[1]);
    return FF_OK;
}

static ff_field *no_memory(int nx, int ny, ff_error *err)
{
    ff_error_set(err, FF_NO_MEMORY, "no memory for a height field of %d x %d points", nx, ny);
    return NULL;
}

static ff_field *field_alloc(int nx, int ny, const double size[2], ff_error *err)
{
    if (check_grid(nx, ny, size, err) != FF_OK) return NULL;
    ff_field *f = calloc(1, sizeof *f);
    if (!f) return no_memory(nx, ny, err);
    f->grid.nx = nx;
    f->grid.ny = ny;
    f->grid.step[0] = size[0] / (nx - 1);
    f->grid.step[1] = size[1] / (ny - 1);
    f->grid.origin[0] = -0.5 * size[0];
    f->grid.origin[1] = -0.5 * size[1];
    f->facets = (ff_facets){.count = 2 * (nx - 1) * (ny - 1),
                            .nvertex = nx * ny,
                            .self = f,
                            .get = get,
                            .beside = beside,
                            .vertex = vertex,
                            .visit = visit,
                            .above = above,
                            .cell = ff_max(f->grid.step[0], f->grid.step[1])};
    f->grid.height = f->height = calloc((size_t)nx * (size_t)ny, sizeof(double));
    if (f->height) return f;
    free(f);
    return no_memory(nx, ny, err);
}

static ff_field *field_finish(ff_field *f, ff_error *err)
{
    const bool allowed = check_heights(f, err);
    if (allowed && ff_facets_prepare(&f->facets)) return f;
    if (allowed) no_memory(f->grid.nx, f->grid.ny, err);
    ff_field_destroy(f);
    return NULL;
}

ff_field *ff_field_create(const double *heights, int nx, int ny, const double size[2], ff_error *err)
{
    ff_field *f = field_alloc(nx, ny, size, err);
    if (!f) return NULL;
    if (heights) memcpy(f->height, heights, (size_t)nx * (size_t)ny * sizeof(double));
    return field_finish(f, err);
}

ff_field *ff_field_create_from(double (*height)(void *context, double x, double y), void *context, int nx, int ny,
                               const double size[2], ff_error *err)
{
    if (!height) return ff_error_missing(err, __func__, "function of the height"), NULL;
    ff_field *f = field_alloc(nx, ny, size, err);
    if (!f) return NULL;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            f->height[(size_t)j * (size_t)nx + (size_t)i] =
                height(context, f->grid.origin[0] + i * f->grid.step[0], f->grid.origin[1] + j * f->grid.step[1]);
    return field_finish(f, err);
}

void ff_field_destroy(ff_field *f)
{
    if (!f) return;
    ff_facets_clear(&f->facets);
    free(f->height);
    free(f);
}

const double *ff_field_heights(const ff_field *f, int *nx, int *ny)
{
    *nx = f->grid.nx;
    *ny = f->grid.ny;
    return f->height;
}

const ff_facets *ff_field_facets(const ff_field *f)
{
    return &f->facets;
}

const ff_grid *ff_field_grid(const ff_field *f)
{
    return &f->grid;
}

void ff_field_bounds(const ff_field *f, double low[3], double high[3])
{
    ff_vec3_set(low, f->grid.origin[0], f->grid.origin[1], -INFINITY);
    ff_vec3_set(high, -f->grid.origin[0], -f->grid.origin[1], f->grid.high);
}

// ------------------------------------------------------------------------------------------ rays

static bool ray_cell(const ff_field *f, int i, int j, const double o[3], const double d[3], double *range,
                     int *triangle)
{
    bool found = false;
    for (int t = 2 * (j * (f->grid.nx - 1) + i), k = 0; k < 2; k++, t++) {
        double c[9], at;
        ff_grid_corners(&f->grid, t, c);
        if (!ff_ray_triangle(c, o, d, &at) || !(at <= *range)) continue;
        *range = at;
        *triangle = t;
        found = true;
    }
    return found;
}

// Limits [near, far] of the ray's parameter to the part over the grid. @return false: there is none
static bool over_grid(const ff_field *f, const double o[3], const double d[3], double *near, double *far)
{
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0.0) {
            if (fabs(o[k]) > -f->grid.origin[k]) return false;
            continue;
        }
        double a = (f->grid.origin[k] - o[k]) / d[k], b = (-f->grid.origin[k] - o[k]) / d[k];
        *near = ff_max(*near, ff_min(a, b));
        *far = ff_min(*far, ff_max(a, b));
    }
    return *near <= *far;
}

// J. Amanatides, A. Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987.
bool ff_field_ray(const ff_field *f, const double o[3], const double d[3], double *range, int *triangle)
{
    double near = 0.0, far = *range, next[2], stride[2];
    int cell[2], direction[2];
    const int cells[2] = {f->grid.nx - 1, f->grid.ny - 1};
    if (!over_grid(f, o, d, &near, &far)) return false;
    for (int k = 0; k < 2; k++) {
        cell[k] = ff_grid_clamp((o[k] + near * d[k] - f->grid.origin[k]) / f->grid.step[k], cells[k]);
        direction[k] = d[k] < 0.0 ? -1 : 1;
        stride[k] = d[k] != 0.0 ? f->grid.step[k] / fabs(d[k]) : INFINITY;
        double edge = f->grid.origin[k] + (cell[k] + (direction[k] > 0)) * f->grid.step[k];
        next[k] = d[k] != 0.0 ? (edge - o[k]) / d[k] : INFINITY;
    }
    while (true) {
        if (ray_cell(f, cell[0], cell[1], o, d, range, triangle)) return true;
        int k = next[1] < next[0];
        if (!(next[k] <= far)) return false;
        next[k] += stride[k];
        cell[k] += direction[k];
        if (cell[k] < 0 || cell[k] >= cells[k]) return false;
    }
}
