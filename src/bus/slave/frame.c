// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames: an Ethernet header (14 bytes, type 0x88A4), an EtherCAT header (length of all datagrams, type 1), and
// datagrams: 0 command, 1 index, 2 address (2 + 2 bytes, or 4), 6 length and "more follow", 8 events, 10 data, then the
// working counter. A frame passes the slaves one after the other. Since datagrams are independent of each other, they
// are processed here one after the other, each by all slaves. ETG.1000.4, 5.4.
#include "slave/slave.h"

typedef struct datagram {
    unsigned command; // ff_ec_command
    uint8_t *head, *data, *counter;
    unsigned n; // bytes of data
} datagram;

/// How a command addresses slaves, and its effect there. The working counter is increased by 1 for data read, and for
/// data written by 1, or by 2 if the command also reads.
typedef enum addressing { NONE, POSITION, FIXED, ALL, LOGICAL } addressing;
static const struct {
    addressing by;
    bool reads, writes;
    bool others_write; // addressed slaves read, all others write
} commands[] = {
    [FF_EC_NOP] = {NONE, false, false, false},     [FF_EC_APRD] = {POSITION, true, false, false},
    [FF_EC_APWR] = {POSITION, false, true, false}, [FF_EC_APRW] = {POSITION, true, true, false},
    [FF_EC_FPRD] = {FIXED, true, false, false},    [FF_EC_FPWR] = {FIXED, false, true, false},
    [FF_EC_FPRW] = {FIXED, true, true, false},     [FF_EC_BRD] = {ALL, true, false, false},
    [FF_EC_BWR] = {ALL, false, true, false},       [FF_EC_BRW] = {ALL, true, true, false},
    [FF_EC_LRD] = {LOGICAL, true, false, false},   [FF_EC_LWR] = {LOGICAL, false, true, false},
    [FF_EC_LRW] = {LOGICAL, true, true, false},    [FF_EC_ARMW] = {POSITION, true, true, true},
    [FF_EC_FRMW] = {FIXED, true, true, true},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

// ------------------------------------------------------------------------------------------ one slave

static bool matches(const datagram *d, const ff_ec_esc *esc)
{
    const uint16_t address = ff_get_u16(d->head + 2);
    switch (commands[d->command].by) {
    case POSITION:
        return address == 0;
    case FIXED:
        return address == ff_ec_reg16(esc, FF_EC_REG_STATION) ||
               ((esc->memory[FF_EC_REG_DL_CONTROL + 3] & 1) && address == ff_ec_reg16(esc, FF_EC_REG_ALIAS));
    default:
        return true;
    }
}

/// Each slave increments the position, addressed or not.
static void count_position(const datagram *d)
{
    const addressing by = commands[d->command].by;
    if (by == POSITION || by == ALL) ff_put_u16(d->head + 2, (uint16_t)(ff_get_u16(d->head + 2) + 1));
}

/// Reads into the data; data of several slaves are combined by OR.
static bool read_physical(const datagram *d, ff_ec_esc *esc, uint64_t now)
{
    const unsigned offset = ff_get_u16(d->head + 4);
    if (commands[d->command].by != ALL) return ff_ec_esc_read(esc, offset, d->data, d->n, now);
    uint8_t bytes[FF_EC_FRAME_MOST];
    memset(bytes, 0, d->n);
    if (!ff_ec_esc_read(esc, offset, bytes, d->n, now)) return false;
    for (unsigned i = 0; i < d->n; i++) d->data[i] |= bytes[i];
    return true;
}

/// Writes the data of the frame to the slave, and the previous contents of its memory to the frame.
static unsigned exchange_physical(const datagram *d, ff_ec_esc *esc, uint64_t now)
{
    uint8_t received[FF_EC_FRAME_MOST];
    memcpy(received, d->data, d->n);
    const bool was_read = read_physical(d, esc, now);
    return was_read + 2U * ff_ec_esc_write(esc, ff_get_u16(d->head + 4), received, NULL, d->n, now);
}

/// @return increment of the working counter
static unsigned pass_physical(const datagram *d, ff_ec_esc *esc, uint64_t now)
{
    const bool match = matches(d, esc), reads = commands[d->command].reads, writes = commands[d->command].writes;
    if (commands[d->command].others_write)
        return match ? read_physical(d, esc, now)
                     : ff_ec_esc_write(esc, ff_get_u16(d->head + 4), d->data, NULL, d->n, now);
    if (!match) return 0;
    if (reads && writes) return exchange_physical(d, esc, now);
    return reads ? read_physical(d, esc, now) : ff_ec_esc_write(esc, ff_get_u16(d->head + 4), d->data, NULL, d->n, now);
}

/// Reads outputs from the frame before inputs are written to it, since both may have the same logical address.
static unsigned pass_logical(const datagram *d, ff_ec_esc *esc, uint64_t now)
{
    const uint32_t logical = ff_get_u32(d->head + 2);
    const bool reads = commands[d->command].reads, writes = commands[d->command].writes;
    const bool written = writes && ff_ec_fmmu_write(esc, logical, d->data, d->n, now);
    const bool was_read = reads && ff_ec_fmmu_read(esc, logical, d->data, d->n, now);
    return was_read + (reads ? 2U : 1U) * written;
}

// ------------------------------------------------------------------------------------------ all slaves

static void pass(ff_ec_segment *segment, const datagram *d, uint64_t now)
{
    if (d->command == FF_EC_NOP || d->command >= COMMANDS) return;
    const bool logical = commands[d->command].by == LOGICAL;
    unsigned counter = ff_get_u16(d->counter);
    unsigned events = 0;
    for (int i = 0; i < segment->nroute; i++) {
        ff_ec_esc *esc = &segment->slaves[segment->route[i]].esc;
        const uint64_t there = now + esc->arrival[0];
        counter += logical ? pass_logical(d, esc, there) : pass_physical(d, esc, there);
        events |= ff_ec_reg16(esc, FF_EC_REG_EVENT) & (unsigned)ff_ec_reg16(esc, FF_EC_REG_EVENT_MASK);
        count_position(d);
    }
    ff_put_u16(d->counter, (uint16_t)counter);
    ff_put_u16(d->head + 8, (uint16_t)(ff_get_u16(d->head + 8) | events));
}

/// Parses the datagram at an offset. @return bytes to the next one; 0: it does not fit
static unsigned open_datagram(uint8_t *at, const uint8_t *end, datagram *d)
{
    if (end - at < FF_EC_DATAGRAM_EXTRA) return 0;
    const unsigned n = ff_get_u16(at + 6) & FF_EC_LENGTH_BITS;
    if ((size_t)(end - at) < n + FF_EC_DATAGRAM_EXTRA) return 0;
    *d = (datagram){at[0], at, at + FF_EC_DATAGRAM_HEAD, at + FF_EC_DATAGRAM_HEAD + n, n};
    return n + FF_EC_DATAGRAM_EXTRA;
}

static bool has_more(const datagram *d)
{
    return ff_get_u16(d->head + 6) & FF_EC_MORE;
}

/// Do all datagrams lie within the frame?
static bool is_complete(uint8_t *at, const uint8_t *end)
{
    datagram d;
    unsigned step;
    do {
        step = open_datagram(at, end, &d);
        at += step;
    } while (step && has_more(&d));
    return step > 0;
}

/// @return the end of the datagrams; NULL: not an EtherCAT frame
static const uint8_t *open_frame(uint8_t *bytes, size_t size)
{
    if (size < FF_EC_FRAME_HEAD || size > FF_EC_FRAME_MOST || bytes[12] != 0x88 || bytes[13] != 0xA4) return NULL;
    const unsigned head = ff_get_u16(bytes + FF_EC_ETHERNET_HEAD), length = head & FF_EC_LENGTH_BITS;
    if (head >> 12 != 1 || FF_EC_FRAME_HEAD + length > size) return NULL;
    const uint8_t *end = bytes + FF_EC_FRAME_HEAD + length;
    return is_complete(bytes + FF_EC_FRAME_HEAD, end) ? end : NULL;
}

size_t ff_ec_segment_frame(ff_ec_segment *segment, unsigned char *bytes, size_t size, uint64_t now)
{
    const uint8_t *end = open_frame(bytes, size);
    if (!end || !segment->nroute) return 0;
    ff_ec_segment_check_watchdogs(segment, now);
    datagram d;
    uint8_t *at = bytes + FF_EC_FRAME_HEAD;
    do {
        at += open_datagram(at, end, &d);
        pass(segment, &d, now);
    } while (has_more(&d));
    bytes[6] |= 2; // the first slave marks the source address as changed
    ff_ec_segment_serve(segment, now);
    return size;
}
