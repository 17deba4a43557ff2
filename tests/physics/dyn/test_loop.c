// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures: rows against differences, the equation of motion against inverse dynamics, mechanisms with closed
// forms, redundant and singular ones, and the projection.
#include <footfall/loop.h>

#include "check.h"
#include "support/random_robot.h"

enum { ROBOTS = 20, MOST_DOF = 200, MOST_ROWS = 64 };

// ------------------------------------------------------------------------------------------ random loops

static ff_spec_equality *add_loop(ff_spec *spec, ff_equality_type type, const char *one, const char *two)
{
    ff_spec_equality *e = ff_spec_add_equality(spec, "loop", type);
    e->object1 = ff_spec_text(spec, one);
    e->object2 = ff_spec_text(spec, two);
    return e;
}

/// One closure of each kind between random bodies; open in a random pose.
static void add_random_loops(ff_spec *spec, ff_random *random)
{
    static const ff_equality_type types[3] = {FF_EQUALITY_CONNECT, FF_EQUALITY_WELD, FF_EQUALITY_ROD};
    for (int k = 0; k < 3; k++) {
        int one = (int)ff_random_range(random, 0, spec->nbody), two = (int)ff_random_range(random, -1, spec->nbody);
        if (one == two) two = -1;
        ff_spec_equality *e = add_loop(spec, types[k], spec->bodies[one].name, two < 0 ? "" : spec->bodies[two].name);
        random_vector(random, e->data, 6, 0.3);
        e->at_rest = false;
        if (types[k] == FF_EQUALITY_ROD) e->data[6] = 0.7;
        if (types[k] == FF_EQUALITY_WELD) {
            random_quat(random, e->data + 3);
            random_vector(random, e->data + 7, 3, 0.2);
        }
    }
    const char *scalar[2] = {NULL, NULL};
    for (int j = 0, found = 0; j < spec->njoint && found < 2; j++)
        if (ff_joint_is_scalar(spec->joints[j].type)) scalar[found++] = spec->joints[j].name;
    if (!scalar[1]) return;
    ff_spec_equality *e = add_loop(spec, FF_EQUALITY_JOINT, scalar[1], scalar[0]);
    random_vector(random, e->data, 7, 0.5);
}

typedef void law(const ff_model *m, ff_data *d, ff_loops *l);

static void for_random_loops(law *check)
{
    ff_random random = ff_random_make(11, 0);
    for (int k = 0; k < ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 3 + k / 2, k % 2 == 0, true);
        add_random_loops(spec, &random);
        ff_report report = {0};
        ff_model *m = ff_model_compile(spec, NULL, &report);
        ff_spec_destroy(spec);
        if (!m) CHECK_FAIL("robot %d: %s", k, report.count ? report.messages[0].text : "no message");
        ff_data *d = ff_data_create(m, NULL);
        ff_loops *l = ff_loops_create(m, NULL);
        CHECK(m->nv <= MOST_DOF && l->nrow <= MOST_ROWS);
        for (int s = 0; s < 5; s++) {
            random_state(m, d, &random);
            check(m, d, l);
        }
        ff_loops_destroy(l);
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_report_clear(&report);
    }
}

static void evaluate(const ff_model *m, ff_data *d, ff_loops *l)
{
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    ff_loops_position(m, d, l);
    ff_loops_velocity(m, d, l);
}

/// phi and G v after moving along v for the time t; restores the state.
static void phi_after(const ff_model *m, ff_data *d, ff_loops *l, double t, double *phi, double *speed)
{
    double q[MOST_DOF + 20];
    memcpy(q, d->q, (size_t)m->nq * sizeof *q);
    ff_dyn_advance(m, q, d->v, t, d->q);
    evaluate(m, d, l);
    memcpy(phi, l->phi, (size_t)l->nrow * sizeof *phi);
    ff_loops_multiply(l, d->v, speed);
    memcpy(d->q, q, (size_t)m->nq * sizeof *q);
    evaluate(m, d, l);
}

// Central differences of fourth order over 1 ms: truncation 1e-12 times fifth derivatives of motions at a few rad/s
// (some 1e3), rounding 1e-13.
static void differences(const ff_model *m, ff_data *d, ff_loops *l, double *phi_rate, double *speed_rate)
{
    static const double steps[4] = {1e-3, -1e-3, 2e-3, -2e-3}, weights[4] = {8, -8, -1, 1};
    memset(phi_rate, 0, (size_t)l->nrow * sizeof *phi_rate);
    memset(speed_rate, 0, (size_t)l->nrow * sizeof *speed_rate);
    for (int k = 0; k < 4; k++) {
        double phi[MOST_ROWS], speed[MOST_ROWS];
        phi_after(m, d, l, steps[k], phi, speed);
        for (int i = 0; i < l->nrow; i++) {
            phi_rate[i] += weights[k] * phi[i] / 12e-3;
            speed_rate[i] += weights[k] * speed[i] / 12e-3;
        }
    }
}

static void check_rates(const ff_model *m, ff_data *d, ff_loops *l)
{
    double phi_rate[MOST_ROWS], speed_rate[MOST_ROWS], product[MOST_ROWS];
    evaluate(m, d, l);
    ff_loops_multiply(l, d->v, product);
    differences(m, d, l, phi_rate, speed_rate);
    for (int i = 0; i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        double turn[3] = {0};
        // rows of connect and weld turn with the common node
        if (loop->common >= 0 && loop->nrow >= 3)
            ff_vec3_cross(turn, d->velocity + 6 * loop->common, l->phi + loop->row);
        for (int k = 0; k < loop->nrow; k++) {
            const int row = loop->row + k;
            CHECK_NEAR(product[row], l->speed[row], 1e-12 * (10 + fabs(l->speed[row])));
            CHECK_NEAR(l->drift[row], speed_rate[row], 1e-7 * (10 + fabs(l->drift[row])));
            if (k < 3) CHECK_NEAR(l->speed[row], phi_rate[row] - turn[k], 1e-8 * (10 + fabs(l->speed[row])));
        }
    }
}

TEST(rates_of_loops_are_the_differences_of_their_errors)
{
    for_random_loops(check_rates);
}

// The turn of a weld is 2 sin(angle/2) axis; its rate is the difference of spins where the weld is closed.
TEST(a_closed_weld_opens_at_the_difference_of_spins)
{
    ff_random random = ff_random_make(3, 0);
    for (int k = 0; k < 8; k++) {
        ff_spec *spec = random_robot(&random, 5, k % 2 == 0, true);
        add_loop(spec, FF_EQUALITY_WELD, "body4", k % 4 < 2 ? "body1" : ""); // closed at the reference
        ff_model *m = ff_model_compile(spec, NULL, NULL);
        CHECK(m);
        ff_data *d = ff_data_create(m, NULL);
        ff_loops *l = ff_loops_create(m, NULL);
        double phi_rate[6], speed_rate[6];
        random_vector(&random, d->v, m->nv, 2.0);
        evaluate(m, d, l);
        for (int i = 0; i < 6; i++) CHECK_NEAR(l->phi[i], 0.0, 1e-14);
        differences(m, d, l, phi_rate, speed_rate);
        for (int i = 0; i < 6; i++) CHECK_NEAR(phi_rate[i], l->speed[i], 1e-8 * (10 + fabs(l->speed[i])));
        ff_loops_destroy(l);
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

// ------------------------------------------------------------------------------------------ equation of motion

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void check_motion(const ff_model *m, ff_data *d, ff_loops *l)
{
    double need[MOST_DOF], goal[MOST_ROWS], got[MOST_ROWS];
    evaluate(m, d, l);
    CHECK(ff_loops_forward(m, d, l));
    const double s = l->rate;
    for (int i = 0; i < l->nrow; i++) goal[i] = -l->drift[i] - 2 * s * l->speed[i] - s * s * l->phi[i];
    // inverse dynamics leaves loops out: its result must be tau + G' lambda
    ff_dyn_inverse(m, d, d->q, d->v, d->qacc, need);
    const double scale = 1 + largest(need, m->nv) + largest(l->lambda, l->nrow);
    for (int i = 0; i < m->nv; i++) need[i] = -need[i] + d->tau[i];
    ff_loops_add_torque(l, l->lambda, need);
    CHECK_BELOW(largest(need, m->nv) / scale, 1e-9); // lambda is exact to the rounding of the smallest pivot allowed
    ff_loops_multiply(l, d->qacc, got);
    for (int i = 0; i < l->rank; i++)
        CHECK_NEAR(got[l->order[i]], goal[l->order[i]], 1e-9 * (1 + largest(goal, l->nrow) + largest(d->qacc, m->nv)));
}

TEST(accelerations_satisfy_the_loops_and_newtons_law_with_the_multipliers)
{
    for_random_loops(check_motion);
}

// ------------------------------------------------------------------------------------------ mechanisms

/// A thin rod of 1 kg from the body's origin, in the plane of x and z, on a hinge about y.
static void add_rod(ff_spec *spec, const char *name, int parent, double x, double z, double to_x, double to_z)
{
    ff_spec_body *body = ff_spec_add_body(spec, name, parent);
    const double square = to_x * to_x + to_z * to_z;
    ff_vec3_set(body->pos, x, 0, z);
    body->has_inertial = true;
    body->mass = 1.0;
    ff_vec3_set(body->com, to_x / 2, 0, to_z / 2);
    // thin, with a little thickness so that the tensor is possible
    const double along_x = to_x * to_x / square, i = square / 12;
    ff_vec3_set(body->inertia, i * (1 - along_x) + 1e-6, i + 1e-6, i * along_x + 1e-6);
    const int number = spec->nbody - 1;
    ff_vec3_set(ff_spec_add_joint(spec, name, number, FF_JOINT_HINGE)->axis, 0, 1, 0);
}

static void connect(ff_spec *spec, const char *one, const char *two, const double at1[3], const double at2[3])
{
    ff_spec_equality *e = add_loop(spec, FF_EQUALITY_CONNECT, one, two);
    ff_vec3_copy(e->data, at1);
    ff_vec3_copy(e->data + 3, at2);
    e->at_rest = false;
}

/// Parallelogram windows of 1 m rods; crank k at x = k, upright at 0.
static ff_spec *parallelograms(int windows, int copies)
{
    ff_spec *spec = ff_spec_create(NULL);
    char crank[32], coupler[32], next[32];
    for (int k = 0; k <= windows; k++) {
        snprintf(crank, sizeof crank, "crank%d", k);
        add_rod(spec, crank, -1, k, 0, 0, 1);
        const int number = spec->nbody - 1;
        snprintf(coupler, sizeof coupler, "coupler%d", k);
        if (k < windows) add_rod(spec, coupler, number, 0, 1, 1, 0);
    }
    for (int c = 0; c < copies; c++)
        for (int k = 0; k < windows; k++) {
            snprintf(coupler, sizeof coupler, "coupler%d", k);
            snprintf(next, sizeof next, "crank%d", k + 1);
            connect(spec, coupler, next, (double[]){1, 0, 0}, (double[]){0, 0, 1});
        }
    return spec;
}

typedef struct bench {
    ff_model *m;
    ff_data *d;
    ff_loops *l;
} bench;

static bench set_up(ff_spec *spec)
{
    bench b = {.m = ff_model_compile(spec, NULL, NULL)};
    ff_spec_destroy(spec);
    CHECK(b.m);
    b.d = ff_data_create(b.m, NULL);
    b.l = ff_loops_create(b.m, NULL);
    CHECK(b.d && b.l);
    return b;
}

static void take_down(bench *b)
{
    ff_loops_destroy(b->l);
    ff_data_destroy(b->d);
    ff_model_destroy(b->m);
}

/// Cranks (even numbers of q but for the last) at phi, couplers turned back.
static void pose_windows(const bench *b, double phi, double rate)
{
    for (int i = 0; i < b->m->nv; i++) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        b->d->q[i] = sign * phi;
        b->d->v[i] = sign * rate;
    }
    ff_dyn_kinematics(b->m, b->d);
    ff_dyn_velocity(b->m, b->d);
}

// Cranks carry (N + 1)/3 and couplers N of m l^2; weights (N + 1)/2 and N of m g l.
TEST(parallelograms_move_as_one_pendulum)
{
    for (int windows = 1; windows <= 3; windows++) {
        bench b = set_up(parallelograms(windows, 1));
        CHECK_INT(b.l->nrow, 3 * windows);
        for (double phi = -3.0; phi < 3.1; phi += 0.37) {
            pose_windows(&b, phi, 1.3);
            CHECK(ff_loops_forward(b.m, b.d, b.l));
            CHECK_INT(b.l->rank, 2 * windows); // the rows normal to the plane are zero
            const double inertia = (windows + 1) * (1.0 / 3 + 1e-6) + windows;
            const double expected = (0.5 * (windows + 1) + windows) * 9.81 * sin(phi) / inertia;
            for (int i = 0; i < b.m->nv; i++)
                CHECK_NEAR(b.d->qacc[i], i % 2 == 0 ? expected : -expected, 1e-10); // pivots down to 0.1 here
            for (int k = 0; k < windows; k++) CHECK_NEAR(b.l->lambda[3 * k + 1], 0.0, 1e-12);
        }
        take_down(&b);
    }
}

// The same equations twice: the same motion, and each copy carries half.
TEST(a_loop_given_twice_shares_its_force)
{
    bench once = set_up(parallelograms(2, 1)), twice = set_up(parallelograms(2, 2));
    CHECK_INT(twice.l->nrow, 12);
    for (double phi = -3.0; phi < 3.1; phi += 0.37) {
        pose_windows(&once, phi, -0.7);
        pose_windows(&twice, phi, -0.7);
        once.d->tau[0] = twice.d->tau[0] = 20.0;
        CHECK(ff_loops_forward(once.m, once.d, once.l) && ff_loops_forward(twice.m, twice.d, twice.l));
        CHECK_INT(twice.l->rank, once.l->rank);
        for (int i = 0; i < once.m->nv; i++) CHECK_NEAR(twice.d->qacc[i], once.d->qacc[i], 1e-10);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(twice.l->lambda[i], 0.5 * once.l->lambda[i], 1e-9 * (1 + fabs(once.l->lambda[i])));
            CHECK_NEAR(twice.l->lambda[6 + i], 0.5 * once.l->lambda[i], 1e-9 * (1 + fabs(once.l->lambda[i])));
        }
    }
    take_down(&once);
    take_down(&twice);
}

// All rods in one line: the rank falls by one for each loop, and nothing grows without bound near there.
TEST(a_singular_position_keeps_forces_and_accelerations_bounded)
{
    bench b = set_up(parallelograms(2, 1));
    for (double off = 1e-1; off > 1e-18; off *= 0.1) {
        pose_windows(&b, 1.5707963267948966 - off, 2.0);
        CHECK(ff_loops_forward(b.m, b.d, b.l));
        CHECK(b.l->rank == (off > 2e-4 ? 4 : 2) || fabs(off - 1e-4) < 1.1e-4);
        CHECK_BELOW(largest(b.d->qacc, b.m->nv), 50.0); // gravity alone: 11.4 rad/s^2; free couplers some more
        CHECK_BELOW(largest(b.l->lambda, b.l->nrow), 2000.0);
    }
    take_down(&b);
}

/// Crank and rocker of a four-bar with ground g, crank a, coupler b, rocker c: rocker angle from the crank's, by
/// Freudenstein's equation.
static double rocker_angle(double g, double a, double b, double c, double crank)
{
    // tip of the crank, then two circles; angles from +z towards +x, as the hinges count
    const double x = a * sin(crank), z = a * cos(crank), dx = g - x, dz = -z;
    const double distance = sqrt(dx * dx + dz * dz);
    const double inner = acos((c * c + distance * distance - b * b) / (2 * c * distance));
    const double back = atan2(-dx, -dz);
    return back + inner;
}

TEST(a_four_bar_closes_to_its_closed_form)
{
    const double g = 1.0, a = 0.3, b = 0.9, c = 0.6;
    ff_spec *spec = ff_spec_create(NULL);
    add_rod(spec, "crank", -1, 0, 0, 0, a);
    add_rod(spec, "coupler", 0, 0, a, b, 0);
    add_rod(spec, "rocker", -1, g, 0, 0, c);
    connect(spec, "coupler", "rocker", (double[]){b, 0, 0}, (double[]){0, 0, c});
    bench x = set_up(spec);
    for (double crank = 0.0; crank < 6.3; crank += 0.5) {
        // first guess from the closed form, a few degrees off
        const double rocker = rocker_angle(g, a, b, c, crank);
        const double tip_x = g + c * sin(rocker) - a * sin(crank), tip_z = c * cos(rocker) - a * cos(crank);
        const double coupler = atan2(-tip_z, tip_x);
        x.d->q[0] = crank + 0.05;
        x.d->q[1] = coupler - crank - 0.04;
        x.d->q[2] = rocker + 0.06;
        x.d->v[0] = 2.0;
        x.d->v[1] = -1.0;
        x.d->v[2] = 0.5;
        CHECK_BELOW(ff_loops_close(x.m, x.d, x.l, 20), 1e-13);
        CHECK_NEAR(x.d->q[2], rocker_angle(g, a, b, c, x.d->q[0]), 1e-12);
        // dr/dc of the closed form, by differences over 1e-5: error 1e-10 times the third derivative, some 10
        const double slope =
            (rocker_angle(g, a, b, c, x.d->q[0] + 1e-5) - rocker_angle(g, a, b, c, x.d->q[0] - 1e-5)) / 2e-5;
        CHECK_NEAR(x.d->v[2], slope * x.d->v[0], 1e-8);
        CHECK(ff_loops_closed(x.m, x.d, x.l));
    }
    take_down(&x);
}

// Two wheels in gear: the torque of one moves I1 + I2 gain^2.
TEST(a_gear_adds_inertia_by_the_square_of_its_gain)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_rod(spec, "one", -1, 0, 0, 0, 0.5);
    add_rod(spec, "two", -1, 2, 0, 0, 1.0);
    spec->joints[1].mimic = ff_spec_text(spec, "one");
    spec->joints[1].mimic_gain = -3.0;
    spec->joints[1].mimic_offset = 0.2;
    ff_vec3_set(spec->gravity, 0, 0, 0);
    bench b = set_up(spec);
    CHECK_INT(b.l->nrow, 1);
    b.d->q[0] = 0.4;
    b.d->q[1] = -1.0;
    b.d->tau[0] = 2.0;
    CHECK_BELOW(ff_loops_close(b.m, b.d, b.l, 2), 1e-15);
    ff_dyn_velocity(b.m, b.d);
    CHECK(ff_loops_forward(b.m, b.d, b.l));
    const double one = 0.25 / 3 + 1e-6, two = 1.0 / 3 + 1e-6;
    CHECK_NEAR(b.d->qacc[0], 2.0 / (one + 9.0 * two), 1e-13);
    CHECK_NEAR(b.d->qacc[1], -3.0 * b.d->qacc[0], 1e-13);
    CHECK_NEAR(b.l->lambda[0], two * b.d->qacc[1], 1e-13);
    take_down(&b);
}

// A body glued to the world hangs still, and the glue carries its weight and the moment about the point that is held.
TEST(a_weld_to_the_world_carries_the_weight)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "box", -1);
    body->has_inertial = true;
    body->mass = 2.5;
    ff_vec3_set(body->inertia, 0.1, 0.2, 0.25);
    ff_vec3_set(body->com, 0.3, 0, 0);
    ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE);
    add_loop(spec, FF_EQUALITY_WELD, "", "box");
    bench b = set_up(spec);
    ff_dyn_kinematics(b.m, b.d);
    ff_dyn_velocity(b.m, b.d);
    CHECK(ff_loops_forward(b.m, b.d, b.l));
    CHECK_INT(b.l->rank, 6);
    double force[3], moment[3];
    ff_loops_force(b.m, b.d, b.l, 0, force, moment);
    for (int i = 0; i < 6; i++) CHECK_NEAR(b.d->qacc[i], 0.0, 1e-13);
    CHECK_NEAR(force[2], 2.5 * 9.81, 1e-12);
    CHECK_NEAR(moment[1], -0.3 * 2.5 * 9.81, 1e-12);
    take_down(&b);
}

// A pendulum made of a free ball and a rod to the ceiling: the rod pulls m (g cos(angle) + l w^2).
TEST(a_rod_makes_a_pendulum)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "bob", -1);
    body->has_inertial = true;
    body->mass = 0.7;
    ff_vec3_set(body->inertia, 1e-3, 1e-3, 1e-3);
    ff_vec3_set(body->pos, 0, 0, -2);
    ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE);
    add_loop(spec, FF_EQUALITY_ROD, "", "bob");
    bench b = set_up(spec);
    CHECK_NEAR(b.l->loops[0].length, 2.0, 0.0); // the distance in the reference pose
    for (double angle = -1.5; angle < 1.6; angle += 0.3) {
        const double w = 1.7;
        ff_vec3_set(b.d->q, 2 * sin(angle), 0, -2 * cos(angle));
        ff_vec3_set(b.d->v, 2 * w * cos(angle), 0, 2 * w * sin(angle));
        ff_dyn_kinematics(b.m, b.d);
        ff_dyn_velocity(b.m, b.d);
        CHECK(ff_loops_forward(b.m, b.d, b.l));
        CHECK_NEAR(b.l->lambda[0], -0.7 * (9.81 * cos(angle) + 2 * w * w), 1e-11);
        const double along = b.d->qacc[0] * cos(angle) + b.d->qacc[2] * sin(angle);
        CHECK_NEAR(along, -9.81 * sin(angle), 1e-12);
    }
    take_down(&b);
}

// ------------------------------------------------------------------------------------------ projection

// The part removed from a velocity is orthogonal in the metric of M to the rest: kinetic energies add up.
TEST(closing_velocities_removes_energy_and_adds_none)
{
    bench b = set_up(parallelograms(2, 1));
    ff_random random = ff_random_make(5, 0);
    for (int k = 0; k < 50; k++) {
        double before[8], gone[8], rest = 0.0;
        pose_windows(&b, ff_random_range(&random, -3.0, 3.0), 0.0);
        random_vector(&random, b.d->v, b.m->nv, 3.0);
        memcpy(before, b.d->v, sizeof before);
        ff_dyn_velocity(b.m, b.d);
        const double energy = ff_dyn_kinetic_energy(b.m, b.d);
        CHECK_BELOW(ff_loops_close(b.m, b.d, b.l, 2), 1e-12);
        const double kept = ff_dyn_kinetic_energy(b.m, b.d);
        for (int i = 0; i < b.m->nv; i++) gone[i] = before[i] - b.d->v[i];
        double momentum[8];
        ff_dyn_mass(b.m, b.d);
        ff_dyn_mass_mul(b.m, b.d, gone, momentum);
        for (int i = 0; i < b.m->nv; i++) rest += 0.5 * gone[i] * momentum[i];
        CHECK_NEAR(kept + rest, energy, 1e-11 * energy);
    }
    take_down(&b);
}

TEST(closing_a_loop_that_cannot_close_returns_its_error)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_rod(spec, "upper", -1, 0, 0, 0, 0.5);
    add_rod(spec, "lower", 0, 0, 0.5, 0, 0.5);
    ff_spec_equality *e = add_loop(spec, FF_EQUALITY_CONNECT, "lower", "");
    e->at_rest = false;
    ff_vec3_set(e->data, 0, 0, 0.5);
    ff_vec3_set(e->data + 3, 0.3, 0, 1.1); // 1.14 m away: an arm of 1 m cannot reach it
    bench b = set_up(spec);
    b.d->q[0] = 0.4;
    b.d->q[1] = -0.2;
    const double left = ff_loops_close(b.m, b.d, b.l, 50);
    CHECK(left >= 0.14 * 0.6 && left < 1.0); // the largest component of a gap of 0.14 m or more
    take_down(&b);
}

// The row of a rod grows with the square of the distance; its gap is the distance minus the length.
TEST(the_gap_of_a_rod_is_its_distance_minus_its_length)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_rod(spec, "arm", -1, 0, 0, 0, 0.5);
    ff_spec_equality *e = add_loop(spec, FF_EQUALITY_ROD, "arm", "");
    e->at_rest = false;
    ff_vec3_set(e->data, 0, 0, 0);
    ff_vec3_set(e->data + 3, 0, 0, 4.0);
    bench b = {0};
    const double lengths[3] = {0.5, 3.9999, 6.0};
    for (int i = 0; i < 3; i++) {
        double gap;
        e->data[6] = lengths[i];
        b = (bench){.m = ff_model_compile(spec, NULL, NULL)};
        b.d = ff_data_create(b.m, NULL);
        b.l = ff_loops_create(b.m, NULL);
        ff_dyn_kinematics(b.m, b.d);
        ff_loops_position(b.m, b.d, b.l);
        CHECK_INT(ff_loops_widest(b.l, &gap), 0);
        CHECK_NEAR(gap, fabs(4.0 - lengths[i]), 1e-12);
        take_down(&b);
    }
    ff_spec_destroy(spec);
}

TEST(nothing_is_written_where_the_loops_are_closed)
{
    bench b = set_up(parallelograms(2, 1));
    pose_windows(&b, 0.0, 1.0);
    double q[8], v[8];
    memcpy(q, b.d->q, (size_t)b.m->nq * sizeof *q);
    memcpy(v, b.d->v, (size_t)b.m->nv * sizeof *v);
    CHECK(ff_loops_closed(b.m, b.d, b.l));
    CHECK_BELOW(ff_loops_close(b.m, b.d, b.l, 5), 1e-15);
    CHECK(memcmp(q, b.d->q, (size_t)b.m->nq * sizeof *q) == 0 && memcmp(v, b.d->v, (size_t)b.m->nv * sizeof *v) == 0);
    take_down(&b);
}
