// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers to the EtherCAT master: whatever slaves send back, it crashes, hangs and writes nowhere it should not. It
// leads two virtual slaves, whose answers are corrupted by the input, a byte for each frame:
//     0-199   as it is
//     200     lost
//     201-219 one byte behind the heads changed: place (2), value (1)
//     220-249 from a place (2) on: so many bytes, less 219, of the input
//     250-255 a frame of any bytes: length / 4 (1), data
#include <footfall/master.h>

#include <stdlib.h>
#include <string.h>

enum { STATIONS = 2, HEADS = 26, TURNS = 3000 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint8_t take(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static void corrupt(input *in, uint8_t *frame, size_t size, uint8_t how)
{
    const size_t most = size > HEADS ? size - HEADS : 1, at = HEADS + ((size_t)take(in) << 8 | take(in)) % most;
    const size_t n = how < 220 ? 1 : how - 219U;
    for (size_t i = at; i < at + n && i < size; i++) frame[i] = take(in);
}

/// In memory of just its size, so that a sanitizer sees any byte beyond.
static void give(ff_ec_master *master, uint64_t now, const uint8_t *frame, size_t size)
{
    uint8_t *copy = malloc(size);
    if (!copy) return;
    memcpy(copy, frame, size);
    ff_ec_master_receive(master, now, copy, size);
    free(copy);
}

static void answer(ff_ec_master *master, ff_ec_segment *segment, input *in, uint64_t now, uint8_t *frame, size_t size)
{
    const uint8_t how = take(in);
    size = ff_ec_segment_frame(segment, frame, size, now);
    if (!size) abort(); // the master sends no malformed frames
    if (how == 200) return;
    if (how >= 250) {
        size = 14 + 4U * take(in);
        for (size_t i = 14; i < size; i++) frame[i] = take(in);
    } else if (how > 200)
        corrupt(in, frame, size, how);
    give(master, now, frame, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ff_ec_drive drive;
    static ff_ec_force force;
    static uint8_t outputs[65536], frame[FF_EC_PACKET_MAX];
    static ff_ec_sdo sdo;
    const ff_ec_station line[STATIONS] = {{.device = &ff_ec_drive_device, .data = &drive},
                                          {.device = &ff_ec_force_device, .data = &force}};
    ff_ec_master_options how = ff_ec_master_options_default();
    how.step_timeout = 50000000;
    input in = {bytes, bytes + size};
    ff_ec_segment *segment = ff_ec_segment_create(line, STATIONS, NULL);
    ff_ec_master *master = ff_ec_master_create(&how, NULL);
    if (!segment || !master) abort();
    ff_ec_master_request(master, FF_EC_OP);
    uint64_t now = 0;
    bool asked = false;
    for (int turn = 0; turn < TURNS && (in.at < in.end || turn < 300) && !ff_ec_master_error(master)[0]; turn++) {
        size_t n;
        ff_ec_master_read(master);
        ff_ec_master_write(master, outputs);
        while ((n = ff_ec_master_poll(master, now += 100000, frame)) > 0) answer(master, segment, &in, now, frame, n);
        ff_ec_segment_advance(segment, now += 1000000);
        if (!asked && ff_ec_master_state(master) >= FF_EC_PREOP) {
            memset(&sdo, 0, sizeof sdo);
            sdo.index = 0x1008; // a text
            asked = ff_ec_master_begin_sdo(master, 0, &sdo);
        }
    }
    ff_ec_master_destroy(master);
    ff_ec_segment_destroy(segment);
    return 0;
}
