// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Run: a run of a scene with its controllers, and its results.
#include "fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *run_type;

static void destroy_run(void *run)
{
    ff_run_destroy(run);
}

static PyObject *make_run(scene_object *scene, const ff_run_options *options)
{
    ff_report report = {0};
    interruptible p;
    interruptible_begin(&p, NULL);
    ff_run *run = ff_run_create(scene->scene, options, &report);
    if (!interruptible_end(&p)) {
        ff_run_destroy(run);
        ff_report_clear(&report);
        return NULL;
    }
    if (!run) return raise_report(&report, FF_BAD_FILE);
    object_owner *k = owner_new(run, destroy_run, scene->owner);
    run_object *self = k && guard_watch(k, ff_run_sim(run)) ? PyObject_New(run_object, run_type) : NULL;
    if (self) {
        self->run = run;
        self->scene = Py_NewRef((PyObject *)scene);
        PyObject *model = model_wrap(scene->owner, scene->scene->model, scene->scene->plant);
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

/// Bits of the permissions that a list of words names. @return false with an exception
static bool read_permissions(PyObject *value, unsigned *permissions)
{
    texts words;
    if (!texts_read(value, "allow", &words)) return false;
    int bad = -1;
    for (int i = 0; i < words.count && bad < 0; i++) {
        int permission = 0;
        while (ff_permission_names[permission] && strcmp(ff_permission_names[permission], words.items[i]) != 0)
            permission++;
        if (ff_permission_names[permission])
            *permissions |= 1u << permission;
        else
            bad = i;
    }
    if (bad >= 0)
        raise_status(FF_BAD_ARGUMENT, "allow[%d] is '%.40s': it must be io, os, require or debug", bad,
                     words.items[bad]);
    texts_clear(&words);
    return bad < 0;
}

static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"scene", "seed", "time", "record", "touchable", "allow", NULL};
    PyObject *scene, *seed = Py_None, *time = Py_None, *record = Py_None, *allow = NULL;
    int touchable = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|$OOOpO:Run", names, scene_type, &scene, &seed, &time, &record,
                                     &touchable, &allow))
        return NULL;
    ff_run_options options = ff_run_options_default(((scene_object *)scene)->scene);
    options.touchable = touchable;
    options.permissions = FF_PERMIT_PYTHON; // who runs Python can do whatever its controllers can
    options.python = controller_host;
    if (time != Py_None && !read_number(time, "time", &options.time)) return NULL;
    if (seed != Py_None && !read_seed(seed, &options.sim.seed)) return NULL;
    if (!read_permissions(allow, &options.permissions)) return NULL;
    record_choice choice;
    if (!record_choose(record, ((scene_object *)scene)->scene, &choice, &options.record)) return NULL;
    PyObject *run = make_run((scene_object *)scene, &options);
    record_choice_clear(&choice);
    return run;
}

static void run_dealloc(PyObject *object)
{
    run_object *self = (run_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->sim); // which may live on, and keeps the memory then
    Py_XDECREF(self->recording);
    Py_XDECREF(self->scene);
    PyObject_Free(object);
    Py_DECREF(type);
}

static const char go_doc[] =
    "go($self)\n--\n\n"
    "Runs to the planned end and evaluates the expectations of the scene. Returns True if all are met.\n\n"
    "Raises Diverged, SolverFailed, ControlFailed with the cause; Busy; Closed.";

static PyObject *run_go(PyObject *object, PyObject *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    object_owner *k = run_owner(self);
    if (!guard_begin(k, "Run.go")) return NULL;
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

static const char *body_name(const void *model, int i)
{
    return ((const ff_model *)model)->bodies[i].name;
}

static const char *robot_name(const void *scene, int i)
{
    return ((const ff_scene_spec *)scene)->robots[i].name;
}

/// Index of a robot given by name or index; NULL: the first. @return -1 with an exception, also of a closed run
static int read_robot(run_object *self, PyObject *robot)
{
    if (!guard_look(run_owner(self), "Run")) return -1;
    const ff_scene_spec *scene = ff_run_scene(self->run);
    if (robot && PyUnicode_Check(robot)) return find_name(robot, "robot", robot_name, scene, scene->nrobot);
    const long number = robot ? PyLong_AsLong(robot) : 0;
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number >= 0 && number < scene->nrobot) return (int)number;
    raise_status(FF_BAD_ARGUMENT, "robot is %ld: the scene has %d, from 0 on", number, scene->nrobot);
    return -1;
}

static const char command_doc[] =
    "command($self, command, robot=0)\n--\n\n"
    "Commands the controller of a robot from now on, as under `commands` of a scene: {\"speed\": 0.1, \"gait\": "
    "\"wave\"}\n"
    "or the same as text. The robot is given by name or number.\n\n"
    "Raises BadArgument or BadFile with the reason; the previous command then stays.";

static PyObject *run_command(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"command", "robot", NULL};
    run_object *self = (run_object *)object;
    PyObject *command, *which = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:command", names, &command, &which)) return NULL;
    PyObject *text = format_value(command);
    Py_ssize_t length = 0;
    const char *words = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    const int robot = words ? read_robot(self, which) : -1;
    ff_report report = {0};
    ff_status status = FF_OK;
    catcher caught;
    catch_begin(&caught);
    if (robot >= 0) status = ff_run_command(self->run, robot, words, (size_t)length, &report);
    const bool interrupted = catch_end(&caught);
    Py_XDECREF(text);
    if (interrupted) ff_report_clear(&report);
    if (robot < 0 || interrupted) return NULL;
    if (status) return raise_report(&report, status);
    if (!warn_report(&report)) return NULL;
    Py_RETURN_NONE;
}

static const char push_doc[] = "push($self, body, force, seconds, at=(0, 0, 0))\n--\n\n"
                               "Pushes a point of a body for a time that begins now.\n\n"
                               "force    world axes (3) [N]\n"
                               "seconds  up to 60 [s]\n"
                               "at       in the body's frame (3) [m]\n\n"
                               "Needs Run(scene, touchable=True). Raises Limit if more than 8 pushes act.";

static PyObject *run_push(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"body", "force", "seconds", "at", NULL};
    run_object *self = (run_object *)object;
    PyObject *which, *push, *lasts, *place = NULL;
    double force[3], seconds, at[3] = {0.0, 0.0, 0.0};
    ff_error err = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO|O:push", names, &which, &push, &lasts, &place)) return NULL;
    if (!read_numbers(push, "force", 3, force) || !read_number(lasts, "seconds", &seconds)) return NULL;
    if (place && !read_numbers(place, "at", 3, at)) return NULL;
    if (!guard_look(run_owner(self), "Run.push")) return NULL;
    if (!ff_run_get_options(self->run)->touchable)
        return raise_status(FF_BAD_ARGUMENT, "a run can be pushed that was made for it: Run(scene, touchable=True)");
    const int body =
        find_name(which, "body", body_name, ff_run_scene(self->run)->model, ff_run_scene(self->run)->model->nbody);
    if (body < 0) return NULL;
    if (ff_run_push(self->run, body, at, force, seconds, &err)) return raise_error(&err);
    Py_RETURN_NONE;
}

static const char put_robot_doc[] = "put_robot($self, robot=0, pos=None, yaw=None)\n--\n\n"
                                    "Moves a robot with a free base and stops it; its joints stay. None: unchanged.\n\n"
                                    "pos  position of its base (3) [m]\n"
                                    "yaw  heading of its x axis [rad]";

static PyObject *run_put_robot(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"robot", "pos", "yaw", NULL};
    run_object *self = (run_object *)object;
    PyObject *which = NULL, *place = Py_None, *heading = Py_None;
    double pos[3], yaw = NAN;
    ff_error err = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOO:put_robot", names, &which, &place, &heading)) return NULL;
    if (place != Py_None && !read_numbers(place, "pos", 3, pos)) return NULL;
    if (heading != Py_None && !read_number(heading, "yaw", &yaw)) return NULL;
    const int robot = read_robot(self, which);
    if (robot < 0) return NULL;
    if (ff_run_put_robot(self->run, robot, place != Py_None ? pos : NULL, yaw, &err)) return raise_error(&err);
    Py_RETURN_NONE;
}

static const char put_joint_doc[] =
    "put_joint($self, joint, value, robot=0)\n--\n\n"
    "Moves a hinge or slide to a position within its limits [rad, m] and stops the robot.";

static PyObject *run_put_joint(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"joint", "value", "robot", NULL};
    run_object *self = (run_object *)object;
    const char *joint;
    PyObject *number, *which = NULL;
    double value;
    ff_error err = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO|O:put_joint", names, &joint, &number, &which)) return NULL;
    if (!read_number(number, "value", &value)) return NULL;
    const int robot = read_robot(self, which);
    if (robot < 0) return NULL;
    if (ff_run_put_joint(self->run, robot, joint, value, &err)) return raise_error(&err);
    Py_RETURN_NONE;
}

static const char set_parameter_doc[] =
    "set_parameter($self, name, value, robot=0)\n--\n\n"
    "Sets a parameter that the script of a robot declares (docs/controllers.md). Raises "
    "NotFound, or BadArgument with its range.";

static PyObject *run_set_parameter(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "value", "robot", NULL};
    run_object *self = (run_object *)object;
    const char *name;
    PyObject *number, *which = NULL;
    double value;
    ff_error err = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO|O:set_parameter", names, &name, &number, &which)) return NULL;
    if (!read_number(number, "value", &value)) return NULL;
    const int robot = read_robot(self, which);
    if (robot < 0) return NULL;
    if (ff_run_set_parameter(self->run, robot, name, value, &err)) return raise_error(&err);
    Py_RETURN_NONE;
}

static const char news_doc[] =
    "news($self)\n--\n\n"
    "Messages since the last call, a list of str: falls, failures of controllers, lines that scripts print.";

static PyObject *run_news(PyObject *object, PyObject *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    if (!guard_look(run_owner(self), "Run.news")) return NULL;
    ff_report report = {0};
    ff_run_report_news(self->run, &report);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < report.count; i++) {
        const char *text = report.messages[i].text;
        PyObject *line = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        if (!line || PyList_Append(list, line) < 0) Py_CLEAR(list);
        Py_XDECREF(line);
    }
    ff_report_clear(&report);
    return list;
}

static const char close_doc[] =
    "close($self)\n--\n\nEnds the run with its simulation, as run.sim.close() does; see Sim.close.";

static PyObject *run_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    if (run_owner(self) && run_owner(self)->running) return raise_busy("Run.close");
    sim_close((sim_object *)self->sim);
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

static PyObject *run_repr(PyObject *object)
{
    const run_object *self = (run_object *)object;
    const char *title = ((scene_object *)self->scene)->scene->title;
    if (!run_owner(self)) return format_text("<footfall.Run of \"%.200s\": closed>", title);
    const double now = ff_sim_time(ff_run_sim(self->run)), end = ff_run_get_options(self->run)->time;
    if (!self->gone) return format_text("<footfall.Run of \"%.200s\": at %g of %g s>", title, now, end);
    return format_text("<footfall.Run of \"%.200s\": gone to %g s, expectations %s>", title, now,
                       ff_run_result(self->run)->passed ? "met" : "missed");
}

// ------------------------------------------------------------------------------------------ results

static bool set_number(PyObject *dict, const char *name, double value)
{
    PyObject *number = PyFloat_FromDouble(value);
    const bool set = number && PyDict_SetItemString(dict, name, number) == 0;
    Py_XDECREF(number);
    return set;
}

static const field verdict_fields[] = {
    TEXT(ff_verdict, metric, "what was measured"),
    NUMBER(ff_verdict, got, "what came out"),
    FLAG(ff_verdict, met, "is it as expected?"),
    NUMBER(ff_verdict, is, "expected, where has_is"),
    NUMBER(ff_verdict, within, "of it"),
    FLAG(ff_verdict, has_is, "is there a value, or only bounds?"),
    NUMBER(ff_verdict, at_least, "-inf: no bound"),
    NUMBER(ff_verdict, at_most, "inf: no bound"),
    NUMBER(ff_verdict, may_miss, "share of the runs with other seeds that may miss it"),
    TEXT(ff_verdict, source, "where the expectation comes from"),
    {.kind = FIELD_END},
};
static PyTypeObject *verdict_type;

static PyObject *get_verdicts(PyObject *object, void *unused)
{
    (void)unused;
    const run_object *self = (run_object *)object;
    if (!guard_look(run_owner(self), "Run")) return NULL;
    ff_arena arena = {0};
    int count = 0;
    const ff_verdict *verdicts = self->gone ? ff_run_verdicts(self->run, &arena, &count) : NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *record = record_make(verdict_type, verdict_fields, &verdicts[i], (naming){0});
        if (!record || PyList_Append(list, record) < 0) Py_CLEAR(list);
        Py_XDECREF(record);
    }
    ff_arena_clear(&arena);
    return list;
}

static const char metric_doc[] = "metric($self, name)\n--\n\nA metric after go(), those of bodies included, which "
                                 "metrics does not list. Raises NotFound.";

static PyObject *run_metric(PyObject *object, PyObject *name)
{
    const run_object *self = (run_object *)object;
    const char *text = read_text(name, "name");
    double value;
    if (!text || !guard_look(run_owner(self), "Run.metric")) return NULL;
    if (!self->gone || !ff_run_metric(self->run, text, &value))
        return raise_status(FF_NOT_FOUND, "no metric '%.80s'%s", text, self->gone ? "" : ": the run has not gone yet");
    return PyFloat_FromDouble(value);
}

static PyObject *get_events(PyObject *object, void *unused)
{
    (void)unused;
    const run_object *self = (run_object *)object;
    if (!guard_look(run_owner(self), "Run")) return NULL;
    char *text = ff_run_list_events(self->run);
    if (!text) return PyErr_NoMemory();
    PyObject *json = PyImport_ImportModule("json");
    PyObject *list = json ? PyObject_CallMethod(json, "loads", "s", text) : NULL;
    Py_XDECREF(json);
    free(text);
    return list;
}

/// @return commands of a robot, as {key: (value, unit, low, high)} or {key: (word, words)}; NULL with an exception
static PyObject *command_value(const ff_command_key *key)
{
    int count = 0;
    while (key->choices && key->choices[count]) count++;
    if (!key->choices) return Py_BuildValue("dsdd", key->value, key->unit ? key->unit : "", key->low, key->high);
    PyObject *words = PyTuple_New(count);
    for (int i = 0; words && i < count; i++) PyTuple_SetItem(words, i, PyUnicode_FromString(key->choices[i]));
    const int now = (int)key->value;
    return words ? Py_BuildValue("sN", now >= 0 && now < count ? key->choices[now] : "", words) : NULL;
}

static const char commands_doc[] =
    "commands($self, robot=0)\n--\n\n"
    "Commands that the controller of a robot has, with present values: {key: (value, unit, low, high)}, or with words\n"
    "{key: (word, words)}.";

static PyObject *run_commands(PyObject *object, PyObject *args, PyObject *kwargs)
{
    enum { MOST = 64 };
    static char *names[] = {"robot", NULL};
    run_object *self = (run_object *)object;
    PyObject *which = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:commands", names, &which)) return NULL;
    const int robot = read_robot(self, which);
    if (robot < 0) return NULL;
    ff_command_key keys[MOST];
    const int count = ff_run_command_keys(self->run, robot, keys, MOST);
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < count; i++) {
        PyObject *value = command_value(&keys[i]);
        if (!value || PyDict_SetItemString(dict, keys[i].key, value) < 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *get_metrics(PyObject *object, void *unused)
{
    (void)unused;
    const run_object *self = (run_object *)object;
    if (!guard_look(run_owner(self), "Run")) return NULL;
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
    if (!guard_look(run_owner(self), "Run")) return NULL;
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

static const char report_doc[] =
    "report($self)\n--\n\n"
    "A report page of the run: expectations, metrics, plots, gait, replay. A notebook shows "
    "it inline; report.save(path) writes it.";

static const char certify_doc[] =
    "certify($self)\n--\n\n"
    "Computes error bars: repeats the run from its beginning, with a smaller step or tolerance, and by a method\n"
    "of another family (docs/certificate.md). Returns a footfall.results.Certificate: text, certainty, bars.";

static PyMethodDef methods[] = {
    {"go", run_go, METH_NOARGS, go_doc},
    {"command", FUNCTION(run_command), METH_VARARGS | METH_KEYWORDS, command_doc},
    {"commands", FUNCTION(run_commands), METH_VARARGS | METH_KEYWORDS, commands_doc},
    {"push", FUNCTION(run_push), METH_VARARGS | METH_KEYWORDS, push_doc},
    {"put_robot", FUNCTION(run_put_robot), METH_VARARGS | METH_KEYWORDS, put_robot_doc},
    {"put_joint", FUNCTION(run_put_joint), METH_VARARGS | METH_KEYWORDS, put_joint_doc},
    {"set_parameter", FUNCTION(run_set_parameter), METH_VARARGS | METH_KEYWORDS, set_parameter_doc},
    {"news", run_news, METH_NOARGS, news_doc},
    {"metric", run_metric, METH_O, metric_doc},
    {"close", run_close, METH_NOARGS, close_doc},
    {"report", run_report, METH_NOARGS, report_doc},
    {"certify", run_certify, METH_NOARGS, certify_doc},
    {"__enter__", run_enter, METH_NOARGS, NULL},
    {"__exit__", run_exit, METH_VARARGS, NULL},
    {"__reduce__", refuse_copy, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"sim", get_sim, NULL, "The Sim, which can be stepped, read, saved and restored.", NULL},
    {"scene", get_scene, NULL, "The Scene.", NULL},
    {"metrics", get_metrics, NULL, "What was measured, name: value, after go().", NULL},
    {"verdicts", get_verdicts, NULL, "The expectations of the scene and what came out, a list of footfall.Verdict.",
     NULL},
    {"events", get_events, NULL, "What happened when, a list of dict by time (docs/studio.md).", NULL},
    {"recording", run_get_recording, NULL, "The Recording up to now, channels as arrays.", NULL},
    {"passed", get_passed, NULL, "Is every expectation met? False before go().", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char run_type_doc[] =
    "Run(scene, *, seed=None, time=None, record=None, touchable=False, allow=())\n--\n\n"
    "A run of a scene: simulation, contacts, drives, sensors, controllers, measures.\n\n"
    "    run = ff.Run(ff.Scene(\"experiments/anton-tripod.yaml\"))\n"
    "    run.sim.run(2.0)                 # part of the way\n"
    "    run.command({\"speed\": 0.05})\n"
    "    run.go()                         # to the planned end\n"
    "    print(run.metrics[\"walk.speed\"], run.passed)\n\n"
    "seed       seed of all random numbers; None: that of the scene\n"
    "time       planned end [s]; None: that of the scene\n"
    "record     patterns of channels, [\"base\", \"feet.*\"]; None: those of the scene and those that a report\n"
    "           shows; False: no recording, which is faster\n"
    "touchable  allows push()\n"
    "allow      permissions of scripts: 'io', 'os', 'require', 'debug'\n\n"
    "Raises BadFile with every problem and its place: channels and shapes that do not exist, robots that do not "
    "settle.";

bool run_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)run_type_doc},
        {Py_tp_new, (void *)run_new},
        {Py_tp_dealloc, (void *)run_dealloc},
        {Py_tp_repr, (void *)run_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Run",
        .basicsize = sizeof(run_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    verdict_type =
        record_add(module, "footfall.Verdict", "An expectation and what came out, of Run.verdicts.", verdict_fields);
    return verdict_type && (run_type = type_add(module, &spec)) != NULL;
}
