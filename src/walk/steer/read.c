// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading `control` of one robot: which kind, its settings, its period and the schedule of commands.
#include "steer/steering.h"

#include <math.h>
#include <string.h>

#define ENTRY(name) &ff_controller_##name,
const ff_controller_kind *const ff_controller_kinds[] = {FF_CONTROLLER_LIST(ENTRY) NULL};

// A kind cannot have the name of another kind, or of another key under `control`: it would be defined twice here.
#define NAME(name) name##_is_taken_as_a_key_of_control,
enum { FF_CONTROLLER_LIST(NAME) NAME(hold) NAME(cycle) NAME(period) NAME(commands) };

const ff_controller_kind *ff_controller_kind_find(const char *name)
{
    for (int i = 0; name && ff_controller_kinds[i]; i++)
        if (strcmp(ff_controller_kinds[i]->name, name) == 0) return ff_controller_kinds[i];
    return NULL;
}

ff_yaml *ff_steering_find_kind(const ff_yaml *control)
{
    if (!control || control->type != FF_YAML_MAP) return NULL;
    for (ff_yaml *node = control->child; node; node = node->next)
        if (ff_controller_kind_find(node->key)) return node;
    return NULL;
}

// ------------------------------------------------------------------------------------------ commands

/// The place of a node, with a copy of its file name in the arena: that of the node ends with the YAML tree.
static ff_place copy_place(const ff_steer_reader *r, const ff_yaml *node)
{
    ff_place place = node->place;
    place.file = place.file ? ff_arena_strdup(r->arena, place.file) : r->file;
    return place;
}

/// Inserts by time; equal times keep the order of the file.
static void schedule(ff_steering_spec *spec, ff_timed_command command)
{
    int k = spec->ncommand++;
    for (; k > 0 && spec->commands[k - 1].at > command.at; k--) spec->commands[k] = spec->commands[k - 1];
    spec->commands[k] = command;
}

static void read_command(const ff_steer_reader *r, ff_yaml *entry, ff_steering_spec *spec)
{
    ff_yaml *at = ff_yaml_get(entry, "at");
    ff_timed_command command = {.at = ff_yaml_number(entry, "at", 0.0, r->report),
                                .place = copy_place(r, at ? at : entry)};
    // to a script, a command without keys may mean something
    if (spec->kind->command_keys && (at ? !entry->child->next : !entry->child))
        ff_report_add(r->report, FF_WARNING, entry->place, "this command asks for nothing");
    command.command = ff_command_read(r, spec->kind, entry, spec->settings);
    command.text = ff_command_text(r->arena, entry);
    if (command.command) schedule(spec, command);
}

static void read_commands(const ff_steer_reader *r, ff_yaml *list, ff_steering_spec *spec)
{
    if (!list || list->nchild == 0) return;
    spec->commands = FF_ARENA_NEW(r->arena, ff_timed_command, list->nchild);
    for (ff_yaml *entry = spec->commands ? list->child : NULL; entry; entry = entry->next) read_command(r, entry, spec);
}

// ------------------------------------------------------------------------------------------ the rest

static void read_period(const ff_steer_reader *r, ff_yaml *control, ff_steering_spec *spec)
{
    ff_yaml *node = ff_yaml_get(control, "period");
    spec->period = spec->kind->period > 0.0 ? spec->kind->period : FF_STEERING_PERIOD;
    if (node) ff_yaml_as_number(node, &spec->period, r->report);
}

static void *read_settings(const ff_steer_reader *r, ff_yaml *node, const ff_controller_kind *kind)
{
    void *settings = ff_arena_alloc(r->arena, 1, kind->settings_size > 0 ? kind->settings_size : 1);
    ff_yaml *map = kind->beside ? node->parent : node;
    if (!settings || !ff_yaml_expect(map, FF_YAML_MAP, "{key: value, ..}, or {} for the defaults", r->report))
        return NULL;
    ff_settings_default(kind->parameters, settings);
    if (kind->set_defaults) kind->set_defaults(settings);
    ff_control_keys_read(r, map, kind->parameters, settings, NULL);
    return !kind->read || kind->read(r, node, settings) ? settings : NULL;
}

void ff_steering_read_as(const ff_steer_reader *r, const ff_controller_kind *kind, ff_yaml *control, int robot,
                         ff_steering_spec *out)
{
    ff_yaml *node = ff_yaml_get(control, kind->name);
    *out = (ff_steering_spec){.robot = robot, .kind = kind, .place = copy_place(r, node ? node : control), .every = 1};
    if (!node) return; // the check has reported it
    read_period(r, control, out);
    const int errors = r->report->errors;
    out->settings = read_settings(r, node, out->kind);
    ff_yaml *commands = ff_kind_takes_commands(kind) ? ff_yaml_get(control, "commands") : NULL;
    if (out->settings)
        read_commands(r, commands, out);
    else if (commands)
        ff_yaml_use(commands);
    if (!out->settings && r->report->errors == errors)
        ff_report_add(r->report, FF_ERROR, node->place, "%s", ff_status_text(FF_NO_MEMORY));
}

void ff_steering_read(const ff_steer_reader *r, ff_yaml *control, int robot, ff_steering_spec *out)
{
    ff_yaml *node = ff_steering_find_kind(control);
    for (ff_yaml *other = node->next; other; other = other->next)
        if (ff_controller_kind_find(other->key))
            ff_report_add(r->report, FF_ERROR, other->key_place, "'%s' and '%s': a robot has one controller", node->key,
                          other->key);
    ff_steering_read_as(r, ff_controller_kind_find(node->key), control, robot, out);
}

bool ff_steering_fit(ff_steering_spec *spec, double bus_period)
{
    const double times = spec->period / bus_period;
    spec->every = (int64_t)floor(times + 0.5);
    return spec->every >= 1 && fabs(times - (double)spec->every) <= 1e-9 * times;
}

void ff_steering_report_unknown(const ff_steer_reader *r, const ff_yaml *control)
{
    enum { MOST = 64 };
    const char *names[MOST] = {"hold"};
    const char *known = names[0];
    int n = 1;
    for (; ff_controller_kinds[n - 1] && n < MOST; n++) {
        names[n] = ff_controller_kinds[n - 1]->name;
        known = ff_arena_printf(r->arena, "%s, %s", known ? known : "", names[n]);
    }
    const ff_yaml *first = control->type == FF_YAML_MAP ? control->child : NULL;
    if (!first) {
        ff_report_add(r->report, FF_ERROR, control->place, "'control' is {KIND: ..}, and the kinds are %s",
                      known ? known : "");
        return;
    }
    const char *near = first->key ? ff_yaml_hint(first->key, names, n, r->report) : NULL;
    ff_report_add(r->report, FF_ERROR, first->key_place, "no controller '%.60s'; there are %s%s%s%s",
                  first->key ? first->key : "", known ? known : "", near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
}
