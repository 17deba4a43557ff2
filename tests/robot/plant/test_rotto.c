// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ROTTO's drives carry in single support what a sequence of static poses says that was computed beforehand with
// constant levers (robots.md, section 2: steps of 0.10 m, hips at 0.765 m, trunk rolled by 10 degrees, pelvis 0.050 m
// ahead and 0.070 m aside of the middle). Poses are placed here by their geometry, not by the rounded angles there.
#include "check.h"
#include "support/message.h"

#include <footfall/math.h>
#include <footfall/plant.h>

static ff_plant *plant;
static ff_data *data;

static void finish(void)
{
    ff_data_destroy(data);
    ff_plant_destroy(plant);
}

static void load(void)
{
    ff_report report = {0};
    ff_plant_options options = ff_plant_options_default();
    options.drive.ideal = true;
    if (plant) return;
    plant = ff_plant_load(FF_SOURCE_DIR "/robots/rotto/rotto.yaml", &options, &report);
    if (!plant || report.count) CHECK_FAIL("%s", message_of(&report, 0));
    ff_report_clear(&report);
    data = ff_data_create(plant->model, NULL);
    atexit(finish);
}

static int joint_of(const char *side, const char *name)
{
    char full[60];
    snprintf(full, sizeof full, "%s_%s", side, name);
    const int joint = ff_model_find_joint(plant->model, full);
    if (joint < 0) CHECK_FAIL("no joint %s", full);
    return joint;
}

static void set_joint(const char *side, const char *name, double angle)
{
    data->q[plant->model->joints[joint_of(side, name)].qadr] = angle;
}

/// Angles of a leg whose ankle lies at (ahead, outwards, -down) from its hip and whose sole is level.
static void bend(const char *side, double ahead, double outwards, double down)
{
    const double length = sqrt(outwards * outwards + down * down), reach = sqrt(length * length + ahead * ahead);
    const double half = acos(0.5 * reach / 0.35), lean = atan2(ahead, length), roll = atan2(outwards, down);
    set_joint(side, "hip_roll", roll);
    set_joint(side, "hip_pitch", lean + half);
    set_joint(side, "knee", 2.0 * half);
    set_joint(side, "ankle_pitch", half - lean);
    set_joint(side, "ankle_roll", -roll);
}

static void pose(double swing_ahead, double lift)
{
    const ff_model *m = plant->model;
    ff_data_reset(m, data);
    const double q[7] = {0.05, 0.07, 0.765, 1, 0, 0, 0}; // stance ankle at (0, 0.1)
    memcpy(data->q, q, sizeof q);
    bend("left", -0.05, -0.07, 0.765 - 0.09);
    bend("right", swing_ahead - 0.05, 0.07, 0.765 - 0.09 - lift);
    data->q[m->joints[ff_model_find_joint(m, "torso_roll")].qadr] = -10.0 * FF_PI / 180.0;
    ff_dyn_kinematics(m, data);
}

/// Joint torques at rest with all the weight on the left sole, below the centre of mass.
static void carry(double *tau)
{
    const ff_model *m = plant->model;
    double com[3];
    ff_dyn_com(m, data, com);
    ff_dyn_clear_forces(m, data);
    const double at[3] = {com[0], com[1], 0.0}, down[3] = {0, 0, -m->mass * 9.81}, none[3] = {0, 0, 0};
    ff_dyn_apply_force(m, data, ff_model_find_body(m, "left_foot"), at, down, none);
    ff_dyn_gravity(m, data, tau);
    ff_dyn_add_wrench_torque(m, data, tau);
    for (int k = 0; k < 6; k++) CHECK_NEAR(tau[k], 0.0, 1e-9); // balance: nothing holds the pelvis
}

static const ff_drive *drive_of(const char *name)
{
    const int i = ff_drive_set_find(plant->drives, name);
    if (i < 0) CHECK_FAIL("no drive %s", name);
    return &plant->drives->drives[i];
}

static double knee_force(const double *tau)
{
    const ff_drive_path *p = &drive_of("left_knee")->path;
    return tau[p->vadr[0]] / ff_drive_path_locate(p, data->q, data->v).lever[0];
}

static void pair_force(const double *tau, const char *a, const char *b, double force[2])
{
    const ff_drive_path *p = &drive_of(a)->path;
    const ff_drive_position x = ff_drive_path_locate(p, data->q, data->v);
    const ff_drive_position y = ff_drive_path_locate(&drive_of(b)->path, data->q, data->v);
    const double det = x.lever[0] * y.lever[1] - x.lever[1] * y.lever[0];
    const double t0 = tau[p->vadr[0]], t1 = tau[p->vadr[1]];
    force[0] = (t0 * y.lever[1] - t1 * y.lever[0]) / det;
    force[1] = (t1 * x.lever[0] - t0 * x.lever[1]) / det;
}

/// What exact levers make of constant ones of 0.05 and 0.06 m: a crank of 0.064 to 0.066 m at the knee, rods that do
/// not stand square.  [N]
static const double LEVERS = 14.0;

/// A row of the table: the swing foot, forces of the stance drives [N].
typedef struct row {
    double ahead, lift;
    double hip[2], knee, ankle[2];
} row;

static const row TABLE[] = {{-0.10, 0.02, {203, -247}, -229, {177, 32}},
                            {0.00, 0.02, {236, -213}, -173, {211, 66}},
                            {0.10, 0.02, {264, -185}, -127, {238, 94}}};

static double torque_of(const double *tau, const char *joint)
{
    return tau[plant->model->joints[joint_of("left", joint)].vadr];
}

TEST(joints_carry_in_single_support_what_the_table_says)
{
    load();
    double *tau = calloc((size_t)plant->model->nv, sizeof *tau);
    for (int i = 0; i < 3; i++) {
        const row *r = &TABLE[i];
        pose(r->ahead, r->lift);
        carry(tau);
        // Forces of the table times its levers. It rounds forces to 1 N and lumps the upper body; both its drives pull
        // up what pitch counts as down.
        CHECK_NEAR(torque_of(tau, "hip_pitch"), -0.05 * (r->hip[0] + r->hip[1]), 0.2);
        CHECK_NEAR(torque_of(tau, "hip_roll"), 0.05 * (r->hip[0] - r->hip[1]), 0.2);
        CHECK_NEAR(torque_of(tau, "knee"), 0.06 * r->knee, 0.2);
        CHECK_NEAR(torque_of(tau, "ankle_pitch"), -0.05 * (r->ankle[0] + r->ankle[1]), 0.2);
        CHECK_NEAR(torque_of(tau, "ankle_roll"), 0.05 * (r->ankle[0] - r->ankle[1]), 0.2);
    }
    free(tau);
}

TEST(exact_levers_change_the_forces_of_the_table_by_14_newton_at_most)
{
    load();
    double *tau = calloc((size_t)plant->model->nv, sizeof *tau), hip[2], ankle[2], most = 0.0;
    for (int i = 0; i < 3; i++) {
        const row *r = &TABLE[i];
        pose(r->ahead, r->lift);
        carry(tau);
        pair_force(tau, "left_hip_a", "left_hip_b", hip);
        pair_force(tau, "left_ankle_a", "left_ankle_b", ankle);
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(hip[k], r->hip[k], LEVERS);
            CHECK_NEAR(ankle[k], r->ankle[k], LEVERS);
            most = ff_max(most, ff_max(fabs(hip[k]), fabs(ankle[k])));
        }
        CHECK_NEAR(knee_force(tau), r->knee, LEVERS);
    }
    CHECK(most > 128.0 && most < 400.0); // beyond nominal, within the greatest force
    free(tau);
}

TEST(the_stroke_gives_the_knee_95_degrees)
{
    load();
    const ff_drive *knee = drive_of("left_knee");
    ff_data_reset(plant->model, data);
    set_joint("left", "knee", 0.0);
    const double straight = ff_drive_path_locate(&knee->path, data->q, data->v).x;
    set_joint("left", "knee", 95.0 * FF_PI / 180.0);
    CHECK_NEAR(ff_drive_path_locate(&knee->path, data->q, data->v).x - straight, 0.10, 1e-5);
}

TEST(every_joint_is_moved_by_linear_drives)
{
    load();
    const ff_model *m = plant->model;
    CHECK_INT(m->nv, 32);
    CHECK_INT(plant->drives->n, 26);
    for (int j = 1; j < m->njoint; j++) {
        bool moved = false;
        for (int i = 0; i < plant->drives->n; i++) {
            const ff_drive *d = &plant->drives->drives[i];
            CHECK(d->linear);
            for (int k = 0; k < d->path.njoint; k++) moved = moved || d->path.joint[k] == j;
        }
        if (!moved) CHECK_FAIL("nothing moves %s", m->joints[j].name);
    }
}

TEST(the_current_loop_in_closed_form_has_bandwidth_constant_and_losses_of_the_full_one)
{
    ff_report report = {0};
    ff_plant_options options = ff_plant_options_default();
    options.drive.lag = true;
    ff_plant *lag = ff_plant_load(FF_SOURCE_DIR "/robots/rotto/rotto.yaml", &options, &report);
    if (!lag) CHECK_FAIL("%s", message_of(&report, 0));
    for (int i = 0; i < lag->drives->n; i++) {
        const ff_drive *d = &lag->drives->drives[i];
        CHECK_INT(d->motor, FF_MOTOR_LAG);
        CHECK_NEAR(d->dc.constant, 0.03, 1e-15);      // [N m/A]
        CHECK_NEAR(d->dc.resistance, 0.75, 1e-15);    // [ohm] three phases lose 3/2 R i^2
        CHECK_NEAR(d->lag, 2.0 * FF_PI * 1500, 1e-9); // [rad/s]
    }
    ff_plant_destroy(lag);
    ff_report_clear(&report);
}
