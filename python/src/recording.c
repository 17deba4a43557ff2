// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings as arrays, and files of a run. python/footfall/results.py makes the interface for users from these.
// The lock of the interpreter is held throughout: HDF5 serves one thread at a time.
#include "core.h"

#include <footfall/studio.h>
#include <stdlib.h>
#include <string.h>

typedef struct recording_object {
    PyObject_HEAD ff_recording *recording; // NULL: closed
} recording_object;

static PyTypeObject *recording_type;

static PyObject *recording_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"path", NULL};
    PyObject *given;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Recording", names, &given)) return NULL;
    PyObject *path = read_path(given, "path");
    if (!path) return NULL;
    ff_error err = {0};
    ff_recording *recording = ff_recording_open(PyBytes_AsString(path), &err);
    Py_DECREF(path);
    if (!recording) return raise_error(&err);
    recording_object *self = (recording_object *)PyType_GenericAlloc(type, 0);
    if (self)
        self->recording = recording;
    else
        ff_recording_close(recording);
    return (PyObject *)self;
}

static int recording_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void recording_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    ff_recording_close(((recording_object *)object)->recording);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *recording_close(PyObject *object, PyObject *unused)
{
    recording_object *self = (recording_object *)object;
    (void)unused;
    ff_recording_close(self->recording);
    self->recording = NULL;
    Py_RETURN_NONE;
}

/// @return the recording; NULL with an exception
static ff_recording *opened(PyObject *object)
{
    recording_object *self = (recording_object *)object;
    if (!self->recording) raise_closed("Recording");
    return self->recording;
}

/// @return the channel of that name; NULL with an exception
static const ff_recording_channel *find_channel(const ff_recording *recording, PyObject *given, int *number)
{
    const char *name = read_text(given, "channel");
    if (!name) return NULL;
    *number = ff_recording_find(recording, name);
    if (*number < 0) {
        raise_status(FF_NOT_FOUND, "no channel '%.100s' was recorded", name);
        return NULL;
    }
    return ff_recording_channel_at(recording, *number);
}

static const char read_doc[] = "read($self, channel)\n--\n\nAll rows of a channel: (rows), or (rows, columns).";

static PyObject *recording_read(PyObject *object, PyObject *given)
{
    const ff_recording *recording = opened(object);
    int number = -1;
    const ff_recording_channel *channel = recording ? find_channel(recording, given, &number) : NULL;
    if (!channel) return NULL;
    const long long rows = ff_recording_rows(recording);
    double *data;
    PyObject *array = array_new((Py_ssize_t)rows, channel->width > 1 ? channel->width : ONE_DIMENSION, &data);
    ff_error err = {0};
    if (array && rows > 0 && ff_recording_read(recording, number, 0, 1, rows, data, &err) != FF_OK) {
        Py_DECREF(array);
        return raise_error(&err);
    }
    return array;
}

static const char columns_doc[] = "columns($self, channel)\n--\n\nNames of the columns of a channel.";

static PyObject *recording_columns(PyObject *object, PyObject *given)
{
    const ff_recording *recording = opened(object);
    int number = -1;
    const ff_recording_channel *channel = recording ? find_channel(recording, given, &number) : NULL;
    PyObject *names = channel ? PyTuple_New(channel->width) : NULL;
    for (int i = 0; names && i < channel->width; i++) {
        PyObject *name = PyUnicode_FromString(channel->columns[i]);
        if (!name || PyTuple_SetItem(names, i, name) < 0) Py_CLEAR(names);
    }
    return names;
}

static const char write_report_doc[] = "write_report($self, path)\n--\n\nWrites the page of the run.";

static PyObject *recording_write_report(PyObject *object, PyObject *given)
{
    const ff_recording *recording = opened(object);
    PyObject *path = recording ? read_path(given, "path") : NULL;
    if (!path) return NULL;
    ff_error err = {0};
    const ff_status status = ff_studio_write_report(recording, NULL, PyBytes_AsString(path), NULL, &err);
    Py_DECREF(path);
    if (status != FF_OK) return raise_error(&err);
    Py_RETURN_NONE;
}

static PyObject *get_units(PyObject *object, void *unused)
{
    (void)unused;
    const ff_recording *recording = opened(object);
    PyObject *dict = recording ? PyDict_New() : NULL;
    for (int i = 0; dict && i < ff_recording_channel_count(recording); i++) {
        const ff_recording_channel *channel = ff_recording_channel_at(recording, i);
        PyObject *unit = PyUnicode_FromString(channel->unit);
        if (!unit || PyDict_SetItemString(dict, channel->name, unit) < 0) Py_CLEAR(dict);
        Py_XDECREF(unit);
    }
    return dict;
}

static PyObject *get_path(PyObject *object, void *unused)
{
    (void)unused;
    const ff_recording *recording = opened(object);
    return recording ? PyUnicode_DecodeFSDefault(ff_recording_path(recording)) : NULL;
}

static PyObject *get_ended(PyObject *object, void *unused)
{
    (void)unused;
    const ff_recording *recording = opened(object);
    return recording ? PyBool_FromLong(ff_recording_has_ended(recording)) : NULL;
}

static PyObject *get_text(PyObject *object, void *text)
{
    const ff_recording *recording = opened(object);
    if (!recording) return NULL;
    const char *words = text ? ff_recording_scene(recording) : ff_recording_events(recording);
    return PyUnicode_DecodeUTF8(words, (Py_ssize_t)strlen(words), "replace");
}

static PyMethodDef methods[] = {
    {"read", recording_read, METH_O, read_doc},
    {"columns", recording_columns, METH_O, columns_doc},
    {"write_report", recording_write_report, METH_O, write_report_doc},
    {"close", recording_close, METH_NOARGS, "close($self)\n--\n\nCloses the file; arrays that were read stay."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"units", get_units, NULL, "Unit of each channel, by its name.", NULL},
    {"path", get_path, NULL, "Path of the file.", NULL},
    {"ended", get_ended, NULL, "Did the run come to its end?", NULL},
    {"_events", get_text, NULL, "What happened when, as JSON.", NULL},
    {"scene_text", get_text, NULL, "The scene as it was run.", (void *)1},
    {NULL, NULL, NULL, NULL, NULL},
};

// ------------------------------------------------------------------------------------------ runs

static const char *const wanted[] = {"?q", "?com.pos", "?energy", "?feet", "?walk", NULL}; // by a report
static const double rate_alone = 100.0; // of scenes that record nothing by themselves: enough for the eye  [Hz]

/// Writes the channels of the scene, and those that a report shows, to `out`, which has room for all.
static void widen(const ff_scene_spec *scene, ff_record_options *record, const char **out)
{
    int count = record->nchannel;
    if (count > 0) memcpy(out, record->channels, (size_t)count * sizeof *out);
    if (count == 0) record->rate_hz = rate_alone;
    for (int i = 0; wanted[i]; i++)
        if (scene->model->nleg > 0 || i < 3) out[count++] = wanted[i];
    record->channels = out;
    record->nchannel = count;
}

bool record_choose(PyObject *given, const ff_scene_spec *scene, record_choice *choice, ff_record_options *record)
{
    *choice = (record_choice){0};
    if (given == Py_False) {
        record->nchannel = 0;
        return true;
    }
    if (given != Py_None && given != Py_True) {
        if (!texts_read(given, "record", &choice->texts)) return false;
        record->channels = choice->texts.items;
        record->nchannel = choice->texts.count;
        return true;
    }
    const size_t most = (size_t)record->nchannel + sizeof wanted / sizeof *wanted;
    choice->channels = PyMem_Malloc(most * sizeof *choice->channels);
    if (!choice->channels) return PyErr_NoMemory() != NULL;
    widen(scene, record, choice->channels);
    return true;
}

void record_choice_clear(record_choice *choice)
{
    texts_clear(&choice->texts);
    PyMem_Free(choice->channels);
}

static bool save_recording(const run_object *run, const char *folder)
{
    const ff_recorder *recorder = ff_run_recorder(run->run);
    if (!recorder) return raise_status(FF_NOT_FOUND, "nothing was recorded: Run(scene, record=False)") != NULL;
    char path[4096 + 20];
    ff_error err = {0};
    char *events = ff_run_list_events(run->run);
    ff_recorder_set_events(ff_run_recorder(run->run), events);
    free(events);
    const ff_scene_spec *scene = ff_run_scene(run->run);
    const ff_record_info info = {.scene = scene->text, .path = scene->path};
    snprintf(path, sizeof path, "%.4096s/run.h5", folder);
    return ff_recorder_save_hdf5(recorder, path, &info, &err) == FF_OK || raise_error(&err);
}

static bool save_summary(const run_object *run, const char *folder, const char *certificate)
{
    char path[4096 + 20], text[600];
    ff_error err = {0}, unfinished = {.status = FF_STOPPED, .text = "not run to its end"};
    const ff_error *end = run->gone ? &run->end : &unfinished;
    ff_arena arena = {0};
    ff_summary summary = ff_summary_make(ff_run_sim(run->run), end->status, end, run->wall, text, sizeof text);
    const ff_result *result = ff_run_result(run->run);
    summary.metrics = result->metrics;
    summary.nmetric = run->gone ? result->nmetric : 0;
    summary.effects = ff_run_scene(run->run)->effects;
    summary.neffect = ff_run_scene(run->run)->neffect;
    if (run->gone) summary.expectations = ff_run_verdicts(run->run, &arena, &summary.nexpectation);
    summary.certificate = certificate;
    snprintf(path, sizeof path, "%.4096s/summary.json", folder);
    const ff_status status = ff_summary_write(&summary, path, &err);
    ff_arena_clear(&arena);
    return status == FF_OK || raise_error(&err);
}

const char save_run_doc[] = "save_run(run, folder, certificate=None)\n--\n\n"
                            "Writes run.h5 and summary.json, as `footfall run` does, into a folder that exists.";

PyObject *save_run(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *run, *given;
    const char *certificate = NULL;
    if (!PyArg_ParseTuple(args, "O!O|z:save_run", run_type, &run, &given, &certificate)) return NULL;
    const run_object *self = (run_object *)run;
    if (!guard_look(run_owner(self), "Run")) return NULL;
    PyObject *folder = read_path(given, "folder");
    if (!folder) return NULL;
    const char *path = PyBytes_AsString(folder);
    const bool saved = save_recording(self, path) && save_summary(self, path, certificate);
    Py_DECREF(folder);
    if (!saved) return NULL;
    Py_RETURN_NONE;
}

/// @return result of a function of footfall/results.py for a run; NULL with an exception
static PyObject *call_results(PyObject *run, const char *function)
{
    PyObject *results = PyImport_ImportModule("footfall.results");
    PyObject *made = results ? PyObject_CallMethod(results, function, "O", run) : NULL;
    Py_XDECREF(results);
    return made;
}

PyObject *run_get_recording(PyObject *object, void *unused)
{
    (void)unused;
    run_object *self = (run_object *)object;
    if (!guard_look(run_owner(self), "Run")) return NULL;
    if (!self->gone) return call_results(object, "recording_of"); // it still grows
    if (!self->recording) self->recording = call_results(object, "recording_of");
    return Py_XNewRef(self->recording);
}

PyObject *run_report(PyObject *object, PyObject *unused)
{
    (void)unused;
    return call_results(object, "report_of");
}

PyObject *run_certify(PyObject *object, PyObject *unused)
{
    (void)unused;
    return call_results(object, "certificate_of");
}

bool recording_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)"Recording(path)\n--\n\nA recording: run.h5, or the folder that a run left."},
        {Py_tp_new, (void *)recording_new},
        {Py_tp_dealloc, (void *)recording_dealloc},
        {Py_tp_traverse, (void *)recording_traverse},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall._core.Recording",
        .basicsize = sizeof(recording_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };
    return (recording_type = type_add(module, &spec)) != NULL;
}
