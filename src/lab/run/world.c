// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts of a scene.
#include "run/assembly.h"

#include <stdio.h>
#include <string.h>

/// Does a scene need a world of contacts? A single robot in the air without ground does not, which saves the search.
bool ff_scene_has_contacts(const ff_scene_spec *scene)
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
    return (moving || ground) && ff_scene_senses_shapes(scene);
}

/// Reports at a place, or at `contacts` of the scene if there is none.
static void report_at(const ff_run *run, ff_severity severity, ff_place place, ff_report *report, const char *text)
{
    ff_report_add(report, severity, place.line > 0 ? place : run->scene->touch_place, "%s", text);
}

/// Checks the pairs of a height field, which is added after the world has checked its pairs. @return false with `err`
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

/// Excludes pairs of bodies of one robot that overlap at the start from collision, unless the scene has
/// `self_collision: all`.
static void leave_out_overlaps(const ff_run *run, ff_report *report)
{
    enum { NAMED_MOST = 3 };
    ff_world_overlap all[NAMED_MOST];
    char names[400] = "";
    const ff_model *m = run->scene->model;
    const int count = ff_world_leave_out_overlaps(run->world, run->q, all, NAMED_MOST);
    for (int i = 0; i < count && i < NAMED_MOST; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s'%.40s' and '%.40s' by %.3g mm", i ? ", " : "",
                 m->bodies[all[i].body1].name, m->bodies[all[i].body2].name, 1e3 * all[i].depth);
    if (count > 0)
        ff_report_add(report, FF_NOTE, run->scene->touch_place,
                      "%d pair%s of bodies of one robot overlap%s at the start and do%s not touch each other: %s%s; "
                      "self_collision: all lets them",
                      count, count == 1 ? "" : "s", count == 1 ? "s" : "", count == 1 ? "es" : "", names,
                      count > NAMED_MOST ? ", .." : "");
}

bool ff_run_add_world(ff_run *run, ff_report *report)
{
    ff_error err = {0};
    if (!ff_scene_has_contacts(run->scene)) return true;
    if (!make_world(run, report)) return false;
    if (!run->scene->touch_overlaps) leave_out_overlaps(run, report);
    if (ff_sim_add_world(run->sim, run->world, &err) == FF_OK) return true;
    report_at(run, FF_ERROR, (ff_place){0}, report, err.text);
    return false;
}
