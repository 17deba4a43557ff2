// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Team: many runs of one scene, each with a controller that takes references from an array and writes sensors to
// another. Between two calls Python accesses the arrays; the runs themselves are pure C, distributed over threads.
// Environments (python/footfall/env.py) are based on it.
#include "core.h"

#include <footfall/team.h>
#include <math.h>
#include <string.h>

/// One run and its rows of the arrays.
typedef struct member {
    struct team *team;
    ff_run *run; // NULL: could not begin
    ff_run_controller controller;
    double *references, *sensors;
    uint64_t seed;
    bool named;      // in the list of those that begin
    long long steps; // since its beginning, each of a period
    ff_error err;
} member;

enum { REFERENCES, SENSORS, POSITION, VELOCITY, TIME, FAILED, ARRAYS };

typedef struct team {
    PyObject_HEAD PyObject *scene_owner;
    const ff_scene_spec *scene;
    member *members;
    int count, threads;
    int nreference, nsensor;
    PyObject *names[2]; // of references and sensors
    PyObject *arrays[ARRAYS];
    double *data[ARRAYS];
    double period; // of the steps that are taken [s]
    const int *chosen;
    bool running;
    ff_error together; // error of the threads themselves
} team;

static PyTypeObject *team_type;

// ------------------------------------------------------------------------------------------ the controller

static ff_status bind(void *context, const ff_model *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                      ff_error *err)
{
    const member *m = context;
    (void)robot;
    if (sensors->count == m->team->nsensor && references->count == m->team->nreference) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "runs of one scene differ in their frames");
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    member *m = context;
    const ff_io_item *in = ff_io_items_of(sensors);
    ff_io_item *out = ff_io_items(references);
    (void)t;
    for (uint32_t i = 0; i < sensors->count; i++) m->sensors[i] = ff_io_known(&in[i]) ? in[i].value : NAN;
    for (uint32_t i = 0; i < references->count; i++)
        if (!isnan(m->references[i])) out[i] = (ff_io_item){.value = m->references[i], .valid = 1};
}

// ------------------------------------------------------------------------------------------ work without Python

static double *row(const team *self, int array, int i, int columns)
{
    return self->data[array] + (size_t)i * (size_t)columns;
}

/// The view of a member in Python.
static void show(team *self, int i)
{
    const member *m = &self->members[i];
    const ff_model *model = self->scene->model;
    self->data[FAILED][i] = m->err.status != FF_OK;
    if (!m->run) return;
    const ff_sim *sim = ff_run_sim(m->run);
    memcpy(row(self, POSITION, i, model->nq), ff_sim_q(sim), (size_t)model->nq * sizeof(double));
    memcpy(row(self, VELOCITY, i, model->nv), ff_sim_v(sim), (size_t)model->nv * sizeof(double));
    self->data[TIME][i] = ff_sim_time(sim);
}

static ff_run *create_run(const team *self, member *m, ff_report *report)
{
    ff_run_options options = ff_run_options_default(self->scene);
    options.sim.seed = m->seed;
    options.record.nchannel = 0;
    options.controllers = &m->controller;
    options.ncontroller = 1;
    return ff_run_create(self->scene, &options, report);
}

static void go_to(member *m, double until)
{
    const ff_status status = ff_sim_run(ff_run_sim(m->run), until, &m->err);
    m->err.status = status == FF_STOPPED ? FF_OK : status;
}

/// Resets a member. The first cycle of its controller is complete then, so that sensors are available.
static void begin_member(void *context, int k)
{
    team *self = context;
    const int i = self->chosen[k];
    member *m = &self->members[i];
    ff_report report = {0};
    if (ff_stop_asked()) return;
    ff_run_destroy(m->run);
    for (int r = 0; r < self->nreference; r++) m->references[r] = NAN;
    for (int s = 0; s < self->nsensor; s++) m->sensors[s] = NAN;
    m->steps = 0;
    m->err = (ff_error){0};
    m->run = create_run(self, m, &report);
    if (!m->run) ff_report_to_error(&report, FF_BAD_FILE, &m->err);
    ff_report_clear(&report);
    if (m->run) go_to(m, 0.0);
    show(self, i);
}

/// One period. A member that has failed is unchanged. One that Ctrl-C has interrupted has to be reset.
static void step_member(void *context, int i)
{
    team *self = context;
    member *m = &self->members[i];
    if (!m->run || m->err.status != FF_OK || ff_stop_asked()) return;
    go_to(m, (double)++m->steps * self->period);
    show(self, i);
}

// ------------------------------------------------------------------------------------------ creation and destruction

static PyObject *short_names(const ff_io_layout *layout)
{
    PyObject *names = PyTuple_New(layout->count);
    for (int i = 0; names && i < layout->count; i++) {
        const char *dot = strchr(layout->names[i].name, '.');
        PyObject *name = PyUnicode_FromString(dot ? dot + 1 : layout->names[i].name);
        if (!name || PyTuple_SetItem(names, i, name) < 0) Py_CLEAR(names);
    }
    return names;
}

/// A first run gives the layout of the frames.
static bool find_layouts(team *self)
{
    ff_run_options options = ff_run_options_default(self->scene);
    ff_report report = {0};
    options.record.nchannel = 0;
    interruptible p;
    interruptible_begin(&p, NULL);
    ff_run *run = ff_run_create(self->scene, &options, &report);
    if (!interruptible_end(&p)) {
        ff_run_destroy(run);
        ff_report_clear(&report);
        return false;
    }
    if (!run) return raise_report(&report, FF_BAD_FILE) != NULL;
    ff_report_clear(&report);
    const ff_io_layout *references = ff_sim_layout(ff_run_sim(run), FF_IO_REFERENCES);
    const ff_io_layout *sensors = ff_sim_layout(ff_run_sim(run), FF_IO_SENSORS);
    bool fine = references && sensors;
    if (!fine)
        raise_status(FF_BAD_ARGUMENT, "the robot of the scene has no frames: say that a program steers it by "
                                      "'control: {callback: NAME}'");
    if (fine) {
        self->nreference = references->count;
        self->nsensor = sensors->count;
        self->names[0] = short_names(references);
        self->names[1] = short_names(sensors);
        fine = self->names[0] && self->names[1];
    }
    ff_run_destroy(run);
    return fine;
}

/// Actions are taken between cycles of the controllers: each period must contain a whole number of them. @return false
/// with an exception
static bool check_period(const team *self)
{
    const double cycle = self->scene->bus.period, times = self->period / cycle, whole = fmax(1.0, floor(times + 0.5));
    if (fabs(times - whole) <= 1e-9 * whole) return true;
    return raise_status(FF_BAD_ARGUMENT,
                        "period is %.9g s: it must be a whole number of cycles of the bus, which last %.9g s; %.9g s "
                        "would do",
                        self->period, cycle, whole * cycle) != NULL;
}

static bool make_arrays(team *self)
{
    const int columns[ARRAYS] = {
        [REFERENCES] = self->nreference,     [SENSORS] = self->nsensor, [POSITION] = self->scene->model->nq,
        [VELOCITY] = self->scene->model->nv, [TIME] = ONE_DIMENSION,    [FAILED] = ONE_DIMENSION};
    for (int k = 0; k < ARRAYS; k++) {
        self->arrays[k] = array_new(self->count, columns[k], &self->data[k]);
        if (!self->arrays[k]) return false;
    }
    self->members = PyMem_Calloc((size_t)self->count, sizeof *self->members);
    if (!self->members) return PyErr_NoMemory() != NULL;
    for (int i = 0; i < self->count; i++) {
        member *m = &self->members[i];
        m->team = self;
        m->references = row(self, REFERENCES, i, self->nreference);
        m->sensors = row(self, SENSORS, i, self->nsensor);
        m->controller = (ff_run_controller){.controller = {.context = m, .bind = bind, .cycle = cycle}};
    }
    return true;
}

static PyObject *team_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"scene", "count", "period", "threads", NULL};
    PyObject *scene, *period;
    int count, threads = 0;
    double seconds;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!iO|i:Team", names, scene_type, &scene, &count, &period, &threads))
        return NULL;
    if (!read_number(period, "period", &seconds)) return NULL;
    if (count < 1 || count > 1000000 || threads < 0 || threads > 1024 || !(seconds > 0.0))
        return raise_status(FF_BAD_ARGUMENT,
                            "count is %d, period %g s, threads %d: they must be from 1 to 1000000, positive, and from "
                            "0 to 1024",
                            count, seconds, threads);
    team *self = (team *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    self->scene = ((scene_object *)scene)->scene;
    self->scene_owner = Py_NewRef(((scene_object *)scene)->owner);
    self->count = count;
    self->threads = threads;
    self->period = seconds;
    if (!find_layouts(self) || !check_period(self) || !make_arrays(self)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void team_dealloc(PyObject *object)
{
    team *self = (team *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int i = 0; self->members && i < self->count; i++) ff_run_destroy(self->members[i].run);
    PyMem_Free(self->members);
    for (int k = 0; k < ARRAYS; k++) Py_XDECREF(self->arrays[k]);
    Py_XDECREF(self->names[0]);
    Py_XDECREF(self->names[1]);
    Py_XDECREF(self->scene_owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------------ calls

/// Distributes work for some members over the threads.
typedef struct duty {
    team *self;
    int count;
    void (*each)(void *team, int index);
} duty;

static void do_duty(void *context)
{
    const duty *d = context;
    ff_team_each(d->count, d->self->threads, d->each, d->self, &d->self->together);
}

/// Releases the GIL; Ctrl-C interrupts it. @return false with an exception
static bool work_together(team *self, int count, void (*each)(void *, int))
{
    duty d = {self, count, each};
    self->running = true;
    self->together = (ff_error){0};
    atomic_bool over = false;
    const bool calm = guard_work(do_duty, &d, &over);
    self->running = false;
    return calm && (self->together.status == FF_OK || raise_error(&self->together));
}

/// Index of a member. @return -1 with an exception
static int read_member(const team *self, PyObject *given)
{
    return read_number_of(given, "member", self->count);
}

/// A member and its seed.
static bool take_member(const team *self, PyObject *members, PyObject *seeds, Py_ssize_t k, int *chosen)
{
    PyObject *number = PySequence_GetItem(members, k), *seed = number ? PySequence_GetItem(seeds, k) : NULL;
    chosen[k] = seed ? read_member(self, number) : -1;
    const bool fine = chosen[k] >= 0 && read_seed(seed, &self->members[chosen[k]].seed);
    Py_XDECREF(number);
    Py_XDECREF(seed);
    return fine;
}

static bool read_members(const team *self, PyObject *members, PyObject *seeds, int *chosen)
{
    const Py_ssize_t n = PySequence_Size(members);
    if (PySequence_Size(seeds) != n)
        return PyErr_Occurred() ? false : raise_status(FF_BAD_ARGUMENT, "as many seeds as members are needed") != NULL;
    for (int i = 0; i < self->count; i++) self->members[i].named = false;
    for (Py_ssize_t k = 0; k < n; k++) {
        if (!take_member(self, members, seeds, k, chosen)) return false;
        member *m = &self->members[chosen[k]];
        if (m->named) return raise_status(FF_BAD_ARGUMENT, "member %d is named twice", chosen[k]) != NULL;
        m->named = true;
    }
    return true;
}

/// A simulation that fails ends an episode; errors of a reset, and lack of memory, end the call. @return false with an
/// exception
static bool check_members(const team *self)
{
    for (int i = 0; i < self->count; i++) {
        const member *m = &self->members[i];
        if (m->err.status != FF_OK && (!m->run || m->err.status == FF_NO_MEMORY)) return raise_error(&m->err);
    }
    return true;
}

static const char begin_doc[] = "begin($self, members, seeds)\n--\n\n"
                                "Restarts these members, each with its seed: at the start of the scene, time 0, no "
                                "references given.";

static PyObject *team_begin(PyObject *object, PyObject *args)
{
    team *self = (team *)object;
    PyObject *members, *seeds;
    if (!PyArg_ParseTuple(args, "OO:begin", &members, &seeds)) return NULL;
    if (self->running) return raise_busy("Team");
    const Py_ssize_t n = PySequence_Size(members);
    if (n < 0) return NULL;
    if (n > self->count) return raise_status(FF_BAD_ARGUMENT, "%zd members of %d", n, self->count);
    int *chosen = PyMem_Malloc(((size_t)n + 1) * sizeof *chosen);
    if (!chosen) return PyErr_NoMemory();
    bool fine = read_members(self, members, seeds, chosen);
    if (fine && self->running) fine = raise_busy("Team") != NULL;
    self->chosen = chosen;
    fine = fine && work_together(self, (int)n, begin_member);
    PyMem_Free(chosen);
    if (!fine || !check_members(self)) return NULL;
    Py_RETURN_NONE;
}

static const char step_doc[] = "step($self)\n--\n\n"
                               "Runs each member for a period, over the threads. Members that fail are marked in "
                               "`failed` and not changed.";

static PyObject *team_step(PyObject *object, PyObject *unused)
{
    team *self = (team *)object;
    (void)unused;
    if (self->running) return raise_busy("Team");
    if (!work_together(self, self->count, step_member) || !check_members(self)) return NULL;
    Py_RETURN_NONE;
}

static const char put_doc[] = "put($self, member, q, v)\n--\n\nPuts a member into another state.";

static PyObject *team_put(PyObject *object, PyObject *args)
{
    team *self = (team *)object;
    const ff_model *model = self->scene->model;
    PyObject *q, *v;
    int i;
    if (!PyArg_ParseTuple(args, "iOO:put", &i, &q, &v)) return NULL;
    if (self->running) return raise_busy("Team");
    if (i < 0 || i >= self->count || !self->members[i].run)
        return raise_status(FF_BAD_ARGUMENT, "there is no member %d that has begun", i);
    double *numbers = PyMem_Malloc((size_t)(model->nq + model->nv + 1) * sizeof *numbers);
    if (!numbers) return PyErr_NoMemory();
    const bool fine = read_numbers(q, "q", model->nq, numbers) && read_numbers(v, "v", model->nv, numbers + model->nq);
    if (fine) {
        normalise_position(model, numbers);
        ff_sim_set_state(ff_run_sim(self->members[i].run), numbers, numbers + model->nq);
        show(self, i);
    }
    PyMem_Free(numbers);
    if (!fine) return NULL;
    Py_RETURN_NONE;
}

static const char reason_doc[] = "reason($self, member)\n--\n\nWhy a member failed; '' where it did not.";

static PyObject *team_reason(PyObject *object, PyObject *number)
{
    const team *self = (team *)object;
    const int i = read_member(self, number);
    if (i < 0) return NULL;
    const member *m = &self->members[i];
    return PyUnicode_FromString(m->err.status != FF_OK ? m->err.text : "");
}

static PyObject *get_array(PyObject *object, void *which)
{
    return Py_NewRef(((team *)object)->arrays[(intptr_t)which]);
}

static PyObject *get_names(PyObject *object, void *which)
{
    return Py_NewRef(((team *)object)->names[(intptr_t)which]);
}

static PyObject *get_count(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((team *)object)->count);
}

static PyObject *get_joints(PyObject *object, void *unused)
{
    (void)unused;
    return joint_columns(((team *)object)->scene->model);
}

static PyObject *team_repr(PyObject *object)
{
    const team *self = (team *)object;
    return format_text("<footfall.Team: %d runs of %.200s>", self->count, self->scene->path);
}

static PyMethodDef methods[] = {
    {"begin", team_begin, METH_VARARGS, begin_doc},
    {"step", team_step, METH_NOARGS, step_doc},
    {"put", team_put, METH_VARARGS, put_doc},
    {"reason", team_reason, METH_O, reason_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"count", get_count, NULL, "Members.", NULL},
    {"references", get_array, NULL,
     "References of controllers (count, references), to write; NaN leaves one unchanged. They act from the next cycle "
     "of the controllers on.",
     (void *)REFERENCES},
    {"sensors", get_array, NULL, "Sensors (count, sensors); NaN: nothing is known yet.", (void *)SENSORS},
    {"q", get_array, NULL, "Position of each (count, nq).", (void *)POSITION},
    {"v", get_array, NULL, "Velocity of each (count, nv).", (void *)VELOCITY},
    {"time", get_array, NULL, "Time of each since it began [s].", (void *)TIME},
    {"failed", get_array, NULL, "1 where a simulation could not go on.", (void *)FAILED},
    {"joints", get_joints, NULL, "Columns of each hinge and slide in q and v, by name.", NULL},
    {"reference_names", get_names, NULL, "Names of the references.", (void *)0},
    {"sensor_names", get_names, NULL, "Names of the sensors.", (void *)1},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char team_doc[] =
    "Team(scene, count, period, threads=0)\n--\n\n"
    "Many runs of one scene, over threads (0: one per processor), controlled by arrays. Each "
    "has the same results\n"
    "as a single run, for any number of threads.";

bool team_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)team_doc},
        {Py_tp_new, (void *)team_new},
        {Py_tp_dealloc, (void *)team_dealloc},
        {Py_tp_repr, (void *)team_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Team",
        .basicsize = sizeof(team),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (team_type = type_add(module, &spec)) != NULL;
}
