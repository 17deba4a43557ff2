// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of all types of sensors: what they sit on, what they need to see, their channels, and what measures.
#include "sense/kinds.h"
#include "sense/private.h"

#include "native/keys.h"

_Static_assert(sizeof ff_sensor_type_names / sizeof *ff_sensor_type_names == FF_SENSOR_COUNT + 1, "a name a type");

// clang-format off
#define XYZ         {"x", "y", "z"}
#define WXYZ        {"w", "x", "y", "z"}
#define FORCES      {"fx", "fy", "fz"}
#define MOMENTS     {"mx", "my", "mz"}
#define WRENCH      {"fx", "fy", "fz", "mx", "my", "mz"}
#define WRENCH_UNIT {"N", "N", "N", "N m", "N m", "N m"}
#define THREE(u)    {u, u, u}
#define CUT         (FF_NEEDS_FORCES | FF_NEEDS_CONTACTS)
#define DIRECTION   THREE("1"), FF_CUTOFF_NONE
#define ROTATION    {"1", "1", "1", "1"}, FF_CUTOFF_NONE

static const ff_sensor_kind KINDS[FF_SENSOR_COUNT] = {
    [FF_SENSOR_POTENTIOMETER] = {FF_SEAT_JOINT, 0, ff_truth_position, {"position"}, {"rad"}, 0},
    [FF_SENSOR_TACHOMETER] = {FF_SEAT_JOINT, 0, ff_truth_speed, {"speed"}, {"rad/s"}, 0},
    [FF_SENSOR_ENCODER] = {FF_SEAT_JOINT, FF_NEEDS_MOTORS, ff_truth_encoder,
                           {"count", "index", "index_seen"}, {"count", "count", "1"}, 0},
    [FF_SENSOR_ABSOLUTE] = {FF_SEAT_JOINT, 0, ff_truth_position, {"position"}, {"rad"}, 0},
    [FF_SENSOR_CURRENT] = {FF_SEAT_JOINT, FF_NEEDS_CURRENTS, ff_truth_current, {"current"}, {"A"}, 0},
    [FF_SENSOR_DEFLECTION] = {FF_SEAT_JOINT, FF_NEEDS_MOTORS, ff_truth_deflection, {"deflection"}, {"rad, m"}, 0},
    [FF_SENSOR_TORQUE] = {FF_SEAT_JOINT, CUT, ff_truth_torque, {"torque"}, {"N m"}, 0},
    [FF_SENSOR_GYRO] = {FF_SEAT_FRAME, 0, ff_truth_gyro, XYZ, THREE("rad/s"), 0},
    [FF_SENSOR_ACCELEROMETER] = {FF_SEAT_FRAME, FF_NEEDS_FORCES, ff_truth_accelerometer, XYZ, THREE("m/s^2"), 0},
    [FF_SENSOR_ATTITUDE] = {FF_SEAT_FRAME, 0, ff_truth_attitude, {"roll", "pitch"}, {"rad", "rad"}, 0},
    [FF_SENSOR_IMU] = {FF_SEAT_FRAME, FF_NEEDS_FORCES, ff_truth_inertial,
                       {"spin.x", "spin.y", "spin.z", "acceleration.x", "acceleration.y", "acceleration.z", "roll",
                        "pitch"},
                       {"rad/s", "rad/s", "rad/s", "m/s^2", "m/s^2", "m/s^2", "rad", "rad"}, 0},
    [FF_SENSOR_FORCE] = {FF_SEAT_FRAME, CUT, ff_truth_force, FORCES, THREE("N"), 0},
    [FF_SENSOR_FORCE6] = {FF_SEAT_FRAME, CUT, ff_truth_force6, WRENCH, WRENCH_UNIT, 0},
    [FF_SENSOR_SWITCH] = {FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_switch, {"closed"}, {"1"}, 0},
    [FF_SENSOR_TOUCH] = {FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_touch, {"touched", "force"}, {"1", "N"},
                         FF_CUTOFF_ABOVE},
    [FF_SENSOR_DISTANCE] = {FF_SEAT_FRAME, FF_NEEDS_SHAPES, ff_truth_distance, {"distance", "hit"}, {"m", "1"}, 0},
    [FF_SENSOR_PLATE] = {FF_SEAT_ANYWHERE, FF_NEEDS_CONTACTS, ff_truth_plate, WRENCH, WRENCH_UNIT, 0},
    [FF_SENSOR_TACTILE] = {FF_SEAT_FRAME, FF_NEEDS_CONTACTS, ff_truth_tactile, {"pressure", "touched"},
                           {"kPa", "1"}, 0},
    [FF_SENSOR_CAMERA] = {FF_SEAT_FRAME, FF_NEEDS_SHAPES, NULL, {NULL}, {NULL}, 0},
    [FF_SENSOR_REACTION] = {FF_SEAT_FRAME, CUT, ff_truth_reaction, FORCES, THREE("N"), 0},
    [FF_SENSOR_REACTION_MOMENT] = {FF_SEAT_FRAME, CUT, ff_truth_reaction_moment, MOMENTS, THREE("N m"), 0},
    [FF_SENSOR_RANGEFINDER] = {FF_SEAT_FRAME, FF_NEEDS_SHAPES, ff_truth_rangefinder, {"distance"}, {"m"},
                               FF_CUTOFF_ABOVE},
    [FF_SENSOR_FRAMEPOS] = {FF_SEAT_FRAME, 0, ff_truth_framepos, XYZ, THREE("m"), 0},
    [FF_SENSOR_FRAMEQUAT] = {FF_SEAT_FRAME, 0, ff_truth_framequat, WXYZ, ROTATION},
    [FF_SENSOR_FRAMEXAXIS] = {FF_SEAT_FRAME, 0, ff_truth_framexaxis, XYZ, DIRECTION},
    [FF_SENSOR_FRAMEYAXIS] = {FF_SEAT_FRAME, 0, ff_truth_frameyaxis, XYZ, DIRECTION},
    [FF_SENSOR_FRAMEZAXIS] = {FF_SEAT_FRAME, 0, ff_truth_framezaxis, XYZ, DIRECTION},
    [FF_SENSOR_FRAMELINVEL] = {FF_SEAT_FRAME, 0, ff_truth_framelinvel, XYZ, THREE("m/s"), 0},
    [FF_SENSOR_FRAMEANGVEL] = {FF_SEAT_FRAME, 0, ff_truth_frameangvel, XYZ, THREE("rad/s"), 0},
    [FF_SENSOR_FRAMELINACC] = {FF_SEAT_FRAME, FF_NEEDS_FORCES, ff_truth_framelinacc, XYZ, THREE("m/s^2"), 0},
    [FF_SENSOR_FRAMEANGACC] = {FF_SEAT_FRAME, FF_NEEDS_FORCES, ff_truth_frameangacc, XYZ, THREE("rad/s^2"), 0},
    [FF_SENSOR_VELOCIMETER] = {FF_SEAT_FRAME, 0, ff_truth_velocimeter, XYZ, THREE("m/s"), 0},
    [FF_SENSOR_MAGNETOMETER] = {FF_SEAT_FRAME, 0, ff_truth_magnetometer, XYZ, THREE("1"), 0},
    [FF_SENSOR_SUBTREECOM] = {FF_SEAT_FRAME, 0, ff_truth_subtreecom, XYZ, THREE("m"), 0},
    [FF_SENSOR_SUBTREELINVEL] = {FF_SEAT_FRAME, 0, ff_truth_subtreelinvel, XYZ, THREE("m/s"), 0},
    [FF_SENSOR_SUBTREEANGMOM] = {FF_SEAT_FRAME, 0, ff_truth_subtreeangmom, XYZ, THREE("N m s"), 0},
    [FF_SENSOR_BALLQUAT] = {FF_SEAT_BALL, 0, ff_truth_ballquat, WXYZ, ROTATION},
    [FF_SENSOR_BALLANGVEL] = {FF_SEAT_BALL, 0, ff_truth_ballangvel, XYZ, THREE("rad/s"), 0},
    [FF_SENSOR_TENDONPOS] = {FF_SEAT_TENDON, 0, ff_truth_tendonpos, {"length"}, {"m"}, 0},
    [FF_SENSOR_TENDONVEL] = {FF_SEAT_TENDON, 0, ff_truth_tendonvel, {"speed"}, {"m/s"}, 0},
    [FF_SENSOR_ACTUATORPOS] = {FF_SEAT_ACTUATOR, 0, ff_truth_actuatorpos, {"position"}, {"rad, m"}, 0},
    [FF_SENSOR_ACTUATORVEL] = {FF_SEAT_ACTUATOR, 0, ff_truth_actuatorvel, {"speed"}, {"rad/s, m/s"}, 0},
    [FF_SENSOR_ACTUATORFRC] = {FF_SEAT_ACTUATOR, FF_NEEDS_ACTUATORS, ff_truth_actuatorfrc, {"force"}, {"N m, N"}, 0},
    [FF_SENSOR_JOINTACTUATORFRC] = {FF_SEAT_JOINT, FF_NEEDS_ACTUATORS, ff_truth_jointactuatorfrc, {"force"},
                                    {"N m, N"}, 0},
    [FF_SENSOR_TENDONACTUATORFRC] = {FF_SEAT_TENDON, FF_NEEDS_ACTUATORS, ff_truth_tendonactuatorfrc, {"force"},
                                     {"N"}, 0},
    [FF_SENSOR_JOINTLIMITPOS] = {FF_SEAT_LIMIT, 0, ff_truth_jointlimitpos, {"distance"}, {"rad, m"}, 0},
    [FF_SENSOR_JOINTLIMITVEL] = {FF_SEAT_LIMIT, 0, ff_truth_jointlimitvel, {"speed"}, {"rad/s, m/s"}, 0},
    [FF_SENSOR_JOINTLIMITFRC] = {FF_SEAT_LIMIT, 0, ff_truth_jointlimitfrc, {"force"}, {"N m, N"}, 0},
    [FF_SENSOR_TENDONLIMITPOS] = {FF_SEAT_TENDON, 0, ff_truth_tendonlimitpos, {"distance"}, {"m"}, 0},
    [FF_SENSOR_TENDONLIMITVEL] = {FF_SEAT_TENDON, 0, ff_truth_tendonlimitvel, {"speed"}, {"m/s"}, 0},
    [FF_SENSOR_TENDONLIMITFRC] = {FF_SEAT_TENDON, 0, ff_truth_tendonlimitfrc, {"force"}, {"N"}, 0},
    [FF_SENSOR_CLOCK] = {FF_SEAT_ANYWHERE, 0, ff_truth_clock, {"time"}, {"s"}, 0},
};
// clang-format on

const ff_sensor_kind *ff_sensor_kind_of(ff_sensor_type type)
{
    return &KINDS[type];
}

const char *ff_sensor_type_name(ff_sensor_type type)
{
    return type < FF_SENSOR_COUNT ? ff_sensor_type_names[type] : "";
}

static int word_number(const ff_sensor *s, int i)
{
    return s->type == FF_SENSOR_TACTILE ? i >= s->chain.n / 2 : i;
}

const char *ff_sensor_channel(const ff_sensor *s, int i)
{
    return i >= 0 && i < s->chain.n ? KINDS[s->type].channels[word_number(s, i)] : "";
}

const char *ff_sensor_unit(const ff_sensor *s, int i)
{
    const char *unit = i >= 0 && i < s->chain.n ? KINDS[s->type].units[word_number(s, i)] : "";
    if (s->slides && strcmp(unit, "rad") == 0) return "m";
    return s->slides && strcmp(unit, "rad/s") == 0 ? "m/s" : unit;
}

int ff_sensor_width(ff_sensor_type type)
{
    int n = 0;
    while (n < 8 && KINDS[type].channels[n]) n++;
    return n;
}

unsigned ff_sensor_needs(ff_sensor_type type)
{
    return KINDS[type].needs;
}

void ff_sensor_truth(const ff_sensor *s, const ff_sense_view *view, double *memory, double t, double *out)
{
    const ff_sensed at = {s, view, memory, t};
    if (KINDS[s->type].truth) KINDS[s->type].truth(&at, out);
}
