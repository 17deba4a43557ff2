// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Current loops that run ahead of the mechanics: against an independent integration of winding, loops and inertia in
// steps of a microsecond, and against the simulation in which each sample ends a step; ledger, saving, all methods.
#include "support/arm.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ one drive by itself

// LOLA's hip: a flywheel of 0.1 kg m^2 about a vertical axis behind a gear of 100.
#define HIP                                                                                                            \
    "footfall: 1\n"                                                                                                    \
    "name: hip\n"                                                                                                      \
    "bodies:\n"                                                                                                        \
    "  wheel:\n"                                                                                                       \
    "    joint: {name: hip, axis: z, drive: {kind: dc, gear: 100, rotor: 0.64e-4,\n"                                   \
    "      motor: {resistance: 1, inductance: 1e-3, constant: 0.159, voltage: 80, current: 16.48,\n"                   \
    "        viscous: 2e-4, dry: 0.05, dry_speed: 1},\n"                                                               \
    "      loop: {kind: cascade, rate: 10000, current_rate: 20000, kx: 60, speed_bandwidth: 100,\n"                    \
    "        current_bandwidth: 1000, most_speed: 8.4, current_slope: 16480}}}\n"                                      \
    "    inertial: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"

enum { INSTANTS = 60 };
static const double EVERY = 1e-3; // [s]

typedef struct trace {
    double angle[INSTANTS], speed[INSTANTS]; // at the end of each millisecond
    double electrical, copper;               // [J]
} trace;

/// State of the wheel, written independently: angle, speed, current, and what the loops keep.
typedef struct wheel {
    double x, w, i, electrical, copper;
    double wanted_speed, wanted_current, speed_sum, current_sum, voltage;
} wheel;

static double within(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/// Position and velocity loop, docs/drives.md: integrals are led back by what a clamp takes, and wait while the slope
/// of the current does.
static void sample_speed(wheel *s, double target)
{
    const double period = 1e-4, w_v = 2.0 * FF_PI * 100.0, kv = w_v * 0.64e-4 * 100.0 / 0.159, ki = 0.1 * w_v * kv;
    s->wanted_speed = within(60.0 * (target - s->x), 8.4);
    const double error = s->wanted_speed - s->w, asked = kv * error + s->speed_sum + ki * period * error;
    const double clamped = within(asked, 16.48), change = within(clamped - s->wanted_current, 16480.0 * period);
    if (s->wanted_current + change == clamped)
        s->speed_sum += ki * period * error + fmin(1.0, period * ki / kv) * (clamped - asked);
    s->wanted_current += change;
}

static void sample_current(wheel *s)
{
    const double period = 5e-5, kp = 2.0 * FF_PI * 1000.0 * 1e-3, ki = 2.0 * FF_PI * 1000.0 * 1.0;
    const double error = s->wanted_current - s->i;
    const double asked = kp * error + s->current_sum + ki * period * error + 0.159 * 100.0 * s->w;
    s->voltage = within(asked, 80.0);
    s->current_sum += ki * period * error + fmin(1.0, period * ki / kp) * (s->voltage - asked);
}

/// Midpoint rule.
static void move(wheel *s, double h)
{
    double x = s->x, w = s->w, i = s->i;
    for (int stage = 0; stage < 2; stage++) {
        const double motor = 100.0 * w, step = stage ? h : 0.5 * h;
        const double friction = 2e-4 * motor + 0.05 * motor / sqrt(motor * motor + 1.0);
        const double di = (s->voltage - i - 0.159 * motor) / 1e-3, dw = 100.0 * (0.159 * i - friction) / 0.74;
        const double power = s->voltage * i, heat = i * i, v = w;
        x = s->x + step * v;
        w = s->w + step * dw;
        i = s->i + step * di;
        if (!stage) continue;
        s->electrical += h * power;
        s->copper += h * heat;
    }
    s->x = x;
    s->w = w;
    s->i = i;
}

static trace integrate(double target)
{
    trace out;
    wheel s = {0};
    for (int us = 0, n = 0; n < INSTANTS; us++) {
        if (us > 0 && us % 1000 == 0) {
            out.angle[n] = s.x;
            out.speed[n++] = s.w;
        }
        if (us % 100 == 0) sample_speed(&s, target);
        if (us % 50 == 0) sample_current(&s);
        move(&s, 1e-6);
    }
    out.electrical = s.electrical;
    out.copper = s.copper;
    return out;
}

static arm make(const char *text, ff_method method, double step, double span)
{
    ff_sim_options options = with(method, step);
    ff_drive_options o = ff_drive_options_default();
    o.loop_span = span;
    return start_with(text, &o, &options);
}

static trace simulate(ff_method method, double step, double span, double target)
{
    trace out;
    arm a = make(HIP, method, step, span);
    const ff_drive_id hip = ff_sim_find_drive(a.sim, "hip");
    ff_sim_drive_command(a.sim, hip, target, 0.0, 0.0);
    for (int n = 0; n < INSTANTS; n++) {
        run(&a, (n + 1) * EVERY);
        out.angle[n] = ff_sim_q(a.sim)[0];
        out.speed[n] = ff_sim_v(a.sim)[0];
    }
    out.electrical = ff_sim_drive_memory(a.sim, hip)->electrical;
    out.copper = ff_sim_drive_memory(a.sim, hip)->copper;
    return out;
}

/// Greatest difference of the speeds  [rad/s].
static double apart(const trace *a, const trace *b)
{
    double most = 0.0;
    for (int n = 0; n < INSTANTS; n++) most = fmax(most, fabs(a->speed[n] - b->speed[n]));
    return most;
}

// A step of 0.2 rad: slope of the current, then its clamp, then the loops bring it home at up to 4 rad/s. Each sample a
// step agrees to what the midpoint rule leaves; spans are off by what the motion departs from constant acceleration.
TEST(a_drive_by_itself_follows_an_independent_integration)
{
    static const double spans[] = {1e-4, 2.5e-4, 5e-4, 1e-3};
    const trace exact = integrate(0.2), samples = simulate(FF_METHOD_RK4, 5e-5, 0.0, 0.2);
    CHECK_BELOW(apart(&samples, &exact), 1e-4);
    for (int k = 0; k < 4; k++) {
        const trace ahead = simulate(FF_METHOD_RK4, spans[k], spans[k], 0.2);
        const double error = apart(&ahead, &exact);
        printf("  span %g ms: speed off by %.2g of %.2g rad/s, energy %.4f of %.4f J, heat %.4f of %.4f J\n",
               1e3 * spans[k], error, 4.0, ahead.electrical, exact.electrical, ahead.copper, exact.copper);
        CHECK_BELOW(error, 5e4 * spans[k] * spans[k]); // second order: jerk times span^2 / 12, a jerk of 5e5 rad/s^3
        CHECK_NEAR(ahead.electrical, exact.electrical, 8.0 * spans[k] * exact.electrical);
        CHECK_NEAR(ahead.copper, exact.copper, 8.0 * spans[k] * exact.copper);
    }
}

// ------------------------------------------------------------------------------------------ all methods, all drives

// The arm: winding and loops at 10 and 20 kHz behind rigid, elastic and loose gears; field-oriented control at 28 kHz,
// and a lag of 1500 Hz in its place.
#define MOTOR                                                                                                          \
    "kind: dc, gear: 50, rotor: 2e-5, motor: {resistance: 0.5, inductance: 5e-4, constant: 0.1, voltage: 40, "         \
    "current: 20, viscous: 1e-5}, loop: {kind: cascade, rate: 10000, current_rate: 20000, kx: 30, "                    \
    "speed_bandwidth: 50, current_bandwidth: 1000, encoder: 8192}"
#define SPRING "transmission: {kind: flexible, stiffness: 3000, damping: 3}"
#define GAP    "transmission: {kind: backlash, stiffness: 3000, damping: 3, gap: 0.002, inertia: 0.01}"
#define THREE_PHASES                                                                                                   \
    "{kind: pmsm, gear: 100, rotor: 5e-6, motor: {resistance: 0.5, inductance: 2e-4, constant: 0.03, voltage: 56, "    \
    "current: 10, pairs: 2, align_time: 0, viscous: 1e-6}, loop: {kind: cascade, rate: 1000, speed_rate: 1000, "       \
    "kx: 30, kiv: 0, speed_bandwidth: 60}}"

#define LAGGING                                                                                                        \
    "{kind: lag, gear: 100, rotor: 5e-6, motor: {resistance: 0.75, constant: 0.03, current: 10, viscous: 1e-6}, "      \
    "loop: "                                                                                                           \
    "{kind: cascade, rate: 1000, speed_rate: 1000, kx: 30, kiv: 0, speed_bandwidth: 60}}"

static const struct {
    const char *name, *shoulder, *elbow;
} ARMS[] = {{"rigid", "{" MOTOR "}", "{" MOTOR "}"},
            {"elastic and loose", "{" MOTOR ", " SPRING "}", "{" MOTOR ", " GAP "}"},
            {"three phases", THREE_PHASES, THREE_PHASES},
            {"lag", LAGGING, LAGGING}};
enum { KINDS = sizeof ARMS / sizeof *ARMS };

static arm make_arm(int kind, ff_method method, double step, double span)
{
    char text[4000];
    snprintf(text, sizeof text, ARM, ARMS[kind].shoulder, ARMS[kind].elbow, "");
    arm a = make(text, method, step, span);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.3, 0.0, 0.0);
    ff_sim_drive_command(a.sim, (ff_drive_id){1}, -0.2, 0.0, 0.0);
    return a;
}

// 0.3 rad and -0.2 rad away within 0.2 s, under gravity.
TEST(arms_move_as_with_every_sample_and_the_ledger_closes)
{
    static const struct {
        const char *name;
        ff_method method;
        double step, balance;                                // residual by the energy the motors took
    } methods[] = {{"euler", FF_METHOD_EULER, 2.5e-4, 0.05}, // of first order
                   {"rk4", FF_METHOD_RK4, 2.5e-4, 2e-3},     // impacts of gears are found after the step
                   {"adaptive", FF_METHOD_ADAPTIVE, 1e-3, 1e-6},
                   {"implicit", FF_METHOD_IMPLICIT, 2.5e-4, 0.01}};
    for (int kind = 0; kind < KINDS; kind++) {
        arm exact = make_arm(kind, FF_METHOD_RK4, 1.0 / 56000.0, 0.0);
        run(&exact, 0.2);
        const double taken = ff_sim_drive_memory(exact.sim, (ff_drive_id){0})->electrical;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            arm a = make_arm(kind, methods[k].method, methods[k].step, 2.5e-4);
            run(&a, 0.2);
            const double residual = ff_sim_ledger(a.sim).residual,
                         energy = ff_sim_drive_memory(a.sim, (ff_drive_id){0})->electrical;
            const double off = fmax(fabs(ff_sim_q(a.sim)[0] - ff_sim_q(exact.sim)[0]),
                                    fabs(ff_sim_q(a.sim)[1] - ff_sim_q(exact.sim)[1]));
            printf("  %s, %s: off by %.2g rad, energy %.4f of %.4f J, balance lacks %.2g J\n", ARMS[kind].name,
                   methods[k].name, off, energy, taken, residual);
            CHECK_BELOW(off, 1e-3); // of 0.3 rad
            CHECK_NEAR(energy, taken, (0.01 + methods[k].balance) * taken);
            CHECK_BELOW(fabs(residual), methods[k].balance * taken);
        }
    }
}

// Saved within a span, where the loops are ahead of the motion, and continued in another simulation.
TEST(a_run_saved_within_a_span_goes_on_with_the_same_bits)
{
    for (int kind = 0; kind < KINDS; kind++) {
        arm a = make_arm(kind, FF_METHOD_RK4, 1e-4, 1e-3), b = make_arm(kind, FF_METHOD_RK4, 1e-4, 1e-3);
        run(&a, 0.0234);
        must_copy_state(a.sim, b.sim);
        run(&a, 0.08);
        run(&b, 0.08);
        for (int i = 0; i < a.model->nv; i++) {
            CHECK_NEAR(ff_sim_q(a.sim)[i], ff_sim_q(b.sim)[i], 0.0);
            CHECK_NEAR(ff_sim_v(a.sim)[i], ff_sim_v(b.sim)[i], 0.0);
            const ff_drive_memory *m = ff_sim_drive_memory(a.sim, (ff_drive_id){i}),
                                  *n = ff_sim_drive_memory(b.sim, (ff_drive_id){i});
            CHECK(memcmp(&m->ahead, &n->ahead, sizeof m->ahead) == 0);
            CHECK_NEAR(m->electrical, n->electrical, 0.0);
        }
    }
}

// Samples that fall onto no end of a span are taken where they fall: 0.7 ms are 14 samples of the winding, 0.33 ms are
// not a whole number.
TEST(spans_need_not_be_multiples_of_the_periods)
{
    arm exact = make_arm(0, FF_METHOD_RK4, 5e-5, 0.0), even = make_arm(0, FF_METHOD_RK4, 1e-4, 3e-4),
        odd = make_arm(0, FF_METHOD_RK4, 1.1e-4, 3.3e-4);
    run(&exact, 0.1);
    run(&even, 0.1);
    run(&odd, 0.1);
    CHECK_NEAR(ff_sim_q(even.sim)[0], ff_sim_q(exact.sim)[0], 1e-3);
    CHECK_NEAR(ff_sim_q(odd.sim)[0], ff_sim_q(exact.sim)[0], 1e-3);
}

// A loop that samples no faster than a span stays a task: results are bit-identical.
TEST(slow_loops_do_not_run_ahead)
{
    arm a = make_arm(0, FF_METHOD_RK4, 5e-5, 0.0), b = make_arm(0, FF_METHOD_RK4, 5e-5, 5e-5);
    CHECK_NEAR(b.set->drives[0].span, 0.0, 0.0);
    run(&a, 0.05);
    run(&b, 0.05);
    CHECK_NEAR(ff_sim_q(a.sim)[0], ff_sim_q(b.sim)[0], 0.0);
}

// Switched off, the winding loses its current in its time constant of 1 ms, and the rotor turns on.
TEST(a_drive_that_is_off_gives_nothing)
{
    arm a = make_arm(0, FF_METHOD_RK4, 2.5e-4, 2.5e-4);
    run(&a, 0.05);
    ff_sim_switch_drive(a.sim, (ff_drive_id){0}, false);
    run(&a, 0.1);
    CHECK_NEAR(ff_sim_drive_flow(a.sim, (ff_drive_id){0}).current, 0.0, 1e-12);
}
