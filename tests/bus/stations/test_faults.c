// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes wrong on a segment by command, and what a master sees of it: working counters, AL status, link registers.
#include "stations/standing.h"

#define KNEE "FL_tibia"
enum { STATIONS = 35, DRIVES = 24, FORCES = 6, WITH_OUTPUTS = DRIVES + FORCES };

static int at; // station of the knee
static int done;

static void command(const char *text)
{
    ff_error err = {0};
    if (ff_ec_robot_command(robot, text, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static void refuse(const char *text, const char *why)
{
    ff_error err = {0};
    CHECK(ff_ec_robot_command(robot, text, &err) != FF_OK);
    CHECK_SAYS(err.text, why);
}

/// Stations that answer.
static int count(void)
{
    uint8_t type[2] = {0};
    return master_try(&b.m, BRD, 0, 0, type, 2);
}

/// Working counter of the outputs of all.
static int counter(void)
{
    uint8_t out[IMAGE_MOST];
    memcpy(out, b.out, b.outputs);
    return master_logical(&b.m, LWR, 0, out, b.outputs);
}

static unsigned status_of(int slave)
{
    return (unsigned)master_read(&b.m, b.slaves[slave].station, 0x0130, 2);
}

// ------------------------------------------------------------------------------------------ cables

// Behind the cut: nobody answers. In front of it: port 1 has no link, its loop is closed, a lost link is counted.
static void cut_and_mend(void)
{
    const int k = cycles - 20;
    at = bus_master_find(&b, KNEE);
    const uint16_t before = b.slaves[at - 1].station, first = b.slaves[at].station;
    if (k == 0) {
        CHECK_INT(count(), STATIONS);
        CHECK_INT(counter(), WITH_OUTPUTS);
        CHECK_INT(master_read(&b.m, before, 0x0110, 2), 0x5A31); // in the middle of a line
        command("cut " KNEE);
        CHECK_INT(count(), at);
        CHECK_INT(counter(), at);
        CHECK_INT(master_read(&b.m, before, 0x0110, 2), 0x5611); // the end of a line
        CHECK_INT(master_read(&b.m, before, 0x0311, 1), 1);
        CHECK_INT(master_try(&b.m, FPRD, first, 0x0130, (uint8_t[2]){0}, 2), 0);
    }
    if (k == 110) { // longer than the watchdog of 100 ms
        command("reconnect " KNEE);
        CHECK_INT(count(), STATIONS);
        CHECK_INT(master_read(&b.m, first, 0x0010, 2), first); // it kept its address
        CHECK_INT(master_read(&b.m, first, 0x0310, 1), 1);     // and counted on its side
        CHECK_INT(status_of(at), 0x14);
        CHECK_INT(master_code(&b.m, first), 0x001B);
        CHECK_INT(status_of(at - 1), 8);
        // by the rules: acknowledge, outputs, OP, and the drive's fault is reset
        CHECK_INT(master_request(&b.m, first, 0x14), 4);
        counter();
        CHECK_INT(master_request(&b.m, first, 8), 8);
    }
    if (k == 112) CHECK_INT(get(KNEE, "status") & 0x4F, 0x08);
    if (k == 112) CHECK_INT(get(KNEE, "error") & 0xFFFF, 0x8130);
    if (k >= 112) put(KNEE, "control", k == 112 ? 0 : 0x80);
    if (k == 116) CHECK_INT(get(KNEE, "status") & 0x4F, 0x40);
    done = k;
}

TEST(a_cable_is_cut_and_reconnected)
{
    stand(cut_and_mend, 0.16);
    CHECK(done > 116 && b.wrong > 0);
}

// ------------------------------------------------------------------------------------------ stations

static void lose_power(void)
{
    const int k = cycles - 20;
    at = bus_master_find(&b, KNEE);
    if (k == 0) {
        command("reset " KNEE);
        CHECK_INT(count(), STATIONS);           // it answers, but by no address
        CHECK_INT(counter(), WITH_OUTPUTS - 1); //
        CHECK_INT(master_try(&b.m, FPRD, b.slaves[at].station, 0x0130, (uint8_t[2]){0}, 2), 0);
        uint8_t status[2] = {0};
        CHECK_INT(master_try(&b.m, APRD, (uint16_t)-at, 0x0130, status, 2), 1);
        CHECK_INT(status[0], 1); // INIT
        CHECK_INT(master_try(&b.m, APRD, (uint16_t)-at, 0x0010, status, 2), 1);
        CHECK_INT(ff_get_u16(status), 0);
        command("watchdog FR_tibia");
        CHECK_INT(status_of(bus_master_find(&b, "FR_tibia")), 0x14);
        CHECK_INT(master_read(&b.m, station("FR_tibia"), 0x0442, 1), 1);
        CHECK_INT(master_code(&b.m, station("FR_tibia")), 0x001B);
    }
    done = k;
}

TEST(a_station_loses_power_and_another_its_outputs)
{
    stand(lose_power, 0.04);
    CHECK(done > 0);
}

static void forge(void)
{
    if (cycles != 20) return;
    const uint16_t s = station(KNEE);
    CHECK_INT(master_sii(&b.m, s, 8), FF_EC_VENDOR);
    command("vendor " KNEE " 0x1234");
    CHECK_INT(master_sii(&b.m, s, 8), 0x1234);
    CHECK_INT(master_get(&b.m, s, 0x1018, 1), 0x1234);
    CHECK_INT(master_get(&b.m, s, 0x1018, 2), 0x0402);
    command("reset " KNEE); // permanently
    at = bus_master_find(&b, KNEE);
    CHECK_INT(master_try(&b.m, APWR, (uint16_t)-at, 0x0010, (uint8_t[2]){(uint8_t)s, (uint8_t)(s >> 8)}, 2), 1);
    CHECK_INT(master_sii(&b.m, s, 8), 0x1234);
    CHECK_INT(master_preop(&b.m, &b.slaves[at]), FF_EC_PREOP);
    CHECK_INT(master_get(&b.m, s, 0x1018, 1), 0x1234);
    done++;
}

TEST(a_station_has_another_vendor)
{
    done = 0;
    stand(forge, 0.04);
    CHECK_INT(done, 1);
}

// ------------------------------------------------------------------------------------------ frames

static void lose_frames(void)
{
    enum { TRIED = 2000 };
    uint8_t type[2] = {0};
    if (cycles != 20) return;
    static const int shares[] = {0, 20, 100};
    for (int i = 0; i < 3; i++) {
        char text[32];
        int lost = 0;
        snprintf(text, sizeof text, "lose %d", shares[i]);
        command(text);
        for (int k = 0; k < TRIED; k++) lost += master_try(&b.m, BRD, 0, 0, type, 2) < 0;
        // five standard deviations of TRIED draws
        CHECK(fabs(lost - TRIED * 0.01 * shares[i]) <= 5.0 * sqrt(TRIED * 0.01 * shares[i] * (1 - 0.01 * shares[i])));
    }
    exchanges = 0; // all are lost now, one half of them behind the stations
    for (int k = 0; k < TRIED; k++) counter();
    CHECK(fabs(exchanges - 0.5 * TRIED) <= 5.0 * sqrt(0.25 * TRIED));
    command("lose 0");
    CHECK_INT(count(), STATIONS);
    done++;
}

TEST(a_share_of_frames_gets_lost)
{
    done = 0;
    stand(lose_frames, 0.04);
    CHECK_INT(done, 1);
}

// ------------------------------------------------------------------------------------------ drives, by time

static void see_fault(void)
{
    const int k = (int)(ff_ec_robot_time(robot) / 1000000); // [ms]
    if (k == 40) CHECK_INT(get(KNEE, "status") & 0x6F, 0x27);
    if (k == 55) CHECK_INT(get(KNEE, "status") & 0x4F, 0x08);
    if (k == 55) CHECK_INT(master_get(&b.m, station(KNEE), 0x1001, 0), 0x01);
    if (k == 55) CHECK_INT(ff_get_u16(b.m.emergency + 2), 0xFF01);
    if (k > 55) put(KNEE, "control", k % 2 ? 0x80 : 0);
    if (k == 59) CHECK_INT(get(KNEE, "status") & 0x4F, 0x08); // its cause is still there
    if (k == 69) CHECK_INT(get(KNEE, "status") & 0x4F, 0x40);
    done = k;
}

TEST(a_drive_has_a_fault_by_time)
{
    schedule = "0.05 fault " KNEE "; 0.06 repair " KNEE;
    stand(see_fault, 0.075);
    CHECK(done >= 69 && b.wrong == 0);
}

// ------------------------------------------------------------------------------------------ force sensors

#define FOOT "FL_foot_force"

/// The sample of the foot.  [mN]
static void sample(int32_t force[3])
{
    static const char *const names[3] = {"fx", "fy", "fz"};
    for (int k = 0; k < 3; k++) force[k] = get(FOOT, names[k]);
}

/// The output of the foot: 7000:1 alone.
static void order(uint32_t bits)
{
    ff_put_u32(b.out + b.slaves[bus_master_find(&b, FOOT)].out_address, bits);
}

/// What the station has, whatever its state.
static const ff_ec_force *foot(void)
{
    int count;
    return ff_ec_robot_stations(robot, &count)[bus_master_find(&b, FOOT)].data;
}

// ANTON stands, and a foot carries some 8 N along its tibia, the y axis of the sensor: one fifth of it is more than
// what noise (50 mN) and 50 ms of sagging change. A sample is in the inputs a cycle after it was made, a command acts a
// cycle after it came.
static void spoil_foot(void)
{
    enum { RANGE = 50000 };
    static int32_t before[3];
    static bool alive; // samples differ while the bit of the tare stands: it acted once
    const int share = abs(before[1]) / 5;
    int32_t now[3];
    const int k = cycles - 20;
    sample(now);
    if (k == 0) memcpy(before, now, sizeof now);
    if (k == 0) CHECK(before[1] < -5000 && before[1] > -15000);
    if (k == 0) CHECK_INT(get(FOOT, "status"), 0);
    if (k == 0) command("stick " FOOT);
    if (k == 4) CHECK_INT(get(FOOT, "status"), FF_EC_STUCK);
    if (k == 4) command("overload " FOOT);
    if (k == 8) CHECK_INT(get(FOOT, "status"), FF_EC_OVER_RANGE);
    if (k == 8) CHECK_INT(now[0], 2 * RANGE);
    if (k == 8) command("free " FOOT);
    if (k == 12) CHECK_INT(get(FOOT, "status"), 0);
    if (k == 12) order(1);
    for (int i = 0; i < 3 && k > 13 && k <= 16; i++) alive |= now[i] != 0;
    if (k == 16) CHECK(alive && get(FOOT, "status") == FF_EC_TARED);
    for (int i = 0; i < 3 && k == 16; i++) CHECK(abs(now[i]) < share);
    if (k == 16) order(0); // what has risen may fall
    if (k == 20) CHECK_INT(get(FOOT, "status"), FF_EC_TARED);
    if (k == 20) order(2);
    if (k == 24) CHECK_INT(get(FOOT, "status"), 0);
    for (int i = 0; i < 3 && k == 24; i++) CHECK(abs(now[i] - before[i]) < share);
    if (k == 24) order(1);
    if (k == 28) CHECK_INT(get(FOOT, "status"), FF_EC_TARED);
    if (k == 28) ff_ec_station_reset(ff_ec_robot_segment(robot), bus_master_find(&b, FOOT), ff_ec_robot_time(robot));
    if (k == 30) CHECK(foot()->status == 0 && foot()->force[1] < -4 * share && foot()->range[0] == RANGE / 1000);
    if (k == 30) done++;
}

TEST(a_force_sensor_reports_its_status_and_is_tared)
{
    done = 0;
    stand(spoil_foot, 0.07);
    CHECK_INT(done, 1);
}

static void read_settings(void)
{
    if (cycles != 20) return;
    CHECK_INT(master_get(&b.m, station(FOOT), 0x8000, 1), 50); // [N], robots/anton/anton.yaml
    CHECK_INT(master_get(&b.m, station(FOOT), 0x8000, 2), 0);  // it measures no moments
    CHECK_INT(master_get(&b.m, station("gyro"), 0x8010, 1), 1000);
    done++;
}

TEST(settings_of_sensors_are_those_of_the_file)
{
    done = 0;
    stand(read_settings, 0.04);
    CHECK_INT(done, 1);
}

// ------------------------------------------------------------------------------------------ wrong words

static void speak_nonsense(void)
{
    if (cycles != 20) return;
    static const char *const none[] = {"",
                                       "cut",
                                       "burn " KNEE,
                                       "cut " KNEE " 1 2",
                                       "reset",
                                       "lose",
                                       "lose all",
                                       "vendor " KNEE,
                                       "reset " KNEE " 1",
                                       "fault",
                                       "cut " KNEE " x",
                                       "watchdog"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) refuse(none[i], "is not a command; expected: cut STATION");
    refuse("cut nobody", "there is no station 'nobody'");
    refuse("cut " KNEE " 4", "a station has ports 0 to 3");
    refuse("cut " KNEE " 0.5", "a station has ports 0 to 3");
    refuse("cut " KNEE " 3", "station 'FL_tibia' has no cable at port 3");
    refuse("lose 101", "from 0 to 100 percent");
    refuse("lose -1", "from 0 to 100 percent");
    refuse("lose nan", "from 0 to 100 percent");
    refuse("vendor " KNEE " 0x123456789", "a 32-bit vendor number");
    refuse("vendor " KNEE " 1.5", "a 32-bit vendor number");
    refuse("fault gyro", "there is no drive 'gyro'");
    refuse("stick " KNEE, "there is no force sensor 'FL_tibia'");
    CHECK_INT(count(), STATIONS);
    done++;
}

TEST(unknown_commands_are_refused_and_change_nothing)
{
    ff_error err = {0};
    done = 0;
    stand(speak_nonsense, 0.04);
    CHECK(done == 1 && b.wrong == 0);
    robot = ff_ec_robot_create(carry, NULL, &err);
    CHECK(ff_ec_robot_command(robot, "reset " KNEE, &err) == FF_BAD_ARGUMENT); // nobody is there yet
    CHECK(ff_ec_robot_schedule(robot, "soon reset " KNEE, &err) == FF_BAD_ARGUMENT);
    CHECK(ff_ec_robot_schedule(robot, "2 lose 1; 1 lose 2", &err) == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "in the order of their times");
    CHECK(ff_ec_robot_schedule(robot, NULL, &err) == FF_OK);
    ff_ec_robot_destroy(robot);
}
