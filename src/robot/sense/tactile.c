// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tactile arrays: the model of footfall/tactile.h. The spread of resistances over taxels is a factor on R that is
// normal, scaled so that it has the measured sigma at 15 kPa. Memory is a header (time, next taxel, random stream) and
// eight numbers for each taxel.
#include "sense/kinds.h"
#include "sense/private.h"

#include <string.h>

enum { PEAK, HELD, DRIFT, FACTOR, RATE, THRESHOLD, PRESSURE, TOUCHED, PER_TAXEL };
enum { TIME, NEXT, SEED, STREAM, COUNTER, HEADER };

ff_tactile ff_tactile_default(void)
{
    return (ff_tactile){.rows = 6,
                        .columns = 6,
                        .pitch = 7e-3,
                        .crosstalk = 0.04,
                        .play = 0.12,
                        .play_from = 15.0,
                        .drift = 0.26,
                        .drift_spread = 0.3,
                        .drift_most = 0.3,
                        .a = 120.0,
                        .b = -2.2e-3,
                        .c = 35.0,
                        .d = -4.0e-4,
                        .unloaded = 11.5e3,
                        .spread = 286.0,
                        .least = 0.2,
                        .most = 0.7,
                        .noise = 10.0,
                        .bits = 12,
                        .divider = 5e3,
                        .contact = 0.85};
}

double ff_tactile_pressure(const ff_tactile *x, double R)
{
    return x->a * ff_exp(x->b * R) + x->c * ff_exp(x->d * R);
}

double ff_tactile_resistance(const ff_tactile *x, double pressure)
{
    double low = 0.0, high = x->unloaded;
    if (pressure >= ff_tactile_pressure(x, low)) return low;
    if (pressure <= ff_tactile_pressure(x, high)) return high;
    for (int i = 0; i < 40; i++) { // to 1e-8 Ohm
        const double middle = 0.5 * (low + high);
        if (ff_tactile_pressure(x, middle) > pressure)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static int taxels(const ff_tactile *x)
{
    return x->rows * x->columns;
}

size_t ff_tactile_memory(const ff_tactile *x)
{
    return HEADER + (size_t)taxels(x) * PER_TAXEL;
}

static ff_random load_random(const double *memory)
{
    ff_random r;
    memcpy(&r.seed, &memory[SEED], sizeof r.seed);
    memcpy(&r.stream, &memory[STREAM], sizeof r.stream);
    memcpy(&r.counter, &memory[COUNTER], sizeof r.counter);
    return r;
}

static void store_random(double *memory, const ff_random *r)
{
    memcpy(&memory[SEED], &r->seed, sizeof r->seed);
    memcpy(&memory[STREAM], &r->stream, sizeof r->stream);
    memcpy(&memory[COUNTER], &r->counter, sizeof r->counter);
}

void ff_tactile_start(const ff_tactile *x, double *memory, uint64_t seed, uint64_t stream, double t)
{
    ff_random random = ff_random_make(seed, stream);
    const double sigma = x->spread / ff_tactile_resistance(x, 15.0);
    memset(memory, 0, ff_tactile_memory(x) * sizeof *memory);
    memory[TIME] = t;
    for (int i = 0; i < taxels(x); i++) {
        double *m = memory + HEADER + (size_t)i * PER_TAXEL, factor;
        // a resistance is positive: the tail beyond five sigma is cut
        do factor = 1.0 + sigma * ff_random_normal(&random);
        while (factor < 0.1);
        m[FACTOR] = factor;
        m[RATE] = x->drift * ff_random_range(&random, 1.0 - x->drift_spread, 1.0 + x->drift_spread);
        m[THRESHOLD] = ff_random_range(&random, x->least, x->most);
    }
    store_random(memory, &random);
}

double ff_tactile_threshold(const ff_tactile *x, const double *memory, int taxel)
{
    return taxel >= 0 && taxel < taxels(x) ? memory[HEADER + (size_t)taxel * PER_TAXEL + THRESHOLD] : 0.0;
}

/// Pressure of a taxel with crosstalk of its neighbours; at the rim nothing is added or lost.
static double add_crosstalk(const ff_tactile *x, const double *p, int i)
{
    const int row = i / x->columns, column = i % x->columns;
    double sum = p[i];
    if (row > 0) sum += x->crosstalk * (p[i - x->columns] - p[i]);
    if (row + 1 < x->rows) sum += x->crosstalk * (p[i + x->columns] - p[i]);
    if (column > 0) sum += x->crosstalk * (p[i - 1] - p[i]);
    if (column + 1 < x->columns) sum += x->crosstalk * (p[i + 1] - p[i]);
    return sum;
}

/// Pressure of one taxel with hysteresis and drift after `span`.  [kPa]
static double add_hysteresis(const ff_tactile *x, double *m, double p, double span)
{
    if (p > m[PEAK]) m[PEAK] = p;
    if (p < m[THRESHOLD]) m[PEAK] = 0.0; // unloaded: the next load is a new one
    const double width = x->play * (m[PEAK] > x->play_from ? m[PEAK] - x->play_from : 0.0);
    if (p > m[HELD]) m[HELD] = p;
    if (p < m[HELD] - width) m[HELD] = p + width;
    if (p < m[THRESHOLD]) m[HELD] = p;
    m[DRIFT] = m[HELD] > m[THRESHOLD] ? m[DRIFT] + m[RATE] * span : 0.0;
    const double most = x->drift_most * m[HELD];
    if (m[DRIFT] > most) m[DRIFT] = most;
    return m[HELD] + m[DRIFT];
}

/// Resistance as the converter reads it: R / (R + divider) of a voltage divider in 2^bits steps.  [ohm]
static double convert(const ff_tactile *x, double R)
{
    const double codes = (double)(1LL << x->bits), whole = 1.0 - 1.0 / codes;
    double share = R > 0.0 ? R / (R + x->divider) : 0.0;
    share = floor(share * codes + 0.5) / codes;
    if (share > whole) share = whole;
    return x->divider * share / (1.0 - share);
}

static void read_taxel(const ff_tactile *x, double *m, double p, ff_random *random)
{
    double R = p < m[THRESHOLD] ? x->unloaded * (1.0 + 0.02 * p / m[THRESHOLD]) : ff_tactile_resistance(x, p);
    R = convert(x, R * m[FACTOR] + x->noise * ff_random_normal(random));
    // R_unloaded of each taxel is calibrated
    m[TOUCHED] = R / (x->unloaded * m[FACTOR]) < x->contact;
    m[PRESSURE] = m[TOUCHED] > 0.0 ? ff_tactile_pressure(x, R) : 0.0;
}

void ff_tactile_scan(const ff_tactile *x, double *memory, double t, const double *truth, double *pressure,
                     double *touched)
{
    const int n = taxels(x), count = x->scan > 0 && x->scan < n ? x->scan : n;
    const double span = t - memory[TIME];
    ff_random random = load_random(memory);
    int next = (int)memory[NEXT];
    double *first = memory + HEADER;
    memory[TIME] = t;
    for (int i = 0; i < n; i++) {
        double *m = first + (size_t)i * PER_TAXEL;
        const bool due = (i - next + n) % n < count;
        const double p = x->ideal ? truth[i] : add_hysteresis(x, m, add_crosstalk(x, truth, i), span);
        if (due && x->ideal) {
            m[PRESSURE] = p;
            m[TOUCHED] = p > 0.0;
        } else if (due)
            read_taxel(x, m, p, &random);
        pressure[i] = m[PRESSURE];
        touched[i] = m[TOUCHED];
    }
    memory[NEXT] = (next + count) % n;
    store_random(memory, &random);
}

// ------------------------------------------------------------------------------------------ on a body

/// The force of each contact across the patch falls on the taxel nearest to it, and becomes a pressure over its cell.
void ff_truth_tactile(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    const ff_sense_view *view = at->view;
    const ff_tactile *x = s->tactile;
    const int n = taxels(x);
    double pos[3], R[9], arm[3], local[3], force[3], sign, truth[FF_SENSOR_CHANNELS_MAX / 2] = {0};
    ff_sensor_pose(s, view, pos, R);
    for (int i = 0; i < view->ncontact; i++) {
        const ff_sense_contact *c = &view->contacts[i];
        if (!ff_sensor_is_touched(s, view, c, &sign)) continue;
        ff_vec3_sub(arm, c->place, pos);
        ff_mat3_tmulv(local, R, arm);
        ff_mat3_tmulv(force, R, c->force);
        const double row = floor(local[0] / x->pitch + 0.5 * x->rows),
                     column = floor(local[1] / x->pitch + 0.5 * x->columns);
        if (row < 0.0 || column < 0.0 || row >= x->rows || column >= x->columns) continue;
        truth[(int)row * x->columns + (int)column] += 1e-3 * fabs(force[2]) / (x->pitch * x->pitch); // [kPa]
    }
    ff_tactile_scan(x, at->memory, at->t, truth, out, out + n);
}
