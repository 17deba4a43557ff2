// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Process data: which objects are mapped (0x1600, 0x1A00) and assigned (0x1C12, 0x1C13), and the copy between the
// buffers of the sync managers and the objects.
#include "ethercat/slave.h"

// ------------------------------------------------------------------------------------------ mapping

unsigned ec_pdo_bits(const ec_pdo *pdo)
{
    unsigned bits = 0;
    for (int i = 0; i < pdo->count; i++) bits += pdo->maps[i] & 0xFF;
    return bits;
}

static ec_pdo *pdos_of(ec_slave *slave, int direction)
{
    return direction == EC_OUT ? slave->common.rx : slave->common.tx;
}

static const uint16_t first_pdo[2] = {0x1600, 0x1A00};

/// May the object be mapped, with these bits? An index of 0 is padding.
static ec_abort judge_map(ec_slave *slave, int direction, uint32_t map)
{
    ec_place place;
    const unsigned bits = map & 0xFF;
    if (map >> 8 == 0) return bits && bits <= 64 ? EC_ABORT_NONE : EC_ABORT_PARAMETER;
    if (ec_object_find(slave, (uint16_t)(map >> 16), (uint8_t)(map >> 8), &place)) return EC_ABORT_NOT_MAPPABLE;
    if (!(place.entry->access & (direction == EC_OUT ? FF_EC_RX : FF_EC_TX))) return EC_ABORT_NOT_MAPPABLE;
    return bits == ec_entry_bits(place.entry) ? EC_ABORT_NONE : EC_ABORT_PARAMETER;
}

static ec_abort judge_mapping(ec_slave *slave, const ec_place *place, uint32_t value)
{
    const int direction = place->entry->index < 0x1A00 ? EC_OUT : EC_IN;
    ec_pdo *pdo = &pdos_of(slave, direction)[place->entry->index & 0xFF];
    if (place->sub) return pdo->count ? EC_ABORT_SUB0 : judge_map(slave, direction, value);
    if (value > FF_EC_PDO_ENTRIES) return EC_ABORT_HIGH;
    ec_pdo wanted = *pdo;
    wanted.count = (uint8_t)value;
    return ec_pdo_bits(&wanted) > 8 * EC_PROCESS_MOST ? EC_ABORT_PDO_LENGTH : EC_ABORT_NONE;
}

static ec_abort judge_assignment(ec_slave *slave, const ec_place *place, uint32_t value)
{
    const int direction = place->entry->index == 0x1C12 ? EC_OUT : EC_IN;
    const ec_assignment *assigned = &slave->common.assigned[direction];
    if (place->sub) {
        ec_place pdo;
        if (assigned->count) return EC_ABORT_SUB0;
        if (value >> 8 != first_pdo[direction] >> 8) return EC_ABORT_RANGE;
        return ec_object_find(slave, (uint16_t)value, 0, &pdo) ? EC_ABORT_RANGE : EC_ABORT_NONE;
    }
    if (value > FF_EC_PDOS) return EC_ABORT_HIGH;
    unsigned bits = 0;
    for (uint32_t i = 0; i < value; i++) {
        if (!assigned->pdos[i]) return EC_ABORT_PARAMETER;
        bits += ec_pdo_bits(&pdos_of(slave, direction)[assigned->pdos[i] & 0xFF]);
    }
    return bits > 8 * EC_PROCESS_MOST ? EC_ABORT_PDO_LENGTH : EC_ABORT_NONE;
}

ec_abort ec_pdo_judge(ec_slave *slave, const ec_place *place, uint32_t value)
{
    return place->entry->index >= 0x1C00 ? judge_assignment(slave, place, value) : judge_mapping(slave, place, value);
}

static bool is_mapped(const ec_map *map, const uint8_t *field)
{
    for (int i = 0; i < map->count; i++)
        if (map->entries[i].field == field) return true;
    return false;
}

static bool add_pdo(ec_slave *slave, int direction, const ec_pdo *pdo, unsigned *bits)
{
    ec_map *map = &slave->maps[direction];
    for (int i = 0; i < pdo->count; i++) {
        const uint32_t wanted = pdo->maps[i];
        ec_place place;
        if (judge_map(slave, direction, wanted)) return false;
        if (wanted >> 8) {
            ec_object_find(slave, (uint16_t)(wanted >> 16), (uint8_t)(wanted >> 8), &place);
            if (direction == EC_OUT && is_mapped(map, place.field)) return false; // two values for one object
            map->entries[map->count++] =
                (ec_mapped){place.field, (uint16_t)*bits, (uint8_t)(wanted & 0xFF), (uint8_t)place.size};
        }
        *bits += wanted & 0xFF;
    }
    return pdo->count > 0;
}

bool ec_process_map(ec_slave *slave, int direction)
{
    const ec_assignment *assigned = &slave->common.assigned[direction];
    unsigned bits = 0;
    bool sound = true;
    slave->maps[direction].count = 0;
    for (int i = 0; i < assigned->count; i++)
        sound &= add_pdo(slave, direction, &pdos_of(slave, direction)[assigned->pdos[i] & 0xFF], &bits);
    slave->maps[direction].bytes = (bits + 7) / 8;
    return sound && bits <= 8 * EC_PROCESS_MOST;
}

bool ec_process_is_output(const ec_slave *slave, const uint8_t *field)
{
    return is_mapped(&slave->maps[EC_OUT], field);
}

// ------------------------------------------------------------------------------------------ copying

static bool is_bytewise(const ec_mapped *m)
{
    return m->bit % 8 == 0 && m->bits == 8 * m->size;
}

/// Bytes of the bus are little-endian; on machines that are, too, compilers make plain copies of these.
static void to_bus(uint8_t *to, const uint8_t *field, unsigned size)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (size) {
    case 1:
        *to = *field;
        break;
    case 2:
        memcpy(&u16, field, 2);
        ff_put_u16(to, u16);
        break;
    case 4:
        memcpy(&u32, field, 4);
        ff_put_u32(to, u32);
        break;
    default:
        memcpy(&u64, field, 8);
        ff_put_u64(to, u64);
    }
}

static void from_bus(uint8_t *field, const uint8_t *from, unsigned size)
{
    const uint16_t u16 = size >= 2 ? ff_get_u16(from) : 0;
    const uint32_t u32 = size >= 4 ? ff_get_u32(from) : 0;
    switch (size) {
    case 1:
        *field = *from;
        break;
    case 2:
        memcpy(field, &u16, 2);
        break;
    case 4:
        memcpy(field, &u32, 4);
        break;
    default: {
        const uint64_t u64 = ff_get_u64(from);
        memcpy(field, &u64, 8);
    }
    }
}

static void copy_bits(uint8_t *to, unsigned to_bit, const uint8_t *from, unsigned from_bit, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const unsigned t = to_bit + i, f = from_bit + i, value = from[f / 8] >> (f % 8) & 1U;
        to[t / 8] = (uint8_t)((to[t / 8] & ~(1U << (t % 8))) | value << (t % 8));
    }
}

void ec_process_take(ec_slave *slave, uint64_t now)
{
    const ec_map *map = &slave->maps[EC_OUT];
    if (!map->bytes) return;
    const uint8_t *from = ec_sm_outputs(&slave->esc, 2);
    for (int i = 0; i < map->count; i++) {
        const ec_mapped *m = &map->entries[i];
        if (is_bytewise(m)) {
            from_bus(m->field, from + m->bit / 8, m->size);
        } else {
            uint8_t value[8] = {0};
            copy_bits(value, 0, from, m->bit, m->bits);
            from_bus(m->field, value, m->size);
        }
    }
    slave->outputs_fresh = true;
    if (slave->behaviour.outputs) slave->behaviour.outputs(slave->station.data, now);
}

void ec_process_sample(ec_slave *slave)
{
    const ec_map *map = &slave->maps[EC_IN];
    if (!map->bytes) return;
    uint8_t *to = ec_sm_inputs(&slave->esc, 3);
    memset(to, 0, map->bytes); // padding
    for (int i = 0; i < map->count; i++) {
        const ec_mapped *m = &map->entries[i];
        if (is_bytewise(m)) {
            to_bus(to + m->bit / 8, m->field, m->size);
        } else {
            uint8_t value[8];
            to_bus(value, m->field, m->size);
            copy_bits(to, m->bit, value, 0, m->bits);
        }
    }
    ec_sm_publish(&slave->esc, 3);
}
