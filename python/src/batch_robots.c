// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batch: functions for single robots, and the values that they drew.
#include "batch_object.h"
#include "batch_options.h"

#include <string.h>

/// Number of a robot. @return -1 with an exception
static int read_robot(const batch_object *self, PyObject *given)
{
    return read_number_of(given, "robot", self->robots);
}

/// Robots that a call names, with a seed of each.
typedef struct choice {
    int *robots; // (count)
    uint64_t *seeds;
    Py_ssize_t count;
    bool seeded;
} choice;

static void choice_clear(choice *c)
{
    PyMem_Free(c->robots);
    PyMem_Free(c->seeds);
}

/// Reads a list of robots: their numbers, or a mask with a bool for each. @return false with an exception
static bool choose_listed(const batch_object *self, PyObject *list, choice *out)
{
    const Py_ssize_t size = PyList_Size(list);
    Py_ssize_t bools = 0;
    for (Py_ssize_t k = 0; k < size; k++) bools += PyBool_Check(PyList_GetItem(list, k));
    if (bools > 0 && (bools != size || size != self->robots))
        return raise_status(
                   FF_BAD_ARGUMENT,
                   "robots has %zd bools among %zd values: it has numbers alone, or a bool for each of %d robots",
                   bools, size, self->robots) != NULL;
    for (Py_ssize_t k = 0; k < size; k++) {
        PyObject *item = PyList_GetItem(list, k);
        if (item == Py_False) continue;
        const int i = bools > 0 ? (int)k : read_robot(self, item);
        if (i < 0) return false;
        out->robots[out->count++] = i;
    }
    return true;
}

/// @param given  None: all robots
static bool choose_robots(const batch_object *self, PyObject *given, choice *out)
{
    PyObject *list = NULL;
    if (given != Py_None &&
        !(list = plain_list(given, "robots must be a list of their numbers, or a mask with a bool for each")))
        return false;
    const Py_ssize_t size = list ? PyList_Size(list) : self->robots;
    out->robots = PyMem_Calloc((size_t)size + 1, sizeof *out->robots);
    bool fine = out->robots || PyErr_NoMemory();
    if (fine && list)
        fine = choose_listed(self, list, out);
    else if (fine)
        for (int i = 0; i < self->robots; i++) out->robots[out->count++] = i;
    Py_XDECREF(list);
    return fine;
}

/// @param given  None: no seeds
static bool choose_seeds(PyObject *given, choice *out)
{
    if (given == Py_None) return true;
    PyObject *list = plain_list(given, "seeds must be a list of them, one for each of the robots");
    if (!list) return false;
    bool fine = PyList_Size(list) == out->count;
    if (!fine)
        raise_status(FF_BAD_ARGUMENT, "%zd seeds for %zd robots: there must be one for each", PyList_Size(list),
                     out->count);
    out->seeded = true;
    out->seeds = fine ? PyMem_Calloc((size_t)out->count + 1, sizeof *out->seeds) : NULL;
    if (fine && !out->seeds) fine = PyErr_NoMemory();
    for (Py_ssize_t k = 0; fine && k < out->count; k++) fine = read_seed(PyList_GetItem(list, k), &out->seeds[k]);
    Py_DECREF(list);
    return fine;
}

const char batch_reset_doc[] = "reset($self, robots=None, seeds=None)\n--\n\n"
                               "Restarts these robots, or all, with new draws of `spread`. Targets stay.\n\n"
                               "robots  their numbers, or a mask with a bool for each, such as batch.ended > 0\n"
                               "seeds   one for each of these robots, which alone determines its draws and noise";

/// Robots that are to restart.
typedef struct resets {
    batch_object *self;
    const choice *of;
} resets;

/// Updates the arrays in use after restarts, one array after the other, so that a device copies only these.
static ff_status show_begun(batch_object *self, const choice *c)
{
    ff_status status = FF_OK;
    if (self->taken[OBSERVATION]) status = ff_batch_observe_all(self->batch, &self->err);
    if (!status) status = batch_show_arrays(self, Q, TIME);
    if (!status) status = batch_show_arrays(self, OBSERVATION, OBSERVATION);
    for (Py_ssize_t k = 0; k < c->count && !status; k++)
        self->data[ENDED][c->robots[k]] = self->data[REWARD][c->robots[k]] = 0.0;
    return status;
}

static void do_resets(void *context)
{
    const resets *work = context;
    const choice *c = work->of;
    batch_object *self = work->self;
    self->status = ff_batch_reset_some(self->batch, c->robots, c->seeded ? c->seeds : NULL, (int)c->count, &self->err);
    const bool few = c->count < self->robots && !ff_batch_get_options(self->batch)->device;
    if (!self->status && !few) self->status = show_begun(self, c);
    for (Py_ssize_t k = 0; few && k < c->count && !self->status; k++)
        self->status = batch_show_robot(self, c->robots[k]);
}

PyObject *batch_reset(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"robots", "seeds", NULL};
    batch_object *self = (batch_object *)object;
    PyObject *given = Py_None, *seeds = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:reset", names, &given, &seeds)) return NULL;
    choice c = {0};
    resets work = {self, &c};
    const bool done =
        choose_robots(self, given, &c) && choose_seeds(seeds, &c) && batch_work_alone(self, do_resets, &work);
    choice_clear(&c);
    if (!done) return NULL;
    if (self->status) return raise_error(&self->err);
    Py_RETURN_NONE;
}

const char batch_put_doc[] = "put($self, robot, q, v)\n--\n\n"
                             "Restarts a robot in a given state, with its present factors.";

PyObject *batch_put(PyObject *object, PyObject *args)
{
    batch_object *self = (batch_object *)object;
    const int nq = self->sizes.nq, nv = self->sizes.nv;
    PyObject *number, *q, *v;
    if (!PyArg_ParseTuple(args, "OOO:put", &number, &q, &v)) return NULL;
    const int i = read_robot(self, number);
    if (i < 0) return NULL;
    double *numbers = PyMem_Malloc((size_t)(nq + nv + 1) * sizeof *numbers);
    if (!numbers) return PyErr_NoMemory();
    bool fine = read_numbers(q, "q", nq, numbers) && read_numbers(v, "v", nv, numbers + nq);
    if (fine && self->running) fine = raise_busy("Batch");
    if (fine && (ff_batch_set_state(self->batch, i, numbers, numbers + nq, &self->err) || batch_show_robot(self, i)))
        fine = raise_error(&self->err);
    PyMem_Free(numbers);
    if (!fine) return NULL;
    Py_RETURN_NONE;
}

const char batch_set_doc[] = "set($self, name, values)\n--\n\n"
                             "Sets a factor of each robot: 'friction', 'contact_stiffness', 'mass' or 'gain'.";

PyObject *batch_set(PyObject *object, PyObject *args)
{
    batch_object *self = (batch_object *)object;
    PyObject *values;
    const char *name;
    if (!PyArg_ParseTuple(args, "sO:set", &name, &values)) return NULL;
    const ff_batch_parameter which = read_quantity(name, FF_BATCH_PARAMETERS);
    if (which == FF_BATCH_QUANTITIES) return NULL;
    double *numbers = PyMem_Malloc((size_t)self->robots * sizeof *numbers);
    if (!numbers) return PyErr_NoMemory();
    bool fine = read_numbers(values, name, self->robots, numbers);
    if (fine && self->running) fine = raise_busy("Batch");
    int least = 0; // is set first: where it is refused nothing has changed, else no other is
    for (int i = 1; fine && i < self->robots; i++) least = numbers[i] < numbers[least] ? i : least;
    if (fine && ff_batch_set_parameter(self->batch, least, which, numbers[least], &self->err) != FF_OK)
        fine = raise_error(&self->err);
    for (int i = 0; fine && i < self->robots; i++) ff_batch_set_parameter(self->batch, i, which, numbers[i], NULL);
    PyMem_Free(numbers);
    if (!fine) return NULL;
    Py_RETURN_NONE;
}

const char batch_push_doc[] = "push($self, robot, force, steps)\n--\n\n"
                              "Pushes the root of a robot with a force [N], world axes, for some steps from now on.";

PyObject *batch_push(PyObject *object, PyObject *args)
{
    batch_object *self = (batch_object *)object;
    PyObject *number, *force;
    double numbers[3];
    int steps;
    if (!PyArg_ParseTuple(args, "OOi:push", &number, &force, &steps)) return NULL;
    const int i = read_robot(self, number);
    if (i < 0 || !read_numbers(force, "force", 3, numbers)) return NULL;
    if (self->running) return raise_busy("Batch");
    if (ff_batch_push(self->batch, i, numbers, steps, &self->err) != FF_OK) return raise_error(&self->err);
    Py_RETURN_NONE;
}

const char batch_drawn_doc[] =
    "drawn($self, name)\n--\n\n"
    "Last values that robots drew of a quantity of `spread`, such as 'mass' or 'mass.torso': a new array (robots,). "
    "For\n"
    "a quantity with a draw for each body or joint, such as 'start_joints', it is the last of them.";

PyObject *batch_drawn(PyObject *object, PyObject *args)
{
    batch_object *self = (batch_object *)object;
    const char *name, *there;
    if (!PyArg_ParseTuple(args, "s:drawn", &name)) return NULL;
    if (self->running) return raise_busy("Batch");
    int row = 0;
    while ((there = ff_batch_spread_name(self->batch, row)) && strcmp(there, name) != 0) row++;
    if (!there)
        return raise_status(FF_BAD_ARGUMENT, "robots draw no '%.60s': it is no quantity of the 'spread' of this batch",
                            name);
    double *values;
    PyObject *array = array_new(self->robots, ONE_DIMENSION, &values);
    for (int i = 0; array && i < self->robots; i++)
        if (ff_batch_get_draw(self->batch, i, row, &values[i], &self->err)) Py_CLEAR(array);
    return array || PyErr_Occurred() ? array : raise_error(&self->err);
}
