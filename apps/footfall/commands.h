// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program, one file each, and their options as tables. One table feeds the parser, --help and the
// shell completion, so that the three cannot differ.
#ifndef FOOTFALL_APPS_COMMANDS_H
#define FOOTFALL_APPS_COMMANDS_H

#include <footfall/base.h>
#include <footfall/json.h>

#include <stddef.h>
#include <stdio.h>

/// The exit codes of the program; docs/program.md explains them.
enum { EXIT_FINE = 0, EXIT_USAGE = 1, EXIT_INPUT = 2, EXIT_SIMULATION = 3, EXIT_EXPECTATION = 4 };

/// The exit code of an error before or after a simulation: the input is the cause, unless a file cannot be written.
static inline int exit_of(ff_status status)
{
    return status == FF_NOT_WRITTEN ? EXIT_SIMULATION : EXIT_INPUT;
}
/// The exit code of a command at the end of a wire or a bus.
static inline int exit_of_link(ff_status status)
{
    if (status == FF_OK) return EXIT_FINE;
    return status == FF_STOPPED || status == FF_CONTROL ? EXIT_SIMULATION : exit_of(status);
}

// ------------------------------------------------------------------------------------------ options

typedef struct text_list {
    const char **items;
    int count;
} text_list;

typedef struct number_list {
    double *values;
    int count;
    bool given; // an empty list differs from an absent option
} number_list;

typedef enum option_kind {
    OPTION_FLAG,    // bool: --json
    OPTION_TEXT,    // const char *: --key NAME or --key=NAME
    OPTION_TEXTS,   // text_list: may be repeated
    OPTION_NUMBER,  // double: --time 10
    OPTION_NUMBERS, // number_list: --q 0.1,-2,3
} option_kind;

typedef struct option {
    const char *name; // without the dashes
    option_kind kind;
    const char *value; // its name in the help; FILE.. and DIR also let the shell complete it; NULL for flags
    const char *help;  // one sentence without a full stop
    size_t offset;     // of the field in the options struct of the command
} option;

/// A row of a table of options: the options struct and its field, the name of the option, and its line of the help.
#define OPTION(type, field, name, kind, value, help)                                                                   \
    {                                                                                                                  \
        name, OPTION_##kind, value, help, offsetof(type, field)                                                        \
    }
#define FLAG(type, field, name, help) OPTION(type, field, name, FLAG, NULL, help)
/// The option of all commands that read a scene.
#define SET_OPTION(type, field)                                                                                        \
    OPTION(                                                                                                            \
        type, field, "set", TEXTS, "PATH=VALUE",                                                                       \
        "Override a value of the scene, such as solver.step=1e-4 or record.rate=200; variant=NAME chooses a variant")

// ------------------------------------------------------------------------------------------ commands

/// One command. Its options struct starts with a text_list for the operands.
typedef struct command {
    const char *name;
    const char *synopsis; // operands and options, after the name
    const char *summary;  // one line of the list of commands
    const char *description;
    const char *examples; // lines "command" and, indented further, what it does
    const option *options;
    int noption;
    const void *preset; // options struct with the defaults; NULL: zeros
    size_t size;        // of the options struct
    struct {
        int least, most;  // limits of their number; most -1: any number
        const char *word; // for an operand in messages
    } operands;
    const char *words; // possible operands, for the completion of the shell; NULL: files
    /// @param options  the options struct, filled from the command line
    /// @param arena    cleared afterwards
    /// @return         exit code of the program
    int (*run)(const struct command *self, void *options, ff_arena *arena);
} command;

/// Members of a command: the rows of its options, and its options struct with the defaults.
#define OPTIONS(...)                                                                                                   \
    .options = (const option[]){__VA_ARGS__}, .noption = (int)(sizeof((const option[]){__VA_ARGS__}) / sizeof(option))
#define PRESET(type, ...) .preset = &(const type){__VA_ARGS__}, .size = sizeof(type)
#define ZERO_PRESET(type) .size = sizeof(type)

extern const command run_command, serve_command, control_command, hardware_command, ethercat_command, twin_command,
    check_command, info_command, eval_command, convert_command, image_command, batch_command, keys_command,
    experiments_command, plot_command, report_command, studio_command, bench_command, completion_command, help_command;

/// All commands of the program, ended by NULL.
extern const command *const commands[];

/// Reads the arguments after the command's name into its options struct and runs the command, or prints its help if the
/// arguments ask for it. @return exit code of the program
int command_run(const command *self, int argc, char **argv);

/// The command of that name, or NULL.
const command *command_find(const char *name);
/// The command whose name is nearest to a mistyped one, or NULL when none is near.
const char *command_nearest(const char *name);
/// Prints the manual of a command, made from its table.
void command_help(const command *self, FILE *out);
/// Reports an error in the use of a command, with a pointer to its help. @return EXIT_USAGE
int usage_error(const command *self, const char *format, ...) FF_PRINTF(2, 3);
/// Is the value a whole number from `least` to `most`?
bool is_whole(double value, double least, double most);
/// Prints the text that was written into `json` to stdout and frees it.
/// @return EXIT_FINE, or EXIT_INPUT when memory ran out
int print_json_text(ff_json *json);

#endif
