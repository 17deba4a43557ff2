// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A person who commands a hardware layer by lines on the input of the program.
#ifndef FOOTFALL_APPS_OPERATOR_H
#define FOOTFALL_APPS_OPERATOR_H

#include <footfall/hardware.h>

#include "typed.h"

/// Gives the layer the commands that have been typed; says what is wrong with one, to stderr. It does not wait.
void operator_listen(typed *lines, ff_hardware *layer);

#endif
