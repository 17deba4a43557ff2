// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of cameras as files: `record: {pictures: [left_camera, "*_eye"]}`. Each picture becomes NAME-00001.png, in
// colour, and NAME-00001-depth.png, 16-bit grey in millimetres, at the rate of its camera; pictures.csv lists them with
// their times. What cannot be written ends the run, as with recordings.
#include "scene/running.h"

#include <footfall/text.h>
#include <stdio.h>
#include <string.h>

#define MOST_PICTURES 100000 // of a run: a mistake in a rate should not fill a disk

struct ff_run_pictures {
    const char *folder;
    FILE *list;
    int *cameras; // sensors
    double *last; // time of their last picture  [s]
    int *number;  // pictures so far
    int n;
    ff_error err; // the first
};
typedef struct ff_run_pictures pictures;

void ff_scene_read_pictures(ff_scene_reader *r, ff_yaml *record)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(record, "pictures");
    const int n = ff_scene_count(list);
    scene->pictures = FF_ARENA_NEW(&scene->arena, const char *, n + 1);
    if (n == 0 || !scene->pictures) return;
    for (const ff_yaml *item = list->child; item; item = item->next)
        scene->pictures[scene->npicture++] = ff_arena_strdup(&scene->arena, item->text);
}

static bool wanted(const ff_scene_spec *scene, const ff_sensor *s)
{
    for (int i = 0; i < scene->npicture; i++)
        if (s->camera && ff_text_matches(scene->pictures[i], s->name)) return true;
    return false;
}

// ------------------------------------------------------------------------------------------ checks

static void check_name(const ff_scene_reader *r, const ff_sensor_set *set, const ff_yaml *item, const char *name)
{
    const char *names[200];
    int n = 0;
    for (int i = 0; i < set->n; i++) {
        if (!set->sensors[i].camera) continue;
        if (ff_text_matches(name, set->sensors[i].name)) return;
        if (n < 200) names[n++] = set->sensors[i].name;
    }
    ff_scene_report_unknown(r, item->place, "camera", name, names, n);
}

void ff_scene_check_pictures(ff_scene_reader *r)
{
    const ff_scene_spec *scene = r->scene;
    ff_yaml *list = scene->npicture ? ff_yaml_get(ff_yaml_get(r->root, "record"), "pictures") : NULL;
    if (!list) return;
    if (!scene->sensed || !scene->sensor_options.cameras) {
        ff_report_add(r->report, FF_ERROR, list->place,
                      "pictures need cameras: write 'effects: {sensors: perfect, cameras: true}'");
        return;
    }
    const ff_sensor_set *set = scene->plant->sensors;
    double count = 0.0;
    int i = 0;
    for (ff_yaml *item = list->child; set && item && i < scene->npicture; item = item->next)
        check_name(r, set, item, scene->pictures[i++]);
    for (int k = 0; set && k < set->n; k++)
        if (wanted(scene, &set->sensors[k])) count += scene->time / set->sensors[k].chain.period;
    if (count > MOST_PICTURES)
        ff_report_add(r->report, FF_ERROR, list->place,
                      "%.0f pictures are more than the limit of %d: lower the rate of the cameras or the time", count,
                      MOST_PICTURES);
}

// ------------------------------------------------------------------------------------------ writing

enum { NAME_SIZE = 120 }; // of a camera in the name of a file

/// Names of imported robots may hold what a file's name or a list must not.
static void to_file_name(const char *name, char out[NAME_SIZE])
{
    size_t n = 0;
    for (; name[n] && n < NAME_SIZE - 1; n++) out[n] = strchr("/\\,\"", name[n]) || name[n] < ' ' ? '_' : name[n];
    out[n] = '\0';
}

static void write_one(pictures *p, int i, const ff_picture *picture, const char *sensor)
{
    char path[1200], depth[1200], name[NAME_SIZE];
    to_file_name(sensor, name);
    p->last[i] = picture->time;
    p->number[i]++;
    if (p->err.status != FF_OK) return;
    snprintf(path, sizeof path, "%s/%s-%05d.png", p->folder, name, p->number[i]);
    snprintf(depth, sizeof depth, "%s/%s-%05d-depth.png", p->folder, name, p->number[i]);
    if (ff_picture_write(picture, path, &p->err) != FF_OK || ff_picture_write_depth(picture, depth, &p->err) != FF_OK)
        return;
    if (fprintf(p->list, "%.17g,%s,%s,%s\n", picture->time, name, strrchr(path, '/') + 1, strrchr(depth, '/') + 1) < 0)
        ff_error_set(&p->err, FF_NOT_WRITTEN, "%s/pictures.csv: cannot be written", p->folder);
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    pictures *p = context;
    (void)t;
    for (int i = 0; i < p->n; i++) {
        const ff_picture *picture = ff_sim_picture(sim, (ff_sensor_id){p->cameras[i]});
        if (picture->time > p->last[i]) write_one(p, i, picture, ff_sim_sensors(sim)->sensors[p->cameras[i]].name);
    }
    if (p->err.status == FF_OK) return FF_SIM_GO;
    ff_sim_stop(sim, p->err.text);
    return FF_SIM_STOP;
}

ff_status ff_run_open_pictures(ff_run *run, const char *folder, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    ff_error own = {0};
    if (!err) err = &own;
    if (!scene->plant->sensors) return ff_error_set(err, FF_BAD_ARGUMENT, "this scene has no cameras at work");
    if (!ff_picture_built()) return ff_error_set(err, FF_NOT_BUILT, "this build has no libpng to write pictures");
    if (strlen(folder) > 1000) return ff_error_set(err, FF_BAD_ARGUMENT, "the name of the folder is too long");
    const int most = scene->plant->sensors->n + 1;
    pictures *p = FF_ARENA_NEW(&run->arena, pictures, 1);
    if (p) p->cameras = FF_ARENA_NEW(&run->arena, int, most);
    if (p) p->number = FF_ARENA_NEW(&run->arena, int, most);
    if (p) p->last = FF_ARENA_NEW(&run->arena, double, most);
    if (p) p->folder = ff_arena_strdup(&run->arena, folder);
    if (!p || !p->cameras || !p->number || !p->last || !p->folder)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the pictures");
    for (int i = 0; i < scene->plant->sensors->n; i++) {
        const ff_sensor *camera = &scene->plant->sensors->sensors[i];
        if (!wanted(scene, camera)) continue;
        if (strlen(camera->name) >= NAME_SIZE)
            return ff_error_set(err, FF_LIMIT,
                                "camera '%.200s' has a name of %zu characters: pictures are called after cameras of at "
                                "most %d; shorten it",
                                camera->name, strlen(camera->name), NAME_SIZE - 1);
        p->last[p->n] = -1.0;
        p->cameras[p->n++] = i;
    }
    char path[1100];
    snprintf(path, sizeof path, "%s/pictures.csv", folder);
    p->list = fopen(path, "w");
    if (!p->list) return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot be written", path);
    fprintf(p->list, "time [s],camera,picture,depth\n");
    run->pictures = p;
    const ff_listener listener = {.context = p, .step = watch};
    return ff_sim_add_listener(run->sim, &listener, err);
}

int ff_run_picture_count(const ff_run *run)
{
    int count = 0;
    for (int i = 0; run->pictures && i < run->pictures->n; i++) count += run->pictures->number[i];
    return count;
}

ff_status ff_run_close_pictures(ff_run *run, ff_error *err)
{
    pictures *p = run->pictures;
    if (!p || !p->list) return FF_OK;
    watch(p, run->sim, 0.0); // those of the last instant come after its step
    if (fclose(p->list) != 0 && p->err.status == FF_OK)
        ff_error_set(&p->err, FF_NOT_WRITTEN, "%s/pictures.csv: cannot be written", p->folder);
    p->list = NULL;
    if (p->err.status != FF_OK) *err = p->err;
    return p->err.status;
}
