// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mailbox and CoE: hand-over, duplicates, repeats; SDOs of all kinds and lengths with their abort codes; the
// information service; emergencies. A small device has an object of every kind.
#include "check.h"
#include "slave/master.h"

enum { STATION = 0x1001, MAILBOX = 128 };

// ------------------------------------------------------------------------------------------ a device for the tests

typedef struct gadget {
    char text[1000];
    uint8_t flag, secret, count, mode;
    int16_t bounded;
    uint16_t numbers[3];
    uint64_t wide;
    float real;
    uint8_t lamp, button;
} gadget;

#define GADGET(field) FF_EC_FIELD(gadget, field)
static const ff_ec_entry gadget_entries[] = {
    {0x2000, 0, FF_EC_TEXT, FF_EC_RW, 0, GADGET(text), "Text", 0, 0, 0},
    {0x2001, 0, FF_EC_BOOL, FF_EC_RW, 0, GADGET(flag), "Flag", 1, 0, 0},
    {0x2002, 0, FF_EC_I16, FF_EC_RW, 0, GADGET(bounded), "Bounded", -5, -10, 10},
    {0x2003, 0, FF_EC_U8, FF_EC_READ, 0, GADGET(count), "Numbers", 3, 0, 0},
    {0x2003, 1, FF_EC_U16, FF_EC_RW, 3, GADGET(numbers), "Number", 7, 0, 0},
    {0x2004, 0, FF_EC_U64, FF_EC_RW, 0, GADGET(wide), "Wide", 0, 0, 0},
    {0x2005, 0, FF_EC_REAL32, FF_EC_RW, 0, GADGET(real), "Real", 0x3F800000, 0, 0},
    {0x2006, 0, FF_EC_U8, FF_EC_WRITE, 0, GADGET(secret), "Write-only", 0, 0, 0},
    {0x2007, 0, FF_EC_U8, FF_EC_RW, 0, GADGET(mode), "Mode", 8, 0, 0},
    {0x7000, 0, FF_EC_BOOL, FF_EC_OUTPUT, 0, GADGET(lamp), "Lamp", 0, 0, 0},
    {0x7001, 0, FF_EC_BOOL, FF_EC_INPUT, 0, GADGET(button), "Button", 0, 0, 0},
};
static const ff_ec_device gadget_device = {
    .name = "Gadget",
    .vendor = FF_EC_VENDOR,
    .product = 1,
    .size = sizeof(gadget),
    .entries = gadget_entries,
    .nentry = sizeof gadget_entries / sizeof *gadget_entries,
    .rx = {{"Out", {FF_EC_PAD(3), FF_EC_MAP(0x7000, 0, 1)}}},
    .tx = {{"In", {FF_EC_PAD(6), FF_EC_MAP(0x7001, 0, 1)}}},
};

/// Modes 1 and 8 to 10, as drives have it.
static uint32_t check_value(void *data, const ff_ec_entry *entry, uint8_t sub, int64_t value)
{
    (void)data, (void)sub;
    return entry->index != 0x2007 || value == 1 || (value >= 8 && value <= 10) ? 0 : 0x06090030;
}
static const ff_ec_behaviour gadget_behaviour = {.check = check_value};

static gadget thing;

static master gadget_in_preop(master_slave *slave)
{
    const ff_ec_station station = {.device = &gadget_device, .data = &thing, .behaviour = &gadget_behaviour};
    memset(&thing, 0, sizeof thing);
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(&station, 1, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    CHECK_INT(master_scan(&m, slave, 1), 1);
    CHECK_INT(master_preop(&m, slave), FF_EC_PREOP);
    return m;
}

static ff_ec_drive drive;

static master in_preop(const ff_ec_device *device, void *data, master_slave *slave)
{
    const ff_ec_station station = {.device = device, .data = data};
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(&station, 1, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    CHECK_INT(master_scan(&m, slave, 1), 1);
    CHECK_INT(master_preop(&m, slave), FF_EC_PREOP);
    return m;
}

static master drive_in_preop(master_slave *slave)
{
    return in_preop(&ff_ec_drive_device, &drive, slave);
}

static void gadget_to_op(master *m, master_slave *slave)
{
    CHECK(master_mapping(m, slave));
    CHECK_INT(master_map(m, slave, 1), 2);
    CHECK_INT(master_request(m, STATION, FF_EC_SAFEOP), FF_EC_SAFEOP);
    uint8_t image[2] = {0};
    CHECK_INT(master_logical(m, LRW, 0, image, 2), 3);
    CHECK_INT(master_request(m, STATION, FF_EC_OP), FF_EC_OP);
}

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

// ------------------------------------------------------------------------------------------ bytes

/// A whole mailbox of request, and the whole response.
static void mailbox(master *m, const uint8_t *request, size_t n, uint8_t answer[MAILBOX])
{
    uint8_t bytes[MAILBOX] = {0};
    memcpy(bytes, request, n);
    CHECK_INT(master_try(m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1);
    memset(answer, 0, MAILBOX);
    CHECK_INT(master_try(m, FPRD, STATION, 0x1080, answer, MAILBOX), 1);
}

static void expect(const uint8_t *got, const uint8_t *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != wanted[i]) CHECK_FAIL("byte %zu is %02x, expected %02x", i, got[i], wanted[i]);
}

// From a trial with a public master: upload of the mode display, and the refusal of a write to the vendor number. An
// abort uses service 2 of CoE: with service 3, a refused write passed for a success.
TEST(sdo_bytes_are_those_of_a_recording)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    uint8_t answer[MAILBOX];
    const uint8_t upload[] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x20, 0x40, 0x61, 0x60, 0, 0, 0, 0, 0};
    const uint8_t shown[] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x30, 0x4F, 0x61, 0x60, 0, 0x08, 0, 0, 0};
    mailbox(&m, upload, sizeof upload, answer);
    expect(answer, shown, sizeof shown);
    const uint8_t write[] = {0x0A, 0, 0, 0, 0, 0x23, 0x00, 0x20, 0x23, 0x18, 0x10, 1, 1, 2, 3, 4};
    const uint8_t refused[] = {0x0A, 0, 0, 0, 0, 0x23, 0x00, 0x20, 0x80, 0x18, 0x10, 1, 0x02, 0x00, 0x01, 0x06};
    mailbox(&m, write, sizeof write, answer);
    expect(answer, refused, sizeof refused);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_mailbox_is_transferred_byte_for_byte)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    uint8_t bytes[MAILBOX] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x20, 0x40, 0x61, 0x60};
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, (uint8_t[MAILBOX]){0}, MAILBOX), 0); // empty
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1080, bytes, MAILBOX), 0);                 // wrong direction
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1000, (uint8_t[MAILBOX]){0}, MAILBOX), 0);
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, 127), 1); // without its last byte nothing happens
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 0);
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1);
    CHECK_INT(master_read(&m, STATION, 0x0805, 1) & 8, 0); // taken at once
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 8);
    // a second request waits, a third finds the mailbox full
    bytes[5] = 0x23;
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1);
    CHECK_INT(master_read(&m, STATION, 0x0805, 1) & 8, 8);
    bytes[5] = 0x33;
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 0);
    uint8_t part[64] = {0};
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, part, 64), 1); // the first half does not empty it
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 8);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, (uint8_t[MAILBOX]){0}, MAILBOX), 1);
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 8); // the answer to the second
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, (uint8_t[MAILBOX]){0}, MAILBOX), 1);
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 0);
    ff_ec_segment_destroy(m.segment);
}

TEST(a_repeated_request_is_executed_once)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    uint8_t answer[MAILBOX], write[] = {0x0A, 0, 0, 0, 0, 0x53, 0, 0x20, 0x2F, 0x07, 0x20, 0, 9};
    mailbox(&m, write, sizeof write, answer);
    thing.mode = 1; // the application changed it
    uint8_t bytes[MAILBOX] = {0};
    memcpy(bytes, write, sizeof write);
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1); // taken, ...
    CHECK_INT(thing.mode, 1);                                            // ... not executed, ...
    CHECK_INT(master_read(&m, STATION, 0x0805, 1) & 8, 0);               // ... and out of the way
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 0);
    write[5] = 0x63;
    mailbox(&m, write, sizeof write, answer);
    CHECK_INT(thing.mode, 9);
    write[5] = 0x03; // counter 0: not used, every request counts
    for (int i = 0; i < 2; i++) {
        thing.mode = 1;
        mailbox(&m, write, sizeof write, answer);
        CHECK_INT(thing.mode, 9);
    }
    // requests written in INIT are never answered, and disturb nothing
    CHECK_INT(master_request(&m, STATION, FF_EC_INIT), FF_EC_INIT);
    memset(bytes, 0, sizeof bytes);
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1);
    CHECK_INT(master_read(&m, STATION, 0x0805, 1) & 8, 8);
    CHECK_INT(master_request(&m, STATION, FF_EC_PREOP), FF_EC_PREOP);
    CHECK_INT(master_read(&m, STATION, 0x0805, 1) & 8, 0);
    // INIT forgets the counter, and answers that wait
    write[5] = 0x63;
    mailbox(&m, write, sizeof write, answer);
    CHECK(ff_ec_station_emergency(m.segment, 0, 0x8611, 0x20, (const uint8_t[5]){0}));
    CHECK_INT(master_request(&m, STATION, FF_EC_INIT), FF_EC_INIT);
    CHECK_INT(master_preop(&m, &slave), FF_EC_PREOP);
    CHECK_INT(master_read(&m, STATION, 0x080D, 1) & 8, 0);
    thing.mode = 1;
    mailbox(&m, write, sizeof write, answer);
    CHECK_INT(get(answer + 6, 2), 0x3000);
    CHECK_INT(thing.mode, 9);
    ff_ec_segment_destroy(m.segment);
}

static void toggle_repeat(master *m)
{
    const unsigned activate = (unsigned)master_read(m, STATION, 0x080E, 1) ^ 2;
    CHECK_INT(master_write(m, STATION, 0x080E, activate, 1), 1);
    CHECK_INT(master_read(m, STATION, 0x080F, 1) & 2, activate & 2); // acknowledged
}

TEST(a_lost_response_is_repeated)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    uint8_t first[MAILBOX], again[MAILBOX] = {0};
    const uint8_t upload[] = {0x0A, 0, 0, 0, 0, 0x13, 0x00, 0x20, 0x40, 0x61, 0x60};
    mailbox(&m, upload, sizeof upload, first);
    for (int i = 0; i < 3; i++) {
        toggle_repeat(&m);
        CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, again, MAILBOX), 1);
        expect(again, first, MAILBOX);
    }
    // an emergency that came meanwhile waits
    const uint8_t nothing[5] = {0};
    CHECK(ff_ec_station_emergency(m.segment, 0, 0x8611, 0x20, nothing));
    toggle_repeat(&m);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, again, MAILBOX), 1);
    expect(again, first, MAILBOX);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, again, MAILBOX), 1);
    CHECK_INT(get(again + 6, 2), 0x1000);
    // the frame that should have read an answer was lost before it: the answer is still there, not the one before
    uint8_t bytes[MAILBOX] = {0x0A, 0, 0, 0, 0, 0x23, 0x00, 0x20, 0x40, 0x60, 0x60};
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1000, bytes, MAILBOX), 1);
    toggle_repeat(&m);
    CHECK_INT(master_try(&m, FPRD, STATION, 0x1080, again, MAILBOX), 1);
    CHECK_INT(get(again + 9, 2), 0x6060);
    ff_ec_segment_destroy(m.segment);
}

TEST(invalid_messages_get_error_replies)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    static const struct {
        uint8_t request[16];
        unsigned code;
    } rows[] = {{{0x0A, 0, 0, 0, 0, 0x12}, 2},                    // EoE
                {{0x7B, 0, 0, 0, 0, 0x23, 0, 0x20}, 8},           // longer than the mailbox
                {{0xFF, 0xFF, 0, 0, 0, 0x33, 0, 0x20}, 8},        //
                {{0x02, 0, 0, 0, 0, 0x43, 0, 0x20}, 6},           // too short
                {{0x09, 0, 0, 0, 0, 0x53, 0, 0x20, 0x40}, 6},     //
                {{0x0A, 0, 0, 0, 0, 0x63, 0, 0x40, 0x40}, 4},     // a PDO by mailbox
                {{0x08, 0, 0, 0, 0, 0x73, 0, 0x80, 0x05, 0}, 6}}; // entry description without subindex
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t answer[MAILBOX];
        mailbox(&m, rows[i].request, 16, answer);
        CHECK_INT(answer[5] & 0x0F, 0);
        CHECK_INT(get(answer, 2), 4);
        CHECK_INT(get(answer + 6, 2), 1);
        CHECK_INT(get(answer + 8, 2), rows[i].code);
    }
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ transfers

static void check_length(master *m, unsigned n)
{
    char sent[1000], back[1024];
    for (unsigned i = 0; i < n; i++) sent[i] = (char)('A' + (i * 7 + n) % 26);
    unsigned got = 9999;
    const uint32_t down = master_download(m, STATION, 0x2000, 0, false, sent, n);
    const uint32_t up = master_upload(m, STATION, 0x2000, 0, false, back, &got);
    if (down || up || got != n || memcmp(sent, back, n) != 0)
        CHECK_FAIL("%u bytes: download %x, upload %x of %u bytes", n, down, up, got);
}

// Expedited up to 4 bytes, one mailbox up to 112, then segments of 119: every length around these limits.
TEST(objects_of_every_length_are_transferred)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    for (unsigned n = 0; n <= 10; n++) check_length(&m, n);
    for (unsigned k = 0; k <= 7; k++)
        for (unsigned n = 112 + 119 * k - 8; n <= 112 + 119 * k + 8 && n <= 1000; n++) check_length(&m, n);
    check_length(&m, 1000);
    ff_ec_segment_destroy(m.segment);
}

static uint32_t raw_abort(master *m, uint8_t *coe, unsigned n)
{
    uint8_t answer[MAILBOX] = {0};
    const unsigned got = master_mailbox(m, STATION, coe, n, answer);
    return got == 10 && get(answer, 2) == 0x2000 && answer[2] == 0x80 ? (uint32_t)get(answer + 6, 4) : 0;
}

TEST(segments_out_of_order_are_refused)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    uint8_t answer[MAILBOX];
    uint8_t begin[10] = {0, 0x20, 0x21, 0x00, 0x20, 0, 20}, segment[10] = {0, 0x20, 0x10};
    CHECK_INT(raw_abort(&m, segment, 10), 0x05040001); // no transfer
    CHECK_INT(master_mailbox(&m, STATION, begin, 10, answer), 10);
    CHECK_INT(raw_abort(&m, segment, 10), 0x05030000); // the first toggle is 0
    segment[2] = 0;
    CHECK_INT(raw_abort(&m, segment, 10), 0x05040001); // and the transfer has ended
    CHECK_INT(master_mailbox(&m, STATION, begin, 10, answer), 10);
    CHECK_INT(master_mailbox(&m, STATION, segment, 10, answer), 10);
    segment[2] = 0x11;
    CHECK_INT(raw_abort(&m, segment, 10), 0x06070013); // the last of 14 bytes in place of 20
    begin[6] = 10;
    CHECK_INT(master_mailbox(&m, STATION, begin, 10, answer), 10);
    segment[2] = 0;
    CHECK_INT(master_mailbox(&m, STATION, segment, 10, answer), 10);
    segment[2] = 0x10;
    CHECK_INT(raw_abort(&m, segment, 10), 0x06070012);
    begin[7] = 4; // 1034 bytes
    CHECK_INT(raw_abort(&m, begin, 10), 0x06070012);
    // uploads alike
    memset(thing.text, 'x', 500);
    uint8_t upload[10] = {0, 0x20, 0x40, 0x00, 0x20}, next[10] = {0, 0x20, 0x70};
    CHECK_INT(raw_abort(&m, next, 10), 0x05040001);
    CHECK(master_mailbox(&m, STATION, upload, 10, answer) > 100);
    CHECK_INT(raw_abort(&m, next, 10), 0x05030000);
    // the master aborts: no response, and the transfer is over
    CHECK(master_mailbox(&m, STATION, upload, 10, answer) > 100);
    uint8_t stop[10] = {0, 0x20, 0x80, 0x00, 0x20};
    CHECK_INT(master_mailbox(&m, STATION, stop, 10, answer), 0);
    next[2] = 0x60;
    CHECK_INT(raw_abort(&m, next, 10), 0x05040001);
    uint8_t unknown[10] = {0, 0x20, 0xE0};
    CHECK_INT(raw_abort(&m, unknown, 10), 0x05040001);
    ff_ec_segment_destroy(m.segment);
}

TEST(values_keep_their_types_and_signs)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    CHECK_INT(thing.bounded, -5); // presets
    CHECK_INT(thing.numbers[2], 7);
    CHECK_NEAR(thing.real, 1.0, 0.0);
    CHECK_INT(master_get(&m, STATION, 0x2002, 0), 0xFFFB);
    CHECK_INT(master_put(&m, STATION, 0x2002, 0, 0xFFF6, 2), 0);
    CHECK_INT(thing.bounded, -10);
    CHECK_INT(master_put(&m, STATION, 0x2003, 2, 0xABCD, 2), 0);
    CHECK_INT(thing.numbers[1], 0xABCD);
    CHECK_INT(master_put(&m, STATION, 0x2004, 0, UINT64_C(0x1122334455667788), 8), 0); // 8 bytes: a normal transfer
    CHECK_INT(thing.wide, 0x1122334455667788);
    CHECK_INT(master_put(&m, STATION, 0x2005, 0, 0xC0000000, 4), 0); // -2 by IEEE 754
    CHECK_NEAR(thing.real, -2.0, 0.0);
    CHECK_INT(master_put(&m, STATION, 0x2006, 0, 77, 1), 0);
    CHECK_INT(thing.secret, 77);
    ff_ec_segment_destroy(m.segment);
}

TEST(refused_accesses_have_their_abort_code)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    uint8_t data[16] = {0};
    unsigned n;
    CHECK_INT(master_upload(&m, STATION, 0x2222, 0, false, data, &n), 0x06020000);
    CHECK_INT(master_upload(&m, STATION, 0x2003, 4, false, data, &n), 0x06090011);
    CHECK_INT(master_upload(&m, STATION, 0x2006, 0, false, data, &n), 0x06010001);
    CHECK_INT(master_put(&m, STATION, 0x2003, 0, 3, 1), 0x06010002);
    CHECK_INT(master_put(&m, STATION, 0x2222, 0, 0, 1), 0x06020000);
    CHECK_INT(master_put(&m, STATION, 0x2001, 1, 0, 1), 0x06090011);
    CHECK_INT(master_put(&m, STATION, 0x2002, 0, 0, 4), 0x06070012);
    CHECK_INT(master_put(&m, STATION, 0x2002, 0, 0, 1), 0x06070013);
    CHECK_INT(master_put(&m, STATION, 0x2002, 0, 11, 2), 0x06090031);
    CHECK_INT(master_put(&m, STATION, 0x2002, 0, 0xFFF5, 2), 0x06090032);
    CHECK_INT(thing.bounded, -5);
    CHECK_INT(master_put(&m, STATION, 0x2007, 0, 2, 1), 0x06090030); // by the behaviour
    CHECK_INT(master_put(&m, STATION, 0x2007, 0, 10, 1), 0);
    // complete access: neither of single values nor in the middle
    CHECK_INT(master_upload(&m, STATION, 0x2001, 0, true, data, &n), 0x06010004);
    CHECK_INT(master_upload(&m, STATION, 0x2003, 2, true, data, &n), 0x06010004);
    CHECK_INT(master_upload(&m, STATION, 0x2222, 0, true, data, &n), 0x06020000);
    CHECK_INT(master_download(&m, STATION, 0x2001, 0, true, data, 4), 0x06010004);
    CHECK_INT(master_download(&m, STATION, 0x1018, 0, true, data, 8), 0x06010002);
    // what the process data write, and what is set before they flow
    gadget_to_op(&m, &slave);
    CHECK_INT(master_put(&m, STATION, 0x7000, 0, 1, 1), 0x06010006);
    CHECK_INT(master_put(&m, STATION, 0x1600, 0, 0, 1), 0x08000022);
    CHECK_INT(master_put(&m, STATION, 0x2001, 0, 0, 1), 0);
    ff_ec_segment_destroy(m.segment);
}

TEST(mappings_are_checked_when_they_are_written)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x60400010, 4), 0x06010003); // sub 0 is not 0
    CHECK_INT(master_put(&m, STATION, 0x1600, 0, 0, 1), 0);
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x60410010, 4), 0x06040041); // an input
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x60650020, 4), 0x06040041); // a setting
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x22220020, 4), 0x06040041); // nothing
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x60400008, 4), 0x06040043); // wrong bits
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x00000000, 4), 0x06040043); // padding without bits
    CHECK_INT(master_put(&m, STATION, 0x1600, 1, 0x60400010, 4), 0);
    CHECK_INT(master_put(&m, STATION, 0x1600, 17, 0x60400010, 4), 0x06090011);
    CHECK_INT(master_put(&m, STATION, 0x1600, 0, 17, 1), 0x06090031);
    for (uint8_t i = 2; i <= 16; i++) CHECK_INT(master_put(&m, STATION, 0x1600, i, 0x00000040, 4), 0);
    CHECK_INT(master_put(&m, STATION, 0x1600, 0, 16, 1), 0x06040042); // 122 bytes
    CHECK_INT(master_put(&m, STATION, 0x1600, 0, 1, 1), 0);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 1, 0x1601, 2), 0x06010003);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 0, 0, 1), 0);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 1, 0x1A00, 2), 0x06090030);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 1, 0x1602, 2), 0x06090030);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 1, 0x1600, 2), 0);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 0, 3, 1), 0x06090031);
    CHECK_INT(master_put(&m, STATION, 0x1C12, 0, 1, 1), 0);
    CHECK(master_mapping(&m, &slave));
    CHECK_INT(slave.out_bytes, 2);
    ff_ec_segment_destroy(m.segment);
}

TEST(complete_access_packs_an_object)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    uint8_t data[64];
    unsigned n = 0;
    CHECK_INT(master_upload(&m, STATION, 0x1018, 0, true, data, &n), 0);
    CHECK_INT(n, 18); // 2 bytes for subindex 0, then four times 4
    CHECK_INT(get(data, 6), 0xF00F0004);
    CHECK_INT(get(data + 6, 4), 1);
    CHECK_INT(master_upload(&m, STATION, 0x2003, 1, true, data, &n), 0);
    CHECK_INT(n, 6);
    CHECK_INT(get(data, 6), 0x000700070007);
    CHECK_INT(master_upload(&m, STATION, 0x1C12, 0, true, data, &n), 0);
    CHECK_INT(n, 4);
    CHECK_INT(get(data, 4), 0x16000001);
    const uint8_t numbers[6] = {1, 0, 2, 0, 3, 0};
    CHECK_INT(master_download(&m, STATION, 0x2003, 1, true, numbers, 6), 0);
    CHECK_INT(thing.numbers[2], 3);
    CHECK_INT(master_download(&m, STATION, 0x2003, 1, true, numbers, 5), 0x06070013);
    uint8_t longer[8] = {0};
    CHECK_INT(master_download(&m, STATION, 0x2003, 1, true, longer, 8), 0x06070012);
    ff_ec_segment_destroy(m.segment);
}

TEST(single_bits_are_process_data)
{
    master_slave slave;
    master m = gadget_in_preop(&slave);
    uint8_t old[3] = {0xFF, 0xFF, 0xFF}; // what memory holds before must not show in the padding
    CHECK_INT(master_try(&m, FPWR, STATION, 0x1200, old, 3), 1);
    gadget_to_op(&m, &slave);
    thing.button = 1;
    ff_ec_segment_advance(m.segment, m.now);
    uint8_t image[2] = {0xF7, 0};
    CHECK_INT(master_logical(&m, LRW, 0, image, 2), 3);
    CHECK_INT(thing.lamp, 0);
    CHECK_INT(image[1], 1 << 6);
    image[0] = 0x08;
    CHECK_INT(master_logical(&m, LRW, 0, image, 2), 3);
    CHECK_INT(thing.lamp, 1);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ information

/// A list of objects, put together from its fragments. @return how many
static unsigned list_objects(master *m, unsigned kind, uint16_t *indices)
{
    uint8_t request[8] = {0, 0x80, 0x01, 0, 0, 0, (uint8_t)kind, 0}, answer[MAILBOX], bytes[1024];
    unsigned n = 0, got = master_mailbox(m, STATION, request, 8, answer), left;
    do {
        CHECK(got >= 6);
        CHECK_INT(get(answer, 2), 0x8000);
        CHECK_INT(answer[2] & 0x7F, 2);
        left = (unsigned)get(answer + 4, 2);
        CHECK_INT(answer[2] >> 7, left > 0);
        memcpy(bytes + n, answer + 6, got - 6);
        n += got - 6;
        if (left) got = master_fetch(m, STATION, answer);
    } while (left);
    CHECK_INT(get(bytes, 2), kind);
    for (unsigned i = 0; i < n / 2 - 1; i++) indices[i] = (uint16_t)get(bytes + 2 + 2 * i, 2);
    return n / 2 - 1;
}

/// Description of a subindex. @return opcode of the answer
static unsigned describe(master *m, uint16_t index, unsigned sub, unsigned *type, unsigned *bits, unsigned *access)
{
    uint8_t entry[10] = {0, 0x80, 0x05, 0, 0, 0, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub, 7};
    uint8_t answer[MAILBOX] = {0};
    master_mailbox(m, STATION, entry, 10, answer);
    *type = (unsigned)get(answer + 10, 2);
    *bits = (unsigned)get(answer + 12, 2);
    *access = (unsigned)get(answer + 14, 2);
    return answer[2];
}

// Masters ask for each subindex up to the greatest. 1C32 has gaps, which are described as nothing; beyond it: error.
TEST(omitted_subindices_of_a_record_have_empty_descriptions)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    uint8_t value[64];
    unsigned type, bits, access, n, gaps = 0;
    for (unsigned sub = 0; sub <= 0x20; sub++) {
        CHECK_INT(describe(&m, 0x1C32, sub, &type, &bits, &access), 6);
        const bool readable = master_upload(&m, STATION, 0x1C32, (uint8_t)sub, false, value, &n) == 0;
        CHECK(readable == (type != 0) && readable == (bits != 0) && readable == (access != 0));
        gaps += !readable;
    }
    CHECK_INT(gaps, 22); // 7, 8, A, D to 1F
    CHECK_INT(describe(&m, 0x1C32, 0x21, &type, &bits, &access), 7);
    CHECK_INT(describe(&m, 0x6040, 1, &type, &bits, &access), 7); // a single value has no subindices
    CHECK_INT(describe(&m, 0x5FFF, 0, &type, &bits, &access), 7);
    ff_ec_segment_destroy(m.segment);
}

/// What an object is said to be, against the descriptions of its entries: the greatest subindex is the last that has
/// one; an array (code 8) has entries of one type behind subindex 0, a record (code 9) says no type.
static void judge_object(master *m, uint16_t index)
{
    uint8_t request[8] = {0, 0x80, 0x03, 0, 0, 0, (uint8_t)index, (uint8_t)(index >> 8)}, answer[MAILBOX] = {0};
    master_mailbox(m, STATION, request, 8, answer);
    const unsigned whole = (unsigned)get(answer + 8, 2), code = answer[11];
    unsigned type, bits, access, last = 0, strange = 0;
    for (unsigned sub = 1; sub < 256; sub++) {
        if (describe(m, index, sub, &type, &bits, &access) != 6) continue;
        last = sub;
        strange += type != whole;
    }
    if (answer[10] != last) CHECK_FAIL("%04X: greatest subindex %u, said to be %d", index, last, answer[10]);
    if (code == 8 && strange) CHECK_FAIL("%04X: an array with %u entries of other types", index, strange);
    if (code == 9) CHECK_INT(whole, 0);
}

TEST(descriptions_of_objects_agree_with_their_entries)
{
    static ff_ec_force force;
    static ff_ec_imu imu;
    static ff_ec_switches switches;
    static ff_ec_gateway gateway;
    const struct {
        const ff_ec_device *device;
        void *data;
    } kinds[] = {{&ff_ec_drive_device, &drive},
                 {&ff_ec_force_device, &force},
                 {&ff_ec_imu_device, &imu},
                 {&ff_ec_switches_device, &switches},
                 {&ff_ec_gateway_device, &gateway}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        master_slave slave;
        uint16_t all[512];
        master m = in_preop(kinds[k].device, kinds[k].data, &slave);
        const unsigned n = list_objects(&m, 1, all);
        for (unsigned i = 0; i < n; i++) judge_object(&m, all[i]);
        ff_ec_segment_destroy(m.segment);
    }
}

TEST(the_list_of_objects_is_complete_and_every_object_can_be_described_and_read)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    uint16_t all[512], counts[8], some[512];
    const unsigned n = list_objects(&m, 1, all);
    CHECK(n > 58); // more than one message holds
    CHECK_INT(list_objects(&m, 0, counts), 5);
    CHECK_INT(counts[0], n);
    CHECK_INT(counts[1], list_objects(&m, 2, some));
    CHECK_INT(counts[2], list_objects(&m, 3, some));
    unsigned seen = 0;
    for (unsigned i = 0; i < n; i++) {
        uint8_t request[10] = {0, 0x80, 0x03, 0, 0, 0, (uint8_t)all[i], (uint8_t)(all[i] >> 8)}, answer[MAILBOX];
        CHECK(i == 0 || all[i] > all[i - 1]);
        unsigned got = master_mailbox(&m, STATION, request, 8, answer);
        CHECK(got > 12);
        CHECK_INT(answer[2], 4);
        CHECK_INT(get(answer + 6, 2), all[i]);
        const unsigned last = answer[10], code = answer[11];
        CHECK(code == 7 || code == 8 || code == 9);
        CHECK_INT(code == 7, last == 0);
        seen += all[i] == 0x6040 || all[i] == 0x1C12;
        if (all[i] == 0x6040) {
            CHECK_INT(get(answer + 8, 2), 6); // U16
            CHECK(!memcmp(answer + 12, "Controlword", 11));
            CHECK_INT(got, 12 + 11);
        }
        // subindex 0 of each: described, and as long as it says
        uint8_t entry[10] = {0, 0x80, 0x05, 0, 0, 0, (uint8_t)all[i], (uint8_t)(all[i] >> 8), 0, 7}, value[1024];
        got = master_mailbox(&m, STATION, entry, 10, answer);
        CHECK(got > 16);
        CHECK_INT(answer[2], 6);
        CHECK_INT(answer[9], 7);
        unsigned bytes = 0;
        CHECK_INT(master_upload(&m, STATION, all[i], 0, false, value, &bytes), 0);
        if (get(answer + 10, 2) != 9) CHECK_INT(bytes, (get(answer + 12, 2) + 7) / 8);
    }
    CHECK_INT(seen, 2);
    // access of the control word: read and written in all states, an output
    uint8_t entry[10] = {0, 0x80, 0x05, 0, 0, 0, 0x40, 0x60, 0, 7}, answer[MAILBOX];
    CHECK_INT(master_mailbox(&m, STATION, entry, 10, answer), 16 + 11);
    CHECK_INT(get(answer + 10, 6), 0x007F00100006);
    // missing objects
    entry[8] = 3;
    CHECK_INT(master_mailbox(&m, STATION, entry, 10, answer), 10);
    CHECK_INT(answer[2], 7);
    CHECK_INT(get(answer + 6, 4), 0x06090011);
    uint8_t request[8] = {0, 0x80, 0x03, 0, 0, 0, 0x22, 0x22};
    CHECK_INT(master_mailbox(&m, STATION, request, 8, answer), 10);
    CHECK_INT(get(answer + 6, 4), 0x06020000);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ emergencies

TEST(emergencies_are_sent_between_responses)
{
    master_slave slave;
    master m = drive_in_preop(&slave);
    const uint8_t more[5] = {1, 2, 3, 4, 5};
    CHECK(ff_ec_station_emergency(m.segment, 0, 0x8611, 0x20, more));
    CHECK_INT(master_get(&m, STATION, 0x1001, 0), 0x20); // the answer follows the emergency
    CHECK_INT(m.emergencies, 1);
    const uint8_t wanted[10] = {0x00, 0x10, 0x11, 0x86, 0x20, 1, 2, 3, 4, 5};
    expect(m.emergency, wanted, 10);
    CHECK(ff_ec_station_emergency(m.segment, 0, 0, 0, more));
    CHECK_INT(master_get(&m, STATION, 0x1001, 0), 0);
    // unread emergencies are limited in number, and responses are still sent
    int taken = 0;
    for (int i = 0; i < 100; i++) taken += ff_ec_station_emergency(m.segment, 0, 0x2310, 1, more);
    CHECK_INT(taken, 14);
    m.emergencies = 0;
    CHECK_INT(master_get(&m, STATION, 0x6061, 0), 8);
    CHECK_INT(m.emergencies, 14);
    CHECK_INT(master_request(&m, STATION, FF_EC_INIT), FF_EC_INIT);
    CHECK(!ff_ec_station_emergency(m.segment, 0, 0x2310, 1, more));
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ invalid tables

TEST(an_invalid_table_is_refused_with_its_row)
{
    static const struct {
        int row;
        ff_ec_entry entry;
        const char *says;
    } rows[] = {
        {0, {0x1FFF, 0, FF_EC_U8, FF_EC_RW, 0, GADGET(flag), "Low", 0, 0, 0}, "below 0x2000"},
        {1, {0x2003, 0, FF_EC_U8, FF_EC_RW, 0, GADGET(flag), "High", 0, 0, 0}, "sorted"},
        {1, {0x2001, 1, FF_EC_U8, FF_EC_RW, 0, GADGET(flag), "Sub", 0, 0, 0}, "subindex 0"},
        {1, {0x2001, 0, 99, FF_EC_RW, 0, GADGET(flag), "Type", 0, 0, 0}, "unknown type"},
        {1, {0x2001, 0, FF_EC_U16, FF_EC_RW, 0, GADGET(flag), "Size", 0, 0, 0}, "size of the field"},
        {1, {0x2001, 0, FF_EC_U8, FF_EC_RW, 0, sizeof(gadget), 1, "Far", 0, 0, 0}, "outside of the struct"},
        {1, {0x2001, 0, FF_EC_U8, FF_EC_RW, 0, GADGET(flag), NULL, 0, 0, 0}, "name is missing"},
        {0, {0x2000, 0, FF_EC_TEXT, FF_EC_OUTPUT, 0, GADGET(text), "Text", 0, 0, 0}, "a text cannot be mapped"},
        {9, {0x7000, 0, FF_EC_BOOL, FF_EC_RW, 0, GADGET(lamp), "Lamp", 0, 0, 0}, "cannot be mapped"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_ec_entry entries[sizeof gadget_entries / sizeof *gadget_entries];
        memcpy(entries, gadget_entries, sizeof entries);
        entries[rows[i].row] = rows[i].entry;
        ff_ec_device device = gadget_device;
        device.entries = entries;
        const ff_ec_station station = {.device = &device, .data = &thing};
        ff_error err = {0};
        CHECK(!ff_ec_segment_create(&station, 1, &err));
        CHECK_SAYS(err.text, rows[i].says);
    }
    ff_error err = {0};
    const ff_ec_station nothing = {.device = NULL};
    CHECK(!ff_ec_segment_create(&nothing, 1, &err));
    CHECK_SAYS(err.text, "station 1");
}
