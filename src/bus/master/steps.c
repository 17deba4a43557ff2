// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of a slave: count, who it is, mailbox and PRE-OP, mapping, sync managers and FMMUs, SAFE-OP, OP; then what
// watches it. Registers by ETG.1000.4, the order by section 10 of the reference of EtherCAT.
#include "master/inside.h"

#include <stdio.h>

enum { STEP_UP = 0, STEP_AWAIT = 1, SM_ENABLE = 1, EEPROM_CATEGORIES = 2 * 0x40 };

static ff_master_verdict go_on(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)p, (void)counter, (void)data;
    return FF_VERDICT_NEXT;
}

static bool has_mailbox(const ff_master_peer *p)
{
    return p->says.mailbox[1] > 0;
}

static bool has_objects(const ff_master_peer *p)
{
    return has_mailbox(p) && p->says.coe;
}

// ------------------------------------------------------------------------------------------ all slaves

/// INIT, with errors acknowledged; then nothing is active that somebody left.
static void ask_init(ff_master_peer *p, ff_master_ask *a)
{
    if (p->cursor == STEP_UP)
        ff_put_u16(ff_ask_write(p, a, FF_EC_REG_AL_CONTROL, 2), FF_EC_INIT | FF_EC_AL_ERROR);
    else
        ff_ask_read(p, a, FF_EC_REG_AL_STATUS, 2);
}

static ff_master_verdict take_init(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter;
    if (p->cursor == STEP_AWAIT && data[0] == FF_EC_INIT) return FF_VERDICT_NEXT;
    p->cursor = p->cursor == STEP_UP ? STEP_AWAIT : STEP_UP;
    return FF_VERDICT_AGAIN;
}

/// Registers that are written to all slaves.
static const struct {
    uint16_t ado;
    uint16_t n;
    uint16_t value;
} RESETS[] = {
    {FF_EC_REG_DL_CONTROL + 3, 1, 0},    // no aliases
    {FF_EC_REG_RX_ERRORS, 8, 0},         //
    {FF_EC_REG_FMMU, 48, 0},             //
    {FF_EC_REG_SM, 32, 0},               //
    {FF_EC_REG_DC_ACTIVATION, 1, 0},     //
    {FF_EC_REG_DC_OFFSET, 12, 0},        // and delay
    {FF_EC_REG_DC_SPEED, 2, 0x1000},     //
    {FF_EC_REG_DC_SPEED + 4, 2, 0x0C00}, // filters
    {FF_EC_REG_SII_OWNER, 1, 2},         // EEPROM: away from the slave
    {FF_EC_REG_SII_OWNER, 1, 0},         // to the master
};

static void ask_reset(ff_master_peer *p, ff_master_ask *a)
{
    uint8_t *data = ff_ask_write(p, a, RESETS[p->cursor].ado, RESETS[p->cursor].n);
    ff_put(data, RESETS[p->cursor].value, RESETS[p->cursor].n < 2 ? 1 : 2);
}

static ff_master_verdict take_reset(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter, (void)data;
    return ++p->cursor < (int)(sizeof RESETS / sizeof *RESETS) ? FF_VERDICT_STAY : FF_VERDICT_NEXT;
}

static void ask_type(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, FF_EC_REG_TYPE, 2);
}

static ff_master_verdict take_count(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    const ff_ec_plan *plan = m->options.plan;
    const int n = (int)counter;
    (void)data;
    m->counts.slaves = n;
    m->counts.expected = plan ? plan->count : n;
    if (n > FF_MASTER_SLAVES)
        return ff_peer_fail(p, "%d slaves answer: this master has at most %d", n, FF_MASTER_SLAVES);
    if (plan && n < plan->count)
        return ff_peer_fail(p,
                            "%d slaves answer, the plan has %d: '%s' is missing, or one before it, or the cable "
                            "behind '%s' is broken",
                            n, plan->count, plan->slaves[n].name, plan->slaves[n - 1].name);
    if (plan && n > plan->count) return ff_peer_fail(p, "%d slaves answer, the plan has %d", n, plan->count);
    m->count = n;
    return FF_VERDICT_NEXT;
}

const ff_master_step ff_program_count[] = {
    {.what = "no slave answers, or not all get to INIT", .ask = ask_init, .take = take_init},
    {.what = "no slave answers", .ask = ask_reset, .take = take_reset},
    {.what = "no slave answers", .ask = ask_type, .take = take_count},
    {0}};

// ------------------------------------------------------------------------------------------ who it is

static void ask_address(ff_master_peer *p, ff_master_ask *a)
{
    p->found.station = (uint16_t)(FF_MASTER_FIRST + p->number);
    ff_put_u16(ff_ask_write(p, a, FF_EC_REG_STATION, 2), p->found.station);
    a->command = FF_EC_APWR;
    a->adp = (uint16_t)-p->number;
}

static void ask_features(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, 0x0008, 2);
}

static ff_master_verdict take_features(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter;
    p->found.has_clock = data[0] & 0x04;
    p->found.answers = true;
    p->eeprom_size = 0;
    p->category = EEPROM_CATEGORIES;
    return FF_VERDICT_NEXT;
}

enum { EEPROM_COMMAND = 0, EEPROM_DATA = 1 };

static void ask_eeprom(ff_master_peer *p, ff_master_ask *a)
{
    if (p->cursor == EEPROM_DATA) {
        ff_ask_read(p, a, FF_EC_REG_SII_CONTROL, 14); // control 2, address 4, data 8
        return;
    }
    uint8_t *data = ff_ask_write(p, a, FF_EC_REG_SII_CONTROL, 6);
    ff_put_u16(data, FF_EC_SII_READ);
    ff_put_u32(data + 2, p->eeprom_size / 2);
}

/// Are all categories there?
static bool is_eeprom_whole(ff_master_peer *p)
{
    while (p->category + 4 <= p->eeprom_size) {
        if (ff_get_u16(p->eeprom + p->category) == 0xFFFF) return true;
        p->category += 4 + 2U * ff_get_u16(p->eeprom + p->category + 2);
    }
    return p->eeprom_size + 8 > FF_MASTER_EEPROM;
}

/// @return FF_VERDICT_STAY: the next words are there
static ff_master_verdict take_words(ff_master_peer *p, const uint8_t *data)
{
    const unsigned control = ff_get_u16(data), n = control & FF_EC_SII_READS_8 ? 8 : 4;
    if (p->cursor == EEPROM_COMMAND) {
        p->cursor = EEPROM_DATA;
        return FF_VERDICT_AGAIN;
    }
    if (control & FF_EC_SII_BUSY) return FF_VERDICT_AGAIN;
    p->cursor = EEPROM_COMMAND;
    if ((control & FF_EC_SII_COMMAND_ERROR) || ff_get_u32(data + 2) != p->eeprom_size / 2) return FF_VERDICT_AGAIN;
    memcpy(p->eeprom + p->eeprom_size, data + 6, n);
    p->eeprom_size += n;
    return FF_VERDICT_STAY;
}

static ff_master_verdict check_identity(ff_master_peer *p, const char *what, uint32_t is, uint32_t planned)
{
    if (is == planned) return FF_VERDICT_NEXT;
    return ff_peer_fail(p, "its %s is %08lX, the plan has %08lX", what, (unsigned long)is, (unsigned long)planned);
}

/// With a plan it must be what that says; without one the caller may want to configure it.
static ff_master_verdict recognise(ff_master_peer *p)
{
    const ff_ec_master_options *o = &p->master->options;
    const ff_eeprom *e = &p->says;
    p->found.vendor = e->vendor;
    p->found.product = e->product;
    p->found.revision = e->revision;
    p->found.serial = e->serial;
    memcpy(p->found.modules, e->modules, sizeof p->found.modules);
    p->found.nmodule = e->nmodule;
    if (o->plan) {
        p->planned = o->plan->slaves[p->number];
        memcpy(p->found.name, p->planned.name, sizeof p->found.name);
        ff_master_verdict verdict = check_identity(p, "vendor", e->vendor, p->planned.vendor);
        if (verdict == FF_VERDICT_NEXT) verdict = check_identity(p, "product", e->product, p->planned.product);
        return verdict == FF_VERDICT_NEXT ? check_identity(p, "revision", e->revision, p->planned.revision) : verdict;
    }
    memcpy(p->found.name, e->name, sizeof p->found.name);
    p->planned = (ff_ec_planned){
        .vendor = e->vendor, .product = e->product, .revision = e->revision, .out_bits = -1, .in_bits = -1};
    memcpy(p->planned.name, e->name, sizeof p->planned.name);
    if (o->configure) o->configure(o->context, &p->planned);
    return FF_VERDICT_NEXT;
}

static ff_master_verdict take_last_of_eeprom(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    const ff_master_verdict verdict = take_words(p, data);
    const char *why;
    (void)counter;
    if (verdict != FF_VERDICT_STAY || !is_eeprom_whole(p)) return verdict;
    if (!ff_eeprom_parse(&p->says, p->eeprom, p->eeprom_size, &why)) return ff_peer_fail(p, "its EEPROM: %s", why);
    return recognise(p);
}

const ff_master_step ff_program_identify[] = {
    {.what = "it does not take its address", .ask = ask_address, .take = go_on},
    {.what = "it does not answer", .ask = ask_features, .take = take_features},
    {.what = "its EEPROM cannot be read", .ask = ask_eeprom, .take = take_last_of_eeprom},
    {0}};

// ------------------------------------------------------------------------------------------ states

/// The state it should have is asked for, with its error acknowledged, and awaited.
static void ask_state(ff_master_peer *p, ff_master_ask *a)
{
    if (p->cursor == STEP_AWAIT)
        ff_ask_read(p, a, FF_EC_REG_AL_STATUS, 6);
    else
        ff_put_u16(ff_ask_write(p, a, FF_EC_REG_AL_CONTROL, 2),
                   (uint16_t)(p->wanted | (p->found.state & FF_EC_AL_ERROR)));
}

/// What stands against OP can go with the next process data; all else stays.
static ff_master_verdict take_state(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter;
    if (p->cursor == STEP_UP) {
        p->cursor = STEP_AWAIT;
        return FF_VERDICT_AGAIN;
    }
    p->found.state = data[0] & 0x1F;
    p->found.code = ff_get_u16(data + 4);
    if (p->found.state == p->wanted) return FF_VERDICT_NEXT;
    if (!(p->found.state & FF_EC_AL_ERROR)) return FF_VERDICT_AGAIN;
    if (p->wanted != FF_EC_OP)
        return ff_peer_fail(p, "it does not get to %s", ff_ec_state_words(p->wanted)); // with its code
    p->cursor = STEP_UP;
    return FF_VERDICT_AGAIN;
}

#define CHANGE_STATE                                                                                                   \
    {                                                                                                                  \
        .what = "it does not change its state", .ask = ask_state, .take = take_state                                   \
    }

const ff_master_step ff_program_op[] = {CHANGE_STATE, {0}};
const ff_master_step ff_program_down[] = {CHANGE_STATE, {0}};

// ------------------------------------------------------------------------------------------ who comes back

static ff_master_verdict take_recount(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)data;
    p->master->counts.slaves = (int)counter;
    p->master->recounted = true;
    return FF_VERDICT_NEXT;
}

const ff_master_step ff_program_recount[] = {
    {.what = "no slave answers", .ask = ask_type, .take = take_recount, .hears_silence = true}, {0}};

/// By its place instead of its address, which it has lost.
static void address_by_place(const ff_master_peer *p, ff_master_ask *a)
{
    a->command = a->command == FF_EC_FPRD || a->command == FF_EC_BRD ? FF_EC_APRD : FF_EC_APWR;
    a->adp = (uint16_t)-p->place;
}

static void ask_place(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, FF_EC_REG_STATION, 2);
    address_by_place(p, a);
}

static void ask_eeprom_there(ff_master_peer *p, ff_master_ask *a)
{
    ask_eeprom(p, a);
    address_by_place(p, a);
}

static void ask_address_there(ff_master_peer *p, ff_master_ask *a)
{
    ff_put_u16(ff_ask_write(p, a, FF_EC_REG_STATION, 2), p->found.station);
    address_by_place(p, a);
}

static ff_master_verdict take_place(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    const unsigned station = ff_get_u16(data);
    if (!counter) return ff_peer_fail(p, "nobody is at its place");
    p->eeprom_size = 0;
    if (!station || station == p->found.station) return FF_VERDICT_NEXT;
    return ff_peer_fail(p, "station %u is at its place", station);
}

/// The slave that is there must be the one that was.
static ff_master_verdict take_identity(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    enum { IDENTITY = 16, END = 32 }; // bytes of the EEPROM: vendor, product, revision, serial number
    static const char *const words[] = {"vendor", "product", "revision", "serial number"};
    const uint32_t had[] = {p->found.vendor, p->found.product, p->found.revision, p->found.serial};
    const ff_master_verdict verdict = take_words(p, data);
    (void)counter;
    if (verdict != FF_VERDICT_STAY || p->eeprom_size < END) return verdict;
    for (int i = 0; i < 4; i++) {
        const uint32_t has = ff_get_u32(p->eeprom + IDENTITY + 4 * i);
        if (has != had[i])
            return ff_peer_fail(p, "another slave is at its place: the %s is %08lX, and was %08lX", words[i],
                                (unsigned long)has, (unsigned long)had[i]);
    }
    return FF_VERDICT_NEXT;
}

const ff_master_step ff_program_identify_again[] = {
    {.what = "it does not answer", .ask = ask_place, .take = take_place, .hears_silence = true},
    {.what = "its EEPROM cannot be read", .ask = ask_eeprom_there, .take = take_identity},
    {.what = "it does not take its address", .ask = ask_address_there, .take = go_on},
    {.what = "it does not answer", .ask = ask_features, .take = take_features},
    CHANGE_STATE,
    {0}};

// ------------------------------------------------------------------------------------------ who is new

/// Known slaves are on the wire in their order: whoever shows another address than the next of them is new.
static ff_master_verdict take_next_place(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    p->eeprom_size = 0;
    p->category = EEPROM_CATEGORIES;
    if (!counter) p->place = m->strangers_of; // somebody has gone meanwhile
    if (p->place == m->strangers_of) return FF_VERDICT_NEXT;
    if (m->passed == m->count || ff_get_u16(data) != FF_MASTER_FIRST + m->passed) return FF_VERDICT_NEXT;
    m->passed++;
    return ++p->place < m->strangers_of ? FF_VERDICT_STAY : FF_VERDICT_NEXT;
}

static bool is_stranger(const ff_master_peer *p)
{
    return p->place < p->master->strangers_of;
}

static ff_master_verdict take_stranger(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    const ff_master_verdict verdict = take_words(p, data);
    const char *why;
    (void)counter;
    if (verdict != FF_VERDICT_STAY || !is_eeprom_whole(p)) return verdict;
    if (!ff_eeprom_parse(&p->says, p->eeprom, p->eeprom_size, &why)) return ff_peer_fail(p, "its EEPROM: %s", why);
    ff_master_tell_stranger(p->master, NULL);
    p->place++;
    return FF_VERDICT_NEXT;
}

const ff_master_step ff_program_stranger[] = {
    {.what = "it does not answer", .ask = ask_place, .take = take_next_place, .hears_silence = true},
    {.what = "its EEPROM cannot be read", .ask = ask_eeprom_there, .take = take_stranger, .applies = is_stranger},
    {0}};

// ------------------------------------------------------------------------------------------ PRE-OP

static void put_sync_manager(uint8_t *to, unsigned start, unsigned n, unsigned control)
{
    ff_put_u16(to, (uint16_t)start);
    ff_put_u16(to + 2, (uint16_t)n);
    to[4] = (uint8_t)control;
    to[6] = n > 0 ? SM_ENABLE : 0;
}

static void ask_mailbox(ff_master_peer *p, ff_master_ask *a)
{
    enum { CONTROL_OUT = 0x26, CONTROL_IN = 0x22 };
    uint8_t *data = ff_ask_write(p, a, FF_EC_REG_SM, 16);
    const ff_sync_manager *sms = p->says.sms;
    const uint16_t *mailbox = p->says.mailbox;
    put_sync_manager(data, mailbox[0], mailbox[1], p->says.nsm > 0 ? sms[0].control : CONTROL_OUT);
    put_sync_manager(data + 8, mailbox[2], mailbox[3], p->says.nsm > 1 ? sms[1].control : CONTROL_IN);
    p->talk = (ff_master_talk){0};
}

static void begin_object(ff_master_peer *p, uint16_t index, uint8_t sub)
{
    p->own = (ff_ec_sdo){.index = index, .sub = sub};
    p->sdo = &p->own;
}

static bool prepare_setting(ff_master_peer *p)
{
    if (p->cursor >= p->planned.nsetting) return false;
    const ff_ec_setting *s = &p->planned.settings[p->cursor];
    begin_object(p, s->index, s->sub);
    p->own.write = true;
    p->own.complete = s->complete;
    p->own.n = (uint32_t)s->n;
    memcpy(p->own.data, s->data, (size_t)s->n);
    return true;
}

static ff_master_verdict told_setting(ff_master_peer *p)
{
    if (p->own.state != FF_EC_SDO_DONE) return ff_peer_fail(p, "%s", p->own.why);
    p->cursor++;
    return FF_VERDICT_STAY;
}

static bool has_modules(const ff_master_peer *p)
{
    return has_objects(p) && p->says.nmodule > 0;
}

/// How far the objects of modules lie apart; a slave that does not say has axes by ETG.6010.
static bool prepare_distance(ff_master_peer *p)
{
    if (p->cursor++) return false;
    begin_object(p, 0xF000, 1);
    return true;
}

static ff_master_verdict told_distance(ff_master_peer *p)
{
    enum { AXES = 0x800 };
    const bool told = p->own.state == FF_EC_SDO_DONE && p->own.n == 2;
    p->found.distance = told ? ff_get_u16(p->own.data) : AXES;
    return FF_VERDICT_STAY;
}

/// Objects 1C12 and 1C13 list PDOs, whose objects list what they map.
static bool prepare_mapping(ff_master_peer *p)
{
    ff_map_cursor *c = &p->map;
    if (p->cursor++ == 0) {
        *c = (ff_map_cursor){.pdos = -1};
        p->nmap[0] = p->nmap[1] = 0;
    }
    while (c->direction < 2) {
        const uint16_t list = (uint16_t)(0x1C12 + c->direction);
        if (c->pdos < 0)
            begin_object(p, list, 0);
        else if (c->pdo > c->pdos) {
            *c = (ff_map_cursor){.direction = c->direction + 1, .pdos = -1};
            continue;
        } else if (!c->index)
            begin_object(p, list, (uint8_t)c->pdo);
        else if (c->entries < 0)
            begin_object(p, c->index, 0);
        else if (c->entry > c->entries) {
            c->pdo++;
            c->index = 0;
            continue;
        } else
            begin_object(p, c->index, (uint8_t)c->entry);
        return true;
    }
    return false;
}

static ff_master_verdict told_mapping(ff_master_peer *p)
{
    ff_map_cursor *c = &p->map;
    if (p->own.state != FF_EC_SDO_DONE) return ff_peer_fail(p, "its mapping: %s", p->own.why);
    if (p->own.n > 4) return ff_peer_fail(p, "its mapping: object %04X:%02X is too long", p->own.index, p->own.sub);
    const uint32_t value = (uint32_t)ff_get(p->own.data, (int)p->own.n);
    if (c->pdos < 0) {
        c->pdos = (int)(value & 0xFF);
        c->pdo = 1;
    } else if (!c->index) {
        if (!(value & 0xFFFF)) return ff_peer_fail(p, "its mapping: object %04X:%02X is 0", p->own.index, p->own.sub);
        c->index = (uint16_t)value;
        c->entries = -1;
    } else if (c->entries < 0) {
        c->entries = (int)(value & 0xFF);
        c->entry = 1;
    } else {
        int *n = &p->nmap[c->direction];
        if (*n == FF_MASTER_MAPPED)
            return ff_peer_fail(p, "it maps more than %d objects in one direction", FF_MASTER_MAPPED);
        p->maps[c->direction][(*n)++] =
            (ff_master_mapped){(uint16_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)(value & 0xFF)};
        c->entry++;
    }
    return FF_VERDICT_STAY;
}

/// A slave without objects has the mapping of its EEPROM.
static bool judge_mapping(ff_master_peer *p)
{
    if (!has_objects(p)) {
        memcpy(p->maps, p->says.maps, sizeof p->maps);
        memcpy(p->nmap, p->says.nmap, sizeof p->nmap);
    }
    p->found.out_bytes = (ff_mapped_bits(p->maps[FF_MASTER_OUT], p->nmap[FF_MASTER_OUT]) + 7) / 8;
    p->found.in_bytes = (ff_mapped_bits(p->maps[FF_MASTER_IN], p->nmap[FF_MASTER_IN]) + 7) / 8;
    return false;
}

const ff_master_step ff_program_preop[] = {
    {.what = "the sync managers of its mailbox cannot be set",
     .ask = ask_mailbox,
     .take = go_on,
     .applies = has_mailbox},
    CHANGE_STATE,
    {.what = "its mailbox does not answer", .prepare = prepare_setting, .told = told_setting, .applies = has_objects},
    {.what = "its mailbox does not answer", .prepare = prepare_distance, .told = told_distance, .applies = has_modules},
    {.what = "its mailbox does not answer", .prepare = prepare_mapping, .told = told_mapping, .applies = has_objects},
    {.what = "", .prepare = judge_mapping},
    {0}};

// ------------------------------------------------------------------------------------------ SAFE-OP

static unsigned bytes_of(const ff_master_peer *p, int direction)
{
    return direction == FF_MASTER_OUT ? p->found.out_bytes : p->found.in_bytes;
}

/// The sync manager of a direction; -1: none.
static int find_sync_manager(const ff_master_peer *p, int direction)
{
    enum { OUTPUTS = 3 }; // inputs are 4
    for (int i = 0; i < p->says.nsm; i++)
        if (p->says.sms[i].type == OUTPUTS + direction) return i;
    return -1;
}

/// Off, then as it should be: cursor 0 and 1 for outputs, 2 and 3 for inputs.
static void ask_process_data(ff_master_peer *p, ff_master_ask *a)
{
    const int direction = p->cursor / 2, number = find_sync_manager(p, direction);
    const ff_sync_manager *sm = &p->says.sms[number < 0 ? 0 : number];
    const uint16_t at = (uint16_t)(FF_EC_REG_SM + 8 * (number < 0 ? 2 + direction : number));
    if (p->cursor % 2 == 0)
        ff_ask_write(p, a, (uint16_t)(at + 6), 1);
    else
        put_sync_manager(ff_ask_write(p, a, at, 8), sm->start, bytes_of(p, direction), sm->control);
}

static ff_master_verdict take_process_data(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    static const char *const words[] = {"outputs", "inputs"};
    (void)counter, (void)data;
    const int direction = p->cursor / 2;
    if (bytes_of(p, direction) && find_sync_manager(p, direction) < 0)
        return ff_peer_fail(p, "its EEPROM has no sync manager of %s", words[direction]);
    return ++p->cursor < 4 ? FF_VERDICT_STAY : FF_VERDICT_NEXT;
}

static void put_fmmu(ff_master_peer *p, uint8_t *to, int direction, uint32_t logical)
{
    const int number = find_sync_manager(p, direction);
    const unsigned n = bytes_of(p, direction);
    if (number < 0 || !n) return;
    ff_put_u32(to, logical);
    ff_put_u16(to + 4, (uint16_t)n);
    to[7] = 7; // last bit
    ff_put_u16(to + 8, p->says.sms[number].start);
    to[11] = direction == FF_MASTER_OUT ? FF_EC_FMMU_WRITE : FF_EC_FMMU_READ;
    to[12] = 1;
}

static void ask_fmmus(ff_master_peer *p, ff_master_ask *a)
{
    const ff_cyclic *images = p->master->images;
    uint8_t *data = ff_ask_write(p, a, FF_EC_REG_FMMU, 32);
    put_fmmu(p, data, FF_MASTER_OUT, images[FF_MASTER_OUT].logical + p->found.out_offset);
    put_fmmu(p, data + 16, FF_MASTER_IN, images[FF_MASTER_IN].logical + p->found.in_offset);
}

static bool has_sync(const ff_master_peer *p)
{
    return p->master->options.sync0 && p->found.has_clock;
}

static void ask_time(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, FF_EC_REG_DC_TIME, 8);
}

static ff_master_verdict take_time(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter;
    p->time = ff_get_u64(data);
    return FF_VERDICT_NEXT;
}

/// Sync0: off; cycle; first one, at a multiple of the cycle a tenth of a second ahead, since one in the past never
/// comes; on.
static void ask_sync(ff_master_peer *p, ff_master_ask *a)
{
    enum { AHEAD = 100000000 };
    const uint32_t cycle = p->master->options.sync0;
    if (p->cursor == 0)
        ff_ask_write(p, a, FF_EC_REG_DC_CONTROL, 2);
    else if (p->cursor == 1)
        ff_put_u32(ff_ask_write(p, a, FF_EC_REG_DC_CYCLE0, 4), cycle);
    else if (p->cursor == 2)
        ff_put_u64(ff_ask_write(p, a, FF_EC_REG_DC_START, 8), ((p->time + AHEAD) / cycle + 1) * cycle);
    else
        ff_ask_write(p, a, FF_EC_REG_DC_ACTIVATION, 1)[0] = FF_EC_DC_ON | FF_EC_DC_SYNC0;
}

static ff_master_verdict take_sync(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    (void)counter, (void)data;
    return ++p->cursor < 4 ? FF_VERDICT_STAY : FF_VERDICT_NEXT;
}

const ff_master_step ff_program_safeop[] = {
    {.what = "its sync managers cannot be set", .ask = ask_process_data, .take = take_process_data},
    {.what = "its FMMUs cannot be set", .ask = ask_fmmus, .take = go_on},
    {.what = "its clock does not answer", .ask = ask_time, .take = take_time, .applies = has_sync},
    {.what = "its Sync0 cannot be set", .ask = ask_sync, .take = take_sync, .applies = has_sync},
    CHANGE_STATE,
    {0}};

// ------------------------------------------------------------------------------------------ while it works

static void ask_status(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, FF_EC_REG_AL_STATUS, 6);
}

/// Told once when it goes, and once when it is back.
static ff_master_verdict take_status(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    p->found.answers = counter > 0;
    if (counter > 0) {
        p->found.state = data[0] & 0x1F;
        p->found.code = ff_get_u16(data + 4);
    }
    const bool left = !p->found.answers || p->found.state != p->wanted;
    if (left && !p->told_left) {
        m->counts.left++;
        if (!p->found.answers) ff_comeback_forget_places(m);
        if (!p->found.answers)
            ff_master_note(p, "no answer");
        else
            ff_master_note(p, "left %s for %s: %s (AL status code %04X)", ff_ec_state_words(p->wanted),
                           ff_ec_state_words(p->found.state), ff_ec_al_words(p->found.code), p->found.code);
    }
    if (!left && p->told_left) ff_master_note(p, "back in %s", ff_ec_state_words(p->wanted));
    p->told_left = left;
    return FF_VERDICT_NEXT;
}

static bool is_anybody_away(const ff_master_peer *p)
{
    return !ff_master_all_answer(p->master);
}

/// Who is at the place that has its number? In one frame, all slaves ask for all places.
static void ask_shown(ff_master_peer *p, ff_master_ask *a)
{
    ff_ask_read(p, a, FF_EC_REG_STATION, 2);
    a->command = FF_EC_APRD;
    a->adp = (uint16_t)-p->number;
}

static ff_master_verdict take_shown(ff_master_peer *p, unsigned counter, const uint8_t *data)
{
    p->shown = counter ? ff_get_u16(data) : FF_MASTER_NOBODY;
    return FF_VERDICT_NEXT;
}

static bool prepare_fetch(ff_master_peer *p)
{
    p->sdo = NULL;
    return p->found.answers && (p->found.state & 0x0F) >= FF_EC_PREOP;
}

const ff_master_step ff_program_watch[] = {
    {.what = "it does not answer", .ask = ask_status, .take = take_status, .hears_silence = true},
    {.what = "nobody answers", .ask = ask_shown, .take = take_shown, .applies = is_anybody_away, .hears_silence = true},
    {.what = "its mailbox cannot be read", .prepare = prepare_fetch, .applies = has_mailbox},
    {0}};

static bool prepare_user(ff_master_peer *p)
{
    if (!p->user || p->cursor++) return false;
    p->own = *p->user;
    p->sdo = &p->own;
    return true;
}

static ff_master_verdict told_user(ff_master_peer *p)
{
    if (p->user) *p->user = p->own;
    p->user = NULL;
    return FF_VERDICT_NEXT;
}

const ff_master_step ff_program_sdo[] = {
    {.what = "its mailbox does not answer", .prepare = prepare_user, .told = told_user}, {0}};
