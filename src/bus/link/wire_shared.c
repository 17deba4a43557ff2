// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams through shared memory: a slot for each direction, with one writer each. A slot holds the newest telegram:
// its sequence number is odd while it is being written, and a reader that finds another number after copying than
// before copies again (seqlock). A reader spins for a while, then sleeps until the number changes.
#define _GNU_SOURCE // syscall
#include "link/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = (FF_TELEGRAM_MOST + 7) / 8 };

typedef struct slot {
    _Atomic uint32_t number; // odd: being written
    _Atomic uint32_t size;   // bytes of the telegram
    _Atomic uint64_t words[WORDS];
} slot;

typedef struct region {
    _Atomic uint32_t closed[2]; // by ff_end: that end has closed it
    slot slots[2];              // by the writing end
} region;

typedef struct shared_wire {
    ff_wire wire;
    region *region; // NULL: the robot has not created it yet
    ff_end end;
    uint32_t last_read; // number of the last telegram read
    int sleeps;         // following waits that sleep without spinning
    bool owner;
    int lock; // of the owner of the memory
    char name[sizeof((ff_wire *)0)->where];
} shared_wire;

// ------------------------------------------------------------------------------------------ memory

static ff_wire *refuse(const char *name, const char *why, ff_error *err)
{
    ff_error_set(err, FF_BAD_ARGUMENT, "shm:%.100s cannot be opened: %s", name, why);
    return NULL;
}

/// A robot keeps its memory locked: memory without a lock was left by a process that was killed.
static bool has_robot(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// The robot creates the memory again. @return -1 with errno
static int make_memory(const char *name)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int old = shm_open(name, O_RDWR, 0);
    const bool in_use = old >= 0 && has_robot(old);
    if (old >= 0) close(old);
    errno = EBUSY;
    if (in_use) return -1;
    shm_unlink(name);
    const int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0 && fcntl(fd, F_OFD_SETLK, &lock) == 0 && ftruncate(fd, sizeof(region)) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

/// The memory created by a robot. @return -1: there is none
static int find_memory(const char *name)
{
    struct stat info;
    const int fd = shm_open(name, O_RDWR, 0);
    if (fd >= 0 && has_robot(fd) && fstat(fd, &info) == 0 && info.st_size == (off_t)sizeof(region)) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static bool map_memory(shared_wire *w, int fd)
{
    void *at = mmap(NULL, sizeof(region), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    w->region = at == MAP_FAILED ? NULL : at;
    return w->region;
}

/// The controller maps the robot's memory if it exists.
static bool reach(shared_wire *w)
{
    const int fd = find_memory(w->name);
    if (fd < 0) return false;
    const bool mapped = map_memory(w, fd);
    close(fd);
    if (mapped)
        w->last_read =
            atomic_load(&w->region->slots[FF_END_ROBOT].number) & ~1U; // telegrams before that were for others
    return mapped;
}

static void unmap_region(shared_wire *w)
{
    if (!w->region) return;
    atomic_store(&w->region->closed[w->end], 1);
    syscall(SYS_futex, &w->region->slots[w->end].number, FUTEX_WAKE, 1, NULL, NULL, 0);
    munmap(w->region, sizeof *w->region);
    w->region = NULL;
}

static void close_wire(ff_wire *wire)
{
    shared_wire *w = (shared_wire *)wire;
    unmap_region(w);
    if (w->owner) {
        shm_unlink(w->name);
        close(w->lock);
    }
    free(w);
}

/// A controller may start before its robot: the caller decides how long to wait.
static ff_wire *open_wire(const char *rest, ff_end end, ff_error *err)
{
    if (rest[0] == '\0' || strchr(rest, '/') || strlen(rest) > 100)
        return refuse(rest, "the name must have 1 to 100 characters and no slash", err);
    shared_wire *w = calloc(1, sizeof *w);
    if (!w) return refuse(rest, "out of memory", err);
    *w = (shared_wire){.wire.kind = &ff_wire_shared, .end = end, .owner = end == FF_END_ROBOT, .lock = -1};
    snprintf(w->wire.where, sizeof w->wire.where, "%s", rest);
    snprintf(w->name, sizeof w->name, "/footfall-%s", rest);
    if (!w->owner) {
        reach(w);
        return &w->wire;
    }
    w->lock = make_memory(w->name);
    if (w->lock >= 0 && map_memory(w, w->lock)) return &w->wire;
    refuse(rest, errno == EBUSY ? "it is used by another robot" : strerror(errno), err);
    if (w->lock >= 0)
        close_wire(&w->wire);
    else
        free(w);
    return NULL;
}

// ------------------------------------------------------------------------------------------ telegrams

static ff_status send_one(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    shared_wire *w = (shared_wire *)wire;
    if (!w->region) return FF_OK; // there is no receiver
    slot *s = &w->region->slots[w->end];
    const uint32_t number = atomic_load_explicit(&s->number, memory_order_relaxed) & ~1U;
    if (size > FF_TELEGRAM_MOST) return ff_error_set(err, FF_LIMIT, "a telegram of %zu bytes", size);
    atomic_store_explicit(&s->number, number + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&s->size, (uint32_t)size, memory_order_relaxed);
    for (size_t i = 0; 8 * i < size; i++) {
        uint64_t word = 0;
        memcpy(&word, bytes + 8 * i, size - 8 * i < 8 ? size - 8 * i : 8);
        atomic_store_explicit(&s->words[i], word, memory_order_relaxed);
    }
    atomic_store(&s->number, number + 2);
    syscall(SYS_futex, &s->number, FUTEX_WAKE, 1, NULL, NULL, 0);
    return FF_OK;
}

/// Copies the telegram of a slot. @return false: it was written meanwhile
static bool copy(slot *s, uint32_t number, unsigned char *bytes, size_t most, size_t *size)
{
    const size_t n = atomic_load_explicit(&s->size, memory_order_relaxed);
    const size_t length = n < most && n < FF_TELEGRAM_MOST ? n : most < FF_TELEGRAM_MOST ? most : FF_TELEGRAM_MOST;
    for (size_t i = 0; 8 * i < length; i++) {
        const uint64_t word = atomic_load_explicit(&s->words[i], memory_order_relaxed);
        memcpy(bytes + 8 * i, &word, length - 8 * i < 8 ? length - 8 * i : 8);
    }
    atomic_thread_fence(memory_order_acquire);
    *size = length;
    return atomic_load_explicit(&s->number, memory_order_relaxed) == number;
}

/// Sleeps until the number differs. @return at once if it does already
static void wait_for_change(slot *s, uint32_t number, double seconds)
{
    struct timespec span = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    syscall(SYS_futex, &s->number, FUTEX_WAIT, number, &span, NULL, 0);
}

/// The other end has closed the memory. Another controller may connect; another robot creates another memory.
static ff_status handle_end(shared_wire *w, ff_error *err)
{
    if (w->end == FF_END_CONTROL) unmap_region(w);
    return ff_error_set(err, FF_STOPPED, "%s: the other end has closed it", w->wire.where);
}

/// Returns once the memory is mapped, so that the caller can send HELLO. @param seconds  timeout; negative: none
static void await_robot(shared_wire *w, double seconds)
{
    static const double RETRY = 0.05; // [s]
    const double end = ff_link_clock() + seconds;
    double left = seconds;
    while (!reach(w) && left != 0.0) {
        ff_link_wait(-1, 0, left < 0.0 || left > RETRY ? RETRY : left);
        if (seconds >= 0.0) left = end > ff_link_clock() ? end - ff_link_clock() : 0.0;
    }
}

static ff_status receive_one(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                             ff_error *err)
{
    // Waking a sleeping thread takes longer than most controllers need for a cycle, so it spins first. If that was
    // without success, spinning is suspended for a while: the other end may need the processor (lockstep on a busy
    // machine of two cores: a quarter of the speed of one process with spinning, eight tenths without).
    enum { SLEEP_COUNT = 32 };
    static const double SPIN_TIME = 100e-6, SLEEP_TIME = 0.1; // [s]
    shared_wire *w = (shared_wire *)wire;
    const ff_end other = w->end == FF_END_ROBOT ? FF_END_CONTROL : FF_END_ROBOT;
    if (!w->region) {
        await_robot(w, seconds);
        return FF_OK;
    }
    slot *s = &w->region->slots[other];
    const double start = ff_link_clock();
    for (unsigned spins = 0;; spins++) {
        const uint32_t number = atomic_load_explicit(&s->number, memory_order_acquire);
        if (number != w->last_read && number % 2 == 0 && copy(s, number, bytes, most, size)) {
            w->last_read = number;
            return FF_OK;
        }
        *size = 0;
        if (number == w->last_read && atomic_exchange(&w->region->closed[other], 0)) return handle_end(w, err);
        if (spins % 64 != 0) continue; // reading the clock costs more than a check
        const double elapsed = ff_link_clock() - start, left = seconds < 0.0 ? SLEEP_TIME : seconds - elapsed;
        if (left <= 0.0) return FF_OK;
        if ((w->sleeps > 0 || elapsed > SPIN_TIME) && number == w->last_read) {
            w->sleeps = w->sleeps > 0 ? w->sleeps - 1 : SLEEP_COUNT;
            wait_for_change(s, number, left < SLEEP_TIME ? left : SLEEP_TIME);
            if (seconds < 0.0 && errno == EINTR) return FF_OK;
        }
    }
}

const ff_wire_kind ff_wire_shared = {"shm", open_wire, send_one, receive_one, close_wire};
