// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall run --certify` from outside: table, files, exit codes, what does not go with it, Ctrl-C, files that cannot
// be written.
#include "check.h"
#include "program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A mass on a spring: x = 0.3 cos(w t), w^2 = 40. With steps of 1 ms euler has x = 0.29889 +- 1.2e-4 after 2 s.
#define SPRING                                                                                                         \
    "footfall: 1\ngravity: [0, 0, 0]\nobjects: [{name: a, sphere: 0.1, mass: 1, pos: [0.3, 0, 0]}]\n"                  \
    "springs: [{between: [world, a], stiffness: 40, rest: 0}]\ntime: 2\nsolver: {method: euler, step: 1 ms}\n"         \
    "record: {rate: 100, channels: [bodies.a.pos], csv: true}\n"

static void needs_readers(void)
{
    const char *version = footfall_version();
    if (!strstr(version, "libyaml") || !strstr(version, "HDF5")) SKIP("built without libyaml or HDF5");
}

TEST(a_certificate_is_printed_and_kept_with_the_run)
{
    needs_readers();
    const char *file = write_file("spring.yaml", SPRING "expect: [{metric: bodies.a.x.final, at_least: 0.29}]\n"
                                                        "metrics: {report: [bodies.a.x.final]}\n");
    outcome o = footfall("run", file, "--certify", "--out", temporary("bars"));
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "certificate      resolved: ");
    CHECK_SAYS(o.out, "tighter      euler, step 0.25 ms: 4 times the evaluations");
    CHECK_SAYS(o.out, "independent  adaptive");
    CHECK_SAYS(o.out, "agree with this run to ");
    const char *bar = strstr(o.out, " +- 0.00012  met");
    CHECK(bar && !strstr(bar + 1, " +- 0.00012")); // once, though it is both expected and reported
    CHECK_SAYS(o.out, "bars/bands.json");
    const char *summary = read_file("bars/summary.json");
    CHECK(is_json(summary));
    CHECK_SAYS(summary, "\"certainty\": \"resolved\"");
    CHECK_SAYS(summary, "\"standing\": \"met\"");
    CHECK(is_json(read_file("bars/bands.json")));
    CHECK_INT(footfall("plot", temporary("bars")).code, 0);
    char *rows = strdup(read_file("bars/run.csv"));
    // The same folder without a certificate: nothing of the old one stays.
    CHECK_INT(footfall("run", file, "--out", temporary("bars")).code, 0);
    CHECK(!strstr(read_file("bars/summary.json"), "certificate"));
    CHECK_TEXT(read_file("bars/bands.json"), "");
    CHECK(rows && strlen(rows) > 201 * 8);
    CHECK(strcmp(read_file("bars/run.csv"), rows) == 0); // the recording is the same
    free(rows);
}

// Two expectations that name one number are one line: with one word where both stand alike, else with both.
TEST(a_number_that_is_expected_twice_is_printed_once)
{
    needs_readers();
    const char *file = write_file("twice.yaml", SPRING "expect: [{metric: bodies.a.x.final, at_least: 0.29},\n"
                                                       "  {metric: bodies.a.x.final, at_most: 0.31}]\n");
    outcome o = footfall("run", file, "--certify", "--out", temporary("twice"));
    const char *bar = strstr(o.out, " +- 0.00012  met\n");
    CHECK(bar && !strstr(bar + 1, " +- 0.00012"));
    file = write_file("both.yaml", SPRING "expect: [{metric: bodies.a.x.final, at_least: 0.29},\n"
                                          "  {metric: bodies.a.x.final, at_most: 0.28}]\n");
    o = footfall("run", file, "--certify", "--out", temporary("both"));
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, " +- 0.00012  met; missed\n");
}

// An undecided expectation counts as without a certificate: 0 where it is met, 4 where it is missed.
TEST(exit_codes_stay_as_they_are)
{
    needs_readers();
    const char *met = write_file("met.yaml", SPRING "expect: [{metric: bodies.a.x.final, at_least: 0.29885}]\n");
    outcome o = footfall("run", met, "--certify");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "met, undecided");
    const char *missed = write_file("missed.yaml", SPRING "expect: [{metric: bodies.a.x.final, at_least: 0.29895}]\n");
    o = footfall("run", missed, "--certify");
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "missed, undecided");
}

TEST(what_does_not_go_with_it_is_said)
{
    needs_readers();
    const char *file = write_file("spring.yaml", SPRING);
    outcome o = footfall("run", file, "--certify", "--realtime");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "leave out --realtime");
    o = footfall("run", file, "--certify", "--allow", "io");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "leave out --allow");
}

// Some seconds of work: the signal comes while the run or those beside it are made.
TEST(an_interrupt_ends_all_runs)
{
    needs_readers();
    const char *file = write_file("spring.yaml", SPRING);
    const char *const words[] = {"run", file, "--certify", "--time", "20000", "--out", temporary("cut"), NULL};
    outcome o = footfall_interrupted(words, "cut/run.csv", "\n1,", SIGINT);
    CHECK_INT(o.code, 3);
    CHECK_BELOW(o.seconds, 5);
    CHECK(is_json(read_file("cut/summary.json")));
    CHECK(!strstr(read_file("cut/summary.json"), "certificate"));
}

// A folder in the place of a file: the certificate is lost in part, the run is not.
TEST(a_certificate_that_cannot_be_written_leaves_the_run)
{
    needs_readers();
    const char *file = write_file("spring.yaml", SPRING);
    CHECK_INT(footfall("run", file, "--out", temporary("kept")).code, 0);
    CHECK_INT(mkdir(temporary("kept/bands.json.part"), 0777), 0);
    CHECK_INT(mkdir(temporary("kept/bands.json.part/full"), 0777), 0);
    outcome o = footfall("run", file, "--certify", "--out", temporary("kept"));
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.err, "bands.json.part cannot be written");
    CHECK_SAYS(read_file("kept/summary.json"), "\"certainty\"");
    CHECK_INT(footfall("plot", temporary("kept")).code, 0);
}
