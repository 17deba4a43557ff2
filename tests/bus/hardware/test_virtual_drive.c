// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How modes of operation reach a drive of a robot: which ones its loop allows, and what becomes of the demands.
#include "check.h"

#include "hardware/virtual_bus.h"

enum { PP = 1 << 0, HM = 1 << 5, CSP = 1 << 7, CSV = 1 << 8, CST = 1 << 9, POSITIONS = PP | HM | CSP | CSV };

TEST(modes_are_those_that_the_loop_of_the_drive_allows)
{
    static const struct {
        ff_drive_motor motor;
        ff_drive_loop loop;
        uint32_t modes;
    } cases[] = {{FF_MOTOR_SERVO, FF_LOOP_DIRECT, POSITIONS},  {FF_MOTOR_IDEAL, FF_LOOP_PD, POSITIONS},
                 {FF_MOTOR_DC, FF_LOOP_PD, POSITIONS},         {FF_MOTOR_PMSM, FF_LOOP_CASCADE, POSITIONS},
                 {FF_MOTOR_LAG, FF_LOOP_COMPLIANT, POSITIONS}, {FF_MOTOR_DC, FF_LOOP_FORCE, CST},
                 {FF_MOTOR_IDEAL, FF_LOOP_DIRECT, CST}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_drive drive = ff_drive_default();
        drive.motor = cases[i].motor;
        drive.loop = cases[i].loop;
        CHECK_INT(ff_virtual_drive_modes(&drive), cases[i].modes);
    }
}

/// A drive of 100 counts for a radian and 5 N m at most, switched on at count 40 where its coordinate is 0.3 rad.
static ff_virtual_drive made(const ff_drive *drive, ff_drive_wiring *wiring)
{
    *wiring = (ff_drive_wiring){.drive = drive, .scale = 100.0, .rated = 5.0};
    ff_virtual_drive d = {.wiring = wiring, .x_zero = 0.3};
    d.amplifier.modes = ff_virtual_drive_modes(drive);
    ff_virtual_drive_reset(&d);
    ff_amplifier_set_zero(&d.amplifier, 40);
    d.inputs = (ff_amplifier_inputs){.dt = 1e-3, .known = true, .count = 40};
    return d;
}

static void enable(ff_virtual_drive *d)
{
    static const uint16_t words[] = {0x00, 0x06, 0x07, 0x0F};
    for (int i = 0; i < 4; i++) {
        d->objects.control = words[i];
        ff_virtual_drive_step(d, true);
    }
    CHECK_INT(d->objects.status & 0x6F, 0x27);
}

TEST(a_position_drive_gets_references_and_keeps_its_position_without_voltage)
{
    const ff_drive drive = {.motor = FF_MOTOR_DC, .loop = FF_LOOP_PD};
    ff_drive_wiring wiring;
    ff_virtual_drive d = made(&drive, &wiring);
    CHECK(!d.was_enabled);
    d.objects.target_position = 90;
    d.objects.velocity_offset = -20;
    d.objects.torque_offset = 500;
    enable(&d);
    CHECK(d.was_enabled && d.had_torque);
    CHECK_NEAR(d.reference[0], 0.3 + 0.5, 1e-12); // 50 counts
    CHECK_NEAR(d.reference[1], -0.2, 1e-12);
    CHECK_NEAR(d.reference[2], 2.5, 1e-12);
    d.objects.control = 0;
    ff_virtual_drive_step(&d, true);
    CHECK(d.reference[0] == 0.3 + 0.5 && d.reference[1] == 0.0); // as one with a brake
    d.objects.mode = 10;
    ff_virtual_drive_step(&d, true);
    CHECK_INT(d.objects.mode_shown, 8); // it takes no torques
}

TEST(a_drive_of_forces_gets_them_and_none_without_voltage)
{
    const ff_drive drive = {.motor = FF_MOTOR_IDEAL, .loop = FF_LOOP_DIRECT};
    ff_drive_wiring wiring;
    ff_virtual_drive d = made(&drive, &wiring);
    d.objects.mode = 10;
    enable(&d);
    CHECK(d.had_torque && d.reference[2] == 0.0); // a torque of zero is one, too
    d.objects.target_torque = -800;
    ff_virtual_drive_step(&d, true);
    CHECK_INT(d.objects.mode_shown, 10);
    CHECK_NEAR(d.reference[2], -4.0, 1e-12);
    d.objects.control = 0;
    ff_virtual_drive_step(&d, true);
    CHECK(d.reference[2] == 0.0);
}
