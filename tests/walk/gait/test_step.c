// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Gaits and step cycles without a simulation: feet follow their references exactly, the ground is flat, and contact is
// reported 4 ms late.
#include <footfall/hexapod.h>

#include "check.h"
#include "gait/walk.h"

enum { LEGS = 6, DELAY = 4 };
#define DT     1e-3 // [s]
#define LENGTH 0.07 // L_sum of Fig. 3.18 [m]
#define ZONE   0.02 // H_ad [m]
#define SPEED  0.3  // V_tr [m/s]

// legs 1 to 6 of the thesis: front left, front right, middle left, ..
static const ff_leg_place PLACES[LEGS] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};

// ------------------------------------------------------------------------------------------ a world of feet alone

typedef struct walk {
    ff_footstep_setup setup;
    ff_footstep_memory memory;
    ff_walk_setpoint setpoint;
    ff_feet_seen seen;
    bool touching[DELAY + 1][LEGS]; // the last periods
    double ground;                  // height of the floor in the world [m]
    double time;
    double since_change; // of the gait [s]
    int least_before;    // N_min of the gait before
    // what was seen
    int air[LEGS], periods, lifts[LEGS];
    int least_support, worst_missing; // most feet that were missing below N_min
    bool beside;                      // two neighbours of one side were in the air
    double low[LEGS], high[LEGS];     // travel
    double body;                      // way of the body [m]
    double longest_wait;
} walk;

static void order_gait(walk *w, ff_gait gait, double transfer)
{
    const int before = w->setpoint.cycle.tau > 0.0 ? w->setup.tables[w->setpoint.gait].least : LEGS;
    w->setpoint.gait = gait;
    w->setpoint.walk = true;
    w->setpoint.cycle = ff_footstep_cycle_make(w->setup.tables[gait].tau, LENGTH, ZONE, transfer);
    w->setpoint.velocity[0] = w->setpoint.cycle.stance;
    w->least_before = before;
    w->since_change = 0.0;
}

static walk begin(void)
{
    walk w = {.least_support = LEGS};
    ff_error err = {0};
    const ff_footstep_options options = ff_hexapod_options_default().step;
    if (ff_footstep_setup_make(PLACES, LEGS, &options, &w.setup, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < LEGS; i++) {
        w.setpoint.centre[i][0] = 0.18 * (1 - PLACES[i].row);
        w.setpoint.centre[i][1] = PLACES[i].side == 0 ? 0.22 : -0.22;
        w.setpoint.scale[i] = 1.0;
        for (int k = 0; k <= DELAY; k++) w.touching[k][i] = true;
    }
    ff_footstep_start(&w.setup, (const double(*)[2])w.setpoint.centre, &w.memory);
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    w.setpoint.walk = false;
    return w;
}

/// Forgets what was seen.
static void watch(walk *w)
{
    w->periods = 0;
    w->least_support = LEGS;
    w->worst_missing = 0;
    w->beside = false;
    w->body = w->longest_wait = 0.0;
    for (int i = 0; i < LEGS; i++) {
        w->air[i] = w->lifts[i] = 0;
        w->low[i] = INFINITY;
        w->high[i] = -INFINITY;
    }
}

static void see(walk *w, const ff_footstep_memory *before)
{
    const ff_gait_table *table = &w->setup.tables[w->setpoint.gait];
    int support = 0;
    for (int i = 0; i < LEGS; i++) {
        const ff_footstep_leg *leg = &w->memory.legs[i];
        const bool in_air = leg->phase != FF_FOOTSTEP_SUPPORT;
        support += !in_air;
        w->air[i] += in_air;
        w->lifts[i] += in_air && before->legs[i].phase == FF_FOOTSTEP_SUPPORT;
        w->low[i] = fmin(w->low[i], leg->foot[0] - w->setpoint.centre[i][0]);
        w->high[i] = fmax(w->high[i], leg->foot[0] - w->setpoint.centre[i][0]);
        w->longest_wait = fmax(w->longest_wait, leg->waiting);
        for (int k = 0; k < LEGS; k++)
            if (in_air && (table->beside[i] >> k & 1U) && w->memory.legs[k].phase != FF_FOOTSTEP_SUPPORT)
                w->beside = true;
    }
    // legs that the gait before has lifted are still to come down
    const int least = w->since_change < 1.2 * w->setpoint.cycle.air && w->least_before < table->least ? w->least_before
                                                                                                      : table->least;
    if (support < w->least_support) w->least_support = support;
    if (least - support > w->worst_missing) w->worst_missing = least - support;
    w->body += DT * w->memory.pace * w->setpoint.velocity[0];
    w->periods++;
}

static void step(walk *w)
{
    const ff_footstep_memory before = w->memory;
    memmove(w->touching[1], w->touching[0], sizeof w->touching[0] * DELAY);
    for (int i = 0; i < LEGS; i++) {
        w->touching[0][i] = w->memory.legs[i].height + w->memory.raised <= w->ground + 1e-12;
        w->seen.contact[i] = w->touching[DELAY][i];
    }
    ff_footstep_update(&w->setup, &w->setpoint, &w->seen, DT, &w->memory);
    w->time += DT;
    w->since_change += DT;
    see(w, &before);
}

static void go(walk *w, double time)
{
    const int n = (int)floor(time / DT + 0.5);
    for (int i = 0; i < n; i++) step(w);
}

static void check_safe(const walk *w)
{
    CHECK(!w->beside);
    CHECK_INT(w->worst_missing, 0);
    for (int i = 0; i < LEGS; i++) {
        CHECK_BELOW(-w->low[i], 0.082); // what the reference allows a waiting foot [m]
        CHECK_BELOW(w->high[i], 0.5 * LENGTH + 1e-9);
    }
}

// ------------------------------------------------------------------------------------------ tables and cycle

TEST(tables_are_those_of_the_thesis)
{
    static const double start[FF_GAIT_COUNT][LEGS] = {{2.0 / 6, 5.0 / 6, 1.0 / 6, 4.0 / 6, 0.0, 3.0 / 6},
                                                      {2.0 / 3, 2.0 / 3, 1.0 / 3, 1.0 / 3, 0.0, 0.0},
                                                      {0.0, 0.5, 0.5, 0.0, 0.0, 0.5}};
    static const double tau[FF_GAIT_COUNT] = {1.0 / 6, 2.0 / 6, 3.0 / 6};
    static const int least[FF_GAIT_COUNT] = {4, 4, 3};
    for (int g = 0; g < FF_GAIT_COUNT; g++) {
        ff_gait_table table;
        ff_error err = {0};
        CHECK_INT(ff_gait_table_make((ff_gait)g, PLACES, LEGS, &table, &err), FF_OK);
        CHECK_NEAR(table.tau, tau[g], 1e-15);
        CHECK_INT(table.least, least[g]);
        for (int i = 0; i < LEGS; i++) CHECK_NEAR(table.start[i], start[g][i], 1e-15);
        CHECK_INT(table.beside[2], 1 | 16);                                        // leg 3: legs 1 and 5
        CHECK_INT(table.neighbours[2], g == FF_GAIT_GALLOP ? 1 | 16 : 1 | 16 | 8); // and leg 4
    }
}

TEST(rows_and_feet_that_do_not_suffice_are_refused)
{
    static const ff_leg_place four[4] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, odd[4] = {{0, 0}, {0, 0}, {1, 0}, {1, 1}};
    ff_gait_table table;
    ff_error err = {0};
    CHECK_INT(ff_gait_table_make(FF_GAIT_TRIPOD, four, 4, &table, &err), FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "three are needed") != NULL);
    CHECK_INT(ff_gait_table_make(FF_GAIT_WAVE, four, 4, &table, &err), FF_OK);
    CHECK_INT(table.least, 3);
    CHECK_INT(ff_gait_table_make(FF_GAIT_WAVE, odd, 4, &table, &err), FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "rows of two") != NULL);
}

TEST(cycle_closes_and_has_the_speeds_of_the_thesis)
{
    // V_st = V_tr / 3, / 5, / 11 and the periods for L = 7 cm, V_tr = 0.3 m/s
    static const double tau[3] = {3.0 / 6, 2.0 / 6, 1.0 / 6}, part[3] = {3.0, 5.0, 11.0},
                        period[3] = {14.0 / 15, 1.4, 2.8};
    for (int g = 0; g < 3; g++) {
        const ff_footstep_cycle c = ff_footstep_cycle_make(tau[g], LENGTH, ZONE, SPEED);
        CHECK_NEAR(c.stance, SPEED / part[g], 1e-15);
        CHECK_NEAR(c.period, period[g], 1e-14);
        CHECK_NEAR(c.stance, c.length / (c.period - c.length / c.transfer), 1e-15); // (3.6)
        CHECK_NEAR(c.air, 4.0 * c.zone / c.lift, 1e-15);                            // (3.3)
        CHECK_NEAR(ff_footstep_transfer_for(c.tau, c.stance), SPEED, 1e-15);
        // speeds times durations of the five parts add up to nothing
        const double q = c.air / 4;
        CHECK_NEAR(-c.stance * q + c.transfer * 2 * q - c.stance * q - c.stance * (c.period - c.air), 0.0, 1e-16);
        double x, h, x0, h0;
        ff_footstep_ideal(&c, 0.0, &x0, &h0);
        ff_footstep_ideal(&c, c.period, &x, &h);
        CHECK_NEAR(x, x0, 1e-16);
        CHECK_NEAR(h, h0, 1e-16);
        // it is continuous, reaches both extreme positions, and moves by the table
        double low = 1.0, high = -1.0, top = 0.0;
        for (double t = 0.0; t < c.period; t += 1e-4) {
            double x1, h1;
            const ff_footstep_phase phase = ff_footstep_ideal(&c, t, &x, &h);
            if (ff_footstep_ideal(&c, t + 1e-7, &x1, &h1) == phase) {
                const bool ahead = phase == FF_FOOTSTEP_UP || phase == FF_FOOTSTEP_DOWN;
                CHECK_NEAR((x1 - x) / 1e-7, ahead ? c.transfer : -c.stance, 1e-8);
                const double up = phase == FF_FOOTSTEP_SUPPORT                           ? 0.0
                                  : phase == FF_FOOTSTEP_RISE || phase == FF_FOOTSTEP_UP ? c.lift
                                                                                         : -c.lift;
                CHECK_NEAR((h1 - h) / 1e-7, up, 1e-8);
            }
            low = fmin(low, x), high = fmax(high, x), top = fmax(top, h);
        }
        CHECK_NEAR(low, -LENGTH / 2, 1e-4);
        CHECK_NEAR(high, LENGTH / 2, 1e-4);
        CHECK_NEAR(top, 2 * ZONE, 1e-4);
    }
}

TEST(cycle_with_a_pause_keeps_period_and_speed_and_closes)
{
    const ff_footstep_cycle whole = ff_footstep_cycle_make(1.0 / 3.0, LENGTH, ZONE, SPEED);
    const ff_footstep_cycle c = ff_footstep_cycle_with_pause(&whole, 0.05);
    CHECK_NEAR(c.period, whole.period, 0.0);
    CHECK_NEAR(c.stance, whole.stance, 0.0);
    CHECK_NEAR(3.0 * c.air, 0.95 * c.period, 1e-15);                            // three rows one after the other
    CHECK_NEAR(c.stance, c.length / (c.period - c.length / c.transfer), 1e-15); // (3.6)
    CHECK_NEAR(c.air, 4.0 * c.zone / c.lift, 1e-15);                            // (3.3)
    const double q = c.air / 4;
    CHECK_NEAR(-c.stance * q + c.transfer * 2 * q - c.stance * q - c.stance * (c.period - c.air), 0.0, 1e-16);
}

TEST(feet_of_a_gait_with_a_pause_land_with_fifteen_centimetres_a_second_at_most)
{
    for (double speed = 0.1; speed < 0.45; speed += 0.05) {
        const ff_footstep_cycle whole = ff_footstep_cycle_make(1.0 / 3.0, 0.07, 0.025, speed);
        const ff_footstep_cycle c = ff_footstep_cycle_with_pause(&whole, 0.02),
                                none = ff_footstep_cycle_with_pause(&whole, 0.0);
        CHECK(c.lift * (1.0 - c.rounded) <= 0.15 + 1e-15);
        CHECK_NEAR(none.rounded, whole.rounded, 0.0); // other gaits land as before
    }
}

// ------------------------------------------------------------------------------------------ walking

TEST(steady_walk_of_each_gait_has_its_duty_factor_and_speed)
{
    static const double duty[FF_GAIT_COUNT] = {5.0 / 6, 4.0 / 6, 3.0 / 6};
    for (int g = 0; g < FF_GAIT_COUNT; g++) {
        walk w = begin();
        order_gait(&w, (ff_gait)g, SPEED);
        go(&w, 2.0 * w.setpoint.cycle.period);
        watch(&w);
        const int periods = 10;
        const double time = periods * w.setpoint.cycle.period;
        go(&w, time);
        check_safe(&w);
        CHECK_INT(w.least_support, g == FF_GAIT_WAVE ? 5 : w.setup.tables[g].least);
        CHECK_NEAR(w.body / time, w.setpoint.cycle.stance, 1e-3 * w.setpoint.cycle.stance); // nothing is held back
        for (int i = 0; i < LEGS; i++) {
            CHECK_INT(w.lifts[i], periods);
            // contact is told 4 ms late and seen a period later: 5 ms of the period
            CHECK_NEAR(1.0 - (double)w.air[i] / w.periods, duty[g], 6e-3 / w.setpoint.cycle.period);
            CHECK_NEAR(w.low[i], -LENGTH / 2, 1.5e-3); // [m] 10 ms of stance
            CHECK_NEAR(w.high[i], LENGTH / 2, 1.5e-3);
        }
    }
}

TEST(start_and_stop_stand_on_enough_feet_and_end_at_the_centres)
{
    for (int g = 0; g < FF_GAIT_COUNT; g++) {
        walk w = begin();
        watch(&w);
        order_gait(&w, (ff_gait)g, SPEED);
        const double walking = 2.37 * w.setpoint.cycle.period; // anywhere in a step
        go(&w, walking);
        w.setpoint.walk = false;
        go(&w, 3.0 * w.setpoint.cycle.period); // the thesis: stop after about three steps
        check_safe(&w);
        watch(&w);
        go(&w, 0.1);
        CHECK_INT(w.least_support, LEGS);
        CHECK_NEAR(w.memory.pace, 0.0, 0.0);
        for (int i = 0; i < LEGS; i++) CHECK_NEAR(w.memory.legs[i].foot[0], w.setpoint.centre[i][0], 0.004);
        // and it sets out again
        order_gait(&w, (ff_gait)g, SPEED);
        w.setpoint.walk = true;
        go(&w, w.setpoint.cycle.period * 1.5);
        for (int i = 0; i < LEGS; i++) CHECK(w.lifts[i] >= 1);
    }
}

TEST(gait_changes_at_twelve_instants_keep_all_rules_for_30_s)
{
    double farthest = 0.0;
    for (int from = 0; from < FF_GAIT_COUNT; from++)
        for (int to = 0; to < FF_GAIT_COUNT; to++)
            for (int k = 0; from != to && k < 12; k += CHECK_LASTS(1, 12)) {
                walk w = begin();
                watch(&w);
                order_gait(&w, (ff_gait)from, SPEED);
                go(&w, (2.0 + k / 12.0) * w.setpoint.cycle.period);
                order_gait(&w, (ff_gait)to, SPEED);
                go(&w, 2.5 * w.setpoint.cycle.period);
                check_safe(&w);
                for (int i = 0; i < LEGS; i++) farthest = fmax(farthest, -w.low[i]);
                // and the new gait goes on undisturbed
                watch(&w);
                go(&w, 30.0 - w.time);
                check_safe(&w);
                for (int i = 0; i < LEGS; i++) {
                    const double periods = w.periods * DT / w.setpoint.cycle.period;
                    CHECK_NEAR(w.lifts[i], periods, 1.01); // no leg is left out
                    CHECK_NEAR(1.0 - (double)w.air[i] / w.periods, 1.0 - w.setpoint.cycle.tau, 0.03);
                }
                CHECK_NEAR(w.body / (w.periods * DT), w.setpoint.cycle.stance, 0.01 * w.setpoint.cycle.stance);
            }
    // options.behind = 0.6 of L_sum, and what the body needs to slow down
    CHECK_BELOW(farthest, 0.6 * LENGTH + 0.002);
}

TEST(gait_change_every_50_ms_is_safe_and_goes_on_walking)
{
    walk w = begin();
    watch(&w);
    for (int k = 0; k < 400; k++) {
        const int before = w.setup.tables[w.setpoint.gait].least;
        order_gait(&w, (ff_gait)((k * 7 + k / 5) % FF_GAIT_COUNT), SPEED);
        w.least_before = before < 3 ? before : 3; // legs of a tripod may still be in the air
        go(&w, 0.05);
    }
    CHECK(!w.beside);
    CHECK(w.least_support >= 3);
    for (int i = 0; i < LEGS; i++) {
        CHECK_BELOW(-w.low[i], 0.082);
        CHECK(w.lifts[i] >= 3); // of 20 s
    }
    CHECK(w.body > 0.1);
}

TEST(late_contact_does_not_add_up)
{
    walk w = begin();
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    go(&w, 28.0);
    watch(&w);
    go(&w, 2.0);
    // both tripods wait for the other's contact, 5 ms, and for what hurrying has not made up yet
    CHECK_BELOW(w.longest_wait, 0.03);
}

TEST(turning_feet_stand_still_in_the_world)
{
    walk w = begin();
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    // curve to the left, ahead and to the side: the fastest foot has the stance speed
    w.setpoint.velocity[0] = 0.04;
    w.setpoint.velocity[1] = 0.02;
    w.setpoint.turn = 0.15;
    double position[2] = {0.0, 0.0}, yaw = 0.0, anchor[LEGS][2];
    bool standing[LEGS] = {false};
    for (int k = 0; k < 6000; k++) {
        const double s = sin(yaw), c = cos(yaw);
        for (int i = 0; i < LEGS; i++) {
            const double *foot = w.memory.legs[i].foot;
            const double world[2] = {position[0] + c * foot[0] - s * foot[1], position[1] + s * foot[0] + c * foot[1]};
            if (w.memory.legs[i].phase != FF_FOOTSTEP_SUPPORT) {
                standing[i] = false;
                continue;
            }
            if (!standing[i]) memcpy(anchor[i], world, sizeof world);
            standing[i] = true;
            // [m] first-order integration: w^2 r T dt / 2 over a stance is below 5 um
            CHECK_NEAR(world[0], anchor[i][0], 1e-5);
            CHECK_NEAR(world[1], anchor[i][1], 1e-5);
        }
        step(&w);
        const double move[2] = {w.memory.pace * DT * w.setpoint.velocity[0],
                                w.memory.pace * DT * w.setpoint.velocity[1]};
        position[0] += c * move[0] - s * move[1];
        position[1] += s * move[0] + c * move[1];
        yaw += w.memory.pace * DT * w.setpoint.turn;
    }
    CHECK(yaw > 0.8);
}

// ------------------------------------------------------------------------------------------ rules

#define PART (1.0 / 1024) // of a metre: sums of such lengths are exact, so that feet can be equally near

/// All feet down in the middle of a walk, at the given travel from their centres, under a body that stays; legs that
/// ask have done so for `asked`, others: below zero.
static walk stand_asking(ff_gait gait, const double travel[LEGS], const double asked[LEGS])
{
    walk w = begin();
    order_gait(&w, gait, SPEED);
    w.memory.gait = (int32_t)gait;
    w.memory.moving = 1;
    w.memory.clock = w.setup.tables[gait].start[5] + 0.01; // the clock asks nobody for a while
    w.setup.options.acceleration = 0.0;
    for (int i = 0; i < LEGS; i++) {
        w.setpoint.centre[i][0] = 192 * PART * (1 - PLACES[i].row);
        w.memory.legs[i].foot[0] = w.setpoint.centre[i][0] + travel[i] * PART;
        w.memory.legs[i].waiting = asked[i];
    }
    return w;
}

static void lift_now(walk *w, int leg)
{
    ff_footstep_leg *l = &w->memory.legs[leg];
    l->phase = FF_FOOTSTEP_UP;
    l->swing = 0.4;
    l->height = 0.8 * 2.0 * ZONE;
    for (int k = 0; k <= DELAY; k++) w->touching[k][leg] = false;
}

/// Which of two legs lifts first, -1 if both do at once, and after how many periods.
static int first_of(walk *w, int a, int b, int *after)
{
    for (*after = 0; *after < 2000; ++*after) {
        step(w);
        const bool up_a = w->memory.legs[a].phase != FF_FOOTSTEP_SUPPORT,
                   up_b = w->memory.legs[b].phase != FF_FOOTSTEP_SUPPORT;
        if (up_a || up_b) return up_a && up_b ? -1 : up_a ? a : b;
    }
    CHECK_FAIL("neither leg %d nor %d lifts", a, b);
}

// Of two neighbours that ask, the one nearer to its rear extreme position lifts, whatever its number; equally near, the
// one that asked earlier; else the earlier of the table. The other waits until the first has landed.
TEST(neighbours_that_ask_lift_in_the_order_of_need)
{
    for (int k = 0; k < 5; k++) {
        const double travel[LEGS] = {k == 0 ? -32 : k == 1 ? -30 : -31, 0, -31, 0, 0, 0};
        const double asked[LEGS] = {k == 2 ? 0.02 : 0.01, -1.0, k == 3 ? 0.02 : 0.01, -1.0, -1.0, -1.0};
        const int expected = k == 0 || k == 2 ? 0 : 2; // k = 4: leg 3 is before leg 1 in the wave
        walk w = stand_asking(FF_GAIT_WAVE, travel, asked);
        int after;
        CHECK_INT(first_of(&w, 0, 2, &after), expected);
        CHECK_INT(after, 0);
        for (const ff_footstep_leg *first = &w.memory.legs[expected]; first->phase != FF_FOOTSTEP_SUPPORT; step(&w))
            CHECK(w.memory.legs[2 - expected].phase == FF_FOOTSTEP_SUPPORT);
    }
}

// Leg 5 is in the air, so its neighbour 3 must wait. Leg 1 is no neighbour of 5 and N_min would let it go, but 3 is
// nearer to its rear extreme position, or got there earlier: with leg 1 in the air it would have to wait for one more
// transfer. Where 1 is nearer itself, it goes.
TEST(a_leg_waits_for_a_neighbour_in_greater_need_that_cannot_lift_yet)
{
    for (int k = 0; k < 4; k++) {
        const double travel[LEGS] = {k == 1 ? -32 : -30, 0, k < 2 ? -31 : -30, 0, 0, 0};
        const double asked[LEGS] = {k == 3 ? 0.02 : 0.01, -1.0, k == 2 ? 0.02 : 0.01, -1.0, -1.0, -1.0};
        walk w = stand_asking(FF_GAIT_WAVE, travel, asked);
        int after;
        lift_now(&w, 4);
        const int first = first_of(&w, 0, 2, &after);
        CHECK_INT(first, k == 0 || k == 2 ? 2 : 0);
        if (first == 0)
            CHECK_INT(after, 0);
        else
            CHECK(w.memory.legs[4].phase == FF_FOOTSTEP_SUPPORT &&
                  after > 0.4 * w.setpoint.cycle.air / DT); // it may hurry
    }
}

// ------------------------------------------------------------------------------------------ ground and sensors

TEST(body_rises_by_the_least_height_below_its_feet)
{
    walk w = begin();
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    go(&w, 2.0);
    w.ground = 0.015; // the floor is higher from here on
    go(&w, 3.0);
    // contact comes 5 ms late: the reference sinks by that times V_up, 0.86 mm
    CHECK_NEAR(w.memory.raised, 0.015, 1.5e-3);
    for (int i = 0; i < LEGS; i++) CHECK_NEAR(w.memory.legs[i].ground, 0.0, 1.5e-3);
    w.ground = 0.0;
    go(&w, 3.0);
    CHECK_NEAR(w.memory.raised, 0.0, 1.5e-3);
}

TEST(dead_stuck_and_missing_sensors_do_not_stop_the_walk)
{
    for (int kind = 0; kind < 3; kind++) {
        walk w = begin();
        order_gait(&w, FF_GAIT_TRIPOD, SPEED);
        for (int k = 0; k < 20000; k++) {
            if (k == 10000) watch(&w);
            step(&w);
            // the next period reads this one: never, always, unknown
            for (int d = 0; d <= DELAY; d++) w.touching[d][3] = kind == 1;
            w.seen.contact_unknown[3] = kind == 2;
        }
        CHECK(!w.beside);
        CHECK(w.least_support >= 3);
        for (int i = 0; i < LEGS; i++) CHECK(w.lifts[i] >= 9); // of 10.7 periods
        CHECK_NEAR(w.memory.legs[3].ground, 0.0, 0.003);       // [m] it lands where the others stand
    }
}

/// A period in which contact of leg 1 is reported or not.
static void step_with_contact(walk *w, bool touching)
{
    for (int d = 0; d <= DELAY; d++) w->touching[d][0] = touching;
    step(w);
}

/// Does a neighbour of leg 1 lift in periods in which contact of leg 1 is reported or not?
static bool lifts_beside(walk *w, bool touching, int periods)
{
    const uint32_t neighbours = w->setup.tables[w->setpoint.gait].neighbours[0];
    bool lifted = false;
    for (int n = 0; n < periods; n++) {
        const ff_footstep_memory before = w->memory;
        step_with_contact(w, touching);
        for (int i = 0; i < LEGS; i++)
            if ((neighbours >> i & 1U) && before.legs[i].phase == FF_FOOTSTEP_SUPPORT &&
                w->memory.legs[i].phase != FF_FOOTSTEP_SUPPORT)
                lifted = true;
    }
    return lifted;
}

// A foot finds the ground 0.12 s late, so that its neighbours have long asked to lift, touches it for an instant, and
// bounces off.
TEST(legs_wait_for_a_neighbour_that_has_bounced_off)
{
    walk w = begin();
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    int bounces = 0;
    for (int k = 0; k < 20000; k++) {
        const double before = w.memory.legs[0].swing;
        step(&w);
        if (w.memory.legs[0].phase != FF_FOOTSTEP_LAY || before >= 0.98 || w.memory.legs[0].swing < 0.98) continue;
        CHECK(!lifts_beside(&w, false, 120));
        CHECK(w.memory.legs[0].phase == FF_FOOTSTEP_LAY); // it goes on looking beyond its zone
        step_with_contact(&w, true);
        CHECK(w.memory.legs[0].phase == FF_FOOTSTEP_SUPPORT);
        CHECK(!lifts_beside(&w, false, 60));
        bounces++;
    }
    CHECK(bounces > 10); // and it goes on walking
}

// A ramp of the slope s below a frame that stays level: feet stand at s x, and the steps go along the ramp.
TEST(steps_on_ground_of_known_slope_end_where_the_ground_is)
{
    const double slope = 0.3;
    walk w = begin();
    w.setup.options.parallel = 1e9; // the frame is not turned parallel to the feet
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    for (int i = 0; i < LEGS; i++) {
        ff_footstep_leg *leg = &w.memory.legs[i];
        w.setpoint.slope[i] = slope;
        leg->height = leg->ground = leg->aim = slope * leg->foot[0];
    }
    const double overshoot = DELAY * DT * w.setpoint.cycle.lift; // [m] contact is told late
    int landings = 0;
    for (int k = 0; k < 10000; k++) {
        const ff_footstep_memory before = w.memory;
        memmove(w.touching[1], w.touching[0], sizeof w.touching[0] * DELAY);
        for (int i = 0; i < LEGS; i++) {
            const ff_footstep_leg *leg = &w.memory.legs[i];
            w.touching[0][i] = leg->height <= slope * leg->foot[0] + 1e-12;
            w.seen.contact[i] = w.touching[DELAY][i];
        }
        ff_footstep_update(&w.setup, &w.setpoint, &w.seen, DT, &w.memory);
        for (int i = 0; i < LEGS; i++) {
            const ff_footstep_leg *leg = &w.memory.legs[i];
            if (leg->phase == FF_FOOTSTEP_SUPPORT) CHECK_NEAR(leg->height, slope * leg->foot[0], 2.0 * overshoot);
            if (leg->phase != FF_FOOTSTEP_SUPPORT || before.legs[i].phase == FF_FOOTSTEP_SUPPORT) continue;
            landings++;
            CHECK(before.legs[i].swing > 0.97); // at the end of the step: neither early nor late
        }
    }
    CHECK(landings > 50); // 10 s, periods of 0.93 s, six legs
}

// Part 14 of the cycle leads from 0.5 to 0.75 of the time in the air. A foot that hits something there stands on it:
// its height is frozen, and it moves with the ground from then on. On its way up it may still report the ground it
// leaves, late.
TEST(a_foot_that_hits_something_early_stands_on_it)
{
    for (double hit = 0.57; hit < 0.76; hit += 0.03) {
        walk w = begin();
        const ff_footstep_leg *leg = &w.memory.legs[0];
        w.setup.options.parallel = 1e9; // the frame is not turned parallel to the feet
        order_gait(&w, FF_GAIT_TRIPOD, SPEED);
        while (leg->phase == FF_FOOTSTEP_SUPPORT) step(&w);
        while (leg->swing < hit) {
            const bool up = leg->swing > 0.3 && leg->swing < 0.49;
            step_with_contact(&w, up);
            if (up) CHECK(leg->phase == FF_FOOTSTEP_UP);
        }
        CHECK(leg->phase == (hit < 0.74 ? FF_FOOTSTEP_DOWN : FF_FOOTSTEP_LAY));
        const double top = leg->height, ahead = leg->foot[0];
        CHECK(top > 0.4 * 2.0 * ZONE); // still high: an obstacle
        step_with_contact(&w, true);
        CHECK(leg->phase == FF_FOOTSTEP_SUPPORT);
        CHECK_NEAR(leg->height, top, 1.3 * w.setpoint.cycle.lift * DT); // [m] one period of a leg that may hurry
        CHECK_NEAR(leg->ground, leg->height, 0.0);
        CHECK_NEAR(leg->foot[0], ahead, 1.3 * SPEED * DT);
        double place = leg->foot[0];
        const double height = leg->height + w.memory.raised;
        for (int k = 0; k < 50; k++) {
            step_with_contact(&w, true);
            place -= DT * w.memory.pace * w.setpoint.velocity[0];
        }
        CHECK_NEAR(leg->height + w.memory.raised, height, 1e-12);
        CHECK_NEAR(leg->foot[0], place, 1e-12);
    }
}

// A foot meets an edge in part 14, higher above the ground than its zone, and slides off it after a while: it looks for
// the ground until it has found it, and its neighbours wait.
TEST(a_foot_that_slides_off_an_edge_looks_for_the_ground_below)
{
    walk w = begin();
    const ff_footstep_leg *leg = &w.memory.legs[0];
    w.setup.options.parallel = 1e9; // the frame is not turned parallel to the feet
    order_gait(&w, FF_GAIT_TRIPOD, SPEED);
    while (leg->phase == FF_FOOTSTEP_SUPPORT) step(&w);
    while (leg->swing < 0.6) step_with_contact(&w, false);
    CHECK(leg->height > 1.5 * ZONE);
    for (int k = 0; k < 30; k++) step_with_contact(&w, true);
    CHECK(leg->phase == FF_FOOTSTEP_SUPPORT);
    while (leg->height + w.memory.raised > 0.0) CHECK(!lifts_beside(&w, false, 1));
    for (int k = 0; k < 100; k++) step_with_contact(&w, true);
    CHECK_NEAR(leg->height + w.memory.raised, 0.0, 2.0 * DELAY * DT * w.setup.options.search);
    CHECK_INT(leg->missed, 0);
    CHECK(lifts_beside(&w, true, 1000));
}

// A foot that met the face of a step in part 14 leans against it: it touches and carries nothing. It is lowered to the
// ground, and its neighbours wait. One that landed at the end of its step may be idle.
TEST(a_foot_that_leans_against_a_step_is_not_stood_on)
{
    for (int early = 0; early < 2; early++) {
        walk w = begin();
        const ff_footstep_leg *leg = &w.memory.legs[0];
        w.setup.options.parallel = 1e9; // the frame is not turned parallel to the feet
        order_gait(&w, FF_GAIT_TRIPOD, SPEED);
        while (leg->phase == FF_FOOTSTEP_SUPPORT) step(&w);
        while (leg->swing < (early ? 0.6 : 0.8)) step_with_contact(&w, false);
        step_with_contact(&w, true);
        CHECK(leg->phase == FF_FOOTSTEP_SUPPORT);
        const double top = leg->height + w.memory.raised;
        walk later = w; // idle just before a neighbour would lift
        int n = 0;
        for (walk stands = w; !lifts_beside(&stands, true, 1); n++) CHECK(n < 1000);
        CHECK(!lifts_beside(&later, true, n - 10));
        later.seen.idle[0] = true;
        CHECK(lifts_beside(&later, true, 60) == !early);
        w.seen.idle[0] = true;
        const bool lifts = lifts_beside(&w, true, 400); // three quarters of the time in the air
        CHECK(lifts == !early);
        const ff_footstep_options *o = &w.setup.options;
        const double lowered = early ? o->search * (0.4 - 0.5 * o->lost) : 0.0; // [m] it may tremble for a while
        CHECK_NEAR(leg->height + w.memory.raised, top - lowered, early ? 2.0 * o->search * DT : 1e-9);
    }
}

/// Slope of the feet against a body whose tilt is known, after it has stood on a ramp of the slope s for a while.
static double slope_below_a_body_on_a_ramp(double s)
{
    walk w = begin();
    w.seen.level_known = true;
    for (int i = 0; i < LEGS; i++) {
        ff_footstep_leg *leg = &w.memory.legs[i];
        w.seen.contact[i] = true;
        leg->height = leg->ground = leg->aim = s * leg->foot[0];
    }
    double slope = s;
    for (int k = 0; k < 8000; k++) {
        const ff_footstep_leg *legs = w.memory.legs;
        slope = (legs[0].ground - legs[4].ground) / (legs[0].foot[0] - legs[4].foot[0]);
        w.seen.pitch = slope - s; // feet do not move: what the plane through them turns, the body does
        ff_footstep_update(&w.setup, &w.setpoint, &w.seen, DT, &w.memory);
    }
    return slope;
}

// On two feet the robot tips: legs reach down where it sinks, in front here, and behind they stay where they are. On
// three all of them turn the body.
TEST(legs_of_a_body_that_tips_do_not_let_go_of_the_ground)
{
    for (int down = 2; down <= 3; down++) {
        walk w = begin();
        w.seen.level_known = true;
        w.seen.pitch = 0.1; // nose down
        for (int i = 0; i < LEGS; i++) w.seen.contact[i] = i < down;
        ff_footstep_adapt(&w.setup, &w.seen, DT, &w.memory);
        const double front = w.memory.legs[0].ground, rear = w.memory.legs[4].ground;
        CHECK(front < 0.0);
        CHECK(down == 2 ? rear == 0.0 : rear > 0.0);
    }
}

// Level where the legs reach, and beyond that parallel to a plane that far from the feet: 20 times the time of the turn
// are over.
TEST(a_body_that_knows_its_tilt_leans_no_more_than_its_feet_need)
{
    CHECK_NEAR(slope_below_a_body_on_a_ramp(0.1), 0.1, 1e-9);
    CHECK_NEAR(slope_below_a_body_on_a_ramp(0.3), 0.125, 1e-6);
    CHECK_NEAR(slope_below_a_body_on_a_ramp(-0.3), -0.125, 1e-6);
}
