// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer (footfall/hardware.h): creation, binding to a robot and a bus, operator commands, and its use
// between a simulated robot and a controller.
#include "hardware/layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_hardware_options ff_hardware_options_default(void)
{
    return (ff_hardware_options){.automatic = true,
                                 .main_timeout = INFINITY,
                                 .tolerated_mismatches = 1,
                                 .tolerated_losses = 1,
                                 .tracking_limit = 0.1,
                                 .force_range = 1.2,
                                 .force_equal = 100,
                                 .force_jump = 1.0,
                                 .homing_samples = 32,
                                 .blend = 0.2,
                                 .hold = INFINITY};
}

// ------------------------------------------------------------------------------------------ commands

static const struct {
    const char *word;
    unsigned command;
} OPERATOR_WORDS[] = {{"home", FF_OPERATOR_HOME},
                      {"activate", FF_OPERATOR_ACTIVATE},
                      {"deactivate", FF_OPERATOR_DEACTIVATE},
                      {"acknowledge", FF_OPERATOR_ACKNOWLEDGE},
                      {"disable", FF_OPERATOR_DISABLE}};
#define HELP_REAL "home, activate, deactivate, acknowledge, disable, miscount N"
static const char HELP[] = HELP_REAL ", fault DRIVE, repair DRIVE, stick SENSOR, overload SENSOR, free SENSOR";

/// @param try_only  only checks whether the command is valid
static ff_status execute(ff_hardware *h, const char *text, bool check_only, ff_error *err)
{
    char word[24] = "", name[64] = "", rest[2] = "";
    ff_error why = {0};
    const int n = sscanf(text, "%23s %63s %1s", word, name, rest);
    for (size_t i = 0; n == 1 && i < sizeof OPERATOR_WORDS / sizeof *OPERATOR_WORDS; i++) {
        if (strcmp(word, OPERATOR_WORDS[i].word) != 0) continue;
        if (!check_only) h->new_commands |= OPERATOR_WORDS[i].command;
        return FF_OK;
    }
    if (n == 2 && strcmp(word, "miscount") == 0) {
        char *end;
        const long count = strtol(name, &end, 10);
        if (*end || count < 1 || count > 1000000)
            return ff_error_set(err, FF_BAD_ARGUMENT, "'miscount %s': expected a number of answers from 1", name);
        if (!check_only) h->miscount = (int)count;
        return FF_OK;
    }
    if (n != 2 || !h->virtual_bus)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s' is not a command%s; expected: %s", text,
                            h->virtual_bus ? "" : " for a real bus", h->virtual_bus ? HELP : HELP_REAL);
    const ff_status status = ff_virtual_bus_inject(h->virtual_bus, word, name, check_only, &why);
    if (status == FF_BAD_ARGUMENT)
        return ff_error_set(err, status, "'%.60s' is not a command; expected: %s", text, HELP);
    return status == FF_OK ? FF_OK : ff_error_set(err, status, "'%.60s': %s", text, why.text);
}

ff_status ff_hardware_command(ff_hardware *h, const char *text, ff_error *err)
{
    return execute(h, text, false, err);
}

static ff_status try_schedule(ff_hardware *h, ff_error *err)
{
    ff_status status = FF_OK;
    for (int i = 0; i < h->schedule.n && status == FF_OK; i++)
        status = execute(h, h->schedule.commands[i].text, true, err);
    return status;
}

ff_status ff_hardware_schedule(ff_hardware *h, const char *text, ff_error *err)
{
    const ff_status status = ff_schedule_read(&h->schedule, text, &h->arena, err);
    return status == FF_OK ? try_schedule(h, err) : status;
}

// ------------------------------------------------------------------------------------------ making

ff_hardware *ff_hardware_create(const ff_relay *controller, const ff_hardware_options *options, ff_error *err)
{
    ff_hardware *h = calloc(1, sizeof *h);
    if (!h) {
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
        return NULL;
    }
    h->options = options ? *options : ff_hardware_options_default();
    h->controller = *controller;
    h->requested.state = h->bus_request.state = h->report.state = FF_BUS_INIT;
    if (ff_schedule_read(&h->schedule, h->options.schedule, &h->arena, err) == FF_OK)
        return h; // commands are checked when the layer is bound
    ff_hardware_destroy(h);
    return NULL;
}

void ff_hardware_destroy(ff_hardware *h)
{
    if (!h) return;
    ff_hardware_threads_stop(h);
    ff_virtual_bus_destroy(h->virtual_bus);
    ff_wiring_clear(&h->wiring);
    ff_arena_clear(&h->arena);
    free(h);
}

static bool make_memory(ff_hardware *h)
{
    const ff_wiring *w = &h->wiring;
    ff_arena *a = &h->arena;
    h->drives = FF_ARENA_NEW(a, ff_device_drive, w->ndrive + 1);
    h->forces = FF_ARENA_NEW(a, ff_device_force, w->nforce + 1);
    h->imus = FF_ARENA_NEW(a, ff_device_imu, w->ninertial + 1);
    h->homing = FF_ARENA_NEW(a, ff_homing, w->ndrive + 1);
    h->references = (double(*)[3])FF_ARENA_NEW(a, double, 3 * w->ndrive + 1);
    h->targets = (double(*)[3])FF_ARENA_NEW(a, double, 3 * w->ndrive + 1);
    h->hold = (double(*)[2])FF_ARENA_NEW(a, double, 2 * w->ndrive + 1);
    h->x = FF_ARENA_NEW(a, double, w->ndrive + 1);
    h->error = FF_ARENA_NEW(a, double, w->ndrive + 1);
    h->joint_error = FF_ARENA_NEW(a, double, w->model->nv + 1);
    h->q = FF_ARENA_NEW(a, double, w->model->nq + 1);
    h->values = FF_ARENA_NEW(a, double, h->site.nsignal + 1);
    h->sensors = (ff_io_frame *)(void *)ff_arena_alloc(a, 1, ff_io_size(h->site.sensors->count));
    h->answer = (ff_io_frame *)(void *)ff_arena_alloc(a, 1, ff_io_size(h->site.references->count));
    if (a->failed) return false;
    for (int i = 0; i < w->model->nq; i++) h->q[i] = NAN;
    if (h->site.values) memcpy(h->values, h->site.values, (size_t)h->site.nsignal * sizeof *h->values);
    ff_io_init(h->sensors, h->site.sensors);
    ff_io_init(h->answer, h->site.references);
    return true;
}

static ff_status link_devices(ff_hardware *h, ff_error *err)
{
    const ff_wiring *w = &h->wiring;
    ff_status status = ff_bus_image_make(&h->image, &h->bus, h->bus.nobject, &h->arena, err);
    for (int i = 0; i < w->ndrive && status == FF_OK; i++)
        status = ff_device_drive_make(&h->drives[i], &w->drives[i], &h->image, err);
    for (int i = 0; i < w->nforce && status == FF_OK; i++) {
        h->forces[i].wiring = &w->forces[i];
        status = ff_device_link(&h->image, w->forces[i].name, ff_force_objects, FF_FORCE_OBJECT_COUNT,
                                h->forces[i].variables, err);
    }
    for (int i = 0; i < w->ninertial && status == FF_OK; i++) {
        h->imus[i].wiring = &w->inertial[i];
        status = ff_device_link(&h->image, w->inertial[i].name, ff_imu_objects, FF_IMU_OBJECT_COUNT,
                                h->imus[i].variables, err);
    }
    if (status == FF_OK) status = ff_device_gateway_make(&h->gateway, w, h->site.sensors, &h->image, &h->arena, err);
    return status;
}

/// The controller works at its own period, with signals that only the main thread writes.
static ff_status bind_controller(ff_hardware *h, ff_error *err)
{
    ff_relay_site site = h->site;
    site.values = h->values;
    site.conditions = &h->conditions;
    return h->controller.bind ? h->controller.bind(h->controller.context, &site, err) : FF_OK;
}

/// Binds the layer to a field bus: links the devices to its variables, then binds the controller.
static ff_status bind_to(ff_hardware *h, const ff_field_bus *bus, ff_error *err)
{
    const double ratio = h->site.period / bus->period;
    h->bus = *bus;
    h->every = (int)floor(ratio + 0.5);
    if (h->every < 1 || fabs(ratio - h->every) > 1e-6)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "a controller of %g s on a bus of %g s: the period must be a whole number of cycles",
                            h->site.period, bus->period);
    if (!make_memory(h)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the hardware layer");
    ff_status status = link_devices(h, err);
    if (status == FF_OK) status = try_schedule(h, err);
    if (status == FF_OK) status = bind_controller(h, err);
    if (status == FF_OK && h->options.threads) status = ff_hardware_threads_start(h, err);
    return status;
}

static ff_status find_devices(ff_hardware *h, const ff_relay_site *site, ff_error *err)
{
    if (h->wired) return ff_error_set(err, FF_BAD_ARGUMENT, "the hardware layer has been bound already");
    h->wired = true;
    h->site = *site;
    return ff_wiring_make(&h->wiring, site, &h->arena, err);
}

ff_status ff_hardware_bind(ff_hardware *h, const ff_relay_site *site, const ff_field_bus *bus, ff_error *err)
{
    const ff_status status = find_devices(h, site, err);
    return status == FF_OK ? bind_to(h, bus, err) : status;
}

// ------------------------------------------------------------------------------------------ a simulated robot

static ff_status bind_simulated(void *context, const ff_relay_site *site, ff_error *err)
{
    ff_hardware *h = context;
    const ff_status status = find_devices(h, site, err);
    if (status != FF_OK) return status;
    h->virtual_bus = ff_virtual_bus_create(&h->wiring, site, err);
    if (!h->virtual_bus) return err ? err->status : FF_NO_MEMORY;
    const ff_field_bus bus = ff_virtual_bus_functions(h->virtual_bus);
    return bind_to(h, &bus, err);
}

static void cycle_simulated(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_hardware *h = context;
    ff_virtual_bus_set_sensors(h->virtual_bus, sensors);
    ff_hardware_cycle(h, t);
    ff_virtual_bus_get_references(h->virtual_bus, references);
}

/// A run that ends in a fault is a failure.
static ff_status check(void *context, ff_error *err)
{
    const ff_hardware *h = context;
    ff_hardware_threads_wait(h);
    if (h->state == FF_HARDWARE_FAULT)
        return ff_error_set(err, FF_CONTROL, "at %.6g s the hardware layer went into fault: %s; the robot was held",
                            h->since, h->why);
    return h->controller.check ? h->controller.check(h->controller.context, err) : FF_OK;
}

ff_relay ff_hardware_relay(ff_hardware *h)
{
    return (ff_relay){
        .context = h, .bind = bind_simulated, .cycle = cycle_simulated, .check = check, .every_bus_cycle = true};
}

// ------------------------------------------------------------------------------------------ queries

ff_hardware_state ff_hardware_get_state(const ff_hardware *h)
{
    ff_hardware_threads_wait(h);
    return h->state;
}

const char *ff_hardware_fault_reason(const ff_hardware *h)
{
    ff_hardware_threads_wait(h);
    return h->why;
}

ff_hardware_counts ff_hardware_get_counts(const ff_hardware *h)
{
    ff_hardware_threads_wait(h);
    ff_hardware_counts counts = h->counts;
    counts.cycles = h->cycle;
    counts.lost = h->lost;
    counts.late = h->late;
    ff_hardware_threads_margins(h, &counts.margin_min, &counts.margin_median);
    return counts;
}

const double *ff_hardware_joints(const ff_hardware *h)
{
    ff_hardware_threads_wait(h);
    return h->q;
}
