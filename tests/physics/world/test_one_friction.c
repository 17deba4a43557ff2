// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One friction for all methods: a drop with slip, a block that a spring pulls to and fro, a ball that slides until it
// rolls. Every method tends to the motion that an integration of the equations of docs/contact.md finds, written out
// here for one direction, by the classic Runge-Kutta method with steps of 2 us; and its ledger to a balance.
#include "support/lab.h"

enum { STATES = 6 };

/// A body of 1 kg on a floor with stiffness K and Hunt-Crossley damping, and its motion.
typedef struct sled {
    double K, lambda, mu_s, mu_k, k, d;
    double spring;    // pulls it back along x  [N/m]
    double radius;    // of a ball that turns, 0: it does not turn
    double x[STATES]; // height over the floor, its rate, way, speed, spin, tangential spring
    bool sticks;
} sled;

static double load_of(const sled *s, const double *x)
{
    return x[0] < 0.0 ? fmax(0.0, -x[0] * (s->K - s->lambda * x[1])) : 0.0;
}

/// The point of contact lies midway between the two surfaces.
static double slip_of(const sled *s, const double *x)
{
    return s->radius > 0.0 ? x[3] - (s->radius + 0.5 * x[0]) * x[4] : x[3];
}

/// Friction against the slip, and the rate of its spring.
static double friction_of(const sled *s, const double *x, double *rate)
{
    const double slip = slip_of(s, x), w = s->k * x[5] + s->d * slip;
    const double limit = (s->sticks ? s->mu_s : s->mu_k) * load_of(s, x);
    *rate = slip;
    if (fabs(w) <= limit) return w;
    const double T = copysign(limit, w);
    *rate = (T - s->k * x[5]) / s->d;
    return T;
}

static void sled_rate(const sled *s, const double *x, double *dx)
{
    const double T = friction_of(s, x, &dx[5]);
    dx[0] = x[1];
    dx[1] = load_of(s, x) - 9.81;
    dx[2] = x[3];
    dx[3] = -T - s->spring * x[2];
    dx[4] = s->radius > 0.0 ? T * (s->radius + 0.5 * x[0]) / (0.4 * s->radius * s->radius) : 0.0;
    if (!(x[0] < 0.0)) dx[5] = -x[5] / 1e-5; // in the air nothing remembers
}

static void sled_mode(sled *s)
{
    const double *x = s->x, slip = slip_of(s, x), w = s->k * x[5] + s->d * slip, F = load_of(s, x);
    const double still = fmin(s->d * 1e-3, 0.5 * (s->mu_s - s->mu_k) * F);
    if (!(x[0] < 0.0))
        s->sticks = false, s->x[5] = 0.0;
    else if (s->sticks)
        s->sticks = !(fabs(w) > s->mu_s * F && w * slip > 0.0);
    else
        s->sticks = fabs(w) <= s->mu_k * F + still;
}

static void sled_run(sled *s, double time)
{
    const double h = 2e-6;
    for (double t = 0.0; t < time - 0.5 * h; t += h) {
        double a[STATES], b[STATES], c[STATES], d[STATES], x[STATES];
        sled_rate(s, s->x, a);
        for (int i = 0; i < STATES; i++) x[i] = s->x[i] + 0.5 * h * a[i];
        sled_rate(s, x, b);
        for (int i = 0; i < STATES; i++) x[i] = s->x[i] + 0.5 * h * b[i];
        sled_rate(s, x, c);
        for (int i = 0; i < STATES; i++) x[i] = s->x[i] + h * c[i];
        sled_rate(s, x, d);
        for (int i = 0; i < STATES; i++) s->x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        sled_mode(s);
    }
}

// ------------------------------------------------------------------------------------------ the same in a simulation

static lab lab_with(const sled *s, ff_method method, double step, double accuracy, double absolute)
{
    lab x = lab_open(method);
    if (step > 0.0) x.options.step = step;
    if (accuracy > 0.0) x.options.relative = accuracy;
    if (absolute > 0.0) x.options.absolute = absolute;
    if (method == FF_METHOD_IMPLICIT) x.options.accuracy = accuracy;
    x.options.ledger = true;
    ff_material *m = lab_material(&x, "it", s->K, s->lambda, s->mu_s);
    m->friction.mu_kinetic = s->mu_k;
    m->friction.stiffness = s->k;
    m->friction.damping = s->d > 1e-5 * s->k ? s->d : 0.0; // the least there is
    m->friction.stick_speed = 1e-3;
    const double radius = s->radius > 0.0 ? s->radius : 0.1, pos[3] = {0, 0, radius + s->x[0]};
    if (s->radius > 0.0)
        lab_ball(&x, "it", 1.0, radius, pos, "it");
    else
        lab_runner(&x, "it", 1.0, radius, pos, "it");
    if (s->radius == 0.0) x.spec->joints[0].stiffness = s->spring;
    lab_floor(&x, "rigid");
    lab_start(&x);
    if (s->radius == 0.0) ff_sim_set_q(x.sim, 0, s->x[2]);
    ff_sim_set_v(x.sim, 0, s->x[3]);
    return x;
}

/// Distance and speed at the end, heat of friction and the residual of the ledger.
typedef struct finding {
    double way, speed, heat, residual;
} finding;

static finding find(const sled *s, double time, ff_method method, double step, double accuracy)
{
    lab x = lab_with(s, method, step, accuracy, accuracy);
    lab_run(&x, time);
    const ff_ledger l = ff_sim_ledger(x.sim);
    const finding f = {lab_q(&x)[0], lab_v(&x)[0], l.lost_friction, l.residual};
    lab_close(&x);
    return f;
}

static double off(const finding *f, const sled *end)
{
    return fabs(f->way - end->x[2]) + fabs(f->speed - end->x[3]);
}

/// Each method at three steps, and at three accuracies. First order is what a method without located events can have:
/// the error at 25 us is at most a tenth of `rough`, what is allowed at 0.4 ms, and the residual of the ledger falls
/// likewise. @return the end of the reference
static sled converge(const sled *start, double time, double rough, double residual, double turned)
{
    static const ff_method fixed[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_IMPLICIT};
    static const double steps[] = {4e-4, 1e-4, 2.5e-5}, accuracies[] = {1e-6, 1e-8, 1e-10};
    sled end = *start;
    sled_run(&end, time);
    printf("  reference: way %.6f m, speed %.6f m/s\n", end.x[2], end.x[3]);
    for (size_t m = 0; m < sizeof fixed / sizeof *fixed; m++) {
        for (int k = 0; k < 3; k++) {
            const finding f = find(start, time, fixed[m], steps[k], 0.0);
            printf("  %-9s %7.1e s    off by %.1e, heat %.5f J, residual %9.1e J\n", ff_method_name(fixed[m]), steps[k],
                   off(&f, &end), f.heat, f.residual);
            CHECK_BELOW(off(&f, &end), rough * fmax(0.1, steps[k] / steps[0]));
            CHECK_BELOW(fabs(f.residual), residual * turned * fmax(0.1, steps[k] / steps[0]));
            CHECK(f.heat >= 0.0);
        }
    }
    static const ff_method controlled[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};
    for (size_t m = 0; m < sizeof controlled / sizeof *controlled; m++) {
        if (!ff_method_built(controlled[m])) continue;
        for (int k = 0; k < 3; k++) {
            const finding f = find(start, time, controlled[m], 0.0, accuracies[k]);
            printf("  %-9s %7.1e      off by %.1e, heat %.5f J, residual %9.1e J\n", ff_method_name(controlled[m]),
                   accuracies[k], off(&f, &end), f.heat, f.residual);
            // The reference is as good as its steps of 2 us, beside 10 us of a spring without a damper. Such a spring
            // rings on, and each bounce begins at another phase of it: an accuracy of 1e-6 ends 1.4 cm off, 1e-8 8 um.
            const double reference = start->d > 1.0 ? 1e-5 : 5e-5, magnified = start->d > 1.0 ? 1e2 : 2e4;
            const double losses = start->d > 1.0 ? 3e3 : 1e4; // heat is not under error control
            CHECK_BELOW(off(&f, &end), fmax(reference, magnified * accuracies[k]));
            CHECK_BELOW(fabs(f.residual), losses * accuracies[k] * turned);
        }
    }
    return end;
}

TEST(a_drop_with_slip_ends_at_one_place)
{
    // with different equations of friction adaptive ended at 1.05916 m and rk4 at 1.04620 m
    const sled s = {.K = 5e4, .lambda = 2e3, .mu_s = 0.3, .mu_k = 0.2, .k = 1e5, .d = 100, .x = {0.3, 0, 0, 2}};
    converge(&s, 2.0, 2e-2, 0.025, 5.0); // implicit loses energy where contacts begin and end
}

// A tangential spring without a damper relaxes at the limit within 10 us, or within the step.
TEST(a_drop_with_slip_ends_at_one_place_without_a_damper_too)
{
    const sled s = {.K = 5e4, .lambda = 2e3, .mu_s = 0.3, .mu_k = 0.2, .k = 1e5, .d = 1.0, .x = {0.3, 0, 0, 2}};
    converge(&s, 2.0, 0.1, 0.08, 5.0); // implicit needs half of it
}

/// The drop above without a damper: drops of another mass are those of 1 kg on softer or harder ground.
static sled drop_of(double mass, double mu_s, double mu_k, double height, double speed)
{
    return (sled){.K = 5e4 / mass,
                  .lambda = 2e3 / mass,
                  .mu_s = mu_s,
                  .mu_k = mu_k,
                  .k = 1e5 / mass,
                  .d = 1e-5 * (1e5 / mass),
                  .x = {height, 0, 0, speed}};
}

/// How far from the reference rk2 and rk4 end with so many steps from 80 to 125 us: mean, and any one of them.  [m]
static void check_spread(const sled *s, int steps, double mean_bound, double bound)
{
    static const ff_method methods[] = {FF_METHOD_RK2, FF_METHOD_RK4};
    sled end = *s;
    sled_run(&end, 2.0);
    for (int m = 0; m < 2; m++) {
        double mean = 0.0, most = 0.0;
        for (int i = 0; i < steps; i++) {
            const double error = find(s, 2.0, methods[m], 8e-5 + 4.5e-5 * i / (steps - 1), 0.0).way - end.x[2];
            mean += error / steps;
            most = fmax(most, fabs(error));
        }
        printf("  %s static %.2f, kinetic %.2f, from %.2f m: mean %+.1e m, at most %.1e m off\n",
               ff_method_name(methods[m]), s->mu_s, s->mu_k, s->x[0], mean, most);
        CHECK_BELOW(fabs(mean), mean_bound);
        CHECK_BELOW(most, bound);
    }
}

// Methods with stages move the spring beyond its limit and return it at the end of the step. With a spring that lags
// behind the load by a step, the body ends 2 to 6 mm farther.
TEST(steps_with_stages_return_a_spring_without_a_damper_to_its_limit)
{
    const sled drops[] = {drop_of(1.0, 0.2, 0.2, 0.3, 2.0), drop_of(0.8, 0.24, 0.24, 0.24, 2.0)};
    for (int i = 0; i < 2; i++) check_spread(&drops[i], 4, 1e-4, 1e-4);
}

// Where a foot breaks away, friction jumps from static to kinetic. The part of the step before this jump is random, and
// moves the end to and fro; the mean over steps is that of the law.
TEST(steps_with_stages_break_away_within_a_step)
{
    const sled drop = drop_of(1.0, 0.3, 0.2, 0.3, 2.0);
    check_spread(&drop, 10, 1e-4, 4e-4);
}

// The body slides from touch-down to lift-off: friction is the kinetic coefficient times the load. If a step tests
// whether a spring slides after the spring was returned to its limit, it finds sticking at 1.3 m/s, with the static
// coefficient: 1.5 times the friction in steps of 1 ms, and an end 34 cm short.
TEST(what_slides_in_an_implicit_step_has_the_kinetic_coefficient)
{
    const double dampers[] = {1.0, 3.0, 10.0, 100.0}, lifted = 0.2634; // [s]
    for (int i = 0; i < 4; i++) {
        sled s = drop_of(1.0, 0.3, 0.2, 0.3, 2.0);
        s.d = dampers[i];
        sled end = s;
        sled_run(&end, 2.0);
        for (int k = 12; k > 2; k--) {
            const double h = 1e-4 * k;
            lab x = lab_with(&s, FF_METHOD_IMPLICIT, h, 0.0, 0.0);
            lab_run(&x, lifted);
            const double *v = lab_v(&x), ratio = (2.0 - v[0]) / (v[2] + 9.81 * lifted);
            lab_run(&x, 2.0);
            const double off = lab_q(&x)[0] - end.x[2];
            printf("  %5.1f N s/m, %.1f ms: %.4f of the load, ends %+.4f m off\n", s.d, 1e3 * h, ratio, off);
            CHECK_BELOW(ratio, 0.2 * 1.005);
            CHECK_BELOW(0.2 * (1.0 - 100.0 * h), ratio); // springs are slack to the end of the step of the touch
            CHECK_BELOW(fabs(off), 100.0 * h);           // [m]
            lab_close(&x);
        }
    }
}

// Nothing but friction takes energy from the way along x: heat and what the spring holds are what the speed has lost.
TEST(a_spring_that_returns_takes_no_heat_back)
{
    static const ff_method methods[] = {FF_METHOD_RK2, FF_METHOD_RK4};
    const double h = 1e-4, dampers[] = {1.0, 10.0, 100.0};
    for (int i = 0; i < 6; i++) {
        sled s = drop_of(1.0, 0.3, 0.2, 0.3, 2.0);
        s.d = dampers[i / 2];
        lab x = lab_with(&s, methods[i % 2], h, 0.0, 0.0);
        double heat = 0.0, missed = 0.0;
        for (int step = 1; step <= 10000; step++) {
            lab_run(&x, h * step);
            const double lost = ff_sim_ledger(x.sim).lost_friction, v = lab_v(&x)[0];
            CHECK(lost >= heat);
            heat = lost;
            int count = 0;
            double held = 0.0;
            const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
            for (int k = 0; k < count; k++) held += c[k].force.elastic_friction;
            missed = fmax(missed, fabs(2.0 - 0.5 * v * v - held - heat));
        }
        printf("  %s, %g N s/m: heat %.5f J, at most %.1e J missed\n", ff_method_name(methods[i % 2]), s.d, heat,
               missed);
        CHECK_BELOW(missed, 1e-4); // [J] a touch-down: what its spring holds is counted one step late
        lab_close(&x);
    }
}

/// Energy of 2 m/s along x that is neither motion nor heat nor held by a spring in the end.  [J]
static double missed_along(const sled *s, double step, double accuracy)
{
    lab x = lab_with(s, FF_METHOD_IMPLICIT, step, accuracy, 0.0);
    lab_run(&x, 1.9);
    int count = 0;
    const double v = lab_v(&x)[0];
    double left = 2.0 - 0.5 * v * v - ff_sim_ledger(x.sim).lost_friction;
    const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
    for (int k = 0; k < count; k++) left -= c[k].force.elastic_friction;
    lab_close(&x);
    return fabs(left);
}

// The same in implicit steps, also with springs that take several of them to find their place at the limit: of the
// powers at the ends of steps alone, 2 % were missed at 1 ms, and without a damper more at 1e-6 than at 1e-3.
TEST(an_implicit_step_takes_heat_from_work_and_springs)
{
    const double steps[] = {1e-3, 4e-4, 1e-4}, accuracies[] = {1e-3, 1e-4, 1e-5, 1e-6}, dampers[] = {1.0, 100.0, 400.0};
    for (int i = 0; i < 3; i++) {
        sled s = drop_of(1.0, 0.3, 0.2, 0.3, 2.0);
        s.d = dampers[i];
        for (int k = 0; k < 3; k++) {
            const double missed = missed_along(&s, steps[k], 0.0);
            printf("  %g N s/m, %.1e s: %.1e J missed\n", s.d, steps[k], missed);
            CHECK_BELOW(missed, 2.0 * 5.0 * steps[k]); // half a percent at 1 ms, and first order
        }
        for (int k = 0; k < 4; k++) {
            const double missed = missed_along(&s, 0.0, accuracies[k]);
            printf("  %g N s/m, accuracy %.0e: %.1e J missed\n", s.d, accuracies[k], missed);
            CHECK_BELOW(missed, 2.0 * 5e-4 * sqrt(accuracies[k] / 1e-3)); // its steps go with the root
        }
    }
}

TEST(a_block_pulled_to_and_fro_stops_at_one_place)
{
    // 400 N/m from 0.1 m with mu 0.2: each half swing is shorter by 2 mu m g / k = 9.81 mm; it sticks within the dead
    // zone
    sled s = {.K = 5e4,
              .lambda = 5e4,
              .mu_s = 0.3,
              .mu_k = 0.2,
              .k = 1e5,
              .d = 100,
              .spring = 400,
              .x = {-9.81 / 5e4, 0, 0.1}};
    const sled end = converge(&s, 2.0, 2e-5, 2e-4, 2.0);
    CHECK_BELOW(fabs(end.x[2]), 0.3 * 9.81 / 400.0); // [m] the reference itself: it rests where friction holds it
    CHECK_NEAR(end.x[3], 0.0, 1e-6);
    CHECK(end.sticks);
}

TEST(a_sliding_ball_comes_to_roll_at_five_sevenths)
{
    // angular momentum about the point of contact, half a depth below the surface: v = v0 / (1 + 0.4 (r / arm)^2)
    const double arm = 0.1 - 0.5 * 9.81 / 5e4, rolling = 2.0 / (1.0 + 0.4 * 0.01 / (arm * arm));
    const sled s = {.K = 5e4,
                    .lambda = 5e4,
                    .mu_s = 0.3,
                    .mu_k = 0.2,
                    .k = 1e5,
                    .d = 100,
                    .radius = 0.1,
                    .x = {-9.81 / 5e4, 0, 0, 2}};
    converge(&s, 1.0, 1e-3, 2e-3, 2.0);
    for (ff_method m = FF_METHOD_EULER; m <= FF_METHOD_IMPLICIT; m++) {
        const finding f = find(&s, 1.0, m, 1e-4, m == FF_METHOD_ADAPTIVE ? 1e-8 : 0.0);
        CHECK_NEAR(f.speed, rolling, 2e-5);
        CHECK_NEAR(f.heat, 2.0 / 7.0 * 2.0, 0.01 * 4.0 / 7.0); // [J] m v^2 / 7
    }
}

// One weight of the fifth-order rule is below zero: with an accuracy as loose as this a sum of losses could be, too.
TEST(what_is_lost_stays_lost_at_any_accuracy)
{
    const sled s = {.K = 5e4, .lambda = 2e3, .mu_s = 0.3, .mu_k = 0.2, .k = 1e5, .d = 100, .x = {0.3, 0, 0, 2}};
    for (double accuracy = 0.1; accuracy > 1e-4; accuracy *= 0.3) {
        lab x = lab_with(&s, FF_METHOD_ADAPTIVE, 0.0, accuracy, 1e-3 * accuracy); // as in scenes
        double friction = 0.0, normal = 0.0;
        for (double t = 0.05; t < 2.0; t += 0.05) { // long enough for long steps
            lab_run(&x, t);
            const ff_ledger l = ff_sim_ledger(x.sim);
            CHECK(l.lost_friction >= friction && l.lost_normal >= normal);
            friction = l.lost_friction;
            normal = l.lost_normal;
        }
        lab_close(&x);
    }
}
