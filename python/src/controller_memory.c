// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The dict `memory` of a controller, and an array with its numbers. It is copied to the array after each cycle, so that
// a simulation can save and record it, and back after restoring. Its entries are listed when the controller starts and
// may not change: numbers, booleans, and dicts and lists of them.
#include "controller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 4096, MOST_DEPTH = 8 };
enum { KIND_FLOAT, KIND_INTEGER, KIND_TRUTH };

static PyObject *find_memory(const controller *c)
{
    PyObject *memory = c->module ? PyDict_GetItemString(PyModule_GetDict(c->module), "memory") : NULL;
    return memory && memory != Py_None ? memory : NULL;
}

static bool is_number(PyObject *value)
{
    return PyFloat_Check(value) || PyLong_Check(value) || (PyNumber_Check(value) && !PySequence_Check(value));
}

// ------------------------------------------------------------------------------------------ the list

/// @return number of a new entry, -1 with an exception
static int add_entry(controller *c)
{
    if (c->nentry == 2 * MOST_VALUES) {
        PyErr_Format(PyExc_ValueError, "memory holds more than %d values", MOST_VALUES);
        return -1;
    }
    c->entries[c->nentry] = (memory_entry){.value = -1, .child = -1, .next = -1};
    return c->nentry++;
}

static bool add_value(controller *c, memory_entry *e, const char *name, PyObject *value)
{
    if (!is_number(value))
        return PyErr_Format(PyExc_TypeError,
                            "memory.%s is %R: memory holds numbers, booleans, and dicts and lists of them", name,
                            Py_TYPE(value));
    if (c->nvalue == MOST_VALUES)
        return PyErr_Format(PyExc_ValueError, "memory holds more than %d values", MOST_VALUES);
    ff_io_name *signal = &c->signals[c->nvalue];
    const size_t size = strlen(name) + 1;
    if (size > sizeof signal->name)
        return PyErr_Format(PyExc_ValueError, "memory.%s: the name is longer than %zu letters", name,
                            sizeof signal->name - 1);
    memcpy(signal->name, name, size);
    snprintf(signal->unit, sizeof signal->unit, "1");
    e->value = c->nvalue++;
    return true;
}

static bool list_entries(controller *c, int parent, PyObject *container, const char *lead, int depth);

/// Adds an entry below `parent`, with all that it contains. @return its number, -1 with an exception
static int list_entry(controller *c, PyObject *key, PyObject *value, Py_ssize_t number, const char *lead, int depth)
{
    char name[200], place[24];
    const int i = add_entry(c);
    if (i < 0) return -1;
    snprintf(place, sizeof place, "%lld", (long long)number);
    const char *word = !key ? place : PyUnicode_Check(key) ? read_text(key, "memory: a key") : NULL;
    if (!word) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "memory: keys are words, not %R", key);
        return -1;
    }
    c->entries[i].key = Py_XNewRef(key);
    snprintf(name, sizeof name, "%.100s%s%.80s", lead, lead[0] ? "." : "", word);
    const bool nested = PyDict_Check(value) || PyList_Check(value);
    const bool fine = nested ? list_entries(c, i, value, name, depth + 1) : add_value(c, &c->entries[i], name, value);
    return fine ? i : -1;
}

static bool list_entries(controller *c, int parent, PyObject *container, const char *lead, int depth)
{
    if (depth > MOST_DEPTH) return PyErr_Format(PyExc_ValueError, "memory is nested deeper than %d", MOST_DEPTH);
    const bool list = PyList_Check(container);
    int last = -1;
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t at = 0;
    c->entries[parent].list = list;
    for (Py_ssize_t k = 0; list ? k < PyList_Size(container) : PyDict_Next(container, &at, &key, &value); k++) {
        if (list) value = PyList_GetItem(container, k);
        const int i = list_entry(c, list ? NULL : key, value, k, lead, depth);
        if (i < 0) return false;
        *(last < 0 ? &c->entries[parent].child : &c->entries[last].next) = i;
        last = i;
        c->entries[parent].nchild++;
    }
    return true;
}

bool memory_list(controller *c)
{
    PyObject *memory = find_memory(c);
    if (!memory) return true;
    if (!PyDict_Check(memory))
        return PyErr_Format(PyExc_TypeError, "'memory' is %R and should be a dict", Py_TYPE(memory));
    c->entries = PyMem_Calloc((size_t)2 * MOST_VALUES, sizeof *c->entries);
    c->signals = PyMem_Calloc(MOST_VALUES, sizeof *c->signals);
    if (!c->entries || !c->signals) return PyErr_NoMemory() != NULL;
    return add_entry(c) == 0 && list_entries(c, 0, memory, "", 1);
}

void memory_clear(controller *c)
{
    for (int i = 0; i < c->nentry; i++) Py_XDECREF(c->entries[i].key);
    PyMem_Free(c->entries);
    PyMem_Free(c->signals);
    c->entries = NULL;
    c->signals = NULL;
    c->nentry = c->nvalue = 0;
}

// ------------------------------------------------------------------------------------------ conversion

static bool store_value(controller *c, int number, PyObject *value)
{
    const char *name = c->signals[number].name;
    if (!is_number(value)) return PyErr_Format(PyExc_TypeError, "memory.%s has become %R", name, Py_TYPE(value));
    const double kept = PyFloat_AsDouble(value);
    if (kept == -1.0 && PyErr_Occurred()) return false;
    const bool whole = PyLong_Check(value);
    if (whole && !(fabs(kept) <= 9e15))
        return PyErr_Format(PyExc_ValueError, "memory.%s is beyond 9e15: make it a float", name);
    c->numbers.memory[number] = kept;
    c->numbers.kinds[number] = PyBool_Check(value) ? KIND_TRUTH : whole ? KIND_INTEGER : KIND_FLOAT;
    return true;
}

/// @return borrowed entry of a dict or list; NULL with an exception if it was removed
static PyObject *get_entry(const memory_entry *e, PyObject *container, Py_ssize_t k)
{
    PyObject *value = e->key ? PyDict_GetItemWithError(container, e->key) : PyList_GetItem(container, k);
    if (!value && !PyErr_Occurred()) PyErr_Format(PyExc_KeyError, "'memory' has lost its entry %R", e->key);
    return value;
}

static bool is_same(const memory_entry *e, PyObject *container)
{
    const bool same = e->list ? PyList_Check(container) && PyList_Size(container) == e->nchild
                              : PyDict_Check(container) && PyDict_Size(container) == e->nchild;
    return same || PyErr_Format(PyExc_TypeError, "'memory' holds something else than when the controller started");
}

static bool store_entries(controller *c, int parent, PyObject *container)
{
    const memory_entry *e = &c->entries[parent];
    if (!is_same(e, container)) return false;
    Py_ssize_t k = 0;
    for (int i = e->child; i >= 0; i = c->entries[i].next, k++) {
        PyObject *value = get_entry(&c->entries[i], container, k);
        if (!value) return false;
        if (!(c->entries[i].value >= 0 ? store_value(c, c->entries[i].value, value) : store_entries(c, i, value)))
            return false;
    }
    return true;
}

bool memory_store(controller *c)
{
    if (c->nentry == 0) return true;
    PyObject *memory = find_memory(c);
    return memory ? store_entries(c, 0, memory) : PyErr_Format(PyExc_NameError, "'memory' is gone") != NULL;
}

static PyObject *recall_value(const controller *c, int number)
{
    const double value = c->numbers.memory[number];
    if (c->numbers.kinds[number] == KIND_TRUTH) return PyBool_FromLong(value != 0.0);
    if (c->numbers.kinds[number] == KIND_INTEGER) return PyLong_FromLongLong((long long)value);
    return PyFloat_FromDouble(value);
}

static bool recall_entries(const controller *c, int parent, PyObject *container)
{
    const memory_entry *e = &c->entries[parent];
    if (!is_same(e, container)) return false;
    Py_ssize_t k = 0;
    for (int i = e->child; i >= 0; i = c->entries[i].next, k++) {
        const memory_entry *entry = &c->entries[i];
        if (entry->value < 0) {
            PyObject *inner = get_entry(entry, container, k);
            if (!inner || !recall_entries(c, i, inner)) return false;
            continue;
        }
        PyObject *value = recall_value(c, entry->value);
        if (!value) return false;
        const int failed =
            entry->key ? PyDict_SetItem(container, entry->key, value) : PyList_SetItem(container, k, Py_NewRef(value));
        Py_DECREF(value);
        if (failed) return false;
    }
    return true;
}

bool memory_recall(controller *c)
{
    if (c->nentry == 0) return true;
    PyObject *memory = find_memory(c);
    return memory ? recall_entries(c, 0, memory) : PyErr_Format(PyExc_NameError, "'memory' is gone") != NULL;
}
