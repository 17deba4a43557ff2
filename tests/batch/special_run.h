// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the step that specialise.c wrote on a processor, for test_batch_models.c: the text before this file's inclusion
// has the tables and the schedule of one model.
#include <string.h>

#define FILL(table, array, count) memcpy(table, array, sizeof *(array) * (size_t)(count))

void special_run(const ff_batch_model *m, const ff_batch_rules *rules, double *x, const double *in, int steps);
void special_run(const ff_batch_model *m, const ff_batch_rules *rules, double *x, const double *in, int steps)
{
    record records[DOF_COUNT];
    real frames[STATIONS * FRAME_ROWS], near[NEAR_ROWS];
    outcome made;
    ff_batch_model model;
    MODEL = *m;
    FILL(NODES, m->nodes, m->nnode);
    FILL(DOFS, m->dofs, m->nv);
    FILL(SERVOS, m->servos, m->nservo);
    FILL(ACTUATORS, m->actuators, m->nactuator);
    FILL(POINTS, m->points, m->npoint);
    FILL(PLANES, m->planes, m->nplane);
    FILL(CONTACTS, m->contacts, m->ncontact);
    if (m->cycle.npose > 0) FILL(POSES, m->cycle.poses, m->cycle.npose * m->nservo);
    known_model(&model);
    const place at = {.model = &model,
                      .rules = rules,
                      .x = x,
                      .in = in,
                      .records = records,
                      .station_frames = frames,
                      .station_sums = near,
                      .next = &NEXT(near, NEXT_ROW),
                      .made = &made};
    for (int i = 0; i < steps; i++) block_step(&at);
}
