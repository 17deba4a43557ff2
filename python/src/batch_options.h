// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments of a Batch, read from objects of Python: distributions, noise, formulas.
#ifndef FOOTFALL_PYTHON_BATCH_OPTIONS_H
#define FOOTFALL_PYTHON_BATCH_OPTIONS_H

#include "core.h"

#include <footfall/batch.h>

enum { SPREAD_NUMBERS = 1024 }; // of all rows of a table

typedef struct spread_table {
    ff_batch_spread rows[FF_BATCH_SPREADS_MOST];
    int count;
    double numbers[SPREAD_NUMBERS];
    int used;
} spread_table;

// Each returns false or NULL with an exception.

/// {quantity: (low, high)} or {quantity: (kind, number, ..)}; NULL and None: nothing.
bool read_spreads(PyObject *given, spread_table *out);
/// {position, speed, gyro, accelerometer, force: standard deviation}, likewise.
bool read_noise(PyObject *given, ff_batch_noise *out);
/// Texts of formulas, which live as long as `list`. @param out  to be freed by PyMem_Free
bool read_formulas(PyObject *list, const char ***out, int *count);
/// A quantity by its name among the first so many, FF_BATCH_QUANTITIES with an exception where there is none.
ff_batch_parameter read_quantity(const char *name, int among);
/// A list of what was given, with bools and numbers of Python.
PyObject *plain_list(PyObject *given, const char *advice);

#endif
