// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch_options.h"

#include <string.h>

/// Reads an entry of a mapping of names to values; returns false with an exception.
typedef bool (*take)(void *context, const char *name, PyObject *value);

static bool each_of(PyObject *given, const char *what, take take_one, void *context)
{
    if (!given || given == Py_None) return true;
    if (!PyDict_Check(given))
        return PyErr_Format(PyExc_TypeError, "%s must be a dict, not %R", what, Py_TYPE(given)) != NULL;
    PyObject *items = PyDict_Items(given);
    if (!items) return false;
    bool fine = true;
    for (Py_ssize_t i = 0; fine && i < PyList_Size(items); i++) {
        PyObject *pair = PyList_GetItem(items, i);
        const char *name = read_text(PyTuple_GetItem(pair, 0), what);
        fine = name && take_one(context, name, PyTuple_GetItem(pair, 1));
    }
    Py_DECREF(items);
    return fine;
}

/// @return a value of NumPy converted to list, int or bool, any other value unchanged; NULL with an exception
static PyObject *plain(PyObject *given)
{
    return PyObject_HasAttrString(given, "tolist") ? PyObject_CallMethod(given, "tolist", NULL) : Py_NewRef(given);
}

PyObject *plain_list(PyObject *given, const char *advice)
{
    PyObject *whole = plain(given), *list = NULL;
    const bool text = whole && PyUnicode_Check(whole); // a sequence of letters, which nobody means
    if (whole && !text) list = PySequence_List(whole);
    if (text || (whole && !list && PyErr_ExceptionMatches(PyExc_TypeError))) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s, not %R", advice, whole);
    }
    Py_XDECREF(whole);
    for (Py_ssize_t k = 0; list && k < PyList_Size(list); k++) {
        PyObject *item = plain(PyList_GetItem(list, k));
        if (!item || PyList_SetItem(list, k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

ff_batch_parameter read_quantity(const char *name, int among)
{
    char list[256] = "";
    for (int i = 0; i < among; i++) {
        const char *one = ff_batch_parameter_name((ff_batch_parameter)i);
        if (strcmp(name, one) == 0) return (ff_batch_parameter)i;
        strncat(list, i > 0 ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, one, sizeof list - strlen(list) - 1);
    }
    raise_status(FF_BAD_ARGUMENT, "there is no quantity '%.100s': they are %s", name, list);
    return FF_BATCH_QUANTITIES;
}

static bool take_spread(void *context, const char *name, PyObject *value)
{
    spread_table *table = context;
    ff_batch_parameter quantity;
    const char *which; // a part of `name`, which lives as long as the table
    ff_error unknown = {0};
    if (ff_batch_spread_find(name, &quantity, &which, &unknown)) return raise_error(&unknown) != NULL;
    if (table->count == FF_BATCH_SPREADS_MOST)
        return raise_status(FF_BAD_ARGUMENT, "a table has up to %d rows", FF_BATCH_SPREADS_MOST) != NULL;
    PyObject *list = plain_list(value, "a spread is (low, high), or begins with the name of a distribution");
    const char *kind = "uniform"; // or a text of the list, which may be the last to hold it
    const int first = list && PyList_Size(list) > 0 && PyUnicode_Check(PyList_GetItem(list, 0));
    bool fine = list && (!first || (kind = read_text(PyList_GetItem(list, 0), name)));
    PyObject *rest = fine ? PyList_GetSlice(list, first, PyList_Size(list)) : NULL;
    const Py_ssize_t count = rest ? PyList_Size(rest) : 0;
    double *numbers = table->numbers + table->used;
    fine = rest != NULL;
    if (fine && count > SPREAD_NUMBERS - table->used)
        fine = raise_status(FF_BAD_ARGUMENT, "%s has %zd numbers: a table may have %d", name, count, SPREAD_NUMBERS);
    fine = fine && read_numbers(rest, name, (int)count, numbers);
    ff_error err = {0};
    if (fine && ff_batch_spread_make(&table->rows[table->count], quantity, kind, numbers, (int)count, &err))
        fine = raise_status(FF_BAD_ARGUMENT, "spread of %s: %s", name, err.text);
    if (fine) table->rows[table->count].which = which;
    Py_XDECREF(rest);
    Py_XDECREF(list);
    table->count += fine;
    table->used += (int)count;
    return fine;
}

static bool take_noise(void *context, const char *name, PyObject *value)
{
    ff_batch_noise *noise = context;
    const struct {
        const char *name;
        double *to;
    } rows[] = {{"position", &noise->position},
                {"speed", &noise->speed},
                {"gyro", &noise->gyro},
                {"accelerometer", &noise->accelerometer},
                {"force", &noise->force}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0) return read_number(value, name, rows[i].to);
    return raise_status(FF_BAD_ARGUMENT,
                        "there is no noise of '%.100s': it is of position, speed, gyro, accelerometer or force",
                        name) != NULL;
}

bool read_spreads(PyObject *given, spread_table *out)
{
    return each_of(given, "spread", take_spread, out);
}

bool read_noise(PyObject *given, ff_batch_noise *out)
{
    return each_of(given, "noise", take_noise, out);
}

bool read_formulas(PyObject *list, const char ***out, int *count)
{
    *count = (int)PyList_Size(list);
    *out = PyMem_Calloc((size_t)*count + 1, sizeof **out);
    bool fine = *out || PyErr_NoMemory();
    for (int i = 0; fine && i < *count; i++) fine = ((*out)[i] = read_text(PyList_GetItem(list, i), "observe"));
    return fine;
}
