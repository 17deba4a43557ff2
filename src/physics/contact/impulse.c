// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts as jumps of velocity: j = -(1 + e) u / A for one contact, and two ways to treat several, which differ: three
// balls in a row give 0, 0, v when the blow propagates and -v/3, 2v/3, 2v/3 when all is simultaneous. Both keep
// momentum and, with e = 1, energy.
//
// With friction the same two views: one contact after the other, each with its cone, or all at once. The second has two
// phases (Poisson): compression ends when nothing approaches, restitution gives e times its normal impulses back; in
// both friction acts by Coulomb. Without friction and with one e for all it is what ff_impulse_simultaneous gives.
#include "contact/lcp.h"

void ff_delassus(int n, int nv, const double *J, const double *M_inverse, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < nv; k++) {
                double part = 0.0;
                for (int l = 0; l < nv; l++) part += M_inverse[k * nv + l] * J[j * nv + l];
                sum += J[i * nv + k] * part;
            }
            A[i * n + j] = A[j * n + i] = sum;
        }
}

/// u += A j
static void add_change(const double A[9], double u[3], const double j[3])
{
    double change[3];
    ff_mat3_mulv(change, A, j);
    ff_vec3_add(u, u, change);
}

/// Impulse that turns u into (-e u_n, 0, 0); false when A is singular. With B = A^-1 the kinetic energy changes by
/// (B_nn e^2 u_n^2 - u' B u) / 2: where slip has to be stopped through the normal (A couples the two), e is lowered so
/// far that nothing is gained.
static bool sticking_impulse(const double A[9], const double u[3], double e, double j[3])
{
    double LU[9], Bu[3], Bn[3] = {1.0, 0.0, 0.0};
    int order[3];
    memcpy(LU, A, sizeof LU);
    if (!ff_lu_factor(LU, order, 3)) return false;
    ff_vec3_copy(Bu, u);
    ff_lu_solve(LU, order, 3, Bu);
    ff_lu_solve(LU, order, 3, Bn);
    double before = ff_vec3_dot(u, Bu), after = Bn[0] * u[0] * u[0];
    if (e * e * after > before) e = sqrt(ff_max(0.0, before / after));
    for (int i = 0; i < 3; i++) j[i] = -Bu[i] - e * u[0] * Bn[i];
    return true;
}

static double length2(double a, double b)
{
    return sqrt(a * a + b * b);
}

ff_status ff_impulse_one(const double A[9], double u[3], double e, double mu, double j[3], ff_error *err)
{
    ff_vec3_set(j, 0.0, 0.0, 0.0);
    if (u[0] >= 0.0) return FF_OK;
    if (!(A[0] > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the contact has no mobility along its normal (A = %g)", A[0]);
    double wanted = -(1.0 + e) * u[0];
    if (mu > 0.0 && sticking_impulse(A, u, e, j) && j[0] >= 0.0 && length2(j[1], j[2]) <= mu * j[0]) {
        add_change(A, u, j);
        return FF_OK;
    }
    // Sliding along t, j = j_n s with s = (1, -mu t): A_n . s j_n = wanted. Where friction would jam the contact
    // (A_n . s near zero), the normal impulse is that without friction; beyond -2 s . u / (s . A s) a slip that was
    // reversed would gain energy.
    double slip = length2(u[1], u[2]), t1 = slip > 0.0 ? u[1] / slip : 0.0, t2 = slip > 0.0 ? u[2] / slip : 0.0;
    double s[3] = {1.0, -mu * t1, -mu * t2}, As[3];
    ff_mat3_mulv(As, A, s);
    double most = -2.0 * ff_vec3_dot(s, u) / ff_vec3_dot(s, As);
    double size = wanted / (As[0] > 1e-3 * A[0] ? As[0] : A[0]);
    if (ff_vec3_dot(s, As) > 0.0 && size > most) size = most;
    ff_vec3_scale(j, s, size);
    add_change(A, u, j);
    return FF_OK;
}

/// Speed below which a contact counts as resting.
static double resting_speed(int n, const double *u)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = ff_max(most, fabs(u[i]));
    return 1e-11 * most;
}

ff_status ff_impulse_propagate(int n, const double *A, const double *e, double *u, double *j, ff_error *err)
{
    double rest = resting_speed(n, u);
    long limit = 100000 + 1000L * n;
    for (int i = 0; i < n; i++) j[i] = 0.0;
    for (long count = 0; count < limit; count++) {
        int hit = -1;
        for (int i = 0; i < n; i++)
            if (u[i] < -rest && (hit < 0 || u[i] < u[hit])) hit = i;
        if (hit < 0) return FF_OK;
        double mobility = A[hit * n + hit];
        if (!(mobility > 0.0))
            return ff_error_set(err, FF_BAD_ARGUMENT, "contact %d approaches at %g m/s and has no mobility", hit,
                                -u[hit]);
        double blow = -(1.0 + e[hit]) * u[hit] / mobility;
        j[hit] += blow;
        for (int i = 0; i < n; i++) u[i] += A[i * n + hit] * blow;
    }
    return ff_error_set(err, FF_SOLVER, "%d contacts still approach each other after %ld single impacts", n, limit);
}

ff_status ff_impulse_simultaneous(int n, const double *A, const double *e, double *u, double *j, double *work,
                                  ff_error *err)
{
    double rest = resting_speed(n, u), *b = work + ff_lcp_work(n) - 2 * (size_t)n, *idle = b + n;
    int rounds = 100 + n;
    for (int i = 0; i < n; i++) j[i] = 0.0;
    for (int round = 0; round < rounds; round++) {
        bool any = false;
        for (int i = 0; i < n; i++) any = any || u[i] < -rest;
        if (!any) return FF_OK;
        for (int i = 0; i < n; i++) {
            b[i] = (1.0 + e[i]) * u[i];
            idle[i] = u[i] > rest; // held back, a contact that separates would gain energy
        }
        double *f = work + ff_lcp_work(n) - 3 * (size_t)n;
        ff_status status = ff_lcp_part(n, A, b, idle, f, work, err);
        if (status != FF_OK) return status;
        for (int i = 0; i < n; i++) {
            j[i] += f[i];
            for (int k = 0; k < n; k++) u[i] += A[i * n + k] * f[k];
        }
    }
    return ff_error_set(err, FF_SOLVER, "%d contacts still approach each other after %d rounds", n, rounds);
}

// ------------------------------------------------------------------------------------------ with friction

// Contacts that throw each other back and forth get this many rounds; those that still approach are then stopped
// without a bounce, which loses energy and is always possible. Of 5000 random mechanisms with mu up to 2.4 six need
// that.
enum { BOUNCES = 50 };

/// u += A_k j, the three columns of one contact.
static void apply_impulse(int n, const double *A, int contact, const double j[3], double *u)
{
    for (int i = 0; i < 3 * n; i++) u[i] += ff_vec3_dot(A + (size_t)i * (size_t)(3 * n) + 3 * contact, j);
}

ff_status ff_impulse_propagate_friction(int n, const double *A, const double *e, const double *mu, double *u, double *j,
                                        ff_error *err)
{
    double rest = resting_speed(3 * n, u);
    long limit = 100000 + 1000L * n;
    for (int i = 0; i < 3 * n; i++) j[i] = 0.0;
    for (long count = 0; count < limit; count++) {
        int hit = -1;
        for (int i = 0; i < n; i++)
            if (u[3 * i] < -rest && (hit < 0 || u[3 * i] < u[3 * hit])) hit = i;
        if (hit < 0) return FF_OK;
        double block[9], own[3], blow[3];
        for (int k = 0; k < 3; k++) ff_vec3_copy(block + 3 * k, A + (size_t)(3 * hit + k) * (size_t)(3 * n) + 3 * hit);
        ff_vec3_copy(own, u + 3 * hit);
        ff_status status = ff_impulse_one(block, own, e[hit], mu[hit], blow, err);
        if (status != FF_OK) return status;
        ff_vec3_add(j + 3 * hit, j + 3 * hit, blow);
        apply_impulse(n, A, hit, blow, u);
    }
    return ff_error_set(err, FF_SOLVER, "%d contacts still approach each other after %ld single impacts", n, limit);
}

size_t ff_impulse_friction_work(int n)
{
    return ff_lcp_friction_work(n) + 5 * (size_t)n;
}

/// Compression and restitution of the contacts that are not idle: adds to u and j. `e` NULL: no restitution.
static ff_status solve_round(ff_friction_problem *p, const double *e, double *u, double *j, double *f, double *given,
                             double *work, ff_error *err)
{
    bool any = false;
    p->given = NULL;
    ff_status status = ff_friction_solve(p, f, work, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < p->n; i++) {
        apply_impulse(p->n, p->A, i, f + 3 * i, u);
        ff_vec3_add(j + 3 * i, j + 3 * i, f + 3 * i);
        given[i] = e ? e[i] * f[3 * i] : 0.0;
        any = any || given[i] > 0.0;
    }
    if (!any) return FF_OK;
    for (int i = 0; i < p->n; i++) {
        apply_impulse(p->n, p->A, i, (double[3]){given[i], 0.0, 0.0}, u);
        j[3 * i] += given[i];
    }
    p->given = given;
    status = ff_friction_solve(p, f, work, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < p->n; i++) {
        apply_impulse(p->n, p->A, i, f + 3 * i, u);
        ff_vec3_add(j + 3 * i, j + 3 * i, f + 3 * i);
    }
    return FF_OK;
}

ff_status ff_impulse_simultaneous_friction(int n, const double *A, const double *e, const double *mu, double *u,
                                           double *j, double *work, ff_error *err)
{
    double rest = resting_speed(3 * n, u), *idle = work + ff_lcp_friction_work(n), *given = idle + n, *f = given + n;
    for (int i = 0; i < 3 * n; i++) j[i] = 0.0;
    for (int round = 0; round <= BOUNCES; round++) {
        bool any = false, last = round == BOUNCES;
        for (int i = 0; i < n; i++) {
            any = any || u[3 * i] < -rest;
            idle[i] = !last && u[3 * i] > rest; // held back, a contact that separates would gain energy
        }
        if (!any) return FF_OK;
        ff_friction_problem p = {.n = n, .A = A, .b = u, .mu = mu, .idle = idle};
        ff_status status = solve_round(&p, last ? NULL : e, u, j, f, given, work, err);
        if (status != FF_OK) return status;
    }
    return FF_OK;
}
