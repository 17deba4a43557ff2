// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch_paint.h"

#include "picture_text.h"
#include <footfall/math.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 6, BAR = 60, MARGIN = 4 }; // between items, length of the bar of colours, around the legend  [dots]

/// As the studio has them in light colours; by ff_batch_end.
static const struct {
    const char *name, *colour;
    float rgb[3];
} ENDS[FF_BATCH_ENDS] = {
    [FF_BATCH_LIVES] = {"upright", "blue", {0.043f, 0.42f, 0.796f}},
    [FF_BATCH_FELL] = {"fell", "orange", {0.76f, 0.255f, 0.047f}},
    [FF_BATCH_DIVERGED] = {"diverged", "violet", {0.576f, 0.2f, 0.918f}},
    [FF_BATCH_FINISHED] = {"ended", "green", {0.082f, 0.502f, 0.239f}},
};
_Static_assert(FF_BATCH_ENDS == FF_BATCH_FINISHED + 1, "each end has a colour");
static const ff_batch_end ORDER[] = {FF_BATCH_LIVES, FF_BATCH_FELL, FF_BATCH_DIVERGED, FF_BATCH_FINISHED};

enum { RAMP_COUNT = 4 };
static const float RAMP[RAMP_COUNT][3] = {
    {0.38f, 0.33f, 0.8f}, {0.13f, 0.54f, 0.72f}, {0.24f, 0.68f, 0.47f}, {0.97f, 0.85f, 0.3f}};
static const float NONE[3] = {0.4f, 0.43f, 0.48f}; // of a number that is not there

ff_status find_paint_column(const ff_batch *batch, const char *name, int *column, ff_error *err)
{
    ff_batch_column columns[FF_BATCH_COLUMNS_MOST];
    const int count = ff_batch_columns(batch, columns);
    char list[256] = "outcome";
    *column = -1;
    if (!name || strcmp(name, list) == 0) return FF_OK;
    for (int i = 0; i < count; i++) {
        if (strcmp(name, columns[i].name) == 0) return *column = i, FF_OK;
        strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, columns[i].name, sizeof list - strlen(list) - 1);
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "robots have no number '%.60s' to colour them by: there are %s%s", name,
                        list, strcmp(name, "reward") == 0 ? "; --reward gives it a formula" : "");
}

// ------------------------------------------------------------------------------------------ colours

/// Colour at a share of the ramp, 0 to 1; beyond it the ends go on.
static void ramp_at(double share, float rgb[3])
{
    const double at = ff_max(0.0, ff_min(1.0, share)) * (RAMP_COUNT - 1);
    const int i = at < RAMP_COUNT - 1 ? (int)at : RAMP_COUNT - 2;
    const float f = (float)(at - i);
    for (int k = 0; k < 3; k++) rgb[k] = RAMP[i][k] + f * (RAMP[i + 1][k] - RAMP[i][k]);
}

/// Values at the ends of the ramp: 5 and 95 % of all robots, so that one that flew away does not take all colours.
static const ff_batch_quantiles *range_of(const batch_paint *paint)
{
    return &paint->outcome->quantiles[paint->column];
}

static bool is_range(const ff_batch_quantiles *q)
{
    return q->high > q->low;
}

ff_status paint_robot(const batch_paint *paint, int robot, float rgb[3], ff_error *err)
{
    double values[FF_BATCH_COLUMNS_MOST];
    const ff_status status = ff_batch_values(paint->batch, robot, values, err);
    if (status) return status;
    if (paint->column < 0) {
        memcpy(rgb, ENDS[ff_batch_end_of(paint->batch, robot)].rgb, 3 * sizeof *rgb);
        return FF_OK;
    }
    const ff_batch_quantiles *q = range_of(paint);
    const double value = values[paint->column], share = is_range(q) ? (value - q->low) / (q->high - q->low) : 0.5;
    if (isnan(value))
        memcpy(rgb, NONE, sizeof NONE);
    else
        ramp_at(share, rgb);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the legend

enum { TEXTS_MOST = FF_BATCH_ENDS };

/// What the legend says: of each end that counts a text behind a block, or a name and the two ends of the bar.
typedef struct legend {
    char texts[TEXTS_MOST][48];
    const float *blocks[TEXTS_MOST]; // before each text; NULL: none
    int count;
    int bar; // text before which the bar stands, -1: none
} legend;

static void legend_of_ends(const batch_paint *paint, legend *l)
{
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        const int count = paint->outcome->ended[ORDER[i]];
        if (ORDER[i] == FF_BATCH_FINISHED && !ff_batch_get_options(paint->batch)->end) continue;
        snprintf(l->texts[l->count], sizeof l->texts[0], "%s %d", ENDS[ORDER[i]].name, count);
        l->blocks[l->count++] = ENDS[ORDER[i]].rgb;
    }
}

static legend legend_of(const batch_paint *paint)
{
    legend l = {.bar = -1};
    if (paint->column < 0) {
        legend_of_ends(paint, &l);
        return l;
    }
    const ff_batch_column *c = &paint->outcome->columns[paint->column];
    const ff_batch_quantiles *q = range_of(paint);
    const char *unit = strcmp(c->unit, "1") == 0 ? "" : c->unit;
    if (is_range(q)) {
        snprintf(l.texts[0], sizeof l.texts[0], "%s %.3g", c->name, q->low);
        snprintf(l.texts[1], sizeof l.texts[0], "%.3g %s", q->high, unit);
        l.count = 2;
        l.bar = 1;
    } else {
        snprintf(l.texts[0], sizeof l.texts[0], "%s of all robots %.3g %s", c->name, q->median, unit);
        l.count = 1;
    }
    return l;
}

/// Lays the legend out. @param picture  NULL: nothing is drawn    @return its width  [dots]
static int lay_out(const batch_paint *paint, ff_picture *picture, int y, int dot)
{
    const legend l = legend_of(paint);
    int x = MARGIN;
    for (int i = 0; i < l.count; i++) {
        for (int k = 0; picture && i == l.bar && k < BAR * dot; k++) {
            float rgb[3];
            ramp_at((k + 0.5) / (BAR * dot), rgb);
            draw_block(picture, x * dot + k, y + MARGIN * dot, 1, (TEXT_HEIGHT - 1) * dot, rgb);
        }
        if (i == l.bar) x += BAR + GAP;
        if (picture && l.blocks[i])
            draw_block(picture, x * dot, y + MARGIN * dot, (TEXT_HEIGHT - 1) * dot, (TEXT_HEIGHT - 1) * dot,
                       l.blocks[i]);
        if (l.blocks[i]) x += TEXT_HEIGHT + 2;
        if (picture) draw_text(picture, x * dot, y + MARGIN * dot, dot, l.texts[i]);
        x += (int)strlen(l.texts[i]) * TEXT_WIDTH + GAP;
    }
    return x - GAP + MARGIN;
}

int legend_width(const batch_paint *paint)
{
    return lay_out(paint, NULL, 0, 1);
}

int legend_height(void)
{
    return TEXT_HEIGHT + 2 * MARGIN;
}

void draw_legend(const batch_paint *paint, ff_picture *picture, int y, int dot)
{
    lay_out(paint, picture, y, dot);
}

void describe_paint(const batch_paint *paint)
{
    if (paint->column < 0) {
        for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++)
            fprintf(stderr, "%s %s: %s", i == 0 ? ";" : ",", ENDS[ORDER[i]].colour, ENDS[ORDER[i]].name);
        fprintf(stderr, " by --end\n");
        return;
    }
    const ff_batch_column *c = &paint->outcome->columns[paint->column];
    const ff_batch_quantiles *q = range_of(paint);
    fprintf(stderr, "; coloured by %s [%s], violet: %.4g, yellow: %.4g, where 5 and 95 %% of the robots are\n", c->name,
            c->unit, q->low, q->high);
}
