// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// EtherCAT slave information files (ESI) from device tables, for configuration tools of masters. ETG.2000.
#include "slave/slave.h"
#include "slave/xml.h"

#include <stdio.h>

static void put_sm(ff_ec_xml *x, const char *use, unsigned start, unsigned size, unsigned control)
{
    char attributes[128];
    snprintf(attributes, sizeof attributes,
             " DefaultSize=\"%u\" StartAddress=\"#x%04X\" ControlByte=\"#x%02X\" Enable=\"%d\"", size, start, control,
             size > 0);
    ff_ec_xml_text(x, "Sm", attributes, use);
}

static void put_entry(ff_ec_xml *x, const ff_ec_device *device, uint32_t map)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(device, map);
    ff_ec_xml_begin(x, "Entry", "");
    ff_ec_xml_hex(x, "Index", map >> 16);
    if (entry) ff_ec_xml_number(x, "SubIndex", map >> 8 & 0xFF);
    ff_ec_xml_number(x, "BitLen", map & 0xFF);
    if (entry) {
        ff_ec_xml_text(x, "Name", "", entry->name);
        ff_ec_xml_text(x, "DataType", "", ff_ec_xml_type(entry));
    }
    ff_ec_xml_end(x, "Entry");
}

static void put_pdos(ff_ec_xml *x, const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    const char *tag = direction == FF_EC_OUT ? "RxPdo" : "TxPdo";
    for (int p = 0; p < FF_EC_PDOS; p++) {
        if (!pdos[p].maps[0]) continue;
        ff_ec_xml_begin(x, tag, !ff_ec_pdo_is_first(pdos, p) ? "" : direction == FF_EC_OUT ? " Sm=\"2\"" : " Sm=\"3\"");
        ff_ec_xml_hex(x, "Index", ff_ec_pdo_index(direction, p));
        ff_ec_xml_text(x, "Name", "", pdos[p].name ? pdos[p].name : tag);
        for (unsigned i = 0; i < ff_ec_pdo_entries(&pdos[p]); i++) put_entry(x, device, pdos[p].maps[i]);
        ff_ec_xml_end(x, tag);
    }
}

/// Bytes of all PDOs that are assigned by default.
static unsigned bytes_of(const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    unsigned bytes = 0;
    for (int p = 0; p < FF_EC_PDOS; p++)
        if (ff_ec_pdo_is_first(pdos, p)) bytes += ff_ec_pdo_bytes(&pdos[p]);
    return bytes;
}

static void put_objects(ff_ec_xml *x, const ff_ec_device *device)
{
    ff_ec_xml_text(x, "Fmmu", "", "Outputs");
    ff_ec_xml_text(x, "Fmmu", "", "Inputs");
    ff_ec_xml_text(x, "Fmmu", "", "MBoxState");
    put_sm(x, "MBoxOut", FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_OUT);
    put_sm(x, "MBoxIn", FF_EC_MAILBOX_IN, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_IN);
    put_sm(x, "Outputs", ff_ec_device_area(device, FF_EC_OUT).start, bytes_of(device, FF_EC_OUT),
           FF_EC_CONTROL_OUTPUTS);
    put_sm(x, "Inputs", ff_ec_device_area(device, FF_EC_IN).start, bytes_of(device, FF_EC_IN), FF_EC_CONTROL_INPUTS);
    put_pdos(x, device, FF_EC_OUT);
    put_pdos(x, device, FF_EC_IN);
    ff_ec_xml_begin(x, "Mailbox", " DataLinkLayer=\"1\"");
    ff_ec_xml_text(x, "CoE", " SdoInfo=\"1\" CompleteAccess=\"1\" PdoAssign=\"1\" PdoConfig=\"1\"", "");
    ff_ec_xml_end(x, "Mailbox");
}

static void put_device(ff_ec_xml *x, const ff_ec_device *device)
{
    char text[96];
    snprintf(text, sizeof text, " ProductCode=\"#x%08X\" RevisionNo=\"#x%08X\"", device->product, device->revision);
    ff_ec_xml_begin(x, "Device", " Physics=\"YY\"");
    ff_ec_xml_text(x, "Type", text, device->name);
    ff_ec_xml_text(x, "Name", " LcId=\"1033\"", device->name);
    ff_ec_xml_text(x, "GroupType", "", device->group ? device->group : "Footfall");
    ff_ec_xml_begin(x, "Profile", "");
    ff_ec_xml_number(x, "ProfileNo", device->profile & 0xFFFF);
    ff_ec_xml_end(x, "Profile");
    if (!device->passive) put_objects(x, device);
    ff_ec_xml_begin(x, "Dc", "");
    ff_ec_xml_begin(x, "OpMode", "");
    ff_ec_xml_text(x, "Name", "", "Sync0");
    ff_ec_xml_hex(x, "AssignActivate", 0x0300);
    ff_ec_xml_end(x, "OpMode");
    ff_ec_xml_end(x, "Dc");
    ff_ec_xml_begin(x, "Eeprom", "");
    ff_ec_xml_number(x, "ByteSize", FF_EC_SII_SIZE);
    snprintf(text, sizeof text, "%02X%02X%024d", FF_EC_PDI_CONTROL & 0xFF, FF_EC_PDI_CONTROL >> 8, 0);
    ff_ec_xml_text(x, "ConfigData", "", text); // the first seven words
    ff_ec_xml_end(x, "Eeprom");
    ff_ec_xml_end(x, "Device");
}

static bool is_first_of_group(const ff_ec_device *const *devices, int i)
{
    for (int k = 0; k < i; k++)
        if (devices[k]->group && devices[i]->group && !strcmp(devices[k]->group, devices[i]->group)) return false;
    return devices[i]->group;
}

char *ff_ec_esi_format(const ff_ec_device *const *devices, int count)
{
    ff_ec_xml x = {0};
    ff_ec_xml_begin(&x, "EtherCATInfo", " Version=\"1.2\"");
    ff_ec_xml_begin(&x, "Vendor", "");
    ff_ec_xml_hex(&x, "Id", count > 0 ? devices[0]->vendor : FF_EC_VENDOR);
    ff_ec_xml_text(&x, "Name", "", "Footfall");
    ff_ec_xml_end(&x, "Vendor");
    ff_ec_xml_begin(&x, "Descriptions", "");
    ff_ec_xml_begin(&x, "Groups", "");
    for (int i = 0; i < count; i++) {
        if (!is_first_of_group(devices, i)) continue;
        ff_ec_xml_begin(&x, "Group", "");
        ff_ec_xml_text(&x, "Type", "", devices[i]->group);
        ff_ec_xml_text(&x, "Name", " LcId=\"1033\"", devices[i]->group);
        ff_ec_xml_end(&x, "Group");
    }
    ff_ec_xml_end(&x, "Groups");
    ff_ec_xml_begin(&x, "Devices", "");
    for (int i = 0; i < count; i++) put_device(&x, devices[i]);
    ff_ec_xml_end(&x, "Devices");
    ff_ec_xml_end(&x, "Descriptions");
    ff_ec_xml_end(&x, "EtherCATInfo");
    return ff_ec_xml_finish(&x);
}
