// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables that lie where the robots of a batch are, so that a measurement moves nothing: memory of a device by the
// driver of CUDA alone, else of the processor. Whatever fails ends the program with a message.
#ifndef FOOTFALL_BENCH_DEVICE_MEMORY_H
#define FOOTFALL_BENCH_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <dlfcn.h>
#endif

static struct {
    int (*allocate)(unsigned long long *to, size_t size);
    int (*release)(unsigned long long at);
    int (*send)(unsigned long long to, const void *from, size_t size);
    int (*copy)(unsigned long long to, unsigned long long from, size_t size);
} memory_driver;

static inline void memory_fail(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}

/// After the first batch on the device, which wakes it.
static inline void memory_find_driver(void)
{
#ifdef __linux__
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) memory_fail("there is no driver of CUDA");
    *(void **)&memory_driver.allocate = dlsym(library, "cuMemAlloc_v2");
    *(void **)&memory_driver.release = dlsym(library, "cuMemFree_v2");
    *(void **)&memory_driver.send = dlsym(library, "cuMemcpyHtoD_v2");
    *(void **)&memory_driver.copy = dlsym(library, "cuMemcpyDtoD_v2");
#endif
    if (!memory_driver.allocate || !memory_driver.release || !memory_driver.send || !memory_driver.copy)
        memory_fail("the driver of CUDA has other functions");
}

static inline double *memory_take(size_t count, bool device)
{
    unsigned long long at = 0;
    double *here = device ? NULL : malloc(count * sizeof *here);
    if (device && memory_driver.allocate(&at, count * sizeof *here) != 0)
        memory_fail("the device has no memory for targets");
    if (!device && !here) memory_fail("no memory for targets");
    return device ? (double *)(uintptr_t)at : here;
}

static inline void memory_release(double *at, bool device)
{
    if (device)
        memory_driver.release((uintptr_t)at);
    else
        free(at);
}

/// From the processor to where the robots are.
static inline void memory_send(double *to, const double *from, size_t count, bool device)
{
    if (!device)
        memcpy(to, from, count * sizeof *from);
    else if (memory_driver.send((uintptr_t)to, from, count * sizeof *from) != 0)
        memory_fail("the device takes no targets");
}

/// From there to there.
static inline void memory_copy(double *to, const double *from, size_t count, bool device)
{
    if (!device)
        memcpy(to, from, count * sizeof *from);
    else if (memory_driver.copy((uintptr_t)to, (uintptr_t)from, count * sizeof *from) != 0)
        memory_fail("the device does not copy");
}

#endif
