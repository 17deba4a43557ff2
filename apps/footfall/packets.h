// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Raw Ethernet frames of EtherCAT (type 0x88A4) over a network interface, by the packet sockets of Linux.
#ifndef FOOTFALL_APPS_PACKETS_H
#define FOOTFALL_APPS_PACKETS_H

#include <footfall/base.h>

enum { PACKET_MOST = 1514 }; // bytes of a frame, without checksum

/// @return a socket to be closed by packets_close; -1 with FF_NOT_FOUND (no such interface), FF_BAD_ARGUMENT (it is
/// down, or not allowed, with what to do), FF_NOT_BUILT (not Linux)
int packets_open(const char *interface, ff_error *err);
void packets_close(int socket);
/// What is wrong with an open interface: "it is down; ..", "it has no link: .."; NULL: nothing.
const char *packets_check(int socket, const char *interface);
/// Waits for a frame. @param timeout  0: only looks  [s]
/// @return its bytes; 0: none came
size_t packets_receive(int socket, unsigned char bytes[PACKET_MOST], double timeout);
/// @return whether it left
bool packets_send(int socket, const unsigned char *bytes, size_t size);

#endif
