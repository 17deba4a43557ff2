// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields: the grid is its own index, so a query goes straight to the cells below a shape, and a ray from cell to
// cell. Each cell is cut along its diagonal into two triangles:
//     01 --- 11
//      | 1 / |         triangle 2 c     = 00, 10, 11
//      |  /  |         triangle 2 c + 1 = 00, 11, 01     of cell c = j (nx - 1) + i
//      | / 0 |
//     00 --- 10
// Everything below is solid, however deep.
#include <stdlib.h>

#include "base/missing.h"
#include "facets.h"

struct ff_field {
    ff_facets facets;
    double *height; // (nx*ny)
    int nx, ny;
    double step[2], origin[2]; // cell size; first grid point  [m]
    double low, high;          // of the heights  [m]
};

static double height_at(const ff_field *f, int i, int j)
{
    return f->height[(size_t)j * (size_t)f->nx + (size_t)i];
}

static void grid_point(const ff_field *f, int i, int j, double out[3])
{
    ff_vec3_set(out, f->origin[0] + i * f->step[0], f->origin[1] + j * f->step[1], height_at(f, i, j));
}

static void corners(const ff_field *f, int t, double out[9])
{
    int i = t / 2 % (f->nx - 1), j = t / 2 / (f->nx - 1);
    grid_point(f, i, j, out);
    grid_point(f, i + 1, t & 1 ? j + 1 : j, out + 3);
    grid_point(f, t & 1 ? i : i + 1, j + 1, out + 6);
}

// The normal from the two slopes: one root, and exactly upright where the ground is level.
static bool get(const void *self, int t, double corner[9], double normal[3])
{
    const ff_field *f = self;
    corners(f, t, corner);
    double along_x = t & 1 ? corner[5] - corner[8] : corner[5] - corner[2],
           along_y = t & 1 ? corner[8] - corner[2] : corner[8] - corner[5];
    double sx = along_x / f->step[0], sy = along_y / f->step[1], up = 1.0 / sqrt(1.0 + sx * sx + sy * sy);
    ff_vec3_set(normal, -sx * up, -sy * up, up);
    return true;
}

static int vertex(const void *self, int t, int k)
{
    const ff_field *f = self;
    int i = t / 2 % (f->nx - 1), j = t / 2 / (f->nx - 1);
    if (k == 1) i++, j += t & 1;
    if (k == 2) i += !(t & 1), j++;
    return j * f->nx + i;
}

static int beside(const void *self, int t, int k)
{
    const ff_field *f = self;
    int cells = f->nx - 1, i = t / 2 % cells, j = t / 2 / cells;
    if (t & 1) {
        if (k == 0) return t - 1;
        if (k == 1) return j + 1 < f->ny - 1 ? t - 1 + 2 * cells : -1;
        return i > 0 ? t - 3 : -1;
    }
    if (k == 0) return j > 0 ? t + 1 - 2 * cells : -1;
    if (k == 1) return i + 1 < cells ? t + 3 : -1;
    return t + 1;
}

// ------------------------------------------------------------------------------------------ queries

static int clamp_cell(double x, int cells)
{
    return !(x > 0.0) ? 0 : x >= cells ? cells - 1 : (int)x;
}

// The triangle over or under a place, -1 outside.
static int triangle_at(const ff_field *f, double x, double y)
{
    double u = (x - f->origin[0]) / f->step[0], v = (y - f->origin[1]) / f->step[1];
    if (!(u >= 0.0 && v >= 0.0 && u <= f->nx - 1 && v <= f->ny - 1)) return -1;
    int i = clamp_cell(u, f->nx - 1), j = clamp_cell(v, f->ny - 1);
    return 2 * (j * (f->nx - 1) + i) + (v - j > u - i);
}

double ff_field_height(const ff_field *f, double x, double y)
{
    int t = triangle_at(f, x, y);
    if (t < 0) return NAN;
    double c[9], n[3];
    get(f, t, c, n);
    return c[2] - (n[0] * (x - c[0]) + n[1] * (y - c[1])) / n[2];
}

static double cell_top(const ff_field *f, int i, int j)
{
    return ff_max(ff_max(height_at(f, i, j), height_at(f, i + 1, j)),
                  ff_max(height_at(f, i, j + 1), height_at(f, i + 1, j + 1)));
}

static void visit(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor, void *context)
{
    const ff_field *f = self;
    if (low[2] > f->high || high[0] < f->origin[0] || low[0] > -f->origin[0] || high[1] < f->origin[1] ||
        low[1] > -f->origin[1])
        return;
    int i0 = clamp_cell((low[0] - f->origin[0]) / f->step[0], f->nx - 1);
    int i1 = clamp_cell((high[0] - f->origin[0]) / f->step[0], f->nx - 1);
    int j0 = clamp_cell((low[1] - f->origin[1]) / f->step[1], f->ny - 1);
    int j1 = clamp_cell((high[1] - f->origin[1]) / f->step[1], f->ny - 1);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            if (cell_top(f, i, j) < low[2]) continue;
            int t = 2 * (j * (f->nx - 1) + i);
            visitor(context, t);
            visitor(context, t + 1);
        }
}

static int above(const void *self, const double x[3])
{
    const ff_field *f = self;
    return x[2] < ff_field_height(f, x[0], x[1]) ? triangle_at(f, x[0], x[1]) : -1;
}

// ------------------------------------------------------------------------------------------ creation

static const double MOST_POINTS = 3e8; // two triangles each are still counted by an int

static bool check_heights(ff_field *f, ff_error *err)
{
    f->low = INFINITY;
    f->high = -INFINITY;
    for (size_t i = 0; i < (size_t)f->nx * (size_t)f->ny; i++) {
        if (!isfinite(f->height[i])) {
            ff_error_set(err, FF_BAD_ARGUMENT, "the height at grid point (%d, %d) is %g: it must be finite",
                         (int)(i % (size_t)f->nx), (int)(i / (size_t)f->nx), f->height[i]);
            return false;
        }
        f->low = ff_min(f->low, f->height[i]);
        f->high = ff_max(f->high, f->height[i]);
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
    f->nx = nx;
    f->ny = ny;
    f->step[0] = size[0] / (nx - 1);
    f->step[1] = size[1] / (ny - 1);
    f->origin[0] = -0.5 * size[0];
    f->origin[1] = -0.5 * size[1];
    f->facets = (ff_facets){.count = 2 * (nx - 1) * (ny - 1),
                            .nvertex = nx * ny,
                            .self = f,
                            .get = get,
                            .beside = beside,
                            .vertex = vertex,
                            .visit = visit,
                            .above = above,
                            .cell = ff_max(f->step[0], f->step[1])};
    f->height = calloc((size_t)nx * (size_t)ny, sizeof(double));
    if (f->height) return f;
    free(f);
    return no_memory(nx, ny, err);
}

static ff_field *field_finish(ff_field *f, ff_error *err)
{
    const bool allowed = check_heights(f, err);
    if (allowed && ff_facets_prepare(&f->facets)) return f;
    if (allowed) no_memory(f->nx, f->ny, err);
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
                height(context, f->origin[0] + i * f->step[0], f->origin[1] + j * f->step[1]);
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
    *nx = f->nx;
    *ny = f->ny;
    return f->height;
}

const ff_facets *ff_field_facets(const ff_field *f)
{
    return &f->facets;
}

void ff_field_bounds(const ff_field *f, double low[3], double high[3])
{
    ff_vec3_set(low, f->origin[0], f->origin[1], -INFINITY);
    ff_vec3_set(high, -f->origin[0], -f->origin[1], f->high);
}

// ------------------------------------------------------------------------------------------ rays

static bool ray_cell(const ff_field *f, int i, int j, const double o[3], const double d[3], double *range,
                     int *triangle)
{
    bool found = false;
    for (int t = 2 * (j * (f->nx - 1) + i), k = 0; k < 2; k++, t++) {
        double c[9], at;
        corners(f, t, c);
        if (!ff_ray_triangle(c, o, d, &at) || !(at <= *range)) continue;
        *range = at;
        *triangle = t;
        found = true;
    }
    return found;
}

// Where the ray is over the grid: [near, far] of its parameter.
static bool over_grid(const ff_field *f, const double o[3], const double d[3], double *near, double *far)
{
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0.0) {
            if (fabs(o[k]) > -f->origin[k]) return false;
            continue;
        }
        double a = (f->origin[k] - o[k]) / d[k], b = (-f->origin[k] - o[k]) / d[k];
        *near = ff_max(*near, ff_min(a, b));
        *far = ff_min(*far, ff_max(a, b));
    }
    return *near <= *far;
}

// J. Amanatides, A. Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987.
bool ff_field_ray(const ff_field *f, const double o[3], const double d[3], double *range, int *triangle)
{
    double near = 0.0, far = *range, next[2], stride[2];
    int cell[2], way[2];
    const int cells[2] = {f->nx - 1, f->ny - 1};
    if (!over_grid(f, o, d, &near, &far)) return false;
    for (int k = 0; k < 2; k++) {
        cell[k] = clamp_cell((o[k] + near * d[k] - f->origin[k]) / f->step[k], cells[k]);
        way[k] = d[k] < 0.0 ? -1 : 1;
        stride[k] = d[k] != 0.0 ? f->step[k] / fabs(d[k]) : INFINITY;
        double edge = f->origin[k] + (cell[k] + (way[k] > 0)) * f->step[k];
        next[k] = d[k] != 0.0 ? (edge - o[k]) / d[k] : INFINITY;
    }
    while (true) {
        if (ray_cell(f, cell[0], cell[1], o, d, range, triangle)) return true;
        int k = next[1] < next[0];
        if (!(next[k] <= far)) return false;
        next[k] += stride[k];
        cell[k] += way[k];
        if (cell[k] < 0 || cell[k] >= cells[k]) return false;
    }
}
