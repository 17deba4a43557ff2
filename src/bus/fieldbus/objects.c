// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "fieldbus/objects.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

enum { TIME_INDEX = 0x2000, NOWHERE = -1 }; // objects of the layer below 0x6000 are on no wire

/// What the making needs beside its result.
typedef struct maker {
    ff_bus_objects *o;
    const ff_ec_master *master;
    ff_arena *arena;
    ff_error *err;
    ff_status status;
} maker;

/// A device of the bus: a slave, or a module of one, whose objects lie further on.
typedef struct device {
    int slave; // -1: none
    uint16_t shift;
} device;

static void refuse(maker *m, ff_status status, const char *slave, const char *what)
{
    if (m->status == FF_OK) m->status = ff_error_set(m->err, status, "slave '%s': %s", slave, what);
}

static void add(maker *m, const char *slave, const ff_object_row *row, size_t offset)
{
    m->o->objects[m->o->nobject++] =
        (ff_bus_object){slave, row->name, row->index, row->sub, row->type, row->output, offset};
}

/// Behind the image of the wire: written and read by nobody else.
static size_t spare(maker *m, bool output, size_t size)
{
    size_t *end = output ? &m->o->outputs : &m->o->inputs;
    const size_t at = *end;
    *end += size;
    return at;
}

/// Where an object lies in the image of the wire; -1: it is not mapped, or not at a whole byte.
static int place(const maker *m, device d, bool output, uint16_t index, uint8_t sub)
{
    const int bit = ff_ec_master_mapped(m->master, d.slave, output, (uint16_t)(index + d.shift), sub);
    const ff_ec_found *f = ff_ec_master_slave(m->master, d.slave);
    if (bit < 0 || bit % 8) return NOWHERE;
    return bit / 8 + (int)(output ? f->out_offset : f->in_offset);
}

static void add_time(maker *m, const char *slave, const char *name, ff_bus_time time)
{
    const ff_object_row row = {name, TIME_INDEX, 0, FF_BUS_I64, false};
    time.offset = spare(m, false, 8);
    m->o->times[m->o->ntime++] = time;
    add(m, slave, &row, time.offset);
}

/// Objects that a device cannot do without.
static bool is_needed(uint16_t index)
{
    return index == 0x6040 || index == 0x6041 || index == 0x6064 || index == 0x607A ||
           (index >= 0x6000 && index < 0x6020);
}

static void add_rows(maker *m, device d, const char *name, const ff_object_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        const ff_object_row *row = &rows[i];
        char text[100];
        if (row->index < 0x6000) continue; // times
        const int at = place(m, d, row->output, row->index, row->sub);
        if (at >= 0)
            add(m, name, row, (size_t)at);
        else if (!is_needed(row->index))
            add(m, name, row, spare(m, row->output, ff_bus_type_size(row->type)));
        else {
            snprintf(text, sizeof text, "object %04X:%02X is not in its process data, at a whole byte", row->index,
                     row->sub);
            refuse(m, FF_NOT_FOUND, name, text);
        }
    }
}

/// @return slave -1: none, which is refused
static device find(maker *m, const char *name)
{
    device d;
    d.slave = ff_ec_master_find_device(m->master, name, &d.shift);
    if (d.slave < 0) refuse(m, FF_NOT_FOUND, name, "there is none on the bus");
    return d;
}

/// Drives of this project say whether they know their position, in bits of the digital inputs that the standard leaves
/// to their maker. Others always know it; a joint encoder they have where they map it.
static void add_drive(maker *m, const char *name)
{
    const device d = find(m, name);
    if (d.slave < 0) return;
    const bool own = ff_ec_master_slave(m->master, d.slave)->vendor == FF_EC_VENDOR;
    const int known = own ? place(m, d, false, 0x60FD, 0) : NOWHERE;
    const bool joint = place(m, d, false, 0x60E4, 1) >= 0;
    add_rows(m, d, name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT);
    add_time(m, name, "position_time", (ff_bus_time){.stamp = NOWHERE, .known = known, .mask = FF_EC_POSITION_KNOWN});
    add_time(m, name, "encoder_time",
             (ff_bus_time){.stamp = NOWHERE, .known = known, .mask = FF_EC_JOINT_KNOWN, .never = !joint});
}

/// A sensor has given a sample once its count is not 0.
static void add_sensor(maker *m, const char *name, const ff_object_row *rows, int n, uint16_t index, uint8_t stamp,
                       uint8_t count, uint32_t mask)
{
    const device d = find(m, name);
    if (d.slave < 0) return;
    add_rows(m, d, name, rows, n);
    add_time(m, name, "time",
             (ff_bus_time){.stamp = place(m, d, false, index, stamp),
                           .known = place(m, d, false, index, count),
                           .mask = mask,
                           .stays = true});
}

// ------------------------------------------------------------------------------------------ gateways

enum { GATEWAY = 0x6030, VALID = 13, TIMES = 7 };

/// A gateway by its name, a slave of its own or a module of one: where one is missing, no channel of another takes the
/// place of its. @return slave -1: there is none, which is refused
static device find_gateway(maker *m, int number, const char *item)
{
    char name[40], text[200];
    device d;
    snprintf(name, sizeof name, FF_GATEWAY_SLAVE "_%d", number);
    d.slave = ff_ec_master_find_device(m->master, name, &d.shift);
    if (d.slave >= 0 && place(m, d, false, GATEWAY, VALID) >= 0) return d;
    snprintf(text, sizeof text, "%s, and sensor '%.100s' needs its channels",
             d.slave < 0 ? "there is none on the bus" : "it has no object 6030:0D in its process data", item);
    refuse(m, FF_NOT_FOUND, name, text);
    return (device){.slave = NOWHERE};
}

/// @param d  slave -1: on no wire, its time stays unknown
static void add_item(maker *m, const char *name, device d, int channel)
{
    const char *time = ff_arena_printf(m->arena, "%s.time", name);
    const ff_object_row row = {name, FF_GATEWAY_INDEX, 1, FF_BUS_F64, false};
    const int value = d.slave < 0 ? NOWHERE : place(m, d, false, GATEWAY, (uint8_t)(channel + 1));
    if (!time) {
        refuse(m, FF_NO_MEMORY, FF_GATEWAY_SLAVE, "no memory");
        return;
    }
    add(m, FF_GATEWAY_SLAVE, &row, value < 0 ? spare(m, false, 8) : (size_t)value);
    add_time(m, FF_GATEWAY_SLAVE, time,
             (ff_bus_time){.stamp = value < 0 ? NOWHERE : place(m, d, false, GATEWAY, (uint8_t)(channel + TIMES)),
                           .known = value < 0 ? NOWHERE : place(m, d, false, GATEWAY, VALID),
                           .mask = UINT32_C(1) << channel,
                           .never = value < 0});
}

/// Items that no other device carries lie in the channels of gateway_1, gateway_2 and so on, one after the other. Index
/// marks lie in none.
static void add_gateways(maker *m, const ff_wiring *w, const ff_io_layout *sensors)
{
    int number = 0; // of channels given
    for (int i = 0; i < w->ngateway; i++) {
        const char *item = sensors->names[w->gateway[i]].name;
        device d = {.slave = NOWHERE};
        const int channel = number % FF_EC_GATEWAY_CHANNELS;
        if (!ff_wiring_is_index_mark(w, w->gateway[i]))
            d = find_gateway(m, number++ / FF_EC_GATEWAY_CHANNELS + 1, item);
        add_item(m, item, d, channel);
    }
}

// ------------------------------------------------------------------------------------------ all

ff_status ff_bus_objects_make(ff_bus_objects *o, const ff_ec_master *master, const ff_wiring *w,
                              const ff_io_layout *sensors, ff_arena *arena, ff_error *err)
{
    maker m = {o, master, arena, err, FF_OK};
    const int most = w->ndrive * FF_DRIVE_OBJECT_COUNT + w->nforce * FF_FORCE_OBJECT_COUNT +
                     w->ninertial * FF_IMU_OBJECT_COUNT + 2 * w->ngateway;
    *o = (ff_bus_objects){.objects = FF_ARENA_NEW(arena, ff_bus_object, most + 1),
                          .times = FF_ARENA_NEW(arena, ff_bus_time, most + 1),
                          .inputs = ff_ec_master_image(master, false),
                          .outputs = ff_ec_master_image(master, true)};
    if (!o->objects || !o->times) return ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
    for (int i = 0; i < w->ndrive; i++) add_drive(&m, w->drives[i].name);
    for (int i = 0; i < w->nforce; i++)
        add_sensor(&m, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT, 0x6000, 9, 8, UINT32_MAX);
    for (int i = 0; i < w->ninertial; i++)
        add_sensor(&m, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT, 0x6010, 13, 12, 0xFFFF);
    add_gateways(&m, w, sensors);
    return m.status;
}

/// All bits of a time that has its lowest 32 on the wire and lies at most 4 s back.
static uint64_t unwrap(uint32_t stamp, uint64_t now)
{
    return now - (uint32_t)((uint32_t)now - stamp);
}

void ff_bus_objects_stamp(ff_bus_objects *o, const unsigned char *wire, uint64_t now, uint64_t epoch,
                          unsigned char *inputs)
{
    for (int i = 0; i < o->ntime; i++) {
        ff_bus_time *t = &o->times[i];
        const bool known = !t->never && (t->known < 0 || (ff_get_u32(wire + t->known) & t->mask));
        const uint64_t time = t->stamp < 0 ? now : unwrap(ff_get_u32(wire + t->stamp), now);
        t->was_known = known || (t->stays && t->was_known);
        ff_put_i64(inputs + t->offset, t->was_known ? (int64_t)(time - epoch) : -1);
    }
}
