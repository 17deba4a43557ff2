// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ESI and ENI files: well-formed and correct: values of variables are on the bus where the ENI file puts them.
#include "check.h"
#include "slave/master.h"

// ------------------------------------------------------------------------------------------ a small reader

/// Are all elements closed in order? Texts may hold no bare '<'.
static bool is_well_formed(const char *xml)
{
    char open[16][40];
    int depth = 0;
    const char *p = strstr(xml, "?>");
    if (!p) return false;
    for (p = strchr(p, '<'); p; p = strchr(p + 1, '<')) {
        char name[40] = {0};
        const bool ends = p[1] == '/';
        if (sscanf(p + 1 + ends, "%39[A-Za-z]", name) != 1) return false;
        if (ends && (depth == 0 || strcmp(open[--depth], name) != 0)) return false;
        if (!ends && depth == 16) return false;
        if (!ends) memcpy(open[depth++], name, sizeof name);
    }
    return depth == 0;
}

/// Text of the first element of a name behind a position.
static const char *text_of(const char *from, const char *name, char *to, size_t size)
{
    char tag[64];
    snprintf(tag, sizeof tag, "<%s>", name);
    const char *begin = from ? strstr(from, tag) : NULL, *end = begin ? strchr(begin + 1, '<') : NULL;
    if (!end) CHECK_FAIL("no %s", name);
    begin += strlen(tag);
    snprintf(to, size, "%.*s", (int)(end - begin), begin);
    return end;
}

static long number_of(const char *from, const char *name)
{
    char text[64];
    text_of(from, name, text, sizeof text);
    return strtol(text, NULL, 10);
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) n++;
    return n;
}

/// Which elements an element may hold, in their order; those with '!' must be there. From the descriptions of the
/// formats (ETG.2000, ETG.2100), as far as these files use them: every type of theirs is a sequence.
typedef struct sequence {
    const char *element, *children;
} sequence;

static const sequence ESI[] = {
    {"EtherCATInfo", "InfoReference Vendor! Descriptions!"},
    {"Vendor", "Id! Name! Comment URL"},
    {"Descriptions", "Groups! Devices! Modules"},
    {"Groups", "Group"},
    {"Group", "Type! Name! Comment"},
    {"Devices", "Device"},
    {"Device",
     "Type! HideType AlternativeType SubDevice Name! Comment URL Info GroupType! Profile Fmmu Sm Su RxPdo TxPdo "
     "Mailbox Dc Slots ESC Eeprom"},
    {"Profile", "ProfileNo"},
    {"RxPdo", "Index! Name! Exclude Entry"},
    {"TxPdo", "Index! Name! Exclude Entry"},
    {"Entry", "Index! SubIndex BitLen! Name Comment DataType"},
    {"Mailbox", "AoE EoE CoE FoE SoE VoE"},
    {"Dc", "OpMode"},
    {"OpMode", "Name! Desc AssignActivate!"},
    {"Eeprom", "ByteSize! ConfigData! BootStrap"},
    {0}};

static const sequence ENI[] = {{"EtherCATConfig", "Config!"},
                               {"Config", "Master! Slave Cyclic ProcessImage"},
                               {"Master", "Info! MailboxStates EoE InitCmds"},
                               {"Slave", "Info! ProcessData Mailbox InitCmds PreviousPort HotConnect DC"},
                               {"ProcessData", "Send Recv"},
                               {"Mailbox", "Send! Recv! Bootstrap Protocol CoE"},
                               {"CoE", "Profile InitCmds"},
                               {"InitCmds", "InitCmd"},
                               {"InitCmd", "Transition! Comment Timeout! Ccs! Index! SubIndex! Data! Disabled"},
                               {"Send", "BitStart BitLength Start Length"},
                               {"Recv", "BitStart BitLength Start Length"},
                               {"PreviousPort", "Port! PhysAddr"},
                               {"Cyclic", "Comment CycleTime Priority TaskId Frame!"},
                               {"Frame", "Comment Cmd!"},
                               {"ProcessImage", "Inputs Outputs"},
                               {"Inputs", "ByteSize! Variable"},
                               {"Outputs", "ByteSize! Variable"},
                               {"Variable", "Name! Comment DataType BitSize! BitOffs!"},
                               {0}};
// elements of one name whose content depends on where they are
static const sequence MASTER_INFO = {"Info", "Name! Destination! Source! EtherType"};
static const sequence SLAVE_INFO = {"Info",
                                    "Name! PhysAddr AutoIncAddr Physics VendorId! ProductCode! RevisionNo! SerialNo!"};
static const sequence COMMAND = {"Cmd", "State! Comment Cmd! Adp Ado Addr Data DataLength Cnt InputOffs! OutputOffs!"};
static const sequence LEAF = {"", ""};

static const sequence *sequence_of(const sequence *rules, const char *element, const char *parent)
{
    if (!strcmp(element, "Info")) return strcmp(parent, "Master") ? &SLAVE_INFO : &MASTER_INFO;
    if (!strcmp(element, "Cmd")) return strcmp(parent, "Frame") ? &LEAF : &COMMAND;
    if (!strcmp(parent, "Entry") || !strcmp(parent, "Device")) { // their Type and the like are texts
        if (!strcmp(element, "Type") || !strcmp(element, "Name")) return &LEAF;
    }
    for (; rules->element; rules++)
        if (!strcmp(rules->element, element)) return rules;
    return &LEAF;
}

/// Place of a word in a list of words; -1: it is not there.
static int place_of(const char *list, const char *word)
{
    const size_t n = strlen(word);
    int place = 0;
    for (const char *p = list; *p; place++) {
        const size_t length = strcspn(p, " ");
        if ((length == n || (length == n + 1 && p[n] == '!')) && !strncmp(p, word, n)) return place;
        p += length + (p[length] == ' ');
    }
    return -1;
}

/// Every element holds what it may, in order, and what it must.
static void check_order(const char *xml, const sequence *rules)
{
    struct {
        char name[40], seen[600];
        int last;
    } open[16] = {{.name = "", .last = -1}};
    int depth = 0;
    for (const char *p = strchr(strstr(xml, "?>"), '<'); p; p = strchr(p + 1, '<')) {
        char name[40] = {0};
        const bool ends = p[1] == '/';
        CHECK(sscanf(p + 1 + ends, "%39[A-Za-z]", name) == 1);
        const sequence *here = sequence_of(rules, open[depth].name, depth ? open[depth - 1].name : "");
        if (ends) {
            for (const char *q = here->children; *q; q += strcspn(q, " ") + (q[strcspn(q, " ")] == ' ')) {
                char wanted[40];
                const size_t length = strcspn(q, " ");
                snprintf(wanted, sizeof wanted, "%.*s", (int)length - 1, q);
                if (q[length - 1] == '!' && place_of(open[depth].seen, wanted) < 0)
                    CHECK_FAIL("%s lacks %s", open[depth].name, wanted);
            }
            depth--;
            continue;
        }
        if (depth > 0) {
            const int place = place_of(here->children, name);
            if (place < 0 || place < open[depth].last)
                CHECK_FAIL("%s of %s is not in its place", name, open[depth].name);
            open[depth].last = place;
            const size_t used = strlen(open[depth].seen);
            if (place_of(open[depth].seen, name) < 0)
                snprintf(open[depth].seen + used, sizeof open[depth].seen - used, "%s ", name);
        }
        depth++;
        memset(&open[depth], 0, sizeof open[depth]);
        memcpy(open[depth].name, name, sizeof name);
        open[depth].last = -1;
    }
    CHECK_INT(depth, 0);
}

// ------------------------------------------------------------------------------------------ tests

TEST(an_esi_file_describes_all_devices)
{
    const ff_ec_device *const devices[] = {&ff_ec_drive_device, &ff_ec_force_device, &ff_ec_imu_device,
                                           &ff_ec_switches_device};
    char *esi = ff_ec_esi_format(devices, 4), text[64];
    CHECK(esi && is_well_formed(esi));
    check_order(esi, ESI);
    CHECK_INT(count(esi, "<Device "), 4);
    CHECK_INT(count(esi, "<ProfileNo>402</ProfileNo>"), 1);
    CHECK_INT(count(esi, "<ProfileNo>5001</ProfileNo>"), 3);
    CHECK_INT(count(esi, "<Group>"), 2);
    text_of(esi, "Id", text, sizeof text);
    CHECK_TEXT(text, "#xF00F");
    CHECK_SAYS(esi, "<Type ProductCode=\"#x00000402\" RevisionNo=\"#x00000001\">Footfall drive</Type>");
    CHECK_SAYS(esi, "<Sm DefaultSize=\"20\" StartAddress=\"#x1100\" ControlByte=\"#x64\" Enable=\"1\">Outputs</Sm>");
    CHECK_SAYS(esi, "<Sm DefaultSize=\"0\" StartAddress=\"#x1100\" ControlByte=\"#x64\" Enable=\"0\">Outputs</Sm>");
    CHECK_SAYS(esi, "<ConfigData>080C000000000000000000000000</ConfigData>"); // 14 bytes
    const char *pdo = strstr(esi, "<RxPdo Sm=\"2\">");
    text_of(pdo, "Index", text, sizeof text);
    CHECK_TEXT(text, "#x1600");
    text_of(strstr(pdo, "<Entry>"), "Index", text, sizeof text);
    CHECK_TEXT(text, "#x6040");
    text_of(strstr(pdo, "<Entry>"), "DataType", text, sizeof text);
    CHECK_TEXT(text, "UINT");
    free(esi);
}

TEST(names_are_escaped)
{
    ff_ec_device device = ff_ec_switches_device;
    device.name = "A < B & C > D";
    const ff_ec_device *const devices[] = {&device};
    char *esi = ff_ec_esi_format(devices, 1);
    CHECK(is_well_formed(esi));
    CHECK_SAYS(esi, ">A &lt; B &amp; C &gt; D</Name>");
    free(esi);
}

/// The element of a variable.
static const char *variable(const char *eni, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, "<Name>%s</Name>", name);
    const char *at = strstr(eni, text);
    if (!at) CHECK_FAIL("no variable %s", name);
    return at;
}

TEST(values_are_on_the_bus_where_the_eni_file_puts_them)
{
    static ff_ec_drive left, right;
    static ff_ec_force foot;
    const ff_ec_station line[] = {{.device = &ff_ec_drive_device, .data = &left, .name = "left_knee"},
                                  {.device = &ff_ec_force_device, .data = &foot, .name = "foot"},
                                  {.device = &ff_ec_drive_device, .data = &right, .name = "right_knee"}};
    ff_error err = {0};
    master m = {.segment = ff_ec_segment_create(line, 3, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
    char *eni = ff_ec_eni_format(m.segment);
    CHECK(eni && is_well_formed(eni));
    check_order(eni, ENI);
    CHECK_INT(count(eni, "<Slave>"), 3);
    CHECK_INT(count(eni, "<PreviousPort"), 2); // the first hangs at the master
    CHECK_INT(count(eni, "<State>OP</State>"), 1);
    CHECK_INT(count(eni, "<Variable>"), 2 * (7 + 8) + 9 + 1);

    master_slave slaves[3];
    CHECK_INT(master_scan(&m, slaves, 3), 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(master_preop(&m, &slaves[i]), FF_EC_PREOP);
        // the force sensor gets both PDOs
        if (i == 1) CHECK_INT(master_download(&m, slaves[i].station, 0x1C13, 0, true, "\x02\0\0\x1A\x01\x1A", 6), 0);
        CHECK(master_mapping(&m, &slaves[i]));
    }
    // masters that download by 1, as CiA 301 has it, and those that do by 2, as ETG.2100 has it, write the same
    const char *one = strstr(eni, "<InitCmd "), *other = one ? strstr(one + 1, "<InitCmd ") : NULL;
    CHECK_INT(count(eni, "<InitCmd CompleteAccess=\"1\">"), 2);
    CHECK(one && other && number_of(one, "Ccs") == 1 && number_of(other, "Ccs") == 2);
    CHECK(number_of(one, "Index") == 0x1C13 && number_of(other, "Index") == 0x1C13);
    CHECK_INT(count(eni, "<Data>0200001a011a</Data>"), 2);
    const unsigned bytes = master_map(&m, slaves, 3);
    const char *command = strstr(eni, "<Cyclic>");
    CHECK_INT(number_of(command, "DataLength"), bytes);
    CHECK_INT(number_of(command, "Cnt"), 9);
    for (int i = 0; i < 3; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_SAFEOP), FF_EC_SAFEOP);
    uint8_t image[200] = {0};
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 9);
    for (int i = 0; i < 3; i++) CHECK_INT(master_request(&m, slaves[i].station, FF_EC_OP), FF_EC_OP);

    image[number_of(variable(eni, "right_knee.Target position"), "BitOffs") / 8] = 99;
    image[number_of(variable(eni, "foot.Tare"), "BitOffs") / 8] = 2;
    left.torque = 0x1234;
    foot.moment[2] = 77;
    ff_ec_segment_advance(m.segment, m.now);
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 9);
    CHECK_INT(right.target_position, 99);
    CHECK_INT(foot.command, 2);
    CHECK_INT(image[number_of(variable(eni, "left_knee.Actual torque"), "BitOffs") / 8], 0x34);
    CHECK_INT(image[number_of(variable(eni, "foot.Moment z"), "BitOffs") / 8], 77);
    free(eni);
    ff_ec_segment_destroy(m.segment);
}

// 40 drives have 1760 bytes: two commands, and the drive at the border counts in both.
TEST(a_long_process_image_is_split)
{
    static ff_ec_drive drives[40];
    ff_ec_station line[40] = {{0}};
    for (int i = 0; i < 40; i++) line[i] = (ff_ec_station){.device = &ff_ec_drive_device, .data = &drives[i]};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(line, 40, &err);
    CHECK(segment != NULL);
    char *eni = ff_ec_eni_format(segment);
    const char *second = strstr(strstr(eni, "<Frame>") + 1, "<Frame>");
    CHECK_INT(number_of(eni, "DataLength"), 1486);
    CHECK_INT(number_of(second, "DataLength"), 1760 - 1486);
    // outputs take 800 bytes; 686 of inputs are 28 drives and a part of the 29th
    CHECK_INT(number_of(eni, "Cnt"), 2 * 40 + 29);
    CHECK_INT(number_of(second, "Cnt"), 40 - 28);
    free(eni);
    ff_ec_segment_destroy(segment);
}

// A junction: two lines behind ports 2 and 1, by the letters of the format.
TEST(an_eni_file_describes_the_topology)
{
    static ff_ec_drive drives[3];
    static ff_ec_imu imu;
    const ff_ec_station tree[] = {{.device = &ff_ec_drive_device, .data = &drives[0]},
                                  {.device = &ff_ec_drive_device, .data = &drives[1], .behind = 1, .port = 1},
                                  {.device = &ff_ec_drive_device, .data = &drives[2], .behind = 1, .port = 2},
                                  {.device = &ff_ec_imu_device, .data = &imu}};
    ff_error err = {0};
    ff_ec_segment *segment = ff_ec_segment_create(tree, 4, &err);
    if (!segment) CHECK_FAIL("%s", err.text);
    char *eni = ff_ec_eni_format(segment), text[8];
    check_order(eni, ENI);
    static const struct {
        const char *port;
        int before;
    } cables[] = {{"B", 0x1001}, {"C", 0x1001}, {"B", 0x1003}};
    const char *at = eni;
    for (int i = 0; i < 3; i++) {
        at = strstr(at + 1, "<PreviousPort Selected=\"true\">");
        text_of(at, "Port", text, sizeof text);
        CHECK_TEXT(text, cables[i].port);
        CHECK_INT(number_of(at, "PhysAddr"), cables[i].before);
    }
    CHECK_INT(count(eni, "<Send>"), 3 + 4); // process data of the drives alone, mailboxes of all
    free(eni);
    ff_ec_segment_destroy(segment);
}
