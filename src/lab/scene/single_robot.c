// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A scene for a robot file without one. It is made as a text that a user could have written. The robot starts in the
// keyframe of the file if there is one, within the limits of its joints, and not inside the ground. With all joints at
// zero, knees that bend only one way are often beyond their stops, which would throw the robot. Each change is reported
// as a note.
#include "scene/reader.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/loop.h>
#include <footfall/text.h>
#include <footfall/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOUCHES = 1e-6;    // shapes at a smaller distance touch  [m]
static const double STEEPEST = 0.1;    // least vertical component of a normal out of which a robot is lifted
static const double FARTHEST = 1e4;    // bound on the search for ground  [m]
enum { QUERIES = 1000000, NAMED = 3 }; // bound on distance computations, about a second; joints that a note names

// ------------------------------------------------------------------------------------------ start: pose

/// The keyframe "home", else the first; NULL: the file has none.
static const ff_key *choose_key(const ff_model *m)
{
    const int home = ff_model_find_key(m, "home");
    if (m->nkey == 0) return NULL;
    return &m->keys[home >= 0 ? home : 0];
}

/// Moves hinges and slides into their ranges. @return how many; their names and positions go to `text`
static int clamp_joints(const ff_model *m, double *q, ff_arena *arena, const char **text)
{
    int count = 0;
    *text = "";
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        if (!j->limited || (j->type != FF_JOINT_HINGE && j->type != FF_JOINT_SLIDE)) continue;
        const double inside = ff_min(ff_max(q[j->qadr], j->range[0]), j->range[1]);
        if (inside == q[j->qadr]) continue;
        if (count++ < NAMED)
            *text = ff_arena_printf(arena, "%s%s\"%s\" at %.4g %s, not %.4g", *text ? *text : "", count > 1 ? ", " : "",
                                    j->name, inside, j->type == FF_JOINT_SLIDE ? "m" : "rad", q[j->qadr]);
        q[j->qadr] = inside;
    }
    return count;
}

// ------------------------------------------------------------------------------------------ start: ground

/// A robot and the fixed shapes below it.
typedef struct ground {
    const ff_model *m;
    const ff_scene_field *fields;
    int nfield;
    ff_world *world;
    ff_data *d;
    double up[3];
    int tree;    // of the robot
    int queries; // number of distance computations left
} ground;

static void place_shape(const ground *g, const ff_world_shape *shape, ff_pose *pose)
{
    for (int i = 0; shape->geom < 0 && i < g->nfield; i++)
        if (g->fields[i].field == shape->collider.field) *pose = g->fields[i].pose;
    if (shape->geom < 0) return;
    const ff_geom *geom = &g->m->geoms[shape->geom];
    double quat[4];
    ff_vec3_copy(pose->p, geom->pos);
    memcpy(quat, geom->quat, sizeof quat);
    if (geom->body >= 0) {
        double pos[3], turn[4];
        ff_dyn_body_pose(g->m, g->d, geom->body, pos, turn);
        ff_pose_displace(pose->p, quat, pos, turn);
    }
    ff_quat_to_mat3(pose->R, quat);
}

static bool is_on_robot(const ground *g, int body)
{
    const int node = body < 0 ? -1 : g->m->bodies[body].node;
    return node >= 0 && g->m->nodes[node].tree == g->tree;
}

static bool is_of_robot(const ground *g, const ff_world_shape *shape)
{
    return is_on_robot(g, shape->body);
}

static bool is_fixed(const ground *g, const ff_world_shape *shape)
{
    return shape->body < 0 || g->m->bodies[shape->body].node < 0;
}

/// Height by which the robot must rise to end all overlaps; without any, minus the distance to the nearest fixed shape;
/// NaN if there is no shape that it may meet.  [m]
static double rise_needed(ground *g)
{
    double nearest = INFINITY, deepest = 0.0;
    int count;
    const ff_world_shape *shapes = ff_world_shapes(g->world, &count);
    for (int i = 0; i < count; i++) {
        ff_pose fixed, own;
        if (!is_fixed(g, &shapes[i])) continue;
        place_shape(g, &shapes[i], &fixed);
        for (int k = 0; k < count; k++) {
            ff_collide_nearest near;
            if (!is_of_robot(g, &shapes[k]) || !ff_world_law(g->world, i, k) || g->queries-- <= 0) continue;
            place_shape(g, &shapes[k], &own);
            if (ff_collide_distance(&shapes[i].collider, &fixed, &shapes[k].collider, &own, &near) != FF_OK) continue;
            const double rise = ff_vec3_dot(near.normal, g->up);
            if (near.distance >= 0.0)
                nearest = ff_min(nearest, near.distance);
            else if (rise > STEEPEST)
                deepest = ff_max(deepest, -near.distance / rise);
        }
    }
    if (deepest > 0.0) return deepest;
    return isfinite(nearest) ? -nearest : NAN;
}

/// Longest side of the box around the robot's shapes and the origins of its bodies, which count where meshes lack. [m]
static double size_of(const ground *g)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
    int count;
    const ff_world_shape *shapes = ff_world_shapes(g->world, &count);
    for (int i = 0; i < count + g->m->nbody; i++) {
        ff_pose pose;
        double l[3], h[3], quat[4];
        if (i < count ? !is_of_robot(g, &shapes[i]) : !is_on_robot(g, i - count)) continue;
        if (i < count) {
            place_shape(g, &shapes[i], &pose);
            ff_collider_bounds(&shapes[i].collider, &pose, l, h);
        } else {
            ff_dyn_body_pose(g->m, g->d, i - count, l, quat);
            ff_vec3_copy(h, l);
        }
        for (int k = 0; k < 3; k++) low[k] = ff_min(low[k], l[k]), high[k] = ff_max(high[k], h[k]);
    }
    for (int k = 0; k < 3; k++) size = ff_max(size, high[k] - low[k]);
    return size;
}

/// Moves the robot along `up` until it just touches. @return the displacement; NaN if there is nothing to touch  [m]
static double approach(ground *g, double *place)
{
    double way = 0.0;
    g->queries = QUERIES;
    while (fabs(way) < FARTHEST) {
        ff_dyn_kinematics(g->m, g->d);
        const double rise = rise_needed(g);
        if (isnan(rise) || g->queries <= 0) return NAN;
        if (fabs(rise) < TOUCHES) return way;
        ff_vec3_axpy(place, rise, g->up);
        way += rise;
    }
    return NAN;
}

/// Moves a robot to the ground. One that hangs above it by less than its own size stays, since it is meant to fall.
/// @return whether it was moved
static bool stand(ground *g, const ff_joint *base, double *q, ff_place place, ff_report *report)
{
    memcpy(g->d->q, q, (size_t)g->m->nq * sizeof *q);
    ff_dyn_normalise(g->m, g->d->q);
    ff_dyn_kinematics(g->m, g->d);
    const double size = size_of(g), way = approach(g, g->d->q + base->qadr);
    if (isnan(way) || way == 0.0 || (way < 0.0 && -way <= size)) return false;
    if (way > 0.0)
        ff_report_add(report, FF_NOTE, place, "\"%s\" starts %.4g m higher: it would reach so deep into the ground",
                      g->m->bodies[base->body].name, way);
    else
        ff_report_add(report, FF_NOTE, place,
                      "\"%s\" starts on the ground, %.4g m lower: that is farther than its own size of %.3g m",
                      g->m->bodies[base->body].name, -way, size);
    memcpy(q + base->qadr, g->d->q + base->qadr, 3 * sizeof *q);
    return true;
}

/// Moves all robots: trees on a free joint with more joints. Objects, which have none, stay.
static bool stand_all(ground *g, double *q, ff_place place, ff_report *report)
{
    const ff_model *m = g->m;
    bool moved = false;
    ff_vec3_scale(g->up, m->gravity, -1.0);
    const bool weighs = ff_vec3_normalise(g->up) > 0.0;
    for (int i = 0; g->world && g->d && weighs && i < m->njoint; i++) {
        const ff_joint *base = &m->joints[i];
        int more = 0;
        if (base->type != FF_JOINT_FREE || m->bodies[base->body].parent >= 0) continue;
        g->tree = m->nodes[base->node].tree;
        for (int k = 0; k < m->njoint; k++) more += k != i && m->nodes[m->joints[k].node].tree == g->tree;
        if (more > 0 && stand(g, base, q, place, report)) moved = true;
    }
    return moved;
}

/// Moves all robots to the ground of the model. @return whether any was moved
/// @param scene  its ground counts, too; NULL: none
static bool stand_on(const ff_model *m, const ff_scene_spec *scene, double *q, ff_place place, ff_report *report)
{
    const ff_world_options options = scene ? scene->touch : ff_world_options_default();
    ground g = {.m = m, .world = ff_world_create(m, &options, NULL), .d = ff_data_create(m, NULL)};
    g.fields = scene ? scene->fields : NULL;
    g.nfield = scene ? scene->nfield : 0;
    for (int i = 0; g.world && i < g.nfield; i++) {
        const ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = g.fields[i].field};
        ff_world_add_ground(g.world, g.fields[i].name, &collider, &g.fields[i].pose, g.fields[i].material, NULL);
    }
    const bool moved = stand_all(&g, q, place, report);
    ff_data_destroy(g.d);
    ff_world_destroy(g.world);
    return moved;
}

// ------------------------------------------------------------------------------------------ start: as text

static const char *write_numbers(const double *x, int n, ff_arena *arena)
{
    const size_t size = (size_t)n * 26 + 1; // of "%.17g, "
    char *text = ff_arena_alloc(arena, size, 1);
    size_t at = 0;
    if (!text) return NULL;
    text[0] = '\0';
    for (int i = 0; i < n; i++) at += (size_t)snprintf(text + at, size - at, "%s%.17g", i > 0 ? ", " : "", x[i]);
    return text;
}

/// A YAML string in single quotes, in which only the quote itself is special.
static const char *quote(const char *text, ff_arena *arena)
{
    char *out = ff_arena_alloc(arena, 2 * strlen(text) + 3, 1), *p = out;
    if (!out) return NULL;
    *p++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') *p++ = '\'';
        *p++ = *text;
    }
    *p++ = '\'';
    *p = 0;
    return out;
}

/// `start` of the scene in YAML, "" for the reference pose; notes go to the report. NULL without memory.
/// @param on_ground  moves a robot that is in the ground or far above onto it
static const char *start_of(const char *path, const ff_model *m, bool on_ground, ff_arena *arena, ff_report *report)
{
    const ff_place place = {path, 0, 0};
    const ff_key *key = choose_key(m);
    double *q = FF_ARENA_NEW(arena, double, m->nq + 1);
    const char *clamped = "";
    bool moved = false;
    if (!q) return NULL;
    memcpy(q, key ? key->q : m->q0, (size_t)m->nq * sizeof *q);
    if (key) ff_report_add(report, FF_NOTE, place, "starts in its keyframe \"%s\"", key->name);
    // Joints of a loop cannot be moved one by one; the file must give a pose that closes it.
    const int beyond = ff_loops_count(m) == 0 ? clamp_joints(m, q, arena, &clamped) : 0;
    if (beyond > 0)
        ff_report_add(report, FF_NOTE, place, "%d joint%s start%s at the limit that %s beyond: %s%s", beyond,
                      beyond > 1 ? "s" : "", beyond > 1 ? "" : "s", key ? "the keyframe is" : "zero is", clamped,
                      beyond > NAMED ? ", .." : "");
    if (on_ground) moved = stand_on(m, NULL, q, place, report);
    if (beyond == 0 && !moved) {
        const char *name = key ? quote(key->name, arena) : "";
        return name && key ? ff_arena_printf(arena, "start: {pose: %s}\n", name) : name;
    }
    const char *position = write_numbers(q, m->nq, arena);
    const char *speed = key && position ? write_numbers(key->v, m->nv, arena) : "";
    if (!position || !speed) return NULL;
    const char *name = key ? quote(key->name, arena) : "";
    if (!name) return NULL;
    return key ? ff_arena_printf(arena, "start: {pose: %s, q: [%s], v: [%s]}\n", name, position, speed)
               : ff_arena_printf(arena, "start: {q: [%s]}\n", position);
}

/// `start` of a robot that is in the ground of the scene, or far above it; NULL if it need not be moved.
static const char *start_on(const char *path, const ff_scene_spec *scene, ff_arena *arena, ff_report *report)
{
    const ff_model *m = scene->model;
    double *q = FF_ARENA_NEW(arena, double, m->nq + 1);
    if (!q) return NULL;
    memcpy(q, scene->q, (size_t)m->nq * sizeof *q);
    if (!scene->contacts || !stand_on(m, scene, q, (ff_place){path, 0, 0}, report)) return NULL;
    const char *position = write_numbers(q, m->nq, arena), *speed = write_numbers(scene->v, m->nv, arena);
    return position && speed ? ff_arena_printf(arena, "start: {q: [%s], v: [%s]}\n", position, speed) : NULL;
}

// ------------------------------------------------------------------------------------------ the scene

/// Text of a scene of FF_SINGLE_FREE, without `solver`: the default method handles the stops, friction and contacts of
/// any file.
static const char *write_free(const char *name, const ff_load_options *load, const char *start, ff_arena *arena)
{
    return ff_arena_printf(arena,
                           "footfall: 1\n"
                           "robot: {file: %s, floating: %s, repair: %s}\n"
                           "time: 5\n"
                           "record: {rate: 200, channels: [q, v, com.pos, energy]}\n%s",
                           name, load->floating ? "true" : "false", load->repair ? "true" : "false", start);
}

/// Text of a scene with held joints: a deflection of 0.1 rad carries the weight at a lever of 0.1 m.
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

/// Do the overrides contain the start of the robot?
static bool gives_start(const char *const *overrides, int noverride)
{
    static const char *const keys[] = {"start=", "start.pose=", "start.q="};
    return starts_with_one_of(overrides, noverride, keys, 3);
}

/// Do the overrides add ground, but no place or start?
static bool gives_ground(const char *const *overrides, int noverride)
{
    static const char *const terrain[] = {"terrain=", "terrain."}, *const others[] = {"start", "place", "robots",
                                                                                      "objects"};
    return starts_with_one_of(overrides, noverride, terrain, 2) && !starts_with_one_of(overrides, noverride, others, 4);
}

/// Do the overrides switch off the search for legs, by `robot.legs=false` or `robot={legs: false}`?
static bool drops_legs(const char *const *overrides, int noverride)
{
    ff_arena arena = {0};
    ff_report unread = {0}; // errors are reported when the scene is read
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

/// Reports that a robot with a free base and weight has no ground below it.
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

/// Reports that the actuators of the robot have no commands and are off.
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
    const char *slash = strrchr(path, '/'), *name = quote(slash ? slash + 1 : path, arena);
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

/// Adds notes of the scene that were not reported for the robot file.
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
    ff_report found = {0}; // of the scene; warnings of the robot file are in `report` already
    const ff_scene_spec *scene = NULL;
    ff_load_options options = load ? *load : ff_load_options_default();
    options.without_legs = options.without_legs || drops_legs(overrides, noverride);
    load = &options;
    ff_model *m = ff_model_load(path, load, report); // loaded first, so that messages name the user's file
    if (m && m->nv == 0 && how == FF_SINGLE_FREE) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "there is no joint, so nothing would move; --floating frees the root of a URDF");
    } else if (m) {
        const char *start =
            gives_start(overrides, noverride) ? "" : start_of(path, m, how == FF_SINGLE_FREE, &arena, report);
        const char *text = write_scene(path, how, load, m, start, &arena);
        if (text) scene = ff_scene_parse(text, strlen(text), path, overrides, noverride, &found);
        if (scene && how == FF_SINGLE_FREE && gives_ground(overrides, noverride)) {
            start = start_on(path, scene, &arena, report);
            if (start) text = write_scene(path, how, load, m, start, &arena);
            if (start && text) {
                ff_scene_destroy(scene);
                scene = ff_scene_parse(text, strlen(text), path, overrides, noverride, &found);
            }
        }
        if (!text) ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
        if (!scene) ff_scene_of_robot_errors(path, &found, report);
        if (scene) add_new_notes(path, &found, report);
        if (scene && how == FF_SINGLE_FREE) {
            report_fall(path, scene, report);
            report_idle(path, scene, report);
        }
    }
    ff_model_destroy(m);
    ff_report_clear(&found);
    ff_arena_clear(&arena);
    return scene;
}
