// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Newton's change with the whole slope of the contacts. The matrix A holds its symmetric and positive part, which is
// what factors along the branches. The rest, E, is small in rank: where a point slides, its friction follows the normal
// force, and where its damper grows with the depth, friction follows the depth. Leaving it out makes the iteration
// circle with a rate near 1 at hard contacts. The system with E is solved by the method of generalised minimal
// residuals (Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7, 1986), preconditioned by A^-1,
//     (1 + A^-1 E) x = A^-1 b,
// which ends after as many rounds as E has rank, in practice after three to five.
#include "dyn/loop_response.h"
#include "engine/implicit/implicit.h"

enum { BASIS = 24 };
static const double LEFT = 1e-4; // of the right-hand side: Newton's own error is larger

struct ff_krylov {
    double *basis[BASIS + 1];        // (nv each)
    double column[BASIS][BASIS + 1]; // of the Hessenberg matrix, rotated to a triangle
    double cosine[BASIS], sine[BASIS];
    double goal[BASIS + 1]; // right-hand side, rotated likewise
};

bool ff_krylov_create(ff_sim *sim)
{
    ff_krylov *kr = sim->implicit->krylov = FF_ARENA_NEW(&sim->arena, ff_krylov, 1);
    if (!kr) return false;
    for (int k = 0; k <= BASIS; k++) kr->basis[k] = FF_ARENA_NEW(&sim->arena, double, sim->nv + 1);
    return !sim->arena.failed;
}

/// y = A^-1 E x, within the loops of the model.
static void apply(ff_sim *sim, const double *x, double *y)
{
    memset(y, 0, (size_t)sim->nv * sizeof(double));
    ff_contacts_add_rest(sim, x, y);
    ff_factors_solve(sim, y);
    if (sim->loops) ff_loops_solve(sim->model, sim->loops, sim->no_motion, y, NULL);
}

/// One more vector of the basis, orthogonal to those before. @return its length before it was scaled to 1
static double extend(ff_krylov *kr, int k, int n)
{
    double *next = kr->basis[k + 1];
    for (int i = 0; i <= k; i++) {
        const double along = ff_dot(next, kr->basis[i], n);
        kr->column[k][i] = along;
        for (int j = 0; j < n; j++) next[j] -= along * kr->basis[i][j];
    }
    const double length = sqrt(ff_dot(next, next, n));
    kr->column[k][k + 1] = length;
    if (length > 0.0)
        for (int j = 0; j < n; j++) next[j] /= length;
    return length;
}

/// Rotates the new column to triangular form, and the right-hand side with it (W. Givens).
static void rotate(ff_krylov *kr, int k)
{
    double *column = kr->column[k];
    for (int i = 0; i < k; i++) {
        const double a = column[i], b = column[i + 1];
        column[i] = kr->cosine[i] * a + kr->sine[i] * b;
        column[i + 1] = kr->cosine[i] * b - kr->sine[i] * a;
    }
    const double length = sqrt(column[k] * column[k] + column[k + 1] * column[k + 1]);
    kr->cosine[k] = length > 0.0 ? column[k] / length : 1.0;
    kr->sine[k] = length > 0.0 ? column[k + 1] / length : 0.0;
    column[k] = length;
    kr->goal[k + 1] = -kr->sine[k] * kr->goal[k];
    kr->goal[k] *= kr->cosine[k];
}

void ff_krylov_improve(ff_sim *sim, double *x)
{
    ff_krylov *kr = sim->implicit->krylov;
    const int n = sim->nv;
    double *first = kr->basis[0];
    apply(sim, x, first); // the residual of x = A^-1 b is -A^-1 E x
    const double length = sqrt(ff_dot(first, first, n)), enough = LEFT * sqrt(ff_dot(x, x, n));
    if (!(length > enough)) return;
    for (int j = 0; j < n; j++) first[j] /= -length;
    kr->goal[0] = length;
    int count = 0;
    while (count < BASIS && fabs(kr->goal[count]) > enough) {
        apply(sim, kr->basis[count], kr->basis[count + 1]);
        for (int j = 0; j < n; j++) kr->basis[count + 1][j] += kr->basis[count][j];
        const double left = extend(kr, count, n);
        rotate(kr, count++);
        if (!(left > 0.0)) break;
    }
    for (int k = count - 1; k >= 0; k--) { // back substitution, and the sum of the basis on the way
        if (!(kr->column[k][k] > 0.0)) return;
        kr->goal[k] /= kr->column[k][k];
        for (int i = 0; i < k; i++) kr->goal[i] -= kr->goal[k] * kr->column[k][i];
        for (int j = 0; j < n; j++) x[j] += kr->goal[k] * kr->basis[k][j];
    }
}
