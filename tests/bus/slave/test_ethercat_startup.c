// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Start-up, datagram by datagram as public masters do it, from the first broadcast to cyclic process data, also with
// lost frames.
#include "check.h"
#include "slave/master.h"
#include "support/allocations.h"

enum { MOST = 24 };

static ff_ec_drive drives[MOST];

static ff_ec_segment *line_of_drives(int n)
{
    static ff_ec_station line[MOST];
    memset(drives, 0, sizeof drives);
    for (int i = 0; i < n; i++)
        line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i], .serial = (uint32_t)(100 + i)};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(line, n, &err);
    if (!segment) CHECK_FAIL("%s", err.text);
    return segment;
}

static void put(uint8_t *to, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/// To OP; fails the test where a step does not lead on. @return bytes of the process image
static unsigned start(master *m, master_slave *slaves, int n)
{
    CHECK_INT(master_scan(m, slaves, MOST), n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(slaves[i].vendor, FF_EC_VENDOR);
        CHECK_INT(slaves[i].product, 0x0402);
        CHECK_INT(master_preop(m, &slaves[i]), FF_EC_PREOP);
        CHECK(master_mapping(m, &slaves[i]));
        CHECK_INT(slaves[i].out_bytes, 20);
        CHECK_INT(slaves[i].in_bytes, 24);
    }
    const unsigned bytes = master_map(m, slaves, n);
    for (int i = 0; i < n; i++) CHECK_INT(master_request(m, slaves[i].station, FF_EC_SAFEOP), FF_EC_SAFEOP);
    uint8_t image[1200] = {0};
    for (int tries = 0; tries < 20; tries++)
        if (master_logical(m, LRW, 0, image, bytes) == (int)master_expected(slaves, n)) break;
    for (int i = 0; i < n; i++) CHECK_INT(master_request(m, slaves[i].station, FF_EC_OP), FF_EC_OP);
    return bytes;
}

static void process_data_flow(int n)
{
    master m = {.segment = line_of_drives(n)};
    master_slave slaves[MOST];
    const unsigned bytes = start(&m, slaves, n);
    CHECK_INT(bytes, 44 * n);
    uint8_t image[1200];
    for (int cycle = 1; cycle <= 5; cycle++) {
        memset(image, 0, sizeof image);
        for (int i = 0; i < n; i++) {
            put(image + slaves[i].out_address, 0x0F, 2);
            put(image + slaves[i].out_address + 2, (uint64_t)(1000 * i + cycle), 4);
            drives[i].status = 0x1237;
            drives[i].position = -1000 * i - cycle;
        }
        ff_ec_segment_advance(m.segment, m.now);
        CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 3 * n);
        for (int i = 0; i < n; i++) {
            CHECK_INT(drives[i].control, 0x0F);
            CHECK_INT(drives[i].target_position, 1000 * i + cycle);
            CHECK_INT(get(image + slaves[i].in_address, 2), 0x1237);
            CHECK_INT((int32_t)get(image + slaves[i].in_address + 2, 4), -1000 * i - cycle);
        }
    }
    // the third FMMU shows the state of the mailbox of each slave
    uint8_t states[MOST] = {0};
    const uint8_t nothing[5] = {0};
    CHECK(ff_ec_station_emergency(m.segment, n - 1, 0x8611, 0x20, nothing));
    CHECK_INT(master_logical(&m, LRD, bytes, states, (unsigned)n), n);
    for (int i = 0; i < n; i++) CHECK_INT(states[i] & 8, i == n - 1 ? 8 : 0);
    ff_ec_segment_destroy(m.segment);
}

TEST(one_drive_starts_and_exchanges_process_data)
{
    process_data_flow(1);
}

TEST(four_drives_start_and_exchange_process_data)
{
    process_data_flow(4);
}

TEST(twenty_four_drives_start_and_exchange_process_data)
{
    process_data_flow(24);
}

TEST(frames_allocate_nothing)
{
    master m = {.segment = line_of_drives(4)};
    master_slave slaves[4];
    const long long before = allocation_calls;
    const unsigned bytes = start(&m, slaves, 4);
    uint8_t image[200] = {0};
    for (int cycle = 0; cycle < 10; cycle++) {
        CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 12);
        ff_ec_segment_advance(m.segment, m.now);
    }
    CHECK_INT(allocation_calls, before);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_slave_in_two_datagrams_is_counted_in_both)
{
    master m = {.segment = line_of_drives(2)};
    master_slave slaves[2];
    const unsigned bytes = start(&m, slaves, 2); // outputs 0-19, 20-39, inputs 40-63, 64-87
    uint8_t image[1200] = {0};
    put(image + 2, 0x11223344, 4);
    put(image + 22, 0x55667788, 4);
    CHECK_INT(master_logical(&m, LRW, 0, image, 30), 2 + 2); // first drive, half of the second
    CHECK_INT(drives[0].target_position, 0x11223344);
    CHECK_INT(drives[1].target_position, 0); // not before the last byte
    CHECK_INT(master_logical(&m, LRW, 30, image + 30, bytes - 30), 2 + 1 + 1);
    CHECK_INT(drives[1].target_position, 0x55667788);
    // inputs that are read in two parts are of one time, whatever is sampled in between
    for (int i = 1; i <= 3; i++) {
        drives[0].status = (uint16_t)i, drives[0].error_code = (uint16_t)i;
        ff_ec_segment_advance(m.segment, m.now);
        CHECK_INT(master_logical(&m, LRD, 40, image, 10), 1);
        drives[0].status = 99, drives[0].error_code = 99;
        ff_ec_segment_advance(m.segment, m.now);
        CHECK_INT(master_logical(&m, LRD, 50, image + 10, 14), 1);
        CHECK_INT(get(image, 2), i);
        CHECK_INT(get(image + 20, 2), i);
    }
    ff_ec_segment_destroy(m.segment);
}

TEST(the_compact_mapping_is_chosen_by_assignment)
{
    master m = {.segment = line_of_drives(1)};
    master_slave s;
    CHECK_INT(master_scan(&m, &s, 1), 1);
    CHECK_INT(master_preop(&m, &s), FF_EC_PREOP);
    CHECK_INT(master_put(&m, s.station, 0x1C12, 0, 0, 1), 0);
    CHECK_INT(master_put(&m, s.station, 0x1C12, 1, 0x1601, 2), 0);
    CHECK_INT(master_put(&m, s.station, 0x1C12, 0, 1, 1), 0);
    const uint8_t inputs[4] = {1, 0, 0x01, 0x1A}; // the same at once
    CHECK_INT(master_download(&m, s.station, 0x1C13, 0, true, inputs, 4), 0);
    CHECK(master_mapping(&m, &s));
    CHECK_INT(s.out_bytes, 8);
    CHECK_INT(s.in_bytes, 12);
    uint8_t image[20] = {0};
    CHECK_INT(master_map(&m, &s, 1), 20);
    CHECK_INT(master_request(&m, s.station, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 20), 3);
    CHECK_INT(master_request(&m, s.station, FF_EC_OP), FF_EC_OP);
    drives[0].torque = -77;
    ff_ec_segment_advance(m.segment, m.now);
    put(image, 6, 2);
    put(image + 6, 0xFFFE, 2);
    CHECK_INT(master_logical(&m, LRW, 0, image, 20), 3);
    CHECK_INT(drives[0].control, 6);
    CHECK_INT(drives[0].target_torque, -2);
    CHECK_INT((int16_t)get(image + 18, 2), -77);
    ff_ec_segment_destroy(m.segment);
}

// The recorded cyclic frame with compact mapping: LRW of 60 bytes and the distributed time by FRMW.
TEST(the_recorded_cyclic_frame_has_its_working_counters)
{
    enum { LRW_AT = 16, FRMW_AT = LRW_AT + 12 + 60, SIZE = FRMW_AT + 12 + 8 };
    master m = {.segment = line_of_drives(3)};
    master_slave slaves[3];
    CHECK_INT(master_scan(&m, slaves, 3), 3);
    for (int i = 0; i < 3; i++) {
        const uint8_t outputs[4] = {1, 0, 0x01, 0x16}, inputs[4] = {1, 0, 0x01, 0x1A};
        CHECK_INT(master_preop(&m, &slaves[i]), FF_EC_PREOP);
        CHECK_INT(master_download(&m, slaves[i].station, 0x1C12, 0, true, outputs, 4), 0);
        CHECK_INT(master_download(&m, slaves[i].station, 0x1C13, 0, true, inputs, 4), 0);
        CHECK(master_mapping(&m, &slaves[i]));
    }
    CHECK_INT(master_map(&m, slaves, 3), 60);
    for (int i = 0; i < 3; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_SAFEOP), FF_EC_SAFEOP);
    uint8_t frame[SIZE] = {[12] = 0x88, 0xA4, 0x5C, 0x10}; // length 0x05C = 12 + 60 + 12 + 8
    const uint8_t lrw[10] = {0x0C, 0x21, 0, 0, 0, 0, 0x3C, 0x80}, frmw[10] = {0x0E, 0x21, 0x01, 0x10, 0x10, 0x09, 8};
    memcpy(frame + LRW_AT, lrw, 10);
    memcpy(frame + FRMW_AT, frmw, 10);
    CHECK_INT(ff_ec_segment_frame(m.segment, frame, SIZE, m.now), SIZE);
    CHECK_INT(get(frame + FRMW_AT - 2, 2), 9);
    CHECK_INT(get(frame + SIZE - 2, 2), 3);
    CHECK_INT(get(frame + FRMW_AT + 10, 8), m.now); // the first drive's clock, which starts at 0
    for (int i = 0; i < 3; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_OP), FF_EC_OP);
    ff_ec_segment_destroy(m.segment);
}

// Stations behind a cut cable keep their address, fall to SAFE-OP by their watchdog, and return to OP on request.
TEST(a_cable_is_cut_and_repaired_in_op)
{
    master m = {.segment = line_of_drives(4), .step = 1000000};
    master_slave slaves[4];
    const unsigned bytes = start(&m, slaves, 4);
    uint8_t image[200] = {0};
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 12);
    CHECK(ff_ec_station_connect(m.segment, 1, 1, false));
    for (int cycle = 0; cycle < 110; cycle++) { // 110 ms
        CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 6);
        ff_ec_segment_advance(m.segment, m.now);
    }
    for (int i = 0; i < 4; i++) {
        uint16_t code;
        CHECK_INT(ff_ec_station_state(m.segment, i, &code), i < 2 ? FF_EC_OP : FF_EC_SAFEOP);
        CHECK_INT(code, i < 2 ? 0 : 0x001B);
    }
    CHECK(ff_ec_station_connect(m.segment, 2, 0, true)); // the same cable, from its other end
    for (int i = 2; i < 4; i++) {
        CHECK_INT(master_read(&m, slaves[i].station, 0x0130, 2), 0x14);
        CHECK_INT(master_request(&m, slaves[i].station, 0x14), FF_EC_SAFEOP);
    }
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 12);
    for (int i = 2; i < 4; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_OP), FF_EC_OP);
    ff_ec_segment_destroy(m.segment);
}

// 2 % of frames lost before and 2 % behind the slaves. With duplicates dropped and responses repeated, start-up reaches
// OP with the right sizes in every case; each seed loses other frames.
TEST(start_up_survives_lost_frames)
{
    int lost = 0, repeats = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        master m = {.segment = line_of_drives(3), .loss = 0.02, .random = seed};
        master_slave slaves[MOST];
        start(&m, slaves, 3);
        lost += m.lost;
        repeats += m.repeats;
        ff_ec_segment_destroy(m.segment);
    }
    CHECK(lost > 200); // about 500 frames a start, each lost with 4 %: 400 in 20 starts
    CHECK(repeats > 20);
}

// Without the repeat, a master takes a lost response for a missing object.
TEST(without_the_repeat_request_some_start_up_fails)
{
    int wrong = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        master m = {.segment = line_of_drives(3), .loss = 0.02, .random = seed, .never_repeats = true};
        master_slave slaves[MOST];
        CHECK_INT(master_scan(&m, slaves, MOST), 3);
        for (int i = 0; i < 3; i++) {
            CHECK_INT(master_preop(&m, &slaves[i]), FF_EC_PREOP);
            wrong += !master_mapping(&m, &slaves[i]);
        }
        ff_ec_segment_destroy(m.segment);
    }
    CHECK(wrong > 0);
}

TEST(sensors_and_drives_start_together)
{
    static ff_ec_drive drive;
    static ff_ec_force force;
    static ff_ec_imu imu;
    static ff_ec_switches switches;
    const ff_ec_station line[] = {{.device = &ff_ec_drive_device, .data = &drive},
                                  {.device = &ff_ec_force_device, .data = &force},
                                  {.device = &ff_ec_imu_device, .data = &imu},
                                  {.device = &ff_ec_switches_device, .data = &switches}};
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(line, 4, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    master_slave slaves[MOST];
    const unsigned out[4] = {20, 4, 0, 0}, in[4] = {24, 32, 48, 4};
    CHECK_INT(master_scan(&m, slaves, MOST), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(master_preop(&m, &slaves[i]), FF_EC_PREOP);
        CHECK(master_mapping(&m, &slaves[i]));
        CHECK_INT(slaves[i].out_bytes, out[i]);
        CHECK_INT(slaves[i].in_bytes, in[i]);
    }
    const unsigned bytes = master_map(&m, slaves, 4);
    for (int i = 0; i < 4; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_SAFEOP), FF_EC_SAFEOP);
    uint8_t image[200] = {0};
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 3 + 3 + 1 + 1);
    for (int i = 0; i < 4; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_OP), FF_EC_OP);
    imu.quaternion[0] = 1.0f;
    switches.limits = 0xBEEF;
    ff_ec_segment_advance(m.segment, m.now);
    put(image + slaves[1].out_address, 1, 4);
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 8);
    CHECK_INT(force.command, 1);
    CHECK_INT(get(image + slaves[2].in_address, 4), 0x3F800000); // 1.0 by IEEE 754
    CHECK_INT(get(image + slaves[3].in_address + 2, 2), 0xBEEF);
    ff_ec_segment_destroy(m.segment);
}
