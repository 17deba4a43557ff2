// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders, files, locks and programs that compiling at run time needs (host_special.c, device_special.cu).
#ifndef FOOTFALL_BATCH_HOST_FILES_H
#define FOOTFALL_BATCH_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_HOST_PATH = 1024 };

/// What is read or written as a whole.
typedef struct ff_host_bytes {
    unsigned char *data; // malloc'ed, or NULL
    size_t size;
} ff_host_bytes;

/// $XDG_CACHE_HOME/footfall or ~/.cache/footfall, made where it is missing. @return false: there is none that belongs
/// to this user and that nobody else may write
bool ff_host_cache(char path[FF_HOST_PATH]);
/// A new folder in `parent`, or in $TMPDIR or /tmp where that is NULL.
bool ff_host_folder(const char *parent, char path[FF_HOST_PATH]);
/// Removes a folder and what is in it, one level of folders deep.
void ff_host_remove(const char *folder);
/// Removes what processes that were killed left in the cache long ago: folders to work in, and code that was half kept.
void ff_host_sweep(const char *cache);

bool ff_host_write(const char *path, const void *data, size_t size);
/// A file as a whole; NULL: it cannot be read.
ff_host_bytes ff_host_read(const char *path);
/// Code with this key that was kept: a plain file of this user, which nobody else may write, and whole. NULL: there is
/// none.
ff_host_bytes ff_host_read_kept(const char *path, uint64_t key);
/// Keeps it, under another name first, so that nobody reads half of it. What cannot be kept is compiled again.
void ff_host_keep(const char *path, uint64_t key, const ff_host_bytes *code);

/// Waits until nobody else makes the code of this path, in this process or another. @param limit  for so long  [s]
/// @return for ff_host_unlock; -1: there is no lock, and the code may be made twice
int ff_host_lock(const char *path, int limit);
void ff_host_unlock(const char *path, int lock);

typedef enum ff_host_end {
    FF_HOST_DONE,   // it ended with 0
    FF_HOST_FAILED, // with something else, or there is no such program
    FF_HOST_SLOW    // not in time: it was ended, with all that it had started
} ff_host_end;

/// Runs a program by the shell, which splits `program` into words where there is no such file, with arguments as they
/// are (a list that NULL ends); its output, in English, goes to the file `output`. Signals that the host ignores and
/// children that it has reaped elsewhere make no difference.
/// @param limit  how long it may take  [s]
ff_host_end ff_host_run(const char *program, const char *const *arguments, const char *output, int limit);

/// The first line of what a compiler said that names a mistake, in ASCII. @param out  empty where there is none
/// @param folder  is left out where the line begins with it
void ff_host_first_error(const char *output, const char *folder, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
