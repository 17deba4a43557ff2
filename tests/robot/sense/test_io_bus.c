// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The order of one telegram a period: what is known when, and what a lost telegram loses.
#include "check.h"

#include <footfall/footfall.h>

static const ff_io_name NAMES[2] = {{"sensors.a", "rad"}, {"sensors.b", "N"}};

typedef struct wire {
    ff_io_frame frame;
    ff_io_item items[2];
} wire;

static ff_io_layout layout(ff_io_kind kind)
{
    return (ff_io_layout){kind, 2, NAMES, ff_io_layout_hash(NAMES, 2)};
}

/// References and sensors of two items; the robot's sensor 0 shows the reference it follows, sensor 1 the time of its
/// sample.
typedef struct rig {
    wire frames[5];
    ff_bus bus;
    ff_bus_memory memory;
    ff_bus_frames at;
    double command;
    double seen, seen_time; // by control
    bool fresh;
} rig;

static void control(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    rig *r = context;
    const ff_io_item *in = ff_io_items_of(sensors);
    (void)t;
    r->fresh = in[0].valid != 0;
    r->seen = in[0].value;
    r->seen_time = in[1].value;
    ff_io_items(references)[0] = (ff_io_item){.value = r->command, .valid = 1};
}

static void make_rig(rig *r, double loss)
{
    const ff_io_layout s = layout(FF_IO_SENSORS), f = layout(FF_IO_REFERENCES);
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 5; i++) ff_io_init(&r->frames[i].frame, i < 3 ? &s : &f);
    r->at = (ff_bus_frames){&r->frames[0].frame, &r->frames[1].frame, &r->frames[2].frame, &r->frames[3].frame,
                            &r->frames[4].frame};
    r->bus = ff_bus_default();
    r->bus.loss = loss;
    ff_bus_start(&r->bus, &r->memory);
}

/// One period with the instants of the reference. @return whether the telegram arrived
static bool period(rig *r, int n)
{
    const ff_controller controller = {.context = r, .cycle = control};
    const double t = n * r->bus.period;
    const bool arrived = ff_bus_cycle(&r->bus, &r->memory, &r->at, &controller, t);
    if (arrived) {
        ff_io_item *ready = ff_io_items(r->at.ready);
        ready[0] = (ff_io_item){.value = ff_io_items(r->at.held)[0].value, .valid = 1};
        ready[1] = (ff_io_item){.value = t + r->bus.wait, .valid = 1};
    }
    return arrived;
}

TEST(samples_are_one_and_a_half_periods_old_and_commands_show_after_two)
{
    rig r;
    make_rig(&r, 0.0);
    for (int n = 0; n < 20; n++) {
        r.command = n;
        CHECK(period(&r, n));
        CHECK(r.fresh == (n >= 2)); // nothing has come before
        if (n < 2) continue;
        CHECK(r.seen == n - 2);                                    // what the command of two periods ago did
        CHECK_NEAR(n * r.bus.period - r.seen_time, 1.5e-3, 1e-15); // [s] 1.5 T
    }
}

TEST(lost_telegrams_lose_both_ways)
{
    rig r;
    make_rig(&r, 0.2);
    bool arrived[4] = {true, true, true, true};
    double reached = 0.0;
    int lost = 0;
    enum { PERIODS = 100000 };
    for (int n = 0; n < PERIODS; n++) {
        const double known = r.seen;
        r.command = n;
        memmove(arrived, arrived + 1, 3 * sizeof *arrived);
        arrived[3] = period(&r, n);
        if (arrived[3]) reached = n;
        lost += !arrived[3];
        CHECK(ff_io_items(r.at.held)[0].value == reached); // the robot follows the last that came
        if (n < 4) continue;
        if (!arrived[2]) CHECK(r.seen == known); // no answer came with the last telegram: nothing new
        if (arrived[2] && arrived[1]) CHECK(r.seen == n - 2);
    }
    // 4 sigma of a share of 100000
    CHECK_NEAR((double)lost / PERIODS, 0.2, 4.0 * sqrt(0.16 / PERIODS));
    CHECK(r.memory.counts.lost == lost && r.memory.counts.cycles == PERIODS);
}

TEST(invalid_references_leave_the_old_ones)
{
    rig r;
    make_rig(&r, 0.0);
    r.command = 5.0;
    period(&r, 0);
    r.command = NAN;
    period(&r, 1);
    CHECK(ff_io_items(r.at.held)[0].value == 5.0);
    CHECK(ff_io_items(r.at.held)[1].valid == 0);
}

// Whatever a robot says of them, samples that are not finite never reach control as valid.
TEST(controllers_get_no_sample_that_is_not_finite)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int modelled = 0; modelled < 2; modelled++) {
        rig r;
        make_rig(&r, 0.0);
        r.bus.modelled = modelled;
        for (int n = 0; n < 9; n++) {
            period(&r, n);
            CHECK(r.fresh == (n > 4 + modelled)); // received one period later, two over the bus
            if (n < 4) ff_io_items(r.at.ready)[0].value = bad[n % 3];
        }
    }
}

TEST(jitter_is_uniform_within_its_bounds)
{
    rig r;
    make_rig(&r, 0.0);
    double least = 1.0, most = -1.0, square = 0.0;
    for (int n = 0; n < 100000; n++) {
        const double u = ff_bus_jitter(&r.bus, &r.memory);
        least = fmin(least, u);
        most = fmax(most, u);
        square += u * u / 100000;
    }
    CHECK(least >= -15e-6 && least < -14.99e-6 && most <= 15e-6 && most > 14.99e-6);
    CHECK_NEAR(square, 15e-6 * 15e-6 / 3.0, 0.02 * 15e-6 * 15e-6 / 3.0);
}

TEST(bus_numbers_that_make_no_sense_are_named)
{
    ff_error err = {0};
    ff_bus bus = ff_bus_default();
    CHECK(ff_bus_check(&bus, &err) == FF_OK);
    bus.loss = 1.5;
    CHECK(ff_bus_check(&bus, &err) == FF_BAD_ARGUMENT && strstr(err.text, "1.5"));
    bus = ff_bus_default();
    bus.wait = 0.99e-3;
    CHECK(ff_bus_check(&bus, &err) == FF_BAD_ARGUMENT && strstr(err.text, "0.00102"));
    bus.period = 0.0;
    CHECK(ff_bus_check(&bus, &err) == FF_BAD_ARGUMENT);
}
