// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall image`: writes a scene with all the files it names into one file, which every build of Footfall runs.
#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <string.h>

typedef struct image_target {
    text_list operands;
    const char *out;
    text_list set;
} image_target;

static int write_image(const image_target *target, ff_arena *arena)
{
    const char *path = target->operands.items[0];
    const char *out = target->out ? target->out : file_name_between("", path, ".ffscene", arena);
    ff_report report = {0};
    ff_status status = FF_BAD_FILE;
    if (scene_file_detect(path))
        status = ff_scene_write_image(path, target->set.items, target->set.count, out, &report);
    else
        scene_file_refuse(path, &report);
    print_report(stderr, &report, 5);
    ff_report_clear(&report);
    return status == FF_OK ? EXIT_FINE : exit_of(status);
}

static int image_main(const command *self, void *options, ff_arena *arena)
{
    const image_target *target = options;
    if (target->out && has_other_content(target->out, "FFSCENE"))
        return usage_error(self, "--out %s is there, and is no image of a scene: it would be lost; name another",
                           target->out);
    return write_image(target, arena);
}

const command image_command = {
    .name = "image",
    .synopsis = "SCENE [--set PATH=VALUE]... [--out FILE]",
    .summary = "write a scene and all its files into one, for builds without YAML",
    .description =
        "Writes the scene as it would run, variant and overrides in place, together with the robots, meshes, "
        "pictures of heights and scripts it names. `footfall run FILE` runs it in any build on any processor, "
        "also in one without YAML, XML, assimp and libpng, and gives bit-identical results.",
    .examples = "  footfall image experiments/anton-tripod.yaml --out anton.ffscene\n"
                "  footfall run anton.ffscene\n"
                "      the same walk, without a file beside it\n",
    OPTIONS(
        OPTION(image_target, out, "out", TEXT, "FILE", "File to write; without it NAME.ffscene in the current folder"),
        SET_OPTION(image_target, set)),
    .operands = {1, 1, "SCENE"},
    ZERO_PRESET(image_target),
    .run = image_main,
};
