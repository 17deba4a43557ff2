// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Refuses one allocation of the Python module, for test_memory.py. Preloaded (LD_PRELOAD), it stands before the
// allocator of the C library; an allocation is the module's where its caller lies within the module's code. Names with
// __libc_ are those that glibc has for the allocator itself.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static uintptr_t first, last;       // code of the module
static _Atomic long long left = -1; // allocations until one is refused; below zero: none is

void refuse_within(uintptr_t from, uintptr_t to);
void refuse_after(long long count);
void refuse_end(void);

void refuse_within(uintptr_t from, uintptr_t to)
{
    first = from;
    last = to;
}

void refuse_after(long long count)
{
    left = count;
}

void refuse_end(void)
{
    left = -1;
}

static bool is_refused(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    return left >= 0 && at >= first && at < last && left-- == 0;
}

void *malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
