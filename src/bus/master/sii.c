// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses an EEPROM (SII, ETG.2010): identity, mailbox, and the categories strings, general, sync managers, PDOs. All
// offsets are checked against the number of bytes read: an EEPROM may contain anything.
#include "master/internal.h"

typedef struct category {
    const uint8_t *bytes;
    unsigned n;
} category;

/// @return false: there is none
static bool find_category(const uint8_t *bytes, unsigned size, unsigned type, category *c)
{
    for (unsigned at = 2 * FF_SII_CATEGORIES; at + 4 <= size;) {
        const unsigned type_here = ff_get_u16(bytes + at), n = 2U * ff_get_u16(bytes + at + 2);
        if (type_here == 0xFFFF) return false;
        if (at + 4 + n > size) return false;
        if (type_here == type) {
            *c = (category){bytes + at + 4, n};
            return true;
        }
        at += 4 + n;
    }
    return false;
}

/// String of a number, from 1 on.
static void get_string(const category *c, unsigned number, char *to)
{
    unsigned at = 1;
    for (unsigned i = 1; at < c->n; i++) {
        const unsigned length = c->bytes[at];
        if (at + 1 + length > c->n) return;
        if (i == number) {
            const unsigned n = length < FF_EC_NAME_MAX ? length : FF_EC_NAME_MAX - 1;
            memcpy(to, c->bytes + at + 1, n);
            to[n] = '\0';
            for (unsigned k = 0; k < n; k++)
                if (to[k] < ' ' || to[k] > '~') to[k] = '?'; // names are printed in messages
            return;
        }
        at += 1 + length;
    }
}

static void get_name(ff_sii *e, const uint8_t *bytes, unsigned size)
{
    category strings, general;
    if (!find_category(bytes, size, FF_SII_STRINGS, &strings)) return;
    const bool named = find_category(bytes, size, FF_SII_GENERAL, &general) && general.n > 3 && general.bytes[3];
    get_string(&strings, named ? general.bytes[3] : 1, e->name);
}

static void get_sync_managers(ff_sii *e, const uint8_t *bytes, unsigned size)
{
    category c;
    if (!find_category(bytes, size, FF_SII_SYNC_MANAGERS, &c)) return;
    for (unsigned at = 0; at + 8 <= c.n && e->nsm < FF_MASTER_SYNC_MANAGERS_MAX; at += 8) {
        const uint8_t *b = c.bytes + at;
        e->sms[e->nsm++] = (ff_sync_manager){ff_get_u16(b), ff_get_u16(b + 2), b[4], b[7]};
    }
}

/// PDOs of different modules are 0x10 apart. A slave with one module is a single device.
static void get_module(ff_sii *e, const category *strings, unsigned index, unsigned name)
{
    const int module = (int)(index >> 4 & 0xF);
    if (index & 0xF || module >= FF_EC_MODULES) return;
    get_string(strings, name, e->modules[module]);
    if (module >= e->nmodule && module > 0) e->nmodule = module + 1;
}

/// Entries of the PDOs that are assigned to a sync manager.
static void get_mapping(ff_sii *e, const uint8_t *bytes, unsigned size, int direction)
{
    category c, strings = {0};
    if (!find_category(bytes, size, direction == FF_MASTER_OUT ? FF_SII_OUTPUTS : FF_SII_INPUTS, &c)) return;
    find_category(bytes, size, FF_SII_STRINGS, &strings);
    for (unsigned at = 0; at + 8 <= c.n;) {
        const unsigned entries = c.bytes[at + 2];
        const bool assigned = c.bytes[at + 3] < FF_MASTER_SYNC_MANAGERS_MAX;
        if (assigned) get_module(e, &strings, ff_get_u16(c.bytes + at), c.bytes[at + 5]);
        at += 8;
        for (unsigned i = 0; i < entries && at + 8 <= c.n; i++, at += 8) {
            const uint8_t *b = c.bytes + at;
            if (assigned && e->nmap[direction] < FF_MASTER_MAPPED_MAX)
                e->maps[direction][e->nmap[direction]++] = (ff_master_mapped){ff_get_u16(b), b[2], b[5]};
        }
    }
}

bool ff_sii_parse(ff_sii *e, const uint8_t *bytes, unsigned size, const char **why)
{
    memset(e, 0, sizeof *e);
    *why = "it is too short";
    if (size < 2 * FF_SII_CATEGORIES) return false;
    e->vendor = ff_get_u32(bytes + 2 * FF_SII_VENDOR);
    e->product = ff_get_u32(bytes + 2 * FF_SII_VENDOR + 4);
    e->revision = ff_get_u32(bytes + 2 * FF_SII_VENDOR + 8);
    e->serial = ff_get_u32(bytes + 2 * FF_SII_VENDOR + 12);
    for (int i = 0; i < 4; i++) e->mailbox[i] = ff_get_u16(bytes + 2 * FF_SII_MAILBOX + 2 * i);
    e->coe = ff_get_u16(bytes + 2 * FF_SII_PROTOCOLS) & FF_SII_COE;
    get_name(e, bytes, size);
    get_sync_managers(e, bytes, size);
    get_mapping(e, bytes, size, FF_MASTER_OUT);
    get_mapping(e, bytes, size, FF_MASTER_IN);
    const unsigned out = e->mailbox[1], in = e->mailbox[3];
    *why = "its mailbox is shorter than 32 bytes or longer than 1486";
    if ((out || in) && (out < 32 || in < 32 || out > FF_MASTER_MAILBOX_MAX || in > FF_MASTER_MAILBOX_MAX)) return false;
    *why = "";
    return true;
}

int ff_mapped_find(const ff_master_mapped *maps, int n, uint16_t index, uint8_t sub)
{
    int bit = 0;
    for (int i = 0; i < n; bit += maps[i++].bits)
        if (maps[i].index == index && maps[i].sub == sub) return bit;
    return -1;
}

unsigned ff_mapped_bits(const ff_master_mapped *maps, int n)
{
    unsigned bits = 0;
    for (int i = 0; i < n; i++) bits += maps[i].bits;
    return bits;
}
