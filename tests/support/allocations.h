// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts allocations: the linker sends every malloc, calloc, realloc, aligned_alloc and free of a test program through the counters below.
// Link with the --wrap options of `footfall_count_allocations` (cmake/rooms.cmake).
#ifndef FOOTFALL_TESTS_ALLOCATIONS_H
#define FOOTFALL_TESTS_ALLOCATIONS_H

#include <stddef.h>

static long long allocation_calls;

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
    allocation_calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocation_calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocation_calls++;
    return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocation_calls++;
    return __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *memory)
{
    allocation_calls++;
    __real_free(memory);
}

#endif
