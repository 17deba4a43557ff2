// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing lab: scenes and runs of them, recordings, metrics, certificates and batches.
#ifndef FOOTFALL_LAB_H
#define FOOTFALL_LAB_H

#include <footfall/batch.h>
#include <footfall/batch_outcome.h>
#include <footfall/certify.h>
#include <footfall/keys.h>
#include <footfall/measure.h>
#include <footfall/record.h>
#include <footfall/run.h>
#include <footfall/scene.h>

#endif
