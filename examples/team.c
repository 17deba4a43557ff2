// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How does the period of a pendulum grow with its swing? One question, sixty-four simulations, all processors at work.
// Let go at the angle a, a mass on a rod of length l is back after
//     T = 2 pi sqrt(l / g) / agm(1, cos(a / 2))         agm: arithmetic-geometric mean (C. F. Gauss)
// Simulations are made when a thread is free for them and handed back when they are done; they share one model.
#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>

enum { SWINGS = 64 };
static const double length = 0.5, gravity = 9.81; // [m], [m/s^2]

typedef struct sweep {
    const ff_model *pendulum;
    double half[SWINGS]; // half periods; each is written by the thread that runs it  [s]
} sweep;

static double angle_of(int index)
{
    return 3.0 * (index + 1) / SWINGS; // up to 3 rad, almost upright
}

static double speed(void *context, double t, const ff_model *m, ff_data *d, const double *x)
{
    (void)context, (void)t, (void)m, (void)x;
    return d->v[0];
}

static ff_sim_action note_time(void *context, ff_sim *sim, double crossing)
{
    (void)sim;
    *(double *)context = crossing;
    return FF_SIM_STOP;
}

static ff_sim *begin(void *context, int index, ff_error *err)
{
    sweep *all = context;
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_ADAPTIVE;
    options.relative = options.absolute = 1e-11;
    ff_sim *sim = ff_sim_create(all->pendulum, &options, err);
    if (!sim) return NULL;
    ff_sim_set_q(sim, 0, angle_of(index));
    const ff_event turning = {
        .name = "turning point", .direction = 1, .context = &all->half[index], .value = speed, .handle = note_time};
    if (ff_sim_add_event(sim, &turning, err) >= 0) return sim;
    ff_sim_destroy(sim);
    return NULL;
}

static void end(void *context, int index, ff_sim *sim, ff_status status, const ff_error *err)
{
    (void)context, (void)index, (void)status, (void)err; // what is wanted was noted by the event
    ff_sim_destroy(sim);
}

static ff_model *make_pendulum(ff_report *report)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *bob = ff_spec_add_body(spec, "bob", -1);
    bob->has_inertial = true;
    bob->mass = 2.0; // [kg]
    bob->com[2] = -length;
    ff_spec_joint *pivot = ff_spec_add_joint(spec, "pivot", 0, FF_JOINT_HINGE);
    ff_vec3_set(pivot->axis, 0, 1, 0);
    ff_model *model = ff_model_compile(spec, NULL, report);
    ff_spec_destroy(spec);
    return model;
}

static double agm(double a, double b)
{
    while (fabs(a - b) > 1e-15 * a) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

int main(void)
{
    ff_report report = {0};
    ff_error err = {0};
    sweep all = {.pendulum = make_pendulum(&report)};
    if (!all.pendulum) return fprintf(stderr, "%s\n", report.messages[0].text), 1;

    const ff_team_maker maker = {&all, begin, end};
    ff_status each[SWINGS];
    if (ff_team_make(&maker, SWINGS, 20.0, 0, each, &err)) fprintf(stderr, "%s\n", err.text);

    double worst = 0;
    printf("angle [rad]   period [s]\n");
    for (int i = 0; i < SWINGS; i++) {
        double expected = 2.0 * FF_PI * sqrt(length / gravity) / agm(1.0, cos(0.5 * angle_of(i)));
        if (i % 8 == 7) printf("%11.3f %12.6f\n", angle_of(i), 2.0 * all.half[i]);
        worst = fmax(worst, each[i] == FF_STOPPED ? fabs(2.0 * all.half[i] - expected) : INFINITY);
    }
    printf("farthest from Gauss: %.1e s, on %d threads\n", worst, ff_team_processors());
    ff_model_destroy((ff_model *)all.pendulum);
    ff_report_clear(&report);
    return worst < 1e-8 ? 0 : 1; // [s] a thousand times the tolerance of the integrator: the slowest swing takes 3.6 s
}
