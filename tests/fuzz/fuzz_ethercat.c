// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames to four EtherCAT slaves, one of them of modules, one a coupler: whatever comes, a frame is dropped or comes
// back as long as it was, with its heads unchanged. The first byte says how far the slaves are started before; then
// follow steps, a byte each for what it is:
//     0-15    a datagram of that command: address (4 bytes), length (1), data
//     16      a frame of any bytes behind the Ethernet head: length / 4 (1), data
//     17      time passes: tens of microseconds (1)
//     18      a cable is cut or reconnected: station and port (1)
//     19      an emergency
//     20      power off and on: station (1)
#include "slave/master.h"

#include <stdlib.h>
#include <string.h>

enum { STATIONS = 4, HEAD = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t take(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static size_t take_bytes(input *in, uint8_t *to, size_t n)
{
    const size_t left = (size_t)(in->end - in->at), there = n < left ? n : left;
    memcpy(to, in->at, there);
    in->at += there;
    return n;
}

/// The whole frame, in memory of just its size, so that a sanitizer sees any byte beyond.
static void send(master *m, const uint8_t *frame, size_t size)
{
    uint8_t *copy = malloc(size);
    if (!copy) return;
    memcpy(copy, frame, size);
    m->now += 100000;
    const size_t got = ff_ec_segment_frame(m->segment, copy, size, m->now);
    if (got && (got != size || memcmp(copy + 12, frame + 12, HEAD - 12) != 0)) abort();
    if (got && copy[HEAD + 1] != frame[HEAD + 1]) abort(); // index of the first datagram
    free(copy);
}

static void send_datagram(master *m, input *in, uint8_t command)
{
    uint8_t frame[HEAD + 10 + 255 + 2] = {[12] = 0x88, [13] = 0xA4};
    frame[HEAD] = command;
    take_bytes(in, frame + HEAD + 2, 4);
    const uint8_t n = take(in);
    frame[HEAD + 6] = n;
    take_bytes(in, frame + HEAD + 10, n);
    frame[14] = (uint8_t)(n + 12);
    frame[15] = (uint8_t)(0x10 | (n + 12) >> 8);
    send(m, frame, HEAD + 12U + n);
}

static void send_any(master *m, input *in)
{
    uint8_t frame[14 + 4 * 255] = {[12] = 0x88, [13] = 0xA4};
    const size_t n = 4U * take(in);
    take_bytes(in, frame + 14, n);
    send(m, frame, 14 + n);
}

/// Scan, PRE-OP, OP, by the first byte.
static void start(master *m, uint8_t how)
{
    static const unsigned out_bytes[STATIONS] = {20, 4, 20, 0}, in_bytes[STATIONS] = {24, 32, 72, 0};
    master_slave slaves[STATIONS];
    uint8_t image[300] = {0};
    if (how % 4 == 0 || master_scan(m, slaves, STATIONS) != STATIONS || how % 4 == 1) return;
    for (int i = 0; i < STATIONS; i++) {
        slaves[i].out_bytes = out_bytes[i], slaves[i].in_bytes = in_bytes[i]; // sooner than to read the mapping
        if (master_preop(m, &slaves[i]) != FF_EC_PREOP) abort();              // a coupler takes sync managers, too
    }
    if (how % 4 == 2) return;
    const unsigned n = master_map(m, slaves, STATIONS);
    for (int i = 0; i < STATIONS; i++) master_request(m, slaves[i].station, FF_EC_SAFEOP);
    master_logical(m, LRW, 0, image, n);
    for (int i = 0; i < STATIONS; i++)
        if (master_request(m, slaves[i].station, FF_EC_OP) != FF_EC_OP) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ff_ec_drive drive;
    static ff_ec_force force;
    static ff_ec_drive axis;
    static ff_ec_imu imu;
    static const ff_ec_module modules[2] = {{&ff_ec_drive_device, &axis, NULL, "axis"},
                                            {&ff_ec_imu_device, &imu, NULL, "imu"}};
    const ff_ec_station line[STATIONS] = {{.device = &ff_ec_drive_device, .data = &drive},
                                          {.device = &ff_ec_force_device, .data = &force},
                                          {.device = &ff_ec_axes_device, .modules = modules, .nmodule = 2},
                                          {.device = &ff_ec_coupler_device}};
    input in = {bytes, bytes + size};
    master m = {.segment = ff_ec_segment_create(line, STATIONS, NULL)};
    if (!m.segment) abort();
    start(&m, take(&in));
    while (in.at < in.end) {
        const uint8_t what = take(&in), place = what == 18 || what == 20 ? take(&in) : 0;
        const uint8_t nothing[5] = {0};
        if (what < 16) send_datagram(&m, &in, what);
        if (what == 16) send_any(&m, &in);
        if (what == 17) ff_ec_segment_advance(m.segment, m.now += 10000U * take(&in));
        if (what == 18) ff_ec_station_connect(m.segment, place % STATIONS, place / 4 % 4, place & 0x80);
        if (what == 19) ff_ec_station_emergency(m.segment, 0, 0x8611, 0x20, nothing);
        if (what == 20) ff_ec_station_reset(m.segment, place % STATIONS, m.now);
    }
    ff_ec_segment_destroy(m.segment);
    return 0;
}
