// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall experiments` from outside: what it lists, what it compares, exit codes, JSON.
#include "check.h"
#include "program.h"

#include <sys/stat.h>

// A body of 2 kg falls for 1 s: its centre drops g/2 = 4.905 m and it has m g^2/2 J; on the moon it drops 0.81 m.
static const char fall[] = "footfall: 1\n"
                           "title: A stone falls\n"
                           "robot: parts/stone.yaml\n"
                           "solver: {method: rk4, step: 1.0e-3}\n"
                           "time: 1\n"
                           "expect:\n"
                           "  - {metric: com.z, is: -4.905, within: 1e-9, source: Galilei}\n"
                           "  - {metric: energy.kinetic.final, is: 96.2361, within: 1e-6, source: \"m g^2 / 2\"}\n"
                           "variants:\n"
                           "  - name: moon\n"
                           "    set: {gravity: [0, 0, -1.62]}\n"
                           "    expect: [{metric: com.z, is: -0.81, within: 1e-9, source: Galilei}]\n";

static const char missed[] = "footfall: 1\n"
                             "robot: parts/stone.yaml\n"
                             "expect: [{metric: com.z, at_least: 1, source: \"stones fly\"}]\n";

static const char stone[] = "footfall: 1\n"
                            "name: stone\n"
                            "bodies: {stone: {joint: {name: root, type: free}, inertial: {mass: 2, sphere: 0.1}}}\n";

static const char *make_book(void)
{
    if (!strstr(footfall_version(), "libyaml")) SKIP("built without libyaml");
    mkdir(temporary("book"), 0777);
    mkdir(temporary("book/parts"), 0777);
    write_file("book/parts/stone.yaml", stone);
    write_file("book/e2-fall.yaml", fall);
    write_file("book/e10-missed.yaml", missed);
    write_file("book/notes.txt", "no experiment");
    return temporary("book");
}

TEST(the_list_names_each_file_in_order_with_title_and_expectations)
{
    outcome o = footfall("experiments", "list", "--from", make_book());
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.out, "  name        expectations  variants  title\n"
                      "  e2-fall                2         1  A stone falls\n"
                      "  e10-missed             1            e10-missed.yaml\n");
    o = footfall("experiments", "--json", "--from", make_book());
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "\"variants\": [\"moon\"]");
}

TEST(a_run_shows_metric_expected_got_verdict_and_source)
{
    outcome o = footfall("experiments", "run", "e2-fall", "--from", make_book());
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "metric");
    CHECK_SAYS(o.out, "com.z                 -4.905 +- 1e-09   -4.905          met      Galilei\n");
    CHECK_SAYS(o.out, "e2-fall/moon  A stone falls");
    CHECK_SAYS(o.out, "com.z         -0.81 +- 1e-09  -0.81           met      Galilei\n");
    CHECK_SAYS(o.out, "3 of 3 expectations met in 2 runs");
}

TEST(a_name_may_be_short_and_a_variant_may_run_alone)
{
    outcome o = footfall("experiments", "run", "e2/moon", "--from", make_book());
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "1 of 1 expectations met in 1 runs");
    o = footfall("experiments", "run", "e1", "--from", make_book()); // not e10
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "no experiment \"e1\"");
    o = footfall("experiments", "run", "e2/mon", "--from", make_book());
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "did you mean 'moon'?");
}

TEST(a_missed_expectation_is_exit_code_4)
{
    outcome o = footfall("experiments", "run", "--all", "--from", make_book(), "--json");
    CHECK_INT(o.code, 4);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "\"met\": false");
    CHECK_SAYS(o.out, "\"source\": \"stones fly\"");
    CHECK_SAYS(o.out, "\"at_least\": 1");
    double got = 0;
    CHECK_INT(json_find_numbers(o.out, "got", &got, 1), 1);
    CHECK_NEAR(got, -4.905, 1e-9); // the first expectation of the first experiment
    o = footfall("experiments", "run", "e10", "--from", make_book());
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "MISSED");
    CHECK_SAYS(o.out, "0 of 1 expectations met");
}

TEST(overrides_reach_every_run_and_win_over_a_variant)
{
    outcome o = footfall("experiments", "run", "e2", "--from", make_book(), "--set", "gravity=[0,0,0]");
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "0 of 3 expectations met in 2 runs");
    o = footfall("experiments", "run", "e2", "--from", make_book(), "--set", "solver.method=rk2");
    CHECK_INT(o.code, 0); // a parabola is exact for it too
    CHECK_SAYS(o.out, "1000 steps by rk2");
}

TEST(a_run_cut_short_is_not_evaluated)
{
    outcome o = footfall("experiments", "run", "--all", "--from", make_book(), "--time", "0.1");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "finished: 0.1 s in");
    CHECK_SAYS(o.out, "0 of 0 expectations met in 3 runs");
}

TEST(a_broken_scene_is_reported_with_its_place_and_the_others_still_run)
{
    make_book();
    const char *path = write_file("book/e3-broken.yaml", "footfall: 1\nrobot: parts/stone.yaml\ntime: -1\n");
    outcome o = footfall("experiments", "run", "--all", "--from", temporary("book"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "e3-broken.yaml:3:7: error:");
    CHECK_SAYS(o.out, "3 of 4 expectations met in 3 runs");
    remove(path);
}

// A still stone with a gyroscope: white noise of 0.01 rad/s, 1001 samples, whose mean lies within 6 sigma / sqrt(n) of
// zero with any seed and is not the same with two of them. The second expectation cannot be met; it is for seed 7
// alone.
static const char *make_noisy_book(void)
{
    make_book();
    write_file(
        "book/parts/gyro.yaml",
        "footfall: 1\n"
        "name: stone\n"
        "bodies: {stone: {joint: {name: root, type: free}, inertial: {mass: 2, sphere: 0.1}, frames: {middle: {}}}}\n"
        "sensors: {gyro: {type: gyro, frame: middle, rate: 1000, noise: 0.01}}\n");
    write_file("book/e3-noise.yaml", "footfall: 1\n"
                                     "robot: parts/gyro.yaml\n"
                                     "gravity: [0, 0, 0]\n"
                                     "effects: {sensors: real}\n"
                                     "solver: {method: rk4, step: 1.0e-3}\n"
                                     "time: 1\n"
                                     "expect:\n"
                                     "  - {metric: sensors.gyro.x.mean, is: 0, within: 0.0019, source: \"6 sigma\"}\n"
                                     "  - {metric: sensors.gyro.x.mean, at_least: 1, seed: 7, source: nonsense}\n");
    return temporary("book");
}

TEST(a_table_has_one_row_for_all_seeds_and_one_run_where_they_make_no_difference)
{
    outcome o = footfall("experiments", "run", "e2", "e3", "--table", "--seeds", "3", "--from", make_noisy_book());
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out,
               "experiment              variant                     seeds   held  missed  other seed      time\n");
    CHECK_SAYS(o.out, "e2-fall                                               any      2       0 ");
    CHECK_SAYS(o.out, "e2-fall                 moon                          any      1       0 ");
    CHECK_SAYS(o.out, "e3-noise                                              0-2      3       0           3 ");
    CHECK_SAYS(o.out, "6 of 6 expectations met in 5 runs\n");
}

// Numbers of a run that failed do not say what became of it.
TEST(a_table_says_why_a_run_ended_early)
{
    make_book();
    const char *dies = write_file("book/e5-dies.lua", "function cycle() error('out of breath') end\n");
    const char *path = write_file("book/e5-dies.yaml", "footfall: 1\nrobot: parts/stone.yaml\ntime: 1\n"
                                                       "control: {lua: e5-dies.lua}\n"
                                                       "expect: [{metric: com.z, at_least: 1, source: none}]\n");
    outcome o = footfall("experiments", "run", "e5", "--table", "--from", temporary("book"));
    remove(dies);
    remove(path);
    CHECK_INT(o.code, 3);
    CHECK_SAYS(o.out, "e5-dies failed: ");
    CHECK_SAYS(o.out, "out of breath");
}

TEST(an_expectation_for_one_seed_counts_with_that_seed_alone)
{
    const char *book = make_noisy_book();
    outcome o = footfall("experiments", "run", "e3", "--from", book);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "not for this seed  nonsense\n");
    CHECK_SAYS(o.out, "1 of 1 expectations met in 1 runs\n");
    o = footfall("experiments", "run", "e3", "--table", "--seeds", "2", "--set", "seed=6", "--from", book);
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "e3-noise                                              6-7      2       1           1 ");
    CHECK_SAYS(o.out, "\n    seed 7: sensors.gyro.x.mean is ");
    CHECK_SAYS(o.out, ", expected >= 1\n");
    o = footfall("experiments", "run", "e3", "--json", "--seeds", "2", "--from", book);
    CHECK_INT(o.code, 0);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "\"seed\": 1,");
    CHECK_SAYS(o.out, "\"other_seed\": true");
}

// The mean of the noise is above zero with about half of the seeds; `rate` is in the file as given. The fall is the
// same with every seed.
static const char *make_chance_book(const char *rate)
{
    char text[800];
    make_noisy_book();
    snprintf(text, sizeof text,
             "footfall: 1\n"
             "robot: parts/gyro.yaml\n"
             "gravity: [0, 0, 0]\n"
             "effects: {sensors: real}\n"
             "solver: {method: rk4, step: 1.0e-3}\n"
             "time: 0.1\n"
             "expect:\n"
             "  - {metric: sensors.gyro.x.mean, at_least: 0, rate: %s, source: \"a coin\"}\n",
             rate);
    write_file("book/e4-chance.yaml", text);
    write_file("book/e5-never.yaml", "footfall: 1\n"
                                     "robot: parts/stone.yaml\n"
                                     "expect: [{metric: com.z, at_least: 1, rate: 0.4}]\n");
    return temporary("book");
}

TEST(an_expectation_with_a_rate_must_be_met_in_that_share_of_the_seeds)
{
    char met[80];
    outcome o = footfall("experiments", "run", "e4", "--table", "--seeds", "20", "--from", make_chance_book("0.05"));
    const char *counted = strstr(o.out, "sensors.gyro.x.mean >= 0: met in ");
    const int n = counted ? atoi(counted + strlen("sensors.gyro.x.mean >= 0: met in ")) : 0;
    CHECK_INT(o.code, 0);
    CHECK(n > 2 && n < 18); // a coin does so with all but 4 of 10 000 sets of seeds
    CHECK_SAYS(o.out, " of 20, wanted 1\n");
    snprintf(met, sizeof met, "\n%d of 20 expectations met in 20 runs, %d missed as their rates allow\n", n, 20 - n);
    CHECK_SAYS(o.out, met);

    snprintf(met, sizeof met, "%g", n / 20.0);
    o = footfall("experiments", "run", "e4", "--table", "--seeds", "20", "--from", make_chance_book(met));
    CHECK_INT(o.code, 0);
    snprintf(met, sizeof met, "%g", (n + 1) / 20.0);
    o = footfall("experiments", "run", "e4", "--table", "--seeds", "20", "--from", make_chance_book(met));
    CHECK_INT(o.code, 4);
    snprintf(met, sizeof met, "met in %d of 20, wanted %d\n", n, n + 1);
    CHECK_SAYS(o.out, met);
    o = footfall("experiments", "run", "e4", "--json", "--seeds", "20", "--from", temporary("book"));
    CHECK_INT(o.code, 4);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "\"rate\": 0.");
}

TEST(a_single_run_may_miss_what_has_a_rate_and_shows_it)
{
    const char *book = make_chance_book("0.4");
    for (int seed = 0, seen = 0; seed < 20 && !seen; seed++) {
        char set[20];
        snprintf(set, sizeof set, "seed=%d", seed);
        outcome o = footfall("experiments", "run", "e4", "--set", set, "--from", book);
        CHECK_INT(o.code, 0);
        seen = strstr(o.out, "0 of 1 expectations met in 1 runs, 1 missed as their rates allow\n") != NULL;
        if (seen) CHECK_SAYS(o.out, " missed   (may be missed in 60 % of runs) a coin\n");
        if (seed == 19) CHECK(seen);
    }
}

TEST(what_is_missed_with_every_seed_is_missed_whatever_its_rate)
{
    outcome o = footfall("experiments", "run", "e5", "--table", "--seeds", "10", "--from", make_chance_book("1"));
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "com.z >= 1: met in 0 of 10, wanted 4\n");
}

TEST(a_rate_is_above_zero_and_at_most_one)
{
    static const char *const bad[] = {"0", "1.2", "-1", "often", "[1]"};
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
        outcome o = footfall("experiments", "run", "e4", "--from", make_chance_book(bad[i]));
        CHECK_INT(o.code, 2);
        CHECK_SAYS(o.err, "e4-chance.yaml:8:54: error: ");
    }
}

// Stones that fall for 1 and 2 s on the earth and on the moon: energies are as the squares of g, times alike. The one
// called far is compared with nothing.
static const char *make_compared_book(const char *compare)
{
    char text[1600];
    make_noisy_book();
    snprintf(text, sizeof text,
             "footfall: 1\n"
             "robot: parts/stone.yaml\n"
             "solver: {method: rk4, step: 1.0e-3}\n"
             "variants:\n"
             "  - {name: earth-1, set: {time: 1}}\n"
             "  - {name: moon-1, set: {time: 1, gravity: [0, 0, -1.62]}}\n"
             "  - {name: earth-2, set: {time: 2}}\n"
             "  - {name: moon-2, set: {time: 2, gravity: [0, 0, -1.62]}}\n"
             "  - {name: far, set: {gravity: [0, 0, 0]}}\n"
             "compare:\n"
             "  - {metric: energy.kinetic.final, %s}\n",
             compare);
    write_file("book/e6-compared.yaml", text);
    return temporary("book");
}

static outcome compare(const char *what)
{
    return footfall("experiments", "run", "e6", "--from", make_compared_book(what));
}

TEST(runs_are_compared_by_the_ratio_of_a_metric)
{
    outcome o = compare("of: earth-2, to: moon-2, at_least: 36.66, at_most: 36.68, source: Galilei"); // (9.81 / 1.62)^2
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "e6-compared compared\n");
    CHECK_SAYS(o.out, "energy.kinetic.final  earth-2 / moon-2  36.66 .. 36.68  36.6698  met      Galilei\n");
    CHECK_SAYS(o.out, "1 of 1 expectations met in 6 runs\n");
    o = compare("of: earth-2, to: moon-2, at_most: 36.66");
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "MISSED");
    CHECK_SAYS(o.out, "0 of 1 expectations met in 6 runs\n");
    o = compare("of: earth-2, at_least: 3.99, at_most: 4.01"); // the scene itself falls for 1 s
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "earth-2 / the scene");
    o = compare("to: far, at_least: 1"); // to nothing at all
    CHECK_INT(o.code, 0);
    o = compare("of: far, to: far, at_least: 1");
    CHECK_INT(o.code, 2);
}

TEST(a_star_pairs_runs_for_which_it_stands_for_the_same)
{
    outcome o = compare("of: earth-*, to: moon-*, at_least: 36.66, at_most: 36.68");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "36.67 .. 36.67  met in 2 of 2, wanted 2");
    o = compare("of: earth-*, at_least: 2"); // each to the scene itself: 1 and 4
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "1 .. 4  MISSED in 1 of 2, wanted 2");
    o = compare("of: earth-*, at_least: 2, rate: 0.5");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "met in 1 of 2, wanted 1");
}

// What none of the runs has is no number: a bounce of what falls without ground.
TEST(comparisons_without_values_say_so)
{
    const char *book =
        make_compared_book("of: earth-*, to: moon-*, at_least: 1}\n"
                           "  - {metric: bodies.stone.bounce.1.apex, of: earth-*, to: moon-*, at_least: 1");
    outcome o = footfall("experiments", "run", "e6", "--from", book);
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "no value");
    CHECK(!strstr(o.out, "nan"));
    o = footfall("experiments", "run", "e6", "--table", "--from", book);
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out,
               "of earth-* / moon-*: no two runs had values to compare, expected >= 1: MISSED in 0 of 2, wanted 2\n");
    CHECK(!strstr(o.out, "nan"));
}

TEST(comparisons_are_in_the_table_and_in_json)
{
    const char *book = make_compared_book("of: earth-2, to: moon-2, at_most: 1, source: wrong");
    outcome o = footfall("experiments", "run", "e6", "--table", "--seeds", "2", "--from", book);
    CHECK_INT(o.code, 4);
    CHECK_SAYS(o.out, "e6-compared             compared                               0       1 ");
    CHECK_SAYS(o.out, "\n    energy.kinetic.final of earth-2 / moon-2 is 36.6698, expected <= 1: MISSED\n");
    o = footfall("experiments", "run", "e6", "--json", "--from", book);
    CHECK_INT(o.code, 4);
    CHECK(is_json(o.out));
    CHECK_SAYS(o.out, "\"of\": \"earth-2\", \"to\": \"moon-2\", \"at_most\": 1, \"least\": 36.6");
    CHECK_SAYS(o.out, "\"pairs\": 1, \"met\": 0, \"wanted\": 1, \"source\": \"wrong\"");
    o = footfall("experiments", "run", "e6/earth-2", "--from", book); // a run alone is compared with nothing
    CHECK_INT(o.code, 0);
    o = footfall("experiments", "run", "e6", "--time", "0.1", "--from", book);
    CHECK_INT(o.code, 0);
    CHECK(!strstr(o.out, "compared\n"));
}

TEST(short_runs_leave_out_long_variants_and_what_needs_them)
{
    make_book();
    write_file("book/e7-long.yaml", "footfall: 1\nrobot: parts/stone.yaml\nsolver: {method: rk4, step: 1.0e-3}\n"
                                    "time: 1\n"
                                    "variants:\n"
                                    "  - {name: two, set: {time: 2}, long: true}\n"
                                    "  - {name: half, set: {time: 0.5}}\n"
                                    "compare:\n"
                                    "  - {metric: energy.kinetic.final, of: two, at_least: 1}\n"
                                    "  - {metric: energy.kinetic.final, of: half, at_most: 1}\n");
    outcome o = footfall("experiments", "run", "e7", "--from", temporary("book"));
    CHECK_SAYS(o.out, "2 of 2 expectations met in 3 runs\n");
    o = footfall("experiments", "run", "e7", "--short", "--from", temporary("book"));
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "1 of 1 expectations met in 2 runs\n");
    CHECK(!strstr(o.out, "two"));
    o = footfall("experiments", "run", "e7/two", "--short", "--from", temporary("book")); // asked for by name
    CHECK_SAYS(o.out, "met in 1 runs\n");
}

TEST(runs_with_the_same_seed_are_compared)
{
    make_noisy_book();
    write_file("book/e7-seeds.yaml", "footfall: 1\n"
                                     "robot: parts/gyro.yaml\n"
                                     "gravity: [0, 0, 0]\n"
                                     "effects: {sensors: real}\n"
                                     "solver: {method: rk4, step: 1.0e-3}\n"
                                     "time: 0.1\n"
                                     "variants: [{name: same, set: {passive: false}}]\n"
                                     "compare: [{metric: sensors.gyro.x.mean, of: same, at_least: 1, at_most: 1}]\n");
    outcome o = footfall("experiments", "run", "e7", "--seeds", "3", "--from", temporary("book"));
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "met in 3 of 3, wanted 3");
}

TEST(bad_comparisons_are_refused_with_their_place)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"of: erth-1, at_least: 1", "e6-compared.yaml:11:40: error: no variant 'erth-1' in this scene; did you mean"},
        {"of: earth-*-*, at_least: 1", "e6-compared.yaml:11:40: error: 'earth-*-*' has more than one star"},
        {"of: mars-*, at_least: 1", "e6-compared.yaml:11:5: error: no two runs to compare"},
        {"at_least: 1", "e6-compared.yaml:11:5: error: no two runs to compare"},
        {"of: far", "e6-compared.yaml:11:5: error: nothing is expected here"},
        {"of: far, at_least: 1, rate: 0", "e6-compared.yaml:11:64: error: 'rate' is 0"},
        {"of: far, at_least: much", "e6-compared.yaml:11:55: error: "},
        {"of: [far], at_least: 1", "e6-compared.yaml:11:40: error: "},
        {"of: far, is: 1", "e6-compared.yaml:11:45: error: unknown key 'is'"},
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
        outcome o = compare(bad[i].text);
        CHECK_INT(o.code, 2);
        CHECK_SAYS(o.err, bad[i].says);
    }
    write_file("book/e6-compared.yaml", "footfall: 1\n"
                                        "robot: parts/stone.yaml\n"
                                        "variants: [{name: a, set: {}}]\n"
                                        "compare: [{metric: energy.kinetik.final, of: a, at_most: 1}]\n");
    outcome o = footfall("experiments", "run", "e6", "--from", temporary("book"));
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "e6-compared.yaml:4:20: error: no metric 'energy.kinetik.final'; did you mean");
}

TEST(wrong_use_is_reported)
{
    const char *book = make_book();
    CHECK_INT(footfall("experiments", "run", "e2", "--seeds", "0", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "run", "e2", "--seeds", "1.5", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "run", "e2", "--table", "--json", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "list", "--seeds", "2", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "run", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "fly").code, 1);
    CHECK_INT(footfall("experiments", "list", "e1").code, 1);
    CHECK_INT(footfall("experiments", "list", "--all").code, 1);
    CHECK_INT(footfall("experiments", "list", "--time", "1").code, 1);
    CHECK_INT(footfall("experiments", "run", "--all", "--time", "0", "--from", book).code, 1);
    CHECK_INT(footfall("experiments", "run", "e2", "--all", "--from", book).code, 1);
    outcome o = footfall("experiments", "run", "e2-fal", "--from", book);
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "did you mean \"e2-fall\"?");
    o = footfall("experiments", "--from", "/nowhere");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "/nowhere");
}

TEST(check_reads_every_variant)
{
    make_book();
    const char *path = write_file("book/e2-fall.yaml", "footfall: 1\n"
                                                       "robot: parts/stone.yaml\n"
                                                       "variants:\n"
                                                       "  - {name: good, set: {time: 2}}\n"
                                                       "  - {name: bad, set: {time: -2}}\n");
    outcome o = footfall("check", path);
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.out, "e2-fall.yaml:5:29: error:");
    CHECK_SAYS(o.out, "(variant bad)");
}

TEST(the_programs_own_book_is_found_wherever_it_is_started)
{
    if (!strstr(footfall_version(), "libyaml")) SKIP("built without libyaml");
    outcome o = footfall("experiments");
    CHECK_TEXT(o.err, "");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "  tumble ");
}
