// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of sensors. Defaults are those of a sensor without a preset. Which settings a type has, and what must fit its
// channels, range or period, is known to sense/describe.c and sense/set.c.
#include "model/sensor_kinds.h"
#include "native/keys.h"

static const char *const ZONES[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
static const char *const REFERENCES[] = {"frame", "body", "inertia", "shape", NULL};

#define RATE        FF_ABOVE_UP_TO(0.0, 1e6) // [Hz]
#define WHOLE       (FF_TAKES_NUMBER | FF_TAKES_WHOLE)
#define MOST_VALUES 64 // of a list

static const ff_row SENSOR_KEYS[] = {
    FF_EITHER("type", FF_TAKES_WORD | FF_TAKES_TEXT, "", FF_ANY, 0, 0, NULL,
              "what it measures; a new sensor needs it or preset; other types are kept without a reading",
              ff_sensor_type_names, NULL),
    FF_TEXT("preset", NULL, "known device whose settings it starts from"),

    // where it sits: exactly one
    FF_TEXT("joint", NULL, "joint that it sits on"),
    FF_TEXT("frame", NULL, "frame that it sits on"),
    FF_TEXT("body", NULL, "body that it sits on"),
    FF_TEXT("actuator", NULL, "actuator, or actuator whose joint, it sits on"),
    FF_TEXT("tendon", NULL, "tendon that it sits on"),
    FF_TEXT("joints", NULL, "pattern of joints; a sensor NAME_JOINT on each hinge and slide"),
    FF_TEXT("frames", NULL, "pattern of frames; a sensor NAME_FRAME on each"),
    FF_TEXT("bodies", NULL, "pattern of bodies; a sensor NAME_BODY on each"),
    FF_TEXT("shape", NULL,
            "touch, switch, plate: this shape alone, or those that a pattern finds; none: all of the body"),
    FF_TEXT("reference", NULL, "framepos to frameangvel: what it is seen from; none: the world"),
    FF_WORD("reference_on", REFERENCES, "frame",
            "what `reference` names; inertia: a body, at its centre of mass on its principal axes"),

    // errors, in the order of the chain
    FF_EITHER("crosstalk", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "", FF_ANY, 1, MOST_VALUES, "0",
              "bound of the random shares between channels, 0 to below 1, or the matrix row by row", NULL, NULL),
    FF_EITHER("bandwidth", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "Hz", FF_NOT_NEGATIVE, 1, MOST_VALUES, "0",
              "first-order low-pass; 0: none", NULL, NULL),
    FF_EITHER("scale", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "", FF_ANY, 1, MOST_VALUES, "0",
              "error g of the scale: the reading is 1 + g times the value", NULL, NULL),
    FF_EITHER("bias", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_ANY, 1, MOST_VALUES, "0",
              "offset at the start, in the unit of the channel", NULL, NULL),
    FF_EITHER("bias_walk", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_NOT_NEGATIVE, 1, MOST_VALUES, "0",
              "random walk of the offset, unit of the channel per sqrt(s)", NULL, NULL),
    FF_EITHER("bias_slope", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_ANY, 1, MOST_VALUES, "0",
              "steady drift of the offset, unit of the channel per s", NULL, NULL),
    FF_EITHER("noise", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_NOT_NEGATIVE, 1, MOST_VALUES, "0",
              "standard deviation of a sample, in the unit of the channel; camera: of colours, 0 to 1", NULL, NULL),
    FF_NUMBER("rate", "Hz", RATE, NULL, "samples per second; 1000, camera 30"),
    FF_NUMBER("phase", "s", FF_NOT_NEGATIVE, "0", "time of the first sample, less than the period"),
    FF_EITHER("range", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_ANY, 1, MOST_VALUES, NULL,
              "one number: +-; two: from and to (force6, plate: +- of forces and moments); more: +- of each channel; "
              "none: unlimited",
              NULL, NULL),
    FF_NUMBER("cutoff", FF_ANY_UNIT, FF_NOT_NEGATIVE, "0",
              "range as MJCF has it, +- in the unit of the channel; 0: unlimited; range takes its place"),
    FF_SWITCH("centred", "false", "the range lies about the middle of that of the joint"),
    FF_WHOLE("bits", FF_BETWEEN(1.0, 48.0), NULL,
             "resolution: steps of the range, absolute: of a turn; none: no rounding"),
    FF_EITHER("step", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_POSITIVE, 1, MOST_VALUES, NULL,
              "rounding to multiples of it, in the unit of the channel; none: no rounding", NULL, NULL),
    FF_EITHER("fixed", FF_TAKES_NUMBERS | FF_TAKES_WHOLE, "", FF_BETWEEN(0.0, 52.0), 2, 2, NULL,
              "rounding to fixed point: bits before and behind the point, together at most 52", NULL, NULL),
    FF_SWITCH("single", "false", "rounding to single precision"),
    FF_EITHER("delay", WHOLE, "samples", FF_BETWEEN(0.0, 1000.0), 1, 1, "0", "samples between measurement and reading",
              NULL, NULL),
    FF_NUMBER("latency", "s", FF_NOT_NEGATIVE, NULL,
              "the same as a time, rounded up to samples, at most 1000; in place of delay"),
    FF_NUMBER("jitter", "s", FF_NOT_NEGATIVE, "0", "random delay of a reading, at most half the period"),

    // by type
    FF_NUMBER("counts", "per turn", FF_AT_LEAST(1.0), NULL, "encoder: counts per turn of the motor; none: one per rad"),
    FF_NUMBER("gear", "", FF_NONZERO, NULL,
              "encoder: motor turns for one of the joint; otherwise that of the drive, or 1"),
    FF_WHOLE("axes", FF_BETWEEN(1.0, 3.0), "3", "gyro, accelerometer: number of axes, x first"),
    FF_EITHER("fusion", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_NOT_NEGATIVE, 1, 2, NULL,
              "imu, attitude: gain of the estimate [1/s], above 0 and below the rate, and of the bias [1/s^2]; none: "
              "true angles",
              NULL, NULL),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL,
              "force, force6: mass below a cut inside the body; none: the cut lies at the joint"),
    FF_NUMBERS("com", 3, 3, "m", FF_ANY, "[0, 0, 0]", "force, force6: centre of that mass in the sensor's frame"),
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, NULL, "position in its body; otherwise that of its frame, or the origin"),
    FF_WORD("zone", ZONES, NULL,
            "touch: normal forces of contacts in this volume about the sensor, or whose normal out of the body meets "
            "it; none: all of the body"),
    FF_NUMBERS("size", 1, 3, "m", FF_POSITIVE, NULL, "touch: size of the zone, as of a shape: radius, half lengths"),
    FF_NUMBERS("flux", 3, 3, FF_ANY_UNIT, FF_ANY, "[0, -0.5, 0]", "magnetometer: magnetic flux of the world, any unit"),
    FF_NUMBER("threshold", "N", FF_NOT_NEGATIVE, "0", "touch, switch: force above which it reports a contact"),
    FF_NUMBER("inclination", "rad", FF_NOT_NEGATIVE, "90 deg",
              "switch: greatest angle between its z axis and the surface normal"),
    FF_NUMBERS("reach", 2, 2, "m", FF_NOT_NEGATIVE, "[0, 10]",
               "distance: nearest and farthest, the second above the first"),
    FF_NUMBER("cone", "rad", FF_FROM_BELOW(0.0, 0.5 * FF_PI), "0", "distance: half the opening angle; 0: a single ray"),
    FF_WHOLE("rays", FF_BETWEEN(1.0, 100000.0), "1", "distance: number of rays in the cone"),
    FF_WHOLE("rows", FF_BETWEEN(1.0, 100.0), "6", "tactile: rows of taxels; at most 600 taxels"),
    FF_WHOLE("columns", FF_BETWEEN(1.0, 100.0), "6", "tactile: columns of taxels"),
    FF_NUMBER("pitch", "m", FF_POSITIVE, "7 mm", "tactile: distance between taxels"),
    FF_WHOLE("scan", FF_BETWEEN(0.0, 10000.0), "0", "tactile: taxels read at each sample; 0: all"),
    FF_EITHER("width", WHOLE, "px", FF_BETWEEN(1.0, 4096.0), 1, 1, "320", "camera: columns of the picture", NULL, NULL),
    FF_EITHER("height", WHOLE, "px", FF_BETWEEN(1.0, 4096.0), 1, 1, "240", "camera: rows of the picture", NULL, NULL),
    FF_NUMBER("field", "rad", FF_STRICTLY_BETWEEN(0.0, FF_PI), "60 deg", "camera: vertical opening angle"),
    FF_NUMBER("far", "m", FF_POSITIVE, "100", "camera: greatest distance that it sees"),
    FF_EITHER("station", FF_TAKES_NUMBERS | FF_TAKES_WHOLE, "", FF_ANY, 1, 15, NULL,
              "force, force6, inertial: EtherCAT station address, the address that it hangs behind, the port of that "
              "one, and so on, as of drives",
              NULL, NULL),
    FF_END,
};
const ff_key_group ff_keys_sensor = {
    .name = "sensor",
    .help = "A sensor: its type or preset, exactly one place that it sits on, and its errors.",
    .keys = SENSOR_KEYS};

static const ff_row SENSORS_KEYS[] = {
    FF_MAP("*", &ff_keys_sensor, "a sensor by its name; a pattern changes those that are there"),
    FF_END,
};
const ff_key_group ff_keys_sensors = {
    .name = "sensors", .help = "Sensors by name, and changes of sensors by name or pattern.", .keys = SENSORS_KEYS};
