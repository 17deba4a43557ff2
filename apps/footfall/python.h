// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in Python for the program, which is not linked with Python: the library of an interpreter is opened when
// the first scene asks for one, and what runs controllers is taken from the Python module footfall.
#ifndef FOOTFALL_APPS_PYTHON_H
#define FOOTFALL_APPS_PYTHON_H

#include <footfall/steer.h>

/// For ff_run_options.python. @return NULL with what is missing and how to get it in `err`
const ff_python_host *python_find(ff_error *err);

#endif
