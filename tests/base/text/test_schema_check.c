// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of files by tables of keys: a key or value that a table does not allow is reported once, at its place, with
// those allowed, and does not reach the readers.
#include "check.h"
#include "support/message.h"
#include "text/schema.h"
#include "text/yaml.h"

#include <time.h>

static ff_arena arena;
static ff_report report;

static ff_yaml *parse(const char *text)
{
    ff_arena_clear(&arena);
    ff_report_clear(&report);
    return ff_yaml_parse(&arena, text, strlen(text), "t.yaml", &report);
}

static const char *message(int i)
{
    return message_of(&report, i);
}

static const char *const COLOURS[] = {"red", "green", NULL};
// clang-format off
static const ff_key_group INSIDE = FF_GROUP("inside", "A spring.",
    FF_NUMBER("stiffness", "N/m", FF_POSITIVE, "3", "of it"));
static const ff_key_group ITEMS = FF_GROUP("items", "Springs.",
    FF_MAP("-", &INSIDE, "one of them"));
static const ff_key_group TABLE = FF_GROUP("table", "All forms.",
    FF_NUMBER("mass", "kg", FF_BETWEEN(1.0, 2.0), NULL, "of it"),
    FF_NUMBERS("size", 2, 3, "m", FF_STRICTLY_BETWEEN(0.0, 1.0), NULL, "of it"),
    FF_WHOLE("count", FF_NOT_NEGATIVE, NULL, "of them"),
    FF_SWITCH("on", NULL, "whether it is on"),
    FF_WORD("colour", COLOURS, NULL, "of it"),
    FF_EITHER("paints", FF_TAKES_TEXTS, "", FF_ANY, 1, 2, NULL, "what it is painted with", COLOURS, NULL),
    FF_TEXTS("names", NULL, "all that it is called"),
    FF_MAP("spring", &INSIDE, "below it"),
    FF_LIST("springs", &ITEMS, "beside it"),
    FF_NAMED("angles", "rad", FF_ANY, "by name"));
// clang-format on

/// One key, the place of its first message, and its text.
TEST(keys_and_values_that_a_table_does_not_allow_are_reported_and_removed)
{
    static const struct {
        const char *text;
        int column;
        const char *says;
    } bad[] = {
        {"masss: 1", 1, "unknown key 'masss'; did you mean 'mass'?; known here: mass, size, count"},
        {"mass: 3", 7, "'mass' is 3 kg: it must be between 1 and 2 kg"},
        {"mass: 3 m", 7, "'3 m' has the wrong unit: 'mass' is in kg"},
        {"mass: heavy", 7, "heavy"},
        {"mass: '1'", 7, "expected a number for 'mass', got '1' in quotes"},
        {"mass:", 6, "expected a number for 'mass', got nothing"},
        {"mass: [1]", 7, "expected a number for 'mass', got a list"},
        {"mass: {value: 1, orign: me}", 18, "unknown key 'orign'; did you mean 'origin'?"},
        {"mass: {value: 1, origin: [me]}", 26, "expected a word or text for 'origin'"},
        {"mass: {value: 3, origin: me}", 15, "'mass' is 3 kg"},
        {"size: [0.1]", 7, "expected 2 to 3 numbers for 'size', got 1"},
        {"size: [0.1, 1]", 13, "'size' is 1 m: it must be strictly between 0 and 1 m"},
        {"size: [0.1, {value: 0.2, orign: me}]", 26, "did you mean 'origin'?"},
        {"size: {value: [0.1, 2], origin: me}", 21, "'size' is 2 m"},
        {"count: 1.5", 8, "'count' is 1.5: it must be a whole number"},
        {"count: -1", 8, "'count' is -1: it must be zero or more"},
        {"on: maybe", 5, "expected true or false for 'on', got 'maybe'"},
        {"colour: gren", 9, "'colour' is 'gren'; allowed: red, green; did you mean 'green'?"},
        {"paints: [red, blue]", 15, "'paints' is 'blue'; allowed: red, green"},
        {"paints: red", 9,
         "expected a list of words out of red, green for 'paints', got 'red': what it is painted with"},
        {"paints: []", 9, "expected 1 to 2 words for 'paints', got 0: what it is painted with"},
        {"names: me", 8, "expected a list of words for 'names', got 'me': all that it is called"},
        {"names: [me, [you]]", 13, "'names' is a list of words: this item is none"},
        {"spring: 3", 9, "expected {stiffness: ..} for 'spring', got '3'; {} has the defaults"},
        {"spring: {stiffness: 0}", 21, "'stiffness' is 0 N/m: it must be positive"},
        {"springs: {}", 10, "expected a list for 'springs', got a map; an item is {stiffness: ..}"},
        {"springs: [{}, 3]", 15, "expected {stiffness: ..}, got '3'"},
        {"angles: {a: 1, b: 2 kg}", 19, "wrong unit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ff_yaml *root = parse(bad[i].text);
        CHECK(root);
        ff_schema_check(root, &TABLE, &report);
        CHECK_INT(report.errors, 1);
        CHECK_SAYS(message(0), bad[i].says);
        CHECK_INT(report.messages[0].column, bad[i].column);
        const ff_yaml *left = root->child;
        CHECK(!left || left->type != FF_YAML_SCALAR); // a map or list may lose what is wrong inside, and stay
    }
}

TEST(keys_and_values_that_a_table_allows_stay)
{
    ff_yaml *root = parse("{mass: {value: 1500 g, origin: me}, size: {value: [0.1, 20 mm]}, count: 3, on: \"no\",\n"
                          "colour: green, paints: [red], names: [], spring: ~, springs: [{}, {stiffness: 2}],\n"
                          "angles: {a: 90 deg}}");
    CHECK(root);
    ff_schema_check(root, &TABLE, &report);
    if (report.count > 0) CHECK_FAIL("%s", message(0));
    CHECK_INT(root->nchild, 10);
    CHECK(!ff_yaml_boolean(root, "on", true, &report));
}

// A search for `value` among the entries of a map, for each of them, would take quadratic time.
TEST(a_map_of_many_entries_in_place_of_a_number_takes_no_quadratic_time)
{
    static char text[1 << 21];
    size_t length = (size_t)sprintf(text, "mass: {");
    for (int i = 0; i < 100000; i++) length += (size_t)sprintf(text + length, "key%d: %d, ", i, i);
    sprintf(text + length, "value: 1}");
    clock_t begin = clock();
    ff_yaml *root = parse(text);
    CHECK(root);
    ff_schema_check(root, &TABLE, &report);
    CHECK_INT(report.errors, 100000);
    CHECK_BELOW((double)(clock() - begin) / CLOCKS_PER_SEC, 10.0); // [s]
}
