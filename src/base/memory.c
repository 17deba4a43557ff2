// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Arenas, chains of blocks that are freed together, and the growth of arrays.
#include <footfall/base.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct ff_arena_block {
    struct ff_arena_block *next;
    size_t size; // usable bytes
    size_t used;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

static struct ff_arena_block *add_block(ff_arena *arena, size_t min_size)
{
    size_t size = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < min_size) size = min_size;
    if (size > SIZE_MAX - sizeof(struct ff_arena_block) - ALIGNMENT) return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (arena->limit) {
        size_t available = arena->limit > arena->total ? (arena->limit - arena->total) / ALIGNMENT * ALIGNMENT : 0;
        if (min_size > available) return NULL;
        if (size > available) size = available; // the last block may be smaller than usual
    }
    struct ff_arena_block *block = aligned_alloc(ALIGNMENT, sizeof *block + size);
    if (!block) return NULL;
    *block = (struct ff_arena_block){.next = arena->head, .size = size};
    memset(block->bytes, 0, size);
    arena->head = block;
    arena->total += size;
    return block;
}

void *ff_arena_alloc(ff_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - ALIGNMENT) / size) {
        arena->failed = true;
        return NULL;
    }
    // Small pieces, such as names, are aligned to 16 bytes, arrays to a cache line.
    size_t bytes = count * size, alignment = bytes < ALIGNMENT ? 16 : ALIGNMENT;
    struct ff_arena_block *block = arena->head;
    size_t start = block ? (block->used + alignment - 1) / alignment * alignment : 0;
    if (!block || start > block->size || bytes > block->size - start) {
        block = add_block(arena, bytes);
        if (!block) {
            arena->failed = true;
            return NULL;
        }
        start = 0;
    }
    block->used = start + bytes;
    return block->bytes + start;
}

char *ff_arena_strndup(ff_arena *arena, const char *text, size_t length)
{
    char *copy = ff_arena_alloc(arena, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *ff_arena_strdup(ff_arena *arena, const char *text)
{
    return ff_arena_strndup(arena, text, strlen(text));
}

char *ff_arena_printf(ff_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : ff_arena_alloc(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void ff_arena_clear(ff_arena *arena)
{
    struct ff_arena_block *block = arena->head;
    while (block) {
        struct ff_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (ff_arena){.limit = arena->limit};
}

bool ff_array_grow(void *items, int count, int *capacity, size_t item_size)
{
    void *array;
    memcpy(&array, items, sizeof array);
    if (count >= *capacity) {
        if (*capacity > INT_MAX / 2) return false;
        int larger = *capacity ? *capacity * 2 : 8;
        if ((size_t)larger > SIZE_MAX / item_size) return false;
        void *moved = realloc(array, (size_t)larger * item_size);
        if (!moved) return false;
        array = moved;
        memcpy(items, &array, sizeof array);
        *capacity = larger;
    }
    memset((unsigned char *)array + (size_t)count * item_size, 0, item_size);
    return true;
}
