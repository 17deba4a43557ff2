// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of what acts on the robots. `control`: the joint law (reader: control.c); the kinds of controllers have tables
// of their own (steer/kind_*.c), and a `control` that names one takes those. `effects`, `references` and `faults`: what
// lies between references and joints (effects.c, sensors.c, faults.c). `forces` and `springs` (forces.c).
#include "scene/keys.h"

#include "steer/steering.h"

// ------------------------------------------------------------------------------------------ joint law

enum { MOST_POSES = 100 };

// clang-format off
static const ff_key_group HOLD = FF_GROUP("hold", "Springs and dampers that hold hinges and slides at their targets.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force per distance from the target"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, FF_NEEDED, "torque or force per difference of speed"),
    FF_SWITCH("feedforward", "true", "add the torque or force of the static equilibrium, if the robot starts settled"));

static const ff_key_group CYCLE = FF_GROUP("cycle", "Keyframes through which 'hold' moves a single robot.",
    FF_NAMES("poses", 2, MOST_POSES, FF_NEEDED, "keyframes of the robot's file, one after the other"),
    FF_NUMBER("period", "s", FF_POSITIVE, FF_NEEDED, "time of the whole cycle"));

// ------------------------------------------------------------------------------------------ control

const ff_key_group ff_keys_control = {
    .name = "control",
    .help = "A controller of one robot, or springs and dampers for the joints of all.",
    .choose = ff_control_choose,
    .keys = FF_KEYS(
        FF_MAP("hold", &HOLD,
            "springs and dampers of all joints, at the top of the scene; with a controller, of joints without drives"),
        FF_MAP("cycle", &CYCLE,
            "only with 'hold' and no controller: keyframes to go through; the initial position is held unless given"))};

// ------------------------------------------------------------------------------------------ effects

static const char *const DRIVES[] = {"none", "ideal", "lag", "full", NULL};
static const char *const BATTERIES[] = {"none", "modelled", NULL};
static const char *const TRANSMISSIONS[] = {"rigid", "flexible", "backlash", NULL};
static const char *const SENSORS[] = {"none", "perfect", "real", NULL};
static const char *const BUSES[] = {"none", "modelled", NULL};
static const char *const STAGES[] = {"crosstalk", "bandwidth", "offset", "noise", "sampling", "reading", "delay", NULL};

static const ff_key_group BUS = FF_GROUP("bus", "Timing of the bus between controller and robot.",
    FF_NUMBER("period", "s", FF_POSITIVE, "1 ms", "time between two telegrams"),
    FF_NUMBER("wait", "s", FF_NOT_NEGATIVE, NULL,
        "time from the telegram to the samples; half the period unless given"),
    FF_NUMBER("transfer", "s", FF_NOT_NEGATIVE, "0", "time that the telegram takes"),
    FF_NUMBER("jitter", "s", FF_NOT_NEGATIVE, "15 us", "largest deviation of times, to either side"),
    FF_NUMBER("loss", "", FF_BETWEEN(0.0, 1.0), "0", "probability that a telegram is lost"));

static const ff_key_group ERRORS = FF_GROUP("errors", "Error stages that act.",
    FF_WORD("-", STAGES, NULL, "error stage"));

const ff_key_group ff_keys_effects = FF_GROUP("effects", "How much of drives, sensors and bus is modelled.",
    FF_WORD("drives", DRIVES, NULL,
        "how much of the drives is modelled; lag: full, but the current of synchronous motors follows with a lag; none "
        "unless given, ideal with a controller"),
    FF_NUMBER("loop_span", "s", FF_BETWEEN(0.0, 0.002), "0 s",
        "time by which faster current loops, with the loops around them, run ahead of the mechanics. The mean torque "
        "acts on the joints; sensors as fast wait for the bus; 0: each sample ends a step"),
    FF_WORD("transmission", TRANSMISSIONS, "rigid", "how much of gears and cables is modelled"),
    FF_WORD("battery", BATTERIES, "none", "whether the batteries of the robots sag and empty"),
    FF_WORD("sensors", SENSORS, NULL,
        "how much of the sensors is modelled; none unless given, perfect with a controller"),
    FF_LIST("errors", &ERRORS, "error stages that act, with real sensors; all unless given"),
    FF_SWITCH("cameras", "false", "cameras take pictures"),
    FF_EITHER("bus", FF_TAKES_WORD | FF_TAKES_MAP, "", FF_ANY, 0, 0, "none",
        "timing of the bus between controller and robot; a map is a modelled one", BUSES, &BUS));

// ------------------------------------------------------------------------------------------ references

static const ff_key_group REFERENCE = FF_GROUP("reference",
    "A reference for drives from a time on: one or more numbers.",
    FF_TEXT("drive", FF_NEEDED, "name or pattern of drives"),
    FF_NUMBER("at", "s", FF_NOT_NEGATIVE, "0 s", "time"),
    FF_NUMBER("position", "rad|m", FF_ANY, NULL, "position; as before unless given"),
    FF_NUMBER("speed", "rad/s|m/s", FF_ANY, NULL, "speed; as before unless given"),
    FF_NUMBER("force", "N m|N", FF_ANY, NULL, "torque or force; as before unless given"));

const ff_key_group ff_keys_references = FF_GROUP("references", "References that drives get at given times.",
    FF_MAP("-", &REFERENCE, "one reference"));

// ------------------------------------------------------------------------------------------ faults

static const char *const FAULT_KINDS[] = {"lost", "stuck", "frozen", "off", NULL}; // of sensors, of drives

static const ff_key_group FAULT = FF_GROUP("fault", "A sensor or drive that fails.",
    FF_TEXT("sensor", NULL, "name or pattern of sensors that fail; either 'sensor' or 'drive' is needed"),
    FF_TEXT("drive", NULL, "name or pattern of drives that fail; either 'sensor' or 'drive' is needed"),
    FF_WORD("kind", FAULT_KINDS, NULL, "sensors: lost (the default) or stuck; drives: frozen (the default) or off"),
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "time at which it fails"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL, "time at which it works again, after 'from'; never unless given"));

const ff_key_group ff_keys_faults = FF_GROUP("faults", "Sensors and drives that fail.",
    FF_MAP("-", &FAULT, "one fault"));

// ------------------------------------------------------------------------------------------ forces

static const ff_key_group FORCE = FF_GROUP("force", "A constant force on a joint or a body during a window of time.",
    FF_TEXT("joint", NULL, "joint on which a generalised force acts; either 'joint' or 'body' is needed"),
    FF_WHOLE("dof", FF_BETWEEN(0, 5), "0", "degree of freedom of the joint"),
    FF_NUMBER("value", "N m|N", FF_ANY, NULL, "generalised force; needed beside 'joint'"),
    FF_TEXT("body", NULL, "body on which a force acts; either 'joint' or 'body' is needed"),
    FF_NUMBERS("force", 3, 3, "N", FF_ANY, NULL, "force in world axes; a body takes either 'force' or 'impulse'"),
    FF_NUMBERS("impulse", 3, 3, "N s", FF_ANY, NULL, "impulse in world axes, spread over the time from 'from' to 'to'"),
    FF_NUMBERS("at", 3, 3, "m", FF_ANY, NULL, "point in the frame of the body; its centre of mass unless given"),
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "time at which it begins"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL,
        "time at which it ends, after 'from'; the end of the run unless given; needed beside 'impulse'"));

const ff_key_group ff_keys_forces = FF_GROUP("forces", "Constant forces during windows of time.",
    FF_MAP("-", &FORCE, "one force"));

// ------------------------------------------------------------------------------------------ springs

static const ff_key_group POINTS = FF_GROUP("points", "A point of each of two bodies.",
    FF_NUMBERS("-", 3, 3, "m", FF_ANY, NULL, "point in the frame of its body"));

static const ff_key_group SPRING = FF_GROUP("spring", "A spring with a damper between two bodies.",
    FF_NAMES("between", 2, 2, FF_NEEDED, "the two bodies; 'world' is one, too"),
    FF_ITEMS("at", 2, 2, &POINTS, "the two points, each in the frame of its body; the origins unless given"),
    FF_NUMBER_OR_LIST("stiffness", 3, 3, "N/m", FF_NOT_NEGATIVE, FF_NEEDED,
        "one number: along the line between the points; three: along the world axes"),
    FF_NUMBER_OR_LIST("damping", 3, 3, "N s/m", FF_NOT_NEGATIVE, "0", "in the form of 'stiffness'"),
    FF_NUMBER_OR_LIST("rest", 3, 3, "m", FF_ANY, NULL,
        "length without force, in the form of 'stiffness'; that of the reference pose unless given"));

const ff_key_group ff_keys_springs = FF_GROUP("springs", "Springs between bodies.",
    FF_MAP("-", &SPRING, "one spring"));
// clang-format on
