// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // pipe2
#include "batch/host_files.h"

#include <footfall/base.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CODE = 64 << 20 }; // [byte]

// ------------------------------------------------------------------------------------------ folders

/// Does it belong to this user, and may nobody else write it?
static bool own(const struct stat *about)
{
    return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool join(char out[FF_HOST_PATH], const char *folder, const char *name)
{
    const int length = snprintf(out, FF_HOST_PATH, "%s/%s", folder, name);
    return length > 0 && length < FF_HOST_PATH;
}

/// A folder and those above it, as far as they are missing.
static void make_folders(char *path)
{
    for (char *end = path; (end = strchr(end + 1, '/'));) {
        *end = 0;
        mkdir(path, 0700);
        *end = '/';
    }
    mkdir(path, 0700);
}

bool ff_host_cache(char path[FF_HOST_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[FF_HOST_PATH];
    struct stat about;
    if (cache && cache[0] == '/') {
        if (!join(folder, cache, "")) return false;
    } else if (!home || home[0] != '/' || !join(folder, home, ".cache")) {
        return false;
    }
    if (!join(path, folder, "footfall")) return false;
    make_folders(path);
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && own(&about);
}

bool ff_host_folder(const char *parent, char path[FF_HOST_PATH])
{
    const char *given = getenv("TMPDIR");
    if (!parent) parent = given && given[0] == '/' ? given : "/tmp";
    return join(path, parent, "step.XXXXXX") && mkdtemp(path);
}

/// Files of a folder, and the folders for which `inner` is there.
static void empty(const char *folder, void (*inner)(const char *folder))
{
    char path[FF_HOST_PATH];
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (!join(path, folder, entry->d_name) || unlink(path) == 0 || !inner) continue;
        inner(path);
    }
    closedir(dir);
}

static void remove_flat(const char *folder)
{
    empty(folder, NULL);
    rmdir(folder);
}

void ff_host_remove(const char *folder)
{
    empty(folder, remove_flat);
    rmdir(folder);
}

static bool half_kept(const char *name)
{
    return strstr(name, ".so.") || strstr(name, ".cubin.");
}

void ff_host_sweep(const char *cache)
{
    enum { LONG_AGO = 3600 }; // far longer than a compiler takes  [s]
    char path[FF_HOST_PATH];
    struct stat about;
    DIR *dir = opendir(cache);
    if (!dir) return;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const bool folder = strncmp(entry->d_name, "step.", 5) == 0;
        if ((!folder && !half_kept(entry->d_name)) || !join(path, cache, entry->d_name)) continue;
        if (lstat(path, &about) != 0 || time(NULL) - about.st_mtime < LONG_AGO) continue;
        if (!S_ISDIR(about.st_mode))
            unlink(path);
        else if (folder)
            ff_host_remove(path);
    }
    closedir(dir);
}

// ------------------------------------------------------------------------------------------ files

bool ff_host_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    const bool whole = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && whole;
}

/// Reads the contents of an open file and closes it.
static ff_host_bytes read_and_close(int opened, const struct stat *about)
{
    ff_host_bytes bytes = {0};
    if (S_ISREG(about->st_mode) && about->st_size > 0 && about->st_size <= MOST_CODE &&
        (bytes.data = malloc((size_t)about->st_size))) {
        ssize_t got;
        while (bytes.size < (size_t)about->st_size &&
               (got = read(opened, bytes.data + bytes.size, (size_t)about->st_size - bytes.size)) > 0)
            bytes.size += (size_t)got;
    }
    close(opened);
    return bytes;
}

ff_host_bytes ff_host_read(const char *path)
{
    struct stat about;
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    if (opened < 0) return (ff_host_bytes){0};
    if (fstat(opened, &about) != 0) about.st_mode = 0;
    return read_and_close(opened, &about);
}

ff_host_bytes ff_host_read_kept(const char *path, uint64_t key)
{
    struct stat about;
    uint64_t sum;
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); // no pipe holds us up
    if (opened < 0) return (ff_host_bytes){0};
    if (fstat(opened, &about) != 0 || !own(&about)) about.st_mode = 0;
    ff_host_bytes kept = read_and_close(opened, &about);
    const bool whole = kept.size > sizeof sum;
    if (whole) {
        kept.size -= sizeof sum;
        memcpy(&sum, kept.data + kept.size, sizeof sum);
    }
    if (whole && sum == ff_hash(kept.data, kept.size, key)) return kept;
    free(kept.data);
    return (ff_host_bytes){0};
}

void ff_host_keep(const char *path, uint64_t key, const ff_host_bytes *code)
{
    const uint64_t sum = ff_hash(code->data, code->size, key);
    char other[FF_HOST_PATH + 8];
    snprintf(other, sizeof other, "%s.XXXXXX", path);
    const int opened = mkstemp(other);
    FILE *file = opened >= 0 ? fdopen(opened, "wb") : NULL;
    if (!file) return;
    bool whole = fwrite(code->data, 1, code->size, file) == code->size && fwrite(&sum, sizeof sum, 1, file) == 1;
    whole = fclose(file) == 0 && whole;
    if (!whole || rename(other, path) != 0) remove(other);
}

// ------------------------------------------------------------------------------------------ locks

static bool lock_path(char out[FF_HOST_PATH], const char *path)
{
    const int length = snprintf(out, FF_HOST_PATH, "%s.lock", path);
    return length > 0 && length < FF_HOST_PATH;
}

int ff_host_lock(const char *path, int limit)
{
    static const struct timespec a_while = {.tv_nsec = 20000000};
    char name[FF_HOST_PATH];
    const int opened =
        lock_path(name, path) ? open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600) : -1;
    if (opened < 0) return -1;
    for (const time_t until = time(NULL) + limit;;) {
        if (flock(opened, LOCK_EX | LOCK_NB) == 0) return opened;
        if ((errno != EWOULDBLOCK && errno != EINTR) || time(NULL) > until) break;
        nanosleep(&a_while, NULL);
    }
    close(opened);
    return -1;
}

void ff_host_unlock(const char *path, int lock)
{
    char name[FF_HOST_PATH];
    if (lock < 0) return;
    if (lock_path(name, path)) unlink(name);
    flock(lock, LOCK_UN); // closing is not enough where a thread has forked meanwhile
    close(lock);
}

// ------------------------------------------------------------------------------------------ programs

// The shell that runs a program writes into a pipe with which code it ended: what waitpid returns is lost where the
// host ignores SIGCHLD or reaps children itself. Nothing but that shell holds the pipe, so that it exists while the
// pipe is open, and its process group can be ended without hitting another process.

extern char **environ;

enum { MOST_ARGUMENTS = 32, CODE = 3 }; // CODE: where the shell has the pipe

static const char SCRIPT[] = "set -f; LC_ALL=C; export LC_ALL; "
                             "if [ -x \"$0\" ]; then \"$0\" \"$@\" 3>&-; else $0 \"$@\" 3>&-; fi; echo $? >&3";

/// In a group of its own, without what the host ignores and blocks: a compiler waits for children of its own.
/// @return 0 or an errno
static int start(pid_t *child, char *const *argv, const char *output, int code)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t standard, none;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGCHLD);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    // The pipe first: in a host that has closed its own stdin it may have that number.
    posix_spawn_file_actions_adddup2(&actions, code, CODE);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int failure = posix_spawn(child, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Waits for the code of the shell. @param limit  [s]
static ff_host_end wait_for_code(int code, int limit)
{
    struct pollfd until = {.fd = code, .events = POLLIN};
    const double end = clock_now() + limit;
    char text[4];
    for (int ready = 0; ready <= 0;) {
        const double left = end - clock_now();
        ready = left > 0.0 ? poll(&until, 1, 1 + (int)(1e3 * left)) : 0;
        if (ready == 0 || (ready < 0 && errno != EINTR)) return FF_HOST_SLOW;
    }
    ssize_t got;
    while ((got = read(code, text, sizeof text)) < 0 && errno == EINTR) continue;
    return got == 2 && memcmp(text, "0\n", 2) == 0 ? FF_HOST_DONE : FF_HOST_FAILED;
}

ff_host_end ff_host_run(const char *program, const char *const *arguments, const char *output, int limit)
{
    char shell[] = "sh", option[] = "-c";
    char *argv[MOST_ARGUMENTS] = {shell, option, (char *)SCRIPT, (char *)program};
    int count = 4, ends[2];
    for (int i = 0; arguments[i] && count < MOST_ARGUMENTS - 1; i++) argv[count++] = (char *)arguments[i];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) return FF_HOST_FAILED;
    const bool started = start(&child, argv, output, ends[1]) == 0;
    close(ends[1]);
    const ff_host_end end = started ? wait_for_code(ends[0], limit) : FF_HOST_FAILED;
    if (end == FF_HOST_SLOW) kill(-child, SIGKILL);
    close(ends[0]);
    while (started && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return end;
}

// ------------------------------------------------------------------------------------------ output of programs

/// Does a line say what is wrong? Others say where it is, show the source, or warn.
static bool names_mistake(const char *line, size_t length)
{
    static const char place[] = "In file included from", warning[] = "warning:";
    if (length == 0 || strchr(" \t\r", line[0]) || line[length - 1] == ':' || line[length - 1] == ',') return false;
    if (strncmp(line, place, sizeof place - 1) == 0) return false;
    const char *found = strstr(line, warning);
    return !found || found >= line + length;
}

static void copy_ascii(char *out, size_t size, const char *line, size_t length)
{
    if (length > size - 1) length = size - 1;
    for (size_t i = 0; i < length; i++) out[i] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
    out[length] = 0;
}

void ff_host_first_error(const char *output, const char *folder, char *out, size_t size)
{
    ff_host_bytes all = ff_host_read(output);
    char *text = all.data ? realloc(all.data, all.size + 1) : NULL;
    out[0] = 0;
    if (!text) return free(all.data);
    text[all.size] = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), skipped = strlen(folder);
        if (names_mistake(line, length)) {
            const bool inside = length > skipped + 1 && strncmp(line, folder, skipped) == 0 && line[skipped] == '/';
            copy_ascii(out, size, inside ? line + skipped + 1 : line, inside ? length - skipped - 1 : length);
            break;
        }
        line += length + (line[length] == '\n');
    }
    free(text);
}
