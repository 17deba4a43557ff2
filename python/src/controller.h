// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A controller in Python at work, for the files that make it one: controller.c calls it, controller_frame.c are its
// frames, controller_memory.c is its memory.
#ifndef FOOTFALL_PYTHON_CONTROLLER_H
#define FOOTFALL_PYTHON_CONTROLLER_H

#include "core.h"

/// One entry of `memory`: a value, or a dict or list with entries.
typedef struct memory_entry {
    PyObject *key; // of a dict; NULL: in a list, by its number
    int value;     // number of the value; -1: a dict or list
    int child, next, nchild;
    bool list;
} memory_entry;

typedef struct controller {
    char *path;
    PyObject *self; // capsule of this, for robot.random
    PyObject *module, *cycle, *command;
    PyObject *sensors, *references; // frames
    ff_python_numbers numbers;      // of the library
    ff_random random;
    memory_entry *entries; // the first is `memory` itself
    int nentry, nvalue;
    ff_io_name *signals; // (nvalue)
} controller;

// controller_frame.c
/// "hinge.position" of "drives.hinge.position".
const char *frame_name(const ff_io_name *name);
/// A frame with arrays of its own, which stay whatever becomes of the controller. `what` is for messages.
PyObject *frame_new(const ff_io_layout *layout, const char *what);
/// Lets a frame of references show those given last.
void frame_attach(PyObject *frame, const double *given);
void frame_end(PyObject *frame);
/// Puts numbers into a frame; NULL: NaN.
void frame_fill(PyObject *frame, const double *numbers);
void frame_take(PyObject *frame, double *numbers);
bool frame_add(PyObject *module);

// controller_memory.c: each returns false with an exception
/// Lists what `memory` of the file holds, where there is one.
bool memory_list(controller *c);
/// Copies it to the numbers of the library.
bool memory_store(controller *c);
/// The other way, after they were restored.
bool memory_recall(controller *c);
void memory_clear(controller *c);

#endif
