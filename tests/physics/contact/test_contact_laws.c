// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws themselves: conditions on any contact force, restitution against its closed form, derivatives against
// differences, energies against work.
#include "check.h"
#include "motion.h"

#include <footfall/contact.h>

static const ff_normal_law all_laws[] = {FF_NORMAL_LINEAR, FF_NORMAL_RESTITUTION, FF_NORMAL_HUNT_CROSSLEY,
                                         FF_NORMAL_KELVIN_VOIGT, FF_NORMAL_SOIL};
enum { LAWS = sizeof all_laws / sizeof all_laws[0] };

static ff_contact_pair make_pair(const ff_material *m)
{
    ff_contact_pair pair;
    ff_error err = {0};
    if (ff_contact_pair_make(&pair, m, NULL, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return pair;
}

/// Without friction; damping such that a 1 kg body at 1 m/s bounces with about 0.6.
static ff_material normal_material(ff_normal_law law, double exponent)
{
    ff_material m = ff_material_default();
    m.friction.law = FF_FRICTION_NONE;
    m.normal.law = law;
    m.normal.exponent = exponent;
    m.normal.stiffness = 1e4;
    m.normal.damping = law == FF_NORMAL_HUNT_CROSSLEY ? 1e4 : 30.0;
    m.normal.restitution = 0.6;
    if (law == FF_NORMAL_SOIL) {
        m.normal.damping = 2000.0;
        m.normal.damping_exponent = 0.9;
    }
    return m;
}

// ------------------------------------------------------------------------------------------ pulling

// K p + B v in both directions, and its heat is that of a damper; by default the force of this law ends at zero.
TEST(ground_that_pulls_holds_a_foot_back)
{
    ff_material m = normal_material(FF_NORMAL_KELVIN_VOIGT, 1.0);
    const ff_contact_pair clamped = make_pair(&m);
    m.normal.pulls = true;
    const ff_contact_pair holds = make_pair(&m);
    const ff_contact_state state = {.mode = FF_CONTACT_KINETIC};
    ff_contact_point point = {.share = 1.0, .depth = 1e-3, .normal = {0, 0, 1}};
    for (point.closing = -1.0; point.closing < 1.05; point.closing += 0.1) {
        ff_contact_force a, b;
        const double law = 1e4 * 1e-3 + 30.0 * point.closing;
        ff_contact_evaluate(&holds, &point, &state, &a, NULL);
        ff_contact_evaluate(&clamped, &point, &state, &b, NULL);
        CHECK_NEAR(a.normal, law, 1e-12);
        CHECK_NEAR(a.loss_normal, 30.0 * point.closing * point.closing, 1e-12);
        CHECK_NEAR(b.normal, fmax(law, 0.0), 1e-12);
    }
}

// ------------------------------------------------------------------------------------------ restitution

TEST(restitution_solves_the_closed_form)
{
    // computed by another program to 12 digits
    static const double table[][2] = {{0.05, 0.967738578531}, {0.1, 0.937475579950}, {0.2, 0.882189986247},
                                      {0.3, 0.832869792266},  {0.5, 0.748434931597}, {1.0, 0.593624260040},
                                      {2.0, 0.410719686061}};
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(ff_restitution_of_group(table[i][0]), table[i][1], 1e-12);
        CHECK_NEAR(ff_group_of_restitution(table[i][1]), table[i][0], 1e-10); // the table has 12 digits
    }
    CHECK_NEAR(ff_restitution_of_group(0.0), 1.0, 0.0);
    CHECK_NEAR(ff_group_of_restitution(1.0), 0.0, 0.0);
    CHECK(isnan(ff_group_of_restitution(0.0)) && isnan(ff_group_of_restitution(1.1)) &&
          isnan(ff_group_of_restitution(NAN)) && isnan(ff_restitution_of_group(-1.0)));
}

TEST(both_readings_of_the_closed_form_are_inverse_over_the_whole_range)
{
    for (double e = 0.02; e < 1.0; e += 0.01) CHECK_NEAR(ff_restitution_of_group(ff_group_of_restitution(e)), e, 1e-13);
    for (double d = 1e-2; d > 1e-13; d *= 0.1) { // near 1 the leading terms are a = 3/2 (1-e) (1 + (1-e))
        double e = 1.0 - d, lost = 1.0 - e;      // as rounded
        CHECK_NEAR(ff_group_of_restitution(e) / (1.5 * lost), 1.0 + lost, lost * lost + 1e-14);
    }
    for (double e = 1e-2; e > 1e-300; e *= 1e-10) CHECK_NEAR(ff_group_of_restitution(e) * e, 1.0, 1e-12);
}

TEST(calibrations_give_the_known_bounces)
{
    // asked, obtained with "seed", with "three-halves" (0: not given), exact group; four digits
    static const double table[][4] = {
        {0.9, 0.931, 0.900, 0.1665}, {0.8, 0.857, 0.799, 0.3732}, {0.7, 0.777, 0.697, 0.6348},
        {0.6, 0.689, 0, 0.9749},     {0.5, 0.594, 0.488, 1.4328}, {0.4, 0.488, 0, 2.0825},
        {0.3, 0.370, 0.271, 3.0871}, {0.2, 0.241, 0, 4.9192},     {0.1, 0.111, 0.074, 9.9982}};
    for (int i = 0; i < 9; i++) {
        double e = table[i][0];
        double seed = ff_restitution_of_group(ff_group_calibrated(FF_CALIBRATION_SEED, e));
        double half = ff_restitution_of_group(ff_group_calibrated(FF_CALIBRATION_THREE_HALVES, e));
        CHECK_NEAR(seed, table[i][1], 0.0005001);
        if (table[i][2] > 0) CHECK_NEAR(half, table[i][2], 0.0005001);
        CHECK_NEAR(ff_group_calibrated(FF_CALIBRATION_EXACT, e), table[i][3], 1e-4); // one of its last digit
        if (e >= 0.5) CHECK_BELOW(fabs(half - e), 0.013);
    }
}

/// A mass flying into a contact: x = (depth, closing speed).
typedef struct impact {
    ff_contact_pair pair;
    ff_contact_state state;
    double mass, external; // [kg], [N] pressing
} impact;

static ff_contact_point impact_point(const double *x)
{
    ff_contact_point p = {.share = 1.0, .depth = x[0], .closing = x[1], .normal = {0, 0, 1}};
    return p;
}

static void impact_rate(void *context, double t, const double *x, double *dx)
{
    (void)t;
    impact *b = context;
    ff_contact_point p = impact_point(x);
    ff_contact_force f;
    ff_contact_evaluate(&b->pair, &p, &b->state, &f, NULL);
    dx[0] = x[1];
    dx[1] = (b->external - f.normal) / b->mass;
    dx[2] = f.loss_normal;
}

static void impact_event(void *context, double t, const double *x, double *values)
{
    (void)context, (void)t;
    values[0] = x[0];
}

/// Speed after a free impact over speed before; the largest depth goes to *deepest, the heat to *loss.
static double bounce(const ff_material *m, double mass, double v0, double tolerance, double *deepest, double *loss)
{
    impact b = {.pair = make_pair(m), .mass = mass};
    motion s = {.n = 3,
                .events = 1,
                .x = {0, v0, 0},
                .tolerance = tolerance,
                .context = &b,
                .rate = impact_rate,
                .event = impact_event,
                .step = 1e-7};
    ff_contact_point p = impact_point(s.x);
    ff_contact_update(&b.pair, &p, FF_CONTACT_TOUCH, &b.state);
    double most = 0.0;
    motion_step(&s, 1e-7); // off the zero of the event function
    while (motion_step(&s, 10.0) < 0 && s.t < 10.0) most = fmax(most, s.x[0]);
    p = impact_point(s.x);
    ff_contact_update(&b.pair, &p, FF_CONTACT_TOUCH, &b.state);
    CHECK_INT(b.state.mode, FF_CONTACT_OPEN);
    if (deepest) *deepest = most;
    if (loss) *loss = s.x[2];
    return -s.x[1] / v0;
}

TEST(hunt_crossley_bounces_by_the_closed_form_for_both_exponents)
{
    static const double table[][2] = {{0.05, 0.967738578531},
                                      {0.2, 0.882189986247},
                                      {0.5, 0.748434931597},
                                      {1.0, 0.593624260040},
                                      {2.0, 0.410719686061}};
    for (int i = 0; i < 5; i++)
        for (int n = 0; n < 2; n++) {
            double v0 = 0.5 + n, mass = 0.3 + n; // the result must not depend on them
            ff_material m = normal_material(FF_NORMAL_HUNT_CROSSLEY, n ? 1.5 : 1.0);
            m.normal.stiffness = n ? 1e6 : 1e4;
            m.normal.damping = m.normal.stiffness * table[i][0] / v0;
            double loss, e = bounce(&m, mass, v0, 1e-12, NULL, &loss);
            CHECK_NEAR(e, table[i][1], 1e-9);
            CHECK_NEAR(loss, 0.5 * mass * v0 * v0 * (1 - e * e), 1e-9); // [J] heat = loss of kinetic energy
        }
}

TEST(the_deepest_point_of_an_impact_is_the_computed_one)
{
    // m = 1, k = 1e6, n = 1.5, v0 = 1, a = 0.3: 4.05246397603 mm from the closed form
    ff_material m = normal_material(FF_NORMAL_HUNT_CROSSLEY, 1.5);
    m.normal.stiffness = 1e6;
    m.normal.damping = 0.3e6;
    double deepest;
    bounce(&m, 1.0, 1.0, 1e-12, &deepest, NULL);
    CHECK_NEAR(deepest, 4.05246397603e-3, 2e-8); // [m] largest of the accepted steps, which straddle the peak
}

// e = 0: F = k p^n (1 + v / floor), hence X1 with a = v0 / floor, whose e a < 1 keeps the speed that is left below
// the floor. The table is X1, solved with 60 digits. By hunt-crossley the same damping.
TEST(a_plastic_impact_leaves_slower_than_the_impact_floor)
{
    static const double table[][2] = {{0.05, 0.196980245280519}, {0.2, 0.049999999203831}, {1.0, 0.01}}; // v0, e
    for (int i = 0; i < 3; i++)
        for (int n = 0; n < 2; n++) {
            const double v0 = table[i][0], mass = 0.3 + n;
            ff_material m = normal_material(FF_NORMAL_RESTITUTION, n ? 1.5 : 1.0);
            m.normal.restitution = 0.0;
            double loss, e = bounce(&m, mass, v0, 1e-12, NULL, &loss);
            CHECK_NEAR(e, table[i][1], 1e-8);
            CHECK_BELOW(e * v0, FF_IMPACT_FLOOR * (1 + 1e-6));
            CHECK_NEAR(loss, 0.5 * mass * v0 * v0 * (1 - e * e), 1e-9);
            const ff_contact_pair pair = make_pair(&m);
            CHECK_NEAR(ff_contact_restitution(&pair, v0, mass), 0.0, 0.0); // impulses leave none
            m.normal.law = FF_NORMAL_HUNT_CROSSLEY;
            m.normal.damping = ff_damping_for_restitution(m.normal.stiffness, 0.0, v0);
            CHECK_NEAR(bounce(&m, mass, v0, 1e-12, NULL, NULL), table[i][1], 1e-8);
        }
}

// Also in a trial state before the impact speed is stored, where other restitutions use the closing speed instead.
TEST(the_slope_of_the_plastic_law_is_that_of_its_damper)
{
    ff_material m = normal_material(FF_NORMAL_RESTITUTION, 1.0);
    m.normal.restitution = 0.0;
    const ff_contact_pair pair = make_pair(&m);
    const ff_contact_state open = {.mode = FF_CONTACT_OPEN};
    const ff_contact_point point = {.share = 1.0, .depth = 1e-3, .closing = 0.5, .normal = {0, 0, 1}};
    ff_contact_force force;
    ff_contact_slope slope;
    ff_contact_evaluate(&pair, &point, &open, &force, &slope);
    CHECK_NEAR(force.normal, 1e4 * 1e-3 * (1 + 0.5 / 0.01), 1e-9);  // [N]
    CHECK_NEAR(slope.force_closing[2], 1e4 * 1e-3 / 0.01, 1e-9);    // [N s/m]
    CHECK_NEAR(slope.force_depth[2], 1e4 * (1 + 0.5 / 0.01), 1e-6); // [N/m]
}

TEST(the_restitution_law_bounces_as_asked)
{
    for (double e = 0.1; e < 1.0; e += 0.15)
        for (int n = 0; n < 2; n++) {
            ff_material m = normal_material(FF_NORMAL_RESTITUTION, n ? 1.5 : 1.0);
            m.normal.restitution = e;
            CHECK_NEAR(bounce(&m, 2.0, 0.7, 1e-11, NULL, NULL), e, 1e-8);
            m.normal.calibration = FF_CALIBRATION_SEED; // higher than asked, as computed from (X1)
            CHECK_NEAR(bounce(&m, 2.0, 0.7, 1e-11, NULL, NULL), ff_restitution_of_group((1 - e) / e), 1e-8);
        }
}

TEST(hunt_crossley_damping_is_found_from_a_wanted_restitution)
{
    ff_material m = normal_material(FF_NORMAL_HUNT_CROSSLEY, 1.0);
    m.normal.damping = ff_damping_for_restitution(m.normal.stiffness, 0.55, 2.0);
    CHECK_NEAR(bounce(&m, 0.2, 2.0, 1e-11, NULL, NULL), 0.55, 1e-8);
    CHECK(isnan(ff_damping_for_restitution(1e4, 0.5, 0.0)) && isnan(ff_damping_for_restitution(-1.0, 0.5, 1.0)));
    CHECK_NEAR(ff_stiffness_of_layer(0.01e9, 1e-4, 0.1), 1e4, 1e-9); // the rubber of Lens et al.
    CHECK(isnan(ff_stiffness_of_layer(1e9, 0.0, 0.1)));
}

TEST(the_restitution_of_a_pair_is_that_of_its_free_impact)
{
    for (int law = 0; law < LAWS; law++)
        for (int n = 0; n < 2; n++) {
            double exponent = n ? 1.5 : 1.0, loss;
            bool straight = all_laws[law] == FF_NORMAL_KELVIN_VOIGT || all_laws[law] == FF_NORMAL_SOIL;
            if (n && straight) continue;
            for (double v = 0.3; v < 3.0; v *= 2.0) {
                ff_material m = normal_material(all_laws[law], exponent);
                ff_contact_pair pair = make_pair(&m);
                CHECK_NEAR(ff_contact_restitution(&pair, v, 0.7), bounce(&m, 0.7, v, 1e-11, NULL, &loss), 2e-6);
            }
        }
    ff_material m = normal_material(FF_NORMAL_HUNT_CROSSLEY, 1.0);
    m.normal.damping = 1e8; // a = 1e4: e = 1/a to a part in 1e4
    ff_contact_pair pair = make_pair(&m);
    CHECK_NEAR(ff_contact_restitution(&pair, 1.0, 1.0), 1e-4, 1e-8);
}

// ------------------------------------------------------------------------------------------ constraints C1 to C4

TEST(no_law_pushes_without_depth_or_ever_pulls)
{
    ff_random r = ff_random_make(1, 0);
    for (int law = 0; law < LAWS; law++) {
        ff_material m = normal_material(all_laws[law], 1.0);
        ff_contact_pair pair = make_pair(&m);
        ff_contact_state state = {.mode = FF_CONTACT_KINETIC, .impact_speed = 0.1, .plane = {0, 0, 1}};
        for (int i = 0; i < 2000; i++) {
            double x[2] = {ff_random_range(&r, -0.01, 0.02), ff_random_range(&r, -5, 5)};
            ff_contact_point p = impact_point(x);
            ff_contact_force f;
            ff_contact_evaluate(&pair, &p, &state, &f, NULL);
            CHECK(f.normal >= 0.0 && f.loss_normal >= 0.0 && f.elastic_normal >= 0.0);
            if (x[0] <= 0.0) CHECK(f.normal == 0.0 && f.elastic_normal == 0.0);
            if (x[0] > 0.0 && x[1] >= 0.0) CHECK(f.normal > 0.0);
        }
    }
}

TEST(c1_force_starts_from_zero_but_for_kelvin_voigt)
{
    for (int law = 0; law < LAWS; law++) {
        ff_material m = normal_material(all_laws[law], 1.0);
        ff_contact_pair pair = make_pair(&m);
        ff_contact_state open = {0};
        double x[2] = {1e-15, 1.0};
        ff_contact_point p = impact_point(x);
        ff_contact_force f;
        ff_contact_evaluate(&pair, &p, &open, &f, NULL);
        if (all_laws[law] == FF_NORMAL_KELVIN_VOIGT)
            CHECK_NEAR(f.normal, 30.0, 1e-9); // [N] c v: the jump that makes it the cheap law
        else
            CHECK_BELOW(f.normal, 1e-9);
    }
}

/// Does the law allow this exponent?
static bool allows(ff_normal_law law, double exponent)
{
    return exponent == 1.0 || (law != FF_NORMAL_KELVIN_VOIGT && law != FF_NORMAL_SOIL);
}

TEST(c2_c3_a_free_impact_ends_slower_and_without_force)
{
    for (int law = 0; law < 2 * LAWS; law++) {
        double exponent = law < LAWS ? 1.0 : 1.5;
        if (!allows(all_laws[law % LAWS], exponent)) continue;
        ff_material m = normal_material(all_laws[law % LAWS], exponent);
        double loss, e = bounce(&m, 1.0, 1.0, 1e-11, NULL, &loss);
        if (all_laws[law % LAWS] == FF_NORMAL_LINEAR)
            CHECK_NEAR(e, 1.0, 1e-9);
        else
            CHECK(e > 0.0 && e < 1.0);
        CHECK_NEAR(loss, 0.5 * (1 - e * e), 1e-9); // [J]
    }
}

TEST(c4_under_a_constant_load_a_body_comes_to_rest_at_the_depth_that_carries_it)
{
    for (int law = 1; law < LAWS; law++) // the linear law swings for ever
        for (int n = 0; n < 2; n++) {
            if (n && all_laws[law] != FF_NORMAL_RESTITUTION && all_laws[law] != FF_NORMAL_HUNT_CROSSLEY) continue;
            ff_material m = normal_material(all_laws[law], n ? 1.5 : 1.0);
            if (all_laws[law] == FF_NORMAL_HUNT_CROSSLEY) m.normal.damping = 3e5;
            impact b = {.pair = make_pair(&m), .mass = 1.0, .external = 9.81};
            motion s = {.n = 3, .x = {1e-6, 0.1, 0}, .tolerance = 1e-10, .context = &b, .rate = impact_rate};
            ff_contact_point p = impact_point(s.x);
            ff_contact_update(&b.pair, &p, FF_CONTACT_NO_EVENT, &b.state);
            while (s.t < 40.0) {
                motion_step(&s, 40.0);
                if (s.x[0] <= 0.0) b.state = (ff_contact_state){0}; // a first hop
                p = impact_point(s.x);
                ff_contact_update(&b.pair, &p, FF_CONTACT_NO_EVENT, &b.state);
            }
            CHECK_NEAR(s.x[1], 0.0, 1e-6);
            CHECK_NEAR(s.x[0], pow(9.81 / 1e4, n ? 1.0 / 1.5 : 1.0), 1e-7);
        }
}

// ------------------------------------------------------------------------------------------ series, step size

TEST(two_layers_behave_like_their_sum)
{
    // layers in series, solved as two springs with a massless interface: same force, deformations add
    ff_material a = normal_material(FF_NORMAL_HUNT_CROSSLEY, 1.5), b = a;
    a.normal.stiffness = 3e5, b.normal.stiffness = 8e5;
    a.normal.damping = b.normal.damping = 0.0;
    ff_contact_pair pair;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    double force = 40.0, depth = pow(force / 3e5, 1 / 1.5) + pow(force / 8e5, 1 / 1.5);
    CHECK_NEAR(pair.stiffness * depth * sqrt(depth), force, 1e-9 * force);
    // equal layers share the motion: half the stiffness, and each sees half the speed
    a.normal.exponent = b.normal.exponent = 1.0;
    b.normal.stiffness = 3e5;
    a.normal.damping = b.normal.damping = 6e4;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_NEAR(pair.stiffness, 1.5e5, 1e-9);
    CHECK_NEAR(pair.damping / pair.stiffness, 0.5 * 6e4 / 3e5, 1e-12);
}

TEST(step_advice_follows_the_half_period)
{
    ff_material m = normal_material(FF_NORMAL_LINEAR, 1.0);
    ff_contact_pair pair = make_pair(&m);
    ff_contact_step s = ff_contact_step_advice(&pair, 4.0, 10.0);
    CHECK_NEAR(s.half_period, FF_PI * sqrt(4.0 / 1e4), 1e-15);
    CHECK_NEAR(s.advised, s.half_period / 20.0, 1e-15);
    CHECK_NEAR(s.explicit_limit, 2.0 / sqrt(1e4 / 4.0), 1e-15);
    m = normal_material(FF_NORMAL_HUNT_CROSSLEY, 1.5);
    pair = make_pair(&m);
    s = ff_contact_step_advice(&pair, 1.0, 1e4 * 1e-3); // 1e4 p^1.5 = 10 N at p = 0.01 m
    CHECK_NEAR(s.stiffness, 1.5 * 1e4 * 0.1, 1e-8);
    // a sphere touched at its side by a fixed wall along the tangent: 1/m + r^2/I = 3.5/m
    ff_contact_side fixed = {0}, ball = {.inverse_mass = 0.5, .arm = {0, 0, -0.1}};
    for (int i = 0; i < 3; i++) ball.inverse_inertia[4 * i] = 1.0 / (0.4 * 2.0 * 0.01);
    CHECK_NEAR(ff_contact_effective_mass(&fixed, &ball, (double[3]){1, 0, 0}), 2.0 / 3.5, 1e-14);
    CHECK_NEAR(ff_contact_effective_mass(&fixed, &ball, (double[3]){0, 0, 1}), 2.0, 1e-14);
}

TEST(the_explicit_limit_is_where_euler_diverges)
{
    // semi-implicit Euler of a damped oscillator, 1 percent on either side of the limit
    ff_material m = normal_material(FF_NORMAL_KELVIN_VOIGT, 1.0);
    ff_contact_pair pair = make_pair(&m);
    double limit = ff_contact_step_advice(&pair, 0.05, 0.0).explicit_limit;
    for (int side = 0; side < 2; side++) {
        double h = limit * (side ? 1.01 : 0.99), x = 0.01, v = 0.0; // about the rest depth, where nothing is clamped
        for (int i = 0; i < 4000 && fabs(x) < 1e6; i++) {
            v += h * (-1e4 * x - 30.0 * v) / 0.05;
            x += h * v;
        }
        if (side)
            CHECK(fabs(x) > 1e5);
        else
            CHECK_BELOW(fabs(x), 1e-6);
    }
}
