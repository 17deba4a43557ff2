// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "stations/bus_master.h"

#include "base/bytes.h"
#include "hardware/device.h"

#include <stdio.h>

enum { NO_STAMP = 0xFFFF };

/// A condition that should hold; the first one that does not is reported.
static void expect(bus_master *b, bool holds, const char *slave, const char *what)
{
    if (holds) return;
    if (!b->wrong++) snprintf(b->why, sizeof b->why, "%s: %s", slave, what);
}

int bus_master_find(const bus_master *b, const char *name)
{
    for (int i = 0; i < b->nslave; i++)
        if (strcmp(b->names[i], name) == 0) return i;
    return -1;
}

uint64_t bus_master_time(bus_master *b)
{
    return master_read(&b->m, b->slaves[0].station, 0x0910, 8);
}

// ------------------------------------------------------------------------------------------ names

static uint8_t sii_byte(bus_master *b, uint16_t station, unsigned at)
{
    return (uint8_t)(master_sii(&b->m, station, (uint16_t)(at / 2)) >> 8 * (at % 2));
}

/// The string that category 30 (general) calls the name, of category 10 (strings).
static void read_name(bus_master *b, int slave)
{
    const uint16_t station = b->slaves[slave].station;
    unsigned strings = 0, number = 0;
    for (unsigned word = 0x40;;) {
        const uint32_t head = master_sii(&b->m, station, (uint16_t)word);
        if ((head & 0xFFFF) == 0xFFFF) break;
        if ((head & 0xFFFF) == 10) strings = 2 * word + 4;
        if ((head & 0xFFFF) == 30) number = sii_byte(b, station, 2 * word + 4 + 3);
        word += 2 + (head >> 16);
    }
    expect(b, strings && number, "EEPROM", "no strings or no name");
    unsigned at = strings + 1;
    for (unsigned i = 1; i < number; i++) at += 1U + sii_byte(b, station, at);
    const unsigned length = sii_byte(b, station, at);
    expect(b, length < NAME_MOST, "EEPROM", "a long name");
    for (unsigned i = 0; i < length && i + 1 < NAME_MOST; i++)
        b->names[slave][i] = (char)sii_byte(b, station, at + 1 + i);
}

// ------------------------------------------------------------------------------------------ mapping

/// Where an object lies in the process data of a slave; -1: it is not mapped.  [byte]
static int find_mapped(bus_master *b, int slave, bool output, unsigned index, unsigned sub)
{
    const uint16_t station = b->slaves[slave].station, assignment = output ? 0x1C12 : 0x1C13;
    unsigned bits = 0;
    const uint64_t pdos = master_get(&b->m, station, assignment, 0);
    for (uint64_t p = 1; p <= pdos; p++) {
        const uint16_t pdo = (uint16_t)master_get(&b->m, station, assignment, (uint8_t)p);
        const uint64_t entries = master_get(&b->m, station, pdo, 0);
        for (uint64_t k = 1; k <= entries; k++) {
            const uint64_t map = master_get(&b->m, station, pdo, (uint8_t)k);
            if (map >> 16 == index && (map >> 8 & 0xFF) == sub) return (int)(bits / 8);
            bits += map & 0xFF;
        }
    }
    return -1;
}

static unsigned place(bus_master *b, int slave, bool output, unsigned index, unsigned sub)
{
    const int at = find_mapped(b, slave, output, index, sub);
    const master_slave *s = &b->slaves[slave];
    expect(b, at >= 0, b->names[slave], "an object is not mapped");
    return (at < 0 ? 0U : (unsigned)at) + (output ? s->out_address : s->in_address - b->outputs);
}

static void add_object(bus_master *b, const char *slave, const char *name, const ff_object_row *row, size_t offset)
{
    if (b->nobject == OBJECTS_MOST) b->nobject--, expect(b, false, slave, "too many objects");
    snprintf(b->texts[b->nobject], sizeof b->texts[0], "%s", name);
    b->objects[b->nobject] =
        (ff_bus_object){slave, b->texts[b->nobject], row->index, row->sub, row->type, row->output, offset};
    b->nobject++;
}

/// A time of 64 bits behind the image of the wire.
static void add_time(bus_master *b, const char *slave, const char *name, unsigned stamp, unsigned known, uint32_t mask,
                     bool stays)
{
    const ff_object_row row = {name, 0x2001, 0, FF_BUS_I64, false};
    b->times[b->ntime].offset = b->layer_inputs;
    b->times[b->ntime].stamp = stamp;
    b->times[b->ntime].known = known;
    b->times[b->ntime].mask = mask;
    b->times[b->ntime++].stays = stays;
    add_object(b, slave, name, &row, b->layer_inputs);
    b->layer_inputs += 8;
}

static void add_rows(bus_master *b, int slave, const ff_object_row *rows, int n)
{
    for (int i = 0; i < n; i++)
        if (rows[i].index >= 0x6000)
            add_object(b, b->names[slave], rows[i].name, &rows[i],
                       place(b, slave, rows[i].output, rows[i].index, rows[i].sub));
}

static void add_drive(bus_master *b, int slave)
{
    const unsigned known = place(b, slave, false, 0x60FD, 0);
    add_rows(b, slave, ff_drive_objects, FF_DRIVE_OBJECT_COUNT);
    add_time(b, b->names[slave], "position_time", NO_STAMP, known, FF_EC_POSITION_KNOWN, false);
    add_time(b, b->names[slave], "encoder_time", NO_STAMP, known, FF_EC_JOINT_KNOWN, false);
}

static void add_sensor(bus_master *b, int slave, const ff_object_row *rows, int n, unsigned index, unsigned stamp,
                       unsigned count, uint32_t mask)
{
    add_rows(b, slave, rows, n);
    add_time(b, b->names[slave], "time", place(b, slave, false, index, stamp), place(b, slave, false, index, count),
             mask, true);
}

static int add_gateway(bus_master *b, int slave, const char *const *names, int count)
{
    const unsigned known = place(b, slave, false, 0x6030, 13);
    const int n = count < FF_EC_GATEWAY_CHANNELS ? count : FF_EC_GATEWAY_CHANNELS;
    for (int i = 0; i < n; i++) {
        char time[80];
        const ff_object_row row = {names[i], FF_GATEWAY_INDEX, 1, FF_BUS_F64, false};
        snprintf(time, sizeof time, "%s.time", names[i]);
        add_object(b, FF_GATEWAY_SLAVE, names[i], &row, place(b, slave, false, 0x6030, (unsigned)i + 1));
        add_time(b, FF_GATEWAY_SLAVE, time, place(b, slave, false, 0x6030, (unsigned)i + 7), known, UINT32_C(1) << i,
                 false);
    }
    return n;
}

/// An item that is on no wire: its time stays unknown.
static void add_absent(bus_master *b, const char *name)
{
    char time[80];
    const ff_object_row row = {name, FF_GATEWAY_INDEX, 1, FF_BUS_F64, false};
    snprintf(time, sizeof time, "%s.time", name);
    add_object(b, FF_GATEWAY_SLAVE, name, &row, b->layer_inputs);
    b->layer_inputs += 8;
    add_time(b, FF_GATEWAY_SLAVE, time, NO_STAMP, 0, 0, false);
}

void bus_master_start(bus_master *b, const char *const *names, int count)
{
    int given = 0;
    b->nslave = master_scan(&b->m, b->slaves, STATIONS_MOST);
    for (int i = 0; i < b->nslave; i++) {
        const uint8_t both[6] = {2, 0, 0x00, 0x1A, 0x01, 0x1A}; // force sensors: with the times of samples
        read_name(b, i);
        b->revisions[i] = master_sii(&b->m, b->slaves[i].station, 0x0C);
        if (b->slaves[i].product == 0x0600) continue; // a coupler has no mailbox
        expect(b, master_preop(&b->m, &b->slaves[i]) == FF_EC_PREOP, b->names[i], "no PRE-OP");
        if (b->slaves[i].product == 0x0601)
            expect(b, !master_download(&b->m, b->slaves[i].station, 0x1C13, 0, true, both, 6), b->names[i],
                   "no second PDO");
        expect(b, master_mapping(&b->m, &b->slaves[i]), b->names[i], "no mapping");
        b->outputs += b->slaves[i].out_bytes;
        b->inputs += b->slaves[i].in_bytes;
    }
    const unsigned bytes = master_map(&b->m, b->slaves, b->nslave);
    expect(b, bytes == b->outputs + b->inputs && bytes < IMAGE_MOST, "image", "another length");
    b->layer_inputs = b->inputs;
    for (int i = 0; i < b->nslave; i++) switch (b->slaves[i].product) {
        case 0x0402:
            add_drive(b, i);
            break;
        case 0x0601:
            add_sensor(b, i, ff_force_objects, FF_FORCE_OBJECT_COUNT, 0x6000, 9, 8, UINT32_MAX);
            break;
        case 0x0602:
            add_sensor(b, i, ff_imu_objects, FF_IMU_OBJECT_COUNT, 0x6010, 13, 12, 0xFFFF);
            break;
        case 0x0604:
            given += add_gateway(b, i, names + given, count - given);
            break;
        default:
            break; // modules are not for this master
        }
    for (; given < count; given++) add_absent(b, names[given]);
    b->state = FF_BUS_INIT;
}

// ------------------------------------------------------------------------------------------ functions of a field bus

/// All of 32 bits that time had last.
static int64_t unwrap(uint32_t stamp, uint64_t now)
{
    return (int64_t)(now - (uint32_t)((uint32_t)now - stamp));
}

/// @return whether the working counter is right
static bool exchange(bus_master *b, int command, uint32_t at, uint8_t *data, unsigned n, unsigned expected)
{
    const int counter = master_logical(&b->m, command, at, data, n);
    expect(b, counter == (int)expected, "process data", "working counter");
    return counter == (int)expected;
}

/// Stations that have outputs or inputs.
static unsigned count_slaves(const bus_master *b, bool output)
{
    unsigned n = 0;
    for (int i = 0; i < b->nslave; i++) n += (output ? b->slaves[i].out_bytes : b->slaves[i].in_bytes) > 0;
    return n;
}

static bool copy_rx(void *context, unsigned char *inputs)
{
    bus_master *b = context;
    if (b->state < FF_BUS_SAFE_OP) return false;
    if (!exchange(b, LRD, b->outputs, b->in, b->inputs, count_slaves(b, false))) return false;
    const uint64_t now = bus_master_time(b);
    memcpy(inputs, b->in, b->inputs);
    for (int i = 0; i < b->ntime; i++) {
        const bool known = ff_get_u32(b->in + b->times[i].known) & b->times[i].mask;
        b->times[i].was_known = known || (b->times[i].stays && b->times[i].was_known);
        const int64_t time =
            b->times[i].stamp == NO_STAMP ? (int64_t)now : unwrap(ff_get_u32(b->in + b->times[i].stamp), now);
        ff_put_i64(inputs + b->times[i].offset, b->times[i].was_known ? time : -1);
    }
    return true;
}

static void copy_tx(void *context, const unsigned char *outputs)
{
    bus_master *b = context;
    memcpy(b->out, outputs, b->outputs);
}

static ff_status send(void *context, double t, ff_error *err)
{
    bus_master *b = context;
    (void)t;
    if (b->state < FF_BUS_SAFE_OP || exchange(b, LWR, 0, b->out, b->outputs, count_slaves(b, true))) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "a working counter is wrong");
}

/// Upward one state at a time.
static ff_bus_state request_state(void *context, ff_bus_state wanted)
{
    bus_master *b = context;
    if (wanted == b->state) return b->state;
    b->state = wanted > b->state ? (ff_bus_state)(2 * (int)b->state) : wanted;
    for (int i = 0; i < b->nslave; i++)
        expect(b, master_request(&b->m, b->slaves[i].station, (unsigned)b->state) == (unsigned)b->state, b->names[i],
               "state");
    return b->state;
}

static ff_status sdo_read(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err)
{
    bus_master *b = context;
    const int i = bus_master_find(b, slave);
    const uint64_t got = i < 0 ? UINT64_MAX : master_get(&b->m, b->slaves[i].station, index, sub);
    if (got == UINT64_MAX) return ff_error_set(err, FF_NOT_FOUND, "no object %04X:%02X of '%s'", index, sub, slave);
    *value = (int64_t)got;
    return FF_OK;
}

static ff_status sdo_write(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t value, ff_error *err)
{
    bus_master *b = context;
    const int i = bus_master_find(b, slave);
    const uint32_t code = i < 0 ? 1 : master_put(&b->m, b->slaves[i].station, index, sub, (uint64_t)value, 1);
    if (code) return ff_error_set(err, FF_NOT_FOUND, "%04X:%02X of '%s': abort %08X", index, sub, slave, code);
    return FF_OK;
}

ff_field_bus bus_master_functions(bus_master *b)
{
    return (ff_field_bus){.context = b,
                          .objects = b->objects,
                          .nobject = b->nobject,
                          .inputs = b->layer_inputs,
                          .outputs = b->outputs,
                          .period = b->period,
                          .copy_rx = copy_rx,
                          .copy_tx = copy_tx,
                          .send = send,
                          .request_state = request_state,
                          .sdo_read = sdo_read,
                          .sdo_write = sdo_write};
}
