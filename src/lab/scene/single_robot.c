// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A scene of a robot file alone, which is nothing but the text of a scene that a user could have written.
#include "scene/reader.h"

#include <footfall/load.h>
#include <footfall/text.h>

#include <string.h>

/// By the method of scenes without `solver`: it takes the stops, dry friction, damping and contacts of any file.
static const char *write_free(const char *name, const ff_load_options *load, const char *start, ff_arena *arena)
{
    return ff_arena_printf(arena,
                           "footfall: 1\n"
                           "robot: {file: %s, floating: %s, repair: %s}\n"
                           "time: 5\n"
                           "record: {rate: 200, channels: [q, v, com.pos, energy]}\n%s",
                           name, load->floating ? "true" : "false", load->repair ? "true" : "false", start);
}

/// Joints held: a tenth of a radian carries the weight at a tenth of a metre.
static const char *write_held(const char *name, const ff_load_options *load, double mass, bool stands,
                              const char *start, ff_arena *arena)
{
    const double stiffness = 10.0 * mass; // [N m/rad]
    const char *robot = load->floating || load->repair
                            ? ff_arena_printf(arena, "{file: %s, floating: %s, repair: %s}", name,
                                              load->floating ? "true" : "false", load->repair ? "true" : "false")
                            : name;
    return ff_arena_printf(arena,
                           "footfall: 1\ntitle: %s\nrobot: %s\ntime: 10\n"
                           "control: {hold: {stiffness: %g, damping: %g}}\n%s%s",
                           name, robot, stiffness, stiffness / 40.0, start,
                           stands ? "place: {settle: true}\nterrain: [{plane: {}}]\n"
                                  : "gravity: [0, 0, 0]\ncontacts: off\n");
}

static bool starts_with_one_of(const char *const *overrides, int noverride, const char *const *keys, int nkey)
{
    for (int i = 0; overrides && i < noverride; i++)
        for (int k = 0; overrides[i] && k < nkey; k++)
            if (strncmp(overrides[i], keys[k], strlen(keys[k])) == 0) return true;
    return false;
}

/// Does the caller say where the robot starts?
static bool gives_start(const char *const *overrides, int noverride)
{
    static const char *const keys[] = {"start=", "start.pose=", "start.q="};
    return starts_with_one_of(overrides, noverride, keys, 3);
}

/// Does the caller add ground, and leave the place of the robot to us?
static bool gives_ground(const char *const *overrides, int noverride)
{
    static const char *const ground[] = {"terrain=", "terrain."}, *const others[] = {"start", "place", "robots",
                                                                                     "objects"};
    return starts_with_one_of(overrides, noverride, ground, 2) && !starts_with_one_of(overrides, noverride, others, 4);
}

/// Does the caller want no search for legs, and no note on them? By `robot.legs=false`, or `robot={legs: false}`.
static bool drops_legs(const char *const *overrides, int noverride)
{
    ff_arena arena = {0};
    ff_report unread = {0}; // what is wrong is said where the scene is read
    ff_yaml *root = ff_yaml_parse(&arena, "robot: {}", strlen("robot: {}"), "", &unread);
    for (int i = 0; root && overrides && i < noverride; i++) {
        const char *value = overrides[i] ? strchr(overrides[i], '=') : NULL;
        if (!value || strncmp(overrides[i], "robot", strlen("robot")) != 0) continue;
        const char *path = ff_arena_printf(&arena, "%.*s", (int)(value - overrides[i]), overrides[i]);
        if (path) ff_yaml_set(&arena, root, path, value + 1, &unread);
    }
    ff_yaml *robot = root ? ff_yaml_get(root, "robot") : NULL;
    const bool none = robot && robot->type == FF_YAML_MAP && !ff_yaml_boolean(robot, "legs", true, &unread);
    ff_report_clear(&unread);
    ff_arena_clear(&arena);
    return none;
}

/// A word on a robot that floats, has weight and nothing below it.
static void report_fall(const char *path, const ff_scene_spec *scene, ff_report *report)
{
    const ff_model *m = scene->model;
    int floating = -1;
    bool meets = scene->nfield > 0;
    for (int i = 0; i < m->njoint; i++)
        if (m->joints[i].type == FF_JOINT_FREE && m->bodies[m->joints[i].body].parent < 0) floating = i;
    for (int i = 0; i < m->ngeom; i++) {
        const int body = m->geoms[i].body;
        meets = meets || (m->geoms[i].role != FF_GEOM_VISUAL && (body < 0 || m->bodies[body].node < 0));
    }
    if (floating >= 0 && !meets && ff_vec3_norm(m->gravity) > 0.0)
        ff_report_add(report, FF_NOTE, (ff_place){path, 0, 0},
                      "there is no ground, \"%s\" falls; --set 'terrain=[{plane: {}}]' puts a floor below it",
                      m->bodies[m->joints[floating].body].name);
}

/// A word on actuators that nobody commands: a robot by itself moves as its joints let it.
static void report_idle(const char *path, const ff_scene_spec *scene, ff_report *report)
{
    const int count = scene->model->nactuator;
    if (scene->driven || count == 0) return;
    ff_report_add(report, FF_NOTE, (ff_place){path, 0, 0},
                  "its %d actuator%s off, as nothing commands %s; --set effects.drives=ideal lets %s act", count,
                  count == 1 ? " is" : "s are", count == 1 ? "it" : "them", count == 1 ? "it" : "them");
}

static const char *write_scene(const char *path, ff_single_robot how, const ff_load_options *load, const ff_model *m,
                               const char *start, ff_arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = ff_single_robot_quote(slash ? slash + 1 : path, arena);
    if (!name || !start) return NULL;
    return how == FF_SINGLE_FREE ? write_free(name, load, start, arena)
                                 : write_held(name, load, m->mass, how == FF_SINGLE_STANDING, start, arena);
}

void ff_scene_of_robot_errors(const char *path, const ff_report *found, ff_report *report)
{
    for (int i = 0; i < found->count; i++) {
        const ff_message *message = &found->messages[i];
        const bool in_override = strncmp(message->file, "--set", 5) == 0;
        const ff_place place = {in_override ? message->file : path, 0, 0};
        if (message->severity == FF_ERROR) ff_report_add(report, FF_ERROR, place, "%s", message->text);
    }
}

/// Notes of the scene that were not said of the robot file.
static void add_new_notes(const char *path, const ff_report *found, ff_report *report)
{
    for (int i = 0; i < found->count; i++) {
        const ff_message *message = &found->messages[i];
        bool known = message->severity != FF_NOTE;
        for (int k = 0; k < report->count && !known; k++) known = strcmp(report->messages[k].text, message->text) == 0;
        if (!known) ff_report_add(report, FF_NOTE, (ff_place){path, 0, 0}, "%s", message->text);
    }
}

const ff_scene_spec *ff_scene_of_robot(const char *path, ff_single_robot how, const ff_load_options *load,
                                       const char *const *overrides, int noverride, ff_report *report)
{
    ff_arena arena = {0};
    ff_report again = {0}; // the robot's own warnings are in `report` already
    const ff_scene_spec *scene = NULL;
    ff_load_options options = load ? *load : ff_load_options_default();
    options.without_legs = options.without_legs || drops_legs(overrides, noverride);
    load = &options;
    ff_model *m = ff_model_load(path, load, report); // by itself first: messages then name the user's file
    if (m && m->nv == 0 && how == FF_SINGLE_FREE) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "there is no joint, so nothing would move; --floating frees the root of a URDF");
    } else if (m) {
        const char *start = gives_start(overrides, noverride)
                                ? ""
                                : ff_single_robot_start(path, m, how == FF_SINGLE_FREE, &arena, report);
        const char *text = write_scene(path, how, load, m, start, &arena);
        if (text) scene = ff_scene_parse(text, strlen(text), path, overrides, noverride, &again);
        if (scene && how == FF_SINGLE_FREE && gives_ground(overrides, noverride)) {
            start = ff_single_robot_start_on(path, scene, &arena, report);
            if (start) text = write_scene(path, how, load, m, start, &arena);
            if (start && text) {
                ff_scene_destroy(scene);
                scene = ff_scene_parse(text, strlen(text), path, overrides, noverride, &again);
            }
        }
        if (!text) ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
        if (!scene) ff_scene_of_robot_errors(path, &again, report);
        if (scene) add_new_notes(path, &again, report);
        if (scene && how == FF_SINGLE_FREE) {
            report_fall(path, scene, report);
            report_idle(path, scene, report);
        }
    }
    ff_model_destroy(m);
    ff_report_clear(&again);
    ff_arena_clear(&arena);
    return scene;
}
