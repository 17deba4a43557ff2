// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bus in a simulation: ages of samples, the time from command to effect, jitter, losses, a controller that gets
// frames alone, saving.
#include "check.h"
#include "support/must_run.h"
#include "support/owned.h"

/// A slide of 1 kg that a drive without loops pushes: a command acts as a force at once.
static const char SLIDER[] = "footfall: 1\n"
                             "name: slider\n"
                             "gravity: [0, 0, 0]\n"
                             "bodies:\n"
                             "  cart:\n"
                             "    joint: {name: rail, type: slide, axis: x, drive: {kind: ideal, torque: 100}}\n"
                             "    inertial: {mass: 1.0, box: [0.1, 0.1, 0.1]}\n"
                             "    frames: {here: {}}\n"
                             "sensors:\n"
                             "  push: {type: accelerometer, frame: here, axes: 1}\n"
                             "  slow: {type: tachometer, joint: rail, rate: 100}\n";

typedef struct lab {
    ff_plant *plant;
    ff_sim *sim;
    // of the controller
    int cycles;
    double times[3000], pushes[3000], ages[3000];
    double constant; // force instead of the number of the cycle, where it is not zero
} lab;

static void control(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    lab *l = context;
    const ff_io_item *in = ff_io_items_of(sensors);
    ff_io_item *out = ff_io_items(references);
    if (l->cycles < 3000) {
        l->times[l->cycles] = t;
        l->pushes[l->cycles] = in[0].value;
        l->ages[l->cycles] = in[0].valid ? t - 1e-9 * (double)in[0].time_ns : NAN;
    }
    for (int i = 0; i < 3; i++) out[i] = (ff_io_item){.valid = 1};
    out[2].value = l->constant != 0.0 ? l->constant : l->cycles % 50;
    l->cycles++;
}

static void start_with(lab *l, const char *robot, const ff_bus *bus)
{
    const ff_load_options load = ff_load_options_default();
    ff_report report = {0};
    ff_error err = {0};
    memset(l, 0, sizeof *l);
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_parse(spec, "yaml", robot, strlen(robot), "slider.yaml", &load, &report);
    l->plant = owned_plant(ff_plant_compile(spec, NULL, &report));
    ff_spec_destroy(spec);
    if (!l->plant) CHECK_FAIL("%s", report.messages[0].text);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = 0.25e-3;
    l->sim = owned_sim(ff_sim_create(l->plant->model, &o, &err));
    const ff_controller controller = {.context = l, .cycle = control};
    CHECK(ff_sim_add_bus(l->sim, bus, &controller, &err) == FF_BAD_ARGUMENT); // sensors first
    CHECK(ff_sim_add_plant(l->sim, l->plant, &err) == FF_OK);
    if (ff_sim_add_bus(l->sim, bus, &controller, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_report_clear(&report);
}

static void start(lab *l, const ff_bus *bus)
{
    start_with(l, SLIDER, bus);
}

static void run(lab *l, double until)
{
    must_run(l->sim, until);
}

TEST(layout_names_all_that_goes_out_and_comes_in)
{
    static lab l;
    const ff_bus bus = ff_bus_default();
    start(&l, &bus);
    const ff_io_layout *out = ff_sim_layout(l.sim, FF_IO_REFERENCES), *in = ff_sim_layout(l.sim, FF_IO_SENSORS);
    CHECK(out->count == 3 && ff_io_find(out, "drives.rail.force") == 2 && strcmp(out->names[2].unit, "N") == 0);
    CHECK(in->count == 2 && ff_io_find(in, "sensors.push.x") == 0 && ff_io_find(in, "sensors.slow.speed") == 1);
}

// The force of cycle n acts from then on; the accelerometer shows it half a period later; control knows at n + 2, with
// a sample 1.5 T old.
TEST(command_shows_after_two_periods_in_samples_of_one_and_a_half)
{
    static lab l;
    ff_bus bus = ff_bus_default();
    bus.jitter = 0.0;
    start(&l, &bus);
    run(&l, 0.2);
    for (int n = 2; n < 200; n++) {
        CHECK_NEAR(l.pushes[n], (n - 2) % 50, 1e-9); // 1 kg: acceleration is force
        CHECK_NEAR(l.ages[n], 1.5e-3, 1e-9);
    }
    CHECK(isnan(l.ages[0]) && isnan(l.ages[1]));
}

TEST(without_a_bus_everything_is_at_once)
{
    static lab l;
    ff_bus bus = ff_bus_default();
    bus.modelled = false;
    start(&l, &bus);
    run(&l, 0.1);
    for (int n = 1; n < 100; n++) {
        CHECK_NEAR(l.pushes[n], (n - 1) % 50, 1e-9); // the sample at the start of n, before its own command
        CHECK_NEAR(l.ages[n], 0.0, 1e-9);
    }
}

TEST(jitter_moves_periods_within_bounds_and_without_drift)
{
    static lab l;
    const ff_bus bus = ff_bus_default();
    start(&l, &bus);
    run(&l, 2.0);
    double most = 0.0, oldest = 0.0, youngest = 1.0;
    CHECK(l.cycles >= 1999 && l.cycles <= 2001);
    for (int n = 2; n < 1999; n++) {
        const double late = l.times[n] - n * 1e-3;
        CHECK(fabs(late) <= 15e-6 + 1e-12);
        most = fmax(most, fabs(late));
        oldest = fmax(oldest, l.ages[n]);
        youngest = fmin(youngest, l.ages[n]);
    }
    CHECK(most > 14e-6);
    CHECK(oldest <= 1.5e-3 + 30e-6 + 1e-9 &&
          youngest >= 1.5e-3 - 30e-6 - 1e-9); // two telegrams apart, each off by 15 us
    CHECK(oldest > 1.5e-3 + 20e-6);
}

TEST(losses_make_samples_older_by_whole_periods)
{
    static lab l;
    ff_bus bus = ff_bus_default();
    bus.jitter = 0.0;
    bus.loss = 0.3;
    start(&l, &bus);
    run(&l, 2.0);
    int older = 0;
    for (int n = 10; n < 1999; n++) {
        const double periods = (l.ages[n] - 1.5e-3) / 1e-3;
        CHECK_NEAR(periods, floor(periods + 0.5), 1e-5);
        CHECK(periods > -1e-5);
        older += periods > 0.5;
    }
    const ff_bus_counts counts = ff_sim_bus_counts(l.sim);
    CHECK_NEAR((double)counts.lost / (double)counts.cycles, 0.3, 4.0 * sqrt(0.21 / 2000));
    // fresh needs the telegrams of n - 1 and n - 2: 0.7^2
    CHECK_NEAR(older / 1989.0, 1.0 - 0.49, 0.06); // neighbours share telegrams: 4 sigma with half the samples
}

TEST(saved_bus_goes_on_alike)
{
    static lab one, two;
    ff_bus bus = ff_bus_default();
    bus.loss = 0.2;
    start(&one, &bus);
    start(&two, &bus);
    one.constant = two.constant = 2.0;
    run(&one, 0.1003); // between telegram and sample
    must_copy_state(one.sim, two.sim);
    const int before = one.cycles;
    run(&one, 0.4);
    run(&two, 0.4);
    CHECK(two.cycles == one.cycles - before && two.cycles > 290);
    for (int n = 0; n < two.cycles; n++)
        CHECK(one.times[before + n] == two.times[n] && one.pushes[before + n] == two.pushes[n]);
    CHECK(ff_sim_hash(one.sim) == ff_sim_hash(two.sim));
}

// A loop reads its command when it samples, so that no step ends for a telegram; what acts when must not change by
// that.
TEST(loops_follow_the_last_telegram_before_their_sample)
{
    static const char robot[] = "footfall: 1\n"
                                "name: slider\n"
                                "gravity: [0, 0, 0]\n"
                                "bodies:\n"
                                "  cart:\n"
                                "    joint: {name: rail, type: slide, axis: x, drive: {kind: ideal, torque: 100, loop: "
                                "{kind: pd, kp: 0, kd: 0, rate: 1000}}}\n"
                                "    inertial: {mass: 1.0, box: [0.1, 0.1, 0.1]}\n"
                                "    frames: {here: {}}\n"
                                "sensors:\n"
                                "  push: {type: accelerometer, frame: here, axes: 1}\n";
    ff_bus bus = ff_bus_default();
    bus.seed = 4;
    lab l;
    start_with(&l, robot, &bus);
    CHECK(ff_sim_run(l.sim, 1.0, NULL) == FF_OK);
    // four of 0.25 ms, one of them cut by the samples; a telegram that ended a step would cut one more
    CHECK_BELOW(fabs((double)ff_sim_get_counts(l.sim).steps - 5000.0), 10.0);
    int early = 0;
    for (int c = 3; c < l.cycles; c++) {
        const double sampled = l.times[c] - l.ages[c], loop = floor(1e3 * sampled) * 1e-3;
        int last = c;
        while (last > 0 && l.times[last] > loop) last--;
        early += loop - l.times[last] < 1e-4;
        CHECK_NEAR(l.pushes[c], last % 50, 1e-9);
    }
    CHECK(early > 300 && early < 700); // jitter brings about half of them before the sample of the same millisecond
}

TEST(sensors_of_a_slide_have_units_of_length)
{
    char robot[1200];
    snprintf(robot, sizeof robot,
             "%s  way: {type: potentiometer, joint: rail}\n  speed: {type: tachometer, joint: rail}\n", SLIDER);
    const ff_bus bus = ff_bus_default();
    lab l;
    start_with(&l, robot, &bus);
    const ff_io_layout *in = ff_sim_layout(l.sim, FF_IO_SENSORS);
    const int way = ff_io_find(in, "sensors.way.position"), speed = ff_io_find(in, "sensors.speed.speed");
    CHECK(way >= 0 && speed >= 0);
    CHECK_TEXT(in->names[way].unit, "m");
    CHECK_TEXT(in->names[speed].unit, "m/s");
}

// Cut to what an item carries, two names could become one.
TEST(a_name_that_a_frame_cannot_carry_is_refused)
{
    static const char LONG[] = "a_sensor_whose_name_is_longer_than_the_names_of_items_may_be";
    char robot[1200];
    ff_report report = {0};
    ff_error err = {0};
    const ff_load_options load = ff_load_options_default();
    snprintf(robot, sizeof robot, "%s  %s: {type: tachometer, joint: rail, rate: 100}\n", SLIDER, LONG);
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_parse(spec, "yaml", robot, strlen(robot), "slider.yaml", &load, &report);
    ff_plant *plant = owned_plant(ff_plant_compile(spec, NULL, &report));
    CHECK(plant != NULL);
    ff_sim *sim = owned_sim(ff_sim_create(plant->model, NULL, &err));
    lab l = {0};
    const ff_controller controller = {.context = &l, .cycle = control};
    const ff_bus bus = ff_bus_default();
    CHECK(ff_sim_add_plant(sim, plant, &err) == FF_OK);
    CHECK(ff_sim_add_bus(sim, &bus, &controller, &err) == FF_LIMIT);
    CHECK(strstr(err.text, LONG) && strstr(err.text, "at most 63"));
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}
