// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that leaks 20 000 blocks of 48 bytes, all of which hang on one, and 7 larger ones. What it frees, and what
// it keeps by a variable, of a thread or not, is no leak. tests/CMakeLists.txt demands that the sanitizer says just
// that, and so that tests/support/leak_search.c misses no block.
#include <stdio.h>
#include <stdlib.h>

typedef struct block {
    struct block *next;
    char more[40];
} block;

static block *volatile kept;
static _Thread_local block *kept_by_thread;

static block *chain(int length)
{
    block *first = NULL;
    for (int i = 0; i < length; i++) {
        block *next = calloc(1, sizeof *next);
        if (!next) abort();
        next->next = first;
        first = next;
    }
    return first;
}

static void free_every_other(block *first)
{
    for (block *it = first; it && it->next; it = it->next) {
        block *gone = it->next;
        it->next = gone->next;
        free(gone);
    }
}

// In a frame of its own, behind which the stack is written over: an address that is left there would keep the blocks.
static __attribute__((noinline)) void leak(void)
{
    kept = chain(40000);
    free_every_other(kept);
    kept = NULL;
    for (int i = 0; i < 7; i++) {
        kept = realloc(chain(1), 100000);
        kept = NULL;
    }
}

static __attribute__((noinline)) void write_over(void)
{
    volatile char stack[4096];
    for (size_t i = 0; i < sizeof stack; i++) stack[i] = 0;
}

int main(void)
{
    leak();
    write_over();
    kept = chain(1000);
    kept_by_thread = chain(3);
    printf("at %p and %p\n", (void *)kept, (void *)kept_by_thread);
    return 0;
}
