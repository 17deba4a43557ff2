// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The workbench: verbs, frames, pace, and the promise that a scene nobody touches gives the same bits as `footfall run`.
#include "bench_client.h"

#include <footfall/scene.h>

#define TRIPOD "experiments/anton-tripod.yaml"

TEST(a_scene_is_loaded_told_stepped_and_run_to_its_end)
{
    bench_client c;
    int width, count;
    bench_open(&c, FF_SOURCE_DIR);
    bench_do(&c, "\"do\": \"load\", \"scene\": \"%s\", \"set\": [\"time=0.2\", \"expect=[]\"]", TRIPOD);
    char *event = bench_wait_for(&c, -1, "\"event\": \"scene\"", NULL);
    CHECK(strstr(event, "\"method\": \"implicit\""));
    CHECK_NEAR(bench_number(event, "step"), 5e-4, 0.0);
    free(event);
    bench_next_frame(&c, 0);
    CHECK_NEAR(frame_time(&c), 0.0, 0.0);
    bench_do(&c, "\"do\": \"step\"");
    bench_next_frame(&c, 0);
    CHECK_NEAR(frame_time(&c), 5e-4, 1e-15);
    CHECK(frame_section(&c, 1, &width, &count));
    CHECK_INT(width, 7 + 24); // a free body, two joints between its segments and six legs
    CHECK(frame_section(&c, 7, &width, &count));
    CHECK_INT(count, 6);
    bench_do(&c, "\"do\": \"run\", \"pace\": 0");
    char *state = bench_wait_for(&c, -1, "\"ended\": \"finished\"", "\"running\": false");
    CHECK_NEAR(bench_number(state, "t"), 0.2, 1e-12);
    free(state);
    bench_close(&c);
}
