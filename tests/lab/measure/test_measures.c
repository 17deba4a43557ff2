// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What it takes to add a measure: one is written here as it would be in a file of its own, and proven. Then what all
// measures promise.
#include "check.h"
#include "measure/measure.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/text.h>

// ------------------------------------------------------------------------------------------ a measure: how often a
// pendulum turns back

typedef struct swings {
    double speed;
    int turns;
} swings;

static const ff_metric_help swing_help[] = {{"swings.turns", "", "how often the first joint turned back"}, {0}};

static ff_sim_action watch_swing(void *context, ff_sim *sim, double t)
{
    swings *s = context;
    const double speed = ff_sim_v(sim)[0];
    (void)t;
    s->turns += s->speed * speed < 0.0;
    s->speed = speed;
    return FF_SIM_GO;
}

static ff_status begin_swings(const ff_measure_site *site, void **context, ff_error *err)
{
    *context = FF_ARENA_NEW(site->arena, swings, 1);
    if (!*context) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    return ff_measure_every_step(site, *context, watch_swing, err);
}

static void list_swings(const void *context, double *values)
{
    values[0] = ((const swings *)context)->turns;
}

static const ff_measure_kind measure_swings = {
    .name = "swings", .help = swing_help, .listed = 1, .begin = begin_swings, .list = list_swings};

// ------------------------------------------------------------------------------------------ the proof

static const ff_measure_kind *const kinds[] = {&ff_measure_run, &measure_swings, &ff_measure_joints, NULL};
static const double LENGTH = 0.4, AMPLITUDE = 0.02; // [m], [rad]

typedef struct bench {
    ff_model *model;
    ff_sim *sim;
    ff_measures *measures;
} bench;

/// A pendulum let go at its amplitude, and what measures it.
static bench set_up(void)
{
    ff_error err = {0};
    bench b = {.model = robot_pendulum(1.0, LENGTH, 1e-9)};
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_RK4;
    options.step = 1e-3;
    b.sim = ff_sim_create(b.model, &options, &err);
    CHECK(b.sim);
    ff_sim_set_q(b.sim, 0, AMPLITUDE);
    const ff_measure_site site = {.model = b.model, .time = 3.0, .sim = b.sim};
    b.measures = ff_measures_create(kinds, &site);
    CHECK(b.measures);
    if (ff_measures_begin(b.measures, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return b;
}

static void clear(bench *b)
{
    ff_measures_destroy(b->measures);
    ff_sim_destroy(b->sim);
    ff_model_destroy(b->model);
}

// It turns back every half period, pi sqrt(l / g) = 0.6345 s: four times in 3 s.
TEST(a_new_measure_is_listed_evaluated_and_reported)
{
    bench b = set_up();
    CHECK(ff_measures_know(b.measures, "swings.turns"));
    CHECK(!ff_measures_know(b.measures, "swings.turn"));
    CHECK_TEXT(ff_measures_hint(b.measures, "swings.tunrs"), "swings.turns");
    must_run(b.sim, 3.0);
    ff_measures_take(b.measures, false);
    ff_summary summary = {.outcome = "finished"};
    summary.metrics = ff_measures_list(b.measures, &summary.nmetric);
    char *json = ff_summary_to_json(&summary);
    CHECK(strstr(json, "\"swings.turns\": 4"));
    CHECK(strstr(json, "\"time\": 3"));
    free(json);
    ff_expectation wanted[] = {
        {.metric = "swings.turns", .has_is = true, .is = 4, .at_least = -INFINITY, .at_most = INFINITY},
        {.metric = "swings.turns", .at_least = 5, .at_most = INFINITY}};
    CHECK(ff_measures_evaluate(b.measures, wanted, 1, true));
    CHECK(!ff_measures_evaluate(b.measures, wanted, 2, true));
    CHECK(wanted[0].met && !wanted[1].met && wanted[1].got == 4.0);
    CHECK(!ff_measures_evaluate(b.measures, wanted, 1, false) && !wanted[0].met); // a run that failed meets nothing
    clear(&b);
}

TEST(who_asks_while_a_run_goes_on_changes_nothing)
{
    bench once = set_up(), often = set_up();
    must_run(once.sim, 2.0);
    for (int i = 1; i <= 8; i++) {
        must_run(often.sim, 0.25 * i);
        ff_measures_take(often.measures, true);
    }
    ff_measures_take(once.measures, false);
    ff_measures_take(often.measures, false);
    int n, m;
    const ff_metric *a = ff_measures_list(once.measures, &n), *b = ff_measures_list(often.measures, &m);
    CHECK_INT(n, m);
    for (int i = 0; i < n; i++)
        if (memcmp(&a[i].value, &b[i].value, sizeof(double)) != 0)
            CHECK_FAIL("%s: %.17g and %.17g", a[i].name, a[i].value, b[i].value);
    clear(&once);
    clear(&often);
}

// Names of metrics are unique, and each has a meaning and a unit without brackets.
TEST(the_help_names_each_metric_once)
{
    const ff_metric_help *row, *other;
    for (int i = 0; (row = ff_measures_help(i)); i++) {
        CHECK(row->unit && !strchr(row->unit, '[') && !strchr(row->meaning, '['));
        for (int k = 0; k < i && (other = ff_measures_help(k)); k++)
            if (strcmp(row->name, other->name) == 0) CHECK_FAIL("%s twice", row->name);
    }
    CHECK(ff_measures_begin_with("walk") && ff_measures_begin_with("control") && !ff_measures_begin_with("wal"));
}
