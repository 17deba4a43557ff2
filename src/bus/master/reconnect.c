// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reconnection of a slave that lost its power or its configuration while the others are in OP. It is found by its
// position and identified by its EEPROM, gets its station address again, and goes through the programs of the startup
// up to the state of the others. Cable delays are kept.
//
// Its position: frames pass slaves in a fixed order, also when some are missing. The slaves that kept their station
// addresses show between which of them a missing slave must be. Where as many slaves without an address are found as
// are missing, each position is known. Where there are fewer, the EEPROM identifies a slave, unless another missing
// slave has the same identity: then the master waits until all of them are there.
#include "master/internal.h"

#include <stdio.h>

/// Programs in order, with the AL state that each requests.
static const struct {
    const ff_master_step *program;
    ff_ec_state requested;
} SEQUENCE[] = {{ff_program_reidentify, FF_EC_INIT},
                {ff_program_preop, FF_EC_PREOP},
                {ff_program_restore_clock, FF_EC_PREOP},
                {ff_program_safeop, FF_EC_SAFEOP},
                {ff_program_op, FF_EC_OP}};
enum { SEQUENCE_LENGTH = sizeof SEQUENCE / sizeof *SEQUENCE };

// ------------------------------------------------------------------------------------------ position

/// The positions and the slaves between which a slave must be, both bounds exclusive.
typedef struct gap {
    int from, to;
    int first, last;
} gap;

static gap find_gap(const ff_master_slave *p)
{
    const ff_ec_master *m = p->master;
    gap g = {-1, m->count, -1, m->count};
    for (int i = 0; i < m->count; i++) {
        const int number = m->slaves[i].address_seen - FF_MASTER_FIRST_STATION;
        if (number < 0 || number >= m->count) continue;
        if (number < p->number && i > g.from) g.from = i, g.first = number;
        if (number > p->number && i < g.to) g.to = i, g.last = number;
    }
    return g;
}

static bool has_same_identity(const ff_ec_slave_info *a, const ff_ec_slave_info *b)
{
    return a->vendor == b->vendor && a->product == b->product && a->revision == b->revision && a->serial == b->serial;
}

/// @return FF_MASTER_NONE: it is not known
static int find_position(ff_master_slave *p)
{
    const ff_ec_master *m = p->master;
    const gap g = find_gap(p);
    int positions[FF_MASTER_SLAVES_MAX], nposition = 0, was_incomplete = 0, rank = 0, identical = 0;
    for (int i = g.from + 1; i < g.to; i++)
        if (m->slaves[i].address_seen == 0) positions[nposition++] = i;
    for (int i = g.first + 1; i < g.last; i++) {
        const ff_ec_slave_info *f = &m->slaves[i].info;
        if (f->answers) return FF_MASTER_NONE; // it has appeared since the positions were read
        was_incomplete++;
        rank += i < p->number;
        identical += i != p->number && has_same_identity(f, &p->info);
    }
    p->position_uncertain = nposition != was_incomplete;
    if (nposition == 0 || (p->position_uncertain && identical)) return FF_MASTER_NONE;
    return positions[p->position_uncertain ? p->attempts++ % nposition : rank];
}

// ------------------------------------------------------------------------------------------ sequence

bool ff_reconnect_is_due(ff_master_slave *p)
{
    const ff_ec_master *m = p->master;
    if (!p->loss_reported) return false;
    if (p->info.answers) return (p->info.state & 0x0F) < FF_EC_SAFEOP && m->state >= FF_EC_SAFEOP;
    p->position = m->recounted ? find_position(p) : FF_MASTER_NONE;
    return p->position >= 0;
}

/// A changed mapping would overlap the process data of neighbouring slaves.
static bool has_same_lengths(ff_master_slave *p)
{
    if (p->info.out_bytes == p->image_bytes[FF_MASTER_OUT] && p->info.in_bytes == p->image_bytes[FF_MASTER_IN])
        return true;
    ff_slave_fail(p, "it has %u bytes of outputs and %u of inputs, and had %u and %u", (unsigned)p->info.out_bytes,
                  (unsigned)p->info.in_bytes, (unsigned)p->image_bytes[FF_MASTER_OUT],
                  (unsigned)p->image_bytes[FF_MASTER_IN]);
    return false;
}

/// A slave that has not received outputs refuses OP: an exchange that began after the change to SAFE-OP must be
/// complete.
static bool await_outputs(ff_master_slave *p)
{
    const uint32_t number = p->master->images[FF_MASTER_OUT].sequence;
    if (!p->outputs_from) p->outputs_from = number + 1;
    return (int32_t)(number - p->outputs_from) > 0;
}

bool ff_reconnect_continue(ff_master_slave *p)
{
    ff_ec_master *m = p->master;
    if (p->reconnect > 1 && !has_same_lengths(p)) {
        ff_reconnect_fail(p);
        return false;
    }
    if (p->reconnect == SEQUENCE_LENGTH || (p->reconnect && SEQUENCE[p->reconnect].requested > m->state)) {
        p->reconnect = 0;
        p->loss_reported = false;
        p->last_reason[0] = '\0';
        ff_event_log_add(p, "reconnected in %s", ff_ec_state_text(p->info.state));
        return false;
    }
    if (!p->reconnect && !p->info.answers) p->info.state = FF_EC_INIT; // it lost its state
    if (!p->reconnect) p->outputs_from = 0;
    if (SEQUENCE[p->reconnect].requested == FF_EC_OP && !await_outputs(p)) return true;
    p->requested = (uint8_t)SEQUENCE[p->reconnect].requested;
    ff_slave_run(p, SEQUENCE[p->reconnect++].program);
    return true;
}

void ff_reconnect_fail(ff_master_slave *p)
{
    p->reconnect = 0;
    p->requested = (uint8_t)p->master->state;
    if (p->position_uncertain) return; // the right one may be at another position
    if (strcmp(p->error, p->last_reason) != 0) ff_event_log_add(p, "not reconnected: %s", p->error);
    memcpy(p->last_reason, p->error, sizeof p->last_reason);
}
