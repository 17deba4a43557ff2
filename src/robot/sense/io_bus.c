// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bus between controller and robot; footfall/io_bus.h describes its timing. The caller calls ff_bus_cycle at the
// start of each period, and lets the robot follow references and sample sensors at the times that follow from it.
#include <footfall/io_bus.h>

#include <math.h>
#include <string.h>

ff_bus ff_bus_default(void)
{
    return (ff_bus){.modelled = true, .period = 1e-3, .wait = 0.5e-3, .jitter = 15e-6};
}

ff_status ff_bus_check(const ff_bus *bus, ff_error *err)
{
    const double T = bus->period;
    if (!(T > 0.0 && isfinite(T)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "bus: a period of %g s: it must be positive", T);
    if (!bus->modelled) return FF_OK;
    if (!(bus->wait >= 0.0 && bus->transfer >= 0.0 && bus->jitter >= 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "bus: wait %g s, transfer %g s, jitter %g s: none may be negative",
                            bus->wait, bus->transfer, bus->jitter);
    if (!(bus->wait + bus->transfer + 2.0 * bus->jitter < T))
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "bus: wait, transfer and twice the jitter are %g s together: samples would not be ready for "
            "the next telegram after %g s",
            bus->wait + bus->transfer + 2.0 * bus->jitter, T);
    if (!(bus->loss >= 0.0 && bus->loss <= 1.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "bus: a loss of %g: it is a probability, from 0 to 1", bus->loss);
    return FF_OK;
}

void ff_bus_start(const ff_bus *bus, ff_bus_memory *memory)
{
    *memory = (ff_bus_memory){.random = ff_random_make(bus->seed, 0x627573)};
}

double ff_bus_jitter(const ff_bus *bus, ff_bus_memory *memory)
{
    return bus->jitter > 0.0 ? ff_random_range(&memory->random, -bus->jitter, bus->jitter) : 0.0;
}

static void copy_frame(ff_io_frame *to, const ff_io_frame *from)
{
    memcpy(to, from, ff_io_size((int)from->count));
}

/// Items without a valid value keep the last reference.
static void update_held(ff_io_frame *held, const ff_io_frame *references)
{
    const ff_io_item *from = ff_io_items_of(references);
    held->sequence = references->sequence;
    held->time_ns = references->time_ns;
    for (uint32_t i = 0; i < references->count; i++)
        if (ff_io_known(&from[i])) ff_io_items(held)[i] = from[i];
}

/// Marks samples that are not finite as invalid, since they would stay in filters of a controller permanently.
static void drop_invalid(ff_io_frame *sensors)
{
    ff_io_item *items = ff_io_items(sensors);
    for (uint32_t i = 0; i < sensors->count; i++)
        if (!ff_io_known(&items[i])) items[i].valid = 0;
}

static void run_controller(const ff_bus_memory *memory, ff_bus_frames *frames, const ff_controller *controller,
                           double t)
{
    ff_io_frame *out = frames->references;
    ff_io_item *items = ff_io_items(out);
    memset(items, 0, out->count * sizeof *items);
    out->sequence = (uint32_t)memory->counts.cycles;
    out->time_ns = (int64_t)floor(1e9 * t + 0.5);
    drop_invalid(frames->received);
    if (controller->cycle) controller->cycle(controller->context, t, frames->received, out);
    for (uint32_t i = 0; i < out->count; i++)
        if (items[i].valid) items[i].time_ns = out->time_ns;
}

bool ff_bus_cycle(const ff_bus *bus, ff_bus_memory *memory, ff_bus_frames *frames, const ff_controller *controller,
                  double t)
{
    if (!bus->modelled) copy_frame(frames->received, frames->ready);
    if (memory->returning) copy_frame(frames->received, frames->answer);
    memory->returning = 0;
    run_controller(memory, frames, controller, t);
    memory->counts.cycles++;
    if (bus->modelled && bus->loss > 0.0 && ff_random_uniform(&memory->random) < bus->loss) {
        memory->counts.lost++;
        return false;
    }
    if (bus->modelled) {
        copy_frame(frames->answer, frames->ready);
        memory->returning = 1;
    }
    update_held(frames->held, frames->references);
    return true;
}
