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

static const ff_row POSE_KEYS[] = {
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "position in the frame it stands in"),
    FF_NUMBERS("rpy", 3, 3, "rad", FF_ANY, "[0, 0, 0]", "roll, pitch and yaw about fixed x, y, z, in this order"),
    FF_NUMBERS("quat", 4, 4, "", FF_ANY, "[1, 0, 0, 0]", "unit quaternion w, x, y, z, in place of rpy"), FF_END};
const ff_key_group ff_keys_pose = {.name = "place", .help = "Position and orientation.", .keys = POSE_KEYS};

// ------------------------------------------------------------------------------------------ inertia

static const ff_row INERTIA_CYLINDER_KEYS[] = {FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "of the cylinder"),
                                               FF_NUMBER("length", "m", FF_NOT_NEGATIVE, "0", "along z"), FF_END};
static const ff_key_group INERTIA_CYLINDER = {
    .name = "inertial cylinder", .help = "A solid cylinder along z.", .keys = INERTIA_CYLINDER_KEYS};

static const ff_row ROD_KEYS[] = {
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, FF_NEEDED, "the other end"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "counts for the inertia about the long axis alone"), FF_END};
static const ff_key_group ROD = {.name = "rod", .help = "A thin rod between two points.", .keys = ROD_KEYS};

static const ff_key_group INERTIAL;
static const ff_row INERTIAL_KEYS[] = {
    FF_MAP("-", &INERTIAL, "several solids add up"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, FF_NEEDED, "of the solid"),
    FF_NUMBERS("com", 3, 3, "m", FF_ANY, "[0, 0, 0]", "centre of mass in the frame of the body"),
    FF_NUMBERS("box", 3, 3, "m", FF_NOT_NEGATIVE, NULL, "solid box: its full lengths"),
    FF_NUMBER("sphere", "m", FF_NOT_NEGATIVE, NULL, "solid ball: its radius"),
    FF_MAP("cylinder", &INERTIA_CYLINDER, "solid cylinder"),
    FF_MAP("rod", &ROD, "thin rod"),
    FF_NUMBERS("inertia", 3, 6, "kg m^2", FF_ANY, NULL,
               "xx, yy, zz, or xx, yy, zz, xy, xz, yz, about the centre of mass"),
    FF_END};
static const ff_key_group INERTIAL = {.name = "inertial",
                                      .help = "Mass and inertia of a body, as numbers or as a uniform solid.",
                                      .keys = INERTIAL_KEYS,
                                      .also = &ff_keys_pose};

// ------------------------------------------------------------------------------------------ joints

static const char *const JOINT_TYPES[] = {"hinge", "slide", "ball", "free", "planar", "fixed", NULL};
static const char *const AXES[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
static const char *const NONE[] = {"none", NULL};

static const ff_row STOP_KEYS[] = {
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_POSITIVE, "1000", "of the stop"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "10", "of the stop; 0: it gives back all its energy"),
    FF_END};
static const ff_key_group STOP = {
    .name = "stop", .help = "What a joint meets at the ends of its range.", .keys = STOP_KEYS};

static const ff_row SPRING_KEYS[] = {FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, "0", "of the spring"),
                                     FF_NUMBER("rest", "rad|m", FF_ANY, "0", "position without force"), FF_END};
static const ff_key_group SPRING = {
    .name = "spring", .help = "A spring that pulls a joint to a position.", .keys = SPRING_KEYS};

static const ff_row DRY_FRICTION_KEYS[] = {
    FF_NUMBER("level", "N m|N", FF_NOT_NEGATIVE, "0", "largest friction"),
    FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, "0.01", "at which 71 % of it is reached"), FF_END};
static const ff_key_group DRY_FRICTION = {
    .name = "dry_friction", .help = "Coulomb friction of a joint.", .keys = DRY_FRICTION_KEYS};

static const ff_row MIMIC_KEYS[] = {
    FF_TEXT("joint", FF_NEEDED, "joint that is followed"),
    FF_NUMBER("gain", "", FF_ANY, "1", "position = gain * position of the other + offset"),
    FF_NUMBER("offset", "rad|m", FF_ANY, "0", "see gain"), FF_END};
static const ff_key_group MIMIC = {.name = "mimic", .help = "A joint that follows another one.", .keys = MIMIC_KEYS};

static const ff_row JOINT_KEYS[] = {
    FF_TEXT("name", NULL, "without it, that of the body"),
    FF_WORD("type", JOINT_TYPES, "hinge", "how it moves; fixed has no freedom at all"),
    FF_EITHER("axis", FF_TAKES_WORD | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_ANY, 3, 3, "z",
              "direction in the frame of the body", AXES, NULL),
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "a point of the axis, in the frame of the body"),
    FF_NUMBER("ref", "rad|m", FF_ANY, "0", "coordinate in the position that the file draws"),
    FF_EITHER("range", FF_TAKES_WORD | FF_TAKES_NUMBERS, "rad|m", FF_ANY, 2, 2, "none", "smallest and largest position",
              NONE, NULL),
    FF_MAP("stop", &STOP, "what the joint meets at the ends of its range"),
    FF_MAP("spring", &SPRING, "a spring in parallel"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "viscous"),
    FF_EITHER("dry_friction", FF_TAKES_NUMBER | FF_TAKES_MAP, "N m|N", FF_NOT_NEGATIVE, 1, 1, "0",
              "largest Coulomb friction, or a map", NULL, &DRY_FRICTION),
    FF_NUMBER("armature", "kg m^2|kg", FF_NOT_NEGATIVE, "0", "inertia of the rotor, seen at the joint"),
    FF_NUMBER("effort", "N m|N", FF_NOT_NEGATIVE, NULL, "largest torque or force of its drive; without it unbounded"),
    FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, NULL, "largest speed of its drive; without it unbounded"),
    FF_MAP("drive", &ff_keys_drive, "the drive of this joint"),
    FF_MAP("mimic", &MIMIC, "it follows another joint"),
    FF_END};
static ff_unit_choice unit_of_joint(const ff_yaml *joint)
{
    const ff_yaml *entry = joint->child;
    while (entry && (!entry->key || strcmp(entry->key, "type") != 0)) entry = entry->next;
    if (!entry) return FF_UNIT_EITHER;
    return strcmp(entry->text, "slide") == 0 ? FF_UNIT_SECOND : FF_UNIT_FIRST;
}

static const ff_key_group JOINT = {.name = "joint",
                                   .help = "A joint between a body and its parent.",
                                   .keys = JOINT_KEYS,
                                   .choose_unit = unit_of_joint};

static const ff_row JOINTS_KEYS[] = {FF_EITHER("*", FF_TAKES_WORD | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
                                               "a joint; at the top, changes of those that a name or pattern finds",
                                               JOINT_TYPES, &JOINT),
                                     FF_END};
static const ff_key_group JOINTS = {.name = "joints", .help = "Joints by name.", .keys = JOINTS_KEYS};

// ------------------------------------------------------------------------------------------ actuators

static const char *const ACTUATOR_TYPES[] = {"motor", "position", "velocity", "general", NULL};

static const char *const ACTIVATION_TYPES[] = {"none", "integrator", "filter", "muscle", NULL};
static const ff_row ACTIVATION_KEYS[] = {
    FF_WORD("type", ACTIVATION_TYPES, "filter", "rate: the command, or the way to the command in a time"),
    FF_EITHER("time", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "s", FF_POSITIVE, 2, 2, NULL,
              "filter: time constant; muscle: to activate and to deactivate", NULL, NULL),
    FF_NUMBER("smooth", "", FF_NOT_NEGATIVE, "0",
              "muscle: way to the command over which the one time becomes the other"),
    FF_NUMBERS("range", 2, 2, "", FF_ANY, NULL, "that it stays in; without it any"), FF_END};
static const ff_key_group ACTIVATION = {
    .name = "activation", .help = "A state between command and force.", .keys = ACTIVATION_KEYS};

static const ff_row MUSCLE_KEYS[] = {
    FF_NUMBER("force", "N|N m", FF_POSITIVE, FF_NEEDED, "peak of the active force"),
    FF_NUMBERS("operating", 2, 2, "", FF_POSITIVE, "[0.75, 1.05]", "length at the ends of `lengths`"),
    FF_NUMBERS("lengths", 2, 2, "m|rad", FF_ANY, NULL,
               "shortest and longest of joint or tendon, times the gear; without it, by the ranges of the joints"),
    FF_NUMBER("shortest", "", FF_FROM_BELOW(0, 1), "0.5", "length at which the active force ends"),
    FF_NUMBER("longest", "", FF_ABOVE(1), "1.6", "the same, beyond 1"),
    FF_NUMBER("speed", "1/s", FF_POSITIVE, "1.5", "of shortening at which there is no active force"),
    FF_NUMBER("passive", "", FF_NOT_NEGATIVE, "1.3", "force of stretched tissue at the longest, as a part of the peak"),
    FF_NUMBER("lengthening", "", FF_AT_LEAST(1), "1.2", "active force while drawn out fast, as a part of the peak"),
    FF_END};
static const ff_key_group MUSCLE = {
    .name = "muscle",
    .help = "Force over length and speed of a muscle, in units of the length at which it is strongest.",
    .keys = MUSCLE_KEYS};

static const ff_row ACTUATOR_KEYS[] = {
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
    FF_EITHER("command", FF_TAKES_WORD | FF_TAKES_NUMBERS, FF_ANY_UNIT, FF_ANY, 2, 2, "none", "bounds of the command",
              NONE, NULL),
    FF_EITHER("force", FF_TAKES_WORD | FF_TAKES_NUMBERS, "N m|N", FF_ANY, 2, 2, "none", "bounds of the force", NONE,
              NULL),
    FF_MAP("activation", &ACTIVATION, "a state between command and force"),
    FF_MAP("muscle", &MUSCLE, "general: curves of a muscle in place of gain and bias, with its activation"),
    FF_END};
static const ff_key_group ACTUATOR = {
    .name = "actuator", .help = "An actuator as MJCF has them; drives are more real.", .keys = ACTUATOR_KEYS};

static const ff_row ACTUATORS_KEYS[] = {
    FF_MAP("*", &ACTUATOR, "an actuator, or changes of those that a name or pattern finds"), FF_END};
static const ff_key_group ACTUATORS = {.name = "actuators", .help = "Actuators by name.", .keys = ACTUATORS_KEYS};

// ------------------------------------------------------------------------------------------ shapes and frames

static const char *const SHAPE_ROLES[] = {"both", "visual", "collision", NULL};

static const ff_row ROUND_KEYS[] = {
    FF_NUMBER("radius", "m", FF_POSITIVE, FF_NEEDED, "of the cylinder and of the round ends"),
    FF_NUMBER("length", "m", FF_POSITIVE, NULL, "along z, without the round ends; or from and to"),
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end of the axis"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, NULL, "the other end, in place of length"), FF_END};
static const ff_key_group ROUND = {
    .name = "capsule or cylinder", .help = "A round shape, along z or between two points.", .keys = ROUND_KEYS};

static const ff_row MESH_KEYS[] = {FF_TEXT("file", FF_NEEDED, "STL or OBJ, beside this file"),
                                   FF_EITHER("scale", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "", FF_ANY, 3, 3, "1",
                                             "factor, or one for each axis", NULL, NULL),
                                   FF_END};
static const ff_key_group MESH = {.name = "mesh", .help = "A shape from a file.", .keys = MESH_KEYS};

static const ff_row SHAPE_KEYS[] = {
    FF_TEXT("name", NULL, "by which others find it; may be left out"),
    FF_NUMBER("sphere", "m", FF_POSITIVE, NULL, "ball: its radius"),
    FF_MAP("capsule", &ROUND, "cylinder with round ends"),
    FF_NUMBERS("box", 3, 3, "m", FF_POSITIVE, NULL, "box: its full lengths"),
    FF_MAP("cylinder", &ROUND, "cylinder"),
    FF_NUMBERS("ellipsoid", 3, 3, "m", FF_POSITIVE, NULL, "ellipsoid: its full lengths"),
    FF_NUMBERS("plane", 2, 2, "m", FF_NOT_NEGATIVE, NULL, "plane z = 0: its drawn lengths, 0: endless"),
    FF_EITHER("mesh", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL, "surface from a file", NULL, &MESH),
    FF_WORD("role", SHAPE_ROLES, "both", "seen, touched, or both"),
    FF_NUMBERS("color", 3, 4, "", FF_BETWEEN(0.0, 1.0), "[0.5, 0.5, 0.5]", "red, green, blue and opacity"),
    FF_WHOLE("group", FF_ANY, "0", "number of a group that viewers can hide"),
    FF_EITHER("friction", FF_TAKES_NUMBER | FF_TAKES_NUMBERS, "", FF_NOT_NEGATIVE, 1, 3, NULL,
              "coefficients as MJCF has them: sliding, torsion, rolling; without it, those of the material", NULL,
              NULL),
    FF_TEXT("material", NULL, "of contact, defined in the file or of the library; without it, the standard material"),
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0", "for the inertia of a body with `inertial: shapes`"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL, "in place of the density"),
    FF_END};
const ff_key_group ff_keys_shape = {.name = "shape",
                                    .help = "What a body looks like and touches with: exactly one solid.",
                                    .keys = SHAPE_KEYS,
                                    .also = &ff_keys_pose};

static const ff_row SHAPES_KEYS[] = {FF_MAP("-", &ff_keys_shape, "a new shape"),
                                     FF_MAP("*", &ff_keys_shape, "changes of those that a name or pattern finds"),
                                     FF_END};
static const ff_key_group SHAPES = {
    .name = "shapes", .help = "A list of new shapes, or a map that changes some.", .keys = SHAPES_KEYS};

static const ff_key_group FRAME = {.name = "frame", .help = "A named place on a body.", .also = &ff_keys_pose};
static const ff_row FRAMES_KEYS[] = {FF_MAP("*", &FRAME, "a frame, or changes of those that a name finds"), FF_END};
static const ff_key_group FRAMES = {.name = "frames", .help = "Named places by name.", .keys = FRAMES_KEYS};

// ------------------------------------------------------------------------------------------ bodies

static const char *const DH_CONVENTIONS[] = {"standard", "modified", NULL};
static const ff_row DH_KEYS[] = {
    FF_NUMBER("a", "m", FF_ANY, "0", "length of the link: along x, between the axes"),
    FF_NUMBER("alpha", "rad", FF_ANY, "0", "twist of the link: about x, between the axes"),
    FF_NUMBER("d", "m", FF_ANY, "0", "along the axis of the joint; the coordinate of a slide adds to it"),
    FF_NUMBER("theta", "rad", FF_ANY, "0", "about the axis of the joint; the coordinate of a hinge adds to it"),
    FF_WORD("convention", DH_CONVENTIONS, "standard",
            "standard: Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint about z of the parent; modified: Rx(alpha) Tx(a) "
            "Rz(theta) Tz(d), about z of the body"),
    FF_END};
static const ff_key_group DH = {
    .name = "dh", .help = "A row of Denavit and Hartenberg: places a body and its joint.", .keys = DH_KEYS};

static const char *const SHAPES_WORD[] = {"shapes", NULL};
static const ff_key_group BODIES;

static const ff_row BODY_KEYS[] = {
    FF_TEXT("parent", NULL, "body above it, or world; without it, the body that it is written under"),
    FF_EITHER("inertial", FF_TAKES_WORD | FF_TAKES_MAP | FF_TAKES_LIST, "", FF_ANY, 0, 0, NULL,
              "mass and inertia; `shapes`: from the shapes by their density", SHAPES_WORD, &INERTIAL),
    FF_EITHER("joint", FF_TAKES_WORD | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
              "the joint to the parent, named after the body; without one the body is fixed", JOINT_TYPES, &JOINT),
    FF_MAP("joints", &JOINTS, "several joints in a row"),
    FF_MAP("dh", &DH, "in place of pos, rpy and the axis of its joint: a row of Denavit and Hartenberg"),
    FF_EITHER("shapes", FF_TAKES_LIST | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL, "what is seen and touched", NULL,
              &SHAPES),
    FF_MAP("frames", &FRAMES, "named places"),
    FF_LIST("attach", &ATTACHMENTS, "parts and other robots that hang on it"),
    FF_MAP("bodies", &BODIES, "bodies below it"),
    FF_END};
static const ff_key_group BODY = {.name = "body",
                                  .help = "A rigid body, placed in the frame of its parent.",
                                  .keys = BODY_KEYS,
                                  .also = &ff_keys_pose};

static const ff_row BODIES_KEYS[] = {FF_MAP("*", &BODY, "a body, or changes of an imported one"), FF_END};
static const ff_key_group BODIES = {.name = "bodies", .help = "Bodies by name.", .keys = BODIES_KEYS};

static const char *const MIRRORS[] = {"x", "y", "z", NULL};

static const ff_row ATTACHMENT_KEYS[] = {
    FF_TEXT("part", NULL, "one of `parts` of this file"), FF_TEXT("file", NULL, "or another robot file"),
    FF_TEXT("prefix", "\"\"", "put before every name in it"),
    FF_WORD("mirror", MIRRORS, NULL, "its mirror image across the plane where this coordinate is 0"), FF_END};
static const ff_key_group ATTACHMENT = {.name = "attachment",
                                        .help = "A part or another robot, hung on a body.",
                                        .keys = ATTACHMENT_KEYS,
                                        .also = &ff_keys_pose};
static const ff_row ATTACHMENTS_KEYS[] = {FF_MAP("-", &ATTACHMENT, "one of them"), FF_END};
static const ff_key_group ATTACHMENTS = {
    .name = "attach", .help = "Parts and other robots that hang on a body.", .keys = ATTACHMENTS_KEYS};

// ------------------------------------------------------------------------------------------ loops

static const ff_row POINTS_KEYS[] = {
    FF_NUMBERS("-", 3, 3, "m", FF_ANY, NULL, "a point in the frame of the first body, then of the second"), FF_END};
static const ff_key_group POINTS = {.name = "points", .help = "Points on two bodies.", .keys = POINTS_KEYS};

static const ff_row LOOP_KEYS[] = {
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
    FF_SWITCH("active", "true", "holds from the start"),
    FF_END};
static const ff_key_group LOOP = {.name = "loop", .help = "A closed loop or a coupling of joints.", .keys = LOOP_KEYS};
static const ff_row LOOPS_KEYS[] = {FF_MAP("*", &LOOP, "a loop"), FF_END};
static const ff_key_group LOOPS = {.name = "loops", .help = "Loops and couplings by name.", .keys = LOOPS_KEYS};

// ------------------------------------------------------------------------------------------ legs and hands

static const ff_row FOOT_KEYS[] = {FF_TEXT("frame", FF_NEEDED, "where the foot is led"),
                                   FF_TEXTS("bodies", FF_NEEDED, "bodies that touch the ground"), FF_END};
static const ff_key_group FOOT = {.name = "foot", .help = "A foot of several bodies.", .keys = FOOT_KEYS};

static const ff_row LEG_KEYS[] = {
    FF_TEXTS("joints", FF_NEEDED, "from hip to foot"),
    FF_EITHER("foot", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, FF_NEEDED, "frame or body of the foot", NULL,
              &FOOT),
    FF_TEXT("force", NULL, "sensor of the force on the foot"),
    FF_TEXT("touch", NULL, "sensor of its contact with the ground"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, NULL, "of the foot; without it, that of its sphere"),
    FF_END};
static const ff_key_group LEG = {.name = "leg", .help = "A leg, for gaits.", .keys = LEG_KEYS};
static const ff_row LEGS_KEYS[] = {FF_TEXT("-", NULL, "a leg that is there: the list gives the order"),
                                   FF_MAP("*", &LEG, "a leg"), FF_END};
static const ff_key_group LEGS = {
    .name = "legs", .help = "Legs by name, or a list that puts those there are in order.", .keys = LEGS_KEYS};

static const ff_row HAND_KEYS[] = {FF_TEXT("frame", NULL, "where the hand is led"),
                                   FF_TEXTS("bodies", FF_NEEDED, "bodies that touch things"), FF_END};
static const ff_key_group HAND = {
    .name = "hand", .help = "A hand, whose contact is reported as that of a foot.", .keys = HAND_KEYS};
static const ff_row HANDS_KEYS[] = {FF_MAP("*", &HAND, "a hand"), FF_END};
static const ff_key_group HANDS = {.name = "hands", .help = "Hands by name.", .keys = HANDS_KEYS};

// ------------------------------------------------------------------------------------------ contact and poses

static const ff_row PAIRS_KEYS[] = {FF_TEXTS("-", NULL, "[body, body]"), FF_END};
static const ff_key_group PAIRS = {.name = "pairs", .help = "Pairs of bodies.", .keys = PAIRS_KEYS};
static const ff_row CONTACT_KEYS[] = {FF_LIST("exclude", &PAIRS, "pairs of bodies that never touch"), FF_END};
static const ff_key_group CONTACT = {
    .name = "contact", .help = "Which bodies of the robot can touch each other.", .keys = CONTACT_KEYS};

static const ff_row POSITIONS_KEYS[] = {
    FF_EITHER("*", FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_MAP, "rad|m", FF_ANY, 3, 3, NULL,
              "position of the joints that a name or pattern finds; planar: x, y, angle; free and ball: a pose", NULL,
              &ff_keys_pose),
    FF_END};
static const ff_key_group POSITIONS = {.name = "pose", .help = "Positions of joints.", .keys = POSITIONS_KEYS};
static const ff_row POSES_KEYS[] = {FF_MAP("*", &POSITIONS, "a pose"), FF_END};
static const ff_key_group POSES = {.name = "poses", .help = "Named poses.", .keys = POSES_KEYS};

// ------------------------------------------------------------------------------------------ the file

static const ff_row CONSTANTS_KEYS[] = {FF_NUMBER("*", FF_ANY_UNIT, FF_ANY, NULL, "a number that expressions may name"),
                                        FF_END};
const ff_key_group ff_keys_constants = {.name = "constants",
                                        .help = "Numbers that expressions in this file may name.",
                                        .keys = CONSTANTS_KEYS,
                                        .checked_in_use = true};

static const ff_row IMPORT_KEYS[] = {
    FF_TEXT("file", FF_NEEDED, "URDF, MJCF or native, beside this file"),
    FF_TEXT("prefix", "\"\"", "put before every name in it"),
    FF_SWITCH("floating", NULL, "its base moves freely; without it, as the caller says"), FF_END};
static const ff_key_group IMPORT = {
    .name = "import", .help = "Another robot file that this one changes.", .keys = IMPORT_KEYS, .also = &ff_keys_pose};

#define CONTENTS                                                                                                       \
    FF_MAP("bodies", &BODIES, "the bodies"),                                                                           \
        FF_EITHER("shapes", FF_TAKES_LIST | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,                                      \
                  "shapes of the world, or changes of shapes of all bodies", NULL, &SHAPES),                           \
        FF_MAP("frames", &FRAMES, "places fixed to the world, or changes of frames of all bodies"),                    \
        FF_MAP("loops", &LOOPS, "closed loops and couplings"),                                                         \
        FF_MAP("tendons", &ff_keys_tendons, "strings and sums of joints, with forces along them"),                     \
        FF_MAP("joints", &JOINTS, "changes of joints by name or pattern"),                                             \
        FF_MAP("drives", &ff_keys_drives, "drives, and changes of them"),                                              \
        FF_MAP("actuators", &ACTUATORS, "actuators, and changes of them"),                                             \
        FF_MAP("sensors", &ff_keys_sensors, "sensors, and changes of them"),                                           \
        FF_MAP("contact", &CONTACT, "which bodies can touch each other"),                                              \
        FF_MAP("leg", &LEG, "this part is a leg, named after its prefix"),                                             \
        FF_EITHER("legs", FF_TAKES_LIST | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL, "the legs, or their order", NULL,      \
                  &LEGS),                                                                                              \
        FF_MAP("hands", &HANDS, "the hands")

static const ff_row PART_KEYS[] = {CONTENTS, FF_END};
static const ff_key_group PART = {
    .name = "part", .help = "What is attached several times, such as a leg.", .keys = PART_KEYS};
static const ff_row PARTS_KEYS[] = {FF_MAP("*", &PART, "a part"), FF_END};
static const ff_key_group PARTS = {.name = "parts", .help = "Parts by name, for `attach`.", .keys = PARTS_KEYS};

static const ff_row MEDIUM_KEYS[] = {
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0", "drag by the square of the speed; air 1.2, water 1000"),
    FF_NUMBER("viscosity", "", FF_NOT_NEGATIVE, "0", "drag by the speed, in Pa s; air 1.8e-5, water 1e-3"),
    FF_NUMBERS("wind", 3, 3, "m/s", FF_ANY, "[0, 0, 0]", "its velocity"), FF_END};
static const ff_key_group MEDIUM = {
    .name = "medium", .help = "Air or liquid around the robot, which drags at each body.", .keys = MEDIUM_KEYS};

static const ff_row ROBOT_KEYS[] = {
    FF_WHOLE("footfall", FF_ANY, FF_NEEDED, "version of the format: 1"),
    FF_TEXT("name", "\"\"", "of the robot"),
    FF_TEXT("description", NULL, "for the reader"),
    FF_MAP("constants", &ff_keys_constants, "numbers that expressions may name"),
    FF_ANYTHING("define", "a place for anchors (&name), which aliases (*name) repeat elsewhere"),
    FF_NUMBERS("gravity", 3, 3, "m/s^2", FF_ANY, "[0, 0, -9.81]", "of the world; scenes have their own"),
    FF_MAP("medium", &MEDIUM, "air or liquid around the robot; without it no drag"),
    FF_EITHER("import", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL, "another robot file to change", NULL,
              &IMPORT),
    FF_MAP("parts", &PARTS, "what is attached several times"),
    FF_MAP("materials", &ff_keys_materials, "materials of contact"),
    FF_MAP("poses", &POSES, "named poses"),
    FF_NUMBER("total_mass", "kg", FF_POSITIVE, NULL, "what the bodies must add up to, as a check"),
    CONTENTS,
    FF_MAP("battery", &ff_keys_battery, "what feeds the drives"),
    FF_MAP("biped", &ff_keys_biped, "how it walks on two legs"),
    FF_END};
const ff_key_group ff_keys_robot = {.name = "robot", .help = "A native robot file.", .keys = ROBOT_KEYS};
