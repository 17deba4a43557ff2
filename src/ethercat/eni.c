// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Network description (ENI) of a segment: which stations there are, their mailboxes, the cyclic commands with their
// working counters, and every variable of the process image by name. ETG.2100. Data are those the devices begin with
// (0x1600, 0x1A00).
#include "ethercat/slave.h"
#include "ethercat/xml.h"

#include <stdio.h>

enum { FIRST_STATION = 0x1001, DATA_MOST = 1486 }; // bytes of a logical datagram

static const ff_ec_pdo *pdo_of(const ec_slave *slave, int direction)
{
    return direction == EC_OUT ? &slave->station.device->rx[0] : &slave->station.device->tx[0];
}

static unsigned bytes_of(const ec_slave *slave, int direction)
{
    return ec_pdo_bytes(pdo_of(slave, direction));
}

/// Logical address of a station's data: outputs of all stations, then inputs. Station `count` gives the end.
static unsigned address_of(const ff_ec_segment *segment, int station, int direction)
{
    unsigned at = 0;
    for (int i = 0; i < (direction == EC_OUT ? station : segment->count); i++)
        at += bytes_of(&segment->slaves[i], EC_OUT);
    for (int i = 0; i < station && direction == EC_IN; i++) at += bytes_of(&segment->slaves[i], EC_IN);
    return at;
}

static const char *name_of(const ec_slave *slave)
{
    return slave->station.name ? slave->station.name : slave->station.device->name;
}

// ------------------------------------------------------------------------------------------ stations

static void put_range(ec_xml *x, const char *tag, const char *first, unsigned start, const char *second, unsigned n)
{
    ec_xml_begin(x, tag, "");
    ec_xml_number(x, first, start);
    ec_xml_number(x, second, n);
    ec_xml_end(x, tag);
}

static void put_slave(ec_xml *x, const ff_ec_segment *segment, int i)
{
    const ec_slave *slave = &segment->slaves[i];
    const ff_ec_device *device = slave->station.device;
    ec_xml_begin(x, "Slave", "");
    ec_xml_begin(x, "Info", "");
    ec_xml_text(x, "Name", "", name_of(slave));
    ec_xml_number(x, "PhysAddr", FIRST_STATION + (unsigned)i);
    ec_xml_number(x, "AutoIncAddr", (uint16_t)-i);
    ec_xml_text(x, "Physics", "", "YY");
    ec_xml_number(x, "VendorId", device->vendor);
    ec_xml_number(x, "ProductCode", device->product);
    ec_xml_number(x, "RevisionNo", device->revision);
    ec_xml_number(x, "SerialNo", slave->station.serial);
    ec_xml_end(x, "Info");
    ec_xml_begin(x, "ProcessData", "");
    put_range(x, "Send", "BitStart", 8 * address_of(segment, i, EC_OUT), "BitLength", 8 * bytes_of(slave, EC_OUT));
    put_range(x, "Recv", "BitStart", 8 * address_of(segment, i, EC_IN), "BitLength", 8 * bytes_of(slave, EC_IN));
    ec_xml_end(x, "ProcessData");
    ec_xml_begin(x, "Mailbox", "");
    put_range(x, "Send", "Start", EC_MAILBOX_OUT, "Length", EC_MAILBOX_SIZE);
    put_range(x, "Recv", "Start", EC_MAILBOX_IN, "Length", EC_MAILBOX_SIZE);
    ec_xml_text(x, "Protocol", "", "CoE");
    ec_xml_text(x, "CoE", "", "");
    ec_xml_end(x, "Mailbox");
    ec_xml_end(x, "Slave");
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
        const ec_slave *s = &segment->slaves[i];
        counter += 2U * overlaps(at, n, address_of(segment, i, EC_OUT), bytes_of(s, EC_OUT));
        counter += overlaps(at, n, address_of(segment, i, EC_IN), bytes_of(s, EC_IN));
    }
    return counter;
}

static void put_commands(ec_xml *x, const ff_ec_segment *segment)
{
    const unsigned end = address_of(segment, segment->count, EC_IN);
    ec_xml_begin(x, "Cyclic", "");
    for (unsigned at = 0; at < end; at += DATA_MOST) {
        const unsigned n = end - at < DATA_MOST ? end - at : DATA_MOST;
        ec_xml_begin(x, "Frame", "");
        ec_xml_begin(x, "Cmd", "");
        ec_xml_number(x, "Cmd", EC_LRW);
        ec_xml_number(x, "Addr", at);
        ec_xml_number(x, "DataLength", n);
        ec_xml_number(x, "Cnt", counter_of(segment, at, n));
        ec_xml_number(x, "InputOffs", at);
        ec_xml_number(x, "OutputOffs", at);
        ec_xml_end(x, "Cmd");
        ec_xml_end(x, "Frame");
    }
    ec_xml_end(x, "Cyclic");
}

static void put_variables(ec_xml *x, const ff_ec_segment *segment, int direction)
{
    const char *tag = direction == EC_OUT ? "Outputs" : "Inputs";
    ec_xml_begin(x, tag, "");
    ec_xml_number(x, "ByteSize", address_of(segment, segment->count, EC_IN)); // one image for both
    for (int i = 0; i < segment->count; i++) {
        const ec_slave *slave = &segment->slaves[i];
        const ff_ec_pdo *pdo = pdo_of(slave, direction);
        unsigned bit = 8 * address_of(segment, i, direction);
        for (unsigned k = 0; k < ec_pdo_entries(pdo); bit += pdo->maps[k++] & 0xFF) {
            const ff_ec_entry *entry = ec_device_mapped(slave->station.device, pdo->maps[k]);
            if (!entry) continue; // padding
            char name[256];
            snprintf(name, sizeof name, "%s.%s", name_of(slave), entry->name);
            ec_xml_begin(x, "Variable", "");
            ec_xml_text(x, "Name", "", name);
            ec_xml_text(x, "DataType", "", ec_xml_type(entry));
            ec_xml_number(x, "BitSize", pdo->maps[k] & 0xFF);
            ec_xml_number(x, "BitOffs", bit);
            ec_xml_end(x, "Variable");
        }
    }
    ec_xml_end(x, tag);
}

char *ff_ec_eni_format(const ff_ec_segment *segment)
{
    ec_xml x = {0};
    ec_xml_begin(&x, "EtherCATConfig", " Version=\"1.3\"");
    ec_xml_begin(&x, "Config", "");
    ec_xml_begin(&x, "Master", "");
    ec_xml_begin(&x, "Info", "");
    ec_xml_text(&x, "Name", "", "Footfall");
    ec_xml_text(&x, "Destination", "", "ffffffffffff");
    ec_xml_text(&x, "Source", "", "010101010101");
    ec_xml_text(&x, "EtherType", "", "a488");
    ec_xml_end(&x, "Info");
    ec_xml_end(&x, "Master");
    for (int i = 0; i < segment->count; i++) put_slave(&x, segment, i);
    put_commands(&x, segment);
    ec_xml_begin(&x, "ProcessImage", "");
    put_variables(&x, segment, EC_IN);
    put_variables(&x, segment, EC_OUT);
    ec_xml_end(&x, "ProcessImage");
    ec_xml_end(&x, "Config");
    ec_xml_end(&x, "EtherCATConfig");
    return ec_xml_finish(&x);
}
