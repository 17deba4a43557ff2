// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts at several contacts with friction, by the same two views as without: one contact after the other, each with
// its cone, or all at once. The second has two phases (Poisson): compression ends when nothing approaches, restitution
// gives e times its normal impulses back; in both friction acts by Coulomb. Without friction and with one e for all it
// is what ff_impulse_simultaneous gives.
#include "contact/lcp.h"

// Contacts that throw each other back and forth get this many rounds; what still approaches then is stopped without a
// bounce, which loses energy and is always possible. Of 5000 random mechanisms with mu up to 2.4 six come that far.
enum { BOUNCES = 50 };

/// Speed below which a contact counts as resting.
static double still(int n, const double *u)
{
    double most = 0.0;
    for (int i = 0; i < 3 * n; i++) most = ff_max(most, fabs(u[i]));
    return 1e-11 * most;
}

/// u += A_k j, the three columns of one contact.
static void spread(int n, const double *A, int contact, const double j[3], double *u)
{
    for (int i = 0; i < 3 * n; i++) u[i] += ff_vec3_dot(A + (size_t)i * (size_t)(3 * n) + 3 * contact, j);
}

ff_status ff_impulse_propagate_friction(int n, const double *A, const double *e, const double *mu, double *u, double *j,
                                        ff_error *err)
{
    double rest = still(n, u);
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
        spread(n, A, hit, blow, u);
    }
    return ff_error_set(err, FF_SOLVER, "%d contacts still approach each other after %ld single impacts", n, limit);
}

size_t ff_impulse_friction_work(int n)
{
    return ff_lcp_friction_work(n) + 5 * (size_t)n;
}

/// Both phases for the contacts that are not idle; u and j go on. `e` NULL: no restitution.
static ff_status round_of(ff_friction_problem *p, const double *e, double *u, double *j, double *f, double *given,
                          double *work, ff_error *err)
{
    bool any = false;
    p->given = NULL;
    ff_status status = ff_friction_solve(p, f, work, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < p->n; i++) {
        spread(p->n, p->A, i, f + 3 * i, u);
        ff_vec3_add(j + 3 * i, j + 3 * i, f + 3 * i);
        given[i] = e ? e[i] * f[3 * i] : 0.0;
        any = any || given[i] > 0.0;
    }
    if (!any) return FF_OK;
    for (int i = 0; i < p->n; i++) {
        spread(p->n, p->A, i, (double[3]){given[i], 0.0, 0.0}, u);
        j[3 * i] += given[i];
    }
    p->given = given;
    status = ff_friction_solve(p, f, work, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < p->n; i++) {
        spread(p->n, p->A, i, f + 3 * i, u);
        ff_vec3_add(j + 3 * i, j + 3 * i, f + 3 * i);
    }
    return FF_OK;
}

ff_status ff_impulse_simultaneous_friction(int n, const double *A, const double *e, const double *mu, double *u,
                                           double *j, double *work, ff_error *err)
{
    double rest = still(n, u), *idle = work + ff_lcp_friction_work(n), *given = idle + n, *f = given + n;
    for (int i = 0; i < 3 * n; i++) j[i] = 0.0;
    for (int round = 0; round <= BOUNCES; round++) {
        bool any = false, last = round == BOUNCES;
        for (int i = 0; i < n; i++) {
            any = any || u[3 * i] < -rest;
            idle[i] =
                !last && u[3 * i] > rest; // a contact that separates takes no part: held back, it would gain energy
        }
        if (!any) return FF_OK;
        ff_friction_problem p = {.n = n, .A = A, .b = u, .mu = mu, .idle = idle};
        ff_status status = round_of(&p, last ? NULL : e, u, j, f, given, work, err);
        if (status != FF_OK) return status;
    }
    return FF_OK;
}
