// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists all problems of a robot or scene file with their places, for `footfall check` and for the editor of the studio.
#include "drive/interface.h"
#include "load/formats.h"
#include "run/assembly.h"
#include "sense/interface.h"
#include "steer/lua_script.h"

#include <footfall/load.h>
#include <footfall/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)4 << 20) // a larger file is no scene

/// Warns of elements that the loader ignored.
static void add_ignored(const ff_spec_ignored *ignored, int count, ff_report *report)
{
    for (int i = 0; i < count; i++) {
        const ff_spec_ignored *it = &ignored[i];
        const char *reason = strstr(it->what, ": "); // "what" or "what: why, and what to write instead"
        const int length = (int)(reason ? (size_t)(reason - it->what) : strlen(it->what));
        char times[32] = "";
        if (it->count > 1) snprintf(times, sizeof times, " (%d times)", it->count);
        ff_report_add(report, FF_WARNING, it->place, "%.*s is not used by Footfall and was ignored%s%s", length,
                      it->what, times, reason ? reason : "");
    }
}

// Causes come before consequences: the last message of a file may be that it cannot use another file. So files are
// sorted by their last messages, and the messages of a file by line and column, then by index, as qsort is not stable.
typedef struct sorted_message {
    ff_message message;
    int file_rank;
    int index;
} sorted_message;

static int compare_places(const void *a, const void *b)
{
    const sorted_message *x = a, *y = b;
    if (x->file_rank != y->file_rank) return x->file_rank < y->file_rank ? -1 : 1;
    if (x->message.line != y->message.line) return x->message.line < y->message.line ? -1 : 1;
    if (x->message.column != y->message.column) return x->message.column < y->message.column ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static void sort_by_place(ff_report *report)
{
    sorted_message *sorted = calloc((size_t)report->count + 1, sizeof *sorted);
    if (!sorted) return; // without memory the messages stay unsorted
    for (int i = report->count - 1; i >= 0; i--) {
        sorted[i] = (sorted_message){report->messages[i], i, i};
        for (int k = report->count - 1; k > i; k--)
            if (strcmp(report->messages[k].file, report->messages[i].file) == 0) {
                sorted[i].file_rank = sorted[k].file_rank;
                break;
            }
    }
    qsort(sorted, (size_t)report->count, sizeof *sorted, compare_places);
    for (int i = 0; i < report->count; i++) report->messages[i] = sorted[i].message;
    free(sorted);
}

static bool has_error_at(const ff_report *report, const ff_message *place)
{
    for (int i = 0; i < report->count; i++) {
        const ff_message *m = &report->messages[i];
        if (m->severity == FF_ERROR && m->line == place->line && strcmp(m->file, place->file) == 0) return true;
    }
    return false;
}

// Compiles what could be read of a URDF or MJCF file with errors, so that one check finds both syntax errors and bad
// inertia. Lines that already have an error are left out, since messages of the compiler follow from it.
static void compile_despite_errors(const ff_spec *spec, const ff_load_options *load, ff_report *report)
{
    ff_report more = {0};
    ff_model_destroy(ff_model_compile(spec, load, &more));
    for (int i = 0; i < more.count; i++) {
        const ff_message *m = &more.messages[i];
        if (m->line > 0 && !has_error_at(report, m))
            ff_report_add(report, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    ff_report_clear(&more);
}

/// Is it a native file? Their reader leaves out faulty elements, so messages of the compiler would mislead.
static bool is_native(const char *path)
{
    size_t length;
    char *text = ff_text_load(path, ff_load_options_default().max_bytes, &length, (ff_place){0}, NULL);
    const ff_robot_format *format = text ? ff_robot_format_of(ff_robot_formats, text, length, path, NULL) : NULL;
    const bool native = format && strcmp(format->name, "native") == 0;
    free(text);
    return native;
}

static void check_robot(const char *path, const ff_load_options *load, ff_report *report)
{
    ff_spec *spec = ff_spec_create(NULL);
    if (!spec) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
        return;
    }
    if (ff_spec_load(spec, path, load, report) == FF_OK) {
        ff_model *model = ff_model_compile(spec, load, report);
        if (model && model->ndrive > 0) ff_drive_set_destroy(ff_drive_set_create(model, NULL, report));
        if (model && model->nsensor > 0) ff_sensor_set_destroy(ff_sensor_set_create(model, NULL, report));
        ff_model_destroy(model);
    } else if (spec->nbody > 0 && !is_native(path)) {
        compile_despite_errors(spec, load, report);
    }
    add_ignored(spec->ignored, spec->nignored, report);
    ff_spec_destroy(spec);
}

// Creates a run, since some mistakes, such as channels that do not exist, are found only then.
static const ff_scene_spec *check_one_scene(const char *path, const char *const *overrides, int noverride,
                                            ff_report *report)
{
    const ff_scene_spec *scene = ff_scene_load(path, overrides, noverride, report);
    ff_run_options options = ff_run_options_default(scene);
    options.limited = true;
    ff_run *run = scene ? ff_run_create(scene, &options, report) : NULL;
    if (run) ff_run_report_unstarted(run, report);
    if (run) ff_run_advise(run, report);
    ff_run_destroy(run);
    return scene;
}

/// Names of the variants of a scene, which may have errors. @return how many were filled
static int list_variants(const char *path, ff_arena *tree, const char **names, int most)
{
    size_t length = 0;
    int n = 0;
    char *text = ff_text_load(path, FILE_BYTES, &length, (ff_place){0}, NULL);
    ff_yaml *root = text ? ff_yaml_parse(tree, text, length, path, NULL) : NULL;
    const ff_yaml *list = root ? ff_yaml_get(root, "variants") : NULL;
    for (ff_yaml *item = list && list->type == FF_YAML_LIST ? list->child : NULL; item && n < most; item = item->next) {
        const ff_yaml *name = ff_yaml_get(item, "name");
        if (name && name->type == FF_YAML_SCALAR) names[n++] = name->text;
    }
    free(text);
    return n;
}

/// Adds errors of a variant that were not already reported for the scene itself.
static void add_new(const ff_report *found, const char *variant, int known, ff_report *report)
{
    for (int k = 0; k < found->count; k++) {
        const ff_message *m = &found->messages[k];
        bool old = m->severity != FF_ERROR;
        for (int i = 0; i < known && !old; i++) {
            const ff_message *before = &report->messages[i];
            old = before->line == m->line && before->column == m->column && strcmp(before->text, m->text) == 0;
        }
        if (!old)
            ff_report_add(report, FF_ERROR, (ff_place){m->file, m->line, m->column}, "%s (variant %s)", m->text,
                          variant);
    }
}

static void check_scene(const char *path, const char *const *set, int nset, ff_report *report)
{
    enum { MOST_VARIANTS = 1000 };
    ff_arena arena = {0};
    const char **overrides = FF_ARENA_NEW(&arena, const char *, nset + 1);
    const char **names = FF_ARENA_NEW(&arena, const char *, MOST_VARIANTS);
    if (!overrides || !names) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
        ff_arena_clear(&arena);
        return;
    }
    const ff_scene_spec *scene = check_one_scene(path, set, nset, report);
    const int n = list_variants(path, &arena, names, MOST_VARIANTS), known = report->count;
    for (int i = 0; i < n; i++) {
        ff_report found = {0};
        overrides[0] = ff_arena_printf(&arena, "variant=%s", names[i]);
        for (int k = 0; k < nset; k++) overrides[k + 1] = set[k];
        if (overrides[0]) ff_scene_destroy(check_one_scene(path, overrides, nset + 1, &found));
        add_new(&found, names[i], known, report);
        ff_report_clear(&found);
    }
    if (scene) add_ignored(scene->model->ignored, scene->model->nignored, report);
    ff_scene_destroy(scene);
    ff_arena_clear(&arena);
}

static bool is_script(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".lua") == 0;
}

static void check_script(const char *path, ff_report *report)
{
#ifdef FF_WITH_LUA
    size_t length = 0;
    char *text = ff_text_load(path, FILE_BYTES, &length, (ff_place){path, 0, 0}, report);
    if (text) ff_lua_check_text(path, text, length, report);
    free(text);
#else
    ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "a script in Lua: %s", ff_status_text(FF_NOT_BUILT));
#endif
}

void ff_scene_check_file(const char *path, const ff_load_options *load, const char *const *overrides, int noverride,
                         ff_report *report)
{
    const ff_load_options standard = ff_load_options_default();
    char *text;
    size_t length = 0;
    if (is_script(path)) {
        check_script(path, report);
        return;
    }
    const bool scene = ff_text_read(path, FF_SCENE_IMAGE_MAX, &text, &length, NULL) == FF_OK &&
                       (length <= FILE_BYTES || ff_scene_is_image(text, length)) && ff_scene_detect(text, length);
    free(text);
    if (scene)
        check_scene(path, overrides, noverride, report);
    else
        check_robot(path, load ? load : &standard, report);
    if (!scene && noverride > 0)
        ff_report_add(report, FF_WARNING, (ff_place){path, 0, 0},
                      "--set changes scenes: this robot is checked as it is");
    sort_by_place(report);
}
