// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Public robots beside MuJoCo, from one and the same file: a second on a plane, from the keyframe of the file, with the
// defaults of both: `footfall run robot.xml` on the one side, with its ledger, measures and drives, mj_step with the
// step and solver of the file on the other. And loading: a file with meshes, to a model whose contacts can be computed
// (hulls included). Needs ../shared/models; skipped without.
#include <footfall/footfall.h>
#include <footfall/text.h>
#include <mujoco/mujoco.h>

#include "clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHARED FF_SOURCE_DIR "/../shared/models"

enum { BLOCKS = 5, LOADS = 10 };

/// Path of the one file that both read, which is written again for each comparison.
static char robot_path[64];

static bool write_robot(const char *xml)
{
    FILE *file = fopen(robot_path, "wb");
    const bool good = file && fputs(xml, file) >= 0;
    if (!file || fclose(file) != 0 || !good) fprintf(stderr, "bench: cannot write %s\n", robot_path);
    return good;
}

static bool there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file;
}

// ------------------------------------------------------------------------------------------ a second of each

typedef struct public_robot {
    const char *path;
    const ff_scene_spec *scene;
    mjModel *model;
    mjData *data;
    long long steps, their_steps;
    bool failed;
} public_robot;

static double run_theirs(void *context)
{
    public_robot *r = context;
    if (r->model->nkey > 0)
        mj_resetDataKeyframe(r->model, r->data, 0);
    else
        mj_resetData(r->model, r->data);
    const double start = r->data->time, from = now();
    for (r->their_steps = 0; r->data->time < start + 1.0; r->their_steps++) mj_step(r->model, r->data);
    return now() - from;
}

static double run_ours(void *context)
{
    public_robot *r = context;
    ff_report report = {0};
    ff_error err = {0};
    ff_run_options o = ff_run_options_default(r->scene);
    o.record.nchannel = 0; // no files
    ff_run *run = ff_run_create(r->scene, &o, &report);
    const double from = now();
    const ff_status status = run ? ff_run_go(run, &err) : FF_BAD_MODEL;
    const double time = now() - from;
    if (status != FF_OK) {
        fprintf(stderr, "bench: %s: %s\n", r->path, run ? err.text : report.messages[0].text);
        r->failed = true;
    } else {
        r->steps = ff_sim_get_counts(ff_run_sim(run)).steps;
    }
    ff_run_destroy(run);
    ff_report_clear(&report);
    return time;
}

/// The robot with a plane in its world, as a file for both. (MuJoCo includes files of the same folder alone.)
static bool write_on_plane(const char *file)
{
    char *text = NULL;
    size_t length;
    ff_error err = {0};
    const bool read = ff_text_read(file, 1 << 20, &text, &length, &err) == FF_OK;
    char *end = read ? strstr(text, "</worldbody>") : NULL, *xml = malloc(read ? length + 200 : 1);
    const bool good = end && xml;
    if (good) {
        snprintf(xml, length + 200,
                 "%.*s<geom name='bench_floor' type='plane' size='0 0 1' contype='1' conaffinity='15' condim='3'/>%s",
                 (int)(end - text), text, end);
        write_robot(xml);
    } else {
        fprintf(stderr, "bench: %s: %s\n", file, read ? "it has no <worldbody>" : err.text);
    }
    free(text);
    free(xml);
    return good;
}

static void compare(const char *name, const char *file)
{
    static const char *const second[] = {"time=1"};
    char conditions[500] = "";
    public_robot r = {.path = file};
    ff_report report = {0};
    if (!write_on_plane(file)) return;
    r.model = mj_loadXML(robot_path, NULL, conditions, sizeof conditions);
    r.scene = ff_scene_of_robot(robot_path, FF_SINGLE_FREE, NULL, second, 1, &report);
    if (!r.model || !r.scene) {
        fprintf(stderr, "bench: %s: %s\n", file, r.model ? report.messages[0].text : conditions);
    } else {
        r.data = mj_makeData(r.model);
        const duel d = duel_run(run_theirs, &r, run_ours, &r, BLOCKS);
        if (!r.failed)
            printf("%-8s %4d %10.1f %8lld %10.1f %8lld %8.2f %8.2f\n", name, r.model->nv, 1.0 / d.theirs, r.their_steps,
                   1.0 / d.ours, r.steps, d.theirs / d.ours, d.median_ratio);
        mj_deleteData(r.data);
    }
    if (r.model) mj_deleteModel(r.model);
    ff_scene_destroy(r.scene);
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ loading

static double load_theirs(void *context)
{
    const double from = now();
    mjModel *model = mj_loadXML(context, NULL, NULL, 0);
    const double time = now() - from;
    if (model) mj_deleteModel(model);
    return time;
}

static double load_ours(void *context)
{
    const double from = now();
    ff_model *model = ff_model_load(context, NULL, NULL);
    ff_world *world = model ? ff_world_create(model, NULL, NULL) : NULL;
    const double time = now() - from;
    ff_world_destroy(world);
    ff_model_destroy(model);
    return time;
}

/// Links of Solo 12, one mesh each.
static void compare_loading(void)
{
    static const char *const meshes[] = {"solo_12_base",
                                         "solo12_hip_fe_fl",
                                         "solo12_hip_fe_fr",
                                         "solo12_hip_fe_hl",
                                         "solo12_hip_fe_hr",
                                         "solo12_upper_leg_left_side",
                                         "solo12_upper_leg_right_side",
                                         "solo12_lower_leg_left_side",
                                         "solo12_lower_leg_right_side"};
    static const char folder[] = SHARED "/urdf/example-robot-data/robots/solo_description/meshes/stl/solo12";
    char assets[4000] = "", bodies[4000] = "", xml[9000], path[600], conditions[500] = "";
    size_t a = 0, b = 0;
    int count = 0, triangles = 0;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        snprintf(path, sizeof path, "%s/%s.stl", folder, meshes[i]);
        if (!there(path)) continue;
        a += (size_t)snprintf(assets + a, sizeof assets - a, "<mesh name='%s' file='%s.stl'/>", meshes[i], meshes[i]);
        b +=
            (size_t)snprintf(bodies + b, sizeof bodies - b,
                             "<body pos='%d 0 1'><freejoint/><geom type='mesh' mesh='%s'/></body>", count++, meshes[i]);
    }
    if (count == 0) {
        printf("loading: no meshes at %s\n", folder);
        return;
    }
    snprintf(xml, sizeof xml, "<mujoco><compiler meshdir='%s'/><asset>%s</asset><worldbody>%s</worldbody></mujoco>",
             folder, assets, bodies);
    if (!write_robot(xml)) return;
    ff_model *model = ff_model_load(robot_path, NULL, NULL);
    mjModel *theirs = mj_loadXML(robot_path, NULL, conditions, sizeof conditions);
    if (!model || !theirs) {
        fprintf(stderr, "bench: the meshes cannot be loaded %s\n", conditions);
    } else {
        for (int i = 0; i < model->nmesh; i++) triangles += model->meshes[i]->ntriangle;
        const duel d = duel_run(load_theirs, robot_path, load_ours, robot_path, LOADS);
        printf("\nloading %d meshes with %d triangles: mj_loadXML %.1f ms, here %.1f ms, %.2f times as fast (median "
               "%.2f)\n",
               count, triangles, 1e3 * d.theirs, 1e3 * d.ours, d.theirs / d.ours, d.median_ratio);
    }
    if (theirs) mj_deleteModel(theirs);
    ff_model_destroy(model);
}

int main(void)
{
    static const struct {
        const char *name, *file;
    } robots[] = {{"A1", SHARED "/mjcf/unitree_a1/a1_nomesh.xml"},
                  {"Cassie", SHARED "/mjcf/agility_cassie/cassie_nomesh.xml"},
                  {"hand", SHARED "/mjcf/shadow_hand/right_hand_nomesh.xml"}};
    if (!there(robots[0].file)) {
        printf("skipped: no robots at %s\n", SHARED);
        return 0;
    }
    char folder[] = "/tmp/footfall-bench-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    snprintf(robot_path, sizeof robot_path, "%s/robot.xml", folder);
    printf("one second on a plane, times real time and steps\n%-8s %4s %10s %8s %10s %8s %8s %8s\n", "robot", "nv",
           "mj_step", "steps", "footfall", "steps", "ratio", "median");
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) compare(robots[i].name, robots[i].file);
    compare_loading();
    remove(robot_path);
    rmdir(folder);
    return 0;
}
