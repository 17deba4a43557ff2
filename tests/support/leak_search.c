// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A quick search for leaks on arm64. In each of its passes over what is allocated, the LeakSanitizer of clang 14 looks
// into a table with an entry for each of the 2^28 MiB of the address space there: 3 s of processor in every process,
// however little it allocates. This keeps a set of what is allocated, by the hooks that the sanitizers offer
// (sanitizer/allocator_interface.h), and stands for that pass (linked by --wrap, footfall_search_leaks_quickly in
// cmake/rooms.cmake). What is a leak they decide as before; test_leaks shows that they do.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// __lsan::ForEachChunk(callback, argument): calls back with an address inside of every block that is allocated.
typedef void leak_visit(unsigned long address, void *argument);
void leak_for_each(leak_visit *visit, void *argument) __asm__("__wrap__ZN6__lsan12ForEachChunkEPFvmPvES0_");
void __sanitizer_malloc_hook(const volatile void *block, size_t size);
void __sanitizer_free_hook(const volatile void *block);

// Addresses by hash with linear probing, at most half of the slots in use. In pages of its own, where LeakSanitizer
// looks for no pointers.
enum { NEVER, FREED }; // what is in a slot, but for an address
static uintptr_t *slots;
static size_t capacity, used; // capacity: a power of two
static atomic_flag busy = ATOMIC_FLAG_INIT;

// Where it is, or would be: never where another was freed, as what came later may stand behind it.
static size_t slot_of(uintptr_t address)
{
    size_t slot = (size_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 32); // 2^64 by the golden ratio
    for (slot &= capacity - 1; slots[slot] != NEVER && slots[slot] != address;) slot = (slot + 1) & (capacity - 1);
    return slot;
}

static void put(uintptr_t address)
{
    slots[slot_of(address)] = address;
    used++;
}

// A new table, a quarter full at most, without those that were freed.
static void renew(void)
{
    uintptr_t *old = slots;
    size_t count = capacity, kept = 0;
    for (size_t i = 0; i < count; i++) kept += old[i] > FREED;
    for (capacity = 1 << 14; capacity < 4 * kept;) capacity *= 2;
    slots = mmap(NULL, capacity * sizeof *slots, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED) abort();
    used = 0;
    for (size_t i = 0; i < count; i++)
        if (old[i] > FREED) put(old[i]);
    if (old) munmap(old, count * sizeof *old);
}

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) continue;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

// Where one thread forks while another allocates, the child has the set whole.
__attribute__((constructor)) static void guard_forks(void)
{
    if (pthread_atfork(lock, unlock, unlock)) abort();
}

void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
    (void)size;
    if (!block) return;
    lock();
    if (2 * used >= capacity) renew();
    put((uintptr_t)block);
    unlock();
}

void __sanitizer_free_hook(const volatile void *block)
{
    lock();
    size_t slot = slots ? slot_of((uintptr_t)block) : 0;
    if (slots && slots[slot] != NEVER) slots[slot] = FREED;
    unlock();
}

// Without the lock: all other threads stand still, and one of them may hold it.
void leak_for_each(leak_visit *visit, void *argument)
{
    for (size_t i = 0; i < capacity; i++)
        if (slots[i] > FREED) visit(slots[i], argument);
}
