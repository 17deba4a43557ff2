// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of scenes: a run from an image has the bits and the metrics of the run from the files, also in a build that
// cannot read the files; and no damage to an image does more than give a message.
#include "scene_helpers.h"

#include <footfall/text.h>

typedef struct image {
    unsigned char *bytes;
    size_t size;
} image;

enum { HEADER = 40, ORDER_AT = 8, VERSION_AT = 16, TOTAL_AT = 24, CHECK_AT = 32 };

static const ff_scene_spec *other; // the scene read from an image
static ff_run *other_run;

static void forget(void)
{
    ff_run_destroy(other_run);
    ff_scene_destroy(other);
    other_run = NULL;
    other = NULL;
    finish();
}

static image image_of_text(const char *text, size_t length, const char *file, const char *const *set, int nset)
{
    image out = {0};
    out.bytes = ff_scene_make_image(text, length, file, set, nset, &out.size, &report);
    if (!out.bytes) CHECK_FAIL("%s: no image: %s", file, message(0));
    ff_report_clear(&report);
    return out;
}

static image image_of_file(const char *path, const char *const *set, int nset)
{
    size_t length;
    char *text = ff_text_load(path, (size_t)1 << 24, &length, (ff_place){path, 0, 0}, &report);
    if (!text) CHECK_FAIL("%s", message(0));
    image out = image_of_text(text, length, path, set, nset);
    free(text);
    return out;
}

static const ff_scene_spec *scene_of_image(const image *from, const char *const *set, int nset)
{
    return ff_scene_parse((const char *)from->bytes, from->size, "x.ffscene", set, nset, &report);
}

static void check_same_text(const char *a, const char *b)
{
    CHECK(!a == !b);
    if (a) CHECK_TEXT(b, a);
}

/// Runs both scenes for a while: the same motion, the same measures.
static void check_same_run(const char *name, double seconds)
{
    ff_error err = {0};
    check_same_text(scene->title, other->title);
    check_same_text(scene->text, other->text);
    check_same_text(scene->path, other->path);
    check_same_text(scene->variant, other->variant);
    CHECK(scene->model->hash == other->model->hash);
    ff_run_options options = ff_run_options_default(scene);
    if (options.time > seconds) options.time = seconds;
    if (!begin_with(&options)) CHECK_FAIL("%s: %s", name, message(0));
    options = ff_run_options_default(other);
    if (options.time > seconds) options.time = seconds;
    other_run = ff_run_create(other, &options, &report);
    if (!other_run) CHECK_FAIL("%s: %s", name, message(0));
    const ff_status status = ff_run_go(run, &err);
    if (status != FF_OK) CHECK_FAIL("%s: %s", name, err.text);
    CHECK_INT(ff_run_go(other_run, &err), status);
    if (ff_sim_hash(ff_run_sim(run)) != ff_sim_hash(ff_run_sim(other_run))) CHECK_FAIL("%s: another state", name);
    CHECK(ff_run_result(run)->nmetric > 0);
    CHECK_INT(ff_run_result(other_run)->nmetric, ff_run_result(run)->nmetric);
    CHECK_INT(other->nexpectation, scene->nexpectation);
    for (int i = 0; i < ff_run_result(run)->nmetric; i++) {
        const ff_metric *a = &ff_run_result(run)->metrics[i], *b = &ff_run_result(other_run)->metrics[i];
        CHECK_TEXT(b->name, a->name);
        if (memcmp(&a->value, &b->value, sizeof a->value) != 0)
            CHECK_FAIL("%s: %s is %.17g and %.17g", name, a->name, a->value, b->value);
    }
}

static void check_image_of_image(const image *first, const char *name)
{
    image second = image_of_text((const char *)first->bytes, first->size, name, NULL, 0);
    CHECK(second.size == first->size && memcmp(second.bytes, first->bytes, first->size) == 0);
    free(second.bytes);
}

/// @param files  of the folder, ended by NULL, that go before the image is read; NULL: none
static void check_scene(const char *path, const char *const *set, int nset, double seconds, const char *const *files)
{
    forget();
    scene = ff_scene_load(path, set, nset, &report);
    if (!scene) CHECK_FAIL("%s", message(0));
    const int said = report.count;
    ff_report_clear(&report);
    image from = image_of_file(path, set, nset);
    for (int i = 0; files && files[i]; i++) CHECK(remove(in_folder(files[i])) == 0);
    check_image_of_image(&from, path);
    other = scene_of_image(&from, NULL, 0);
    if (!other) CHECK_FAIL("%s", message(0));
    CHECK_INT(report.count, said); // warnings of readers travel along
    memset(from.bytes, 0xff, from.size);
    free(from.bytes); // nothing of the scene lies there
    check_same_run(path, seconds);
    forget();
}

static const char *experiment(const char *name)
{
    static char path[500];
    snprintf(path, sizeof path, "%s/experiments/%s.yaml", FF_SOURCE_DIR, name);
    return path;
}

// Contacts, materials, drives, sensors and bus, terrain of all kinds, loops, controllers of each kind, every method of
// our own.
TEST(ten_scenes_run_from_their_images_bit_identically)
{
    static const struct {
        const char *name;
        const char *set[2];
        double seconds;
    } scenes[] = {
        {"anton-tripod", {NULL}, 0.5},
        {"anton-terrain", {"variant=slope-5deg"}, 0.5},
        {"anton-drives", {"variant=flexible"}, 0.2},
        {"anton-free-legs", {"variant=blocks"}, 0.5},
        {"servo-hexapod-terrain", {"variant=stairs"}, 0.5},
        {"silva-walk", {"variant=sinusoid", "seed=7"}, 0.1},
        {"e10-rest", {"variant=rk4"}, 0.3},
        {"fourbar", {NULL}, 0.5},
        {"sensor-fusion", {"variant=turning"}, 0.5},
        {"drive-cables", {"solver.step=2e-4"}, 0.5},
    };
#ifndef FF_WITH_YAML
    SKIP("no libyaml to read the files with");
#endif
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const int nset = !!scenes[i].set[0] + !!scenes[i].set[1];
        check_scene(experiment(scenes[i].name), scenes[i].set, nset, CHECK_LASTS(scenes[i].seconds, 0.05), NULL);
    }
}

static void write_stick(void)
{
    write_file("stick.yaml", "footfall: 1\n"
                             "name: stick\n"
                             "bodies:\n"
                             "  stick:\n"
                             "    pos: [1, 1, 2]\n"
                             "    joint: {name: hinge, type: hinge, axis: y}\n"
                             "    inertial: {mass: 1, box: [0.1, 0.1, 0.4], pos: [0.2, 0, 0]}\n"
                             "    shapes: [{mesh: none.stl}, {mesh: stone.obj, pos: [0.1, 0, 0]}]\n"
                             "actuators: {motor: {joint: hinge}}\n");
}

// The robot names a mesh that is not there, which is a warning, then and now.
TEST(robots_meshes_and_pictures_of_heights_travel_in_the_image)
{
    static const char *const files[] = {"hills.png", "stone.obj", "stick.yaml", NULL};
    static const unsigned char hills[] = {
        0x89, 'P',  'N',  'G',  0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 'I',  'H',  'D',  'R',
        0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x00, 0x73, 0x43, 0xea,
        0x63, 0x00, 0x00, 0x00, 0x14, 'I',  'D',  'A',  'T',  0x78, 0x9c, 0x63, 0x60, 0x08, 0x58, 0xc0,
        0xa0, 0xf1, 0x9f, 0x8b, 0xe1, 0x04, 0x7b, 0x14, 0x00, 0x12, 0xd0, 0x03, 0x4b, 0xec, 0x78, 0x5b,
        0x60, 0x00, 0x00, 0x00, 0x00, 'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82}; // 3 x 3 pixels, 8 bits grey
#if !defined(FF_WITH_YAML) || !defined(FF_WITH_MESHES) || !defined(FF_WITH_PNG)
    SKIP("no libyaml, assimp or libpng to read the files with");
#endif
    write_bytes("hills.png", hills, sizeof hills);
    write_file("stone.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_stick();
    write_file("s.yaml", "footfall: 1\n"
                         "robot: stick.yaml\n"
                         "objects:\n"
                         "  - {name: ball, sphere: 0.1, mass: 2, pos: [0.3, 0.2, 0.5]}\n"
                         "  - {name: stone, mesh: {file: stone.obj, scale: 0.2}, mass: 1, pos: [-0.5, 0, 0.5]}\n"
                         "terrain:\n"
                         "  - heightfield: {png: hills.png, size: [4, 4], height: 0.3}\n"
                         "  - mesh: {file: stone.obj, scale: [2, 1, 1], pos: [-1.5, -0.5, 0]}\n"
                         "time: 0.6\n");
    check_scene(in_folder("s.yaml"), NULL, 0, 0.6, files);
}

// The start is a pose of the import, which follows the joint that is added.
TEST(changes_of_an_import_travel_in_the_image)
{
#ifndef FF_WITH_YAML
    SKIP("no libyaml to read the files with");
#endif
    static const char *const files[] = {"hopper.yaml", "changed.yaml", NULL};
    write_file("hopper.yaml",
               "footfall: 1\n"
               "bodies:\n"
               "  hull: {joint: free, inertial: {mass: 1, box: [0.1, 0.1, 0.1]}}\n"
               "  leg: {parent: hull, joint: {axis: y, drive: {torque: 1}}, inertial: {mass: 0.1, sphere: 0.05},\n"
               "    shapes: [{name: foot, sphere: 0.05, pos: [0, 0, -0.3]}]}\n"
               "sensors: {angle: {type: potentiometer, joint: leg}}\n"
               "poses: {up: {hull: {pos: [0, 0, 0.4]}, leg: 0.2}}\n");
    write_file("changed.yaml",
               "footfall: 1\n"
               "import: hopper.yaml\n"
               "bodies: {hull: {bodies: {tail: {joint: {axis: y}, inertial: {mass: 0.1, sphere: 0.05}}}}}\n"
               "shapes: {\"f*\": {material: rubber-foot, sphere: 0.06}}\n"
               "actuators: {leg: {type: position, kp: 10, kd: 0.1}}\n"
               "drives: {leg: {gear: 3}}\n"
               "sensors: {angle: {rate: 100}}\n");
    write_file("s.yaml", "footfall: 1\n"
                         "robot: {file: changed.yaml, start: {pose: up}}\n"
                         "effects: {drives: full, sensors: real}\n"
                         "terrain: [{plane: {}}]\n"
                         "time: 0.3\n");
    check_scene(in_folder("s.yaml"), NULL, 0, 0.3, files);
}

TEST(a_script_travels_in_the_image)
{
#if !defined(FF_WITH_YAML) || !defined(FF_WITH_LUA)
    SKIP("no libyaml to read the scene with, or no Lua to run it");
#endif
    static const char *const files[] = {"count.lua", "stick.yaml", NULL};
    check_scene(experiment("anton-lua-tripod"), NULL, 0, CHECK_LASTS(0.3, 0.05), NULL);
    write_stick();
    write_file("count.lua", "memory = {n = 0}\nfunction cycle() memory.n = memory.n + 1 end\n");
    write_file("l.yaml", "footfall: 1\n"
                         "robot: stick.yaml\n"
                         "control: {lua: count.lua}\n"
                         "time: 0.2\n");
    check_scene(in_folder("l.yaml"), NULL, 0, 0.2, files);
}

// ------------------------------------------------------------------------------------------ any build

static const char *stored(const char *name)
{
    static char path[500];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/image/%s", FF_SOURCE_DIR, name);
    return path;
}

// The image lies in the repository: builds without libyaml read it, too. A ball falls from 1 m for 0.2 s.
TEST(an_image_runs_in_every_build)
{
    const char *const set[] = {"time=0.2"};
    forget();
    must_load_file(stored("ball.ffscene"), set, 1);
    must_go();
    CHECK_NEAR(metric("bodies.ball.z.final"), 1.0 - 0.5 * 9.81 * 0.04, 1e-12); // rounding
    forget();
}

TEST(what_a_build_cannot_run_is_refused_by_name)
{
#ifdef FF_WITH_LUA
    SKIP("this build has Lua");
#endif
    forget();
    CHECK(!ff_scene_load(stored("script.ffscene"), NULL, 0, &report));
    CHECK_SAYS(message(0), "Lua");
    forget();
}

// ------------------------------------------------------------------------------------------ overrides

TEST(values_of_an_image_can_be_overridden_but_not_its_files)
{
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"robot=other.yaml", "does not hold 'robot "},
        {"variant=fast", "an image holds one variant"},
        {"solver.stop=1", "stop"},
    };
#ifndef FF_WITH_YAML
    SKIP("no libyaml to read the files with");
#endif
    image from = image_of_file(experiment("anton-tripod"), NULL, 0);
    const char *const set[] = {"control.speed=0.05", "time=0.25"};
    forget();
    scene = scene_of_image(&from, set, 2);
    if (!scene) CHECK_FAIL("%s", message(0));
    CHECK_NEAR(scene->time, 0.25, 0);
    CHECK(strstr(scene->text, "# --set control.speed=0.05\n") != NULL);
    forget();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (scene_of_image(&from, &bad[i].set, 1)) CHECK_FAIL("accepted: %s", bad[i].set);
        bool said = false;
        for (int k = 0; k < report.count; k++) said = said || strstr(message(k), bad[i].says);
        if (!said) CHECK_FAIL("%s: %s", bad[i].set, message(0));
        ff_report_clear(&report);
    }
    free(from.bytes);
}

// ------------------------------------------------------------------------------------------ damage

static image load_image(const char *name)
{
    image out;
    char *text = ff_text_load(stored(name), (size_t)1 << 24, &out.size, (ff_place){0}, &report);
    if (!text) CHECK_FAIL("%s", message(0));
    out.bytes = (unsigned char *)text;
    return out;
}

static void must_refuse_image(const image *from, const char *says)
{
    if (scene_of_image(from, NULL, 0)) CHECK_FAIL("accepted, and should say: %s", says);
    CHECK(report.errors > 0);
    CHECK_SAYS(message(0), says);
    ff_report_clear(&report);
}

TEST(cut_images_are_refused_with_a_message)
{
    image from = load_image("ball.ffscene");
    for (size_t size = 8; size < from.size; size += size < 64 ? 1 : 97) {
        unsigned char *copy = malloc(size); // of the very size, for the sanitizer to watch
        CHECK(copy != NULL);
        memcpy(copy, from.bytes, size);
        const image cut = {copy, size};
        must_refuse_image(&cut, "cut short");
        free(copy);
    }
    free(from.bytes);
}

TEST(one_changed_byte_anywhere_is_noticed)
{
    image from = load_image("ball.ffscene");
    for (size_t at = 8; at < from.size; at += at < HEADER ? 1 : 13) {
        from.bytes[at] ^= 0x10;
        must_refuse_image(&from, "image of a scene");
        from.bytes[at] ^= 0x10;
    }
    free(from.bytes);
}

TEST(other_version_and_other_byte_order_are_named)
{
    image from = load_image("ball.ffscene");
    from.bytes[VERSION_AT] = 99;
    must_refuse_image(&from, "format version 99");
    from.bytes[VERSION_AT] = 1;
    for (int i = 0; i < 8; i++) from.bytes[ORDER_AT + i] = (unsigned char)(i + 1);
    must_refuse_image(&from, "byte order");
    free(from.bytes);
}

// Behind a check that fits, any byte may be wrong: a scene or a message.
TEST(changed_bytes_behind_a_fitting_check_give_a_scene_or_a_message)
{
    image from = load_image("ball.ffscene");
    int refused = 0;
    for (size_t at = HEADER; at < from.size; at += 7) {
        from.bytes[at] ^= 0x41;
        const uint64_t check = ff_hash(from.bytes + HEADER, from.size - HEADER, FF_HASH_START);
        for (int i = 0; i < 8; i++) from.bytes[CHECK_AT + i] = (unsigned char)(check >> 8 * i);
        const ff_scene_spec *read = scene_of_image(&from, NULL, 0);
        CHECK(read || report.errors > 0);
        refused += !read;
        ff_scene_destroy(read);
        ff_report_clear(&report);
        from.bytes[at] ^= 0x41;
    }
    CHECK(refused > 0);
    free(from.bytes);
}
