// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two drives of a robot as axes of one slave: each has a state machine of its own, both have the working counter, the
// watchdog and the mailbox of their slave.
#include "base/bytes.h"
#include "check.h"
#include "master/virtual_wire.h"
#include "scene/scene_helpers.h"

#include <footfall/sim.h>
#include <footfall/stations.h>

enum { AXES = 3, SLAVES = 3, READY = 60 }; // cycles after which all axes are in operation

static const char *const NAMES[AXES] = {"one", "two", "three"};
static virtual_wire wire;
static ff_ec_master *master;
static ff_ec_robot *robot;
static ff_relay below;
static unsigned char outputs[256];
static int cycles; // in OP
static void (*act)(void);
static char log_text[2000];

static void note(void *context, const char *text)
{
    (void)context;
    snprintf(log_text + strlen(log_text), sizeof log_text - strlen(log_text), "%s\n", text);
}

static size_t pass(void *context, unsigned char *bytes, size_t size)
{
    bool over = false;
    (void)context;
    return ff_ec_robot_frame(robot, bytes, size, &over);
}

/// Where an object of an axis lies in the image.  [byte]
static size_t place(int number, bool output, unsigned index)
{
    uint16_t shift;
    const int slave = ff_ec_master_find_device(master, NAMES[number], &shift);
    const int bit = ff_ec_master_find_mapped(master, slave, output, (uint16_t)(index + shift), 0);
    CHECK(slave >= 0 && bit >= 0 && bit % 8 == 0);
    const ff_ec_slave_info *f = ff_ec_master_slave(master, slave);
    return (size_t)bit / 8 + (output ? f->out_offset : f->in_offset);
}

static unsigned status(int number)
{
    return ff_get_u16(ff_ec_master_inputs(master) + place(number, false, 0x6041));
}

static int32_t position(int number)
{
    return (int32_t)ff_get_u32(ff_ec_master_inputs(master) + place(number, false, 0x6064));
}

static void put(int number, unsigned index, uint32_t value, int size)
{
    ff_put(outputs + place(number, true, index), value, size);
}

/// Towards operation, where it stands.
static void hold(int number)
{
    const unsigned s = status(number);
    put(number, 0x6040, (s & 0x4F) == 0x40 ? 0x06 : (s & 0x6F) == 0x21 ? 0x07 : 0x0F, 2);
    put(number, 0x6060, 8, 1);
    if ((s & 0x6F) != 0x27) put(number, 0x607A, (uint32_t)position(number), 4);
}

static void exchange(void)
{
    unsigned char bytes[FF_EC_PACKET_MAX];
    size_t size;
    ff_ec_master_read(master);
    ff_ec_master_write(master, outputs);
    for (int i = 0; i < 12; i++) {
        while ((size = ff_ec_master_poll(master, wire_now(&wire), bytes)) > 0) wire_send(&wire, bytes, size);
        while (wire.nwaiting && (size = wire_receive(&wire, bytes, 0.0)) > 0)
            ff_ec_master_receive(master, wire_now(&wire), bytes, size);
    }
}

static void carry(void *context, ff_ec_robot *of, double t)
{
    (void)context, (void)of, (void)t;
    exchange();
    if (ff_ec_master_error(master)[0]) CHECK_FAIL("%s", ff_ec_master_error(master));
    if (cycles || ff_ec_master_state(master) == FF_EC_OP) cycles++;
    if (cycles && cycles < READY)
        for (int i = 0; i < AXES; i++) hold(i);
    else if (cycles)
        act();
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    (void)context;
    const ff_status bound = below.bind(below.context, site, err);
    ff_ec_master_request(master, FF_EC_OP);
    for (int i = 0; i < 1000 && ff_ec_master_state(master) < FF_EC_PREOP; i++) exchange(); // before time goes on
    return bound;
}

static void go(void (*each)(void), double lasts)
{
    char path[1024], time[32];
    const char *set[] = {time};
    ff_ec_master_options how = ff_ec_master_options_default();
    ff_error err = {0};
    how.watch_interval = 100000;
    how.log = note;
    log_text[0] = '\0';
    memset(&wire, 0, sizeof wire);
    memset(outputs, 0, sizeof outputs);
    wire.pass = pass;
    cycles = 0;
    act = each;
    snprintf(time, sizeof time, "time=%g", lasts);
    snprintf(path, sizeof path, "%s/tests/bus/stations/axes-scene.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 1);
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    master = ff_ec_master_create(&how, &err);
    robot = ff_ec_robot_create(carry, NULL, &err);
    CHECK(master && robot);
    below = ff_ec_robot_relay(robot);
    ff_run_relay relay = {0, below};
    relay.relay.bind = bind;
    options.relays = &relay;
    options.nrelay = 1;
    if (!begin_with(&options)) CHECK_FAIL("%s", message(0));
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(cycles > READY);
    finish();
    ff_ec_master_destroy(master);
    ff_ec_robot_destroy(robot);
}

static void command(const char *text)
{
    ff_error err = {0};
    if (ff_ec_robot_command(robot, text, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static int32_t began[AXES];

/// All axes turn; the second has a fault at first; then the slave of both loses its outputs.
static void fail_one(void)
{
    const int k = cycles - READY;
    if (k == 0) {
        CHECK_INT(ff_ec_master_count(master), SLAVES); // one of its own, a coupler, one of two axes
        CHECK_TEXT(ff_ec_master_slave(master, 0)->name, "three");
        CHECK_TEXT(ff_ec_master_slave(master, 1)->name, "coupler_1999");
        CHECK_TEXT(ff_ec_master_slave(master, 2)->name, "axes_2000");
        for (int i = 0; i < AXES; i++) CHECK_INT(status(i) & 0x6F, 0x27);
        for (int i = 0; i < AXES; i++) began[i] = position(i);
        command("fault two");
    }
    for (int i = 0; i < AXES; i++)
        if (i != 1 || k < 200) put(i, 0x607A, (uint32_t)(began[i] + k / 4), 4);
    if (k == 20) { // one faults, the others go on; the slave stays in OP, its working counter is right
        CHECK_INT(status(0) & 0x6F, 0x27);
        CHECK_INT(status(1) & 0x4F, 0x08);
        CHECK_INT(status(2) & 0x6F, 0x27);
        CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
        CHECK(ff_ec_master_is_read(master) == FF_EC_COMPLETE && ff_ec_master_is_written(master) == FF_EC_COMPLETE);
        CHECK_INT(ff_ec_master_get_counts(master).wrong_counters, 0);
        CHECK_SAYS(log_text, "'axes_2000'");
        CHECK_SAYS(log_text, "emergency FF01");
        CHECK_INT(ff_ec_master_slave(master, 2)->emergency.error, 0x01);
    }
    if (k == 199) {
        // of 49 counts the loop lags kd/kp = 0.1 s behind, 25 counts, once it has the speed
        CHECK(position(0) - began[0] > 10 && position(2) - began[2] > 10);
        CHECK(labs((long)position(1) - began[1]) < 5); // it keeps its position
    }
    if (k == 200) command("repair two");
    if (k == 202) put(1, 0x6040, 0x80, 2);
    if (k > 205 && k < 240) hold(1); // where it stands
    if (k == 240) {
        CHECK_INT(status(1) & 0x6F, 0x27);
        CHECK_INT(ff_ec_master_slave(master, 2)->emergency.code, 0);
        command("watchdog two"); // of its slave, hence of both axes; the third drive goes on
        CHECK_INT(ff_ec_station_state(ff_ec_robot_segment(robot), 2, NULL), FF_EC_SAFEOP);
    }
    if (k == 242) {
        const ff_ec_station *s = ff_ec_robot_stations(robot, &(int){0});
        for (int i = 0; i < 2; i++) CHECK_INT(((const ff_ec_drive *)s[2].modules[i].data)->error_code, 0x8130);
        CHECK_INT(status(2) & 0x6F, 0x27);
        CHECK_INT(ff_ec_station_state(ff_ec_robot_segment(robot), 0, NULL), FF_EC_OP);
    }
    if (k == 300) CHECK_INT(ff_ec_master_state(master), FF_EC_OP); // brought back
}

TEST(after_a_fault_of_an_axis_the_other_one_of_its_slave_continues)
{
    go(fail_one, 0.5);
}

/// The error register is that of the slave: it is clear once both axes are.
static void fail_both(void)
{
    const int k = cycles - READY;
    const ff_ec_emergency *e = &ff_ec_master_slave(master, 2)->emergency;
    if (k == 0) command("fault one");
    if (k == 5) command("fault two");
    if (k == 20) CHECK((status(0) & 0x4F) == 0x08 && (status(1) & 0x4F) == 0x08 && e->error == 0x01);
    if (k == 20) command("repair one");
    if (k == 22) put(0, 0x6040, 0x80, 2);
    if (k == 30) CHECK((status(0) & 0x4F) == 0x40 && (status(1) & 0x4F) == 0x08);
    if (k == 30) CHECK(e->code == 0 && e->error == 0x01);
    if (k == 30) command("repair two");
    if (k == 32) put(1, 0x6040, 0x80, 2);
    if (k == 40) CHECK((status(1) & 0x4F) == 0x40 && e->code == 0 && e->error == 0);
    if (k == 40) CHECK_INT(status(2) & 0x6F, 0x27);
}

TEST(an_error_register_is_clear_once_both_axes_are)
{
    go(fail_both, 0.2);
}
