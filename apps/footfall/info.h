// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the two forms of `footfall info`.
#ifndef FOOTFALL_APPS_INFO_H
#define FOOTFALL_APPS_INFO_H

#include "files.h"

#include <footfall/dyn.h>

/// Name of a body, "world" for -1.
const char *info_body_name(const ff_model *m, int body);
const char *info_actuator_type(ff_actuator_type type);
const char *info_activation_type(ff_activation_type type);
const char *info_equality_type(ff_equality_type type);
/// True for a body that was merged into its parent, or is fixed to the world.
bool info_body_is_fixed(const ff_model *m, int body);

/// @return an exit code of the program
int info_print_json(const char *path, const ff_spec *spec, const ff_model *m, const double com[3]);

#endif
