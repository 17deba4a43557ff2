// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Grounds made of triangles for tests: one flat floor cut into triangles in many ways, good and bad, and bodies made of
// triangles.
#ifndef FOOTFALL_TESTS_GROUND_H
#define FOOTFALL_TESTS_GROUND_H

#include "collide_random.h"
#include "tessellate.h"

enum { FLOOR_REGULAR, FLOOR_UNEVEN, FLOOR_SOUP, FLOOR_SPLIT, FLOOR_BROKEN, FLOOR_FIELD, FLOOR_COUNT };
static const char *const FLOOR_NAMES[FLOOR_COUNT] = {"regular",
                                                     "of uneven triangles",
                                                     "of triangles that share no corners",
                                                     "where long edges meet two short ones",
                                                     "with slivers and doubled triangles",
                                                     "height field"};
#define FLOOR_CELLS 8

typedef struct floor_mesh {
    double v[20 * FLOOR_CELLS * FLOOR_CELLS * 3];
    int t[20 * FLOOR_CELLS * FLOOR_CELLS * 3];
    int nv, nt;
} floor_mesh;

static inline int floor_vertex(floor_mesh *m, double x, double y)
{
    ff_vec3_set(m->v + 3 * m->nv, x, y, 0.0);
    return m->nv++;
}

static inline void floor_triangle(floor_mesh *m, int a, int b, int c)
{
    int *t = m->t + 3 * m->nt++;
    t[0] = a, t[1] = b, t[2] = c;
}

/// Flat floor z = 0, |x|, |y| <= 1. Corners are moved by less than a quarter of a cell, which turns no triangle over.
static inline ff_mesh *floor_triangles(int kind, ff_random *r)
{
    static floor_mesh m;
    const double cell = 2.0 / FLOOR_CELLS;
    int grid[FLOOR_CELLS + 1][FLOOR_CELLS + 1];
    m.nv = m.nt = 0;
    for (int j = 0; j <= FLOOR_CELLS; j++)
        for (int i = 0; i <= FLOOR_CELLS; i++) {
            bool inner =
                i > 0 && j > 0 && i < FLOOR_CELLS && j < FLOOR_CELLS && kind != FLOOR_REGULAR && kind != FLOOR_SPLIT;
            double dx = inner ? ff_random_range(r, -0.24, 0.24) : 0.0,
                   dy = inner ? ff_random_range(r, -0.24, 0.24) : 0.0;
            grid[j][i] = floor_vertex(&m, (i + dx) * cell - 1.0, (j + dy) * cell - 1.0);
        }
    for (int j = 0; j < FLOOR_CELLS; j++)
        for (int i = 0; i < FLOOR_CELLS; i++) {
            int a = grid[j][i], b = grid[j][i + 1], c = grid[j + 1][i], d = grid[j + 1][i + 1];
            if (kind == FLOOR_SPLIT && (i + j) % 2) { // four triangles around the middle, and the lower edge halved
                int e = floor_vertex(&m, (i + 0.5) * cell - 1.0, (j + 0.5) * cell - 1.0),
                    f = floor_vertex(&m, (i + 0.5) * cell - 1.0, j * cell - 1.0);
                floor_triangle(&m, a, f, e), floor_triangle(&m, f, b, e), floor_triangle(&m, b, d, e);
                floor_triangle(&m, d, c, e), floor_triangle(&m, c, a, e);
                continue;
            }
            floor_triangle(&m, a, b, d), floor_triangle(&m, a, d, c);
            if (kind != FLOOR_BROKEN) continue;
            floor_triangle(&m, b, d, a); // doubled, starting elsewhere
            floor_triangle(&m, a, a, d); // without area
            floor_triangle(&m, a, d, a);
        }
    if (kind == FLOOR_SOUP) {
        static floor_mesh soup;
        soup.nv = soup.nt = 0;
        for (int e = 0; e < 3 * m.nt; e++) floor_vertex(&soup, m.v[3 * m.t[e]], m.v[3 * m.t[e] + 1]);
        for (int t = 0; t < m.nt; t++) floor_triangle(&soup, 3 * t, 3 * t + 1, 3 * t + 2);
        memcpy(&m, &soup, sizeof m);
    }
    return ff_mesh_create(m.v, m.nv, m.t, m.nt, NULL);
}

typedef struct test_floor {
    ff_collider c;
    ff_mesh *mesh; // NULL for a field
    ff_surface *surface;
    ff_field *field;
} test_floor;

static inline test_floor make_floor(int kind, ff_random *r)
{
    test_floor g = {.c = {.type = FF_COLLIDER_FIELD}};
    if (kind == FLOOR_FIELD) {
        g.field = ff_field_create(NULL, FLOOR_CELLS + 1, FLOOR_CELLS + 1, (double[2]){2.0, 2.0}, NULL);
        g.c.field = g.field;
    } else {
        g.mesh = floor_triangles(kind, r);
        g.surface = ff_surface_create(g.mesh, NULL);
        g.c = (ff_collider){.type = FF_COLLIDER_SURFACE, .surface = g.surface};
    }
    CHECK(g.surface || g.field);
    return g;
}

static inline void clear_ground(test_floor *g)
{
    ff_mesh_destroy(g->mesh);
    ff_surface_destroy(g->surface);
    ff_field_destroy(g->field);
}

/// Ball of 20 * 4^level triangles: the icosahedron, each triangle cut into four again and again, corners on the ball.
static inline ff_mesh *mesh_icosphere(double radius, int level)
{
    static const int FACES[60] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                  4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                  6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const double corner[36] = {-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
                               0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1};
    int nt = 20, nv = 12;
    for (int i = 0; i < level; i++) nt *= 4;
    double *v = calloc((size_t)nt * 3 * 3 + 36, sizeof(double));
    int *t = calloc((size_t)nt * 3, sizeof(int)), *next = calloc((size_t)nt * 3, sizeof(int)), count = 20;
    memcpy(v, corner, sizeof corner);
    memcpy(t, FACES, sizeof FACES);
    for (int step = 0; step < level; step++) {
        for (int i = 0; i < count; i++) {
            int mid[3];
            for (int k = 0; k < 3; k++) { // each middle is made twice, which a hull does not mind
                const double *a = v + 3 * t[3 * i + k], *b = v + 3 * t[3 * i + (k + 1) % 3];
                mid[k] = nv++;
                double *m = v + 3 * mid[k];
                ff_vec3_add(m, a, b);
                ff_vec3_scale(m, m, sqrt(1.0 + g * g) / ff_vec3_norm(m));
            }
            const int parts[12] = {t[3 * i],     mid[0], mid[2], t[3 * i + 1], mid[1], mid[0],
                                   t[3 * i + 2], mid[2], mid[1], mid[0],       mid[1], mid[2]};
            memcpy(next + 12 * i, parts, sizeof parts);
        }
        count *= 4;
        memcpy(t, next, (size_t)count * 3 * sizeof(int));
    }
    for (int i = 0; i < nv; i++) ff_vec3_scale(v + 3 * i, v + 3 * i, radius / sqrt(1.0 + g * g));
    ff_mesh *mesh = ff_mesh_create(v, nv, t, count, NULL);
    free(v);
    free(t);
    free(next);
    return mesh;
}

#endif
