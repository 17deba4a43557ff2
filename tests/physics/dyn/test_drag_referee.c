// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drag by density, viscosity and wind with MuJoCo 2.2.2 as referee: passive forces at random states to 1e-9, for bodies
// with an inertia of their own, of one shape, of several, and fixed to others; the same for shapes with the drag of
// ellipsoids. The added mass of an ellipsoid is compared with Lamb's closed forms.
#include <mujoco/mujoco.h>

#include <footfall/dyn.h>
#include <footfall/load.h>

#include "check.h"
#include "support/mujoco_text.h"
#include "support/random_robot.h"

#define ROBOT                                                                                                          \
    "<mujoco><compiler angle='radian'/><option gravity='1 2 -9' %s/><worldbody>"                                       \
    "<body pos='0.1 0.2 1' quat='1 0.2 0.1 0.3'><freejoint/><geom type='box' size='0.2 0.1 0.05' pos='0.03 0.01 0'/>"  \
    "%s"                                                                                                               \
    "<body pos='0.2 0.1 0' euler='0.3 0.2 0.1'><joint axis='1 2 0' pos='0 0.01 0' ref='0.4' damping='0.2'/>"           \
    "<geom type='capsule' size='0.03 0.1' pos='0 0 -0.1' euler='0.3 0.5 0.1'/>"                                        \
    "<body pos='0 0 -0.2'><geom type='ellipsoid' size='0.04 0.05 0.06' euler='0.2 0.1 0.7'/></body>"                   \
    "<body pos='0 0 -0.2'><joint type='slide' axis='0 1 3'/>"                                                          \
    "<inertial pos='0.02 0 0.01' quat='1 2 3 4' mass='0.4' diaginertia='0.002 0.002 0.003'/>"                          \
    "<body pos='0 0.05 -0.1' euler='1 0 0.5'><joint type='ball'/>"                                                     \
    "<inertial pos='0.02 0 0.01' mass='0.4' %s/></body></body>"                                                        \
    "</body></body></worldbody></mujoco>"

/// Passive forces of both at random states.
static void compare_passive(const char *xml, int ndrag, double close)
{
    mjModel *theirs = mujoco_of_text(xml);
    mjData *their = mj_makeData(theirs);
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report), FF_OK);
    ff_model *ours = ff_model_compile(spec, NULL, &report);
    CHECK(ours && ours->ndrag == ndrag);
    ff_data *d = ff_data_create(ours, NULL);
    ff_random random = ff_random_make(6, 0);
    for (int k = 0; k < 50; k++) {
        random_state(ours, d, &random);
        memcpy(their->qpos, d->q, (size_t)ours->nq * sizeof(double));
        memcpy(their->qvel, d->v, (size_t)ours->nv * sizeof(double));
        mj_forward(theirs, their);
        ff_dyn_kinematics(ours, d);
        ff_dyn_velocity(ours, d);
        ff_dyn_passive(ours, d);
        double size = 1e-6;
        for (int i = 0; i < ours->nv; i++) size = fmax(size, fabs(their->qfrc_passive[i]));
        for (int i = 0; i < ours->nv; i++) CHECK_NEAR(d->passive[i], their->qfrc_passive[i], close * size);
    }
    ff_data_destroy(d);
    ff_model_destroy(ours);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    mj_deleteData(their);
    mj_deleteModel(theirs);
}

/// With `searched`, principal axes of two bodies must be computed, which MuJoCo does to 1.4e-6 rad.
static void compare(const char *medium, bool searched)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, ROBOT, medium, searched ? "<geom type='sphere' size='0.07' pos='0.1 0.1 0.1'/>" : "",
             searched ? "fullinertia='0.002 0.0025 0.003 0.0001 -0.0002 0.0003'" : "diaginertia='0.002 0.0025 0.003'");
    compare_passive(xml, 5, searched ? 1e-6 : 1e-9);
}

TEST(drag_is_mujocos)
{
    for (int searched = 0; searched < 2; searched++) {
        compare("density='1000'", searched);
        compare("viscosity='0.5'", searched);
        compare("density='1.2' viscosity='2e-5' wind='3 -2 1'", searched);
    }
}

#define SWIMMER                                                                                                        \
    "<mujoco><compiler angle='radian'/><option %s/><default><geom fluidshape='ellipsoid'/></default><worldbody>"       \
    "<body pos='0.1 0.2 1' quat='1 0.2 0.1 0.3'><freejoint/><geom type='box' size='0.2 0.1 0.05' pos='0.03 0.01 0' "   \
    "euler='.1 .2 .3' fluidcoef='%s'/><geom type='sphere' size='0.07' pos='0.1 0.1 0.1'/>"                             \
    "<body pos='0.2 0.1 0' euler='0.3 0.2 0.1'><joint axis='1 2 0' pos='0 0.01 0' ref='0.4' damping='0.2'/>"           \
    "<geom type='capsule' size='0.03 0.1' pos='0 0 -0.1' euler='0.3 0.5 0.1'/>"                                        \
    "<body pos='0 0 -0.2'><geom type='ellipsoid' size='0.04 0.05 0.06' euler='0.2 0.1 0.7'/></body>"                   \
    "<body pos='0 0 -0.2'><joint type='slide' axis='0 1 3'/><inertial pos='0 0 0' mass='.4' diaginertia='2 2 3'/>"     \
    "<geom type='cylinder' size='.1 .03' fluidshape='none'/>"                                                          \
    "<body pos='0 0.05 -0.1' euler='1 0 0.5'><joint type='ball'/><geom type='cylinder' size='.1 .03'/></body></body>"  \
    "</body></body></worldbody></mujoco>"

// Of six shapes five are ellipsoids; the body that has none is a box.
TEST(ellipsoids_in_the_flow_are_mujocos)
{
    static const char *const media[] = {"density='1000'", "viscosity='0.5'",
                                        "density='1.2' viscosity='2e-5' wind='3 -2 1'"};
    static const char *const coefficients[] = {"0.5 0.25 1.5 1 1", "1 0 0 0 0", "0 1 0 0 0",
                                               "0 0 1 0 0",        "0 0 0 1 0", "0 0 0 0 1"};
    static char xml[4000];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++) {
            snprintf(xml, sizeof xml, SWIMMER, media[i], coefficients[k]);
            compare_passive(xml, 6, 1e-9);
        }
}

// MuJoCo takes the box of a mesh about its centre of mass, on its principal axes, which it computes to 1.4e-6 rad in
// single precision.
TEST(meshes_in_the_flow_are_mujocos_ellipsoids)
{
    static const char *const media[] = {"density='1000'", "viscosity='0.5'",
                                        "density='1.2' viscosity='2e-5' wind='3 -2 1'"};
    static char xml[2000];
    for (int i = 0; i < 3; i++) {
        snprintf(
            xml, sizeof xml,
            "<mujoco><option %s/><asset><mesh name='wedge' vertex='0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 .1'/>"
            "</asset><worldbody><body pos='.1 .2 1' quat='1 .2 .1 .3'><freejoint/><inertial pos='.1 0 .05' mass='2' "
            "diaginertia='.02 .03 .04'/><geom type='mesh' mesh='wedge' pos='.1 -.2 .05' euler='10 20 30' "
            "fluidshape='ellipsoid' fluidcoef='.4 .3 1.2 .9 1.1'/></body></worldbody></mujoco>",
            media[i]);
        compare_passive(xml, 1, 2e-5);
    }
}

/// Added mass and inertia of a single ellipsoid with these half axes.
static void added_of(const char *size, double added[6])
{
    char xml[600];
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    snprintf(xml, sizeof xml,
             "<mujoco><option density='1'/><worldbody><body><freejoint/><geom type='ellipsoid' size='%s' "
             "fluidshape='ellipsoid'/></body></worldbody></mujoco>",
             size);
    CHECK_INT(ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report), FF_OK);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    memcpy(added, model->drags[0].added, 6 * sizeof *added);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

// H. Lamb, Hydrodynamics, 6th edition: the added mass of a sphere is that of half its volume (article 92), its added
// inertia 0; for a long body of revolution with eccentricity e the integrals have a closed form (article 114):
//     kappa_along  = (1 - e^2)/e^3 (ln((1 + e)/(1 - e)) - 2 e)
//     kappa_across = 1/e^2 - (1 - e^2)/(2 e^3) ln((1 + e)/(1 - e))
// MuJoCo's 15 points of quadrature agree with them to 1e-5.
TEST(added_mass_is_lambs)
{
    const double volume = 4.0 / 3.0 * 3.141592653589793;
    double added[6];
    added_of("1 1 1", added);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(added[i], 0.5 * volume, 1e-6 * volume);
        CHECK_NEAR(added[3 + i], 0.0, 1e-9);
    }
    const double e = sqrt(1.0 - 1.0 / 36.0), l = log((1.0 + e) / (1.0 - e)), rest = 1.0 - e * e;
    const double along = rest / (e * e * e) * (l - 2.0 * e), across = 1.0 / (e * e) - rest / (2.0 * e * e * e) * l;
    added_of("1 1 6", added);
    CHECK_NEAR(added[2] / (6.0 * volume), along / (2.0 - along), 1e-5);
    CHECK_NEAR(added[0] / (6.0 * volume), across / (2.0 - across), 1e-5);
    // Lamb, article 115, for the spin across: (a^2 - c^2)^2 (kappa_a - kappa_c) / (5 (2 (a^2 - c^2) + ..))
    const double flat = 35.0, sum = 37.0;
    CHECK_NEAR(added[3] / (6.0 * volume), flat * flat / 5.0 * (across - along) / (2.0 * flat - sum * (across - along)),
               1e-4);
    CHECK_NEAR(added[5], 0.0, 1e-9);
}
