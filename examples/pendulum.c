// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How long does a pendulum take for one swing? A mass on a rod of length l, let go at the angle a, is back after
//     T = 2 pi sqrt(l / g) / agm(1, cos(a / 2))         agm: arithmetic-geometric mean (C. F. Gauss)
// which is 7 percent longer than the textbook's 2 pi sqrt(l / g) for a = 1 rad. This program builds the robot without a
// file, simulates until the speed changes its sign, which happens at T / 2, and compares.
#include <footfall/footfall.h>
#include <math.h>
#include <stdio.h>

static const double length = 0.5, angle = 1.0, gravity = 9.81; // [m], [rad], [m/s^2]

static double agm(double a, double b)
{
    while (fabs(a - b) > 1e-15 * a) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

static ff_model *make_pendulum(ff_report *report)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *bob = ff_spec_add_body(spec, "bob", -1); // -1: on the world
    bob->has_inertial = true;
    bob->mass = 2.0;       // [kg]
    bob->com[2] = -length; // below the pivot, which is the origin of its frame
    ff_spec_joint *pivot = ff_spec_add_joint(spec, "pivot", 0, FF_JOINT_HINGE);
    pivot->axis[0] = 0.0;
    pivot->axis[1] = 1.0; // swings in the x-z plane
    pivot->axis[2] = 0.0;
    ff_load_options options = ff_load_options_default();
    ff_model *model = ff_model_compile(spec, &options, report);
    ff_spec_destroy(spec);
    return model;
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

int main(void)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_model *pendulum = make_pendulum(&report);
    if (!pendulum) return fprintf(stderr, "%s\n", report.messages[0].text), 1;

    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_ADAPTIVE;
    options.relative = options.absolute = 1e-11;
    ff_sim *sim = ff_sim_create(pendulum, &options, &err);
    if (!sim) return fprintf(stderr, "%s\n", err.text), 1;
    ff_sim_set_q(sim, 0, angle);

    double half = 0.0;
    ff_event turning = {.name = "turning point", .direction = 1, .context = &half, .value = speed, .handle = note_time};
    ff_sim_add_event(sim, &turning, &err);
    ff_status status = ff_sim_run(sim, 10.0, &err);
    if (status != FF_STOPPED) fprintf(stderr, "%s\n", err.text);

    double expected = 2.0 * FF_PI * sqrt(length / gravity) / agm(1.0, cos(0.5 * angle));
    printf("period by simulation  %.12f s\n", 2.0 * half);
    printf("period by Gauss       %.12f s\n", expected);
    ff_sim_destroy(sim);
    ff_model_destroy(pendulum);
    ff_report_clear(&report);
    return fabs(2.0 * half - expected) < 1e-9 ? 0 : 1; // [s] a hundred times the tolerance of the integrator
}
