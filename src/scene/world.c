// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts of a scene.
#include "scene/internal.h"

/// Can anything meet? A single robot in the air cannot, and is spared the search.
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
    return scene->contacts && moving && (ground || m->ntree > 1 || scene->touch.self_collision);
}

static ff_status add_fields(ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->nfield; i++) {
        const ff_scene_field *f = &scene->fields[i];
        ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = f->field};
        if (ff_world_add_ground(scene->world, f->name, &collider, &f->pose, f->material, err) < 0) return err->status;
    }
    return FF_OK;
}

ff_status ff_scene_add_world(ff_scene *scene, ff_error *err)
{
    if (!can_meet(scene)) return FF_OK;
    ff_report report = {0};
    ff_status status = FF_OK;
    scene->world = ff_world_create(scene->model, &scene->touch, &report);
    if (!scene->world) status = ff_report_to_error(&report, FF_BAD_MODEL, err);
    ff_report_clear(&report);
    if (status == FF_OK) status = add_fields(scene, err);
    return status == FF_OK ? ff_sim_add_world(scene->sim, scene->world, err) : status;
}

void ff_scene_clear_world(ff_scene *scene)
{
    ff_world_destroy(scene->world);
    scene->world = NULL;
}
