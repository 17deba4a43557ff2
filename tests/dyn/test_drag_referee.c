// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drag by density, viscosity and wind with MuJoCo 2.2.2 as referee: passive forces at random states to 1e-9, for bodies
// with an inertia of their own, of one shape, of several, and fixed to others.
#include <mujoco/mujoco.h>

#include <footfall/dyn.h>

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

/// With `searched`, axes of two bodies must be looked for, which MuJoCo does to 1.4e-6 rad.
static void compare(const char *medium, bool searched)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, ROBOT, medium, searched ? "<geom type='sphere' size='0.07' pos='0.1 0.1 0.1'/>" : "",
             searched ? "fullinertia='0.002 0.0025 0.003 0.0001 -0.0002 0.0003'" : "diaginertia='0.002 0.0025 0.003'");
    mjModel *theirs = mujoco_of_text(xml);
    mjData *their = mj_makeData(theirs);
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse_mjcf(spec, xml, strlen(xml), "m.xml", NULL, &report), FF_OK);
    ff_model *ours = ff_model_compile(spec, NULL, &report);
    CHECK(ours && ours->ndrag == 5);
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
        const double close = searched ? 1e-6 : 1e-9;
        for (int i = 0; i < ours->nv; i++) CHECK_NEAR(d->passive[i], their->qfrc_passive[i], close * size);
    }
    ff_data_destroy(d);
    ff_model_destroy(ours);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    mj_deleteData(their);
    mj_deleteModel(theirs);
}

TEST(drag_is_mujocos)
{
    for (int searched = 0; searched < 2; searched++) {
        compare("density='1000'", searched);
        compare("viscosity='0.5'", searched);
        compare("density='1.2' viscosity='2e-5' wind='3 -2 1'", searched);
    }
}
