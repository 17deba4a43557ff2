// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A build without MuJoCo: there are no robots of its.
#include "march_script.h"

mujoco_crowd *mujoco_crowd_open(const march_script *script, int threads)
{
    (void)script, (void)threads;
    return NULL;
}

void mujoco_crowd_close(mujoco_crowd *crowd)
{
    (void)crowd;
}

void mujoco_crowd_march(mujoco_crowd *crowd)
{
    (void)crowd;
}

double mujoco_crowd_height(const mujoco_crowd *crowd)
{
    (void)crowd;
    return 0.0;
}
