// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames as bytes: little-endian, fields one after the other without padding.
//     0 magic 4   4 version 2   6 kind 2   8 count 4   12 sequence 4   16 layout 8   24 time 8   32 items of (value
//         8, time 8, valid 4, spare 4)
#include "sense/io_name.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 32, ITEM = 24 };
_Static_assert(sizeof(ff_io_frame) == HEADER && sizeof(ff_io_item) == ITEM,
               "frames in memory and on a wire have the same size");

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

static unsigned char *put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
    return to + bytes;
}

static uint64_t get(const unsigned char **from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)(*from)[i] << (8 * i);
    *from += bytes;
    return value;
}

size_t ff_io_pack(const ff_io_frame *frame, unsigned char *bytes, size_t size)
{
    const size_t need = ff_io_size((int)frame->count);
    if (size < need) return 0;
    const ff_io_item *items = ff_io_items_of(frame);
    unsigned char *to = put(bytes, frame->magic, 4);
    to = put(to, frame->version, 2);
    to = put(to, frame->kind, 2);
    to = put(to, frame->count, 4);
    to = put(to, frame->sequence, 4);
    to = put(to, frame->layout, 8);
    to = put(to, (uint64_t)frame->time_ns, 8);
    for (uint32_t i = 0; i < frame->count; i++) {
        uint64_t bits;
        memcpy(&bits, &items[i].value, sizeof bits);
        to = put(to, bits, 8);
        to = put(to, (uint64_t)items[i].time_ns, 8);
        to = put(to, items[i].valid, 4);
        to = put(to, 0, 4);
    }
    return need;
}

static ff_status check_header(const ff_io_frame *f, const ff_io_layout *layout, size_t size, ff_error *err)
{
    if (f->magic != FF_IO_MAGIC)
        return ff_error_set(err, FF_BAD_FILE, "frame: magic %08x, not %08x: no frame, or another order of bytes",
                            f->magic, FF_IO_MAGIC);
    if (f->version != FF_IO_VERSION)
        return ff_error_set(err, FF_BAD_FILE, "frame: version %d, this side speaks %d", f->version, FF_IO_VERSION);
    if (f->kind != (uint16_t)layout->kind)
        return ff_error_set(err, FF_BAD_FILE, "frame: kind %d where %d was expected", f->kind, (int)layout->kind);
    if (f->count != (uint32_t)layout->count || f->layout != layout->hash)
        return ff_error_set(err, FF_BAD_FILE, "frame: %u items of layout %016llx, not %d of %016llx", f->count,
                            (unsigned long long)f->layout, layout->count, (unsigned long long)layout->hash);
    if (size != ff_io_size(layout->count))
        return ff_error_set(err, FF_BAD_FILE, "frame: %zu bytes, %d items need %zu", size, layout->count,
                            ff_io_size(layout->count));
    return FF_OK;
}

static ff_status check_values(const unsigned char *from, int count, ff_error *err)
{
    for (int i = 0; i < count; i++) {
        const unsigned char *at = from + (size_t)i * ITEM;
        const uint64_t bits = get(&at, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        at += 8;
        if (get(&at, 4) && !isfinite(value))
            return ff_error_set(err, FF_BAD_FILE, "frame: item %d says it is valid, but is %g", i, value);
    }
    return FF_OK;
}

ff_status ff_io_unpack(const unsigned char *bytes, size_t size, const ff_io_layout *layout, ff_io_frame *frame,
                       ff_error *err)
{
    const unsigned char *from = bytes;
    ff_io_item *items = ff_io_items(frame);
    ff_io_frame f = {0};
    if (size < HEADER) return ff_error_set(err, FF_BAD_FILE, "frame: %zu bytes, its head alone has %d", size, HEADER);
    f.magic = (uint32_t)get(&from, 4);
    f.version = (uint16_t)get(&from, 2);
    f.kind = (uint16_t)get(&from, 2);
    f.count = (uint32_t)get(&from, 4);
    f.sequence = (uint32_t)get(&from, 4);
    f.layout = get(&from, 8);
    f.time_ns = (int64_t)get(&from, 8);
    if (check_header(&f, layout, size, err) != FF_OK || check_values(from, layout->count, err) != FF_OK)
        return FF_BAD_FILE;
    for (int i = 0; i < layout->count; i++) {
        const uint64_t bits = get(&from, 8);
        memcpy(&items[i].value, &bits, sizeof bits);
        items[i].time_ns = (int64_t)get(&from, 8);
        items[i].valid = (uint32_t)get(&from, 4);
        items[i].spare = (uint32_t)get(&from, 4);
    }
    *frame = f;
    return FF_OK;
}
