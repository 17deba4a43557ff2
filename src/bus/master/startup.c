// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of a slave in the order of the startup: count, identity, mailbox and PRE-OP, mapping, sync managers and
// FMMUs, SAFE-OP, OP; then the supervision. Registers are those of ETG.1000.4.
#include "master/internal.h"

#include <stdio.h>

enum { STEP_REQUEST = 0, STEP_AWAIT = 1 };

/// Members of a step that reads registers, and a step that transfers objects.
#define READ(text, reg, count, function) .error = (text), .ado = (reg), .n = (count), .handle = (function)
#define TRANSFER(object, condition)                                                                                    \
    {                                                                                                                  \
        .error = "its mailbox does not answer", .prepare = prepare_##object, .complete = complete_##object,            \
        .applies = (condition)                                                                                         \
    }

static bool has_mailbox(const ff_master_slave *p)
{
    return p->sii.mailbox[1] > 0;
}

static bool has_objects(const ff_master_slave *p)
{
    return has_mailbox(p) && p->sii.coe;
}

// ------------------------------------------------------------------------------------------ all slaves

/// Requests INIT, which acknowledges errors, of all slaves, and reads their state.
static void request_init(ff_master_slave *p, ff_master_datagram *a)
{
    if (p->cursor == STEP_REQUEST)
        ff_put_u16(ff_request_write(p, a, FF_EC_REG_AL_CONTROL, 2), FF_EC_INIT | FF_EC_AL_ERROR);
    else
        ff_request_read(p, a, FF_EC_REG_AL_STATUS, 2);
}

static ff_step_result handle_init(ff_master_slave *p, const uint8_t *data)
{
    if (p->cursor == STEP_AWAIT && data[0] == FF_EC_INIT) return FF_STEP_NEXT;
    p->cursor = p->cursor == STEP_REQUEST ? STEP_AWAIT : STEP_REQUEST;
    return FF_STEP_RETRY;
}

/// Registers that are cleared in all slaves, so that nothing is left active of an earlier configuration.
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
    {FF_EC_REG_SII_OWNER, 1, 2},         // EEPROM: taken from the slave
    {FF_EC_REG_SII_OWNER, 1, 0},         // and given to the master
};
enum { RESET_COUNT = sizeof RESETS / sizeof *RESETS };

static void request_reset(ff_master_slave *p, ff_master_datagram *a)
{
    uint8_t *data = ff_request_write(p, a, RESETS[p->cursor].ado, RESETS[p->cursor].n);
    ff_put(data, RESETS[p->cursor].value, RESETS[p->cursor].n < 2 ? 1 : 2);
}

/// Counts the slaves on the wire, all of which answer the broadcast, and compares with the plan.
static ff_step_result handle_count(ff_master_slave *p, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    const ff_ec_plan *plan = m->options.plan;
    const int n = (int)p->working_counter; // slaves on the wire
    (void)data;
    m->counts.slaves = n;
    m->counts.expected = plan ? plan->count : n;
    if (n > FF_MASTER_SLAVES_MAX)
        return ff_slave_fail(p, "%d slaves answer: this master supports %d at most", n, FF_MASTER_SLAVES_MAX);
    if (plan && n < plan->count)
        return ff_slave_fail(p,
                             "%d slaves answer, %d are expected: '%s' is missing, or one before it, or the cable "
                             "behind '%s' is broken",
                             n, plan->count, plan->slaves[n].name, plan->slaves[n - 1].name);
    if (plan && n > plan->count) return ff_slave_fail(p, "%d slaves answer, %d are expected", n, plan->count);
    m->count = n; // of m->slaves
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_count[] = {
    {.error = "no slave answers, or not all get to INIT", .request = request_init, .handle = handle_init},
    {.error = "no slave answers", .request = request_reset, .times = RESET_COUNT},
    {READ("no slave answers", FF_EC_REG_TYPE, 2, handle_count)},
    {0}};

// ------------------------------------------------------------------------------------------ identity

static void request_address(ff_master_slave *p, ff_master_datagram *a)
{
    p->info.station = (uint16_t)(FF_MASTER_FIRST_STATION + p->number);
    ff_put_u16(ff_request_write(p, a, FF_EC_REG_STATION, 2), p->info.station);
}

static ff_step_result handle_features(ff_master_slave *p, const uint8_t *data)
{
    p->info.has_clock = data[0] & 0x04;
    p->info.answers = true;
    p->eeprom_size = 0;
    p->category = 2 * FF_SII_CATEGORIES;
    return FF_STEP_NEXT;
}

enum { EEPROM_COMMAND = 0, EEPROM_DATA = 1 };

static void request_eeprom(ff_master_slave *p, ff_master_datagram *a)
{
    if (p->cursor == EEPROM_DATA) {
        ff_request_read(p, a, FF_EC_REG_SII_CONTROL, 14); // control 2, address 4, data 8
        return;
    }
    uint8_t *data = ff_request_write(p, a, FF_EC_REG_SII_CONTROL, 6);
    ff_put_u16(data, FF_EC_SII_READ);
    ff_put_u32(data + 2, p->eeprom_size / 2);
}

/// Have all categories been read?
static bool is_eeprom_whole(ff_master_slave *p)
{
    while (p->category + 4 <= p->eeprom_size) {
        if (ff_get_u16(p->eeprom + p->category) == 0xFFFF) return true;
        p->category += 4 + 2U * ff_get_u16(p->eeprom + p->category + 2);
    }
    return p->eeprom_size + 8 > FF_MASTER_EEPROM_MAX;
}

/// @return FF_STEP_REPEAT: the next words were read
static ff_step_result handle_words(ff_master_slave *p, const uint8_t *data)
{
    const unsigned control = ff_get_u16(data), n = control & FF_EC_SII_READS_8 ? 8 : 4;
    if (p->cursor == EEPROM_COMMAND) {
        p->cursor = EEPROM_DATA;
        return FF_STEP_RETRY;
    }
    if (control & FF_EC_SII_BUSY) return FF_STEP_RETRY;
    p->cursor = EEPROM_COMMAND;
    if ((control & FF_EC_SII_COMMAND_ERROR) || ff_get_u32(data + 2) != p->eeprom_size / 2) return FF_STEP_RETRY;
    memcpy(p->eeprom + p->eeprom_size, data + 6, n);
    p->eeprom_size += n;
    return FF_STEP_REPEAT;
}

static ff_step_result check_identity(ff_master_slave *p, const char *name, uint32_t actual, uint32_t planned)
{
    if (actual == planned) return FF_STEP_NEXT;
    return ff_slave_fail(p, "its %s is %08lX, %08lX is expected", name, (unsigned long)actual, (unsigned long)planned);
}

/// With a plan the identity must be the expected one; without one the caller may configure the slave.
static ff_step_result recognise(ff_master_slave *p)
{
    const ff_ec_master_options *o = &p->master->options;
    const ff_sii *e = &p->sii;
    p->info.vendor = e->vendor;
    p->info.product = e->product;
    p->info.revision = e->revision;
    p->info.serial = e->serial;
    memcpy(p->info.modules, e->modules, sizeof p->info.modules);
    p->info.nmodule = e->nmodule;
    if (o->plan) {
        p->config = o->plan->slaves[p->number];
        memcpy(p->info.name, p->config.name, sizeof p->info.name);
        ff_step_result result = check_identity(p, "vendor", e->vendor, p->config.vendor);
        if (result == FF_STEP_NEXT) result = check_identity(p, "product", e->product, p->config.product);
        return result == FF_STEP_NEXT ? check_identity(p, "revision", e->revision, p->config.revision) : result;
    }
    memcpy(p->info.name, e->name, sizeof p->info.name);
    p->config = (ff_ec_slave_config){
        .vendor = e->vendor, .product = e->product, .revision = e->revision, .out_bits = -1, .in_bits = -1};
    memcpy(p->config.name, e->name, sizeof p->config.name);
    if (o->configure) o->configure(o->context, &p->config);
    return FF_STEP_NEXT;
}

/// Reads the next words, and parses the EEPROM once it is complete.
static ff_step_result handle_eeprom(ff_master_slave *p, const uint8_t *data)
{
    const ff_step_result result = handle_words(p, data);
    const char *why;
    if (result != FF_STEP_REPEAT || !is_eeprom_whole(p)) return result;
    if (!ff_sii_parse(&p->sii, p->eeprom, p->eeprom_size, &why)) return ff_slave_fail(p, "its EEPROM: %s", why);
    return FF_STEP_NEXT;
}

/// Reads the EEPROM of a slave that this master configures.
static ff_step_result handle_known_eeprom(ff_master_slave *p, const uint8_t *data)
{
    const ff_step_result result = handle_eeprom(p, data);
    return result == FF_STEP_NEXT ? recognise(p) : result;
}

const ff_master_step ff_program_identify[] = {
    {.error = "its station address cannot be set", .request = request_address, .by = FF_BY_NUMBER},
    {READ("it does not answer", FF_EC_REG_FEATURES, 2, handle_features)},
    {.error = "its EEPROM cannot be read", .request = request_eeprom, .handle = handle_known_eeprom},
    {0}};

// ------------------------------------------------------------------------------------------ states

/// Requests an AL state, acknowledges an error, and waits for the state.
static void request_state(ff_master_slave *p, ff_master_datagram *a)
{
    if (p->cursor == STEP_AWAIT)
        ff_request_read(p, a, FF_EC_REG_AL_STATUS, 6);
    else
        ff_put_u16(ff_request_write(p, a, FF_EC_REG_AL_CONTROL, 2),
                   (uint16_t)(p->requested | (p->info.state & FF_EC_AL_ERROR)));
}

/// Errors on the path to OP can disappear with the next process data; all others remain.
static ff_step_result handle_state(ff_master_slave *p, const uint8_t *data)
{
    if (p->cursor == STEP_REQUEST) {
        p->cursor = STEP_AWAIT;
        return FF_STEP_RETRY;
    }
    p->info.state = data[0] & 0x1F;
    p->info.code = ff_get_u16(data + 4);
    if (p->info.state == p->requested) return FF_STEP_NEXT;
    if (!(p->info.state & FF_EC_AL_ERROR)) return FF_STEP_RETRY;
    if (p->requested != FF_EC_OP)
        return ff_slave_fail(p, "it does not reach %s",
                             ff_ec_state_text(p->requested)); // fail_slave (master.c) adds the code
    p->cursor = STEP_REQUEST;
    return FF_STEP_RETRY;
}

#define CHANGE_STATE                                                                                                   \
    {                                                                                                                  \
        .error = "it does not change its state", .request = request_state, .handle = handle_state                      \
    }

const ff_master_step ff_program_op[] = {CHANGE_STATE, {0}};
const ff_master_step ff_program_down[] = {CHANGE_STATE, {0}};

// ------------------------------------------------------------------------------------------ reconnection

static ff_step_result handle_recount(ff_master_slave *p, const uint8_t *data)
{
    (void)data;
    p->master->counts.slaves = (int)p->working_counter;
    p->master->recounted = true;
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_recount[] = {
    {READ("no slave answers", FF_EC_REG_TYPE, 2, handle_recount), .accepts_no_answer = true}, {0}};

/// Is the slave at the position of a lost one unconfigured, or that slave itself?
static ff_step_result handle_position(ff_master_slave *p, const uint8_t *data)
{
    const unsigned station = ff_get_u16(data);
    if (!p->working_counter) return ff_slave_fail(p, "no slave is at its position");
    p->eeprom_size = 0;
    if (!station || station == p->info.station) return FF_STEP_NEXT;
    return ff_slave_fail(p, "station %u is at its position", station);
}

/// The slave at this position must have the identity of the one that was lost.
static ff_step_result handle_identity(ff_master_slave *p, const uint8_t *data)
{
    enum { IDENTITY = 2 * FF_SII_VENDOR, END = IDENTITY + 16 }; // vendor, product, revision, serial number
    static const char *const words[] = {"vendor", "product", "revision", "serial number"};
    const uint32_t expected[] = {p->info.vendor, p->info.product, p->info.revision, p->info.serial};
    const ff_step_result result = handle_words(p, data);
    if (result != FF_STEP_REPEAT || p->eeprom_size < END) return result;
    for (int i = 0; i < 4; i++) {
        const uint32_t actual = ff_get_u32(p->eeprom + IDENTITY + 4 * i);
        if (actual != expected[i])
            return ff_slave_fail(p, "another slave is at its position: the %s is %08lX, and was %08lX", words[i],
                                 (unsigned long)actual, (unsigned long)expected[i]);
    }
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_reidentify[] = {
    {READ("it does not answer", FF_EC_REG_STATION, 2, handle_position), .by = FF_BY_POSITION,
     .accepts_no_answer = true},
    {.error = "its EEPROM cannot be read", .request = request_eeprom, .by = FF_BY_POSITION, .handle = handle_identity},
    {.error = "its station address cannot be set", .request = request_address, .by = FF_BY_POSITION},
    {READ("it does not answer", FF_EC_REG_FEATURES, 2, handle_features)},
    CHANGE_STATE,
    {0}};

// ------------------------------------------------------------------------------------------ unknown slaves

/// The known slaves keep their order on the wire: a slave whose address is not that of the next known one is new.
static ff_step_result handle_next_position(ff_master_slave *p, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    p->eeprom_size = 0;
    p->category = 2 * FF_SII_CATEGORIES;
    if (!p->working_counter) p->position = m->searched_count; // a slave was removed meanwhile
    if (p->position == m->searched_count) return FF_STEP_NEXT;
    if (m->known_before == m->count || ff_get_u16(data) != FF_MASTER_FIRST_STATION + m->known_before)
        return FF_STEP_NEXT;
    m->known_before++;
    return ++p->position < m->searched_count ? FF_STEP_REPEAT : FF_STEP_NEXT;
}

static bool is_unknown(const ff_master_slave *p)
{
    return p->position < p->master->searched_count;
}

static ff_step_result handle_unknown_eeprom(ff_master_slave *p, const uint8_t *data)
{
    const ff_step_result result = handle_eeprom(p, data);
    if (result != FF_STEP_NEXT) return result;
    ff_event_log_unknown_slave(p->master, NULL);
    p->position++;
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_unknown_slave[] = {
    {READ("it does not answer", FF_EC_REG_STATION, 2, handle_next_position), .by = FF_BY_POSITION,
     .accepts_no_answer = true},
    {.error = "its EEPROM cannot be read",
     .request = request_eeprom,
     .by = FF_BY_POSITION,
     .handle = handle_unknown_eeprom,
     .applies = is_unknown},
    {0}};

// ------------------------------------------------------------------------------------------ PRE-OP

static void put_sync_manager(uint8_t *to, unsigned start, unsigned n, unsigned control)
{
    ff_put_u16(to, (uint16_t)start);
    ff_put_u16(to + 2, (uint16_t)n);
    to[4] = (uint8_t)control;
    to[6] = n > 0 ? FF_EC_SM_ENABLE : 0;
}

static void request_mailbox(ff_master_slave *p, ff_master_datagram *a)
{
    uint8_t *data = ff_request_write(p, a, FF_EC_REG_SM, 16);
    const ff_sync_manager *sms = p->sii.sms;
    const uint16_t *mailbox = p->sii.mailbox;
    put_sync_manager(data, mailbox[0], mailbox[1], p->sii.nsm > 0 ? sms[0].control : FF_EC_CONTROL_MAILBOX_OUT);
    put_sync_manager(data + 8, mailbox[2], mailbox[3], p->sii.nsm > 1 ? sms[1].control : FF_EC_CONTROL_MAILBOX_IN);
    p->mailbox = (ff_master_mailbox){0};
}

static void begin_object(ff_master_slave *p, uint16_t index, uint8_t sub)
{
    p->transfer = (ff_ec_sdo){.index = index, .sub = sub};
    p->sdo = &p->transfer;
}

static bool prepare_setting(ff_master_slave *p)
{
    if (p->cursor >= p->config.ninit_command) return false;
    const ff_ec_init_command *s = &p->config.init_commands[p->cursor];
    begin_object(p, s->index, s->sub);
    p->transfer.write = true;
    p->transfer.complete = s->complete;
    p->transfer.n = (uint32_t)s->n;
    memcpy(p->transfer.data, s->data, (size_t)s->n);
    return true;
}

static ff_step_result complete_setting(ff_master_slave *p)
{
    if (p->transfer.state != FF_EC_SDO_DONE) return ff_slave_fail(p, "%s", p->transfer.error);
    p->cursor++;
    return FF_STEP_REPEAT;
}

static bool has_modules(const ff_master_slave *p)
{
    return has_objects(p) && p->sii.nmodule > 0;
}

/// Reads the index distance between the objects of modules; without object F000:01 it is that of axes by ETG.6010.
static bool prepare_distance(ff_master_slave *p)
{
    if (p->cursor++) return false;
    begin_object(p, 0xF000, 1);
    return true;
}

static ff_step_result complete_distance(ff_master_slave *p)
{
    enum { AXES = 0x800 };
    const bool known = p->transfer.state == FF_EC_SDO_DONE && p->transfer.n == 2;
    p->info.distance = known ? ff_get_u16(p->transfer.data) : AXES;
    return FF_STEP_REPEAT;
}

/// Reads the next object of the mapping: 1C12 and 1C13 list PDOs, and the objects of PDOs list mapped objects.
static bool prepare_mapping(ff_master_slave *p)
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

static ff_step_result complete_mapping(ff_master_slave *p)
{
    ff_map_cursor *c = &p->map;
    if (p->transfer.state != FF_EC_SDO_DONE) return ff_slave_fail(p, "its mapping: %s", p->transfer.error);
    if (p->transfer.n > 4)
        return ff_slave_fail(p, "its mapping: object %04X:%02X is too long", p->transfer.index, p->transfer.sub);
    const uint32_t value = (uint32_t)ff_get(p->transfer.data, (int)p->transfer.n);
    if (c->pdos < 0) {
        c->pdos = (int)(value & 0xFF);
        c->pdo = 1;
    } else if (!c->index) {
        if (!(value & 0xFFFF))
            return ff_slave_fail(p, "its mapping: object %04X:%02X is 0", p->transfer.index, p->transfer.sub);
        c->index = (uint16_t)value;
        c->entries = -1;
    } else if (c->entries < 0) {
        c->entries = (int)(value & 0xFF);
        c->entry = 1;
    } else {
        int *n = &p->nmap[c->direction];
        if (*n == FF_MASTER_MAPPED_MAX)
            return ff_slave_fail(p, "it maps more than %d objects in one direction", FF_MASTER_MAPPED_MAX);
        p->maps[c->direction][(*n)++] =
            (ff_master_mapped){(uint16_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)(value & 0xFF)};
        c->entry++;
    }
    return FF_STEP_REPEAT;
}

/// A slave without CoE has the mapping of its EEPROM.
static bool finish_mapping(ff_master_slave *p)
{
    if (!has_objects(p)) {
        memcpy(p->maps, p->sii.maps, sizeof p->maps);
        memcpy(p->nmap, p->sii.nmap, sizeof p->nmap);
    }
    p->info.out_bytes = (ff_mapped_bits(p->maps[FF_MASTER_OUT], p->nmap[FF_MASTER_OUT]) + 7) / 8;
    p->info.in_bytes = (ff_mapped_bits(p->maps[FF_MASTER_IN], p->nmap[FF_MASTER_IN]) + 7) / 8;
    return false;
}

const ff_master_step ff_program_preop[] = {
    {.error = "the sync managers of its mailbox cannot be set", .request = request_mailbox, .applies = has_mailbox},
    CHANGE_STATE,
    TRANSFER(setting, has_objects),
    TRANSFER(distance, has_modules),
    TRANSFER(mapping, has_objects),
    {.error = "", .prepare = finish_mapping},
    {0}};

// ------------------------------------------------------------------------------------------ SAFE-OP

/// The sync manager of a direction; -1: none.
static int find_sync_manager(const ff_master_slave *p, int direction)
{
    enum { OUTPUTS = 3 }; // inputs are 4
    for (int i = 0; i < p->sii.nsm; i++)
        if (p->sii.sms[i].type == OUTPUTS + direction) return i;
    return -1;
}

/// Each sync manager is disabled, then configured: cursor 0 and 1 for outputs, 2 and 3 for inputs.
static void request_process_data(ff_master_slave *p, ff_master_datagram *a)
{
    const int direction = p->cursor / 2, number = find_sync_manager(p, direction);
    const ff_sync_manager *sm = &p->sii.sms[number < 0 ? 0 : number];
    const uint16_t at = (uint16_t)(FF_EC_REG_SM + 8 * (number < 0 ? 2 + direction : number));
    if (p->cursor % 2 == 0)
        ff_request_write(p, a, (uint16_t)(at + 6), 1);
    else
        put_sync_manager(ff_request_write(p, a, at, 8), sm->start, ff_slave_bytes(p, direction), sm->control);
}

static ff_step_result handle_process_data(ff_master_slave *p, const uint8_t *data)
{
    static const char *const words[] = {"outputs", "inputs"};
    (void)data;
    const int direction = p->cursor / 2;
    if (ff_slave_bytes(p, direction) && find_sync_manager(p, direction) < 0)
        return ff_slave_fail(p, "its EEPROM has no sync manager for %s", words[direction]);
    return FF_STEP_NEXT;
}

static void put_fmmu(ff_master_slave *p, uint8_t *to, int direction, uint32_t logical)
{
    const int number = find_sync_manager(p, direction);
    const unsigned n = ff_slave_bytes(p, direction);
    if (number < 0 || !n) return;
    ff_put_u32(to, logical);
    ff_put_u16(to + 4, (uint16_t)n);
    to[7] = 7; // last bit; the first bits are 0
    ff_put_u16(to + 8, p->sii.sms[number].start);
    to[11] = direction == FF_MASTER_OUT ? FF_EC_FMMU_WRITE : FF_EC_FMMU_READ;
    to[12] = 1; // active
}

static void request_fmmus(ff_master_slave *p, ff_master_datagram *a)
{
    const ff_cyclic *images = p->master->images;
    uint8_t *data = ff_request_write(p, a, FF_EC_REG_FMMU, 32);
    put_fmmu(p, data, FF_MASTER_OUT, images[FF_MASTER_OUT].logical + p->info.out_offset);
    put_fmmu(p, data + 16, FF_MASTER_IN, images[FF_MASTER_IN].logical + p->info.in_offset);
}

static bool has_sync(const ff_master_slave *p)
{
    return p->master->options.sync0 && p->info.has_clock;
}

static ff_step_result handle_time(ff_master_slave *p, const uint8_t *data)
{
    p->time = ff_get_u64(data);
    return FF_STEP_NEXT;
}

/// Sync0 by p->cursor: switches it off; sets its cycle; its start, at a multiple of the cycle and 0.1 s ahead, since a
/// start time in the past never comes; switches it on.
static void request_sync(ff_master_slave *p, ff_master_datagram *a)
{
    enum { AHEAD = 100000000 };
    const uint32_t cycle = p->master->options.sync0;
    if (p->cursor == 0)
        ff_request_write(p, a, FF_EC_REG_DC_CONTROL, 2);
    else if (p->cursor == 1)
        ff_put_u32(ff_request_write(p, a, FF_EC_REG_DC_CYCLE0, 4), cycle);
    else if (p->cursor == 2)
        ff_put_u64(ff_request_write(p, a, FF_EC_REG_DC_START, 8), ((p->time + AHEAD) / cycle + 1) * cycle);
    else
        ff_request_write(p, a, FF_EC_REG_DC_ACTIVATION, 1)[0] = FF_EC_DC_ON | FF_EC_DC_SYNC0;
}

const ff_master_step ff_program_safeop[] = {
    {.error = "its sync managers cannot be set",
     .request = request_process_data,
     .handle = handle_process_data,
     .times = 4},
    {.error = "its FMMUs cannot be set", .request = request_fmmus},
    {READ("its clock does not answer", FF_EC_REG_DC_TIME, 8, handle_time), .applies = has_sync},
    {.error = "its Sync0 cannot be set", .request = request_sync, .times = 4, .applies = has_sync},
    CHANGE_STATE,
    {0}};

// ------------------------------------------------------------------------------------------ supervision

/// Logs once that the slave left its state, and once that it is back.
static ff_step_result handle_status(ff_master_slave *p, const uint8_t *data)
{
    ff_ec_master *m = p->master;
    p->info.answers = p->working_counter > 0;
    if (p->info.answers) {
        p->info.state = data[0] & 0x1F;
        p->info.code = ff_get_u16(data + 4);
    }
    const bool left = !p->info.answers || p->info.state != p->requested;
    if (left && !p->loss_reported) {
        m->counts.state_losses++;
        if (!p->info.answers) ff_slaves_forget_positions(m);
        if (!p->info.answers)
            ff_event_log_add(p, "no answer");
        else
            ff_event_log_add(p, "left %s for %s: %s (AL status code %04X)", ff_ec_state_text(p->requested),
                             ff_ec_state_text(p->info.state), ff_ec_al_status_text(p->info.code), p->info.code);
    }
    if (!left && p->loss_reported) ff_event_log_add(p, "back in %s", ff_ec_state_text(p->requested));
    p->loss_reported = left;
    return FF_STEP_NEXT;
}

static bool is_any_slave_missing(const ff_master_slave *p)
{
    return !ff_slaves_all_answer(p->master);
}

/// The station address at the position with the number of this slave. In one frame the programs of all slaves read all
/// positions.
static ff_step_result handle_address_seen(ff_master_slave *p, const uint8_t *data)
{
    p->address_seen = p->working_counter ? ff_get_u16(data) : FF_MASTER_NONE;
    return FF_STEP_NEXT;
}

static bool prepare_poll(ff_master_slave *p)
{
    p->sdo = NULL;
    return p->info.answers && (p->info.state & 0x0F) >= FF_EC_PREOP;
}

const ff_master_step ff_program_watch[] = {
    {READ("it does not answer", FF_EC_REG_AL_STATUS, 6, handle_status), .accepts_no_answer = true},
    {READ("no slave answers", FF_EC_REG_STATION, 2, handle_address_seen), .by = FF_BY_NUMBER,
     .applies = is_any_slave_missing, .accepts_no_answer = true},
    {.error = "its mailbox cannot be read", .prepare = prepare_poll, .applies = has_mailbox},
    {0}};

static bool prepare_user_sdo(ff_master_slave *p)
{
    if (!p->user_sdo || p->cursor++) return false;
    p->transfer = *p->user_sdo;
    p->sdo = &p->transfer;
    return true;
}

static ff_step_result complete_user_sdo(ff_master_slave *p)
{
    if (p->user_sdo) *p->user_sdo = p->transfer;
    p->user_sdo = NULL;
    return FF_STEP_NEXT;
}

const ff_master_step ff_program_sdo[] = {TRANSFER(user_sdo, NULL), {0}};
