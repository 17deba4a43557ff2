// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact without compliance in the simulation: billiard balls, bounces that come to rest, slopes, rolling, jointed
// bodies, each against its closed form.
#include "support/lab.h"

static const ff_method METHODS[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_EULER};
enum { METHODS_COUNT = 3 };

/// A laboratory with rigid contacts; false where the build lacks the method.
static bool rigid_lab(lab *x, ff_method method, ff_response response)
{
    if (!ff_method_built(method)) return false;
    *x = lab_open(method);
    x->contacts.response = response;
    x->options.relative = 1e-9;
    x->options.absolute = 1e-11;
    x->options.step = 1e-3;
    if (method != FF_METHOD_ADAPTIVE) x->options.max_step = 0.01; // shorter than anything needs to pass through another
    x->options.ledger = true;
    return true;
}

/// Law `restitution` with e, friction mu.
static void bouncy(lab *x, const char *name, double e, double mu)
{
    ff_material *m = lab_material(x, name, 1e6, 0.0, mu);
    m->normal.law = FF_NORMAL_RESTITUTION;
    m->normal.restitution = e;
}

static double residual(lab *x)
{
    return fabs(ff_sim_ledger(x->sim).residual);
}

// ------------------------------------------------------------------------------------------ billiards

/// Three balls of 0.17 kg and 57 mm; the first rolls along x without gravity and friction.
static void three_balls(lab *x, const double place[3][2], double speed)
{
    static const char *const names[] = {"one", "two", "three"};
    bouncy(x, "ivory", 1.0, 0.0);
    ff_vec3_set(x->spec->gravity, 0, 0, 0);
    for (int i = 0; i < 3; i++) lab_ball(x, names[i], 0.17, 0.0285, (double[]){place[i][0], place[i][1], 0}, "ivory");
    lab_start(x);
    ff_sim_set_v(x->sim, 0, speed);
}

TEST(a_row_of_balls_propagates_or_shares_the_blow)
{
    const double place[3][2] = {{-0.2, 0}, {0, 0}, {0.057, 0}}, v = 1.3;
    for (int k = 0; k < METHODS_COUNT; k++)
        for (int s = 0; s < 2; s++) {
            lab x;
            if (!rigid_lab(&x, METHODS[k], s ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION)) continue;
            three_balls(&x, place, v);
            lab_run(&x, 0.3);
            const double want[2][3] = {{0, 0, v}, {-v / 3, 2 * v / 3, 2 * v / 3}};
            for (int i = 0; i < 3; i++) CHECK_NEAR(lab_v(&x)[6 * i], want[s][i], 1e-14);
            CHECK_BELOW(residual(&x), 1e-13); // [J] of 0.14
            const double t = (0.2 - 0.057) / v, after = 0.3 - t;
            // the method at velocity level reverses the ball at the end of a step: up to v h away
            CHECK_NEAR(lab_q(&x)[14], 0.057 + want[s][2] * after, METHODS[k] == FF_METHOD_EULER ? 1.3e-3 : 1e-8);
            lab_close(&x);
        }
}

TEST(the_break_of_a_triangle_is_the_known_one)
{
    const double h = 0.0285 * sqrt(3.0), v = 2.0;
    const double place[3][2] = {{-0.3, 0}, {h, 0.0285}, {h, -0.0285}};
    for (int k = 0; k < METHODS_COUNT; k++)
        for (int s = 0; s < 2; s++) {
            lab x;
            if (!rigid_lab(&x, METHODS[k], s ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION)) continue;
            x.options.step = 1e-5; // the angle of the blow is that at the end of a step: 2e-5 m of 0.057
            three_balls(&x, place, v);
            lab_run(&x, 0.25);
            const double *w = lab_v(&x), near = METHODS[k] == FF_METHOD_EULER ? 2e-3 : 1e-9;
            double one = hypot(w[0], w[1]), two = hypot(w[6], w[7]), three = hypot(w[12], w[13]);
            if (s) {
                CHECK_NEAR(w[0], -0.2 * v, near);
                CHECK_NEAR(two, 0.4 * sqrt(3.0) * v, near);
                CHECK_NEAR(three, 0.4 * sqrt(3.0) * v, near);
                CHECK_NEAR(atan2(w[7], w[6]), FF_PI / 6, near);
            } else { // the first in order is hit first
                CHECK_NEAR(fmax(two, three), 0.5 * sqrt(3.0) * v, near);
                CHECK_NEAR(fmin(two, three), 0.25 * sqrt(3.0) * v, near);
                CHECK_NEAR(one, 0.25 * v, near);
            }
            CHECK_NEAR(w[0] + w[6] + w[12], v, 1e-13);
            CHECK_BELOW(residual(&x), 1e-13);
            lab_close(&x);
        }
}

// ------------------------------------------------------------------------------------------ bounces and rest

TEST(a_ball_bounces_by_its_restitution_and_comes_to_rest)
{
    // from 0.5 m: touch at t0 = sqrt(2 H / g), bounces of 2 e^n v0 / g; below 0.01 m/s (impact floor) it stays down
    const double e = 0.6, r = 0.05, H = 0.5, g = 9.81, v0 = sqrt(2 * g * H), t0 = v0 / g;
    double end = t0, v = e * v0;
    int bounces = 1;
    for (; v > 0.01; v *= e, bounces++) end += 2 * v / g;
    end += 2 * v / g; // the last one does not bounce
    for (int k = 0; k < 2; k++) {
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_PROPAGATION)) continue;
        bouncy(&x, "ball", e, 0.5);
        lab_ball(&x, "ball", 0.2, r, (double[]){0, 0, r + H}, "ball");
        lab_floor(&x, "ball");
        lab_start(&x);
        lab_run(&x, t0 + e * v0 / g); // the first apex
        CHECK_NEAR(lab_q(&x)[2] - r, e * e * H, 1e-8);
        lab_run(&x, end - 1e-4);
        CHECK_INT(ff_world_get_counts(x.world).touches, bounces); // as with forces: each touches and lifts
        CHECK_INT(ff_world_get_counts(x.world).lifts, bounces);
        lab_run(&x, end + 1e-4);
        CHECK_INT(ff_world_get_counts(x.world).touches, bounces + 1);
        CHECK_INT(ff_world_get_counts(x.world).lifts, bounces);
        lab_run(&x, end + 5.0);
        CHECK_NEAR(lab_q(&x)[2], r, 1e-9);
        CHECK_NEAR(lab_v(&x)[2], 0.0, 1e-9);
        int count;
        const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
        CHECK_INT(count, 1);
        CHECK_NEAR(c[0].force.normal, 0.2 * g, 1e-9);
        CHECK_INT(c[0].mode, FF_CONTACT_STATIC);
        const ff_ledger l = ff_sim_ledger(x.sim);
        CHECK_NEAR(l.lost_normal, 0.2 * g * H, 1e-7); // all of it is gone in impacts
        CHECK_BELOW(fabs(l.residual), 1e-7);          // [J] of 0.98
        lab_close(&x);
    }
}

TEST(a_step_at_velocity_level_bounces_and_rests_to_first_order)
{
    for (int s = 0; s < 2; s++) {
        lab x;
        CHECK(rigid_lab(&x, FF_METHOD_EULER, s ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION));
        bouncy(&x, "ball", 0.6, 0.5);
        lab_ball(&x, "ball", 0.2, 0.05, (double[]){0, 0, 0.55}, "ball");
        lab_box(&x, "box", 1.0, (double[]){0.2, 0.2, 0.1}, (double[]){1, 0, 0.05}, "ball");
        lab_floor(&x, "ball");
        lab_start(&x);
        lab_run(&x, 0.5);
        CHECK_NEAR(lab_q(&x)[2] - 0.05, 0.6 * 3.1321 * 0.1807 - 4.905 * 0.1807 * 0.1807,
                   6e-3); // [m] two steps of 3 m/s
        lab_run(&x, 4.0);
        CHECK_NEAR(lab_q(&x)[2], 0.05, 1e-3); // a step's way of the last bounce
        CHECK_NEAR(lab_v(&x)[2], 0.0, 1e-9);
        CHECK_NEAR(lab_q(&x)[9], 0.05, 1e-9); // the box has not moved
        int count;
        const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
        double sum = 0.0;
        for (int i = 0; i < count; i++) sum += c[i].force.normal;
        CHECK_NEAR(sum, 1.2 * 9.81, 1e-6);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ friction

TEST(a_block_stands_below_the_friction_angle_and_slides_above_by_coulomb)
{
    const double mu = 0.5, edge = atan(mu), g = 9.81;
    for (int k = 0; k < METHODS_COUNT; k++)
        for (int above = 0; above < 2; above++) {
            lab x;
            if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
            const double angle = above ? edge + 0.1 : 0.95 * edge;
            bouncy(&x, "wood", 0.3, mu);
            lab_slope(&x, angle);
            lab_box(&x, "block", 2.0, (double[]){0.4, 0.3, 0.1}, (double[]){0, 0, 0.05}, "wood");
            lab_floor(&x, "wood");
            lab_start(&x);
            lab_run(&x, 1.0);
            const double a = above ? g * (sin(angle) - mu * cos(angle)) : 0.0, way = 0.5 * a;
            CHECK_NEAR(lab_v(&x)[0], a, 1e-6);
            CHECK_NEAR(lab_q(&x)[0], way,
                       METHODS[k] == FF_METHOD_EULER ? 0.5e-3 * a + 1e-9 : 1e-6); // order one: h a / 2
            CHECK_NEAR(lab_q(&x)[2], 0.05, 1e-7);
            CHECK_NEAR(ff_sim_ledger(x.sim).lost_friction, mu * 2.0 * g * cos(angle) * way, 2e-3 * way * 20 + 1e-6);
            if (METHODS[k] != FF_METHOD_EULER) CHECK_BELOW(residual(&x), 1e-6);
            lab_close(&x);
        }
}

TEST(a_sphere_rolls_down_as_a_rigid_one)
{
    // 5/7 g sin(15 degrees): 1.81358202318 m/s and 36.2716404637 rad/s after 1 s
    for (int k = 0; k < METHODS_COUNT; k++) {
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_PROPAGATION)) continue;
        bouncy(&x, "pad", 0.5, 1.0);
        lab_slope(&x, FF_PI / 12);
        lab_ball(&x, "ball", 0.1, 0.05, (double[]){0, 0, 0.05}, "pad");
        lab_floor(&x, "pad");
        lab_start(&x);
        lab_run(&x, 1.0);
        CHECK_NEAR(lab_v(&x)[0], 1.81358202318, 1e-7);
        CHECK_NEAR(lab_v(&x)[4], 36.2716404637, 2e-6);
        CHECK_NEAR(lab_q(&x)[2], 0.05, 1e-8);
        lab_close(&x);
    }
}

TEST(a_sliding_block_stops_where_coulomb_says)
{
    // 5 m/s, mu 0.5: 2.54841997961 m, 1.01936799185 s
    for (int k = 0; k < METHODS_COUNT; k++) {
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
        bouncy(&x, "wood", 0.3, 0.5);
        lab_box(&x, "block", 1.0, (double[]){0.4, 0.3, 0.1}, (double[]){0, 0, 0.05}, "wood");
        lab_floor(&x, "wood");
        lab_start(&x);
        ff_sim_set_v(x.sim, 0, 5.0);
        lab_run(&x, 1.5);
        const bool euler = METHODS[k] == FF_METHOD_EULER;
        // adaptive: below the stick speed of 1 mm/s the speed decays within SETTLING_TIME = 10 ms, and does not stop in
        // 0.2 ms
        CHECK_NEAR(lab_q(&x)[0], 2.54841997961, euler ? 3e-3 : 2e-5);
        CHECK_NEAR(lab_v(&x)[0], 0.0, 1e-9);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ four corners

static const double HALF[3] = {0.1, 0.06, 0.04}, RUBS = 0.35, HEAVY = 1.7; // half sides [m], mu, mass [kg]

/// x = M^-1 x by Cramer's rule.
static void solve_three(double M[3][3], double x[3])
{
    double answer[3], whole = 0.0;
    for (int k = -1; k < 3; k++) {
        double N[3][3];
        for (int i = 0; i < 9; i++) N[i / 3][i % 3] = i % 3 == k ? x[i / 3] : M[i / 3][i % 3];
        const double det = N[0][0] * (N[1][1] * N[2][2] - N[1][2] * N[2][1]) -
                           N[0][1] * (N[1][0] * N[2][2] - N[1][2] * N[2][0]) +
                           N[0][2] * (N[1][0] * N[2][1] - N[1][1] * N[2][0]);
        if (k < 0)
            whole = det;
        else
            answer[k] = det / whole;
    }
    memcpy(x, answer, sizeof answer);
}

/// Rates of x, y, turn and their speeds s of a box that slides on its four corners. Equally hard corners carry
/// N = a + b rx + c ry: weight, and no moment about x and y together with friction -mu N e at the height of the floor.
static void slide_rates(const double s[6], double rate[6])
{
    const double g = 9.81, inertia = HEAVY / 3.0 * (HALF[0] * HALF[0] + HALF[1] * HALF[1]);
    double r[4][2], e[4][2], M[3][3] = {{0}}, N[3] = {HEAVY * g, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        const double a = i % 2 ? HALF[0] : -HALF[0], b = i / 2 ? HALF[1] : -HALF[1];
        r[i][0] = cos(s[2]) * a - sin(s[2]) * b;
        r[i][1] = sin(s[2]) * a + cos(s[2]) * b;
        const double v[2] = {s[3] - s[5] * r[i][1], s[4] + s[5] * r[i][0]}, speed = hypot(v[0], v[1]);
        for (int k = 0; k < 2; k++) e[i][k] = v[k] / speed;
        const double shape[3] = {1.0, r[i][0], r[i][1]};
        for (int k = 0; k < 3; k++) {
            M[0][k] += shape[k];
            M[1][k] += (r[i][0] - HALF[2] * RUBS * e[i][0]) * shape[k];
            M[2][k] += (r[i][1] - HALF[2] * RUBS * e[i][1]) * shape[k];
        }
    }
    solve_three(M, N);
    for (int k = 0; k < 3; k++) rate[k] = s[3 + k], rate[3 + k] = 0.0;
    for (int i = 0; i < 4; i++) {
        const double load = RUBS * (N[0] + N[1] * r[i][0] + N[2] * r[i][1]);
        CHECK(load > 0.0);
        for (int k = 0; k < 2; k++) rate[3 + k] -= load * e[i][k] / HEAVY;
        rate[5] -= load * (r[i][0] * e[i][1] - r[i][1] * e[i][0]) / inertia;
    }
}

static void slide_by_hand(double s[6], double time)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    enum { STEPS = 2000 };
    const double h = time / STEPS;
    for (int n = 0; n < STEPS; n++) {
        double sum[6] = {0}, rate[6] = {0}, at[6];
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 6; i++) at[i] = s[i] + part[k] * h * rate[i];
            slide_rates(at, rate);
            for (int i = 0; i < 6; i++) sum[i] += weight[k] * rate[i];
        }
        for (int i = 0; i < 6; i++) s[i] += h * sum[i];
    }
}

// Rigid corners can share the weight in many ways, with different motions of a box that slides and turns. The share
// must be that of equally hard corners, at every evaluation: with shares that changed from one corner to another
// adaptive needed steps of 20 ns.
TEST(a_box_that_slides_and_turns_carries_on_equally_hard_corners)
{
    const double start[6] = {0.5, -0.2, 0.0, 0.0, 0.0, 4.0};
    double want[6] = {0, 0, 0, start[0], start[1], start[5]}, rate[6];
    slide_rates(want, rate);
    slide_by_hand(want, 0.1);
    for (int k = 0; k < METHODS_COUNT; k++) {
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
        const bool euler = METHODS[k] == FF_METHOD_EULER;
        bouncy(&x, "wood", 0.3, RUBS);
        lab_box(&x, "box", HEAVY, (double[]){2 * HALF[0], 2 * HALF[1], 2 * HALF[2]}, (double[]){0, 0, HALF[2]}, "wood");
        lab_floor(&x, "wood");
        lab_start(&x);
        for (int i = 0; i < 6; i++) ff_sim_set_v(x.sim, i, start[i]);
        lab_run(&x, 0.1);
        const double *q = lab_q(&x), *v = lab_v(&x), turn = 2.0 * atan2(q[6], q[3]);
        const double is[6] = {q[0], q[1], turn, v[0], v[1], v[5]};
        for (int i = 0; i < 6; i++) CHECK_NEAR(is[i], want[i], euler ? x.options.step * fabs(rate[i]) : 1e-7);
        printf("  %s: %lld evaluations\n", ff_method_name(METHODS[k]), ff_sim_get_counts(x.sim).evaluations);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ jointed bodies

TEST(a_double_pendulum_meets_the_floor_as_derived_by_hand)
{
    // as in tests/physics/contact/test_response_robot.c: absolute angles a, b, M of both bars, g = (l1 sin a, l2 sin
    // b), j =
    // -(1 + e) u / (g M^-1 g)
    const double m1 = 1.0, l1 = 0.5, m2 = 0.3, l2 = 0.4, I = 0.4 * 1e-4, e = 0.4, r = 0.01;
    const double a = 0.9, b = -0.3, da = -2.0, db = 1.0, height = l1 * cos(a) + l2 * cos(b) + r + 1e-4;
    for (int s = 0; s < 2; s++) {
        lab x;
        CHECK(rigid_lab(&x, FF_METHOD_ADAPTIVE, s ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION));
        bouncy(&x, "steel", e, 0.0);
        const int upper =
            robot_body(x.spec, "upper", -1, (double[]){0, 0, height}, m1, (double[]){0, 0, -l1}, (double[]){I, I, I});
        robot_joint(x.spec, "hip", upper, FF_JOINT_HINGE, 0, 1, 0);
        const int lower =
            robot_body(x.spec, "lower", upper, (double[]){0, 0, -l1}, m2, (double[]){0, 0, -l2}, (double[]){I, I, I});
        robot_joint(x.spec, "knee", lower, FF_JOINT_HINGE, 0, 1, 0);
        ff_vec3_set(lab_geom(&x, lower, FF_SHAPE_SPHERE, (double[]){r, 0, 0}, "steel")->pos, 0, 0, -l2);
        lab_floor(&x, "steel");
        lab_start(&x);
        ff_sim_set_state(x.sim, (double[]){a, b - a}, (double[]){da, db - da});
        ff_error err = {0};
        double before[4] = {0};
        while (ff_world_get_counts(x.world).impacts == 0 && ff_sim_time(x.sim) < 0.1) {
            const double *state = ff_sim_state(x.sim, NULL);
            memcpy(before, state, sizeof before);
            CHECK_INT(ff_sim_step(x.sim, 0.1, &err), FF_OK);
        }
        CHECK_INT(ff_world_get_counts(x.world).impacts, 1);
        // the angles at the impact, and the velocities just before it by the loss and the jump: u- = -u+ / e along g
        const double *now = ff_sim_state(x.sim, NULL), A = now[0], B = now[0] + now[1], va = now[2],
                     vb = now[2] + now[3];
        CHECK_NEAR(height - l1 * cos(A) - l2 * cos(B), r, 1e-9);
        const double M[3] = {(m1 + m2) * l1 * l1 + I, m2 * l1 * l2 * cos(A - B), m2 * l2 * l2 + I};
        const double det = M[0] * M[2] - M[1] * M[1], g[2] = {l1 * sin(A), l2 * sin(B)};
        const double X[2] = {(M[2] * g[0] - M[1] * g[1]) / det, (M[0] * g[1] - M[1] * g[0]) / det};
        const double after = g[0] * va + g[1] * vb, mobility = g[0] * X[0] + g[1] * X[1],
                     j = (1 + e) * (after / e) / mobility;
        CHECK(after > 0.0);
        const double ua = va - X[0] * j, ub = vb - X[1] * j; // velocities before
        const double T = 0.5 * (M[0] * ua * ua + M[2] * ub * ub) + M[1] * ua * ub -
                         0.5 * (M[0] * va * va + M[2] * vb * vb) - M[1] * va * vb;
        CHECK_NEAR(ff_sim_ledger(x.sim).lost_normal, T, 1e-12);
        CHECK_NEAR(g[0] * ua + g[1] * ub, -after / e, 1e-12);
        // the last step leads to the impact: its energy is that of (ua, ub) there
        CHECK_BELOW(residual(&x), 1e-8);
        lab_close(&x);
    }
}

TEST(anton_falls_on_its_feet_and_collapses_without_gaining_energy)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, FF_SOURCE_DIR "/robots/anton/anton.yaml", NULL, &report) == FF_NOT_BUILT)
        SKIP("built without YAML");
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model != NULL);
    for (int s = 0; s < 2; s++) {
        ff_world_options contacts = ff_world_options_default();
        contacts.response = s ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION;
        ff_sim_options o = ff_sim_options_default();
        o.method = FF_METHOD_EULER;
        o.ledger = true;
        ff_world *world = ff_world_create(model, &contacts, &report);
        ff_sim *sim = ff_sim_create(model, &o, &err);
        CHECK(world && sim && ff_sim_add_world(sim, world, &err) == FF_OK);
        ff_sim_set_state(sim, model->keys[ff_model_find_key(model, "stand")].q, NULL);
        ff_sim_set_q(sim, 2, ff_sim_q(sim)[2] + 0.05);
        double last = ff_sim_energy(sim).total;
        for (int i = 1; i <= 20; i++) {
            if (ff_sim_run(sim, 0.02 * i, &err) != FF_OK) CHECK_FAIL("%s", err.text);
            const double now = ff_sim_energy(sim).total;
            CHECK_BELOW(now - last, 2e-3); // [J] of 7.8: the method's first order
            last = now;
        }
        CHECK(ff_world_get_counts(world).most >= 6);
        CHECK(ff_sim_q(sim)[2] > 0.0 && ff_sim_q(sim)[2] < 0.15);
        ff_sim_destroy(sim);
        ff_world_destroy(world);
    }
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ heaps

TEST(a_heap_of_things_rests_on_the_ground_without_sinking)
{
    // boxes, balls and rods fall onto each other; points come, go and change their features
    for (int k = 0; k < 4; k += CHECK_LASTS(1, 3)) {
        lab x;
        CHECK(rigid_lab(&x, k < 2 ? FF_METHOD_ADAPTIVE : FF_METHOD_EULER,
                        k % 2 ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION));
        x.options.relative = 1e-5;
        x.options.absolute = 1e-7;
        ff_random r = ff_random_make(1, 0);
        bouncy(&x, "wood", 0.4, 0.5);
        enum { THINGS = 6 };
        for (int i = 0; i < THINGS; i++) {
            char name[24];
            snprintf(name, sizeof name, "thing%d", i);
            const double p[3] = {ff_random_range(&r, -0.2, 0.2), ff_random_range(&r, -0.2, 0.2), 0.1 + 0.12 * i};
            if (i % 3 == 0) {
                lab_ball(&x, name, 0.5, 0.06, p, "wood");
            } else if (i % 3 == 1) {
                lab_box(&x, name, 0.8, (double[]){0.15, 0.1, 0.08}, p, "wood");
            } else {
                const int rod = robot_body(x.spec, name, -1, p, 0.4, (double[]){0, 0, 0}, (double[]){1e-3, 1e-3, 4e-4});
                robot_joint(x.spec, name, rod, FF_JOINT_FREE, 0, 0, 1);
                lab_geom(&x, rod, FF_SHAPE_CAPSULE, (double[]){0.04, 0.08, 0}, "wood");
            }
        }
        lab_floor(&x, "wood");
        lab_start(&x);
        for (int i = 0; i < THINGS; i++) {
            double quat[4];
            for (int c = 0; c < 4; c++) quat[c] = ff_random_normal(&r);
            ff_quat_normalise(quat);
            for (int c = 0; c < 4; c++) ff_sim_set_q(x.sim, 7 * i + 3 + c, quat[c]);
        }
        const double start = ff_sim_energy(x.sim).total;
        lab_run(&x, 2.0);
        int count;
        const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
        double up = 0.0;
        for (int i = 0; i < count; i++) {
            CHECK_BELOW(c[i].point.depth, 1e-6);
            CHECK(c[i].force.normal >= -1e-9);
            CHECK_BELOW(c[i].force.wanted, 0.5 * c[i].force.normal + 1e-6);
            if (c[i].body1 < 0) up += c[i].force.force[2];
        }
        CHECK_NEAR(up, x.model->mass * 9.81, 0.1 * x.model->mass * 9.81); // balls may still roll off others
        if (k < 2) CHECK_BELOW(residual(&x), 1e-4 * start);
        CHECK_BELOW(ff_sim_energy(x.sim).total, start);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ looking before the first
// step

/// An accelerometer, and then a plate.
typedef struct looker {
    ff_world *world;
    double acceleration, force; // along z  [m/s^2], [N]
} looker;

static ff_sim_action look(void *context, ff_sim *sim, double t)
{
    looker *l = context;
    int count;
    (void)t;
    CHECK(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL) == FF_OK);
    l->acceleration = ff_sim_data(sim)->qacc[2];
    const ff_world_contact *c = ff_world_contacts(l->world, sim, &count);
    l->force = 0.0;
    for (int i = 0; i < count; i++) l->force += c[i].force.force[2];
    return FF_SIM_GO;
}

// A ball that lies on the floor: a sensor feels that at the first instant, and right after the ball was put down
// elsewhere.
TEST(sensors_see_contacts_before_the_first_step)
{
    for (int k = 0; k < 2; k++) { // a step at velocity level has no accelerations of contacts
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
        bouncy(&x, "wood", 0.1, 0.3);
        lab_ball(&x, "ball", 0.2, 0.05, (double[]){0, 0, 0.05}, "wood");
        lab_floor(&x, "wood");
        lab_start(&x);
        looker l = {.world = x.world};
        const ff_task task = {.name = "look", .period = ff_ticks_from_seconds(0.1), .context = &l, .run = look};
        CHECK(ff_sim_add_task(x.sim, &task, NULL) >= 0);
        lab_run(&x, 0.0);
        CHECK_NEAR(l.acceleration, 0.0, 1e-9);
        CHECK_NEAR(l.force, 0.2 * 9.81, 1e-9);
        lab_run(&x, 0.15);
        ff_sim_set_q(x.sim, 2, 1.0);
        lab_run(&x, 0.19); // in the air
        ff_sim_set_state(x.sim, (double[]){0.3, 0, 0.05, 1, 0, 0, 0}, (double[6]){0});
        lab_run(&x, 0.2);
        CHECK_NEAR(l.acceleration, 0.0, 1e-9);
        CHECK_NEAR(l.force, 0.2 * 9.81, 1e-9);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ saving

TEST(a_saved_run_goes_on_bit_for_bit)
{
    for (int k = 0; k < METHODS_COUNT; k += 2) { // cvode restarts where it is saved: tested elsewhere
        lab one, two;
        if (!rigid_lab(&one, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
        CHECK(rigid_lab(&two, METHODS[k], FF_RESPONSE_SIMULTANEOUS));
        lab *both[] = {&one, &two};
        for (int i = 0; i < 2; i++) {
            bouncy(both[i], "wood", 0.5, 0.3);
            lab_slope(both[i], 0.5);
            lab_box(both[i], "block", 1.0, (double[]){0.4, 0.3, 0.1}, (double[]){0, 0, 0.05}, "wood");
            lab_ball(both[i], "ball", 0.2, 0.05, (double[]){1.0, 0, 0.3}, "wood");
            lab_floor(both[i], "wood");
            lab_start(both[i]);
        }
        ff_error err = {0};
        lab_run(&one, 0.33);
        const size_t size = ff_sim_save_size(one.sim);
        void *buffer = malloc(size);
        CHECK(buffer && ff_sim_save(one.sim, buffer, size, &err) == FF_OK);
        if (ff_sim_restore(two.sim, buffer, size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        lab_run(&one, 1.0);
        lab_run(&two, 1.0);
        CHECK(ff_sim_hash(one.sim) == ff_sim_hash(two.sim));
        CHECK_INT(ff_world_get_counts(one.world).impacts, ff_world_get_counts(two.world).impacts);
        free(buffer);
        lab_close(&one);
        lab_close(&two);
    }
}

// What is read before the next step, too: euler knows its forces from the step before.
TEST(contacts_read_right_after_a_restore_are_those_that_were_saved)
{
    for (int k = 0; k < METHODS_COUNT; k++) {
        lab x;
        if (!rigid_lab(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS)) continue;
        bouncy(&x, "wood", 0.1, 0.3);
        lab_ball(&x, "ball", 0.2, 0.05, (double[]){0, 0, 0.05}, "wood");
        lab_floor(&x, "wood");
        lab_start(&x);
        lab_run(&x, 0.1);
        int count;
        const ff_world_contact saved = *ff_world_contacts(x.world, x.sim, &count);
        CHECK_INT(count, 1);
        CHECK_NEAR(saved.force.normal, 0.2 * 9.81, 1e-6); // at rest [N]
        const size_t size = ff_sim_save_size(x.sim);
        void *buffer = malloc(size);
        CHECK(buffer && ff_sim_save(x.sim, buffer, size, NULL) == FF_OK);
        ff_sim_set_v(x.sim, 2, 1.0);
        lab_run(&x, 0.15); // in the air
        CHECK_INT(ff_sim_restore(x.sim, buffer, size, NULL), FF_OK);
        const ff_world_contact *read = ff_world_contacts(x.world, x.sim, &count);
        CHECK_INT(count, 1);
        CHECK_INT(read->mode, saved.mode);
        for (int i = 0; i < 3; i++) CHECK_NEAR(read->force.force[i], saved.force.force[i], 0.0);
        free(buffer);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ what is refused

TEST(what_cannot_be_done_is_reported)
{
    lab x = lab_open(FF_METHOD_RK4);
    x.contacts.response = FF_RESPONSE_PROPAGATION;
    bouncy(&x, "ball", 0.5, 0.5);
    lab_ball(&x, "ball", 1.0, 0.1, (double[]){0, 0, 1}, "ball");
    lab_floor(&x, "ball");
    ff_error err = {0};
    x.model = ff_model_compile(x.spec, NULL, NULL);
    ff_report report = {0};
    x.world = ff_world_create(x.model, &x.contacts, &report);
    x.sim = ff_sim_create(x.model, &x.options, &err);
    CHECK_INT(ff_sim_add_world(x.sim, x.world, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "'propagation' need the method euler, adaptive or cvode, not rk4");
    lab_close(&x);
    ff_response response;
    CHECK_INT(ff_response_find("impulse", &response, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "force, propagation or simultaneous");
    CHECK_INT(ff_response_find("simultaneous", &response, &err), FF_OK);
    CHECK_INT(response, FF_RESPONSE_SIMULTANEOUS);
}

TEST(hundreds_of_points_touch_at_once)
{
    lab x;
    CHECK(rigid_lab(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS));
    bouncy(&x, "ball", 0.5, 0.5);
    for (int i = 0; i < 400; i++) {
        char name[24];
        snprintf(name, sizeof name, "b%d", i);
        lab_ball(&x, name, 1.0, 0.1, (double[]){i, 0, 0.1}, "ball");
    }
    lab_floor(&x, "ball");
    lab_start(&x);
    lab_run(&x, 0.1);
    int count;
    const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
    CHECK_INT(count, 400);
    for (int i = 0; i < count; i++) CHECK_NEAR(c[i].force.normal, 9.81, 1e-9);
    CHECK_INT(ff_world_get_counts(x.world).most, 400);
    lab_close(&x);
}

// A ball between two walls that leave it 20 nm: thrown at one of them without loss, it would go to and fro for ever
// within a step. A state from before is sound again; one from after the failure stays failed.
TEST(a_failure_is_saved_and_restored_with_the_rest)
{
    lab x;
    ff_error err = {0};
    CHECK(rigid_lab(&x, FF_METHOD_EULER, FF_RESPONSE_PROPAGATION));
    bouncy(&x, "ball", 1.0, 0.0);
    ff_vec3_set(x.spec->gravity, 0, 0, 0);
    lab_ball(&x, "ball", 1.0, 0.1, (double[]){0, 0, 0.1 + 1e-8}, "ball");
    lab_floor(&x, "ball");
    ff_spec_geom *ceiling = lab_geom(&x, -1, FF_SHAPE_PLANE, (double[]){0, 0, 0}, "ball");
    ff_vec3_set(ceiling->pos, 0, 0, 0.2 + 2e-8);
    const double upside_down[4] = {0, 1, 0, 0};
    memcpy(ceiling->quat, upside_down, sizeof upside_down);
    lab_start(&x);
    lab_run(&x, 0.01);
    const size_t size = ff_sim_save_size(x.sim);
    void *before = malloc(size), *after = malloc(size);
    CHECK(before && after && ff_sim_save(x.sim, before, size, &err) == FF_OK);
    ff_sim_set_v(x.sim, 2, 1.0);
    CHECK_INT(ff_sim_run(x.sim, 0.1, &err), FF_SOLVER);
    CHECK_SAYS(err.text, "2 contacts still approach each other after 102000 single impacts");
    CHECK(ff_sim_save(x.sim, after, size, &err) == FF_OK);
    CHECK(ff_sim_restore(x.sim, before, size, &err) == FF_OK);
    lab_run(&x, 0.05);
    CHECK(ff_sim_restore(x.sim, after, size, &err) == FF_OK);
    CHECK_INT(ff_sim_run(x.sim, 0.2, &err), FF_SOLVER);
    free(before);
    free(after);
    lab_close(&x);
}
