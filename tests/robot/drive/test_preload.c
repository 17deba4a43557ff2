// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives that start with a preload carry their load at once, and nothing in them moves: all rates of their states are
// zero.
#include "rig.h"

enum { KINDS = 5 };
static const ff_drive_transmission kinds[KINDS] = {FF_TRANSMISSION_RIGID, FF_TRANSMISSION_FLEXIBLE,
                                                   FF_TRANSMISSION_BACKLASH, FF_TRANSMISSION_TEETH,
                                                   FF_TRANSMISSION_CABLES};

/// A rig whose motor follows commands of force at once, or a current with a lag.
static rig make(ff_drive_transmission kind, ff_drive_motor motor)
{
    rig r = {.step = 1e-5};
    r.d = ff_drive_default();
    r.d.motor = motor;
    r.d.ratio = 50.0;
    r.d.dc.constant = 0.02;
    r.d.dc.rotor = 1e-6;
    r.d.lag = 100.0;
    r.d.inertia = 2.5e-3;
    r.d.transmission = kind;
    r.d.stiffness = 300.0;
    r.d.damping = 0.3;
    r.d.inertia_behind = 1e-3;
    r.d.backlash.gap = 5e-3;
    r.d.backlash.stiffness = 2e4;
    r.d.sea = (ff_sea){.radius = 0.02, .stretch = 0.01, .cable = {.stiffness = 4e4}};
    return r;
}

// The force of every transmission, up and down; of cables with both taut, and with one slack: beyond 16 N m, twice the
// pretension of 4e4 N/m * 0.01 m on a radius of 0.02 m.
TEST(a_drive_with_a_preload_carries_its_load_at_rest)
{
    static const double loads[] = {2.0, -2.0, 12.0, 20.0};
    for (int k = 0; k < KINDS; k++)
        for (int lag = 0; lag < 2; lag++)
            for (int n = 0; n < 4; n++) {
                rig r = make(kinds[k], lag ? FF_MOTOR_LAG : FF_MOTOR_IDEAL);
                double rates[RIG_STATES] = {0.0};
                ff_drive_flow flow;
                rig_start(&r, 0.3, 0.0);
                ff_drive_preload(&r.d, &r.m, loads[n], r.x + 2);
                ff_drive_command(&r.d, &r.m, r.m.reference[0], 0.0, lag ? loads[n] / (50.0 * 0.02) : loads[n]);
                ff_drive_evaluate(&r.d, &r.m, &r.x[0], &r.x[1], r.x + 2, rates, &flow);
                CHECK_NEAR(flow.force, loads[n], 1e-9); // [N m] rounding of 300 N m/rad and of 2e4 in teeth
                for (int i = 0; i < r.d.nstate; i++) CHECK_NEAR(rates[i], 0.0, 1e-6);
            }
}

TEST(a_drive_without_load_starts_as_it_is)
{
    for (int k = 0; k < KINDS; k++) {
        rig r = make(kinds[k], FF_MOTOR_IDEAL);
        double kept[RIG_STATES];
        rig_start(&r, 0.3, 0.0);
        memcpy(kept, r.x, sizeof kept);
        ff_drive_preload(&r.d, &r.m, 0.0, r.x + 2);
        CHECK(memcmp(kept, r.x, sizeof kept) == 0);
        CHECK(r.m.reference[0] == 0.3 && r.m.mode == FF_BACKLASH_FREE);
    }
}

// A loop on the motor measures the twist and half the backlash, F / K + h / 2; one on the joint does not.
TEST(references_lead_by_the_twist_where_the_loop_measures_the_motor)
{
    rig r = make(FF_TRANSMISSION_BACKLASH, FF_MOTOR_IDEAL);
    rig_start(&r, 0.0, 0.0);
    CHECK_NEAR(ff_drive_reference_offset(&r.d, 3.0), 3.0 / 300.0 + 2.5e-3, 1e-15);
    CHECK_NEAR(ff_drive_reference_offset(&r.d, -3.0), -3.0 / 300.0 - 2.5e-3, 1e-15);
    r.d.at_joint = true;
    CHECK(ff_drive_reference_offset(&r.d, 3.0) == 0.0);
}
