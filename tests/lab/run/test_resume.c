// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run saved at any instant and restored into a run that never moved goes on bit-identically, for every method:
// before the first step in overlap, between two steps, right at a transition of a contact; with drives, sensors, bus
// and Lua. Every step of the rest is compared.
#include "scene/scene_helpers.h"

#include <footfall/world.h>

#define ANTON "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\n"

enum { STEPS = 20000 };

/// A run, and the hash of its state after each step.
typedef struct traced {
    ff_run *run;
    ff_sim *sim;
    int made;
    uint64_t after[STEPS + 1];
} traced;

static traced whole, first, second;

static ff_sim_action note(void *context, ff_sim *sim, double t)
{
    traced *x = context;
    (void)t;
    x->made = (int)ff_sim_get_counts(sim).steps;
    if (x->made <= STEPS) x->after[x->made] = ff_sim_hash(sim);
    return FF_SIM_GO;
}

static void open_run(traced *x, const ff_run_options *options)
{
    ff_error err = {0};
    const ff_listener listener = {.context = x, .step = note};
    x->run = ff_run_create(scene, options, &report);
    if (!x->run) CHECK_FAIL("%s", message(0));
    x->sim = ff_run_sim(x->run);
    x->made = 0;
    CHECK_INT(ff_sim_add_listener(x->sim, &listener, &err), FF_OK);
}

static void close_run(traced *x)
{
    ff_run_destroy(x->run);
    x->run = NULL;
}

static void go(traced *x, double until)
{
    ff_error err = {0};
    if (ff_sim_run(x->sim, until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static void step(traced *x, double until)
{
    ff_error err = {0};
    if (ff_sim_step(x->sim, until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static long long transitions(const traced *x)
{
    const ff_world_counts c = ff_world_get_counts(ff_run_world(x->run));
    return c.touches + c.lifts + c.sticks + c.slips;
}

/// Where a run is saved.
typedef enum instant { UNTOUCHED, AT_ZERO, FIRST_STEP, MIDDLE, TRANSITION, INSTANTS } instant;
static const char *const instant_names[INSTANTS] = {"before everything", "at 0 s", "after the first step",
                                                    "in the middle", "at a transition"};

static void go_to(traced *x, instant at, double until)
{
    if (at == AT_ZERO) go(x, 0.0);
    if (at == FIRST_STEP) step(x, until);
    if (at == MIDDLE)
        while (ff_sim_time(x->sim) < 0.4 * until) step(x, until);
    if (at != TRANSITION) return;
    step(x, until);
    for (const long long before = transitions(x); transitions(x) == before && ff_sim_time(x->sim) < until;)
        step(x, until);
}

static void must_agree(const traced *a, const traced *b, int from, const char *what, const char *method, instant at)
{
    const int last = a->made < STEPS ? a->made : STEPS;
    for (int k = from + 1; k <= last; k++)
        if (a->after[k] != b->after[k])
            CHECK_FAIL("%s, %s, saved %s: step %d after it, of %d, is another one", what, method, instant_names[at],
                       k - from, last - from);
    CHECK_INT(ff_sim_get_counts(a->sim).steps, ff_sim_get_counts(b->sim).steps);
}

static void *save(const traced *x, size_t *size)
{
    ff_error err = {0};
    *size = ff_sim_save_size(x->sim);
    void *saved = malloc(*size);
    CHECK(saved != NULL);
    if (ff_sim_save(x->sim, saved, *size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return saved;
}

/// What the two would save is the same to the last byte, so that files of equal runs are equal.
static void must_save_alike(const traced *a, const traced *b, const char *method, instant at)
{
    size_t size, other;
    unsigned char *one = save(a, &size), *two = save(b, &other);
    CHECK_INT(size, other);
    for (size_t i = 0; i < size; i++)
        if (one[i] != two[i])
            CHECK_FAIL("%s, saved %s: byte %zu of %zu that they save is another one", method, instant_names[at], i,
                       size);
    free(one);
    free(two);
}

/// @param elsewhere  the run that resumes has been somewhere else before
static void check_instant(const ff_run_options *options, instant at, double until, bool elsewhere)
{
    ff_error err = {0};
    const char *method = ff_method_name(options->sim.method);
    open_run(&first, options);
    open_run(&second, options);
    go_to(&first, at, until);
    const int from = (int)ff_sim_get_counts(first.sim).steps;
    size_t size;
    void *saved = save(&first, &size);
    go(&first, until);
    if (elsewhere) go(&second, 0.6 * until);
    if (ff_sim_restore(second.sim, saved, size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    free(saved);
    go(&second, until);
    must_agree(&first, &second, from, elsewhere ? "restored from elsewhere" : "restored", method, at);
    CHECK_INT(ff_sim_get_counts(first.sim).evaluations, ff_sim_get_counts(second.sim).evaluations);
    CHECK(ff_sim_ledger(first.sim).residual == ff_sim_ledger(second.sim).residual);
    const ff_world_counts a = ff_world_get_counts(ff_run_world(first.run));
    const ff_world_counts b = ff_world_get_counts(ff_run_world(second.run));
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    must_save_alike(&first, &second, method, at);
    // CVODE starts again where it is saved
    if (options->sim.method < FF_METHOD_CVODE) must_agree(&whole, &first, from, "interrupted", method, at);
    close_run(&first);
    close_run(&second);
}

static void check_method(ff_method method, double step, double accuracy, double until)
{
    ff_run_options options = ff_run_options_default(scene);
    options.sim.method = method;
    options.sim.step = step;
    options.sim.accuracy = accuracy; // of the implicit method: its error control, 0: fixed steps
    options.sim.relative = options.sim.absolute = 1e-6;
    open_run(&whole, &options);
    go(&whole, until);
    for (int at = 0; at < INSTANTS; at++)
        check_instant(&options, (instant)at, until, at == AT_ZERO || at == TRANSITION);
    check_instant(&options, MIDDLE, until, true); // at once from where it never was, and from elsewhere
    close_run(&whole);
}

/// Every method before `end`. A part of the time has the start in overlap, the instants and the transitions.
static void check_scene(const char *text, ff_method end, double step, double time)
{
    const double until = CHECK_LASTS(time, 0.3 * time);
    must_load(text);
    for (int method = 0; method < (int)end; method++) {
        if (!ff_method_built((ff_method)method)) continue;
        check_method((ff_method)method, step, 0.0, until);
    }
    check_method(FF_METHOD_IMPLICIT, step, 1e-4, until);
    finish();
}

// A ball 1 mm deep in the ground at the start, with slip: it is thrown up, lands and slides.
TEST(a_ball_that_starts_in_the_ground_goes_on_bit_identically)
{
    write_file("ball.yaml",
               "footfall: 1\nbodies:\n  ball:\n    joint: {name: base, type: free}\n"
               "    inertial: {mass: 1, sphere: 0.1}\n    shapes: [{sphere: 0.1, material: rubber-foot}]\n");
    check_scene("robot: ball.yaml\nplace: {pos: [0, 0, 0.099]}\nstart: {speeds: {base: [0.3, 0.1, 0, 0, "
                "0, 0]}}\nterrain: [{plane: {material: lab-floor}}]\ntime: 0.5\n",
                FF_METHOD_COUNT, 0.1e-3, 0.12);
}

// Balls and bricks one in the other and in the ground, so that bodies that move meet each other.
TEST(a_pile_that_starts_in_overlap_goes_on_bit_identically)
{
    static const char pile[] = "objects:\n  - {name: low, sphere: 0.1, mass: 1, pos: [0, 0, 0.098]}\n"
                               "  - {name: high, sphere: 0.1, mass: 1, pos: [0.02, 0, 0.29]}\n"
                               "  - {name: brick, box: [0.2, 0.1, 0.1], mass: 2, pos: [0.5, 0, 0.049]}\n"
                               "  - {name: upper, box: [0.2, 0.1, 0.1], mass: 2, pos: [0.55, 0, 0.147]}\n"
                               "terrain: [{plane: {material: lab-floor}}]\ntime: 0.5\n";
    check_scene(pile, FF_METHOD_CVODE, 0.1e-3, 0.04);
}

// Bodies that meet each other and the ground by turns: points change their places among the contacts of the matrix, and
// one on the ground must not keep the arm of a body that was there before.
TEST(bodies_that_meet_by_turns_save_the_same_bytes)
{
    must_load(
        "materials:\n  a: {normal: {law: hunt-crossley, stiffness: 3e4, damping: 2e4}, friction: {static: 0.6,\n"
        "    kinetic: 0.4, torsion: 2e-3, rolling: 2e-3}}\nobjects:\n"
        "  - {name: p, sphere: 0.1, mass: 2, pos: [0, 0, 0.095], velocity: [0.7, 0.2, 0], spin: [1, 2, 9], "
        "material: a}\n"
        "  - {name: q, box: [0.2, 0.2, 0.1], mass: 3, pos: [0.18, 0, 0.045], velocity: [-0.4, 0, 0], "
        "material: a}\n"
        "  - {name: r, capsule: {radius: 0.05, length: 0.2}, mass: 1, pos: [0.1, 0.05, 0.15], rpy: [0, 1.57, 0.3], "
        "material: a}\n"
        "terrain: [{plane: {material: a, rpy: [0.05, 0.08, 0]}}]\ntime: 1\n");
    check_method(FF_METHOD_IMPLICIT, 1e-3, 0.0, 0.4);
    check_method(FF_METHOD_IMPLICIT, 1e-3, 1e-3, 0.4);
    finish();
}

// Feet 3 mm in the ground, joints held by a law.
TEST(anton_in_the_ground_goes_on_bit_identically)
{
    check_scene(ANTON "place: {pos: [0, 0, -0.003]}\nstart: {pose: stand}\ncontrol: {hold: {stiffness: 60, damping: "
                      "1}}\nterrain: [{plane: {material: lab-floor}}]\ntime: 0.5\n",
                FF_METHOD_CVODE, 0.1e-3, 0.012);
}

// The whole machine: motors with gears that have play, sensors with noise, a bus, a script.
TEST(a_script_with_drives_sensors_and_bus_goes_on_bit_identically)
{
    check_scene(ANTON "effects: {drives: full, transmission: backlash, sensors: real, bus: modelled}\n"
                      "place: {pos: [0, 0, -0.002]}\nstart: {pose: stand}\nterrain: [{plane: {material: lab-floor}}]\n"
                      "control: {lua: " FF_SOURCE_DIR "/robots/anton/balance.lua}\ntime: 0.5\n",
                FF_METHOD_CVODE, 0.1e-3, 0.008);
}

// Without compliance: impacts one after the other or all at once, and rows of contacts that are solved again in each
// step from the impulses of the last.
TEST(rigid_contacts_go_on_bit_identically)
{
    static const char *const responses[] = {"propagation", "simultaneous"};
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};
    static const char pile[] =
        "objects:\n  - {name: low, sphere: 0.1, mass: 1, pos: [0, 0, 0.098], velocity: [0.5, 0, -1]}\n"
        "  - {name: high, sphere: 0.1, mass: 1, pos: [0.02, 0, 0.29]}\n"
        "  - {name: brick, box: [0.2, 0.1, 0.1], mass: 2, pos: [0.5, 0, 0.049]}\n"
        "terrain: [{plane: {material: lab-floor}}]\ncontacts: {response: %s}\ntime: 0.5\n";
    static const char machine[] =
        ANTON "effects: {drives: full, transmission: backlash, sensors: real, bus: modelled}\n"
              "place: {pos: [0, 0, -0.002]}\nstart: {pose: stand}\nterrain: [{plane: {material: lab-floor}}]\n"
              "contacts: {response: %s}\ncontrol: {lua: " FF_SOURCE_DIR "/robots/anton/balance.lua}\ntime: 0.5\n";
    char text[2000];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, pile, responses[i]);
        must_load(text);
        for (int k = 0; k < 3; k++)
            if (ff_method_built(methods[k])) check_method(methods[k], 1e-3, 0.0, CHECK_LASTS(0.05, 0.02));
        snprintf(text, sizeof text, machine, responses[i]);
        must_load(text);
        for (int k = 0; k < 2; k++) check_method(methods[k], 1e-4, 0.0, CHECK_LASTS(0.004, 0.002));
    }
    finish();
}

// Plan, contact states and filters of a biped are saved with its first step under way.
TEST(a_biped_that_walks_goes_on_bit_identically)
{
    must_load("robot: " FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml\nstart: {pose: stand}\n"
              "effects: {drives: ideal, sensors: real, bus: modelled}\nterrain: [{plane: {material: rigid}}]\n"
              "control: {biped: {speed: 0.3, hold: 0.2}, commands: [{at: 0.1, turn: 0.1}]}\ntime: 1\n");
    check_method(FF_METHOD_EULER, 2e-4, 0.0, CHECK_LASTS(0.4, 0.25));
    finish();
}

// An arm that stands upright at the start does not give to a push from below, so its touch-down counts as resolved; on
// its way down it would. A run that resumes there has never seen the start.
TEST(masses_at_the_start_are_known_to_a_run_that_was_never_there)
{
    write_file("arm.yaml", "footfall: 1\nbodies:\n  arm:\n    pos: [0, 0, 0.1]\n    joint: {name: swing, axis: y}\n"
                           "    inertial: {mass: 1, sphere: 0.05, pos: [0, 0, 0.5]}\n"
                           "    shapes: [{sphere: 0.05, pos: [0, 0, 0.5], material: rigid}]\n");
    must_load("robot: arm.yaml\nstart: {speeds: {swing: 4}}\nterrain: [{plane: {material: concrete}}]\ntime: 1\n");
    check_method(FF_METHOD_IMPLICIT, 1e-3, 0.0, 0.6);
    finish();
}
