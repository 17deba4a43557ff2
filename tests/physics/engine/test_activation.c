// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Activations of actuators against closed forms: every method integrates them, their range holds, the ledger closes,
// runs resume bit-identically; and the curves of a muscle. MuJoCo is the referee of the same laws in
// tests/physics/dyn/test_actuator_referee.c.
#include <math.h>
#include <string.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

#define MASS 2.0

/// A block on a rail, driven by one actuator of that activation.
static ff_model *driven_block(ff_activation activation, double gain, double stiffness)
{
    ff_spec_joint *rail;
    ff_spec *spec = robot_slider(MASS, &rail);
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "valve", FF_ACTUATOR_GENERAL);
    a->joint = ff_spec_text(spec, "rail");
    a->gain = gain;
    a->bias[1] = -stiffness;
    a->activation = activation;
    ff_spec_key *key = ff_spec_add_key(spec, "pressed");
    static double u[] = {0.3}, act[] = {0.7};
    key->command = u;
    key->activation = act;
    key->ncommand = key->nactivation = 1;
    return robot_finish(spec);
}

static ff_sim *start(const ff_model *m, ff_method method, double step)
{
    ff_sim_options o = robot_options(method, step, 1e-10);
    o.actuators = o.ledger = true;
    return robot_sim(m, o);
}

static ff_actuator_id valve(ff_sim *sim)
{
    return ff_sim_find_actuator(sim, "valve");
}

/// a = u (1 - e^(-t/T)), m v' = gain a.
TEST(a_filter_is_exponential_with_every_method)
{
    const double T = 0.1, u = 0.8, gain = 5.0, t = 0.4;
    const double a = u * (1.0 - exp(-t / T)), v = gain * u / MASS * (t - T * (1.0 - exp(-t / T)));
    static const double tolerances[FF_METHOD_COUNT] = {
        [FF_METHOD_EULER] = 3e-3,      [FF_METHOD_RK2] = 1e-5,      [FF_METHOD_RK4] = 1e-10,
        [FF_METHOD_ADAPTIVE] = 1e-8,   [FF_METHOD_IMPLICIT] = 1e-5, [FF_METHOD_CVODE] = 1e-6,
        [FF_METHOD_CVODE_ADAMS] = 1e-6};
    ff_model *m = driven_block((ff_activation){FF_ACTIVATION_FILTER, .time = {T}}, gain, 0.0);
    CHECK_INT(m->nactivation, 1);
    for (int method = 0; method < FF_METHOD_COUNT; method++) {
        if (!ff_method_built((ff_method)method)) continue;
        ff_sim *sim = start(m, (ff_method)method, 1e-3);
        ff_sim_set_command(sim, valve(sim), u);
        must_run(sim, t);
        CHECK_NEAR(ff_sim_activation(sim, valve(sim)), a, tolerances[method]);
        CHECK_NEAR(ff_sim_v(sim)[0], v, tolerances[method]);
        const ff_ledger l = ff_sim_ledger(sim);
        CHECK_NEAR(l.work, 0.5 * MASS * v * v, 10.0 * tolerances[method]);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

/// a' = u up to the end of the range, where a stays; it leaves at once when u turns.
TEST(an_integrator_stays_within_its_range)
{
    const ff_activation to_half = {FF_ACTIVATION_INTEGRATOR, .limited = true, .range = {-0.1, 0.5}};
    ff_model *m = driven_block(to_half, 1.0, 0.0);
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ff_sim *sim = start(m, methods[k], 1e-3);
        ff_sim_set_command(sim, valve(sim), 2.0);
        must_run(sim, 0.2);
        CHECK_NEAR(ff_sim_activation(sim, valve(sim)), 0.4, 1e-9);
        must_run(sim, 1.0);
        CHECK_NEAR(ff_sim_activation(sim, valve(sim)), 0.5, 1e-12);
        CHECK_NEAR(ff_sim_v(sim)[0], (0.5 * 0.5 * 0.25 + 0.5 * 0.75) / MASS, 1e-3);
        ff_sim_set_command(sim, valve(sim), -1.0);
        must_run(sim, 1.2);
        CHECK_NEAR(ff_sim_activation(sim, valve(sim)), 0.3, 1e-9);
        must_run(sim, 2.0);
        CHECK_NEAR(ff_sim_activation(sim, valve(sim)), -0.1, 1e-12);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
}

/// A servo behind a filter so stiff that explicit steps of this length would diverge: k h^2 / m = 50.
TEST(implicit_steps_take_stiff_servos_behind_a_filter)
{
    ff_model *m = driven_block((ff_activation){FF_ACTIVATION_FILTER, .time = {0.01}}, 1e6, 1e6);
    ff_sim *sim = start(m, FF_METHOD_IMPLICIT, 0.01);
    ff_sim_set_command(sim, valve(sim), 0.2);
    ff_sim_set_activation(sim, valve(sim), 0.2);
    ff_sim_set_q(sim, 0, 0.2);
    must_run(sim, 0.5);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.2, 1e-9);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(activations_are_saved_restored_and_set_by_keyframes)
{
    ff_model *m = driven_block((ff_activation){FF_ACTIVATION_FILTER, .time = {0.2}}, 5.0, 3.0);
    ff_sim *sim = start(m, FF_METHOD_RK4, 1e-3);
    ff_sim_set_command(sim, valve(sim), 1.0);
    must_run(sim, 0.1);
    const size_t size = ff_sim_save_size(sim);
    void *saved = malloc(size);
    CHECK_INT(ff_sim_save(sim, saved, size, NULL), FF_OK);
    must_run(sim, 0.3);
    const double a = ff_sim_activation(sim, valve(sim)), q = ff_sim_q(sim)[0];
    CHECK_INT(ff_sim_restore(sim, saved, size, NULL), FF_OK);
    CHECK_NEAR(ff_sim_activation(sim, valve(sim)), 1.0 - exp(-0.5), 1e-9);
    must_run(sim, 0.3);
    CHECK(ff_sim_activation(sim, valve(sim)) == a && ff_sim_q(sim)[0] == q);
    free(saved);
    CHECK_INT(ff_sim_reset(sim, "pressed", NULL), FF_OK);
    CHECK(ff_sim_activation(sim, valve(sim)) == 0.7);
    CHECK_INT(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL), FF_OK);
    CHECK_NEAR(ff_sim_data(sim)->qacc[0], 5.0 * 0.7 / MASS, 1e-12);
    must_run(sim, 0.2);
    CHECK_NEAR(ff_sim_activation(sim, valve(sim)), 0.3 + 0.4 * exp(-1.0), 1e-9);
    CHECK_INT(ff_sim_reset(sim, NULL, NULL), FF_OK);
    CHECK(ff_sim_activation(sim, valve(sim)) == 0.0);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(an_actuator_without_activation_says_so)
{
    ff_error err = {0};
    ff_model *m = driven_block((ff_activation){0}, 1.0, 0.0);
    ff_sim *sim = start(m, FF_METHOD_RK4, 1e-3);
    ff_sim_set_activation(sim, valve(sim), 0.5);
    CHECK(ff_sim_run(sim, 0.1, &err) != FF_OK);
    CHECK_SAYS(err.text, "has no activation");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ muscles

/// L from 0.5 to 1.5 over q from -1 to 1, L0 = 2, peak 100 N.
static ff_model *muscle_block(double smooth)
{
    ff_spec_joint *rail;
    ff_spec *spec = robot_slider(MASS, &rail);
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "valve", FF_ACTUATOR_GENERAL);
    a->joint = ff_spec_text(spec, "rail");
    a->activation = (ff_activation){FF_ACTIVATION_MUSCLE, .time = {0.01, 0.04}, .smooth = smooth};
    a->active = (ff_muscle){true, {0.5, 1.5}, 100.0, 0.0, 0.5, 1.6, 1.5, 1.3, 1.2};
    a->passive = a->active;
    a->length_range[0] = -1.0;
    a->length_range[1] = 1.0;
    return robot_finish(spec);
}

static double force_at(ff_sim *sim, double q, double v, double a)
{
    ff_sim_set_q(sim, 0, q);
    ff_sim_set_v(sim, 0, v);
    ff_sim_set_activation(sim, valve(sim), a);
    CHECK_INT(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL), FF_OK);
    return MASS * ff_sim_data(sim)->qacc[0];
}

TEST(a_muscle_has_its_curves)
{
    ff_model *m = muscle_block(0.0);
    ff_sim *sim = start(m, FF_METHOD_RK4, 1e-3);
    CHECK_NEAR(force_at(sim, 0.0, 0.0, 0.6), -60.0, 1e-9);        // L = 1: peak times activation
    CHECK_NEAR(force_at(sim, -0.5, 0.0, 1.0), -50.0, 1e-9);       // L = 0.75, between lmin and 1: half
    CHECK_NEAR(force_at(sim, -1.1, 0.0, 1.0), 0.0, 1e-12);        // below lmin
    CHECK_NEAR(force_at(sim, 0.6, 0.0, 0.0), -65.0, 1e-9);        // L = 1.3, between 1 and lmax: half of fpmax
    CHECK_NEAR(force_at(sim, 0.6, 0.0, 1.0), -65.0 - 50.0, 1e-9); // and half of the peak
    CHECK_NEAR(force_at(sim, 1.2, 0.0, 1.0), -195.0, 1e-9);       // L = 1.6 = lmax: passive alone, 1.5 fpmax
    CHECK_NEAR(force_at(sim, 0.0, -3.0, 1.0), 0.0, 1e-12);        // shortens with vmax = 1.5 L0/s
    CHECK_NEAR(force_at(sim, 0.0, -1.5, 1.0), -25.0, 1e-9);       // with half of it: (1 - 1/2)^2
    CHECK_NEAR(force_at(sim, 0.0, 3.0, 1.0), -120.0, 1e-9);       // is drawn out fast: fvmax
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

/// Rate of the activation under a command, by a step so short that it is straight.
static double rate_of(double smooth, double a, double u)
{
    const double h = 1e-6;
    ff_model *m = muscle_block(smooth);
    ff_sim *sim = start(m, FF_METHOD_EULER, h);
    ff_sim_set_activation(sim, valve(sim), a);
    ff_sim_set_command(sim, valve(sim), u);
    must_run(sim, h);
    const double rate = (ff_sim_activation(sim, valve(sim)) - a) / h;
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return rate;
}

/// Time constants T_act (1/2 + 3/2 a) and T_deact / (1/2 + 3/2 a); smoothed, one becomes the other between u - a =
/// -w/2 and w/2 by 6 x^5 - 15 x^4 + 10 x^3, which is 0.896484375 at x = 3/4.
TEST(a_muscle_activates_faster_than_it_relaxes)
{
    CHECK_NEAR(rate_of(0.0, 0.5, 0.7), 0.2 / (0.01 * 1.25), 1e-6);
    CHECK_NEAR(rate_of(0.0, 0.5, 0.1), -0.4 / (0.04 / 1.25), 1e-6);
    CHECK_NEAR(rate_of(0.0, 0.5, 7.0), 0.5 / (0.01 * 1.25), 1e-6); // commands count from 0 to 1
    CHECK_NEAR(rate_of(0.2, 0.5, 0.7), 0.2 / (0.01 * 1.25), 1e-6);
    const double up = 0.01 * 1.25, down = 0.04 / 1.25;
    CHECK_NEAR(rate_of(0.8, 0.5, 0.7), 0.2 / (down + (up - down) * 0.896484375), 1e-6);
}
