// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A number that all robots of a batch share. Code that is compiled for a device in single precision (FF_SINGLE) has
// tables of floats, which specialise.c makes of those of the model.
#ifndef FOOTFALL_BATCH_NUMBER_H
#define FOOTFALL_BATCH_NUMBER_H

#ifdef FF_SINGLE
typedef float num;
#else
typedef double num;
#endif

#endif
