// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of a test program: a folder of its own, made when it is first asked for and removed with all it holds when the
// program ends.
//     write_file("arm.yaml", "footfall: 1\n..");
//     model = ff_model_load(in_folder("arm.yaml"), NULL, &report);
#ifndef FOOTFALL_TESTS_FOLDER_H
#define FOOTFALL_TESTS_FOLDER_H

#include "check.h"

#include <footfall/load.h>

#include <ftw.h>

static char folder_path[200];
static pid_t folder_owner; // a child of this program leaves the folder alone

static inline int folder_remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static inline void folder_remove(void)
{
    if (folder_owner == getpid()) nftw(folder_path, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/// Where the files of this program are.
static inline const char *test_folder(void)
{
    if (folder_path[0]) return folder_path;
    const char *place = getenv("TMPDIR");
    char path[sizeof folder_path];
    const int length = snprintf(path, sizeof path, "%s/footfall-XXXXXX", place ? place : "/tmp");
    if (length >= (int)sizeof path || !mkdtemp(path)) CHECK_FAIL("no folder for test files at %s", path);
    memcpy(folder_path, path, sizeof path);
    folder_owner = getpid();
    atexit(folder_remove);
    return folder_path;
}

/// Path of a file in it, which need not be there. The text stays for the next seven calls.
static inline const char *in_folder(const char *name)
{
    static char paths[8][400];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    return path;
}

/// Writes a file anywhere.
static inline void write_to(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) CHECK_FAIL("cannot write %s", path);
}

/// @return the path, see in_folder
static inline const char *write_bytes(const char *name, const void *bytes, size_t length)
{
    const char *path = in_folder(name);
    write_to(path, bytes, length);
    return path;
}

/// @return the path, see in_folder
static inline const char *write_file(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

#endif
