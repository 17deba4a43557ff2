// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim: a simulation that runs.
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

PyTypeObject *sim_type;

static void destroy_sim(void *sim)
{
    ff_sim_destroy(sim);
}

static void destroy_world(void *world)
{
    ff_world_destroy(world);
}

PyObject *sim_wrap(object_owner *k, ff_sim *sim, PyObject *model)
{
    sim_object *self = PyObject_New(sim_object, sim_type);
    if (!self) return NULL;
    self->owner = (object_owner *)Py_NewRef((PyObject *)k);
    self->sim = sim;
    self->model = Py_NewRef(model);
    memset(self->views, 0, sizeof self->views);
    self->scratch = NULL;
    return (PyObject *)self;
}

void sim_close(sim_object *self)
{
    for (int i = 0; i < SIM_VIEWS; i++) Py_CLEAR(self->views[i]);
    ff_data_destroy(self->scratch);
    self->scratch = NULL;
    Py_CLEAR(self->owner);
}

ff_sim *sim_at(PyObject *object, ff_sim_stage stage)
{
    sim_object *self = (sim_object *)object;
    ff_error err = {0};
    if (!guard_look(self->owner, "Sim")) return NULL;
    if (stage > FF_SIM_NOTHING && ff_sim_evaluate(self->sim, stage, &err)) return raise_error(&err), NULL;
    return self->sim;
}

static const char *body_name(const void *model, int i)
{
    return ((const ff_model *)model)->bodies[i].name;
}

int sim_body(PyObject *object, PyObject *body)
{
    const ff_model *m = ((model_object *)((sim_object *)object)->model)->model;
    return find_name(body, "body", body_name, m, m->nbody);
}

static void sim_dealloc(PyObject *object)
{
    sim_object *self = (sim_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    sim_close(self);
    Py_XDECREF(self->model);
    PyObject_Free(object);
    Py_DECREF(type);
}

/// The plane z = 0, where `floor` is True or names a material. @return false with an exception
static bool add_floor(ff_world *world, PyObject *floor)
{
    static const ff_shape plane = {.type = FF_SHAPE_PLANE};
    ff_pose pose = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    ff_collider collider = {0};
    ff_error err = {0};
    if (floor == Py_False) return true;
    const bool named = PyUnicode_Check(floor);
    if (!named && floor != Py_True)
        return PyErr_Format(PyExc_TypeError, "floor must be a bool or the name of a material, not %R", Py_TYPE(floor));
    const char *material = named ? read_text(floor, "floor") : NULL;
    if (named && !material) return false;
    ff_collider_from_shape(&collider, &plane);
    return ff_world_add_ground(world, "floor", &collider, &pose, material, &err) >= 0 || raise_error(&err);
}

/// @return the owner of a world, which refers to that of the model; NULL with an exception
static object_owner *make_world(const model_object *model, bool self_collision, PyObject *floor)
{
    ff_world_options options = ff_world_options_default();
    options.self_collision = self_collision;
    ff_report report = {0};
    interruptible p;
    interruptible_begin(&p, NULL);
    ff_world *world = ff_world_create(model->model, &options, &report);
    if (!interruptible_end(&p)) {
        ff_world_destroy(world);
        ff_report_clear(&report);
        return NULL;
    }
    if (!world) return (object_owner *)raise_report(&report, FF_BAD_MODEL);
    object_owner *k = owner_new(world, destroy_world, model->owner);
    if (!warn_report(&report) || (k && !add_floor(world, floor))) Py_CLEAR(k);
    return k;
}

static PyObject *make_sim(model_object *model, const ff_sim_options *options, object_owner *world, const char *key)
{
    ff_error err = {0};
    ff_sim *sim = ff_sim_create(model->model, options, &err);
    if (!sim) return raise_error(&err);
    object_owner *k = owner_new(sim, destroy_sim, world ? (PyObject *)world : model->owner);
    if (!k) return NULL;
    ff_status status = key ? ff_sim_reset(sim, key, &err) : FF_OK;
    if (!status && world) status = ff_sim_add_world(sim, world->thing, &err);
    if (!status && model->plant) status = ff_sim_add_plant(sim, model->plant, &err);
    PyObject *self = NULL;
    if (status)
        raise_error(&err);
    else if (guard_watch(k, sim))
        self = sim_wrap(k, sim, (PyObject *)model);
    Py_CLEAR(k);
    return self;
}

/// Method, step and accuracy as in the `solver` of a scene: a step alone asks for fixed steps.
static bool read_solver(const char *method, PyObject *step, PyObject *accuracy, ff_sim_options *options)
{
    ff_error err = {0};
    if (method && ff_method_find(method, &options->method, &err)) return raise_error(&err);
    if (step != Py_None && !read_number(step, "step", &options->step)) return false;
    if (accuracy != Py_None) return read_number(accuracy, "accuracy", &options->accuracy);
    if (step != Py_None) options->accuracy = 0.0;
    return true;
}

static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"model", "method",         "step",      "accuracy", "key",  "contacts",
                            "floor", "self_collision", "actuators", "ledger",   "seed", NULL};
    ff_sim_options options = ff_sim_options_default();
    const char *method = NULL, *key = NULL;
    PyObject *model, *step = Py_None, *accuracy = Py_None, *floor = Py_False, *seed = NULL;
    int contacts = 1, self_collision = 0, actuators = 0, ledger = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|zOO$zpOpppO:Sim", names, model_type, &model, &method, &step,
                                     &accuracy, &key, &contacts, &floor, &self_collision, &actuators, &ledger, &seed))
        return NULL;
    if (!read_solver(method, step, accuracy, &options)) return NULL;
    options.actuators = actuators;
    options.ledger = ledger;
    if (seed && !read_seed(seed, &options.seed)) return NULL;
    object_owner *world = contacts ? make_world((model_object *)model, self_collision, floor) : NULL;
    if (contacts && !world) return NULL;
    PyObject *self = make_sim((model_object *)model, &options, world, key);
    Py_CLEAR(world);
    return self;
}

// ------------------------------------------------------------------------------------------ going on

/// @return result of a run: True, False if something stopped it, or NULL with an exception
static PyObject *outcome(ff_status status, const ff_error *err)
{
    if (status != FF_OK && status != FF_STOPPED) return raise_error(err);
    return PyBool_FromLong(status == FF_OK);
}

/// @return end of a step without `until` [s]: two fixed steps ahead, so that it does not shorten them, else 1 s ahead
static double step_bound(const ff_sim *sim)
{
    const ff_sim_options *o = ff_sim_get_options(sim);
    return ff_sim_time(sim) + (ff_sim_options_fixed_step(o) ? 2.0 * o->step : 1.0);
}

static const char step_doc[] =
    "step($self, until=None)\n--\n\n"
    "Makes one step of the method, shortened to end at a task or at the time `until` [s].\n\n"
    "Returns False if something stopped the simulation, else True. Raises Diverged or SolverFailed with time, body\n"
    "and likely cause; Busy if another thread runs it; Closed. Other threads of Python continue meanwhile.";

static PyObject *sim_step(PyObject *object, PyObject *args)
{
    sim_object *self = (sim_object *)object;
    PyObject *bound = NULL;
    double until = 0.0;
    if (!PyArg_ParseTuple(args, "|O:step", &bound)) return NULL;
    if (bound && bound != Py_None && !read_number(bound, "until", &until)) return NULL;
    object_owner *k = self->owner;
    if (!guard_begin(k, "Sim.step")) return NULL;
    ff_error err = {0};
    const ff_status status = ff_sim_step(self->sim, bound && bound != Py_None ? until : step_bound(self->sim), &err);
    return guard_end(k) ? outcome(status, &err) : NULL;
}

static const char run_doc[] =
    "run($self, until)\n--\n\n"
    "Runs to the time `until` [s]. After Ctrl-C the simulation can continue from its last whole step.\n\n"
    "Returns and raises as step.";

static PyObject *sim_run(PyObject *object, PyObject *bound)
{
    sim_object *self = (sim_object *)object;
    double until;
    if (!read_number(bound, "until", &until)) return NULL;
    object_owner *k = self->owner;
    if (!guard_begin(k, "Sim.run")) return NULL;
    ff_error err = {0};
    const ff_status status = ff_sim_run(self->sim, until, &err);
    return guard_end(k) ? outcome(status, &err) : NULL;
}

static const char stop_doc[] = "stop($self)\n--\n\n"
                               "Ends a run in another thread: run() returns False there, and the simulation can "
                               "continue from its\n"
                               "last whole step. Without a run it does nothing.";

static PyObject *sim_stop(PyObject *object, PyObject *unused)
{
    (void)unused;
    sim_object *self = (sim_object *)object;
    if (!self->owner) return raise_closed("Sim.stop");
    atomic_store(&self->owner->stop, true); // until the next run begins
    Py_RETURN_NONE;
}

static const char close_doc[] =
    "close($self)\n--\n\n"
    "Ends the simulation. Its arrays keep their values; all other uses raise Closed from now on.\n"
    "`with ff.Sim(model) as sim:` closes it, too, and so does the last reference to it. The simulation of a Run ends "
    "the run.";

static PyObject *sim_close_method(PyObject *object, PyObject *unused)
{
    (void)unused;
    sim_object *self = (sim_object *)object;
    if (self->owner && self->owner->running) return raise_busy("Sim.close");
    sim_close(self);
    Py_RETURN_NONE;
}

static PyObject *sim_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *sim_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return sim_close_method(object, NULL);
}

// ------------------------------------------------------------------------------------------ state

static PyObject *make_view(sim_object *self, int which)
{
    const ff_model *m = ff_sim_model(self->sim);
    PyObject *owner = (PyObject *)self->owner;
    int size = 0;
    const double *state;
    switch (which) {
    case SIM_Q:
        return array_view(owner, ff_sim_q(self->sim), m->nq);
    case SIM_V:
        return array_view(owner, ff_sim_v(self->sim), m->nv);
    case SIM_TORQUES:
        return array_view(owner, ff_sim_torques(self->sim), m->nv);
    default:
        state = ff_sim_state(self->sim, &size);
        return array_view(owner, state, size);
    }
}

static PyObject *get_view(PyObject *object, void *which)
{
    sim_object *self = (sim_object *)object;
    if (!self->owner) return raise_closed("Sim");
    PyObject **array = &self->views[(intptr_t)which];
    if (!*array) *array = make_view(self, (int)(intptr_t)which);
    return Py_XNewRef(*array);
}

/// A quaternion of length 1 up to rounding is not changed, so that writing a value that was read changes nothing.
static void normalise(double *quat)
{
    const double length = sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
    if (fabs(length - 1.0) <= 1e-12) return;
    const double largest = fmax(fmax(fabs(quat[0]), fabs(quat[1])), fmax(fabs(quat[2]), fabs(quat[3])));
    for (int i = 0; i < 4 && largest > 0.0; i++) quat[i] /= largest; // squares of any number are finite then
    ff_quat_normalise(quat);
}

void normalise_position(const ff_model *m, double *q)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        if (node->type == FF_NODE_BALL) normalise(q + node->qadr);
        if (node->type == FF_NODE_FREE) normalise(q + node->qadr + 3);
    }
}

static int set_view(PyObject *object, PyObject *value, void *which)
{
    static const char *const names[] = {[SIM_Q] = "q", [SIM_V] = "v", [SIM_TORQUES] = "torques"};
    sim_object *self = (sim_object *)object;
    if (!guard_look(self->owner, "Sim")) return -1;
    const ff_model *m = ff_sim_model(self->sim);
    const int i = (int)(intptr_t)which, count = i == SIM_Q ? m->nq : m->nv;
    double *numbers = PyMem_Malloc(((size_t)count + 1) * sizeof *numbers);
    if (!numbers) return PyErr_NoMemory(), -1;
    const bool fine = read_numbers(value, names[i], count, numbers) && guard_look(self->owner, "Sim");
    if (fine && i == SIM_Q) normalise_position(m, numbers);
    if (fine && i == SIM_Q) ff_sim_set_state(self->sim, numbers, NULL);
    if (fine && i == SIM_V) ff_sim_set_state(self->sim, NULL, numbers);
    if (fine && i == SIM_TORQUES) ff_sim_set_torques(self->sim, numbers);
    PyMem_Free(numbers);
    return fine ? 0 : -1;
}

static PyObject *get_time(PyObject *object, void *unused)
{
    (void)unused;
    sim_object *self = (sim_object *)object;
    return self->owner ? PyFloat_FromDouble(ff_sim_time(self->sim)) : raise_closed("Sim");
}

static PyObject *get_model(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((sim_object *)object)->model);
}

static PyObject *get_closed(PyObject *object, void *unused)
{
    (void)unused;
    return PyBool_FromLong(!((sim_object *)object)->owner);
}

static PyObject *sim_repr(PyObject *object)
{
    const sim_object *self = (sim_object *)object;
    const char *name = ((model_object *)self->model)->model->name;
    if (!self->owner) return format_text("<footfall.Sim of \"%.200s\": closed>", name ? name : "");
    return format_text("<footfall.Sim of \"%.200s\": t = %g s, by %s>", name ? name : "", ff_sim_time(self->sim),
                       ff_method_name(ff_sim_get_options(self->sim)->method));
}

static PyMethodDef own_methods[] = {
    {"step", sim_step, METH_VARARGS, step_doc},     {"run", sim_run, METH_O, run_doc},
    {"stop", sim_stop, METH_NOARGS, stop_doc},      {"close", sim_close_method, METH_NOARGS, close_doc},
    {"__enter__", sim_enter, METH_NOARGS, NULL},    {"__exit__", sim_exit, METH_VARARGS, NULL},
    {"__reduce__", refuse_copy, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL},
};

static PyGetSetDef own_attributes[] = {
    {"time", get_time, NULL, "Time of the state [s].", NULL},
    {"q", get_view, set_view,
     "Position (nq): m, rad, quaternions (w, x, y, z). A read-only view of the simulation; assign to set it.\n"
     "Assigned quaternions are scaled to length 1; one of length 0 becomes the identity.",
     (void *)SIM_Q},
    {"v", get_view, set_view, "Velocity (nv): m/s, rad/s. As q.", (void *)SIM_V},
    {"torques", get_view, set_view, "Held generalised forces (nv): N, N m. As q; held until set again.",
     (void *)SIM_TORQUES},
    {"state", get_view, NULL, "The whole continuous state: q, v, states of parts. A read-only array that follows.",
     (void *)SIM_STATE},
    {"model", get_model, NULL, "The Model it was made for.", NULL},
    {"closed", get_closed, NULL, "Was it closed?", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/// %s is replaced by the integration methods, one on each line.
static const char sim_doc[] =
    "Sim(model, method='implicit', step=None, accuracy=None, *, key=None, contacts=True, floor=False, "
    "self_collision=False, actuators=False, ledger=False, seed=0)\n--\n\n"
    "A simulation of a model: its state, an integration method, contacts, drives and sensors.\n\n"
    "    model = ff.load_model(\"examples/dog.yaml\")\n"
    "    with ff.Sim(model, step=1e-3, key=\"stand\") as sim:\n"
    "        while sim.time < 1.0:\n"
    "            sim.torques = law(sim.q, sim.v)\n"
    "            sim.step()\n\n"
    "method          one of\n%sstep            length of fixed steps [s]; default 1 ms, and error control with "
    "'implicit'\n"
    "accuracy        of 'implicit': error of positions at the end of a run over the distance moved, within ten times;\n"
    "                default 1e-3 unless step is given\n"
    "key             keyframe of the model to start from; None: its reference pose\n"
    "contacts        False: no contacts of shapes with each other and the ground\n"
    "floor           True, or the name of a material: adds a plane at z = 0\n"
    "self_collision  shapes of one robot collide with each other, too\n"
    "actuators       actuators of the model (MJCF) act, with the values of command()\n"
    "ledger          compute the energy ledger\n"
    "seed            seed of all random numbers (noise of sensors)\n\n"
    "q, v, torques and state are read-only views of the memory of the simulation, also after close(). Assign to\n"
    "write: sim.q = [...]. Values that are not finite or have another shape are refused with their name.\n"
    "Drives and sensors act if the model was loaded with them.\n\n"
    "The interpreter's lock is released during a run: other threads continue, and may run other simulations. Use of\n"
    "the same simulation by a second thread raises footfall.Busy, use after close() footfall.Closed. After fork() the\n"
    "child has an independent copy of a simulation that no thread was running.\n\n"
    "Raises BadArgument, NotFound, NotBuilt (method cvode without SUNDIALS).";

enum { METHODS_MAX = 48, ATTRIBUTES_MAX = 32 };
static PyMethodDef methods[METHODS_MAX + 1];
static PyGetSetDef attributes[ATTRIBUTES_MAX + 1];

/// The documentation of the type, with the methods of this build.
static const char *write_doc(void)
{
    static char methods_text[1000], doc[sizeof sim_doc + sizeof methods_text];
    size_t used = 0;
    for (int i = 0; i < FF_METHOD_COUNT && used < sizeof methods_text; i++)
        if (ff_method_built((ff_method)i))
            used += (size_t)snprintf(methods_text + used, sizeof methods_text - used, "  %-14s%s\n",
                                     ff_method_name((ff_method)i), ff_method_description((ff_method)i));
    snprintf(doc, sizeof doc, sim_doc, methods_text);
    return doc;
}

static void join_tables(void)
{
    const PyMethodDef *const all[] = {own_methods, sim_state_methods, sim_dynamics_methods, sim_contact_methods,
                                      sim_plant_methods};
    const PyGetSetDef *const every[] = {own_attributes, sim_state_attributes, sim_dynamics_attributes,
                                        sim_contact_attributes, sim_plant_attributes};
    int method = 0, attribute = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (const PyMethodDef *m = all[i]; m->ml_name && method < METHODS_MAX; m++) methods[method++] = *m;
        for (const PyGetSetDef *a = every[i]; a->name && attribute < ATTRIBUTES_MAX; a++) attributes[attribute++] = *a;
    }
    FF_ASSERT(method < METHODS_MAX && attribute < ATTRIBUTES_MAX);
}

bool sim_add(PyObject *module)
{
    join_tables();
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)write_doc()},
        {Py_tp_new, (void *)sim_new},
        {Py_tp_dealloc, (void *)sim_dealloc},
        {Py_tp_repr, (void *)sim_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "footfall.Sim",
        .basicsize = sizeof(sim_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return sim_state_add(module) && sim_contact_add(module) && sim_plant_add(module) &&
           (sim_type = type_add(module, &spec)) != NULL;
}
