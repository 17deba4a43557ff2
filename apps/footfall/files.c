// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that commands read and write (files.h). Errors in a robot are always printed in full; of warnings only the
// first few, because a robot from elsewhere may cause dozens, and `footfall check` lists them all.
#include "files.h"

#include "terminal.h"

#include <footfall/text.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ff_load_options loading_options(const model_options *options)
{
    ff_load_options load = ff_load_options_default();
    load.floating = options->floating;
    load.repair = options->repair;
    load.search_paths = options->package_paths.items;
    load.nsearch_path = options->package_paths.count;
    return load;
}

static void print_file_message(FILE *out, const ff_message *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    static const style looks[] = {STYLE_STRONG, STYLE_WARN, STYLE_BAD};
    if (message->file && message->file[0]) {
        print_escaped(out, "%s", message->file);
        if (message->line > 0) fprintf(out, ":%d", message->line);
        if (message->line > 0 && message->column > 0) fprintf(out, ":%d", message->column);
        fputs(": ", out);
    }
    fprintf(out, "%s%s:%s %s\n", paint(out, looks[message->severity]), words[message->severity],
            paint(out, STYLE_PLAIN), message->text);
}

void print_report(FILE *out, const ff_report *report, int most_warnings)
{
    print_report_from(out, report, FF_NOTE, most_warnings);
}

void print_report_from(FILE *out, const ff_report *report, ff_severity least, int most_warnings)
{
    int warnings = 0, errors = 0;
    for (int i = 0; i < report->count; i++) {
        const ff_message *message = &report->messages[i];
        if (message->severity < least) continue;
        errors += message->severity == FF_ERROR;
        if (message->severity == FF_WARNING && warnings++ >= most_warnings) continue;
        print_file_message(out, message);
    }
    if (report->errors > errors) fprintf(out, "... and %d more errors, not kept\n", report->errors - errors);
}

ff_model *load_model(const char *path, const model_options *options, ff_spec **spec_out)
{
    ff_load_options load = loading_options(options);
    ff_report report = {0};
    ff_model *model = NULL;
    ff_spec *spec = ff_spec_create(NULL);
    if (spec && ff_spec_load(spec, path, &load, &report) == FF_OK) model = ff_model_compile(spec, &load, &report);
    if (!spec) fprintf(stderr, "footfall: %s\n", ff_status_text(FF_NO_MEMORY));
    print_report(stderr, &report, WARNINGS_SHOWN);
    if (report.warnings > WARNINGS_SHOWN)
        print_escaped(stderr, "... and %d more warnings: `footfall check %s` lists them\n",
                      report.warnings - WARNINGS_SHOWN, path);
    if (!model && scene_file_detect(path))
        print_message(path, STYLE_PLAIN, "this is a scene, for `footfall run`; give the robot file it names");
    ff_report_clear(&report);
    if (spec_out && model)
        *spec_out = spec;
    else
        ff_spec_destroy(spec);
    return model;
}

// ------------------------------------------------------------------------------------------ scenes

#define SCENE_BYTES_MAX ((size_t)4 << 20) // a larger text is no scene

// Whether a file begins as an image, which may be larger than a text.
static bool starts_as_image(const char *path)
{
    char first[8];
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(first, 1, sizeof first, file) : 0;
    if (file) fclose(file);
    return ff_scene_is_image(first, length);
}

bool scene_file_detect(const char *path)
{
    char *text;
    size_t length = 0;
    const ff_status status = ff_text_read(path, SCENE_BYTES_MAX, &text, &length, NULL);
    bool found = status == FF_OK && ff_scene_detect(text, length);
    free(text);
    return found || (status == FF_LIMIT && starts_as_image(path));
}

void scene_file_refuse(const char *path, ff_report *report)
{
    char *text;
    size_t length = 0;
    ff_error err = {0};
    const ff_place place = {path, 0, 0};
    if (ff_text_read(path, SCENE_BYTES_MAX, &text, &length, &err))
        ff_report_add(report, FF_ERROR, place, "it cannot be read as a scene: %s", err.text);
    else
        ff_report_add(report, FF_ERROR, place,
                      "this is no scene; one of a robot has the lines 'footfall: 1' and 'robot: FILE', and what it "
                      "stands on: 'terrain: [{plane: {}}]'");
    free(text);
}

// ------------------------------------------------------------------------------------------ results

const char *file_name_between(const char *before, const char *path, const char *after, ff_arena *arena)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strrchr(name, '.');
    const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return ff_arena_printf(arena, "%s%.*s%s", before, length, name, after);
}

bool make_folder(const char *path, ff_error *err)
{
    char part[1024];
    if (strlen(path) >= sizeof part) {
        ff_error_set(err, FF_BAD_ARGUMENT, "the name of the folder is longer than %zu characters", sizeof part - 1);
        return false;
    }
    for (const char *p = path; *p; p++) {
        bool last = p[1] == '\0';
        if (!last && p[1] != '/') continue;
        size_t length = (size_t)(p - path) + 1;
        memcpy(part, path, length);
        part[length] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            ff_error_set(err, FF_NOT_WRITTEN, "the folder %s cannot be made: %s", part, strerror(errno));
            return false;
        }
    }
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
    ff_error_set(err, FF_BAD_FILE, "%s is there already and is not a folder", path);
    return false;
}

ff_status write_text(const char *path, char *text, ff_error *err)
{
    FILE *file = text ? fopen(path, "w") : NULL;
    const bool written = file && fputs(text, file) >= 0, closed = file && fclose(file) == 0;
    if (!text) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for it", path);
    free(text);
    return written && closed ? FF_OK
                             : ff_error_set(err, FF_NOT_WRITTEN, "%s cannot be written: %s", path, strerror(errno));
}

bool has_other_content(const char *path, const char *head)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 ? fopen(path, "rb") : NULL;
    if (!file) return false; // a file that cannot be read is reported when it is opened for writing
    while (*head && fgetc(file) == (unsigned char)*head) head++;
    fclose(file);
    return *head != '\0';
}

bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
