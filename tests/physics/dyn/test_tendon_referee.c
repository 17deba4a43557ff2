// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons and the actuators on them with MuJoCo 2.2.2 as referee: at random states length, speed and levers of every
// tendon, passive forces, forces of actuators and accelerations are the same to 1e-9. Limits and dry friction are
// constraints there and do not occur in these files; test_tendon.c has their closed forms.
#include "check.h"
#include "support/mujoco_pair.h"
#include "support/random_robot.h"

static void compare_levers(const pair *p, int state, const ff_data *d)
{
    const int nv = p->ours->nv;
    double *row = calloc((size_t)nv + 1, sizeof *row);
    for (int t = 0; t < p->theirs->ntendon; t++) {
        memset(row, 0, (size_t)nv * sizeof *row);
        ff_dyn_tendon_apply(p->ours, d, t, 1.0, row);
        same(p, state, "lever", row, p->data->ten_J + t * nv, nv); // dense in small models, see mj_isSparse
    }
    free(row);
}

static void compare_state(const pair *p, int state, const ff_data *random, const double *command)
{
    const int nv = p->ours->nv;
    mjData *theirs = p->data;
    memcpy(theirs->qpos, random->q, sizeof(double) * (size_t)p->ours->nq);
    memcpy(theirs->qvel, random->v, sizeof(double) * (size_t)nv);
    memcpy(theirs->ctrl, command, sizeof(double) * (size_t)p->ours->nactuator);
    mj_forward(p->theirs, theirs);
    for (int i = 0; i < p->ours->nq; i++) ff_sim_set_q(p->sim, i, random->q[i]);
    for (int i = 0; i < nv; i++) ff_sim_set_v(p->sim, i, random->v[i]);
    for (int i = 0; i < p->ours->nactuator; i++) ff_sim_set_command(p->sim, (ff_actuator_id){i}, command[i]);
    ff_error err = {0};
    if (ff_sim_evaluate(p->sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const ff_data *d = ff_sim_data(p->sim);
    const int ntendon = p->theirs->ntendon; // those of actuators at sites come behind
    same(p, state, "length", d->tendon_length, theirs->ten_length, ntendon);
    if (!mj_isSparse(p->theirs)) compare_levers(p, state, d);
    same(p, state, "speed", d->tendon_speed, theirs->ten_velocity, ntendon);
    for (int i = 0; i < p->ours->nactuator; i++) {
        const ff_actuator *a = &p->ours->actuators[i];
        if (a->tendon < ntendon) continue;
        same(p, state, "length at a site", &d->tendon_length[a->tendon], &theirs->actuator_length[i], 1);
        same(p, state, "speed at a site", &d->tendon_speed[a->tendon], &theirs->actuator_velocity[i], 1);
    }
    same(p, state, "passive force", d->passive, theirs->qfrc_passive, nv);
    double *active = calloc((size_t)nv + 1, sizeof *active);
    for (int i = 0; i < nv; i++) active[i] = d->tau[i] - d->passive[i];
    same(p, state, "actuator force", active, theirs->qfrc_actuator, nv);
    free(active);
    if (p->ours->nequality == 0) same(p, state, "acceleration", d->qacc, theirs->qacc, nv);
}

static void compare(pair *p, int states)
{
    ff_random random = ff_random_make(21, 0);
    CHECK_INT(p->ours->nactuator, p->theirs->nu);
    ff_data *d = ff_data_create(p->ours, NULL);
    double *command = calloc((size_t)p->ours->nactuator + 1, sizeof *command);
    for (int k = 0; k < states; k++) {
        random_state(p->ours, d, &random);
        random_vector(&random, command, p->ours->nactuator, 2.0);
        compare_state(p, k, d, command);
    }
    free(command);
    ff_data_destroy(d);
    unload(p);
}

// A floating trunk with two limbs and a second tree, so that strings run between branches and between trees.
#define TREE                                                                                                           \
    "<mujoco><compiler angle='radian' autolimits='true'/><option gravity='1 2 -9'/><worldbody><site name='w' "         \
    "pos='0.1 -0.3 1.4'/>"                                                                                             \
    "<body name='trunk' pos='0.1 0.2 1' quat='1 0.2 0.1 0.3'><freejoint/><site name='t' pos='0.1 0.1 0.05'/>"          \
    "<geom type='box' size='0.2 0.1 0.05' pos='0.03 0.01 0'/>"                                                         \
    "<body pos='0.2 0.1 0' euler='0.3 0.2 0.1'><joint name='hip' axis='1 2 0' pos='0 0.01 0' ref='0.4' "               \
    "springref='-0.7' stiffness='2'/><geom type='capsule' size='0.03 0.1' pos='0 0 -0.1'/>"                            \
    "<geom name='cyl' type='cylinder' size='0.05 0.1' pos='0.02 0.03 -0.1' euler='0.4 0.9 0.2'/>"                      \
    "<site name='a' pos='0.04 0.02 -0.05'/><site name='side' pos='0.02 0.13 -0.1'/>"                                   \
    "<body pos='0 0 -0.2'><joint name='slide' type='slide' axis='0 1 3' springref='0.05'/>"                            \
    "<geom name='ball' type='sphere' size='0.06' pos='0.02 0 0'/><site name='b' pos='0.03 0.1 0.02'/>"                 \
    "<site name='inner' pos='0.03 0.01 0.005'/>"                                                                       \
    "<body pos='0 0.05 -0.1' euler='1 0 0.5'><joint name='wrist' type='ball'/><site name='c' pos='0.1 0.2 -0.2'/>"     \
    "<geom type='ellipsoid' size='0.03 0.05 0.07' pos='0 0.02 0.01'/></body></body></body>"                            \
    "<body pos='-0.2 0 0'><joint name='tail' axis='0 1 0' stiffness='4' damping='5'/><site name='d' pos='-0.3 0 "      \
    "0.1'/>"                                                                                                           \
    "<geom type='capsule' size='0.02 0.2' pos='-0.2 0 0'/></body></body>"                                              \
    "<body name='post' pos='0.6 0.3 0.5'><joint name='post' axis='0 0 1' armature='1'/><site name='e' pos='0.1 0 "     \
    "0.2'/>"                                                                                                           \
    "<geom type='box' size='0.1 0.2 0.3' pos='0.2 0 0'/></body></worldbody>"

#define LAWS                                                                                                           \
    "<actuator><motor tendon='one' gear='2.5'/><position tendon='two' kp='30' gear='-3' ctrlrange='-1 1'/>"            \
    "<velocity tendon='one' kv='4' forcerange='-3 3'/>"                                                                \
    "<general tendon='two' gainprm='3' biastype='affine' biasprm='1 -2 -0.5'/></actuator></mujoco>"

TEST(fixed_tendons_agree)
{
    pair p = load_text("fixed", TREE "<default><tendon damping='0.3'/></default>"
                                     "<tendon><fixed name='one' stiffness='20' springlength='0.2'>"
                                     "<joint joint='hip' coef='0.7'/><joint joint='tail' coef='-1.3'/>"
                                     "<joint joint='post' coef='2'/></fixed>"
                                     "<fixed name='two' stiffness='50' damping='1.5'><joint joint='slide' coef='3'/>"
                                     "<joint joint='hip' coef='1'/></fixed></tendon>" LAWS);
    CHECK(p.ours->tendons[0].fixed);
    compare(&p, 50);
}

TEST(strings_through_sites_and_over_pulleys_agree)
{
    pair p = load_text("sites", TREE "<tendon><spatial name='one' stiffness='200' damping='3'>"
                                     "<site site='w'/><site site='t'/><site site='a'/><site site='c'/></spatial>"
                                     "<spatial name='two' stiffness='90' springlength='0.9'><site site='d'/>"
                                     "<site site='e'/><pulley divisor='2'/><site site='c'/><site site='b'/>"
                                     "<site site='t'/><pulley divisor='3.5'/><site site='w'/><site site='a'/>"
                                     "</spatial></tendon>" LAWS);
    compare(&p, 50);
}

TEST(strings_around_spheres_and_cylinders_agree)
{
    pair p = load_text("wrapped", TREE "<tendon><spatial name='one' stiffness='200' damping='3'>"
                                       "<site site='t'/><geom geom='cyl'/><site site='b'/><geom geom='ball'/>"
                                       "<site site='c'/></spatial>"
                                       "<spatial name='two' stiffness='90' springlength='0.9'><site site='d'/>"
                                       "<geom geom='cyl' sidesite='side'/><site site='c'/><pulley divisor='2'/>"
                                       "<site site='e'/><geom geom='ball'/><site site='w'/>"
                                       "</spatial></tendon>" LAWS);
    compare(&p, 200);
}

// A side within the radius of the shape, in the plane of the string, keeps the string inside. MuJoCo 2.2.2 ends its
// search for the touching point at 1e-6. A side beside a sphere may lie so, too.
TEST(strings_held_inside_agree)
{
    pair p =
        load_text("inside", TREE "<tendon><spatial name='one' stiffness='200' damping='3'>"
                                 "<site site='t'/><geom geom='ball' sidesite='inner'/><site site='c'/></spatial>"
                                 "<spatial name='two' stiffness='9'><site site='d'/><geom geom='cyl' sidesite='inner'/>"
                                 "<site site='w'/><geom geom='ball' sidesite='side'/>"
                                 "<site site='e'/>"
                                 "</spatial></tendon>" LAWS);
    p.tolerance = 1e-6;
    compare(&p, 100);
}

// With refsite, without, and a servo on the pose of a site in the frame of another. MuJoCo 2.2.2 also counts joints
// that carry both sites, which version 3 does not: here they belong to different trees; test_tendon.c has that case.
TEST(actuators_at_sites_agree)
{
    pair p = load_text("sites", TREE "<actuator><motor site='c' gear='1 2 3 0.1 0.2 0.3'/>"
                                     "<motor name='m' site='a' gear='0 0 5'/>"
                                     "<velocity site='d' kv='3' gear='0 1 0 0 0 2'/>"
                                     "<position site='c' refsite='w' kp='20' gear='1 0 0.5 0 0 0'/>"
                                     "<position site='e' refsite='b' kp='4' gear='0 0 0 0.3 -0.2 0.5'/>"
                                     "<motor site='b' refsite='e' gear='1 2 3 4 5 6'/>"
                                     "<motor site='t' refsite='w' gear='1 0 3 4 0 6'/></actuator></mujoco>");
    CHECK_INT(p.ours->ntendon, 7);
    CHECK_TEXT(p.ours->tendons[1].name, "m");
    compare(&p, 50);
}

#define MODELS FF_SOURCE_DIR "/../shared/models/mjcf"

TEST(a_hand_with_tendons_agrees)
{
    const char *path = MODELS "/shadow_hand/right_hand_nomesh.xml";
    if (access(path, R_OK) != 0) SKIP("%s is not here", path);
    pair p = load_file(path);
    CHECK_INT(p.ours->ntendon, 4);
    compare(&p, 30);
}

// No tendons, but springs and loops: there accelerations are those of test_loop_referee.
TEST(cassie_agrees)
{
    const char *path = MODELS "/agility_cassie/cassie_nomesh.xml";
    if (access(path, R_OK) != 0) SKIP("%s is not here", path);
    pair p = load_file(path);
    compare(&p, 30);
}
