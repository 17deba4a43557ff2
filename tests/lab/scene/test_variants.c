// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Variants of a scene: what they change, who wins, and what is refused with its place.
#include "scene_helpers.h"

static const char stone[] = "footfall: 1\n"
                            "name: stone\n"
                            "bodies: {stone: {joint: {name: root, type: free}, inertial: {mass: 2, sphere: 0.1}}}\n";

static const char top[] = "robot: stone.yaml\n"
                          "constants: {length: 3}\n"
                          "time: length\n"
                          "expect: [{metric: time, is: length, within: 0}]\n";

static bool choose(const char *more, const char *override1, const char *override2)
{
    char text[2000];
    write_file("stone.yaml", stone);
    snprintf(text, sizeof text, "%s%s", top, more);
    const char *overrides[] = {override1, override2};
    return load_with(text, overrides, override1 ? (override2 ? 2 : 1) : 0);
}

static const char both[] = "variants:\n"
                           "  - {name: short, set: {constants.length: 1, seed: 7}}\n"
                           "  - {name: long, set: {time: 10}, expect: [{metric: time, is: 10, within: 0}]}\n";

TEST(without_a_choice_the_scene_is_itself)
{
    CHECK(choose(both, NULL, NULL));
    CHECK_NEAR(scene->time, 3, 0);
    CHECK(scene->variant == NULL);
    CHECK_INT(scene->nvariant, 2);
    CHECK_TEXT(scene->variants[0], "short");
    CHECK_TEXT(scene->variants[1], "long");
}

TEST(a_variant_changes_values_constants_and_expectations)
{
    CHECK(choose(both, "variant=short", NULL));
    CHECK_TEXT(scene->variant, "short");
    CHECK_NEAR(scene->time, 1, 0);
    CHECK_NEAR(ff_run_result(run)->expectations[0].is, 1, 0);
    CHECK_INT(scene->options.seed, 7);
    CHECK(choose(both, "variant=long", NULL));
    CHECK_NEAR(scene->time, 10, 0);
    CHECK_INT(scene->nexpectation, 1);
    CHECK_NEAR(ff_run_result(run)->expectations[0].is, 10, 0);
}

TEST(overrides_win_over_the_variant_in_any_order)
{
    CHECK(choose(both, "time=5", "variant=long"));
    CHECK_NEAR(scene->time, 5, 0);
    CHECK(choose(both, "variant=long", "time=5"));
    CHECK_NEAR(scene->time, 5, 0);
}

TEST(the_file_itself_may_choose)
{
    char text[600];
    snprintf(text, sizeof text, "variant: long\n%s", both);
    CHECK(choose(text, NULL, NULL));
    CHECK_NEAR(scene->time, 10, 0);
    CHECK(choose(text, "variant=short", NULL));
    CHECK_NEAR(scene->time, 1, 0);
}

TEST(bad_variants_are_refused_with_their_place)
{
    CHECK(!choose(both, "variant=shrot", NULL));
    CHECK_SAYS(message(0), "--set variant: error: no variant 'shrot' in this scene; did you mean 'short'?");
    CHECK(!choose("variants: [{name: a, set: {}}, {name: a, set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "s.yaml:6:39: error: a second variant");
    CHECK(!choose("variants: [{name: a}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "'set'");
    CHECK(!choose("variants: [{set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "'name'");
    CHECK(!choose("variants: [{name: a/b, set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "without blanks");
    CHECK(!choose("variants: 7\n", NULL, NULL));
    CHECK(!choose("variants: [7]\n", NULL, NULL));
    CHECK(!choose("variants: [7]\n", "variant=a", NULL));
    CHECK(!choose("variants: [{name: a, set: {}, sett: 1}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "unknown key 'sett'");
    CHECK(!choose("variants: [{name: a, set: {tmie: 1}}]\n", "variant=a", NULL));
    CHECK_SAYS(message(0), "unknown key 'tmie'");
    CHECK(!choose("variants: [{name: a, set: {time.x: 1}}]\n", "variant=a", NULL));
    CHECK_SAYS(message(0), "s.yaml:6:28: error: 'time' is a single value");
    finish();
}
