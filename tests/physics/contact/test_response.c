// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impulses and complementarity: billiard balls, jointed bodies, and Lemke's method against the conditions on its
// solution.
#include "check.h"

#include <footfall/contact.h>
#include <footfall/response.h>

enum { MOST = 40 };
static double work_space[MOST * (2 * MOST + 2) + 8 * MOST];

/// Worst violation of w >= 0, f >= 0, f w = 0, relative to the size of b and f.
static double violation(int n, const double *A, const double *b, const double *f)
{
    double worst = 0.0, big = 1e-300, bf = 1e-300;
    for (int i = 0; i < n; i++) big = fmax(big, fabs(b[i])), bf = fmax(bf, fabs(f[i]));
    for (int i = 0; i < n; i++) {
        double w = b[i];
        for (int j = 0; j < n; j++) w += A[i * n + j] * f[j];
        worst = fmax(worst, fmax(-w / big, fmax(-f[i] / bf, fmin(fabs(w) / big, fabs(f[i]) / bf))));
    }
    return worst;
}

// ------------------------------------------------------------------------------------------ billiards

/// Velocities of `balls` unit masses in the plane after impulses j along the normals; ball a[i] is hit towards b[i].
static void after(int n, const int *a, const int *b, double (*normal)[2], const double *j, double (*v)[2])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            v[a[i]][k] -= j[i] * normal[i][k];
            v[b[i]][k] += j[i] * normal[i][k];
        }
}

static void jacobian(int n, int balls, const int *a, const int *b, double (*normal)[2], double *J)
{
    memset(J, 0, sizeof(double) * (size_t)(n * 2 * balls));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            J[i * 2 * balls + 2 * a[i] + k] = -normal[i][k];
            J[i * 2 * balls + 2 * b[i] + k] = normal[i][k];
        }
}

static void collide_balls(bool simultaneous, int n, const int *a, const int *b, double (*normal)[2], double (*v)[2])
{
    enum { BALLS = 3 };
    double J[3 * 2 * BALLS], unit[36] = {0}, A[9], u[3], j[3], e[3] = {1, 1, 1};
    for (int i = 0; i < 6; i++) unit[7 * i] = 1.0; // 1 kg each
    jacobian(n, BALLS, a, b, normal, J);
    ff_delassus(n, 2 * BALLS, J, unit, A);
    for (int i = 0; i < n; i++)
        u[i] = (v[b[i]][0] - v[a[i]][0]) * normal[i][0] + (v[b[i]][1] - v[a[i]][1]) * normal[i][1];
    ff_error err = {0};
    ff_status status = simultaneous ? ff_impulse_simultaneous(n, A, e, u, j, work_space, &err)
                                    : ff_impulse_propagate(n, A, e, u, j, &err);
    if (status != FF_OK) CHECK_FAIL("%s", err.text);
    after(n, a, b, normal, j, v);
}

TEST(three_balls_in_a_row)
{
    const int a[2] = {0, 1}, b[2] = {1, 2};
    double normal[2][2] = {{1, 0}, {1, 0}};
    double v[3][2] = {{1, 0}, {0, 0}, {0, 0}}, s[3][2] = {{1, 0}, {0, 0}, {0, 0}};
    collide_balls(false, 2, a, b, normal, v);
    CHECK(v[0][0] == 0.0 && v[1][0] == 0.0 && v[2][0] == 1.0); // the blow travels through
    collide_balls(true, 2, a, b, normal, s);
    CHECK_NEAR(s[0][0], -1.0 / 3, 1e-15);
    CHECK_NEAR(s[1][0], 2.0 / 3, 1e-15);
    CHECK_NEAR(s[2][0], 2.0 / 3, 1e-15);
}

TEST(the_break_of_a_triangle)
{
    const int a[2] = {0, 0}, b[2] = {1, 2};
    double c = cos(FF_PI / 6), normal[2][2] = {{c, 0.5}, {c, -0.5}};
    double v[3][2] = {{1, 0}, {0, 0}, {0, 0}}, s[3][2] = {{1, 0}, {0, 0}, {0, 0}};
    collide_balls(true, 2, a, b, normal, s);
    CHECK_NEAR(s[0][0], -0.2, 1e-15);
    CHECK_NEAR(s[0][1], 0.0, 1e-15);
    for (int i = 1; i < 3; i++) {
        CHECK_NEAR(hypot(s[i][0], s[i][1]), 0.4 * sqrt(3.0), 1e-15); // 0.6928
        CHECK_NEAR(atan2(s[i][1], s[i][0]), (i == 1 ? 1 : -1) * FF_PI / 6, 1e-15);
    }
    collide_balls(false, 2, a, b, normal, v);
    CHECK_NEAR(hypot(v[1][0], v[1][1]), c, 1e-15);       // 0.866
    CHECK_NEAR(hypot(v[2][0], v[2][1]), 0.5 * c, 1e-15); // 0.433
    CHECK_NEAR(hypot(v[0][0], v[0][1]), 0.25, 1e-15);
}

TEST(random_impacts_of_jointed_bodies_keep_energy_and_separate)
{
    // any symmetric positive definite mass matrix is a mechanism; e = 1 keeps kinetic energy, e = 0 leaves no approach
    ff_random r = ff_random_make(5, 0);
    for (int trial = 0; trial < 300; trial++) {
        enum { NV = 9 };
        int n = 1 + trial % 6;
        double G[NV * NV], Minv[NV * NV], J[6 * NV], v[NV], A[36], e[6], j[6], jp[6], up[6];
        for (int i = 0; i < NV * NV; i++) G[i] = ff_random_normal(&r);
        for (int i = 0; i < NV; i++) {
            v[i] = ff_random_normal(&r);
            for (int k = 0; k < NV; k++) {
                Minv[i * NV + k] = 1.0 * (i == k);
                for (int l = 0; l < NV; l++) Minv[i * NV + k] += G[i * NV + l] * G[k * NV + l];
            }
        }
        for (int i = 0; i < n * NV; i++) J[i] = ff_random_normal(&r);
        ff_delassus(n, NV, J, Minv, A);
        double u[6] = {0};
        for (int elastic = 0; elastic < 2; elastic++) {
            double before = 0.0, size = 0.0;
            for (int i = 0; i < n; i++) {
                e[i] = elastic;
                u[i] = 0.0;
                for (int k = 0; k < NV; k++) u[i] += J[i * NV + k] * v[k];
                up[i] = u[i];
                size = fmax(size, fabs(u[i]));
            }
            double start[6];
            memcpy(start, u, sizeof start);
            ff_error err = {0};
            if (ff_impulse_simultaneous(n, A, e, u, j, work_space, &err) != FF_OK) CHECK_FAIL("%s", err.text);
            ff_status status = ff_impulse_propagate(n, A, e, up, jp, &err);
            if (status != FF_OK) CHECK_FAIL("%s", err.text);
            double gain[2] = {0, 0}; // of kinetic energy: j (u + u+) / 2
            for (int i = 0; i < n; i++) {
                CHECK(j[i] >= 0.0 && jp[i] >= 0.0);
                CHECK(u[i] >= -1e-9 * size && up[i] >= -1e-9 * size);
                gain[0] += 0.5 * j[i] * (u[i] + start[i]);
                gain[1] += 0.5 * jp[i] * (up[i] + start[i]);
                before += fabs(j[i] * start[i]);
            }
            for (int k = 0; k < 2; k++) {
                if (elastic)
                    CHECK_NEAR(gain[k], 0.0, 1e-9 * (1.0 + before));
                else
                    CHECK_BELOW(gain[k], 1e-9);
            }
        }
    }
}

TEST(one_contact_with_friction_sticks_or_slides_by_coulomb)
{
    // a unit point mass on a fixed floor
    const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double u[3] = {-2, 0.3, 0.4}, j[3];
    CHECK_INT(ff_impulse_one(A, u, 0.5, 0.1, j, NULL), FF_OK);
    CHECK_NEAR(j[0], 3.0, 1e-15);
    CHECK_NEAR(u[0], 1.0, 1e-15);
    CHECK_NEAR(hypot(u[1], u[2]), 0.5 - 0.3, 1e-15); // mu j taken off the slip
    double s[3] = {-2, 0.3, 0.4};
    CHECK_INT(ff_impulse_one(A, s, 0.5, 0.5, j, NULL), FF_OK);
    CHECK(fabs(s[1]) < 1e-15 && fabs(s[2]) < 1e-15);
    double away[3] = {0.1, 1, 1};
    CHECK_INT(ff_impulse_one(A, away, 0.5, 0.5, j, NULL), FF_OK);
    CHECK(j[0] == 0.0 && away[1] == 1.0);
    const double fixed[9] = {0};
    ff_error err = {0};
    double into[3] = {-1, 0, 0};
    CHECK_INT(ff_impulse_one(fixed, into, 1.0, 0.0, j, &err), FF_BAD_ARGUMENT);
    // a sphere dropped with back spin: effective tangential mass 2/7 m when it sticks
    const double ball[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5};
    double spin[3] = {-1, 1, 0};
    CHECK_INT(ff_impulse_one(ball, spin, 1.0, 1.0, j, NULL), FF_OK);
    CHECK_NEAR(j[1], -1.0 / 3.5, 1e-15);
}

// ------------------------------------------------------------------------------------------ complementarity

TEST(known_complementarity_problems)
{
    double f[4];
    const double A[4] = {2, 1, 1, 2}, b[2] = {-5, -6}; // Cottle, Pang, Stone: f = (4/3, 7/3)
    CHECK_INT(ff_lcp_solve(2, A, b, f, work_space, NULL), FF_OK);
    CHECK_NEAR(f[0], 4.0 / 3, 1e-15);
    CHECK_NEAR(f[1], 7.0 / 3, 1e-15);
    const double up[2] = {1, 2};
    CHECK_INT(ff_lcp_solve(2, A, up, f, work_space, NULL), FF_OK);
    CHECK(f[0] == 0.0 && f[1] == 0.0);
    const double against[2] = {-1, 5}; // the second lifts off
    CHECK_INT(ff_lcp_solve(2, A, against, f, work_space, NULL), FF_OK);
    CHECK_NEAR(f[0], 0.5, 1e-15);
    CHECK(f[1] == 0.0);
    const double zero[4] = {0}, pull[2] = {-1, 0};
    ff_error err = {0};
    CHECK_INT(ff_lcp_solve(2, zero, pull, f, work_space, &err), FF_SOLVER); // nothing can push back
    CHECK_SAYS(err.text, "no solution");
    const double bad[2] = {NAN, 0};
    CHECK_INT(ff_lcp_solve(2, A, bad, f, work_space, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_lcp_solve(0, A, b, f, work_space, &err), FF_OK);
}

TEST(a_table_on_four_legs_finds_one_of_its_many_answers)
{
    // heave, pitch and roll of a unit table on legs at (+-1, +-1): rank 3, loads 9.81 in the middle or off it
    double J[12], unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[16], b[4], f[4];
    for (int i = 0; i < 4; i++) J[3 * i] = 1.0, J[3 * i + 1] = i & 1 ? 1 : -1, J[3 * i + 2] = i & 2 ? 1 : -1;
    ff_delassus(4, 3, J, unit, A);
    for (double x = -0.9; x < 1.0; x += 0.3)
        for (double y = -0.9; y < 1.0; y += 0.3) {
            for (int i = 0; i < 4; i++) b[i] = -9.81 * (1.0 + J[3 * i + 1] * x + J[3 * i + 2] * y);
            CHECK_INT(ff_lcp_solve(4, A, b, f, work_space, NULL), FF_OK);
            CHECK_BELOW(violation(4, A, b, f), 1e-12);
            CHECK_NEAR(f[0] + f[1] + f[2] + f[3], 9.81, 1e-11);
        }
}

TEST(random_problems_meet_their_conditions_also_where_they_are_degenerate)
{
    ff_random r = ff_random_make(6, 0);
    double worst = 0.0;
    int solved = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int n = 1 + trial % MOST, rank = trial % 3 ? n : 1 + n / 2;
        static double G[MOST * MOST], A[MOST * MOST], b[MOST], f[MOST];
        for (int i = 0; i < n * rank; i++) G[i] = trial % 5 ? ff_random_normal(&r) : floor(ff_random_range(&r, -1, 2));
        double z[MOST];
        for (int k = 0; k < rank; k++) z[k] = trial % 7 ? ff_random_normal(&r) : floor(ff_random_range(&r, -1, 2));
        for (int i = 0; i < n; i++) {
            b[i] = rank < n ? 0.0 : ff_random_normal(&r);
            for (int k = 0; k < rank && rank < n; k++) b[i] += G[i * rank + k] * z[k]; // in the range of A: solvable
            if (trial % 4 == 0 && i > 0 && trial % 2) b[i] = b[0];                     // ties
            for (int j = 0; j < n; j++) {
                A[i * n + j] = 0.0;
                for (int k = 0; k < rank; k++) A[i * n + j] += G[i * rank + k] * G[j * rank + k];
            }
            if (rank == n) A[i * n + i] += 0.01;
        }
        ff_error err = {0};
        ff_status status = ff_lcp_solve(n, A, b, f, work_space, &err);
        if (status != FF_OK) CHECK_FAIL("trial %d, n %d, rank %d: %s", trial, n, rank, err.text);
        double off = violation(n, A, b, f);
        worst = fmax(worst, off);
        if (off > 1e-7) CHECK_FAIL("trial %d, n %d, rank %d: conditions violated by %g", trial, n, rank, off);
        solved++;
    }
    printf("  %d problems of 1 to %d contacts, worst violation %.1e\n", solved, MOST, worst);
}

TEST(impacts_that_cannot_end_are_reported)
{
    double A[1] = {0.0}, e[1] = {1.0}, u[1] = {-1.0}, j[1];
    ff_error err = {0};
    CHECK_INT(ff_impulse_propagate(1, A, e, u, j, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "no mobility");
    CHECK_INT(ff_impulse_simultaneous(1, A, e, u, j, work_space, &err), FF_SOLVER);
}
