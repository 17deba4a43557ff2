// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the step that specialise.c wrote on a processor, for test_batch_models.c: the text before this file's inclusion
// has the tables and the schedule of one model.
#include "batch/special_tables.h"

typedef struct job {
    const place *at; // what the crew shares
    int member, steps;
} job;

/// What one member of the crew does.
static void *run_member(void *context)
{
    const job *j = (const job *)context;
    record records[RECORDS];
    opened trunk[OPENED];
    outcome made;
    place at = *j->at;
    at.records = records;
    at.opened = trunk;
    at.made = &made;
#if CREW > 1
    special_member = j->member;
#endif
    for (int i = 0; i < j->steps; i++) block_step(&at, i);
    return NULL;
}

static void run_crew(const place *at, int steps)
{
    job jobs[CREW];
    for (int i = 0; i < CREW; i++) jobs[i] = (job){.at = at, .member = i, .steps = steps};
#if CREW > 1
    pthread_t threads[CREW];
    pthread_barrier_init(&special_barrier, NULL, CREW);
    for (int i = 1; i < CREW; i++) pthread_create(&threads[i], NULL, run_member, &jobs[i]);
    run_member(&jobs[0]);
    for (int i = 1; i < CREW; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&special_barrier);
#else
    run_member(&jobs[0]);
#endif
}

void special_run(const ff_batch_model *m, const ff_batch_rules *rules, double *x, const double *in, int steps);
void special_run(const ff_batch_model *m, const ff_batch_rules *rules, double *x, const double *in, int steps)
{
    real near[NEAR_ROWS], frames[STATION_ROWS];
    ff_batch_model model;
    fill_tables(m);
    known_model(&model);
    const place at = {.model = &model,
                      .rules = rules,
                      .x = x,
                      .in = in,
                      .near = near,
                      .station_frames = frames,
                      .next = &NEXT(near, NEXT_ROW)};
    run_crew(&at, steps);
}
