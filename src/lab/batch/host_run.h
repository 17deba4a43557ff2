// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of a block by the step that specialise.c wrote for one model, on a processor: the text before this file's
// inclusion has its tables and its schedule. A library has the numbers of one model; who has two loads it twice.
#include "batch/host_entry.h"
#include "batch/special_tables.h"

static ff_host_reader *channel_reader;

double ff_channel_read(const ff_batch_channel *channel, double truth, double key, double loud, double age)
{
    return channel_reader(channel, truth, key, loud, age);
}

static void begin(const ff_batch_model *m, ff_host_reader *read)
{
    channel_reader = read;
    fill_tables(m);
}

/// `memory` is as large as the general loop needs it (lanes_run.h): more than the rows of robots that ended.
static void run(const ff_batch_model *given, const ff_batch_rules *rules, double *x, const double *in, void *memory,
                int steps)
{
    real near[NEAR_ROWS], frames[STATION_ROWS];
    record records[RECORDS];
    opened trunk[OPENED];
    outcome made;
    ff_batch_model model;
    (void)given;
    known_model(&model);
    const place at = {.model = &model,
                      .rules = rules,
                      .x = (real *)x,
                      .in = (const real *)in,
                      .records = records,
                      .opened = trunk,
                      .near = near,
                      .station_frames = frames,
                      .next = &NEXT(near, NEXT_ROW),
                      .kept = memory,
                      .made = &made};
    for (int i = 0; i < steps; i++) block_step(&at, i);
}

#ifdef __clang__
#define WORD_(number) #number
#define WORD(number)  WORD_(number)
#define COMPILER      "clang " WORD(__clang_major__) "." WORD(__clang_minor__) "." WORD(__clang_patchlevel__)
#else
#define COMPILER "GCC " __VERSION__
#endif

extern const ff_host_entry FF_HOST_ENTRY;
__attribute__((visibility("default"))) const ff_host_entry FF_HOST_ENTRY = {.model = sizeof(ff_batch_model),
                                                                            .rules = sizeof(ff_batch_rules),
                                                                            .lanes = FF_LANES,
                                                                            .compiler = COMPILER,
                                                                            .begin = begin,
                                                                            .run = run};
