// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of the experiment book. What was missed follows its row, a line each with the seed.
#include "book_table.h"

#include "expectations.h"
#include "terminal.h"

static void add_note(book_row *row, ff_arena *arena, uint64_t seed, const char *text)
{
    row->notes =
        ff_arena_printf(arena, "%s    seed %llu: %s\n", row->notes ? row->notes : "", (unsigned long long)seed, text);
}

void book_row_add(book_row *row, uint64_t seed, const ff_result *result, const ff_summary *summary, ff_arena *arena)
{
    char wanted[80];
    if (row->runs++ == 0) row->seeds[0] = seed;
    row->seeds[1] = seed;
    row->wall += summary->wall;
    for (int i = 0; i < result->nexpectation; i++) {
        const ff_expectation *e = &result->expectations[i];
        row->other_seed += e->other_seed;
        row->held += !e->other_seed && e->met;
        if (e->other_seed || e->met) continue;
        row->missed++;
        describe_expectation(e, wanted, sizeof wanted);
        add_note(row, arena, seed, ff_arena_printf(arena, "%s is %.6g, expected %s", e->metric, e->got, wanted));
    }
    if (result->nexpectation == 0 && !result->passed) add_note(row, arena, seed, summary->outcome);
}

void book_row_print(const book_row *row)
{
    static const char form[] = "%-22s  %-24s  %7s  %5s  %6s  %10s  %8s\n";
    char seeds[48], held[16], missed[16], other[16] = "", took[32];
    if (!row) {
        printf(form, "experiment", "variant", "seeds", "held", "missed", "other seed", "time");
        return;
    }
    snprintf(seeds, sizeof seeds, "%llu", (unsigned long long)row->seeds[0]);
    if (row->runs > 1)
        snprintf(seeds, sizeof seeds, "%llu-%llu", (unsigned long long)row->seeds[0],
                 (unsigned long long)row->seeds[1]);
    if (row->any_seed) snprintf(seeds, sizeof seeds, "any");
    snprintf(held, sizeof held, "%d", row->held);
    snprintf(missed, sizeof missed, "%d", row->missed);
    if (row->other_seed) snprintf(other, sizeof other, "%d", row->other_seed);
    format_duration(row->wall, took, sizeof took);
    printf(form, row->experiment, row->variant, seeds, held, missed, other, took);
    if (row->notes) printf("%s", row->notes);
    fflush(stdout); // a long run is watched
}
