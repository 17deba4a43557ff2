// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts and lasting contact of islands. Small islands are solved by matrices, to rounding (lcp_friction.c); larger
// ones, and those whose points resist turning, by sweeps from point to point (sweep.c), whose cost is proportional to
// the number of points.
#include "world/rigid.h"

#include <footfall/response.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Sweeps of a simultaneous impact end when changes are below 1e-10 of its speed, since its energy depends on them.
static const ff_sweep_rule IMPACT_RULE = {.tolerance = 1e-10, .most = 2000, .enough = 1e-7};
enum { BOUNCES = 50 }; // rounds of such an impact; points that approach after them stop without restitution

/// @return speed below which points do not bounce: that of the law, or of the method; points without damping always
/// bounce  [m/s]
static double floor_of(const ff_contact_pair *law, double floor)
{
    return law->damping == 0.0 ? FF_RIGID_LEAVES : ff_max(law->impact_floor, floor);
}

/// Notes what could not be solved. @return false
static bool fail(ff_rigid *r, const char *what, const ff_error *err)
{
    snprintf(r->solve_error, sizeof r->solve_error, "%s: %.120s", what, err->text);
    return false;
}

/// Is an island solved by matrices?
static bool by_matrices(const ff_rigid *r, const int *order, int n)
{
    bool turns = false;
    for (int i = 0; i < n && n <= r->exact; i++) turns = turns || r->rows[order[i]].rows > 3;
    return n <= r->exact && !turns;
}

// ------------------------------------------------------------------------------------------ by matrices

/// Copies the problem of an island to the matrices. @return whether a point slides
static bool gather(ff_rigid *r, const int *order, int n, const double *x)
{
    bool slides = false;
    for (int a = 0; a < n; a++) {
        const ff_sweep_point *p = &r->rows[order[a]];
        ff_sweep_velocity(p, x, r->b + 3 * a);
        r->mu[a] = p->mu;
        r->e[a] = r->points[order[a]].restitution;
        ff_vec3_copy(r->slide + 3 * a, p->slide);
        slides = slides || p->slide[1] != 0.0 || p->slide[2] != 0.0;
        for (int b = 0; b <= a; b++) {
            double block[9];
            ff_sweep_block(p, &r->rows[order[b]], block);
            for (int k = 0; k < 9; k++) {
                const int row = 3 * a + k / 3, column = 3 * b + k % 3;
                if (row >= column) r->A[row * 3 * n + column] = r->A[column * 3 * n + row] = block[k];
            }
        }
    }
    return slides;
}

/// Copies the impulses of the solution to the points, and applies them to x.
static void scatter(ff_rigid *r, const int *order, int n, double *x)
{
    for (int a = 0; a < n; a++) {
        ff_sweep_point *p = &r->rows[order[a]];
        ff_vec3_copy(p->j, r->f + 3 * a);
        ff_sweep_apply(p, p->j, x);
    }
}

static bool lasting_by_matrices(ff_rigid *r, const int *order, int n, double *x)
{
    const bool slides = gather(r, order, n, x);
    ff_error err = {0};
    ff_status status = ff_lcp_friction(n, r->A, r->b, r->mu, slides ? r->slide : NULL, r->f, r->work, &err);
    if (status != FF_OK && slides) // a rod that slides may jam, without a solution: it is then treated as sticking
        status = ff_lcp_friction(n, r->A, r->b, r->mu, NULL, r->f, r->work, &err);
    if (status != FF_OK) return fail(r, "lasting contact", &err);
    scatter(r, order, n, x);
    return true;
}

static bool simultaneous_by_matrices(ff_rigid *r, const int *order, int n, double *x)
{
    ff_error err = {0};
    gather(r, order, n, x);
    const ff_status status = ff_impulse_simultaneous_friction(n, r->A, r->e, r->mu, r->b, r->f, r->work, &err);
    if (status != FF_OK) return fail(r, "impact", &err);
    scatter(r, order, n, x);
    return true;
}

// ------------------------------------------------------------------------------------------ one impact after the other

/// @return speed below which a contact counts as resting: 1e-11 of the fastest, or the rounding of the velocities
static double resting_speed(const ff_rigid *r, const int *order, int n, const double *x)
{
    double most = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        const ff_sweep_point *p = &r->rows[order[i]];
        double size = 0.0;
        for (int k = 0; k < 3; k++) most = ff_max(most, fabs(r->points[order[i]].u[k]));
        for (int s = 0; s < p->nside; s++)
            for (int k = 0; k < p->side[s].count; k++) size += fabs(p->side[s].J[k] * x[p->side[s].first + k]);
        sum = ff_max(sum, size);
    }
    return ff_max(1e-11 * most, 1e-14 * sum);
}

/// Velocities of the points of an island by x -> u.
static void update_velocities(ff_rigid *r, const int *order, int n, const double *x)
{
    for (int i = 0; i < n; i++) ff_sweep_velocity(&r->rows[order[i]], x, r->points[order[i]].u);
}

static bool share_a_block(const ff_sweep_point *a, const ff_sweep_point *b)
{
    for (int s = 0; s < a->nside; s++)
        for (int t = 0; t < b->nside; t++)
            if (a->side[s].first == b->side[t].first) return true;
    return false;
}

/// Contacts visited between two checks of ff_stop: 0.2 s for an island of 3000. Small impacts do not check.
static const long CHECK_EVERY = 300000;

/// Notes that ff_stop has ended a step, from which a run cannot continue. @return false
static bool fail_stopped(ff_rigid *r, int n)
{
    r->failed = 1;
    snprintf(r->solve_error, sizeof r->solve_error, "stopped in the middle of a step, over %d contacts", n);
    return false;
}

/// ff_impulse_propagate_friction for one island: single impacts with friction at the point that approaches fastest, the
/// lower number of two equal ones, until no point approaches. Only points that share a block are updated.
static bool propagate(ff_rigid *r, const int *order, int n, double *x)
{
    const long limit = 100000 + 1000L * n;
    long visited = 0;
    for (int i = 0; i < n; i++) memset(r->rows[order[i]].j, 0, sizeof r->rows[order[i]].j);
    update_velocities(r, order, n, x);
    const double rest = resting_speed(r, order, n, x);
    for (long count = 0; count < limit; count++) {
        int hit = -1;
        if ((visited += n) >= CHECK_EVERY) {
            visited = 0;
            if (ff_stop_asked()) return fail_stopped(r, n);
        }
        for (int i = 0; i < n; i++) {
            const double u = r->points[order[i]].u[0];
            if (u < -rest && (hit < 0 || u < r->points[hit].u[0])) hit = order[i];
        }
        if (hit < 0) return true;
        ff_sweep_point *p = &r->rows[hit];
        double own[3], impulse[6] = {0};
        ff_error err = {0};
        ff_vec3_copy(own, r->points[hit].u);
        if (ff_impulse_one(p->own, own, r->points[hit].restitution, p->mu, impulse, &err) != FF_OK)
            return fail(r, "impact", &err);
        for (int k = 0; k < 3; k++) p->j[k] += impulse[k];
        ff_sweep_apply(p, impulse, x);
        if (p->rows > 3) ff_sweep_turn(p, x);
        for (int i = 0; i < n; i++)
            if (share_a_block(p, &r->rows[order[i]])) ff_sweep_velocity(&r->rows[order[i]], x, r->points[order[i]].u);
    }
    snprintf(r->solve_error, sizeof r->solve_error,
             "impact: %d contacts still approach each other after %ld single impacts", n, limit);
    return false;
}

// ------------------------------------------------------------------------------------------ all at once, by sweeps

/// One phase of an impact: impulses that end all approach are added to `total`. @return residual speed  [m/s]
static double solve_phase(ff_rigid *r, const int *order, int n, double speed, double *x)
{
    ff_sweep_rule rule = IMPACT_RULE;
    rule.still = rule.tolerance * speed;
    for (int i = 0; i < n; i++) memset(r->rows[order[i]].j, 0, sizeof r->rows[order[i]].j);
    const ff_sweep_end end = ff_sweep_solve(r->rows, order, n, rule, x);
    r->stopped = r->stopped || end.stopped;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 6; k++) r->points[order[i]].total[k] += r->rows[order[i]].j[k];
    return end.residual;
}

/// Compression, then restitution of its normal impulses, with friction in both (Poisson), as
/// ff_impulse_simultaneous_friction. @return residual speed  [m/s]
static double compress_and_restore(ff_rigid *r, const int *order, int n, double speed, bool bounce, double *x)
{
    double residual = solve_phase(r, order, n, speed, x);
    bool any = false;
    for (int i = 0; i < n && bounce; i++) {
        ff_sweep_point *p = &r->rows[order[i]];
        double back[6] = {p->given = r->points[order[i]].restitution * p->j[0]};
        any = any || p->given > 0.0;
        r->points[order[i]].total[0] += p->given;
        ff_sweep_apply(p, back, x);
    }
    if (any) residual = ff_max(residual, solve_phase(r, order, n, speed, x));
    for (int i = 0; i < n; i++) r->rows[order[i]].given = 0.0;
    return residual;
}

/// Do points that approach at `speed` bounce?
static bool bounces(const ff_world *w, const int *order, int n, double speed, double floor)
{
    for (int i = 0; i < n; i++)
        if (w->rigid->points[order[i]].restitution > 0.0 && speed > floor_of(ff_rigid_touch(w, order[i])->law, floor))
            return true;
    return false;
}

/// Solves a simultaneous impact in rounds. It ends with a round without restitution, where no point approaches faster
/// than the floor: in a pile each rebound would start another round, without end.
static void simultaneous_by_sweeps(ff_world *w, const int *order, int n, double floor, double *x)
{
    ff_rigid *r = w->rigid;
    update_velocities(r, order, n, x);
    double rest = resting_speed(r, order, n, x), first = 0.0;
    for (int i = 0; i < n; i++) memset(r->points[order[i]].total, 0, sizeof r->points[order[i]].total);
    for (int round = 0; round <= BOUNCES; round++) {
        double speed = 0.0;
        update_velocities(r, order, n, x);
        for (int i = 0; i < n; i++) speed = ff_max(speed, -r->points[order[i]].u[0]);
        if (!(speed > rest) || r->stopped) break;
        const bool last = round == BOUNCES || (round > 0 && !bounces(w, order, n, speed, floor));
        // A contact that separates is left out: an impulse on it would add energy.
        for (int i = 0; i < n; i++) r->rows[order[i]].idle = !last && r->points[order[i]].u[0] > rest;
        first = ff_max(first, speed);
        rest = ff_max(rest, 2.0 * compress_and_restore(r, order, n, first, !last, x));
        if (round >= r->rounds) r->rounds = round + 1;
    }
    for (int i = 0; i < n; i++) {
        ff_sweep_point *p = &r->rows[order[i]];
        p->idle = false;
        memcpy(p->j, r->points[order[i]].total, sizeof p->j);
    }
}

// ------------------------------------------------------------------------------------------ islands

bool ff_rigid_solve_impact(ff_world *w, const int *order, int n, double floor, double *x)
{
    ff_rigid *r = w->rigid;
    if (!r->simultaneous) return propagate(r, order, n, x);
    if (by_matrices(r, order, n)) return simultaneous_by_matrices(r, order, n, x);
    r->stopped = false;
    simultaneous_by_sweeps(w, order, n, floor, x);
    return !r->stopped || fail_stopped(r, n);
}

bool ff_rigid_solve_lasting(ff_world *w, const int *order, int n, ff_sweep_rule rule, double *x)
{
    ff_rigid *r = w->rigid;
    if (by_matrices(r, order, n)) return lasting_by_matrices(r, order, n, x);
    const ff_sweep_end end = ff_sweep_solve(r->rows, order, n, rule, x);
    if (end.sweeps > r->sweeps) r->sweeps = end.sweeps;
    return !end.stopped || fail_stopped(r, n);
}

double ff_rigid_friction(const ff_touch *t)
{
    const ff_friction *f = &t->law->friction;
    if (f->law == FF_FRICTION_NONE) return 0.0;
    return t->state.mode == FF_CONTACT_STATIC ? ff_max(f->mu_static, f->mu_kinetic) : f->mu_kinetic;
}

double ff_rigid_restitution(const ff_world *w, int i, double speed, double floor)
{
    const ff_contact_pair *law = ff_rigid_touch(w, i)->law;
    const double own = w->rigid->rows[i].own[0];
    if (!(own > 0.0) || !(speed > floor_of(law, floor))) return 0.0;
    return ff_contact_restitution(law, speed, 1.0 / own);
}

/// The losses are -j (u + before) / 2, along the normals and across them. Their sum is the energy that the impulses
/// take; the shares depend on the order of the impulses, so that a negative one is subtracted from the other. Energy
/// that an error of the solution adds is not booked, and is part of the residual.
void ff_rigid_book(ff_world *w, const int *order, int n)
{
    const ff_rigid *r = w->rigid;
    double lost[2] = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        const ff_sweep_point *p = &r->rows[order[i]];
        const ff_rigid_point *point = &r->points[order[i]];
        for (int k = 0; k < p->rows; k++) lost[k > 0] -= 0.5 * p->j[k] * (point->u[k] + point->before[k]);
    }
    const double both = ff_max(0.0, lost[0] + lost[1]), across = ff_min(ff_max(0.0, lost[1]), both);
    ff_ledger_book(w->sim, FF_LEDGER_NORMAL, both - across);
    ff_ledger_book(w->sim, FF_LEDGER_FRICTION, across);
}
