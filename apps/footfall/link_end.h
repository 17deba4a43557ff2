// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that the commands at the ends of links and buses share.
#ifndef FOOTFALL_APPS_LINK_END_H
#define FOOTFALL_APPS_LINK_END_H

#include <footfall/hardware.h>
#include <footfall/link.h>
#include <footfall/run.h>
#include <footfall/twin.h>

#include <stdbool.h>
#include <stddef.h>

// ------------------------------------------------------------------------------------------ wires and hardware layers

/// Opens a wire. @param faults  that it injects into what is sent; NULL: none. @return NULL with the reason in `err`
ff_wire *open_faulty_wire(const char *link, ff_end end, const char *faults, ff_error *err);
/// Waits for the controller at the other end. @param wait  at most so long; negative: without limit  [s]
ff_status wait_for_controller(ff_link_robot *robot, const ff_wire *wire, double wait, bool quiet, ff_error *err);

/// Prints changes of state of a hardware layer, and faults, to stderr. @param context  a bool: only faults
void print_layer_state(void *context, double t, ff_hardware_state state, const char *text);
void print_layer_counts(const ff_hardware *layer);

/// A line with the quantiles of durations, to stdout; none where nothing was counted.
void print_durations(const char *what, const ff_histogram *durations);
/// How long answers to a robot took and how far its frames were off their period, to stdout.
void print_answers(const ff_link_timing *timing);

// ------------------------------------------------------------------------------------------ interfaces

/// The frames of a controller at its site, and its signals.
/// @param references  those of the site, or a plan
ff_interface interface_of(const ff_relay_site *site, const ff_io_layout *references);
/// Prints to stdout: hash, period, and number, name and unit of each item.
/// @param scene  the name of its file, for the reader of the header
void print_interface(const char *scene, const ff_interface *interface);

// ------------------------------------------------------------------------------------------ commands of an operator

typedef struct operator_input {
    bool ended;       // the standard input has ended
    double next_poll; // of the standard input, by clock_coarse  [s]
    char bytes[64], line[96];
    size_t nbyte, next; // bytes that were read; the first of them that belongs to no line yet
    size_t length;      // of the present line, counted on where it exceeds the buffer
} operator_input;

/// The next line without its end, valid until the next call; NULL: no line is complete. It does not block. A process in
/// the background of a terminal reads nothing. A line that is too long is reported on stderr and dropped.
const char *operator_line(operator_input *input);

/// Sends all complete lines to a hardware layer as commands and reports those it refuses on stderr.
void operator_command(operator_input *input, ff_hardware *layer);

// ------------------------------------------------------------------------------------------ raw frames

enum { PACKET_MOST = 1514 }; // bytes of a frame, without checksum

/// @return a socket to be closed by packets_close; -1 with FF_NOT_FOUND (no such interface), FF_BAD_ARGUMENT (it is
/// down, or not allowed, with what to do), FF_NOT_BUILT (not Linux)
int packets_open(const char *interface, ff_error *err);
void packets_close(int socket);
/// Problem of an open interface, "it is down", "it has no link: .."; NULL: none.
const char *packets_check(int socket, const char *interface);
/// Waits for a frame. @param timeout  0: does not wait  [s]
/// @return number of its bytes; 0: no frame
size_t packets_receive(int socket, unsigned char bytes[PACKET_MOST], double timeout);
/// @return false: the frame was not sent
bool packets_send(int socket, const unsigned char *bytes, size_t size);

// ------------------------------------------------------------------------------------------ EtherCAT

typedef struct field_target {
    const char *bus;                   // "ethercat:veth1"
    const char *link, *eni, *operator; // NULL: none
    double timeout;                    // until a robot that sends nothing counts as lost  [s]
    double wait;                       // for the first slave and for a controller; negative: for ever  [s]
    double time;                       // [s]
    double tolerate;                   // exchanges of process data in a row that may go wrong; NAN: the default
    bool wall, sync0, quiet;
    bool (*stop)(void *);
} field_target;

bool field_is_ethercat(const char *bus);
/// Finds the slaves and controls them by the controller of a robot of `run`, or by one at the far end of a link.
/// @return FF_OK; FF_CONTROL: the bus, or a fault of the layer; FF_STOPPED; FF_BAD_FILE, FF_NOT_FOUND, ..: bad input
ff_status field_run(const field_target *target, ff_run *run, int robot, const ff_relay_site *site, ff_error *err);

// ------------------------------------------------------------------------------------------ a second robot

typedef struct far_pair {
    const char *link, *out; // of the command line; NULL: no twin, no recording
    bool report;            // write a page, too
    // from far_open on
    double start; // clock  [s]
    const ff_run *run;
    const char *path; // of its scene
    ff_link_controller both;
    ff_wire *wire;
    ff_recorder *recorder;
    ff_far_twin *twin;
} far_pair;

/// Channels that the run of the controller records: none, or the time, to which those of both robots are added.
void far_record(const far_pair *p, ff_record_options *record);
/// Opens the second wire and the recording, and lets `controller` serve both robots.
/// @param run   whose controller it is; it is not simulated
/// @param path  of its scene
bool far_open(far_pair *p, ff_run *run, const char *path, const ff_link_options *options, const ff_relay_site *site,
              ff_link_controller *controller, ff_error *err);
/// Disconnects the twin, reports its result, and writes summary and report beside the recording.
/// @return false: one of the files could not be written
bool far_close(far_pair *p, ff_status leader, bool quiet, ff_error *err);

#endif
