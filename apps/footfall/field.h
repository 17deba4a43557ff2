// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer with drives and sensors on EtherCAT: what `footfall hardware --bus ethercat:INTERFACE` does.
#ifndef FOOTFALL_APPS_FIELD_H
#define FOOTFALL_APPS_FIELD_H

#include <footfall/run.h>

typedef struct field_target {
    const char *bus;                   // "ethercat:veth1"
    const char *link, *eni, *operator; // NULL: none
    double timeout;                    // of a robot that sends nothing  [s]
    double wait;                       // for the first slave and for a controller; negative: for ever  [s]
    double time;                       // [s]
    double tolerate;                   // exchanges of process data in a row that may go wrong; NAN: the default
    bool wall, sync0, quiet;
    bool (*stop)(void *);
} field_target;

bool field_is_ethercat(const char *bus);
/// Finds the slaves, and leads them by the controller of a robot of `run`, or by one at the far end of a link.
/// @return FF_OK; FF_CONTROL: the bus, or a fault of the layer; FF_STOPPED; FF_BAD_FILE, FF_NOT_FOUND, ..: bad input
ff_status field_lead(const field_target *target, ff_run *run, int robot, const ff_relay_site *site, ff_error *err);

#endif
