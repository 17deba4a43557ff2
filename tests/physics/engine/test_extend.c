// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What it takes to add a kind of part and an integration method: each is written here as it would be in a file of its
// own, and proven.
#include <math.h>

#include "check.h"
#include "engine/system.h"
#include "support/must_run.h"
#include "support/robots.h"

// ------------------------------------------------------------------------------------------ a part: a buffer at the
// end of a rail

typedef struct buffer {
    double place, stiffness; // where the spring begins  [m], [N/m]
    struct {
        bool pressed;
    } now; // mode, which changes between steps only
} buffer;

static double depth(const buffer *b, const ff_data *d)
{
    return d->q[0] - b->place;
}

static void derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const buffer *b = context;
    (void)t, (void)m, (void)z, (void)zdot;
    if (b->now.pressed) d->tau[0] -= b->stiffness * depth(b, d);
}

static double energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const buffer *b = context;
    (void)t, (void)m, (void)z;
    return b->now.pressed ? 0.5 * b->stiffness * depth(b, d) * depth(b, d) : 0.0;
}

static bool accept(void *context, ff_sim *sim, ff_accept_reason reason)
{
    buffer *b = context;
    const bool before = b->now.pressed;
    if (reason == FF_ACCEPT_WRITTEN || !sim->method->traits.locates) b->now.pressed = depth(b, sim->data) > 0.0;
    return b->now.pressed != before;
}

static void event_values(void *context, ff_data *d, const double *z, double *values)
{
    (void)z;
    values[0] = depth(context, d);
}

static bool event(void *context, ff_sim *sim, int number, int direction)
{
    (void)sim, (void)number;
    ((buffer *)context)->now.pressed = direction > 0;
    return true;
}

static void event_signs(const void *context, int *signs)
{
    signs[0] = ((const buffer *)context)->now.pressed ? 1 : -1;
}

static int add_buffer(ff_sim *sim, buffer *b)
{
    const ff_part_memory memory = {&b->now, sizeof b->now};
    const ff_part part = {.name = "buffer",
                          .context = b,
                          .derivative = derivative,
                          .energy = energy,
                          .accept = accept,
                          .nevent = 1,
                          .event_values = event_values,
                          .event_signs = event_signs,
                          .event = event,
                          .memory = &memory,
                          .nmemory = 1};
    return ff_sim_add_part(sim, &part, NULL);
}

/// A block of 1 kg runs at 2 m/s from 0 to the buffer at 0.5 m.
static ff_sim *run_up(ff_model **m, buffer *b, ff_method method)
{
    ff_spec_joint *joint;
    ff_sim_options o = robot_options(method, 1e-4, 1e-12);
    o.ledger = true;
    *m = robot_finish(robot_slider(1.0, &joint));
    *b = (buffer){.place = 0.5, .stiffness = 400.0};
    ff_sim *sim = robot_sim(*m, o);
    ff_sim_set_v(sim, 0, 2.0);
    CHECK(add_buffer(sim, b) >= 0);
    return sim;
}

// Half a period of the spring later, pi / sqrt(k / m), the block leaves with its speed; methods that locate events find
// both ends exactly.
TEST(a_new_part_bounces_by_its_closed_form)
{
    const struct {
        ff_method method;
        double near; // [m]: one step's way at each end where events are not located
    } all[] = {{FF_METHOD_ADAPTIVE, 1e-10}, {FF_METHOD_RK4, 4e-4}, {FF_METHOD_IMPLICIT, 4e-4}, {FF_METHOD_EULER, 4e-4}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        ff_model *m;
        buffer b;
        ff_sim *sim = run_up(&m, &b, all[k].method);
        must_run(sim, 1.0);
        const double left = 0.25 + FF_PI / sqrt(400.0);
        CHECK_NEAR(ff_sim_q(sim)[0], 0.5 - 2.0 * (1.0 - left), all[k].near);
        CHECK_BELOW(fabs(ff_sim_ledger(sim).residual), all[k].method == FF_METHOD_ADAPTIVE ? 1e-9 : 2e-3); // [J] of 2
        if (all[k].method == FF_METHOD_ADAPTIVE) CHECK_INT(ff_sim_get_counts(sim).events, 2);
        ff_sim_destroy(sim);
        ff_model_destroy(m);
    }
}

TEST(a_new_part_is_saved_with_its_mode)
{
    ff_model *m, *other;
    buffer a, b;
    ff_sim *whole = run_up(&m, &a, FF_METHOD_ADAPTIVE), *half = run_up(&other, &b, FF_METHOD_ADAPTIVE);
    must_run(whole, 0.3); // pressed
    const size_t size = ff_sim_save_size(whole);
    void *bytes = malloc(size);
    CHECK_INT(ff_sim_save(whole, bytes, size, NULL), FF_OK);
    CHECK_INT(ff_sim_restore(half, bytes, size, NULL), FF_OK);
    CHECK(b.now.pressed);
    must_run(whole, 1.0);
    must_run(half, 1.0);
    CHECK(ff_sim_hash(whole) == ff_sim_hash(half));
    free(bytes);
    ff_sim_destroy(whole);
    ff_sim_destroy(half);
    ff_model_destroy(m);
    ff_model_destroy(other);
}

// ------------------------------------------------------------------------------------------ a method: Heun's

/// x1 = x + h/2 (f(t, x) + f(t + h, x + h f(t, x))), order 2.
static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    const ff_ticks length = ff_step_fixed(sim, step);
    const ff_ode *ode = &sim->ode;
    double *const *k = sim->integrator.k, *x = sim->x, *trial = sim->integrator.trial;
    if (!ode->derivative(sim, 0.0, x, k[0])) return ff_sim_derivative_failed(sim, err);
    for (int i = 0; i < ode->n; i++) trial[i] = x[i] + step->h * k[0][i];
    if (!ode->derivative(sim, step->h, trial, k[1])) return ff_sim_derivative_failed(sim, err);
    for (int i = 0; i < ode->n; i++) x[i] += 0.5 * step->h * (k[0][i] + k[1][i]);
    ode->normalise(sim, x);
    step->ticks = sim->ticks + length;
    return FF_OK;
}

static const ff_method_ops heun = {.built = true, .traits = {.fixed = true}, .step = make_step};

static double swing(const ff_model *m, const ff_method_ops *method, double step)
{
    ff_sim *sim = robot_sim(m, robot_options(method ? FF_METHOD_RK4 : FF_METHOD_ADAPTIVE, step, 1e-13));
    if (method) sim->method = method; // as a line of methods.c would
    ff_sim_set_q(sim, 0, 1.0);
    must_run(sim, 1.0);
    const double q = ff_sim_q(sim)[0];
    ff_sim_destroy(sim);
    return q;
}

TEST(a_new_method_has_its_order)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.0);
    const double exact = swing(m, NULL, 0.0);
    const double coarse = fabs(swing(m, &heun, 1e-3) - exact), fine = fabs(swing(m, &heun, 5e-4) - exact);
    printf("  errors %.2e and %.2e, order %.3f\n", coarse, fine, log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.02);
    ff_model_destroy(m);
}
