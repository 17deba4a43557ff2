// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams: any bytes are taken or refused, as a whole and as each kind of payload. The checksum is put right first,
// or nothing behind it would ever be read. Seeds are a frame (tests/bus/link/sample.hex as bytes) and an
// interface.
#include <footfall/link.h>

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 3, SIGNALS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static union {
        ff_io_frame frame;
        unsigned char room[32 + 24 * ITEMS];
    } frame;
    ff_telegram head = {0};
    const unsigned char *payload = bytes;
    size_t n = size;
    uint8_t *copy = malloc(size + 1);
    if (!copy) return -1;
    memcpy(copy, bytes, size);
    if (size >= FF_TELEGRAM_HEAD_SIZE + FF_TELEGRAM_SUM_SIZE) {
        const uint32_t sum = ff_telegram_sum(copy, size - 4);
        for (int i = 0; i < 4; i++) copy[size - 4 + (size_t)i] = (uint8_t)(sum >> 8 * i);
    }
    ff_arena arena = {0};
    ff_interface interface;
    double signals[SIGNALS];
    frame.frame.count = ITEMS;
    if (ff_telegram_open(copy, size, &head, &payload, &n, NULL) == FF_OK && head.length != size) abort();
    if (ff_items_unpack(payload, n, &frame.frame, NULL, signals, SIGNALS, NULL) == FF_OK)
        for (int i = 0; i < ITEMS; i++)
            if (ff_io_items(&frame.frame)[i].valid && !ff_io_known(&ff_io_items(&frame.frame)[i])) abort();
    if (ff_interface_unpack(payload, n, &arena, &interface, NULL) == FF_OK) {
        static unsigned char again[FF_TELEGRAM_MOST];
        if (ff_interface_pack(&interface, again, sizeof again) != n) abort(); // what was taken can be said
    }
    ff_arena_clear(&arena);
    free(copy);
    return 0;
}
