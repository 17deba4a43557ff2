// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "fieldbus/objects.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

enum { TIME_INDEX = 0x2000, UNMAPPED = -1 }; // objects of the layer with lower indices are not mapped

/// Arguments and result of the construction.
typedef struct builder {
    ff_bus_objects *o;
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

static void refuse(builder *m, ff_status status, const char *slave, const char *what)
{
    if (m->status == FF_OK) m->status = ff_error_set(m->err, status, "slave '%s': %s", slave, what);
}

static void add(builder *m, const char *slave, const ff_object_row *row, size_t offset)
{
    m->o->objects[m->o->nobject++] =
        (ff_bus_object){slave, row->name, row->index, row->sub, row->type, row->output, offset};
}

/// Reserves space behind the image of the wire, for an object that is not mapped.
static size_t add_unmapped(builder *m, bool output, size_t size)
{
    size_t *end = output ? &m->o->outputs : &m->o->inputs;
    const size_t at = *end;
    *end += size;
    return at;
}

/// Offset of an object in the image of the wire; -1: it is not mapped, or not byte-aligned.
static int mapped_offset(const builder *m, device d, bool output, uint16_t index, uint8_t sub)
{
    const int bit = ff_ec_master_find_mapped(m->master, d.slave, output, (uint16_t)(index + d.shift), sub);
    const ff_ec_slave_info *f = ff_ec_master_slave(m->master, d.slave);
    if (bit < 0 || bit % 8) return UNMAPPED;
    return bit / 8 + (int)(output ? f->out_offset : f->in_offset);
}

static void add_time(builder *m, const char *slave, const char *name, ff_bus_time time)
{
    const ff_object_row row = {name, TIME_INDEX, 0, FF_BUS_I64, false};
    time.offset = add_unmapped(m, false, 8);
    m->o->times[m->o->ntime++] = time;
    add(m, slave, &row, time.offset);
}

/// Objects that every device must map.
static bool is_required(uint16_t index)
{
    return index == 0x6040 || index == 0x6041 || index == 0x6064 || index == 0x607A ||
           (index >= 0x6000 && index < 0x6020);
}

static void add_rows(builder *m, device d, const char *name, const ff_object_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        const ff_object_row *row = &rows[i];
        char text[100];
        if (row->index < 0x6000) continue; // times
        const int at = mapped_offset(m, d, row->output, row->index, row->sub);
        if (at >= 0)
            add(m, name, row, (size_t)at);
        else if (!is_required(row->index))
            add(m, name, row, add_unmapped(m, row->output, ff_bus_type_size(row->type)));
        else {
            snprintf(text, sizeof text, "object %04X:%02X is not mapped to its process data, or not byte-aligned",
                     row->index, row->sub);
            refuse(m, FF_NOT_FOUND, name, text);
        }
    }
}

/// @return slave -1: there is none, which is an error
static device find(builder *m, const char *name)
{
    device d;
    d.slave = ff_ec_master_find_device(m->master, name, &d.shift);
    if (d.slave < 0) refuse(m, FF_NOT_FOUND, name, "it is not on the bus");
    return d;
}

/// Drives of this project report whether they know their position, in manufacturer-specific bits of the digital inputs.
/// Drives of other vendors always know it; they have a joint encoder if they map it.
static void add_drive(builder *m, const char *name)
{
    const device d = find(m, name);
    if (d.slave < 0) return;
    const bool own = ff_ec_master_slave(m->master, d.slave)->vendor == FF_EC_VENDOR;
    const int valid = own ? mapped_offset(m, d, false, 0x60FD, 0) : UNMAPPED;
    const bool joint = mapped_offset(m, d, false, 0x60E4, 1) >= 0;
    add_rows(m, d, name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT);
    add_time(m, name, "position_time", (ff_bus_time){.stamp = UNMAPPED, .valid = valid, .mask = FF_EC_POSITION_KNOWN});
    add_time(m, name, "encoder_time",
             (ff_bus_time){.stamp = UNMAPPED, .valid = valid, .mask = FF_EC_JOINT_KNOWN, .absent = !joint});
}

/// A sensor has measured a sample once its sample counter is not 0.
static void add_sensor(builder *m, const char *name, const ff_object_row *rows, int n, uint16_t index, uint8_t stamp,
                       uint8_t count, uint32_t mask)
{
    const device d = find(m, name);
    if (d.slave < 0) return;
    add_rows(m, d, name, rows, n);
    add_time(m, name, "time",
             (ff_bus_time){.stamp = mapped_offset(m, d, false, index, stamp),
                           .valid = mapped_offset(m, d, false, index, count),
                           .mask = mask,
                           .latched = true});
}

// ------------------------------------------------------------------------------------------ gateways

enum { GATEWAY = 0x6030, VALID = 13, TIMES = 7 };

/// Finds a gateway by its name, a slave or a module of one, so that channels of another gateway are never used in place
/// of those of a missing one. @return slave -1: there is none, which is an error
static device find_gateway(builder *m, int number, const char *item)
{
    char name[40], text[200];
    device d;
    snprintf(name, sizeof name, FF_GATEWAY_SLAVE "_%d", number);
    d.slave = ff_ec_master_find_device(m->master, name, &d.shift);
    if (d.slave >= 0 && mapped_offset(m, d, false, GATEWAY, VALID) >= 0) return d;
    snprintf(text, sizeof text, "%s, and sensor '%.100s' needs its channels",
             d.slave < 0 ? "it is not on the bus" : "it has no object 6030:0D in its process data", item);
    refuse(m, FF_NOT_FOUND, name, text);
    return (device){.slave = UNMAPPED};
}

/// @param d  slave -1: the item is not transmitted and never has a valid time
static void add_gateway_item(builder *m, const char *name, device d, int channel)
{
    const char *time = ff_arena_printf(m->arena, "%s.time", name);
    const ff_object_row row = {name, FF_GATEWAY_INDEX, 1, FF_BUS_F64, false};
    const int value = d.slave < 0 ? UNMAPPED : mapped_offset(m, d, false, GATEWAY, (uint8_t)(channel + 1));
    if (!time) {
        refuse(m, FF_NO_MEMORY, FF_GATEWAY_SLAVE, "no memory");
        return;
    }
    add(m, FF_GATEWAY_SLAVE, &row, value < 0 ? add_unmapped(m, false, 8) : (size_t)value);
    add_time(
        m, FF_GATEWAY_SLAVE, time,
        (ff_bus_time){.stamp = value < 0 ? UNMAPPED : mapped_offset(m, d, false, GATEWAY, (uint8_t)(channel + TIMES)),
                      .valid = value < 0 ? UNMAPPED : mapped_offset(m, d, false, GATEWAY, VALID),
                      .mask = UINT32_C(1) << channel,
                      .absent = value < 0});
}

/// Items that no other device carries are the channels of gateway_1, gateway_2 and so on, one after the other. Index
/// marks are not transmitted.
static void add_gateways(builder *m, const ff_wiring *w, const ff_io_layout *sensors)
{
    int number = 0; // channels used
    for (int i = 0; i < w->ngateway; i++) {
        const char *item = sensors->names[w->gateway[i]].name;
        device d = {.slave = UNMAPPED};
        const int channel = number % FF_EC_GATEWAY_CHANNELS;
        if (!ff_wiring_is_index_mark(w, w->gateway[i]))
            d = find_gateway(m, number++ / FF_EC_GATEWAY_CHANNELS + 1, item);
        add_gateway_item(m, item, d, channel);
    }
}

// ------------------------------------------------------------------------------------------ all

ff_status ff_bus_objects_create(ff_bus_objects *o, const ff_ec_master *master, const ff_wiring *w,
                                const ff_io_layout *sensors, ff_arena *arena, ff_error *err)
{
    builder m = {o, master, arena, err, FF_OK};
    const int timeout = w->ndrive * FF_DRIVE_OBJECT_COUNT + w->nforce * FF_FORCE_OBJECT_COUNT +
                        w->ninertial * FF_IMU_OBJECT_COUNT + 2 * w->ngateway;
    *o = (ff_bus_objects){.objects = FF_ARENA_NEW(arena, ff_bus_object, timeout + 1),
                          .times = FF_ARENA_NEW(arena, ff_bus_time, timeout + 1),
                          .inputs = ff_ec_master_image_size(master, false),
                          .outputs = ff_ec_master_image_size(master, true)};
    if (!o->objects || !o->times) return ff_error_set(err, FF_NO_MEMORY, "no memory for the field bus");
    for (int i = 0; i < w->ndrive; i++) add_drive(&m, w->drives[i].name);
    for (int i = 0; i < w->nforce; i++)
        add_sensor(&m, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT, 0x6000, 9, 8, UINT32_MAX);
    for (int i = 0; i < w->ninertial; i++)
        add_sensor(&m, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT, 0x6010, 13, 12, 0xFFFF);
    add_gateways(&m, w, sensors);
    return m.status;
}

/// All bits of a time of which the wire carries the lowest 32, and which is at most 4 s old.
static uint64_t unwrap(uint32_t stamp, uint64_t now)
{
    return now - (uint32_t)((uint32_t)now - stamp);
}

void ff_bus_objects_stamp(ff_bus_objects *o, const unsigned char *wire, uint64_t now, uint64_t epoch,
                          unsigned char *inputs)
{
    for (int i = 0; i < o->ntime; i++) {
        ff_bus_time *t = &o->times[i];
        const bool valid = !t->absent && (t->valid < 0 || (ff_get_u32(wire + t->valid) & t->mask));
        const uint64_t time = t->stamp < 0 ? now : unwrap(ff_get_u32(wire + t->stamp), now);
        t->was_valid = valid || (t->latched && t->was_valid);
        ff_put_i64(inputs + t->offset, t->was_valid ? (int64_t)(time - epoch) : -1);
    }
}
