// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A ball on a height field in a batch: the quick answer of face.h is that of the search among all triangles, on ground
// of every roughness, for balls from small to large, over faces and near to edges and grid points.
#include "check.h"

#include <footfall/footfall.h>

#define FF_LANES 1
#include "batch/compile.h"
#include "batch/terrain.h"

enum { LINES = 21 };

typedef struct ground_under_test {
    ff_batch_model model;
    ff_batch_field field;
    ff_batch_point point;
    double heights[LINES * LINES];
    unsigned char flats[2 * (LINES - 1) * (LINES - 1)], bends[2 * (LINES - 1) * (LINES - 1)];
    ff_grid grid;
} ground_under_test;

static void ground_make(ground_under_test *g, double rough, double wide, double radius, ff_random *random)
{
    const double half = 0.5 * (LINES - 1);
    *g = (ground_under_test){.field = {.margin = 1e-3}, .point = {.radius = radius}};
    g->field.grid = (ff_grid){.nx = LINES, .ny = LINES, .step = {0.04, 0.04 * wide}, .high = 1.0};
    g->field.grid.origin[0] = -half * g->field.grid.step[0], g->field.grid.origin[1] = -half * g->field.grid.step[1];
    for (int i = 0; i < LINES * LINES; i++) g->heights[i] = ff_random_range(random, 0.0, rough);
    g->model = (ff_batch_model){.nfield = 1, .npoint = 1, .fields = &g->field, .points = &g->point};
    g->model.heights = g->heights, g->model.flats = g->flats, g->model.bends = g->bends;
    ff_batch_find_bends(&g->model);
    g->grid = g->field.grid;
    g->grid.height = g->heights;
}

/// A ball over the field, also near to edges and grid points, from just out of touch to sunk in by half.
static void place_ball(const ground_under_test *g, double r, ff_random *random, double x[3])
{
    const ff_grid *grid = &g->grid;
    const double spread = ff_random_range(random, 0.0, 1.0) < 0.7 ? 0.03 : 0.5;
    const int aligned = (int)ff_random_range(random, 0.0, 4.0); // with lines along x, along y, both, a diagonal
    double at[2];
    for (int k = 0; k < 2; k++) at[k] = ff_random_range(random, 5.0, LINES - 6.0);
    for (int k = 0; k < 2; k++)
        if (aligned == k || aligned == 2) at[k] = (int)at[k] + ff_random_range(random, -spread, spread);
    if (aligned == 3) at[1] = (int)at[1] + (at[0] - (int)at[0]) + ff_random_range(random, -spread, spread);
    for (int k = 0; k < 2; k++) x[k] = grid->origin[k] + at[k] * grid->step[k];
    x[2] = ff_grid_height_near(grid, x[0], x[1]) + r * ff_random_range(random, 0.5, 1.2);
}

/// How far the quick answer and that of the search are apart, in radii; below zero where there is no quick answer.
static double apart_at(const ground_under_test *g, const double x[3], int *touched)
{
    const double r = g->point.radius, size = r > 0.0 ? r : g->grid.step[0];
    int point[2];
    ground a, b;
    const asking ball = ask_field(&g->model, 0, x, r);
    if (!touch_quickly(&ball, point, &a) && (point[0] < 0 || !touch_around(&ball, point[0], point[1], &a))) return -1.0;
    any_contact(&g->grid, g->flats, x, r, g->field.margin, &b);
    CHECK_INT(a.depth > 0.0, b.depth > 0.0);
    if (!(b.depth > 0.0)) return 0.0;
    double worst = fabs(a.depth - b.depth) / size;
    for (int c = 0; c < 3; c++) {
        worst = ff_max(worst, fabs(a.normal[c] - b.normal[c]));
        worst = ff_max(worst, fabs(a.shift[c] - b.shift[c]) / size);
    }
    ++*touched;
    return worst;
}

TEST(quick_answers_are_those_of_the_search)
{
    static const double rough[] = {0.0, 2e-5, 5e-4, 3e-3, 8e-3}, radius[] = {0.004, 0.012, 0.03};
    double worst = 0.0;
    int decided = 0, touched = 0, level = 0;
    for (int i = 0; i < 15; i++) {
        ff_random random = ff_random_make(41, (uint64_t)i);
        const double r = radius[i % 3];
        ground_under_test g;
        int quick = 0;
        ground_make(&g, rough[i / 3], i % 2 ? 1.0 : 1.7, r, &random);
        for (int k = 0; k < 4000; k++) {
            double x[3];
            place_ball(&g, r, &random, x);
            const double apart = apart_at(&g, x, &touched);
            quick += apart >= 0.0;
            worst = ff_max(worst, apart);
        }
        printf("  bumps of %g m, ball of %g m: %d of 4000 decided\n", rough[i / 3], r, quick);
        decided += quick;
        level += i < 3 ? quick : 0;
    }
    printf("  %d decided, %d in touch, %.1e apart\n", decided, touched, worst);
    CHECK(level > 11000 && decided > 30000 && touched > 20000);
    CHECK_NEAR(worst, 0.0, 1e-9);
}

/// A slope that is steeper by `bend` beyond a line through the middle of the field, which may lie across the grid.
static void ground_fold(ground_under_test *g, double angle, double bend, double across)
{
    for (int i = 0; i < LINES * LINES; i++) {
        double at[3];
        ff_grid_point(&g->grid, i % LINES, i / LINES, at);
        const double from = at[0] + across * at[1];
        g->heights[i] += from * ff_tan(from > 0.0 ? angle + bend : angle);
    }
    ff_batch_find_bends(&g->model);
    g->grid = g->field.grid;
    g->grid.height = g->heights;
}

// On a slope the ground beside a ball is nearer than that below it, also where that seems out of reach, and what is
// nearest to one that has sunk in is not the triangle above it.
TEST(quick_answers_on_slopes_are_those_of_the_search)
{
    double worst = 0.0;
    int decided = 0, touched = 0;
    for (int i = 0; i < 60; i++) {
        ff_random random = ff_random_make(43, (uint64_t)i);
        const double r = i % 3 ? ff_random_range(&random, 0.004, 0.06) : 0.0, size = r > 0.0 ? r : 0.01;
        ground_under_test g;
        ground_make(&g, 1e-4, ff_random_range(&random, 0.5, 2.0), r, &random);
        ground_fold(&g, ff_random_range(&random, 0.2, 1.35), ff_random_range(&random, -0.15, 0.15),
                    ff_random_range(&random, -1.0, 1.0));
        for (int k = 0; k < 1000; k++) {
            double x[3], n[3], corner[9];
            place_ball(&g, r, &random, x);
            const int t = ff_grid_triangle_at(&g.grid, x[0], x[1]);
            ff_grid_triangle(&g.grid, t, corner, n);
            x[2] = ff_grid_plane(&g.grid, t, x[0], x[1]) + size * ff_random_range(&random, -3.0, 4.0) / n[2];
            const double apart = apart_at(&g, x, &touched);
            decided += apart >= 0.0;
            worst = ff_max(worst, apart);
        }
    }
    printf("  %d decided, %d in touch, %.1e apart\n", decided, touched, worst);
    CHECK(decided > 10000 && touched > 5000);
    CHECK_NEAR(worst, 0.0, 1e-9);
}

// A ball of radius r whose middle is h over a slope of angle a, at the line beyond which it is steeper by b, is
// h (cos b - tan a sin b) from the steeper part: it touches that, though the slope below is out of reach.
TEST(a_ball_far_above_a_slope_touches_the_steeper_part_beside_it)
{
    const double a = 1.03, b = 0.23, r = 0.03, h = 1.56 * r;
    ff_random random = ff_random_make(45, 0);
    ground_under_test g;
    ground found;
    int touched = 0;
    ground_make(&g, 0.0, 1.0, r, &random);
    ground_fold(&g, a, b, 0.0);
    const double x[3] = {-1e-9, 0.013, h / ff_cos(a)};
    any_contact(&g.grid, g.flats, x, r, g.field.margin, &found);
    CHECK_NEAR(found.depth, r - h * (ff_cos(b) - ff_tan(a) * ff_sin(b)), 1e-8);
    CHECK(found.depth > 0.0 && h > FF_FILLET * r * (1.0 + ff_tan(b)));
    CHECK(apart_at(&g, x, &touched) < 1e-9);
}

// Above the highest grid point nothing is asked: a ball that just touches it is not taken for one above it.
TEST(a_ball_at_the_highest_place_touches_and_one_above_it_does_not)
{
    int touched = 0;
    for (int i = 0; i < 40; i++) {
        ff_random random = ff_random_make(46, (uint64_t)i);
        const double r = i % 4 ? ff_random_range(&random, 0.004, 0.06) : 0.0, size = r > 0.0 ? r : 0.01;
        ground_under_test g;
        ground_make(&g, 0.02, 1.0, r, &random);
        int top = 0;
        for (int k = 1; k < LINES * LINES; k++) top = g.heights[k] > g.heights[top] ? k : top;
        double x[3];
        ff_grid_point(&g.grid, top % LINES, top / LINES, x);
        for (int k = 0; k < 100; k++) { // at the top, and beside it
            const double over = size * ff_random_range(&random, -0.01, 0.01), to_side = k % 2 ? 0.0 : 0.3 * r;
            const double at[3] = {x[0] + to_side, x[1], x[2] + r + over};
            ground quick, found;
            field_contact(&g.model, 0, at, r, &quick);
            any_contact(&g.grid, g.flats, at, r, g.field.margin, &found);
            CHECK_INT(quick.depth > 0.0, found.depth > 0.0);
            if (to_side == 0.0) CHECK_INT(quick.depth > 0.0, over < 0.0);
            if (found.depth > 0.0) CHECK_NEAR(quick.depth, found.depth, 1e-12);
            touched += found.depth > 0.0;
        }
    }
    CHECK(touched > 500 && touched < 3000);
}

// Points that look for nothing around them have no neighbours to ask at the border, and leave it to the search.
TEST(triangles_at_the_border_have_no_quick_answer)
{
    ff_random random = ff_random_make(44, 0);
    ground_under_test g;
    ground_make(&g, 0.0, 1.0, 0.0, &random);
    g.field.margin = 0.0;
    ff_batch_find_bends(&g.model);
    for (int i = 0; i < LINES - 1; i++)
        for (int half = 0; half < 2; half++) {
            CHECK_INT(g.bends[2 * i + half], FF_BATCH_BENT);
            CHECK_INT(g.bends[2 * i * (LINES - 1) + half], FF_BATCH_BENT);
        }
    CHECK_INT(g.bends[2 * (3 * (LINES - 1) + 3)], 0);
}
