// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loading of robots for all commands. Errors are always printed in full; of warnings only the first few, because a
// robot taken from elsewhere may carry dozens, and `footfall check` lists them all.
#include "loading.h"

#include "scenes.h"
#include "terminal.h"

#include <footfall/load.h>

ff_load_options loading_options(const model_options *options)
{
    ff_load_options load = ff_load_options_default();
    load.floating = options->floating;
    load.repair = options->repair;
    load.search_paths = options->package_paths.items;
    load.nsearch_path = options->package_paths.count;
    return load;
}

static void print_message(FILE *out, const ff_message *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    static const style looks[] = {STYLE_STRONG, STYLE_WARN, STYLE_BAD};
    if (message->file && message->file[0]) {
        say_plainly(out, "%s", message->file);
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
        print_message(out, message);
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
        say_plainly(stderr, "... and %d more warnings: `footfall check %s` lists them\n",
                    report.warnings - WARNINGS_SHOWN, path);
    if (!model && scene_file_detect(path))
        say(path, STYLE_PLAIN, "this is a scene, for `footfall run`; give the robot file it names");
    ff_report_clear(&report);
    if (spec_out && model)
        *spec_out = spec;
    else
        ff_spec_destroy(spec);
    return model;
}
