// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the device tables of the user and reports errors with their row; PDOs of a device table.
#include "slave/slave.h"

unsigned ff_ec_entry_bits(const ff_ec_entry *entry)
{
    switch (entry->type) {
#define BITS(name, number, bits, esi)                                                                                  \
    case number:                                                                                                       \
        return bits ? bits : 8U * entry->size;
        FF_EC_TYPES(BITS)
#undef BITS
    default:
        return 0;
    }
}

static unsigned bytes_of(const ff_ec_entry *row)
{
    const unsigned count = row->count ? row->count : 1;
    return row->type == FF_EC_TEXT ? row->size : (ff_ec_entry_bits(row) + 7) / 8 * count;
}

static const char *find_error(const ff_ec_device *device, int i)
{
    const ff_ec_entry *row = &device->entries[i], *before = i ? row - 1 : NULL;
    const unsigned end = row->sub + (row->count ? row->count : 1U);
    if (!row->name) return "the name is missing";
    if (row->index < 0x2000) return "the index is below 0x2000, in the range of communication objects";
    if (before && (before->index > row->index ||
                   (before->index == row->index && before->sub + (before->count ? before->count : 1) > row->sub)))
        return "rows must be sorted by index and subindex";
    if ((!before || before->index != row->index) && row->sub != 0)
        return "the first row of an object must have subindex 0";
    if (end > 0x100) return "subindices exceed 255";
    if (!ff_ec_entry_bits(row)) return "unknown type";
    if (row->size != bytes_of(row)) return "the size of the field is not that of the type";
    if (row->type == FF_EC_TEXT && (row->access & (FF_EC_RX | FF_EC_TX) || row->count || row->size > FF_EC_SDO_MOST))
        return "a text cannot be mapped or be an array, and has at most 1024 bytes";
    if (row->offset + (size_t)row->size > device->size) return "the field is outside of the struct of the device";
    return NULL;
}

static ff_status check_device(const ff_ec_device *device, const void *data, int number, ff_error *err)
{
    enum { COMMON = 60 }; // largest number of communication objects
    if (!device || !(data || device->passive) || !device->name || device->nentry < 0 ||
        (device->nentry && !device->entries))
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d has no device, no data, or a device without a name",
                            number + 1);
    if (device->nentry > FF_EC_OBJECTS_MOST - COMMON)
        return ff_error_set(err, FF_BAD_ARGUMENT, "device '%s' has %d rows: at most %d are supported", device->name,
                            device->nentry, FF_EC_OBJECTS_MOST - COMMON);
    if (device->passive && (device->nentry || device->rx[0].maps[0] || device->tx[0].maps[0]))
        return ff_error_set(err, FF_BAD_ARGUMENT, "device '%s' is passive and cannot have objects or PDOs",
                            device->name);
    for (int i = 0; i < device->nentry; i++) {
        const char *problem = find_error(device, i);
        if (problem)
            return ff_error_set(err, FF_BAD_ARGUMENT, "device '%s', object 0x%04X:%02X (row %d): %s", device->name,
                                device->entries[i].index, device->entries[i].sub, i, problem);
    }
    return FF_OK;
}

ff_status ff_ec_device_check(const ff_ec_station *station, int number, ff_error *err)
{
    const ff_ec_device *device = station->device;
    if (!station->nmodule) return check_device(device, station->data, number, err);
    if (!device || !station->modules || station->nmodule < 0 || station->nmodule > FF_EC_MODULES)
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d has no device, or %d modules: 1 to %d are supported",
                            number + 1, station->nmodule, FF_EC_MODULES);
    if (device->nentry || device->passive || device->rx[0].maps[0] || device->tx[0].maps[0])
        return ff_error_set(err, FF_BAD_ARGUMENT, "station %d has modules: its own device cannot have objects or PDOs",
                            number + 1);
    ff_status status = FF_OK;
    for (int i = 0; i < station->nmodule && status == FF_OK; i++)
        status = check_device(station->modules[i].device, station->modules[i].data, number, err);
    return status;
}

// ------------------------------------------------------------------------------------------ PDOs

ff_ec_area ff_ec_device_area(const ff_ec_device *device, int direction)
{
    // the areas follow those of the mailboxes; a slave with modules has larger ones
    static const ff_ec_area single[2] = {{0x1100, 0x100 / 3}, {0x1200, 0x100 / 3}};
    static const ff_ec_area modular[2] = {{0x1100, 0x300 / 3}, {0x1400, 1024}};
    return (device->nmodule ? modular : single)[direction];
}

const ff_ec_pdo *ff_ec_device_pdos(const ff_ec_device *device, int direction)
{
    return direction == FF_EC_OUT ? device->rx : device->tx;
}

bool ff_ec_pdo_completes(const ff_ec_pdo *first, const ff_ec_pdo *second)
{
    for (unsigned i = 0; i < ff_ec_pdo_entries(first); i++)
        for (unsigned k = 0; k < ff_ec_pdo_entries(second); k++)
            if (first->maps[i] >> 16 && first->maps[i] == second->maps[k]) return false;
    return second->maps[0];
}

uint16_t ff_ec_pdo_index(int direction, int pdo)
{
    const int first = direction == FF_EC_OUT ? 0x1600 : 0x1A00;
    return (uint16_t)(first + 0x10 * (pdo / FF_EC_CHOICES) + pdo % FF_EC_CHOICES);
}

int ff_ec_pdo_number(uint16_t index)
{
    const int module = index >> 4 & 0xF, choice = index & 0xF;
    return module < FF_EC_MODULES && choice < FF_EC_CHOICES ? FF_EC_CHOICES * module + choice : -1;
}

bool ff_ec_pdo_is_first(const ff_ec_pdo *pdos, int pdo)
{
    return pdo % FF_EC_CHOICES == 0 && pdos[pdo].maps[0];
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
