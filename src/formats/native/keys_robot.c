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
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "position in the frame of the parent body, or of the world"),
    FF_NUMBERS("rpy", 3, 3, "rad", FF_ANY, "[0, 0, 0]", "roll, pitch and yaw about fixed x, y, z, in this order"),
    FF_NUMBERS("quat", 4, 4, "", FF_ANY, "[1, 0, 0, 0]", "unit quaternion w, x, y, z, in place of rpy"));

// ------------------------------------------------------------------------------------------ inertia

static const ff_key_group INERTIA_CYLINDER = FF_GROUP("inertial cylinder", "A solid cylinder along z.",
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "radius of the cylinder"),
    FF_NUMBER("length", "m", FF_NOT_NEGATIVE, "0", "length along z"));

static const ff_key_group ROD = FF_GROUP("rod", "A thin rod between two points.",
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, FF_NEEDED, "the other end"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, "0", "radius, only for the inertia about the long axis"));

static const ff_key_group INERTIAL;
static const ff_key_group INERTIAL = FF_GROUP_ALSO(
    "inertial", "Mass and inertia of a body, as numbers or as a uniform solid.", &ff_keys_pose,
    FF_MAP("-", &INERTIAL, "several solids add up"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, FF_NEEDED, "mass of the solid"),
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

static const ff_key_group STOP = FF_GROUP("stop", "The stops at the ends of the range of a joint.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_POSITIVE, "1000", "stiffness of the stop"),
    FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "10", "damping of the stop; 0: it returns all energy"));

static const ff_key_group SPRING = FF_GROUP("spring", "A spring that pulls a joint to a position.",
    FF_NUMBER("stiffness", "N m/rad|N/m", FF_NOT_NEGATIVE, "0", "stiffness of the spring"),
    FF_NUMBER("rest", "rad|m", FF_ANY, "0", "position without force"));

static const ff_key_group DRY_FRICTION = FF_GROUP("dry_friction", "Coulomb friction of a joint.",
    FF_NUMBER("level", "N m|N", FF_NOT_NEGATIVE, "0", "largest friction"),
    FF_NUMBER("speed", "rad/s|m/s", FF_NOT_NEGATIVE, "0.01", "speed at which friction has 71 % of its level"));

static const ff_key_group MIMIC = FF_GROUP("mimic", "A joint that follows another one.",
    FF_TEXT("joint", FF_NEEDED, "joint that is followed"),
    FF_NUMBER("gain", "", FF_ANY, "1", "position = gain * position of the other + offset"),
    FF_NUMBER("offset", "rad|m", FF_ANY, "0", "see 'gain'"));

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
        FF_TEXT("name", NULL, "name of the joint; without it, that of the body"),
        FF_WORD("type", JOINT_TYPES, "hinge", "type of the joint; fixed has no degree of freedom"),
        FF_WORD_OR_LIST("axis", AXES, 3, FF_ANY_UNIT, FF_ANY, "z", "direction in the frame of the body"),
        FF_NUMBERS("pos", 3, 3, "m", FF_ANY, "[0, 0, 0]", "a point of the axis, in the frame of the body"),
        FF_NUMBER("ref", "rad|m", FF_ANY, "0", "coordinate of the joint in the pose that the file describes"),
        FF_WORD_OR_LIST("range", NONE, 2, "rad|m", FF_ANY, "none", "smallest and largest position"),
        FF_MAP("stop", &STOP, "stops at the ends of the range"),
        FF_MAP("spring", &SPRING, "a spring in parallel"),
        FF_NUMBER("damping", "N m s/rad|N s/m", FF_NOT_NEGATIVE, "0", "viscous damping"),
        FF_NUMBER_OR_MAP("dry_friction", &DRY_FRICTION, "N m|N", FF_NOT_NEGATIVE, "0",
            "largest Coulomb friction, or a map"),
        FF_NUMBER("armature", "kg m^2|kg", FF_NOT_NEGATIVE, "0", "inertia of the rotor, reflected to the joint"),
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
static const ff_key_group ACTIVATION = FF_GROUP("activation", "Dynamics between command and force, with a state.",
    FF_WORD("type", ACTIVATION_TYPES, "filter", "integrator: its rate is the command; filter: first-order low-pass"),
    FF_NUMBER_OR_LIST("time", 2, 2, "s", FF_POSITIVE, NULL,
        "time constant of the filter; muscle: of activation and of deactivation"),
    FF_NUMBER("smooth", "", FF_NOT_NEGATIVE, "0",
        "muscle: difference to the command over which one time constant turns into the other"),
    FF_NUMBERS("range", 2, 2, "", FF_ANY, NULL, "bounds of the state; none unless given"));

static const ff_key_group MUSCLE = FF_GROUP(
    "muscle", "Force of a muscle over length and speed, in units of the length at which its force is largest.",
    FF_NUMBER("force", "N|N m", FF_POSITIVE, FF_NEEDED, "peak of the active force"),
    FF_NUMBERS("operating", 2, 2, "", FF_POSITIVE, "[0.75, 1.05]", "length at the ends of `lengths`"),
    FF_NUMBERS("lengths", 2, 2, "m|rad", FF_ANY, NULL,
        "shortest and longest length of joint or tendon, times the gear; without it, by the ranges of the joints"),
    FF_NUMBER("shortest", "", FF_FROM_BELOW(0, 1), "0.5", "length at which the active force ends"),
    FF_NUMBER("longest", "", FF_ABOVE(1), "1.6", "length beyond 1 at which it ends"),
    FF_NUMBER("speed", "1/s", FF_POSITIVE, "1.5", "speed of shortening at which there is no active force"),
    FF_NUMBER("passive", "", FF_NOT_NEGATIVE, "1.3", "passive force at 'longest', as a share of the peak"),
    FF_NUMBER("lengthening", "", FF_AT_LEAST(1), "1.2", "active force while lengthening fast, as a share of the peak"));

static const ff_key_group ACTUATOR = FF_GROUP("actuator", "An actuator as in MJCF; drives model motors in more detail.",
    FF_TEXT("joint", NULL, "joint that it moves; a new actuator needs a joint, a tendon or a body"),
    FF_TEXT("tendon", NULL, "tendon that it pulls; position and speed are those of its length"),
    FF_TEXT("body", NULL, "body that it pulls towards what it touches"),
    FF_WORD("type", ACTUATOR_TYPES, "motor", "quantity that its command sets"),
    FF_NUMBER("gear", FF_ANY_UNIT, FF_ANY, "1",
        "torque at the joint, or force along the tendon, per unit force of the actuator"),
    FF_NUMBER("gain", FF_ANY_UNIT, FF_ANY, "1", "motor, general: force = gain * command + bias"),
    FF_NUMBERS("bias", 3, 3, FF_ANY_UNIT, FF_ANY, "[0, 0, 0]", "general: bias = b0 + b1 * position + b2 * speed"),
    FF_NUMBER("kp", "N m/rad|N/m", FF_ANY, "1", "position: gain of the position error"),
    FF_NUMBER("kd", "N m s/rad|N s/m", FF_ANY, NULL, "gain of the speed error; position: 0, velocity: 1"),
    FF_WORD_OR_LIST("command", NONE, 2, FF_ANY_UNIT, FF_ANY, "none", "bounds of the command"),
    FF_WORD_OR_LIST("force", NONE, 2, "N m|N", FF_ANY, "none", "bounds of the force"),
    FF_MAP("activation", &ACTIVATION, "dynamics between command and force"),
    FF_MAP("muscle", &MUSCLE, "general: curves of a muscle in place of gain and bias, with its activation"));

static const ff_key_group ACTUATORS = FF_GROUP("actuators", "Actuators by name.",
    FF_MAP("*", &ACTUATOR, "an actuator, or changes of those that a name or pattern finds"));

// ------------------------------------------------------------------------------------------ shapes and frames

static const char *const SHAPE_ROLES[] = {"both", "visual", "collision", NULL};

static const ff_key_group ROUND = FF_GROUP("capsule or cylinder", "A round shape, along z or between two points.",
    FF_NUMBER("radius", "m", FF_POSITIVE, FF_NEEDED, "radius of the cylinder and of the round ends"),
    FF_NUMBER("length", "m", FF_POSITIVE, NULL, "length along z, without the round ends; or 'from' and 'to'"),
    FF_NUMBERS("from", 3, 3, "m", FF_ANY, "[0, 0, 0]", "one end of the axis"),
    FF_NUMBERS("to", 3, 3, "m", FF_ANY, NULL, "the other end, in place of length"));

static const ff_key_group MESH = FF_GROUP("mesh", "A shape of triangles from a file.",
    FF_TEXT("file", FF_NEEDED, "STL or OBJ, beside this file"),
    FF_NUMBER_OR_LIST("scale", 3, 3, "", FF_ANY, "1", "scale factor, or one for each axis"));

const ff_key_group ff_keys_shape = FF_GROUP_ALSO(
    "shape", "A shape of a body, for display and contact; exactly one solid.", &ff_keys_pose,
    FF_TEXT("name", NULL, "name by which other keys refer to it; may be left out"),
    FF_NUMBER("sphere", "m", FF_POSITIVE, NULL, "ball: its radius"),
    FF_MAP("capsule", &ROUND, "cylinder with round ends"),
    FF_NUMBERS("box", 3, 3, "m", FF_POSITIVE, NULL, "box: its full lengths"),
    FF_MAP("cylinder", &ROUND, "cylinder"),
    FF_NUMBERS("ellipsoid", 3, 3, "m", FF_POSITIVE, NULL, "ellipsoid: its full lengths"),
    FF_NUMBERS("plane", 2, 2, "m", FF_NOT_NEGATIVE, NULL, "plane z = 0: its displayed lengths, 0: infinite"),
    FF_TEXT_OR_MAP("mesh", &MESH, NULL, "triangles from a file"),
    FF_WORD("role", SHAPE_ROLES, "both", "for display, for contact, or both"),
    FF_NUMBERS("color", 3, 4, "", FF_BETWEEN(0.0, 1.0), "[0.5, 0.5, 0.5]", "red, green, blue and opacity"),
    FF_WHOLE("group", FF_ANY, "0", "number of a group that viewers can hide"),
    FF_NUMBER_OR_LIST("friction", 1, 3, "", FF_NOT_NEGATIVE, NULL,
        "friction coefficients as in MJCF: sliding, torsion, rolling; without it, those of the material"),
    FF_TEXT("material", NULL,
        "contact material, defined in the file or in the library; without it, the standard material"),
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0", "density, for the inertia of a body with `inertial: shapes`"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL, "mass, in place of the density"));

static const ff_key_group SHAPES = FF_GROUP("shapes", "A list of new shapes, or a map that changes some.",
    FF_MAP("-", &ff_keys_shape, "a new shape"),
    FF_MAP("*", &ff_keys_shape, "changes of shapes of this name or pattern"));

static const ff_key_group FRAME = {.name = "frame", .help =
    "A named coordinate frame on a body.", .also = &ff_keys_pose};
static const ff_key_group FRAMES = FF_GROUP("frames", "Named places by name.",
    FF_MAP("*", &FRAME, "a frame, or changes of those that a name finds"));

// ------------------------------------------------------------------------------------------ bodies

static const char *const DH_CONVENTIONS[] = {"standard", "modified", NULL};
static const ff_key_group DH = FF_GROUP("dh", "Denavit-Hartenberg parameters, which place a body and its joint.",
    FF_NUMBER("a", "m", FF_ANY, "0", "length of the link: along x, between the axes"),
    FF_NUMBER("alpha", "rad", FF_ANY, "0", "twist of the link: about x, between the axes"),
    FF_NUMBER("d", "m", FF_ANY, "0", "offset along the axis of the joint; the coordinate of a slide adds to it"),
    FF_NUMBER("theta", "rad", FF_ANY, "0", "angle about the axis of the joint; the coordinate of a hinge adds to it"),
    FF_WORD("convention", DH_CONVENTIONS, "standard",
        "standard: Rz(theta) Tz(d) Tx(a) Rx(alpha), the joint about z of the parent; modified: Rx(alpha) Tx(a) "
        "Rz(theta) Tz(d), about z of the body"));

static const char *const SHAPES_WORD[] = {"shapes", NULL};
static const ff_key_group BODIES;

static const ff_key_group BODY = FF_GROUP_ALSO(
    "body", "A rigid body, placed in the frame of its parent.", &ff_keys_pose,
    FF_TEXT("parent", NULL, "parent body, or world; without it, the body that it is nested in"),
    FF_EITHER("inertial", FF_TAKES_WORD | FF_TAKES_MAP | FF_TAKES_LIST, "", FF_ANY, 0, 0, NULL,
        "mass and inertia; `shapes`: from the shapes by their density", SHAPES_WORD, &INERTIAL),
    FF_WORD_OR_MAP("joint", JOINT_TYPES, &JOINT,
        "the joint to the parent, named after the body; without one the body is fixed"),
    FF_MAP("joints", &JOINTS, "several joints in a row"),
    FF_MAP("dh", &DH, "Denavit-Hartenberg parameters, in place of pos, rpy and the axis of the joint"),
    FF_LIST_OR_MAP("shapes", &SHAPES, "shapes for display and contact"),
    FF_MAP("frames", &FRAMES, "named frames"),
    FF_LIST("attach", &ATTACHMENTS, "parts and other robots that are attached to it"),
    FF_MAP("bodies", &BODIES, "child bodies"));

static const ff_key_group BODIES = FF_GROUP("bodies", "Bodies by name.",
    FF_MAP("*", &BODY, "a body, or changes of an imported one"));

static const char *const MIRRORS[] = {"x", "y", "z", NULL};

static const ff_key_group ATTACHMENT = FF_GROUP_ALSO(
    "attachment", "A part or another robot, attached to a body.", &ff_keys_pose,
    FF_TEXT("part", NULL, "a part of this file, by its name"),
    FF_TEXT("file", NULL, "another robot file, in place of 'part'"),
    FF_TEXT("prefix", "\"\"", "prefix of every name in it"),
    FF_WORD("mirror", MIRRORS, NULL, "its mirror image across the plane where this coordinate is 0"));
static const ff_key_group ATTACHMENTS = FF_GROUP("attach", "Parts and other robots that hang on a body.",
    FF_MAP("-", &ATTACHMENT, "one of them"));

// ------------------------------------------------------------------------------------------ loops

static const ff_key_group POINTS = FF_GROUP("points", "Points on two bodies.",
    FF_NUMBERS("-", 3, 3, "m", FF_ANY, NULL, "a point in the frame of the first body, then of the second"));

static const ff_key_group LOOP = FF_GROUP("loop", "A closed loop or a coupling of joints.",
    FF_TEXTS("connect", NULL, "two bodies that share a point"),
    FF_TEXTS("weld", NULL, "two bodies that keep their relative pose"),
    FF_TEXTS("couple", NULL, "a joint and the joint that it follows; a joint alone is held"),
    FF_TEXTS("rod", NULL, "two bodies held at a distance"),
    FF_LIST("at", &POINTS,
        "connect, rod: a point on each body; connect with one point: both bodies share it in the initial pose"),
    FF_MAP("pose", &ff_keys_pose, "weld: pose of the second body in the first; without it, the initial one"),
    FF_NUMBER("length", "m", FF_POSITIVE, NULL, "rod: the distance; without it, the initial one"),
    FF_NUMBER("gain", "", FF_ANY, "1", "couple: position = gain * position of the other + offset"),
    FF_NUMBER("offset", "rad|m", FF_ANY, "0", "couple: see 'gain'"),
    FF_NUMBERS("polynomial", 1, 5, FF_ANY_UNIT, FF_ANY, NULL,
        "couple: coefficients of a polynomial in place of gain and offset"),
    FF_SWITCH("active", "true", "whether it acts from the start"));
static const ff_key_group LOOPS = FF_GROUP("loops", "Loops and couplings by name.",
    FF_MAP("*", &LOOP, "a loop"));

// ------------------------------------------------------------------------------------------ legs and hands

static const ff_key_group FOOT = FF_GROUP("foot", "A foot of several bodies.",
    FF_TEXT("frame", FF_NEEDED, "frame that controllers move"),
    FF_TEXTS("bodies", FF_NEEDED, "bodies that touch the ground"));

static const ff_key_group LEG = FF_GROUP("leg", "A leg, for controllers that walk.",
    FF_TEXTS("joints", FF_NEEDED, "joints from hip to foot"),
    FF_TEXT_OR_MAP("foot", &FOOT, FF_NEEDED, "frame or body of the foot"),
    FF_TEXT("force", NULL, "sensor of the force on the foot"),
    FF_TEXT("touch", NULL, "sensor of its contact with the ground"),
    FF_NUMBER("radius", "m", FF_NOT_NEGATIVE, NULL, "radius of the foot; without it, that of its sphere"));
static const ff_key_group LEGS = FF_GROUP("legs", "Legs by name, or a list that sets the order of existing legs.",
    FF_TEXT("-", NULL, "name of an existing leg; the list sets the order"),
    FF_MAP("*", &LEG, "a leg"));

static const ff_key_group HAND = FF_GROUP("hand", "A hand; its contact is reported like that of a foot.",
    FF_TEXT("frame", NULL, "frame that controllers move"),
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
        "position of the joints of this name or pattern; planar: x, y, angle; free and ball: a pose", NULL,
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
    FF_TEXT("prefix", "\"\"", "prefix of every name in it"),
    FF_SWITCH("floating", NULL, "give it a free base; without it, as the caller chooses"));

#define CONTENTS                                                                                                       \
    FF_MAP("bodies", &BODIES, "the bodies"),                                                                           \
        FF_LIST_OR_MAP("shapes", &SHAPES, "shapes of the world, or changes of shapes of all bodies"),                  \
        FF_MAP("frames", &FRAMES, "frames fixed to the world, or changes of frames of all bodies"),                    \
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

static const ff_key_group MEDIUM = FF_GROUP("medium", "Air or liquid around the robot, with drag on each body.",
    FF_NUMBER("density", "kg/m^3", FF_NOT_NEGATIVE, "0",
        "density, for drag that grows with the square of the speed; air 1.2, water 1000"),
    FF_NUMBER("viscosity", "", FF_NOT_NEGATIVE, "0",
        "dynamic viscosity [Pa s], for drag that grows with the speed; air 1.8e-5, water 1e-3"),
    FF_NUMBERS("wind", 3, 3, "m/s", FF_ANY, "[0, 0, 0]", "velocity of the medium"));

const ff_key_group ff_keys_robot = FF_GROUP("robot", "A native robot file.",
    FF_WHOLE("footfall", FF_ANY, FF_NEEDED, "version of the format: 1"),
    FF_TEXT("name", "\"\"", "name of the robot"),
    FF_TEXT("description", NULL, "text about the robot"),
    FF_MAP("constants", &ff_keys_constants, "numbers that expressions may name"),
    FF_ANYTHING("define", "place for YAML anchors (&name); otherwise ignored"),
    FF_NUMBERS("gravity", 3, 3, "m/s^2", FF_ANY, "[0, 0, -9.81]", "gravity of the world; a scene can replace it"),
    FF_MAP("medium", &MEDIUM, "air or liquid around the robot; without it no drag"),
    FF_TEXT_OR_MAP("import", &IMPORT, NULL, "another robot file to change"),
    FF_MAP("parts", &PARTS, "parts: what is attached several times"),
    FF_MAP("materials", &ff_keys_materials, "contact materials"),
    FF_MAP("poses", &POSES, "named poses"),
    FF_NUMBER("total_mass", "kg", FF_POSITIVE, NULL, "sum of the masses of the bodies, as a check"),
    CONTENTS,
    FF_MAP("battery", &ff_keys_battery, "battery of the drives"),
    FF_MAP("biped", &ff_keys_biped, "numbers for walking on two legs"));
// clang-format on
