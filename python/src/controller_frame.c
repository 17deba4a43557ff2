// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// I/O frames for controllers in Python: sensors["pot.position"], references["hinge.position"] = 0.2. The array
// frame.values has all numbers in the order of frame.names.
#include "controller.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

typedef struct frame {
    PyObject_HEAD PyObject *names; // tuple of str
    PyObject *numbers;             // of items by name
    PyObject *array;
    double *values;      // of the array  (count)
    const double *given; // of references: those given last; NULL: sensors
    bool references;
    const char *what;
    int count;
} frame;

static PyTypeObject *frame_type;

const char *frame_name(const ff_io_name *name)
{
    const char *dot = strchr(name->name, '.');
    return dot ? dot + 1 : name->name;
}

static bool fill_names(frame *f, const ff_io_layout *layout)
{
    f->names = PyTuple_New(layout->count);
    f->numbers = PyDict_New();
    for (int i = 0; f->names && f->numbers && i < layout->count; i++) {
        PyObject *name = PyUnicode_FromString(frame_name(&layout->names[i])), *number = PyLong_FromLong(i);
        const bool fine = name && number && PyDict_SetItem(f->numbers, name, number) == 0 &&
                          PyTuple_SetItem(f->names, i, Py_NewRef(name)) == 0;
        Py_XDECREF(name);
        Py_XDECREF(number);
        if (!fine) return false;
    }
    return f->names && f->numbers;
}

PyObject *frame_new(const ff_io_layout *layout, const char *what)
{
    frame *f = (frame *)PyType_GenericAlloc(frame_type, 0);
    if (!f) return NULL;
    f->what = what;
    f->count = layout->count;
    f->references = layout->kind == FF_IO_REFERENCES;
    f->array = array_new(layout->count, ONE_DIMENSION, &f->values);
    if (!f->array || !fill_names(f, layout)) Py_CLEAR(f);
    return (PyObject *)f;
}

void frame_attach(PyObject *object, const double *given)
{
    ((frame *)object)->given = given;
}

void frame_end(PyObject *object)
{
    ((frame *)object)->given = NULL;
}

void frame_fill(PyObject *object, const double *numbers)
{
    frame *f = (frame *)object;
    for (int i = 0; i < f->count; i++) f->values[i] = numbers ? numbers[i] : NAN;
}

void frame_take(PyObject *object, double *numbers)
{
    const frame *f = (frame *)object;
    memcpy(numbers, f->values, (size_t)f->count * sizeof *numbers);
}

static void frame_dealloc(PyObject *object)
{
    frame *f = (frame *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(f->names);
    Py_XDECREF(f->numbers);
    Py_XDECREF(f->array);
    PyObject_Free(object);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------------ by name

static void raise_no_name(const frame *f, PyObject *key)
{
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    const char **names = name ? PyMem_Malloc(((size_t)f->count + 1) * sizeof *names) : NULL;
    for (int i = 0; names && i < f->count; i++) names[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(f->names, i), NULL);
    const char *near = names ? ff_text_nearest(name, names, f->count) : NULL;
    PyErr_Clear();
    if (!name)
        PyErr_Format(PyExc_TypeError, "a %s goes by its name, not by %R", f->what, key);
    else
        PyErr_Format(PyExc_LookupError, "no %s '%s'%s%s%s", f->what, name, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
    PyMem_Free(names);
}

/// @return -1 with an exception
static int item_of(const frame *f, PyObject *key)
{
    PyObject *number = PyUnicode_Check(key) ? PyDict_GetItemWithError(f->numbers, key) : NULL;
    if (number) return (int)PyLong_AsLong(number);
    if (!PyErr_Occurred()) raise_no_name(f, key);
    return -1;
}

static PyObject *frame_get(PyObject *object, PyObject *key)
{
    const frame *f = (frame *)object;
    const int i = item_of(f, key);
    if (i < 0) return NULL;
    const double value = !f->references || isfinite(f->values[i]) ? f->values[i] : f->given ? f->given[i] : NAN;
    return isnan(value) ? Py_NewRef(Py_None) : PyFloat_FromDouble(value);
}

static int frame_set(PyObject *object, PyObject *key, PyObject *value)
{
    frame *f = (frame *)object;
    const int i = item_of(f, key);
    if (i < 0) return -1;
    if (!f->references || !value) {
        PyErr_SetString(PyExc_TypeError, f->references ? "a reference cannot be deleted" : "sensors can be read only");
        return -1;
    }
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) return -1;
    f->values[i] = isfinite(number) ? number : INFINITY; // NaN would be: not given; infinite is dropped and reported
    return 0;
}

static Py_ssize_t frame_length(PyObject *object)
{
    return ((frame *)object)->count;
}

static int frame_contains(PyObject *object, PyObject *key)
{
    return PyDict_Contains(((frame *)object)->numbers, key);
}

static PyObject *frame_iterate(PyObject *object)
{
    return PyObject_GetIter(((frame *)object)->names);
}

static PyObject *get_names(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((frame *)object)->names);
}

static PyObject *get_values(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((frame *)object)->array);
}

static PyObject *frame_repr(PyObject *object)
{
    const frame *f = (frame *)object;
    return format_text("<footfall.Frame: %d %s%s>", f->count, f->what, f->count == 1 ? "" : "s");
}

static PyGetSetDef attributes[] = {
    {"names", get_names, NULL, "Names of the items.", NULL},
    {"values", get_values, NULL,
     "All items as an array. A sensor is NaN while it has no value. References are NaN before each cycle; one that "
     "stays "
     "NaN is not changed.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char frame_doc[] =
    "A frame of a controller: sensors in, references out, by name.\n\n"
    "sensors[\"pot.position\"] is None while there is no value; references[\"hinge.position\"] is the last reference.";

bool frame_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)frame_doc},           {Py_tp_dealloc, (void *)frame_dealloc},
        {Py_tp_repr, (void *)frame_repr},         {Py_tp_getset, (void *)attributes},
        {Py_tp_iter, (void *)frame_iterate},      {Py_mp_subscript, (void *)frame_get},
        {Py_mp_ass_subscript, (void *)frame_set}, {Py_mp_length, (void *)frame_length},
        {Py_sq_contains, (void *)frame_contains}, {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Frame",
        .basicsize = sizeof(frame),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (frame_type = type_add(module, &spec)) != NULL;
}
