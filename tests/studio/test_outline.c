// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Outlines of robot files: the bytes of a number are exactly its bytes, so that another number in their place changes
// this number and nothing else; units, ranges and what becomes of an entry are those of the readers; texts that are no
// robots are refused. An outline is JSON, which is YAML: it is read with the project's own reader.
#include "check.h"
#include "drive/private.h"
#include "native/keys.h"
#include "studio/outline.h"
#include "text/yaml.h"

#include <footfall/model.h>
#include <footfall/text.h>

#include <ftw.h>

typedef struct outline {
    char *json;
    ff_arena arena;
    ff_yaml *root, *nodes;
    ff_report report;
} outline;

/// In the caller's memory: the tree points to its arena.
static void make(outline *o, const char *path, const char *text, size_t length)
{
    *o = (outline){0};
    o->json = ff_studio_outline(path, text, length, &o->report);
    if (o->json) o->root = ff_yaml_parse(&o->arena, o->json, strlen(o->json), "outline", &o->report);
    if (o->json && !o->root) CHECK_FAIL("no JSON: %s", o->report.messages[0].text);
    o->nodes = o->root ? ff_yaml_get(o->root, "nodes") : NULL;
}

static void make_text(outline *o, const char *text)
{
    make(o, "robot.yaml", text, strlen(text));
}

static void clear(outline *o)
{
    free(o->json);
    ff_arena_clear(&o->arena);
    ff_report_clear(&o->report);
}

static const char *word(ff_yaml *node, const char *key)
{
    return ff_yaml_string(node, key, "", NULL);
}

static bool is_number(ff_yaml *node)
{
    return strcmp(word(node, "kind"), "number") == 0;
}

/// The entry with a dotted path of keys; items of lists by their number.
static ff_yaml *find(const outline *o, const char *path)
{
    int self = -1;
    for (const char *part = path; part;) {
        const size_t n = strcspn(part, ".");
        int number = 0, item = 0;
        bool found = false;
        for (ff_yaml *node = o->nodes->child; node && !found; node = node->next, number++) {
            if (ff_yaml_integer(node, "parent", -2, NULL) != self) continue;
            const char *key = word(node, "key");
            char index[16];
            snprintf(index, sizeof index, "%d", item++);
            const char *name = key[0] ? key : index;
            found = strlen(name) == n && strncmp(name, part, n) == 0;
            if (found) self = number;
        }
        if (!found) CHECK_FAIL("no entry '%s' (at '%s')", path, part);
        part = part[n] ? part + n + 1 : NULL;
    }
    ff_yaml *node = o->nodes->child;
    for (int i = 0; i < self; i++) node = node->next;
    return node;
}

// ------------------------------------------------------------------------------------------ spans

/// Texts of all values, those of aliases included, where two trees differ; -1 where their shape does.
static int differences(const ff_yaml *a, const ff_yaml *b, size_t begin)
{
    if (a->type != b->type || a->nchild != b->nchild || a->quoted != b->quoted) return -1;
    if ((a->key || b->key) && strcmp(a->key, b->key) != 0) return -1;
    if (strcmp(a->text, b->text) != 0) return a->begin == begin ? 1 : -1; // aliases repeat the bytes they repeat
    int count = 0;
    for (const ff_yaml *one = a->child, *two = b->child; one; one = one->next, two = two->next) {
        const int more = differences(one, two, begin);
        if (more < 0) return -1;
        count += more;
    }
    return count;
}

static char *with_span(const char *text, size_t length, size_t begin, size_t end, const char *put, size_t *out)
{
    char *changed = malloc(length + strlen(put) + 1);
    CHECK(changed != NULL);
    memcpy(changed, text, begin);
    memcpy(changed + begin, put, strlen(put));
    memcpy(changed + begin + strlen(put), text + end, length - end);
    *out = length - (end - begin) + strlen(put);
    changed[*out] = 0;
    return changed;
}

/// Replaces one number and checks what the reader sees then. @param before  the text as it is
static void check_change(const char *text, size_t length, const ff_yaml *before, ff_yaml *node)
{
    const size_t begin = (size_t)ff_yaml_integer(node, "begin", -1, NULL);
    const size_t end = (size_t)ff_yaml_integer(node, "end", -1, NULL);
    size_t size;
    CHECK(begin < end && end <= length);
    const char *written = word(node, "text");
    if (strlen(written) != end - begin || strncmp(written, text + begin, end - begin) != 0)
        CHECK_FAIL("'%s' is not what stands at bytes %zu to %zu: '%.*s'", written, begin, end, (int)(end - begin),
                   text + begin);
    char *changed = with_span(text, length, begin, end, "12345.75", &size);
    ff_arena arena = {0};
    const ff_yaml *after = ff_yaml_parse(&arena, changed, size, "after", NULL);
    CHECK(after);
    const int count = differences(before, after, begin);
    if (count < 1) CHECK_FAIL("changing '%s' at byte %zu changes something else, or nothing", written, begin);
    ff_arena_clear(&arena);
    free(changed);
}

static int files, numbers;

static void check_file(const char *path)
{
    char *text;
    size_t length;
    CHECK_INT(ff_text_read(path, 1 << 20, &text, &length, NULL), FF_OK);
    outline o;
    ff_arena arena = {0};
    const ff_yaml *before = ff_yaml_parse(&arena, text, length, "before", NULL);
    CHECK(before);
    make(&o, path, text, length);
    if (!o.nodes) CHECK_FAIL("%s has no outline: %s", path, o.report.count ? o.report.messages[0].text : "?");
    for (ff_yaml *node = o.nodes->child; node; node = node->next) {
        if (!is_number(node)) continue;
        if (!ff_yaml_get(node, "value")) CHECK_FAIL("%s: '%s' is not worked out", path, word(node, "text"));
        if (numbers++ % CHECK_LASTS(5, 160) == 0) check_change(text, length, before, node);
    }
    files++;
    clear(&o);
    ff_arena_clear(&arena);
    free(text);
}

static int each_robot(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)where;
    const size_t n = strlen(path);
    if (type == FTW_F && n > 5 && strcmp(path + n - 5, ".yaml") == 0) check_file(path);
    return 0;
}

TEST(another_number_in_the_span_of_one_changes_this_number_alone)
{
    CHECK_INT(nftw(FF_SOURCE_DIR "/robots", each_robot, 16, FTW_PHYS), 0);
    printf("  %d numbers in %d files\n", numbers, files);
    CHECK(files > 15 && numbers > 1000);
}

TEST(spans_keep_anchors_tags_quotes_and_letters_of_any_length_out)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "footfall: 1 # f\xC3\xBC\xC3\x9F\xF0\x9F\xA4\x96\r\n"
                               "name: \"\xE2\x82\xAC \\\"a\\\"\"\r\n"
                               "bodies:\r\n"
                               "  b: {inertial: {mass: &m !!float 1.5, box: [ 1 mm,\r\n"
                               "    2*3 , (4+5) ]}} # end\r\n"
                               "  c: {pos: [0,0,*m], inertial: &i # here\r\n"
                               "     {mass: *m, sphere: 0.1}}\r\n"
                               "  d: {inertial: {<<: *i, sphere: 0.2}}\r\n";
    const size_t length = sizeof text - 1;
    outline o;
    ff_arena arena = {0};
    const ff_yaml *before = ff_yaml_parse(&arena, text, length, "before", NULL);
    make(&o, "robot.yaml", text, length);
    CHECK(before && o.nodes != NULL);
    const char *const expected[][2] = {{"bodies.b.inertial.mass", "1.5"},   {"bodies.b.inertial.box.0", "1 mm"},
                                       {"bodies.b.inertial.box.1", "2*3"},  {"bodies.b.inertial.box.2", "(4+5)"},
                                       {"bodies.c.inertial.sphere", "0.1"}, {"bodies.d.inertial.sphere", "0.2"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ff_yaml *node = find(&o, expected[i][0]);
        CHECK_TEXT(word(node, "text"), expected[i][1]);
        check_change(text, length, before, node);
    }
    ff_arena_clear(&arena);
    ff_yaml *alias = find(&o, "bodies.c.inertial.mass"), *name = find(&o, "name");
    CHECK_TEXT(word(alias, "kind"), "alias");
    CHECK(strncmp(text + ff_yaml_integer(alias, "begin", 0, NULL), "*m}", 2) == 0);
    CHECK_TEXT(word(find(&o, "bodies.d.inertial.<<"), "text"), "i");
    CHECK(strncmp(text + ff_yaml_integer(name, "begin", 0, NULL), "\"\xE2\x82\xAC", 4) == 0);
    CHECK(strncmp(text + ff_yaml_integer(name, "end", 0, NULL), "\r\nbodies", 8) == 0);
    CHECK_INT(ff_yaml_integer(find(&o, "bodies.b.inertial"), "line", 0, NULL), 4);
    CHECK_INT(ff_yaml_integer(find(&o, "bodies.b.inertial"), "column", 0, NULL), 7);
    CHECK(strncmp(text + ff_yaml_integer(find(&o, "bodies.b"), "end", 0, NULL), " # end", 6) == 0);
    clear(&o);
}

// ------------------------------------------------------------------------------------------ what is known of a number

static const char ROBOT[] =
    "footfall: 1\n"
    "constants: {m: {value: 2.5, origin: guess}, side: 0.1, r: 2}\n"
    "define: {d: &d {gear: 9, rotor: 1e-5, motor: {power: 10}}}\n"
    "materials: {pad: {friction: {static: 0.9, kinetic: 0.7}}}\n"
    "parts:\n"
    "  leg:\n"
    "    bodies: {shin: {joint: {axis: -y, range: [-r, 90 deg], drive: *d}, inertial: {mass: m, sphere: 0.1},\n"
    "      shapes: [{sphere: 0.1, material: pad}], frames: {foot: {pos: [0, 0, -side]}}}}\n"
    "bodies:\n"
    "  trunk:\n"
    "    joint: free\n"
    "    inertial: {mass: 3, box: [1, 1, 1]}\n"
    "    attach: [{part: leg, prefix: L_}, {part: leg, prefix: R_, mirror: y, pos: [0, -side, 0]}]\n"
    "    bodies: {rail: {joint: {type: slide, axis: x, damping: 5, armature: 1}, inertial: {mass: 1, sphere: 0.1}}}\n"
    "sensors: {pot: {type: potentiometer, joints: \"*shin\", rate: 100}}\n"
    "poses: {bent: {L_shin: 30 deg}}\n";

static void check_number(const outline *o, const char *path, double value, const char *unit, const char *low)
{
    ff_yaml *node = find(o, path);
    if (!is_number(node)) CHECK_FAIL("'%s' is %s, not a number", path, word(node, "kind"));
    CHECK_NEAR(ff_yaml_number(node, "value", NAN, NULL), value, 1e-12);
    if (strcmp(word(node, "unit"), unit) != 0)
        CHECK_FAIL("'%s' has unit '%s', expected '%s'", path, word(node, "unit"), unit);
    if (strcmp(word(node, "low"), low) != 0)
        CHECK_FAIL("'%s' is at least '%s', expected '%s'", path, word(node, "low"), low);
}

TEST(numbers_have_the_unit_and_range_of_their_key)
{
    outline o;
    make_text(&o, ROBOT);
    CHECK(o.nodes != NULL);
    check_number(&o, "bodies.trunk.inertial.mass", 3, "kg", "0");
    check_number(&o, "parts.leg.bodies.shin.inertial.mass", 2.5, "kg", "0");
    check_number(&o, "constants.m", 2.5, "kg", "0"); // by its first use
    check_number(&o, "constants.side", 0.1, "m", "");
    CHECK_TEXT(word(find(&o, "constants.m"), "origin"), "guess");
    check_number(&o, "parts.leg.bodies.shin.joint.range.1", FF_PI / 2, "rad", "");
    check_number(&o, "bodies.trunk.bodies.rail.joint.damping", 5, "N s/m", "0"); // it slides
    check_number(&o, "bodies.trunk.bodies.rail.joint.armature", 1, "kg", "0");
    check_number(&o, "define.d.rotor", 1e-5, "kg m^2", "0"); // known by the alias that uses it
    check_number(&o, "define.d.motor.power", 10, "W", "0");
    check_number(&o, "materials.pad.friction.static", 0.9, "", "0");
    check_number(&o, "sensors.pot.rate", 100, "Hz", "0");
    CHECK_TEXT(word(find(&o, "bodies.trunk.attach.1.mirror"), "kind"), "choice");
    CHECK_TEXT(word(find(&o, "bodies.trunk.joint"), "kind"), "choice");
    CHECK_TEXT(word(find(&o, "bodies.trunk.bodies.rail.joint.axis"), "kind"), "choice");
    clear(&o);
}

static bool may_be(const outline *o, const char *path, const char *choice)
{
    ff_yaml *choices = ff_yaml_get(find(o, path), "choices");
    for (ff_yaml *c = choices ? choices->child : NULL; c; c = c->next)
        if (strcmp(c->text, choice) == 0) return true;
    return false;
}

TEST(words_have_the_choices_of_those_who_read_them)
{
    outline o;
    make_text(&o, "footfall: 1\n"
                  "materials: {pad: {like: rubber-foot, normal: {law: linear, stiffness: 1e4}}, sole: {like: pad}}\n"
                  "bodies: {b: {joint: {drive: {kind: dc, loop: {kind: pd}, transmission: {kind: rigid}}},\n"
                  "  inertial: {mass: 1, sphere: 1}, shapes: [{sphere: 1, material: pad}]}}\n"
                  "sensors: {s: {type: gyro, body: b}, t: {preset: anton-gyro, body: b}}\n");
    CHECK(o.nodes != NULL);
    CHECK(may_be(&o, "bodies.b.shapes.0.material", "sole") && may_be(&o, "bodies.b.shapes.0.material", "lab-floor"));
    CHECK(may_be(&o, "materials.sole.like", "pad") && !may_be(&o, "materials.sole.like", "sole"));
    CHECK(may_be(&o, "materials.pad.normal.law", "hunt-crossley"));
    CHECK(may_be(&o, "bodies.b.joint.drive.kind", "servo") && may_be(&o, "bodies.b.joint.drive.loop.kind", "cascade"));
    CHECK(may_be(&o, "bodies.b.joint.drive.transmission.kind", "backlash"));
    CHECK(may_be(&o, "sensors.s.type", "imu") && may_be(&o, "sensors.t.preset", "lola-imu"));
    clear(&o);
}

static void check_makes(const outline *o, const char *path, const char *expected)
{
    char all[400] = "";
    ff_yaml *makes = ff_yaml_get(find(o, path), "makes");
    for (ff_yaml *name = makes ? makes->child : NULL; name; name = name->next) {
        strncat(all, all[0] ? " " : "", sizeof all - strlen(all) - 1);
        strncat(all, name->text, sizeof all - strlen(all) - 1);
    }
    if (strcmp(all, expected) != 0) CHECK_FAIL("'%s' makes '%s', expected '%s'", path, all, expected);
}

TEST(entries_say_what_becomes_of_them)
{
    outline o;
    make_text(&o, ROBOT);
    CHECK(o.nodes != NULL);
    check_makes(&o, "bodies.trunk", "trunk");
    check_makes(&o, "parts.leg.bodies.shin", "L_shin R_shin");
    check_makes(&o, "parts.leg.bodies.shin.joint", "L_shin R_shin");
    check_makes(&o, "parts.leg.bodies.shin.joint.drive", "L_shin R_shin");
    check_makes(&o, "parts.leg.bodies.shin.shapes.0", "L_shin R_shin");
    check_makes(&o, "parts.leg.bodies.shin.frames.foot", "L_foot R_foot");
    check_makes(&o, "bodies.trunk.attach.1", "R_shin");
    check_makes(&o, "sensors.pot", "pot_L_shin pot_R_shin");
    check_makes(&o, "materials.pad", "pad");
    check_makes(&o, "poses.bent", "bent");
    clear(&o);
}

TEST(changes_say_what_they_change_and_have_units)
{
    outline o;
    make_text(&o, "footfall: 1\n"
                  "bodies: {b: {joint: {name: h, drive: {torque: 1}}, inertial: {mass: 1, sphere: 1},\n"
                  "  shapes: [{name: foot, sphere: 1}, {sphere: 2}], frames: {f: {}}}}\n"
                  "shapes: {foot: {sphere: 3, material: rubber-foot}}\n"
                  "joints: {\"*\": {damping: 1}}\n"
                  "actuators: {\"*\": {type: position, kp: 4}}\n"
                  "frames: {\"f*\": {pos: [1, 2, 3]}}\n");
    CHECK(o.nodes != NULL);
    check_makes(&o, "shapes.foot", "b"); // a shape shows its body
    check_makes(&o, "joints.*", "h");
    check_makes(&o, "actuators.*", "h");
    check_makes(&o, "frames.f*", "f");
    check_makes(&o, "bodies.b.joint", "h");
    check_number(&o, "shapes.foot.sphere", 3, "m", "0");
    check_number(&o, "actuators.*.kp", 4, "N m/rad", "");
    CHECK(may_be(&o, "shapes.foot.material", "lab-floor"));
    CHECK(may_be(&o, "actuators.*.type", "velocity"));
    clear(&o);
}

// ------------------------------------------------------------------------------------------ no robots

static void check_refused(const char *text, size_t length, const char *why)
{
    outline o;
    make(&o, "bad.yaml", text, length);
    CHECK(!o.json);
    CHECK(o.report.errors > 0);
    if (!strstr(o.report.messages[0].text, why)) CHECK_FAIL("'%s' does not say '%s'", o.report.messages[0].text, why);
    clear(&o);
}

TEST(texts_that_have_no_outline_say_why)
{
    check_refused("", 0, "empty");
    check_refused("footfall: [1", 12, "YAML");
    check_refused("- 1\n", 4, "expected a robot");
    check_refused("a: {b: 1}\na: 2\n", 15, "twice");
    check_refused("<sdf/>", 6, "a robot file starts with <robot> (URDF)");
    check_refused("<robot", 6, "");
    char *large = calloc(FF_OUTLINE_BYTES + 2, 1);
    CHECK(large != NULL);
    memset(large, '#', FF_OUTLINE_BYTES + 1);
    check_refused(large, FF_OUTLINE_BYTES + 1, "bytes");
    strcpy(large, "footfall: 1\ngravity: [");
    for (int i = 0; i < FF_OUTLINE_NODES + 10; i++) strcat(large + 21 + 2 * i, "1,");
    strcat(large + 21 + 2 * FF_OUTLINE_NODES, "1]\n");
    check_refused(large, strlen(large), "too large");
    memset(large, '[', 400);
    large[400] = 0;
    check_refused(large, 400, "deep");
    free(large);
}

TEST(a_text_with_mistakes_of_meaning_has_an_outline_all_the_same)
{
    outline o;
    make_text(&o, "footfall: 1\nbodies: {b: {inertial: {mass: -1, sphere: nonsense}, zzz: 5, joint: free}}\n");
    CHECK(o.nodes != NULL);
    check_number(&o, "bodies.b.inertial.mass", -1, "kg", "0");
    CHECK(is_number(find(&o, "bodies.b.inertial.sphere")));
    CHECK(!ff_yaml_get(find(&o, "bodies.b.inertial.sphere"), "value"));
    CHECK(!ff_yaml_get(find(&o, "bodies.b"), "makes"));
    clear(&o);
}

TEST(urdf_is_outlined_for_reading)
{
    static const char text[] = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass "
                               "value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
                               "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\" "
                               "type=\"revolute\"><parent link=\"a\"/><child "
                               "link=\"b\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" "
                               "velocity=\"2\"/></joint></robot>";
    outline o;
    make(&o, "r.urdf", text, sizeof text - 1);
    if (!o.json) SKIP("built without XML");
    CHECK_TEXT(word(o.root, "format"), "urdf");
    CHECK_TEXT(word(o.root, "editable"), "false");
    check_number(&o, "bodies.a.b.mass", 2, "kg", "");
    check_number(&o, "bodies.a.b.j.upper", 1, "rad", "");
    check_makes(&o, "bodies.a.b.j", "j");
    CHECK(!ff_yaml_get(find(&o, "bodies.a.b.mass"), "begin"));
    clear(&o);
}
