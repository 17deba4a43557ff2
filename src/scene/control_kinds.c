// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of controllers scenes know, one a line.
#include "scene/control_kind.h"

const ff_control_kind *const ff_control_kinds[] = {
    &ff_control_callback, &ff_control_climb,       &ff_control_free_legs, &ff_control_gait,
    &ff_control_hill,     &ff_control_planar_walk, &ff_control_lua,       NULL,
};
