// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A table of four legs with drives and sensors of any kind, in scenes on a floor, as a run and as a batch.
#ifndef FOOTFALL_TESTS_TABLE_ROBOT_H
#define FOOTFALL_TESTS_TABLE_ROBOT_H

#include "check.h"
#include "support/folder.h"
#include "support/message.h"

#include <footfall/footfall.h>

/// Drives of hips and knees, then sensors.
static const char TABLE[] = "footfall: 1\n"
                            "name: table\n"
                            "define:\n"
                            "  hip: &hip %s\n"
                            "  knee: &knee %s\n"
                            "parts:\n"
                            "  leg:\n"
                            "    bodies:\n"
                            "      hip:\n"
                            "        joint: {axis: y, drive: *hip}\n"
                            "        inertial: {mass: 0.3, com: [0, 0, -0.1], box: [0.04, 0.04, 0.2]}\n"
                            "        bodies:\n"
                            "          knee:\n"
                            "            pos: [0, 0, -0.2]\n"
                            "            joint: {axis: y, damping: 0.01, drive: *knee}\n"
                            "            inertial: {mass: 0.2, com: [0, 0, -0.1], box: [0.03, 0.03, 0.2]}\n"
                            "            frames: {tip: {pos: [0, 0, -0.2]}}\n"
                            "            shapes: [{sphere: 0.02, pos: [0, 0, -0.2]}]\n"
                            "    leg: {joints: [hip, knee], foot: tip}\n"
                            "bodies:\n"
                            "  trunk:\n"
                            "    pos: [0, 0, 0.43]\n"
                            "    joint: {name: base, type: free}\n"
                            "    inertial: {mass: 2, box: [0.4, 0.2, 0.08]}\n"
                            "    frames: {unit: {pos: [0.1, 0.02, 0.03], rpy: [0.3, -0.2, 0.5]}}\n"
                            "    attach:\n"
                            "      - {part: leg, prefix: FL_, pos: [0.2, 0.1, 0]}\n"
                            "      - {part: leg, prefix: FR_, pos: [0.2, -0.1, 0]}\n"
                            "      - {part: leg, prefix: RL_, pos: [-0.2, 0.1, 0]}\n"
                            "      - {part: leg, prefix: RR_, pos: [-0.2, -0.1, 0]}\n"
                            "poses:\n"
                            "  stand: {\"*_hip\": 0.3, \"*_knee\": -0.6}\n"
                            "  crouch: {\"*_hip\": 0.6, \"*_knee\": -1.1, \"FL_hip\": 0.2}\n"
                            "%s";

static const char TABLE_SCENE[] = "footfall: 1\n"
                                  "robot: %s\n"
                                  "start: {pose: stand}\n"
                                  "terrain: [{plane: {material: lab-floor}}]\n"
                                  "solver: {method: euler, step: 1e-4}\n"
                                  "time: 1\n"
                                  "%s";

/// A scene, and a run of it.
typedef struct table {
    const ff_scene_spec *scene;
    ff_run *run; // NULL: something was reported
} table;

static ff_report table_report;

/// @param more  of the scene
static table table_create(const char *hip, const char *knee, const char *sensors, const char *more)
{
    static char text[6000];
    table t = {0};
    ff_report_clear(&table_report);
    snprintf(text, sizeof text, TABLE, hip, knee, sensors);
    const char *path = in_folder("table.yaml");
    write_to(path, text, strlen(text));
    snprintf(text, sizeof text, TABLE_SCENE, path, more);
    t.scene = ff_scene_parse(text, strlen(text), "table-scene.yaml", NULL, 0, &table_report);
    if (t.scene) t.run = ff_run_create(t.scene, NULL, &table_report);
    if (!t.run) CHECK_FAIL("%s", message_of(&table_report, 0));
    return t;
}

/// A batch model of it, which must be.
static ff_batch_model *table_compile(const table *t)
{
    ff_report_clear(&table_report);
    ff_batch_model *model = ff_run_compile_batch(t->run, &table_report);
    if (!model) CHECK_FAIL("%s", message_of(&table_report, 0));
    return model;
}

static void table_destroy(table *t)
{
    ff_run_destroy(t->run);
    ff_scene_destroy(t->scene);
    ff_report_clear(&table_report);
}

#endif
