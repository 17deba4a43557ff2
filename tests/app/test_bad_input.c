// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that are wrong, hostile or no files at all: a message with the place, exit code 2, at most 5 s and 1 GiB.
#include "check.h"
#include "program.h"

#include <sys/stat.h>

#define LINK_INERTIAL                                                                                                  \
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"

static void needs(const char *library)
{
    const char *version = footfall_version();
    if (!strstr(version, library)) SKIP("built without %s", library);
}

// The promise of every test here. `place` is what the message begins with, after the folder.
static void is_refused(const char *file, const char *place, const char *words)
{
    outcome o = footfall("check", file);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, place);
    CHECK_SAYS(o.out, "error:");
    CHECK_SAYS(o.out, words);
    CHECK_SAYS(o.err, "checked");
    CHECK_BELOW(o.seconds, 5);
    o = footfall("eval", file, "--json");
    CHECK_INT(o.code, 2);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "error:");
    CHECK_BELOW(o.seconds, 5);
    o = footfall("run", file, "--out", temporary("refused"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "error:");
    CHECK_BELOW(o.seconds, 5);
}

TEST(a_missing_file)
{
    is_refused(temporary("nowhere.urdf"), "nowhere.urdf: ", "");
}

// Names in a foreign file are shown, and a terminal does not execute them.
TEST(a_name_that_would_clear_the_screen)
{
    needs("libyaml");
    const char *file = write_file("clear.yaml", "footfall: 1\nname: r\n\"\\e[2J\": 1\nbodies: {}\n");
    outcome o = footfall("check", file);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "clear.yaml:3:1: error: unknown key '\\x1b[2J'");
    CHECK(!strchr(o.out, '\x1b') && !strchr(o.err, '\x1b'));
}

static void stays_plain(outcome o, const char *words)
{
    CHECK(!strchr(o.out, '\x1b') && !strchr(o.err, '\x1b'));
    CHECK(strstr(o.out, words) || strstr(o.err, words));
}

static const char NASTY_ROBOT[] = "footfall: 1\n"
                                  "name: \"ro\\e]9;bot\"\n"
                                  "bodies:\n"
                                  "  \"ba\\e[31mse\":\n"
                                  "    joint: free\n"
                                  "    shapes: [{sphere: 0.1}]\n"
                                  "    inertial: {mass: 1, sphere: 0.1}\n"
                                  "    bodies:\n"
                                  "      \"l\\x9b2Jink\":\n"
                                  "        inertial: {mass: 1, sphere: 0.1}\n"
                                  "        joint: {type: hinge, axis: y, name: \"j\\e[0moint\"}\n"
                                  "        frames: {\"f\\e]9;r\": {pos: [0, 0, 0]}}\n"
                                  "sensors: {\"s\\e]9;ens\": {type: gyro, frame: \"f\\e]9;r\"}}\n"
                                  "poses: {\"p\\u202eo\": {\"j\\e[0moint\": 0.1}}\n";

static const char NASTY_SCENE[] = "footfall: 1\n"
                                  "robot: nasty.yaml\n"
                                  "time: 0.01\n"
                                  "solver: {method: euler, step: 1e-3}\n"
                                  "metrics: {report: [\"bodies.ba\\e[31mse.z.final\"]}\n"
                                  "record: {rate: 100, channels: [q, bodies]}\n"
                                  "expect: [{metric: \"bodies.ba\\e[31mse.z.final\", is: 3, within: 0.1, "
                                  "source: \"so\\e]9;rc\"}]\n";

static void is_plain(outcome o, const char *words)
{
    stays_plain(o, words);
    CHECK(!strstr(o.out, "\xc2\x9b") && !strstr(o.out, "\xe2\x80\xae")); // CSI in one character, and a mirror
}

// Tables show names of foreign robots and recordings, which are no messages.
TEST(names_in_tables_that_would_control_the_screen)
{
    needs("libyaml");
    const char *nasty = write_file("nasty.yaml", NASTY_ROBOT);
    outcome o = footfall("info", nasty);
    CHECK_INT(o.code, 0);
    is_plain(o, "ro\\x1b]9;bot");
    CHECK_SAYS(o.out, "l\\x9b2Jink");
    CHECK_SAYS(o.out, "p\\u202eo");
    is_plain(footfall("eval", nasty), "ro\\x1b]9;bot");
    is_plain(footfall("bench", nasty, "--quick"), "ro\\x1b]9;bot");
    o = footfall("info", nasty, "--json");
    is_plain(o, "l\\u009b2Jink");
    CHECK(is_json(o.out));
    is_plain(footfall("eval", nasty, "--q", "0,0,0,2,0,0,0,0"), "joint \"ba\\x1b[31mse\" has length 2");
    mkdir(temporary("nasty"), 0777);
    write_file("nasty/nasty.yaml", NASTY_ROBOT);
    write_file("nasty/e1.yaml", NASTY_SCENE);
    o = footfall("run", temporary("nasty/e1.yaml"), "--out", temporary("nasty/out"));
    CHECK_INT(o.code, 4);
    is_plain(o, "so\\x1b]9;rc");
    is_plain(footfall("experiments", "run", "e1", "--from", temporary("nasty")), "bodies.ba\\x1b[31mse.z.final");
    is_plain(footfall("experiments", "run", "e1", "--table", "--from", temporary("nasty")), "se.z.final is ");
    if (strstr(footfall_version(), "HDF5")) is_plain(footfall("plot", temporary("nasty/out")), "bodies.ba\\x1b[31mse");
}

// And so are those of a command line, which may have come with a file from elsewhere.
TEST(a_command_line_that_would_colour_the_screen)
{
    needs("libyaml");
    stays_plain(footfall("run", "no\x1b[31m.yaml"), "no\\x1b[31m.yaml: error: ");
    stays_plain(footfall("check", "no\x1b[31m.yaml"), "no\\x1b[31m.yaml: error: ");
    stays_plain(footfall("plot", "no\x1b[31m.h5"), "no\\x1b[31m.h5");
    stays_plain(footfall("ru\x1b[31m"), "unknown command \"ru\\x1b[31m\"");
    stays_plain(footfall("run", "a.yaml", "--ou\x1b[31m"), "unknown option --ou\\x1b[31m");
    stays_plain(footfall("keys", "no\x1b[31m"), "no\\x1b[31m");
    const char *file = write_file("still.yaml", "footfall: 1\ntime: 0.01\nobjects: [{name: a, sphere: 1, mass: 1}]\n");
    stays_plain(footfall("run", file, "--set", "a\x1b[31mb=3"), "--set a\\x1b[31mb: error: ");
    stays_plain(footfall("run", file, "--out", temporary("o\x1b[31m")), "o\\x1b[31m/summary.json");
}

// The cause comes first, and a file that is there is not missing.
TEST(a_damaged_mesh_that_a_mass_depends_on)
{
    needs("libyaml");
    write_file("cut.stl", "solid cut\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
    outcome o = footfall("check", write_file("of_mesh.yaml", "footfall: 1\ntime: 0.1\n"
                                                             "objects: [{name: p, mesh: cut.stl, mass: 1}]\n"));
    CHECK_INT(o.code, 2);
    const char *cause = strstr(o.out, "warning: shape left empty"), *follows = strstr(o.out, "could not be loaded");
    CHECK(cause && follows && cause < follows);
    CHECK(!strstr(o.out, "missing"));
}

TEST(an_empty_file)
{
    is_refused(write_file("empty.urdf", ""), "empty.urdf", "empty");
    is_refused(write_file("empty.yaml", ""), "empty.yaml", "empty");
}

TEST(a_folder)
{
    is_refused("/", "/: ", "folder");
}

TEST(an_unreadable_file)
{
    if (geteuid() == 0) SKIP("root may read everything");
    const char *file = write_file("secret.urdf", "<robot/>");
    CHECK_INT(chmod(file, 0), 0);
    is_refused(file, "secret.urdf", "");
}

TEST(a_device_that_never_ends)
{
    is_refused("/dev/zero", "/dev/zero: ", "");
}

TEST(binary_junk)
{
    char junk[4096];
    unsigned state = 1;
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (char)((state = state * 1664525u + 1013904223u) >> 24);
    const char *file = temporary("junk.bin");
    FILE *out = fopen(file, "w");
    CHECK(out && fwrite(junk, 1, sizeof junk, out) == sizeof junk && fclose(out) == 0);
    is_refused(file, "junk.bin", "");
}

TEST(a_stray_control_character_has_a_place)
{
    is_refused(write_file("stray.yaml", "footfall: 1\nname: crane\nbodies:\n  base: {name: \"a\x1b[31m\"}\n"),
               "stray.yaml:4:18:", "\\x1b");
    is_refused(write_file("stray.urdf", "<robot name=\"crane\">\n  <link name=\"a\ab\"/>\n</robot>\n"),
               "stray.urdf:2:16:", "\\x07");
}

TEST(a_file_of_200_megabytes)
{
    const char *file = write_file("huge.urdf", "<robot name=\"r\">");
    CHECK_INT(truncate(file, 200LL << 20), 0);
    is_refused(file, "huge.urdf:1:1:", "64");
}

TEST(truncated_xml)
{
    needs("libxml2");
    is_refused(write_file("cut.urdf", "<robot name=\"r\">\n<link name=\"a\">\n  <inertial><mass val"),
               "cut.urdf:3:", "");
    is_refused(write_file("cut.xml", "<mujoco>\n <worldbody>\n  <body name=\"a\"><geom ty"), "cut.xml:3:", "");
}

TEST(an_entity_bomb)
{
    needs("libxml2");
    const char *file = write_file(
        "bomb.urdf", "<?xml version=\"1.0\"?>\n<!DOCTYPE robot [\n<!ENTITY a \"aaaaaaaaaaaaaaaaaaaa\">\n"
                     "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">\n"
                     "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">\n<!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">\n"
                     "<!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\">\n<!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\">\n"
                     "]>\n<robot name=\"&g;\"><link name=\"&g;\"/></robot>\n");
    is_refused(file, "bomb.urdf:", "");
}

static const char *nested_bodies(const char *name, int depth)
{
    const char *file = temporary(name);
    FILE *out = fopen(file, "w");
    CHECK(out != NULL);
    fprintf(out, "<mujoco><worldbody>\n");
    for (int i = 0; i < depth; i++) fprintf(out, "<body name=\"b%d\"><joint/><geom size=\"0.1\"/>\n", i);
    for (int i = 0; i < depth; i++) fprintf(out, "</body>");
    fprintf(out, "</worldbody></mujoco>\n");
    fclose(out);
    return file;
}

TEST(ten_thousand_nested_bodies)
{
    needs("libxml2");
    is_refused(nested_bodies("deep.xml", 10000), "deep.xml:", "");
}

TEST(a_urdf_chain_of_ten_thousand_links_ends_in_time)
{
    needs("libxml2");
    const int links = CHECK_LASTS(10000, 3000);
    const char *file = temporary("long.urdf");
    FILE *out = fopen(file, "w");
    CHECK(out != NULL);
    fprintf(out, "<robot name=\"long\">\n");
    for (int i = 0; i < links; i++) fprintf(out, "<link name=\"l%d\">" LINK_INERTIAL "</link>\n", i);
    for (int i = 1; i < links; i++)
        fprintf(out,
                "<joint name=\"j%d\" type=\"continuous\"><parent link=\"l%d\"/><child link=\"l%d\"/><axis xyz=\"0 1 "
                "0\"/></joint>\n",
                i, i - 1, i);
    fprintf(out, "</robot>\n");
    fclose(out);
    outcome o = footfall("check", file);
    CHECK(o.code == 0 || o.code == 2); // within the limits of the model or reported where it passes them
    CHECK_BELOW(o.seconds, 5);
}

TEST(a_cycle_of_links)
{
    needs("libxml2");
    const char *file = write_file(
        "cycle.urdf", "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n"
                      "<joint name=\"1\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
                      "<joint name=\"2\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint>\n"
                      "<joint name=\"3\" type=\"fixed\"><parent link=\"c\"/><child link=\"a\"/></joint>\n</robot>\n");
    is_refused(file, "cycle.urdf:", "");
}

TEST(two_trees_in_one_urdf)
{
    needs("libxml2");
    const char *file = write_file("two.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n</robot>\n");
    is_refused(file, "two.urdf:", "\"b\"");
}

TEST(a_parent_that_is_not_there)
{
    needs("libxml2");
    const char *file = write_file(
        "orphan.urdf",
        "<robot name=\"r\">\n<link name=\"a\"/><link name=\"b\"/>\n"
        "<joint name=\"j\" type=\"fixed\">\n<parent link=\"ghost\"/><child link=\"b\"/></joint>\n</robot>\n");
    is_refused(file, "orphan.urdf:4:", "ghost");
}

TEST(a_name_given_twice)
{
    needs("libxml2");
    is_refused(write_file("twice.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"a\"/>\n</robot>\n"),
               "twice.urdf:3:", "\"a\"");
    is_refused(write_file("twice.xml",
                          "<mujoco><worldbody>\n<body name=\"a\"><joint name=\"j\"/><geom size=\"1\"/></body>\n"
                          "<body name=\"a\"><joint/><geom size=\"1\"/></body></worldbody></mujoco>\n"),
               "twice.xml:3:", "\"a\"");
}

static void mass_is_refused(const char *mass, const char *words)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"><inertial>\n<mass value=\"%s\"/>"
             "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
             "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>\n",
             mass);
    is_refused(write_file("mass.urdf", text), "mass.urdf:", words);
}

TEST(numbers_no_mass_can_have)
{
    needs("libxml2");
    mass_is_refused("nan", "nan");
    mass_is_refused("inf", "inf");
    mass_is_refused("1e308", "1e308");
    mass_is_refused("1e400", "");
    mass_is_refused("-2", "-2");
    mass_is_refused("two", "two");
    mass_is_refused("", "");
}

TEST(inertia_no_body_can_have_is_refused_and_can_be_repaired)
{
    needs("libxml2");
    const char *file = write_file(
        "thin.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"1\"/>\n"
                     "<inertia ixx=\"1\" iyy=\"1\" izz=\"9\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
                     "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>\n");
    is_refused(file, "thin.urdf:", "\"b\"");
    outcome o = footfall("check", file, "--repair");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "\"b\"");
    CHECK_SAYS(o.out, "warning:");
}

TEST(yaml_that_is_none)
{
    needs("libyaml");
    is_refused(write_file("broken.yaml", "footfall: 1\nbodies: [\n  {name: a\n"), "broken.yaml:", "");
    is_refused(write_file("tabs.yaml", "footfall: 1\nname: x\n\tbodies: y\n"), "tabs.yaml:3:", "");
    is_refused(write_file("list.yaml", "- 1\n- 2\n"), "list.yaml:", "");
}

TEST(a_yaml_bomb)
{
    needs("libyaml");
    is_refused(
        write_file("bomb.yaml",
                   "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                   "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f "
                   "[*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                   "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n"),
        "bomb.yaml:", "");
}

TEST(the_good_files_of_a_list_do_not_hide_the_bad_one)
{
    needs("libxml2");
    char good[512];
    snprintf(good, sizeof good, "%s", write_file("good.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>\n"));
    const char *bad = write_file("bad.urdf", "<robot name=\"r\">\n<link/>\n</robot>\n");
    outcome o = footfall("check", good, bad, good);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "bad.urdf:2:");
    CHECK_SAYS(o.err, "3 files checked");
}

TEST(overrides_are_checked_with_the_scene)
{
    needs("libyaml");
    const char *file = write_file("plain.yaml", "footfall: 1\nobjects: [{sphere: 0.1, mass: 1}]\ntime: 1\n");
    outcome o = footfall("check", file, "--set", "time=2");
    CHECK_INT(o.code, 0);
    o = footfall("check", file, "--set", "time=2", "--set", "solver.step=-1");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "--set solver.step:1:1: error: 'step' is -1");
}

TEST(problems_of_reading_and_of_physics_come_together)
{
    needs("libxml2");
    const char *file = write_file(
        "both.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"1\"/>\n"
                     "<inertia ixx=\"1\" iyy=\"1\" izz=\"9\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
                     "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
                     "<limit lower=\"2\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint></robot>\n");
    outcome o = footfall("check", file);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "both.urdf:3:");
    CHECK_SAYS(o.out, "both.urdf:6:");
    CHECK_SAYS(o.err, "2 errors");
}

// A rate that is no multiple of the step is no mistake, but a note says what is done; a mistake in a sensor is reported
// even if sensors are switched off.
TEST(sensor_rates_between_steps_and_mistakes_of_sensors)
{
    needs("libyaml");
#define PENDULUM                                                                                                       \
    "footfall: 1\nname: arm\nbodies:\n  upper:\n    joint: {name: hinge, axis: y}\n"                                   \
    "    inertial: {mass: 1.0, box: [1, 1, 1]}\nsensors:\n"
    const char *robot = write_file("odd.yaml", PENDULUM "  a: {type: potentiometer, joint: hinge, rate: 333}\n"
                                                        "  b: {type: tachometer, joint: hinge, rate: 333}\n");
    const char *scene = write_file("odd_scene.yaml", "footfall: 1\nrobot: odd.yaml\neffects: {sensors: real}\n"
                                                     "solver: {method: rk4, step: 1 ms}\ntime: 0.01\n");
    CHECK_INT(footfall("check", robot).code, 0);
    outcome o = footfall("run", scene, "--out", temporary("odd"));
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "odd.yaml:8:3: note: sensor 'a' and 1 more at 333 Hz: a sample every 3.003 steps of 0.001 s");
    CHECK_SAYS(o.err, "steps are cut short at samples");
    o = footfall("check", scene);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "note: sensor 'a' and 1 more");
    robot = write_file("wrong.yaml", PENDULUM "  a: {type: potentiometer, joint: hinge, rate: -3}\n");
    o = footfall("check", robot);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "wrong.yaml:8:48: error: 'rate' is -3 Hz: it must be above 0");
    scene = write_file("wrong_scene.yaml", "footfall: 1\nrobot: wrong.yaml\n");
    is_refused(scene, "wrong.yaml:8:48: ", "'rate' is -3 Hz: it must be above 0");
}
