// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "controllers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

// Functions of the limited interface of Python from 3.11 on; PyObject * is opaque here.
typedef struct python_library {
    int minor; // version 3.minor
    wchar_t *(*Py_DecodeLocale)(const char *text, size_t *length);
    void (*Py_SetProgramName)(const wchar_t *name);
    void (*Py_InitializeEx)(int signals);
    void *(*PyEval_SaveThread)(void);
    int (*PyGILState_Ensure)(void);
    void (*PyGILState_Release)(int state);
    void *(*PySys_GetObject)(const char *name);
    int (*PySys_SetObject)(const char *name, void *value);
    void *(*PyUnicode_FromString)(const char *text);
    const char *(*PyUnicode_AsUTF8AndSize)(void *text, ssize_t *size);
    int (*PyList_Insert)(void *list, ssize_t at, void *item);
    void *(*PyImport_ImportModule)(const char *name);
    void *(*PyCapsule_Import)(const char *name, int block);
    void (*PyErr_Fetch)(void **type, void **value, void **traceback);
    void *(*PyObject_Str)(void *object);
    void (*Py_DecRef)(void *object);
} python_library;

#define NAME(function)                                                                                                 \
    {                                                                                                                  \
#function, offsetof(python_library, function)                                                                  \
    }
static const struct {
    const char *name;
    size_t offset;
} NAMES[] = {
    NAME(Py_DecodeLocale),      NAME(Py_SetProgramName),
    NAME(Py_InitializeEx),      NAME(PyEval_SaveThread),
    NAME(PyGILState_Ensure),    NAME(PyGILState_Release),
    NAME(PySys_GetObject),      NAME(PySys_SetObject),
    NAME(PyUnicode_FromString), NAME(PyUnicode_AsUTF8AndSize),
    NAME(PyList_Insert),        NAME(PyImport_ImportModule),
    NAME(PyCapsule_Import),     NAME(PyErr_Fetch),
    NAME(PyObject_Str),         NAME(Py_DecRef),
};

// Opens the library with global symbols, since modules such as NumPy's do not name the library that they need.
static bool open_library(python_library *py, ff_error *err)
{
    enum { FIRST = 11, LAST = 19 }; // the module is made for the limited interface of 3.11
    void *library = NULL;
    for (int minor = FIRST; minor <= LAST && !library; minor++) {
        char name[40];
        snprintf(name, sizeof name, "libpython3.%d.so.1.0", minor);
        library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
        py->minor = minor;
    }
    if (!library) {
        ff_error_set(err, FF_NOT_BUILT,
                     "a controller in Python needs libpython 3.%d or later, which is not here (Debian: apt install "
                     "libpython3.%d); the same controller in Lua needs nothing",
                     FIRST, FIRST);
        return false;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        void *function = dlsym(library, NAMES[i].name);
        if (!function) {
            ff_error_set(err, FF_NOT_BUILT, "libpython has no %s", NAMES[i].name);
            return false;
        }
        memcpy((char *)py + NAMES[i].offset, &function, sizeof function);
    }
    return true;
}

// The interpreter whose packages count is that of the library: by default, Python takes the first python3 of PATH,
// which may have other packages. A virtual environment of that interpreter is used.
static void choose_interpreter(const python_library *py)
{
    static wchar_t *chosen; // Python keeps the pointer
    const char *environment = getenv("VIRTUAL_ENV");
    char own[40], path[4096] = "", real[4096] = "";
    snprintf(own, sizeof own, "/usr/bin/python3.%d", py->minor);
    if (environment) snprintf(path, sizeof path, "%.4000s/bin/python3", environment);
    const bool its_own = environment && realpath(path, real) && strcmp(real, own) == 0;
    if (!its_own && access(own, X_OK) != 0) return;
    chosen = py->Py_DecodeLocale(its_own ? path : own, NULL);
    if (chosen) py->Py_SetProgramName(chosen);
}

// The module of the same build lies beside the program: in the build tree, or below the same prefix.
static void add_folders(const python_library *py)
{
    static const char *const places[] = {"/../lib/python3/dist-packages", "/../python"};
    char path[4096 + 40];
    const ssize_t length = readlink("/proc/self/exe", path, 4096);
    void *list = py->PySys_GetObject("path");
    if (length <= 0 || length == 4096 || !list) return;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    for (size_t i = 0; slash && i < 2; i++) {
        snprintf(slash, 40, "%s", places[i]);
        void *text = py->PyUnicode_FromString(path);
        if (text) py->PyList_Insert(list, 0, text);
        py->Py_DecRef(text);
    }
}

static void fetch_error(const python_library *py, ff_error *err)
{
    void *type = NULL, *value = NULL, *traceback = NULL;
    py->PyErr_Fetch(&type, &value, &traceback);
    void *text = value ? py->PyObject_Str(value) : NULL;
    const char *words = text ? py->PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    ff_error_set(err, FF_NOT_BUILT,
                 "a controller in Python needs the module footfall of this build, which Python cannot import: %.300s; "
                 "build with FOOTFALL_PYTHON=ON, or install it",
                 words ? words : "no reason given");
    py->Py_DecRef(text);
    py->Py_DecRef(type);
    py->Py_DecRef(value);
    py->Py_DecRef(traceback);
}

const ff_python_host *python_find(ff_error *err)
{
    static python_library py;
    static bool opened;
    static const ff_python_host *host;
    if (host) return host;
    if (!opened && !open_library(&py, err)) return NULL;
    if (!opened) {
        choose_interpreter(&py);
        py.Py_InitializeEx(0);                                      // Ctrl-C stays with the program
        py.PySys_SetObject("stdout", py.PySys_GetObject("stderr")); // stdout is for results
        add_folders(&py);
        py.PyEval_SaveThread(); // each caller of Python takes its lock
    }
    opened = true;
    const int state = py.PyGILState_Ensure();
    void *module = py.PyImport_ImportModule("footfall");
    host = module ? py.PyCapsule_Import("footfall._core.controllers", 0) : NULL;
    if (!host) fetch_error(&py, err);
    py.Py_DecRef(module);
    py.PyGILState_Release(state);
    return host;
}
