// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rooms above use of sensors: making those of a model, letting them measure, and the names of their channels.
// Users compile a plant.
#ifndef FOOTFALL_SENSE_INTERFACE_H
#define FOOTFALL_SENSE_INTERFACE_H

#include <footfall/sense.h>
#include <footfall/tactile.h>

/// First shape that a ray hits. @param skip  body whose shapes are ignored, -2: none  @return its number, -1: none
int ff_sense_ray(const ff_sense_view *view, const double origin[3], const double direction[3], double range, int skip,
                 ff_ray_hit *hit);
/// "potentiometer", ...
const char *ff_sensor_type_name(ff_sensor_type type);
/// Name and unit of channel i of a sensor.
const char *ff_sensor_channel(const ff_sensor *sensor, int i);
const char *ff_sensor_unit(const ff_sensor *sensor, int i);
/// Quantities that kinds of sensors need in addition to positions and velocities, as bits.
enum {
    FF_NEEDS_FORCES = 1,     // ff_data.qacc, loops
    FF_NEEDS_CONTACTS = 2,   // contact points
    FF_NEEDS_SHAPES = 4,     // for rays
    FF_NEEDS_MOTORS = 8,     // angles of motors, deflections
    FF_NEEDS_CURRENTS = 16,  // of motors
    FF_NEEDS_ACTUATORS = 32, // forces of actuators
};
/// Those that a kind needs.
unsigned ff_sensor_needs(ff_sensor_type type);
/// Is it a gyroscope, an accelerometer, or a sensor that contains one?
static inline bool ff_sensor_is_inertial(ff_sensor_type type)
{
    return type == FF_SENSOR_GYRO || type == FF_SENSOR_ACCELEROMETER || type == FF_SENSOR_ATTITUDE ||
           type == FF_SENSOR_IMU;
}
/// Wrench that everything below the cut exerts on its support: in the sensor's axes, moment about its origin (force 3,
/// moment 3)
///     f = sum of external forces and those of loops + m g - dp/dt     over the bodies below
void ff_sensor_cut(const ff_sensor *sensor, const ff_sense_view *view, double out[6]);

/// The values of ff_chain_read in place, valid until the next sample. @return NULL before the start
const double *ff_chain_values(const ff_chain *chain, const void *memory, double t, double *stamp);

/// Size of the memory of an array, in doubles.
size_t ff_tactile_memory(const ff_tactile *tactile);

// ------------------------------------------------------------------------------------------ all sensors of a model

/// Places of the memory of a sensor in that of its set.
typedef struct ff_sensor_slot {
    size_t chain;    // that of its chain; of a camera its random stream  [byte]
    size_t kind;     // behind it, memory that its kind needs             [byte]
    uint64_t stream; // first of its random streams, by its name
} ff_sensor_slot;

/// Makes the sensors the model's file describes. Mistakes are reported with their places; unknown types are warnings.
/// @return NULL when `report` has errors
ff_sensor_set *ff_sensor_set_create(const ff_model *model, const ff_sensor_options *options, ff_report *report);
/// Frees it; NULL is allowed.
void ff_sensor_set_destroy(ff_sensor_set *set);
/// Starts sensor i at the time t. @param memory  of all sensors of the set, zero at first  (memory_size)
void ff_sensor_start(const ff_sensor_set *set, int i, char *memory, uint64_t seed, const ff_sense_view *view, double t);
/// Samples sensor i.
void ff_sensor_sample(const ff_sensor_set *set, int i, char *memory, const ff_sense_view *view, double t);
/// The reading of a sensor at time t. @return the time of its sample  [s]
double ff_sensor_read(const ff_sensor_set *set, int i, const char *memory, double t, double *out);

#endif
