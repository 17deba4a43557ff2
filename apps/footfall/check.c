// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall check`: prints every problem of robots and scenes with its place, as compilers do.
#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <footfall/scene.h>

#include <string.h>

typedef struct check_target {
    text_list operands;
    model_options model;
    text_list set;
} check_target;

typedef struct check_counts {
    int errors, warnings;
} check_counts;

static void check_file(const char *path, const ff_load_options *load, const text_list *set, check_counts *counts)
{
    ff_report report = {0};
    ff_scene_check_file(path, load, set->items, set->count, &report);
    print_report(stdout, &report, FF_REPORT_MAX);
    counts->errors += report.errors;
    counts->warnings += report.warnings;
    ff_report_clear(&report);
}

static void print_summary(const check_counts *counts, int files)
{
    style look = counts->errors ? STYLE_BAD : counts->warnings ? STYLE_WARN : STYLE_GOOD;
    fflush(stdout);
    fprintf(stderr, "%s%d file%s checked: %d error%s, %d warning%s%s\n", paint(stderr, look), files,
            files == 1 ? "" : "s", counts->errors, counts->errors == 1 ? "" : "s", counts->warnings,
            counts->warnings == 1 ? "" : "s", paint(stderr, STYLE_PLAIN));
}

static int check_main(const command *self, void *options, ff_arena *arena)
{
    const check_target *target = options;
    (void)self, (void)arena;
    const ff_load_options load = loading_options(&target->model);
    check_counts counts = {0};
    for (int i = 0; i < target->operands.count; i++)
        check_file(target->operands.items[i], &load, &target->set, &counts);
    print_summary(&counts, target->operands.count);
    return counts.errors ? EXIT_INPUT : EXIT_FINE;
}

const command check_command = {
    .name = "check",
    .synopsis = "FILE... [--set PATH=VALUE]... [--floating] [--repair] [--package-path DIR]...",
    .summary = "list every problem of robot and scene files, with its place",
    .description =
        "Reads robots (URDF, MJCF, native YAML) and scenes, and prints every problem to stdout as\n"
        "    file:line:column: error|warning: what is wrong, and what to do\n"
        "Elements that Footfall does not use are warnings, once by name. A file with warnings can be simulated; one "
        "with errors cannot, and the exit code is 2.",
    .examples = "  footfall check robots/anton/anton.yaml\n"
                "  footfall check --package-path ~/ros/src *.urdf\n"
                "      look for package://NAME/... in ~/ros/src/NAME\n",
    OPTIONS(MODEL_OPTIONS(check_target, model), SET_OPTION(check_target, set)),
    .operands = {1, -1, "FILE"},
    ZERO_PRESET(check_target),
    .run = check_main,
};
