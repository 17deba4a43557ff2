// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Linearisation against closed forms (pendulum, cart and pole) and, on a tumbling robot, against the nonlinear flow
// itself.
#include <math.h>

#include "check.h"
#include "support/robots.h"

TEST(pendulum_has_its_closed_form_linearisation)
{
    const double mass = 1.4, l = 0.6, I = 0.1, J = mass * l * l + I, angles[] = {0.0, 1.1, FF_PI};
    ff_model *m = robot_pendulum(mass, l, I);
    for (int i = 0; i < 3; i++) {
        ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
        double A[4], B[2];
        ff_sim_set_q(sim, 0, angles[i]);
        CHECK_INT(ff_sim_tangent_size(sim), 2);
        CHECK_INT(ff_sim_linearise(sim, A, B, NULL), FF_OK);
        CHECK_NEAR(A[0], 0.0, 0.0);
        CHECK_NEAR(A[1], 1.0, 0.0);
        CHECK_NEAR(A[2], -mass * 9.81 * l * cos(angles[i]) / J, 1e-10);
        CHECK_NEAR(A[3], 0.0, 1e-10);
        CHECK_NEAR(B[0], 0.0, 0.0);
        CHECK_NEAR(B[1], 1.0 / J, 1e-10);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

// Cart M, uniform pole m, half length l, upright: with D = (M + m)(I + m l^2) - m^2 l^2,
//     x'' = -m^2 l^2 g / D th + (I + m l^2) / D u,     th'' = (M + m) m g l / D th - m l / D u.
// Damping c on the cart adds -c (I + m l^2) / D and c m l / D to the column of x'. (K. Ogata, Modern Control
// Engineering, sec. 3-6.)
TEST(cart_and_pole_have_their_closed_form_linearisation)
{
    const double M = 2.0, mass = 0.5, l = 0.4, I = 0.03, c = 0.7, g = 9.81;
    const double D = (M + mass) * (I + mass * l * l) - mass * mass * l * l;
    ff_spec *spec = ff_spec_create(NULL);
    const int cart = robot_body(spec, "cart", -1, (double[]){0, 0, 0}, M, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    const int pole =
        robot_body(spec, "pole", cart, (double[]){0, 0, 0}, mass, (double[]){0, 0, l}, (double[]){I, I, I});
    robot_joint(spec, "rail", cart, FF_JOINT_SLIDE, 1, 0, 0)->damping = c;
    robot_joint(spec, "pivot", pole, FF_JOINT_HINGE, 0, 1, 0); // positive th leans towards +x
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    double A[16], B[8];
    CHECK_INT(ff_sim_linearise(sim, A, B, NULL), FF_OK);
    const double expected[16] = {0,
                                 0,
                                 1,
                                 0, //
                                 0,
                                 0,
                                 0,
                                 1, //
                                 0,
                                 -mass * mass * l * l * g / D,
                                 -c * (I + mass * l * l) / D,
                                 0, //
                                 0,
                                 (M + mass) * mass * g * l / D,
                                 c * mass * l / D,
                                 0};
    for (int i = 0; i < 16; i++) CHECK_NEAR(A[i], expected[i], 1e-10);
    CHECK_NEAR(B[2 * 2], (I + mass * l * l) / D, 1e-10);
    CHECK_NEAR(B[3 * 2], -mass * l / D, 1e-10);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

static void lag(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)m;
    zdot[0] = -8.0 * z[0] + 3.0 * d->q[7] + 0.5 * d->v[6];
    d->tau[6] += 2.0 * z[0];
}

static ff_sim *moved(const ff_model *m, const double *dx, double amount)
{
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-14));
    const ff_part part = {.name = "lag", .nstate = 1, .derivative = lag};
    ff_sim_add_part(sim, &part, NULL);
    robot_tumble(m, sim, 1.5);
    double q[64];
    ff_dyn_advance(m, ff_sim_q(sim), dx, amount, q);
    ff_sim_set_state(sim, q, NULL);
    for (int i = 0; i < m->nv; i++) ff_sim_set_v(sim, i, ff_sim_v(sim)[i] + amount * dx[m->nv + i]);
    ff_sim_set_part_state(sim, 0, 0, 0.2 + amount * dx[2 * m->nv]);
    return sim;
}

// Two runs a little apart: their difference after a short time h is dx + h A dx + O(h^2), in coordinates that turn
// along. With central differences in the disturbance and three times h the O(h^2) and O(h^3) are removed.
TEST(linearisation_is_the_derivative_of_the_flow)
{
    ff_model *m = robot_walker(1, true);
    const int nv = m->nv, n = 2 * nv + 1;
    double *A = calloc((size_t)(n * n), sizeof *A), dx[64], rate[3][64], worst = 0.0, size = 0.0;
    ff_random random = ff_random_make(5, 0);
    for (int i = 0; i < n; i++) dx[i] = ff_random_range(&random, -1.0, 1.0);
    ff_sim *sim = moved(m, dx, 0.0);
    CHECK_INT(ff_sim_linearise(sim, A, NULL, NULL), FF_OK);
    ff_sim_destroy(sim);
    for (int k = 0; k < 3; k++) {
        const double h = 4e-3 / (double)(1 << k), e = 1e-4;
        ff_sim *plus = moved(m, dx, e), *minus = moved(m, dx, -e), *middle = moved(m, dx, 0.0);
        CHECK(!ff_sim_run(plus, h, NULL) && !ff_sim_run(minus, h, NULL) && !ff_sim_run(middle, h, NULL));
        double up[64], down[64];
        ff_dyn_difference(m, ff_sim_q(middle), ff_sim_q(plus), up);
        ff_dyn_difference(m, ff_sim_q(middle), ff_sim_q(minus), down);
        for (int i = 0; i < nv; i++) {
            rate[k][i] = ((up[i] - down[i]) / (2 * e) - dx[i]) / h;
            rate[k][nv + i] = ((ff_sim_v(plus)[i] - ff_sim_v(minus)[i]) / (2 * e) - dx[nv + i]) / h;
        }
        rate[k][2 * nv] = ((ff_sim_part_state(plus, 0)[0] - ff_sim_part_state(minus, 0)[0]) / (2 * e) - dx[2 * nv]) / h;
        ff_sim_destroy(plus);
        ff_sim_destroy(minus);
        ff_sim_destroy(middle);
    }
    for (int i = 0; i < n; i++) {
        double expected = 0.0;
        for (int j = 0; j < n; j++) expected += A[i * n + j] * dx[j];
        const double first = 2 * rate[1][i] - rate[0][i], second = 2 * rate[2][i] - rate[1][i];
        worst = fmax(worst, fabs((4 * second - first) / 3 - expected));
        size = fmax(size, fabs(expected));
    }
    printf("  flow and matrix differ by %.1e of %.1f\n", worst, size);
    CHECK_BELOW(worst, 1e-5 * size); // remainders of h^3 and e^2 at these steps
    free(A);
    ff_model_destroy(m);
}

// Halving the step of a plain second-order difference and extrapolating must lead to the same matrix.
TEST(linearisation_agrees_with_richardson_differences)
{
    ff_model *m = robot_walker(2, true);
    const int nv = m->nv, n = 2 * nv;
    double *A = calloc((size_t)(n * n), sizeof *A), worst = 0.0, size = 0.0;
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    robot_tumble(m, sim, 1.0);
    CHECK_INT(ff_sim_linearise(sim, A, NULL, NULL), FF_OK);
    const ff_data *state = ff_sim_data(sim);
    ff_data *d = ff_data_create(m, NULL);
    for (int j = 0; j < n; j++) {
        double table[3][64], push[64] = {0}, save[64];
        for (int k = 0; k < 3; k++) {
            const double h = 4e-3 / (double)(1 << k);
            for (int side = -1; side <= 1; side += 2) {
                memcpy(d->q, state->q, (size_t)m->nq * sizeof(double));
                memcpy(d->v, state->v, (size_t)nv * sizeof(double));
                push[j % nv] = 1.0;
                if (j < nv)
                    ff_dyn_advance(m, state->q, push, side * h, d->q);
                else
                    d->v[j - nv] += side * h;
                ff_dyn_kinematics(m, d);
                ff_dyn_velocity(m, d);
                CHECK(ff_dyn_forward(m, d));
                for (int i = 0; i < nv; i++)
                    table[k][i] = side < 0 ? (save[i] = d->qacc[i]) : (d->qacc[i] - save[i]) / (2 * h);
            }
        }
        for (int i = 0; i < nv; i++) {
            const double a = (4 * table[1][i] - table[0][i]) / 3, b = (4 * table[2][i] - table[1][i]) / 3;
            worst = fmax(worst, fabs((16 * b - a) / 15 - A[(nv + i) * n + j]));
            size = fmax(size, fabs(A[(nv + i) * n + j]));
        }
    }
    printf("  differ by %.1e of %.0f\n", worst, size);
    CHECK_BELOW(worst, 1e-10 * size);
    ff_data_destroy(d);
    free(A);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
