// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A pile of balls and boxes above a floor, and who simulates it: one table of functions a simulator, so that all get
// the same scene and are compared by the same measure.
#ifndef FOOTFALL_BENCH_PILE_H
#define FOOTFALL_BENCH_PILE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pile_body {
    bool box;
    double size[3]; // radius; half lengths of a box  [m]
    double mass;    // [kg]
    double pos[3];  // [m]
} pile_body;

typedef struct pile {
    const pile_body *bodies;
    int n;
    double mu, restitution;
    double step; // [s]
} pile;

/// Where a body is and how it moves, world axes.
typedef struct pile_state {
    double pos[3], velocity[3], spin[3]; // [m], [m/s], [rad/s]
} pile_state;

typedef struct pile_engine {
    const char *name;
    void *(*open)(const pile *p);
    void (*step)(void *world);
    void (*read)(void *world, int body, pile_state *out);
    double (*stored)(void *world); // energy in compliant contacts, NULL: none  [J]
    void (*close)(void *world);
} pile_engine;

extern const pile_engine pile_ode, pile_bullet;

#ifdef __cplusplus
}
#endif
#endif
