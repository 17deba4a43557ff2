// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A wire as a function call: frames go to virtual slaves, and their answers wait to be received. Frames are lost with a
// given probability before and behind the slaves. Its clock advances with every reading, so that a loop that waits
// ends.
#ifndef FOOTFALL_TESTS_VIRTUAL_WIRE_H
#define FOOTFALL_TESTS_VIRTUAL_WIRE_H

#include <footfall/base.h>
#include <footfall/fieldbus.h>

#include <string.h>

enum { WIRE_WAITING = 16 };

typedef struct virtual_wire {
    ff_ec_segment *segment; // frames reach it at `now`
    /// Handles frames in place of the segment; NULL: none. @return bytes that come back; 0: none
    size_t (*pass)(void *context, unsigned char *bytes, size_t size);
    void *context;
    uint64_t now;
    double loss; // probability that a frame gets lost, before the slaves, and again behind them
    ff_random random;
    int lost, carried;
    int copies; // of each answer; 0: one
    unsigned char waiting[WIRE_WAITING][FF_EC_PACKET_MAX];
    size_t sizes[WIRE_WAITING];
    int nwaiting;
} virtual_wire;

static inline bool wire_loses(virtual_wire *w)
{
    if (!(w->loss > 0.0) || ff_random_uniform(&w->random) >= w->loss) return false;
    w->lost++;
    return true;
}

static inline bool wire_send(void *context, const unsigned char *bytes, size_t size)
{
    virtual_wire *w = context;
    unsigned char frame[FF_EC_PACKET_MAX];
    memcpy(frame, bytes, size);
    w->carried++;
    if (wire_loses(w)) return true;
    size = w->pass ? w->pass(w->context, frame, size) : ff_ec_segment_frame(w->segment, frame, size, w->now);
    if (!size || wire_loses(w)) return true;
    for (int i = 0; i < (w->copies ? w->copies : 1) && w->nwaiting < WIRE_WAITING; i++) {
        memcpy(w->waiting[w->nwaiting], frame, size);
        w->sizes[w->nwaiting++] = size;
    }
    return true;
}

static inline size_t wire_receive(void *context, unsigned char bytes[FF_EC_PACKET_MAX], double wait)
{
    virtual_wire *w = context;
    if (!w->nwaiting) {
        w->now += (uint64_t)(1e9 * wait);
        return 0;
    }
    const size_t size = w->sizes[0];
    memcpy(bytes, w->waiting[0], size);
    w->nwaiting--;
    memmove(w->waiting[0], w->waiting[1], (size_t)w->nwaiting * sizeof w->waiting[0]);
    memmove(w->sizes, w->sizes + 1, (size_t)w->nwaiting * sizeof w->sizes[0]);
    return size;
}

static inline uint64_t wire_now(void *context)
{
    virtual_wire *w = context;
    return w->now += 10000; // 10 us
}

static inline ff_ec_wire wire_functions(virtual_wire *w)
{
    return (ff_ec_wire){.context = w, .send = wire_send, .receive = wire_receive, .now = wire_now};
}

#endif
