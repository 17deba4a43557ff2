// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run whose robot is on an EtherCAT segment at a network interface: what `footfall ethercat` adds to `footfall run`.
#ifndef FOOTFALL_APPS_ETHERCAT_H
#define FOOTFALL_APPS_ETHERCAT_H

#include <footfall/run.h>
#include <footfall/stations.h>

#include "pace.h"
#include "typed.h"
#include "workload.h"

typedef struct on_bus {
    const char *interface; // of the command line
    const char *operator;  // commands by time
    const char *eni, *esi; // files to write; NULL: none
    bool wall;
    bool (*stop)(void *); // does the user want to end?
    // from bus_open on
    int socket;
    ff_ec_robot *robot;
    ff_run_relay relay;
    typed typed;                         // by the operator
    double end;                          // of the run: what frames bring then comes too late for it  [s]
    double period;                       // of the bus  [s]
    pace pace;                           // by the wall clock
    double cycle_begin;                  // on the wall  [s]
    workload work;                       // by the wall clock
    double next_look;                    // at the interface, by clock_coarse  [s]
    const char *trouble;                 // with the interface, that was told; NULL: none
    unsigned char source[6];             // of the last frame
    int sources;                         // how often it changed
    long long frames, cycles, exchanged; // answered; of the bus; with process data
} on_bus;

/// Opens the interface and lets the stations take the place of the controller of the first robot that has one.
bool bus_open(on_bus *b, const ff_scene_spec *scene, ff_run_options *options, ff_error *err);
/// Commands by time, once the run is there: what is wrong with them is no matter of its scene.
bool bus_schedule(on_bus *b, ff_error *err);
/// Writes the descriptions that were asked for.
bool bus_describe(const on_bus *b, ff_error *err);
/// Before the first step: which stations there are; real-time priority where it is allowed.
void bus_begin(const on_bus *b, bool quiet);
/// The run is over: masters are told by the AL status of the stations, until they fall silent.
void bus_end(on_bus *b);
/// Cycles of a run that lasts for a time, for both ends of the bus.  [s]
int64_t bus_cycles(double time, double period);
/// Counts, to stdout.
void bus_print(const on_bus *b);
void bus_close(on_bus *b);

#endif
