// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The bus of a simulation: one task is the controller's side, the other the robot's. Both set the time of their next
// call, since jitter moves the telegrams. Frames are saved with the simulation; they hold no addresses.
// Signals are values of a controller for recorders.
#include "drive/interface.h"
#include "plant/drives.h"
#include "plant/sensors.h"
#include "sense/interface.h"
#include "sense/io_frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { IDLE, TRANSFER, WAIT };      // ff_bus_link.stage
enum { FRAMES = 5, PER_DRIVE = 3 }; // of the bus; references of a drive

// ------------------------------------------------------------------------------------------ layouts

static int count_drives(const ff_bus_link *b)
{
    return b->drives ? b->drives->set->n : 0;
}

static ff_status name_references(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    static const char *const words[PER_DRIVE] = {"position", "speed", "force"};
    static const char *const units[2][PER_DRIVE] = {{"rad", "rad/s", "N m"}, {"m", "m/s", "N"}};
    const int count = PER_DRIVE * count_drives(b) + sim->nacting;
    ff_io_name *names = FF_ARENA_NEW(&sim->arena, ff_io_name, count + 1);
    int n = 0;
    if (!names) return ff_error_set(err, FF_NO_MEMORY, "no memory for the bus");
    for (int i = 0; i < count_drives(b); i++) {
        const ff_drive *d = &b->drives->set->drives[i];
        const ff_joint *joint = &sim->model->joints[d->path.joint[d->partner >= 0 && d->partner < i ? 1 : 0]];
        const bool direct = d->path.kind == FF_PATH_JOINT || d->partner >= 0;
        const bool travel = !direct || joint->type == FF_JOINT_SLIDE;
        for (int k = 0; k < PER_DRIVE; k++, n++) {
            const ff_status status = ff_io_name_set(&names[n], units[travel][k], err, "drives.%s.%s",
                                                    d->partner >= 0 ? joint->name : d->name, words[k]);
            if (status) return status;
        }
    }
    for (int i = 0; n < count; i++, n++) {
        const ff_actuator *a = &sim->model->actuators[sim->acting[i]];
        const ff_status status = ff_io_name_set(&names[n], "1", err, "actuators.%s", a->name);
        if (status) return status;
    }
    b->layouts[FF_IO_REFERENCES] = (ff_io_layout){FF_IO_REFERENCES, count, names, ff_io_layout_hash(names, count)};
    return FF_OK;
}

static ff_status name_sensors(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    const ff_sensor_set *set = b->sensors->set;
    int count = 0, n = 0;
    for (int i = 0; i < set->n; i++) count += set->sensors[i].chain.n;
    ff_io_name *names = FF_ARENA_NEW(&sim->arena, ff_io_name, count + 1);
    if (!names) return ff_error_set(err, FF_NO_MEMORY, "no memory for the bus");
    for (int i = 0; i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        for (int k = 0; k < s->chain.n; k++, n++) {
            const char *unit = ff_sensor_unit(s, k), *channel = ff_sensor_channel(s, k);
            const ff_status status =
                s->tactile
                    ? ff_io_name_set(&names[n], unit, err, "sensors.%s.%s.%d", s->name, channel, k % (s->chain.n / 2))
                    : ff_io_name_set(&names[n], unit, err, "sensors.%s.%s", s->name, channel);
            if (status) return status;
        }
    }
    b->layouts[FF_IO_SENSORS] = (ff_io_layout){FF_IO_SENSORS, count, names, ff_io_layout_hash(names, count)};
    return FF_OK;
}

/// Allocates all frames in one block, which is saved with the simulation.
static ff_status make_frames(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    ff_io_frame **const frames[FRAMES] = {&b->frames.received, &b->frames.answer, &b->frames.ready,
                                          &b->frames.references, &b->frames.held};
    size_t size = 0;
    for (int i = 0; i < FRAMES; i++) size += ff_io_size(b->layouts[i < 3 ? FF_IO_SENSORS : FF_IO_REFERENCES].count);
    char *block = FF_ARENA_NEW(&sim->arena, char, size);
    if (!block) return ff_error_set(err, FF_NO_MEMORY, "no memory for the bus");
    char *at = block;
    for (int i = 0; i < FRAMES; i++) {
        const ff_io_layout *layout = &b->layouts[i < 3 ? FF_IO_SENSORS : FF_IO_REFERENCES];
        *frames[i] = (ff_io_frame *)(void *)at;
        ff_io_init(*frames[i], layout);
        at += ff_io_size(layout->count);
    }
    b->block = (ff_part_memory){block, size};
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the robot's side

/// References of the two joints of a differential with the first motor `first`. The items of a motor are those of one
/// joint. Items without a value keep the last reference.
static void follow_differential(const ff_drives_link *drives, int first, const ff_io_item *items)
{
    const int second = drives->set->drives[first].partner, motor[2] = {first, second};
    const ff_drive *a = &drives->set->drives[first], *b = &drives->set->drives[second];
    double motors[2][PER_DRIVE], joints[2][PER_DRIVE];
    bool any = false; // is any reference valid?
    for (int i = 0; i < 2; i++) memcpy(motors[i], drives->memory[motor[i]].reference, sizeof motors[i]);
    ff_differential_to_joints(a, b, motors, joints);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < PER_DRIVE; k++) {
            const ff_io_item *item = &items[PER_DRIVE * motor[i] + k];
            if (item->valid) joints[i][k] = item->value;
            any = any || item->valid;
        }
    if (!any) return;
    ff_differential_to_motors(a, b, joints, motors);
    for (int i = 0; i < 2; i++)
        ff_drive_command(i == 0 ? a : b, &drives->memory[motor[i]], motors[i][0], motors[i][1], motors[i][2]);
}

/// Called by tasks, after which the integrator restarts.
static void follow_references(ff_sim *sim, const ff_bus_link *b)
{
    const ff_io_item *items = ff_io_items_of(b->frames.held);
    const ff_drive_set *set = b->drives ? b->drives->set : NULL;
    int n = 0;
    for (int i = 0; set && i < set->n; i++, n += PER_DRIVE) {
        const int partner = set->drives[i].partner;
        if (partner > i) follow_differential(b->drives, i, items);
        if (partner >= 0) continue;
        const double *before = b->drives->memory[i].reference;
        double value[PER_DRIVE];
        for (int k = 0; k < PER_DRIVE; k++) value[k] = items[n + k].valid ? items[n + k].value : before[k];
        if (!items[n].valid && !items[n + 1].valid && !items[n + 2].valid) continue;
        ff_drive_command(&set->drives[i], &b->drives->memory[i], value[0], value[1], value[2]);
    }
    for (int i = 0; n < (int)b->frames.held->count; i++, n++)
        if (items[n].valid) ff_sim_set_command(sim, (ff_actuator_id){sim->acting[i]}, items[n].value);
}

static int64_t nanoseconds(double t)
{
    return (int64_t)floor(1e9 * t + 0.5);
}

static void sample_now(ff_sim *sim, const ff_bus_link *b, double t)
{
    ff_sensors_link *link = b->sensors;
    ff_io_frame *ready = b->frames.ready;
    ff_io_item *items = ff_io_items(ready);
    if (b->bus.modelled) ff_sensors_update_view(sim, link, b->need);
    double last = NAN; // stamp of the sensor before: most sensors have the same, which is converted once
    int64_t time_ns = 0;
    int n = 0;
    for (int i = 0; i < link->set->n; i++) {
        const ff_sensor *sensor = &link->set->sensors[i];
        const int count = sensor->chain.n;
        if (b->sampled_by_bus[i]) ff_sensor_sample(link->set, i, link->memory, &link->view, t);
        if (count < 1) continue; // a camera
        double stamp;
        const double *values = ff_chain_values(&sensor->chain, link->memory + link->set->slots[i].chain, t, &stamp);
        const bool known = values && isfinite(stamp);
        if (stamp != last) time_ns = known ? nanoseconds(stamp) : 0;
        last = stamp;
        ff_io_item *to = items + n;
        n += count;
        for (int k = 0; known && k < count; k++)
            to[k] = (ff_io_item){.value = values[k], .time_ns = time_ns, .valid = isfinite(values[k]) ? 1 : 0};
        for (int k = 0; !known && k < count; k++) to[k] = (ff_io_item){.value = values ? values[k] : 0.0};
    }
    ready->time_ns = nanoseconds(t);
    ready->sequence = (uint32_t)b->memory.counts.cycles;
}

static void call_robot_after(ff_sim *sim, const ff_bus_link *b, double span)
{
    sim->tasks[b->slave].next = sim->task_time + ff_ticks_from_seconds(span);
}

static ff_sim_action run_robot_side(void *context, ff_sim *sim, double t)
{
    ff_bus_link *b = context;
    sim->tasks[b->slave].next = INT64_MAX;
    if (b->stage == TRANSFER) {
        follow_references(sim, b);
        b->stage = WAIT;
        call_robot_after(sim, b, b->bus.wait);
    } else if (b->stage == WAIT) {
        sample_now(sim, b, t);
        b->stage = IDLE;
        return FF_SIM_UNCHANGED;
    }
    return FF_SIM_GO;
}

// ------------------------------------------------------------------------------------------ the controller's side

static ff_sim_action run_controller_side(void *context, ff_sim *sim, double t)
{
    ff_bus_link *b = context;
    if (!b->bus.modelled) sample_now(sim, b, t);
    const bool arrived = ff_bus_cycle(&b->bus, &b->memory, &b->frames, &b->controller, t);
    if (!b->bus.modelled) {
        follow_references(sim, b);
        return FF_SIM_GO;
    }
    // nominal times do not drift: the next is counted from the start of the run
    const ff_ticks period = ff_ticks_from_seconds(b->bus.period);
    sim->tasks[b->master].next =
        b->memory.counts.cycles * period + ff_ticks_from_seconds(ff_bus_jitter(&b->bus, &b->memory));
    if (!arrived) return FF_SIM_GO;
    b->stage = TRANSFER;
    if (b->bus.transfer > 0.0) {
        call_robot_after(sim, b, b->bus.transfer);
    } else {
        follow_references(sim, b);
        b->stage = WAIT;
        call_robot_after(sim, b, b->bus.wait);
    }
    return FF_SIM_GO;
}

// ------------------------------------------------------------------------------------------ joining

/// Do telegrams sample the sensor? They do where it has the rate of the bus. Where loops of drives run ahead, they also
/// sample faster sensors, of which only the last sample before a telegram is used, unless a delay or an estimate needs
/// all samples.
static bool is_sampled_by_bus(const ff_bus_link *b, const ff_sensor *s)
{
    if (fabs(s->chain.period - b->bus.period) <= 1e-9) return true;
    const double span = b->drives && b->drives->nahead > 0 ? ff_ticks_to_seconds(b->drives->schedule[0].until) : 0.0;
    const bool needs_all = s->chain.delay > 0 || s->fusion;
    return s->chain.period <= span && s->chain.period < b->bus.period && !needs_all;
}

/// Removes sensors that telegrams sample from their tasks; cameras stay.
static ff_status take_sensors(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    ff_sensors_link *link = b->sensors;
    b->sampled_by_bus = FF_ARENA_NEW(&sim->arena, bool, link->set->n + 1);
    if (!b->sampled_by_bus) return ff_error_set(err, FF_NO_MEMORY, "no memory for the bus");
    for (int g = 0; b->bus.modelled && g < link->ntask; g++) {
        ff_sensors_task *task = &link->tasks[g];
        int kept = 0;
        for (int i = 0; i < task->n; i++) {
            const int s = task->sensors[i];
            if (link->pictures[s] || !is_sampled_by_bus(b, &link->set->sensors[s])) {
                task->sensors[kept++] = s;
                continue;
            }
            b->sampled_by_bus[s] = true;
            b->need |= ff_sensors_need(&link->set->sensors[s]);
        }
        task->n = kept;
        if (kept == 0) sim->tasks[task->task].next = INT64_MAX;
    }
    return FF_OK;
}

/// Can steps pass the times of the controller's side? On a modelled bus it uses frames alone, so that a step must end
/// there only where references act on arrival: loops read theirs when they sample, and telegrams with a time of
/// transfer reach the robot by the task of the robot's side.
static bool bus_is_asynchronous(const ff_sim *sim, const ff_bus_link *b)
{
    if (!b->bus.modelled) return false;
    if (b->bus.transfer > 0.0) return true;
    for (int i = 0; i < count_drives(b); i++)
        if (ff_drive_acts_at_once(&b->drives->set->drives[i])) return false;
    return sim->nacting == 0;
}

static ff_status add_tasks(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    const ff_ticks period = ff_ticks_from_seconds(b->bus.period);
    const ff_task control = {.name = "bus",
                             .period = period,
                             .asynchronous = bus_is_asynchronous(sim, b),
                             .context = b,
                             .run = run_controller_side};
    const ff_task side = {.name = "bus at the robot", .period = period, .context = b, .run = run_robot_side};
    b->master = ff_sim_add_task(sim, &control, err);
    b->slave = b->master < 0 ? -1 : ff_sim_add_task(sim, &side, err);
    if (b->slave < 0) return FF_BAD_ARGUMENT;
    sim->tasks[b->slave].next = INT64_MAX;
    // without a modelled bus references act at once: loops of drives that sample at the same instant must run after it
    for (int i = 0; !b->bus.modelled && b->drives && i < b->drives->ntask; i++)
        ff_sim_task_last(sim, b->drives->task + i);
    return FF_OK;
}

static const char KIND[] = "bus";

static ff_status add_part(ff_sim *sim, ff_bus_link *b, ff_error *err)
{
    const ff_part_memory memory[] = {b->block, {&b->memory, sizeof b->memory}, {&b->stage, sizeof b->stage}};
    const ff_part part = {.name = "bus", .context = b, .memory = memory, .nmemory = 3};
    const ff_part_inner inner = {.kind = KIND};
    return ff_sim_add_inner_part(sim, &part, &inner, err) < 0 ? FF_BAD_ARGUMENT : FF_OK;
}

ff_status ff_sim_add_bus(ff_sim *sim, const ff_bus *bus, const ff_controller *controller, ff_error *err)
{
    ff_sensors_link *sensors = ff_sensors_find(sim);
    if (!sensors) return ff_error_set(err, FF_BAD_ARGUMENT, "a bus needs sensors: ff_sim_add_plant comes first");
    if (ff_sim_find_inner(sim, KIND)) return ff_error_set(err, FF_BAD_ARGUMENT, "this simulation has its bus already");
    ff_status status = ff_bus_check(bus, err);
    ff_bus_link *b = status == FF_OK ? FF_ARENA_NEW(&sim->arena, ff_bus_link, 1) : NULL;
    if (!b) return status != FF_OK ? status : ff_error_set(err, FF_NO_MEMORY, "no memory for the bus");
    *b = (ff_bus_link){.sensors = sensors, .drives = ff_drives_find(sim), .bus = *bus, .controller = *controller};
    ff_bus_start(bus, &b->memory);
    status = name_references(sim, b, err);
    if (status == FF_OK) status = name_sensors(sim, b, err);
    if (status == FF_OK) status = make_frames(sim, b, err);
    if (status == FF_OK) status = add_tasks(sim, b, err);
    if (status == FF_OK) status = take_sensors(sim, b, err);
    return status == FF_OK ? add_part(sim, b, err) : status;
}

const ff_io_layout *ff_sim_layout(const ff_sim *sim, ff_io_kind kind)
{
    const ff_bus_link *b = ff_sim_find_inner(sim, KIND);
    return b ? &b->layouts[kind] : NULL;
}

ff_bus_counts ff_sim_bus_counts(const ff_sim *sim)
{
    const ff_bus_link *b = ff_sim_find_inner(sim, KIND);
    return b ? b->memory.counts : (ff_bus_counts){0};
}

// ------------------------------------------------------------------------------------------ signals

ff_status ff_sim_add_signals(ff_sim *sim, const char *lead, const ff_io_name *names, const double *values, int count,
                             ff_error *err)
{
    for (int i = 0; i < count; i++) {
        if (!ff_array_grow(&sim->signals, sim->nsignal, &sim->capacity.signals, sizeof *sim->signals))
            return ff_error_set(err, FF_NO_MEMORY, "no memory for the signals of a controller");
        const ff_signal_slot slot = {.name = ff_arena_printf(&sim->arena, "%s%s", lead, names[i].name),
                                     .unit = ff_arena_strdup(&sim->arena, names[i].unit),
                                     .value = &values[i]};
        if (!slot.name || !slot.unit)
            return ff_error_set(err, FF_NO_MEMORY, "no memory for the signals of a controller");
        for (int k = 0; k < sim->nsignal; k++)
            if (strcmp(sim->signals[k].name, slot.name) == 0)
                return ff_error_set(err, FF_BAD_ARGUMENT, "two signals are called '%s'", slot.name);
        sim->signals[sim->nsignal++] = slot;
    }
    return FF_OK;
}
