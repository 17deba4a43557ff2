// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files on disk: the format is recognised by the content, what cannot be a robot is refused in bounded time and memory,
// meshes are found, and public robots load.
#include "support/folder.h"
#include "support/message.h"
#include "urdf/urdf_helpers.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#define SHARED FF_SOURCE_DIR "/../shared/models/urdf/example-robot-data/robots/"

static ff_status load_with(const char *path, const ff_load_options *options)
{
    if (!ff_xml_available()) SKIP("built without libxml2");
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    spec = ff_spec_create(NULL);
    return ff_spec_load(spec, path, options, &report);
}

static void check_refused(const char *path, const char *words)
{
    CHECK(load_with(path, NULL) != FF_OK);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, words);
    CHECK_TEXT(report.messages[0].file, path);
}

TEST(the_format_is_reported_from_the_content)
{
    CHECK_INT(load_with(write_file("a.xml", "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- <mujoco> -->\n<robot name='r'>"
                                            "<link name='a'/></robot>"),
                        NULL),
              FF_OK);
    CHECK_TEXT(spec->name, "r");
    CHECK_INT(load_with(write_file(
                            "b.urdf",
                            "<mujoco model='m'><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>"),
                        NULL),
              FF_OK);
    CHECK_TEXT(spec->bodies[0].name, "b");
    char wide[200] = {'\xFF', '\xFE'};
    const char plain[] = "<robot name='wide'><link name='a'/></robot>";
    for (size_t i = 0; i < sizeof plain - 1; i++) wide[2 + 2 * i] = plain[i];
    CHECK_INT(load_with(write_bytes("wide.urdf", wide, 2 * sizeof plain), NULL), FF_OK);
    CHECK_TEXT(spec->name, "wide");
    check_refused(write_file("c.urdf", "\n <sdf version='1.7'/>"), "<sdf>");
    CHECK_INT(report.messages[0].line, 2);
    CHECK_INT(report.messages[0].column, 2);
}

TEST(what_is_no_text_is_refused)
{
    char junk[3000];
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (char)(i * 7919 >> 3);
    check_refused(write_bytes("junk.urdf", junk, sizeof junk), "binary file");
    check_refused(write_bytes("junk2.urdf", "\0\xFF\xFE<\x80robot\x01: -", 15), "binary file");
    check_refused(write_bytes("zero.urdf", (char[100]){0}, 100), "binary file");
    check_refused(write_file("empty.urdf", ""), "empty");
    check_refused(write_file("blank.urdf", " \n\t "), "empty");
    check_refused(write_file("open.urdf", "<!-- never closed"), "cut short");
    check_refused(write_file("cut.urdf", "<robot name='r'><link name='a'><inert"), "cut short");
    check_refused(in_folder("absent.urdf"), "No such file");
    check_refused(test_folder(), "not a regular file");
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // a busy machine must not fail the test
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(pipes_and_devices_do_not_hang_a_load)
{
    double start = seconds();
    const char *pipe = in_folder("pipe.urdf");
    CHECK_INT(mkfifo(pipe, 0600), 0);
    check_refused(pipe, "not a regular file");
    check_refused("/dev/zero", "not a regular file");
    // nor does a mesh that is one
    char text[600];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><visual><geometry><mesh filename='file://%s'/></geometry></visual>"
             "<visual><geometry><mesh filename='/dev/zero'/></geometry></visual></link></robot>",
             pipe);
    CHECK_INT(load_with(write_file("pipe-mesh.urdf", text), NULL), FF_OK);
    CHECK_INT(report.warnings, 2);
    CHECK_BELOW(seconds() - start, 5.0); // [s]
}

TEST(a_file_of_200_mb_is_refused_unread)
{
    const char *path = in_folder("huge.urdf");
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK(file >= 0);
    const off_t size = (off_t)200 << 20;
    CHECK_INT(ftruncate(file, size), 0); // sparse: takes no disk
    close(file);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    double start = seconds();
    check_refused(path, "209715200");
    CHECK_SAYS(report.messages[0].text, "67108864"); // the limit it passed
    CHECK_BELOW(seconds() - start, 1.0);             // [s]
    getrusage(RUSAGE_SELF, &after);
    CHECK_BELOW((double)(after.ru_maxrss - before.ru_maxrss), 10000.0); // [KiB] nothing of it was held
    // and where the user allows it, the zeros are seen to be no robot
    ff_load_options options = ff_load_options_default();
    options.max_bytes = 1000;
    CHECK(load_with(write_file("small.urdf", "<robot name='r'><link name='a'/></robot>"), &options) == FF_OK);
    options.max_bytes = 10;
    CHECK(load_with(in_folder("small.urdf"), &options) != FF_OK);
    unlink(path);
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Loads a robot in `where` whose one mesh is `reference`; true when the mesh was found.
static bool finds(const char *where, const char *reference, const ff_load_options *options)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='%s'/></geometry></visual></link></robot>",
        reference);
    CHECK_INT(load_with(write_file(where, text), options), FF_OK);
    CHECK_INT(spec->nmesh, 1);
    return spec->meshes[0].path != NULL;
}

TEST(meshes_are_found_through_packages_and_relative_paths)
{
    static const char *const folders[] = {
        "my_robot", "my_robot/urdf", "my_robot/meshes", "other",        "other/meshes",
        "path",     "path/far",      "prefix",          "prefix/share", "prefix/share/near"};
    for (int i = 0; i < 10; i++) mkdir(in_folder(folders[i]), 0700);
    write_file("my_robot/meshes/leg.obj", tetrahedron);
    write_file("other/meshes/arm.obj", tetrahedron);
    write_file("path/far/hand.obj", tetrahedron);
    write_file("prefix/share/near/toe.obj", tetrahedron);
    const char *file = "my_robot/urdf/r.urdf";
    CHECK(finds(file, "package://my_robot/meshes/leg.obj", NULL)); // walking up from the file
    CHECK(finds(file, "package://other/meshes/arm.obj", NULL));    // beside a folder on the way up
    CHECK(finds(file, "model://my_robot/meshes/leg.obj", NULL));
    CHECK(finds(file, "../meshes/leg.obj", NULL));
    CHECK(!finds(file, "meshes/leg.obj", NULL));
    CHECK(!finds(file, "package://far/hand.obj", NULL));
    CHECK_SAYS(report.messages[0].text, "there is no folder \"far\" above the robot file");
    CHECK(!finds(file, "package://my_robot/meshes/arm.obj", NULL)); // the package is there, its file is not
    CHECK_SAYS(report.messages[0].text, "/my_robot has no such file");
    CHECK(!finds(file, "package://my_robot", NULL));
    CHECK(!finds(file, "package://my_robot/meshes", NULL)); // a folder
    char path[300];
    snprintf(path, sizeof path, "file://%s", in_folder("my_robot/meshes/leg.obj"));
    CHECK(finds(file, path, NULL));
    CHECK(finds(file, path + 7, NULL));
    const char *search[] = {in_folder("nothing"), in_folder("path")};
    ff_load_options options = ff_load_options_default();
    options.search_paths = search;
    options.nsearch_path = 2;
    CHECK(finds(file, "package://far/hand.obj", &options));
    CHECK(finds(file, "far/hand.obj", &options));
    snprintf(path, sizeof path, "/nowhere:%s", in_folder("path"));
    setenv("ROS_PACKAGE_PATH", path, 1);
    CHECK(finds(file, "package://far/hand.obj", NULL));
    unsetenv("ROS_PACKAGE_PATH");
    setenv("AMENT_PREFIX_PATH", in_folder("prefix"), 1);
    CHECK(finds(file, "package://near/toe.obj", NULL));
    unsetenv("AMENT_PREFIX_PATH");
}

/// Total mass and number of degrees of freedom of a public robot with a free base.
static void check_robot(const char *path, int nv, double mass, int missing_meshes)
{
    if (access(path, R_OK) != 0) SKIP("%s is not here", path);
    ff_load_options options = ff_load_options_default();
    options.floating = true;
    CHECK_INT(load_with(path, &options), FF_OK);
    int missing = 0;
    for (int i = 0; i < spec->nmesh; i++) missing += spec->meshes[i].path == NULL;
    CHECK_INT(missing, missing_meshes);
    options.repair = true;
    ff_model *model = ff_model_load(path, &options, &report);
    CHECK(model);
    int got_nv = model->nv, got_nq = model->nq;
    double got_mass = model->mass;
    bool free_first = model->joints[0].type == FF_JOINT_FREE;
    ff_model_destroy(model);
    CHECK_INT(got_nv, nv);
    CHECK_INT(got_nq, nv + 1);
    CHECK(free_first);
    CHECK_NEAR(got_mass, mass, 1e-9); // [kg] sums of about twenty numbers below 100
}

// Masses: the <mass value> of all links, added up by hand outside this project.
TEST(solo12_loads_with_its_meshes)
{
    check_robot(SHARED "solo_description/robots/solo12.urdf", 18, 2.50000279, 0);
    CHECK_INT(spec->nmesh, 10);
    for (int i = 0; i < spec->nmesh; i++) CHECK(spec->meshes[i].data || spec->meshes[i].problem);
}

TEST(anymal_loads_without_its_meshes)
{
    check_robot(SHARED "anymal_b_simple_description/robots/anymal.urdf", 18, 30.475397462, 7);
}

TEST(hyq_loads_with_its_motors)
{
    check_robot(SHARED "hyq_description/robots/hyq_no_sensors.urdf", 18, 86.774005, 4);
    CHECK_INT(spec->nactuator, 12);
    CHECK_TEXT(spec->actuators[0].name, "lf_haa_motor");
}

// Memory that runs out between two items must not give a robot that lacks one of them.
TEST(a_description_that_lost_something_is_not_compiled)
{
    ff_spec *tight = ff_spec_create(NULL);
    ff_report said = {0};
    ff_spec_body *body = ff_spec_add_body(tight, "base", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    for (int i = 0; i < 3; i++) body->inertia[i] = 1.0;
    ff_model *whole = ff_model_compile(tight, NULL, &said);
    int before = said.errors;
    tight->arena.limit = tight->arena.total; // what a machine without memory does
    ff_spec_joint *joint = NULL;
    for (int i = 0; i < 1000; i++)
        joint = ff_spec_add_joint(tight, "the name that finds no room any more", 0, FF_JOINT_HINGE);
    bool nameless = joint && !joint->name;
    tight->njoint = 0; // as a reader would that does not look
    ff_model *lacking = ff_model_compile(tight, NULL, &said);
    const char *text = message_of(&said, said.count - 1);
    bool first = whole != NULL, second = lacking != NULL;
    ff_model_destroy(whole);
    ff_model_destroy(lacking);
    ff_spec_destroy(tight);
    ff_report_clear(&said);
    CHECK(first && before == 0);
    CHECK(nameless && !second);
    CHECK_SAYS(text, "out of memory");
}

TEST(a_build_without_libxml2_says_so)
{
    if (ff_xml_available()) SKIP("libxml2 is there");
    ff_spec *empty = ff_spec_create(NULL);
    ff_report said = {0};
    ff_status status =
        ff_spec_load(empty, write_file("plain.urdf", "<robot name='r'><link name='a'/></robot>"), NULL, &said);
    int errors = said.errors;
    ff_spec_destroy(empty);
    ff_report_clear(&said);
    CHECK_INT(status, FF_NOT_BUILT);
    CHECK_INT(errors, 1);
}
