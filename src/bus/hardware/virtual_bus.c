// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated bus (virtual_bus.h). The values of its process image are the fields of virtual devices, which are those
// of their EtherCAT objects (footfall/ethercat.h), found by index and subindex.
#include "hardware/virtual_bus.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

struct ff_virtual_bus {
    ff_arena arena;
    const ff_wiring *wiring;
    ff_bus_object *objects; // of the layer
    void **fields;          // of devices, for each object
    int nobject;
    size_t inputs, outputs; // of the layer  [byte]
    double period;
    ff_virtual_devices devices;
    ff_bus_state state;
    uint32_t sequence;    // of the last frame of sensors
    bool received, fresh; // a frame was received; it was new
    double *q;            // scratch
    double (*drive_side)[3], (*reference_side)[3];
};

// ------------------------------------------------------------------------------------------ its devices

static void add_object(ff_virtual_bus *b, const char *slave, const ff_object_row *row, void *field)
{
    size_t *end = row->output ? &b->outputs : &b->inputs;
    b->objects[b->nobject] = (ff_bus_object){slave, row->name, row->index, row->sub, row->type, row->output, *end};
    b->fields[b->nobject++] = field;
    *end += ff_bus_type_size(row->type);
}

/// Adds the objects of a device. @param data  its struct @param times  of its samples, which are no objects of it
static void add_device(ff_virtual_bus *b, const char *slave, const ff_object_row *rows, int n,
                       const ff_ec_device *device, void *data, int64_t *times)
{
    for (int i = 0; i < n; i++) {
        void *field = NULL;
        for (int k = 0; k < device->nentry; k++) {
            const ff_ec_entry *entry = &device->entries[k];
            if (entry->index == rows[i].index && entry->sub == rows[i].sub) field = (char *)data + entry->offset;
        }
        if (!field) {
            field = times++;
            *(int64_t *)field = -1;
        }
        add_object(b, slave, &rows[i], field);
    }
}

static void add_drive(ff_virtual_bus *b, int i)
{
    ff_virtual_drive *d = &b->devices.drives[i];
    d->wiring = &b->wiring->drives[i];
    d->amplifier.modes = ff_virtual_drive_modes(d->wiring->drive);
    d->inputs.dt = b->period;
    ff_virtual_drive_reset(d);
    add_device(b, d->wiring->name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT, &ff_ec_drive_device, d, d->times);
}

static void add_sensors(ff_virtual_bus *b)
{
    for (int i = 0; i < b->wiring->nforce; i++) {
        ff_virtual_force *f = &b->devices.forces[i];
        f->wiring = &b->wiring->forces[i];
        add_device(b, f->wiring->name, ff_force_objects, FF_FORCE_OBJECT_COUNT, &ff_ec_force_device, f, &f->time);
    }
    for (int i = 0; i < b->wiring->ninertial; i++) {
        ff_virtual_imu *u = &b->devices.imus[i];
        u->wiring = &b->wiring->inertial[i];
        add_device(b, u->wiring->name, ff_imu_objects, FF_IMU_OBJECT_COUNT, &ff_ec_imu_device, u, &u->time);
    }
}

static void add_gateway(ff_virtual_bus *b, const ff_io_layout *sensors)
{
    for (int i = 0; i < b->wiring->ngateway; i++) {
        const char *name = sensors->names[b->wiring->gateway[i]].name;
        const char *time = ff_arena_printf(&b->arena, "%s.time", name);
        const uint16_t index = (uint16_t)(FF_GATEWAY_INDEX + i);
        b->devices.times[i] = -1;
        add_object(b, FF_GATEWAY_SLAVE, &(ff_object_row){name, index, 1, FF_BUS_F64, false}, &b->devices.values[i]);
        add_object(b, FF_GATEWAY_SLAVE, &(ff_object_row){time, index, 2, FF_BUS_I64, false}, &b->devices.times[i]);
    }
}

static ff_status fill_bus(ff_virtual_bus *b, const ff_relay_site *site, ff_error *err)
{
    const ff_wiring *w = b->wiring;
    const int objects = w->ndrive * FF_DRIVE_OBJECT_COUNT + w->nforce * FF_FORCE_OBJECT_COUNT +
                        w->ninertial * FF_IMU_OBJECT_COUNT + 2 * w->ngateway;
    b->period = site->bus_period;
    b->state = FF_BUS_INIT;
    b->objects = FF_ARENA_NEW(&b->arena, ff_bus_object, objects + 1);
    b->fields = FF_ARENA_NEW(&b->arena, void *, objects + 1);
    b->devices = (ff_virtual_devices){.drives = FF_ARENA_NEW(&b->arena, ff_virtual_drive, w->ndrive + 1),
                                      .forces = FF_ARENA_NEW(&b->arena, ff_virtual_force, w->nforce + 1),
                                      .imus = FF_ARENA_NEW(&b->arena, ff_virtual_imu, w->ninertial + 1),
                                      .values = FF_ARENA_NEW(&b->arena, double, w->ngateway + 1),
                                      .times = FF_ARENA_NEW(&b->arena, int64_t, w->ngateway + 1)};
    b->q = FF_ARENA_NEW(&b->arena, double, w->model->nq + 1);
    b->drive_side = (double(*)[3])FF_ARENA_NEW(&b->arena, double, 3 * w->ndrive + 1);
    b->reference_side = (double(*)[3])FF_ARENA_NEW(&b->arena, double, 3 * w->ndrive + 1);
    if (!b->arena.failed) {
        for (int i = 0; i < w->ndrive; i++) add_drive(b, i);
        add_sensors(b);
        add_gateway(b, site->sensors);
    }
    return b->arena.failed ? ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus") : FF_OK;
}

ff_virtual_bus *ff_virtual_bus_create(const ff_wiring *wiring, const ff_relay_site *site, ff_error *err)
{
    ff_virtual_bus *b = calloc(1, sizeof *b);
    if (!b) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus");
        return NULL;
    }
    b->wiring = wiring;
    if (fill_bus(b, site, err) == FF_OK) return b;
    ff_virtual_bus_destroy(b);
    return NULL;
}

void ff_virtual_bus_destroy(ff_virtual_bus *b)
{
    if (!b) return;
    ff_arena_clear(&b->arena);
    free(b);
}

const ff_virtual_devices *ff_virtual_bus_devices(const ff_virtual_bus *b)
{
    return &b->devices;
}

// ------------------------------------------------------------------------------------------ interface to the robot

bool ff_virtual_bus_set_sensors(ff_virtual_bus *b, const ff_io_frame *sensors)
{
    const ff_io_item *items = ff_io_items_of(sensors);
    const ff_wiring *w = b->wiring;
    b->fresh = !b->received || sensors->sequence != b->sequence;
    b->received = true;
    b->sequence = sensors->sequence;
    for (int i = 0; i < w->ndrive; i++) ff_virtual_drive_measure(&b->devices.drives[i], w->model, items, b->q);
    for (int i = 0; i < w->nforce; i++) ff_virtual_force_measure(&b->devices.forces[i], items);
    for (int i = 0; i < w->ninertial; i++) ff_virtual_imu_measure(&b->devices.imus[i], items);
    for (int i = 0; i < w->ngateway; i++) {
        const ff_io_item *item = &items[w->gateway[i]];
        b->devices.values[i] = item->value;
        b->devices.times[i] = ff_io_known(item) ? item->time_ns : -1;
    }
    return b->fresh;
}

static void set_item(ff_io_item *items, int item, double value)
{
    if (item >= 0) items[item] = (ff_io_item){.value = value, .valid = 1};
}

/// Drives that have not been in operation yet command nothing, so that the initial commands of the robot hold it;
/// forces are commanded once a drive has had one.
void ff_virtual_bus_get_references(const ff_virtual_bus *b, ff_io_frame *references)
{
    const ff_wiring *w = b->wiring;
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < w->ndrive; i++)
        memcpy(b->drive_side[i], b->devices.drives[i].reference, sizeof b->drive_side[i]);
    ff_references_from_drives(w, (const double(*)[3])b->drive_side, b->reference_side);
    for (int i = 0; i < w->ndrive; i++) {
        const int partner = w->drives[i].partner;
        const bool was_enabled =
            b->devices.drives[i].was_enabled && (partner < 0 || b->devices.drives[partner].was_enabled);
        if (!was_enabled) continue;
        set_item(items, w->drives[i].references[0], b->reference_side[i][0]);
        set_item(items, w->drives[i].references[1], b->reference_side[i][1]);
        if (b->devices.drives[i].had_torque || (partner >= 0 && b->devices.drives[partner].had_torque))
            set_item(items, w->drives[i].references[2], b->reference_side[i][2]);
    }
}

// ------------------------------------------------------------------------------------------ interface to the layer

static bool copy_rx(void *context, unsigned char *inputs)
{
    ff_virtual_bus *b = context;
    if (!b->fresh || b->state < FF_BUS_SAFE_OP) return false;
    for (int i = 0; i < b->nobject; i++) {
        const ff_bus_object *o = &b->objects[i];
        if (!o->output) ff_put_field(inputs + o->offset, b->fields[i], ff_bus_type_size(o->type));
    }
    return true;
}

static void copy_tx(void *context, const unsigned char *outputs)
{
    ff_virtual_bus *b = context;
    for (int i = 0; i < b->nobject; i++) {
        const ff_bus_object *o = &b->objects[i];
        if (o->output) ff_get_field(b->fields[i], outputs + o->offset, ff_bus_type_size(o->type));
    }
}

static ff_status send(void *context, double t, ff_error *err)
{
    ff_virtual_bus *b = context;
    (void)t;
    (void)err;
    for (int i = 0; i < b->wiring->ndrive; i++) ff_virtual_drive_step(&b->devices.drives[i], b->state == FF_BUS_OP);
    return FF_OK;
}

/// Upward one state at a time, as in EtherCAT.
static ff_bus_state request_state(void *context, ff_bus_state wanted)
{
    ff_virtual_bus *b = context;
    b->state = wanted > b->state ? (ff_bus_state)(2 * (int)b->state) : wanted;
    return b->state;
}

static ff_virtual_drive *find_drive(const ff_virtual_bus *b, const char *slave)
{
    for (int i = 0; i < b->wiring->ndrive; i++)
        if (strcmp(b->devices.drives[i].wiring->name, slave) == 0) return &b->devices.drives[i];
    return NULL;
}

/// SDOs of a drive: its device type and supported modes.
static ff_status sdo_read(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err)
{
    if (find_drive(context, slave) && sub == 0 && index == 0x1000)
        *value = 0x00020192; // servo, profile 402
    else if (find_drive(context, slave) && sub == 0 && index == 0x6502)
        *value = find_drive(context, slave)->objects.supported_modes;
    else
        return ff_error_set(err, FF_NOT_FOUND, "slave '%s' has no object %04X:%02X", slave, index, sub);
    return FF_OK;
}

static ff_status sdo_write(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t value, ff_error *err)
{
    if (!find_drive(context, slave) || index != 0x60C2 || sub != 1)
        return ff_error_set(err, FF_NOT_FOUND, "slave '%s' has no object %04X:%02X to write", slave, index, sub);
    if (value < 1 || value > 255)
        return ff_error_set(err, FF_BAD_ARGUMENT, "object 60C2:01 of slave '%s': expected 1 to 255, got %lld", slave,
                            (long long)value);
    return FF_OK;
}

ff_field_bus ff_virtual_bus_functions(ff_virtual_bus *b)
{
    return (ff_field_bus){.context = b,
                          .objects = b->objects,
                          .nobject = b->nobject,
                          .inputs = b->inputs,
                          .outputs = b->outputs,
                          .period = b->period,
                          .copy_rx = copy_rx,
                          .copy_tx = copy_tx,
                          .send = send,
                          .request_state = request_state,
                          .sdo_read = sdo_read,
                          .sdo_write = sdo_write};
}

// ------------------------------------------------------------------------------------------ fault injection

static ff_status fault_drive(ff_virtual_bus *b, bool broken, const char *name, bool try_only, ff_error *err)
{
    ff_virtual_drive *drive = find_drive(b, name);
    if (!drive) return ff_error_set(err, FF_NOT_FOUND, "there is no drive '%s'", name);
    if (!try_only) drive->broken = broken;
    return FF_OK;
}

static ff_status fault_force(ff_virtual_bus *b, ff_sensor_fault fault, const char *name, bool try_only, ff_error *err)
{
    for (int i = 0; i < b->wiring->nforce; i++) {
        if (strcmp(b->wiring->forces[i].name, name) != 0) continue;
        if (!try_only) b->devices.forces[i].fault = fault;
        return FF_OK;
    }
    return ff_error_set(err, FF_NOT_FOUND, "there is no force sensor '%s'", name);
}

ff_status ff_virtual_bus_inject(ff_virtual_bus *b, const char *word, const char *name, bool try_only, ff_error *err)
{
    if (strcmp(word, "fault") == 0) return fault_drive(b, true, name, try_only, err);
    if (strcmp(word, "repair") == 0) return fault_drive(b, false, name, try_only, err);
    if (strcmp(word, "stick") == 0) return fault_force(b, FF_SENSOR_STUCK, name, try_only, err);
    if (strcmp(word, "overload") == 0) return fault_force(b, FF_SENSOR_OVERLOADED, name, try_only, err);
    if (strcmp(word, "free") == 0) return fault_force(b, FF_SENSOR_FREE, name, try_only, err);
    return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' is not a command", word);
}
