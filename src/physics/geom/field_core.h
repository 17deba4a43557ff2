// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid of a height field and its triangles, in plain arithmetic, for processors and devices. A source defines
// FF_CORE, the qualifiers of functions, before it includes this. Each cell is cut along its diagonal into two
// triangles:
//     01 --- 11
//      | 1 / |         triangle 2 c     = 00, 10, 11
//      |  /  |         triangle 2 c + 1 = 00, 11, 01     of cell c = j (nx - 1) + i
//      | / 0 |
//     00 --- 10
#ifndef FOOTFALL_FIELD_CORE_H
#define FOOTFALL_FIELD_CORE_H

#include "geom/grid.h"

#include <math.h>
#include <stddef.h>

FF_CORE double ff_grid_at(const ff_grid *g, int i, int j)
{
    return g->height[(size_t)j * (size_t)g->nx + (size_t)i];
}

FF_CORE void ff_grid_point(const ff_grid *g, int i, int j, double *out)
{
    out[0] = g->origin[0] + i * g->step[0];
    out[1] = g->origin[1] + j * g->step[1];
    out[2] = ff_grid_at(g, i, j);
}

FF_CORE void ff_grid_corners(const ff_grid *g, int t, double *out)
{
    int i = t / 2 % (g->nx - 1), j = t / 2 / (g->nx - 1);
    ff_grid_point(g, i, j, out);
    ff_grid_point(g, i + 1, t & 1 ? j + 1 : j, out + 3);
    ff_grid_point(g, t & 1 ? i : i + 1, j + 1, out + 6);
}

/// Corners and unit normal of a triangle. The normal follows from the two slopes and is exactly vertical on level
/// ground.
FF_CORE void ff_grid_triangle(const ff_grid *g, int t, double *corner, double *normal)
{
    ff_grid_corners(g, t, corner);
    double along_x = t & 1 ? corner[5] - corner[8] : corner[5] - corner[2],
           along_y = t & 1 ? corner[8] - corner[2] : corner[8] - corner[5];
    double sx = along_x / g->step[0], sy = along_y / g->step[1], up = 1.0 / sqrt(1.0 + sx * sx + sy * sy);
    normal[0] = -sx * up;
    normal[1] = -sy * up;
    normal[2] = up;
}

/// Number of corner k of a triangle: j nx + i.
FF_CORE int ff_grid_vertex(const ff_grid *g, int t, int k)
{
    int i = t / 2 % (g->nx - 1), j = t / 2 / (g->nx - 1);
    if (k == 1) i++, j += t & 1;
    if (k == 2) i += !(t & 1), j++;
    return j * g->nx + i;
}

/// Triangle across edge k (corner k to k + 1), -1 for none.
FF_CORE int ff_grid_beside(const ff_grid *g, int t, int k)
{
    int cells = g->nx - 1, i = t / 2 % cells, j = t / 2 / cells;
    if (t & 1) {
        if (k == 0) return t - 1;
        if (k == 1) return j + 1 < g->ny - 1 ? t - 1 + 2 * cells : -1;
        return i > 0 ? t - 3 : -1;
    }
    if (k == 0) return j > 0 ? t + 1 - 2 * cells : -1;
    if (k == 1) return i + 1 < cells ? t + 3 : -1;
    return t + 1;
}

FF_CORE int ff_grid_clamp(double x, int cells)
{
    return !(x > 0.0) ? 0 : x >= cells ? cells - 1 : (int)x;
}

/// The triangle over or under a place, -1 outside.
FF_CORE int ff_grid_triangle_at(const ff_grid *g, double x, double y)
{
    double u = (x - g->origin[0]) / g->step[0], v = (y - g->origin[1]) / g->step[1];
    if (!(u >= 0.0 && v >= 0.0 && u <= g->nx - 1 && v <= g->ny - 1)) return -1;
    int i = ff_grid_clamp(u, g->nx - 1), j = ff_grid_clamp(v, g->ny - 1);
    return 2 * (j * (g->nx - 1) + i) + (v - j > u - i);
}

/// Height of a triangle's plane at a place.
FF_CORE double ff_grid_plane(const ff_grid *g, int t, double x, double y)
{
    double c[9], n[3];
    ff_grid_triangle(g, t, c, n);
    return c[2] - (n[0] * (x - c[0]) + n[1] * (y - c[1])) / n[2];
}

/// Height of the surface; beyond the border, that of the nearest place of it.
FF_CORE double ff_grid_height_near(const ff_grid *g, double x, double y)
{
    double u = (x - g->origin[0]) / g->step[0], v = (y - g->origin[1]) / g->step[1];
    u = !(u > 0.0) ? 0.0 : u < g->nx - 1 ? u : g->nx - 1;
    v = !(v > 0.0) ? 0.0 : v < g->ny - 1 ? v : g->ny - 1;
    int i = ff_grid_clamp(u, g->nx - 1), j = ff_grid_clamp(v, g->ny - 1);
    int t = 2 * (j * (g->nx - 1) + i) + (v - j > u - i);
    return ff_grid_plane(g, t, g->origin[0] + u * g->step[0], g->origin[1] + v * g->step[1]);
}

/// Highest corner of a cell.
FF_CORE double ff_grid_top(const ff_grid *g, int i, int j)
{
    double a = ff_grid_at(g, i, j), b = ff_grid_at(g, i + 1, j), c = ff_grid_at(g, i, j + 1),
           d = ff_grid_at(g, i + 1, j + 1);
    a = a > b ? a : b;
    c = c > d ? c : d;
    return a > c ? a : c;
}

/// Cells that a box overlaps: first and last along x, first and last along y. 0 where it overlaps none.
FF_CORE int ff_grid_cells(const ff_grid *g, const double *low, const double *high, int *out)
{
    if (low[2] > g->high || high[0] < g->origin[0] || low[0] > -g->origin[0] || high[1] < g->origin[1] ||
        low[1] > -g->origin[1])
        return 0;
    out[0] = ff_grid_clamp((low[0] - g->origin[0]) / g->step[0], g->nx - 1);
    out[1] = ff_grid_clamp((high[0] - g->origin[0]) / g->step[0], g->nx - 1);
    out[2] = ff_grid_clamp((low[1] - g->origin[1]) / g->step[1], g->ny - 1);
    out[3] = ff_grid_clamp((high[1] - g->origin[1]) / g->step[1], g->ny - 1);
    return 1;
}

#endif
