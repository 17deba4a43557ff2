// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batteries of the robots while they walk: where the energy of the cells goes.
#include "scene_helpers.h"

/// A walk of a second. `close` is how well the accounts of its drives, integrated by the method, agree with the ledger:
/// they are of first order in the steps.
typedef struct walk {
    const char *scene, *robot, *drives, *solver;
    double close;
} walk;

static const walk walks[] = {
    {"anton-tripod", "anton/anton.yaml", "full", NULL, 1e-4},
    {"servo-hexapod-walk", "servo-hexapod/servo-hexapod.yaml", "full", "solver={method: implicit, step: 1e-4}", 1e-3},
    {"rotto-walk", "rotto/rotto.yaml", "lag", "solver={method: euler, step: 2e-4}", 1e-3},
    {"lola-walk", "lola/lola-ideal.yaml", "ideal", NULL, 1e-3},
    {"biobiped-jog", "biobiped/upright-tracking.yaml", "full", NULL, 1e-3},
};

static void must_walk(const walk *w, const char *charge)
{
    char path[300], robot[400], file[400], drives[60];
    snprintf(robot, sizeof robot, "footfall: 1\nname: fed\nimport: %s/robots/%s\nbattery: {charge: %s}\n",
             FF_SOURCE_DIR, w->robot, charge);
    write_file("fed.yaml", robot);
    snprintf(path, sizeof path, "%s/experiments/%s.yaml", FF_SOURCE_DIR, w->scene);
    snprintf(file, sizeof file, "robot=%s", in_folder("fed.yaml"));
    snprintf(drives, sizeof drives, "effects.drives=%s", w->drives);
    const char *const overrides[] = {file,
                                     drives,
                                     "effects.battery=modelled",
                                     "time=1",
                                     "expect=[]",
                                     "metrics={report: [battery.voltage.min]}",
                                     w->solver ? w->solver : "seed=1"};
    must_load_file(path, overrides, 7);
    must_go();
}

// The voltage of a straight piece of the curve is the mean of its ends. What the cells gave went to the drives, to what
// else is fed, into heat, or is in the capacitor at the terminals, which takes a voltage half of its way in a
// millisecond: C = 1.5 ms / R.
TEST(what_the_cells_give_is_found_again)
{
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        must_walk(&walks[i], "0.9");
        const ff_battery *b = &scene->plant->drives->batteries[0];
        const ff_battery_state *s = ff_sim_battery(ff_run_sim(run), 0), before = ff_battery_start(b);
        const double open = b->curve.n > 0 ? ff_table_value(&b->curve, 0.5 * (0.9 + s->charge)) : b->voltage;
        const double cells = open * b->capacity * (0.9 - s->charge);
        const double held = 0.5 * 1.5e-3 / b->resistance * (s->voltage * s->voltage - before.voltage * before.voltage);
        // U0 is that of the beginning of each millisecond, late by less than 1e-7 of the charge
        CHECK_NEAR(s->given + s->lost + held, cells, 1e-5 * cells);
        CHECK_NEAR(s->given, ff_sim_ledger(ff_run_sim(run)).work + b->load * 1.0, walks[i].close * s->given);
        CHECK(s->lost > 0.0 && metric("battery.voltage.min") < before.voltage);
        CHECK_INT(s->off, 0);
    }
    finish();
}

// 3 ohm let the cells of ANTON give 13 W: its drives have what they took beyond, the battery owes it, and says so.
TEST(a_battery_that_is_asked_for_too_much_says_so_and_its_books_close)
{
    char robot[400], file[400];
    snprintf(robot, sizeof robot,
             "footfall: 1\nname: fed\nimport: %s/robots/anton/anton.yaml\nbattery: {resistance: 3, least: 0}\n",
             FF_SOURCE_DIR);
    write_file("fed.yaml", robot);
    snprintf(file, sizeof file, "robot=%s", in_folder("fed.yaml"));
    const char *const overrides[] = {file, "effects.battery=modelled", "time=1", "expect=[]",
                                     "metrics={report: [battery.given, battery.owed, ledger.work]}"};
    must_load_file(FF_SOURCE_DIR "/experiments/anton-drives.yaml", overrides, 5);
    must_go();
    const double taken = metric("ledger.work") + 10.0 * 1.0;
    CHECK(metric("battery.owed") > 0.01 * taken);
    CHECK_NEAR(metric("battery.given") + metric("battery.owed"), taken, 1e-3 * taken);
    ff_report said = {0};
    ff_run_report_limits(run, &said);
    int reported = 0;
    for (int i = 0; i < said.count; i++)
        reported += strstr(said.messages[i].text, "was asked for more than it can") != NULL;
    CHECK_INT(reported, 1);
    ff_report_clear(&said);
    finish();
}
