// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan of a planar walk: phases, support counts, foot paths, planned peaks of Silva's figures 4 to 8, inverse
// kinematics.
#include "check.h"

#include <footfall/ik.h>
#include <footfall/math.h>
#include <footfall/planar_walk.h>

/// Foot of a leg against its hip.
static void foot_of(const ff_planar_leg *leg, const double angle[2], double pos[2])
{
    pos[0] = leg->length[0] * ff_sin(angle[0]) + leg->length[1] * ff_sin(angle[0] + angle[1]);
    pos[1] = -leg->length[0] * ff_cos(angle[0]) - leg->length[1] * ff_cos(angle[0] + angle[1]);
}

static ff_planar_plan silva(ff_planar_gait gait, double duty)
{
    ff_planar_plan plan = ff_planar_plan_default();
    plan.gait = gait;
    plan.duty = duty;
    return plan;
}

/// Half of the last printed digit, or 0.5 % where that is more.
static double printed(double value, double digit)
{
    return fmax(0.005 * fabs(value), 0.5 * digit);
}

// ------------------------------------------------------------------------------------------ gaits

// Wave at 1/2 is the tripod, wave at 5/6 the half-cycle gait; thirds and sixths in three digits.
TEST(phases_of_six_legs_are_the_known_ones)
{
    static const double tripod[6] = {0, 0.5, 0.5, 0, 0, 0.5};
    static const double wave[6] = {0, 0.5, 0.833, 0.333, 0.667, 0.167};
    static const double full[6] = {0, 0.5, 0.667, 0.167, 0.333, 0.833};
    const ff_planar_plan half = silva(FF_PLANAR_HALF_CYCLE, 5.0 / 6.0), slow = silva(FF_PLANAR_WAVE, 5.0 / 6.0);
    const ff_planar_plan equal = silva(FF_PLANAR_FULL_CYCLE, 0.35), quick = silva(FF_PLANAR_WAVE, 0.5);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(ff_planar_phase(&quick, i), tripod[i], 1e-12);
        CHECK_NEAR(ff_planar_phase(&slow, i), wave[i], 5e-4);
        CHECK_NEAR(ff_planar_phase(&half, i), wave[i], 5e-4);
        CHECK_NEAR(ff_planar_phase(&equal, i), full[i], 5e-4);
    }
}

// A backward gait is its forward one seen in reverse time: lags along a side change their sign.
TEST(backward_gaits_run_the_other_way)
{
    for (int gait = 0; gait < 3; gait++)
        for (int legs = 4; legs <= 12; legs += 2) {
            ff_planar_plan there = silva((ff_planar_gait)gait, 0.7), back = silva((ff_planar_gait)(gait + 3), 0.7);
            there.legs = back.legs = legs;
            for (int i = 0; i < legs; i += 2) {
                const double sum = ff_planar_phase(&there, i) + ff_planar_phase(&back, i);
                CHECK_NEAR(sum - floor(sum + 0.5), 0.0, 1e-12);
            }
        }
}

static void count_support(const ff_planar_plan *plan, int *least, int *most)
{
    *least = plan->legs;
    *most = 0;
    for (int k = 0; k < 2000; k++) {
        int down = 0;
        for (int i = 0; i < plan->legs; i++) down += ff_planar_foot_at(plan, i, (k + 0.37) / 2000.0).support;
        if (down < *least) *least = down;
        if (down > *most) *most = down;
    }
}

TEST(the_wave_gait_keeps_a_constant_number_of_feet_down)
{
    static const double duty[3] = {1.0 / 2.0, 2.0 / 3.0, 5.0 / 6.0};
    int least, most;
    for (int i = 0; i < 3; i++) {
        const ff_planar_plan plan = silva(FF_PLANAR_WAVE, duty[i]);
        count_support(&plan, &least, &most);
        CHECK(least == 3 + i && most == 3 + i);
    }
    const ff_planar_plan quick = silva(FF_PLANAR_FULL_CYCLE, 0.35);
    count_support(&quick, &least, &most);
    CHECK(least == 2 && most == 3);
}

// For any gait and number of legs the mean is legs times duty.
TEST(on_average_each_leg_is_down_for_its_duty)
{
    for (int gait = 0; gait < FF_PLANAR_GAIT_COUNT; gait++)
        for (int legs = 2; legs <= FF_PLANAR_LEGS; legs += 6) {
            ff_planar_plan plan = silva((ff_planar_gait)gait, 0.62);
            plan.legs = legs;
            for (int i = 0; i < legs; i++) {
                int down = 0;
                for (int k = 0; k < 1000; k++) down += ff_planar_foot_at(&plan, i, k / 1000.0).support;
                CHECK_NEAR(down / 1000.0, 0.62, 1.5e-3); // one sample at either end
            }
        }
}

// ------------------------------------------------------------------------------------------ foot paths

typedef struct extremes {
    double low, high;
} extremes;

static void widen(extremes *e, double value)
{
    e->low = fmin(e->low, value);
    e->high = fmax(e->high, value);
}

enum { POSITION, RATE, ACCELERATION, PARTS };

static void foot_extremes(const ff_planar_plan *plan, int axis, extremes out[PARTS])
{
    for (int p = 0; p < PARTS; p++) out[p] = (extremes){INFINITY, -INFINITY};
    for (int k = 0; k < 20000; k++) {
        const ff_planar_foot foot = ff_planar_foot_at(plan, 0, k / 20000.0);
        if (foot.support) continue;
        widen(&out[POSITION], foot.pos[axis]);
        widen(&out[RATE], foot.rate[axis]);
        widen(&out[ACCELERATION], foot.acceleration[axis]);
    }
}

// Figures 4 and 5: heights from 0 to 0.1 m, speeds pi F_C / t_T, accelerations 2 pi^2 F_C / t_T^2.
TEST(planned_feet_have_the_peaks_of_figures_4_and_5)
{
    static const struct {
        ff_planar_gait gait;
        double duty, speed, acceleration;
    } cases[2] = {{FF_PLANAR_WAVE, 0.5, 0.628, 7.90}, {FF_PLANAR_FULL_CYCLE, 0.35, 0.483, 4.67}};
    for (int i = 0; i < 2; i++) {
        const ff_planar_plan plan = silva(cases[i].gait, cases[i].duty);
        extremes y[PARTS];
        foot_extremes(&plan, 1, y);
        CHECK_NEAR(y[POSITION].low + 0.9, 0.0, 1e-6);
        CHECK_NEAR(y[POSITION].high + 0.9, 0.1, 1e-6);
        CHECK_NEAR(y[RATE].high, cases[i].speed, printed(cases[i].speed, 1e-3));
        CHECK_NEAR(y[RATE].low, -cases[i].speed, printed(cases[i].speed, 1e-3));
        CHECK_NEAR(y[ACCELERATION].high, cases[i].acceleration, printed(cases[i].acceleration, 1e-2));
        CHECK_NEAR(y[ACCELERATION].low, -cases[i].acceleration, printed(cases[i].acceleration, 1e-2));
    }
}

// A centred foot reaches 0.939 m of the 1 m the leg has; lifted off below its hip, as printed, it would need 1.030 m
// when it lands (and 1.043 m just before: it waits for the ground while the hip is still further behind).
TEST(feet_must_be_centred_to_be_within_reach)
{
    ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
    static const double expected[2] = {0.939, 1.030};
    for (int literal = 0; literal < 2; literal++) {
        double reach = 0.0;
        plan.centred = !literal;
        for (int k = 0; k < 20000; k++) {
            const ff_planar_foot foot = ff_planar_foot_at(&plan, 0, k / 20000.0);
            if (literal && !foot.support) continue;
            reach = fmax(reach, sqrt(foot.pos[0] * foot.pos[0] + foot.pos[1] * foot.pos[1]));
        }
        CHECK_NEAR(reach, expected[literal], 5e-4);
    }
}

// Rates are the derivatives of positions, also where the sinusoid turns and for landings at speed.
TEST(rates_and_accelerations_are_derivatives)
{
    const double h = 1e-5;
    for (int path = 0; path < FF_PLANAR_PATH_COUNT; path++) {
        ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.55);
        plan.path = (ff_planar_path)path;
        plan.kappa = 0.45;
        plan.speed = 0.7;
        const double unit = h * plan.speed / plan.step; // in cycles
        for (double c = 0.013; c < 1.0; c += 0.031) {
            const ff_planar_foot before = ff_planar_foot_at(&plan, 0, c - unit), here = ff_planar_foot_at(&plan, 0, c);
            const ff_planar_foot after = ff_planar_foot_at(&plan, 0, c + unit);
            if (before.support != after.support) continue;
            for (int k = 0; k < 2; k++) {
                CHECK_NEAR((after.pos[k] - before.pos[k]) / (2.0 * h), here.rate[k],
                           1e-6); // h^2 x'''/6 and rounding / h
                CHECK_NEAR((after.rate[k] - before.rate[k]) / (2.0 * h), here.acceleration[k], 1e-5);
            }
        }
    }
}

// Lift-off and touch-down: the path closes over a cycle, kappa = 1 lands at rest on the ground, kappa = 1 - beta with
// beta L_S / t_T, and the sinusoid with kappa = 1 leaves with the slope 8 F_C / L_S.
TEST(feet_land_as_the_paths_promise)
{
    const double tiny = 1e-6;
    for (int path = 0; path < FF_PLANAR_PATH_COUNT; path++)
        for (int printed_kappa = 0; printed_kappa < 2; printed_kappa++) {
            ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
            plan.path = (ff_planar_path)path;
            plan.kappa = printed_kappa ? 1.0 - plan.duty : 1.0;
            const ff_planar_foot last = ff_planar_foot_at(&plan, 0, 1.0 - tiny),
                                 first = ff_planar_foot_at(&plan, 0, 0.0);
            const double moving = path == FF_PLANAR_SINUSOID && printed_kappa ? plan.duty * plan.step / 0.5 : 0.0;
            CHECK(!last.support && first.support);
            CHECK_NEAR(last.pos[0], first.pos[0], 1e-5); // 2 m/s at most, times tiny
            CHECK_NEAR(last.pos[1], first.pos[1], 1e-9);
            CHECK_NEAR(last.rate[0] + plan.speed, moving, 1e-4); // against the ground
            CHECK_NEAR(last.rate[1], 0.0, 1e-4);
        }
    ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
    plan.path = FF_PLANAR_SINUSOID;
    const double u = 1e-3, c = 0.5 + 0.5 * u;
    const ff_planar_foot foot = ff_planar_foot_at(&plan, 0, c);
    const double x = foot.pos[0] + 0.25 + plan.step * (c - 0.5), y = foot.pos[1] + 0.9;
    CHECK_NEAR(y / x, 8.0 * plan.clearance / plan.step, 1e-4);
}

// ------------------------------------------------------------------------------------------ angles

static const ff_planar_leg LEG = {{0.5, 0.5}};

TEST(inverse_kinematics_returns_to_the_foot)
{
    const double known[2] = {0.25, -0.9};
    double angle[2], back[2], worst = 0.0;
    CHECK(ff_ik_planar(LEG.length, -1, known, angle) == FF_REACH_OK);
    CHECK_NEAR(angle[0] * 180.0 / FF_PI, 36.4, 0.05);
    CHECK_NEAR(angle[1] * 180.0 / FF_PI, -41.8, 0.05);
    const ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
    for (double c = 0.0; c < 1.0; c += 1e-3) {
        const ff_planar_foot foot = ff_planar_foot_at(&plan, 0, c);
        CHECK(ff_ik_planar(LEG.length, -1, foot.pos, angle) == FF_REACH_OK);
        foot_of(&LEG, angle, back);
        worst = fmax(worst, fmax(fabs(back[0] - foot.pos[0]), fabs(back[1] - foot.pos[1])));
    }
    CHECK(worst < 1e-14);
}

TEST(angle_rates_and_accelerations_are_derivatives)
{
    const ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
    const double h = 1e-5;
    for (double c = 0.013; c < 1.0; c += 0.031) {
        double angle[3][2], speed[3][2], angular[3][2];
        for (int k = 0; k < 3; k++) {
            const ff_planar_foot foot = ff_planar_foot_at(&plan, 0, c + (k - 1) * h);
            ff_ik_planar(LEG.length, -1, foot.pos, angle[k]);
            ff_planar_leg_rates(&LEG, angle[k], foot.rate, foot.acceleration, speed[k], angular[k]);
        }
        for (int j = 0; j < 2; j++) {
            CHECK_NEAR((angle[2][j] - angle[0][j]) / (2.0 * h), speed[1][j], 1e-6);
            CHECK_NEAR((speed[2][j] - speed[0][j]) / (2.0 * h), angular[1][j], 1e-4);
        }
    }
}

// ------------------------------------------------------------------------------------------ figures 6 to 8

/// Extremes over a cycle of the hip: angle [deg], rate, acceleration; in swing the torque terms of Lagrange's equation
/// of two uniform links of 1 kg and a foot of 0.1 kg (A, B, C, J1, J2 of Table I): inertial, centrifugal and Coriolis,
/// weight.
enum { ANGLE, SPEED, ANGULAR, INERTIAL, COUPLED, WEIGHT, TERMS };
static void hip_extremes(const ff_planar_plan *plan, extremes out[TERMS])
{
    const double A = 0.8, B = 0.3, C = 0.15, J1 = 1.0 / 48.0 + 0.0625 + 1.1 * 0.25, J2 = 1.0 / 48.0 + 0.0625 + 0.025;
    for (int i = 0; i < TERMS; i++) out[i] = (extremes){INFINITY, -INFINITY};
    for (int k = 0; k < 20000; k++) {
        const ff_planar_foot foot = ff_planar_foot_at(plan, 0, k / 20000.0);
        double a[2], w[2], e[2];
        ff_ik_planar(LEG.length, -1, foot.pos, a);
        ff_planar_leg_rates(&LEG, a, foot.rate, foot.acceleration, w, e);
        widen(&out[ANGLE], a[0] * 180.0 / FF_PI);
        widen(&out[SPEED], w[0]);
        widen(&out[ANGULAR], e[0]);
        if (foot.support) continue;
        const double c12 = cos(a[1]), s12 = -sin(a[1]), both = w[0] + w[1];
        widen(&out[INERTIAL], (J1 + J2 + 2.0 * C * c12) * e[0] + (J2 + C * c12) * e[1]);
        widen(&out[COUPLED], C * s12 * (both * both - w[0] * w[0]));
        widen(&out[WEIGHT], 9.81 * (A * sin(a[0]) + B * sin(a[0] + a[1])));
    }
}

static void print_extremes(const char *what, const extremes e[TERMS])
{
    static const char *const words[TERMS] = {"angle", "rate", "acceleration", "inertial", "coupled", "weight"};
    printf("  %s:", what);
    for (int i = 0; i < TERMS; i++) printf(" %s %.4g..%.4g", words[i], e[i].low, e[i].high);
    printf("\n");
}

/// The figures name one number for both directions.
static double largest(extremes e)
{
    return fmax(e.high, -e.low);
}

TEST(planned_hips_have_the_peaks_of_figures_6_to_8)
{
    const ff_planar_plan wave = silva(FF_PLANAR_WAVE, 0.5), full = silva(FF_PLANAR_FULL_CYCLE, 0.35);
    extremes a[TERMS], b[TERMS];
    hip_extremes(&wave, a);
    hip_extremes(&full, b);
    print_extremes("wave 50 %", a);
    print_extremes("full cycle 35 %", b);
    CHECK_NEAR(a[ANGLE].low, 2.0, printed(2.0, 0.1));
    CHECK_NEAR(a[ANGLE].high, 46.3, printed(46.3, 0.1));
    CHECK_NEAR(a[SPEED].low, -1.8, printed(1.8, 0.1));
    CHECK_NEAR(a[SPEED].high, 4.5, printed(4.5, 0.1));
    CHECK_NEAR(largest(a[ANGULAR]), 48.0, printed(48.0, 1.0));
    CHECK_NEAR(largest(a[INERTIAL]), 21.5, printed(21.5, 0.1));
    CHECK_NEAR(largest(b[INERTIAL]), 12.1, printed(12.1, 0.1));
    CHECK_NEAR(largest(a[COUPLED]), 2.6, printed(2.6, 0.1));
    CHECK_NEAR(largest(b[COUPLED]), 1.2, printed(1.2, 0.1));
    CHECK_NEAR(a[WEIGHT].low, -1.6, printed(1.6, 0.1));
    CHECK_NEAR(a[WEIGHT].high, 5.1, printed(5.1, 0.1));
    CHECK_NEAR(b[WEIGHT].low, -0.8, printed(0.8, 0.1));
    CHECK_NEAR(b[WEIGHT].high, 4.9, printed(4.9, 0.1));
}

// Seen from 0.90 and 0.95 s the foot that lands at 1 s is 34.5 and 9.5 mm up.
TEST(a_landing_foot_is_at_the_planned_heights)
{
    const ff_planar_plan plan = silva(FF_PLANAR_WAVE, 0.5);
    CHECK_NEAR(1e3 * (ff_planar_foot_at(&plan, 0, 0.90).pos[1] + 0.9), 34.5, 0.05);
    CHECK_NEAR(1e3 * (ff_planar_foot_at(&plan, 0, 0.95).pos[1] + 0.9), 9.5, 0.05);
}

TEST(numbers_of_a_plan_out_of_range_are_reported)
{
    ff_error err = {0};
    ff_planar_plan plan = ff_planar_plan_default();
    CHECK(ff_planar_plan_check(&plan, &err) == FF_OK);
    plan.duty = 1.0;
    CHECK(ff_planar_plan_check(&plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "duty"));
    plan = ff_planar_plan_default();
    plan.legs = 5;
    CHECK(ff_planar_plan_check(&plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "5 legs"));
    plan = ff_planar_plan_default();
    plan.speed = NAN;
    CHECK(ff_planar_plan_check(&plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "speed"));
    plan = ff_planar_plan_default();
    plan.clearance = 1.0;
    CHECK(ff_planar_plan_check(&plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "clearance"));
}
