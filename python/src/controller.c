// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in Python, `control: {python: file.py}`: the table of functions behind which the library runs them
// (ff_python_host in footfall/steer.h). A file gives the functions
//     start(robot)                       once, may be absent
//     cycle(t, sensors, references)      once a period
//     command(t, values)                 for each entry of `commands`
// and may keep what changes from cycle to cycle in the dict `memory` (controller_memory.c). The table is used by runs
// of this module and, through the capsule `controllers`, by the program, which has its own copy of the library.
#include "controller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ failures

/// Number of the line at an entry of a traceback, and whether it is of the file. 0: none.
static int line_of(PyObject *trace, const char *path, bool *inside, char *where, size_t size)
{
    PyObject *line = PyObject_GetAttrString(trace, "tb_lineno");
    PyObject *frame = PyObject_GetAttrString(trace, "tb_frame");
    PyObject *code = frame ? PyObject_GetAttrString(frame, "f_code") : NULL;
    PyObject *file = code ? PyObject_GetAttrString(code, "co_filename") : NULL;
    const char *name = file ? PyUnicode_AsUTF8AndSize(file, NULL) : NULL;
    const int number = line ? (int)PyLong_AsLong(line) : 0;
    *inside = name && strcmp(name, path) == 0;
    snprintf(where, size, " (raised in %.60s:%d)", name ? name : "?", number);
    Py_XDECREF(line);
    Py_XDECREF(frame);
    Py_XDECREF(code);
    Py_XDECREF(file);
    PyErr_Clear();
    return number;
}

/// @return last line of the file in a traceback; `where` receives the place of the exception if it is in another file
static int find_line(PyObject *trace, const char *path, char *where, size_t size)
{
    int found = 0;
    where[0] = '\0';
    Py_XINCREF(trace);
    while (trace && trace != Py_None) {
        bool inside = false;
        const int line = line_of(trace, path, &inside, where, size);
        if (inside) {
            found = line;
            where[0] = '\0';
        }
        PyObject *next = PyObject_GetAttrString(trace, "tb_next");
        Py_DECREF(trace);
        trace = next;
    }
    Py_XDECREF(trace);
    PyErr_Clear();
    return found;
}

static int line_of_syntax_error(PyObject *error)
{
    PyObject *line = PyObject_GetAttrString(error, "lineno");
    const long number = line && PyLong_Check(line) ? PyLong_AsLong(line) : 0;
    Py_XDECREF(line);
    PyErr_Clear();
    return (int)number;
}

/// Turns the exception into a fault of the controller.
static void take_fault(const char *path, ff_python_fault *fault)
{
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    char where[100] = "";
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const bool grammar = value && PyErr_GivenExceptionMatches(value, PyExc_SyntaxError);
    PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
    PyObject *text = grammar ? PyObject_GetAttrString(value, "msg") : value ? PyObject_Str(value) : NULL;
    const char *kind = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    const char *words = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    PyErr_Clear();
    fault->line = find_line(trace, path, where, sizeof where);
    if (grammar && fault->line == 0) fault->line = line_of_syntax_error(value);
    snprintf(fault->text, sizeof fault->text, "%.40s%s%.160s%s", kind ? kind : "an exception",
             words && words[0] ? ": " : "", words ? words : "", grammar ? "" : where);
    Py_XDECREF(name);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/// Ctrl-C is no fault of the controller: the caller of the run raises it. The program handles the signal itself.
static bool take_interrupt(void)
{
    return PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) && catch_exception();
}

// ------------------------------------------------------------------------------------------ what it is given

static PyObject *to_python(const ff_script_value *value);

static PyObject *number_to_python(double number)
{
    if (number == floor(number) && fabs(number) < 9e15) return PyLong_FromLongLong((long long)number);
    return PyFloat_FromDouble(number);
}

static PyObject *map_to_python(const ff_script_value *map)
{
    PyObject *dict = PyDict_New();
    for (const ff_script_value *child = map ? map->child : NULL; dict && child; child = child->next) {
        PyObject *item = to_python(child);
        if (!item || PyDict_SetItemString(dict, child->key, item) < 0) Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

static PyObject *list_to_python(const ff_script_value *value)
{
    PyObject *list = PyList_New(0);
    for (const ff_script_value *child = value->child; list && child; child = child->next) {
        PyObject *item = to_python(child);
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *to_python(const ff_script_value *value)
{
    switch (value->type) {
    case FF_SCRIPT_NUMBER:
        return number_to_python(value->number);
    case FF_SCRIPT_BOOLEAN:
        return PyBool_FromLong(value->number != 0.0);
    case FF_SCRIPT_LIST:
        return list_to_python(value);
    case FF_SCRIPT_MAP:
        return map_to_python(value);
    default:
        return PyUnicode_FromString(value->text);
    }
}

/// Adds an entry to a dict and releases `value`, which may be NULL with an exception.
static bool put(PyObject *dict, const char *key, PyObject *value)
{
    const bool fine = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return fine;
}

/// @return an object with the entries of a dict as attributes; releases the dict
static PyObject *as_namespace(PyObject *dict)
{
    PyObject *types = dict ? PyImport_ImportModule("types") : NULL;
    PyObject *maker = types ? PyObject_GetAttrString(types, "SimpleNamespace") : NULL;
    PyObject *none = maker ? PyTuple_New(0) : NULL, *made = none ? PyObject_Call(maker, none, dict) : NULL;
    Py_XDECREF(types);
    Py_XDECREF(maker);
    Py_XDECREF(none);
    Py_XDECREF(dict);
    return made;
}

static PyObject *units_of(const ff_io_layout *layout)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < layout->count; i++)
        if (!put(dict, frame_name(&layout->names[i]), PyUnicode_FromString(layout->names[i].unit))) Py_CLEAR(dict);
    return dict;
}

static PyObject *joints_of(const ff_model *m)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        if (!ff_joint_is_scalar(j->type)) continue;
        PyObject *entry = PyDict_New();
        const bool fine = entry && put(entry, "lower", PyFloat_FromDouble(j->limited ? j->range[0] : -INFINITY)) &&
                          put(entry, "upper", PyFloat_FromDouble(j->limited ? j->range[1] : INFINITY));
        if (!fine) Py_CLEAR(entry);
        if (!put(dict, j->name, as_namespace(entry))) Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *poses_of(const ff_model *m)
{
    PyObject *dict = PyDict_New();
    for (int k = 0; dict && k < m->nkey; k++) {
        PyObject *pose = PyDict_New();
        for (int i = 0; pose && i < m->njoint; i++)
            if (ff_joint_is_scalar(m->joints[i].type) &&
                !put(pose, m->joints[i].name, PyFloat_FromDouble(m->keys[k].q[m->joints[i].qadr])))
                Py_CLEAR(pose);
        if (!put(dict, m->keys[k].name, pose)) Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *text_or_none(const char *text)
{
    return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

static PyObject *leg_of(const ff_model *m, const ff_leg *leg)
{
    PyObject *joints = PyList_New(0), *dict = PyDict_New();
    for (int k = 0; joints && k < leg->njoint; k++) {
        PyObject *name = PyUnicode_FromString(m->joints[leg->joints[k]].name);
        if (!name || PyList_Append(joints, name) < 0) Py_CLEAR(joints);
        Py_XDECREF(name);
    }
    if (dict && !(put(dict, "joints", joints) && put(dict, "name", PyUnicode_FromString(leg->name)) &&
                  put(dict, "force", text_or_none(leg->force)) && put(dict, "touch", text_or_none(leg->touch))))
        Py_CLEAR(dict);
    return as_namespace(dict);
}

static PyObject *legs_of(const ff_model *m)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < m->nleg; i++) {
        PyObject *leg = leg_of(m, &m->legs[i]);
        if (!leg || PyList_Append(list, leg) < 0) Py_CLEAR(list);
        Py_XDECREF(leg);
    }
    return list;
}

/// robot.random(): uniform in [0, 1), from a stream that follows the seed of the run and is saved with it.
static PyObject *next_random(PyObject *capsule, PyObject *unused)
{
    (void)unused;
    controller *c = PyCapsule_GetPointer(capsule, NULL);
    return c ? PyFloat_FromDouble(ff_random_uniform(&c->random)) : NULL;
}

static PyMethodDef RANDOM = {"random", next_random, METH_NOARGS, "A number from 0 up to 1."};

static PyObject *robot_of(controller *c, const ff_python_source *s)
{
    PyObject *dict = PyDict_New();
    const bool fine = dict && put(dict, "name", PyUnicode_FromString(s->robot->name)) &&
                      put(dict, "period", PyFloat_FromDouble(s->period)) &&
                      put(dict, "seed", PyLong_FromUnsignedLongLong(s->seed)) &&
                      put(dict, "parameters", map_to_python(s->parameters)) &&
                      put(dict, "sensors", units_of(s->sensors)) && put(dict, "references", units_of(s->references)) &&
                      put(dict, "joints", joints_of(s->robot)) && put(dict, "poses", poses_of(s->robot)) &&
                      put(dict, "legs", legs_of(s->robot)) && put(dict, "random", PyCFunction_New(&RANDOM, c->self));
    if (!fine) Py_CLEAR(dict);
    return as_namespace(dict);
}

// ------------------------------------------------------------------------------------------ begin and end

/// Imports of the file look in its own folder first, as for any script.
static PyObject *run_code(controller *c, PyObject *code)
{
    PyObject *path = PySys_GetObject("path"), *space = PyModule_GetDict(c->module);
    const char *slash = strrchr(c->path, '/');
    PyObject *folder = slash ? PyUnicode_DecodeFSDefaultAndSize(c->path, slash - c->path) : PyUnicode_FromString(".");
    if (!folder || !path || PyList_Insert(path, 0, folder) < 0) {
        Py_XDECREF(folder);
        return NULL;
    }
    PyObject *done = PyEval_EvalCode(code, space, space);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    const Py_ssize_t at = PySequence_Index(path, folder);
    if (at >= 0) PySequence_DelItem(path, at);
    Py_DECREF(folder);
    PyErr_Restore(type, value, trace);
    return done;
}

/// Loads the file as a separate module, so that controllers of several robots and runs share no variables.
static bool load_file(controller *c, const ff_python_source *s)
{
    static unsigned long long number; // under the lock of the interpreter
    char name[60];
    snprintf(name, sizeof name, "footfall_controller_%llu", ++number);
    c->module = PyModule_New(name);
    PyObject *modules = PySys_GetObject("modules"), *file = PyUnicode_DecodeFSDefault(s->path);
    bool fine = c->module && modules && file && PyModule_AddObjectRef(c->module, "__file__", file) == 0 &&
                PyModule_AddObjectRef(c->module, "__builtins__", PyEval_GetBuiltins()) == 0 &&
                PyDict_SetItemString(modules, name, c->module) == 0; // some of the library looks for it there
    Py_XDECREF(file);
    if (!fine) return false;
    if (strlen(s->text) != s->length) {
        PyErr_SetString(PyExc_SyntaxError, "the file holds a zero byte");
        return false;
    }
    PyObject *code = Py_CompileString(s->text, s->path, Py_file_input), *done = code ? run_code(c, code) : NULL;
    fine = done != NULL;
    Py_XDECREF(code);
    Py_XDECREF(done);
    return fine;
}

/// @return a function of the file; NULL without an exception if there is none of that name
static PyObject *find_function(PyObject *module, const char *name)
{
    PyObject *function = PyDict_GetItemString(PyModule_GetDict(module), name);
    if (!function || function == Py_None) return NULL;
    if (PyCallable_Check(function)) return Py_NewRef(function);
    PyErr_Format(PyExc_TypeError, "'%s' is no function", name);
    return NULL;
}

static bool find_functions(controller *c, bool commands)
{
    c->cycle = find_function(c->module, "cycle");
    if (!c->cycle && !PyErr_Occurred())
        PyErr_SetString(PyExc_AttributeError, "there is no function cycle(t, sensors, references)");
    if (!c->cycle) return false;
    c->command = find_function(c->module, "command");
    if (!c->command && !PyErr_Occurred() && commands)
        PyErr_SetString(PyExc_AttributeError,
                        "the scene schedules commands, and there is no function command(t, values)");
    return !PyErr_Occurred();
}

static bool call_start(controller *c, const ff_python_source *s)
{
    PyObject *start = find_function(c->module, "start");
    if (!start) return !PyErr_Occurred();
    PyObject *robot = robot_of(c, s), *done = robot ? PyObject_CallFunctionObjArgs(start, robot, NULL) : NULL;
    const bool fine = done != NULL;
    Py_DECREF(start);
    Py_XDECREF(robot);
    Py_XDECREF(done);
    return fine;
}

static bool begin(controller *c, const ff_python_source *s)
{
    c->self = PyCapsule_New(c, NULL, NULL);
    if (!c->self || !load_file(c, s) || !find_functions(c, s->commands) || !call_start(c, s)) return false;
    c->sensors = frame_new(s->sensors, "sensor");
    c->references = frame_new(s->references, "reference");
    return c->sensors && c->references && memory_list(c);
}

static void end(controller *c)
{
    PyObject *modules = PySys_GetObject("modules");
    if (c->module && modules && PyDict_DelItemString(modules, PyModule_GetName(c->module)) < 0) PyErr_Clear();
    if (c->references) frame_end(c->references);
    memory_clear(c);
    Py_CLEAR(c->cycle);
    Py_CLEAR(c->command);
    Py_CLEAR(c->sensors);
    Py_CLEAR(c->references);
    Py_CLEAR(c->module);
    if (c->self) PyCapsule_SetName(c->self, "of a controller that is gone"); // robot.random raises from now on
    Py_CLEAR(c->self);
}

static void destroy(void *all)
{
    controller *c = all;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *type, *value, *trace; // of who destroys it
    PyErr_Fetch(&type, &value, &trace);
    end(c);
    PyMem_Free(c->path);
    PyMem_Free(c);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(lock);
}

static void *create(const ff_python_source *s, ff_python_fault *fault)
{
    const PyGILState_STATE lock = PyGILState_Ensure();
    controller *c = PyMem_Calloc(1, sizeof *c);
    const size_t size = strlen(s->path) + 1;
    if (c && (c->path = PyMem_Malloc(size))) memcpy(c->path, s->path, size);
    if (c) c->random = ff_random_make(s->seed, 0x7079);
    if (!c || !c->path) PyErr_NoMemory();
    const bool fine = c && c->path && begin(c, s);
    if (!fine && !take_interrupt()) take_fault(s->path, fault);
    PyGILState_Release(lock);
    if (fine) return c;
    if (c) destroy(c);
    return NULL;
}

static const ff_io_name *list_memory(const void *all, int *count)
{
    const controller *c = all;
    *count = c->nvalue;
    return c->signals;
}

static bool attach(void *all, const ff_python_numbers *numbers, ff_python_fault *fault)
{
    controller *c = all;
    const PyGILState_STATE lock = PyGILState_Ensure();
    c->numbers = *numbers;
    *numbers->random = c->random;
    frame_attach(c->references, numbers->given);
    const bool fine = memory_store(c);
    if (!fine) take_fault(c->path, fault);
    PyGILState_Release(lock);
    return fine;
}

// ------------------------------------------------------------------------------------------ at work

/// Checks a call of the controller, and releases its result.
static bool finish(controller *c, PyObject *done, ff_python_fault *fault)
{
    const bool kept = done && memory_store(c), interrupted = !done && take_interrupt();
    Py_XDECREF(done);
    *c->numbers.random = c->random;
    if (interrupted) frame_fill(c->references, NULL); // half a cycle counts for none: they stay as they were
    if (!kept && !interrupted) take_fault(c->path, fault);
    return kept || interrupted;
}

static bool follow(controller *c, bool restored)
{
    if (!restored) return true;
    c->random = *c->numbers.random;
    return memory_recall(c);
}

static bool cycle(void *all, double t, bool restored, ff_python_fault *fault)
{
    controller *c = all;
    const PyGILState_STATE lock = PyGILState_Ensure();
    frame_fill(c->sensors, c->numbers.sensors);
    frame_fill(c->references, NULL);
    PyObject *time = follow(c, restored) ? PyFloat_FromDouble(t) : NULL;
    PyObject *done = time ? PyObject_CallFunctionObjArgs(c->cycle, time, c->sensors, c->references, NULL) : NULL;
    Py_XDECREF(time);
    const bool fine = finish(c, done, fault);
    if (fine) frame_take(c->references, c->numbers.references);
    PyGILState_Release(lock);
    return fine;
}

static bool command(void *all, double t, const ff_script_value *values, bool restored, ff_python_fault *fault)
{
    controller *c = all;
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *given = follow(c, restored) ? to_python(values) : NULL, *done = NULL;
    if (!c->command && given)
        PyErr_SetString(PyExc_AttributeError, "there is no function command(t, values)");
    else if (given)
        done = PyObject_CallFunction(c->command, "dO", t, given);
    Py_XDECREF(given);
    const bool fine = finish(c, done, fault);
    PyGILState_Release(lock);
    return fine;
}

static const ff_python_host HOST = {.version = FF_PYTHON_HOST,
                                    .model_size = sizeof(ff_model),
                                    .create = create,
                                    .memory = list_memory,
                                    .attach = attach,
                                    .cycle = cycle,
                                    .command = command,
                                    .destroy = destroy};

const ff_python_host *controller_host(ff_error *err)
{
    (void)err;
    return &HOST;
}

bool controller_add(PyObject *module)
{
    PyObject *capsule = PyCapsule_New((void *)(uintptr_t)&HOST, "footfall._core.controllers", NULL);
    const bool fine = capsule && PyModule_AddObjectRef(module, "controllers", capsule) == 0;
    Py_XDECREF(capsule);
    return fine && frame_add(module);
}
