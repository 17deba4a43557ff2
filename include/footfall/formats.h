// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing formats: robots from files and into files.
#ifndef FOOTFALL_FORMATS_H
#define FOOTFALL_FORMATS_H

#include <footfall/load.h>

#endif
