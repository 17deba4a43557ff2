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

/// At its own place, else at `contacts` of the scene.
static void report_at(const ff_run *run, ff_severity severity, ff_place place, ff_report *report, const char *text)
{
    ff_report_add(report, severity, place.line > 0 ? place : run->scene->touch_place, "%s", text);
}

/// A height field is added after the world has looked at its pairs.
static bool check_field(const ff_run *run, int field, ff_error *err)
{
    int count;
    const ff_world_shape *shapes = ff_world_shapes(run->world, &count);
    for (int i = 0; i < count; i++) {
        const ff_contact_pair *law = ff_world_law(run->world, field, i);
        if (!law || law->stiffness > 0.0) continue;
        ff_error_set(err, FF_BAD_MODEL,
                     "shapes \"%s\" and \"%s\" may meet, but both are rigid: one needs a finite stiffness",
                     shapes[field].name, shapes[i].name);
        return false;
    }
    return true;
}

static bool add_fields(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    bool added = true;
    for (int i = 0; i < scene->nfield; i++) {
        const ff_scene_field *f = &scene->fields[i];
        const ff_collider collider = {.type = FF_COLLIDER_FIELD, .field = f->field};
        ff_error err = {0};
        const int shape = ff_world_add_ground(run->world, f->name, &collider, &f->pose, f->material, &err);
        if (shape >= 0 && check_field(run, shape, &err)) continue;
        report_at(run, FF_ERROR, (ff_place){0}, report, err.text);
        added = false;
    }
    return added;
}

static bool make_world(ff_run *run, ff_report *report)
{
    ff_report found = {0};
    run->world = ff_world_create(run->scene->model, &run->scene->touch, &found);
    for (int i = 0; i < found.count; i++) {
        const ff_message *m = &found.messages[i];
        report_at(run, m->severity, (ff_place){m->file, m->line, m->column}, report, m->text);
    }
    if (!run->world && found.errors == 0) report_at(run, FF_ERROR, (ff_place){0}, report, ff_status_text(FF_NO_MEMORY));
    ff_report_clear(&found);
    return run->world && add_fields(run, report);
}

bool ff_run_add_world(ff_run *run, ff_report *report)
{
    ff_error err = {0};
    if (!can_meet(run->scene)) return true;
    if (!make_world(run, report)) return false;
    if (ff_sim_add_world(run->sim, run->world, &err) == FF_OK) return true;
    report_at(run, FF_ERROR, (ff_place){0}, report, err.text);
    return false;
}
