// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A segment: slaves, the cables between them, and time. A frame enters a slave by port 0, is processed, leaves by port
// 3, returns, leaves by 1, then by 2, and returns by port 0; ports without a connected cable are skipped. The stations
// therefore form a tree that is walked depth first. The arrival of a frame at each port follows from the times of
// flight, and is what a master measures.
#include "slave/slave.h"

#include <stdlib.h>

enum { STATIONS_MOST = 1000, HOP_NS = 500, PORT_MII = 3, LOOP_CLOSED = 3 };
static const int port_order[] = {3, 1, 2};

// ------------------------------------------------------------------------------------------ route

static bool is_closed(const ff_ec_slave *slave, int port)
{
    return (slave->esc.memory[FF_EC_REG_DL_CONTROL + 1] >> (2 * port) & 3) == LOOP_CLOSED;
}

static bool has_link(const ff_ec_slave *slave, int port)
{
    return (port == 0 || slave->child[port] >= 0) && !slave->broken[port];
}

/// @return time at which the frame returns to port 0
static uint32_t visit(ff_ec_segment *segment, int station, uint32_t time)
{
    ff_ec_slave *slave = &segment->slaves[station];
    slave->reached = true;
    slave->esc.arrival[0] = time;
    segment->route[segment->nroute++] = station;
    for (int i = 0; i < 3; i++) {
        const int port = port_order[i];
        slave->esc.arrival[port] = 0;
        if (!has_link(slave, port) || is_closed(slave, port)) continue;
        const uint32_t hop = segment->slaves[slave->child[port]].station.hop_ns;
        time = visit(segment, slave->child[port], time + hop) + hop;
        slave->esc.arrival[port] = time;
    }
    return time;
}

/// Register 0x0110: communication, and which ports have a link, a closed loop, a partner.
static void update_link_status(ff_ec_slave *slave)
{
    unsigned status = 1;
    for (int p = 0; p < FF_EC_PORTS; p++) {
        const bool link = has_link(slave, p), open = link && (p == 0 || !is_closed(slave, p));
        status |= (unsigned)link << (4 + p) | (unsigned)!open << (8 + 2 * p) | (unsigned)open << (9 + 2 * p);
    }
    uint8_t *memory = slave->esc.memory;
    if (status != ff_ec_reg16(&slave->esc, FF_EC_REG_DL_STATUS)) memory[FF_EC_REG_EVENT] |= FF_EC_EVENT_DL;
    ff_put_u16(memory + FF_EC_REG_DL_STATUS, (uint16_t)status);
}

/// Determines which stations frames reach, and when.
static void find_route(ff_ec_segment *segment)
{
    segment->nroute = 0;
    for (int i = 0; i < segment->count; i++) segment->slaves[i].reached = false;
    if (!segment->slaves[0].broken[0]) visit(segment, 0, 0);
    for (int i = 0; i < segment->count; i++) update_link_status(&segment->slaves[i]);
}

// ------------------------------------------------------------------------------------------ time

static void expire(ff_ec_slave *slave)
{
    uint8_t *memory = slave->esc.memory;
    slave->esc.watchdog = UINT64_MAX;
    memory[FF_EC_REG_WD_STATUS] = 0;
    if (memory[FF_EC_REG_WD_COUNT] < 0xFF) memory[FF_EC_REG_WD_COUNT]++;
    if (slave->state == FF_EC_OP) ff_ec_al_fail(slave, FF_EC_SAFEOP, FF_EC_AL_WATCHDOG);
}

static void check_watchdog(ff_ec_slave *slave, uint64_t now)
{
    if (now >= slave->esc.watchdog) expire(slave);
}

void ff_ec_segment_check_watchdogs(ff_ec_segment *segment, uint64_t now)
{
    for (int i = 0; i < segment->count; i++) check_watchdog(&segment->slaves[i], now);
}

/// Counts missing outputs; the third consecutive one ends OP (a choice of the project).
static void sync0(ff_ec_slave *slave, uint64_t time)
{
    enum { MISSED_MOST = 3 };
    if (slave->state >= FF_EC_SAFEOP) ff_ec_modules_sync0(slave, time);
    if (slave->state != FF_EC_OP || !slave->maps[FF_EC_OUT].bytes) return;
    if (slave->outputs_fresh) {
        slave->syncs_missed = 0;
    } else {
        slave->common.sync[FF_EC_OUT].missed++;
        if (++slave->syncs_missed == MISSED_MOST) ff_ec_al_fail(slave, FF_EC_SAFEOP, FF_EC_AL_SYNC_ERROR);
    }
    slave->outputs_fresh = false;
}

void ff_ec_segment_advance(ff_ec_segment *segment, uint64_t now)
{
    for (int i = 0; i < segment->count; i++) {
        ff_ec_slave *slave = &segment->slaves[i];
        uint64_t time;
        check_watchdog(slave, now);
        while (ff_ec_clock_sync0(&slave->esc, now, &time)) sync0(slave, time);
        if (slave->state >= FF_EC_SAFEOP) ff_ec_process_sample_inputs(slave);
    }
}

bool ff_ec_segment_exchanged(ff_ec_segment *segment)
{
    int due = 0, done = 0;
    for (int i = 0; i < segment->nroute; i++) {
        const ff_ec_slave *slave = &segment->slaves[segment->route[i]];
        const bool takes = slave->state >= FF_EC_SAFEOP && slave->maps[FF_EC_OUT].bytes > 0;
        due += takes;
        done += takes && slave->exchanged;
    }
    if (!due || done < due) return false;
    for (int i = 0; i < segment->count; i++) segment->slaves[i].exchanged = false;
    return true;
}

/// Handles the work of a slave; changes of sync managers come first, since the rest depends on them.
static void serve(ff_ec_slave *slave, unsigned work, uint64_t now)
{
    if (work & FF_EC_WORK_LATCH) ff_ec_clock_latch(&slave->esc);
    if (work & FF_EC_WORK_SM) ff_ec_al_supervise(slave);
    if (work & FF_EC_WORK_AL) ff_ec_al_request(slave, now);
    if (work & (FF_EC_WORK_MAILBOX | FF_EC_WORK_SM)) ff_ec_mailbox_serve(slave);
    if (!(work & FF_EC_WORK_OUTPUTS) || slave->state < FF_EC_SAFEOP) return;
    slave->outputs_seen = slave->exchanged = true;
    if (slave->state == FF_EC_OP) ff_ec_process_apply_outputs(slave, now);
    ff_ec_process_sample_inputs(slave);
}

void ff_ec_segment_serve(ff_ec_segment *segment, uint64_t now)
{
    unsigned all = 0;
    for (int i = 0; i < segment->nroute; i++) {
        ff_ec_slave *slave = &segment->slaves[segment->route[i]];
        const unsigned work = slave->esc.work;
        slave->esc.work = 0;
        all |= work;
        if (work) serve(slave, work, now);
    }
    if (all & FF_EC_WORK_LOOPS) find_route(segment);
}

// ------------------------------------------------------------------------------------------ creation

static ff_status connect_station(ff_ec_segment *segment, int i, ff_error *err)
{
    ff_ec_slave *slave = &segment->slaves[i];
    const ff_ec_station *station = &slave->station;
    slave->parent = station->behind ? station->behind - 1 : i - 1;
    slave->parent_port = station->port ? station->port : 1;
    if (i == 0) {
        slave->parent = -1;
        return FF_OK;
    }
    if (slave->parent < 0 || slave->parent >= i)
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d is connected to station %d, which must precede it", i + 1,
                            station->behind);
    if (slave->parent_port < 1 || slave->parent_port >= FF_EC_PORTS)
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d is connected to port %d: expected 1, 2 or 3", i + 1,
                            slave->parent_port);
    ff_ec_slave *parent = &segment->slaves[slave->parent];
    if (parent->child[slave->parent_port] >= 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "stations %d and %d are connected to the same port %d of station %d",
                            parent->child[slave->parent_port] + 1, i + 1, slave->parent_port, slave->parent + 1);
    parent->child[slave->parent_port] = i;
    parent->esc.memory[FF_EC_REG_PORTS] |= (uint8_t)(PORT_MII << (2 * slave->parent_port));
    return FF_OK;
}

static ff_status power_up(ff_ec_segment *segment, int i, ff_error *err)
{
    ff_ec_slave *slave = &segment->slaves[i];
    slave->esc.sii = slave->sii;
    slave->vendor = slave->station.device->vendor;
    slave->revision = slave->station.device->revision | (uint32_t)slave->station.variant << 16;
    slave->esc.clock.drift = slave->station.drift;
    if (!slave->station.hop_ns) slave->station.hop_ns = HOP_NS;
    ff_ec_object_presets(slave);
    if (!ff_ec_process_map(slave, FF_EC_OUT) || !ff_ec_process_map(slave, FF_EC_IN))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "device '%s': its PDOs map objects that cannot be mapped, with a wrong length, "
                            "or more than %d bytes",
                            slave->station.device->name, ff_ec_device_area(slave->station.device, FF_EC_IN).most);
    if (!ff_ec_sii_build(slave))
        return ff_error_set(err, FF_LIMIT, "device '%s': its names exceed the %d bytes of its EEPROM",
                            slave->station.device->name, FF_EC_SII_SIZE);
    ff_ec_station_reset(segment, i, 0);
    slave->esc.clock.local = slave->station.clock;
    return FF_OK;
}

/// A station without modules is treated as one module.
static ff_status set_modules(ff_ec_slave *slave, int number, ff_error *err)
{
    const ff_ec_station *s = &slave->station;
    slave->nmodule = s->nmodule ? s->nmodule : 1;
    slave->modules[0] = (ff_ec_module){s->device, s->data, s->behaviour, s->name};
    if (!s->nmodule) return FF_OK;
    memcpy(slave->modules, s->modules, (size_t)s->nmodule * sizeof *s->modules);
    return ff_ec_modules_merge(slave, number, err);
}

static ff_status set_up(ff_ec_segment *segment, const ff_ec_station *stations, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < segment->count && !status; i++) {
        ff_ec_slave *slave = &segment->slaves[i];
        slave->station = stations[i];
        for (int p = 0; p < FF_EC_PORTS; p++) slave->child[p] = -1;
        slave->esc.memory[FF_EC_REG_PORTS] = PORT_MII | PORT_MII << 2;
        status = ff_ec_device_check(&stations[i], i, err);
        if (!status) status = set_modules(slave, i, err);
        if (!status) status = connect_station(segment, i, err);
    }
    for (int i = 0; i < segment->count && !status; i++) status = power_up(segment, i, err);
    if (status) return status;
    find_route(segment);
    for (int i = 0; i < segment->count; i++)
        if (segment->route[i] != i)
            return ff_error_set(
                err, FF_BAD_ARGUMENT,
                "station %d is listed where frames pass station %d: behind a station, list those at its "
                "port 3 first, then 1, then 2",
                i + 1, segment->route[i] + 1);
    return FF_OK;
}

ff_ec_segment *ff_ec_segment_create(const ff_ec_station *stations, int count, ff_error *err)
{
    if (!stations || count < 1 || count > STATIONS_MOST) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a segment of %d stations: 1 to %d are supported", count, STATIONS_MOST);
        return NULL;
    }
    ff_ec_segment *segment = calloc(1, sizeof *segment);
    if (segment) {
        segment->count = count;
        segment->slaves = calloc((size_t)count, sizeof *segment->slaves);
        segment->route = calloc((size_t)count, sizeof *segment->route);
    }
    if (!segment || !segment->slaves || !segment->route)
        ff_error_set(err, FF_NO_MEMORY, "no memory for %d stations", count);
    else if (!set_up(segment, stations, err))
        return segment;
    ff_ec_segment_destroy(segment);
    return NULL;
}

void ff_ec_segment_destroy(ff_ec_segment *segment)
{
    if (!segment) return;
    for (int i = 0; i < segment->count && segment->slaves; i++) ff_ec_merged_destroy(segment->slaves[i].merged);
    free(segment->slaves);
    free(segment->route);
    free(segment);
}

// ------------------------------------------------------------------------------------------ stations

ff_ec_state ff_ec_station_state(const ff_ec_segment *segment, int station, uint16_t *code)
{
    const ff_ec_slave *slave = &segment->slaves[station];
    if (code) *code = ff_ec_reg16(&slave->esc, FF_EC_REG_AL_CODE);
    return slave->state;
}

uint64_t ff_ec_station_time(const ff_ec_segment *segment, int station, uint64_t now)
{
    return ff_ec_clock_time(&segment->slaves[station].esc, now);
}

const ff_ec_device *ff_ec_station_device(const ff_ec_segment *segment, int station)
{
    return segment->slaves[station].station.device;
}

const unsigned char *ff_ec_station_sii(const ff_ec_segment *segment, int station, size_t *size)
{
    if (size) *size = FF_EC_SII_SIZE;
    return segment->slaves[station].sii;
}

static void set_cable(ff_ec_slave *slave, int port, bool connected)
{
    uint8_t *lost = &slave->esc.memory[FF_EC_REG_LOST_LINK + port];
    if (!connected && !slave->broken[port] && *lost < 0xFF) (*lost)++;
    slave->broken[port] = !connected;
}

bool ff_ec_station_has_cable(const ff_ec_segment *segment, int station, int port)
{
    if (station < 0 || station >= segment->count || port < 0 || port >= FF_EC_PORTS) return false;
    return port == 0 || segment->slaves[station].child[port] >= 0;
}

bool ff_ec_station_connect(ff_ec_segment *segment, int station, int port, bool connected)
{
    if (!ff_ec_station_has_cable(segment, station, port)) return false;
    ff_ec_slave *slave = &segment->slaves[station];
    set_cable(slave, port, connected);
    if (port > 0)
        set_cable(&segment->slaves[slave->child[port]], 0, connected);
    else if (slave->parent >= 0)
        set_cable(&segment->slaves[slave->parent], slave->parent_port, connected);
    find_route(segment);
    return true;
}

void ff_ec_station_expire(ff_ec_segment *segment, int station)
{
    expire(&segment->slaves[station]);
}

void ff_ec_segment_end(ff_ec_segment *segment)
{
    for (int i = 0; i < segment->count; i++) {
        ff_ec_slave *slave = &segment->slaves[i];
        slave->ended = true;
        if (slave->state > FF_EC_INIT)
            ff_ec_al_fail(slave, slave->state == FF_EC_OP ? FF_EC_SAFEOP : slave->state, FF_EC_AL_ENDED);
    }
}

void ff_ec_station_set_vendor(ff_ec_segment *segment, int station, uint32_t vendor)
{
    ff_ec_slave *slave = &segment->slaves[station];
    slave->vendor = slave->common.identity[0] = vendor;
    ff_put_u32(slave->sii + 2 * FF_SII_VENDOR, vendor);
}

void ff_ec_station_reset(ff_ec_segment *segment, int station, uint64_t now)
{
    ff_ec_slave *slave = &segment->slaves[station];
    const ff_ec_state from = slave->state;
    ff_ec_esc_reset(&slave->esc, now);
    ff_ec_object_presets(slave);
    ff_ec_modules_preset(slave);
    memset(&slave->mailbox, 0, sizeof slave->mailbox);
    slave->transfer.direction = FF_EC_IDLE;
    slave->state = FF_EC_INIT;
    slave->outputs_seen = slave->bus_failed = false;
    slave->own_error = 0;
    if (from && from != FF_EC_INIT) ff_ec_modules_state(slave, from, FF_EC_INIT, 0);
    find_route(segment);
}
