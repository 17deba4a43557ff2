// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The object dictionary: the communication objects of every device (below), followed by those of its table. Values are
// stored as C numbers, and are little-endian on the bus.
#include "slave/slave.h"

#define COMMON(field) FF_EC_FIELD(ff_ec_common, field)
#define RW_PREOP      (FF_EC_READ | FF_EC_WRITE_PREOP)

#define MAPPING(index, list, n, text)                                                                                  \
    {index, 0, FF_EC_U8, RW_PREOP, 0, COMMON(list[n].count), text, 0, 0, 0},                                           \
    {                                                                                                                  \
        index, 1, FF_EC_U32, RW_PREOP, FF_EC_PDO_ENTRIES, COMMON(list[n].maps), "Mapped object", 0, 0, 0               \
    }
#define EACH_MODULE(X) X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)
#define MODULE_OUTPUTS(n)                                                                                              \
    MAPPING(0x1600 + 0x10 * (n), rx, FF_EC_CHOICES * (n), "Outputs"),                                                  \
        MAPPING(0x1601 + 0x10 * (n), rx, FF_EC_CHOICES * (n) + 1, "Outputs, alternative")
#define MODULE_INPUTS(n)                                                                                               \
    MAPPING(0x1A00 + 0x10 * (n), tx, FF_EC_CHOICES * (n), "Inputs"),                                                   \
        MAPPING(0x1A01 + 0x10 * (n), tx, FF_EC_CHOICES * (n) + 1, "Inputs, alternative")
#define ASSIGNMENT(index, n, text)                                                                                     \
    {index, 0, FF_EC_U8, RW_PREOP, 0, COMMON(assigned[n].count), text, 0, 0, 0},                                       \
    {                                                                                                                  \
        index, 1, FF_EC_U16, RW_PREOP, FF_EC_PDOS, COMMON(assigned[n].pdos), "PDO", 0, 0, 0                            \
    }
#define SYNCHRONISATION(index, n, text)                                                                                \
    {index, 0, FF_EC_U8, FF_EC_READ, 0, COMMON(sync[n].count), text, 0x20, 0, 0},                                      \
        {index, 1, FF_EC_U16, FF_EC_RW, 0, COMMON(sync[n].mode), "Mode", 0, 0, 0x22},                                  \
        {index, 2, FF_EC_U32, FF_EC_RW, 0, COMMON(sync[n].cycle), "Cycle time", 0, 0, 0},                              \
        {index, 3, FF_EC_U32, FF_EC_RW, 0, COMMON(sync[n].shift), "Shift time", 0, 0, 0},                              \
        {index, 4, FF_EC_U16, FF_EC_READ, 0, COMMON(sync[n].modes), "Supported modes", 7, 0, 0},                       \
        {index, 5, FF_EC_U32, FF_EC_READ, 0, COMMON(sync[n].least_cycle), "Minimum cycle time", 62500, 0, 0},          \
        {index, 6, FF_EC_U32, FF_EC_READ, 0, COMMON(sync[n].copy_time), "Calculation and copy time", 0, 0, 0},         \
        {index, 9, FF_EC_U32, FF_EC_READ, 0, COMMON(sync[n].delay), "Delay time", 0, 0, 0},                            \
        {index, 0x0B, FF_EC_U16, FF_EC_READ, 0, COMMON(sync[n].missed), "Events missed", 0, 0, 0},                     \
        {index, 0x0C, FF_EC_U16, FF_EC_READ, 0, COMMON(sync[n].too_small), "Cycle time too small", 0, 0, 0},           \
    {                                                                                                                  \
        index, 0x20, FF_EC_BOOL, FF_EC_READ, 0, COMMON(sync[n].error), "Sync error", 0, 0, 0                           \
    }

static const ff_ec_entry common[] = {
    {0x1000, 0, FF_EC_U32, FF_EC_READ, 0, COMMON(profile), "Device type", 0, 0, 0},
    {0x1001, 0, FF_EC_U8, FF_EC_READ, 0, COMMON(error), "Error register", 0, 0, 0},
    {0x1008, 0, FF_EC_TEXT, FF_EC_READ, 0, COMMON(name), "Device name", 0, 0, 0},
    {0x1009, 0, FF_EC_TEXT, FF_EC_READ, 0, COMMON(hardware), "Hardware version", 0, 0, 0},
    {0x100A, 0, FF_EC_TEXT, FF_EC_READ, 0, COMMON(software), "Software version", 0, 0, 0},
    {0x1018, 0, FF_EC_U8, FF_EC_READ, 0, COMMON(identity_count), "Identity", 4, 0, 0},
    {0x1018, 1, FF_EC_U32, FF_EC_READ, 0, COMMON(identity[0]), "Vendor", 0, 0, 0},
    {0x1018, 2, FF_EC_U32, FF_EC_READ, 0, COMMON(identity[1]), "Product code", 0, 0, 0},
    {0x1018, 3, FF_EC_U32, FF_EC_READ, 0, COMMON(identity[2]), "Revision", 0, 0, 0},
    {0x1018, 4, FF_EC_U32, FF_EC_READ, 0, COMMON(identity[3]), "Serial number", 0, 0, 0},
    EACH_MODULE(MODULE_OUTPUTS),
    EACH_MODULE(MODULE_INPUTS),
    {0x1C00, 0, FF_EC_U8, FF_EC_READ, 0, COMMON(sm_count), "Sync manager types", 4, 0, 0},
    {0x1C00, 1, FF_EC_U8, FF_EC_READ, 4, COMMON(sm_types), "Type", 0, 0, 0},
    ASSIGNMENT(0x1C12, FF_EC_OUT, "Assigned outputs"),
    ASSIGNMENT(0x1C13, FF_EC_IN, "Assigned inputs"),
    SYNCHRONISATION(0x1C32, FF_EC_OUT, "Synchronisation of outputs"),
    SYNCHRONISATION(0x1C33, FF_EC_IN, "Synchronisation of inputs"),
};
enum { NCOMMON = sizeof common / sizeof *common };

// ------------------------------------------------------------------------------------------ lookup

static bool is_common(const ff_ec_entry *row)
{
    return row >= common && row < common + NCOMMON;
}

/// Does the slave have this object? Objects of PDOs exist only if its device has the PDO.
static bool is_present(const ff_ec_slave *slave, const ff_ec_entry *row)
{
    const ff_ec_device *device = slave->station.device;
    if (row->index >> 8 == 0x16) return device->rx[ff_ec_pdo_number(row->index)].maps[0];
    if (row->index >> 8 == 0x1A) return device->tx[ff_ec_pdo_number(row->index)].maps[0];
    return true;
}

const ff_ec_entry *ff_ec_object_next(const ff_ec_slave *slave, const ff_ec_entry *row)
{
    const ff_ec_device *device = slave->station.device;
    if (!row || is_common(row)) {
        for (row = row ? row + 1 : common; row < common + NCOMMON; row++)
            if (is_present(slave, row)) return row;
        return device->nentry ? device->entries : NULL;
    }
    return ++row < device->entries + device->nentry ? row : NULL;
}

static unsigned entry_count(const ff_ec_entry *row)
{
    return row->count ? row->count : 1;
}

static ff_ec_place place_of(ff_ec_slave *slave, const ff_ec_entry *row, uint8_t sub)
{
    uint8_t *base = is_common(row) ? (uint8_t *)&slave->common : ff_ec_modules_base(slave, row);
    const unsigned size = row->size / entry_count(row);
    return (ff_ec_place){row, sub, base + row->offset + size * (unsigned)(sub - row->sub), size};
}

ff_ec_abort ff_ec_object_find(ff_ec_slave *slave, uint16_t index, uint8_t sub, ff_ec_place *place)
{
    ff_ec_abort abort_code = FF_EC_ABORT_NO_OBJECT;
    for (const ff_ec_entry *row = ff_ec_object_next(slave, NULL); row; row = ff_ec_object_next(slave, row)) {
        if (row->index != index) continue;
        abort_code = FF_EC_ABORT_NO_SUB;
        if (sub < row->sub || sub >= row->sub + entry_count(row)) continue;
        *place = place_of(slave, row, sub);
        return FF_EC_ABORT_NONE;
    }
    return abort_code;
}

uint8_t ff_ec_object_last_sub(ff_ec_slave *slave, uint16_t index)
{
    ff_ec_place place;
    return ff_ec_object_find(slave, index, 0, &place) ? 0 : *place.field;
}

static bool is_pdo(uint16_t index)
{
    return index >> 8 == 0x16 || index >> 8 == 0x1A || index == 0x1C12 || index == 0x1C13;
}

// ------------------------------------------------------------------------------------------ values

unsigned ff_ec_value_read(const ff_ec_place *place, uint8_t *to)
{
    if (place->entry->type == FF_EC_TEXT) {
        const char *end = memchr(place->field, 0, place->size);
        const unsigned length = end ? (unsigned)(end - (const char *)place->field) : place->size;
        memcpy(to, place->field, length);
        return length;
    }
    ff_put(to, ff_load(place->field, place->size), (int)place->size);
    return place->size;
}

/// The value with its sign; a REAL32 as its bit pattern.
static int64_t signed_value(const ff_ec_entry *entry, uint64_t value)
{
    switch (entry->type) {
    case FF_EC_I8:
        return (int8_t)value;
    case FF_EC_I16:
        return (int16_t)value;
    case FF_EC_I32:
        return (int32_t)value;
    default:
        return (int64_t)value;
    }
}

static ff_ec_abort check_access(const ff_ec_slave *slave, const ff_ec_place *place)
{
    const uint8_t access = place->entry->access;
    const unsigned state_bit = slave->state == FF_EC_PREOP ? 0x08 : slave->state == FF_EC_SAFEOP ? 0x10 : 0x20;
    if (!(access & FF_EC_WRITE)) return FF_EC_ABORT_READ_ONLY;
    if (!(access & state_bit)) return FF_EC_ABORT_STATE;
    return slave->state == FF_EC_OP && ff_ec_process_is_output(slave, place->field) ? FF_EC_ABORT_MAPPED
                                                                                    : FF_EC_ABORT_NONE;
}

static ff_ec_abort check_range(const ff_ec_entry *entry, int64_t value)
{
    if (entry->low == 0 && entry->high == 0) return FF_EC_ABORT_NONE;
    return value > entry->high ? FF_EC_ABORT_HIGH : value < entry->low ? FF_EC_ABORT_LOW : FF_EC_ABORT_NONE;
}

static ff_ec_abort write_text(const ff_ec_place *place, const uint8_t *from, unsigned size)
{
    if (size > place->size) return FF_EC_ABORT_TOO_LONG;
    memset(place->field, 0, place->size);
    memcpy(place->field, from, size);
    return FF_EC_ABORT_NONE;
}

ff_ec_abort ff_ec_value_write(ff_ec_slave *slave, const ff_ec_place *place, const uint8_t *from, unsigned size)
{
    ff_ec_abort abort_code = check_access(slave, place);
    if (abort_code) return abort_code;
    if (place->entry->type == FF_EC_TEXT) return write_text(place, from, size);
    if (size != place->size) return size > place->size ? FF_EC_ABORT_TOO_LONG : FF_EC_ABORT_TOO_SHORT;
    const uint64_t value = ff_get(from, (int)size);
    abort_code = check_range(place->entry, signed_value(place->entry, value));
    if (!abort_code && is_pdo(place->entry->index)) abort_code = ff_ec_pdo_check(slave, place, (uint32_t)value);
    if (!abort_code) abort_code = ff_ec_modules_check(slave, place, signed_value(place->entry, value));
    if (!abort_code) ff_store(place->field, place->size, value);
    return abort_code;
}

// ------------------------------------------------------------------------------------------ presets

static void put_pdos(ff_ec_common *c, const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    ff_ec_assignment *assigned = &c->assigned[direction];
    for (int p = 0; p < FF_EC_PDOS; p++) {
        ff_ec_pdo_object *to = direction == FF_EC_OUT ? &c->rx[p] : &c->tx[p];
        to->count = (uint8_t)ff_ec_pdo_entries(&pdos[p]);
        memcpy(to->maps, pdos[p].maps, sizeof to->maps);
        if (ff_ec_pdo_is_first(pdos, p)) assigned->pdos[assigned->count++] = ff_ec_pdo_index(direction, p);
    }
}

static void put_text(char *to, size_t size, const char *text)
{
    for (size_t i = 0; i + 1 < size && text[i]; i++) to[i] = text[i];
}

void ff_ec_object_presets(ff_ec_slave *slave)
{
    const ff_ec_station *station = &slave->station;
    const ff_ec_device *device = station->device;
    ff_ec_common *c = &slave->common;
    memset(c, 0, sizeof *c);
    for (const ff_ec_entry *row = ff_ec_object_next(slave, NULL); row; row = ff_ec_object_next(slave, row))
        for (unsigned i = 0; i < entry_count(row) && row->type != FF_EC_TEXT; i++) {
            const ff_ec_place place = place_of(slave, row, (uint8_t)(row->sub + i));
            ff_store(place.field, place.size, (uint64_t)row->preset);
        }
    c->profile = device->profile;
    put_text(c->name, sizeof c->name, device->name);
    put_text(c->hardware, sizeof c->hardware, device->hardware ? device->hardware : "1");
    put_text(c->software, sizeof c->software, device->software ? device->software : "1");
    const uint32_t identity[4] = {slave->vendor, device->product, slave->revision, station->serial};
    memcpy(c->identity, identity, sizeof identity);
    for (uint8_t i = 0; i < 4; i++) c->sm_types[i] = (uint8_t)(i + 1);
    put_pdos(c, device, FF_EC_OUT);
    put_pdos(c, device, FF_EC_IN);
}
