// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall report` and `footfall run --report` from outside.
#include "check.h"
#include "program.h"

static const char robot[] =
    "<mujoco model=\"pendulum\"><worldbody><body name=\"rod\">\n"
    "<joint name=\"hinge\" axis=\"0 1 0\"/><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1e-3 1e-3 1e-3\"/>\n"
    "</body></worldbody></mujoco>\n";

static const char scene[] = "footfall: 1\ntitle: A swing\nrobot: pendulum.xml\nstart: {joints: {hinge: 0.5}}\n"
                            "solver: {method: rk4, step: 1.0e-3}\ntime: 1\n"
                            "record: {rate: 100, channels: [energy]}\n"
                            "expect:\n  - {metric: time, is: 1, within: 1e-9, source: \"the clock\"}\n";

static void needs(bool pages)
{
    const char *version = footfall_version();
    if (!strstr(version, "libxml2") || !strstr(version, "libyaml") || !strstr(version, "HDF5"))
        SKIP("built without libxml2, libyaml or HDF5");
    if (!strstr(version, "reports") == pages) SKIP(pages ? "built without report pages" : "built with report pages");
    write_file("pendulum.xml", robot);
}

/// A failure names the words, not the megabyte they were looked for in.
static void page_says(const char *name, const char *words)
{
    if (!strstr(read_file(name), words)) CHECK_FAIL("%s does not say %s", name, words);
}

TEST(a_run_with_report_records_what_the_page_needs)
{
    needs(true);
    outcome o = footfall("run", write_file("swing.yaml", scene), "--report");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "out/swing/report.html");
    page_says("out/swing/report.html", "<!doctype html>");
    page_says("out/swing/report.html", "{\"name\":\"q\"");
    page_says("out/swing/report.html", "{\"name\":\"com.pos\"");
    page_says("out/swing/report.html", "\"title\":\"A swing\"");
    page_says("out/swing/report.html",
              "\"expectations\":[{\"metric\":\"time\",\"is\":1,"); // evaluated by the run, not by the page
    o = footfall("plot", "out/swing");
    CHECK_SAYS(o.out, "energy.total"); // what the scene asked for is there too
}

TEST(a_scene_that_records_nothing_gets_a_report_too)
{
    needs(true);
    outcome o = footfall("run", write_file("bare.yaml", "footfall: 1\nrobot: pendulum.xml\ntime: 0.5\n"), "--report",
                         "--quiet");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    page_says("out/bare/report.html", "\"kept\":51,\"of\":51"); // 100 a second
    // The text of the scene is that of its file: a page must not describe another run.
    o = footfall("run", temporary("bare.yaml"), "--report", "--quiet", "--time", "0.25", "--set", "solver.step=1e-4");
    page_says("out/bare/report.html", "changed values of its scene: time=0.25; solver.step=1e-4.");
}

// It has feet, and measures of walking only where there is something to walk on.
TEST(a_robot_with_legs_in_the_air_gets_a_report_too)
{
    needs(true);
    outcome o = footfall(
        "run", write_file("air.yaml", "footfall: 1\nrobot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ntime: 0.02\n"),
        "--report", "--quiet");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    page_says("out/air/report.html", "\"kept\":3,\"of\":3");
}

TEST(a_report_says_what_its_run_lacks)
{
    needs(true);
    CHECK_INT(footfall("run", write_file("swing.yaml", scene), "--quiet").code, 0);
    outcome o = footfall("report", "out/swing", "-o", "page.html");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "page.html\n");
    CHECK_SAYS(o.err, "no replay");
    CHECK_SAYS(o.err, "--report");
    o = footfall("report", "out/swing", "-o", "out/swing/run.h5");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "out/swing/run.h5 is there, and is no report: it would be lost");
    CHECK_INT(footfall("report", "out/swing", "-o", "page.html").code, 0); // a report may be replaced
    remove(temporary("out/swing/summary.json"));
    o = footfall("report", "out/swing/run.h5");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "out/swing/report.html\n");
    CHECK_SAYS(o.err, "no summary.json");
}

TEST(what_is_no_run_is_refused)
{
    needs(true);
    outcome o = footfall("report", "nowhere");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "no such file or folder");
    CHECK_INT(footfall("report", write_file("fake.h5", "\x89HDF\r\n\x1a\nnonsense")).code, 2);
    CHECK_INT(footfall("report").code, 1);
    CHECK_INT(footfall("report", "a", "b").code, 1);
}

TEST(a_build_without_pages_says_how_to_get_them)
{
    needs(false);
    outcome o = footfall("run", write_file("swing.yaml", scene), "--report");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "FOOTFALL_STUDIO=ON");
    CHECK_INT(footfall("run", temporary("swing.yaml"), "--quiet").code, 0);
    o = footfall("report", "out/swing");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "FOOTFALL_STUDIO=ON");
}
