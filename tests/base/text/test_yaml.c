// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The YAML layer: numbers mean the same everywhere, every error has its place, hostile files stay small.
#include "check.h"
#include "support/message.h"
#include "text/yaml.h"

#include <footfall/text.h>
#include <locale.h>
#include <time.h>

static ff_arena arena;
static ff_report report;

static void start(void)
{
    ff_arena_clear(&arena);
    ff_report_clear(&report);
    arena.limit = 0;
}

static ff_yaml *parse(const char *text)
{
    start();
    return ff_yaml_parse(&arena, text, strlen(text), "t.yaml", &report);
}

static const char *message(int i)
{
    return message_of(&report, i);
}

static double number(const char *text)
{
    char document[200];
    snprintf(document, sizeof document, "a: %s", text);
    ff_yaml *root = parse(document);
    CHECK(root);
    double value = ff_yaml_number(root, "a", -999.0, &report);
    if (report.errors) CHECK_FAIL("%s: %s", text, message(0));
    return value;
}

TEST(numbers_read_alike_in_a_locale_with_a_decimal_comma)
{
    double value = 0.0;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < 4; i++)
        if (setlocale(LC_ALL, comma[i])) break;
    bool fine = ff_text_number("1.5", 3, &value);
    setlocale(LC_ALL, "C");
    CHECK(fine);
    CHECK(value == 1.5);
}

TEST(only_plain_decimal_numbers_are_numbers)
{
    static const char *const good[] = {"0", "-1", "+2.5", ".5", "5.", "1e3", "1E-3", "-1.25e+2"};
    static const char *const bad[] = {"",   "0x10", "nan", "inf", "-inf", "1e400", "1.2.3", "1,5", " 1",
                                      "1 ", "e5",   "-",   ".",   "1e",   "1_0",   "--1",   "1f"};
    static const double values[] = {0, -1, 2.5, .5, 5, 1000, .001, -125};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!ff_text_number(good[i], strlen(good[i]), &value)) CHECK_FAIL("\"%s\" refused", good[i]);
        CHECK(value == values[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ff_text_number(bad[i], strlen(bad[i]), &value)) CHECK_FAIL("\"%s\" accepted", bad[i]);
}

TEST(units_become_si)
{
    CHECK(number("3 mm") == 0.003);
    CHECK(number("1.1 mm") == 0.0011); // as rounded by the division, not by a factor of 0.001
    CHECK(number("2ms") == 0.002);
    CHECK_NEAR(number("45 deg"), atan(1.0), 1e-16);
    CHECK_NEAR(number("-180 deg/s"), -4 * atan(1.0), 1e-15);
    CHECK_NEAR(number("30 rpm"), 4 * atan(1.0), 1e-15);
    CHECK_NEAR(number("36 km/h"), 10.0, 1e-14);
    CHECK(number("50 %") == 0.5);
    CHECK(number("2 m") == 2.0);
}

TEST(expressions_follow_the_rules_of_arithmetic)
{
    CHECK(number("1 + 2 * 3") == 7.0);
    CHECK(number("(1 + 2) * 3") == 9.0);
    CHECK(number("8 / 4 / 2") == 1.0);
    CHECK(number("2 - 3 - 4") == -5.0);
    CHECK(number("-2 ^ 2") == -4.0);
    CHECK(number("2 ^ 3 ^ 2") == 512.0);
    CHECK(number("2 ^ -1") == 0.5);
    CHECK(number("4e-7 * 251^2") == 4e-7 * 63001.0);
    CHECK(number("sqrt(16) + abs(-1)") == 5.0);
    CHECK_NEAR(number("sin(30 deg) + cos(pi / 3)"), 1.0, 1e-15);
    CHECK_NEAR(number("atan(1) / 1 deg"), 45.0, 1e-13);
}

TEST(constants_carry_an_origin_and_may_use_each_other)
{
    ff_yaml *root = parse("constants:\n"
                          "  span: 2 * reach   # declared before what it uses\n"
                          "  reach: {value: 150 mm, origin: 'assumed: table size'}\n"
                          "list: [span, -span / 2, {value: 1, origin: given}]\n");
    CHECK(root);
    double list[3];
    CHECK_INT(ff_yaml_numbers(root, "list", list, 3, 3, &report), 3);
    CHECK(list[0] == 0.3);
    CHECK(list[1] == -0.15);
    ff_yaml_check_constants(root, &report);
    ff_yaml_report_unused(root, FF_ERROR, &report);
    CHECK_INT(report.errors, 0);
}

TEST(bad_numbers_are_named_with_their_place)
{
    static const char *const cases[][2] = {
        {"a: 0x10", "t.yaml:1:4: error: '0x10' is not a number: unknown unit"},
        {"a: .nan", "'.nan' is not a number"},
        {"a: 1e999", "it is too large"},
        {"a: 1e13", "at most 1e+12 in size"},
        {"a: 1 / 0", "gives inf"},
        {"a: 0 / 0", "gives"},
        {"a: sqrt(-1)", "gives"},
        {"a: 3 parsec", "unknown unit"},
        {"a: '3'", "expected a number, got a quoted string"},
        {"a:", "expected a number, got nothing"},
        {"a: [1]", "expected a number for 'a', got a list"},
        {"a: (1", "a ')' is missing"},
        {"a: 1 +", "it ends too early"},
        {"a: 1 2", "it goes on after its end"},
        {"a: lenght\nconstants: {length: 1}", "no 'lenght' in the constants of this file; did you mean 'length'?"},
        {"a: x\nconstants: {x: y, y: x}", "a constant depends on itself"},
        {"a: {value: 1, orign: me}", "unknown key 'orign'"},
        {"a: ((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))", "nested too deeply"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_yaml *root = parse(cases[i][0]);
        CHECK(root);
        ff_yaml_number(root, "a", 0.0, &report);
        ff_yaml_get(root, "constants");
        ff_yaml_report_unused(root->child, FF_ERROR, &report);
        CHECK(report.errors >= 1);
        CHECK_SAYS(message(0), cases[i][1]);
    }
}

TEST(places_are_those_of_keys_and_values)
{
    ff_yaml *root = parse("one: 1\nmap:\n  two: [5, 6]\n");
    CHECK(root);
    ff_yaml *two = ff_yaml_get(ff_yaml_get(root, "map"), "two");
    CHECK(two);
    CHECK_INT(two->key_place.line, 3);
    CHECK_INT(two->key_place.column, 3);
    CHECK_INT(two->place.column, 8);
    CHECK_INT(two->child->next->place.column, 12);
    CHECK_TEXT(two->place.file, "t.yaml");
}

TEST(malformed_files_are_refused_with_their_place)
{
    static const char *const cases[][2] = {
        {"", "the file is empty"},
        {"# only a comment\n", "the file is empty"},
        {"a: [1, 2\n", "t.yaml:2:1: error: YAML: did not find expected ',' or ']'"},
        {"a: 1\na: 2\n", "t.yaml:2:1: error: key 'a' appears twice; first in line 1"},
        {"a: *b", "alias *b: no anchor &b before it"},
        {"a: &x {b: *x}", "cannot stand inside the value it repeats"},
        {"a: 1\n---\nb: 2\n", "a second document starts here"},
        {"? [a, b]\n: 1\n", "a key must be a plain word"},
        {"a: !robot 1", "tag '!robot' means nothing here"},
        {"a: \"\\0\"", "zero byte"},
        {"a: \x01", "not a YAML file"},
        {"a: \xff\xfe", "not a YAML file"},
        {"a: {<<: 3}", "'<<' takes a map"},
        {"\ta: 1", "YAML:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_yaml *root = parse(cases[i][0]);
        if (root) CHECK_FAIL("case %zu accepted", i);
        CHECK_INT(report.errors, 1);
        CHECK_SAYS(message(0), cases[i][1]);
    }
}

TEST(merge_keys_fill_in_what_a_map_lacks)
{
    ff_yaml *root = parse("base: &base {x: 1, y: 2}\nmore: &more {y: 3, z: 4}\n"
                          "out: {y: 5, <<: [*base, *more], w: 6}\n");
    CHECK(root);
    ff_yaml *out = ff_yaml_get(root, "out");
    CHECK_INT(out->nchild, 4);
    CHECK(ff_yaml_number(out, "x", 0, &report) == 1.0);
    CHECK(ff_yaml_number(out, "y", 0, &report) == 5.0);
    CHECK(ff_yaml_number(out, "z", 0, &report) == 4.0);
    CHECK_INT(report.errors, 0);
}

TEST(an_alias_bomb_stays_small)
{
    char text[2000] = "a0: &a0 [1,1,1,1,1,1,1,1,1]\n";
    for (int i = 1; i < 20; i++) {
        char line[100];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    CHECK(!parse(text)); // 9^20 values written out
    CHECK_SAYS(message(0), "more than 200000 values");
    CHECK_BELOW((double)arena.total, 100e6); // [byte] 200 000 nodes of 192 bytes and their keys
}

TEST(deep_nesting_is_refused)
{
    static char text[20001];
    memset(text, '[', 20000);
    CHECK(!parse(text));
    CHECK_SAYS(message(0), "nested more than 100 levels deep");
}

TEST(the_memory_limit_of_the_arena_holds)
{
    start();
    arena.limit = 1 << 20;
    static char text[100000];
    for (size_t i = 0; i + 2 < sizeof text; i += 2) memcpy(text + i, "- ", 2);
    for (size_t i = 1; i + 2 < sizeof text; i += 2) text[i] = '\n';
    CHECK(!ff_yaml_parse(&arena, text, strlen(text), "t.yaml", &report));
    CHECK_SAYS(message(0), "memory limit");
    arena.limit = 0;
}

TEST(many_keys_and_many_wrong_names_take_no_quadratic_time)
{
    static char text[1 << 21];
    size_t length = 0;
    for (int i = 0; i < 100000; i++) length += (size_t)sprintf(text + length, "key%d: nme%d\n", i, i);
    clock_t begin = clock();
    ff_yaml *root = parse(text);
    CHECK(root);
    for (ff_yaml *child = root->child; child; child = child->next) {
        double value;
        ff_yaml_as_number(child, &value, &report);
    }
    ff_yaml_report_unused(root, FF_ERROR, &report);
    CHECK_INT(report.errors, 200000);
    CHECK_BELOW((double)(clock() - begin) / CLOCKS_PER_SEC, 30.0); // [s] takes 0.2 s; a search for each name took 70 s
}

TEST(keys_that_nobody_asked_for_are_reported)
{
    ff_yaml *root = parse("mass: 1\ncolour: red\n");
    CHECK(root);
    ff_yaml_number(root, "mass", 0, &report);
    ff_yaml_report_unused(root, FF_ERROR, &report);
    CHECK_INT(report.errors, 1);
    CHECK_TEXT(message(0), "t.yaml:2:1: error: unknown key 'colour'");
}

// libyaml gives the byte alone; a byte order mark takes no column, and an accented letter takes one.
TEST(bad_utf_8_has_a_line_and_a_column)
{
#define MARK "\xEF\xBB\xBF"
    static const char *const texts[] = {"a: 1\nb: \xff\n", (MARK "a: 1\nb: \xff\n"), "a: 1\n\xc3\xa9: \xff\n"};
    for (int i = 0; i < 3; i++) {
        CHECK(!parse(texts[i]));
        CHECK_SAYS(message(0), "t.yaml:2:4: error: not a YAML file: ");
    }
}

TEST(words_are_checked_against_the_allowed_ones)
{
    static const char *const words[] = {"hinge", "slide", NULL};
    ff_yaml *root = parse("type: hing\nflag: maybe\ncount: 1.5\nyes: on\n");
    CHECK(root);
    CHECK_INT(ff_yaml_choice(root, "type", words, 1, &report), 1);
    CHECK_SAYS(message(0), "'type' is 'hing'; allowed: hinge, slide; did you mean 'hinge'?");
    CHECK(ff_yaml_boolean(root, "flag", true, &report));
    CHECK_SAYS(message(1), "allowed: false, true");
    CHECK_INT(ff_yaml_integer(root, "count", 7, &report), 7);
    CHECK_SAYS(message(2), "must be a whole number");
    CHECK(ff_yaml_boolean(root, "yes", false, &report));
    CHECK(!ff_yaml_need(root, "robot", &report));
    CHECK_SAYS(message(3), "key 'robot' is missing here");
}

TEST(set_changes_adds_and_refuses)
{
    ff_yaml *root = parse("solver: {step: 1}\nlist: [{a: 1}, {a: 2}]\nempty:\na.b: {c: 1}\n");
    CHECK(root);
    CHECK(ff_yaml_set(&arena, root, "solver.step", "2 ms", &report));
    CHECK(ff_yaml_number(ff_yaml_get(root, "solver"), "step", 0, &report) == 0.002);
    CHECK(ff_yaml_set(&arena, root, "list.1.a", "[7, 8]", &report));
    CHECK_INT(ff_yaml_get(root, "list")->child->next->child->nchild, 2);
    CHECK(ff_yaml_set(&arena, root, "record.rate", "100", &report));
    CHECK(ff_yaml_number(ff_yaml_get(root, "record"), "rate", 0, &report) == 100.0);
    CHECK(ff_yaml_set(&arena, root, "empty.x", "1", &report));
    CHECK(ff_yaml_set(&arena, root, "a.b.c", "5", &report)); // a key with a dot is found
    CHECK(ff_yaml_number(ff_yaml_get(root, "a.b"), "c", 0, &report) == 5.0);
    CHECK_INT(report.errors, 0);
    CHECK(!ff_yaml_set(&arena, root, "list.2.a", "1", &report));
    CHECK_SAYS(message(0), "the list has items 0 to 1");
    CHECK(!ff_yaml_set(&arena, root, "record.rate.x", "1", &report));
    CHECK_SAYS(message(1), "'record.rate' is a single value");
    CHECK(!ff_yaml_set(&arena, root, "a..b", "1", &report));
    CHECK(!ff_yaml_set(&arena, root, "a", "[", &report));
    CHECK_INT(report.errors, 4);
    start();
}

TEST(patterns_match_as_expected)
{
    CHECK(ff_text_matches("*_femur", "FL_femur"));
    CHECK(ff_text_matches("*", ""));
    CHECK(ff_text_matches("a*b*c", "aXbYbZc"));
    CHECK(!ff_text_matches("a*b", "abc"));
    CHECK(!ff_text_matches("*_femur", "FL_tibia"));
    CHECK(ff_text_matches("exact", "exact"));
}
