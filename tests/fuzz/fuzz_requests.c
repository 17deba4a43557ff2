// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What pages ask of the workbench: each line of an input is one request. Any bytes are answered, exactly once and in
// bounded time, whatever came before; and nothing appears outside the project folder, which holds a pendulum, its scene
// and a script.
#include "studio/workbench.h"

#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char robot[] = "footfall: 1\n"
                            "name: pendulum\n"
                            "bodies:\n"
                            "  rod:\n"
                            "    joint: {name: hinge, axis: y, damping: 0.01}\n"
                            "    inertial: {mass: 0.2, rod: {to: [0, 0, -0.3]}}\n"
                            "    shapes: [{capsule: {to: [0, 0, -0.3], radius: 10 mm}}]\n"
                            "poses: {tilted: {hinge: 60 deg}}\n";
static const char scene[] = "footfall: 1\n"
                            "robot: robot.yaml\n"
                            "start: {pose: tilted}\n"
                            "time: 0.5\n"
                            "control: {lua: script.lua, parameters: {gain: 2}}\n"
                            "record: {rate: 100, channels: [q, energy]}\n";
static const char script[] = "function cycle(t, sensors, references) end\n";

// ------------------------------------------------------------------------------------------ the workbench and its
// folder

static char parent[] = "/tmp/footfall-fuzz-XXXXXX", root[64];
static ff_workbench *bench;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int answers;

static void say(void *context, int client, char *text, size_t length)
{
    (void)context;
    if (strlen(text) != length) abort();
    if (client >= 0 && strstr(text, "\"ok\": ")) {
        pthread_mutex_lock(&lock);
        answers++;
        pthread_cond_signal(&news);
        pthread_mutex_unlock(&lock);
    }
    free(text);
}

static void frame(void *context)
{
    (void)context;
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *where)
{
    (void)facts, (void)type;
    return where->level == 0 ? 0 : remove(path);
}

static void clean(void)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    write_file("robot.yaml", robot);
    write_file("scene.yaml", scene);
    write_file("script.lua", script);
}

static void remove_all(void)
{
    ff_workbench_destroy(bench);
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    rmdir(root);
    rmdir(parent);
}

static void begin(void)
{
    ff_error err = {0};
    const ff_workbench_sink sink = {.send = say, .frame = frame};
    if (!mkdtemp(parent)) abort();
    snprintf(root, sizeof root, "%s/project", parent);
    if (mkdir(root, 0700) != 0) abort();
    clean();
    bench = ff_workbench_create(root, &sink, &err);
    if (!bench || ff_workbench_joined(bench, 0, &err) != FF_OK) abort();
    atexit(remove_all);
}

/// Only the project may be beside the project.
static void look_around(void)
{
    int count = 0;
    DIR *folder = opendir(parent);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) count += entry->d_name[0] != '.';
    if (!folder || count != 1) abort();
    closedir(folder);
}

// ------------------------------------------------------------------------------------------ asking

static void ask(const char *text, size_t length)
{
    pthread_mutex_lock(&lock);
    const int before = answers;
    pthread_mutex_unlock(&lock);
    if (ff_workbench_request(bench, 0, text, length, NULL) != FF_OK) abort();
    pthread_mutex_lock(&lock);
    while (answers == before) pthread_cond_wait(&news, &lock); // the fuzzer ends what takes too long
    if (answers != before + 1) abort();
    pthread_mutex_unlock(&lock);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static unsigned char room[FF_WORKBENCH_FRAME_MAX];
    static const char load[] = "{\"do\": \"load\", \"scene\": \"scene.yaml\"}", pause[] = "{\"do\": \"pause\"}",
                      end[] = "{\"do\": \"load\", \"scene\": \"nothing.yaml\"}";
    static int count;
    if (!bench) begin();
    if (count++ % 100 == 0) clean();
    ask(load, sizeof load - 1);
    for (const uint8_t *from = bytes, *stop = bytes + size; from < stop;) {
        const uint8_t *line = memchr(from, '\n', (size_t)(stop - from));
        if (!line) line = stop;
        ask((const char *)from, (size_t)(line - from));
        ff_workbench_frame(bench, 0, room, sizeof room, NULL);
        from = line + 1;
    }
    ask(pause, sizeof pause - 1);
    ask(end, sizeof end - 1);
    look_around();
    return 0;
}
