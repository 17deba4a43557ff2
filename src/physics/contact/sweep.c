// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Block Gauss-Seidel on the friction cone. A visit solves one contact while all others rest: if the impulse that stops
// it (inverse of its 3 x 3 block) lies within its cone it sticks, and that is the answer; otherwise the normal part
// comes first and the tangential one is stepped along the slip and cut to the cone. A contact that no visit changes
// follows Coulomb's law on the round cone: these are the equations of cone.c. Impulses kept from the step before are a
// start that a pile at rest leaves within a sweep or two (E. Catto, Game Developers Conference 2005; P. Alart, A.
// Curnier, Computer Methods in Applied Mechanics and Engineering 92, 1991; M. Jean, 177, 1999).
#include "contact/sweep.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ rows

/// Scalar product. Rows of free bodies have six numbers, a loop that compilers unroll.
static inline double row_dot(const double *row, const double *x, int count)
{
    double sum = 0.0;
    if (count == 6) {
        for (int i = 0; i < 6; i++) sum += row[i] * x[i];
        return sum;
    }
    for (int i = 0; i < count; i++) sum += row[i] * x[i];
    return sum;
}

/// u = J x + shift, of `rows` rows of a contact from row `from` on.
static inline void find_velocities(const ff_sweep_point *p, int from, int rows, const double *x, double *u)
{
    for (int k = 0; k < rows; k++) u[k] = p->shift[from + k];
    for (int s = 0; s < p->nside; s++) {
        const ff_sweep_side *side = &p->side[s];
        const double *J = side->J + from * side->count, *at = x + side->first;
        for (int k = 0; k < rows; k++) u[k] += row_dot(J + k * side->count, at, side->count);
    }
}

/// x += X' dj, for impulses dj along `rows` rows of a contact from row `from` on.
static inline void apply_impulses(const ff_sweep_point *p, int from, int rows, const double *dj, double *x)
{
    for (int s = 0; s < p->nside; s++) {
        const ff_sweep_side *side = &p->side[s];
        const double *X = side->X + from * side->count;
        double *at = x + side->first;
        if (side->count == 6 && rows == 3) {
            for (int i = 0; i < 6; i++) at[i] += X[i] * dj[0] + X[6 + i] * dj[1] + X[12 + i] * dj[2];
            continue;
        }
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < side->count; i++) at[i] += X[k * side->count + i] * dj[k];
    }
}

void ff_sweep_velocity(const ff_sweep_point *p, const double *x, double *u)
{
    find_velocities(p, 0, p->rows, x, u);
}

void ff_sweep_apply(const ff_sweep_point *p, const double *dj, double *x)
{
    apply_impulses(p, 0, p->rows, dj, x);
}

/// Velocity along row k of contact a by a unit impulse along row l of contact b: J_a X_b'.
static double entry(const ff_sweep_point *a, int k, const ff_sweep_point *b, int l)
{
    double sum = 0.0;
    for (int s = 0; s < a->nside; s++)
        for (int t = 0; t < b->nside; t++) {
            const ff_sweep_side *one = &a->side[s], *two = &b->side[t];
            if (one->first == two->first) sum += row_dot(one->J + k * one->count, two->X + l * two->count, one->count);
        }
    return sum;
}

void ff_sweep_block(const ff_sweep_point *a, const ff_sweep_point *b, double block[9])
{
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) block[3 * k + l] = entry(a, k, b, l);
}

/// Larger eigenvalue of the symmetric matrix (a c; c b).
static double larger_eigenvalue(double a, double b, double c)
{
    const double half = 0.5 * (a - b);
    return 0.5 * (a + b) + sqrt(half * half + c * c);
}

/// Inverse of a symmetric block by its adjugate; zero where it is singular to ten digits.
static void invert(const double A[9], double out[9])
{
    double adjugate[9], row[3];
    for (int i = 0; i < 3; i++) {
        const double *a = A + 3 * ((i + 1) % 3), *b = A + 3 * ((i + 2) % 3);
        ff_vec3_cross(row, a, b);
        ff_vec3_copy(adjugate + 3 * i, row);
    }
    const double det = ff_vec3_dot(A, adjugate);
    const bool regular = det > 1e-10 * A[0] * A[4] * A[8];
    for (int i = 0; i < 9; i++) out[i] = regular ? adjugate[i] / det : 0.0;
}

void ff_sweep_prepare(ff_sweep_point *p)
{
    ff_sweep_block(p, p, p->own);
    for (int k = 0; k < 3; k++) // symmetric to the last bit
        for (int l = 0; l < k; l++) p->own[3 * k + l] = p->own[3 * l + k];
    invert(p->own, p->inverse);
    p->across = larger_eigenvalue(p->own[4], p->own[8], p->own[5]);
    p->twist = p->rows > 3 ? entry(p, 3, p, 3) : 0.0;
    p->roll = p->rows > 3 ? larger_eigenvalue(entry(p, 4, p, 4), entry(p, 5, p, 5), entry(p, 4, p, 5)) : 0.0;
}

// ------------------------------------------------------------------------------------------ one contact

/// Is the direction of slip known?
static bool slides(const ff_sweep_point *p)
{
    return p->slide[1] != 0.0 || p->slide[2] != 0.0;
}

/// Shortens v to the length `limit` if it is longer.
static void limit_length(double v[2], double limit)
{
    const double square = v[0] * v[0] + v[1] * v[1];
    if (square <= limit * limit) return;
    const double part = limit / sqrt(square);
    v[0] *= part, v[1] *= part;
}

/// New impulse j along the normal and the tangents at the velocity u.
static void solve_impulse(const ff_sweep_point *p, const double u[3], double j[3])
{
    if (p->mu > 0.0 && !slides(p)) {
        double back[3];
        ff_mat3_mulv(back, p->inverse, u);
        ff_vec3_sub(j, p->j, back);
        const double limit = p->mu * (j[0] + p->given);
        if (p->inverse[0] > 0.0 && j[0] >= 0.0 && j[1] * j[1] + j[2] * j[2] <= limit * limit) return;
    }
    if (slides(p)) { // j_n (1, -mu t); where friction would jam the contact the normal impulse is that without friction
        const double along = p->own[0] - p->mu * (p->own[1] * p->slide[1] + p->own[2] * p->slide[2]);
        j[0] = ff_max(0.0, p->j[0] - u[0] / (along > 1e-3 * p->own[0] ? along : p->own[0]));
        for (int k = 1; k < 3; k++) j[k] = -p->mu * j[0] * p->slide[k];
        return;
    }
    j[0] = ff_max(0.0, p->j[0] - u[0] / p->own[0]);
    j[1] = j[2] = 0.0;
    if (!(p->mu > 0.0) || !(p->across > 0.0)) return;
    const double more = j[0] - p->j[0];
    for (int k = 1; k < 3; k++) j[k] = p->j[k] - (u[k] + p->own[3 * k] * more) / p->across;
    limit_length(j + 1, p->mu * (j[0] + p->given));
}

static double length3(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}

double ff_sweep_turn(ff_sweep_point *p, double *x)
{
    double u[3], j[3], dj[3];
    const double normal = p->j[0] + p->given;
    find_velocities(p, 3, 3, x, u);
    j[0] = p->twist > 0.0 ? p->j[3] - u[0] / p->twist : 0.0;
    j[0] = ff_max(-p->torsion * normal, ff_min(j[0], p->torsion * normal));
    for (int k = 1; k < 3; k++) j[k] = p->roll > 0.0 ? p->j[3 + k] - u[k] / p->roll : 0.0;
    limit_length(j + 1, p->rolling * normal);
    ff_vec3_sub(dj, j, p->j + 3);
    ff_vec3_copy(p->j + 3, j);
    apply_impulses(p, 3, 3, dj, x);
    return ff_max(fabs(dj[0]) * p->twist * p->torsion, length3(0.0, dj[1], dj[2]) * p->roll * p->rolling);
}

/// Solves one contact while all others rest. @return how much a velocity changed  [m/s]
static double visit(ff_sweep_point *p, double *x)
{
    double u[3], j[3], dj[3], changed = 0.0;
    if (p->idle || !(p->own[0] > 0.0)) return 0.0;
    find_velocities(p, 0, 3, x, u);
    const bool open = p->j[0] == 0.0 && u[0] >= 0.0 && p->given == 0.0;
    if (!open) {
        solve_impulse(p, u, j);
        ff_vec3_sub(dj, j, p->j);
        ff_vec3_copy(p->j, j);
        apply_impulses(p, 0, 3, dj, x);
        changed = length3(dj[0] * p->own[0], dj[1] * p->across, dj[2] * p->across);
    }
    if (p->rows > 3 && (!open || p->j[3] != 0.0 || p->j[4] != 0.0 || p->j[5] != 0.0))
        changed = ff_max(changed, ff_sweep_turn(p, x));
    return changed;
}

// ------------------------------------------------------------------------------------------ all of them

/// Greatest velocity that the contacts have to stop.  [m/s]
static double load_of(const ff_sweep_point *points, const int *order, int n, const double *x)
{
    double load = 0.0;
    for (int i = 0; i < n; i++) {
        double u[6];
        ff_sweep_velocity(&points[order[i]], x, u);
        if (!points[order[i]].idle) load = ff_max(load, length3(ff_min(u[0], 0.0), u[1], u[2]));
    }
    return load;
}

/// One sweep. *square: sum of what it changed, weighed by the mobilities of the contacts  [J]. @return the greatest
/// change of a velocity  [m/s]
static double sweep(ff_sweep_point *points, const int *order, int n, double *x, double *square)
{
    double most = 0.0;
    *square = 0.0;
    for (int i = 0; i < n; i++) {
        ff_sweep_point *p = &points[order[i]];
        memcpy(p->change, p->j, sizeof p->change);
        most = ff_max(most, visit(p, x));
        for (int k = 0; k < p->rows; k++) p->change[k] = p->j[k] - p->change[k];
        const double *c = p->change;
        *square += c[0] * c[0] * p->own[0] + (c[1] * c[1] + c[2] * c[2]) * p->across;
        if (p->rows > 3) *square += c[3] * c[3] * p->twist + (c[4] * c[4] + c[5] * c[5]) * p->roll;
    }
    return most;
}

/// Extrapolates along the direction of the sweeps so far, times `factor` (0: starts again), and adds the last sweep to
/// this direction.
static void extrapolate(ff_sweep_point *points, const int *order, int n, double factor, double *x)
{
    for (int i = 0; i < n; i++) {
        ff_sweep_point *p = &points[order[i]];
        double step[6];
        for (int k = 0; k < p->rows; k++) {
            step[k] = factor * p->along[k];
            p->along[k] = factor > 0.0 ? step[k] + p->change[k] : 0.0;
            p->j[k] += step[k];
        }
        if (factor > 0.0 && !p->idle) ff_sweep_apply(p, step, x);
    }
}

enum { SWEEPS_TO_HALVE = 100 }; // sweeps that should halve the change

ff_sweep_end ff_sweep_solve(ff_sweep_point *points, const int *order, int n, ff_sweep_rule rule, double *x)
{
    ff_sweep_end end = {0};
    const double load = load_of(points, order, n, x);
    double last = 0.0, mark = INFINITY;
    for (int i = 0; i < n; i++) {
        ff_sweep_apply(&points[order[i]], points[order[i]].j, x);
        memset(points[order[i]].along, 0, sizeof points[order[i]].along);
    }
    while (end.sweeps < rule.most) {
        double square;
        end.residual = sweep(points, order, n, x, &square);
        end.sweeps++;
        if (end.residual <= ff_max(rule.tolerance * load, rule.still) || end.sweeps == rule.most) break;
        if (end.sweeps % SWEEPS_TO_HALVE == 0) {
            if ((end.stopped = ff_stop_asked())) break;
            if (end.residual <= rule.enough * load && end.residual > 0.5 * mark) break;
            mark = end.residual;
        }
        if (end.sweeps == 1)
            for (int i = 0; i < n; i++)
                memcpy(points[order[i]].along, points[order[i]].change, sizeof points[order[i]].along);
        else
            extrapolate(points, order, n, square < last ? square / last : 0.0, x);
        last = square;
    }
    return end;
}
