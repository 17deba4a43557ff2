// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns ff_error and ff_report of the library into exceptions and warnings of footfall/errors.py.
#include "core.h"

#include <stdio.h>
#include <string.h>

static PyObject *classes[FF_STATUS_COUNT]; // of each status
static PyObject *closed_class, *busy_class, *warning_class;

static const char *const class_names[FF_STATUS_COUNT] = {
    [FF_OK] = "Error",
    [FF_BAD_ARGUMENT] = "BadArgument",
    [FF_BAD_FILE] = "BadFile",
    [FF_BAD_MODEL] = "BadModel",
    [FF_NOT_FOUND] = "NotFound",
    [FF_NOT_BUILT] = "NotBuilt",
    [FF_NO_MEMORY] = "NoMemory",
    [FF_LIMIT] = "Limit",
    [FF_DIVERGED] = "Diverged",
    [FF_SOLVER] = "SolverFailed",
    [FF_STOPPED] = "Stopped",
    [FF_CONTROL] = "ControlFailed",
    [FF_NOT_WRITTEN] = "NotWritten",
};

bool errors_find(void)
{
    PyObject *module = PyImport_ImportModule("footfall.errors");
    if (!module) return false;
    bool found = true;
    for (int i = 0; i < FF_STATUS_COUNT; i++)
        found = found && (classes[i] = PyObject_GetAttrString(module, class_names[i]));
    found = found && (closed_class = PyObject_GetAttrString(module, "Closed")) &&
            (busy_class = PyObject_GetAttrString(module, "Busy")) &&
            (warning_class = PyObject_GetAttrString(module, "Warning"));
    Py_DECREF(module);
    return found;
}

static PyObject *status_class(ff_status status)
{
    return classes[(unsigned)status < FF_STATUS_COUNT ? status : FF_OK];
}

static PyObject *raise_placed(PyObject *type, const char *text, const char *file, int line, int column)
{
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *name = file && file[0] ? PyUnicode_DecodeFSDefault(file) : Py_NewRef(Py_None);
    PyObject *error = message && name ? PyObject_CallFunction(type, "OOii", message, name, line, column) : NULL;
    if (error) PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(name);
    Py_XDECREF(message);
    return NULL;
}

PyObject *raise_error(const ff_error *err)
{
    if (err->status == FF_NO_MEMORY && !err->text[0]) return PyErr_NoMemory();
    return raise_placed(status_class(err->status), err->text[0] ? err->text : ff_status_text(err->status), err->file,
                        err->line, err->column);
}

PyObject *raise_status(ff_status status, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return raise_placed(status_class(status), text, NULL, 0, 0);
}

PyObject *raise_closed(const char *what)
{
    return PyErr_Format(closed_class, "%s: it is closed", what);
}

PyObject *raise_busy(const char *what)
{
    return PyErr_Format(busy_class, "%s: another thread is at work in it", what);
}

PyObject *raise_report(ff_report *report, ff_status usual)
{
    const ff_status status = ff_report_to_error(report, usual, NULL);
    const ff_message *first = NULL;
    PyObject *text = PyUnicode_FromString("");
    for (int i = 0; text && i < report->count; i++) {
        const ff_message *m = &report->messages[i];
        if (m->severity != FF_ERROR) continue;
        char line[1024];
        ff_message_format(m, line, sizeof line);
        PyObject *decoded = PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace");
        PyObject *longer = decoded ? PyUnicode_FromFormat("%U%s%U", text, first ? "\n" : "", decoded) : NULL;
        Py_XDECREF(decoded);
        Py_DECREF(text);
        text = longer;
        if (!first) first = m;
    }
    const char *all = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (all)
        raise_placed(status_class(status), first ? all : ff_status_text(status), first ? first->file : NULL,
                     first ? first->line : 0, first ? first->column : 0);
    Py_XDECREF(text);
    ff_report_clear(report);
    return NULL;
}

bool warn_report(ff_report *report)
{
    bool quiet = true;
    for (int i = 0; quiet && i < report->count; i++) {
        if (report->messages[i].severity != FF_WARNING) continue;
        char line[1024];
        ff_message_format(&report->messages[i], line, sizeof line);
        quiet = PyErr_WarnEx(warning_class, line, 1) == 0;
    }
    ff_report_clear(report);
    return quiet;
}
