// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Access of walking controllers to I/O frames: items by name, samples of sensors with their age, references, signals.
#ifndef FOOTFALL_GAIT_ITEMS_H
#define FOOTFALL_GAIT_ITEMS_H

#include <footfall/io_bus.h>
#include <footfall/model.h>

#include <math.h>

/// Number of the item "drives.NAME.what", -1 when there is none.
int ff_gait_find_drive(const ff_io_layout *references, const char *name, const char *what);
/// Number of the item "sensors.NAME.what", -1 when there is none.
int ff_gait_find_sensor(const ff_io_layout *sensors, const char *name, const char *what);

/// The free joint of a body, -1 when it has none.
int ff_gait_free_joint(const ff_model *m, int body);
/// Puts the body of a free joint upright at a height above the origin, in q  (nq). @param joint  -1: does nothing
void ff_gait_place_root(const ff_model *m, int joint, double height, double *q);
/// A horizontal vector turned by an angle  [rad]; `out` may be `in`.
void ff_gait_turn(double angle, const double in[2], double out[2]);
/// Name of the drive that moves a joint and no other: of a drive, else of an actuator; else that of the joint itself.
const char *ff_gait_drive_of(const ff_model *m, int joint);
/// Items of the drive that moves a joint and no other; -1: it takes no such reference.
typedef struct ff_joint_items {
    int position, speed, force;
} ff_joint_items;
/// Items of the references of the drive of that name.
ff_joint_items ff_gait_drive_items(const ff_io_layout *references, const char *name);
/// @return FF_OK, or FF_NOT_FOUND where no drive takes a position for the joint
ff_status ff_gait_bind_joint(const ff_model *m, int joint, const ff_io_layout *references, ff_joint_items *out,
                             ff_error *err);
/// A channel of a sensor on a joint, such as "position": of the first that has it, -1 when none does.
int ff_gait_find_on_joint(const ff_model *m, const ff_io_layout *sensors, int joint, const char *channel);
/// The three forces of a force sensor. @return false, and all -1, unless a sensor of that name measures all three
bool ff_gait_find_forces(const ff_io_layout *sensors, const char *name, int items[3]);

/// Time stamp of an item  [ns].
static inline int64_t ff_gait_stamp(double t)
{
    return isfinite(t) ? (int64_t)floor(1e9 * t + 0.5) : 0;
}

/// Writes a reference, unless there is no such item.
static inline void ff_gait_put(ff_io_item *items, int number, double value, int64_t stamp)
{
    if (number >= 0) items[number] = (ff_io_item){.value = value, .time_ns = stamp, .valid = 1};
}

/// Writes the references of a drive as far as it takes them.
static inline void ff_gait_put_drive(ff_io_item *items, const ff_joint_items *drive, double position, double speed,
                                     double force, int64_t stamp)
{
    ff_gait_put(items, drive->position, position, stamp);
    ff_gait_put(items, drive->speed, speed, stamp);
    ff_gait_put(items, drive->force, force, stamp);
}

#define FF_GAIT_LONGEST_CYCLE 0.02 // a longer time between two cycles counts as this  [s]
#define FF_GAIT_TIMEOUT       0.02 // after which a controller starts without values of all sensors  [s]

/// Latest value of one channel of a sensor, and its age.
typedef struct ff_gait_sample {
    double value;
    int64_t stamp; // [ns]
    double age;    // infinite before the first  [s]
} ff_gait_sample;

/// Takes a new value of an item, or else lets the sample age by dt. `number` -1: no item. @return false where the item
/// holds a number that is not finite, which is ignored
static inline bool ff_gait_take(const ff_io_item *items, int number, double dt, ff_gait_sample *sample)
{
    sample->age += dt;
    if (number < 0) return true;
    const ff_io_item *item = &items[number];
    if (!item->valid) return true;
    if (!isfinite(item->value)) return false;
    if (item->time_ns == sample->stamp && isfinite(sample->age)) return true; // nothing new
    *sample = (ff_gait_sample){item->value, item->time_ns, 0.0};
    return true;
}

// Each controller has one function that lists its signals: at creation for names, after every cycle for values.
typedef struct ff_gait_signals {
    double *values;    // NULL: the names are listed
    ff_io_name *names; // (most)
    int count, most;
    ff_error *err;
    ff_status status; // of the names: FF_OK, or FF_LIMIT with the reason in `err`
} ff_gait_signals;

void ff_gait_signal_name(ff_gait_signals *s, const char *unit, const char *format, ...) FF_PRINTF(3, 4);

/// Lists a value. @return false where names are listed: then the caller lists the name
static inline bool ff_gait_signal_value(ff_gait_signals *s, double value)
{
    if (!s->values) return false;
    s->values[s->count++] = value;
    return true;
}

static inline void ff_gait_signal(ff_gait_signals *s, const char *name, const char *unit, double value)
{
    if (!ff_gait_signal_value(s, value)) ff_gait_signal_name(s, unit, "%s", name);
}

/// Signal OWNER.NAME.
static inline void ff_gait_signal_of(ff_gait_signals *s, const char *owner, const char *name, const char *unit,
                                     double value)
{
    if (!ff_gait_signal_value(s, value)) ff_gait_signal_name(s, unit, "%s.%s", owner, name);
}

/// Have all sensors that exist sent a value?
/// @param items  -1: no such sensor  (n)
bool ff_gait_have_arrived(const int *items, const ff_gait_sample *samples, int n);

#endif
