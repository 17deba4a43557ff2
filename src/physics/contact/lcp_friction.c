// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Complementarity with friction. The cone of a contact is cut to a pyramid with the edges d_1 .. d_4 (D. E. Stewart, J.
// C. Trinkle, Int. J. Numerical Methods in Engineering 39, 1996; M. Anitescu, F. A. Potra, Nonlinear Dynamics 14,
// 1997). Unknown are the normal part f_n, the part beta_k along each edge, and the slip speed s that is left:
//     0 <= w_n                    _|_  f_n    >= 0        no approach, no pull
//     0 <= d_k . w_t + s          _|_  beta_k >= 0        friction against the slip
//     0 <= mu f_n - sum beta_k    _|_  s      >= 0        slip only at the limit
// with w = A f + b. The matrix is copositive, so Lemke's method ends with a solution where one exists. A pyramid holds
// 1/sqrt(2) weaker between its edges, so its answer is only the start of Newton's method on the round cone (cone.c).
// Where that does not converge, the pyramids are turned, an edge of each contact along its force or, sliding, against
// its slip, and all is repeated. Newton's method from zero forces is tried first: it often converges, and where
// contacts can share a load in many ways it gives the forces of equally stiff contacts. Lemke's method gives any, so
// that the motion of a box that slides and turns could alternate between them.
#include "contact/lcp.h"

enum { EDGES = 4, MOST = EDGES + 2, ROUNDS = 12 };
static const double CONVERGED = 1e-9; // distance to the cone that is good enough, relative to the largest velocity
enum { NORMAL, EDGE, BOUND };

typedef struct pyramid {
    const ff_friction_problem *p;
    double raise;    // part by which the mobility of each contact is raised
    int size;        // unknowns
    double *edge;    // first edge of each contact                                       (2 n)
    double *row;     // direction in which an unknown's w is measured, contact axes      (3 size)
    double *column;  // force that one unit of the unknown is, contact axes              (3 size)
    double *contact; // of each unknown                                                  (size)
    double *kind;    // NORMAL, EDGE, BOUND; whole numbers as doubles, to need one array (size)
    double *scale;   // unknown = scale times the one solved for                         (size)
    double *M, *c;   // of the problem in scaled unknowns
    double *z;       // its answer
    double *guess;   // forces                                                          (3 n)
    double *rest;    // work of the solvers
} pyramid;

size_t ff_lcp_friction_work(int n)
{
    size_t contacts = (size_t)n, size = MOST * contacts;
    size_t solver = ff_lcp_work(MOST * n), polish = ff_cone_work(n);
    return 5 * contacts + size * size + 11 * size + (solver > polish ? solver : polish);
}

static pyramid divide_work(const ff_friction_problem *p, double *work)
{
    size_t n = (size_t)p->n, size = MOST * n;
    pyramid y = {.p = p, .edge = work};
    y.row = y.edge + 2 * n;
    y.column = y.row + 3 * size;
    y.contact = y.column + 3 * size;
    y.kind = y.contact + size;
    y.scale = y.kind + size;
    y.c = y.scale + size;
    y.z = y.c + size;
    y.M = y.z + size;
    y.guess = y.M + size * size;
    y.rest = y.guess + 3 * n;
    return y;
}

static bool has_friction(const ff_friction_problem *p, int i)
{
    return p->mu[i] > 0.0 && !(p->slide && (p->slide[3 * i + 1] != 0.0 || p->slide[3 * i + 2] != 0.0));
}

/// a' A_ij b, A_ij the 3 x 3 block of contacts i and j.
static double block_product(const ff_friction_problem *p, int i, const double a[3], int j, const double b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        if (a[k] == 0.0) continue;
        const double *row = p->A + (size_t)(3 * i + k) * (size_t)(3 * p->n) + 3 * j;
        sum += a[k] * (row[0] * b[0] + row[1] * b[1] + row[2] * b[2]);
    }
    return sum;
}

/// a' D b, D the diagonal of the contact's own block.
static double own_part(const ff_friction_problem *p, int i, const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += a[k] * b[k] * p->A[(size_t)(3 * i + k) * (size_t)(3 * p->n + 1)];
    return sum;
}

static void add(pyramid *y, int contact, int kind, const double row[3], const double column[3])
{
    int k = y->size++;
    y->contact[k] = contact;
    y->kind[k] = kind;
    ff_vec3_copy(y->row + 3 * k, row);
    ff_vec3_copy(y->column + 3 * k, column);
    double own = block_product(y->p, contact, row, contact, column);
    // the slip is a speed, not a force: with the inverse scale it has the size of the others
    y->scale[k] = kind == BOUND ? 1.0 / y->scale[k - EDGES - 1] : own > 0.0 ? 1.0 / sqrt(own) : 1.0;
}

static void list_unknowns(pyramid *y)
{
    static const double none[3] = {0, 0, 0}, normal[3] = {1, 0, 0};
    const ff_friction_problem *p = y->p;
    y->size = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->idle && p->idle[i] != 0.0) continue;
        if (!has_friction(p, i)) { // no friction, or that of a slip whose direction is known
            double force[3] = {1.0, 0.0, 0.0};
            if (p->mu[i] > 0.0) ff_vec3_axpy(force, -p->mu[i], p->slide + 3 * i);
            add(y, i, NORMAL, normal, force);
            continue;
        }
        double a = y->edge[2 * i], b = y->edge[2 * i + 1];
        double edges[EDGES][3] = {{0, a, b}, {0, -b, a}, {0, -a, -b}, {0, b, -a}};
        add(y, i, NORMAL, normal, normal);
        for (int k = 0; k < EDGES; k++) add(y, i, EDGE, edges[k], edges[k]);
        add(y, i, BOUND, none, none);
    }
}

/// Entry of the matrix for unknowns of one contact, of which one at least is the slip.
static double bound_entry(const pyramid *y, int row, int column)
{
    if (y->kind[row] == BOUND && y->kind[column] == NORMAL) return y->p->mu[(int)y->contact[row]];
    if (y->kind[row] == BOUND && y->kind[column] == EDGE) return -1.0;
    return y->kind[row] == EDGE ? 1.0 : 0.0;
}

static void fill_matrix(pyramid *y)
{
    const ff_friction_problem *p = y->p;
    int n = y->size;
    for (int a = 0; a < n; a++) {
        int i = (int)y->contact[a];
        bool bound = y->kind[a] == BOUND;
        double own = ff_vec3_dot(y->row + 3 * a, p->b + 3 * i);
        if (bound && p->given) own = p->mu[i] * p->given[i];
        y->c[a] = y->scale[a] * own;
        for (int b = 0; b < n; b++) {
            int j = (int)y->contact[b];
            double entry = 0.0;
            if (!bound && y->kind[b] != BOUND)
                entry = block_product(p, i, y->row + 3 * a, j, y->column + 3 * b) +
                        (i == j ? y->raise * own_part(p, i, y->row + 3 * a, y->column + 3 * b) : 0.0);
            else if (i == j)
                entry = bound_entry(y, a, b);
            y->M[(size_t)a * (size_t)n + (size_t)b] = y->scale[a] * y->scale[b] * entry;
        }
    }
}

static void collect(const pyramid *y, double *f)
{
    for (int i = 0; i < 3 * y->p->n; i++) f[i] = 0.0;
    for (int k = 0; k < y->size; k++)
        ff_vec3_axpy(f + 3 * (int)y->contact[k], y->scale[k] * y->z[k], y->column + 3 * k);
}

static double length2(const double *a)
{
    return sqrt(a[0] * a[0] + a[1] * a[1]);
}

/// Turns an edge of each pyramid along the force found.
static void turn_pyramids(pyramid *y, const double *f)
{
    const ff_friction_problem *p = y->p;
    double load = 0.0;
    for (int i = 0; i < 3 * p->n; i++) load = ff_max(load, fabs(p->b[i]));
    for (int i = 0; i < p->n; i++) {
        if (!has_friction(p, i)) continue;
        double w[2] = {p->b[3 * i + 1], p->b[3 * i + 2]}, normal = f[3 * i] + (p->given ? p->given[i] : 0.0);
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 3 * p->n; l++)
                w[k] += p->A[(size_t)(3 * i + 1 + k) * (size_t)(3 * p->n) + (size_t)l] * f[l];
        // friction between two edges is nearer to the answer than the slip, which then lies half-way between them
        double slip = length2(w), force = length2(f + 3 * i + 1), *edge = y->edge + 2 * i;
        bool between_edges = force < (1.0 - 1e-9) * p->mu[i] * normal;
        if (force > 1e-9 * normal && (between_edges || !(slip > 1e-9 * load)))
            edge[0] = f[3 * i + 1] / force, edge[1] = f[3 * i + 2] / force;
        else if (slip > 1e-9 * load)
            edge[0] = -w[0] / slip, edge[1] = -w[1] / slip;
    }
}

/// First edges: against the slip without friction.
static void start_edges(pyramid *y)
{
    const ff_friction_problem *p = y->p;
    for (int i = 0; i < p->n; i++) {
        const double *slip = p->b + 3 * i + 1;
        double size = length2(slip);
        y->edge[2 * i] = size > 0.0 ? -slip[0] / size : 1.0;
        y->edge[2 * i + 1] = size > 0.0 ? -slip[1] / size : 0.0;
    }
}

/// Lemke's method, which rounding can make deviate where there are more contacts than degrees of freedom (a robot on
/// its belly and six feet). Then contacts are made more compliant, by 1e-8 to 1e-4; the steps on the cone correct that.
static ff_status solve_pyramids(pyramid *y, ff_error *err)
{
    static const double raises[] = {0.0, 1e-8, 1e-6, 1e-4};
    ff_status status = FF_SOLVER;
    list_unknowns(y);
    for (int k = 0; k < 4 && status == FF_SOLVER; k++) {
        y->raise = raises[k];
        fill_matrix(y);
        status = ff_lcp_rough(y->size, y->M, y->c, y->z, y->rest, err);
    }
    return status;
}

static void keep_better(const ff_friction_problem *p, const double *guess, double off, double *f, double *best)
{
    if (!(off < *best)) return;
    *best = off;
    memcpy(f, guess, sizeof(double) * 3 * (size_t)p->n);
}

ff_status ff_friction_solve(const ff_friction_problem *p, double *f, double *work, ff_error *err)
{
    for (int i = 0; i < 3 * p->n; i++) f[i] = 0.0;
    for (int i = 0; i < p->n; i++)
        if (!(p->mu[i] >= 0.0) || !isfinite(p->mu[i]))
            return ff_error_set(err, FF_BAD_ARGUMENT,
                                "the friction coefficient of contact %d is %g: zero or more is needed", i, p->mu[i]);
    pyramid y = divide_work(p, work);
    start_edges(&y);
    bool round_cone = false, slides = false;
    for (int i = 0; i < p->n; i++) {
        round_cone = round_cone || has_friction(p, i);
        slides = slides || p->mu[i] > 0.0;
    }
    double best = INFINITY;
    // Where nearly all contacts stick, as under a robot that stands, Newton's method is enough, at most after some
    // sweeps
    static const int sweeps[] = {0, 10, 30, 100};
    static const double compliance[] = {1e-9, 1e-6, 1e-4, 1e-3};
    for (int k = 0; slides && k < 4 && best > CONVERGED; k++) {
        for (int i = 0; i < 3 * p->n; i++) y.guess[i] = 0.0;
        ff_cone_sweep(p, y.guess, sweeps[k]);
        const double off = ff_cone_polish(p, compliance[k], y.guess, y.rest);
        if (off < CONVERGED) keep_better(p, y.guess, off, f, &best);
    }
    for (int round = 0; round < ROUNDS && best > CONVERGED; round++) {
        ff_error problem = {0};
        ff_status status = solve_pyramids(&y, &problem);
        if (status != FF_OK && round > 0) break; // an earlier pyramid has given an answer
        if (status != FF_OK) return ff_error_set(err, status, "%s", problem.text);
        collect(&y, y.guess);
        keep_better(p, y.guess, ff_cone_distance(p, y.guess, y.rest), f, &best);
        if (!round_cone) break;
        turn_pyramids(&y, y.guess);
        keep_better(p, y.guess, ff_cone_polish(p, round % 2 ? 1e-4 : 1e-9, y.guess, y.rest), f, &best);
    }
    for (int i = 0; i < p->n; i++) { // open contacts have no force, in spite of rounding
        double normal = ff_max(0.0, f[3 * i]);
        if (!(normal + (p->given ? p->given[i] : 0.0) > 0.0)) f[3 * i + 1] = f[3 * i + 2] = 0.0;
        f[3 * i] = normal;
    }
    return FF_OK;
}

ff_status ff_lcp_friction(int n, const double *A, const double *b, const double *mu, const double *slide, double *f,
                          double *work, ff_error *err)
{
    const ff_friction_problem p = {.n = n, .A = A, .b = b, .mu = mu, .slide = slide};
    return ff_friction_solve(&p, f, work, err);
}
