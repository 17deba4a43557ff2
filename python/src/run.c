// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Run: a scene at work, with its controllers, and what came out.
#include "core.h"

#include <math.h>
#include <string.h>

PyTypeObject *run_type;

static void destroy_run(void *run)
{
    ff_run_destroy(run);
}

static PyObject *make_run(scene_object *scene, const ff_run_options *options)
{
    ff_report report = {0};
    PyThreadState *parked = PyEval_SaveThread();
    ff_run *run = ff_run_create(scene->scene, options, &report);
    PyEval_RestoreThread(parked);
    if (!run) return raise_report(&report, FF_BAD_FILE);
    keep *k = keep_new(run, destroy_run, scene->keep);
    run_object *self = k && guard_watch(k, ff_run_sim(run)) ? PyObject_New(run_object, run_type) : NULL;
    if (self) {
        self->keep = (keep *)Py_NewRef((PyObject *)k);
        self->run = run;
        self->scene = Py_NewRef((PyObject *)scene);
        PyObject *model = model_wrap(scene->keep, scene->scene->model, scene->scene->plant);
        self->sim = model ? sim_wrap(k, ff_run_sim(run), model) : NULL;
        self->gone = false;
        self->wall = 0.0;
        self->recording = NULL;
        Py_XDECREF(model);
        if (!self->sim) Py_CLEAR(self);
    }
    Py_CLEAR(k);
    if (!warn_report(&report)) Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"scene", "seed", "time", "record", NULL};
    PyObject *scene, *seed = Py_None, *time = Py_None, *record = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|$OOO:Run", names, scene_type, &scene, &seed, &time, &record))
        return NULL;
    ff_run_options options = ff_run_options_default(((scene_object *)scene)->scene);
    options.doors = FF_DOOR_PYTHON; // who runs Python can do whatever its controllers can
    options.python = controller_host;
    if (time != Py_None && !read_number(time, "time", &options.time)) return NULL;
    if (seed != Py_None) {
        options.sim.seed = PyLong_AsUnsignedLongLong(seed);
        if (PyErr_Occurred()) return NULL;
    }
    record_choice choice;
    if (!record_choose(record, ((scene_object *)scene)->scene, &choice, &options.record)) return NULL;
    PyObject *run = make_run((scene_object *)scene, &options);
    record_choice_clear(&choice);
    return run;
}

static void close_run(run_object *self)
{
    if (self->sim) sim_close((sim_object *)self->sim);
    Py_CLEAR(self->keep);
}

static void run_dealloc(PyObject *object)
{
    run_object *self = (run_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->sim); // which may live on, and keeps the memory then
    Py_CLEAR(self->keep);
    Py_XDECREF(self->recording);
    Py_XDECREF(self->scene);
    PyObject_Free(object);
    Py_DECREF(type);
}

static const char go_doc[] =
    "go($self)\n--\n\n"
    "Runs to the planned end and judges the expectations of the scene. Returns True where all are met.\n\n"
    "Raises Diverged, SolverFailed, ControlFailed with the cause; Busy; Closed.";

static PyObject *run_go(PyObject *object, PyObject *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    keep *k = self->keep;
    if (!guard_begin(k, "Run.go", true)) return NULL;
    ff_error err = {0};
    const double start = guard_clock();
    const ff_status status = ff_run_go(self->run, &err);
    self->wall = guard_clock() - start;
    if (!guard_end(k)) return NULL;
    self->gone = true;
    self->end = err;
    self->end.status = status;
    if (status != FF_OK && status != FF_STOPPED) return raise_error(&err);
    return PyBool_FromLong(ff_run_result(self->run)->passed);
}

static const char command_doc[] = "command($self, command, robot=0)\n--\n\n"
                                  "Commands the controller of a robot from now on, as under `commands` of a scene: "
                                  "{\"speed\": 0.1, \"gait\": \"wave\"}\n"
                                  "or the same as text.";

static PyObject *run_command(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"command", "robot", NULL};
    run_object *self = (run_object *)object;
    PyObject *command;
    int robot = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|i:command", names, &command, &robot)) return NULL;
    PyObject *text = format_value(command);
    Py_ssize_t length = 0;
    const char *words = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    if (!words || !guard_look(self->keep, "Run.command")) {
        Py_XDECREF(text);
        return NULL;
    }
    ff_report report = {0};
    ff_status status = FF_BAD_ARGUMENT;
    if (robot < 0 || robot >= ff_run_scene(self->run)->nrobot)
        ff_report_add(&report, FF_ERROR, (ff_place){0}, "robot is %d: the scene has %d", robot,
                      ff_run_scene(self->run)->nrobot);
    else
        status = ff_run_command(self->run, robot, words, (size_t)length, &report);
    Py_DECREF(text);
    if (status) return raise_report(&report, status);
    if (!warn_report(&report)) return NULL;
    Py_RETURN_NONE;
}

static const char close_doc[] = "close($self)\n--\n\nEnds the run with its simulation; see Sim.close.";

static PyObject *run_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    if (self->keep && self->keep->running) return raise_busy("Run.close");
    close_run(self);
    Py_RETURN_NONE;
}

static PyObject *run_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *run_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return run_close(object, NULL);
}

// ------------------------------------------------------------------------------------------ what came out

static bool set_number(PyObject *dict, const char *name, double value)
{
    PyObject *number = PyFloat_FromDouble(value);
    const bool set = number && PyDict_SetItemString(dict, name, number) == 0;
    Py_XDECREF(number);
    return set;
}

static PyObject *get_metrics(PyObject *object, void *unused)
{
    (void)unused;
    const run_object *self = (run_object *)object;
    if (!guard_look(self->keep, "Run")) return NULL;
    const ff_result *result = ff_run_result(self->run);
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && self->gone && i < result->nmetric; i++)
        if (!set_number(dict, result->metrics[i].name, result->metrics[i].value)) Py_CLEAR(dict);
    return dict;
}

static PyObject *get_passed(PyObject *object, void *unused)
{
    (void)unused;
    const run_object *self = (run_object *)object;
    if (!guard_look(self->keep, "Run")) return NULL;
    return PyBool_FromLong(self->gone && ff_run_result(self->run)->passed);
}

static PyObject *get_sim(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((run_object *)object)->sim);
}

static PyObject *get_scene(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((run_object *)object)->scene);
}

static const char report_doc[] = "report($self)\n--\n\n"
                                 "The run as a page: verdict, metrics, plots, gait, replay. A notebook shows it "
                                 "inline; report.save(path) writes it.";

static const char certify_doc[] =
    "certify($self)\n--\n\n"
    "How far the numbers can be relied on: makes the run again from its beginning, again tighter, and again by a "
    "method\n"
    "of another family (docs/certificate.md). Returns a footfall.results.Certificate: text, certainty, bars.";

static PyMethodDef methods[] = {
    {"go", run_go, METH_NOARGS, go_doc},
    {"command", FUNCTION(run_command), METH_VARARGS | METH_KEYWORDS, command_doc},
    {"close", run_close, METH_NOARGS, close_doc},
    {"report", run_report, METH_NOARGS, report_doc},
    {"certify", run_certify, METH_NOARGS, certify_doc},
    {"__enter__", run_enter, METH_NOARGS, NULL},
    {"__exit__", run_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"sim", get_sim, NULL, "The Sim, which can be stepped, read, saved and restored.", NULL},
    {"scene", get_scene, NULL, "The Scene.", NULL},
    {"metrics", get_metrics, NULL, "What was measured, name: value, after go().", NULL},
    {"recording", run_get_recording, NULL, "The Recording up to now, channels as arrays.", NULL},
    {"passed", get_passed, NULL, "Is every expectation met? False before go().", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char run_type_doc[] = "Run(scene, *, seed=None, time=None, record=None)\n--\n\n"
                                   "A scene at work: simulation, contacts, drives, sensors, controllers, measures.\n\n"
                                   "seed  of all random streams; None: that of the scene\n"
                                   "time  planned end [s]; None: that of the scene\n"
                                   "record  patterns of channels, [\"base\", \"feet.*\"]; None: those of the scene\n"
                                   "        and those that a report shows; False: nothing, which is faster";

bool run_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)run_type_doc}, {Py_tp_new, (void *)run_new},       {Py_tp_dealloc, (void *)run_dealloc},
        {Py_tp_methods, (void *)methods},  {Py_tp_getset, (void *)attributes}, {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Run",
        .basicsize = sizeof(run_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (run_type = type_add(module, &spec)) != NULL;
}
