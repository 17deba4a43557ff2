// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands to a controller that runs, read as entries of `commands:`, and a new text for its script. The values of a
// live command are in an arena that is cleared after it, so that sixty commands a second do not use up memory.
#include "steer/steering.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ commands

/// Of a list the text is "1, 2".
const char *ff_command_text(ff_arena *arena, const ff_yaml *node)
{
    const char *all = "";
    for (const ff_yaml *child = node->child; child && all; child = child->next) {
        if (child->key && strcmp(child->key, "at") == 0) continue;
        const bool nested = child->type != FF_YAML_SCALAR;
        const char *value = nested ? ff_command_text(arena, child) : child->text;
        all = value ? ff_arena_printf(arena, "%s%s%s%s%s%s%s", all, all[0] ? ", " : "", child->key ? child->key : "",
                                      child->key ? " " : "", nested ? "(" : "", value, nested ? ")" : "")
                    : NULL;
    }
    return all;
}

/// Warns of a command beyond the range of the controller, which limits it.
static void warn_of_range(const ff_steering *s, const ff_yaml *entry, ff_report *report)
{
    enum { MOST_KEYS = 32 };
    ff_command_key keys[MOST_KEYS];
    const int count = s->kind->command_keys ? s->kind->command_keys(s->controller, keys, MOST_KEYS) : 0;
    for (const ff_yaml *given = entry->child; given; given = given->next)
        for (int k = 0; k < count; k++) {
            double value;
            if (keys[k].choices || !given->key || strcmp(given->key, keys[k].key) != 0 || !given->text) continue;
            if (!ff_text_number(given->text, strlen(given->text), &value)) continue;
            const double slack = 1e-9 * (1.0 + fabs(value));
            if (value < keys[k].low - slack || value > keys[k].high + slack)
                ff_report_add(report, FF_WARNING, given->place,
                              "%s %g %s lies beyond %g to %g: as much of it as can be done is done", keys[k].key, value,
                              keys[k].unit, keys[k].low, keys[k].high);
        }
}

/// Reads a command as an entry of `commands` and gives it to the controller.
static void give_command(ff_steering *s, double t, const ff_steer_reader *r, ff_yaml *entry)
{
    const ff_steering_sink *sink = &s->site.sink;
    ff_error err = {0};
    if (!ff_yaml_expect(entry, FF_YAML_MAP, "a command as {key: value}", r->report)) return;
    const ff_key_group *group = ff_command_group(s->kind, entry->arena);
    if (group) ff_schema_check(entry, group, r->report);
    if (ff_yaml_get(entry, "at"))
        ff_report_add(r->report, FF_ERROR, entry->place, "a command acts at once: it has no 'at'");
    const ff_command *command = ff_command_read(r, s->kind, entry, s->spec->settings);
    if (r->report->errors == 0) ff_yaml_report_unused(entry, FF_ERROR, r->report);
    if (!command || r->report->errors > 0) return;
    if (s->kind->command(s->controller, t, command, &err) != FF_OK) {
        ff_report_add(r->report, FF_ERROR, entry->place, "%s", err.text);
        return;
    }
    warn_of_range(s, entry, r->report);
    const char *text = sink->command ? ff_command_text(r->arena, entry) : NULL;
    if (text) sink->command(sink->context, s->spec->robot, t, text, true);
}

ff_status ff_steering_command(ff_steering *s, double t, const char *text, size_t length, ff_report *report)
{
    const ff_place place = {"command", 0, 0};
    if (!s || !s->controller || !ff_kind_takes_commands(s->kind)) {
        const bool steered = s && s->controller;
        ff_report_add(report, FF_ERROR, place, steered ? "'%s' takes no commands" : "the robot has no controller%s",
                      steered ? s->kind->name : "");
        return FF_BAD_ARGUMENT;
    }
    ff_report own = {0};
    ff_arena tree = {.limit = (size_t)4 << 20}, values = {.limit = (size_t)4 << 20};
    const ff_steer_reader r = {
        .arena = &values, .report = &own, .file = place.file, .robot = s->site.robot, .live = true};
    ff_yaml *entry = ff_yaml_parse(&tree, text, length, r.file, &own);
    if (entry) give_command(s, t, &r, entry);
    if (own.errors == 0 && (!entry || values.failed))
        ff_report_add(&own, FF_ERROR, place, "%s", entry ? ff_status_text(FF_NO_MEMORY) : "the command is empty");
    ff_arena_clear(&values);
    ff_arena_clear(&tree);
    const bool failed = own.errors > 0;
    ff_yaml_hand_over(&own, report);
    return failed ? FF_BAD_ARGUMENT : FF_OK;
}

// ------------------------------------------------------------------------------------------ scripts

ff_status ff_steering_set_script(ff_steering *s, const char *text, size_t length, ff_report *report)
{
    ff_place place = {"script", 0, 0};
    ff_error err = {0};
    const ff_script_functions *script = s && s->controller ? s->kind->script : NULL;
    if (!script) {
        ff_report_add(report, FF_ERROR, place,
                      "no script steers the robot, but %s: a scene with 'control: {lua: FILE}' has one",
                      s ? s->kind->name : "nothing");
        return FF_BAD_ARGUMENT;
    }
    const ff_controller_site site = ff_steering_controller_site(s);
    const char *old;
    size_t old_length;
    script->get_text(s->controller, &place.file, &old, &old_length);
    const ff_status status = script->set_text(&s->controller, text, length, &site, &place.line, &err);
    if (status == FF_OK) return FF_OK;
    // the message begins with the place, which the report adds again
    const size_t lead = strlen(place.file);
    const char *colon = strncmp(err.text, place.file, lead) == 0 ? strstr(err.text + lead, ": ") : NULL;
    ff_report_add(report, FF_ERROR, place, "%s", colon ? colon + 2 : err.text);
    return status;
}
