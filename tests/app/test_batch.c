// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall batch` from outside: its table, what it refuses, exit codes.
#include "check.h"
#include "program.h"
#include "support/picture.h"

#include <signal.h>
#include <unistd.h>

static const char robot[] = "footfall: 1\n"
                            "name: ball\n"
                            "bodies:\n"
                            "  ball:\n"
                            "    joint: {name: fall, type: free}\n"
                            "    inertial: {mass: 1, sphere: 0.1}\n"
                            "    shapes: [{sphere: 0.1}]\n";

static const char scene[] = "footfall: 1\n"
                            "robot: ball.yaml\n"
                            "place: {pos: [0, 0, 1]}\n"
                            "terrain: [{plane: {material: lab-floor}}]\n"
                            "solver: {method: euler, step: 1.0e-3}\n"
                            "time: 0.2\n";

static const char *write_scene(void)
{
    if (!strstr(footfall_version(), "libyaml")) SKIP("built without libyaml");
    write_file("ball.yaml", robot);
    return write_file("scene.yaml", scene);
}

/// The number behind a name at the start of a line.
static double number_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    if (!at) CHECK_FAIL("no \"%s\" in:\n%s", name, text);
    return strtod(at + strlen(name), NULL);
}

// A ball falls by 0.197 m in 0.2 s from between 0.5 and 1.5 m. It has fallen at 0.5 m, half its height at the start of
// the scene: so do those that begin below 0.7 m.
TEST(the_table_counts_steps_and_falls)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "50", "--spread", "start_height=-0.5..0.5", "--seed", "3");
    CHECK_SAYS(o.err, "does not resolve the hardest contact"); // the advice that `run` gives
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "50 robots, 0.2 s in 200 steps");
    const double upright = number_of(o.out, "upright at the end"), fell = number_of(o.out, "fell");
    CHECK(fell > 0.0 && upright > 0.0);
    CHECK_NEAR(upright + fell + number_of(o.out, "diverged"), 50.0, 0.0);
    o = footfall("batch", file, "--robots", "3", "--time", "0.1", "--lanes", "1");
    CHECK_SAYS(o.out, "kernel                       lanes  of the processor, 1 robot at a time\n");
    CHECK_NEAR(number_of(o.out, "robot-steps"), 300.0, 0.0);
    const double fallen = 9.81e-6 * 100 * 101 / 2;                  // g h^2 n (n + 1) / 2
    CHECK_NEAR(number_of(o.out, "root.z [m]"), 1.0 - fallen, 5e-5); // [m] four digits
}

// The same ball with its floor 5 m below the origin: heights are those above the floor.
TEST(falls_are_measured_from_the_ground)
{
    write_scene();
    const char *file = write_file("low.yaml", "footfall: 1\n"
                                              "robot: ball.yaml\n"
                                              "place: {pos: [0, 0, -4]}\n"
                                              "terrain: [{plane: {material: lab-floor, pos: [0, 0, -5]}}]\n"
                                              "solver: {method: euler, step: 1.0e-3}\n"
                                              "time: 0.2\n");
    outcome o = footfall("batch", file, "--robots", "1");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "1 robot, 0.2 s in 200 steps");
    CHECK_NEAR(number_of(o.out, "fell"), 0.0, 0.0);
    o = footfall("batch", file, "--robots", "1", "--observe", "height");              // two names
    CHECK_NEAR(number_of(o.out, "root.z [m]"), -4.0 - 9.81e-6 * 200 * 201 / 2, 5e-4); // [m] four digits
    CHECK_NEAR(number_of(o.out, "\nheight "), 1.0 - 9.81e-6 * 200 * 201 / 2, 5e-4);
    CHECK(!strstr(o.out, "height [m]"));
    o = footfall("batch", file, "--robots", "1", "--fall-height", "0.9"); // of 1 m, and it falls by 0.197 m
    CHECK_NEAR(number_of(o.out, "fell"), 1.0, 0.0);
    o = footfall("batch", file, "--robots", "1", "--fall-height", "0.7");
    CHECK_NEAR(number_of(o.out, "fell"), 0.0, 0.0);
    o = footfall("batch", file, "--robots", "40", "--spread",
                 "start_height=-0.4..-0.3"); // 0.6 to 0.7 m, to below 0.5 m
    CHECK_NEAR(number_of(o.out, "fell"), 40.0, 0.0);
    o = footfall("batch", file, "--robots", "1", "--fall-height", "0");
    CHECK_NEAR(number_of(o.out, "fell"), 0.0, 0.0);
}

// The 50 balls above as JSON: those that start less than 0.197 m above the limit fall, the others do not.
TEST(json_has_the_same_numbers)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "50", "--spread", "start_height=-0.5..0.5", "--seed", "3");
    const double fell = number_of(o.out, "fell"), upright = number_of(o.out, "upright at the end");
    CHECK_SAYS(o.out, "falls a minute of a robot");
    o = footfall("batch", file, "--robots", "50", "--spread", "start_height=-0.5..0.5", "--seed", "3", "--json");
    CHECK_INT(o.code, 0);
    CHECK_NEAR(number_of(o.out, "\"robots\":"), 50.0, 0.0);
    CHECK_NEAR(number_of(o.out, "\"seed\":"), 3.0, 0.0);
    CHECK_NEAR(number_of(o.out, "\"steps\":"), 200.0, 0.0);
    CHECK_NEAR(number_of(o.out, "\"fell\":"), fell, 0.0);
    CHECK_NEAR(number_of(o.out, "\"upright\":"), upright, 0.0);
    CHECK_SAYS(o.out, "\"spread\": {\"start_height\": [-0.5, 0.5]}");
    CHECK_SAYS(o.out, "\"finished\": true");
    CHECK_SAYS(o.out, "\"kernel\": \"lanes\"");
    CHECK_SAYS(o.out, "\"kernel_reason\": null");
    const char *speed = strstr(o.out, "\"speed\": {\"unit\": \"m/s\"");
    CHECK(speed);
    CHECK_NEAR(number_of(speed, "\"most\":"), 9.81 * 0.2, 1e-9); // of those that fell the whole time
}

/// Colours of a PNG are not checked here (test_batch_paint.c does): that it is one, and as large as its cells and
/// the legend below them, lines of 16 dots, say.
static void check_png(const char *path, int width, int height)
{
    unsigned char head[24];
    FILE *f = fopen(path, "rb");
    if (!f || fread(head, 1, sizeof head, f) != sizeof head) CHECK_FAIL("%s cannot be read", path);
    fclose(f);
    CHECK(memcmp(head + 1, "PNG", 3) == 0);
    CHECK_INT(head[18] << 8 | head[19], width);
    CHECK_INT(head[22] << 8 | head[23], height);
}

TEST(a_picture_has_a_cell_for_each_robot)
{
    const char *file = write_scene(), *five = temporary("five.png");
    if (!strstr(footfall_version(), "libpng")) SKIP("built without libpng");
    outcome o = footfall("batch", file, "--robots", "5", "--time", "0.01", "--picture", five);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "2 rows of 3 robots");
    check_png(five, 3 * 256, 2 * 256 + 16 * 2);
    CHECK_SAYS(o.err, "green: ended by --end");
    o = footfall("batch", file, "--robots", "1", "--time", "0.01", "--picture", "no/such/folder.png");
    CHECK_INT(o.code, 3);
    CHECK_TEXT(o.out, ""); // before any step
    CHECK_SAYS(o.err, "no/such/folder.png");
    o = footfall("batch", file, "--robots", "5", "--time", "0.01", "--picture", five, "--reward", "root.z", "--spread",
                 "start_height=0..1", "--colour", "reward");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "coloured by reward [1], violet: ");
    o = footfall("batch", file, "--picture", five, "--colour", "rewards");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, ""); // before any step
    CHECK_SAYS(o.err, "no number 'rewards' to colour them by: there are outcome, ahead");
    o = footfall("batch", file, "--colour", "reward");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "add --picture");
    o = footfall("batch", file, "--fast");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--fast needs --device or --specialise");
    o = footfall("batch", file, "--device", "--specialise");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "leave out --specialise");
    setenv("CC", "/nonexistent/compiler", 1);
    o = footfall("batch", file, "--robots", "1", "--lanes", "1", "--time", "0.01", "--specialise", "--fast");
    unsetenv("CC");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "lanes  of the processor, 1 robot at a time, without code for the model and fused operations: ");
    write_file("notes.png", "not ours\n");
    o = footfall("batch", file, "--picture", temporary("notes.png"));
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "notes.png is there, and is no picture: it would be lost");
    CHECK_TEXT(read_file("notes.png"), "not ours\n");
    o = footfall("batch", file, "--picture", "five.svg");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--picture five.svg");
}

TEST(a_picture_of_many_robots_shows_every_second_one)
{
    const char *file = write_scene(), *many = temporary("many.png");
    if (!strstr(footfall_version(), "libpng")) SKIP("built without libpng");
    if (CHECK_LASTS(0, 1)) SKIP("four million dots, which are painted as few are");
    outcome o = footfall("batch", file, "--robots", "20000", "--time", "0.001", "--picture", many);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "100 rows of 100 robots");
    CHECK_SAYS(o.err, "every 2nd robot");
    check_png(many, 2000, 2000 + 16 * 4);
}

TEST(what_does_not_go_with_the_studio_is_refused_before_it_opens)
{
    const char *file = write_scene();
    static const char *const with[] = {"--json", "--device"};
    for (int i = 0; i < 2; i++) {
        const outcome o = footfall("batch", file, "--studio", with[i]);
        CHECK_INT(o.code, 1);
        CHECK_SAYS(o.err, "--studio runs the batch itself");
    }
    outcome o = footfall("batch", file, "--no-browser");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "add --studio");
    o = footfall("batch", file, "--studio", "--robots", "1e6");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "up to 262144");
    o = footfall("batch", file, "--studio", "--seed", "1000000000001");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "up to 1e12");
    o = footfall("batch", file, "--studio", "--no-browser", "--reward", "heigt");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "did you mean 'height'?");
    o = footfall("batch", file, "--studio", "--no-browser", "--spread", "mass.cube=normal(1,0.1,0.5,2)");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "no body that moves has that name, there are ball");
    o = footfall("batch", file, "--studio", "--no-browser", "--set", "solver.method=rk4");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "'rk4'");
}

// The ball falls freely: after n steps it is at 1 - g h^2 n (n + 1) / 2 and has the speed g h n downwards.
TEST(a_condition_ends_robots_and_rewards_are_summed)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "3", "--end", "root.z < 0.9", "--reward", "-root.vz * step");
    CHECK_INT(o.code, 0);
    CHECK_NEAR(number_of(o.out, "ended by --end"), 3.0, 0.0);
    int n = 0;
    while (9.81e-6 * n * (n + 1) / 2 <= 0.1) n++;
    CHECK_NEAR(number_of(o.out, "lived [s]"), n * 1e-3, 1e-9);
    CHECK_NEAR(number_of(o.out, "reward [1]"), 9.81e-6 * n * (n + 1) / 2, 5e-5); // [m] four digits: the way down
    o = footfall("batch", file, "--end", "heigt < 1");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "did you mean 'height'?");
}

/// Lines of a text.
static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

// A ball falls freely: v = -g h n after n steps. It ends after 143 of them, the first with 1 - g h^2 n (n + 1) / 2
// below 0.9 m, and has no lines after that.
TEST(what_is_observed_is_in_the_table_and_in_a_file)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "3", "--observe", "root.vz", "--observe", "max(2, age)");
    CHECK_INT(o.code, 0);
    CHECK_NEAR(number_of(o.out, "\nroot.vz "), -9.81e-3 * 200, 1e-3); // four digits
    CHECK_NEAR(number_of(o.out, "\nmax(2, age) "), 200.0, 0.0);
    o = footfall("batch", file, "--robots", "3", "--observe", "root.vz", "--observe", "max(2, age)", "--csv",
                 temporary("seen.csv"), "--every", "0.05", "--end", "root.z < 0.9", "--json");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "\"observed\": {");
    CHECK_NEAR(number_of(strstr(o.out, "\"root.vz\""), "\"least\": "), -9.81e-3 * 143, 1e-9);
    const char *text = read_file("seen.csv");
    CHECK(strncmp(text, "time,robot,\"root.vz\",\"max(2, age)\"\n0,0,0,2\n0,1,0,2\n", 48) == 0);
    CHECK_INT(count_lines(text), 1 + 4 * 3); // at 0, 0.05, 0.1 and 0.143 s
    CHECK_NEAR(number_of(text, "\n0.05,2,"), -9.81e-3 * 50, 1e-12);
    CHECK_NEAR(number_of(text, "\n0.143,1,"), -9.81e-3 * 143, 1e-12);
    o = footfall("batch", file, "--robots", "3", "--observe", "time", "--csv", temporary("seen.csv"));
    CHECK_INT(o.code, 0);
    CHECK_INT(count_lines(read_file("seen.csv")), 1 + 3); // the end alone
}

// The heights of a scene are a picture as well.
TEST(no_picture_replaces_the_heights_of_its_scene)
{
    write_scene();
    if (!strstr(footfall_version(), "libpng")) SKIP("built without libpng");
    static const unsigned char grey[4] = {0, 80, 160, 240};
    make_picture(2, 2, 8, 0, grey, 2);
    FILE *heights = fopen(temporary("heights.png"), "wb");
    CHECK(heights && fwrite(picture_bytes, 1, picture_length, heights) == picture_length && fclose(heights) == 0);
    const char *file =
        write_file("field.yaml", "footfall: 1\nrobot: ball.yaml\nplace: {pos: [0, 0, 1]}\ntime: 0.01\n"
                                 "terrain: [{heightfield: {png: heights.png, size: [9, 9], height: 0.1}}]\n"
                                 "solver: {method: euler, step: 1.0e-3}\n");
    outcome o = footfall("batch", file, "--robots", "1", "--picture", temporary("./heights.png"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "heights.png: the scene has its heights from there; name another");
    CHECK(memcmp(read_file("heights.png"), picture_bytes, picture_length) == 0);
    CHECK_INT(footfall("batch", file, "--robots", "1", "--picture", temporary("seen.png")).code, 0);
}

TEST(what_cannot_be_observed_is_said_before_all_steps)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--observe", "hight");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "observe, column 1 of 'hight': there is no quantity 'hight'; did you mean 'height'?");
    o = footfall("batch", file, "--observe", "height", "--csv", temporary("nowhere/seen.csv"));
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "cannot write what is observed");
    CHECK(!*o.out);
    o = footfall("batch", file, "--csv", temporary("seen.csv"));
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "add --observe FORMULA");
    o = footfall("batch", file, "--observe", "height", "--every", "0.1");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "add --csv FILE.csv");
    o = footfall("batch", file, "--observe", "height", "--csv", temporary("seen.csv"), "--every", "0");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--every is 0 s");
    o = footfall("batch", file, "--observe", "height", "--csv", temporary("./scene.yaml"));
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "scene.yaml is there, and is no file of observations: it would be lost");
    CHECK_TEXT(read_file("scene.yaml"), scene);
    o = footfall("batch", file, "--observe", "height", "--csv", temporary("ball.yaml"));
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "ball.yaml is there");
    CHECK_TEXT(read_file("ball.yaml"), robot);
}

TEST(channels_of_sensors_are_listed)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--channels");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "effects: {sensors: real}");
    CHECK(!*o.out);
    char text[600];
    snprintf(text, sizeof text, "%ssensors: {spin: {type: gyro, body: ball}, push: {type: force, body: ball}}\n",
             robot);
    write_file("ball.yaml", text);
    o = footfall("batch", file, "--channels", "--set", "effects.sensors=real");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "sensors.spin.x\nsensors.spin.y\nsensors.spin.z\nsensors.push.fx\nsensors.push.fy\n"
                      "sensors.push.fz\n");
}

// What is listed can be given to --observe as it is.
TEST(names_of_channels_are_quoted_where_formulas_need_it)
{
    const char *file = write_scene();
    char text[600];
    snprintf(text, sizeof text, "%ssensors: {left-foot: {type: clock}, s2: {type: clock}}\n", robot);
    write_file("ball.yaml", text);
    outcome o = footfall("batch", file, "--channels", "--set", "effects.sensors=real");
    CHECK_TEXT(o.out, "'sensors.left-foot.time'\nsensors.s2.time\n");
    o = footfall("batch", file, "--robots", "1", "--set", "effects.sensors=real", "--observe",
                 "'sensors.left-foot.time'", "--observe", "sensors.s2.time");
    CHECK_INT(o.code, 0);
    o = footfall("batch", file, "--set", "effects.sensors=real", "--observe", "sensors.nobody");
    CHECK_SAYS(o.err, "there are 'sensors.left-foot.time', sensors.s2.time");
}

TEST(files_of_what_is_observed_can_be_read_whatever_is_in_them)
{
    const char *file = write_scene();
    char text[600];
    snprintf(text, sizeof text, "%ssensors: {'a \"b\"': {type: gyro, body: ball}}\n", robot);
    write_file("ball.yaml", text);
    outcome o =
        footfall("batch", file, "--robots", "1", "--set", "effects.sensors=perfect", "--observe", "'sensors.a \"b\".x'",
                 "--observe", "sqrt(-1)", "--observe", "-sqrt(-1)", "--csv", temporary("seen.csv"));
    CHECK_INT(o.code, 0);
    CHECK_TEXT(read_file("seen.csv"),
               "time,robot,\"'sensors.a \"\"b\"\".x'\",\"sqrt(-1)\",\"-sqrt(-1)\"\n0.2,0,0,nan,nan\n");
    o = footfall("batch", file, "--observe", "time", "--observe", "age", "--observe", "time");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--observe time is there twice");
}

// As of a recording: where the file can be begun and not ended, the robots were simulated.
TEST(a_disk_that_is_full_is_said)
{
    const char *file = write_scene();
    if (access("/dev/full", W_OK)) SKIP("there is no /dev/full");
    outcome o = footfall("batch", file, "--robots", "2", "--observe", "time", "--csv", "/dev/full");
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "/dev/full: cannot write what is observed: No space left on device");
    o = footfall("batch", file, "--robots", "500", "--observe", "time", "--csv", "/dev/full", "--every", "0.001");
    CHECK_INT(o.code, 3); // in the middle of the steps
    CHECK_SAYS(o.err, "/dev/full: cannot write what is observed: No space left on device");
}

TEST(distributions_are_named)
{
    const char *file = write_scene();
    outcome o =
        footfall("batch", file, "--robots", "60", "--time", "0.001", "--spread", "start_height=choice(0.25, 0.5)",
                 "--spread", "mass=normal(1,0.1,0.8,1.2)", "--spread", "friction=log_uniform(0.5,2)");
    CHECK_INT(o.code, 0);
    CHECK_NEAR(number_of(o.out, "root.z [m]"), 1.25, 1e-4); // the least of all
    CHECK_SAYS(o.out, "        1.5 ");                      // the most: the ball falls by 10 um
    o = footfall("batch", file, "--robots", "2", "--time", "0.001", "--spread", "start_height=choice(0.25, 0.5)",
                 "--spread", "mass=normal(1,0.1,0.8,1.2)", "--spread", "friction=log_uniform(0.5,2)", "--json");
    CHECK_SAYS(o.out, "\"start_height\": {\"kind\": \"choice\", \"values\": [0.25, 0.5]}");
    CHECK_SAYS(o.out, "\"mass\": {\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.1, \"low\": 0.8, \"high\": 1.2}");
    CHECK_SAYS(o.out, "\"friction\": {\"kind\": \"log_uniform\", \"low\": 0.5, \"high\": 2}");
}

TEST(a_quantity_of_one_body_has_its_name)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "9", "--time", "0.001", "--spread", "mass.legs=0.5..0.6");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "mass.legs cannot be spread: no body that moves has that name, there are ");
    o = footfall("batch", file, "--robots", "9", "--time", "0.001", "--spread", "inertia=2..2", "--spread",
                 "push_force=3..3", "--spread", "push_duration=choice(0.1)", "--json");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "\"push_duration\": {\"kind\": \"choice\", \"values\": [0.1]}");
    CHECK_SAYS(o.out, "\"inertia\": {\"unit\": \"1\", \"least\": 2");
}

TEST(a_choice_has_any_number_of_values)
{
    char spread[1000] = "start_height=choice(0.5";
    for (int i = 0; i < 99; i++) strcat(spread, ",0.5");
    strcat(spread, ")");
    const outcome o = footfall("batch", write_scene(), "--robots", "3", "--time", "0.001", "--spread", spread);
    CHECK_INT(o.code, 0);
    CHECK_NEAR(number_of(o.out, "root.z [m]"), 1.5, 1e-4);
}

TEST(times_are_whole_steps)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--robots", "2", "--time", "0.0103");
    CHECK_SAYS(o.out, "2 robots, 0.01 s in 10 steps");
    o = footfall("batch", file, "--robots", "2", "--time", "0.0009");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "less than one step");
}

TEST(an_interrupt_ends_with_the_table_so_far)
{
    const char *const words[] = {
        "batch", write_scene(),         "--robots", "2",           "--threads", "1",         "--time",
        "1e7",   "--fall-height",       "0",        "--fall-tilt", "0",         "--observe", "height",
        "--csv", temporary("rows.csv"), "--every",  "0.01",        NULL};
    const outcome o = footfall_interrupted(words, "rows.csv", "\n0.01,", SIGINT);
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "stopped after");
    CHECK_SAYS(o.out, "not ended");
}

TEST(options_out_of_range_are_named)
{
    static const char *const wrong[][2] = {{"--robots", "1.5"},
                                           {"--robots", "1e9"},
                                           {"--lanes", "2.5"},
                                           {"--threads", "1.5"},
                                           {"--threads", "2000"},
                                           {"--seed", "0.5"},
                                           {"--seed", "1e17"},
                                           {"--fall-tilt", "3.2"},
                                           {"--fall-tilt", "-1"},
                                           {"--fall-height", "-1"},
                                           {"--spread", "mass=1.."},
                                           {"--spread", "mass=normal(1"},
                                           {"--spread", "mass=gamma(1,2)"},
                                           {"--spread", "mass=normal(1,2,3)"},
                                           {"--spread", "mass"}};
    const char *file = write_scene();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const outcome o = footfall("batch", file, wrong[i][0], wrong[i][1]);
        CHECK_INT(o.code, 1);
        CHECK_SAYS(o.err, wrong[i][0]);
    }
    CHECK_INT(footfall("batch", file, "--robots", "1", "--seed", "9007199254740992").code, 0);
    const outcome both = footfall("batch", file, "--device", "--fast", "--single");
    CHECK_INT(both.code, 1);
    CHECK_SAYS(both.err, "leave out --fast");
}

TEST(what_a_batch_cannot_do_ends_the_command)
{
    const char *file = write_scene();
    outcome o = footfall("batch", file, "--set", "solver.method=rk4");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "'rk4'");
    CHECK_SAYS(o.err, "solver.method=euler");
    o = footfall("batch", temporary("nowhere.yaml"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "nowhere.yaml: error: it cannot be read as a scene: No such file");
    o = footfall("batch", temporary("ball.yaml"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "ball.yaml: error: this is no scene; one of a robot has the lines");
    o = footfall("batch", file, "--set", "solver={method: adaptive}");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "'adaptive'");
    o = footfall("batch", file, "--spread", "colour=1..2");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--spread colour=1..2");
    CHECK_SAYS(o.err, "contact_stiffness, mass");
    o = footfall("batch", file, "--spread", "mass=1..2", "--spread", "mass=1..3");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "mass is spread twice");
    o = footfall("batch", file, "--spread", "delay=0..1");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "there are no servos");
    o = footfall("batch", file, "--spread", "mass=2..1");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "cannot be spread from 2 to 1: the lower end comes first");
    o = footfall("batch", file, "--robots", "0");
    CHECK_INT(o.code, 1);
    o = footfall("batch", file, "--lanes", "3");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "3 lanes");
    CHECK_SAYS(o.err, "this processor has 1, 2");
    o = footfall("batch", "no-such.yaml");
    CHECK_INT(o.code, 2);
}
