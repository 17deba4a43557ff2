// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated bus (virtual_bus.h). Its slaves have the same kind of variables as the layer, on an image whose inputs
// are the outputs of the layer.
#include "hardware/virtual_bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ff_virtual_bus {
    ff_arena arena;
    const ff_wiring *wiring;
    ff_bus_object *objects, *flipped; // as used by the layer and by the slaves
    int nobject;
    size_t inputs, outputs; // of the layer  [byte]
    double period;
    ff_field_bus slaves; // layout of the image of the slaves
    ff_bus_image image;
    ff_virtual_drive *drives;
    ff_virtual_force *forces;
    ff_virtual_imu *imus;
    ff_bus_variable *values, *times; // of the gateway
    ff_bus_state state;
    uint32_t sequence;    // of the last frame of sensors
    bool received, fresh; // a frame was received; it was new
    double *q;            // scratch
    double (*drive_side)[3], (*reference_side)[3];
};

// ------------------------------------------------------------------------------------------ its image

static void add_object(ff_virtual_bus *b, const char *slave, const ff_object_row *row)
{
    size_t *end = row->output ? &b->outputs : &b->inputs;
    b->objects[b->nobject++] = (ff_bus_object){slave, row->name, row->index, row->sub, row->type, row->output, *end};
    *end += ff_bus_type_size(row->type);
}

static void add_slave(ff_virtual_bus *b, const char *slave, const ff_object_row *rows, int n)
{
    for (int i = 0; i < n; i++) add_object(b, slave, &rows[i]);
}

static bool add_gateway(ff_virtual_bus *b, const ff_io_layout *sensors)
{
    for (int i = 0; i < b->wiring->ngateway; i++) {
        const char *name = sensors->names[b->wiring->gateway[i]].name;
        const char *time = ff_arena_printf(&b->arena, "%s.time", name);
        const uint16_t index = (uint16_t)(FF_GATEWAY_INDEX + i);
        if (!time) return false;
        add_object(b, FF_GATEWAY_SLAVE, &(ff_object_row){name, index, 1, FF_BUS_F64, false});
        add_object(b, FF_GATEWAY_SLAVE, &(ff_object_row){time, index, 2, FF_BUS_I64, false});
    }
    return true;
}

static ff_status lay_out(ff_virtual_bus *b, const ff_relay_site *site, ff_error *err)
{
    const ff_wiring *w = b->wiring;
    const int most = w->ndrive * FF_DRIVE_OBJECT_COUNT + w->nforce * FF_FORCE_OBJECT_COUNT +
                     w->ninertial * FF_IMU_OBJECT_COUNT + 2 * w->ngateway;
    b->objects = FF_ARENA_NEW(&b->arena, ff_bus_object, most + 1);
    b->flipped = FF_ARENA_NEW(&b->arena, ff_bus_object, most + 1);
    if (!b->objects || !b->flipped) return ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus");
    for (int i = 0; i < w->ndrive; i++) add_slave(b, w->drives[i].name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT);
    for (int i = 0; i < w->nforce; i++) add_slave(b, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT);
    for (int i = 0; i < w->ninertial; i++) add_slave(b, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT);
    if (!add_gateway(b, site->sensors)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus");
    for (int i = 0; i < b->nobject; i++) {
        b->flipped[i] = b->objects[i];
        b->flipped[i].output = !b->objects[i].output;
    }
    b->slaves = (ff_field_bus){
        .objects = b->flipped, .nobject = b->nobject, .inputs = b->outputs, .outputs = b->inputs, .period = b->period};
    return ff_bus_image_make(&b->image, &b->slaves, most, &b->arena, err);
}

// ------------------------------------------------------------------------------------------ its slaves

static ff_status make_drive(ff_virtual_bus *b, int i, ff_error *err)
{
    ff_virtual_drive *d = &b->drives[i];
    d->wiring = &b->wiring->drives[i];
    d->amplifier.modes = ff_virtual_drive_modes(d->wiring->drive);
    d->inputs.dt = b->period;
    ff_virtual_drive_reset(d);
    const ff_status status =
        ff_device_link(&b->image, d->wiring->name, ff_drive_objects, FF_DRIVE_OBJECT_COUNT, true, d->variables, err);
    ff_bus_set_integer(&d->variables[FF_DRIVE_position_time], -1);
    ff_bus_set_integer(&d->variables[FF_DRIVE_encoder_time], -1);
    return status;
}

static ff_status make_sensors(ff_virtual_bus *b, ff_error *err)
{
    const ff_wiring *w = b->wiring;
    ff_status status = FF_OK;
    for (int i = 0; i < w->nforce && status == FF_OK; i++) {
        b->forces[i].wiring = &w->forces[i];
        status = ff_device_link(&b->image, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT, true,
                                b->forces[i].variables, err);
        ff_bus_set_integer(&b->forces[i].variables[FF_FORCE_time], -1);
    }
    for (int i = 0; i < w->ninertial && status == FF_OK; i++) {
        b->imus[i].wiring = &w->inertial[i];
        status = ff_device_link(&b->image, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT, true,
                                b->imus[i].variables, err);
        ff_bus_set_integer(&b->imus[i].variables[FF_IMU_time], -1);
    }
    return status;
}

static ff_status make_gateway(ff_virtual_bus *b, const ff_io_layout *sensors, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < b->wiring->ngateway && status == FF_OK; i++) {
        const char *name = sensors->names[b->wiring->gateway[i]].name;
        char time[80];
        snprintf(time, sizeof time, "%s.time", name);
        status = ff_bus_variable_link(&b->image, &b->values[i], FF_GATEWAY_SLAVE, name, FF_BUS_F64, true, err);
        if (status == FF_OK)
            status = ff_bus_variable_link(&b->image, &b->times[i], FF_GATEWAY_SLAVE, time, FF_BUS_I64, true, err);
        ff_bus_set_integer(&b->times[i], -1);
    }
    return status;
}

static ff_status make(ff_virtual_bus *b, const ff_relay_site *site, ff_error *err)
{
    const ff_wiring *w = b->wiring;
    b->period = site->bus_period;
    b->state = FF_BUS_INIT;
    b->drives = FF_ARENA_NEW(&b->arena, ff_virtual_drive, w->ndrive + 1);
    b->forces = FF_ARENA_NEW(&b->arena, ff_virtual_force, w->nforce + 1);
    b->imus = FF_ARENA_NEW(&b->arena, ff_virtual_imu, w->ninertial + 1);
    b->values = FF_ARENA_NEW(&b->arena, ff_bus_variable, w->ngateway + 1);
    b->times = FF_ARENA_NEW(&b->arena, ff_bus_variable, w->ngateway + 1);
    b->q = FF_ARENA_NEW(&b->arena, double, w->model->nq + 1);
    b->drive_side = (double(*)[3])FF_ARENA_NEW(&b->arena, double, 3 * w->ndrive + 1);
    b->reference_side = (double(*)[3])FF_ARENA_NEW(&b->arena, double, 3 * w->ndrive + 1);
    if (b->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus");
    ff_status status = lay_out(b, site, err);
    for (int i = 0; i < w->ndrive && status == FF_OK; i++) status = make_drive(b, i, err);
    if (status == FF_OK) status = make_sensors(b, err);
    if (status == FF_OK) status = make_gateway(b, site->sensors, err);
    return status;
}

ff_virtual_bus *ff_virtual_bus_create(const ff_wiring *wiring, const ff_relay_site *site, ff_error *err)
{
    ff_virtual_bus *b = calloc(1, sizeof *b);
    if (!b) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the simulated bus");
        return NULL;
    }
    b->wiring = wiring;
    if (make(b, site, err) == FF_OK) return b;
    ff_virtual_bus_destroy(b);
    return NULL;
}

void ff_virtual_bus_destroy(ff_virtual_bus *b)
{
    if (!b) return;
    ff_arena_clear(&b->arena);
    free(b);
}

ff_virtual_drive *ff_virtual_bus_drive(ff_virtual_bus *b, int drive)
{
    return &b->drives[drive];
}

// ------------------------------------------------------------------------------------------ interface to the robot

void ff_virtual_bus_feel(ff_virtual_bus *b, const ff_io_frame *sensors)
{
    const ff_io_item *items = ff_io_items_of(sensors);
    const ff_wiring *w = b->wiring;
    b->fresh = !b->received || sensors->sequence != b->sequence;
    b->received = true;
    b->sequence = sensors->sequence;
    for (int i = 0; i < w->ndrive; i++) ff_virtual_drive_feel(&b->drives[i], w->model, items, b->q);
    for (int i = 0; i < w->nforce; i++) ff_virtual_force_feel(&b->forces[i], items);
    for (int i = 0; i < w->ninertial; i++) ff_virtual_imu_feel(&b->imus[i], items);
    for (int i = 0; i < w->ngateway; i++) {
        const ff_io_item *item = &items[w->gateway[i]];
        ff_bus_set(&b->values[i], item->value);
        ff_bus_set_integer(&b->times[i], ff_io_known(item) ? item->time_ns : -1);
    }
    ff_bus_image_write(&b->image);
}

static void give(ff_io_item *items, int item, double value)
{
    if (item >= 0) items[item] = (ff_io_item){.value = value, .valid = 1};
}

/// A drive that has never been in operation commands nothing, and no forces unless it got one before: the robot stands
/// by the initial commands of its drives.
void ff_virtual_bus_act(const ff_virtual_bus *b, ff_io_frame *references)
{
    const ff_wiring *w = b->wiring;
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < w->ndrive; i++) memcpy(b->drive_side[i], b->drives[i].reference, sizeof b->drive_side[i]);
    ff_references_from_drives(w, (const double(*)[3])b->drive_side, b->reference_side);
    for (int i = 0; i < w->ndrive; i++) {
        const int partner = w->drives[i].partner;
        const bool used = b->drives[i].used && (partner < 0 || b->drives[partner].used);
        if (!used) continue;
        give(items, w->drives[i].references[0], b->reference_side[i][0]);
        give(items, w->drives[i].references[1], b->reference_side[i][1]);
        if (b->drives[i].pushed || (partner >= 0 && b->drives[partner].pushed))
            give(items, w->drives[i].references[2], b->reference_side[i][2]);
    }
}

// ------------------------------------------------------------------------------------------ interface to the layer

static bool copy_rx(void *context, unsigned char *inputs)
{
    ff_virtual_bus *b = context;
    if (!b->fresh || b->state < FF_BUS_SAFE_OP) return false;
    memcpy(inputs, b->image.outputs, b->inputs);
    return true;
}

static void copy_tx(void *context, const unsigned char *outputs)
{
    ff_virtual_bus *b = context;
    memcpy(b->image.inputs, outputs, b->outputs);
}

static ff_status send(void *context, double t, ff_error *err)
{
    ff_virtual_bus *b = context;
    (void)t;
    (void)err;
    ff_bus_image_read(&b->image);
    for (int i = 0; i < b->wiring->ndrive; i++) ff_virtual_drive_exchange(&b->drives[i], b->state == FF_BUS_OP);
    return FF_OK;
}

/// Upward one state at a time, as in EtherCAT.
static ff_bus_state request_state(void *context, ff_bus_state wanted)
{
    ff_virtual_bus *b = context;
    b->state = wanted > b->state ? (ff_bus_state)(2 * (int)b->state) : wanted;
    return b->state;
}

static const ff_virtual_drive *find_drive(const ff_virtual_bus *b, const char *slave)
{
    for (int i = 0; i < b->wiring->ndrive; i++)
        if (strcmp(b->drives[i].wiring->name, slave) == 0) return &b->drives[i];
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
    for (int i = 0; i < b->wiring->ndrive; i++) {
        if (strcmp(b->wiring->drives[i].name, name) != 0) continue;
        if (!try_only) b->drives[i].broken = broken;
        return FF_OK;
    }
    return ff_error_set(err, FF_NOT_FOUND, "there is no drive '%s'", name);
}

static ff_status fault_force(ff_virtual_bus *b, ff_sensor_fault fault, const char *name, bool try_only, ff_error *err)
{
    for (int i = 0; i < b->wiring->nforce; i++) {
        if (strcmp(b->wiring->forces[i].name, name) != 0) continue;
        if (!try_only) b->forces[i].fault = fault;
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
