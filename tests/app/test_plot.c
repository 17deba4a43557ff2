// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall plot` from outside: figures of each kind, names that are near, and names that try to be commands.
#include "check.h"
#include "program.h"

#include <sys/resource.h>
#include <sys/stat.h>

static const char robot[] =
    "<mujoco model=\"pendulum\"><worldbody><body name=\"%s\">\n"
    "<joint name=\"hinge\" axis=\"0 1 0\"/><inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1e-3 1e-3 1e-3\"/>\n"
    "</body></worldbody></mujoco>\n";

static const char scene[] = "footfall: 1\nrobot: pendulum.xml\nstart: {joints: {hinge: 0.5}}\n"
                            "solver: {method: rk4, step: 1.0e-3}\ntime: 2\n"
                            "record: {rate: 100, channels: [q, energy, com, bodies]}\n";

/// Half a minute of work for all tests together is not wanted: one run, 2 s of a pendulum.
static void needs_run(const char *body)
{
    const char *version = footfall_version();
    if (!strstr(version, "libxml2") || !strstr(version, "libyaml") || !strstr(version, "HDF5"))
        SKIP("built without libxml2, libyaml or HDF5");
    char text[1024];
    snprintf(text, sizeof text, robot, body);
    write_file("pendulum.xml", text);
    outcome o = footfall("run", write_file("swing.yaml", scene), "--quiet");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
}

static void needs_gnuplot(void)
{
    if (footfall("plot", "out/swing", "com", "-o", "probe.svg").code != 0) {
        if (strstr(footfall("plot", "out/swing", "com", "-o", "probe.svg").err, "gnuplot is not installed"))
            SKIP("gnuplot is not here");
        CHECK_FAIL("no figure: %s", footfall("plot", "out/swing", "com", "-o", "probe.svg").err);
    }
}

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) count++;
    return count;
}

TEST(without_channels_they_are_listed)
{
    needs_run("rod");
    outcome o = footfall("plot", "out/swing");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "com.pos ");
    CHECK_SAYS(o.out, "[m]  x y z");
    CHECK_SAYS(o.out, "energy.total");
    CHECK_INT(footfall("plot", "out/swing/run.h5").code, 0);
}

// gnuplot does not look whether its picture arrives.
TEST(a_full_disk_leaves_no_half_of_a_figure)
{
    needs_run("rod");
    needs_gnuplot();
    static const char *const names[] = {"half.svg", "half.png", "half.pdf"};
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    for (int i = 0; i < 6; i++) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){i < 3 ? 4000 : 0, before.rlim_max}); // [byte]
        outcome o = footfall("plot", "out/swing", "energy", "com", "-o", names[i % 3]);
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_INT(o.code, 3);
        if (i < 3) CHECK_SAYS(o.err, "the figure could not be written to its end: File too large");
        CHECK_INT(footfall("plot", "out/swing", "energy", "com", "-o", names[i % 3]).code, 0); // and whole
    }
}

TEST(panels_and_curves_are_those_asked_for)
{
    needs_run("rod");
    needs_gnuplot();
    outcome o = footfall("plot", "out/swing", "com.pos.z", "energy.kinetic,energy.potential", "-o", "figure.svg");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "figure.svg\n");
    const char *svg = read_file("figure.svg");
    CHECK_SAYS(svg, "<svg");
    CHECK_SAYS(svg, "com.pos.z [m]");
    CHECK_SAYS(svg, "energy [J]");
    CHECK_SAYS(svg, "potential");
    CHECK_SAYS(svg, "time [s]");
    CHECK_INT(count_words(svg, "<title>$c"), 0);
    o = footfall("plot", "out/swing", "com.pos.z", "--against=com.pos.x", "-o", "figure.svg");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(read_file("figure.svg"), "com.pos.x [m]");
    for (int i = 0; i < 2; i++) { // the second replaces the first
        CHECK_INT(footfall("plot", "out/swing", "q", "-o", "figure.png").code, 0);
        CHECK_SAYS(read_file("figure.png") + 1, "PNG");
        CHECK_INT(footfall("plot", "out/swing", "q", "-o", "figure.PDF").code, 0);
        CHECK_SAYS(read_file("figure.PDF"), "%PDF");
    }
    CHECK_INT(footfall("plot", "out/swing", "q").code, 0);
    CHECK_SAYS(read_file("out/swing/plot.svg"), "<svg");
}

TEST(a_name_that_is_near_is_offered)
{
    needs_run("rod");
    outcome o = footfall("plot", "out/swing", "energy.kinetc", "-o", "none.svg");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "did you mean \"energy.kinetic\"?");
    CHECK_SAYS(footfall("plot", "out/swing", "com.pos.w").err, "did you mean \"com.pos.");
    CHECK_SAYS(footfall("plot", "out/swing", "weather").err, "lists them");
    CHECK_SAYS(footfall("plot", "out/swing", "q,").err, "no channel \"\"");
    CHECK_SAYS(footfall("plot", "out/swing", "q", "--against", "com.pos").err, "3 columns");
    CHECK_TEXT(read_file("none.svg"), "");
}

TEST(a_time_without_rows_is_reported_with_what_there_is)
{
    needs_run("rod");
    outcome o = footfall("plot", "out/swing", "q", "--from", "3", "--to", "4");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "goes from 0 to 2 s");
    CHECK_INT(footfall("plot", "out/swing", "q", "--from", "2", "--to", "1").code, 1);
}

TEST(files_that_cannot_be_are_refused)
{
    needs_run("rod");
    CHECK_INT(footfall("plot", "out/swing", "q", "-o", "figure.bmp").code, 1);
    outcome o = footfall("plot", "out/swing", "q", "-o", "no/such/folder.svg");
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "cannot be written");
    const char *const others[] = {"notes.svg", "notes.png", "notes.PDF"};
    for (int i = 0; i < 3; i++) { // what is no figure is not replaced
        write_file(others[i], "GIF89a: not ours\n");
        o = footfall("plot", "out/swing", "q", "-o", others[i]);
        CHECK_INT(o.code, 1);
        CHECK_SAYS(o.err, " is there, and is no figure: it would be lost");
        CHECK_TEXT(read_file(others[i]), "GIF89a: not ours\n");
    }
    CHECK_INT(footfall("plot", "out").code, 2);
    CHECK_INT(footfall("plot", "swing.yaml", "q").code, 2);
    CHECK_INT(footfall("plot").code, 1);
}

// Names of bodies, titles and paths come from files and from scripts that pass them on: none may become a command.
TEST(no_name_becomes_a_command)
{
    needs_run("x'; system 'touch taken'; `touch taken` $(touch taken) \\&quot;");
    needs_gnuplot();
    outcome o = footfall("plot", "out/swing", "bodies.*.pos,com.pos", "--title",
                         "a'.system('touch taken').'b \"`touch taken`\" @taken \n!touch taken\n", "-o", "names.svg");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(read_file("names.svg"), "touch taken");                 // as letters
    o = footfall("plot", "out/swing", "q", "-o", "|touch taken;.svg"); // gnuplot would take it for a pipe
    CHECK_INT(o.code, 0);
    CHECK_SAYS(read_file("|touch taken;.svg"), "<svg");
    struct stat info;
    CHECK_INT(stat(temporary("taken"), &info), -1);
}

TEST(a_machine_without_gnuplot_is_reported_so)
{
    needs_run("rod");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    outcome o = footfall("plot", "out/swing", "q", "-o", "without.svg");
    setenv("PATH", path, 1);
    free(path);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "gnuplot is not installed");
    CHECK_TEXT(read_file("without.svg"), "");
    CHECK_TEXT(read_file("without.svg.part"), "");
}
