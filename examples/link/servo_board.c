// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The servo hexapod's end of a link, for a small board: 18 hobby servos, six foot switches, a serial line. It takes
// references in the short form of docs/link.md, makes pulses of them each 20 ms, and sends its switches. It needs no
// floating point, no allocation, 400 bytes of memory and 300 of stack. docs/real-robot.md explains it.
#include "servo_board.h"
#include "servo_table.h" // what you measure on your robot

#include <stdbool.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ pulses

static uint16_t pulses[BOARD_SERVOS];    // 0: no reference has come yet
static uint32_t frames;                  // since the start
static uint32_t counter, answered;       // of the sensors sent last, of the newest answer
static uint16_t silent;                  // frames since the controller last sent
static uint16_t unled = BOARD_OFF_AFTER; // frames since it gave references: one that only greets leads nothing
static bool met;                         // a controller has greeted

/// GAIN times a number of 32 bits of IEEE 754, which is mantissa * 2^(exponent - 150), about the servo's zero.
static void set_pulse(int i, uint32_t f32)
{
    const unsigned exponent = f32 >> 23 & 0xFF, shift = 150 + 12 - exponent;
    const uint64_t product = ((f32 & 0x7FFFFF) | 0x800000) * (uint64_t)GAIN;
    int32_t size = exponent >= 130 ? 32767 : 0; // 8 rad and more; below half a count
    if (exponent == 255) return;                // not finite: it stays as it was
    if (exponent < 130 && shift < 64) size = (int32_t)((product + ((uint64_t)1 << (shift - 1))) >> shift);
    const int32_t count = CENTRE + servos[i].trim + (f32 >> 31 ? -1 : 1) * servos[i].direction * size;
    pulses[i] = (uint16_t)(count < servos[i].low ? servos[i].low : count > servos[i].high ? servos[i].high : count);
}

// ------------------------------------------------------------------------------------------ sending

enum { HELLO = 1, INTERFACE, SENSORS, REFERENCES, BYE }; // types of telegrams
enum { SHORT = 1, HEAD = 48, SUM = 4 };
#define MAGIC 0x4B4C4646U // "FFLK"

static uint32_t sum; // of what has been sent of a telegram

/// CRC-32 of IEEE 802.3, a byte further.
static uint32_t add_byte(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1)));
    return crc;
}

static void put(uint64_t value, int size)
{
    for (; size > 0; size--, value >>= 8) {
        sum = add_byte(sum, (uint8_t)value);
        line_put((uint8_t)value);
    }
}

/// n / per seconds as a number of 64 bits of IEEE 754, rounded to the nearest: 53 steps of a division by hand.
static void put_seconds(uint32_t n, uint32_t per)
{
    uint64_t mantissa = n / per, rest = n % per, exponent = 1023 + 52;
    for (; n > 0 && mantissa < (uint64_t)1 << 52; exponent--) {
        mantissa = 2 * mantissa + (2 * rest >= per);
        rest = 2 * rest % per;
    }
    mantissa += 2 * rest > per || (2 * rest == per && mantissa & 1); // a carry goes where it belongs
    put(n > 0 ? (exponent << 52) + (mantissa - ((uint64_t)1 << 52)) : 0, 8);
}

static void put_head(int type, uint32_t payload)
{
    static uint32_t sequence;
    const uint32_t ms = frames * BOARD_FRAME_MS;
    sum = 0xFFFFFFFF;
    put(MAGIC, 4);
    put(1, 2); // version
    put((uint64_t)type, 2);
    put(HEAD + payload + SUM, 4);
    put(sequence++, 4);
    put(counter, 4);
    put(SHORT, 4);
    put(INTERFACE_HASH, 8);
    put_seconds(ms, 1000);
    put((uint64_t)ms * 1000000, 8); // when it was sent
}

/// The end of a payload, and the checksum.
static void put_rest(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) put((uint8_t)bytes[i], 1);
    put(~sum, SUM);
}

static void say_bye(const char *why)
{
    put_head(BYE, (uint32_t)strlen(why));
    put_rest(why, strlen(why));
}

/// 1864 bytes, 162 ms at 115200 baud: repeated requests meanwhile are not answered.
static void send_interface(void)
{
    static uint32_t last;
    if (last > 0 && frames - last < 16) return;
    last = frames > 0 ? frames : 1;
    put_head(INTERFACE, 24 + sizeof interface_names - 1);
    put_seconds(INTERFACE_PERIOD_US, 1000000);
    put(0, 4); // it runs in real time
    put(SENSOR_COUNT, 4);
    put(REFERENCE_COUNT, 4);
    put(0, 4); // it records no signals
    put_rest(interface_names, sizeof interface_names - 1);
}

static void send_sensors(void)
{
    uint8_t bits[(SENSOR_COUNT + 7) / 8] = {0};
    counter++;
    for (int i = 0; i < BOARD_LEGS; i++) bits[switches[i] / 8] |= (uint8_t)(1 << switches[i] % 8);
    put_head(SENSORS, sizeof bits + 4 * BOARD_LEGS);
    for (unsigned i = 0; i < sizeof bits; i++) put(bits[i], 1);
    for (int i = 0; i < BOARD_LEGS; i++) put(foot_switch(i) ? 0x3F800000 : 0, 4); // 1.0 or 0.0
    put_rest("", 0);
}

// ------------------------------------------------------------------------------------------ receiving

enum { BITS = (REFERENCE_COUNT + 7) / 8, LONGEST = HEAD + BITS + 4 * REFERENCE_COUNT + SUM };

static uint8_t in[LONGEST];
static uint32_t used;

static uint32_t get_u32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void take_references(const uint8_t *payload, uint32_t size)
{
    uint32_t at = BITS, place[REFERENCE_COUNT];
    const uint32_t of = get_u32(in + 16);
    if (!met || size < BITS || get_u32(in + 20) != SHORT) return;
    if ((int32_t)(of - answered) <= 0 || (int32_t)(of - counter) > 0) return; // known already, or not asked for
    for (int i = 0; i < REFERENCE_COUNT; i++) {
        place[i] = payload[i / 8] >> i % 8 & 1 ? at : 0;
        at += place[i] ? 4 : 0;
    }
    if (at != size) return;
    for (int i = 0; i < BOARD_SERVOS; i++)
        if (place[servos[i].reference]) set_pulse(i, get_u32(payload + place[servos[i].reference]));
    answered = of;
    silent = unled = 0;
}

/// A whole telegram lies in `in`.
static void take(uint32_t length)
{
    const uint64_t hash = get_u32(in + 24) | (uint64_t)get_u32(in + 28) << 32;
    const bool knows = hash == INTERFACE_HASH;
    const unsigned type = in[6];
    if (in[4] != 1 || in[5] != 0) return; // another version
    if (type == REFERENCES && knows) take_references(in + HEAD, length - HEAD - SUM);
    if (type == HELLO && hash == 0) send_interface();
    if (type == HELLO && hash != 0 && !knows) say_bye("this is another robot");
    if (type == HELLO && knows && !met) answered = counter;
    if (type == HELLO && knows) silent = 0;
    if (knows) met = type == HELLO || (met && type != BYE); // after BYE it is held
}

/// A telegram begins at the magic number, is as long as it says, and its checksum fits: else the search goes on one
/// byte further. A damaged length may cost the telegram behind it, too.
void board_byte(uint8_t byte)
{
    in[used++] = byte;
    while (used > 0) {
        const uint32_t length = used < 12 ? 12 : get_u32(in + 8);
        bool begins = length <= LONGEST && (used < 12 || length >= HEAD + SUM);
        for (uint32_t i = 0; i < 4 && i < used; i++) begins = begins && in[i] == (uint8_t)(MAGIC >> 8 * i);
        if (begins && used < length) return; // the rest is still to come
        uint32_t crc = 0xFFFFFFFF;
        for (uint32_t i = 0; begins && i < length - SUM; i++) crc = add_byte(crc, in[i]);
        const bool whole = begins && ~crc == get_u32(in + length - SUM);
        if (whole) take(length);
        const uint32_t done = whole ? length : 1;
        memmove(in, in + done, (size_t)(used -= done)); // size_t has 16 bits on small boards
    }
}

void board_frame(void)
{
    frames++;
    if (silent < BOARD_OFF_AFTER) silent++;
    if (unled < BOARD_OFF_AFTER) unled++;
    if (met && silent > BOARD_HOLD_AFTER) {
        met = false; // it must greet again
        say_bye("no references came");
    }
    for (int i = 0; i < BOARD_SERVOS; i++) servo_put(i, unled < BOARD_OFF_AFTER ? pulses[i] : 0);
    if (met) send_sensors();
}
