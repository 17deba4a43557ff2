// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Network information (ENI) of a segment: the stations, their mailboxes, the cyclic commands with their working
// counters, and every variable of the process image by name. ETG.2100. Process data are those assigned by default
// (0x1600, 0x1A00, and those of modules), and a second PDO if it completes the first; a second one that maps an object
// of the first is an alternative.
#include "slave/slave.h"
#include "slave/xml.h"

#include <stdio.h>

enum { FIRST_STATION = 0x1001, DATA_MOST = 1486 }; // bytes of a logical datagram

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

// ------------------------------------------------------------------------------------------ stations

static void put_range(ff_ec_xml *x, const char *tag, const char *first, unsigned start, const char *second, unsigned n)
{
    ff_ec_xml_begin(x, tag, "");
    ff_ec_xml_number(x, first, start);
    ff_ec_xml_number(x, second, n);
    ff_ec_xml_end(x, tag);
}

/// Process data of a direction, if there are any: Send is what the master sends.
static void put_process_data(ff_ec_xml *x, const ff_ec_segment *segment, int i, int direction)
{
    const unsigned bytes = bytes_of(&segment->slaves[i], direction);
    if (bytes)
        put_range(x, direction == FF_EC_OUT ? "Send" : "Recv", "BitStart", 8 * address_of(segment, i, direction),
                  "BitLength", 8 * bytes);
}

/// The port of the previous station as a letter: A is port 0.
static void put_cable(ff_ec_xml *x, const ff_ec_slave *slave)
{
    const char port[2] = {(char)('A' + slave->parent_port), 0};
    if (slave->parent < 0) return;
    ff_ec_xml_begin(x, "PreviousPort", " Selected=\"true\"");
    ff_ec_xml_text(x, "Port", "", port);
    ff_ec_xml_number(x, "PhysAddr", FIRST_STATION + (unsigned)slave->parent);
    ff_ec_xml_end(x, "PreviousPort");
}

/// A list of PDOs, written by complete access from PRE-OP to SAFE-OP. The code of a download differs: 1 is that of CiA
/// 301, which files of TwinCAT have; by table 20 of ETG.2100, which SOEM follows, it is 2. So there are two commands:
/// each master writes by one of them, and reads by the other, which has no effect.
static void put_assignment(ff_ec_xml *x, unsigned list, const char *data)
{
    static const char *const downloads[2] = {"download of CiA 301", "download of ETG.2100"};
    for (unsigned i = 0; i < 2; i++) {
        ff_ec_xml_begin(x, "InitCmd", " CompleteAccess=\"1\"");
        ff_ec_xml_text(x, "Transition", "", "PS");
        ff_ec_xml_text(x, "Comment", "", downloads[i]);
        ff_ec_xml_number(x, "Timeout", 1000);
        ff_ec_xml_number(x, "Ccs", i + 1);
        ff_ec_xml_number(x, "Index", list);
        ff_ec_xml_number(x, "SubIndex", 0);
        ff_ec_xml_text(x, "Data", "", data);
        ff_ec_xml_end(x, "InitCmd");
    }
}

/// Lists of PDOs that differ from those assigned by default.
static void put_assignments(ff_ec_xml *x, const ff_ec_slave *slave)
{
    static const unsigned lists[2] = {0x1C12, 0x1C13};
    ff_ec_xml_begin(x, "InitCmds", "");
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
    ff_ec_xml_end(x, "InitCmds");
}

static void put_mailbox(ff_ec_xml *x, const ff_ec_slave *slave)
{
    ff_ec_xml_begin(x, "Mailbox", "");
    put_range(x, "Send", "Start", FF_EC_MAILBOX_OUT, "Length", FF_EC_MAILBOX_SIZE);
    put_range(x, "Recv", "Start", FF_EC_MAILBOX_IN, "Length", FF_EC_MAILBOX_SIZE);
    ff_ec_xml_text(x, "Protocol", "", "CoE");
    ff_ec_xml_begin(x, "CoE", "");
    put_assignments(x, slave);
    ff_ec_xml_end(x, "CoE");
    ff_ec_xml_end(x, "Mailbox");
}

static void put_slave(ff_ec_xml *x, const ff_ec_segment *segment, int i)
{
    const ff_ec_slave *slave = &segment->slaves[i];
    const ff_ec_device *device = slave->station.device;
    ff_ec_xml_begin(x, "Slave", "");
    ff_ec_xml_begin(x, "Info", "");
    ff_ec_xml_text(x, "Name", "", name_of(slave));
    ff_ec_xml_number(x, "PhysAddr", FIRST_STATION + (unsigned)i);
    ff_ec_xml_number(x, "AutoIncAddr", (uint16_t)-i);
    ff_ec_xml_text(x, "Physics", "", "YY");
    ff_ec_xml_number(x, "VendorId", device->vendor);
    ff_ec_xml_number(x, "ProductCode", device->product);
    ff_ec_xml_number(x, "RevisionNo", slave->revision);
    ff_ec_xml_number(x, "SerialNo", slave->station.serial);
    ff_ec_xml_end(x, "Info");
    ff_ec_xml_begin(x, "ProcessData", "");
    put_process_data(x, segment, i, FF_EC_OUT);
    put_process_data(x, segment, i, FF_EC_IN);
    ff_ec_xml_end(x, "ProcessData");
    if (!device->passive) put_mailbox(x, slave);
    put_cable(x, slave);
    ff_ec_xml_end(x, "Slave");
}

// ------------------------------------------------------------------------------------------ process data

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

static void put_commands(ff_ec_xml *x, const ff_ec_segment *segment)
{
    const unsigned end = address_of(segment, segment->count, FF_EC_IN);
    ff_ec_xml_begin(x, "Cyclic", "");
    for (unsigned at = 0; at < end; at += DATA_MOST) {
        const unsigned n = end - at < DATA_MOST ? end - at : DATA_MOST;
        ff_ec_xml_begin(x, "Frame", "");
        ff_ec_xml_begin(x, "Cmd", "");
        ff_ec_xml_text(x, "State", "", "SAFEOP"); // the state in which it is sent
        ff_ec_xml_text(x, "State", "", "OP");
        ff_ec_xml_number(x, "Cmd", FF_EC_LRW);
        ff_ec_xml_number(x, "Addr", at);
        ff_ec_xml_number(x, "DataLength", n);
        ff_ec_xml_number(x, "Cnt", counter_of(segment, at, n));
        ff_ec_xml_number(x, "InputOffs", at);
        ff_ec_xml_number(x, "OutputOffs", at);
        ff_ec_xml_end(x, "Cmd");
        ff_ec_xml_end(x, "Frame");
    }
    ff_ec_xml_end(x, "Cyclic");
}

static void put_variable(ff_ec_xml *x, const ff_ec_slave *slave, const char *of, uint32_t map, unsigned bit)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(slave->station.device, map);
    char name[256];
    if (!entry) return; // padding
    snprintf(name, sizeof name, "%s.%s", of, entry->name);
    ff_ec_xml_begin(x, "Variable", "");
    ff_ec_xml_text(x, "Name", "", name);
    ff_ec_xml_text(x, "DataType", "", ff_ec_xml_type(entry));
    ff_ec_xml_number(x, "BitSize", map & 0xFF);
    ff_ec_xml_number(x, "BitOffs", bit);
    ff_ec_xml_end(x, "Variable");
}

static void put_variables(ff_ec_xml *x, const ff_ec_segment *segment, int direction)
{
    const char *tag = direction == FF_EC_OUT ? "Outputs" : "Inputs";
    ff_ec_xml_begin(x, tag, "");
    ff_ec_xml_number(x, "ByteSize", address_of(segment, segment->count, FF_EC_IN)); // both directions share one image
    for (int i = 0; i < segment->count; i++) {
        const ff_ec_slave *slave = &segment->slaves[i];
        unsigned bit = 8 * address_of(segment, i, direction);
        for (int p = 0; p < FF_EC_PDOS; p++) {
            const ff_ec_pdo *pdo = &pdos_of(slave, direction)[p];
            const char *module = slave->joined ? slave->modules[p / FF_EC_CHOICES].name : NULL;
            if (!is_assigned(slave, direction, p)) continue;
            for (unsigned k = 0; k < ff_ec_pdo_entries(pdo); bit += pdo->maps[k++] & 0xFF)
                put_variable(x, slave, module ? module : name_of(slave), pdo->maps[k], bit);
        }
    }
    ff_ec_xml_end(x, tag);
}

char *ff_ec_eni_format(const ff_ec_segment *segment)
{
    ff_ec_xml x = {0};
    ff_ec_xml_begin(&x, "EtherCATConfig", " Version=\"1.3\"");
    ff_ec_xml_begin(&x, "Config", "");
    ff_ec_xml_begin(&x, "Master", "");
    ff_ec_xml_begin(&x, "Info", "");
    ff_ec_xml_text(&x, "Name", "", "Footfall");
    ff_ec_xml_text(&x, "Destination", "", "ffffffffffff");
    ff_ec_xml_text(&x, "Source", "", "010101010101");
    ff_ec_xml_text(&x, "EtherType", "", "a488");
    ff_ec_xml_end(&x, "Info");
    ff_ec_xml_end(&x, "Master");
    for (int i = 0; i < segment->count; i++) put_slave(&x, segment, i);
    put_commands(&x, segment);
    ff_ec_xml_begin(&x, "ProcessImage", "");
    put_variables(&x, segment, FF_EC_IN);
    put_variables(&x, segment, FF_EC_OUT);
    ff_ec_xml_end(&x, "ProcessImage");
    ff_ec_xml_end(&x, "Config");
    ff_ec_xml_end(&x, "EtherCATConfig");
    return ff_ec_xml_finish(&x);
}
