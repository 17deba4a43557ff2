// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts of a scene.
#include "scene/running.h"

/// Can anything meet, or does a sensor look for shapes? A single robot in the air is spared the search.
static bool can_meet(const ff_scene_spec *scene)
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
static ff_status check_field(const ff_run *run, int field, ff_error *err)
{
    int count;
    const ff_world_shape *shapes = ff_world_shapes(run->world, &count);
    for (int i = 0; i < count; i++) {
        const ff_contact_pair *law = ff_world_law(run->world, field, i);
        if (law && !(law->stiffness > 0.0))
            return ff_error_set(err, FF_BAD_MODEL,
                                "shapes \"%s\" and \"%s\" may meet, but both are rigid: one needs a finite stiffness",
                                shapes[field].name, shapes[i].name);
    }
    return FF_OK;
}

static ff_status add_fields(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    for (int i = 0; i < scene->nfield; i++) {
        const ff_scene_field *f = &scene->fields[i];
        ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = f->field};
        int shape = ff_world_add_ground(run->world, f->name, &collider, &f->pose, f->material, err);
        if (shape < 0 || check_field(run, shape, err) != FF_OK) return err->status;
    }
    return FF_OK;
}

static ff_status make_world(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    ff_report report = {0};
    run->world = ff_world_create(scene->model, &scene->touch, &report);
    ff_status status = FF_OK;
    if (!run->world)
        status = ff_error_set(err, FF_BAD_MODEL, "%s", report.count ? report.messages[0].text : "no world");
    ff_report_clear(&report);
    return status == FF_OK ? add_fields(run, err) : status;
}

ff_status ff_run_add_world(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (!can_meet(scene)) return FF_OK;
    ff_status status = make_world(run, err);
    return status == FF_OK ? ff_sim_add_world(run->sim, run->world, err) : status;
}
