// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Making the sensors of a model and letting them measure, for the rooms above; users compile a plant.
#ifndef FOOTFALL_SENSE_SET_H
#define FOOTFALL_SENSE_SET_H

#include <footfall/sense.h>

/// What a sensor keeps where, in the memory of all sensors of its set.
typedef struct ff_sensor_slot {
    size_t chain;    // that of its chain; of a camera its random stream  [byte]
    size_t kind;     // behind it, what its kind remembers                [byte]
    uint64_t stream; // first of its random streams, by its name
} ff_sensor_slot;

/// Makes the sensors the model's file describes. Mistakes are reported with their places; types nobody knows are
/// warnings.
/// @return NULL when `report` has errors
ff_sensor_set *ff_sensor_set_create(const ff_model *model, const ff_sensor_options *options, ff_report *report);
/// Frees it; NULL is allowed.
void ff_sensor_set_destroy(ff_sensor_set *set);
/// Lets sensor number i begin at the time t with the view. @param memory  of all sensors of the set, zero at first
/// (memory_size)
void ff_sensor_start(const ff_sensor_set *set, int i, char *memory, uint64_t seed, const ff_sense_view *view, double t);
/// Takes a sample.
void ff_sensor_sample(const ff_sensor_set *set, int i, char *memory, const ff_sense_view *view, double t);
/// What is known of a sensor at time t. @return the time of the sample  [s]
double ff_sensor_read(const ff_sensor_set *set, int i, const char *memory, double t, double *out);

#endif
