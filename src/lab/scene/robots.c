// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots of a scene. Each is loaded and compiled alone, which gives its poses and the order of its coordinates. Then
// all are joined to one description and one model with their coordinates one after the other. The objects of the scene
// come last, like one more robot.
#include "load/stored.h"
#include "model/coordinates.h"
#include "model/edit.h"
#include "plant/compile.h"
#include "scene/reader.h"

#include <footfall/text.h>
#include <stdlib.h>
#include <string.h>

/// One robot, or all objects, while the scene is read.
typedef struct entry {
    ff_yaml *node;    // node with its file, for messages
    ff_yaml *place;   // pos, rpy, quat; may be NULL
    ff_yaml *start;   // may be NULL
    ff_yaml *assumed; // file of the model that its controller assumes; may be NULL
    int number;       // among the robots
    ff_load_options options;
    ff_spec *spec;
    ff_model *model;         // of this robot alone
    ff_model *assumed_model; // model that its controller uses; NULL: `model`
    double pos[3], quat[4];
    double *q, *v;
    int key; // keyframe that it starts in, -1: none
    ff_scene_given given;
    bool settle;
} entry;

// ------------------------------------------------------------------------------------------ start

static double *copy_numbers(const double *from, int n)
{
    double *out = malloc(((size_t)n + 1) * sizeof *out);
    if (out && n > 0) memcpy(out, from, (size_t)n * sizeof *out);
    return out;
}

static void read_pose_name(const ff_scene_reader *r, entry *e)
{
    ff_yaml *node = ff_yaml_get(e->start, "pose");
    const char *name = node ? ff_yaml_as_string(node, r->report) : NULL;
    if (!name) return;
    int key;
    ff_error err = {0};
    if (ff_model_need_key(e->model, name, &key, &err) != FF_OK) {
        ff_report_add(r->report, FF_ERROR, node->place, "%s", err.text);
        return;
    }
    e->key = key;
    memcpy(e->q, e->model->keys[key].q, (size_t)e->model->nq * sizeof(double));
    memcpy(e->v, e->model->keys[key].v, (size_t)e->model->nv * sizeof(double));
}

static void read_speed(ff_yaml *node, ff_joint_type type, double *v, ff_report *report)
{
    const int nv = ff_joint_nv(type);
    if (nv > 1)
        ff_yaml_as_numbers(node, v, nv, nv, report);
    else if (ff_yaml_in_unit(node, type == FF_JOINT_SLIDE ? "m/s" : "rad/s", report))
        ff_yaml_as_number(node, v, report);
}

/// joints: {pattern: position} and speeds: {pattern: speed}.
static void read_joints(const ff_scene_reader *r, entry *e, const char *key, bool speeds)
{
    ff_yaml *map = ff_yaml_get(e->start, key);
    if (!map || !ff_yaml_expect(map, FF_YAML_MAP, "values as 'joint: value'", r->report)) return;
    double work = 0.0;
    for (ff_yaml *node = map->child; node; node = node->next) {
        node->used = true;
        int found = 0;
        work += e->model->njoint;
        if (work > 1e7) {
            ff_report_add(r->report, FF_ERROR, node->key_place, "too many values of joints");
            return;
        }
        for (int i = 0; i < e->model->njoint; i++) {
            const ff_joint *joint = &e->model->joints[i];
            if (!ff_text_matches(node->key, joint->name)) continue;
            found++;
            for (int k = 0; k < ff_joint_nv(joint->type); k++)
                (speeds ? e->given.v : e->given.q)[joint->vadr + k] = true;
            if (speeds)
                read_speed(node, joint->type, e->v + joint->vadr, r->report);
            else
                ff_native_position(node, joint->type, e->q + joint->qadr, r->report);
        }
        if (found == 0)
            ff_report_add(r->report, FF_ERROR, node->key_place, "the robot has no joint '%.60s'", node->key);
    }
}

void ff_scene_displace(const ff_model *m, const double pos[3], const double quat[4], double *q, double *v)
{
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        if (joint->type != FF_JOINT_FREE || m->bodies[joint->body].parent >= 0) continue;
        double turned[3];
        ff_pose_displace(q + joint->qadr, q + joint->qadr + 3, pos, quat);
        ff_quat_rotate(turned, quat, v + joint->vadr);
        ff_vec3_copy(v + joint->vadr, turned);
    }
}

/// `perturb`: shifts and turns the robot at random, each robot by a stream of its own.
static void perturb(const ff_scene_reader *r, entry *e)
{
    ff_yaml *node = ff_yaml_get(e->place, "perturb");
    double most[6] = {0}, by[6], turn[4];
    if (!node) return;
    ff_yaml_numbers(node, "pos", most, 3, 3, r->report);
    ff_yaml_numbers(node, "rpy", most + 3, 3, 3, r->report);
    ff_random random = ff_random_make(r->scene->options.seed, 0x726f620000000000u + (uint64_t)e->number);
    for (int k = 0; k < 6; k++) by[k] = most[k] * ff_random_range(&random, -1.0, 1.0);
    ff_quat_from_rpy(turn, by + 3);
    ff_vec3_add(e->pos, e->pos, by);
    ff_quat_mul(e->quat, turn, (const double[4]){e->quat[0], e->quat[1], e->quat[2], e->quat[3]});
}

static bool read_start(const ff_scene_reader *r, entry *e)
{
    const int errors = r->report->errors; // earlier errors do not concern the start
    e->q = copy_numbers(e->model->q0, e->model->nq);
    e->v = calloc((size_t)e->model->nv + 1, sizeof(double));
    e->given.q = calloc((size_t)e->model->nv + 1, sizeof(bool));
    e->given.v = calloc((size_t)e->model->nv + 1, sizeof(bool));
    e->given.base = copy_numbers(e->model->q0, e->model->nq);
    if (!e->q || !e->v || !e->given.q || !e->given.v || !e->given.base) return false;
    if (e->start && ff_yaml_expect(e->start, FF_YAML_MAP, "{pose: .., joints: {..}}", r->report)) {
        read_pose_name(r, e);
        ff_yaml_numbers(e->start, "q", e->q, e->model->nq, e->model->nq, r->report);
        ff_yaml_numbers(e->start, "v", e->v, e->model->nv, e->model->nv, r->report);
        memcpy(e->given.base, e->q, (size_t)e->model->nq * sizeof(double));
        read_joints(r, e, "joints", false);
        read_joints(r, e, "speeds", true);
    }
    const ff_place start = ff_scene_place(r, e->start ? e->start : e->node);
    const double *mocap = e->key >= 0 ? e->model->keys[e->key].mocap : NULL;
    if (r->report->errors == errors && !ff_scene_close_start(r, e->model, &e->given, start, mocap, e->q, e->v))
        return false;
    if (e->place && ff_yaml_expect(e->place, FF_YAML_MAP, "{pos: .., rpy: ..}", r->report)) {
        ff_yaml_pose(e->place, e->pos, e->quat, r->report);
        e->settle = ff_yaml_boolean(e->place, "settle", false, r->report);
        perturb(r, e);
    }
    ff_scene_displace(e->model, e->pos, e->quat, e->q, e->v);
    return r->report->errors == errors;
}

// ------------------------------------------------------------------------------------------ one robot

/// robot: path, or {file, assumed_model, floating, repair, legs, name, prefix, place, start}.
static const char *read_file_name(const ff_scene_reader *r, ff_yaml *node, entry *e)
{
    e->node = node;
    e->key = -1;
    e->options = ff_load_options_default();
    ff_quat_identity(e->quat);
    if (node->type != FF_YAML_MAP) return ff_yaml_as_string(node, r->report);
    ff_yaml *file = ff_yaml_need(node, "file", r->report);
    e->options.floating = ff_yaml_boolean(node, "floating", false, r->report);
    e->options.repair = ff_yaml_boolean(node, "repair", false, r->report);
    e->options.without_legs = !ff_yaml_boolean(node, "legs", true, r->report);
    e->place = ff_yaml_get(node, "place");
    e->start = ff_yaml_get(node, "start");
    e->assumed = ff_yaml_get(node, "assumed_model");
    return file ? ff_yaml_as_string(file, r->report) : NULL;
}

/// Replaces materials of a robot by those of the scene with the same name, and adds the others.
static bool take_materials(const ff_scene_reader *r, ff_spec *spec)
{
    for (int i = 0; i < r->nmaterial; i++) {
        const ff_spec_material *from = &r->spec->materials[i];
        int known = ff_spec_find_material(spec, from->material.name);
        ff_spec_material *to =
            known >= 0 ? &spec->materials[known] : ff_spec_add_material(spec, from->material.name, NULL);
        if (!to) return false;
        *to = *from; // texts live in r->spec, which lives longer
    }
    return true;
}

/// Moves messages about an entry to the report; after errors adds the consequence for the scene.
static void hand_over(const ff_scene_reader *r, const entry *e, ff_report *found, const char *consequence)
{
    const bool wrong = found->errors > 0;
    ff_yaml_hand_over(found, r->report);
    if (wrong && consequence) ff_report_add(r->report, FF_ERROR, e->node->place, "%s", consequence);
}

/// Compiles an entry alone.
static bool compile_alone(const ff_scene_reader *r, entry *e, ff_report *found, const char *consequence)
{
    if (take_materials(r, e->spec)) e->model = ff_model_compile(e->spec, &e->options, found);
    hand_over(r, e, found, consequence);
    return e->model != NULL;
}

static bool has_joints_of(const ff_model *a, const ff_model *b)
{
    if (a->njoint != b->njoint) return false;
    for (int i = 0; i < a->njoint; i++)
        if (a->joints[i].type != b->joints[i].type || strcmp(a->joints[i].name, b->joints[i].name) != 0) return false;
    return true;
}

/// Loads `assumed_model`, the robot that the controller assumes, without materials of the scene.
static bool load_assumed(const ff_scene_reader *r, entry *e)
{
    const char *name = ff_yaml_as_string(e->assumed, r->report);
    const char *path = name ? ff_text_beside(&r->scene->arena, r->file, name) : NULL;
    ff_spec *spec = path ? ff_spec_create(NULL) : NULL;
    ff_report found = {0};
    if (spec && ff_store_spec(r->store, spec, path, &e->options, &found) == FF_OK)
        e->assumed_model = ff_model_compile(spec, &e->options, &found);
    ff_spec_destroy(spec);
    const bool wrong = found.errors > 0;
    ff_yaml_hand_over(&found, r->report);
    if (wrong)
        ff_report_add(r->report, FF_ERROR, e->assumed->place,
                      "robot \"%s\" cannot be the assumed model: its errors are above", name);
    if (!e->assumed_model || has_joints_of(e->assumed_model, e->model)) return e->assumed_model != NULL;
    ff_report_add(r->report, FF_ERROR, e->assumed->place,
                  "robot \"%s\" cannot be the assumed model: its joints are not those of the robot, in the same order",
                  name);
    return false;
}

static bool load_robot(const ff_scene_reader *r, entry *e, ff_scene_robot *robot, const char *name)
{
    robot->path = ff_text_beside(&r->scene->arena, r->file, name);
    e->spec = ff_spec_create(NULL);
    if (!e->spec || !robot->path) return false;
    ff_report found = {0};
    const char *consequence =
        ff_arena_printf(&r->scene->arena, "robot \"%s\" cannot be used: its errors are above", name);
    if (ff_store_spec(r->store, e->spec, robot->path, &e->options, &found) != FF_OK) {
        hand_over(r, e, &found, consequence);
        return false;
    }
    if (!compile_alone(r, e, &found, consequence) || !read_start(r, e)) return false;
    if (e->assumed && !load_assumed(r, e)) return false;
    ff_vec3_copy(robot->pos, e->pos);
    ff_quat_copy(robot->quat, e->quat);
    robot->nq = e->model->nq;
    robot->nv = e->model->nv;
    robot->settle = e->settle;
    if (e->settle) robot->settle_place = ff_scene_place(r, ff_yaml_get(e->place, "settle"));
    if (ff_yaml_get(e->start, "pose") || ff_yaml_get(e->start, "q") || ff_yaml_get(e->start, "joints"))
        robot->start_place = ff_scene_place(r, e->start);
    return true;
}

/// Loads the objects as one more entry. @return false after an error or without memory
static bool load_objects(ff_scene_reader *r, entry *e)
{
    ff_scene_motion *motion;
    ff_report found = {0};
    int errors = r->report->errors;
    e->node = r->root;
    e->key = -1;
    e->options = ff_load_options_default();
    ff_quat_identity(e->quat);
    e->spec = ff_scene_read_objects(r, &motion);
    bool fine = e->spec && r->report->errors == errors && compile_alone(r, e, &found, NULL);
    if (fine) {
        e->q = copy_numbers(e->model->q0, e->model->nq);
        e->v = calloc((size_t)e->model->nv + 1, sizeof(double));
        fine = e->q && e->v;
        if (fine) ff_scene_set_motion(e->model, motion, e->v);
    }
    free(motion);
    return fine;
}

static void free_entries(entry *entries, int n)
{
    for (int i = 0; i < n; i++) {
        ff_spec_destroy(entries[i].spec);
        ff_model_destroy(entries[i].model);
        ff_model_destroy(entries[i].assumed_model);
        free(entries[i].q);
        free(entries[i].v);
        free(entries[i].given.q);
        free(entries[i].given.v);
        free(entries[i].given.base);
    }
    free(entries);
}

// ------------------------------------------------------------------------------------------ all robots

/// Sets names and prefixes; a single robot has no prefix by default.
static void name_robots(const ff_scene_reader *r, entry *entries, int n)
{
    ff_arena *arena = &r->scene->arena;
    for (int i = 0; i < n; i++) {
        ff_scene_robot *robot = &r->scene->robots[i];
        const char *fallback = n == 1 ? "robot" : ff_arena_printf(arena, "robot%d", i + 1);
        robot->name = ff_arena_strdup(arena, ff_yaml_string(entries[i].node, "name", fallback, r->report));
        const char *prefix = n == 1 ? "" : ff_arena_printf(arena, "%s_", robot->name ? robot->name : "");
        robot->prefix = ff_arena_strdup(arena, ff_yaml_string(entries[i].node, "prefix", prefix, r->report));
        for (int k = 0; k < i; k++)
            if (robot->name && strcmp(robot->name, r->scene->robots[k].name) == 0)
                ff_report_add(r->report, FF_ERROR, entries[i].node->place, "two robots are called '%.60s'",
                              robot->name);
    }
}

/// Takes name and gravity of the first robot; reports an error if others differ and the scene has no `gravity`.
static void copy_world(const ff_scene_reader *r, const entry *entries)
{
    ff_spec *all = r->spec;
    for (int i = 0; i < r->scene->nrobot; i++) {
        if (i == 0) {
            all->name = ff_spec_text(all, entries[0].spec->name);
            ff_vec3_copy(all->gravity, entries[0].spec->gravity);
        } else if (memcmp(all->gravity, entries[i].spec->gravity, sizeof all->gravity) != 0 &&
                   !ff_yaml_get(r->root, "gravity"))
            ff_report_add(r->report, FF_ERROR, entries[i].node->place,
                          "the robots' files differ in gravity; say which one holds by 'gravity' in the scene");
    }
    ff_yaml_numbers(r->root, "gravity", all->gravity, 3, 3, r->report);
}

/// Extends the poses of a single robot by the start positions of objects.
static bool extend_poses(ff_spec *all, const entry *robot, const entry *objects)
{
    const int own = robot->model->nq, more = objects->model->nq;
    for (int i = 0; i < all->nkey; i++) {
        ff_spec_key *key = &all->keys[i];
        key->v = NULL; // velocities are those of the start
        key->nv = 0;
        if (!key->q || key->nq != own) continue;
        double *q = FF_ARENA_NEW(&all->arena, double, own + more + 1);
        if (!q) return false;
        memcpy(q, key->q, (size_t)own * sizeof *q);
        if (more) memcpy(q + own, objects->q, (size_t)more * sizeof *q);
        key->q = q;
        key->nq = own + more;
    }
    return true;
}

/// Joins the entries to the description of the scene; keyframes are kept only for a single robot.
static bool join(const ff_scene_reader *r, entry *entries, int n)
{
    const int errors = r->report->errors;
    copy_world(r, entries);
    for (int i = 0; i < n; i++) {
        const char *prefix = i < r->scene->nrobot ? r->scene->robots[i].prefix : "";
        if (r->scene->nrobot > 1) entries[i].spec->nkey = 0;
        ff_status status =
            ff_spec_join(r->spec, entries[i].spec, prefix, NULL, -1, entries[i].pos, entries[i].quat, r->report);
        if (status == FF_OK && i == 0 && r->spec->nkey > 0) {
            const ff_coordinates *coordinates = ff_coordinates_note(r->spec);
            if (coordinates) ff_coordinates_move(r->spec, coordinates, entries[i].pos, entries[i].quat);
        }
        if (status != FF_OK) return false;
    }
    if (r->scene->nrobot == 1 && n == 2 && !extend_poses(r->spec, &entries[0], &entries[1])) return false;
    return r->report->errors == errors;
}

/// Fills the poses of mocap bodies in the keyframe of a robot, moved with the robot.
static void fill_mocap(const entry *e, const ff_key *key, double *out)
{
    for (int i = 0; i < e->model->nmocap; i++, out += 7) {
        out[0] = NAN;
        if (!key || !key->mocap) continue;
        memcpy(out, key->mocap + 7 * i, 7 * sizeof *out);
        ff_pose_displace(out, out + 3, e->pos, e->quat);
    }
}

/// Concatenates the starts. @return false if the joined model does not have the coordinates of its entries one after
/// the other
static bool fill_start(ff_scene_spec *scene, const entry *entries, int n)
{
    const ff_model *m = scene->model;
    int nq = 0, nv = 0, nactuator = 0, nmocap = 0;
    scene->q = FF_ARENA_NEW(&scene->arena, double, m->nq + 1);
    scene->v = FF_ARENA_NEW(&scene->arena, double, m->nv + 1);
    scene->command = FF_ARENA_NEW(&scene->arena, double, m->nactuator + 1);
    scene->activation = FF_ARENA_NEW(&scene->arena, double, m->nactuator + 1);
    scene->mocap = FF_ARENA_NEW(&scene->arena, double, 7 * m->nmocap + 1);
    if (!scene->q || !scene->v || !scene->command || !scene->activation || !scene->mocap) return false;
    for (int i = 0; i < n; i++) {
        const ff_model *own = entries[i].model;
        if (nq + own->nq > m->nq || nv + own->nv > m->nv || nactuator + own->nactuator > m->nactuator ||
            nmocap + own->nmocap > m->nmocap)
            return false;
        if (i < scene->nrobot) {
            scene->robots[i].qadr = nq;
            scene->robots[i].vadr = nv;
        }
        memcpy(scene->q + nq, entries[i].q, (size_t)own->nq * sizeof(double));
        memcpy(scene->v + nv, entries[i].v, (size_t)own->nv * sizeof(double));
        const ff_key *key = entries[i].key >= 0 ? &own->keys[entries[i].key] : NULL;
        for (int k = 0; k < own->nactuator; k++, nactuator++) {
            scene->command[nactuator] = key && key->commanded ? key->command[k] : NAN;
            scene->activation[nactuator] = key && key->activated ? key->activation[k] : NAN;
        }
        fill_mocap(&entries[i], key, scene->mocap + 7 * nmocap);
        nmocap += own->nmocap;
        nq += own->nq;
        nv += own->nv;
    }
    return nq == m->nq && nv == m->nv;
}

static bool compile(const ff_scene_reader *r, entry *entries, int n)
{
    ff_report found = {0}; // warnings of each robot have been reported already
    if (join(r, entries, n)) {
        const ff_plant_options o = {
            .load = entries[0].options, .driven = r->scene->driven, .drive = r->scene->drive_options};
        r->scene->plant = ff_plant_begin(r->spec, &o, &found);
    }
    if (r->scene->plant) r->scene->model = r->scene->plant->model;
    if (found.errors) ff_yaml_hand_over(&found, r->report);
    ff_report_clear(&found);
    return r->scene->model && fill_start(r->scene, entries, n);
}

/// `robot` with `place` and `start` beside it, or the list `robots`. @return first node, count in `n`
static ff_yaml *find_nodes(const ff_scene_reader *r, int *n)
{
    ff_yaml *one = ff_yaml_get(r->root, "robot"), *several = ff_yaml_get(r->root, "robots");
    *n = 0;
    if (one && several) {
        ff_report_add(r->report, FF_ERROR, several->key_place, "give either 'robot' or 'robots'");
        return NULL;
    }
    if (!one && !several) {
        if (!ff_yaml_get(r->root, "objects"))
            ff_report_add(r->report, FF_ERROR, r->root->place,
                          "key 'robot' is missing here: a scene needs a robot, or 'objects'");
        return NULL;
    }
    *n = one ? 1 : ff_scene_count(several);
    return one ? one : several->child;
}

/// Reads `place` and `start` at the top of a scene with a single robot.
static void take_top_keys(const ff_scene_reader *r, entry *e)
{
    ff_yaml *place = ff_yaml_get(r->root, "place"), *start = ff_yaml_get(r->root, "start");
    if ((place && e->place) || (start && e->start))
        ff_report_add(r->report, FF_ERROR, (place && e->place ? place : start)->key_place,
                      "'%s' is given twice: at the top and inside 'robot'", place && e->place ? "place" : "start");
    if (place) e->place = place;
    if (start) e->start = start;
}

/// Loads the robots, then the objects as a last entry, if there are any. @return false after an error
/// @param n  out: number of entries
static bool load_all(ff_scene_reader *r, entry *entries, ff_yaml *node, int *n)
{
    bool single = ff_yaml_get(r->root, "robot") != NULL, fine = true;
    *n = r->scene->nrobot;
    for (int i = 0; i < *n && fine; i++, node = node->next) {
        const char *name = read_file_name(r, node, &entries[i]);
        entries[i].number = i;
        if (single) take_top_keys(r, &entries[i]);
        fine = name && load_robot(r, &entries[i], &r->scene->robots[i], name);
    }
    if (!fine || !ff_yaml_get(r->root, "objects")) return fine;
    (*n)++;
    return load_objects(r, &entries[*n - 1]);
}

bool ff_scene_read_robots(ff_scene_reader *r)
{
    int n, errors = r->report->errors;
    ff_yaml *node = find_nodes(r, &n);
    if (r->report->errors > errors) return false;
    entry *entries = calloc((size_t)n + 1, sizeof *entries);
    r->scene->robots = FF_ARENA_NEW(&r->scene->arena, ff_scene_robot, n + 1);
    r->scene->nrobot = n;
    r->nmaterial = r->spec->nmaterial; // those of the scene itself
    bool fine = entries && r->scene->robots && load_all(r, entries, node, &n);
    if (fine) name_robots(r, entries, r->scene->nrobot);
    fine = fine && compile(r, entries, n);
    for (int i = 0; fine && i < r->scene->nrobot; i++) {
        r->scene->robots[i].model = entries[i].model;
        r->scene->robots[i].assumed_model = entries[i].assumed_model;
        entries[i].model = entries[i].assumed_model = NULL;
    }
    if (!fine && r->report->errors == 0) ff_report_add(r->report, FF_ERROR, r->root->place, "out of memory");
    if (entries) free_entries(entries, n);
    return fine;
}
