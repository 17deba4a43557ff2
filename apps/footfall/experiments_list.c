// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the experiments. The program searches the folders above its own file, so that a build tree and a moved
// installation both find theirs, and then the folder of installation.
#define _GNU_SOURCE // strverscmp
#include "experiments.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING     ".yaml"
#define EXPERIMENT "experiments"
#define LEVELS     6 // folders above the program that are searched; the source tree is the fourth

static bool is_scene_name(const char *name)
{
    size_t length = strlen(name), end = sizeof ENDING - 1;
    return name[0] != '.' && length > end && strcmp(name + length - end, ENDING) == 0;
}

static int count_scenes(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir) return -1;
    int count = 0;
    for (const struct dirent *item; (item = readdir(dir));) count += is_scene_name(item->d_name);
    closedir(dir);
    return count;
}

static const char *find_folder(ff_arena *arena)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    for (int level = 0; level < LEVELS && path[0]; level++) {
        *strrchr(path, '/') = '\0';
        const char *places[2] = {ff_arena_printf(arena, "%s/share/footfall/" EXPERIMENT, path),
                                 ff_arena_printf(arena, "%s/" EXPERIMENT, path)};
        for (int i = 0; i < 2; i++)
            if (places[i] && count_scenes(places[i]) > 0) return places[i];
    }
    return FF_DATA_DIR "/" EXPERIMENT;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const experiments_entry *)a)->name, ((const experiments_entry *)b)->name);
}

static bool read_folder(experiments_list *out, ff_arena *arena, ff_error *err)
{
    int room = count_scenes(out->folder);
    DIR *dir = room < 0 ? NULL : opendir(out->folder);
    if (!dir) {
        ff_error_set(err, FF_BAD_FILE, "the folder of experiments %s cannot be read: %s; name another with --from",
                     out->folder, strerror(errno));
        return false;
    }
    out->entries = FF_ARENA_NEW(arena, experiments_entry, room + 1);
    for (const struct dirent *item; out->entries && out->count < room && (item = readdir(dir));) {
        if (!is_scene_name(item->d_name)) continue;
        experiments_entry *entry = &out->entries[out->count++];
        entry->path = ff_arena_printf(arena, "%s/%s", out->folder, item->d_name);
        entry->name = ff_arena_strndup(arena, item->d_name, strlen(item->d_name) - (sizeof ENDING - 1));
    }
    closedir(dir);
    if (arena->failed) {
        ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
        return false;
    }
    qsort(out->entries, (size_t)out->count, sizeof *out->entries, by_name);
    return true;
}

bool experiments_list_open(experiments_list *out, const char *folder, ff_arena *arena, ff_error *err)
{
    *out = (experiments_list){.folder = folder ? folder : find_folder(arena)};
    return read_folder(out, arena, err);
}

bool experiments_entry_matches(const experiments_entry *entry, const char *name, size_t length)
{
    if (length == 0 || strncmp(entry->name, name, length) != 0) return false;
    return entry->name[length] == '\0' || entry->name[length] == '-';
}
