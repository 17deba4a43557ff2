// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiled model as JSON: enough to compute the pose of every shape from q on another machine (nodes, bodies,
// geoms), and what readers of a recording need (joints, masses, limits). Vertices of meshes are not in it but in the
// file that contains it (datasets in HDF5); geoms refer to meshes by number.
#include "record/record.h"

#include <footfall/json.h>
#include <footfall/record.h>

static const char *const NODE_TYPES[] = {"hinge", "slide", "ball", "free"};
static const char *const ROLES[] = {"both", "visual", "collision"};

static void write_node(ff_json *w, const ff_model *m, int i)
{
    const ff_node *node = &m->nodes[i];
    ff_json_text(w, "type", NODE_TYPES[node->type]);
    ff_json_integer(w, "parent", node->parent);
    ff_json_integer(w, "qadr", node->qadr);
    ff_json_integer(w, "vadr", node->vadr);
    ff_json_number(w, "ref", node->ref);
    ff_json_numbers(w, "pos", node->rest.p, 3);
    ff_json_numbers(w, "rotation", node->rest.R, 9);
    ff_json_number(w, "mass", node->inertia.mass);
    ff_json_numbers(w, "first_moment", node->inertia.h, 3);
    ff_json_numbers(w, "inertia_origin", node->inertia.I, 6);
}

static void write_body(ff_json *w, const ff_model *m, int i)
{
    const ff_body *body = &m->bodies[i];
    ff_json_text(w, "name", body->name);
    ff_json_integer(w, "parent", body->parent);
    ff_json_integer(w, "node", body->node);
    ff_json_numbers(w, "pos", body->pos, 3);
    ff_json_numbers(w, "quat", body->quat, 4);
    ff_json_number(w, "mass", body->mass);
    ff_json_numbers(w, "com", body->com, 3);
    ff_json_numbers(w, "inertia", body->inertia, 6);
}

static void write_joint(ff_json *w, const ff_model *m, int i)
{
    const ff_joint *joint = &m->joints[i];
    ff_json_text(w, "name", joint->name);
    ff_json_text(w, "type", ff_joint_name(joint->type));
    ff_json_integer(w, "body", joint->body);
    ff_json_integer(w, "qadr", joint->qadr);
    ff_json_integer(w, "vadr", joint->vadr);
    ff_json_numbers(w, "axis", joint->axis, 3);
    ff_json_numbers(w, "pos", joint->pos, 3);
    ff_json_bool(w, "limited", joint->limited);
    ff_json_numbers(w, "range", joint->range, 2);
    ff_json_number(w, "stiffness", joint->stiffness);
    ff_json_number(w, "spring_ref", joint->spring_ref);
    ff_json_number(w, "damping", joint->damping);
    ff_json_number(w, "dry_friction", joint->dry_friction);
    ff_json_number(w, "armature", joint->armature);
    ff_json_number(w, "effort", joint->effort);
    ff_json_number(w, "speed", joint->speed);
}

static void write_geom(ff_json *w, const ff_model *m, int i)
{
    const ff_geom *geom = &m->geoms[i];
    ff_json_text(w, "name", geom->name);
    ff_json_integer(w, "body", geom->body);
    ff_json_text(w, "shape", ff_shape_name(geom->shape.type));
    ff_json_numbers(w, "size", geom->shape.size, 3);
    ff_json_integer(w, "mesh", geom->mesh);
    ff_json_numbers(w, "pos", geom->pos, 3);
    ff_json_numbers(w, "quat", geom->quat, 4);
    ff_json_numbers(w, "rgba", geom->rgba, 4);
    ff_json_text(w, "role", ROLES[geom->role]);
    ff_json_integer(w, "group", geom->group);
}

static void write_frame(ff_json *w, const ff_model *m, int i)
{
    ff_json_text(w, "name", m->frames[i].name);
    ff_json_integer(w, "body", m->frames[i].body);
    ff_json_numbers(w, "pos", m->frames[i].pos, 3);
    ff_json_numbers(w, "quat", m->frames[i].quat, 4);
}

static void write_leg(ff_json *w, const ff_model *m, int i)
{
    const ff_leg *leg = &m->legs[i];
    ff_json_text(w, "name", leg->name);
    ff_json_begin_array(w, "joints", true);
    for (int k = 0; k < leg->njoint; k++) ff_json_integer(w, NULL, leg->joints[k]);
    ff_json_end_array(w);
    ff_json_integer(w, "frame", leg->frame);
    ff_json_number(w, "radius", leg->radius);
    ff_json_text(w, "force", leg->force);
    ff_json_text(w, "touch", leg->touch);
}

/// What a robot touches with: feet of the legs in their order, then hands.
static void write_limb(ff_json *w, const ff_model *m, int i)
{
    const ff_limb *limb = &m->limbs[i];
    ff_json_text(w, "name", limb->name);
    ff_json_text(w, "kind", limb->leg >= 0 ? "foot" : "hand");
    ff_json_integer(w, "body", limb->body);
    ff_json_numbers(w, "pos", limb->pos, 3);
    ff_json_numbers(w, "quat", limb->quat, 4);
    ff_json_number(w, "radius", limb->radius);
    ff_json_begin_array(w, "bodies", true);
    for (int k = 0; k < limb->nbody; k++) ff_json_integer(w, NULL, limb->bodies[k]);
    ff_json_end_array(w);
}

static void write_list(ff_json *w, const ff_model *m, const char *name, int count,
                       void (*write)(ff_json *w, const ff_model *m, int i))
{
    ff_json_begin_array(w, name, true);
    for (int i = 0; i < count; i++) {
        ff_json_begin_object(w, NULL, true);
        write(w, m, i);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

char *ff_model_to_json(const ff_model *model)
{
    ff_json w = {0};
    ff_json_begin_object(&w, NULL, true);
    ff_json_integer(&w, "footfall_model", 1);
    ff_json_text(&w, "name", model->name);
    ff_json_integer(&w, "nq", model->nq);
    ff_json_integer(&w, "nv", model->nv);
    ff_json_number(&w, "mass", model->mass);
    ff_json_numbers(&w, "gravity", model->gravity, 3);
    ff_json_numbers(&w, "q0", model->q0, model->nq);
    write_list(&w, model, "nodes", model->nnode, write_node);
    write_list(&w, model, "bodies", model->nbody, write_body);
    write_list(&w, model, "joints", model->njoint, write_joint);
    write_list(&w, model, "geoms", model->ngeom, write_geom);
    write_list(&w, model, "frames", model->nframe, write_frame);
    ff_json_begin_array(&w, "meshes", true);
    for (int i = 0; i < model->nmesh; i++) ff_json_text(&w, NULL, model->mesh_names[i]);
    ff_json_end_array(&w);
    write_list(&w, model, "legs", model->nleg, write_leg);
    write_list(&w, model, "limbs", model->nlimb, write_limb);
    ff_json_end_object(&w);
    return ff_json_finish(&w);
}
