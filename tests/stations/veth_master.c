// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// veth_master INTERFACE CYCLES: the small master of tests/ethercat at a network interface. It counts the stations,
// brings them to OP, exchanges process data in so many cycles, and prints what it found, a line each:
//     slaves N      by a broadcast read
//     name TEXT     of each, from its EEPROM
//     cycles N      with the right working counters
//     time T        that passed on the clock of the first station from the first cycle to the last  [ns]
#include "packets.h"
#include "stations/bus_master.h"

#include <stdio.h>
#include <stdlib.h>

static int wire;
static double patience = 0.2; // [s]

static size_t carry(void *context, uint8_t *bytes, size_t size)
{
    const uint8_t index = bytes[17];
    unsigned char came[PACKET_MOST];
    (void)context;
    if (!packets_send(wire, bytes, size)) return 0;
    for (size_t n; (n = packets_receive(wire, came, patience)) > 0;) {
        if (n != size || came[17] != index) continue; // an answer that came too late
        memcpy(bytes, came, n);
        return n;
    }
    return 0;
}

/// Waits until somebody is there.
static bool find_slaves(master *m)
{
    uint8_t type[2] = {0};
    for (int tries = 0; tries < 300; tries++)
        if (master_try(m, BRD, 0, 0, type, 2) > 0) return true;
    return false;
}

int main(int argc, char **argv)
{
    static bus_master b;
    static unsigned char inputs[64 * 1024];
    ff_error err = {0};
    const int cycles = argc == 3 ? atoi(argv[2]) : 0;
    wire = argc == 3 ? packets_open(argv[1], &err) : -1;
    if (wire < 0) {
        fprintf(stderr, "%s\n", argc == 3 ? err.text : "veth_master INTERFACE CYCLES");
        return 1;
    }
    b.m.carry = carry;
    if (!find_slaves(&b.m)) {
        fprintf(stderr, "nobody answers at %s\n", argv[1]);
        return 1;
    }
    patience = 10.0; // of a busy machine; nothing gets lost on a veth
    bus_master_start(&b, NULL, 0);
    printf("slaves %d\n", b.nslave);
    for (int i = 0; i < b.nslave; i++) printf("name %s\n", b.names[i]);
    const ff_field_bus bus = bus_master_functions(&b);
    if (bus.inputs > sizeof inputs) return 1;
    while (bus.request_state(bus.context, FF_BUS_SAFE_OP) != FF_BUS_SAFE_OP) {
    }
    uint64_t first = 0, last = 0;
    int right = 0;
    for (int i = 0; i < cycles; i++) {
        const bool sound = bus.copy_rx(bus.context, inputs);
        last = bus_master_time(&b);
        if (i == 0) first = last;
        right += sound && bus.send(bus.context, 0.0, &err) == FF_OK;
        if (i == 1) bus.request_state(bus.context, FF_BUS_OP);
    }
    printf("cycles %d\ntime %llu\n", right, (unsigned long long)(last - first));
    if (b.wrong) fprintf(stderr, "%s\n", b.why);
    packets_close(wire);
    return b.wrong > 0;
}
