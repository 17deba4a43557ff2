// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot as stations (footfall/stations.h). Below the stations is the simulated bus of the hardware layer, whose
// virtual devices convert the robot's frames to raw numbers and execute control words. One cycle:
//     read_sensors      sensors of the robot -> virtual devices -> objects of stations, sampled for the next frame
//     transport         frames of the master
//     write_references  objects of stations -> virtual devices -> references of the robot
#include "stations/robot.h"

#include <math.h>
#include <stdlib.h>

ff_ec_robot *ff_ec_robot_create(ff_ec_transport transport, void *context, ff_error *err)
{
    ff_ec_robot *r = calloc(1, sizeof *r);
    if (!r) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
        return NULL;
    }
    r->transport = transport;
    r->context = context;
    r->random = ff_random_make(0, 0);
    return r;
}

void ff_ec_robot_destroy(ff_ec_robot *r)
{
    if (!r) return;
    ff_ec_segment_destroy(r->segment);
    ff_virtual_bus_destroy(r->bus);
    ff_wiring_clear(&r->wiring);
    ff_arena_clear(&r->arena);
    free(r);
}

// ------------------------------------------------------------------------------------------ creation

static bool make_memory(ff_ec_robot *r)
{
    const ff_wiring *w = &r->wiring;
    ff_arena *a = &r->arena;
    r->channels = FF_ARENA_NEW(a, int, w->ngateway + 1);
    if (!r->channels) return false;
    int n = 0; // channels
    for (int i = 0; i < w->ngateway; i++) r->channels[i] = ff_wiring_is_index_mark(w, w->gateway[i]) ? -1 : n++;
    r->ngateway = (n + FF_EC_GATEWAY_CHANNELS - 1) / FF_EC_GATEWAY_CHANNELS;
    r->forces = FF_ARENA_NEW(a, ff_ec_force_station, w->nforce + 1);
    r->imus = FF_ARENA_NEW(a, ff_ec_imu_station, w->ninertial + 1);
    r->gateways = FF_ARENA_NEW(a, ff_ec_gateway, r->ngateway + 1);
    const int most = w->ndrive + w->nforce + w->ninertial + r->ngateway;
    r->devices_in_order = FF_ARENA_NEW(a, ff_ec_module, most + 1);
    r->settings = FF_ARENA_NEW(a, const ff_spec_setting *, most + 1);
    r->drive_station = FF_ARENA_NEW(a, int, w->ndrive + 1);
    r->sent_codes = FF_ARENA_NEW(a, uint16_t, w->ndrive + 1);
    return !a->failed;
}

static void add_device(ff_ec_robot *r, const ff_ec_device *device, void *data, const ff_ec_behaviour *behaviour,
                       const char *name)
{
    r->devices_in_order[r->ndevice++] = (ff_ec_module){device, data, behaviour, name};
}

/// Station settings of drives and sensors in the robot's file.
static void find_places(ff_ec_robot *r)
{
    const ff_model *m = r->wiring.model;
    for (int i = 0; i < r->ndevice; i++) {
        const bool drive = r->devices_in_order[i].device == &ff_ec_drive_device;
        for (int k = 0; k < m->ndrive && drive; k++)
            if (!strcmp(m->drives[k].name, r->devices_in_order[i].name))
                r->settings[i] = ff_cable_find(m->drives[k].settings, m->drives[k].nsetting);
        for (int k = 0; k < m->nsensor && !drive; k++)
            if (!strcmp(m->sensors[k].name, r->devices_in_order[i].name))
                r->settings[i] = ff_cable_find(m->sensors[k].settings, m->sensors[k].nsetting);
    }
}

/// Devices become stations, in the order of frames.
static ff_status place_stations(ff_ec_robot *r, ff_error *err)
{
    ff_ec_grouping g;
    find_places(r);
    ff_status status = ff_ec_group(&g, r->devices_in_order, r->settings, r->ndevice, r->ngateway, &r->arena, err);
    if (status != FF_OK) return status;
    int *order = FF_ARENA_NEW(&r->arena, int, g.nstation + 1);
    if (!order) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    status = ff_ec_stations_sort(g.stations, g.places, g.nstation, order, err);
    for (int i = 0; i < g.nstation && status == FF_OK; i++)
        for (int k = 0; k < r->wiring.ndrive; k++) // drives come first
            if (g.station_of[k] == order[i]) r->drive_station[k] = i;
    r->stations = g.stations;
    r->nstation = g.nstation;
    return status;
}

static ff_status make_stations(ff_ec_robot *r, ff_error *err)
{
    const ff_wiring *w = &r->wiring;
    if (!make_memory(r)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
    for (int i = 0; i < w->ndrive; i++)
        add_device(r, &ff_ec_drive_device, &r->devices->drives[i], &ff_ec_drive_behaviour, w->drives[i].name);
    for (int i = 0; i < w->nforce; i++) {
        r->forces[i].sensor = &r->devices->forces[i];
        add_device(r, &ff_ec_force_device, &r->forces[i], &ff_ec_force_behaviour, w->forces[i].name);
    }
    for (int i = 0; i < w->ninertial; i++) {
        r->imus[i].sensor = &r->devices->imus[i];
        add_device(r, &ff_ec_imu_device, &r->imus[i], &ff_ec_imu_behaviour, w->inertial[i].name);
    }
    for (int i = 0; i < r->ngateway; i++) {
        const char *name = ff_arena_printf(&r->arena, FF_GATEWAY_SLAVE "_%d", i + 1);
        if (!name) return ff_error_set(err, FF_NO_MEMORY, "no memory for the stations");
        add_device(r, &ff_ec_gateway_device, &r->gateways[i], NULL, name);
    }
    const ff_status status = place_stations(r, err);
    if (status == FF_OK) r->segment = ff_ec_segment_create(r->stations, r->nstation, err);
    return status != FF_OK || r->segment ? status : FF_BAD_MODEL;
}

static ff_status try_schedule(ff_ec_robot *r, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < r->schedule.n && status == FF_OK; i++)
        status = ff_ec_robot_execute(r, r->schedule.commands[i].text, true, err);
    return status;
}

static ff_status bind(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_ec_robot *r = context;
    if (r->bound) return ff_error_set(err, FF_BAD_ARGUMENT, "the stations have been bound already");
    r->bound = true;
    r->period = (uint64_t)floor(1e9 * site->bus_period + 0.5);
    const ff_status status = ff_wiring_make(&r->wiring, site, &r->arena, err);
    if (status != FF_OK) return status;
    r->bus = ff_virtual_bus_create(&r->wiring, site, err);
    if (!r->bus) return err ? err->status : FF_NO_MEMORY;
    r->devices = ff_virtual_bus_devices(r->bus);
    const ff_status made = make_stations(r, err);
    return made == FF_OK ? try_schedule(r, err) : made;
}

ff_status ff_ec_robot_schedule(ff_ec_robot *r, const char *text, ff_error *err)
{
    const ff_status status = ff_schedule_read(&r->schedule, text, &r->arena, err);
    return status == FF_OK && r->segment ? try_schedule(r, err) : status;
}

// ------------------------------------------------------------------------------------------ a cycle

static void update_gateways(ff_ec_robot *r)
{
    for (int i = 0; i < r->wiring.ngateway; i++) {
        if (r->channels[i] < 0) continue;
        ff_ec_gateway *g = &r->gateways[r->channels[i] / FF_EC_GATEWAY_CHANNELS];
        const int channel = r->channels[i] % FF_EC_GATEWAY_CHANNELS;
        const uint32_t bit = UINT32_C(1) << channel;
        g->value[channel] = r->devices->values[i];
        g->time[channel] = (uint32_t)r->devices->times[i];
        g->valid = r->devices->times[i] < 0 ? g->valid & ~bit : g->valid | bit;
    }
}

static void read_sensors(ff_ec_robot *r, const ff_io_frame *sensors)
{
    if (ff_virtual_bus_set_sensors(r->bus, sensors)) {
        for (int i = 0; i < r->wiring.nforce; i++) ff_ec_force_update(&r->forces[i]);
        for (int i = 0; i < r->wiring.ninertial; i++) ff_ec_imu_update(&r->imus[i]);
        update_gateways(r);
    }
    for (int i = 0; i < r->wiring.ndrive; i++) ff_ec_drive_limit(&r->devices->drives[i]);
    ff_ec_segment_advance(r->segment, r->now);
}

/// Sends emergencies of drives whose error code has changed. For a loss of communication the station itself sends one.
static void send_emergency(ff_ec_robot *r, int drive, uint16_t code)
{
    if (code == FF_EC_EMERGENCY_BUS_LOST) code = 0;
    if (code == r->sent_codes[drive]) return;
    const int station = r->drive_station[drive];
    uint8_t error = ff_ec_error_register(code);
    for (int i = 0; i < r->wiring.ndrive; i++) // other axes of its slave
        if (i != drive && r->drive_station[i] == station) error |= ff_ec_error_register(r->sent_codes[i]);
    if (ff_ec_station_emergency(r->segment, station, code, error, (uint8_t[5]){0})) r->sent_codes[drive] = code;
}

static void write_references(ff_ec_robot *r, ff_io_frame *references)
{
    for (int i = 0; i < r->wiring.ndrive; i++) {
        ff_virtual_drive *drive = &r->devices->drives[i];
        ff_virtual_drive_step(drive, ff_ec_station_state(r->segment, r->drive_station[i], NULL) == FF_EC_OP);
        send_emergency(r, i, drive->objects.error_code);
    }
    ff_virtual_bus_get_references(r->bus, references);
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_ec_robot *r = context;
    r->begin = (uint64_t)floor(1e9 * t + 0.5);
    ff_ec_robot_elapse(r, 0.0);
    for (const char *text; (text = ff_schedule_due(&r->schedule, t));)
        ff_ec_robot_execute(r, text, false, NULL); // it was validated before
    read_sensors(r, sensors);
    r->transport(r->context, r, t);
    write_references(r, references);
}

ff_relay ff_ec_robot_relay(ff_ec_robot *r)
{
    return (ff_relay){.context = r, .bind = bind, .cycle = cycle, .every_bus_cycle = true};
}

void ff_ec_robot_elapse(ff_ec_robot *r, double elapsed)
{
    const uint64_t ns = elapsed > 0.0 ? (uint64_t)ff_min(1e9 * elapsed, (double)r->period) : 0;
    if (r->begin + ns > r->now) r->now = r->begin + ns; // cycles may jitter, but clocks do not run backwards
}

size_t ff_ec_robot_frame(ff_ec_robot *r, unsigned char *bytes, size_t size, bool *over)
{
    if (!r->segment) return 0;
    const double drawn = r->loss > 0.0 ? ff_random_uniform(&r->random) : 1.0;
    if (drawn < 0.5 * r->loss) return 0; // lost before the slaves
    const size_t back = ff_ec_segment_frame(r->segment, bytes, size, r->now);
    if (back && ff_ec_segment_exchanged(r->segment)) *over = true;
    return drawn < r->loss ? 0 : back; // lost behind the slaves
}

// ------------------------------------------------------------------------------------------ queries and commands

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
