// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiled model as JSON: enough to compute the pose of every shape from q on another machine (nodes, bodies,
// geoms), and what readers of a recording need (joints, masses, limits). Vertices of meshes are not in it but in the
// file that contains it (datasets in HDF5); geoms refer to meshes by number.
#include "record/record.h"
#include "text/json_rows.h"

static void write_joint_type(ff_json *json, const void *joint)
{
    ff_json_text(json, "type", ff_joint_name(((const ff_joint *)joint)->type));
}

static void write_shape(ff_json *json, const void *geom)
{
    ff_json_text(json, "shape", ff_shape_name(((const ff_geom *)geom)->shape.type));
}

static void write_limb_kind(ff_json *json, const void *limb)
{
    ff_json_text(json, "kind", ((const ff_limb *)limb)->leg >= 0 ? "foot" : "hand");
}

#define NODE(...)  FF_JSON_ROW(ff_node, __VA_ARGS__)
#define BODY(...)  FF_JSON_ROW(ff_body, __VA_ARGS__)
#define JOINT(...) FF_JSON_ROW(ff_joint, __VA_ARGS__)
#define GEOM(...)  FF_JSON_ROW(ff_geom, __VA_ARGS__)
#define FRAME(...) FF_JSON_ROW(ff_frame, __VA_ARGS__)
#define LEG(...)   FF_JSON_ROW(ff_leg, __VA_ARGS__)
#define LIMB(...)  FF_JSON_ROW(ff_limb, __VA_ARGS__)
#define MODEL(...) FF_JSON_ROW(ff_model, __VA_ARGS__)

// One field a line.
// clang-format off
static const ff_json_type MODEL_TYPES[] = {
    {"Node", "A joint of the compiled model with all that moves with it.", .size = sizeof(ff_node), FF_JSON_FIELDS(
        NODE(type, "'hinge'|'slide'|'ball'|'free'", ALWAYS, "", "type of its joint"),
        NODE(parent, "integer", ALWAYS, "", "parent node; -1: the world"),
        NODE(qadr, "integer", ALWAYS, "", "its first number in q"),
        NODE(vadr, "integer", ALWAYS, "", "its first number in v"),
        NODE(ref, "number", ALWAYS, "rad, m", "q at which it has its rest pose"),
        FIELD("pos", "number[3]", ALWAYS, "m", "rest pose in its parent", FF_JSON_AT(ff_node, rest.p)),
        FIELD("rotation", "number[9]", ALWAYS, "",
         "rest pose in its parent: rows of the matrix", FF_JSON_AT(ff_node, rest.R)),
        FIELD("mass", "number", ALWAYS, "kg",
         "mass of all bodies that move with it", FF_JSON_AT(ff_node, inertia.mass)),
        FIELD("first_moment", "number[3]", ALWAYS, "kg m", "mass times centre of mass", FF_JSON_AT(ff_node, inertia.h)),
        FIELD("inertia_origin", "number[6]", ALWAYS, "kg m^2",
         "about its origin: xx yy zz xy xz yz", FF_JSON_AT(ff_node, inertia.I)))},
    {"Body", "A body.", .size = sizeof(ff_body), FF_JSON_FIELDS(
        BODY(name, "text", ALWAYS, "", "in the model"),
        BODY(parent, "integer", ALWAYS, "", "body that carries it; -1: the world"),
        BODY(node, "integer", ALWAYS, "", "node that it belongs to; -1: it does not move"),
        BODY(pos, "number[3]", ALWAYS, "m", "in its node"),
        BODY(quat, "number[4]", ALWAYS, "", "in its node: w x y z"),
        BODY(mass, "number", ALWAYS, "kg", "mass of the body"),
        BODY(com, "number[3]", ALWAYS, "m", "centre of mass, in the body"),
        BODY(inertia, "number[6]", ALWAYS, "kg m^2", "about the centre of mass: xx yy zz xy xz yz"))},
    {"Joint", "A joint as the robot file has it.", .size = sizeof(ff_joint), FF_JSON_FIELDS(
        JOINT(name, "text", ALWAYS, "", "in the model"),
        FIELD("type", "text", ALWAYS, "", "type, by the word of robot files", .write = write_joint_type),
        JOINT(body, "integer", ALWAYS, "", "body that it moves"),
        JOINT(qadr, "integer", ALWAYS, "", "its first number in q"),
        JOINT(vadr, "integer", ALWAYS, "", "its first number in v"),
        JOINT(axis, "number[3]", ALWAYS, "", "in the body"),
        JOINT(pos, "number[3]", ALWAYS, "m", "in the body"),
        JOINT(limited, "flag", ALWAYS, "", "it has a range"),
        JOINT(range, "number[2]", ALWAYS, "rad, m", "lower and upper limit"),
        JOINT(stiffness, "number", ALWAYS, "N m/rad, N/m", "stiffness of its spring"),
        JOINT(spring_ref, "number", ALWAYS, "rad, m", "coordinate at which its spring exerts no force"),
        JOINT(damping, "number", ALWAYS, "N m s/rad, N s/m", "viscous friction"),
        JOINT(dry_friction, "number", ALWAYS, "N m, N", "Coulomb friction"),
        JOINT(armature, "number", ALWAYS, "kg m^2, kg", "inertia of a rotor, reduced to the joint"),
        JOINT(effort, "number|null", ALWAYS, "N m, N", "largest force or moment; null: none is given"),
        JOINT(speed, "number|null", ALWAYS, "rad/s, m/s", "largest speed; null: none is given"))},
    {"Geom", "A shape.", .size = sizeof(ff_geom), FF_JSON_FIELDS(
        GEOM(name, "text|null", ALWAYS, "", "null: it has none"),
        GEOM(body, "integer", ALWAYS, "", "body that carries it; -1: the world, as terrain"),
        FIELD("shape", "text", ALWAYS, "", "`sphere`, `box`, ..", .write = write_shape),
        FIELD("size", "number[3]", ALWAYS, "m",
         "radius, half lengths, as the shape has them", FF_JSON_AT(ff_geom, shape.size)),
        GEOM(mesh, "integer", ALWAYS, "", "number among `meshes`; -1: none"),
        GEOM(pos, "number[3]", ALWAYS, "m", "in the body"),
        GEOM(quat, "number[4]", ALWAYS, "", "in the body: w x y z"),
        GEOM(rgba, "number[4]", ALWAYS, "", "colour, 0 to 1"),
        GEOM(role, "'both'|'visual'|'collision'", ALWAYS, "", "use of the shape: contact, display or both"),
        GEOM(group, "integer", ALWAYS, "", "group of MJCF"))},
    {"Frame", "A named frame.", .size = sizeof(ff_frame), FF_JSON_FIELDS(
        FRAME(name, "text", ALWAYS, "", "in the model"),
        FRAME(body, "integer", ALWAYS, "", "body that carries it"),
        FRAME(pos, "number[3]", ALWAYS, "m", "in the body"),
        FRAME(quat, "number[4]", ALWAYS, "", "in the body: w x y z"))},
    {"Leg", "A leg.", .size = sizeof(ff_leg), FF_JSON_FIELDS(
        LEG(name, "text", ALWAYS, "", "in the model"),
        FIELD("joints", "integer[]", ALWAYS, "",
         "numbers of its joints, from the hip down", FF_JSON_ITEMS(ff_leg, joints, njoint)),
        LEG(frame, "integer", ALWAYS, "", "number of the frame of the foot"),
        LEG(radius, "number", ALWAYS, "m", "radius of a round foot; 0: of another shape"),
        LEG(force, "text|null", ALWAYS, "", "name of its force sensor"),
        LEG(touch, "text|null", ALWAYS, "", "name of its touch sensor"))},
    {"Limb", "A foot or a hand.", .size = sizeof(ff_limb), FF_JSON_FIELDS(
        LIMB(name, "text", ALWAYS, "", "name of the leg, or of the hand"),
        FIELD("kind", "'foot'|'hand'", ALWAYS, "", "end of a leg, or another limb", .write = write_limb_kind),
        LIMB(body, "integer", ALWAYS, "", "body that carries its frame"),
        LIMB(pos, "number[3]", ALWAYS, "m", "position of the frame in the body"),
        LIMB(quat, "number[4]", ALWAYS, "", "orientation of the frame in the body: w x y z"),
        LIMB(radius, "number", ALWAYS, "m", "radius of a round foot; 0: of another shape"),
        FIELD("bodies", "integer[]", ALWAYS, "",
         "bodies that the file lists; empty: contacts near its frame count", FF_JSON_ITEMS(ff_limb, bodies, nbody)))},
    {"Model", "The compiled model, in event `scene`, in `run.h5` and in the document.", FF_JSON_FIELDS(
        FIELD("footfall_model", "integer", ALWAYS, "", "version, 1"),
        MODEL(name, "text", ALWAYS, "", "in the model"),
        MODEL(nq, "integer", ALWAYS, "", "numbers in q"),
        MODEL(nv, "integer", ALWAYS, "", "numbers in v"),
        MODEL(mass, "number", ALWAYS, "kg", "mass of all moving bodies"),
        MODEL(gravity, "number[3]", ALWAYS, "m/s^2", "in the world"),
        FIELD("q0", "number[]", ALWAYS, "", "q at the start", FF_JSON_ITEMS(ff_model, q0, nq)),
        FIELD("nodes", "Node[]", ALWAYS, "",
         "joints of the compiled model, each with the bodies that move with it", FF_JSON_ITEMS(ff_model, nodes, nnode)),
        FIELD("bodies", "Body[]", ALWAYS, "", "bodies of all robots", FF_JSON_ITEMS(ff_model, bodies, nbody)),
        FIELD("joints", "Joint[]", ALWAYS, "", "joints of all robots", FF_JSON_ITEMS(ff_model, joints, njoint)),
        FIELD("geoms", "Geom[]", ALWAYS, "", "shapes, terrain included", FF_JSON_ITEMS(ff_model, geoms, ngeom)),
        FIELD("frames", "Frame[]", ALWAYS, "", "frames of all robots", FF_JSON_ITEMS(ff_model, frames, nframe)),
        FIELD("meshes", "text[]", ALWAYS, "", "files of the meshes", FF_JSON_ITEMS(ff_model, mesh_names, nmesh)),
        FIELD("legs", "Leg[]", ALWAYS, "", "legs of all robots", FF_JSON_ITEMS(ff_model, legs, nleg)),
        FIELD("limbs", "Limb[]", ALWAYS, "",
         "feet of the legs in their order, then hands", FF_JSON_ITEMS(ff_model, limbs, nlimb)))},
};
// clang-format on

const ff_json_subject ff_model_json = {"model", "The compiled model.", FF_JSON_TYPES(MODEL_TYPES)};

char *ff_model_to_json(const ff_model *model)
{
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_integer(&json, "footfall_model", 1);
    ff_json_members(&json, &ff_model_json, "Model", model);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}
