// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Several devices in one slave: objects of module n lie a distance of n further on, PDOs 0x10 n; the same table makes
// dictionary, EEPROM, ESI and ENI. The master finds modules by their names. Couplers only pass frames on.
#include "check.h"
#include "master/virtual_wire.h"

#include <footfall/master.h>

#include <stdio.h>
#include <stdlib.h>

enum { AXES, COUPLER, GATEWAY, ALONE, STATIONS };
#define CYCLE_NS 1000000

static ff_ec_drive drives[3];
static ff_ec_force forces[2];
static ff_ec_imu imu;
static ff_ec_gateway channels;
static int judged_index, judged_axis, states[2];

static uint32_t check_value(void *data, const ff_ec_entry *entry, uint8_t sub, int64_t value)
{
    (void)sub, (void)value;
    judged_index = entry->index;
    judged_axis = (int)((ff_ec_drive *)data - drives);
    return value == 77 ? 0x06090030 : 0;
}

static void note_state(void *data, ff_ec_state from, ff_ec_state to, uint16_t code)
{
    (void)from, (void)code;
    states[(ff_ec_drive *)data - drives] = (int)to;
}

static void preset(void *data)
{
    ((ff_ec_drive *)data)->rated_torque = 1000U + (unsigned)((ff_ec_drive *)data - drives);
}

static const ff_ec_behaviour axis = {.preset = preset, .check = check_value, .state = note_state};
static const ff_ec_module axes[2] = {{&ff_ec_drive_device, &drives[0], &axis, "hip"},
                                     {&ff_ec_drive_device, &drives[1], &axis, "knee"}};
static const ff_ec_module carried[4] = {{&ff_ec_force_device, &forces[0], NULL, "left_foot"},
                                        {&ff_ec_force_device, &forces[1], NULL, "right_foot"},
                                        {&ff_ec_imu_device, &imu, NULL, "imu"},
                                        {&ff_ec_gateway_device, &channels, NULL, "gateway_1"}};
static ff_ec_station line[STATIONS];
static virtual_wire wire;
static ff_ec_master *master;
static ff_ec_master_options how;
static unsigned char outputs[512];

static void lay_out(void)
{
    memset(&wire, 0, sizeof wire);
    memset(outputs, 0, sizeof outputs);
    line[AXES] = (ff_ec_station){.device = &ff_ec_axes_device, .name = "axes_7", .modules = axes, .nmodule = 2};
    line[COUPLER] = (ff_ec_station){.device = &ff_ec_coupler_device, .name = "coupler"};
    line[GATEWAY] = (ff_ec_station){.device = &ff_ec_modules_device, .name = "can", .modules = carried, .nmodule = 4};
    line[ALONE] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[2], .name = "ankle"};
    how = ff_ec_master_options_default();
    how.step_timeout = 200000000;
}

static void begin(void)
{
    ff_error err = {0};
    wire.segment = ff_ec_segment_create(line, STATIONS, &err);
    if (!wire.segment) CHECK_FAIL("%s", err.text);
    master = ff_ec_master_create(&how, &err);
    CHECK(master);
}

static void end(void)
{
    ff_ec_master_destroy(master);
    ff_ec_segment_destroy(wire.segment);
}

static void cycle(void)
{
    unsigned char bytes[FF_EC_PACKET_MAX];
    size_t size;
    const uint64_t over = wire.now + CYCLE_NS;
    ff_ec_master_read(master);
    ff_ec_master_write(master, outputs);
    for (int i = 0; i < 12; i++) {
        while ((size = ff_ec_master_poll(master, wire_now(&wire), bytes)) > 0) wire_send(&wire, bytes, size);
        while (wire.nwaiting && (size = wire_receive(&wire, bytes, 0.0)) > 0)
            ff_ec_master_receive(master, wire_now(&wire), bytes, size);
    }
    if (wire.now < over) wire.now = over;
    ff_ec_segment_advance(wire.segment, wire.now);
}

static void lead_to_op(void)
{
    ff_ec_master_request(master, FF_EC_OP);
    for (int i = 0; i < 20000 && ff_ec_master_state(master) != FF_EC_OP && !ff_ec_master_error(master)[0]; i++) cycle();
    if (ff_ec_master_state(master) != FF_EC_OP) CHECK_FAIL("%s", ff_ec_master_error(master));
}

/// Reads or writes a number. @return the text of the abort code; "" for success
static const char *transfer(int slave, bool write, unsigned index, unsigned sub, int64_t *value, unsigned n)
{
    static ff_ec_sdo sdo;
    sdo = (ff_ec_sdo){.index = (uint16_t)index, .sub = (uint8_t)sub, .write = write, .n = n};
    for (unsigned i = 0; i < n; i++) sdo.data[i] = (unsigned char)(*value >> 8 * i);
    CHECK(ff_ec_master_begin_sdo(master, slave, &sdo));
    for (int i = 0; i < 1000 && sdo.state == FF_EC_SDO_PENDING; i++) cycle();
    CHECK(sdo.state != FF_EC_SDO_PENDING);
    *value = 0;
    for (unsigned i = 0; i < sdo.n && !write; i++) *value |= (int64_t)sdo.data[i] << 8 * i;
    return sdo.state == FF_EC_SDO_DONE ? "" : sdo.error;
}

static int64_t object(int slave, unsigned index, unsigned sub)
{
    int64_t value;
    const char *why = transfer(slave, false, index, sub, &value, 0);
    if (why[0]) CHECK_FAIL("%04X:%u %s", index, sub, why);
    return value;
}

TEST(modules_are_found_by_name_and_reach_op_as_one_slave)
{
    uint16_t shift;
    lay_out();
    begin();
    lead_to_op();
    CHECK_INT(ff_ec_master_count(master), STATIONS);
    CHECK_INT(ff_ec_master_find_device(master, "hip", &shift), AXES);
    CHECK_INT(shift, 0);
    CHECK_INT(ff_ec_master_find_device(master, "knee", &shift), AXES);
    CHECK_INT(shift, 0x800);
    CHECK_INT(ff_ec_master_find_device(master, "imu", &shift), GATEWAY);
    CHECK_INT(shift, 2 * 0x40);
    CHECK_INT(ff_ec_master_find_device(master, "ankle", &shift), ALONE);
    CHECK_INT(shift, 0);
    CHECK_INT(ff_ec_master_find_device(master, "nobody", &shift), -1);
    // PDOs of modules follow each other: 20 and 24 bytes of a drive; 4 and 36 of a force sensor with its time
    CHECK_INT(ff_ec_master_slave(master, AXES)->out_bytes, 2 * 20);
    CHECK_INT(ff_ec_master_slave(master, AXES)->in_bytes, 2 * 24);
    CHECK_INT(ff_ec_master_slave(master, COUPLER)->out_bytes + ff_ec_master_slave(master, COUPLER)->in_bytes, 0);
    CHECK_INT(ff_ec_master_slave(master, GATEWAY)->out_bytes, 2 * 4);
    CHECK_INT(ff_ec_master_slave(master, GATEWAY)->in_bytes, 2 * 36 + 48 + 76);
    CHECK_INT(ff_ec_master_find_mapped(master, AXES, true, 0x6840, 0), 20 * 8);
    CHECK_INT(ff_ec_master_find_mapped(master, AXES, false, 0x6841, 0), 24 * 8);
    CHECK_INT(ff_ec_master_find_mapped(master, GATEWAY, false, 0x6040, 9), (36 + 32) * 8);
    CHECK_INT(ff_ec_master_find_mapped(master, GATEWAY, false, 0x6010 + 0x80, 1), 72 * 8);
    // the state of the slave is that of all its modules
    CHECK(states[0] == FF_EC_OP && states[1] == FF_EC_OP);
    CHECK_INT(ff_ec_master_get_counts(master).wrong_counters, 0);
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    end();
}

TEST(process_data_of_modules_do_not_mix)
{
    lay_out();
    begin();
    lead_to_op();
    const ff_ec_slave_info *a = ff_ec_master_slave(master, AXES), *g = ff_ec_master_slave(master, GATEWAY);
    outputs[a->out_offset] = 0x06;      // 6040 of the first axis
    outputs[a->out_offset + 20] = 0x0F; // of the second
    outputs[g->out_offset + 4] = 2;     // 7040 of the second force sensor
    drives[0].position = 111;
    drives[1].position = -222;
    forces[1].force[2] = 333;
    imu.rate[0] = 444;
    cycle();
    cycle();
    CHECK(drives[0].control == 0x06 && drives[1].control == 0x0F && drives[2].control == 0);
    CHECK(forces[0].command == 0 && forces[1].command == 2);
    const unsigned char *in = ff_ec_master_inputs(master);
    CHECK(in[a->in_offset + 2] == 111 && (int8_t)in[a->in_offset + 24 + 2] == (int8_t)-222);
    CHECK_INT(in[g->in_offset + 36 + 8] | in[g->in_offset + 36 + 9] << 8, 333);
    CHECK_INT(in[g->in_offset + 72 + 16] | in[g->in_offset + 72 + 17] << 8, 444);
    CHECK_INT(ff_ec_master_is_read(master), FF_EC_COMPLETE);
    end();
}

TEST(objects_of_modules_are_a_distance_apart_and_each_checks_its_own_values)
{
    int64_t value;
    lay_out();
    begin();
    lead_to_op();
    CHECK(object(AXES, 0xF000, 1) == 0x800 && object(GATEWAY, 0xF000, 1) == 0x40);
    CHECK(object(AXES, 0xF000, 2) == FF_EC_MODULES);
    CHECK(object(AXES, 0xF010, 0) == 2 && object(AXES, 0xF010, 2) == 0x00020192);
    CHECK(object(GATEWAY, 0xF050, 0) == 4 && object(GATEWAY, 0xF050, 1) == 0x0601 &&
          object(GATEWAY, 0xF050, 3) == 0x0602 && object(GATEWAY, 0xF050, 4) == 0x0604);
    CHECK(object(AXES, 0x1000, 0) == 0x00020192 && object(GATEWAY, 0x1000, 0) == 0x1389);
    CHECK(object(AXES, 0x1C12, 0) == 2 && object(AXES, 0x1C12, 2) == 0x1610 && object(AXES, 0x1C13, 2) == 0x1A10);
    CHECK(object(AXES, 0x1610, 1) == 0x68400010 && object(AXES, 0x1611, 1) == 0x68400010);
    CHECK(object(AXES, 0x6076, 0) == 1000 && object(AXES, 0x6876, 0) == 1001 && object(ALONE, 0x6076, 0) != 1001);
    // a value that the second axis refuses is checked by the index of its own table
    value = 77;
    CHECK_SAYS(transfer(AXES, true, 0x6865, 0, &value, 4), "06090030");
    CHECK(judged_index == 0x6065 && judged_axis == 1);
    value = 5;
    CHECK_TEXT(transfer(AXES, true, 0x6865, 0, &value, 4), "");
    CHECK(drives[1].following_window == 5 && drives[0].following_window == 18335);
    value = 9; // of 605A: 0 to 8
    CHECK_SAYS(transfer(AXES, true, 0x685A, 0, &value, 2), "06090031");
    CHECK_SAYS(transfer(AXES, false, 0x7040, 0, &value, 0), "06020000"); // there is no third axis
    CHECK_SAYS(transfer(AXES, true, 0xF050, 1, &value, 4), "06010002");
    CHECK_SAYS(transfer(GATEWAY, false, 0x6000 + 2 * 0x40, 1, &value, 0), "06020000"); // the third is no force sensor
    CHECK(!ff_ec_master_begin_sdo(master, COUPLER, &(ff_ec_sdo){.index = 0x1000}));
    end();
}

// An axis in a slave loses its power with the slave, and returns with it.
TEST(a_slave_with_modules_reconnects_after_a_loss_of_power)
{
    lay_out();
    how.watch_interval = 2000000;
    begin();
    lead_to_op();
    drives[1].following_window = 1;
    ff_ec_station_reset(wire.segment, AXES, wire.now);
    CHECK(states[0] == FF_EC_INIT && states[1] == FF_EC_INIT && drives[1].following_window == 18335);
    for (int i = 0; i < 300; i++) cycle();
    CHECK_INT(ff_ec_master_state(master), FF_EC_OP);
    CHECK(states[0] == FF_EC_OP && states[1] == FF_EC_OP);
    CHECK_INT(ff_ec_master_is_written(master), FF_EC_COMPLETE);
    end();
}

/// Number behind an element, behind a place of a text.
static long number(const char *from, const char *element)
{
    const char *at = from ? strstr(from, element) : NULL;
    if (!at) CHECK_FAIL("no %s", element);
    return strtol(at + strlen(element), NULL, 10);
}

TEST(files_have_all_modules)
{
    ff_report report = {0};
    lay_out();
    begin();
    char *eni = ff_ec_eni_format(wire.segment);
    // outputs 40 + 8 + 20, then inputs
    CHECK_INT(number(strstr(eni, "knee.Statusword"), "<BitOffs>"), 8 * (68 + 24));
    CHECK_INT(number(strstr(eni, "knee.Controlword"), "<BitOffs>"), 8 * 20);
    CHECK_INT(number(strstr(eni, "right_foot.Sample time"), "<BitOffs>"), 8 * (68 + 48 + 36 + 32));
    CHECK(strstr(eni, "imu.Rate x") && strstr(eni, "ankle.Controlword"));
    ff_ec_plan *plan = ff_ec_plan_parse(eni, strlen(eni), "modules.xml", &report);
    if (!plan) CHECK_FAIL("%s", report.messages[0].text);
    ff_ec_master_destroy(master);
    how.plan = plan;
    master = ff_ec_master_create(&how, NULL);
    lead_to_op(); // lengths are those of the plan
    const ff_ec_device *kinds[2] = {ff_ec_station_device(wire.segment, AXES),
                                    ff_ec_station_device(wire.segment, COUPLER)};
    char *esi = ff_ec_esi_format(kinds, 2);
    CHECK(strstr(esi, "<Index>#x1610</Index>") && strstr(esi, "<Name>knee</Name>") &&
          strstr(esi, "DefaultSize=\"48\" StartAddress=\"#x1400\""));
    const char *coupler = strstr(esi, "Footfall coupler");
    CHECK(coupler && !strstr(coupler, "<Sm") && !strstr(coupler, "<Mailbox"));
    free(esi);
    free(eni);
    ff_ec_plan_destroy(plan);
    ff_report_clear(&report);
    end();
}

static void refuse(int count, const char *why)
{
    ff_error err = {0};
    CHECK(!ff_ec_segment_create(line, count, &err));
    CHECK_SAYS(err.text, why);
}

TEST(modules_that_do_not_fit_are_refused)
{
    static const ff_ec_module mixed[3] = {{&ff_ec_force_device, &forces[0], NULL, "a"},
                                          {&ff_ec_drive_device, &drives[0], NULL, "b"},
                                          {&ff_ec_force_device, &forces[1], NULL, "c"}};
    static const ff_ec_module empty[1] = {{&ff_ec_drive_device, NULL, NULL, "a"}};
    lay_out();
    line[0].modules = mixed;
    line[0].nmodule = 3;
    refuse(1, "modules 1 and 3 of station 1 both have object 0x7000");
    line[0].modules = axes;
    line[0].nmodule = FF_EC_MODULES + 1;
    refuse(1, "9 modules: 1 to 8 are supported");
    line[0].modules = empty;
    line[0].nmodule = 1;
    refuse(1, "station 1 has no device, no data");
    line[0].modules = axes;
    line[0].nmodule = 2;
    line[0].device = &ff_ec_drive_device;
    refuse(1, "station 1 has modules: its own device cannot have objects or PDOs");
    ff_ec_device odd = ff_ec_coupler_device;
    odd.tx[0].maps[0] = FF_EC_PAD(8);
    line[0] = (ff_ec_station){.device = &odd};
    refuse(1, "is passive");
}

// Eight drives are the maximum: their objects, names and PDOs fit.
TEST(eight_axes_fit_into_a_slave)
{
    static ff_ec_drive many[FF_EC_MODULES];
    static ff_ec_module all[FF_EC_MODULES];
    char names[FF_EC_MODULES][24];
    ff_error err = {0};
    lay_out();
    for (int i = 0; i < FF_EC_MODULES; i++) {
        snprintf(names[i], sizeof names[i], "axis_with_long_name_%d", i);
        all[i] = (ff_ec_module){&ff_ec_drive_device, &many[i], NULL, names[i]};
    }
    line[AXES].modules = all;
    line[AXES].nmodule = FF_EC_MODULES;
    wire.segment = ff_ec_segment_create(line, 1, &err);
    if (!wire.segment) CHECK_FAIL("%s", err.text);
    master = ff_ec_master_create(&how, &err);
    lead_to_op();
    CHECK_INT(ff_ec_master_image_size(master, false), FF_EC_MODULES * 24);
    end();
}
