// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master as the field bus of a hardware layer (footfall/fieldbus.h). The functions that the hardware layer calls
// wait for results within the timeouts of the options; meanwhile the master also exchanges its acyclic frames.
//
// The objects of the hardware layer are in the process data of slaves. Its image of process data begins with that of
// the wire; behind it are the times of samples, which have 64 bits in the layer and 32 on the wire, and space for
// objects that a slave does not map.
#include "base/bytes.h"
#include "hardware/device.h"

#include <footfall/fieldbus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ objects

/// A time of the layer and its source on the wire. Offsets are those of the wire's inputs; -1: none.
typedef struct bus_time {
    size_t offset; // in the inputs of the layer
    int stamp;     // lowest 32 bits of the distributed time; -1: the time of the frame
    int valid;     // offset of a word that shows whether there is a sample
    uint32_t mask; // of that word; 0: no sample
    bool absent;   // there is never a sample
    bool latched;  // once valid, it remains valid
    bool was_valid;
} bus_time;

typedef struct bus_objects {
    ff_bus_object *objects;
    int nobject;
    bus_time *times;
    int ntime;
    size_t inputs, outputs; // bytes of the image of the layer
} bus_objects;

enum { TIME_INDEX = 0x2000, UNMAPPED = -1 }; // objects of the layer with lower indices are not mapped

/// Arguments and result of the construction.
typedef struct builder {
    bus_objects *o;
    const ff_ec_master *master;
    ff_arena *arena;
    ff_error *err;
    ff_status status;
} builder;

/// A device of the bus: a slave, or a module of one, whose objects have an index offset.
typedef struct device {
    int slave; // -1: none
    uint16_t shift;
} device;

static void refuse(builder *b, ff_status status, const char *slave, const char *what)
{
    if (b->status == FF_OK) b->status = ff_error_set(b->err, status, "slave '%s': %s", slave, what);
}

static void add_object(builder *b, const char *slave, const ff_object_row *row, size_t offset)
{
    b->o->objects[b->o->nobject++] =
        (ff_bus_object){slave, row->name, row->index, row->sub, row->type, row->output, offset};
}

/// Reserves space behind the image of the wire, for an object that is not mapped.
static size_t add_unmapped(builder *b, bool output, size_t size)
{
    size_t *end = output ? &b->o->outputs : &b->o->inputs;
    const size_t at = *end;
    *end += size;
    return at;
}

/// Offset of an object in the image of the wire; -1: it is not mapped, or not byte-aligned.
static int mapped_offset(const builder *b, device d, bool output, uint16_t index, uint8_t sub)
{
    const int bit = ff_ec_master_find_mapped(b->master, d.slave, output, (uint16_t)(index + d.shift), sub);
    const ff_ec_slave_info *f = ff_ec_master_slave(b->master, d.slave);
    if (bit < 0 || bit % 8) return UNMAPPED;
    return bit / 8 + (int)(output ? f->out_offset : f->in_offset);
}

static void add_time(builder *b, const char *slave, const char *name, bus_time time)
{
    const ff_object_row row = {name, TIME_INDEX, 0, FF_BUS_I64, false};
    time.offset = add_unmapped(b, false, 8);
    b->o->times[b->o->ntime++] = time;
    add_object(b, slave, &row, time.offset);
}

/// Objects that every device must map.
static bool is_required(uint16_t index)
{
    return index == 0x6040 || index == 0x6041 || index == 0x6064 || index == 0x607A ||
           (index >= 0x6000 && index < 0x6020);
}

static void add_rows(builder *b, device d, const char *name, const ff_object_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        const ff_object_row *row = &rows[i];
        char text[100];
        if (row->index < 0x6000) continue; // times
        const int at = mapped_offset(b, d, row->output, row->index, row->sub);
        if (at >= 0)
            add_object(b, name, row, (size_t)at);
        else if (!is_required(row->index))
            add_object(b, name, row, add_unmapped(b, row->output, ff_bus_type_size(row->type)));
        else {
            snprintf(text, sizeof text, "object %04X:%02X is not mapped to its process data, or not byte-aligned",
                     row->index, row->sub);
            refuse(b, FF_NOT_FOUND, name, text);
        }
    }
}

/// @return slave -1: there is none, which is an error
static device find_device(builder *b, const char *name)
{
    device d;
    d.slave = ff_ec_master_find_device(b->master, name, &d.shift);
    if (d.slave < 0) refuse(b, FF_NOT_FOUND, name, "it is not on the bus");
    return d;
}

/// Drives of this project report whether they know their position, in manufacturer-specific bits of the digital inputs.
/// Drives of other vendors always know it; they have a joint encoder if they map it.
static void add_drive(builder *b, const char *name)
{
    const device d = find_device(b, name);
    if (d.slave < 0) return;
    const bool own = ff_ec_master_slave(b->master, d.slave)->vendor == FF_EC_VENDOR;
    const int valid = own ? mapped_offset(b, d, false, 0x60FD, 0) : UNMAPPED;
    const bool joint = mapped_offset(b, d, false, 0x60E4, 1) >= 0;
    add_rows(b, d, name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT);
    add_time(b, name, "position_time", (bus_time){.stamp = UNMAPPED, .valid = valid, .mask = FF_EC_POSITION_KNOWN});
    add_time(b, name, "encoder_time",
             (bus_time){.stamp = UNMAPPED, .valid = valid, .mask = FF_EC_JOINT_KNOWN, .absent = !joint});
}

/// A sensor has measured a sample once its sample counter is not 0.
static void add_sensor(builder *b, const char *name, const ff_object_row *rows, int n, uint16_t index,
                       uint8_t stamp_sub, uint8_t count_sub, uint32_t mask)
{
    const device d = find_device(b, name);
    if (d.slave < 0) return;
    add_rows(b, d, name, rows, n);
    add_time(b, name, "time",
             (bus_time){.stamp = mapped_offset(b, d, false, index, stamp_sub),
                        .valid = mapped_offset(b, d, false, index, count_sub),
                        .mask = mask,
                        .latched = true});
}

enum { GATEWAY = 0x6030, VALID = 13, TIMES = 7 };

/// Finds a gateway by its name, a slave or a module of one, so that channels of another gateway are never used in place
/// of those of a missing one. @return slave -1: there is none, which is an error
static device find_gateway(builder *b, int number, const char *item)
{
    char name[40], text[200];
    device d;
    snprintf(name, sizeof name, FF_GATEWAY_SLAVE "_%d", number);
    d.slave = ff_ec_master_find_device(b->master, name, &d.shift);
    if (d.slave >= 0 && mapped_offset(b, d, false, GATEWAY, VALID) >= 0) return d;
    snprintf(text, sizeof text, "%s, and sensor '%.100s' needs its channels",
             d.slave < 0 ? "it is not on the bus" : "it has no object 6030:0D in its process data", item);
    refuse(b, FF_NOT_FOUND, name, text);
    return (device){.slave = UNMAPPED};
}

/// @param d  slave -1: the item is not transmitted and never has a valid time
static void add_gateway_item(builder *b, const char *name, device d, int channel)
{
    const char *time = ff_arena_printf(b->arena, "%s.time", name);
    const ff_object_row row = {name, FF_GATEWAY_INDEX, 1, FF_BUS_F64, false};
    const int value = d.slave < 0 ? UNMAPPED : mapped_offset(b, d, false, GATEWAY, (uint8_t)(channel + 1));
    if (!time) {
        refuse(b, FF_NO_MEMORY, FF_GATEWAY_SLAVE, "no memory");
        return;
    }
    add_object(b, FF_GATEWAY_SLAVE, &row, value < 0 ? add_unmapped(b, false, 8) : (size_t)value);
    add_time(b, FF_GATEWAY_SLAVE, time,
             (bus_time){.stamp = value < 0 ? UNMAPPED : mapped_offset(b, d, false, GATEWAY, (uint8_t)(channel + TIMES)),
                        .valid = value < 0 ? UNMAPPED : mapped_offset(b, d, false, GATEWAY, VALID),
                        .mask = UINT32_C(1) << channel,
                        .absent = value < 0});
}

/// Items that no other device carries are the channels of gateway_1, gateway_2 and so on, one after the other. Index
/// marks are not transmitted.
static void add_gateways(builder *b, const ff_wiring *w, const ff_io_layout *sensors)
{
    int number = 0; // channels used
    for (int i = 0; i < w->ngateway; i++) {
        const char *item = sensors->names[w->gateway[i]].name;
        device d = {.slave = UNMAPPED};
        const int channel = number % FF_EC_GATEWAY_CHANNELS;
        if (!ff_wiring_is_index_mark(w, w->gateway[i]))
            d = find_gateway(b, number++ / FF_EC_GATEWAY_CHANNELS + 1, item);
        add_gateway_item(b, item, d, channel);
    }
}

/// Names are stored in `arena`. @return FF_OK; FF_NOT_FOUND: no slave of that name, or a required object is not mapped;
/// FF_NO_MEMORY
static ff_status make_objects(bus_objects *o, const ff_ec_master *master, const ff_wiring *w,
                              const ff_io_layout *sensors, ff_arena *arena, ff_error *err)
{
    builder b = {o, master, arena, err, FF_OK};
    const int timeout = w->ndrive * FF_DRIVE_OBJECT_COUNT + w->nforce * FF_FORCE_OBJECT_COUNT +
                        w->ninertial * FF_IMU_OBJECT_COUNT + 2 * w->ngateway;
    *o = (bus_objects){.objects = FF_ARENA_NEW(arena, ff_bus_object, timeout + 1),
                       .times = FF_ARENA_NEW(arena, bus_time, timeout + 1),
                       .inputs = ff_ec_master_image_size(master, false),
                       .outputs = ff_ec_master_image_size(master, true)};
    if (!o->objects || !o->times) return ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
    for (int i = 0; i < w->ndrive; i++) add_drive(&b, w->drives[i].name);
    for (int i = 0; i < w->nforce; i++)
        add_sensor(&b, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT, 0x6000, 9, 8, UINT32_MAX);
    for (int i = 0; i < w->ninertial; i++)
        add_sensor(&b, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT, 0x6010, 13, 12, 0xFFFF);
    add_gateways(&b, w, sensors);
    return b.status;
}

/// All bits of a time of which the wire carries the lowest 32, and which is at most 4 s old.
static uint64_t unwrap(uint32_t stamp, uint64_t now)
{
    return now - (uint32_t)((uint32_t)now - stamp);
}

/// Sets the times in the inputs of the layer. @param now  distributed time of the frame  [ns]
static void set_times(bus_objects *o, const unsigned char *wire, uint64_t now, uint64_t epoch, unsigned char *inputs)
{
    for (int i = 0; i < o->ntime; i++) {
        bus_time *t = &o->times[i];
        const bool valid = !t->absent && (t->valid < 0 || (ff_get_u32(wire + t->valid) & t->mask));
        const uint64_t time = t->stamp < 0 ? now : unwrap(ff_get_u32(wire + t->stamp), now);
        t->was_valid = valid || (t->latched && t->was_valid);
        ff_put_i64(inputs + t->offset, t->was_valid ? (int64_t)(time - epoch) : -1);
    }
}

// ------------------------------------------------------------------------------------------ the bus

static const double start_timeout = 60.0; // until PRE-OP  [s]
static const double object_timeout = 5.0; // before process data flow, when a transfer delays nothing else  [s]

struct ff_ec_bus {
    ff_ec_wire wire;
    ff_ec_bus_options options;
    ff_ec_master *master;
    ff_arena arena;
    ff_wiring wiring;
    bus_objects objects;
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
    if (status == FF_OK) status = make_objects(&b->objects, b->master, &b->wiring, site->sensors, &b->arena, err);
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
    set_times(&b->objects, wire, now, b->epoch, inputs);
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
