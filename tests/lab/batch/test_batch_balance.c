// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a robot that nothing touches keeps, each robot of a batch by itself: its momentum, but for its weight, its
// angular momentum about its centre of mass, and its energy, with springs of joints and rotors. The method is of first
// order: what is lost halves with the step, and less than a hundredth of it is of higher order.
#include "one_body.h"
#include "support/random_robot.h"

enum { ROBOTS = 5, SEEDS = 8, BALANCE = 7 };
static const double TIME = 0.02; // [s]

/// All joints, free, without dampers, and without the springs that a batch does not have.
static ff_spec *free_robot(int seed)
{
    ff_random random = ff_random_make(23, (uint64_t)seed);
    ff_spec *spec = random_robot(&random, 3 + seed % 5, true, true);
    for (int i = 0; i < spec->njoint; i++) {
        ff_spec_joint *j = &spec->joints[i];
        if (j->type == FF_JOINT_BALL || j->type == FF_JOINT_FREE) j->stiffness = 0.0;
        if (j->type == FF_JOINT_FREE) j->armature = 0.0; // a rotor between the robot and the world would hold it back
    }
    return spec;
}

/// Factor of masses and inertias.
static double mass_of(int robot)
{
    return 0.7 + 0.15 * robot;
}

/// Angular momentum [N m s], momentum [N s] without what the weight gave it in t, energy [J].
static void take_balance(const ff_model *m, ff_data *d, double mass, double t, double out[BALANCE])
{
    double rotors = 0.0;
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    ff_dyn_passive(m, d);
    ff_dyn_momentum(m, d, out);
    for (int k = 0; k < 3; k++) out[3 + k] -= m->mass * m->gravity[k] * t;
    for (int k = 0; k < 6; k++) out[k] *= mass;
    for (int i = 0; i < m->nv; i++) rotors += 0.5 * m->dof_armature[i] * d->v[i] * d->v[i];
    out[6] = mass * (ff_dyn_kinetic_energy(m, d) - rotors + ff_dyn_potential_energy(m, d)) + rotors + d->passive_energy;
}

/// What each robot lost after TIME. @param sizes  of the balance at the start, the largest of all
static void lose(int seed, int steps, double lost[ROBOTS][BALANCE], double sizes[BALANCE])
{
    ff_spec *spec = free_robot(seed);
    ff_model *m = ff_model_compile(spec, NULL, NULL);
    ff_data *d = ff_data_create(m, NULL);
    ff_batch_model *model = batch_of(spec, TIME / steps);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = ROBOTS}, NULL);
    ff_random random = ff_random_make(24, (uint64_t)seed);
    double end[BALANCE];
    CHECK(b);
    for (int i = 0; i < ROBOTS; i++) {
        random_state(m, d, &random);
        CHECK_INT(ff_batch_set_parameter(b, i, FF_BATCH_MASS, mass_of(i), NULL), FF_OK);
        CHECK_INT(ff_batch_set_state(b, i, d->q, d->v, NULL), FF_OK);
        take_balance(m, d, mass_of(i), 0.0, lost[i]);
        for (int k = 0; k < BALANCE; k++) sizes[k] = ff_max(sizes[k], fabs(lost[i][k]));
    }
    CHECK_INT(ff_batch_step(b, steps, NULL), FF_OK);
    CHECK_INT(ff_batch_count(b, FF_BATCH_LIVES), ROBOTS);
    for (int i = 0; i < ROBOTS; i++) {
        ff_batch_get_state(b, i, d->q, d->v, NULL);
        take_balance(m, d, mass_of(i), TIME, end);
        for (int k = 0; k < BALANCE; k++) lost[i][k] -= end[k];
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    ff_data_destroy(d);
    ff_model_destroy(m);
}

TEST(momentum_and_energy_of_each_robot_are_kept_to_the_order_of_the_method)
{
    double worst[2] = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        double lost[2][ROBOTS][BALANCE], sizes[BALANCE] = {0}, most[BALANCE] = {0};
        for (int k = 0; k < 2; k++) lose(seed, 400 << k, lost[k], sizes);
        for (int i = 0; i < ROBOTS; i++)
            for (int k = 0; k < BALANCE; k++) most[k] = ff_max(most[k], fabs(lost[0][i][k]));
        for (int i = 0; i < ROBOTS; i++) {
            for (int k = 0; k < BALANCE; k++) {
                const double rest = fabs(2.0 * lost[1][i][k] - lost[0][i][k]);
                worst[0] = ff_max(worst[0], most[k] / sizes[k]);
                worst[1] = ff_max(worst[1], rest / most[k]);
                if (rest > 0.01 * most[k])
                    CHECK_FAIL("robot %d of %d, number %d: lost %g, and %g with half the step", i, seed, k,
                               lost[0][i][k], lost[1][i][k]);
            }
        }
    }
    printf("  lost: %.1e of it, of which %.1e is of higher order\n", worst[0], worst[1]);
    CHECK(worst[0] < 1e-3);
}
