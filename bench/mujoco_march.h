// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON on its floor (march.h) in MuJoCo's hands.
#ifndef FOOTFALL_BENCH_MUJOCO_MARCH_H
#define FOOTFALL_BENCH_MUJOCO_MARCH_H

#include "march.h"
#include "mujoco_read.h"

/// @param model  of march_load, whose gravity holds    @param step  [s]    @return NULL with the reason on stderr
static inline mjModel *mujoco_read_march(const ff_model *model, double step)
{
    ff_spec *spec = march_describe(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    mjModel *mm = spec ? mujoco_read(spec, step) : NULL;
    if (mm) memcpy(mm->opt.gravity, model->gravity, sizeof model->gravity);
    ff_spec_destroy(spec);
    return mm;
}

#endif
