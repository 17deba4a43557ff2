// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts as jumps of velocity: j = -(1 + e) u / A for one contact, and two ways to treat several, which differ: three balls in a row give 0, 0, v
// when the blow propagates and -v/3, 2v/3, 2v/3 when all is simultaneous. Both keep momentum and, with e = 1, energy.
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

static void apply(const double A[9], double u[3], const double j[3])
{
    double change[3];
    ff_mat3_mulv(change, A, j);
    ff_vec3_add(u, u, change);
}

/// Impulse that turns u into (-e u_n, 0, 0); false when A is singular.
static bool sticking(const double A[9], const double u[3], double e, double j[3])
{
    double LU[9];
    int order[3];
    memcpy(LU, A, sizeof LU);
    if (!ff_lu_factor(LU, order, 3)) return false;
    ff_vec3_set(j, -(1.0 + e) * u[0], -u[1], -u[2]);
    ff_lu_solve(LU, order, 3, j);
    return true;
}

ff_status ff_impulse_one(const double A[9], double u[3], double e, double mu, double j[3], ff_error *err)
{
    ff_vec3_set(j, 0.0, 0.0, 0.0);
    if (u[0] >= 0.0) return FF_OK;
    if (!(A[0] > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the contact has no mobility along its normal (A = %g)", A[0]);
    double wanted = -(1.0 + e) * u[0];
    if (mu > 0.0 && sticking(A, u, e, j) && j[0] >= 0.0 && hypot(j[1], j[2]) <= mu * j[0]) {
        apply(A, u, j);
        return FF_OK;
    }
    // Sliding along t: A_nn j + A_nt (-mu j) t = wanted. Where friction would jam the contact (nothing left of A_nn), the normal impulse is
    // that without friction.
    double slip = hypot(u[1], u[2]), t1 = slip > 0.0 ? u[1] / slip : 0.0, t2 = slip > 0.0 ? u[2] / slip : 0.0;
    double mobility = A[0] - mu * (A[1] * t1 + A[2] * t2);
    j[0] = wanted / (mobility > 1e-3 * A[0] ? mobility : A[0]);
    j[1] = -mu * j[0] * t1;
    j[2] = -mu * j[0] * t2;
    apply(A, u, j);
    return FF_OK;
}

/// Speed below which a contact counts as resting.
static double still(int n, const double *u)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(u[i]));
    return 1e-11 * most;
}

ff_status ff_impulse_propagate(int n, const double *A, const double *e, double *u, double *j, ff_error *err)
{
    double rest = still(n, u);
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
    double rest = still(n, u), *b = work + ff_lcp_work(n) - 2 * (size_t)n, *idle = b + n;
    int rounds = 100 + n;
    for (int i = 0; i < n; i++) j[i] = 0.0;
    for (int round = 0; round < rounds; round++) {
        bool any = false;
        for (int i = 0; i < n; i++) any = any || u[i] < -rest;
        if (!any) return FF_OK;
        for (int i = 0; i < n; i++) {
            b[i] = (1.0 + e[i]) * u[i];
            idle[i] = u[i] > rest; // a contact that separates takes no part: held back, it would gain energy
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
