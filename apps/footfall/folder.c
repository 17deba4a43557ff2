// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders and files for results (folder.h).
#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool make_folder(const char *path, ff_error *err)
{
    char part[1024];
    if (strlen(path) >= sizeof part) {
        ff_error_set(err, FF_BAD_ARGUMENT, "the name of the folder is longer than %zu characters", sizeof part - 1);
        return false;
    }
    for (const char *p = path; *p; p++) {
        bool last = p[1] == '\0';
        if (!last && p[1] != '/') continue;
        size_t length = (size_t)(p - path) + 1;
        memcpy(part, path, length);
        part[length] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            ff_error_set(err, FF_NOT_WRITTEN, "the folder %s cannot be made: %s", part, strerror(errno));
            return false;
        }
    }
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
    ff_error_set(err, FF_BAD_FILE, "%s is there already and is not a folder", path);
    return false;
}

bool holds_something_else(const char *path, const char *head)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 ? fopen(path, "rb") : NULL;
    if (!file) return false; // who may not read it may not write it, as a rule: that is said when it is opened
    while (*head && fgetc(file) == (unsigned char)*head) head++;
    fclose(file);
    return *head != '\0';
}

bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
