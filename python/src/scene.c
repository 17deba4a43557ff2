// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene: the content of a scene file, with overrides applied. It never changes.
#include "core.h"

#include <string.h>

PyTypeObject *scene_type;

static void destroy_scene(void *scene)
{
    ff_scene_destroy(scene);
}

/// @return the Scene that was read, or NULL with an exception
static PyObject *scene_wrap(PyTypeObject *type, interruptible *p, const ff_scene_spec *scene, ff_report *report)
{
    if (!interruptible_end(p)) {
        ff_scene_destroy(scene);
        ff_report_clear(report);
        return NULL;
    }
    if (!scene) return raise_report(report, FF_BAD_FILE);
    object_owner *k = owner_new((void *)scene, destroy_scene, NULL);
    PyObject *object = k ? PyType_GenericAlloc(type, 0) : NULL;
    if (object) {
        ((scene_object *)object)->owner = Py_NewRef((PyObject *)k);
        ((scene_object *)object)->scene = scene;
    }
    Py_CLEAR(k);
    if (!warn_report(report)) Py_CLEAR(object);
    return object;
}

static void scene_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(((scene_object *)object)->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

/// @return overrides=... and all other keywords, as one list; NULL with an exception
static bool read_overrides(PyObject *kwargs, texts *out)
{
    *out = (texts){0};
    if (!kwargs) return true;
    PyObject *others = PyDict_Copy(kwargs), *given = others ? PyDict_GetItemString(others, "overrides") : NULL;
    Py_XINCREF(given);
    bool fine = others != NULL;
    if (given) fine = PyDict_DelItemString(others, "overrides") == 0;
    texts first = {0}, second = {0};
    fine = fine && texts_read(given, "overrides", &first) && texts_read(others, "overrides", &second);
    if (fine && first.count > 0) {
        PyObject *both = PySequence_Concat(first.owner, second.owner);
        fine = both && texts_read(both, "overrides", out);
        Py_XDECREF(both);
    } else if (fine) {
        *out = second;
        second = (texts){0};
    }
    texts_clear(&first);
    texts_clear(&second);
    Py_XDECREF(given);
    Py_XDECREF(others);
    return fine;
}

/// @return path of a file, and the overrides; NULL with an exception
static PyObject *read_source(PyObject *path_object, PyObject *kwargs, texts *overrides)
{
    PyObject *path = read_path(path_object, "path");
    if (path && read_overrides(kwargs, overrides)) return path;
    Py_XDECREF(path);
    return NULL;
}

static PyObject *scene_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *path_object;
    if (!PyArg_ParseTuple(args, "O:Scene", &path_object)) return NULL;
    texts overrides;
    PyObject *path = read_source(path_object, kwargs, &overrides);
    if (!path) return NULL;
    ff_report report = {0};
    const char *file = PyBytes_AsString(path);
    interruptible p;
    interruptible_begin(&p, NULL);
    const ff_scene_spec *scene = ff_scene_load(file, overrides.items, overrides.count, &report);
    PyObject *object = scene_wrap(type, &p, scene, &report);
    Py_DECREF(path);
    texts_clear(&overrides);
    return object;
}

static const char from_text_doc[] =
    "from_text($type, text, file='scene.yaml', **overrides)\n--\n\n"
    "A scene from a text instead of a file. `file` is its name in messages and the base of relative paths.";

static PyObject *from_text(PyObject *type, PyObject *args, PyObject *kwargs)
{
    const char *text, *file = "scene.yaml";
    Py_ssize_t length;
    texts overrides;
    if (!PyArg_ParseTuple(args, "s#|s:from_text", &text, &length, &file) || !read_overrides(kwargs, &overrides))
        return NULL;
    ff_report report = {0};
    interruptible p;
    interruptible_begin(&p, NULL);
    const ff_scene_spec *scene = ff_scene_parse(text, (size_t)length, file, overrides.items, overrides.count, &report);
    PyObject *object = scene_wrap((PyTypeObject *)type, &p, scene, &report);
    texts_clear(&overrides);
    return object;
}

static const char of_robot_doc[] =
    "of_robot($type, path, how='standing', **overrides)\n--\n\n"
    "A scene made from a robot file: 'free' (only the content of the file, joints move freely), 'standing' (on a "
    "floor,\n"
    "in static equilibrium, joints held) or 'weightless' (without gravity and contacts, joints held).";

static PyObject *of_robot(PyObject *type, PyObject *args, PyObject *kwargs)
{
    static const char *const words[] = {"free", "standing", "weightless"};
    const char *how = "standing";
    PyObject *path_object;
    if (!PyArg_ParseTuple(args, "O|s:of_robot", &path_object, &how)) return NULL;
    int which = 0;
    while (which < 3 && strcmp(how, words[which]) != 0) which++;
    if (which == 3) return raise_status(FF_BAD_ARGUMENT, "how is \"%s\": it must be free, standing or weightless", how);
    texts overrides;
    PyObject *path = read_source(path_object, kwargs, &overrides);
    if (!path) return NULL;
    ff_report report = {0};
    const char *file = PyBytes_AsString(path);
    interruptible p;
    interruptible_begin(&p, NULL);
    const ff_scene_spec *scene =
        ff_scene_of_robot(file, (ff_single_robot)which, NULL, overrides.items, overrides.count, &report);
    PyObject *object = scene_wrap((PyTypeObject *)type, &p, scene, &report);
    Py_DECREF(path);
    texts_clear(&overrides);
    return object;
}

static const char run_doc[] = "run($self, **options)\n--\n\n"
                              "Runs the scene to its end: Run(self, **options), then go(). Returns the Run.";

static PyObject *scene_run(PyObject *object, PyObject *args, PyObject *kwargs)
{
    if (!PyArg_ParseTuple(args, ":run")) return NULL;
    PyObject *one = PyTuple_Pack(1, object);
    PyObject *run = one ? PyObject_Call((PyObject *)run_type, one, kwargs) : NULL;
    Py_XDECREF(one);
    PyObject *done = run ? PyObject_CallMethod(run, "go", NULL) : NULL;
    if (!done) Py_CLEAR(run);
    Py_XDECREF(done);
    return run;
}

static PyObject *get_path(PyObject *object, void *unused)
{
    (void)unused;
    return PyUnicode_DecodeFSDefault(((scene_object *)object)->scene->path);
}

static PyObject *get_title(PyObject *object, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((scene_object *)object)->scene->title);
}

static PyObject *get_time(PyObject *object, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(((scene_object *)object)->scene->time);
}

static PyObject *get_model(PyObject *object, void *unused)
{
    (void)unused;
    const scene_object *self = (scene_object *)object;
    return model_wrap(self->owner, self->scene->model, self->scene->plant);
}

static PyObject *scene_repr(PyObject *object)
{
    const ff_scene_spec *scene = ((scene_object *)object)->scene;
    return format_text("<footfall.Scene %.200s: \"%.200s\", %g s>", scene->path, scene->title, scene->time);
}

static PyMethodDef methods[] = {
    {"from_text", FUNCTION(from_text), METH_CLASS | METH_VARARGS | METH_KEYWORDS, from_text_doc},
    {"of_robot", FUNCTION(of_robot), METH_CLASS | METH_VARARGS | METH_KEYWORDS, of_robot_doc},
    {"run", FUNCTION(scene_run), METH_VARARGS | METH_KEYWORDS, run_doc},
    {"__copy__", return_self, METH_NOARGS, NULL},
    {"__deepcopy__", return_self, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"path", get_path, NULL, "Path of the file.", NULL},
    {"title", get_title, NULL, "Title, for people.", NULL},
    {"time", get_time, NULL, "Planned end [s].", NULL},
    {"model", get_model, NULL, "Model of all its robots and objects.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char scene_doc[] =
    "Scene(path, *, overrides=(), **more)\n--\n\n"
    "The content of a scene file (docs/scenes.md). It never changes: any number of runs share it, also in threads.\n\n"
    "overrides  values that replace those of the file: [\"solver.step=1 ms\"], or {\"solver.step\": \"1 ms\"}\n"
    "more       values of keys at the top: time=\"2 s\", variant=\"wave\"\n\n"
    "Raises BadFile with every problem of the files and its place.";

bool scene_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)scene_doc},
        {Py_tp_new, (void *)scene_new},
        {Py_tp_dealloc, (void *)scene_dealloc},
        {Py_tp_repr, (void *)scene_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Scene",
        .basicsize = sizeof(scene_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (scene_type = type_add(module, &spec)) != NULL;
}
