// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's conditions on the round cone as equations without inequalities (P. Alart, A. Curnier, Computer Methods in
// Applied Mechanics and Engineering 92, 1991), for contacts whose forces are nearly known:
//     f_n = max(0, y_n),      f_t = y_t cut to the length mu f_n,      y = f - r w,   w = A f + b,   r = 1/A_nn
// They are solved by Newton's method. Each step keeps the present modes of contacts: open, sticking or sliding. From
// the answer of a friction pyramid a few steps are enough.
#include "contact/lcp.h"

enum { STEPS = 20 };

typedef struct cone {
    const ff_friction_problem *p;
    int size;          // 3 n
    double *w;         // (3n)
    double compliance; // see row_still
    double *K;         // rows of the step's equations with their right-hand sides   (3n x (3n + 1))
} cone;

/// w = A f + b
static void velocities(const cone *c, const double *f)
{
    for (int i = 0; i < c->size; i++) {
        const double *row = c->p->A + (size_t)i * (size_t)c->size;
        c->w[i] = c->p->b[i];
        for (int k = 0; k < c->size; k++) c->w[i] += row[k] * f[k];
    }
}

/// Present state of one contact: y, and the largest friction.
typedef struct friction_row {
    bool takes_part, pressed, sticks; // pressed: y_n > 0
    const double *slide;              // direction of its slip where that is given
    double r, y[3], length, radius;
} friction_row;

static friction_row row_of(const cone *c, int i, const double *f)
{
    const ff_friction_problem *p = c->p;
    double mobility = p->A[(size_t)(3 * i) * (size_t)c->size + (size_t)(3 * i)];
    friction_row g = {.takes_part = !(p->idle && p->idle[i] != 0.0) && mobility > 0.0};
    if (!g.takes_part) return g;
    if (p->slide && (p->slide[3 * i + 1] != 0.0 || p->slide[3 * i + 2] != 0.0)) g.slide = p->slide + 3 * i;
    g.r = 1.0 / mobility;
    for (int k = 0; k < 3; k++) g.y[k] = f[3 * i + k] - g.r * c->w[3 * i + k];
    g.pressed = g.y[0] > 0.0;
    g.radius = p->mu[i] * ((g.pressed ? g.y[0] : 0.0) + (p->given ? p->given[i] : 0.0));
    g.length = sqrt(g.y[1] * g.y[1] + g.y[2] * g.y[2]);
    g.sticks = g.radius > 0.0 && g.length <= g.radius;
    return g;
}

/// How far contact i is from its equations [velocity].
static double distance(const cone *c, int i, const double *f)
{
    friction_row g = row_of(c, i, f);
    if (!g.takes_part) return 0.0;
    double cut = g.sticks || g.length == 0.0 ? 1.0 : g.radius / g.length;
    double worst = fabs(f[3 * i] - (g.pressed ? g.y[0] : 0.0));
    for (int k = 1; k < 3; k++) {
        double friction = g.slide ? -c->p->mu[i] * f[3 * i] * g.slide[k] : cut * g.y[k];
        worst = ff_max(worst, fabs(f[3 * i + k] - friction));
    }
    return worst / g.r;
}

double ff_cone_distance(const ff_friction_problem *p, const double *f, double *work)
{
    cone c = {.p = p, .size = 3 * p->n, .w = work};
    double worst = 0.0, load = 0.0;
    velocities(&c, f);
    for (int i = 0; i < c.size; i++) load = ff_max(load, fabs(p->b[i]));
    for (int i = 0; i < p->n; i++) worst = ff_max(worst, distance(&c, i, f));
    return load > 0.0 ? worst / load : 0.0;
}

/// Row k of contact i: r w = 0. Where legs share a load A has no inverse. A larger diagonal selects one of the many
/// answers. Since w is computed with A itself the steps still converge to an exact answer, but more slowly.
static void row_at_rest(const cone *c, int i, int k, double r, double *row)
{
    for (int l = 0; l < c->size; l++) row[l] = r * c->p->A[(size_t)(3 * i + k) * (size_t)c->size + (size_t)l];
    row[3 * i + k] *= 1.0 + c->compliance;
    row[c->size] = -r * c->w[3 * i + k];
}

/// f_t = radius y_t/|y_t|, linearised about the present state; both rows of contact i.
static void rows_slide(const cone *c, int i, const friction_row *g, const double *f, double *row1, double *row2)
{
    const double e[2] = {g->y[1] / g->length, g->y[2] / g->length}, cut = g->radius / g->length;
    double *rows[2] = {row1, row2};
    const double *A = c->p->A + (size_t)(3 * i) * (size_t)c->size;
    for (int k = 0; k < 2; k++) {
        for (int l = 0; l < c->size; l++) {
            double dy[3];
            for (int a = 0; a < 3; a++) dy[a] = (l == 3 * i + a) - g->r * A[(size_t)a * (size_t)c->size + (size_t)l];
            double along = e[0] * dy[1] + e[1] * dy[2], radius = g->pressed ? c->p->mu[i] * dy[0] : 0.0;
            rows[k][l] = (l == 3 * i + 1 + k) - e[k] * radius - cut * (dy[1 + k] - e[k] * along);
        }
        rows[k][c->size] = g->radius * e[k] - f[3 * i + 1 + k];
    }
}

/// The linear equations of a Newton step from the forces f -> K.
static void equations(const cone *c, const double *f)
{
    const size_t width = (size_t)c->size + 1;
    memset(c->K, 0, sizeof(double) * (size_t)c->size * width);
    for (int i = 0; i < c->p->n; i++) {
        friction_row g = row_of(c, i, f);
        double *row[3];
        for (int k = 0; k < 3; k++) {
            row[k] = c->K + (size_t)(3 * i + k) * width;
            row[k][3 * i + k] = 1.0; // f = 0, unless it is replaced below
            row[k][c->size] = -f[3 * i + k];
        }
        if (g.pressed) row_at_rest(c, i, 0, g.r, row[0]);
        if (g.slide) {
            for (int k = 1; k < 3; k++) {
                row[k][3 * i] = c->p->mu[i] * g.slide[k];
                row[k][c->size] -= row[k][3 * i] * f[3 * i];
            }
        } else if (g.sticks) {
            row_at_rest(c, i, 1, g.r, row[1]);
            row_at_rest(c, i, 2, g.r, row[2]);
        } else if (g.radius > 0.0) {
            rows_slide(c, i, &g, f, row[1], row[2]);
        }
    }
}

/// Gauss elimination with row exchange; the answer is in the last column. False when singular.
static bool eliminate(double *K, int n)
{
    const size_t width = (size_t)n + 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(K[(size_t)i * width + (size_t)k]) > fabs(K[(size_t)best * width + (size_t)k])) best = i;
        double *p = K + (size_t)k * width, *q = K + (size_t)best * width;
        if (!(fabs(q[k]) > 1e-14)) return false;
        for (size_t l = 0; p != q && l < width; l++) {
            double swap = p[l];
            p[l] = q[l];
            q[l] = swap;
        }
        for (int i = 0; i < n; i++) {
            double *row = K + (size_t)i * width, factor = row[k] / p[k];
            if (i == k || factor == 0.0) continue;
            for (size_t l = (size_t)k; l < width; l++) row[l] -= factor * p[l];
        }
    }
    for (int k = 0; k < n; k++) K[(size_t)k * width + (size_t)n] /= K[(size_t)k * width + (size_t)k];
    return true;
}

/// Projected Gauss-Seidel: each contact in turn gets y cut to its cone, with r of the tangents by their own mobility.
/// It converges slowly, but is never far from the answer.
void ff_cone_sweep(const ff_friction_problem *p, double *f, int sweeps)
{
    const size_t size = 3 * (size_t)p->n;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < p->n; i++) {
            const double *A = p->A + 3 * (size_t)i * size, *block = A + 3 * i;
            double *g = f + 3 * i, w[3];
            if ((p->idle && p->idle[i] != 0.0) || !(block[0] > 0.0)) continue;
            for (size_t k = 0; k < 3; k++) {
                w[k] = p->b[3 * i + (int)k];
                for (size_t l = 0; l < size; l++) w[k] += A[k * size + l] * f[l];
            }
            const double mobility = ff_max(block[size + 1], block[2 * size + 2]);
            g[0] = ff_max(0.0, g[0] - w[0] / block[0]);
            const double limit = p->mu[i] * (g[0] + (p->given ? p->given[i] : 0.0));
            if (p->slide && (p->slide[3 * i + 1] != 0.0 || p->slide[3 * i + 2] != 0.0)) {
                for (int k = 1; k < 3; k++) g[k] = -p->mu[i] * g[0] * p->slide[3 * i + k];
                continue;
            }
            for (int k = 1; k < 3; k++) g[k] = mobility > 0.0 ? g[k] - w[k] / mobility : 0.0;
            const double length = sqrt(g[1] * g[1] + g[2] * g[2]);
            for (int k = 1; k < 3 && length > limit; k++) g[k] *= limit / length;
        }
}

size_t ff_cone_work(int n)
{
    size_t size = 3 * (size_t)n;
    return size + size * (size + 1);
}

double ff_cone_polish(const ff_friction_problem *p, double compliance, double *f, double *work)
{
    cone c = {.p = p, .size = 3 * p->n, .w = work, .compliance = compliance, .K = work + 3 * p->n};
    double off = ff_cone_distance(p, f, work);
    for (int step = 0; step < STEPS && off > 1e-15; step++) {
        velocities(&c, f);
        equations(&c, f);
        if (!eliminate(c.K, c.size)) return off;
        for (int i = 0; i < c.size; i++) f[i] += c.K[(size_t)i * ((size_t)c.size + 1) + (size_t)c.size];
        double next = ff_cone_distance(p, f, work);
        if (next < 1e-10 && next >= 0.5 * off) return next; // as exact as rounding allows
        off = next;
        if (!isfinite(off)) return INFINITY;
    }
    return off;
}
