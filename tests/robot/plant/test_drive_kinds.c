// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Every kind of motor, transmission, path and loop at work on an arm: what comes from the supply is motion, height,
// springs and heat, and what a cable carries is what its law says.
#include "support/arm.h"

typedef struct kind {
    const char *name, *shoulder, *more;
    double position, force; // command of the shoulder, or of the first drive in `more`
} kind;

#define DC                                                                                                             \
    "kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, voltage: 24, dry: 1e-4, inductance: "    \
    "1e-3}"
#define LAG                                                                                                            \
    "kind: lag, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: 0.05, current: 8}, loop: {kp: 20, kd: 0.5}"
#define PMSM                                                                                                           \
    "kind: pmsm, gear: 50, rotor: 5e-6, motor: {resistance: 0.5, inductance: 2e-4, constant: 0.03, voltage: 48, "      \
    "current: 10, align_time: 0, pairs: 3}"

static const kind KINDS[] = {
    {"ideal", "{torque: 5, speed: 8, loop: {kp: 40, kd: 2}}", "", 0.6, 0.0},
    {"servo", "{kind: servo, torque: 8, speed: 7, servo: {stiffness: 30, damping: 1}}", "", 0.6, 0.0},
    {"dc with its pole", "{" DC ", loop: {kp: 40, kd: 2}}", "", 0.6, 0.0},
    {"dc by volts", "{" DC "}", "", 0.0, 6.0},
    {"cascade",
     "{" DC ", loop: {kind: cascade, inertia: 0.2, kx: 20, speed_bandwidth: 30}, shaper: {speed: 3, acceleration: 30}}",
     "", 0.6, 0.0},
    {"pmsm", "{" PMSM ", loop: {kp: 30, kd: 1}}", "", 0.6, 0.0},
    {"lag, flexible", "{" LAG ", transmission: {kind: flexible, stiffness: 2000, damping: 1}}", "", 0.6, 0.0},
    {"teeth",
     "{" LAG ", transmission: {kind: teeth, stiffness: 2000, damping: 1, gap: 0.005, inertia: 0.01, teeth: 2e4}}", "",
     0.6, 0.0},
    {"two cables",
     "{" LAG ", transmission: {kind: cables, radius: 0.02, spring: 5e4, spring_damping: 50, pretension: 2 mm}}", "",
     0.6, 0.0},
    {"one cable by table",
     "{" LAG ", transmission: {kind: cables, radius: 0.02, one_way: true, pretension: 2 mm, spring_damping: 50, "
     "spring_table: [0, 0, 0.01, 200, 0.05, 4000]}}",
     "", 0.6, 0.0},
    {"spindle on a crank", "{gear: 1}",
     "drives: {screw: {joint: shoulder, kind: lag, rotor: 5e-6, spindle: {lead: 6 mm, belt: 2}, motor: {resistance: "
     "0.5, constant: 0.03, "
     "current: 20}, path: {kind: crank, a: 0.06, b: 0.2, angle: 1.2}, loop: {kp: 2e4, kd: 500}}}\n",
     0.0, 0.0},
    {"elastic spindle with a force loop", "{gear: 1}",
     "drives: {screw: {joint: shoulder, kind: lag, rotor: 5e-6, spindle: {lead: 6 mm, belt: 2}, motor: {resistance: "
     "0.5, constant: 0.03, "
     "current: 20}, transmission: {kind: flexible, stiffness: 1e5}, path: {kind: crank, a: 0.06, b: 0.2, angle: 1.2}, "
     "loop: {kind: "
     "compliant, kp: 4e3, kd: 200, force_limit: 300}}}\n",
     0.0, 0.0},
    {"differential", "{gear: 1}",
     "drives: {left: {joints: [shoulder, elbow], kind: lag, rotor: 2e-6, gear: 60, motor: {resistance: 2, constant: "
     "0.05, current: 8}, "
     "path: {kind: levers, levers: [1, 0.7]}, loop: {kp: 20, kd: 1}}}\n",
     0.5, 0.0},
};

/// The arm after half a second of work of one kind, lifted from 0.3 rad.
static ff_ledger work_of(const kind *k, double *moved)
{
    ff_sim_options o = with(FF_METHOD_ADAPTIVE, 1e-3);
    o.relative = 1e-8;
    o.absolute = 1e-10;
    arm a = start(k->shoulder, "{torque: 1}", k->more, &o);
    ff_sim_set_q(a.sim, 0, 0.3);
    ff_sim_start_drives(a.sim);
    const int drive = k->more[0] ? 2 : 0;
    ff_sim_drive_command(a.sim, (ff_drive_id){drive}, k->position, 0.0, k->force);
    run(&a, 0.3);
    *moved = fabs(ff_sim_q(a.sim)[0] - 0.3);
    const ff_ledger l = ff_sim_ledger(a.sim);
    double electrical = 0.0;
    for (int i = 0; i < a.set->n; i++) electrical += ff_sim_drive_memory(a.sim, (ff_drive_id){i})->electrical;
    CHECK_NEAR(electrical, l.work, 1e-11); // [J] the same integrals, summed in another order
    return l;
}

TEST(the_ledger_closes_with_every_kind_of_drive)
{
    for (size_t n = 0; n < sizeof KINDS / sizeof *KINDS; n++) {
        double moved;
        const ff_ledger l = work_of(&KINDS[n], &moved);
        printf("  %s: %.3f J of work, %.3f J lost, residual %.1e J\n", KINDS[n].name, l.work, l.lost_parts, l.residual);
        CHECK(moved > 0.05);
        CHECK(l.lost_parts >= -1e-12);
        CHECK_BELOW(fabs(l.residual),
                    1e-7); // [J] tolerance 1e-8 in some hundred steps, some of them over kinks of cables and teeth
    }
}

// ------------------------------------------------------------------------------------------ cables without a motor

// A cable over both joints, r1 q1 + r2 q2 + x0: swinging arms keep their energy while it goes taut and slack, and a
// damper takes some.
TEST(a_biarticular_cable_stores_and_gives_back)
{
    static const char cable[] = "drives: {thigh: {joints: [shoulder, elbow], kind: none, cable: {stiffness: 4e4%s}, "
                                "path: {kind: levers, levers: [0.03, 0.02]}}}\n";
    for (int damped = 0; damped < 2; damped++) {
        char text[400];
        snprintf(text, sizeof text, cable, damped ? ", damping: 300" : "");
        const ff_sim_options o = with(FF_METHOD_ADAPTIVE, 1e-3);
        arm a = start("{torque: 1}", "{torque: 1}", text, &o);
        ff_sim_set_q(a.sim, 0, -1.0);
        ff_sim_start_drives(a.sim);
        const double before = ff_sim_energy(a.sim).total;
        double most = 0.0;
        for (int k = 1; k <= 300; k++) {
            run(&a, 0.005 * k);
            most = fmax(most, ff_sim_drive_flow(a.sim, (ff_drive_id){2}).stored);
        }
        CHECK(most > 0.1); // [J] it was taut
        printf("  damped %d: at most %.2f J in the cable, residual %.1e J\n", damped, most,
               ff_sim_ledger(a.sim).residual);
        const double lost = before - ff_sim_energy(a.sim).total;
        // [J] a damper comes in with d x' at once, some 3 W, somewhere within a step of 0.1 ms
        CHECK_NEAR(ff_sim_ledger(a.sim).residual, 0.0, damped ? 3e-4 : 1e-6);
        if (damped)
            CHECK(lost > 0.05);
        else
            CHECK_NEAR(lost, 0.0, 1e-6); // [J] stiffness jumps at slack: an error of the step in which it does
    }
}
