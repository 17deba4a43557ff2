// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The equations of plan.h. Unknowns of knot i are y = x, w = h x', k = h^2 x''; in u = t / h, with D = y1 - y0,
//     A3 = 10 D - 6 w0 - 4 w1 - 1.5 k0 + 0.5 k1     A4 = -15 D + 8 w0 + 7 w1 + 1.5 k0 - k1
//     A5 = 6 D - 3 (w0 + w1) - 0.5 (k0 - k1)        x = y0 + w0 u + k0 u^2 / 2 + A3 u^3 + A4 u^4 + A5 u^5
// so that continuity of the third and fourth derivative has integer factors. The three rows of a knot have entries of
// this knot and its neighbours: a band of five.
#include "biped/plan.h"

#include <footfall/math.h>

#include <string.h>

enum { SIDE = 5, WIDTH = 3 * SIDE + 1, AXES = 2 }; // pivoting widens the band to the right

size_t ff_collocation_work(int n)
{
    return (size_t)(3 * (n + 1)) * (WIDTH + AXES + 1);
}

/// A band matrix by rows, and right-hand sides beside it.
typedef struct band {
    int n;
    double *row;   // entry of column c at WIDTH * r + c - r + SIDE  (WIDTH n)
    double *b;     // (AXES n)
    double *pivot; // row that came into the place of each  (n)
} band;

static band band_of(int n, double *work)
{
    const size_t rows = (size_t)(3 * (n + 1));
    return (band){.n = 3 * (n + 1), .row = work, .b = work + rows * WIDTH, .pivot = work + rows * (WIDTH + AXES)};
}

static double *entry(const band *m, int r, int c)
{
    return &m->row[WIDTH * r + c - r + SIDE];
}

// ------------------------------------------------------------------------------------------ rows

/// Derivatives at the end of the segment on the left and at the start of the one on the right: factors of
/// (y, w, k) of knots i - 1, i, i + 1.
static const double THIRD[9] = {-60, -24, -3, 120, 0, 18, -60, 24, -3};
static const double FOURTH[9] = {-360, -168, -24, 0, -384, 0, 360, -168, 24};

static void fill_knot(const band *m, int i, double alpha, double gamma, double h)
{
    *entry(m, 3 * i, 3 * i) = 1.0;
    *entry(m, 3 * i, 3 * i + 2) = alpha / (gamma * h * h);
    for (int k = 0; k < 9; k++) {
        *entry(m, 3 * i + 1, 3 * i - 3 + k) = THIRD[k] / 120.0;
        *entry(m, 3 * i + 2, 3 * i - 3 + k) = FOURTH[k] / 360.0;
    }
}

static void fill_end(const band *m, int i)
{
    for (int k = 0; k < 3; k++) *entry(m, 3 * i + k, 3 * i + k) = 1.0;
}

static void fill_right_side(const band *m, int i, double h, const ff_knot *knot)
{
    for (int axis = 0; axis < AXES; axis++) {
        m->b[AXES * (3 * i) + axis] = knot->x[axis];
        m->b[AXES * (3 * i + 1) + axis] = h * knot->v[axis];
        m->b[AXES * (3 * i + 2) + axis] = h * h * knot->a[axis];
    }
}

// ------------------------------------------------------------------------------------------ elimination

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

static void swap_rows(const band *m, int one, int two, int last)
{
    for (int c = one; c <= last; c++) swap(entry(m, one, c), entry(m, two, c));
}

/// Leaves the factors below the diagonal, for any number of right-hand sides.
static bool eliminate(const band *m)
{
    for (int p = 0; p < m->n; p++) {
        const int below = p + SIDE < m->n ? p + SIDE : m->n - 1, last = p + 2 * SIDE < m->n ? p + 2 * SIDE : m->n - 1;
        int best = p;
        for (int r = p + 1; r <= below; r++)
            if (fabs(*entry(m, r, p)) > fabs(*entry(m, best, p))) best = r;
        if (!(fabs(*entry(m, best, p)) > 1e-13)) return false;
        m->pivot[p] = best;
        if (best != p) swap_rows(m, p, best, last);
        for (int r = p + 1; r <= below; r++) {
            const double factor = *entry(m, r, p) / *entry(m, p, p);
            *entry(m, r, p) = factor;
            if (factor == 0.0) continue;
            for (int c = p + 1; c <= last; c++) *entry(m, r, c) -= factor * *entry(m, p, c);
        }
    }
    return true;
}

static void substitute(const band *m)
{
    for (int p = 0; p < m->n; p++) {
        const int below = p + SIDE < m->n ? p + SIDE : m->n - 1, best = (int)m->pivot[p];
        for (int axis = 0; axis < AXES && best != p; axis++) swap(&m->b[AXES * p + axis], &m->b[AXES * best + axis]);
        for (int r = p + 1; r <= below; r++)
            for (int axis = 0; axis < AXES; axis++) m->b[AXES * r + axis] -= *entry(m, r, p) * m->b[AXES * p + axis];
    }
    for (int p = m->n - 1; p >= 0; p--) {
        const int last = p + 2 * SIDE < m->n ? p + 2 * SIDE : m->n - 1;
        for (int axis = 0; axis < AXES; axis++) {
            double sum = m->b[AXES * p + axis];
            for (int c = p + 1; c <= last; c++) sum -= *entry(m, p, c) * m->b[AXES * c + axis];
            m->b[AXES * p + axis] = sum / *entry(m, p, p);
        }
    }
}

bool ff_collocation_factor(int n, double h, const double *alpha, const double *gamma, double *work)
{
    const band m = band_of(n, work);
    memset(work, 0, ff_collocation_work(n) * sizeof *work);
    fill_end(&m, 0);
    for (int i = 1; i < n; i++) fill_knot(&m, i, alpha[i], gamma[i], h);
    fill_end(&m, n);
    return eliminate(&m);
}

bool ff_collocate(int n, double h, const double *gamma, const double (*tau)[2], ff_knot *knots, double *work)
{
    const band m = band_of(n, work);
    memset(m.b, 0, (size_t)(AXES * m.n) * sizeof *m.b);
    fill_right_side(&m, 0, h, &knots[0]);
    for (int i = 1; i < n; i++)
        for (int axis = 0; axis < AXES; axis++) m.b[AXES * 3 * i + axis] = tau[i][axis] / gamma[i];
    fill_right_side(&m, n, h, &knots[n]);
    substitute(&m);
    if (!ff_all_finite(m.b, AXES * m.n)) return false;
    for (int i = 1; i < n; i++)
        for (int axis = 0; axis < AXES; axis++) {
            knots[i].x[axis] = m.b[AXES * (3 * i) + axis];
            knots[i].v[axis] = m.b[AXES * (3 * i + 1) + axis] / h;
            knots[i].a[axis] = m.b[AXES * (3 * i + 2) + axis] / (h * h);
        }
    return true;
}

ff_knot ff_collocation_at(const ff_knot knots[2], double h, double at)
{
    const double u = at / h;
    ff_knot out;
    for (int axis = 0; axis < AXES; axis++) {
        const double y0 = knots[0].x[axis], w0 = h * knots[0].v[axis], k0 = h * h * knots[0].a[axis];
        const double w1 = h * knots[1].v[axis], k1 = h * h * knots[1].a[axis], D = knots[1].x[axis] - y0;
        const double A3 = 10.0 * D - 6.0 * w0 - 4.0 * w1 - 1.5 * k0 + 0.5 * k1;
        const double A4 = -15.0 * D + 8.0 * w0 + 7.0 * w1 + 1.5 * k0 - k1;
        const double A5 = 6.0 * D - 3.0 * (w0 + w1) - 0.5 * (k0 - k1);
        out.x[axis] = y0 + u * (w0 + u * (0.5 * k0 + u * (A3 + u * (A4 + u * A5))));
        out.v[axis] = (w0 + u * (k0 + u * (3.0 * A3 + u * (4.0 * A4 + u * 5.0 * A5)))) / h;
        out.a[axis] = (k0 + u * (6.0 * A3 + u * (12.0 * A4 + u * 20.0 * A5))) / (h * h);
    }
    return out;
}
