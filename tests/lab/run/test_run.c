// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of one scene: independent of each other, also at the same time; options that differ from the scene; every
// mistake that only the assembly can find, at once and with its place; runs that blew up though all numbers are finite.
#include "scene/scene_helpers.h"

#include <pthread.h>

/// Springs, forces, drives, sensors, a bus, a stuck sensor, a controller with memory: all that a run keeps apart from
/// its scene.
#define EVERYTHING                                                                                                     \
    "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"                  \
    "terrain: [{plane: {material: lab-floor}}]\neffects: {drives: full, sensors: real, bus: modelled}\n"               \
    "control: {gait: tripod, speed: 0.05}\nsolver: {method: implicit, step: 1 ms}\ntime: 0.3\n"                        \
    "forces: [{body: middle, force: [5, 0, 0], from: 0.1, to: 0.2}]\n"                                                 \
    "springs: [{between: [middle, world], stiffness: 10, damping: 1}]\n"                                               \
    "faults: [{sensor: pot_FL_tibia, from: 0.1, to: 0.2, kind: stuck}]\n"                                              \
    "record: {rate: 100, channels: [com.pos, walk]}\n"                                                                 \
    "expect: [{metric: com.z, at_least: 0}, {metric: drives.FL_tibia.current.max, at_least: 0}]\n"

typedef struct outcome {
    uint64_t hash;
    double got[2];
    bool passed;
} outcome;

static outcome result_of(const ff_run *one)
{
    const ff_result *r = ff_run_result(one);
    return (outcome){ff_sim_hash(ff_run_sim(one)), {r->expectations[0].got, r->expectations[1].got}, r->passed};
}

static void check_same(outcome a, outcome b)
{
    CHECK(a.hash == b.hash && a.passed == b.passed);
    CHECK(memcmp(a.got, b.got, sizeof a.got) == 0);
}

/// One thread makes a run of the scene they share and runs it.
static void *create_and_go(void *out)
{
    ff_report found = {0};
    ff_run *mine = ff_run_create(scene, NULL, &found);
    if (mine && ff_run_go(mine, NULL) == FF_OK) *(outcome *)out = result_of(mine);
    ff_run_destroy(mine);
    ff_report_clear(&found);
    return NULL;
}

TEST(runs_of_one_scene_are_independent)
{
    must_run(EVERYTHING);
    const outcome alone = result_of(run);
    CHECK(alone.passed);
    CHECK(isnan(scene->expectations[0].got)); // the scene knows nothing of it
    // two at a time, in turns of a hundredth of a second
    ff_run *both[2] = {ff_run_create(scene, NULL, &report), ff_run_create(scene, NULL, &report)};
    CHECK(both[0] && both[1]);
    for (int i = 1; i < 30; i++)
        for (int k = 0; k < 2; k++) CHECK_INT(ff_sim_run(ff_run_sim(both[k]), 0.01 * i, NULL), FF_OK);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(ff_run_go(both[k], NULL), FF_OK);
        check_same(result_of(both[k]), alone);
        ff_run_destroy(both[k]);
    }
    check_same(result_of(run), alone);
    finish();
}

TEST(threads_share_a_scene)
{
    enum { THREADS = 2 };
    pthread_t threads[THREADS];
    outcome out[THREADS] = {0};
    must_run(EVERYTHING);
    const outcome alone = result_of(run);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, create_and_go, &out[i]) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) check_same(out[i], alone);
    finish();
}

// The first run that a climb of a scene is made for plans it; all others take that plan.
TEST(threads_share_a_plan_to_climb)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    outcome out[THREADS] = {0};
    must_load("robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
              "terrain: [{plane: {}}, {box: {size: [1.6, 1.2, 0.15], pos: [1.2, 0, 0.075]}}]\n"
              "control: {climb: {height: 0.15, distance: 0.4}}\ntime: 0.05\n"
              "expect: [{metric: com.z, at_least: 0}, {metric: control.progress.final, at_least: 0}]\n");
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, create_and_go, &out[i]) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK(out[0].passed);
    for (int i = 1; i < THREADS; i++) check_same(out[i], out[0]);
    finish();
}

#define BALL "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 5]}]\n"

// A ball falls by g t^2 / 2, wherever it starts and however long.
TEST(a_run_can_differ_from_its_scene)
{
    static const char *const channels[] = {"com.pos", "?nothing.of.the.kind"};
    must_load(BALL "solver: {method: rk4, step: 1 ms}\ntime: 9\nrecord: {rate: 10, channels: [energy]}\n");
    double q[7] = {0, 0, 8, 1, 0, 0, 0};
    ff_run_options options = ff_run_options_default(scene);
    options.time = 0.5;
    options.q = q;
    options.record.channels = channels;
    options.record.nchannel = 2;
    CHECK(begin_with(&options));
    q[2] = NAN; // copied
    must_go();
    CHECK_NEAR(metric("com.z"), 8.0 - 9.81 * 0.25 / 2, 1e-9);
    CHECK(ff_recorder_find(ff_run_recorder(run), "com.pos", NULL) > 0);
    CHECK_INT(ff_recorder_find(ff_run_recorder(run), "energy.total", NULL), -1);
    CHECK_NEAR(ff_run_get_options(run)->time, 0.5, 0.0);
    CHECK_NEAR(scene->time, 9.0, 0.0);
    CHECK_NEAR(scene->q[2], 5.0, 0.0);
    CHECK(begin_with(NULL)); // as the scene says
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[2], 5.0, 0.0);
    options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    CHECK(begin_with(&options) && !ff_run_recorder(run));
    finish();
}

/// Does the report say that at "line:column"?
static void must_say(const char *at, const char *what)
{
    for (int i = 0; i < report.count; i++)
        if (strstr(message(i), at) && strstr(message(i), what)) return;
    CHECK_FAIL("nothing like '%s' at %s; first of %d: %s", what, at, report.count, message(0));
}

// Two channels that do not exist, a signal that no controller has and two robots that cannot settle: one look finds
// all.
TEST(an_assembly_reports_every_mistake_at_once)
{
    write_file("hop.yaml", "footfall: 1\nname: hop\nbodies: {hop: {joint: {name: root, type: free}, shapes: [{sphere: "
                           "0.1}], inertial: {mass: 2, sphere: 0.1}}}\n");
    CHECK(!load("robots:\n"
                "  - {file: hop.yaml, name: a, place: {pos: [0, 0, 0.1], settle: true}}\n"
                "  - {file: hop.yaml, name: b, place: {pos: [0, 0, 90], settle: true}}\n"
                "terrain: [{plane: {}}]\n"
                "record: {channels: [energy, wings, q, tail]}\n"));
    CHECK(scene); // the file itself can be read
    must_say(":6:29: error", "wings");
    must_say(":6:39: error", "tail");
    must_say(":3:", "robot 'a' cannot settle");
    must_say(":4:", "robot 'b' cannot settle");
    CHECK_INT(report.errors, 4);
    finish();
}

// ------------------------------------------------------------------------------------------ energy from nowhere

/// A ball of 30 g, dropped by 1 cm onto a spring of so many N/m.
#define HARD(stiffness, solver)                                                                                        \
    "materials: {hard: {normal: {law: linear, stiffness: " stiffness "}, friction: {mu: 0.3}}}\n"                      \
    "objects: [{name: ball, sphere: 0.01, mass: 0.03, pos: [0, 0, 0.02], material: hard}]\n"                           \
    "terrain: [{plane: {material: rigid}}]\ntime: 0.5\nexpect: [{metric: time, at_least: 0.1}]\nsolver: " solver "\n"

// Semi-implicit Euler gains energy at every touch-down that a step does not resolve; all numbers stay finite.
TEST(a_run_whose_energy_came_from_nowhere_has_diverged)
{
    ff_error err = {0};
    must_load(HARD("1e12", "{method: euler}"));
    CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
    CHECK_SAYS(err.text, "energy came from nowhere: by 0.5 s the error of the integration has made");
    CHECK_SAYS(err.text, "shorten the step of 0.001 s, or use implicit");
    CHECK(!ff_run_result(run)->passed);
    CHECK_NEAR(metric("time"), 0.5, 0); // measured all the same

    // 0.34 J of 6 mJ
    must_load(HARD("1e9", "{method: euler, step: 2e-5}"));
    CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
    must_run(HARD("1e10", "{method: implicit}"));
    CHECK(ff_run_result(run)->passed);
    must_run(HARD("1e5", "{method: euler, step: 2e-5}"));
    finish();
}

// Advice names a method that the response takes: implicit has no impulses. A swing of 2001 rad/s grows by 1.065 in each
// step of 1 ms; one with a damper of 1e5 N m s/rad on 0.01 kg m^2 is beyond all numbers soon.
TEST(advice_to_a_run_that_diverged_fits_the_response)
{
    static const char *const responses[] = {"force", "propagation", "simultaneous"},
                             *const spring[] = {"or use implicit", "or use adaptive", "or use adaptive"},
                             *const damper[] = {"shorten it, or use implicit or cvode", "shorten it, or use cvode",
                                                "shorten it, or use cvode"};
    write_file("swing.yaml",
               "footfall: 1\nname: swing\nbodies:\n  arm: {inertial: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
               "    joint: {name: hinge, type: hinge, axis: [0, 1, 0], damping: 1e5},\n"
               "    shapes: [{name: tip, sphere: 0.1}]}\n");
    for (int i = 0; i < 3; i++) {
        char text[600];
        ff_error err = {0};
        snprintf(text, sizeof text,
                 "terrain: [{plane: }]\ntime: 0.1\ncontacts: {response: %s}\nsolver: {method: euler, step: 1e-3}\n"
                 "objects: [{name: ball, sphere: 0.1, mass: 1, pos: [0.01, 0, 1], velocity: [0.1, 0, 0]}]\n"
                 "springs: [{between: [world, ball], at: [[0, 0, 1], [0, 0, 0]], stiffness: [4.004001e6, 0, 0]}]\n",
                 responses[i]);
        must_load(text);
        CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
        CHECK_SAYS(err.text, "energy came from nowhere");
        CHECK_SAYS(err.text, spring[i]);
        snprintf(text, sizeof text,
                 "robot: swing.yaml\nterrain: [{plane: }]\ntime: 1\ncontacts: {response: %s}\n"
                 "start: {speeds: {hinge: 1}}\nsolver: {method: euler, step: 1e-3}\n",
                 responses[i]);
        must_load(text);
        CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
        CHECK_SAYS(err.text, damper[i]);
    }
    finish();
}

// A damper eats what an explicit step makes, for the greater part before it becomes motion: 6 mJ were there, and 0.13 J
// became heat. With rk4 most of 1.8e5 J is heat at the end.
TEST(energy_from_nowhere_that_became_heat_counts_as_well)
{
#define DAMPED(stiffness, damping, solver)                                                                             \
    "materials: {hard: {normal: {law: kelvin-voigt, stiffness: " stiffness ", damping: " damping "},\n"                \
    "  friction: {mu: 0.5}}}\n"                                                                                        \
    "objects: [{name: ball, sphere: 0.01, mass: 0.03, pos: [0, 0, 0.02], material: hard}]\n"                           \
    "terrain: [{plane: {material: rigid}}]\ntime: 0.5\nsolver: " solver "\n"
    ff_error err = {0};
    must_load(DAMPED("1e5", "1e3", "{method: euler, step: 1e-4}"));
    CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
    CHECK_SAYS(err.text, "energy came from nowhere");
    CHECK_NEAR(metric("ledger.available"), 0.03 * 9.81 * 0.01, 0.03 * 9.81 * 0.003); // 1 cm, and 3 mm into the ground
    must_load(DAMPED("1e9", "1e3", "{method: rk4, step: 1e-3}"));
    CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
    must_run(DAMPED("1e5", "10", "{method: euler, step: 1e-4}"));
    CHECK_BELOW(metric("ledger.residual"), 0.05 * metric("ledger.available"));
    finish();
#undef DAMPED
}

// What motion has is no heat that never was in one: euler throws a point off ground of 1e12 N/m with 1e9 J.
TEST(no_warning_speaks_of_heat_alone_where_the_motion_blew_up)
{
    ff_error err = {0};
    must_load("materials: {it: {normal: {law: hunt-crossley, stiffness: 1e12, damping: 0}, friction: {law: none}}}\n"
              "objects: [{name: b, point: true, mass: 1, pos: [0, 0, 0.0003], material: it}]\n"
              "terrain: [{plane: {material: rigid}}]\ntime: 0.5\nsolver: {method: euler, step: 1e-3}\n");
    CHECK_INT(ff_run_go(run, &err), FF_DIVERGED);
    CHECK(metric("ledger.kinetic.max") > metric("ledger.available"));
    ff_run_report_limits(run, &report);
    must_say("warning: the balance of energy gained", "the steps are too coarse");
    for (int i = 0; i < report.count; i++) CHECK(!strstr(message(i), "No motion had so much"));
    finish();
}

// A velocity that hardly moves anything turns stiff dry friction round. Newton's iteration once ended before that: the
// block chattered, and of 6 mJ it made 0.3 J of heat at 1e-3. With 0.11 m/s it stands after a few steps: the mean of
// the powers at the ends of the last one was 11 % too much at 1e-2.
// So it is along a tendon: a sum of joints that moves twice as fast, or a string that winds up.
TEST(stiff_dry_friction_heats_by_what_there_was)
{
    static const char *const accuracies[] = {"1e-2", "1e-3", "1e-4"};
    static const double speeds[] = {1.0, 0.11}, widths[] = {1e-5, 1e-3};
    static const struct {
        const char *tendon; // NULL: the joint
        double level, faster;
    } places[] = {{NULL, 20.0, 1.0}, {"joints: {rail: 2}", 10.0, 2.0}, {"path: [winch, hook]", 20.0, 1.0}};
    for (int k = 0; k < 3 * 2 * 2 * 3; k++) {
        const int i = k % 3, width = k / 3 % 2, speed = k / 6 % 2, place = k / 12;
        char dry[64], text[700];
        snprintf(dry, sizeof dry, "dry_friction: {level: %g, speed: %g}", places[place].level,
                 places[place].faster * widths[width]);
        const char *tendon = places[place].tendon;
        snprintf(text, sizeof text,
                 "footfall: 1\nname: rail\nbodies:\n"
                 "  block: {inertial: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
                 "    joint: {name: rail, type: slide, axis: x%s%s}, frames: {hook: {}}}\n"
                 "frames: {winch: {pos: [-1, 0, 0]}}\n%s%s%s%s%s",
                 tendon ? "" : ", ", tendon ? "" : dry, tendon ? "tendons: {it: {" : "", tendon ? tendon : "",
                 tendon ? ", " : "", tendon ? dry : "", tendon ? "}}\n" : "");
        write_file("rail.yaml", text);
        snprintf(text, sizeof text,
                 "robot: rail.yaml\nstart: {speeds: {rail: %g}}\ntime: 2\nsolver: {method: implicit, accuracy: %s}\n",
                 speeds[speed], accuracies[i]);
        must_run(text);
        const double had = 0.5 * speeds[speed] * speeds[speed];
        CHECK_NEAR(metric("ledger.lost.joints"), had, 0.01 * had);
    }
    finish();
}

// On a floor that steps of 10 ms do not resolve, a motor of 20 N m brakes a wheel of 1 kg m^2 on a heavy body. At 0.01
// rad/s it stands after 0.5 ms; the mean of the powers at the ends of that step was 20 times the 0.05 mJ there were.
TEST(a_motor_that_stops_early_in_a_step_on_hard_ground_heats_by_what_there_was)
{
    write_file(
        "cart.yaml",
        "footfall: 1\nname: cart\nbodies:\n"
        "  block: {joint: free, shapes: [{box: [0.2, 0.2, 0.1]}], inertial: {mass: 5, inertia: [200, 200, 200, 0, "
        "0, 0]},\n    bodies: {wheel: {inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, joint: {name: axle, axis: "
        "z, drive:\n    {kind: dc, gear: 10, motor: {constant: 1e-5, resistance: 1, voltage: 24, dry: 2, "
        "dry_speed: 1e-2}}}}}}\n");
    static const double speeds[] = {0.01, 0.05, 1.0};
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "robot: cart.yaml\nplace: {pos: [0, 0, 0.0499]}\nterrain: [{plane: {}}]\nstart: {speeds: {axle: "
                 "%g}}\ntime: 0.06\neffects: {drives: full, transmission: rigid}\n"
                 "solver: {method: implicit, step: 1e-2}\n",
                 speeds[k]);
        must_run(text);
        const double had = 0.5 * speeds[k] * speeds[k];
        const double heat = metric("ledger.lost.parts"); // steps that are longer take a part by themselves
        CHECK(heat > 0.1 * had && heat < 1.02 * had);
    }
    finish();
}

/// A hook at the height z slides at 1 m/s towards a knob of radius 0.1 m, around which its cord runs to a winch.
static void run_cord(double z)
{
    char text[600];
    snprintf(text, sizeof text,
             "footfall: 1\nname: rail\nframes: {winch: {pos: [-0.3, 0, 0]}}\n"
             "shapes: [{name: knob, sphere: 0.1, role: visual}]\nbodies:\n"
             "  block: {inertial: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
             "    joint: {name: rail, type: slide, axis: x}, frames: {hook: {pos: [0.3, 0, %g]}}}\n"
             "tendons: {cord: {path: [winch, {around: knob}, hook]}}\n",
             z);
    write_file("rail.yaml", text);
    must_run("robot: rail.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {rail: -1}}\ntime: 0.4\n"
             "solver: {method: rk4, step: 1e-4}\n");
    report.count = 0;
    ff_run_report_limits(run, &report);
}

// At the surface the cord is a tangent of sqrt(0.3^2 - 0.1^2) m and the arc from there, at the angle acos(1/3) from the
// winch, to the hook; behind it, it is straight.
TEST(a_string_whose_end_enters_its_shape_is_named_with_time_and_jump)
{
    const double x = sqrt(0.1 * 0.1 - 0.02 * 0.02), arc = 0.1 * (acos(-1.0) - acos(1.0 / 3.0) - asin(0.2));
    const double jump = hypot(x + 0.3, 0.02) - (sqrt(0.3 * 0.3 - 0.1 * 0.1) + arc);
    run_cord(0.02);
    must_say("rail.yaml:8:11: warning: tendon 'cord' jumps by", "its point 'hook' went through the surface of 'knob'");
    double said = 0.0, at = 0.0;
    const char *numbers = strstr(message(report.count - 1), "jumps by");
    CHECK(numbers && sscanf(numbers, "jumps by %lf mm at %lf s", &said, &at) == 2);
    CHECK_NEAR(1e-3 * said, jump, 1e-4); // a step is 0.1 mm
    CHECK_NEAR(at, 0.3 - x, 1.5e-4);
    run_cord(0.12); // it leaves the knob and passes above it
    for (int i = 0; i < report.count; i++) CHECK(!strstr(message(i), "jumps"));
    ff_error err = {0}; // by hand back to where it was: no motion, so nothing jumped
    CHECK(ff_run_put_joint(run, 0, "rail", 0.0, &err) == FF_OK && ff_sim_run(ff_run_sim(run), 0.42, &err) == FF_OK);
    CHECK(fabs(ff_sim_q(ff_run_sim(run))[0]) < 0.03);
    report.count = 0;
    ff_run_report_limits(run, &report);
    for (int i = 0; i < report.count; i++) CHECK(!strstr(message(i), "jumps"));
    finish();
}

// A hook 0.3 m from the axis turns around a drum of 0.05 m, and its cord is held to one side: neither end comes near
// the drum, and still the cord has to leave it when it was turned too far.
TEST(a_string_that_is_turned_too_far_gets_no_warning_of_an_end_that_enters)
{
    write_file("crank.yaml",
               "footfall: 1\nname: crank\nframes: {winch: {pos: [-0.3, 0, 0]}, above: {pos: [0, 0, 0.2]}}\n"
               "shapes: [{name: drum, cylinder: {radius: 0.05, length: 0.2}, rpy: [90 deg, 0, 0], role: visual}]\n"
               "bodies:\n  arm: {inertial: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
               "    joint: {name: turn, type: hinge, axis: y}, frames: {hook: {pos: [0.3, 0, 0]}}}\n"
               "tendons: {cord: {path: [winch, {around: drum, side: above}, hook]}}\n");
    must_run("robot: crank.yaml\ngravity: [0, 0, 0]\nstart: {speeds: {turn: 12}}\ntime: 0.6\n"
             "solver: {method: rk4, step: 1e-3}\n");
    report.count = 0;
    ff_run_report_limits(run, &report);
    must_say("tendon 'cord' jumps by", "its way around a shape changes there");
    for (int i = 0; i < report.count; i++) CHECK(!strstr(message(i), "went through"));
    finish();
}

// A block stops by dry friction of 20 N, which changes its side within 10 um/s. Each step of 1 ms then throws it from
// 10 mm/s to the other side: it stands where it should, with 70 times the heat of the 6 mJ there were.
TEST(heat_that_never_was_is_a_warning_where_the_motion_had_no_more_than_there_was)
{
    write_file("rail.yaml", "footfall: 1\nname: rail\nbodies:\n"
                            "  block: {inertial: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]},\n"
                            "    joint: {name: rail, type: slide, axis: x, dry_friction: {level: 20, speed: 1e-5}}}\n");
    must_run("robot: rail.yaml\nstart: {speeds: {rail: 0.11}}\ntime: 2\nsolver: {method: euler, step: 1e-3}\n");
    CHECK_NEAR(ff_sim_q(ff_run_sim(run))[0], 0.11 * 0.11 / 40.0, 0.11e-3); // [m] v^2 / (2 f/m), a step
    CHECK_NEAR(metric("ledger.available"), 6.05e-3, 1e-9);
    CHECK_NEAR(metric("ledger.kinetic.max"), 6.05e-3, 1e-9);
    CHECK(metric("ledger.residual") > 10.0 * metric("ledger.available"));
    ff_run_report_limits(run, &report);
    must_say("warning: the balance of energy gained", "take no heat from this run");
    finish();
}

// Links of 20 g swing against stops of 1000 N m/rad, which halt them within microseconds. All that they have becomes
// heat of the stops, none of it comes back as a bounce, and none from nowhere: it once was 5000 times as much.
TEST(light_links_that_meet_their_stops_lose_what_they_had)
{
    static const char *const solvers[] = {"{method: implicit}", "{method: implicit, accuracy: 1e-5}",
                                          "{method: implicit, step: 1e-3}"};
    for (int links = 1; links <= 3; links += 2)
        for (int i = 0; i < 3; i++) {
            char text[1500] = "footfall: 1\nbodies:\n";
            for (int k = 0; k < links; k++)
                snprintf(text + strlen(text), sizeof text - strlen(text),
                         "  l%d: {%s%.*s joint: {name: j%d, axis: y, range: [-0.3, 1.2]},\n"
                         "    inertial: {mass: 0.02, sphere: 0.006, pos: [0.01, 0, 0]}}\n",
                         k, k > 0 ? "pos: [0.02, 0, 0], parent: l" : "", k > 0 ? 2 : 0, k == 2 ? "1," : "0,", k);
            write_file("links.yaml", text);
            snprintf(text, sizeof text, "robot: links.yaml\ntime: 2\nsolver: %s\n", solvers[i]);
            must_run(text);
            const double had = metric("ledger.available");
            CHECK(had > 0.9 * 0.02 * 9.81 * 0.01 * links * links); // [J] it hangs by 1.2 rad
            // one link alone loses all at once; three rattle, and steps at their stops are of first order
            const double close = links == 1 && i < 2 ? 0.02 : links == 1 ? 0.1 : 0.25;
            CHECK_NEAR(metric("ledger.lost.joints"), had, close * had);
            CHECK_BELOW(fabs(metric("ledger.residual")), close * had);
        }
    finish();
}

TEST(what_hardly_moves_is_not_accused_of_energy)
{
    // a spring at rest, without gravity: what is left of its energy is rounding
    must_run("objects: [{name: ball, sphere: 0.1, mass: 1}]\ngravity: [0, 0, 0]\nsolver: {method: euler}\n");
    // explicit steps gain energy, too, but no more than there is: an oscillation that grows by a seventh
    must_run("objects: [{name: ball, sphere: 0.1, mass: 1, pos: [0.1, 0, 0]}]\ngravity: [0, 0, 0]\ntime: 2\n"
             "springs: [{between: [ball, world], stiffness: [100, 0, 0], rest: [0, 0, 0]}]\n"
             "solver: {method: rk2, step: 30 ms}\n");
    CHECK(metric("ledger.residual") > 0.0);
    finish();
}
