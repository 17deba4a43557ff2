// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Process data: mapping of objects (0x1600, 0x1A00), assignment of PDOs (0x1C12, 0x1C13), and the copy between the
// buffers of the sync managers and the objects.
#include "slave/slave.h"

// ------------------------------------------------------------------------------------------ mapping

/// Length of a PDO as objects 0x1600 and 0x1A00 define it at present.
static unsigned bits_of(const ff_ec_pdo_object *pdo)
{
    unsigned bits = 0;
    for (int i = 0; i < pdo->count; i++) bits += pdo->maps[i] & 0xFF;
    return bits;
}

static unsigned most_bits(const ff_ec_slave *slave, int direction)
{
    return 8U * ff_ec_device_area(slave->station.device, direction).most;
}

static ff_ec_pdo_object *find_pdo(ff_ec_slave *slave, uint16_t index)
{
    return &(index < 0x1A00 ? slave->common.rx : slave->common.tx)[ff_ec_pdo_number(index)];
}

/// Can the object be mapped with this length? Index 0 is padding.
static ff_ec_abort check_map(ff_ec_slave *slave, int direction, uint32_t map)
{
    ff_ec_place place;
    const unsigned bits = map & 0xFF;
    if (map >> 8 == 0) return bits && bits <= 64 ? FF_EC_ABORT_NONE : FF_EC_ABORT_PARAMETER;
    if (ff_ec_object_find(slave, (uint16_t)(map >> 16), (uint8_t)(map >> 8), &place)) return FF_EC_ABORT_NOT_MAPPABLE;
    if (!(place.entry->access & (direction == FF_EC_OUT ? FF_EC_RX : FF_EC_TX))) return FF_EC_ABORT_NOT_MAPPABLE;
    return bits == ff_ec_entry_bits(place.entry) ? FF_EC_ABORT_NONE : FF_EC_ABORT_PARAMETER;
}

static ff_ec_abort check_mapping(ff_ec_slave *slave, const ff_ec_place *place, uint32_t value)
{
    const int direction = place->entry->index < 0x1A00 ? FF_EC_OUT : FF_EC_IN;
    const ff_ec_pdo_object *pdo = find_pdo(slave, place->entry->index);
    if (place->sub) return pdo->count ? FF_EC_ABORT_SUB0 : check_map(slave, direction, value);
    if (value > FF_EC_PDO_ENTRIES) return FF_EC_ABORT_HIGH;
    ff_ec_pdo_object requested = *pdo;
    requested.count = (uint8_t)value;
    return bits_of(&requested) > most_bits(slave, direction) ? FF_EC_ABORT_PDO_LENGTH : FF_EC_ABORT_NONE;
}

static ff_ec_abort check_assignment(ff_ec_slave *slave, const ff_ec_place *place, uint32_t value)
{
    const int direction = place->entry->index == 0x1C12 ? FF_EC_OUT : FF_EC_IN;
    const ff_ec_assignment *assigned = &slave->common.assigned[direction];
    if (place->sub) {
        ff_ec_place pdo;
        if (assigned->count) return FF_EC_ABORT_SUB0;
        if (value >> 8 != (direction == FF_EC_OUT ? 0x16 : 0x1A)) return FF_EC_ABORT_RANGE;
        return ff_ec_object_find(slave, (uint16_t)value, 0, &pdo) ? FF_EC_ABORT_RANGE : FF_EC_ABORT_NONE;
    }
    if (value > (unsigned)(FF_EC_CHOICES * slave->nmodule)) return FF_EC_ABORT_HIGH;
    unsigned bits = 0;
    for (uint32_t i = 0; i < value; i++) {
        if (!assigned->pdos[i]) return FF_EC_ABORT_PARAMETER;
        bits += bits_of(find_pdo(slave, assigned->pdos[i]));
    }
    return bits > most_bits(slave, direction) ? FF_EC_ABORT_PDO_LENGTH : FF_EC_ABORT_NONE;
}

ff_ec_abort ff_ec_pdo_check(ff_ec_slave *slave, const ff_ec_place *place, uint32_t value)
{
    return place->entry->index >= 0x1C00 ? check_assignment(slave, place, value) : check_mapping(slave, place, value);
}

static bool is_mapped(const ff_ec_map *map, const uint8_t *field)
{
    for (int i = 0; i < map->count; i++)
        if (map->entries[i].field == field) return true;
    return false;
}

static bool add_pdo(ff_ec_slave *slave, int direction, const ff_ec_pdo_object *pdo, unsigned *bits)
{
    ff_ec_map *map = &slave->maps[direction];
    for (int i = 0; i < pdo->count; i++) {
        const uint32_t requested = pdo->maps[i];
        ff_ec_place place;
        if (check_map(slave, direction, requested)) return false;
        if (requested >> 8) {
            ff_ec_object_find(slave, (uint16_t)(requested >> 16), (uint8_t)(requested >> 8), &place);
            if (direction == FF_EC_OUT && is_mapped(map, place.field)) return false; // an object would get two values
            map->entries[map->count++] =
                (ff_ec_mapped){place.field, (uint16_t)*bits, (uint8_t)(requested & 0xFF), (uint8_t)place.size};
        }
        *bits += requested & 0xFF;
    }
    return pdo->count > 0;
}

bool ff_ec_process_map(ff_ec_slave *slave, int direction)
{
    const ff_ec_assignment *assigned = &slave->common.assigned[direction];
    unsigned bits = 0;
    bool valid = true;
    slave->maps[direction].count = 0;
    for (int i = 0; i < assigned->count; i++)
        valid &= add_pdo(slave, direction, find_pdo(slave, assigned->pdos[i]), &bits);
    slave->maps[direction].bytes = (bits + 7) / 8;
    return valid && bits <= most_bits(slave, direction);
}

bool ff_ec_process_is_output(const ff_ec_slave *slave, const uint8_t *field)
{
    return is_mapped(&slave->maps[FF_EC_OUT], field);
}

// ------------------------------------------------------------------------------------------ copying

static bool is_bytewise(const ff_ec_mapped *m)
{
    return m->bit % 8 == 0 && m->bits == 8 * m->size;
}

void ff_ec_copy_bits(uint8_t *to, unsigned to_bit, const uint8_t *from, unsigned from_bit, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const unsigned t = to_bit + i, f = from_bit + i, value = from[f / 8] >> (f % 8) & 1U;
        to[t / 8] = (uint8_t)((to[t / 8] & ~(1U << (t % 8))) | value << (t % 8));
    }
}

void ff_ec_process_apply_outputs(ff_ec_slave *slave, uint64_t now)
{
    const ff_ec_map *map = &slave->maps[FF_EC_OUT];
    if (!map->bytes) return;
    const uint8_t *from = ff_ec_sm_outputs(&slave->esc, 2);
    for (int i = 0; i < map->count; i++) {
        const ff_ec_mapped *m = &map->entries[i];
        if (is_bytewise(m)) {
            ff_get_field(m->field, from + m->bit / 8, m->size);
        } else {
            uint8_t value[8] = {0};
            ff_ec_copy_bits(value, 0, from, m->bit, m->bits);
            ff_get_field(m->field, value, m->size);
        }
    }
    slave->outputs_fresh = true;
    ff_ec_modules_outputs(slave, now);
}

void ff_ec_process_sample_inputs(ff_ec_slave *slave)
{
    const ff_ec_map *map = &slave->maps[FF_EC_IN];
    if (!map->bytes) return;
    uint8_t *to = ff_ec_sm_inputs(&slave->esc, 3);
    memset(to, 0, map->bytes); // padding
    for (int i = 0; i < map->count; i++) {
        const ff_ec_mapped *m = &map->entries[i];
        if (is_bytewise(m)) {
            ff_put_field(to + m->bit / 8, m->field, m->size);
        } else {
            uint8_t value[8];
            ff_put_field(value, m->field, m->size);
            ff_ec_copy_bits(to, m->bit, value, 0, m->bits);
        }
    }
    ff_ec_sm_publish(&slave->esc, 3);
}
