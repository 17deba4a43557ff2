// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of the robots of a batch: columns of numbers, one of each robot, and their quantiles.
#include "batch/kernel.h"
#include "batch/life.h"

#include <footfall/batch_outcome.h>

#include <math.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ columns

/// Of robots with a free root.
static const ff_batch_column ROOT[] = {
    {"ahead", "m", "along x from where it began"},
    {"aside", "m", "along y from where it began"},
    {"distance", "m", "from where it began, level"},
    {"root.z", "m", "of the root; `height` of formulas is above the ground"},
    {"tilt", "rad", "of the root's z axis from the vertical"},
    {"speed", "m/s", "of the root now"},
    {"mean_speed", "m/s", "distance over the time lived"},
};
enum { ROOT_COLUMNS = sizeof ROOT / sizeof *ROOT };
_Static_assert(FF_BATCH_COLUMNS_MOST == ROOT_COLUMNS + 2 + FF_BATCH_SPREADS_MOST,
               "columns of the root, lived, reward, what is drawn");

/// Is a row of the table one number that each robot has? Starts are seen in its state.
static bool is_column(const ff_batch_spread *row)
{
    const bool com = row->quantity >= FF_BATCH_COM_X && row->quantity <= FF_BATCH_COM_Z;
    return row->quantity < FF_BATCH_PARAMETERS || (row->quantity >= FF_BATCH_DELAY && (!com || row->which));
}

int ff_batch_columns(const ff_batch *b, ff_batch_column out[FF_BATCH_COLUMNS_MOST])
{
    int n = 0;
    if (!b) return 0;
    for (int i = 0; i < ROOT_COLUMNS && ff_batch_get_model(b)->root >= 0; i++) out[n++] = ROOT[i];
    out[n++] = (ff_batch_column){"lived", "s", "since it began"};
    if (ff_batch_get_options(b)->reward) out[n++] = (ff_batch_column){"reward", "1", "sum of the formula"};
    const ff_batch_options *o = ff_batch_get_options(b);
    for (int i = 0; i < o->nspread; i++)
        if (is_column(&o->spreads[i]))
            out[n++] = (ff_batch_column){ff_batch_spread_name(b, i), ff_spread_unit(o->spreads[i].quantity),
                                         o->spreads[i].quantity < FF_BATCH_PARAMETERS ? "factor that it drew"
                                                                                      : "what it drew"};
    return n;
}

/// @param root   of the free root: position and quaternion
/// @param start  where it began: x and y
/// @param speed  its velocity, world axes
static void evaluate_root(const double root[7], const double start[2], const double speed[3], double lived,
                          double out[ROOT_COLUMNS])
{
    double R[9];
    ff_quat_to_mat3(R, root + 3);
    out[0] = root[0] - start[0];
    out[1] = root[1] - start[1];
    out[2] = ff_hypot(out[0], out[1]);
    out[3] = root[2];
    out[4] = ff_atan2(ff_hypot(R[2], R[5]), R[8]);
    out[5] = ff_vec3_norm(speed);
    out[6] = lived > 0.0 ? out[2] / lived : 0.0;
}

ff_status ff_batch_values(const ff_batch *b, int robot, double *out, ff_error *err)
{
    const ff_batch_model *m = b ? ff_batch_get_model(b) : NULL;
    double root[7], speed[3], start[2];
    const ff_status status = ff_batch_get_root(b, robot, root, speed, start, err);
    if (status) return status;
    const double lived = (double)ff_batch_age(b, robot) * m->step;
    if (m->root >= 0) {
        evaluate_root(root, start, speed, lived, out);
        out += ROOT_COLUMNS;
    }
    *out++ = lived;
    if (ff_batch_get_options(b)->reward) *out++ = ff_batch_reward(b, robot);
    const ff_batch_options *o = ff_batch_get_options(b);
    for (int i = 0; i < o->nspread; i++) {
        if (!is_column(&o->spreads[i])) continue;
        const bool factor = o->spreads[i].quantity < FF_BATCH_PARAMETERS && !o->spreads[i].which; // may be set by hand
        if (factor)
            ff_batch_get_parameter(b, robot, o->spreads[i].quantity, out++, NULL);
        else
            ff_batch_get_draw(b, robot, i, out++, NULL);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ over all robots

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Leaves out what is no number, which has no place in an order. @return how many values are left
static int keep_numbers(double *values, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(values[i])) values[kept++] = values[i];
    return kept;
}

ff_batch_quantiles ff_batch_quantiles_of(double *values, int count)
{
    const int n = values ? keep_numbers(values, count) : 0;
    if (n == 0) return (ff_batch_quantiles){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    static const double shares[] = {0.0, 0.05, 0.5, 0.95, 1.0};
    double picked[5], mean = 0.0, squares = 0.0;
    qsort(values, (size_t)n, sizeof *values, ascending);
    for (int i = 0; i < 5; i++) picked[i] = values[(int)(shares[i] * (n - 1) + 0.5)];
    for (int i = 0; i < n; i++) mean += values[i] / n;
    for (int i = 0; i < n; i++) squares += (values[i] - mean) * (values[i] - mean);
    return (ff_batch_quantiles){
        picked[0], picked[1], picked[2], picked[3], picked[4], mean, n > 1 ? sqrt(squares / (n - 1)) : 0.0};
}

/// Ends of the robots, and the times of falls into `times`.
static void count_ends(const ff_batch *b, ff_batch_outcome *out, double *times)
{
    const double step = ff_batch_get_model(b)->step;
    for (int i = 0; i < out->robots; i++) {
        const ff_batch_end end = ff_batch_end_of(b, i);
        const double lived = (double)ff_batch_age(b, i) * step;
        if (end == FF_BATCH_FELL) times[out->ended[FF_BATCH_FELL]] = lived;
        out->ended[end]++;
        out->lived += lived;
    }
    out->falls = ff_batch_quantiles_of(times, out->ended[FF_BATCH_FELL]);
    out->fall_rate = out->lived > 0.0 ? out->ended[FF_BATCH_FELL] / out->lived : 0.0;
}

ff_status ff_batch_get_outcome(const ff_batch *b, ff_batch_outcome *out, ff_error *err)
{
    if (!b || !out) return ff_error_set(err, FF_BAD_ARGUMENT, "an outcome needs a batch, and a place");
    *out = (ff_batch_outcome){.robots = ff_batch_get_options(b)->robots};
    out->ncolumn = ff_batch_columns(b, out->columns);
    const size_t robots = (size_t)out->robots;
    double row[FF_BATCH_COLUMNS_MOST], *values = malloc(sizeof(double) * robots * (size_t)out->ncolumn);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "no memory for the outcome of %d robots", out->robots);
    count_ends(b, out, values);
    ff_status status = FF_OK;
    for (size_t i = 0; i < robots && !status; i++) {
        status = ff_batch_values(b, (int)i, row, err);
        for (size_t k = 0; k < (size_t)out->ncolumn && !status; k++) values[k * robots + i] = row[k];
    }
    for (int k = 0; k < out->ncolumn && !status; k++)
        out->quantiles[k] = ff_batch_quantiles_of(values + (size_t)k * robots, out->robots);
    free(values);
    return status;
}
