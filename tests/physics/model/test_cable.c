// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of `station` that make no tree of slaves are refused where the robot's file is read, at the key.
#include "native/native_robot.h"
#include "support/folder.h"

#include <stdio.h>

/// A robot of wheels, one a line from line 3 on, each with a list.
static bool load(const char *const *lists)
{
    char text[4096] = "footfall: 1\nbodies:\n";
    for (int i = 0; lists[i]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  b%d: {joint: {name: d%d, axis: z, drive: {kind: ideal, torque: 1, station: %s}}, "
                 "inertial: {mass: 1, inertia: [1, 1, 1]}}\n",
                 i, i, lists[i]);
    return load_text(text);
}

enum { COLUMN = 76 }; // where a list begins

#define LOAD(...) load((const char *const[]){__VA_ARGS__, NULL})

TEST(trees_are_accepted)
{
    must(LOAD("[10]"));
    must(LOAD("[10]", "[20, 10]", "[30, 20]", "[40, 10, 2]", "[50, 10, 3]"));
    must(LOAD("[30, 20]", "[20, 10]", "[10]"));                      // in any order
    must(LOAD("[10]", "[20]", "[20, 10, 2]", "[30, 20, 1, 10, 2]")); // given twice, and left out once
    must(LOAD("[10]", "[20, 50, 1, 10, 2]", "[30, 50, 2]"));         // through a coupler
    must(LOAD("[10]", "[65535, 10]", "[1, 65535]"));
    finish();
}

TEST(what_makes_no_tree_is_refused_at_the_key)
{
    must_report(LOAD("[10]", "[20, 99]"), 4, COLUMN, "'d1' at address 20 hangs behind address 99, which no drive");
    must_report(
        LOAD("[10]", "[20, 30]", "[30, 20]"), 4, COLUMN,
        "stations at addresses 20, 30 each hang behind the next, and the last behind the first: it is a circle");
    must_report(LOAD("[10, 20]", "[20, 10]"), 3, COLUMN, "it is a circle");
    must_report(LOAD("[10]", "[20, 20]"), 4, COLUMN, "station 'd1' at address 20 hangs behind itself");
    must_report(LOAD("[10]", "[20, 10]", "[30, 10]"), 5, COLUMN,
                "'d1' at address 20 and 'd2' at address 30 both hang at port 1 of address 10");
    must_report(LOAD("[10]", "[20]"), 4, COLUMN, "'d1' at address 20 both hang behind no other station");
    must_report(LOAD("[10]", "[20, 10, 1]", "[20, 10, 2]"), 5, COLUMN,
                "address 20 hangs at port 2 of address 10 here, and at port 1 of address 10 in line 4");
    must_report(LOAD("[10]", "[20, 50, 1, 10, 2]", "[30, 50, 2, 10, 3]"), 5, COLUMN, "address 50 hangs at port 3");
    must_report(LOAD("[10]", "[20, 10, 1]", "[30, 20, 1, 10, 3]"), 5, COLUMN, "address 20 hangs at port 3");
    finish();
}

// Couplers 50 and 60 hang behind each other, and d1 behind them. It is not in the circle.
TEST(a_cycle_is_reported_with_its_own_addresses)
{
    must_report(LOAD("[10]", "[20, 50, 2, 60, 1, 50, 1]"), 4, COLUMN, "stations at addresses 50, 60 each hang");
    CHECK_INT(report.errors, 1);
    must_report(LOAD("[10]", "[20, 30]", "[30, 40]", "[40, 20]", "[50, 40, 2]", "[60, 50]"), 4, COLUMN,
                "stations at addresses 20, 30, 40 each hang");
    CHECK_INT(report.errors, 1);
    must_report(LOAD("[20, 30]", "[30, 20]", "[40, 50]", "[10]", "[50, 40]"), 3, COLUMN, "addresses 20, 30 each");
    CHECK_INT(report.errors, 2);
    CHECK_SAYS(message(1), "addresses 40, 50 each");
    finish();
}

// Each at its key, and none twice: 60 hangs behind 50, whose own place is wrong; its own is correct.
TEST(all_errors_are_reported_at_once)
{
    must_report(LOAD("[10]", "[20, 10]", "[30, 10, 1]", "[40, 99]", "[50, 10, 5]", "[60, 50]", "[70, 70]",
                     "[20, 10, 2]", "[80, 90]", "[90, 80]", "[100]"),
                10, COLUMN, "address 20 hangs at port 2 of address 10 here, and at port 1 of address 10 in line 4");
    static const char *const words[] = {"'station' has port 5 of address 10",
                                        "'d3' at address 40 hangs behind address 99",
                                        "'d6' at address 70 hangs behind itself",
                                        "'d1' at address 20 and 'd2' at address 30 both hang at port 1 of address 10",
                                        "'d0' at address 10 and 'd10' at address 100 both hang behind no other station",
                                        "addresses 80, 90 each hang behind the next"};
    CHECK_INT(report.errors, 7);
    for (int i = 0; i < 6; i++) {
        int k = 0;
        while (k < 7 && !strstr(message(k), words[i])) k++;
        if (k == 7) CHECK_FAIL("no message says '%s'", words[i]);
    }
    finish();
}

TEST(numbers_that_are_no_address_or_port_are_refused)
{
    must_report(LOAD("[10]", "[20, 10, 4]"), 4, COLUMN, "port 4 of address 10: ports are 1, 2 and 3");
    must_report(LOAD("[10]", "[20, 10, 0]"), 4, COLUMN, "port 0 of address 10: ports are 1, 2 and 3, and 0 is the");
    must_report(LOAD("[10]", "[20, 10, -1]"), 4, COLUMN, "port -1 of address 10");
    must_report(LOAD("[0]"), 3, COLUMN, "'station' has address 0: addresses are 1 to 65535");
    must_report(LOAD("[10]", "[20, 0]"), 4, COLUMN, "'station' has address 0: addresses are 1 to 65535");
    must_report(LOAD("[10]", "[20, 65536]"), 4, COLUMN, "'station' has address 65536: addresses are 1 to 65535");
    must_report(LOAD("[10]", "[20, 1e9]"), 4, COLUMN, "'station' has address 1000000000: addresses are 1 to 65535");
    CHECK_INT(report.errors, 1);
    finish();
}

// Each number by itself, beside the errors of other lists; no errors that only follow from it.
TEST(a_number_out_of_range_hides_nothing_else)
{
    must_report(LOAD("[10]", "[20, 0]", "[30, 10, 0]", "[70000, 10]", "[40, 99]", "[50, 99, 7]", "[60, 60]"), 4, COLUMN,
                "'station' has address 0: addresses are");
    static const char *const words[] = {"port 0 of address 10",
                                        "'station' has address 70000",
                                        "port 7 of address 99",
                                        "'d4' at address 40 hangs behind address 99",
                                        "'d5' at address 50 hangs behind address 99",
                                        "'d6' at address 60 hangs behind itself"};
    CHECK_INT(report.errors, 7);
    for (int i = 0; i < 6; i++) CHECK_SAYS(message(i + 1), words[i]);
    finish();
}

TEST(a_slave_has_at_most_eight_devices)
{
    must(LOAD("[10]", "[10]", "[10]", "[10]", "[10]", "[10]", "[10]", "[10]"));
    must_report(LOAD("[10]", "[10]", "[10]", "[10]", "[10]", "[10]", "[10]", "[10]", "[10]"), 11, COLUMN,
                "address 10 has more than 8 devices");
    finish();
}

static bool load_file(const char *path)
{
    finish();
    model = ff_model_load(path, NULL, &report);
    return model != NULL;
}

// A file may leave stations to its importer.
TEST(an_importer_may_complete_the_cable)
{
    write_file(
        "half.yaml",
        "footfall: 1\nbodies:\n  a: {joint: {name: x, axis: z, drive: {kind: ideal, torque: 1, station: [20, 10]}}, "
        "inertial: {mass: 1, inertia: [1, 1, 1]}}\n  b: {joint: {name: y, axis: z, drive: {kind: ideal, torque: 1}}, "
        "inertial: {mass: 1, inertia: [1, 1, 1]}}\n");
    must(load_file(write_file("whole.yaml", "footfall: 1\nimport: half.yaml\ndrives: {y: {station: [10]}}\n")));
    must_report(load_file(write_file("part.yaml", "footfall: 1\nimport: half.yaml\n")), 3, 74,
                "behind address 10, which no drive");
    finish();
}

TEST(a_place_in_another_file_is_reported_with_its_file)
{
    write_file(
        "first.yaml",
        "footfall: 1\nbodies:\n  a: {joint: {name: x, axis: z, drive: {kind: ideal, torque: 1, station: [20, 10, 1]}}, "
        "inertial: {mass: 1, inertia: [1, 1, 1]}}\n  b: {joint: {name: y, axis: z, drive: {kind: ideal, torque: 1}}, "
        "inertial: {mass: 1, inertia: [1, 1, 1]}}\n");
    must_report(load_file(write_file("other.yaml", "footfall: 1\nimport: first.yaml\n"
                                                   "drives: {y: {station: [20, 10, 2]}}\n")),
                3, 23, "at port 1 of address 10 in line 3 of ");
    CHECK_SAYS(message(0), "first.yaml: it has one place");
    finish();
}
