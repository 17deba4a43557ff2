// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot as stations (footfall/stations.h): below the stations is the simulated bus of the hardware layer, whose
// virtual devices make raw numbers of the robot's frames and do what control words say. One cycle:
//     feel      sensors of the robot -> virtual devices -> objects of stations, sampled for the next frame
//     carry     frames of the master
//     act       objects of stations -> virtual devices -> references of the robot
#include <footfall/stations.h>

#include "hardware/virtual_bus.h"
#include "stations/join.h"

#include <math.h>
#include <stdlib.h>

struct ff_ec_robot {
    ff_ec_carry carry;
    void *context;
    // constant once bound
    ff_arena arena;
    ff_wiring wiring;
    ff_virtual_bus *devices;
    ff_field_bus bus; // what the devices have as a bus
    ff_ec_drive *drives;
    ff_ec_force *forces;
    ff_ec_imu *imus;
    ff_ec_gateway *gateways;
    int ngateway;
    int *channels; // of gateways, for each item of the wiring's
    ff_ec_station *stations;
    int nstation;
    ff_ec_segment *segment;
    ff_ec_joins joins;
    bool bound;
    // changing
    unsigned char *inputs, *outputs; // image of the bus
    uint64_t now;                    // [ns]
};

ff_ec_robot *ff_ec_robot_create(ff_ec_carry carry, void *context, ff_error *err)
{
    ff_ec_robot *r = calloc(1, sizeof *r);
    if (!r) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
        return NULL;
    }
    r->carry = carry;
    r->context = context;
    return r;
}

void ff_ec_robot_destroy(ff_ec_robot *r)
{
    if (!r) return;
    ff_ec_segment_destroy(r->segment);
    ff_virtual_bus_destroy(r->devices);
    ff_wiring_clear(&r->wiring);
    ff_arena_clear(&r->arena);
    free(r);
}

// ------------------------------------------------------------------------------------------ making

/// @return channels that the items of the gateway take together
static int number_channels(const ff_wiring *w, int *channels)
{
    int n = 0;
    for (int i = 0; i < w->ngateway; i++) channels[i] = ff_wiring_is_index_mark(w, w->gateway[i]) ? -1 : n++;
    return n;
}

static bool make_memory(ff_ec_robot *r)
{
    const ff_wiring *w = &r->wiring;
    ff_arena *a = &r->arena;
    r->channels = FF_ARENA_NEW(a, int, w->ngateway + 1);
    if (!r->channels) return false;
    r->ngateway = (number_channels(w, r->channels) + FF_EC_GATEWAY_CHANNELS - 1) / FF_EC_GATEWAY_CHANNELS;
    r->drives = FF_ARENA_NEW(a, ff_ec_drive, w->ndrive + 1);
    r->forces = FF_ARENA_NEW(a, ff_ec_force, w->nforce + 1);
    r->imus = FF_ARENA_NEW(a, ff_ec_imu, w->ninertial + 1);
    r->gateways = FF_ARENA_NEW(a, ff_ec_gateway, r->ngateway + 1);
    r->stations = FF_ARENA_NEW(a, ff_ec_station, w->ndrive + w->nforce + w->ninertial + r->ngateway + 1);
    r->inputs = FF_ARENA_NEW(a, unsigned char, r->bus.inputs + 1);
    r->outputs = FF_ARENA_NEW(a, unsigned char, r->bus.outputs + 1);
    return r->drives && r->forces && r->imus && r->gateways && r->stations && r->inputs && r->outputs;
}

static void add_station(ff_ec_robot *r, const ff_ec_device *device, void *data, const char *name)
{
    r->stations[r->nstation] =
        (ff_ec_station){.device = device, .data = data, .name = name, .serial = (uint32_t)r->nstation + 1};
    r->nstation++;
}

static ff_status make_stations(ff_ec_robot *r, ff_error *err)
{
    const ff_wiring *w = &r->wiring;
    if (!make_memory(r)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < w->ndrive; i++) add_station(r, &ff_ec_drive_device, &r->drives[i], w->drives[i].name);
    for (int i = 0; i < w->nforce; i++) add_station(r, &ff_ec_force_device, &r->forces[i], w->forces[i].name);
    for (int i = 0; i < w->ninertial; i++) add_station(r, &ff_ec_imu_device, &r->imus[i], w->inertial[i].name);
    const ff_ec_lineup lineup = {r->stations, r->nstation, r->channels, r->gateways};
    ff_status status = ff_ec_joins_make(&r->joins, &r->bus, &lineup, &r->arena, err);
    for (int i = 0; i < r->ngateway && status == FF_OK; i++) {
        const char *name = ff_arena_printf(&r->arena, FF_GATEWAY_SLAVE "_%d", i + 1);
        if (!name) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
        add_station(r, &ff_ec_gateway_device, &r->gateways[i], name);
    }
    if (status == FF_OK) r->segment = ff_ec_segment_create(r->stations, r->nstation, err);
    return status != FF_OK || r->segment ? status : FF_BAD_MODEL;
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_ec_robot *r = context;
    if (r->bound) return ff_error_set(err, FF_BAD_ARGUMENT, "the stations of a robot are bound once");
    r->bound = true;
    const ff_status status = ff_wiring_make(&r->wiring, site, &r->arena, err);
    if (status != FF_OK) return status;
    r->devices = ff_virtual_bus_create(&r->wiring, site, err);
    if (!r->devices) return err ? err->status : FF_NO_MEMORY;
    r->bus = ff_virtual_bus_functions(r->devices);
    while (r->bus.request_state(r->bus.context, FF_BUS_OP) != FF_BUS_OP) {
    } // which state a station is in, it says itself
    return make_stations(r, err);
}

// ------------------------------------------------------------------------------------------ a cycle

static bool is_operating(const ff_ec_robot *r, int drive)
{
    return ff_ec_station_state(r->segment, drive, NULL) == FF_EC_OP; // drives are the first stations
}

/// Objects of drives that the simulated bus does not have.
static void complete_drive(ff_ec_robot *r, int i)
{
    ff_ec_drive *d = &r->drives[i];
    d->supported_modes = 1 << (FF_MODE_CSP - 1);
    if (!is_operating(r, i)) d->status &= (uint16_t)~FF_STATUS_REMOTE;
    const bool follows = ff_cia402_state_of(d->status) == FF_CIA402_OPERATION_ENABLED;
    d->position_demand = follows ? d->target_position : d->position;
    d->following_error = (int32_t)((uint32_t)d->position_demand - (uint32_t)d->position);
}

static void feel(ff_ec_robot *r, const ff_io_frame *sensors)
{
    ff_virtual_bus_feel(r->devices, sensors);
    if (r->bus.copy_rx(r->bus.context, r->inputs)) ff_ec_joins_show(&r->joins, r->inputs);
    for (int i = 0; i < r->wiring.ndrive; i++) complete_drive(r, i);
    ff_ec_segment_advance(r->segment, r->now);
}

/// A drive whose station is not in OP gets no voltage.
static void act(ff_ec_robot *r, double t, ff_io_frame *references)
{
    for (int i = 0; i < r->wiring.ndrive; i++)
        if (!is_operating(r, i)) r->drives[i].control = FF_CONTROL_DISABLE_VOLTAGE;
    ff_ec_joins_take(&r->joins, r->outputs);
    r->bus.copy_tx(r->bus.context, r->outputs);
    r->bus.send(r->bus.context, t, NULL);
    ff_virtual_bus_act(r->devices, references);
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_ec_robot *r = context;
    r->now = (uint64_t)floor(1e9 * t + 0.5);
    feel(r, sensors);
    r->carry(r->context, r, t);
    act(r, t, references);
}

ff_relay ff_ec_robot_relay(ff_ec_robot *r)
{
    return (ff_relay){.context = r, .bind = bind, .cycle = cycle, .every_bus_cycle = true};
}

size_t ff_ec_robot_frame(ff_ec_robot *r, unsigned char *bytes, size_t size, bool *over)
{
    if (!r->segment) return 0;
    const size_t back = ff_ec_segment_frame(r->segment, bytes, size, r->now);
    if (back && ff_ec_segment_exchanged(r->segment)) *over = true;
    return back;
}

// ------------------------------------------------------------------------------------------ what others ask

ff_ec_segment *ff_ec_robot_segment(const ff_ec_robot *r)
{
    return r->segment;
}

const ff_ec_station *ff_ec_robot_stations(const ff_ec_robot *r, int *count)
{
    *count = r->nstation;
    return r->stations;
}

uint64_t ff_ec_robot_time(const ff_ec_robot *r)
{
    return r->now;
}
