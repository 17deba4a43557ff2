// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of MJCF files that are relative to the inertia in the reference pose, with MuJoCo 2.2.2 as referee: springs
// by time constant, which it has, and damping ratios of actuators, which later versions have; these are computed from
// its dof_M0.
#include <mujoco/mujoco.h>

#include <footfall/load.h>
#include <footfall/model.h>

#include "check.h"
#include "support/mujoco_text.h"

#define TOLERANCE 1e-9

// A floating trunk with a limb of all kinds of joints, turned and displaced, with references that are not zero; a
// second tree; and armatures. %s: settings of actuators.
#define ROBOT                                                                                                          \
    "<mujoco><compiler angle='radian'/><worldbody>"                                                                    \
    "<body name='trunk' pos='0.1 0.2 1' quat='1 0.2 0.1 0.3'><freejoint/>"                                             \
    "<geom type='box' size='0.2 0.1 0.05' pos='0.03 0.01 0'/>"                                                         \
    "<body pos='0.2 0.1 0' euler='0.3 0.2 0.1'><joint name='hip' axis='1 2 0' pos='0 0.01 0' ref='0.4' "               \
    "armature='0.02' "                                                                                                 \
    "springdamper='0.3 0.7'/><geom type='capsule' size='0.03 0.1' pos='0 0 -0.1'/>"                                    \
    "<body pos='0 0 -0.2'><joint name='slide' type='slide' axis='0 1 3' springdamper='0.1 1.5'/>"                      \
    "<geom type='sphere' size='0.04' pos='0.02 0 0'/>"                                                                 \
    "<body pos='0 0.05 -0.1' euler='1 0 0.5'><joint name='ball' type='ball' springdamper='0.2 0.4' damping='3'/>"      \
    "<geom type='ellipsoid' size='0.03 0.05 0.07' pos='0 0.02 0.01'/></body></body></body>"                            \
    "<body pos='-0.2 0 0'><joint name='tail' axis='0 1 0' stiffness='4' damping='5'/>"                                 \
    "<geom type='capsule' size='0.02 0.2' pos='-0.2 0 0'/></body></body>"                                              \
    "<body name='post' pos='3 0 0'><joint name='post' axis='0 0 1' armature='1' springdamper='0.5 1'/>"                \
    "<geom type='box' size='0.1 0.2 0.3' pos='0.5 0 0'/></body></worldbody>"                                           \
    "<actuator><position joint='hip' kp='50' gear='1' %s/><position joint='slide' kp='800' gear='-3' %s/>"             \
    "<position joint='tail' kp='20' gear='0.5' %s/></actuator></mujoco>"

static const double RATIO[3] = {1.0, 0.3, 2.0}, KP[3] = {50, 800, 20}, GEAR[3] = {1, -3, 0.5};

static ff_model *load_ours(const char *xml)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_status status = ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report);
    ff_model *model = status == FF_OK ? ff_model_compile(spec, NULL, &report) : NULL;
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return model;
}

TEST(springs_by_time_constant_and_damping_ratios_of_actuators_are_mujocos)
{
    static char xml[4000];
    snprintf(xml, sizeof xml, ROBOT, "", "", "");
    mjModel *theirs = mujoco_of_text(xml);
    snprintf(xml, sizeof xml, ROBOT, "dampratio='1'", "dampratio='0.3'", "dampratio='2'");
    ff_model *ours = load_ours(xml);
    CHECK_INT(ours->njoint, theirs->njnt);
    for (int j = 0; j < ours->njoint; j++) {
        const ff_joint *joint = &ours->joints[j];
        CHECK_NEAR(joint->stiffness, theirs->jnt_stiffness[j], TOLERANCE * theirs->jnt_stiffness[j]);
        for (int i = joint->vadr; i < joint->vadr + ff_joint_nv(joint->type); i++)
            CHECK_NEAR(ours->dof_damping[i], theirs->dof_damping[i], TOLERANCE * theirs->dof_damping[i]);
    }
    for (int k = 0; k < 3; k++) {
        const int dof = theirs->jnt_dofadr[theirs->actuator_trnid[2 * k]];
        const double kv = 2.0 * RATIO[k] * sqrt(KP[k] * theirs->dof_M0[dof] / (GEAR[k] * GEAR[k]));
        CHECK_NEAR(ours->actuators[k].bias[1], -KP[k], 0.0);
        CHECK_NEAR(ours->actuators[k].bias[2], -kv, TOLERANCE * kv);
    }
    ff_model_destroy(ours);
    mj_deleteModel(theirs);
}
