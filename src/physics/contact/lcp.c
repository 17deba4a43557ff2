// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lemke's method for  w = A f + b >= 0,  f >= 0,  f' w = 0.  The tableau of
//     w - A f - 1 z = b
// has the columns w (n), f (n), z and the right-hand side. With z large enough all variables are feasible.
// Then the complement of the variable that left the basis enters it, until z leaves. Ties of the ratio test are broken
// lexicographically by the columns of w, which hold the inverse of the basis: without that, legs that share a load make
// it cycle. Rows and columns are scaled by 1/sqrt(A_ii) first. Rounding can still make it deviate where A has a null
// space, so each answer is checked. Where the check fails the diagonal is raised by 1e-12 to 1e-8 of itself, which
// makes the matrix definite; the answer is checked against the matrix without that.
#include <footfall/response.h>

#include "contact/lcp.h"

typedef struct tableau {
    int n, width;  // width = 2 n + 2
    double *T;     // n x width
    double *basis; // variable of each row; whole numbers, kept as doubles to need one work array only  (n)
    double *scale; // (n)
} tableau;

size_t ff_lcp_work(int n)
{
    size_t m = (size_t)n;
    return m * (2 * m + 2) + 5 * m; // tableau, basis, scale, and three vectors for impulses
}

static void fill(tableau *t, const double *A, const double *b, const double *idle, double raise)
{
    int n = t->n;
    for (int i = 0; i < n; i++) t->scale[i] = A[i * n + i] > 0.0 ? 1.0 / sqrt(A[i * n + i]) : 1.0;
    for (int i = 0; i < n; i++) {
        double *row = t->T + (size_t)i * (size_t)t->width;
        bool off = idle && idle[i] != 0.0; // a row of its own: w = f + 1
        for (int j = 0; j < n; j++) {
            bool separate = off || (idle && idle[j] != 0.0);
            row[j] = i == j;
            row[n + j] = separate ? -(double)(i == j) : -A[i * n + j] * t->scale[i] * t->scale[j];
            if (i == j) row[n + j] -= raise;
        }
        row[2 * n] = -1.0;
        row[2 * n + 1] = off ? 1.0 : b[i] * t->scale[i];
        t->basis[i] = i;
    }
}

/// Scales b so that its largest entry is 1, for which the tolerances hold. @return the factor
static double normalise(tableau *t)
{
    double most = 0.0;
    for (int i = 0; i < t->n; i++) most = ff_max(most, fabs(t->T[i * t->width + 2 * t->n + 1]));
    if (!(most > 0.0)) return 1.0;
    for (int i = 0; i < t->n; i++) t->T[i * t->width + 2 * t->n + 1] /= most;
    return most;
}

static void pivot(tableau *t, int row, int column)
{
    double *p = t->T + (size_t)row * (size_t)t->width, inverse = 1.0 / p[column];
    for (int k = 0; k < t->width; k++) p[k] *= inverse;
    p[column] = 1.0;
    for (int i = 0; i < t->n; i++) {
        double *q = t->T + (size_t)i * (size_t)t->width, factor = q[column];
        if (i == row || factor == 0.0) continue;
        for (int k = 0; k < t->width; k++) q[k] -= factor * p[k];
        q[column] = 0.0;
    }
    t->basis[row] = column;
}

/// -1 when row a has the lexicographically smaller ratio in `column`, 1 when b has.
static int compare(const tableau *t, int a, int b, int column)
{
    const double *p = t->T + (size_t)a * (size_t)t->width, *q = t->T + (size_t)b * (size_t)t->width;
    for (int k = -1; k < t->n; k++) {
        int at = k < 0 ? t->width - 1 : k;
        double x = p[at] / p[column], y = q[at] / q[column];
        double tie = 1e-12 * (1.0 + fabs(x) + fabs(y));
        if (x < y - tie) return -1;
        if (x > y + tie) return 1;
    }
    return 0;
}

static int leaving_row(const tableau *t, int column)
{
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < t->n; i++) most = ff_max(most, fabs(t->T[i * t->width + column]));
    for (int i = 0; i < t->n; i++) {
        if (t->T[i * t->width + column] <= 1e-11 * most) continue;
        int order = best < 0 ? -1 : compare(t, i, best, column);
        if (order < 0) best = i;
    }
    return best;
}

/// Row with the most negative right-hand side; of equal ones the last, which is the smallest by the identity columns
/// behind it.
static int first_row(const tableau *t)
{
    int best = 0;
    for (int i = 1; i < t->n; i++)
        if (t->T[i * t->width + 2 * t->n + 1] <= t->T[best * t->width + 2 * t->n + 1]) best = i;
    return best;
}

static ff_status run(tableau *t, ff_error *err)
{
    int n = t->n, row = first_row(t);
    if (t->T[row * t->width + 2 * n + 1] >= 0.0) return FF_OK;
    int left = row, limit = 1000 + 100 * n;
    pivot(t, row, 2 * n);
    for (int count = 0; count < limit; count++) {
        int entering = left < n ? left + n : left - n;
        row = leaving_row(t, entering);
        if (row < 0)
            return ff_error_set(err, FF_SOLVER,
                                "the complementarity problem of %d unknowns has no solution: Lemke's method ended on a "
                                "ray after %d pivots",
                                n, count);
        left = (int)t->basis[row];
        pivot(t, row, entering);
        if (left == 2 * n) return FF_OK;
    }
    return ff_error_set(err, FF_SOLVER, "Lemke's method did not end within %d pivots for %d unknowns", limit, n);
}

static ff_status lemke(int n, const double *A, const double *b, const double *idle, double raise, double *f,
                       double *work, ff_error *err)
{
    size_t m = (size_t)n;
    tableau t = {.n = n, .width = 2 * n + 2, .T = work, .basis = work + m * (2 * m + 2)};
    t.scale = t.basis + m;
    fill(&t, A, b, idle, raise);
    double size = normalise(&t);
    ff_status status = run(&t, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < n; i++) f[i] = 0.0;
    for (int i = 0; i < n; i++) {
        int variable = (int)t.basis[i] - n;
        if (variable >= 0 && variable < n)
            f[variable] = ff_max(0.0, t.T[i * t.width + 2 * n + 1]) * size * t.scale[variable];
    }
    return FF_OK;
}

/// How far f is from fulfilling the conditions: of each row the smaller of w and f, and any w below zero, relative to
/// the largest of them.
static double violation(int n, const double *A, const double *b, const double *idle, const double *f)
{
    double worst = 0.0, load = 0.0, most = 0.0;
    for (int i = 0; i < n; i++) load = ff_max(load, fabs(b[i])), most = ff_max(most, f[i]);
    for (int i = 0; i < n; i++) {
        if (idle && idle[i] != 0.0) continue;
        double w = b[i];
        for (int j = 0; j < n; j++) w += A[i * n + j] * f[j];
        w /= load;
        worst = ff_max(worst, ff_max(-w, most > 0.0 ? ff_min(fabs(w), f[i] / most) : 0.0));
    }
    return worst;
}

static ff_status all_finite(int n, const double *A, const double *b, ff_error *err)
{
    for (int i = 0; i < n * n; i++)
        if (!isfinite(A[i]))
            return ff_error_set(err, FF_BAD_ARGUMENT, "matrix entry (%d, %d) is %g", i / n, i % n, A[i]);
    for (int i = 0; i < n; i++)
        if (!isfinite(b[i]))
            return ff_error_set(err, FF_BAD_ARGUMENT, "entry %d of the right-hand side is %g", i, b[i]);
    return FF_OK;
}

static bool all_zero(int n, const double *b)
{
    for (int i = 0; i < n; i++)
        if (b[i] != 0.0) return false;
    return true;
}

/// @param most  violation of the conditions that an answer may have, and with the largest raise of the diagonal
static ff_status solve(int n, const double *A, const double *b, const double *idle, double most, double most_raised,
                       double *f, double *work, ff_error *err)
{
    static const double raises[] = {0.0, 1e-12, 1e-10, 1e-8};
    for (int i = 0; i < n; i++) f[i] = 0.0;
    if (n <= 0) return FF_OK;
    if (all_finite(n, A, b, err) != FF_OK) return FF_BAD_ARGUMENT;
    if (all_zero(n, b)) return FF_OK;
    for (int k = 0; k < 4; k++) {
        if (lemke(n, A, b, idle, raises[k], f, work, err) != FF_OK) continue;
        if (violation(n, A, b, idle, f) < (k < 3 ? most : most_raised)) return FF_OK;
        ff_error_set(err, FF_SOLVER, "the complementarity problem of %d unknowns has no solution", n);
    }
    for (int i = 0; i < n; i++) f[i] = 0.0;
    return FF_SOLVER;
}

ff_status ff_lcp_part(int n, const double *A, const double *b, const double *idle, double *f, double *work,
                      ff_error *err)
{
    return solve(n, A, b, idle, 1e-10, 1e-6, f, work, err);
}

ff_status ff_lcp_rough(int n, const double *A, const double *b, double *f, double *work, ff_error *err)
{
    const ff_status status = solve(n, A, b, NULL, 1e-3, 1e-3, f, work, err);
    if (status != FF_SOLVER) return status;
    return ff_error_set(err, FF_SOLVER, "the complementarity problem of %d unknowns has no solution", n);
}

ff_status ff_lcp_solve(int n, const double *A, const double *b, double *f, double *work, ff_error *err)
{
    return ff_lcp_part(n, A, b, NULL, f, work, err);
}
