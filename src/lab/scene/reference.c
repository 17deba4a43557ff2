// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the schema: a group of keys for people, whole pages of the manual, and paths for completion in the shell.
#include "mjcf/table.h"
#include "native/keys.h"
#include "scene/keys.h"
#include "steer/steering.h"

#include <footfall/keys.h>
#include <footfall/text.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 300, PATH_SIZE = 200 };

/// A group and its first path.
typedef struct section {
    const ff_key_group *group;
    char path[PATH_SIZE];
} section;

typedef struct reference {
    FILE *out;
    ff_arena arena; // of the groups of controllers
    section sections[MOST_GROUPS];
    int n;
} reference;

// ------------------------------------------------------------------------------------------ groups

static const ff_key_group FILES =
    FF_GROUP("files", "Files that Footfall reads.", FF_MAP("robot", &ff_keys_robot, "a native robot file"),
             FF_MAP("scene", &ff_keys_scene, "a scene file"));

static bool is_control(const ff_key_group *group)
{
    return group->choose == ff_control_choose;
}

/// Row of a name below a group. Kinds of controllers are groups below `control`.
static const ff_row *step_down(reference *r, const ff_key_group *group, const char *name)
{
    const ff_controller_kind *kind = is_control(group) ? ff_controller_kind_find(name) : NULL;
    if (!kind) return ff_row_find(group, name);
    ff_row *row = FF_ARENA_NEW(&r->arena, ff_row, 1);
    const ff_key_group *own = ff_control_group(kind, NULL, &r->arena);
    if (row && own) *row = (ff_row)FF_MAP(kind->name, own, kind->help);
    return own ? row : NULL;
}

static ff_status find(reference *r, const char *path, const ff_row **row, const ff_key_group **group, ff_error *err)
{
    *group = &FILES;
    *row = NULL;
    while (*path) {
        char name[80];
        const size_t length = strcspn(path, ".");
        const ff_row *key;
        const char *names[200];
        int n = 0;
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        if (strspn(name, "0123456789") == length && length > 0)
            snprintf(name, sizeof name, "-"); // as --set counts items
        *row = *group ? step_down(r, *group, name) : NULL;
        for (int i = 0; *group && n < 200 && (key = ff_row_at(*group, i)); i++) names[n++] = key->name;
        for (int i = 0; *group && is_control(*group) && n < 200 && ff_controller_kinds[i]; i++)
            names[n++] = ff_controller_kinds[i]->name;
        if (!*row) {
            const char *near = ff_text_nearest(name, names, n);
            const char *lead = *group == &FILES && ff_row_find(&ff_keys_scene, name)   ? "scene."
                               : *group == &FILES && ff_row_find(&ff_keys_robot, name) ? "robot."
                                                                                       : "";
            if (lead[0]) near = name;
            return ff_error_set(err, FF_NOT_FOUND, "there is no key '%.60s' here%s%s%s%s", name,
                                near ? "; did you mean '" : "", lead, near ? near : "", near ? "'?" : "");
        }
        *group = (*row)->group;
        path += length + (path[length] == '.');
    }
    return FF_OK;
}

/// "NAME" of any name, "-" of an item.
static const char *shown(const ff_row *row)
{
    return strcmp(row->name, "*") == 0 ? "NAME" : row->name;
}

// ------------------------------------------------------------------------------------------ one row

/// Formats the accepted forms of a row, without the keys of its map, which have their own section.
static void format_takes(const ff_row *row, char *out, size_t size)
{
    ff_row plain = *row;
    const bool map = row->takes & FF_TAKES_MAP;
    plain.takes &= ~(unsigned)FF_TAKES_MAP;
    ff_row_format_forms(&plain, out, size);
    const size_t used = strlen(out);
    if (map) snprintf(out + used, size - used, "%sa map", used > 0 ? " or " : "");
}

static void format_range(const ff_row *row, char *out, size_t size)
{
    out[0] = 0;
    if (row->takes & (FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_NAMED)) ff_range_format(&row->range, out, size);
}

static void format_unit(const ff_row *row, char *out, size_t size)
{
    const char *second = strchr(row->unit, '|');
    if (strcmp(row->unit, FF_ANY_UNIT) == 0)
        snprintf(out, size, "depends");
    else
        snprintf(out, size, "%.*s%s%s", (int)strcspn(row->unit, "|"), row->unit, second ? " or " : "",
                 second ? second + 1 : "");
}

// ------------------------------------------------------------------------------------------ for people

static void print_row(FILE *out, const ff_row *row)
{
    char takes[1000], range[80], unit[80];
    format_takes(row, takes, sizeof takes);
    format_range(row, range, sizeof range);
    format_unit(row, unit, sizeof unit);
    fprintf(out, "  %-18s %s%s%s%s%s%s%s%s\n                     %s\n", shown(row), takes, unit[0] ? " [" : "", unit,
            unit[0] ? "]" : "", range[0] ? ", " : "", range, row->initial ? "; default: " : "",
            row->initial ? row->initial : "", row->help);
}

static void print_text(const reference *r, const char *path, const ff_row *row, const ff_key_group *group)
{
    if (row && !group) {
        print_row(r->out, row);
        return;
    }
    fprintf(r->out, "%s: %s\n\n", path[0] ? path : "files", group->help);
    const ff_row *key;
    for (int i = 0; (key = ff_row_at(group, i)); i++) print_row(r->out, key);
    for (int i = 0; is_control(group) && ff_controller_kinds[i]; i++)
        fprintf(r->out, "  %-18s see `footfall keys %s.%s`\n                     %s\n", ff_controller_kinds[i]->name,
                path, ff_controller_kinds[i]->name, ff_controller_kinds[i]->help);
}

// ------------------------------------------------------------------------------------------ a page

static const section *section_of(const reference *r, const ff_key_group *group)
{
    for (int i = 0; i < r->n; i++)
        if (r->sections[i].group == group) return &r->sections[i];
    return NULL;
}

/// Prints a link to a section; anchors of headings have small letters and no dots.
static void print_link(const reference *r, const section *s)
{
    fprintf(r->out, "[`%s`](#", s->path);
    for (const char *at = s->path; *at; at++)
        if (*at != '.') fputc(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at, r->out);
    fputc(')', r->out);
}

static const section *add_section(reference *r, const ff_key_group *group, const char *path)
{
    const section *known = section_of(r, group);
    if (known || r->n >= MOST_GROUPS) return known;
    section *s = &r->sections[r->n++];
    s->group = group;
    snprintf(s->path, sizeof s->path, "%s", path);
    return s;
}

/// The only row of a group that is a map of names or a list of items with keys of their own; NULL: it is another.
static const ff_row *item_of(const ff_key_group *group)
{
    const ff_row *row = ff_row_at(group, 0);
    const bool item = row && (strcmp(row->name, "*") == 0 || strcmp(row->name, "-") == 0);
    return item && row->group && !ff_row_at(group, 1) ? row : NULL;
}

/// Section of the group of a row; of its items, if it is only a list or map of these.
static const section *section_below(reference *r, const char *parent, const ff_row *row)
{
    char path[PATH_SIZE];
    const ff_row *item = item_of(row->group);
    snprintf(path, sizeof path, "%.120s.%.40s%s%s", parent, shown(row), item ? "." : "", item ? shown(item) : "");
    return add_section(r, item ? item->group : row->group, path);
}

/// Prints a text in a cell of a table; '|' is escaped, since it would end the cell.
static void print_cell(const reference *r, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') fputc('\\', r->out);
        fputc(*text, r->out);
    }
}

/// Ends a list of words behind the last comma that fits into a cell, and returns the rest of it; NULL: all of it fits.
static char *cut_cell(char *words)
{
    enum { CELL = 200 }; // characters, the bound of scripts/check-words
    if (strlen(words) <= CELL) return NULL;
    char *end = words + CELL;
    while (end > words && *end != ' ') end--;
    *end = '\0';
    return end + 1;
}

static void print_line(reference *r, const section *s, const ff_row *row)
{
    char takes[1000], range[80], unit[80];
    format_takes(row, takes, sizeof takes);
    char *rest = cut_cell(takes);
    format_range(row, range, sizeof range);
    format_unit(row, unit, sizeof unit);
    fprintf(r->out, "| `%s` | ", shown(row));
    print_cell(r, takes);
    fprintf(r->out, "%s%s | %s | ", range[0] ? ", " : "", range, unit);
    if (row->initial) fprintf(r->out, strcmp(row->initial, FF_NEEDED) == 0 ? "%s" : "`%s`", row->initial);
    fprintf(r->out, " | ");
    print_cell(r, row->help);
    const section *below = row->group ? section_below(r, s->path, row) : NULL;
    if (below) {
        fprintf(r->out, ": ");
        print_link(r, below);
    }
    fprintf(r->out, " |\n");
    for (char *part; (part = rest);) {
        rest = cut_cell(part);
        fprintf(r->out, "| | %s | | | |\n", part);
    }
}

static void add_kinds(reference *r, const section *control)
{
    for (int i = 0; ff_controller_kinds[i]; i++) {
        char path[PATH_SIZE];
        const ff_controller_kind *kind = ff_controller_kinds[i];
        const ff_key_group *group = ff_control_group(kind, NULL, &r->arena);
        snprintf(path, sizeof path, "%.150s.%s", control->path, kind->name);
        const section *below = group ? add_section(r, group, path) : NULL;
        if (!below) continue;
        fprintf(r->out, "| `%s` | a controller |  |  | ", kind->name);
        print_cell(r, kind->help);
        fprintf(r->out, ": ");
        print_link(r, below);
        fprintf(r->out, " |\n");
    }
}

/// Prints a section and those that its rows add.
static void print_section(reference *r, int index)
{
    const section s = r->sections[index];
    const int first = r->n;
    const ff_row *row;
    fprintf(r->out, "\n## %s\n\n", s.path);
    print_cell(r, s.group->help);
    fprintf(r->out, "\n\n| key | takes | unit | default | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; (row = ff_row_at(s.group, i)); i++) print_line(r, &s, row);
    if (is_control(s.group)) add_kinds(r, &s);
    const int last = r->n;
    for (int i = first; i < last; i++) print_section(r, i);
}

static void print_markdown(reference *r, const char *path, const ff_key_group *group)
{
    const bool file = !strchr(path, '.');
    fprintf(r->out, "# Keys of %s%s%s\n\n", file ? "a " : "`", path, file ? " file" : "`");
    fprintf(
        r->out,
        "This page has every key with its form, unit, default and meaning. `footfall keys --markdown %s` prints it,\n"
        "`footfall keys PATH` a part of it. `NAME` is a name that you choose, `-` an item of a list. A key with the\n"
        "default *needed* must be given. Numbers may have a unit (`45 deg`, `3 mm`) and be expressions; a number\n"
        "without a unit is in the unit of the table. Of two units with 'or' the first is for hinges, the second for\n"
        "slides.\n",
        path);
    add_section(r, group, path);
    print_section(r, 0);
}

// ------------------------------------------------------------------------------------------ paths

static void print_paths(reference *r, const char *prefix, const ff_key_group *group, int depth);

static void print_path(reference *r, const char *prefix, const ff_row *row, int depth)
{
    char path[PATH_SIZE];
    if (strcmp(row->name, "*") == 0 || strcmp(row->name, "-") == 0) return; // names are those of the file
    snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "." : "", row->name);
    if (row->takes & ~(unsigned)(FF_TAKES_MAP | FF_TAKES_LIST | FF_TAKES_ANYTHING)) fprintf(r->out, "%s\n", path);
    for (int k = 0; row->takes & FF_TAKES_WORD && row->words[k]; k++) fprintf(r->out, "%s=%s\n", path, row->words[k]);
    if (row->takes & FF_TAKES_SWITCH) fprintf(r->out, "%s=true\n%s=false\n", path, path);
    if (row->takes & FF_TAKES_MAP && row->group) print_paths(r, path, row->group, depth + 1);
}

static void print_paths(reference *r, const char *prefix, const ff_key_group *group, int depth)
{
    const ff_row *row;
    for (int i = 0; depth < 8 && (row = ff_row_at(group, i)); i++) print_path(r, prefix, row, depth);
    for (int k = 0; is_control(group) && ff_controller_kinds[k]; k++) {
        const ff_key_group *kind = ff_control_group(ff_controller_kinds[k], NULL, &r->arena);
        for (int i = 0; (row = ff_row_at(kind, i)); i++) print_path(r, prefix, row, depth);
    }
}

ff_status ff_keys_print(FILE *out, const char *path, ff_keys_format format, ff_error *err)
{
    if (strcmp(path, "mjcf") == 0) {
        ff_mjcf_table_print(out);
        return FF_OK;
    }
    reference *r = calloc(1, sizeof *r);
    const ff_row *row;
    const ff_key_group *group;
    if (!r) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    r->out = out;
    const ff_status status = find(r, path, &row, &group, err);
    if (status == FF_OK && (format == FF_KEYS_TEXT || !group))
        print_text(r, path, row, group);
    else if (status == FF_OK && format == FF_KEYS_MARKDOWN)
        print_markdown(r, path, group);
    else if (status == FF_OK)
        print_paths(r, "", group, 0);
    ff_arena_clear(&r->arena);
    free(r);
    return status;
}
