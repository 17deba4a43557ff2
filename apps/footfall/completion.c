// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall completion bash`: prints a completion script made from the tables of commands and options.
#include "commands.h"

#include <string.h>

typedef struct completion_target {
    text_list operands;
} completion_target;

static void print_command_names(void)
{
    for (const command *const *c = commands; *c; c++) printf("%s%s", c == commands ? "" : " ", (*c)->name);
}

/// Kinds of values, which the shell completes differently.
typedef enum value_kind { VALUE_OTHER, VALUE_FILE, VALUE_FOLDER } value_kind;

static value_kind kind_of_value(const option *o)
{
    return strncmp(o->value, "FILE", 4) == 0 ? VALUE_FILE : strcmp(o->value, "DIR") == 0 ? VALUE_FOLDER : VALUE_OTHER;
}

// One line of `case`: the options whose value is of a kind, and how the shell completes it.
static void print_value_case(value_kind kind, const char *action)
{
    int found = 0;
    for (const command *const *c = commands; *c; c++) {
        for (int i = 0; i < (*c)->noption; i++) {
            const option *o = &(*c)->options[i];
            if (o->kind == OPTION_FLAG || kind_of_value(o) != kind) continue;
            printf("%s%s:--%s", found++ ? "|" : "        ", (*c)->name, o->name);
        }
    }
    if (found) printf(")\n            %s\n            return ;;\n", action);
}

static void print_command_case(const command *c)
{
    printf("        %s)\n            options=\"", c->name);
    for (int i = 0; i < c->noption; i++) printf("--%s ", c->options[i].name);
    printf("--help\"");
    if (c->words && strcmp(c->words, "@commands") == 0) {
        printf("\n            words=\"");
        print_command_names();
        printf("\"");
    } else if (c->words)
        printf("\n            words=\"%s\"", c->words);
    else if (c->operands.most != 0)
        printf("\n            files=yes");
    printf(" ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for footfall; load it by:  source <(footfall completion bash)\n"
           "_footfall() {\n"
           "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
           "    local options=\"\" words=\"\" files=\"\"\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"");
    print_command_names();
    printf(" --help --version\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    local word=\"$current\" before=\"\"\n" // readline parts path=value into three words
           "    [ \"$current\" = = ] && { word=\"$previous=\"; before=\"$previous=\"; "
           "previous=\"${COMP_WORDS[COMP_CWORD-2]}\"; }\n"
           "    [ \"$previous\" = = ] && { before=\"${COMP_WORDS[COMP_CWORD-2]}=\"; word=\"$before$current\"; "
           "previous=\"${COMP_WORDS[COMP_CWORD-3]}\"; }\n"
           "    if [ \"$previous\" = --set ]; then\n"
           "        COMPREPLY=($(compgen -W \"$(footfall keys --paths scene)\" -- \"$word\"))\n"
           "        COMPREPLY=(\"${COMPREPLY[@]#\"$before\"}\")\n"
           "        compopt -o nospace 2>/dev/null\n"
           "        return\n"
           "    fi\n"
           "    if [ \"${COMP_WORDS[1]}\" = keys ] && [[ \"$current\" != -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$(footfall keys --paths | sed -e 's/=.*//;p;s/[.][^.]*$//' | sort -u)\" "
           "-- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case \"${COMP_WORDS[1]}:$previous\" in\n");
    print_value_case(VALUE_FOLDER, "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))");
    print_value_case(VALUE_FILE, "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))");
    print_value_case(VALUE_OTHER, ":");
    printf("    esac\n"
           "    case \"${COMP_WORDS[1]}\" in\n");
    for (const command *const *c = commands; *c; c++) print_command_case(*c);
    printf("    esac\n"
           "    if [[ \"$current\" == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "    elif [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    elif [ -n \"$files\" ]; then\n"
           "        compopt -o filenames 2>/dev/null\n"
           "        local IFS=$'\\n'\n"
           "        COMPREPLY=($(compgen -d -- \"$current\")\n"
           "                   $(compgen -f -X '!*.@(yaml|yml|urdf|xml|mjcf)' -- \"$current\"))\n"
           "    fi\n"
           "}\n"
           "shopt -s extglob 2>/dev/null\n"
           "complete -F _footfall footfall\n");
}

static int completion_main(const command *self, void *options, ff_arena *arena)
{
    const completion_target *target = options;
    (void)arena;
    if (strcmp(target->operands.items[0], "bash") != 0)
        return usage_error(self, "\"%s\" is not a shell known here: bash is", target->operands.items[0]);
    print_bash();
    return EXIT_FINE;
}

const command completion_command = {
    .name = "completion",
    .synopsis = "bash",
    .summary = "print the completion script of a shell",
    .description = "Prints a script that lets the shell complete commands, options and file names. An installed "
                   "Footfall has put it where bash looks for it already.",
    .examples = "  source <(footfall completion bash)\n"
                "      completes from now on in this shell\n",
    .operands = {1, 1, "the name of the shell (bash)"},
    .words = "bash",
    ZERO_PRESET(completion_target),
    .run = completion_main,
};
