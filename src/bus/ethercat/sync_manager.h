// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the memory of the slave controller (esc.c) asks its sync managers.
#ifndef FOOTFALL_ETHERCAT_SYNC_MANAGER_H
#define FOOTFALL_ETHERCAT_SYNC_MANAGER_H

#include "ethercat/slave.h"

/// Bytes of memory it guards, from its start on.
unsigned ff_ec_sm_span(const ff_ec_sm *sm);
/// May the register byte be written now?
bool ff_ec_sm_writable(const ff_ec_esc *esc, unsigned address);
/// A master reads `n` guarded bytes, which lie in the span. @return false: they are not accessible
bool ff_ec_sm_read(ff_ec_esc *esc, int number, unsigned address, uint8_t *to, unsigned n);
/// Where a master may write; NULL: nowhere. `*n` shrinks to the bytes that lie there.
uint8_t *ff_ec_sm_open(ff_ec_esc *esc, int number, unsigned address, unsigned *n);
/// A master wrote the bytes before `end`.
void ff_ec_sm_wrote(ff_ec_esc *esc, int number, unsigned end, uint64_t now);

#endif
