// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of native robot files; those of drives, sensors and materials are in files of their own.
#include "native/keys.h"
#include "text/yaml.h"

#include <string.h>

// Groups that contain each other.
static const ff_key_group ATTACHMENTS;

// ------------------------------------------------------------------------------------------ places

// clang-format off
const ff_key_group ff_keys_pose = FF_GROUP("place", "Position and orientation.",
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "position in the frame it stands in"),
    FF_NUMBERS("rpy", 3, 3, "rad", FF_ANY, "[0, 0, 0]", "roll, pitch and yaw about fixed x, y, z, in this order"),
    FF_NUMBERS("quat", 4, 4, "", FF_ANY, "[1, 0, 0, 0]", "unit quaternion w, x, y, z, in place of rpy"));

// ------------------------------------------------------------------------------------------ inertia

static const ff_key_group INERTIA_CYLINDER = FF_GROUP("inertial cylinder", "A solid cylinder along z.",
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "of the cylinder"),
    FF_NUMBER("length", "m", FF_NOT_NEGATIVE, "0", "along z"));

static const ff_key_group ROD = FF_GROUP("rod", "A thin rod between two points.",
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, FF_NEEDED, "the other end"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "counts for the inertia about the long axis alone"));

static const ff_key_group INERTIAL;
static const ff_key_group INERTIAL = FF_GROUP_ALSO(
    "inertial", "Mass and inertia of a body, as numbers or as a uniform solid.", &ff_keys_pose,
    FF_MAP("-", &INERTIAL, "several solids add up"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, FF_NEEDED, "of the solid"),
    FF_NUMBERS("com", 3, 3, "m", FF_ANY, "[0, 0, 0]", "centre of mass in the frame of the body"),
    FF_NUMBERS("box", 3, 3, "m", FF_NOT_NEGATIVE, NULL, "solid box: its full lengths"),
    FF_NUMBER("sphere", "m", FF_NOT_NEGATIVE, NULL, "solid ball: its radius"),
    FF_MAP("cylinder", &INERTIA_CYLINDER, "solid cylinder"),
    FF_MAP("rod", &ROD, "thin rod"),
    FF_NUMBERS("inertia", 3, 6, "kg m^2", FF_ANY, NULL,
        "xx, yy, zz, or xx, yy, zz, xy, xz, yz, about the centre of mass"));

// ------------------------------------------------------------------------------------------ joints

static const char *const JOINT_TYPES[] = {"hinge", "slide", "ball", "free", "planar", "fixed", NULL};
static const char *const AXES[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
static const char *const NONE[] = {"none", NULL};

static const ff_key_group STOP = FF_GROUP("stop", "What a joint meets at the ends of its range.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_POSITIVE, "1000", "of the stop"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "10", "of the stop; 0: it gives back all its energy"));

static const ff_key_group SPRING = FF_GROUP("spring", "A spring that pulls a joint to a position.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, "0", "of the spring"),
    FF_NUMBER("rest", "rad|m", FF_ANY, "0", "position without force"));

static const ff_key_group DRY_FRICTION = FF_GROUP("dry_friction", "Coulomb friction of a joint.",
    FF_NUMBER("level", "N m|N", FF_NOT_NEGATIVE, "0", "largest friction"),
    FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, "0.01", "at which 71 % of it is reached"));

static const ff_key_group MIMIC = FF_GROUP("mimic", "A joint that follows another one.",
    FF_TEXT("joint", FF_NEEDED, "joint that is followed"),
    FF_NUMBER("gain", "", FF_ANY, "1", "position = gain * position of the other + offset"),
    FF_NUMBER("offset", "rad|m", FF_ANY, "0", "see gain"));

static ff_unit_choice unit_of_joint(const ff_yaml *joint)
{
    const ff_yaml *entry = joint->child;
    while (entry && (!entry->key || strcmp(entry->key, "type") != 0)) entry = entry->next;
    if (!entry) return FF_UNIT_EITHER;
    return strcmp(entry->text, "slide") == 0 ? FF_UNIT_SECOND : FF_UNIT_FIRST;
}

static const ff_key_group JOINT = {
    .name = "joint",
    .help = "A joint between a body and its parent.",
    .choose_unit = unit_of_joint,
    .keys = FF_KEYS(
        FF_TEXT("name", NULL, "without it, that of the body"),
        FF_WORD("type", JOINT_TYPES, "hinge", "how it moves; fixed has no freedom at all"),
        FF_WORD_OR_LIST("axis", AXES, 3, FF_ANY_UNIT, FF_ANY, "z", "direction in the frame of the body"),
        FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "a point of the axis, in the frame of the body"),
        FF_NUMBER("ref", "rad|m", FF_ANY, "0", "coordinate in the position that the file draws"),
        FF_WORD_OR_LIST("range", NONE, 2, "rad|m", FF_ANY, "none", "smallest and largest position"),
        FF_MAP("stop", &STOP, "what the joint meets at the ends of its range"),
        FF_MAP("spring", &SPRING, "a spring in parallel"),
        FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "viscous"),
        FF_NUMBER_OR_MAP("dry_friction", &DRY_FRICTION, "N m|N", FF_NOT_NEGATIVE, "0",
            "largest Coulomb friction, or a map"),
        FF_NUMBER("armature", "kg m^2|kg", FF_NOT_NEGATIVE, "0", "inertia of the rotor, seen at the joint"),
        FF_NUMBER("effort", "N m|N", FF_NOT_NEGATIVE, NULL,
            "largest torque or force of its drive; without it unbounded"),
        FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, NULL, "largest speed of its drive; without it unbounded"),
        FF_MAP("drive", &ff_keys_drive, "the drive of this joint"),
        FF_MAP("mimic", &MIMIC, "it follows another joint"))};

static const ff_key_group JOINTS = FF_GROUP("joints", "Joints by name.",
    FF_WORD_OR_MAP("*", JOINT_TYPES, &JOINT, "a joint; at the top, changes of those that a name or pattern finds"));

// ------------------------------------------------------------------------------------------ actuators

static const char *const ACTUATOR_TYPES[] = {"motor", "position", "velocity", "general", NULL};

static const char *const ACTIVATION_TYPES[] = {"none", "integrator", "filter", "muscle", NULL};
static const ff_key_group ACTIVATION = FF_GROUP("activation", "A state between command and force.",
    FF_WORD("type", ACTIVATION_TYPES, "filter", "rate: the command, or the way to the command in a time"),
    FF_NUMBER_OR_LIST("time", 2, 2, "s", FF_POSITIVE, NULL,
        "filter: time constant; muscle: to activate and to deactivate"),
    FF_NUMBER("smooth", "", FF_NOT_NEGATIVE, "0",
        "muscle: way to the command over which the one time becomes the other"),
    FF_NUMBERS("range", 2, 2, "", FF_ANY, NULL, "that it stays in; without it any"));

static const ff_key_group MUSCLE = FF_GROUP(
    "muscle", "Force over length and speed of a muscle, in units of the length at which it is strongest.",
    FF_NUMBER("force", "N|N m", FF_POSITIVE, FF_NEEDED, "peak of the active force"),
    FF_NUMBERS("operating", 2, 2, "", FF_POSITIVE, "[0.75, 1.05]", "length at the ends of `lengths`"),
    FF_NUMBERS("lengths", 2, 2, "m|rad", FF_ANY, NULL,
        "shortest and longest of joint or tendon, times the gear; without it, by the ranges of the joints"),
    FF_NUMBER("shortest", "", FF_FROM_BELOW(0, 1), "0.5", "length at which the active force ends"),
    FF_NUMBER("longest", "", FF_ABOVE(1), "1.6", "the same, beyond 1"),
    FF_NUMBER("speed", "1/s", FF_POSITIVE, "1.5", "of shortening at which there is no active force"),
    FF_NUMBER("passive", "", FF_NOT_NEGATIVE, "1.3", "force of stretched tissue at the longest, as a part of the peak"),
    FF_NUMBER("lengthening", "", FF_AT_LEAST(1), "1.2", "active force while drawn out fast, as a part of the peak"));

static const ff_key_group ACTUATOR = FF_GROUP("actuator", "An actuator as MJCF has them; drives are more real.",
    FF_TEXT("joint", NULL,
        "joint that it moves; this, a tendon or a body is needed unless it changes one that is there"),
    FF_TEXT("tendon", NULL, "or the tendon that it pulls: position and speed are those of its length"),
    FF_TEXT("body", NULL, "or the body that it pulls to what it touches"),
    FF_WORD("type", ACTUATOR_TYPES, "motor", "what its command means"),
    FF_NUMBER("gear", FF_ANY_UNIT, FF_ANY, "1",
        "torque at the joint, or force along the tendon, for one of the actuator"),
    FF_NUMBER("gain", FF_ANY_UNIT, FF_ANY, "1", "motor, general: force = gain * command + bias"),
    FF_NUMBERS("bias", 3, 3, FF_ANY_UNIT, FF_ANY, "[0, 0, 0]", "general: constant, times position, times speed"),
    FF_NUMBER("kp", "N m/rad|N/m", FF_ANY, "1", "position: gain of the position error"),
    FF_NUMBER("kd", "N m s/rad|N s/m", FF_ANY, NULL, "gain of the speed error; position: 0, velocity: 1"),
    FF_WORD_OR_LIST("command", NONE, 2, FF_ANY_UNIT, FF_ANY, "none", "bounds of the command"),
    FF_WORD_OR_LIST("force", NONE, 2, "N m|N", FF_ANY, "none", "bounds of the force"),
    FF_MAP("activation", &ACTIVATION, "a state between command and force"),
    FF_MAP("muscle", &MUSCLE, "general: curves of a muscle in place of gain and bias, with its activation"));

static const ff_key_group ACTUATORS = FF_GROUP("actuators", "Actuators by name.",
    FF_MAP("*", &ACTUATOR, "an actuator, or changes of those that a name or pattern finds"));

// ------------------------------------------------------------------------------------------ shapes and frames

static const char *const SHAPE_ROLES[] = {"both", "visual", "collision", NULL};

static const ff_key_group ROUND = FF_GROUP("capsule or cylinder", "A round shape, along z or between two points.",
    FF_NUMBER("radius", "m", FF_POSITIVE, FF_NEEDED, "of the cylinder and of the round ends"),
    FF_NUMBER("length", "m", FF_POSITIVE, NULL, "along z, without the round ends; or from and to"),
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end of the axis"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, NULL, "the other end, in place of length"));

static const ff_key_group MESH = FF_GROUP("mesh", "A shape from a file.",
    FF_TEXT("file", FF_NEEDED, "STL or OBJ, beside this file"),
    FF_NUMBER_OR_LIST("scale", 3, 3, "", FF_ANY, "1", "factor, or one for each axis"));

const ff_key_group ff_keys_shape = FF_GROUP_ALSO(
    "shape", "What a body looks like and touches with: exactly one solid.", &ff_keys_pose,
    FF_TEXT("name", NULL, "by which others find it; may be left out"),
    FF_NUMBER("sphere", "m", FF_POSITIVE, NULL, "ball: its radius"),
    FF_MAP("capsule", &ROUND, "cylinder with round ends"),
    FF_NUMBERS("box", 3, 3, "m", FF_POSITIVE, NULL, "box: its full lengths"),
    FF_MAP("cylinder", &ROUND, "cylinder"),
    FF_NUMBERS("ellipsoid", 3, 3, "m", FF_POSITIVE, NULL, "ellipsoid: its full lengths"),
    FF_NUMBERS("plane", 2, 2, "m", FF_NOT_NEGATIVE, NULL, "plane z = 0: its drawn lengths, 0: endless"),
    FF_TEXT_OR_MAP("mesh", &MESH, NULL, "surface from a file"),
    FF_WORD("role", SHAPE_ROLES, "both", "seen, touched, or both"),
    FF_NUMBERS("color", 3, 4, "", FF_BETWEEN(0.0, 1.0), "[0.5, 0.5, 0.5]", "red, green, blue and opacity"),
    FF_WHOLE("group", FF_ANY, "0", "number of a group that viewers can hide"),
    FF_NUMBER_OR_LIST("friction", 1, 3, "", FF_NOT_NEGATIVE, NULL,
        "coefficients as MJCF has them: sliding, torsion, rolling; without it, those of the material"),
    FF_TEXT("material", NULL, "of contact, defined in the file or of the library; without it, the standard material"),
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0", "for the inertia of a body with `inertial: shapes`"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL, "in place of the density"));

static const ff_key_group SHAPES = FF_GROUP("shapes", "A list of new shapes, or a map that changes some.",
    FF_MAP("-", &ff_keys_shape, "a new shape"),
    FF_MAP("*", &ff_keys_shape, "changes of those that a name or pattern finds"));

static const ff_key_group FRAME = {.name = "frame", .help = "A named place on a body.", .also = &ff_keys_pose};
static const ff_key_group FRAMES = FF_GROUP("frames", "Named places by name.",
    FF_MAP("*", &FRAME, "a frame, or changes of those that a name finds"));

// ------------------------------------------------------------------------------------------ bodies

static const char *const DH_CONVENTIONS[] = {"standard", "modified", NULL};
static const ff_key_group DH = FF_GROUP("dh", "A row of Denavit and Hartenberg: places a body and its joint.",
    FF_NUMBER("a", "m", FF_ANY, "0", "length of the link: along x, between the axes"),
    FF_NUMBER("alpha", "rad", FF_ANY, "0", "twist of the link: about x, between the axes"),
    FF_NUMBER("d", "m", FF_ANY, "0", "along the axis of the joint; the coordinate of a slide adds to it"),
    FF_NUMBER("theta", "rad", FF_ANY, "0", "about the axis of the joint; the coordinate of a hinge adds to it"),
    FF_WORD("convention", DH_CONVENTIONS, "standard",
        "standard: Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint about z of the parent; modified: Rx(alpha) Tx(a) "
        "Rz(theta) Tz(d), about z of the body"));

static const char *const SHAPES_WORD[] = {"shapes", NULL};
static const ff_key_group BODIES;

static const ff_key_group BODY = FF_GROUP_ALSO(
    "body", "A rigid body, placed in the frame of its parent.", &ff_keys_pose,
    FF_TEXT("parent", NULL, "body above it, or world; without it, the body that it is written under"),
    FF_EITHER("inertial", FF_TAKES_WORD | FF_TAKES_MAP | FF_TAKES_LIST, "", FF_ANY, 0, 0, NULL,
        "mass and inertia; `shapes`: from the shapes by their density", SHAPES_WORD, &INERTIAL),
    FF_WORD_OR_MAP("joint", JOINT_TYPES, &JOINT,
        "the joint to the parent, named after the body; without one the body is fixed"),
    FF_MAP("joints", &JOINTS, "several joints in a row"),
    FF_MAP("dh", &DH, "in place of pos, rpy and the axis of its joint: a row of Denavit and Hartenberg"),
    FF_LIST_OR_MAP("shapes", &SHAPES, "what is seen and touched"),
    FF_MAP("frames", &FRAMES, "named places"),
    FF_LIST("attach", &ATTACHMENTS, "parts and other robots that hang on it"),
    FF_MAP("bodies", &BODIES, "bodies below it"));

static const ff_key_group BODIES = FF_GROUP("bodies", "Bodies by name.",
    FF_MAP("*", &BODY, "a body, or changes of an imported one"));

static const char *const MIRRORS[] = {"x", "y", "z", NULL};

static const ff_key_group ATTACHMENT = FF_GROUP_ALSO(
    "attachment", "A part or another robot, hung on a body.", &ff_keys_pose,
    FF_TEXT("part", NULL, "one of `parts` of this file"),
    FF_TEXT("file", NULL, "or another robot file"),
    FF_TEXT("prefix", "\"\"", "put before every name in it"),
    FF_WORD("mirror", MIRRORS, NULL, "its mirror image across the plane where this coordinate is 0"));
static const ff_key_group ATTACHMENTS = FF_GROUP("attach", "Parts and other robots that hang on a body.",
    FF_MAP("-", &ATTACHMENT, "one of them"));

// ------------------------------------------------------------------------------------------ loops

static const ff_key_group POINTS = FF_GROUP("points", "Points on two bodies.",
    FF_NUMBERS("-", 3, 3, "m", FF_ANY, NULL, "a point in the frame of the first body, then of the second"));

static const ff_key_group LOOP = FF_GROUP("loop", "A closed loop or a coupling of joints.",
    FF_TEXTS("connect", NULL, "two bodies that share a point"),
    FF_TEXTS("weld", NULL, "two bodies that keep their relative pose"),
    FF_TEXTS("couple", NULL, "a joint and the joint that it follows; alone: it is held"),
    FF_TEXTS("rod", NULL, "two bodies held at a distance"),
    FF_LIST("at", &POINTS, "connect, rod: the points on the bodies; connect with one: where the start puts it"),
    FF_MAP("pose", &ff_keys_pose, "weld: the second body in the first; without it, as the start has it"),
    FF_NUMBER("length", "m", FF_POSITIVE, NULL, "rod: the distance; without it, as the start has it"),
    FF_NUMBER("gain", "", FF_ANY, "1", "couple: position = gain * position of the other + offset"),
    FF_NUMBER("offset", "rad|m", FF_ANY, "0", "couple: see gain"),
    FF_NUMBERS("polynomial", 1, 5, FF_ANY_UNIT, FF_ANY, NULL, "couple: coefficients in place of gain and offset"),
    FF_SWITCH("active", "true", "holds from the start"));
static const ff_key_group LOOPS = FF_GROUP("loops", "Loops and couplings by name.",
    FF_MAP("*", &LOOP, "a loop"));

// ------------------------------------------------------------------------------------------ legs and hands

static const ff_key_group FOOT = FF_GROUP("foot", "A foot of several bodies.",
    FF_TEXT("frame", FF_NEEDED, "where the foot is led"),
    FF_TEXTS("bodies", FF_NEEDED, "bodies that touch the ground"));

static const ff_key_group LEG = FF_GROUP("leg", "A leg, for gaits.",
    FF_TEXTS("joints", FF_NEEDED, "from hip to foot"),
    FF_TEXT_OR_MAP("foot", &FOOT, FF_NEEDED, "frame or body of the foot"),
    FF_TEXT("force", NULL, "sensor of the force on the foot"),
    FF_TEXT("touch", NULL, "sensor of its contact with the ground"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, NULL, "of the foot; without it, that of its sphere"));
static const ff_key_group LEGS = FF_GROUP("legs", "Legs by name, or a list that puts those there are in order.",
    FF_TEXT("-", NULL, "a leg that is there: the list gives the order"),
    FF_MAP("*", &LEG, "a leg"));

static const ff_key_group HAND = FF_GROUP("hand", "A hand, whose contact is reported as that of a foot.",
    FF_TEXT("frame", NULL, "where the hand is led"),
    FF_TEXTS("bodies", FF_NEEDED, "bodies that touch things"));
static const ff_key_group HANDS = FF_GROUP("hands", "Hands by name.",
    FF_MAP("*", &HAND, "a hand"));

// ------------------------------------------------------------------------------------------ contact and poses

static const ff_key_group PAIRS = FF_GROUP("pairs", "Pairs of bodies.",
    FF_TEXTS("-", NULL, "[body, body]"));
static const ff_key_group CONTACT = FF_GROUP("contact", "Which bodies of the robot can touch each other.",
    FF_LIST("exclude", &PAIRS, "pairs of bodies that never touch"));

static const ff_key_group POSITIONS = FF_GROUP("pose", "Positions of joints.",
    FF_EITHER("*", FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_MAP, "rad|m", FF_ANY, 3, 3, NULL,
        "position of the joints that a name or pattern finds; planar: x, y, angle; free and ball: a pose", NULL,
        &ff_keys_pose));
static const ff_key_group POSES = FF_GROUP("poses", "Named poses.",
    FF_MAP("*", &POSITIONS, "a pose"));

// ------------------------------------------------------------------------------------------ the file

const ff_key_group ff_keys_constants = {
    .name = "constants",
    .help = "Numbers that expressions in this file may name.",
    .checked_in_use = true,
    .keys = FF_KEYS(
        FF_NUMBER("*", FF_ANY_UNIT, FF_ANY, NULL, "a number that expressions may name"))};

static const ff_key_group IMPORT = FF_GROUP_ALSO("import", "Another robot file that this one changes.", &ff_keys_pose,
    FF_TEXT("file", FF_NEEDED, "URDF, MJCF or native, beside this file"),
    FF_TEXT("prefix", "\"\"", "put before every name in it"),
    FF_SWITCH("floating", NULL, "its base moves freely; without it, as the caller says"));

#define CONTENTS                                                                                                       \
    FF_MAP("bodies", &BODIES, "the bodies"),                                                                           \
        FF_LIST_OR_MAP("shapes", &SHAPES, "shapes of the world, or changes of shapes of all bodies"),                  \
        FF_MAP("frames", &FRAMES, "places fixed to the world, or changes of frames of all bodies"),                    \
        FF_MAP("loops", &LOOPS, "closed loops and couplings"),                                                         \
        FF_MAP("tendons", &ff_keys_tendons,                                                                            \
            "spatial tendons (strings) and fixed ones (sums of joints), with forces along them"),                      \
        FF_MAP("joints", &JOINTS, "changes of joints by name or pattern"),                                             \
        FF_MAP("drives", &ff_keys_drives, "drives, and changes of them"),                                              \
        FF_MAP("actuators", &ACTUATORS, "actuators, and changes of them"),                                             \
        FF_MAP("sensors", &ff_keys_sensors, "sensors, and changes of them"),                                           \
        FF_MAP("contact", &CONTACT, "which bodies can touch each other"),                                              \
        FF_MAP("leg", &LEG, "this part is a leg, named after its prefix"),                                             \
        FF_LIST_OR_MAP("legs", &LEGS, "the legs, or their order"),                                                     \
        FF_MAP("hands", &HANDS, "the hands")

static const ff_key_group PART = FF_GROUP("part", "What is attached several times, such as a leg.",
    CONTENTS);
static const ff_key_group PARTS = FF_GROUP("parts", "Parts by name, for `attach`.",
    FF_MAP("*", &PART, "a part"));

static const ff_key_group MEDIUM = FF_GROUP("medium", "Air or liquid around the robot, which drags at each body.",
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0", "drag by the square of the speed; air 1.2, water 1000"),
    FF_NUMBER("viscosity", "", FF_NOT_NEGATIVE, "0", "drag by the speed, in Pa s; air 1.8e-5, water 1e-3"),
    FF_NUMBERS("wind", 3, 3, "m/s", FF_ANY, "[0, 0, 0]", "its velocity"));

const ff_key_group ff_keys_robot = FF_GROUP("robot", "A native robot file.",
    FF_WHOLE("footfall", FF_ANY, FF_NEEDED, "version of the format: 1"),
    FF_TEXT("name", "\"\"", "of the robot"),
    FF_TEXT("description", NULL, "for the reader"),
    FF_MAP("constants", &ff_keys_constants, "numbers that expressions may name"),
    FF_ANYTHING("define", "a place for anchors (&name), which aliases (*name) repeat elsewhere"),
    FF_NUMBERS("gravity", 3, 3, "m/s^2", FF_ANY, "[0, 0, -9.81]", "of the world; scenes have their own"),
    FF_MAP("medium", &MEDIUM, "air or liquid around the robot; without it no drag"),
    FF_TEXT_OR_MAP("import", &IMPORT, NULL, "another robot file to change"),
    FF_MAP("parts", &PARTS, "what is attached several times"),
    FF_MAP("materials", &ff_keys_materials, "materials of contact"),
    FF_MAP("poses", &POSES, "named poses"),
    FF_NUMBER("total_mass", "kg", FF_POSITIVE, NULL, "what the bodies must add up to, as a check"),
    CONTENTS,
    FF_MAP("battery", &ff_keys_battery, "what feeds the drives"),
    FF_MAP("biped", &ff_keys_biped, "how it walks on two legs"));
// clang-format on
