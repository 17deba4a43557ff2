// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master (footfall/master.h): ways from state to state, and the frames of what is not cyclic. A way has legs; in
// each, all slaves go through one program, and the next begins when all have ended. While no way is gone, slaves are
// watched, mailboxes emptied, objects transferred.
#include "master/inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

ff_ec_master_options ff_ec_master_options_default(void)
{
    return (ff_ec_master_options){.frame_timeout = 10000000,
                                  .step_timeout = 5000000000,
                                  .watch = 10000000, // 10 ms, 5 s, 10 ms
                                  .source = {2, 0, 0, 0, 0, 1}};
}

// ------------------------------------------------------------------------------------------ ways

typedef struct ff_ec_master_leg {
    const ff_master_step *program; // NULL: end of the way
    bool all;                      // by broadcast
    bool (*after)(ff_ec_master *m);
} leg;

static bool make_peers(ff_ec_master *m)
{
    for (int i = 0; i < m->count; i++) {
        ff_master_peer *p = &m->peers[i];
        memset(p, 0, sizeof *p);
        p->master = m;
        p->number = i;
    }
    ff_comeback_forget_places(m);
    return true;
}

static bool check_lengths(ff_ec_master *m)
{
    static const char *const words[] = {"outputs", "inputs"};
    for (int i = 0; i < m->count; i++)
        for (int d = 0; d < 2; d++) {
            const ff_master_peer *p = &m->peers[i];
            const int planned = d == FF_MASTER_OUT ? p->planned.out_bits : p->planned.in_bits;
            const unsigned bits = ff_mapped_bits(p->maps[d], p->nmap[d]);
            if (planned < 0 || (unsigned)planned == bits) continue;
            char who[100];
            ff_master_print_slave(p, who, sizeof who);
            snprintf(m->why, sizeof m->why, "%s: its %s have %u bits, the plan has %d", who, words[d], bits, planned);
            return false;
        }
    return ff_cyclic_lay_out(m);
}

static bool compute_clocks(ff_ec_master *m)
{
    ff_clocks_compute(m);
    return true;
}

static const leg TO_PREOP[] = {{ff_program_count, true, make_peers},
                               {ff_program_identify, false, NULL},
                               {ff_program_preop, false, check_lengths},
                               {ff_program_latch, true, NULL},
                               {ff_program_clock_read, false, compute_clocks},
                               {ff_program_clock_write, false, NULL},
                               {NULL, false, NULL}};
static const leg TO_SAFEOP[] = {{ff_program_safeop, false, NULL}, {NULL, false, NULL}};
static const leg TO_OP[] = {{ff_program_op, false, NULL}, {NULL, false, NULL}};
static const leg DOWN[] = {{ff_program_down, false, NULL}, {NULL, false, NULL}};

/// The state that a way leads to from the present one.
static ff_ec_state next_state(const ff_ec_master *m)
{
    if (m->wanted < m->state) return m->wanted;
    return m->state == FF_EC_INIT ? FF_EC_PREOP : m->state == FF_EC_PREOP ? FF_EC_SAFEOP : FF_EC_OP;
}

static const leg *way_to(const ff_ec_master *m, ff_ec_state to)
{
    if (to < m->state) return DOWN;
    return to == FF_EC_PREOP ? TO_PREOP : to == FF_EC_SAFEOP ? TO_SAFEOP : TO_OP;
}

static bool is_busy(const ff_ec_master *m)
{
    if (m->all.program) return true;
    for (int i = 0; i < m->count; i++)
        if (m->peers[i].program) return true;
    return false;
}

static void begin_leg(ff_ec_master *m)
{
    if (m->leg->all) {
        ff_peer_run(&m->all, m->leg->program);
        return;
    }
    for (int i = 0; i < m->count; i++) {
        m->peers[i].wanted = (uint8_t)next_state(m);
        m->peers[i].told_left = false;
        m->peers[i].comeback = 0;
        ff_peer_run(&m->peers[i], m->leg->program);
    }
}

static void fail(ff_ec_master *m)
{
    m->leg = NULL;
    m->all.program = NULL;
    for (int i = 0; i < m->count; i++) m->peers[i].program = NULL;
}

/// A slave that has not got its outputs refuses OP, and says so by an emergency.
static bool may_begin(const ff_ec_master *m)
{
    return next_state(m) != FF_EC_OP || ff_cyclic_state(&m->images[FF_MASTER_OUT]) == FF_EC_SOUND;
}

/// On to the next leg or way, once nobody is busy.
static void go_on(ff_ec_master *m)
{
    if (is_busy(m)) return;
    if (m->leg) {
        if (m->leg->after && !m->leg->after(m)) {
            fail(m);
            return;
        }
        m->leg++;
        if (!m->leg->program) {
            m->state = next_state(m);
            m->leg = NULL;
        }
    }
    if (!m->leg && m->wanted != m->state && !m->why[0] && may_begin(m)) {
        ff_master_tell(m); // while numbers are what they were
        m->leg = way_to(m, next_state(m));
    }
    if (m->leg) begin_leg(m);
}

void ff_ec_master_request(ff_ec_master *m, ff_ec_state state)
{
    m->wanted = state;
    if (state != FF_EC_INIT || !m->why[0]) return;
    fail(m); // whatever is under way
    m->why[0] = '\0';
    m->state = FF_EC_INIT;
}

static bool has_fallen(const ff_master_peer *p)
{
    return p->told_left && p->found.answers && p->wanted == FF_EC_OP && (p->found.state & 0x0F) == FF_EC_SAFEOP;
}

bool ff_master_all_answer(const ff_ec_master *m)
{
    for (int i = 0; i < m->count; i++)
        if (!m->peers[i].found.answers) return false;
    return true;
}

/// What a slave does next that has nothing to do.
static void employ(ff_master_peer *p, bool due)
{
    if (p->comeback && ff_comeback_go_on(p)) return;
    if (p->user)
        ff_peer_run(p, ff_program_sdo);
    else if (due && ff_comeback_is_due(p))
        ff_comeback_go_on(p);
    else if (due)
        ff_peer_run(p, has_fallen(p) ? ff_program_op : ff_program_watch);
}

/// More slaves than are known, who all answer: those that are new are looked for, once for each number of slaves, from
/// the first place on. A number that has just changed may be that of slaves who fell silent: the round that begins now
/// will show it. @return false: there are none that were not told
static bool is_anybody_new(ff_ec_master *m)
{
    const int present = m->counts.slaves > m->count ? m->counts.slaves : 0;
    const bool changed = m->counts.slaves != m->counted;
    m->counted = m->counts.slaves;
    if (changed) return false;
    if (present != m->strangers_of) m->all.place = m->passed = 0;
    m->strangers_of = present;
    return m->all.place < present;
}

/// Watching, and transfers that somebody waits for. A slave that fell back to SAFE-OP is brought to OP again, and one
/// that lost its power is configured anew; where some do not answer, it is counted how many there are.
static void attend(ff_ec_master *m)
{
    const bool due = m->now >= m->watch_at;
    if (m->state < FF_EC_PREOP || m->leg) return;
    if (due) m->watch_at = m->now + m->options.watch;
    if (due) ff_master_tell(m);
    for (int i = 0; i < m->count; i++)
        if (!m->peers[i].program) employ(&m->peers[i], due);
    if (due && !ff_master_all_answer(m))
        ff_peer_run(&m->all, ff_program_recount);
    else if (due && !m->all.program && is_anybody_new(m))
        ff_peer_run(&m->all, ff_program_stranger);
}

// ------------------------------------------------------------------------------------------ programs

void ff_peer_run(ff_master_peer *p, const ff_master_step *program)
{
    p->program = p->step = program;
    p->entered = false;
    p->cursor = 0;
    p->why[0] = '\0';
}

ff_master_verdict ff_peer_fail(ff_master_peer *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->why, sizeof p->why, format, list);
    va_end(list);
    return FF_VERDICT_FAIL;
}

void ff_ask_read(ff_master_peer *p, ff_master_ask *a, uint16_t ado, unsigned n)
{
    a->command = p->number < 0 ? FF_EC_BRD : FF_EC_FPRD;
    a->adp = p->number < 0 ? 0 : p->found.station;
    a->ado = ado;
    a->n = n;
    memset(a->data, 0, n);
}

uint8_t *ff_ask_write(ff_master_peer *p, ff_master_ask *a, uint16_t ado, unsigned n)
{
    ff_ask_read(p, a, ado, n);
    a->command = p->number < 0 ? FF_EC_BWR : FF_EC_FPWR;
    return a->data;
}

/// A way fails with one slave; what is done besides fails alone.
static void fail_peer(ff_master_peer *p)
{
    ff_ec_master *m = p->master;
    const bool on_way = m->leg;
    char text[280];
    if (p->found.state & FF_EC_AL_ERROR)
        snprintf(text, sizeof text, "%s: it is in %s, %s (AL status code %04X)", p->why,
                 ff_ec_state_words(p->found.state), ff_ec_al_words(p->found.code), p->found.code);
    else
        snprintf(text, sizeof text, "%s", p->why);
    const bool for_user = p->program == ff_program_sdo && p->user, for_stranger = p->program == ff_program_stranger;
    p->program = NULL;
    if (for_stranger) {
        ff_master_tell_stranger(m, p->why);
        p->place++;
    }
    if (for_user) {
        p->user->state = FF_EC_SDO_REFUSED;
        snprintf(p->user->why, sizeof p->user->why, "object %04X:%02X: %.120s", p->user->index, p->user->sub, p->why);
        p->user = NULL;
    }
    if (p->comeback) ff_comeback_fail(p);
    if (!on_way) return;
    char who[100] = "";
    if (p->number >= 0) ff_master_print_slave(p, who, sizeof who);
    snprintf(m->why, sizeof m->why, "%s%s%s", who, who[0] ? ": " : "", text);
    fail(m);
}

static void move_on(ff_master_peer *p)
{
    p->step++;
    p->cursor = 0;
    p->entered = false;
    if (!p->step->what) p->program = NULL;
}

/// Passes over steps with nothing to do. @return false: the program is over
static bool enter(ff_master_peer *p)
{
    while (p->program && !p->entered) {
        p->deadline = p->master->now + p->master->options.step_timeout;
        p->entered = true;
        if (p->step->applies && !p->step->applies(p))
            move_on(p);
        else if (p->step->prepare && !p->step->prepare(p))
            move_on(p);
        else if (p->step->prepare)
            ff_master_talk_begin(p);
    }
    return p->program;
}

static void obey(ff_master_peer *p, ff_master_verdict verdict)
{
    if (verdict == FF_VERDICT_AGAIN && p->master->now > p->deadline) verdict = ff_peer_fail(p, "%s", p->step->what);
    switch (verdict) {
    case FF_VERDICT_NEXT:
        move_on(p);
        break;
    case FF_VERDICT_STAY:
        p->deadline = p->master->now + p->master->options.step_timeout;
        break;
    case FF_VERDICT_AGAIN:
        break;
    case FF_VERDICT_FAIL:
        fail_peer(p);
    }
}

/// An object is transferred; the step says whether another follows.
static void hear(ff_master_peer *p)
{
    const ff_master_verdict verdict = p->step->told ? p->step->told(p) : FF_VERDICT_NEXT;
    if (verdict == FF_VERDICT_STAY) p->entered = false;
    obey(p, verdict);
}

/// @param counter  -1: the frame was lost
static void answer(ff_master_peer *p, int counter, const uint8_t *data)
{
    if (!p->program || !p->entered) return; // it failed meanwhile
    if (p->step->prepare) {
        const ff_master_verdict verdict = ff_master_talk_take(p, counter, data);
        if (verdict == FF_VERDICT_NEXT)
            hear(p);
        else
            obey(p, verdict);
    } else if (counter < (p->step->hears_silence ? 0 : 1))
        obey(p, FF_VERDICT_AGAIN);
    else
        obey(p, p->step->take(p, (unsigned)counter, data));
}

// ------------------------------------------------------------------------------------------ frames

static ff_master_peer *rider(ff_ec_master *m, int number)
{
    return number < 0 ? &m->all : &m->peers[number];
}

/// @return false: no room
static bool board(ff_ec_master *m, ff_master_peer *p)
{
    ff_master_ask a;
    if (p->step->prepare)
        ff_master_talk_ask(p, &a);
    else
        p->step->ask(p, &a);
    uint8_t *data = ff_ec_frame_add(&m->frame, a.command, m->index, ff_ec_physical(a.adp, a.ado), a.n);
    if (!data) return false;
    memcpy(data, a.data, a.n);
    m->riders[m->nrider++] = p->number;
    return true;
}

/// Those who found no room come first in the next frame.
static void fill(ff_ec_master *m)
{
    m->index = (uint8_t)((m->index + 1) & 0x7F);
    m->nrider = 0;
    ff_ec_frame_begin(&m->frame, m->options.source);
    if (m->all.program && enter(&m->all)) board(m, &m->all);
    const int first = m->first < m->count ? m->first : 0;
    m->first = 0;
    for (int k = 0; k < m->count; k++) {
        const int i = (first + k) % m->count;
        if (!m->peers[i].program || !enter(&m->peers[i])) continue;
        if (!board(m, &m->peers[i])) {
            m->first = i;
            return;
        }
    }
}

static void lose(ff_ec_master *m)
{
    m->away = false;
    m->counts.lost++;
    for (int i = 0; i < m->nrider; i++) answer(rider(m, m->riders[i]), -1, NULL);
    m->nrider = 0;
}

size_t ff_ec_master_poll(ff_ec_master *m, uint64_t now, unsigned char bytes[FF_EC_PACKET_MOST])
{
    m->now = now;
    size_t size = ff_cyclic_poll(m, bytes);
    if (!size) {
        if (m->away && now - m->sent_at > m->options.frame_timeout) lose(m);
        if (m->away) return 0;
        for (int tries = 0; tries < 3 && m->nrider == 0; tries++) { // a program may end without a datagram
            go_on(m);
            attend(m);
            if (!is_busy(m)) return 0;
            fill(m);
        }
        if (m->nrider == 0) return 0;
        m->away = true;
        m->sent_at = now;
        size = ff_ec_frame_finish(&m->frame);
        memcpy(bytes, m->frame.bytes, size);
    }
    m->counts.sent++;
    return size;
}

void ff_ec_master_take(ff_ec_master *m, uint64_t now, const unsigned char *bytes, size_t size)
{
    const int index = ff_ec_frame_index(bytes, size);
    m->now = now;
    if (index < 0) return;
    if (!ff_ec_frame_is_from(bytes, m->options.source)) {
        ff_master_note_foreign(m, bytes + 6);
        return;
    }
    if (index & 0x80) {
        ff_cyclic_take(m, index, bytes, size);
        return;
    }
    ff_ec_reply r = {0};
    if (!ff_ec_frame_answers(&m->frame, bytes, size)) return;
    if (!m->away) ff_master_note_doubled(m);
    if (!m->away) return;
    m->away = false;
    for (int i = 0; i < m->nrider && ff_ec_reply_next(&r, bytes); i++)
        answer(rider(m, m->riders[i]), (int)r.counter, r.data);
    m->nrider = 0;
}

// ------------------------------------------------------------------------------------------ what others ask

ff_ec_master *ff_ec_master_create(const ff_ec_master_options *options, ff_error *err)
{
    ff_ec_master *m = calloc(1, sizeof *m);
    if (m) m->peers = calloc(FF_MASTER_SLAVES, sizeof *m->peers);
    if (!m || !m->peers) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the master");
        ff_ec_master_destroy(m);
        return NULL;
    }
    m->options = options ? *options : ff_ec_master_options_default();
    m->state = m->wanted = FF_EC_INIT;
    m->reference = -1;
    m->all.master = m;
    m->all.number = -1;
    return m;
}

void ff_ec_master_destroy(ff_ec_master *m)
{
    if (!m) return;
    ff_master_tell(m);
    free(m->images[0].bytes);
    free(m->images[1].bytes);
    free(m->peers);
    free(m);
}

/// Also a slave that left its state by itself counts.
ff_ec_state ff_ec_master_state(const ff_ec_master *m)
{
    ff_ec_state state = m->state;
    if (m->leg || state == FF_EC_INIT) return state;
    for (int i = 0; i < m->count; i++) {
        const ff_ec_found *f = &m->peers[i].found;
        const ff_ec_state its = f->answers ? (ff_ec_state)(f->state & 0x0F) : FF_EC_INIT;
        if (its < state) state = its;
    }
    return state;
}

bool ff_ec_master_is_changing(const ff_ec_master *m)
{
    return m->leg || (m->wanted != m->state && !m->why[0]);
}

const char *ff_ec_master_why(const ff_ec_master *m)
{
    return m->why;
}

int ff_ec_master_count(const ff_ec_master *m)
{
    return m->count;
}

const ff_ec_found *ff_ec_master_slave(const ff_ec_master *m, int slave)
{
    return slave >= 0 && slave < m->count ? &m->peers[slave].found : NULL;
}

int ff_ec_master_find(const ff_ec_master *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->peers[i].found.name, name) == 0) return i;
    return -1;
}

int ff_ec_master_find_device(const ff_ec_master *m, const char *name, uint16_t *shift)
{
    *shift = 0;
    for (int i = 0; i < m->count; i++) {
        const ff_ec_found *f = &m->peers[i].found;
        for (int k = 0; k < f->nmodule; k++) {
            if (strcmp(f->modules[k], name) != 0) continue;
            *shift = (uint16_t)(k * f->distance);
            return i;
        }
    }
    return ff_ec_master_find(m, name);
}

int ff_ec_master_mapped(const ff_ec_master *m, int slave, bool output, uint16_t index, uint8_t sub)
{
    const int d = output ? FF_MASTER_OUT : FF_MASTER_IN;
    if (slave < 0 || slave >= m->count) return -1;
    return ff_mapped_find(m->peers[slave].maps[d], m->peers[slave].nmap[d], index, sub);
}

ff_ec_master_counts ff_ec_master_get_counts(const ff_ec_master *m)
{
    return m->counts;
}

size_t ff_ec_master_image(const ff_ec_master *m, bool output)
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

bool ff_ec_master_is_heard(const ff_ec_master *m)
{
    const ff_cyclic *image = &m->images[FF_MASTER_OUT];
    unsigned slaves = 0;
    for (int i = 0; i < image->nslot; i++) slaves += image->slots[i].counter;
    return slaves > 0;
}

uint64_t ff_ec_master_time(const ff_ec_master *m)
{
    return m->reference_time;
}

bool ff_ec_master_sdo(ff_ec_master *m, int slave, ff_ec_sdo *sdo)
{
    if (slave < 0 || slave >= m->count || m->state < FF_EC_PREOP || m->peers[slave].user) return false;
    if (!m->peers[slave].says.coe || !m->peers[slave].says.mailbox[1] || sdo->n > sizeof sdo->data) return false;
    sdo->state = FF_EC_SDO_WAITS;
    sdo->why[0] = '\0';
    m->peers[slave].user = sdo;
    return true;
}

void ff_ec_master_forget(ff_ec_master *m, int slave)
{
    if (slave >= 0 && slave < m->count) m->peers[slave].user = NULL;
}
