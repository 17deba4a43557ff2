// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Speaking with the controllers of a scene while it runs: commands by the readers of `commands:`, parameters of scripts, another text in place of a
// script, news. What a command needs lives in an arena of its own, so that a slider that sends sixty a second costs no memory.
#include "scene/events.h"

#include "scene/lua_script.h"

#include <footfall/text.h>

#include <string.h>

/// What steers a robot; NULL: nothing.
static ff_scene_pilot *find_pilot(const ff_scene *scene, int robot)
{
    for (int i = 0; i < scene->npilot; i++)
        if (scene->pilots[i].robot == robot) return &scene->pilots[i];
    return NULL;
}

/// The pilot of a robot whose controller is one of our kinds and at work.
static ff_scene_pilot *find_working(const ff_scene *scene, int robot)
{
    ff_scene_pilot *pilot = find_pilot(scene, robot);
    return pilot && pilot->begun && !pilot->brought && pilot->at_work.context ? pilot : NULL;
}

#ifdef FF_WITH_LUA
static ff_scene_pilot *find_script(const ff_scene *scene, int robot)
{
    ff_scene_pilot *pilot = find_working(scene, robot);
    return pilot && pilot->kind == &ff_control_lua ? pilot : NULL;
}
#endif

ff_scene_steering ff_scene_get_steering(const ff_scene *scene, int robot)
{
    const ff_scene_pilot *pilot = find_pilot(scene, robot);
    ff_scene_steering out = {0};
    if (!pilot) return out;
    out.kind = pilot->kind && !pilot->brought ? pilot->kind->key : "callback";
#ifdef FF_WITH_LUA
    if (find_script(scene, robot)) {
        const ff_lua_settings *settings = ff_lua_script_settings(pilot->at_work.context);
        out.path = settings->path;
        out.text = settings->text;
        out.length = settings->length;
    }
#endif
    return out;
}

// ------------------------------------------------------------------------------------------ commands

int ff_scene_wishes(const ff_scene *scene, int robot, ff_scene_wish *out, int most)
{
    const ff_scene_pilot *pilot = find_working(scene, robot);
    return pilot && pilot->kind->wishes ? pilot->kind->wishes(pilot->at_work.context, out, most) : 0;
}

ff_control_order ff_pilot_order(const ff_scene *scene, int robot)
{
    const ff_scene_pilot *pilot = find_working(scene, robot);
    return pilot && pilot->kind->order ? pilot->kind->order(pilot->at_work.context) : (ff_control_order){0};
}

/// Reads a wish as an entry of `commands` and gives it to the controller.
static void command(ff_scene *scene, ff_scene_pilot *pilot, ff_scene_reader *r)
{
    ff_error err = {0};
    if (!ff_yaml_expect(r->root, FF_YAML_MAP, "what is wished for as {key: value}", r->report)) return;
    if (ff_yaml_get(r->root, "at"))
        ff_report_add(r->report, FF_ERROR, r->root->place, "a command acts at once: it has no 'at'");
    const void *wish = pilot->kind->read_command(r, r->root, &scene->robots[pilot->robot], pilot->settings);
    if (r->report->errors == 0) ff_yaml_report_unused(r->root, FF_ERROR, r->report);
    if (!wish || r->report->errors > 0) return;
    if (pilot->kind->command(pilot->at_work.context, ff_sim_time(scene->sim), wish, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, r->root->place, "%s", err.text);
    else
        ff_event_note_wish(scene->events, pilot->robot, ff_sim_time(scene->sim), r->root);
}

ff_status ff_scene_command(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report)
{
    const ff_place place = {"command", 0, 0};
    ff_scene_pilot *pilot = find_working(scene, robot);
    ff_report own = {0};
    if (!pilot || !pilot->kind->read_command) {
        ff_report_add(report, FF_ERROR, place, pilot ? "'%s' takes no commands" : "the robot has no controller%s",
                      pilot ? pilot->kind->key : "");
        return FF_BAD_ARGUMENT;
    }
    ff_arena tree = {.limit = (size_t)4 << 20};
    ff_scene shell =
        *scene; // readers put what they make into the arena of their scene: here one that ends with the command
    shell.arena = (ff_arena){.limit = (size_t)4 << 20};
    ff_scene_reader r = {.scene = &shell, .file = "command", .report = &own, .live = true};
    r.root = ff_yaml_parse(&tree, text, length, r.file, &own);
    if (r.root) command(scene, pilot, &r);
    if (own.errors == 0 && (!r.root || shell.arena.failed))
        ff_report_add(&own, FF_ERROR, place, "%s", r.root ? ff_status_text(FF_NO_MEMORY) : "nothing is wished for");
    ff_arena_clear(&shell.arena);
    ff_arena_clear(&tree);
    const bool failed = own.errors > 0;
    ff_yaml_hand_over(&own, report);
    return failed ? FF_BAD_ARGUMENT : FF_OK;
}

// ------------------------------------------------------------------------------------------ scripts

int ff_scene_parameters(const ff_scene *scene, int robot, ff_scene_parameter *out, int most)
{
#ifdef FF_WITH_LUA
    const ff_scene_pilot *pilot = find_script(scene, robot);
    if (pilot) return ff_lua_script_parameters(pilot->at_work.context, out, most);
#else
    (void)scene, (void)robot, (void)out, (void)most;
#endif
    return 0;
}

ff_status ff_scene_set_parameter(ff_scene *scene, int robot, const char *name, double value, ff_error *err)
{
#ifdef FF_WITH_LUA
    const ff_scene_pilot *pilot = find_script(scene, robot);
    if (pilot) return ff_lua_script_set_parameter(pilot->at_work.context, name, value, err);
#else
    (void)scene, (void)robot, (void)value;
#endif
    return ff_error_set(err, FF_NOT_FOUND, "no script steers the robot: it has no parameter '%.60s'", name);
}

ff_status ff_scene_set_script(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report)
{
    ff_place place = {"script", 0, 0};
    ff_status status = FF_BAD_ARGUMENT;
#ifdef FF_WITH_LUA
    ff_error err = {0};
    ff_scene_pilot *pilot = find_script(scene, robot);
    if (pilot) {
        const ff_control_site site = ff_pilot_site(scene, pilot);
        const char *path = ff_lua_script_settings(pilot->at_work.context)->path;
        ff_scene_controller next = {0};
        status = ff_lua_script_reload(pilot->at_work.context, text, length, &site, &next, &place.line, &err);
        if (status == FF_OK) {
            pilot->at_work.context = next.context;
            pilot->at_work.cycle = next.cycle;
            return FF_OK;
        }
        // the place is in the message already: once is enough
        const size_t lead = strlen(path);
        const char *colon = strncmp(err.text, path, lead) == 0 ? strstr(err.text + lead, ": ") : NULL;
        place.file = path;
        ff_report_add(report, FF_ERROR, place, "%s", colon ? colon + 2 : err.text);
        return status;
    }
#else
    (void)text, (void)length;
#endif
    const ff_scene_steering steering = ff_scene_get_steering(scene, robot);
    ff_report_add(report, FF_ERROR, place,
                  "no script steers the robot, but %s: a scene with 'control: {lua: FILE}' has one",
                  steering.kind ? steering.kind : "nothing");
    return status;
}

// ------------------------------------------------------------------------------------------ news

/// Has this been told of the robot before? It is now.
static bool is_told(ff_scene_pilot *pilot, const ff_message *m)
{
    const uint64_t hash = ff_hash(m->text, strlen(m->text), FF_HASH_START);
    for (int i = 0; i < pilot->ntold; i++)
        if (pilot->told[i] == hash) return true;
    if (pilot->ntold == FF_PILOT_TOLD) return true; // enough
    pilot->told[pilot->ntold++] = hash;
    return false;
}

void ff_scene_tell_news(ff_scene *scene, ff_report *report)
{
    ff_scene_tell_falls(scene, report);
    for (int i = 0; i < scene->npilot; i++) {
        ff_scene_pilot *pilot = find_working(scene, scene->pilots[i].robot);
        if (!pilot) continue;
#ifdef FF_WITH_LUA
        if (pilot->kind == &ff_control_lua) {
            ff_lua_script_tell_news(pilot->at_work.context, report);
            continue;
        }
#endif
        ff_report found = {0};
        if (pilot->kind->tell) pilot->kind->tell(pilot->at_work.context, pilot->place, &found);
        for (int k = 0; k < found.count; k++) {
            const ff_message *m = &found.messages[k];
            if (!is_told(pilot, m))
                ff_report_add(report, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
        }
        ff_report_clear(&found);
    }
}
