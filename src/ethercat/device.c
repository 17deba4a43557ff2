// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Device tables are the user's: what is wrong in one is reported with its row. And what their PDOs map.
#include "ethercat/slave.h"

static unsigned bytes_of(const ff_ec_entry *row)
{
    const unsigned count = row->count ? row->count : 1;
    return row->type == FF_EC_TEXT ? row->size : (ff_ec_entry_bits(row) + 7) / 8 * count;
}

static const char *complaint(const ff_ec_device *device, int i)
{
    const ff_ec_entry *row = &device->entries[i], *before = i ? row - 1 : NULL;
    const unsigned end = row->sub + (row->count ? row->count : 1U);
    if (!row->name) return "it has no name";
    if (row->index < 0x2000) return "its index is below 0x2000, where the objects are that every device has";
    if (before && (before->index > row->index ||
                   (before->index == row->index && before->sub + (before->count ? before->count : 1) > row->sub)))
        return "rows must be sorted by index and subindex";
    if ((!before || before->index != row->index) && row->sub != 0) return "an object begins with subindex 0";
    if (end > 0x100) return "its subindices pass 255";
    if (!ff_ec_entry_bits(row)) return "no such type";
    if (row->size != bytes_of(row)) return "the size of its field is not that of its type";
    if (row->type == FF_EC_TEXT && (row->access & (FF_EC_RX | FF_EC_TX) || row->count || row->size > FF_EC_SDO_MOST))
        return "texts are not mapped, stand alone, and have at most 1024 bytes";
    if (row->offset + (size_t)row->size > device->size) return "its field lies beyond the struct of the device";
    return NULL;
}

ff_status ff_ec_device_check(const ff_ec_station *station, int number, ff_error *err)
{
    const ff_ec_device *device = station->device;
    if (!device || !station->data || !device->name || device->nentry < 0 || (device->nentry && !device->entries))
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d has no device, no data, or a device without a name",
                            number + 1);
    if (device->nentry > FF_EC_OBJECTS_MOST - 30) // what is left are the common ones
        return ff_error_set(err, FF_BAD_ARGUMENT, "device '%s' has %d rows: at most %d are possible", device->name,
                            device->nentry, FF_EC_OBJECTS_MOST - 30);
    for (int i = 0; i < device->nentry; i++) {
        const char *wrong = complaint(device, i);
        if (wrong)
            return ff_error_set(err, FF_BAD_ARGUMENT, "device '%s', object 0x%04X:%02X (row %d): %s", device->name,
                                device->entries[i].index, device->entries[i].sub, i, wrong);
    }
    return FF_OK;
}

unsigned ff_ec_pdo_entries(const ff_ec_pdo *pdo)
{
    unsigned n = 0;
    while (n < FF_EC_PDO_ENTRIES && pdo->maps[n]) n++;
    return n;
}

const ff_ec_entry *ff_ec_device_mapped(const ff_ec_device *device, uint32_t map)
{
    const unsigned index = map >> 16, sub = map >> 8 & 0xFF;
    for (int i = 0; i < device->nentry; i++) {
        const ff_ec_entry *row = &device->entries[i];
        if (row->index == index && sub >= row->sub && sub < row->sub + (row->count ? row->count : 1U)) return row;
    }
    return NULL;
}

unsigned ff_ec_pdo_bytes(const ff_ec_pdo *pdo)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < ff_ec_pdo_entries(pdo); i++) bits += pdo->maps[i] & 0xFF;
    return (bits + 7) / 8;
}
