// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that have keys of the schema: the specimens first, then robots and experiments.
#ifndef FOOTFALL_TESTS_SPECIMENS_H
#define FOOTFALL_TESTS_SPECIMENS_H

#include "check.h"
#include "native/keys.h"
#include "scene/keys.h"
#include "text/yaml.h"

#include <dirent.h>
#include <footfall/scene.h>
#include <footfall/text.h>

enum { MOST_FILES = 300 };

typedef struct specimen {
    char *path, *text;
    size_t length;
    const ff_key_group *group;
} specimen;

static specimen files[MOST_FILES];
static int nfile;

static void add_file(const char *path)
{
    ff_report report = {0};
    specimen *f = &files[nfile];
    f->text = ff_text_load(path, 10 << 20, &f->length, (ff_place){0}, &report);
    CHECK(f->text && nfile < MOST_FILES - 1);
    f->path = strdup(path);
    f->group = ff_scene_detect(f->text, f->length) ? &ff_keys_scene : &ff_keys_robot;
    nfile++;
}

static void add_folder(const char *folder, bool deep)
{
    struct dirent *entry;
    DIR *dir = opendir(folder);
    if (!dir) CHECK_FAIL("no folder %s", folder);
    while ((entry = readdir(dir))) {
        char path[600];
        const size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (deep && entry->d_name[0] != '.' && entry->d_type == DT_DIR) add_folder(path, false);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0) add_file(path);
    }
    closedir(dir);
}

static void find_files(void)
{
    if (nfile > 0) return;
    add_folder(FF_SOURCE_DIR "/tests/lab/scene/specimens", true);
    add_folder(FF_SOURCE_DIR "/robots", true);
    add_folder(FF_SOURCE_DIR "/experiments", false);
}

/// Byte of a line and column.
static size_t offset_of(const specimen *f, ff_place place)
{
    const char *at = f->text;
    for (int line = 1; line < place.line; line++) at = strchr(at, '\n') + 1;
    return (size_t)(at - f->text) + (size_t)place.column - 1;
}

#endif
