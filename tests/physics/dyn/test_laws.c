// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws that tie the functions of the dyn room together, on random trees with every joint type. Inverse dynamics works
// in node frames, forward dynamics and the mass matrix in world axes: their agreement is one of two independent routes.
#include <footfall/dyn.h>

#include "check.h"
#include "support/random_robot.h"

enum { ROBOTS = 24, STATES = 8, MOST_DOF = 200 };

typedef void law(const ff_model *m, ff_data *d, ff_random *random);

/// Runs a law on many robots in many states.
static void for_random_robots(law *check, bool smooth)
{
    ff_random random = ff_random_make(7, 0);
    for (int k = 0; k < ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 2 + k / 2, k % 2 == 0, smooth);
        ff_report report = {0};
        ff_model *m = ff_model_compile(spec, NULL, &report);
        ff_spec_destroy(spec);
        if (!m) CHECK_FAIL("robot %d: %s", k, report.count ? report.messages[0].text : "no message");
        CHECK(m->nv <= MOST_DOF);
        ff_data *d = ff_data_create(m, NULL);
        for (int s = 0; s < STATES; s++) {
            random_state(m, d, &random);
            ff_dyn_kinematics(m, d);
            ff_dyn_velocity(m, d);
            check(m, d, &random);
        }
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_report_clear(&report);
    }
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double largest_difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// ------------------------------------------------------------------------------------------ dynamics

static void check_forward(const ff_model *m, ff_data *d, ff_random *random)
{
    double back[MOST_DOF], solved[MOST_DOF], bias[MOST_DOF];
    (void)random;
    CHECK(ff_dyn_forward(m, d));
    ff_dyn_inverse(m, d, d->q, d->v, d->qacc, back);
    // errors scale with the torques that cancel inside: M qacc is the largest of them
    ff_dyn_inverse(m, d, d->q, d->v, NULL, bias);
    double scale = 1 + largest(d->tau, m->nv) + largest(bias, m->nv);
    CHECK_BELOW(largest_difference(back, d->tau, m->nv) / scale, 1e-11);
    ff_dyn_mass(m, d);
    CHECK(ff_dyn_factor(m, d));
    for (int i = 0; i < m->nv; i++) solved[i] = d->tau[i] - bias[i];
    ff_dyn_solve(m, d, solved);
    CHECK_BELOW(largest_difference(solved, d->qacc, m->nv) / (1 + largest(d->qacc, m->nv)), 1e-11);
}

TEST(forward_dynamics_is_the_inverse_of_inverse_dynamics_and_of_the_mass_matrix)
{
    for_random_robots(check_forward, true);
}

static void check_mass_columns(const ff_model *m, ff_data *d, ff_random *random)
{
    static double M[MOST_DOF * MOST_DOF];
    double unit[MOST_DOF], column[MOST_DOF], bias[MOST_DOF], product[MOST_DOF], x[MOST_DOF], y[MOST_DOF];
    ff_dyn_mass(m, d);
    ff_dyn_mass_expand(m, d, M);
    ff_dyn_inverse(m, d, d->q, d->v, NULL, bias);
    double scale = 1 + largest(M, m->nv * m->nv) + largest(bias, m->nv);
    for (int j = 0; j < m->nv; j++) {
        for (int i = 0; i < m->nv; i++) unit[i] = i == j ? 1.0 : 0.0;
        ff_dyn_inverse(m, d, d->q, d->v, unit, column);
        for (int i = 0; i < m->nv; i++) CHECK_NEAR(M[i * m->nv + j], column[i] - bias[i], 1e-12 * scale);
    }
    random_vector(random, x, m->nv, 1.0);
    ff_dyn_mass_mul(m, d, x, product);
    for (int i = 0; i < m->nv; i++) {
        y[i] = 0;
        for (int j = 0; j < m->nv; j++) y[i] += M[i * m->nv + j] * x[j];
    }
    CHECK_BELOW(largest_difference(product, y, m->nv) / scale, 1e-13);
}

TEST(mass_matrix_columns_are_inverse_dynamics_of_unit_accelerations)
{
    for_random_robots(check_mass_columns, true);
}

static void check_kinetic(const ff_model *m, ff_data *d, ff_random *random)
{
    double momentum[MOST_DOF], twice = 0;
    (void)random;
    ff_dyn_mass(m, d);
    ff_dyn_mass_mul(m, d, d->v, momentum);
    for (int i = 0; i < m->nv; i++) twice += momentum[i] * d->v[i];
    double kinetic = ff_dyn_kinetic_energy(m, d);
    CHECK_NEAR(0.5 * twice, kinetic, 1e-12 * (1 + kinetic));
}

TEST(kinetic_energy_is_half_v_M_v)
{
    for_random_robots(check_kinetic, true);
}

/// Central difference of f along the motion q -> q + v t. At t = 1e-6 truncation (third derivatives up to 1e5) and
/// rounding (1e-16/1e-6) are both near 1e-8.
typedef void quantity(const ff_model *m, ff_data *d, double *out);
enum { MOST_OUT = 6 };

static void along_motion(const ff_model *m, ff_data *d, const double *qacc, quantity *f, int n, double *rate)
{
    // stops make accelerations of 1e4 rad/s^2: the step is shorter where they act
    const double t = qacc && largest(qacc, m->nv) > 100 ? 1e-7 : 1e-6;
    double q[MOST_DOF * 2], v[MOST_DOF], plus[MOST_OUT], minus[MOST_OUT];
    memcpy(q, d->q, (size_t)m->nq * sizeof *q);
    memcpy(v, d->v, (size_t)m->nv * sizeof *v);
    for (int side = 0; side < 2; side++) {
        double h = side ? t : -t, mid[MOST_DOF];
        // second order in t: the velocity half way
        for (int i = 0; i < m->nv; i++) {
            mid[i] = v[i] + 0.5 * h * (qacc ? qacc[i] : 0);
            d->v[i] = v[i] + h * (qacc ? qacc[i] : 0);
        }
        ff_dyn_advance(m, q, mid, h, d->q);
        ff_dyn_kinematics(m, d);
        ff_dyn_velocity(m, d);
        f(m, d, side ? plus : minus);
    }
    for (int k = 0; k < n; k++) rate[k] = (plus[k] - minus[k]) / (2 * t);
    memcpy(d->q, q, (size_t)m->nq * sizeof *q);
    memcpy(d->v, v, (size_t)m->nv * sizeof *v);
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
}

static void total_energy(const ff_model *m, ff_data *d, double *out)
{
    ff_dyn_passive(m, d);
    out[0] = ff_dyn_kinetic_energy(m, d) + ff_dyn_potential_energy(m, d) + d->passive_energy;
}

static void check_power(const ff_model *m, ff_data *d, ff_random *random)
{
    double applied[MOST_DOF], rate, power = 0;
    (void)random;
    memcpy(applied, d->tau, (size_t)m->nv * sizeof *applied);
    ff_dyn_passive(m, d);
    for (int i = 0; i < m->nv; i++) {
        power += applied[i] * d->v[i];
        d->tau[i] += d->passive[i];
    }
    power -= d->passive_power;
    CHECK(d->passive_power >= 0);
    CHECK(ff_dyn_forward(m, d));
    double scale = 1 + fabs(power) + largest(d->qacc, m->nv);
    along_motion(m, d, d->qacc, total_energy, 1, &rate);
    CHECK_NEAR(rate, power, 1e-7 * scale); // truncation grows with the accelerations
}

TEST(energy_changes_by_the_power_applied_minus_the_power_dissipated)
{
    for_random_robots(check_power, false);
}

// ------------------------------------------------------------------------------------------ points

static int test_body;
static const double test_point[3] = {0.1, -0.2, 0.3};

static void point_position(const ff_model *m, ff_data *d, double *out)
{
    ff_dyn_point(m, d, test_body, test_point, out);
}

static void point_velocity(const ff_model *m, ff_data *d, double *out)
{
    ff_dyn_point_velocity(m, d, test_body, test_point, out);
}

/// ff_dyn_point_motion gives the results of ff_dyn_point and ff_dyn_point_velocity.
static void check_motion(const ff_model *m, ff_data *d, int body)
{
    double place[3], velocity[6], place_too[3], velocity_too[6];
    ff_dyn_point(m, d, body, test_point, place);
    ff_dyn_point_velocity(m, d, body, test_point, velocity);
    ff_dyn_point_motion(m, d, body, test_point, place_too, velocity_too);
    for (int k = 0; k < 3; k++) CHECK_NEAR(place_too[k], place[k], 0.0);
    for (int k = 0; k < 6; k++) CHECK_NEAR(velocity_too[k], velocity[k], 0.0);
}

static void check_points(const ff_model *m, ff_data *d, ff_random *random)
{
    static double J[6 * MOST_DOF];
    double velocity[6], rate[6], product[6], acceleration[6], drift[6], qacc[MOST_DOF];
    random_vector(random, qacc, m->nv, 3.0);
    check_motion(m, d, -1);
    for (test_body = 0; test_body < m->nbody; test_body++) {
        check_motion(m, d, test_body);
        ff_dyn_point_velocity(m, d, test_body, test_point, velocity);
        along_motion(m, d, NULL, point_position, 3, rate);
        for (int k = 0; k < 3; k++) CHECK_NEAR(rate[k], velocity[3 + k], 1e-7 * (1 + largest(velocity, 6)));
        ff_dyn_jacobian(m, d, test_body, test_point, J);
        for (int k = 0; k < 6; k++) {
            product[k] = 0;
            for (int i = 0; i < m->nv; i++) product[k] += J[k * m->nv + i] * d->v[i];
            CHECK_NEAR(product[k], velocity[k], 1e-12 * (1 + largest(velocity, 6)));
        }
        ff_dyn_point_acceleration(m, d, test_body, test_point, qacc, acceleration);
        along_motion(m, d, qacc, point_velocity, 6, rate);
        for (int k = 0; k < 6; k++) CHECK_NEAR(rate[k], acceleration[k], 1e-5 * (1 + largest(acceleration, 6)));
        ff_dyn_jacobian_drift(m, d, test_body, test_point, drift);
        for (int k = 0; k < 6; k++) {
            for (int i = 0; i < m->nv; i++) drift[k] += J[k * m->nv + i] * qacc[i];
            CHECK_NEAR(drift[k], acceleration[k], 1e-11 * (1 + largest(acceleration, 6)));
        }
    }
}

TEST(velocities_and_accelerations_of_points_are_derivatives_of_their_positions)
{
    for_random_robots(check_points, true);
}

static void check_external(const ff_model *m, ff_data *d, ff_random *random)
{
    static double J[6 * MOST_DOF];
    double force[3], moment[3], point[3], by_wrench[MOST_DOF], torque[MOST_DOF] = {0};
    int body = m->nbody - 1;
    random_vector(random, force, 3, 10.0);
    random_vector(random, moment, 3, 2.0);
    ff_dyn_point(m, d, body, test_point, point);
    ff_dyn_apply_force(m, d, body, point, force, moment);
    CHECK(ff_dyn_forward(m, d));
    memcpy(by_wrench, d->qacc, (size_t)m->nv * sizeof *by_wrench);
    ff_dyn_add_wrench_torque(m, d, torque);
    ff_dyn_clear_forces(m, d);
    ff_dyn_jacobian(m, d, body, test_point, J);
    for (int i = 0; i < m->nv; i++) {
        double tau = 0;
        for (int k = 0; k < 3; k++) tau += J[k * m->nv + i] * moment[k] + J[(3 + k) * m->nv + i] * force[k];
        CHECK_NEAR(torque[i], tau, 1e-11 * (1 + largest(torque, m->nv)));
        d->tau[i] += tau;
    }
    CHECK(ff_dyn_forward(m, d));
    CHECK_BELOW(largest_difference(by_wrench, d->qacc, m->nv) / (1 + largest(d->qacc, m->nv)), 1e-10);
}

TEST(a_force_on_a_point_acts_as_its_jacobian_transposed)
{
    for_random_robots(check_external, true);
}

// ------------------------------------------------------------------------------------------ whole robot

static void com_position(const ff_model *m, ff_data *d, double *out)
{
    ff_dyn_com(m, d, out);
}

static void potential(const ff_model *m, ff_data *d, double *out)
{
    out[0] = ff_dyn_potential_energy(m, d);
}

static void check_momentum(const ff_model *m, ff_data *d, ff_random *random)
{
    static double A[6 * MOST_DOF];
    double h[6], rate[3];
    (void)random;
    ff_dyn_momentum(m, d, h);
    ff_dyn_momentum_matrix(m, d, A);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int i = 0; i < m->nv; i++) sum += A[k * m->nv + i] * d->v[i];
        CHECK_NEAR(sum, h[k], 1e-12 * (1 + largest(h, 6)));
    }
    along_motion(m, d, NULL, com_position, 3, rate);
    for (int k = 0; k < 3; k++) CHECK_NEAR(m->mass * rate[k], h[3 + k], 1e-7 * (1 + largest(h, 6)));
}

TEST(linear_momentum_is_mass_times_velocity_of_the_centre_of_mass)
{
    for_random_robots(check_momentum, true);
}

static void check_gravity(const ff_model *m, ff_data *d, ff_random *random)
{
    double torque[MOST_DOF], rate, power = 0, still[MOST_DOF] = {0};
    (void)random;
    ff_dyn_inverse(m, d, d->q, still, NULL, torque);
    for (int i = 0; i < m->nv; i++) power += torque[i] * d->v[i];
    along_motion(m, d, NULL, potential, 1, &rate);
    CHECK_NEAR(rate, power, 1e-7 * (1 + fabs(power)));
}

TEST(torques_that_hold_a_robot_are_the_gradient_of_its_potential_energy)
{
    for_random_robots(check_gravity, true);
}

static void check_weight(const ff_model *m, ff_data *d, ff_random *random)
{
    double hold[MOST_DOF], inverse[MOST_DOF], rest[MOST_DOF] = {0};
    (void)random;
    ff_dyn_gravity(m, d, hold);
    ff_dyn_inverse(m, d, d->q, rest, NULL, inverse);
    CHECK_BELOW(largest_difference(hold, inverse, m->nv) / (1 + largest(inverse, m->nv)), 1e-12);
}

TEST(weight_is_inverse_dynamics_without_motion)
{
    for_random_robots(check_weight, true);
}

static void check_here(const ff_model *m, ff_data *d, ff_random *random)
{
    double here[MOST_DOF], inverse[MOST_DOF], a[MOST_DOF], pushed[MOST_DOF] = {0}, force[3], moment[3], point[3];
    random_vector(random, a, m->nv, 3.0);
    for (int body = 0; body < m->nbody; body++) {
        random_vector(random, force, 3, 10.0);
        random_vector(random, moment, 3, 2.0);
        ff_dyn_point(m, d, body, test_point, point);
        ff_dyn_apply_force(m, d, body, point, force, moment);
    }
    ff_dyn_inverse_here(m, d, a, here);
    ff_dyn_inverse(m, d, d->q, d->v, a, inverse);
    ff_dyn_add_wrench_torque(m, d, pushed);
    for (int i = 0; i < m->nv; i++) inverse[i] -= pushed[i];
    CHECK_BELOW(largest_difference(here, inverse, m->nv) / (1 + largest(inverse, m->nv) + largest(pushed, m->nv)),
                1e-11);
    ff_dyn_clear_forces(m, d);
}

TEST(inverse_dynamics_in_world_axes_is_the_same)
{
    for_random_robots(check_here, true);
}

static void check_again(const ff_model *m, ff_data *d, ff_random *random)
{
    double whole[MOST_DOF], force[3], moment[3], point[3];
    for (int round = 0; round < 3; round++) {
        CHECK(ff_dyn_forward(m, d));
        random_vector(random, d->tau, m->nv, 5.0);
        for (int body = 0; body < m->nbody; body++) {
            random_vector(random, force, 3, 10.0);
            random_vector(random, moment, 3, 2.0);
            ff_dyn_point(m, d, body, test_point, point);
            ff_dyn_apply_force(m, d, body, point, force, moment);
        }
        ff_dyn_mass(m, d); // uses the scratch that others use
        CHECK(ff_dyn_forward_again(m, d));
        memcpy(whole, d->qacc, (size_t)m->nv * sizeof *whole);
        CHECK(ff_dyn_forward(m, d));
        CHECK_NEAR(largest_difference(whole, d->qacc, m->nv), 0.0, 0.0); // bit-identical
    }
    ff_dyn_clear_forces(m, d);
}

TEST(forward_dynamics_with_other_forces_needs_no_new_inertias)
{
    for_random_robots(check_again, true);
}

static void check_coordinates(const ff_model *m, ff_data *d, ff_random *random)
{
    double step[MOST_DOF], back[MOST_DOF], q[MOST_DOF * 2];
    random_vector(random, step, m->nv, 0.9); // rotations below half a turn, where the way back is unique
    ff_dyn_advance(m, d->q, step, 1.0, q);
    ff_dyn_difference(m, d->q, q, back);
    CHECK_BELOW(largest_difference(step, back, m->nv), 1e-13);
}

TEST(difference_undoes_advance)
{
    for_random_robots(check_coordinates, true);
}

TEST(a_force_on_a_massless_link_acts_as_its_jacobian_transposed)
{
    // a link without mass between two that have some, as in many URDF files: its node shares the lump of its child
    ff_spec *spec = ff_spec_create(NULL);
    ff_random random = ff_random_make(5, 0);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"base", "thigh", "dummy", "shank"};
        ff_spec_body *body = ff_spec_add_body(spec, names[i], i - 1);
        ff_vec3_set(body->pos, 0.2, 0.1 * i, -0.1);
        if (i != 2) random_inertia(&random, body);
        ff_spec_joint *joint = ff_spec_add_joint(spec, names[i], i, i == 0 ? FF_JOINT_FREE : FF_JOINT_HINGE);
        random_vector(&random, joint->axis, 3, 1.0);
    }
    ff_model *m = ff_model_compile(spec, NULL, NULL);
    CHECK(m);
    CHECK_INT(m->nnode - m->nlump, 1);
    ff_data *d = ff_data_create(m, NULL);
    random_state(m, d, &random);
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    double torque[MOST_DOF] = {0}, by_wrench[MOST_DOF], point[3];
    const double force[3] = {3, -2, 5}, moment[3] = {0.5, 0.2, -0.1};
    ff_dyn_point(m, d, 2, test_point, point);
    ff_dyn_apply_force(m, d, 2, point, force, moment);
    CHECK(ff_dyn_forward(m, d));
    memcpy(by_wrench, d->qacc, (size_t)m->nv * sizeof *by_wrench);
    ff_dyn_add_wrench_torque(m, d, torque);
    CHECK(largest(torque, m->nv) > 1);
    ff_dyn_clear_forces(m, d);
    for (int i = 0; i < m->nv; i++) d->tau[i] += torque[i];
    CHECK(ff_dyn_forward(m, d));
    CHECK_BELOW(largest_difference(by_wrench, d->qacc, m->nv) / largest(d->qacc, m->nv), 1e-12);
    ff_data_destroy(d);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(fixed_bodies_change_nothing_when_their_mass_is_part_of_the_carrier)
{
    // the same lump of 0.4 kg, once as a welded body, once in the link's own inertia
    double M[2];
    for (int merged = 0; merged < 2; merged++) {
        ff_spec *spec = ff_spec_create(NULL);
        ff_spec_body *link = ff_spec_add_body(spec, "link", -1);
        const double own[6] = {0.01, 0.02, 0.03, 0.001, 0.002, 0.003}, com[3] = {0.1, 0.2, 0.3};
        const double lump[6] = {0.004, 0.005, 0.006, 0, 0, 0}, at[3] = {0.5, -0.1, 0.2};
        ff_inertia sum = ff_inertia_from_com(1.3, com, own), part = ff_inertia_from_com(0.4, at, lump);
        if (merged) sum = ff_inertia_add(&sum, &part);
        link->has_inertial = true;
        link->mass = sum.mass;
        ff_inertia_to_com(&sum, link->com, link->inertia);
        ff_vec3_set(ff_spec_add_joint(spec, "hinge", 0, FF_JOINT_HINGE)->axis, 1, 2, 3);
        if (!merged) {
            ff_spec_body *welded = ff_spec_add_body(spec, "welded", 0);
            ff_vec3_copy(welded->pos, at);
            welded->has_inertial = true;
            welded->mass = 0.4;
            memcpy(welded->inertia, lump, sizeof lump);
        }
        ff_model *m = ff_model_compile(spec, NULL, NULL);
        CHECK(m);
        CHECK_INT(m->nnode, 1);
        ff_data *d = ff_data_create(m, NULL);
        ff_dyn_kinematics(m, d);
        ff_dyn_mass(m, d);
        M[merged] = d->M[0];
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
    CHECK_NEAR(M[0], M[1], 1e-15);
}

TEST(a_robot_far_from_the_origin_has_the_same_dynamics)
{
    ff_random random = ff_random_make(3, 0);
    ff_spec *spec = random_robot(&random, 12, true, true);
    ff_model *m = ff_model_compile(spec, NULL, NULL);
    ff_data *d = ff_data_create(m, NULL);
    double near[MOST_DOF];
    random_state(m, d, &random);
    for (int far = 0; far < 2; far++) {
        for (int k = 0; k < 3; k++) d->q[k] = far ? 1e6 : 0;
        ff_dyn_kinematics(m, d);
        ff_dyn_velocity(m, d);
        CHECK(ff_dyn_forward(m, d));
        if (!far) memcpy(near, d->qacc, (size_t)m->nv * sizeof *near);
    }
    CHECK_BELOW(largest_difference(near, d->qacc, m->nv), 0); // not even the last bit
    ff_data_destroy(d);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}
