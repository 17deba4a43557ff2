// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as little-endian bytes on every machine (ff_put, ff_get), and in the byte order of the machine (ff_load,
// ff_store). Compilers turn each loop into one load or store.
#ifndef FOOTFALL_BASE_BYTES_H
#define FOOTFALL_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Writes the lowest `bytes` bytes of a number.
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

/// A number of 1, 2, 4 or 8 bytes in the byte order of the machine, as in a field of a struct.
static inline uint64_t ff_load(const void *field, size_t size)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1:
        return memcpy(&u8, field, 1), u8;
    case 2:
        return memcpy(&u16, field, 2), u16;
    case 4:
        return memcpy(&u32, field, 4), u32;
    default:
        return memcpy(&u64, field, 8), u64;
    }
}

/// Writes the lowest bytes of a value, in the byte order of the machine.
static inline void ff_store(void *field, size_t size, uint64_t value)
{
    const uint8_t u8 = (uint8_t)value;
    const uint16_t u16 = (uint16_t)value;
    const uint32_t u32 = (uint32_t)value;
    switch (size) {
    case 1:
        memcpy(field, &u8, 1);
        break;
    case 2:
        memcpy(field, &u16, 2);
        break;
    case 4:
        memcpy(field, &u32, 4);
        break;
    default:
        memcpy(field, &value, 8);
    }
}

/// Copies a field of a struct, of 1, 2, 4 or 8 bytes. Constant sizes let compilers generate plain copies.
static inline void ff_put_field(unsigned char *to, const void *field, size_t size)
{
    switch (size) {
    case 1:
        ff_put(to, ff_load(field, 1), 1);
        break;
    case 2:
        ff_put(to, ff_load(field, 2), 2);
        break;
    case 4:
        ff_put(to, ff_load(field, 4), 4);
        break;
    default:
        ff_put(to, ff_load(field, 8), 8);
    }
}

static inline void ff_get_field(void *field, const unsigned char *from, size_t size)
{
    switch (size) {
    case 1:
        ff_store(field, 1, ff_get(from, 1));
        break;
    case 2:
        ff_store(field, 2, ff_get(from, 2));
        break;
    case 4:
        ff_store(field, 4, ff_get(from, 4));
        break;
    default:
        ff_store(field, 8, ff_get(from, 8));
    }
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
