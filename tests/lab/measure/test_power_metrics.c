// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of drives and batteries against what was recorded of them at every step.
#include "scene/scene_helpers.h"

/// Of a channel of the recording with one column: least and greatest value, and the mean of the squares.
typedef struct seen {
    double low, high, squares;
} seen;

static seen extremes_of(const char *channel)
{
    const ff_recorder *rec = ff_run_recorder(run);
    const int column = ff_recorder_find(rec, channel, NULL);
    const long long rows = ff_recorder_rows(rec);
    seen s = {INFINITY, -INFINITY, 0.0};
    if (column < 0) CHECK_FAIL("no channel %s", channel);
    for (long long i = 0; i < rows; i++) {
        const double x = ff_recorder_row(rec, i)[column];
        s.low = fmin(s.low, x);
        s.high = fmax(s.high, x);
        s.squares += x * x / (double)(rows - 1); // the first and the last row, half each, are zero or next to it
    }
    return s;
}

// Twenty revolutions of ROTTO's motor in 0.6 s: three phases of 0.5 ohm, each with the amplitude of the current.
TEST(what_a_winding_loses_is_its_current_squared)
{
    static const char *const overrides[] = {
        "expect=[]", "record={rate: 50000, channels: [drives.rotor]}",
        "metrics={report: [drives.rotor.copper, drives.rotor.current.max, drives.rotor.speed.max]}"};
    must_load_file(FF_SOURCE_DIR "/experiments/drive-position.yaml", overrides, 3);
    must_go();
    const seen current = extremes_of("drives.rotor.current");
    CHECK(metric("drives.rotor.copper") > 0.01); // [J]
    CHECK_NEAR(metric("drives.rotor.copper"), 1.5 * 0.5 * 0.6 * current.squares, 1e-3 * metric("drives.rotor.copper"));
    // steps end with the current loop, too, 36 us apart and between rows
    const double highest = fmax(current.high, -current.low), most = metric("drives.rotor.current.max");
    CHECK(most >= highest && most < 1.001 * highest);
    finish();
}

// ANTON walks for a second; its battery is read every millisecond, as the recording is.
TEST(a_battery_reports_what_it_gave_and_what_is_left)
{
    static const char asked[] =
        "metrics={report: [battery.charge.final, battery.charge.used, battery.current.max, battery.voltage.min, "
        "battery.voltage.final, battery.given, battery.lost]}";
    static const char *const overrides[] = {"effects.battery=modelled", "time=1", "expect=[]",
                                            "record={rate: 1000, channels: [battery]}", asked};
    must_load_file(FF_SOURCE_DIR "/experiments/anton-tripod.yaml", overrides, 5);
    must_go();
    const ff_battery *b = &scene->plant->drives->batteries[0];
    const ff_battery_state *s = ff_sim_battery(ff_run_sim(run), 0);
    const seen current = extremes_of("battery.current"), voltage = extremes_of("battery.voltage");
    CHECK(s->charge < b->charge && current.high > 1.01 * s->current); // it is not the last one
    CHECK_NEAR(metric("battery.charge.final"), s->charge, 0);
    CHECK_NEAR(metric("battery.charge.used"), (b->charge - s->charge) * b->capacity, 1e-12);
    CHECK_NEAR(metric("battery.current.max"), current.high, 1e-12);
    CHECK_NEAR(metric("battery.voltage.min"), voltage.low, 1e-12);
    CHECK_NEAR(metric("battery.voltage.final"), s->voltage, 0);
    CHECK_NEAR(metric("battery.given"), s->given, 0);
    CHECK_NEAR(metric("battery.lost"), s->lost, 0);
    finish();
}
