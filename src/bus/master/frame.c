// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of a master. By ETG.1000.4 a frame has an Ethernet header of 14 bytes, 2 bytes for length and type,
// and datagrams of a header of 10 bytes, data, and a working counter of 2.
#include "master/internal.h"

enum { TYPE = 0x1000, SHORTEST = 60 };

void ff_ec_frame_begin(ff_ec_frame *f, const unsigned char source[6])
{
    memset(f->bytes, 0xFF, 6); // broadcast
    memcpy(f->bytes + 6, source, 6);
    f->bytes[12] = 0x88;
    f->bytes[13] = 0xA4;
    f->end = FF_EC_FRAME_HEAD;
    f->last = 0;
}

uint8_t *ff_ec_frame_add(ff_ec_frame *f, unsigned command, uint8_t index, uint32_t address, unsigned n)
{
    if (f->end + n + FF_EC_DATAGRAM_EXTRA > FF_EC_PACKET_MAX) return NULL;
    uint8_t *d = f->bytes + f->end;
    memset(d, 0, n + FF_EC_DATAGRAM_EXTRA);
    if (f->last) ff_put_u16(f->bytes + f->last + 6, (uint16_t)(ff_get_u16(f->bytes + f->last + 6) | FF_EC_MORE));
    d[0] = (uint8_t)command;
    d[1] = index;
    ff_put_u32(d + 2, address);
    ff_put_u16(d + 6, (uint16_t)n);
    f->last = f->end;
    f->end += n + FF_EC_DATAGRAM_EXTRA;
    return d + FF_EC_DATAGRAM_HEAD;
}

size_t ff_ec_frame_finish(ff_ec_frame *f)
{
    ff_put_u16(f->bytes + FF_EC_ETHERNET_HEAD, (uint16_t)((f->end - FF_EC_FRAME_HEAD) | TYPE));
    if (f->end < SHORTEST) memset(f->bytes + f->end, 0, SHORTEST - f->end);
    return f->end < SHORTEST ? SHORTEST : f->end;
}

bool ff_ec_frame_is_from(const unsigned char *bytes, const unsigned char source[6])
{
    enum { CHANGED = 2 };
    return (bytes[6] | CHANGED) == (source[0] | CHANGED) && memcmp(bytes + 7, source + 1, 5) == 0;
}

int ff_ec_frame_index(const unsigned char *bytes, size_t size)
{
    if (size < FF_EC_FRAME_HEAD + FF_EC_DATAGRAM_EXTRA || bytes[12] != 0x88 || bytes[13] != 0xA4) return -1;
    return bytes[FF_EC_FRAME_HEAD + 1];
}

/// Slaves increment positions: the first half of those addresses is changed when the frame returns.
static bool counts_positions(unsigned command)
{
    return (command >= FF_EC_APRD && command <= FF_EC_APRW) || (command >= FF_EC_BRD && command <= FF_EC_BRW) ||
           command == FF_EC_ARMW;
}

bool ff_ec_frame_answers(const ff_ec_frame *sent, const unsigned char *received, size_t size)
{
    enum { CIRCULATED = 0x4000 };
    if (size < sent->end || memcmp(received + 12, sent->bytes + 12, 4) != 0) return false;
    for (unsigned at = FF_EC_FRAME_HEAD; at < sent->end;) {
        const uint8_t *a = sent->bytes + at, *b = received + at;
        const unsigned skip = counts_positions(a[0]) ? 4 : 2;
        if (a[0] != b[0] || a[1] != b[1] || memcmp(a + skip, b + skip, 6 - skip) != 0) return false;
        if ((ff_get_u16(b + 6) & ~CIRCULATED) != ff_get_u16(a + 6)) return false;
        at += (ff_get_u16(a + 6) & FF_EC_LENGTH_BITS) + FF_EC_DATAGRAM_EXTRA;
    }
    return true;
}

bool ff_ec_reply_next(ff_ec_reply *r, const unsigned char *received)
{
    const unsigned end = FF_EC_FRAME_HEAD + (ff_get_u16(received + FF_EC_ETHERNET_HEAD) & FF_EC_LENGTH_BITS);
    if (!r->at) r->at = FF_EC_FRAME_HEAD;
    if (r->at >= end) return false;
    const uint8_t *d = received + r->at;
    r->n = ff_get_u16(d + 6) & FF_EC_LENGTH_BITS;
    r->data = d + FF_EC_DATAGRAM_HEAD;
    r->counter = ff_get_u16(d + FF_EC_DATAGRAM_HEAD + r->n);
    r->at += r->n + FF_EC_DATAGRAM_EXTRA;
    return true;
}
