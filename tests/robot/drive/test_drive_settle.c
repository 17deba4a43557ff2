// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// States of drives at the end of an implicit step: they solve z = z0 + h zdot(z), and the matrix that is solved by hand
// is that of differences.
#include "drive/interface.h"
#include "rig.h"

static ff_dc_motor motor(void)
{
    ff_dc_motor dc = ff_dc_motor_from_power(8.68, 1200.0, 12.0);
    dc.rotor = 4e-7;
    return dc;
}

static ff_drive drive(ff_drive_transmission transmission)
{
    ff_drive d = ff_drive_default();
    d.motor = FF_MOTOR_DC;
    d.dc = motor();
    d.ratio = 251.0;
    d.efficiency = 0.8;
    d.transmission = transmission;
    d.stiffness = 300.0;
    d.damping = 0.3;
    d.motor_damping = 0.02;
    d.damping_behind = 0.01;
    d.inertia_behind = 2.5e-3;
    d.backlash.gap = 5e-3;
    d.backlash.stiffness = 2e4;
    return d;
}

/// Drives of every transmission, with and without a current among their states.
static int all_kinds(ff_drive *d)
{
    int n = 0;
    for (int electric = 0; electric < 3; electric++)
        for (int k = 0; k < FF_TRANSMISSION_COUNT; k++) {
            d[n] = drive((ff_drive_transmission)k);
            if (electric == 1) d[n].dc.inductance = 1e-4 * d[n].dc.resistance;
            if (electric == 2) d[n].motor = FF_MOTOR_LAG;
            d[n].sea = (ff_sea){.radius = 0.025, .stretch = 2e-3, .cable = {.stiffness = 1e5, .damping = 5.0}};
            d[n].path.njoint = 1;
            ff_error err = {0};
            if (ff_drive_finish(&d[n], 0.0, &err) != FF_OK) CHECK_FAIL("%s", err.text);
            n++;
        }
    return n;
}

/// A state within motion; teeth and faces in touch where `side` is not 0.
static void place(const ff_drive *d, int side, double *q, double *v, ff_drive_memory *m, double *z)
{
    *q = 0.3;
    *v = 0.8;
    ff_drive_start(d, m, q, v, z);
    m->voltage = 5.0;
    m->current = 0.4;
    m->mode = d->transmission == FF_TRANSMISSION_BACKLASH ? side : FF_BACKLASH_FREE;
    const int n = d->nstate - d->nmoving;
    if (n > 0) z[0] = 0.3;
    if (d->nmoving >= 2) z[n] += 4e-3 * side + 1e-3, z[n + 1] += 0.2;
    if (d->nmoving == 4) z[n + 2] += 1e-3, z[n + 3] += side ? 0.2 : -0.1;
}

TEST(states_solve_backward_euler)
{
    ff_drive d[3 * FF_TRANSMISSION_COUNT];
    const int count = all_kinds(d);
    for (int i = 0; i < count; i++)
        for (int side = -1; side <= 1; side++)
            for (double h = 1e-5; h < 2e-3; h *= 10.0) {
                double q, v, z0[6] = {0}, z[6], rate[6];
                ff_drive_memory m;
                ff_drive_flow flow;
                ff_drive_response tie;
                place(&d[i], side, &q, &v, &m, z0);
                memcpy(z, z0, sizeof z);
                CHECK(ff_drive_settles(&d[i]));
                CHECK(ff_drive_settle(&d[i], &m, &q, &v, z0, h, 1e-10, z, rate, &flow, &tie));
                ff_drive_evaluate(&d[i], &m, &q, &v, z, rate, &flow);
                for (int k = 0; k < d[i].nstate; k++) // the last change was below 1e-10 rad/s and 1e-9 of a current
                    CHECK_NEAR(z[k], z0[k] + h * rate[k], 2e-9 * (1.0 + fabs(z[k])));
            }
}

// Gears without losses: their slope by the torque is left out of the matrix, and comes in by the rounds.
TEST(matrix_is_that_of_differences)
{
    ff_drive d[3 * FF_TRANSMISSION_COUNT];
    const int count = all_kinds(d);
    const double h = 3e-4, step = 1e-6;
    for (int i = 0; i < count; i++)
        for (int side = -1; side <= 1; side++) {
            double q, v, z[6] = {0}, low[6], high[6], x[6] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.2}, b[6];
            ff_drive_memory m;
            ff_drive_flow flow;
            d[i].efficiency = 1.0;
            place(&d[i], side, &q, &v, &m, z);
            memcpy(b, x, sizeof b);
            ff_drive_evaluate(&d[i], &m, &q, &v, z, low, &flow);
            for (int j = 0; j < d[i].nstate; j++) {
                const double kept = z[j];
                ff_drive_flow other;
                z[j] = kept + step;
                ff_drive_evaluate(&d[i], &m, &q, &v, z, high, &other);
                z[j] = kept - step;
                ff_drive_evaluate(&d[i], &m, &q, &v, z, low, &other);
                z[j] = kept;
                for (int k = 0; k < d[i].nstate; k++) b[k] -= h * (high[k] - low[k]) / (2.0 * step) * x[j];
            }
            ff_drive_relax(&d[i], &m, &flow, h, b);
            for (int k = 0; k < d[i].nstate; k++)
                CHECK_NEAR(b[k], x[k], 1e-7); // rounding of the differences, 1e-16 1e5 / 1e-6
        }
}

// What the states do for a force of the path, in closed form, is what the matrix makes of it.
TEST(states_follow_a_force_as_by_the_matrix)
{
    ff_drive d[3 * FF_TRANSMISSION_COUNT];
    const int count = all_kinds(d);
    const double force = 3.0;
    for (int i = 0; i < count; i++)
        for (int side = -1; side <= 1; side++)
            for (double h = 1e-5; h < 2e-3; h *= 10.0) {
                double q, v, z0[6] = {0}, z[6], rate[6], want[6] = {0}, x[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
                ff_drive_memory m;
                ff_drive_flow flow;
                ff_drive_response tie;
                place(&d[i], side, &q, &v, &m, z0);
                memcpy(z, z0, sizeof z);
                CHECK(ff_drive_settle(&d[i], &m, &q, &v, z0, h, 1e-10, z, rate, &flow, &tie));
                ff_drive_accelerate_states(&d[i], &m, force, h, want);
                ff_drive_relax(&d[i], &m, &flow, h, want);
                ff_drive_follow_path(&d[i], &tie, force, h, x);
                for (int k = 0; k < d[i].nstate; k++) CHECK_NEAR(x[k], want[k], 1e-10 * (1e-6 + fabs(want[k])));
                const ff_drive_response same = ff_drive_response_of(&d[i], &m, &flow, h);
                CHECK_NEAR(same.speed, tie.speed, 1e-12 * tie.speed);
                CHECK_NEAR(same.rotor, tie.rotor, 1e-12 * tie.rotor);
                CHECK(d[i].nmoving == 0 || (tie.speed > 0.0 && fabs(want[d[i].nstate - 1]) > 0.0));
            }
}

TEST(locked_faces_keep_one_speed_to_the_last_bit)
{
    ff_drive d[3 * FF_TRANSMISSION_COUNT];
    const int count = all_kinds(d);
    for (int i = 0; i < count; i++) {
        double q, v, z0[6] = {0}, z[6], rate[6];
        ff_drive_memory m;
        ff_drive_flow flow;
        ff_drive_response tie;
        if (d[i].transmission != FF_TRANSMISSION_BACKLASH) continue;
        place(&d[i], 1, &q, &v, &m, z0);
        const int n = d[i].nstate - 4;
        z0[n + 3] = z0[n + 1];
        for (int k = 0; k < 20; k++) {
            memcpy(z, z0, sizeof z);
            CHECK(ff_drive_settle(&d[i], &m, &q, &v, z0, 5e-4, 1e-8, z, rate, &flow, &tie));
            CHECK_NEAR(z[n + 1], z[n + 3], 0.0);
            memcpy(z0, z, sizeof z0);
        }
    }
}
