// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments of Python as those of C: paths, lists of texts, overrides of scenes.
#include "core.h"

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
        PyObject *item = PyList_GetItem(out->owner, i);
        if (PyUnicode_Check(item) && (out->items[i] = PyUnicode_AsUTF8AndSize(item, NULL))) continue;
        if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s[%zd] must be a str, not %R", name, i, Py_TYPE(item));
        break;
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
