// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Virtual slaves under the master, for its tests: four drives, a force sensor, an inertial sensor.
#ifndef FOOTFALL_TESTS_LED_H
#define FOOTFALL_TESTS_LED_H

#include "check.h"
#include "master/virtual_wire.h"

#include <footfall/master.h>

enum { DRIVES = 4, SLAVES = DRIVES + 2, OUTPUT_BYTES = DRIVES * 20 + 4, INPUT_BYTES = DRIVES * 24 + 32 + 48 };
#define CYCLE_NS 1000000 // [ns]

static ff_ec_drive drives[DRIVES];
static ff_ec_force force;
static ff_ec_imu imu;
static ff_ec_station line[SLAVES];
static virtual_wire wire;
static ff_ec_master_options how;
static ff_ec_master *master;
static unsigned char outputs[OUTPUT_BYTES];
static char log_text[2000];

static inline void note(void *context, const char *text)
{
    const size_t used = strlen(log_text);
    (void)context;
    snprintf(log_text + used, sizeof log_text - used, "%s\n", text);
}

/// Describes a line of stations, which a test may change before `begin`.
static inline void lay_out(void)
{
    static const char *const names[SLAVES] = {"left_hip", "left_knee", "right_hip", "right_knee", "foot", "gyro"};
    memset(&wire, 0, sizeof wire);
    memset(outputs, 0, sizeof outputs);
    log_text[0] = '\0';
    for (int i = 0; i < DRIVES; i++) line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i]};
    line[DRIVES] = (ff_ec_station){.device = &ff_ec_force_device, .data = &force};
    line[DRIVES + 1] = (ff_ec_station){.device = &ff_ec_imu_device, .data = &imu};
    for (int i = 0; i < SLAVES; i++) {
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

/// Sends all pending frames and handles all received ones, once.
static inline void turn(void)
{
    unsigned char bytes[FF_EC_PACKET_MAX];
    size_t size;
    while ((size = ff_ec_master_poll(master, wire_now(&wire), bytes)) > 0) wire_send(&wire, bytes, size);
    while (wire.nwaiting && (size = wire_receive(&wire, bytes, 0.0)) > 0)
        ff_ec_master_receive(master, wire_now(&wire), bytes, size);
}

/// A cycle of process data, with twelve turns for acyclic frames.
static inline void cycle(void)
{
    const uint64_t over = wire.now + CYCLE_NS;
    ff_ec_master_read(master);
    ff_ec_master_write(master, outputs);
    for (int i = 0; i < 12; i++) turn();
    if (wire.now < over) wire.now = over;
    ff_ec_segment_advance(wire.segment, wire.now);
}

/// Runs cycles until a state is reached, an error occurs, or 20000 cycles have passed. @return the state
static inline ff_ec_state lead(ff_ec_state to)
{
    ff_ec_master_request(master, to);
    for (int i = 0; i < 20000 && ff_ec_master_state(master) != to && !ff_ec_master_error(master)[0]; i++) cycle();
    return ff_ec_master_state(master);
}

/// Runs a transfer during cyclic operation. @return whether it succeeded
static inline bool transfer(int slave, ff_ec_sdo *sdo)
{
    CHECK(ff_ec_master_begin_sdo(master, slave, sdo));
    for (int i = 0; i < 1000 && sdo->state == FF_EC_SDO_PENDING; i++) cycle();
    return sdo->state == FF_EC_SDO_DONE;
}

#define CHECK_WORDS(text, part)                                                                                        \
    do {                                                                                                               \
        if (!strstr(text, part)) CHECK_FAIL("'%s' does not say '%s'", text, part);                                     \
    } while (0)

#endif
