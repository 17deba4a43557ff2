// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts of a scene.
#include "scene/internal.h"

/// Can anything meet, or does a sensor look for shapes? A single robot in the air is spared the search.
static bool can_meet(const ff_scene *scene)
{
    const ff_model *m = scene->model;
    bool moving = false, ground = scene->nfield > 0;
    for (int i = 0; i < m->ngeom; i++) {
        const ff_geom *geom = &m->geoms[i];
        if (geom->role == FF_GEOM_VISUAL) continue;
        bool fixed = geom->body < 0 || m->bodies[geom->body].node < 0;
        moving = moving || !fixed;
        ground = ground || fixed;
    }
    if (!scene->contacts) return false;
    if (moving && (ground || m->ntree > 1 || scene->touch.self_collision)) return true;
    return (moving || ground) && ff_scene_looks(scene);
}

/// A height field is added after the world has looked at its pairs.
static ff_status check_field(const ff_scene *scene, int field, ff_error *err)
{
    int count;
    const ff_world_shape *shapes = ff_world_shapes(scene->world, &count);
    for (int i = 0; i < count; i++) {
        const ff_contact_pair *law = ff_world_law(scene->world, field, i);
        if (law && !(law->stiffness > 0.0))
            return ff_error_set(err, FF_BAD_MODEL,
                                "shapes \"%s\" and \"%s\" may meet, but both are rigid: one needs a finite stiffness",
                                shapes[field].name, shapes[i].name);
    }
    return FF_OK;
}

static ff_status add_fields(ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->nfield; i++) {
        const ff_scene_field *f = &scene->fields[i];
        ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = f->field};
        int shape = ff_world_add_ground(scene->world, f->name, &collider, &f->pose, f->material, err);
        if (shape < 0 || check_field(scene, shape, err) != FF_OK) return err->status;
    }
    return FF_OK;
}

static ff_status make_world(ff_scene *scene, ff_error *err)
{
    ff_report report = {0};
    scene->world = ff_world_create(scene->model, &scene->touch, &report);
    ff_status status = FF_OK;
    if (!scene->world)
        status = ff_error_set(err, FF_BAD_MODEL, "%s", report.count ? report.messages[0].text : "no world");
    ff_report_clear(&report);
    return status == FF_OK ? add_fields(scene, err) : status;
}

ff_status ff_scene_add_world(ff_scene *scene, ff_error *err)
{
    if (!can_meet(scene)) return FF_OK;
    ff_status status = make_world(scene, err);
    return status == FF_OK ? ff_sim_add_world(scene->sim, scene->world, err) : status;
}

void ff_scene_check_world(ff_scene_reader *r)
{
    static const char *const keys[] = {"terrain", "objects", "robot", "robots"};
    ff_error err = {0};
    if (!can_meet(r->scene)) return;
    ff_place place = r->root->place;
    for (int i = 3; i >= 0; i--) {
        const ff_yaml *node = ff_yaml_get(r->root, keys[i]);
        if (node) place = node->key_place;
    }
    if (make_world(r->scene, &err) != FF_OK) ff_report_add(r->report, FF_ERROR, place, "%s", err.text);
    ff_scene_clear_world(r->scene);
}

void ff_scene_clear_world(ff_scene *scene)
{
    ff_world_destroy(scene->world);
    scene->world = NULL;
}
