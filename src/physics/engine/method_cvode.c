// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods cvode (BDF, Newton iteration with a dense difference Jacobian) and cvode-adams (Adams-Moulton, fixed-point
// iteration) by SUNDIALS:  A. C. Hindmarsh et al., ACM Trans. Math. Softw. 31(3), 2005. CVODE has a history of its own,
// which nothing writes between restarts: the simulation gets a normalised copy of its state. Its local time starts at
// the tick of the last restart.
//
// Events are located by locate.c in the step that CVODE has made. The root finder of CVODE needs a sign at the root
// itself, and fails ("found at and very near") where contacts open or close within rounding of each other. Where an
// event changes nothing, the rest of CVODE's step is used next.
//
// An event that the interpolation crosses against the motion does not count: after a restart steps are of first order,
// and the hop of a ball may be smaller than their error. Such a step is repeated with a quarter of its length.
#include "engine/system.h"

#include <math.h>
#include <string.h>

#ifdef FF_WITH_SUNDIALS

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#ifndef SUN_COMM_NULL // since SUNDIALS 7
#define SUN_COMM_NULL NULL
#endif

static const double DRIFT_MOST = 10.0; // distance from the loops before a restart, in tolerances of a component
static const double SHORTER = 0.25;    // factor on the length of a step whose event contradicts the motion

/// Entries of the ledger that are corrected here, all but those of parts and work.
enum { LOSSES = FF_LEDGER_JOINTS + 1 };
enum { HISTORY = 6 }; // steps in the history of BDF at its highest order

typedef struct ff_cvode {
    ff_sim *sim;
    SUNContext context;
    void *memory;
    N_Vector y;       // the state at `reached`
    N_Vector between; // a state within its last step
    N_Vector rates;   // its derivative
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    ff_ticks base;           // tick of local time zero
    double reached;          // local time of the simulation                                           [s]
    double solved;           // local time of CVODE, later where an event was located in its step      [s]
    double longest;          // limit of steps after an event contradicted the motion, infinite: none  [s]
    long refused;            // tries since its last start
    double integral[LOSSES]; // of the losses, as CVODE has it at `reached`  [J]
    int kinks;               // number of later steps in whose history losses may have a kink
    bool pressed;            // a joint was in a stop in an evaluation of this step
    bool restart;            // CVODE must start again before the next step
    char error[160];         // last message of CVODE
} ff_cvode;

static int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void *user)
{
    ff_sim *sim = user;
    // 1: recoverable, CVODE tries a shorter step.
    if (!sim->ode.derivative(sim->ode.context, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot))) return 1;
    const double *dx = N_VGetArrayPointer(ydot);
    for (int i = 0; i < sim->n; i++)
        if (!isfinite(dx[i])) return 1;
    if (sim->nledger > 0 && sim->data && sim->options.passive && ff_ledger_stops_rate(sim) != 0.0)
        sim->cvode->pressed = true;
    return 0;
}

/// Weights of the errors. The norm of CVODE is a mean over all states: those without an error (integrals, springs of
/// open contacts) must not make it looser. Integrals do not influence the step.
static int weigh(N_Vector y, N_Vector weights, void *user)
{
    const ff_sim *sim = user;
    const ff_ode *ode = &sim->ode;
    const double strict = sqrt(1.0 / ff_max(1.0, sim->n));
    const double relative = strict * sim->options.relative, absolute = strict * sim->options.absolute;
    const double *x = N_VGetArrayPointer(y);
    double *w = N_VGetArrayPointer(weights);
    for (int i = 0; i < sim->n; i++) {
        const double least = ode->absolute_limit ? ff_min(absolute, strict * ode->absolute_limit[i]) : absolute;
        double allowed = relative * fabs(x[i]) + (i < ode->ncontrol ? least : 1e100);
        if (ode->error_limit) allowed = ff_min(allowed, strict * ode->error_limit[i]);
        w[i] = 1.0 / allowed;
    }
    return 0;
}

static void copy_message(ff_cvode *cv, const char *text)
{
    strncpy(cv->error, text, sizeof cv->error - 1);
}

// CVODE prints to stderr by default, which a library must not do.
#if SUNDIALS_VERSION_MAJOR >= 7
static void keep_message(int line, const char *function, const char *file, const char *text, SUNErrCode code,
                         void *user, SUNContext context)
{
    (void)line, (void)function, (void)file, (void)code, (void)context;
    copy_message(user, text);
}

static bool keep_messages(ff_cvode *cv)
{
    return SUNContext_ClearErrHandlers(cv->context) == SUN_SUCCESS &&
           SUNContext_PushErrHandler(cv->context, keep_message, cv) == SUN_SUCCESS;
}
#else
static void keep_message(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function;
    copy_message(user, text);
}

static bool keep_messages(ff_cvode *cv)
{
    return CVodeSetErrHandlerFn(cv->memory, keep_message, cv) == CV_SUCCESS;
}
#endif

static bool choose_solver(ff_cvode *cv)
{
    const int n = cv->sim->n;
    if (cv->sim->options.method == FF_METHOD_CVODE_ADAMS) {
        cv->nonlinear = SUNNonlinSol_FixedPoint(cv->y, 0, cv->context);
        return cv->nonlinear && CVodeSetNonlinearSolver(cv->memory, cv->nonlinear) == CV_SUCCESS;
    }
    cv->matrix = SUNDenseMatrix(n, n, cv->context);
    cv->linear = cv->matrix ? SUNLinSol_Dense(cv->y, cv->matrix, cv->context) : NULL;
    return cv->linear && CVodeSetLinearSolver(cv->memory, cv->linear, cv->matrix) == CV_SUCCESS;
}

static bool set_up(ff_cvode *cv)
{
    ff_sim *sim = cv->sim;
    const ff_sim_options *o = &sim->options;
    const int kind = o->method == FF_METHOD_CVODE_ADAMS ? CV_ADAMS : CV_BDF;
    if (SUNContext_Create(SUN_COMM_NULL, &cv->context) != 0) return false;
    cv->y = N_VNew_Serial(sim->n, cv->context);
    cv->between = N_VNew_Serial(sim->n, cv->context);
    cv->rates = N_VNew_Serial(sim->n, cv->context);
    cv->memory = CVodeCreate(kind, cv->context);
    return cv->y && cv->between && cv->rates && cv->memory && keep_messages(cv) &&
           CVodeInit(cv->memory, rhs, 0.0, cv->y) == CV_SUCCESS && CVodeWFtolerances(cv->memory, weigh) == CV_SUCCESS &&
           CVodeSetUserData(cv->memory, sim) == CV_SUCCESS &&
           CVodeSetMaxStep(cv->memory, o->max_step) == CV_SUCCESS && // 0 means no bound
           CVodeSetMaxErrTestFails(cv->memory, 20) == CV_SUCCESS && choose_solver(cv);
}

static void destroy(ff_sim *sim)
{
    ff_cvode *cv = sim->cvode;
    if (!cv) return;
    if (cv->memory) CVodeFree(&cv->memory);
    if (cv->linear) SUNLinSolFree(cv->linear);
    if (cv->nonlinear) SUNNonlinSolFree(cv->nonlinear);
    if (cv->matrix) SUNMatDestroy(cv->matrix);
    if (cv->y) N_VDestroy(cv->y);
    if (cv->between) N_VDestroy(cv->between);
    if (cv->rates) N_VDestroy(cv->rates);
    if (cv->context) SUNContext_Free(&cv->context);
    free(cv);
    sim->cvode = NULL;
}

static void forget(ff_sim *sim, bool state)
{
    (void)state;
    if (!sim->cvode) return;
    sim->cvode->restart = true;
    sim->cvode->longest = INFINITY;
}

static ff_status create(ff_sim *sim, ff_error *err)
{
    if (sim->n == 0) return ff_error_set(err, FF_BAD_ARGUMENT, "method cvode has no state to integrate");
    ff_cvode *cv = sim->cvode = calloc(1, sizeof *cv);
    if (!cv) return ff_error_set(err, FF_NO_MEMORY, "no memory for CVODE");
    cv->sim = sim;
    forget(sim, true);
    if (set_up(cv)) return FF_OK;
    ff_error_set(err, FF_NO_MEMORY, "CVODE could not be set up: %s", cv->error);
    destroy(sim);
    return FF_NO_MEMORY;
}

/// CVODE restarts at the simulation's state; local time zero is its whole tick.
static ff_status start(ff_cvode *cv, ff_error *err)
{
    ff_sim *sim = cv->sim;
    cv->base = sim->ticks;
    sim->ledger.loops_last = 0.0;
    cv->reached = cv->solved = sim->offset;
    memcpy(N_VGetArrayPointer(cv->y), sim->x, (size_t)sim->n * sizeof(double));
    sim->time_origin = ff_ticks_to_seconds(cv->base);
    cv->kinks = 0;
    for (int i = 0; i < LOSSES && sim->nledger > 0; i++) cv->integral[i] = sim->x[sim->nstate + i];
    if (CVodeReInit(cv->memory, cv->reached, cv->y) != CV_SUCCESS ||
        CVodeSetInitStep(cv->memory, sim->options.first_step) != CV_SUCCESS)
        return ff_error_set(err, FF_SOLVER, "CVODE cannot start at %.9g s: %s", ff_sim_time(sim), cv->error);
    cv->refused = 0;
    cv->restart = false;
    return FF_OK;
}

/// Integrates the losses of contacts and joints from the local time `from` to `to`, by Gauss's rule with three points,
/// none of which is at an end, where forces may jump. @return false when a derivative failed
static bool integrate_losses(ff_cvode *cv, double from, double to, double work[LOSSES])
{
    static const double places[] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weights[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const ff_sim *sim = cv->sim;
    double *rates = N_VGetArrayPointer(cv->rates);
    for (int i = 0; i < LOSSES; i++) work[i] = 0.0;
    for (int k = 0; k < 3; k++) {
        const double t = from + places[k] * (to - from);
        CVodeGetDky(cv->memory, t, 0, cv->between);
        if (!sim->ode.derivative(sim->ode.context, t, N_VGetArrayPointer(cv->between), rates)) return false;
        for (int i = 0; i < LOSSES; i++) work[i] += weights[k] * (to - from) * rates[sim->nstate + i];
    }
    return true;
}

/// Corrects the losses in the new state y, which CVODE integrates without error control. Where a joint leaves its stop,
/// losses have a kink; as long as it is in the history, they are integrated along the step instead. @return false when
/// a derivative failed
static bool correct_losses(ff_cvode *cv, double from, double to, double *y)
{
    ff_sim *sim = cv->sim;
    const int at = sim->nstate;
    double work[LOSSES];
    for (int i = 0; i < LOSSES; i++) {
        work[i] = y[at + i] - cv->integral[i];
        cv->integral[i] = y[at + i];
    }
    if (cv->kinks > 0 && !integrate_losses(cv, from, to, work)) return false;
    for (int i = 0; i < LOSSES; i++) y[at + i] = sim->x[at + i] + work[i];
    y[at + FF_LEDGER_JOINTS] = ff_ledger_joints(sim, sim->x, y, y[at + FF_LEDGER_JOINTS], work[FF_LEDGER_JOINTS]);
    y[at + FF_LEDGER_FRICTION] = ff_ledger_friction(sim, sim->x, y, work[FF_LEDGER_FRICTION]);
    ff_ledger_keep_losses(sim, y);
    return true;
}

/// Copies CVODE's state to the simulation, quaternions at length 1. Those of CVODE shorten by about 1e-4 in 1000 rad at
/// tolerance 1e-8; before that disturbs its error control it restarts.
static void copy_state(ff_cvode *cv)
{
    ff_sim *sim = cv->sim;
    const double *y = N_VGetArrayPointer(cv->y); // a copy, not its history
    memcpy(sim->x, y, (size_t)sim->n * sizeof(double));
    sim->ode.normalise(sim->ode.context, sim->x);
    for (int i = 0; i < sim->nq; i++) cv->restart = cv->restart || fabs(sim->x[i] - y[i]) > 1e-2;
}

static bool is_failure_of_forces(int code)
{
    return code == CV_RHSFUNC_FAIL || code == CV_FIRST_RHSFUNC_ERR || code == CV_REPTD_RHSFUNC_ERR ||
           code == CV_UNREC_RHSFUNC_ERR;
}

/// Makes one step of CVODE, which must not go beyond the local time `stop`.
static ff_status step_cvode(ff_cvode *cv, double stop, ff_error *err)
{
    ff_sim *sim = cv->sim;
    CVodeSetMaxStep(cv->memory, ff_min(ff_step_longest(sim), cv->longest)); // infinite: no bound
    cv->longest *= 2.0;
    CVodeSetStopTime(cv->memory, stop);
    cv->pressed = false;
    if (cv->kinks > 0) cv->kinks--;
    const int code = CVode(cv->memory, stop, cv->y, &cv->solved, CV_ONE_STEP);
    if (cv->pressed) cv->kinks = HISTORY;
    long refused = cv->refused;
    CVodeGetNumErrTestFails(cv->memory, &refused);
    sim->counts.refused += refused - cv->refused;
    cv->refused = refused;
    if (is_failure_of_forces(code)) return ff_sim_derivative_failed(sim, err);
    if (code < 0)
        return ff_error_set(err, FF_SOLVER, "CVODE gave up at %.9g s: %s", sim->time_origin + cv->solved, cv->error);
    return FF_OK;
}

static void dense(ff_sim *sim, double t, double h, double theta)
{
    const ff_cvode *cv = sim->cvode;
    CVodeGetDky(cv->memory, ff_min(t + theta * h, cv->solved), 0, cv->between);
    memcpy(sim->integrator.probe, N_VGetArrayPointer(cv->between), (size_t)sim->n * sizeof(double));
    sim->ode.normalise(sim->ode.context, sim->integrator.probe);
}

/// Moves `reached` to the end of the simulation's step: to an event, or as far as CVODE is, at the latest to `stop`.
/// @return false where the event contradicts the motion: CVODE has to restart, with shorter steps
static bool arrive(ff_cvode *cv, double stop, ff_step *step)
{
    ff_sim *sim = cv->sim;
    const double from = cv->reached, end = ff_min(cv->solved, stop), h = end - from;
    double theta = 2.0;
    if (sim->events.count > 0 && h > 0.0) theta = ff_locate_earliest(sim, dense, from, h, &step->located);
    if (theta <= 1.0) {
        ff_locate_slope(sim, dense, step->located, from, h, theta);
        if (!ff_locate_agrees(sim, dense, step->located, from, h, theta)) {
            sim->counts.refused++;
            cv->restart = true;
            cv->longest = SHORTER * h;
            step->located = -1;
            return false;
        }
    }
    cv->reached = theta <= 1.0 ? ff_min(from + theta * h, end) : end;
    return true;
}

static ff_status make_step(ff_sim *sim, ff_step *step, ff_error *err)
{
    ff_cvode *cv = sim->cvode;
    double before, stop;
    bool rest; // a part of CVODE's last step, after an event, is not used yet
    do {
        ff_status status = cv->restart ? start(cv, err) : FF_OK;
        if (status) return status;
        sim->time_origin = ff_ticks_to_seconds(cv->base);
        before = cv->reached;
        stop = ff_ticks_to_seconds(step->end - cv->base);
        rest = cv->solved > before;
        if (stop > before && !rest) status = step_cvode(cv, stop, err);
        if (status) return status;
    } while (stop > before && !arrive(cv, stop, step));
    if (rest || cv->reached < cv->solved) CVodeGetDky(cv->memory, cv->reached, 0, cv->y);
    if (sim->nledger > 0 && cv->reached > before && !correct_losses(cv, before, cv->reached, N_VGetArrayPointer(cv->y)))
        return ff_sim_derivative_failed(sim, err);
    copy_state(cv);
    const bool arrived = cv->reached >= stop;
    step->h = cv->reached - before;
    step->ticks = arrived ? step->end : sim->ticks;
    step->offset = arrived ? 0.0 : cv->reached - ff_ticks_to_seconds(sim->ticks - cv->base);
    return FF_OK;
}

/// The history of CVODE drifts off the loops, and their rates draw it back slowly. It restarts on them when it is off
/// by more than its error.
static void restart_off_loops(ff_cvode *cv)
{
    ff_sim *sim = cv->sim;
    const ff_sim_options *o = &sim->options;
    const double *y = N_VGetArrayPointer(cv->y);
    if (!sim->loops) return;
    for (int i = 0; i < sim->nq + sim->nv; i++)
        cv->restart = cv->restart || fabs(sim->x[i] - y[i]) > DRIFT_MOST * (o->absolute + o->relative * fabs(y[i]));
    if (cv->restart) sim->ledger.loops_last = 0.0; // closing the loops counts from the last start
}

static void finish(ff_sim *sim, const ff_step *step)
{
    restart_off_loops(sim->cvode);
    if (sim->events.count > 0) ff_locate_mark(sim, sim->cvode->reached, step->located);
}

/// The two also differ in what set_up chooses by options.method.
#define CVODE_METHOD(limit)                                                                                            \
    {                                                                                                                  \
        .built = true, .traits = {.locates = true, .impulses = true, .stable = (limit)}, .own_history = true,          \
        .create = create, .destroy = destroy, .step = make_step, .finish = finish, .forget = forget,                   \
        .check_progress = ff_locate_check_progress                                                                     \
    }

#else

/// Simulations refuse methods that are not built.
#define CVODE_METHOD(limit)                                                                                            \
    {                                                                                                                  \
        .traits = {.locates = true, .impulses = true, .stable = (limit)}, .own_history = true                          \
    }

#endif

const ff_method_ops ff_method_cvode = CVODE_METHOD(0.0);
// Fixed-point iterations bound the steps: the longest that were measured have h |lambda| = 0.4.
const ff_method_ops ff_method_cvode_adams = CVODE_METHOD(0.4);
