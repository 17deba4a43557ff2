// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master as a field bus (footfall/fieldbus.h). The functions of the layer wait for their results within the
// timeouts of the options; meanwhile the master also exchanges its acyclic frames.
#include <footfall/fieldbus.h>

#include "base/bytes.h"
#include "fieldbus/objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double start_timeout = 60.0; // until PRE-OP  [s]
static const double object_timeout = 5.0; // before process data flow, when a transfer delays nothing else  [s]

struct ff_ec_bus {
    ff_ec_wire wire;
    ff_ec_bus_options options;
    ff_ec_master *master;
    ff_arena arena;
    ff_wiring wiring;
    ff_bus_objects objects;
    double period;
    bool has_clock; // some slave has a distributed clock
    unsigned char *outputs;
    const ff_ec_sdo *sdo;   // transfer in progress
    ff_bus_state requested; // by the layer, state by state
    int failed;             // consecutive exchanges of outputs
    int64_t exchanges;
    uint64_t epoch;
};

ff_ec_bus_options ff_ec_bus_options_default(void)
{
    return (ff_ec_bus_options){.master = ff_ec_master_options_default(),
                               .exchange_timeout = 0.01,
                               .transfer_timeout = 0.5,
                               .tolerated_losses = 1};
}

// ------------------------------------------------------------------------------------------ waiting

/// More answers than the requests of one cycle, so that a flood of frames ends.
enum { ANSWERS_MAX = 64 };

/// Waits for an answer for at most `wait` seconds. @return false: none was received
static bool receive_answer(ff_ec_bus *b, double wait)
{
    unsigned char bytes[FF_EC_PACKET_MAX];
    const size_t size = b->wire.receive(b->wire.context, bytes, wait);
    if (size) ff_ec_master_receive(b->master, b->wire.now(b->wire.context), bytes, size);
    return size;
}

/// Exchanges frames until a condition holds, for at most `timeout` seconds. Frames received since the last call are
/// handled first: they are not late because this function was not called. @return whether the condition holds
static bool exchange_until(ff_ec_bus *b, bool (*holds)(const ff_ec_bus *b), double timeout)
{
    unsigned char bytes[FF_EC_PACKET_MAX];
    const uint64_t begin = b->wire.now(b->wire.context);
    int waiting = ANSWERS_MAX;
    while (waiting > 0 && receive_answer(b, 0.0)) waiting--;
    for (;;) {
        const uint64_t now = b->wire.now(b->wire.context);
        const double rest = timeout - 1e-9 * (double)(now - begin);
        size_t size;
        while ((size = ff_ec_master_poll(b->master, now, bytes)) > 0) b->wire.send(b->wire.context, bytes, size);
        if (holds(b)) return true;
        if (rest <= 0.0 || (b->wire.stop && b->wire.stop(b->wire.context))) return false;
        const double frame = 1e-9 * (double)b->options.master.frame_timeout;
        receive_answer(b, rest < frame ? rest : frame);
    }
}

static bool has_settled(const ff_ec_bus *b)
{
    return !ff_ec_master_is_changing(b->master);
}

static bool is_read(const ff_ec_bus *b)
{
    return ff_ec_master_is_read(b->master) != FF_EC_PENDING;
}

static bool is_written(const ff_ec_bus *b)
{
    return ff_ec_master_is_written(b->master) != FF_EC_PENDING;
}

static bool is_transferred(const ff_ec_bus *b)
{
    return b->sdo->state != FF_EC_SDO_PENDING;
}

// ------------------------------------------------------------------------------------------ starting

/// Force sensors of this project have the time of a sample in their second PDO.
static void configure(void *context, ff_ec_slave_config *slave)
{
    static const unsigned char both[6] = {2, 0, 0x00, 0x1A, 0x01, 0x1A};
    (void)context;
    if (slave->vendor != ff_ec_force_device.vendor || slave->product != ff_ec_force_device.product) return;
    ff_ec_init_command *s = &slave->init_commands[slave->ninit_command++];
    *s = (ff_ec_init_command){.index = 0x1C13, .complete = true, .n = sizeof both};
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
    b->requested = FF_BUS_INIT;
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
    if (b->master) return ff_error_set(err, FF_BAD_ARGUMENT, "the field bus has been started already");
    b->period = site->bus_period;
    if (b->options.sync0) b->options.master.sync0 = (uint32_t)floor(1e9 * b->period + 0.5);
    b->master = ff_ec_master_create(&b->options.master, err);
    if (!b->master) return FF_NO_MEMORY;
    ff_ec_master_request(b->master, FF_EC_PREOP);
    if (!exchange_until(b, has_settled, start_timeout))
        return ff_error_set(err, FF_STOPPED, "stopped before all slaves were in PRE-OP");
    if (ff_ec_master_error(b->master)[0]) return ff_error_set(err, FF_CONTROL, "%s", ff_ec_master_error(b->master));
    for (int i = 0; i < ff_ec_master_count(b->master); i++)
        b->has_clock = b->has_clock || ff_ec_master_slave(b->master, i)->has_clock;
    ff_status status = ff_wiring_make(&b->wiring, site, &b->arena, err);
    if (status == FF_OK)
        status = ff_bus_objects_create(&b->objects, b->master, &b->wiring, site->sensors, &b->arena, err);
    if (status != FF_OK) return status;
    b->outputs = FF_ARENA_NEW(&b->arena, unsigned char, b->objects.outputs + 1);
    return b->outputs ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
}

// ------------------------------------------------------------------------------------------ functions of a field bus

static bool copy_rx(void *context, unsigned char *inputs)
{
    ff_ec_bus *b = context;
    if (b->requested < FF_BUS_SAFE_OP) return false;
    ff_ec_master_read(b->master);
    exchange_until(b, is_read, b->options.exchange_timeout);
    if (ff_ec_master_is_read(b->master) != FF_EC_COMPLETE) return false;
    const unsigned char *wire = ff_ec_master_inputs(b->master);
    const uint64_t now = b->has_clock ? ff_ec_master_time(b->master) : b->wire.now(b->wire.context);
    if (b->exchanges == 0 && b->options.time_from_start) b->epoch = now;
    memcpy(inputs, wire, ff_ec_master_image_size(b->master, false));
    ff_bus_objects_stamp(&b->objects, wire, now, b->epoch, inputs);
    return true;
}

static void copy_tx(void *context, const unsigned char *outputs)
{
    ff_ec_bus *b = context;
    memcpy(b->outputs, outputs, b->objects.outputs);
}

static bool is_faulty(const ff_ec_bus *b, const ff_ec_slave_info *f)
{
    return !f->answers || (f->state & 0x10) || (f->state & 0x0F) < (int)b->requested;
}

/// Finds the first faulty slave, and counts them. @return false: none is known
static bool find_faulty_slave(const ff_ec_bus *b, char *text, size_t size)
{
    int first = -1, count = 0;
    for (int i = 0; i < ff_ec_master_count(b->master); i++) {
        if (!is_faulty(b, ff_ec_master_slave(b->master, i))) continue;
        if (count++ == 0) first = i;
    }
    if (first < 0) return false;
    const ff_ec_slave_info *f = ff_ec_master_slave(b->master, first);
    char more[24] = "";
    if (count > 1) snprintf(more, sizeof more, ", and %d more", count - 1);
    if (!f->answers)
        snprintf(text, size, "slave %d '%s' (0x%04X) does not answer%s", first + 1, f->name, f->station, more);
    else
        snprintf(text, size, "slave %d '%s' (0x%04X) is in %s: %s (AL status code %04X)%s", first + 1, f->name,
                 f->station, ff_ec_state_text(f->state), ff_ec_al_status_text(f->code), f->code, more);
    return true;
}

static ff_status report_failure(const ff_ec_bus *b, ff_error *err)
{
    char text[200];
    if (find_faulty_slave(b, text, sizeof text)) return ff_error_set(err, FF_CONTROL, "%s", text);
    return ff_error_set(err, FF_CONTROL, "outputs were %s in %d consecutive exchanges",
                        ff_ec_master_is_written(b->master) == FF_EC_PENDING ? "lost" : "not received by all slaves",
                        b->failed);
}

static void describe_problem(void *context, char *text, size_t size)
{
    const ff_ec_bus *b = context;
    if (!find_faulty_slave(b, text, size)) snprintf(text, size, "%s", "");
}

static ff_status send(void *context, double t, ff_error *err)
{
    ff_ec_bus *b = context;
    (void)t;
    if (ff_ec_master_error(b->master)[0]) return ff_error_set(err, FF_CONTROL, "%s", ff_ec_master_error(b->master));
    if (b->requested < FF_BUS_SAFE_OP) return FF_OK;
    ff_ec_master_write(b->master, b->outputs);
    exchange_until(b, is_written, b->options.exchange_timeout);
    const bool sound = ff_ec_master_is_written(b->master) == FF_EC_COMPLETE;
    b->exchanges += ff_ec_master_outputs_reached_a_slave(b->master);
    b->failed = sound ? 0 : b->failed + 1;
    return b->failed > b->options.tolerated_losses ? report_failure(b, err) : FF_OK;
}

/// The slaves are in PRE-OP from the start: below that the layer gets the state it requests.
static ff_bus_state request_state(void *context, ff_bus_state wanted)
{
    ff_ec_bus *b = context;
    const ff_bus_state had = b->requested;
    b->requested = wanted > b->requested ? (ff_bus_state)(2 * (int)b->requested) : wanted;
    if (b->requested == FF_BUS_INIT) return b->requested;
    ff_ec_master_request(b->master, (ff_ec_state)b->requested);
    exchange_until(b, has_settled, b->options.transfer_timeout);
    const ff_ec_state is = ff_ec_master_state(b->master);
    if (is < (ff_ec_state)b->requested && ff_ec_master_is_changing(b->master))
        b->requested = had; // the change continues in the next cycle
    return (ff_bus_state)is < b->requested ? (ff_bus_state)is : b->requested;
}

static ff_status transfer(ff_ec_bus *b, const char *slave, ff_ec_sdo *sdo, ff_error *err)
{
    enum { DEVICES = 0x6000 }; // objects with lower indices belong to the slave
    uint16_t shift;
    const int i = ff_ec_master_find_device(b->master, slave, &shift);
    if (i < 0) return ff_error_set(err, FF_NOT_FOUND, "there is no slave '%s'", slave);
    if (sdo->index >= DEVICES && !sdo->write) sdo->index = (uint16_t)(sdo->index + shift);
    if (!ff_ec_master_begin_sdo(b->master, i, sdo))
        return ff_error_set(err, FF_NOT_FOUND, "slave '%s' has no CoE mailbox, or a transfer is in progress", slave);
    b->sdo = sdo;
    if (!exchange_until(b, is_transferred,
                        b->requested < FF_BUS_SAFE_OP ? object_timeout : b->options.transfer_timeout)) {
        ff_ec_master_cancel_sdo(b->master, i);
        return ff_error_set(err, FF_CONTROL, "slave '%s': no response for object %04X:%02X", slave, sdo->index,
                            sdo->sub);
    }
    if (sdo->state == FF_EC_SDO_DONE && sdo->n <= 8) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "slave '%s': %s", slave,
                        sdo->state == FF_EC_SDO_DONE ? "the object is not a number" : sdo->error);
}

static ff_status sdo_read(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err)
{
    ff_ec_sdo sdo = {.index = index, .sub = sub};
    const ff_status status = transfer(context, slave, &sdo, err);
    if (status == FF_OK) *value = (int64_t)ff_get(sdo.data, (int)sdo.n);
    return status;
}

/// The object is read first, to know its length.
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
                          .describe_problem = describe_problem,
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
