// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The slave information interface (SII): the EEPROM image made from the device table, and the registers by which a
// master reads and writes it. Layout by ETG.2010; word addresses.
#include "slave/slave.h"

enum { STRINGS_MOST = 64 };

/// CRC-8, polynomial x^8 + x^2 + x + 1, start 0xFF, of the first seven words.
static uint8_t checksum(const uint8_t *bytes)
{
    unsigned crc = 0xFF;
    for (int i = 0; i < 2 * FF_SII_CHECKSUM; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1 ^ 0x07) & 0xFF : crc << 1;
    }
    return (uint8_t)crc;
}

// ------------------------------------------------------------------------------------------ registers

static uint16_t execute(ff_ec_esc *esc, uint16_t control)
{
    const uint32_t word = ff_ec_reg32(esc, FF_EC_REG_SII_ADDRESS);
    uint8_t *data = esc->memory + FF_EC_REG_SII_DATA;
    switch (control & 0x0700) {
    case 0:
        return 0; // clears errors
    case FF_EC_SII_READ:
        if (word >= FF_EC_SII_SIZE / 2) return FF_EC_SII_COMMAND_ERROR;
        for (unsigned i = 0; i < 8; i++) data[i] = 2 * word + i < FF_EC_SII_SIZE ? esc->sii[2 * word + i] : 0xFF;
        return 0;
    case FF_EC_SII_WRITE:
        if (!(control & FF_EC_SII_WRITE_ENABLE)) return FF_EC_SII_ENABLE_ERROR;
        if (word >= FF_EC_SII_SIZE / 2) return FF_EC_SII_COMMAND_ERROR;
        memcpy(esc->sii + 2 * word, data, 2);
        return 0;
    case FF_EC_SII_RELOAD:
        ff_ec_sii_load(esc);
        return ff_ec_reg16(esc, FF_EC_REG_SII_CONTROL) & FF_EC_SII_CHECKSUM_ERROR;
    default:
        return FF_EC_SII_COMMAND_ERROR;
    }
}

/// A write to the control register. The command finishes at once, so that the busy flag is never set.
void ff_ec_sii_command(ff_ec_esc *esc)
{
    const uint16_t control = ff_ec_reg16(esc, FF_EC_REG_SII_CONTROL);
    const bool foreign = esc->memory[FF_EC_REG_SII_OWNER] & 1; // the application owns the EEPROM
    const uint16_t errors = foreign && (control & 0x0700) ? FF_EC_SII_COMMAND_ERROR : execute(esc, control);
    ff_put_u16(esc->memory + FF_EC_REG_SII_CONTROL, (uint16_t)(FF_EC_SII_READS_8 | errors));
}

/// Loads the registers that the controller reads from the EEPROM at power-on.
void ff_ec_sii_load(ff_ec_esc *esc)
{
    const bool valid = checksum(esc->sii) == esc->sii[2 * FF_SII_CHECKSUM];
    const uint16_t control = ff_ec_reg16(esc, FF_EC_REG_SII_CONTROL) & (uint16_t)~FF_EC_SII_CHECKSUM_ERROR;
    ff_put_u16(esc->memory + FF_EC_REG_SII_CONTROL, (uint16_t)(control | (valid ? 0 : FF_EC_SII_CHECKSUM_ERROR)));
    if (!valid) return;
    memcpy(esc->memory + FF_EC_REG_ALIAS, esc->sii + 2 * FF_SII_ALIAS, 2);
    memcpy(esc->memory + FF_EC_REG_PDI, esc->sii, 2);
}

// ------------------------------------------------------------------------------------------ image

typedef struct image {
    uint8_t *bytes;
    unsigned at; // end of the written bytes; beyond the image nothing is written
    const char *strings[STRINGS_MOST];
    unsigned nstring;
    unsigned category; // offset of the size of the present category
} image;

static void append_number(image *to, uint64_t value, int size)
{
    if (to->at + (unsigned)size <= FF_EC_SII_SIZE) ff_put(to->bytes + to->at, value, size);
    to->at += (unsigned)size;
}

/// Index of a string, from 1 on; 0: none.
static unsigned string(image *to, const char *text)
{
    if (!text) return 0;
    for (unsigned i = 0; i < to->nstring; i++)
        if (!strcmp(to->strings[i], text)) return i + 1;
    if (to->nstring == STRINGS_MOST) return 0;
    to->strings[to->nstring++] = text;
    return to->nstring;
}

static void begin_category(image *to, unsigned type)
{
    append_number(to, type, 2);
    to->category = to->at;
    append_number(to, 0, 2);
}

static void end_category(image *to)
{
    if (to->at % 2) append_number(to, 0, 1);
    if (to->at <= FF_EC_SII_SIZE) ff_put_u16(to->bytes + to->category, (uint16_t)((to->at - to->category - 2) / 2));
}

static const char *entry_name(const ff_ec_device *device, uint32_t map)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(device, map);
    return entry ? entry->name : NULL;
}

static unsigned entry_type(const ff_ec_device *device, uint32_t map)
{
    const ff_ec_entry *entry = ff_ec_device_mapped(device, map);
    return entry ? entry->type : 0;
}

/// The first string is the name that masters show.
static const char *shown_name(const ff_ec_station *station)
{
    return station->name ? station->name : station->device->name;
}

static void collect_strings(image *to, const ff_ec_station *station)
{
    const ff_ec_device *device = station->device;
    string(to, shown_name(station));
    string(to, device->name);
    string(to, device->group);
    for (int p = 0; p < FF_EC_PDOS; p++) {
        const ff_ec_pdo *both[2] = {&device->rx[p], &device->tx[p]};
        for (int d = 0; d < 2; d++) {
            string(to, both[d]->name);
            for (unsigned i = 0; i < ff_ec_pdo_entries(both[d]); i++) string(to, entry_name(device, both[d]->maps[i]));
        }
    }
}

static void put_strings(image *to)
{
    begin_category(to, FF_SII_STRINGS);
    append_number(to, to->nstring, 1);
    for (unsigned i = 0; i < to->nstring; i++) {
        const size_t length = strnlen(to->strings[i], 255); // its length has one byte
        append_number(to, length, 1);
        for (size_t k = 0; k < length; k++) append_number(to, (uint8_t)to->strings[i][k], 1);
    }
    end_category(to);
}

static void put_general(image *to, const ff_ec_station *station)
{
    enum { SDO = 1, SDO_INFO = 2, ASSIGN = 4, CONFIG = 8, COMPLETE = 0x20 };
    const uint8_t name = (uint8_t)string(to, shown_name(station)), order = (uint8_t)string(to, station->device->name);
    const uint8_t group = (uint8_t)string(to, station->device->group);
    const uint8_t objects = station->device->passive ? 0 : SDO | SDO_INFO | ASSIGN | CONFIG | COMPLETE;
    uint8_t general[32] = {group, 0, order, name, 0, objects};
    general[16] = 0x11; // ports 0 and 1: MII
    begin_category(to, FF_SII_GENERAL);
    for (int i = 0; i < 32; i++) append_number(to, general[i], 1);
    end_category(to);
}

static void put_fmmus(image *to)
{
    static const uint8_t uses[] = {1, 2, 3, 0xFF}; // outputs, inputs, state of the mailbox
    begin_category(to, FF_SII_FMMUS);
    for (int i = 0; i < 4; i++) append_number(to, uses[i], 1);
    end_category(to);
}

static void put_sms(image *to, const ff_ec_slave *slave)
{
    const unsigned out = slave->maps[FF_EC_OUT].bytes, in = slave->maps[FF_EC_IN].bytes;
    const ff_ec_device *device = slave->station.device;
    const unsigned rows[4][5] = {{FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_OUT, 1, 1},
                                 {FF_EC_MAILBOX_IN, FF_EC_MAILBOX_SIZE, FF_EC_CONTROL_MAILBOX_IN, 1, 2},
                                 {ff_ec_device_area(device, FF_EC_OUT).start, out, FF_EC_CONTROL_OUTPUTS, out > 0, 3},
                                 {ff_ec_device_area(device, FF_EC_IN).start, in, FF_EC_CONTROL_INPUTS, in > 0, 4}};
    begin_category(to, FF_SII_SYNC_MANAGERS);
    for (int i = 0; i < 4; i++) {
        append_number(to, rows[i][0], 2);
        append_number(to, rows[i][1], 2);
        append_number(to, rows[i][2], 1);
        append_number(to, 0, 1);
        append_number(to, rows[i][3], 1);
        append_number(to, rows[i][4], 1);
    }
    end_category(to);
}

static bool has_pdos(const ff_ec_pdo *pdos)
{
    for (int p = 0; p < FF_EC_PDOS; p++)
        if (pdos[p].maps[0]) return true;
    return false;
}

static void put_pdos(image *to, const ff_ec_device *device, int direction)
{
    const ff_ec_pdo *pdos = ff_ec_device_pdos(device, direction);
    if (!has_pdos(pdos)) return;
    begin_category(to, direction == FF_EC_OUT ? FF_SII_OUTPUTS : FF_SII_INPUTS);
    for (int p = 0; p < FF_EC_PDOS; p++) {
        const unsigned n = ff_ec_pdo_entries(&pdos[p]);
        if (!n) continue;
        append_number(to, ff_ec_pdo_index(direction, p), 2);
        append_number(to, n, 1);
        append_number(to, ff_ec_pdo_is_first(pdos, p) ? (direction == FF_EC_OUT ? 2 : 3) : 0xFF, 1);
        append_number(to, 0, 1);
        append_number(to, string(to, pdos[p].name), 1);
        append_number(to, 0, 2);
        for (unsigned i = 0; i < n; i++) {
            const uint32_t map = pdos[p].maps[i];
            append_number(to, map >> 16, 2);
            append_number(to, map >> 8 & 0xFF, 1);
            append_number(to, string(to, entry_name(device, map)), 1);
            append_number(to, entry_type(device, map), 1);
            append_number(to, map & 0xFF, 1);
            append_number(to, 0, 2);
        }
    }
    end_category(to);
}

static void put_clocks(image *to)
{
    uint8_t clocks[24] = {0};
    ff_put_u16(clocks + 14, 0x0300); // AssignActivate: Sync0
    begin_category(to, FF_SII_CLOCKS);
    for (int i = 0; i < 24; i++) append_number(to, clocks[i], 1);
    end_category(to);
}

bool ff_ec_sii_build(ff_ec_slave *slave)
{
    const ff_ec_station *station = &slave->station;
    image to = {.bytes = slave->sii};
    uint8_t *bytes = slave->sii;
    memset(bytes, 0, 2 * FF_SII_CATEGORIES);
    memset(bytes + 2 * FF_SII_CATEGORIES, 0xFF, FF_EC_SII_SIZE - 2 * FF_SII_CATEGORIES);
    ff_put_u16(bytes, FF_EC_PDI_CONTROL);
    ff_put_u16(bytes + 2 * FF_SII_ALIAS, station->alias);
    bytes[2 * FF_SII_CHECKSUM] = checksum(bytes);
    const uint32_t identity[4] = {slave->vendor, station->device->product, slave->revision, station->serial};
    for (int i = 0; i < 4; i++) ff_put_u32(bytes + 2 * FF_SII_VENDOR + 4 * i, identity[i]);
    const uint16_t mailbox[5] = {FF_EC_MAILBOX_OUT, FF_EC_MAILBOX_SIZE, FF_EC_MAILBOX_IN, FF_EC_MAILBOX_SIZE,
                                 FF_SII_COE};
    for (int i = 0; i < 5 && !station->device->passive; i++) ff_put_u16(bytes + 2 * (FF_SII_MAILBOX + i), mailbox[i]);
    ff_put_u16(bytes + 2 * FF_SII_SIZE, FF_EC_SII_SIZE / 128 - 1); // KiBit
    ff_put_u16(bytes + 2 * FF_SII_SIZE + 2, 1);                    // version

    to.at = 2 * FF_SII_CATEGORIES;
    collect_strings(&to, station);
    put_strings(&to);
    put_general(&to, station);
    if (!station->device->passive) {
        put_fmmus(&to);
        put_sms(&to, slave);
    }
    put_pdos(&to, station->device, FF_EC_IN);
    put_pdos(&to, station->device, FF_EC_OUT);
    put_clocks(&to);
    append_number(&to, 0xFFFF, 2);
    return to.at <= FF_EC_SII_SIZE;
}
