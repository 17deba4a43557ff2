// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots walk through the hardware layer as they walk without it, and no check trips: ANTON with backlash and
// potentiometers, LOLA on a bus of 1 ms and on its own of 250 us with minor cycles.
#include "hardware/layered.h"

enum { TICKS = CHECK_LASTS(2000, 200) }; // of 1 ms: two seconds

/// Walks, and does not fall. @return how far  [m]
static double walk(const char *file, const char *bus, bool with_layer, layered *l)
{
    char time[32];
    const char *set[] = {time, "expect=[]", "metrics={}", bus};
    snprintf(time, sizeof time, "time=%g", 1e-3 * TICKS);
    if (with_layer)
        run_layered(l, file, set, 4);
    else {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, file);
        must_load_file(path, set, 4);
        must_go();
    }
    CHECK(metric("walk.falls") == 0.0);
    return metric("walk.distance");
}

/// When it became active.  [s]
static double begin_of_walk(const layered *l)
{
    const char *word = strstr(l->log, " Active"), *line = word;
    CHECK(word);
    while (line > l->log && line[-1] != '\n') line--;
    return strtod(line, NULL);
}

/// @param speed  that is commanded  [m/s]
static void must_walk_as_without(const char *file, const char *bus, int64_t cycles, double speed)
{
    layered l = {.options = ff_hardware_options_default()};
    const double alone = walk(file, bus, false, NULL), through = walk(file, bus, true, &l);
    if (l.status != FF_OK) CHECK_FAIL("%s", l.err.text);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0 && l.counts.mismatches == 0 && l.counts.lost == 0);
    const double late = begin_of_walk(&l);
    CHECK(l.counts.cycles == cycles && l.counts.frames == TICKS - (int64_t)floor(1e3 * late + 1e-6)); // one a tick
    printf("%s: %.4f m without the layer, %.4f m through it, joints within %.4f\n", file, alone, through,
           l.counts.tracking_max);
    // the way of the time in which it boots and homes is missing; 5 % as of speeds
    CHECK_NEAR(through, alone, late * speed + 0.05 * alone);
    CHECK(l.counts.tracking_max < 0.08); // of 0.1
    free_layered(&l);
}

TEST(anton_walks_through_the_layer)
{
    must_walk_as_without("experiments/anton-tripod.yaml", "effects.bus={jitter: 0}", TICKS + 1, 0.1);
}

TEST(lola_walks_through_the_layer)
{
    must_walk_as_without("experiments/lola-walk.yaml", "effects.bus={jitter: 0}", TICKS + 1, 0.5);
}

TEST(lola_walks_through_the_layer_on_its_own_bus)
{
    must_walk_as_without("experiments/lola-walk.yaml",
                         "effects.bus={period: 250 us, wait: 110.5 us, transfer: 114 us, jitter: 0}", 4 * TICKS + 1,
                         0.5);
}
