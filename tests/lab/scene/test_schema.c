// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The schema against files that use it: every key of every table stands in a robot, an experiment or a specimen (files
// of the folder specimens that load without messages); in its place there, a value of a wrong form, with a wrong unit
// or out of range is refused at that place, and so is another key. Every key appears in the printed reference.
#include "check.h"
#include "specimens.h"
#include "steer/steering.h"

#include <footfall/keys.h>
#include <footfall/load.h>
#include <footfall/run.h>
#include <footfall/scene.h>
#include <footfall/text.h>

enum { MOST_KEYS = 2000 };

// ------------------------------------------------------------------------------------------ keys that were met

/// A key by the names of its group and its own: groups of controllers are made for each file.
typedef struct met_key {
    char name[120];
    bool met;
} met_key;

static met_key keys[MOST_KEYS];
static int nkey;

static met_key *find_key(const char *group, const char *row)
{
    char name[120];
    snprintf(name, sizeof name, "%s/%s", group, row);
    for (int i = 0; i < nkey; i++)
        if (strcmp(keys[i].name, name) == 0) return &keys[i];
    CHECK(nkey < MOST_KEYS);
    memcpy(keys[nkey].name, name, sizeof name);
    return &keys[nkey++];
}

static const ff_key_group *groups[MOST_KEYS];
static int ngroup;

static void list_group(const ff_key_group *group)
{
    const ff_row *row;
    for (int i = 0; i < ngroup; i++)
        if (groups[i] == group) return;
    groups[ngroup++] = group;
    for (int i = 0; (row = ff_row_at(group, i)); i++) {
        find_key(group->name, row->name);
        if (row->group) list_group(row->group);
    }
}

static void list_all_keys(ff_arena *arena)
{
    nkey = ngroup = 0;
    list_group(&ff_keys_robot);
    list_group(&ff_keys_scene);
    for (int i = 0; ff_controller_kinds[i]; i++) list_group(ff_control_group(ff_controller_kinds[i], NULL, arena));
}

// ------------------------------------------------------------------------------------------ other values

static void print_problems(const ff_report *report)
{
    for (int i = 0; i < report->count && i < 5; i++)
        printf("    %d:%d %s\n", report->messages[i].line, report->messages[i].column, report->messages[i].text);
}

/// The file with bytes `begin` to `end` replaced must be refused at the place, and nowhere else.
static void must_refuse(const specimen *f, size_t begin, size_t end, ff_place place, const char *value,
                        const char *what)
{
    ff_arena arena = {0};
    ff_report report = {0};
    const size_t more = strlen(value), length = f->length - (end - begin) + more;
    char *text = malloc(length + 1);
    CHECK(text);
    memcpy(text, f->text, begin);
    memcpy(text + begin, value, more);
    memcpy(text + begin + more, f->text + end, f->length - end);
    text[length] = 0;
    ff_yaml *root = ff_yaml_parse(&arena, text, length, f->path, &report);
    if (root) ff_schema_check(root, f->group, &report);
    bool found = false;
    for (int i = 0; i < report.count; i++)
        found = found || (report.messages[i].line == place.line && report.messages[i].column == place.column);
    if (!found) {
        print_problems(&report);
        CHECK_FAIL("%s:%d:%d: '%s' is not refused as %s", f->path, place.line, place.column, value, what);
    }
    free(text);
    ff_report_clear(&report);
    ff_arena_clear(&arena);
}

static void must_refuse_value(const specimen *f, const ff_yaml *node, const char *value, const char *what)
{
    must_refuse(f, node->begin, node->end, node->place, value, what);
}

/// A value in flow style that has none of the forms of a row.
static const char *wrong_form(const ff_row *row)
{
    enum { SCALAR = FF_TAKES_NUMBER | FF_TAKES_SWITCH | FF_TAKES_WORD | FF_TAKES_TEXT };
    if (!(row->takes & (FF_TAKES_MAP | FF_TAKES_NAMED))) return "{zzz: {}}";
    if (!(row->takes & (FF_TAKES_LIST | FF_TAKES_NUMBERS | FF_TAKES_TEXTS))) return "[[]]";
    return row->takes & SCALAR ? NULL : "3.25";
}

/// The node of a number in it: itself, the first of a list, or the value of {value, origin}.
static const ff_yaml *number_in(const ff_yaml *node)
{
    while (node && node->type != FF_YAML_SCALAR) node = node->child;
    return node && !node->quoted && !node->source && strchr("+-.0123456789(", node->text[0]) ? node : NULL;
}

static void check_number(const specimen *f, const ff_yaml *node)
{
    const ff_row *row = node->row;
    const ff_yaml *at = number_in(node);
    char value[60];
    if (!at) return;
    if (strcmp(row->unit, FF_ANY_UNIT) != 0)
        must_refuse_value(f, at, strstr(row->unit, "kg") ? "1 s" : "1 kg", "a wrong unit");
    must_refuse_value(f, at, "3 furlongs", "an unknown unit");
    if (row->takes & FF_TAKES_WHOLE) must_refuse_value(f, at, "2.5", "a fraction");
    if (row->range.nonzero) must_refuse_value(f, at, "0", "zero");
    if (isfinite(row->range.low)) {
        snprintf(value, sizeof value, "%.17g", row->range.low - (row->range.above ? 0.0 : 1.0));
        must_refuse_value(f, at, value, "too small");
    }
    if (isfinite(row->range.high)) {
        snprintf(value, sizeof value, "%.17g", row->range.high + (row->range.below ? 0.0 : 1.0));
        must_refuse_value(f, at, value, "too large");
    }
}

static void check_other_key(const specimen *f, const ff_yaml *node)
{
    const size_t at = offset_of(f, node->key_place), length = strlen(node->key);
    const ff_row *any = ff_row_find(node->parent->group, "zzz");
    if (any || strncmp(f->text + at, node->key, length) != 0) return; // any name will do, or it is quoted
    must_refuse(f, at, at + length, node->key_place, "zzz", "an unknown key");
}

static void check_node(const specimen *f, const ff_yaml *node)
{
    const ff_row *row = node->row;
    const char *wrong = wrong_form(row);
    if (node->key) check_other_key(f, node);
    if (row->takes & FF_TAKES_ANYTHING) return;
    const char first = f->text[node->begin];
    if (first == '>' || first == '|') return; // a block of text
    if (wrong && node->end > node->begin) must_refuse_value(f, node, wrong, "a wrong form");
    if (row->takes == FF_TAKES_WORD || row->takes == FF_TAKES_SWITCH) must_refuse_value(f, node, "zzz", "another word");
    if (row->takes & (FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_NAMED)) check_number(f, node);
}

static int nchecked; // keys that could be

/// Every node that stands in the file itself and whose key was not met before.
static void walk(const specimen *f, const ff_yaml *node)
{
    for (const ff_yaml *child = node->child; child; child = child->next) {
        if (child->source || child->merged) continue; // it stands elsewhere
        if (child->row && node->group) {
            const bool law = ff_row_find(&ff_keys_control, child->row->name) == child->row; // beside a controller
            met_key *key = find_key(law ? ff_keys_control.name : node->group->name, child->row->name);
            if (!key->met && nchecked++ % CHECK_LASTS(1, 4) == 0) check_node(f, child);
            key->met = true;
        }
        if (!(child->row && child->row->takes & FF_TAKES_ANYTHING)) walk(f, child);
    }
}

/// Keys that no file here can have.
static bool is_excused(const char *name)
{
    return strcmp(name, "object/plane") == 0 ||  // an object is a shape, but the reader refuses a plane
           strcmp(name, "heightfield/png") == 0; // test_terrain.c writes a picture
}

TEST(every_key_stands_in_a_file_and_is_checked_there)
{
    ff_arena arena = {0};
    int missing = 0;
    find_files();
    list_all_keys(&arena);
    const int all = nkey;
    for (int i = 0; i < nfile; i++) {
        ff_arena tree = {0};
        ff_report report = {0};
        ff_yaml *root = ff_yaml_parse(&tree, files[i].text, files[i].length, files[i].path, &report);
        CHECK(root);
        ff_schema_check(root, files[i].group, &report);
        if (report.errors > 0) {
            print_problems(&report);
            CHECK_FAIL("%s is refused", files[i].path);
        }
        walk(&files[i], root);
        ff_report_clear(&report);
        ff_arena_clear(&tree);
    }
    for (int i = 0; i < all; i++) {
        if (keys[i].met || is_excused(keys[i].name)) continue;
        printf("  %s stands in no file\n", keys[i].name);
        missing++;
    }
    printf("  %d keys in %d files\n", all, nfile);
    for (int i = all; i < nkey; i++) printf("  %s is not in the list\n", keys[i].name);
    CHECK(missing == 0 && nkey == all);
    ff_arena_clear(&arena);
}

/// The readers know every key of the specimens, too: none is without effect, none without a reader.
TEST(specimens_load_without_messages)
{
    find_files();
    for (int i = 0; i < nfile && strstr(files[i].path, "specimens"); i++) {
        if (strstr(files[i].path, "inner")) continue; // files for others alone
        ff_report report = {0};
        bool fine;
        if (files[i].group == &ff_keys_scene) {
            const ff_scene_spec *scene = ff_scene_load(files[i].path, NULL, 0, &report);
            const bool foreign = strstr(files[i].path, "callback"); // there is no program to steer it
            ff_run *run = scene && !foreign ? ff_run_create(scene, NULL, &report) : NULL;
            fine = scene && (run || foreign);
            ff_run_destroy(run);
            ff_scene_destroy(scene);
        } else {
            ff_spec *spec = ff_spec_create(NULL);
            fine = ff_spec_load(spec, files[i].path, NULL, &report) == FF_OK;
            ff_spec_destroy(spec);
        }
        if (!fine) {
            print_problems(&report);
            CHECK_FAIL("%s is refused", files[i].path);
        }
        ff_report_clear(&report);
    }
}

TEST(every_key_is_in_the_printed_reference)
{
    ff_arena arena = {0};
    char *pages[2] = {0};
    size_t sizes[2];
    static const char *const names[] = {"robot", "scene"};
    for (int i = 0; i < 2; i++) {
        FILE *out = open_memstream(&pages[i], &sizes[i]);
        CHECK(out && ff_keys_print(out, names[i], FF_KEYS_MARKDOWN, NULL) == FF_OK);
        fclose(out);
    }
    list_all_keys(&arena);
    for (int i = 0; i < nkey; i++) {
        const char *row = strchr(keys[i].name, '/') + 1;
        char cell[130];
        snprintf(cell, sizeof cell, "| `%s` |", row);
        const bool container = strcmp(row, "*") == 0 || strcmp(row, "-") == 0; // shown by the path of its items
        if (!container && !strstr(pages[0], cell) && !strstr(pages[1], cell))
            CHECK_FAIL("%s is not in the reference", keys[i].name);
    }
    for (int i = 0; i < 2; i++) free(pages[i]);
    ff_arena_clear(&arena);
}

/// The pages of the manual are what the program prints: footfall keys --markdown robot > docs/reference-robot.md
TEST(the_manual_has_the_reference_of_today)
{
    static const char *const names[] = {"robot", "scene", "mjcf"};
    for (int i = 0; i < 3; i++) {
        char path[300], *page = NULL;
        size_t size, length;
        ff_report report = {0};
        FILE *out = open_memstream(&page, &size);
        CHECK(out && ff_keys_print(out, names[i], FF_KEYS_MARKDOWN, NULL) == FF_OK);
        fclose(out);
        snprintf(path, sizeof path, FF_SOURCE_DIR "/docs/reference-%s.md", names[i]);
        char *text = ff_text_load(path, 10 << 20, &length, (ff_place){0}, &report);
        if (!text || length != size || memcmp(text, page, size) != 0)
            CHECK_FAIL("docs/reference-%s.md is old: footfall keys --markdown %s > docs/reference-%s.md", names[i],
                       names[i], names[i]);
        free(text);
        free(page);
    }
}

TEST(help_is_a_line_of_plain_words)
{
    for (int g = 0; g < 2; g++) {
        char *page = NULL;
        size_t size;
        FILE *out = open_memstream(&page, &size);
        CHECK(out && ff_keys_print(out, g ? "scene" : "robot", FF_KEYS_MARKDOWN, NULL) == FF_OK);
        fclose(out);
        CHECK(!strstr(page, "|  |\n") && !strstr(page, ". |\n")); // every row has a meaning, and no full stop
        free(page);
    }
}

// A new key is a row of a table and a line of a reader; all else follows.
static const ff_key_group NEW_GROUP =
    FF_GROUP("new", "A group with one key.",
             FF_NUMBER("bounce", "m/s", FF_BETWEEN(0.0, 10.0), "1", "speed at which it leaves the ground"));

static double read_bounce(const char *text, ff_report *report)
{
    ff_arena arena = {0};
    ff_yaml *root = ff_yaml_parse(&arena, text, strlen(text), "new", report);
    CHECK(root);
    ff_schema_check(root, &NEW_GROUP, report);
    const double bounce = ff_yaml_number(root, "bounce", 1.0, report);
    ff_arena_clear(&arena);
    return bounce;
}

TEST(a_new_key_is_a_row_and_a_line)
{
    static const struct {
        const char *text, *says;
    } bad[] = {{"{bounce: 11}", "'bounce' is 11 m/s: it must be between 0 and 10"},
               {"{bounce: 3 kg}", "'3 kg' has the wrong unit: 'bounce' is in m/s"},
               {"{bounce: [1]}", "expected a number for 'bounce', got a list"},
               {"{bonce: 1}", "unknown key 'bonce'; did you mean 'bounce'?"}};
    ff_report report = {0};
    CHECK_NEAR(read_bounce("{bounce: 3.6 km/h}", &report), 1.0, 0.0);
    CHECK_NEAR(read_bounce("{}", &report), 1.0, 0.0);
    CHECK(report.errors == 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        read_bounce(bad[i].text, &report);
        if (report.errors != 1 || !strstr(report.messages[0].text, bad[i].says)) {
            print_problems(&report);
            CHECK_FAIL("%s: not '%s'", bad[i].text, bad[i].says);
        }
        ff_report_clear(&report);
    }
}

// Numbers with units keep their dimension through constants and expressions; numbers without one may be anything.
TEST(units_are_checked_through_expressions)
{
    static const struct {
        const char *value;
        bool fine;
    } cases[] = {{"2 m / 1 s", true},     {"2 m / 1 kg", false},
                 {"1 m/s + 1 m", false},  {"1 m/s + 3.6 km/h", true},
                 {"2 * 1 m/s", true},     {"2 * 30 mm", true},            // 2 may be in 1/s
                 {"sqrt(4 m)", true},     {"30 deg * 0.1 m / 1 s", true}, // an arc a second
                 {"(2 m) / (1 m)", true}, {"90 deg", false},
                 {"-(1 m/s)", true},      {"50 %", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_report report = {0};
        char text[60];
        snprintf(text, sizeof text, "{bounce: %s}", cases[i].value);
        read_bounce(text, &report);
        int units = 0;
        for (int k = 0; k < report.count; k++) units += strstr(report.messages[k].text, "unit") != NULL;
        if ((units == 0) != cases[i].fine) CHECK_FAIL("%s: %d errors of units", cases[i].value, units);
        ff_report_clear(&report);
    }
}

// An alias in a list is an item, wherever its anchor stands; what is wrong in it is reported, never lost in silence.
TEST(aliases_in_lists_are_items)
{
    static const char scene[] = "footfall: 1\n"
                                "define: {floor: &floor {plane: {}}, late: &late {metric: time, at_most: 0.001},\n"
                                "  ball: &ball {sphere: 0.1, mass: 1, pos: [0, 0, 1]}}\n"
                                "objects: [*ball]\nterrain: [*floor]\nexpect: [*late]\ntime: 0.01\n";
    static const char wrong[] = "footfall: 1\ndefine: {late: &late {metric: time, at_mst: 1}}\n"
                                "objects: [{sphere: 0.1, mass: 1}]\nexpect: [*late]\n";
    ff_report report = {0};
    ff_error err = {0};
    const ff_scene_spec *spec = ff_scene_parse(scene, strlen(scene), "s.yaml", NULL, 0, &report);
    ff_run *run = spec ? ff_run_create(spec, NULL, &report) : NULL;
    if (!run) print_problems(&report);
    CHECK(run && ff_run_go(run, &err) == FF_OK);
    ff_arena arena = {0};
    int count;
    const ff_verdict *verdicts = ff_run_verdicts(run, &arena, &count);
    CHECK(count == 1 && !verdicts[0].met);
    ff_arena_clear(&arena);
    ff_run_destroy(run);
    ff_scene_destroy(spec);
    CHECK(!ff_scene_parse(wrong, strlen(wrong), "s.yaml", NULL, 0, &report));
    CHECK(report.errors > 0 && strstr(report.messages[0].text, "unknown key 'at_mst'"));
    ff_report_clear(&report);
}
