// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours of the robots in a picture of a batch, and their legend: what a robot is painted with stands in the legend,
// in its place.
#include "batch/one_body.h"
#include "check.h"

#include <footfall/footfall.h>

#include "batch.h"

#include <math.h>
#include <string.h>

typedef struct crowd {
    ff_batch_model *model;
    ff_batch *batch;
    ff_batch_outcome outcome;
    batch_paint paint;
    ff_picture *legend;
} crowd;

/// Bodies in free fall from z = 0, 1, 2, ..: those that start below 0.5 m fall, in the sense of the batch, at once.
static crowd crowd_create(int robots, const char *reward, const char *colour)
{
    crowd c = {.model = one_body("free", FF_JOINT_FREE)};
    ff_error err = {0};
    c.batch = ff_batch_create(
        c.model, &(ff_batch_options){.robots = robots, .least_height = 0.5, .reward = reward, .threads = 1}, &err);
    if (!c.batch) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < robots; i++)
        CHECK_INT(ff_batch_set_state(c.batch, i, (const double[]){0, 0, i, 1, 0, 0, 0}, NULL, &err), FF_OK);
    CHECK_INT(ff_batch_step(c.batch, 1, &err), FF_OK);
    CHECK_INT(ff_batch_get_outcome(c.batch, &c.outcome, &err), FF_OK);
    c.paint.batch = c.batch;
    CHECK_INT(find_paint_column(c.batch, colour, &c.paint.column, &err), FF_OK);
    return c;
}

static void crowd_draw(crowd *c)
{
    c->paint.outcome = &c->outcome;
    c->legend = ff_picture_create(legend_width(&c->paint), legend_height(), NULL);
    memset(c->legend->rgb, 255, 3 * (size_t)c->legend->width * (size_t)c->legend->height);
    draw_legend(&c->paint, c->legend, 0, 1);
}

static void crowd_destroy(crowd *c)
{
    ff_picture_destroy(c->legend);
    ff_batch_destroy(c->batch);
    ff_batch_model_destroy(c->model);
}

/// First column of the legend in which the colour of a robot stands, within a step of the bar; -1: in none.
static int find_colour(const crowd *c, int robot)
{
    float rgb[3];
    CHECK_INT(paint_robot(&c->paint, robot, rgb, NULL), FF_OK);
    for (int x = 0; x < c->legend->width; x++)
        for (int y = 0; y < c->legend->height; y++) {
            const unsigned char *p = c->legend->rgb + 3 * (y * c->legend->width + x);
            const float apart = fabsf(p[0] - 255 * rgb[0]) + fabsf(p[1] - 255 * rgb[1]) + fabsf(p[2] - 255 * rgb[2]);
            if (apart < 8.0f) return x;
        }
    return -1;
}

// The bar has 60 colours from the least reward to the best: a robot half-way is in its middle.
TEST(the_bar_of_the_legend_has_the_colours_of_rewards)
{
    crowd c = crowd_create(5, "root.z", "reward");
    crowd_draw(&c);
    const int least = find_colour(&c, 0), half = find_colour(&c, 2), most = find_colour(&c, 4);
    CHECK(least > 0 && half > least && most > half);
    CHECK_NEAR(half - least, 0.5 * (most - least), 2.0);
    CHECK_NEAR(most - least, 59.0, 2.0);
    crowd_destroy(&c);
}

TEST(the_legend_has_the_colour_of_each_end)
{
    crowd c = crowd_create(3, NULL, NULL);
    crowd_draw(&c);
    CHECK_INT(c.outcome.ended[FF_BATCH_FELL], 1);
    const int fell = find_colour(&c, 0), stands = find_colour(&c, 1);
    CHECK(stands > 0 && fell > stands); // "upright 2" comes first
    CHECK_INT(find_colour(&c, 2), stands);
    crowd_destroy(&c);
}

TEST(robots_without_a_difference_or_a_number_have_a_colour)
{
    float rgb[3], other[3];
    crowd c = crowd_create(2, "7", "reward");
    crowd_draw(&c);
    CHECK_INT(paint_robot(&c.paint, 0, rgb, NULL), FF_OK);
    CHECK_INT(paint_robot(&c.paint, 1, other, NULL), FF_OK);
    CHECK(memcmp(rgb, other, sizeof rgb) == 0);
    crowd_destroy(&c);
    c = crowd_create(2, "sqrt(-1)", "reward");
    crowd_draw(&c);
    CHECK_INT(paint_robot(&c.paint, 0, other, NULL), FF_OK);
    for (int k = 0; k < 3; k++) CHECK(other[k] >= 0.0f && other[k] <= 1.0f);
    CHECK(memcmp(rgb, other, sizeof rgb) != 0);
    crowd_destroy(&c);
}

TEST(a_number_that_robots_do_not_have_is_refused_with_those_they_have)
{
    crowd c = crowd_create(1, NULL, "outcome");
    ff_error err = {0};
    int column;
    CHECK_INT(find_paint_column(c.batch, "reward", &column, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "there are outcome, ahead, aside, distance");
    CHECK_SAYS(err.text, "--reward gives it a formula");
    CHECK_INT(find_paint_column(c.batch, "no such thing", &column, &err), FF_BAD_ARGUMENT);
    CHECK(!strstr(err.text, "--reward"));
    c.paint.outcome = &c.outcome;
    CHECK(paint_robot(&c.paint, 1, (float[3]){0}, NULL) == FF_BAD_ARGUMENT);
    crowd_destroy(&c);
}
