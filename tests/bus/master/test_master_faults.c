// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of a bus: the master reports each with the name of the slave, the number and a text.
#include "master/master_helpers.h"

static ff_ec_slave_config planned[SLAVES];
static ff_ec_plan plan = {planned, SLAVES};

/// The expected line, by the tables of its devices.
static void plan_line(void)
{
    static const int out_bits[] = {160, 160, 160, 160, 32, 0}, in_bits[] = {192, 192, 192, 192, 256, 384};
    memset(planned, 0, sizeof planned);
    for (int i = 0; i < SLAVES; i++) {
        snprintf(planned[i].name, sizeof planned[i].name, "planned %s", line[i].name);
        planned[i].vendor = line[i].device->vendor;
        planned[i].product = line[i].device->product;
        planned[i].revision = line[i].device->revision;
        planned[i].out_bits = out_bits[i];
        planned[i].in_bits = in_bits[i];
    }
    how.plan = &plan;
}

TEST(expected_slaves_reach_op_with_the_names_of_the_plan)
{
    lay_out();
    plan_line();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK_INT(ff_ec_master_find(master, "planned foot"), 4);
    end();
}

TEST(an_empty_segment_is_reported)
{
    lay_out();
    begin(SLAVES);
    CHECK(ff_ec_station_connect(wire.segment, 0, 0, false));
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_error(master), "no slave answers");
    CHECK(ff_ec_station_connect(wire.segment, 0, 0, true));
    CHECK_INT(lead(FF_EC_INIT), FF_EC_INIT); // begins again
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    end();
}

TEST(a_missing_slave_is_named)
{
    lay_out();
    plan_line();
    begin(SLAVES - 1);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_error(master), "5 slaves answer, 6 are expected: 'planned gyro' is missing");
    end();
}

TEST(an_additional_slave_is_reported)
{
    lay_out();
    plan_line();
    plan.count = SLAVES - 1;
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    plan.count = SLAVES;
    CHECK_WORDS(ff_ec_master_error(master), "6 slaves answer, 5 are expected");
    end();
}

TEST(an_unexpected_vendor_product_or_revision_is_refused)
{
    static const char *const words[] = {
        "slave 3 'planned right_hip' (0x1003): its vendor is 0000F00F, 00000002 is expected",
        "its product is 00000402, 00000403 is expected", "its revision is 00000001, 00000009 is expected"};
    for (int k = 0; k < 3; k++) {
        lay_out();
        plan_line();
        if (k == 0) planned[2].vendor = 2;
        if (k == 1) planned[2].product = 0x0403;
        if (k == 2) planned[2].revision = 9;
        begin(SLAVES);
        CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
        CHECK_WORDS(ff_ec_master_error(master), words[k]);
        end();
    }
}

// The working counters do not show this.
TEST(an_unexpected_length_of_process_data_is_refused)
{
    lay_out();
    plan_line();
    planned[1].in_bits = 96;
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_error(master),
                "slave 2 'planned left_knee' (0x1002): its inputs have 192 bits, 96 are expected");
    end();
}

TEST(a_refused_init_command_is_reported)
{
    lay_out();
    plan_line();
    planned[0].ninit_command = 1;
    planned[0].init_commands[0] = (ff_ec_init_command){.index = 0x6098, .sub = 1, .n = 1};
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_INIT);
    CHECK_WORDS(ff_ec_master_error(master),
                "slave 1 'planned left_hip' (0x1001): object 6098:01: subindex does not exist (abort code 06090011)");
    end();
}

/// Writes a register of a station, unknown to the master.
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

// The watchdog of the foot is enabled with a time of 0: the change to SAFE-OP is refused.
TEST(a_refused_state_change_is_reported_with_its_al_status_code)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    meddle(4, 0x0420, 0, 2);
    CHECK_INT(lead(FF_EC_OP), FF_EC_PREOP);
    CHECK_WORDS(ff_ec_master_error(master), "slave 5 'foot' (0x1005): it does not reach SAFE-OP: it is in PRE-OP, "
                                            "invalid watchdog configuration (AL status code 001F)");
    end();
}

// Without process data for longer than the watchdog, slaves with outputs fall to SAFE-OP; they return when data flow
// again.
TEST(slaves_that_fall_to_safe_op_are_reported_and_return_to_op)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    wire.now += 150000000;
    ff_ec_segment_advance(wire.segment, wire.now);
    for (int i = 0; i < 12; i++) turn(); // the master polls the states before data flow again
    CHECK_INT(ff_ec_master_state(master), FF_EC_SAFEOP);
    CHECK(!strstr(log_text, "gyro")); // it has no outputs
    for (int i = 0; i < 100; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    CHECK_WORDS(log_text,
                "slaves 1 'left_hip' (0x1001) to 5 'foot' (0x1005): left OP for SAFE-OP: process data watchdog "
                "(AL status code 001B)\n");
    CHECK_WORDS(log_text, "slaves 1 'left_hip' (0x1001) to 5 'foot' (0x1005): back in OP\n");
    CHECK_INT(ff_ec_master_get_counts(master).state_losses, DRIVES + 1);
    end();
}

TEST(a_cut_cable_shows_in_working_counters_and_the_log)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, false));
    for (int i = 0; i < 30; i++) cycle();
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_INCOMPLETE);
    CHECK_INT(ff_ec_master_is_written(master), FF_EC_INCOMPLETE);
    CHECK_INT(ff_ec_master_state(master), FF_EC_INIT);
    CHECK(strcmp(log_text, "slaves 4 'right_knee' (0x1004) to 6 'gyro' (0x1006): no answer\n") == 0); // one line
    CHECK(!strstr(log_text, "right_hip") && ff_ec_master_slave(master, 2)->answers);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, true));
    for (int i = 0; i < 300; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    end();
}

// Its registers do not answer, which must not count as success.
TEST(losing_a_slave_during_configuration_is_an_error)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_PREOP), FF_EC_PREOP);
    CHECK(ff_ec_station_connect(wire.segment, 2, 1, false));
    ff_ec_master_request(master, FF_EC_SAFEOP);
    for (int i = 0; i < 1000 && !ff_ec_master_error(master)[0]; i++) cycle();
    CHECK_WORDS(ff_ec_master_error(master), "slave 4 'right_knee' (0x1004): its sync managers cannot be set");
    end();
}

TEST(emergencies_are_read_and_logged)
{
    static const uint8_t data[5] = {1, 2, 3, 4, 5};
    lay_out();
    begin(SLAVES);
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

// Frames of another master pass: each is an answer to a frame of that master.
TEST(another_master_on_the_wire_is_logged_once)
{
    ff_error err = {0};
    ff_ec_master_options other = ff_ec_master_options_default();
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    other.source[5] = 7;
    ff_ec_master *second = ff_ec_master_create(&other, &err);
    ff_ec_master_request(second, FF_EC_PREOP);
    for (int i = 0; i < 3; i++) {
        unsigned char bytes[FF_EC_PACKET_MAX];
        const size_t size = ff_ec_master_poll(second, wire.now, bytes);
        bytes[6] |= 2; // as the first slave does
        ff_ec_master_receive(master, wire.now, bytes, size);
        ff_ec_master_receive(second, wire.now, bytes, size);
    }
    CHECK_INT(ff_ec_master_get_counts(master).foreign_frames, 3);
    CHECK_INT(ff_ec_master_get_counts(second).foreign_frames, 0);
    CHECK(strcmp(log_text, "frames of another master, 02:00:00:00:00:07, are on this wire: two masters disturb each "
                           "other's work\n") == 0);
    ff_ec_master_destroy(second);
    end();
}

// Two robots answer every frame. The first answer is used.
TEST(duplicate_frames_are_logged_once)
{
    lay_out();
    begin(SLAVES);
    wire.copies = 2;
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    for (int i = 0; i < 10; i++) cycle();
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    CHECK_INT(ff_ec_master_get_counts(master).duplicate_frames, wire.carried); // each of them
    CHECK(strcmp(log_text, "frames are received twice: two robots answer on this wire, or cables form a loop\n") == 0);
    end();
}

// The robot shuts down: its stations report it, process data still count, and OP cannot be reached again.
TEST(slaves_report_the_shutdown_of_the_robot)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    ff_ec_segment_end(wire.segment);
    for (int i = 0; i < 30; i++) {
        cycle();
        CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
        CHECK_INT(ff_ec_master_is_written(master), FF_EC_COMPLETE);
    }
    CHECK_INT(ff_ec_master_state(master), FF_EC_SAFEOP);
    CHECK_INT(ff_ec_master_slave(master, 5)->code, FF_EC_AL_ROBOT_ENDED);
    CHECK_WORDS(log_text,
                "slaves 1 'left_hip' (0x1001) to 6 'gyro' (0x1006): left OP for SAFE-OP: the robot has shut down "
                "(AL status code 8001)\n");
    for (int i = 0; i < 100; i++) cycle();
    for (int i = 0; i < SLAVES; i++) CHECK_INT(ff_ec_station_state(wire.segment, i, NULL), FF_EC_SAFEOP);
    end();
}

// Slaves are polled every 10 cycles. An event between two polls is known in the next cycle all the same, from the AL
// states of all slaves that arrive with the inputs, whatever the supervision is doing, also while it empties mailboxes.
TEST(a_shutdown_and_a_cut_cable_are_known_in_the_next_cycle)
{
    for (int phase = 0; phase < 24; phase++) {
        const bool cut = phase % 2;
        lay_out();
        begin(SLAVES);
        CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
        for (int i = 0; i < 50 + phase / 2; i++) cycle();
        if (cut)
            CHECK(ff_ec_station_connect(wire.segment, 3, 0, false));
        else
            ff_ec_segment_end(wire.segment);
        cycle();
        cycle();
        for (int i = 0; i < SLAVES; i++) {
            const ff_ec_slave_info *f = ff_ec_master_slave(master, i);
            if (cut)
                CHECK_INT(f->answers, i < 3);
            else
                CHECK_INT(f->code, FF_EC_AL_ROBOT_ENDED);
        }
        end();
    }
}

/// Cycles in which process data are complete and slaves stay in OP.
static void work(int n)
{
    for (int i = 0; i < n; i++) {
        cycle();
        CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
        CHECK_INT(ff_ec_master_is_written(master), FF_EC_COMPLETE);
        CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    }
}

// Two stations are plugged in behind the last, unplugged, and plugged in again.
TEST(unknown_slaves_are_logged_by_name_and_position)
{
    static const char expected_log[] =
        "an unknown slave 'foot' (vendor 0000F00F, product 00000601) is at position 5 of the "
        "wire, behind slave 4 'right_knee' "
        "(0x1004): it is ignored, the others continue\n"
        "an unknown slave 'gyro' (vendor 0000F00F, product 00000602) is at position 6 of the "
        "wire, behind slave 4 'right_knee' "
        "(0x1004): it is ignored, the others continue\n";
    lay_out();
    begin(SLAVES);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    work(50);
    CHECK(log_text[0] == '\0');
    for (int again = 0; again < 2; again++) {
        log_text[0] = '\0';
        CHECK(ff_ec_station_connect(wire.segment, 4, 0, true));
        work(1000);
        if (strcmp(log_text, expected_log) != 0) CHECK_FAIL("%s", log_text);
        CHECK_INT(ff_ec_master_get_counts(master).slaves, SLAVES);
        CHECK_INT(ff_ec_master_count(master), SLAVES - 2);
        CHECK_INT(ff_ec_station_state(wire.segment, 4, NULL), FF_EC_INIT);
        CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
        work(20);
    }
    end();
}

// The two slaves were configured by another master: they have station addresses that follow those of the known slaves,
// and mapped process data, which disturb the working counters; both are reported. The EEPROM of the first is not
// accessible to the master.
TEST(unknown_slaves_with_an_old_address_are_logged)
{
    lay_out();
    begin(SLAVES);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    meddle(4, 0x0500, 1, 1);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, false));
    ff_ec_master_destroy(master);
    master = ff_ec_master_create(&how, NULL);
    CHECK(master);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 4, 0, true));
    for (int i = 0; i < 50; i++) cycle();
    meddle(1, 0x0120, FF_EC_SAFEOP, 2); // while the EEPROM is read, the other slaves are polled
    cycle();
    cycle();
    CHECK_INT(ff_ec_master_slave(master, 1)->state, FF_EC_SAFEOP);
    CHECK(!strstr(log_text, "an unknown slave"));
    for (int i = 0; i < 1000; i++) cycle();
    CHECK_WORDS(
        log_text,
        "an unknown slave is at position 5 of the wire, behind slave 4 'right_knee' (0x1004); its EEPROM cannot "
        "be read: it is ignored");
    CHECK_WORDS(log_text, "an unknown slave 'gyro' (vendor 0000F00F, product 00000602) is at position 6 of the wire");
    end();
}

// The second slave of the line is at a port of its own, with 2 % of frames lost before and 2 % behind the slaves. A
// known slave is also disconnected and connected again: it is not reported as unknown.
TEST(an_unknown_slave_between_known_ones_is_logged)
{
    static const char expected_log[] =
        "an unknown slave 'left_knee' (vendor 0000F00F, product 00000402) is at position 2 of the wire, "
        "behind slave 1 'left_hip' (0x1001): it is ignored, the others continue\n";
    lay_out();
    line[1].behind = 1, line[1].port = 3;
    line[2].behind = 1, line[2].port = 1;
    begin(SLAVES);
    CHECK(ff_ec_station_connect(wire.segment, 1, 0, false));
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK(ff_ec_station_connect(wire.segment, 1, 0, true));
    wire.random = ff_random_make(1, 0);
    wire.loss = 0.02;
    for (int i = 0; i < 2000; i++) cycle();
    wire.loss = 0.0;
    for (int i = 0; i < 100; i++) cycle();
    work(20);
    if (strcmp(log_text, expected_log) != 0) CHECK_FAIL("%s", log_text);
    CHECK(ff_ec_station_connect(wire.segment, 5, 0, false));
    for (int i = 0; i < 100; i++) cycle();
    CHECK(ff_ec_station_connect(wire.segment, 5, 0, true));
    for (int i = 0; i < 500; i++) cycle();
    CHECK_WORDS(log_text, "slave 5 'gyro' (0x1005): no answer\n");
    CHECK(!strstr(log_text + sizeof expected_log - 1, "an unknown slave"));
    work(20);
    end();
}

TEST(codes_have_texts)
{
    CHECK_WORDS(ff_ec_al_status_text(0x001D), "sync manager configuration of outputs");
    CHECK_WORDS(ff_ec_al_status_text(0x7777), "unknown");
    CHECK_WORDS(ff_ec_abort_text(0x06070012), "too long");
    CHECK_WORDS(ff_ec_emergency_text(0x3210), "over-voltage");
    CHECK_WORDS(ff_ec_state_text(0x14), "SAFE-OP");
}
