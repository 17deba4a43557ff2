// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of a step that is written out for one model (specialise.c), one robot a thread. The sums of the stations
// lie in shared memory, and when they have been used the next state does: both are touched so often that the second
// cache is too slow for them. Where two groups of threads on a multiprocessor would not find room for that, they lie
// where everything else does.
#include "batch/limbs.h"

extern "C" __global__ void __launch_bounds__(THREADS)
    make_steps(const ff_batch_rules rules, double *x, const double *in, int robots, int steps)
{
    const int robot = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (robot >= robots) return;
    const size_t block = (size_t)robot / FF_BATCH_DEVICE_LANES, lane = (size_t)robot % FF_BATCH_DEVICE_LANES;
    record records[DOF_COUNT];
    real frames[STATIONS * FRAME_ROWS];
#if NEAR_STRIDE > 1
    extern __shared__ real shared[];
    real *near = shared + threadIdx.x;
#else
    real near[NEAR_ROWS];
#endif
    outcome made;
    ff_batch_model model;
    known_model(&model);
    place at;
    at.model = &model;
    at.rules = &rules;
    at.x = x + block * (size_t)model.nrow * FF_BATCH_DEVICE_LANES + lane;
    at.in = in + block * (size_t)model.ninput * FF_BATCH_DEVICE_LANES + lane;
    at.records = records;
    at.station_frames = frames;
    at.station_sums = near;
    at.next = &NEXT(near, NEXT_ROW);
    at.made = &made;
    LOOP for (int i = 0; i < steps; i++) block_step(&at);
}
