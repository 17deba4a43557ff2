// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a certificate promises: the error lies within the bar, and the bar is not much longer; chaos, coarse steps and
// partings are reported; the run itself stays what it is.
#include "scene/scene_helpers.h"

#include "certify/certify.h"
#include "text/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_certifier *certifier;
static const ff_certificate *certificate;

static void end_certificate(void)
{
    ff_certifier_destroy(certifier);
    certifier = NULL;
    certificate = NULL;
}

/// Runs what is loaded, with a certificate.
static void must_certify_run(void)
{
    ff_error err = {0};
    ff_certifier_destroy(certifier);
    certifier = ff_certify_begin(run, NULL, &err);
    if (!certifier) CHECK_FAIL("begin: %s", err.text);
    const ff_status status = ff_run_go(run, &err);
    if (status != FF_OK) CHECK_FAIL("run: %s", err.text);
    certificate = ff_certify_end(certifier, status, &err);
    if (!certificate) CHECK_FAIL("end: %s", err.text);
}

static void must_certify(const char *text)
{
    end_certificate();
    must_load(text);
    must_certify_run();
}

static void finish_all(void)
{
    end_certificate();
    finish();
}

static const ff_certified_number *number(const char *name)
{
    for (int i = 0; i < certificate->nmetric; i++)
        if (strcmp(certificate->metrics[i].metric, name) == 0) return &certificate->metrics[i];
    CHECK_FAIL("no metric %s", name);
    return NULL;
}

// ------------------------------------------------------------------------------------------ bars

/// A metric whose value is known in closed form.
typedef struct known {
    const char *scene, *metric;
    double value;
} known;

/// Height at the end of a point of 1 kg that falls 0.2 m onto a spring without damping, and is thrown up again:
/// in contact z = -(g/w^2)(1 - cos w t) - (v/w) sin w t until w t = 2 pi - 2 atan(v w / g).
static double height_after_bounce(double k, double end)
{
    const double g = 9.81, w = sqrt(k), v = sqrt(2 * g * 0.2);
    const double t = end - v / g - (2 * FF_PI - 2 * atan(v * w / g)) / w;
    return v * t - 0.5 * g * t * t;
}

/// Of a pendulum with the reduced length l from rest at the angle a: sqrt(l/g) K(sin a/2), K by the
/// arithmetic-geometric mean (Abramowitz and Stegun 17.6).
static double quarter_period(double l, double a)
{
    double x = 1.0, y = cos(a / 2);
    while (fabs(x - y) > 1e-15) {
        const double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    return sqrt(l / 9.81) * FF_PI / (2 * x);
}

// The error lies within the bar, and the bar is at most a hundred times the error, whatever the method and its order;
// an error below 1e-10 is confirmed to what cvode has of its own.
TEST(the_truth_lies_within_the_bar)
{
    static const char spring[] = "gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"
                                 "springs: [{between: [world, a], stiffness: 40, rest: 0}]\n"
                                 "metrics: {report: [bodies.a.x.final]}\ntime: 2\n";
    static const char bounce[] = "materials: {s: {normal: {law: linear, stiffness: 1e3}, friction: {law: none}}}\n"
                                 "terrain: [{plane: {material: rigid}}]\nobjects: [{name: a, point: true, mass: 1, "
                                 "pos: [0, 0, 0.2], material: s}]\n"
                                 "metrics: {report: [bodies.a.z.final]}\ntime: 0.5\n";
    char pendulum[400];
    snprintf(pendulum, sizeof pendulum,
             "robot: pendulum.yaml\nstart: {joints: {hinge: 120 deg}}\nmetrics: {report: [com.x]}\ntime: %.17g\n",
             quarter_period(1.01, 120.0 * FF_PI / 180.0));
    write_file("pendulum.yaml", "footfall: 1\nname: pendulum\nbodies: {rod: {joint: {name: hinge, axis: y},\n"
                                "  inertial: {mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01]}}}\n");
    const known cases[] = {
        {spring, "bodies.a.x.final", 0.3 * cos(2.0 * sqrt(40.0))},
        {bounce, "bodies.a.z.final", height_after_bounce(1e3, 0.5)},
        {pendulum, "com.x", 0.0}, // it hangs down
    };
    static const char *const solvers[] = {
        "{method: euler, step: 1 ms}",        "{method: rk2, step: 1 ms}",      "{method: rk4, step: 2 ms}",
        "{method: implicit, accuracy: 1e-3}", "{method: implicit, step: 1 ms}", "{method: adaptive, accuracy: 1e-6}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            char text[1000];
            snprintf(text, sizeof text, "%ssolver: %s\nrecord: {rate: 100, channels: [q]}\n", cases[i].scene,
                     solvers[k]);
            must_certify(text);
            const ff_certified_number *n = number(cases[i].metric);
            const double error = fabs(n->value - cases[i].value);
            printf("  %-17s %-37s error %.1e, bar %.1f times that\n", cases[i].metric, solvers[k], error,
                   n->bar / error);
            if (!(error <= n->bar)) CHECK_FAIL("%s: error %.2g, bar %.2g", text, error, n->bar);
            if (!(n->bar <= 100.0 * error + 1e-8)) CHECK_FAIL("%s: error %.2g, bar %.2g", text, error, n->bar);
            CHECK(certificate->certainty == FF_CERTAINTY_RESOLVED);
            CHECK_INT(certificate->nrun, 3);
        }
    finish_all();
}

TEST(bars_add_what_the_two_others_lack)
{
    CHECK_NEAR(ff_bar(1.0, 1.1, 1.2), 1.25 * 0.2 + 0.1, 2e-15);
    CHECK_NEAR(ff_bar(1.0, 1.1, 0.9), 1.25 * 0.1 + 0.2, 2e-15);
    CHECK_NEAR(ff_bar(1.0, 1.1, NAN), 0.2, 2e-15); // its error is as large as its distance
    CHECK_NEAR(ff_bar(1.0, NAN, 1.1), 0.2, 2e-15);
    CHECK(ff_bar(3.0, 3.0, 3.0) == 0.0); // a number that is counted
    CHECK(isnan(ff_bar(1.0, NAN, NAN)) && isnan(ff_bar(NAN, 1.0, 1.0)));
}

// Closer to a bound than the bar is undecided; such a run is passed or not as without a certificate.
TEST(an_expectation_closer_to_its_bound_than_the_bar_is_undecided)
{
    must_certify("gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"
                 "springs: [{between: [world, a], stiffness: 40, rest: 0}]\ntime: 2\n"
                 "solver: {method: euler, step: 1 ms}\nrecord: {rate: 100, channels: [q]}\n"
                 "expect:\n" // 0.298895 there, and a bar of 1.2e-4
                 "  - {metric: bodies.a.x.final, at_least: 0.2}\n"
                 "  - {metric: bodies.a.x.final, is: 0.29894, within: 1e-4}\n"
                 "  - {metric: bodies.a.x.final, at_least: 0.29894}\n"
                 "  - {metric: bodies.a.x.final, at_least: 0.4}\n");
    static const ff_standing wanted[] = {FF_STANDING_MET, FF_STANDING_MET_OPEN, FF_STANDING_MISSED_OPEN,
                                         FF_STANDING_MISSED};
    CHECK_INT(certificate->nexpectation, 4);
    for (int i = 0; i < 4; i++)
        if (certificate->expectations[i].standing != wanted[i])
            CHECK_FAIL("%d: %.9g +- %.2g %s", i, certificate->expectations[i].number.value,
                       certificate->expectations[i].number.bar,
                       ff_standing_name(certificate->expectations[i].standing));
    CHECK(!ff_run_result(run)->passed);
    finish_all();
}

// ------------------------------------------------------------------------------------------ chaos, coarse steps

static void certify_double_pendulum(double degrees)
{
    char text[400];
    write_file("double.yaml", "footfall: 1\nname: double\nbodies:\n"
                              "  upper: {joint: {name: a, axis: y}, inertial: {mass: 1, com: [0, 0, -1], inertia: "
                              "[0.01, 0.01, 0.01]}}\n"
                              "  lower: {parent: upper, pos: [0, 0, -1], joint: {name: b, axis: y},\n"
                              "    inertial: {mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01]}}\n");
    snprintf(text, sizeof text,
             "robot: double.yaml\nstart: {joints: {a: %g deg, b: %g deg}}\ntime: 20\n"
             "solver: {method: adaptive, accuracy: 1e-6}\nrecord: {rate: 100, channels: [q, energy]}\n"
             "expect: [{metric: com.z, at_most: 10}]\n",
             degrees, degrees);
    must_certify(text);
}

// A double pendulum from 130 degrees is chaotic, its differences double in 0.1 to 1 s (T. Shinbrot et al., Am. J. Phys.
// 60(6), 1992: 7.5 1/s for arms of 0.2 m, hence 3.3 1/s for ours); from 10 degrees it swings in two normal modes.
TEST(a_double_pendulum_is_chaotic_at_large_angles_and_regular_at_small_ones)
{
    certify_double_pendulum(130);
    CHECK(certificate->certainty == FF_CERTAINTY_CHAOTIC);
    CHECK(certificate->doubling > 0.1 && certificate->doubling < 1.0);
    CHECK_SAYS(certificate->text, "doubles every");
    const ff_certified_number *height = number("com.z");
    CHECK(height->low < height->median && height->median < height->high);
    CHECK(height->low <= height->value && height->value <= height->high);
    CHECK_INT(certificate->expectations[0].of, 8); // itself, tighter, independent, its twin, four more
    CHECK_INT(certificate->expectations[0].met, 8);
    CHECK(certificate->expectations[0].standing == FF_STANDING_MET);
    certify_double_pendulum(10);
    CHECK(certificate->certainty == FF_CERTAINTY_RESOLVED);
    CHECK(isnan(certificate->doubling) && isnan(number("com.z")->median));
    finish_all();
}

// A ball in a wedge whose walls are 56 degrees from the vertical: chaotic beyond 45 (H. E. Lehtihet, B. N. Miller,
// Physica D 21, 1986). Runs part at one of its walls. A change of 1e-9 doubles every 0.25 to 0.4 s: 10 s are too few.
TEST(a_ball_in_a_wedge_is_chaotic)
{
    if (CHECK_LASTS(0, 1)) SKIP("test_protocol certifies the same wedge where sanitizers watch");
    must_certify("materials: {s: {normal: {law: linear, stiffness: 1e4}, friction: {law: none}}}\n"
                 "terrain:\n  - plane: {normal: [1, 0, 1.5], material: rigid, name: left}\n"
                 "  - plane: {normal: [-1, 0, 1.5], material: rigid, name: right}\n"
                 "objects: [{name: ball, point: true, mass: 0.1, pos: [0.1, 0, 0.5], material: s}]\n"
                 "solver: {method: implicit, accuracy: 1e-3}\nrecord: {rate: 100, channels: [q]}\ntime: 15\n"
                 "expect: [{metric: bodies.ball.x.final, at_least: 0}]\n");
    CHECK(certificate->certainty == FF_CERTAINTY_CHAOTIC);
    CHECK(certificate->parting.parted && certificate->parting.contact);
    CHECK(certificate->expectations[0].standing == FF_STANDING_MET_OPEN ||
          certificate->expectations[0].standing == FF_STANDING_MISSED_OPEN);
    finish_all();
}

// A contact of pi sqrt(m / k) = 0.31 ms under steps of 0.15 ms: the apex comes out anywhere. The others agree with each
// other, and the bar of the height is as long as the height.
TEST(a_step_too_long_for_its_contact_is_reported)
{
    must_certify("materials: {s: {normal: {law: linear, stiffness: 1e6}, friction: {law: none}}}\n"
                 "terrain: [{plane: {material: rigid}}]\n"
                 "objects: [{name: a, point: true, mass: 0.01, pos: [0, 0, 0.2], material: s}]\n"
                 "solver: {method: euler, step: 0.15 ms}\nrecord: {rate: 100, channels: [q]}\ntime: 1\n"
                 "metrics: {report: [bodies.a.z.final]}\n");
    CHECK(certificate->certainty == FF_CERTAINTY_UNRESOLVED);
    CHECK_SAYS(certificate->text, "take a shorter step");
    CHECK(number("bodies.a.z.final")->bar > 0.01);
    CHECK(certificate->perturbed < 1e-3 * certificate->moved); // it is not chaos
    finish_all();
}

/// A point of 1 kg falls 2 cm onto hard ground along which it slides: in fixed steps of 0.5 ms it comes to the right
/// place, and the heat of its impacts is anything.
static void load_fall(const char *soil)
{
    char text[600];
    snprintf(text, sizeof text,
             "materials: {g: {soil: {name: %s, mu: 0.3}}}\nterrain: [{plane: {material: g}}]\n"
             "objects: [{name: a, point: true, mass: 1, pos: [0, 0, 0.02], velocity: [0.5, 0, 0], material: rigid}]\n"
             "solver: {method: implicit, step: 0.5 ms}\nrecord: {rate: 100, channels: [q]}\ntime: 0.5\n"
             "metrics: {report: [bodies.a.bounce.1.vz, ledger.lost.normal, bodies.a.x.final]}\n",
             soil);
    end_certificate();
    must_load(text);
}

TEST(a_number_that_is_not_known_stands_in_the_headline)
{
    load_fall("gravel");
    must_certify_run();
    CHECK(certificate->certainty == FF_CERTAINTY_RESOLVED);
    CHECK(number("ledger.lost.normal")->bar > 0.1 * number("ledger.lost.normal")->value);
    CHECK_BELOW(number("bodies.a.x.final")->bar, 0.1 * number("bodies.a.x.final")->value);
    CHECK(strncmp(certificate->text, "in its motion, but not in ledger.lost.normal, ", 46) == 0);
    finish_all();
}

// All that one method says may be wrong at each of its steps.
TEST(one_method_alone_resolves_nothing)
{
    ff_error err = {0};
    ff_certify_options options = ff_certify_options_default();
    options.most_work = 1e-3; // no other method succeeds
    load_fall("gravel");
    certifier = ff_certify_begin(run, &options, &err);
    if (!certifier || ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    certificate = ff_certify_end(certifier, FF_OK, &err);
    CHECK(certificate && certificate->certainty == FF_CERTAINTY_UNRESOLVED);
    CHECK(isnan(certificate->independent));
    CHECK(strncmp(certificate->text, "no independent method succeeds. ", 32) == 0);
    finish_all();
}

// A point of 0.1 kg on a spring of 1e4 N/m, at the depth m g / k where it stays: it moves by rounding alone, and by
// 1e-9 m/s for 0.3 s from a changed start. That is no small share of the way moved, and no chaos either.
TEST(what_stays_at_rest_is_resolved)
{
    must_certify("materials: {s: {normal: {law: linear, stiffness: 1e4}, friction: {law: none}}}\n"
                 "terrain: [{plane: {material: rigid}}]\n"
                 "objects: [{name: a, point: true, mass: 0.1, pos: [0, 0, -9.81e-5], material: s}]\n"
                 "solver: {method: implicit, step: 1 ms}\nrecord: {rate: 100, channels: [q]}\ntime: 0.3\n"
                 "metrics: {report: [bodies.a.z.final]}\n");
    CHECK(certificate->moved < 1e-6); // [m]
    CHECK(certificate->certainty == FF_CERTAINTY_RESOLVED);
    CHECK(!certificate->parting.parted);
    CHECK(number("bodies.a.z.final")->bar < 1e-6); // [m]
    CHECK_SAYS(certificate->text, "nothing moved by more than");
    finish_all();
}

// Semi-implicit Euler moves a mass on a spring as if it were half a step ahead: from rest at a it is at
// a cos(w (t + h / 2)) / cos(w h / 2), so that its error is at most w h / 2 of a, or e = w h / 4 of the way moved. A
// quarter of the step leaves e / 4. The bar of the motion, 1.25 e + e / 4, is below 5 % of the way up to w h = 0.133;
// beyond, the three runs still close in on one motion, but this one is not it.
TEST(a_motion_is_resolved_to_a_bar_of_five_percent)
{
    static const double steps[] = {0.12, 0.15}; // of 10 ms, times w
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"
                 "springs: [{between: [world, a], stiffness: %g, rest: 0}]\nrecord: {rate: 100, channels: [q]}\n"
                 "solver: {method: euler, step: 10 ms}\ntime: %g\n",
                 steps[k] * steps[k] / (0.01 * 0.01), k == 0 ? 0.28 : 0.23); // a little more than half a period
        must_certify(text);
        const double error = steps[k] / 4.0 * certificate->moved;
        CHECK_NEAR(certificate->independent, error, 0.05 * error);
        CHECK_NEAR(certificate->between, 0.25 * error, 0.05 * error);
        CHECK_INT(certificate->certainty, k == 0 ? FF_CERTAINTY_RESOLVED : FF_CERTAINTY_UNRESOLVED);
    }
    finish_all();
}

// ------------------------------------------------------------------------------------------ parting

/// A pendulum that just about turns over (6.26 rad/s would take it upright for ever), in steps that are too long.
static void certify_turning(const char *record)
{
    char text[400];
    write_file("arm.yaml",
               "footfall: 1\nbodies: {arm: {joint: {name: hinge, axis: y}, inertial: {mass: 1, com: [0, 0, -1], "
               "sphere: 0.1}}}\n");
    snprintf(text, sizeof text,
             "robot: arm.yaml\nstart: {speeds: {hinge: 6.3}}\nsolver: {method: euler, step: 10 ms}\ntime: 4\n%s",
             record);
    must_certify(text);
}

// Without samples in between nobody knows when: the end of the run is not the answer.
TEST(when_runs_part_is_not_known_where_nothing_is_recorded)
{
    certify_turning("record: {rate: 50, channels: [q]}\n");
    CHECK(certificate->parting.parted && certificate->parting.t < 3.9);
    certify_turning("");
    CHECK(certificate->parting.parted && isnan(certificate->parting.t) && !certificate->parting.contact);
    CHECK_SAYS(certificate->text, "is not known, as nothing is recorded");
    finish_all();
}

// Thrown upwards at 2 m/s the ball rises by 203.87 mm. The ceiling is 60 um below: with steps h euler stays v h / 2
// below the truth, 100 um at 0.1 ms, and 25 um at a quarter of that. So the tighter run touches the ceiling at
// v / g = 0.204 s, the run itself does not.
TEST(runs_part_at_the_contact_that_only_one_of_them_has)
{
    char text[700];
    const double g = 9.81, v = 2.0, ceiling = v * v / (2 * g) + 0.05 - 60e-6;
    snprintf(text, sizeof text,
             "materials: {s: {normal: {law: linear, stiffness: 1e4}, friction: {law: none}}}\n"
             "terrain: [{box: {size: [1, 1, 0.1], pos: [0, 0, %.9f], material: rigid, name: ceiling}}]\n"
             "objects: [{name: ball, sphere: 0.05, mass: 0.1, pos: [0, 0, 0], velocity: [0, 0, 2], material: s}]\n"
             "solver: {method: euler, step: 0.1 ms}\nrecord: {rate: 1000, channels: [q]}\ntime: 0.4\n",
             ceiling + 0.05);
    must_certify(text);
    const ff_parting *p = &certificate->parting;
    CHECK(p->parted);
    if (!p->contact) CHECK_FAIL("%s", certificate->text);
    CHECK(strstr(p->contact, "ball") && strstr(p->contact, "ceiling"));
    CHECK(!p->in_run);
    CHECK_NEAR(p->at, v / g, 5e-3);
    CHECK(p->lasts > 1e-3 && p->lasts < 20e-3); // [s] pi sqrt(m / k) = 10 ms
    CHECK(p->t > p->at && p->t < p->at + 0.05);
    CHECK_SAYS(certificate->text, "touch in the tighter one alone");
    finish_all();
}

// ------------------------------------------------------------------------------------------ the run itself

// With every method, with drives, sensors, a gait and a robot that settles: the certificate changes no bit of the run.
TEST(the_run_is_bit_identical_with_one_without)
{
    static const struct {
        const char *path, *set[2];
    } cases[] = {
        {FF_SOURCE_DIR "/experiments/servo-hexapod-walk.yaml", {"time=0.03", "solver={method: implicit, step: 1e-3}"}},
        {FF_SOURCE_DIR "/experiments/anton-drop.yaml", {"time=0.06", "solver={method: implicit, accuracy: 1e-3}"}},
        {FF_SOURCE_DIR "/experiments/anton-drop.yaml", {"time=0.06", "solver={method: rk2, step: 1e-3}"}},
        {FF_SOURCE_DIR "/experiments/anton-drop.yaml", {"time=0.02", "solver={method: adaptive, accuracy: 1e-3}"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_load_file(cases[i].path, cases[i].set, 2);
        must_go();
        const uint64_t hash = ff_sim_hash(ff_run_sim(run));
        const long long evaluations = ff_sim_get_counts(ff_run_sim(run)).evaluations;
        end_certificate();
        must_load_file(cases[i].path, cases[i].set, 2);
        must_certify_run();
        CHECK(ff_sim_hash(ff_run_sim(run)) == hash);
        CHECK_INT(ff_sim_get_counts(ff_run_sim(run)).evaluations, evaluations);
    }
    finish_all();
}

static void refuse(const char *words)
{
    ff_error err = {0};
    CHECK(!ff_certify_begin(run, NULL, &err));
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, words);
}

TEST(what_cannot_be_repeated_is_refused)
{
    ff_error err = {0};
    CHECK(!ff_certify_begin(NULL, NULL, &err) && err.status == FF_BAD_ARGUMENT);
    must_load("objects: [{name: a, sphere: 0.1, mass: 1}]\ntime: 1\n");
    CHECK(ff_sim_run(ff_run_sim(run), 0.1, NULL) == FF_OK);
    refuse("it has begun");
    ff_run_options options = ff_run_options_default(scene);
    options.touchable = true;
    CHECK(begin_with(&options));
    refuse("by hand");
    options = ff_run_options_default(scene);
    options.permissions = 1;
    CHECK(begin_with(&options));
    refuse("leave out --allow");
    finish_all();
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

// A certificate that is cancelled leaves the run as it is; so does one that is never asked for.
TEST(cancelling_ends_the_other_runs_and_nothing_else)
{
    ff_certify_options options = ff_certify_options_default();
    ff_error err = {0};
    must_load("objects: [{name: a, sphere: 0.1, mass: 1}]\nsolver: {method: rk4, step: 1 ms}\ntime: 1\n");
    options.stop = stop_at_once;
    certifier = ff_certify_begin(run, &options, &err);
    CHECK(certifier && ff_run_go(run, &err) == FF_OK);
    CHECK(!ff_certify_end(certifier, FF_OK, &err));
    CHECK_INT(err.status, FF_STOPPED);
    CHECK_NEAR(metric("time"), 1.0, 0.0);
    end_certificate();
    must_load("objects: [{name: a, sphere: 0.1, mass: 1}]\nsolver: {method: euler, step: 1 us}\ntime: 3600\n");
    certifier = ff_certify_begin(run, NULL, &err);
    CHECK(certifier != NULL);
    finish_all(); // while the tighter run is at work
}

// ------------------------------------------------------------------------------------------ JSON

static ff_yaml *parse(char *text, ff_arena *arena)
{
    CHECK(text != NULL);
    ff_yaml *root = ff_yaml_parse(arena, text, strlen(text), "json", &report);
    free(text);
    if (!root || report.errors) CHECK_FAIL("%s", message(0));
    return root;
}

static void certify_spring(int rate)
{
    char text[500];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"
             "springs: [{between: [world, a], stiffness: 40, rest: 0}]\ntime: 2\n"
             "solver: {method: euler, step: 1 ms}\nrecord: {rate: %d, channels: [bodies.a.pos]}\n"
             "metrics: {report: [bodies.a.x.final]}\n",
             rate);
    must_certify(text);
}

/// Checks that the band of x encloses the truth from each of its times to the next. @return how many times it has
static int check_band(ff_yaml *root, double *last_bar)
{
    ff_yaml *channels = ff_yaml_get(root, "channels");
    CHECK_TEXT(ff_yaml_string(channels->child, "name", "", &report), "bodies.a.pos");
    ff_yaml *low = ff_yaml_get(channels->child, "low")->child->child;
    ff_yaml *high = ff_yaml_get(channels->child, "high")->child->child;
    int count = 0;
    for (ff_yaml *t = ff_yaml_get(root, "time")->child; t; t = t->next, low = low->next, high = high->next) {
        double from, to, edge[2];
        CHECK(ff_yaml_as_number(t, &from, &report) && ff_yaml_as_number(low, &edge[0], &report) &&
              ff_yaml_as_number(high, &edge[1], &report));
        if (!t->next || !ff_yaml_as_number(t->next, &to, &report)) to = from;
        const int samples = count > 0 && to - from < 0.0099 ? 4 : 1; // inside of a bin, or the time itself
        for (int k = 0; k < samples; k++) {
            const double exact = 0.3 * cos((from + k * (to - from) / samples) * sqrt(40.0));
            if (!(edge[0] <= exact + 1e-7 && exact <= edge[1] + 1e-7)) // seven digits
                CHECK_FAIL("%g s: %.9g is not in %.9g .. %.9g", from, exact, edge[0], edge[1]);
        }
        *last_bar = 0.5 * (edge[1] - edge[0]);
        count++;
    }
    return count;
}

// Edges of a band enclose the truth: at each sample, where the bar of the last one is that of the metric; and in each
// of the 401 bins that 2001 samples are gathered in.
TEST(bands_enclose_the_truth)
{
    ff_arena arena = {0};
    double bar = 0.0;
    certify_spring(100);
    CHECK_INT(check_band(parse(ff_certifier_bands(certifier), &arena), &bar), 201);
    CHECK_NEAR(bar, number("bodies.a.x.final")->bar, 2e-7);
    ff_yaml *root = parse(ff_certificate_to_json(certificate), &arena);
    CHECK_TEXT(ff_yaml_string(root, "certainty", "", &report), "resolved");
    certify_spring(1000);
    CHECK_INT(check_band(parse(ff_certifier_bands(certifier), &arena), &bar), 401);
    ff_arena_clear(&arena);
    finish_all();
}
