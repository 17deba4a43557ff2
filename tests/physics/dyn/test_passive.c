// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of springs, dampers, dry friction and stops against their formulas, and the two laws they all fulfil: at rest
// the force is the negative gradient of the stored energy, in motion their power is at most the decrease of this
// energy.
#include <footfall/dyn.h>

#include "check.h"
#include "dyn/packed.h"
#include "support/random_robot.h"

typedef struct machine {
    ff_model *m;
    ff_data *d;
} machine;

/// One body on one joint, which `edit` may change.
static ff_spec *one_joint(ff_joint_type type, ff_spec_joint **joint)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "body", -1);
    body->has_inertial = true;
    body->mass = 1;
    ff_vec3_set(body->inertia, 0.1, 0.1, 0.1);
    *joint = ff_spec_add_joint(spec, "joint", 0, type);
    return spec;
}

static machine start(ff_spec *spec)
{
    ff_report report = {0};
    machine k = {.m = ff_model_compile(spec, NULL, &report)};
    ff_spec_destroy(spec);
    if (!k.m) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    ff_report_clear(&report);
    k.d = ff_data_create(k.m, NULL);
    return k;
}

static void finish(machine k)
{
    ff_data_destroy(k.d);
    ff_model_destroy(k.m);
}

/// Force of a joint of one degree of freedom.
static double force_at(machine k, double q, double v)
{
    k.d->q[0] = q;
    k.d->v[0] = v;
    ff_dyn_passive(k.m, k.d);
    return k.d->passive[0];
}

TEST(springs_pull_to_their_reference)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_SLIDE, &joint);
    joint->stiffness = 40;
    joint->spring_ref = 0.25;
    joint->ref = 3; // where q counts from does not matter
    machine k = start(spec);
    for (double q = -1; q <= 1; q += 0.25) {
        CHECK_NEAR(force_at(k, q, 0), -40 * (q - 0.25), 1e-14);
        CHECK_NEAR(k.d->passive_energy, 20 * (q - 0.25) * (q - 0.25), 1e-14);
        CHECK_NEAR(k.d->passive_power, 0, 0);
    }
    finish(k);
}

TEST(dampers_and_dry_friction_oppose_motion)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_HINGE, &joint);
    joint->damping = 3;
    joint->dry_friction = 0.8;
    joint->dry_speed = 0.05;
    machine k = start(spec);
    CHECK_NEAR(force_at(k, 1, 0), 0, 0);
    CHECK_NEAR(force_at(k, 1, 0.05), -3 * 0.05 - 0.8 / sqrt(2), 1e-15); // 71 % of the level at the regularisation speed
    for (double v = 1e-4; v < 1e4; v *= 7) {
        double force = force_at(k, 1, v);
        CHECK_NEAR(force, -3 * v - 0.8 * v / hypot(v, 0.05), 1e-14 * (1 + v));
        CHECK_NEAR(k.d->passive_power, -force * v, 1e-14 * (1 + v * v));
        CHECK_NEAR(force_at(k, 1, -v), -force, 0);
    }
    // far above the regularisation speed Coulomb's law: the level, whatever the speed
    CHECK_NEAR(force_at(k, 0, 1e3) + 3e3, -0.8, 0.8 * 0.5 * 0.05 * 0.05 / 1e6 + 1e-12);
    CHECK_NEAR(k.d->passive_energy, 0, 0);
    finish(k);
}

TEST(stops_push_when_pressed_and_never_pull)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_HINGE, &joint);
    joint->limited = true;
    joint->range[0] = -0.5;
    joint->range[1] = 0.75;
    joint->stop_stiffness = 200;
    joint->stop_damping = 4;
    machine k = start(spec);
    for (double q = -0.5; q <= 0.75; q += 0.125) CHECK_NEAR(force_at(k, q, 5), 0, 0); // free between the stops
    CHECK_NEAR(force_at(k, 0.8, 0), -200 * 0.05, 1e-13);
    CHECK_NEAR(k.d->passive_energy, 100 * 0.05 * 0.05, 1e-14);
    CHECK_NEAR(force_at(k, 0.8, 2), -10 - 8, 1e-13); // going in: the damper helps
    CHECK_NEAR(k.d->passive_power, 4 * 2 * 2, 1e-13);
    CHECK_NEAR(force_at(k, 0.8, -1), -10 + 4, 1e-13); // coming out: less push
    CHECK_NEAR(k.d->passive_power, 4, 1e-13);
    CHECK_NEAR(force_at(k, 0.8, -10), 0, 0); // out faster than the stop relaxes: no contact
    CHECK_NEAR(k.d->passive_power, 10 * 10, 1e-12);
    CHECK_NEAR(force_at(k, -0.6, 0), 20, 1e-13);
    CHECK_NEAR(force_at(k, -0.6, -1), 24, 1e-13);
    CHECK_NEAR(force_at(k, -0.6, 100), 0, 0);
    finish(k);
}

TEST(constants_that_a_file_leaves_out_have_their_defaults)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_HINGE, &joint);
    joint->limited = true;
    joint->dry_friction = 1;
    machine k = start(spec);
    // 1 N m deflects a stop by 1 mrad; 10 N m s/rad; dry friction is half grown at 0.01 / sqrt 3
    CHECK_NEAR(force_at(k, -1e-3, 0), 1, 1e-15);
    CHECK_NEAR(force_at(k, 1e-3, 0.01 / sqrt(3)), -1 - 10 * 0.01 / sqrt(3) - 0.5, 1e-14);
    finish(k);
}

static void turn_to(double q[4], const double axis[3], double angle)
{
    ff_quat_from_axis_angle(q, axis, angle);
}

TEST(ball_joints_have_a_spring_to_rest_and_stop_at_their_cone)
{
    const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, across[3] = {1 / sqrt(2), 0, -1 / sqrt(2)};
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_BALL, &joint);
    joint->stiffness = 6;
    joint->limited = true;
    joint->range[1] = 0.9;
    joint->stop_stiffness = 300;
    joint->stop_damping = 5;
    machine k = start(spec);
    ff_dyn_passive(k.m, k.d); // at rest, where the rotation vector has no direction
    for (int i = 0; i < 3; i++) CHECK_NEAR(k.d->passive[i], 0, 0);
    const double angles[] = {0.1, 0.89, 0.95, 2.5}, rates[] = {0, 2, -0.5, -100};
    for (int a = 0; a < 4; a++)
        for (int r = 0; r < 4; r++) {
            turn_to(k.d->q, axis, angles[a]);
            for (int i = 0; i < 3; i++) k.d->v[i] = rates[r] * axis[i] + 7 * across[i]; // moving along the cone is free
            ff_dyn_passive(k.m, k.d);
            double depth = fmax(0, angles[a] - 0.9), push = depth > 0 ? fmax(0, 300 * depth + 5 * rates[r]) : 0;
            for (int i = 0; i < 3; i++) CHECK_NEAR(k.d->passive[i], -(6 * angles[a] + push) * axis[i], 1e-11);
            CHECK_NEAR(k.d->passive_energy, 3 * angles[a] * angles[a] + 150 * depth * depth, 1e-11);
            CHECK(k.d->passive_power >= 0);
        }
    // beyond half a turn the rotation vector points the other way
    turn_to(k.d->q, axis, 2 * FF_PI - 0.3);
    memset(k.d->v, 0, 3 * sizeof(double));
    ff_dyn_passive(k.m, k.d);
    for (int i = 0; i < 3; i++) CHECK_NEAR(k.d->passive[i], 6 * 0.3 * axis[i], 1e-13);
    finish(k);
}

TEST(free_and_planar_joints_are_sprung_to_where_they_started)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_FREE, &joint);
    ff_vec3_set(spec->bodies[0].pos, 1, 2, 3);
    const double z[3] = {0, 0, 1};
    turn_to(spec->bodies[0].quat, z, 0.5);
    joint->stiffness = 10;
    machine k = start(spec);
    k.d->q[1] += 0.2;
    turn_to(k.d->q + 3, z, 0.8);
    ff_dyn_passive(k.m, k.d);
    const double expected[6] = {0, -2, 0, 0, 0, -3};
    for (int i = 0; i < 6; i++) CHECK_NEAR(k.d->passive[i], expected[i], 1e-14);
    CHECK_NEAR(k.d->passive_energy, 5 * (0.04 + 0.09), 1e-14);
    finish(k);

    spec = one_joint(FF_JOINT_PLANAR, &joint);
    joint->stiffness = 10;
    joint->damping = 2;
    k = start(spec);
    for (int i = 0; i < 3; i++) k.d->q[i] = 0.1 * (i + 1);
    k.d->v[1] = 4;
    ff_dyn_passive(k.m, k.d);
    for (int i = 0; i < 3; i++) CHECK_NEAR(k.d->passive[i], -(i + 1.0) - (i == 1 ? 8 : 0), 1e-14);
    CHECK_NEAR(k.d->passive_energy, 5 * 0.14, 1e-14);
    CHECK_NEAR(k.d->passive_power, 32, 1e-14);
    finish(k);
}

// ------------------------------------------------------------------------------------------ weight that is balanced

// A rod of 2 kg with its centre 0.5 m out, at the angle q from straight ahead about y: weight turns it by 9.81 cos(q),
// and the force balances 30 % of that.
TEST(a_lift_balances_its_share_of_the_weight)
{
    ff_spec_joint *joint;
    ff_spec *spec = one_joint(FF_JOINT_HINGE, &joint);
    ff_vec3_set(joint->axis, 0, 1, 0);
    spec->bodies[0].mass = 2;
    spec->bodies[0].com[0] = 0.5;
    spec->bodies[0].gravcomp = 0.3;
    machine k = start(spec);
    for (double q = -3; q <= 3; q += 0.5) {
        k.d->q[0] = q;
        ff_dyn_kinematics(k.m, k.d);
        CHECK_NEAR(force_at(k, q, 0), -0.3 * 9.81 * cos(q), 1e-14);
        CHECK_NEAR(k.d->lift_energy, 0.3 * 9.81 * sin(q), 1e-14);
        CHECK_NEAR(k.d->passive_energy, 0, 0);
    }
    finish(k);
}

// Where the same share s of each body is balanced, the forces are s times those that hold the robot still
// (ff_dyn_gravity), and the energy is -s times that of the weight, up to a constant: 0, as no body is fixed.
TEST(lifts_of_all_bodies_balance_the_robot)
{
    ff_random random = ff_random_make(63, 0);
    for (int nbody = 2; nbody < 14; nbody++) {
        ff_spec *spec = random_robot(&random, nbody, true, true);
        for (int b = 0; b < spec->nbody; b++) spec->bodies[b].gravcomp = 0.7;
        for (int j = 0; j < spec->njoint; j++) {
            ff_spec_joint *joint = &spec->joints[j];
            joint->stiffness = joint->damping = joint->dry_friction = 0.0;
            joint->limited = false;
        }
        machine k = start(spec);
        double hold[200];
        CHECK(k.m->nv <= 200 && k.m->nlift > 0);
        random_state(k.m, k.d, &random);
        ff_dyn_kinematics(k.m, k.d);
        ff_dyn_gravity(k.m, k.d, hold);
        ff_dyn_passive(k.m, k.d);
        for (int i = 0; i < k.m->nv; i++) CHECK_NEAR(k.d->passive[i], 0.7 * hold[i], 1e-11);
        ff_dyn_take_lifts(k.m, k.d, hold); // the part for drives
        for (int i = 0; i < k.m->nv; i++) CHECK_NEAR(hold[i], k.d->passive[i] * 0.3 / 0.7, 1e-11);
        CHECK_NEAR(ff_dyn_lifted_mass(k.m), 0.7 * (k.m->mass - k.m->fixed_mass), 1e-12 * k.m->mass);
        const double weight = ff_dyn_potential_energy(k.m, k.d);
        CHECK_NEAR(k.d->lift_energy, -0.7 * weight, 1e-12 * (1.0 + fabs(weight)));
        finish(k);
    }
}

// ------------------------------------------------------------------------------------------ laws

static double energy_at(machine k, const double *q, const double *v, double t)
{
    ff_dyn_advance(k.m, q, v, t, k.d->q);
    ff_dyn_passive(k.m, k.d);
    return k.d->passive_energy;
}

enum { MOST = 200 };

static machine random_machine(ff_random *random, int nbody, bool smooth)
{
    ff_spec *spec = random_robot(random, nbody, nbody % 2, smooth);
    for (int j = 0; j < spec->njoint; j++) {
        ff_spec_joint *joint = &spec->joints[j];
        if (joint->type == FF_JOINT_FREE) joint->stiffness = 3;
        if (joint->type != FF_JOINT_BALL) continue;
        joint->limited = true;
        joint->range[0] = 0;
        joint->range[1] = 0.7;
    }
    return start(spec);
}

TEST(at_rest_the_force_is_the_gradient_of_the_stored_energy)
{
    ff_random random = ff_random_make(61, 0);
    const double h = 1e-5;
    for (int nbody = 2; nbody < 14; nbody++) {
        machine k = random_machine(&random, nbody, false);
        double q[MOST], v[MOST] = {0}, force[MOST];
        CHECK(k.m->nq <= MOST);
        random_state(k.m, k.d, &random);
        memcpy(q, k.d->q, (size_t)k.m->nq * sizeof *q);
        memset(k.d->v, 0, (size_t)k.m->nv * sizeof *v);
        ff_dyn_passive(k.m, k.d);
        CHECK_NEAR(k.d->passive_power, 0, 0);
        memcpy(force, k.d->passive, (size_t)k.m->nv * sizeof *force);
        for (int i = 0; i < k.m->nv; i++) {
            v[i] = 1;
            double slope = (energy_at(k, q, v, h) - energy_at(k, q, v, -h)) / (2 * h);
            v[i] = 0;
            // energies up to 1e4 J are rounded to 1e-12 J: 1e-7 N after division by h; angles of balls add h^2
            CHECK_NEAR(-force[i], slope, 2e-6);
        }
        finish(k);
    }
}

TEST(power_taken_from_the_motion_is_stored_or_dissipated)
{
    ff_random random = ff_random_make(62, 0);
    const double h = 1e-6;
    for (int round = 0; round < 100; round++) {
        machine k = random_machine(&random, 2 + round % 10, round % 3 == 0);
        double q[MOST], v[MOST], given = 0;
        random_state(k.m, k.d, &random);
        memcpy(q, k.d->q, (size_t)k.m->nq * sizeof *q);
        memcpy(v, k.d->v, (size_t)k.m->nv * sizeof *v);
        ff_dyn_passive(k.m, k.d);
        const double dissipated = k.d->passive_power;
        CHECK(dissipated >= 0);
        for (int i = 0; i < k.m->nv; i++) given -= k.d->passive[i] * v[i];
        double stored = (energy_at(k, q, v, h) - energy_at(k, q, v, -h)) / (2 * h);
        CHECK_NEAR(given, stored + dissipated, 1e-9 * (fabs(given) + dissipated + 1e4)); // rounding of 1e4 J over h
        finish(k);
    }
}
