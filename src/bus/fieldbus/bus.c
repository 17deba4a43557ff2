// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master as a field bus (footfall/fieldbus.h). The layer's functions wait for what they ask for, bounded by the
// options; while they wait, whatever else the master has to say goes over the wire as well.
#include <footfall/fieldbus.h>

#include "base/bytes.h"
#include "fieldbus/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double longest_start = 60.0; // until PRE-OP  [s]
static const double longest_object = 5.0; // before process data flow, when nothing else waits  [s]

struct ff_ec_bus {
    ff_ec_wire wire;
    ff_ec_bus_options options;
    ff_ec_master *master;
    ff_arena arena;
    ff_wiring wiring;
    ff_bus_objects objects;
    double period;
    bool clocked; // some slave has a distributed clock
    unsigned char *outputs;
    ff_bus_state asked; // by the layer, state by state
    int wrong;          // exchanges of outputs in a row
    int64_t exchanges;
    uint64_t epoch;
};

ff_ec_bus_options ff_ec_bus_options_default(void)
{
    return (ff_ec_bus_options){.master = ff_ec_master_options_default(), .patience = 0.01, .slack = 0.5, .lost = 1};
}

// ------------------------------------------------------------------------------------------ waiting

/// More answers than a master has asked for in one cycle, so that a flood ends.
enum { MOST_WAITING = 64 };

typedef bool (*condition)(const ff_ec_bus *b, const void *what);

/// Waits for an answer, at most for a time [s]. @return false: none came
static bool take_answer(ff_ec_bus *b, double wait)
{
    unsigned char bytes[FF_EC_PACKET_MOST];
    const size_t size = b->wire.receive(b->wire.context, bytes, wait);
    if (size) ff_ec_master_take(b->master, b->wire.now(b->wire.context), bytes, size);
    return size;
}

/// Carries frames until something holds, at most for a time [s]. What came since the last call is taken first: it is
/// not late because nobody looked. @return whether it holds
static bool carry(ff_ec_bus *b, condition holds, const void *what, double most)
{
    unsigned char bytes[FF_EC_PACKET_MOST];
    const uint64_t begin = b->wire.now(b->wire.context);
    int waiting = MOST_WAITING;
    while (waiting > 0 && take_answer(b, 0.0)) waiting--;
    for (;;) {
        const uint64_t now = b->wire.now(b->wire.context);
        const double rest = most - 1e-9 * (double)(now - begin);
        size_t size;
        while ((size = ff_ec_master_poll(b->master, now, bytes)) > 0) b->wire.send(b->wire.context, bytes, size);
        if (holds(b, what)) return true;
        if (rest <= 0.0 || (b->wire.stop && b->wire.stop(b->wire.context))) return false;
        const double frame = 1e-9 * (double)b->options.master.frame_timeout;
        take_answer(b, rest < frame ? rest : frame);
    }
}

static bool has_settled(const ff_ec_bus *b, const void *what)
{
    (void)what;
    return !ff_ec_master_is_changing(b->master);
}

static bool is_read(const ff_ec_bus *b, const void *what)
{
    (void)what;
    return ff_ec_master_is_read(b->master) != FF_EC_PENDING;
}

static bool is_written(const ff_ec_bus *b, const void *what)
{
    (void)what;
    return ff_ec_master_is_written(b->master) != FF_EC_PENDING;
}

static bool is_transferred(const ff_ec_bus *b, const void *what)
{
    (void)b;
    return ((const ff_ec_sdo *)what)->state != FF_EC_SDO_WAITS;
}

// ------------------------------------------------------------------------------------------ starting

/// Force sensors of this project have the time of a sample in their second PDO.
static void configure(void *context, ff_ec_planned *slave)
{
    static const unsigned char both[6] = {2, 0, 0x00, 0x1A, 0x01, 0x1A};
    (void)context;
    if (slave->vendor != ff_ec_force_device.vendor || slave->product != ff_ec_force_device.product) return;
    ff_ec_setting *s = &slave->settings[slave->nsetting++];
    *s = (ff_ec_setting){.index = 0x1C13, .complete = true, .n = sizeof both};
    memcpy(s->data, both, sizeof both);
}

ff_ec_bus *ff_ec_bus_create(const ff_ec_wire *wire, const ff_ec_bus_options *options, ff_error *err)
{
    ff_ec_bus *b = calloc(1, sizeof *b);
    if (!b) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
        return NULL;
    }
    b->wire = *wire;
    b->options = options ? *options : ff_ec_bus_options_default();
    b->options.master.configure = configure;
    b->asked = FF_BUS_INIT;
    return b;
}

void ff_ec_bus_destroy(ff_ec_bus *b)
{
    if (!b) return;
    ff_ec_master_destroy(b->master);
    ff_wiring_clear(&b->wiring);
    ff_arena_clear(&b->arena);
    free(b);
}

ff_status ff_ec_bus_start(ff_ec_bus *b, const ff_relay_site *site, ff_error *err)
{
    if (b->master) return ff_error_set(err, FF_BAD_ARGUMENT, "a field bus is started once");
    b->period = site->bus_period;
    if (b->options.sync0) b->options.master.sync0 = (uint32_t)floor(1e9 * b->period + 0.5);
    b->master = ff_ec_master_create(&b->options.master, err);
    if (!b->master) return FF_NO_MEMORY;
    ff_ec_master_request(b->master, FF_EC_PREOP);
    if (!carry(b, has_settled, NULL, longest_start))
        return ff_error_set(err, FF_STOPPED, "stopped before all slaves were in PRE-OP");
    if (ff_ec_master_why(b->master)[0]) return ff_error_set(err, FF_CONTROL, "%s", ff_ec_master_why(b->master));
    for (int i = 0; i < ff_ec_master_count(b->master); i++)
        b->clocked = b->clocked || ff_ec_master_slave(b->master, i)->has_clock;
    ff_status status = ff_wiring_make(&b->wiring, site, &b->arena, err);
    if (status == FF_OK)
        status = ff_bus_objects_make(&b->objects, b->master, &b->wiring, site->sensors, &b->arena, err);
    if (status != FF_OK) return status;
    b->outputs = FF_ARENA_NEW(&b->arena, unsigned char, b->objects.outputs + 1);
    return b->outputs ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
}

// ------------------------------------------------------------------------------------------ functions of a field bus

static bool copy_rx(void *context, unsigned char *inputs)
{
    ff_ec_bus *b = context;
    if (b->asked < FF_BUS_SAFE_OP) return false;
    ff_ec_master_read(b->master);
    carry(b, is_read, NULL, b->options.patience);
    if (ff_ec_master_is_read(b->master) != FF_EC_SOUND) return false;
    const unsigned char *wire = ff_ec_master_inputs(b->master);
    const uint64_t now = b->clocked ? ff_ec_master_time(b->master) : b->wire.now(b->wire.context);
    if (b->exchanges == 0 && b->options.from_zero) b->epoch = now;
    memcpy(inputs, wire, ff_ec_master_image(b->master, false));
    ff_bus_objects_stamp(&b->objects, wire, now, b->epoch, inputs);
    return true;
}

static void copy_tx(void *context, const unsigned char *outputs)
{
    ff_ec_bus *b = context;
    memcpy(b->outputs, outputs, b->objects.outputs);
}

static bool is_amiss(const ff_ec_bus *b, const ff_ec_found *f)
{
    return !f->answers || (f->state & 0x10) || (f->state & 0x0F) < (int)b->asked;
}

/// The first slave that is not where it should be, and how many there are. @return false: none is known
static bool find_culprit(const ff_ec_bus *b, char *text, size_t size)
{
    int first = -1, count = 0;
    for (int i = 0; i < ff_ec_master_count(b->master); i++) {
        if (!is_amiss(b, ff_ec_master_slave(b->master, i))) continue;
        if (count++ == 0) first = i;
    }
    if (first < 0) return false;
    const ff_ec_found *f = ff_ec_master_slave(b->master, first);
    char more[24] = "";
    if (count > 1) snprintf(more, sizeof more, ", and %d more", count - 1);
    if (!f->answers)
        snprintf(text, size, "slave %d '%s' (0x%04X) does not answer%s", first + 1, f->name, f->station, more);
    else
        snprintf(text, size, "slave %d '%s' (0x%04X) is in %s: %s (AL status code %04X)%s", first + 1, f->name,
                 f->station, ff_ec_state_words(f->state), ff_ec_al_words(f->code), f->code, more);
    return true;
}

static ff_status blame(const ff_ec_bus *b, ff_error *err)
{
    char text[200];
    if (find_culprit(b, text, sizeof text)) return ff_error_set(err, FF_CONTROL, "%s", text);
    return ff_error_set(err, FF_CONTROL, "outputs were %s %d times in a row",
                        ff_ec_master_is_written(b->master) == FF_EC_PENDING ? "lost" : "not taken by all slaves",
                        b->wrong);
}

static void tell_culprit(void *context, char *text, size_t size)
{
    const ff_ec_bus *b = context;
    if (!find_culprit(b, text, size)) snprintf(text, size, "%s", "");
}

static ff_status send(void *context, double t, ff_error *err)
{
    ff_ec_bus *b = context;
    (void)t;
    if (ff_ec_master_why(b->master)[0]) return ff_error_set(err, FF_CONTROL, "%s", ff_ec_master_why(b->master));
    if (b->asked < FF_BUS_SAFE_OP) return FF_OK;
    ff_ec_master_write(b->master, b->outputs);
    carry(b, is_written, NULL, b->options.patience);
    const bool sound = ff_ec_master_is_written(b->master) == FF_EC_SOUND;
    b->exchanges += ff_ec_master_is_heard(b->master);
    b->wrong = sound ? 0 : b->wrong + 1;
    return b->wrong > b->options.lost ? blame(b, err) : FF_OK;
}

/// The slaves are in PRE-OP from the start: below that the layer is told what it asked for.
static ff_bus_state request_state(void *context, ff_bus_state wanted)
{
    ff_ec_bus *b = context;
    const ff_bus_state had = b->asked;
    b->asked = wanted > b->asked ? (ff_bus_state)(2 * (int)b->asked) : wanted;
    if (b->asked == FF_BUS_INIT) return b->asked;
    ff_ec_master_request(b->master, (ff_ec_state)b->asked);
    carry(b, has_settled, NULL, b->options.slack);
    const ff_ec_state is = ff_ec_master_state(b->master);
    if (is < (ff_ec_state)b->asked && ff_ec_master_is_changing(b->master)) b->asked = had; // it goes on next time
    return (ff_bus_state)is < b->asked ? (ff_bus_state)is : b->asked;
}

static ff_status transfer(ff_ec_bus *b, const char *slave, ff_ec_sdo *sdo, ff_error *err)
{
    enum { DEVICES = 0x6000 }; // objects below it are those of the slave
    uint16_t shift;
    const int i = ff_ec_master_find_device(b->master, slave, &shift);
    if (i < 0) return ff_error_set(err, FF_NOT_FOUND, "there is no slave '%s'", slave);
    if (sdo->index >= DEVICES && !sdo->write) sdo->index = (uint16_t)(sdo->index + shift);
    if (!ff_ec_master_sdo(b->master, i, sdo))
        return ff_error_set(err, FF_NOT_FOUND, "slave '%s' has no mailbox, or it is busy", slave);
    if (!carry(b, is_transferred, sdo, b->asked < FF_BUS_SAFE_OP ? longest_object : b->options.slack)) {
        ff_ec_master_forget(b->master, i);
        return ff_error_set(err, FF_CONTROL, "slave '%s': object %04X:%02X does not come", slave, sdo->index, sdo->sub);
    }
    if (sdo->state == FF_EC_SDO_DONE && sdo->n <= 8) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "slave '%s': %s", slave,
                        sdo->state == FF_EC_SDO_DONE ? "the object is no number" : sdo->why);
}

static ff_status sdo_read(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err)
{
    ff_ec_sdo sdo = {.index = index, .sub = sub};
    const ff_status status = transfer(context, slave, &sdo, err);
    if (status == FF_OK) *value = (int64_t)ff_get(sdo.data, (int)sdo.n);
    return status;
}

/// It is read first: so its length is known.
static ff_status sdo_write(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t value, ff_error *err)
{
    ff_ec_sdo sdo = {.index = index, .sub = sub};
    const ff_status status = transfer(context, slave, &sdo, err);
    if (status != FF_OK) return status;
    sdo.write = true;
    ff_put(sdo.data, (uint64_t)value, (int)sdo.n);
    return transfer(context, slave, &sdo, err);
}

ff_field_bus ff_ec_bus_functions(ff_ec_bus *b)
{
    return (ff_field_bus){.context = b,
                          .objects = b->objects.objects,
                          .nobject = b->objects.nobject,
                          .inputs = b->objects.inputs,
                          .outputs = b->objects.outputs,
                          .period = b->period,
                          .copy_rx = copy_rx,
                          .copy_tx = copy_tx,
                          .send = send,
                          .request_state = request_state,
                          .tell_culprit = tell_culprit,
                          .sdo_read = sdo_read,
                          .sdo_write = sdo_write};
}

ff_ec_master *ff_ec_bus_master(ff_ec_bus *b)
{
    return b->master;
}

int64_t ff_ec_bus_exchanges(const ff_ec_bus *b)
{
    return b->exchanges;
}
