// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor: numbers of a batch in memory of the processor or of a GPU, for frameworks that use them without a copy: by
// DLPack (dmlc.github.io/dlpack, the layout of its capsules "dltensor") and by
// __cuda_array_interface__ (numba.readthedocs.io, version 3).
#include "core.h"

enum { MOST_DIMENSIONS = 3 };

// ------------------------------------------------------------------------------------------ DLPack

enum { ON_PROCESSOR = 1, ON_CUDA = 2, OF_FLOATS = 2 }; // its numbers of kinds of devices and of numbers

typedef struct dl_tensor {
    void *data;
    struct {
        int32_t type, number;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; // [numbers]
    uint64_t byte_offset;
} dl_tensor;

/// What a capsule holds: frameworks call `deleter` when they need the tensor no longer, from any thread.
typedef struct dl_managed {
    dl_tensor tensor;
    void *owner; // Tensor
    void (*deleter)(struct dl_managed *self);
} dl_managed;

typedef struct tensor_object {
    PyObject_HEAD PyObject *owner; // of the memory
    double *data;
    int device; // -1: the processor
    int ndim;
    int64_t shape[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
} tensor_object;

static PyTypeObject *tensor_type;

static void delete_managed(dl_managed *managed)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    Py_DECREF((PyObject *)managed->owner);
    PyMem_Free(managed);
    PyGILState_Release(lock);
}

/// Deletes the content of a capsule that no framework has used. A used one has another name, and its user deletes it.
static void delete_capsule(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;
    dl_managed *managed = PyCapsule_GetPointer(capsule, "dltensor");
    managed->deleter(managed);
}

static PyObject *tensor_dlpack_device(PyObject *object, PyObject *unused)
{
    (void)unused;
    const int device = ((tensor_object *)object)->device;
    return Py_BuildValue("(ii)", device < 0 ? ON_PROCESSOR : ON_CUDA, device < 0 ? 0 : device);
}

/// Refuses a request for a copy, or for another device. @return false with an exception
static bool check_in_place(PyObject *object, PyObject *device, PyObject *copy)
{
    const int copied = PyObject_IsTrue(copy);
    if (copied < 0) return false;
    if (copied)
        return PyErr_Format(PyExc_BufferError, "copy=%R: a tensor is the memory of its batch; copy what takes it",
                            copy) != NULL;
    if (device == Py_None) return true;
    PyObject *own = tensor_dlpack_device(object, NULL);
    const int same = own ? PyObject_RichCompareBool(own, device, Py_EQ) : -1;
    if (same == 0) PyErr_Format(PyExc_BufferError, "dl_device=%R: this tensor lies on %R", device, own);
    Py_XDECREF(own);
    return same > 0;
}

static const char dlpack_doc[] =
    "__dlpack__($self, /, stream=None, *, max_version=None, dl_device=None, copy=None)\n--\n\n"
    "A capsule of DLPack. A batch has finished its steps when step() returns, so streams need not be synchronised.\n"
    "Raises BufferError for a copy, or another device.";

static PyObject *tensor_dlpack(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream, *version, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$OOO:__dlpack__", names, &stream, &version, &device, &copy))
        return NULL;
    if (!check_in_place(object, device, copy)) return NULL;
    tensor_object *self = (tensor_object *)object;
    dl_managed *managed = PyMem_Calloc(1, sizeof *managed);
    if (!managed) return PyErr_NoMemory();
    dl_tensor *t = &managed->tensor;
    t->data = self->data;
    t->device.type = self->device < 0 ? ON_PROCESSOR : ON_CUDA;
    t->device.number = self->device < 0 ? 0 : self->device;
    t->ndim = self->ndim;
    t->dtype.code = OF_FLOATS;
    t->dtype.bits = 64;
    t->dtype.lanes = 1;
    t->shape = self->shape;
    t->strides = self->strides;
    managed->owner = Py_NewRef(object);
    managed->deleter = delete_managed;
    PyObject *capsule = PyCapsule_New(managed, "dltensor", delete_capsule);
    if (!capsule) delete_managed(managed);
    return capsule;
}

// ------------------------------------------------------------------------------------------ the type

/// A tuple of numbers times a factor.
static PyObject *tuple_of(const int64_t *numbers, int count, int64_t factor)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *one = PyLong_FromLongLong(numbers[i] * factor);
        if (!one || PyTuple_SetItem(tuple, i, one) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_shape(PyObject *object, void *unused)
{
    (void)unused;
    const tensor_object *self = (tensor_object *)object;
    return tuple_of(self->shape, self->ndim, 1);
}

static PyObject *get_cuda(PyObject *object, void *unused)
{
    (void)unused;
    const tensor_object *self = (tensor_object *)object;
    if (self->device < 0) {
        PyErr_SetString(PyExc_AttributeError, "this tensor lies in memory of the processor: DLPack hands it over");
        return NULL;
    }
    return Py_BuildValue("{s:N,s:N,s:s,s:(KO),s:i,s:O}", "shape", tuple_of(self->shape, self->ndim, 1), "strides",
                         tuple_of(self->strides, self->ndim, (int64_t)sizeof(double)), "typestr", "<f8", "data",
                         (unsigned long long)(uintptr_t)self->data, Py_False, "version", 3, "stream", Py_None);
}

static void tensor_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(((tensor_object *)object)->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

static PyObject *tensor_repr(PyObject *object)
{
    const tensor_object *self = (tensor_object *)object;
    return format_text("<footfall.Tensor: %lld blocks of %lld robots, %lld numbers each, on %s>",
                       (long long)self->shape[0], (long long)self->shape[1], (long long)self->shape[2],
                       self->device < 0 ? "the processor" : "a GPU");
}

static PyMethodDef methods[] = {
    {"__dlpack__", FUNCTION(tensor_dlpack), METH_VARARGS | METH_KEYWORDS, dlpack_doc},
    {"__dlpack_device__", tensor_dlpack_device, METH_NOARGS, "Kind and number of the device, as DLPack counts them."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"shape", get_shape, NULL, "(blocks, lanes, numbers): robot i is lane i % lanes of block i // lanes.", NULL},
    {"__cuda_array_interface__", get_cuda, NULL, "Of a tensor on a GPU.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyObject *tensor_new(PyObject *owner, const ff_batch_view *view)
{
    tensor_object *self = (tensor_object *)PyType_GenericAlloc(tensor_type, 0);
    if (!self) return NULL;
    self->owner = Py_NewRef(owner);
    self->data = view->data;
    self->device = view->device;
    self->ndim = MOST_DIMENSIONS;
    const int64_t shape[] = {view->blocks, view->lanes, view->count};
    const int64_t strides[] = {view->block_stride, 1, view->row_stride};
    for (int i = 0; i < MOST_DIMENSIONS; i++) self->shape[i] = shape[i], self->strides[i] = strides[i];
    return (PyObject *)self;
}

bool tensor_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Numbers of all robots of a Batch where they lie; Batch.tensor gives one."},
        {Py_tp_dealloc, (void *)tensor_dealloc},
        {Py_tp_repr, (void *)tensor_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Tensor",
        .basicsize = sizeof(tensor_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (tensor_type = type_add(module, &spec)) != NULL;
}
