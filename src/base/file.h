// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the core asks of a file system beyond the C library's streams. The core makes no other call of an operating
// system: a system that lacks one of these is a matter of file.c alone.
#ifndef FOOTFALL_BASE_FILE_H
#define FOOTFALL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ff_file_kind {
    FF_FILE_UNKNOWN, // errno says why: ENOENT where there is none
    FF_FILE_REGULAR,
    FF_FILE_FOLDER,
    FF_FILE_OTHER, // a device or a pipe, which a reader must not wait for
} ff_file_kind;

/// What lies at a path, links followed. `size` [byte] is filled for regular files and may be NULL.
ff_file_kind ff_file_look(const char *path, uint64_t *size);

/// The path without links and dots, malloc'ed; NULL with errno where there is nothing at it. WebAssembly has no such
/// call: there a path is given back as it is, and refused with ENOTSUP where it contains "..".
char *ff_file_real(const char *path);

/// Writes a file whole or not at all: what lies at the path stays as it is until the new bytes are on the disk, and
/// where they cannot be. A device or a pipe is written as it comes. @return false with errno
bool ff_file_put(const char *path, const void *bytes, size_t size);

#endif
