// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of a URDF without transmissions: a file that does not say which joints are driven has a position servo on each
// hinge and slide, named after the joint, within <limit effort> and <limit velocity> (src/drive/set.c). An effort
// that stands for no limit leaves a servo unbounded. Where some joints have an effort, those without are
// passive; where none has, all are driven without a bound. The law is
//     f = kp (u - q) - 2 sqrt(kp J) q',     kp = min(effort / 0.1 rad, J (300 rad/s)^2),
// 10 mm in place of 0.1 rad for slides, with J the inertia that the joint moves in the reference pose: its effort lies
// within reach of errors that matter, it is damped critically, and a loop of 1 kHz holds it. With the composite mass m,
// first moment h = int r dm and second moment S = int r r' dm of what hangs on a joint, about the axis a (unit) through
// p,
//     J = tr(S_p) - a' S_p a,   S_p = S - p h' - h p' + m p p'   (hinge),      J = m   (slide).
#include "model/urdf.h"

#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPAN_TURN  0.1   // error at which a hinge asks for its effort  [rad]
#define SPAN_SLIDE 0.01  // the same of a slide                         [m]
#define FASTEST    300.0 // natural frequency that a loop of 1 kHz holds: 2 w h = 0.6  [rad/s]

typedef struct composite {
    double pos[3], quat[4]; // of the body, world
    double mass, first[3], second[9];
} composite;

/// What a body weighs by itself, about the origin of the world.
static void weigh(const ff_spec_body *body, composite *c)
{
    double R[9], back[9], turned[9], inertia[9], centre[3], quat[4];
    ff_vec3_copy(centre, body->com);
    ff_quat_copy(quat, body->inertia_quat);
    ff_pose_displace(centre, quat, c->pos, c->quat);
    ff_quat_to_mat3(R, quat);
    const double *I = body->inertia; // xx yy zz xy xz yz
    const double own[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    ff_mat3_transpose(back, R);
    ff_mat3_mul(turned, R, own);
    ff_mat3_mul(inertia, turned, back);
    const double half = 0.5 * (I[0] + I[1] + I[2]);
    c->mass = body->mass;
    ff_vec3_scale(c->first, centre, c->mass);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c->second[3 * i + k] = (i == k ? half : 0.0) - inertia[3 * i + k] + c->mass * centre[i] * centre[k];
}

/// Each body with all that hangs on it. NULL without memory.
static composite *gather(urdf_reader *r)
{
    const ff_spec *spec = r->spec;
    composite *all = FF_ARENA_NEW(&r->arena, composite, spec->nbody + 1);
    for (int i = 0; all && i < spec->nbody; i++) {
        const ff_spec_body *body = &spec->bodies[i];
        ff_vec3_copy(all[i].pos, body->pos);
        ff_quat_copy(all[i].quat, body->quat);
        if (body->parent >= 0) ff_pose_displace(all[i].pos, all[i].quat, all[body->parent].pos, all[body->parent].quat);
        if (body->has_inertial) weigh(body, &all[i]);
    }
    for (int i = spec->nbody - 1; all && i >= 0; i--) {
        composite *to = spec->bodies[i].parent >= 0 ? &all[spec->bodies[i].parent] : NULL;
        if (!to) continue;
        to->mass += all[i].mass;
        ff_vec3_add(to->first, to->first, all[i].first);
        for (int k = 0; k < 9; k++) to->second[k] += all[i].second[k];
    }
    return all;
}

/// What the joint moves while all others are held.  [kg m^2, kg]
static double inertia_at(const composite *c, const ff_spec_joint *joint)
{
    double axis[3], about[9];
    if (joint->type == FF_JOINT_SLIDE) return c->mass;
    ff_quat_rotate(axis, c->quat, joint->axis);
    ff_vec3_scale(axis, axis, 1.0 / ff_vec3_norm(axis));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            about[3 * i + k] = c->second[3 * i + k] - c->pos[i] * c->first[k] - c->first[i] * c->pos[k] +
                               c->mass * c->pos[i] * c->pos[k];
    double along[3];
    ff_mat3_mulv(along, about, axis);
    return about[0] + about[4] + about[8] - ff_vec3_dot(axis, along);
}

static bool can_be_driven(const ff_spec_joint *joint)
{
    return ff_joint_is_scalar(joint->type) && !joint->mimic;
}

static void drive(urdf_reader *r, const ff_spec_joint *joint, const composite *c)
{
    const double inertia = inertia_at(c, joint) + joint->armature;
    if (!(inertia > 0.0)) return; // a body without mass: the compiler says so
    double kp = inertia * FASTEST * FASTEST;
    if (joint->effort > 0.0) kp = ff_min(kp, joint->effort / (joint->type == FF_JOINT_SLIDE ? SPAN_SLIDE : SPAN_TURN));
    ff_spec_actuator *out = ff_spec_add_actuator(r->spec, joint->name, FF_ACTUATOR_POSITION);
    if (!urdf_got(r, out) || !urdf_got(r, out->name)) return;
    out->joint = joint->name;
    out->place = joint->place;
    out->gain = kp;
    out->bias[1] = -kp;
    out->bias[2] = -2.0 * sqrt(kp * inertia);
    out->force_limited = joint->effort > 0.0;
    out->force_range[0] = -joint->effort;
    out->force_range[1] = joint->effort;
}

/// Does the file write an effort of 0, as exporters do where nobody said how strong the joint is?
static bool writes_zero(const urdf_joint *joint)
{
    const ff_xml *limit = ff_xml_child(joint->node, "limit");
    const char *text = limit ? ff_xml_peek(limit, "effort") : NULL;
    double effort;
    return text && ff_text_number(text, strlen(text), &effort) && effort == 0.0;
}

/// Does the file give the joint an effort: a number above 0, or one that stands for no limit?
static bool has_effort(const urdf_reader *r, const ff_spec_joint *joint)
{
    const int number = ff_names_get(&r->joint_names, joint->name);
    return joint->effort > 0.0 || (number >= 0 && r->joints[number].any_effort);
}

/// A word, once a file, on joints that are passive for want of an effort, or on efforts of 0 that say nothing.
static void report_weak(urdf_reader *r, bool passive)
{
    const urdf_joint *first = NULL;
    int count = 0;
    char others[40] = "";
    for (int i = 0; i < r->njoint; i++) {
        const int number = r->joints[i].spec_joint;
        if (number < 0 || !can_be_driven(&r->spec->joints[number])) continue;
        if (passive ? has_effort(r, &r->spec->joints[number]) : !writes_zero(&r->joints[i])) continue;
        if (count++ == 0) first = &r->joints[i];
    }
    if (count == 0) return;
    if (count > 1) snprintf(others, sizeof others, " and %d more", count - 1);
    ff_report_add(r->report, FF_NOTE, first->node->place,
                  passive ? "joint \"%s\"%s: not driven, for the effort is 0 or not given, and that of others is; "
                            "<limit effort> drives a joint, 'inf' without a bound"
                          : "joint \"%s\"%s: the effort is 0, as exporters write it where none was given, and no joint "
                            "has another: driven without a bound; give efforts to bound the drives",
                  first->name, others);
}

void urdf_drive_joints(urdf_reader *r)
{
    const ff_spec *spec = r->spec;
    bool any = false, chosen = false;
    for (int j = 0; j < spec->njoint; j++) {
        any = any || can_be_driven(&spec->joints[j]);
        chosen = chosen || (can_be_driven(&spec->joints[j]) && has_effort(r, &spec->joints[j]));
    }
    if (spec->nactuator > 0 || !any) return; // the file says which joints are driven
    const composite *all = gather(r);
    if (!urdf_got(r, all)) return;
    for (int j = 0; j < spec->njoint && !r->out_of_memory; j++) {
        const ff_spec_joint *joint = &spec->joints[j];
        if (can_be_driven(joint) && (has_effort(r, joint) || !chosen)) drive(r, joint, &all[joint->body]);
    }
    report_weak(r, chosen);
}
