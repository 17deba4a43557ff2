// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands and their options as tables. One table feeds the parser, --help and the shell completion, so that the three
// cannot differ.
#ifndef FOOTFALL_APPS_OPTIONS_H
#define FOOTFALL_APPS_OPTIONS_H

#include <footfall/base.h>
#include <stddef.h>
#include <stdio.h>

/// What the program says to its caller; see docs/program.md.
enum { EXIT_FINE = 0, EXIT_USAGE = 1, EXIT_INPUT = 2, EXIT_SIMULATION = 3, EXIT_EXPECTATION = 4 };

/// The exit code of an error before or beside a simulation: input is the cause, unless a file cannot be written.
static inline int exit_of(ff_status status)
{
    return status == FF_NOT_WRITTEN ? EXIT_SIMULATION : EXIT_INPUT;
}

typedef struct text_list {
    const char **items;
    int count;
} text_list;

typedef struct number_list {
    double *values;
    int count;
    bool given; // an empty list may be meant
} number_list;

typedef enum option_kind {
    OPTION_FLAG,    // bool: --json
    OPTION_TEXT,    // const char *: --key NAME or --key=NAME
    OPTION_TEXTS,   // text_list: may be repeated
    OPTION_NUMBER,  // double: --time 10
    OPTION_NUMBERS, // number_list: --q 0.1,-2,3
} option_kind;

/// What a value names, so that the shell can complete it.
typedef enum option_hint { HINT_NONE, HINT_FILE, HINT_FOLDER } option_hint;

typedef struct option {
    const char *name; // without the dashes
    option_kind kind;
    option_hint hint;
    const char *value; // name of the value in the help, NULL for flags
    const char *help;  // one sentence, no full stop at its end
    size_t offset;     // of the field in the options struct of the command
} option;

#define OPTION(type, field, name, kind, hint, value, help)                                                             \
    {                                                                                                                  \
        name, kind, hint, value, help, offsetof(type, field)                                                           \
    }

/// One command. Its options struct starts with a text_list that takes the operands.
typedef struct command {
    const char *name;
    const char *synopsis; // operands and options, after the name
    const char *summary;  // one line of the list of commands
    const char *description;
    const char *examples; // lines "command" and, indented further, what it does
    const option *options;
    int noption;
    const void *preset; // the options struct before the command line is read
    size_t size;        // of the options struct
    int min_operands;
    int max_operands;    // -1 for any number
    const char *operand; // word for one operand, used in messages
    const char *words;   // words an operand may be, for the completion; NULL for files
    /// @param options  the options struct, filled from the command line
    /// @param arena    cleared afterwards
    /// @return         exit code of the program
    int (*run)(const struct command *self, void *options, ff_arena *arena);
} command;

/// Members of a command: the table of its options, and the preset of its options struct.
#define OPTIONS(table) .options = (table), .noption = (int)(sizeof(table) / sizeof(table)[0])
#define PRESET(value)  .preset = &(value), .size = sizeof(value)

/// All commands of the program, ended by NULL. Each is defined in its own file.
extern const command *const commands[];

/// Reads the arguments after the command's name into its options struct, and runs it; or prints its help, where that is
/// asked for. @return exit code of the program
int command_run(const command *self, int argc, char **argv);

/// The command of that name, or NULL.
const command *command_find(const char *name);
/// The command whose name is nearest to a mistyped one, or NULL when none is near.
const char *command_nearest(const char *name);
/// Prints the manual of a command, made from its table.
void command_help(const command *self, FILE *out);
/// Reports an error in the use of a command, with a pointer to its help. @return EXIT_USAGE
int usage_error(const command *self, const char *format, ...) FF_PRINTF(2, 3);
/// Is the value of an option a whole number from `least` to `most`?
bool is_whole(double value, double least, double most);

#endif
