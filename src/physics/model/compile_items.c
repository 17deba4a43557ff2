// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Last stage of the compiler: items that refer to bodies and joints, names resolved to numbers.
#include "model/compile.h"
#include "model/edit.h"
#include "model/fields.h"

#include <stdlib.h>

static const char *copy_text(ff_compiler *c, const char *text)
{
    return text ? ff_arena_strdup(&c->model->arena, text) : NULL;
}

static int map_body(const ff_compiler *c, int spec_body)
{
    return spec_body < 0 ? -1 : c->body_to[spec_body];
}

/// Number of a body by its name; "" and "world" mean the world.
static int resolve_body(ff_compiler *c, const char *name, ff_place place, const char *user, const char *user_name)
{
    if (name && (!name[0] || strcmp(name, "world") == 0)) return -1;
    return ff_compile_find(c, &c->body_names, name, place, user, user_name, "body");
}

static bool copy_meshes(ff_compiler *c)
{
    ff_model *m = c->model;
    m->meshes = FF_ARENA_NEW(&m->arena, ff_mesh *, c->spec->nmesh + 1);
    m->mesh_names = FF_ARENA_NEW(&m->arena, const char *, c->spec->nmesh + 1);
    if (!m->meshes || !m->mesh_names) return false;
    for (; m->nmesh < c->spec->nmesh; m->nmesh++) {
        const ff_spec_mesh *from = &c->spec->meshes[m->nmesh];
        const ff_mesh *data = from->data;
        m->mesh_names[m->nmesh] = copy_text(c, from->name ? from->name : "");
        if (!data) continue;
        ff_error err = {0};
        m->meshes[m->nmesh] = ff_mesh_create(data->vertices, data->nvertex, data->triangles, data->ntriangle, &err);
        if (m->meshes[m->nmesh]) continue;
        if (err.status == FF_NO_MEMORY) return false;
        ff_report_add(c->report, FF_ERROR, from->place, "mesh \"%s\": %s", m->mesh_names[m->nmesh], err.text);
    }
    return true;
}

static bool copy_geoms(ff_compiler *c)
{
    ff_model *m = c->model;
    m->ngeom = c->spec->ngeom;
    m->geoms = FF_ARENA_NEW(&m->arena, ff_geom, m->ngeom + 1);
    if (!m->geoms) return false;
    for (int i = 0; i < m->ngeom; i++) {
        const ff_spec_geom *from = &c->spec->geoms[i];
        ff_geom *geom = &m->geoms[i];
        *geom = (ff_geom){.name = copy_text(c, from->name),
                          .body = map_body(c, from->body),
                          .shape = {.type = from->type},
                          .role = from->role,
                          .group = from->group,
                          .contype = from->contype,
                          .conaffinity = from->conaffinity,
                          .condim = from->condim,
                          .has_friction = from->has_friction,
                          .mjcf = from->mjcf,
                          .place = from->place,
                          .material = copy_text(c, from->material),
                          .mesh = from->mesh};
        ff_vec3_copy(geom->shape.size, from->size);
        ff_vec3_copy(geom->pos, from->pos);
        ff_quat_copy(geom->quat, from->quat);
        ff_quat_normalise(geom->quat);
        ff_quat_copy(geom->rgba, from->rgba);
        ff_vec3_copy(geom->friction, from->friction);
        geom->place.file = copy_text(c, from->place.file);
        if (from->mesh < 0) continue;
        // the mesh data has its own frame inside the geom's
        const ff_spec_mesh *mesh = &c->spec->meshes[from->mesh];
        double turned[4];
        geom->shape.mesh = m->meshes[from->mesh];
        ff_quat_copy(turned, geom->quat);
        ff_vec3_copy(geom->pos, mesh->pos);
        ff_quat_copy(geom->quat, mesh->quat);
        ff_pose_displace(geom->pos, geom->quat, from->pos, turned);
        ff_quat_normalise(geom->quat);
    }
    return true;
}

/// Adds the frame of a body to the frames of the model if a foot or a hand names the body: links of URDF have no other
/// frames.
static bool add_body_frame(ff_compiler *c, const char *name)
{
    ff_model *m = c->model;
    const int body = name && ff_names_get(&c->frame_names, name) < 0 ? ff_names_get(&c->body_names, name) : -1;
    if (body < 0) return true;
    ff_frame *frame = &m->frames[m->nframe];
    *frame = (ff_frame){.name = copy_text(c, name), .body = body, .quat = {1, 0, 0, 0}};
    if (!frame->name) return false;
    ff_names_put(&c->frame_names, frame->name, m->nframe++);
    return true;
}

static bool copy_frames(ff_compiler *c)
{
    ff_model *m = c->model;
    const int most = c->spec->nframe + c->spec->nleg + c->spec->nhand;
    m->frames = FF_ARENA_NEW(&m->arena, ff_frame, most + 1);
    if (!m->frames || !ff_names_init(&c->frame_names, &c->scratch, most)) return false;
    m->nframe = c->spec->nframe;
    for (int i = 0; i < m->nframe; i++) {
        const ff_spec_frame *from = &c->spec->frames[i];
        ff_frame *frame = &m->frames[i];
        frame->name = copy_text(c, from->name);
        frame->body = map_body(c, from->body);
        ff_vec3_copy(frame->pos, from->pos);
        ff_quat_copy(frame->quat, from->quat);
        ff_quat_normalise(frame->quat);
        if (!frame->name) return false;
        ff_names_put(&c->frame_names, frame->name, i);
    }
    for (int i = 0; i < c->spec->nleg; i++)
        if (!add_body_frame(c, c->spec->legs[i].foot)) return false;
    for (int i = 0; i < c->spec->nhand; i++)
        if (!add_body_frame(c, c->spec->hands[i].frame)) return false;
    return true;
}

/// Copies of all items of a kind, with a name for each that may have one. @return NULL when memory is short
static void *copy_all(ff_compiler *c, ff_spec_item kind, bool named)
{
    const int count = ff_item_count(c->spec, kind);
    const size_t size = ff_item_kinds[kind].size;
    char *items = ff_arena_alloc(&c->model->arena, (size_t)count + 1, size);
    if (items && count > 0) memcpy(items, ff_item_at(c->spec, kind, 0), (size_t)count * size);
    for (int i = 0; items && i < count; i++) {
        void *item = items + (size_t)i * size;
        if (!ff_fields_copy(ff_item_kinds[kind].fields, item, &c->model->arena, NULL, NULL)) return NULL;
        const char **name = item;
        if (named && !*name) *name = "";
    }
    return items;
}

static bool copy_drives(ff_compiler *c)
{
    ff_model *m = c->model;
    m->ndrive = c->spec->ndrive;
    m->drives = copy_all(c, FF_ITEM_DRIVE, true);
    if (!m->drives) return false;
    for (int i = 0; i < m->ndrive; i++) {
        const ff_spec_drive *drive = &m->drives[i], *from = &c->spec->drives[i];
        for (int k = 0; k < 2; k++)
            if (k == 0 || drive->joint[k])
                ff_compile_find(c, &c->joint_names, drive->joint[k], from->place, "drive", from->name, "joint");
    }
    return true;
}

static bool copy_batteries(ff_compiler *c)
{
    c->model->nbattery = c->spec->nbattery;
    c->model->batteries = copy_all(c, FF_ITEM_BATTERY, true);
    return c->model->batteries != NULL;
}

static bool copy_sensors(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nsensor = c->spec->nsensor;
    m->sensors = copy_all(c, FF_ITEM_SENSOR, true);
    if (!m->sensors) return false;
    const struct {
        const char *kind, *word; // as MJCF calls it, and in messages about other files
        const ff_names *names;
    } kinds[] = {{"joint", "joint", &c->joint_names},
                 {"site", "frame", &c->frame_names},
                 {"tendon", "tendon", &c->tendon_names},
                 {"actuator", "actuator", &c->actuator_names}};
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *from = &c->spec->sensors[i], *sensor = &m->sensors[i];
        if (strcmp(sensor->object_type, "body") == 0)
            resolve_body(c, sensor->object, from->place, "sensor", sensor->name);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (strcmp(sensor->object_type, kinds[k].kind) == 0)
                ff_compile_find(c, kinds[k].names, sensor->object, from->place, "sensor", sensor->name,
                                ff_compile_is_mjcf(from->place) ? kinds[k].kind : kinds[k].word);
    }
    return true;
}

static bool copy_excludes(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nexclude = c->spec->nexclude;
    m->excludes = FF_ARENA_NEW(&m->arena, int, 2 * m->nexclude + 1);
    if (!m->excludes) return false;
    for (int i = 0; i < m->nexclude; i++) {
        const ff_spec_exclude *from = &c->spec->excludes[i];
        const char *names[2] = {from->body1, from->body2};
        for (int k = 0; k < 2; k++) m->excludes[2 * i + k] = resolve_body(c, names[k], from->place, "exclude", "");
    }
    return true;
}

static bool copy_pairs(ff_compiler *c)
{
    ff_model *m = c->model;
    ff_names geoms = {0};
    m->npair = c->spec->npair;
    m->pairs = FF_ARENA_NEW(&m->arena, ff_geom_pair, m->npair + 1);
    if (!m->pairs) return false;
    if (m->npair > 0 && !ff_names_init(&geoms, &c->scratch, m->ngeom)) return false;
    for (int i = 0; m->npair > 0 && i < m->ngeom; i++)
        if (m->geoms[i].name) ff_names_put(&geoms, m->geoms[i].name, i);
    for (int i = 0; i < m->npair; i++) {
        const ff_spec_pair *from = &c->spec->pairs[i];
        const int geom1 = ff_compile_find(c, &geoms, from->geom1, from->place, "pair", "", "shape");
        const int geom2 = ff_compile_find(c, &geoms, from->geom2, from->place, "pair", "", "shape");
        if (geom1 < 0 || geom2 < 0) continue; // reported
        m->pairs[i] =
            (ff_geom_pair){geom1, geom2, .condim = from->condim, .numbers = from->numbers, .place = from->place};
        ff_vec3_copy(m->pairs[i].friction, from->friction);
        m->pairs[i].place.file = copy_text(c, from->place.file);
        m->geoms[geom1].paired = m->geoms[geom2].paired = true;
    }
    return true;
}

/// Copies `given` numbers (or the fallback) to a new array of length n; a wrong count is reported.
static double *key_array(ff_compiler *c, const ff_spec_key *key, const char *what, const double *given, int count,
                         int n, const double *fallback)
{
    double *out = FF_ARENA_NEW(&c->model->arena, double, n + 1);
    if (given && count != n)
        ff_report_add(c->report, FF_ERROR, key->place, "keyframe \"%s\": %s has %d numbers, the model needs %d",
                      key->name ? key->name : "", what, count, n);
    const double *source = given && count == n ? given : fallback;
    if (out && source) memcpy(out, source, (size_t)n * sizeof *out);
    for (int i = 0; out && i < n; i++) {
        if (fabs(out[i]) <= 1e12) continue;
        ff_report_add(c->report, FF_ERROR, key->place, "keyframe \"%s\": %s has the value %g",
                      key->name ? key->name : "", what, out[i]);
        break;
    }
    return out;
}

static void normalise_quaternions(const ff_model *m, double *q)
{
    for (int i = 0; i < m->nnode; i++) {
        if (m->nodes[i].type == FF_NODE_BALL) ff_quat_normalise(q + m->nodes[i].qadr);
        if (m->nodes[i].type == FF_NODE_FREE) ff_quat_normalise(q + m->nodes[i].qadr + 3);
    }
}

static bool copy_keys(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nkey = c->spec->nkey;
    m->keys = FF_ARENA_NEW(&m->arena, ff_key, m->nkey + 1);
    if (!m->keys) return false;
    for (int i = 0; i < m->nkey; i++) {
        const ff_spec_key *from = &c->spec->keys[i];
        ff_key *key = &m->keys[i];
        key->name = copy_text(c, from->name ? from->name : "");
        key->time = from->time;
        key->q = key_array(c, from, "q", from->q, from->nq, m->nq, m->q0);
        key->v = key_array(c, from, "v", from->v, from->nv, m->nv, NULL);
        key->command = key_array(c, from, "command", from->command, from->ncommand, m->nactuator, NULL);
        key->activation = key_array(c, from, "activation", from->activation, from->nactivation, m->nactuator, NULL);
        key->mocap = from->mocap ? key_array(c, from, "mocap", from->mocap, from->nmocap, 7 * m->nmocap, NULL) : NULL;
        key->commanded = from->command != NULL;
        key->activated = from->activation != NULL;
        if (!key->name || !key->q || !key->v || !key->command || !key->activation) return false;
        if (!isfinite(key->time))
            ff_report_add(c->report, FF_ERROR, from->place, "keyframe \"%s\": its time is %g", key->name, key->time);
        normalise_quaternions(m, key->q);
    }
    return true;
}

/// The controller checks that the pose exists: a scene of several robots has none of its name.
static bool copy_bipeds(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nbiped = c->spec->nbiped;
    m->bipeds = copy_all(c, FF_ITEM_BIPED, false);
    if (!m->bipeds) return false;
    for (int i = 0; i < m->nbiped; i++) {
        const ff_spec_biped *from = &c->spec->bipeds[i];
        if (from->torso && ff_model_find_body(m, from->torso) < 0)
            ff_report_add(c->report, FF_ERROR, from->place,
                          "biped: the torso refers to body \"%s\", which does not exist", from->torso);
    }
    return true;
}

static bool copy_materials(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nmaterial = c->spec->nmaterial;
    m->materials = FF_ARENA_NEW(&m->arena, ff_material, m->nmaterial + 1);
    if (!m->materials) return false;
    for (int i = 0; i < m->nmaterial; i++) {
        const ff_spec_material *from = &c->spec->materials[i];
        m->materials[i] = from->material;
        m->materials[i].source = copy_text(c, from->material.source);
        ff_material_check(&from->material, c->report, from->place);
        if (ff_spec_find_material(c->spec, from->material.name) < i)
            ff_report_add(c->report, FF_ERROR, from->place, "material '%s': the name is taken already",
                          from->material.name);
    }
    for (int i = 0; i < c->spec->ngeom; i++) {
        const ff_spec_geom *geom = &c->spec->geoms[i];
        ff_place place = geom->material_place.line ? geom->material_place : geom->place;
        if (geom->material) ff_material_resolve(c->spec, geom->material, NULL, place, c->report);
    }
    return true;
}

static bool copy_ignored(ff_compiler *c)
{
    c->model->nignored = c->spec->nignored;
    c->model->ignored = copy_all(c, FF_ITEM_IGNORED, false);
    return c->model->ignored != NULL;
}

bool ff_compile_items(ff_compiler *c)
{
    int errors = c->report->errors;
    bool done = copy_meshes(c) && copy_geoms(c) && copy_frames(c) && ff_compile_tendons(c) && ff_compile_actuators(c) &&
                copy_drives(c) && copy_batteries(c) && copy_sensors(c) && ff_compile_legs(c) && ff_compile_limbs(c) &&
                ff_compile_loops(c) && copy_excludes(c) && copy_pairs(c) && copy_keys(c) && copy_bipeds(c) &&
                copy_materials(c) && copy_ignored(c);
    return done && c->report->errors == errors;
}
