// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding the files a robot refers to. Only regular files count: a reference to a pipe or a device must not block a
// load.
#include "files/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define LONGEST 2048 // [byte] of a reference; Linux takes paths up to 4096

/// One attempt: `folder`/`middle`/`rest` (middle may be empty) if that is a file.
static const char *try_folder(ff_arena *arena, const char *folder, size_t folder_length, const char *middle,
                              size_t middle_length, const char *rest)
{
    char path[2 * PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s/%.*s%s%s", (int)folder_length, folder, (int)middle_length, middle,
                     middle_length ? "/" : "", rest);
    if (n < 0 || (size_t)n >= sizeof path || ff_file_kind_at(path, NULL) != FF_FILE_REGULAR) return NULL;
    return ff_arena_strdup(arena, path);
}

static bool ends_with_folder(const char *path, size_t length, const char *name, size_t name_length)
{
    while (length > 0 && path[length - 1] == '/') length--;
    return length >= name_length && memcmp(path + length - name_length, name, name_length) == 0 &&
           (length == name_length || path[length - name_length - 1] == '/');
}

/// A search for a file of a package.
typedef struct search {
    ff_arena *arena;
    const char *name; // of the package
    size_t length;    // of its name
    const char *rest; // path inside
    char folder[160]; // of the first package of that name that does not have the file; "": none so far
} search;

/// One attempt in `folder`, or, with a length of the name, in the folder of that name inside.
static const char *try_package(search *s, const char *folder, size_t folder_length, size_t name_length)
{
    char path[2 * PATH_MAX];
    const char *found = try_folder(s->arena, folder, folder_length, s->name, name_length, s->rest);
    if (found || s->folder[0]) return found;
    snprintf(path, sizeof path, "%.*s%s%.*s", (int)folder_length, folder, name_length ? "/" : "", (int)name_length,
             s->name);
    if (ff_file_kind_at(path, NULL) == FF_FILE_FOLDER) snprintf(s->folder, sizeof s->folder, "%.150s", path);
    return NULL;
}

/// `root` may contain the package, or be the package itself.
static const char *try_root(search *s, const char *root, size_t length)
{
    const char *found = NULL;
    if (length >= PATH_MAX) return NULL;
    if (ends_with_folder(root, length, s->name, s->length)) found = try_package(s, root, length, 0);
    return found ? found : try_package(s, root, length, s->length);
}

/// Absolute folder of `file`; false when there is none on this disk.
static bool folder_of(const char *file, char folder[PATH_MAX])
{
    char path[PATH_MAX];
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) : 1;
    if (length >= sizeof path) return false;
    memcpy(path, slash ? file : ".", length);
    path[length] = '\0';
    char *real = ff_file_real(length ? path : "/");
    const bool there = real && strlen(real) < PATH_MAX;
    if (there) strcpy(folder, real);
    free(real);
    return there;
}

static const char *walk_up(search *s, const char *file)
{
    char folder[PATH_MAX];
    if (!folder_of(file, folder)) return NULL;
    for (size_t length = strlen(folder); length > 0;) {
        const char *found = try_root(s, folder, length);
        if (found) return found;
        while (length > 0 && folder[length - 1] != '/') length--;
        while (length > 0 && folder[length - 1] == '/') length--;
    }
    return NULL;
}

/// Tries each folder of a colon-separated list; `below` is put behind each ("/share" for AMENT_PREFIX_PATH).
static const char *try_list(search *s, const char *list, const char *below)
{
    while (list && *list) {
        size_t length = strcspn(list, ":");
        char root[PATH_MAX];
        int n = snprintf(root, sizeof root, "%.*s%s", (int)(length < PATH_MAX ? length : PATH_MAX), list, below);
        if (length > 0 && n > 0 && (size_t)n < sizeof root) {
            const char *found = try_root(s, root, (size_t)n);
            if (found) return found;
        }
        list += length;
        if (*list == ':') list++;
    }
    return NULL;
}

static const char *find_in_package(ff_arena *arena, const char *name, const char *file, const ff_load_options *options,
                                   char problem[256])
{
    size_t length = strcspn(name, "/");
    const char *rest = name + length;
    while (*rest == '/') rest++;
    if (length == 0 || !*rest) {
        snprintf(problem, 256, "it should read package://NAME/path");
        return NULL;
    }
    search s = {.arena = arena, .name = name, .length = length, .rest = rest};
    const char *found = walk_up(&s, file);
    for (int i = 0; !found && i < options->nsearch_path; i++)
        found = try_root(&s, options->search_paths[i], strlen(options->search_paths[i]));
    if (!found) found = try_list(&s, getenv("ROS_PACKAGE_PATH"), "");
    if (!found) found = try_list(&s, getenv("AMENT_PREFIX_PATH"), "/share");
    if (!found && s.folder[0])
        snprintf(problem, 256, "the folder %s has no such file", s.folder);
    else if (!found)
        snprintf(problem, 256,
                 "there is no folder \"%.*s\" above the robot file, in the search path (--package-path) or in "
                 "ROS_PACKAGE_PATH",
                 (int)(length < 80 ? length : 80), name);
    return found;
}

static const char *find_plain(ff_arena *arena, const char *path, const char *file, const ff_load_options *options,
                              char problem[256])
{
    const char *found = NULL;
    if (path[0] == '/') {
        found = ff_file_kind_at(path, NULL) == FF_FILE_REGULAR ? ff_arena_strdup(arena, path) : NULL;
    } else {
        const char *slash = strrchr(file, '/');
        found = slash ? try_folder(arena, file, (size_t)(slash - file), "", 0, path)
                      : try_folder(arena, ".", 1, "", 0, path);
        for (int i = 0; !found && i < options->nsearch_path; i++)
            found = try_folder(arena, options->search_paths[i], strlen(options->search_paths[i]), "", 0, path);
    }
    if (!found) snprintf(problem, 256, "there is no such file");
    return found;
}

const char *ff_path_find(ff_arena *arena, const char *reference, const char *file, const ff_load_options *options,
                         char problem[256])
{
    problem[0] = '\0';
    if (strlen(reference) > LONGEST || strlen(file) >= PATH_MAX) {
        snprintf(problem, 256, "the path is longer than %d characters", LONGEST);
        return NULL;
    }
    if (strncmp(reference, "package://", 10) == 0)
        return find_in_package(arena, reference + 10, file, options, problem);
    if (strncmp(reference, "model://", 8) == 0) return find_in_package(arena, reference + 8, file, options, problem);
    if (strncmp(reference, "file://", 7) == 0) return find_plain(arena, reference + 7, file, options, problem);
    if (strstr(reference, "://")) {
        snprintf(problem, 256, "only package://, model:// and file:// are followed");
        return NULL;
    }
    return find_plain(arena, reference, file, options, problem);
}
