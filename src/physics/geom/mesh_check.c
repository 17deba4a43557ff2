// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of a mesh file before assimp reads it. Assimp relies on the counts of a header and recurses as deep as a
// document nests, but files may be damaged or hostile. Each check here finds one kind of cut or forged file, with a
// message that says where it is damaged, which assimp's own messages do not.
#define _GNU_SOURCE // memmem, strcasestr
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mesh_load.h"

static bool starts_with(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && strncasecmp(text, word, n) == 0;
}

// ------------------------------------------------------------------------------------------ STL

// Binary: 80 bytes of anything, a count, 50 bytes a triangle. Text: "solid ... endsolid". A binary header may start
// with "solid" too, so the size decides first.
static ff_status check_stl(const char *path, const char *bytes, size_t *length, ff_error *err)
{
    if (*length >= 84) {
        const unsigned char *n = (const unsigned char *)bytes + 80;
        size_t count = (size_t)n[0] | (size_t)n[1] << 8 | (size_t)n[2] << 16 | (size_t)n[3] << 24;
        size_t size = 84 + 50 * count;
        if (size == *length) return FF_OK;
        if (!starts_with(bytes, *length, "solid")) {
            if (size > *length)
                return ff_error_set(
                    err, FF_BAD_FILE,
                    "%s: not a whole binary STL: %zu triangles are announced, which takes %zu bytes, but there "
                    "are %zu; the file was cut off or is something else",
                    path, count, size, *length);
            *length = size; // some exporters append attributes, which assimp would refuse
            return FF_OK;
        }
    }
    if (!starts_with(bytes, *length, "solid"))
        return ff_error_set(
            err, FF_BAD_FILE,
            "%s: not an STL file: text would start with \"solid\", binary has 84 bytes at least, this has %zu", path,
            *length);
    if (!strcasestr(bytes, "endsolid"))
        return ff_error_set(err, FF_BAD_FILE, "%s: the STL text has no \"endsolid\": the file was cut off", path);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ PLY

// Every element takes a byte at least, so no honest header promises more elements than there are bytes.
static ff_status check_ply(const char *path, const char *bytes, size_t length, ff_error *err)
{
    if (!starts_with(bytes, length, "ply"))
        return ff_error_set(err, FF_BAD_FILE, "%s:1:1: not a PLY file: the first line must be \"ply\"", path);
    const char *end = memmem(bytes, length, "end_header", 10);
    if (!end)
        return ff_error_set(err, FF_BAD_FILE, "%s: the PLY header has no \"end_header\": the file was cut off", path);
    int line = 1;
    for (const char *p = bytes; p < end; p++) {
        if (*p != '\n') continue;
        line++;
        if (!starts_with(p + 1, (size_t)(end - p - 1), "element ")) continue;
        char text[96] = {0}, name[32] = {0};
        size_t room = (size_t)(end - p - 1);
        memcpy(text, p + 1, room < sizeof text ? room : sizeof text - 1);
        unsigned long long count = 0;
        if (sscanf(text, "%*s %31s %19llu", name, &count) != 2 || count > length)
            return ff_error_set(err, FF_BAD_FILE,
                                "%s:%d:1: %llu elements \"%s\" are announced, but the file has %zu bytes", path, line,
                                count, name, length);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ Collada

static ff_status check_dae(const char *path, const char *bytes, size_t length, ff_error *err)
{
    if (!memmem(bytes, length, "<COLLADA", 8))
        return ff_error_set(err, FF_BAD_FILE, "%s: not a Collada file: there is no <COLLADA> element", path);
    if (!memmem(bytes, length, "</COLLADA", 9))
        return ff_error_set(err, FF_BAD_FILE, "%s: there is no </COLLADA>: the file was cut off", path);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ all

ff_status ff_mesh_check_file(const char *path, const char *format, const char *bytes, size_t *length, ff_error *err)
{
    if (strcmp(format, "stl") == 0) return check_stl(path, bytes, length, err);
    if (strcmp(format, "ply") == 0) return check_ply(path, bytes, *length, err);
    if (strcmp(format, "dae") == 0) return check_dae(path, bytes, *length, err);
    if (memchr(bytes, 0, *length))
        return ff_error_set(err, FF_BAD_FILE, "%s: not an OBJ file: it holds binary data", path);
    return FF_OK;
}
