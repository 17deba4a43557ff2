// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of ours in MuJoCo's hands.
#ifndef FOOTFALL_BENCH_MUJOCO_READ_H
#define FOOTFALL_BENCH_MUJOCO_READ_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mjcf_writer.h"

/// @param step  as mjcf_write_contacts; 0: without shapes  [s]
/// @return NULL with the reason on stderr
static inline mjModel *mujoco_read(const ff_model *m, double step)
{
    char trouble[500];
    char *text =
        step > 0.0 ? mjcf_write_contacts(m, step, trouble, sizeof trouble) : mjcf_write(m, trouble, sizeof trouble);
    if (!text) {
        fprintf(stderr, "bench: %s\n", trouble);
        return NULL;
    }
    mjVFS *files = malloc(sizeof *files);
    size_t length = strlen(text);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "robot.xml", (int)length);
    memcpy(files->filedata[0], text, length);
    mjModel *mm = mj_loadXML("robot.xml", files, trouble, sizeof trouble);
    if (!mm) fprintf(stderr, "bench: MuJoCo refuses the robot: %s\n", trouble);
    mj_deleteVFS(files);
    free(files);
    free(text);
    return mm;
}

#endif
