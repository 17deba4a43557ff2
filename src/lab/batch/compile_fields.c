// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields of a batch model: heights, flat edges and the frame of each field that is fixed to the world, and which
// shapes may stand on it. A ball has one contact with a field in a batch (terrain.h): nowhere may the ground below it
// be bent so much that a simulation has two.
#include "batch/compile.h"
#include "geom/facets.h"

#define FF_CORE static inline
#include "batch/ground_core.h"

#include <math.h>
#include <string.h>

bool ff_batch_is_field(const ff_world *w, int shape)
{
    const ff_item *item = &w->items[shape];
    return item->node < 0 && item->mocap < 0 && w->shapes[shape].collider.type == FF_COLLIDER_FIELD;
}

int ff_batch_count_fields(const ff_world *w)
{
    int count = 0;
    for (int i = 0; i < w->nshape; i++) count += ff_batch_is_field(w, i);
    return count;
}

static int larger_of(int a, int b)
{
    return a > b ? a : b;
}

/// Cells `from` to `to` - 1 of a grid along both axes.
typedef struct patch {
    int from[2], to[2];
} patch;

static int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

/// The patch and all cells that are no farther than `cells` from it.
static patch widen(const ff_grid *g, const patch *p, const int cells[2])
{
    const int most[2] = {g->nx - 1, g->ny - 1};
    patch wide;
    for (int k = 0; k < 2; k++) {
        wide.from[k] = larger_of(0, p->from[k] - cells[k]);
        wide.to[k] = smaller_of(most[k], p->to[k] + cells[k]);
    }
    return wide;
}

/// A triangle of a cell: corners and normal.
static void triangle_of(const ff_grid *g, int u, int v, int half, double at[9], double n[3])
{
    ff_grid_triangle(g, 2 * (v * (g->nx - 1) + u) + half, at, n);
}

/// Is a normal of the patch unlike n? `at`: the triangle.
static bool has_unlike(const ff_grid *g, const patch *p, const double n[3], double alike, double at[9])
{
    double m[3];
    for (int v = p->from[1]; v < p->to[1]; v++)
        for (int u = p->from[0]; u < p->to[0]; u++)
            for (int half = 0; half < 2; half++) {
                triangle_of(g, u, v, half, at, m);
                if (ff_vec3_dot(n, m) <= alike) return true;
            }
    return false;
}

/// Are all normals of the patch so near to their mean that any two of them are alike?
static bool is_even(const ff_grid *g, const patch *p)
{
    double mean[3] = {0}, at[9], n[3];
    for (int v = p->from[1]; v < p->to[1]; v++)
        for (int u = p->from[0]; u < p->to[0]; u++)
            for (int half = 0; half < 2; half++) {
                triangle_of(g, u, v, half, at, n);
                ff_vec3_add(mean, mean, n);
            }
    ff_vec3_scale(mean, mean, 1.0 / ff_vec3_norm(mean));              // not zero: all point upwards
    return !has_unlike(g, p, mean, sqrt(0.5 * (1.0 + FF_ALIKE)), at); // cosine of half the angle
}

/// Do two normals of triangles within `cells` of each other differ by more than one contact may have? Patches that are
/// even with all around them need no search of pairs, whose number grows with the square of the cells below a ball.
static bool has_steep_sides(const ff_grid *g, const int cells[2], double at[9])
{
    const int size[2] = {larger_of(cells[0], 8), larger_of(cells[1], 8)};
    for (int j = 0; j < g->ny - 1; j += size[1])
        for (int i = 0; i < g->nx - 1; i += size[0]) {
            const patch here = {{i, j}, {smaller_of(i + size[0], g->nx - 1), smaller_of(j + size[1], g->ny - 1)}};
            const patch around = widen(g, &here, cells);
            if (is_even(g, &around)) continue;
            for (int k = 0; k < 2 * (here.to[0] - i) * (here.to[1] - j); k++) {
                double n[3], other[9];
                const int u = i + k / 2 % (here.to[0] - i), v = j + k / 2 / (here.to[0] - i);
                const patch one = {{u, v}, {u + 1, v + 1}}, near = widen(g, &one, cells);
                triangle_of(g, u, v, k % 2, at, n);
                if (has_unlike(g, &near, n, FF_ALIKE, other)) return true;
            }
        }
    return false;
}

/// Is an edge inside the field bent too much for one smooth piece?
static bool has_sharp_edge(const ff_facets *f, double at[9])
{
    for (int t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) {
            double n[3];
            if (ff_facets_has(f, t, k, FF_FACET_GENTLE) || f->beside(f->self, t, k) < 0) continue;
            f->get(f->self, t, at, n);
            return true;
        }
    return false;
}

/// Edges inside the field that stand out.
static int count_ridges(const ff_facets *f)
{
    int count = 0;
    for (int t = 0; t < f->count; t++)
        for (int k = 0; k < 3; k++) count += ff_facets_has(f, t, k, FF_FACET_RIDGE) && f->beside(f->self, t, k) >= 0;
    return count;
}

bool ff_batch_check_bends(const ff_world *w, int field, int shape, ff_report *report)
{
    const ff_field *from = w->shapes[field].collider.field;
    const ff_grid *g = ff_field_grid(from);
    const ff_collider *c = &w->shapes[shape].collider;
    const double radius = c->type == FF_COLLIDER_BOX ? 0.0 : c->size[0], wide = 2.0 * FF_FILLET * radius;
    const int cells[2] = {(int)ff_min(ceil(wide / g->step[0]), g->nx), (int)ff_min(ceil(wide / g->step[1]), g->ny)};
    double at[9];
    if (radius > 0.0 && (has_sharp_edge(ff_field_facets(from), at) || has_steep_sides(g, cells, at))) {
        ff_report_add(report, FF_ERROR, ff_batch_place_of(w, shape),
                      "\"%s\" on \"%s\": in a batch a ball of %g m touches a height field at one place, and near x = "
                      "%.4g m, y = %.4g m this one is bent so sharply that there may be two (an edge of 30 degrees, or "
                      "sides 37 degrees apart): take a smoother or finer grid, or box feet",
                      w->shapes[shape].name, w->shapes[field].name, radius, at[0], at[1]);
        return false;
    }
    return true;
}

void ff_batch_warn_of_ridges(const ff_batch_model *m, const ff_world *w, ff_report *report)
{
    for (int k = 0; k < m->nfield; k++) {
        const int ridges = count_ridges(ff_field_facets(w->shapes[m->fields[k].shape].collider.field));
        int first = -1, count = 0;
        for (int i = 0; i < m->npoint; i++) {
            const ff_batch_point *p = &m->points[i];
            const ff_collider_type type = w->shapes[p->shape].collider.type;
            if (p->field != k || p->number > 0 || (type != FF_COLLIDER_BOX && type != FF_COLLIDER_CAPSULE)) continue;
            if (count++ == 0) first = p->shape;
        }
        if (ridges > 0 && count > 0)
            ff_report_add(report, FF_WARNING, ff_batch_place_of(w, first),
                          "\"%s\" on \"%s\" (%d such shapes): in a batch boxes and capsules touch a height field with "
                          "corners and ends alone; a simulation also has its %d edges that stand out",
                          w->shapes[first].name, w->shapes[m->fields[k].shape].name, count, ridges);
    }
}

// ------------------------------------------------------------------------------------------ quick answers

/// With more cells around a ball there would be no quick answer.
enum { MOST_CELLS_AROUND = 4 };
/// Least z of the normal of a triangle, 60 degrees: face.h measures distances from edges as they are seen from above,
/// and a place just beyond an edge is far from it on a triangle that is steeper.
static const double LEAST_UP = 0.5;

/// Tangent of the largest angle between the normal of a triangle and those of a patch.
static double bend_of(const ff_grid *g, const patch *p, const double n[3])
{
    double most = 0.0, at[9], m[3], across[3];
    for (int v = p->from[1]; v < p->to[1]; v++)
        for (int u = p->from[0]; u < p->to[0]; u++)
            for (int half = 0; half < 2; half++) {
                triangle_of(g, u, v, half, at, m);
                ff_vec3_cross(across, n, m);
                const double along = ff_vec3_dot(n, m);
                most = along > 0.0 ? ff_max(most, ff_vec3_norm(across) / along) : INFINITY;
                if (most == INFINITY) return most;
            }
    return most;
}

static void find_bends(const ff_grid *g, int cells, unsigned char *bends)
{
    for (int t = 0; t < 2 * (g->nx - 1) * (g->ny - 1); t++) {
        const int i = t / 2 % (g->nx - 1), j = t / 2 / (g->nx - 1);
        const bool border = i < cells || j < cells || i + cells >= g->nx - 1 || j + cells >= g->ny - 1;
        const patch here = {{i, j}, {i + 1, j + 1}}, around = widen(g, &here, (const int[2]){cells, cells});
        double at[9], n[3];
        triangle_of(g, i, j, t % 2, at, n);
        const bool left_out = border || cells > MOST_CELLS_AROUND || n[2] < LEAST_UP;
        const double bend = left_out ? INFINITY : bend_of(g, &around, n);
        bends[t] = (unsigned char)ff_min(ceil(bend / FF_BATCH_BEND_UNIT), FF_BATCH_BENT);
    }
}

/// What face.h asks of the fields, of which the points are known now.
void ff_batch_find_bends(ff_batch_model *m)
{
    for (int k = 0; k < m->nfield; k++) {
        ff_batch_field *f = &m->fields[k];
        ff_grid g = f->grid;
        const double size = ff_min(g.step[0], g.step[1]);
        double reach = f->margin;
        for (int i = 0; i < m->npoint; i++)
            if (m->points[i].field == k)
                reach = ff_max(reach, ff_max(m->points[i].radius + f->margin, FF_FILLET * m->points[i].radius));
        const double wide = ff_max(1.0, ceil(reach / size)); // face.h asks neighbours
        const int cells = (int)ff_min(wide, MOST_CELLS_AROUND + 1);
        g.height = m->heights + f->first_height;
        f->top = g.height[0];
        for (int i = 1; i < g.nx * g.ny; i++) f->top = ff_max(f->top, g.height[i]);
        f->around = cells * size;
        for (int i = 0; i < 2; i++) f->per_step[i] = 1.0 / g.step[i];
        f->slant = g.step[0] * g.step[1] / ff_hypot(g.step[0], g.step[1]);
        f->corner = 2.0 * ff_max(g.step[0], g.step[1]) / f->slant; // 2 / sin(a), a the sharpest angle of a triangle
        find_bends(&g, cells, m->bends + f->first_flat);
    }
}

// ------------------------------------------------------------------------------------------ all fields

bool ff_batch_add_fields(ff_batch_making *making, const ff_world *w)
{
    ff_batch_model *m = &making->model;
    for (int i = 0; i < w->nshape; i++) {
        if (!ff_batch_is_field(w, i)) continue;
        const ff_field *from = w->shapes[i].collider.field;
        ff_batch_field *f = &m->fields[m->nfield++];
        *f = (ff_batch_field){.grid = *ff_field_grid(from),
                              .margin = w->margin,
                              .shape = i,
                              .first_height = m->nheight,
                              .first_flat = m->nflat};
        memcpy(f->R, w->items[i].pose.R, sizeof f->R);
        memcpy(f->p, w->items[i].pose.p, sizeof f->p);
        f->upright = f->R[8] == 1.0;
        m->nheight += (size_t)f->grid.nx * (size_t)f->grid.ny;
        m->nflat += (size_t)ff_field_facets(from)->count;
        f->grid.height = NULL;
    }
    m->heights = FF_ARENA_NEW(&making->arena, double, m->nheight + 1);
    m->flats = FF_ARENA_NEW(&making->arena, unsigned char, m->nflat + 1);
    m->bends = FF_ARENA_NEW(&making->arena, unsigned char, m->nflat + 1);
    if (!m->heights || !m->flats || !m->bends) return false;
    for (int k = 0; k < m->nfield; k++) {
        const ff_batch_field *f = &m->fields[k];
        const ff_field *from = w->shapes[f->shape].collider.field;
        const ff_facets *facets = ff_field_facets(from);
        memcpy(m->heights + f->first_height, ff_field_grid(from)->height,
               sizeof(double) * (size_t)f->grid.nx * (size_t)f->grid.ny);
        for (int t = 0; t < facets->count; t++) m->flats[f->first_flat + (size_t)t] = facets->bits[t] & 7;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ heights

double ff_batch_field_height(const ff_batch_model *m, int field, double x, double y)
{
    return ff_core_field_height(m, field, x, y);
}

int ff_batch_field_below(const ff_batch_model *m)
{
    for (int i = 0; i < m->nfield && m->root >= 0; i++) {
        const double *at = m->start + m->root;
        if (m->fields[i].upright && ff_batch_field_height(m, i, at[0], at[1]) <= at[2]) return i;
    }
    return -1;
}

static bool is_over_field(const ff_batch_field *f, const double place[2])
{
    const double dx = place[0] - f->p[0], dy = place[1] - f->p[1];
    const ff_grid *g = &f->grid;
    const double u = (f->R[0] * dx + f->R[3] * dy - g->origin[0]) / g->step[0];
    const double v = (f->R[1] * dx + f->R[4] * dy - g->origin[1]) / g->step[1];
    return u >= 0.0 && v >= 0.0 && u <= g->nx - 1 && v <= g->ny - 1;
}

int ff_batch_is_over_ground(const ff_batch_model *m, const double away[2])
{
    if (m->ground < 0) return 1;
    const double place[2] = {m->start[m->root] + away[0], m->start[m->root + 1] + away[1]};
    for (int i = 0; i < m->nplane; i++)
        if (m->planes[i].n[2] > 0.0) return 1;
    for (int i = 0; i < m->nfield; i++)
        if (m->fields[i].upright && is_over_field(&m->fields[i], place)) return 1;
    return 0;
}
