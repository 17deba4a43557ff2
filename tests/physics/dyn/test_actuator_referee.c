// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Actuators with activations, gains by length and speed, and muscles with MuJoCo 2.2.2 as referee: at random states
// rates of activations, forces and accelerations are the same to 1e-9, and so are motions by the same method.
#include "support/mujoco_pair.h"
#include "support/random_robot.h"

#define ARM                                                                                                            \
    "<mujoco><compiler angle='radian' autolimits='true'/><option gravity='0 0 -9' timestep='0.002' integrator='RK4'/>" \
    "<worldbody><site name='w' pos='0.05 0 1.2'/><body name='upper' pos='0 0 1'><joint name='hip' axis='0 1 0' "       \
    "range='-1 1.5' damping='0.4' armature='0.01'/><geom type='capsule' size='0.04 0.15' pos='0 0 -0.15'/>"            \
    "<geom name='drum' type='cylinder' size='0.05 0.1' euler='1.5708 0 0' pos='0 0 -0.3'/>"                            \
    "<site name='u' pos='0.05 0 -0.1'/>"                                                                               \
    "<body pos='0 0 -0.3'><joint name='knee' axis='0 1 0' range='-2 -0.1' ref='-0.5' damping='0.2'/>"                  \
    "<geom type='capsule' size='0.03 0.12' pos='0.01 0 -0.12'/><site name='l' pos='0.04 0.02 -0.1'/>"                  \
    "<body pos='0 0 -0.25'><joint name='foot' type='slide' axis='0 0 1' range='-0.1 0.1' stiffness='300' "             \
    "damping='8'/><geom type='sphere' size='0.04'/></body></body></body>"                                              \
    "<body name='loose' pos='1 0 1' quat='0.8 0.1 0.3 0.2'><freejoint/><geom type='box' size='0.1 0.2 0.05' "          \
    "pos='0.01 0 0.02'/><site name='f' pos='0.1 0.1 0.05'/></body></worldbody>"                                        \
    "<tendon><fixed name='sum'><joint joint='hip' coef='0.6'/><joint joint='knee' coef='-1.1'/></fixed>"               \
    "<spatial name='string'><site site='u'/><geom geom='drum'/><site site='l'/></spatial>"                             \
    "<spatial name='leash'><site site='w'/><site site='f'/></spatial></tendon>"

static void compare_state(const pair *p, int state, const ff_data *random, const double *command, const double *act)
{
    const int nv = p->ours->nv;
    mjData *theirs = p->data;
    memcpy(theirs->qpos, random->q, sizeof(double) * (size_t)p->ours->nq);
    memcpy(theirs->qvel, random->v, sizeof(double) * (size_t)nv);
    memcpy(theirs->ctrl, command, sizeof(double) * (size_t)p->ours->nactuator);
    memcpy(theirs->act, act, sizeof(double) * (size_t)p->ours->nactivation);
    mj_forward(p->theirs, theirs);
    ff_sim_set_state(p->sim, random->q, random->v);
    for (int i = 0; i < p->ours->nactuator; i++) {
        ff_sim_set_command(p->sim, (ff_actuator_id){i}, command[i]);
        const int k = p->ours->actuators[i].state;
        if (k >= 0) ff_sim_set_activation(p->sim, (ff_actuator_id){i}, act[k]);
    }
    ff_error err = {0};
    if (ff_sim_evaluate(p->sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const ff_data *d = ff_sim_data(p->sim);
    double active[64];
    for (int i = 0; i < nv; i++) active[i] = d->tau[i] - d->passive[i];
    same(p, state, "actuator force", active, theirs->qfrc_actuator, nv);
    same(p, state, "acceleration", d->qacc, theirs->qacc, nv);
}

static void compare_states(pair *p, int states)
{
    ff_random random = ff_random_make(21, 1);
    ff_data *d = ff_data_create(p->ours, NULL);
    double command[32], act[32];
    CHECK_INT(p->ours->nactuator, p->theirs->nu);
    CHECK_INT(p->ours->nactivation, p->theirs->na);
    for (int k = 0; k < states; k++) {
        random_state(p->ours, d, &random);
        random_vector(&random, command, p->ours->nactuator, 2.0);
        random_vector(&random, act, p->ours->nactivation, 1.0);
        compare_state(p, k, d, command, act);
    }
    ff_data_destroy(d);
}

/// Both move from rest by classic Runge-Kutta with the same steps. Commands change every 50 ms.
static void compare_motion(pair *p, double time)
{
    ff_sim_options o = ff_sim_options_default();
    o.actuators = true;
    o.method = FF_METHOD_RK4;
    o.step = p->theirs->opt.timestep;
    ff_sim *sim = ff_sim_create(p->ours, &o, NULL);
    mj_resetData(p->theirs, p->data);
    const int steps = (int)(time / o.step + 0.5);
    for (int k = 0; k < steps; k++) {
        for (int i = 0; k % 25 == 0 && i < p->ours->nactuator; i++) {
            const double u = 0.5 + 0.6 * sin(1.7 * k + i);
            p->data->ctrl[i] = u;
            ff_sim_set_command(sim, (ff_actuator_id){i}, u);
        }
        mj_step(p->theirs, p->data);
        ff_error err = {0};
        if (ff_sim_run(sim, (k + 1) * o.step, &err) != FF_OK) CHECK_FAIL("%s: %s", p->label, err.text);
        double act[32];
        for (int i = 0; i < p->ours->nactuator; i++)
            if (p->ours->actuators[i].state >= 0)
                act[p->ours->actuators[i].state] = ff_sim_activation(sim, (ff_actuator_id){i});
        same(p, k, "activation", act, p->data->act, p->ours->nactivation);
        same(p, k, "position", ff_sim_q(sim), p->data->qpos, p->ours->nq);
        same(p, k, "velocity", ff_sim_v(sim), p->data->qvel, p->ours->nv);
    }
    ff_sim_destroy(sim);
}

static pair load_arm(const char *label, const char *xml)
{
    pair p = load_text(label, xml);
    for (int i = 0; i < p.ours->nv; i++) p.theirs->dof_frictionloss[i] = 0.0;
    return p;
}

TEST(activations_agree)
{
    pair p = load_arm("states",
                      ARM "<actuator><motor joint='knee'/>"
                          "<general joint='hip' dyntype='integrator' gainprm='2' biastype='affine' "
                          "biasprm='0.5 -3 -0.2' ctrlrange='-0.7 0.9' gear='1.5'/>"
                          "<general tendon='sum' dyntype='filter' dynprm='0.03' gainprm='4'/>"
                          "<general tendon='string' dyntype='filter' dynprm='0.3' gainprm='-20' forcerange='-9 0'/>"
                          "<intvelocity joint='knee' kp='6' actrange='-0.8 0.8'/>"
                          "<cylinder joint='foot' timeconst='0.1' area='30' bias='1 -2 -3'/>"
                          "<cylinder tendon='leash' timeconst='0.2' diameter='0.8' bias='1 0 -1' gear='-0.4'/>"
                          "<general site='f' dyntype='filter' dynprm='0.05' gear='1 0 2 0.1 0 0.3'/>"
                          "</actuator></mujoco>");
    compare_states(&p, 50);
    // an activation that reaches an end of `actrange` within a step stays there, in MuJoCo at the end of the step
    p.theirs->actuator_actlimited[4] = 0;
    p.ours->actuators[4].activation.limited = false;
    p.tolerance = 1e-8;
    compare_motion(&p, 0.5);
    unload(&p);
}

TEST(gains_by_length_and_speed_agree)
{
    pair p = load_arm("gains", ARM "<actuator><damper joint='hip' kv='3' ctrlrange='0 1'/>"
                                   "<general tendon='string' gaintype='affine' gainprm='1 -2 0.3' biastype='affine' "
                                   "biasprm='0.1 -7 -0.4' gear='0.7'/>"
                                   "<general joint='knee' dyntype='filter' dynprm='0.2' gaintype='affine' "
                                   "gainprm='2 -3 -0.4'/></actuator></mujoco>");
    compare_states(&p, 50);
    p.tolerance = 1e-8;
    compare_motion(&p, 0.5);
    unload(&p);
}

#define MUSCLES                                                                                                        \
    "<actuator><general joint='knee' gear='0.5' gaintype='muscle' gainprm='0.7 1.1 20 200 0.5 1.6 1.5 1.3 1.2' "       \
    "lengthrange='-1 1'/>"                                                                                             \
    "<muscle joint='hip' gear='2' lengthrange='-2 3'/>"                                                                \
    "<muscle tendon='sum' gear='-1' lengthrange='-3 3' force='40' range='0.6 1.2' vmax='3' fpmax='0.7'/>"              \
    "<muscle tendon='string' lengthrange='0.2 0.4' scale='300' timeconst='0.02 0.05' lmin='0.4' lmax='1.7' "           \
    "fvmax='1.5' forcerange='-200 0'/>"                                                                                \
    "<muscle tendon='leash' lengthrange='0.5 2' scale='3'/></actuator></mujoco>"

TEST(muscles_agree)
{
    pair p = load_arm("muscles", ARM MUSCLES);
    for (int i = 0; i < 5; i++) { // peak forces come from the inertia at rest
        const double force = p.theirs->actuator_gainprm[mjNGAIN * i + 2],
                     scale = p.theirs->actuator_gainprm[mjNGAIN * i + 3];
        CHECK_NEAR(p.ours->actuators[i].active.force, force > 0 ? force : scale / p.theirs->actuator_acc0[i], 1e-7);
    }
    compare_states(&p, 200);
    p.tolerance = 1e-8;
    compare_motion(&p, 0.5);
    unload(&p);
}

// MuJoCo pulls each end against soft limits until it moves less than 5 % of the range, so that its lengths are near
// those at the limits, which are exact here.
TEST(lengths_of_muscles_follow_from_the_limits_of_joints)
{
    pair p = load_text("lengths", ARM "<actuator><muscle joint='hip' gear='-2'/><muscle tendon='sum'/>"
                                      "<muscle tendon='string'/></actuator></mujoco>");
    const double *hip = p.ours->actuators[0].length_range, *sum = p.ours->actuators[1].length_range;
    CHECK_NEAR(hip[0], -3.0, 1e-12);
    CHECK_NEAR(hip[1], 2.0, 1e-12);
    CHECK_NEAR(sum[0], -0.6 + 1.1 * 0.1, 1e-9);
    CHECK_NEAR(sum[1], 0.6 * 1.5 + 1.1 * 2.0, 1e-9);
    for (int i = 0; i < 3; i++) {
        const double *ours = p.ours->actuators[i].length_range, *theirs = p.theirs->actuator_lengthrange + 2 * i;
        for (int k = 0; k < 2; k++)
            if (!(fabs(ours[k] - theirs[k]) < 0.06 * (ours[1] - ours[0])))
                CHECK_FAIL("length range of actuator %d: %g to %g, MuJoCo has %g to %g", i, ours[0], ours[1], theirs[0],
                           theirs[1]);
    }
    unload(&p);
}

// MuJoCo's adhesion is the force of the closed forms of tests/physics/world/test_adhesion.c: gear gain u towards what
// the body touches, for any number of points, and 0 without contact. Footfall reads the same numbers from its file.
TEST(adhesion_agrees)
{
    pair p = load_text("adhesion", "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 0.09'>"
                                   "<freejoint/><geom type='box' size='0.1 0.1 0.1'/></body></worldbody><actuator>"
                                   "<adhesion name='a' body='b' gain='7' ctrlrange='0 2'/></actuator></mujoco>");
    const ff_actuator *a = &p.ours->actuators[0];
    CHECK_INT(a->body, 0);
    p.theirs->opt.disableflags &= ~mjDSBL_CONTACT;
    p.data->ctrl[0] = 5.0; // more than the range
    mj_forward(p.theirs, p.data);
    CHECK(p.data->ncon > 1);
    CHECK_NEAR(p.data->qfrc_actuator[2], -a->gear * a->gain * a->command_range[1], 1e-9);
    p.data->qpos[2] = 0.2;
    mj_forward(p.theirs, p.data);
    CHECK_NEAR(p.data->qfrc_actuator[2], 0.0, 0.0);
    unload(&p);
}
