// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of all kinds of controllers: every key is described, its default can be written into a file and read back,
// and a value of a wrong type, unit or range is refused at its place.
#include "check.h"
#include "steer/kind.h"

#include <stdlib.h>

/// A row whose value goes into a struct; others are read by the kind.
static bool is_plain(const ff_row *key)
{
    return ff_setting_size(key) > 0;
}

/// Checks and reads {KEY: VALUE} by the one row of a table. @return the report has errors
static bool read_value(const ff_row *key, const char *value, void *values, bool *given, ff_report *report)
{
    ff_arena arena = {0};
    char text[200];
    const ff_row row[2] = {*key, FF_END};
    const ff_key_group group = {.name = "keys", .keys = row};
    const ff_steer_reader r = {.arena = &arena, .report = report, .file = "keys"};
    snprintf(text, sizeof text, "{%s: %s}", key->name, value);
    ff_yaml *map = ff_yaml_parse(&arena, text, strlen(text), r.file, report);
    if (!map) CHECK_FAIL("%s cannot be read", text);
    ff_schema_check(map, &group, report);
    ff_control_keys_read(&r, map, row, values, given);
    const int errors = report->errors;
    if (errors > 0 && report->messages[0].column != (int)strlen(key->name) + 4)
        CHECK_FAIL("%s: told at column %d", text, report->messages[0].column);
    ff_arena_clear(&arena);
    return errors > 0;
}

static void must_refuse(const char *kind, const ff_row *key, const char *value, void *values)
{
    ff_report report = {0};
    bool given = true;
    if (!read_value(key, value, values, &given, &report) || given) CHECK_FAIL("%s.%s: %s", kind, key->name, value);
    ff_report_clear(&report);
}

/// Just beyond both ends of the range.
static void check_range(const char *kind, const ff_row *key, void *values)
{
    const ff_range *range = &key->range;
    const double slack = key->takes & FF_TAKES_WHOLE ? 1.0 : 1e-6 * fmax(1.0, fmin(fabs(range->high), 1e12));
    char value[40];
    if (range->low > -INFINITY) {
        snprintf(value, sizeof value, "%.15g", range->low - (range->above ? 0.0 : slack));
        must_refuse(kind, key, value, values);
    }
    if (range->high < INFINITY) {
        snprintf(value, sizeof value, "%.15g", range->high + (range->below ? 0.0 : slack));
        must_refuse(kind, key, value, values);
    }
    if (range->nonzero) must_refuse(kind, key, "0", values);
}

static void check_wrong_values(const char *kind, const ff_row *key, void *values)
{
    static const char *const wrong[] = {"[1, 2, 3]", "{a: 1}", "", NULL};
    for (int i = 0; wrong[i]; i++) must_refuse(kind, key, wrong[i], values);
    if (key->takes & FF_TAKES_TEXT) return; // any word is one
    must_refuse(kind, key, "some other word", values);
    if (!(key->takes & FF_TAKES_NUMBER)) return;
    must_refuse(kind, key, "3 furlongs", values);
    must_refuse(kind, key, "3 kg", values); // no controller has a key in kilograms
    if (key->takes & FF_TAKES_WHOLE) must_refuse(kind, key, "1.5", values);
    check_range(kind, key, values);
}

/// A default is text that a file could give: it is read as the value that stands in the settings.
static void check_default(const char *kind, const ff_row *key, void *values)
{
    enum { MOST = 64 };
    ff_report report = {0};
    char before[MOST], *value = (char *)values + key->offset;
    const size_t size = ff_setting_size(key);
    bool given = false;
    if (!key->initial || key->takes & FF_TAKES_TEXT) return; // a text is in the arena of the reader, which is gone
    CHECK(size <= MOST);
    memcpy(before, value, size);
    memset(value, 0, size);
    if (read_value(key, key->initial, values, &given, &report) || !given)
        CHECK_FAIL("%s.%s: %s", kind, key->name, key->initial);
    CHECK(memcmp(before, value, size) == 0);
    ff_report_clear(&report);
}

static int check_table(const char *kind, const ff_row *table, void *values, bool defaults)
{
    int count = 0;
    for (const ff_row *key = table; key && key->name; key++, count++) {
        if (!key->help || !key->help[0]) CHECK_FAIL("%s.%s has no help", kind, key->name);
        CHECK(key->unit && (!(key->takes & FF_TAKES_WORD) || key->words));
        if (key->group) count += check_table(kind, key->group->keys, values, defaults);
        if (!is_plain(key)) continue;
        if (defaults) check_default(kind, key, values);
        check_wrong_values(kind, key, values);
    }
    return count;
}

TEST(every_key_is_described_and_checked)
{
    int count = 0;
    for (int i = 0; ff_controller_kinds[i]; i++) {
        const ff_controller_kind *kind = ff_controller_kinds[i];
        char *settings = calloc(1, kind->settings_size), *command = calloc(1, 4096);
        CHECK(settings && command && kind->help && kind->help[0]);
        ff_settings_default(kind->parameters, settings);
        if (kind->set_defaults) kind->set_defaults(settings);
        count += check_table(kind->name, kind->parameters, settings, true);
        count += check_table(kind->name, kind->commands, command, false);
        CHECK(!kind->commands || (kind->command && kind->command_size > 0));
        free(settings);
        free(command);
    }
    printf("  %d keys\n", count);
    CHECK(count > 90);
}

TEST(a_program_gets_defaults_and_checks_from_the_rows)
{
    static const char *const words[] = {"slow", "fast", NULL};
    struct values {
        double number, pair[2];
        int whole, choice;
        bool on;
        const char *text;
    } v = {0};
    ff_error err = {0};
#define OF struct values
    static const ff_row keys[] = {FF_SETTING_NUMBER("a", number, "m", FF_POSITIVE, "0.02", ""),
                                  FF_SETTING_INTEGER("b", whole, FF_AT_LEAST(3), "3", ""),
                                  FF_SETTING_CHOICE("c", choice, words, "fast", ""),
                                  FF_SETTING_SWITCH("d", on, "true", ""),
                                  FF_SETTING_TEXT("e", text, "stand", ""),
                                  FF_SETTING_NUMBERS("f", pair, 2, "m", FF_BETWEEN(0, 2), "[1.5, 0.7]", ""),
                                  FF_END};
#undef OF
    ff_settings_default(keys, &v);
    CHECK(v.number == 0.02 && v.whole == 3 && v.choice == 1 && v.on && strcmp(v.text, "stand") == 0);
    CHECK(v.pair[0] == 1.5 && v.pair[1] == 0.7);
    CHECK(ff_settings_check(keys, &v, &err) == FF_OK);
    v.pair[1] = 2.5;
    CHECK(ff_settings_check(keys, &v, &err) == FF_BAD_ARGUMENT);
    CHECK(strcmp(err.text, "'f' is 2.5: it must be between 0 and 2") == 0);
    v.pair[1] = 1.0, v.choice = 2;
    CHECK(ff_settings_check(keys, &v, &err) == FF_BAD_ARGUMENT);
    v.choice = 0, v.number = INFINITY;
    CHECK(ff_settings_check(keys, &v, &err) == FF_BAD_ARGUMENT);
}
