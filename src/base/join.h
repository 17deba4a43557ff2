// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of names for messages.
#ifndef FOOTFALL_BASE_JOIN_H
#define FOOTFALL_BASE_JOIN_H

#include <stdio.h>

/// Writes "a, b, c"; what does not fit is cut.
static inline void ff_join_names(char *out, size_t size, const char *const *names, int count)
{
    size_t length = 0;
    out[0] = 0;
    for (int i = 0; i < count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "", names[i]);
}

#endif
