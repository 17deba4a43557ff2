// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the experiment book. Below a row, a line with the seed follows for each run that did not finish and for each
// missed expectation.
#include "experiments.h"

#include "run_report.h"
#include "terminal.h"

static void add_note(experiments_row *row, ff_arena *arena, uint64_t seed, const char *text)
{
    row->notes = ff_arena_printf(arena, "%s    seed %llu: %s\n", row->notes ? row->notes : "", (unsigned long long)seed,
                                 text ? text : "");
}

static void tally(experiments_tally *t, const ff_expectation *e, const char *wanted, ff_arena *arena)
{
    if (t->runs++ == 0) {
        t->metric = ff_arena_strdup(arena, e->metric);
        t->wanted = ff_arena_strdup(arena, wanted);
        t->may_miss = e->may_miss;
    }
    t->met += e->met;
}

void experiments_row_add(experiments_row *row, uint64_t seed, const ff_result *result, const ff_summary *summary,
                         ff_arena *arena)
{
    char wanted[80];
    if (row->runs++ == 0) {
        row->seeds[0] = seed;
        row->tallies = FF_ARENA_NEW(arena, experiments_tally, result->nexpectation + 1);
        row->ntally = row->tallies ? result->nexpectation : 0;
    }
    row->seeds[1] = seed;
    row->wall += summary->wall;
    for (int i = 0; i < result->nexpectation; i++) {
        const ff_expectation *e = &result->expectations[i];
        row->other_seed += e->other_seed;
        row->met += !e->other_seed && e->met;
        describe_expectation(e, wanted, sizeof wanted);
        if (i < row->ntally && !e->other_seed) tally(&row->tallies[i], e, wanted, arena);
        if (e->other_seed || e->met || e->may_miss > 0.0) continue;
        row->missed++;
        add_note(row, arena, seed, ff_arena_printf(arena, "%s is %.6g, expected %s", e->metric, e->got, wanted));
    }
}

void experiments_row_add_end(experiments_row *row, const char *name, uint64_t seed, const char *outcome,
                             ff_arena *arena)
{
    add_note(row, arena, seed, ff_arena_printf(arena, "%s %s", name, outcome));
}

bool experiments_row_evaluate(experiments_row *row, int seeds, ff_arena *arena)
{
    bool all = true;
    for (int i = 0; i < row->ntally; i++) {
        const experiments_tally *t = &row->tallies[i];
        if (t->may_miss == 0.0 || t->runs == 0) continue;
        const int same = row->any_seed ? seeds : 1; // one run represents that many
        const int met = t->met * same, runs = t->runs * same, wanted = ff_expectation_wanted(t->may_miss, runs);
        *(met < wanted ? &row->missed : &row->allowed) += t->runs - t->met;
        all = all && met >= wanted;
        row->rates = ff_arena_printf(arena, "%s    %s %s: met in %d of %d, wanted %d\n", row->rates ? row->rates : "",
                                     t->metric, t->wanted, met, runs, wanted);
    }
    return all;
}

void experiments_row_print(const experiments_row *row)
{
    static const char form[] = "%-22s  %-24s  %7s  %5s  %6s  %10s  %8s\n";
    char seeds[48], met[16], missed[16], other[16] = "", duration[32];
    if (!row) {
        printf(form, "experiment", "variant", "seeds", "held", "missed", "other seed", "time");
        return;
    }
    snprintf(seeds, sizeof seeds, "%llu", (unsigned long long)row->seeds[0]);
    if (row->runs > 1)
        snprintf(seeds, sizeof seeds, "%llu-%llu", (unsigned long long)row->seeds[0],
                 (unsigned long long)row->seeds[1]);
    if (row->any_seed) snprintf(seeds, sizeof seeds, "any");
    if (row->runs == 0) seeds[0] = '\0'; // a row of comparisons has no runs
    snprintf(met, sizeof met, "%d", row->met);
    snprintf(missed, sizeof missed, "%d", row->missed);
    if (row->other_seed) snprintf(other, sizeof other, "%d", row->other_seed);
    format_duration(row->wall, duration, sizeof duration);
    if (row->runs == 0) duration[0] = '\0';
    printf(form, row->experiment, row->variant, seeds, met, missed, other, duration);
    if (row->notes) printf("%s", row->notes);
    if (row->rates) printf("%s", row->rates);
    fflush(stdout); // the user watches a long run
}
