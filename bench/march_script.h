// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the robots of bench_batch.c follow, with any simulator: new positions of all joints every 10 ms over one
// period of the march, robots one after the other in it, held by  tau = kp (position - q) - kd v  in each step.
#ifndef FOOTFALL_BENCH_MARCH_SCRIPT_H
#define FOOTFALL_BENCH_MARCH_SCRIPT_H

#include "march.h"

enum { SCRIPT_PERIODS = 50, SCRIPT_STEPS = 10, SCRIPT_JOINTS = 64 }; // one period of the march, 0.5 s, by steps of 1 ms

typedef struct march_script {
    const march *how;
    int robots, joints;
    int q[SCRIPT_JOINTS], v[SCRIPT_JOINTS]; // where a joint is in the state
    double *position;                       // (SCRIPT_PERIODS * robots * joints)
} march_script;

/// Positions of the joints of a robot in a period.
static inline const double *script_at(const march_script *s, int period, int robot)
{
    return s->position + (size_t)(period * s->robots + robot) * (size_t)s->joints;
}

/// Marching robots by MuJoCo, over threads: each robot has an mjData, all share one mjModel, and a free thread takes
/// the next robot. MuJoCo is taken as it comes: Euler at 1 ms, solver Newton, pyramidal cones, warm start.
typedef struct mujoco_crowd mujoco_crowd;
/// @return NULL with the reason on stderr; NULL and no word where the bench was built without MuJoCo
mujoco_crowd *mujoco_crowd_open(const march_script *script, int threads);
void mujoco_crowd_close(mujoco_crowd *crowd);
/// One period of the march of all robots.
void mujoco_crowd_march(mujoco_crowd *crowd);
/// Mean height of the middle segments.  [m]
double mujoco_crowd_height(const mujoco_crowd *crowd);

#endif
