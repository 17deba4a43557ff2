// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reader of scene files: the keys at the top, the integrator and the recording.
#include "base/missing.h"
#include "scene/keys.h"
#include "scene/running.h"

#include "measure/measure.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)16 << 20)
#define TREE_BYTES ((size_t)256 << 20)

// ------------------------------------------------------------------------------------------ solver and recording

static bool is_override(const ff_yaml *node)
{
    return node && node->place.file && strncmp(node->place.file, "--set", 5) == 0;
}

/// The key that a method uses instead of one that it does not have.
typedef struct instead {
    const char *advice;  // what to write in the file
    const char *key;     // "step" or "accuracy"
    double value;        // its present value
    const char *unit;    // unit of the value
    const char *example; // another sensible value
} instead;

/// Reports a key of another method: an error in a file; a warning with advice if --set chose the method.
static void refuse(const ff_scene_reader *r, ff_yaml *solver, const char *key, const instead *other)
{
    ff_yaml *node = ff_yaml_get(solver, key), *method = ff_yaml_get(solver, "method");
    if (!node) return;
    if (!is_override(method) || is_override(node)) {
        ff_report_add(r->report, FF_ERROR, node->key_place, "'%s' does not go with this method; %s", key,
                      other->advice);
    } else if (ff_yaml_get(solver, other->key)) {
        ff_report_add(r->report, FF_WARNING, node->key_place,
                      "'%s' is not used by '%s', which --set chose: its %s is %g%s", key, method->text, other->key,
                      other->value, other->unit);
    } else {
        ff_report_add(r->report, FF_WARNING, node->key_place,
                      "'%s' is not used by '%s', which --set chose: its %s is %g%s, the default; for another write "
                      "--set solver.method=%s --set solver.%s=%s",
                      key, method->text, other->key, other->value, other->unit, method->text, other->key,
                      other->example);
    }
}

/// Largest absolute tolerance. Springs of friction deflect by some 10 um before they slip; an error above a thousandth
/// of that becomes spurious heat. Stability demands short steps there anyway, so this costs nothing.  [m]
static const double COARSEST = 1e-8;

static void read_tolerances(const ff_scene_reader *r, ff_yaml *solver, ff_sim_options *o)
{
    if (ff_yaml_get(solver, "accuracy")) {
        o->relative = ff_yaml_number(solver, "accuracy", o->relative, r->report);
        o->absolute = ff_min(1e-3 * o->relative, COARSEST);
    }
    o->absolute = ff_yaml_number(solver, "absolute", o->absolute, r->report);
    o->max_step = ff_yaml_number(solver, "max_step", o->max_step, r->report);
    o->first_step = ff_yaml_number(solver, "first_step", o->first_step, r->report);
    refuse(r, solver, "step",
           &(instead){"give 'accuracy', or bound the step by 'max_step'", "accuracy", o->relative, "", "1e-8"});
}

static void read_fixed(const ff_scene_reader *r, ff_yaml *solver, ff_sim_options *o)
{
    static const char *const keys[] = {"accuracy", "absolute", "max_step", "first_step"};
    o->step = ff_yaml_number(solver, "step", o->step, r->report);
    const instead step = {"it belongs to adaptive, implicit and cvode; give 'step'", "step", o->step, " s", "1e-4"};
    for (int i = 0; i < 4; i++) refuse(r, solver, keys[i], &step);
}

/// The tightest accuracy of the method implicit. It may need steps of 1 us and less, in which the rounding
/// of a position near 1 m, 1e-16 m, changes the velocity as much as the error that is to be estimated.
static const double TIGHTEST = 1e-9;

/// Error control by an accuracy, or the fixed step that is given.
static void read_implicit(const ff_scene_reader *r, ff_yaml *solver, ff_sim_options *o)
{
    instead other = {"'accuracy' chooses the step of implicit; bound it by 'max_step'", "accuracy", 0.0, "", "1e-3"};
    if (ff_yaml_get(solver, "accuracy") || !ff_yaml_get(solver, "step")) {
        o->accuracy = other.value = ff_yaml_number(solver, "accuracy", o->accuracy, r->report);
        if (o->accuracy < TIGHTEST)
            ff_report_add(r->report, FF_ERROR, ff_yaml_get(solver, "accuracy")->place,
                          "an accuracy of %g is beyond 'implicit', whose errors are not known below %g: take "
                          "'adaptive', or a coarser one",
                          o->accuracy, TIGHTEST);
        o->max_step = ff_yaml_number(solver, "max_step", o->max_step, r->report);
        o->first_step = ff_yaml_number(solver, "first_step", o->first_step, r->report);
        refuse(r, solver, "step", &other);
    } else {
        o->accuracy = 0.0;
        o->step = ff_yaml_number(solver, "step", o->step, r->report);
        other = (instead){"it belongs to implicit with 'accuracy'", "step", o->step, " s", "1e-4"};
        refuse(r, solver, "max_step", &other);
        refuse(r, solver, "first_step", &other);
    }
    other.advice = "implicit measures by the distance moved; give 'accuracy'";
    refuse(r, solver, "absolute", &other);
}

static void read_solver(ff_scene_reader *r)
{
    ff_sim_options *o = &r->scene->options;
    r->scene->solver_place = (ff_place){r->file, 0, 0};
    ff_yaml *solver = ff_yaml_get(r->root, "solver");
    if (!solver || !ff_yaml_expect(solver, FF_YAML_MAP, "{method: .., step: ..}", r->report)) return;
    ff_yaml *step = ff_yaml_get(solver, "step");
    r->scene->solver_place = ff_scene_place(r, step ? step : solver);
    const char *name = ff_yaml_string(solver, "method", ff_method_name(o->method), r->report);
    if (ff_method_find(name, &o->method, NULL) == FF_OK && !ff_method_built(o->method))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(solver, "method")->place,
                      "method '%s' is not in this build: it was made without SUNDIALS", name);
    const ff_method_traits traits = ff_method_get_traits(o->method);
    if (!traits.accuracy) o->accuracy = 0.0;
    if (traits.accuracy) {
        read_implicit(r, solver, o);
    } else if (traits.fixed) {
        read_fixed(r, solver, o);
    } else {
        read_tolerances(r, solver, o);
    }
    o->max_steps = (long long)ff_yaml_number(solver, "max_steps", 0.0, r->report);
}

static void read_record(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *record = ff_yaml_get(r->root, "record");
    if (!record || !ff_yaml_expect(record, FF_YAML_MAP, "{rate: .., channels: [..], pictures: [..]}", r->report))
        return;
    scene->record.rate_hz = ff_yaml_number(record, "rate", scene->record.rate_hz, r->report);
    scene->csv = ff_yaml_boolean(record, "csv", false, r->report);
    ff_scene_read_pictures(r, record);
    ff_yaml *channels = ff_yaml_get(record, "channels");
    if (!channels && !ff_yaml_get(record, "pictures")) ff_yaml_need(record, "channels", r->report);
    const int n = ff_scene_count(channels);
    const char **names = FF_ARENA_NEW(&scene->arena, const char *, n + 1);
    scene->channel_places = FF_ARENA_NEW(&scene->arena, ff_place, n + 1);
    if (!names || !scene->channel_places || n == 0) return;
    for (ff_yaml *item = channels->child; item; item = item->next) {
        names[scene->record.nchannel] = ff_arena_strdup(&scene->arena, item->text);
        scene->channel_places[scene->record.nchannel++] = ff_scene_place(r, item);
    }
    scene->record.channels = names;
}

// ------------------------------------------------------------------------------------------ the file

static void check_version(const ff_scene_reader *r)
{
    ff_yaml *version = ff_yaml_get(r->root, "footfall");
    double number;
    if (!version)
        ff_report_add(r->report, FF_ERROR, r->root->place, "a scene file starts with 'footfall: 1'");
    else if (ff_yaml_as_number(version, &number, r->report) && number != 1.0)
        ff_report_add(r->report, FF_ERROR, version->place, "format version %g: this program reads version 1", number);
}

static void read_scene(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *part;
    ff_yaml_check_constants(r->root, r->report);
    if ((part = ff_yaml_get(r->root, "define"))) ff_yaml_use(part); // a place for anchors
    const char *slash = strrchr(r->file, '/');
    const char *title = ff_yaml_string(r->root, "title", slash ? slash + 1 : r->file, r->report);
    scene->title = ff_arena_strdup(&scene->arena, title);
    ff_yaml_string(r->root, "description", NULL, r->report);
    scene->time = ff_yaml_number(r->root, "time", 1.0, r->report);
    scene->options.passive = ff_yaml_boolean(r->root, "passive", true, r->report);
    ff_scene_read_variants(r);
    ff_scene_seed(r, r->root, &r->scene->options.seed);
    read_solver(r);
    read_record(r);
    if ((part = ff_yaml_get(r->root, "materials"))) ff_yaml_materials(part, r->spec, r->file, r->report);
    ff_scene_read_terrain(r);
    ff_scene_read_effects(r);
    if (!ff_scene_read_robots(r)) return;
    ff_scene_make_drives(r);
    ff_scene_read_sensors(r);
    ff_scene_read_contacts(r);
    ff_scene_read_control(r);
    ff_scene_read_faults(r);
    ff_scene_read_forces(r);
    ff_scene_read_springs(r);
    ff_scene_read_metrics(r);
    ff_scene_read_expectations(r);
    ff_scene_read_comparisons(r);
    if (r->report->errors == 0) ff_scene_check_sensing(r);
    if (r->report->errors == 0) ff_scene_check_pictures(r);
    if (r->report->errors == 0) ff_scene_check_drives(r);
    // After an error, keys that readers have skipped would be reported as unknown.
    if (r->report->errors == 0) ff_yaml_report_unused(r->root, FF_ERROR, r->report);
}

/// "path=value" of --set.
static void apply_override(ff_scene_reader *r, ff_arena *tree, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        ff_report_add(r->report, FF_ERROR, (ff_place){"--set", 0, 0},
                      "'%.80s': write path=value, such as solver.step=1e-4", text);
        return;
    }
    char *path = ff_arena_strndup(tree, text, (size_t)(equals - text));
    if (path) ff_yaml_set(tree, r->root, path, equals + 1, r->report);
}

/// The text of the file, with overrides as comments below it.
static const char *copy_text(ff_arena *arena, const char *text, size_t length, const char *const *overrides, int count)
{
    size_t size = length + 1;
    for (int i = 0; i < count; i++) size += strlen(overrides[i]) + 16;
    char *out = FF_ARENA_NEW(arena, char, size);
    if (!out) return "";
    memcpy(out, text, length);
    size_t at = length;
    for (int i = 0; i < count; i++) {
        const char *parts[] = {"# --set ", overrides[i], "\n"};
        for (int k = 0; k < 3; k++) {
            memcpy(out + at, parts[k], strlen(parts[k]));
            at += strlen(parts[k]);
        }
    }
    return out;
}

/// The source of a scene.
typedef struct document {
    const char *bytes; // a text, or an image
    size_t length;
    const char *file;
    const char *const *overrides;
    int noverride;
    unsigned char **image; // gets the image; NULL: none is made
    size_t *image_size;
} document;

static void set_defaults(ff_scene_spec *scene)
{
    scene->options = ff_sim_options_default();
    scene->options.ledger = true;
    scene->record = ff_record_options_default();
    scene->contacts = true;
    scene->touch = ff_world_options_default();
}

/// Parses the document of a text or of an image. @return false if there is none
static bool open_document(ff_scene_reader *r, const document *d, ff_arena *tree, ff_scene_image *image)
{
    ff_scene_spec *scene = r->scene;
    const char *text = d->bytes;
    size_t length = d->length;
    image->path = d->file ? d->file : "";
    if (ff_scene_is_image(d->bytes, d->length)) {
        if (!ff_scene_image_read(image, d->bytes, d->length, d->file, tree, r->report)) return false;
        text = image->text;
        length = strlen(text);
    }
    if (image->store.closed || d->image) r->store = &image->store;
    scene->path = r->file = ff_arena_strdup(&scene->arena, image->path);
    scene->text = copy_text(&scene->arena, text, length, d->overrides, d->noverride);
    if (image->variant) scene->variant = ff_arena_strdup(&scene->arena, image->variant);
    r->spec = ff_spec_create(NULL);
    if (!r->file || !r->spec) return false;
    r->root = image->store.closed ? image->root : ff_yaml_parse(tree, text, length, r->file, r->report);
    return r->root && ff_yaml_expect(r->root, FF_YAML_MAP, "a scene as a map of keys", r->report);
}

/// Removes variants, comparisons and `define` (a place for anchors) from the document of an image, which is one run.
static void drop_variants(ff_yaml *root)
{
    for (ff_yaml **link = &root->child; *link;) {
        if (strcmp((*link)->key, "variants") != 0 && strcmp((*link)->key, "compare") != 0 &&
            strcmp((*link)->key, "define") != 0) {
            link = &(*link)->next;
            continue;
        }
        *link = (*link)->next;
        root->nchild--;
    }
}

static void read_document(ff_scene_reader *r, const document *d, ff_arena *tree, ff_scene_image *image)
{
    if (!open_document(r, d, tree, image)) return;
    ff_scene_apply_variant(r, tree, d->overrides, d->noverride);
    for (int i = 0; i < d->noverride; i++) apply_override(r, tree, d->overrides[i]);
    if (d->image) drop_variants(r->root);
    if (r->report->errors == 0) {
        check_version(r);
        ff_schema_check(r->root, &ff_keys_scene, r->report);
        const int first = r->report->count;
        read_scene(r);
        ff_schema_drop_consequences(r->root, r->report, first);
    }
    if (!d->image || r->report->errors > 0) return;
    *image = (ff_scene_image){r->file, r->scene->variant, r->scene->text, r->root, image->store};
    *d->image = ff_scene_image_write(image, d->image_size);
    if (!*d->image) tree->failed = true;
}

void ff_scene_destroy(const ff_scene_spec *spec)
{
    ff_scene_spec *scene = (ff_scene_spec *)(uintptr_t)spec; // constant except here and in its reader
    if (!scene) return;
    for (int i = 0; i < scene->nfield; i++) ff_field_destroy(scene->fields[i].field);
    for (int i = 0; scene->robots && i < scene->nrobot; i++) {
        ff_model_destroy(scene->robots[i].model);
        ff_model_destroy(scene->robots[i].assumed_model);
    }
    ff_plant_destroy(scene->plant);
    ff_arena_clear(&scene->arena);
    free(scene);
}

/// Are all arguments given? Reports a missing one.
static bool is_whole(const document *d, ff_report *report)
{
    bool whole = d->bytes && (d->overrides || d->noverride <= 0);
    if (!whole) ff_report_missing(report, "ff_scene_parse", d->bytes ? "list of overrides" : "text");
    for (int i = 0; whole && i < d->noverride; i++) {
        if (d->overrides[i]) continue;
        ff_report_add(report, FF_ERROR, (ff_place){"--set", 0, 0}, "override %d of %d is missing (NULL)", i + 1,
                      d->noverride);
        whole = false;
    }
    return whole;
}

static ff_scene_spec *make_scene(const document *d, ff_report *report)
{
    if (!is_whole(d, report)) return NULL;
    ff_scene_spec *scene = calloc(1, sizeof *scene);
    ff_arena tree = {.limit = TREE_BYTES};
    ff_report own = {0};
    ff_scene_image image = {0};
    ff_scene_reader r = {.scene = scene, .report = &own};
    if (scene) {
        set_defaults(scene);
        read_document(&r, d, &tree, &image);
    }
    const bool ran_out = !scene || ff_yaml_out_of_memory(&tree) || scene->arena.failed;
    if (ran_out || (own.errors == 0 && (!r.root || tree.failed)))
        ff_report_add(&own, FF_ERROR, (ff_place){d->file, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
    ff_store_clear(&image.store);
    ff_arena_clear(&tree);
    ff_spec_destroy(r.spec);
    ff_measures_destroy(r.measures);
    bool failed = own.errors > 0;
    ff_yaml_hand_over(&own, report);
    if (!failed) return scene;
    ff_scene_destroy(scene);
    return NULL;
}

const ff_scene_spec *ff_scene_parse(const char *text, size_t length, const char *file, const char *const *overrides,
                                    int noverride, ff_report *report)
{
    const document d = {text, length, file, overrides, noverride, NULL, NULL};
    return make_scene(&d, report);
}

const ff_scene_spec *ff_scene_parse_to_image(const char *text, size_t length, const char *file,
                                             const char *const *overrides, int noverride, unsigned char **image,
                                             size_t *size, ff_report *report)
{
    *image = NULL;
    const document d = {text, length, file, overrides, noverride, image, size};
    return make_scene(&d, report);
}

const ff_scene_spec *ff_scene_load(const char *path, const char *const *overrides, int noverride, ff_report *report)
{
    if (!path) return ff_report_missing(report, __func__, "path"), NULL;
    size_t length;
    char *text = ff_text_load(path, FF_SCENE_IMAGE_MAX, &length, (ff_place){path, 0, 0}, report);
    if (!text) return NULL;
    const ff_scene_spec *scene = NULL;
    if (length > FILE_BYTES && !ff_scene_is_image(text, length))
        ff_report_add(report, FF_ERROR, (ff_place){path, 1, 1},
                      "cannot read \"%s\": it has %zu bytes, more than the limit of %zu", path, length, FILE_BYTES);
    else
        scene = ff_scene_parse(text, length, path, overrides, noverride, report);
    free(text);
    return scene;
}

bool ff_scene_detect(const char *text, size_t length)
{
    if (ff_scene_is_image(text, length)) return true;
    ff_arena tree = {.limit = TREE_BYTES};
    ff_report ignored = {0};
    ff_yaml *root = ff_yaml_parse(&tree, text, length, "", &ignored);
    bool scene = root && root->type == FF_YAML_MAP &&
                 (ff_yaml_get(root, "robot") || ff_yaml_get(root, "robots") || ff_yaml_get(root, "objects") ||
                  ff_yaml_get(root, "terrain"));
    ff_report_clear(&ignored);
    ff_arena_clear(&tree);
    return scene;
}
