// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Timing of the hardware layer on LOLA's bus of 250 us: targets between two cycles of the controller lie on the
// straight line, and a change that a sensor samples reaches the drive after one control tick and 389.5 us (tab. 2.3 of
// the source: input 285 us, output 160.5 us, less 56 us that both count; experiment A23).
#include "hardware/layered.h"

// Samples are taken transfer + wait after a telegram, and used two telegrams later: 2 T - wait - transfer; references
// act `transfer` after their telegram. Together 2 T - wait, so wait = 500 - 389.5 us. Transfer: propagation, 114 us.
#define BUS "effects.bus={period: 250 us, wait: 110.5 us, transfer: 114 us, jitter: 0}"
static const double bus_period = 250e-6, tick = 1e-3, wait = 110.5e-6, transfer = 114e-6, hardware = 389.5e-6;

/// A controller in the same process.
typedef struct law {
    layered l;
    int position, speed, sensor; // items of the head's pan joint
    double begin, rate;          // x = begin + rate t
    double threshold;            // of the encoder: beyond it the position changes
    bool steps;
    int64_t frames;
} law;

static ff_status bind_law(void *context, const ff_relay_site *site, ff_error *err)
{
    law *a = context;
    a->position = ff_io_find(site->references, "drives.head_pan.position");
    a->speed = ff_io_find(site->references, "drives.head_pan.speed");
    a->sensor = ff_io_find(site->sensors, "sensors.absolute_head_pan.position");
    CHECK_NEAR(site->period, tick, 1e-12);
    CHECK_NEAR(site->bus_period, bus_period, 1e-12);
    return a->position >= 0 && a->speed >= 0 && a->sensor >= 0 ? FF_OK : ff_error_set(err, FF_NOT_FOUND, "no head");
}

static void follow_law(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    law *a = context;
    ff_io_item *out = ff_io_items(references);
    const double seen = ff_io_items_of(sensors)[a->sensor].value;
    a->frames++;
    if (a->steps) {
        const bool beyond = seen > a->threshold && seen < 3.0; // a turn starts at 0
        out[a->position] = (ff_io_item){.value = beyond ? -0.01 : 0.0, .valid = 1};
        return;
    }
    out[a->position] = (ff_io_item){.value = a->begin + a->rate * t, .valid = 1};
    out[a->speed] = (ff_io_item){.value = a->rate, .valid = 1};
}

/// LOLA with its own encoders of 4 kHz, standing; the controller behind the layer, or in the scene itself.
static void begin(law *a, bool layer)
{
    const char *set[] = {BUS,
                         "expect=[]",
                         "metrics={}",
                         "robot=../robots/lola/lola.yaml",
                         "effects.drives=full",
                         "effects.loop_span=0.5 ms",
                         "place={}"};
    char path[1024];
    snprintf(path, sizeof path, "%s/experiments/lola-walk.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 7);
    a->l.options = ff_hardware_options_default();
    a->l.options.blend = 0.0;
    a->l.controller = (ff_relay){.context = a, .bind = bind_law, .cycle = follow_law};
    if (!layer) {
        const ff_run_relay relay = {0, a->l.controller};
        ff_run_options how = ff_run_options_default(scene);
        how.record.nchannel = 0;
        how.relays = &relay;
        how.nrelay = 1;
        CHECK(begin_with(&how));
        return;
    }
    if (!begin_layered(&a->l)) CHECK_FAIL("%s", a->l.err.text[0] ? a->l.err.text : message(0));
}

static double reference(int k)
{
    ff_sim *sim = ff_run_sim(run);
    return ff_sim_drive_memory(sim, ff_sim_find_drive(sim, "head_pan"))->reference[k];
}

static void go_to(double t)
{
    ff_error err = {0};
    if (ff_sim_run(ff_run_sim(run), t, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

TEST(targets_between_two_ticks_lie_on_the_line)
{
    law a = {.begin = 0.01, .rate = 0.4};
    begin(&a, true);
    const double count = 2.0 * FF_PI / (2000.0 * 100.0); // of the head's encoder, at the joint
    int minor = 0;
    double last = NAN;
    for (int k = 0; k < 40; k++) { // cycles of the bus
        const double t = 0.100 + k * bus_period;
        go_to(t + transfer + 1e-6);
        if (k == 0) last = reference(0);
        // the target of a tick was computed from the frame of the tick before; so was what goes on from it
        const double line = a.begin + a.rate * (t - tick);
        CHECK_NEAR(reference(0) - line, 0.0, 0.5 * count + 48e-6); // half a count, and where homing took zero to be
        if (k > 0) CHECK_NEAR(reference(0) - last, a.rate * bus_period, count + 1e-12); // every cycle, not every tick
        CHECK_NEAR(reference(1), a.rate, 0.5 * count);
        minor += k % 4 != 0;
        last = reference(0);
    }
    const int64_t frames = a.frames;
    go_to(0.100 + 50 * tick + 1e-6);
    CHECK(minor == 30 && a.frames - frames == 41); // ticks from 110 to 150 ms: no frames in minor cycles
    end_layered(&a.l);
    CHECK(a.l.counts.faults == 0);
    free_layered(&a.l);
}

/// Turns the head at the time t by hand, and looks when the drive's reference answers. @return from t  [s]
static double measure_latency(double t, bool layer)
{
    law a = {.steps = true, .threshold = 0.015};
    begin(&a, layer);
    go_to(t);
    ff_sim *sim = ff_run_sim(run);
    const ff_model *m = ff_sim_model(sim);
    ff_sim_set_q(sim, m->joints[ff_model_find_joint(m, "head_pan")].qadr, 0.03);
    const double before = reference(0), resolution = 0.5e-6;
    double now = t;
    while (reference(0) > before - 5e-3 && now < t + 4e-3) go_to(now += resolution);
    if (!layer) return now - t;
    end_layered(&a.l);
    if (a.l.counts.faults > 0) CHECK_FAIL("%s", a.l.log);
    free_layered(&a.l);
    return now - t;
}

TEST(a_sensor_reaches_the_drive_after_one_tick_and_0_39_ms)
{
    const double sample = 0.1 - 2.0 * bus_period + transfer + wait; // whose value is there at the tick of 0.1 s
    const double just_before = measure_latency(sample - 1e-6, true), just_after = measure_latency(sample + 1e-6, true);
    printf("latency %.1f us\n", 1e6 * (just_before - 1e-6));
    CHECK_NEAR(just_before - 1e-6, tick + hardware, 1e-6);      // twice the resolution
    CHECK_NEAR(just_after + 1e-6, 2.0 * tick + hardware, 1e-6); // missed by the sample: it waits for the next frame
}

// A scene alone (lola-walk/bus) has the bus without the tick that the layer takes to compute: its controllers answer in
// the cycle in which they are asked.
TEST(in_a_scene_a_sensor_reaches_the_drive_after_0_39_ms)
{
    const double sample = 0.1 - 2.0 * bus_period + transfer + wait;
    const double just_before = measure_latency(sample - 1e-6, false),
                 just_after = measure_latency(sample + 1e-6, false);
    printf("latency %.1f us\n", 1e6 * (just_before - 1e-6));
    CHECK_NEAR(just_before - 1e-6, hardware, 1e-6);
    CHECK_NEAR(just_after + 1e-6, tick + hardware, 1e-6);
    finish();
}
