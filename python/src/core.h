// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the Python module share: who owns what, errors as exceptions, arrays without copies, arguments with
// their names, and the guard of a simulation that runs without the lock of the interpreter. One file a type; module.c
// lists them. Only the limited interface of Python 3.11 is used, so that one binary serves all later versions.
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

/// Takes the exception of a callback, which C above it cannot pass on, to where Python goes on in the same thread.
/// They nest: a controller may run simulations of its own.
typedef struct catcher {
    PyObject *raised; // NULL: none
    struct catcher *outer;
} catcher;
/// From now on this thread's exceptions go there.
void catch_begin(catcher *c);
/// Raises what was caught, with the lock held. @return whether there was anything
bool catch_end(catcher *c);
/// Hands the exception that is set to the innermost catcher of this thread. @return false where there is none
bool catch_exception(void);

/// Brackets long work of C in this thread: the interpreter is free, and Ctrl-C ends the work (ff_stop).
typedef struct patience {
    catcher caught;        // exception to raise behind the work
    PyThreadState *parked; // of this thread, which works without the lock
    double look;           // when to look for signals next, by the clock of guard.c  [s]
    atomic_bool *over;     // ends the work, too, by any thread; NULL: nobody can
    ff_stop stop;
    const ff_stop *outer; // of the work that has called Python
} patience;
void patience_begin(patience *p, atomic_bool *over);
/// @return false with the exception that a signal or callback raised
bool patience_end(patience *p);

// ------------------------------------------------------------------------------------------ keep.c: who owns what

/// A C object and what it was made of, freed behind the last Python object and view that needs it. Simulations and runs
/// also have the guard below.
typedef struct keep {
    PyObject_HEAD PyObject *below; // another keep; NULL: none
    void *thing;                   //
    void (*destroy)(void *);       // frees the thing
    // guard: who runs the simulation
    bool running;
    unsigned long thread; // that runs it
    atomic_bool stop;     // ends the run, by any thread
    patience patience;    // of that thread
} keep;

/// Takes over the thing, also where it fails. `below` is borrowed.
keep *keep_new(void *thing, void (*destroy)(void *), PyObject *below);

// ------------------------------------------------------------------------------------------ guard.c

/// Seconds from some start.
double guard_clock(void);
/// Adds the listener by which Sim.stop ends a run, also one of a batch. @return false with an exception
bool guard_watch(keep *k, ff_sim *sim);
/// May this thread read or write the simulation now? Also true in callbacks of a run. @return false with Busy
bool guard_look(const keep *k, const char *what);
/// Brackets a run: no other thread may enter, the interpreter is free, and Ctrl-C ends it. @return false with Busy
bool guard_begin(keep *k, const char *what);
/// @return false with the exception that a signal or callback raised
bool guard_end(keep *k);
/// Calls `work` in a thread of its own, while this one, which alone can handle signals, looks for Ctrl-C, which sets
/// `over`: that ends what the thread and batches it starts do for C (ff_stop). @return false with the exception of a
/// signal
bool guard_work(void (*work)(void *context), void *context, atomic_bool *over);

// ------------------------------------------------------------------------------------------ view.c

/// A NumPy array on memory of somebody else, who lives as long as the array; to read only.
PyObject *array_view(PyObject *owner, const double *data, Py_ssize_t count);
enum { ONE_DIMENSION = -1 };
/// A new NumPy array with its own memory, zeros, to fill. `columns`: 0 or more, or ONE_DIMENSION.
PyObject *array_new(Py_ssize_t rows, Py_ssize_t columns, double **data);
/// A new array with these numbers.
PyObject *array_copy(const double *data, Py_ssize_t count);
/// Reads numbers (array, list, ...) of a given count, which must be finite. @return false with the name in an exception
bool read_numbers(PyObject *value, const char *name, Py_ssize_t count, double *out);
/// Reads a finite number.
bool read_number(PyObject *value, const char *name, double *out);

// ------------------------------------------------------------------------------------------ arguments.c

/// Texts of Python as an array for C: a list of str, or a dict of path: value as "path=value"; NULL and None: none.
typedef struct texts {
    const char **items;
    int count;
    PyObject *owner;
} texts;
bool texts_read(PyObject *value, const char *name, texts *out);
void texts_clear(texts *t);
/// A value as YAML has it: text as it stands, all else as JSON, which YAML includes.
PyObject *format_value(PyObject *value);
/// A str as C has it, in UTF-8, alive as long as the str. NULL with `name` in an exception, also for one with a zero
/// character, at which C would cut it.
const char *read_text(PyObject *value, const char *name);
/// Seed of random streams, the same everywhere: an int from 0 to 2^64 - 1. @return false with an exception
bool read_seed(PyObject *value, uint64_t *out);
/// Number of one of `count` things: an int from 0 on. @return -1 with an exception that says what there is
int read_number_of(PyObject *given, const char *what, int count);
/// A str by the rules of printf.
PyObject *format_text(const char *format, ...) FF_PRINTF(1, 2);
/// Path of a file: str or os.PathLike, as bytes to release.
PyObject *read_path(PyObject *value, const char *name);

// ------------------------------------------------------------------------------------------ types

typedef struct model_object {
    PyObject_HEAD PyObject *keep;
    const ff_model *model;
    const ff_plant *plant; // NULL: without drives and sensors
} model_object;
extern PyTypeObject *model_type;
/// Columns of each hinge and slide in q and v, by name.
PyObject *joint_columns(const ff_model *model);
PyObject *model_wrap(PyObject *owner, const ff_model *model, const ff_plant *plant);
/// Takes over what a loader or compiler returned: the Model, or the exception with its report, of that status. Not
/// `calm`: the exception of a signal, which is set.
PyObject *model_own(bool calm, ff_model *model, ff_plant *plant, ff_report *report, ff_status status);
PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs);
extern const char load_model_doc[];

typedef struct scene_object {
    PyObject_HEAD PyObject *keep;
    const ff_scene_spec *scene;
} scene_object;
extern PyTypeObject *scene_type;

enum { SIM_Q, SIM_V, SIM_TORQUES, SIM_STATE, SIM_VIEWS };
typedef struct sim_object {
    PyObject_HEAD keep *keep; // NULL: closed
    ff_sim *sim;
    PyObject *model;
    PyObject *views[SIM_VIEWS]; // arrays, made when first asked for
    ff_data *scratch;           // to compute on: mass matrix, bias; NULL before the first
} sim_object;
extern PyTypeObject *sim_type;
/// A simulation that `k` owns, such as that of a run.
PyObject *sim_wrap(keep *k, ff_sim *sim, PyObject *model);
/// Quaternions of a position that is to be written get the length 1, so that poses are right before the next step, too.
void normalise_position(const ff_model *m, double *q);
/// Closes it as its method does.
void sim_close(sim_object *self);

typedef struct run_object {
    PyObject_HEAD PyObject *sim; // has the keep of both: who closes one closes the other
    ff_run *run;
    PyObject *scene;
    bool gone;           // went to its end: the result is there
    ff_error end;        // how that was
    double wall;         // it took  [s]
    PyObject *recording; // of a run that is gone; NULL: nobody asked for it
} run_object;
extern PyTypeObject *run_type;
/// NULL: closed.
static inline keep *run_keep(const run_object *run)
{
    return ((sim_object *)run->sim)->keep;
}

PyObject *run_batch(PyObject *module, PyObject *args, PyObject *kwargs);
extern const char run_batch_doc[];

// recording.c, certify.c: what a run leaves behind
typedef struct record_choice {
    texts texts;
    const char **channels;
} record_choice;
/// What to record: None (what the scene says, and what a report shows), False (nothing) or a list of patterns. Lives
/// until `choice` is cleared. @return false with an exception
bool record_choose(PyObject *given, const ff_scene_spec *scene, record_choice *choice, ff_record_options *record);
void record_choice_clear(record_choice *choice);
PyObject *run_get_recording(PyObject *run, void *unused);
PyObject *run_report(PyObject *run, PyObject *unused);
PyObject *run_certify(PyObject *run, PyObject *unused);
PyObject *save_run(PyObject *module, PyObject *args);
PyObject *certify_run(PyObject *module, PyObject *args);
extern const char save_run_doc[], certify_run_doc[];

/// What runs controllers in Python, for ff_run_options.python (controller.c).
const ff_python_host *controller_host(ff_error *err);

/// Makes each type and adds it to the module. @return false with an exception
bool keep_add(PyObject *module);
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
/// A Tensor of memory that `owner` keeps. NULL with an exception.
PyObject *tensor_new(PyObject *owner, const ff_batch_view *view);
// Methods of several types.
/// __copy__, __deepcopy__ of what never changes.
PyObject *return_self(PyObject *self, PyObject *unused);
/// __reduce__ of what cannot be copied or pickled: a TypeError that says what can be.
PyObject *refuse_copy(PyObject *self, PyObject *unused);
/// Makes a type of a module; it is kept for ever. NULL with an exception.
PyTypeObject *type_add(PyObject *module, PyType_Spec *spec);

#define FUNCTION(f) ((PyCFunction)(void (*)(void))(f))

#endif
