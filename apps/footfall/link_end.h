// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the commands at the ends of links and buses share.
#ifndef FOOTFALL_APPS_LINK_END_H
#define FOOTFALL_APPS_LINK_END_H

#include "commands.h"

#include <footfall/hardware.h>
#include <footfall/link.h>
#include <footfall/run.h>
#include <footfall/twin.h>

#include <stdbool.h>
#include <stddef.h>

// ---------------------------------------------------------------------------------------- commands without simulation

/// Options of commands that use the controller of a scene but do not simulate it; their options structs begin with it.
typedef struct link_target {
    text_list operands;
    const char *link;
    text_list set;
    double timeout;  // after which a silent robot is lost; NAN: the default  [s]
    double tolerate; // NAN: the default
    bool quiet;
} link_target;

/// Rows of the options of `common` and its defaults. @param condition  of the timeout, further text
#define LINK_OPTIONS(type, condition)                                                                                  \
    SET_OPTION(type, common.set),                                                                                      \
        OPTION(type, common.timeout, "timeout", NUMBER, "T",                                                           \
               "Give up when the robot sends no data for T seconds, 5 without it" condition),                          \
        FLAG(type, common.quiet, "quiet", "Print only faults, warnings and errors")
#define LINK_PRESET .timeout = NAN, .tolerate = NAN

/// Checks timeout and tolerance, creates a run of the scene, prints its messages, and calls `work` with it.
/// @param prepare  changes the options of the run. @return false with the reason in `err`. NULL: changes nothing
/// @return exit code: that of `work`, or of an error
int link_run(const command *self, link_target *target,
             bool (*prepare)(link_target *target, const ff_scene_spec *scene, ff_run_options *options, ff_error *err),
             int (*work)(link_target *target, ff_run *run, const ff_scene_spec *scene));

// ------------------------------------------------------------------------------------------ wires and hardware layers

#define FAULTS_OPTION(type, field, tested)                                                                             \
    OPTION(type, field, "faults", TEXT, "LIST",                                                                        \
           "Inject faults into sent frames, to test the " tested                                                       \
           ": drop=0.02,delay=0.003,double=0.01,swap=0.01,flip=0.001,cut=500,flood=100,seed=7")
#define WAIT_OPTION(type, field, partner)                                                                              \
    OPTION(type, field, "wait", NUMBER, "T",                                                                           \
           "Give up if no " partner " connects within T seconds; without it, wait without limit")

/// Opens a wire. @param faults  injected into sent frames; NULL: none  @return NULL with the reason in `err`
ff_wire *open_faulty_wire(const char *link, ff_end end, const char *faults, ff_error *err);
/// Waits until the controller at the other end connects. @param wait  limit; negative: none  [s]
ff_status wait_for_controller(ff_link_robot *robot, const ff_wire *wire, double wait, bool quiet, ff_error *err);

/// Prints changes of state of a hardware layer to stderr. @param context  a bool: prints only faults
void print_layer_state(void *context, double t, ff_hardware_state state, const char *text);
void print_layer_counts(const ff_hardware *layer);

/// Prints a line with the quantiles of durations to stdout; nothing if there are no durations.
void print_durations(const char *name, const ff_histogram *durations);
/// Prints to stdout how long answers to a robot took, and how much its frames deviated from their period.
void print_answers(const ff_link_timing *timing);

// ------------------------------------------------------------------------------------------ interfaces

/// Layouts of the frames and signals of a controller.
/// @param references  of the site, or of a plan
ff_interface interface_of(const ff_relay_site *site, const ff_io_layout *references);
/// Prints a header in C to stdout: hash, period, and number, name and unit of each item.
/// @param scene  path of its file, for a comment
void print_interface(const char *scene, const ff_interface *interface);

// ------------------------------------------------------------------------------------------ commands of an operator

typedef struct operator_input {
    bool ended;       // the standard input has ended
    double next_poll; // of the standard input, by clock_coarse  [s]
    char bytes[64], line[96];
    size_t nbyte, next; // number of bytes that were read; index of the first one that is not processed
    size_t length;      // of the present line, also beyond the size of its buffer
} operator_input;

/// The next line without its end, valid until the next call; NULL: no line is complete. It does not block, and reads
/// nothing in the background of a terminal. A line that is too long is reported on stderr and dropped.
const char *operator_line(operator_input *input);

/// Sends all complete lines to a hardware layer as commands and reports those it refuses on stderr.
void operator_command(operator_input *input, ff_hardware *layer);

// ------------------------------------------------------------------------------------------ raw frames

enum { PACKET_MOST = 1514 }; // bytes of a frame, without checksum

/// Opens a socket for EtherCAT frames, which packets_close closes. @return -1 with FF_NOT_FOUND (no such interface),
/// FF_BAD_ARGUMENT (it is down, or not permitted; the text says what to do) or FF_NOT_BUILT (not Linux) in `err`
int packets_open(const char *interface, ff_error *err);
void packets_close(int socket);
/// Problem of an open interface, such as "it is down"; NULL: none.
const char *packets_check(int socket, const char *interface);
/// Waits for a frame. @param timeout  0: does not wait  [s]
/// @return number of its bytes; 0: no frame
size_t packets_receive(int socket, unsigned char bytes[PACKET_MOST], double timeout);
/// @return false: the frame was not sent
bool packets_send(int socket, const unsigned char *bytes, size_t size);

// ------------------------------------------------------------------------------------------ EtherCAT

/// Options of `footfall hardware`.
typedef struct hardware_target {
    link_target common;   // its `link` leads to the controller; NULL: the default
    const char *bus;      // wire to the robot, or "ethercat:veth1"
    const char *operator; // commands by time; NULL: none
    const char *eni;      // network description; NULL: none
    double wait;          // for the first slave and for a controller; negative: without limit  [s]
    double time;          // of the run on EtherCAT; NAN: that of the scene  [s]
    bool wall, sync0;
} hardware_target;

bool field_is_ethercat(const char *bus);
/// Finds the slaves and controls them by the controller of a robot of `run`, or by one at the other end of a link.
/// @return FF_OK; FF_CONTROL: the bus has failed, or the layer is in a fault; FF_STOPPED; others: bad input
ff_status field_run(const hardware_target *target, ff_run *run, int robot, const ff_relay_site *site, ff_error *err);

// ------------------------------------------------------------------------------------------ a second robot

/// A second robot, the twin, with its own wire, which gets the references of the first.
typedef struct twin_link {
    const char *link, *out; // options; NULL: no twin, no recording
    bool report;            // also write a page
    // set by twin_link_open
    double start; // clock  [s]
    const ff_run *run;
    const char *path;              // of the scene
    ff_link_controller controller; // of both robots
    ff_wire *wire;
    ff_recorder *recorder;
    ff_far_twin *twin;
} twin_link;

/// Sets the channels that the run of the controller records: none, or the time; those of both robots are added later.
void twin_link_record(const twin_link *p, ff_record_options *record);
/// Opens the wire of the twin and the recording, and changes `controller` to serve both robots.
/// @param run   owns the controller; it is not simulated
/// @param path  of its scene
bool twin_link_open(twin_link *p, ff_run *run, const char *path, const ff_link_options *options,
                    const ff_relay_site *site, ff_link_controller *controller, ff_error *err);
/// Disconnects the twin, reports its result, and writes summary and report beside the recording.
/// @return false: one of the files could not be written
bool twin_link_close(twin_link *p, ff_status leader, bool quiet, ff_error *err);

#endif
