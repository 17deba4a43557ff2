// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The small master of tests/bus/slave as a field bus of the hardware layer: the layer leads stations by frames.
// Which station is which it knows by the names in their EEPROMs, where objects lie in the process image by their PDO
// mapping.
#ifndef FOOTFALL_TESTS_STATIONS_BUS_MASTER_H
#define FOOTFALL_TESTS_STATIONS_BUS_MASTER_H

#include "slave/master.h"

#include <footfall/hardware.h>

enum { STATIONS_MOST = 48, OBJECTS_MOST = 1000, IMAGE_MOST = 2048, NAME_MOST = 40 };

typedef struct bus_master {
    master m; // its `carry` leads to the stations
    double period;
    // found
    master_slave slaves[STATIONS_MOST];
    char names[STATIONS_MOST][NAME_MOST];
    uint32_t revisions[STATIONS_MOST];
    int nslave;
    unsigned outputs, inputs; // bytes of the process image on the wire
    // for the layer: its image is that of the wire, with sample times of 64 bits behind
    ff_bus_object objects[OBJECTS_MOST];
    char texts[OBJECTS_MOST][80];
    int nobject;
    struct {
        size_t offset;  // in the layer's inputs
        unsigned stamp; // in the wire's inputs, 32 bits of the time; 0xFFFF: the time of the frame
        unsigned known; // in the wire's inputs, a word
        uint32_t mask;  // of it: nothing set, no sample
        bool stays;     // known once is known for ever
        bool was_known;
    } times[OBJECTS_MOST];
    int ntime;
    size_t layer_inputs;
    // running
    ff_bus_state state;
    uint8_t out[IMAGE_MOST], in[IMAGE_MOST];
    int wrong;     // things that were not as they should be
    char why[120]; // the first of them
} bus_master;

/// Scans, names, maps; all stations are in PRE-OP then. What is odd is counted.
/// @param names  of the items that gateways carry, in their order, then those that none carries  (count)
void bus_master_start(bus_master *b, const char *const *names, int count);
ff_field_bus bus_master_functions(bus_master *b);
/// Number of a station by its name; -1: none.
int bus_master_find(const bus_master *b, const char *name);
/// Distributed time of the first station.  [ns]
uint64_t bus_master_time(bus_master *b);

#endif
