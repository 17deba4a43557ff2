// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "march_script.h"
#include "mujoco_march.h"

#include <stdlib.h>

struct mujoco_crowd {
    const march_script *script;
    int threads;
    mjModel *m;
    mjData **d; // (robots)
};

mujoco_crowd *mujoco_crowd_open(const march_script *script, int threads)
{
    mujoco_crowd *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = (mujoco_crowd){.script = script, .threads = threads, .m = mujoco_read_march(script->how->model, 1e-3)};
    c->d = c->m ? calloc((size_t)script->robots, sizeof(mjData *)) : NULL;
    for (int i = 0; c->d && i < script->robots; i++) {
        c->d[i] = mj_makeData(c->m);
        memcpy(c->d[i]->qpos, script->how->stand, (size_t)script->how->model->nq * sizeof(double));
    }
    if (c->d) return c;
    mujoco_crowd_close(c);
    return NULL;
}

void mujoco_crowd_close(mujoco_crowd *c)
{
    if (!c) return;
    for (int i = 0; c->d && i < c->script->robots; i++) mj_deleteData(c->d[i]);
    free(c->d);
    if (c->m) mj_deleteModel(c->m);
    free(c);
}

static void march_one(void *context, int robot)
{
    const mujoco_crowd *c = context;
    const march_script *s = c->script;
    mjData *d = c->d[robot];
    for (int period = 0; period < SCRIPT_PERIODS; period++) {
        const double *position = script_at(s, period, robot);
        for (int step = 0; step < SCRIPT_STEPS; step++) {
            for (int i = 0; i < s->joints; i++)
                d->qfrc_applied[s->v[i]] =
                    s->how->kp * (position[i] - d->qpos[s->q[i]]) - s->how->kd * d->qvel[s->v[i]];
            mj_step(c->m, d);
        }
    }
}

void mujoco_crowd_march(mujoco_crowd *c)
{
    ff_team_each(c->script->robots, c->threads, march_one, c, NULL);
}

double mujoco_crowd_height(const mujoco_crowd *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->script->robots; i++) sum += c->d[i]->qpos[2];
    return sum / c->script->robots;
}
