// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master (footfall/master.h): sequences from state to state, and the acyclic frames. A sequence has phases: in each
// of them all slaves go through one program, and the next phase begins when all have finished. Between sequences slaves
// are supervised, mailboxes emptied and SDO transfers executed.
#include "master/internal.h"

#include <stdio.h>
#include <stdlib.h>

ff_ec_master_options ff_ec_master_options_default(void)
{
    return (ff_ec_master_options){.frame_timeout = 10000000,
                                  .step_timeout = 5000000000,
                                  .watch_interval = 10000000, // 10 ms, 5 s, 10 ms
                                  .source = {2, 0, 0, 0, 0, 1}};
}

// ------------------------------------------------------------------------------------------ sequences

typedef struct ff_master_phase {
    const ff_master_step *program; // NULL: end of the sequence
    bool all;                      // by broadcast
    bool (*after)(ff_ec_master *m);
} phase;

static bool clear_slaves(ff_ec_master *m)
{
    for (int i = 0; i < m->count; i++) {
        ff_master_slave *p = &m->slaves[i];
        memset(p, 0, sizeof *p);
        p->master = m;
        p->number = i;
    }
    ff_slaves_forget_positions(m);
    return true;
}

static bool check_lengths(ff_ec_master *m)
{
    static const char *const words[] = {"outputs", "inputs"};
    for (int i = 0; i < m->count; i++)
        for (int d = 0; d < 2; d++) {
            const ff_master_slave *p = &m->slaves[i];
            const int planned = d == FF_MASTER_OUT ? p->config.out_bits : p->config.in_bits;
            const unsigned bits = ff_mapped_bits(p->maps[d], p->nmap[d]);
            if (planned < 0 || (unsigned)planned == bits) continue;
            char slave_name[100];
            ff_master_print_slave(p, slave_name, sizeof slave_name);
            snprintf(m->error, sizeof m->error, "%s: its %s have %u bits, %d are expected", slave_name, words[d], bits,
                     planned);
            return false;
        }
    return ff_cyclic_lay_out(m);
}

static const phase TO_PREOP[] = {{ff_program_count, true, clear_slaves},
                                 {ff_program_identify, false, NULL},
                                 {ff_program_preop, false, check_lengths},
                                 {ff_program_latch, true, NULL},
                                 {ff_program_clock_read, false, ff_clocks_compute},
                                 {ff_program_clock_write, false, NULL},
                                 {NULL, false, NULL}};
static const phase TO_SAFEOP[] = {{ff_program_safeop, false, NULL}, {NULL, false, NULL}};
static const phase TO_OP[] = {{ff_program_op, false, NULL}, {NULL, false, NULL}};
static const phase DOWN[] = {{ff_program_down, false, NULL}, {NULL, false, NULL}};

/// The next state on the path from the present one to the requested one.
static ff_ec_state next_state(const ff_ec_master *m)
{
    if (m->requested < m->state) return m->requested;
    return m->state == FF_EC_INIT ? FF_EC_PREOP : m->state == FF_EC_PREOP ? FF_EC_SAFEOP : FF_EC_OP;
}

static const phase *sequence_to(const ff_ec_master *m, ff_ec_state to)
{
    if (to < m->state) return DOWN;
    return to == FF_EC_PREOP ? TO_PREOP : to == FF_EC_SAFEOP ? TO_SAFEOP : TO_OP;
}

static bool is_busy(const ff_ec_master *m)
{
    if (m->all.program) return true;
    for (int i = 0; i < m->count; i++)
        if (m->slaves[i].program) return true;
    return false;
}

static void begin_phase(ff_ec_master *m)
{
    if (m->phase->all) {
        ff_slave_run(&m->all, m->phase->program);
        return;
    }
    for (int i = 0; i < m->count; i++) {
        m->slaves[i].requested = (uint8_t)next_state(m);
        m->slaves[i].loss_reported = false;
        m->slaves[i].reconnect = 0;
        ff_slave_run(&m->slaves[i], m->phase->program);
    }
}

static void fail(ff_ec_master *m)
{
    m->phase = NULL;
    m->all.program = NULL;
    for (int i = 0; i < m->count; i++) m->slaves[i].program = NULL;
}

/// A slave that has not received outputs refuses OP and sends an emergency.
static bool can_begin(const ff_ec_master *m)
{
    return next_state(m) != FF_EC_OP || ff_cyclic_state(&m->images[FF_MASTER_OUT]) == FF_EC_COMPLETE;
}

/// Begins the next phase, or the next sequence, once no program is running.
static void advance_sequence(ff_ec_master *m)
{
    if (is_busy(m)) return;
    if (m->phase) {
        if (m->phase->after && !m->phase->after(m)) {
            fail(m);
            return;
        }
        m->phase++;
        if (!m->phase->program) {
            m->state = next_state(m);
            m->phase = NULL;
        }
    }
    if (!m->phase && m->requested != m->state && !m->error[0] && can_begin(m)) {
        ff_event_log_flush(m); // names and numbers of slaves may change in the sequence
        m->phase = sequence_to(m, next_state(m));
    }
    if (m->phase) begin_phase(m);
}

void ff_ec_master_request(ff_ec_master *m, ff_ec_state state)
{
    m->requested = state;
    if (state != FF_EC_INIT || !m->error[0]) return;
    fail(m); // ends all programs
    m->error[0] = '\0';
    m->state = FF_EC_INIT;
}

static bool has_fallen_to_safeop(const ff_master_slave *p)
{
    return p->loss_reported && p->info.answers && p->requested == FF_EC_OP && (p->info.state & 0x0F) == FF_EC_SAFEOP;
}

/// Chooses the next program of a slave that runs none.
static void assign_program(ff_master_slave *p, bool due)
{
    if (p->reconnect && ff_reconnect_continue(p)) return;
    if (p->user_sdo)
        ff_slave_run(p, ff_program_sdo);
    else if (due && ff_reconnect_is_due(p))
        ff_reconnect_continue(p);
    else if (due)
        ff_slave_run(p, has_fallen_to_safeop(p) ? ff_program_op : ff_program_watch);
}

/// More slaves answer than are known, and no known slave is missing: then new ones are searched for from the first
/// position on, once for each number of slaves. A number that has just changed may be due to slaves that fell silent;
/// the round of polls that begins now will show it. @return false: all new slaves have been logged
static bool is_new_slave_expected(ff_ec_master *m)
{
    const int present = m->counts.slaves > m->count ? m->counts.slaves : 0;
    const bool changed = m->counts.slaves != m->last_count;
    m->last_count = m->counts.slaves;
    if (changed) return false;
    if (present != m->searched_count) m->all.position = m->known_before = 0;
    m->searched_count = present;
    return m->all.position < present;
}

/// Polls slaves and starts the transfers of the caller. A slave that fell back to SAFE-OP is brought to OP again, and
/// one that lost its power is configured again; while slaves are missing, those that answer are counted.
static void supervise(ff_ec_master *m)
{
    const bool due = m->now >= m->next_watch;
    if (m->state < FF_EC_PREOP || m->phase) return;
    if (due) m->next_watch = m->now + m->options.watch_interval;
    if (due) ff_event_log_flush(m);
    for (int i = 0; i < m->count; i++)
        if (!m->slaves[i].program) assign_program(&m->slaves[i], due);
    if (due && !ff_slaves_all_answer(m))
        ff_slave_run(&m->all, ff_program_recount);
    else if (due && !m->all.program && is_new_slave_expected(m))
        ff_slave_run(&m->all, ff_program_unknown_slave);
}

// ------------------------------------------------------------------------------------------ programs

/// A failure during a sequence ends the sequence; a failure of supervision or of a transfer concerns its slave only.
static void fail_slave(ff_master_slave *p)
{
    ff_ec_master *m = p->master;
    const bool in_sequence = m->phase;
    char text[280];
    if (p->info.state & FF_EC_AL_ERROR)
        snprintf(text, sizeof text, "%s: it is in %s, %s (AL status code %04X)", p->error,
                 ff_ec_state_text(p->info.state), ff_ec_al_status_text(p->info.code), p->info.code);
    else
        snprintf(text, sizeof text, "%s", p->error);
    const bool for_user_sdo = p->program == ff_program_sdo && p->user_sdo,
               for_unknown_slave = p->program == ff_program_unknown_slave;
    p->program = NULL;
    if (for_unknown_slave) {
        ff_event_log_unknown_slave(m, p->error);
        p->position++;
    }
    if (for_user_sdo) {
        p->user_sdo->state = FF_EC_SDO_FAILED;
        snprintf(p->user_sdo->error, sizeof p->user_sdo->error, "object %04X:%02X: %.120s", p->user_sdo->index,
                 p->user_sdo->sub, p->error);
        p->user_sdo = NULL;
    }
    if (p->reconnect) ff_reconnect_fail(p);
    if (!in_sequence) return;
    char slave_name[100] = "";
    if (p->number >= 0) ff_master_print_slave(p, slave_name, sizeof slave_name);
    snprintf(m->error, sizeof m->error, "%s%s%s", slave_name, slave_name[0] ? ": " : "", text);
    fail(m);
}

static void next_step(ff_master_slave *p)
{
    p->step++;
    p->cursor = 0;
    p->entered = false;
    if (!p->step->error) p->program = NULL;
}

/// Skips steps that do not apply. @return false: the program is finished
static bool enter_step(ff_master_slave *p)
{
    while (p->program && !p->entered) {
        p->deadline = p->master->now + p->master->options.step_timeout;
        p->entered = true;
        if (p->step->applies && !p->step->applies(p))
            next_step(p);
        else if (p->step->prepare && !p->step->prepare(p))
            next_step(p);
        else if (p->step->prepare)
            ff_mailbox_begin(p);
    }
    return p->program;
}

static void apply_result(ff_master_slave *p, ff_step_result result)
{
    if (result == FF_STEP_RETRY && p->master->now > p->deadline) result = ff_slave_fail(p, "%s", p->step->error);
    if (result == FF_STEP_NEXT && ++p->cursor < p->step->times) result = FF_STEP_REPEAT;
    switch (result) {
    case FF_STEP_NEXT:
        next_step(p);
        break;
    case FF_STEP_REPEAT:
        p->deadline = p->master->now + p->master->options.step_timeout;
        break;
    case FF_STEP_RETRY:
        break;
    case FF_STEP_FAIL:
        fail_slave(p);
    }
}

/// The transfer of a step is finished; the step decides whether another follows.
static void finish_transfer(ff_master_slave *p)
{
    const ff_step_result result = p->step->complete ? p->step->complete(p) : FF_STEP_NEXT;
    if (result == FF_STEP_REPEAT) p->entered = false;
    apply_result(p, result);
}

/// @param counter  -1: the frame was lost
static void answer(ff_master_slave *p, int counter, const uint8_t *data)
{
    if (!p->program || !p->entered) return; // the program failed meanwhile
    if (p->step->prepare) {
        const ff_step_result result = ff_mailbox_handle(p, counter, data);
        if (result == FF_STEP_NEXT)
            finish_transfer(p);
        else
            apply_result(p, result);
    } else if (counter < (p->step->accepts_no_answer ? 0 : 1)) {
        apply_result(p, FF_STEP_RETRY);
    } else {
        p->working_counter = (unsigned)counter;
        apply_result(p, p->step->handle ? p->step->handle(p, data) : FF_STEP_NEXT);
    }
}

// ------------------------------------------------------------------------------------------ frames

static ff_master_slave *sender(ff_ec_master *m, int number)
{
    return number < 0 ? &m->all : &m->slaves[number];
}

/// @return false: the frame is full
static bool add_datagram(ff_ec_master *m, ff_master_slave *p)
{
    ff_master_datagram a;
    if (p->step->prepare)
        ff_mailbox_request(p, &a);
    else if (p->step->n)
        ff_request_read(p, &a, p->step->ado, p->step->n);
    else
        p->step->request(p, &a);
    if (p->step->by != FF_BY_STATION) {
        a.command = a.command == FF_EC_FPRD || a.command == FF_EC_BRD ? FF_EC_APRD : FF_EC_APWR;
        a.adp = (uint16_t) - (p->step->by == FF_BY_NUMBER ? p->number : p->position);
    }
    uint8_t *data = ff_ec_frame_add(&m->frame, a.command, m->index, ff_ec_physical(a.adp, a.ado), a.n);
    if (!data) return false;
    memcpy(data, a.data, a.n);
    m->senders[m->nsender++] = p->number;
    return true;
}

/// Slaves whose datagrams do not fit come first in the next frame.
static void fill_frame(ff_ec_master *m)
{
    m->index = (uint8_t)((m->index + 1) & 0x7F);
    m->nsender = 0;
    ff_ec_frame_begin(&m->frame, m->options.source);
    if (m->all.program && enter_step(&m->all)) add_datagram(m, &m->all);
    const int first = m->first < m->count ? m->first : 0;
    m->first = 0;
    for (int k = 0; k < m->count; k++) {
        const int i = (first + k) % m->count;
        if (!m->slaves[i].program || !enter_step(&m->slaves[i])) continue;
        if (!add_datagram(m, &m->slaves[i])) {
            m->first = i;
            return;
        }
    }
}

static void handle_lost_frame(ff_ec_master *m)
{
    m->in_flight = false;
    m->counts.lost++;
    for (int i = 0; i < m->nsender; i++) answer(sender(m, m->senders[i]), -1, NULL);
    m->nsender = 0;
}

size_t ff_ec_master_poll(ff_ec_master *m, uint64_t now, unsigned char bytes[FF_EC_PACKET_MAX])
{
    m->now = now;
    size_t size = ff_cyclic_poll(m, bytes);
    if (!size) {
        if (m->in_flight && now - m->sent_at > m->options.frame_timeout) handle_lost_frame(m);
        if (m->in_flight) return 0;
        for (int tries = 0; tries < 3 && m->nsender == 0; tries++) { // a program may end without a datagram
            advance_sequence(m);
            supervise(m);
            if (!is_busy(m)) return 0;
            fill_frame(m);
        }
        if (m->nsender == 0) return 0;
        m->in_flight = true;
        m->sent_at = now;
        size = ff_ec_frame_finish(&m->frame);
        memcpy(bytes, m->frame.bytes, size);
    }
    m->counts.sent++;
    return size;
}

void ff_ec_master_receive(ff_ec_master *m, uint64_t now, const unsigned char *bytes, size_t size)
{
    const int index = ff_ec_frame_index(bytes, size);
    m->now = now;
    if (index < 0) return;
    if (!ff_ec_frame_is_from(bytes, m->options.source)) {
        ff_event_log_foreign_frame(m, bytes + 6);
        return;
    }
    if (index & 0x80) {
        ff_cyclic_handle(m, index, bytes, size);
        return;
    }
    ff_ec_reply r = {0};
    if (!ff_ec_frame_answers(&m->frame, bytes, size)) return;
    if (!m->in_flight) ff_event_log_duplicate_frame(m);
    if (!m->in_flight) return;
    m->in_flight = false;
    for (int i = 0; i < m->nsender && ff_ec_reply_next(&r, bytes); i++)
        answer(sender(m, m->senders[i]), (int)r.counter, r.data);
    m->nsender = 0;
}

// ---------------------------------------------------------------------------------- queries and commands of the caller

ff_ec_master *ff_ec_master_create(const ff_ec_master_options *options, ff_error *err)
{
    ff_ec_master *m = calloc(1, sizeof *m);
    if (m) m->slaves = calloc(FF_MASTER_SLAVES_MAX, sizeof *m->slaves);
    if (!m || !m->slaves) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the master");
        ff_ec_master_destroy(m);
        return NULL;
    }
    m->options = options ? *options : ff_ec_master_options_default();
    m->state = m->requested = FF_EC_INIT;
    m->reference = -1;
    m->all.master = m;
    m->all.number = -1;
    return m;
}

void ff_ec_master_destroy(ff_ec_master *m)
{
    if (!m) return;
    ff_event_log_flush(m);
    free(m->images[0].bytes);
    free(m->images[1].bytes);
    free(m->slaves);
    free(m);
}

/// A slave that left its state by itself lowers the result.
ff_ec_state ff_ec_master_state(const ff_ec_master *m)
{
    ff_ec_state state = m->state;
    if (m->phase || state == FF_EC_INIT) return state;
    for (int i = 0; i < m->count; i++) {
        const ff_ec_slave_info *f = &m->slaves[i].info;
        const ff_ec_state its = f->answers ? (ff_ec_state)(f->state & 0x0F) : FF_EC_INIT;
        if (its < state) state = its;
    }
    return state;
}

bool ff_ec_master_is_changing(const ff_ec_master *m)
{
    return m->phase || (m->requested != m->state && !m->error[0]);
}

const char *ff_ec_master_error(const ff_ec_master *m)
{
    return m->error;
}

int ff_ec_master_count(const ff_ec_master *m)
{
    return m->count;
}

const ff_ec_slave_info *ff_ec_master_slave(const ff_ec_master *m, int slave)
{
    return slave >= 0 && slave < m->count ? &m->slaves[slave].info : NULL;
}

int ff_ec_master_find(const ff_ec_master *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->slaves[i].info.name, name) == 0) return i;
    return -1;
}

int ff_ec_master_find_device(const ff_ec_master *m, const char *name, uint16_t *shift)
{
    *shift = 0;
    for (int i = 0; i < m->count; i++) {
        const ff_ec_slave_info *f = &m->slaves[i].info;
        for (int k = 0; k < f->nmodule; k++) {
            if (strcmp(f->modules[k], name) != 0) continue;
            *shift = (uint16_t)(k * f->distance);
            return i;
        }
    }
    return ff_ec_master_find(m, name);
}

int ff_ec_master_find_mapped(const ff_ec_master *m, int slave, bool output, uint16_t index, uint8_t sub)
{
    const int d = output ? FF_MASTER_OUT : FF_MASTER_IN;
    if (slave < 0 || slave >= m->count) return -1;
    return ff_mapped_find(m->slaves[slave].maps[d], m->slaves[slave].nmap[d], index, sub);
}

ff_ec_master_counts ff_ec_master_get_counts(const ff_ec_master *m)
{
    return m->counts;
}

size_t ff_ec_master_image_size(const ff_ec_master *m, bool output)
{
    return m->images[output ? FF_MASTER_OUT : FF_MASTER_IN].size;
}

void ff_ec_master_read(ff_ec_master *m)
{
    if (m->state >= FF_EC_SAFEOP) ff_cyclic_begin(m, FF_MASTER_IN);
}

ff_ec_exchange ff_ec_master_is_read(const ff_ec_master *m)
{
    return ff_cyclic_state(&m->images[FF_MASTER_IN]);
}

const unsigned char *ff_ec_master_inputs(const ff_ec_master *m)
{
    return m->images[FF_MASTER_IN].bytes;
}

void ff_ec_master_write(ff_ec_master *m, const unsigned char *outputs)
{
    if (m->state < FF_EC_SAFEOP) return;
    memcpy(m->images[FF_MASTER_OUT].bytes, outputs, m->images[FF_MASTER_OUT].size);
    ff_cyclic_begin(m, FF_MASTER_OUT);
}

ff_ec_exchange ff_ec_master_is_written(const ff_ec_master *m)
{
    return ff_cyclic_state(&m->images[FF_MASTER_OUT]);
}

bool ff_ec_master_outputs_reached_a_slave(const ff_ec_master *m)
{
    const ff_cyclic *image = &m->images[FF_MASTER_OUT];
    unsigned slaves = 0;
    for (int i = 0; i < image->nframe; i++) slaves += image->frames[i].counter;
    return slaves > 0;
}

uint64_t ff_ec_master_time(const ff_ec_master *m)
{
    return m->reference_time;
}

bool ff_ec_master_begin_sdo(ff_ec_master *m, int slave, ff_ec_sdo *sdo)
{
    if (slave < 0 || slave >= m->count || m->state < FF_EC_PREOP || m->slaves[slave].user_sdo) return false;
    if (!m->slaves[slave].sii.coe || !m->slaves[slave].sii.mailbox[1] || sdo->n > sizeof sdo->data) return false;
    sdo->state = FF_EC_SDO_PENDING;
    sdo->error[0] = '\0';
    m->slaves[slave].user_sdo = sdo;
    return true;
}

void ff_ec_master_cancel_sdo(ff_ec_master *m, int slave)
{
    if (slave >= 0 && slave < m->count) m->slaves[slave].user_sdo = NULL;
}
