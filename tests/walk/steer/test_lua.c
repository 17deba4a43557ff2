// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in Lua: what they see and say, that bad ones are told with file and line and end in a safe hold, that
// bounds of time and memory hold, that a run is the same every time and can be saved in the middle.
#include "scene/running.h"
#include "scene/scene_helpers.h"

#include <footfall/text.h>

/// A rod of inertia 1 kg m^2 about a vertical axis with a direct drive and two sensors.
static void write_rod(const char *script)
{
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
               "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000},\n"
               "  tacho: {type: tachometer, joint: hinge, rate: 1000}}\nposes: {half: {hinge: 0.5}}\n");
    write_file("servo.yaml",
               "footfall: 1\nname: servo\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal,\n"
               "  loop: {kind: pd, kp: 100, kd: 20, rate: 1000}}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, "
               "1]}}}\nsensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n");
    write_file("s.lua", script);
}

#define SOLVER "gravity: [0, 0, 0]\nsolver: {method: rk4, step: 0.5 ms}\n"
#define ROD    "robot: rod.yaml\ncontrol: {lua: s.lua}\n" SOLVER

/// Runs a scene to its end, also with a script that fails: that is told by the status and as an error.
static void go(const char *text)
{
    ff_error err = {0};
    must_load(text);
    const ff_status status = ff_run_go(run, &err);
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
    CHECK_INT(status, report.errors > 0 ? FF_CONTROL : FF_OK);
}

static void run_script(const char *script, const char *text)
{
    write_rod(script);
    go(text);
}

static double final_angle(void)
{
    return metric("joints.hinge.final");
}

// The recursion of a sampled double integrator, as in test_controllers.c.
TEST(a_script_closes_a_loop)
{
    run_script(
        "function cycle(t, s, r)\n"
        "  r['hinge.force'] = -40 * s['pot.position'] - 9 * s['tacho.speed']\nend\n",
        "robot: rod.yaml\ncontrol: {lua: s.lua, period: 5 ms}\nstart: {joints: {hinge: 0.3}}\ntime: 0.5\n" SOLVER);
    double q = 0.3, v = 0.0;
    const double T = 5e-3;
    for (int i = 0; i < 100; i++) {
        const double a = -40 * q - 9 * v;
        q += T * v + 0.5 * T * T * a;
        v += T * a;
    }
    CHECK_NEAR(final_angle(), q, 1e-13); // [rad] rounding
    CHECK_INT(report.count, 0);
    finish();
}

// A direct drive has no loop: it would do nothing, and the robot of a newcomer would fall without a word.
TEST(positions_that_a_direct_drive_ignores_are_reported_once)
{
    run_script("function cycle(t, s, r) r['hinge.position'] = 0.2 end\n", ROD "time: 0.05\n");
    CHECK_NEAR(final_angle(), 0.0, 0.0);
    ff_report_clear(&report);
    ff_run_report_controllers(run, &report);
    CHECK_INT(report.count, 1);
    CHECK(report.messages[0].severity == FF_WARNING);
    CHECK(strstr(message(0), "at 0 s the controller gave 'drives.hinge.position' and no force"));
    CHECK(strstr(message(0), "positions ignored: 51"));
    // with a force the position says where the joint should be
    run_script("function cycle(t, s, r) r['hinge.position'] = 0.2; r['hinge.force'] = 0 end\n", ROD "time: 0.05\n");
    CHECK_INT(report.count, 0);
    finish();
}

// References of a cycle are seen by the loops of the drives at the same instant, as those of the scene are.
TEST(loops_follow_at_once)
{
    run_script("function cycle(t, s, r) r['hinge.position'] = t > 0.0995 and 0.2 or 0 end\n",
               "robot: servo.yaml\ncontrol: {lua: s.lua}\ntime: 0.25\n" SOLVER);
    const double by_script = final_angle();
    must_run("robot: servo.yaml\neffects: {drives: ideal}\nreferences: [{drive: hinge, at: 0.1, position: 0.2}]\ntime: "
             "0.25\n" SOLVER);
    CHECK_NEAR(by_script, final_angle(), 1e-15); // [rad] 1 ms later would be 3e-3
    CHECK(final_angle() > 0.05);
    finish();
}

TEST(a_script_knows_its_robot_and_its_parameters)
{
    run_script(
        "function start(robot)\n"
        "  assert(robot.name == 'rod' and robot.period == 0.002)\n"
        "  assert(robot.poses.half.hinge == 0.5 and robot.joints.hinge and #robot.legs == 0)\n"
        "  assert(robot.sensors['pot.position'] == 'rad' and robot.references['hinge.force'] == 'N m')\n"
        "  local p = robot.parameters\n"
        "  assert(p.push == 0.25 and p.on == true and p.name == 'a b' and p.list[2] == 2 and p.deep.x == -1)\n"
        "  push = p.push\nend\n"
        "function cycle(t, s, r) r['hinge.force'] = push end\n",
        "robot: rod.yaml\nconstants: {half: 0.5}\ncontrol: {lua: s.lua, period: 2 ms, parameters: {push: half / 2, "
        "on: true, name: a b, list: [1, 2], deep: {x: -1}}}\ntime: 0.4\n" SOLVER);
    CHECK_NEAR(final_angle(), 0.5 * 0.25 * 0.16, 1e-13);
    finish();
}

TEST(commands_reach_the_script_at_their_time)
{
    run_script("memory = {push = 0, from = -1}\n"
               "function command(t, values) memory.push = values.push; memory.from = t end\n"
               "function cycle(t, s, r) r['hinge.force'] = memory.push end\n",
               "robot: rod.yaml\ncontrol: {lua: s.lua, commands: [{at: 0.2, push: 0}, {at: 0.1, push: 1}]}\ntime: 0.3\n"
               "record: {rate: 1000, channels: [control]}\n" SOLVER);
    CHECK_NEAR(final_angle(), 0.5 * 0.01 + 0.1 * 0.1, 1e-12); // pushed for 0.1 s, then coasting for 0.1 s
    int width;
    const int column = ff_recorder_find(ff_run_recorder(run), "control.push", &width);
    CHECK(column > 0);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 99)[column], 0, 0);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 100)[column], 1, 0); // recorders come after controllers
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 200)[column], 0, 0);
    finish();
}

// Each way to fail: the run goes on, the error has file, line and time, and the robot is held.
TEST(a_script_that_fails_holds_its_robot)
{
    static const struct {
        const char *what, *says;
        int line;
    } bad[] = {
        {"error('enough')", "enough", 3},
        {"local x = nil + 1", "attempt to perform arithmetic on a nil value", 3},
        {"while true do end", "more than 1000000 instructions", 3},
        {"while true do pcall(function() while true do end end) end", "more than 1000000 instructions", 3},
        {"local function f() return pcall(f) and f() end f()", "", 0},
        {"local t = {} for i = 1, 1e9 do t[i] = i end", "not enough memory", 3},
        {"local t = string.rep('x', 1e9)", "not enough memory", 3},
        {"local t = {} for i = 1, 1e5 do t[i] = string.rep('x', 1e5) end", "not enough memory", 3},
        {"for i = 1, 1e9 do local t = string.rep('x', 4e3) end", "more than 1000000 instructions", 3},
        {"local t = string.rep('x', 5e3)", "no string beyond 4 KiB unless 'allow: [io]'", 3},
        {"while true do local x = table.unpack({}, 1, 30000) end", "functions of the library counted", 3},
        {"local t = {} for i = 2, 9000 do t[i] = '' end while true do local x = table.concat(t, '', 2, 9000) end",
         "functions of the library counted", 3},
        {"while true do pairs({}) end", "functions of the library counted", 3},
        {"local s = 'x' while true do s = s .. s end", "not enough memory", 3},
        {"local function f(n) return 1 + f(n + 1) end f(1)", "more than 1000000 instructions",
         3}, // each dearer than the last
        {"local s = ('z'):rep(4000) for i = 1, 150000 do local x = tonumber(s, 36) end", "more than 1000000 instr", 3},
        {"local s = ('7'):rep(4000) for i = 1, 150000 do local x = s + 0 end", "more than 1000000 instructions", 3},
        {"for i = 1, 150000 do local x = string.format('%99.99f', 1e308) end", "more than 1000000 instructions", 3},
        {"local function f(...) for i = 1, 150000 do local x = select('#', ...) end end f(table.unpack({}, 1, 15000))",
         "more than 1000000 instructions", 3},
        {"local t = {} for i = 1, 20000 do t[i] = i end for i = 1, 1e9 do table.insert(t, 1, i) end",
         "functions of the library counted", 3},
        {"x = 1", "global 'x' cannot change once the script has started", 3},
        {"memory.more = 1", "an entry that was not there", 0},
        {"memory.count = 'many'", "memory.count has become a string", 0},
        {"local v = s['pot.positions']", "no sensor 'pot.positions'; did you mean 'pot.position'?", 3},
        {"s['pot.position'] = 1", "", 3},
        {"io.write('x')", "attempt to index a nil value (global 'io'): not there unless 'allow: [io]'", 3},
        {"os.exit(1)", "attempt to index a nil value (global 'os')", 3},
        {"require('x')", "attempt to call a nil value (global 'require')", 3},
        {"local a = ('x'):find('x')", "(method 'find'): not there unless 'allow: [patterns]'", 3},
        {"load('return 1')()", "attempt to call a nil value (global 'load')", 3},
        {"debug.sethook()", "attempt to index a nil value (global 'debug')", 3},
        {"setmetatable({}, {__gc = function() while true do end end})", "global 'setmetatable'", 3},
        {"local f = string.find(('a'):rep(30), ('a-'):rep(30) .. 'b')", "field 'find'", 3},
        {"error({})", "an error that is no text", 3},
        {"for k in pairs({[{}] = 1}) do end", "has no order", 3},
        {"error()", "an error", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char script[600];
        snprintf(script, sizeof script,
                 "memory = {count = 0}\nfunction cycle(t, s, r) memory.count = memory.count + 1\n  if t > 0.1005 then "
                 "%s end\n"
                 "  r['hinge.position'] = 0.2\n  r['hinge.speed'] = 0.1\nend\n",
                 bad[i].what);
        run_script(script, "robot: servo.yaml\ncontrol: {lua: s.lua}\ntime: 2\n" SOLVER);
        if (report.count != 1 || report.messages[0].severity != FF_ERROR || !strstr(message(0), bad[i].says) ||
            !strstr(message(0), "failed at 0.101 s") || (bad[i].line > 0 && report.messages[0].line != bad[i].line))
            CHECK_FAIL("%s: %s", bad[i].what, message(0));
        CHECK(strstr(report.messages[0].file, "s.lua"));
        CHECK_NEAR(final_angle(), 0.2, 1e-6); // held at the last position, its speed zero: (1 + 10 t) exp(-10 t) of 0.2
    }
    finish();
}

// What one instruction does is bounded, or counts as many. Each of these took minutes, or would not have ended in this
// century.
TEST(no_single_instruction_takes_long)
{
    run_script(
        "function cycle(t, s, r) local x = string.rep('', 1e18) .. string.rep('', 2, '') .. string.rep('ab', 2, '-')\n"
        "  r['hinge.force'] = x == 'ab-ab' and 1 or 0 end\n",
        ROD "time: 1\n");
    CHECK_INT(report.count, 0);
    CHECK_NEAR(final_angle(), 0.5, 1e-9); // [rad] t^2 / 2

    run_script("function cycle(t, s, r) while true do r['hinge.forces'] = 1 end end\n", ROD "time: 0.1\n");
    CHECK_INT(report.count, 2);
    int times = 0;
    const char *at = strstr(message(0), "at 0 s, ");
    CHECK(at && sscanf(at, "at 0 s, %d times", &times) == 1);
    CHECK(times > 1000 && times < 50000); // 1e6 / (20 a name)
    // under sanitizers, which take ten times as long, the clock may be the first
    CHECK(strstr(message(1), "functions of the library counted by what they cost") ||
          (CHECK_LASTS(false, true) && strstr(message(1), "of processor time in one call")));
    finish();
}

// An error elsewhere says nothing of the script: it is told alone.
TEST(a_false_period_is_all_that_is_reported)
{
    write_rod("function cycle() end\n");
    CHECK(!load("robot: rod.yaml\ncontrol: {lua: s.lua, period: 0}\n"));
    CHECK_INT(report.count, 1);
    CHECK(strstr(message(0), "'period' is 0 s: it must be between 1e-05 and 10 s"));
    finish();
}

static char *read_text(const char *path)
{
    size_t length;
    return ff_text_load(path, 100000, &length, (ff_place){path, 0, 0}, &report);
}

// ANTON walks, and its script fails at an instant of the step or says nonsense from then on: it stands, on three feet
// or on six, and stays there.
TEST(a_walking_robot_stays_up_when_its_script_fails)
{
    static const char *const ways[] = {"error('x')", "r = setmetatable", "return r['FL_femur.position'] + nil",
                                       "for name in pairs(all) do r[name .. '.position'] = 0 / 0 end return"};
    char *walk = read_text(FF_SOURCE_DIR "/robots/anton/tripod.lua");
    CHECK(walk != NULL);
    for (int i = 0; i < 4; i += CHECK_LASTS(1, 3)) {
        char script[8000], text[800];
        const double when = CHECK_LASTS(2.4, 1.2) + 0.35 * i; // of a step of 1.2 s, the third
        snprintf(script, sizeof script,
                 "%s\nlocal walk, begin = cycle, start\nfunction start(robot) all = robot.joints begin(robot) end\n"
                 "function cycle(t, s, r)\n  if t > %g then %s end\n  walk(t, s, r)\nend\n",
                 walk, when, ways[i % 4]);
        write_file("anton.lua", script);
        snprintf(text, sizeof text,
                 "robot: %s/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
                 "terrain: [{plane: {material: lab-floor}}]\ncontrol: {lua: anton.lua}\ntime: %g\n"
                 "solver: {method: implicit, step: 1 ms}\n",
                 FF_SOURCE_DIR, when + 1.5);
        go(text);
        CHECK(metric("com.lowest") > 0.095);                    // [m] 1 cm below the stand
        CHECK_BELOW(metric("bodies.middle.speed.final"), 1e-3); // [m/s] it came to rest
        CHECK(report.errors + report.warnings > 0);
    }
    free(walk);
    finish();
}

// A torque without a position beside it fades: the rod turns on, but no faster.
TEST(a_torque_fades_when_its_script_fails)
{
    run_script("function cycle(t, s, r)\n  if t >= 0.1 then error('x') end\n  r['hinge.force'] = 1\nend\n",
               ROD "time: 2\n");
    // 1 N m for 0.1 s, then falling to zero within 0.5 s in steps of 1 ms
    double v = 0.1, q = 0.005;
    for (int k = 0; k < 1900; k++) {
        const double a = fmax(0.0, 1.0 - 1e-3 * k / 0.5);
        q += 1e-3 * v + 0.5e-6 * a;
        v += 1e-3 * a;
    }
    CHECK_NEAR(final_angle(), q, 1e-9);
    finish();
}

TEST(references_without_sense_are_left_out_and_told_once)
{
    run_script("function cycle(t, s, r)\n"
               "  r['hinge.force'] = 0.2\n"
               "  if t > 0.1005 then r['hinge.force'] = 0 / 0 end\n"
               "  if t > 0.2005 then r['hinge.force'] = 1 / 0 end\n"
               "  if t > 0.3005 then r['hinge.force'] = 'much' r['hinge.forces'] = 1 r[1] = 1 end\n"
               "end\n",
               ROD "time: 0.4\n");
    CHECK_NEAR(final_angle(), 0.5 * 0.2 * 0.16, 1e-12);
    CHECK_INT(report.count, 5);
    CHECK(strstr(message(0),
                 "s.lua:3: warning: at 0.101 s, 300 times in all: reference 'hinge.force' becomes not a number"));
    CHECK(strstr(message(1), ":4: ") && strstr(message(1), "becomes infinite"));
    CHECK(strstr(message(2), ":5: ") && strstr(message(2), "becomes string"));
    CHECK(strstr(message(3), "there is no reference 'hinge.forces'; did you mean 'hinge.force'?"));
    CHECK(strstr(message(4), "there is no reference 'number'"));
    finish();
}

/// A rod with limits of -0.2 and 0.5 rad whose drive follows x = offset + lever q, critically damped: it never passes
/// what it is told.
static void write_limited(const char *drive)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "footfall: 1\nname: limited\nbodies: {rod: {joint: {name: hinge, axis: z, range: [-0.2, 0.5], drive: {kind: "
        "ideal,\n"
        "  loop: {kind: pd, kp: 100, kd: 20, rate: 1000}%s}}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, "
        "1]}}}\nsensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n",
        drive);
    write_file("limited.yaml", text);
}

TEST(positions_beyond_the_limits_of_a_joint_become_the_limit_and_are_reported_once)
{
    write_limited("");
    run_script("function cycle(t, s, r)\n"
               "  r['hinge.position'] = 0.9 + 0.1 * t\n"
               "  if t < 1.9995 then r['hinge.position'] = -0.5 end\n"
               "  if t > 0.5 and r['hinge.position'] > 0.5 then error('not what it got') end\n"
               "  r['hinge.speed'] = 0\nend\n",
               "robot: limited.yaml\ncontrol: {lua: s.lua}\ntime: 4\n" SOLVER);
    CHECK_NEAR(final_angle(), 0.5, 1e-6); // [rad] exp(-20) of the way is left
    CHECK_INT(report.count, 2);           // one for each end, whatever the value
    CHECK(strstr(message(0),
                 "s.lua:2: warning: at 0 s, 4001 times in all: joint 'hinge' is asked for 0.9 rad, and 0.5 is its "
                 "limit: it gets that"));
    CHECK(strstr(message(1), "s.lua:3: warning: at 0 s, 2000 times in all: joint 'hinge' is asked for -0.5 rad, and "
                             "-0.2 is its limit"));
    finish();
}

// Where a drive counts otherwise than its joint, the limits are those of the drive; the limits themselves may be asked
// for; and each of two robots has its own.
TEST(limits_follow_the_path_of_the_drive)
{
    write_limited(", path: {kind: levers, levers: [-2], offset: 0.1}");
    run_script(
        "function cycle(t, s, r) r['hinge.position'] = t < 0.5005 and 0.5 or -0.9 end\n",
        "robots: [{file: limited.yaml, name: a, control: {lua: s.lua}}, {file: limited.yaml, name: b, place: {pos: "
        "[0, 1, 0]}}]\ntime: 2\n" SOLVER);
    CHECK_NEAR(metric("joints.a_hinge.final"), 0.5, 1e-3); // [rad] x = 0.1 - 2 q = -0.9
    CHECK_INT(report.count, 0);                            // from 0.5 to -0.9 is what -0.2 to 0.5 rad are
    run_script(
        "function cycle(t, s, r) r['hinge.position'] = 0.51 end\n",
        "robots: [{file: limited.yaml, name: a, control: {lua: s.lua}}, {file: limited.yaml, name: b, place: {pos: "
        "[0, 1, 0]}}]\ntime: 2\n" SOLVER);
    CHECK_NEAR(metric("joints.a_hinge.final"), -0.2, 1e-3);
    CHECK_INT(report.count, 1);
    CHECK(strstr(message(0), "joint 'hinge' is asked for 0.51"));
    finish();
}

TEST(what_cannot_start_is_reported_when_the_scene_is_read)
{
    static const struct {
        const char *script, *says;
    } bad[] = {
        {"function cycle(t, s, r\nend\n", "s.lua:2: ')' expected"},
        {"x = = 1\n", "s.lua:1: unexpected symbol near '='"},
        {"print('no cycle')\n", "no function cycle"},
        {"cycle = 3\n", "no function cycle"},
        {"\n\nerror('no')\nfunction cycle() end\n", "s.lua:3: no"},
        {"function start(robot)\n  assert(robot.sensors['gyro.x'], 'needs a gyro')\nend\nfunction cycle() end\n",
         "needs a gyro"},
        {"function start() while true do end end function cycle() end\n", "s.lua:1: more than 20000000 instructions"},
        {"memory = 3 function cycle() end\n", "'memory' is a number"},
        {"memory = {gait = 'tripod'} function cycle() end\n", "memory.gait is a string"},
        {"memory = {} memory.me = memory function cycle() end\n", "nested deeper"},
        {"memory = {} for i = 1, 5000 do memory[i] = i end function cycle() end\n", "more than 4096 values"},
        {"\033Lua\n", "attempt to load a binary chunk"},
        {"", "no function cycle"},
        {"parameters = {a = {1, low = 2, high = 0}} function cycle() end\n", "low 2.0 lies above high 0.0"},
        {"parameters = {a = 0/0} function cycle() end\n", "parameter 'a' is not a finite number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_rod(bad[i].script);
        if (load(ROD)) CHECK_FAIL("accepted: %s", bad[i].script);
        if (!strstr(message(0), "s.yaml:3:16: error: ") || !strstr(message(0), bad[i].says))
            CHECK_FAIL("%s: %s", bad[i].script, message(0));
    }
    finish();
}

TEST(a_scene_that_says_nonsense_of_a_script_is_refused)
{
    static const bad_scene bad[] = {
        {"robot: rod.yaml\ncontrol: {lua: nowhere.lua}\n", "3:16", "cannot read"},
        {"robot: rod.yaml\ncontrol: {lua: [a]}\n", "3:16", ""},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, allow: [net]}\n", "3:31",
         "'allow' is 'net'; allowed: io, os, require"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, limits: {memory: 10}}\n", "3:40", "'memory' is 10"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, limits: {instructions: 0}}\n", "3:46", "'instructions' is 0"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: 3}\n", "3:35", "parameters as"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, commands: [{at: -1}]}\n", "3:39", "'at' is -1 s"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, commands: [{at: 1}]}\n", "3:16", "no function command"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, callback: a}\n", "3:23", "one controller"},
    };
    write_rod("function cycle() end\n");
    must_refuse(bad, sizeof bad / sizeof *bad);
}

TEST(a_slip_in_the_name_of_a_parameter_is_refused)
{
    static const bad_scene read[] = {
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {sped: 1}}\n", "3:36",
         "the script has no parameter 'sped'; did you mean 'speed'?"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {speed: 1, mass: 2}}\n", "3:46",
         "the script has no parameter 'mass': it mentions none of that name"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {\"\": 1}}\n", "3:36", "has no parameter ''"},
    };
    write_rod("function start(robot) speed = robot.parameters.speed or 0 end\nfunction cycle() end\n");
    must_refuse(read, 3);
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {speed: 1}}\n");
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {other: 1}, allow: [require]}\n"); // in another file
    static const bad_scene declared[] = {
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {gian: 1}}\n", "3:36", "did you mean 'gain'?"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {gain: 1, again: 1}}\n", "3:45", "did you mean 'gain'?"},
    };
    static const bad_scene part[] = {
        // of a word
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {ain: 1}}\n", "3:36", "did you mean 'gain'?"},
        {"robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {gai: 1}}\n", "3:36", "did you mean 'gain'?"}};
    write_rod("parameters = {gain = 2}\nfunction cycle() end\n");
    must_refuse(declared, 2);
    must_refuse(part, 2);
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, parameters: {gain: 1}}\n");
    finish();
}

static void run_with_permissions(unsigned permissions, ff_status *status, ff_error *err)
{
    ff_run_options options = ff_run_options_default(scene);
    options.permissions = permissions;
    if (!begin_with(&options)) CHECK_FAIL("%s", message(0));
    *status = ff_run_go(run, err);
    ff_report_clear(&report);
    ff_run_report_limits(run, &report);
}

TEST(doors_open_when_the_scene_asks_and_the_program_grants)
{
    ff_error err = {0};
    ff_status status;
    write_rod("function start()\n  assert(io.write and os.clock and require and debug.getinfo)\n"
              "  assert(('ab'):find('b') == 2 and setmetatable({}, {__index = {x = 1}}).x == 1)\n"
              "  assert(#string.rep('x', 1e6) == 1e6)\nend\nfunction cycle() end\n");
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, allow: [io, os, require, debug, patterns, metatables]}\n" SOLVER);
    run_with_permissions(FF_PERMIT_ALL, &status, &err);
    CHECK_INT(status, FF_OK);
    CHECK_INT(report.count, 0);
    // half of them is not what it asks for
    run_with_permissions(FF_PERMIT_IO | FF_PERMIT_DEBUG, &status, &err);
    CHECK_INT(status, FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "s.lua asks for io,os,require,debug:"); // the advice is a whole command
    // granted, and not asked for
    write_rod(
        "function start()\n  assert(not io and not os and not require and not debug)\nend\nfunction cycle() end\n");
    must_load(ROD);
    run_with_permissions(FF_PERMIT_ALL, &status, &err);
    CHECK_INT(status, FF_OK);
    finish();
}

// A scene is read, checked and assembled without a line of such a script being run.
TEST(reading_opens_no_doors)
{
    char text[300];
    snprintf(text, sizeof text, "os.execute('touch %s')\nfunction cycle() end\n", in_folder("trace"));
    write_rod(text);
    remove(in_folder("trace"));
    must_load("robot: rod.yaml\ncontrol: {lua: s.lua, allow: [os]}\nrecord: {channels: [q, control.any]}\n" SOLVER);
    CHECK_INT(ff_run_is_ready(run, NULL), FF_BAD_ARGUMENT);
    const char *path = write_file("asks.yaml", "footfall: 1\nrobot: rod.yaml\ncontrol: {lua: s.lua, allow: [os]}\n");
    ff_report_clear(&report);
    ff_scene_check_file(path, NULL, NULL, 0, &report);
    CHECK_INT(report.errors, 0);
    CHECK_INT(report.warnings, 1);
    CHECK_INT(report.messages[0].line, 3);
    CHECK(strstr(message(0), "was not started"));
    CHECK(strstr(message(0), "asks for os"));
    FILE *trace = fopen(in_folder("trace"), "r");
    CHECK(!trace);
    if (trace) fclose(trace);
    finish();
}

// As Lua's own program takes it; lines are counted as in the file.
TEST(a_script_may_begin_with_a_mark_and_a_line_for_the_shell)
{
    run_script("\xef\xbb\xbf#!/usr/bin/env lua\nfunction cycle()\n  error('here')\nend\n", ROD "time: 0.01\n");
    CHECK_INT(report.count, 1);
    CHECK_INT(report.messages[0].line, 3);
    CHECK(strstr(message(0), "here"));
    finish();
}

// A text is looked at without its scene, which may allow more.
TEST(a_text_with_a_long_string_is_a_script)
{
    char *script = calloc(1, 20000);
    memcpy(script, "x = '", 5);
    memset(script + 5, 'y', 10000);
    snprintf(script + 10005, 100, "'\nfunction cycle() end\n");
    const char *path = write_file("long.lua", script);
    ff_report_clear(&report);
    ff_scene_check_file(path, NULL, NULL, 0, &report);
    CHECK_INT(report.count, 0);
    free(script);
    finish();
}

static const char NOISE[] = "memory = {phase = 0, on = true, n = 1, legs = {{x = 0}, {x = 0.5}}}\n"
                            "function cycle(t, s, r)\n"
                            "  local m, sum = memory, 0\n"
                            "  m.phase = m.phase + 0.01 * math.random()\n"
                            "  m.n = m.n + math.random(1, 3)\n"
                            "  m.on = not m.on\n"
                            "  for k, leg in ipairs(m.legs) do leg.x = leg.x + k * math.sin(m.phase) end\n"
                            "  for k, v in pairs({a = 1e16, b = 1, c = -1e16, d = 1}) do sum = sum + v end\n"
                            "  r['hinge.force'] = m.legs[1].x - m.legs[2].x + (m.on and 1 or 0) + m.n % 2 + sum\n"
                            "end\n";

// Two scripts in one process get strings at other addresses: the order of pairs, and random numbers, are the same
// nevertheless.
TEST(runs_are_the_same_every_time)
{
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        run_script(NOISE, i < 2 ? ROD "time: 0.3\n" : ROD "time: 0.3\nseed: 1\n");
        CHECK_INT(report.count, 0);
        hash[i] = ff_sim_hash(ff_run_sim(run));
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2]);
    finish();
}

TEST(memory_is_saved_and_restored)
{
    ff_error err = {0};
    static char saved[200000];
    write_rod(NOISE);
    must_load(ROD);
    CHECK(ff_sim_run(ff_run_sim(run), 0.2, &err) == FF_OK);
    const size_t size = ff_sim_save_size(ff_run_sim(run));
    CHECK(size < sizeof saved && ff_sim_save(ff_run_sim(run), saved, size, &err) == FF_OK);
    CHECK(ff_sim_run(ff_run_sim(run), 0.5, &err) == FF_OK);
    const uint64_t hash = ff_sim_hash(ff_run_sim(run));
    CHECK(ff_sim_restore(ff_run_sim(run), saved, size, &err) == FF_OK); // back in the same simulation
    CHECK(ff_sim_run(ff_run_sim(run), 0.5, &err) == FF_OK);
    CHECK(ff_sim_hash(ff_run_sim(run)) == hash);
    must_load(ROD); // and in another, whose script has not run yet
    CHECK(ff_sim_restore(ff_run_sim(run), saved, size, &err) == FF_OK);
    CHECK(ff_sim_run(ff_run_sim(run), 0.5, &err) == FF_OK);
    CHECK(ff_sim_hash(ff_run_sim(run)) == hash);
    finish();
}

TEST(print_is_reported_after_the_run)
{
    run_script("function cycle(t)\n  if t < 0.0035 then print('t is', t, {}, nil, true) end\nend\n", ROD "time: 0.1\n");
    CHECK_INT(report.count, 4);
    CHECK(report.messages[1].severity == FF_NOTE && strstr(message(1), "at 0.001 s: t is 0.001 table nil true"));
    finish();
}

TEST(what_is_not_saved_is_reported)
{
    run_script("local n, fixed = 0, 3\nfunction cycle(t)\n  n = n + fixed\nend\n", ROD "time: 0.1\n");
    CHECK_INT(report.count, 1);
    CHECK(report.messages[0].severity == FF_NOTE && strstr(message(0), "at 0 s: local 'n' changes and is not saved"));
    finish();
}

TEST(over_a_modelled_bus_a_script_is_called_when_something_has_arrived)
{
    run_script("memory = {first = -1}\nfunction cycle(t, s, r)\n  if memory.first < 0 then memory.first = t end\n"
               "  r['hinge.force'] = -s['pot.position']\nend\n",
               ROD "time: 0.02\neffects: {bus: {jitter: 0}}\nrecord: {rate: 1000, channels: [control.first]}\n");
    CHECK_INT(report.count, 0);
    CHECK_NEAR(ff_recorder_row(ff_run_recorder(run), 19)[1], 2e-3, 1e-12); // [s]
    finish();
}
