// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong at a bus, and that the master says so with the name of the slave, the number and the words.
#include "master/led.h"

static ff_ec_planned planned[LED];
static ff_ec_plan plan = {planned, LED};

/// What the line should be, by the tables of its devices.
static void plan_line(void)
{
    static const int out_bits[] = {160, 160, 160, 160, 32, 0}, in_bits[] = {192, 192, 192, 192, 256, 384};
    memset(planned, 0, sizeof planned);
    for (int i = 0; i < LED; i++) {
        snprintf(planned[i].name, sizeof planned[i].name, "planned %s", line[i].name);
        planned[i].vendor = line[i].device->vendor;
        planned[i].product = line[i].device->product;
        planned[i].revision = line[i].device->revision;
        planned[i].out_bits = out_bits[i];
        planned[i].in_bits = in_bits[i];
    }
    how.plan = &plan;
}

TEST(a_segment_as_planned_reaches_op_with_the_names_of_the_plan)
{
    lay_out();
    plan_line();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK_INT(ff_ec_master_find(master, "planned foot"), 4);
    end();
}

TEST(nobody_at_the_wire)
{
    lay_out();
    begin(LED);
    CHECK(ff_ec_station_connect(wire.segment, 0, 0, false));
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_why(master), "no slave answers");
    CHECK(ff_ec_station_connect(wire.segment, 0, 0, true));
    CHECK_INT(lead(FF_EC_INIT), FF_EC_INIT); // begins anew
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    end();
}

TEST(a_missing_slave_is_named)
{
    lay_out();
    plan_line();
    begin(LED - 1);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_why(master), "5 slaves answer, the plan has 6: 'planned gyro' is missing");
    end();
}

TEST(a_slave_too_many_is_counted)
{
    lay_out();
    plan_line();
    plan.count = LED - 1;
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    plan.count = LED;
    CHECK_WORDS(ff_ec_master_why(master), "6 slaves answer, the plan has 5");
    end();
}

TEST(another_vendor_product_or_revision_than_planned_is_refused)
{
    static const char *const words[] = {
        "slave 3 'planned right_hip' (0x1003): its vendor is 0000F00F, the plan has 00000002",
        "its product is 00000402, the plan has 00000403", "its revision is 00000001, the plan has 00000009"};
    for (int k = 0; k < 3; k++) {
        lay_out();
        plan_line();
        if (k == 0) planned[2].vendor = 2;
        if (k == 1) planned[2].product = 0x0403;
        if (k == 2) planned[2].revision = 9;
        begin(LED);
        CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
        CHECK_WORDS(ff_ec_master_why(master), words[k]);
        end();
    }
}

// A working counter would match all the same.
TEST(another_length_of_process_data_than_planned_is_refused)
{
    lay_out();
    plan_line();
    planned[1].in_bits = 96;
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_why(master),
                "slave 2 'planned left_knee' (0x1002): its inputs have 192 bits, the plan has 96");
    end();
}

TEST(a_setting_that_is_refused_is_told)
{
    lay_out();
    plan_line();
    planned[0].nsetting = 1;
    planned[0].settings[0] = (ff_ec_setting){.index = 0x6098, .sub = 1, .n = 1};
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_why(master),
                "slave 1 'planned left_hip' (0x1001): object 6098:01: there is no such subindex (abort code 06090011)");
    end();
}

/// Writes a register of a station behind the master's back.
static void meddle(int station, unsigned ado, uint64_t value, unsigned n)
{
    unsigned char frame[60] = {[12] = 0x88, [13] = 0xA4, [14] = (unsigned char)(n + 12), [15] = 0x10, [16] = 5};
    frame[18] = (unsigned char)(station + 1);
    frame[19] = 0x10;
    frame[20] = (unsigned char)ado;
    frame[21] = (unsigned char)(ado >> 8);
    frame[22] = (unsigned char)n;
    for (unsigned i = 0; i < n; i++) frame[26 + i] = (unsigned char)(value >> 8 * i);
    CHECK(ff_ec_segment_frame(wire.segment, frame, sizeof frame, wire.now) == sizeof frame);
}

// The watchdog of the foot is on and has no time: the step to SAFE-OP is refused.
TEST(a_step_that_is_refused_is_told_with_its_al_status_code)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    meddle(4, 0x0420, 0, 2);
    CHECK_INT(lead(FF_EC_OP), FF_EC_PREOP);
    CHECK_WORDS(ff_ec_master_why(master), "slave 5 'foot' (0x1005): it does not get to SAFE-OP: it is in PRE-OP, "
                                          "watchdog is not configured (AL status code 001F)");
    end();
}

// No process data for longer than the watchdog: slaves with outputs fall to SAFE-OP, and come back when data flow.
TEST(slaves_that_fall_to_safe_op_are_told_and_brought_back)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    wire.now += 150000000;
    ff_ec_segment_advance(wire.segment, wire.now);
    for (int i = 0; i < 12; i++) turn(); // it looks, before data flow again
    CHECK_INT(ff_ec_master_state(master), FF_EC_SAFEOP);
    CHECK(!strstr(log_text, "gyro")); // it has no outputs
    for (int i = 0; i < 100; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    CHECK_WORDS(log_text,
                "slaves 1 'left_hip' (0x1001) to 5 'foot' (0x1005): left OP for SAFE-OP: process data watchdog "
                "(AL status code 001B)\n");
    CHECK_WORDS(log_text, "slaves 1 'left_hip' (0x1001) to 5 'foot' (0x1005): back in OP\n");
    CHECK_INT(ff_ec_master_get_counts(master).left, DRIVES + 1);
    end();
}

TEST(a_cut_cable_shows_in_working_counters_and_by_name)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, false));
    for (int i = 0; i < 30; i++) cycle();
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_MISCOUNTED);
    CHECK_INT(ff_ec_master_is_written(master), FF_EC_MISCOUNTED);
    CHECK_INT(ff_ec_master_state(master), FF_EC_INIT);
    CHECK(strcmp(log_text, "slaves 4 'right_knee' (0x1004) to 6 'gyro' (0x1006): no answer\n") == 0); // one line
    CHECK(!strstr(log_text, "right_hip") && ff_ec_master_slave(master, 2)->answers);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, true));
    for (int i = 0; i < 300; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_SOUND);
    end();
}

// Its registers do not answer: that is no success.
TEST(a_slave_that_is_gone_while_it_is_configured_fails_the_step)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, false));
    ff_ec_master_request(master, FF_EC_SAFEOP);
    for (int i = 0; i < 1000 && !ff_ec_master_why(master)[0]; i++) cycle();
    CHECK_WORDS(ff_ec_master_why(master), "slave 4 'right_knee' (0x1004): its sync managers cannot be set");
    end();
}

TEST(emergencies_are_read_and_told)
{
    static const uint8_t data[5] = {1, 2, 3, 4, 5};
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_emergency(wire.segment, 3, 0x8611, 0x21, data));
    for (int i = 0; i < 30; i++) cycle();
    const ff_ec_emergency *e = &ff_ec_master_slave(master, 3)->emergency;
    CHECK_INT(e->code, 0x8611);
    CHECK_INT(e->error, 0x21);
    CHECK(memcmp(e->data, data, 5) == 0 && e->count == 1);
    CHECK_WORDS(log_text, "slave 4 'right_knee' (0x1004): emergency 8611: following error");
    end();
}

// Frames of another master come by: each is the answer to a frame of its own.
TEST(another_master_on_the_wire_is_told_once)
{
    ff_error err = {0};
    ff_ec_master_options other = ff_ec_master_options_default();
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    other.source[5] = 7;
    ff_ec_master *second = ff_ec_master_create(&other, &err);
    ff_ec_master_request(second, FF_EC_PREOP);
    for (int i = 0; i < 3; i++) {
        unsigned char bytes[FF_EC_PACKET_MOST];
        const size_t size = ff_ec_master_poll(second, wire.now, bytes);
        bytes[6] |= 2; // as the first slave does
        ff_ec_master_take(master, wire.now, bytes, size);
        ff_ec_master_take(second, wire.now, bytes, size);
    }
    CHECK_INT(ff_ec_master_get_counts(master).foreign, 3);
    CHECK_INT(ff_ec_master_get_counts(second).foreign, 0);
    CHECK(strcmp(log_text, "frames of another master, 02:00:00:00:00:07, are on this wire: two masters spoil each "
                           "other's work\n") == 0);
    ff_ec_master_destroy(second);
    end();
}

// Two robots answer every frame. The first answer is taken.
TEST(frames_that_come_back_twice_are_told_once)
{
    lay_out();
    begin(LED);
    wire.copies = 2;
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < 10; i++) cycle();
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_SOUND);
    CHECK_INT(ff_ec_master_get_counts(master).doubled, wire.carried); // each of them
    CHECK(strcmp(log_text, "frames come back twice: two robots answer on this wire, or cables make a loop\n") == 0);
    end();
}

// The robot ends: its stations say so, process data still count, and no way leads to OP again.
TEST(slaves_that_end_say_so)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    ff_ec_segment_end(wire.segment);
    for (int i = 0; i < 30; i++) {
        cycle();
        CHECK_INT(ff_ec_master_is_read(master), FF_EC_SOUND);
        CHECK_INT(ff_ec_master_is_written(master), FF_EC_SOUND);
    }
    CHECK_INT(ff_ec_master_state(master), FF_EC_SAFEOP);
    CHECK_INT(ff_ec_master_slave(master, 5)->code, FF_EC_AL_ROBOT_ENDED);
    CHECK_WORDS(log_text, "slaves 1 'left_hip' (0x1001) to 6 'gyro' (0x1006): left OP for SAFE-OP: the robot has ended "
                          "(AL status code 8001)\n");
    for (int i = 0; i < 100; i++) cycle();
    for (int i = 0; i < LED; i++) CHECK_INT(ff_ec_station_state(wire.segment, i, NULL), FF_EC_SAFEOP);
    end();
}

// Watching goes round every 10 cycles. What happens between two looks is known in the next cycle all the same, from the
// states of all slaves that come with the inputs, wherever watching is: also while mailboxes are looked into.
TEST(an_end_and_a_cut_cable_are_known_at_once)
{
    for (int phase = 0; phase < 24; phase++) {
        const bool cut = phase % 2;
        lay_out();
        begin(LED);
        CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
        for (int i = 0; i < 50 + phase / 2; i++) cycle();
        if (cut)
            CHECK(ff_ec_station_connect(wire.segment, 3, 0, false));
        else
            ff_ec_segment_end(wire.segment);
        cycle();
        cycle();
        for (int i = 0; i < LED; i++) {
            const ff_ec_found *f = ff_ec_master_slave(master, i);
            if (cut)
                CHECK_INT(f->answers, i < 3);
            else
                CHECK_INT(f->code, FF_EC_AL_ROBOT_ENDED);
        }
        end();
    }
}

/// Cycles in which process data are sound and slaves stay in OP.
static void work(int n)
{
    for (int i = 0; i < n; i++) {
        cycle();
        CHECK_INT(ff_ec_master_is_read(master), FF_EC_SOUND);
        CHECK_INT(ff_ec_master_is_written(master), FF_EC_SOUND);
        CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    }
}

// Two stations are plugged in behind the last, unplugged, and plugged in again.
TEST(slaves_that_come_newly_are_told_by_name_and_place)
{
    static const char told[] =
        "a new slave 'foot' (vendor 0000F00F, product 00000601) is at place 5 of the wire, behind slave 4 'right_knee' "
        "(0x1004): it is not led, and the others go on\n"
        "a new slave 'gyro' (vendor 0000F00F, product 00000602) is at place 6 of the wire, behind slave 4 'right_knee' "
        "(0x1004): it is not led, and the others go on\n";
    lay_out();
    begin(LED);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    work(50);
    CHECK(log_text[0] == '\0');
    for (int again = 0; again < 2; again++) {
        log_text[0] = '\0';
        CHECK(ff_ec_station_connect(wire.segment, 4, 0, true));
        work(1000);
        if (strcmp(log_text, told) != 0) CHECK_FAIL("%s", log_text);
        CHECK_INT(ff_ec_master_get_counts(master).slaves, LED);
        CHECK_INT(ff_ec_master_count(master), LED - 2);
        CHECK_INT(ff_ec_station_state(wire.segment, 4, NULL), FF_EC_INIT);
        CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
        work(20);
    }
    end();
}

// Another master has led them before, and they have its addresses, the next after those of the known ones, and its
// process data, which spoil the working counters: that is told by them. The EEPROM of the first belongs to the slave.
TEST(slaves_that_come_newly_with_an_old_address_are_told)
{
    lay_out();
    begin(LED);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    meddle(4, 0x0500, 1, 1);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
    ff_ec_master_destroy(master);
    master = ff_ec_master_create(&how, NULL);
    CHECK(master);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, true));
    for (int i = 0; i < 50; i++) cycle();
    meddle(1, 0x0120, FF_EC_SAFEOP, 2); // while it waits for the EEPROM, others are watched
    cycle();
    cycle();
    CHECK_INT(ff_ec_master_slave(master, 1)->state, FF_EC_SAFEOP);
    CHECK(!strstr(log_text, "a new slave"));
    for (int i = 0; i < 1000; i++) cycle();
    CHECK_WORDS(log_text,
                "a new slave is at place 5 of the wire, behind slave 4 'right_knee' (0x1004); its EEPROM cannot "
                "be read: it is not led");
    CHECK_WORDS(log_text, "a new slave 'gyro' (vendor 0000F00F, product 00000602) is at place 6 of the wire");
    end();
}

// The second of the line hangs at a port of its own, with 2 % of frames lost before and 2 % behind the slaves. One that
// is known is cut and mended besides: it is no new one.
TEST(a_slave_that_comes_newly_between_others_is_told)
{
    static const char told[] = "a new slave 'left_knee' (vendor 0000F00F, product 00000402) is at place 2 of the wire, "
                               "behind slave 1 'left_hip' (0x1001): it is not led, and the others go on\n";
    lay_out();
    line[1].behind = 1, line[1].port = 3;
    line[2].behind = 1, line[2].port = 1;
    begin(LED);
    CHECK(ff_ec_station_connect(wire.segment, 1, 0, false));
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 1, 0, true));
    wire.random = ff_random_make(1, 0);
    wire.loss = 0.02;
    for (int i = 0; i < 2000; i++) cycle();
    wire.loss = 0.0;
    for (int i = 0; i < 100; i++) cycle();
    work(20);
    if (strcmp(log_text, told) != 0) CHECK_FAIL("%s", log_text);
    CHECK(ff_ec_station_connect(wire.segment, 5, 0, false));
    for (int i = 0; i < 100; i++) cycle();
    CHECK(ff_ec_station_connect(wire.segment, 5, 0, true));
    for (int i = 0; i < 500; i++) cycle();
    CHECK_WORDS(log_text, "slave 5 'gyro' (0x1005): no answer\n");
    CHECK(!strstr(log_text + sizeof told - 1, "a new slave"));
    work(20);
    end();
}

TEST(codes_have_words)
{
    CHECK_WORDS(ff_ec_al_words(0x001D), "sync manager of outputs");
    CHECK_WORDS(ff_ec_al_words(0x7777), "unknown");
    CHECK_WORDS(ff_ec_abort_words(0x06070012), "too long");
    CHECK_WORDS(ff_ec_emergency_words(0x3210), "over-voltage");
    CHECK_WORDS(ff_ec_state_words(0x14), "SAFE-OP");
}
