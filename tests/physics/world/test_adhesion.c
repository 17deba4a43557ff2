// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Adhesion against statics: the contact carries the weight and the pull, a body hangs below a plate while the pull is
// more than its weight, and slides when a push passes mu (weight + pull).
#include <math.h>

#include "check.h"
#include "support/lab.h"
#include "support/must_run.h"

#define WEIGHT (2.0 * 9.81)

/// A box of 2 kg, 10 cm high, on a plane (or below a plate that is upside down), with adhesion of gain 30 N.
static lab box_lab(ff_method method, bool below)
{
    lab x = lab_open(method);
    x.options.actuators = x.options.ledger = true;
    x.options.step = 1e-4;
    lab_material(&x, "pad", 1e5, 2e6, 0.6)->friction.damping = 1000.0;
    lab_box(&x, "box", 2.0, (double[]){0.2, 0.2, 0.1}, (double[]){0, 0, below ? -0.0498 : 0.0498}, "pad");
    lab_floor(&x, "pad");
    if (below) ff_quat_from_axis_angle(x.spec->geoms[x.spec->ngeom - 1].quat, (double[]){1, 0, 0}, 3.141592653589793);
    ff_spec_actuator *a = ff_spec_add_actuator(x.spec, "pad", FF_ACTUATOR_MOTOR);
    a->body = ff_spec_text(x.spec, "box");
    a->gain = 30.0;
    a->command_limited = true;
    a->command_range[1] = 1.0;
    lab_start(&x);
    return x;
}

static void suck(lab *x, double command)
{
    ff_sim_set_command(x->sim, ff_sim_find_actuator(x->sim, "pad"), command);
}

static double floor_force(lab *x)
{
    double force[3], moment[3];
    ff_world_wrench(x->world, x->sim, 0, force, moment);
    return force[2];
}

TEST(a_contact_carries_the_weight_and_the_pull)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lab x = box_lab(methods[k], false);
        suck(&x, 0.5);
        must_run(x.sim, 0.4);
        CHECK_NEAR(floor_force(&x), WEIGHT + 15.0, 0.05);
        suck(&x, 7.0); // commands count up to their range
        must_run(x.sim, 0.8);
        CHECK_NEAR(floor_force(&x), WEIGHT + 30.0, 0.05);
        CHECK_BELOW(fabs(ff_sim_ledger(x.sim).residual), 1e-3);
        lab_close(&x);
    }
}

TEST(a_body_hangs_while_the_pull_is_more_than_its_weight)
{
    lab x = box_lab(FF_METHOD_IMPLICIT, true);
    suck(&x, 1.0);
    must_run(x.sim, 0.5);
    CHECK_NEAR(floor_force(&x), -(30.0 - WEIGHT), 0.05); // what is left presses it to the plate
    CHECK_NEAR(ff_sim_v(x.sim)[2], 0.0, 1e-4);
    suck(&x, 0.6); // 18 N are less than 19.6 N
    must_run(x.sim, 0.8);
    CHECK(ff_sim_v(x.sim)[2] < -1.0);
    suck(&x, 1.0); // where nothing touches it does nothing
    const double before = ff_sim_v(x.sim)[2];
    must_run(x.sim, 0.9);
    CHECK_NEAR(ff_sim_v(x.sim)[2] - before, -0.981, 1e-6);
    lab_close(&x);
}

/// The box slides when a push exceeds mu (weight + pull) = 0.6 (19.62 + 30) = 29.8 N.
static double slid_by(double push)
{
    lab x = box_lab(FF_METHOD_IMPLICIT, false);
    suck(&x, 1.0);
    must_run(x.sim, 0.3);
    ff_sim_apply(x.sim, ff_sim_find_body(x.sim, "box"), (double[]){push, 0, 0}, NULL, (double[]){0, 0, -0.05},
                 FF_AXES_WORLD);
    must_run(x.sim, 0.8);
    const double way = ff_sim_q(x.sim)[0];
    lab_close(&x);
    return way;
}

TEST(friction_grows_with_the_pull)
{
    CHECK_BELOW(slid_by(29.0), 2e-3); // 1.2 mm are the stretch of the springs that hold
    CHECK(slid_by(31.0) > 0.03);      // (31 - 29.8) N on 2 kg for 0.5 s: 77 mm
}
