// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers between C and NumPy by the buffer protocol: arrays on memory of a simulation, without copies; new arrays; and
// numbers from arguments. NumPy is imported for the first array only, since its import takes longer than that of the
// whole module.
#include "core.h"

#include <math.h>
#include <string.h>

typedef struct view {
    PyObject_HEAD PyObject *owner; // who has the memory; NULL: the view itself
    double *data;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
    bool read_only;
} view;

static PyTypeObject *view_type;
static PyObject *as_array; // numpy.asarray

static void view_dealloc(PyObject *object)
{
    view *v = (view *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (v->owner)
        Py_DECREF(v->owner);
    else
        PyMem_Free(v->data);
    PyObject_Free(object);
    Py_DECREF(type);
}

static int view_buffer(PyObject *object, Py_buffer *out, int flags)
{
    view *v = (view *)object;
    out->obj = NULL;
    if ((flags & PyBUF_WRITABLE) && v->read_only) {
        PyErr_SetString(PyExc_BufferError, "the array follows a simulation, which is written by its attributes");
        return -1;
    }
    const Py_ssize_t count = v->dimensions == 2 ? v->shape[0] * v->shape[1] : v->shape[0];
    *out = (Py_buffer){
        .buf = v->data,
        .obj = Py_NewRef(object),
        .len = count * (Py_ssize_t)sizeof(double),
        .itemsize = sizeof(double),
        .readonly = v->read_only,
        .ndim = v->dimensions,
        .format = "d",
        .shape = v->shape,
        .strides = v->strides,
    };
    return 0;
}

bool view_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)view_dealloc},
        {Py_bf_getbuffer, (void *)view_buffer},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall._core.View",
        .basicsize = sizeof(view),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (view_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL)) != NULL;
}

static bool find_numpy(void)
{
    if (as_array) return true;
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy) return false;
    as_array = PyObject_GetAttrString(numpy, "asarray");
    Py_DECREF(numpy);
    return as_array;
}

/// The array of a view; takes the reference.
static PyObject *to_array(view *v)
{
    PyObject *array = find_numpy() ? PyObject_CallFunctionObjArgs(as_array, (PyObject *)v, NULL) : NULL;
    Py_DECREF((PyObject *)v);
    if (!array || PyObject_Size(array) >= 0) return array;
    Py_DECREF(array); // without memory NumPy makes an array of one object, the view
    PyErr_Clear();
    return PyErr_NoMemory();
}

static view *view_new(PyObject *owner, double *data, Py_ssize_t rows, Py_ssize_t columns)
{
    view *v = PyObject_New(view, view_type);
    if (!v) return NULL;
    v->owner = Py_XNewRef(owner);
    v->data = data;
    v->dimensions = columns != ONE_DIMENSION ? 2 : 1;
    v->shape[0] = rows;
    v->shape[1] = columns;
    v->strides[0] = (columns > 0 ? columns : 1) * (Py_ssize_t)sizeof(double);
    v->strides[1] = sizeof(double);
    v->read_only = owner != NULL;
    return v;
}

PyObject *array_view(PyObject *owner, const double *data, Py_ssize_t count)
{
    view *v = view_new(owner, (double *)data, count, ONE_DIMENSION);
    return v ? to_array(v) : NULL;
}

PyObject *array_new(Py_ssize_t rows, Py_ssize_t columns, double **data)
{
    const size_t count = (size_t)rows * (size_t)(columns > 0 ? columns : 1);
    *data = PyMem_Calloc(count ? count : 1, sizeof **data);
    if (!*data) return PyErr_NoMemory();
    view *v = view_new(NULL, *data, rows, columns);
    if (!v) PyMem_Free(*data);
    return v ? to_array(v) : NULL;
}

PyObject *array_copy(const double *data, Py_ssize_t count)
{
    double *numbers;
    PyObject *array = array_new(count, ONE_DIMENSION, &numbers);
    if (array && count > 0) memcpy(numbers, data, (size_t)count * sizeof *numbers);
    return array;
}

static bool is_finite(const double *numbers, const char *name, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return raise_status(FF_BAD_ARGUMENT, "%s[%zd] is %g: it must be finite", name, i, numbers[i]);
    return true;
}

static bool take_buffer(const Py_buffer *b, const char *name, Py_ssize_t count, double *out)
{
    const Py_ssize_t there = b->itemsize > 0 ? b->len / b->itemsize : 0;
    if (b->ndim != 1 || there != count)
        return raise_status(FF_BAD_ARGUMENT, "%s has %zd number%s in %d dimension%s: it must have %zd in one", name,
                            there, there == 1 ? "" : "s", b->ndim, b->ndim == 1 ? "" : "s", count);
    if (!is_finite(b->buf, name, count)) return false;
    if (count > 0) memcpy(out, b->buf, (size_t)count * sizeof *out);
    return true;
}

/// @return false if it is not an array of doubles, or with MemoryError
static bool get_buffer(PyObject *value, Py_buffer *b)
{
    if (PyObject_GetBuffer(value, b, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear();
        return false;
    }
    if (b->format && strcmp(b->format, "d") == 0) return true;
    PyBuffer_Release(b);
    return false;
}

/// @return whether these are real numbers; texts and complex numbers are refused, though NumPy would convert them
static bool is_real(PyObject *array)
{
    PyObject *dtype = PyObject_GetAttrString(array, "dtype");
    PyObject *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
    const char *letter = kind ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
    const bool real = letter && strchr("biuf", letter[0]);
    Py_XDECREF(kind);
    Py_XDECREF(dtype);
    return real;
}

/// Reads other arguments that NumPy can convert: lists, tuples, arrays of other types or with strides.
static PyObject *convert(PyObject *value, const char *name)
{
    PyObject *array = find_numpy() ? PyObject_CallFunctionObjArgs(as_array, value, NULL) : NULL;
    PyObject *numbers = NULL;
    if (array && is_real(array)) {
        PyObject *args = PyTuple_Pack(1, array), *named = Py_BuildValue("{ss,ss}", "dtype", "float64", "order", "C");
        numbers = args && named ? PyObject_Call(as_array, args, named) : NULL;
        Py_XDECREF(args);
        Py_XDECREF(named);
    }
    const bool refused =
        !PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError);
    Py_XDECREF(array);
    if (numbers || !refused) return numbers;
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "%s must be numbers, not %R", name, Py_TYPE(value));
}

bool read_numbers(PyObject *value, const char *name, Py_ssize_t count, double *out)
{
    Py_buffer b;
    PyObject *array = NULL;
    if (!value) return PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", name);
    if (!get_buffer(value, &b)) {
        if (PyErr_Occurred() || !(array = convert(value, name))) return false;
        if (!get_buffer(array, &b)) {
            Py_DECREF(array);
            return PyErr_Occurred() ? false : PyErr_Format(PyExc_TypeError, "%s must be numbers", name) != NULL;
        }
    }
    const bool taken = take_buffer(&b, name, count, out);
    PyBuffer_Release(&b);
    Py_XDECREF(array);
    return taken;
}

bool read_number(PyObject *value, const char *name, double *out)
{
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "%s must be a number, not %R", name, Py_TYPE(value));
    }
    if (!isfinite(number)) return raise_status(FF_BAD_ARGUMENT, "%s is %g: it must be finite", name, number);
    *out = number;
    return true;
}
