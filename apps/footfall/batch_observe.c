// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_status fail_writing(const batch_watch *watch, int reason, ff_error *err)
{
    return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write what is observed: %s", watch->path, strerror(reason));
}

/// Formulas may contain commas, "atan2(root.vy, root.vx)", and quotation marks, which are doubled.
static void write_head(const batch_watch *watch)
{
    fputs(BATCH_WATCH_HEAD, watch->file);
    for (int i = 0; i < watch->formulas->count; i++) {
        fputs(",\"", watch->file);
        for (const char *s = watch->formulas->items[i]; *s; s++) {
            if (*s == '"') fputc('"', watch->file);
            fputc(*s, watch->file);
        }
        fputc('"', watch->file);
    }
    fputc('\n', watch->file);
}

/// NaN is written without its sign, which depends on the processor.
static void write_number(FILE *file, double value)
{
    if (isnan(value))
        fputs(",nan", file);
    else
        fprintf(file, ",%.17g", value);
}

ff_status batch_watch_begin(batch_watch *watch, int robots, ff_error *err)
{
    watch->written = -1;
    watch->values = calloc((size_t)robots * (size_t)watch->formulas->count + 1, sizeof *watch->values);
    watch->ages = calloc((size_t)robots, sizeof *watch->ages);
    if (!watch->values || !watch->ages) return ff_error_set(err, FF_NO_MEMORY, "no memory for what is observed");
    if (!watch->path) return FF_OK;
    watch->file = fopen(watch->path, "w");
    if (!watch->file) return fail_writing(watch, errno, err);
    write_head(watch);
    return FF_OK;
}

/// Writes a line for each robot that has moved since the last instant; the others have ended, with a last line.
static void write_lines(const batch_watch *watch, double step, int robots)
{
    const int count = watch->formulas->count;
    for (int i = 0; i < robots; i++) {
        const double *values = watch->values + (size_t)i * (size_t)count;
        if ((long long)watch->ages[i] <= watch->written) continue;
        fprintf(watch->file, "%.9g,%d", watch->ages[i] * step, i);
        for (int k = 0; k < count; k++) write_number(watch->file, values[k]);
        fputc('\n', watch->file);
    }
}

ff_status batch_watch_write(batch_watch *watch, ff_batch *batch, long long done, ff_error *err)
{
    ff_status status = FF_OK;
    if (watch->file) { // only these numbers are copied from a device
        status = ff_batch_observe_all(batch, err);
        if (!status) status = ff_batch_read(batch, FF_BATCH_ARRAY_OBSERVATION, watch->values, err);
        if (!status) status = ff_batch_read(batch, FF_BATCH_ARRAY_AGE, watch->ages, err);
        if (!status)
            write_lines(watch, ff_batch_model_sizes(ff_batch_get_model(batch)).step,
                        ff_batch_get_options(batch)->robots);
    }
    watch->written = done;
    return status ? status : watch->file && ferror(watch->file) ? fail_writing(watch, errno, err) : FF_OK;
}

ff_status batch_watch_end(batch_watch *watch, ff_error *err)
{
    bool bad = watch->file && ferror(watch->file);
    if (watch->file && fclose(watch->file) != 0) bad = true;
    watch->file = NULL;
    free(watch->values);
    free(watch->ages);
    watch->values = watch->ages = NULL;
    return bad ? fail_writing(watch, errno, err) : FF_OK;
}

ff_status batch_watch_quantiles(const batch_watch *watch, const ff_batch *batch, ff_batch_quantiles *out, ff_error *err)
{
    const size_t robots = (size_t)ff_batch_get_options(batch)->robots, count = (size_t)watch->formulas->count;
    double *all = malloc(sizeof *all * (robots * count + 1));
    ff_status status = all ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for what is observed");
    for (size_t i = 0; i < robots && !status; i++) {
        status = ff_batch_observe(batch, (int)i, watch->values, err);
        for (size_t k = 0; k < count && !status; k++) all[k * robots + i] = watch->values[k];
    }
    for (size_t k = 0; k < count && !status; k++) out[k] = ff_batch_quantiles_of(all + k * robots, (int)robots);
    free(all);
    return status;
}
