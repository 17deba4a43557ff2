// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall hardware`: the hardware layer as a separate process between a robot at the far end of one wire and its
// controller at the far end of another. Nothing is simulated here. An operator commands it by lines on its input.
#include "commands.h"
#include "files.h"
#include "link_end.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct hardware_target {
    text_list operands;
    const char *bus, *link, *operator, * eni;
    text_list set;
    double timeout, wait, tolerate, time;
    bool quiet, wall, sync0;
} hardware_target;

// ------------------------------------------------------------------------------------------ the layer between

typedef struct between {
    const hardware_target *target;
    ff_relay_site site;   // of the robot
    ff_wire *wire;        // to the controller
    ff_link_robot *above; // the robot's end of it
    ff_hardware *layer;
    ff_relay relay; // of the layer
    uint32_t conditions;
    ff_link_timing timing; // of the robot's wire
    bool quiet;
    operator_input input;
} between;

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    between *b = context;
    operator_command(&b->input, b->layer);
    b->relay.cycle(b->relay.context, t, sensors, references);
    if (ff_hardware_get_state(b->layer) == FF_HARDWARE_FAULT)
        b->conditions |= FF_LINK_FAULT; // the layer resets the conditions in every cycle
}

/// The layer uses the clock of its robot. In lockstep its timeout is shorter than that of the robot, so that the layer
/// detects the fault first; in real time it does not wait.
static bool make_layer(between *b, bool lockstep, ff_error *err)
{
    const hardware_target *target = b->target;
    ff_link_options how = ff_link_options_default();
    ff_hardware_options options = ff_hardware_options_default();
    how.wall = how.paced = options.wall = !lockstep;
    how.timeout = 0.5 * target->timeout;
    how.stop = is_interrupted;
    if (!isnan(target->tolerate)) how.tolerated = options.tolerated_mismatches = (int)target->tolerate;
    options.schedule = target->operator;
    options.log = print_layer_state;
    options.context = &b->quiet;
    b->above = ff_link_robot_create(b->wire, &how, err);
    if (!b->above) return false;
    const ff_relay controller = ff_link_relay(b->above);
    b->layer = ff_hardware_create(&controller, &options, err);
    if (b->layer) b->relay = ff_hardware_relay(b->layer);
    return b->layer;
}

/// Connects to the controller, once the robot has reported its clock.
static ff_status bind(void *context, const ff_interface *robot, ff_error *err)
{
    between *b = context;
    if (!make_layer(b, robot->lockstep, err)) return err->status;
    const ff_status status = b->relay.bind(b->relay.context, &b->site, err);
    return status == FF_OK ? wait_for_controller(b->above, b->wire, b->target->wait, b->quiet, err) : status;
}

static ff_status serve_both(between *b, ff_wire *bus, ff_error *err)
{
    const ff_interface interface = interface_of(&b->site, b->site.references);
    const ff_link_controller controller = {.context = b,
                                           .bind = bind,
                                           .cycle = cycle,
                                           .signals = b->site.values,
                                           .nsignal = b->site.nsignal,
                                           .conditions = &b->conditions};
    ff_link_options options = ff_link_options_default();
    options.timeout = b->target->timeout;
    options.stop = is_interrupted;
    options.timing = &b->timing;
    ff_status status = ff_link_control(bus, &interface, &options, &controller, NULL, err);
    if (b->above) ff_link_robot_disconnect(b->above, "the robot has shut down");
    if (status == FF_OK) status = b->relay.check(b->relay.context, err);
    if (b->layer && !b->quiet && (status == FF_OK || status == FF_CONTROL)) {
        print_layer_counts(b->layer);
        print_answers(&b->timing);
    }
    return status;
}

/// Opens a wire to the robot; an error also names the address of a field bus, which is no wire.
static ff_wire *open_bus(const char *address, ff_error *err)
{
    ff_error why = {0};
    ff_wire *wire = ff_wire_open(address, FF_END_CONTROL, &why);
    const bool unknown = !wire && strstr(why.text, " is not a wire");
    if (!wire) ff_error_set(err, why.status, "%s%s", why.text, unknown ? ", or ethercat:INTERFACE" : "");
    return wire;
}

static ff_status run_layer(const hardware_target *target, const ff_relay_site *site, ff_error *err)
{
    between b = {.target = target, .site = *site, .quiet = target->quiet};
    double *values = calloc((size_t)site->nsignal + 1, sizeof *values);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    b.site.values = values;
    b.site.conditions = &b.conditions;
    b.site.bus_period = b.site.period; // a robot at the far end of a link sends once a period of its controller
    ff_wire *bus = open_bus(target->bus, err);
    b.wire = bus ? ff_wire_open(target->link ? target->link : "udp:7401", FF_END_ROBOT, err) : NULL;
    const ff_status status = b.wire ? serve_both(&b, bus, err) : err->status;
    ff_hardware_destroy(b.layer);
    ff_link_robot_destroy(b.above);
    ff_wire_close(b.wire);
    ff_wire_close(bus);
    free(values);
    return status;
}

// ------------------------------------------------------------------------------------------ slaves on EtherCAT

static ff_status run_slaves(const hardware_target *target, ff_run *run, const ff_scene_spec *scene,
                            const ff_relay_site *site, ff_error *err)
{
    const field_target field = {.bus = target->bus,
                                .link = target->link,
                                .eni = target->eni,
                                .operator= target->operator,
                                .timeout = target->timeout,
                                .wait = target->wait,
                                .time = isnan(target->time) ? ff_run_options_default(scene).time : target->time,
                                .tolerate = target->tolerate,
                                .wall = target->wall,
                                .sync0 = target->sync0,
                                .quiet = target->quiet,
                                .stop = is_interrupted};
    return field_run(&field, run, ff_scene_first_steered(scene), site, err);
}

// ------------------------------------------------------------------------------------------ the command

/// Binds a layer without a controller, so that errors in the commands by time and unsuitable robots are reported before
/// the command waits for a connection. On EtherCAT the slaves are not known yet, and the layer is not bound.
static bool try_layer(const hardware_target *target, const ff_relay_site *site)
{
    const ff_relay no_controller = {0};
    const char *place = target->operands.items[0];
    ff_relay_site robot = *site;
    ff_error err = {0};
    ff_hardware *layer = ff_hardware_create(&no_controller, NULL, &err);
    bool ok = layer;
    robot.bus_period = robot.period;
    if (ok && !field_is_ethercat(target->bus)) {
        const ff_relay relay = ff_hardware_relay(layer);
        ok = relay.bind(relay.context, &robot, &err) == FF_OK;
    }
    if (ok) {
        place = "--operator";
        ok = ff_hardware_schedule(layer, target->operator, & err) == FF_OK;
    }
    if (!ok) say(place, STYLE_BAD, err.text);
    ff_hardware_destroy(layer);
    return ok;
}

static ff_status run_robot(const hardware_target *target, ff_run *run, const ff_scene_spec *scene,
                           const ff_relay_site *site, ff_error *err)
{
    return field_is_ethercat(target->bus) ? run_slaves(target, run, scene, site, err) : run_layer(target, site, err);
}

static int hardware_scene(const hardware_target *target)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_relay_site site;
    const ff_scene_spec *scene =
        ff_scene_load(target->operands.items[0], target->set.items, target->set.count, &report);
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0; // the process of the robot records
    ff_run *run = scene ? ff_run_create(scene, &options, &report) : NULL;
    print_report_from(stderr, &report, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
    int code = EXIT_INPUT;
    ff_status status = run ? ff_run_controller_site(run, ff_scene_first_steered(scene), &site, &err) : FF_BAD_ARGUMENT;
    if (status == FF_OK && try_layer(target, &site)) {
        status = run_robot(target, run, scene, &site, &err);
        code = exit_of_link(status);
    }
    if (run && status != FF_OK) say(target->operands.items[0], STYLE_BAD, err.text);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

static int hardware_main(const command *self, void *options, ff_arena *arena)
{
    hardware_target *target = options;
    (void)arena;
    if (isnan(target->timeout)) target->timeout = ff_link_options_default().timeout;
    if (!(target->timeout > 0.0)) return usage_error(self, "--timeout is %g s: it must be positive", target->timeout);
    if (!isnan(target->tolerate) && !is_whole(target->tolerate, 0, 1e6))
        return usage_error(self, "--tolerate is %g: it is a whole number of answers or exchanges", target->tolerate);
    if (!isnan(target->time) && !(target->time > 0.0 && target->time < 1e9))
        return usage_error(self, "--time is %g s: it must be positive", target->time);
    if (!field_is_ethercat(target->bus) && (target->eni || target->wall || target->sync0 || !isnan(target->time)))
        return usage_error(self, "--eni, --wall, --sync0 and --time go with --bus ethercat:INTERFACE");
    watch_interrupts();
    return hardware_scene(target);
}

const command hardware_command = {
    .name = "hardware",
    .synopsis = "SCENE [--bus WIRE] [--link WIRE] [--eni FILE] [--wall] [--sync0] [--time T] [--operator LIST] "
                "[--set path=value]... [--timeout T] [--tolerate N] [--wait T] [--quiet]",
    .summary = "be the hardware layer between a robot and a controller",
    .description =
        "Stands between a robot (`footfall serve`, at --bus) and its controller (`footfall control`, at --link): "
        "virtual drives and sensors with raw numbers, state machines, homing, safety checks (docs/hardware.md). It "
        "prints changes of state and faults, and takes commands by time (--operator) and as lines on its input: "
        "acknowledge, home, activate, deactivate, disable.\n\n"
        "With --bus ethercat:INTERFACE it is the EtherCAT master of a robot, virtual (`footfall ethercat`) or real: it "
        "finds the slaves by the names of drives and sensors, brings them to OP, and lets the controller of the scene "
        "lead them (docs/ethercat.md). A real robot wants --wall, and so does `footfall ethercat --wall`.\n\n"
        "Exit code 0 when the robot says that it is over, 3 when it ends in a fault or the robot is silent.",
    .examples = "  footfall serve experiments/anton-tripod.yaml --link udp:7400\n"
                "  footfall hardware experiments/anton-tripod.yaml --bus udp:7400 --link udp:7401\n"
                "  footfall control experiments/anton-tripod.yaml --link udp:7401\n"
                "      three processes: robot, hardware layer, controller\n"
                "  footfall hardware experiments/anton-tripod.yaml --bus ethercat:veth1\n"
                "      the robot is `footfall ethercat experiments/anton-tripod.yaml --interface veth0`\n",
    OPTIONS(
        OPTION(hardware_target, bus, "bus", TEXT, "WIRE",
               "To the robot: udp:PORT, tcp:PORT, serial:DEVICE:BAUD or shm:NAME; without it udp:7400. "
               "ethercat:INTERFACE: drives and sensors are EtherCAT slaves there"),
        OPTION(
            hardware_target, link, "link", TEXT, "WIRE",
            "To the controller, as with `footfall serve`; without it udp:7401, and on EtherCAT the controller that the "
            "scene names, in this process"),
        OPTION(hardware_target, eni, "eni", TEXT, "FILE",
               "On EtherCAT: what slaves there must be, by a network description; without it, what a scan finds"),
        FLAG(hardware_target, wall, "wall",
             "On EtherCAT: cycles in real time; without it, each begins as soon as the last one is over"),
        FLAG(hardware_target, sync0, "sync0", "On EtherCAT: Sync0 signals at all slaves with the period of the bus"),
        OPTION(hardware_target, time, "time", NUMBER, "T",
               "On EtherCAT: end after T seconds; without it, after the time of the scene"),
        OPTION(hardware_target, operator, "operator", TEXT, "LIST",
               "Commands by time, as in \"1 miscount 2; 1.5 acknowledge; 1.6 activate\""),
        OPTION(hardware_target, set, "set", TEXTS, "PATH=VALUE", "Override a value of the scene"),
        OPTION(hardware_target, timeout, "timeout", NUMBER, "T",
               "Give up when no data come from the robot for T seconds, on EtherCAT once its slaves were found; "
               "without it 5. In lockstep a controller that is silent for half of it is a fault"),
        OPTION(
            hardware_target, tolerate, "tolerate", NUMBER, "N",
            "N answers of the controller in a row may be late or missing, on EtherCAT exchanges of process data; one "
            "more is a fault; without it 1"),
        OPTION(
            hardware_target, wait, "wait", NUMBER, "T",
            "Give up when no controller, on EtherCAT no slave or no controller, has come within T seconds; without it, "
            "wait"),
        FLAG(hardware_target, quiet, "quiet", "Only faults, warnings and errors")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(hardware_target, .bus = "udp:7400", .timeout = NAN, .wait = -1.0, .tolerate = NAN, .time = NAN),
    .run = hardware_main,
};
