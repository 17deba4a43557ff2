// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bands around the recorded curves: error bars at each sample, or the range of all perturbed runs. As JSON they have at
// most BINS times; from each time to the next an edge is the outermost of all samples, so that no peak leaves its band.
#include "certify.h"

#include "record/record.h"

#include <footfall/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 500 };
static const double NUMBERS = 2e5; // bound on the numbers in the JSON of all bands

bool ff_bands_begin(ff_bands *bands, const ff_trace *of)
{
    const size_t size = (size_t)of->nrow * (size_t)of->columns * sizeof(double);
    *bands = (ff_bands){of, malloc(size + 1), malloc(size + 1)};
    if (!bands->low || !bands->high) return false;
    if (size > 0) memcpy(bands->low, of->rows, size);
    if (size > 0) memcpy(bands->high, of->rows, size);
    return true;
}

/// Value of a column of another run in a row; NaN if it has no such column (-1) or row.
static double value_at(const ff_trace *other, int column, int row)
{
    return column >= 0 && row < other->nrow ? other->rows[(size_t)row * (size_t)other->columns + (size_t)column] : NAN;
}

/// First column of the channel in another run; -1: it has none.
static int find_channel(const ff_trace *other, const ff_channel *channel)
{
    int width = 0;
    const int at = other && other->recorder ? ff_recorder_find(other->recorder, channel->name, &width) : -1;
    return width == channel->width ? at : -1;
}

void ff_bands_add_bars(ff_bands *bands, const ff_trace *tighter, const ff_trace *independent)
{
    const ff_trace *of = bands->of;
    for (int i = 0; of->recorder && i < of->recorder->nchannel; i++) {
        const ff_channel *channel = &of->recorder->channels[i];
        const int b = find_channel(tighter, channel), c = find_channel(independent, channel);
        for (int row = 0; row < of->nrow; row++)
            for (int k = 0; k < channel->width; k++) {
                const size_t at = (size_t)row * (size_t)of->columns + (size_t)(channel->column + k);
                const double bar = ff_bar(of->rows[at], value_at(tighter, b < 0 ? b : b + k, row),
                                          value_at(independent, c < 0 ? c : c + k, row));
                bands->low[at] -= bar;
                bands->high[at] += bar;
            }
    }
}

void ff_bands_reach(ff_bands *bands, const ff_trace *other)
{
    const ff_trace *of = bands->of;
    for (int i = 0; of->recorder && i < of->recorder->nchannel; i++) {
        const ff_channel *channel = &of->recorder->channels[i];
        const int c = find_channel(other, channel);
        for (int row = 0; c >= 0 && row < of->nrow; row++)
            for (int k = 0; k < channel->width; k++) {
                const size_t at = (size_t)row * (size_t)of->columns + (size_t)(channel->column + k);
                const double value = value_at(other, c + k, row);
                if (value < bands->low[at]) bands->low[at] = value;
                if (value > bands->high[at]) bands->high[at] = value;
            }
    }
}

/// Writes seven digits, more than a plot resolves.
static void write_number(ff_json *json, double value)
{
    char text[32];
    if (isfinite(value))
        snprintf(text, sizeof text, "%.7g", value);
    else
        snprintf(text, sizeof text, "null");
    ff_json_raw(json, NULL, text);
}

/// The outermost values of a column, from each bin to the first sample of the next.
static void write_edge(ff_json *json, const ff_trace *of, const double *edge, int column, int stride, double sign)
{
    ff_json_begin_array(json, NULL, true);
    for (int from = 0; from < of->nrow; from += stride) {
        const int to = stride == 1 || from + stride >= of->nrow ? from + stride - 1 : from + stride;
        double most = NAN;
        for (int row = from; row <= to && row < of->nrow; row++) {
            const double value = edge[(size_t)row * (size_t)of->columns + (size_t)column];
            if (isnan(most) || sign * value > sign * most) most = value;
        }
        write_number(json, most);
    }
    ff_json_end_array(json);
}

static void write_edges(ff_json *json, const ff_trace *of, const char *key, const double *edge,
                        const ff_channel *channel, int stride, double sign)
{
    ff_json_begin_array(json, key, true);
    for (int k = 0; k < channel->width; k++) write_edge(json, of, edge, channel->column + k, stride, sign);
    ff_json_end_array(json);
}

char *ff_bands_to_json(const ff_bands *bands)
{
    const ff_trace *of = bands->of;
    const double bins = ff_max(2.0, ff_min(BINS, NUMBERS / (2.0 * (of->columns + 1))));
    const int stride = (int)ff_max(1.0, ceil((double)of->nrow / bins));
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_begin_array(&json, "time", true);
    for (int row = 0; row < of->nrow; row += stride) write_number(&json, of->t[row]);
    ff_json_end_array(&json);
    ff_json_begin_array(&json, "channels", false);
    for (int i = 0; of->recorder && i < of->recorder->nchannel; i++) {
        const ff_channel *channel = &of->recorder->channels[i];
        if (strcmp(channel->name, "time") == 0) continue;
        ff_json_begin_object(&json, NULL, true);
        ff_json_text(&json, "name", channel->name);
        write_edges(&json, of, "low", bands->low, channel, stride, -1.0);
        write_edges(&json, of, "high", bands->high, channel, stride, 1.0);
        ff_json_end_object(&json);
    }
    ff_json_end_array(&json);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}

void ff_bands_clear(ff_bands *bands)
{
    free(bands->low);
    free(bands->high);
    *bands = (ff_bands){0};
}
