// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One thread at a time in a simulation, and an ear for Ctrl-C. A run gives up the lock of the interpreter, so that
// other threads of Python go on; one of them that enters the same simulation is refused. A listener of the simulation
// looks at the clock behind each step and, every LOOK_SECONDS, lets Python handle its signals. What a controller in
// Python catches of Ctrl-C goes the same way (catcher): the run ends behind the step in which it came.
#include "core.h"

#include <time.h>

static const double LOOK_SECONDS = 0.05; // [s], so that Ctrl-C acts within 0.2 s

double guard_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ------------------------------------------------------------------------------------------ exceptions of callbacks

static _Thread_local catcher *innermost;

void catch_begin(catcher *c)
{
    *c = (catcher){.outer = innermost};
    innermost = c;
}

bool catch_end(catcher *c)
{
    PyObject *raised = c->raised;
    innermost = c->outer;
    c->raised = NULL;
    if (!raised) return false;
    PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_DECREF(raised);
    return true;
}

bool catch_exception(void)
{
    catcher *c = innermost;
    if (!c) return false;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    if (c->raised)
        Py_XDECREF(value); // the first one tells the cause
    else
        c->raised = value;
    return true;
}

// ------------------------------------------------------------------------------------------ runs

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    keep *k = context;
    (void)sim;
    (void)t;
    if (k->parked && guard_clock() > k->look) {
        PyEval_RestoreThread(k->parked);
        if (PyErr_CheckSignals() < 0) catch_exception();
        k->parked = PyEval_SaveThread();
        k->look = guard_clock() + LOOK_SECONDS;
    }
    return k->caught.raised || atomic_load_explicit(&k->stop, memory_order_relaxed) ? FF_SIM_STOP : FF_SIM_GO;
}

bool guard_watch(keep *k, ff_sim *sim)
{
    ff_error err = {0};
    const ff_listener listener = {.context = k, .step = watch};
    return ff_sim_add_listener(sim, &listener, &err) == FF_OK || raise_error(&err);
}

bool guard_look(const keep *k, const char *what)
{
    return k ? !k->running || k->thread == PyThread_get_thread_ident() || raise_busy(what) : raise_closed(what) != NULL;
}

bool guard_begin(keep *k, const char *what, bool patient)
{
    if (!k) return raise_closed(what) != NULL;
    if (k->running) return raise_busy(what) != NULL;
    Py_INCREF((PyObject *)k); // another thread may close it meanwhile
    k->running = true;
    atomic_store(&k->stop, false);
    k->thread = PyThread_get_thread_ident();
    k->look = patient ? guard_clock() + LOOK_SECONDS : Py_HUGE_VAL;
    catch_begin(&k->caught);
    k->parked = PyEval_SaveThread();
    return true;
}

bool guard_end(keep *k)
{
    PyEval_RestoreThread(k->parked);
    k->parked = NULL;
    k->running = false;
    const bool raised = catch_end(&k->caught);
    Py_CLEAR(k);
    return !raised;
}
