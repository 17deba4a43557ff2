// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files for the configuration tools of masters.
//
// ESI (EtherCAT slave information, ETG.2000): device types, from their tables.
//
// ENI (EtherCAT network information, ETG.2100): the stations of a segment, their mailboxes, the cyclic commands with
// their working counters, and every variable of the process image by name. Process data are those assigned by default
// (0x1600, 0x1A00, and those of modules), and a second PDO if it completes the first; a second one that maps an object
// of the first is an alternative.
#include "slave/slave.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEPTH_MOST = 16, FIRST_STATION = 0x1001, DATA_MOST = 1486 }; // bytes of a logical datagram

// ------------------------------------------------------------------------------------------ XML

/// A growing XML text, line by line. When memory is exhausted, `failed` stays set and further writing has no effect.
typedef struct xml {
    char *text; // malloc'ed
    size_t length, capacity;
    const char *open[DEPTH_MOST]; // elements that are open
    int depth;
    bool failed;
} xml;

static void append(xml *x, const char *text, size_t n)
{
    if (!x->failed && x->length + n + 1 > x->capacity) {
        const size_t capacity = 2 * (x->length + n + 1);
        char *larger = realloc(x->text, capacity);
        x->failed = !larger;
        if (larger) x->text = larger, x->capacity = capacity;
    }
    if (x->failed) return;
    memcpy(x->text + x->length, text, n);
    x->length += n;
    x->text[x->length] = 0;
}

static void write_text(xml *x, const char *text)
{
    append(x, text, strlen(text));
}

static void indent(xml *x)
{
    if (!x->length) write_text(x, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int i = 0; i < x->depth; i++) write_text(x, "  ");
}

static void put_escaped(xml *x, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&')
            write_text(x, "&amp;");
        else if (*p == '<')
            write_text(x, "&lt;");
        else if (*p == '>')
            write_text(x, "&gt;");
        else
            append(x, p, 1);
    }
}

/// Opens an element on a new line; `attributes` begin with a blank or are "".
static void xml_begin(xml *x, const char *name, const char *attributes)
{
    indent(x);
    write_text(x, "<"), write_text(x, name), write_text(x, attributes), write_text(x, ">\n");
    x->open[x->depth++] = name;
}

/// Closes the last `n` elements that were opened.
static void xml_end(xml *x, int n)
{
    for (; n > 0; n--) {
        const char *name = x->open[--x->depth];
        indent(x);
        write_text(x, "</"), write_text(x, name), write_text(x, ">\n");
    }
}

static void xml_text(xml *x, const char *name, const char *attributes, const char *text)
{
    indent(x);
    write_text(x, "<"), write_text(x, name), write_text(x, attributes), write_text(x, ">");
    put_escaped(x, text);
    write_text(x, "</"), write_text(x, name), write_text(x, ">\n");
}

static void xml_number(xml *x, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    xml_text(x, name, "", text);
}

/// A number such as #x0402.
static void xml_hex(xml *x, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "#x%04lX", value);
    xml_text(x, name, "", text);
}

/// @return the text, to be freed by the caller; NULL: writing failed
static char *xml_finish(xml *x)
{
    char *text = x->text;
    if (x->failed) free(text);
    return x->failed ? NULL : text;
}

static const char *type_name(const ff_ec_entry *entry)
{
    switch (entry->type) {
#define NAME(name, number, bits, esi)                                                                                  \
    case number:                                                                                                       \
        return esi;
        FF_EC_TYPES(NAME)
#undef NAME
    default:
        return "";
    }
}

// ------------------------------------------------------------------------------------------ ESI

static void put_sm(xml *x, const char *use, unsigned start, unsigned size, unsigned control)
{
    char attributes[128];
    snprintf(attributes, sizeof attributes,
             " DefaultSize=\"%u\" StartAddress=\"#x%04X\" ControlByte=\"#x%02X\" Enable=\"%d\"", size, start, control,
             size > 0);
    xml_text(x, "Sm", attributes, use);
}

static void put_entry(xml *x, const ff_ec_device *device, uint32_t map)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(device, map);
    xml_begin(x, "Entry", "");
    xml_hex(x, "Index", map >> 16);
    if (entry) xml_number(x, "SubIndex", map >> 8 & 0xFF);
    xml_number(x, "BitLen", map & 0xFF);
    if (entry) {
        xml_text(x, "Name", "", entry->name);
        xml_text(x, "DataType", "", type_name(entry));
    }
    xml_end(x, 1);
}

static void put_pdo_list(xml *x, const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    const char *tag = direction == FF_EC_OUT ? "RxPdo" : "TxPdo";
    for (int p = 0; p < FF_EC_PDOS; p++) {
        if (!pdos[p].maps[0]) continue;
        xml_begin(x, tag, !ff_ec_pdo_is_first(pdos, p) ? "" : direction == FF_EC_OUT ? " Sm=\"2\"" : " Sm=\"3\"");
        xml_hex(x, "Index", ff_ec_pdo_index(direction, p));
        xml_text(x, "Name", "", pdos[p].name ? pdos[p].name : tag);
        for (unsigned i = 0; i < ff_ec_pdo_entries(&pdos[p]); i++) put_entry(x, device, pdos[p].maps[i]);
        xml_end(x, 1);
    }
}

/// Bytes of all PDOs that are assigned by default.
static unsigned default_bytes(const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    unsigned bytes = 0;
    for (int p = 0; p < FF_EC_PDOS; p++)
        if (ff_ec_pdo_is_first(pdos, p)) bytes += ff_ec_pdo_bytes(&pdos[p]);
    return bytes;
}

static void put_objects(xml *x, const ff_ec_device *device)
{
    xml_text(x, "Fmmu", "", "Outputs");
    xml_text(x, "Fmmu", "", "Inputs");
    xml_text(x, "Fmmu", "", "MBoxState");
    put_sm(x, "MBoxOut", FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_OUT);
    put_sm(x, "MBoxIn", FF_EC_MAILBOX_IN, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_IN);
    put_sm(x, "Outputs", ff_ec_device_area(device, FF_EC_OUT).start, default_bytes(device, FF_EC_OUT),
           FF_EC_CONTROL_OUTPUTS);
    put_sm(x, "Inputs", ff_ec_device_area(device, FF_EC_IN).start, default_bytes(device, FF_EC_IN),
           FF_EC_CONTROL_INPUTS);
    put_pdo_list(x, device, FF_EC_OUT);
    put_pdo_list(x, device, FF_EC_IN);
    xml_begin(x, "Mailbox", " DataLinkLayer=\"1\"");
    xml_text(x, "CoE", " SdoInfo=\"1\" CompleteAccess=\"1\" PdoAssign=\"1\" PdoConfig=\"1\"", "");
    xml_end(x, 1);
}

static void put_device(xml *x, const ff_ec_device *device)
{
    char text[96];
    snprintf(text, sizeof text, " ProductCode=\"#x%08X\" RevisionNo=\"#x%08X\"", device->product, device->revision);
    xml_begin(x, "Device", " Physics=\"YY\"");
    xml_text(x, "Type", text, device->name);
    xml_text(x, "Name", " LcId=\"1033\"", device->name);
    xml_text(x, "GroupType", "", device->group ? device->group : "Footfall");
    xml_begin(x, "Profile", "");
    xml_number(x, "ProfileNo", device->profile & 0xFFFF);
    xml_end(x, 1);
    if (!device->passive) put_objects(x, device);
    xml_begin(x, "Dc", "");
    xml_begin(x, "OpMode", "");
    xml_text(x, "Name", "", "Sync0");
    xml_hex(x, "AssignActivate", 0x0300);
    xml_end(x, 2);
    xml_begin(x, "Eeprom", "");
    xml_number(x, "ByteSize", FF_EC_SII_SIZE);
    snprintf(text, sizeof text, "%02X%02X%024d", FF_EC_PDI_CONTROL & 0xFF, FF_EC_PDI_CONTROL >> 8, 0);
    xml_text(x, "ConfigData", "", text); // the first seven words
    xml_end(x, 2);
}

static bool is_first_of_group(const ff_ec_device *const *devices, int i)
{
    for (int k = 0; k < i; k++)
        if (devices[k]->group && devices[i]->group && !strcmp(devices[k]->group, devices[i]->group)) return false;
    return devices[i]->group;
}

char *ff_ec_esi_format(const ff_ec_device *const *devices, int count)
{
    xml x = {0};
    xml_begin(&x, "EtherCATInfo", " Version=\"1.2\"");
    xml_begin(&x, "Vendor", "");
    xml_hex(&x, "Id", count > 0 ? devices[0]->vendor : FF_EC_VENDOR);
    xml_text(&x, "Name", "", "Footfall");
    xml_end(&x, 1);
    xml_begin(&x, "Descriptions", "");
    xml_begin(&x, "Groups", "");
    for (int i = 0; i < count; i++) {
        if (!is_first_of_group(devices, i)) continue;
        xml_begin(&x, "Group", "");
        xml_text(&x, "Type", "", devices[i]->group);
        xml_text(&x, "Name", " LcId=\"1033\"", devices[i]->group);
        xml_end(&x, 1);
    }
    xml_end(&x, 1);
    xml_begin(&x, "Devices", "");
    for (int i = 0; i < count; i++) put_device(&x, devices[i]);
    xml_end(&x, 3);
    return xml_finish(&x);
}

// ------------------------------------------------------------------------------------------ ENI

static const ff_ec_pdo *pdos_of(const ff_ec_slave *slave, int direction)
{
    return ff_ec_device_pdos(slave->station.device, direction);
}

/// Is a PDO assigned?
static bool is_assigned(const ff_ec_slave *slave, int direction, int pdo)
{
    const ff_ec_pdo *pdos = pdos_of(slave, direction), *first = &pdos[pdo - pdo % FF_EC_CHOICES];
    return ff_ec_pdo_is_first(pdos, pdo) ||
           (first->maps[0] && pdos[pdo].maps[0] && &pdos[pdo] != first && ff_ec_pdo_completes(first, &pdos[pdo]));
}

static unsigned bytes_of(const ff_ec_slave *slave, int direction)
{
    unsigned bytes = 0;
    for (int p = 0; p < FF_EC_PDOS; p++)
        if (is_assigned(slave, direction, p)) bytes += ff_ec_pdo_bytes(&pdos_of(slave, direction)[p]);
    return bytes;
}

/// Logical address of the data of a station: outputs of all stations, then inputs. Station `count` gives the end.
static unsigned address_of(const ff_ec_segment *segment, int station, int direction)
{
    unsigned at = 0;
    for (int i = 0; i < (direction == FF_EC_OUT ? station : segment->count); i++)
        at += bytes_of(&segment->slaves[i], FF_EC_OUT);
    for (int i = 0; i < station && direction == FF_EC_IN; i++) at += bytes_of(&segment->slaves[i], FF_EC_IN);
    return at;
}

static const char *name_of(const ff_ec_slave *slave)
{
    return slave->station.name ? slave->station.name : slave->station.device->name;
}

static void put_range(xml *x, const char *tag, const char *first, unsigned start, const char *second, unsigned n)
{
    xml_begin(x, tag, "");
    xml_number(x, first, start);
    xml_number(x, second, n);
    xml_end(x, 1);
}

/// Process data of a direction, if there are any: Send is what the master sends.
static void put_process_data(xml *x, const ff_ec_segment *segment, int i, int direction)
{
    const unsigned bytes = bytes_of(&segment->slaves[i], direction);
    if (bytes)
        put_range(x, direction == FF_EC_OUT ? "Send" : "Recv", "BitStart", 8 * address_of(segment, i, direction),
                  "BitLength", 8 * bytes);
}

/// The port of the previous station as a letter: A is port 0.
static void put_cable(xml *x, const ff_ec_slave *slave)
{
    const char port[2] = {(char)('A' + slave->parent_port), 0};
    if (slave->parent < 0) return;
    xml_begin(x, "PreviousPort", " Selected=\"true\"");
    xml_text(x, "Port", "", port);
    xml_number(x, "PhysAddr", FIRST_STATION + (unsigned)slave->parent);
    xml_end(x, 1);
}

/// A list of PDOs, written by complete access from PRE-OP to SAFE-OP. The code of a download differs: 1 is that of CiA
/// 301, which files of TwinCAT have; by table 20 of ETG.2100, which SOEM follows, it is 2. So there are two commands:
/// each master writes by one of them, and reads by the other, which has no effect.
static void put_assignment(xml *x, unsigned list, const char *data)
{
    static const char *const downloads[2] = {"download of CiA 301", "download of ETG.2100"};
    for (unsigned i = 0; i < 2; i++) {
        xml_begin(x, "InitCmd", " CompleteAccess=\"1\"");
        xml_text(x, "Transition", "", "PS");
        xml_text(x, "Comment", "", downloads[i]);
        xml_number(x, "Timeout", 1000);
        xml_number(x, "Ccs", i + 1);
        xml_number(x, "Index", list);
        xml_number(x, "SubIndex", 0);
        xml_text(x, "Data", "", data);
        xml_end(x, 1);
    }
}

/// Lists of PDOs that differ from those assigned by default.
static void put_assignments(xml *x, const ff_ec_slave *slave)
{
    static const unsigned lists[2] = {0x1C12, 0x1C13};
    xml_begin(x, "InitCmds", "");
    for (int d = 0; d < 2; d++) {
        char list[4 * FF_EC_PDOS + 1] = "", data[sizeof list + 4]; // their number in 16 bits, then their indices
        int n = 0, more = 0;
        for (int p = 0; p < FF_EC_PDOS; p++) {
            if (!is_assigned(slave, d, p)) continue;
            const unsigned index = ff_ec_pdo_index(d, p);
            snprintf(list + 4 * n++, 5, "%02x%02x", index & 0xFF, index >> 8);
            more += !ff_ec_pdo_is_first(pdos_of(slave, d), p);
        }
        if (!more) continue;
        snprintf(data, sizeof data, "%02x00%s", (unsigned)n, list);
        put_assignment(x, lists[d], data);
    }
    xml_end(x, 1);
}

static void put_mailbox(xml *x, const ff_ec_slave *slave)
{
    xml_begin(x, "Mailbox", "");
    put_range(x, "Send", "Start", FF_EC_MAILBOX_OUT, "Length", FF_EC_MAILBOX_SIZE);
    put_range(x, "Recv", "Start", FF_EC_MAILBOX_IN, "Length", FF_EC_MAILBOX_SIZE);
    xml_text(x, "Protocol", "", "CoE");
    xml_begin(x, "CoE", "");
    put_assignments(x, slave);
    xml_end(x, 2);
}

static void put_slave(xml *x, const ff_ec_segment *segment, int i)
{
    const ff_ec_slave *slave = &segment->slaves[i];
    const ff_ec_device *device = slave->station.device;
    xml_begin(x, "Slave", "");
    xml_begin(x, "Info", "");
    xml_text(x, "Name", "", name_of(slave));
    xml_number(x, "PhysAddr", FIRST_STATION + (unsigned)i);
    xml_number(x, "AutoIncAddr", (uint16_t)-i);
    xml_text(x, "Physics", "", "YY");
    xml_number(x, "VendorId", device->vendor);
    xml_number(x, "ProductCode", device->product);
    xml_number(x, "RevisionNo", slave->revision);
    xml_number(x, "SerialNo", slave->station.serial);
    xml_end(x, 1);
    xml_begin(x, "ProcessData", "");
    put_process_data(x, segment, i, FF_EC_OUT);
    put_process_data(x, segment, i, FF_EC_IN);
    xml_end(x, 1);
    if (!device->passive) put_mailbox(x, slave);
    put_cable(x, slave);
    xml_end(x, 1);
}

static bool overlaps(unsigned a, unsigned na, unsigned b, unsigned nb)
{
    return na && nb && a < b + nb && b < a + na;
}

/// Working counter of an LRW over a part of the image: 2 for outputs, 1 for inputs of each station it touches.
static unsigned counter_of(const ff_ec_segment *segment, unsigned at, unsigned n)
{
    unsigned counter = 0;
    for (int i = 0; i < segment->count; i++) {
        const ff_ec_slave *s = &segment->slaves[i];
        counter += 2U * overlaps(at, n, address_of(segment, i, FF_EC_OUT), bytes_of(s, FF_EC_OUT));
        counter += overlaps(at, n, address_of(segment, i, FF_EC_IN), bytes_of(s, FF_EC_IN));
    }
    return counter;
}

static void put_commands(xml *x, const ff_ec_segment *segment)
{
    const unsigned end = address_of(segment, segment->count, FF_EC_IN);
    xml_begin(x, "Cyclic", "");
    for (unsigned at = 0; at < end; at += DATA_MOST) {
        const unsigned n = end - at < DATA_MOST ? end - at : DATA_MOST;
        xml_begin(x, "Frame", "");
        xml_begin(x, "Cmd", "");
        xml_text(x, "State", "", "SAFEOP"); // the state in which it is sent
        xml_text(x, "State", "", "OP");
        xml_number(x, "Cmd", FF_EC_LRW);
        xml_number(x, "Addr", at);
        xml_number(x, "DataLength", n);
        xml_number(x, "Cnt", counter_of(segment, at, n));
        xml_number(x, "InputOffs", at);
        xml_number(x, "OutputOffs", at);
        xml_end(x, 2);
    }
    xml_end(x, 1);
}

static void put_variable(xml *x, const ff_ec_slave *slave, const char *of, uint32_t map, unsigned bit)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(slave->station.device, map);
    char name[256];
    if (!entry) return; // padding
    snprintf(name, sizeof name, "%s.%s", of, entry->name);
    xml_begin(x, "Variable", "");
    xml_text(x, "Name", "", name);
    xml_text(x, "DataType", "", type_name(entry));
    xml_number(x, "BitSize", map & 0xFF);
    xml_number(x, "BitOffs", bit);
    xml_end(x, 1);
}

static void put_variables(xml *x, const ff_ec_segment *segment, int direction)
{
    const char *tag = direction == FF_EC_OUT ? "Outputs" : "Inputs";
    xml_begin(x, tag, "");
    xml_number(x, "ByteSize", address_of(segment, segment->count, FF_EC_IN)); // both directions share one image
    for (int i = 0; i < segment->count; i++) {
        const ff_ec_slave *slave = &segment->slaves[i];
        unsigned bit = 8 * address_of(segment, i, direction);
        for (int p = 0; p < FF_EC_PDOS; p++) {
            const ff_ec_pdo *pdo = &pdos_of(slave, direction)[p];
            const char *module = slave->merged ? slave->modules[p / FF_EC_CHOICES].name : NULL;
            if (!is_assigned(slave, direction, p)) continue;
            for (unsigned k = 0; k < ff_ec_pdo_entries(pdo); bit += pdo->maps[k++] & 0xFF)
                put_variable(x, slave, module ? module : name_of(slave), pdo->maps[k], bit);
        }
    }
    xml_end(x, 1);
}

char *ff_ec_eni_format(const ff_ec_segment *segment)
{
    xml x = {0};
    xml_begin(&x, "EtherCATConfig", " Version=\"1.3\"");
    xml_begin(&x, "Config", "");
    xml_begin(&x, "Master", "");
    xml_begin(&x, "Info", "");
    xml_text(&x, "Name", "", "Footfall");
    xml_text(&x, "Destination", "", "ffffffffffff");
    xml_text(&x, "Source", "", "010101010101");
    xml_text(&x, "EtherType", "", "a488");
    xml_end(&x, 2);
    for (int i = 0; i < segment->count; i++) put_slave(&x, segment, i);
    put_commands(&x, segment);
    xml_begin(&x, "ProcessImage", "");
    put_variables(&x, segment, FF_EC_IN);
    put_variables(&x, segment, FF_EC_OUT);
    xml_end(&x, 3);
    return xml_finish(&x);
}
