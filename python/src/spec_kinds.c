// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The items of a Spec: a table of the fields of each kind of item, by their names in C. A field that is
// given switches on what it needs: `mass` means has_inertial, `range` means limited.
#include "spec.h"

static const char *const joint_types[] = {"hinge", "slide", "ball", "free", "planar", NULL};
static const char *const shape_types[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid", "plane", "mesh", NULL};
static const char *const roles[] = {"both", "visual", "collision", NULL};
static const char *const piece_types[] = {"joint", "point", "wrap", "pulley", "thrust", NULL};
static const char *const activation_types[] = {"none", "integrator", "filter", "muscle", NULL};
static const char *const actuator_types[] = {"motor", "position", "velocity", "general", NULL};
static const char *const equality_types[] = {"connect", "weld", "joint", "rod", NULL};
static const char *const fillings[] = {"exact", "legacy", "convex", "shell", NULL};

static const char *normal_law(int number)
{
    return ff_normal_law_name((ff_normal_law)number);
}

static const char *friction_law(int number)
{
    return ff_friction_law_name((ff_friction_law)number);
}

static const char *calibration(int number)
{
    return ff_calibration_name((ff_calibration)number);
}

static const char *stick_rule(int number)
{
    return ff_stick_rule_name((ff_stick_rule)number);
}

#define SOME(type, member, text)                                                                                       \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_SOME, .offset = offsetof(type, member), .size = SIZE_OF(type, member),          \
        .help = text                                                                                                   \
    }
#define TEXTS(type, member, number, text)                                                                              \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_TEXTS, .offset = offsetof(type, member),                                        \
        .size = (int)(sizeof(((type *)0)->member) / sizeof(char *)), .count = offsetof(type, number), .help = text     \
    }
#define ARRAY(type, member, number, text)                                                                              \
    {                                                                                                                  \
        .name = #member, .kind = FIELD_ARRAY, .offset = offsetof(type, member), .count = offsetof(type, number),       \
        .help = text                                                                                                   \
    }
#define SETTINGS(type)                                                                                                 \
    {                                                                                                                  \
        .name = "settings", .kind = FIELD_SETTINGS, .offset = offsetof(type, settings),                                \
        .count = offsetof(type, nsetting), .help = "dict of what else a file would say: {'motor.power': 8.68}"         \
    }
#define GIVEN(type, what, member, flag, text)                                                                          \
    {                                                                                                                  \
        .name = #member, .kind = what, .offset = offsetof(type, member), .size = SIZE_OF(type, member),                \
        .implies = offsetof(type, flag), .help = text                                                                  \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        .kind = FIELD_END                                                                                              \
    }

static const field body_fields[] = {
    TEXT(ff_spec_body, name, "unique, not empty"),
    BODY(ff_spec_body, parent, "name of an earlier body, None: the world"),
    NUMBERS(ff_spec_body, pos, "frame in the parent's frame, all joints at their reference (3) [m]"),
    NUMBERS(ff_spec_body, quat, "(w, x, y, z)"),
    GIVEN(ff_spec_body, FIELD_NUMBER, mass, has_inertial, "[kg]"),
    NUMBERS(ff_spec_body, com, "centre of mass in the body's frame (3) [m]"),
    GIVEN(ff_spec_body, FIELD_NUMBERS, inertia, has_inertial,
          "about the centre of mass: xx, yy, zz, xy, xz, yz (6) [kg m^2]"),
    NUMBERS(ff_spec_body, inertia_quat, "axes of inertia in the body's frame"),
    FLAG(ff_spec_body, has_inertial, "mass, com and inertia are given; set by them"),
    FLAG(ff_spec_body, inertia_from_geoms, "mass properties are the sum of this body's geoms instead"),
    NUMBER(ff_spec_body, gravcomp, "share of its weight that a force at its centre of mass carries"),
    FLAG(ff_spec_body, mocap, "callers move it (Sim.set_mocap); without joints, on the world"),
    END,
};

static const field joint_fields[] = {
    TEXT(ff_spec_joint, name, "unique"),
    BODY(ff_spec_joint, body, "that it moves against its parent"),
    WORD(ff_spec_joint, type, joint_types, "'hinge', 'slide', 'ball', 'free' or 'planar'"),
    NUMBERS(ff_spec_joint, pos, "anchor in the body's frame (3) [m]"),
    NUMBERS(ff_spec_joint, axis, "in the body's frame (3)"),
    NUMBER(ff_spec_joint, ref, "q in the pose that pos and quat of the body describe [rad, m]"),
    FLAG(ff_spec_joint, limited, "range holds; set by it"),
    GIVEN(ff_spec_joint, FIELD_NUMBERS, range, limited, "lower, upper (2) [rad, m]"),
    NUMBER(ff_spec_joint, stop_stiffness, "spring beyond a limit; nan: the default [N m/rad, N/m]"),
    NUMBER(ff_spec_joint, stop_damping, "while pressing into a stop; nan: the default [N m s/rad, N s/m]"),
    NUMBER(ff_spec_joint, stiffness, "spring about spring_ref [N m/rad, N/m]"),
    NUMBER(ff_spec_joint, spring_ref, "[rad, m]"),
    NUMBER(ff_spec_joint, damping, "viscous [N m s/rad, N s/m]"),
    NUMBER(ff_spec_joint, spring_time, "with spring_ratio: time constant that says stiffness and damping; 0: none [s]"),
    NUMBER(ff_spec_joint, spring_ratio, "damping ratio beside spring_time; 0: none"),
    NUMBER(ff_spec_joint, dry_friction, "Coulomb level [N m, N]"),
    NUMBER(ff_spec_joint, dry_speed, "regularisation of dry friction; 0: the default [rad/s, m/s]"),
    NUMBER(ff_spec_joint, armature, "inertia of the rotor seen at the joint [kg m^2, kg]"),
    NUMBER(ff_spec_joint, effort, "largest drive torque, 0: unknown [N m, N]"),
    NUMBER(ff_spec_joint, speed, "largest drive speed, 0: unknown [rad/s, m/s]"),
    TEXT(ff_spec_joint, mimic, "joint that this one follows, or None"),
    NUMBER(ff_spec_joint, mimic_gain, "q = mimic_gain * q of the other + mimic_offset"),
    NUMBER(ff_spec_joint, mimic_offset, "[rad, m]"),
    END,
};

static const field geom_fields[] = {
    TEXT(ff_spec_geom, name, "or None"),
    BODY(ff_spec_geom, body, "that carries it; None: the world"),
    WORD(ff_spec_geom, type, shape_types, "'sphere', 'capsule', 'box', 'cylinder', 'ellipsoid', 'plane' or 'mesh'"),
    SOME(ff_spec_geom, size,
         "sphere: radius; capsule, cylinder: radius, half length; box, ellipsoid: half lengths [m]"),
    {.name = "mesh", .kind = FIELD_MESH, .offset = offsetof(ff_spec_geom, mesh), .help = "name of a mesh, or None"},
    NUMBERS(ff_spec_geom, pos, "in the body's frame (3) [m]"),
    NUMBERS(ff_spec_geom, quat, "(w, x, y, z)"),
    NUMBERS(ff_spec_geom, rgba, "colour, 0 to 1 (4)"),
    WORD(ff_spec_geom, role, roles, "'both', 'visual' or 'collision'"),
    FLAG(ff_spec_geom, gives_mass, "counts where the body's inertia comes from its geoms"),
    GIVEN(ff_spec_geom, FIELD_NUMBER, mass, has_mass, "[kg]; unless given density rules"),
    NUMBER(ff_spec_geom, density, "[kg/m^3]"),
    WHOLE(ff_spec_geom, group, "as in MJCF"),
    WHOLE(ff_spec_geom, contype, "collision filter as in MJCF"),
    WHOLE(ff_spec_geom, conaffinity, "collision filter as in MJCF"),
    WHOLE(ff_spec_geom, condim, "as in MJCF"),
    GIVEN(ff_spec_geom, FIELD_NUMBERS, friction, has_friction, "sliding, torsional, rolling, without a material (3)"),
    TEXT(ff_spec_geom, material, "name of a contact material, None: the standard"),
    END,
};

static const field mesh_fields[] = {
    TEXT(ff_spec_mesh, name, "unique"),
    TEXT(ff_spec_mesh, path, "of its file"),
    NUMBERS(ff_spec_mesh, scale, "factor for each axis of the file's data (3)"),
    NUMBERS(ff_spec_mesh, pos, "frame of the file's data inside the mesh frame (3) [m]"),
    NUMBERS(ff_spec_mesh, quat, "(w, x, y, z)"),
    WORD(ff_spec_mesh, filling, fillings, "how it is filled with mass: 'exact', 'convex', 'shell', ..."),
    END,
};

static const field frame_fields[] = {
    TEXT(ff_spec_frame, name, "unique"),
    BODY(ff_spec_frame, body, "None: the world"),
    NUMBERS(ff_spec_frame, pos, "in the body's frame (3) [m]"),
    NUMBERS(ff_spec_frame, quat, "(w, x, y, z)"),
    END,
};

static const field piece_fields[] = {
    WORD(ff_spec_tendon_piece, type, piece_types, "'joint', 'point', 'wrap', 'pulley' or 'thrust'"),
    TEXT(ff_spec_tendon_piece, name, "joint, frame or shape; None for a pulley"),
    TEXT(ff_spec_tendon_piece, side, "wrap: frame on the side that the string takes; thrust: frame that it pushes off"),
    NUMBER(ff_spec_tendon_piece, factor, "joint: coefficient [1, m/rad]; pulley: divisor"),
    NUMBERS(ff_spec_tendon_piece, wrench, "thrust: force, moment for a unit along the tendon (6) [1, m]"),
    END,
};
static const ff_spec_tendon_piece blank_piece = {.factor = 1.0};

static const field tendon_fields[] = {
    TEXT(ff_spec_tendon, name, "unique"),
    {.name = "pieces",
     .kind = FIELD_ROWS,
     .offset = offsetof(ff_spec_tendon, pieces),
     .count = offsetof(ff_spec_tendon, npiece),
     .size = sizeof(ff_spec_tendon_piece),
     .rows = piece_fields,
     .blank = &blank_piece,
     .help = "list of dicts, in the order of the string: {'type': 'joint', 'name': 'knee', 'factor': 0.02}"},
    NUMBER(ff_spec_tendon, stiffness, "[N/m]; of sums of joints all units are those of the sum"),
    NUMBER(ff_spec_tendon, damping, "[N s/m]"),
    FLAG(ff_spec_tendon, spring_at_rest, "the spring is slack where joints are at their spring references"),
    NUMBERS(ff_spec_tendon, spring_length, "the spring is slack between these (2) [m]"),
    NUMBER(ff_spec_tendon, dry_friction, "Coulomb level [N]"),
    NUMBER(ff_spec_tendon, dry_speed, "its regularisation speed; 0: the default [m/s]"),
    FLAG(ff_spec_tendon, limited, "range holds; set by it"),
    GIVEN(ff_spec_tendon, FIELD_NUMBERS, range, limited, "shortest, longest (2) [m]"),
    NUMBER(ff_spec_tendon, stop_stiffness, "beyond a limit; nan: the default [N/m]"),
    NUMBER(ff_spec_tendon, stop_damping, "while pressing into it; nan: the default [N s/m]"),
    END,
};

#define MUSCLE_NUMBER(which, member, text)                                                                             \
    {                                                                                                                  \
        .name = #which "_" #member, .kind = FIELD_NUMBER, .offset = offsetof(ff_spec_actuator, which.member),          \
        .help = text                                                                                                   \
    }
/// Curves of a muscle, which are active if `operating` is given.
#define MUSCLE(which, of)                                                                                              \
    {.name = #which "_operating",                                                                                      \
     .kind = FIELD_NUMBERS,                                                                                            \
     .offset = offsetof(ff_spec_actuator, which.operating),                                                            \
     .size = 2,                                                                                                        \
     .implies = offsetof(ff_spec_actuator, which.acts),                                                                \
     .help = "muscle: " of ", with lengths in units of the optimal one at the ends of length_range (2)"},              \
        MUSCLE_NUMBER(which, force, "peak active force; below 0: by " #which "_scale [N]"),                            \
        MUSCLE_NUMBER(which, scale, "over the acceleration by a unit force at rest [N m/s^2]"),                        \
        MUSCLE_NUMBER(which, shortest, "length at which the active force ends"),                                       \
        MUSCLE_NUMBER(which, longest, "the same, beyond the optimal one"),                                             \
        MUSCLE_NUMBER(which, speed, "of shortening without force [optimal lengths/s]"),                                \
        MUSCLE_NUMBER(which, passive, "force of stretched tissue at the longest, of the peak"),                        \
        MUSCLE_NUMBER(which, lengthening, "active force while drawn out fast, of the peak")

static const field actuator_fields[] = {
    TEXT(ff_spec_actuator, name, "unique"),
    WORD(ff_spec_actuator, type, actuator_types, "'motor', 'position', 'velocity' or 'general'"),
    TEXT(ff_spec_actuator, joint, "name of its joint"),
    TEXT(ff_spec_actuator, tendon, "or of its tendon"),
    TEXT(ff_spec_actuator, body, "or of the body that it pulls to what it touches"),
    NUMBER(ff_spec_actuator, gear, "force = gear * clamp(gain u + bias[0] + bias[1] gear q + bias[2] gear v)"),
    NUMBER(ff_spec_actuator, gain, "see gear"),
    NUMBERS(ff_spec_actuator, gain_by, "of length and speed, added to gain (2)"),
    NUMBERS(ff_spec_actuator, bias, "see gear (3)"),
    NUMBER(ff_spec_actuator, damping_ratio, "above 0: says bias[2] by the inertia at the joint in the reference pose"),
    FLAG(ff_spec_actuator, command_limited, "command_range holds; set by it"),
    GIVEN(ff_spec_actuator, FIELD_NUMBERS, command_range, command_limited, "(2)"),
    FLAG(ff_spec_actuator, force_limited, "force_range holds; set by it"),
    GIVEN(ff_spec_actuator, FIELD_NUMBERS, force_range, force_limited, "(2) [N m, N]"),
    {.name = "activation",
     .kind = FIELD_WORD,
     .offset = offsetof(ff_spec_actuator, activation.type),
     .words = activation_types,
     .help = "state between command and force: 'none', 'integrator', 'filter' or 'muscle'"},
    {.name = "activation_time",
     .kind = FIELD_SOME,
     .offset = offsetof(ff_spec_actuator, activation.time),
     .size = 2,
     .help = "of a filter; of a muscle to activate and to deactivate [s]"},
    {.name = "activation_smooth",
     .kind = FIELD_NUMBER,
     .offset = offsetof(ff_spec_actuator, activation.smooth),
     .help = "width over which the one time of a muscle becomes the other"},
    {.name = "activation_range",
     .kind = FIELD_NUMBERS,
     .offset = offsetof(ff_spec_actuator, activation.range),
     .size = 2,
     .implies = offsetof(ff_spec_actuator, activation.limited),
     .help = "that the activation stays in (2)"},
    MUSCLE(active, "active force, in place of the gain"),
    MUSCLE(passive, "force of stretched tissue, in place of the bias"),
    NUMBERS(ff_spec_actuator, length_range, "of muscles; the same twice: from the ranges of the joints (2) [m, rad]"),
    END,
};

static const field drive_fields[] = {
    TEXT(ff_spec_drive, name, "unique"),
    {.name = "joint", .kind = FIELD_TEXT, .offset = offsetof(ff_spec_drive, joint), .help = "name of its joint"},
    {.name = "joint2",
     .kind = FIELD_TEXT,
     .offset = offsetof(ff_spec_drive, joint) + sizeof(char *),
     .help = "name of a second one, or None"},
    SETTINGS(ff_spec_drive),
    NUMBER(ff_spec_drive, armature, "what its rotor adds to the armature of the joint [kg m^2, kg]"),
    TEXT(ff_spec_drive, battery, "that feeds it, None: a supply that does not sag"),
    END,
};

static const field battery_fields[] = {
    TEXT(ff_spec_battery, name, "unique"),
    NUMBER(ff_spec_battery, voltage, "nominal [V]"),
    NUMBER(ff_spec_battery, capacity, "[C]"),
    NUMBER(ff_spec_battery, resistance, "inner [ohm]"),
    NUMBER(ff_spec_battery, charge, "at the start, as a part of the capacity"),
    NUMBER(ff_spec_battery, load, "what else it feeds [W]"),
    NUMBER(ff_spec_battery, least, "voltage at which it switches off, 0: never [V]"),
    ARRAY(ff_spec_battery, curve, ncurve, "open-circuit voltage: charge, voltage, charge, ..."),
    END,
};

static const field sensor_fields[] = {
    TEXT(ff_spec_sensor, name, "unique"),
    TEXT(ff_spec_sensor, type, "'gyro', 'accelerometer', 'touch', 'jointpos', ... (docs/sensors.md)"),
    TEXT(ff_spec_sensor, object_type, "'site', 'joint', 'body', ... or ''"),
    TEXT(ff_spec_sensor, object, "its name, or ''"),
    NUMBER(ff_spec_sensor, noise, "standard deviation, in the unit of the sensor"),
    NUMBER(ff_spec_sensor, cutoff, "as in MJCF"),
    SETTINGS(ff_spec_sensor),
    END,
};

static const field equality_fields[] = {
    TEXT(ff_spec_equality, name, "unique"),
    WORD(ff_spec_equality, type, equality_types, "'connect', 'weld', 'joint' or 'rod'"),
    TEXT(ff_spec_equality, object1, "body, or joint; '': the world"),
    TEXT(ff_spec_equality, object2, "likewise"),
    FLAG(ff_spec_equality, active, "is it enforced?"),
    FLAG(ff_spec_equality, at_rest, "point 2, pose or length are those of the reference pose"),
    SOME(ff_spec_equality, data, "numbers by type (up to 11), see model.h"),
    END,
};

static const field exclude_fields[] = {
    TEXT(ff_spec_exclude, body1, "'': the world"),
    TEXT(ff_spec_exclude, body2, "they never touch"),
    END,
};

static const field pair_fields[] = {
    TEXT(ff_spec_pair, geom1, "they meet whatever their filters say"),
    TEXT(ff_spec_pair, geom2, "see geom1"),
    NUMBERS(ff_spec_pair, friction, "sliding, torsional [m], rolling [m] (3)"),
    WHOLE(ff_spec_pair, condim, "1, 3, 4 or 6"),
    {.name = "solref",
     .kind = FIELD_NUMBERS,
     .offset = offsetof(ff_spec_pair, numbers.solref),
     .size = 2,
     .implies = offsetof(ff_spec_pair, numbers.has_solref),
     .help = "hardness as in MJCF (2)"},
    {.name = "impedance",
     .kind = FIELD_NUMBER,
     .offset = offsetof(ff_spec_pair, numbers.impedance),
     .help = "of deep contacts, 0 to 1"},
    END,
};

static const field leg_fields[] = {
    TEXT(ff_spec_leg, name, "unique"),
    TEXTS(ff_spec_leg, joints, njoint, "names from hip to foot, at most 8"),
    TEXT(ff_spec_leg, foot, "frame in the middle of the foot, or body"),
    TEXTS(ff_spec_leg, soles, nsole, "bodies of the foot; none: what lies around the frame"),
    NUMBER(ff_spec_leg, radius, "of a round foot; below 0: that of the shape around the frame [m]"),
    TEXT(ff_spec_leg, force, "name of a sensor, or None"),
    TEXT(ff_spec_leg, touch, "name of a sensor, or None"),
    END,
};

static const field hand_fields[] = {
    TEXT(ff_spec_hand, name, "unique"),
    TEXT(ff_spec_hand, frame, "about which its moments are; None: that of the first body"),
    TEXTS(ff_spec_hand, bodies, nbody, "that are meant to touch things, at most 8"),
    END,
};

#define BIPED(text, number)                                                                                            \
    {                                                                                                                  \
        .name = text, .kind = FIELD_NUMBER,                                                                            \
        .offset = offsetof(ff_spec_biped, numbers) + sizeof(double) * (size_t)(number), .help = "see docs/biped.md"    \
    }
static const field biped_fields[] = {
    TEXT(ff_spec_biped, pose, "in which it stands"),
    TEXT(ff_spec_biped, torso, "body that is kept upright"),
    {.name = "sole",
     .kind = FIELD_POINTS,
     .offset = offsetof(ff_spec_biped, sole),
     .size = FF_BIPED_SOLE,
     .count = offsetof(ff_spec_biped, nsole),
     .help = "points of the left foot that carry load: ahead, to the left [m]"},
    NUMBERS(ff_spec_biped, ahead, "where pressure may go: back to front (2) [m]"),
    NUMBERS(ff_spec_biped, aside, "the same, inside out (2) [m]"),
    NUMBERS(ff_spec_biped, leg_com, "of the planner's mass of the left leg (3) [m]"),
    BIPED("stiffness", FF_BIPED_STIFFNESS),
    BIPED("leg_mass", FF_BIPED_LEG_MASS),
    BIPED("reach", FF_BIPED_REACH),
    BIPED("step_time", FF_BIPED_STEP_TIME),
    BIPED("double_support", FF_BIPED_DOUBLE_SUPPORT),
    BIPED("hold", FF_BIPED_HOLD),
    BIPED("lift", FF_BIPED_LIFT),
    BIPED("width", FF_BIPED_WIDTH),
    BIPED("height", FF_BIPED_HEIGHT),
    BIPED("sweep", FF_BIPED_SWEEP),
    BIPED("clearance", FF_BIPED_CLEARANCE),
    BIPED("longest", FF_BIPED_LONGEST),
    BIPED("widest", FF_BIPED_WIDEST),
    BIPED("most_turn", FF_BIPED_MOST_TURN),
    END,
};

static const field key_fields[] = {
    TEXT(ff_spec_key, name, "unique"),
    NUMBER(ff_spec_key, time, "[s]"),
    ARRAY(ff_spec_key, q, nq, "position (nq), or None"),
    ARRAY(ff_spec_key, v, nv, "velocity (nv), or None"),
    ARRAY(ff_spec_key, command, ncommand, "of the actuators, or None"),
    ARRAY(ff_spec_key, activation, nactivation, "of the actuators, 0 for those without, or None"),
    END,
};

#define LAW(text, member, name_of)                                                                                     \
    {                                                                                                                  \
        .name = text, .kind = FIELD_WORD, .offset = offsetof(ff_spec_material, material.member), .word = name_of,      \
        .help = "see docs/contact.md"                                                                                  \
    }
#define LAW_NUMBER(text, member, unit)                                                                                 \
    {                                                                                                                  \
        .name = text, .kind = FIELD_NUMBER, .offset = offsetof(ff_spec_material, material.member), .help = unit        \
    }
static const field material_fields[] = {
    {.name = "name",
     .kind = FIELD_NAME,
     .offset = offsetof(ff_spec_material, material.name),
     .size = FF_MATERIAL_NAME_MAX,
     .help = "unique"},
    LAW("normal_law", normal.law, normal_law),
    LAW_NUMBER("stiffness", normal.stiffness, "[N/m^exponent]"),
    LAW_NUMBER("exponent", normal.exponent, "1, or 1.5 for a sphere"),
    LAW_NUMBER("damping", normal.damping, "by the law"),
    LAW_NUMBER("damping_exponent", normal.damping_exponent, "of the soil law"),
    LAW_NUMBER("restitution", normal.restitution, "of the restitution law, 0 to 1"),
    LAW("calibration", normal.calibration, calibration),
    LAW_NUMBER("impact_floor", normal.impact_floor, "slower is no bounce [m/s]"),
    LAW("friction_law", friction.law, friction_law),
    LAW_NUMBER("mu_static", friction.mu_static, "limit while sticking"),
    LAW_NUMBER("mu_kinetic", friction.mu_kinetic, "limit while sliding"),
    LAW_NUMBER("friction_stiffness", friction.stiffness, "tangential; 0: half the normal one [N/m]"),
    LAW_NUMBER("friction_damping", friction.damping, "beside that spring [N s/m]"),
    LAW_NUMBER("stick_speed", friction.stick_speed, "slower has stopped [m/s]"),
    LAW("stick", friction.stick, stick_rule),
    LAW_NUMBER("torsion", friction.torsion, "lever arm of the resistance to spin [m]"),
    LAW_NUMBER("rolling", friction.rolling, "the same for rolling [m]"),
    LAW_NUMBER("patch_radius", friction.patch_radius, "of the disc that carries both [m]"),
    {.name = "per_point",
     .kind = FIELD_FLAG,
     .offset = offsetof(ff_spec_material, material.per_point),
     .help = "each point of a patch has the full stiffness"},
    {.name = "source",
     .kind = FIELD_TEXT,
     .offset = offsetof(ff_spec_material, material.source),
     .help = "where the numbers come from"},
    END,
};

#define KIND(word, list, number, fields_of, first, second)                                                             \
    {                                                                                                                  \
        word, #list, offsetof(ff_spec, list), offsetof(ff_spec, number), sizeof *((ff_spec *)0)->list, fields_of,      \
        {                                                                                                              \
            first, second                                                                                              \
        }                                                                                                              \
    }
const spec_kind spec_kinds[SPEC_KINDS] = {
    [SPEC_BODY] = KIND("body", bodies, nbody, body_fields, "parent", NULL),
    [SPEC_JOINT] = KIND("joint", joints, njoint, joint_fields, "body", "type"),
    [SPEC_GEOM] = KIND("geom", geoms, ngeom, geom_fields, "body", "type"),
    [SPEC_MESH] = KIND("mesh", meshes, nmesh, mesh_fields, "path", NULL),
    [SPEC_FRAME] = KIND("frame", frames, nframe, frame_fields, "body", NULL),
    [SPEC_TENDON] = KIND("tendon", tendons, ntendon, tendon_fields, "pieces", NULL),
    [SPEC_ACTUATOR] = KIND("actuator", actuators, nactuator, actuator_fields, "joint", "type"),
    [SPEC_DRIVE] = KIND("drive", drives, ndrive, drive_fields, "joint", NULL),
    [SPEC_BATTERY] = KIND("battery", batteries, nbattery, battery_fields, NULL, NULL),
    [SPEC_SENSOR] = KIND("sensor", sensors, nsensor, sensor_fields, "type", NULL),
    [SPEC_EQUALITY] = KIND("equality", equalities, nequality, equality_fields, "type", NULL),
    [SPEC_EXCLUDE] = KIND("exclude", excludes, nexclude, exclude_fields, "body2", NULL),
    [SPEC_PAIR] = KIND("pair", pairs, npair, pair_fields, "geom2", NULL),
    [SPEC_LEG] = KIND("leg", legs, nleg, leg_fields, "joints", "foot"),
    [SPEC_HAND] = KIND("hand", hands, nhand, hand_fields, "bodies", NULL),
    [SPEC_BIPED] = KIND("biped", bipeds, nbiped, biped_fields, "torso", NULL),
    [SPEC_KEY] = KIND("key", keys, nkey, key_fields, "q", NULL),
    [SPEC_MATERIAL] = KIND("material", materials, nmaterial, material_fields, NULL, NULL),
};
