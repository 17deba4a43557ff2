// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One shape of create: the object, or NULL with the reason in an ff_error that is the last argument, or in an ff_report
// where every mistake of a file is listed.
#include <footfall/climb.h>
#include <footfall/footfall.h>
#include <footfall/free_legs.h>
#include <footfall/planar_walk.h>
#include <footfall/static_walk.h>
#include <footfall/text.h>

#include <dirent.h>

#include "check.h"
#include "support/allocations.h"
#include "support/message.h"

// ------------------------------------------------------------------------------------------ declarations

static bool ends_with(const char *end, const char *words)
{
    return strncmp(end - strlen(words), words, strlen(words)) == 0;
}

/// Counts the declarations of a header whose names hold `verb`, and checks what they return and take last.
static int check_verb(const char *path, const char *text, const char *verb)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, verb)); at++) {
        const char *line = at, *end = strchr(at, ';');
        while (line > text && line[-1] != '\n') line--;
        if (strncmp(line, "FF_API ", 7) != 0 || strncmp(line, "FF_API ff_status ff_spec_", 25) == 0) continue;
        const bool pointer = memchr(line, '*', (size_t)(at - line)) != NULL;
        if (!pointer || !(ends_with(end, "ff_error *err)") || ends_with(end, "ff_report *report)")))
            CHECK_FAIL("%s: %.*s", path, (int)(end - line), line);
        count++;
    }
    return count;
}

TEST(every_create_load_and_compile_returns_an_object_and_takes_the_reason_last)
{
    static const char *const verbs[] = {"_create(", "_create_", "_load(", "_compile(", "_convex_hull("};
    int count = 0;
    DIR *folder = opendir(FF_SOURCE_DIR "/include/footfall");
    CHECK(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[600], *text;
        size_t length;
        snprintf(path, sizeof path, FF_SOURCE_DIR "/include/footfall/%s", entry->d_name);
        if (!strstr(entry->d_name, ".h") || ff_text_read(path, 1 << 20, &text, &length, NULL) != FF_OK) continue;
        for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) count += check_verb(path, text, verbs[i]);
        free(text);
    }
    closedir(folder);
    CHECK(count >= 30); // 30 when this was written; headers that cannot be read would pass in silence
}

// ------------------------------------------------------------------------------------------ bad input

static const double SQUARE[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, SIZE[2] = {1.0, 1.0};
static const int FACES[6] = {0, 1, 2, 0, 2, 3};

/// Checks that nothing came, and why; `err` is ready for the next one.
static void check_refused(const void *object, ff_error *err, ff_status status, const char *words)
{
    CHECK(!object);
    CHECK_INT(err->status, status);
    CHECK_SAYS(err->text, words);
    *err = (ff_error){0};
}

TEST(meshes_and_colliders_say_what_is_wrong)
{
    const double bad[12] = {[7] = (double)NAN};
    const int beyond[3] = {0, 1, 4};
    const ff_mesh empty = {0}, square = {(double *)(uintptr_t)SQUARE, (int *)(uintptr_t)FACES, 4, 2};
    ff_error err = {0};
    check_refused(ff_mesh_create(SQUARE, 4, beyond, 1, &err), &err, FF_BAD_ARGUMENT, "triangle 0 has the vertex 4");
    check_refused(ff_mesh_create(bad, 4, FACES, 2, &err), &err, FF_BAD_ARGUMENT, "vertex 2 has the coordinate nan");
    check_refused(ff_mesh_create(SQUARE, -1, NULL, 0, &err), &err, FF_BAD_ARGUMENT, "-1 vertices");
    check_refused(ff_mesh_create(SQUARE, 4, FACES, 2000000000, &err), &err, FF_LIMIT, "simplify it");
    check_refused(ff_mesh_load("nowhere.stl", (double[]){1, 1, 1}, &err), &err,
#ifdef FF_WITH_MESHES
                  FF_NOT_FOUND,
#else
                  FF_NOT_BUILT,
#endif
                  "nowhere.stl");
    check_refused(ff_mesh_convex_hull(&empty, &err), &err, FF_BAD_MODEL, "there are 0");
    check_refused(ff_mesh_convex_hull(&square, &err), &err, FF_BAD_MODEL, "4 vertices of the mesh lie in a plane");
    check_refused(ff_convex_create(&empty, &err), &err, FF_BAD_ARGUMENT, "vertex");
    check_refused(ff_surface_create(&empty, &err), &err, FF_BAD_ARGUMENT, "triangle");
    check_refused(ff_ccube_create(&empty, 10, 0.1, &err), &err, FF_BAD_ARGUMENT, "triangle");
    check_refused(ff_ccube_create(&square, 513, 0.1, &err), &err, FF_BAD_ARGUMENT, "513 cells");
    check_refused(ff_ccube_create(&square, 10, 0.0, &err), &err, FF_BAD_ARGUMENT, "depth of 0 m");
    check_refused(ff_broad_create(NULL, -1, NULL, 0, 0, 0.0, &err), &err, FF_BAD_ARGUMENT, "-1 objects");
    check_refused(ff_broad_create(NULL, 0, NULL, -2, 0, 0.0, &err), &err, FF_BAD_ARGUMENT, "-2 excluded");
    check_refused(ff_broad_create(NULL, 0, NULL, 0, 0, -1.0, &err), &err, FF_BAD_ARGUMENT, "slack of -1 m");
}

TEST(height_fields_and_pictures_say_what_is_wrong)
{
    const double bad[4] = {0.0, 0.0, 0.0, INFINITY};
    ff_error err = {0};
    check_refused(ff_field_create(NULL, 1, 2, SIZE, &err), &err, FF_BAD_ARGUMENT, "1 x 2 points");
    check_refused(ff_field_create(NULL, 100000, 100000, SIZE, &err), &err, FF_BAD_ARGUMENT, "coarser grid");
    check_refused(ff_field_create(NULL, 2, 2, (double[]){1.0, 0.0}, &err), &err, FF_BAD_ARGUMENT, "1 m x 0 m");
    check_refused(ff_field_create(bad, 2, 2, SIZE, &err), &err, FF_BAD_ARGUMENT, "grid point (1, 1) is inf");
    check_refused(ff_picture_create(0, 10, &err), &err, FF_BAD_ARGUMENT, "0 x 10 pixels");
    check_refused(ff_picture_create(5000, 10, &err), &err, FF_BAD_ARGUMENT, "1 to 4096");
}

TEST(a_material_with_a_long_name_is_refused)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(&err);
    check_refused(ff_spec_add_material(spec, "a material whose name is longer than a name may be", &err), &err,
                  FF_LIMIT, "at most 47 characters, not 50");
    CHECK_INT(spec->nmaterial, 0);
    CHECK(ff_spec_add_material(spec, "a material whose name is as long as it may be..", &err));
    ff_spec_destroy(spec);
}

static double flat(void *context, double x, double y)
{
    (void)context, (void)x, (void)y;
    return 0.0;
}

/// What a file with mistakes did not give is passed on by programs that do not look.
TEST(what_is_needed_and_missing_is_named)
{
    const double one[3] = {1, 1, 1};
    const ff_climb_instant instant = {0};
    ff_error err = {0};
    check_refused(ff_data_create(NULL, &err), &err, FF_BAD_ARGUMENT, "ff_data_create: the model is missing");
    check_refused(ff_loops_create(NULL, &err), &err, FF_BAD_ARGUMENT, "ff_loops_create: the model is missing");
    check_refused(ff_climb_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "ff_climb_create: the model is missing");
    check_refused(ff_climb_create_planned(NULL, NULL, &instant, 1, &err), &err, FF_BAD_ARGUMENT,
                  "the model is missing");
    check_refused(ff_hill_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "ff_hill_create: the model is missing");
    check_refused(ff_free_legs_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "ff_free_legs_create: the model");
    check_refused(ff_hexapod_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "ff_hexapod_create: the model");
    check_refused(ff_planar_walk_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "ff_planar_walk_create: the model");
    check_refused(ff_recorder_create(NULL, NULL, &err), &err, FF_BAD_ARGUMENT, "the simulation is missing");
    check_refused(ff_mesh_load(NULL, one, &err), &err, FF_BAD_ARGUMENT, "ff_mesh_load: the path is missing");
    check_refused(ff_mesh_load("a.stl", NULL, &err), &err, FF_BAD_ARGUMENT, "ff_mesh_load: the scale is missing");
    check_refused(ff_mesh_create(NULL, 4, NULL, 2, &err), &err, FF_BAD_ARGUMENT, "counts and arrays disagree");
    check_refused(ff_convex_create(NULL, &err), &err, FF_BAD_ARGUMENT, "there is none");
    check_refused(ff_surface_create(NULL, &err), &err, FF_BAD_ARGUMENT, "there is none");
    check_refused(ff_ccube_create(NULL, 10, 0.1, &err), &err, FF_BAD_ARGUMENT, "there is none");
    check_refused(ff_field_create(NULL, 2, 2, NULL, &err), &err, FF_BAD_ARGUMENT, "the size is missing");
    check_refused(ff_field_create_from(NULL, NULL, 2, 2, SIZE, &err), &err, FF_BAD_ARGUMENT, "the function");
    check_refused(ff_field_create_from(flat, NULL, 2, 2, NULL, &err), &err, FF_BAD_ARGUMENT, "the size is missing");
    check_refused(ff_field_create_png(NULL, SIZE, 1.0, &err), &err, FF_BAD_ARGUMENT, "the path is missing");
    check_refused(ff_field_create_png("a.png", NULL, 1.0, &err), &err, FF_BAD_ARGUMENT, "the size is missing");
    check_refused(ff_broad_create(NULL, 2, NULL, 0, 0, 0.0, &err), &err, FF_BAD_ARGUMENT, "the list of objects");
    check_refused(ff_broad_create(NULL, 0, NULL, 1, 0, 0.0, &err), &err, FF_BAD_ARGUMENT, "excluded pairs is missing");
}

/// Checks that nothing came, and what the first message says; the report is ready for the next one.
static void check_reported(const void *object, ff_report *report, const char *words)
{
    CHECK(!object);
    CHECK_INT(report->errors, 1);
    CHECK_SAYS(message_of(report, 0), words);
    ff_report_clear(report);
}

TEST(what_is_needed_and_missing_is_reported)
{
    static const char SCENE[] = "footfall: 1\n";
    const char *const overrides[] = {"solver.step=1 ms", NULL};
    const size_t length = sizeof SCENE - 1;
    ff_report r = {0};
    check_reported(ff_model_load(NULL, NULL, &r), &r, "ff_model_load: the path is missing");
    check_reported(ff_model_compile(NULL, NULL, &r), &r, "ff_model_compile: the description is missing");
    check_reported(ff_plant_load(NULL, NULL, &r), &r, "ff_plant_load: the path is missing");
    check_reported(ff_plant_compile(NULL, NULL, &r), &r, "ff_plant_compile: the description is missing");
    check_reported(ff_world_create(NULL, NULL, &r), &r, "ff_world_create: the model is missing");
    check_reported(ff_scene_load(NULL, NULL, 0, &r), &r, "ff_scene_load: the path is missing");
    check_reported(ff_scene_parse(NULL, 0, "", NULL, 0, &r), &r, "the text is missing");
    check_reported(ff_scene_parse(SCENE, length, "", NULL, 1, &r), &r, "the list of overrides is missing");
    check_reported(ff_scene_parse(SCENE, length, "", overrides, 2, &r), &r, "override 2 of 2 is missing");
    check_reported(ff_run_create(NULL, NULL, &r), &r, "ff_run_create: the scene is missing");
    const ff_run_options options = ff_run_options_default(NULL);
    check_reported(ff_run_create(NULL, &options, &r), &r, "ff_run_create: the scene is missing");
    CHECK_INT(ff_spec_load(NULL, "a.urdf", NULL, &r), FF_BAD_ARGUMENT);
    check_reported(NULL, &r, "ff_spec_load: the description is missing");
    CHECK(!ff_text_load(NULL, 100, &(size_t){0}, (ff_place){0}, &r));
    check_reported(NULL, &r, "the path is missing");
}

TEST(nothing_has_nothing_to_find_or_to_clear)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_add_body(spec, "arm", -1);
    ff_spec_add_material(spec, "wood", NULL);
    CHECK_INT(ff_spec_find_body(spec, NULL), -1);
    CHECK_INT(ff_spec_find_material(spec, NULL), -1);
    CHECK_INT(ff_model_find_body(NULL, "arm"), -1);
    ff_spec_destroy(spec);
    ff_report_clear(NULL);
}

TEST(a_reason_is_not_needed)
{
    CHECK(!ff_data_create(NULL, NULL));
    CHECK(!ff_world_create(NULL, NULL, NULL));
    CHECK(!ff_run_create(NULL, NULL, NULL));
    CHECK(!ff_field_create(NULL, 1, 2, SIZE, NULL));
    CHECK(!ff_mesh_convex_hull(NULL, NULL));
    CHECK(!ff_picture_create(0, 0, NULL));
}

// ------------------------------------------------------------------------------------------ memory

static const ff_mesh SOLID = {(double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                              (int[]){0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, 4, 4};
static const ff_broad_object OBJECTS[2];
static ff_model *arm;

/// How to make and to free one.
#define MAKER(name, type, call)                                                                                        \
    static void *make_##name(ff_error *err)                                                                            \
    {                                                                                                                  \
        return call;                                                                                                   \
    }                                                                                                                  \
    static void free_##name(void *object)                                                                              \
    {                                                                                                                  \
        ff_##type##_destroy(object);                                                                                   \
    }
MAKER(spec, spec, ff_spec_create(err))
MAKER(data, data, ff_data_create(arm, err))
MAKER(loops, loops, ff_loops_create(arm, err))
MAKER(sim, sim, ff_sim_create(arm, NULL, err))
MAKER(mesh, mesh, ff_mesh_create(SOLID.vertices, 4, SOLID.triangles, 4, err))
MAKER(hull, mesh, ff_mesh_convex_hull(&SOLID, err))
MAKER(convex, convex, ff_convex_create(&SOLID, err))
MAKER(surface, surface, ff_surface_create(&SOLID, err))
MAKER(field, field, ff_field_create(NULL, 3, 3, SIZE, err))
MAKER(cells, ccube, ff_ccube_create(&SOLID, 4, 0.1, err))
MAKER(broad, broad, ff_broad_create(OBJECTS, 2, NULL, 0, 0, 0.0, err))
MAKER(picture, picture, ff_picture_create(4, 3, err))

static const struct {
    const char *name;
    void *(*make)(ff_error *err);
    void (*destroy)(void *object);
} makers[] = {
#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, make_##name, free_##name                                                                                \
    }
    ROW(spec),   ROW(data),    ROW(loops), ROW(sim),   ROW(mesh),  ROW(hull),
    ROW(convex), ROW(surface), ROW(field), ROW(cells), ROW(broad), ROW(picture),
};

/// Refuses the first allocation, then the second, until the object comes.
static void check_memory(const char *name, void *(*make)(ff_error *err), void (*destroy)(void *object))
{
    for (int n = 0;; n++) {
        ff_error err = {0};
        allocations_left = n;
        void *object = make(&err);
        const bool refused = allocations_left < 0;
        allocations_left = -1;
        if (object) {
            destroy(object);
            if (refused) continue; // done without it
            CHECK(n > 0);
            return;
        }
        if (err.status != FF_NO_MEMORY || !strstr(err.text, "no memory"))
            CHECK_FAIL("%s, allocation %d: '%s'", name, n, err.text);
    }
}

TEST(without_memory_each_says_so)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "arm", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    for (int k = 0; k < 3; k++) body->inertia[k] = 1.0;
    ff_spec_add_joint(spec, "hip", 0, FF_JOINT_HINGE);
    arm = ff_model_compile(spec, NULL, NULL);
    ff_spec_destroy(spec);
    CHECK(arm);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        check_memory(makers[i].name, makers[i].make, makers[i].destroy);
    ff_model_destroy(arm);
}
