// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall keys`: what robot and scene files may contain.
#include "commands.h"
#include "terminal.h"

#include <footfall/keys.h>

typedef struct keys_target {
    text_list operands;
    bool markdown, paths;
} keys_target;

static int keys_main(const command *self, void *options, ff_arena *arena)
{
    const keys_target *target = options;
    (void)self, (void)arena;
    ff_error err = {0};
    const char *path = target->operands.count > 0 ? target->operands.items[0] : "";
    const ff_keys_format format = target->markdown ? FF_KEYS_MARKDOWN : target->paths ? FF_KEYS_PATHS : FF_KEYS_TEXT;
    if (ff_keys_print(stdout, path, format, &err) == FF_OK) return EXIT_FINE;
    print_escaped(stderr, "footfall keys: %s: %s\n", path, err.text);
    return EXIT_INPUT;
}

const command keys_command = {
    .name = "keys",
    .synopsis = "[PATH] [--markdown | --paths]",
    .summary = "say what robot and scene files may contain",
    .description =
        "Prints the keys that may stand at a path of a robot or scene file: what each takes, its unit, range, default "
        "and meaning. The same tables check every file that is read. Names that you choose are written as NAME.",
    .examples = "  footfall keys scene.solver\n"
                "      what 'solver' of a scene takes\n"
                "  footfall keys scene.control.gait\n"
                "      the parameters of the walking controller\n"
                "  footfall keys robot.bodies.NAME.joint\n"
                "      what a joint of a robot file takes\n"
                "  footfall keys mjcf\n"
                "      the elements and attributes of MJCF, and what becomes of each\n",
    OPTIONS(FLAG(keys_target, markdown, "markdown", "print the group and all groups below it as a page of the manual"),
            FLAG(keys_target, paths, "paths", "print the paths for --set, one a line")),
    .operands = {0, 1, "where: robot or scene, then keys with dots between; or mjcf"},
    ZERO_PRESET(keys_target),
    .run = keys_main,
};
