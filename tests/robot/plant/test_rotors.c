// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotors that turn rigidly with their joints: behind spindles, cranks and tables, whose levers change with the pose,
// and on two joints at once, which they couple.
#include "support/arm.h"

static arm start_rotors(const char *text, ff_drive_transmission transmission, const ff_sim_options *options)
{
    ff_drive_options o = ff_drive_options_default();
    o.transmission = transmission;
    return start_with(text, &o, options);
}

static ff_sim_options closely(ff_method method, double step)
{
    ff_sim_options o = with(method, step);
    o.relative = 1e-11;
    o.absolute = 1e-13;
    return o;
}

static void set_state(arm *a, const double *q, const double *v)
{
    ff_sim_set_state(a->sim, q, v);
    ff_sim_start_drives(a->sim);
}

static const double *accelerate(arm *a)
{
    ff_error err = {0};
    if (ff_sim_evaluate(a->sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return ff_sim_data(a->sim)->qacc;
}

// ------------------------------------------------------------------------------------------ one joint

// m x'' = F with m = carriage + J (2 pi belt / lead)^2: 2 kg and 21.9 kg, however the file says it.
TEST(a_spindle_multiplies_its_rotor)
{
    static const char text[] =
        "footfall: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  carriage:\n"
        "    joint: {name: travel, type: slide, axis: x, drive: {rotor: 5e-6, spindle: {lead: 6 mm, belt: 2}}}\n"
        "    inertial: {mass: 2, box: [1, 1, 1]}\n";
    const ff_sim_options o = closely(FF_METHOD_RK4, 1e-3);
    arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, 100.0);
    const double ratio = 2.0 * FF_PI * 2.0 / 0.006;
    CHECK_NEAR(accelerate(&a)[0], 100.0 / (2.0 + 5e-6 * ratio * ratio), 1e-12);
}

static const char CRANK[] = "footfall: 1\n"
                            "gravity: [0, 0, 0]\n"
                            "bodies:\n"
                            "  shank:\n"
                            "    joint: {name: knee, axis: y}\n"
                            "    inertial: {mass: 1, box: [0.6, 0.6, 0.6]}\n" // 0.06 kg m^2
                            "drives: {screw: {joint: knee, rotor: 5e-6, spindle: {lead: 5 mm}, path: {%s}}}\n";

// Without torque (I + J N^2 r(q)^2) q'^2 is constant: the speed at any pose is known from that at the start.
TEST(a_free_knee_slows_down_where_its_lever_is_long)
{
    static const char *const paths[2] = {"kind: crank, a: 0.057, b: 0.3, angle: 0.57",
                                         "kind: table, table: [-0.5, 0.02, 0.5, 0.06, 1.5, 0.03]"};
    for (int n = 0; n < 2; n++) {
        char text[1000];
        snprintf(text, sizeof text, CRANK, paths[n]);
        const ff_sim_options o = closely(FF_METHOD_ADAPTIVE, 1e-3);
        arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
        set_state(&a, (double[]){-0.4}, (double[]){3.0});
        const double J = a.set->drives[0].inertia, I = 0.06;
        double r = ff_drive_path_locate(&a.set->drives[0].path, (double[]){-0.4}, (double[]){1.0}).lever[0];
        const double energy = 0.5 * (I + J * r * r) * 9.0;
        double most = 0.0;
        for (int k = 1; k <= 5; k++) {
            run(&a, 0.1 * k);
            const ff_data *d = ff_sim_data(a.sim);
            r = ff_drive_path_locate(&a.set->drives[0].path, d->q, d->v).lever[0];
            most = fmax(most, J * r * r);
            CHECK_NEAR(d->v[0], sqrt(2.0 * energy / (I + J * r * r)), 1e-8); // [rad/s] tolerance 1e-11 a step
            CHECK_NEAR(ff_sim_energy(a.sim).kinetic, energy, 1e-8);
        }
        CHECK(most > 0.2 * I); // the rotor counts
    }
}

// ------------------------------------------------------------------------------------------ two joints

static const char HEAD[] = "footfall: 1\n"
                           "gravity: [0, 0, 0]\n"
                           "bodies:\n"
                           "  head:\n"
                           "    joints: {pitch: {axis: y}, yaw: {axis: z}}\n"
                           "    inertial: {mass: 1.0, box: [0.6, 0.6, 0.6]}\n"
                           "drives:\n"
                           "  left: {joints: [pitch, yaw], rotor: 0.02, path: {kind: levers, levers: [1, 1]}}\n"
                           "  right: {joints: [pitch, yaw], rotor: 0.05, path: {kind: levers, levers: [1, -1]}}\n";

// M = I 1 + J1 (1 1)(1 1)' + J2 (1 -1)(1 -1)': unequal rotors couple the axes by J1 - J2.
TEST(unequal_rotors_of_a_differential_couple_its_axes)
{
    const ff_sim_options o = closely(FF_METHOD_RK4, 1e-3);
    arm a = start_rotors(HEAD, FF_TRANSMISSION_RIGID, &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, 1.0);
    const double m = 0.06 + 0.07, c = 0.02 - 0.05, det = m * m - c * c;
    const double *acc = accelerate(&a); // of torques (1, 1)
    CHECK_NEAR(acc[0], (m - c) / det, 1e-12);
    CHECK_NEAR(acc[1], (m - c) / det, 1e-12);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, 0.0);
    ff_sim_drive_command(a.sim, (ff_drive_id){1}, 0, 0, 1.0); // (1, -1)
    acc = accelerate(&a);
    CHECK_NEAR(acc[0], (m + c) / det, 1e-12);
    CHECK_NEAR(acc[1], -(m + c) / det, 1e-12);
}

/// ROTTO's ankle with two spindles of different motors, swinging under gravity; `more` goes into each drive.
static void ankle(char *text, size_t size, const char *more)
{
    snprintf(text, size,
             "footfall: 1\n"
             "bodies:\n"
             "  foot:\n"
             "    joints: {pitch: {axis: y}, roll: {axis: x}}\n"
             "    inertial: {mass: 1.5, com: [0.04, 0.01, -0.08], box: [0.2, 0.1, 0.05]}\n"
             "drives:\n"
             "  left: {joints: [pitch, roll], rotor: 5e-6, spindle: {lead: 6 mm, belt: 2}, path: {kind: rod, base: "
             "[-0.05, 0.05, 0.3], "
             "platform: [-0.05, 0.05, 0]}%s}\n"
             "  right: {joints: [pitch, roll], rotor: 2e-6, spindle: {lead: 6 mm, belt: 2}, path: {kind: rod, base: "
             "[-0.05, -0.05, 0.3], "
             "platform: [-0.05, -0.05, 0]}%s}\n",
             more, more);
}

TEST(a_swinging_ankle_keeps_its_energy)
{
    char text[2000];
    ankle(text, sizeof text, "");
    const ff_sim_options o = closely(FF_METHOD_ADAPTIVE, 1e-3);
    arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
    set_state(&a, (double[]){0.5, -0.3}, (double[]){2.0, 3.0});
    const double before = ff_sim_energy(a.sim).total;
    run(&a, 0.5);
    printf("  after half a second at %.2f, %.2f rad\n", ff_sim_q(a.sim)[0], ff_sim_q(a.sim)[1]);
    CHECK(fabs(ff_sim_q(a.sim)[1] + 0.3) > 0.1); // [rad] it has swung
    CHECK_NEAR(ff_sim_energy(a.sim).total, before, 1e-9);
    CHECK_NEAR(ff_sim_ledger(a.sim).residual, 0.0, 1e-9);
}

/// Pose after 20 ms with springs between rotors and rods, which carry their inertia in states of their own: another
/// route to the same motion.
static void sprung(double stiffness, double q[2])
{
    char text[2000], spring[200];
    // damped well, so that what is left is the deflection under load
    snprintf(spring, sizeof spring, ", transmission: {kind: flexible, stiffness: %g, damping: %g}", stiffness,
             0.5 * sqrt(stiffness * 10.0));
    ankle(text, sizeof text, spring);
    const ff_sim_options o = closely(FF_METHOD_ADAPTIVE, 1e-3);
    arm a = start_rotors(text, FF_TRANSMISSION_FLEXIBLE, &o);
    CHECK_INT(ff_sim_data(a.sim)->nrotor, 0);
    set_state(&a, (double[]){0.5, -0.3}, (double[]){2.0, 3.0});
    run(&a, 0.02);
    memcpy(q, ff_sim_q(a.sim), 2 * sizeof *q);
}

TEST(rigid_rotors_are_the_limit_of_stiff_springs)
{
    char text[2000];
    double rigid[2], soft[2], hard[2];
    ankle(text, sizeof text, "");
    const ff_sim_options o = closely(FF_METHOD_ADAPTIVE, 1e-3);
    arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
    CHECK_INT(ff_sim_data(a.sim)->nrotor, 2);
    set_state(&a, (double[]){0.5, -0.3}, (double[]){2.0, 3.0});
    run(&a, 0.02);
    memcpy(rigid, ff_sim_q(a.sim), sizeof rigid);
    sprung(1e7, soft);
    sprung(4e7, hard);
    for (int k = 0; k < 2; k++) {
        printf("  springs of 1e7 and 4e7 N/m are off by %.1e and %.1e rad\n", soft[k] - rigid[k], hard[k] - rigid[k]);
        CHECK_BELOW(fabs(soft[k] - rigid[k]), 5e-5); // some 100 N on 1e7 N/m at 0.05 m: 2e-4 rad at most
        CHECK_BELOW(fabs(hard[k] - rigid[k]), 0.35 * fabs(soft[k] - rigid[k])); // a quarter: first order in 1 / K
    }
}

TEST(every_method_moves_coupled_rotors)
{
    const struct {
        ff_method method;
        double step, most; // [s], [rad]
    } cases[] = {{FF_METHOD_ADAPTIVE, 1e-3, 0.0},  {FF_METHOD_RK4, 5e-4, 1e-9},   {FF_METHOD_RK2, 1e-4, 1e-6},
                 {FF_METHOD_IMPLICIT, 1e-4, 1e-6}, {FF_METHOD_EULER, 2e-5, 1e-4}, {FF_METHOD_CVODE, 1e-3, 1e-7}};
    char text[2000];
    double q[2];
    ankle(text, sizeof text, "");
    for (int n = 0; n < 6; n++) {
        if (!ff_method_built(cases[n].method)) continue;
        const ff_sim_options o = closely(cases[n].method, cases[n].step);
        arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
        set_state(&a, (double[]){0.5, -0.3}, (double[]){2.0, 3.0});
        run(&a, 0.1);
        if (n == 0) memcpy(q, ff_sim_q(a.sim), sizeof q);
        for (int k = 0; k < 2; k++) CHECK_NEAR(ff_sim_q(a.sim)[k], q[k], cases[n].most);
    }
}

TEST(a_restored_run_goes_on_with_the_same_bits)
{
    char text[2000];
    ankle(text, sizeof text, "");
    const ff_sim_options o = closely(FF_METHOD_RK4, 1e-3);
    arm a = start_rotors(text, FF_TRANSMISSION_RIGID, &o), b = start_rotors(text, FF_TRANSMISSION_RIGID, &o);
    set_state(&a, (double[]){0.5, -0.3}, (double[]){2.0, 3.0});
    run(&a, 0.05);
    must_copy_state(a.sim, b.sim);
    run(&a, 0.1);
    run(&b, 0.1);
    CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));
}

TEST(a_rotor_between_branches_is_reported)
{
    static const char text[] = "footfall: 1\n"
                               "bodies:\n"
                               "  a: {joint: {name: p, axis: y}, inertial: {mass: 1, box: [1, 1, 1]}}\n"
                               "  b: {joint: {name: q, axis: y}, inertial: {mass: 1, box: [1, 1, 1]}}\n"
                               "drives: {x: {joints: [p, q], rotor: 1e-3, path: {kind: levers, levers: [1, -1]}}}\n";
    ff_report report = {0};
    ff_spec *spec = parse(text, &report);
    CHECK(!ff_plant_compile(spec, NULL, &report));
    ff_spec_destroy(spec);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, "neither of its joints 'p' and 'q' carries the other");
    CHECK_INT(report.messages[0].line, 5);
    ff_report_clear(&report);
}
