// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributed clocks. One frame is timed at every port of every slave. From the times follow the delays of the cables;
// the link status shows which port connects a slave to which other. With p the parent, c the child at its port q, and
// the ports in the order in which a frame passes them, 0 3 1 2,
//     delay(c) = delay(p) + ((tp[q] - tp[before q]) - (tc[last] - tc[0])) / 2 + (tp[before q] - tp[0])
// where the first bracket is the time to the child and back less the time behind the child, and the last one the time
// behind the earlier ports. The reference clock is that of the first slave that has one, and keeps its time; the others
// get
//     offset(c) = t_reference - t_c + delay(c),
// so that local + offset - delay is the time of the reference clock when the frame passed there. Beckhoff ESC data
// sheets, section I, distributed clocks.
#include "master/internal.h"

enum { NO_PORT = -1 };
static const int ORDER[FF_MASTER_PORTS] = {0, 3, 1, 2};

static void request_latch(ff_master_slave *p, ff_master_datagram *a)
{
    ff_request_write(p, a, FF_EC_REG_DC_RECEIVED, 4);
}

static ff_step_result handle_links(ff_master_slave *p, const uint8_t *data)
{
    p->links = ff_get_u16(data);
    return FF_STEP_NEXT;
}

static ff_step_result handle_times(ff_master_slave *p, const uint8_t *data)
{
    for (int i = 0; i < FF_MASTER_PORTS; i++) p->received[i] = ff_get_u32(data + 4 * i);
    p->local_time = ff_get_u64(data + 24);
    return FF_STEP_NEXT;
}

static bool has_clock(const ff_master_slave *p)
{
    return p->info.has_clock;
}

static void request_offset(ff_master_slave *p, ff_master_datagram *a)
{
    uint8_t *data = ff_request_write(p, a, FF_EC_REG_DC_OFFSET, 12);
    ff_put_u64(data, p->info.clock_offset);
    ff_put_u32(data + 8, p->info.clock_delay);
}

/// Resets the control loop of the clock.
static void request_loop(ff_master_slave *p, ff_master_datagram *a)
{
    ff_put_u16(ff_request_write(p, a, FF_EC_REG_DC_SPEED, 2), 0x1000);
}

const ff_master_step ff_program_latch[] = {{.error = "no slave answers", .request = request_latch}, {0}};
const ff_master_step ff_program_clock_read[] = {
    {.error = "its links cannot be read", .ado = FF_EC_REG_DL_STATUS, .n = 2, .handle = handle_links},
    {.error = "its clock does not answer",
     .ado = FF_EC_REG_DC_RECEIVED,
     .n = 32,
     .handle = handle_times,
     .applies = has_clock},
    {0}};
const ff_master_step ff_program_clock_write[] = {
    {.error = "its clock cannot be set", .request = request_offset, .applies = has_clock},
    {.error = "its clock cannot be set", .request = request_loop, .applies = has_clock},
    {0}};

// ------------------------------------------------------------------------------------------ a clock that was reset

/// A slave whose clock is right: the reference, or any other clock if the reference itself was reset. NULL: none.
static const ff_master_slave *find_anchor(const ff_master_slave *p)
{
    const ff_ec_master *m = p->master;
    for (int i = 0; i < m->count; i++) {
        const ff_master_slave *a = &m->slaves[i];
        if (a != p && a->info.has_clock && a->info.answers && !a->loss_reported && !a->reconnect) return a;
    }
    return NULL;
}

/// Latches all clocks, then reads the time of this slave, of the anchor, and of this slave again: if it has changed,
/// another frame was latched meanwhile.
static void request_anchor(ff_master_slave *p, ff_master_datagram *a)
{
    const ff_master_slave *anchor = find_anchor(p);
    if (p->cursor == 0) {
        ff_request_write(p, a, FF_EC_REG_DC_RECEIVED, 4);
        a->command = FF_EC_BWR;
        a->adp = 0;
        return;
    }
    ff_request_read(p, a, FF_EC_REG_DC_UNIT, 8);
    if (p->cursor == 2 && anchor) a->adp = anchor->info.station;
}

/// local + offset - delay is the same at both: the time at which the frame passed the reference clock. If all clocks
/// were reset, distributed time continues from the last known value.
static ff_step_result handle_anchor(ff_master_slave *p, const uint8_t *data)
{
    const ff_master_slave *anchor = find_anchor(p);
    const uint64_t time = p->cursor > 0 ? ff_get_u64(data) : 0;
    const bool same = p->cursor < 3 || time == p->local_time;
    if (p->cursor == 1) p->local_time = time;
    if (p->cursor == 2) p->anchor_time = time;
    p->cursor = same ? p->cursor + 1 : 0;
    if (p->cursor < 4) return FF_STEP_RETRY;
    const uint64_t known_before =
        anchor ? p->anchor_time + anchor->info.clock_offset - anchor->info.clock_delay : p->master->reference_time;
    p->info.clock_offset = known_before - p->local_time + p->info.clock_delay;
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_restore_clock[] = {
    {.error = "its clock does not answer", .request = request_anchor, .handle = handle_anchor, .applies = has_clock},
    {.error = "its clock cannot be set", .request = request_offset, .applies = has_clock},
    {.error = "its clock cannot be set", .request = request_loop, .applies = has_clock},
    {0}};

// ------------------------------------------------------------------------------------------ topology

/// Is there communication at a port?
static bool is_open(const ff_master_slave *p, int port)
{
    return p->links >> (9 + 2 * port) & 1;
}

typedef struct branch {
    int parent, port; // of the parent to which the slave is connected; parent -1: the master
    unsigned used;    // ports that are in use, a bit each
} branch;

/// The first open and unused port away from the master, in the order of frames.
static int free_port(const ff_master_slave *p, const branch *b)
{
    for (int i = 1; i < FF_MASTER_PORTS; i++)
        if (is_open(p, ORDER[i]) && !(b->used >> ORDER[i] & 1)) return ORDER[i];
    return NO_PORT;
}

/// The parent of a slave is the last one before it that has an unused port.
static void find_branches(const ff_ec_master *m, branch *b)
{
    for (int i = 0; i < m->count; i++) {
        int parent = i - 1, port = NO_PORT;
        while (parent >= 0 && (port = free_port(&m->slaves[parent], &b[parent])) == NO_PORT) parent = b[parent].parent;
        b[i] = (branch){parent, port, 0};
        if (parent >= 0) b[parent].used |= 1U << port;
    }
}

// ------------------------------------------------------------------------------------------ delays

/// The open port that a frame passes before `port`; NO_PORT: the last open one.
static int port_before(const ff_master_slave *p, int port)
{
    int before = 0;
    for (int i = 0; i < FF_MASTER_PORTS && ORDER[i] != port; i++)
        if (is_open(p, ORDER[i])) before = ORDER[i];
    return before;
}

static uint32_t delay_behind(const ff_master_slave *p, int port, const ff_master_slave *c)
{
    const int before = port_before(p, port);
    const uint32_t round_trip = p->received[port] - p->received[before]; // 32 bits wrap
    const uint32_t within = c->received[port_before(c, NO_PORT)] - c->received[0];
    const uint32_t earlier = p->received[before] - p->received[0];
    return p->info.clock_delay + (round_trip > within ? (round_trip - within) / 2 : 0) + earlier;
}

bool ff_clocks_compute(ff_ec_master *m)
{
    branch b[FF_MASTER_SLAVES_MAX];
    find_branches(m, b);
    m->reference = -1;
    for (int i = 0; i < m->count; i++) {
        ff_master_slave *p = &m->slaves[i];
        p->info.clock_delay = 0;
        p->info.clock_offset = 0;
        if (!p->info.has_clock) continue;
        if (m->reference < 0) {
            m->reference = i;
            continue;
        }
        int port = b[i].port, parent = b[i].parent;
        while (parent >= 0 && !m->slaves[parent].info.has_clock) port = b[parent].port, parent = b[parent].parent;
        if (parent >= 0) p->info.clock_delay = delay_behind(&m->slaves[parent], port, p);
        p->info.clock_offset = m->slaves[m->reference].local_time - p->local_time + p->info.clock_delay;
    }
    return true;
}
