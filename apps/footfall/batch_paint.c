// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours, the legend, and letters of 5 x 8 dots (batch.h).
#include "batch.h"

#include <footfall/math.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 6, BAR = 60, MARGIN = 4 }; // between items, length of the bar of colours, around the legend  [dots]

/// The light colours of the studio, by ff_batch_end.
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
static const float NONE[3] = {0.4f, 0.43f, 0.48f}; // of a missing number

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

/// Colour at a share of the ramp, 0 to 1; clamped beyond it.
static void ramp_at(double share, float rgb[3])
{
    const double at = ff_max(0.0, ff_min(1.0, share)) * (RAMP_COUNT - 1);
    const int i = at < RAMP_COUNT - 1 ? (int)at : RAMP_COUNT - 2;
    const float f = (float)(at - i);
    for (int k = 0; k < 3; k++) rgb[k] = RAMP[i][k] + f * (RAMP[i + 1][k] - RAMP[i][k]);
}

/// Values at the ends of the ramp: 5 and 95 % of all robots, so that a single robot far away does not use up the
/// colours.
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

/// Contents of the legend: a block and a text for each kind of end, or a bar with a name and its two ends.
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

// ------------------------------------------------------------------------------------------ letters

enum { ROWS = TEXT_HEIGHT, COLUMNS = 5 };
static const float INK[3] = {0.13f, 0.15f, 0.19f};

/// A letter: its rows from above, the leftmost dot is the highest of five bits.
typedef struct letter {
    char sign;
    unsigned char rows[ROWS];
} letter;

static const letter LETTERS[] = {
    {'a', {0, 0, 14, 1, 15, 17, 15, 0}},    {'b', {16, 16, 30, 17, 17, 17, 30, 0}},
    {'c', {0, 0, 14, 17, 16, 17, 14, 0}},   {'d', {1, 1, 15, 17, 17, 17, 15, 0}},
    {'e', {0, 0, 14, 17, 31, 16, 14, 0}},   {'f', {6, 9, 8, 28, 8, 8, 8, 0}},
    {'g', {0, 0, 15, 17, 17, 15, 1, 14}},   {'h', {16, 16, 30, 17, 17, 17, 17, 0}},
    {'i', {4, 0, 12, 4, 4, 4, 14, 0}},      {'j', {2, 0, 6, 2, 2, 2, 18, 12}},
    {'k', {16, 16, 18, 20, 24, 20, 18, 0}}, {'l', {12, 4, 4, 4, 4, 4, 14, 0}},
    {'m', {0, 0, 26, 21, 21, 21, 21, 0}},   {'n', {0, 0, 30, 17, 17, 17, 17, 0}},
    {'o', {0, 0, 14, 17, 17, 17, 14, 0}},   {'p', {0, 0, 30, 17, 17, 30, 16, 16}},
    {'q', {0, 0, 15, 17, 17, 15, 1, 1}},    {'r', {0, 0, 22, 25, 16, 16, 16, 0}},
    {'s', {0, 0, 15, 16, 14, 1, 30, 0}},    {'t', {8, 8, 28, 8, 8, 9, 6, 0}},
    {'u', {0, 0, 17, 17, 17, 17, 15, 0}},   {'v', {0, 0, 17, 17, 17, 10, 4, 0}},
    {'w', {0, 0, 17, 17, 21, 21, 10, 0}},   {'x', {0, 0, 17, 10, 4, 10, 17, 0}},
    {'y', {0, 0, 17, 17, 17, 15, 1, 14}},   {'z', {0, 0, 31, 2, 4, 8, 31, 0}},
    {'0', {14, 17, 19, 21, 25, 17, 14, 0}}, {'1', {4, 12, 4, 4, 4, 4, 14, 0}},
    {'2', {14, 17, 1, 6, 8, 16, 31, 0}},    {'3', {14, 17, 1, 6, 1, 17, 14, 0}},
    {'4', {2, 6, 10, 18, 31, 2, 2, 0}},     {'5', {31, 16, 30, 1, 1, 17, 14, 0}},
    {'6', {6, 8, 16, 30, 17, 17, 14, 0}},   {'7', {31, 1, 2, 4, 8, 8, 8, 0}},
    {'8', {14, 17, 17, 14, 17, 17, 14, 0}}, {'9', {14, 17, 17, 15, 1, 2, 12, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12, 0}},      {'-', {0, 0, 0, 14, 0, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0, 0}},       {'[', {14, 8, 8, 8, 8, 8, 14, 0}},
    {']', {14, 2, 2, 2, 2, 2, 14, 0}},      {'/', {1, 1, 2, 4, 8, 16, 16, 0}},
    {'_', {0, 0, 0, 0, 0, 0, 0, 31}},       {'%', {24, 25, 2, 4, 8, 19, 3, 0}},
};

void draw_block(ff_picture *picture, int x, int y, int width, int height, const float rgb[3])
{
    for (int j = y < 0 ? 0 : y; j < y + height && j < picture->height; j++)
        for (int i = x < 0 ? 0 : x; i < x + width && i < picture->width; i++)
            for (int k = 0; k < 3; k++)
                picture->rgb[3 * ((size_t)j * (size_t)picture->width + (size_t)i) + (size_t)k] =
                    (unsigned char)lrintf(255.0f * rgb[k]);
}

static void draw_letter(ff_picture *picture, int x, int y, int dot, const letter *l)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (l->rows[row] >> (COLUMNS - 1 - column) & 1)
                draw_block(picture, x + column * dot, y + row * dot, dot, dot, INK);
}

void draw_text(ff_picture *picture, int x, int y, int dot, const char *text)
{
    for (; *text; text++, x += TEXT_WIDTH * dot)
        for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++)
            if (LETTERS[i].sign == *text) draw_letter(picture, x, y, dot, &LETTERS[i]);
}
