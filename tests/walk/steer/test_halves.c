// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in two halves: a planner and a stabiliser, each with a memory of its own and nothing but the plan between
// them, give the bits of the whole controller; and a plan holds no number that the stabiliser does not use.
#include "scene/scene_helpers.h"

#include <footfall/biped.h>
#include <footfall/math.h>
#include <footfall/sim.h>

#define ANTON                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"                  \
    "effects: {drives: full, transmission: backlash, sensors: real, bus: modelled}\n"                                  \
    "terrain: [{plane: {material: lab-floor}}]\nrecord: {rate: 100, channels: [control]}\n"
#define LOLA                                                                                                           \
    "robot: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\nstart: {pose: stand}\n"                                     \
    "effects: {drives: ideal, sensors: real, bus: modelled}\nterrain: [{plane: {material: rigid}}]\n"                  \
    "solver: {method: euler, step: 2e-4}\nrecord: {rate: 100, channels: [control]}\n"

// Commands come on the way, sensors and drives fail: what one half learns by it, the other must know.
static const char *const scenes[] = {
    // to a stance beside the pose in which it is found, then it walks
    ANTON "control: {gait: tripod, speed: 0.1, stance: {ellipse: [0.22, 0.24]}, "
          "commands: [{at: 1.2, turn: 0.2, pitch: 0.05}]}\ntime: 1.6\n",
    ANTON "control: {gait: tripod, walk: false, commands: [{at: 0.1, hand: FR}]}\ntime: 1.2\n",
    ANTON "control: {gait: tripod, speed: 0.1}\nfaults: [{drive: '*FL*', kind: 'off', from: 0.5}, "
          "{sensor: '*', from: 0.8, to: 0.9}]\ntime: 1\n",
    LOLA "control: {biped: {speed: 0.5, width: 0.25, hold: 0.2}, commands: [{at: 0.4, speed: 0.3}]}\n"
         "faults: [{sensor: imu, from: 1.2}]\ntime: 2\n"};
enum { SCENES = sizeof scenes / sizeof *scenes };

// ------------------------------------------------------------------------------------------ a controller in two halves

enum { FRAMES = 9 };

typedef struct halves {
    ff_run *planner, *stabiliser;
    ff_relay_site robot;
    ff_io_frame *frames[FRAMES]; // plans of the last cycles, in turn
    int cycles, late;            // of the planner; by which plans come late
    int rest;                    // number of the item that names the plan; -1: none
    int plans;                   // so far
    int since;                   // cycles since the last began, by this
    double last;                 // its name
    int silent_after;            // the planner falls silent so many cycles after the third plan; 0: never
    bool silent;
    bool sick;          // in place of silent: it hands on targets of nonsense
    int sick_item;      // which number of them
    unsigned condition; // of the stabiliser, all that ever was
} halves;

static ff_relay_site site_of(ff_run *of)
{
    ff_error err = {0};
    ff_relay_site site;
    if (ff_run_controller_site(of, 0, &site, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return site;
}

static ff_run *make_half(void)
{
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    ff_run *half = ff_run_create(scene, &options, &report);
    if (!half) CHECK_FAIL("%s", message(0));
    return half;
}

static ff_io_layout layout_of(ff_run *half)
{
    ff_error err = {0};
    ff_io_layout layout;
    if (ff_run_plan_layout(half, 0, &layout, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return layout;
}

static ff_io_frame *frame_of(const ff_io_layout *layout)
{
    ff_io_frame *frame = malloc(ff_io_size(layout->count));
    CHECK(frame);
    ff_io_init(frame, layout);
    return frame;
}

static void clear(ff_io_frame *frame)
{
    memset(ff_io_items(frame), 0, frame->count * sizeof(ff_io_item));
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    (void)err;
    ((halves *)context)->robot = *site;
    return FF_OK;
}

/// Plans of a biped follow each other; other planners make one that never ends.
static void count_plans(halves *h, const ff_io_frame *plan)
{
    const double name = h->rest >= 0 ? ff_io_items_of(plan)[h->rest].value : 0.0;
    if (h->plans == 0 || name != h->last) {
        h->plans++;
        h->since = 0;
    }
    h->last = name;
    h->since++;
    const int enough = h->rest >= 0 ? 3 : 1;
    h->silent = h->silent_after > 0 && h->plans >= enough && h->since >= h->silent_after;
}

static void step(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    halves *h = context;
    const ff_relay_site planner = site_of(h->planner), stabiliser = site_of(h->stabiliser);
    const size_t size = (size_t)planner.nsignal * sizeof(double);
    if (!h->silent || h->sick) {
        ff_io_frame *plan = h->frames[++h->cycles % FRAMES];
        clear(plan);
        ff_run_plan(h->planner, 0, t, sensors, plan);
        memcpy(stabiliser.values, planner.values, size); // signals go along with the plan
        if (!h->silent) count_plans(h, plan);
        if (h->silent) ff_io_items(plan)[h->sick_item].value += 5.0;
    }
    const ff_io_frame *given = h->frames[(h->cycles + FRAMES - h->late) % FRAMES];
    *h->robot.conditions = ff_run_stabilise(h->stabiliser, 0, t, sensors, given, references);
    h->condition |= *h->robot.conditions;
    memcpy(h->robot.values, stabiliser.values, size);
}

/// What a run left: its state, its metrics, those of signals included, and its events.
typedef struct outcome {
    uint64_t hash;
    double metrics[2000];
    int nmetric;
    char events[20000];
} outcome;

static void look(outcome *out)
{
    const ff_result *result = ff_run_result(run);
    memset(out, 0, sizeof *out);
    out->hash = ff_sim_hash(ff_run_sim(run));
    CHECK(result->nmetric < (int)(sizeof out->metrics / sizeof *out->metrics));
    for (; out->nmetric < result->nmetric; out->nmetric++)
        out->metrics[out->nmetric] = result->metrics[out->nmetric].value;
    snprintf(out->events, sizeof out->events, "%s", result->events ? result->events : "");
}

/// Runs the scene that is loaded with its controller in two halves.
/// @param sick  NULL, or the number of the plan that the planner hands on wrongly, where it would be silent
/// @return conditions of the stabiliser
static unsigned run_halves_with(int late, int silent_after, const char *sick)
{
    halves h = {.planner = make_half(), .stabiliser = make_half(), .late = late, .silent_after = silent_after};
    const ff_io_layout layout = layout_of(h.planner);
    h.sick = sick != NULL;
    h.sick_item = sick ? ff_io_find(&layout, sick) : -1;
    CHECK(!sick || h.sick_item >= 0);
    for (int i = 0; i < FRAMES; i++) h.frames[i] = frame_of(&layout);
    h.rest = ff_io_find(&layout, "rest.plan");
    const ff_run_relay relay = {0, {.context = &h, .bind = bind, .cycle = step}};
    ff_run_options options = ff_run_options_default(scene);
    options.relays = &relay;
    options.nrelay = 1;
    CHECK(begin_with(&options));
    must_go();
    CHECK(h.silent == (silent_after > 0));
    ff_run_destroy(h.planner);
    ff_run_destroy(h.stabiliser);
    for (int i = 0; i < FRAMES; i++) free(h.frames[i]);
    return h.condition;
}

static void run_halves(int late, int silent_after)
{
    run_halves_with(late, silent_after, NULL);
}

TEST(two_halves_have_the_bits_of_the_whole)
{
    static outcome whole, apart;
    for (int i = 0; i < SCENES; i += CHECK_LASTS(1, SCENES)) {
        must_load(scenes[i]);
        must_go();
        look(&whole);
        run_halves(0, 0);
        look(&apart);
        if (whole.hash != apart.hash) CHECK_FAIL("scene %d: the robot moves otherwise", i);
        CHECK(whole.nmetric == apart.nmetric && whole.nmetric > 50);
        for (int k = 0; k < whole.nmetric; k++)
            if (memcmp(&whole.metrics[k], &apart.metrics[k], sizeof(double)) != 0)
                CHECK_FAIL("scene %d: %s is %.17g, not %.17g", i, ff_run_result(run)->metrics[k].name, apart.metrics[k],
                           whole.metrics[k]);
        if (strcmp(whole.events, apart.events) != 0)
            CHECK_FAIL("scene %d: other events: %s and %s", i, whole.events, apart.events);
        CHECK(strlen(whole.events) > 0); // what was to fail did
    }
    finish();
}

// In real time plans come late: those of the cycle before, or of eight before where the machine is busy. LOLA's
// stabiliser has the whole plan by then and walks as before.
TEST(plans_that_come_late_do_not_disturb_the_walk)
{
    static const struct {
        const char *text;
        double speed;
        int late;
    } cases[] = {{ANTON "control: {gait: tripod, speed: 0.1}\ntime: 3\nmetrics: {from: 1.5}\n", 0.1, 1},
                 {LOLA "control: {biped: {speed: 0.5, width: 0.25, hold: 0.2}}\ntime: 4\nmetrics: {from: 2.4}\n", 0.5,
                  FRAMES - 1}};
    for (int i = 0; i < CHECK_LASTS(2, 1); i++) {
        static const char *const brief[] = {"time=1", "metrics={}"};
        CHECK(load_with(cases[i].text, brief, CHECK_LASTS(0, 2)));
        run_halves(cases[i].late, 0);
        CHECK(metric("walk.falls") == 0.0);
        CHECK(metric("walk.tilt.max") < 2.0 * FF_PI / 180.0);
        if (CHECK_LASTS(1, 0)) CHECK_NEAR(metric("walk.speed.forward"), cases[i].speed, 0.05 * cases[i].speed);
    }
    finish();
}

// The planner falls silent in the middle of a step, and just after a step has begun, when not all of the new plan has
// come yet. ANTON stands where its feet are; LOLA walks its plan to the end and stands. Both rest in the last second.
TEST(a_robot_whose_planner_falls_silent_comes_to_a_stand)
{
    static const struct {
        const char *text;
        int from;
    } cases[] = {{ANTON "control: {gait: tripod, speed: 0.1}\ntime: 2.5\nmetrics: {from: 1.5}\n", 1100},
                 {LOLA "control: {biped: {speed: 0.5, width: 0.25, hold: 0.2}}\ntime: 7\nmetrics: {from: 6}\n", 10},
                 {LOLA "control: {biped: {speed: 0.5, width: 0.25, hold: 0.2}}\ntime: 7\nmetrics: {from: 6}\n", 400}};
    for (int i = 0; i < CHECK_LASTS(3, 1); i++) {
        must_load(cases[i].text);
        run_halves(0, cases[i].from);
        CHECK(metric("walk.falls") == 0.0);
        CHECK(metric("walk.steps") == 0.0);
        CHECK(fabs(metric("walk.distance")) < 0.01); // it would have walked 0.1 m and 0.5 m
        CHECK(metric("walk.tilt.max") < 2.0 * FF_PI / 180.0);
    }
    finish();
}

// A planner that hands on a centre of mass 5 m off, from the middle of a step on: the stabiliser walks on by the rest
// of the plan, which it has, and says so.
TEST(a_robot_whose_planner_is_sick_does_not_fall)
{
    static const char walk[] = LOLA "control: {biped: {speed: 0.5, width: 0.25, hold: 0.2}}\nmetrics: {from: 0.5}\n";
    char text[sizeof walk + 20];
    snprintf(text, sizeof text, "%stime: %g\n", walk, CHECK_LASTS(4.0, 2.05));
    must_load(text);
    const unsigned condition = run_halves_with(0, CHECK_LASTS(400, 50), "com.x.position");
    CHECK(condition & FF_BIPED_BAD_TARGET);
    CHECK(metric("walk.falls") == 0.0);
    CHECK(metric("walk.tilt.max") < 2.0 * FF_PI / 180.0);
    finish();
}

// ------------------------------------------------------------------------------------------ what a plan holds

/// Two cycles of a stabiliser with a plan, one of whose numbers is a little off; -1: none.
static void stabilise_with(const ff_io_frame *given, int off, const ff_io_frame *sensors, ff_io_frame *references,
                           double *signals)
{
    ff_run *half = make_half();
    const ff_relay_site site = site_of(half);
    const ff_io_layout layout = layout_of(half);
    ff_io_frame *plan = frame_of(&layout);
    memcpy(ff_io_items(plan), ff_io_items_of(given), given->count * sizeof(ff_io_item));
    // a status is a whole number
    if (off >= 0) ff_io_items(plan)[off].value += strcmp(layout.names[off].name, "status") == 0 ? 1.0 : 1e-3;
    for (int k = 0; k < 2; k++) {
        clear(references);
        ff_run_stabilise(half, 0, 1e-3 * k, sensors, plan, references);
    }
    memcpy(signals, site.values, (size_t)site.nsignal * sizeof *signals);
    free(plan);
    ff_run_destroy(half);
}

TEST(each_number_of_a_plan_is_used)
{
    static const int chosen[] = {0, 3};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        must_load(scenes[chosen[i]]);
        ff_run *planner = make_half();
        const ff_relay_site site = site_of(planner);
        const ff_io_layout layout = layout_of(planner);
        ff_io_frame *plan = frame_of(&layout), *sensors = frame_of(site.sensors),
                    *references[2] = {frame_of(site.references), frame_of(site.references)};
        double *signals[2] = {malloc((size_t)site.nsignal * sizeof(double)),
                              malloc((size_t)site.nsignal * sizeof(double))};
        CHECK(signals[0] && signals[1] && layout.count > 25);
        for (int k = 0; k < 50; k++) { // until it no longer waits for sensors
            clear(plan);
            ff_run_plan(planner, 0, 1e-3 * k, sensors, plan);
        }
        stabilise_with(plan, -1, sensors, references[0], signals[0]);
        for (int k = 0; k < layout.count; k++) {
            const char *name = layout.names[k].name;
            CHECK(ff_io_items(plan)[k].valid);
            // these count when the planner falls silent, below
            if (strcmp(name, "time") == 0 || strncmp(name, "rest.", 5) == 0) continue;
            stabilise_with(plan, k, sensors, references[1], signals[1]);
            const bool same_joints = memcmp(ff_io_items(references[0]), ff_io_items(references[1]),
                                            references[0]->count * sizeof(ff_io_item)) == 0;
            if (same_joints && memcmp(signals[0], signals[1], (size_t)site.nsignal * sizeof(double)) == 0)
                CHECK_FAIL("scene %d: nobody reads '%s'", chosen[i], name);
        }
        for (int k = 0; k < 2; k++) {
            free(references[k]);
            free(signals[k]);
        }
        free(plan);
        free(sensors);
        ff_run_destroy(planner);
    }
    finish();
}

// A plan without values, as before the first or from a sick planner: the last one stays, and before the first the robot
// gets no reference.
TEST(a_stabiliser_without_a_plan_keeps_the_last)
{
    for (int i = 0; i < SCENES; i += 3) {
        must_load(scenes[i]);
        ff_run *planner = make_half(), *stabiliser = make_half();
        const ff_relay_site site = site_of(planner);
        const ff_io_layout layout = layout_of(planner);
        ff_io_frame *plan = frame_of(&layout), *none = frame_of(&layout), *sensors = frame_of(site.sensors),
                    *references = frame_of(site.references);
        int given = 0;
        ff_run_stabilise(stabiliser, 0, 0.0, sensors, none, references);
        for (uint32_t k = 0; k < references->count; k++) CHECK(!ff_io_items(references)[k].valid);
        for (int k = 0; k < 50; k++) ff_run_plan(planner, 0, 1e-3 * k, sensors, plan);
        for (int k = 1; k < 4; k++) {
            ff_io_items(none)[0] = (ff_io_item){.value = NAN, .valid = 1};
            clear(references);
            ff_run_stabilise(stabiliser, 0, 1e-3 * k, sensors, k == 1 ? plan : none, references);
            for (uint32_t n = 0; n < references->count; n++) {
                if (ff_io_items(references)[n].valid) CHECK(isfinite(ff_io_items(references)[n].value));
                given += ff_io_items(references)[n].valid != 0;
            }
            CHECK(given > 10 * k);
        }
        free(plan);
        free(none);
        free(sensors);
        free(references);
        ff_run_destroy(planner);
        ff_run_destroy(stabiliser);
    }
    finish();
}

TEST(a_controller_of_one_piece_says_so)
{
    ff_error err = {0};
    ff_io_layout layout;
    must_load(ANTON "control: {callback: mine}\ntime: 1\n");
    CHECK(ff_run_plan_layout(run, 0, &layout, &err) == FF_BAD_ARGUMENT && strstr(err.text, "'callback' is one piece"));
    CHECK(ff_run_plan_layout(run, 7, &layout, &err) == FF_NOT_FOUND);
    finish();
}
