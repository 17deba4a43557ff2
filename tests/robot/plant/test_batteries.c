// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batteries at work: a stalled motor and the battery are a voltage divider, each robot has its own, files change them,
// states are saved, and mistakes have their place.
#include "support/arm.h"
#include "support/message.h"

#define STALLED "{kind: dc, gear: 1, motor: {resistance: 2, constant: 0.001, voltage: 12}}"
#define BATTERY "battery: {voltage: 12, capacity: 2, resistance: 0.5}\n"

static arm start_battery(const char *more)
{
    const ff_sim_options o = with(FF_METHOD_EULER, 1e-4);
    return start(STALLED, STALLED, more, &o);
}

TEST(stalled_motors_divide_the_voltage_with_the_battery)
{
    arm a = start_battery(BATTERY);
    CHECK_INT(a.set->nbattery, 1);
    CHECK_TEXT(a.set->batteries[0].name, "battery");
    const ff_battery_state *s = ff_sim_battery(a.sim, 0);
    CHECK_NEAR(s->voltage, 12.0, 0.0);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, 20.0); // volts, beyond the supply
    run(&a, 0.1);
    // one motor: 12 V over 0.5 and 2 ohm; what the motor induces, 1e-3 V s times its speed of 0.05 rad/s, is left
    CHECK_NEAR(s->voltage, 12.0 * 2.0 / 2.5, 2e-4);
    CHECK_NEAR(s->current, 4.8, 1e-4);
    ff_sim_drive_command(a.sim, (ff_drive_id){1}, 0.0, 0.0, -20.0);
    run(&a, 0.2);
    CHECK_NEAR(s->voltage, 12.0 * 1.0 / 1.5, 5e-4); // two in parallel
    CHECK_NEAR(ff_sim_drive_flow(a.sim, (ff_drive_id){1}).voltage, -8.0, 1e-3);
    // charge: the first 0.1 s at 4.8 A, then at 8 A; the first milliseconds are on their way there
    CHECK_NEAR((1.0 - s->charge) * 7200.0, 0.1 * 4.8 + 0.1 * 8.0, 0.01);
}

#define GEARED                                                                                                         \
    "{kind: dc, gear: 50, rotor: 1e-6, motor: {resistance: 2, constant: 0.02, voltage: 12}, "                          \
    "loop: {kind: pd, kp: 20, kd: 1, rate: 1000}}"

TEST(energy_of_the_battery_is_that_of_its_drives)
{
    const ff_sim_options o = with(FF_METHOD_EULER, 1e-4);
    arm a = start(GEARED, GEARED, "battery: {voltage: 12, capacity: 2, resistance: 0.5, load: 3}\n", &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 1.0, 0.0, 0.0);
    run(&a, 0.5001);
    double taken = 0.0, power = 0.0;
    for (int i = 0; i < 2; i++) {
        taken += ff_sim_drive_memory(a.sim, (ff_drive_id){i})->electrical;
        power += ff_sim_drive_flow(a.sim, (ff_drive_id){i}).electrical;
    }
    CHECK(taken > 2.0);
    CHECK_NEAR(ff_sim_battery(a.sim, 0)->counted, taken - 1e-4 * power, 1e-4 * power); // since the last millisecond
    CHECK_NEAR(ff_sim_battery(a.sim, 0)->given, ff_sim_battery(a.sim, 0)->counted + 3.0 * 0.5, 1e-9);
}

TEST(a_low_battery_slows_what_asks_for_all_its_voltage)
{
    // no-load speed is voltage over constant: u / (0.02 * 50) rad/s at the joint
    double speeds[2];
    for (int low = 0; low < 2; low++) {
        const ff_sim_options o = with(FF_METHOD_EULER, 1e-4);
        arm a = start("{kind: dc, gear: 50, rotor: 1e-6, motor: {resistance: 2, constant: 0.02, voltage: 12}}", STALLED,
                      low ? "battery: {voltage: 12, capacity: 2, curve: [0, 6, 1, 6.001]}\ngravity: [0, 0, 0]\n"
                          : "battery: {voltage: 12, capacity: 2}\ngravity: [0, 0, 0]\n",
                      &o);
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, 12.0);
        run(&a, 5.0);
        speeds[low] = ff_sim_v(a.sim)[0];
    }
    CHECK_NEAR(speeds[0], 12.0, 0.01);
    CHECK_NEAR(speeds[1], 6.0, 0.01);
}

TEST(an_empty_battery_leaves_its_drives_without_power)
{
    arm a = start_battery("battery: {voltage: 12, capacity: 1e-4}\n"); // 0.36 C at 6 A
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0.0, 0.0, 12.0);
    run(&a, 0.059);
    CHECK_INT(ff_sim_battery(a.sim, 0)->off, 0);
    run(&a, 0.062);
    CHECK_INT(ff_sim_battery(a.sim, 0)->off, 1);
    CHECK_NEAR(ff_sim_drive_flow(a.sim, (ff_drive_id){0}).current, 0.0, 0.0);
}

TEST(a_run_saved_in_between_goes_on_with_the_same_bits)
{
    const ff_sim_options o = with(FF_METHOD_EULER, 1e-4);
    arm a = start(GEARED, GEARED, BATTERY, &o), b = start(GEARED, GEARED, BATTERY, &o);
    ff_sim_drive_command(a.sim, (ff_drive_id){0}, 1.0, 0.0, 0.0);
    run(&a, 0.2);
    must_copy_state(a.sim, b.sim);
    run(&a, 0.4);
    run(&b, 0.4);
    CHECK(memcmp(ff_sim_battery(a.sim, 0), ff_sim_battery(b.sim, 0), sizeof(ff_battery_state)) == 0);
    CHECK(memcmp(ff_sim_q(a.sim), ff_sim_q(b.sim), 2 * sizeof(double)) == 0);
}

TEST(each_robot_has_its_own)
{
    ff_report report = {0};
    ff_drive_options o = ff_drive_options_default();
    char text[4000];
    snprintf(text, sizeof text, ARM, STALLED, STALLED, BATTERY);
    ff_spec *one = parse(text, &report), *both = ff_spec_create(NULL);
    const double here[3] = {0}, there[3] = {1, 0, 0}, none[4] = {1, 0, 0, 0};
    CHECK(ff_spec_attach(both, one, "a_", -1, here, none, &report) == FF_OK);
    CHECK(ff_spec_attach(both, one, "b_", -1, there, none, &report) == FF_OK);
    ff_plant_options p = ff_plant_options_default();
    p.drive = o;
    ff_plant *plant = owned_plant(ff_plant_compile(both, &p, &report));
    CHECK(plant);
    CHECK_INT(plant->drives->nbattery, 2);
    CHECK_TEXT(plant->drives->batteries[1].name, "b_battery");
    CHECK_INT(plant->drives->drives[1].battery, 0);
    CHECK_INT(plant->drives->drives[2].battery, 1);
    ff_spec_destroy(one);
    ff_spec_destroy(both);
    ff_report_clear(&report);
}

static void refuse(const char *battery, int column, const char *words)
{
    char text[4000];
    ff_report report = {0};
    snprintf(text, sizeof text, "footfall: 1\n%s", battery);
    ff_spec_destroy(parse(text, &report));
    bool said = false;
    for (int i = 0; i < report.count; i++)
        said = said || (report.messages[i].line == 2 && report.messages[i].column == column &&
                        strstr(report.messages[i].text, words));
    if (!said) CHECK_FAIL("no message \"%s\" at 2:%d, but %s", words, column, message_of(&report, 0));
    ff_report_clear(&report);
}

TEST(mistakes_are_reported_with_their_place)
{
    refuse("battery: 12 V\n", 10, "voltage");
    refuse("battery: {voltage: 12}\n", 1, "needs 'voltage' [V] and 'capacity' [A h]");
    refuse("battery: {voltage: -3, capacity: 1}\n", 20, "voltage");
    refuse("battery: {voltage: 12, capacity: 1, charge: 130 %}\n", 45, "charge");
    refuse("battery: {voltage: 12, capacity: 1, curve: [0, 9, 0.5]}\n", 44, "");
    refuse("battery: {voltage: 12, capacity: 1, curve: [0, 9, 1.5, 12]}\n", 44, "charges rising within 0 to 1");
    refuse("battery: {voltage: 12, capacity: 1, curve: [1, 12, 0, 9]}\n", 44, "charges rising within 0 to 1");
    refuse("battery: {volts: 12}\n", 11, "volts");
}
