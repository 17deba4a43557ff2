// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master with the ENI file made from the device tables, and errors in such files.
#include "master/master_helpers.h"

TEST(slaves_reach_op_by_the_generated_eni_file)
{
    ff_report report = {0};
    ff_error err = {0};
    lay_out();
    begin(SLAVES);
    char *eni = ff_ec_eni_format(wire.segment);
    ff_ec_plan *plan = ff_ec_plan_parse(eni, strlen(eni), "robot.xml", &report);
    if (!plan) CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(plan->count, SLAVES);
    CHECK_INT(plan->slaves[1].product, 0x0402);
    CHECK_INT(plan->slaves[1].out_bits, 160);
    CHECK_INT(plan->slaves[5].out_bits, 0);
    CHECK(strcmp(plan->slaves[4].name, "foot") == 0);
    // the second PDO of the force sensor, the time of the sample, completes the first; that of drives is another choice
    CHECK_INT(plan->slaves[4].ninit_command, 2); // as CiA 301 and as ETG.2100 has a download
    for (int i = 0; i < 2; i++)
        CHECK(plan->slaves[4].init_commands[i].index == 0x1C13 && plan->slaves[4].init_commands[i].complete);
    CHECK_INT(plan->slaves[4].in_bits, 36 * 8);
    CHECK_INT(plan->slaves[0].ninit_command, 0);
    how.plan = plan;
    ff_ec_master_destroy(master);
    master = ff_ec_master_create(&how, &err);
    CHECK_INT(lead(FF_EC_OP), FF_EC_OP);
    CHECK_INT(ff_ec_master_image_size(master, false), INPUT_BYTES + 4);
    CHECK_INT(ff_ec_master_find_mapped(master, 4, false, 0x6000, 9), 32 * 8);
    ff_ec_plan_destroy(plan);
    free(eni);
    ff_report_clear(&report);
    end();
}

#define SLAVE(more) "<EtherCATConfig><Config>\n<Slave>" more "</Slave></Config></EtherCATConfig>"
#define INFO(vendor)                                                                                                   \
    "<Info><Name>a</Name>\n <VendorId>" vendor                                                                         \
    "</VendorId><ProductCode>#x0402</ProductCode><RevisionNo>1</RevisionNo></Info>"
#define COMMAND(data)                                                                                                  \
    INFO("1")                                                                                                          \
    "<Mailbox><CoE><InitCmds><InitCmd><Transition>PS</Transition><Index>1</Index><SubIndex>0</SubIndex>\n"             \
    "<Data>" data "</Data></InitCmd></InitCmds></CoE></Mailbox>"

TEST(errors_in_eni_files_are_reported_with_line_and_column)
{
    static const struct {
        const char *text, *says;
        int line, column;
    } files[] = {
        {"<EtherCATConfig><Config>", "", 1, 0},
        {"<robot/>", "the root element is <robot>; an ENI file has <EtherCATConfig>", 1, 1},
        {"<EtherCATConfig/>", "<EtherCATConfig> has no <Config>", 1, 1},
        {"<EtherCATConfig>\n <Config/></EtherCATConfig>", "0 slaves: 1 to 256 are possible", 2, 2},
        {SLAVE(""), "<Slave> has no <Info>", 2, 1},
        {SLAVE("<Info/>"), "<Info> has no <Name>", 2, 8},
        {SLAVE(INFO("twelve")), "<VendorId> is 'twelve': expected a number from 0 to 4294967295", 3, 2},
        {SLAVE(INFO("-1")), "<VendorId> is '-1'", 3, 2},
        {SLAVE(INFO("4294967296")), "<VendorId> is '4294967296'", 3, 2},
        {SLAVE(INFO("#xZZ")), "<VendorId> is '#xZZ'", 3, 2},
        {SLAVE(COMMAND("12345")), "<Data> is '12345': expected 1 to 128 bytes, two hexadecimal digits each", 4, 1},
        {SLAVE(COMMAND("0g")), "<Data> is '0g'", 4, 1},
        {SLAVE(COMMAND("")), "<Data> is ''", 4, 1},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ff_report report = {0};
        CHECK(!ff_ec_plan_parse(files[i].text, strlen(files[i].text), "bad.xml", &report));
        CHECK(report.errors >= 1 && strcmp(report.messages[0].file, "bad.xml") == 0);
        CHECK_WORDS(report.messages[0].text, files[i].says);
        CHECK_INT(report.messages[0].line, files[i].line);
        if (files[i].column) CHECK_INT(report.messages[0].column, files[i].column);
        ff_report_clear(&report);
    }
}

/// A file of one slave with a number of InitCmds.
static ff_ec_plan *plan_of(int settings, ff_report *report)
{
    static char text[32768];
    int n = snprintf(text, sizeof text, "<EtherCATConfig><Config><Slave>" INFO("1") "<Mailbox><CoE><InitCmds>");
    for (int i = 0; i < settings; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<InitCmd><Transition>PS</Transition><Timeout>0</Timeout><Ccs>1</Ccs><Index>%d</Index>"
                      "<SubIndex>%d</SubIndex><Data>%08x</Data></InitCmd>",
                      0x1600, i, 0x60400010 + i);
    n += snprintf(text + n, sizeof text - (size_t)n, "</InitCmds></CoE></Mailbox></Slave></Config></EtherCATConfig>");
    CHECK(n < (int)sizeof text);
    return ff_ec_plan_parse(text, (size_t)n, "tool.xml", report);
}

// Configuration tools write the mapping of a drive entry by entry: two PDOs of 12 entries and their assignments are 32
// commands.
TEST(a_slave_may_have_64_init_commands)
{
    ff_report report = {0};
    ff_ec_plan *plan = plan_of(32, &report);
    CHECK(plan && plan->slaves[0].ninit_command == 32 && plan->slaves[0].init_commands[31].sub == 31);
    CHECK(memcmp(plan->slaves[0].init_commands[31].data, "\x60\x40\x00\x2F", 4) == 0);
    ff_ec_plan_destroy(plan);
    CHECK(!plan_of(FF_EC_INIT_COMMANDS_MAX + 1, &report));
    CHECK_SAYS(report.messages[0].text, "'a' has more than 64 InitCmds, which this master does not support");
    ff_report_clear(&report);
}

TEST(a_missing_file_is_named)
{
    ff_report report = {0};
    CHECK(!ff_ec_plan_load("/nowhere/robot.xml", &report));
    CHECK(report.errors == 1 && strcmp(report.messages[0].file, "/nowhere/robot.xml") == 0);
    ff_report_clear(&report);
    ff_ec_plan_destroy(NULL);
}
