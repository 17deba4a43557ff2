// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual slaves led by the master, for its tests: four drives, a force sensor, an inertial sensor.
#ifndef FOOTFALL_TESTS_LED_H
#define FOOTFALL_TESTS_LED_H

#include "check.h"
#include "master/virtual_wire.h"

#include <footfall/master.h>

enum { DRIVES = 4, LED = DRIVES + 2, LED_OUT = DRIVES * 20 + 4, LED_IN = DRIVES * 24 + 32 + 48 };
#define LED_CYCLE 1000000 // [ns]

static ff_ec_drive drives[DRIVES];
static ff_ec_force force;
static ff_ec_imu imu;
static ff_ec_station line[LED];
static virtual_wire wire;
static ff_ec_master_options how;
static ff_ec_master *master;
static unsigned char outputs[LED_OUT];
static char log_text[2000];

static inline void note(void *context, const char *text)
{
    const size_t used = strlen(log_text);
    (void)context;
    snprintf(log_text + used, sizeof log_text - used, "%s\n", text);
}

/// A line of stations, in which tests change what they want before `begin`.
static inline void lay_out(void)
{
    static const char *const names[LED] = {"left_hip", "left_knee", "right_hip", "right_knee", "foot", "gyro"};
    memset(&wire, 0, sizeof wire);
    memset(outputs, 0, sizeof outputs);
    log_text[0] = '\0';
    for (int i = 0; i < DRIVES; i++) line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i]};
    line[DRIVES] = (ff_ec_station){.device = &ff_ec_force_device, .data = &force};
    line[DRIVES + 1] = (ff_ec_station){.device = &ff_ec_imu_device, .data = &imu};
    for (int i = 0; i < LED; i++) {
        line[i].name = names[i];
        line[i].serial = (uint32_t)(100 + i);
    }
    how = ff_ec_master_options_default();
    how.frame_timeout = 1000000;
    how.step_timeout = 200000000;
    how.log = note;
}

static inline void begin(int count)
{
    ff_error err = {0};
    wire.segment = ff_ec_segment_create(line, count, &err);
    if (!wire.segment) CHECK_FAIL("%s", err.text);
    master = ff_ec_master_create(&how, &err);
    CHECK(master);
}

static inline void end(void)
{
    ff_ec_master_destroy(master);
    ff_ec_segment_destroy(wire.segment);
    master = NULL;
    wire.segment = NULL;
}

/// Sends what there is to send and takes what comes, once.
static inline void turn(void)
{
    unsigned char bytes[FF_EC_PACKET_MOST];
    size_t size;
    while ((size = ff_ec_master_poll(master, wire_now(&wire), bytes)) > 0) wire_send(&wire, bytes, size);
    while (wire.nwaiting && (size = wire_receive(&wire, bytes, 0.0)) > 0)
        ff_ec_master_take(master, wire_now(&wire), bytes, size);
}

/// A cycle of process data, with a dozen turns for what else there is to say.
static inline void cycle(void)
{
    const uint64_t over = wire.now + LED_CYCLE;
    ff_ec_master_read(master);
    ff_ec_master_write(master, outputs);
    for (int i = 0; i < 12; i++) turn();
    if (wire.now < over) wire.now = over;
    ff_ec_segment_advance(wire.segment, wire.now);
}

/// Cycles until a state is reached, something is wrong, or there were too many. @return the state
static inline ff_ec_state lead(ff_ec_state to)
{
    ff_ec_master_request(master, to);
    for (int i = 0; i < 20000 && ff_ec_master_state(master) != to && !ff_ec_master_why(master)[0]; i++) cycle();
    return ff_ec_master_state(master);
}

/// A transfer while cycles go on. @return whether it succeeded
static inline bool transfer(int slave, ff_ec_sdo *sdo)
{
    CHECK(ff_ec_master_sdo(master, slave, sdo));
    for (int i = 0; i < 1000 && sdo->state == FF_EC_SDO_WAITS; i++) cycle();
    return sdo->state == FF_EC_SDO_DONE;
}

#define CHECK_WORDS(text, part)                                                                                        \
    do {                                                                                                               \
        if (!strstr(text, part)) CHECK_FAIL("'%s' does not say '%s'", text, part);                                     \
    } while (0)

#endif
