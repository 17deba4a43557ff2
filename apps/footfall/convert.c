// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall convert`: a robot of any format that is read, written in one that other programs read.
#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <footfall/load.h>

typedef struct convert_target {
    text_list operands;
    model_options model;
} convert_target;

static int convert(const command *self, void *options, ff_arena *arena)
{
    const convert_target *target = options;
    (void)self, (void)arena;
    const char *from = target->operands.items[0], *to = target->operands.items[1];
    ff_load_options load = loading_options(&target->model);
    load.without_legs = true; // legs that the reader detects are not in the file
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_status status = spec ? ff_spec_load(spec, from, &load, &report) : FF_NO_MEMORY;
    if (status == FF_OK) status = ff_spec_save(spec, to, &load, &report);
    print_report(stderr, &report, FF_REPORT_MAX);
    if (status == FF_NO_MEMORY) fprintf(stderr, "footfall convert: %s\n", ff_status_text(status));
    if (status != FF_OK && scene_file_detect(from))
        print_message(from, STYLE_PLAIN, "this is a scene; give the robot file it names");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    return status == FF_OK ? EXIT_FINE : exit_of(status);
}

const command convert_command = {
    .name = "convert",
    .synopsis = "MODEL FILE [--floating] [--repair] [--package-path DIR]...",
    .summary = "write a robot as MJCF (.xml) or URDF (.urdf)",
    .description =
        "Reads a robot (URDF, MJCF or native YAML) and writes it in the format that the ending of FILE names, with the "
        "same bodies, joints, masses, q and v. What that format has no word for is a warning on stderr, once a kind, "
        "with the first name and the count.",
    .examples = "  footfall convert robots/lola/lola-ideal.yaml lola.xml\n"
                "      for MuJoCo\n"
                "  footfall convert robots/anton/anton.yaml anton.urdf\n",
    OPTIONS(MODEL_OPTIONS(convert_target, model)),
    .operands = {2, 2, "MODEL or FILE"},
    ZERO_PRESET(convert_target),
    .run = convert,
};
