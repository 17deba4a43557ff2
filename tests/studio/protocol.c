// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the table of messages (src/studio/protocol.h): `protocol ts SUBJECT` as the types of the pages, `protocol ts
// index` as the file that names all subjects, `protocol md` as the tables of docs/studio.md. scripts/protocol puts them
// where they belong.
#include "studio/protocol.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// One alternative of a type at a time, and what is behind it.
static size_t first_alternative(const char *type)
{
    return strcspn(type, "|");
}

// ------------------------------------------------------------------------------------------ TypeScript

static void print_alternative(const char *type, size_t length)
{
    static const char *const words[][2] = {{"text", "string"}, {"integer", "number"}, {"flag", "boolean"},
                                           {"any", "unknown"}, {"null", "null"},      {"number", "number"}};
    size_t name = strcspn(type, "[{|");
    if (name > length) name = length;
    const bool map = name < length && type[name] == '{', list = name < length && type[name] == '[';
    char inner[64];
    snprintf(inner, sizeof inner, "%.*s", (int)name, type);
    if (type[0] == '\'') snprintf(inner, sizeof inner, "\"%.*s\"", (int)name - 2, type + 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(inner, words[i][0]) == 0) snprintf(inner, sizeof inner, "%s", words[i][1]);
    printf(map ? "Record<string, %s>" : list ? "%s[]" : "%s", inner);
}

static void print_type(const char *type)
{
    for (const char *at = type;;) {
        const size_t length = first_alternative(at);
        print_alternative(at, length);
        if (!at[length]) break;
        printf(" | ");
        at += length + 1;
    }
}

static void print_fields(const ff_json_field *fields, int count, const char *indent)
{
    for (int i = 0; i < count; i++) {
        const ff_json_field *f = &fields[i];
        printf("%s/** %c%s%s%s%s */\n", indent, toupper((unsigned char)f->help[0]), f->help + 1, f->unit[0] ? " [" : "",
               f->unit, f->unit[0] ? "]" : "");
        printf("%s%s%s: ", indent, f->name, f->optional ? "?" : "");
        print_type(f->type);
        printf(";\n");
    }
}

static void print_interface(const ff_json_type *type)
{
    printf("/** %s */\n", type->help);
    if (type->same_as) {
        printf("export type %s = ", type->name);
        print_type(type->same_as);
        printf(";\n");
        return;
    }
    printf("export interface %s {\n", type->name);
    print_fields(type->fields, type->nfield, "    ");
    printf("}\n");
}

static void print_requests(void)
{
    printf("/** Arguments of each request. */\nexport interface Requests {\n");
    for (int i = 0; i < ff_protocol_request_count; i++) {
        const ff_protocol_request *r = &ff_protocol_requests[i];
        printf("    /** %s */\n", r->help);
        if (r->nfield == 0) {
            printf("    %s: Record<string, never>;\n", r->name);
            continue;
        }
        printf("    %s: {\n", r->name);
        print_fields(r->fields, r->nfield, "        ");
        printf("    };\n");
    }
    printf("}\n\n/** Members of the answer to each request, beside those of Answer. */\nexport interface Answers {\n");
    for (int i = 0; i < ff_protocol_request_count; i++)
        printf("    %s: %s;\n", ff_protocol_requests[i].name,
               ff_protocol_requests[i].answer ? ff_protocol_requests[i].answer : "unknown");
    printf("}\n");
}

static void print_events(void)
{
    printf("/** Events by name. */\nexport interface Events {\n");
    for (int i = 0; i < ff_protocol_event_count; i++)
        printf("    /** %s */\n    %s: %s;\n", ff_protocol_events[i].help, ff_protocol_events[i].name,
               ff_protocol_events[i].type);
    printf("}\n");
}

/// "FrameHead" as "FRAME_HEAD".
static void print_constant(const char *name)
{
    for (const char *p = name; *p; p++) {
        if (p > name && isupper((unsigned char)*p)) putchar('_');
        putchar(toupper((unsigned char)*p));
    }
}

static void print_head(const ff_protocol_head *head)
{
    printf("/** %s Each number: its type and its offset [byte]. */\nexport const ", head->help);
    print_constant(head->name);
    printf(" = {\n    bytes: %u,\n    numbers: {\n", head->bytes);
    for (int i = 0; i < head->count; i++)
        if (strcmp(head->numbers[i].type, "bit") != 0)
            printf("        %s: [\"%s\", %u],\n", head->numbers[i].name, head->numbers[i].type, head->numbers[i].at);
    printf("    },\n} as const;\n\n");
}

static void print_binary(void)
{
    printf("export const FRAME_MAGIC = 0x%08x;\nexport const PICTURE_MAGIC = 0x%08x;\n"
           "export const BATCH_MAGIC = 0x%08x;\nexport const FRAME_VERSION = %d;\n\n",
           FF_FRAME_MAGIC, FF_PICTURE_MAGIC, FF_BATCH_MAGIC, FF_FRAME_VERSION);
    for (int i = 0; i < ff_protocol_head_count; i++) print_head(&ff_protocol_heads[i]);
    printf("/** Bits of the flags of a frame. */\nexport const FLAG = {");
    for (int i = 0, n = 0; i < ff_protocol_heads[0].count; i++)
        if (strcmp(ff_protocol_heads[0].numbers[i].type, "bit") == 0)
            printf("%s %s: %u", n++ > 0 ? "," : "", ff_protocol_heads[0].numbers[i].name,
                   ff_protocol_heads[0].numbers[i].at);
    printf(
        " } as const;\n\n/** Sections of a frame: tag, numbers of a row (0: as many as the scene has), and where each "
        "stands in it. */\nexport const SECTIONS = {\n");
    for (int i = 0; i < ff_protocol_section_count; i++) {
        const ff_protocol_section *s = &ff_protocol_sections[i];
        printf("    /** %s */\n    %s: { tag: %d, width: %d, columns: {", s->help, s->name, s->tag, s->width);
        for (int k = 0; k < s->width; k++) printf("%s %s: %d", k > 0 ? "," : "", s->columns[k], k);
        printf("%s} },\n", s->width > 0 ? " " : "");
    }
    printf("} as const;\n");
}

/// What a subject has beside its types.
static const struct {
    const char *subject;
    void (*print)(void);
} TABLES[] = {{"requests", print_requests}, {"events", print_events}, {"frames", print_binary}};

/// Does a type name another one, as "Message[]|null" does?
static bool type_uses(const char *type, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = type;;) {
        if (strncmp(at, name, length) == 0 && strchr("[{|", at[length])) return true; // the end is one of these
        at += first_alternative(at);
        if (!*at++) return false;
    }
}

static bool fields_use(const ff_json_field *fields, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (type_uses(fields[i].type, name)) return true;
    return false;
}

static bool subject_uses(const ff_json_subject *subject, const char *name)
{
    for (int i = 0; i < subject->ntype; i++) {
        const ff_json_type *type = &subject->types[i];
        if (type->same_as ? type_uses(type->same_as, name) : fields_use(type->fields, type->nfield, name)) return true;
    }
    if (strcmp(subject->name, "requests") == 0)
        for (int i = 0; i < ff_protocol_request_count; i++) {
            const ff_protocol_request *r = &ff_protocol_requests[i];
            if (fields_use(r->fields, r->nfield, name) || (r->answer && type_uses(r->answer, name))) return true;
        }
    if (strcmp(subject->name, "events") == 0)
        for (int i = 0; i < ff_protocol_event_count; i++)
            if (type_uses(ff_protocol_events[i].type, name)) return true;
    return false;
}

static void print_imports(const ff_json_subject *subject)
{
    int files = 0;
    for (int s = 0; s < ff_protocol_subject_count; s++) {
        const ff_json_subject *other = ff_protocol_subjects[s];
        int names = 0;
        for (int i = 0; i < other->ntype && other != subject; i++)
            if (subject_uses(subject, other->types[i].name))
                printf("%s%s", names++ == 0 ? "import type { " : ", ", other->types[i].name);
        if (names > 0) printf(" } from \"./%s\";\n", other->name), files++;
    }
    if (files > 0) printf("\n");
}

static void print_opening(const char *help)
{
    printf("// SPDX-FileCopyrightText: 2026 The Footfall authors\n// SPDX-License-Identifier: Apache-2.0\n//\n"
           "// %s Made by scripts/protocol from src/studio/protocol*.c: changes belong there.\n\n",
           help);
}

static void print_subject(const ff_json_subject *subject)
{
    print_opening(subject->help);
    print_imports(subject);
    for (int i = 0; i < subject->ntype; i++) {
        if (i > 0) printf("\n");
        print_interface(&subject->types[i]);
    }
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        if (strcmp(TABLES[i].subject, subject->name) == 0) {
            if (subject->ntype > 0) printf("\n");
            TABLES[i].print();
        }
}

/// A line for each subject, for those who import and those who look for one.
static void print_index(void)
{
    print_opening("What the program and its pages send each other.");
    for (int s = 0; s < ff_protocol_subject_count; s++)
        printf("/** %s */\nexport * from \"./%s\";\n", ff_protocol_subjects[s]->help, ff_protocol_subjects[s]->name);
}

/// False: there is no such file.
static bool print_typescript(const char *file)
{
    if (strcmp(file, "index") == 0) return print_index(), true;
    for (int s = 0; s < ff_protocol_subject_count; s++)
        if (strcmp(file, ff_protocol_subjects[s]->name) == 0) return print_subject(ff_protocol_subjects[s]), true;
    return false;
}

// ------------------------------------------------------------------------------------------ Markdown

static void print_words(const char *type)
{
    for (const char *at = type;;) {
        const size_t length = first_alternative(at);
        const bool word = at[0] == '\'';
        printf("`%.*s`", (int)length - (word ? 2 : 0), at + (word ? 1 : 0));
        if (!at[length]) break;
        printf(" or ");
        at += length + 1;
    }
}

static void print_rows(const ff_json_field *fields, int count)
{
    for (int i = 0; i < count; i++) {
        const ff_json_field *f = &fields[i];
        printf("| | `%s`%s | ", f->name, f->optional ? " (optional)" : "");
        print_words(f->type);
        printf(" | %s | %s |\n", f->unit, f->help);
    }
}

static void print_struct(const ff_json_type *type)
{
    printf("| **%s** | | ", type->name);
    if (type->same_as) print_words(type->same_as);
    printf(" | | %s |\n", type->help);
    print_rows(type->fields, type->nfield);
}

static void print_markdown(void)
{
    printf("### Requests\n\n| request | argument | type | unit | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < ff_protocol_request_count; i++) {
        const ff_protocol_request *r = &ff_protocol_requests[i];
        printf("| **%s** | | | | %s", r->name, r->help);
        if (r->answer) printf(" Answer: %s.", r->answer);
        printf(" |\n");
        print_rows(r->fields, r->nfield);
    }
    printf("\n### Events\n\n| event | type | sent |\n|---|---|---|\n");
    for (int i = 0; i < ff_protocol_event_count; i++)
        printf("| **%s** | %s | %s |\n", ff_protocol_events[i].name, ff_protocol_events[i].type,
               ff_protocol_events[i].help);
    printf("\n### Types\n\n| type | member | type | unit | meaning |\n|---|---|---|---|---|\n");
    for (int s = 0; s < ff_protocol_subject_count; s++)
        for (int i = 0; i < ff_protocol_subjects[s]->ntype; i++) print_struct(&ff_protocol_subjects[s]->types[i]);
    printf("\n### Frames and pictures\n\n| head | number | type | at | unit | meaning |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < ff_protocol_head_count; i++) {
        const ff_protocol_head *head = &ff_protocol_heads[i];
        printf("| **%s** | | | %u bytes | | %s |\n", head->name, head->bytes, head->help);
        for (int k = 0; k < head->count; k++) {
            const ff_protocol_number *n = &head->numbers[k];
            printf("| | `%s` | %s | %u | %s | %s |\n", n->name, n->type, n->at, n->unit, n->help);
        }
    }
    printf("\n| section | tag | width | columns | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < ff_protocol_section_count; i++) {
        const ff_protocol_section *s = &ff_protocol_sections[i];
        printf("| **%s** | %d | ", s->name, s->tag);
        if (s->width > 0) printf("%d", s->width);
        printf(" | ");
        for (int k = 0; k < s->width; k++) printf("%s`%s`", k > 0 ? " " : "", s->columns[k]);
        printf(" | %s |\n", s->help);
    }
}

static void print_subjects(void)
{
    for (int s = 0; s < ff_protocol_subject_count; s++) puts(ff_protocol_subjects[s]->name);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc == 3 && strcmp(what, "ts") == 0 && print_typescript(argv[2])) return 0;
    if (argc == 2 && strcmp(what, "md") == 0) return print_markdown(), 0;
    if (argc == 2 && strcmp(what, "subjects") == 0) return print_subjects(), 0;
    return fprintf(stderr, "protocol ts SUBJECT | ts index | md | subjects\n"), 1;
}
