// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as frames and pictures carry them to pages: little-endian, whatever the machine.
#ifndef FOOTFALL_STUDIO_BYTES_H
#define FOOTFALL_STUDIO_BYTES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline void put16(unsigned char *p, unsigned value)
{
    p[0] = (unsigned char)value;
    p[1] = (unsigned char)(value >> 8);
}

static inline void put32(unsigned char *p, uint32_t value)
{
    put16(p, value & 0xFFFF);
    put16(p + 2, value >> 16);
}

static inline void put_double(unsigned char *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(p, (uint32_t)bits);
    put32(p + 4, (uint32_t)(bits >> 32));
}

/// As a 32-bit float, NaN where it is not finite.
static inline void put_float(unsigned char *p, double value)
{
    float f = (float)value;
    uint32_t bits;
    if (!isfinite(f)) f = NAN;
    memcpy(&bits, &f, sizeof bits);
    put32(p, bits);
}

#endif
