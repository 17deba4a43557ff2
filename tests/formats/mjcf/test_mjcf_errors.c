// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF that must be refused: each fault is found with file, line and column and a message that says what to do, and
// hostile files are answered in bounded time.
#include "check.h"
#include "support/folder.h"

#include <footfall/load.h>
#include <footfall/model.h>
#include <time.h>

#define HEAD  "<mujoco>\n<worldbody>\n"
#define TAIL  "\n</worldbody></mujoco>"
#define POINT "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static ff_report report;

static ff_status parse_in(const char *text, const char *file)
{
    ff_report_clear(&report);
    ff_spec *spec = ff_spec_create(NULL);
    CHECK(spec != NULL);
    ff_status status = ff_spec_parse(spec, "mjcf", text, strlen(text), file, NULL, &report);
    ff_spec_destroy(spec);
    if (status == FF_NOT_BUILT) SKIP("built without libxml2");
    return status;
}

/// Refused with exactly one error, which stands at this place and says these words.
static void refuse(const char *text, int line, int column, const char *words)
{
    ff_status status = parse_in(text, "robot.xml");
    if (status == FF_OK || report.errors != 1)
        CHECK_FAIL("status %d with %d errors for %s", (int)status, report.errors, text);
    const ff_message *first = NULL;
    for (int i = 0; i < report.count && !first; i++)
        if (report.messages[i].severity == FF_ERROR) first = &report.messages[i];
    CHECK_SAYS(first->text, words);
    CHECK_TEXT(first->file, "robot.xml");
    CHECK_INT(first->line, line);
    CHECK_INT(first->column, column);
}

TEST(a_file_that_is_no_mjcf)
{
    refuse("<robot/>", 1, 1, "<mujoco>");
    refuse("<mujoco><compiler coordinate='world'/></mujoco>", 1, 9, "global");
    refuse("<mujoco><compiler coordinate='global'/><worldbody>\n<body/></worldbody></mujoco>", 2, 1, "pos");
    refuse("<mujoco>\n  <compiler eulerseq='xyw'/></mujoco>", 2, 3, "xyw");
    refuse("<mujoco>\n<compiler angle='grad'/></mujoco>", 2, 1, "radian");
    refuse("<mujoco>\n<option gravity='0 0'/></mujoco>", 2, 1, "gravity");
}

#define SERVO(numbers)                                                                                                 \
    HEAD "<body><joint name='j'/>" POINT "</body></worldbody>\n<actuator><position joint='j' " numbers                 \
         "/></actuator></mujoco>"

TEST(faults_of_damping)
{
    refuse(SERVO("kv='1' dampratio='1'"), 4, 11, "give one of them");
    refuse(SERVO("dampratio='-1'"), 4, 11, "dampratio is -1");
    refuse(SERVO("kv='-2'"), 4, 11, "kv is -2");
    refuse(HEAD "<body>\n<joint springdamper='0.1 0'/>" POINT "</body>" TAIL, 4, 1, "springdamper is 0.1 0");
    refuse(HEAD "<body>\n<joint springdamper='-1 1'/>" POINT "</body>" TAIL, 4, 1, "springdamper is -1 1");
}

#define MEASURED(sensor)                                                                                               \
    HEAD "<body name='b'><joint name='j'/>" POINT "<site name='s'/></body></worldbody>\n<sensor>" sensor               \
         "</sensor></mujoco>"

TEST(faults_of_sensors)
{
    refuse(MEASURED("<gyro site='s' cutoff='-1'/>"), 4, 9, "cutoff is -1");
    refuse(MEASURED("<gyro site='s' noise='-2'/>"), 4, 9, "noise is -2");
    refuse(MEASURED("<framepos objtype='site' objname='s' reftype='body'/>"), 4, 9, "needs a refname");
    refuse(MEASURED("<framepos objtype='foo' objname='s'/>"), 4, 9, "objtype is 'foo'");
    refuse(MEASURED("<framepos objtype='joint' objname='j'/>"), 4, 9, "objtype is 'joint'");
    refuse(MEASURED("<jointlimitpos joint='j'/>"), 4, 9, "\"j\" has no limits");
}

#define DRIVEN(actuator)                                                                                               \
    HEAD "<body name='b'><joint name='j'/>" POINT "</body></worldbody>\n<actuator>" actuator "</actuator></mujoco>"

TEST(laws_of_actuators_that_need_a_range)
{
    refuse(DRIVEN("<damper joint='j'/>"), 4, 11, "<damper> needs a ctrlrange");
    refuse(DRIVEN("<adhesion body='b'/>"), 4, 11, "<adhesion> needs a ctrlrange");
    refuse(DRIVEN("<intvelocity joint='j'/>"), 4, 11, "<intvelocity> needs an actrange");
    refuse(DRIVEN("<adhesion body='world' ctrlrange='0 1'/>"), 4, 11, "acts on the world");
}

/// The description, to destroy.
static ff_spec *accept(const char *text)
{
    ff_report_clear(&report);
    ff_spec *spec = ff_spec_create(NULL);
    const ff_status status = ff_spec_parse(spec, "mjcf", text, strlen(text), "robot.xml", NULL, &report);
    if (status == FF_NOT_BUILT) SKIP("built without libxml2");
    if (status != FF_OK) CHECK_FAIL("%s", report.messages[0].text);
    return spec;
}

/// A muscle on a tendon of a body with this joint.
static ff_model *with_muscle(const char *joint, const char *tendon, const char *muscle)
{
    char text[1000];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><site name='w'/>\n<body pos='1 0 0'>" POINT "%s<site name='p'/></body></worldbody>"
             "<tendon>%s</tendon>\n<actuator><muscle tendon='t' force='10' %s/></actuator></mujoco>",
             joint, tendon, muscle);
    ff_spec *spec = accept(text);
    ff_model *m = ff_model_compile(spec, NULL, &report);
    ff_spec_destroy(spec);
    return m;
}

#define STRING(more) "<spatial name='t' " more "><site site='w'/><site site='p'/></spatial>"
#define SUM          "<fixed name='t'><joint joint='j' coef='1'/></fixed>"

TEST(a_muscle_has_lengths_that_end)
{
    static const char *const endless[][2] = {{"<joint name='j' type='slide' axis='1 0 0'/>", STRING("")},
                                             {"<freejoint name='j'/>", STRING("")},
                                             {"<joint name='j' type='ball'/>", STRING("")},
                                             {"<joint name='j'/>", SUM}};
    for (int i = 0; i < 4; i++) {
        CHECK(with_muscle(endless[i][0], endless[i][1], "") == NULL);
        CHECK_SAYS(report.messages[0].text, "set 'lengthrange', or limits");
        CHECK_INT(report.messages[0].line, 3);
        CHECK_INT(report.messages[0].column, 11);
        ff_model *given = with_muscle(endless[i][0], endless[i][1], "lengthrange='0.5 2'");
        CHECK(given != NULL);
        ff_model_destroy(given);
    }
    // limits of the joint: 1 m and from 0.5 m less to 1 m more; a string about a hinge is as it was after a turn
    ff_model *m = with_muscle("<joint name='j' type='slide' axis='1 0 0' range='-.5 1'/>", STRING(""), "");
    CHECK(m != NULL);
    CHECK_NEAR(m->actuators[0].length_range[0], 0.5, 1e-9);
    CHECK_NEAR(m->actuators[0].length_range[1], 2.0, 1e-9);
    ff_model_destroy(m);
    m = with_muscle("<joint name='j' axis='0 1 0' pos='-.7 0 0'/>", STRING(""), ""); // circle of 0.7 m about 0.3 m
    CHECK(m != NULL);
    CHECK_NEAR(m->actuators[0].length_range[0], 0.4, 1e-6);
    CHECK_NEAR(m->actuators[0].length_range[1], 1.0, 1e-6);
    ff_model_destroy(m);
}

static void solref_becomes(const char *option, const char *solref, double first, double second, const char *warning)
{
    char text[500];
    snprintf(text, sizeof text, "<mujoco>%s<worldbody>\n<geom size='1' solref='%s'/></worldbody></mujoco>", option,
             solref);
    ff_spec *spec = accept(text);
    CHECK_NEAR(spec->geoms[0].mjcf.solref[0], first, 0);
    CHECK_NEAR(spec->geoms[0].mjcf.solref[1], second, 0);
    ff_spec_destroy(spec);
    CHECK_INT(report.warnings, warning != NULL);
    if (!warning) return;
    CHECK_SAYS(report.messages[0].text, warning);
    CHECK_INT(report.messages[0].line, 2);
    CHECK_INT(report.messages[0].column, 1);
}

TEST(a_solref_that_no_contact_can_have_is_replaced)
{
    static const char *const mixed[] = {"-100 1", "0.02 0", "0.02 -1", "0 0", "0 -10", "-100"};
    for (int i = 0; i < 6; i++) solref_becomes("", mixed[i], 0.02, 1, "0.02 1 is taken");
    solref_becomes("", "1e-9 0.5", 0.004, 0.5, "raised to 0.004 s");
    solref_becomes("<option timestep='0.0005'/>", "0.0008 1", 0.001, 1, "raised to 0.001 s");
    solref_becomes("<option timestep='0.0005'/>", "0.001 1", 0.001, 1, NULL);
    solref_becomes("", "-100 -5", -100, -5, NULL);
    solref_becomes("", "-100 0", -100, 0, NULL);
}

TEST(faults_of_orientations)
{
    refuse(HEAD "<body quat='0 0 0 0'/>" TAIL, 3, 1, "length");
    refuse(HEAD "<body axisangle='0 0 0 1'/>" TAIL, 3, 1, "axisangle");
    refuse(HEAD "<body xyaxes='1 0 0 2 0 0'/>" TAIL, 3, 1, "y axis");
    refuse(HEAD "<body zaxis='0 0 0'/>" TAIL, 3, 1, "zaxis");
    refuse(HEAD "<body quat='1 0 0 0' euler='0 0 0'/>" TAIL, 3, 1, "2 orientations");
    refuse(HEAD "<body quat='1 0 0'/>" TAIL, 3, 1, "quat");
    refuse(HEAD "<body pos='1 2 nan'/>" TAIL, 3, 1, "nan");
    refuse(HEAD "<body pos='1 2 1e308'/>" TAIL, 3, 1, "1e308");
    refuse(HEAD "<frame zaxis='0 0 0'><body/></frame>" TAIL, 3, 1, "zaxis");
}

TEST(faults_of_bodies_and_joints)
{
    refuse(HEAD "<joint/>" TAIL, 3, 1, "world");
    refuse(HEAD "<freejoint/>" TAIL, 3, 1, "world");
    refuse(HEAD POINT TAIL, 3, 1, "world");
    refuse(HEAD "<body name='world'/>" TAIL, 3, 1, "world");
    refuse(HEAD "<body>" POINT "\n" POINT "</body>" TAIL, 4, 1, "two <inertial>");
    refuse(HEAD "<body><body>\n <freejoint/></body></body>" TAIL, 4, 2, "free joint");
    refuse(HEAD "<body><joint/>\n <freejoint/></body>" TAIL, 4, 2, "share");
    refuse(HEAD "<body><freejoint/>\n <joint/></body>" TAIL, 4, 2, "share");
    refuse(HEAD "<body><joint type='ball'/><joint type='ball'/>\n<joint/></body>" TAIL, 4, 1, "7 degrees");
    refuse(HEAD "<body><joint axis='0 0 0'/></body>" TAIL, 3, 7, "axis");
    refuse(HEAD "<body><joint type='planar'/></body>" TAIL, 3, 7, "planar");
    refuse(HEAD "<body><joint range='2 1'/></body>" TAIL, 3, 7, "2 to 1");
    refuse(HEAD "<body><joint limited='true'/></body>" TAIL, 3, 7, "0 to 0");
    refuse(HEAD "<body><joint type='ball' range='1 2'/></body>" TAIL, 3, 7, "start at 0");
    refuse(HEAD "<body><inertial mass='1'/></body>" TAIL, 3, 7, "pos");
    refuse(HEAD "<body><inertial pos='0 0 0'/></body>" TAIL, 3, 7, "mass");
    refuse(HEAD "<body><inertial pos='0 0 0' mass='1' quat='0 1 0 0' fullinertia='1 1 1 0 0 0'/></body>" TAIL, 3, 7,
           "fullinertia");
}

TEST(names_that_are_taken_show_both_places)
{
    refuse(HEAD "<body name='a'/>\n<body name='a'/>" TAIL, 4, 1, "robot.xml:3:1");
    refuse(HEAD "<body><joint name='j'/><joint name='j' axis='1 0 0'/></body>" TAIL, 3, 24, "robot.xml:3:7");
    refuse(HEAD "<geom name='g' size='1'/><geom name='g' size='1'/>" TAIL, 3, 26, "robot.xml:3:1");
    refuse(HEAD "<site name='s'/><site name='s'/>" TAIL, 3, 17, "robot.xml:3:1");
    refuse("<mujoco><default><default class='c'/>\n<default class='c'/></default></mujoco>", 2, 1, "robot.xml:1:18");
    refuse("<mujoco><keyframe><key name='k'/>\n<key name='k'/></keyframe></mujoco>", 2, 1, "robot.xml:1:19");
}

TEST(faults_of_classes)
{
    refuse("<mujoco><default>\n<default/></default></mujoco>", 2, 1, "class name");
    refuse(HEAD "<body childclass='x'/>" TAIL, 3, 1, "class \"x\"");
    refuse(HEAD "<geom class='x' size='1'/>" TAIL, 3, 1, "class \"x\"");
    refuse("<mujoco><default>\n<geom density='a'/></default></mujoco>", 2, 1, "density");
}

TEST(faults_of_geoms_and_assets)
{
    refuse(HEAD "<geom/>" TAIL, 3, 1, "positive size");
    refuse(HEAD "<geom type='box' size='1 1'/>" TAIL, 3, 1, "number 3 is 0");
    refuse(HEAD "<geom type='blob' size='1'/>" TAIL, 3, 1, "blob");
    refuse(HEAD "<geom fromto='0 0 0 1 0 0' size='1'/>" TAIL, 3, 1, "fromto");
    refuse(HEAD "<geom type='capsule' fromto='1 0 0 1 0 0' size='1 1'/>" TAIL, 3, 1, "fromto");
    refuse(HEAD "<geom size='1' mass='-1'/>" TAIL, 3, 1, "-1 kg");
    refuse(HEAD "<geom size='1' density='-1'/>" TAIL, 3, 1, "-1 kg/m^3");
    refuse(HEAD "<geom size='1' material='m'/>" TAIL, 3, 1, "material \"m\"");
    refuse(HEAD "<geom type='mesh'/>" TAIL, 3, 1, "name its mesh");
    refuse(HEAD "<geom type='mesh' mesh='m'/>" TAIL, 3, 1, "mesh \"m\"");
    refuse("<mujoco><asset>\n<mesh name='m'/></asset></mujoco>", 2, 1, "file or vertices");
    refuse("<mujoco><asset>\n<mesh name='m' vertex='0 0 0 1'/></asset></mujoco>", 2, 1, "4 numbers");
    refuse("<mujoco><asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset></mujoco>", 2, 1, "plane");
    refuse("<mujoco><asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'/></asset></mujoco>", 2, 1,
           "vertex 4");
    refuse("<mujoco><asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 x 1'/></asset></mujoco>", 2, 1,
           "number 11 is 'x'");
    refuse("<mujoco><asset>\n<mesh name='m' scale='1 0 1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset></mujoco>", 2, 1,
           "scale");
}

TEST(faults_of_what_names_others)
{
    refuse("<mujoco><actuator>\n<motor joint='j'/></actuator></mujoco>", 2, 1, "joint \"j\"");
    refuse("<mujoco><actuator>\n<motor joint='j' site='s'/></actuator></mujoco>", 2, 1, "not on several");
    refuse("<mujoco><sensor>\n<gyro site='s'/></sensor></mujoco>", 2, 1, "site \"s\"");
    refuse("<mujoco><contact>\n<exclude body1='a' body2='world'/></contact></mujoco>", 2, 1, "body \"a\"");
    refuse("<mujoco><contact>\n<exclude body1='world'/></contact></mujoco>", 2, 1, "body2");
    refuse("<mujoco><equality>\n<connect body1='a' anchor='0 0 0'/></equality></mujoco>", 2, 1, "body \"a\"");
    refuse("<mujoco><equality>\n<joint joint1='a'/></equality></mujoco>", 2, 1, "joint \"a\"");
    refuse("<mujoco><worldbody><site name='b'/></worldbody><equality>\n<weld site1='a' site2='b'/></equality></mujoco>",
           2, 1, "site \"a\"");
    refuse("<mujoco><keyframe>\n<key qpos='0 0 1e99'/></keyframe></mujoco>", 2, 1, "number 3 is '1e99'");
    refuse(HEAD
           "<body><joint name='b' type='ball'/></body></worldbody>\n<equality><joint joint1='b'/></equality></mujoco>",
           4, 11, "ball");
    refuse(HEAD "<body><joint name='j'/></body></worldbody>\n<actuator><motor joint='j' "
                "ctrllimited='true'/></actuator></mujoco>",
           4, 11, "ctrlrange");
}

TEST(names_inside_what_was_left_out_are_no_fault)
{
    CHECK_INT(parse_in(HEAD "<replicate count='2'><body name='b'><joint name='j'/></body></replicate></worldbody>"
                            "<actuator><motor joint='j0'/></actuator></mujoco>",
                       "robot.xml"),
              FF_OK);
}

// ------------------------------------------------------------------------------------------ includes

static void check_include(const char *text, int line, int column, const char *words)
{
    ff_status status = parse_in(text, in_folder("main.xml"));
    CHECK(status != FF_OK);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, words);
    CHECK_INT(report.messages[0].line, line);
    CHECK_INT(report.messages[0].column, column);
}

TEST(faults_of_includes)
{
    write_file("main.xml", "");
    write_file("ok.xml", "<mujocoinclude><geom size='1'/></mujocoinclude>");
    write_file("self.xml", "<mujoco>\n<include file='self.xml'/></mujoco>");
    write_file("back.xml", "<mujoco>\n <include file='main.xml'/></mujoco>");
    write_file("other.xml", "<robot/>");
    write_file("broken.xml", "<mujoco>\n<worldbody></mujoco>");
    check_include("<mujoco><include/></mujoco>", 1, 9, "file");
    check_include("<mujoco><include file='none.xml'/></mujoco>", 1, 9, "none.xml");
    check_include("<mujoco><include file='.'/></mujoco>", 1, 9, "");
    check_include("<mujoco><include file='/dev/zero'/></mujoco>", 1, 9, "/dev/zero");
    check_include("<mujoco><include file='self.xml'/></mujoco>", 2, 1, "included already");
    check_include("<mujoco><include file='back.xml'/></mujoco>", 2, 2, "includes itself");
    check_include("<mujoco><worldbody><include file='ok.xml'/>\n<include file='./ok.xml'/></worldbody></mujoco>", 2, 1,
                  "included already");
    check_include("<mujoco><include file='other.xml'/></mujoco>", 1, 1, "<mujocoinclude>");
    ff_status status = parse_in("<mujoco><include file='broken.xml'/></mujoco>", in_folder("main.xml"));
    CHECK(status != FF_OK && report.errors > 0);
    CHECK_SAYS(report.messages[0].file, "broken.xml");
    CHECK_INT(report.messages[0].line, 2);
}

// ------------------------------------------------------------------------------------------ hostile files

/// `open` n times, `middle`, then `close` n times, between head and tail.
static char *nest(const char *head, const char *open, const char *middle, const char *close, const char *tail, int n)
{
    size_t size = strlen(head) + strlen(middle) + strlen(tail) + (size_t)n * (strlen(open) + strlen(close)) + 1;
    char *text = malloc(size), *at = text;
    CHECK(text != NULL);
    at = stpcpy(at, head);
    for (int i = 0; i < n; i++) at = stpcpy(at, open);
    at = stpcpy(at, middle);
    for (int i = 0; i < n; i++) at = stpcpy(at, close);
    stpcpy(at, tail);
    return text;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // a busy machine must not fail the test
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(ten_thousand_nested_elements_are_refused)
{
    static const char *const open[] = {"<body>", "<frame>", "<default class='a'>"};
    static const char *const close[] = {"</body>", "</frame>", "</default>"};
    static const char *const head[] = {"<mujoco><worldbody>", "<mujoco><worldbody>", "<mujoco><default>"};
    static const char *const tail[] = {"</worldbody></mujoco>", "</worldbody></mujoco>", "</default></mujoco>"};
    for (int i = 0; i < 3; i++) {
        char *text = nest(head[i], open[i], "", close[i], tail[i], 10000);
        ff_status status = parse_in(text, "robot.xml");
        free(text);
        CHECK(status != FF_OK);
        CHECK_SAYS(report.messages[0].text, "2000");
    }
}

TEST(many_elements_cost_linear_time)
{
    // a weld at rest asks for the pose of a body 1500 deep; 10 s leave room for sanitizers on a busy machine
    double start = seconds();
    char *welds = nest("</worldbody><equality>", "<weld body1='a'/>", "", "", "</equality></mujoco>", 100000);
    char *text = nest("<mujoco><worldbody>", "<body>", "<body name='a'/>", "</body>", welds, 1500);
    ff_status status = parse_in(text, "robot.xml");
    free(welds);
    free(text);
    CHECK_INT(status, FF_OK);
    CHECK_BELOW(seconds() - start, 10.0);
}

TEST(only_so_many_classes_are_held)
{
    char *text = malloc(2000000), *at = text;
    CHECK(text != NULL);
    at += sprintf(at, "<mujoco><default>");
    for (int i = 0; i < 30000; i++) at += sprintf(at, "<default class='c%d'/>", i);
    sprintf(at, "</default></mujoco>");
    ff_status status = parse_in(text, "robot.xml");
    free(text);
    CHECK(status != FF_OK);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, "20000");
}

TEST(junk_and_cut_files_are_refused)
{
    refuse("<mujoco><worldbody>", 1, 20, "");
    CHECK(parse_in("\x01\x02\x03", "robot.xml") != FF_OK);
    CHECK(report.errors > 0);
    CHECK(parse_in("", "robot.xml") != FF_OK);
    CHECK(report.errors > 0);
}
