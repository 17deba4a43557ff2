// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the stabiliser one by one, against equations and check values of its specification, which were computed with
// another solver.
#include "biped/biped_lab.h"
#include "biped/stabiliser.h"
#include "support/allocations.h"

// ------------------------------------------------------------------------------------------ distribution

/// Feet at (0, +-0.125, 0), centre of mass at (-0.0955, 0, 0.9).
static ff_biped_task two_feet(void)
{
    return (ff_biped_task){.com = {-0.0955, 0.0, 0.9},
                           .foot = {{.pos = {0.0, 0.125, 0.0}}, {.pos = {0.0, -0.125, 0.0}}}};
}

static ff_biped_wrench weight_and(double weight, double x, double y)
{
    return (ff_biped_wrench){.force = {0.0, 0.0, weight}, .torque = {x, y, 0.0}};
}

/// The limits of the check values: soles of 85 x 50 mm pads with their edges, where the robot's are those of points.
static ff_biped with_edges(const ff_biped *robot)
{
    ff_biped out = *robot;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        out.feet[f].low[0] = -0.2336;
        out.feet[f].high[0] = 0.0425;
        out.feet[f].low[1] = -0.110;
        out.feet[f].high[1] = 0.110;
    }
    return out;
}

// Half the weight each is 328.6 N; the weights of the program leave 0.3 of it: 328.3. With a torque of (20, 15) N m the
// right foot gets 324.0 and the left 332.5 N, Tx 9.44 and Ty 38.73 N m each; with 150 N m 57.0 and 600 N (the limit of
// half the load), Tx 6.27 and 66.0 (the limits 0.110 m Fz).
TEST(the_quadratic_program_gives_the_check_values)
{
    static const double half[2] = {0.5, 0.5};
    static const struct {
        double wanted[2], force[2], tx[2], ty[2]; // of the left and the right foot; 0: not printed
    } rows[] = {{{0.0, 0.0}, {328.3, 328.3}, {0.0, 0.0}, {31.25, 31.25}},
                {{20.0, 15.0}, {332.5, 324.0}, {9.44, 9.44}, {38.73, 38.73}},
                {{150.0, 0.0}, {600.0, 57.0}, {66.0, 6.27}, {0.0, 0.0}}};
    lab l = lab_open();
    const ff_biped robot = with_edges(l.robot);
    const ff_biped_gains g = ff_biped_gains_default(&robot);
    const ff_biped_task now = two_feet();
    for (int i = 0; i < 3; i++) {
        const ff_biped_wrench w = weight_and(657.27, rows[i].wanted[0], rows[i].wanted[1]);
        ff_biped_distribution d;
        CHECK(ff_biped_distribute_quadratic(&robot, &g, &now, half, &w, &d));
        for (int f = 0; f < 2; f++) {
            CHECK_NEAR(d.foot[f].force[2], rows[i].force[f], 0.1);
            if (rows[i].tx[f] != 0.0) CHECK_NEAR(d.foot[f].torque[0], rows[i].tx[f], 0.05);
            if (rows[i].ty[f] != 0.0) CHECK_NEAR(d.foot[f].torque[1], rows[i].ty[f], 0.05);
        }
    }
}

/// What the feet give together about the centre of mass.
static void sum_of(const ff_biped_task *now, const ff_biped_distribution *d, double force[3], double torque[3])
{
    for (int k = 0; k < 3; k++) force[k] = torque[k] = 0.0;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        double arm[3], moment[3];
        ff_vec3_sub(arm, now->foot[f].pos, now->com);
        ff_vec3_cross(moment, arm, d->foot[f].force);
        ff_vec3_add(force, force, d->foot[f].force);
        ff_vec3_add(torque, torque, d->foot[f].torque);
        ff_vec3_add(torque, torque, moment);
    }
}

TEST(both_distributions_add_up_to_what_is_wanted)
{
    lab l = lab_open();
    const ff_biped_gains g = ff_biped_gains_default(l.robot);
    const ff_biped_task now = two_feet();
    const double loads[3][2] = {{0.5, 0.5}, {0.8, 0.2}, {1.0, 0.0}};
    for (int i = 0; i < 3; i++)
        for (int quadratic = 0; quadratic < 2; quadratic++) {
            // about the foot that carries, so that the sole can press it
            const ff_biped_wrench w = {
                .force = {30.0, -20.0, 650.0},
                .torque = {650.0 * (0.125 * (loads[i][0] - loads[i][1])) - 18.0 + 5.0, 7.0 - 27.0, 1.0}};
            ff_biped_distribution d;
            double force[3], torque[3];
            if (quadratic)
                CHECK(ff_biped_distribute_quadratic(l.robot, &g, &now, loads[i], &w, &d));
            else
                ff_biped_distribute(l.robot, &g, &now, loads[i], &w, &d);
            sum_of(&now, &d, force, torque);
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(force[k], w.force[k],
                           quadratic ? 0.01 * 650.0 : 1e-9); // the program weighs a rest against effort
                CHECK_NEAR(torque[k], w.torque[k], quadratic ? 1.0 : 1e-9);
            }
            if (loads[i][1] == 0.0) CHECK_NEAR(d.foot[FF_RIGHT].force[2], 0.0, 1e-12);
        }
}

// The normal of a foot's contact is the z axis of its frame, however the foot stands. On a slope of 0.2 rad friction
// of 0.8 bears the whole weight, m g sin(0.2) along the sole and m g cos(0.2) across; friction of 0.1 bears a tenth of
// what presses, for each edge of the pyramid mu / sqrt(2), and the program gives no more.
TEST(friction_is_about_the_normal_of_the_sole)
{
    lab l = lab_open();
    ff_biped_gains g = ff_biped_gains_default(l.robot);
    ff_biped_task now = two_feet();
    const double slope = 0.2, weight = l.robot->weight, load[2] = {0.5, 0.5};
    const ff_biped_wrench w = weight_and(weight, 0.0, 0.0);
    ff_biped_distribution d;
    for (int f = 0; f < FF_BIPED_FEET; f++) now.foot[f].rot[1] = slope; // toes down
    CHECK(ff_biped_distribute_quadratic(l.robot, &g, &now, load, &w, &d));
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        CHECK_NEAR(d.foot[f].force[0], -0.5 * weight * sin(slope), 0.01 * weight);
        CHECK_NEAR(d.foot[f].force[2], 0.5 * weight * cos(slope), 0.01 * weight);
    }
    g.friction = 0.1;
    CHECK(ff_biped_distribute_quadratic(l.robot, &g, &now, load, &w, &d));
    for (int f = 0; f < FF_BIPED_FEET; f++)
        CHECK_NEAR(d.foot[f].force[0], -0.1 * sqrt(0.5) * d.foot[f].force[2], 0.01 * d.foot[f].force[2]);
}

// ------------------------------------------------------------------------------------------ contact

typedef struct contact_lab {
    lab lab;
    ff_biped_gains g;
    ff_biped_filters filters;
    ff_biped_contact_states states;
    ff_biped_contact_view view;
} contact_lab;

static contact_lab contact_open(void)
{
    contact_lab c = {.lab = lab_open()};
    ff_error err = {0};
    c.g = ff_biped_gains_default(c.lab.robot);
    CHECK(ff_biped_filters_make(&c.g, &c.filters, &err) == FF_OK);
    c.states.foot[0].since_early = c.states.foot[1].since_early = INFINITY;
    return c;
}

/// Ticks with these forces and loads.
static void feel(contact_lab *c, double left, double right, double load_left, double time)
{
    const ff_biped_sensors s = {.foot = {{.force = {0, 0, left}}, {.force = {0, 0, right}}}};
    const double load[2] = {load_left, 1.0 - load_left};
    for (double t = 0.0; t < time - 1e-9; t += c->g.period)
        ff_biped_contact_step(&c->g, &c->filters, &s, load, &c->states, &c->view);
}

// A foot is closed within 20 ms and its filter, early only after 0.3 s in the air, late after 0.12 s without contact.
TEST(contacts_are_found_early_and_late)
{
    contact_lab c = contact_open();
    feel(&c, 650.0, 0.0, 1.0, 0.05);
    CHECK(c.view.closed[0] > 0.99 && c.view.closed[1] < 0.01);
    CHECK(c.view.mode[0] > 0.99 && c.view.mode[1] < 0.01);
    feel(&c, 400.0, 400.0, 1.0, 0.01); // too soon after lift-off
    CHECK(!c.view.early[1]);
    feel(&c, 650.0, 0.0, 1.0, 0.3);
    feel(&c, 650.0, 300.0, 1.0, 0.01); // too light: the first threshold is 350 N
    CHECK(!c.view.early[1]);
    feel(&c, 300.0, 400.0, 1.0, 0.002);
    CHECK(c.view.early[1]);
    feel(&c, 300.0, 400.0, 1.0, 0.06);
    CHECK_NEAR(c.view.load[1], 0.05, 1e-12); // it carries a little at once
    CHECK_NEAR(c.view.load[0], 0.95, 1e-12);
    feel(&c, 300.0, 350.0, 0.5, 0.05); // its load comes: no longer early
    CHECK(!c.view.early[1]);
    feel(&c, 650.0, 0.0, 0.4, 0.119);
    CHECK(!c.view.late[1]);
    feel(&c, 650.0, 0.0, 0.4, 0.003);
    CHECK(c.view.late[1]);
    feel(&c, 650.0, 250.0, 0.4, 0.002);
    CHECK(!c.view.late[1]);
}

// ------------------------------------------------------------------------------------------ feet

// A foot that hits stops within five time constants of 3 ms, whatever the plan wants of it.
TEST(an_early_foot_stops_within_15_ms)
{
    contact_lab c = contact_open();
    ff_biped_adapt_memory memory = {0};
    const ff_biped_sensors sensors = {.foot = {{.force = {0, 0, 300}}, {.force = {0, 0, 400}}}};
    static const double level[3] = {0.0, 0.0, 0.0};
    ff_biped_task now = two_feet(), task;
    feel(&c, 650.0, 0.0, 1.0, 0.4);
    feel(&c, 300.0, 400.0, 1.0, 0.002);
    CHECK(c.view.early[1]);
    double speed = 0.0, shift = 0.0;
    for (int i = 0; i < 15; i++) {
        task = two_feet();
        ff_vec3_set(task.foot[1].vel, 1.2, 0.0, -0.4);
        ff_biped_adapt_step(c.lab.robot, &c.g, &c.filters, &c.states, &c.view, &sensors, level, &now, &memory, &task);
        speed = hypot(task.foot[1].vel[0], task.foot[1].vel[2]);
        shift = memory.reflex[1][0];
    }
    CHECK_BELOW(speed, 0.05 * hypot(1.2, 0.4));
    CHECK_BELOW(shift, -0.01); // it lags behind a plan that goes on
}

// On a robot that leans forward by 10 mrad ground 0.4 m ahead seems 4 mm higher; under the frame of a sole that bears
// the weight with its toes the ground lies 3.6 mm lower than under one at rest (U^-1 printed in sec. 5.2: 6.055e-6 m/N
// times 657.27 N, less 3.082e-5 rad/N times 12 N m).
TEST(a_swing_foot_is_led_over_the_ground_that_lean_and_sole_show)
{
    contact_lab c = contact_open();
    ff_biped_adapt_memory memory[2];
    memset(memory, 0, sizeof memory);
    const ff_biped_sensors on_left = {.foot = {{.force = {0, 0, 657.27}, .torque = {0, 12.0, 0}}}};
    static const double lean[2][3] = {{0.0}, {0.0, 0.01, 0.0}};
    ff_biped_task now = two_feet();
    now.foot[1].pos[0] = 0.4;
    feel(&c, 650.0, 0.0, 1.0, 0.4);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3000; i++) { // what both feet have in common fades with 0.4 s
            ff_biped_task task = now;
            ff_biped_adapt_step(c.lab.robot, &c.g, &c.filters, &c.states, &c.view, &on_left, lean[k], &now, &memory[k],
                                &task);
        }
    CHECK_NEAR(memory[1].swing[1] - memory[0].swing[1], 0.4 * 0.01, 1e-5);
    // and what the leg gives; the compliance is 1.4 % off what is printed
    CHECK_NEAR(memory[0].swing[1], 657.27 * 6.055e-6 - 12.0 * 3.082e-5 + 1.5e-3, 1e-4);
}

// On the sole it knows, a foot moves as that spring demands: error l gives v = G U^-1 l in the end, and forces follow
// with the time constant 1 / G.
TEST(foot_forces_settle_on_a_sole_of_known_stiffness)
{
    contact_lab c = contact_open();
    ff_biped_foot_memory memory = {0};
    ff_biped_gains g = c.g;
    g.lag_reduction = false;
    g.force_plan = 0.0;
    g.common_mode = false;
    for (int f = 0; f < 2; f++) c.view.mode[f] = 1.0;
    const ff_biped_foot *foot = &c.lab.robot->feet[0];
    ff_biped_distribution wanted = {.foot = {{.force = {0, 0, 400}, .torque = {8, 20, 0}}, {.force = {0, 0, 250}}}};
    ff_biped_sensors s = {.foot = {{.force = {0, 0, 300}}, {.force = {0, 0, 250}}}};
    double U[3][3] = {{0.0}}, turn[3] = {0.0}; // roll, pitch, height
    for (int i = 0; i < foot->npoint; i++) {
        const double row[3] = {-foot->points[i].y, foot->points[i].x, -1.0};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) U[a][b] -= foot->points[i].stiffness * row[a] * row[b];
    }
    const double error[3] = {8.0, 20.0, 100.0};
    double rest[3] = {0.0};
    for (int i = 0; i < 100; i++) { // 0.1 s: exp(-2.4)
        ff_biped_task task = two_feet();
        const ff_biped_motion before = task.foot[0];
        ff_biped_foot_force_step(c.lab.robot, &g, &c.filters, &c.view, &wanted, &wanted, &s, &memory, &task);
        turn[0] = task.foot[0].rot[0] - before.rot[0];
        turn[1] = task.foot[0].rot[1] - before.rot[1];
        turn[2] = task.foot[0].pos[2] - before.pos[2];
        double measured[3];
        for (int a = 0; a < 3; a++) measured[a] = U[a][0] * turn[0] + U[a][1] * turn[1] + U[a][2] * turn[2];
        s.foot[0].torque[0] = measured[0];
        s.foot[0].torque[1] = measured[1];
        s.foot[0].force[2] = 300.0 + measured[2];
        for (int a = 0; a < 3; a++) rest[a] = error[a] - measured[a];
    }
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(rest[a] / error[a], exp(-24.0 * 0.1), 0.01); // sampled: (1 - 0.024)^100 = 0.088 for 0.091
}

// A load that is planned to come at 2000 N/s is there when it should be: its change is fed. By feedback alone it lags
// by 1 / G = 42 ms: 83 N.
TEST(planned_forces_do_not_lag)
{
    contact_lab c = contact_open();
    ff_biped_gains g = c.g;
    g.common_mode = false;
    for (int f = 0; f < 2; f++) c.view.mode[f] = 1.0;
    for (int fed = 0; fed < 2; fed++) {
        ff_biped_foot_memory memory;
        memset(&memory, 0, sizeof memory);
        g.force_plan = fed;
        g.force_feed = g.force_rate_gain = 0.0;
        ff_biped_sensors s = {.foot = {{.force = {0.0}}}};
        ff_biped_distribution wanted = {.foot = {{.force = {0.0}}}};
        for (int i = 1; i <= 300; i++) {
            ff_biped_task task = two_feet();
            wanted.foot[0].force[2] = 2.0 * i;
            // the torque that goes with it on a sole at rest: the frame lies ahead of the middle of its points
            wanted.foot[0].torque[1] = 0.0955 * wanted.foot[0].force[2];
            ff_biped_foot_force_step(c.lab.robot, &g, &c.filters, &c.view, &wanted, &wanted, &s, &memory, &task);
            s.foot[0].force[2] = -task.foot[0].pos[2] * c.lab.robot->feet[0].stiffness;
            s.foot[0].torque[1] = 0.0955 * s.foot[0].force[2];
        }
        // a tick is 2 N
        CHECK_NEAR(wanted.foot[0].force[2] - s.foot[0].force[2], fed ? 0.0 : 2000.0 / 24.0, 4.0);
    }
}

// A force of E newtons that is wanted at once and never comes: the foot sinks by E / k times G_l t, with lag reduction
// by E / k times G_d + G_l' at once and G_l (t - T), as a filter of T = 1 / (2 pi 20 Hz) smooths the error.
TEST(lag_reduction_answers_changes_at_once_and_smooths_the_rest)
{
    contact_lab c = contact_open();
    ff_biped_gains g = c.g;
    g.force_plan = 0.0;
    g.common_mode = false;
    g.force_feed = 0.2; // more than its own, so that each term can be distinguished from the others
    g.force_rate_gain = 0.3;
    for (int f = 0; f < 2; f++) c.view.mode[f] = 1.0;
    const ff_biped_sensors none = {.foot = {{.force = {0.0}}}};
    const ff_biped_distribution wanted = {.foot = {{.force = {0, 0, 100}, .torque = {0, 9.55, 0}}}}; // sinks level
    for (int on = 0; on < 2; on++) {
        ff_biped_foot_memory memory;
        memset(&memory, 0, sizeof memory);
        g.lag_reduction = on;
        for (int i = 0; i < 100; i++) {
            ff_biped_task task = two_feet();
            ff_biped_foot_force_step(c.lab.robot, &g, &c.filters, &c.view, &wanted, &wanted, &none, &memory, &task);
        }
        const double sunk = -memory.shift[0][2] * c.lab.robot->feet[0].stiffness / 100.0;
        const double smooths = 1.0 / (2.0 * 3.14159265 * 20.0);
        CHECK_NEAR(sunk, on ? 0.2 + 0.3 + 24.0 * (0.1 - smooths) : 2.4, 0.024); // a tick of G_l
        CHECK_NEAR(memory.shift[1][2], 0.0, 0.0);
    }
}

// What both feet have sunk together fades with 1 s, as the robot is lower by it and no force has changed; what one is
// lower than the other remains. A foot that stands alone has its own shift in common with nobody: all of it fades.
TEST(common_mode_takes_back_what_both_feet_do)
{
    static const struct {
        bool on;
        double right, mode, left_then, right_then; // left begins with 1
    } cases[] = {{true, 1.0, 1.0, 0.3679, 0.3679},
                 {true, -1.0, 1.0, 1.0, -1.0},
                 {true, 0.0, 1.0, 0.5 + 0.5 * 0.3679, -0.5 + 0.5 * 0.3679},
                 {true, 0.0, 0.0, 0.3679, 0.0},
                 {false, 1.0, 1.0, 1.0, 1.0}};
    contact_lab c = contact_open();
    ff_biped_gains g = c.g;
    const ff_biped_sensors none = {.foot = {{.force = {0.0}}}};
    const ff_biped_distribution nothing = {.foot = {{.force = {0.0}}}};
    c.view.mode[0] = 1.0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ff_biped_foot_memory memory;
        memset(&memory, 0, sizeof memory);
        memory.shift[0][2] = -0.01;
        memory.shift[1][2] = -0.01 * cases[k].right;
        g.common_mode = cases[k].on;
        c.view.mode[1] = cases[k].mode;
        for (int i = 0; i < 1000; i++) {
            ff_biped_task task = two_feet();
            ff_biped_foot_force_step(c.lab.robot, &g, &c.filters, &c.view, &nothing, &nothing, &none, &memory, &task);
        }
        CHECK_NEAR(memory.shift[0][2] / -0.01, cases[k].left_then, 1e-3); // sampled: (1 - 1/1000)^1000 = 0.3677
        CHECK_NEAR(memory.shift[1][2] / -0.01, cases[k].right_then, 1e-3);
    }
}

// ------------------------------------------------------------------------------------------ height

// sec. 4.4, 4.5: m z'' + D z' + K z = G (wanted less measured); at rest z = G F / K: with 0.5 and 90 N too much 10 mm
// lower.
TEST(the_body_gives_way_to_forces_as_a_mass_on_a_spring)
{
    contact_lab c = contact_open();
    ff_biped_gains g = c.g;
    g.height_gain = 0.5;
    for (int f = 0; f < 2; f++) {
        c.view.closed[f] = c.view.mode[f] = 1.0;
        c.view.load[f] = 0.5;
    }
    const ff_biped_target target = {.task = two_feet()};
    const ff_biped_distribution wanted = {.foot = {{.force = {0, 0, 300}}, {.force = {0, 0, 300}}}};
    const ff_biped_sensors measured = {.foot = {{.force = {0, 0, 345}}, {.force = {0, 0, 345}}}};
    const ff_biped_sensors as_wanted = {.foot = {wanted.foot[0], wanted.foot[1]}};
    ff_biped_task now[2] = {two_feet(), two_feet()};
    for (int f = 0; f < 2; f++) now[1].foot[f].pos[2] = 0.03;
    for (int k = 0; k < 2; k++) {
        ff_biped_height_memory memory;
        memset(&memory, 0, sizeof memory);
        for (int i = 0; i < 3000; i++) {
            ff_biped_task task = target.task;
            ff_biped_height_step(c.lab.robot, &g, &c.filters, &target, &c.view, &now[k], &wanted,
                                 k == 0 ? &measured : &as_wanted, &memory, &task);
            now[k].com[2] = task.com[2];
            now[k].com_vel[2] = task.com_vel[2];
        }
    }
    CHECK_NEAR(now[0].com[2] - 0.9, -0.5 * 90.0 / 4500.0, 1e-4);
    // on ground that lies 3 cm higher under both feet it stands 3 cm higher
    CHECK_NEAR(now[1].com[2], 0.93, 1e-4);
}

// A foot that should carry and does not touch falls with the body; one that touches does not.
TEST(a_late_foot_is_accelerated_down_with_the_body)
{
    contact_lab c = contact_open();
    ff_biped_height_memory memory;
    memset(&memory, 0, sizeof memory);
    memory.speed = -0.3;
    c.view.mode[0] = c.view.mode[1] = c.view.closed[0] = 1.0;
    c.view.load[0] = 1.0;
    const ff_biped_target target = {.task = two_feet()};
    const ff_biped_distribution wanted = {.foot = {{.force = {0, 0, 600}}}};
    const ff_biped_sensors measured = {.foot = {{.force = {0, 0, 600}}}};
    const ff_biped_task now = two_feet();
    ff_biped_task task = target.task;
    ff_biped_height_step(c.lab.robot, &c.g, &c.filters, &target, &c.view, &now, &wanted, &measured, &memory, &task);
    CHECK_NEAR(task.foot[1].vel[2], memory.speed, 1e-12);
    CHECK_NEAR(task.foot[0].vel[2], 0.0, 1e-12);
}

// ------------------------------------------------------------------------------------------ operators

// App. A.4: the world operator turns and shifts in world axes, the own one in the foot's. Of a foot that looks left
// (yaw 90 degrees) ahead is the world's y, and a roll about its own x is one about the world's y.
TEST(feet_are_displaced_in_world_or_own_axes)
{
    static const double ahead[3] = {0.1, 0.0, 0.0}, roll[3] = {0.2, 0.0, 0.0};
    const ff_biped_motion foot = {.rot = {0.0, 0.0, 0.5 * FF_PI}};
    ff_biped_motion a = foot, b = foot;
    double R[2][9];
    ff_biped_modify_world(&a, ahead, roll, ahead, roll);
    ff_biped_modify_own(&b, ahead, roll, ahead, roll);
    CHECK_NEAR(a.pos[0], 0.1, 1e-12);
    CHECK_NEAR(a.vel[0], 0.1, 1e-12);
    CHECK_NEAR(b.pos[1], 0.1, 1e-12);
    CHECK_NEAR(b.omega[1], 0.2, 1e-12);
    ff_biped_foot_axes(&a, R[0]);
    ff_biped_foot_axes(&b, R[1]);
    // where the foot's own x points: A: Rx(0.2) Rz e_x = Rx(0.2) e_y; B: Rz Rx(0.2) e_x = e_y
    CHECK_NEAR(R[0][3], cos(0.2), 1e-12);
    CHECK_NEAR(R[0][6], sin(0.2), 1e-12);
    CHECK_NEAR(R[1][3], 1.0, 1e-12);
}

// ------------------------------------------------------------------------------------------ inclination

TEST(the_tilt_is_that_of_the_torso_against_the_plan)
{
    ff_biped_sensors s = {.roll = 0.02, .pitch = -0.03, .gyro = {0.1, 0.2, 0.3}};
    ff_biped_task plan = {.torso = {0.0, 0.0, 1.0}, .torso_omega = {0.0, 0.0, 0.3}};
    double tilt[3], rate[3];
    ff_biped_incline_measure(&s, &plan, tilt, rate);
    CHECK_NEAR(tilt[0], 0.02, 5e-4); // small angles, whatever the heading
    CHECK_NEAR(tilt[1], -0.03, 5e-4);
    CHECK_NEAR(rate[0], 0.1, 1e-12);
    CHECK_NEAR(rate[2], 0.0, 1e-12);
}

TEST(a_lean_forward_is_answered_by_pressing_ahead)
{
    lab l = lab_open();
    ff_error err = {0};
    const ff_biped_gains g = ff_biped_gains_default(l.robot);
    ff_biped_filters filters;
    ff_biped_incline_memory memory = {0};
    CHECK(ff_biped_filters_make(&g, &filters, &err) == FF_OK);
    const ff_biped_target target = {.task = {.com = {0, 0, 0.886}}, .load = {0.5, 0.5}};
    ff_biped_wrench w = {.force = {0, 0, l.robot->weight}};
    ff_biped_incline_step(l.robot, &g, &filters, &target, (double[]){0, 0.02, 0}, (double[]){0, 0, 0}, &memory, &w);
    const double expected = -(g.tilt_stiffness * 0.02 + l.robot->weight * 0.886 * sin(0.02));
    CHECK_NEAR(w.torque[1], expected, 1e-9); // about y, negative: the centre of pressure goes ahead
    CHECK_NEAR(w.torque[0], 0.0, 1e-12);
}

// eq. 4.19 to 4.22: a torque of 10 N m against a rate of -1 rad/s gives out 10 W, 0.01 J in a tick; alpha = 0.01 / 10^2
// adds 1e-3 rad/s to the rate. A torque that only takes energy changes nothing.
TEST(passivity_control_takes_out_energy_that_the_loop_feeds_in)
{
    lab l = lab_open();
    ff_biped_gains g = ff_biped_gains_default(l.robot);
    g.filter = FF_BIPED_PASSIVITY;
    const ff_biped_filters none = {.nrate = 0};
    const ff_biped_target target = {.task = {.com = {0, 0, 0.886}}, .load = {0.5, 0.5}};
    for (int way = -1; way <= 1; way += 2) {
        ff_biped_incline_memory memory = {.torque = {10.0, 0.0}};
        ff_biped_wrench w = {.force = {0, 0, l.robot->weight}};
        ff_biped_incline_step(l.robot, &g, &none, &target, (double[]){0, 0, 0}, (double[]){way, 0, 0}, &memory, &w);
        CHECK_NEAR(memory.rate[0], way < 0 ? -1.0 + 1e-3 : 1.0, 1e-12);
    }
}

// A robot that tips about its feet as an inverted pendulum, J = m l^2, under F and T of the law: about the feet they
// give T - l F (about y, F along x). The error dies as the law's poles say, s = -k and s = -1 / b: from rest at tilt a
// with k = 4 and b = 0.3005, a (s2 exp(s1 t) - s1 exp(s2 t)) / (s2 - s1).
TEST(dcm_tracking_brings_a_pendulum_back_as_its_poles_say)
{
    lab l = lab_open();
    const double height = 0.886, m = l.robot->mass, W = l.robot->weight, dt = 1e-4, k = 4.0;
    const double b = sqrt(height * m / W), s1 = -k, s2 = -1.0 / b, end = 0.5;
    double tilt[2] = {0.0, 0.02}, rate[2] = {0.0, 0.0}, force[3], torque[3];
    for (int i = 0; i < (int)(end / dt + 0.5); i++) {
        ff_biped_dcm_law(l.robot, k, height, tilt, rate, force, torque);
        rate[1] += dt * (W * height * sin(tilt[1]) + torque[1] + height * force[0]) / (m * height * height);
        tilt[1] += dt * rate[1];
    }
    CHECK_NEAR(tilt[1], 0.02 * (s2 * exp(s1 * end) - s1 * exp(s2 * end)) / (s2 - s1), 2e-5);
    tilt[0] = 0.02; // it leans to the right: the force goes to the left
    ff_biped_dcm_law(l.robot, k, height, tilt, rate, force, torque);
    CHECK_BELOW(0.0, force[1]);
    CHECK_BELOW(torque[0], 0.0);
}

// ------------------------------------------------------------------------------------------ sensors

typedef struct watch_lab {
    lab lab;
    ff_biped_gains g;
    ff_biped_watch_memory memory;
    ff_biped_sensors s, out;
    double wanted[2][6], load[2];
} watch_lab;

static watch_lab watch_open(void)
{
    watch_lab w = {.lab = lab_open(), .wanted = {{1, 2, 500, 4, 5, 6}, {0, 0, 150, 0, 0, 0}}, .load = {0.75, 0.25}};
    w.g = ff_biped_gains_default(w.lab.robot);
    w.s = (ff_biped_sensors){.foot = {{.force = {0, 0, 480}}, {.force = {0, 0, 160}}}};
    return w;
}

/// The last of some ticks.
static unsigned watch(watch_lab *w, int ticks)
{
    unsigned conditions = 0;
    for (int i = 0; i < ticks; i++)
        conditions = ff_biped_watch_step(w->lab.robot, &w->g, &w->s, w->load, w->wanted, &w->memory, &w->out);
    return conditions;
}

TEST(sensors_that_fail_are_noticed_and_replaced)
{
    watch_lab w = watch_open();
    CHECK_INT((int)watch(&w, 1), 0);
    CHECK_NEAR(w.out.foot[0].force[2], 480.0, 0.0);
    w.s.foot_age[0] = 0.049; // one lost frame, or nine of the IMU at 200 Hz
    w.s.torso_age = 0.049;
    CHECK_INT((int)watch(&w, 1), 0);
    w.s.foot_age[0] = 0.051;
    CHECK_INT((int)watch(&w, 1), FF_BIPED_NO_FOOT);
    CHECK_NEAR(w.out.foot[0].force[2], 500.0, 0.0); // the loop is open
    CHECK_NEAR(w.out.foot[0].torque[1], 5.0, 0.0);
    CHECK_NEAR(w.out.foot[1].force[2], 160.0, 0.0);
    w.s.foot_age[0] = NAN;
    CHECK_INT((int)watch(&w, 1), FF_BIPED_NO_FOOT);
    w.s.foot_age[0] = 0.0;
    w.s.torso_age = 0.051;
    CHECK_INT((int)watch(&w, 1), FF_BIPED_NO_TORSO);
    w.s.torso_age = -1.0; // of a clock that is off
    CHECK_INT((int)watch(&w, 1), FF_BIPED_NO_TORSO);
}

// A foot that stays no number is lost after 50 ms; the IMU and the other foot are measured all the while.
TEST(a_reading_that_is_none_silences_its_own_sensor_only)
{
    watch_lab w = watch_open();
    watch(&w, 1);
    w.s.foot[0].force[2] = NAN;
    w.s.roll = 0.01;
    w.s.foot[1].force[2] = 170.0;
    CHECK_INT((int)watch(&w, 1), FF_BIPED_BAD_SENSOR);
    CHECK_NEAR(w.out.roll, 0.01, 0.0);
    CHECK_NEAR(w.out.foot[0].force[2], 480.0, 0.0); // the last one
    CHECK_NEAR(w.out.foot[1].force[2], 170.0, 0.0);
    CHECK_INT((int)watch(&w, 48), FF_BIPED_BAD_SENSOR);
    CHECK_INT((int)watch(&w, 2), FF_BIPED_BAD_SENSOR | FF_BIPED_NO_FOOT);
    CHECK_NEAR(w.out.foot[0].force[2], 500.0, 0.0);
}

// Of a sensor with noise the same reading for 50 ms is stuck; of one without it is a robot that stands still.
TEST(a_noisy_sensor_that_repeats_itself_is_stuck)
{
    watch_lab w = watch_open();
    CHECK_INT((int)watch(&w, 200), 0);
    w.s.torso_noisy = w.s.foot_noisy[1] = true;
    CHECK_INT((int)watch(&w, 49), 0);
    CHECK_INT((int)watch(&w, 2), FF_BIPED_NO_TORSO | FF_BIPED_NO_FOOT);
    CHECK_NEAR(w.out.foot[0].force[2], 480.0, 0.0);
    CHECK_NEAR(w.out.foot[1].force[2], 150.0, 0.0);
    w.s.gyro[2] += 1e-9;
    w.s.foot[1].torque[2] += 1e-9;
    CHECK_INT((int)watch(&w, 1), 0);
    w.s.torso_age = w.s.foot_age[1] = 0.045; // nothing came for 45 ms: a gap, which its age tells
    CHECK_INT((int)watch(&w, 52), 0);
}

// A pull of the ground is a fault after 20 ms. A sensor has the wrong sign where it measures a pull for most of a
// stance; a foot that rebounds, a foot in the air and a robot that lies do not count.
TEST(a_force_sensor_of_the_wrong_sign_is_found_by_its_stances)
{
    watch_lab w = watch_open();
    watch(&w, 1);
    w.s.foot[1].force[2] = -400.0;
    CHECK_INT((int)watch(&w, 19), 0);
    CHECK_NEAR(w.out.foot[1].force[2], -400.0, 0.0);
    CHECK_INT((int)watch(&w, 80), 0); // a hard landing
    CHECK_NEAR(w.out.foot[1].force[2], 150.0, 0.0);
    w.s.foot[1].force[2] = 160.0;
    CHECK_INT((int)watch(&w, 100), 0);
    CHECK_NEAR(w.out.foot[1].force[2], 160.0, 0.0);
    w.s.foot[1].force[2] = -400.0;
    w.load[1] = 0.0; // in the air
    CHECK_INT((int)watch(&w, 500), 0);
    w.load[1] = 0.25;
    w.s.roll = 1.5; // it lies on its side
    CHECK_INT((int)watch(&w, 500), 0);
    w.s.roll = 0.0;
    CHECK_INT((int)watch(&w, 199), 0);
    CHECK_INT((int)watch(&w, 3), FF_BIPED_WRONG_SIGN);
    CHECK_NEAR(w.out.foot[1].force[2], 150.0, 0.0);
    w.s.foot[1].force[2] = 0.0; // in the air: it stays doubted
    CHECK_INT((int)watch(&w, 1), FF_BIPED_WRONG_SIGN);
}

// ------------------------------------------------------------------------------------------ a tick

TEST(a_robot_that_stands_as_planned_stays_as_it_is_and_allocates_nothing)
{
    lab l = lab_open();
    ff_biped_stabiliser *s = stabiliser_of(&l);
    ff_biped_planner *p = planner_of(&l, NULL, (ff_biped_command){0});
    const ff_biped_sensors sensors = standing_on(l.robot);
    ff_biped_target target;
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    const long long before = allocation_calls;
    for (int i = 0; i < 300; i++) {
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
    }
    CHECK_INT((int)(allocation_calls - before), 0);
    // a swing foot would be 2 mm higher, as the sole complies; the quadratic program leaves 0.3 N of half the weight:
    // 0.01 mm
    for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[k], l.robot->q[k], 2e-3);
}

// A task far below asks the knees to bend further than they can: joints stay within their limits, and that is reported.
TEST(joints_stay_within_their_limits)
{
    lab l = lab_open();
    ff_biped_stabiliser *s = stabiliser_of(&l);
    ff_biped_planner *p = planner_of(&l, NULL, (ff_biped_command){0});
    const ff_biped_sensors sensors = standing_on(l.robot);
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    unsigned conditions = 0;
    for (int i = 0; i < 600; i++) {
        ff_biped_target target;
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        target.task.com[2] -= 8e-4 * i;
        ff_biped_stabiliser_tick(s, &sensors, &target, q, v);
        conditions |= ff_biped_stabiliser_view(s)->conditions;
        for (int j = 0; j < l.model->njoint; j++) {
            const ff_joint *joint = &l.model->joints[j];
            if (joint->limited) CHECK(q[joint->qadr] >= joint->range[0] && q[joint->qadr] <= joint->range[1]);
        }
    }
    CHECK(conditions & FF_BIPED_AT_LIMIT);
}

TEST(sensors_that_make_no_sense_change_nothing)
{
    lab l = lab_open();
    ff_biped_stabiliser *s[2] = {stabiliser_of(&l), stabiliser_of(&l)};
    ff_biped_planner *p = planner_of(&l, NULL, (ff_biped_command){0});
    const ff_biped_sensors good = standing_on(l.robot);
    ff_biped_sensors bad = good;
    ff_biped_target target;
    double q[2][FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    bad.pitch = NAN;
    bad.foot[0].force[2] = INFINITY;
    for (int i = 0; i < 50; i++) {
        ff_biped_planner_tick(p, 1e-3 * i, &target);
        ff_biped_stabiliser_tick(s[0], &good, &target, q[0], v);
        ff_biped_stabiliser_tick(s[1], i % 5 == 4 ? &bad : &good, &target, q[1], v);
        CHECK_INT(ff_biped_stabiliser_view(s[1])->conditions & FF_BIPED_BAD_SENSOR,
                  i % 5 == 4 ? FF_BIPED_BAD_SENSOR : 0);
    }
    for (int k = 0; k < l.model->nq; k++) CHECK_NEAR(q[1][k], q[0][k], 0.0);
}
