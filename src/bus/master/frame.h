// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of a master: datagrams are appended, and found again in the frame that returns. A frame answers another only
// if all headers agree: command, index, register or logical address, length, more.
#ifndef FOOTFALL_MASTER_FRAME_H
#define FOOTFALL_MASTER_FRAME_H

#include <footfall/master.h>

enum { FF_EC_DATAGRAM_EXTRA = 12 }; // bytes of a datagram without its data

typedef struct ff_ec_frame {
    uint8_t bytes[FF_EC_PACKET_MAX];
    unsigned end;  // offset of the end of the datagrams
    unsigned last; // offset of the last datagram; 0: none
} ff_ec_frame;

/// @param source  MAC address of the master
void ff_ec_frame_begin(ff_ec_frame *frame, const unsigned char source[6]);
/// Adds a datagram with zero data. @param address  ADP and ADO, or a logical one
/// @return its data  (n); NULL: no room
uint8_t *ff_ec_frame_add(ff_ec_frame *frame, unsigned command, uint8_t index, uint32_t address, unsigned n);
/// Sets the length. @return bytes to send
size_t ff_ec_frame_finish(ff_ec_frame *frame);

/// Address of a register by position or station (ADP), or of all slaves (0).
static inline uint32_t ff_ec_physical(uint16_t adp, uint16_t ado)
{
    return adp | (uint32_t)ado << 16;
}

/// Was it sent by the master with this address? The first slave sets bit 1 of the first byte.
bool ff_ec_frame_is_from(const unsigned char *bytes, const unsigned char source[6]);
/// Index of the first datagram of an EtherCAT frame. @return -1: it is none
int ff_ec_frame_index(const unsigned char *bytes, size_t size);
/// Does a received frame answer this one?
bool ff_ec_frame_answers(const ff_ec_frame *sent, const unsigned char *received, size_t size);

/// Iterator over the datagrams of a received frame. Begin with `at` 0.
typedef struct ff_ec_reply {
    unsigned at; // offset of the next one
    const uint8_t *data;
    unsigned n;
    unsigned counter; // working counter
} ff_ec_reply;
bool ff_ec_reply_next(ff_ec_reply *reply, const unsigned char *received);

#endif
