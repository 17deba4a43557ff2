// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts arguments of Python to those of C: texts, seeds, paths, lists of texts, overrides of scenes.
#include "core.h"

#include <stdio.h>
#include <string.h>

const char *read_text(PyObject *value, const char *name)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str, not %R", name, Py_TYPE(value));
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(value, &length);
    if (text && strlen(text) != (size_t)length) {
        raise_status(FF_BAD_ARGUMENT, "%s '%.80s..' holds a zero character", name, text);
        return NULL;
    }
    return text;
}

PyObject *format_text(const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static bool raise_seed(PyObject *number)
{
    PyObject *digits = PyObject_Str(number);
    const char *text = digits ? PyUnicode_AsUTF8AndSize(digits, NULL) : NULL;
    if (text) raise_status(FF_BAD_ARGUMENT, "seed is %.60s: it must be from 0 to 18446744073709551615", text);
    Py_XDECREF(digits);
    return false;
}

bool read_seed(PyObject *value, uint64_t *out)
{
    if (!PyIndex_Check(value)) return PyErr_Format(PyExc_TypeError, "seed must be an int, not %R", Py_TYPE(value));
    PyObject *number = PyNumber_Index(value);
    if (!number) return false;
    const unsigned long long seed = PyLong_AsUnsignedLongLong(number);
    bool fine = !PyErr_Occurred();
    if (!fine && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        fine = raise_seed(number);
    }
    Py_DECREF(number);
    *out = seed;
    return fine;
}

PyObject *read_path(PyObject *value, const char *name)
{
    PyObject *bytes = NULL;
    if (PyUnicode_FSConverter(value, &bytes)) return bytes;
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a path, not %R", name, Py_TYPE(value));
    }
    return NULL;
}

PyObject *format_value(PyObject *value)
{
    if (PyUnicode_Check(value)) return Py_NewRef(value);
    PyObject *json = PyImport_ImportModule("json");
    PyObject *text = json ? PyObject_CallMethod(json, "dumps", "O", value) : NULL;
    Py_XDECREF(json);
    return text;
}

static PyObject *format_override(PyObject *key, PyObject *value, const char *name)
{
    if (!PyUnicode_Check(key)) return PyErr_Format(PyExc_TypeError, "%s: a path must be a str, not %R", name, key);
    PyObject *text = format_value(value);
    PyObject *whole = text ? PyUnicode_FromFormat("%U=%U", key, text) : NULL;
    Py_XDECREF(text);
    return whole;
}

static PyObject *list_overrides(PyObject *dict, const char *name)
{
    PyObject *list = PyList_New(0), *key, *value;
    for (Py_ssize_t at = 0; list && PyDict_Next(dict, &at, &key, &value);) {
        PyObject *text = format_override(key, value, name);
        if (!text || PyList_Append(list, text) < 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

bool texts_read(PyObject *value, const char *name, texts *out)
{
    *out = (texts){0};
    if (!value || value == Py_None) return true;
    if (PyUnicode_Check(value)) return PyErr_Format(PyExc_TypeError, "%s must be a list of str, not one str", name);
    out->owner = PyDict_Check(value) ? list_overrides(value, name) : PySequence_List(value);
    const Py_ssize_t count = out->owner ? PyList_Size(out->owner) : 0;
    out->items = out->owner ? PyMem_Calloc((size_t)count + 1, sizeof *out->items) : NULL;
    if (out->owner && !out->items) PyErr_NoMemory();
    for (Py_ssize_t i = 0; out->items && i < count; i++, out->count++) {
        char which[100];
        snprintf(which, sizeof which, "%.60s[%zd]", name, i);
        if (!(out->items[i] = read_text(PyList_GetItem(out->owner, i), which))) break;
    }
    if (out->items && out->count == count) return true;
    texts_clear(out);
    return false;
}

void texts_clear(texts *t)
{
    PyMem_Free(t->items);
    Py_XDECREF(t->owner);
    *t = (texts){0};
}

int read_number_of(PyObject *given, const char *what, int count)
{
    PyObject *whole = PyNumber_Index(given);
    const long i = whole ? PyLong_AsLong(whole) : -1;
    Py_XDECREF(whole);
    if (i == -1 && PyErr_Occurred()) return -1;
    if (i >= 0 && i < count) return (int)i;
    raise_status(FF_BAD_ARGUMENT, "there is no %s %ld: they are numbered from 0 to %d", what, i, count - 1);
    return -1;
}
