// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The schema of a `control` map: a group of keys, made from the tables of the kind that the map names.
#include "steer/steering.h"

enum { MOST_ROWS = 100, MOST_COMMANDS = 10000 };

/// Rows of a group that is being made.
typedef struct rows {
    ff_arena *arena;
    ff_row *keys; // ends with an empty row
    int n;
} rows;

static rows begin_rows(ff_arena *arena)
{
    return (rows){arena, FF_ARENA_NEW(arena, ff_row, MOST_ROWS + 1), 0};
}

static void add_row(rows *r, ff_row key)
{
    if (r->keys && r->n < MOST_ROWS) r->keys[r->n++] = key;
}

static void add_table(rows *r, const ff_row *table)
{
    for (; table && table->name; table++) add_row(r, *table);
}

static const ff_key_group *end_rows(const rows *r, const char *name, const char *help, const ff_key_group *also)
{
    ff_key_group *group = FF_ARENA_NEW(r->arena, ff_key_group, 1);
    if (group && r->keys) *group = (ff_key_group){.name = name, .help = help, .keys = r->keys, .also = also};
    return r->keys ? group : NULL;
}

const ff_key_group *ff_command_group(const ff_controller_kind *kind, ff_arena *arena)
{
    rows r = begin_rows(arena);
    add_row(&r, (ff_row)FF_NUMBER("at", "s", FF_NOT_NEGATIVE, "0", "time of the command"));
    for (const ff_row *row = kind->commands; row && row->name; row++) {
        ff_row key = *row;
        key.initial = NULL; // a key that a command does not have keeps its value: there is no default
        add_row(&r, key);
    }
    if (!kind->commands) add_row(&r, (ff_row)FF_ANYTHING("*", "a command of the controller"));
    return end_rows(&r, ff_arena_printf(arena, "command of %s", kind->name),
                    "A command to the controller; keys that are not given keep their values.", NULL);
}

static void add_parameters(rows *r, const ff_controller_kind *kind)
{
    add_table(r, kind->parameters);
    if (kind->begins_commanded) add_table(r, kind->commands);
}

/// The row of the kind itself: a text (file or name) if its parameters stand beside it, otherwise a map of them.
static void add_kind(rows *r, const ff_controller_kind *kind)
{
    const bool is_command = kind->begins_commanded && kind->beside; // `gait` is a key of a command, too
    rows inside = begin_rows(r->arena);
    if (is_command) return;
    if (!kind->beside) add_parameters(&inside, kind);
    const ff_key_group *group =
        kind->beside ? NULL : end_rows(&inside, kind->name, "Settings of the controller.", NULL);
    if (kind->beside)
        add_row(r, (ff_row)FF_TEXT(kind->name, NULL, kind->help));
    else if (group)
        add_row(r, (ff_row)FF_MAP(kind->name, group, kind->help));
}

static void add_period(rows *r, const ff_controller_kind *kind)
{
    const double longest = kind->longest > 0.0 ? kind->longest : FF_STEERING_LONGEST_PERIOD;
    const double period = kind->period > 0.0 ? kind->period : FF_STEERING_PERIOD;
    add_row(r, (ff_row)FF_NUMBER("period", "s", FF_BETWEEN(FF_STEERING_SHORTEST_PERIOD, longest),
                                 ff_arena_printf(r->arena, "%g", period), "control period"));
}

static void add_commands(rows *r, const ff_controller_kind *kind)
{
    rows items = begin_rows(r->arena);
    const ff_key_group *command = ff_command_group(kind, r->arena);
    if (!ff_kind_takes_commands(kind) || !command) return;
    add_row(&items, (ff_row)FF_MAP("-", command, "a command"));
    const ff_key_group *list = end_rows(&items, "commands", "Commands and their times.", NULL);
    if (list)
        add_row(r, (ff_row)FF_EITHER("commands", FF_TAKES_LIST, "", FF_ANY, 0, MOST_COMMANDS, NULL,
                                     "commands and their times", NULL, list));
}

const ff_key_group *ff_control_group(const ff_controller_kind *kind, const ff_key_group *beside, ff_arena *arena)
{
    rows r = begin_rows(arena);
    add_kind(&r, kind);
    if (kind->beside) add_parameters(&r, kind);
    add_period(&r, kind);
    add_commands(&r, kind);
    return end_rows(&r, kind->name, ff_arena_printf(arena, "A controller: %s.", kind->help), beside);
}

/// The group of a `control` that names no kind: all kinds.
static const ff_key_group *any_group(const ff_key_group *beside, ff_arena *arena)
{
    rows r = begin_rows(arena);
    for (int i = 0; ff_controller_kinds[i]; i++)
        add_row(&r, (ff_row)FF_ANYTHING(ff_controller_kinds[i]->name, ff_controller_kinds[i]->help));
    return end_rows(&r, "control", "A controller, or a law for the joints.", beside);
}

/// Adds other kinds that the file names: the reader, not the check, reports that a robot has one controller.
static const ff_key_group *add_other_kinds(const ff_yaml *node, const ff_key_group *beside, ff_arena *arena)
{
    rows r = {0};
    for (const ff_yaml *other = node->next; other; other = other->next) {
        const ff_controller_kind *kind = ff_controller_kind_find(other->key);
        if (kind && !r.keys) r = begin_rows(arena);
        if (kind) add_row(&r, (ff_row)FF_ANYTHING(kind->name, kind->help));
    }
    return r.n > 0 ? end_rows(&r, beside->name, beside->help, beside) : beside;
}

const ff_key_group *ff_control_choose(const ff_yaml *control, const ff_key_group *beside)
{
    const ff_yaml *node = ff_steering_find_kind(control);
    if (!node) return any_group(beside, control->arena);
    beside = add_other_kinds(node, beside, control->arena);
    return ff_control_group(ff_controller_kind_find(node->key), beside, control->arena);
}
