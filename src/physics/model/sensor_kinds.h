// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of sensors, one row each, in the order of ff_sensor_type (footfall/sense.h). The readers and writers of
// robot files take the words from here; the room sense makes its table of measuring functions (sense/kinds.c). A new
// kind is a row, an enumerator and a function.
#ifndef FOOTFALL_MODEL_SENSOR_KINDS_H
#define FOOTFALL_MODEL_SENSOR_KINDS_H

// clang-format off
#define FF_MANY(...)   {__VA_ARGS__}
#define FF_XYZ         {"x", "y", "z"}
#define FF_WXYZ        {"w", "x", "y", "z"}
#define FF_FORCES      {"fx", "fy", "fz"}
#define FF_MOMENTS     {"mx", "my", "mz"}
#define FF_WRENCH      {"fx", "fy", "fz", "mx", "my", "mz"}
#define FF_WRENCH_UNIT {"N", "N", "N", "N m", "N m", "N m"}
#define FF_THREE(unit) {unit, unit, unit}
#define FF_FOUR(unit)  {unit, unit, unit, unit}
#define FF_ALL         (-1)

/// KIND(type, name, element of MJCF or NULL, attribute of MJCF that names what it sits on or "frame" for objtype and
/// objname, seat, what it needs, function that measures, the first of its numbers that this kind has or FF_ALL,
/// channels, their units, what `cutoff` bounds, bits of the channels that say yes or no)
#define FF_SENSOR_KINDS(KIND)                                                                                          \
    KIND(FF_SENSOR_POTENTIOMETER, "potentiometer", "jointpos", "joint", FF_SEAT_JOINT, 0, ff_truth_position, FF_ALL,   \
         FF_MANY("position"), FF_MANY("rad"), FF_CUTOFF_BOTH, 0)                                                       \
    KIND(FF_SENSOR_TACHOMETER, "tachometer", "jointvel", "joint", FF_SEAT_JOINT, 0, ff_truth_speed, FF_ALL,            \
         FF_MANY("speed"), FF_MANY("rad/s"), FF_CUTOFF_BOTH, 0)                                                        \
    KIND(FF_SENSOR_ENCODER, "encoder", NULL, NULL, FF_SEAT_JOINT, FF_NEEDS_MOTORS, ff_truth_encoder, FF_ALL,           \
         FF_MANY("count", "index", "index_seen"), FF_MANY("count", "count", "1"), FF_CUTOFF_BOTH, 4)                   \
    KIND(FF_SENSOR_ABSOLUTE, "absolute", NULL, NULL, FF_SEAT_JOINT, 0, ff_truth_position, FF_ALL, FF_MANY("position"), \
         FF_MANY("rad"), FF_CUTOFF_BOTH, 0)                                                                            \
    KIND(FF_SENSOR_CURRENT, "current", NULL, NULL, FF_SEAT_JOINT, FF_NEEDS_CURRENTS, ff_truth_current, FF_ALL,         \
         FF_MANY("current"), FF_MANY("A"), FF_CUTOFF_BOTH, 0)                                                          \
    KIND(FF_SENSOR_DEFLECTION, "deflection", NULL, NULL, FF_SEAT_JOINT, FF_NEEDS_MOTORS, ff_truth_deflection, FF_ALL,  \
         FF_MANY("deflection"), FF_MANY("rad, m"), FF_CUTOFF_BOTH, 0)                                                  \
    KIND(FF_SENSOR_TORQUE, "torque", NULL, NULL, FF_SEAT_JOINT, FF_NEEDS_FORCES | FF_NEEDS_CONTACTS, ff_truth_torque,  \
         FF_ALL, FF_MANY("torque"), FF_MANY("N m"), FF_CUTOFF_BOTH, 0)                                                 \
    KIND(FF_SENSOR_GYRO, "gyro", "gyro", "site", FF_SEAT_FRAME, 0, ff_truth_inertial, 0, FF_XYZ, FF_THREE("rad/s"),    \
         FF_CUTOFF_BOTH, 0)                                                                                            \
    KIND(FF_SENSOR_ACCELEROMETER, "accelerometer", "accelerometer", "site", FF_SEAT_FRAME, FF_NEEDS_FORCES,            \
         ff_truth_inertial, 3, FF_XYZ, FF_THREE("m/s^2"), FF_CUTOFF_BOTH, 0)                                           \
    KIND(FF_SENSOR_ATTITUDE, "attitude", NULL, NULL, FF_SEAT_FRAME, 0, ff_truth_inertial, 6,                           \
         FF_MANY("roll", "pitch"), FF_MANY("rad", "rad"), FF_CUTOFF_BOTH, 0)                                           \
    KIND(FF_SENSOR_IMU, "imu", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_FORCES, ff_truth_inertial, FF_ALL,                  \
         FF_MANY("spin.x", "spin.y", "spin.z", "acceleration.x", "acceleration.y", "acceleration.z", "roll", "pitch"), \
         FF_MANY("rad/s", "rad/s", "rad/s", "m/s^2", "m/s^2", "m/s^2", "rad", "rad"), FF_CUTOFF_BOTH, 0)               \
    KIND(FF_SENSOR_FORCE, "force", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_FORCES | FF_NEEDS_CONTACTS, ff_truth_force,     \
         FF_ALL, FF_FORCES, FF_THREE("N"), FF_CUTOFF_BOTH, 0)                                                          \
    KIND(FF_SENSOR_FORCE6, "force6", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_FORCES | FF_NEEDS_CONTACTS, ff_truth_force6,  \
         FF_ALL, FF_WRENCH, FF_WRENCH_UNIT, FF_CUTOFF_BOTH, 0)                                                         \
    KIND(FF_SENSOR_SWITCH, "switch", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_switch, FF_ALL,            \
         FF_MANY("closed"), FF_MANY("1"), FF_CUTOFF_BOTH, 1)                                                           \
    KIND(FF_SENSOR_TOUCH, "touch", "touch", "site", FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_touch, FF_ALL,          \
         FF_MANY("touched", "force"), FF_MANY("1", "N"), FF_CUTOFF_ABOVE, 1)                                           \
    KIND(FF_SENSOR_DISTANCE, "distance", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_SHAPES, ff_truth_distance, FF_ALL,        \
         FF_MANY("distance", "hit"), FF_MANY("m", "1"), FF_CUTOFF_BOTH, 2)                                             \
    KIND(FF_SENSOR_PLATE, "plate", NULL, NULL, FF_SEAT_ANYWHERE, FF_NEEDS_CONTACTS, ff_truth_plate, FF_ALL, FF_WRENCH, \
         FF_WRENCH_UNIT, FF_CUTOFF_BOTH, 0)                                                                            \
    KIND(FF_SENSOR_TACTILE, "tactile", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_tactile, FF_ALL,         \
         FF_MANY("pressure", "touched"), FF_MANY("kPa", "1"), FF_CUTOFF_BOTH, ~0U)                                     \
    KIND(FF_SENSOR_CAMERA, "camera", NULL, NULL, FF_SEAT_FRAME, FF_NEEDS_SHAPES, ff_truth_picture, FF_ALL,             \
         FF_MANY(NULL), FF_MANY(NULL), FF_CUTOFF_BOTH, 0)                                                              \
    KIND(FF_SENSOR_REACTION, "reaction", "force", "site", FF_SEAT_FRAME, FF_NEEDS_FORCES | FF_NEEDS_CONTACTS,          \
         ff_truth_reaction, 0, FF_FORCES, FF_THREE("N"), FF_CUTOFF_BOTH, 0)                                            \
    KIND(FF_SENSOR_REACTION_MOMENT, "reaction_moment", "torque", "site", FF_SEAT_FRAME,                                \
         FF_NEEDS_FORCES | FF_NEEDS_CONTACTS, ff_truth_reaction, 3, FF_MOMENTS, FF_THREE("N m"), FF_CUTOFF_BOTH, 0)    \
    KIND(FF_SENSOR_RANGEFINDER, "rangefinder", "rangefinder", "site", FF_SEAT_FRAME, FF_NEEDS_SHAPES,                  \
         ff_truth_rangefinder, FF_ALL, FF_MANY("distance"), FF_MANY("m"), FF_CUTOFF_ABOVE, 0)                          \
    KIND(FF_SENSOR_FRAMEPOS, "framepos", "framepos", "frame", FF_SEAT_FRAME, 0, ff_truth_framepos, FF_ALL, FF_XYZ,     \
         FF_THREE("m"), FF_CUTOFF_BOTH, 0)                                                                             \
    KIND(FF_SENSOR_FRAMEQUAT, "framequat", "framequat", "frame", FF_SEAT_FRAME, 0, ff_truth_framequat, FF_ALL,         \
         FF_WXYZ, FF_FOUR("1"), FF_CUTOFF_NONE, 0)                                                                     \
    KIND(FF_SENSOR_FRAMEXAXIS, "framexaxis", "framexaxis", "frame", FF_SEAT_FRAME, 0, ff_truth_frameaxes, 0, FF_XYZ,   \
         FF_THREE("1"), FF_CUTOFF_NONE, 0)                                                                             \
    KIND(FF_SENSOR_FRAMEYAXIS, "frameyaxis", "frameyaxis", "frame", FF_SEAT_FRAME, 0, ff_truth_frameaxes, 3, FF_XYZ,   \
         FF_THREE("1"), FF_CUTOFF_NONE, 0)                                                                             \
    KIND(FF_SENSOR_FRAMEZAXIS, "framezaxis", "framezaxis", "frame", FF_SEAT_FRAME, 0, ff_truth_frameaxes, 6, FF_XYZ,   \
         FF_THREE("1"), FF_CUTOFF_NONE, 0)                                                                             \
    KIND(FF_SENSOR_FRAMELINVEL, "framelinvel", "framelinvel", "frame", FF_SEAT_FRAME, 0, ff_truth_framevelocity, 3,    \
         FF_XYZ, FF_THREE("m/s"), FF_CUTOFF_BOTH, 0)                                                                   \
    KIND(FF_SENSOR_FRAMEANGVEL, "frameangvel", "frameangvel", "frame", FF_SEAT_FRAME, 0, ff_truth_framevelocity, 0,    \
         FF_XYZ, FF_THREE("rad/s"), FF_CUTOFF_BOTH, 0)                                                                 \
    KIND(FF_SENSOR_FRAMELINACC, "framelinacc", "framelinacc", "frame", FF_SEAT_FRAME, FF_NEEDS_FORCES,                 \
         ff_truth_frameacceleration, 3, FF_XYZ, FF_THREE("m/s^2"), FF_CUTOFF_BOTH, 0)                                  \
    KIND(FF_SENSOR_FRAMEANGACC, "frameangacc", "frameangacc", "frame", FF_SEAT_FRAME, FF_NEEDS_FORCES,                 \
         ff_truth_frameacceleration, 0, FF_XYZ, FF_THREE("rad/s^2"), FF_CUTOFF_BOTH, 0)                                \
    KIND(FF_SENSOR_VELOCIMETER, "velocimeter", "velocimeter", "site", FF_SEAT_FRAME, 0, ff_truth_velocimeter, FF_ALL,  \
         FF_XYZ, FF_THREE("m/s"), FF_CUTOFF_BOTH, 0)                                                                   \
    KIND(FF_SENSOR_MAGNETOMETER, "magnetometer", "magnetometer", "site", FF_SEAT_FRAME, 0, ff_truth_magnetometer,      \
         FF_ALL, FF_XYZ, FF_THREE("1"), FF_CUTOFF_BOTH, 0)                                                             \
    KIND(FF_SENSOR_SUBTREECOM, "subtreecom", "subtreecom", "body", FF_SEAT_FRAME, 0, ff_truth_subtreecentre, 0,        \
         FF_XYZ, FF_THREE("m"), FF_CUTOFF_BOTH, 0)                                                                     \
    KIND(FF_SENSOR_SUBTREELINVEL, "subtreelinvel", "subtreelinvel", "body", FF_SEAT_FRAME, 0, ff_truth_subtreecentre,  \
         3, FF_XYZ, FF_THREE("m/s"), FF_CUTOFF_BOTH, 0)                                                                \
    KIND(FF_SENSOR_SUBTREEANGMOM, "subtreeangmom", "subtreeangmom", "body", FF_SEAT_FRAME, 0, ff_truth_subtreeangmom,  \
         FF_ALL, FF_XYZ, FF_THREE("N m s"), FF_CUTOFF_BOTH, 0)                                                         \
    KIND(FF_SENSOR_BALLQUAT, "ballquat", "ballquat", "joint", FF_SEAT_BALL, 0, ff_truth_ballquat, FF_ALL, FF_WXYZ,     \
         FF_FOUR("1"), FF_CUTOFF_NONE, 0)                                                                              \
    KIND(FF_SENSOR_BALLANGVEL, "ballangvel", "ballangvel", "joint", FF_SEAT_BALL, 0, ff_truth_ballangvel, FF_ALL,      \
         FF_XYZ, FF_THREE("rad/s"), FF_CUTOFF_BOTH, 0)                                                                 \
    KIND(FF_SENSOR_TENDONPOS, "tendonpos", "tendonpos", "tendon", FF_SEAT_TENDON, 0, ff_truth_tendon, 0,               \
         FF_MANY("length"), FF_MANY("m"), FF_CUTOFF_BOTH, 0)                                                           \
    KIND(FF_SENSOR_TENDONVEL, "tendonvel", "tendonvel", "tendon", FF_SEAT_TENDON, 0, ff_truth_tendon, 1,               \
         FF_MANY("speed"), FF_MANY("m/s"), FF_CUTOFF_BOTH, 0)                                                          \
    KIND(FF_SENSOR_ACTUATORPOS, "actuatorpos", "actuatorpos", "actuator", FF_SEAT_ACTUATOR, 0, ff_truth_actuator, 0,   \
         FF_MANY("position"), FF_MANY("rad, m"), FF_CUTOFF_BOTH, 0)                                                    \
    KIND(FF_SENSOR_ACTUATORVEL, "actuatorvel", "actuatorvel", "actuator", FF_SEAT_ACTUATOR, 0, ff_truth_actuator, 1,   \
         FF_MANY("speed"), FF_MANY("rad/s, m/s"), FF_CUTOFF_BOTH, 0)                                                   \
    KIND(FF_SENSOR_ACTUATORFRC, "actuatorfrc", "actuatorfrc", "actuator", FF_SEAT_ACTUATOR, FF_NEEDS_ACTUATORS,        \
         ff_truth_actuatorfrc, FF_ALL, FF_MANY("force"), FF_MANY("N m, N"), FF_CUTOFF_BOTH, 0)                         \
    KIND(FF_SENSOR_JOINTACTUATORFRC, "jointactuatorfrc", "jointactuatorfrc", "joint", FF_SEAT_JOINT,                   \
         FF_NEEDS_ACTUATORS, ff_truth_actuatorsum, FF_ALL, FF_MANY("force"), FF_MANY("N m, N"), FF_CUTOFF_BOTH, 0)     \
    KIND(FF_SENSOR_TENDONACTUATORFRC, "tendonactuatorfrc", "tendonactuatorfrc", "tendon", FF_SEAT_TENDON,              \
         FF_NEEDS_ACTUATORS, ff_truth_actuatorsum, FF_ALL, FF_MANY("force"), FF_MANY("N"), FF_CUTOFF_BOTH, 0)          \
    KIND(FF_SENSOR_JOINTLIMITPOS, "jointlimitpos", "jointlimitpos", "joint", FF_SEAT_LIMIT, 0, ff_truth_jointlimit, 0, \
         FF_MANY("distance"), FF_MANY("rad, m"), FF_CUTOFF_BOTH, 0)                                                    \
    KIND(FF_SENSOR_JOINTLIMITVEL, "jointlimitvel", "jointlimitvel", "joint", FF_SEAT_LIMIT, 0, ff_truth_jointlimit, 1, \
         FF_MANY("speed"), FF_MANY("rad/s, m/s"), FF_CUTOFF_BOTH, 0)                                                   \
    KIND(FF_SENSOR_JOINTLIMITFRC, "jointlimitfrc", "jointlimitfrc", "joint", FF_SEAT_LIMIT, 0, ff_truth_jointlimit, 2, \
         FF_MANY("force"), FF_MANY("N m, N"), FF_CUTOFF_BOTH, 0)                                                       \
    KIND(FF_SENSOR_TENDONLIMITPOS, "tendonlimitpos", "tendonlimitpos", "tendon", FF_SEAT_TENDON, 0,                    \
         ff_truth_tendonlimit, 0, FF_MANY("distance"), FF_MANY("m"), FF_CUTOFF_BOTH, 0)                                \
    KIND(FF_SENSOR_TENDONLIMITVEL, "tendonlimitvel", "tendonlimitvel", "tendon", FF_SEAT_TENDON, 0,                    \
         ff_truth_tendonlimit, 1, FF_MANY("speed"), FF_MANY("m/s"), FF_CUTOFF_BOTH, 0)                                 \
    KIND(FF_SENSOR_TENDONLIMITFRC, "tendonlimitfrc", "tendonlimitfrc", "tendon", FF_SEAT_TENDON, 0,                    \
         ff_truth_tendonlimit, 2, FF_MANY("force"), FF_MANY("N"), FF_CUTOFF_BOTH, 0)                                   \
    KIND(FF_SENSOR_CLOCK, "clock", "clock", NULL, FF_SEAT_ANYWHERE, 0, ff_truth_clock, FF_ALL, FF_MANY("time"),        \
         FF_MANY("s"), FF_CUTOFF_BOTH, 0)
// clang-format on

/// Words of a kind in robot files.
typedef struct ff_sensor_words {
    const char *name;
    const char *mjcf;   // element; NULL: MJCF has none
    const char *object; // attribute that names what it sits on; "frame": objtype and objname; NULL: nothing
} ff_sensor_words;

/// By ff_sensor_type; NULL names end both.
extern const ff_sensor_words ff_sensor_kind_words[];
extern const char *const ff_sensor_type_names[];

/// The kind of that name, or else that element of MJCF; -1: there is none. An element of a name that is another kind
/// here is not found by it.
int ff_sensor_find_kind(const char *word);
/// The words of an element of MJCF; NULL: there is no such sensor here.
const ff_sensor_words *ff_sensor_of_mjcf(const char *element);

#endif
