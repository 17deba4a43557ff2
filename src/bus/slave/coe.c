// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// CANopen over EtherCAT: service data objects (SDO), by which a master reads (upload) and writes (download) objects. Up
// to 4 bytes are transferred expedited in the header, more behind it (normal), and what exceeds a mailbox in segments,
// whose toggle bit shows that none was lost. ETG.1000.6, 5.6.2. And the SDO information service (5.6.3): lists and
// descriptions of objects, which masters use whether the EEPROM announces it or not.
#include "slave/slave.h"

enum {
    NORMAL_MOST = FF_EC_MAILBOX_SIZE - FF_EC_AT_NORMAL,   // data behind the header of the first message
    SEGMENT_MOST = FF_EC_MAILBOX_SIZE - FF_EC_AT_SEGMENT, // data of a segment
};

static uint8_t *begin_answer(ff_ec_slave *slave, unsigned service, unsigned command)
{
    uint8_t *answer = ff_ec_mailbox_begin(slave); // a request is handled only if there is room for the response
    ff_put_u16(answer + FF_EC_AT_SERVICE, (uint16_t)(service << 12));
    answer[FF_EC_AT_COMMAND] = (uint8_t)command;
    return answer;
}

static void put_object(uint8_t *answer, uint16_t index, uint8_t sub)
{
    ff_put_u16(answer + FF_EC_AT_INDEX, index);
    answer[FF_EC_AT_SUB] = sub;
}

/// An abort is sent as a request, not as a response: otherwise masters take a refused write for a success.
static void refuse(ff_ec_slave *slave, uint16_t index, uint8_t sub, ff_ec_abort why)
{
    slave->transfer.direction = FF_EC_IDLE;
    uint8_t *answer = begin_answer(slave, FF_EC_COE_REQUEST, FF_EC_SDO_ABORT);
    put_object(answer, index, sub);
    ff_put_u32(answer + FF_EC_AT_DATA, (uint32_t)why);
    ff_ec_mailbox_send(slave, FF_EC_SDO_LENGTH, FF_EC_MAILBOX_COE);
}

// ------------------------------------------------------------------------------------------ complete access

/// Reads an object by complete access: subindex 0 with 16 bits, then the others.
static ff_ec_abort read_complete(ff_ec_slave *slave, ff_ec_transfer *t)
{
    ff_ec_place place;
    const ff_ec_abort why = ff_ec_object_find(slave, t->index, t->sub, &place);
    if (why) return why;
    const uint8_t last = ff_ec_object_last_sub(slave, t->index);
    if (t->sub > 1 || ff_ec_object_find(slave, t->index, 1, &place)) return FF_EC_ABORT_NO_COMPLETE;
    if (t->sub == 0) {
        ff_put_u16(t->data, last);
        t->size = 2;
    }
    for (unsigned sub = 1; sub <= last; sub++) {
        if (ff_ec_object_find(slave, t->index, (uint8_t)sub, &place)) continue; // records may omit subindices
        if (t->size + place.size > FF_EC_SDO_MOST) return FF_EC_ABORT_MEMORY;
        t->size += ff_ec_value_read(&place, t->data + t->size);
    }
    return FF_EC_ABORT_NONE;
}

static ff_ec_abort read_object(ff_ec_slave *slave, ff_ec_transfer *t)
{
    ff_ec_place place;
    t->size = 0;
    if (t->complete) return read_complete(slave, t);
    const ff_ec_abort why = ff_ec_object_find(slave, t->index, t->sub, &place);
    if (why) return why;
    if (!(place.entry->access & FF_EC_READ)) return FF_EC_ABORT_WRITE_ONLY;
    t->size = ff_ec_value_read(&place, t->data);
    return FF_EC_ABORT_NONE;
}

static ff_ec_abort write_sub(ff_ec_slave *slave, uint16_t index, uint8_t sub, const uint8_t *from, unsigned size)
{
    ff_ec_place place;
    const ff_ec_abort why = ff_ec_object_find(slave, index, sub, &place);
    return why ? why : ff_ec_value_write(slave, &place, from, size);
}

static bool is_writable(ff_ec_slave *slave, uint16_t index, uint8_t sub)
{
    ff_ec_place place;
    return !ff_ec_object_find(slave, index, sub, &place) && (place.entry->access & FF_EC_WRITE);
}

/// Writes an object by complete access. Lists of PDOs are emptied, filled, and get their length last, in the order that
/// single writes must have.
static ff_ec_abort write_complete(ff_ec_slave *slave, const ff_ec_transfer *t)
{
    ff_ec_place place;
    const bool counted = t->sub == 0, resized = counted && is_writable(slave, t->index, 0);
    unsigned at = counted ? 2 : 0;
    ff_ec_abort why = ff_ec_object_find(slave, t->index, t->sub, &place);
    if (why) return why;
    if (t->sub > 1 || ff_ec_object_find(slave, t->index, 1, &place)) return FF_EC_ABORT_NO_COMPLETE;
    if (t->size < at) return FF_EC_ABORT_TOO_SHORT;
    const uint8_t last = resized ? t->data[0] : ff_ec_object_last_sub(slave, t->index);
    if (resized) why = write_sub(slave, t->index, 0, &(uint8_t){0}, 1);
    for (unsigned sub = 1; sub <= last && !why; sub++) {
        if (ff_ec_object_find(slave, t->index, (uint8_t)sub, &place)) continue;
        if (at + place.size > t->size) return FF_EC_ABORT_TOO_SHORT;
        why = ff_ec_value_write(slave, &place, t->data + at, place.size);
        at += place.size;
    }
    if (!why && at < t->size) why = FF_EC_ABORT_TOO_LONG;
    return why || !resized ? why : write_sub(slave, t->index, 0, &last, 1);
}

// ------------------------------------------------------------------------------------------ downloads

/// The response to a download, or to a segment of one.
static void acknowledge(ff_ec_slave *slave, unsigned command)
{
    uint8_t *answer = begin_answer(slave, FF_EC_COE_RESPONSE, command);
    if (command >= FF_EC_SDO_DOWNLOADED) put_object(answer, slave->transfer.index, slave->transfer.sub);
    ff_ec_mailbox_send(slave, FF_EC_SDO_LENGTH, FF_EC_MAILBOX_COE);
}

static void end_download(ff_ec_slave *slave, unsigned command)
{
    ff_ec_transfer *t = &slave->transfer;
    t->direction = FF_EC_IDLE;
    const ff_ec_abort why =
        t->complete ? write_complete(slave, t) : write_sub(slave, t->index, t->sub, t->data, t->size);
    if (why)
        refuse(slave, t->index, t->sub, why);
    else
        acknowledge(slave, command);
}

static ff_ec_abort begin_download(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    ff_ec_transfer *t = &slave->transfer;
    const unsigned command = request[FF_EC_AT_COMMAND];
    ff_ec_place place;
    if (command & FF_EC_SDO_EXPEDITED) {
        t->size = t->done = command & FF_EC_SDO_SIZED ? 4 - (command >> 2 & 3) : 4;
        memcpy(t->data, request + FF_EC_AT_DATA, t->size);
    } else {
        t->size = ff_get_u32(request + FF_EC_AT_DATA);
        t->done = length - FF_EC_SDO_LENGTH;
        if (t->size > FF_EC_SDO_MOST) return FF_EC_ABORT_TOO_LONG;
        if (t->done > t->size) t->done = t->size;
        memcpy(t->data, request + FF_EC_AT_NORMAL, t->done);
    }
    const ff_ec_abort why = ff_ec_object_find(slave, t->index, t->sub, &place);
    if (why) return why;
    if (t->done == t->size) {
        end_download(slave, FF_EC_SDO_DOWNLOADED | (command & FF_EC_SDO_COMPLETE));
        return FF_EC_ABORT_NONE;
    }
    t->direction = FF_EC_DOWNLOAD;
    acknowledge(slave, FF_EC_SDO_DOWNLOADED | (command & FF_EC_SDO_COMPLETE));
    return FF_EC_ABORT_NONE;
}

static ff_ec_abort continue_download(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    ff_ec_transfer *t = &slave->transfer;
    const unsigned command = request[FF_EC_AT_COMMAND];
    const unsigned n = length > FF_EC_SDO_LENGTH ? length - 3 : 7 - (command >> 1 & 7);
    if (t->direction != FF_EC_DOWNLOAD) return FF_EC_ABORT_COMMAND;
    if ((command & FF_EC_SDO_TOGGLE) != t->toggle) return FF_EC_ABORT_TOGGLE;
    if (t->done + n > t->size) return FF_EC_ABORT_TOO_LONG;
    memcpy(t->data + t->done, request + FF_EC_AT_SEGMENT, n);
    t->done += n;
    const unsigned answer = FF_EC_SDO_DOWNLOADED_SEGMENT | (unsigned)t->toggle;
    t->toggle ^= FF_EC_SDO_TOGGLE;
    if (command & FF_EC_SDO_LAST) {
        if (t->done < t->size) return FF_EC_ABORT_TOO_SHORT;
        end_download(slave, answer);
    } else {
        acknowledge(slave, answer);
    }
    return FF_EC_ABORT_NONE;
}

// ------------------------------------------------------------------------------------------ uploads

static ff_ec_abort begin_upload(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    (void)length;
    ff_ec_transfer *t = &slave->transfer;
    const unsigned complete = request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMPLETE;
    const ff_ec_abort why = read_object(slave, t);
    if (why) return why;
    if (t->size > 0 && t->size <= 4) {
        uint8_t *answer = begin_answer(slave, FF_EC_COE_RESPONSE, 0x43 + (4 - t->size) * 4 + complete);
        put_object(answer, t->index, t->sub);
        memcpy(answer + FF_EC_AT_DATA, t->data, t->size);
        ff_ec_mailbox_send(slave, FF_EC_SDO_LENGTH, FF_EC_MAILBOX_COE);
        return FF_EC_ABORT_NONE;
    }
    uint8_t *answer = begin_answer(slave, FF_EC_COE_RESPONSE, 0x41 + complete);
    put_object(answer, t->index, t->sub);
    ff_put_u32(answer + FF_EC_AT_DATA, t->size);
    t->done = t->size < NORMAL_MOST ? t->size : NORMAL_MOST;
    memcpy(answer + FF_EC_AT_NORMAL, t->data, t->done);
    if (t->done < t->size) t->direction = FF_EC_UPLOAD;
    ff_ec_mailbox_send(slave, FF_EC_SDO_LENGTH + t->done, FF_EC_MAILBOX_COE);
    return FF_EC_ABORT_NONE;
}

static ff_ec_abort continue_upload(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    (void)length;
    ff_ec_transfer *t = &slave->transfer;
    if (t->direction != FF_EC_UPLOAD) return FF_EC_ABORT_COMMAND;
    if ((request[FF_EC_AT_COMMAND] & FF_EC_SDO_TOGGLE) != t->toggle) return FF_EC_ABORT_TOGGLE;
    const unsigned rest = t->size - t->done, n = rest < SEGMENT_MOST ? rest : SEGMENT_MOST;
    const unsigned unused = n < 7 ? (7 - n) << 1 : 0;
    uint8_t *answer = begin_answer(slave, FF_EC_COE_RESPONSE, t->toggle | unused | (n == rest ? FF_EC_SDO_LAST : 0));
    memcpy(answer + FF_EC_AT_SEGMENT, t->data + t->done, n);
    t->done += n;
    t->toggle ^= FF_EC_SDO_TOGGLE;
    if (n == rest) t->direction = FF_EC_IDLE;
    ff_ec_mailbox_send(slave, n + 3 > FF_EC_SDO_LENGTH ? n + 3 : FF_EC_SDO_LENGTH, FF_EC_MAILBOX_COE);
    return FF_EC_ABORT_NONE;
}

// ------------------------------------------------------------------------------------------ information

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

static uint8_t *begin_information(ff_ec_slave *slave, unsigned opcode, unsigned left)
{
    uint8_t *answer = begin_answer(slave, FF_EC_COE_INFORMATION, opcode | (left ? MORE : 0));
    ff_put_u16(answer + AT_LEFT, (uint16_t)left);
    return answer;
}

/// @param end  beyond the last byte
static void send_information(ff_ec_slave *slave, const uint8_t *answer, const uint8_t *end)
{
    ff_ec_mailbox_send(slave, (unsigned)(end - answer) - FF_EC_MAILBOX_HEAD, FF_EC_MAILBOX_COE);
}

static void refuse_information(ff_ec_slave *slave, ff_ec_abort why)
{
    uint8_t *answer = begin_information(slave, ERROR, 0);
    ff_put_u32(answer + FF_EC_AT_DATA, (uint32_t)why);
    send_information(slave, answer, answer + FF_EC_AT_DATA + 4);
}

/// Number of an object list: all, RxPDO-mappable, TxPDO-mappable, stored for replacement, startup parameters.
static bool is_in_list(ff_ec_slave *slave, const ff_ec_entry *first, unsigned kind)
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
        if ((!before || before->index != row->index) && is_in_list(slave, row, kind)) {
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
        refuse_information(slave, FF_EC_ABORT_RANGE);
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
        uint8_t *answer = begin_information(slave, LIST + 1, left);
        memcpy(answer + FF_EC_AT_DATA, bytes + at, n);
        send_information(slave, answer, answer + FF_EC_AT_DATA + n);
    }
}

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
        refuse_information(slave, why);
        return;
    }
    const bool many = !ff_ec_object_find(slave, index, 1, &second), array = many && is_array(slave, second.entry);
    uint8_t *answer = begin_information(slave, OBJECT + 1, 0);
    ff_put_u16(answer + FF_EC_AT_DATA, index);
    ff_put_u16(answer + FF_EC_AT_DATA + 2, array ? second.entry->type : many ? 0 : object.entry->type);
    answer[FF_EC_AT_DATA + 4] = array ? second.entry->count : many ? *object.field : 0;
    answer[FF_EC_AT_DATA + 5] = array ? ARRAY : many ? RECORD : VAR;
    send_information(slave, answer, put_name(answer + FF_EC_AT_DATA + 6, answer, object.entry->name));
}

/// A record may omit subindices: 1C32 has no 7 and 8. They still have an empty description, so that masters
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
        refuse_information(slave, why);
        return;
    }
    uint8_t *answer = begin_information(slave, ENTRY + 1, 0);
    ff_put_u16(answer + FF_EC_AT_DATA, index);
    answer[FF_EC_AT_DATA + 2] = sub;
    answer[FF_EC_AT_DATA + 3] = info & 7; // no unit, default or range follows
    ff_put_u16(answer + FF_EC_AT_DATA + 4, place.entry->type);
    ff_put_u16(answer + FF_EC_AT_DATA + 6, gap ? 0 : (uint16_t)ff_ec_entry_bits(place.entry));
    ff_put_u16(answer + FF_EC_AT_DATA + 8, place.entry->access);
    send_information(slave, answer, put_name(answer + FF_EC_AT_DATA + 10, answer, place.entry->name));
}

static void serve_information(ff_ec_slave *slave, const uint8_t *request, unsigned length)
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
        refuse_information(slave, FF_EC_ABORT_COMMAND);
}

// ------------------------------------------------------------------------------------------ requests

static ff_ec_abort reject_command(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    (void)slave, (void)request, (void)length;
    return FF_EC_ABORT_COMMAND;
}

static ff_ec_abort abort_transfer(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    (void)request, (void)length;
    slave->transfer.direction = FF_EC_IDLE; // an abort of the master has no response
    return FF_EC_ABORT_NONE;
}

/// Handlers by the upper three bits of the command.
static const struct {
    ff_ec_abort (*serve)(ff_ec_slave *slave, const uint8_t *request, unsigned length);
    bool begins; // it starts a transfer of the object in the request
} commands[8] = {{continue_download, false}, {begin_download, true},  {begin_upload, true},    {continue_upload, false},
                 {abort_transfer, false},    {reject_command, false}, {reject_command, false}, {reject_command, false}};

static void serve_sdo(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    ff_ec_transfer *t = &slave->transfer;
    const unsigned command = request[FF_EC_AT_COMMAND] >> 5;
    if (commands[command].begins) {
        t->direction = FF_EC_IDLE;
        t->index = ff_get_u16(request + FF_EC_AT_INDEX);
        t->sub = request[FF_EC_AT_SUB];
        t->complete = request[FF_EC_AT_COMMAND] & FF_EC_SDO_COMPLETE;
        t->toggle = 0;
    }
    const ff_ec_abort why = commands[command].serve(slave, request, length);
    if (why) refuse(slave, t->index, t->sub, why);
}

void ff_ec_coe_request(ff_ec_slave *slave, const uint8_t *request, unsigned length)
{
    const unsigned service = ff_get_u16(request + FF_EC_AT_SERVICE) >> 12;
    if (service == FF_EC_COE_REQUEST && length >= FF_EC_SDO_LENGTH)
        serve_sdo(slave, request, length);
    else if (service == FF_EC_COE_INFORMATION)
        serve_information(slave, request, length);
    else
        ff_ec_mailbox_refuse(slave, service == FF_EC_COE_REQUEST ? FF_EC_MAILBOX_SHORT : FF_EC_MAILBOX_SERVICE);
}
