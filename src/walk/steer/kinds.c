// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of controllers that files can name.
#include "steer/kind.h"

#include <string.h>

#define ENTRY(name) &ff_controller_##name,
const ff_controller_kind *const ff_controller_kinds[] = {FF_CONTROLLER_LIST(ENTRY) NULL};

const ff_controller_kind *ff_controller_kind_find(const char *name)
{
    for (int i = 0; name && ff_controller_kinds[i]; i++)
        if (strcmp(ff_controller_kinds[i]->name, name) == 0) return ff_controller_kinds[i];
    return NULL;
}
