// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What `footfall twin` prints.
#ifndef FOOTFALL_APPS_TWIN_H
#define FOOTFALL_APPS_TWIN_H

#include <footfall/twin.h>

/// How far two robots lie apart, to stdout.
void print_twin(const ff_twin_result *result);

#endif
