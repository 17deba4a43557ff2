// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the core needs of a file system beyond the C library's streams. It makes no other call of an operating system,
// so that only file.c depends on it.
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

/// Kind of the file at a path, links followed. `size` [byte] is filled for regular files and may be NULL.
ff_file_kind ff_file_kind_at(const char *path, uint64_t *size);

/// The path without links and dots, malloc'ed; NULL with errno where there is nothing at it. WebAssembly has no such
/// call: there a path is given back as it is, and refused with ENOTSUP where it contains "..".
char *ff_file_real(const char *path);

/// Writes a file whole or not at all: an old file at the path is replaced after all bytes are written, and stays if
/// that fails. A device or a pipe is written directly. @return false with errno
bool ff_file_put(const char *path, const void *bytes, size_t size);

#endif
