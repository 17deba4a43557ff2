// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The chain of errors of a sensor; its stages and their order are those of footfall/signal.h. The filter of stage 2 is
// solved exactly for an input that is straight between two samples: with a = w T, E = exp(-a), P = (1 - E) / a
//     y_f[k] = E y_f[k-1] + (P - E) y[k-1] + (1 - P) y[k]
// so that its pole is right whatever the sampling rate, also beyond it.
#include "base/elementary.h"
#include "sense/interface.h"

#include <footfall/math.h>
#include <footfall/signal.h>

#include <string.h>

#define FF_CORE       static inline
#define FF_REAL       double
#define FF_BITS       uint64_t
#define FF_AS_BITS(x) ff_bits_of(x)
#define FF_AS_REAL(x) ff_double_of(x)
#include "base/sincos_core.h"

#include "base/random_core.h"
#include "sense/round_core.h"

typedef struct channel {
    ff_random random;
    double last;     // value before the filter at the last sample
    double filtered; // y_f
    double walk;     // random part of the bias
} channel;

/// Head of the memory of a chain. Channels follow, then at least delay + 2 slots of delayed values: (due time, stamp,
/// values).
typedef struct header {
    ff_random random; // of the jitter
    double started;   // time of the start   [s]
    double sampled;   // time of the last sample [s]
    int64_t count;    // samples so far
} header;

/// Number of slots: a power of two, so that the slot of a sample follows without a division.
static int slots(const ff_chain *chain)
{
    int n = 2;
    while (n < chain->delay + 2) n *= 2;
    return n;
}

static channel *channels_of(void *memory)
{
    return (channel *)((char *)memory + sizeof(header));
}

static double *slot(const ff_chain *chain, const void *memory, int64_t number)
{
    double *first = (double *)((char *)(uintptr_t)memory + sizeof(header) + (size_t)chain->n * sizeof(channel));
    return first + (number & (slots(chain) - 1)) * (chain->n + 2);
}

// ------------------------------------------------------------------------------------------ description

void ff_signal_init(ff_signal *signal)
{
    *signal = (ff_signal){.low = -INFINITY, .high = INFINITY, .step = 1.0, .turn = 2.0 * FF_PI};
}

ff_chain ff_chain_make(int n)
{
    return (ff_chain){.n = n, .stages = FF_STAGES_ALL, .period = 1e-3};
}

static ff_status check_signal(const ff_signal *s, int i, ff_error *err)
{
    const struct {
        const char *name;
        double value;
    } least_zero[] = {{"bandwidth", s->bandwidth}, {"bias walk", s->bias_walk}, {"noise", s->noise}};
    for (int k = 0; k < 3; k++)
        if (!(least_zero[k].value >= 0.0) || isinf(least_zero[k].value))
            return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: %s is %g: it must be zero or more", i,
                                least_zero[k].name, least_zero[k].value);
    if (!isfinite(s->scale) || !isfinite(s->bias) || !isfinite(s->bias_slope))
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: scale, bias and its slope must be finite", i);
    if (!(s->low < s->high))
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: the range from %g to %g is empty", i, s->low, s->high);
    const bool stepped = s->form == FF_FORM_STEPS || s->form == FF_FORM_COUNT || s->form == FF_FORM_TURN;
    if (stepped && !(s->step > 0.0 && isfinite(s->step)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: a step of %g: it must be positive", i, s->step);
    if (s->form == FF_FORM_TURN && !(s->turn >= s->step && isfinite(s->turn)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: a turn of %g is below its step of %g", i, s->turn,
                            s->step);
    if (s->form == FF_FORM_FIXED && (s->whole < 0 || s->fraction < 0 || s->whole + s->fraction > 52))
        return ff_error_set(err, FF_BAD_ARGUMENT, "channel %d: Q%d.%d: both parts are zero or more, at most 52 bits", i,
                            s->whole, s->fraction);
    return FF_OK;
}

ff_status ff_chain_check(const ff_chain *chain, ff_error *err)
{
    if (chain->n < 1 || !chain->signals) return ff_error_set(err, FF_BAD_ARGUMENT, "a chain needs a channel");
    if (!(chain->period > 0.0 && isfinite(chain->period)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a period of %g s: it must be positive", chain->period);
    if (!(chain->phase >= 0.0 && chain->phase < chain->period))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a phase of %g s lies outside [0, %g) s, the period", chain->phase,
                            chain->period);
    if (chain->delay < 0 || chain->delay > FF_CHAIN_DELAY_MAX)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a delay of %d samples: it must lie in 0 to %d", chain->delay,
                            FF_CHAIN_DELAY_MAX);
    if (!(chain->jitter >= 0.0 && chain->jitter <= 0.5 * chain->period))
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "a jitter of %g s: it must lie in 0 to half the period, %g s, or samples overtake each other",
            chain->jitter, 0.5 * chain->period);
    for (int i = 0; i < chain->n; i++)
        if (check_signal(&chain->signals[i], i, err) != FF_OK) return FF_BAD_ARGUMENT;
    return FF_OK;
}

size_t ff_chain_memory_size(const ff_chain *chain)
{
    return sizeof(header) + (size_t)chain->n * sizeof(channel) +
           (size_t)slots(chain) * (size_t)(chain->n + 2) * sizeof(double);
}

// ------------------------------------------------------------------------------------------ stages

double ff_signal_round(const ff_signal *s, double value)
{
    return ff_core_signal_round(s, value);
}

/// A count is divided by its step also where it is not rounded.
static double apply_reading(const ff_chain *chain, const ff_signal *s, double y)
{
    if (chain->stages & FF_STAGE_READING) return ff_core_signal_round(s, y);
    return s->form == FF_FORM_COUNT ? y / s->step : y;
}

static double add_crosstalk(const ff_chain *chain, const double *truth, int i)
{
    double y = truth[i];
    if (!chain->crosstalk || !(chain->stages & FF_STAGE_CROSSTALK)) return y;
    const double *row = chain->crosstalk + (size_t)i * (size_t)chain->n;
    for (int k = 0; k < chain->n; k++) y += row[k] * truth[k];
    return y;
}

/// Stage 2.
static double apply_filter(const ff_signal *s, channel *c, double y, double span)
{
    const double a = s->bandwidth * span;
    const double E = ff_exp(-a), P = a > 1e-5 ? (1.0 - E) / a : 1.0 - 0.5 * a;
    c->filtered = E * c->filtered + (P - E) * c->last + (1.0 - P) * y;
    c->last = y;
    return c->filtered;
}

/// Bias of a channel at the last sample.
static double bias(const header *h, const ff_signal *s, const channel *c)
{
    return s->bias + s->bias_slope * (h->sampled - h->started) + c->walk;
}

/// Stages 1 to 6 of channel i, `span` after the last sample.
static double apply_stages(const ff_chain *chain, const header *h, channel *c, const double *truth, int i, double span)
{
    const ff_signal *s = &chain->signals[i];
    double y = add_crosstalk(chain, truth, i);
    if ((chain->stages & FF_STAGE_BANDWIDTH) && s->bandwidth > 0.0) y = apply_filter(s, c, y, span);
    const bool walks = (chain->stages & FF_STAGE_OFFSET) && s->bias_walk > 0.0 && span > 0.0;
    const bool noisy = (chain->stages & FF_STAGE_NOISE) && s->noise > 0.0;
    double xi[2] = {0.0, 0.0};
    if (walks || noisy) ff_core_random_normal_two(&c->random, xi); // one call makes both
    if (walks) c->walk += s->bias_walk * sqrt(span) * xi[1];
    if (chain->stages & FF_STAGE_OFFSET) y = (1.0 + s->scale) * y + bias(h, s, c);
    if (noisy) y += s->noise * xi[0];
    return apply_reading(chain, s, y);
}

// ------------------------------------------------------------------------------------------ sampling

/// Stages that change a value before the reading.
static const unsigned ERRORS = FF_STAGE_CROSSTALK | FF_STAGE_BANDWIDTH | FF_STAGE_OFFSET | FF_STAGE_NOISE;

/// The slot of the next sample.
static inline double *next_slot(const ff_chain *chain, void *memory, double due, double stamp)
{
    double *to = slot(chain, memory, ((header *)memory)->count++);
    to[0] = due;
    to[1] = stamp;
    return to + 2;
}

static void store_sample(const ff_chain *chain, void *memory, double due, double stamp, const double *truth,
                         double span)
{
    const header *h = memory;
    channel *c = channels_of(memory);
    double *to = next_slot(chain, memory, due, stamp);
    if (chain->stages & ERRORS)
        for (int i = 0; i < chain->n; i++) to[i] = apply_stages(chain, h, &c[i], truth, i, span);
    else
        for (int i = 0; i < chain->n; i++) to[i] = apply_reading(chain, &chain->signals[i], truth[i]);
}

void ff_chain_start(const ff_chain *chain, void *memory, uint64_t seed, uint64_t stream, const double *truth, double t)
{
    header *h = memory;
    channel *c = channels_of(memory);
    memset(memory, 0, ff_chain_memory_size(chain));
    *h = (header){.random = ff_random_make(seed, stream + (uint64_t)chain->n), .started = t, .sampled = t};
    for (int i = 0; i < chain->n; i++) {
        c[i].random = ff_random_make(seed, stream + (uint64_t)i);
        c[i].last = c[i].filtered = add_crosstalk(chain, truth, i);
    }
    store_sample(chain, memory, -INFINITY, t, truth, 0.0);
}

void ff_chain_sample(const ff_chain *chain, void *memory, double t, const double *truth)
{
    header *h = memory;
    double due = t;
    if (!(chain->stages & (ERRORS | FF_STAGE_READING | FF_STAGE_DELAY))) { // perfect: without delay or error
        double *to = next_slot(chain, memory, t, t);
        h->sampled = t;
        for (int i = 0; i < chain->n; i++) {
            const ff_signal *s = &chain->signals[i];
            to[i] = s->form == FF_FORM_COUNT ? truth[i] / s->step : truth[i];
        }
        return;
    }
    if (chain->stages & FF_STAGE_DELAY) {
        const double late = chain->jitter > 0.0 ? ff_random_range(&h->random, -chain->jitter, chain->jitter) : 0.0;
        // half a millionth of a period keeps delays of whole periods exact when times are rounded
        due = t + chain->delay * chain->period + late - 5e-7 * chain->period;
        if (due < t) due = t;
    }
    const double span = t - h->sampled;
    h->sampled = t;
    store_sample(chain, memory, due, t, truth, span);
}

const double *ff_chain_values(const ff_chain *chain, const void *memory, double t, double *stamp)
{
    const header *h = memory;
    if (h->count == 0) { // not started yet
        *stamp = -INFINITY;
        return NULL;
    }
    int64_t number = h->count - 1;
    const double *from = slot(chain, memory, number);
    if (from[0] > t) { // the newest is still delayed
        const int64_t oldest = h->count > slots(chain) ? h->count - slots(chain) : 0;
        while (number > oldest && slot(chain, memory, number)[0] > t) number--;
        from = slot(chain, memory, number);
    }
    *stamp = from[1];
    return from + 2;
}

double ff_chain_read(const ff_chain *chain, const void *memory, double t, double *out)
{
    double stamp;
    const double *values = ff_chain_values(chain, memory, t, &stamp);
    for (int i = 0; i < chain->n; i++) out[i] = values ? values[i] : 0.0;
    return stamp;
}

double ff_chain_bias(const ff_chain *chain, const void *memory, int channel_number)
{
    const channel *c = (const channel *)((const char *)memory + sizeof(header));
    return bias(memory, &chain->signals[channel_number], &c[channel_number]);
}
