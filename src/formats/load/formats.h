// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats of robot files.
#ifndef FOOTFALL_LOAD_FORMATS_H
#define FOOTFALL_LOAD_FORMATS_H

#include "files/format.h"

/// All formats, NULL-ended.
extern const ff_robot_format *const ff_robot_formats[];

#endif
