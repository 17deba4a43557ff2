// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of drives. Coordinates, forces and speeds "rad|m", "N m|N", .. are those behind the path: a hinge that a spindle
// or crank drives has the second unit, too. Which settings a kind of drive needs is known to drive/describe.c and
// ff_drive_finish.
#include "native/keys.h"

const char *const ff_drive_motor_names[7] = {"none", "ideal", "servo", "dc", "lag", "pmsm", NULL};
const char *const ff_drive_transmission_names[6] = {"rigid", "flexible", "backlash", "teeth", "cables", NULL};
const char *const ff_drive_path_names[7] = {"joint", "levers", "table", "crank", "rod", "differential", NULL};
const char *const ff_drive_loop_names[6] = {"direct", "pd", "cascade", "force", "compliant", NULL};
const char *const ff_drive_feedback_names[3] = {"motor", "joint", NULL};

#define SHARE       FF_ABOVE_UP_TO(0.0, 1.0)
#define RATE        FF_ABOVE_UP_TO(0.0, 1e6) // of any loop [Hz]
#define BANDWIDTH   FF_BETWEEN(1e-3, 1e6)    // [Hz]
#define COUNTS      FF_BETWEEN(0.0, 1e8)     // of an encoder in a turn
#define MOST_VALUES 1000                     // of a list: 500 points of a table

// ------------------------------------------------------------------------------------------ motor

// clang-format off
static const ff_key_group MOTOR = FF_GROUP("motor", "The electric motor of a drive of kind dc, lag or pmsm.",
    FF_NUMBER("resistance", "ohm", FF_POSITIVE, NULL,
        "resistance of the winding, of one phase for pmsm; dc needs it or power"),
    FF_NUMBER("inductance", "H", FF_NOT_NEGATIVE, "0",
        "inductance of the winding, of one phase for pmsm, which needs it"),
    FF_NUMBER("constant", "N m/A", FF_POSITIVE, NULL, "torque per current; dc, lag and pmsm need it or power"),
    FF_NUMBER("voltage", "V", FF_POSITIVE, NULL, "supply voltage, which bounds that of the motor; none: no bound"),
    FF_NUMBER("current", "A", FF_POSITIVE, NULL, "peak current; none: no bound"),
    FF_NUMBER("viscous", "N m s/rad", FF_NOT_NEGATIVE, "0", "viscous friction of the rotor"),
    FF_NUMBER("dry", "N m", FF_NOT_NEGATIVE, "0", "dry friction of the rotor"),
    FF_NUMBER("dry_speed", "rad/s", FF_POSITIVE, NULL,
        "motor speed below which dry friction and gear losses fade; 1 rad/s, or no_load / 100 of a motor by its power"),
    FF_NUMBER("power", "W", FF_POSITIVE, NULL,
        "largest mechanical power; gives resistance and constant, with no_load and voltage"),
    FF_NUMBER("no_load", "rad/s", FF_ABOVE_UP_TO(0.0, 1e9), NULL,
        "motor speed without load at the supply voltage; goes with power"),
    FF_NUMBER("lag", "Hz", BANDWIDTH, "1500", "kind lag: bandwidth of the current"),
    FF_WHOLE("pairs", FF_BETWEEN(1.0, 1000.0), "1", "pmsm: number of pole pairs"),
    FF_NUMBER("bandwidth", "Hz", BANDWIDTH, "1500", "pmsm: bandwidth that the current loops are designed for"),
    FF_NUMBER("pulses", "Hz", FF_BETWEEN(1.0, 1e6), "28000", "pmsm: rate of the pulses and of the current loops"),
    FF_COUNT("encoder", "per turn", COUNTS, "2048",
        "pmsm: counts of the encoder for the field-oriented control; 0: a perfect angle"),
    FF_NUMBER("align_current", "A", FF_BETWEEN(0.0, 1e6), "5", "pmsm: current of the alignment at the start"),
    FF_NUMBER("align_time", "s", FF_BETWEEN(0.0, 1e6), "1", "pmsm: duration of the alignment"));

// ------------------------------------------------------------------------------------------ servo

static const ff_key_group SERVO = FF_GROUP("servo", "The regulator of a hobby servo, a drive of kind servo.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_POSITIVE, "20", "proportional gain of the regulator"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0.25", "derivative gain of the regulator"),
    FF_NUMBER("frame", "s", FF_POSITIVE, "20 ms",
        "time between two pulses, for which a reference is held; 1 us or more"),
    FF_NUMBER("range", "rad|m", FF_POSITIVE, "180 deg", "travel of the horn, centred on zero"),
    FF_WHOLE("bits", FF_BETWEEN(0.0, 30.0), "10", "resolution of the reference over the range; 0: no steps"));

// ------------------------------------------------------------------------------------------ transmission

static const ff_key_group TRANSMISSION = FF_GROUP(
    "transmission", "The transmission between the gear and the joint: rigid, elastic, with backlash, or cables.",
    FF_WORD("kind", ff_drive_transmission_names, "rigid", "kind of transmission between the gear and the joint"),
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_POSITIVE, NULL,
        "stiffness between transmission and joint; needed except by rigid; cables can have 'spring' instead"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "damping parallel to that stiffness"),
    FF_NUMBER("motor_inertia", "kg m^2|kg", FF_POSITIVE, NULL,
        "inertia of the rotor reflected to the joint, J_m; otherwise rotor * gear^2"),
    FF_NUMBER("motor_damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0",
        "damping of the rotor reflected to the joint, B_m"),
    FF_NUMBER("inertia", "kg m^2|kg", FF_POSITIVE, NULL,
        "inertia between the backlash and the spring, J_T; backlash and teeth need it"),
    FF_NUMBER("inertia_damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "damping of that inertia, B_T"),
    FF_NUMBER("gap", "rad|m", FF_NOT_NEGATIVE, "0", "total backlash at the joint; kind backlash needs 1e-7 or more"),
    FF_NUMBER("restitution", "", FF_BETWEEN(0.0, 1.0), "0.8", "restitution of the impacts between the teeth"),
    FF_NUMBER("floor", "rad/s|m/s", FF_POSITIVE, "1e-4",
        "speed below which the teeth lock instead of bouncing; kind backlash needs 1e-5 or more"),
    FF_NUMBER("teeth", "N m/rad|N/m", FF_POSITIVE, NULL, "stiffness of the teeth; kind teeth needs it"),
    FF_NUMBER("radius", "m", FF_POSITIVE, NULL, "radius of the pulleys; kind cables needs it"),
    FF_NUMBER("pretension", "m", FF_NOT_NEGATIVE, "0", "cables: stretch of each spring at rest"),
    FF_NUMBER("spring", "N/m", FF_POSITIVE, NULL,
        "cables: stiffness of each spring; otherwise from stiffness and radius"),
    FF_NUMBER("spring_damping", "N s/m", FF_NOT_NEGATIVE, NULL,
        "cables: damping of each spring; 0, or from damping and radius where spring is not given"),
    FF_NUMBERS("spring_table", 4, MOST_VALUES, FF_ANY_UNIT, FF_ANY, NULL,
        "cables: list of stretch [m], rising, and force [N] of a spring in turn; in place of 'spring'"),
    FF_SWITCH("one_way", "false", "cables: one cable instead of two"));

// ------------------------------------------------------------------------------------------ cable

static const ff_key_group CABLE = FF_GROUP("cable", "The elastic cable of a drive without a motor, of kind none.",
    FF_NUMBER("stiffness", "N/m", FF_POSITIVE, NULL, "stiffness of the cable; kind none needs it or 'table'"),
    FF_NUMBER("damping", "N s/m", FF_NOT_NEGATIVE, "0", "damping of the cable while it is taut"),
    FF_NUMBERS("table", 4, MOST_VALUES, FF_ANY_UNIT, FF_ANY, NULL,
        "list of stretch [m], rising, and force [N] in turn; in place of 'stiffness'"));

// ------------------------------------------------------------------------------------------ path

static const ff_key_group PATH = FF_GROUP("path", "How the positions of the joints become the coordinate of the drive.",
    FF_WORD("kind", ff_drive_path_names, "joint",
        "how the positions of the joints become the coordinate of the drive; two joints: levers, rod or differential "
        "(two motors with levers that replace the joints' own drives where drives are full)"),
    FF_NUMBER_OR_LIST("levers", 1, 2, FF_ANY_UNIT, FF_ANY, NULL,
        "levers: one for each joint, lengths [m] or ratios, not all zero; kinds levers and differential need them"),
    FF_NUMBER("offset", FF_ANY_UNIT, FF_ANY, "0",
        "levers: coordinate of the drive at joint positions 0 [m; rad for ratios]"),
    FF_NUMBERS("table", 4, MOST_VALUES, FF_ANY_UNIT, FF_ANY, NULL,
        "list of joint angle [rad], rising, and lever arm [m] in turn; kind table needs it"),
    FF_NUMBER("a", "m", FF_POSITIVE, NULL, "crank: distance from the joint to one end of the rod"),
    FF_NUMBER("b", "m", FF_POSITIVE, NULL, "crank: distance from the joint to the other end of the rod"),
    FF_NUMBER("angle", "rad", FF_ANY, "0", "crank: angle between the arms a and b at joint position 0"),
    FF_NUMBERS("base", 3, 3, "m", FF_ANY, "[0, 0, 0]", "rod: its end on the parent body, relative to the joints"),
    FF_NUMBERS("platform", 3, 3, "m", FF_ANY, "[0, 0, 0]", "rod: its end on the moved body, relative to the joints"),
    FF_NUMBERS("axes", 6, 6, "", FF_ANY, "[0, 1, 0, 1, 0, 0]",
        "rod: directions of the first and the second joint axis"));

// ------------------------------------------------------------------------------------------ spindle

static const ff_key_group SPINDLE = FF_GROUP(
    "spindle", "A linear drive: lead and belt, largest force, limit switches.",
    FF_NUMBER("lead", "m", FF_POSITIVE, NULL, "travel per turn of the spindle; gear is then 2 pi belt / lead"),
    FF_NUMBER("belt", "", FF_BETWEEN(1e-9, 1e9), "1", "motor turns per turn of the spindle; needs lead"),
    FF_NUMBERS("bound", 4, MOST_VALUES, FF_ANY_UNIT, FF_ANY, NULL,
        "list of speed [m/s], rising, and largest force [N] in turn; none: no bound"),
    FF_NUMBERS("stroke", 2, 2, "rad|m", FF_ANY, NULL, "limit switches, low and high; none: no switches"));

// ------------------------------------------------------------------------------------------ loop

static const ff_key_group LOOP = FF_GROUP("control loop", "The control loop of a drive: its kind, rates and gains.",
    FF_WORD("kind", ff_drive_loop_names, NULL, "control loop; pd where kp or kd is above 0, else direct"),
    FF_NUMBER("rate", "Hz", RATE, NULL, "sampling rate of the outer loop; 1000 for direct and pd, else 10000"),
    FF_COUNT("encoder", "per turn", COUNTS, "0", "counts of the motor's encoder; 0: no steps"),
    FF_WORD("feedback", ff_drive_feedback_names, "motor", "position that the loop measures"),
    FF_NUMBER("kp", "N m/rad|N/m", FF_NOT_NEGATIVE, "0", "pd, compliant: gain of the position"),
    FF_NUMBER("kd", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "pd, compliant: gain of the speed"),
    FF_NUMBER("kx", "1/s", FF_NOT_NEGATIVE, "60", "cascade: gain of the position loop; 0: 60"),
    FF_NUMBER("kv", "A s/rad|A s/m", FF_NOT_NEGATIVE, NULL,
        "cascade: gain of the speed loop; 0 or none: from speed_bandwidth"),
    FF_NUMBER("kiv", "A/rad|A/m", FF_NOT_NEGATIVE, NULL,
        "cascade: integral gain of the speed loop; none: from speed_bandwidth"),
    FF_NUMBER("kpi", "V/A", FF_NOT_NEGATIVE, NULL,
        "cascade: gain of the current loop; 0 or none: from current_bandwidth"),
    FF_NUMBER("kii", "V/(A s)", FF_NOT_NEGATIVE, NULL,
        "cascade: integral gain of the current loop; 0 or none: from current_bandwidth"),
    FF_NUMBER("speed_bandwidth", "Hz", BANDWIDTH, "100", "cascade: bandwidth that the speed loop is designed for"),
    FF_NUMBER("current_bandwidth", "Hz", BANDWIDTH, "1000", "cascade: bandwidth that the current loop is designed for"),
    FF_NUMBER("inertia", "kg m^2|kg", FF_NOT_NEGATIVE, NULL,
        "cascade: inertia after the gear that the loops are designed for; otherwise that of the rotor"),
    FF_NUMBER("speed_rate", "Hz", RATE, NULL, "cascade: sampling rate of the speed loop; otherwise rate"),
    FF_NUMBER("current_rate", "Hz", RATE, NULL,
        "cascade: sampling rate of the current loop; 20000 for dc with its electrical pole, otherwise none"),
    FF_NUMBER("most_speed", "rad/s|m/s", FF_POSITIVE, NULL, "cascade: bound of the speed reference; none: no bound"),
    FF_NUMBER("current_slope", "A/s", FF_POSITIVE, NULL,
        "cascade: bound of the rate of the current reference; none: no bound"),
    FF_NUMBER("p", "A/(N m)|A/N", FF_NOT_NEGATIVE, NULL,
        "force, compliant: proportional gain of the force loop; 0 or none: from bandwidth and zeta"),
    FF_NUMBER("d", "A s/(N m)|A s/N", FF_NOT_NEGATIVE, NULL,
        "force, compliant: derivative gain of the force loop; 0 or none: from bandwidth and zeta"),
    FF_NUMBER("bandwidth", "Hz", BANDWIDTH, "50", "force, compliant: bandwidth that the force loop is designed for"),
    FF_NUMBER("zeta", "", FF_BETWEEN(0.05, 10.0), "0.6",
        "force, compliant: damping ratio that the force loop is designed for"),
    FF_NUMBER("force_limit", "N m|N", FF_POSITIVE, NULL,
        "compliant: bound of the force of the position loop; none: no bound"));

// ------------------------------------------------------------------------------------------ shaper, thermal

static const ff_key_group SHAPER = FF_GROUP(
    "shaper", "Bounds of speed and acceleration for jumps of the position reference.",
    FF_NUMBER("speed", "rad/s|m/s", FF_POSITIVE, NULL, "largest speed of the shaped reference; none: no bound"),
    FF_NUMBER("acceleration", "rad/s^2|m/s^2", FF_POSITIVE, NULL,
        "largest acceleration of the shaped reference; none: no shaper"));

static const ff_key_group THERMAL = FF_GROUP(
    "thermal", "The temperature of the winding, which lowers the peak current near its limit.",
    FF_NUMBER("continuous", "A", FF_POSITIVE, NULL, "current that the motor can carry permanently; needed with 'time'"),
    FF_NUMBER("time", "s", FF_POSITIVE, NULL,
        "time constant; gives resistance and capacity, with continuous and limit"),
    FF_NUMBER("limit", "C", FF_ANY, NULL, "highest temperature, above ambient; none: no limit"),
    FF_NUMBER("ambient", "C", FF_ANY, "25", "temperature of the surroundings and at the start"),
    FF_NUMBER("resistance", "K/W", FF_POSITIVE, NULL, "thermal resistance to the surroundings; needed without time"),
    FF_NUMBER("capacity", "J/K", FF_POSITIVE, NULL, "heat capacity; needed without time"));

// ------------------------------------------------------------------------------------------ battery

const ff_key_group ff_keys_battery = FF_GROUP("battery", "The battery that feeds the drives of a robot.",
    FF_NUMBER("voltage", "V", FF_POSITIVE, NULL,
        "nominal voltage, for which the supply voltages of the drives hold; needed for a new battery"),
    FF_NUMBER("capacity", "A h", FF_POSITIVE, NULL, "charge of a full battery; needed for a new battery"),
    FF_NUMBER("resistance", "ohm", FF_NOT_NEGATIVE, "0", "internal resistance"),
    FF_NUMBER("charge", "", SHARE, "1", "initial charge, as a share of the capacity"),
    FF_NUMBER("load", "W", FF_NOT_NEGATIVE, "0", "power of other consumers, such as computers and sensors"),
    FF_NUMBER("least", "V", FF_NOT_NEGATIVE, "0", "voltage at which it switches off permanently; 0: never"),
    FF_NUMBERS("curve", 4, 200, FF_ANY_UNIT, FF_NOT_NEGATIVE, NULL,
        "list of charge and voltage without load in turn; none: the nominal voltage"));

// ------------------------------------------------------------------------------------------ drives

static const ff_key_group SETTINGS = FF_GROUP("drive", "What lies between a reference and the force at a joint.",
    FF_WORD("kind", ff_drive_motor_names, "ideal", "kind of motor; none: a cable without a motor"),
    FF_NUMBER("gear", "", FF_NONZERO, "1", "motor turns per turn of the joint; a spindle has 'lead' instead"),
    FF_NUMBER("rotor", "kg m^2", FF_NOT_NEGATIVE, "0", "inertia of the rotor on the motor's side of the gear"),
    FF_NUMBER("efficiency", "", SHARE, "1", "efficiency of the gear"),
    FF_NUMBER("torque", "N m|N", FF_NOT_NEGATIVE, "0",
        "largest torque or force at the joint; 0: no bound, 1 N m for a servo"),
    FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, "0",
        "speed at which no torque is left; 0: none, 7.5 rad/s for a servo"),
    FF_MAP("motor", &MOTOR, "electric motor, of kinds dc, lag and pmsm"),
    FF_MAP("servo", &SERVO, "regulator of a hobby servo, of kind servo"),
    FF_MAP("transmission", &TRANSMISSION, "elasticity and backlash between the gear and the joint; none: rigid"),
    FF_MAP("cable", &CABLE, "elastic cable, of kind none"),
    FF_MAP("path", &PATH, "kinematics from the joints to the coordinate of the drive; none: the joint itself"),
    FF_MAP("spindle", &SPINDLE, "linear drive: lead, largest force, limit switches"),
    FF_MAP("loop", &LOOP, "control loop"),
    FF_MAP("shaper", &SHAPER, "bounds of speed and acceleration of references"),
    FF_MAP("thermal", &THERMAL, "temperature of the winding"),
    FF_WHOLES("station", 1, 15, FF_ANY, NULL,
        "EtherCAT station: its address (1 to 65535), address and port (1 to 3, otherwise 1) of the station before it, "
        "and so on to the master. Equal addresses share a slave; none: in the order of the file"));

/// Behind a spindle or crank a hinge has metres, too.
static ff_unit_choice unit_of_drive(const struct ff_yaml *drive)
{
    (void)drive;
    return FF_UNIT_EITHER;
}

const ff_key_group ff_keys_drive = {
    .name = "drive",
    .help = "The drive of a joint.",
    .also = &SETTINGS,
    .choose_unit = unit_of_drive,
    .keys = FF_KEYS(
        FF_TEXT("name", NULL, "name of the drive; otherwise that of its joint"))};

static const ff_key_group SHARED = FF_GROUP_ALSO(
    "drive", "A drive of one or two joints, or a change of an existing drive.", &SETTINGS,
    FF_TEXT("joint", NULL, "joint that the drive acts on; a new drive needs it or joints"),
    FF_EITHER("joints", FF_TAKES_TEXTS, "", FF_ANY, 1, 2, NULL,
        "one or two joints that the drive acts on; a new drive needs them or joint", NULL, NULL));

const ff_key_group ff_keys_drives = FF_GROUP(
    "drives", "Drives of two joints, several drives of a joint, cables, and changes of drives by name or pattern.",
    FF_MAP("*", &SHARED, "a drive by its name; a pattern changes those that are there"));
// clang-format on
