// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two robots with one controller: the same robot twice moves alike to the last bit; another seed shows in the sensors
// alone; another length as the closed form says; and whatever becomes of the twin, the leader keeps its bits.
#include "scene/scene_helpers.h"

#include <footfall/twin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_twin *twin;
static const ff_scene_spec *other;
static const ff_twin_result *result;

static void end_twin(void)
{
    ff_twin_destroy(twin);
    ff_scene_destroy(other);
    twin = NULL;
    other = NULL;
    result = NULL;
}

static void finish_all(void)
{
    end_twin();
    finish();
}

/// Puts a twin of another scene beside the run that is loaded. @return false: it was refused
static bool put_twin(const ff_scene_spec *of)
{
    other = of;
    if (!other) CHECK_FAIL("the scene of the twin: %s", message(0));
    twin = ff_twin_begin(run, other, &report);
    return twin != NULL;
}

static void go_with_twin(void)
{
    ff_error err = {0};
    if (!twin) CHECK_FAIL("no twin: %s", message(0));
    const ff_status status = ff_run_go(run, &err);
    if (status != FF_OK) CHECK_FAIL("run: %s", err.text);
    result = ff_twin_end(twin, status, &err);
    if (!result) CHECK_FAIL("end: %s", err.text);
}

static const ff_scene_spec *parse(const char *text)
{
    char document[3000];
    snprintf(document, sizeof document, "footfall: 1\n%s", text);
    return ff_scene_parse(document, strlen(document), in_folder("twin.yaml"), NULL, 0, &report);
}

static void must_twin(const char *text, const char *twins)
{
    end_twin();
    must_load(text);
    if (!put_twin(parse(twins))) CHECK_FAIL("refused: %s", message(0));
    go_with_twin();
}

static const ff_twin_channel *channel(const char *name)
{
    for (int i = 0; i < result->nchannel; i++)
        if (strcmp(result->channels[i].name, name) == 0) return &result->channels[i];
    CHECK_FAIL("no channel %s", name);
    return NULL;
}

static double recorded(const char *name, int column, long long row)
{
    int width = 0;
    const int at = ff_recorder_find(ff_run_recorder(run), name, &width);
    if (at < 0 || column >= width) CHECK_FAIL("%s is not recorded", name);
    return ff_recorder_row(ff_run_recorder(run), row)[at + column];
}

// ------------------------------------------------------------------------------------------ walking robots

static const char *path_of(const char *file)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, file);
    return path;
}

#define BRIEF CHECK_LASTS("time=0.4", "time=0.1") // of ANTON, whose steps take long

static const char anton[] = "experiments/anton-tripod.yaml", servo[] = "experiments/servo-hexapod-walk.yaml";

/// Columns of the leader's rows that it has without a twin, one after the other.
static double *take_rows(int columns, long long *rows)
{
    *rows = ff_recorder_rows(ff_run_recorder(run));
    double *out = malloc((size_t)*rows * (size_t)columns * sizeof *out);
    for (long long i = 0; out && i < *rows; i++)
        memcpy(out + i * columns, ff_recorder_row(ff_run_recorder(run), i), (size_t)columns * sizeof *out);
    if (!out) CHECK_FAIL("no memory");
    return out;
}

/// Runs a scene alone and with a twin. The leader's numbers must be the same to the last bit.
static void must_keep_bits(const char *file, const char *const *set, int nset, const char *const *twins, int ntwin)
{
    long long rows = 0, again;
    int columns = 0;
    double *alone = NULL; // sanitizers need no run to compare with
    end_twin();
    if (CHECK_LASTS(1, 0)) {
        must_load_file(path_of(file), set, nset);
        must_go();
        columns = ff_recorder_columns(ff_run_recorder(run));
        alone = take_rows(columns, &rows);
    }
    must_load_file(path_of(file), set, nset);
    if (!put_twin(ff_scene_load(path_of(file), twins, ntwin, &report))) CHECK_FAIL("refused: %s", message(0));
    go_with_twin();
    if (!alone) return;
    double *leader = take_rows(columns, &again);
    CHECK_INT(again, rows);
    if (memcmp(alone, leader, (size_t)rows * (size_t)columns * sizeof *alone) != 0)
        CHECK_FAIL("%s: the leader is not what it is alone", file);
    free(alone);
    free(leader);
}

TEST(two_identical_robots_are_bit_identical)
{
    const struct {
        const char *file, *time;
    } walks[] = {{anton, BRIEF}, {servo, CHECK_LASTS("time=1.2", "time=0.2")}};
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {walks[i].time, "record.channels=[q, joints, base, feet, sensors]"};
        must_keep_bits(walks[i].file, set, 2, set, 2);
        CHECK(result->distance == 0.0 && !result->parting.parted && result->late == 0 && isnan(result->lost));
        CHECK(result->nchannel > 5 && result->moved > 0.0);
        for (int k = 0; k < result->nchannel; k++)
            if (!(result->channels[k].most == 0.0) || result->channels[k].samples == 0)
                CHECK_FAIL("%s differs by %g", result->channels[k].name, result->channels[k].most);
        CHECK_SAYS(result->text, "bit-identical");
        CHECK_TEXT(result->outcome, "finished");
        CHECK(result->nmetric == ff_run_result(run)->nmetric);
        for (int k = 0; k < result->nmetric; k++) {
            const double a = result->metrics[k].value, b = ff_run_result(run)->metrics[k].value;
            if (!(a == b || (isnan(a) && isnan(b)))) CHECK_FAIL("%s: %g and %g", result->metrics[k].name, a, b);
        }
    }
    finish_all();
}

// Another seed is another noise of the sensors, which nobody reads in the twin: its controller is that of the leader,
// at the same instants, as the jitter of the bus is that of one controller. So the motion stays the same where nothing
// in the drives is random.
TEST(another_seed_shows_in_the_sensors_and_not_in_the_motion)
{
    const char *const set[] = {BRIEF, "record.channels=[q, sensors]"};
    const char *const twins[] = {BRIEF, set[1], "seed=2"};
    must_keep_bits(anton, set, 2, twins, 3);
    double most = 0.0;
    CHECK(channel("q")->most == 0.0 && result->distance == 0.0 && result->late == 0);
    for (int k = 0; k < result->nchannel; k++) most = fmax(most, result->channels[k].most);
    CHECK(most > 0.0);
    finish_all();
}

// Two independent noises of deviation s differ with the deviation sqrt(2) s; s = sqrt(sigma^2 + LSB^2/12) = 0.050496 N
// of ANTON's force sensor (experiments/sensor-noise.yaml). Of n numbers the rms is sure to 1 / sqrt(2 n): 5 of these.
TEST(noise_of_two_seeds_differs_by_the_root_of_two)
{
    const char *const set[] = {CHECK_LASTS("time=10", "time=2"), "record.rate=100", "record.channels=[sensors.anton]"};
    const char *const twins[] = {set[0], set[1], set[2], "seed=2"};
    must_keep_bits("experiments/sensor-noise.yaml", set, 3, twins, 4);
    const ff_twin_channel *c = channel("sensors.anton");
    const double expected = sqrt(2.0) * 0.050496;
    printf("  rms difference %.5f N, expected %.5f N, of %lld numbers\n", c->rms, expected, c->samples);
    CHECK_NEAR(c->rms, expected, 5.0 * expected / sqrt(2.0 * (double)c->samples));
    finish_all();
}

// A heavier robot with weaker servos sags: it gets what the leader gets, and stands lower. With a stiffness 5 % lower
// and 20 g more, every joint that carries deviates in the direction of its load: the body is lower by some of the
// leader's own sag, itself torque over stiffness. Both stay on their feet.
TEST(a_robot_of_another_batch_deviates_and_does_not_affect_the_leader)
{
    const char *const set[] = {CHECK_LASTS("time=2", "time=0.2"), "record.channels=[q, base, feet.force]"};
    const char *const twins[] = {set[0], set[1], "robot=../robots/servo-hexapod/twin.yaml"};
    must_keep_bits(servo, set, 2, twins, 3);
    const long long last = ff_recorder_rows(ff_run_recorder(run)) - 1;
    CHECK(result->distance > 0.0 && result->parting.parted);
    CHECK(recorded("difference.base.pos", 2, last) < 0.0);
    // difference is twin less leader, in each row and column
    for (long long i = 0; i <= last; i++)
        CHECK(recorded("difference.base.pos", 2, i) == recorded("twin.base.pos", 2, i) - recorded("base.pos", 2, i));
    finish_all();
}

// ------------------------------------------------------------------------------------------ closed forms

static void write_pendulum(const char *name, double length)
{
    char text[300];
    snprintf(text, sizeof text,
             "footfall: 1\nname: pendulum\nbodies: {rod: {joint: {name: hinge, axis: y},\n"
             "  inertial: {mass: 1, com: [0, 0, %.17g], inertia: [1e-9, 1e-9, 1e-9]}}}\n",
             -length);
    write_file(name, text);
}

#define SWING                                                                                                          \
    "start: {joints: {hinge: 0.01}}\nsolver: {method: rk4, step: 2 ms}\ntime: 20\n"                                    \
    "record: {rate: 50, channels: [q, joints.position]}\n"

// A pendulum 2 % longer is slower: x2 - x1 = A (cos w2 t - cos w1 t), w = sqrt(g / l), which grows to 2 A. At a small
// amplitude A the frequency is w (1 - A^2/16): that is the error of the closed form, A^3 w t / 16 for each of the two;
// rk4 at w h = 0.006 adds (w h)^4 / 120 w t, and 1e-9 of inertia about the centre of mass 1e-9 w t / 2.
TEST(pendulums_of_different_length_separate_by_their_frequencies)
{
    if (CHECK_LASTS(0, 1)) SKIP("20 s of swinging, whose numbers are checked without sanitizers");
    const double A = 0.01, w1 = sqrt(9.81), w2 = sqrt(9.81 / 1.02);
    write_pendulum("one.yaml", 1.0);
    write_pendulum("two.yaml", 1.02);
    must_twin("robot: one.yaml\ngravity: [0, 0, -9.81]\n" SWING, "robot: two.yaml\ngravity: [0, 0, -9.81]\n" SWING);
    const long long rows = ff_recorder_rows(ff_run_recorder(run));
    double most = 0.0, sum = 0.0, worst = 0.0;
    for (long long i = 0; i < rows; i++) {
        const double t = (double)i / 50.0, expected = A * (cos(w2 * t) - cos(w1 * t));
        const double allowed = 2.0 * A * (A * A / 16.0 + 1e-9) * w1 * t * 1.1 + 1e-12;
        const double got = recorded("difference.joints.position", 0, i);
        worst = fmax(worst, fabs(got - expected));
        if (!(fabs(got - expected) <= allowed))
            CHECK_FAIL("at %g s: %.9g, expected %.9g, allowed %.2g", t, got, expected, allowed);
        most = fmax(most, fabs(got));
        sum += got * got;
    }
    printf("  largest error of the difference %.1e rad of %.1e rad\n", worst, most);
    CHECK(channel("joints.position")->most == most);
    CHECK_NEAR(channel("joints.position")->rms, sqrt(sum / (double)rows), 1e-15);
    // the phase grows by (w1 - w2) t: after 20 s by 0.617 rad, envelope 2 A sin(0.31)
    CHECK_NEAR(most, 2.0 * A * sin(0.5 * (w1 - w2) * 20.0), 0.03 * A);
    // parting of the motion: 1 rad counts as 0.1 m, the way moved is 2 A, and a thousandth of it 2e-6 m = 2e-5 rad
    long long first = 0;
    while (first < rows && !(fabs(A * (cos(w2 * (double)first / 50.0) - cos(w1 * (double)first / 50.0))) > 2e-3 * A))
        first++;
    CHECK_NEAR(result->parting.t, (double)first / 50.0, 0.0201); // a sample more or less
    CHECK(result->parting.contact == NULL);
    // of the channel: 5 % of its range 2 A
    while (first < rows && !(fabs(A * (cos(w2 * (double)first / 50.0) - cos(w1 * (double)first / 50.0))) > 0.1 * A))
        first++;
    CHECK_NEAR(channel("joints.position")->parted, (double)first / 50.0, 0.0201);
    finish_all();
}

// ------------------------------------------------------------------------------------------ what becomes of the twin

// A mass on a spring with w h = 10: the method of fixed step diverges within some steps, the leader does not care.
TEST(a_lost_twin_does_not_affect_the_leader)
{
    static const char scene_text[] =
        "gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"
        "springs: [{between: [world, a], stiffness: %s, rest: 0}]\n"
        "solver: {method: rk4, step: 1 ms}\ntime: 1\nrecord: {rate: 100, channels: [q]}\n";
    char leader[600], stiff[600];
    snprintf(leader, sizeof leader, scene_text, "40");
    snprintf(stiff, sizeof stiff, scene_text, "1e8");
    must_run(leader);
    long long rows, again;
    const int columns = ff_recorder_columns(ff_run_recorder(run));
    double *alone = take_rows(columns, &rows);
    must_twin(leader, stiff);
    double *beside = take_rows(columns, &again);
    CHECK(again == rows && memcmp(alone, beside, (size_t)rows * (size_t)columns * sizeof *alone) == 0);
    CHECK(result->lost > 0.0 && result->lost < 1.0);
    CHECK(strcmp(result->outcome, "finished") != 0);
    CHECK_SAYS(result->text, "The twin was lost at");
    CHECK(isnan(recorded("twin.q", 0, rows - 1)) && isnan(recorded("difference.q", 0, rows - 1)));
    CHECK(!isnan(recorded("twin.q", 0, 0)));
    free(alone);
    free(beside);
    finish_all();
}

// Where the twin's bus has another jitter, its cycle may come before that of the leader, with a row between the two.
// What it does then follows from simulated time alone: the same twice, however the threads run.
TEST(a_twin_does_not_depend_on_the_timing_of_threads)
{
    const char *const set[] = {BRIEF, "record.channels=[q]"};
    const char *const twins[] = {BRIEF, set[1], "effects.bus={jitter: 0}"};
    double *first = NULL;
    long long rows = 0, again = 0, late = 0;
    for (int i = 0; i < 2; i++) {
        end_twin();
        must_load_file(path_of(anton), set, 2);
        if (!put_twin(ff_scene_load(path_of(anton), twins, 3, &report))) CHECK_FAIL("refused: %s", message(0));
        go_with_twin();
        const int columns = ff_recorder_columns(ff_run_recorder(run));
        double *all = take_rows(columns, i == 0 ? &rows : &again);
        if (i == 0) {
            first = all;
            late = result->late;
            continue;
        }
        CHECK_INT(again, rows);
        CHECK_INT(result->late, late);
        CHECK(memcmp(first, all, (size_t)rows * (size_t)columns * sizeof *all) == 0);
        free(all);
    }
    CHECK(late > 0);
    printf("  %lld cycles before the leader's answer, distance %.2g mm\n", late, 1e3 * result->distance);
    free(first);
    finish_all();
}

TEST(a_twin_can_be_destroyed_at_any_time)
{
    const char *const set[] = {"time=0.4", "record.channels=[q]"};
    ff_error err = {0};
    for (int i = 0; i < 3; i++) {
        end_twin();
        must_load_file(path_of(servo), set, 2);
        if (!put_twin(ff_scene_load(path_of(servo), set, 2, &report))) CHECK_FAIL("refused: %s", message(0));
        if (i > 0) CHECK(ff_sim_run(ff_run_sim(run), 0.1, &err) == FF_OK);
        if (i == 2) CHECK((result = ff_twin_end(twin, FF_STOPPED, &err)) != NULL);
    }
    finish_all();
    ff_twin_destroy(NULL);
}

static void must_refuse_twin(const char *text, const char *twins, const char *words)
{
    end_twin();
    must_load(text);
    if (put_twin(parse(twins))) CHECK_FAIL("taken: %s", twins);
    CHECK_SAYS(message(report.count - 1), words);
}

TEST(runs_that_cannot_have_a_twin_are_refused)
{
    write_pendulum("one.yaml", 1.0);
    write_file("slide.yaml", "footfall: 1\nname: slide\nbodies: {rod: {joint: {name: rail, type: slide, axis: y},\n"
                             "  inertial: {mass: 1, inertia: [0.01, 0.01, 0.01]}}}\n");
    must_refuse_twin("robot: one.yaml\ntime: 1\n", "robot: one.yaml\ntime: 1\n", "records no channels");
    must_refuse_twin("robot: one.yaml\ntime: 1\nrecord: {channels: [q]}\n", "robot: slide.yaml\ntime: 1\n", "hinge");
    must_refuse_twin("robot: one.yaml\ntime: 1\nrecord: {channels: [q]}\n",
                     "objects: [{name: a, sphere: 0.1, mass: 1}]\ntime: 1\n", "must be equal");
    const char *const set[] = {"time=0.1", "record.channels=[q]"};
    const char *const slower[] = {"time=0.1", "control.period=40 ms"};
    end_twin();
    must_load_file(path_of(servo), set, 2);
    CHECK(!put_twin(ff_scene_load(path_of(servo), slower, 2, &report)));
    CHECK_SAYS(message(report.count - 1), "period of 0.02 s, that of the twin 0.04 s");
    end_twin();
    ff_error err = {0};
    must_load("robot: one.yaml\ntime: 1\nrecord: {channels: [q]}\n");
    CHECK(ff_sim_run(ff_run_sim(run), 0.1, &err) == FF_OK);
    CHECK(!put_twin(parse("robot: one.yaml\ntime: 1\n")));
    CHECK_SAYS(message(report.count - 1), "it has already begun");
    finish_all();
    CHECK(ff_twin_begin(NULL, NULL, &report) == NULL);
    ff_report_clear(&report);
}
