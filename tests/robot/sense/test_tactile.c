// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tactile array against what was measured of its prototype C (tables 2.5 and 2.6 of LOLA's thesis): thresholds up
// to 0.7 kPa, drift of 0.26 kPa/s, median and greatest errors of the universal law, hysteresis above 15 kPa only; and
// against its own promises: scan, crosstalk.
#include "check.h"

#include <footfall/footfall.h>
#include <footfall/math.h>
#include <footfall/tactile.h>

typedef struct pad {
    ff_tactile x;
    int n;
    double memory[5 + 8 * 400];
    double truth[400], pressure[400], touched[400];
    double t;
} pad;

static void make_pad(pad *p, int rows, int columns, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->x = ff_tactile_default();
    p->x.rows = rows;
    p->x.columns = columns;
    p->n = rows * columns;
    ff_tactile_start(&p->x, p->memory, seed, 0, 0.0);
}

static void press(pad *p, double pressure, double span)
{
    for (int i = 0; i < p->n; i++) p->truth[i] = pressure;
    p->t += span;
    ff_tactile_scan(&p->x, p->memory, p->t, p->truth, p->pressure, p->touched);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_size);
    return values[n / 2];
}

TEST(law_and_its_inverse_belong_together)
{
    const ff_tactile x = ff_tactile_default();
    for (double p = 0.5; p < 70.0; p *= 1.3)
        CHECK_NEAR(ff_tactile_pressure(&x, ff_tactile_resistance(&x, p)) / p, 1.0, 1e-9);
    // R / R_unloaded = 0.85 is 0.70 kPa, as the reference says
    CHECK_NEAR(ff_tactile_pressure(&x, 0.85 * x.unloaded), 0.70, 0.005);
}

TEST(taxels_respond_from_their_threshold_on)
{
    pad p;
    make_pad(&p, 20, 14, 1);
    double least = 1.0, most = 0.0;
    for (int i = 0; i < p.n; i++) {
        const double threshold = ff_tactile_threshold(&p.x, p.memory, i);
        least = fmin(least, threshold);
        most = fmax(most, threshold);
    }
    CHECK(least >= 0.2 && least < 0.22 && most < 0.7 && most > 0.68); // uniform, 280 of them
    press(&p, 0.15, 1e-3);
    for (int i = 0; i < p.n; i++) CHECK(p.touched[i] == 0.0 && p.pressure[i] == 0.0);
    press(&p, 0.75, 1e-3); // 0.70 and 10 Ohm of noise, 5 sigma, which is 0.02 kPa there
    for (int i = 0; i < p.n; i++) CHECK(p.touched[i] == 1.0);
    press(&p, 0.0, 1e-3);
    for (int i = 0; i < p.n; i++) CHECK(p.touched[i] == 0.0);
}

TEST(readings_drift_by_a_quarter_kilopascal_a_second)
{
    pad p;
    double drift[400];
    make_pad(&p, 20, 14, 2);
    p.x.noise = 0.0;
    p.x.bits = 40;
    ff_tactile_start(&p.x, p.memory, 2, 0, 0.0);
    p.x.spread = 0.0;
    for (int i = 0; i < p.n; i++) p.memory[5 + 8 * i + 3] = 1.0; // no spread: the reading is the pressure itself
    press(&p, 10.0, 1e-3);
    for (int i = 0; i < p.n; i++) drift[i] = -p.pressure[i];
    for (int k = 0; k < 1000; k++) press(&p, 10.0, 1e-3);
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < p.n; i++) {
        drift[i] += p.pressure[i];
        mean += drift[i] / p.n;
        square += drift[i] * drift[i] / p.n;
    }
    CHECK_NEAR(median(drift, p.n), 0.26, 0.02); // [kPa] in a second; uniform +-30 %, 280 taxels
    // uniform +-30 % has sigma 0.045 kPa/s; the prototype 0.08, of which some is its noise
    CHECK_NEAR(sqrt(square - mean * mean), 0.26 * 0.3 / sqrt(3.0), 0.006);
    for (int k = 0; k < 30; k++) press(&p, 10.0, 1.0);
    for (int i = 0; i < p.n; i++) CHECK_NEAR(p.pressure[i], 13.0, 1e-6); // ends at 0.3 of the pressure
}

// Loading once through the calibrated range, the universal law: table 2.5, row C, median 1.5 kPa, and 2.6: 1.0 / 2.4 /
// 4.8 / 10.9 kPa as typical greatest errors in 0-5, 5-10, 10-20 and 20-40 kPa; within 1.5 times, as the reference
// accepts.
TEST(errors_of_the_universal_law_are_those_of_the_prototype)
{
    const double points[] = {0.8, 1, 2, 3, 4, 5, 6, 8, 10, 12.5, 15, 17.5, 20, 25, 30, 33},
                 bound[4] = {1.0, 2.4, 4.8, 10.9};
    enum { POINTS = sizeof points / sizeof *points };
    pad p;
    static double errors[POINTS * 400], greatest[4][400];
    make_pad(&p, 20, 14, 3);
    int n = 0;
    memset(greatest, 0, sizeof greatest);
    for (int k = 0; k < POINTS; k++) {
        press(&p, points[k], 1e-3);
        const int range = points[k] <= 5 ? 0 : points[k] <= 10 ? 1 : points[k] <= 20 ? 2 : 3;
        for (int i = 0; i < p.n; i++) {
            const double error = fabs(p.pressure[i] - points[k]);
            errors[n++] = error;
            greatest[range][i] = fmax(greatest[range][i], error);
        }
    }
    CHECK(median(errors, n) < 1.5 * 1.5);
    for (int range = 0; range < 4; range++) CHECK(median(greatest[range], p.n) < 1.5 * bound[range]);
    // and they are not those of a perfect sensor: 286 Ohm of spread at 15 kPa are a few kilopascals
    CHECK(median(greatest[2], p.n) > 0.5);
}

TEST(spread_of_resistance_at_15_kilopascals)
{
    pad p;
    make_pad(&p, 20, 20, 4);
    double mean = 0.0, square = 0.0;
    const double R = ff_tactile_resistance(&p.x, 15.0);
    for (int i = 0; i < p.n; i++) {
        const double r = R * p.memory[5 + 8 * i + 3];
        mean += r / p.n;
        square += r * r / p.n;
    }
    CHECK_NEAR(sqrt(square - mean * mean), 286.0, 4.0 * 286.0 / sqrt(2.0 * 400.0)); // [Ohm] 4 sigma of a sigma
}

TEST(unloading_reads_higher_above_15_kilopascals_only)
{
    pad p;
    for (int high = 0; high < 2; high++) {
        make_pad(&p, 1, 1, 5);
        p.x.noise = p.x.drift = 0.0;
        p.x.bits = 40;
        p.x.drift_spread = 0.0;
        ff_tactile_start(&p.x, p.memory, 5, 0, 0.0);
        p.memory[5 + 3] = 1.0;
        press(&p, high ? 35.0 : 14.0, 1e-3);
        press(&p, 8.0, 1e-3);
        // play of 0.12 (35 - 15) kPa
        CHECK_NEAR(p.pressure[0], high ? 8.0 + 0.12 * 20.0 : 8.0, 1e-6);
    }
}

TEST(neighbours_get_four_hundredths)
{
    pad p;
    make_pad(&p, 3, 3, 6);
    p.x.noise = p.x.drift = 0.0;
    p.x.bits = 40;
    ff_tactile_start(&p.x, p.memory, 6, 0, 0.0);
    for (int i = 0; i < 9; i++) p.memory[5 + 8 * i + 3] = 1.0;
    p.truth[4] = 30.0;
    ff_tactile_scan(&p.x, p.memory, 1e-3, p.truth, p.pressure, p.touched);
    CHECK_NEAR(p.pressure[4], 30.0 * (1.0 - 4.0 * 0.04), 1e-6);
    CHECK_NEAR(p.pressure[1], 30.0 * 0.04, 1e-6);
    CHECK(p.pressure[0] == 0.0);
}

TEST(scan_reads_taxel_by_taxel)
{
    pad p;
    make_pad(&p, 6, 6, 7);
    p.x.scan = 1;
    for (int k = 1; k <= 36; k++) {
        press(&p, 20.0, 1e-3);
        int seen = 0;
        for (int i = 0; i < 36; i++) seen += p.touched[i] > 0.0;
        CHECK(seen == k); // 1 ms a taxel: 36 ms a frame, 28 Hz
    }
}
