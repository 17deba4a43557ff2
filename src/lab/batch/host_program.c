// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The shell that runs a program says by a pipe with which code it ended: what waitpid says is lost where the host
// ignores SIGCHLD or reaps children itself. Nothing but that shell holds the pipe, so that it is there while it is
// open, and its group can be ended without hitting a stranger.
#define _GNU_SOURCE // pipe2
#include "batch/host_program.h"

#include "batch/host_files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ARGUMENTS = 32, CODE = 3 }; // CODE: where the shell has the pipe

// ------------------------------------------------------------------------------------------ programs

static const char SCRIPT[] = "set -f; LC_ALL=C; export LC_ALL; "
                             "if [ -x \"$0\" ]; then \"$0\" \"$@\" 3>&-; else $0 \"$@\" 3>&-; fi; echo $? >&3";

/// In a group of its own, without what the host ignores and blocks: a compiler waits for children of its own.
/// @return 0 or an errno
static int start(pid_t *child, char *const *argv, const char *said, int code)
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
    posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int trouble = posix_spawn(child, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return trouble;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Waits for the code of the shell. @param limit  [s]
static ff_host_end hear(int code, int limit)
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

ff_host_end ff_host_run(const char *program, const char *const *arguments, const char *said, int limit)
{
    char shell[] = "sh", option[] = "-c";
    char *argv[MOST_ARGUMENTS] = {shell, option, (char *)SCRIPT, (char *)program};
    int count = 4, ends[2];
    for (int i = 0; arguments[i] && count < MOST_ARGUMENTS - 1; i++) argv[count++] = (char *)arguments[i];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) return FF_HOST_FAILED;
    const bool started = start(&child, argv, said, ends[1]) == 0;
    close(ends[1]);
    const ff_host_end end = started ? hear(ends[0], limit) : FF_HOST_FAILED;
    if (end == FF_HOST_SLOW) kill(-child, SIGKILL);
    close(ends[0]);
    while (started && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return end;
}

// ------------------------------------------------------------------------------------------ what they say

/// Does a line say what is wrong? Others tell where it is, show the source, or warn.
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

void ff_host_complaint(const char *said, const char *folder, char *out, size_t size)
{
    ff_host_bytes all = ff_host_read(said);
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
