// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams as bytes: what is packed comes back, every damaged bit is noticed, and nothing that comes over a wire makes
// the reader read or write beyond its memory.
#include "check.h"

#include <footfall/link.h>

enum { COUNT = 11, SIGNALS = 3 };

static ff_io_name names[COUNT];
static ff_io_layout layout;
static union {
    ff_io_frame frame;
    unsigned char bytes[32 + 24 * COUNT];
} one, other;
static unsigned char bytes[FF_TELEGRAM_MOST];

static void make_frame(void)
{
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i].name, sizeof names[i].name, "sensors.s%d.value", i);
        snprintf(names[i].unit, sizeof names[i].unit, "N m");
    }
    layout = (ff_io_layout){FF_IO_SENSORS, COUNT, names, ff_io_layout_hash(names, COUNT)};
    ff_io_init(&one.frame, &layout);
    ff_io_init(&other.frame, &layout);
    one.frame.time_ns = 5000000000;
    one.frame.sequence = 77;
    for (int i = 0; i < COUNT; i++)
        ff_io_items(&one.frame)[i] =
            (ff_io_item){.value = 1.0 / (i + 1), .time_ns = 5000000000 - 1000 * i, .valid = i % 3 != 0};
}

/// A whole telegram in `bytes`. @return its size
static size_t make_telegram(void)
{
    make_frame();
    const double signals[SIGNALS] = {1.5, -2.5, NAN};
    const size_t payload = ff_items_pack(&one.frame, 5, signals, SIGNALS, bytes + FF_TELEGRAM_HEAD_SIZE, 4000);
    ff_telegram head = {
        .type = FF_TELEGRAM_SENSORS, .counter = 9, .interface = 0x123456789ABCDEF0, .time = 4.25, .sent = 3};
    return ff_telegram_seal(&head, bytes, sizeof bytes, payload);
}

// The check value that every description of this sum gives (IEEE 802.3, reflected).
TEST(the_sum_is_the_crc_of_ethernet)
{
    CHECK(ff_telegram_sum((const unsigned char *)"123456789", 9) == 0xCBF43926U);
    CHECK(ff_telegram_sum(NULL, 0) == 0);
    // eight bytes at a time and one at a time agree
    unsigned char text[64];
    for (int i = 0; i < 64; i++) text[i] = (unsigned char)(37 * i + 11);
    for (size_t n = 0; n <= 64; n++) {
        uint32_t slow = 0xFFFFFFFFU;
        for (size_t i = 0; i < n; i++) {
            slow ^= text[i];
            for (int k = 0; k < 8; k++) slow = slow >> 1 ^ (slow & 1 ? 0xEDB88320U : 0);
        }
        CHECK(ff_telegram_sum(text, n) == (uint32_t)~slow);
    }
}

TEST(a_telegram_survives_packing)
{
    const size_t size = make_telegram();
    ff_telegram head;
    const unsigned char *payload;
    size_t n;
    double signals[SIGNALS];
    uint32_t conditions;
    CHECK(ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_OK);
    CHECK(head.type == FF_TELEGRAM_SENSORS && head.counter == 9 && head.interface == 0x123456789ABCDEF0 &&
          head.time == 4.25 && head.sent == 3 && head.length == size);
    CHECK(ff_items_unpack(payload, n, &other.frame, &conditions, signals, SIGNALS, NULL) == FF_OK);
    CHECK(other.frame.sequence == 77 && other.frame.time_ns == 5000000000 && conditions == 5);
    CHECK(signals[0] == 1.5 && signals[1] == -2.5 && isnan(signals[2]));
    for (int i = 0; i < COUNT; i++) {
        const ff_io_item *a = &ff_io_items(&one.frame)[i], *b = &ff_io_items(&other.frame)[i];
        CHECK(a->valid == b->valid);
        if (a->valid) CHECK(a->value == b->value && a->time_ns == b->time_ns);
    }
}

// The bytes of the head, as docs/link.md lists them: another program must find them where they are.
TEST(fields_of_the_head_are_at_the_offsets_of_the_manual)
{
    const size_t size = make_telegram();
    CHECK(memcmp(bytes, "FFLK\1\0\3\0", 8) == 0);
    CHECK(bytes[8] + 256u * bytes[9] == size);
    CHECK(bytes[16] == 9 && bytes[24] == 0xF0 && bytes[31] == 0x12);
    double t;
    memcpy(&t, bytes + 32, 8);
    CHECK(t == 4.25 && bytes[40] == 3);
    CHECK(bytes[48] == COUNT && bytes[52] == SIGNALS && bytes[56] == 77 && bytes[60] == 5);
    CHECK(size == 48 + 24 + 8 + 48 + 8 * COUNT + 8 * SIGNALS + 4);
}

TEST(values_that_are_not_finite_are_invalid)
{
    make_frame();
    ff_io_items(&one.frame)[1].value = NAN;
    ff_io_items(&one.frame)[2].time_ns = -9000000000;             // 14 s old
    ff_io_items(&one.frame)[4].time_ns = one.frame.time_ns + 500; // not sampled yet
    const size_t n = ff_items_pack(&one.frame, 0, NULL, 0, bytes, sizeof bytes);
    CHECK(ff_items_unpack(bytes, n, &other.frame, NULL, NULL, SIGNALS, NULL) == FF_OK);
    CHECK(!ff_io_items(&other.frame)[1].valid);
    CHECK(ff_io_items(&other.frame)[2].time_ns == one.frame.time_ns - (int64_t)UINT32_MAX);
    CHECK(ff_io_items(&other.frame)[4].time_ns == one.frame.time_ns);
    // an infinite value under a set bit, from a sender that does not look
    const double infinite = INFINITY;
    memcpy(bytes + 24 + 8 + 48 + 8 * 4, &infinite, 8);
    CHECK(ff_items_unpack(bytes, n, &other.frame, NULL, NULL, 0, NULL) == FF_OK);
    CHECK(!ff_io_items(&other.frame)[4].valid);
}

// Two of eleven items have a value: two bytes of bits, then 0.125 and -3 as IEEE 754 has them, 0x3E000000 and
// 0xC0400000.
TEST(the_short_form_contains_values_only)
{
    static const unsigned char want[] = {0x05, 0x00, 0x00, 0x00, 0x00, 0x3e, 0x00, 0x00, 0x40, 0xc0};
    make_frame();
    for (int i = 0; i < COUNT; i++) ff_io_items(&one.frame)[i] = (ff_io_item){0};
    ff_io_items(&one.frame)[0] = (ff_io_item){.value = 0.125, .valid = 1};
    ff_io_items(&one.frame)[1] = (ff_io_item){.value = NAN, .valid = 1};
    ff_io_items(&one.frame)[2] = (ff_io_item){.value = -3.0, .valid = 1};
    const size_t n = ff_items_pack_short(&one.frame, bytes, sizeof bytes);
    CHECK(n == sizeof want && memcmp(bytes, want, n) == 0);
    other.frame.time_ns = 77;
    CHECK(ff_items_unpack_short(bytes, n, &other.frame, NULL) == FF_OK);
    const ff_io_item *items = ff_io_items(&other.frame);
    CHECK(items[0].value == 0.125 && items[2].value == -3.0 && items[0].time_ns == 77);
    for (int i = 0; i < COUNT; i++) CHECK((items[i].valid == 1) == (i == 0 || i == 2));
    for (size_t k = 0; k < n; k++) {
        CHECK(ff_items_unpack_short(bytes, k, &other.frame, NULL) == FF_BAD_FILE);
        CHECK(ff_items_pack_short(&one.frame, bytes, k) == 0);
    }
    CHECK(items[0].value == 0.125); // nothing was changed
    memcpy(bytes, want, n);
    bytes[5] = 0x7f, bytes[4] = 0x80; // infinite
    CHECK(ff_items_unpack_short(bytes, n, &other.frame, NULL) == FF_OK && !items[0].valid);
}

TEST(every_flipped_bit_is_noticed)
{
    const size_t size = make_telegram();
    ff_telegram head;
    const unsigned char *payload;
    size_t n;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        CHECK(ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_BAD_FILE);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    for (size_t length = 0; length < size; length++)
        CHECK(ff_telegram_open(bytes, length, &head, &payload, &n, NULL) == FF_BAD_FILE);
    CHECK(ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_OK);
}

TEST(payloads_that_do_not_fit_change_nothing)
{
    make_frame();
    ff_error err = {0};
    const double signals[2] = {0};
    const size_t n = ff_items_pack(&one.frame, 0, signals, 2, bytes, sizeof bytes);
    const int64_t before = other.frame.time_ns;
    CHECK(ff_items_unpack(bytes, n, &other.frame, NULL, NULL, SIGNALS, &err) == FF_BAD_FILE);
    CHECK(strstr(err.text, "2 signals, expected 3") && other.frame.time_ns == before);
    for (size_t k = 0; k < n; k++) CHECK(ff_items_unpack(bytes, k, &other.frame, NULL, NULL, 2, NULL) == FF_BAD_FILE);
    bytes[0]++;
    CHECK(ff_items_unpack(bytes, n, &other.frame, NULL, NULL, 2, &err) == FF_BAD_FILE);
    CHECK(strstr(err.text, "12 items, expected 11"));
    CHECK(ff_items_pack(&one.frame, 0, signals, 2, bytes, n - 1) == 0);
}

TEST(an_interface_survives_packing)
{
    make_frame();
    ff_arena arena = {0};
    ff_interface in = {.sensors = layout,
                       .references = {FF_IO_REFERENCES, 2, names, ff_io_layout_hash(names, 2)},
                       .signals = {FF_IO_SENSORS, 1, names + 5, 0},
                       .period = 0.02,
                       .lockstep = true},
                 out;
    const size_t n = ff_interface_pack(&in, bytes, sizeof bytes);
    CHECK(ff_interface_unpack(bytes, n, &arena, &out, NULL) == FF_OK);
    CHECK(out.period == 0.02 && out.lockstep && out.sensors.count == COUNT && out.references.count == 2);
    CHECK(out.sensors.hash == layout.hash && ff_interface_hash(&out) == ff_interface_hash(&in));
    CHECK(strcmp(out.signals.names[0].name, "sensors.s5.value") == 0);
    in.references.hash++;
    CHECK(ff_interface_hash(&out) != ff_interface_hash(&in));
    for (size_t k = 0; k < n; k++) CHECK(ff_interface_unpack(bytes, k, &arena, &out, NULL) == FF_BAD_FILE);
    CHECK(ff_interface_pack(&in, bytes, n - 1) == 0);
    ff_arena_clear(&arena);
}

// Bytes of chance, and telegrams damaged by chance whose checksum fits again: readers check them and continue.
TEST(random_bytes_are_refused)
{
    const size_t size = make_telegram();
    static unsigned char broken[FF_TELEGRAM_MOST];
    ff_random random = ff_random_make(7, 0);
    ff_arena arena = {0};
    ff_interface interface;
    double signals[SIGNALS];
    int taken = 0;
    for (int i = 0; i < CHECK_LASTS(20000, 2000); i++) {
        memcpy(broken, bytes, size);
        for (int k = 0; k < 3; k++)
            broken[FF_TELEGRAM_HEAD_SIZE + ff_random_bits(&random) % 40] = (unsigned char)ff_random_bits(&random);
        ff_telegram head = {.type = FF_TELEGRAM_SENSORS};
        ff_telegram_seal(&head, broken, sizeof broken, size - 52);
        const unsigned char *payload;
        size_t n;
        CHECK(ff_telegram_open(broken, size, &head, &payload, &n, NULL) == FF_OK);
        taken += ff_items_unpack(payload, n, &other.frame, NULL, signals, SIGNALS, NULL) == FF_OK;
        ff_interface_unpack(payload, n, &arena, &interface, NULL);
        ff_arena_clear(&arena);
    }
    CHECK(taken > 0); // those that were hit where anything may stand
}
