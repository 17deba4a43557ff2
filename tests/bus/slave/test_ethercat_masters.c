// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two drives brought to OP as public masters do it where they differ: IgH EtherLab, SOEM 1.4, EtherCrab. Each row is a
// datagram, with the length that the master uses.
#include "check.h"
#include "slave/master.h"

enum { N = 2, FIRST = 0x1001 };

static ff_ec_drive drives[N];
static ff_ec_station line[N];
static master m;

static void begin(void)
{
    ff_error err = {0};
    memset(drives, 0, sizeof drives);
    for (int i = 0; i < N; i++) line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i]};
    m = (master){.segment = ff_ec_segment_create(line, N, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
}

static void end(void)
{
    ff_ec_segment_destroy(m.segment);
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

/// A datagram whose data are a number, the rest zero.
typedef struct row {
    int command;
    uint16_t ado;
    unsigned n;
    uint64_t value;
} row;

/// To all stations, each of which counts.
static void broadcast(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t data[256] = {0};
        put(data, rows[i].value, rows[i].n < 8 ? rows[i].n : 8);
        const int counter = master_try(&m, rows[i].command, 0, rows[i].ado, data, rows[i].n);
        if (counter != N) CHECK_FAIL("%04X, %u bytes: working counter %d", rows[i].ado, rows[i].n, counter);
    }
}
#define BROADCAST(rows) broadcast(rows, sizeof(rows) / sizeof *(rows))

static void write_row(uint16_t station, uint16_t ado, unsigned n, uint64_t value)
{
    uint8_t data[256] = {0};
    put(data, value, n < 8 ? n : 8);
    const int counter = master_try(&m, FPWR, station, ado, data, n);
    if (counter != 1) CHECK_FAIL("%04X, %u bytes: working counter %d", ado, n, counter);
}

static void address(int i)
{
    uint8_t data[2];
    put(data, (uint64_t)FIRST + (unsigned)i, 2);
    CHECK_INT(master_try(&m, APWR, (uint16_t)-i, 0x0010, data, 2), 1);
}

static void put_sm(uint8_t *to, uint64_t start, uint64_t length, uint64_t control)
{
    put(to, start | length << 16 | control << 32 | UINT64_C(1) << 48, 8);
}

static void put_fmmu(uint8_t *to, uint32_t logical, unsigned n, uint16_t physical, int type)
{
    memset(to, 0, 16);
    put(to, logical, 4);
    put(to + 4, n, 2);
    to[7] = 7;
    put(to + 8, physical, 2);
    to[11] = (uint8_t)type;
    to[12] = 1;
}

/// Sync managers of the mailbox and PRE-OP, as all masters do it.
/// @param n  bytes written: 16, or 32 with empty ones for process data
static void mailbox(uint16_t station, unsigned n)
{
    uint8_t sms[32] = {0};
    put_sm(sms, 0x1000, 128, 0x26);
    put_sm(sms + 8, 0x1080, 128, 0x22);
    CHECK_INT(master_try(&m, FPWR, station, 0x0800, sms, n), 1);
    write_row(station, 0x0120, 2, FF_EC_PREOP);
    CHECK_INT(master_read(&m, station, 0x0130, 2), FF_EC_PREOP);
}

/// Process data of `out` and `in` bytes, all outputs first, then all inputs; SAFE-OP.
/// @param n  bytes of FMMUs written: 32, or 128 with those that are not used
static void process_data(int i, unsigned out, unsigned in, unsigned n)
{
    const uint16_t station = (uint16_t)(FIRST + i);
    uint8_t sms[16], fmmus[128] = {0};
    put_sm(sms, 0x1100, out, 0x64);
    put_sm(sms + 8, 0x1200, in, 0x20);
    CHECK_INT(master_try(&m, FPWR, station, 0x0810, sms, 16), 1); // both in one
    put_fmmu(fmmus, (uint32_t)i * out, out, 0x1100, 2);
    put_fmmu(fmmus + 16, (uint32_t)(N * out + (unsigned)i * in), in, 0x1200, 1);
    CHECK_INT(master_try(&m, FPWR, station, 0x0600, fmmus, n), 1);
    CHECK_INT(master_request(&m, station, FF_EC_SAFEOP), FF_EC_SAFEOP);
}

static void exchange(unsigned bytes)
{
    uint8_t image[256] = {0};
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 3 * N);
}

// ------------------------------------------------------------------------------------------ IgH

/// Words by 4 bytes: command and the lower half of the address in one write, then 10 bytes until bits 15 and 8 are 0.
static uint32_t read_sii_as_igh(uint16_t station, uint16_t word)
{
    uint8_t request[4] = {0x80, 0x01, (uint8_t)word, (uint8_t)(word >> 8)}, answer[10] = {0};
    CHECK_INT(master_try(&m, FPWR, station, 0x0502, request, 4), 1);
    CHECK_INT(master_try(&m, FPRD, station, 0x0502, answer, 10), 1);
    CHECK_INT(answer[1] & 0x81, 0);
    CHECK_INT(answer[1] & 0x20, 0); // no error
    return (uint32_t)get(answer + 6, 4);
}

/// The mailbox is polled by reading all eight bytes of sync manager 1.
static void poll_as_igh(uint16_t station, bool full)
{
    uint8_t sm[8] = {0};
    CHECK_INT(master_try(&m, FPRD, station, 0x0808, sm, 8), 1);
    CHECK_INT((sm[5] >> 3) & 1, full);
}

/// An assignment is written entry by entry: their number 0, the entries, their number.
static void assign_as_igh(uint16_t station, uint16_t list, uint16_t pdo)
{
    CHECK_INT(master_put(&m, station, list, 0, 0, 1), 0);
    CHECK_INT(master_put(&m, station, list, 1, pdo, 2), 0);
    CHECK_INT(master_put(&m, station, list, 0, 1, 1), 0);
}

/// A mapping likewise.
static void map_as_igh(uint16_t station, uint16_t pdo, const uint32_t *entries, unsigned n)
{
    CHECK_INT(master_put(&m, station, pdo, 0, 0, 1), 0);
    for (unsigned i = 0; i < n; i++) CHECK_INT(master_put(&m, station, pdo, (uint8_t)(i + 1), entries[i], 4), 0);
    CHECK_INT(master_put(&m, station, pdo, 0, n, 1), 0);
}

static void configure_as_igh(int i)
{
    static const uint32_t out[] = {0x60400010, 0x607A0020}, in[] = {0x60410010, 0x60640020};
    const uint16_t station = (uint16_t)(FIRST + i);
    write_row(station, 0x0120, 2, FF_EC_INIT);
    write_row(station, 0x0600, 128, 0); // eight FMMUs
    write_row(station, 0x0800, 64, 0);  // eight sync managers
    write_row(station, 0x0980, 2, 0);
    write_row(station, 0x0500, 1, 1); // the EEPROM to the slave
    mailbox(station, 32);
    poll_as_igh(station, false);
    uint8_t request[128] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x20, 0x40, 0x61, 0x60}, answer[128] = {0};
    CHECK_INT(master_try(&m, FPWR, station, 0x1000, request, 128), 1);
    poll_as_igh(station, true);
    CHECK_INT(master_try(&m, FPRD, station, 0x1080, answer, 128), 1);
    CHECK(answer[8] == 0x4F && answer[12] == 8); // 6061 is 8
    poll_as_igh(station, false);
    m.counters[station & 63] = 1; // used above
    map_as_igh(station, 0x1600, out, 2);
    map_as_igh(station, 0x1A00, in, 2);
    assign_as_igh(station, 0x1C12, 0x1600);
    assign_as_igh(station, 0x1C13, 0x1A00);
    write_row(station, 0x0400, 2, 0x09C2);
    write_row(station, 0x0420, 2, 0x03E8);
    process_data(i, 6, 6, 128);
}

static void clocks_as_igh(uint16_t station)
{
    uint8_t difference[4] = {0}, cycles[8] = {0}, start[8];
    uint8_t clock[24] = {0};
    CHECK_INT(master_try(&m, FPRD, station, 0x0910, clock, 24), 1);         // time, processing unit and offset in one
    CHECK_INT(master_read(&m, station, 0x0910, 8) - get(clock, 8), 100000); // from frame to frame
    CHECK_INT(get(clock + 16, 8), 0);
    write_row(station, 0x0920, 12, 0); // offset and delay in one
    put(cycles, 1000000, 4);           // Sync0, and no Sync1
    CHECK_INT(master_try(&m, FPWR, station, 0x09A0, cycles, 8), 1);
    CHECK_INT(master_try(&m, FPRD, station, 0x092C, difference, 4), 1);
    CHECK((get(difference, 4) & 0x7FFFFFFF) < 10000); // it waits for 10 us
    put(start, (master_read(&m, station, 0x0910, 8) / 1000000 + 100) * 1000000, 8);
    CHECK_INT(master_try(&m, FPWR, station, 0x0990, start, 8), 1);
    write_row(station, 0x0980, 2, 0x0300); // AssignActivate
    CHECK_INT(master_read(&m, station, 0x0981, 1), 3);
}

TEST(igh_etherlab)
{
    static const row first[] = {{BRD, 0x0130, 2, 0}, {BWR, 0x0010, 2, 0}, {BWR, 0x0900, 1, 0}};
    begin();
    BROADCAST(first);
    for (int i = 0; i < N; i++) {
        uint8_t base[12] = {0};
        address(i);
        CHECK_INT(master_read(&m, (uint16_t)(FIRST + i), 0x0130, 2), FF_EC_INIT);
        CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + i), 0x0000, base, 12), 1);
        CHECK(base[0] == 0x11 && base[4] == 8 && base[5] == 8 && base[6] == 8 && base[8] == 0x0C); // section 3
        CHECK_INT(read_sii_as_igh((uint16_t)(FIRST + i), 8), FF_EC_VENDOR);
        CHECK_INT(read_sii_as_igh((uint16_t)(FIRST + i), 0x0A), 0x0402);
        CHECK_INT(read_sii_as_igh((uint16_t)(FIRST + i), 0x18), 0x00801000); // mailbox of requests
        for (uint16_t word = 0x14; word < 0x1C; word += 2) { // a FFFF there, also of BOOT, switches all mailboxes off
            const uint32_t words = read_sii_as_igh((uint16_t)(FIRST + i), word);
            CHECK((words & 0xFFFF) != 0xFFFF && words >> 16 != 0xFFFF);
        }
    }
    for (int i = 0; i < N; i++) configure_as_igh(i);
    for (int i = 0; i < N; i++) clocks_as_igh((uint16_t)(FIRST + i));
    exchange(N * 12);
    uint8_t time[4] = {0};
    CHECK_INT(master_try(&m, FRMW, FIRST, 0x0910, time, 4), N); // the lower half of the time
    for (int i = 0; i < N; i++) CHECK_INT(master_request(&m, (uint16_t)(FIRST + i), FF_EC_OP), FF_EC_OP);
    // an error is acknowledged apart from the next request
    ff_ec_station_expire(m.segment, 1);
    CHECK_INT(master_read(&m, FIRST + 1, 0x0130, 2), 0x14);
    CHECK_INT(master_code(&m, FIRST + 1), 0x001B);
    exchange(N * 12);
    CHECK_INT(master_request(&m, FIRST + 1, FF_EC_OP), 0x14); // not without
    CHECK_INT(master_code(&m, FIRST + 1), 0x001B);
    CHECK_INT(master_request(&m, FIRST + 1, 0x14), FF_EC_SAFEOP);
    CHECK_INT(master_code(&m, FIRST + 1), 0);
    exchange(N * 12);
    CHECK_INT(master_request(&m, FIRST + 1, FF_EC_OP), FF_EC_OP);
    end();
}

// ------------------------------------------------------------------------------------------ SOEM 1.4, EtherCrab

/// Words by 6 bytes, then the state by 2 bytes, then 4 or 8 bytes of data.
static uint64_t read_sii_by_six(uint16_t station, uint16_t word, unsigned n)
{
    uint8_t request[6] = {0x00, 0x01, (uint8_t)word, (uint8_t)(word >> 8), 0, 0}, state[2] = {0}, data[8] = {0};
    CHECK_INT(master_try(&m, FPWR, station, 0x0502, request, 6), 1);
    CHECK_INT(master_try(&m, FPRD, station, 0x0502, state, 2), 1);
    CHECK_INT(state[1] & 0xE0, 0);
    CHECK_INT(state[0] & 0x40, 0x40); // eight bytes at a time
    CHECK_INT(master_try(&m, FPRD, station, 0x0508, data, n), 1);
    return get(data, n);
}

/// Requests are written where 0805 is empty, answers read where 080D is full: one byte each.
static void poll_by_a_byte(uint16_t station)
{
    uint8_t state = 0xFF, request[128] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x20, 0x40, 0x00, 0x1C}, answer[128] = {0};
    CHECK(master_try(&m, FPRD, station, 0x0805, &state, 1) == 1 && !(state & 8));
    CHECK_INT(master_try(&m, FPWR, station, 0x1000, request, 128), 1);
    CHECK(master_try(&m, FPRD, station, 0x080D, &state, 1) == 1 && (state & 8));
    CHECK_INT(master_try(&m, FPRD, station, 0x1080, answer, 128), 1);
    CHECK(answer[8] == 0x4F && answer[12] == 4); // 1C00: four sync managers
    CHECK(master_try(&m, FPRD, station, 0x080D, &state, 1) == 1 && !(state & 8));
    m.counters[station & 63] = 1; // used above
}

/// Mapping by complete access, where the slave has it: subindex 0 with 16 bits, then the rest.
static void read_assignment(uint16_t station, uint16_t list, uint16_t pdo)
{
    uint8_t data[64] = {0};
    unsigned n = sizeof data;
    CHECK_INT(master_upload(&m, station, list, 0, true, data, &n), 0);
    CHECK_INT(n, 4);
    CHECK_INT(get(data, 2), 1);
    CHECK_INT(get(data + 2, 2), pdo);
}

static void finish_with_broadcasts(void)
{
    exchange(N * 44);
    uint8_t op = FF_EC_OP, status[2] = {0};
    CHECK_INT(master_try(&m, BWR, 0, 0x0120, &op, 1), N); // one byte
    exchange(N * 44);
    CHECK_INT(master_try(&m, BRD, 0, 0x0130, status, 2), N);
    CHECK_INT(get(status, 2), FF_EC_OP);
}

TEST(soem_1_4)
{
    static const row first[] = {{BWR, 0x0103, 1, 0},      {BWR, 0x0120, 1, 0x11}, {BWR, 0x0120, 1, 0x11},
                                {BRD, 0x0000, 2, 0},      {BWR, 0x0101, 1, 0},    {BWR, 0x0200, 2, 4},
                                {BWR, 0x0300, 8, 0},      {BWR, 0x0600, 48, 0},   {BWR, 0x0800, 32, 0},
                                {BWR, 0x0981, 1, 0},      {BWR, 0x0910, 4, 0},    {BWR, 0x0930, 2, 0x1000},
                                {BWR, 0x0934, 2, 0x0C00}, {BWR, 0x0103, 1, 0},    {BWR, 0x0120, 1, 0x11},
                                {BWR, 0x0500, 1, 2},      {BWR, 0x0500, 1, 0}};
    begin();
    BROADCAST(first);
    for (int i = 0; i < N; i++) {
        const uint16_t station = (uint16_t)(FIRST + i);
        address(i);
        CHECK_INT(read_sii_by_six(station, 8, 4), FF_EC_VENDOR);
        CHECK_INT(read_sii_by_six(station, 8, 8), FF_EC_VENDOR | UINT64_C(0x0402) << 32);
        mailbox(station, 16);
        poll_by_a_byte(station);
        read_assignment(station, 0x1C12, 0x1600);
        read_assignment(station, 0x1C13, 0x1A00);
        process_data(i, 20, 24, 32);
    }
    finish_with_broadcasts();
    end();
}

TEST(ethercrab)
{
    static const row first[] = {{BRD, 0x0000, 1, 0},     {BWR, 0x0120, 2, 0x11}, {BWR, 0x0600, 256, 0},
                                {BWR, 0x0800, 128, 0},   {BWR, 0x0981, 1, 0},    {BWR, 0x0910, 8, 0},
                                {BWR, 0x0920, 8, 0},     {BWR, 0x0928, 4, 0},    {BWR, 0x0930, 2, 0x1000},
                                {BWR, 0x0934, 2, 0x0C00}};
    begin();
    BROADCAST(first);
    for (int i = 0; i < N; i++) {
        const uint16_t station = (uint16_t)(FIRST + i);
        address(i);
        write_row(station, 0x0500, 2, 2); // owner by two bytes, from the slave, then to the master
        write_row(station, 0x0500, 2, 0);
        CHECK_INT(read_sii_by_six(station, 0x0A, 8), 0x0402 | UINT64_C(1) << 32); // product and revision
        mailbox(station, 16);
        poll_by_a_byte(station);
    }
    // receive times of all ports by one read of 16 bytes, that of the processing unit by one of 8
    const row latch[] = {{BWR, 0x0900, 4, 0}};
    BROADCAST(latch);
    for (int i = 0; i < N; i++) {
        uint8_t ports[16] = {0}, unit[8] = {0};
        CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + i), 0x0900, ports, 16), 1);
        CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + i), 0x0918, unit, 8), 1);
        CHECK(get(ports, 4) == (uint32_t)get(unit, 8) && get(unit, 8) > 0);
        write_row((uint16_t)(FIRST + i), 0x0920, 8, 0);
        write_row((uint16_t)(FIRST + i), 0x0928, 4, 0);
    }
    for (int k = 0; k < 100; k++) { // the time is distributed many times before data flow
        uint8_t time[8] = {0};
        CHECK_INT(master_try(&m, FRMW, FIRST, 0x0910, time, 8), N);
    }
    for (int i = 0; i < N; i++) process_data(i, 20, 24, 32);
    finish_with_broadcasts();
    end();
}
