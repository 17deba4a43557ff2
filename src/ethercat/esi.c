// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Device descriptions (ESI) from device tables: what configuration tools of masters read. ETG.2000.
#include "ethercat/slave.h"
#include "ethercat/xml.h"

#include <stdio.h>

static void put_sm(ec_xml *x, const char *use, unsigned start, unsigned size, unsigned control)
{
    char attributes[128];
    snprintf(attributes, sizeof attributes,
             " DefaultSize=\"%u\" StartAddress=\"#x%04X\" ControlByte=\"#x%02X\" Enable=\"%d\"", size, start, control,
             size > 0);
    ec_xml_text(x, "Sm", attributes, use);
}

static void put_entry(ec_xml *x, const ff_ec_device *device, uint32_t map)
{
    const ff_ec_entry *entry = ec_device_mapped(device, map);
    ec_xml_begin(x, "Entry", "");
    ec_xml_hex(x, "Index", map >> 16);
    if (entry) ec_xml_number(x, "SubIndex", map >> 8 & 0xFF);
    ec_xml_number(x, "BitLen", map & 0xFF);
    if (entry) {
        ec_xml_text(x, "Name", "", entry->name);
        ec_xml_text(x, "DataType", "", ec_xml_type(entry));
    }
    ec_xml_end(x, "Entry");
}

static void put_pdos(ec_xml *x, const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = direction == EC_OUT ? device->rx : device->tx;
    const char *tag = direction == EC_OUT ? "RxPdo" : "TxPdo";
    for (unsigned p = 0; p < FF_EC_PDOS && pdos[p].maps[0]; p++) {
        ec_xml_begin(x, tag, p ? "" : direction == EC_OUT ? " Sm=\"2\"" : " Sm=\"3\""); // only the first is assigned
        ec_xml_hex(x, "Index", (direction == EC_OUT ? 0x1600 : 0x1A00) + p);
        ec_xml_text(x, "Name", "", pdos[p].name ? pdos[p].name : tag);
        for (unsigned i = 0; i < ec_pdo_entries(&pdos[p]); i++) put_entry(x, device, pdos[p].maps[i]);
        ec_xml_end(x, tag);
    }
}

static void put_device(ec_xml *x, const ff_ec_device *device)
{
    char text[96];
    snprintf(text, sizeof text, " ProductCode=\"#x%08X\" RevisionNo=\"#x%08X\"", device->product, device->revision);
    ec_xml_begin(x, "Device", " Physics=\"YY\"");
    ec_xml_text(x, "Type", text, device->name);
    ec_xml_text(x, "Name", " LcId=\"1033\"", device->name);
    ec_xml_text(x, "GroupType", "", device->group ? device->group : "Footfall");
    ec_xml_text(x, "Fmmu", "", "Outputs");
    ec_xml_text(x, "Fmmu", "", "Inputs");
    ec_xml_text(x, "Fmmu", "", "MBoxState");
    put_sm(x, "MBoxOut", EC_MAILBOX_OUT, EC_MAILBOX_SIZE, EC_CONTROL_MAILBOX_OUT);
    put_sm(x, "MBoxIn", EC_MAILBOX_IN, EC_MAILBOX_SIZE, EC_CONTROL_MAILBOX_IN);
    put_sm(x, "Outputs", EC_OUTPUTS, ec_pdo_bytes(&device->rx[0]), EC_CONTROL_OUTPUTS);
    put_sm(x, "Inputs", EC_INPUTS, ec_pdo_bytes(&device->tx[0]), EC_CONTROL_INPUTS);
    put_pdos(x, device, EC_OUT);
    put_pdos(x, device, EC_IN);
    ec_xml_begin(x, "Mailbox", " DataLinkLayer=\"1\"");
    ec_xml_text(x, "CoE", " SdoInfo=\"1\" CompleteAccess=\"1\" PdoAssign=\"1\" PdoConfig=\"1\"", "");
    ec_xml_end(x, "Mailbox");
    ec_xml_begin(x, "Dc", "");
    ec_xml_begin(x, "OpMode", "");
    ec_xml_text(x, "Name", "", "Sync0");
    ec_xml_hex(x, "AssignActivate", 0x0300);
    ec_xml_end(x, "OpMode");
    ec_xml_end(x, "Dc");
    ec_xml_begin(x, "Eeprom", "");
    ec_xml_number(x, "ByteSize", EC_SII_SIZE);
    snprintf(text, sizeof text, "%02X%02X%024d", EC_PDI_CONTROL & 0xFF, EC_PDI_CONTROL >> 8, 0);
    ec_xml_text(x, "ConfigData", "", text); // the first seven words
    ec_xml_end(x, "Eeprom");
    ec_xml_end(x, "Device");
}

static bool is_first_of_group(const ff_ec_device *const *devices, int i)
{
    for (int k = 0; k < i; k++)
        if (devices[k]->group && devices[i]->group && !strcmp(devices[k]->group, devices[i]->group)) return false;
    return devices[i]->group;
}

char *ff_ec_esi_format(const ff_ec_device *const *devices, int count)
{
    ec_xml x = {0};
    ec_xml_begin(&x, "EtherCATInfo", " Version=\"1.2\"");
    ec_xml_begin(&x, "Vendor", "");
    ec_xml_hex(&x, "Id", count > 0 ? devices[0]->vendor : FF_EC_VENDOR);
    ec_xml_text(&x, "Name", "", "Footfall");
    ec_xml_end(&x, "Vendor");
    ec_xml_begin(&x, "Descriptions", "");
    ec_xml_begin(&x, "Groups", "");
    for (int i = 0; i < count; i++) {
        if (!is_first_of_group(devices, i)) continue;
        ec_xml_begin(&x, "Group", "");
        ec_xml_text(&x, "Type", "", devices[i]->group);
        ec_xml_text(&x, "Name", " LcId=\"1033\"", devices[i]->group);
        ec_xml_end(&x, "Group");
    }
    ec_xml_end(&x, "Groups");
    ec_xml_begin(&x, "Devices", "");
    for (int i = 0; i < count; i++) put_device(&x, devices[i]);
    ec_xml_end(&x, "Devices");
    ec_xml_end(&x, "Descriptions");
    ec_xml_end(&x, "EtherCATInfo");
    return ec_xml_finish(&x);
}
