// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Emergencies of the bus: refused changes of the AL state, and loss of communication.
#include "check.h"
#include "slave/master.h"

enum { STATION = 0x1001 };

static ff_ec_drive drive;
static uint8_t image[44];

static master in_preop(master_slave *slave)
{
    const ff_ec_station station = {.device = &ff_ec_drive_device, .data = &drive};
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(&station, 1, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    CHECK_INT(master_scan(&m, slave, 1), 1);
    CHECK_INT(master_preop(&m, slave), FF_EC_PREOP);
    CHECK(master_mapping(&m, slave));
    CHECK_INT(master_map(&m, slave, 1), 44);
    return m;
}

/// Reads object 0x1001, which fetches what waits in the mailbox before the answer.
static void expect_emergency(master *m, int count, unsigned code, unsigned error, unsigned al)
{
    CHECK_INT(master_get(m, STATION, 0x1001, 0), error);
    CHECK_INT(m->emergencies, count);
    const uint8_t wanted[10] = {
        0, 0x10, (uint8_t)code, (uint8_t)(code >> 8), (uint8_t)error, (uint8_t)al, (uint8_t)(al >> 8)};
    CHECK(memcmp(m->emergency, wanted, 10) == 0);
}

TEST(refused_state_changes_send_an_emergency)
{
    master_slave slave;
    master m = in_preop(&slave);
    CHECK_INT(m.emergencies, 0);                                        // nothing so far
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x12);             // no such step: no emergency of the standard
    CHECK_INT(master_request(&m, STATION, 0x12), FF_EC_PREOP);          //
    CHECK_INT(master_write(&m, STATION, 0x0816, 0, 1), 1);              // sync manager 2 off
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), 0x12);         //
    expect_emergency(&m, 1, 0xA000, 0, 0x001D);                         // PRE-OP to SAFE-OP
    CHECK_INT(master_request(&m, STATION, 0x12), FF_EC_PREOP);          //
    CHECK_INT(master_write(&m, STATION, 0x0816, 1, 1), 1);              //
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP); //
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x14);             // no outputs came
    expect_emergency(&m, 2, 0xA001, 0, 0x0019);                         // SAFE-OP to OP
    ff_ec_segment_destroy(m.segment);
}

TEST(a_loss_of_communication_and_its_end_send_an_emergency)
{
    master_slave slave;
    master m = in_preop(&slave);
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    m.now += 100000000; // the watchdog's 100 ms
    ff_ec_segment_advance(m.segment, m.now);
    expect_emergency(&m, 1, 0x8130, 0x11, 0x001B);
    // an error of the device itself adds its bits; it goes, and the bus is still lost
    CHECK(ff_ec_station_emergency(m.segment, 0, 0x8611, 0x21, (uint8_t[5]){0}));
    expect_emergency(&m, 2, 0x8611, 0x31, 0);
    CHECK(ff_ec_station_emergency(m.segment, 0, 0, 0, (uint8_t[5]){0}));
    expect_emergency(&m, 3, 0, 0x11, 0);
    CHECK_INT(master_request(&m, STATION, 0x14), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    expect_emergency(&m, 4, 0, 0, 0);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_sync_without_outputs_sends_an_emergency)
{
    master_slave slave;
    master m = in_preop(&slave);
    const uint64_t begin = m.now + 10000000;
    CHECK_INT(master_write(&m, STATION, 0x09A0, 250000, 4), 1);
    CHECK_INT(master_write(&m, STATION, 0x0990, begin, 8), 1);
    CHECK_INT(master_write(&m, STATION, 0x0981, 3, 1), 1);
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    m.now = begin + 750000;
    ff_ec_segment_advance(m.segment, m.now);
    expect_emergency(&m, 1, 0x8700, 0x11, 0x001A);
    ff_ec_segment_destroy(m.segment);
}
