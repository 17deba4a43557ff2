// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts allocations, and refuses one on request: the linker sends every malloc, calloc, realloc, aligned_alloc and
// free of a test program through the counters below. Link with the --wrap options of `footfall_count_allocations`
// (cmake/rooms.cmake).
#ifndef FOOTFALL_TESTS_ALLOCATIONS_H
#define FOOTFALL_TESTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

static long long allocation_calls;
static long long allocations_left = -1; // until one is refused; below zero: none is

static inline bool allocation_refused(void)
{
    allocation_calls++;
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size)
{
    return allocation_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocation_refused() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return allocation_refused() ? NULL : __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *memory)
{
    allocation_calls++;
    __real_free(memory);
}

#endif
