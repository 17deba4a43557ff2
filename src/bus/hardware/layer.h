// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer from inside. Who writes what decides which thread may touch it:
//     layer.c     making and binding, commands, the relay of a simulated robot
//     cycle.c     the sections of one cycle, in one thread
//     threads.c   the same sections in two threads
//     targets.c   section 4: the controller's targets, extrapolated, to the drives
//     state.c     section 13: the state machine
//     safety.c    section 13: what makes a fault
#ifndef FOOTFALL_HARDWARE_LAYER_H
#define FOOTFALL_HARDWARE_LAYER_H

#include "hardware/schedule.h"
#include "hardware/virtual_bus.h"

/// What the thread of the bus knows, handed over with the inputs (section 8).
typedef struct ff_bus_news {
    ff_bus_state state;
    int lost;             // cycles in a row without sound inputs
    bool send_failed;     // the last frame could not be sent
    bool checked, failed; // the slaves were asked what they are, and are not what they should be
    char why[160];
    char culprit[160]; // who is not as it should be
} ff_bus_news;

/// What the main thread requests of the bus, handed over at the start of a cycle (section 2).
typedef struct ff_bus_request {
    ff_bus_state state;
    bool check; // the slaves
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
    int every; // cycles of the bus in one of the controller

    // the thread of the bus
    ff_bus_image image;
    int64_t cycle; // number of this cycle
    double t;      // [s]
    ff_bus_news news;
    bool stale;           // drives may have lost what they were told
    ff_bus_request asked; // of the last section 2
    ff_schedule schedule;
    unsigned given; // commands of the operator since the last section 2
    int miscount;   // answers whose counter is to be spoiled, since the last section 2
    int64_t lost, late;
    struct ff_hardware_threads *threads; // NULL: one thread

    // handed over at sections 2 and 8
    double now;     // time of the cycle  [s]
    int64_t number; // of the cycle
    ff_bus_news seen;
    unsigned commands; // of the operator
    ff_bus_request requested;

    // the main thread
    ff_device_drive *drives;
    ff_device_force *forces;
    ff_device_imu *imus;
    ff_device_gateway gateway;
    ff_hardware_state state;
    double since;         // when the state began  [s]
    bool wants_active;    // as soon as it is ready
    bool begun_by_itself; // automatic: done, or given up after a fault
    bool homed;
    bool resetting;    // acknowledged: drives leave their faults
    int64_t reset_end; // cycle until which they are told to
    bool disabled;     // in fault: drives are switched off
    ff_homing *homing;
    int homing_samples;
    char why[240];        // the first trouble
    ff_io_frame *sensors; // SI, as the controller gets them
    ff_io_frame *answer;  // the newest of the controller
    double *values;       // signals of the controller, and its conditions: copied to the site at section 2
    uint32_t conditions;
    bool answered;                          // an answer lies ready
    bool followed;                          // one was taken
    uint32_t counter;                       // of the last frame that was published
    int64_t published;                      // frames since it became active
    int mismatched;                         // cycles in a row whose answer had another counter
    uint32_t got, expected;                 // counters of the last of them
    int spoil;                              // answers whose counter is to be spoiled
    int64_t taken;                          // number of the cycle that took the last target
    double (*references)[3], (*targets)[3]; // of the controller: as given, and of the drives  (ndrive)
    double (*hold)[2];                      // where drives were held before, and with which force  (ndrive)
    double *x, *error, *joint_error;        // scratch  (ndrive, ndrive, nv)
    double *q;                              // joints  (nq)
    ff_hardware_counts counts;
};

// cycle.c
void ff_section_begin(ff_hardware *h);     // 2
void ff_section_receive(ff_hardware *h);   // 3
void ff_section_read(ff_hardware *h);      // 5
void ff_section_write(ff_hardware *h);     // 7
void ff_section_hand_over(ff_hardware *h); // 8
void ff_section_send(ff_hardware *h);      // 9
void ff_section_process(ff_hardware *h);   // 10
void ff_section_publish(ff_hardware *h);   // 11
void ff_section_acyclic(ff_hardware *h);   // 12

// targets.c
void ff_section_targets(ff_hardware *h); // 4
/// Drives stay where they were commanded to be.
void ff_hardware_stop(ff_hardware *h);
/// Before drives follow the controller: from where they are held.
void ff_hardware_begin_blend(ff_hardware *h);

// state.c
void ff_section_state(ff_hardware *h); // 13

// safety.c
/// @return false with the reason in h->why
bool ff_hardware_is_safe(ff_hardware *h);

// threads.c
ff_status ff_hardware_threads_start(ff_hardware *h, ff_error *err);
void ff_hardware_threads_stop(ff_hardware *h);
void ff_hardware_threads_cycle(ff_hardware *h);
/// Waits until the main thread has nothing to do.
void ff_hardware_threads_wait(const ff_hardware *h);
void ff_hardware_threads_margins(const ff_hardware *h, double *least, double *median);

#endif
