// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads options by table and prints the help from the same table. Both `--name value` and `--name=value` are
// understood; a value may begin with one dash (`--q -0.1,2`), `--` ends the options, `-h` alone is `--help` and `-o`,
// as with compilers, is `--out`.
#include "commands.h"

#include "terminal.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

#define WORD_MAX     64 // letters of an option that messages repeat
#define OPTIONS_MAX  32 // of one command
#define COMMANDS_MAX 16

const command *command_find(const char *name)
{
    for (const command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

const char *command_nearest(const char *name)
{
    const char *known[COMMANDS_MAX];
    int count = 0;
    for (; count < COMMANDS_MAX && commands[count]; count++) known[count] = commands[count]->name;
    return ff_text_nearest(name, known, count);
}

bool is_whole(double value, double least, double most)
{
    return value >= least && value <= most && value == floor(value);
}

int usage_error(const command *self, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "%sfootfall %s:%s ", paint(stderr, STYLE_BAD), self->name, paint(stderr, STYLE_PLAIN));
    print_escaped(stderr, "%s", text);
    fprintf(stderr, "\nUse: footfall %s %s\n`footfall help %s` explains it.\n", self->name, self->synopsis, self->name);
    va_end(args);
    return EXIT_USAGE;
}

// Prints text wrapped at 78 columns, each line indented; a newline in the text starts a new line, and spaces behind it
// stay.
static void print_wrapped(FILE *out, const char *text, int margin, int column)
{
    int indent = margin;
    while (*text) {
        if (*text == '\n') {
            size_t spaces = strspn(++text, " ");
            column = fprintf(out, "\n%*s", (int)spaces, "") - 1;
            text += spaces;
            indent = spaces > 0 ? column : margin;
            continue;
        }
        size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + (int)word > 78) {
            fputc('\n', out);
            column = 0;
        }
        if (column < indent) {
            fprintf(out, "%*s", indent - column, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, word, out);
        column += (int)word;
        text += word;
        while (*text == ' ') text++;
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const char *name, const char *value, const char *help, option_kind kind)
{
    const int column = 24;
    int used = fprintf(out, "  --%s%s%s", name, value ? " " : "", value ? value : "");
    if (used >= column - 1) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", column - used, "");
    print_wrapped(out, help, column, column);
    if (kind == OPTION_TEXTS) fprintf(out, "%*sMay be given more than once.\n", column, "");
}

void command_help(const command *self, FILE *out)
{
    const char *bold = paint(out, STYLE_STRONG), *plain = paint(out, STYLE_PLAIN);
    fprintf(out, "%sfootfall %s%s: %s\n\n", bold, self->name, plain, self->summary);
    fprintf(out, "%sUse%s\n  footfall %s %s\n\n", bold, plain, self->name, self->synopsis);
    print_wrapped(out, self->description, 0, 0);
    fprintf(out, "\n%sOptions%s\n", bold, plain);
    for (int i = 0; i < self->noption; i++) {
        const option *o = &self->options[i];
        print_option(out, o->name, o->value, o->help, o->kind);
    }
    print_option(out, "help", NULL, "Print this text", OPTION_FLAG);
    fprintf(out, "\n%sExamples%s\n%s", bold, plain, self->examples);
    fprintf(
        out,
        "\n%sExit codes%s\n  0 fine, 1 wrong use, 2 bad input, 3 the simulation failed, 4 an expectation was missed\n",
        bold, plain);
}

typedef enum parse_result { PARSE_OK, PARSE_HELP, PARSE_BAD } parse_result;

static const option *find_option(const command *self, const char *name, size_t length)
{
    for (int i = 0; i < self->noption; i++)
        if (strlen(self->options[i].name) == length && strncmp(self->options[i].name, name, length) == 0)
            return &self->options[i];
    return NULL;
}

// Options that were renamed; the error has the new name.
static const struct {
    const char *old, *name;
} renamed[] = {{"patience", "timeout"}};

static parse_result unknown_option(const command *self, const char *typed)
{
    char name[WORD_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "="), typed);
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        if (strcmp(name, renamed[i].old) != 0 || !find_option(self, renamed[i].name, strlen(renamed[i].name))) continue;
        usage_error(self, "option --%s is now called --%s", name, renamed[i].name);
        return PARSE_BAD;
    }
    const char *known[OPTIONS_MAX];
    int count = 0;
    for (; count < self->noption && count < OPTIONS_MAX; count++) known[count] = self->options[count].name;
    const char *found = ff_text_nearest(name, known, count);
    if (found)
        usage_error(self, "unknown option --%s; did you mean --%s?", name, found);
    else
        usage_error(self, "unknown option --%s", name);
    return PARSE_BAD;
}

// Reads one number and moves on; false when there is none or it is not finite.
static bool read_number(const char **text, double *value)
{
    size_t length = ff_text_number_length(*text, strlen(*text));
    if (!ff_text_number(*text, length, value)) return false;
    *text += length;
    return true;
}

static bool report_no_memory(void)
{
    fprintf(stderr, "footfall: %s\n", ff_status_text(FF_NO_MEMORY));
    return false;
}

static bool read_number_list(const command *self, const option *o, const char *text, number_list *list, ff_arena *arena)
{
    int room = 1;
    for (const char *p = text; *p; p++) room += *p == ',' || *p == ' ';
    list->values = FF_ARENA_NEW(arena, double, room);
    list->count = 0;
    list->given = true;
    if (!list->values) return report_no_memory();
    const char *p = text + strspn(text, " ");
    bool more = *p != '\0'; // a number must follow a comma: an empty entry is an error
    while (more) {
        const char *start = p;
        if (!read_number(&p, &list->values[list->count]) || (*p && !strchr(" ,", *p))) {
            usage_error(self, "--%s: entry %d is \"%.*s\", which is not a finite number", o->name, list->count + 1,
                        (int)(strcspn(start, " ,") < 40 ? strcspn(start, " ,") : 40), start);
            return false;
        }
        list->count++;
        p += strspn(p, " ");
        more = *p != '\0';
        if (*p == ',') p += 1 + strspn(p + 1, " ");
    }
    return true;
}

static bool add_text(text_list *list, const char *text, int most, ff_arena *arena)
{
    if (!list->items) list->items = FF_ARENA_NEW(arena, const char *, most);
    if (!list->items) return report_no_memory();
    list->items[list->count++] = text;
    return true;
}

// Stores the value of an option into its field. `most` bounds how often an option can occur.
static bool store(const command *self, const option *o, const char *value, void *options, int most, ff_arena *arena)
{
    void *field = (char *)options + o->offset;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case OPTION_TEXTS:
        return add_text((text_list *)field, value, most, arena);
    case OPTION_NUMBER: {
        const char *p = value;
        if (read_number(&p, (double *)field) && *p == '\0') return true;
        usage_error(self, "--%s: \"%s\" is not a finite number", o->name, value);
        return false;
    }
    case OPTION_NUMBERS:
        return read_number_list(self, o, value, (number_list *)field, arena);
    }
    return false;
}

static parse_result take_option(const command *self, const char *name, int argc, char **argv, int *i, void *options,
                                ff_arena *arena)
{
    size_t length = strcspn(name, "=");
    if (length == 4 && strncmp(name, "help", 4) == 0) {
        command_help(self, stdout);
        return PARSE_HELP;
    }
    const option *o = find_option(self, name, length);
    if (!o) return unknown_option(self, name);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (o->kind == OPTION_FLAG && value) {
        usage_error(self, "--%s takes no value", o->name);
        return PARSE_BAD;
    }
    if (o->kind != OPTION_FLAG && !value) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0) {
            usage_error(self, "--%s needs a value: --%s %s", o->name, o->name, o->value);
            return PARSE_BAD;
        }
        value = argv[++*i];
    }
    return store(self, o, value, options, argc, arena) ? PARSE_OK : PARSE_BAD;
}

// Reads the arguments after the command's name into its options struct; lists live in the arena.
static parse_result parse(const command *self, int argc, char **argv, void *options, ff_arena *arena)
{
    text_list *operands = (text_list *)options;
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        parse_result result = PARSE_OK;
        if (!only_operands && strcmp(word, "--") == 0)
            only_operands = true;
        else if (!only_operands && strcmp(word, "-h") == 0) {
            command_help(self, stdout);
            result = PARSE_HELP;
        } else if (!only_operands && strncmp(word, "--", 2) == 0)
            result = take_option(self, word + 2, argc, argv, &i, options, arena);
        else if (!only_operands && strcmp(word, "-o") == 0 && find_option(self, "out", 3))
            result = take_option(self, "out", argc, argv, &i, options, arena);
        else if (!only_operands && word[0] == '-' && word[1]) {
            usage_error(self, "unknown option %s (options have two dashes)", word);
            result = PARSE_BAD;
        } else if (!add_text(operands, word, argc, arena))
            result = PARSE_BAD;
        if (result != PARSE_OK) return result;
    }
    if (operands->count < self->operands.least) {
        usage_error(self, "%s is missing", self->operands.word);
        return PARSE_BAD;
    }
    if (self->operands.most >= 0 && operands->count > self->operands.most) {
        usage_error(self, "\"%s\" is one operand too many", operands->items[self->operands.most]);
        return PARSE_BAD;
    }
    return PARSE_OK;
}

int command_run(const command *self, int argc, char **argv)
{
    ff_arena arena = {0};
    int code = EXIT_FINE;
    void *options = ff_arena_alloc(&arena, 1, self->size);
    if (options && self->preset) memcpy(options, self->preset, self->size);
    const parse_result parsed = options ? parse(self, argc, argv, options, &arena) : PARSE_BAD;
    if (!options) report_no_memory();
    if (parsed != PARSE_HELP) code = parsed == PARSE_OK ? self->run(self, options, &arena) : EXIT_USAGE;
    ff_arena_clear(&arena);
    return code;
}
