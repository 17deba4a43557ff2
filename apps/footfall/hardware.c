// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall hardware`: the hardware layer as a separate process, with a wire to the robot and a wire to its controller.
// This process simulates nothing. An operator commands it by lines on its input.
#include "commands.h"
#include "files.h"
#include "link_end.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ the layer

/// The layer with its wires to robot and controller.
typedef struct layer_end {
    const hardware_target *target;
    ff_relay_site site;   // of the robot
    ff_wire *wire;        // to the controller
    ff_link_robot *robot; // end of this wire that the layer serves like a robot
    ff_hardware *layer;
    ff_relay relay;        // of the layer
    uint32_t conditions;   // FF_LINK_FAULT and others, sent to the robot with each answer
    ff_link_timing timing; // of the wire to the robot
    bool quiet;
    operator_input input;
} layer_end;

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    layer_end *b = context;
    operator_command(&b->input, b->layer);
    b->relay.cycle(b->relay.context, t, sensors, references);
    if (ff_hardware_get_state(b->layer) == FF_HARDWARE_FAULT)
        b->conditions |= FF_LINK_FAULT; // the layer resets the conditions in every cycle
}

/// The layer uses the clock of its robot. In lockstep its timeout is shorter than that of the robot, so that the layer
/// detects the fault first; in real time it does not wait.
static bool make_layer(layer_end *b, bool lockstep, ff_error *err)
{
    const hardware_target *target = b->target;
    const double tolerate = target->common.tolerate;
    ff_link_options link = ff_link_options_default();
    ff_hardware_options options = ff_hardware_options_default();
    link.wall = link.paced = options.wall = !lockstep;
    link.timeout = 0.5 * target->common.timeout;
    link.stop = is_interrupted;
    if (!isnan(tolerate)) link.tolerated = options.tolerated_mismatches = (int)tolerate;
    options.schedule = target->operator;
    options.log = print_layer_state;
    options.context = &b->quiet;
    b->robot = ff_link_robot_create(b->wire, &link, err);
    if (!b->robot) return false;
    const ff_relay controller = ff_link_relay(b->robot);
    b->layer = ff_hardware_create(&controller, &options, err);
    if (b->layer) b->relay = ff_hardware_relay(b->layer);
    return b->layer;
}

/// Connects to the controller, once the robot has reported its clock.
static ff_status bind(void *context, const ff_interface *robot, ff_error *err)
{
    layer_end *b = context;
    if (!make_layer(b, robot->lockstep, err)) return err->status;
    const ff_status status = b->relay.bind(b->relay.context, &b->site, err);
    return status == FF_OK ? wait_for_controller(b->robot, b->wire, b->target->wait, b->quiet, err) : status;
}

static ff_status serve_both(layer_end *b, ff_wire *bus, ff_error *err)
{
    const ff_interface interface = interface_of(&b->site, b->site.references);
    const ff_link_controller controller = {.context = b,
                                           .bind = bind,
                                           .cycle = cycle,
                                           .signals = b->site.values,
                                           .nsignal = b->site.nsignal,
                                           .conditions = &b->conditions};
    ff_link_options options = ff_link_options_default();
    options.timeout = b->target->common.timeout;
    options.stop = is_interrupted;
    options.timing = &b->timing;
    ff_status status = ff_link_control(bus, &interface, &options, &controller, NULL, err);
    if (b->robot) ff_link_robot_disconnect(b->robot, "the robot has shut down");
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
    ff_error problem = {0};
    ff_wire *wire = ff_wire_open(address, FF_END_CONTROL, &problem);
    const bool unknown = !wire && strstr(problem.text, " is not a wire");
    if (!wire) ff_error_set(err, problem.status, "%s%s", problem.text, unknown ? ", or ethercat:INTERFACE" : "");
    return wire;
}

static ff_status run_layer(const hardware_target *target, const ff_relay_site *site, ff_error *err)
{
    layer_end b = {.target = target, .site = *site, .quiet = target->common.quiet};
    double *values = calloc((size_t)site->nsignal + 1, sizeof *values);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    b.site.values = values;
    b.site.conditions = &b.conditions;
    b.site.bus_period = b.site.period; // a robot at the other end of a link sends once a period of its controller
    ff_wire *bus = open_bus(target->bus, err);
    const char *link = target->common.link ? target->common.link : "udp:7401";
    b.wire = bus ? ff_wire_open(link, FF_END_ROBOT, err) : NULL;
    const ff_status status = b.wire ? serve_both(&b, bus, err) : err->status;
    ff_hardware_destroy(b.layer);
    ff_link_robot_destroy(b.robot);
    ff_wire_close(b.wire);
    ff_wire_close(bus);
    free(values);
    return status;
}

// ------------------------------------------------------------------------------------------ the command

/// Binds a layer without a controller, so that errors in the commands by time and unsuitable robots are reported before
/// the command waits for a connection. On EtherCAT the slaves are not known yet, and the layer is not bound.
static bool try_layer(const hardware_target *target, const ff_relay_site *site)
{
    const ff_relay no_controller = {0};
    const char *place = target->common.operands.items[0];
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
    if (!ok) print_message(place, STYLE_BAD, err.text);
    ff_hardware_destroy(layer);
    return ok;
}

/// Runs the layer between the robot and its controller. @return exit code
static int serve_robot(link_target *common, ff_run *run, const ff_scene_spec *scene)
{
    hardware_target *target = (hardware_target *)common;
    const int robot = ff_scene_first_steered(scene);
    ff_error err = {0};
    ff_relay_site site;
    int code = EXIT_INPUT;
    ff_status status = ff_run_controller_site(run, robot, &site, &err);
    if (isnan(target->time)) target->time = ff_run_get_options(run)->time;
    if (status == FF_OK && try_layer(target, &site)) {
        status = field_is_ethercat(target->bus) ? field_run(target, run, robot, &site, &err)
                                                : run_layer(target, &site, &err);
        code = exit_of_link(status);
    }
    if (status != FF_OK) print_message(common->operands.items[0], STYLE_BAD, err.text);
    return code;
}

static int hardware_main(const command *self, void *options, ff_arena *arena)
{
    hardware_target *target = options;
    (void)arena;
    if (!isnan(target->time) && !(target->time > 0.0 && target->time < 1e9))
        return usage_error(self, "--time is %g s: it must be positive", target->time);
    if (!field_is_ethercat(target->bus) && (target->eni || target->wall || target->sync0 || !isnan(target->time)))
        return usage_error(self, "--eni, --wall, --sync0 and --time go with --bus ethercat:INTERFACE");
    return link_run(self, &target->common, NULL, serve_robot);
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
        "control them (docs/ethercat.md). A real robot needs --wall, and so does `footfall ethercat --wall`.\n\n"
        "Exit code 0 when the robot reports its end, 3 when it ends in a fault or the robot is silent.",
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
            hardware_target, common.link, "link", TEXT, "WIRE",
            "To the controller, as with `footfall serve`; without it udp:7401, and on EtherCAT the controller that the "
            "scene names, in this process"),
        OPTION(hardware_target, eni, "eni", TEXT, "FILE",
               "On EtherCAT: network description that lists the required slaves; without it, what a scan finds"),
        FLAG(hardware_target, wall, "wall",
             "On EtherCAT: cycles in real time; without it, each begins as soon as the last one is over"),
        FLAG(hardware_target, sync0, "sync0", "On EtherCAT: Sync0 signals at all slaves with the period of the bus"),
        OPTION(hardware_target, time, "time", NUMBER, "T",
               "On EtherCAT: end after T seconds; without it, after the time of the scene"),
        OPTION(hardware_target, operator, "operator", TEXT, "LIST",
               "Commands by time, as in \"1 miscount 2; 1.5 acknowledge; 1.6 activate\""),
        LINK_OPTIONS(hardware_target, ", on EtherCAT once its slaves were found. In lockstep a controller that is "
                                      "silent for half of this time is a fault"),
        OPTION(
            hardware_target, common.tolerate, "tolerate", NUMBER, "N",
            "N answers of the controller in a row may be late or missing, on EtherCAT exchanges of process data; one "
            "more is a fault; without it 1"),
        WAIT_OPTION(hardware_target, wait, "controller, on EtherCAT no slave or controller,")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(hardware_target, .common = {LINK_PRESET}, .bus = "udp:7400", .wait = -1.0, .time = NAN),
    .run = hardware_main,
};
