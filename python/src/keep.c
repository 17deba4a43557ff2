// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Ownership. A Python object (Sim) points to a keep, which owns the C object (ff_sim) and points to the keep of what
// that borrows (world, then model). Arrays on memory of a simulation point to its keep, not to the Sim: so a Sim can
// hold its arrays without a circle, which NumPy's arrays could not break, and a Sim can be closed while arrays live.
#include "core.h"

static PyTypeObject *keep_type;

keep *keep_new(void *thing, void (*destroy)(void *), PyObject *below)
{
    keep *k = PyObject_New(keep, keep_type);
    if (!k) {
        destroy(thing);
        return NULL;
    }
    k->thing = thing;
    k->destroy = destroy;
    k->below = Py_XNewRef(below);
    k->running = false;
    k->patience = (patience){0};
    atomic_init(&k->stop, false);
    return k;
}

static void keep_dealloc(PyObject *object)
{
    keep *k = (keep *)object;
    PyTypeObject *type = Py_TYPE(object);
    k->destroy(k->thing);
    Py_XDECREF(k->below);
    Py_XDECREF(k->patience.caught.raised);
    PyObject_Free(object);
    Py_DECREF(type);
}

bool keep_add(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)keep_dealloc}, {0, NULL}};
    static PyType_Spec spec = {
        .name = "footfall._core.Keep",
        .basicsize = sizeof(keep),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (keep_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL)) != NULL;
}
