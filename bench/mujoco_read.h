// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot of ours in MuJoCo's hands.
#ifndef FOOTFALL_BENCH_MUJOCO_READ_H
#define FOOTFALL_BENCH_MUJOCO_READ_H

#include <footfall/load.h>
#include <footfall/model.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Takes out of the description what would cost MuJoCo time and is not measured; contacts are as MuJoCo has them by
/// default, with the friction of the shapes.
static inline void mujoco_strip(ff_spec *spec)
{
    int kept = 0;
    for (int i = 0; i < spec->ngeom; i++) {
        ff_spec_geom *g = &spec->geoms[i];
        if (g->role == FF_GEOM_VISUAL || g->type == FF_SHAPE_MESH) continue;
        g->material = NULL;
        g->has_friction = true;
        spec->geoms[kept++] = *g;
    }
    spec->ngeom = kept;
    spec->nactuator = spec->ndrive = spec->nbattery = spec->nsensor = spec->nleg = spec->nhand = spec->nkey = 0;
    for (int i = 0; i < spec->nmesh; i++) ff_mesh_destroy(spec->meshes[i].data);
    spec->nmesh = spec->nframe = 0;
}

/// The robot that is left of a description by mujoco_strip.
/// @param step  0: nothing collides  [s]
/// @return NULL with the reason on stderr
static inline mjModel *mujoco_read(ff_spec *spec, double step)
{
    char conditions[500] = "it cannot be written";
    mujoco_strip(spec);
    char *text = ff_spec_format(spec, "mjcf", NULL, NULL);
    mjVFS *files = text ? malloc(sizeof *files) : NULL;
    mjModel *mm = NULL;
    if (files) {
        const size_t length = strlen(text);
        mj_defaultVFS(files);
        mj_makeEmptyFileVFS(files, "robot.xml", (int)length);
        memcpy(files->filedata[0], text, length);
        mm = mj_loadXML("robot.xml", files, conditions, sizeof conditions);
        mj_deleteVFS(files);
    }
    free(files);
    free(text);
    if (!mm) {
        fprintf(stderr, "bench: MuJoCo refuses the robot: %s\n", conditions);
        return NULL;
    }
    if (step > 0.0)
        mm->opt.timestep = step;
    else
        mm->ngeom = 0; // masses were taken from them; their places would cost time
    return mm;
}

#endif
