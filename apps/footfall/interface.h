// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of a robot as a header in C, for a robot that is not simulated: what its program must send and take.
#ifndef FOOTFALL_APPS_INTERFACE_H
#define FOOTFALL_APPS_INTERFACE_H

#include <footfall/link.h>

/// Prints to stdout: hash, period, and number, name and unit of each item.
/// @param scene  the name of its file, for the reader of the header
void print_interface(const char *scene, const ff_interface *interface);

#endif
