// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// footfall._core: the list of types and functions. Users import python/footfall/__init__.py.
#include "core.h"

static PyObject *check_seed(PyObject *module, PyObject *value)
{
    (void)module;
    uint64_t seed;
    return read_seed(value, &seed) ? PyLong_FromUnsignedLongLong(seed) : NULL;
}

static PyMethodDef functions[] = {
    {"load_model", FUNCTION(load_model), METH_VARARGS | METH_KEYWORDS, load_model_doc},
    {"run_batch", FUNCTION(run_batch), METH_VARARGS | METH_KEYWORDS, run_batch_doc},
    {"check_seed", check_seed, METH_O, "check_seed(seed)\n--\n\nThe seed as an int. Raises BadArgument or TypeError."},
    {"save_run", save_run, METH_VARARGS, save_run_doc},
    {"certify_run", certify_run, METH_VARARGS, certify_run_doc},
    {NULL, NULL, 0, NULL},
};

PyObject *return_self(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

PyObject *refuse_copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *name = PyType_GetName(Py_TYPE(self));
    if (name)
        PyErr_Format(PyExc_TypeError,
                     "a %U cannot be copied or pickled: make another one alike, and restore() what save() of this one "
                     "returns",
                     name);
    Py_XDECREF(name);
    return NULL;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "footfall._core", .m_doc = "The library behind footfall; import footfall instead.",
    .m_size = -1,          .m_methods = functions,
};

static bool (*const parts[])(PyObject *module) = {
    owner_add, view_add,       model_add,     spec_add, scene_add, sim_add,
    run_add,   controller_add, recording_add, team_add, batch_add, tensor_add,
};

PyTypeObject *type_add(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
    return type;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = errors_find() ? PyModule_Create(&definition) : NULL;
    if (!module) return NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i](module)) continue;
        Py_DECREF(module);
        return NULL;
    }
    if (PyModule_AddStringConstant(module, "__version__", FF_VERSION) < 0) Py_CLEAR(module);
    return module;
}
