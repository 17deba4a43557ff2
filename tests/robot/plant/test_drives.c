// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives in a simulation: described in robot files, stepped by every method, with a closed ledger, located impacts,
// saving, recording, and no allocation in the step.
#include "support/allocations.h"
#include "support/arm.h"

#include <footfall/load.h>
#include <footfall/record.h>

#define RIGID                                                                                                          \
    "{kind: dc, gear: 100, rotor: 2e-6, efficiency: 0.8, motor: {resistance: 2, constant: 0.05, voltage: 24, "         \
    "viscous: 1e-6, dry: 1e-4},"                                                                                       \
    " loop: {kp: 40, kd: 2}}"
#define FLEXIBLE                                                                                                       \
    "{kind: lag, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, current: 8}, loop: {kp: 20, kd: 0.5}," \
    " transmission: {kind: flexible, stiffness: 2000, damping: 1}}"
#define LOOSE                                                                                                          \
    "{kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, voltage: 24}, loop: {kp: 30, kd: 1},"   \
    " transmission: {kind: backlash, stiffness: 3000, damping: 0.5, gap: 0.01, inertia: 0.004, motor_damping: 0.1, "   \
    "restitution: 0.5}}"

// ------------------------------------------------------------------------------------------ descriptions

TEST(rotors_count_once)
{
    char text[4000];
    ff_report report = {0};
    ff_drive_options o = ff_drive_options_default();
    snprintf(text, sizeof text, ARM, RIGID, FLEXIBLE, "");
    ff_plant *plant = owned_plant(make_plant(text, &o, &report));
    CHECK(plant);
    CHECK_INT(plant->drives->n, 2);
    CHECK_INT(plant->drives->nstate, 3); // i, theta, w of the elbow
    CHECK_NEAR(plant->model->dof_armature[0], 2e-6 * 1e4, 1e-15);
    CHECK_NEAR(plant->model->dof_armature[1], 0.0, 1e-15);
    CHECK_NEAR(plant->drives->drives[1].inertia, 0.02, 1e-15);
    o.transmission = FF_TRANSMISSION_RIGID; // switched off: both are armature
    plant = owned_plant(make_plant(text, &o, &report));
    CHECK(plant);
    CHECK_INT(plant->drives->nstate, 1);
    CHECK_NEAR(plant->model->dof_armature[1], 0.02, 1e-15);
    CHECK_INT(report.errors, 0);
    ff_report_clear(&report);
}

static void expect_error(const char *shoulder, const char *more, const char *words, int line)
{
    char text[4000];
    ff_report report = {0};
    const ff_drive_options o = ff_drive_options_default();
    snprintf(text, sizeof text, ARM, shoulder, "{gear: 1}", more);
    CHECK(!make_plant(text, &o, &report));
    CHECK(report.errors > 0);
    const ff_message *m = NULL;
    for (int i = 0; i < report.count && !m; i++)
        if (report.messages[i].severity == FF_ERROR) m = &report.messages[i];
    CHECK_SAYS(m->text, words);
    CHECK_TEXT(m->file, "arm.yaml");
    CHECK_INT(m->line, line);
    CHECK(m->column > 0);
    ff_report_clear(&report);
}

TEST(mistakes_are_reported_with_their_place)
{
    expect_error("{gear: 0}", "", "'gear' is 0: it must be other than zero", 5);
    expect_error("{gear: 50, rotor: -1e-6}", "", "'rotor' is -1e-06 kg m^2: it must be zero or more", 5);
    expect_error("{kind: steam}", "", "'kind' is 'steam'; allowed: none, ideal, servo, dc, lag, pmsm", 5);
    expect_error("{kind: dc, motor: {resistence: 2}}", "", "did you mean 'resistance'?", 5);
    expect_error("{kind: dc, motor: {resistance: -2, constant: 1}}", "", "'resistance' is -2 ohm: it must be positive",
                 5);
    expect_error("{kind: dc, motor: {resistance: 2}}", "", "motor constant is 0", 5);
    expect_error("{kind: pmsm, motor: {pairs: 1e9}}", "", "between 1 and 1000", 5);
    expect_error("{loop: {kp: 1, rate: 1e9}}", "", "at most 1000000 Hz", 5);
    expect_error("{transmission: {kind: flexible, stiffness: 10}}", "", "inertia of the rotor after the gear is 0", 5);
    expect_error("{loop: {kind: force}}", "", "a force loop needs a spring", 5);
    expect_error("{gear: 1}", "drives:\n  cable: {joint: ankle, kind: none}\n",
                 "drive \"cable\" refers to joint \"ankle\"", 13);
    expect_error("{gear: 1}", "drives:\n  cable: {joints: [shoulder, elbow], kind: none, cable: {stiffness: 9}}\n",
                 "its path must be 'levers' or 'rod'", 13);
    expect_error("{gear: 1}", "drives:\n  cable: {kind: none}\n", "either 'joint' or 'joints'", 13);
    expect_error("{gear: 1}", "drives:\n  x: {joint: elbow, path: {kind: table, table: [0, 1, 0, 2]}}\n",
                 "with x rising", 13);
}

TEST(a_pole_too_fast_for_the_step_is_left_out_with_a_note)
{
    char text[4000];
    ff_report report = {0};
    ff_drive_options o = ff_drive_options_default();
    o.step = 1e-3;
    snprintf(text, sizeof text, ARM,
             "{kind: dc, motor: {resistance: 2, inductance: 1e-3, constant: 0.05, voltage: 12}}", "{gear: 1}", "");
    ff_plant *plant = owned_plant(make_plant(text, &o, &report));
    CHECK(plant);
    CHECK_INT(plant->drives->nstate, 0);
    CHECK_INT(report.count, 1);
    CHECK_INT(report.messages[0].severity, FF_NOTE);
    CHECK_SAYS(report.messages[0].text, "L / R = 0.0005 s is left out, as the step of 0.001 s");
    o.step = 1e-5;
    plant = owned_plant(make_plant(text, &o, &report));
    CHECK_INT(plant->drives->nstate, 1);
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ motion

/// The arm with a rigid and a flexible drive, whose joints are to go to these angles.
static arm start_move(const char *shoulder_drive, const ff_sim_options *o, double shoulder, double elbow)
{
    arm a = start(shoulder_drive, FLEXIBLE, "", o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, shoulder, 0.0, 0.0);
    ff_sim_drive_command(a.sim, (ff_drive_id){1}, elbow, 0.0, 0.0);
    return a;
}

// What comes from the supply is motion, height, springs and heat.
TEST(ledger_closes_with_every_method)
{
    const struct {
        ff_method method;
        double step, most; // [s], [J]
    } cases[] = {{FF_METHOD_RK4, 2.5e-5, 1e-8}, {FF_METHOD_RK2, 2.5e-5, 1e-5}, {FF_METHOD_ADAPTIVE, 1e-3, 1e-7}};
    for (int n = 0; n < 3; n++) {
        const ff_sim_options o = with(cases[n].method, cases[n].step);
        arm a = start_move(RIGID, &o, 0.8, -0.5);
        run(&a, 0.5);
        const ff_ledger l = ff_sim_ledger(a.sim);
        CHECK(l.work > 0.5); // [J] the arm was lifted
        CHECK(l.lost_parts > 0.1);
        CHECK_NEAR(l.residual, 0.0, cases[n].most);
    }
}

// Energies are integrated with the state, by the same weights as the ledger: sums of them are its entries to rounding,
// at every step and whatever the loops do at their samples.
TEST(energies_of_drives_add_up_to_the_ledger)
{
    const struct {
        ff_method method;
        double step; // [s]
    } cases[] = {{FF_METHOD_EULER, 1e-4}, {FF_METHOD_RK2, 1e-4},      {FF_METHOD_RK4, 1e-4},
                 {FF_METHOD_CVODE, 1e-3}, {FF_METHOD_IMPLICIT, 1e-3}, {FF_METHOD_ADAPTIVE, 1e-3}};
    for (int n = 0; n < 6; n++) {
        if (!ff_method_built(cases[n].method)) continue;
        const ff_sim_options o = with(cases[n].method, cases[n].step);
        arm a = start_move(RIGID, &o, 0.8, -0.5);
        run(&a, 0.3);
        const ff_drive_memory *m[2] = {ff_sim_drive_memory(a.sim, (ff_drive_id){0}),
                                       ff_sim_drive_memory(a.sim, (ff_drive_id){1})};
        const ff_ledger l = ff_sim_ledger(a.sim);
        // [J] the implicit method books the ledger after the states of a part have settled to 1e-9 of their size,
        // drives before
        const double most = cases[n].method == FF_METHOD_IMPLICIT ? 1e-8 : 1e-12;
        CHECK(l.work > 0.5);
        CHECK_NEAR(m[0]->electrical + m[1]->electrical, l.work, most);
        CHECK(m[0]->copper > 0.01);
        CHECK_BELOW(m[0]->copper + m[1]->copper, l.lost_parts); // friction, gear and damper take the rest
    }
}

// A held voltage on a motor that is held: u^2 / R for ever, all of it heat, and the winding warms by its own law.
TEST(energy_and_temperature_of_a_stalled_motor_are_those_of_a_resistor)
{
    static const char text[] =
        "footfall: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  wheel:\n"
        "    joint: {name: axle, axis: y, drive: {kind: dc, motor: {resistance: 2, constant: 1e-9, "
        "voltage: 24}, thermal: {resistance: 5, capacity: 4, ambient: 20}}}\n"
        "    inertial: {mass: 1, box: [1, 1, 1]}\n";
    const ff_sim_options o = with(FF_METHOD_EULER, 1e-4);
    arm a = start_text(text, &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, 6.0);
    run(&a, 2.0);
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->electrical, 6.0 * 6.0 / 2.0 * 2.0,
               1e-9); // [J] 18 W for 2 s, rounding of 20000 sums
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->copper, 36.0, 1e-9);
    // [K] 90 (1 - exp(-t / 20 s)); second order in a millisecond, and up to a millisecond old
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->temperature, 20.0 + 90.0 * (1.0 - exp(-0.1)), 5e-3);
}

TEST(methods_agree_on_a_flexible_arm)
{
    double q[4][2];
    const ff_method methods[4] = {FF_METHOD_ADAPTIVE, FF_METHOD_RK4, FF_METHOD_EULER, FF_METHOD_IMPLICIT};
    const double steps[4] = {1e-3, 2.5e-5, 1e-5, 1e-4}, most[4] = {0.0, 1e-7, 1e-3, 5e-4};
    for (int n = 0; n < 4; n++) {
        const ff_sim_options o = with(methods[n], steps[n]);
        arm a = start_move(RIGID, &o, 0.5, -0.4);
        run(&a, 0.3);
        memcpy(q[n], ff_sim_q(a.sim), sizeof q[n]);
        CHECK_NEAR(q[n][0], q[0][0], most[n]); // [rad]
        CHECK_NEAR(q[n][1], q[0][1], most[n]);
    }
}

static double elbow_after(ff_method method, double step)
{
    ff_sim_options o = with(method, step);
    o.relative = 1e-12;
    o.absolute = 1e-13;
    arm a = start_move(FLEXIBLE, &o, 0.5, -0.4);
    run(&a, 0.3);
    return ff_sim_q(a.sim)[1];
}

// Steps end at the samples of the loops, so that between them the motion is smooth and every method keeps its order,
// springs and lags of drives (9000 1/s) included.
TEST(drives_keep_the_order_of_a_method)
{
    const struct {
        ff_method method;
        double step, order; // [s]
    } cases[] = {{FF_METHOD_EULER, 1.25e-4, 1.0}, {FF_METHOD_RK2, 6.25e-5, 2.0}, {FF_METHOD_IMPLICIT, 1.5625e-5, 2.0}};
    const double exact = elbow_after(FF_METHOD_ADAPTIVE, 1e-3);
    for (int n = CHECK_LASTS(0, 2); n < 3; n++) {
        const double coarse = elbow_after(cases[n].method, cases[n].step) - exact;
        const double fine = elbow_after(cases[n].method, 0.5 * cases[n].step) - exact;
        const double order = log2(fabs(coarse / fine));
        printf("  %s: off by %.1e and %.1e rad, order %.2f\n", ff_method_name(cases[n].method), coarse, fine, order);
        CHECK_NEAR(order, cases[n].order, 0.15); // what the next power of the step leaves at a tenth of the lag
    }
    CHECK_NEAR(elbow_after(FF_METHOD_RK4, 6.25e-5), exact, 1e-10); // [rad] (h w)^5 a step, w h = 0.6 for the lag
}

TEST(impacts_are_located_and_agree_with_small_steps)
{
    double q[3], residual[3];
    const ff_method methods[3] = {FF_METHOD_ADAPTIVE, FF_METHOD_RK4, FF_METHOD_RK4};
    const double steps[3] = {1e-3, 1e-5, 4e-5};
    int impacts[3];
    for (int n = 0; n < 3; n++) {
        const ff_sim_options o = with(methods[n], steps[n]);
        arm a = start(LOOSE, RIGID, "", &o);
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.3, 0.0, 0.0);
        run(&a, 0.25);
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, -0.3, 0.0, 0.0); // back through the gap
        run(&a, 0.5);
        q[n] = ff_sim_q(a.sim)[0];
        residual[n] = fabs(ff_sim_ledger(a.sim).residual);
        impacts[n] = ff_sim_drive_memory(a.sim, (ff_drive_id){0})->impacts;
        CHECK(impacts[n] > 2);
    }
    printf("  impacts %d, %d, %d; angle off by %.1e and %.1e rad; residual %.1e, %.1e, %.1e J\n", impacts[0],
           impacts[1], impacts[2], fabs(q[1] - q[0]), fabs(q[2] - q[0]), residual[0], residual[1], residual[2]);
    CHECK_NEAR(q[1], q[0], 1e-4);
    CHECK_NEAR(q[2], q[0], 5e-4);
    CHECK_BELOW(residual[0], 1e-7); // [J] the error control does not test the integrals of the ledger
    CHECK_BELOW(residual[1], 2e-3);
}

// Some hundred impacts, none of which may be passed over: what is left of the balance is the error of the method.
TEST(located_impacts_leave_only_the_error_of_the_method)
{
    static const char lively[] =
        "{kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, voltage: 24}, loop: {kp: 30, kd: 1},"
        " transmission: {kind: backlash, stiffness: 3000, damping: 0.5, gap: %g, inertia: 0.004}}";
    for (double gap = 1e-5; gap < 0.1; gap *= 1000.0)
        for (double tolerance = 1e-6; tolerance > 1e-11; tolerance *= 1e-2) {
            char text[500];
            ff_sim_options o = with(FF_METHOD_ADAPTIVE, 1e-3);
            o.relative = tolerance;
            o.absolute = 1e-2 * tolerance;
            snprintf(text, sizeof text, lively, gap);
            arm a = start(text, "{gear: 1, loop: {kp: 20, kd: 1}}", "", &o);
            ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.3, 0.0, 0.0);
            run(&a, 0.2);
            ff_sim_drive_command(a.sim, (ff_drive_id){0}, -0.3, 0.0, 0.0);
            run(&a, 0.4);
            const double residual = fabs(ff_sim_ledger(a.sim).residual);
            printf("  gap %g, tolerance %.0e: %d impacts, residual %.1e J\n", gap, tolerance,
                   ff_sim_drive_memory(a.sim, (ff_drive_id){0})->impacts, residual);
            CHECK(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->impacts > 50);
            CHECK_BELOW(residual, 10.0 * tolerance); // [J] of some 2 J turned over
        }
}

// Two motors on two crossed joints: synchronous motion turns one axis with the torque of both.
TEST(differential_moves_its_two_axes)
{
    static const char text[] = "footfall: 1\n"
                               "bodies:\n"
                               "  head:\n"
                               "    joints: {pitch: {axis: y}, yaw: {axis: z}}\n"
                               "    inertial: {mass: 1.0, box: [0.1, 0.1, 0.1]}\n"
                               "gravity: [0, 0, 0]\n"
                               "drives:\n"
                               "  left: {joints: [pitch, yaw], torque: 2, path: {kind: levers, levers: [1, 1]}}\n"
                               "  right: {joints: [pitch, yaw], torque: 2, path: {kind: levers, levers: [1, -1]}}\n";
    const ff_sim_options o = with(FF_METHOD_RK4, 1e-3);
    arm a = start_text(text, &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, 2.0);
    ff_sim_drive_command(a.sim, (ff_drive_id){1}, 0, 0, 2.0);
    run(&a, 0.01);
    const double I = 1.0 / 6.0 * 0.01; // of the cube
    CHECK_NEAR(ff_sim_v(a.sim)[0], 4.0 / I * 0.01, 1e-9);
    CHECK_NEAR(ff_sim_v(a.sim)[1], 0.0, 1e-12);
}

// A drive of each actuator of an MJCF: a motor's force is the one the actuator itself would make.
TEST(actuators_without_a_description_become_ideal_drives)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' "
        "size='0.02'/>"
        "<body pos='0 0 -0.3'><joint name='b' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' "
        "size='0.02'/></body>"
        "</body></worldbody><actuator><motor joint='a' name='m' gear='3' forcerange='-1 1' forcelimited='true'/>"
        "<position joint='b' name='p' kp='5' kv='0.1'/></actuator></mujoco>";
    ff_report report = {0};
    ff_error err = {0};
    const ff_load_options load = ff_load_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(spec, "mjcf", text, sizeof text - 1, "m.xml", &load, &report), FF_OK);
    ff_plant *plant = owned_plant(ff_plant_compile(spec, NULL, &report));
    ff_spec_destroy(spec);
    CHECK(plant);
    const ff_drive_set *set = plant->drives;
    CHECK_INT(set->n, 2);
    CHECK_NEAR(set->drives[0].stall, 3.0, 0.0);
    CHECK_NEAR(set->drives[1].kp, 5.0, 0.0);
    CHECK_NEAR(set->drives[1].kd, 0.1, 1e-17);
    double q[2];
    for (int n = 0; n < 2; n++) {
        ff_sim_options options = with(FF_METHOD_RK4, 1e-3);
        options.actuators = n == 0;
        ff_sim *sim = owned_sim(ff_sim_create(plant->model, &options, &err));
        if (n == 0) {
            ff_sim_set_command(sim, (ff_actuator_id){0}, 0.8);
        } else {
            CHECK_INT(ff_sim_add_plant(sim, plant, &err), FF_OK);
            ff_sim_drive_command(sim, (ff_drive_id){0}, 0, 0, 2.4);
        }
        CHECK_INT(ff_sim_run(sim, 0.2, &err), FF_OK);
        q[n] = ff_sim_q(sim)[0];
    }
    CHECK_NEAR(q[1], q[0], 1e-3 * fabs(q[0])); // the position servo is sampled at 1 kHz in one, continuous in the other
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ saving, recording, memory

TEST(a_restored_run_goes_on_with_the_same_bits)
{
    const ff_sim_options o = with(FF_METHOD_RK4, 5e-5);
    arm a = start(LOOSE, FLEXIBLE, "", &o), b = start(LOOSE, FLEXIBLE, "", &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.3, 0.0, 0.0);
    run(&a, 0.1);
    must_copy_state(a.sim, b.sim);
    run(&a, 0.3);
    run(&b, 0.3);
    CHECK(ff_sim_hash(a.sim) == ff_sim_hash(b.sim));
    CHECK_INT(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->impacts,
              ff_sim_drive_memory(b.sim, (ff_drive_id){0})->impacts);
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){1})->copper,
               ff_sim_drive_memory(b.sim, (ff_drive_id){1})->copper, 0.0);
}

TEST(powers_and_currents_are_recorded)
{
    const ff_sim_options o = with(FF_METHOD_RK4, 1e-4);
    arm a = start(RIGID, FLEXIBLE, "", &o);
    ff_error err = {0};
    const char *channels[] = {"drives.shoulder", "drives.*.temperature"};
    ff_record_options r = ff_record_options_default();
    r.channels = channels;
    r.nchannel = 2;
    r.duration = 0.1;
    ff_recorder *rec = ff_recorder_create(a.sim, &r, &err);
    if (!rec) CHECK_FAIL("%s", err.text);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.5, 0.0, 0.0);
    run(&a, 0.1);
    CHECK_INT(ff_recorder_columns(rec), 1 + 8 + 1);
    const int current = ff_recorder_find(rec, "drives.shoulder.current", NULL);
    const int copper = ff_recorder_find(rec, "drives.shoulder.copper_loss", NULL);
    const int power = ff_recorder_find(rec, "drives.shoulder.power.electrical", NULL);
    const int voltage = ff_recorder_find(rec, "drives.shoulder.voltage", NULL);
    for (int n = 0; n < 100; n++) {
        const double *row = ff_recorder_row(rec, n);
        CHECK_NEAR(row[copper], 2.0 * row[current] * row[current], 1e-12);
        CHECK_NEAR(row[power], row[voltage] * row[current], 1e-12);
    }
    CHECK_NEAR(ff_recorder_row(rec, 100)[ff_recorder_find(rec, "drives.shoulder.energy", NULL)],
               ff_sim_drive_memory(a.sim, (ff_drive_id){0})->electrical, 0.0);
    CHECK_NEAR(ff_sim_drive_memory(a.sim, (ff_drive_id){0})->electrical +
                   ff_sim_drive_memory(a.sim, (ff_drive_id){1})->electrical,
               ff_sim_ledger(a.sim).work, 1e-12); // [J]
}

TEST(stepping_with_drives_allocates_nothing)
{
    for (int n = 0; n < 2; n++) {
        const ff_sim_options o = with(n ? FF_METHOD_IMPLICIT : FF_METHOD_RK4, 1e-4);
        arm a = start(LOOSE, FLEXIBLE, "", &o);
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.3, 0.0, 0.0);
        run(&a, 0.01);
        const long long before = allocation_calls;
        run(&a, 0.05);
        CHECK_INT(allocation_calls - before, 0);
    }
}

/// ANTON as in its file: 24 direct-current motors, gears with backlash, position loops at 1 kHz.
TEST(anton_holds_its_pose_with_full_drives)
{
    ff_report report = {0};
    ff_error err = {0};
    const ff_load_options load = ff_load_options_default();
    ff_plant_options o = ff_plant_options_default();
    o.drive.step = 1e-4;
    o.drive.transmission = FF_TRANSMISSION_RIGID;
    o.sensed = false;
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_load(spec, FF_SOURCE_DIR "/robots/anton/anton.yaml", &load, &report) != FF_OK)
        SKIP("anton.yaml is not there");
    ff_vec3_set(spec->gravity, 0, 0, 0);
    ff_plant *plant = owned_plant(ff_plant_compile(spec, &o, &report));
    if (!plant) CHECK_FAIL("%s", report.messages[0].text);
    const ff_model *model = plant->model;
    const ff_drive_set *set = plant->drives;
    CHECK_INT(set->n, 24);
    CHECK_INT(set->nstate, 0); // rigid, pole left out at 0.1 ms
    const ff_sim_options options = with(FF_METHOD_EULER, 1e-4);
    ff_sim *sim = owned_sim(ff_sim_create(model, &options, &err));
    const int key = ff_model_find_key(model, "stand");
    if (key >= 0) ff_sim_set_state(sim, model->keys[key].q, NULL);
    CHECK_INT(ff_sim_add_plant(sim, plant, &err), FF_OK);
    const int knee = ff_drive_set_find(set, "ML_tibia");
    CHECK(knee >= 0);
    const double q0 = ff_sim_q(sim)[set->drives[knee].path.qadr[0]];
    ff_sim_drive_command(sim, (ff_drive_id){knee}, q0 + 0.1, 0.0, 0.0);
    if (ff_sim_run(sim, 0.5, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK_NEAR(ff_sim_q(sim)[set->drives[knee].path.qadr[0]], q0 + 0.1, 2e-3); // [rad]
    const double torque = ff_sim_drive_flow(sim, (ff_drive_id){knee}).force;
    CHECK_BELOW(fabs(torque), 0.2);
    CHECK(ff_sim_drive_memory(sim, (ff_drive_id){knee})->electrical > 0.0);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}
