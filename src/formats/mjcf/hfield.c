// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields: a grid of elevations from a picture, MuJoCo's binary format or the attribute `elevation`, put to
// the range 0 to 1 and scaled by `size` (half lengths along x and y, height, thickness below). It becomes a closed
// mesh: two triangles a cell, divided along the diagonal from -x -y to +x +y as in MuJoCo, walls around and a floor. A
// mesh, and not the height field of a scene's terrain, since a geom may be turned in any way and several may stand on
// one another.
#include "mjcf/mjcf.h"

#include "geom/field_png.h"

#include <footfall/collide.h>
#include <footfall/text.h>
#include <stdlib.h>

#define MOST_POINTS 1000000

/// A grid, row by row from -y to +y, x fastest.
typedef struct grid {
    int nrow, ncol;
    double *height;
} grid;

static bool check_counts(mjcf *m, const ff_xml *node, double nrow, double ncol)
{
    if (nrow >= 2 && ncol >= 2 && nrow * ncol <= MOST_POINTS) return true;
    mjcf_error(m, node->place, "the height field has %g x %g points; 2 x 2 to %d in all are possible", nrow, ncol,
               MOST_POINTS);
    return false;
}

static bool make_grid(mjcf *m, int nrow, int ncol, grid *out)
{
    *out = (grid){nrow, ncol, FF_ARENA_NEW(&m->arena, double, nrow *ncol)};
    return mjcf_has_memory(m, out->height);
}

/// The counts at the beginning of a binary file, and whether its size is what they say.
static bool read_counts(mjcf *m, const ff_xml *node, const char *path, const char *bytes, size_t size, int32_t count[2])
{
    const size_t head = 2 * sizeof *count;
    if (size < head) {
        mjcf_error(m, node->place, "%.300s has %zu bytes; a height field begins with two counts, %zu bytes", path, size,
                   head);
        return false;
    }
    memcpy(count, bytes, head);
    if (!check_counts(m, node, count[0], count[1])) return false;
    const size_t needed = head + 4 * (size_t)count[0] * (size_t)count[1];
    if (size == needed) return true;
    mjcf_error(m, node->place, "%.300s has %zu bytes, and a height field of %d x %d points needs %zu", path, size,
               count[0], count[1], needed);
    return false;
}

/// MuJoCo's own format: two counts, then the elevations, all of 4 bytes.
static bool read_binary(mjcf *m, const ff_xml *node, const char *path, grid *out)
{
    int32_t count[2];
    size_t size = 0;
    char *bytes = ff_text_load(path, m->from->options->max_bytes, &size, node->place, m->report);
    if (!bytes) return false;
    bool good = read_counts(m, node, path, bytes, size, count) && make_grid(m, count[0], count[1], out);
    for (int i = 0; good && i < out->nrow * out->ncol; i++) {
        float value;
        memcpy(&value, bytes + sizeof count + 4 * (size_t)i, 4);
        out->height[i] = (double)value;
        good = isfinite(value);
        if (!good)
            mjcf_error(m, node->place, "%.300s: height %d, in row %d and column %d, is %g; it must be finite", path,
                       i + 1, i / out->ncol + 1, i % out->ncol + 1, (double)value);
    }
    free(bytes);
    return good;
}

/// The red value of a colour is the elevation, as in MuJoCo.
static bool read_picture(mjcf *m, const ff_xml *node, const char *path, grid *out)
{
    ff_error err = {0};
    int nx, ny;
    ff_field *field = ff_field_read_png(path, (const double[2]){1.0, 1.0}, 1.0, true, &err);
    const double *heights = field ? ff_field_heights(field, &nx, &ny) : NULL;
    const bool good = heights && check_counts(m, node, ny, nx) && make_grid(m, ny, nx, out);
    if (good) memcpy(out->height, heights, (size_t)nx * (size_t)ny * sizeof *heights);
    if (!field) mjcf_warn(m, node->place, "the height field cannot be used: %s", err.text);
    ff_field_destroy(field);
    return good;
}

/// `elevation` starts with the row at +y, as a picture does; without it the field is flat.
static bool read_inline(mjcf *m, const ff_xml *node, double nrow, double ncol, const double *numbers, int given,
                        grid *out)
{
    if (!check_counts(m, node, nrow, ncol) || !make_grid(m, (int)nrow, (int)ncol, out)) return false;
    if (numbers && given != out->nrow * out->ncol) {
        mjcf_error(m, node->place, "elevation has %d numbers; %d rows of %d are needed", given, out->nrow, out->ncol);
        return false;
    }
    for (int r = 0; numbers && r < out->nrow; r++)
        memcpy(out->height + (size_t)r * (size_t)out->ncol, numbers + (size_t)(out->nrow - 1 - r) * (size_t)out->ncol,
               (size_t)out->ncol * sizeof *numbers);
    return true;
}

/// Elevations from 0 to 1, rounded to single precision, as MuJoCo keeps them.
static void normalise(grid *g)
{
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < g->nrow * g->ncol; i++) {
        low = (float)g->height[i] < low ? (float)g->height[i] : low;
        high = (float)g->height[i] > high ? (float)g->height[i] : high;
    }
    for (int i = 0; i < g->nrow * g->ncol; i++)
        g->height[i] = high > low ? (double)(((float)g->height[i] - low) / (high - low)) : 0.0;
}

// ------------------------------------------------------------------------------------------ the mesh

/// Point number k of the border of the grid, counter-clockwise as seen from above.
static int border_point(const grid *g, int k)
{
    const int right = g->ncol - 1, up = g->nrow - 1;
    if (k < right) return k;
    if (k < right + up) return (k - right) * g->ncol + right;
    if (k < 2 * right + up) return up * g->ncol + right - (k - right - up);
    return (2 * right + 2 * up - k) * g->ncol;
}

static void put_triangle(int **at, int a, int b, int c)
{
    *(*at)++ = a;
    *(*at)++ = b;
    *(*at)++ = c;
}

static ff_mesh *mesh_of(mjcf *m, const grid *g, const double size[4])
{
    const int top = g->nrow * g->ncol, around = 2 * (g->nrow + g->ncol) - 4, centre = top + around;
    const int ntriangle = 2 * (g->nrow - 1) * (g->ncol - 1) + 3 * around;
    double *v = FF_ARENA_NEW(&m->arena, double, 3 * (centre + 1));
    int *triangles = FF_ARENA_NEW(&m->arena, int, 3 * ntriangle), *at = triangles;
    if (!mjcf_has_memory(m, v) || !mjcf_has_memory(m, triangles)) return NULL;
    for (int i = 0; i < top; i++) {
        const double x = 2.0 * (i % g->ncol) / (g->ncol - 1) - 1.0, y = 2.0 * (i / g->ncol) / (g->nrow - 1) - 1.0;
        ff_vec3_set(v + 3 * i, x * size[0], y * size[1], g->height[i] * size[2]);
    }
    for (int k = 0; k < around; k++) {
        const double *above = v + 3 * border_point(g, k);
        ff_vec3_set(v + 3 * (top + k), above[0], above[1], -size[3]);
    }
    ff_vec3_set(v + 3 * centre, 0.0, 0.0, -size[3]);
    for (int r = 0; r + 1 < g->nrow; r++)
        for (int c = 0; c + 1 < g->ncol; c++) {
            const int i = r * g->ncol + c, above = i + g->ncol;
            put_triangle(&at, i, i + 1, above + 1);
            put_triangle(&at, i, above + 1, above);
        }
    for (int k = 0; k < around; k++) {
        const int next = (k + 1) % around;
        put_triangle(&at, border_point(g, k), top + k, top + next);
        put_triangle(&at, border_point(g, k), top + next, border_point(g, next));
        put_triangle(&at, centre, top + next, top + k);
    }
    ff_mesh *mesh = ff_mesh_create(v, centre + 1, triangles, ntriangle, NULL);
    if (!mesh) m->no_memory = true;
    return mesh;
}

void mjcf_hfield_add(mjcf *m, ff_xml *node)
{
    double size[4] = {0};
    grid g = {0};
    const char *name = ff_xml_get(node, "name"), *file = ff_xml_get(node, "file");
    const char *kind = ff_xml_get(node, "content_type"), *path = file ? mjcf_asset_path(m, node, file) : NULL;
    const double nrow = ff_xml_number(node, "nrow", 0.0, m->report), ncol = ff_xml_number(node, "ncol", 0.0, m->report);
    int nnumber = 0;
    const double *numbers = mjcf_numbers(m, node, "elevation", MOST_POINTS, &m->arena, &nnumber);
    const int given = ff_xml_numbers(node, "size", size, 4, 4, m->report);
    if ((!name || !name[0]) && file) name = mjcf_base_name(m, file);
    for (int i = 0; i < 4; i++) {
        if (size[i] > 0.0) continue;
        if (given == 4)
            mjcf_error(m, node->place, "size of the height field has the number %g; all four must be positive",
                       size[i]);
        else
            mjcf_error(m, node->place, "<hfield> needs a size: half lengths along x and y, height, thickness below");
        return;
    }
    const bool png = kind ? strcmp(kind, "image/png") == 0 : path && mjcf_ends_with(path, ".png");
    const bool good = !path ? read_inline(m, node, nrow, ncol, numbers, nnumber, &g)
                      : png ? read_picture(m, node, path, &g)
                            : read_binary(m, node, path, &g);
    if (!good) {
        mjcf_name_add(m, MJCF_HFIELD_ASSET, name, MJCF_LEFT_OUT, node->place);
        return;
    }
    normalise(&g);
    ff_spec_mesh *mesh = ff_spec_add_mesh(m->spec, ff_arena_printf(&m->arena, "hfield %s", name ? name : ""));
    if (!mjcf_has_memory(m, mesh)) return;
    mesh->place = node->place;
    ff_vec3_set(mesh->scale, 1.0, 1.0, 1.0);
    mesh->data = mesh_of(m, &g, size);
    mjcf_name_add(m, MJCF_HFIELD_ASSET, name, m->spec->nmesh - 1, node->place);
}
