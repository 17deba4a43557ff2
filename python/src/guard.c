// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One thread at a time in a simulation, and checks for Ctrl-C. Long work releases the lock of the interpreter, so that
// other threads of Python continue; if one of them uses the same simulation it is refused. The library calls ff_stop
// regularly; every LOOK_SECONDS this lets Python handle its signals. A Ctrl-C that arrives in a controller in Python is
// passed on in the same way (catcher).
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
        Py_XDECREF(value); // the first one has the cause
    else
        c->raised = value;
    return true;
}

// ------------------------------------------------------------------------------------------ long work

/// The stop function of the library. The GIL may be held: a controller in Python may have called it.
static bool is_over(void *context)
{
    interruptible *p = context;
    if (!p->caught.raised && guard_clock() > p->look) {
        const PyGILState_STATE lock = PyGILState_Ensure();
        if (PyErr_CheckSignals() < 0) catch_exception();
        PyGILState_Release(lock);
        p->look = guard_clock() + LOOK_SECONDS;
    }
    return p->caught.raised || (p->over && atomic_load_explicit(p->over, memory_order_relaxed));
}

void interruptible_begin(interruptible *p, atomic_bool *over)
{
    catch_begin(&p->caught);
    p->look = guard_clock() + LOOK_SECONDS;
    p->over = over;
    p->stop = (ff_stop){is_over, p};
    p->outer = ff_stop_set(&p->stop);
    p->parked = PyEval_SaveThread();
}

bool interruptible_end(interruptible *p)
{
    PyEval_RestoreThread(p->parked);
    p->parked = NULL;
    ff_stop_set(p->outer);
    return !catch_end(&p->caught);
}

// ------------------------------------------------------------------------------------------ runs

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    object_owner *k = context;
    (void)sim;
    (void)t;
    return k->call.caught.raised || atomic_load_explicit(&k->stop, memory_order_relaxed) ? FF_SIM_STOP : FF_SIM_GO;
}

bool guard_watch(object_owner *k, ff_sim *sim)
{
    ff_error err = {0};
    const ff_listener listener = {.context = k, .step = watch};
    return ff_sim_add_listener(sim, &listener, &err) == FF_OK || raise_error(&err);
}

bool guard_look(const object_owner *k, const char *what)
{
    return k ? !k->running || k->thread == PyThread_get_thread_ident() || raise_busy(what) : raise_closed(what) != NULL;
}

bool guard_begin(object_owner *k, const char *what)
{
    if (!k) return raise_closed(what) != NULL;
    if (k->running) return raise_busy(what) != NULL;
    Py_INCREF((PyObject *)k); // another thread may close it meanwhile
    k->running = true;
    atomic_store(&k->stop, false);
    k->thread = PyThread_get_thread_ident();
    interruptible_begin(&k->call, &k->stop);
    return true;
}

bool guard_end(object_owner *k)
{
    const bool calm = interruptible_end(&k->call);
    k->running = false;
    Py_CLEAR(k);
    return calm;
}
