// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Friction in several contacts at once: complementarity against the conditions of Coulomb's cone, and impacts against
// what they must keep. Random mechanisms stand for jointed bodies: any symmetric positive definite mass matrix is one.
#include "check.h"

#include <footfall/response.h>
#include <stdlib.h>

enum { MOST = 8, NV = 14 };
static double *work_space;

static void need_work(void)
{
    if (!work_space) work_space = malloc(sizeof(double) * ff_impulse_friction_work(MOST));
    CHECK(work_space != NULL);
}

/// Delassus matrix of n contacts of a random mechanism, and the velocities of its contacts.
typedef struct mechanism {
    double J[3 * MOST * NV], Minv[NV * NV], A[9 * MOST * MOST], u[3 * MOST], mu[MOST], e[MOST];
} mechanism;

static void make_mechanism(mechanism *s, ff_random *r, int n)
{
    double G[NV * NV], v[NV];
    for (int i = 0; i < NV * NV; i++) G[i] = ff_random_normal(r);
    for (int i = 0; i < NV; i++) {
        v[i] = ff_random_normal(r);
        for (int k = 0; k < NV; k++) {
            s->Minv[i * NV + k] = 1.0 * (i == k);
            for (int l = 0; l < NV; l++) s->Minv[i * NV + k] += 0.2 * G[i * NV + l] * G[k * NV + l];
        }
    }
    for (int i = 0; i < 3 * n * NV; i++) s->J[i] = ff_random_normal(r);
    ff_delassus(3 * n, NV, s->J, s->Minv, s->A);
    for (int i = 0; i < 3 * n; i++) {
        s->u[i] = 0.0;
        for (int k = 0; k < NV; k++) s->u[i] += s->J[i * NV + k] * v[k];
    }
    for (int i = 0; i < n; i++) {
        s->mu[i] = i % 3 == 2 ? 0.0 : ff_random_range(r, 0.1, 1.2);
        s->e[i] = ff_random_range(r, 0.0, 1.0);
    }
}

static void after(int n, const double *A, const double *b, const double *f, double *w)
{
    for (int i = 0; i < 3 * n; i++) {
        w[i] = b[i];
        for (int k = 0; k < 3 * n; k++) w[i] += A[i * 3 * n + k] * f[k];
    }
}

/// Worst violation of Coulomb's conditions, relative to the largest velocity and force.
static double violation(int n, const double *A, const double *b, const double *mu, const double *f)
{
    double w[3 * MOST], speed = 1e-300, force = 1e-300, worst = 0.0;
    after(n, A, b, f, w);
    for (int i = 0; i < 3 * n; i++) {
        speed = fmax(speed, fabs(b[i]));
        force = fmax(force, fmax(fabs(f[i]), 0.01 * fabs(b[i]) / A[i * 3 * n + i]));
    }
    for (int i = 0; i < n; i++) {
        double slip = hypot(w[3 * i + 1], w[3 * i + 2]), friction = hypot(f[3 * i + 1], f[3 * i + 2]);
        double power = f[3 * i + 1] * w[3 * i + 1] + f[3 * i + 2] * w[3 * i + 2];
        double approach = -w[3 * i] / speed, pull = -f[3 * i] / force;
        double both = fmin(fabs(w[3 * i]) / speed, fabs(f[3 * i]) / force);
        double beyond = (friction - mu[i] * f[3 * i]) / force;
        double against = fabs(power + mu[i] * f[3 * i] * slip) / (force * speed); // friction takes all it can
        worst = fmax(worst, fmax(fmax(approach, pull), fmax(both, fmax(beyond, against))));
    }
    return worst;
}

TEST(forces_with_friction_satisfy_the_round_cone)
{
    need_work();
    ff_random r = ff_random_make(11, 0);
    double worst = 0.0;
    int rough = 0, trials = 600;
    for (int trial = 0; trial < trials; trial++) {
        static mechanism s;
        int n = 1 + trial % 4; // 12 rows of 14 degrees of freedom: any motion of the contacts is possible
        double f[3 * MOST];
        ff_error err = {0};
        make_mechanism(&s, &r, n);
        if (ff_lcp_friction(n, s.A, s.u, s.mu, NULL, f, work_space, &err) != FF_OK)
            CHECK_FAIL("%d: %s", trial, err.text);
        double off = violation(n, s.A, s.u, s.mu, f);
        rough += off > 1e-8;
        worst = fmax(worst, off);
    }
    printf("  %d of %d problems settle on the round cone to 1e-8, the worst is off by %.1e\n", trials - rough, trials,
           worst);
    CHECK_INT(rough, 0);
}

TEST(forces_are_found_where_legs_share_them_in_many_ways)
{
    // up to 8 contacts, 24 rows, on 14 degrees of freedom: A has no inverse
    need_work();
    ff_random r = ff_random_make(12, 0);
    double worst = 0.0;
    for (int trial = 0; trial < 200; trial++) {
        static mechanism s;
        int n = 5 + trial % 4;
        double f[3 * MOST];
        ff_error err = {0};
        make_mechanism(&s, &r, n);
        if (ff_lcp_friction(n, s.A, s.u, s.mu, NULL, f, work_space, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        worst = fmax(worst, violation(n, s.A, s.u, s.mu, f));
    }
    CHECK_BELOW(worst, 1e-8);
}

TEST(a_block_pushed_and_tipped_finds_the_forces_of_statics)
{
    // plane motion of a block 1 kg, feet at x = -1 and 1, height of the centre 1; a push p at the height of the centre.
    // Sticking: friction sums up to p, the normal forces differ by p h / half width. In acceleration: rows (normal, x,
    // y) of each foot over (ax, az, turn), unit inertia.
    need_work();
    const double g = 9.81, push = 2.0;
    double J[18] = {0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[36], b[6], f[6], mu[2] = {0.5, 0.5};
    for (int k = 0; k < 2; k++) {
        double x = k ? 1.0 : -1.0, z = -1.0; // foot from the centre; turn about y: (vx, vz) = w (z, -x)
        J[9 * k + 1] = 1.0, J[9 * k + 2] = -x;
        J[9 * k + 3] = 1.0, J[9 * k + 5] = z;
    }
    ff_delassus(6, 3, J, unit, A);
    for (int i = 0; i < 6; i++) b[i] = J[3 * i] * push - J[3 * i + 1] * g;
    CHECK_INT(ff_lcp_friction(2, A, b, mu, NULL, f, work_space, NULL), FF_OK);
    CHECK_NEAR(f[0] + f[3], g, 1e-12);
    CHECK_NEAR(f[1] + f[4], -push, 1e-12);
    CHECK_NEAR(f[3] - f[0], push, 1e-12); // moments: (f3 - f0) 1 m = push 1 m
    // pushed harder than mu m g it slides, and each foot brakes with mu times its load
    for (int i = 0; i < 6; i++) b[i] = J[3 * i] * 6.0 - J[3 * i + 1] * g;
    CHECK_INT(ff_lcp_friction(2, A, b, mu, NULL, f, work_space, NULL), FF_OK);
    CHECK_NEAR(f[1], -0.5 * f[0], 1e-12);
    CHECK_NEAR(f[4], -0.5 * f[3], 1e-12);
    CHECK_NEAR(f[0] + f[3], g, 1e-12);
    // sliding already, to the left although pushed to the right: friction points right
    double slide[6] = {0, -1, 0, 0, -1, 0};
    CHECK_INT(ff_lcp_friction(2, A, b, mu, slide, f, work_space, NULL), FF_OK);
    CHECK_NEAR(f[1] + f[4], 0.5 * g, 1e-12);
}

TEST(a_rod_that_jams_is_reported)
{
    // Painleve: a rod whose friction turns its tip into the ground has no finite force that keeps it out
    double A[9] = {1.0, 1.5, 0.0, 1.5, 3.0, 0.0, 0.0, 0.0, 1.0}, b[3] = {-1.0, 0.0, 0.0}, mu = 1.0,
           slide[3] = {0, 1, 0}, f[3];
    need_work();
    ff_error err = {0};
    CHECK_INT(ff_lcp_friction(1, A, b, &mu, slide, f, work_space, &err), FF_SOLVER);
    CHECK_SAYS(err.text, "no solution");
    const double bad = NAN;
    CHECK_INT(ff_lcp_friction(1, A, b, &bad, NULL, f, work_space, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "coefficient of contact 0 is nan");
}

// ------------------------------------------------------------------------------------------ impacts

/// Gain of kinetic energy by the impulses j that took the contacts from u to w:  j . (u + w) / 2.
static double gain(int n, const double *j, const double *u, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * n; i++) sum += 0.5 * j[i] * (u[i] + w[i]);
    return sum;
}

TEST(impacts_with_friction_end_apart_within_the_cone_and_never_gain_energy)
{
    need_work();
    ff_random r = ff_random_make(13, 0);
    for (int trial = 0; trial < 400; trial++) {
        static mechanism s;
        int n = 1 + trial % 5;
        make_mechanism(&s, &r, n);
        for (int i = 0; i < n; i++)
            if (trial % 2) s.e[i] = 1.0; // the hardest case: one loss only, by friction
        double size = 0.0;
        for (int i = 0; i < 3 * n; i++) size = fmax(size, fabs(s.u[i]));
        for (int way = 0; way < 2; way++) {
            double u[3 * MOST], j[3 * MOST];
            ff_error err = {0};
            memcpy(u, s.u, sizeof u);
            ff_status status = way ? ff_impulse_simultaneous_friction(n, s.A, s.e, s.mu, u, j, work_space, &err)
                                   : ff_impulse_propagate_friction(n, s.A, s.e, s.mu, u, j, &err);
            if (status != FF_OK) CHECK_FAIL("%d: %s", trial, err.text);
            for (int i = 0; i < n; i++) {
                if (!(u[3 * i] >= -1e-9 * size && j[3 * i] >= 0.0))
                    CHECK_FAIL("trial %d way %d n %d: u %g j %g", trial, way, n, u[3 * i], j[3 * i]);
                if (way == 1) CHECK_BELOW(hypot(j[3 * i + 1], j[3 * i + 2]), s.mu[i] * j[3 * i] * (1 + 1e-9) + 1e-12);
            }
            double more = gain(n, j, s.u, u);
            if (more > 1e-9) CHECK_FAIL("%d, way %d, n %d, e %g: gained %g J", trial, way, n, s.e[0], more);
        }
    }
}

TEST(without_friction_both_ways_are_the_plain_ones)
{
    need_work();
    ff_random r = ff_random_make(14, 0);
    for (int trial = 0; trial < 60; trial++) {
        static mechanism s;
        enum { N = 4 };
        make_mechanism(&s, &r, N);
        double A[N * N], e[N], mu[N] = {0}, un[2][N], jn[2][N], u[3 * N], j[3 * N];
        for (int i = 0; i < N; i++) {
            e[i] = 0.5 * (trial % 3);
            un[0][i] = un[1][i] = s.u[3 * i];
            for (int k = 0; k < N; k++) A[i * N + k] = s.A[3 * i * 3 * N + 3 * k];
        }
        CHECK_INT(ff_impulse_propagate(N, A, e, un[0], jn[0], NULL), FF_OK);
        CHECK_INT(ff_impulse_simultaneous(N, A, e, un[1], jn[1], work_space, NULL), FF_OK);
        for (int way = 0; way < 2; way++) {
            memcpy(u, s.u, sizeof u);
            CHECK_INT(way ? ff_impulse_simultaneous_friction(N, s.A, e, mu, u, j, work_space, NULL)
                          : ff_impulse_propagate_friction(N, s.A, e, mu, u, j, NULL),
                      FF_OK);
            for (int i = 0; i < N; i++) CHECK_NEAR(j[3 * i], jn[way][i], 1e-9 * (1.0 + fabs(jn[way][i])));
        }
    }
}

TEST(one_contact_agrees_with_coulomb_by_hand)
{
    // a sphere with back spin, m = 1, I = 2/5 m r^2: sticking needs 2/7 of the slip, sliding takes mu (1 + e) u
    need_work();
    const double A[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, e = 0.6;
    for (int k = 0; k < 2; k++) {
        double mu = k ? 0.05 : 0.8, u[3] = {-2.0, 1.2, -0.9}, j[3], w[3] = {-2.0, 1.2, -0.9}, i[3];
        CHECK_INT(ff_impulse_simultaneous_friction(1, A, &e, &mu, u, j, work_space, NULL), FF_OK);
        CHECK_INT(ff_impulse_propagate_friction(1, A, &e, &mu, w, i, NULL), FF_OK);
        double size = k ? mu * 3.2 : 1.5 / 3.5;
        CHECK_NEAR(j[0], 3.2, 1e-13);
        CHECK_NEAR(j[1], -0.8 * size, 1e-13);
        CHECK_NEAR(j[2], 0.6 * size, 1e-13);
        for (int l = 0; l < 3; l++) CHECK_NEAR(i[l], j[l], 1e-13);
    }
}
