// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A child process turns the bytes of a mesh file into a mesh.
//
//     this process                        child
//     ff_mesh_import_in_child  --fork-->  ff_mesh_import (assimp)
//     mesh or message        <---pipe---  head, vertices, triangles
//
// Mesh files may be damaged or hostile, and assimp fails on some of them: of some 700 files made by mutating good ones,
// version 5.2.5 crashed, aborted or hung on twenty (PLY lists, Collada without counts, Collada nodes that contain
// themselves). In a child with a limit on time and memory that is a message about the file. A file of four triangles
// takes 1.3 ms in all. Builds without mesh files need no processes, pipes and signals, and leave this file out.
#define _GNU_SOURCE // pipe2
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#ifdef FF_WITH_THREADS
#include <pthread.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesh_load.h"

#define CHILD_SECONDS 10
// 4.9 million triangles (245 MB) took 18 s in a debug build and 1.5 GB.
#define CHILD_BYTES_PER_SECOND ((size_t)4 << 20) // a second more for so much file  [byte]
#define CHILD_BYTES_MORE       ((rlim_t)6 << 30) // beyond what this process has mapped  [byte]
#define POLL_MILLISECONDS      20                // how often ff_stop is asked while the child works  [ms]

typedef struct child_head {
    ff_status status;
    int nvertex, ntriangle;
    char text[sizeof((ff_error *)0)->text];
} child_head;

static bool write_all(int file, const void *bytes, size_t length)
{
    for (const char *p = bytes; length > 0;) {
        ssize_t wrote = write(file, p, length);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        p += wrote;
        length -= (size_t)wrote;
    }
    return true;
}

// Waits for bytes from the child, unless the load is stopped meanwhile.
static bool wait_for(int file)
{
    struct pollfd until = {.fd = file, .events = POLLIN};
    int ready = 0;
    while (ready <= 0) {
        if (ff_stop_asked()) return false;
        ready = poll(&until, 1, POLL_MILLISECONDS);
        if (ready < 0 && errno != EINTR) return false;
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t length)
{
    for (char *p = bytes; length > 0;) {
        if (!wait_for(file)) return false;
        ssize_t got = read(file, p, length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        p += got;
        length -= (size_t)got;
    }
    return true;
}

// Memory this process has mapped, or 0 when unknown.
static rlim_t mapped_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static rlim_t child_seconds(const mesh_bytes *source)
{
    return (rlim_t)(CHILD_SECONDS + source->length / CHILD_BYTES_PER_SECOND);
}

// The child is a copy of the host program, which may handle or block any signal: the child must not. An interrupt from
// the terminal is meant for the host, which ends the load if it wants to.
static void reset_signals(void)
{
    sigset_t none;
    for (int i = 1; i < NSIG; i++) signal(i, i == SIGINT || i == SIGQUIT ? SIG_IGN : SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit_child(rlim_t seconds, rlim_t mapped)
{
    struct rlimit time = {seconds, seconds + 1}, none = {0, 0}; // the first ends the child by SIGXCPU
    struct rlimit memory = {mapped + CHILD_BYTES_MORE, mapped + CHILD_BYTES_MORE};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    if (mapped > 0 && mapped < CHILD_BYTES_MORE * 100)
        setrlimit(RLIMIT_AS, &memory); // sanitizers map terabytes: no limit then
    // A child that sleeps uses no processor time: another thread of the host may have held a lock at the fork.
    alarm(10 * (unsigned)seconds);
}

// Output of assimp is dropped, and a flush of inherited buffers does not repeat the host's output. In a host that
// has closed its own stdout the pipe may have got the number, so the pipe is moved first.
// @return the pipe's number from here on
static int silence_child(int file)
{
    int nowhere = open("/dev/null", O_WRONLY), moved = fcntl(file, F_DUPFD, STDERR_FILENO + 1);
    if (nowhere < 0 || moved < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) _exit(1);
    return moved;
}

static _Noreturn void run_child(int file, const mesh_bytes *source, rlim_t mapped)
{
    ff_mesh *mesh = NULL;
    ff_error err = {0};
    child_head head = {0};
    reset_signals();
    limit_child(child_seconds(source), mapped);
    file = silence_child(file);
    head.status = ff_mesh_import(&mesh, source, &err);
    memcpy(head.text, err.text, sizeof head.text);
    if (mesh) {
        head.nvertex = mesh->nvertex;
        head.ntriangle = mesh->ntriangle;
    }
    bool sent = write_all(file, &head, sizeof head);
    if (sent && mesh) sent = write_all(file, mesh->vertices, 3 * sizeof(double) * (size_t)mesh->nvertex);
    if (sent && mesh) sent = write_all(file, mesh->triangles, 3 * sizeof(int) * (size_t)mesh->ntriangle);
    _exit(sent ? 0 : 1); // without the exit handlers of the host
}

// @return FF_OK with the mesh; the status of the child; or, when it failed before it could answer, *broken
static ff_status receive(int file, ff_mesh **mesh, const mesh_bytes *source, bool *broken, ff_error *err)
{
    child_head head;
    *broken = !read_all(file, &head, sizeof head);
    if (*broken) return FF_BAD_FILE;
    head.text[sizeof head.text - 1] = 0;
    if (head.status != FF_OK) return ff_error_set(err, head.status, "%s", head.text);
    ff_mesh *got = ff_mesh_alloc(head.nvertex, head.ntriangle);
    if (!got) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for %d triangles", source->path, head.ntriangle);
    *broken = !read_all(file, got->vertices, 3 * sizeof(double) * (size_t)head.nvertex) ||
              !read_all(file, got->triangles, 3 * sizeof(int) * (size_t)head.ntriangle);
    if (!*broken) {
        *mesh = got;
        return FF_OK;
    }
    ff_mesh_destroy(got);
    return FF_BAD_FILE;
}

// @param end  status of waitpid; 0 where the host ignores SIGCHLD
static ff_status report_breakdown(const mesh_bytes *source, int end, ff_error *err)
{
    int by = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
    if (by == SIGKILL || by == SIGXCPU || by == SIGALRM)
        return ff_error_set(err, FF_BAD_FILE,
                            "%s: the reader of .%s files did not come to an end within %d s: the file is damaged or "
                            "too intricate; export it again, with fewer triangles",
                            source->path, source->format, (int)child_seconds(source));
    return ff_error_set(err, FF_BAD_FILE,
                        "%s: the reader of .%s files broke down over it: the file is damaged; export it again",
                        source->path, source->format);
}

// ------------------------------------------------------------------------------------------ breakdowns

/// Content of a file at which the reader broke down, and how its child ended. Otherwise every shape, variant and reload
/// with the same bytes could wait ten seconds. The oldest entry of this small cache is replaced.
typedef struct breakdown {
    uint64_t hash;
    size_t length; // 0: free
    int end;
} breakdown;

enum { BREAKDOWNS = 32 };
static breakdown breakdowns[BREAKDOWNS];
static int newest;

#ifdef FF_WITH_THREADS
static pthread_mutex_t breakdowns_lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&breakdowns_lock)
#define UNLOCK() pthread_mutex_unlock(&breakdowns_lock)
#else
#define LOCK()   ((void)0)
#define UNLOCK() ((void)0)
#endif

static uint64_t hash_of(const mesh_bytes *source)
{
    return ff_hash(source->bytes, source->length, ff_hash(source->format, strlen(source->format), FF_HASH_START));
}

/// Has the reader broken down over these bytes before?
static bool find_breakdown(const mesh_bytes *source, uint64_t hash, int *end)
{
    bool known = false;
    LOCK();
    for (int i = 0; i < BREAKDOWNS && !known; i++) {
        known = breakdowns[i].length == source->length && breakdowns[i].hash == hash;
        if (known) *end = breakdowns[i].end;
    }
    UNLOCK();
    return known;
}

/// Adds a breakdown, unless the machine may be its cause: short of memory, or busy.
static void add_breakdown(const mesh_bytes *source, uint64_t hash, int end)
{
    const int by = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
    if (by == 0 || by == SIGKILL || by == SIGALRM) return;
    LOCK();
    newest = (newest + 1) % BREAKDOWNS;
    breakdowns[newest] = (breakdown){hash, source->length, end};
    UNLOCK();
}

ff_status ff_mesh_import_in_child(ff_mesh **mesh, const mesh_bytes *source, ff_error *err)
{
    int ends[2], end = 0;
    const uint64_t hash = hash_of(source);
    if (find_breakdown(source, hash, &end)) return report_breakdown(source, end, err);
    rlim_t mapped = mapped_bytes();
    // Closed by exec: a program that another thread starts meanwhile must not hold the pipe open.
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ff_error_set(err, FF_NO_MEMORY, "%s: no pipe to its reader: %s", source->path, strerror(errno));
    pid_t child = fork();
    int problem = errno;
    if (child == 0) {
        close(ends[0]);
        run_child(ends[1], source, mapped);
    }
    close(ends[1]);
    bool broken = false;
    ff_status status;
    if (child < 0)
        status = ff_error_set(err, FF_NO_MEMORY, "%s: no process to read it: %s", source->path, strerror(problem));
    else
        status = receive(ends[0], mesh, source, &broken, err);
    close(ends[0]); // ends a child that is still writing
    const bool stopped = broken && ff_stop_asked();
    if (stopped) kill(child, SIGKILL);
    while (child > 0 && waitpid(child, &end, 0) < 0 && errno == EINTR) continue;
    if (!broken) return status;
    if (stopped) return ff_error_set(err, FF_STOPPED, "%s: %s", source->path, ff_status_text(FF_STOPPED));
    add_breakdown(source, hash, end);
    return report_breakdown(source, end, err);
}
