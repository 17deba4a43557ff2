// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Ownership. A Python object (Sim) refers to an owner, which owns the C object (ff_sim) and refers to the owner of the
// objects that it uses (world, then model). Arrays on memory of a simulation refer to its owner, not to the Sim. So a
// Sim can refer to its arrays without a reference cycle, which NumPy's arrays could not break, and can be closed while
// arrays exist.
#include "core.h"

static PyTypeObject *owner_type;

object_owner *owner_new(void *thing, void (*destroy)(void *), PyObject *below)
{
    object_owner *k = PyObject_New(object_owner, owner_type);
    if (!k) {
        destroy(thing);
        return NULL;
    }
    k->thing = thing;
    k->destroy = destroy;
    k->below = Py_XNewRef(below);
    k->running = false;
    k->call = (interruptible){0};
    atomic_init(&k->stop, false);
    return k;
}

static void owner_dealloc(PyObject *object)
{
    object_owner *k = (object_owner *)object;
    PyTypeObject *type = Py_TYPE(object);
    k->destroy(k->thing);
    Py_XDECREF(k->below);
    Py_XDECREF(k->call.caught.raised);
    PyObject_Free(object);
    Py_DECREF(type);
}

bool owner_add(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)owner_dealloc}, {0, NULL}};
    static PyType_Spec spec = {
        .name = "footfall._core.Owner",
        .basicsize = sizeof(object_owner),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (owner_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL)) != NULL;
}
