// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The abstract system that integrators see, their memory, and the rule of Dormand and Prince (adaptive_step.c).
//
// An integrator knows a number of components n, a derivative and a projection (quaternions back to length 1), and
// nothing of robots. Its time is local: seconds since a whole tick, so that the resolution does not fade in long runs.
#ifndef FOOTFALL_ENGINE_ODE_H
#define FOOTFALL_ENGINE_ODE_H

#include <stdbool.h>

/// A system of ordinary differential equations dx/dt = f(t, x) on a manifold that `normalise` projects onto.
typedef struct ff_ode {
    int n;
    int ncontrol;                 // components under error control, the first of x
    const double *error_limit;    // largest error of a component, whatever the tolerances; NULL: no limit  (n)
    const double *absolute_limit; // largest absolute tolerance of a component; NULL: no limit              (n)
    void *context;
    bool (*derivative)(void *context, double t, const double *x, double *dx); // false: no derivative at this state
    void (*normalise)(void *context, double *x);
    /// Semi-implicit step: velocities of x by dx, then positions by the new velocities.
    void (*euler)(void *context, double h, double *x, const double *dx);
} ff_ode;

enum { FF_STAGES = 7 };

/// Memory of an integrator; its arrays are allocated from the arena of the simulation.
typedef struct ff_integrator {
    double *k[FF_STAGES];           // stages; k[0] is the derivative at the start of the step    (n each)
    double *trial;                  // state of a stage, then the proposed state                  (n)
    double *dense[5];               // coefficients of the continuous extension of the last step  (n each)
    double *probe;                  // state read from the continuous extension                   (n)
    double step;                    // proposed length of the next step, 0: none yet  [s]
    double error_old;               // scaled error of the last accepted step
    double tried_step, tried_error; // length and scaled error of the last try  [s]
    double slack;                   // factor on the tolerance, above 1 where forces are rough
    int rough;                      // score of recent errors that were not as expected
    int jumps;                      // shortest steps in a row that were accepted with a larger error
    bool first_ready;               // k[0] is the derivative at the current state
    bool refused_last;              // the last try was refused
} ff_integrator;

typedef struct ff_tolerance {
    double relative, absolute;
} ff_tolerance;

/// One try from x (which stays) over h: the proposed state goes to in->trial, its derivative to k[6]. Needs k[0].
/// @return scaled error (at most 1 is acceptable), or -1 when a derivative failed or the result is not finite
double ff_dopri_try(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, double h, const double *x);
/// Computes the coefficients of the continuous extension of the last try, from x over h.
void ff_dopri_dense_prepare(const ff_ode *ode, ff_integrator *in, double h, const double *x);
/// out = state at the fraction theta of the step, normalised.
void ff_dopri_dense(const ff_ode *ode, const ff_integrator *in, double theta, double *out);
/// @return length of the first step, from the sizes of x, f and f' (Hairer, Norsett, Wanner I, sec. II.4). Needs k[0].
double ff_dopri_first_step(const ff_ode *ode, ff_integrator *in, ff_tolerance tol, double t, const double *x,
                           double bound);
/// @return factor from the length of this step to that of the next, after a scaled error of `error` (PI control)
double ff_dopri_factor(const ff_integrator *in, double error);

#endif
