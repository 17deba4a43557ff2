// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture of a batch (`footfall batch --picture`) is a grid of cells. Each cell shows one robot, drawn by the
// camera of the library from far above its middle, so that all cells have the same scale and a robot that has walked
// away is still in its cell. If there are more robots than cells, every k-th is drawn.
#include "batch.h"

#include "terminal.h"

#include <footfall/camera.h>
#include <footfall/collide.h>
#include <footfall/dyn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 2048, LARGEST_CELL = 256, MOST_CELLS = 128 }; // of the picture and of a cell [pixel]; cells along a side
static const double DISTANCE = 8.0;                         // of the camera, in radii of the robot
static const double MARGIN = 1.15;                          // around the robot

static const float PAPER[3] = {0.957f, 0.961f, 0.969f};

/// The shapes of a robot that are drawn, and what they need.
typedef struct portrait {
    const ff_model *model;
    ff_data *data;
    ff_collider *colliders; // (nshape)
    ff_convex **hulls;      // of meshes, NULL: none  (nshape)
    const ff_geom **geoms;  // (nshape)
    ff_sense_shape *shapes; // (nshape)
    int nshape;
    ff_picture *cell;
    double radius; // of the robot at the start, level  [m]
} portrait;

// ------------------------------------------------------------------------------------------ one robot

/// Shapes for collisions alone are hidden where a body has others.
static bool is_drawn(const ff_model *m, const ff_geom *g)
{
    if (g->body < 0 || m->bodies[g->body].node < 0 || g->shape.type == FF_SHAPE_PLANE) return false;
    for (int i = 0; i < m->ngeom && g->role == FF_GEOM_COLLISION; i++)
        if (m->geoms[i].body == g->body && m->geoms[i].role == FF_GEOM_VISUAL) return false;
    return true;
}

static bool make_collider(portrait *p, int shape, const ff_geom *g)
{
    if (g->shape.type != FF_SHAPE_MESH) return ff_collider_from_shape(&p->colliders[shape], &g->shape);
    p->hulls[shape] = g->shape.mesh ? ff_convex_create(g->shape.mesh, NULL) : NULL;
    p->colliders[shape] = (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = p->hulls[shape]};
    return p->hulls[shape] != NULL;
}

static void place_shapes(portrait *p)
{
    ff_dyn_kinematics(p->model, p->data);
    for (int i = 0; i < p->nshape; i++) {
        const ff_geom *g = p->geoms[i];
        ff_sense_shape *s = &p->shapes[i];
        double pos[3], quat[4], turned[4];
        ff_dyn_point(p->model, p->data, g->body, g->pos, s->pose.p);
        ff_dyn_body_pose(p->model, p->data, g->body, pos, quat);
        ff_quat_mul(turned, quat, g->quat);
        ff_quat_to_mat3(s->pose.R, turned);
        ff_collider_bounds(s->collider, &s->pose, s->low, s->high);
    }
}

/// Box around all shapes.
static void find_box(const portrait *p, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (int i = 0; i < p->nshape; i++) {
            low[k] = ff_min(low[k], p->shapes[i].low[k]);
            high[k] = ff_max(high[k], p->shapes[i].high[k]);
        }
    }
}

/// Draws the robot in the pose of its data into the cell.
static void draw_cell(portrait *p, const float rgb[3])
{
    // The camera looks along its x axis, down; z of the camera, which is up in the picture, is x of the world.
    static const double R[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
    const double angle[2] = {1.0, DISTANCE};
    ff_camera camera = ff_camera_default();
    double low[3], high[3], pos[3];
    place_shapes(p);
    find_box(p, low, high);
    for (int k = 0; k < 3; k++) pos[k] = 0.5 * (low[k] + high[k]);
    pos[2] += DISTANCE * p->radius;
    camera.width = camera.height = p->cell->width;
    camera.field = 2.0 * ff_atan2(angle[0], angle[1]);
    camera.reach = 2.0 * DISTANCE * p->radius;
    memcpy(camera.sky, PAPER, sizeof camera.sky);
    for (int i = 0; i < p->nshape; i++) memcpy(p->shapes[i].colour, rgb, sizeof p->shapes[i].colour);
    const ff_sense_view view = {.model = p->model, .data = p->data, .shapes = p->shapes, .nshape = p->nshape};
    ff_camera_take(&camera, &view, pos, R, -2, NULL, p->cell);
}

static void clear_portrait(portrait *p)
{
    for (int i = 0; p->hulls && i < p->nshape; i++) ff_convex_destroy(p->hulls[i]);
    ff_data_destroy(p->data);
    ff_picture_destroy(p->cell);
    free(p->colliders);
    free(p->hulls);
    free(p->geoms);
    free(p->shapes);
}

static ff_status prepare_portrait(portrait *p, const ff_model *m, int pixels, ff_error *err)
{
    const size_t most = (size_t)m->ngeom + 1;
    double low[3], high[3];
    *p = (portrait){.model = m,
                    .data = ff_data_create(m, err),
                    .colliders = calloc(most, sizeof *p->colliders),
                    .hulls = calloc(most, sizeof(ff_convex *)),
                    .geoms = calloc(most, sizeof(ff_geom *)),
                    .shapes = calloc(most, sizeof *p->shapes),
                    .cell = ff_picture_create(pixels, pixels, err)};
    if (!p->data || !p->colliders || !p->hulls || !p->geoms || !p->shapes || !p->cell)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the picture");
    for (int i = 0; i < m->ngeom; i++) {
        if (!is_drawn(m, &m->geoms[i]) || !make_collider(p, p->nshape, &m->geoms[i])) continue;
        p->geoms[p->nshape] = &m->geoms[i];
        p->shapes[p->nshape] = (ff_sense_shape){.collider = &p->colliders[p->nshape], .body = m->geoms[i].body};
        p->nshape++;
    }
    if (p->nshape == 0) return ff_error_set(err, FF_BAD_ARGUMENT, "the robot has no shapes that could be drawn");
    place_shapes(p);
    find_box(p, low, high);
    p->radius = MARGIN * 0.5 * ff_max(high[0] - low[0], high[1] - low[1]);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ all robots

/// Layout of the picture.
typedef struct grid {
    int stride;        // one of so many robots is drawn
    int columns, rows; // of cells
    int pixels;        // along a side of a cell
} grid;

static grid lay_out(int robots)
{
    grid g = {.stride = 1 + (robots - 1) / (MOST_CELLS * MOST_CELLS)};
    const int drawn = 1 + (robots - 1) / g.stride;
    g.columns = (int)ceil(sqrt((double)drawn));
    g.rows = (drawn + g.columns - 1) / g.columns;
    g.pixels = SIDE / g.columns < LARGEST_CELL ? SIDE / g.columns : LARGEST_CELL;
    return g;
}

static ff_status draw_cells(const batch_paint *paint, portrait *p, const grid *g, ff_picture *all, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0, number = 0; number < paint->outcome->robots && !status; i++, number += g->stride) {
        float rgb[3] = {0};
        const size_t x = (size_t)(i % g->columns * g->pixels), y = (size_t)(i / g->columns * g->pixels);
        status = ff_batch_get_state(paint->batch, number, p->data->q, NULL, err);
        if (!status) status = paint_robot(paint, number, rgb, err);
        if (!status) draw_cell(p, rgb);
        for (size_t row = 0; row < (size_t)g->pixels; row++)
            memcpy(all->rgb + 3 * ((y + row) * (size_t)all->width + x), p->cell->rgb + 3 * row * (size_t)g->pixels,
                   3 * (size_t)g->pixels);
    }
    return status;
}

static void describe(const grid *g, const batch_paint *paint, const char *path)
{
    print_escaped(stderr, "%s: %d rows of %d robots from above, x up, numbers from left to right", path, g->rows,
                  g->columns);
    if (g->stride > 1)
        fprintf(stderr, ", every %d%s robot", g->stride, g->stride == 2 ? "nd" : g->stride == 3 ? "rd" : "th");
    describe_paint(paint);
}

ff_status draw_batch(const batch_paint *paint, const ff_model *model, const char *path, ff_error *err)
{
    if (!ff_picture_built())
        return ff_error_set(err, FF_NOT_BUILT, "%s: this build writes no pictures: it has no libpng", path);
    const grid g = lay_out(paint->outcome->robots);
    const int wide = g.columns * g.pixels, high = g.rows * g.pixels, needed = legend_width(paint);
    const int fits = wide / needed, dot = fits < 1 ? 1 : fits < 1 + wide / 512 ? fits : 1 + wide / 512;
    portrait p;
    ff_status status = prepare_portrait(&p, model, g.pixels, err);
    ff_picture *all =
        status ? NULL : ff_picture_create(wide < needed ? needed : wide, high + dot * legend_height(), err);
    if (all) {
        memset(all->rgb, 255, 3 * (size_t)all->width * (size_t)all->height);
        status = draw_cells(paint, &p, &g, all, err);
        draw_legend(paint, all, high, dot);
        if (!status) status = ff_picture_write(all, path, err);
        if (!status) describe(&g, paint, path);
    }
    ff_picture_destroy(all);
    clear_portrait(&p);
    return all || status ? status : err->status;
}
