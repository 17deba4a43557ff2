// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "permissions.h"

#include <footfall/steer.h>
#include <string.h>

bool permissions_read(const char *text, unsigned *permissions)
{
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; ff_permission_names[i]; i++)
            if (strlen(ff_permission_names[i]) == length && strncmp(text, ff_permission_names[i], length) == 0)
                found = i;
        if (found < 0) return false;
        *permissions |= 1U << found;
        text += length + (text[length] == ',');
    }
    return true;
}
