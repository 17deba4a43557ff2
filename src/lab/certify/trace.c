// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The trace of a run: positions and work at each sample, recorded rows, and when shapes begin and cease to touch.
// Repeated runs that take too much work are stopped from here.
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TRACE_BYTES = 32e6; // memory for the trace of one run  [byte]
enum { TOUCHES_MOST = 2000000 };
static const long long LEAST_WORK = 20000; // a run with less work is never stopped  [evaluations]

int ff_trace_choose_stride(const ff_run *run)
{
    const ff_run_options *o = ff_run_get_options(run);
    const ff_recorder *recorder = ff_run_recorder(run);
    if (!recorder) return 1;
    const double rows = o->time * o->record.rate_hz + 1.0;
    const double columns = ff_recorder_columns(recorder) + ff_run_scene(run)->model->nq + 2.0;
    return (int)ff_max(1.0, ff_min(ceil(rows * columns * sizeof(double) / TRACE_BYTES), 1e6));
}

// ------------------------------------------------------------------------------------------ samples

/// Makes room for `count` items of an array. @param items  address of the pointer to it
static bool grow(void *items, size_t count, size_t size)
{
    void **address = items, *larger = realloc(*address, count * size);
    if (larger) *address = larger;
    return larger != NULL;
}

/// Makes room for one more sample. @return false without memory
static bool make_room(ff_trace *trace, int nq)
{
    if (trace->count < trace->capacity) return true;
    const size_t twice = trace->capacity > 0 ? 2 * (size_t)trace->capacity : 1024;
    trace->lacks_memory = trace->lacks_memory || twice > INT32_MAX / 2 ||
                          !grow(&trace->q, twice * ((size_t)nq + 1), sizeof(double)) ||
                          !grow(&trace->t, twice, sizeof(double)) || !grow(&trace->work, twice, sizeof(long long)) ||
                          !grow(&trace->rows, twice * ((size_t)trace->columns + 1), sizeof(double));
    if (!trace->lacks_memory) trace->capacity = (int)twice;
    return !trace->lacks_memory;
}

static bool sample(ff_trace *trace, ff_sim *sim)
{
    const size_t nq = (size_t)ff_sim_model(sim)->nq;
    if (!make_room(trace, (int)nq)) return false;
    if (nq > 0) memcpy(trace->q + (size_t)trace->count * nq, ff_sim_q(sim), nq * sizeof(double));
    trace->t[trace->count] = ff_sim_time(sim);
    trace->work[trace->count++] = ff_sim_get_counts(sim).evaluations;
    return true;
}

static void take_row(void *context, ff_sim *sim, const double *row)
{
    ff_trace *trace = context;
    const size_t columns = (size_t)trace->columns;
    if (trace->tap) trace->tap(trace->tap_context, sim, row);
    if (trace->rows_seen++ % trace->stride != 0 || !sample(trace, sim)) return;
    memcpy(trace->rows + (size_t)trace->nrow++ * columns, row, columns * sizeof(double));
}

void ff_trace_end(ff_trace *trace)
{
    ff_sim *sim = ff_run_sim(trace->run);
    if (trace->count == 0 || trace->t[trace->count - 1] < ff_sim_time(sim)) sample(trace, sim);
}

// ------------------------------------------------------------------------------------------ contacts

static void note_touch(void *context, ff_sim *sim, const ff_world_contact *c, int from, int to, double t)
{
    (void)sim;
    ff_trace *trace = context;
    if ((from == FF_CONTACT_OPEN) == (to == FF_CONTACT_OPEN) || trace->ntouch == TOUCHES_MOST) return;
    if (!ff_array_grow(&trace->touches, trace->ntouch, &trace->touch_capacity, sizeof *trace->touches)) {
        trace->lacks_memory = true;
        return;
    }
    const bool swap = c->shape1 > c->shape2;
    trace->touches[trace->ntouch++] =
        (ff_trace_touch){swap ? c->shape2 : c->shape1, swap ? c->shape1 : c->shape2, to == FF_CONTACT_OPEN ? -1 : 1, t};
}

// ------------------------------------------------------------------------------------------ giving up

/// Work of the run of a trace until the time t, at its next sample; after its end, at the last one.  [evaluations]
static long long work_until(const ff_trace *trace, double t)
{
    int low = 0, high = trace->count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (trace->t[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return trace->count > 0 ? trace->work[low] : 0;
}

/// Stops a run on request, or when it takes `most_work` times the work of the run itself until the same time.
static ff_sim_action watch_step(void *context, ff_sim *sim, double t)
{
    ff_trace *trace = context;
    const ff_certify_options *o = trace->options;
    if (o->stop && o->stop(o->context)) {
        trace->stopped = true;
        ff_sim_stop(sim, "interrupted");
        return FF_SIM_STOP;
    }
    if (!trace->original) return FF_SIM_GO;
    const long long work = ff_sim_get_counts(sim).evaluations;
    if (work < LEAST_WORK || (double)work < o->most_work * (double)work_until(trace->original, t)) return FF_SIM_GO;
    trace->gave_up = true;
    ff_sim_stop(sim, "given up: too much work");
    return FF_SIM_STOP;
}

// ------------------------------------------------------------------------------------------ begin and end

ff_status ff_trace_begin(ff_trace *trace, ff_run *run, int stride, ff_error *err)
{
    const ff_world_listener touches = {trace, note_touch};
    const ff_listener watch = {trace, watch_step};
    ff_recorder *recorder = ff_run_recorder(run);
    ff_status status = FF_OK;
    trace->run = run;
    trace->stride = stride;
    trace->recorder = recorder;
    if (recorder) {
        trace->columns = ff_recorder_columns(recorder);
        ff_recorder_set_tap(recorder, take_row, trace, trace->options != NULL);
    } else if (!sample(trace, ff_run_sim(run))) {
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    }
    if (ff_run_world(run)) status = ff_world_add_listener(ff_run_world(run), &touches, err);
    if (status == FF_OK && trace->options) status = ff_sim_add_listener(ff_run_sim(run), &watch, err);
    return status;
}

void ff_trace_clear(ff_trace *trace)
{
    free(trace->rows);
    free(trace->q);
    free(trace->t);
    free(trace->work);
    free(trace->touches);
    *trace = (ff_trace){0};
}
