// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The SDO information service: lists and descriptions of objects. Masters use it whether the EEPROM announces it or
// not. ETG.1000.6, 5.6.3.
#include "slave/slave.h"

enum {
    AT_LEFT = 10, // remaining fragments
    DATA_MOST = FF_EC_MAILBOX_SIZE - FF_EC_AT_DATA,
    LIST = 1,
    OBJECT = 3,
    ENTRY = 5,
    ERROR = 7,
    MORE = 0x80,
    VAR = 7,
    ARRAY = 8,
    RECORD = 9,
};

static uint8_t *begin(ff_ec_slave *slave, unsigned opcode, unsigned left)
{
    uint8_t *answer = ff_ec_mailbox_begin(slave);
    ff_put_u16(answer + FF_EC_AT_SERVICE, FF_EC_COE_INFORMATION << 12);
    answer[FF_EC_AT_COMMAND] = (uint8_t)(opcode | (left ? MORE : 0));
    ff_put_u16(answer + AT_LEFT, (uint16_t)left);
    return answer;
}

/// @param end  beyond the last byte
static void send(ff_ec_slave *slave, const uint8_t *answer, const uint8_t *end)
{
    ff_ec_mailbox_send(slave, (unsigned)(end - answer) - FF_EC_MAILBOX_HEAD, FF_EC_MAILBOX_COE);
}

static void refuse(ff_ec_slave *slave, ff_ec_abort why)
{
    uint8_t *answer = begin(slave, ERROR, 0);
    ff_put_u32(answer + FF_EC_AT_DATA, (uint32_t)why);
    send(slave, answer, answer + FF_EC_AT_DATA + 4);
}

// ------------------------------------------------------------------------------------------ lists

/// Number of an object list: all, RxPDO-mappable, TxPDO-mappable, stored for replacement, startup parameters.
static bool belongs(ff_ec_slave *slave, const ff_ec_entry *first, unsigned kind)
{
    static const uint8_t access[6] = {0, 0xFF, FF_EC_RX, FF_EC_TX, 0, 0};
    for (const ff_ec_entry *row = first; row && row->index == first->index; row = ff_ec_object_next(slave, row))
        if (row->access & access[kind]) return true;
    return false;
}

/// Writes the indices of a list, and counts them. @param to  NULL: only counts
static unsigned list_objects(ff_ec_slave *slave, unsigned kind, uint8_t *to)
{
    unsigned n = 0;
    const ff_ec_entry *before = NULL;
    for (const ff_ec_entry *row = ff_ec_object_next(slave, NULL); row; row = ff_ec_object_next(slave, row)) {
        if ((!before || before->index != row->index) && belongs(slave, row, kind)) {
            if (to) ff_put_u16(to + 2 * n, row->index);
            n++;
        }
        before = row;
    }
    return n;
}

static void send_list(ff_ec_slave *slave, const uint8_t *request)
{
    uint8_t bytes[2 + 2 * FF_EC_OBJECTS_MOST]; // the kind, then the indices
    const unsigned kind = ff_get_u16(request + FF_EC_AT_DATA);
    unsigned size = 2;
    if (kind > 5) {
        refuse(slave, FF_EC_ABORT_RANGE);
        return;
    }
    ff_put_u16(bytes, (uint16_t)kind);
    if (kind == 0)
        for (unsigned k = 1; k <= 5; k++, size += 2) ff_put_u16(bytes + size, (uint16_t)list_objects(slave, k, NULL));
    else
        size += 2 * list_objects(slave, kind, bytes + 2);
    unsigned left = (size - 1) / DATA_MOST;
    for (unsigned at = 0; at < size; at += DATA_MOST, left--) {
        const unsigned n = size - at < DATA_MOST ? size - at : DATA_MOST;
        uint8_t *answer = begin(slave, LIST + 1, left);
        memcpy(answer + FF_EC_AT_DATA, bytes + at, n);
        send(slave, answer, answer + FF_EC_AT_DATA + n);
    }
}

// ------------------------------------------------------------------------------------------ descriptions

static uint8_t *put_name(uint8_t *to, const uint8_t *answer, const char *name)
{
    size_t length = strlen(name), most = (size_t)(answer + FF_EC_MAILBOX_SIZE - to);
    if (length > most) length = most;
    memcpy(to, name, length);
    return to + length;
}

/// An object whose entries behind subindex 0 have one type is an array. If rows of another type follow a row of several
/// entries, as in the object of a gateway, it is a record.
static bool is_array(ff_ec_slave *slave, const ff_ec_entry *first)
{
    const ff_ec_entry *next = ff_ec_object_next(slave, first);
    return first->count > 1 && (!next || next->index != first->index);
}

static void send_object(ff_ec_slave *slave, const uint8_t *request)
{
    const uint16_t index = ff_get_u16(request + FF_EC_AT_DATA);
    ff_ec_place object, second;
    const ff_ec_abort why = ff_ec_object_find(slave, index, 0, &object);
    if (why) {
        refuse(slave, why);
        return;
    }
    const bool many = !ff_ec_object_find(slave, index, 1, &second), array = many && is_array(slave, second.entry);
    uint8_t *answer = begin(slave, OBJECT + 1, 0);
    ff_put_u16(answer + FF_EC_AT_DATA, index);
    ff_put_u16(answer + FF_EC_AT_DATA + 2, array ? second.entry->type : many ? 0 : object.entry->type);
    answer[FF_EC_AT_DATA + 4] = array ? second.entry->count : many ? *object.field : 0;
    answer[FF_EC_AT_DATA + 5] = array ? ARRAY : many ? RECORD : VAR;
    send(slave, answer, put_name(answer + FF_EC_AT_DATA + 6, answer, object.entry->name));
}

/// A record may omit subindices: 1C32 has no 7 and 8. They have an empty description all the same, so that masters
/// which request every subindex get no errors.
static bool is_gap(ff_ec_slave *slave, uint16_t index, uint8_t sub)
{
    ff_ec_place first; // a single value is a variable
    return !ff_ec_object_find(slave, index, 1, &first) && sub < ff_ec_object_last_sub(slave, index);
}

static void send_entry(ff_ec_slave *slave, const uint8_t *request)
{
    static const ff_ec_entry nothing = {.name = ""};
    const uint16_t index = ff_get_u16(request + FF_EC_AT_DATA);
    const uint8_t sub = request[FF_EC_AT_DATA + 2], info = request[FF_EC_AT_DATA + 3];
    ff_ec_place place;
    const ff_ec_abort why = ff_ec_object_find(slave, index, sub, &place);
    const bool gap = why && is_gap(slave, index, sub);
    if (gap) place.entry = &nothing;
    if (why && !gap) {
        refuse(slave, why);
        return;
    }
    uint8_t *answer = begin(slave, ENTRY + 1, 0);
    ff_put_u16(answer + FF_EC_AT_DATA, index);
    answer[FF_EC_AT_DATA + 2] = sub;
    answer[FF_EC_AT_DATA + 3] = info & 7; // no unit, default or range follows
    ff_put_u16(answer + FF_EC_AT_DATA + 4, place.entry->type);
    ff_put_u16(answer + FF_EC_AT_DATA + 6, gap ? 0 : (uint16_t)ff_ec_entry_bits(place.entry));
    ff_put_u16(answer + FF_EC_AT_DATA + 8, place.entry->access);
    send(slave, answer, put_name(answer + FF_EC_AT_DATA + 10, answer, place.entry->name));
}

void ff_ec_coe_information(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    const unsigned opcode = request[FF_EC_AT_COMMAND] & 0x7F;
    const unsigned needed = opcode == ENTRY ? 10 : 8; // behind the mailbox header
    if (length < needed)
        ff_ec_mailbox_refuse(slave, FF_EC_MAILBOX_SHORT);
    else if (opcode == LIST)
        send_list(slave, request);
    else if (opcode == OBJECT)
        send_object(slave, request);
    else if (opcode == ENTRY)
        send_entry(slave, request);
    else
        refuse(slave, FF_EC_ABORT_COMMAND);
}
