// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sync managers as used by the memory of the slave controller (esc.c).
#ifndef FOOTFALL_ETHERCAT_SYNC_MANAGER_H
#define FOOTFALL_ETHERCAT_SYNC_MANAGER_H

#include "slave/slave.h"

/// Length of the memory area of a sync manager, from its start on.
unsigned ff_ec_sm_span(const ff_ec_sm *sm);
/// Can the register byte be written at present?
bool ff_ec_sm_writable(const ff_ec_esc *esc, unsigned address);
/// A master reads `n` bytes of the area. @return false: they are not accessible
bool ff_ec_sm_read(ff_ec_esc *esc, int number, unsigned address, uint8_t *to, unsigned n);
/// Where a master may write; NULL: nowhere. `*n` is reduced to the bytes of the buffer.
uint8_t *ff_ec_sm_open(ff_ec_esc *esc, int number, unsigned address, unsigned *n);
/// A master has written the bytes before `end`.
void ff_ec_sm_wrote(ff_ec_esc *esc, int number, unsigned end, uint64_t now);
/// Starts the process data watchdog, which a write to a sync manager triggers.
void ff_ec_sm_start_watchdog(ff_ec_esc *esc, uint64_t now);

#endif
