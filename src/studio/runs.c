// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved runs: folders out/NAME of the project with run.h5, summary.json and report.html. A name is a single path
// component, so that it cannot lead outside; links are not followed.
#include "workbench_inner.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS_MOST = 500, SUMMARY_MOST = 1 << 20 };

bool ff_run_name_fits(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._- ";
    const size_t length = strlen(name);
    return length > 0 && length <= 100 && name[0] != '.' && name[0] != ' ' && strspn(name, letters) == length;
}

/// Opens a folder below another, not following links; -1: none.
static int open_folder(int at, const char *name)
{
    return at < 0 ? -1 : openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int open_out(const ff_workbench *b)
{
    const int root = open(b->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int out = open_folder(root, "out");
    if (root >= 0) close(root);
    return out;
}

int ff_workbench_open_run(const ff_workbench *b, const char *name, const char *file)
{
    struct stat info;
    if (!ff_run_name_fits(name) || !ff_run_name_fits(file)) return -1;
    const int out = open_out(b), folder = open_folder(out, name);
    int found = folder < 0 ? -1 : openat(folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (found >= 0 && (fstat(found, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(found);
        found = -1;
    }
    if (folder >= 0) close(folder);
    if (out >= 0) close(out);
    return found;
}

/// A text file of a run, malloc'ed; NULL: none, or too long.
static char *read_file(const ff_workbench *b, const char *name, const char *file, struct stat *info)
{
    const int found = ff_workbench_open_run(b, name, file);
    char *text = NULL;
    if (found < 0) return NULL;
    if (fstat(found, info) == 0 && info->st_size >= 0 && info->st_size <= SUMMARY_MOST &&
        (text = calloc((size_t)info->st_size + 1, 1)) && read(found, text, (size_t)info->st_size) < 0) {
        free(text);
        text = NULL;
    }
    close(found);
    return text;
}

static void write_run(const ff_workbench *b, const char *name, ff_json *json)
{
    struct stat recording = {0}, summary = {0}, report = {0};
    const int file = ff_workbench_open_run(b, name, "run.h5"), page = ff_workbench_open_run(b, name, "report.html");
    char *text = read_file(b, name, "summary.json", &summary);
    if (file >= 0 && fstat(file, &recording) != 0) recording.st_size = 0;
    if (page >= 0 && fstat(page, &report) != 0) report.st_size = 0;
    if (file >= 0 || text || page >= 0) {
        ff_arena tree = {.limit = (size_t)64 << 20};
        ff_report ignored = {0};
        ff_yaml *root = text ? ff_yaml_parse(&tree, text, strlen(text), name, &ignored) : NULL;
        const time_t saved = file >= 0 ? recording.st_mtime : text ? summary.st_mtime : report.st_mtime;
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", name);
        ff_json_text(json, "title", root ? ff_yaml_string(root, "title", name, &ignored) : name);
        ff_json_number(json, "time", root ? ff_yaml_number(root, "time", 0.0, &ignored) : 0.0);
        ff_json_text(json, "outcome", root ? ff_yaml_string(root, "outcome", "", &ignored) : "");
        ff_json_integer(json, "bytes", (long long)(recording.st_size + report.st_size));
        ff_json_integer(json, "saved", (long long)saved);
        ff_json_bool(json, "report", page >= 0);
        ff_json_end_object(json);
        ff_report_clear(&ignored);
        ff_arena_clear(&tree);
    }
    free(text);
    if (file >= 0) close(file);
    if (page >= 0) close(page);
}

void ff_runs_list(const ff_workbench *b, ff_json *json)
{
    const int out = open_out(b);
    DIR *folder = out >= 0 ? fdopendir(out) : NULL;
    struct dirent *entry;
    int count = 0;
    ff_json_begin_array(json, "runs", true);
    while (folder && count < RUNS_MOST && (entry = readdir(folder)))
        if (ff_run_name_fits(entry->d_name) && ++count) write_run(b, entry->d_name, json);
    ff_json_end_array(json);
    if (folder)
        closedir(folder);
    else if (out >= 0)
        close(out);
}
