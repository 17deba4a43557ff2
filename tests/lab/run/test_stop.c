// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Long work that its caller ends (ff_stop), counted in questions and not in seconds: whichever question is answered by
// yes, a step leaves no trace, a run goes on bit-identically, a load gives nothing and says why; and between two
// questions lies little work.
#include "scene/scene_helpers.h"

#include <footfall/load.h>

#include <limits.h>

/// Says yes from its `last` question on.
typedef struct countdown {
    long questions, last;
    const ff_sim *sim;         // NULL: work is not counted
    long long before, longest; // evaluations at the last question; most of them between two
} countdown;

static bool count(void *context)
{
    countdown *p = context;
    if (p->sim) {
        const long long now = ff_sim_get_counts(p->sim).evaluations;
        if (now - p->before > p->longest) p->longest = now - p->before;
        p->before = now;
    }
    return ++p->questions >= p->last;
}

// Two boxes deep in a floor of 1e8 N/m: steps of 20 ms do not converge and are cut into pieces.
#define HARD                                                                                                           \
    "materials: {stone: {normal: {law: hunt-crossley, stiffness: 1e8, restitution: 0.5, speed: 1},\n"                  \
    "  friction: {law: stick-slip, static: 0.8, kinetic: 0.5, stiffness: 1e7}}}\n"                                     \
    "terrain: [{plane: {material: stone}}]\n"                                                                          \
    "objects:\n"                                                                                                       \
    "  - {name: a, box: [0.2, 0.1, 0.05], mass: 1, material: stone, pos: [0, 0, 0.02], rpy: [0.3, 0.2, 0],\n"          \
    "     velocity: [1, 0, -1]}\n"                                                                                     \
    "  - {name: b, box: [0.2, 0.1, 0.05], mass: 0.01, material: stone, pos: [0, 0, 0.1], rpy: [0.1, 0.5, 0],\n"        \
    "     velocity: [0, 0, -2]}\n"                                                                                     \
    "time: 0.1\n"

// A tilted box that lands on rubber and slides: factors of the matrix last from step to step, and are computed again
// within steps that are refused, so that after the end of such a step the old ones must be in place.
#define SOFT                                                                                                           \
    "materials: {rubber: {normal: {law: hunt-crossley, stiffness: 2e4, restitution: 0.4, speed: 0.3},\n"               \
    "  friction: {law: stick-slip, static: 0.8, kinetic: 0.6, stiffness: 2e4}}}\n"                                     \
    "terrain: [{plane: {material: rubber}}]\n"                                                                         \
    "objects:\n"                                                                                                       \
    "  - {name: a, box: [0.2, 0.1, 0.05], mass: 1, material: rubber, pos: [0, 0, 0.06], rpy: [0.1, 0.05, 0],\n"        \
    "     velocity: [1, 0, -0.5]}\n"                                                                                   \
    "time: 0.2\n"

/// Everything that shapes the future, malloc'ed.
static unsigned char *save(ff_sim *sim, size_t *size)
{
    *size = ff_sim_save_size(sim);
    unsigned char *bytes = malloc(*size);
    if (!bytes || ff_sim_save(sim, bytes, *size, NULL) != FF_OK) CHECK_FAIL("not saved");
    return bytes;
}

static bool same_as(ff_sim *sim, const unsigned char *bytes, size_t size)
{
    size_t own_size;
    unsigned char *own = save(sim, &own_size);
    const bool same = own_size == size && memcmp(own, bytes, size) == 0;
    free(own);
    return same;
}

/// Questions that a whole run asks, and what it ends in.
static long whole_run(const char *text, long long *longest, unsigned char **end, size_t *size)
{
    must_load(text);
    countdown p = {.last = LONG_MAX, .sim = ff_run_sim(run)};
    const ff_stop stop = {count, &p};
    ff_stop_set(&stop);
    const ff_status status = ff_sim_run(ff_run_sim(run), scene->time, NULL);
    ff_stop_set(NULL);
    CHECK_INT(status, FF_OK);
    *longest = p.longest;
    *end = save(ff_run_sim(run), size);
    return p.questions;
}

/// Stops a run at its n-th question, and lets it go on.
static void stop_at(const char *text, long n, const unsigned char *end, size_t size)
{
    ff_error err = {0};
    must_load(text);
    ff_sim *sim = ff_run_sim(run);
    countdown p = {.last = n};
    const ff_stop stop = {count, &p};
    CHECK(ff_stop_set(&stop) == NULL);
    CHECK_INT(ff_sim_run(sim, scene->time, &err), FF_STOPPED);
    CHECK_INT(p.questions, n); // nothing more is asked once it is over
    CHECK(ff_stop_set(NULL) == &stop);
    CHECK_SAYS(err.text, "stopped at");
    const double t = ff_sim_time(sim);
    const uint64_t partial = ff_sim_hash(sim);
    CHECK_INT(ff_sim_run(sim, scene->time, &err), FF_OK);
    CHECK(same_as(sim, end, size));
    must_load(text); // it stood where a whole step ends
    sim = ff_run_sim(run);
    while (ff_sim_time(sim) < t) CHECK_INT(ff_sim_step(sim, scene->time, &err), FF_OK);
    CHECK(ff_sim_hash(sim) == partial);
}

// All methods ask at each step, the implicit one at each round of its iteration, too: between two of those lie the 12
// evaluations of a line search at most, and the 2 with which the next piece begins.
TEST(a_run_that_is_stopped_anywhere_goes_on_bit_identically)
{
    static const char *const scenes[] = {
        HARD "solver: {method: implicit, step: 20 ms}\n", HARD "solver: {method: implicit, accuracy: 1e-2}\n",
        SOFT "solver: {method: implicit, accuracy: 1e-3}\n",
        "objects: [{sphere: 0.1, mass: 1}]\nsolver: {method: rk4, step: 0.01 ms}\ntime: 1 ms\n"};
    for (int i = 0; i < 4; i++) {
        const char *text = scenes[i];
        long long longest;
        size_t size;
        unsigned char *end;
        const long questions = whole_run(text, &longest, &end, &size);
        const ff_sim_counts c = ff_sim_get_counts(ff_run_sim(run));
        printf("  %ld questions in %lld steps with %lld fallbacks; %lld evaluations between two at most\n", questions,
               c.steps, c.fallbacks, longest);
        CHECK(longest <= 14);
        if (i == 0) CHECK(c.fallbacks > c.steps);
        const long stride = questions / CHECK_LASTS(15, 5) + 1;
        for (long n = 1; n <= questions; n += stride) stop_at(text, n, end, size);
        stop_at(text, questions, end, size);
        free(end);
    }
    finish();
}

// Expectations are evaluated with what there is when somebody ends the run; the run does not pass, whatever it met.
TEST(a_run_that_is_stopped_is_evaluated_so_far)
{
    static const struct {
        const char *time;
        long last; // question
        bool met, passed;
    } cases[] = {
        {"at_least: 0", 5, true, false}, {"at_least: 0.02", 5, false, false}, {"at_least: 0.02", LONG_MAX, true, true}};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "objects: [{sphere: 0.1, mass: 1}]\nsolver: {method: rk4, step: 1 ms}\ntime: 20 ms\n"
                 "expect: [{metric: energy.drift, at_most: 1e-9}, {metric: time, %s}]\n",
                 cases[i].time);
        must_load(text);
        countdown p = {.last = cases[i].last};
        const ff_stop stop = {count, &p};
        ff_stop_set(&stop);
        const ff_status status = ff_run_go(run, NULL);
        ff_stop_set(NULL);
        const ff_result *result = ff_run_result(run);
        CHECK_INT(status, cases[i].last == 5 ? FF_STOPPED : FF_OK);
        CHECK(result->expectations[0].met && result->expectations[1].met == cases[i].met);
        CHECK(result->passed == cases[i].passed);
    }
    finish();
}

// Hundreds of spheres that touch and fall: of a thousand the single impacts of one step take minutes. What they leave
// is no state to go on from.
TEST(the_impacts_of_a_pile_end_within_a_step)
{
    ff_error err = {0};
    must_load("objects: [{name: b, sphere: 0.05, density: 1000, pos: [0, 0, 0.05], count: [7, 7, 7],\n"
              "  spacing: [0.1, 0.1, 0.1], velocity: [0, 0, -3]}]\nterrain: [{plane: {}}]\n"
              "contacts: {response: propagation}\nsolver: {method: euler, step: 1 ms}\ntime: 0.02\n");
    ff_sim *sim = ff_run_sim(run);
    countdown p = {.last = 3};
    const ff_stop stop = {count, &p};
    ff_stop_set(&stop);
    CHECK_INT(ff_sim_run(sim, 0.002, &err), FF_STOPPED);
    ff_stop_set(NULL);
    CHECK_INT(ff_sim_run(sim, 0.002, &err), FF_SOLVER);
    CHECK_SAYS(err.text, "stopped in the middle of a step");
    finish();
}

TEST(a_simulation_that_was_stopped_can_be_written_and_reset)
{
    must_load(HARD "solver: {method: implicit, step: 20 ms}\n");
    ff_sim *sim = ff_run_sim(run);
    const uint64_t start = ff_sim_hash(sim);
    countdown p = {.last = 30};
    const ff_stop stop = {count, &p};
    ff_stop_set(&stop);
    CHECK_INT(ff_sim_step(sim, 1.0, NULL), FF_STOPPED); // within the first step
    ff_stop_set(NULL);
    CHECK(ff_sim_hash(sim) == start);
    CHECK_INT(ff_sim_get_counts(sim).steps, 0);
    CHECK_INT(ff_sim_step(sim, 1.0, NULL), FF_OK);
    const uint64_t after = ff_sim_hash(sim);
    CHECK_INT(ff_sim_reset(sim, NULL, NULL), FF_OK);
    CHECK(ff_sim_hash(sim) == start);
    CHECK_INT(ff_sim_step(sim, 1.0, NULL), FF_OK);
    CHECK(ff_sim_hash(sim) == after);
    finish();
}

// ------------------------------------------------------------------------------------------ load and settle

#define TABLE                                                                                                          \
    "robot: table.yaml\n"                                                                                              \
    "materials: {felt: {normal: {law: hunt-crossley, stiffness: 1e4, damping: 1e4}, friction: {mu: 0.5, damping: "     \
    "50}}}\n"                                                                                                          \
    "terrain: [{plane: {material: felt}}]\n"

/// Reads the table and lets it settle from that height, with yes as the n-th answer. @return questions that were asked
static long load_until(long n, double height)
{
    char text[1000];
    snprintf(text, sizeof text, "%splace: {pos: [1, 2, %g], settle: true}\n", TABLE, height);
    countdown p = {.last = n};
    const ff_stop stop = {count, &p};
    ff_stop_set(&stop);
    load(text);
    ff_stop_set(NULL);
    return p.questions;
}

// The table comes down to the floor by 0.2 m in steps of 2 mm, each of which is a question, as is each iteration of its
// balance. Its mesh is for the eye: it may be missing, but not from a load that was stopped over it.
TEST(a_load_that_is_stopped_gives_nothing_and_says_so)
{
    write_file("table.yaml", "footfall: 1\nname: table\nbodies:\n  plate:\n    joint: {name: root, type: free}\n"
                             "    inertial: {mass: 2, com: [0.03, 0.04, 0], inertia: [0.02, 0.02, 0.03]}\n    shapes:\n"
                             "      - {name: a, sphere: 0.01, pos: [0.2, 0, -0.1], material: rigid}\n"
                             "      - {name: b, sphere: 0.01, pos: [-0.1, 0.2, -0.1], material: rigid}\n"
                             "      - {name: c, sphere: 0.01, pos: [-0.1, -0.2, -0.1], material: rigid}\n"
                             "      - {name: d, mesh: part.obj, role: visual}\n");
    write_file("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const double high = 0.3, low = 0.108;
    const long near = load_until(LONG_MAX, low), questions = load_until(LONG_MAX, high);
    CHECK(run);
    printf("  %ld questions from %g m, %ld from %g m\n", questions, high, near, low);
    CHECK(questions - near > 90); // 0.18 m
    CHECK(near > 5);
    for (long n = 1; n <= questions; n++) {
        load_until(n, high);
        CHECK(!run && report.errors > 0);
        CHECK_SAYS(message(0), "stopped");
    }
    CHECK_INT(load_until(questions + 1, high), questions);
    CHECK(run);
    finish();
    countdown p = {.last = 2}; // the file, then its mesh
    const ff_stop stop = {count, &p};
    ff_stop_set(&stop);
    CHECK(!ff_model_load(in_folder("table.yaml"), NULL, &report));
    ff_stop_set(NULL);
    CHECK_SAYS(message(report.count - 1), "stopped");
    ff_report_clear(&report);
}
