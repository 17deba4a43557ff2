// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The way back of a slave that lost its power, or its configuration, while the others work: it is found by its place,
// recognised by its EEPROM, gets its address again, and goes through the programs of the start up to the state that
// the others have. Delays of cables are what they were.
//
// Its place: frames pass slaves in their order, whoever is missing. Slaves that have their address still say where
// those must be that lie between them. Where as many without an address lie there as are missed there, each is known;
// where there are fewer, its EEPROM tells who one is, unless another that is missed has the same identity: then it is
// waited for.
#include "master/inside.h"

#include <stdio.h>

/// Programs one after the other, with the state that each asks for.
static const struct {
    const ff_master_step *program;
    ff_ec_state wanted;
} WAY[] = {{ff_program_identify_again, FF_EC_INIT},
           {ff_program_preop, FF_EC_PREOP},
           {ff_program_clock_again, FF_EC_PREOP},
           {ff_program_safeop, FF_EC_SAFEOP},
           {ff_program_op, FF_EC_OP}};
enum { WAY_LENGTH = sizeof WAY / sizeof *WAY };

// ------------------------------------------------------------------------------------------ its place

void ff_comeback_forget_places(ff_ec_master *m)
{
    m->recounted = false;
    for (int i = 0; i < m->count; i++) m->peers[i].shown = FF_MASTER_NOBODY;
}

/// Between which places, and which slaves, a slave must be: both ends are outside.
typedef struct gap {
    int from, to;
    int first, last;
} gap;

static gap find_gap(const ff_master_peer *p)
{
    const ff_ec_master *m = p->master;
    gap g = {-1, m->count, -1, m->count};
    for (int i = 0; i < m->count; i++) {
        const int number = m->peers[i].shown - FF_MASTER_FIRST;
        if (number < 0 || number >= m->count) continue;
        if (number < p->number && i > g.from) g.from = i, g.first = number;
        if (number > p->number && i < g.to) g.to = i, g.last = number;
    }
    return g;
}

static bool has_its_identity(const ff_ec_found *a, const ff_ec_found *b)
{
    return a->vendor == b->vendor && a->product == b->product && a->revision == b->revision && a->serial == b->serial;
}

/// @return FF_MASTER_NOBODY: it cannot be told
static int find_place(ff_master_peer *p)
{
    const ff_ec_master *m = p->master;
    const gap g = find_gap(p);
    int places[FF_MASTER_SLAVES], nplace = 0, missed = 0, rank = 0, twins = 0;
    for (int i = g.from + 1; i < g.to; i++)
        if (m->peers[i].shown == 0) places[nplace++] = i;
    for (int i = g.first + 1; i < g.last; i++) {
        const ff_ec_found *f = &m->peers[i].found;
        if (f->answers) return FF_MASTER_NOBODY; // it has come since places were asked for
        missed++;
        rank += i < p->number;
        twins += i != p->number && has_its_identity(f, &p->found);
    }
    p->guessed = nplace != missed;
    if (nplace == 0 || (p->guessed && twins)) return FF_MASTER_NOBODY;
    return places[p->guessed ? p->guesses++ % nplace : rank];
}

// ------------------------------------------------------------------------------------------ its way

bool ff_comeback_is_due(ff_master_peer *p)
{
    const ff_ec_master *m = p->master;
    if (!p->told_left) return false;
    if (p->found.answers) return (p->found.state & 0x0F) < FF_EC_SAFEOP && m->state >= FF_EC_SAFEOP;
    p->place = m->recounted ? find_place(p) : FF_MASTER_NOBODY;
    return p->place >= 0;
}

/// Another mapping than before would lie on the process data of its neighbours.
static bool has_its_lengths(ff_master_peer *p)
{
    if (p->found.out_bytes == p->laid[FF_MASTER_OUT] && p->found.in_bytes == p->laid[FF_MASTER_IN]) return true;
    ff_peer_fail(p, "it has %u bytes of outputs and %u of inputs, and had %u and %u", (unsigned)p->found.out_bytes,
                 (unsigned)p->found.in_bytes, (unsigned)p->laid[FF_MASTER_OUT], (unsigned)p->laid[FF_MASTER_IN]);
    return false;
}

/// A slave that has not got its outputs refuses OP: an exchange that began after the step to SAFE-OP must be over.
static bool has_outputs(ff_master_peer *p)
{
    const uint32_t number = p->master->images[FF_MASTER_OUT].sequence;
    if (!p->outputs_from) p->outputs_from = number + 1;
    return (int32_t)(number - p->outputs_from) > 0;
}

bool ff_comeback_go_on(ff_master_peer *p)
{
    ff_ec_master *m = p->master;
    if (p->comeback > 1 && !has_its_lengths(p)) {
        ff_comeback_fail(p);
        return false;
    }
    if (p->comeback == WAY_LENGTH || (p->comeback && WAY[p->comeback].wanted > m->state)) {
        p->comeback = 0;
        p->told_left = false;
        p->told_why[0] = '\0';
        ff_master_note(p, "configured anew, back in %s", ff_ec_state_words(p->found.state));
        return false;
    }
    if (!p->comeback && !p->found.answers) p->found.state = FF_EC_INIT; // it no longer is where it was
    if (!p->comeback) p->outputs_from = 0;
    if (WAY[p->comeback].wanted == FF_EC_OP && !has_outputs(p)) return true;
    p->wanted = (uint8_t)WAY[p->comeback].wanted;
    ff_peer_run(p, WAY[p->comeback++].program);
    return true;
}

void ff_comeback_fail(ff_master_peer *p)
{
    p->comeback = 0;
    p->wanted = (uint8_t)p->master->state;
    if (p->guessed) return; // it may be elsewhere
    if (strcmp(p->why, p->told_why) != 0) ff_master_note(p, "not brought back: %s", p->why);
    memcpy(p->told_why, p->why, sizeof p->told_why);
}
