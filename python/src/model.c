// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Model: a compiled robot, which never changes.
#include "core.h"

PyTypeObject *model_type;

static void destroy_model(void *model)
{
    ff_model_destroy(model);
}

static void destroy_plant(void *plant)
{
    ff_plant_destroy(plant);
}

PyObject *model_wrap(PyObject *owner, const ff_model *model, const ff_plant *plant)
{
    model_object *self = PyObject_New(model_object, model_type);
    if (!self) return NULL;
    self->keep = Py_NewRef(owner);
    self->model = model;
    self->plant = plant;
    return (PyObject *)self;
}

static void model_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF(((model_object *)object)->keep);
    PyObject_Free(object);
    Py_DECREF(type);
}

const char load_model_doc[] =
    "load_model($module, path, *, drives=False, sensors=False, floating=False, repair=False, search_paths=())\n--\n\n"
    "Reads and compiles a robot: URDF, MJCF or Footfall's own YAML, told apart by their content.\n\n"
    "drives        its drives act, and Sim has them\n"
    "sensors       its sensors measure, and Sim has them\n"
    "floating      a URDF root without a joint gets a free joint\n"
    "repair        impossible inertia is replaced with a warning, not refused\n"
    "search_paths  folders in which package://NAME is looked up\n\n"
    "Raises BadFile or BadModel with every problem of the file and its place. What the file contains and Footfall "
    "does\n"
    "not use is a footfall.Warning.";

PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    static char *names[] = {"path", "drives", "sensors", "floating", "repair", "search_paths", NULL};
    PyObject *path_object, *folders = NULL;
    int drives = 0, sensors = 0, floating = 0, repair = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$ppppO:load_model", names, &path_object, &drives, &sensors,
                                     &floating, &repair, &folders))
        return NULL;
    PyObject *path = read_path(path_object, "path");
    texts paths;
    if (!path || !texts_read(folders, "search_paths", &paths)) {
        Py_XDECREF(path);
        return NULL;
    }
    ff_plant_options options = ff_plant_options_default();
    options.load.floating = floating;
    options.load.repair = repair;
    options.load.search_paths = paths.items;
    options.load.nsearch_path = paths.count;
    options.driven = drives;
    options.sensed = sensors;
    const char *file = PyBytes_AsString(path);
    ff_report report = {0};
    ff_plant *plant = NULL;
    ff_model *model = NULL;
    PyThreadState *parked = PyEval_SaveThread();
    if (drives || sensors)
        plant = ff_plant_load(file, &options, &report);
    else
        model = ff_model_load(file, &options.load, &report);
    PyEval_RestoreThread(parked);
    Py_DECREF(path);
    texts_clear(&paths);
    if (!plant && !model) return raise_report(&report, FF_BAD_FILE);
    keep *k = plant ? keep_new(plant, destroy_plant, NULL) : keep_new(model, destroy_model, NULL);
    PyObject *self = k ? model_wrap((PyObject *)k, plant ? plant->model : model, plant) : NULL;
    Py_CLEAR(k);
    if (!warn_report(&report)) Py_CLEAR(self);
    return self;
}

static PyObject *model_repr(PyObject *object)
{
    const ff_model *m = ((model_object *)object)->model;
    return PyUnicode_FromFormat("<footfall.Model \"%s\": %d bodies, nq %d, nv %d>", m->name ? m->name : "", m->nbody,
                                m->nq, m->nv);
}

static PyObject *get_name(PyObject *object, void *unused)
{
    (void)unused;
    const ff_model *m = ((model_object *)object)->model;
    return PyUnicode_FromString(m->name ? m->name : "");
}

static PyObject *get_nq(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((model_object *)object)->model->nq);
}

static PyObject *get_nv(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((model_object *)object)->model->nv);
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "Name of the robot.", NULL},
    {"nq", get_nq, NULL, "Size of the generalised position q.", NULL},
    {"nv", get_nv, NULL, "Size of the generalised velocity v.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char model_doc[] =
    "A compiled robot, which never changes: any number of simulations and threads share it.";

bool model_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)model_doc},
        {Py_tp_dealloc, (void *)model_dealloc},
        {Py_tp_repr, (void *)model_repr},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Model",
        .basicsize = sizeof(model_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    return (model_type = type_add(module, &spec)) != NULL;
}
