// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The EtherCAT slave controller (ESC): registers and memory as a master reads and writes them. A table lists the
// writable registers and the effect of a write; every register can be read, gaps read as zero. Memory from 0x1000 on is
// plain, except in the areas of sync managers (sync_manager.c).
#include "slave/slave.h"

// ------------------------------------------------------------------------------------------ writable registers

static void execute_sii(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now)
{
    (void)end, (void)now;
    if (from <= FF_EC_REG_SII_CONTROL + 1) ff_ec_sii_command(esc);
}

static void decode_sm(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now)
{
    (void)now;
    for (unsigned k = (from - FF_EC_REG_SM) / 8; k <= (end - 1 - FF_EC_REG_SM) / 8; k++) ff_ec_sm_decode(esc, (int)k);
}

static void decode_fmmus(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now)
{
    (void)from, (void)end, (void)now;
    ff_ec_fmmu_decode(esc);
}

static void restart_watchdog(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now)
{
    (void)from, (void)end;
    if (esc->watchdog != UINT64_MAX) ff_ec_sm_start_watchdog(esc, now);
}

/// CLEARED: any write clears it. GUARDED: byte by byte.
typedef enum register_kind { PLAIN, CLEARED, GUARDED } register_kind;

/// Writable registers in order of their addresses.
static const struct {
    uint16_t address, size;
    register_kind kind;
    uint8_t work; // that a write leaves to the application, FF_EC_WORK_
    void (*written)(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now);
} registers[] = {
    {FF_EC_REG_STATION, 2, PLAIN, 0, NULL},
    {FF_EC_REG_DL_CONTROL, 4, PLAIN, FF_EC_WORK_LOOPS, NULL},
    {FF_EC_REG_AL_CONTROL, 2, PLAIN, FF_EC_WORK_AL, NULL},
    {FF_EC_REG_EVENT_MASK, 2, PLAIN, 0, NULL},
    {FF_EC_REG_RX_ERRORS, 13, CLEARED, 0, NULL},
    {FF_EC_REG_LOST_LINK, 4, CLEARED, 0, NULL},
    {FF_EC_REG_WD_DIVIDER, 2, PLAIN, 0, restart_watchdog},
    {0x0410, 2, PLAIN, 0, NULL},
    {FF_EC_REG_WD_TIME, 2, PLAIN, 0, restart_watchdog},
    {FF_EC_REG_WD_COUNT, 2, CLEARED, 0, NULL},
    {FF_EC_REG_SII_OWNER, 1, PLAIN, 0, NULL},
    {FF_EC_REG_SII_CONTROL, 14, PLAIN, 0, execute_sii},
    {FF_EC_REG_FMMU, 16 * FF_EC_FMMUS, PLAIN, 0, decode_fmmus},
    {FF_EC_REG_SM, 8 * FF_EC_SMS, GUARDED, FF_EC_WORK_SM, decode_sm},
    {FF_EC_REG_DC_RECEIVED, 4, PLAIN, 0, ff_ec_clock_written},
    {FF_EC_REG_DC_TIME, 8, PLAIN, 0, ff_ec_clock_written},
    {FF_EC_REG_DC_OFFSET, 12, PLAIN, 0, NULL},
    {FF_EC_REG_DC_SPEED, 6, PLAIN, 0, ff_ec_clock_written},
    {FF_EC_REG_DC_CONTROL, 2, PLAIN, 0, ff_ec_clock_written},
    {FF_EC_REG_DC_START, 8, PLAIN, 0, NULL},
    {FF_EC_REG_DC_CYCLE0, 0x30, PLAIN, 0, NULL},
};
enum { REGISTERS = sizeof registers / sizeof *registers };

/// The first row that ends beyond an address.
static int find_row(unsigned address)
{
    int low = 0, high = REGISTERS;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (registers[middle].address + registers[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_masked(uint8_t *to, const uint8_t *from, const uint8_t *mask, unsigned n)
{
    if (!mask)
        memcpy(to, from, n);
    else
        for (unsigned i = 0; i < n; i++) to[i] = (uint8_t)((to[i] & ~mask[i]) | (from[i] & mask[i]));
}

static void put_row(ff_ec_esc *esc, register_kind kind, unsigned address, const uint8_t *from, const uint8_t *mask,
                    unsigned n)
{
    uint8_t *to = esc->memory + address;
    if (kind == PLAIN)
        put_masked(to, from, mask, n);
    else if (kind == CLEARED)
        memset(to, 0, n);
    else
        for (unsigned i = 0; i < n; i++)
            if (ff_ec_sm_writable(esc, address + i)) put_masked(to + i, from + i, mask ? mask + i : NULL, 1);
}

static bool write_registers(ff_ec_esc *esc, unsigned address, const uint8_t *from, const uint8_t *mask, unsigned n,
                            uint64_t now)
{
    bool accessible = false;
    for (int row = find_row(address); row < REGISTERS && registers[row].address < address + n; row++) {
        unsigned begin = registers[row].address, end = begin + registers[row].size;
        if (begin < address) begin = address;
        if (end > address + n) end = address + n;
        const unsigned skipped = begin - address;
        put_row(esc, registers[row].kind, begin, from + skipped, mask ? mask + skipped : NULL, end - begin);
        esc->work |= registers[row].work;
        if (registers[row].written) registers[row].written(esc, begin, end, now);
        accessible = true;
    }
    return accessible;
}

static bool overlaps(unsigned address, unsigned n, unsigned begin, unsigned size)
{
    return address < begin + size && begin < address + n;
}

static bool read_registers(ff_ec_esc *esc, unsigned address, uint8_t *to, unsigned n, uint64_t now)
{
    if (overlaps(address, n, FF_EC_REG_DC_RECEIVED, 0x100)) ff_ec_clock_fill(esc, now);
    memcpy(to, esc->memory + address, n);
    if (overlaps(address, n, FF_EC_REG_DL_STATUS, 2)) esc->memory[FF_EC_REG_EVENT] &= (uint8_t)~FF_EC_EVENT_DL;
    if (overlaps(address, n, FF_EC_REG_AL_STATUS, 2)) esc->memory[FF_EC_REG_EVENT] &= (uint8_t)~FF_EC_EVENT_AL;
    return true;
}

// ------------------------------------------------------------------------------------------ access of a master

/// Number of bytes from an address on in one area: registers, a sync manager (`*sm`, else -1), plain memory.
static unsigned contiguous_bytes(const ff_ec_esc *esc, unsigned address, unsigned n, int *sm)
{
    *sm = -1;
    unsigned end = address < FF_EC_REG_END ? FF_EC_REG_END : FF_EC_MEMORY;
    if (address >= FF_EC_REG_END) {
        for (int k = 0; k < esc->nsm; k++) {
            const unsigned begin = esc->sm[k].start, size = ff_ec_sm_span(&esc->sm[k]);
            if (size && address >= begin && address < begin + size) {
                *sm = k;
                end = begin + size;
                break;
            }
            if (size && begin > address && begin < end) end = begin;
        }
    }
    return n < end - address ? n : end - address;
}

bool ff_ec_esc_read(ff_ec_esc *esc, unsigned address, uint8_t *to, unsigned n, uint64_t now)
{
    bool accessible = false;
    int sm;
    for (unsigned chunk; n > 0 && address < FF_EC_MEMORY; address += chunk, to += chunk, n -= chunk) {
        chunk = contiguous_bytes(esc, address, n, &sm);
        if (address < FF_EC_REG_END) {
            accessible |= read_registers(esc, address, to, chunk, now);
        } else if (sm >= 0) {
            accessible |= ff_ec_sm_read(esc, sm, address, to, chunk);
        } else {
            memcpy(to, esc->memory + address, chunk);
            accessible = true;
        }
    }
    return accessible;
}

bool ff_ec_esc_write(ff_ec_esc *esc, unsigned address, const uint8_t *from, const uint8_t *mask, unsigned n,
                     uint64_t now)
{
    bool accessible = false;
    int sm;
    for (unsigned chunk; n > 0 && address < FF_EC_MEMORY; address += chunk, from += chunk, n -= chunk) {
        chunk = contiguous_bytes(esc, address, n, &sm);
        if (address < FF_EC_REG_END) {
            accessible |= write_registers(esc, address, from, mask, chunk, now);
        } else {
            uint8_t *to = sm < 0 ? esc->memory + address : ff_ec_sm_open(esc, sm, address, &chunk);
            if (to) {
                put_masked(to, from, mask, chunk);
                if (sm >= 0) ff_ec_sm_wrote(esc, sm, address + chunk, now);
                accessible = true;
            }
        }
        if (mask) mask += chunk;
    }
    return accessible;
}

// ------------------------------------------------------------------------------------------ reset

void ff_ec_esc_reset(ff_ec_esc *esc, uint64_t now)
{
    const uint8_t ports = esc->memory[FF_EC_REG_PORTS];
    memset(esc->memory, 0, sizeof esc->memory);
    memset(esc->sm, 0, sizeof esc->sm);
    memset(esc->fmmu, 0, sizeof esc->fmmu);
    esc->nfmmu = esc->nsm = 0;
    esc->work = 0;
    esc->watchdog = UINT64_MAX;
    static const uint8_t chip[] = {0x11, 0, 0, 0, FF_EC_FMMUS, FF_EC_SMS, FF_EC_RAM_KIB};
    memcpy(esc->memory + FF_EC_REG_TYPE, chip, sizeof chip);
    esc->memory[FF_EC_REG_PORTS] = ports;
    static const struct {
        uint16_t address;
        uint32_t value;
    } presets[] = {{FF_EC_REG_FEATURES, 0x000C},
                   {FF_EC_REG_DL_CONTROL, 0x00070001},
                   {FF_EC_REG_AL_CONTROL, FF_EC_INIT},
                   {FF_EC_REG_AL_STATUS, FF_EC_INIT},
                   {FF_EC_REG_WD_DIVIDER, 0x09C2},
                   {0x0410, 0x03E8},
                   {FF_EC_REG_WD_TIME, 0x03E8},
                   {FF_EC_REG_WD_STATUS, 1},
                   {FF_EC_REG_SII_CONTROL, FF_EC_SII_READS_8},
                   {FF_EC_REG_DC_SPEED, 0x1000},
                   {0x0934, 0x0C04}};
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        ff_put_u32(esc->memory + presets[i].address, presets[i].value);
    ff_ec_sii_load(esc);
    ff_ec_clock_reset(esc, now);
}
