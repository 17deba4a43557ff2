// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall run` from outside: files left behind, exit codes, overrides, Ctrl-C.
#include "check.h"
#include "program.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A pendulum of 1 kg at 1 m without friction, let go at 0.5 rad.
static const char robot[] =
    "<mujoco model=\"pendulum\"><worldbody><body name=\"rod\">\n"
    "<joint name=\"hinge\" axis=\"0 1 0\"/><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1e-3 1e-3 1e-3\"/>\n"
    "</body></worldbody></mujoco>\n";

static const char scene[] = "footfall: 1\n"
                            "robot: pendulum.xml\n"
                            "start: {joints: {hinge: 0.5}}\n"
                            "solver: {method: rk4, step: 1.0e-3}\n"
                            "time: 2\n"
                            "record: {rate: 100, channels: [q, energy], csv: true}\n";

static void needs_loaders(void)
{
    const char *version = footfall_version();
    if (!strstr(version, "libxml2") || !strstr(version, "libyaml") || !strstr(version, "HDF5"))
        SKIP("built without libxml2, libyaml or HDF5");
    write_file("pendulum.xml", robot);
}

static double number(const char *text, const char *key)
{
    double value = NAN;
    if (json_find_numbers(text, key, &value, 1) != 1) CHECK_FAIL("no number \"%s\" in %s", key, text);
    return value;
}

TEST(a_run_leaves_recording_and_summary)
{
    needs_loaders();
    outcome o = footfall("run", write_file("swing.yaml", scene));
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "finished");
    CHECK_SAYS(o.out, "out/swing/summary.json");
    const char *summary = read_file("out/swing/summary.json");
    CHECK(is_json(summary));
    CHECK_NEAR(number(summary, "time"), 2, 0);
    CHECK_INT(number(summary, "steps"), 2000);
    CHECK_INT(number(summary, "evaluations"), 8000);
    CHECK_SAYS(summary, "\"outcome\": \"finished\"");
    CHECK_SAYS(summary, "\"warnings\"");
    CHECK_SAYS(summary, "\"metrics\"");
    CHECK_SAYS(read_file("out/swing/run.csv"), "energy.total [J]");
    CHECK_SAYS(read_file("out/swing/run.h5") + 1, "HDF");
}

// The line below the profile counts what the method did: four evaluations a step of rk4, which knows no Newton; of
// implicit one a round where no round overshoots, as with a pendulum, and one at the start of steps that do not go on
// from the last: the first, and one after each sample of a task that may write.
TEST(the_profile_ends_with_the_work_of_the_method)
{
    needs_loaders();
    outcome o = footfall("run", write_file("swing.yaml", scene), "--profile");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "work     2000 steps of 0.001 to 0.001 s, 0 refused; 8000 evaluations\n");
    o = footfall("run", "swing.yaml", "--profile", "--set", "solver={method: implicit, accuracy: 1e-3}");
    CHECK_INT(o.code, 0);
    const char *line = strstr(o.out, "work ");
    long long steps = 0, refused = 0, evaluations = 0, rounds = 0, factorisations = 0;
    double shortest = 0.0, longest = 0.0;
    if (!line || sscanf(line,
                        "work %lld steps of %lf to %lf s, %lld refused; %lld evaluations; Newton's method: %lld "
                        "rounds, %lld factorisations",
                        &steps, &shortest, &longest, &refused, &evaluations, &rounds, &factorisations) != 7)
        CHECK_FAIL("no line of work in %s", o.out);
    CHECK(evaluations > rounds && evaluations <= rounds + steps);
    CHECK(rounds >= 2 * (steps + refused) && factorisations <= rounds);
    CHECK(shortest <= 2.0 / (double)steps && longest >= 2.0 / (double)steps);
    CHECK_INT(steps, number(read_file("out/swing/summary.json"), "steps"));
}

// A robot commanded to go backwards goes backwards, and the table says so.
TEST(the_table_of_walking_has_a_direction)
{
    needs_loaders();
    outcome o = footfall("run", FF_SOURCE_DIR "/experiments/anton-tripod.yaml", "--out", temporary("back"), "--time",
                         "1", "--set", "control.speed=-0.05", "--set", "expect=[]", "--set", "metrics={}");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, " m/s backwards, course ");
    CHECK_SAYS(o.out, "0.05 m/s backwards commanded, ");
}

// Before the first step, too, the table says what was commanded: an angle where it goes along no axis.
TEST(a_command_is_reported_before_it_is_followed)
{
    needs_loaders();
    outcome o = footfall("run", FF_SOURCE_DIR "/experiments/anton-tripod.yaml", "--out", temporary("begin"), "--time",
                         "0.02", "--set", "control.speed=0.05", "--set", "control.direction=-135 deg", "--set",
                         "expect=[]", "--set", "metrics={}");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "0.05 m/s at -135 deg commanded, ");
    CHECK_SAYS(o.out, "0.0 deg; no fall"); // of either sign
}

// Whatever a scene from elsewhere asks for, the command line decides.
TEST(scripts_get_permissions_from_the_command_line_alone)
{
    needs_loaders();
    if (!strstr(footfall_version(), "Lua")) SKIP("built without Lua");
    static char script[400];
    write_file("arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    snprintf(script, sizeof script, "os.execute('echo ran > %s')\nfunction cycle() end\n", temporary("trace"));
    write_file("s.lua", script);
    const char *file = write_file("asks.yaml", "footfall: 1\nrobot: arm.yaml\ncontrol: {lua: s.lua, allow: [os]}\n"
                                               "solver: {method: rk4, step: 1 ms}\ntime: 0.01\n");
    outcome o = footfall("check", file);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "asks.yaml:3:16: warning: the script was not started");
    CHECK_SAYS(footfall("experiments", "list", "--from", temporary("")).out, "asks");
    o = footfall("run", file);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "s.lua asks for os");
    CHECK_SAYS(o.err, "--allow os");
    CHECK_TEXT(read_file("out/asks/summary.json"), "");
    CHECK_INT(footfall("run", file, "--allow", "io").code, 2);
    CHECK_INT(footfall("run", file, "--allow", "everything").code, 1);
    o = footfall("run", file, "--set", "control.allow=[io, os]", "--allow", "io");
    CHECK_SAYS(o.err, "--allow io,os"); // not os alone, which would be refused for io
    CHECK_TEXT(read_file("trace"), "");
    o = footfall("run", file, "--allow", "io,os");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(read_file("trace"), "ran\n");
    remove(temporary("trace"));
    CHECK_INT(footfall("experiments", "run", "asks", "--from", temporary("")).code, 2);
    CHECK_TEXT(read_file("trace"), "");
    CHECK_INT(footfall("experiments", "run", "asks", "--from", temporary(""), "--allow", "os").code, 0);
    CHECK_TEXT(read_file("trace"), "ran\n");
    CHECK_INT(footfall("experiments", "run", "asks", "--from", temporary(""), "--allow", "all").code, 1);
}

// The robot is held and the run goes to its end, but the exit code does not report success.
TEST(a_script_that_fails_exits_3_and_is_reported_though_quiet)
{
    needs_loaders();
    if (!strstr(footfall_version(), "Lua")) SKIP("built without Lua");
    write_file("arm.yaml",
               "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n");
    write_file("dies.lua", "function cycle()\n  print('a note')\n  error('enough')\nend\n");
    const char *file = write_file("dies.yaml", "footfall: 1\nrobot: arm.yaml\ncontrol: {lua: dies.lua}\n"
                                               "solver: {method: rk4, step: 1 ms}\ntime: 0.01\n");
    outcome o = footfall("run", file, "--quiet");
    CHECK_INT(o.code, 3);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "dies.lua:3: error: the script failed at 0 s");
    CHECK(!strstr(o.err, "a note"));
    CHECK_SAYS(read_file("out/dies/summary.json"), "\"outcome\": \"failed: ");
    CHECK_NEAR(number(read_file("out/dies/summary.json"), "time"), 0.01, 1e-15);
    o = footfall("run", file);
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "a note");
}

TEST(quiet_leaves_warnings)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    outcome o = footfall("run", file, "--set", "solver.method=adaptive", "--quiet");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "warning: ");
}

TEST(options_and_overrides_rule)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    outcome o = footfall("run", file, "--time", "0.5", "--set", "solver.step=1e-2", "--set=record.rate=10", "--out",
                         temporary("deep/er/here"), "--quiet");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "");
    const char *summary = read_file("deep/er/here/summary.json");
    CHECK_NEAR(number(summary, "time"), 0.5, 0);
    CHECK_INT(number(summary, "steps"), 50);
}

// Of a pendulum that swings from 0.5 rad nothing is expected: the metrics are printed and kept all the same.
TEST(reported_metrics_are_printed_and_kept)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    outcome o = footfall("run", file, "--set", "metrics.report=[joints.hinge.max, bodies.rod.x.final]");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "  metric              got\n  joints.hinge.max    0.5\n  bodies.rod.x.final  0\n");
    CHECK_NEAR(number(read_file("out/swing/summary.json"), "bodies.rod.x.final"), 0, 0);
}

// The pendulum's file is gone when its image runs, and the recording is the same, byte for byte.
TEST(an_image_runs_without_the_files_it_was_made_from)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene), *out = temporary("swing.ffscene");
    outcome o = footfall("run", file, "--set", "start.joints.hinge=0.7", "--out", temporary("from-text"), "--quiet");
    CHECK_INT(o.code, 0);
    char *recording = strdup(read_file("from-text/run.csv"));
    CHECK_SAYS(recording, "energy.total [J]");
    o = footfall("image", file, "--set", "start.joints.hinge=0.7", "--out", out);
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK(remove(temporary("pendulum.xml")) == 0);
    CHECK_INT(footfall("run", file, "--quiet").code, 2);
    o = footfall("run", out, "--out", temporary("from-image"), "--quiet");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(read_file("from-image/run.csv"), recording);
    free(recording);
    o = footfall("image", file, "--out", file);
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "swing.yaml is there, and is no image of a scene: it would be lost");
    CHECK_TEXT(read_file("swing.yaml"), scene);
    o = footfall("image", write_file("robot.yaml", "footfall: 1\nbodies: {a: {}}\n"), "--out", temporary("no.ffscene"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "robot.yaml: error: this is no scene");
    o = footfall("image", temporary("swing.ffscene"), "--out", temporary("missing/x.ffscene"));
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "x.ffscene: error: cannot be written");
}

TEST(the_method_can_be_switched_with_a_remark)
{
    needs_loaders();
    outcome o = footfall("run", write_file("swing.yaml", scene), "--set", "solver.method=adaptive");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "warning: 'step' is not used");
    CHECK_SAYS(o.out, "by adaptive");
}

TEST(a_wrong_override_is_named)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    outcome o = footfall("run", file, "--set", "solver.stpe=1e-2");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "stpe");
    o = footfall("run", file, "--set", "nonsense");
    CHECK(o.code == 1 || o.code == 2);
    CHECK_SAYS(o.err, "nonsense");
    o = footfall("run", file, "--set", "solver.step=");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "path=value");
    CHECK_INT(footfall("run", file, "--time", "-1").code, 1);
    CHECK_INT(footfall("run", file, "--time", "0").code, 1);
    CHECK_INT(footfall("run", file, "--time", "nan").code, 1);
    o = footfall("run", file, "--time", "1e9");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "error:");
}

TEST(a_missed_expectation_exits_4)
{
    needs_loaders();
    char text[2048];
    snprintf(text, sizeof text, "%s%s", scene, "expect:\n  - {metric: time, is: 2, within: 1e-9}\n");
    outcome o = footfall("run", write_file("right.yaml", text));
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "met");
    snprintf(text, sizeof text, "%s%s", scene, "expect:\n  - {metric: time, at_least: 3}\n");
    o = footfall("run", write_file("wrong.yaml", text));
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "MISSED");
}

TEST(a_diverging_run_exits_3_and_keeps_its_files)
{
    needs_loaders();
    // A spring of 1e9 N m/rad has a period of 0.2 ms: an explicit step of 10 ms must fail.
    write_file("stiff.xml",
               "<mujoco><worldbody><body name=\"rod\"><joint name=\"hinge\" axis=\"0 1 0\" stiffness=\"1e9\"/>\n"
               "<inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1e-3 1e-3 1e-3\"/></body></worldbody></mujoco>\n");
    outcome o =
        footfall("run", write_file("stiff.yaml", "footfall: 1\nrobot: stiff.xml\nstart: {joints: {hinge: 0.5}}\n"
                                                 "solver: {method: rk4, step: 1.0e-2}\ntime: 2\n"
                                                 "record: {rate: 100, channels: [q], csv: true}\n"));
    CHECK_INT(o.code, 3);
    const char *error = strstr(o.err, "error: diverged"), *balance = strstr(o.err, "warning: the balance of energy");
    CHECK(error && balance && error < balance); // the cause before what follows from it
    const char *summary = read_file("out/stiff/summary.json");
    CHECK(is_json(summary));
    CHECK_SAYS(summary, "diverged");
    CHECK_SAYS(read_file("out/stiff/run.csv"), "\n0,0.5");
}

TEST(an_interrupt_stops_cleanly_and_keeps_the_recording)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    const char *const words[] = {"run", file, "--time", "30", "--realtime", "--out", temporary("stopped"), NULL};
    outcome o = footfall_interrupted(words, "stopped/run.csv", "\n0,", SIGINT);
    CHECK_INT(o.code, 3);
    CHECK_BELOW(o.seconds, 5);
    const char *summary = read_file("stopped/summary.json");
    CHECK(is_json(summary));
    CHECK_SAYS(summary, "interrupted");
    CHECK_BELOW(number(summary, "time"), o.wall); // real time
    CHECK_SAYS(read_file("stopped/run.csv"), "\n0,0.5");
}

// As Ctrl-C: a request to end, and a terminal that goes away.
TEST(requests_to_end_stop_cleanly)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    static const int signals[] = {SIGTERM, SIGHUP};
    for (int i = 0; i < 2; i++) {
        const char *const words[] = {"run", file, "--time", "30", "--realtime", "--out", temporary("asked"), NULL};
        CHECK_INT(footfall_interrupted(words, "asked/run.csv", "\n0,", signals[i]).code, 3);
        CHECK_SAYS(read_file("asked/summary.json"), "interrupted");
        CHECK_SAYS(footfall("plot", temporary("asked")).err, "the run did not come to its end: it was stopped");
    }
}

// In real time rows are seconds: what was simulated 1 s before the kill is there, and no summary of the run before.
// Rows of 2 s in the text come with the third save, 2.4 s after the start. On a busy machine saves or the kill may come
// late: then it is done again.
TEST(a_kill_costs_the_last_second_at_most)
{
    needs_loaders();
    double last = 0.0; // [s]
    outcome o;
    for (int i = 0; i < 5 && !(last > 1.0 && last < 3.0); i++) {
        const char *file = write_file("swing.yaml", scene);
        const char *const words[] = {"run", file, "--time", "30", "--realtime", "--out", temporary("killed"), NULL};
        CHECK_INT(footfall("run", file, "--out", temporary("killed")).code, 0);
        CHECK_INT(footfall_interrupted(words, "killed/run.csv", "\n2,", SIGKILL).code, 1000 + SIGKILL);
        CHECK_TEXT(read_file("killed/summary.json"), "");
        o = footfall("plot", temporary("killed"));
        CHECK_INT(o.code, 0);
        CHECK_SAYS(o.out, "energy.total");
        CHECK_SAYS(o.err, "the run did not end");
        const char *found = strstr(o.err, "up to ");
        CHECK(found && sscanf(found, "up to %lf", &last) == 1);
    }
    CHECK(last > 1.0 && last < 3.0);
    o = footfall("report", temporary("killed"));
    if (strstr(o.err, "no report page")) return;
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "the run did not end");
    CHECK_SAYS(read_file("killed/report.html"), "interrupted: the recording ends at");
}

// A limit on the size of files refuses as a full disk does. A row a step fills it soon.
TEST(a_full_disk_stops_the_run_and_exits_3)
{
    needs_loaders();
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t most = 20000; most < 200000; most += 60000) { // [byte]
        const char *file = write_file("swing.yaml", scene);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max});
        outcome o = footfall("run", file, "--time", "100", "--set", "record.csv=false", "--set", "record.rate=1000",
                             "--out", temporary("full"));
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_INT(o.code, 3);
        CHECK_SAYS(o.err, "full/run.h5: cannot write: File too large");
        CHECK_SAYS(o.out, " more could not be written");
        const char *found = strstr(o.out, "full/run.h5 "); // "NAME  ROWS rows of .."
        const long long rows = atoll(found + strcspn(found, " "));
        CHECK_SAYS(read_file("full/summary.json"), "cannot write");
        o = footfall("plot", temporary("full"));
        CHECK_INT(o.code, 0);
        CHECK_SAYS(o.err, "the run did not end");
        const char *kept = strstr(o.err, "write on; ");
        CHECK_INT(rows, kept ? atoll(kept + 10) : 0);
    }
}

// From the first byte on: what HDF5 could not finish is no recording.
TEST(a_disk_that_was_full_before_the_run_exits_3_and_leaves_no_part_of_a_recording)
{
    needs_loaders();
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t most = 512; most <= 4096; most *= 8) { // [byte]
        const char *file = write_file("swing.yaml", scene);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max});
        outcome o = footfall("run", file, "--out", temporary("fullest"));
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_INT(o.code, 3);
        CHECK_SAYS(o.err, "fullest/run.h5: cannot write: File too large");
        CHECK_TEXT(read_file("fullest/run.h5"), "");
        CHECK(access(temporary("fullest/run.h5"), F_OK) != 0);
    }
}

// Results that nobody could read are none, of whatever command.
TEST(what_cannot_be_written_exits_3)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    char line[1024];
    snprintf(line, sizeof line, FF_PROGRAM " info %s > /dev/full 2> /dev/null", temporary("pendulum.xml"));
    CHECK_INT(WEXITSTATUS(system(line)), 3);
    CHECK_INT(footfall("image", file, "--out", temporary("missing/swing.ffscene")).code, 3);
    CHECK_INT(footfall("run", file, "--out", temporary("reported"), "--quiet").code, 0);
    CHECK_INT(footfall("report", temporary("reported"), "-o", temporary("missing/page.html")).code,
              strstr(footfall_version(), "reports") ? 3 : 2);
    CHECK_SAYS(footfall("help").out, "output could not be written");
}

// The run ends, and there is no room for its report.
TEST(a_disk_too_full_for_the_report_exits_3)
{
    needs_loaders();
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const char *file = write_file("swing.yaml", scene);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){200000, before.rlim_max}); // a report has some 800 kB
    outcome o = footfall("run", file, "--time", "0.1", "--report", "--out", temporary("fuller"));
    setrlimit(RLIMIT_FSIZE, &before);
    if (strstr(o.err, "no report page")) return;
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "fuller/report.html");
}

// The first step of a pile without compliance takes minutes, and no step before it says so.
TEST(a_step_that_would_take_for_ever_is_reported_while_it_lasts)
{
    needs_loaders();
    if (CHECK_LASTS(0, 1)) SKIP("5 s of a step for a line of text");
    const char *file = write_file("pile.yaml", "footfall: 1\nterrain: [{plane: {}}]\ntime: 0.02\n"
                                               "contacts: {response: propagation}\n"
                                               "objects: [{name: b, sphere: 0.05, density: 1000, pos: [0, 0, 0.05],\n"
                                               "  count: [10, 10, 10], spacing: [0.1, 0.1, 0.1]}]\n");
    const char *const words[] = {"run", file, "--quiet", NULL};
    CHECK_INT(footfall_interrupted(words, "stderr", "a step takes more than 5 s", SIGTERM).code, 3);
}

// A ball on the floor under 1e11 g: steps of some 100 ns. The pace is evaluated after 5 s of processor time.
TEST(a_run_that_would_take_for_ever_says_why)
{
    needs_loaders();
    if (CHECK_LASTS(0, 1)) SKIP("5 s of steps for a line of text");
    const char *file =
        write_file("heavy.yaml", "footfall: 1\ngravity: [0, 0, -1e12]\nterrain: [{plane: {}}]\ntime: 100\n"
                                 "objects: [{name: ball, sphere: 0.1, mass: 1, pos: [0, 0, 1]}]\n");
    const char *const words[] = {"run", file, "--set", "solver.method=adaptive", "--quiet", NULL};
    outcome o = footfall_interrupted(words, "stderr", "too stiff", SIGTERM);
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "at this pace it needs ");
    CHECK_SAYS(o.err, "too fast or is too stiff");
}

TEST(a_robot_alone_runs_with_defaults)
{
    needs_loaders();
    outcome o = footfall("run", temporary("pendulum.xml"), "--time", "0.1", "--set", "solver.method=rk2");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_INT(number(read_file("out/pendulum/summary.json"), "evaluations"), 200);
    CHECK_SAYS(read_file("out/pendulum/summary.json"), "\"method\": \"rk2\"");
}

TEST(a_robot_with_legs_is_reported_how_it_walks)
{
    needs_loaders();
    outcome o = footfall("run", FF_SOURCE_DIR "/experiments/anton-march.yaml", "--set", "time=2", "--set", "expect=[]");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "no fall");
    CHECK_SAYS(o.out, "feet carry");
    CHECK_SAYS(o.out, "\n    RR ");
}

TEST(a_scene_given_as_a_robot_is_reported_apart)
{
    needs_loaders();
    outcome o = footfall("eval", write_file("swing.yaml", scene));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "this is a scene");
}

TEST(check_reads_scenes_too)
{
    needs_loaders();
    outcome o = footfall("check", write_file("swing.yaml", scene));
    CHECK_TEXT(o.out, "");
    CHECK_INT(o.code, 0);
    o = footfall("check",
                 write_file("bad-scene.yaml", "footfall: 1\nrobot: pendulum.xml\nsolver: {method: magic}\ntime: -1\n"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "bad-scene.yaml:3:");
    CHECK_SAYS(o.out, "magic");
    CHECK_SAYS(o.out, "bad-scene.yaml:4:");
    o = footfall("check", write_file("lost.yaml", "footfall: 1\nrobot: nowhere.xml\n"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "nowhere.xml");
}

TEST(a_folder_that_cannot_be_is_refused)
{
    needs_loaders();
    const char *file = write_file("swing.yaml", scene);
    outcome o = footfall("run", file, "--out", file);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "not a folder");
    CHECK_INT(footfall("run", file, "--out", "/proc/nowhere").code, 3);
    o = footfall("run", file, "--set", "record.channels=[sound]");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "\"sound\"");
}
