// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a scene to a run: the simulation at its start, with forces, springs, measuring and recorder; the run; the verdict.
#include "scene/events.h"

#include "measure/measure.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

void ff_scene_destroy(ff_scene *scene)
{
    if (!scene) return;
    ff_scene_end(scene);
    for (int i = 0; i < scene->nfield; i++) ff_field_destroy(scene->fields[i].field);
    for (int i = 0; scene->robots && i < scene->nrobot; i++) ff_model_destroy(scene->robots[i].model);
    ff_measures_destroy(scene->measures);
    ff_plant_destroy(scene->plant);
    ff_arena_clear(&scene->arena);
    free(scene);
}

static ff_status set_start(ff_scene *scene, ff_error *err)
{
    const size_t size = (size_t)scene->model->nq * sizeof(double);
    double *q = malloc(size + 1);
    if (!q) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    memcpy(q, scene->q, size);
    ff_dyn_normalise(scene->model, q);
    ff_sim_set_state(scene->sim, q, scene->v);
    free(q);
    return FF_OK;
}

static bool is_channel(ff_sim *sim, const char *pattern)
{
    int count = 0;
    const ff_channel *all = ff_channel_catalogue(sim, &count);
    for (int i = 0; all && i < count; i++)
        if (ff_channel_matches(pattern, all[i].name)) return true;
    return false;
}

/// Signals of a controller that the program has not brought are left out: such a scene can be looked at, if not run.
static ff_status add_recorder(ff_scene *scene, ff_error *err)
{
    const bool lacking = ff_scene_need_controllers(scene, NULL) != FF_OK;
    const char **channels = FF_ARENA_NEW(&scene->arena, const char *, scene->record.nchannel + 1);
    ff_record_options o = scene->record;
    if (!channels) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    o.channels = channels;
    o.nchannel = 0;
    for (int i = 0; i < scene->record.nchannel; i++) {
        const char *pattern = scene->record.channels[i];
        const bool optional = pattern[0] == '?';
        if (optional) pattern++;
        if (optional ? is_channel(scene->sim, pattern) : !lacking || strncmp(pattern, "control.", 8) != 0)
            channels[o.nchannel++] = pattern;
    }
    scene->record.duration = o.duration = scene->time;
    scene->recorder = ff_recorder_create(scene->sim, &o, err);
    return scene->recorder ? FF_OK : err->status;
}

static ff_status add_everything(ff_scene *scene, ff_error *err)
{
    ff_status status = ff_scene_add_events(scene, err);
    if (status == FF_OK) status = ff_scene_add_world(scene, err);
    if (status == FF_OK) status = ff_scene_add_control(scene, err);
    if (status == FF_OK) status = ff_scene_add_plant(scene, err);
    if (status == FF_OK) status = ff_scene_add_controllers(scene, err);
    if (status == FF_OK) status = ff_scene_add_springs(scene, err);
    if (status == FF_OK) status = ff_scene_add_forces(scene, err);
    if (status == FF_OK) status = ff_scene_add_hands(scene, err);
    if (status == FF_OK) status = ff_scene_add_measures(scene, err);
    if (status == FF_OK && scene->record.nchannel > 0) status = add_recorder(scene, err);
    if (status == FF_OK) status = ff_scene_settle(scene, err);
    if (status == FF_OK) ff_scene_start_drives(scene);
    return status;
}

void ff_scene_end(ff_scene *scene)
{
    ff_error ignored = {0};
    ff_scene_close_pictures(scene, &ignored); // of a run that never ended
    scene->picture_files = NULL;
    ff_scene_end_controllers(scene);
    if (scene->measures) ff_measures_end(scene->measures);
    ff_sim_destroy(scene->sim);
    ff_scene_clear_world(scene);
    scene->sim = NULL;
    scene->recorder = NULL;
    scene->hands = NULL;
    ff_scene_drop_events(scene);
}

ff_status ff_scene_begin(ff_scene *scene, ff_error *err)
{
    ff_error own = {0};
    if (!err) err = &own;
    if (scene->sim) return ff_error_set(err, FF_BAD_ARGUMENT, "this scene has begun already");
    scene->sim = ff_sim_create(scene->model, &scene->options, err);
    if (!scene->sim) return err->status;
    ff_status status = set_start(scene, err);
    if (status == FF_OK) status = add_everything(scene, err);
    if (status != FF_OK) ff_scene_end(scene);
    return status;
}

ff_status ff_scene_run(ff_scene *scene, ff_error *err)
{
    ff_error own = {0}, closing = {0};
    if (!err) err = &own;
    ff_status status = ff_scene_need_controllers(scene, err);
    if (status == FF_OK && !scene->sim) status = ff_scene_begin(scene, err);
    if (status != FF_OK) return status;
    status = ff_sim_run(scene->sim, scene->time, err);
    ff_scene_judge(scene, status == FF_OK);
    ff_status files = ff_scene_close_pictures(scene, &closing);
    if (scene->recorder) ff_scene_hand_over_events(scene);
    if (scene->recorder && ff_recorder_close(scene->recorder, &closing) != FF_OK) files = closing.status;
    if (files == FF_OK || status != FF_OK) return status;
    *err = closing;
    return files;
}
