// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer on EtherCAT (link_end.h). Cycles begin in real time. With a virtual robot whose time advances
// with process data, each cycle begins as soon as the previous one has ended.
#include "link_end.h"

#include "pace.h"
#include "terminal.h"

#include <footfall/fieldbus.h>

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char PREFIX[] = "ethercat:";

typedef struct field {
    const hardware_target *target;
    ff_run *run;
    int robot;
    int socket;
    ff_ec_plan *plan;
    ff_ec_bus *bus;
    ff_wire *wire;            // to a controller in another process, NULL: none
    ff_link_robot *robot_end; // end of this wire that the layer serves like a robot
    ff_hardware *layer;
    operator_input input;
    double period;      // of the bus  [s]
    int64_t sent, lost; // frames before all slaves were found, which are not counted: the robot may start later
    int64_t cycles;
    pace pace;              // in real time
    workload work;          // in real time
    int64_t first_exchange; // cycle with process data; -1: none yet
    int64_t exchanged;      // cycles of the robot, if its time advances with process data
    uint64_t start_time;    // distributed time of the first exchange  [ns]
    double received;        // time of the last process data, by clock_seconds  [s]
    double elapsed;         // real time since the start  [s]
    double wait_end;        // end of waiting for the first slave, by clock_seconds; INFINITY: found, or no limit  [s]
    bool was_active;        // the layer has been active
    bool quiet;
} field;

bool field_is_ethercat(const char *bus)
{
    return strncmp(bus, PREFIX, sizeof PREFIX - 1) == 0;
}

// ------------------------------------------------------------------------------------------ the wire

static bool send_packet(void *context, const unsigned char *bytes, size_t size)
{
    const field *f = context;
    return packets_send(f->socket, bytes, size);
}

static size_t receive_packet(void *context, unsigned char bytes[FF_EC_PACKET_MAX], double wait)
{
    const field *f = context;
    return packets_receive(f->socket, bytes, wait);
}

static uint64_t clock_nanoseconds(void *context)
{
    (void)context;
    return (uint64_t)(1e9 * clock_seconds());
}

static bool has_no_slave(const field *f)
{
    return ff_ec_master_get_counts(ff_ec_bus_master(f->bus)).slaves == 0;
}

static bool has_waited(const field *f)
{
    return clock_seconds() >= f->wait_end;
}

/// Should the search for slaves end? Without a slave it ends after the waiting time.
static bool should_stop_search(void *context)
{
    const field *f = context;
    return is_interrupted(NULL) || (has_waited(f) && has_no_slave(f));
}

static void log_bus(void *context, const char *text)
{
    (void)context;
    print_escaped(stderr, "bus: %s\n", text);
}

/// Options of the bus. In real time, process data that are a cycle late are lost; a virtual robot may take longer.
static ff_ec_bus_options bus_options(const field *f)
{
    ff_ec_bus_options o = ff_ec_bus_options_default();
    o.master.plan = f->plan;
    o.master.log = log_bus;
    for (int i = 0; i < 4; i++)
        o.master.source[2 + i] = (unsigned char)(getpid() >> 8 * i); // differs from that of other masters
    o.sync0 = f->target->sync0;
    o.time_from_start = true;
    if (!isnan(f->target->common.tolerate)) o.tolerated_losses = (int)f->target->common.tolerate;
    if (f->target->wall) {
        o.exchange_timeout = f->period;
        o.transfer_timeout = f->period; // states and objects wait for the next cycle
    } else {
        o.exchange_timeout = 0.05 * f->target->common.timeout; // later answers are lost
        o.master.frame_timeout = 200000000;
    }
    return o;
}

/// Waits for the first slave, for the time that the user has set.
static ff_status start_bus(field *f, const ff_relay_site *site, ff_error *err)
{
    const ff_ec_wire wire = {f, send_packet, receive_packet, clock_nanoseconds, should_stop_search};
    const ff_ec_bus_options options = bus_options(f);
    const char *interface = f->target->bus + sizeof PREFIX - 1;
    if (!f->quiet) print_escaped(stderr, "waiting for slaves at %s\n", interface);
    f->wait_end = f->target->wait >= 0.0 ? clock_seconds() + f->target->wait : INFINITY;
    for (const char *reported = NULL;;) {
        const char *problem = packets_check(f->socket, interface);
        if (problem && problem != reported) print_escaped(stderr, "interface '%s': %s\n", interface, problem);
        reported = problem;
        f->bus = ff_ec_bus_create(&wire, &options, err);
        if (!f->bus) return FF_NO_MEMORY;
        const ff_status status = ff_ec_bus_start(f->bus, site, err);
        const bool no_answer = status == FF_CONTROL || status == FF_STOPPED;
        const bool no_slave = no_answer && has_no_slave(f) && !is_interrupted(NULL);
        if (no_slave && has_waited(f))
            return ff_error_set(err, FF_CONTROL, "no slave answers at %s, for %g s", interface, f->target->wait);
        if (!no_slave) {
            f->wait_end = INFINITY; // from now on a bus without slaves is a fault
            return status;
        }
        ff_ec_bus_destroy(f->bus);
    }
}

// ------------------------------------------------------------------------------------------ the controller

static void answer(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const field *f = context;
    ff_run_answer(f->run, f->robot, t, sensors, references);
}

static bool open_link(field *f, ff_relay *controller, ff_error *err)
{
    ff_link_options link = ff_link_options_default();
    link.wall = link.paced = f->target->wall;
    link.timeout = 0.5 * f->target->common.timeout;
    link.stop = is_interrupted;
    f->wire = ff_wire_open(f->target->common.link, FF_END_ROBOT, err);
    f->robot_end = f->wire ? ff_link_robot_create(f->wire, &link, err) : NULL;
    if (f->robot_end) *controller = ff_link_relay(f->robot_end);
    return f->robot_end;
}

static ff_status make_layer(field *f, ff_error *err)
{
    ff_relay controller = {.context = f, .cycle = answer};
    ff_hardware_options options = ff_hardware_options_default();
    if (f->target->common.link && !open_link(f, &controller, err)) return err->status;
    options.wall = f->target->common.link && f->target->wall;
    if (!isnan(f->target->common.tolerate)) options.tolerated_losses = (int)f->target->common.tolerate;
    options.schedule = f->target->operator;
    options.log = print_layer_state;
    options.context = &f->quiet;
    f->layer = ff_hardware_create(&controller, &options, err);
    return f->layer ? FF_OK : err->status;
}

static ff_status bind_layer(field *f, const ff_relay_site *site, ff_error *err)
{
    const ff_field_bus bus = ff_ec_bus_functions(f->bus);
    const ff_status status = ff_hardware_bind(f->layer, site, &bus, err);
    return status == FF_OK && f->robot_end ? ff_link_robot_connect(f->robot_end, f->target->wait, err) : status;
}

// ------------------------------------------------------------------------------------------ cycles

/// Sleeps until this cycle begins in real time.
static void wait_for_event(field *f)
{
    const double now = clock_seconds();
    sleep_seconds(pace_cycle(&f->pace, (double)f->cycles * f->period, now) - now);
}

/// Number of cycles since the first process data: in real time of all cycles, otherwise of exchanges with slaves, by
/// which the time of a virtual robot advances.
static int64_t elapsed_cycles(const field *f)
{
    if (f->first_exchange < 0) return 0;
    return f->target->wall ? f->cycles - f->first_exchange : f->exchanged;
}

static double run_time(const field *f)
{
    return f->period * (double)elapsed_cycles(f);
}

/// Counts an exchange. The time of a virtual robot also advances if its answer is lost; distributed time shows how far.
static void count_exchange(field *f, bool received)
{
    const uint64_t now = ff_ec_master_time(ff_ec_bus_master(f->bus));
    if (received && f->first_exchange < 0) {
        f->first_exchange = f->cycles;
        f->start_time = now;
    }
    if (f->first_exchange < 0) return;
    const int64_t clock = now > f->start_time ? llround(1e-9 * (double)(now - f->start_time) / f->period) : 0;
    if (clock > f->exchanged) f->exchanged = clock;
    f->exchanged += received;
}

/// In real time, keeps process data away from the ends of the periods of distributed time, when Sync0 occurs and a
/// virtual robot is simulated.
static void keep_phase(field *f)
{
    const uint64_t now = ff_ec_master_time(ff_ec_bus_master(f->bus));
    if (f->target->wall && now) pace_follow(&f->pace, now);
}

static void run_cycle(field *f)
{
    const int64_t before = ff_ec_bus_exchanges(f->bus);
    if (f->target->wall) workload_begin_cycle(&f->work);
    if (f->target->wall) wait_for_event(f);
    operator_command(&f->input, f->layer);
    ff_hardware_cycle(f->layer, run_time(f));
    f->was_active = f->was_active || ff_hardware_get_state(f->layer) == FF_HARDWARE_ACTIVE;
    const bool received = ff_ec_bus_exchanges(f->bus) > before;
    if (received) f->received = clock_seconds();
    count_exchange(f, received);
    keep_phase(f);
    f->cycles++;
}

/// Does a virtual robot report that its run is over?
static bool has_ended(const field *f)
{
    const ff_ec_master *m = ff_ec_bus_master(f->bus);
    for (int i = 0; i < ff_ec_master_count(m); i++)
        if (ff_ec_master_slave(m, i)->code == FF_EC_AL_ROBOT_ENDED && ff_ec_master_slave(m, i)->vendor == FF_EC_VENDOR)
            return true;
    return false;
}

static ff_status conclude(const field *f, bool in_fault, ff_error *err)
{
    if (in_fault)
        return ff_error_set(err, FF_CONTROL, "the hardware layer ended in a fault: %s",
                            ff_hardware_fault_reason(f->layer));
    if (f->was_active) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "the robot was never active: after %g s the hardware layer was in state %s",
                        run_time(f), ff_hardware_state_name(ff_hardware_get_state(f->layer)));
}

/// Runs cycles until the time is over, or the robot ends.
static ff_status run_cycles(field *f, ff_error *err)
{
    const int64_t end = pace_cycles(f->target->time, f->period);
    const double started = clock_seconds();
    const ff_ec_master_counts before = ff_ec_master_get_counts(ff_ec_bus_master(f->bus));
    f->sent = before.sent;
    f->lost = before.lost;
    f->received = started;
    f->first_exchange = -1;
    while (elapsed_cycles(f) < end) {
        const bool in_fault = ff_hardware_get_state(f->layer) == FF_HARDWARE_FAULT;
        run_cycle(f);
        f->elapsed = clock_seconds() - started;
        if (has_ended(f)) {
            fprintf(stderr, "the robot has shut down, at %g s of the run\n", run_time(f));
            return conclude(f, in_fault, err);
        }
        if (is_interrupted(NULL)) return ff_error_set(err, FF_STOPPED, "stopped at %g s", run_time(f));
        if (clock_seconds() - f->received > f->target->common.timeout)
            return ff_error_set(err, FF_CONTROL, "no slave has taken process data for %g s, at %g s of the run%s%s",
                                f->target->common.timeout, run_time(f),
                                ff_hardware_fault_reason(f->layer)[0] ? ": " : "", ff_hardware_fault_reason(f->layer));
    }
    return conclude(f, ff_hardware_get_state(f->layer) == FF_HARDWARE_FAULT, err);
}

static void print_found(const field *f)
{
    const ff_ec_master *m = ff_ec_bus_master(f->bus);
    print_escaped(stderr, "%d slaves at %s, %zu bytes of outputs, %zu of inputs\n", ff_ec_master_count(m),
                  f->target->bus + sizeof PREFIX - 1, ff_ec_master_image_size(m, true),
                  ff_ec_master_image_size(m, false));
}

static void print_counts(const field *f)
{
    const ff_ec_master_counts c = ff_ec_master_get_counts(ff_ec_bus_master(f->bus));
    const double time = run_time(f);
    const int64_t sent = c.sent - f->sent, lost = c.lost - f->lost;
    print_layer_counts(f->layer);
    printf("bus   %lld cycles, %lld exchanges, %lld frames, %lld lost, %lld working counters wrong, %lld emergencies",
           (long long)f->cycles, (long long)ff_ec_bus_exchanges(f->bus), (long long)sent, (long long)lost,
           (long long)c.wrong_counters, (long long)c.emergencies);
    if (f->target->wall) printf(", %lld late, %lld left out", (long long)f->pace.late, (long long)f->pace.left_out);
    printf("\n      %.3g s in %.3g s, %.3g times real time\n", time, f->elapsed, time / f->elapsed);
    workload_print(&f->work, f->period);
}

static ff_status load_plan(field *f, ff_error *err)
{
    ff_report report = {0};
    if (!f->target->eni) return FF_OK;
    f->plan = ff_ec_plan_load(f->target->eni, &report);
    if (!f->plan) ff_report_to_error(&report, FF_BAD_FILE, err);
    ff_report_clear(&report);
    return f->plan ? FF_OK : FF_BAD_FILE;
}

ff_status field_run(const hardware_target *target, ff_run *run, int robot, const ff_relay_site *site, ff_error *err)
{
    const struct sched_param priority = {.sched_priority = 40}; // below 50, which the kernel uses
    field f = {.target = target,
               .run = run,
               .robot = robot,
               .socket = -1,
               .period = site->bus_period,
               .pace.period = site->bus_period,
               .quiet = target->common.quiet};
    ff_status status = load_plan(&f, err);
    if (status == FF_OK) status = ff_run_is_ready(run, err);
    if (status == FF_OK) status = make_layer(&f, err);
    if (status == FF_OK) f.socket = packets_open(target->bus + sizeof PREFIX - 1, err);
    if (status == FF_OK && f.socket < 0) status = err->status;
    if (status == FF_OK) status = start_bus(&f, site, err);
    if (status == FF_OK && !f.quiet) print_found(&f);
    if (status == FF_OK) status = bind_layer(&f, site, err);
    if (status == FF_OK) {
        sched_setscheduler(0, SCHED_FIFO, &priority); // without effect if it is not permitted
        status = run_cycles(&f, err);
        if (!f.quiet) print_counts(&f);
    }
    if (f.robot_end) ff_link_robot_disconnect(f.robot_end, "the robot has shut down");
    ff_hardware_destroy(f.layer);
    ff_link_robot_destroy(f.robot_end);
    ff_wire_close(f.wire);
    ff_ec_bus_destroy(f.bus);
    ff_ec_plan_destroy(f.plan);
    packets_close(f.socket);
    return status;
}
