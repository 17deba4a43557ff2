// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of controllers files can name, one a line.
#include "steer/kind.h"

#include <string.h>

const ff_controller_kind *const ff_controller_kinds[] = {
    &ff_controller_arm,         //
    &ff_controller_biped,       //
    &ff_controller_callback,    //
    &ff_controller_climb,       //
    &ff_controller_free_legs,   //
    &ff_controller_gait,        //
    &ff_controller_hill,        //
    &ff_controller_jog,         //
    &ff_controller_planar_walk, //
    &ff_controller_static_walk, //
    &ff_controller_lua,         //
    &ff_controller_python,      //
    NULL,
};

const ff_controller_kind *ff_controller_kind_find(const char *name)
{
    for (int i = 0; name && ff_controller_kinds[i]; i++)
        if (strcmp(ff_controller_kinds[i]->name, name) == 0) return ff_controller_kinds[i];
    return NULL;
}
