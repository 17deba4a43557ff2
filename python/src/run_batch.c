// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many simulations in parallel over threads of C.
#include "core.h"

typedef struct batch {
    ff_sim **sims;
    object_owner **keeps;
    int count;
    double until;
    int threads;
    ff_status *each, status;
    ff_error err;
} batch;

static void work(void *context)
{
    batch *b = context;
    b->status = ff_team_run(b->sims, b->count, b->until, b->threads, b->each, &b->err);
}

/// Marks the first `count` simulations as running, or not. @return false with Busy or Closed, without any mark
static bool mark_all(batch *b)
{
    for (int i = 0; i < b->count; i++) {
        object_owner *k = b->keeps[i];
        if (k->running) {
            for (int j = 0; j < i; j++) b->keeps[j]->running = false;
            return raise_status(FF_BAD_ARGUMENT, "sims[%d] is in the list twice, or another thread runs it", i);
        }
        k->running = true;
        k->thread = 0; // none of Python's
        atomic_store(&k->stop, false);
    }
    return true;
}

static void unmark_all(batch *b)
{
    for (int i = 0; i < b->count; i++) b->keeps[i]->running = false;
}

static bool collect(batch *b, PyObject *list)
{
    for (int i = 0; i < b->count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (Py_TYPE(item) == run_type) item = ((run_object *)item)->sim;
        if (Py_TYPE(item) != sim_type)
            return PyErr_Format(PyExc_TypeError, "sims[%d] must be a Sim or a Run, not %R", i, Py_TYPE(item));
        b->keeps[i] = ((sim_object *)item)->owner;
        b->sims[i] = ((sim_object *)item)->sim;
        if (!b->keeps[i]) return raise_closed("run_batch") != NULL;
    }
    return true;
}

static PyObject *list_outcomes(const batch *b)
{
    PyObject *list = PyList_New(b->count);
    for (int i = 0; list && i < b->count; i++) {
        PyObject *reached = PyBool_FromLong(b->each[i] == FF_OK);
        if (PyList_SetItem(list, i, reached) < 0) Py_CLEAR(list);
    }
    return list;
}

const char run_batch_doc[] =
    "run_batch($module, sims, until, threads=0)\n--\n\n"
    "Runs many simulations to the time `until` [s], over the processors of the machine. Each is bit-identical to a\n"
    "single run, for any number of threads.\n\n"
    "sims     a list of Sim or Run, each once\n"
    "threads  0: one per processor\n\n"
    "Returns for each whether it reached the time. If some fail, all others are still run, and the error of the first\n"
    "one that failed is raised. Ctrl-C ends all between two steps.";

PyObject *run_batch(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    static char *names[] = {"sims", "until", "threads", NULL};
    PyObject *sims, *until, *outcomes = NULL;
    batch b = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|i:run_batch", names, &sims, &until, &b.threads)) return NULL;
    if (!read_number(until, "until", &b.until)) return NULL;
    PyObject *list = PySequence_List(sims); // keeps them alive
    if (!list) return NULL;
    b.count = (int)PyList_Size(list);
    const size_t room = (size_t)b.count + 1;
    b.sims = PyMem_Calloc(room, sizeof *b.sims);
    b.keeps = PyMem_Calloc(room, sizeof *b.keeps);
    b.each = PyMem_Calloc(room, sizeof *b.each);
    if (!b.sims || !b.keeps || !b.each)
        PyErr_NoMemory();
    else if (collect(&b, list) && mark_all(&b)) {
        atomic_bool over = false;
        const bool calm = guard_work(work, &b, &over);
        unmark_all(&b);
        if (calm) outcomes = b.status ? raise_error(&b.err) : list_outcomes(&b);
    }
    PyMem_Free(b.sims);
    PyMem_Free(b.keeps);
    PyMem_Free(b.each);
    Py_DECREF(list);
    return outcomes;
}
