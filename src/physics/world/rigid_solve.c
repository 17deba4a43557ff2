// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts and lasting contact, island by island. Small islands are solved by matrices, to rounding (lcp_friction.c);
// larger ones, and those whose points resist turning, by sweeps from point to point (sweep.c), whose cost grows with
// the number of points.
#include "world/rigid.h"

#include <footfall/response.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// An impact that is shared at once is iterated until nothing changes by more than a part in 1e10 of its speed, as its
// energy depends on it.
static const ff_sweep_rule BLOW = {.tolerance = 1e-10, .most = 2000, .enough = 1e-7};
enum { BOUNCES = 50 }; // rounds of such an impact; what still approaches then is stopped without a bounce

/// Speed below which nothing bounces: that of the law, or of the method. What loses nothing bounces for ever.  [m/s]
static double floor_of(const ff_contact_pair *law, double floor)
{
    return law->damping == 0.0 ? FF_RIGID_GONE : ff_max(law->impact_floor, floor);
}

static bool by_matrices(const ff_rigid *r, const int *order, int n)
{
    bool turns = false;
    for (int i = 0; i < n && n <= r->exact; i++) turns = turns || r->rows[order[i]].rows > 3;
    return n <= r->exact && !turns;
}

// ------------------------------------------------------------------------------------------ by matrices

static bool gather(ff_rigid *r, const int *order, int n, const double *x)
{
    bool slides = false;
    for (int a = 0; a < n; a++) {
        const ff_sweep_point *p = &r->rows[order[a]];
        ff_sweep_velocity(p, x, r->b + 3 * a);
        r->mu[a] = p->mu;
        r->e[a] = r->points[order[a]].e;
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
    if (status != FF_OK && slides) // a rod that slides may jam: no force keeps it sliding, so it is treated as sticking
        status = ff_lcp_friction(n, r->A, r->b, r->mu, NULL, r->f, r->work, &err);
    if (status != FF_OK) {
        snprintf(r->solve_error, sizeof r->solve_error, "lasting contact: %.120s", err.text);
        return false;
    }
    scatter(r, order, n, x);
    return true;
}

static bool share_by_matrices(ff_rigid *r, const int *order, int n, double *x)
{
    ff_error err = {0};
    gather(r, order, n, x);
    const ff_status status = ff_impulse_simultaneous_friction(n, r->A, r->e, r->mu, r->b, r->f, r->work, &err);
    if (status != FF_OK) {
        snprintf(r->solve_error, sizeof r->solve_error, "impact: %.120s", err.text);
        return false;
    }
    scatter(r, order, n, x);
    return true;
}

// ------------------------------------------------------------------------------------------ one blow after the other

/// Speed below which a contact counts as resting: what rounding of the velocities leaves, or a part in 1e11.
static double still(const ff_rigid *r, const int *order, int n, const double *x)
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

static void refresh(ff_rigid *r, const int *order, int n, const double *x)
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

// Contacts visited between two checks of ff_stop: 0.2 s where 3000 of them meet. Small impacts do not check.
static const long CHECK_EVERY = 300000;

/// A run cannot go on from a step that was interrupted: it has failed.
static bool stopped(ff_rigid *r, int n)
{
    r->failed = 1;
    snprintf(r->solve_error, sizeof r->solve_error, "stopped in the middle of a step, over %d contacts", n);
    return false;
}

/// The fastest approach first, the lower number of two equal ones, each blow with its cone, until nothing approaches:
/// ff_impulse_propagate_friction, but for what a blow cannot reach.
static bool propagate(ff_rigid *r, const int *order, int n, double *x)
{
    const long limit = 100000 + 1000L * n;
    long visited = 0;
    for (int i = 0; i < n; i++) memset(r->rows[order[i]].j, 0, sizeof r->rows[order[i]].j);
    refresh(r, order, n, x);
    const double rest = still(r, order, n, x);
    for (long count = 0; count < limit; count++) {
        int hit = -1;
        if ((visited += n) >= CHECK_EVERY) {
            visited = 0;
            if (ff_stop_asked()) return stopped(r, n);
        }
        for (int i = 0; i < n; i++) {
            const double u = r->points[order[i]].u[0];
            if (u < -rest && (hit < 0 || u < r->points[hit].u[0])) hit = order[i];
        }
        if (hit < 0) return true;
        ff_sweep_point *p = &r->rows[hit];
        double own[3], blow[6] = {0};
        ff_error err = {0};
        ff_vec3_copy(own, r->points[hit].u);
        if (ff_impulse_one(p->own, own, r->points[hit].e, p->mu, blow, &err) != FF_OK) {
            snprintf(r->solve_error, sizeof r->solve_error, "impact: %.120s", err.text);
            return false;
        }
        for (int k = 0; k < 3; k++) p->j[k] += blow[k];
        ff_sweep_apply(p, blow, x);
        if (p->rows > 3) ff_sweep_turn(p, x);
        for (int i = 0; i < n; i++)
            if (share_a_block(p, &r->rows[order[i]])) ff_sweep_velocity(&r->rows[order[i]], x, r->points[order[i]].u);
    }
    snprintf(r->solve_error, sizeof r->solve_error,
             "impact: %d contacts still approach each other after %ld single impacts", n, limit);
    return false;
}

// ------------------------------------------------------------------------------------------ all at once, by sweeps

/// One phase: impulses that end all approach, added to `total`.
static double phase(ff_rigid *r, const int *order, int n, double speed, double *x)
{
    ff_sweep_rule rule = BLOW;
    rule.still = rule.tolerance * speed;
    for (int i = 0; i < n; i++) memset(r->rows[order[i]].j, 0, sizeof r->rows[order[i]].j);
    const ff_sweep_end end = ff_sweep_solve(r->rows, order, n, rule, x);
    r->stopped = r->stopped || end.stopped;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 6; k++) r->points[order[i]].total[k] += r->rows[order[i]].j[k];
    return end.residual;
}

/// Compression, then restitution of its normal impulses, with friction in both (Poisson), as
/// ff_impulse_simultaneous_friction.
static double compress_and_restore(ff_rigid *r, const int *order, int n, double speed, bool bounce, double *x)
{
    double residual = phase(r, order, n, speed, x);
    bool any = false;
    for (int i = 0; i < n && bounce; i++) {
        ff_sweep_point *p = &r->rows[order[i]];
        double back[6] = {p->given = r->points[order[i]].e * p->j[0]};
        any = any || p->given > 0.0;
        r->points[order[i]].total[0] += p->given;
        ff_sweep_apply(p, back, x);
    }
    if (any) residual = ff_max(residual, phase(r, order, n, speed, x));
    for (int i = 0; i < n; i++) r->rows[order[i]].given = 0.0;
    return residual;
}

/// Does what approaches at `speed` bounce off a point?
static bool bounces(const ff_world *w, const int *order, int n, double speed, double floor)
{
    for (int i = 0; i < n; i++)
        if (w->rigid->points[order[i]].e > 0.0 && speed > floor_of(ff_rigid_touch(w, order[i])->law, floor))
            return true;
    return false;
}

/// Rounds in which nothing approaches faster than the impact floor end the impact: in a pile their rebounds would start
/// the next round, without end.
static void share_by_sweeps(ff_world *w, const int *order, int n, double floor, double *x)
{
    ff_rigid *r = w->rigid;
    refresh(r, order, n, x);
    double rest = still(r, order, n, x), first = 0.0;
    for (int i = 0; i < n; i++) memset(r->points[order[i]].total, 0, sizeof r->points[order[i]].total);
    for (int round = 0; round <= BOUNCES; round++) {
        double speed = 0.0;
        refresh(r, order, n, x);
        for (int i = 0; i < n; i++) speed = ff_max(speed, -r->points[order[i]].u[0]);
        if (!(speed > rest) || r->stopped) break;
        const bool last = round == BOUNCES || (round > 0 && !bounces(w, order, n, speed, floor));
        // a contact that separates takes no part: held back, it would gain energy
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
    if (by_matrices(r, order, n)) return share_by_matrices(r, order, n, x);
    r->stopped = false;
    share_by_sweeps(w, order, n, floor, x);
    return !r->stopped || stopped(r, n);
}

bool ff_rigid_solve_lasting(ff_world *w, const int *order, int n, ff_sweep_rule rule, double *x)
{
    ff_rigid *r = w->rigid;
    if (by_matrices(r, order, n)) return lasting_by_matrices(r, order, n, x);
    const ff_sweep_end end = ff_sweep_solve(r->rows, order, n, rule, x);
    if (end.sweeps > r->sweeps) r->sweeps = end.sweeps;
    return !end.stopped || stopped(r, n);
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

/// -j (u + before) / 2, along the normals and across them. Their sum is the energy that the impulses took; its shares
/// depend on the order in which they act, so that a negative one is subtracted from the other. Energy from an error of
/// the solution is no entry, and shows in the residual.
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
