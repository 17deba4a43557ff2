// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as little-endian bytes, on every machine. Compilers make one store or load of each loop.
#ifndef FOOTFALL_BASE_BYTES_H
#define FOOTFALL_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void ff_put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static inline uint64_t ff_get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static inline void ff_put_u16(unsigned char *to, uint16_t value)
{
    ff_put(to, value, 2);
}
static inline void ff_put_u32(unsigned char *to, uint32_t value)
{
    ff_put(to, value, 4);
}
static inline void ff_put_u64(unsigned char *to, uint64_t value)
{
    ff_put(to, value, 8);
}
static inline void ff_put_i64(unsigned char *to, int64_t value)
{
    ff_put(to, (uint64_t)value, 8);
}
static inline void ff_put_f64(unsigned char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ff_put(to, bits, 8);
}

static inline uint16_t ff_get_u16(const unsigned char *from)
{
    return (uint16_t)ff_get(from, 2);
}
static inline uint32_t ff_get_u32(const unsigned char *from)
{
    return (uint32_t)ff_get(from, 4);
}
static inline uint64_t ff_get_u64(const unsigned char *from)
{
    return ff_get(from, 8);
}
static inline int64_t ff_get_i64(const unsigned char *from)
{
    return (int64_t)ff_get(from, 8);
}
static inline double ff_get_f64(const unsigned char *from)
{
    const uint64_t bits = ff_get(from, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
