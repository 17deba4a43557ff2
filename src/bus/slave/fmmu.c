// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fieldbus memory management units (FMMU): they map logical addresses, which all slaves share, to the memory of one
// slave, bit by bit:  logical bit 8 L + start + j  <->  physical bit 8 P + physical start + j.  If only a part of a
// unit is in a datagram, the common bytes are exchanged.
#include "slave/slave.h"

void ff_ec_fmmu_decode(ff_ec_esc *esc)
{
    esc->nfmmu = 0;
    for (int k = 0; k < FF_EC_FMMUS; k++) {
        const uint8_t *at = esc->memory + FF_EC_REG_FMMU + 16 * k;
        ff_ec_fmmu *f = &esc->fmmu[k];
        *f = (ff_ec_fmmu){.logical = ff_get_u32(at),
                          .length = ff_get_u16(at + 4),
                          .start_bit = at[6] & 7,
                          .end_bit = at[7] & 7,
                          .physical = ff_get_u16(at + 8),
                          .physical_bit = at[10] & 7};
        f->type = (at[12] & 1) && f->length ? at[11] & 3 : 0;
        f->bytewise = f->start_bit == 0 && f->end_bit == 7 && f->physical_bit == 0;
        if (f->type) esc->nfmmu = k + 1;
    }
}

/// Bytes that a unit and a datagram have in common.
typedef struct overlap {
    unsigned in_data, in_unit, n;
} overlap;

static overlap find_overlap(const ff_ec_fmmu *f, uint32_t logical, unsigned n)
{
    const uint64_t unit = f->logical, data = logical;
    const uint64_t begin = unit > data ? unit : data;
    const uint64_t unit_end = unit + f->length, data_end = data + n, end = unit_end < data_end ? unit_end : data_end;
    if (end <= begin) return (overlap){0, 0, 0};
    return (overlap){(unsigned)(begin - data), (unsigned)(begin - unit), (unsigned)(end - begin)};
}

/// Bits of a unit within an overlap: `n` bits from bit `data` of the datagram and from bit `physical` of the memory on.
typedef struct bit_range {
    unsigned data, physical, n;
} bit_range;

static bit_range find_bits(const ff_ec_fmmu *f, overlap o)
{
    const int bits = (f->length - 1) * 8 + f->end_bit - f->start_bit + 1; // of the unit
    int first = (int)o.in_unit * 8 - f->start_bit, end = first + 8 * (int)o.n;
    if (first < 0) first = 0;
    if (end > bits) end = bits;
    if (end <= first) return (bit_range){0, 0, 0};
    return (bit_range){8 * o.in_data + (unsigned)(f->start_bit + first) - 8 * o.in_unit,
                       8U * f->physical + (unsigned)(f->physical_bit + first), (unsigned)(end - first)};
}

/// Writes byte by byte, only the bits of the unit.
static bool write_bits(ff_ec_esc *esc, bit_range r, const uint8_t *data, uint64_t now)
{
    static const uint8_t ones = 0xFF;
    bool accessible = false;
    for (unsigned done = 0, n; done < r.n; done += n) {
        const unsigned bit = r.physical + done;
        uint8_t value = 0, mask = 0;
        n = 8 - bit % 8 < r.n - done ? 8 - bit % 8 : r.n - done;
        ff_ec_copy_bits(&value, bit % 8, data, r.data + done, n);
        ff_ec_copy_bits(&mask, bit % 8, &ones, 0, n);
        accessible |= ff_ec_esc_write(esc, bit / 8, &value, &mask, 1, now);
    }
    return accessible;
}

static bool read_bits(ff_ec_esc *esc, bit_range r, uint8_t *data, uint64_t now)
{
    bool accessible = false;
    for (unsigned done = 0, n; done < r.n; done += n) {
        const unsigned bit = r.physical + done;
        uint8_t value = 0;
        n = 8 - bit % 8 < r.n - done ? 8 - bit % 8 : r.n - done;
        if (!ff_ec_esc_read(esc, bit / 8, &value, 1, now)) continue;
        accessible = true;
        ff_ec_copy_bits(data, r.data + done, &value, bit % 8, n);
    }
    return accessible;
}

bool ff_ec_fmmu_write(ff_ec_esc *esc, uint32_t logical, const uint8_t *data, unsigned n, uint64_t now)
{
    bool accessible = false;
    for (int k = 0; k < esc->nfmmu; k++) {
        const ff_ec_fmmu unit = esc->fmmu[k], *f = &unit; // a copy: the write may change the registers of the unit
        if (!(f->type & FF_EC_FMMU_WRITE)) continue;
        const overlap o = find_overlap(f, logical, n);
        if (!o.n) continue;
        accessible |= f->bytewise ? ff_ec_esc_write(esc, f->physical + o.in_unit, data + o.in_data, NULL, o.n, now)
                                  : write_bits(esc, find_bits(f, o), data, now);
    }
    return accessible;
}

bool ff_ec_fmmu_read(ff_ec_esc *esc, uint32_t logical, uint8_t *data, unsigned n, uint64_t now)
{
    bool accessible = false;
    for (int k = 0; k < esc->nfmmu; k++) {
        const ff_ec_fmmu *f = &esc->fmmu[k];
        if (!(f->type & FF_EC_FMMU_READ)) continue;
        const overlap o = find_overlap(f, logical, n);
        if (!o.n) continue;
        accessible |= f->bytewise ? ff_ec_esc_read(esc, f->physical + o.in_unit, data + o.in_data, o.n, now)
                                  : read_bits(esc, find_bits(f, o), data, now);
    }
    return accessible;
}
