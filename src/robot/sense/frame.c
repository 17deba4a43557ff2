// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames in memory: a head and its items in one block, without addresses. The room link sends them.
#include "sense/io_frames.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 32, ITEM = 24 };
_Static_assert(sizeof(ff_io_frame) == HEADER && sizeof(ff_io_item) == ITEM,
               "no padding: a frame can be hashed and compared");

uint64_t ff_io_layout_hash(const ff_io_name *names, int count)
{
    uint64_t hash = FF_HASH_START;
    for (int i = 0; i < count; i++) {
        // with the ending zeros, so that "ab" "c" differs from "a" "bc"
        hash = ff_hash(names[i].name, strlen(names[i].name) + 1, hash);
        hash = ff_hash(names[i].unit, strlen(names[i].unit) + 1, hash);
    }
    return hash;
}

ff_status ff_io_name_set(ff_io_name *to, const char *unit, ff_error *err, const char *format, ...)
{
    char name[256];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (length < 0 || length >= (int)sizeof to->name)
        return ff_error_set(err, FF_LIMIT,
                            "the name '%.200s' has %d characters: items and signals have at most %d; "
                            "shorten it",
                            name, length, (int)sizeof to->name - 1);
    memcpy(to->name, name, (size_t)length + 1);
    snprintf(to->unit, sizeof to->unit, "%s", unit);
    return FF_OK;
}

int ff_io_find(const ff_io_layout *layout, const char *name)
{
    for (int i = 0; i < layout->count; i++)
        if (strcmp(layout->names[i].name, name) == 0) return i;
    return -1;
}

size_t ff_io_size(int count)
{
    return HEADER + (size_t)count * ITEM;
}

void ff_io_init(ff_io_frame *frame, const ff_io_layout *layout)
{
    memset(frame, 0, ff_io_size(layout->count));
    *frame = (ff_io_frame){.magic = FF_IO_MAGIC,
                           .version = FF_IO_VERSION,
                           .kind = (uint16_t)layout->kind,
                           .count = (uint32_t)layout->count,
                           .layout = layout->hash};
}

// ------------------------------------------------------------------------------------------ numbers of a program

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
