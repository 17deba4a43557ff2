// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The program `footfall`: finds the command and passes the arguments on. Data goes to stdout, messages to stderr.
// Exit codes: 0 fine, 1 wrong use, 2 bad input, 3 the simulation failed or a file could not be written,
// 4 an expectation was missed.
#include "commands.h"
#include "terminal.h"

#include <footfall/studio.h>

#include <stdlib.h>
#include <string.h>

const command *const commands[] = {&run_command,        &serve_command,       &control_command,
                                   &hardware_command,   &ethercat_command,    &twin_command,
                                   &check_command,      &info_command,        &eval_command,
                                   &convert_command,    &image_command,       &batch_command,
                                   &keys_command,       &experiments_command, &plot_command,
                                   &report_command,     &studio_command,      &bench_command,
                                   &completion_command, &help_command,        NULL};

static void print_overview(FILE *out)
{
    const char *bold = paint(out, STYLE_STRONG), *plain = paint(out, STYLE_PLAIN);
    fprintf(out, "%sfootfall%s simulates walking robots.\n\n%sUse%s\n  footfall COMMAND [OPTION]...\n\n%sCommands%s\n",
            bold, plain, bold, plain, bold, plain);
    for (const command *const *c = commands; *c; c++) fprintf(out, "  %-13s%s\n", (*c)->name, (*c)->summary);
    fprintf(
        out,
        "\n%sMore%s\n  footfall help COMMAND   its options and examples\n  footfall --version      version, and what "
        "this build can read\n\nExit codes: 0 fine, 1 wrong use, 2 bad input, 3 the simulation failed, was "
        "interrupted, or its\noutput could not be written, 4 an expectation was missed.\n",
        bold, plain);
}

static void print_version(void)
{
    printf("footfall %s\n", FF_VERSION);
    const char *const parts[] = {
#ifdef FF_WITH_XML
        "URDF and MJCF (libxml2)",
#endif
#ifdef FF_WITH_YAML
        "native robots and scenes (libyaml)",
#endif
#ifdef FF_WITH_MESHES
        "meshes (assimp)",
#endif
#ifdef FF_WITH_PNG
        "pictures (libpng)",
#endif
#ifdef FF_WITH_LUA
        "scripts (Lua)",
#endif
#ifdef FF_WITH_EMBREE
        "rays (Embree)",
#endif
#ifdef FF_WITH_HDF5
        "recordings (HDF5)",
#endif
#ifdef FF_WITH_SUNDIALS
        "method cvode (SUNDIALS)",
#endif
#ifdef FF_WITH_THREADS
        "teams of simulations (threads)",
#endif
#ifdef FF_WITH_LINKS
        "links (wires)",
#endif
        ff_studio_has_pages() ? "reports (web pages)" : NULL,
        ff_studio_has_pages() && ff_studio_has_server() ? "studio (libwebsockets)" : NULL,
        NULL};
    printf("built with %s", parts[0] ? "" : "the C library alone");
    for (int i = 0; parts[i]; i++) printf("%s%s", i ? ", " : "", parts[i]);
    printf("\n");
}

static int unknown_command(const char *name)
{
    fprintf(stderr, "%sfootfall:%s ", paint(stderr, STYLE_BAD), paint(stderr, STYLE_PLAIN));
    print_escaped(stderr, "unknown command \"%s\"", name);
    const char *near = command_nearest(name);
    if (near) fprintf(stderr, "; did you mean \"%s\"?", near);
    fputs("\n`footfall help` lists the commands.\n", stderr);
    return EXIT_USAGE;
}

// ------------------------------------------------------------------------------------------ help

typedef struct help_target {
    text_list operands;
} help_target;

static int help_main(const command *self, void *options, ff_arena *arena)
{
    const help_target *target = options;
    (void)self, (void)arena;
    if (target->operands.count == 0) {
        print_overview(stdout);
        return EXIT_FINE;
    }
    const command *wanted = command_find(target->operands.items[0]);
    if (!wanted) return unknown_command(target->operands.items[0]);
    command_help(wanted, stdout);
    return EXIT_FINE;
}

const command help_command = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "explain a command, or list all",
    .description = "Without a command, lists the commands. With one, prints its use, options and examples.",
    .examples = "  footfall help run\n",
    .operands = {0, 1, "COMMAND"},
    .words = "@commands",
    ZERO_PRESET(help_target),
    .run = help_main,
};

// ------------------------------------------------------------------------------------------ output

int print_json_text(ff_json *json)
{
    char *text = ff_json_finish(json);
    if (!text) {
        fprintf(stderr, "footfall: %s\n", ff_status_text(FF_NO_MEMORY));
        return EXIT_INPUT;
    }
    output_bypass_guard(true);
    fputs(text, stdout);
    output_bypass_guard(false);
    free(text);
    return EXIT_FINE;
}

// A closed pipe (footfall info robot.urdf | head) ends the program without a message; a full disk does not.
static int close_output(int code)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed) return code;
    fputs("footfall: writing to stdout failed\n", stderr);
    return code == EXIT_FINE || code == EXIT_EXPECTATION ? EXIT_SIMULATION : code;
}

// ------------------------------------------------------------------------------------------ main

int main(int argc, char **argv)
{
    ignore_file_size_signal();
    guard_output();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        print_version();
        return close_output(EXIT_FINE);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_overview(stdout);
        return close_output(EXIT_FINE);
    }
    const command *wanted = command_find(name);
    if (!wanted) return unknown_command(name);
    return close_output(command_run(wanted, argc - 2, argv + 2));
}
