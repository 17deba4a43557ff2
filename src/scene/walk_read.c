// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What there is to measure of walking: the robots of a scene that have legs, their bodies, and the windows of time that `metrics` names.
//     metrics: {from: 2, to: 10, debounce: 20 ms, tilt: 60 deg, windows: {fast: {from: 6, to: 9}}}
#include "scene/walk.h"

#include <math.h>
#include <string.h>

static const double DEBOUNCE = 20e-3;       // [s], see walk.h
static const double LONGEST_DEBOUNCE = 1.0; // [s]
static const double TILT = FF_PI / 3;       // [rad]
enum { MOST_WINDOWS = 100, MOST_SOLE_POINTS = 16 };

// ------------------------------------------------------------------------------------------ robots

/// Level axes: z against gravity, x as near to the world's as can be.
static void find_axes(double axes[9], const double gravity[3])
{
    double *x = axes, *y = axes + 3, *z = axes + 6;
    const double g = ff_vec3_norm(gravity);
    ff_vec3_set(z, 0.0, 0.0, 1.0);
    if (g > 0.0) ff_vec3_scale(z, gravity, -1.0 / g);
    const double reference[3] = {fabs(z[0]) < 0.9, 0.0, fabs(z[0]) >= 0.9}; // x, or z where gravity acts along x
    ff_vec3_cross(y, z, reference);
    ff_vec3_scale(y, y, 1.0 / ff_vec3_norm(y));
    ff_vec3_cross(x, y, z);
}

static bool has_dof(const ff_scene_robot *robot, int dof)
{
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static bool body_is_of(const ff_model *m, const ff_scene_robot *robot, int body)
{
    return m->bodies[body].node >= 0 && has_dof(robot, m->nodes[m->bodies[body].node].vadr);
}

static bool is_below(const ff_model *m, int body, int above)
{
    while (body > above) body = m->bodies[body].parent; // parents have lower numbers
    return body == above;
}

static bool is_trunk(const ff_model *m, const ff_walker *robot, int body)
{
    for (int i = 0; i < robot->nleg; i++)
        if (is_below(m, body, m->joints[m->legs[robot->legs[i].leg].joints[0]].body)) return false;
    return true;
}

static bool list_legs(const ff_scene_reader *r, const ff_scene_robot *from, ff_walker *robot)
{
    const ff_model *m = r->scene->model;
    const size_t prefix = strlen(from->prefix);
    robot->legs = FF_ARENA_NEW(&r->scene->arena, ff_walk_leg, m->nleg);
    for (int i = 0; robot->legs && i < m->nleg; i++) {
        if (!has_dof(from, m->joints[m->legs[i].joints[0]].vadr)) continue;
        const char *name = m->legs[i].name;
        r->scene->walk->leg_of[i] = robot->nleg;
        robot->legs[robot->nleg++] =
            (ff_walk_leg){.leg = i, .name = strncmp(name, from->prefix, prefix) == 0 ? name + prefix : name};
    }
    const int share = robot->nleg > 0 ? FF_SUPPORT_MAX / robot->nleg : 0;
    robot->most_points = share < MOST_SOLE_POINTS ? share : MOST_SOLE_POINTS;
    return robot->legs;
}

/// Bodies, and the nodes that carry their masses. A node has the masses of all bodies that move with it, which are all trunk or all leg.
static bool list_bodies(const ff_scene_reader *r, const ff_scene_robot *from, ff_walker *robot)
{
    const ff_model *m = r->scene->model;
    robot->nodes = FF_ARENA_NEW(&r->scene->arena, int, m->nnode);
    robot->trunk = FF_ARENA_NEW(&r->scene->arena, bool, m->nnode);
    if (!robot->nodes || !robot->trunk) return false;
    robot->base = -1;
    for (int b = 0; b < m->nbody; b++) {
        if (!body_is_of(m, from, b)) continue;
        if (robot->base < 0) robot->base = b;
        r->scene->walk->robot_of[b] = r->scene->walk->nrobot;
    }
    for (int i = 0; i < m->nnode; i++) {
        const double mass = m->nodes[i].inertia.mass;
        if (!has_dof(from, m->nodes[i].vadr) || !(mass > 0.0)) continue;
        robot->trunk[robot->nnode] = is_trunk(m, robot, m->joints[m->nodes[i].joint].body);
        robot->mass += mass;
        if (robot->trunk[robot->nnode]) robot->trunk_mass += mass;
        robot->nodes[robot->nnode++] = i;
    }
    if (robot->trunk_mass > 0.0) return true;
    memset(robot->trunk, 1, (size_t)robot->nnode * sizeof *robot->trunk); // legs alone: they are the body
    robot->trunk_mass = robot->mass;
    return true;
}

static bool list_robots(const ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_scene_walk *walk = scene->walk;
    walk->robots = FF_ARENA_NEW(&scene->arena, ff_walker, scene->nrobot);
    walk->robot_of = FF_ARENA_NEW(&scene->arena, int, scene->model->nbody);
    walk->leg_of = FF_ARENA_NEW(&scene->arena, int, scene->model->nleg);
    if (!walk->robots || !walk->robot_of || !walk->leg_of) return false;
    for (int b = 0; b < scene->model->nbody; b++) walk->robot_of[b] = -1;
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *from = &scene->robots[i];
        ff_walker *robot = &walk->robots[walk->nrobot];
        *robot = (ff_walker){.robot = i, .vadr = from->vadr, .nv = from->nv, .lead = ""};
        if (scene->nrobot > 1) robot->lead = ff_arena_printf(&scene->arena, "%s.", from->name);
        if (!robot->lead || !list_legs(r, from, robot)) return false;
        if (robot->nleg == 0) continue;
        if (!list_bodies(r, from, robot)) return false;
        robot->weight = robot->mass * ff_vec3_norm(scene->model->gravity);
        walk->nrobot++;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ windows

static double read_time(const ff_scene_reader *r, ff_yaml *node, const char *key, double fallback)
{
    const double time = ff_yaml_number(node, key, fallback, r->report);
    if (!(time < 0.0)) return time;
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, key)->place, "'%s' is %g s: a run begins at 0", key, time);
    return fallback;
}

static void read_window(const ff_scene_reader *r, ff_yaml *node, ff_walk_window *window)
{
    window->from = read_time(r, node, "from", 0.0);
    window->to = read_time(r, node, "to", INFINITY);
    const ff_yaml *place = ff_yaml_get(node, "to");
    if (!place) place = node;
    if (!(window->to > window->from))
        ff_report_add(r->report, FF_ERROR, place->place, "the window '%s' ends at %g s, but begins at %g s",
                      window->name, window->to, window->from);
    else if (window->from >= r->scene->time)
        ff_report_add(r->report, FF_WARNING, node->place,
                      "the window '%s' begins at %g s, but the run ends at %g s: its metrics are null", window->name,
                      window->from, r->scene->time);
}

/// Metrics are called WINDOW.WHAT, so a window must not be called as other metrics begin.
static bool check_name(const ff_scene_reader *r, const ff_yaml *node)
{
    static const char *const taken[] = {"walk",   "time",     "energy", "momentum", "com",    "ledger",
                                        "joints", "contacts", "bodies", "drives",   "sensors"};
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    bool used = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) used = used || strcmp(node->key, taken[i]) == 0;
    if (used)
        ff_report_add(r->report, FF_ERROR, node->key_place, "'%s' begins the names of other metrics; take another name",
                      node->key);
    else if (!node->key[0] || node->key[strspn(node->key, allowed)])
        ff_report_add(r->report, FF_ERROR, node->key_place,
                      "'%.40s': the name of a window is made of letters, digits, _ and -", node->key);
    else
        return true;
    return false;
}

static void read_windows(const ff_scene_reader *r, ff_yaml *map)
{
    ff_scene_walk *walk = r->scene->walk;
    if (!ff_yaml_expect(map, FF_YAML_MAP, "windows as 'name: {from: .., to: ..}'", r->report)) return;
    for (ff_yaml *node = map->child; node; node = node->next) {
        node->used = true;
        if (walk->nwindow > MOST_WINDOWS) {
            ff_report_add(r->report, FF_ERROR, node->key_place, "more than %d windows", MOST_WINDOWS);
            return;
        }
        if (!check_name(r, node) || !ff_yaml_expect(node, FF_YAML_MAP, "{from: .., to: ..}", r->report)) continue;
        ff_walk_window *window = &walk->windows[walk->nwindow++];
        window->name = ff_arena_strdup(&r->scene->arena, node->key);
        if (window->name) read_window(r, node, window);
    }
}

static void read_metrics(const ff_scene_reader *r, ff_yaml *node)
{
    ff_scene_walk *walk = r->scene->walk;
    if (!node || !ff_yaml_expect(node, FF_YAML_MAP, "{from: .., to: .., windows: ..}", r->report)) return;
    read_window(r, node, &walk->windows[0]);
    walk->debounce = ff_yaml_number(node, "debounce", DEBOUNCE, r->report);
    if (!(walk->debounce >= 0.0 && walk->debounce <= LONGEST_DEBOUNCE))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "debounce")->place, "'debounce' is %g s: 0 to %g s",
                      walk->debounce, LONGEST_DEBOUNCE);
    walk->tilt = ff_yaml_number(node, "tilt", TILT, r->report);
    if (!(walk->tilt > 0.0))
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "tilt")->place, "'tilt' is %g rad: above 0", walk->tilt);
    ff_yaml *windows = ff_yaml_get(node, "windows");
    if (windows) read_windows(r, windows);
}

// ------------------------------------------------------------------------------------------ all of it

void ff_scene_read_walk(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_yaml *node = ff_yaml_get(r->root, "metrics");
    if (scene->model->nleg == 0 || scene->nrobot == 0) {
        if (!node) return;
        ff_report_add(r->report, FF_ERROR, node->key_place,
                      "'metrics' is about walking, and no robot here has legs: describe them in its file, see "
                      "docs/model-files.md");
        ff_yaml_use(node);
        return;
    }
    ff_scene_walk *walk = scene->walk = FF_ARENA_NEW(&scene->arena, ff_scene_walk, 1);
    if (!walk) return;
    walk->debounce = DEBOUNCE;
    walk->tilt = TILT;
    walk->windows = FF_ARENA_NEW(&scene->arena, ff_walk_window, MOST_WINDOWS + 1);
    if (!walk->windows) return;
    walk->windows[walk->nwindow++] = (ff_walk_window){"walk", 0.0, INFINITY};
    find_axes(walk->axes, scene->model->gravity);
    if (!list_robots(r)) return; // out of memory, which the scene tells
    read_metrics(r, node);
    ff_scene_name_walk(scene);
}
