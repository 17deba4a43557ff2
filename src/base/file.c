// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the operating system; see file.h.
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ff_file_kind ff_file_kind_at(const char *path, uint64_t *size)
{
    struct stat info;
    if (stat(path, &info) != 0) return FF_FILE_UNKNOWN;
    if (S_ISDIR(info.st_mode)) return FF_FILE_FOLDER;
    if (!S_ISREG(info.st_mode)) return FF_FILE_OTHER;
    if (size) *size = info.st_size < 0 ? UINT64_MAX : (uint64_t)info.st_size;
    return FF_FILE_REGULAR;
}

#ifdef __wasi__

static bool has_parent_step(const char *path)
{
    for (const char *at = strstr(path, ".."); at; at = strstr(at + 2, ".."))
        if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/')) return true;
    return false;
}

// The host of a WebAssembly module lets it open files of certain folders only, links included, so that names need no
// check here. Only ".." would give one file several names, or make a file outside of a folder appear to be inside.
char *ff_file_real(const char *path)
{
    if (ff_file_kind_at(path, NULL) == FF_FILE_UNKNOWN) return NULL;
    if (!has_parent_step(path)) return strdup(path);
    errno = ENOTSUP;
    return NULL;
}

#else

char *ff_file_real(const char *path)
{
    return realpath(path, NULL);
}

#endif

static bool write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0) ok = false;
    return ok;
}

bool ff_file_put(const char *path, const void *bytes, size_t size)
{
    const ff_file_kind kind = ff_file_kind_at(path, NULL);
    if (kind != FF_FILE_REGULAR && kind != FF_FILE_UNKNOWN) return write_bytes(path, bytes, size);
    char *real = kind == FF_FILE_REGULAR ? ff_file_real(path) : NULL; // a link stays: the file it leads to is replaced
    const char *place = real ? real : path;
    const size_t length = strlen(place) + sizeof ".part";
    char *part = malloc(length);
    if (part) snprintf(part, length, "%s.part", place);
    const bool ok = part && write_bytes(part, bytes, size) && rename(part, place) == 0;
    const int write_errno = errno;
    if (part && !ok) remove(part);
    free(part);
    free(real);
    errno = write_errno;
    return ok;
}
