// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The dual active-set method of Goldfarb and Idnani. With H = L L' and the normals N of the q active constraints as
// columns, the method keeps
//     J = L^-T Q = [J1 J2],   Q' L^-1 N = [R; 0],   Q orthogonal, R upper triangular (q x q)
// and updates both by Givens rotations. For the normal c of a violated constraint, d = J' c has the parts
//     z = J2 d2     direction of x along the active constraints
//     r = R^-1 d1   rate of their multipliers u
// A step of length t moves x to x + t z and u to u - t r; it ends where the constraint holds, or where a multiplier
// reaches zero and its constraint is dropped. c' z = |d2|^2 is zero where c depends on the active constraints.
//
// A start from a guess, and the end of many steps, compute x and u of an active set from x0 = -H^-1 g:
//     y = R^-T (b - N' x0),   x = x0 + J1 y,   u = R^-1 y
#include <float.h>

#include <footfall/qp.h>

#include "dot.h"

#define FEASIBLE       1e-11 // violation that is accepted, as a part of the terms of the constraint
#define DEPENDENT      1e-9  // |d2| / |d| below which a normal depends on the active ones
#define CERTAIN        1e-7  // violation of a dependent constraint that contradicts the others, likewise
#define PULLING        1e-10 // multiplier of the wrong sign that is accepted, as a part of the largest
#define CONTRADICTIONS 2     // that are checked again

enum { IDLE = 0, REDUNDANT = 2 }; // states of constraints; active ones are -1 (low) or 1 (high)

typedef struct solver {
    const ff_qp *p;
    double *J; // (n x n)
    double *R; // (n x n), the upper triangle of the first q columns
    double *x0, *x;
    double *u;     // multipliers of the active constraints (n)
    double *d, *z; // (n)
    double *r, *y; // (n)
    double *norm;  // length of each row of A (m)
    int *which;    // the active constraints, equations first (n)
    int *state;    // (m)
    int q, nequal; // active constraints, equations among them
    int iterations;
    int limit;
} solver;

size_t ff_qp_work_size(int n, int m)
{
    size_t size = (size_t)n, rows = (size_t)m;
    size_t ints = (size + rows) * sizeof(int);
    return 2 * size * size + 7 * size + rows + (ints + sizeof(double) - 1) / sizeof(double);
}

static void lay_out(solver *s, const ff_qp *p, double *x, double *work)
{
    int n = p->n;
    *s = (solver){.p = p, .x = x};
    s->J = take(&work, n * n);
    s->R = take(&work, n * n);
    s->x0 = take(&work, n);
    s->u = take(&work, n);
    s->d = take(&work, n);
    s->z = take(&work, n);
    s->r = take(&work, n);
    s->y = take(&work, 2 * n);
    s->norm = take(&work, p->m);
    s->which = (int *)(void *)work;
    s->state = s->which + n;
    s->limit = p->iterations > 0 ? p->iterations : 20 * (n + p->m) + 100;
}

// ------------------------------------------------------------------------------------------ constraints

static const double *row(const solver *s, int i)
{
    return s->p->A + (size_t)i * (size_t)s->p->n;
}

static bool is_equation(const solver *s, int i)
{
    return s->p->low[i] == s->p->high[i];
}

// Sign of the normal of a constraint: it reads a x >= low at its lower limit, -a x >= -high at its upper limit.
static double sign_of(int side)
{
    return side > 0 ? -1.0 : 1.0;
}

static double limit_of(const solver *s, int i, int side)
{
    return side > 0 ? s->p->high[i] : s->p->low[i];
}

// a x - limit in the direction of the normal: negative when violated.
static double slack(const solver *s, int i, int side)
{
    return sign_of(side) * (dot(row(s, i), s->x, s->p->n) - limit_of(s, i, side));
}

// Size of the terms of a x - limit, by which rounding is measured.
static double scale_of(const solver *s, int i, int side)
{
    return s->norm[i] * sqrt(dot(s->x, s->x, s->p->n)) + fabs(limit_of(s, i, side));
}

// ------------------------------------------------------------------------------------------ factors

// J = L^-T, x0 = -H^-1 g. @return false when H is not safely positive definite
static bool factor(solver *s)
{
    int n = s->p->n;
    double *L = s->R;
    memcpy(L, s->p->H, (size_t)n * (size_t)n * sizeof *L);
    if (!ff_cholesky_factor(L, n)) return false;
    for (int i = 0; i < n; i++) // a pivot that is all rounding
        if (L[i * n + i] * L[i * n + i] <= 4.0 * n * DBL_EPSILON * s->p->H[i * n + i]) return false;
    for (int i = 0; i < n; i++) s->x0[i] = -s->p->g[i];
    ff_cholesky_solve(L, n, s->x0);
    for (int c = 0; c < n; c++) // column c of L^-T solves L' J_c = e_c: zero below the diagonal
        for (int i = n - 1; i >= 0; i--) {
            double sum = i == c ? 1.0 : 0.0;
            for (int k = i + 1; k <= c; k++) sum -= L[k * n + i] * s->J[k * n + c];
            s->J[i * n + c] = i > c ? 0.0 : sum / L[i * n + i];
        }
    return true;
}

// The rotation that turns (a, b) into (length, 0).
static double givens(double a, double b, double *c, double *sine)
{
    double length = sqrt(a * a + b * b);
    *c = length > 0.0 ? a / length : 1.0;
    *sine = length > 0.0 ? b / length : 0.0;
    return length;
}

static void rotate_columns(double *M, int n, int k, double c, double sine)
{
    for (int i = 0; i < n; i++) {
        double a = M[i * n + k], b = M[i * n + k + 1];
        M[i * n + k] = c * a + sine * b;
        M[i * n + k + 1] = c * b - sine * a;
    }
}

// d = J' c for the normal of constraint i.
static void project(solver *s, int i, int side)
{
    int n = s->p->n;
    const double *a = row(s, i);
    double sign = sign_of(side);
    for (int k = 0; k < n; k++) s->d[k] = 0.0;
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++) s->d[k] += sign * a[l] * s->J[l * n + k];
}

static bool depends(const solver *s)
{
    int n = s->p->n;
    double free = dot(s->d + s->q, s->d + s->q, n - s->q);
    return sqrt(free) <= DEPENDENT * sqrt(dot(s->d, s->d, n));
}

// x = R^-1 b
static void solve_upper(const solver *s, const double *b, double *x)
{
    int n = s->p->n;
    for (int i = s->q - 1; i >= 0; i--) {
        double sum = b[i];
        for (int k = i + 1; k < s->q; k++) sum -= s->R[i * n + k] * x[k];
        x[i] = sum / s->R[i * n + i];
    }
}

// x = R^-T b
static void solve_upper_transposed(const solver *s, const double *b, double *x)
{
    int n = s->p->n;
    for (int i = 0; i < s->q; i++) {
        double sum = b[i];
        for (int k = 0; k < i; k++) sum -= s->R[k * n + i] * x[k];
        x[i] = sum / s->R[i * n + i];
    }
}

// Takes the constraint whose d was just computed into the active set.
static void add(solver *s, int i, int side, double multiplier)
{
    int n = s->p->n;
    for (int k = n - 2; k >= s->q; k--) {
        double c, sine;
        s->d[k] = givens(s->d[k], s->d[k + 1], &c, &sine);
        rotate_columns(s->J, n, k, c, sine);
    }
    for (int k = 0; k <= s->q; k++) s->R[k * n + s->q] = s->d[k];
    s->which[s->q] = i;
    s->u[s->q] = multiplier;
    s->state[i] = side;
    s->q++;
    s->iterations++;
}

// Drops the active constraint number l: its column leaves R, and rotations of rows make R triangular again.
static void drop(solver *s, int l)
{
    int n = s->p->n;
    s->state[s->which[l]] = IDLE;
    s->q--;
    for (int j = l; j < s->q; j++) {
        s->which[j] = s->which[j + 1];
        s->u[j] = s->u[j + 1];
        for (int i = 0; i <= j + 1; i++) s->R[i * n + j] = s->R[i * n + j + 1];
    }
    for (int j = l; j < s->q; j++) {
        double c, sine;
        givens(s->R[j * n + j], s->R[(j + 1) * n + j], &c, &sine);
        for (int k = j; k < s->q; k++) {
            double a = s->R[j * n + k], b = s->R[(j + 1) * n + k];
            s->R[j * n + k] = c * a + sine * b;
            s->R[(j + 1) * n + k] = c * b - sine * a;
        }
        rotate_columns(s->J, n, j, c, sine);
    }
    s->iterations++;
}

// H x, of which only the lower triangle is given.
static double times_H(const solver *s, int i)
{
    int n = s->p->n;
    double sum = dot(s->p->H + i * n, s->x, i + 1);
    for (int k = i + 1; k < n; k++) sum += s->p->H[k * n + i] * s->x[k];
    return sum;
}

// Corrects x and u once by the error of H x + g - N u, by badly conditioned H and nearly dependent constraints.
static void correct_gradient(solver *s)
{
    int n = s->p->n;
    double *off = s->y, *turned = s->y + n;
    for (int i = 0; i < n; i++) off[i] = times_H(s, i) + s->p->g[i];
    for (int k = 0; k < s->q; k++) {
        const double *a = row(s, s->which[k]);
        for (int i = 0; i < n; i++) off[i] -= sign_of(s->state[s->which[k]]) * s->u[k] * a[i];
    }
    for (int k = 0; k < n; k++) {
        turned[k] = 0.0;
        for (int i = 0; i < n; i++) turned[k] += s->J[i * n + k] * off[i];
    }
    solve_upper(s, turned, s->r);
    for (int k = 0; k < s->q; k++) s->u[k] += s->r[k];
    for (int i = 0; i < n; i++) s->x[i] -= dot(s->J + i * n + s->q, turned + s->q, n - s->q);
}

// Computes x and u of the active set from the unconstrained minimum, corrected once by the errors of the constraints.
static void settle(solver *s)
{
    int n = s->p->n;
    double *off = s->y + n;
    memcpy(s->x, s->x0, (size_t)n * sizeof *s->x);
    for (int k = 0; k < s->q; k++) s->y[k] = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < s->q; k++) off[k] = -slack(s, s->which[k], s->state[s->which[k]]);
        solve_upper_transposed(s, off, s->r);
        for (int k = 0; k < s->q; k++) s->y[k] += s->r[k];
        for (int i = 0; i < n; i++) s->x[i] += dot(s->J + i * n, s->r, s->q);
    }
    solve_upper(s, s->y, s->u);
    correct_gradient(s);
}

// ------------------------------------------------------------------------------------------ the method

// Equations come first and stay. @return the number of one that contradicts those before it, -1 for none
static int add_equations(solver *s)
{
    for (int i = 0; i < s->p->m; i++) {
        if (!is_equation(s, i)) continue;
        project(s, i, -1);
        if (depends(s)) {
            settle(s);
            if (fabs(slack(s, i, -1)) > CERTAIN * scale_of(s, i, -1)) return i;
            s->state[i] = REDUNDANT;
            continue;
        }
        add(s, i, -1, 0.0);
        s->nequal = s->q;
    }
    settle(s);
    return -1;
}

// Drops constraints that would pull by more than `rounding` of the largest multiplier. @return whether there were any
static bool drop_pulling(solver *s, double rounding)
{
    for (bool any = false;; any = true) {
        double most = 0.0;
        int worst = -1;
        for (int k = 0; k < s->q; k++) most = ff_max(most, fabs(s->u[k]));
        for (int k = s->nequal; k < s->q; k++)
            if (s->u[k] < -rounding * most && (worst < 0 || s->u[k] < s->u[worst])) worst = k;
        if (worst < 0) return any;
        drop(s, worst);
        settle(s);
    }
}

// Adds the constraints of a guess that do not depend on each other, then drops those that would pull. The rest is the
// solution of a smaller problem, from which the method can continue.
static void add_guess(solver *s, const int *guess)
{
    for (int i = 0; i < s->p->m && s->q < s->p->n; i++) {
        int side = guess[i] < 0 ? -1 : 1;
        if (guess[i] == 0 || s->state[i] != IDLE || isinf(limit_of(s, i, side)) || s->norm[i] == 0.0) continue;
        project(s, i, side);
        if (!depends(s)) add(s, i, side, 0.0);
    }
    settle(s);
    drop_pulling(s, 0.0);
}

// The side of the constraint that is violated most, as a part of its terms. @return its number, -1 for none
static int most_violated(const solver *s, int *side)
{
    int worst = -1;
    double most = 0.0, length = sqrt(dot(s->x, s->x, s->p->n));
    for (int i = 0; i < s->p->m; i++) {
        if (s->state[i] == -1 || s->state[i] == 1 || is_equation(s, i)) continue;
        double value = dot(row(s, i), s->x, s->p->n), terms = s->norm[i] * length;
        double allowed = s->state[i] == REDUNDANT ? CERTAIN : FEASIBLE;
        double below = (s->p->low[i] - value) / (terms + fabs(s->p->low[i]));
        double above = (value - s->p->high[i]) / (terms + fabs(s->p->high[i]));
        // an open side gives NaN or less than zero, which no comparison lets pass
        if (below > allowed && below > most) {
            most = below;
            worst = i;
            *side = -1;
        }
        if (above > allowed && above > most) {
            most = above;
            worst = i;
            *side = 1;
        }
    }
    return worst;
}

// How far the multipliers can go before one is zero. @return its place in the active set, -1 for no bound
static int blocking(const solver *s, double *step)
{
    int at = -1;
    *step = INFINITY;
    for (int k = s->nequal; k < s->q; k++) {
        double possible = ff_max(s->u[k], 0.0) / s->r[k];
        if (s->r[k] > 0.0 && possible < *step) {
            *step = possible;
            at = k;
        }
    }
    return at;
}

static void move(solver *s, double step, bool primal)
{
    int n = s->p->n;
    for (int k = 0; k < s->q; k++) s->u[k] -= step * s->r[k];
    if (!primal) return;
    for (int i = 0; i < n; i++) s->x[i] += step * s->z[i];
}

typedef enum step_end { ADDED, SKIPPED, CONTRADICTION, OUT_OF_STEPS } step_end;

// Makes steps until a violated constraint holds.
static step_end satisfy(solver *s, int i, int side)
{
    int n = s->p->n;
    double multiplier = 0.0;
    while (s->iterations < s->limit) {
        double dual, primal = INFINITY;
        project(s, i, side);
        bool dependent = depends(s);
        solve_upper(s, s->d, s->r);
        int block = blocking(s, &dual);
        if (!dependent) {
            for (int k = 0; k < n; k++) s->z[k] = dot(s->J + k * n + s->q, s->d + s->q, n - s->q);
            primal = ff_max(-slack(s, i, side), 0.0) / dot(s->d + s->q, s->d + s->q, n - s->q);
        } else if (block < 0) {
            if (-slack(s, i, side) > CERTAIN * scale_of(s, i, side)) return CONTRADICTION;
            s->state[i] = REDUNDANT; // the active constraints imply it, up to rounding
            return SKIPPED;
        }
        double step = ff_min(dual, primal);
        move(s, step, !dependent);
        multiplier += step;
        if (primal <= dual) {
            add(s, i, side, multiplier);
            return ADDED;
        }
        drop(s, block);
    }
    return OUT_OF_STEPS;
}

static ff_qp_outcome iterate(solver *s, ff_qp_result *result)
{
    int side = 0, doubts = 0;
    bool settled = true;
    for (;;) {
        int i = most_violated(s, &side);
        if (i < 0) {
            if (settled) return FF_QP_SOLVED;
            settle(s); // afterwards there may be a violation or a wrong sign that rounding had hidden
            settled = !drop_pulling(s, PULLING) || s->iterations >= s->limit;
            continue;
        }
        settled = false;
        step_end end = s->norm[i] == 0.0 ? CONTRADICTION : satisfy(s, i, side);
        if (end == OUT_OF_STEPS) return FF_QP_ITERATIONS;
        if (end == SKIPPED) s->iterations++;
        if (end != CONTRADICTION) continue;
        // as nearly dependent constraints magnify errors of x, a contradiction must occur again after x is corrected
        if (doubts++ == CONTRADICTIONS) {
            result->constraint = i;
            return FF_QP_INFEASIBLE;
        }
        settle(s);
        drop_pulling(s, PULLING);
    }
}

// ------------------------------------------------------------------------------------------ the function

static bool good_numbers(const ff_qp *p)
{
    if (p->n < 0 || p->m < 0 || (p->m > 0 && !(p->A && p->low && p->high))) return false;
    if (!ff_all_finite(p->g, p->n) || !ff_all_finite(p->A, p->m * p->n)) return false;
    for (int i = 0; i < p->n; i++)
        if (!ff_all_finite(p->H + i * p->n, i + 1)) return false;
    for (int i = 0; i < p->m; i++)
        if (isnan(p->low[i]) || isnan(p->high[i]) || p->low[i] == INFINITY || p->high[i] == -INFINITY) return false;
    return true;
}

// Contradictions that need no method: limits in the wrong order, and rows of zeros whose limits leave out zero.
static int impossible_row(const solver *s)
{
    for (int i = 0; i < s->p->m; i++) {
        if (s->p->low[i] > s->p->high[i]) return i;
        if (s->norm[i] == 0.0 && (s->p->low[i] > 0.0 || s->p->high[i] < 0.0)) return i;
    }
    return -1;
}

static void report(const solver *s, double *multiplier, int *active, ff_qp_result *result)
{
    const ff_qp *p = s->p;
    for (int i = 0; i < p->m; i++) {
        if (multiplier) multiplier[i] = 0.0;
        if (active) active[i] = s->state[i] == REDUNDANT ? 0 : s->state[i];
    }
    for (int k = 0; k < s->q; k++) {
        int i = s->which[k];
        // what rounding leaves below zero is zero
        double u = k < s->nequal ? s->u[k] : ff_max(s->u[k], 0.0);
        if (multiplier) multiplier[i] = sign_of(s->state[i]) * u;
    }
    result->nactive = s->q;
    result->iterations = s->iterations;
    result->objective = dot(p->g, s->x, p->n);
    for (int i = 0; i < p->n; i++) {
        result->objective += 0.5 * p->H[i * p->n + i] * s->x[i] * s->x[i];
        result->objective += s->x[i] * dot(p->H + i * p->n, s->x, i);
    }
}

ff_status ff_qp_solve(const ff_qp *problem, double *x, double *multiplier, int *active, double *work,
                      ff_qp_result *result)
{
    solver s;
    *result = (ff_qp_result){.outcome = FF_QP_NOT_CONVEX, .constraint = -1};
    if (!good_numbers(problem)) return FF_BAD_ARGUMENT;
    lay_out(&s, problem, x, work);
    for (int i = 0; i < problem->m; i++) {
        s.norm[i] = sqrt(dot(row(&s, i), row(&s, i), problem->n));
        s.state[i] = IDLE;
    }
    for (int i = 0; i < problem->n; i++) x[i] = 0.0;
    if (!factor(&s)) return FF_OK;
    memcpy(x, s.x0, (size_t)problem->n * sizeof *x);
    result->constraint = impossible_row(&s);
    if (result->constraint < 0) result->constraint = add_equations(&s);
    if (result->constraint >= 0) {
        result->outcome = FF_QP_INFEASIBLE;
    } else {
        if (problem->warm && active) add_guess(&s, active);
        result->outcome = iterate(&s, result);
        if (result->outcome != FF_QP_SOLVED) settle(&s);
    }
    report(&s, multiplier, active, result);
    return FF_OK;
}
