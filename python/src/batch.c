// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batch: thousands of identical robots in one loop (batch.h), controlled and observed through arrays with a row for
// each robot. step() reads targets from the arrays and writes states to them afterwards. Only arrays that were used
// before are updated, so that a device copies no others.
#include "batch_object.h"
#include "batch_options.h"

#include <limits.h>
#include <string.h>

static PyTypeObject *batch_type;

// ------------------------------------------------------------------------------------------ arrays

static double *row(const batch_object *self, int array, int robot, int columns)
{
    return self->data[array] + (size_t)robot * (size_t)columns;
}

ff_status batch_show_robot(batch_object *self, int i)
{
    const bool *taken = self->taken;
    const ff_status status = ff_batch_get_state(self->batch, i, taken[Q] ? row(self, Q, i, self->sizes.nq) : NULL,
                                                taken[V] ? row(self, V, i, self->sizes.nv) : NULL, &self->err);
    if (status) return status;
    if (taken[SENSORS]) ff_batch_sense(self->batch, i, row(self, SENSORS, i, self->nsensor), NULL);
    self->data[TIME][i] = (double)ff_batch_age(self->batch, i) * self->sizes.step;
    self->data[ENDED][i] = (double)ff_batch_end_of(self->batch, i);
    self->data[REWARD][i] = ff_batch_reward(self->batch, i);
    if (taken[OBSERVATION]) ff_batch_observe(self->batch, i, row(self, OBSERVATION, i, self->nobserve), NULL);
    return FF_OK;
}

/// Updates an array of all robots. @param of  array of the batch from which it is read, except for sensors
static ff_status show_array(batch_object *self, int array, ff_batch_array of)
{
    ff_status status = FF_OK;
    if (array != SENSORS) status = ff_batch_read(self->batch, of, self->data[array], &self->err);
    for (int i = 0; array == SENSORS && !status && i < self->robots; i++)
        status = ff_batch_sense(self->batch, i, row(self, SENSORS, i, self->nsensor), &self->err);
    for (int i = 0; array == TIME && !status && i < self->robots; i++) self->data[TIME][i] *= self->sizes.step;
    return status;
}

static const ff_batch_array PRESENT[ARRAYS] = {
    [Q] = FF_BATCH_ARRAY_Q,         [V] = FF_BATCH_ARRAY_V,           [TIME] = FF_BATCH_ARRAY_AGE,
    [ENDED] = FF_BATCH_ARRAY_ENDED, [REWARD] = FF_BATCH_ARRAY_REWARD, [OBSERVATION] = FF_BATCH_ARRAY_OBSERVATION,
    [FINAL] = FF_BATCH_ARRAY_FINAL};

ff_status batch_show_arrays(batch_object *self, int first, int last)
{
    ff_status status = FF_OK;
    for (int k = first; k <= last && !status; k++)
        if (self->taken[k]) status = show_array(self, k, PRESENT[k]);
    return status;
}

static void steer_robot(batch_object *self, int i)
{
    const int n = self->sizes.nservo;
    ff_batch_set_targets(self->batch, i, row(self, POSITION_TARGET, i, n), row(self, SPEED_TARGET, i, n),
                         row(self, TORQUE_TARGET, i, n), NULL);
}

/// Refuses to write arrays that are results of steps. @return false with an exception
static bool seal(PyObject *array)
{
    PyObject *flags = PyObject_GetAttrString(array, "flags");
    const bool sealed = flags && PyObject_SetAttrString(flags, "writeable", Py_False) == 0;
    Py_XDECREF(flags);
    return sealed;
}

static bool make_arrays(batch_object *self)
{
    const int n = self->sizes.nservo;
    const int one = ONE_DIMENSION;
    const int columns[ARRAYS] = {n,   n,   n,   self->sizes.nq, self->sizes.nv, self->nsensor,
                                 one, one, one, self->nobserve, self->nobserve};
    for (int k = 0; k < ARRAYS; k++) {
        self->arrays[k] = array_new(self->robots, columns[k], &self->data[k]);
        if (!self->arrays[k] || (k >= Q && !seal(self->arrays[k]))) return false;
        self->taken[k] = k < Q || k == TIME || k == ENDED || k == REWARD; // one number a robot costs next to nothing
    }
    return true;
}

// ------------------------------------------------------------------------------------------ making

/// Appends "OF.WHAT.x" and so on; without axes "OF.WHAT". @return false with an exception
static bool add_names(PyObject *list, const char *of, const char *what, const char *axes)
{
    for (const char *axis = axes; axis == axes || *axis; axis++) {
        PyObject *name = *axes ? format_text("%s.%s.%c", of, what, *axis) : format_text("%s.%s", of, what);
        const bool added = name && PyList_Append(list, name) == 0;
        Py_XDECREF(name);
        if (!added) return false;
        if (!*axes) break;
    }
    return true;
}

/// Names of the columns of sensors, in the order of ff_batch_sense. NULL with an exception.
static PyObject *name_sensors(const batch_object *self, const ff_model *m)
{
    static const char *const kinds[] = {"position", "speed"};
    const int n = self->sizes.nservo;
    PyObject *list = PyList_New(0);
    bool fine = list != NULL;
    for (int i = 0; fine && i < 2 * n; i++)
        fine = add_names(list, m->joints[ff_batch_servo_joint(self->model, i % n)].name, kinds[i / n], "");
    if (fine && self->nsensor > 2 * n + 3 * m->nlimb)
        fine = add_names(list, "root", "gyro", "xyz") && add_names(list, "root", "specific_force", "xyz");
    for (int i = 0; fine && i < m->nlimb; i++) fine = add_names(list, m->limbs[i].name, "force", "xyz");
    PyObject *names = fine ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return names;
}

/// The scene as a batch model. @return false with an exception
static bool compile(batch_object *self, const ff_scene_spec *scene)
{
    ff_run_options options = ff_run_options_default(scene);
    ff_report report = {0};
    options.record.nchannel = 0;
    interruptible p;
    interruptible_begin(&p, NULL);
    ff_run *run = ff_run_create(scene, &options, &report);
    self->model = run ? ff_run_compile_batch(run, &report) : NULL;
    ff_run_destroy(run);
    if (!interruptible_end(&p)) {
        ff_report_clear(&report);
        return false;
    }
    if (!self->model) return raise_report(&report, FF_BAD_FILE) != NULL;
    ff_report_clear(&report);
    self->sizes = ff_batch_model_sizes(self->model);
    self->nsensor = ff_batch_sense_count(self->model);
    self->servos = PyTuple_New(self->sizes.nservo);
    for (int i = 0; self->servos && i < self->sizes.nservo; i++) {
        const int joint = ff_batch_servo_joint(self->model, i);
        PyObject *name = PyUnicode_FromString(scene->model->joints[joint].name);
        if (!name || PyTuple_SetItem(self->servos, i, name) < 0) Py_CLEAR(self->servos);
    }
    self->sensors = self->servos ? name_sensors(self, scene->model) : NULL;
    self->joints = self->sensors ? joint_columns(scene->model) : NULL;
    return self->joints != NULL;
}

/// Puts targets of a robot into the arrays. @param given  position, speed, torque  (3*nservo)
static void show_targets(batch_object *self, int i, const double *given)
{
    const size_t n = (size_t)self->sizes.nservo;
    for (int k = POSITION_TARGET; k <= TORQUE_TARGET; k++)
        memcpy(row(self, k, i, (int)n), given + (size_t)k * n, n * sizeof *given);
}

/// Warns if the general kernel is used although code for the model was requested, because it is slower.
/// @return false with an exception if warnings are errors
static bool warn_of_kernel(const ff_batch *batch)
{
    const char *reason = ff_batch_kernel_reason(batch);
    ff_report report = {0};
    if (reason)
        ff_report_add(&report, FF_WARNING, (ff_place){0},
                      "%s steps by its general kernel, slower than one compiled for the model: %s",
                      ff_batch_get_options(batch)->device ? "the device" : "the processor", reason);
    return warn_report(&report);
}

/// Makes the robots and their arrays. @return false with an exception, also that of Ctrl-C
static bool populate(batch_object *self, const ff_batch_options *options)
{
    interruptible p;
    interruptible_begin(&p, NULL);
    self->batch = ff_batch_create(self->model, options, &self->err);
    if (!interruptible_end(&p)) return false;
    if (!self->batch) return raise_error(&self->err) != NULL;
    if (!warn_of_kernel(self->batch)) return false;
    self->robots = options->robots;
    self->nobserve = options->nobserve;
    if (!make_arrays(self)) return false;
    const int n = self->sizes.nservo;
    self->first_targets = PyMem_Calloc(3 * (size_t)n + 1, sizeof *self->first_targets);
    self->ages = PyMem_Calloc((size_t)self->robots, sizeof *self->ages);
    if (!self->first_targets || !self->ages) return PyErr_NoMemory();
    ff_batch_get_targets(self->batch, 0, self->first_targets, self->first_targets + n, self->first_targets + 2 * n,
                         NULL);
    for (int i = 0; i < self->robots; i++) show_targets(self, i, self->first_targets);
    return true;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"scene",   "robots",       "seed",      "threads",    "lanes", "device",
                            "spread",  "least_height", "most_tilt", "noise",      "end",   "reward",
                            "observe", "fast",         "single",    "specialise", NULL};
    PyObject *scene, *seed = NULL, *spread = NULL, *noise = NULL, *observe = NULL;
    ff_batch_options options = {0};
    spread_table table = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!i|$OiipOddOzzOppp:Batch", names, scene_type, &scene,
                                     &options.robots, &seed, &options.threads, &options.lanes, &options.device, &spread,
                                     &options.least_height, &options.most_tilt, &noise, &options.end, &options.reward,
                                     &observe, &options.fast, &options.single, &options.specialise))
        return NULL;
    if (options.fast && !options.device && !options.specialise)
        return raise_status(FF_BAD_ARGUMENT, "fast=True needs device=True or specialise=True");
    if (options.single && !options.device) return raise_status(FF_BAD_ARGUMENT, "single=True needs device=True");
    if (seed && !read_seed(seed, &options.seed)) return NULL;
    if (!read_spreads(spread, &table) || !read_noise(noise, &options.noise)) return NULL;
    options.spreads = table.rows;
    options.nspread = table.count;
    PyObject *list =
        observe && observe != Py_None ? plain_list(observe, "observe must be a list of formulas") : PyList_New(0);
    const char **formulas = NULL;
    const bool fine = list && read_formulas(list, &formulas, &options.nobserve);
    options.observe = formulas;
    batch_object *self = fine ? (batch_object *)PyType_GenericAlloc(type, 0) : NULL;
    if (self && !(compile(self, ((scene_object *)scene)->scene) && populate(self, &options))) Py_CLEAR(self);
    PyMem_Free((void *)formulas);
    Py_XDECREF(list);
    return (PyObject *)self;
}

static void batch_dealloc(PyObject *object)
{
    batch_object *self = (batch_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    ff_batch_destroy(self->batch);
    ff_batch_model_destroy(self->model);
    PyMem_Free(self->first_targets);
    PyMem_Free(self->ages);
    for (int k = 0; k < ARRAYS; k++) Py_XDECREF(self->arrays[k]);
    Py_XDECREF(self->servos);
    Py_XDECREF(self->sensors);
    Py_XDECREF(self->joints);
    PyObject_Free(object);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------------ calls

bool batch_work_alone(batch_object *self, void (*work)(void *context), void *context)
{
    if (self->running) return raise_busy("Batch") != NULL;
    self->running = true;
    atomic_bool over = false;
    const bool calm = guard_work(work, context, &over);
    self->running = false;
    return calm;
}

// steps of a robot between two checks for Ctrl-C, a few tenths of a second: of a processor, and of a device
enum { PIECE = 100000, DEVICE_PIECE = 50000000 };

/// After steps: restarts robots whose episode is over, and evaluates observations for tensors.
static ff_status go_on(batch_object *self)
{
    if (self->renew >= 0) return ff_batch_renew(self->batch, self->renew, &self->err);
    const bool wanted = self->nobserve > 0 && (!self->shown || self->taken[OBSERVATION]);
    return wanted ? ff_batch_observe_all(self->batch, &self->err) : FF_OK;
}

/// Arrays after steps. Of robots that have restarted, ended, reward and final are those of their last episode, and the
/// targets are those of the scene.
static ff_status show_steps(batch_object *self)
{
    const bool renewed = self->renew >= 0;
    ff_status status = batch_show_arrays(self, Q, TIME);
    if (!status) status = show_array(self, ENDED, renewed ? FF_BATCH_ARRAY_LAST_ENDED : FF_BATCH_ARRAY_ENDED);
    if (!status) status = show_array(self, REWARD, renewed ? FF_BATCH_ARRAY_LAST_REWARD : FF_BATCH_ARRAY_REWARD);
    if (!status) status = batch_show_arrays(self, OBSERVATION, renewed ? FINAL : OBSERVATION);
    if (!status && renewed) status = ff_batch_read(self->batch, FF_BATCH_ARRAY_LAST_AGE, self->ages, &self->err);
    for (int i = 0; renewed && !status && i < self->robots; i++)
        if (self->data[ENDED][i] != 0.0 || self->ages[i] >= self->renew) show_targets(self, i, self->first_targets);
    return status;
}

static void do_steps(void *context)
{
    batch_object *self = context;
    for (int i = 0; i < self->robots && self->shown; i++) steer_robot(self, i);
    ff_batch_clear_rewards(self->batch);
    self->status = FF_OK;
    const int together = ff_batch_get_options(self->batch)->device ? DEVICE_PIECE : PIECE;
    const int most = self->robots < together ? together / self->robots : 1;
    for (int left = self->steps, piece; left != 0 && self->status == FF_OK && !ff_stop_asked(); left -= piece) {
        piece = left < most ? left : most;
        self->status = ff_batch_step(self->batch, piece, &self->err);
    }
    if (!self->status) self->status = go_on(self);
    if (!self->status && self->shown) self->status = show_steps(self);
}

static const char step_doc[] =
    "step($self, steps=1, renew=None, arrays=True)\n--\n\n"
    "Steps all robots that have not ended, with the targets of the arrays, and writes the new states to the arrays.\n"
    "Ctrl-C ends it after the same number of steps for all robots.\n\n"
    "renew  robots that ended, or that have made this number of steps since their start, restart after the steps, "
    "with\n"
    "       new draws and the targets of the scene; ended and reward are still those of the episode that is over, and\n"
    "       final has its last observation\n"
    "arrays False: neither reads targets from the arrays nor writes states to them; for tensors. Tensors of\n"
    "       observations are updated, and with renew those of ended episodes. On a device nothing is copied";

/// @return number of steps of an episode; -1 with an exception
static int read_age(PyObject *given)
{
    const long age = PyLong_AsLong(given);
    if (age == -1 && PyErr_Occurred()) return -1;
    if (age >= 1 && age <= INT_MAX) return (int)age;
    raise_status(FF_BAD_ARGUMENT, "renew is %ld: a life has 1 step or more", age);
    return -1;
}

static PyObject *batch_step(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"steps", "renew", "arrays", NULL};
    batch_object *self = (batch_object *)object;
    PyObject *age = Py_None;
    int steps = 1, renew = -1, shown = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|iOp:step", names, &steps, &age, &shown)) return NULL;
    if (age != Py_None && (renew = read_age(age)) < 0) return NULL;
    if (self->running) return raise_busy("Batch");
    self->steps = steps;
    self->renew = renew;
    self->shown = shown;
    if (!batch_work_alone(self, do_steps, self)) return NULL;
    if (self->status != FF_OK) return raise_error(&self->err);
    Py_RETURN_NONE;
}

static const char tensor_doc[] =
    "tensor($self, name)\n--\n\n"
    "Numbers of all robots without a copy: 'q', 'v', 'reward', 'ended', 'age', to read; 'position', 'speed', "
    "'torque',\n"
    "to write before step(arrays=False). After that 'observation' has the values of `observe`, and with renew "
    "'final',\n"
    "'last_ended', 'last_reward', 'last_age' are those of robots before they restarted. Returns a Tensor of shape\n"
    "(blocks, lanes, numbers) for numpy.from_dlpack, torch.from_dlpack and others, on a device also for cupy.asarray;\n"
    "steps change it in place.";

static PyObject *batch_tensor(PyObject *object, PyObject *args)
{
    batch_object *self = (batch_object *)object;
    const char *name;
    if (!PyArg_ParseTuple(args, "s:tensor", &name)) return NULL;
    if (self->running) return raise_busy("Batch");
    int k = 0;
    while (k < FF_BATCH_ARRAYS && strcmp(name, ff_batch_array_name((ff_batch_array)k)) != 0) k++;
    if (k == FF_BATCH_ARRAYS)
        return raise_status(FF_BAD_ARGUMENT,
                            "there is no tensor '%.60s': they are q, v, position, speed, torque, reward, ended, age, "
                            "observation, final, last_ended, last_reward, last_age",
                            name);
    ff_batch_view view;
    if (ff_batch_view_of(self->batch, (ff_batch_array)k, &view, &self->err)) return raise_error(&self->err);
    return tensor_new(object, &view);
}

static const char hash_doc[] = "hash($self)\n--\n\n"
                               "Hash of the states of all robots, the same for any number of lanes and threads, and on "
                               "a device.";

static PyObject *batch_hash(PyObject *object, PyObject *unused)
{
    (void)unused;
    batch_object *self = (batch_object *)object;
    if (self->running) return raise_busy("Batch");
    if (ff_batch_get_state(self->batch, 0, NULL, NULL, &self->err)) return raise_error(&self->err); // a device failed
    return PyLong_FromUnsignedLongLong(ff_batch_hash(self->batch));
}

// ------------------------------------------------------------------------------------------ the type

/// @return an array, which is updated at its first use
static PyObject *get_array(PyObject *object, void *which)
{
    batch_object *self = (batch_object *)object;
    const int k = (int)(intptr_t)which;
    if (!self->taken[k]) {
        if (self->running) return raise_busy("Batch");
        if ((k == OBSERVATION && ff_batch_observe_all(self->batch, &self->err)) || show_array(self, k, PRESENT[k]))
            return raise_error(&self->err);
        self->taken[k] = true;
    }
    return Py_NewRef(self->arrays[k]);
}

/// Writes all numbers of an array, also for `batch.position += 0.1`. @param value  any value that NumPy can broadcast
static int set_targets(PyObject *object, PyObject *value, void *which)
{
    if (value) return PyObject_SetItem(((batch_object *)object)->arrays[(intptr_t)which], Py_Ellipsis, value);
    PyErr_SetString(PyExc_AttributeError, "targets of a batch cannot be deleted");
    return -1;
}

static PyObject *get_servos(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((batch_object *)object)->servos);
}

static PyObject *get_sensor_names(PyObject *object, void *unused)
{
    (void)unused;
    return Py_NewRef(((batch_object *)object)->sensors);
}

static PyObject *get_channels(PyObject *object, void *unused)
{
    (void)unused;
    const ff_batch_model *model = ff_batch_get_model(((batch_object *)object)->batch);
    const int count = ff_batch_channel_count(model);
    PyObject *names = PyTuple_New(count);
    for (int i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(ff_batch_channel_name(model, i));
        if (!name || PyTuple_SetItem(names, i, name)) Py_CLEAR(names);
    }
    return names;
}

static PyObject *get_joints(PyObject *object, void *unused)
{
    (void)unused;
    return PyDict_Copy(((batch_object *)object)->joints);
}

static PyObject *get_robots(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((batch_object *)object)->robots);
}

static PyObject *get_timestep(PyObject *object, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(((batch_object *)object)->sizes.step);
}

static PyObject *get_lanes(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(ff_batch_lanes(((batch_object *)object)->batch));
}

static PyObject *get_kernel(PyObject *object, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(ff_batch_kernel_name(((batch_object *)object)->batch));
}

static PyObject *get_kernel_reason(PyObject *object, void *unused)
{
    (void)unused;
    const char *reason = ff_batch_kernel_reason(((batch_object *)object)->batch);
    return reason ? PyUnicode_FromString(reason) : Py_NewRef(Py_None);
}

static PyObject *get_kernel_compiler(PyObject *object, void *unused)
{
    (void)unused;
    const char *compiler = ff_batch_kernel_compiler(((batch_object *)object)->batch);
    return compiler ? PyUnicode_FromString(compiler) : Py_NewRef(Py_None);
}

static PyObject *batch_repr(PyObject *object)
{
    const batch_object *self = (batch_object *)object;
    return format_text("<footfall.Batch: %d robots, %d servos, kernel %s>", self->robots, self->sizes.nservo,
                       ff_batch_kernel_name(self->batch));
}

static PyObject *batch_copy(PyObject *object, PyObject *unused)
{
    (void)object;
    (void)unused;
    PyErr_SetString(PyExc_TypeError,
                    "a Batch cannot be copied or pickled: make another one alike, and put() the q and v of this one");
    return NULL;
}

static PyMethodDef methods[] = {
    {"step", FUNCTION(batch_step), METH_VARARGS | METH_KEYWORDS, step_doc},
    {"reset", FUNCTION(batch_reset), METH_VARARGS | METH_KEYWORDS, batch_reset_doc},
    {"put", batch_put, METH_VARARGS, batch_put_doc},
    {"set", batch_set, METH_VARARGS, batch_set_doc},
    {"push", batch_push, METH_VARARGS, batch_push_doc},
    {"drawn", batch_drawn, METH_VARARGS, batch_drawn_doc},
    {"tensor", batch_tensor, METH_VARARGS, tensor_doc},
    {"hash", batch_hash, METH_NOARGS, hash_doc},
    {"__copy__", batch_copy, METH_NOARGS, NULL},
    {"__deepcopy__", batch_copy, METH_O, NULL},
    {"__reduce__", batch_copy, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"robots", get_robots, NULL, "How many there are.", NULL},
    {"servos", get_servos, NULL, "Names of the joints that servos drive, in the order of columns.", NULL},
    {"joints", get_joints, NULL, "Columns of each hinge and slide in q and v, by name.", NULL},
    {"sensor_names", get_sensor_names, NULL,
     "Names of the columns of sensors: 'knee.position', 'knee.speed', 'root.gyro.x', 'root.specific_force.x', and of "
     "a foot or hand 'FL.force.x'.",
     NULL},
    {"channels", get_channels, NULL,
     "Channels of the sensors of the scene, which formulas read by these names: 'sensors.gyro.x'.", NULL},
    {"timestep", get_timestep, NULL, "Of a step [s].", NULL},
    {"lanes", get_lanes, NULL, "Robots beside each other in a vector of the processor.", NULL},
    {"kernel", get_kernel, NULL,
     "Code that makes the steps: 'specialised', compiled for the model; else 'lanes' on the processor, or 'general' on "
     "a device, which are slower and bit-identical.",
     NULL},
    {"kernel_reason", get_kernel_reason, NULL,
     "Reason why there is no code for the model; None if there is, or if it was not requested.", NULL},
    {"kernel_compiler", get_kernel_compiler, NULL,
     "Compiler of the code for the model on the processor, such as 'clang 14.0.6'; else None.", NULL},
    {"position", get_array, set_targets, "Targets of the servos (robots, servos) [rad, m], to write.",
     (void *)POSITION_TARGET},
    {"speed", get_array, set_targets, "Targets of the servos (robots, servos) [rad/s, m/s], to write.",
     (void *)SPEED_TARGET},
    {"torque", get_array, set_targets, "Added by the servos (robots, servos) [N m, N], to write.",
     (void *)TORQUE_TARGET},
    {"q", get_array, NULL, "Position of each robot (robots, nq).", (void *)Q},
    {"v", get_array, NULL, "Velocity of each robot (robots, nv).", (void *)V},
    {"sensors", get_array, NULL,
     "Sensor values with noise (robots, sensors): positions and speeds of the servos' joints; angular velocity and "
     "specific force of a free root in its axes; forces on feet and hands in world axes.",
     (void *)SENSORS},
    {"time", get_array, NULL, "Of each robot since it began [s].", (void *)TIME},
    {"ended", get_array, NULL,
     "0: the robot has not ended, 1: it diverged, 2: it fell, 3: the condition `end` held. Ended robots do not move.",
     (void *)ENDED},
    {"reward", get_array, NULL, "Sum of the formula `reward` over the steps of the last call of step (robots).",
     (void *)REWARD},
    {"observation", get_array, NULL, "What the formulas `observe` give (robots, formulas).", (void *)OBSERVATION},
    {"final", get_array, NULL, "observation as it was before robots restarted in step(renew=..).", (void *)FINAL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char batch_doc[] =
    "Batch(scene, robots, *, seed=0, threads=0, lanes=0, device=False, spread=None, least_height=0, most_tilt=0,\n"
    "      noise=None, end=None, reward=None, observe=None, fast=False, single=False,\n"
    "      specialise=False)\n--\n\n"
    "Thousands of robots, equal to that of a scene, in one loop. The scene has `solver: {method: euler, step: ..}`, "
    "and\n"
    "joints moved by `control: {hold, cycle}` or by drives without states; all else is refused by name. A robot is\n"
    "bit-identical for any number of threads, lanes and neighbours, and on a device (GPU). The attribute `kernel`\n"
    "says which code makes the steps; on a device there is a warning if there is no code for the model.\n\n"
    "device        True: on a GPU, if the build has CUDA\n"
    "specialise    True: a C compiler ($CC, clang or cc) makes code for the model, once, which is faster and\n"
    "              bit-identical; without a compiler the general loop makes the steps, with a warning\n"
    "fast          True: the device, or such code, may fuse multiplications and additions, so that results differ by\n"
    "              rounding\n"
    "single        True: the device computes in single precision, with seven digits\n"
    "spread        {quantity: (low, high)}: each robot draws a value at each start, uniformly between the two, or by\n"
    "              ff.normal, ff.log_uniform, ff.choice. friction, contact_stiffness, mass, inertia, gain and noise\n"
    "              are factors; com_x, com_y, com_z, payload, start_height, start_tilt, start_joints, start_speeds,\n"
    "              start_x and start_y are added; push_force, push_direction, push_time and push_duration define a\n"
    "              push, delay is in steps. A name after a dot means a single body, joint, shape or foot:\n"
    "              'mass.torso', 'gain.FL_knee', 'friction.FL_foot'\n"
    "least_height  height of the root above the ground below which a robot has fallen [m]; 0: none\n"
    "most_tilt     angle of its z axis from the vertical beyond which a robot has fallen [rad]; 0: none\n"
    "noise         {position, speed, gyro, accelerometer, force: standard deviation} for the array `sensors`\n"
    "end           a condition, 'height < 0.06 or tilt > 0.8': a robot ends after the first step in which it holds\n"
    "reward        a formula, 'forward * step', summed over steps into the array `reward`; docs/batch.md lists the\n"
    "              quantities of both\n"
    "observe       a list of such formulas, ['height', 'knee.speed'], for the array `observation` after each call";

bool batch_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)batch_doc},
        {Py_tp_new, (void *)batch_new},
        {Py_tp_dealloc, (void *)batch_dealloc},
        {Py_tp_repr, (void *)batch_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Batch",
        .basicsize = sizeof(batch_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    return (batch_type = type_add(module, &spec)) != NULL;
}
