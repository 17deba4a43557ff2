// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON on a floor, standing or marching in place: what `footfall bench` and `make bench` measure. Every joint is held
// by
//     tau = kp (q_wanted(t) - q) + kd (v_wanted(t) - v)
// and in a march three feet lift for half a period, then the other three: tripods front left, middle right, rear left
// and their mirror image.
#ifndef FOOTFALL_APPS_MARCH_H
#define FOOTFALL_APPS_MARCH_H

#include <footfall/footfall.h>

/// Gains and gait.
typedef struct march {
    const ff_model *model;
    double kp, kd; // of every joint  [N m/rad], [N m s/rad]
    double lift;   // of the feet; 0: stand  [m]
    double period; // of both tripods together  [s]
    double *stand; // position in the stand  (nq)
    double *swing; // by how much a joint moves to lift its foot, zero for those that do not  [rad] (nv)
    int *tripod;   // 0 or 1, of the leg a joint belongs to  (nv)
} march;

/// ANTON, whose six feet (spheres of soft rubber) touch a plane (lab-floor) and nothing else.
/// @return NULL with the reason on stderr
ff_spec *march_describe(const char *path);
/// As march_describe, compiled.
ff_model *march_load(const char *path);
/// @param lift  0 for standing  [m]
bool march_create(march *out, const ff_model *model, double lift);
void march_destroy(march *m);
/// Torque of every joint at the time t, added to tau; positions and velocities in the layout of Footfall and MuJoCo.
void march_add_torque(const march *m, double t, const double *q, const double *v, double *tau);
/// Height of the middle segment in the stand, feet touching.  [m]
double march_height(const march *m);

/// How the law of the joints reaches the simulation.
typedef enum march_law {
    MARCH_SAMPLED,   // a task of 1 kHz writes held torques
    MARCH_CONTINUOUS // a part, evaluated whenever the integrator needs it
} march_law;

/// A simulation with its world.
typedef struct marcher {
    ff_world *world;
    ff_sim *sim;
} marcher;

/// Creates a simulation that begins in the stand. @param how  borrowed  @return false with the reason on stderr
bool marcher_create(marcher *out, const march *how, const ff_sim_options *options, march_law law);
void marcher_destroy(marcher *m);

#endif
