// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared declarations of the Python module: ownership, errors as exceptions, arrays without copies, arguments with
// their names, and the guard of a simulation that runs without the GIL. One file per type; module.c lists them. Only
// the limited API of Python 3.11 is used, so that one binary serves all later versions.
#ifndef FOOTFALL_PYTHON_CORE_H
#define FOOTFALL_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <footfall/footfall.h>

#include <stdatomic.h>

// ------------------------------------------------------------------------------------------ errors.c

/// Finds the classes of footfall.errors. @return false with an exception
bool errors_find(void);
/// Each raises and returns NULL, so that a function can end with it.
PyObject *raise_error(const ff_error *err);
PyObject *raise_status(ff_status status, const char *format, ...) FF_PRINTF(2, 3);
PyObject *raise_closed(const char *what);
PyObject *raise_busy(const char *what);
/// All errors of a report in one exception, the first of them in its attributes. Clears the report.
PyObject *raise_report(ff_report *report, ff_status status);
/// Warnings of a report by Python's warnings. Clears the report. @return false with an exception where these are errors
bool warn_report(ff_report *report);

// ------------------------------------------------------------------------------------------ guard.c: callbacks

/// Carries the exception of a callback, which C code between cannot pass on, to the Python caller in the same thread.
/// They nest: a controller may run simulations of its own.
typedef struct catcher {
    PyObject *raised; // NULL: none
    struct catcher *outer;
} catcher;
/// Makes this the catcher of the thread's exceptions.
void catch_begin(catcher *c);
/// Raises the caught exception, with the GIL held. @return whether there was one
bool catch_end(catcher *c);
/// Passes the present exception to the innermost catcher of this thread. @return false: there is none
bool catch_exception(void);

/// Brackets a long call of C in this thread: the GIL is released, and Ctrl-C interrupts the call (ff_stop).
typedef struct interruptible {
    catcher caught;        // exception to raise behind the work
    PyThreadState *parked; // of this thread, which works without the lock
    double look;           // when to look for signals next, by the clock of guard.c  [s]
    atomic_bool *over;     // ends the work, too, by any thread; NULL: nobody can
    ff_stop stop;
    const ff_stop *outer; // of the work that has called Python
} interruptible;
void interruptible_begin(interruptible *p, atomic_bool *over);
/// @return false with the exception raised by a signal or callback
bool interruptible_end(interruptible *p);

// ------------------------------------------------------------------------------------------ owner.c

/// Owner of a C object and of what it borrows, freed after the last Python object and view that need it. Simulations
/// and runs also have the guard below.
typedef struct object_owner {
    PyObject_HEAD PyObject *below; // another owner; NULL: none
    void *thing;                   //
    void (*destroy)(void *);       // frees the thing
    // guard: the thread that runs the simulation
    bool running;
    unsigned long thread; // that runs it
    atomic_bool stop;     // ends the run, by any thread
    interruptible call;   // of that thread
} object_owner;

/// Takes ownership of the object, also on failure. `below` is borrowed.
object_owner *owner_new(void *thing, void (*destroy)(void *), PyObject *below);

// ------------------------------------------------------------------------------------------ guard.c

/// Monotonic time.  [s]
double guard_clock(void);
/// Adds the listener by which Sim.stop ends a run, also one of a batch. @return false with an exception
bool guard_watch(object_owner *k, ff_sim *sim);
/// May this thread access the simulation now? Also true in callbacks of a run. @return false with Busy
bool guard_look(const object_owner *k, const char *what);
/// Brackets a run: other threads are refused, the GIL is released, and Ctrl-C ends it. @return false with Busy
bool guard_begin(object_owner *k, const char *what);
/// @return false with the exception raised by a signal or callback
bool guard_end(object_owner *k);
/// Calls `work` in a separate thread, while this one, which alone can handle signals, checks for Ctrl-C and then sets
/// `over`, which interrupts the work in C (ff_stop). @return false with the exception of a signal
bool guard_work(void (*work)(void *context), void *context, atomic_bool *over);

// ------------------------------------------------------------------------------------------ view.c

/// A read-only NumPy array on memory of `owner`, which lives as long as the array.
PyObject *array_view(PyObject *owner, const double *data, Py_ssize_t count);
enum { ONE_DIMENSION = -1 };
/// A new NumPy array of zeros with its own memory. `columns`: 0 or more, or ONE_DIMENSION.
PyObject *array_new(Py_ssize_t rows, Py_ssize_t columns, double **data);
/// A new array with these values.
PyObject *array_copy(const double *data, Py_ssize_t count);
/// Reads numbers (array, list, ...) of a given count, which must be finite. @return false with the name in an exception
bool read_numbers(PyObject *value, const char *name, Py_ssize_t count, double *out);
/// Reads a finite number.
bool read_number(PyObject *value, const char *name, double *out);

// ------------------------------------------------------------------------------------------ arguments.c

/// Python texts as a C array: a list of str, or a dict of path: value as "path=value"; NULL and None: none.
typedef struct texts {
    const char **items;
    int count;
    PyObject *owner;
} texts;
bool texts_read(PyObject *value, const char *name, texts *out);
void texts_clear(texts *t);
/// A value as YAML: a text unchanged, all else as JSON, which YAML includes.
PyObject *format_value(PyObject *value);
/// A str in UTF-8, valid as long as the str. NULL with `name` in an exception, also if it contains a zero character, at
/// which C would truncate it.
const char *read_text(PyObject *value, const char *name);
/// Seed of random streams: an int from 0 to 2^64 - 1. @return false with an exception
bool read_seed(PyObject *value, uint64_t *out);
/// Index of one of `count` things: an int from 0 on. @return -1 with an exception that names the range
int read_number_of(PyObject *given, const char *what, int count);
/// A str formatted as by printf.
PyObject *format_text(const char *format, ...) FF_PRINTF(1, 2);
/// Path of a file: str or os.PathLike, as bytes to release.
PyObject *read_path(PyObject *value, const char *name);

// ------------------------------------------------------------------------------------------ types

typedef struct model_object {
    PyObject_HEAD PyObject *owner;
    const ff_model *model;
    const ff_plant *plant; // NULL: without drives and sensors
} model_object;
extern PyTypeObject *model_type;
/// Columns of each hinge and slide in q and v, by name.
PyObject *joint_columns(const ff_model *model);
PyObject *model_wrap(PyObject *owner, const ff_model *model, const ff_plant *plant);
/// Converts the result of a loader or compiler: the Model, or an exception with its report and status. Not `calm`: the
/// exception of a signal, which is set.
PyObject *model_own(bool calm, ff_model *model, ff_plant *plant, ff_report *report, ff_status status);
PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs);
extern const char load_model_doc[];

typedef struct scene_object {
    PyObject_HEAD PyObject *owner;
    const ff_scene_spec *scene;
} scene_object;
extern PyTypeObject *scene_type;

enum { SIM_Q, SIM_V, SIM_TORQUES, SIM_STATE, SIM_VIEWS };
typedef struct sim_object {
    PyObject_HEAD object_owner *owner; // NULL: closed
    ff_sim *sim;
    PyObject *model;
    PyObject *views[SIM_VIEWS]; // arrays, made when first asked for
    ff_data *scratch;           // to compute on: mass matrix, bias; NULL before the first
} sim_object;
extern PyTypeObject *sim_type;
/// A Sim on a simulation that `k` owns, such as that of a run.
PyObject *sim_wrap(object_owner *k, ff_sim *sim, PyObject *model);
/// Normalises the quaternions of a position before it is written, so that poses are right before the next step, too.
void normalise_position(const ff_model *m, double *q);
/// The same as its method close.
void sim_close(sim_object *self);

typedef struct run_object {
    PyObject_HEAD PyObject *sim; // has the owner of both: closing one closes the other
    ff_run *run;
    PyObject *scene;
    bool gone;           // went to its end: the result is there
    ff_error end;        // how that was
    double wall;         // it took  [s]
    PyObject *recording; // of a run that is gone; NULL: nobody asked for it
} run_object;
extern PyTypeObject *run_type;
/// NULL: closed.
static inline object_owner *run_owner(const run_object *run)
{
    return ((sim_object *)run->sim)->owner;
}

PyObject *run_batch(PyObject *module, PyObject *args, PyObject *kwargs);
extern const char run_batch_doc[];

// recording.c, certify.c: results of a run
typedef struct record_choice {
    texts texts;
    const char **channels;
} record_choice;
/// Channels to record: None (those of the scene, and those of a report), False (none) or a list of patterns. Valid
/// until `choice` is cleared. @return false with an exception
bool record_choose(PyObject *given, const ff_scene_spec *scene, record_choice *choice, ff_record_options *record);
void record_choice_clear(record_choice *choice);
PyObject *run_get_recording(PyObject *run, void *unused);
PyObject *run_report(PyObject *run, PyObject *unused);
PyObject *run_certify(PyObject *run, PyObject *unused);
PyObject *save_run(PyObject *module, PyObject *args);
PyObject *certify_run(PyObject *module, PyObject *args);
extern const char save_run_doc[], certify_run_doc[];

/// Functions that run controllers in Python, for ff_run_options.python (controller.c).
const ff_python_host *controller_host(ff_error *err);

/// Makes each type and adds it to the module. @return false with an exception
bool owner_add(PyObject *module);
bool view_add(PyObject *module);
bool model_add(PyObject *module);
bool spec_add(PyObject *module);
bool scene_add(PyObject *module);
bool sim_add(PyObject *module);
bool run_add(PyObject *module);
bool controller_add(PyObject *module);
bool recording_add(PyObject *module);
bool team_add(PyObject *module);
bool batch_add(PyObject *module);
bool tensor_add(PyObject *module);
/// A Tensor on memory of `owner`. NULL with an exception.
PyObject *tensor_new(PyObject *owner, const ff_batch_view *view);
// Methods shared by several types. __copy__ and __deepcopy__ of immutable objects.
PyObject *return_self(PyObject *self, PyObject *unused);
/// __reduce__ of objects that cannot be copied or pickled: a TypeError that says what can be.
PyObject *refuse_copy(PyObject *self, PyObject *unused);
/// Creates a type of a module, which is never freed. NULL with an exception.
PyTypeObject *type_add(PyObject *module, PyType_Spec *spec);

#define FUNCTION(f) ((PyCFunction)(void (*)(void))(f))

#endif
