// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One slave: states of the application layer with their codes, EEPROM, sync managers, watchdog, distributed clocks.
#include "check.h"
#include "slave/master.h"

enum { STATION = 0x1001 };

static ff_ec_drive drive;

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/// Calls of the behaviour of a station.
static struct {
    int outputs, syncs, changes;
    ff_ec_state from, to;
    uint16_t code;
    uint64_t time;
} called;

static void note_outputs(void *data, uint64_t now)
{
    (void)data, (void)now;
    called.outputs++;
}
static void note_sync(void *data, uint64_t time)
{
    (void)data;
    called.syncs++;
    called.time = time;
}
static void note_state(void *data, ff_ec_state from, ff_ec_state to, uint16_t code)
{
    (void)data;
    called.changes++;
    called.from = from, called.to = to, called.code = code;
}
static const ff_ec_behaviour noted = {.outputs = note_outputs, .sync0 = note_sync, .state = note_state};

static master one(master_slave *slave)
{
    const ff_ec_station station = {.device = &ff_ec_drive_device, .data = &drive, .serial = 7, .behaviour = &noted};
    memset(&drive, 0, sizeof drive);
    memset(&called, 0, sizeof called);
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(&station, 1, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    CHECK_INT(master_scan(&m, slave, 1), 1);
    memset(&called, 0, sizeof called);
    return m;
}

static uint8_t image[44];

/// Brings the slave to a state on the shortest path, configured for OP.
static master in_state(ff_ec_state state, master_slave *slave)
{
    master m = one(slave);
    if (state == FF_EC_INIT) return m;
    CHECK_INT(master_preop(&m, slave), FF_EC_PREOP);
    CHECK(master_mapping(&m, slave));
    CHECK_INT(master_map(&m, slave, 1), 44);
    memset(image, 0, sizeof image);
    if (state == FF_EC_PREOP) return m;
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    if (state == FF_EC_SAFEOP) return m;
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    return m;
}

// ------------------------------------------------------------------------------------------ states

// Every pair of states with everything configured: the resulting state and the code. 0x0011 invalid change, 0x0012
// unknown state, 0x0013 no BOOT.
TEST(every_requested_state_is_reached_or_refused_with_its_code)
{
    static const ff_ec_state from[] = {FF_EC_INIT, FF_EC_PREOP, FF_EC_SAFEOP, FF_EC_OP};
    enum { I = 1, P = 2, B = 3, S = 4, O = 8 };
    static const struct {
        unsigned to;
        unsigned code[4]; // by the state before
    } rows[] = {{I, {0, 0, 0, 0}},
                {P, {0x0016, 0, 0, 0}},
                {B, {0x0013, 0x0011, 0x0011, 0x0011}},
                {S, {0x0011, 0, 0, 0}},
                {O, {0x0011, 0x0011, 0, 0}},
                {0, {0x12, 0x12, 0x12, 0x12}},
                {5, {0x12, 0x12, 0x12, 0x12}},
                {7, {0x12, 0x12, 0x12, 0x12}},
                {15, {0x12, 0x12, 0x12, 0x12}}};
    for (int f = 0; f < 4; f++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            master_slave slave;
            master m = in_state(from[f], &slave);
            const unsigned code = rows[r].code[f], wanted = code ? from[f] | 0x10U : rows[r].to;
            const unsigned status = master_request(&m, STATION, rows[r].to);
            if (status != wanted || master_code(&m, STATION) != code)
                CHECK_FAIL("from %d to %u: status %x code %x, expected %x and %x", from[f], rows[r].to, status,
                           master_code(&m, STATION), wanted, code);
            uint16_t shown;
            CHECK_INT(ff_ec_station_state(m.segment, 0, &shown), status & 0x0F);
            CHECK_INT(shown, code);
            ff_ec_segment_destroy(m.segment);
        }
}

TEST(an_error_remains_until_it_is_acknowledged)
{
    master_slave slave;
    master m = one(&slave);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x11);
    CHECK_INT(master_request(&m, STATION, FF_EC_PREOP), 0x11); // ignored
    CHECK_INT(master_code(&m, STATION), 0x0011);
    CHECK_INT(master_request(&m, STATION, 0x11), 0x01);
    CHECK_INT(master_code(&m, STATION), 0);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x11);
    CHECK_INT(master_request(&m, STATION, FF_EC_INIT), 0x01); // INIT needs no acknowledge
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x11);
    CHECK_INT(master_preop(&m, &slave), FF_EC_PREOP); // 0x12: acknowledge and go on
    uint8_t one_byte[1] = {0x11};                     // masters also write one byte
    CHECK_INT(master_try(&m, BWR, 0, 0x0120, one_byte, 1), 1);
    CHECK_INT(master_read(&m, STATION, 0x0130, 2), 1);
    CHECK_INT(called.from, FF_EC_PREOP);
    CHECK_INT(called.to, FF_EC_INIT);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_slave_reports_its_alias_on_request)
{
    const ff_ec_station station = {.device = &ff_ec_drive_device, .data = &drive, .alias = 0x0123};
    master_slave slave;
    master m = {.segment = ff_ec_segment_create(&station, 1, NULL)};
    CHECK_INT(master_scan(&m, &slave, 1), 1);
    CHECK_INT(master_request(&m, STATION, 0x21), 0x21);
    CHECK_INT(master_code(&m, STATION), 0x0123);
    CHECK_INT(master_request(&m, STATION, 0x01), 0x01);
    CHECK_INT(master_code(&m, STATION), 0);
    ff_ec_segment_destroy(m.segment);
}

/// Changes registers or objects before a change of state.
typedef struct spoiler {
    ff_ec_state from;
    unsigned to;
    uint16_t ado;
    uint64_t value;
    unsigned n;
    unsigned code;
} spoiler;

TEST(conditions_of_state_changes_are_checked)
{
    static const spoiler rows[] = {
        // sync managers are off, have another length, mode or start
        {FF_EC_PREOP, 4, 0x0816, 0, 1, 0x001D}, {FF_EC_PREOP, 4, 0x081E, 0, 1, 0x001E},
        {FF_EC_PREOP, 4, 0x0420, 0, 2, 0x001F}, // watchdog wanted, its time is 0
        {FF_EC_PREOP, 4, 0x0981, 4, 1, 0x0030}, // Sync1 alone
        {FF_EC_PREOP, 4, 0x0981, 2, 1, 0x0030}, // Sync0 without the unit
        {FF_EC_PREOP, 4, 0x0981, 3, 1, 0x0036}, // no cycle time
        {FF_EC_PREOP, 4, 0x0981, 0, 1, 0},      //
        {FF_EC_SAFEOP, 8, 0x0420, 1000, 2, 0},  //
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        master_slave slave;
        master m = in_state(rows[r].from, &slave);
        CHECK_INT(master_write(&m, STATION, rows[r].ado, rows[r].value, rows[r].n), 1);
        const unsigned status = master_request(&m, STATION, rows[r].to), code = master_code(&m, STATION);
        if (code != rows[r].code || status != (code ? rows[r].from | 0x10U : rows[r].to))
            CHECK_FAIL("row %zu: status %x, code %x", r, status, code);
        ff_ec_segment_destroy(m.segment);
    }
}

static unsigned safeop_with_sm(int sm, unsigned start, unsigned length, unsigned control)
{
    master_slave slave;
    master m = in_state(FF_EC_PREOP, &slave);
    const uint16_t ado = (uint16_t)(0x0800 + 8 * sm);
    master_write(&m, STATION, (uint16_t)(ado + 6), 0, 1);
    if (sm < 2) { // they end PRE-OP; here the way back up is wanted
        CHECK_INT(master_read(&m, STATION, 0x0130, 2), 0x11);
        CHECK_INT(master_code(&m, STATION), 0x0016);
    }
    master_write(&m, STATION, ado, start | (uint64_t)length << 16 | (uint64_t)control << 32 | UINT64_C(1) << 48, 8);
    const unsigned to = sm < 2 ? 0x12 : FF_EC_SAFEOP, status = master_request(&m, STATION, to);
    const unsigned code = master_code(&m, STATION);
    CHECK_INT(status, code ? (sm < 2 ? 0x11 : 0x12) : (to & 0x0F));
    ff_ec_segment_destroy(m.segment);
    return code;
}

TEST(sync_managers_must_fit_the_device)
{
    CHECK_INT(safeop_with_sm(0, 0x1000, 128, 0x26), 0);
    CHECK_INT(safeop_with_sm(0, 0x1000, 127, 0x26), 0x0016);
    CHECK_INT(safeop_with_sm(0, 0x1002, 128, 0x26), 0x0016);
    CHECK_INT(safeop_with_sm(0, 0x1000, 128, 0x22), 0x0016);
    CHECK_INT(safeop_with_sm(0, 0x1000, 128, 0x06), 0); // interrupts are the master's choice
    CHECK_INT(safeop_with_sm(1, 0x1080, 128, 0x22), 0);
    CHECK_INT(safeop_with_sm(1, 0x1080, 64, 0x22), 0x0016);
    CHECK_INT(safeop_with_sm(2, 0x1100, 20, 0x64), 0);
    CHECK_INT(safeop_with_sm(2, 0x1100, 20, 0x24), 0); // without watchdog
    CHECK_INT(safeop_with_sm(2, 0x1100, 21, 0x64), 0x001D);
    CHECK_INT(safeop_with_sm(2, 0x1100, 20, 0x60), 0x001D); // wrong direction
    CHECK_INT(safeop_with_sm(2, 0x1100, 20, 0x66), 0x001D); // mailbox
    CHECK_INT(safeop_with_sm(3, 0x1200, 24, 0x20), 0);
    CHECK_INT(safeop_with_sm(3, 0x1200, 23, 0x20), 0x001E);
    CHECK_INT(safeop_with_sm(3, 0x2FF0, 24, 0x20), 0x001E); // beyond memory
}

TEST(inconsistent_mappings_are_refused)
{
    for (int direction = 0; direction < 2; direction++) {
        const uint16_t pdo = direction ? 0x1A00 : 0x1600;
        master_slave slave;
        master m = in_state(FF_EC_PREOP, &slave);
        CHECK_INT(master_put(&m, STATION, pdo, 0, 0, 1), 0); // assigned, and empty
        CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), 0x12);
        CHECK_INT(master_code(&m, STATION), direction ? 0x0024 : 0x0025);
        ff_ec_segment_destroy(m.segment);
    }
    master_slave slave;
    master m = in_state(FF_EC_PREOP, &slave);
    const uint8_t both[6] = {2, 0, 0x00, 0x16, 0x01, 0x16}; // the control word twice
    CHECK_INT(master_download(&m, STATION, 0x1C12, 0, true, both, 6), 0);
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), 0x12);
    CHECK_INT(master_code(&m, STATION), 0x0025);
    ff_ec_segment_destroy(m.segment);
}

TEST(op_needs_outputs_and_a_locked_clock)
{
    master_slave slave;
    master m = in_state(FF_EC_PREOP, &slave);
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x14);
    CHECK_INT(master_code(&m, STATION), 0x0019);
    image[0] = 0x0F;
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(drive.control, 0); // counted, not applied
    CHECK_INT(called.outputs, 0);
    CHECK_INT(master_request(&m, STATION, 0x18), FF_EC_OP);
    CHECK_INT(drive.control, 0x0F);
    CHECK_INT(called.outputs, 1);
    ff_ec_segment_destroy(m.segment);

    m = in_state(FF_EC_PREOP, &slave);
    master_write(&m, STATION, 0x09A0, 250000, 4);
    master_write(&m, STATION, 0x0990, m.now + UINT64_C(1000000000), 8);
    master_write(&m, STATION, 0x0981, 3, 1);
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    image[0] = 0;
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    master_write(&m, STATION, 0x0910, m.now + 50000000, 4); // 50 ms off
    master_write(&m, STATION, 0x0934, 0, 1);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x14);
    CHECK_INT(master_code(&m, STATION), 0x0032);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_changed_sync_manager_ends_the_state_that_needs_it)
{
    static const struct {
        uint16_t ado;
        unsigned status, code;
    } rows[] = {{0x0806, 0x11, 0x0016}, {0x080E, 0x11, 0x0016}, {0x0816, 0x12, 0x001D}, {0x081E, 0x12, 0x001E}};
    for (int r = 0; r < 4; r++) {
        master_slave slave;
        master m = in_state(FF_EC_OP, &slave);
        master_write(&m, STATION, rows[r].ado, 0, 1);
        CHECK_INT(master_read(&m, STATION, 0x0130, 2), rows[r].status);
        CHECK_INT(master_code(&m, STATION), rows[r].code);
        CHECK_INT(called.from, FF_EC_OP);
        CHECK_INT(called.code, rows[r].code);
        ff_ec_segment_destroy(m.segment);
    }
    // while it is on, its registers cannot be changed
    master_slave slave;
    master m = in_state(FF_EC_OP, &slave);
    master_write(&m, STATION, 0x0812, 5, 2);
    CHECK_INT(master_read(&m, STATION, 0x0812, 2), 20);
    CHECK_INT(master_read(&m, STATION, 0x0130, 2), FF_EC_OP);
    ff_ec_segment_destroy(m.segment);
}

// Events that are not masked show in every datagram until what they are about is read.
TEST(events_are_reported_in_datagrams)
{
    master_slave slave;
    master m = in_state(FF_EC_PREOP, &slave); // the state was read there
    uint8_t data[2] = {0};
    CHECK_INT(master_try(&m, FPRD, STATION, 0x0010, data, 2), 1);
    CHECK_INT(get(m.frame + 24, 2) & 0x0008, 0);
    CHECK_INT(master_write(&m, STATION, 0x0200, 0x0028, 2), 1); // AL status, mailbox of sync manager 1
    CHECK_INT(master_write(&m, STATION, 0x0120, 1, 2), 1);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x0010, data, 2), 1);
    CHECK_INT(get(m.frame + 24, 2), 0x0008);
    CHECK_INT(master_read(&m, STATION, 0x0130, 2), 1);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x0010, data, 2), 1);
    CHECK_INT(get(m.frame + 24, 2), 0);
    CHECK_INT(master_preop(&m, &slave), FF_EC_PREOP);
    CHECK(ff_ec_station_emergency(m.segment, 0, 0x8611, 0x20, (const uint8_t[5]){0}));
    CHECK_INT(master_try(&m, FPRD, STATION, 0x0010, data, 2), 1);
    CHECK_INT(get(m.frame + 24, 2), 0x0020);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ watchdog

TEST(the_watchdog_ends_op_without_outputs)
{
    master_slave slave;
    master m = in_state(FF_EC_OP, &slave);
    m.step = 1000;
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    const uint64_t fed = m.now; // 0x03E8 ticks of (0x09C2 + 2) 40 ns: 100 ms
    ff_ec_segment_advance(m.segment, fed + 99999999);
    CHECK_INT(ff_ec_station_state(m.segment, 0, NULL), FF_EC_OP);
    ff_ec_segment_advance(m.segment, fed + 100000000);
    uint16_t code;
    CHECK_INT(ff_ec_station_state(m.segment, 0, &code), FF_EC_SAFEOP);
    CHECK_INT(code, 0x001B);
    CHECK_INT(called.code, 0x001B);
    m.now = fed + 100000000;
    CHECK_INT(master_read(&m, STATION, 0x0130, 2), 0x14);
    CHECK_INT(master_read(&m, STATION, 0x0440, 2), 0);
    CHECK_INT(master_read(&m, STATION, 0x0442, 1), 1);
    // back: acknowledge, outputs, OP
    CHECK_INT(master_request(&m, STATION, 0x14), 0x04);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), 0x14);
    CHECK_INT(master_code(&m, STATION), 0x0019);
    CHECK_INT(master_request(&m, STATION, 0x14), 0x04);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(master_read(&m, STATION, 0x0440, 2), 1);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    // a shorter time, as a master writes it; frames alone notice it as well
    master_write(&m, STATION, 0x0420, 50, 2); // 5 ms
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    m.now += 5000000;
    CHECK_INT(master_read(&m, STATION, 0x0130, 2), 0x14);
    CHECK_INT(master_read(&m, STATION, 0x0442, 1), 2);
    ff_ec_segment_destroy(m.segment);
}

TEST(without_watchdog_a_slave_stays_in_op)
{
    master_slave slave;
    master m = in_state(FF_EC_OP, &slave);
    master_write(&m, STATION, 0x0420, 0, 2);
    ff_ec_segment_advance(m.segment, m.now + UINT64_C(10000000000));
    CHECK_INT(ff_ec_station_state(m.segment, 0, NULL), FF_EC_OP);
    ff_ec_segment_destroy(m.segment);
}

TEST(reset_clears_everything_but_the_eeprom)
{
    master_slave slave;
    master m = in_state(FF_EC_OP, &slave);
    drive.following_time = 99;
    ff_ec_station_reset(m.segment, 0, m.now);
    CHECK_INT(called.from, FF_EC_OP);
    CHECK_INT(called.to, FF_EC_INIT);
    CHECK_INT(drive.following_time, 10); // its preset
    uint8_t data[2] = {0};
    CHECK_INT(master_try(&m, FPRD, STATION, 0x0130, data, 2), 0); // no station address any more
    CHECK_INT(master_try(&m, APRD, 0, 0x0130, data, 2), 1);
    CHECK_INT(get(data, 2), 1);
    CHECK_INT(master_scan(&m, &slave, 1), 1);
    CHECK_INT(slave.product, 0x0402);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ EEPROM

// CRC-8 as a polynomial division bit by bit; for the image of the example it is 0xEF.
static unsigned crc8(const uint8_t *bytes)
{
    unsigned rest = 0xFF;
    for (int bit = 0; bit < 14 * 8; bit++) {
        const unsigned in = bytes[bit / 8] >> (7 - bit % 8) & 1U, out = rest >> 7 & 1U;
        rest = (rest << 1 & 0xFF) ^ (in != out ? 0x07 : 0);
    }
    return rest;
}

TEST(the_checksum_of_the_eeprom_is_that_of_the_example)
{
    uint8_t example[14] = {0x08, 0x0C};
    CHECK_INT(crc8(example), 0xEF);
    master_slave slave;
    master m = one(&slave);
    size_t size;
    const uint8_t *sii = ff_ec_station_sii(m.segment, 0, &size);
    CHECK_INT(sii[14], crc8(sii));
    CHECK_INT(sii[14], 0xEF);
    ff_ec_segment_destroy(m.segment);
}

/// A category of an image, as a reader of its own finds it. @return bytes; 0: not there
static size_t category(const uint8_t *sii, size_t size, unsigned type, const uint8_t **data)
{
    for (size_t at = 0x80; at + 4 <= size;) {
        const unsigned here = (unsigned)get(sii + at, 2);
        const size_t bytes = 2 * (size_t)get(sii + at + 2, 2);
        if (here == 0xFFFF || at + 4 + bytes > size) break;
        *data = sii + at + 4;
        if (here == type) return bytes;
        at += 4 + bytes;
    }
    return 0;
}

static void check_string(const uint8_t *strings, unsigned number, const char *expected)
{
    const uint8_t *at = strings + 1;
    CHECK(number >= 1 && number <= strings[0]);
    for (unsigned i = 1; i < number; i++) at += 1 + at[0];
    CHECK_INT(at[0], strlen(expected));
    CHECK(!memcmp(at + 1, expected, at[0]));
}

// Public masters list slaves by their first string.
TEST(the_first_string_of_the_eeprom_is_the_name_of_the_station)
{
    const ff_ec_station station = {.device = &ff_ec_drive_device, .data = &drive, .name = "left_knee"};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(&station, 1, &err);
    size_t size;
    const uint8_t *sii = ff_ec_station_sii(segment, 0, &size), *strings, *general;
    CHECK(category(sii, size, 10, &strings) > 0 && category(sii, size, 30, &general) == 32);
    check_string(strings, 1, "left_knee");
    check_string(strings, general[3], "left_knee");
    check_string(strings, general[2], "Footfall drive");
    ff_ec_segment_destroy(segment);
}

TEST(categories_of_the_eeprom_have_the_configuration_for_a_master)
{
    master_slave slave;
    master m = one(&slave);
    size_t size, n;
    const uint8_t *sii = ff_ec_station_sii(m.segment, 0, &size), *strings, *at;
    CHECK_INT(size, 4096);
    CHECK_INT(get(sii + 2 * 0x3E, 2), 31); // 32 KiBit
    CHECK_INT(get(sii + 2 * 0x08, 4), 0xF00F);
    CHECK_INT(get(sii + 2 * 0x0A, 4), 0x0402);
    CHECK_INT(get(sii + 2 * 0x0E, 4), 7);
    CHECK_INT(get(sii + 2 * 0x18, 8), 0x0080108000801000); // mailboxes
    CHECK_INT(get(sii + 2 * 0x1C, 2), 4);                  // CoE
    CHECK(category(sii, size, 10, &strings) > 0);
    check_string(strings, 1, "Footfall drive"); // the first string is what masters show
    CHECK_INT(category(sii, size, 30, &at), 32);
    check_string(strings, at[3], "Footfall drive");
    CHECK_INT(at[5], 0x2F);
    n = category(sii, size, 40, &at);
    CHECK_INT(n, 4);
    CHECK_INT(get(at, 3), 0x030201);
    n = category(sii, size, 41, &at);
    CHECK_INT(n, 32);
    CHECK_INT(get(at, 8), 0x0101002600801000);
    CHECK_INT(get(at + 8, 8), 0x0201002200801080);
    CHECK_INT(get(at + 16, 8), 0x0301006400141100);
    CHECK_INT(get(at + 24, 8), 0x0401002000181200);
    n = category(sii, size, 60, &at);
    CHECK_INT(n, 24);
    CHECK_INT(get(at + 14, 2), 0x0300);
    // PDOs: the entries of the first ones add up to the lengths above
    for (int direction = 0; direction < 2; direction++) {
        n = category(sii, size, direction ? 50 : 51, &at);
        CHECK_INT(get(at, 2), direction ? 0x1A00 : 0x1600);
        CHECK_INT(at[3], direction ? 3 : 2);
        unsigned bits = 0;
        for (unsigned i = 0; i < at[2]; i++) bits += at[8 + 8 * i + 5];
        CHECK_INT(bits, 8 * (direction ? 24 : 20));
        CHECK_INT(get(at + 8, 2), direction ? 0x6041 : 0x6040);
        check_string(strings, at[8 + 3], direction ? "Statusword" : "Controlword");
        const unsigned first = 8U + 8U * at[2];
        CHECK_INT(get(at + first, 2), direction ? 0x1A01 : 0x1601);
        CHECK_INT(at[first + 3], 0xFF); // not assigned
        CHECK_INT(n, first + 8U + 8U * at[first + 2]);
    }
    ff_ec_segment_destroy(m.segment);
}

TEST(the_eeprom_is_read_and_written_by_its_registers)
{
    master_slave slave;
    master m = one(&slave);
    size_t size;
    const uint8_t *sii = ff_ec_station_sii(m.segment, 0, &size);
    for (uint16_t word = 0; word < size / 2; word = (uint16_t)(word + 37))
        CHECK_INT(master_sii(&m, STATION, word), word + 1U < size / 2 ? get(sii + 2 * word, 4) : 0);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x0040); // 8 bytes a read, not busy, no error
    CHECK_INT(master_read(&m, STATION, 0x0508, 8) & 0xFFFF, get(sii + 2 * 2035, 2));
    CHECK_INT(master_sii(&m, STATION, 2048), 0xEEEEEEEE); // beyond its end
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x2040);
    master_write(&m, STATION, 0x0502, 0, 2);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x0040);
    // a write wants its enable bit in the same access
    uint8_t write[14] = {0x00, 0x02, 4, 0, 0, 0, 0x34, 0x12};
    master_do(&m, FPWR, STATION, 0x0502, write, 14);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x4040);
    write[0] = 0x01;
    master_do(&m, FPWR, STATION, 0x0502, write, 14);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x0040);
    CHECK_INT(get(sii + 8, 2), 0x1234);
    CHECK_INT(master_read(&m, STATION, 0x0012, 2), 0); // the alias counts once it is loaded, ...
    master_write(&m, STATION, 0x0502, 0x0400, 2);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x0840); // ... with a checksum that fits
    uint8_t sum[14] = {0x01, 0x02, 7, 0, 0, 0, (uint8_t)crc8(sii), 0};
    master_do(&m, FPWR, STATION, 0x0502, sum, 14);
    master_write(&m, STATION, 0x0502, 0x0400, 2);
    CHECK_INT(master_read(&m, STATION, 0x0502, 2), 0x0040);
    CHECK_INT(master_read(&m, STATION, 0x0012, 2), 0x1234);
    // the application owns the EEPROM
    master_write(&m, STATION, 0x0500, 1, 1);
    CHECK_INT(master_sii(&m, STATION, 8), 0xEEEEEEEE);
    master_write(&m, STATION, 0x0500, 0, 1);
    CHECK_INT(master_sii(&m, STATION, 8), 0xF00F);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ distributed clocks

/// Four stations in a line, clocks that start anywhere.
static ff_ec_segment *line_with_clocks(double drift)
{
    static ff_ec_drive line[4];
    ff_ec_station s[4];
    for (int i = 0; i < 4; i++)
        s[i] = (ff_ec_station){.device = &ff_ec_drive_device,
                               .data = &line[i],
                               .hop_ns = (uint32_t)(300 + 100 * i),
                               .drift = i % 2 ? drift : -drift,
                               .clock = (uint64_t)i * UINT64_C(7777777777)};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(s, 4, &err);
    if (!segment) CHECK_FAIL("%s", err.text);
    return segment;
}

/// What a master does: latch, read, set offset and delay. Returns the delays.
static void synchronise(master *m, int n, uint32_t *delay)
{
    uint8_t latch[4] = {0};
    uint32_t t0[8], t1[8];
    uint64_t local[8];
    CHECK_INT(master_try(m, BWR, 0, 0x0900, latch, 4), n);
    for (int i = 0; i < n; i++) {
        t0[i] = (uint32_t)master_read(m, (uint16_t)(0x1001 + i), 0x0900, 4);
        t1[i] = (uint32_t)master_read(m, (uint16_t)(0x1001 + i), 0x0904, 4);
        local[i] = master_read(m, (uint16_t)(0x1001 + i), 0x0918, 8);
        CHECK_INT((uint32_t)local[i], t0[i]);
    }
    delay[0] = 0;
    for (int i = 1; i < n; i++) { // the loop behind the parent, less that behind the child, there and back
        const uint32_t child = i < n - 1 ? t1[i] - t0[i] : 0;
        delay[i] = delay[i - 1] + (t1[i - 1] - t0[i - 1] - child) / 2;
    }
    for (int i = 0; i < n; i++) { // all show the time of the first
        master_write(m, (uint16_t)(0x1001 + i), 0x0920, local[0] + delay[i] - local[i], 8);
        master_write(m, (uint16_t)(0x1001 + i), 0x0928, delay[i], 4);
    }
}

TEST(receive_times_give_the_delays_of_the_line)
{
    master m = {.segment = line_with_clocks(0.0), .now = 5000000};
    master_slave slaves[4];
    uint32_t delay[4];
    CHECK_INT(master_scan(&m, slaves, 4), 4);
    synchronise(&m, 4, delay);
    CHECK_INT(delay[1], 400);
    CHECK_INT(delay[2], 900);
    CHECK_INT(delay[3], 1500);
    CHECK_INT(master_read(&m, 0x1004, 0x0904, 4), 0); // nothing came by the port at the end
    // the same time everywhere: what each says of one frame is the time at the first
    m.step = 1000;
    const uint64_t at = master_read(&m, 0x1001, 0x0910, 8);
    for (int i = 1; i < 4; i++) CHECK_INT(master_read(&m, (uint16_t)(0x1001 + i), 0x0910, 8), at + (uint64_t)i * 1000);
    ff_ec_segment_destroy(m.segment);
}

TEST(receive_times_are_readable_from_the_next_frame_on)
{
    master m = {.segment = line_with_clocks(0.0), .now = 5000000};
    uint8_t frame[60] = {[12] = 0x88, 0xA4, 0x20, 0x10}; // BWR and APRD 0x0900, 4 bytes each
    const uint8_t write[10] = {BWR, 1, 0, 0, 0x00, 0x09, 4, 0x80}, read[10] = {APRD, 2, 0, 0, 0x00, 0x09, 4};
    memcpy(frame + 16, write, 10);
    memcpy(frame + 32, read, 10);
    CHECK_INT(ff_ec_segment_frame(m.segment, frame, 60, 5000000), 60);
    CHECK_INT(get(frame + 46, 2), 1);
    CHECK_INT(get(frame + 42, 4), 0);
    uint8_t time[4] = {0};
    CHECK_INT(master_try(&m, APRD, 0, 0x0900, time, 4), 1);
    CHECK_INT(get(time, 4), 5000000);
    ff_ec_segment_destroy(m.segment);
}

TEST(delays_of_a_junction_contain_its_branches)
{
    // first: port 3 -> second (hop 200); port 1 -> third (hop 700)
    static ff_ec_drive line[3];
    const ff_ec_station s[3] = {
        {.device = &ff_ec_drive_device, .data = &line[0]},
        {.device = &ff_ec_drive_device, .data = &line[1], .behind = 1, .port = 3, .hop_ns = 200},
        {.device = &ff_ec_drive_device, .data = &line[2], .behind = 1, .port = 1, .hop_ns = 700}};
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(s, 3, &err), .now = 1000};
    CHECK(m.segment != NULL);
    master_slave slaves[3];
    CHECK_INT(master_scan(&m, slaves, 3), 3);
    uint8_t latch[4] = {0};
    CHECK_INT(master_try(&m, BWR, 0, 0x0900, latch, 4), 3);
    const uint32_t t0 = (uint32_t)master_read(&m, 0x1001, 0x0900, 4), t1 = (uint32_t)master_read(&m, 0x1001, 0x0904, 4),
                   t3 = (uint32_t)master_read(&m, 0x1001, 0x090C, 4);
    CHECK_INT(t3 - t0, 400);
    CHECK_INT(t1 - t3, 1400);
    CHECK_INT((t3 - t0) / 2, 200);                   // delay of the second
    CHECK_INT((t1 - t3) / 2 + (t3 - t0), 700 + 400); // of the third: behind the loop of the second
    const uint32_t third = (uint32_t)master_read(&m, 0x1003, 0x0900, 4);
    CHECK_INT(third - t0, 1100); // all clocks run alike here
    ff_ec_segment_destroy(m.segment);
}

// Oscillators 50 ppm apart drift by 100 ns in each 1 ms; the control loop must keep the error far below that.
TEST(the_control_loop_corrects_a_drift_of_50_ppm)
{
    master m = {.segment = line_with_clocks(50e-6), .now = 5000000, .step = 1000};
    master_slave slaves[4];
    uint32_t delay[4];
    CHECK_INT(master_scan(&m, slaves, 4), 4);
    synchronise(&m, 4, delay);
    m.step = 1000000;
    double worst = 0;
    for (int cycle = 0; cycle < 300; cycle++) {
        uint8_t time[8] = {0};
        CHECK_INT(master_try(&m, FRMW, 0x1001, 0x0910, time, 8), 4);
        for (int i = 1; i < 4 && cycle > 100; i++) {
            const int64_t off = (int64_t)(ff_ec_station_time(m.segment, i, m.now) + delay[i] - get(time, 8));
            if (fabs((double)off) > worst) worst = fabs((double)off);
        }
    }
    CHECK_BELOW(worst, 20.0); // ns; times are whole nanoseconds at either end
    for (int i = 1; i < 4; i++)
        CHECK_BELOW((double)(master_read(&m, slaves[i].station, 0x092C, 4) & 0x7FFFFFFF), 200.0);
    // without it, the difference after 300 ms would be 30 us
    ff_ec_segment_destroy(m.segment);
}

TEST(writing_the_distributed_time_does_not_set_it)
{
    master m = {.segment = line_with_clocks(0.0), .now = 5000000};
    master_slave slaves[4];
    CHECK_INT(master_scan(&m, slaves, 4), 4);
    const uint64_t before = master_read(&m, 0x1001, 0x0910, 8);
    master_write(&m, 0x1001, 0x0910, 0, 8);
    CHECK_INT(master_read(&m, 0x1001, 0x0910, 8), before + 200000); // two frames of 100 us later
    master_write(&m, 0x1001, 0x0910, 0, 8); // 200 us after the last: moved back by a tenth of that
    CHECK_INT(master_read(&m, 0x1001, 0x0910, 8), before + 400000 - 20000 - 10); // 100 us, slower by the rate
    CHECK_INT(master_read(&m, 0x1001, 0x092C, 4) >> 31, 0);                      // ahead
    ff_ec_segment_destroy(m.segment);
}

TEST(sync0_fires_on_time_and_missing_outputs_are_counted)
{
    master_slave slave;
    master m = in_state(FF_EC_PREOP, &slave);
    const uint64_t begin = m.now + 10000000;
    CHECK_INT(master_write(&m, STATION, 0x09A0, 250000, 4), 1);
    CHECK_INT(master_write(&m, STATION, 0x0990, begin, 8), 1);
    CHECK_INT(master_write(&m, STATION, 0x0981, 3, 1), 1);
    CHECK_INT(master_read(&m, STATION, 0x0990, 8), begin); // the next one
    CHECK_INT(master_request(&m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    CHECK_INT(master_request(&m, STATION, FF_EC_OP), FF_EC_OP);
    ff_ec_segment_advance(m.segment, begin - 1);
    CHECK_INT(called.syncs, 0);
    m.step = 250000;
    m.now = begin;
    for (int cycle = 0; cycle < 4; cycle++) {
        CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
        ff_ec_segment_advance(m.segment, m.now);
    }
    CHECK_INT(called.syncs, 5); // at begin + 0, 250, ... 1000 us
    CHECK_INT(called.time, begin + 1000000);
    m.step = 1;
    CHECK_INT(master_get(&m, STATION, 0x1C32, 0x0B), 1); // the first step had two, and outputs once
    m.step = 250000;
    // three consecutive ones without outputs
    memset(image, 0, sizeof image);
    CHECK_INT(master_logical(&m, LRW, 0, image, 44), 3);
    ff_ec_segment_advance(m.segment, m.now);
    ff_ec_segment_advance(m.segment, m.now + 500000);
    CHECK_INT(ff_ec_station_state(m.segment, 0, NULL), FF_EC_OP);
    ff_ec_segment_advance(m.segment, m.now + 750000);
    uint16_t code;
    CHECK_INT(ff_ec_station_state(m.segment, 0, &code), FF_EC_SAFEOP);
    CHECK_INT(code, 0x001A);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_sync0_start_time_in_the_past_never_fires)
{
    master_slave slave;
    master m = in_state(FF_EC_OP, &slave);
    master_write(&m, STATION, 0x09A0, 250000, 4);
    master_write(&m, STATION, 0x0990, m.now - 1, 8);
    master_write(&m, STATION, 0x0981, 3, 1);
    ff_ec_segment_advance(m.segment, m.now + 5000000);
    CHECK_INT(called.syncs, 0);
    ff_ec_segment_destroy(m.segment);
}
