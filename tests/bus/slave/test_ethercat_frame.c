// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames: every command with its working counter, addresses, several datagrams, bits of FMMUs, cables; frames that are
// malformed. Bytes are compared with those of ETG.1000.4 and of a trial with a public master.
#include "check.h"
#include "slave/master.h"

enum { N = 3 };

static ff_ec_drive drives[8];

static ff_ec_segment *line_of(int n)
{
    ff_ec_station line[8];
    memset(drives, 0, sizeof drives);
    for (int i = 0; i < n; i++)
        line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i], .alias = (uint16_t)(0x2001 + i)};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(line, n, &err);
    if (!segment) CHECK_FAIL("%s", err.text);
    return segment;
}

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/// Three slaves with stations 0x1001 to 0x1003, an FMMU each: logical 0 and 1 read and write plain memory at 0x1F00.
static master three(void)
{
    master m = {.segment = line_of(N)};
    for (int i = 0; i < N; i++) {
        uint8_t address[2] = {(uint8_t)(i + 1), 0x10};
        master_try(&m, APWR, (uint16_t)-i, 0x0010, address, 2);
        uint8_t fmmu[16] = {0, 0, 0, 0, 2, 0, 0, 7, 0, 0x1F, 0, 3, 1};
        master_try(&m, FPWR, (uint16_t)(0x1001 + i), 0x0600, fmmu, 16);
    }
    return m;
}

// The table of ETG.1000.4: reading counts 1, writing 1, both in one command 1 + 2.
TEST(working_counters_are_those_of_the_standard)
{
    static const struct {
        int command;
        uint16_t adp;
        int counter;
    } rows[] = {{NOP, 0, 0},       {APRD, 0, 1},      {APWR, 0, 1},      {APRW, 0, 3},      {APRD, 0xFFFE, 1},
                {APRD, 0xFFFD, 0}, {FPRD, 0x1002, 1}, {FPWR, 0x1002, 1}, {FPRW, 0x1002, 3}, {FPRD, 0x1004, 0},
                {BRD, 0, N},       {BWR, 0, N},       {BRW, 0, 3 * N},   {ARMW, 0xFFFF, N}, {FRMW, 0x1002, N},
                {FRMW, 0x1009, N}, {15, 0, 0},        {255, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        master m = three();
        uint8_t data[4] = {0};
        const int got = master_try(&m, rows[i].command, rows[i].adp, 0x1F00, data, 4);
        if (got != rows[i].counter) CHECK_FAIL("row %zu: counter %d, expected %d", i, got, rows[i].counter);
        ff_ec_segment_destroy(m.segment);
    }
    static const int logical[][2] = {{LRD, N}, {LWR, N}, {LRW, 3 * N}};
    for (int i = 0; i < 3; i++) {
        master m = three();
        uint8_t data[4] = {0};
        CHECK_INT(master_logical(&m, logical[i][0], 0, data, 4), logical[i][1]);
        CHECK_INT(master_logical(&m, logical[i][0], 2, data, 4), 0);
        CHECK_INT(master_logical(&m, logical[i][0], 0xFFFFFFFF, data, 4), 0); // logical addresses do not wrap
        ff_ec_segment_destroy(m.segment);
    }
}

TEST(positions_count_modulo_65536)
{
    master m = three();
    static const uint16_t commands[][2] = {{APRD, 1}, {APWR, 1}, {APRW, 1}, {BRD, 1},  {BWR, 1},
                                           {BRW, 1},  {ARMW, 1}, {FPRD, 0}, {FRMW, 0}, {NOP, 0}};
    for (int i = 0; i < 10; i++) {
        uint8_t data[2] = {0};
        master_try(&m, commands[i][0], 0xFFFF, 0x1F00, data, 2);
        CHECK_INT(get(m.frame + 18, 2), (0xFFFF + N * commands[i][1]) & 0xFFFF);
    }
    ff_ec_segment_destroy(m.segment);
}

TEST(data_are_read_before_they_are_written)
{
    master m = three();
    uint8_t data[2] = {0xAA, 0xBB};
    CHECK_INT(master_try(&m, FPWR, 0x1002, 0x1F00, data, 2), 1);
    uint8_t other[2] = {0x01, 0x02};
    CHECK_INT(master_try(&m, FPRW, 0x1002, 0x1F00, other, 2), 3);
    CHECK_INT(get(other, 2), 0xBBAA);
    CHECK_INT(master_read(&m, 0x1002, 0x1F00, 2), 0x0201);
    // broadcasts are combined by OR
    master_write(&m, 0x1001, 0x1F00, 0x0100, 2);
    master_write(&m, 0x1002, 0x1F00, 0x0020, 2);
    master_write(&m, 0x1003, 0x1F00, 0x4000, 2);
    uint8_t all[2] = {0x05, 0};
    CHECK_INT(master_try(&m, BRD, 0, 0x1F00, all, 2), N);
    CHECK_INT(get(all, 2), 0x4125);
    // the first reads, all others take what it read
    uint8_t from_first[2] = {0xEE, 0xEE};
    CHECK_INT(master_try(&m, ARMW, 0, 0x1F00, from_first, 2), N);
    CHECK_INT(get(from_first, 2), 0x0100);
    CHECK_INT(master_read(&m, 0x1003, 0x1F00, 2), 0x0100);
    // LRW: outputs as they came, then inputs in their place, slave after slave
    uint8_t logical[2] = {0x77, 0x88};
    CHECK_INT(master_logical(&m, LRW, 0, logical, 2), 3 * N);
    CHECK_INT(get(logical, 2), 0x8877);
    ff_ec_segment_destroy(m.segment);
}

TEST(an_alias_addresses_a_slave_once_it_is_switched_on)
{
    master m = three();
    uint8_t data[2] = {0};
    CHECK_INT(master_try(&m, FPRD, 0x2002, 0x0010, data, 2), 0);
    uint8_t on[1] = {1};
    CHECK_INT(master_try(&m, BWR, 0, 0x0103, on, 1), N);
    CHECK_INT(master_try(&m, FPRD, 0x2002, 0x0010, data, 2), 1);
    CHECK_INT(get(data, 2), 0x1002);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ bytes

static size_t from_hex(const char *text, uint8_t *to)
{
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == ' ') continue;
        const char digits[3] = {p[0], p[1], 0};
        to[n++] = (uint8_t)strtol(digits, NULL, 16);
        p++;
    }
    return n;
}

/// What comes back for bytes behind the Ethernet head.
static size_t answer_to(ff_ec_segment *segment, const char *hex, uint8_t *bytes)
{
    memset(bytes, 0, 1514);
    memset(bytes, 0xFF, 6);
    bytes[6] = 0x01, bytes[12] = 0x88, bytes[13] = 0xA4;
    return ff_ec_segment_frame(segment, bytes, 14 + from_hex(hex, bytes + 14), 1000);
}

static void expect(const uint8_t *bytes, size_t size, const char *hex)
{
    uint8_t wanted[1514];
    CHECK_INT(size, 14 + from_hex(hex, wanted));
    for (size_t i = 0; i + 14 < size; i++)
        if (bytes[14 + i] != wanted[i]) CHECK_FAIL("byte %zu is %02x, expected %02x", i, bytes[14 + i], wanted[i]);
}

// Frames of a public master and the answers of three drives.
TEST(recorded_frames_get_the_recorded_answers)
{
    ff_ec_segment *s = line_of(3);
    uint8_t b[1514];
    size_t n = answer_to(s, "0e10 07 01 0000 0000 0200 0000 0000 0000", b);
    expect(b, n, "0e10 07 01 0300 0000 0200 0000 1100 0300");
    CHECK_INT(b[6], 0x03); // the first slave marks the source address
    n = answer_to(s, "0e10 02 03 0000 1000 0200 0000 0110 0000", b);
    expect(b, n, "0e10 02 03 0300 1000 0200 0000 0110 0100");
    n = answer_to(s, "0e10 02 02 ffff 1000 0200 0000 0210 0000", b);
    expect(b, n, "0e10 02 02 0200 1000 0200 0000 0210 0100");
    n = answer_to(s, "1210 05 05 0110 0205 0600 0000 000108000000 0000", b);
    expect(b, n, "1210 05 05 0110 0205 0600 0000 000108000000 0100");
    n = answer_to(s, "1a10 04 06 0110 0205 0e00 0000 0000 00000000 0000000000000000 0000", b);
    expect(b, n, "1a10 04 06 0110 0205 0e00 0000 4000 08000000 0ff0000002040000 0100");
    // two FMMUs at once, then read back
    n = answer_to(s,
                  "2c10 05 16 0110 0006 2000 0000 0000000008000007 0011000201000000 180000000c000007 "
                  "0012000101000000 0000",
                  b);
    expect(b, n,
           "2c10 05 16 0110 0006 2000 0000 0000000008000007 0011000201000000 180000000c000007 "
           "0012000101000000 0100");
    n = answer_to(s, "1c10 04 17 0110 1006 1000 0000 00000000000000000000000000000000 0000", b);
    expect(b, n, "1c10 04 17 0110 1006 1000 0000 180000000c0000070012000101000000 0100");
    ff_ec_segment_destroy(s);
}

TEST(several_datagrams_travel_in_one_frame)
{
    ff_ec_segment *s = line_of(3);
    uint8_t b[1514];
    const size_t n = answer_to(s,
                               "2c10 02 01 ffff 1000 0280 0000 0210 0000 "
                               "04 02 0210 1000 0280 0000 0000 0000 "
                               "07 03 0000 3001 0400 0000 00000000 0000",
                               b);
    expect(b, n,
           "2c10 02 01 0200 1000 0280 0000 0210 0100 "
           "04 02 0210 1000 0280 0000 0210 0100 "
           "07 03 0300 3001 0400 0000 01000000 0300");
    ff_ec_segment_destroy(s);
}

TEST(malformed_frames_are_dropped_and_change_nothing)
{
    ff_ec_segment *s = line_of(1);
    uint8_t b[1514];
    static const char *const wrong[] = {
        "0e20 02 01 0000 1000 0200 0000 0210 0000",                              // type 2
        "0f10 02 01 0000 1000 0200 0000 0210 0000",                              // longer than the frame
        "0e10 02 01 0000 1000 0300 0000 0210 0000",                              // datagram longer than the frame
        "0e10 02 01 0000 1000 0280 0000 0210 0000",                              // more follow: nothing does
        "1910 02 01 0000 1000 0280 0000 0210 0000 02 01 0000 1000 0000 0000 00", // the second is cut
        "0b10 02 01 0000 1000 0000 0000 00",                                     // shorter than a datagram
        "0010",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (answer_to(s, wrong[i], b)) CHECK_FAIL("frame %zu was answered", i);
    from_hex("0e10 04 01 0000 1000 0200 0000 0000 0000", b + 14);
    for (size_t n = 0; n < 30; n++) CHECK_INT(ff_ec_segment_frame(s, b, n, 0), 0);
    CHECK_INT(ff_ec_segment_frame(s, b, 30, 0), 30);
    CHECK_INT(get(b + 26, 2), 0); // the station address is still 0: ...
    CHECK_INT(get(b + 28, 2), 1); // ... it was read
    b[13] = 0xA5;
    CHECK_INT(ff_ec_segment_frame(s, b, 30, 0), 0);
    ff_ec_segment_destroy(s);
}

// ------------------------------------------------------------------------------------------ FMMUs

static void set_fmmu(master *m, int k, uint32_t logical, unsigned length, unsigned start, unsigned end,
                     unsigned physical, unsigned physical_bit, unsigned type)
{
    uint8_t f[16] = {(uint8_t)logical,
                     (uint8_t)(logical >> 8),
                     0,
                     0,
                     (uint8_t)length,
                     0,
                     (uint8_t)start,
                     (uint8_t)end,
                     (uint8_t)physical,
                     (uint8_t)(physical >> 8),
                     (uint8_t)physical_bit,
                     (uint8_t)type,
                     1};
    CHECK_INT(master_try(m, FPWR, 0x1001, (uint16_t)(0x0600 + 16 * k), f, 16), 1);
}

// Every position of 1 to 12 bits, against bits copied one by one as the formula of the standard says.
TEST(bits_are_mapped_across_byte_boundaries)
{
    master m = {.segment = line_of(1)};
    uint8_t address[2] = {1, 0x10};
    master_try(&m, APWR, 0, 0x0010, address, 2);
    for (unsigned bits = 1; bits <= 12; bits++)
        for (unsigned start = 0; start < 8; start++)
            for (unsigned physical_bit = 0; physical_bit < 8; physical_bit++) {
                const unsigned last = start + bits - 1, length = last / 8 + 1, end = last % 8;
                uint8_t memory[4] = {0xFF, 0x00, 0xFF, 0x00}, data[4] = {0x5A, 0xC3, 0x96, 0x3C};
                uint32_t expected = (uint32_t)get(memory, 4);
                const uint32_t sent = (uint32_t)get(data, 4);
                for (unsigned j = 0; j < bits; j++) {
                    expected &= ~(1U << (physical_bit + j));
                    expected |= (sent >> (start + j) & 1U) << (physical_bit + j);
                }
                CHECK_INT(master_try(&m, FPWR, 0x1001, 0x1F00, memory, 4), 1);
                set_fmmu(&m, 0, 0x100, length, start, end, 0x1F00, physical_bit, 2);
                CHECK_INT(master_logical(&m, LWR, 0x100, data, 4), 1);
                CHECK_INT(master_read(&m, 0x1001, 0x1F00, 4), expected);
                // and back: other bits of the datagram stay
                set_fmmu(&m, 0, 0x100, length, start, end, 0x1F00, physical_bit, 1);
                uint8_t back[4] = {0, 0xFF, 0, 0xFF};
                uint32_t wanted = (uint32_t)get(back, 4);
                for (unsigned j = 0; j < bits; j++) {
                    wanted &= ~(1U << (start + j));
                    wanted |= (sent >> (start + j) & 1U) << (start + j);
                }
                CHECK_INT(master_logical(&m, LRD, 0x100, back, 4), 1);
                CHECK_INT(get(back, 4), wanted);
            }
    ff_ec_segment_destroy(m.segment);
}

TEST(only_the_common_bytes_of_unit_and_datagram_count)
{
    master m = {.segment = line_of(1)};
    uint8_t address[2] = {1, 0x10}, memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    master_try(&m, APWR, 0, 0x0010, address, 2);
    master_try(&m, FPWR, 0x1001, 0x1F00, memory, 8);
    set_fmmu(&m, 0, 0x100, 8, 0, 7, 0x1F00, 0, 1);
    uint8_t data[8] = {0};
    CHECK_INT(master_logical(&m, LRD, 0xFD, data, 5), 1);
    CHECK_INT(get(data, 8), 0x0000000201000000);
    memset(data, 0, 8);
    CHECK_INT(master_logical(&m, LRD, 0x106, data, 5), 1);
    CHECK_INT(get(data, 8), 0x0807);
    CHECK_INT(master_logical(&m, LRD, 0x108, data, 5), 0);
    CHECK_INT(master_logical(&m, LRD, 0xF8, data, 8), 0);
    // several units of one slave count once
    set_fmmu(&m, 1, 0x108, 8, 0, 7, 0x1F20, 0, 3);
    set_fmmu(&m, 2, 0x110, 8, 0, 7, 0x1F30, 0, 3);
    uint8_t wide[24] = {0};
    CHECK_INT(master_logical(&m, LRW, 0x100, wide, 24), 3);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ cables

static int count_slaves(master *m)
{
    uint8_t type[2] = {0};
    return master_try(m, BRD, 0, 0, type, 2);
}

TEST(stations_behind_a_cut_cable_do_not_answer)
{
    master m = {.segment = line_of(4)};
    CHECK_INT(count_slaves(&m), 4);
    uint8_t status[2] = {0};
    CHECK_INT(master_try(&m, APRD, (uint16_t)-1, 0x0110, status, 2), 1);
    CHECK_INT(get(status, 2), 0x5A31); // in the middle of a line
    memset(status, 0, 2);
    CHECK_INT(master_try(&m, APRD, (uint16_t)-3, 0x0110, status, 2), 1);
    CHECK_INT(get(status, 2), 0x5611); // at its end
    CHECK(ff_ec_station_connect(m.segment, 1, 1, false));
    CHECK_INT(count_slaves(&m), 2);
    memset(status, 0, 2);
    CHECK_INT(master_try(&m, APRD, (uint16_t)-1, 0x0110, status, 2), 1);
    CHECK_INT(get(status, 2), 0x5611);
    uint8_t lost[4] = {0};
    CHECK_INT(master_try(&m, APRD, (uint16_t)-1, 0x0310, lost, 4), 1);
    CHECK_INT(get(lost, 4), 0x0100); // once, at port 1
    CHECK(ff_ec_station_connect(m.segment, 1, 1, true));
    CHECK_INT(count_slaves(&m), 4);
    CHECK(ff_ec_station_connect(m.segment, 0, 0, false));
    CHECK_INT(count_slaves(&m), -1); // nothing comes back
    CHECK(ff_ec_station_connect(m.segment, 0, 0, true));
    CHECK(!ff_ec_station_connect(m.segment, 3, 1, false)); // no cable there
    CHECK(!ff_ec_station_connect(m.segment, 4, 0, false));
    // a master closes a port
    uint8_t loops[1] = {3 << 2};
    CHECK_INT(master_try(&m, APWR, (uint16_t)-2, 0x0101, loops, 1), 1);
    CHECK_INT(count_slaves(&m), 3);
    ff_ec_segment_destroy(m.segment);
}

TEST(branches_are_passed_in_the_order_of_ports)
{
    // first - at its port 3: second - third; at its port 1: fourth
    ff_ec_station s[4];
    for (int i = 0; i < 4; i++)
        s[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i], .alias = (uint16_t)(i + 1)};
    s[1].behind = 1, s[1].port = 3;
    s[3].behind = 1, s[3].port = 1;
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(s, 4, &err)};
    CHECK(m.segment != NULL);
    for (int i = 0; i < 4; i++) {
        uint8_t alias[2] = {0};
        CHECK_INT(master_try(&m, APRD, (uint16_t)-i, 0x0012, alias, 2), 1);
        CHECK_INT(get(alias, 2), i + 1);
    }
    uint8_t ports[1] = {0};
    CHECK_INT(master_try(&m, APRD, 0, 0x0007, ports, 1), 1);
    CHECK_INT(ports[0], 0xCF); // ports 0, 1 and 3
    CHECK(ff_ec_station_connect(m.segment, 0, 3, false));
    CHECK_INT(count_slaves(&m), 2);
    ff_ec_segment_destroy(m.segment);

    s[1].port = 1, s[3].port = 3; // then the fourth would come second
    CHECK(!ff_ec_segment_create(s, 4, &err));
    CHECK_SAYS(err.text, "port 3 first");
    s[3].port = 1;
    CHECK(!ff_ec_segment_create(s, 4, &err));
    CHECK_SAYS(err.text, "same port 1");
    s[3].port = 4;
    CHECK(!ff_ec_segment_create(s, 4, &err));
    CHECK_SAYS(err.text, "port 4");
    s[3].behind = 4;
    CHECK(!ff_ec_segment_create(s, 4, &err));
    CHECK_SAYS(err.text, "must precede it");
    CHECK(!ff_ec_segment_create(s, 0, &err));
}
