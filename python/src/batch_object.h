// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The object behind Batch, for the files that work with it: batch.c makes it, steps it and has the type, batch_robots.c
// has what is done to single robots.
#ifndef FOOTFALL_PYTHON_BATCH_OBJECT_H
#define FOOTFALL_PYTHON_BATCH_OBJECT_H

#include "core.h"

#include <footfall/batch.h>

enum { POSITION_TARGET, SPEED_TARGET, TORQUE_TARGET, Q, V, SENSORS, TIME, ENDED, REWARD, OBSERVATION, FINAL, ARRAYS };

typedef struct batch_object {
    PyObject_HEAD ff_batch_model *model;
    ff_batch *batch;
    int robots;
    ff_batch_sizes sizes;
    int nsensor, nobserve;
    PyObject *servos;  // names of their joints
    PyObject *sensors; // names of what they read
    PyObject *joints;  // columns in q and v by name
    PyObject *arrays[ARRAYS];
    double *data[ARRAYS];
    bool taken[ARRAYS]; // by somebody: from then on it is kept up to date
    bool running;
    bool shown;            // targets are taken from arrays and states put there
    int steps;             // of the call that runs
    int renew;             // age at which robots restart after it, -1: none restarts, not even those that ended
    double *first_targets; // of a robot that begins: position, speed, torque  (3*nservo)
    double *ages;          // of lives before the last renewal, to work in  (robots)
    ff_status status;
    ff_error err;
} batch_object;

/// Rows of one robot, of the arrays that were taken.
/// @return FF_SOLVER where the robot cannot be read back from a device, with the reason in `err` of the batch: the
///         arrays stay as they were
ff_status batch_show_robot(batch_object *self, int i);
/// Brings arrays from `first` to `last` that were taken up to date. What is observed of the robots is there already.
ff_status batch_show_arrays(batch_object *self, int first, int last);
/// Lets other threads go on while the batch works; one that enters it meanwhile is refused. @return false with an
/// exception
bool batch_work_alone(batch_object *self, void (*work)(void *context), void *context);

// Methods, with what `help` says of them.
PyObject *batch_reset(PyObject *object, PyObject *args, PyObject *kwargs);
PyObject *batch_put(PyObject *object, PyObject *args);
PyObject *batch_set(PyObject *object, PyObject *args);
PyObject *batch_push(PyObject *object, PyObject *args);
PyObject *batch_drawn(PyObject *object, PyObject *args);
extern const char batch_reset_doc[], batch_put_doc[], batch_set_doc[], batch_push_doc[], batch_drawn_doc[];

#endif
