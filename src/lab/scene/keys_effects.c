// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of what lies between references and joints: `effects`, `references` and `faults` (readers: effects.c, sensors.c,
// faults.c).
#include "scene/keys.h"

// ------------------------------------------------------------------------------------------ effects

static const char *const DRIVES[] = {"none", "ideal", "lag", "full", NULL};
static const char *const BATTERIES[] = {"none", "modelled", NULL};
static const char *const TRANSMISSIONS[] = {"rigid", "flexible", "backlash", NULL};
static const char *const SENSORS[] = {"none", "perfect", "real", NULL};
static const char *const BUSES[] = {"none", "modelled", NULL};
static const char *const STAGES[] = {"crosstalk", "bandwidth", "offset", "noise", "sampling", "reading", "delay", NULL};

static const ff_row BUS[] = {
    FF_NUMBER("period", "s", FF_POSITIVE, "1 ms", "time between two telegrams"),
    FF_NUMBER("wait", "s", FF_NOT_NEGATIVE, NULL,
              "time from the telegram to the samples; half the period unless given"),
    FF_NUMBER("transfer", "s", FF_NOT_NEGATIVE, "0", "time that the telegram takes"),
    FF_NUMBER("jitter", "s", FF_NOT_NEGATIVE, "15 us", "largest deviation of times, to either side"),
    FF_NUMBER("loss", "", FF_BETWEEN(0.0, 1.0), "0", "probability that a telegram is lost"),
    FF_END,
};
static const ff_key_group BUS_GROUP = {
    .name = "bus", .help = "Timing of the bus between controller and robot.", .keys = BUS};

static const ff_key_group ERRORS_GROUP = {
    .name = "errors",
    .help = "Stages of the chain of errors that act.",
    .keys = (const ff_row[]){FF_WORD("-", STAGES, NULL, "stage of the chain of errors"), FF_END}};

static const ff_row EFFECTS[] = {
    FF_WORD("drives", DRIVES, NULL,
            "how much of the drives is modelled; lag: full, but the current of synchronous motors follows with a lag; "
            "none unless given, ideal with a controller"),
    FF_NUMBER("loop_span", "s", FF_BETWEEN(0.0, 0.002), "0 s",
              "current loops that are faster run ahead of the mechanics by this time, with the loops around them: the "
              "joints feel their mean torque, and sensors as fast wait for the bus; 0: each sample ends a step"),
    FF_WORD("transmission", TRANSMISSIONS, "rigid", "how much of gears and cables is modelled"),
    FF_WORD("battery", BATTERIES, "none", "whether the batteries of the robots sag and empty"),
    FF_WORD("sensors", SENSORS, NULL,
            "how much of the sensors is modelled; none unless given, perfect with a controller"),
    FF_LIST("errors", &ERRORS_GROUP, "stages of the chain of errors that act, with real sensors; all unless given"),
    FF_SWITCH("cameras", "false", "cameras take pictures"),
    FF_EITHER("bus", FF_TAKES_WORD | FF_TAKES_MAP, "", FF_ANY, 0, 0, "none",
              "timing of the bus between controller and robot; a map is a modelled one", BUSES, &BUS_GROUP),
    FF_END,
};
const ff_key_group ff_keys_effects = {
    .name = "effects", .help = "How much of drives, sensors and bus is modelled.", .keys = EFFECTS};

// ------------------------------------------------------------------------------------------ references

static const ff_row REFERENCE[] = {
    FF_TEXT("drive", FF_NEEDED, "name or pattern of drives"),
    FF_NUMBER("at", "s", FF_NOT_NEGATIVE, "0 s", "time"),
    FF_NUMBER("position", "rad|m", FF_ANY, NULL, "position to go to; stays as it was unless given"),
    FF_NUMBER("speed", "rad/s|m/s", FF_ANY, NULL, "speed to follow; stays as it was unless given"),
    FF_NUMBER("force", "N m|N", FF_ANY, NULL, "torque or force to bring; stays as it was unless given"),
    FF_END,
};
static const ff_key_group REFERENCE_GROUP = {
    .name = "reference", .help = "What drives get at a time: one or more numbers.", .keys = REFERENCE};

const ff_key_group ff_keys_references = {.name = "references",
                                         .help = "References that drives get at given times.",
                                         .keys =
                                             (const ff_row[]){FF_MAP("-", &REFERENCE_GROUP, "one reference"), FF_END}};

// ------------------------------------------------------------------------------------------ faults

static const char *const FAULT_KINDS[] = {"lost", "stuck", "frozen", "off", NULL}; // of sensors, of drives

static const ff_row FAULT[] = {
    FF_TEXT("sensor", NULL, "name or pattern of sensors that fail; either 'sensor' or 'drive' is needed"),
    FF_TEXT("drive", NULL, "name or pattern of drives that fail; either 'sensor' or 'drive' is needed"),
    FF_WORD(
        "kind", FAULT_KINDS, NULL,
        "of a sensor lost, which it is unless given, or stuck; of a drive frozen, which it is unless given, or off"),
    FF_NUMBER("from", "s", FF_NOT_NEGATIVE, "0 s", "time at which it fails"),
    FF_NUMBER("to", "s", FF_POSITIVE, NULL, "time at which it works again, after 'from'; never unless given"),
    FF_END,
};
static const ff_key_group FAULT_GROUP = {.name = "fault", .help = "A sensor or drive that fails.", .keys = FAULT};

const ff_key_group ff_keys_faults = {.name = "faults",
                                     .help = "Sensors and drives that fail.",
                                     .keys = (const ff_row[]){FF_MAP("-", &FAULT_GROUP, "one fault"), FF_END}};
