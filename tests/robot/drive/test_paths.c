// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths of drives by levers, cranks and rods: travel and power that is the same on both sides.
#include "rig.h"

/// ROTTO's ankle: two rods, 50 mm beside and behind the joint, 0.3 m long when the foot is level. z up; pitch about y,
/// then roll about x.
static void ankle(ff_rod rods[2])
{
    for (int i = 0; i < 2; i++) {
        const double side = i ? -0.05 : 0.05;
        rods[i] = (ff_rod){
            .base = {-0.05, side, 0.3}, .platform = {-0.05, side, 0.0}, .axis = {{0, 1, 0}, {1, 0, 0}}, .rest = 0.3};
    }
}

// Levers are the derivatives, by central differences.
TEST(levers_of_rods_and_cranks_are_derivatives)
{
    ff_rod rods[2];
    ankle(rods);
    const double h = 1e-6;
    for (double a = -0.6; a <= 0.6; a += 0.17)
        for (double b = -0.4; b <= 0.4; b += 0.13) {
            double lever[2];
            ff_rod_travel(&rods[0], (double[]){a, b}, lever);
            CHECK_NEAR((ff_rod_travel(&rods[0], (double[]){a + h, b}, NULL) -
                        ff_rod_travel(&rods[0], (double[]){a - h, b}, NULL)) /
                           (2 * h),
                       lever[0], 1e-9);
            CHECK_NEAR((ff_rod_travel(&rods[0], (double[]){a, b + h}, NULL) -
                        ff_rod_travel(&rods[0], (double[]){a, b - h}, NULL)) /
                           (2 * h),
                       lever[1], 1e-9);
        }
    const ff_crank knee = {0.057, 0.30, 0.57}; // LOLA; lengths assumed
    for (double q = 0.02; q < 2.2; q += 0.11) {
        double lever, bend;
        ff_crank_length(&knee, q, &lever, &bend);
        CHECK_NEAR((ff_crank_length(&knee, q + h, NULL, NULL) - ff_crank_length(&knee, q - h, NULL, NULL)) / (2 * h),
                   lever, 1e-9);
        double more, less;
        ff_crank_length(&knee, q + h, &more, NULL);
        ff_crank_length(&knee, q - h, &less, NULL);
        CHECK_NEAR((more - less) / (2 * h), bend, 1e-8);
        CHECK_BELOW(2.0 * FF_PI * lever / 5e-3, 72.0); // ratio of the knee with a lead of 5 mm: at most 72 (Tab B.1)
    }
}

static double path_power(const ff_drive_path *path, const double q[2], const double v[2])
{
    const ff_drive_position at = ff_drive_path_locate(path, q, v);
    return (at.lever[0] * v[0] + at.lever[1] * v[1]) - at.speed;
}

TEST(every_path_passes_power_on)
{
    const double table_q[] = {-1.0, 0.0, 1.0}, table_r[] = {0.02, 0.05, 0.03};
    ff_rod rods[2];
    ankle(rods);
    ff_drive_path paths[] = {{.kind = FF_PATH_JOINT, .njoint = 1},
                             {.kind = FF_PATH_LEVERS, .njoint = 2, .lever = {0.03, -0.04}, .offset = 0.01},
                             {.kind = FF_PATH_TABLE, .njoint = 1, .table = {table_q, table_r, 3}},
                             {.kind = FF_PATH_CRANK, .njoint = 1, .crank = {0.057, 0.30, 0.57}},
                             {.kind = FF_PATH_ROD, .njoint = 2, .rod = rods[0]}};
    for (int n = 0; n < 5; n++) {
        paths[n].qadr[1] = paths[n].vadr[1] = 1;
        const double q[2] = {0.31, -0.22}, v[2] = {1.3, paths[n].njoint > 1 ? -0.7 : 0.0}, h = 1e-6;
        CHECK_NEAR(path_power(&paths[n], q, v), 0.0, 1e-16);
        const double more[2] = {q[0] + h * v[0], q[1] + h * v[1]}, less[2] = {q[0] - h * v[0], q[1] - h * v[1]};
        const double moved = ff_drive_path_locate(&paths[n], more, v).x - ff_drive_path_locate(&paths[n], less, v).x;
        CHECK_NEAR(moved / (2.0 * h), ff_drive_path_locate(&paths[n], q, v).speed, 1e-9);
        // the drift is how the speed of x changes on the way, the speeds of the joints being what they are
        const double faster =
            ff_drive_path_locate(&paths[n], more, v).speed - ff_drive_path_locate(&paths[n], less, v).speed;
        CHECK_NEAR(faster / (2.0 * h), ff_drive_path_drift(&paths[n], q, v), 1e-9);
    }
}

// Biarticular cable: tau_1 = -r1 F, tau_2 = -r2 F, slack when short (docs/drives.md).
TEST(biarticular_cable_pulls_both_joints)
{
    ff_drive d = ff_drive_default();
    ff_error err = {0};
    d.motor = FF_MOTOR_NONE;
    d.path = (ff_drive_path){
        .kind = FF_PATH_LEVERS, .njoint = 2, .qadr = {0, 1}, .vadr = {0, 1}, .lever = {0.03, 0.03}, .offset = 1e-3};
    d.cable = (ff_cable){.stiffness = 4000.0};
    CHECK_INT(ff_drive_finish(&d, 0.0, &err), FF_OK);
    CHECK_INT(d.nstate, 0);
    ff_drive_memory m = {0};
    ff_drive_flow f;
    ff_drive_evaluate(&d, &m, (double[]){0.2, 0.1}, (double[]){0, 0}, NULL, NULL, &f);
    CHECK_NEAR(f.at.lever[0] * f.force, -0.03 * 4000.0 * (1e-3 + 0.03 * 0.3), 1e-12);
    CHECK_NEAR(f.stored, 0.5 * 4000.0 * 0.01 * 0.01, 1e-12);
    ff_drive_evaluate(&d, &m, (double[]){-0.2, 0.1}, (double[]){0, 0}, NULL, NULL, &f);
    CHECK_NEAR(f.force, 0.0, 0.0);
}

TEST(bad_numbers_are_refused_by_name)
{
    ff_error err = {0};
    ff_drive d = ff_drive_default();
    d.name = "knee";
    d.ratio = 0.0;
    CHECK_INT(ff_drive_finish(&d, 0.0, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "drive 'knee': gear ratio is 0");
    d.ratio = 100.0;
    d.dc.rotor = -1e-6;
    CHECK_INT(ff_drive_finish(&d, 0.0, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "rotor inertia is -1e-06");
    d.dc.rotor = 0.0;
    d.transmission = FF_TRANSMISSION_FLEXIBLE;
    CHECK_INT(ff_drive_finish(&d, 0.0, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "inertia of the rotor");
}
