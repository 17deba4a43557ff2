// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master with virtual slaves: detected slaves, process data, objects of every length during cyclic operation,
// clocks against the cable delays in closed form, lost frames.
#include "master/master_helpers.h"

#include "base/bytes.h"

#include "support/allocations.h"

TEST(slaves_are_found_by_name_and_identity_and_reach_op)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    CHECK_INT(ff_ec_master_count(master), SLAVES);
    CHECK_INT(ff_ec_master_image_size(master, true), OUTPUT_BYTES);
    CHECK_INT(ff_ec_master_image_size(master, false), INPUT_BYTES);
    for (int i = 0; i < SLAVES; i++) {
        const ff_ec_slave_info *f = ff_ec_master_slave(master, i);
        CHECK(strcmp(f->name, line[i].name) == 0 && ff_ec_master_find(master, line[i].name) == i);
        CHECK_INT(f->vendor, line[i].device->vendor);
        CHECK_INT(f->product, line[i].device->product);
        CHECK_INT(f->revision, line[i].device->revision);
        CHECK_INT(f->serial, 100 + i);
        CHECK(f->has_clock);
    }
    CHECK(ff_ec_master_slave(master, SLAVES) == NULL && ff_ec_master_find(master, "tail") == -1);
    CHECK_INT(lead(FF_EC_SAFEOP), FF_EC_SAFEOP);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < SLAVES; i++) CHECK_INT(ff_ec_station_state(wire.segment, i, NULL), FF_EC_OP);
    CHECK(log_text[0] == '\0' && ff_ec_master_get_counts(master).lost == 0);
    CHECK_INT(lead(FF_EC_INIT), FF_EC_INIT);
    for (int i = 0; i < SLAVES; i++) CHECK_INT(ff_ec_station_state(wire.segment, i, NULL), FF_EC_INIT);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP); // and up again
    end();
}

// The mapping by the tables of the devices, computed here independently.
TEST(objects_are_mapped_as_in_the_device_tables)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < SLAVES; i++)
        for (int out = 0; out < 2; out++) {
            const ff_ec_pdo *pdo = out ? &line[i].device->rx[0] : &line[i].device->tx[0];
            int bit = 0;
            for (int k = 0; k < FF_EC_PDO_ENTRIES && pdo->maps[k]; bit += (int)(pdo->maps[k++] & 0xFF)) {
                const uint16_t index = (uint16_t)(pdo->maps[k] >> 16);
                if (index)
                    CHECK_INT(ff_ec_master_find_mapped(master, i, out, index, (uint8_t)(pdo->maps[k] >> 8)), bit);
            }
            CHECK_INT(ff_ec_master_find_mapped(master, i, out, 0x5555, 1), -1);
        }
    const ff_ec_slave_info *knee = ff_ec_master_slave(master, 3), *gyro = ff_ec_master_slave(master, 5);
    ff_put_u32(outputs + knee->out_offset + 2, 123456); // 607A
    imu.rate[1] = -77;
    cycle(); // outputs are sent, inputs are those of the cycle before
    cycle();
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    CHECK_INT(ff_ec_master_is_written(master), FF_EC_COMPLETE);
    CHECK_INT(drives[3].target_position, 123456);
    CHECK_INT((int32_t)ff_get_u32(ff_ec_master_inputs(master) + gyro->in_offset + 20), -77); // 6010:06
    end();
}

typedef struct talkative {
    ff_ec_drive drive;
    char text[600];
} talkative;

/// The second drive also has a writable text.
static talkative own;

static void let_talk(void)
{
    static ff_ec_entry entries[100];
    static ff_ec_device device;
    device = ff_ec_drive_device;
    entries[0] = (ff_ec_entry){.index = 0x2000,
                               .type = FF_EC_TEXT,
                               .access = FF_EC_RW,
                               .offset = offsetof(talkative, text),
                               .size = sizeof own.text,
                               .name = "Text"};
    memcpy(entries + 1, device.entries, (size_t)device.nentry * sizeof *entries);
    device.entries = entries;
    device.nentry++;
    device.size = sizeof own;
    line[1].device = &device;
    line[1].data = &own;
}

static void fill(ff_ec_sdo *sdo, unsigned n, size_t salt)
{
    *sdo = (ff_ec_sdo){.index = 0x2000, .write = true, .n = n};
    for (unsigned i = 0; i < n; i++) sdo->data[i] = (unsigned char)('a' + (7 * i + salt) % 26);
}

// Lengths around the size of one message (112 bytes first, 119 a segment), during cyclic operation.
TEST(objects_are_transferred_during_cyclic_operation)
{
    static ff_ec_sdo sdo;
    lay_out();
    let_talk();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    static const unsigned lengths[] = {1, 2, 3, 4, 5, 7, 8, 111, 112, 113, 118, 119, 120, 231, 232, 237, 238, 239, 599};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        fill(&sdo, lengths[k], k);
        if (!transfer(1, &sdo)) CHECK_FAIL("%u bytes: %s", lengths[k], sdo.error);
        CHECK(memcmp(own.text, sdo.data, sdo.n) == 0);
        sdo = (ff_ec_sdo){.index = 0x2000};
        if (!transfer(1, &sdo)) CHECK_FAIL("%u bytes: %s", lengths[k], sdo.error);
        CHECK_INT(sdo.n, lengths[k]);
        CHECK(memcmp(own.text, sdo.data, sdo.n) == 0);
        CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    }
    sdo = (ff_ec_sdo){.index = 0x1018, .complete = true};
    CHECK(transfer(1, &sdo));
    CHECK_INT(sdo.n, 18); // count as 16 bits, four words
    CHECK_INT(ff_get_u32(sdo.data + 2), FF_EC_VENDOR);
    CHECK_INT(ff_ec_master_get_counts(master).wrong_counters, 0);
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    end();
}

TEST(aborted_transfers_report_the_abort_code_as_text)
{
    static ff_ec_sdo sdo;
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    sdo = (ff_ec_sdo){.index = 0x5555};
    CHECK(!transfer(0, &sdo));
    CHECK_WORDS(sdo.error, "object 5555:00: object does not exist (abort code 06020000)");
    sdo = (ff_ec_sdo){.index = 0x1018, .sub = 1, .write = true, .n = 4};
    CHECK(!transfer(0, &sdo));
    CHECK_WORDS(sdo.error, "attempt to write a read-only object (abort code 06010002)");
    sdo = (ff_ec_sdo){.index = 0x60C2, .sub = 1, .write = true, .n = 4};
    CHECK(!transfer(0, &sdo));
    CHECK_WORDS(sdo.error, "abort code 0607001");
    sdo = (ff_ec_sdo){.index = 0x6040};
    CHECK(ff_ec_master_begin_sdo(master, 2, &sdo) && !ff_ec_master_begin_sdo(master, 2, &sdo)); // one at a time
    ff_ec_master_cancel_sdo(master, 2);
    CHECK(!ff_ec_master_begin_sdo(master, SLAVES, &sdo) && !ff_ec_master_begin_sdo(master, -1, &sdo));
    end();
}

// ------------------------------------------------------------------------------------------ clocks

// A line with cables of several lengths and clocks with different initial times. The delay is the sum of the cables,
// the offset the difference of the clocks.
TEST(delays_and_offsets_of_a_line_are_those_of_its_cables_and_clocks)
{
    static const uint32_t hops[SLAVES] = {0, 500, 730, 100, 1200, 640};
    static const uint64_t clocks[SLAVES] = {1000, 77, 5000000000, 123456789, 0, 42};
    uint32_t delay = 0;
    lay_out();
    for (int i = 0; i < SLAVES; i++) {
        line[i].hop_ns = hops[i];
        line[i].clock = clocks[i];
    }
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < SLAVES; i++) {
        delay += hops[i];
        CHECK_INT(ff_ec_master_slave(master, i)->clock_delay, delay);
        CHECK(ff_ec_master_slave(master, i)->clock_offset == clocks[0] - clocks[i]);
    }
    cycle();
    // when a frame passes, all clocks show what the reference clock showed when it passed there
    CHECK(ff_ec_master_time(master) > clocks[0]);
    for (int i = 0, t = 0; i < SLAVES; t += (int)hops[i + 1 < SLAVES ? i + 1 : i], i++)
        CHECK_INT(ff_ec_station_time(wire.segment, i, wire.now + (uint64_t)t),
                  ff_ec_station_time(wire.segment, 0, wire.now));
    end();
}

// 0 has 1 at port 3 (with 2 behind it), 3 at port 1 (with 4 behind), 5 at port 2. A frame reaches 3 after it has passed
// 1 and 2 and returned, and 5 after all others.
TEST(delays_of_a_junction_contain_the_branches_before)
{
    static const struct {
        int behind, port;
        uint32_t hop, delay;
    } tree[SLAVES] = {{0, 0, 0, 0},
                      {1, 3, 300, 300},
                      {2, 1, 500, 800},
                      {1, 1, 700, 2 * (300 + 500) + 700},
                      {4, 1, 110, 2 * (300 + 500) + 700 + 110},
                      {1, 2, 900, 2 * (300 + 500) + 2 * (700 + 110) + 900}};
    lay_out();
    for (int i = 0; i < SLAVES; i++) {
        line[i].behind = tree[i].behind;
        line[i].port = tree[i].port;
        line[i].hop_ns = tree[i].hop;
        line[i].clock = (uint64_t)i * 1000003;
    }
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    for (int i = 0; i < SLAVES; i++) {
        CHECK_INT(ff_ec_master_slave(master, i)->clock_delay, tree[i].delay);
        CHECK(ff_ec_master_slave(master, i)->clock_offset == UINT64_C(0) - (uint64_t)i * 1000003);
    }
    end();
}

TEST(sync0_comes_with_every_cycle_at_all_slaves_and_drift_is_corrected)
{
    lay_out();
    how.sync0 = CYCLE_NS;
    for (int i = 0; i < SLAVES; i++) line[i].drift = (i % 3 - 1) * 50e-6;
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < 400; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP); // three Sync0 without outputs would end it
    for (int i = 1; i < SLAVES; i++)                 // 50 ppm of 1 ms are 50 ns
        CHECK_NEAR((double)(int64_t)(ff_ec_station_time(wire.segment, i, wire.now + 500 * (uint64_t)i) -
                                     ff_ec_station_time(wire.segment, 0, wire.now)),
                   0.0, 10.0);
    end();
}

// ------------------------------------------------------------------------------------------ lost frames

// 2 % of frames are lost before and 2 % behind the slaves: names, lengths of process data and objects are right all the
// same.
TEST(lost_frames_delay_the_start_and_falsify_nothing)
{
    static ff_ec_sdo sdo;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        lay_out();
        let_talk();
        wire.loss = 0.02;
        wire.random = (ff_random){.seed = seed};
        begin(SLAVES);
        CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
        CHECK_INT(ff_ec_master_image_size(master, true), OUTPUT_BYTES);
        CHECK_INT(ff_ec_master_image_size(master, false), INPUT_BYTES);
        for (int i = 0; i < SLAVES; i++) CHECK(strcmp(ff_ec_master_slave(master, i)->name, line[i].name) == 0);
        for (unsigned k = 0; k < 40; k++) {
            sdo = (ff_ec_sdo){.index = 0x60C2, .sub = 1, .write = true, .n = 1, .data = {(unsigned char)(k + 1)}};
            CHECK(transfer((int)k % DRIVES, &sdo));
            CHECK_INT(k % DRIVES == 1 ? own.drive.period : drives[k % DRIVES].period, k + 1);
            sdo = (ff_ec_sdo){.index = 0x60C2, .sub = 1};
            CHECK(transfer((int)k % DRIVES, &sdo));
            CHECK_INT(sdo.data[0], k + 1);
        }
        for (unsigned k = 0; k < 20; k++) { // a segment that is executed twice would break the sequence
            fill(&sdo, 599 - k, k);
            if (!transfer(1, &sdo)) CHECK_FAIL("%s", sdo.error);
            CHECK(memcmp(own.text, sdo.data, sdo.n) == 0);
            sdo = (ff_ec_sdo){.index = 0x2000};
            if (!transfer(1, &sdo)) CHECK_FAIL("%s", sdo.error);
            CHECK(sdo.n == 599 - k && memcmp(own.text, sdo.data, sdo.n) == 0);
        }
        const ff_ec_master_counts counts = ff_ec_master_get_counts(master);
        CHECK(counts.lost > 0 && counts.mailbox_repeats > 0 && wire.lost > 0);
        end();
    }
}

static int refusals; // requests still to be refused

/// Full mailboxes do not take requests, and the working counter stays 0.
static size_t pass_full_mailboxes(void *context, unsigned char *bytes, size_t size)
{
    enum { NOP = 0, FPWR = 5, MAILBOX = 0x1000 };
    unsigned refused[100];
    int n = 0;
    (void)context;
    for (unsigned at = 16, more = 1; more; at += 12 + (ff_get_u16(bytes + at + 6) & 0x7FFU)) {
        more = ff_get_u16(bytes + at + 6) & 0x8000;
        if (bytes[at] == FPWR && ff_get_u16(bytes + at + 4) == MAILBOX && refusals > 0 && refusals--) refused[n++] = at;
    }
    for (int i = 0; i < n; i++) bytes[refused[i]] = NOP;
    size = ff_ec_segment_frame(wire.segment, bytes, size, wire.now);
    for (int i = 0; i < n; i++) bytes[refused[i]] = FPWR;
    return size;
}

TEST(a_request_to_a_full_mailbox_is_repeated)
{
    lay_out();
    wire.pass = pass_full_mailboxes;
    refusals = 50;
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK_INT(refusals, 0);
    CHECK_INT(ff_ec_master_image_size(master, false), INPUT_BYTES);
    end();
}

// Answers of an earlier cycle, of another register, and frames of another master are ignored.
TEST(only_the_answer_to_a_frame_is_accepted)
{
    unsigned char old[FF_EC_PACKET_MAX], young[FF_EC_PACKET_MAX];
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < 3; i++) cycle();
    ff_ec_master_read(master);
    const size_t size = ff_ec_master_poll(master, wire.now, old);
    CHECK(size == ff_ec_segment_frame(wire.segment, old, size, wire.now));
    ff_ec_master_read(master);
    CHECK(size == ff_ec_master_poll(master, wire.now, young));
    CHECK(size == ff_ec_segment_frame(wire.segment, young, size, wire.now));
    ff_ec_master_receive(master, wire.now, old, size);
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_PENDING);
    for (unsigned at = 12; at < 26; at++) {         // headers: type, length, command, index, address, length, more
        if (at == 22 + 2 || at == 22 + 3) continue; // interrupts
        young[at] ^= 1;
        ff_ec_master_receive(master, wire.now, young, size);
        if (ff_ec_master_is_read(master) != FF_EC_PENDING) CHECK_FAIL("byte %u was not compared", at);
        young[at] ^= 1;
    }
    for (size_t n = 0; n < size; n++) ff_ec_master_receive(master, wire.now, young, n); // truncated
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_PENDING);
    ff_ec_master_receive(master, wire.now, young, size);
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    end();
}

TEST(cycles_allocate_nothing)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    const long long before = allocation_calls;
    for (int i = 0; i < 100; i++) cycle();
    CHECK_INT(allocation_calls, before);
    end();
}
