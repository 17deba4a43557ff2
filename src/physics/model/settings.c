// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding settings.
#include "model/settings.h"

#include <string.h>

const ff_spec_setting *ff_settings_find(const ff_spec_setting *settings, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(settings[i].name, name) == 0) return &settings[i];
    return NULL;
}
