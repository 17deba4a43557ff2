// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Multipliers of loops. With W = A^-1 G' (A is M, or the matrix of an implicit step) the equation for lambda is  (G W)
// lambda = goal - G x. Each row is scaled to the size 1 it has where its loop is not singular; then the scaled matrix
// is factored by Cholesky's method, the largest pivot first, up to a pivot below RANK^2: rows behind it are dependent,
// within the error of positions in the stages of a step, or singular. Rows left out get no multiplier of their
// own, so the motion is that of the independent rows; the multipliers are spread over all rows with the least sum
// of squares (scaled) that gives the same forces. N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002),
// section 10.3, on pivoted Cholesky factors.
#include <footfall/loop.h>

#include "dyn/layout.h"
#include "dyn/loop_response.h"

/// Rows that differ by less from the others than this count as dependent.
static const double RANK = 1e-4;

// ------------------------------------------------------------------------------------------ products with G

void ff_loops_multiply(const ff_loops *l, const double *x, double *out)
{
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int r = 0; r < loop->nrow; r++) {
            const double *row = loop->jacobian + r * loop->ndof;
            double sum = 0.0;
            for (int k = 0; k < loop->ndof; k++) sum += row[k] * x[loop->dofs[k]];
            out[loop->row + r] = sum;
        }
    }
}

void ff_loops_add_torque(const ff_loops *l, const double *lambda, double *tau)
{
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int r = 0; r < loop->nrow; r++) {
            const double *row = loop->jacobian + r * loop->ndof, force = lambda[loop->row + r];
            for (int k = 0; k < loop->ndof; k++) tau[loop->dofs[k]] += row[k] * force;
        }
    }
}

// ------------------------------------------------------------------------------------------ factors

static double row_size(const ff_loop *loop, int r)
{
    double sum = 0.0;
    for (int k = 0; k < loop->ndof; k++) sum += loop->jacobian[r * loop->ndof + k] * loop->jacobian[r * loop->ndof + k];
    return sqrt(sum);
}

/// Finds one scale for the rows of a kind in a loop, with which the largest of them becomes 1. The scale of a rod comes
/// from how its ends can move in all directions: the motion along the rod alone vanishes where the loop is singular.
static void find_scales(ff_loops *l)
{
    const size_t n = (size_t)l->nrow;
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int from = 0; from < loop->nrow; from += 3) {
            const int to = from + 3 < loop->nrow ? from + 3 : loop->nrow;
            double most = 0.0;
            for (int r = from; r < to; r++) {
                const size_t at = (size_t)(loop->row + r);
                most = ff_max(most, l->delassus[at * n + at]);
            }
            if (loop->type == FF_EQUALITY_ROD) {
                const double size = row_size(loop, 0), ratio = size > 0.0 ? loop->reach / size : 0.0;
                most *= ratio * ratio;
            }
            for (int r = from; r < to; r++) l->scale[loop->row + r] = most > 0.0 ? 1.0 / sqrt(most) : 0.0;
        }
    }
}

/// Lower triangle of G W.
static void fill_delassus(const ff_model *m, ff_loops *l)
{
    const size_t n = (size_t)l->nrow, nv = (size_t)m->nv;
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int r = 0; r < loop->nrow; r++) {
            const double *row = loop->jacobian + r * loop->ndof;
            const size_t at = (size_t)(loop->row + r);
            for (size_t j = 0; j <= at; j++) {
                const double *response = l->response + j * nv;
                double sum = 0.0;
                for (int k = 0; k < loop->ndof; k++) sum += row[k] * response[loop->dofs[k]];
                l->delassus[at * n + j] = sum;
            }
        }
    }
}

static void swap_rows(ff_loops *l, int a, int b)
{
    const size_t n = (size_t)l->nrow, p = (size_t)a, q = (size_t)b; // a < b
    double *A = l->delassus, keep;
    const int row = l->order[a];
    l->order[a] = l->order[b];
    l->order[b] = row;
#define SWAP(x, y) (keep = (x), (x) = (y), (y) = keep)
    for (size_t k = 0; k < p; k++) SWAP(A[p * n + k], A[q * n + k]);
    SWAP(A[p * n + p], A[q * n + q]);
    for (size_t k = p + 1; k < q; k++) SWAP(A[k * n + p], A[q * n + k]);
    for (size_t k = q + 1; k < n; k++) SWAP(A[k * n + p], A[k * n + q]);
#undef SWAP
}

/// Lower triangle of the scaled matrix -> columns of its factor, up to the rank.
static int factor(ff_loops *l)
{
    const int n = l->nrow;
    double *A = l->delassus;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (A[i * n + i] > A[best * n + best]) best = i;
        if (!(A[best * n + best] > RANK * RANK)) return k;
        if (best != k) swap_rows(l, k, best);
        const double pivot = sqrt(A[k * n + k]);
        A[k * n + k] = pivot;
        for (int i = k + 1; i < n; i++) A[i * n + k] /= pivot;
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
    }
    return n;
}

int ff_loops_factor(const ff_model *m, ff_loops *l, ff_loops_solver *solve, void *context)
{
    const size_t n = (size_t)l->nrow, nv = (size_t)m->nv;
    memset(l->response, 0, n * nv * sizeof(double));
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        for (int r = 0; r < loop->nrow; r++) {
            double *x = l->response + (size_t)(loop->row + r) * nv;
            // a joint that moves both ends appears twice
            for (int k = 0; k < loop->ndof; k++) x[loop->dofs[k]] += loop->jacobian[r * loop->ndof + k];
            solve(context, x);
        }
    }
    fill_delassus(m, l);
    find_scales(l);
    for (size_t i = 0; i < n; i++) {
        l->order[i] = (int)i;
        for (size_t j = 0; j <= i; j++) l->delassus[i * n + j] *= l->scale[i] * l->scale[j];
    }
    return l->rank = factor(l);
}

// ------------------------------------------------------------------------------------------ solving

/// y = lower triangle^-1 y, then x = its transpose^-1 y, of the first `rank` rows.
static void substitute(const ff_loops *l, double *y, double *x)
{
    const int n = l->nrow, rank = l->rank;
    const double *A = l->delassus;
    for (int i = 0; i < rank; i++) {
        for (int k = 0; k < i; k++) y[i] -= A[i * n + k] * y[k];
        y[i] /= A[i * n + i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        double sum = y[i];
        for (int k = i + 1; k < rank; k++) sum -= A[k * n + i] * x[k];
        x[i] = sum / A[i * n + i];
    }
}

/// Multipliers of least norm with the forces of those of the independent rows, L' lambda = L1' lambda1: lambda = L (L'
/// L)^-1 L1' lambda1. Scaled, in the order of pivots, in place.
static void spread_multipliers(ff_loops *l, double *lambda)
{
    const int n = l->nrow, rank = l->rank;
    const double *A = l->delassus;
    double *right = l->work, *T = l->work + 5 * (size_t)n;
    if (rank == n) return;
    for (int j = 0; j < rank; j++) {
        right[j] = 0.0;
        for (int i = j; i < rank; i++) right[j] += A[i * n + j] * lambda[i];
        for (int i = 0; i <= j; i++) {
            double sum = 0.0;
            for (int k = j; k < n; k++) sum += A[k * n + i] * A[k * n + j];
            T[j * rank + i] = sum;
        }
    }
    if (!ff_cholesky_factor(T, rank)) return;
    ff_cholesky_solve(T, rank, right);
    for (int k = 0; k < n; k++) {
        lambda[k] = 0.0;
        for (int j = 0; j <= (k < rank ? k : rank - 1); j++) lambda[k] += A[k * n + j] * right[j];
    }
}

void ff_loops_solve(const ff_model *m, ff_loops *l, const double *goal, double *x, double *lambda)
{
    const size_t nv = (size_t)m->nv, n = (size_t)l->nrow;
    double *present = l->work, *y = present + n, *part = y + n, *sum = part + n;
    memset(sum, 0, n * sizeof(double));
    for (int round = 0; round < 2; round++) { // the second removes rounding errors of the first
        ff_loops_multiply(l, x, present);
        for (int k = 0; k < l->rank; k++) y[k] = l->scale[l->order[k]] * (goal[l->order[k]] - present[l->order[k]]);
        substitute(l, y, part);
        for (int k = 0; k < l->rank; k++) {
            const int row = l->order[k];
            const double *response = l->response + (size_t)row * nv, amount = part[k] * l->scale[row];
            sum[k] += part[k];
            for (size_t i = 0; i < nv; i++) x[i] += response[i] * amount;
        }
    }
    if (!lambda) return;
    spread_multipliers(l, sum);
    for (size_t k = 0; k < n; k++) lambda[l->order[k]] = sum[k] * l->scale[l->order[k]];
}

// ------------------------------------------------------------------------------------------ forward dynamics

typedef struct mass_solver {
    const ff_model *m;
    const ff_data *d;
} mass_solver;

static void solve_mass(void *context, double *x)
{
    const mass_solver *s = context;
    ff_dyn_solve(s->m, s->d, x);
}

/// Decouples degrees of freedom that are held: of their rows and columns only the diagonal stays.
static void leave_out(const ff_model *m, ff_data *d, const bool *held)
{
    for (int i = 0; i < m->nv; i++)
        for (int k = m->M_row[i]; k < m->M_row[i + 1] - 1; k++)
            if (held[i] || held[m->M_col[k]]) d->M[k] = 0.0;
}

bool ff_loops_factor_mass(const ff_model *m, ff_data *d, ff_loops *l, const bool *held)
{
    mass_solver solver = {m, d};
    ff_dyn_mass(m, d);
    if (held) leave_out(m, d, held);
    if (!ff_dyn_factor(m, d)) return false;
    ff_loops_factor(m, l, solve_mass, &solver);
    return true;
}

bool ff_loops_forward(const ff_model *m, ff_data *d, ff_loops *l)
{
    const double s = l->rate;
    double *goal = l->work + 4 * (size_t)l->nrow;
    if (!ff_dyn_forward(m, d)) return false;
    ff_loops_position(m, d, l);
    ff_loops_velocity(m, d, l);
    if (!ff_loops_factor_mass(m, d, l, NULL)) return false;
    for (int i = 0; i < l->nrow; i++) goal[i] = -l->drift[i] - s * (2.0 * l->speed[i] + s * l->phi[i]);
    ff_loops_solve(m, l, goal, d->qacc, l->lambda);
    return true;
}
