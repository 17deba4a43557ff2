// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Harness of the program's tests: processes, temporary files, and a JSON checker of its own, so that the program's
// writer is not checked by itself.
#include "program.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[256];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *test_folder(void)
{
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/footfall-test-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        if (!mkdtemp(folder)) abort();
        atexit(remove_folder);
    }
    return folder;
}

const char *temporary(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    return path;
}

const char *write_file(const char *name, const char *text)
{
    const char *path = temporary(name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
    return path;
}

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return calloc(1, 1);
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - 1 - size, file);
        if (size + 1 < room) break;
        text = realloc(text, room *= 2);
    }
    fclose(file);
    if (!text) abort();
    text[size] = '\0';
    return text;
}

const char *read_file(const char *name)
{
    static char *last;
    free(last);
    last = slurp(temporary(name));
    return last;
}

// ------------------------------------------------------------------------------------------ processes

static void become_program(const char *const *words, const char *out, const char *err)
{
    const char *argv[64] = {FF_PROGRAM};
    for (int i = 0; words[i] && i < 62; i++) argv[i + 1] = words[i];
    struct rlimit time_limit = {60, 60}, no_core = {0, 0};
    setrlimit(RLIMIT_CPU, &time_limit);
    setrlimit(RLIMIT_CORE, &no_core);
#ifndef FF_SANITIZED
    struct rlimit memory = {1 << 30, 1 << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
    if (chdir(test_folder()) != 0) _exit(126);
    if (!freopen("/dev/null", "r", stdin) || !freopen(out, "w", stdout) || !freopen(err, "w", stderr)) _exit(126);
    execv(FF_PROGRAM, (char *const *)(size_t)argv);
    _exit(127);
}

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_running(pid_t child)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

/// Waits until the file has those words. @return false: the program has ended without
static bool await_sign(pid_t child, const char *path, const char *words)
{
    for (;;) {
        const bool running = is_running(child); // before the look: its last words count
        char *text = slurp(path);
        const bool there = strstr(text, words) != NULL;
        free(text);
        if (there || !running) return there;
        nanosleep(&(struct timespec){0, 10000000}, NULL); // [ns]
    }
}

outcome footfall_interrupted(const char *const *words, const char *file, const char *sign, int signal_number)
{
    static outcome last;
    free(last.out);
    free(last.err);
    char out[512], err[512], watched[512];
    snprintf(out, sizeof out, "%s/stdout", test_folder());
    snprintf(err, sizeof err, "%s/stderr", test_folder());
    snprintf(watched, sizeof watched, "%s/%s", test_folder(), file ? file : "");
    if (file) unlink(watched); // signs of a program before
    fflush(NULL);
    const double start = clock_seconds();
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) become_program(words, out, err);
    if (file && await_sign(child, watched, sign)) kill(child, signal_number);
    int status = 0;
    struct rusage used;
    if (wait4(child, &status, 0, &used) != child) abort();
    last.wall = clock_seconds() - start;
    last.seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    last.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    last.out = slurp(out);
    last.err = slurp(err);
    return last;
}

outcome footfall_words(const char *const *words)
{
    return footfall_interrupted(words, NULL, NULL, 0);
}

const char *footfall_version(void)
{
    static char said[1024];
    if (!said[0]) snprintf(said, sizeof said, "%s", footfall("--version").out);
    return said;
}

// ------------------------------------------------------------------------------------------ JSON

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *check_string(const char *p) // at the quote; NULL when wrong
{
    for (p++; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) return NULL; // the end of the text, too
        if (*p != '\\') continue;
        p++;
        if (*p == 'u') {
            for (int i = 0; i < 4; i++)
                if (!*++p || !strchr("0123456789abcdefABCDEF", *p)) return NULL;
        } else if (!*p || !strchr("\"\\/bfnrt", *p))
            return NULL;
    }
    return p + 1;
}

static const char *check_number(const char *p)
{
    if (*p == '-') p++;
    if (*p < '0' || *p > '9') return NULL;
    p += *p == '0' ? 1 : strspn(p, "0123456789");
    if (*p == '.') {
        size_t digits = strspn(++p, "0123456789");
        if (digits == 0) return NULL;
        p += digits;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        size_t digits = strspn(p, "0123456789");
        if (digits == 0) return NULL;
        p += digits;
    }
    return p;
}

static const char *check_value(const char *p, int depth);

static const char *check_members(const char *p, int depth, bool object)
{
    const char closing = object ? '}' : ']';
    p = skip_space(p + 1);
    if (*p == closing) return p + 1;
    for (;;) {
        p = skip_space(p);
        if (object) {
            if (*p != '"' || !(p = check_string(p))) return NULL;
            p = skip_space(p);
            if (*p++ != ':') return NULL;
        }
        if (!(p = check_value(p, depth + 1))) return NULL;
        p = skip_space(p);
        if (*p == closing) return p + 1;
        if (*p++ != ',') return NULL;
    }
}

static const char *check_value(const char *p, int depth)
{
    p = skip_space(p);
    if (depth > 64) return NULL;
    if (*p == '{' || *p == '[') return check_members(p, depth, *p == '{');
    if (*p == '"') return check_string(p);
    if (strncmp(p, "true", 4) == 0 || strncmp(p, "null", 4) == 0) return p + 4;
    if (strncmp(p, "false", 5) == 0) return p + 5;
    return check_number(p);
}

bool is_json(const char *text)
{
    const char *end = check_value(text, 0);
    return end && *skip_space(end) == '\0';
}

int json_find_numbers(const char *text, const char *key, double *values, int most)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *p = strstr(text, quoted);
    if (!p) return -1;
    int count = 0, depth = 0;
    p = skip_space(p + strlen(quoted));
    do {
        if (*p == '[') depth++;
        if (*p == ']') depth--;
        if (!strchr("[], \t\r\n", *p)) {
            char *end = NULL;
            double value = strtod(p, &end);
            if (end == p) return count;
            if (count < most) values[count] = value;
            count++;
            p = end - 1;
        }
        p++;
    } while (depth > 0 && *p);
    return count;
}
