// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many simulations over threads of C. The batch works in a thread of its own, so that the thread of Python, which alone
// can handle signals, looks for Ctrl-C meanwhile.
#include "core.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const long LOOK_NANOSECONDS = 50000000; // how often signals are looked for

typedef struct batch {
    ff_sim **sims;
    keep **keeps;
    int count;
    double until;
    int threads;
    ff_status *each, status;
    ff_error err;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool done;
} batch;

static void *work(void *argument)
{
    batch *b = argument;
    const ff_status status = ff_batch_run(b->sims, b->count, b->until, b->threads, b->each, &b->err);
    pthread_mutex_lock(&b->lock);
    b->status = status;
    b->done = true;
    pthread_cond_signal(&b->change);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/// Waits a while. @return whether the batch is done
static bool wait_a_while(batch *b)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&b->lock);
    int timed_out = 0;
    while (!b->done && timed_out != ETIMEDOUT) timed_out = pthread_cond_timedwait(&b->change, &b->lock, &until);
    const bool done = b->done;
    pthread_mutex_unlock(&b->lock);
    return done;
}

/// Runs without the lock of the interpreter but for signals. @return false with the exception of a signal
static bool run_and_listen(batch *b)
{
    pthread_t thread;
    bool fine = true;
    if (pthread_create(&thread, NULL, work, b) != 0)
        return raise_status(FF_NO_MEMORY, "the system gives no thread for a batch");
    PyThreadState *parked = PyEval_SaveThread();
    while (!wait_a_while(b)) {
        PyEval_RestoreThread(parked);
        if (fine && PyErr_CheckSignals() < 0) {
            fine = false;
            for (int i = 0; i < b->count; i++) atomic_store(&b->keeps[i]->stop, true);
        }
        parked = PyEval_SaveThread();
    }
    PyEval_RestoreThread(parked);
    pthread_join(thread, NULL);
    return fine;
}

/// Marks the first `count` simulations as running, or not. @return false with Busy or Closed, nothing being marked
static bool mark_all(batch *b)
{
    for (int i = 0; i < b->count; i++) {
        keep *k = b->keeps[i];
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
    for (int i = 0; i < b->count; i++) {
        b->keeps[i]->running = false;
        atomic_store(&b->keeps[i]->stop, false);
    }
}

/// The exception that a callback of one of them raised, the first in the list. @return false where there is one
static bool raise_first(batch *b)
{
    bool fine = true;
    for (int i = 0; i < b->count; i++) {
        PyObject *raised = b->keeps[i]->raised;
        b->keeps[i]->raised = NULL;
        if (raised && fine && !PyErr_Occurred()) PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
        if (raised) fine = false;
        Py_XDECREF(raised);
    }
    return fine;
}

static bool collect(batch *b, PyObject *list)
{
    for (int i = 0; i < b->count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (Py_TYPE(item) == run_type) item = ((run_object *)item)->sim;
        if (Py_TYPE(item) != sim_type)
            return PyErr_Format(PyExc_TypeError, "sims[%d] must be a Sim or a Run, not %R", i, Py_TYPE(item));
        b->keeps[i] = ((sim_object *)item)->keep;
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
    "Runs many simulations to the time `until` [s], over the processors of the machine. Each gives the same bits as\n"
    "alone, whatever the number of threads.\n\n"
    "sims     a list of Sim or Run, each once\n"
    "threads  0: one a processor\n\n"
    "Returns for each whether it reached the time. Where some fail, all others are run all the same, and the trouble "
    "of\n"
    "the first of them is raised. Ctrl-C ends all between two steps.";

PyObject *run_batch(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    static char *names[] = {"sims", "until", "threads", NULL};
    PyObject *sims, *until, *outcomes = NULL;
    batch b = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
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
        const bool ended = run_and_listen(&b);
        unmark_all(&b);
        if (raise_first(&b) && ended) outcomes = b.status ? raise_error(&b.err) : list_outcomes(&b);
    }
    PyMem_Free(b.sims);
    PyMem_Free(b.keeps);
    PyMem_Free(b.each);
    Py_DECREF(list);
    return outcomes;
}
