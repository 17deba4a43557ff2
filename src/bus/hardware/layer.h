// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Internals of the hardware layer. Members of ff_hardware are grouped by the thread that may use them:
//     layer.c     creation and binding, commands, the relay of a simulated robot
//     cycle.c     the sections of one cycle, in one thread
//     threads.c   the same sections in two threads
//     state.c     section 13: faults and the state machine
#ifndef FOOTFALL_HARDWARE_LAYER_H
#define FOOTFALL_HARDWARE_LAYER_H

#include "hardware/virtual_bus.h"

/// State of the bus thread, passed on with the inputs (section 8).
typedef struct ff_bus_report {
    ff_bus_state state;
    int lost;             // consecutive cycles without valid inputs
    bool send_failed;     // the last frame could not be sent
    bool checked, failed; // slaves were checked; they are not as expected
    char why[160];
    char problem[160]; // description of the faulty slave
} ff_bus_report;

/// Request of the main thread to the bus, passed on at the start of a cycle (section 2).
typedef struct ff_bus_request {
    ff_bus_state state;
    bool check; // check the slaves
} ff_bus_request;

/// Commands of the operator, a bit each.
enum {
    FF_OPERATOR_HOME = 1,
    FF_OPERATOR_ACTIVATE = 2,
    FF_OPERATOR_DEACTIVATE = 4,
    FF_OPERATOR_ACKNOWLEDGE = 8,
    FF_OPERATOR_DISABLE = 16
};

typedef struct ff_homing {
    double count, x; // sums over samples
} ff_homing;

struct ff_hardware_threads;

struct ff_hardware {
    // constant after ff_hardware_bind
    ff_arena arena;
    ff_hardware_options options;
    ff_relay controller;
    ff_relay_site site;
    ff_wiring wiring;
    ff_field_bus bus;
    ff_virtual_bus *virtual_bus; // NULL: a real one
    bool wired;
    int every; // bus cycles in one controller cycle

    // the thread of the bus
    ff_bus_image image;
    int64_t cycle; // number of this cycle
    double t;      // [s]
    ff_bus_report report;
    bool stale;                 // drives may have lost their configuration
    ff_bus_request bus_request; // request of the last section 2
    ff_schedule schedule;
    unsigned new_commands; // commands of the operator since the last section 2
    int miscount;          // answers whose counter is to be falsified, since the last section 2
    int64_t lost, late;
    struct ff_hardware_threads *threads; // NULL: one thread

    // passed on at sections 2 and 8
    double now;               // time of the cycle  [s]
    int64_t number;           // of the cycle
    ff_bus_report bus_report; // of the main thread
    unsigned commands;        // of the operator
    ff_bus_request requested;

    // the main thread
    ff_device_drive *drives;
    ff_device_force *forces;
    ff_device_imu *imus;
    ff_device_gateway gateway;
    ff_hardware_state state;
    double since;      // when the state began  [s]
    bool wants_active; // activate as soon as it is ready
    bool auto_started; // automatic activation is done, or cancelled by a fault
    bool homed;
    bool resetting;    // fault acknowledged: drives are being reset
    int64_t reset_end; // last cycle of the reset
    bool disabled;     // in fault: drives are switched off
    ff_homing *homing;
    int homing_samples;
    char why[240];        // the first fault
    ff_io_frame *sensors; // SI units, as published to the controller
    ff_io_frame *answer;  // the newest answer of the controller
    double *values;       // signals of the controller, and its conditions: copied to the site at section 2
    uint32_t conditions;
    bool answered;                          // an unused answer is available
    bool has_target;                        // an answer was used
    uint32_t counter;                       // of the last frame that was published
    int64_t published;                      // frames since the state became active
    int mismatched;                         // consecutive cycles whose answer had another counter
    uint32_t received_counter, expected;    // counters of the last of them
    int falsified;                          // answers whose counter is to be falsified
    int64_t target_cycle;                   // number of the cycle that used the last targets
    double (*references)[3], (*targets)[3]; // of the controller, and converted to drives  (ndrive)
    double (*hold)[2];                      // position and force at which drives were held  (ndrive)
    double *x, *error, *joint_error;        // scratch  (ndrive, ndrive, nv)
    double *q;                              // joints  (nq)
    ff_hardware_counts counts;
};

// cycle.c
void ff_section_begin(ff_hardware *h);    // 2
void ff_section_receive(ff_hardware *h);  // 3
void ff_section_exchange(ff_hardware *h); // 8
void ff_section_send(ff_hardware *h);     // 9
void ff_section_process(ff_hardware *h);  // 10
void ff_section_publish(ff_hardware *h);  // 11
void ff_section_acyclic(ff_hardware *h);  // 12

// targets.c
void ff_section_targets(ff_hardware *h); // 4
/// Drives hold their commanded positions.
void ff_hardware_stop(ff_hardware *h);
/// Begins the transition from the held positions to the controller's targets.
void ff_hardware_begin_blend(ff_hardware *h);

// state.c
void ff_section_state(ff_hardware *h); // 13

// threads.c
ff_status ff_hardware_threads_start(ff_hardware *h, ff_error *err);
void ff_hardware_threads_stop(ff_hardware *h);
void ff_hardware_threads_cycle(ff_hardware *h);
/// Waits until the main thread is idle.
void ff_hardware_threads_wait(const ff_hardware *h);
void ff_hardware_threads_margins(const ff_hardware *h, double *least, double *median);

#endif
