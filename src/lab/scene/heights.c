// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Heights of a height field: from a picture, or from a function with a name. With s the way along `direction`, from the
// middle of the field, and h the height:
//     slope   z = h (s / S + 1/2)              S: way across the field
//     waves   z = h (1 - cos(2 pi s / length)) / 2
//     steps   z rises by equal steps, each `length` long, from 0 to h
//     noise   sum of `octaves` layers of smooth random hills, the coarsest of the size `length`, each next half as
//         large and
//             half as high; scaled to lie between 0 and h. The same seed gives the same hills.
#include "scene/reader.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>

#define MOST_POINTS 1e6

enum { SLOPE, WAVES, STEPS, NOISE, FUNCTIONS };
static const char *const functions[FUNCTIONS] = {"slope", "waves", "steps", "noise"};

typedef struct heights {
    int function;
    double size[2];
    double height;   // h  [m]
    double length;   // [m]
    double along[2]; // unit vector of `direction`
    double way;      // S  [m]
    int octaves;
    uint64_t seed;
    double low, high; // of the noise before it is scaled
} heights;

// ------------------------------------------------------------------------------------------ functions

/// Random number in [0, 1) of a lattice point; any point can be asked for in any order.
static double lattice(uint64_t seed, int octave, double i, double j)
{
    uint64_t x = (uint64_t)(int64_t)i, y = (uint64_t)(int64_t)j;
    ff_random random = ff_random_make(seed, 0x6865696768747300u + (uint64_t)octave);
    random.counter = (x << 32) ^ (y & 0xffffffffu);
    return ff_random_uniform(&random);
}

static double smooth(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

/// Values at the corners of the lattice, blended smoothly.
static double hills(const heights *f, int octave, double x, double y)
{
    double i = floor(x), j = floor(y), u = smooth(x - i), v = smooth(y - j);
    double below = (1 - u) * lattice(f->seed, octave, i, j) + u * lattice(f->seed, octave, i + 1, j);
    double above = (1 - u) * lattice(f->seed, octave, i, j + 1) + u * lattice(f->seed, octave, i + 1, j + 1);
    return (1 - v) * below + v * above;
}

static double noise(const heights *f, double x, double y)
{
    double sum = 0.0, scale = 1.0 / f->length, weight = 1.0;
    for (int k = 0; k < f->octaves; k++, scale *= 2.0, weight *= 0.5) sum += weight * hills(f, k, x * scale, y * scale);
    return sum;
}

static double staircase(const heights *f, double s)
{
    double count = floor(f->way / f->length), step = floor((s + 0.5 * f->way) / f->length);
    return f->height * ff_min(ff_max(step, 0.0), count - 1.0) / (count - 1.0);
}

static double height_at(void *context, double x, double y)
{
    const heights *f = context;
    double s = x * f->along[0] + y * f->along[1];
    switch (f->function) {
    case SLOPE:
        return f->height * (s / f->way + 0.5);
    case WAVES:
        return 0.5 * f->height * (1.0 - ff_cos(2.0 * FF_PI * s / f->length));
    case STEPS:
        return staircase(f, s);
    default:
        return f->height * (noise(f, x, y) - f->low) / (f->high - f->low);
    }
}

/// Extremes of the noise over the grid, so that it can be scaled.
static void measure_noise(heights *f, const int cells[2])
{
    f->low = INFINITY;
    f->high = -INFINITY;
    for (int j = 0; j <= cells[1]; j++)
        for (int i = 0; i <= cells[0]; i++) {
            double z = noise(f, f->size[0] * ((double)i / cells[0] - 0.5), f->size[1] * ((double)j / cells[1] - 0.5));
            f->low = ff_min(f->low, z);
            f->high = ff_max(f->high, z);
        }
    if (!(f->high > f->low)) f->high = f->low + 1.0; // hills far wider than the field
}

// ------------------------------------------------------------------------------------------ reading

static bool read_cells(const ff_scene_reader *r, ff_yaml *node, int cells[2])
{
    double given[2] = {100, 100};
    if (ff_yaml_numbers(node, "cells", given, 2, 2, r->report) < 0) return false;
    for (int k = 0; k < 2; k++) cells[k] = (int)given[k];
    if ((given[0] + 1) * (given[1] + 1) <= MOST_POINTS) return true;
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "cells")->place, "%g x %g cells: a grid has at most %g points",
                  given[0], given[1], MOST_POINTS);
    return false;
}

static bool read_length(const ff_scene_reader *r, ff_yaml *node, heights *f)
{
    ff_yaml *length = ff_yaml_need(node, "length", r->report);
    if (!length || !ff_yaml_as_number(length, &f->length, r->report)) return false;
    if (f->length > 1e-6 * f->way && (f->function != STEPS || f->length <= 0.5 * f->way)) return true;
    ff_report_add(r->report, FF_ERROR, length->place, "'length' is %g m: it must be in proportion to the field%s",
                  f->length, f->function == STEPS ? " and fit twice into it" : "");
    return false;
}

static bool read_function(const ff_scene_reader *r, ff_yaml *node, heights *f)
{
    if (ff_yaml_is_null(node)) node->type = FF_YAML_MAP; // "slope:" alone
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{length: .., ..}", r->report)) return false;
    int errors = r->report->errors;
    if (f->function != NOISE) {
        double direction = ff_yaml_number(node, "direction", 0.0, r->report);
        ff_sincos(&direction, &f->along[1], &f->along[0], 1);
    }
    f->way = fabs(f->along[0]) * f->size[0] + fabs(f->along[1]) * f->size[1];
    if (f->function == NOISE) {
        f->octaves = ff_yaml_integer(node, "octaves", 4, r->report);
        f->way = ff_max(f->size[0], f->size[1]);
        f->seed = r->scene->options.seed;
        ff_scene_seed(r, node, &f->seed);
    }
    return r->report->errors == errors && (f->function == SLOPE || read_length(r, node, f));
}

static ff_field *read_picture(const ff_scene_reader *r, ff_yaml *picture, const heights *f, int cells[2])
{
    ff_error err = {0};
    const char *name = ff_yaml_as_string(picture, r->report);
    const char *path = name ? ff_text_beside(&r->scene->arena, r->file, name) : NULL;
    ff_field *field = path ? ff_store_picture(r->store, path, f->size, f->height, &err) : NULL;
    cells[0] = cells[1] = 1000; // how many there are does not matter for drawing
    if (path && !field) ff_report_add(r->report, FF_ERROR, picture->place, "\"%.200s\": %s", name, err.text);
    return field;
}

ff_field *ff_scene_read_heights(ff_scene_reader *r, ff_yaml *node, const double size[2], int cells[2])
{
    heights f = {.function = -1, .size = {size[0], size[1]}, .along = {1, 0}};
    ff_yaml *picture = ff_yaml_get(node, "png"), *function = NULL;
    ff_yaml *height = ff_yaml_need(node, "height", r->report);
    int given = picture != NULL;
    for (int k = 0; k < FUNCTIONS; k++) {
        ff_yaml *found = ff_yaml_get(node, functions[k]);
        if (!found) continue;
        function = found;
        f.function = k;
        given++;
    }
    if (given != 1) {
        ff_report_add(r->report, FF_ERROR, node->place,
                      "a height field is given by exactly one of png, slope, waves, steps and noise");
        return NULL;
    }
    if (!height || !ff_yaml_as_number(height, &f.height, r->report)) return NULL;
    if (picture) return read_picture(r, picture, &f, cells);
    if (!read_cells(r, node, cells) || !read_function(r, function, &f)) return NULL;
    if (f.function == NOISE) measure_noise(&f, cells);
    ff_error err = {0};
    ff_field *field = ff_field_create_from(height_at, &f, cells[0] + 1, cells[1] + 1, size, &err);
    if (!field) ff_report_add_error(r->report, &err, node->place);
    return field;
}
