// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Process data: the outputs of all slaves from logical address 0 on, followed by the inputs. Inputs are read by LRD and
// outputs written by LWR, so that the working counter of each is the number of slaves that took part. A frame contains
// whole slaves. The first frame of inputs also reads the AL status of all slaves (BRD), so that a slave that left its
// state or is new is detected without waiting for the next poll, and distributes the time of the reference clock
// (FRMW).
//
// The index of a cyclic frame is 0x80, 0x40 for inputs, and four bits for the number of the frame. It does not
// identify the cycle: a NOP datagram carries the sequence number. Without it, a program that is some cycles late would
// take each answer for that of a later cycle, and never recover.
#include "master/internal.h"

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

/// @return false: too many frames, or the data of a slave exceed a frame
static bool divide_into_frames(ff_ec_master *m, int direction)
{
    ff_cyclic *image = &m->images[direction];
    image->size = 0;
    image->nframe = 0;
    uint32_t room = 0;
    for (int i = 0; i < m->count; i++) {
        const uint32_t n = ff_slave_bytes(&m->slaves[i], direction);
        *(direction == FF_MASTER_OUT ? &m->slaves[i].info.out_offset : &m->slaves[i].info.in_offset) = image->size;
        m->slaves[i].image_bytes[direction] = n;
        if (!n) continue;
        if (n > room) {
            if (image->nframe == FF_MASTER_FRAMES_MAX || n > ROOM) return false;
            image->frames[image->nframe++] = (ff_cyclic_frame){.offset = image->size};
            room = ROOM;
        }
        ff_cyclic_frame *frame = &image->frames[image->nframe - 1];
        frame->n += n;
        frame->expected++;
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
        if (!divide_into_frames(m, direction)) {
            snprintf(m->error, sizeof m->error, "process data exceed %d frames, or there is no memory",
                     FF_MASTER_FRAMES_MAX);
            return false;
        }
    m->images[FF_MASTER_IN].logical = m->images[FF_MASTER_OUT].size;
    return true;
}

// ------------------------------------------------------------------------------------------ frames

/// Is the reference clock available?
static bool has_reference_clock(const ff_ec_master *m)
{
    return m->reference >= 0 && m->slaves[m->reference].info.answers && !m->slaves[m->reference].reconnect;
}

static void build_frame(ff_ec_master *m, int direction, int number)
{
    ff_cyclic *image = &m->images[direction];
    ff_cyclic_frame *frame = &image->frames[number];
    const bool inputs = direction == FF_MASTER_IN;
    const uint8_t index = (uint8_t)(CYCLIC | (inputs ? INPUTS : 0) | number);
    ff_ec_frame_begin(&frame->frame, m->options.source);
    ff_put_u32(ff_ec_frame_add(&frame->frame, FF_EC_NOP, index, 0, 4), image->sequence);
    uint8_t *data =
        ff_ec_frame_add(&frame->frame, inputs ? FF_EC_LRD : FF_EC_LWR, index, image->logical + frame->offset, frame->n);
    if (!inputs) memcpy(data, image->bytes + frame->offset, frame->n);
    if (inputs && number == 0)
        ff_ec_frame_add(&frame->frame, FF_EC_BRD, index, ff_ec_physical(0, FF_EC_REG_AL_STATUS), 2);
    if (inputs && number == 0 && has_reference_clock(m)) {
        const uint16_t station = m->slaves[m->reference].info.station;
        uint8_t *time =
            ff_ec_frame_add(&frame->frame, FF_EC_FRMW, index, ff_ec_physical(station, FF_EC_REG_DC_TIME), 8);
        // if the reference clock has just been lost, the others still get a valid time
        ff_put_u64(time, m->reference_time);
    }
    frame->due = true;
    frame->received = frame->complete = false;
    frame->counter = 0;
}

void ff_cyclic_begin(ff_ec_master *m, int direction)
{
    ff_cyclic *image = &m->images[direction];
    for (int i = 0; i < image->nframe; i++)
        if (!image->frames[i].received && !image->frames[i].due && image->frames[i].frame.end) m->counts.lost++;
    image->sequence++;
    for (int i = 0; i < image->nframe; i++) build_frame(m, direction, i);
}

size_t ff_cyclic_poll(ff_ec_master *m, unsigned char *bytes)
{
    for (int direction = 1; direction >= 0; direction--) // inputs first
        for (int i = 0; i < m->images[direction].nframe; i++) {
            ff_cyclic_frame *frame = &m->images[direction].frames[i];
            if (!frame->due) continue;
            const size_t size = ff_ec_frame_finish(&frame->frame);
            frame->due = false;
            memcpy(bytes, frame->frame.bytes, size);
            return size;
        }
    return 0;
}

/// AL states of all slaves, and the number of slaves that answered.
static void handle_states(ff_ec_master *m, const ff_ec_reply *r)
{
    if (r->data[0] != m->states || (int)r->counter != m->counts.slaves) m->next_watch = m->now;
    m->states = r->data[0];
    m->counts.slaves = (int)r->counter;
}

void ff_cyclic_handle(ff_ec_master *m, int index, const unsigned char *bytes, size_t size)
{
    const int direction = index & INPUTS ? FF_MASTER_IN : FF_MASTER_OUT, number = index & 0x0F;
    ff_cyclic *image = &m->images[direction];
    if (number >= image->nframe) return;
    ff_cyclic_frame *frame = &image->frames[number];
    ff_ec_reply r = {0};
    if (frame->due || !ff_ec_frame_answers(&frame->frame, bytes, size)) return;
    if (!ff_ec_reply_next(&r, bytes) || ff_get_u32(r.data) != image->sequence || !ff_ec_reply_next(&r, bytes)) return;
    if (frame->received) ff_event_log_duplicate_frame(m);
    if (frame->received) return;
    frame->received = true;
    frame->counter = r.counter;
    frame->complete = r.counter == frame->expected;
    if (!frame->complete) m->counts.wrong_counters++;
    if (!frame->complete && !frame->was_incomplete) m->next_watch = m->now; // find the slave that did not take part
    frame->was_incomplete = !frame->complete;
    if (frame->complete && direction == FF_MASTER_IN) memcpy(image->bytes + frame->offset, r.data, frame->n);
    if (ff_ec_reply_next(&r, bytes)) handle_states(m, &r);
    if (ff_ec_reply_next(&r, bytes) && r.counter > 0) m->reference_time = ff_get_u64(r.data);
}

ff_ec_exchange ff_cyclic_state(const ff_cyclic *image)
{
    bool complete = true;
    for (int i = 0; i < image->nframe; i++) {
        if (!image->frames[i].received) return FF_EC_PENDING;
        complete = complete && image->frames[i].complete;
    }
    return complete ? FF_EC_COMPLETE : FF_EC_INCOMPLETE;
}
