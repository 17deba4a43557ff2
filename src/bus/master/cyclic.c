// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Process data: outputs of all slaves from logical address 0 on, inputs behind them. Inputs are read by LRD, outputs
// written by LWR, so that the working counter of each is the number of slaves that took part. A frame holds whole
// slaves. The first frame of inputs also asks all slaves for their AL status (BRD), so that nobody has to wait for the
// next look who left its state or is new, and carries the distributed time from the reference clock to all others
// (FRMW).
//
// Index of a cyclic frame: 0x80, 0x40 for inputs, and four bits that number the frame. That says nothing of the cycle:
// a datagram that does nothing (NOP) carries its number. A program that fell behind by a few cycles would otherwise
// take each answer for that of a later cycle, for ever.
#include "master/inside.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DATA_MOST = 1486,
    NUMBER = 16,
    STATES = 14,
    TIME = 20,
    ROOM = DATA_MOST - NUMBER - STATES - TIME,
    CYCLIC = 0x80,
    INPUTS = 0x40
};

// ------------------------------------------------------------------------------------------ layout

static uint32_t *offset_of(ff_master_peer *p, int direction)
{
    return direction == FF_MASTER_OUT ? &p->found.out_offset : &p->found.in_offset;
}

static uint32_t bytes_of(const ff_master_peer *p, int direction)
{
    return direction == FF_MASTER_OUT ? p->found.out_bytes : p->found.in_bytes;
}

/// @return false: too many frames, or a slave that no frame holds
static bool divide(ff_ec_master *m, int direction)
{
    ff_cyclic *image = &m->images[direction];
    image->size = 0;
    image->nslot = 0;
    uint32_t room = 0;
    for (int i = 0; i < m->count; i++) {
        const uint32_t n = bytes_of(&m->peers[i], direction);
        *offset_of(&m->peers[i], direction) = image->size;
        m->peers[i].laid[direction] = n;
        if (!n) continue;
        if (n > room) {
            if (image->nslot == FF_MASTER_SLOTS || n > ROOM) return false;
            image->slots[image->nslot++] = (ff_master_slot){.offset = image->size};
            room = ROOM;
        }
        ff_master_slot *slot = &image->slots[image->nslot - 1];
        slot->n += n;
        slot->expected++;
        room -= n;
        image->size += n;
    }
    free(image->bytes);
    image->bytes = calloc(image->size + 1, 1);
    return image->bytes;
}

bool ff_cyclic_lay_out(ff_ec_master *m)
{
    for (int direction = 0; direction < 2; direction++)
        if (!divide(m, direction)) {
            snprintf(m->why, sizeof m->why, "process data need more than %d frames, or memory", FF_MASTER_SLOTS);
            return false;
        }
    m->images[FF_MASTER_IN].logical = m->images[FF_MASTER_OUT].size;
    return true;
}

// ------------------------------------------------------------------------------------------ frames

/// Does the reference clock go on?
static bool keeps_time(const ff_ec_master *m)
{
    return m->reference >= 0 && m->peers[m->reference].found.answers && !m->peers[m->reference].comeback;
}

static void build(ff_ec_master *m, int direction, int number)
{
    ff_cyclic *image = &m->images[direction];
    ff_master_slot *slot = &image->slots[number];
    const bool inputs = direction == FF_MASTER_IN;
    const uint8_t index = (uint8_t)(CYCLIC | (inputs ? INPUTS : 0) | number);
    ff_ec_frame_begin(&slot->frame, m->options.source);
    ff_put_u32(ff_ec_frame_add(&slot->frame, FF_EC_NOP, index, 0, 4), image->sequence);
    uint8_t *data =
        ff_ec_frame_add(&slot->frame, inputs ? FF_EC_LRD : FF_EC_LWR, index, image->logical + slot->offset, slot->n);
    if (!inputs) memcpy(data, image->bytes + slot->offset, slot->n);
    if (inputs && number == 0)
        ff_ec_frame_add(&slot->frame, FF_EC_BRD, index, ff_ec_physical(0, FF_EC_REG_AL_STATUS), 2);
    if (inputs && number == 0 && keeps_time(m)) {
        const uint16_t station = m->peers[m->reference].found.station;
        uint8_t *time = ff_ec_frame_add(&slot->frame, FF_EC_FRMW, index, ff_ec_physical(station, FF_EC_REG_DC_TIME), 8);
        ff_put_u64(time, m->reference_time); // where the reference clock has just gone, nobody gets nonsense
    }
    slot->due = true;
    slot->came = slot->right = false;
    slot->counter = 0;
}

void ff_cyclic_begin(ff_ec_master *m, int direction)
{
    ff_cyclic *image = &m->images[direction];
    for (int i = 0; i < image->nslot; i++)
        if (!image->slots[i].came && !image->slots[i].due && image->slots[i].frame.end) m->counts.lost++;
    image->sequence++;
    for (int i = 0; i < image->nslot; i++) build(m, direction, i);
}

size_t ff_cyclic_poll(ff_ec_master *m, unsigned char *bytes)
{
    for (int direction = 1; direction >= 0; direction--) // inputs first
        for (int i = 0; i < m->images[direction].nslot; i++) {
            ff_master_slot *slot = &m->images[direction].slots[i];
            if (!slot->due) continue;
            const size_t size = ff_ec_frame_finish(&slot->frame);
            slot->due = false;
            memcpy(bytes, slot->frame.bytes, size);
            return size;
        }
    return 0;
}

/// States of all slaves together, and how many there are.
static void take_states(ff_ec_master *m, const ff_ec_reply *r)
{
    if (r->data[0] != m->states || (int)r->counter != m->counts.slaves) m->watch_at = m->now;
    m->states = r->data[0];
    m->counts.slaves = (int)r->counter;
}

static void take_time(ff_ec_master *m, const ff_ec_reply *r)
{
    if (r->counter > 0) m->reference_time = ff_get_u64(r->data);
}

void ff_cyclic_take(ff_ec_master *m, int index, const unsigned char *bytes, size_t size)
{
    const int direction = index & INPUTS ? FF_MASTER_IN : FF_MASTER_OUT, number = index & 0x0F;
    ff_cyclic *image = &m->images[direction];
    if (number >= image->nslot) return;
    ff_master_slot *slot = &image->slots[number];
    ff_ec_reply r = {0};
    if (slot->due || !ff_ec_frame_answers(&slot->frame, bytes, size)) return;
    if (!ff_ec_reply_next(&r, bytes) || ff_get_u32(r.data) != image->sequence || !ff_ec_reply_next(&r, bytes)) return;
    if (slot->came) ff_master_note_doubled(m);
    if (slot->came) return;
    slot->came = true;
    slot->counter = r.counter;
    slot->right = r.counter == slot->expected;
    if (!slot->right) m->counts.wrong++;
    if (!slot->right && !slot->missed) m->watch_at = m->now; // who is it?
    slot->missed = !slot->right;
    if (slot->right && direction == FF_MASTER_IN) memcpy(image->bytes + slot->offset, r.data, slot->n);
    if (ff_ec_reply_next(&r, bytes)) take_states(m, &r);
    if (ff_ec_reply_next(&r, bytes)) take_time(m, &r);
}

ff_ec_exchange ff_cyclic_state(const ff_cyclic *image)
{
    bool right = true;
    for (int i = 0; i < image->nslot; i++) {
        if (!image->slots[i].came) return FF_EC_PENDING;
        right = right && image->slots[i].right;
    }
    return right ? FF_EC_SOUND : FF_EC_MISCOUNTED;
}
