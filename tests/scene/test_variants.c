// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Variants of a scene: what they change, who wins, and what is refused with its place.
#include "check.h"

#include <footfall/scene.h>

static ff_report report;
static ff_scene *scene;
static char folder[] = "/tmp/footfall-variants-XXXXXX";

static const char stone[] = "footfall: 1\n"
                            "name: stone\n"
                            "bodies: {stone: {joint: {name: root, type: free}, inertial: {mass: 2, sphere: 0.1}}}\n";

static const char top[] = "footfall: 1\n"
                          "robot: stone.yaml\n"
                          "constants: {length: 3}\n"
                          "time: length\n"
                          "expect: [{metric: time, is: length, within: 0}]\n";

static bool load(const char *more, const char *override1, const char *override2)
{
    char path[200], text[2000];
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder)) CHECK_FAIL("no folder for test files");
    snprintf(path, sizeof path, "%s/stone.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file) CHECK_FAIL("cannot write %s", path);
    fputs(stone, file);
    fclose(file);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    snprintf(text, sizeof text, "%s%s", top, more);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    const char *overrides[] = {override1, override2};
    int count = override1 ? (override2 ? 2 : 1) : 0;
    scene = ff_scene_parse(text, strlen(text), path, overrides, count, &report);
    return scene != NULL;
}

static const char *message(int i)
{
    static char text[1000];
    if (i >= report.count) return "";
    ff_message_format(&report.messages[i], text, sizeof text);
    return text;
}

static const char both[] = "variants:\n"
                           "  - {name: short, set: {constants.length: 1, seed: 7}}\n"
                           "  - {name: long, set: {time: 10}, expect: [{metric: time, is: 10, within: 0}]}\n";

TEST(without_a_choice_the_scene_is_itself)
{
    CHECK(load(both, NULL, NULL));
    CHECK_NEAR(scene->time, 3, 0);
    CHECK(scene->variant == NULL);
    CHECK_INT(scene->nvariant, 2);
    CHECK_TEXT(scene->variants[0], "short");
    CHECK_TEXT(scene->variants[1], "long");
}

TEST(a_variant_changes_values_constants_and_expectations)
{
    CHECK(load(both, "variant=short", NULL));
    CHECK_TEXT(scene->variant, "short");
    CHECK_NEAR(scene->time, 1, 0);
    CHECK_NEAR(scene->expectations[0].is, 1, 0);
    CHECK_INT(scene->options.seed, 7);
    CHECK(load(both, "variant=long", NULL));
    CHECK_NEAR(scene->time, 10, 0);
    CHECK_INT(scene->nexpectation, 1);
    CHECK_NEAR(scene->expectations[0].is, 10, 0);
}

TEST(overrides_win_over_the_variant_in_any_order)
{
    CHECK(load(both, "time=5", "variant=long"));
    CHECK_NEAR(scene->time, 5, 0);
    CHECK(load(both, "variant=long", "time=5"));
    CHECK_NEAR(scene->time, 5, 0);
}

TEST(the_file_itself_may_choose)
{
    char text[600];
    snprintf(text, sizeof text, "variant: long\n%s", both);
    CHECK(load(text, NULL, NULL));
    CHECK_NEAR(scene->time, 10, 0);
    CHECK(load(text, "variant=short", NULL));
    CHECK_NEAR(scene->time, 1, 0);
}

TEST(bad_variants_are_refused_with_their_place)
{
    CHECK(!load(both, "variant=shrot", NULL));
    CHECK_SAYS(message(0), "--set variant: error: no variant 'shrot' in this scene; did you mean 'short'?");
    CHECK(!load("variants: [{name: a, set: {}}, {name: a, set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "scene.yaml:6:39: error: a second variant");
    CHECK(!load("variants: [{name: a}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "'set'");
    CHECK(!load("variants: [{set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "'name'");
    CHECK(!load("variants: [{name: a/b, set: {}}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "without blanks");
    CHECK(!load("variants: 7\n", NULL, NULL));
    CHECK(!load("variants: [7]\n", NULL, NULL));
    CHECK(!load("variants: [7]\n", "variant=a", NULL));
    CHECK(!load("variants: [{name: a, set: {}, sett: 1}]\n", NULL, NULL));
    CHECK_SAYS(message(0), "unknown key 'sett'");
    CHECK(!load("variants: [{name: a, set: {tmie: 1}}]\n", "variant=a", NULL));
    CHECK_SAYS(message(0), "unknown key 'tmie'");
    CHECK(!load("variants: [{name: a, set: {time.x: 1}}]\n", "variant=a", NULL));
    CHECK_SAYS(message(0), "scene.yaml:6:28: error: 'time' is a single value");
    ff_scene_destroy(scene);
    ff_report_clear(&report);
}
