// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "slave/master.h"

#include <string.h>

static void put(uint8_t *to, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

// ------------------------------------------------------------------------------------------ frames

/// splitmix64, from 0 to 1.
static double draw(master *m)
{
    uint64_t z = (m->random += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static bool gets_lost(master *m)
{
    if (m->loss <= 0 || draw(m) >= m->loss) return false;
    m->lost++;
    return true;
}

int master_try(master *m, int command, uint16_t adp, uint16_t ado, void *data, unsigned n)
{
    uint8_t *f = m->frame, *d = f + 16;
    memset(f, 0, sizeof m->frame);
    memset(f, 0xFF, 6);
    put(f + 6, 0x010101010101, 6);
    f[12] = 0x88, f[13] = 0xA4;
    put(f + 14, (n + 12) | 0x1000U, 2);
    d[0] = (uint8_t)command, d[1] = ++m->index;
    put(d + 2, adp, 2);
    put(d + 4, ado, 2);
    put(d + 6, n, 2);
    memcpy(d + 10, data, n);
    m->size = 16 + n + 12 < 60 ? 60 : 16 + n + 12;
    m->now += m->step ? m->step : 100000;
    if (gets_lost(m)) return -1;
    const size_t size =
        m->carry ? m->carry(m->context, f, m->size) : ff_ec_segment_frame(m->segment, f, m->size, m->now);
    if (gets_lost(m) || size != m->size || d[1] != m->index) return -1;
    memcpy(data, d + 10, n);
    return (int)get(d + 10 + n, 2);
}

int master_do(master *m, int command, uint16_t adp, uint16_t ado, void *data, unsigned n)
{
    uint8_t came[1514];
    int counter = -1;
    memcpy(came, data, n);
    for (int tries = 0; counter < 0 && tries < 20; tries++) {
        memcpy(data, came, n);
        counter = master_try(m, command, adp, ado, data, n);
    }
    return counter;
}

int master_logical(master *m, int command, uint32_t address, void *data, unsigned n)
{
    return master_try(m, command, (uint16_t)address, (uint16_t)(address >> 16), data, n);
}

int master_write(master *m, uint16_t station, uint16_t ado, uint64_t value, unsigned n)
{
    uint8_t bytes[8];
    put(bytes, value, 8);
    return master_do(m, FPWR, station, ado, bytes, n);
}

uint64_t master_read(master *m, uint16_t station, uint16_t ado, unsigned n)
{
    uint8_t bytes[8] = {0};
    return master_do(m, FPRD, station, ado, bytes, n) == 1 ? get(bytes, n) : UINT64_MAX;
}

unsigned master_request(master *m, uint16_t station, unsigned control)
{
    master_write(m, station, 0x0120, control, 2);
    return (unsigned)master_read(m, station, 0x0130, 2);
}

unsigned master_code(master *m, uint16_t station)
{
    return (unsigned)master_read(m, station, 0x0134, 2);
}

uint32_t master_sii(master *m, uint16_t station, uint16_t word)
{
    uint8_t command[6] = {0x00, 0x01};
    put(command + 2, word, 4);
    master_do(m, FPWR, station, 0x0502, command, 6);
    if (master_read(m, station, 0x0502, 2) & 0xF800) return 0xEEEEEEEE;
    return (uint32_t)master_read(m, station, 0x0508, 4);
}

// ------------------------------------------------------------------------------------------ mailbox

enum { OUT = 0x1000, IN = 0x1080, SIZE = 128, HEAD = 6 };

static bool is_full(master *m, uint16_t station, int sm)
{
    return master_read(m, station, (uint16_t)(0x0805 + 8 * sm), 1) & 8;
}

/// A response that was lost is requested again: repeat request of sync manager 1, then its acknowledge.
static bool ask_again(master *m, uint16_t station)
{
    const unsigned activate = (unsigned)master_read(m, station, 0x080E, 1) ^ 2;
    m->repeats++;
    master_write(m, station, 0x080E, activate, 1);
    for (int tries = 0; tries < 20; tries++)
        if (((master_read(m, station, 0x080F, 1) ^ activate) & 2) == 0) return true;
    return false;
}

unsigned master_fetch(master *m, uint16_t station, uint8_t *answer)
{
    uint8_t bytes[SIZE] = {0};
    for (int tries = 0; tries < 20; tries++) {
        if (!is_full(m, station, 1)) return 0;
        const int counter = master_try(m, FPRD, station, IN, bytes, SIZE);
        if (counter == 1) {
            const unsigned n = (unsigned)get(bytes, 2);
            memcpy(answer, bytes + HEAD, n);
            return n;
        }
        if (m->never_repeats || !ask_again(m, station)) return 0;
    }
    return 0;
}

unsigned master_mailbox(master *m, uint16_t station, const uint8_t *request, unsigned n, uint8_t *answer)
{
    uint8_t bytes[SIZE] = {0}, *counter = &m->counters[station & 63];
    *counter = (uint8_t)(*counter % 7 + 1);
    put(bytes, n, 2);
    bytes[5] = (uint8_t)(3 | *counter << 4);
    memcpy(bytes + HEAD, request, n);
    if (master_do(m, FPWR, station, OUT, bytes, SIZE) < 0) return 0;
    for (int tries = 0; tries < 20; tries++) {
        const unsigned got = master_fetch(m, station, answer);
        if (got && get(answer, 2) >> 12 != 1) return got;
        if (got) {
            memcpy(m->emergency, answer, 10);
            m->emergencies++;
        }
    }
    return 0;
}

static uint32_t abort_code(const uint8_t *answer, unsigned n)
{
    return n >= 10 && get(answer, 2) >> 12 == 2 && answer[2] == 0x80 ? (uint32_t)get(answer + 6, 4) : 0;
}

static bool is_answer(const uint8_t *answer, unsigned n, const uint8_t *request, unsigned command)
{
    return n >= 10 && get(answer, 2) >> 12 == 3 && answer[2] == command && !memcmp(answer + 3, request + 3, 3);
}

uint32_t master_download(master *m, uint16_t station, uint16_t index, uint8_t sub, bool complete, const void *data,
                         unsigned n)
{
    uint8_t request[SIZE] = {0}, answer[SIZE] = {0};
    const uint8_t *from = data;
    const unsigned first = n <= SIZE - 16 ? n : SIZE - 16;
    const bool expedited = n > 0 && n <= 4;
    put(request, 0x2000, 2);
    put(request + 3, index, 2);
    request[5] = sub;
    request[2] = (uint8_t)((expedited ? 0x23 + (4 - n) * 4 : 0x21) + 0x10U * complete);
    if (!expedited) put(request + 6, n, 4);
    memcpy(request + (expedited ? 6 : 10), data, first);
    unsigned got = master_mailbox(m, station, request, expedited ? 10 : 10 + first, answer);
    if (abort_code(answer, got)) return abort_code(answer, got);
    if (!is_answer(answer, got, request, 0x60 + 0x10U * complete)) return 1;
    for (unsigned done = first, toggle = 0, k; !expedited && done < n; done += k, toggle ^= 0x10) {
        k = n - done < SIZE - 9 ? n - done : SIZE - 9;
        uint8_t segment[SIZE] = {0};
        put(segment, 0x2000, 2);
        segment[2] = (uint8_t)(toggle | (done + k == n) | (k < 7 ? (7 - k) << 1 : 0));
        memcpy(segment + 3, from + done, k);
        got = master_mailbox(m, station, segment, k + 3 > 10 ? k + 3 : 10, answer);
        if (abort_code(answer, got)) return abort_code(answer, got);
        if (got < 10 || answer[2] != (0x20 | toggle)) return 1;
    }
    return 0;
}

uint32_t master_upload(master *m, uint16_t station, uint16_t index, uint8_t sub, bool complete, void *data, unsigned *n)
{
    uint8_t request[SIZE] = {0}, answer[SIZE] = {0}, *to = data;
    put(request, 0x2000, 2);
    request[2] = complete ? 0x50 : 0x40;
    put(request + 3, index, 2);
    request[5] = sub;
    unsigned got = master_mailbox(m, station, request, 10, answer);
    const unsigned command = answer[2] & ~0x10U;
    if (abort_code(answer, got)) return abort_code(answer, got);
    if (got < 10 || get(answer, 2) >> 12 != 3 || memcmp(answer + 3, request + 3, 3) != 0) return 1;
    if (command != 0x41) { // expedited
        *n = 4 - (command - 0x43) / 4;
        if (command != 0x43 && command != 0x47 && command != 0x4B && command != 0x4F) return 1;
        memcpy(data, answer + 6, *n);
        return 0;
    }
    *n = (unsigned)get(answer + 6, 4);
    unsigned done = got - 10;
    memcpy(to, answer + 10, done);
    for (unsigned toggle = 0; done < *n; toggle ^= 0x10) {
        uint8_t segment[10] = {0, 0x20, (uint8_t)(0x60 | toggle)};
        got = master_mailbox(m, station, segment, 10, answer);
        if (abort_code(answer, got)) return abort_code(answer, got);
        if (got < 10 || (answer[2] & 0xF0) != toggle) return 1;
        const unsigned k = got > 10 ? got - 3 : 7 - (answer[2] >> 1 & 7);
        if (done + k > *n || ((answer[2] & 1) != 0) != (done + k == *n)) return 1;
        memcpy(to + done, answer + 3, k);
        done += k;
    }
    return 0;
}

uint64_t master_get(master *m, uint16_t station, uint16_t index, uint8_t sub)
{
    uint8_t bytes[1024];
    unsigned n = 0;
    return master_upload(m, station, index, sub, false, bytes, &n) || n > 8 ? UINT64_MAX : get(bytes, n);
}

uint32_t master_put(master *m, uint16_t station, uint16_t index, uint8_t sub, uint64_t value, unsigned n)
{
    uint8_t bytes[8];
    put(bytes, value, 8);
    return master_download(m, station, index, sub, false, bytes, n);
}

// ------------------------------------------------------------------------------------------ start-up

static void set_all(master *m, uint16_t ado, uint64_t value, unsigned n)
{
    uint8_t bytes[64] = {0};
    put(bytes, value, 8);
    master_do(m, BWR, 0, ado, bytes, n);
}

int master_scan(master *m, master_slave *slaves, int most)
{
    uint8_t type[2] = {0};
    set_all(m, 0x0103, 0, 1);
    set_all(m, 0x0120, 0x0011, 2);
    set_all(m, 0x0120, 0x0011, 2);
    const int count = master_do(m, BRD, 0, 0x0000, type, 2);
    if (count < 1 || count > most) return count;
    set_all(m, 0x0101, 0, 1);
    set_all(m, 0x0200, 4, 2);
    set_all(m, 0x0300, 0, 8);
    set_all(m, 0x0600, 0, 48);
    set_all(m, 0x0800, 0, 32);
    set_all(m, 0x0981, 0, 1);
    set_all(m, 0x0910, 0, 4);
    set_all(m, 0x0930, 0x1000, 2);
    set_all(m, 0x0934, 0x0C00, 2);
    set_all(m, 0x0103, 0, 1);
    set_all(m, 0x0120, 0x0011, 2);
    set_all(m, 0x0500, 2, 1);
    set_all(m, 0x0500, 0, 1);
    for (int i = 0; i < count; i++) {
        uint8_t address[2];
        slaves[i] = (master_slave){.station = (uint16_t)(0x1001 + i)};
        put(address, slaves[i].station, 2);
        master_do(m, APWR, (uint16_t)-i, 0x0010, address, 2);
        slaves[i].vendor = master_sii(m, slaves[i].station, 0x08);
        slaves[i].product = master_sii(m, slaves[i].station, 0x0A);
    }
    return count;
}

static void set_sm(master *m, uint16_t station, int sm, unsigned start, unsigned length, unsigned control)
{
    const uint64_t bytes =
        (uint64_t)start | (uint64_t)length << 16 | (uint64_t)control << 32 | (uint64_t)(length > 0) << 48;
    master_write(m, station, (uint16_t)(0x0806 + 8 * sm), 0, 1);
    master_write(m, station, (uint16_t)(0x0800 + 8 * sm), bytes, 8);
}

unsigned master_preop(master *m, const master_slave *slave)
{
    const uint32_t out = master_sii(m, slave->station, 0x18), in = master_sii(m, slave->station, 0x1A);
    set_sm(m, slave->station, 0, out & 0xFFFF, out >> 16, 0x26);
    set_sm(m, slave->station, 1, in & 0xFFFF, in >> 16, 0x22);
    m->counters[slave->station & 63] = 0;
    return master_request(m, slave->station, 0x12);
}

/// Bytes of the PDOs that an assignment object lists.
static bool assigned_bytes(master *m, uint16_t station, uint16_t index, unsigned *bytes)
{
    unsigned bits = 0;
    const uint64_t npdo = master_get(m, station, index, 0);
    for (uint64_t i = 1; i <= npdo && npdo < 9; i++) {
        const uint64_t pdo = master_get(m, station, index, (uint8_t)i);
        const uint64_t entries = master_get(m, station, (uint16_t)pdo, 0);
        if (entries > 64) return false;
        for (uint64_t k = 1; k <= entries; k++) {
            const uint64_t map = master_get(m, station, (uint16_t)pdo, (uint8_t)k);
            if (map == UINT64_MAX) return false;
            bits += map & 0xFF;
        }
    }
    *bytes = (bits + 7) / 8;
    return npdo < 9;
}

bool master_mapping(master *m, master_slave *slave)
{
    if (master_get(m, slave->station, 0x1C00, 0) != 4) return false;
    for (uint8_t i = 1; i <= 4; i++)
        if (master_get(m, slave->station, 0x1C00, i) != i) return false;
    return assigned_bytes(m, slave->station, 0x1C12, &slave->out_bytes) &&
           assigned_bytes(m, slave->station, 0x1C13, &slave->in_bytes);
}

static void set_fmmu(master *m, uint16_t station, int number, uint32_t logical, unsigned length, unsigned physical,
                     unsigned type)
{
    uint8_t f[16] = {0};
    put(f, logical, 4);
    put(f + 4, length, 2);
    f[7] = 7;
    put(f + 8, physical, 2);
    f[11] = (uint8_t)type;
    f[12] = length > 0;
    master_do(m, FPWR, station, (uint16_t)(0x0600 + 16 * number), f, 16);
}

unsigned master_map(master *m, master_slave *slaves, int n)
{
    uint32_t at = 0;
    for (int i = 0; i < n; i++) slaves[i].out_address = at, at += slaves[i].out_bytes;
    for (int i = 0; i < n; i++) slaves[i].in_address = at, at += slaves[i].in_bytes;
    for (int i = 0; i < n; i++) {
        const master_slave *s = &slaves[i];
        set_sm(m, s->station, 2, 0x1100, s->out_bytes, 0x64);
        set_sm(m, s->station, 3, 0x1200, s->in_bytes, 0x20);
        set_fmmu(m, s->station, 0, s->out_address, s->out_bytes, 0x1100, 2);
        set_fmmu(m, s->station, 1, s->in_address, s->in_bytes, 0x1200, 1);
        set_fmmu(m, s->station, 2, at + (uint32_t)i, 1, 0x080D, 1);
    }
    return at;
}

unsigned master_expected(const master_slave *slaves, int n)
{
    unsigned counter = 0;
    for (int i = 0; i < n; i++) counter += 2U * (slaves[i].out_bytes > 0) + (slaves[i].in_bytes > 0);
    return counter;
}
