// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse kinematics of the whole body: the task is fulfilled whatever the null space does, and each part of the cost
// does what it is for: gradients are those of the costs, by differences, and the free joints go downhill.
#include "biped/biped_lab.h"
#include "biped/ik.h"

typedef struct bench {
    lab lab;
    ff_biped_ik *ik;
} bench;

static bench bench_open(void)
{
    static ff_biped_ik ik;
    ff_error err = {0};
    bench b = {.lab = lab_open(), .ik = &ik};
    if (!ik.data) ik.data = ff_data_create(b.lab.model, &err);
    CHECK(ik.data != NULL);
    ik = (ff_biped_ik){.robot = b.lab.robot, .data = ik.data};
    return b;
}

/// Puts LOLA into its standing pose, some joints bent by `by`.
static void bench_bend(bench *b, const char *const *joints, int count, double by)
{
    double q[FF_BIPED_DOFS + 1];
    memcpy(q, b->lab.robot->q, sizeof q);
    for (int i = 0; i < count; i++) q[b->lab.model->joints[ff_model_find_joint(b->lab.model, joints[i])].qadr] += by;
    ff_biped_ik_place(b->ik, q);
}

static int dof_of(const bench *b, const char *joint)
{
    return b->lab.model->joints[ff_model_find_joint(b->lab.model, joint)].vadr;
}

/// A task that asks for something of every row.
static ff_biped_task wanted(bench *b)
{
    ff_biped_task task;
    ff_biped_ik_read(b->ik, NULL, &task);
    for (int k = 0; k < 3; k++) {
        task.com_vel[k] = 0.1 * (k + 1);
        task.torso_omega[k] = 0.05 * (k - 1);
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            task.foot[f].vel[k] = 0.1 * (f - k);
            task.foot[f].omega[k] = 0.02 * (f + k);
        }
    }
    return task;
}

// J v is what the task asks for, with every part of the cost at work: the null space moves nothing of it. 1e-9 of
// rounding by a matrix of condition 1e4.
TEST(the_null_space_leaves_the_task_alone)
{
    static const char *const bent[] = {"left_arm_adduction", "left_elbow_flexion", "right_arm_flexion"};
    static const ff_biped_ik_gains gains = {
        .task = 50.0, .comfort = 1.0, .limits = 50.0, .self_collision = 1000.0, .angular_momentum = 2.0};
    bench b = bench_open();
    ff_biped_task is;
    double v[FF_BIPED_DOFS];
    bench_bend(&b, bent, 3, -0.3);
    const ff_biped_task task = wanted(&b);
    CHECK(ff_biped_ik_velocity(b.ik, &task, &gains, v));
    ff_biped_ik_read(b.ik, v, &is);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(is.com_vel[k], task.com_vel[k], 1e-9);
        CHECK_NEAR(is.torso_omega[k], task.torso_omega[k], 1e-9);
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            CHECK_NEAR(is.foot[f].vel[k], task.foot[f].vel[k], 1e-9);
            CHECK_NEAR(is.foot[f].omega[k], task.foot[f].omega[k], 1e-9);
        }
    }
}

/// Velocity of a joint while the robot is to stand still.
static double drift(bench *b, const char *joint, ff_biped_ik_gains gains)
{
    ff_biped_task still;
    double v[FF_BIPED_DOFS];
    ff_biped_ik_read(b->ik, NULL, &still);
    ff_biped_ik_velocity(b->ik, &still, &gains, v);
    return v[dof_of(b, joint)];
}

// An elbow that is bent by 0.4 rad more than in the standing pose comes back; without the weight it stays.
TEST(free_joints_are_drawn_to_the_standing_pose)
{
    static const char *const bent[] = {"left_elbow_flexion"};
    bench b = bench_open();
    bench_bend(&b, bent, 1, -0.4);
    const double q = -0.4, range = b.lab.model->joints[ff_model_find_joint(b.lab.model, bent[0])].range[1] -
                                   b.lab.model->joints[ff_model_find_joint(b.lab.model, bent[0])].range[0];
    // -dH/dq of one half (q / range)^2, less the little that holds the centre of mass where it is
    CHECK_NEAR(drift(&b, bent[0], (ff_biped_ik_gains){.comfort = 1.0}), -q / (range * range), 0.1 / (range * range));
    CHECK_NEAR(drift(&b, bent[0], (ff_biped_ik_gains){0}), 0.0, 1e-12);
}

// A head that looks as far as it can is drawn back by the last tenth of its range; in the middle nothing acts.
TEST(free_joints_are_drawn_away_from_their_limits)
{
    static const char *const bent[] = {"head_pan"};
    bench b = bench_open();
    const ff_joint *joint = &b.lab.model->joints[ff_model_find_joint(b.lab.model, bent[0])];
    const double half = 0.5 * (joint->range[1] - joint->range[0]), middle = joint->range[0] + half;
    const double start = b.lab.robot->q[joint->qadr];
    bench_bend(&b, bent, 1, middle + half - start);
    CHECK_NEAR(drift(&b, bent[0], (ff_biped_ik_gains){.limits = 50.0}), -50.0 * 0.2 / half, 0.5 / half);
    bench_bend(&b, bent, 1, middle + 0.79 * half - start);
    CHECK_NEAR(drift(&b, bent[0], (ff_biped_ik_gains){.limits = 50.0}), 0.0, 1e-9);
}

// The gradient of the cost of nearness is that of differences over every joint, with an arm in the way of a thigh and
// legs that cross; central differences over 1e-6 rad leave 1e-9 of a cost of curvature 1e3, and rounding 1e-16 / 1e-6.
TEST(the_gradient_of_nearness_is_that_of_its_cost)
{
    // no two hulls are parallel, where the nearest points would jump from end to end
    static const char *const bent[] = {"left_arm_adduction", "right_arm_rotation", "left_hip_adduction",
                                       "right_hip_flexion"};
    bench b = bench_open();
    const ff_model *m = b.lab.model;
    double q[FF_BIPED_DOFS + 1], moved[FF_BIPED_DOFS + 1], at = 0.0;
    int active = 0;
    CHECK(b.lab.robot->npair > 20);
    for (double by = -0.37; by <= 0.4; by += 0.11) {
        double gradient[FF_BIPED_DOFS] = {0.0}, none[FF_BIPED_DOFS] = {0.0};
        bench_bend(&b, bent, 4, by);
        memcpy(q, b.ik->data->q, sizeof q);
        at = ff_biped_collision_cost(b.lab.robot, b.ik->data, 1000.0, gradient);
        active += at > 0.0;
        for (int k = 0; k < m->nv; k++) {
            double v[FF_BIPED_DOFS] = {0.0}, cost[2];
            v[k] = 1.0;
            for (int side = 0; side < 2; side++) {
                ff_dyn_advance(m, q, v, side ? 1e-6 : -1e-6, moved);
                ff_biped_ik_place(b.ik, moved);
                cost[side] = ff_biped_collision_cost(b.lab.robot, b.ik->data, 1000.0, none);
            }
            CHECK_NEAR(gradient[k], (cost[1] - cost[0]) / 2e-6, 1e-4);
        }
    }
    CHECK(active > 2);
}

// An arm that is led into the hip by its pose comes to rest 5 cm away, less what the pose draws; without the cost it
// stays where it is.
TEST(limbs_are_drawn_apart)
{
    static const char *const bent[] = {"left_arm_adduction"};
    for (int with = 0; with < 2; with++) {
        bench b = bench_open();
        const ff_biped_ik_gains gains = {.task = 50.0, .self_collision = with ? 1000.0 : 0.0};
        double least[2] = {INFINITY, INFINITY}, v[FF_BIPED_DOFS], p[3], r[3];
        ff_biped_task still;
        bench_bend(&b, bent, 1, 0.0);
        double by = 0.0; // in which direction the arm comes near
        for (int side = -1; side <= 1; side += 2)
            for (double angle = 0.05; angle < 0.6 && by == 0.0; angle += 0.05) {
                double none[FF_BIPED_DOFS] = {0.0};
                bench_bend(&b, bent, 1, side * angle);
                if (ff_biped_collision_cost(b.lab.robot, b.ik->data, 1000.0, none) > 0.1) by = side * angle;
            }
        CHECK(by != 0.0);
        bench_bend(&b, bent, 1, by);
        ff_biped_ik_read(b.ik, NULL, &still);
        for (int i = 0; i < 500; i++) {
            for (int k = 0; k < b.lab.robot->npair && (i == 0 || i == 499); k++)
                least[i > 0] =
                    fmin(least[i > 0], ff_biped_hull_distance(b.lab.robot, b.ik->data, &b.lab.robot->pairs[k], p, r) -
                                           b.lab.robot->pairs[k].away);
            ff_biped_ik_velocity(b.ik, &still, &gains, v);
            ff_biped_ik_advance(b.ik, v, 1e-3);
        }
        printf("  nearest pair %.1f mm too near at first, %.1f mm after 0.5 s\n", -1e3 * least[0], -1e3 * least[1]);
        CHECK(least[0] < -0.01);
        if (with)
            CHECK(least[1] > -0.002);
        else
            CHECK_NEAR(least[1], least[0], 1e-6);
    }
}

// A foot that swings ahead turns the robot about the vertical axis; arms and pelvis reduce its angular momentum L to
// L / (1 + w n) with the weight w, where n, their inertia, is found from the first two.
TEST(arms_swing_against_the_momentum_of_the_legs)
{
    static const double weights[4] = {0.0, 1.0, 10.0, 100.0};
    bench b = bench_open();
    const int nv = b.lab.model->nv;
    double momentum[4] = {0.0};
    ff_biped_task task;
    bench_bend(&b, NULL, 0, 0.0);
    ff_biped_ik_read(b.ik, NULL, &task);
    task.foot[1].vel[0] = 1.0;
    task.foot[1].vel[2] = 0.2;
    for (int i = 0; i < 4; i++) {
        double v[FF_BIPED_DOFS];
        ff_biped_ik_velocity(b.ik, &task, &(ff_biped_ik_gains){.task = 50.0, .angular_momentum = weights[i]}, v);
        for (int k = 0; k < nv; k++) momentum[i] += b.ik->momentum[2 * nv + k] * v[k];
    }
    const double n = momentum[0] / momentum[1] - 1.0;
    CHECK(fabs(momentum[0]) > 0.1 && n > 0.01);
    for (int i = 2; i < 4; i++) CHECK_NEAR(momentum[i], momentum[0] / (1.0 + n * weights[i]), 1e-9);
}

/// Root mean square of the torque about the vertical axis that the feet must give at 0.5 m/s.  [N m]
static double yaw_torque(bench *b, double weight, double *swing)
{
    const double dt = 1e-3;
    const ff_biped_ik_gains gains = {.task = 50.0, .comfort = 1.0, .limits = 50.0, .angular_momentum = weight};
    const int nv = b->lab.model->nv,
              arm = b->lab.model->joints[ff_model_find_joint(b->lab.model, "left_arm_flexion")].qadr;
    ff_biped_planner *planner = planner_of(&b->lab, NULL, (ff_biped_command){.speed = 0.5, .walk = true});
    double v[FF_BIPED_DOFS], sum = 0.0, last = 0.0, low = INFINITY, high = -INFINITY;
    int count = 0;
    bench_bend(b, NULL, 0, 0.0);
    for (int i = 0; i * dt < CHECK_LASTS(6.4, 4.0); i++) {
        ff_biped_target target;
        double momentum = 0.0;
        ff_biped_planner_tick(planner, i * dt, &target);
        ff_biped_ik_velocity(b->ik, &target.task, &gains, v);
        for (int k = 0; k < nv; k++) momentum += b->ik->momentum[2 * nv + k] * v[k];
        ff_biped_ik_advance(b->ik, v, dt);
        if (i * dt > 3.2) {
            sum += (momentum - last) * (momentum - last) / (dt * dt);
            low = fmin(low, b->ik->data->q[arm]);
            high = fmax(high, b->ik->data->q[arm]);
            count++;
        }
        last = momentum;
    }
    *swing = high - low;
    return sqrt(sum / count);
}

// Legs that swing turn the robot; arms that swing against them leave less for the soles to hold by friction.
TEST(swinging_arms_lower_the_torque_under_the_feet)
{
    bench b = bench_open();
    static const double weights[3] = {0.0, 5.0, 20.0};
    double torque[3], swing[3];
    for (int i = 0; i < 3; i++) {
        torque[i] = yaw_torque(&b, weights[i], &swing[i]);
        printf("  weight %.1f: %.1f N m rms about the vertical, arms swing by %.0f degrees\n", weights[i], torque[i],
               swing[i] * 180.0 / FF_PI);
    }
    CHECK_BELOW(torque[1], 0.8 * torque[0]); // 1 / (1 + 5 n) is 0.72 for arms that hang, 1 / (1 + 20 n) is 0.4
    CHECK_BELOW(torque[2], 0.5 * torque[0]);
    CHECK_BELOW(swing[2], 1.2);
    CHECK_BELOW(swing[0], 0.1);
}
