// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The servo hexapod's end of a link, for a small board: 18 hobby servos, six foot switches, a serial line. It takes
// references in the short form of docs/link.md, makes pulses of them each 20 ms, and sends its switches. It needs no
// floating point, no allocation, 400 bytes of memory and 300 of stack. docs/real-robot.md explains it.
//
//     footfall control experiments/servo-hexapod-walk.yaml --link serial:/dev/ttyUSB0:115200
//
// Bytes at 115200 baud, 11.5 a millisecond: switches 78, references 203 (positions and speeds): 6.8 and 17.6 ms. Each
// way fits into a frame of 20 ms, both together do not: a reference comes two frames after its switches. At 230400 baud
// it comes in the next.
#include "servo_board.h"

#include "servo_hexapod.h" // what `footfall control .. --interface` prints

#include <stdbool.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ this robot

enum { CENTRE = 3000, LOW = 1000, HIGH = 5000 }; // counts of 0.5 us: 1500, 500 and 2500 us
#define GAIN 5215189                             // counts a radian, times 2^12: 4000 counts for pi

/// One row a servo. Measure them on your robot: see the checklist of docs/real-robot.md.
static const struct {
    uint8_t reference; // its number in the frame
    int8_t direction;  // 1, or -1 where the servo is mounted the other way round
    int16_t trim;      // counts from the centre at which its joint is zero
    uint16_t low, high;
} servos[BOARD_SERVOS] = {
    {DRIVES_FL_COXA_POSITION, 1, 12, LOW, HIGH},   {DRIVES_FL_FEMUR_POSITION, 1, -8, LOW, HIGH},
    {DRIVES_FL_TIBIA_POSITION, 1, 0, LOW, HIGH},   {DRIVES_FR_COXA_POSITION, -1, 5, LOW, HIGH},
    {DRIVES_FR_FEMUR_POSITION, -1, 0, LOW, HIGH},  {DRIVES_FR_TIBIA_POSITION, -1, 20, LOW, HIGH},
    {DRIVES_ML_COXA_POSITION, 1, 0, LOW, HIGH},    {DRIVES_ML_FEMUR_POSITION, 1, 0, LOW, HIGH},
    {DRIVES_ML_TIBIA_POSITION, 1, -15, LOW, HIGH}, {DRIVES_MR_COXA_POSITION, -1, 0, LOW, HIGH},
    {DRIVES_MR_FEMUR_POSITION, -1, 7, LOW, HIGH},  {DRIVES_MR_TIBIA_POSITION, -1, 0, LOW, HIGH},
    {DRIVES_RL_COXA_POSITION, 1, 0, LOW, HIGH},    {DRIVES_RL_FEMUR_POSITION, 1, 3, LOW, HIGH},
    {DRIVES_RL_TIBIA_POSITION, 1, 0, LOW, HIGH},   {DRIVES_RR_COXA_POSITION, -1, -4, LOW, HIGH},
    {DRIVES_RR_FEMUR_POSITION, -1, 0, LOW, HIGH},  {DRIVES_RR_TIBIA_POSITION, -1, 0, LOW, HIGH},
};
static const uint8_t switches[BOARD_LEGS] = {SENSORS_FL_TOUCH_TOUCHED, SENSORS_FR_TOUCH_TOUCHED,
                                             SENSORS_ML_TOUCH_TOUCHED, SENSORS_MR_TOUCH_TOUCHED,
                                             SENSORS_RL_TOUCH_TOUCHED, SENSORS_RR_TOUCH_TOUCHED};

static uint16_t pulses[BOARD_SERVOS];    // 0: no reference has come yet
static uint32_t frames;                  // since the start
static uint32_t counter, answered;       // of the sensors sent last, of the newest answer
static uint16_t silent;                  // frames since the controller was heard
static uint16_t unled = BOARD_OFF_AFTER; // frames since it gave references: one that only greets leads nothing
static bool met, off = true;

// ------------------------------------------------------------------------------------------ numbers

/// The bits of n / per as a number of 64 bits of IEEE 754, rounded to the nearest: 53 steps of a division by hand.
static uint64_t f64_of(uint32_t n, uint32_t per)
{
    uint64_t mantissa = n / per, rest = n % per, exponent = 1023 + 52;
    if (n == 0) return 0;
    for (; mantissa < (uint64_t)1 << 52; exponent--) {
        rest *= 2;
        mantissa = 2 * mantissa + (rest >= per);
        if (rest >= per) rest -= per;
    }
    mantissa += 2 * rest > per || (2 * rest == per && mantissa & 1);
    return (exponent << 52) + (mantissa - ((uint64_t)1 << 52)); // a carry goes where it belongs
}

/// GAIN times a number of 32 bits of IEEE 754, which is mantissa * 2^(exponent - 150). @return false: it is not finite
static bool counts_of(uint32_t f32, int32_t *counts)
{
    const unsigned exponent = f32 >> 23 & 0xFF;
    const uint64_t product = ((f32 & 0x7FFFFF) | (exponent > 0 ? 0x800000U : 0)) * (uint64_t)GAIN;
    const unsigned shift = 150 + 12 - exponent;
    int32_t size = 0; // below a half
    if (exponent == 255) return false;
    if (exponent >= 130)
        size = 32767; // 8 rad and more
    else if (shift < 64)
        size = (int32_t)((product + ((uint64_t)1 << (shift - 1))) >> shift);
    *counts = f32 >> 31 ? -size : size;
    return true;
}

static void set_pulse(int i, uint32_t f32)
{
    int32_t count;
    if (!counts_of(f32, &count)) return; // it stays as it was
    count = CENTRE + servos[i].trim + servos[i].direction * count;
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

static void put_text(const char *text)
{
    for (; *text; text++) put((uint8_t)*text, 1);
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
    put(f64_of(ms, 1000), 8);
    put((uint64_t)ms * 1000000, 8); // when it was sent
}

static void put_sum(void)
{
    put(~sum, SUM);
}

static void say_bye(const char *why)
{
    put_head(BYE, (uint32_t)strlen(why));
    put_text(why);
    put_sum();
}

static void put_names(const char *const names[][2], int count)
{
    for (int i = 0; i < 2 * count; i++) {
        put(strlen(names[i / 2][i % 2]), 1);
        put_text(names[i / 2][i % 2]);
    }
}

static uint32_t size_of_names(const char *const names[][2], int count)
{
    uint32_t size = 0;
    for (int i = 0; i < 2 * count; i++) size += 1 + (uint32_t)strlen(names[i / 2][i % 2]);
    return size;
}

/// 1864 bytes, 162 ms at 115200 baud: those who ask again meanwhile are not answered.
static void send_interface(void)
{
    static uint32_t last;
    if (last > 0 && frames - last < 16) return;
    last = frames > 0 ? frames : 1;
    put_head(INTERFACE,
             24 + size_of_names(sensor_names, SENSOR_COUNT) + size_of_names(reference_names, REFERENCE_COUNT));
    put(f64_of(INTERFACE_PERIOD_US, 1000000), 8);
    put(0, 4); // it keeps to the clock on the wall
    put(SENSOR_COUNT, 4);
    put(REFERENCE_COUNT, 4);
    put(0, 4); // it records no signals
    put_names(sensor_names, SENSOR_COUNT);
    put_names(reference_names, REFERENCE_COUNT);
    put_sum();
}

static void send_sensors(void)
{
    uint8_t bits[(SENSOR_COUNT + 7) / 8] = {0};
    counter++;
    for (int i = 0; i < BOARD_LEGS; i++) bits[switches[i] / 8] |= (uint8_t)(1 << switches[i] % 8);
    put_head(SENSORS, sizeof bits + 4 * BOARD_LEGS);
    for (unsigned i = 0; i < sizeof bits; i++) put(bits[i], 1);
    for (int i = 0; i < BOARD_LEGS; i++) put(foot_switch(i) ? 0x3F800000 : 0, 4); // 1.0 or 0.0
    put_sum();
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
    off = false;
}

static void greet(bool knows, bool asks)
{
    if (knows) {
        if (!met) answered = counter;
        met = true;
        silent = 0;
    } else if (asks)
        send_interface();
    else
        say_bye("this is another robot");
}

/// A whole telegram lies in `in`.
static void take(uint32_t length)
{
    const uint32_t low = get_u32(in + 24), high = get_u32(in + 28);
    const bool ours = low == (uint32_t)INTERFACE_HASH && high == (uint32_t)(INTERFACE_HASH >> 32);
    const unsigned type = in[6];
    if (in[4] != 1 || in[5] != 0) return; // another version
    if (type == HELLO) greet(ours, low == 0 && high == 0);
    if (type == BYE && ours) met = false; // held from now on
    if (type == REFERENCES && ours) take_references(in + HEAD, length - HEAD - SUM);
}

static void drop(uint32_t n)
{
    memmove(in, in + n, (size_t)(used - n)); // size_t has 16 bits on small boards
    used -= n;
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
        drop(whole ? length : 1);
    }
}

// ------------------------------------------------------------------------------------------ frames

void board_frame(void)
{
    frames++;
    if (silent < BOARD_OFF_AFTER) silent++;
    if (unled < BOARD_OFF_AFTER) unled++;
    if (met && silent > BOARD_HOLD_AFTER) {
        met = false; // it must greet again
        say_bye("no references came");
    }
    if (unled >= BOARD_OFF_AFTER) off = true;
    for (int i = 0; i < BOARD_SERVOS; i++) servo_put(i, off ? 0 : pulses[i]);
    if (met) send_sensors();
}
