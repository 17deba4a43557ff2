// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of a robot: as both ends of a link compare it, and as a header in C, for a robot that is not simulated:
// what its program must send and take.
#ifndef FOOTFALL_APPS_INTERFACE_H
#define FOOTFALL_APPS_INTERFACE_H

#include <footfall/link.h>

/// The frames of a controller at its site, and its signals.
/// @param references  those of the site, or a plan
ff_interface interface_of(const ff_relay_site *site, const ff_io_layout *references);
/// Prints to stdout: hash, period, and number, name and unit of each item.
/// @param scene  the name of its file, for the reader of the header
void print_interface(const char *scene, const ff_interface *interface);

#endif
