// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a program as items of a frame (io_numbers.h).
#include "sense/io_numbers.h"

#include "sense/io_name.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ff_io_numbers_add(ff_io_numbers *n, double *at, const char *unit, const char *format, ...)
{
    char name[256];
    va_list args;
    if (n->err.status == FF_OK && n->count == FF_IO_NUMBERS)
        ff_error_set(&n->err, FF_LIMIT, "a frame of numbers has at most %d", FF_IO_NUMBERS);
    if (n->err.status != FF_OK) return;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (ff_io_name_set(&n->names[n->count], unit, &n->err, "%s", name) == FF_OK) n->at[n->count++] = at;
}

void ff_io_numbers_put(const ff_io_numbers *n, double t, ff_io_frame *frame)
{
    const int64_t stamp = isfinite(t) ? (int64_t)floor(1e9 * t + 0.5) : 0;
    ff_io_item *items = ff_io_items(frame);
    for (int i = 0; i < n->count; i++) items[i] = (ff_io_item){.value = *n->at[i], .time_ns = stamp, .valid = 1};
}

bool ff_io_numbers_take(const ff_io_numbers *n, const ff_io_frame *frame)
{
    const ff_io_item *items = ff_io_items_of(frame);
    for (int i = 0; i < n->count; i++)
        if (!ff_io_known(&items[i])) return false;
    for (int i = 0; i < n->count; i++) *n->at[i] = items[i].value;
    return true;
}
